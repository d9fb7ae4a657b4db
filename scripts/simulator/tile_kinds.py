"""The 34 kinds of tiles: 0–8 man, 9–17 pin, 18–26 sou, 27–30 the winds, 31–33 the dragons."""

from __future__ import annotations

from collections.abc import Iterable

KINDS = 34
COPIES = 4

HONOR_SUIT = 3
"""Honors count as a suit, after 0 man, 1 pin and 2 sou."""

SUIT_OF = tuple(kind // 9 for kind in range(KINDS))
"""By kind: its suit."""

EAST, NORTH, HAKU = 27, 30, 31
WINDS = range(EAST, HAKU)
DRAGONS = range(HAKU, KINDS)
HONORS = range(EAST, KINDS)

YAOCHUU = frozenset((0, 8, 9, 17, 18, *range(26, KINDS)))
"""The terminals and honors."""

RED_FIVES = frozenset((16, 52, 88))
"""The tiles, not kinds, that are red fives."""


def bits_of(kinds: Iterable[int]) -> int:
    """Return *kinds*, all different, as a number in which the bit of each is set."""
    return sum(1 << kind for kind in kinds)


def kinds_of(bits: int) -> list[int]:
    """Return the kinds whose bits are set."""
    return [kind for kind in range(KINDS) if bits >> kind & 1]


ALL_BITS = bits_of(range(KINDS))
YAOCHUU_BITS = bits_of(YAOCHUU)
