"""The codes of melds in mjlog: 16 bits for the kind, the tiles, which of them is taken, and who gave it."""

from __future__ import annotations

from typing import Final

from jmjp_convert.errors import ConvertError
from jmjp_convert.model import Ankan, Chi, Daiminkan, Kakan, Kita, Meld, Pon
from jmjp_convert.model.tiles import COPIES, KINDS, PHYSICAL

# Tested in this order: a bit that marks one kind of meld is data in another.
_CHI: Final = 0x0004
_PON: Final = 0x0008
_KAKAN: Final = 0x0010
_KITA: Final = 0x0020

_KAMICHA: Final = 3
_RUNS: Final = 7  # sequences in a suit: 1-2-3 … 7-8-9
_SUITS: Final = 3
_SUIT_KINDS: Final = 9
_MAX_CODE: Final = 0xFFFF
_COPIES: Final = range(COPIES)
_PONS: Final = tuple([[copy for copy in _COPIES if copy != left_out] for left_out in _COPIES])
"""By the copy that is not in a pon, the three that are."""
_HANDS: Final = ((1, 2), (0, 2), (0, 1))
"""By which of the three tiles of a chi or pon is taken, the two from the hand."""


def meld_of(player: int, code: int) -> Meld:
    """Decode the meld *code* of *player*.

    :raises ConvertError: no meld has that code.
    """
    if not 0 <= code <= _MAX_CODE:
        raise ConvertError(f"meld code {code} is out of range (0 to {_MAX_CODE})")
    if code & _CHI:
        return _chi(player, code)
    if code & _PON:
        return _pon(player, code)[0]
    if code & _KAKAN:
        pon, added = _pon(player, code)
        return Kakan(player, added, pon)
    if code & _KITA:
        return Kita(player, _tile(code))
    return _kan(player, code)


def _source(player: int, code: int) -> int:
    """Return who gave the tile: 1 shimocha, 2 toimen, 3 kamicha of *player*."""
    relative = code & 3
    if not relative:
        raise ConvertError(f"meld code {code} does not say whose discard was called")
    return (player + relative) % 4


def _tile(code: int) -> int:
    tile = code >> 8
    if tile >= PHYSICAL:
        raise ConvertError(f"meld code {code}: {tile} is not a tile (0 to {PHYSICAL - 1})")
    return tile


def _chi(player: int, code: int) -> Chi:
    pattern, taken = divmod(code >> 10, 3)
    suit, lowest = divmod(pattern, _RUNS)
    if suit >= _SUITS:
        raise ConvertError(f"meld code {code} is a chi without a suit")
    if code & 3 != _KAMICHA:
        raise ConvertError(f"meld code {code} is a chi from a player other than kamicha")
    first = COPIES * (suit * _SUIT_KINDS + lowest)
    tiles = first + (code >> 3 & 3), first + COPIES + (code >> 5 & 3), first + 2 * COPIES + (code >> 7 & 3)
    lower, higher = _HANDS[taken]
    return Chi(player, tiles[taken], (tiles[lower], tiles[higher]), (player + _KAMICHA) % 4)


def _pon(player: int, code: int) -> tuple[Pon, int]:
    """Return the pon, and the copy of the tile that is not in it."""
    kind, taken = divmod(code >> 9, 3)
    if kind >= KINDS:
        raise ConvertError(f"meld code {code}: {kind} is not a tile kind (0 to {KINDS - 1})")
    first, left_out = COPIES * kind, code >> 5 & 3
    copies = _PONS[left_out]
    lower, higher = _HANDS[taken]
    hand = first + copies[lower], first + copies[higher]
    return Pon(player, first + copies[taken], hand, _source(player, code)), first + left_out


def _kan(player: int, code: int) -> Ankan | Daiminkan:
    tile = _tile(code)
    kind, taken = divmod(tile, COPIES)
    copies = tuple(range(COPIES * kind, COPIES * (kind + 1)))
    if not code & 3:
        return Ankan(player, copies)
    return Daiminkan(player, tile, copies[:taken] + copies[taken + 1 :], _source(player, code))
