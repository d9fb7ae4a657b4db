"""The events of plain turns, a draw and a discard: nine of ten acts.

All those of a frame are looked up together: their words become one byte each, and their events are in tables that fit
into the caches of a processor. A table of whole turns would not.
"""

from __future__ import annotations

import re
from functools import cache

from jmjp_convert.formats.jmjp.dialects import KARAGIRI, SEATS, TSUMOGIRI
from jmjp_convert.formats.jmjp.reading.lexer import ANY_COPY, coder
from jmjp_convert.model import DISCARDS, DRAWS, Event, tiles
from jmjp_convert.patterns import regex

LENGTH = len("(e,3m,9p)")
"""The length of a plain act, brackets included."""

OTHERS = regex(
    r"""(\((?!...[mpswdk],(?!tm)..\))  # an act unlike (e,3m,9p) or (e,3m,tg), such as (e,3m,tm) or (s,pn,9p),
        (?<![^)]\()                    # that begins after the end of another
        [^()]*\))(?![^(])              # and ends before the beginning of another""",
    re.VERBOSE,
)
"""Matches the acts that are not plain. Those that it does not match are plain or malformed."""

_SHAPES = bytes.maketrans(b"0123456789abcdefghijklmnopqrstuvwxyz", b"x" * 36)
_SHAPE = b"(x,xx,xx)"
_WORDS = (*ANY_COPY, TSUMOGIRI, KARAGIRI, *(f"({seat}" for seat in SEATS))
_coded = coder({word: code for code, word in enumerate(_WORDS, 1)})

_Turns = tuple[tuple[Event, ...], ...]
"""The turns of a player, by the code of the tile drawn: the draw, then the discards by their code."""


def events(text: str, dealer: int) -> list[Event]:
    """Return the events of the plain acts *text* in a frame of *dealer*.

    :raises ValueError: not all of it is plain acts.
    """
    raw = text.encode()
    if raw.translate(_SHAPES) != _SHAPE * (len(raw) // LENGTH):
        raise ValueError(text)
    codes = iter(_coded(raw.translate(None, b",)")))
    by_seat = _by_seat(dealer)
    found: list[Event] = []
    add = found.append
    for seat, drawn, discarded in zip(codes, codes, codes, strict=True):
        turn = by_seat[seat][drawn]
        add(turn[0])
        add(turn[discarded])
    return found


@cache
def _by_seat(dealer: int) -> tuple[_Turns, ...]:
    """Return the turns by the code of a seat."""
    turns = tuple(map(_turns, range(len(SEATS))))
    return ((),) * (len(_WORDS) - len(SEATS) + 1) + turns[dealer:] + turns[:dealer]


@cache
def _turns(player: int) -> _Turns:
    turns: list[tuple[Event, ...]] = [()]
    for drawn in ANY_COPY.values():
        named = [DISCARDS[named_tsumogiri(tile, drawn)][player][tile] for tile in ANY_COPY.values()]
        alike = [DISCARDS[tsumogiri][player][drawn] for tsumogiri in (True, False)]
        turns.append((DRAWS[player][drawn], *named, *alike))
    return tuple(turns)


def named_tsumogiri(tile: int, drawn: int | None) -> bool | None:
    """Return whether a discard written as *tile*, not as tsumogiri or karagiri, is tsumogiri after *drawn*: that is not
    recorded if the faces are the same, or if *drawn* is unknown."""
    return None if drawn in (tile, tiles.UNKNOWN) else False
