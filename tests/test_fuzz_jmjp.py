"""Fuzzing the jmjp reader: any text is read or rejected, however long."""

from __future__ import annotations

import random
import re
from pathlib import Path

import pytest
from docs_grammar import sentence
from effort import many
from expected import expecting
from growing import file, play
from hypothesis import given, settings
from hypothesis import strategies as st
from tables import table

from jmjp_convert.errors import JmjpError
from jmjp_convert.formats.jmjp import lexer as script
from jmjp_convert.formats.jmjp.notation import DIALECTS
from jmjp_convert.formats.jmjp.reader import read_jmjp
from jmjp_convert.formats.jmjp.writer import write_jmjp
from jmjp_convert.formats.mjlog.reader import read_mjlog
from jmjp_convert.model import Match
from jmjp_convert.model.record import replace

held = expecting("jmjp")

VALID = Path(__file__).parent.parent / "fixtures" / "valid"

fuzz = settings(max_examples=many(125))


# --- all of the grammar ----------------------------------------------------------------------------------------------


@fuzz
@given(st.integers(0, 1 << 32), st.sampled_from(list(DIALECTS)))
def test_grammar(seed: int, spec: str) -> None:
    """A file that the grammar allows is parsed, and all errors are impossible plays in a frame."""
    text = sentence(seed, spec, plays=True)
    found: list[JmjpError] = []
    matches = read_jmjp(text.encode(), finding=found.append)
    assert matches
    assert len(found) <= 5 * sum(len(match.frames) for match in matches)
    if found:
        assert all(error.frame for error in found)
        if '\\"' in text:  # it may be read in two ways
            return
        with pytest.raises(JmjpError, match=rf"^{re.escape(str(found[0]))}$"):
            read_jmjp(text.encode())
    else:
        assert read_jmjp(text.encode()) == matches


@fuzz
@given(seed=st.integers(0, 1 << 32), spec=st.sampled_from(list(DIALECTS)), compact=st.booleans())
def test_heads_come_back(seed: int, spec: str, *, compact: bool) -> None:
    """Everything but the play of any file reads back as the dialect holds it."""
    matches = read_jmjp(sentence(seed, spec, plays=False).encode())
    text = write_jmjp(matches, spec=spec, compact=compact)
    assert read_jmjp(text.encode()) == [held(match, spec=spec, compact=compact) for match in matches]


# --- white space and comments ----------------------------------------------------------------------------------------

NAMES = ("plain", "names-quotes", "kakan", "triple-ron", "ankan-red", "riichi-karagiri", "names-comment-marks")
LOGS = [read_mjlog(VALID / f"{name}.xml") for name in NAMES]
COMPACT = {spec: [write_jmjp(log, spec=spec, compact=True) for log in LOGS] for spec in DIALECTS}
SPACES = [" ", "\n", "\t", "\r\n", "\u3000", "\x0b", "\u2028", "  \n  "]
COMMENTS = [
    *("//\n", "// x\r", '// "\n', "///*\r\n", "// ]),\n", '//\\"\\\n'),
    *("// (e,1m,tg)\n", "//tenhou bye player=0\n"),
]


def spaced(text: str, between: list[str], dice: random.Random, often: float) -> str:
    """Return *text* with pieces of *between* inserted outside strings, with the probability *often*."""
    pieces: list[str] = []
    inside = False
    for place, character in enumerate(text):
        if not inside and dice.random() < often:
            pieces.append(dice.choice(between))
        pieces.append(character)
        if character == '"' and not (inside and text[place - 1] == "\\"):
            inside = not inside
    return "".join([*pieces, dice.choice(between)])


@settings(max_examples=many(60))
@given(st.integers(0, 1 << 32), st.sampled_from(list(DIALECTS)), st.sampled_from([0.01, 0.3, 1.0]))
def test_spaced(seed: int, spec: str, often: float) -> None:
    """White space, and comments from 1.0 on, between any two characters outside strings change nothing but notes."""
    dice = random.Random(seed)  # noqa: S311 - no secret
    between = SPACES + (COMMENTS if DIALECTS[spec].comments else [])
    text = dice.choice(COMPACT[spec])
    found = read_jmjp(spaced(text, between, dice, often).encode())
    assert [*map(without_notes, found)] == [*map(without_notes, read_jmjp(text.encode()))]


def without_notes(match: Match) -> Match:
    """Return *match* without the comments in its play."""
    return replace(match, frames=tuple(replace(frame, notes=()) for frame in match.frames))


# --- size ------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("text", "message"), table("fuzz_jmjp", "very_long", globals()))
def test_very_long(text: str, message: str) -> None:
    """Very long lines and deep brackets are rejected at the first wrong character."""
    with pytest.raises(JmjpError) as rejected:
        read_jmjp(text.encode())
    assert str(rejected.value) == message
    assert len(rejected.value.text) <= 81


def test_very_many_comments(monkeypatch: pytest.MonkeyPatch) -> None:
    """Two hundred thousand comments are read; more than the maximum, which no game reaches, are rejected."""
    text = file(play(""), "//\n" * 200_000).encode()
    (match,) = read_jmjp(text)
    assert len(match.frames) == 1
    monkeypatch.setattr(script, "_MOST", 100_000)
    with pytest.raises(JmjpError, match=r"^line 100001, column 3: more than 100,000 strings and comments$"):
        read_jmjp(text)


def test_very_many_strings_and_comments(monkeypatch: pytest.MonkeyPatch) -> None:
    """Strings and comments count together; the error is at the end of the first one beyond the maximum."""
    monkeypatch.setattr(script, "_MOST", 4)
    for text, place in (
        ('""//"\n"//"//\n"\\""', "line 3, column 5"),
        ('//\n"//"//"\n"\n"//\n""', "line 4, column 4"),
        ('"a"//\n//"\n"b"//\n"', "line 3, column 6"),
    ):
        with pytest.raises(JmjpError, match=f"^{place}: more than 4 strings and comments$"):
            read_jmjp(text.encode())


def test_very_many_acts() -> None:
    """A hundred thousand acts in one frame are rejected."""
    text = file(play("(e,uk,tg)(s,uk,tg)(w,uk,tg)(n,uk,tg)" * 25_000))
    place = text.index("(e,uk,tg)") + 1
    message = f"line 1, column {place}: in frame E1-0: the acts of a frame exceed 65,536 characters"
    with pytest.raises(JmjpError) as rejected:
        read_jmjp(text.encode())
    assert str(rejected.value) == message
