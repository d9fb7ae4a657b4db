"""Plain turns of jmjp, which are read from tables."""

from __future__ import annotations

from itertools import product

import pytest
from tables import table

from jmjp_convert.errors import JmjpError
from jmjp_convert.formats.jmjp.acts import ActReader
from jmjp_convert.formats.jmjp.comments import Remarks
from jmjp_convert.formats.jmjp.lexer import Script
from jmjp_convert.formats.jmjp.notation import DIALECTS, SEATS
from jmjp_convert.model import Event, Start, tiles

FACES = (*tiles.FACES, tiles.UNKNOWN_FACE)


def read(acts: str, dealer: int = 0) -> ActReader:
    """Return *acts*, parsed in a frame of *dealer*."""
    script = Script(f"{acts}(e,hnd[")
    start = Start(dealer, 0, 0, dealer, None, None, ((),) * 4)
    parsed = ActReader(script, DIALECTS["1.0"], start, Remarks(script.comments))
    assert script.text.startswith("(e,hnd[", parsed.run(0))
    return parsed


def events(acts: str, dealer: int) -> list[Event]:
    """Return the events of *acts*, in a frame of *dealer*."""
    return read(acts, dealer).builder.events


@pytest.mark.parametrize("dealer", range(4))
def test_same_as_alone(dealer: int) -> None:
    """An act from the tables means the same as one after a comment, which is parsed word by word."""
    for seat, drawn, closing in product(SEATS, FACES, ("1m", "0s", "rd", "uk", "tg", "kg", "tm", "rc[9p]")):
        act = f"({seat},{drawn},{closing})"
        assert events(act, dealer) == events(f"// tenhou what\n{act}", dealer), act


MIXED = (
    "(e,1m,tg)(s,2m,9p)(w,pn[9p9p],1m)(n,3m,rc[1m])(e,9s,tg)(s,9s,kg)(w,4m,ak[7s7s7s7s])(w,rs[5p],tg)(n,1m,tg)"
    "(e,1m,2m)(s,ch[1m3m],4m)(w,1m,rc[1p])(n,ro,)(e,ro,)"
)


@pytest.mark.parametrize("commented", range(14))
def test_runs(commented: int) -> None:
    """A comment between acts divides a run of plain ones, and changes neither events nor places."""
    acts = MIXED.replace(")(", ")\n(").splitlines()
    whole, parted = read(MIXED), read("\n".join((*acts[:commented], "// tenhou what", *acts[commented:])))
    assert whole.fault is parted.fault is None
    assert whole.builder.events == parted.builder.events
    assert whole.builder.riichi == parted.builder.riichi == [3]
    indices = range(len(whole.builder.events))
    assert [whole.builder.position_of(index) for index in indices] == [
        parted.builder.position_of(index) for index in indices
    ]


def test_places() -> None:
    """Each event has the place of its act; an accepted riichi has that of its tile."""
    whole = read(MIXED)
    starts = [index for index, letter in enumerate(MIXED) if letter == "("]
    counts = [2, 2, 2, 4, 2, *[2] * 6, 3, 1, 1]
    expected = [start for start, count in zip(starts, counts, strict=True) for _ in range(count)]
    assert [whole.builder.position_of(index) for index in range(len(whole.builder.events))] == expected


@pytest.mark.parametrize("text", table("jmjp_reading_turns", "malformed"))
def test_malformed(text: str) -> None:
    """What only looks like plain acts is refused, also after one."""
    for acts in (text, f"(e,1m,2m){text}"):
        with pytest.raises(JmjpError, match="expected"):
            read(acts)
