"""Says what every tenpai hand of a frame would win at each moment: for each wait, by ron and by tsumo.

The values are those of :mod:`.hand_value`, for a win right then: with ippatsu, a replacement tile or the last tile
where that is so, without ura dora, which nobody sees, and without the robbing of a kan.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import NamedTuple

from jmjp_convert.checks.score.frame import judged_by
from jmjp_convert.checks.score.hand_value import Calculator, Completed, NoWinError, Value
from jmjp_convert.checks.score.report import NotJudgedError
from jmjp_convert.checks.score.win_context import PlayedFrame, WinContext
from jmjp_convert.errors import PlayError
from jmjp_convert.model import (
    Discard,
    DoraRevealed,
    Draw,
    Ending,
    Event,
    Frame,
    Hand,
    House,
    Match,
    Meld,
    Rules,
    Yaku,
    houses,
)
from jmjp_convert.model.tiles import KIND_FACES, RED_OF, any_copy
from jmjp_convert.model.yaku import DORA, IPPATSU, RED_FIVES
from jmjp_convert.play.dora_indicators import with_indicators


class Worth(NamedTuple):
    """What a win on *tile* is worth by *ron* and by *tsumo*; ``None``: nothing, since there is no yaku."""

    tile: int  # the tile of any copy; a red five apart from the others
    ron: Value | None
    tsumo: Value | None


class Change(NamedTuple):
    """A change of what a hand is worth."""

    step: int  # after how many events of the frame, as with_indicators has it
    player: int  # whose hand
    worths: tuple[Worth, ...]  # of each tile that the hand waits for and does not hold four times


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
    calculator = Calculator(rules)
    return [list(_changes(frame, rules, calculator)) for frame in match.frames]


class _Ready:
    """A hand that is tenpai.

    The package values it for each wait and circumstances once. Dora, ippatsu and a red winning tile only add han; with
    these left to :meth:`Calculator.with_han`, that is half as often.
    """

    def __init__(self, hand: Hand, kinds: tuple[int, ...], calculator: Calculator) -> None:
        self._calculator = calculator
        self._tiles: list[tuple[int, Completed, tuple[Yaku, ...]]] = []
        for kind in kinds:
            self._add(hand, any_copy(KIND_FACES[kind]))
        self._bare: dict[WinContext, list[Value | None]] = {}

    def _add(self, hand: Hand, tile: int) -> None:
        """Add the wait for *tile*, and for a red five as a plain one that is worth a han more."""
        plain = self._completed(hand, tile)
        if plain is not None:
            self._tiles.append((tile, plain, ()))
        if tile in RED_OF and (red := self._completed(hand, RED_OF[tile])) is not None:
            self._tiles.append((RED_OF[tile], plain or red, (Yaku(RED_FIVES, 1),) if plain else ()))

    def _completed(self, hand: Hand, tile: int) -> Completed | None:
        """Return *hand* completed by *tile*; ``None`` if the hand has all copies of it, or there is no red one."""
        try:
            return self._calculator.completed(Hand(hand.tiles, tile, hand.melds))
        except NotJudgedError:
            return None

    def worths(self, ron: WinContext, tsumo: WinContext) -> Iterator[Worth]:
        """Yield what the waits are worth in the circumstances *ron* and *tsumo*."""
        if ron.open_riichi:
            return  # what a ron off an open riichi is worth is not known
        tiles = (tile for tile, _, _ in self._tiles)
        yield from map(Worth, tiles, self._values_of(ron), self._values_of(tsumo))

    def _values_of(self, context: WinContext) -> Iterator[Value | None]:
        """Yield the values of the waits in the circumstances *context*."""
        bare = context._replace(ippatsu=False, indicators=())
        if bare not in self._bare:
            values = {id(hand): hand for _, hand, _ in self._tiles}
            bare_values = {number: self._bare_value(hand, bare) for number, hand in values.items()}
            self._bare[bare] = [bare_values[id(hand)] for _, hand, _ in self._tiles]
        ippatsu = (Yaku(IPPATSU, 1),) if context.ippatsu else ()
        for (_, hand, red), value in zip(self._tiles, self._bare[bare], strict=True):
            if value is not None:
                dora = self._calculator.dora(hand, context.indicators)
                more = (*ippatsu, *((Yaku(DORA, dora),) if dora else ()), *red)
                paid = self._calculator.with_han(value, more, bare) if more else value
                yield self._calculator.as_paid(paid, context)[0]
            else:
                yield None

    def _bare_value(self, hand: Completed, context: WinContext) -> Value | None:
        """Return the value of *hand* in circumstances without dora and ippatsu."""
        try:
            return self._calculator.completed_value(hand, context)
        except NoWinError:
            return None


def _changes(frame: Frame, rules: Rules, calculator: Calculator) -> Iterator[Change]:
    """Yield the changes of what the hands of *frame* are worth."""
    if not frame.end.hands:
        return
    completed = with_indicators(frame, rules)
    if completed.start.indicator is None:
        return
    course = _Course(PlayedFrame(frame, rules), calculator)
    turned: list[DoraRevealed] = []
    course.played.show(completed.start.indicator, turned)
    yield from course.changes(0, range(rules.players))
    for step, event in enumerate(completed.events, 1):
        if isinstance(event, Ending):
            break
        if isinstance(event, DoraRevealed):
            turned.append(event)
            course.played.show(completed.start.indicator, turned)
        if not isinstance(event, DoraRevealed) or completed is frame:
            course.played.play(event)
        if players := course.affected(event):
            yield from course.changes(step, players)


class _Course:
    """What the hands of a frame are worth in the course of it."""

    def __init__(self, played: PlayedFrame, calculator: Calculator) -> None:
        self.played = played  # the frame, which is played further between the calls
        self._calculator = calculator
        players = range(len(played.table.hands))
        self._hands: list[tuple[bytes, tuple[Meld, ...]] | None] = [None for _ in players]
        self._ready: list[_Ready | None] = [None for _ in players]
        self._known: list[object] = [None for _ in players]
        self._last: list[tuple[Worth, ...]] = [() for _ in players]

    def affected(self, event: Event) -> Iterable[int]:
        """Return the players whose hands may be worth something else after *event*."""
        if not any(self._ready) and (type(event) is Draw or (type(event) is Discard and event.tsumogiri)):
            return ()  # no hand changes
        return self.played.affected(event)

    def changes(self, step: int, players: Iterable[int]) -> Iterator[Change]:
        """Yield the changes since the last call, as of *step*, which can be only in the hands of *players*."""
        table = self.played.table
        for player in players:
            hand = bytes(table.hands[player]), tuple(table.melds[player])
            if hand != self._hands[player]:
                self._hands[player], self._known[player] = hand, None
                self._ready[player] = self._ready_hand(player)
            ready = self._ready[player]
            if ready is None:
                continue
            ron, tsumo = (self.played.possible(player, tsumo=tsumo) for tsumo in (False, True))
            if self._known[player] == (ron, tsumo):
                continue
            self._known[player] = ron, tsumo
            worth = tuple(ready.worths(ron, tsumo))
            if worth != self._last[player]:
                self._last[player] = worth
                yield Change(step, player, worth)

    def _ready_hand(self, player: int) -> _Ready | None:
        """Return the hand of *player* if it is known and tenpai."""
        table = self.played.table
        try:
            waits = table.waits(player)
        except PlayError:
            return None
        if not waits:
            return None
        hand = Hand(tuple(sorted(table.hands[player])), None, tuple(table.melds[player]))
        return _Ready(hand, waits, self._calculator)
