"""Messages name players and give points as their file does."""

from __future__ import annotations

import json
import pickle
import re
from pathlib import Path
from urllib.parse import quote

import pytest
from click.testing import CliRunner
from tables import table

from jmjp_convert.api import dumps
from jmjp_convert.cli import main
from jmjp_convert.errors import MatchError, PlayError, PointerError, RecordError, impossible, in_file
from jmjp_convert.formats.mjlog.reader import read_mjlog
from jmjp_convert.formats.reading import Reading, read, read_content
from jmjp_convert.messages import Message, Points, Results, Sticks, Terms, Who, any_of

FIXTURES = Path(__file__).parent.parent / "fixtures"
NAMES = ("MSN", "ジョニヲ", None, "")
FOUR = (25000, 37200, -1000, 38800)


# --- the terms of a file ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("terms", "texts"), table("messages", "player", globals()))
def test_player(terms: Terms, texts: list[str]) -> None:
    """A player is named by seat and name, as far as they are known; two of the same name differ by their seats."""
    assert [Who(player).in_terms(terms) for player in range(len(texts))] == texts


@pytest.mark.parametrize(("name", "called"), table("messages", "hostile_names", globals()))
def test_hostile_names(name: str, called: str) -> None:
    """A name cannot break the line, control the terminal, hide, or fill the screen."""
    error = impossible("{player} draws", 0)
    assert error.in_terms(Terms((name,), dealer=0)) == f"East ({called}) draws"


def test_sticks() -> None:
    """Riichi sticks are counted as the file counts them."""
    assert [Sticks(3).in_terms(Terms(sticks=sticks)) for sticks in (str, "{}.0".format)] == ["3", "3.0"]


def test_parts() -> None:
    """A message may be a part of another, and braces in parts are just text."""
    inner = Message("from {source}, {text}", source=Who(3), text="{player}")
    message = Message("{player} takes {tile} {inner}", player=Who(1), tile="5m", inner=inner)
    assert str(message) == "player 1 takes 5m from player 3, {player}"
    assert message.in_terms(Terms(dealer=1)) == "East takes 5m from West, {player}"


def test_any_of() -> None:
    """Alternatives are given once each."""
    assert str(any_of([Points((1, 2)), Points((2, 1)), Points((1, 2))])) == "1,2 or 2,1"


def test_equal_parts() -> None:
    """Parts are equal if they are of the same kind and value."""
    assert Points(FOUR) == Points(FOUR)
    assert hash(Who(1)) == hash(Who(1))
    assert Points(1) != Results(1)
    assert Who(1) != 1


def test_errors_of_other_processes() -> None:
    """An error keeps its parts on the way from a worker."""
    error = pickle.loads(pickle.dumps(impossible("{player} draws", 2)))  # noqa: S301 - our own
    assert (type(error), str(error), error.in_terms(Terms(dealer=1))) == (PlayError, "player 2 draws", "South draws")


# --- the terms of each format ----------------------------------------------------------------------------------------

LOG = (FIXTURES / "valid" / "plain.xml").read_text(encoding="utf-8")
FORMATS = ("mjlog", "jmjp", "json", "tenhou6", "mjai", "majiang")


def as_format(log: str, name: str) -> bytes:
    """Return *log* in the format called *name*."""
    return log.encode() if name == "mjlog" else dumps(read_mjlog(log.encode()), name).encode()


def problems(content: bytes) -> list[str]:
    """Return the problems in *content*, without their places."""
    reasons: list[str] = []
    read(content, finding=lambda error: reasons.append(getattr(error, "reason", "")))
    return reasons


def named(*names: str) -> str:
    """Return the log with other names."""
    log = LOG
    for number, name in enumerate(names):
        log = re.sub(rf'n{number}="[^"]*"', f'n{number}="{quote(name)}"', log)
    return log


ACCEPTED = {
    "mjlog": ("<D123/>", "<D72/>"),
    "jmjp": ("(e,nw,tg)", "(e,nw,1s)"),
    "json": ('"player":0,"tile":123,"tsumogiri":true', '"player":0,"tile":72,"tsumogiri":false'),
    "tenhou6": ("[60,", "[31,"),
    "mjai": ('"dahai","actor":0,"pai":"N","tsumogiri":true', '"dahai","actor":0,"pai":"1s","tsumogiri":false'),
    "majiang": ('{"dapai":{"l":0,"p":"z4_"}}', '{"dapai":{"l":0,"p":"s1"}}'),
}


def broken(log: str, name: str) -> bytes:
    """Return *log* in a format, where the first dealer first discards a 1s that is not held."""
    old, new = ACCEPTED[name]
    text = as_format(log, name).decode()
    assert old in text
    return text.replace(old, new, 1).encode()


@pytest.mark.parametrize("name", FORMATS)
@pytest.mark.parametrize(("names", "east"), table("messages", "names_in_each_format", globals()))
def test_names_in_each_format(name: str, names: tuple[str, ...], east: str) -> None:
    """Every reader names the player by seat and name in its messages."""
    (reason,) = problems(broken(named(*names), name))
    assert reason.startswith(f"{east} does not hold tile ")


@pytest.mark.parametrize("name", ["mjlog", "json", "tenhou6", "mjai"])
def test_three_players(name: str) -> None:
    """With three players, the seat before the dealer is West."""
    text = (FIXTURES / "invalid" / "sanma.xml").read_text(encoding="utf-8")  # not for jmjp
    match = read_mjlog(text.encode())
    number = next(number for number, frame in enumerate(match.frames) if frame.start.dealer == 0)
    last = match.frames[number].start.name
    loaded = read_content(as_format(text, name), "", Reading(), lambda _: None)
    error = loaded.locate[0](MatchError(Message("{who}", who=Who(2)), frame=number, name=last))
    assert error.reason == "West (Aster)"


POINTS = {
    "mjlog": ("the payments 0,-123,133,0 do not", "the results add up to 0.1; 0 expected"),
    "jmjp": ("the payments 13.3,0.0,0.0,-12.3 do not", "the results add up to 0.1; 0 expected"),
    "json": ("the payments 0,-12300,13300,0 do not", "the results add up to 100; 0 expected"),
    "tenhou6": ("the payments 0,-12300,13300,0 do not", "the results add up to 0.1; 0 expected"),
    "majiang": ("the payments 13300,0,0,-12300 do not", "the results add up to 0.1; 0 expected"),
}


@pytest.mark.parametrize("name", POINTS)
def test_points_in_each_format(name: str, tmp_path: Path) -> None:
    """Every reader gives points in the unit and order of its format; all problems are in the order of the file."""
    log = LOG.replace('sc="210,-123,330,0,', 'sc="210,0,330,-123,').replace('owari="87,-41.0', 'owari="87,-40.9')
    path = tmp_path / "game"
    path.write_bytes(as_format(log, name))
    lines = CliRunner().invoke(main, ["check", "--json", "-q", str(path)]).stdout.splitlines()
    problems_ = [json.loads(line) for line in lines[:-1]]
    assert problems_[0]["reason"].startswith(POINTS[name][0])
    assert problems_[-1]["reason"] == POINTS[name][1]
    for problem in problems_:
        assert problem["line"] or problem["number"]
        assert (problem["line"] != 1) or problem["pointer"]


# --- the order of a file ---------------------------------------------------------------------------------------------


def at(line: int, pointer: str) -> PointerError:
    """Return an error at a value."""
    return PointerError("wrong", line=line, pointer=pointer)


@pytest.mark.parametrize("in_order", table("messages", "order", globals()))
def test_order(in_order: list[RecordError]) -> None:
    """Problems are in the order of their lines, columns, elements and values; those without a place come last."""
    mixed = [*in_order[1::2], *in_order[::2]]
    assert sorted(mixed, key=in_file) == in_order


def test_both_matches(tmp_path: Path) -> None:
    """The problems of a whole match are between those of its frames and those of the next match."""
    text = dumps(read_mjlog(LOG.encode()), "jmjp")
    bad = (
        text.replace("mtp[,,", "mtp[20110204,sun,")
        .replace("(e,nw,tg)", "(e,nw,1s)", 1)
        .replace("pme[-41.0", "pme[-40.9")
    )
    assert bad.count("sun") == bad.count("-40.9") == 1
    path = tmp_path / "both.jmjp"
    path.write_text(bad + bad.removeprefix("jmjp[1.0]\n"), encoding="utf-8")
    lines = CliRunner().invoke(main, ["check", "-q", str(path)]).stdout.splitlines()
    numbers = [int(line.removeprefix(str(path)).split(":")[1]) for line in lines]
    assert len(numbers) == 6
    assert numbers == sorted(numbers)
