"""Rebuilds the wall of each frame from the seed by which Tenhou shuffled it.

Every rule here is from ``wall.md``, where it was measured on 11,601 real logs. A generator, MT19937, gives words of 32
bits (in the newer forms they go through SHA-512), and these shuffle the sorted tiles into the wall. It is dealt and
drawn from its end; at its front lies the dead wall. All bytes are little-endian.
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
from jmjp_convert.play.position import DEALT

# --- from the seed to the words --------------------------------------------------------------------------------------

_ALGORITHMS = {
    ShuffleForm.BASE64: "mt19937ar-sha512-n288-base64",
    ShuffleForm.HEX: "mt19937ar-sha512-n288",
    ShuffleForm.OLD: "mt19937ar",
}
_STATE = 624
"""The words of the generator's state: so long is a seed in base64, and no seed is longer."""

_HEX_SEED = re.compile(rf"[0-9A-Fa-f]{{1,8}}(?:,[0-9A-Fa-f]{{1,8}}){{0,{_STATE - 1}}}")
_WORD = 4  # bytes
_FRAME = 288  # words that a frame takes from the generator, in the newer forms
_BLOCK = 128  # bytes of them that a SHA-512 takes
_DICE = PHYSICAL - 1  # the place of the dice among the words of the newer forms, with three players too


def _generator(form: ShuffleForm, seed: str | None) -> Random:
    """Return the generator that *seed*, in the words of the log, makes.

    Python's generator is MT19937, and seeds it from an integer with ``init_by_array`` of the integer's 32-bit words,
    lowest first; but it drops high words that are zero.

    :raises WallError: there is no seed, or none of its *form*; or its last word is zero, one seed in four billion.
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
    """Return the words that shuffle so many *tiles* in the old form, and where among them those of the dice are."""
    return unpack(f"<{tiles + 1}I", _taken(generator, tiles + 1)), tiles - 1


def _hashed(generator: Random, _tiles: int) -> tuple[tuple[int, ...], int]:
    """Return the same for the newer forms."""
    raw = _taken(generator, _FRAME)
    blocks = b"".join([sha512(raw[start : start + _BLOCK]).digest() for start in range(0, len(raw), _BLOCK)])
    return unpack(f"<{len(blocks) // _WORD}I", blocks), _DICE


# --- from the words to the wall --------------------------------------------------------------------------------------

_SETS = {4: tuple(range(PHYSICAL)), 3: (*range(4), *range(32, PHYSICAL))}
_DEAD_WALL = 14

_Pick = Callable[[Sequence[int]], tuple[int, ...]]


class Layout(NamedTuple):
    """What picks the parts of the dead wall out of a wall."""

    replacements: _Pick
    indicators: _Pick
    ura: _Pick


def _layout(replacements: Sequence[int], indicators: int, ura: int) -> Layout:
    """Return a layout by the places of the *replacements*, and of the first two *indicators*: each next one lies two
    further."""
    picked = (replacements, range(indicators, indicators + 10, 2), range(ura, ura + 10, 2))
    return Layout(*[itemgetter(*places) for places in picked])


_NEW = {4: _layout((1, 0, 3, 2), 5, 4), 3: _layout((1, 0, 3, 2, 5, 4, 7, 6), 9, 8)}
_OLD = {4: _layout(range(4), 4, 5), 3: _layout(range(8), 8, 9)}

LAYOUTS = {
    (ShuffleForm.BASE64, 4): (_NEW[4],),
    (ShuffleForm.BASE64, 3): (_NEW[3],),
    (ShuffleForm.HEX, 4): (_OLD[4],),
    (ShuffleForm.HEX, 3): (_OLD[3], _NEW[3]),  # nobody has seen one
    (ShuffleForm.OLD, 4): (_OLD[4],),
    (ShuffleForm.OLD, 3): (_OLD[3],),
}
"""By form and number of players: the layouts that can be, the likeliest first."""


def _hand(seat: int, players: int) -> _Pick:
    """Return what picks the hand *seat* seats from the dealer out of the tiles as dealt: four three times, then one."""
    fours = [players * 4 * turn + 4 * seat + tile for turn in range(3) for tile in range(4)]
    return itemgetter(*fours, players * 12 + seat)


_HANDS = {players: [_hand(seat, players) for seat in range(players)] for players in _SETS}


def _wall(words: Sequence[int], dice: int, dealer: int, players: int, layout: Layout) -> Wall:
    """Return the wall that *words* shuffle; those of the dice begin at *dice*."""
    tiles = list(_SETS[players])
    for place, ahead in enumerate(map(mod, words, range(len(tiles), 1, -1))):
        other = place + ahead
        tiles[place], tiles[other] = tiles[other], tiles[place]
    dealt = tiles[::-1]
    hands = [pick(dealt) for pick in _HANDS[players]]
    return Wall(
        tuple(tiles),
        (words[dice] % 6 + 1, words[dice + 1] % 6 + 1),
        tuple(hands[-dealer:] + hands[:-dealer]),
        tuple(dealt[players * DEALT : -_DEAD_WALL]),
        *[pick(tiles) for pick in layout],
    )


def walls(shuffle: Shuffle, starts: Sequence[Start], players: int, layout: Layout | None = None) -> Iterator[Wall]:
    """Yield the wall of each frame.

    :param shuffle: the form and, but for the old one, the seed.
    :param starts: how the frames start, each frame from the first on: one generator shuffles them all, but for the old
        form. Only the dealer counts, and in the old form the seed.
    :param players: 4 or 3.
    :param layout: one of :data:`LAYOUTS`; without it, the likeliest.
    :raises WallError: a seed is missing, or gives no wall.
    """
    layout = layout or LAYOUTS[shuffle.form, players][0]
    if shuffle.form is not ShuffleForm.OLD:
        generator = _generator(shuffle.form, shuffle.seed)
        for start in starts:
            yield _wall(*_hashed(generator, len(_SETS[players])), start.dealer, players, layout)
        return
    for start in starts:
        try:
            generator = _generator(shuffle.form, start.shuffle)
        except WallError as error:
            raise WallError(f"frame {start.name}: {error}") from None
        yield _wall(*_plain(generator, len(_SETS[players])), start.dealer, players, layout)
