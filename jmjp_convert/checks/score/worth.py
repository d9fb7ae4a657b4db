"""Says what every tenpai hand of a frame would win at each moment: for each wait, by ron and by tsumo.

The values are those of :mod:`jmjp_convert.checks.score.hands`, for a win right then: with ippatsu, a replacement tile
or the last tile where that is so, without ura dora, which nobody sees, and without the robbing of a kan.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress

from jmjp_convert.checks.score.frame import OPEN_RIICHI, house_of, judged_by
from jmjp_convert.checks.score.hands import Calculator, NoWinError, Value, for_three
from jmjp_convert.checks.score.report import NotJudgedError
from jmjp_convert.checks.score.win_context import PlayedFrame, WinContext
from jmjp_convert.errors import PlayError
from jmjp_convert.model import DoraRevealed, Ending, Frame, Hand, House, Match, Rules, houses
from jmjp_convert.model.record import record
from jmjp_convert.model.tiles import EAST, KIND_FACES, RED_OF, any_copy
from jmjp_convert.play.dora_indicators import with_indicators

_THREE = 3


@record
class Worth:
    """What a win on *tile* is worth by *ron* and by *tsumo*; ``None``: nothing, since there is no yaku.

    :ivar tile: the tile of any copy; a red five apart from the others.
    """

    tile: int
    ron: Value | None
    tsumo: Value | None


@record
class Change:
    """A change of what a hand is worth.

    :ivar step: after how many events of the frame, as :func:`~jmjp_convert.play.dora_indicators.with_indicators` has
        it.
    :ivar player: whose hand.
    :ivar worths: of each tile that the hand waits for and does not hold four times.
    """

    step: int
    player: int
    worths: tuple[Worth, ...]


def worths(match: Match, house: House | None = None) -> list[list[Change]]:
    """Return for each frame of *match*, whose frames have all been replayed, what its tenpai hands are worth, in order:
    each holds until the next of the same player. There is nothing where the hand or the dora are unknown.

    :param house: as for :func:`~jmjp_convert.checks.score.check_score`.
    :raises MissingExtraError: the package ``mahjong`` is not installed.
    :raises NotJudgedError: the rules may not be those of the ranked games of a house.
    """
    reason = houses.own_rules(match.rules) if house is None else None
    if reason is not None:
        raise NotJudgedError(reason)
    rules = judged_by(match.rules, house)
    values = _Values(rules, match, house)
    return [list(_changes(frame, rules, values)) for frame in match.frames]


class _Values:
    """The values of hands by the rules of a match."""

    def __init__(self, rules: Rules, match: Match, house: House | None) -> None:
        self._house = house_of(match, house)
        self._calculator = Calculator(rules, self._house)
        self._missing = self._house.missing(rules)[0] if rules.players == _THREE else None

    def worths(self, hand: Hand, kinds: tuple[int, ...], ron: WinContext, tsumo: WinContext) -> Iterator[Worth]:
        """Yield what *hand*, which waits for *kinds*, is worth in the circumstances *ron* and *tsumo*."""
        for tile in _tiles(kinds):
            completed = Hand(hand.tiles, tile, hand.melds)
            with suppress(NotJudgedError):  # the hand has all copies of it, or there is no red one
                yield Worth(tile, self._value(completed, ron), self._value(completed, tsumo))

    def _value(self, hand: Hand, context: WinContext) -> Value | None:
        """Return the value of *hand*; ``None`` without a yaku.

        :raises NotJudgedError: it is unknown.
        """
        if context.open_riichi and not context.tsumo:
            raise NotJudgedError(OPEN_RIICHI)
        try:
            value = self._calculator.value(hand, context)
        except NoWinError:
            return None
        if not context.tsumo or self._missing is None:
            return value
        return for_three(value, self._missing, dealer=context.seat_wind == EAST)


def _tiles(kinds: tuple[int, ...]) -> Iterator[int]:
    """Yield the tiles of *kinds*, a red five apart."""
    for kind in kinds:
        tile = any_copy(KIND_FACES[kind])
        yield tile
        if tile in RED_OF:
            yield RED_OF[tile]


def _changes(frame: Frame, rules: Rules, values: _Values) -> Iterator[Change]:
    """Yield the changes of what the hands of *frame* are worth."""
    if not frame.end.hands:
        return
    completed = with_indicators(frame, rules)
    if completed.start.indicator is None:
        return
    course = _Course(PlayedFrame(frame, rules), values)
    turned: list[DoraRevealed] = []
    course.played.show(completed.start.indicator, turned)
    yield from course.changes(0)
    for step, event in enumerate(completed.events, 1):
        if isinstance(event, Ending):
            break
        if isinstance(event, DoraRevealed):
            turned.append(event)
        if not isinstance(event, DoraRevealed) or completed is frame:
            course.played.play(event)
        course.played.show(completed.start.indicator, turned)
        yield from course.changes(step)


class _Course:
    """What the hands of a frame are worth in the course of it.

    :ivar played: the frame, which is played further between the calls.
    """

    def __init__(self, played: PlayedFrame, values: _Values) -> None:
        self.played = played
        self._values = values
        players = range(len(played.table.hands))
        self._hands: list[tuple[bytes, int] | None] = [None for _ in players]
        self._waits: list[tuple[int, ...]] = [() for _ in players]
        self._known: list[object] = [None for _ in players]
        self._last: list[tuple[Worth, ...]] = [() for _ in players]

    def changes(self, step: int) -> Iterator[Change]:
        """Yield the changes since the last call, as of *step*."""
        table = self.played.table
        for player, tiles in enumerate(table.hands):
            hand = bytes(tiles), len(table.melds[player])
            if hand != self._hands[player]:
                self._hands[player] = hand
                self._waits[player] = self._waits_of(player)
            waits = self._waits[player]
            if not waits:
                continue
            ron, tsumo = (self.played.possible(player, tsumo=tsumo) for tsumo in (False, True))
            if self._known[player] == (hand, ron, tsumo):
                continue
            self._known[player] = hand, ron, tsumo
            whole = Hand(tuple(sorted(tiles)), None, tuple(table.melds[player]))
            found = tuple(self._values.worths(whole, waits, ron, tsumo))
            if found != self._last[player]:
                self._last[player] = found
                yield Change(step, player, found)

    def _waits_of(self, player: int) -> tuple[int, ...]:
        """Return the kinds that *player* waits for; none if the hand is unknown."""
        try:
            return self.played.table.waits(player)
        except PlayError:
            return ()
