"""Compares every tile of a match with the wall rebuilt from its seed."""

from __future__ import annotations

from collections.abc import Iterator
from enum import Enum
from itertools import zip_longest
from typing import NamedTuple

from jmjp_convert.check.shuffle import LAYOUTS, walls
from jmjp_convert.errors import MatchError, WallError
from jmjp_convert.messages import Message, Who
from jmjp_convert.model import DoraRevealed, Draw, Frame, Match, Wall, Win
from jmjp_convert.model.record import record, replace
from jmjp_convert.model.tiles import label
from jmjp_convert.play.revealed import shown


class Agreement(Enum):
    """Whether a match agrees with its wall."""

    AGREES = "agree"
    DISAGREES = "disagree"
    NO_SEED = "without a seed"


@record
class Difference:
    """The first difference between a match and its wall: in *frame* ``S2-1``, *what*, the ``14th draw``, is *found* to
    be ``39 (1p)`` in the log, while the wall has ``77 (2s)`` (*wanted*).

    :ivar player: the player to whom a tile is dealt.
    :ivar place: the index of the frame in its match, and that of the event in its frame, as in :class:`PlayError`.
    """

    frame: str
    what: str
    found: str
    wanted: str
    player: int | None = None
    place: tuple[int, int] = (0, -1)

    @property
    def error(self) -> MatchError:
        """The difference as a problem of its match."""
        to = "" if self.player is None else Message(" to {player}", player=Who(self.player))
        said = "the {what}{to} is {found}; {wanted} expected from the wall"
        message = Message(said, what=self.what, to=to, found=self.found, wanted=self.wanted)
        frame, index = self.place
        return MatchError(message, frame=frame, name=self.frame, index=index)

    def __str__(self) -> str:
        return str(self.error)


@record
class WallReport:
    """The comparison of a match with its wall.

    :ivar difference: the first difference, if the match disagrees.
    :ivar frames: the number of frames that agree, up to the first difference.
    :ivar tiles: the number of tiles compared that agree, up to the first difference.
    """

    agreement: Agreement
    difference: Difference | None = None
    frames: int = 0
    tiles: int = 0


def check_wall(match: Match) -> WallReport:
    """Compare *match* with its wall: the dice, the hands in the order of the deal, every draw and replacement tile, and
    every dora and ura dora indicator shown; an unfinished frame, up to where it ends (docs/design/wall.md).

    :param match: as read from an mjlog with no frame left out: in most forms a frame's wall depends on the number of
        frames before it.
    :raises WallError: a seed is recorded but invalid.
    """
    return _compared(match)[0]


def verified_walls(match: Match) -> list[Wall]:
    """Return the wall of each frame of *match*, verified against the tiles that the log shows.

    :param match: as for :func:`check_wall`.
    :raises WallError: the seed is missing or invalid, or its wall differs from the match.
    """
    report, found = _compared(match)
    if report.agreement is Agreement.NO_SEED:
        raise WallError("no shuffle seed is recorded")
    if report.difference is not None:
        raise WallError(f"the wall does not belong to this match: {report.difference}")
    return found


def with_wall(match: Match) -> Match:
    """Return *match* with all ten dora of each frame, where the log shows only those turned.

    :param match: as for :func:`check_wall`.
    :raises WallError: as :func:`verified_walls`.
    """
    pairs = zip(match.frames, verified_walls(match), strict=True)
    return replace(match, frames=tuple([replace(frame, dora=wall.dora) for frame, wall in pairs]))


_Compared = tuple[WallReport, list[Wall]]


def _compared(match: Match) -> _Compared:
    """Return the comparison of *match* with its wall, and the walls of the frames that agree."""
    shuffle, starts, players = match.shuffle, [frame.start for frame in match.frames], match.rules.players
    if shuffle is None or not (shuffle.seed or any(start.shuffle for start in starts)):
        return WallReport(Agreement.NO_SEED), []
    tried = [
        _compared_with(match, walls(shuffle, starts, players, layout)) for layout in LAYOUTS[shuffle.form, players]
    ]
    return max(tried, key=lambda compared: compared[0].tiles)


def _compared_with(match: Match, walls: Iterator[Wall]) -> _Compared:
    """Return the comparison of *match* with *walls*, and those of the frames that agree."""
    agreeing: list[Wall] = []
    tiles = 0
    for number, (frame, wall) in enumerate(zip(match.frames, walls, strict=True)):
        for part in _parts(frame, wall):
            if part.found != part.wanted[: len(part.found)]:
                difference = _difference(number, frame, part, red_fives=match.rules.red_fives)
                return WallReport(Agreement.DISAGREES, difference, len(agreeing), tiles), agreeing
            if part.what != _DIE:
                tiles += len(part.found)
        agreeing.append(wall)
    return WallReport(Agreement.AGREES, None, len(agreeing), tiles), agreeing


_Tiles = tuple[int, ...]
_DIE = "die"


class _Shown(NamedTuple):
    """A part of the wall that a frame shows: *what* its values are, those *found* and those *wanted*; and the *player*
    to whom they are dealt."""

    what: str
    found: _Tiles
    wanted: _Tiles
    player: int | None = None


def _parts(frame: Frame, wall: Wall) -> Iterator[_Shown]:
    """Yield the parts of the wall that *frame* shows."""
    start = frame.start
    if isinstance(start.dice, tuple):
        yield _Shown(_DIE, start.dice, wall.dice)
    for player, hand in enumerate(start.hands):
        yield _Shown("tile dealt", hand, wall.hands[player], player)
    known = shown(frame)
    yield _Shown("draw", known.draws, wall.draws)
    yield _Shown("replacement tile", known.replacements, wall.replacements)
    yield _Shown("dora indicator", known.indicators, wall.indicators)
    yield _Shown("ura dora indicator", known.ura, wall.ura)


def _difference(number: int, frame: Frame, part: _Shown, *, red_fives: bool | None) -> Difference:
    """Return the first difference in *part* of *frame*, the one with this *number*; the wall may have less."""
    pairs = zip_longest(part.found, part.wanted[: len(part.found)])
    place, pair = next((place, pair) for place, pair in enumerate(pairs, 1) if pair[0] != pair[1])

    def named(value: int | None) -> str:
        if value is None:
            return "nothing"
        return str(value) if part.what == _DIE else label(value, red_fives=red_fives)

    tile = None if part.what == _DIE else pair[0]
    index = _index_of(tile, frame) if part.player is None else -2 - part.player
    what = f"{_ordinal(place)} {part.what}"
    return Difference(frame.start.name, what, named(pair[0]), named(pair[1]), part.player, (number, index))


def _index_of(tile: int | None, frame: Frame) -> int:
    """Return the index of the event of *frame* that shows *tile* of the wall; -1: its start, or it is a die."""
    for index, event in enumerate(frame.events):
        if isinstance(event, Draw) and event.tile == tile:
            return index
        if isinstance(event, DoraRevealed) and event.indicator == tile:
            return index
        if isinstance(event, Win) and tile in (*(event.indicators or ()), *event.ura):
            return index
    return -1


def _ordinal(number: int) -> str:
    ending = {1: "st", 2: "nd", 3: "rd"}.get(number % 10, "th")
    return f"{number}{'th' if number // 10 % 10 == 1 else ending}"
