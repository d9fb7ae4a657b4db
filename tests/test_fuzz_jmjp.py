"""Fuzzing the jmjp reader: any text is read or rejected, in time linear in its length."""

from __future__ import annotations

import random
import re
import time
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

import pytest
from docs_grammar import sentence
from effort import many
from expected import expecting
from fuzzing.judges import check_place
from hypothesis import given, settings
from hypothesis import strategies as st

from jmjp_convert.errors import FileError, JmjpError
from jmjp_convert.formats.jmjp import lexer as script
from jmjp_convert.formats.jmjp.notation import DIALECTS
from jmjp_convert.formats.jmjp.reader import read_jmjp
from jmjp_convert.formats.jmjp.writer import write_jmjp
from jmjp_convert.formats.mjlog.reader import read_mjlog
from jmjp_convert.model import Match
from jmjp_convert.model.record import replace
from jmjp_convert.model.tiles import FACES

held = expecting("jmjp")

VALID = Path(__file__).parent.parent / "fixtures" / "valid"

fuzz = settings(max_examples=many(125))


def errors_in(content: bytes) -> list[JmjpError]:
    """Read *content*, which may be wrong in any way; return all errors found."""
    found: list[JmjpError] = []
    try:
        read_jmjp(content, finding=found.append)
    except JmjpError as rejected:
        found.append(rejected)
    except FileError:
        pass
    for error in found:
        check_place(error)
    return found


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


# --- changed output --------------------------------------------------------------------------------------------------

CORPUS = [path.read_bytes() for path in sorted(VALID.glob("*.jmjp"))]
"""The expected outputs of all valid logs."""


def lines_edited(text: bytes, dice: random.Random) -> bytes:
    """Return *text* with lines swapped or a tile replaced, so that mostly the grammar holds but not the play."""
    lines = text.split(b"\n")
    first, second = sorted(dice.choices(range(len(lines)), k=2))
    if dice.random() < 0.5:
        lines[first], lines[second] = lines[second], lines[first]
        return b"\n".join(lines)
    tile, other = dice.choice(FACES).encode(), dice.choice([*FACES, "uk"]).encode()
    lines[first:second] = [line.replace(tile, other, 1) for line in lines[first:second]]
    return b"\n".join(lines)


@settings(max_examples=many(1000))
@given(st.integers(0, 1 << 32))
def test_changed_play(seed: int) -> None:
    """Real output with tiles or lines exchanged is read or rejected, and every error has a place in it."""
    dice = random.Random(seed)  # noqa: S311 - no secret
    errors_in(lines_edited(dice.choice(CORPUS), dice))


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


# --- time ------------------------------------------------------------------------------------------------------------

HEAD = "mtp[,,,]ply[0,,,,]ply[1,,,,]ply[2,,,,]ply[3,,,,]"
DEAL = "".join(f"({seat},hnd[{'uk' * 13},,])" for seat in "eswn")
BAD = f"frm[E1-0,,,,,{DEAL}(s,uk,tg){DEAL},,]"
BYE = "// tenhou bye player=0\n"


def file(*frames: str, version: str = "1.0") -> str:
    """Return a match of *frames*."""
    return f"jmjp[{version}]({HEAD}{''.join(frames)})"


def play(acts: str) -> str:
    """Return a frame of *acts*."""
    return f"frm[E1-0,,,,,{DEAL}{acts}{DEAL},,]"


LONG: dict[str, Callable[[int], str]] = {
    "spaces": lambda n: " " * 50 * n,
    "lines": lambda n: file("\n" * 20 * n),
    "a word": lambda n: "jmjp[" + "1" * 50 * n,
    "a line": lambda n: file("x" * 50 * n),
    "a string": lambda n: file(f'frm[E1-0,,,,,,,snt["{"天" * 20 * n}"]]'),
    "an unterminated string": lambda n: file(f'frm[E1-0,,,,,,,snt["{"x" * 50 * n}'),
    "quotes": lambda n: file('"' * 4 * n),
    "escaped quotes": lambda n: file(f'frm[E1-0,,,,,,,snt["{chr(92)}"' * 4 * n),
    "backslashes": lambda n: file(f'frm[E1-0,,,,,,,snt["{chr(92) * 50 * n}"]]'),
    "slashes": lambda n: file("/" * 50 * n),
    "comments": lambda n: file("//\n" * 4 * n),
    "comments at the end": lambda n: file() + "// x\n" * 4 * n,
    "round brackets": lambda n: "jmjp[1.0]" + "(" * 20 * n,
    "hands in hands": lambda n: file("frm[E1-0,,,,,", "(e,hnd[" * 4 * n),
    "frames in frames": lambda n: file("frm[E1-0,,,,,,," * 4 * n),
    "matches in matches": lambda n: "jmjp[1.0]" + f"({HEAD}" * n,
    "digits": lambda n: file(f"frm[E1-{'1' * 50 * n}"),
    "points": lambda n: file("frm[E1-0,,,pfs[" + "1" * 50 * n),
    "tiles": lambda n: file("frm[E1-0,,,," + "1m" * 20 * n),
    "tiles of a hand": lambda n: file("frm[E1-0,,,,,(e,hnd[" + "1m" * 20 * n),
    "melds of a hand": lambda n: file(f"frm[E1-0,,,,,{DEAL}(e,hnd[1m,,{'chi[1m,2m3m]' * 4 * n}"),
    "recorders": lambda n: f"jmjp[1.0](mtp[,,,]{'rec[,]' * 4 * n}",
    "frames recorded": lambda n: f"jmjp[1.0](mtp[,,,]rec[,{'E1-0' * 4 * n}",
    "frames": lambda n: file("frm[E1-0,,,,,,,]" * n),
    "matches": lambda n: "jmjp[1.0]" + f"({HEAD})" * n,
    "acts": lambda n: file(play("(e,1m,2m)(s,3m,4m)(w,5m,tg)(n,uk,tg)" * n)),
    "acts of one": lambda n: file(play("(e,uk,tg)" * 4 * n)),
    "draws": lambda n: file(play("(e,uk,)" * 4 * n)),
    "riichi": lambda n: file(play("(e,uk,rc[1m])(s,uk,rc[1m])" * 2 * n)),
    "pons": lambda n: file(play("(e,uk,1m)" + "(s,pn[1m1m],1m)(w,pn[1m1m],1m)" * 2 * n)),
    "kans": lambda n: file(play("(e,uk,ak[1m1m1m1m])" + "(e,rs[1m],ak[1m1m1m1m])" * 2 * n)),
    "unterminated acts": lambda n: file("frm[E1-0,,,,," + DEAL + "(e,1m,2m)" * 4 * n),
    "comments between acts": lambda n: file(play("(e,1m,2m)\n//x\n" * 2 * n)),
    "byes between acts": lambda n: file(play(f"(e,uk,tg)\n{BYE}(s,uk,tg)" * n)),
    "byes before the first frame": lambda n: file(f"\n{BYE}" * n),
    "slips in acts": lambda n: file(play("(e,1M,2m)" * 4 * n)),
    "slips in hands": lambda n: file(f"frm[E1-0,,,,,{'(E,hnd[1m,,])' * 4 * n}"),
    "slips in frames": lambda n: file("frm[e1-0,,,,,,,]" * n),
    "slips in matches": lambda n: "jmjp[1.0]" + "(mtp[,,,]ply[0,,,,]frm[E1-0,,,,,,,])" * n,
    "one slip before acts": lambda n: file(f"frm[E1-0,x,,,,{DEAL}" + "(e,1m,2m)" * 4 * n),
    "one slip before frames": lambda n: file("frm[x]" + "frm[E1-0,,,,,,,]" * n),
    "one slip before brackets": lambda n: file("frm[x]" + ")(" * 20 * n),
    "one slip before hands": lambda n: file("frm[E1-0,x" + ")(e,hnd[" * 4 * n),
    "one slip before melds": lambda n: file("frm[E1-0,x)(e,hnd[1m,," + "chi[1m,2m3m]" * 4 * n),
    "one slip before players": lambda n: "jmjp[1.0](mtp[x" + "ply[0,,,,]" * 4 * n,
    "a missing quote": lambda n: file(f'frm[E1-0,,,,,,,snt[a"]]{chr(10)}' + 'frm[E1-0,0,,,,,,snt["b"]]' * n),
    "chips": lambda n: file(play(f"\n// tenhou chips={'1,' * 20 * n}1\n(e,uk,tm)")),
}
"""Texts whose length grows with a number, each of one thing that a file may repeat."""

SLOW: dict[str, tuple[int, Callable[[int], str]]] = {
    "rons": (200, lambda n: file(play("(e,uk,1m)" + "(s,ro,)" * n))),
    "byes before rons": (200, lambda n: file(play("(e,uk,1m)\n" + BYE * n + "(s,ro,)(w,ro,)(n,ro,)" * (n // 4)))),
    "pons of fives": (200, lambda n: file(play("(e,0m,5m)" + "(s,pn,5m)(e,pn,5m)" * (n // 2)), version="0")),
    "byes after a frame": (4000, lambda n: file(play(""), f"\n{BYE}" * n)),
    "unknown comments": (4000, lambda n: "jmjp[1.0]\n" + "// tenhou x\n" * n + f"({HEAD})"),
    "findings": (15, lambda n: file(BAD * n)),
}
"""The same for texts whose time grows faster than their length in the end, with a size at which it must not yet."""


def seconds(text: str) -> float:
    """Return the time that it takes to read *text*."""
    content = text.encode()
    start = time.process_time()
    with suppress(JmjpError):
        read_jmjp(content, finding=lambda _: None)
    return time.process_time() - start


def grows_as_the_text(text: Callable[[int], str], size: int) -> bool:
    """Return whether eight times the text takes at most 24 times as long, with a little tolerance for the clock.

    A busy machine may slow down some of the tries, but not all of them; faster growth fails all of them.
    """
    return any(seconds(text(8 * size)) <= 24 * seconds(text(size)) + 0.02 for _ in range(5))


def test_time(subtests: pytest.Subtests) -> None:
    """The time to read or reject a file is linear in its length."""
    for name, text in LONG.items():
        with subtests.test(name):
            assert grows_as_the_text(text, 200)


def test_time_of_implausible_files(subtests: pytest.Subtests) -> None:
    """Up to sizes that no valid file reaches, the time is linear even for these."""
    for name, (size, text) in SLOW.items():
        with subtests.test(name):
            assert grows_as_the_text(text, size)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (file("x" * 5_000_000), f"line 1, column {len(file())}: expected ')', found 'xxxxxxxxxxxxxxx…'"),
        ("jmjp[1.0]" + "(" * 10_000, "line 1, column 11: expected 'mtp[', found '('"),
        ("[" * 10_000, "line 1, column 1: expected 'jmjp[', found '['"),
        (file("frm[E1-0,,,,,", "(e,hnd[" * 10_000), "line 1, column 79: in frame E1-0: expected a tile, found '('"),
    ],
    ids=["a line of five million", "round brackets", "square brackets", "hands"],
)
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
