"""Verification: a text that does not read back as its match is not written."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest
from casefiles import blocks, content
from click.testing import CliRunner, Result
from expected import expecting

from jmjp_convert.cli import main
from jmjp_convert.errors import FormatError
from jmjp_convert.formats.jmjp.reader import read_jmjp
from jmjp_convert.formats.jmjp.writer import write_jmjp
from jmjp_convert.formats.mjlog.reader import read_mjlog
from jmjp_convert.formats.roundtrip import prove
from jmjp_convert.model import Match
from jmjp_convert.model.record import replace

held = expecting("jmjp")

FIXTURES = Path(__file__).parent.parent / "fixtures"
PLAIN = FIXTURES / "valid" / "plain.xml"
WRONG = "internal error, report it: the output reads back differently: "


def plain() -> Match:
    """Return the match of a log."""
    return read_mjlog(PLAIN)


def fault(text: str, *matches: Match, spec: str = "1.0", compact: bool = False) -> str:
    """Return the difference that the verification of *text* finds from *matches*."""
    with pytest.raises(FormatError) as rejected:
        prove(text.encode(), [held(match, spec=spec, compact=compact) for match in matches], read_jmjp)
    said = str(rejected.value)
    assert said.startswith(WRONG)
    return said.removeprefix(WRONG)


def test_right_text() -> None:
    """A text that reads back as its match is accepted."""
    prove(write_jmjp(plain()).encode(), [held(plain(), spec="1.0", compact=False)], read_jmjp)


# --- wrong texts -----------------------------------------------------------------------------------------------------

CHANGES = {block.name: block for block in blocks(FIXTURES / "jmjp" / "differences.txt", "case")}


@pytest.mark.parametrize("name", CHANGES)
def test_change(name: str) -> None:
    """A text with one change is reported with the field, or with the place if it does not parse."""
    *lines, last = CHANGES[name].lines
    text = content(CHANGES[name]._replace(lines=lines), {"plain": write_jmjp(plain()).encode()})
    assert f"differs: {fault(text.decode(), plain())}".startswith(last)


def test_other_matches() -> None:
    """A text of more, fewer or other matches is reported."""
    one, two = plain(), replace(plain(), source="b")
    text = write_jmjp([one, two])
    assert fault(text, one).startswith("match[1] is <Match tenhou: Kaede, ")
    assert fault(text, one, two, two) == "2 matches; 3 expected"
    assert fault(text, two, one) == "match[0].source is 'plain.xml'; 'b' expected"


def test_comments_where_there_are_none() -> None:
    """A pretty text does not pass as a compact one, which has no comments, nor the reverse."""
    assert fault(write_jmjp(plain()), plain(), compact=True).startswith(
        "match[0].rules.red_fives is RedFives(man=1, pin=1, sou=1); None"
    )
    assert fault(write_jmjp(plain(), compact=True), plain()).startswith(
        "match[0].rules.red_fives is None; RedFives(man=1, pin=1, sou=1)"
    )


def test_long_values_are_cut() -> None:
    """Each of the two values is reported in at most 200 characters."""
    match = replace(plain(), source="x" * 5000)
    text = write_jmjp(replace(match, source="y" * 5000))
    assert fault(text, match) == f"match[0].source is '{'y' * 199}; '{'x' * 199} expected"


# --- the command -----------------------------------------------------------------------------------------------------


@pytest.fixture
def work(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Work in a directory of two logs."""
    shutil.copy(PLAIN, tmp_path / "log.xml")
    shutil.copy(FIXTURES / "valid" / "chi-low.xml", tmp_path / "other.xml")
    monkeypatch.chdir(tmp_path)
    return tmp_path


def convert(*args: str) -> Result:
    """Run `jmjp convert` with *args*."""
    return CliRunner().invoke(main, ["convert", *args])


def write_wrongly(matches: list[Match], *, spec: str, compact: bool) -> str:
    """Write the log called `log.xml` with a wrong name."""
    head, mark, rest = write_jmjp(matches, spec=spec, compact=compact).partition("source=log.xml")
    return head + mark + rest.replace("Kaede", "Kaedo")


SAID = f"{WRONG}match[0].players[0].full_name.family.native is 'Kaedo'; 'Kaede' expected"


@pytest.mark.parametrize("output", [[], ["-o", "x.jmjp"], ["-o", "out/"], ["-o", "-"]])
def test_mismatch_is_not_written(work: Path, monkeypatch: pytest.MonkeyPatch, output: list[str]) -> None:
    """A log whose text reads back differently fails with one line, and nothing is written."""
    monkeypatch.setattr("jmjp_convert.formats.jmjp.writer.write_jmjp", write_wrongly)
    result = convert("log.xml", *output)
    assert (result.exit_code, result.stdout, result.stderr) == (1, "", f"error: log.xml: {SAID}\n")
    assert sorted(path.name for path in work.iterdir()) == ["log.xml", "other.xml"]


@pytest.mark.usefixtures("work")
def test_joined(monkeypatch: pytest.MonkeyPatch) -> None:
    """Several logs for one file are verified together."""
    monkeypatch.setattr("jmjp_convert.formats.jmjp.writer.write_jmjp", write_wrongly)
    result = convert("other.xml", "log.xml", "-o", "both.jmjp")
    assert (result.exit_code, result.stderr) == (1, f"error: {SAID.replace('match[0]', 'match[1]')}\n")
    assert not Path("both.jmjp").exists()
