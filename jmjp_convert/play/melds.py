"""Melds: whether their tiles make a chi, pon or kan, and how messages show them and other tiles."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Final

from jmjp_convert.errors import PlayError
from jmjp_convert.messages import Message, Who
from jmjp_convert.model import Ankan, Call, Chi, Discard, Event, Kakan, Kita, Meld
from jmjp_convert.model.tiles import EAST, SUIT, faces, kind, label

Shaped = Call | Kakan | Ankan
"""The melds of more than one tile."""

_LONGEST: Final = 2  # from the lowest tile of a sequence to the highest


def check_shape(meld: Shaped) -> None:
    """Check that the tiles of *meld* form it; an unknown tile may be any.

    :raises PlayError: they do not.
    """
    ids = tiles_of(meld)
    kinds = [tile_kind for tile_kind in map(kind, ids) if tile_kind is not None]
    if not (_is_run(kinds) if isinstance(meld, Chi) else len(set(kinds)) <= 1):
        names = " ".join(faces()[tile] for tile in sorted(ids))
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
    fixed, rest = parts(meld)
    return fixed + rest


def from_hand(event: Discard | Meld) -> tuple[int, ...]:
    """Return the tiles that leave the hand with *event*."""
    if isinstance(event, Ankan):
        return event.tiles
    return (event.tile,) if isinstance(event, Discard | Kakan | Kita) else event.hand


def _is_run(kinds: list[int]) -> bool:
    """Return whether *kinds* can be part of a sequence."""
    if not kinds:
        return True
    low, high = min(kinds), max(kinds)
    return high < EAST and low // SUIT == high // SUIT and high - low <= _LONGEST and len(set(kinds)) == len(kinds)


# --- in words, for messages ------------------------------------------------------------------------------------------

_Named = Callable[[Iterable[int]], str]


def named(tiles: Iterable[int]) -> str:
    """Return *tiles* by face."""
    names = faces()
    return " ".join(names[tile] for tile in sorted(tiles)) or "no tile"


def _copies(tiles: Iterable[int]) -> str:
    """Return *tiles*: exact copies by number and face, ``39 (1p)``."""
    return " ".join(map(label, sorted(tiles))) or "no tile"


def tiles_apart(recorded: Sequence[int], expected: Sequence[int]) -> tuple[str, str]:
    """Return tiles that differ, by face if that shows it."""
    by_face = named(recorded), named(expected)
    return by_face if by_face[0] != by_face[1] else (_copies(recorded), _copies(expected))


def melds_apart(recorded: Sequence[Meld], expected: Sequence[Meld]) -> tuple[Message, Message]:
    """Return melds that differ, by the faces of their tiles if these show it."""
    by_face = _melds(recorded, named), _melds(expected, named)
    return by_face if str(by_face[0]) != str(by_face[1]) else (_melds(recorded, _copies), _melds(expected, _copies))


def _melds(melds: Iterable[Meld], tiles: _Named) -> Message:
    texts = {f"meld{number}": _meld(meld, tiles) for number, meld in enumerate(melds)}
    return Message(", ".join(f"{{{name}}}" for name in texts) or "no meld", **texts)


def _meld(meld: Meld, tiles: _Named) -> Message:
    what = f"{'an' if isinstance(meld, Ankan) else 'a'} {type(meld).__name__.lower()} of {tiles(tiles_of(meld))}"
    giver = source(meld)
    if giver is None:
        return Message("{what}", what=what)
    return Message("{what} ({taken} from {source})", what=what, taken=tiles(parts(meld)[0][-1:]), source=Who(giver))


def source(meld: Meld) -> int | None:
    """Return the player whose tile was called for *meld*."""
    return source(meld.pon) if isinstance(meld, Kakan) else getattr(meld, "source", None)


def parts(meld: Meld) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """Return the tiles of *meld* with a fixed role, the called one last, and the rest, which are unordered."""
    if isinstance(meld, Ankan):
        return (), meld.tiles
    if isinstance(meld, Kita):
        return (meld.tile,), ()
    return ((meld.tile, meld.pon.taken), meld.pon.hand) if isinstance(meld, Kakan) else ((meld.taken,), meld.hand)
