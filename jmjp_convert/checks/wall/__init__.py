"""Compares every tile of a match with its wall: the one that Tenhou's shuffle seed generates, or the recorded one.

``seed`` and ``recorded`` make the walls, in the order of ``layout``; the rules of all are from docs/design/wall.md.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from enum import Enum
from itertools import zip_longest
from typing import NamedTuple

from jmjp_convert.checks.wall import recorded, seed
from jmjp_convert.errors import MatchError, WallError
from jmjp_convert.messages import Message, Who
from jmjp_convert.model import DoraRevealed, Draw, Frame, Match, Wall, Win
from jmjp_convert.model.record import replace
from jmjp_convert.model.tiles import IDS, RedFives, faces, label
from jmjp_convert.play.course import Course, shown


class Agreement(Enum):
    """Whether a match agrees with its wall."""

    AGREES = "agree"
    DISAGREES = "disagree"
    NO_WALL = "without a seed or wall"


class Difference(NamedTuple):
    """The first difference between a match and its wall: in *frame* ``S2-1``, *what*, the ``14th draw``, is
    *recorded* as ``39 (1p)`` in the log, while the wall has ``77 (2s)`` (*expected*).

    :ivar player: the player to whom a tile is dealt.
    :ivar indices: the index of the frame in its match, and that of the event in its frame, as in :class:`PlayError`.
    """

    frame: str
    what: str
    recorded: str
    expected: str
    player: int | None = None
    indices: tuple[int, int] = (0, -1)

    @property
    def error(self) -> MatchError:
        """The difference as a problem of its match."""
        to = "" if self.player is None else Message(" to {player}", player=Who(self.player))
        said = "the {what}{to} is {found}; {wanted} expected from the wall"
        message = Message(said, what=self.what, to=to, found=self.recorded, wanted=self.expected)
        frame, index = self.indices
        return MatchError(message, frame=frame, name=self.frame, index=index)

    def __str__(self) -> str:
        return str(self.error)


class Flaw(NamedTuple):
    """What is wrong with the recorded wall of *frame* ``S2-1`` by itself: *said*, ``the recorded wall has 82 tiles; 83
    expected``.

    :ivar number: the index of the frame in its match.
    """

    frame: str
    said: str
    number: int = 0

    @property
    def error(self) -> MatchError:
        """The flaw as a problem of its match."""
        return MatchError(self.said, frame=self.number, name=self.frame)

    def __str__(self) -> str:
        return str(self.error)


class WallReport(NamedTuple):
    """The comparison of a match with its wall.

    :ivar difference: the first difference, if the match disagrees with its wall.
    :ivar frames: the number of frames that agree, up to the first difference.
    :ivar tiles: the number of tiles compared that agree, up to the first difference.
    :ivar flaw: what is wrong with a recorded wall, if it is one that no game has.
    :ivar hashes: whether every wall is recorded with a hash that fits its tiles.
    :ivar deal: whether the hands dealt were compared too, which some recorded walls do not have.
    """

    agreement: Agreement
    difference: Difference | None = None
    frames: int = 0
    tiles: int = 0
    flaw: Flaw | None = None
    hashes: bool = False
    deal: bool = True

    @property
    def problem(self) -> Difference | Flaw | None:
        """Why the match disagrees, if it does."""
        return self.flaw or self.difference


def check_wall(match: Match) -> WallReport:
    """Compare *match* with its wall: the dice, the hands in the order of the deal, every draw and replacement tile, and
    every dora and ura dora indicator shown; an unfinished frame, up to where it ends (docs/design/wall.md).

    Of recorded walls, the hash and the number of tiles of each kind are checked first.

    :param match: with a seed, as read from an mjlog with no frame left out: in most forms a frame's wall depends on the
        number of frames before it.
    :raises WallError: a seed is recorded but invalid, or the walls of some frames are recorded and agree, but not all
        are recorded.
    """
    return _compared(match)[0]


def verified_walls(match: Match) -> list[Wall]:
    """Return the wall of each frame of *match*, verified against the tiles that the log shows.

    :param match: as for :func:`check_wall`.
    :raises WallError: the seed or a recorded wall is missing or invalid, or the wall differs from the match.
    """
    report, agreeing = _compared(match)
    if report.agreement is Agreement.NO_WALL:
        raise WallError("no shuffle seed or wall is recorded")
    if report.flaw is not None:
        raise WallError(str(report.flaw))
    if report.difference is not None:
        raise WallError(f"the wall does not belong to this match: {report.difference}")
    return agreeing


def known_walls(match: Match) -> tuple[list[Wall] | None, str]:
    """Return the :func:`verified_walls` of *match*, or ``None`` and why there are none."""
    try:
        return verified_walls(match), ""
    except WallError as error:
        return None, str(error)


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
    frames, rules = match.frames, match.rules
    if any(frame.wall for frame in frames):
        report, agreeing = _compared_with(match, recorded.walls(match), faces(red_fives=rules.red_fives))
        if report.problem is None and len(agreeing) < len(frames):
            raise WallError("the wall of some frames is not recorded")
        deal = all(wall.dealt for wall in agreeing)
        return report._replace(hashes=recorded.proven(frames, rules), deal=deal), agreeing
    shuffle, starts = match.shuffle, [frame.start for frame in frames]
    if shuffle is None or not (shuffle.seed or any(start.shuffle for start in starts)):
        return WallReport(Agreement.NO_WALL), []
    tried = [
        _compared_with(match, seed.walls(shuffle, starts, rules.players, layout), range(IDS))
        for layout in seed.LAYOUTS[shuffle.form, rules.players]
    ]
    return max(tried, key=lambda compared: compared[0].tiles)


def _compared_with(match: Match, walls: Iterable[Wall | str | None], names: Sequence[object]) -> _Compared:
    """Return the comparison of *match* with *walls*, and those of the frames that agree.

    :param walls: of each frame: its wall, what is wrong with it, or ``None`` if there is none.
    :param names: by tile, what is compared: its face, or the tile itself where the walls tell its copies apart.
    """
    agreeing: list[Wall] = []
    tiles = 0
    for number, (frame, wall) in enumerate(zip(match.frames, walls, strict=True)):
        if isinstance(wall, str):
            flaw = Flaw(frame.start.name, wall, number)
            return WallReport(Agreement.DISAGREES, None, len(agreeing), tiles, flaw), agreeing
        if wall is None:
            continue
        for part in _parts(frame, wall):
            nth = part.first_difference(names)
            if nth is not None:
                difference = _difference(number, frame, part, nth, red_fives=match.rules.red_fives)
                return WallReport(Agreement.DISAGREES, difference, len(agreeing), tiles), agreeing
            if part.what != _DIE:
                tiles += len(part.recorded)
        agreeing.append(wall)
    return WallReport(Agreement.AGREES, None, len(agreeing), tiles), agreeing


_Tiles = tuple[int, ...]
_DIE = "die"


_DRAW, _REPLACEMENT, _INDICATOR, _URA = "draw", "replacement tile", "dora indicator", "ura dora indicator"


class _Part(NamedTuple):
    """A part of the wall that a frame shows: *what* its values are, those *recorded* and those *expected*; and the
    *player* to whom they are dealt."""

    what: str
    recorded: _Tiles
    expected: _Tiles
    player: int | None = None

    def first_difference(self, names: Sequence[object]) -> int | None:
        """Return the index of the first value that is not the one expected by *names*; the wall may have less."""
        if self.recorded == self.expected[: len(self.recorded)]:
            return None
        for index, pair in enumerate(self.pairs()):
            recorded, expected = (value if self.what == _DIE or value is None else names[value] for value in pair)
            if recorded != expected:
                return index
        return None

    def pairs(self) -> Iterator[tuple[int | None, int | None]]:
        """Yield each value recorded with the one expected."""
        return zip_longest(self.recorded, self.expected[: len(self.recorded)])


def _parts(frame: Frame, wall: Wall) -> Iterator[_Part]:
    """Yield the parts of the wall that *frame* shows. Without the deal, the dealer's first tile is not known either."""
    start = frame.start
    if isinstance(start.dice, tuple) and wall.dice is not None:
        yield _Part(_DIE, start.dice, wall.dice)
    if wall.dealt:
        for player, hand in enumerate(start.hands):
            yield _Part("tile dealt", hand, wall.hands[player], player)
    known, first = shown(frame), 0 if wall.dealt else 1
    yield _Part(_DRAW, known.draws[first:], wall.draws[first:])
    yield _Part(_REPLACEMENT, known.replacements, wall.replacements)
    yield _Part(_INDICATOR, known.indicators, wall.indicators)
    yield _Part(_URA, known.ura, wall.ura)


def _difference(number: int, frame: Frame, part: _Part, nth: int, *, red_fives: RedFives | None) -> Difference:
    """Return the difference at index *nth* of *part* of *frame*, the one with this *number*."""
    pair = [*part.pairs()][nth]

    def named(value: int | None) -> str:
        if value is None:
            return "nothing"
        return str(value) if part.what == _DIE else label(value, red_fives=red_fives)

    index = _index_of(part, nth, frame) if part.player is None else -2 - part.player
    what = f"{_ordinal(nth + 1)} {part.what}"
    return Difference(frame.start.name, what, named(pair[0]), named(pair[1]), part.player, (number, index))


def _index_of(part: _Part, nth: int, frame: Frame) -> int:
    """Return the index of the event of *frame* that shows the value at index *nth* of *part*; -1: its start."""
    start, events = frame.start, frame.events
    indices: dict[str, list[int]] = {
        _DRAW: [] if start.fourteenth is None else [-1],
        _REPLACEMENT: [],
        _INDICATOR: [] if start.indicator is None else [-1],
    }
    course = Course(start)
    for index, event in enumerate(course.along(events)):
        if type(event) is Draw:
            indices[_DRAW if course.replacement is None else _REPLACEMENT].append(index)
        elif type(event) is DoraRevealed:
            indices[_INDICATOR].append(index)
    # Without the deal, the first tile is not compared.
    before = len(indices[_DRAW]) - len(part.recorded) if part.what == _DRAW else 0
    if nth + before < len(of_part := indices.get(part.what, [])):
        return of_part[nth + before]
    tile = part.recorded[nth]
    wins = ((index, event) for index, event in enumerate(events) if isinstance(event, Win))
    return next((index for index, win in wins if tile in (*(win.indicators or ()), *win.ura)), -1)


def _ordinal(number: int) -> str:
    ending = {1: "st", 2: "nd", 3: "rd"}.get(number % 10, "th")
    return f"{number}{'th' if number // 10 % 10 == 1 else ending}"
