"""Notes in jmjp: comments among the acts, with their places in the play."""

from __future__ import annotations

import json
from collections.abc import Callable
from itertools import chain
from pathlib import Path

import pytest
from tables import table

from jmjp_convert.errors import FormatError, JsonError
from jmjp_convert.formats.jmjp.holding import holding
from jmjp_convert.formats.jmjp.reader import read_jmjp
from jmjp_convert.formats.jmjp.writer import write_jmjp
from jmjp_convert.formats.json.reader import read_json
from jmjp_convert.formats.json.writer import write_json
from jmjp_convert.model import PLAYS, Match, Note
from jmjp_convert.model.record import replace

PLAIN = Path(__file__).parent.parent / "fixtures" / "valid" / "plain.jmjp"


def plain() -> str:
    """Return the text of an ordinary game."""
    return PLAIN.read_text(encoding="utf-8")


def noted(*notes: Note) -> Match:
    """Return an ordinary game with *notes* in its first frame."""
    (match,) = read_jmjp(plain().encode())
    first, *others = match.frames
    return replace(match, frames=(replace(first, notes=notes), *others))


@pytest.mark.parametrize(("part", "after"), table("jmjp_notes", "places"))
def test_places(part: str, after: int) -> None:
    """A comment among the acts is a note after what stands before it; what it says changes nothing else."""
    text = plain().replace(part, f'{part}// why "not"?\n', 1)
    (match,) = read_jmjp(text.encode())
    assert match == noted(Note(after, 'why "not"?'))


def test_comments_elsewhere() -> None:
    """Comments outside the play, and empty ones in it, are no notes."""
    text = plain().replace("(e,nw,tg)", "//\n// \t\n(e,nw,tg)").replace("frm[E2-0", "// later\nfrm[E2-0")
    (match,) = read_jmjp(f"{text}// the end".encode())
    assert match == noted()


@pytest.mark.parametrize("text", ["plain", "tenhou id=1", "/ three", '"quoted" \\', "牌 　効率", "tenhou"])
@pytest.mark.parametrize("after", [0, 1, 2, 12, 28])
def test_round_trip(after: int, text: str) -> None:
    """Notes are written at their places, and read back, whatever they say; in JSON too."""
    match = noted(Note(after, text), Note(after, "again"))
    assert read_jmjp(write_jmjp(match).encode()) == [match]
    assert list(read_json(write_json(match).encode())) == [match]


def test_every_place_of_every_game(expectations: list[Path]) -> None:
    """A note may stand after every play of any game."""
    for match in chain.from_iterable(map(read_jmjp, expectations)):
        frames = [
            replace(frame, notes=tuple(Note(place, f"{place}") for place in range(plays + 1)) if plays else ())
            for frame in match.frames
            for plays in (sum(type(event) in PLAYS for event in frame.events),)
        ]
        full = replace(match, frames=tuple(frames))
        assert read_jmjp(write_jmjp(full).encode()) == [holding().expected(full)]


def test_without_comments() -> None:
    """Without comments, in dialect 0 and with --compact, notes are left out, and reported."""
    for options in ({"spec": "0"}, {"compact": True}):
        assert "notes in the play" in holding(**options).lost(noted(Note(1, "why"))).left_out
        assert "//" not in write_jmjp(noted(Note(1, "why")), **options)


@pytest.mark.parametrize(("notes", "reason"), table("jmjp_notes", "invalid"))
def test_invalid(notes: list[dict[str, object]], reason: str) -> None:
    """Notes in JSON are lines, in order, within the play."""
    lines = [json.loads(line) for line in write_json(noted()).splitlines()]
    next(line for line in lines if line["type"] == "end_frame")["notes"] = notes
    with pytest.raises(JsonError, match=reason):
        list(read_json("\n".join(map(json.dumps, lines)).encode()))


@pytest.mark.parametrize("text", ["", " ", " a", "a ", "a\nb", "a\x07", "a\u2028b", "\ud800"])
def test_no_text(text: str) -> None:
    """What is no line of text is no note, from the beginning."""
    with pytest.raises(ValueError, match=r"^the text of a note is ") as refused:
        Note(1, text)
    said = "expected one line of text, without control characters or white space at its ends"
    assert str(refused.value) == f"the text of a note is {text!r}; {said}"


def test_no_moment() -> None:
    """A note cannot be before the play."""
    with pytest.raises(ValueError, match=r"^a note is after play -1; expected 0 or more$"):
        Note(-1, "a")


@pytest.mark.parametrize("write", [write_jmjp, write_json])
def test_misplaced(write: Callable[[Match], str]) -> None:
    """Notes that are out of order, or after the end of the play, are refused before anything is written."""
    for notes, why in (
        ((Note(3, "a"), Note(2, "b")), "the notes are not in the order of the play"),
        ((Note(29, "a"),), "a note is after play 29, but the frame has 28"),
    ):
        with pytest.raises(FormatError) as refused:
            write(noted(*notes))
        assert str(refused.value) == f"frame E1-0: {why}"
