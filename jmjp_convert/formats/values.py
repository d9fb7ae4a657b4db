"""What the formats in JSON write alike: tsumogiri."""

from __future__ import annotations

from jmjp_convert.model.tiles import either_copy_of


def is_tsumogiri(tile: int, drawn: int | None, *, riichi: bool) -> bool:
    """Return whether a discard is the tile just *drawn*, as far as is known: one that may be is taken to be it.

    :param drawn: ``None`` after a call.
    :param riichi: whether the player is in riichi, and so can discard no other.
    """
    return drawn is not None and (riichi or tile == drawn or tile == either_copy_of(drawn))
