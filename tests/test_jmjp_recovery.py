"""A file with several problems shows all of them, in order and up to a bound; one slip is one problem."""

from __future__ import annotations

import random
import re
from pathlib import Path

import pytest
from casefiles import refusals, sound
from effort import many
from hypothesis import given, settings
from hypothesis import strategies as st
from jmjp_texts import EAST, HEAD, frame

from jmjp_convert.errors import JmjpError, JmjpSyntaxError
from jmjp_convert.formats.jmjp.reader import read_jmjp
from jmjp_convert.model import Match
from jmjp_convert.model.record import replace

WRITTEN = sorted((Path(__file__).parent.parent / "fixtures" / "valid").glob("*.jmjp"))
TWO_PROBLEMS = {"sticks-that-do-not-follow", "tiles-that-share-a-suit", "honors-that-share-a-suit", "hand-word"}
"""The cases whose edit makes two problems: most of them make the same slip twice."""


def problems(text: str) -> tuple[list[str], list[Match]]:
    """Return all problems of *text*, and its matches; check that without *finding* the first is raised."""
    found: list[JmjpError] = []
    matches = read_jmjp(text.encode(), finding=found.append)
    if found:
        with pytest.raises(JmjpError) as raised:
            read_jmjp(text.encode())
        assert (str(raised.value), raised.value.more) == (str(found[0]), len(found) - 1)
    return [str(error).partition("line ")[2] for error in found], matches


def names(matches: list[Match]) -> list[list[str]]:
    """Return the names of the frames of each match."""
    return [[one.start.name for one in match.frames] for match in matches]


def test_one_slip() -> None:
    """One slip is one problem, whatever follows it: a syntax error alone, or a finding."""
    numbers = {name: problems_of_a_slip(case.content) for name, case in refusals("jmjp").items()}
    assert {name: number for name, number in numbers.items() if number != 1 + (name in TWO_PROBLEMS)} == {}


def problems_of_a_slip(content: bytes) -> int:
    """Return the number of problems in *content*, which has no others if it has a syntax error."""
    found: list[JmjpError] = []
    try:
        read_jmjp(content, finding=found.append)
    except JmjpSyntaxError:
        assert not found, content
        return 1
    return len(found)


TOKEN = re.compile(r"\w+|[\[\](),]")
SWAPPED = {"(": "[", "[": "(", ")": "]", "]": ")", ",": ";"}


@settings(max_examples=many(150))
@given(st.integers(0, 1 << 32))
def test_token(seed: int) -> None:
    """A word, bracket or comma that is missing, doubled or misspelt in a real file is at most one syntax error, and
    then there are no other problems."""
    dice = random.Random(seed)  # noqa: S311 - no secret
    text = dice.choice(WRITTEN).read_text(encoding="utf-8")
    token = dice.choice([*TOKEN.finditer(text)])
    other = dice.choice(["", 2 * token[0], "?", "x", SWAPPED.get(token[0], token[0].upper())])
    found: list[JmjpError] = []
    try:
        read_jmjp((text[: token.start()] + other + text[token.end() :]).encode(), finding=found.append)
    except JmjpSyntaxError as error:
        found.append(error)
    assert len(found) <= 1 or not any(isinstance(error, JmjpSyntaxError) for error in found)


def test_in_file_order() -> None:
    """Syntax errors and impossible plays come in the order of their places."""
    other = frame("(e,9m,4m)", name="E3-0")
    frames = f"{frame('(e,9m,4m)')}\n{frame('(e,9m,xx)', name='E2-0')}\n{other}"
    text = f"jmjp[1.0]\n({HEAD}\n{frames})\n({HEAD}\n{frame('(e,9,tg)')})"
    found, matches = problems(text)
    assert [line.partition(": ")[2].partition(":")[0] for line in found] == [
        *("in frame E1-0", "in frame E2-0", "in frame E3-0", "in frame E1-0")
    ]
    lines = [int(line.partition(",")[0]) for line in found]
    assert lines == sorted(lines)
    assert names(matches) == [["E1-0", "E3-0"], []]


def test_too_many() -> None:
    """A hundred syntax errors are reported; then the rest of the file is not read."""
    text = f"jmjp[1.0]\n({HEAD}\n" + "frm[E1-0,0,,,,,,]\n" * 100 + ")"
    assert len(problems(text)[0]) == 100
    found, _ = problems(text.replace(")", "frm[E1-0,0,,,,,,]\n" * 50 + ")"))
    assert len(found) == 101
    assert found[-1] == "103, column 10: more than 100 syntax errors; the rest is not read"


def test_plays_are_not_counted() -> None:
    """The bound is on syntax errors, not on impossible plays."""
    bad = frame("(e,9m,4m)")
    assert len(problems(f"jmjp[1.0]\n({HEAD}\n{bad * 150})")[0]) == 150


def test_cut(subtests: pytest.Subtests) -> None:
    """A file that is cut off anywhere has at most one syntax error."""
    for name, text in sound("jmjp").items():
        with subtests.test(name):
            content = text.rstrip()
            for end in range(len(content) // 3, len(content) - 1, 37):
                found: list[JmjpError] = []
                try:
                    read_jmjp(content[:end], finding=found.append)
                except JmjpSyntaxError as error:
                    found.append(error)
                assert len([error for error in found if isinstance(error, JmjpSyntaxError)]) <= 1


def test_cut_inside_an_act() -> None:
    """A file cut inside an act is rejected there, whatever acts precede it."""
    text = refusals("jmjp")["cut-in-an-act"].content.decode()
    expected = (
        "expected a discard, kan or tsumo: a tile, tg, kg, rc[tile], kk[tile], ak[tiles], tm or ')', found end of file"
    )
    for cut in (text, f"{text})(e,1m,9m)"):
        with pytest.raises(JmjpSyntaxError) as rejected:
            read_jmjp(cut.encode())
        assert str(rejected.value).endswith(expected) is (cut == text)


def test_white_space_means_nothing() -> None:
    """White space of any kind is allowed between any two characters outside strings."""
    text = f"jmjp[1.0]({HEAD}{frame('(e,9m,)', e=f'{EAST},9m')})"
    for space in (" ", "\n", "\r\n", "\t", "\u3000", "\x0c", "\u00a0", "//)\n", "// tenhou\n"):
        (spaced,), (plain,) = read_jmjp(space.join(text).encode()), read_jmjp(text.encode())
        # Comments in the play are notes.
        assert replace(spaced, frames=tuple(replace(one, notes=()) for one in spaced.frames)) == plain
