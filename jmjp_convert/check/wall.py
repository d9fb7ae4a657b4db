"""Compares every tile of a match with the wall that its seed gives."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from enum import Enum
from itertools import zip_longest

from jmjp_convert.check.shuffle import LAYOUTS, walls
from jmjp_convert.errors import WallError
from jmjp_convert.model import Frame, Match, Wall
from jmjp_convert.model.record import record
from jmjp_convert.model.tiles import label
from jmjp_convert.play.revealed import shown


class Agreement(Enum):
    """Whether a match is what was dealt from its wall."""

    AGREES = "agree"
    DISAGREES = "disagree"
    NO_SEED = "without a seed"


@record
class Difference:
    """The first thing in a match that is not as in its wall: in the *frame* ``S2-1``, *what* is the ``14th draw``, is
    *found* to be ``39 (1p)`` in the log, *wanted* by the wall is ``77 (2s)``."""

    frame: str
    what: str
    found: str
    wanted: str

    def __str__(self) -> str:
        return f"frame {self.frame}: the {self.what} is {self.found}, but the wall has {self.wanted}"


@record
class WallReport:
    """How a match compares with its wall.

    :ivar difference: the first one, where the match *disagrees*.
    :ivar frames: how many agree, up to there.
    :ivar tiles: how many of them have been compared and agree, up to there.
    """

    agreement: Agreement
    difference: Difference | None = None
    frames: int = 0
    tiles: int = 0


def check_wall(match: Match) -> WallReport:
    """Hold *match* against its wall: the dice, the hands in the order of the deal, every draw and replacement tile, and
    every dora and ura dora indicator shown. Of a frame that has not ended, as much as there is (source: ``wall.md``).

    :param match: as read from an mjlog without passing over a frame: in most forms a frame's wall follows from how many
        went before.
    :raises WallError: a seed is recorded, but gives no wall.
    """
    return _compared(match)[0]


def proven_walls(match: Match) -> list[Wall]:
    """Return the wall of each frame of *match*, proven to be the one that it was dealt from.

    :param match: as for :func:`check_wall`.
    :raises WallError: there is no seed, or it gives no wall, or one that differs in anything from the match.
    """
    report, found = _compared(match)
    if report.agreement is Agreement.NO_SEED:
        raise WallError("no shuffle seed is recorded")
    if report.difference is not None:
        raise WallError(f"the wall does not belong to this match: {report.difference}")
    return found


def with_wall(match: Match) -> Match:
    """Return *match* with all ten dora of each frame, of which the log shows only those that are turned.

    :param match: as for :func:`check_wall`.
    :raises WallError: as :func:`proven_walls`.
    """
    pairs = zip(match.frames, proven_walls(match), strict=True)
    return replace(match, frames=tuple([replace(frame, dora=wall.dora) for frame, wall in pairs]))


def with_wall_if_any(match: Match, notice: Callable[[str], None]) -> Match:
    """Return *match* with all ten dora of each frame, or as it is where no wall tells them; *notice* is told why."""
    try:
        return with_wall(match)
    except WallError as error:
        notice(f"dora not filled in from the wall: {error}")
        return match


_Compared = tuple[WallReport, list[Wall]]


def _compared(match: Match) -> _Compared:
    """Return how *match* compares with its wall, and the walls of the frames that agree."""
    shuffle, starts, players = match.shuffle, [frame.start for frame in match.frames], match.rules.players
    if shuffle is None or not (shuffle.seed or any(start.shuffle for start in starts)):
        return WallReport(Agreement.NO_SEED), []
    tried = [_held(match, walls(shuffle, starts, players, layout)) for layout in LAYOUTS[shuffle.form, players]]
    return max(tried, key=lambda compared: compared[0].tiles)


def _held(match: Match, walls: Iterator[Wall]) -> _Compared:
    """Return how *match* compares with *walls*, and those of the frames that agree."""
    agreeing: list[Wall] = []
    tiles = 0
    for frame, wall in zip(match.frames, walls, strict=True):
        for what, found, wanted in _parts(frame, wall):
            if found != wanted[: len(found)]:
                difference = _difference(frame.start.name, what, found, wanted, red_fives=match.rules.red_fives)
                return WallReport(Agreement.DISAGREES, difference, len(agreeing), tiles), agreeing
            if what != _DIE:
                tiles += len(found)
        agreeing.append(wall)
    return WallReport(Agreement.AGREES, None, len(agreeing), tiles), agreeing


_Tiles = tuple[int, ...]
_DIE = "die"


def _parts(frame: Frame, wall: Wall) -> Iterator[tuple[str, _Tiles, _Tiles]]:
    """Yield what *frame* shows of its wall, part by part: what each value is, those shown, those of the wall."""
    start = frame.start
    if isinstance(start.dice, tuple):
        yield _DIE, start.dice, wall.dice
    for player, hand in enumerate(start.hands):
        yield f"tile dealt to player {player}", hand, wall.hands[player]
    known = shown(frame)
    yield "draw", known.draws, wall.draws
    yield "replacement tile", known.replacements, wall.replacements
    yield "dora indicator", known.indicators, wall.indicators
    yield "ura dora indicator", known.ura, wall.ura


def _difference(frame: str, what: str, found: _Tiles, wanted: _Tiles, *, red_fives: bool | None) -> Difference:
    """Return the first difference of *found* from *wanted*, of which there may be fewer."""
    pairs = zip_longest(found, wanted[: len(found)])
    number, pair = next((number, pair) for number, pair in enumerate(pairs, 1) if pair[0] != pair[1])

    def named(value: int | None) -> str:
        if value is None:
            return "nothing"
        return str(value) if what == _DIE else label(value, red_fives=red_fives)

    return Difference(frame, f"{_ordinal(number)} {what}", *map(named, pair))


def _ordinal(number: int) -> str:
    ending = {1: "st", 2: "nd", 3: "rd"}.get(number % 10, "th")
    return f"{number}{'th' if number // 10 % 10 == 1 else ending}"
