"""The policy that follows a plan, and decides the rest at random."""

from __future__ import annotations

from simulator.hand_shapes import SET, SUIT_SHAPES, UNIT_OF
from simulator.legal_actions import (
    declarable_melds,
    may_declare_nine_terminals,
    may_declare_riichi,
    possible_calls,
    tenpai_discards,
)
from simulator.melds import Meld, MeldType, forbidden_discards
from simulator.plans import Plan
from simulator.policy import Action, Discard, NineTerminals, Tsumo
from simulator.random_source import RandomSource
from simulator.seat import Seat
from simulator.table import Table
from simulator.tile_kinds import COPIES, NORTH, RED_FIVES, SUIT_OF, WINDS, bits_of, kinds_of

_RED_FIVE_COST = 12
_DRAWN_COST = -0.5
_PREFERRED_COST = -120
_PROGRESS_WORTH_A_CALL = 25
_COST_TO_KEEP = 60


class PlanPolicy:
    """Follows *plan* in one frame.

    :param wild: whether the player prefers calls, kans and riichi.
    """

    def __init__(self, table: Table, seat: Seat, plan: Plan, random: RandomSource, *, wild: bool) -> None:
        self._table = table
        self._seat = seat
        self._plan = plan
        self._random = random
        self._wild = wild

    # --- in the player's own turn ------------------------------------------------------------------------------------

    def act(self) -> Action:
        """Choose what to do after a draw."""
        seat, table = self._seat, self._table
        assert seat.drawn is not None
        if seat.disconnected:
            return Discard(seat.drawn)
        value = table.tsumo_value(seat)
        if value is not None and self._plan.wins and self._random.chance(99 if seat.riichi else 97):
            return Tsumo(value)
        if table.uninterrupted and may_declare_nine_terminals(table, seat) and self._breaks_off():
            return NineTerminals()
        for meld in declarable_melds(table, seat):
            if self._declares(meld):
                return meld
        return Discard(seat.drawn) if seat.riichi else self._discard()

    def _breaks_off(self) -> bool:
        return self._plan.breaks_off and self._random.chance(30 if self._wild else 70)

    def _declares(self, meld: Meld) -> bool:
        if meld.type is MeldType.KITA:
            kept = self._plan.costs[NORTH][1] >= _COST_TO_KEEP
            return not kept and self._random.chance(97)
        percent = self._plan.kan and max(self._plan.kan, 60 if self._wild or meld.type is MeldType.ANKAN else 0)
        return self._random.chance(percent)

    # --- discards ----------------------------------------------------------------------------------------------------

    def _discard(self, forbidden: tuple[int, ...] = ()) -> Discard:
        """Choose a discard of a kind not in *forbidden*."""
        seat = self._seat
        choices = tenpai_discards(seat)
        if choices:
            chosen = self._for_tenpai(choices, forbidden)
            if chosen is not None:
                may_riichi = may_declare_riichi(self._table, seat) and not forbidden
                riichi = may_riichi and self._random.chance(self._plan.riichi)
                return Discard(self._copy(chosen), riichi)
        return Discard(self._cheapest(forbidden))

    def _for_tenpai(self, choices: dict[int, int], forbidden: tuple[int, ...]) -> int | None:
        """Return the kind whose discard leaves the hand tenpai with the most tiles to wait for."""
        seat, seen, costs = self._seat, self._table.seen, self._plan.costs
        best, found = 0.0, None
        for kind, waiting in sorted(choices.items()):
            if kind in forbidden or (not self._plan.builds_sets and costs[kind][seat.counts[kind]] > _COST_TO_KEEP):
                continue
            tiles = sum(COPIES - seen[other] - seat.counts[other] for other in kinds_of(waiting))
            rating = 1 + tiles + self._random.fraction() - 0.1 * costs[kind][seat.counts[kind]]
            if found is None or rating > best:
                best, found = rating, kind
        return found

    def _cheapest(self, forbidden: tuple[int, ...]) -> int:
        """Return the tile whose discard costs the least."""
        seat, plan, fraction = self._seat, self._plan, self._random.fraction
        drawn, counts, costs, red_fives = seat.drawn, seat.counts, plan.costs, self._table.rules.red_fives
        losses = [SUIT_SHAPES[key].loss for key in seat.keys]
        preferred = self._preferred()
        least, found = 1e9, seat.tiles[-1]
        for tile in seat.tiles:
            kind = tile >> 2
            if kind in forbidden:
                continue
            cost = costs[kind][counts[kind]] + 2 * fraction()
            if plan.builds_sets:
                cost += losses[SUIT_OF[kind]][kind % 9]
            if tile == drawn:
                cost += _DRAWN_COST
            if red_fives and tile in RED_FIVES:
                cost += _RED_FIVE_COST
            if preferred >> kind & 1:
                cost += _PREFERRED_COST
            if cost < least:
                least, found = cost, tile
        return found

    def _preferred(self) -> int:
        """Return the kinds, as bits, to discard first: those that feed the player to be fed; in wild games, the wind
        that everybody has discarded; in other games, what is safe against riichi, unless the player is fearless."""
        if self._plan.fed is not None:
            counts = self._table.seats[self._plan.fed].counts
            return self._plan.fed_kinds & bits_of(kind for kind, count in enumerate(counts) if count > 1)
        if self._wild:
            return self._common_wind()
        safe = 0
        for other in () if self._plan.fearless else self._table.seats:
            if other.riichi and other is not self._seat:
                safe |= other.discarded
        return safe

    def _common_wind(self) -> int:
        """Return, in the first go-around, the wind that all players before this one have discarded, as a bit."""
        table, seat = self._table, self._seat
        if not table.uninterrupted or seat.river or table.after(seat.player, -1).river == []:
            return 0
        discarded = {other.river[0] for other in table.seats if other.river}
        return bits_of(discarded) if len(discarded) == 1 and min(discarded) in WINDS else 0

    def _copy(self, kind: int) -> int:
        """Return the tile of *kind* to discard: usually the one just drawn, and a red five last."""
        copies = self._seat.tiles_of(kind)
        drawn = self._seat.drawn
        if drawn in copies and drawn not in RED_FIVES and self._random.chance(85):
            return drawn
        return copies[0]

    # --- in others' turns --------------------------------------------------------------------------------------------

    def wins(self) -> bool:
        """Choose whether to win on another player's tile."""
        return self._plan.wins and not self._seat.disconnected and self._random.chance(99 if self._seat.riichi else 96)

    def call(self, tile: int, source: int) -> Meld | None:
        """Choose a call, if any, with *tile*, just discarded by the player *source*."""
        seat, plan = self._seat, self._plan
        if seat.disconnected or seat.riichi:
            return None
        anything = self._wild and self._random.chance(4)
        if not anything and not (plan.pon_kinds | plan.chi_kinds | plan.open_kinds) >> (tile >> 2) & 1:
            return None
        options = possible_calls(self._table, seat, tile, source, self._random)
        wanted = [meld for meld in options if anything or self._helps(meld)]
        return self._random.choice(wanted) if wanted else None

    def _helps(self, meld: Meld) -> bool:
        plan, seat = self._plan, self._seat
        kan = max(plan.kan // 2, 20 * self._wild, plan.kan - 40)
        if meld.type is MeldType.DAIMINKAN and not self._random.chance(kan):
            return False
        allowed = plan.chi_kinds if meld.type is MeldType.CHI else plan.pon_kinds
        if plan.open_kinds and seat.open and any(plan.yaku_kinds >> other.kind & 1 for other in seat.melds):
            allowed |= plan.open_kinds
        if not all(allowed >> (tile >> 2) & 1 for tile in meld.tiles):
            return False
        return not plan.builds_sets or self._gain(meld) >= _PROGRESS_WORTH_A_CALL

    def _gain(self, meld: Meld) -> int:
        """Return how much progress *meld* adds to the hand."""
        suit = SUIT_OF[meld.kind]
        key = self._seat.keys[suit]
        left = key - sum(UNIT_OF[tile >> 2] for tile in meld.held)
        return SET + SUIT_SHAPES[left].progress - SUIT_SHAPES[key].progress

    def discard_after(self, call: Meld) -> int:
        """Choose the tile to discard after *call*."""
        return self._discard(forbidden_discards(call)).tile
