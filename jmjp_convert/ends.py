"""How frames end: what one leaves to the next, and whether a record of the end agrees with the play."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

from jmjp_convert.errors import PlayError
from jmjp_convert.model import DISCARDS, Ankan, Frame, Hand, Kakan, Kita, Meld, Start
from jmjp_convert.replay import Outcome
from jmjp_convert.table import STICK, listed
from jmjp_convert.tiles import UNKNOWN, faces, indicators


def check_follows(points: tuple[int, ...] | None, sticks: int | None, start: Start) -> None:
    """Check that *start* takes up the *points* and riichi *sticks* that the frame before it left, as far as known.

    :raises PlayError: it does not.
    """
    if None not in (points, start.points) and start.points != points:
        raise PlayError(f"the points are {listed(points)}, not {listed(start.points)} (hundreds)")
    if None not in (sticks, start.sticks) and start.sticks != sticks:
        raise PlayError(f"{sticks} riichi sticks are on the table, not {start.sticks}")


def check_end(outcome: Outcome, frame: Frame) -> None:
    """Check that *frame* ends, by its own record, as it was played.

    A tile of which nothing is known may be any.

    :raises PlayError: it does not. The index is that of the deal where a dora cannot be; one more than the frame has
        where the points are wrong; and for the hand of a player, that and one more for each player up to this one.
    """
    end = len(frame.events)
    for player, (played, lying) in enumerate(zip(outcome.end.hands, frame.end.hands, strict=True)):
        if played != lying:
            unseen = DISCARDS[player][UNKNOWN] in frame.events
            difference = _difference(played, lying, went_unseen=unseen)
            if difference:
                raise PlayError(f"player {player} ends with {difference}", end + 1 + player)
    start, points, sticks = frame.start, frame.end.points, outcome.sticks
    if start.points is not None and start.sticks is not None and points is not None and sticks is not None:
        before, after = sum(start.points) + STICK * start.sticks, sum(points) + STICK * sticks
        if before != after:
            raise PlayError(f"points and riichi sticks add up to {after}, but did to {before} (hundreds)", end)
    _check_dora(outcome, frame)


def _difference(played: Hand, lying: Hand, *, went_unseen: bool) -> str:
    """Return in which tiles or melds the hands differ, for an error message; nothing if they may be the same."""
    if len(played.melds) != len(lying.melds) or not all(map(_alike, played.melds, lying.melds)):
        return f"{_melds(lying)}, not {_melds(played)}"
    had, has = Counter(_all(played)), Counter(_all(lying))
    gone, come = had - has, has - had
    unknown = gone.pop(UNKNOWN, 0), come.pop(UNKNOWN, 0)
    if gone.total() <= unknown[1] + (len(played.tiles) - len(lying.tiles) if went_unseen else 0):
        gone.clear()
    if come.total() <= unknown[0]:
        come.clear()
    if gone or come:
        return f"{_named(come.elements())}, not {_named(gone.elements())}"
    if (played.drawn is None) != (lying.drawn is None) or not _same(played.drawn, lying.drawn):
        return f"{_named(_drawn(lying))} as the fourteenth tile, not {_named(_drawn(played))}"
    return ""


def _drawn(hand: Hand) -> tuple[int, ...]:
    return () if hand.drawn is None else (hand.drawn,)


def _all(hand: Hand) -> tuple[int, ...]:
    return (*hand.tiles, *_drawn(hand))


def _same(tile: int | None, other: int | None) -> bool:
    return tile == other or UNKNOWN in (tile, other)


def _alike(meld: Meld, other: Meld) -> bool:
    return type(meld) is type(other) and _giver(meld) == _giver(other) and all(map(_same, _tiles(meld), _tiles(other)))


def _giver(meld: Meld) -> int | None:
    return _giver(meld.pon) if isinstance(meld, Kakan) else getattr(meld, "source", None)


def _tiles(meld: Meld) -> tuple[int, ...]:
    """Return the tiles of *meld*, the taken one first."""
    if isinstance(meld, Ankan):
        return meld.tiles
    if isinstance(meld, Kita):
        return (meld.tile,)
    return (meld.tile, *_tiles(meld.pon)) if isinstance(meld, Kakan) else (meld.taken, *meld.hand)


def _named(tiles: Iterable[int]) -> str:
    names = faces(red_fives=True)
    return " ".join(names[tile] for tile in sorted(tiles)) or "no tile"


def _melds(hand: Hand) -> str:
    return ", ".join(map(_meld, hand.melds)) or "no meld"


def _meld(meld: Meld) -> str:
    giver = _giver(meld)
    taken = "" if giver is None else f" ({_named([_tiles(meld)[isinstance(meld, Kakan)]])} from player {giver})"
    return f"a {type(meld).__name__.lower()} of {_named(_tiles(meld))}{taken}"


def _check_dora(outcome: Outcome, frame: Frame) -> None:
    """Check that of each dora there is an indicator left that could show it."""
    if frame.dora is None or frame.start.indicator is not None:
        return
    wall = bytearray(outcome.wall)
    for dora in frame.dora:
        if dora == UNKNOWN:
            continue
        possible = indicators(dora)
        for tile in possible:
            if tile in wall:
                wall.remove(tile)
                break
        else:
            raise PlayError(f"the dora {_named([dora])} has no indicator: every {_named(possible[:1])} is in play")
