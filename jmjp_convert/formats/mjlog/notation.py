"""The notation of mjlog: elements and their attributes, the tags of draws and discards, values, meld codes."""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import lru_cache
from operator import itemgetter
from typing import Final

from jmjp_convert.errors import ConvertError
from jmjp_convert.model import (
    DISCARDS,
    DRAWS,
    Ankan,
    Chi,
    Daiminkan,
    Discard,
    Draw,
    DrawKind,
    Kakan,
    Kita,
    Meld,
    Pon,
    frame_name,
)
from jmjp_convert.model.tenhou import CUSTOM_RULES
from jmjp_convert.model.tiles import COPIES, KINDS, PHYSICAL

# --- elements ---------------------------------------------------------------------------------------------------------

ROOT: Final = "mjloggm"
INIT: Final = "INIT"

_DRAWS: Final = "TUVW"
_DISCARDS: Final = "DEFG"

TILE_EVENTS: Final[dict[str, tuple[Draw | Discard, Discard | None]]] = {
    **{
        f"{letter}{tile}": (DRAWS[player][tile], None)
        for player, letter in enumerate(_DRAWS)
        for tile in range(PHYSICAL)
    },
    **{
        f"{letter}{tile}": (DISCARDS[False][player][tile], DISCARDS[True][player][tile])
        for player, letter in enumerate(_DISCARDS)
        for tile in range(PHYSICAL)
    },
}
"""The draws and discards, by tag; of a discard also the event if it is tsumogiri: the draw before it is of the same
tile."""

TILE_LETTERS: Final = frozenset(_DRAWS + _DISCARDS)

DRAW_KINDS: Final = {
    None: DrawKind.EXHAUSTIVE,
    "nm": DrawKind.NAGASHI,
    "yao9": DrawKind.NINE_TERMINALS,
    "kaze4": DrawKind.FOUR_WINDS,
    "reach4": DrawKind.FOUR_RIICHI,
    "kan4": DrawKind.FOUR_KANS,
    "ron3": DrawKind.TRIPLE_RON,
}
"""By ``RYUUKYOKU type``."""

NAMES: Final = ("n0", "n1", "n2", "n3")
HANDS: Final = ("hai0", "hai1", "hai2", "hai3")

ATTRIBUTES: Final[dict[str, frozenset[str]]] = {
    tag: frozenset(names)
    for tag, names in {
        "SHUFFLE": ("seed", "ref"),
        "GO": ("type", "lobby", *CUSTOM_RULES),
        "UN": (*NAMES, "dan", "rate", "sx", "gold", "rc"),
        "TAIKYOKU": ("oya",),
        INIT: ("seed", "ten", "oya", *HANDS, "shuffle", "chip"),
        "N": ("who", "m"),
        "REACH": ("who", "step", "ten"),
        "DORA": ("hai",),
        "BYE": ("who",),
        "AGARI": (
            *("ba", "hai", "m", "machi", "ten", "yaku", "yakuman", "doraHai", "doraHaiUra", "who", "fromWho"),
            *("paoWho", "sc", "owari", "chip", "ratio"),
        ),
        "RYUUKYOKU": ("ba", "sc", "type", *HANDS, "owari", "ratio"),
    }.items()
}
"""The known attributes by element; anything else is ignored and reported once."""

ROOT_ATTRIBUTES: Final = frozenset(("ver",))

# --- values -----------------------------------------------------------------------------------------------------------

_MAX_DIGITS: Final = 9
_KEPT: Final = 1 << 12
_TENTHS: Final = re.compile(r"(-?)([0-9]{1,7})(?:\.([0-9]))?")
_HEX: Final = frozenset("0123456789ABCDEFabcdef")
_TILES: Final = {str(tile): tile for tile in range(PHYSICAL)}
_FEW: Final[dict[str, tuple[int, ...]]] = {"": (), **{text: (tile,) for text, tile in _TILES.items()}}


class _Numbers(dict[str, int]):
    """Whole numbers by their text, perhaps after one of *signs*, times *unit*; the first few thousand are kept."""

    def __init__(self, unit: int, signs: str) -> None:
        super().__init__()
        self._unit = unit
        self._signs = signs

    def __missing__(self, text: str) -> int:
        digits = text[1:] if text[:1] in self._signs else text
        if not (digits.isascii() and digits.isdecimal() and len(digits) <= _MAX_DIGITS):
            raise ConvertError(f"{text!r} is not a number")
        value = int(text) * self._unit
        if len(self) < _KEPT:
            self[text] = value
        return value


_POINTS: Final = _Numbers(100, "+-")  # other programs than Tenhou write sc="250,+10"
_NUMBERS: Final = _Numbers(1, "-")
number = _NUMBERS.__getitem__
"""Parse a whole number.

:raises ConvertError: the text is not a whole number.
"""


def numbers(text: str) -> tuple[int, ...]:
    """Parse whole numbers separated by commas.

    :raises ConvertError: one of them is not a whole number.
    """
    return _several(text, _NUMBERS)


def _several(text: str, values: Mapping[str, int]) -> tuple[int, ...]:
    if "," not in text:
        return (values[text],)
    several: tuple[int, ...] = itemgetter(*text.split(","))(values)
    return several


hundreds = _POINTS.__getitem__
"""Parse hundreds of points, and return points.

:raises ConvertError: the text is not a whole number.
"""


def points(text: str) -> tuple[int, ...]:
    """Parse hundreds of points separated by commas, and return points.

    :raises ConvertError: one of them is not a whole number.
    """
    return _several(text, _POINTS)


@lru_cache(maxsize=4096)
def thousands(text: str) -> int:
    """Parse thousands of points with at most one decimal, and return points: -52000 for ``-52`` and ``-52.0``.

    :raises ConvertError: *text* is not a number, or has more than one decimal.
    """
    match = _TENTHS.fullmatch(text)
    if match is None:
        raise ConvertError(f"{text!r} is not a number with at most one decimal")
    value = int(match[2]) * 1000 + int(match[3] or 0) * 100
    return -value if match[1] else value


def tile(text: str) -> int:
    """Parse a tile ID.

    :raises ConvertError: *text* is not a tile ID.
    """
    if text not in _TILES:
        raise _no_tile(text)
    return _TILES[text]


def _no_tile(text: str) -> ConvertError:
    return ConvertError(f"{text!r} is not a tile (0 to {PHYSICAL - 1})")


def tiles(text: str) -> tuple[int, ...]:
    """Parse tile IDs separated by commas; *text* may be empty.

    :raises ConvertError: one of them is not a tile ID.
    """
    if text in _FEW:
        return _FEW[text]
    try:
        several: tuple[int, ...] = itemgetter(*text.split(","))(_TILES)
    except KeyError as error:
        raise _no_tile(error.args[0]) from None
    return several


def pairs(text: str) -> tuple[tuple[int, int], ...]:
    """Parse pairs of whole numbers, as in ``yaku="1,1,52,2"``.

    :raises ConvertError: one of them is not a whole number, or one is left over.
    """
    values = numbers(text)
    if len(values) % 2:
        raise ConvertError(f"{text!r} is not a list of number pairs")
    return tuple(zip(values[::2], values[1::2], strict=True))


def name(text: str) -> tuple[str, bytes | None]:
    """Decode a percent-encoded name (a ``+`` is a plus), with bytes that are not UTF-8 as U+FFFD; return also its bytes
    if there were any such."""
    digits = text.replace("%", "")
    # Tenhou encodes every byte, so all can be decoded at once; other tools leave some bytes unencoded.
    encoded = text[::3] == "%" * (len(text) // 3) and len(digits) * 3 == len(text) * 2 and _HEX.issuperset(digits)
    raw = bytes.fromhex(digits) if encoded else _unquoted(text)
    try:
        return raw.decode(), None
    except UnicodeDecodeError:
        return raw.decode("utf-8", "replace"), raw


def _unquoted(text: str) -> bytes:
    from urllib.parse import unquote_to_bytes  # no log of Tenhou needs it

    return unquote_to_bytes(text)


def counted(number: int, noun: str) -> str:
    """Return *number* with *noun*, in the plural if it is not one."""
    return f"{number} {noun}" if number == 1 else f"{number} {noun}s"


def frame_of(attributes: Mapping[str, str]) -> str | None:
    """Return the name of the frame whose ``INIT`` has *attributes*, if they show it."""
    round_, _, rest = attributes.get("seed", "").partition(",")
    honba = rest.partition(",")[0]
    if re.fullmatch("[0-9]|1[0-5]", round_) and re.fullmatch("[0-9]{1,4}", honba):
        return frame_name(int(round_), int(honba))
    return None


# --- meld codes -------------------------------------------------------------------------------------------------------

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
