"""Conditions in the last hand: the cheapest hand for each better placement, against an enumeration of all hands."""

from __future__ import annotations

from functools import cache
from itertools import product
from pathlib import Path
from random import Random

import pytest
from effort import many

from jmjp_convert.checks.score.conditions import ANY, Condition, Price, conditions
from jmjp_convert.formats.mjlog.reader import read_mjlog
from jmjp_convert.model import (
    Discard,
    Draw,
    End,
    Frame,
    House,
    Limit,
    Match,
    RiichiAccepted,
    RiichiDeclared,
    Rules,
    Start,
)
from jmjp_convert.model.houses import WAREME
from jmjp_convert.model.record import replace
from jmjp_convert.model.tenhou import rules as rules_of

VALID = Path(__file__).parent.parent / "fixtures" / "valid"
SOUTH, EAST, THREE = rules_of(9, 0), rules_of(1, 0), rules_of(25, 0)
SPLIT = Rules(3, house=House.RIICHI_CITY, custom=(("game", "friends"),), east_only=False)


def last_hand(
    points: tuple[int, ...], *, rules: Rules = SOUTH, dealer: int = 3, honba: int = 0, sticks: int = 0, number: int = 7
) -> Match:
    """Return a match of one frame, number *number* of the rounds, that begins with these *points*."""
    match = read_mjlog(VALID / "plain.xml")
    start = replace(match.frames[0].start, round=number, dealer=dealer, honba=honba, sticks=sticks, points=points)
    frame = Frame(start, (), End((), None), None)
    players = match.players[: rules.players]
    return replace(match, frames=(frame,), players=players, rules=rules, results=None, final_points=None)


def of(match: Match) -> tuple[tuple[Condition, ...], ...]:
    """Return the conditions at the start of the only frame of *match*."""
    return conditions(match)[0][0].conditions


# --- an enumeration ---------------------------------------------------------------------------------------------------


def up(points: int) -> int:
    """Return *points* rounded up to hundreds."""
    return (points + 99) // 100 * 100


@cache
def hands(*, tsumo: bool) -> frozenset[int]:
    """Return the basic points of every hand: each of fu and han, and each limit up to one yakuman."""
    basic_points = {2000, 3000, 4000, 6000, 8000}
    for han, fu in product((1, 2, 3, 4), (20, 25, 30, 40, 50, 60, 70, 80, 90, 100, 110)):
        if fu == 20 and not (tsumo and han >= 2):
            continue  # pinfu with tsumo
        if fu == 25 and han < (3 if tsumo else 2):
            continue  # seven pairs
        basic_points.add(min(2000, fu * 2 ** (2 + han)))
    return frozenset(basic_points)


def paid(basic: int, player: int, source: int | None, start: Start, honba: int) -> list[int]:
    """Return what everybody pays to *player*, whose hand has *basic* points."""
    players, dealer = len(start.points or ()), start.dealer
    due = [0] * players
    for payer in range(players):
        if payer == player:
            continue
        if source is None:
            double = dealer in (player, payer)
            due[payer] = up(basic * (2 if double else 1)) + 100 * honba
        elif payer == source:
            due[payer] = up(basic * (6 if player == dealer else 4)) + 100 * honba * (players - 1)
    return due


def cheapest(match: Match, player: int, source: int | None, placement: int) -> int | None:
    """Return the least that a hand brings *player* so that *placement* or a better one is reached, without honba and
    sticks; 0 if every hand is enough, ``None`` if no hand is."""
    start = match.frames[0].start
    assert start.points is not None
    assert start.sticks is not None
    enough, all_worths = set(), set()
    for basic in hands(tsumo=source is None):
        due = paid(basic, player, source, start, start.honba)
        after = [have - owed for have, owed in zip(start.points, due, strict=True)]
        after[player] += sum(due) + 1000 * start.sticks
        better = sum((points, -seat) > (after[player], -player) for seat, points in enumerate(after) if seat != player)
        worth = sum(paid(basic, player, source, start, 0))
        all_worths.add(worth)
        if better < placement:
            enough.add(worth)
    return None if not enough else 0 if enough == all_worths else min(enough)


def total(price: Price | None, player: int, match: Match, *, tsumo: bool) -> int | None:
    """Return the points of a hand of that *price*."""
    if price is None or price is ANY or not tsumo:
        return None if price is None else price.main
    dealer, players = match.frames[0].start.dealer, match.rules.players
    if player == dealer:
        return price.main * (players - 1)
    return price.main + price.additional * (players - 2)


@pytest.mark.parametrize("rules", [SOUTH, THREE])
def test_enumeration(rules: Rules) -> None:
    """Each condition is the least of all hands that are enough: with any points, honba, sticks and dealer, ties too."""
    random = Random(7)  # noqa: S311 - points to try
    seen: set[object] = set()
    for _ in range(many(2000)):
        spread = random.choice((300, 3000, 30000))
        points = tuple(random.randrange(-spread, spread, 100) + 30000 for _ in range(rules.players))
        match = last_hand(
            points,
            rules=rules,
            dealer=random.randrange(rules.players),
            honba=random.choice((0, 0, 1, 2, 7)),
            sticks=random.choice((0, 0, 1, 3)),
            number=7 if rules.players == 4 else 6,
        )
        order = sorted(range(rules.players), key=lambda player: (-points[player], player))
        for player, conditions_ in enumerate(of(match)):
            assert [condition.placement for condition in conditions_] == list(range(order.index(player), 0, -1))
            for condition in conditions_:
                needed = [total(condition.tsumo, player, match, tsumo=True)]
                needed += [total(price, player, match, tsumo=False) for price in condition.ron]
                expected = [cheapest(match, player, None, condition.placement)]
                expected += [
                    None if source == player else cheapest(match, player, source, condition.placement)
                    for source in range(rules.players)
                ]
                assert needed == expected, (match.frames[0].start, player, condition)
                seen |= {price.limit for price in (condition.tsumo, *condition.ron) if price is not None} | set(
                    needed[:1]
                )
    assert set(Limit) | {None, 0} <= seen


# --- known positions --------------------------------------------------------------------------------------------------


def price(main: int, additional: int = 0, *, fu: int = 0, han: int = 0, limit: Limit = Limit.NONE) -> Price:
    """Return a price."""
    return Price(main, additional, limit, fu, han)


def test_position() -> None:
    """7,900 behind, the second needs 1600/3200 by tsumo, 4500 by a direct hit, and a mangan off the others."""
    match = last_hand((33000, 25100, 22000, 19900))
    (second,) = of(match)[1]
    assert second == Condition(
        1,
        tsumo=price(3200, 1600, fu=50, han=3),
        ron=(price(4500, fu=70, han=2), None, price(8000, limit=Limit.MANGAN), price(8000, limit=Limit.MANGAN)),
    )


def test_missing_player() -> None:
    """With three players, the part of the missing one in a tsumo is lost, and at a table that may split it, too."""
    for rules in (THREE, SPLIT):
        conditions_ = of(last_hand((40000, 34000, 31000), rules=rules, dealer=2, number=6))
        assert conditions_[1][0].tsumo == price(3200, 1600, fu=50, han=3)


def test_riichi() -> None:
    """A riichi begins a new stage: the player has paid a stick, which the winner gets."""
    match = last_hand((33000, 25000, 22000, 20000))
    start = match.frames[0].start
    assert start.indicator is not None
    events = (Draw(3, 0), RiichiDeclared(3), Discard(3, 0, tsumogiri=True), RiichiAccepted(3), Draw(0, 1))
    match = replace(match, frames=(replace(match.frames[0], events=events),))
    before, after = conditions(match)[0]
    assert (before.step, after.step) == (0, 4)
    same = last_hand((33000, 25000, 22000, 19000), sticks=1)
    assert after.conditions == of(same)
    assert before.conditions != after.conditions


@pytest.mark.parametrize(
    ("rules", "number", "expected"),
    [(SOUTH, 6, False), (SOUTH, 7, True), (SOUTH, 8, True), (EAST, 2, False), (EAST, 3, True), (EAST, 5, True)],
)
def test_last_hand(rules: Rules, number: int, *, expected: bool) -> None:
    """The last hand is that of the last round, and each one after it if the match is extended."""
    assert bool(conditions(last_hand((25000,) * 4, rules=rules, number=number))) == expected


@pytest.mark.parametrize(("number", "expected"), [(5, False), (6, True)])
def test_last_hand_of_three(number: int, *, expected: bool) -> None:
    """With three players, it is South 3."""
    assert bool(conditions(last_hand((35000,) * 3, rules=THREE, number=number, dealer=2))) == expected


def test_unknown_length() -> None:
    """If the length of a match is not recorded, the last hand is the last frame of one that has ended."""
    unknown = Rules(4)
    match = read_mjlog(VALID / "plain.xml")
    assert list(conditions(replace(match, rules=unknown))) == [len(match.frames) - 1]
    assert conditions(replace(match, rules=unknown, results=None, final_points=None)) == {}


def test_unknown_points() -> None:
    """Without points or sticks, or with a wareme, there are no conditions."""
    match = last_hand((25000,) * 4)
    (frame,) = match.frames
    for start in (replace(frame.start, points=None), replace(frame.start, sticks=None)):
        assert conditions(replace(match, frames=(replace(frame, start=start),))) == {}
    wareme = Rules(4, house=House.RIICHI_CITY, custom=((WAREME, "on"),), east_only=False)
    assert conditions(last_hand((25000,) * 4, rules=wareme)) == {}
