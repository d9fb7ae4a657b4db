"""List what a frame deals, in Riichi Advanced's names: hands, draws, dead wall.

Without a known wall, the play still shows some of its tiles, and the dora give their indicators. Riichi Advanced's
lists are positional: an unknown tile before a known one is replaced by a leftover tile, chosen reproducibly at random.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from itertools import chain
from random import Random

from jmjp_convert.model import DORA, Frame, Wall, tiles
from jmjp_convert.model.record import record
from jmjp_convert.model.tiles import PHYSICAL, UNKNOWN
from jmjp_convert.play.position import DEALT
from jmjp_convert.play.revealed import Shown, shown

_HONORS = {face: f"{number}z" for number, face in enumerate(tiles.HONOR_FACES, 1)}
_NAMES = {
    red: tuple(None if face == tiles.UNKNOWN_FACE else _HONORS.get(face, face) for face in tiles.faces(red_fives=red))
    for red in (True, False)
}
"""Riichi Advanced's names of tiles by tile ID, with and without red fives; ``None`` for an unknown tile."""

_DEALT, _DRAWS, _REPLACEMENTS = 4 * DEALT, 70, 4
_DEAD_WALL = _REPLACEMENTS + DORA

_Name = str | None


@record
class Unknown:
    """The numbers of unknown tiles in the *hands*, the *draws*, the *dead_wall*; and whether a plain five, known
    only as the indicator of its dora, may be red."""

    hands: int = 0
    draws: int = 0
    dead_wall: int = 0
    maybe_red: bool = False


@record
class Deal:
    """What a frame deals, in Riichi Advanced's names.

    :ivar hands: the known tiles dealt, by player.
    :ivar draws: the tiles to draw, in order, up to the last known one.
    :ivar dead_wall: four replacement tiles in draw order, then dora and ura dora indicators, alternating, up to the
        last known one.
    :ivar dice: two dice, 1–6 each.
    :ivar unknown: what is unknown.
    """

    hands: tuple[tuple[str, ...], ...]
    draws: tuple[str, ...]
    dead_wall: tuple[str, ...]
    dice: tuple[int, int] | None
    unknown: Unknown


def deal(frame: Frame, wall: Wall | None, *, red_fives: bool) -> Deal:
    """Return what *frame*, with four players, deals: all of *wall* if given, otherwise what is known."""
    names = _NAMES[red_fives]
    if wall is None:
        return _seen(frame, names)
    dead = chain.from_iterable(zip(wall.indicators, wall.ura, strict=True))
    return Deal(
        tuple(_known(hand, names) for hand in wall.hands),
        _known(wall.draws, names),
        _known((*wall.replacements, *dead), names),
        wall.dice,
        Unknown(),
    )


def _known(part: Iterable[int], names: Sequence[_Name]) -> tuple[str, ...]:
    """Return the names of the known tiles of *part*."""
    return tuple([name for tile in part if (name := names[tile])])


def _seen(frame: Frame, names: Sequence[_Name]) -> Deal:
    """Return the deal of *frame* as far as the play shows it."""
    start, seen = frame.start, shown(frame)
    hands = tuple(_known(hand, names) for hand in start.hands)
    draws = [names[tile] for tile in seen.draws]
    dead = _dead_wall(seen, names)
    left = Counter(_known(range(PHYSICAL), names))
    left.subtract(name for name in chain(*hands, draws, dead) if name)
    maybe_red = _infer(dead, frame.dora or (UNKNOWN,) * DORA, left, names)
    unknown = Unknown(
        _DEALT - sum(map(len, hands)), _DRAWS - sum(map(bool, draws)), dead.count(None), maybe_red=maybe_red
    )
    others = _shuffled(left, start.name)
    dice = start.dice if isinstance(start.dice, tuple) else None
    return Deal(hands, _filled(draws, others), _filled(dead, others), dice, unknown)


def _dead_wall(seen: Shown, names: Sequence[_Name]) -> list[_Name]:
    """Return the fourteen tiles of the dead wall, ``None`` for those not drawn or turned."""
    dead: list[_Name] = [None] * _DEAD_WALL
    for part, first, step in ((seen.replacements, 0, 1), (seen.indicators, 4, 2), (seen.ura, 5, 2)):
        for number, tile in enumerate(part):
            dead[first + step * number] = names[tile]
    return dead


def _infer(dead: list[_Name], dora: tuple[int, ...], left: Counter[str], names: Sequence[_Name]) -> bool:
    """Fill in the indicators that *dead* lacks, taking from *left* those that follow from the *dora*.

    :returns: whether one may be a plain or a red five; the plain one is taken.
    """
    choice = False
    for place, tile in enumerate(dora, _REPLACEMENTS):
        possible = [name for indicator in tiles.indicators(tile) if (name := names[indicator]) and left[name] > 0]
        if dead[place] is None and possible:
            dead[place] = possible[0]
            left[possible[0]] -= 1
            choice = choice or len(possible) > 1
    return choice


def _shuffled(tiles_left: Counter[str], seed: str) -> Iterator[str]:
    """Yield *tiles_left* shuffled, always in the same order for the same *seed*."""
    chance = Random(seed)  # noqa: S311 - not for security
    yield from sorted(sorted(tiles_left.elements()), key=lambda _: chance.random())


def _filled(part: Sequence[_Name], others: Iterator[str]) -> tuple[str, ...]:
    """Return *part* up to the last known tile, with *others* in place of the unknown ones."""
    length = max((place for place, name in enumerate(part, 1) if name), default=0)
    return tuple([name or next(others) for name in part[:length]])
