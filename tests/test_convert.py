"""Conversion to each output format."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from tables import table

from jmjp_convert.api import dumps, write
from jmjp_convert.checks.wall import verified_walls
from jmjp_convert.convert import Writing, written
from jmjp_convert.errors import FormatError
from jmjp_convert.formats import writable
from jmjp_convert.formats.format import Lost
from jmjp_convert.formats.jmjp.writer import write_jmjp
from jmjp_convert.formats.json.writer import write_json
from jmjp_convert.formats.loss_lines import loss_lines, short_loss_lines
from jmjp_convert.formats.majiang.writer import write_majiang
from jmjp_convert.formats.mjai.writer import write_mjai
from jmjp_convert.formats.mjlog.reader import read_mjlog
from jmjp_convert.formats.riichi_advanced.writer import write_riichi_advanced
from jmjp_convert.formats.tenhou6.writer import write_tenhou6
from jmjp_convert.model import Match, handle
from jmjp_convert.model.record import replace

FIXTURES = Path(__file__).parent.parent / "fixtures"
PLAIN = read_mjlog(FIXTURES / "valid" / "plain.xml")
THREE = read_mjlog(FIXTURES / "invalid" / "sanma.xml")


@pytest.mark.parametrize(
    ("writing", "expected"),
    [
        (Writing(), write_jmjp(PLAIN)),
        (Writing(spec="0", compact=True, verify=False), write_jmjp(PLAIN, spec="0", compact=True)),
        (Writing("json"), write_json(PLAIN)),
        (Writing("tenhou6"), write_tenhou6(PLAIN) + "\n"),
        (Writing("tenhou6", per_frame=True), write_tenhou6(PLAIN, per_frame=True)),
        (Writing("tenhou6", url=True), write_tenhou6(PLAIN, url=True)),
        (Writing("mjai"), write_mjai(PLAIN)),
        (Writing("majiang"), write_majiang(PLAIN).rstrip("\n") + "\n"),
        (Writing("riichi-advanced", frame="E2-0"), write_riichi_advanced(PLAIN, "E2-0", wall=None)),
        (
            Writing("riichi-advanced", frame="E2-0", config=True),
            write_riichi_advanced(PLAIN, "E2-0", wall=None, config=True),
        ),
    ],
    ids=lambda value: "-".join(map(str, value.output_options.values())) if isinstance(value, Writing) else "",
)
def test_text(writing: Writing, expected: str) -> None:
    """Each format is the text of its writer, and ends with a line feed."""
    assert written([PLAIN], writing, lambda _: None).content.decode() == expected
    assert expected.endswith("\n")


ONE_EACH = [Writing("tenhou6"), Writing("mjai"), Writing("riichi-advanced", frame="E1-0")]
TOGETHER = [Writing(), Writing("json"), Writing("tenhou6", per_frame=True), Writing("tenhou6", url=True)]


@pytest.mark.parametrize("writing", TOGETHER, ids=lambda writing: writing.suffix)
def test_several(writing: Writing) -> None:
    """Several matches go into one file if the format has lines for each."""
    first, both = (written([PLAIN] * number, writing, lambda _: None).content.decode() for number in (1, 2))
    head = first.index("\n") + 1 if writing.to == "jmjp" else 0
    assert both == first + first[head:]


@pytest.mark.parametrize("writing", ONE_EACH, ids=lambda writing: writing.suffix)
def test_one_each(writing: Writing) -> None:
    """Other formats allow exactly one match per file."""
    with pytest.raises(FormatError) as refused:
        written([PLAIN, PLAIN], writing, lambda _: None)
    assert (
        str(refused.value) == f"2 matches cannot go into one {writing.to} file; use a directory to write one file each"
    )


@pytest.mark.parametrize("writing", [*TOGETHER, *ONE_EACH], ids=lambda writing: writing.suffix)
def test_no_matches(writing: Writing) -> None:
    """No format has a file without matches."""
    with pytest.raises(FormatError, match=r"^no matches to write$"):
        written([], writing, lambda _: None)


def test_notice() -> None:
    """What a format leaves out or rewords is passed to *notice*, as the command reports it."""
    notices: list[str] = []
    assert dumps(PLAIN, "mjai", notice=notices.append) == dumps(PLAIN, "mjai")
    assert notices[0].startswith("mjai leaves out: log file name, ")


def test_extension(tmp_path: Path) -> None:
    """The extension decides the format; one that no format to write has, or another format than
    *to*, is an error, and none at all means jmjp."""
    write(PLAIN, tmp_path / "a.mjson")
    assert (tmp_path / "a.mjson").read_text(encoding="utf-8") == dumps(PLAIN, "mjai")
    write(PLAIN, tmp_path / "a")
    assert (tmp_path / "a").read_text(encoding="utf-8") == dumps(PLAIN)
    with pytest.raises(FormatError, match=r"a\.json: unknown extension \.json; name the format with to=$"):
        write(PLAIN, tmp_path / "a.json")
    with pytest.raises(FormatError, match=r"a\.xml: jmjp cannot write mjlog \(a\.xml\); name another format with to=$"):
        write(PLAIN, tmp_path / "a.xml")
    contradiction = r"a\.JMJP: a\.JMJP has the extension of jmjp, not of mjai; leave out to=, or change the extension$"
    with pytest.raises(FormatError, match=contradiction):
        write(PLAIN, tmp_path / "a.JMJP", "mjai")
    assert sorted(path.name for path in tmp_path.iterdir()) == ["a", "a.mjson"]


ODD = 'A\u2028B\u0085C\x7f</script>"\\'


@pytest.mark.parametrize(
    "writing",
    [writing for writing in (*TOGETHER, *ONE_EACH) if writing.to != "jmjp"],
    ids=lambda writing: writing.suffix,
)
def test_lines(writing: Writing) -> None:
    """Outside jmjp, a line is a single line to every reader, whatever a name contains."""
    match = replace(PLAIN, players=(replace(PLAIN.players[0], full_name=handle(ODD)), *PLAIN.players[1:]))
    text = written([match], writing, lambda _: None).content.decode()
    assert text.splitlines() == text.split("\n")[:-1]


@pytest.mark.parametrize("writing", [*TOGETHER[2:], *ONE_EACH], ids=lambda writing: writing.suffix)
def test_no_frames(writing: Writing) -> None:
    """A match without frames is rejected in one line."""
    with pytest.raises(FormatError, match=r"(without frames|there is no frame)"):
        written([replace(PLAIN, frames=())], writing, lambda _: None)


@pytest.mark.parametrize("name", [format_.name for format_ in writable()])
def test_three_players(name: str) -> None:
    """A three-player game is written where the format allows it, and otherwise rejected in one line."""
    options_: dict[str, Any] = {"frame": "E1-0"} if name == "riichi-advanced" else {}
    writing = Writing(name, **options_)
    if 3 in writing.format.players:
        assert written([THREE], writing, lambda _: None).content.decode()
    else:
        with pytest.raises(FormatError) as refused:
            written([THREE], writing, lambda _: None)
        assert str(refused.value) == f"{name} cannot hold three-player games"


@pytest.mark.parametrize("verify", [True, False])
def test_json_verified(monkeypatch: pytest.MonkeyPatch, *, verify: bool) -> None:
    """JSON is read back and compared before it is written, unless disabled."""
    changed = write_json(PLAIN).replace('"Kaede"', '"Maple"')
    monkeypatch.setattr("jmjp_convert.formats.json.writer.write_json", lambda _: changed)
    writing = Writing("json", verify=verify)
    if not verify:
        assert written([PLAIN], writing, print).content.decode() == changed
        return
    with pytest.raises(
        FormatError, match=r"internal error, report it: the output reads back differently: match\[0\]\.players\[0\]"
    ):
        written([PLAIN], writing, print)


def test_wall(seeded_log: str) -> None:
    """The wall sets up the frame for Riichi Advanced; a missing wall is reported."""
    match = read_mjlog(seeded_log.encode())
    (wall,) = verified_walls(match)
    writing = Writing("riichi-advanced", frame="E1-0")
    file = written([match], writing, print)
    assert file.content.decode() == write_riichi_advanced(match, "E1-0", wall=wall)
    assert [loss.otherwise for loss in file.lost()] == [()]


NO_WALL = "wall unknown: no shuffle seed or wall is recorded"
UNSEEN = "unknown tiles replaced by leftover ones: 57 to draw, 12 in the dead wall"
"""13 of the 70 live tiles are drawn; a dora and an ura dora indicator of the 14 in the dead wall are shown."""


def _match_of_jmjp() -> Match:
    from jmjp_convert.formats.jmjp.reader import read_jmjp

    (match,) = read_jmjp(write_jmjp(PLAIN).encode())
    return match


WHOLE = "log file name, {}{}target and uma, place, recorders, {}dice, "
TILES = "exact tile copies, deal order"
NO_LIMIT_FU = "fu of limit hands left out"
WHOLE_RATING = "ratings rounded down to whole numbers"
DEALT = "all other hands, the play, match data other than the rules"
ALL_PLAYERS = ("lobby, ", "ranks, ratings, sex, ")
NUMBER = "Tenhou rules number, "
FRAMES = WHOLE.format("", *ALL_PLAYERS)
MJAI = WHOLE.format(NUMBER, *ALL_PLAYERS)
MAJIANG = WHOLE.format("", "lobby, ", "sex, ")


@pytest.mark.parametrize(("writing", "of_log", "of_jmjp"), table("convert", "losses", globals()))
def test_losses(writing: Writing, of_log: tuple[str, list[str]], of_jmjp: tuple[str, list[str]]) -> None:
    """What is left out is one line, and each change one line, for a log and for jmjp."""
    for match, (phrases, clauses) in ((PLAIN, of_log), (_match_of_jmjp(), of_jmjp)):
        (lost,) = written([match], writing, print).lost()
        assert ", ".join(lost.left_out) == phrases
        assert list(lost.otherwise) == clauses
        listed = ", ".join(lost.left_out + lost.usual)
        line = [f"{writing.to} leaves out: {listed}"] if listed else []
        assert list(loss_lines(writing.to, [lost, lost])) == line + [f"{writing.to}: {clause}" for clause in clauses]


@pytest.mark.parametrize(("left_out", "changed", "lines"), table("convert", "losses_in_short"))
def test_losses_in_short(left_out: int, changed: int, lines: list[str]) -> None:
    """More than three details are counted instead of listed, each once for all games."""
    lost = Lost(tuple(map(str, range(left_out))), tuple(f"change {number}" for number in range(changed)))
    assert list(short_loss_lines("mjai", [lost, lost])) == lines


def test_losses_of_jmjp() -> None:
    """Changes in jmjp are reported in lines of their own."""
    (lost,) = written([PLAIN], Writing(compact=True), print).lost()
    (line,) = short_loss_lines("jmjp", [lost])
    assert line.startswith("--compact writes no comments: ")
    assert (lost.left_out, lost.otherwise) == ((), (line,))


def test_usual_losses() -> None:
    """What jmjp leaves out of nearly every log is in the full list, and not in the short one."""
    (lost,) = written([PLAIN], Writing(), print).lost()
    assert list(short_loss_lines("jmjp", [lost])) == []
    assert list(loss_lines("jmjp", [lost])) == ["jmjp leaves out: exact tile copies, deal order, hands shown at draws"]


def test_output_options() -> None:
    """The output options of a `Writing` are only those that affect the output."""
    options = {"spec": "1.0", "compact": False, "wall": False, "anonymous": False}
    assert Writing(verify=False).output_options == {"to": "jmjp", **options}
    assert Writing("tenhou6", url=True).output_options == {
        "to": "tenhou6",
        "per_frame": False,
        "url": True,
        "raise_points": False,
        "wall": False,
        "anonymous": False,
    }
