"""What a player chooses of all that is allowed."""

from __future__ import annotations

from typing import NamedTuple

from simulator.hand_shapes import COPIES, NORTH, SET, SUIT, SUITS, UNIT, WINDS, kinds_of
from simulator.hand_value import Worth
from simulator.legal_actions import calls, may_riichi, nine_terminals, own_melds, ready
from simulator.melds import RED, Laid, Name, swapped
from simulator.plans import Plan
from simulator.random_source import Chance
from simulator.seat import Seat
from simulator.table import Table

_RED_COST = 12
_DRAWN_COST = -0.5
_SAFE = -120
_WORTH_CALLING = 25
_NEVER_KEPT = 60


class Tsumo(NamedTuple):
    """A win with the tile just drawn."""

    worth: Worth


class Nine(NamedTuple):
    """Nine terminals."""


class Throw(NamedTuple):
    """A discard, with riichi or without."""

    tile: int
    riichi: bool = False


Act = Tsumo | Nine | Throw | Laid


class Mind:
    """A player's mind, in one frame.

    :param wild: prefers calls, kans and riichi.
    """

    def __init__(self, table: Table, seat: Seat, plan: Plan, chance: Chance, *, wild: bool) -> None:
        self._table = table
        self._seat = seat
        self.plan = plan
        self._wild = wild
        self._chance = chance

    # --- in the own turn ---------------------------------------------------------------------------------------------

    def act(self) -> Act:
        """Choose what to do with the tile just drawn."""
        seat, table = self._seat, self._table
        assert seat.drawn is not None
        if seat.gone:
            return Throw(seat.drawn)
        worth = table.tsumo(seat)
        if worth is not None and self.plan.wins and self._chance.in_(99 if seat.riichi else 97):
            return Tsumo(worth)
        if table.untouched and nine_terminals(table, seat) and self._breaks_off():
            return Nine()
        for meld in own_melds(table, seat):
            if self._declares(meld):
                return meld
        return Throw(seat.drawn) if seat.riichi else self.throw()

    def _breaks_off(self) -> bool:
        return self.plan.breaks_off and self._chance.in_(30 if self._wild else 70)

    def _declares(self, meld: Laid) -> bool:
        if meld.name is Name.KITA:
            kept = self.plan.costs[NORTH][1] >= _NEVER_KEPT
            return not kept and self._chance.in_(97)
        likely = self.plan.kan and max(self.plan.kan, 60 if self._wild or meld.name is Name.ANKAN else 0)
        return self._chance.in_(likely)

    # --- discards ----------------------------------------------------------------------------------------------------

    def throw(self, forbidden: tuple[int, ...] = ()) -> Throw:
        """Choose a discard, of none of the kinds *forbidden*."""
        seat = self._seat
        choices = ready(seat)
        if choices:
            chosen = self._ready(choices, forbidden)
            if chosen is not None:
                riichi = may_riichi(self._table, seat) and not forbidden and self._chance.in_(self.plan.riichi)
                return Throw(self._copy(chosen), riichi)
        return Throw(self._least(forbidden))

    def _ready(self, choices: dict[int, int], forbidden: tuple[int, ...]) -> int | None:
        """Return of the kinds that leave the hand tenpai that with the most tiles to wait for."""
        seat, seen, costs = self._seat, self._table.seen, self.plan.costs
        best, found = 0.0, None
        for kind, waiting in sorted(choices.items()):
            if kind in forbidden or (not self.plan.shape and costs[kind][seat.counts[kind]] > _NEVER_KEPT):
                continue
            tiles = sum(COPIES - seen[other] - seat.counts[other] for other in kinds_of(waiting))
            value = 1 + tiles + self._chance.random() - 0.1 * costs[kind][seat.counts[kind]]
            if found is None or value > best:
                best, found = value, kind
        return found

    def _least(self, forbidden: tuple[int, ...]) -> int:
        """Return the tile that is the least loss."""
        seat, plan, random = self._seat, self.plan, self._chance.random
        drawn, counts, costs, red_fives = seat.drawn, seat.counts, plan.costs, self._table.rules.red_fives
        losses = [SUITS[key].loss for key in seat.keys]
        safe = self._safe()
        least, found = 1e9, seat.tiles[-1]
        for tile in seat.tiles:
            kind = tile >> 2
            if kind in forbidden:
                continue
            cost = costs[kind][counts[kind]] + 2 * random()
            if plan.shape:
                cost += losses[SUIT[kind]][kind % 9]
            if tile == drawn:
                cost += _DRAWN_COST
            if red_fives and tile in RED:
                cost += _RED_COST
            if safe >> kind & 1:
                cost += _SAFE
            if cost < least:
                least, found = cost, tile
        return found

    def _safe(self) -> int:
        """Return the kinds, as bits, that are thrown first: what another is fed; in wild games the wind that all have
        thrown; in others, but by the bold, what a player with riichi has thrown."""
        if self.plan.fed is not None:
            counts = self._table.seats[self.plan.fed].counts
            return self.plan.takes & sum(1 << kind for kind, count in enumerate(counts) if count > 1)
        if self._wild:
            return self._same_wind()
        safe = 0
        for other in () if self.plan.bold else self._table.seats:
            if other.riichi and other is not self._seat:
                safe |= other.thrown
        return safe

    def _same_wind(self) -> int:
        """Return the wind that all have thrown so far, as a bit, if this is the first go-around."""
        table, seat = self._table, self._seat
        if not table.untouched or seat.river or table.after(seat.player, -1).river == []:
            return 0
        thrown = {other.river[0] for other in table.seats if other.river}
        return 1 << min(thrown) if len(thrown) == 1 and min(thrown) in WINDS else 0

    def _copy(self, kind: int) -> int:
        """Return which tile of *kind* to throw: mostly that just drawn, and a red one last."""
        copies = self._seat.tiles_of(kind)
        drawn = self._seat.drawn
        if drawn in copies and drawn not in RED and self._chance.in_(85):
            return drawn
        return copies[0]

    # --- in others' turns --------------------------------------------------------------------------------------------

    def wins(self) -> bool:
        """Choose whether to win on another's tile."""
        return self.plan.wins and not self._seat.gone and self._chance.in_(99 if self._seat.riichi else 96)

    def call(self, tile: int, source: int) -> Laid | None:
        """Choose whether to call *tile*, which *source* has discarded, and for what."""
        seat = self._seat
        if seat.gone or seat.riichi:
            return None
        anything = self._wild and self._chance.in_(4)
        if not anything and not (self.plan.pon | self.plan.chi | self.plan.opened) >> (tile >> 2) & 1:
            return None
        options = calls(self._table, seat, tile, source, self._chance)
        wanted = [meld for meld in options if anything or self._helps(meld)]
        return self._chance.one_of(wanted) if wanted else None

    def _helps(self, meld: Laid) -> bool:
        plan, seat = self.plan, self._seat
        if meld.name is Name.DAIMINKAN and not self._chance.in_(max(plan.kan // 2, 20 * self._wild, plan.kan - 40)):
            return False
        allowed = plan.chi if meld.name is Name.CHI else plan.pon
        if plan.opened and seat.open and any(plan.keys >> other.kind & 1 for other in seat.melds):
            allowed |= plan.opened
        if not all(allowed >> (tile >> 2) & 1 for tile in meld.tiles):
            return False
        return not plan.shape or self._gain(meld) >= _WORTH_CALLING

    def _gain(self, meld: Laid) -> int:
        """Return how much more the hand is worth with *meld* laid down."""
        suit = SUIT[meld.kind]
        key = self._seat.keys[suit]
        left = key - sum(UNIT[tile >> 2] for tile in meld.held)
        return SET + SUITS[left].worth - SUITS[key].worth

    def after_call(self, call: Laid) -> int:
        """Choose the discard after *call*."""
        return self.throw(swapped(call)).tile
