"""Tiles and melds in words, for messages."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

from jmjp_convert.messages import Message, Who
from jmjp_convert.model import Ankan, Kakan, Kita, Meld
from jmjp_convert.model.tiles import faces, label

_Named = Callable[[Iterable[int]], str]


def named(tiles: Iterable[int]) -> str:
    """Return *tiles* by face."""
    names = faces(red_fives=True)
    return " ".join(names[tile] for tile in sorted(tiles)) or "no tile"


def _copies(tiles: Iterable[int]) -> str:
    """Return *tiles*: exact copies by number and face, ``39 (1p)``."""
    return " ".join(map(label, sorted(tiles))) or "no tile"


def tiles_apart(found: Sequence[int], expected: Sequence[int]) -> tuple[str, str]:
    """Return tiles that differ, by face if that shows it."""
    by_face = named(found), named(expected)
    return by_face if by_face[0] != by_face[1] else (_copies(found), _copies(expected))


def melds_apart(found: Sequence[Meld], expected: Sequence[Meld]) -> tuple[Message, Message]:
    """Return melds that differ, by the faces of their tiles if these show it."""
    by_face = _melds(found, named), _melds(expected, named)
    return by_face if str(by_face[0]) != str(by_face[1]) else (_melds(found, _copies), _melds(expected, _copies))


def _melds(melds: Iterable[Meld], tiles: _Named) -> Message:
    texts = {f"meld{number}": _meld(meld, tiles) for number, meld in enumerate(melds)}
    return Message(", ".join(f"{{{name}}}" for name in texts) or "no meld", **texts)


def _meld(meld: Meld, tiles: _Named) -> Message:
    fixed, rest = parts(meld)
    what = f"{'an' if isinstance(meld, Ankan) else 'a'} {type(meld).__name__.lower()} of {tiles((*fixed, *rest))}"
    giver = source(meld)
    if giver is None:
        return Message("{what}", what=what)
    return Message("{what} ({taken} from {source})", what=what, taken=tiles(fixed[-1:]), source=Who(giver))


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
