"""Parse one act: the seat and the two halves."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from jmjp_convert.formats.jmjp.dialects import (
    ANKAN,
    CHI,
    DAIMINKAN,
    KAKAN,
    KARAGIRI,
    OYA,
    PON,
    REPLACEMENT,
    RIICHI,
    RONS,
    SEATS,
    TSUMO,
    TSUMOGIRI,
    Dialect,
)
from jmjp_convert.formats.jmjp.reading.lexer import Script
from jmjp_convert.formats.jmjp.reading.primitives import ANY_COPY, mark, some_tiles

TILE = ""
"""The keyword of a half that is only a tile."""


def _words(*, all_tiles: bool) -> tuple[Mapping[str, int], Mapping[str, int]]:
    """Return the keywords of the first and the second half of an act, each with its number of tiles."""
    pair, triple, four = (2, 3, 4) if all_tiles else (0, 0, 1)
    rons = dict.fromkeys(RONS if all_tiles else ["ro"], 0)
    return (
        {CHI: 2, PON: pair, DAIMINKAN: triple, REPLACEMENT: 1, OYA: 0, **rons},
        {TSUMOGIRI: 0, KARAGIRI: 0, TSUMO: 0, KAKAN: 1, ANKAN: four, RIICHI: 1},
    )


_WORDS = {all_tiles: _words(all_tiles=all_tiles) for all_tiles in (False, True)}

_OPENING = {
    False: "a draw, call or ron: a tile, rs[tile], oy, ch[tiles], pn, dk or ro",
    True: "a draw, call or ron: a tile, rs[tile], oy, ch[tiles], pn[tiles], dk[tiles] or ro",
}
_CLOSING = {
    False: "a discard, kan or tsumo: a tile, tg, kg, rc[tile], kk[tile], ak[tile], tm or ')'",
    True: "a discard, kan or tsumo: a tile, tg, kg, rc[tile], kk[tile], ak[tiles], tm or ')'",
}


class Half(NamedTuple):
    """One half of an act: its keyword, and its tiles."""

    word: str
    tiles: tuple[int, ...]


class Act(NamedTuple):
    """An act: its *seat*, first half, and second half if it has one."""

    seat: int
    opening: Half
    closing: Half | None


def _half(script: Script, place: int, words: Mapping[str, int], what: str) -> tuple[int, Half]:
    word = script.text[place : place + 2]
    if word in ANY_COPY:
        return place + 2, Half(TILE, (ANY_COPY[word],))
    if word not in words:
        raise script.expected(place, what)
    place += 2
    if not words[word]:
        return place, Half(word, ())
    place, named = some_tiles(script, mark(script, place, "["), words[word], "]")
    return place, Half(word, named)


def act(script: Script, place: int, text: str, dialect: Dialect) -> tuple[int, Act]:
    """Parse an act, brackets included; *text* is the text between them."""
    known = _KNOWN[dialect.all_tiles].get(text)
    if known is not None and script.text.startswith(")", place + 1 + len(text)):
        return place + len(text) + 2, known
    start = place
    place, found = _act(script, place, dialect)
    if place == start + len(text) + 2 and len(_KNOWN[dialect.all_tiles]) < _MOST_KNOWN:
        _KNOWN[dialect.all_tiles][text] = found
    return place, found


_KNOWN: dict[bool, dict[str, Act]] = {False: {}, True: {}}
"""Parsed acts, by whether the dialect names all tiles, and by text; the same acts recur in all games."""

_MOST_KNOWN = 1 << 14


def _act(script: Script, place: int, dialect: Dialect) -> tuple[int, Act]:
    place = mark(script, place, "(")
    seat = SEATS.find(script.text[place : place + 1] or " ")
    if seat < 0:
        raise script.expected(place, "a seat (e, s, w or n)")
    openings, closings = _WORDS[dialect.all_tiles]
    place, opening = _half(script, mark(script, place + 1, ","), openings, _OPENING[dialect.all_tiles])
    place = mark(script, place, ",")
    closing = None
    if opening.word not in _COMPLETE and not script.text.startswith(")", place):
        place, closing = _half(script, place, closings, _CLOSING[dialect.all_tiles])
    return mark(script, place, ")"), Act(seat, opening, closing)


_COMPLETE = frozenset((DAIMINKAN, *RONS))
"""No discard follows these."""
