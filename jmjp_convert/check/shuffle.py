"""Rebuilds the wall of each frame from Tenhou's shuffle seed.

All rules here are from docs/design/wall.md and were measured on 11,601 real logs. An MT19937 generator yields 32-bit
words (passed through SHA-512 in the newer forms), which shuffle the sorted tiles into the wall. The wall is dealt and
drawn from its end; the dead wall is at its front. All bytes are little-endian.
"""

from __future__ import annotations

import re
from base64 import b64decode
from collections.abc import Callable, Iterator, Sequence
from hashlib import sha512
from operator import itemgetter, mod
from random import Random
from struct import pack, unpack
from typing import NamedTuple

from jmjp_convert.errors import WallError
from jmjp_convert.model import Shuffle, ShuffleForm, Start, Wall
from jmjp_convert.model.tiles import PHYSICAL
from jmjp_convert.play.position import DEAD_WALL, DEALT, SETS

# --- from the seed to the words --------------------------------------------------------------------------------------

_ALGORITHMS = {
    ShuffleForm.BASE64: "mt19937ar-sha512-n288-base64",
    ShuffleForm.HEX: "mt19937ar-sha512-n288",
    ShuffleForm.OLD: "mt19937ar",
}
_STATE = 624
"""The number of words in the generator's state: the length of a base64 seed, and the maximum for any seed."""

_HEX_SEED = re.compile(rf"[0-9A-Fa-f]{{1,8}}(?:,[0-9A-Fa-f]{{1,8}}){{0,{_STATE - 1}}}")
_WORD = 4  # bytes
_FRAME = 288  # words taken from the generator per frame, in the newer forms
_BLOCK = 128  # bytes of them per SHA-512
_DICE = PHYSICAL - 1  # index of the dice in the words of the newer forms, with three players too


def _generator(form: ShuffleForm, seed: str | None) -> Random:
    """Return the generator for *seed*, as written in the log.

    Python's generator is MT19937, seeded from an integer by ``init_by_array`` with its 32-bit words, lowest first; but
    it drops high words that are zero.

    :raises WallError: the seed is missing or not of this *form*, or its last word is zero (one seed in four billion).
    """
    if not seed:
        raise WallError("no shuffle seed is recorded")
    algorithm, _, key = seed.partition(",")
    raw = b""
    if form is not ShuffleForm.BASE64:
        words = [int(word, 16) for word in key.split(",")] if _HEX_SEED.fullmatch(key) else []
        raw = pack(f"<{len(words)}I", *words)
    elif len(raw := _from_base64(key)) != _STATE * _WORD:
        raw = b""
    if algorithm != _ALGORITHMS[form] or not raw:
        raise WallError(f"invalid shuffle seed {seed[:40]!r}")
    if not any(raw[-_WORD:]):
        raise WallError("the last word of the shuffle seed is zero, so the wall cannot be rebuilt")
    return Random(int.from_bytes(raw, "little"))  # noqa: S311 - the generator that Tenhou used


def _from_base64(text: str) -> bytes:
    try:
        return b64decode(text, validate=True)
    except ValueError:
        return b""


def _taken(generator: Random, count: int) -> bytes:
    """Return the next *count* words of *generator*."""
    return generator.getrandbits(32 * count).to_bytes(_WORD * count, "little")


def _plain(generator: Random, tiles: int) -> tuple[tuple[int, ...], int]:
    """Return the words that shuffle this many *tiles* in the old form, and the index of the dice in them."""
    return unpack(f"<{tiles + 1}I", _taken(generator, tiles + 1)), tiles - 1


def _hashed(generator: Random, _tiles: int) -> tuple[tuple[int, ...], int]:
    """Return the words and the index of the dice for the newer forms."""
    raw = _taken(generator, _FRAME)
    blocks = b"".join([sha512(raw[start : start + _BLOCK]).digest() for start in range(0, len(raw), _BLOCK)])
    return unpack(f"<{len(blocks) // _WORD}I", blocks), _DICE


# --- from the words to the wall --------------------------------------------------------------------------------------

_Pick = Callable[[Sequence[int]], tuple[int, ...]]


class Layout(NamedTuple):
    """Functions that pick the parts of the dead wall from a wall."""

    replacements: _Pick
    indicators: _Pick
    ura: _Pick


def _layout(replacements: Sequence[int], indicators: int, ura: int) -> Layout:
    """Return the layout with these places of the *replacements* and of the first dora and *ura* *indicators*; each
    further one is two places on."""
    picked = (replacements, range(indicators, indicators + 10, 2), range(ura, ura + 10, 2))
    return Layout(*[itemgetter(*places) for places in picked])


_NEW = {4: _layout((1, 0, 3, 2), 5, 4), 3: _layout((1, 0, 3, 2, 5, 4, 7, 6), 9, 8)}
_OLD = {4: _layout(range(4), 4, 5), 3: _layout(range(8), 8, 9)}

LAYOUTS = {
    (ShuffleForm.BASE64, 4): (_NEW[4],),
    (ShuffleForm.BASE64, 3): (_NEW[3],),
    (ShuffleForm.HEX, 4): (_OLD[4],),
    (ShuffleForm.HEX, 3): (_OLD[3], _NEW[3]),  # never seen
    (ShuffleForm.OLD, 4): (_OLD[4],),
    (ShuffleForm.OLD, 3): (_OLD[3],),
}
"""By form and number of players: the possible layouts, most likely first."""


def _hand(seat: int, players: int) -> _Pick:
    """Return a function that picks the hand at *seat* (0: dealer) from the dealt tiles: three times four, then one."""
    fours = [players * 4 * turn + 4 * seat + tile for turn in range(3) for tile in range(4)]
    return itemgetter(*fours, players * 12 + seat)


_HANDS = {players: [_hand(seat, players) for seat in range(players)] for players in SETS}


def _wall(words: Sequence[int], dice: int, dealer: int, players: int, layout: Layout) -> Wall:
    """Return the wall shuffled by *words*; *dice* is the index of the dice in them."""
    tiles = list(SETS[players])
    for place, ahead in enumerate(map(mod, words, range(len(tiles), 1, -1))):
        other = place + ahead
        tiles[place], tiles[other] = tiles[other], tiles[place]
    dealt = tiles[::-1]
    hands = [pick(dealt) for pick in _HANDS[players]]
    return Wall(
        tuple(tiles),
        (words[dice] % 6 + 1, words[dice + 1] % 6 + 1),
        tuple(hands[-dealer:] + hands[:-dealer]),
        tuple(dealt[players * DEALT : -DEAD_WALL]),
        *[pick(tiles) for pick in layout],
    )


def walls(shuffle: Shuffle, starts: Sequence[Start], players: int, layout: Layout | None = None) -> Iterator[Wall]:
    """Yield the wall of each frame.

    :param shuffle: the form and, except in the old form, the seed.
    :param starts: the starts of all frames from the first on: except in the old form, one generator shuffles them all.
        Only the dealer is used and, in the old form, the seed.
    :param players: 4 or 3.
    :param layout: one of :data:`LAYOUTS`; by default, the most likely.
    :raises WallError: a seed is missing or invalid.
    """
    layout = layout or LAYOUTS[shuffle.form, players][0]
    if shuffle.form is not ShuffleForm.OLD:
        generator = _generator(shuffle.form, shuffle.seed)
        for start in starts:
            yield _wall(*_hashed(generator, len(SETS[players])), start.dealer, players, layout)
        return
    for start in starts:
        try:
            generator = _generator(shuffle.form, start.shuffle)
        except WallError as error:
            raise WallError(f"frame {start.name}: {error}") from None
        yield _wall(*_plain(generator, len(SETS[players])), start.dealer, players, layout)
