"""A file with several problems shows all of them; one slip is one problem."""

from __future__ import annotations

import random
import re
from pathlib import Path

import pytest
from casefiles import refusals, sound
from effort import many
from hypothesis import given, settings
from hypothesis import strategies as st
from jmjp_texts import EVEN, HEAD, frame

from jmjp_convert.errors import JmjpError, JmjpSyntaxError
from jmjp_convert.formats.jmjp.reader import read_jmjp
from jmjp_convert.model import Match

WRITTEN = sorted((Path(__file__).parent.parent / "fixtures" / "valid").glob("*.jmjp"))
ONE = frame("(e,9m,tg)\n(s,9p,tg)\n(w,9s,tg)", w="1m1m9m9m1p1p9p9p1s1s9s9sew")
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


def slipped(*slips: tuple[str, str], text: str = f"jmjp[1.0]\n({HEAD}\n{ONE}\n{frame(name='E3-0')})") -> list[str]:
    """Return the problems of a file of two frames with *slips*, each at the first place where its text is left."""
    for right, wrong in slips:
        assert right in text
        text = text.replace(right, wrong, 1)
    return problems(text)[0]


def names(matches: list[Match]) -> list[list[str]]:
    """Return the names of the frames of each match."""
    return [[one.start.name for one in match.frames] for match in matches]


# --- one slip, one problem -------------------------------------------------------------------------------------------


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


# --- several ---------------------------------------------------------------------------------------------------------


def test_in_acts() -> None:
    """Every syntax error in the acts of a frame is reported; reading goes on at the next act."""
    assert slipped(("(e,9m,tg)", "(e,9M,tg)"), ("(s,9p,tg)", "(s,9p tg]"), ("(w,9s,tg)", "(w,chun,tg)")) == [
        "8, column 4: in frame E1-0: expected a draw, call or ron, found '9M'; write 9m",
        "9, column 7: in frame E1-0: expected ',', found 'tg'",
        "10, column 4: in frame E1-0: expected a draw, call or ron, found 'chun'; write rd",
    ]


def test_in_hands_and_fields() -> None:
    """Reading goes on at the next hand, at the acts, and at the fields after the play."""
    assert slipped(
        ("frm[E1-0,0.0,", "frm[E1-0,0,"),
        ("9p1s9sew", "9p1s9zew"),
        ("(w,hnd[", "(W,hnd["),
        ("(s,9p,tg)", "(s,9p,tsumogiri)"),
        ("\n,,]", "\n,pfe[25.0,25.0,25.0,25],]"),
    ) == [
        "3, column 10: in frame E1-0: expected points such as 25.0, found '0'; write 0.0",
        "4, column 20: in frame E1-0: expected a tile, found '9z'; honors are ew sw ww nw wd gd rd",
        "6, column 2: in frame E1-0: expected a seat (e, s, w or n), found 'W'; write w",
        "9, column 7: in frame E1-0: expected a discard, kan or tsumo, found 'tsumogiri'; write tg",
        "15, column 21: in frame E1-0: expected points such as 25.0, found '25'; write 25.0",
    ]


def test_in_the_head() -> None:
    """Every part of the head is looked at, and then the frames."""
    assert slipped(("mtp[,,,]", "mtp[2024/1/6,,,]"), ("ply[1,,", 'ply[1,"x",'), ("(s,9p,tg)", "(S,9p,tg)")) == [
        "2, column 6: expected a date (YYYYMMDD), found '2024/1/6'; write 20240106",
        "2, column 34: expected '(', found a string; write (snt[\"…\"],)",
        "9, column 2: in frame E1-0: expected a seat (e, s, w or n), found 'S'; write s",
    ]


def test_in_frames() -> None:
    """Reading goes on at the next frame, and after the last one."""
    frames = ("frm(E1-0,,,,,,,]", "frm[e2-0,,,,,,,]", "frm[E3-0,,,,,,]", "frm[E4-0,,,,,,,]")
    text = "\n".join(["jmjp[1.0]", f"({HEAD}", *frames, "pme[1,0.0,0.0,0.0])"])
    found, matches = problems(text)
    assert found == [
        "3, column 1: expected ')', found 'frm('; write frm[",
        "4, column 5: expected a frame such as E1-0, found 'e2-0'; write E2-0",
        "5, column 15: in frame E3-0: expected 'pfe[', found ']'",
        "7, column 5: expected points such as 25.0, found '1'; write 1.0",
    ]
    assert names(matches) == [["E4-0"]]


def test_in_matches() -> None:
    """Reading goes on at the next match; the matches keep their numbers."""
    good = f"({HEAD}\n{frame('(e,9m,tg)')})\n"
    text = (
        f"jmjp[1.0]\n{good.replace('9m,tg', '9m,TG')}{good}{good.replace('ply[3', 'ply[4')}{good.replace(')})', ')}')}"
    )
    found, matches = problems(text)
    assert [line.partition(": ")[2] for line in found] == [
        "in frame E1-0: expected a discard, kan or tsumo, found 'TG'; write tg",
        "expected a player (0 to 3), found '4'; players are numbered from 0",
    ]
    assert names(matches) == [[], ["E1-0"], ["E1-0"], ["E1-0"]]


def test_a_match_without_its_brackets() -> None:
    """Missing brackets of a match are one error each."""
    text = f"jmjp[1.0]\n{HEAD}\nfrm[E1-0,,,,,,,])\n({HEAD}\nfrm[E1-0,,,,,,,]\n({HEAD})"
    found, matches = problems(text)
    assert found == ["2, column 1: expected '(', found 'mtp'", "6, column 1: expected ')', found '('"]
    assert names(matches) == [["E1-0"], ["E1-0"], []]


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


def test_play_of_a_frame_with_a_syntax_error() -> None:
    """A frame with a syntax error is not judged, nor is the next one compared with the one before it."""
    assert len(slipped(("(e,9m,tg)", "(w,9m,1p)"), ("(s,9p,tg)", "(s,9p,zz)"))) == 1
    frames = (
        f"frm[E1-0,0.0,,pfs[{EVEN}],,,pfe[{EVEN}],]",
        f"frm[E1-1,0.0,,pfs[{EVEN}],,,pfe[21.0,29.0,25.0,25],]",
        "frm[E1-2,0.0,,pfs[21.0,29.0,25.0,25.0],,,,]",
        "frm[E2-0,0.0,,pfs[21.0,29.0,25.0,25.0],,,,]",
    )
    assert len(problems(f"jmjp[1.0]({HEAD}{''.join(frames)})")[0]) == 1


def test_comments_of_a_frame_with_a_syntax_error() -> None:
    """The `// tenhou` comments in a frame that is left out are left out, too; the next frame's are kept."""
    text = f"jmjp[1.0]\n({HEAD}\nfrm[E1-0,x,,,,,,]\n// tenhou chips=1,2,3,4\nfrm[E2-0,,,,,,,])"
    found, (match,) = problems(text)
    assert len(found) == 1
    assert match.frames[0].start.chips == (1, 2, 3, 4)


# --- quotes ----------------------------------------------------------------------------------------------------------


def test_missing_quote() -> None:
    """After a missing quote, strings and syntax cannot be told apart, so one error is reported, with the line."""
    text = f"jmjp[1.0]\n({HEAD.replace('ply[1,,', chr(10) + 'ply[1,(snt[' + chr(34) + 'Abe],),')}\n{ONE}\n{ONE}\n"
    text += 'frm[E3-0,,,,,,,snt["a"]]\nfrm[E4-0,,,,,,,snt["b"]]\n)'
    found, _ = problems(text)
    assert found == [
        f"{text.count(chr(10)) - 1}, column 21: expected ']', found 'a'; a quote seems to be missing in line 3"
    ]


@pytest.mark.parametrize("text", ['"', '"\\', '"\\x', '"\\"'])
def test_only_a_quote(text: str) -> None:
    """A file that is little more than an opening quote is rejected in one line."""
    with pytest.raises(JmjpSyntaxError, match=r"^line 1, column 1: expected 'jmjp\[', found an unterminated string$"):
        read_jmjp(text.encode())


@pytest.mark.parametrize(("old", "new"), [("(s,", "(\u017f,"), ("ww", "w\u017f"), ("kg", "\u212ag")])
def test_letters_like_ascii(old: str, new: str) -> None:
    """A letter that is another one's upper or lower case only in Unicode, such as the long s, is not that letter."""
    text = (
        (Path(__file__).parent.parent / "fixtures" / "valid" / "plain.jmjp")
        .read_text(encoding="utf-8")
        .replace("tg)", "kg)", 1)
    )
    assert old in text
    with pytest.raises(JmjpSyntaxError, match="in frame E1-0: expected a "):
        read_jmjp(text.replace(old, new).encode())


def test_before_a_missing_quote() -> None:
    """Errors before a missing quote are reported all the same."""
    text = f'jmjp[1.0]\n({HEAD}\nfrm[E1-0,0,,,,,,]\nfrm[E2-0,,,,,,,snt["a]]\nfrm[E3-0,,,,,,,snt["b"]])'
    found, _ = problems(text)
    assert [line.partition(":")[0] for line in found] == ["3, column 10", "5, column 21"]


@pytest.mark.parametrize("escapes", [False, True])
def test_either_way_of_quotes(*, escapes: bool) -> None:
    r"""All problems are those of the way to read `\"` that gets further."""
    quoted = 'snt["a\\"b"]' if escapes else 'snt["a\\"]'
    text = f"jmjp[1.0]\n({HEAD}\nfrm[E1-0,,,,,,,{quoted}]\nfrm[E2-0,0,,,,,,]\nfrm[E3-0,0,,,,,,{quoted}])"
    assert [line.partition(":")[0] for line in problems(text)[0]] == ["4, column 10", "5, column 10"]


# --- bounds ----------------------------------------------------------------------------------------------------------


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


def test_text_between_matches() -> None:
    """Text between or after matches is one error, and not a match."""
    found, matches = problems(f"jmjp[1.0]\n({HEAD})\nxx\n({HEAD})\nyy")
    assert found == ["3, column 1: expected '(', found 'xx'", "5, column 1: expected '(', found 'yy'"]
    assert len(matches) == 2
    assert problems("jmjp[1.0]") == (["1, column 10: expected '(', found end of file"], [])
