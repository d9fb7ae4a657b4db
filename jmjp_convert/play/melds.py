"""Checks the shapes of melds: whether their tiles make a chi, pon or kan."""

from __future__ import annotations

from jmjp_convert.errors import PlayError
from jmjp_convert.model import Ankan, Call, Chi, Event, Kakan, Kita, Meld
from jmjp_convert.model.tiles import EAST, SUIT, faces, kind

Shaped = Call | Kakan | Ankan
"""The melds of more than one tile."""

_LONGEST = 2  # from the lowest tile of a sequence to the highest


def check_shape(meld: Shaped) -> None:
    """Check that the tiles of *meld* form it; an unknown tile may be any.

    :raises PlayError: they do not.
    """
    ids = tiles_of(meld)
    kinds = [found for found in map(kind, ids) if found is not None]
    if not (_is_run(kinds) if isinstance(meld, Chi) else len(set(kinds)) <= 1):
        names = " ".join(faces(red_fives=True)[tile] for tile in sorted(ids))
        raise PlayError(f"invalid {type(meld).__name__.lower()}: {names}")


def misshapen(event: Event, index: int) -> PlayError | None:
    """Return the error for *event*, at *index* in its frame, if it is a meld whose tiles do not form it."""
    if isinstance(event, Shaped):
        try:
            check_shape(event)
        except PlayError as error:
            error.index = index
            return error
    return None


def tiles_of(meld: Meld) -> tuple[int, ...]:
    """Return the tiles of *meld*."""
    if isinstance(meld, Ankan):
        return meld.tiles
    if isinstance(meld, Kita):
        return (meld.tile,)
    return (meld.tile, *tiles_of(meld.pon)) if isinstance(meld, Kakan) else (meld.taken, *meld.hand)


def _is_run(kinds: list[int]) -> bool:
    """Return whether *kinds* can be part of a sequence."""
    if not kinds:
        return True
    low, high = min(kinds), max(kinds)
    return high < EAST and low // SUIT == high // SUIT and high - low <= _LONGEST and len(set(kinds)) == len(kinds)
