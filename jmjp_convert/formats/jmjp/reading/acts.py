"""Parse one act: the seat and the two halves."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from jmjp_convert.errors import JmjpError
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
    TSUMO,
    TSUMOGIRI,
    Dialect,
)
from jmjp_convert.formats.jmjp.reading import slips
from jmjp_convert.formats.jmjp.reading.lexer import Script
from jmjp_convert.formats.jmjp.reading.primitives import ANY_COPY, mark, seat, some_tiles
from jmjp_convert.formats.jmjp.reading.slips import Slips
from jmjp_convert.model.record import record

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


class _Kind(NamedTuple):
    """The first or second halves of acts: their keywords, each with its number of tiles; what errors call such a half;
    the usual slips in it, and in the brackets after each keyword."""

    words: Mapping[str, int]
    what: str
    usual: Slips
    forms: Mapping[str, Slips]


_KINDS = {
    all_tiles: (
        _Kind(openings, _OPENING[all_tiles], slips.DRAWS, slips.ACT_FORMS[all_tiles]),
        _Kind(closings, _CLOSING[all_tiles], slips.DISCARDS, slips.ACT_FORMS[all_tiles]),
    )
    for all_tiles, (openings, closings) in _WORDS.items()
}
"""By whether the dialect names all tiles."""


@record
class Half:
    """One half of an act: its keyword, and its tiles."""

    word: str
    tiles: tuple[int, ...]


NO_HALF = Half("-", ())
"""The second half of an act without one."""

Act = tuple[int, Half, Half]
"""An act: its seat, first half, and second half, :data:`NO_HALF` if it has none."""


def _half(script: Script, place: int, kind: _Kind) -> tuple[int, Half]:
    word = script.text[place : place + 2]
    if word in ANY_COPY:
        return place + 2, Half(TILE, (ANY_COPY[word],))
    if word not in kind.words or _is_longer(script, place, kind):
        raise script.expected(place, kind.what, kind.usual)
    place += 2
    if not kind.words[word]:
        return place, Half(word, ())
    form = kind.forms[word]
    place, named = some_tiles(script, mark(script, place, "[", form), kind.words[word], "]", form)
    return place, Half(word, named)


def _is_longer(script: Script, place: int, kind: _Kind) -> bool:
    """Return whether the keyword at *place* is the beginning of another word that is a usual slip, such as `chun`."""
    return script.text[place + 2 : place + 3] not in _AFTER_WORD and script.is_slip(place, kind.usual)


_AFTER_WORD = ("[", ",", ")")

_KNOWN: dict[bool, tuple[dict[str, tuple[int, Half]], dict[str, Half]]] = {
    all_tiles: ({}, {")": NO_HALF}) for all_tiles in _WORDS
}
"""By whether the dialect names all tiles, the halves of acts that have been parsed: the text before the last comma,
with its seat, and the text after it. The same halves recur in all games.

Any two of them make an act, unless the first is complete by itself.
"""

_MOST_KNOWN = 1 << 14


def act(script: Script, place: int, text: str, dialect: Dialect) -> Act:
    """Parse the act at *place*, which must be the whole *text*."""
    (openings, closings), (before, _, after) = _KNOWN[dialect.all_tiles], text.rpartition(",")
    known, closing = openings.get(before), closings.get(after)
    if known is not None and closing is not None:
        seat, opening = known
        if closing is NO_HALF or opening.word not in _COMPLETE:
            return seat, opening, closing
    end, found = _act(script, place, dialect)
    if end != place + len(text):
        raise script.expected(end, "'('")
    if len(openings) < _MOST_KNOWN and len(closings) < _MOST_KNOWN:
        openings[before], closings[after] = found[:2], found[2]
    return found


def act_alone(script: Script, place: int, dialect: Dialect) -> int:
    """Return the place after the act at *place*."""
    return _act(script, place, dialect)[0]


def _act(script: Script, place: int, dialect: Dialect) -> tuple[int, Act]:
    start = place
    place, whose = seat(script, mark(script, place, "("))
    openings, closings = _KINDS[dialect.all_tiles]
    place, opening = _half(script, mark(script, place, ","), openings)
    if not script.text.startswith(",", place):
        raise _without_comma(script, start, place)
    place += 1
    closing = NO_HALF
    if opening.word not in _COMPLETE and not script.text.startswith(")", place):
        place, closing = _half(script, place, closings)
    return mark(script, place, ")"), (whose, opening, closing)


def _without_comma(script: Script, start: int, place: int) -> JmjpError:
    """Return the error that no comma is at *place*, after the first half of the act at *start*."""
    text = script.text
    if text.startswith(")", place):
        return script.error(place, f"expected ',', found ')'; write {text[start:place]},)")
    return script.expected(place, "','", (*(slips.UNNAMED if text.startswith("[", place) else ()), *slips.at_mark(",")))


_COMPLETE = frozenset((DAIMINKAN, *RONS))
"""No discard follows these."""
