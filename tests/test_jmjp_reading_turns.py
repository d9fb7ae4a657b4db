"""Plain turns of jmjp, which are read from tables."""

from __future__ import annotations

from itertools import product

import pytest
from tables import table

from jmjp_convert.formats.jmjp.dialects import DIALECTS, SEATS
from jmjp_convert.formats.jmjp.reading import turns
from jmjp_convert.formats.jmjp.reading.acts import Flow
from jmjp_convert.formats.jmjp.reading.comments import Remarks
from jmjp_convert.formats.jmjp.reading.lexer import Lexing, Script
from jmjp_convert.model import Event, Start, tiles

FACES = (*tiles.FACES, tiles.UNKNOWN_FACE)


def flow(acts: str, dealer: int = 0) -> Flow:
    """Return *acts*, parsed in a frame of *dealer*."""
    script = Script(f"{acts}(e,hnd[", Lexing())
    parsed = Flow(script, DIALECTS["1.0"], Start(dealer, 0, 0, dealer, None, None, ((),) * 4), Remarks(script))
    assert script.text.startswith("(e,hnd[", parsed.run(0))
    return parsed


def events(acts: str, dealer: int) -> list[Event]:
    """Return the events of *acts*, in a frame of *dealer*."""
    return flow(acts, dealer).events


@pytest.mark.parametrize("dealer", range(4))
def test_same_as_alone(dealer: int) -> None:
    """An act from the tables means the same as one after a comment, which is parsed word by word."""
    for seat, drawn, closing in product(SEATS, FACES, ("1m", "0s", "rd", "uk", "tg", "kg")):
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
    whole, parted = flow(MIXED), flow("\n".join((*acts[:commented], "// tenhou what", *acts[commented:])))
    assert whole.fault is parted.fault is None
    assert whole.events == parted.events
    assert whole.paid == parted.paid == [3]
    indices = range(len(whole.events))
    assert [whole.place_of(index) for index in indices] == [parted.place_of(index) for index in indices]


def test_places() -> None:
    """Each event has the place of its act; an accepted riichi has that of the next act."""
    whole = flow(MIXED)
    starts = [index for index, letter in enumerate(MIXED) if letter == "("]
    counts = [2, 2, 2, 3, 3, *[2] * 6, 3, 1, 1]
    expected = [start for start, count in zip(starts, counts, strict=True) for _ in range(count)]
    assert [whole.place_of(index) for index in range(len(whole.events))] == expected


@pytest.mark.parametrize("text", table("jmjp_reading_turns", "not_plain"))
def test_not_plain(text: str) -> None:
    """What is not a row of plain acts is not read as one."""
    with pytest.raises(ValueError):  # noqa: PT011 - of several functions
        turns.events(text, 0)
