"""The files of jmjp: line ends, one line, several matches; `test_written.py` has what is in them."""

from __future__ import annotations

import re

import pytest
from expected import expecting
from tables import table
from test_round_trip import FULL, each_way

from jmjp_convert.convert import Writing, written
from jmjp_convert.formats.jmjp.notation import DIALECTS
from jmjp_convert.formats.jmjp.reader import read_jmjp
from jmjp_convert.formats.jmjp.writer import after, before, write_jmjp
from jmjp_convert.model import Match, Name, Player, PointRule, Recorder, RiichiAccepted, Rules, Text, Tournament
from jmjp_convert.model.record import replace

NOTHING = Match(Rules(), (Player(),) * 4, ())


@pytest.mark.parametrize("spec", ["0", "1.0", "1.0-beta"])
def test_compact(spec: str) -> None:
    """Compact text is the same in one line, without comments and indentation."""
    pretty = write_jmjp(FULL, spec=spec).splitlines()
    joined = "".join(line.strip() for line in pretty if not line.strip().startswith("//"))
    assert write_jmjp(FULL, spec=spec, compact=True) == f"{joined}\n"


@each_way
def test_lines(spec: str, *, compact: bool) -> None:
    """A file ends with one line feed and has no other line ends, tabs or trailing spaces."""
    text = write_jmjp(FULL, spec=spec, compact=compact)
    assert text.endswith(")\n")
    assert not re.search(r"[\r\t]| \n|\n\n", text)
    assert text.count("\n") == 1 or not compact


def test_several_matches() -> None:
    """The default is dialect 1.0 with line breaks; several matches share a header."""
    text = write_jmjp(iter([FULL, NOTHING]))
    assert text == write_jmjp(FULL, spec="1.0", compact=False) + write_jmjp(NOTHING).partition("\n")[2]
    assert write_jmjp([NOTHING, NOTHING], compact=True).count("\n") == 1


# --- the fields before and after the frames, written and read in each dialect -----------------------------------------


EMPTY = Match(Rules(red_fives=None), (Player(),) * 4, ())
NAME = Name(Text("姓", "Fam"), Text(None, "Giv"))
PLAYERS = ["ply[0,,,,]", "ply[1,,,,]", "ply[2,,,,]", "ply[3,,,,]"]

each_field = pytest.mark.parametrize(("match", "line"), table("jmjp_writer", "fields", globals()))


def bracketed(line: str, spec: str) -> str:
    """Return *line* with a dialect's brackets around names."""
    return line.replace("<", DIALECTS[spec].name[0]).replace(">", DIALECTS[spec].name[1])


@pytest.mark.parametrize("spec", DIALECTS)
@each_field
def test_both_ways(match: Match, line: str, spec: str) -> None:
    """A field is written in its place and read back, while all others stay empty."""
    lines = [*before(match, DIALECTS[spec]), *after(match)]
    usual = ["mtp[,,,]", *PLAYERS]
    expected = bracketed(line, spec)
    assert expected in lines
    length = len("ply[0") if expected.startswith("ply") else len("mtp[")
    assert [one for one in lines if one != expected] == [one for one in usual if one[:length] != expected[:length]]
    assert read_jmjp(write_jmjp(match, spec=spec).encode()) == [match]
    assert read_jmjp(write_jmjp(match, spec=spec, compact=True).encode()) == [match]


def test_tenpai_payment() -> None:
    """The tenpai payment is written only in 1.0-beta, and read under its header, which 1.0 shares."""
    match = replace(EMPTY, point_rule=PointRule(25000, 30000, (20000, 10000, -10000, -20000), 300, 3000))
    lines = {spec: next(line for line in before(match, DIALECTS[spec]) if line.startswith("ptr")) for spec in DIALECTS}
    short = "ptr[25.0,30.0,(20.0,10.0),0.3]"
    assert lines == {"0": short, "1.0": short, "1.0-beta": "ptr[25.0,30.0,(20.0,10.0),0.3,3.0]"}
    assert read_jmjp(write_jmjp(match, spec="1.0-beta").encode()) == [match]


def test_order() -> None:
    """All fields are written in the order of the standard."""
    full = replace(
        EMPTY,
        tournament=Tournament(),
        recorders=(Recorder(None),) * 2,
        point_rule=PointRule(100, 200, (300, 400, -400, -300), 500),
        results=(0,) * 4,
        tour_points=((None, None),) * 4,
    )
    words = [line[:3] for line in (*before(full, DIALECTS["1.0"]), *after(full))]
    assert words == ["tnm", "mtp", "rec", "rec", "ply", "ply", "ply", "ply", "ptr", "pme", "ptn"]


# --- what all dialects hold, or do not -------------------------------------------------------------------------------


held = expecting("jmjp")


@each_way
def test_nothing(spec: str, *, compact: bool) -> None:
    """An empty match is held in full."""
    assert held(EMPTY, spec=spec, compact=compact) == EMPTY


@each_way
def test_surrogate(spec: str, *, compact: bool) -> None:
    """A lone surrogate is replaced, so that the text can be encoded."""
    match = replace(EMPTY, place=Text("a\ud800"))
    assert held(match, spec=spec, compact=compact) == replace(EMPTY, place=Text("a\ufffd"))
    written([match], Writing(spec=spec, compact=compact), print)


@each_way
def test_empty_texts(spec: str, *, compact: bool) -> None:
    """A text in neither script is held as no text."""
    match = replace(EMPTY, place=Text(), players=(Player(team=Text(), affiliation=Text()), *EMPTY.players[1:]))
    assert held(match, spec=spec, compact=compact) == EMPTY


@each_way
def test_shared_objects(spec: str, *, compact: bool) -> None:
    """Accepted riichi are the same objects as those read back, so that comparing them takes no time."""
    (found,) = read_jmjp(write_jmjp([FULL], spec=spec, compact=compact).encode())
    alike = [
        (event, other)
        for frame, back in zip(held(FULL, spec=spec, compact=compact).frames, found.frames, strict=True)
        for event, other in zip(frame.events, back.events, strict=True)
        if isinstance(event, RiichiAccepted)
    ]
    assert alike
    assert all(event is other for event, other in alike)
