"""The notation of mjlog: elements and their attributes, the tags of draws and discards, values."""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import lru_cache
from operator import itemgetter
from typing import Final

from jmjp_convert.errors import ConvertError
from jmjp_convert.model import DISCARDS, DRAWS, Discard, Draw, DrawKind, frame_name
from jmjp_convert.model.tenhou import CUSTOM_RULES
from jmjp_convert.model.tiles import PHYSICAL

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
_TENTHS: Final = re.compile(r"(-?)([0-9]{1,7})(?:\.([0-9]))?")
_HEX: Final = frozenset("0123456789ABCDEFabcdef")
_TILES: Final = {str(tile): tile for tile in range(PHYSICAL)}
_FEW: Final[dict[str, tuple[int, ...]]] = {"": (), **{text: (tile,) for text, tile in _TILES.items()}}


@lru_cache(maxsize=4096)
def number(text: str, signs: str = "-") -> int:
    """Parse a whole number, perhaps after one of *signs*.

    :raises ConvertError: the text is not a whole number.
    """
    digits = text[1:] if text[:1] in signs else text
    if not (digits.isascii() and digits.isdecimal() and len(digits) <= _MAX_DIGITS):
        raise ConvertError(f"{text!r} is not a number")
    return int(text)


@lru_cache(maxsize=4096)
def hundreds(text: str) -> int:
    """Parse hundreds of points, and return points. Other programs than Tenhou write ``sc="250,+10"``.

    :raises ConvertError: the text is not a whole number.
    """
    return 100 * number(text, "+-")


def numbers(text: str) -> tuple[int, ...]:
    """Parse whole numbers separated by commas.

    :raises ConvertError: one of them is not a whole number.
    """
    return tuple(map(number, text.split(",")))


def points(text: str) -> tuple[int, ...]:
    """Parse hundreds of points separated by commas, and return points.

    :raises ConvertError: one of them is not a whole number.
    """
    return tuple(map(hundreds, text.split(",")))


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
