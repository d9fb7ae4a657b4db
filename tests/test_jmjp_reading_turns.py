"""Plain turns of jmjp, which are read from tables."""

from __future__ import annotations

from itertools import product

import pytest

from jmjp_convert.formats.jmjp.dialects import DIALECTS, SEATS
from jmjp_convert.formats.jmjp.reading.acts_to_events import Flow
from jmjp_convert.formats.jmjp.reading.comments import Remarks
from jmjp_convert.formats.jmjp.reading.lexer import Lexing, Script
from jmjp_convert.formats.jmjp.reading.turns import parts
from jmjp_convert.model import Event, Start, tiles

FACES = (*tiles.FACES, tiles.UNKNOWN_FACE)


def events(acts: str, dealer: int) -> list[Event]:
    """Return the events of *acts*, in a frame of *dealer*."""
    script = Script(f"{acts}(e,hnd[", Lexing())
    flow = Flow(script, DIALECTS["1.0"], Start(dealer, 0, 0, dealer, None, None, ((),) * 4), Remarks(script))
    flow.run(0)
    return flow.events


@pytest.mark.parametrize("dealer", range(4))
def test_same_as_alone(dealer: int) -> None:
    """An act means the same before others, where plain ones are read from the tables, as in the last place, where it is
    parsed word by word."""
    for seat, drawn, closing in product(SEATS, FACES, ("1m", "0s", "rd", "uk", "tg", "kg")):
        act = f"({seat},{drawn},{closing})"
        assert events(f"{act}(e,1p,tg)", dealer) == events(act, dealer) + events("(e,1p,tg)", dealer), act


@pytest.mark.parametrize("dealer", range(4))
def test_tables(dealer: int) -> None:
    """The tables have every seat with every face, and every end of an act followed by every seat."""
    found = parts(dealer)
    assert len(found.seats) == len(SEATS)
    assert all(len(draws) == len(FACES) for draws, _ in found.seats.values())
    assert len(found.links) >= len(SEATS) * (len(FACES) + 1)
