"""The walls that Tenhou's shuffle seed generates.

All rules are from docs/design/wall.md and were measured on 11,601 real logs. An MT19937 generator yields 32-bit words
(passed through SHA-512 in the newer forms), which shuffle the sorted tiles into the wall. All bytes are little-endian.
"""

from __future__ import annotations

import re
from base64 import b64decode
from collections.abc import Iterator, Sequence
from hashlib import sha512
from operator import mod
from random import Random
from struct import pack, unpack

from jmjp_convert.checks.wall.layout import IN_ORDER, IN_PAIRS, Layout, arranged
from jmjp_convert.errors import WallError
from jmjp_convert.model import Shuffle, ShuffleForm, Start, Wall
from jmjp_convert.model.tiles import PHYSICAL
from jmjp_convert.play.position import SETS

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

LAYOUTS = {
    (ShuffleForm.BASE64, 4): (IN_PAIRS[4],),
    (ShuffleForm.BASE64, 3): (IN_PAIRS[3],),
    (ShuffleForm.HEX, 4): (IN_ORDER[4],),
    (ShuffleForm.HEX, 3): (IN_ORDER[3], IN_PAIRS[3]),  # never seen
    (ShuffleForm.OLD, 4): (IN_ORDER[4],),
    (ShuffleForm.OLD, 3): (IN_ORDER[3],),
}
"""By form and number of players: the possible layouts, most likely first."""


def _wall(words: Sequence[int], dice: int, dealer: int, players: int, layout: Layout) -> Wall:
    """Return the wall shuffled by *words*; *dice* is the index of the dice in them."""
    tiles = list(SETS[players])
    for index, ahead in enumerate(map(mod, words, range(len(tiles), 1, -1))):
        other = index + ahead
        tiles[index], tiles[other] = tiles[other], tiles[index]
    return arranged(tiles, (words[dice] % 6 + 1, words[dice + 1] % 6 + 1), dealer, players, layout)


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
