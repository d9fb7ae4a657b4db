"""What the page says of points, of waits and of safety: equal to Python's count at thousands of positions."""

from __future__ import annotations

import json
from collections.abc import Iterator
from itertools import chain, islice
from random import Random
from typing import Any

import effort
import pytest
from browsing import Page, lines
from clients import NO_REAL, REAL, games_of
from effort import many, some
from playing import NORMAL, SANMA, matches

from jmjp_convert.checks.score.hand_value import Calculator, NoWinError, Value, for_three
from jmjp_convert.checks.score.house_rules import HOUSE_RULES
from jmjp_convert.checks.score.win_context import PlayedFrame, WinContext
from jmjp_convert.model import (
    Chi,
    Daiminkan,
    Discard,
    DoraRevealed,
    Draw,
    Ending,
    Event,
    Frame,
    Hand,
    House,
    Kakan,
    Kita,
    Match,
    Pon,
    RiichiDeclared,
    Win,
    houses,
)
from jmjp_convert.model.record import replace
from jmjp_convert.model.tiles import COPIES, KINDS, any_copy, dora, kind
from jmjp_convert.play.melds import tiles_of
from jmjp_convert.play.ponds import PondTable, unseen_by
from jmjp_convert.view.scored import scored

WORTHS = """([text, score]) => JSON.stringify(gather(JSON.parse(text)).frames.map((frame, index) =>
  [...Array(frame.events.length + 1).keys()].map((step) => [...Array(frame.players).keys()].map((player) => {
    const {waits} = readingOf(frame, step, replay(frame, step), player);
    const known = waits.length ? worthsAt(score, index, step, player) : [];
    return known.filter(({code}) => waits.some(({kind}) => kind === kindOf(code)));
  }))))"""
SAFETY_OF = """text => JSON.stringify(gather(JSON.parse(text)).frames.map((frame) =>
  [...Array(frame.events.length + 1).keys()].map((step) => {
    const state = replay(frame, step);
    return [...Array(frame.players).keys()].map((seat) => safetyOf(frame, step, state, seat));
  })))"""


def games(source: str) -> Iterator[Match]:
    """Yield some games of *source* by the rules of ranked games, with exact copies."""
    chosen = some([game.match for game in games_of(REAL)]) if source == REAL else matches(source)
    yield from (match for match in chosen if houses.own_rules(match.rules) is None)


def before_end(frame: Frame) -> list[Event]:
    """Return the events of *frame* before its end."""
    return [event for event in frame.events if not isinstance(event, Ending)]


# --- what waits are worth ---------------------------------------------------------------------------------------------


class Check:
    """The values of wins at any position of a match, as the check finds them: each frame is played from its start."""

    def __init__(self, match: Match) -> None:
        self.match = match
        self.house = HOUSE_RULES[match.rules.house or House.TENHOU]
        self.calculator = Calculator(match.rules, self.house)

    def values(self, frame: Frame, step: int, player: int, tiles: list[int]) -> list[list[Any]] | None:
        """Return what each of *tiles* is worth to *player* after *step* events, by ron and by tsumo; ``None`` where a
        ron would rob a kan."""
        events = before_end(frame)[:step]
        turned = sum(isinstance(event, DoraRevealed) for event in events)
        hand = Hand((), None, ())
        win = Win(player, None, tiles[0])
        for ura in range(KINDS):  # one that shows no dora of the hand
            played = PlayedFrame.ended(
                replace(frame, events=(*events, replace(win, ura=(ura * COPIES,) * (1 + turned)))), self.match.rules
            )
            table = played.table
            hand = Hand(tuple(sorted(table.hands[player])), None, tuple(table.melds[player]))
            whole = chain(hand.tiles, tiles, *map(tiles_of, hand.melds))
            if kind(dora(ura * COPIES, self.match.rules.players)) not in map(kind, whole):
                break
        if type(table.last) not in (Discard, type(None)):
            return None
        wins = [replace(win, source=source) for source in ((player + 1) % self.match.rules.players, None)]
        return [
            [self._value(replace(hand, drawn=tile), played.context(win), frame, player) for win in wins]
            for tile in tiles
        ]

    def _value(self, hand: Hand, context: WinContext, frame: Frame, player: int) -> dict[str, Any] | None:
        try:
            value = self.calculator.value(hand, context)
        except NoWinError:
            return None
        if context.tsumo and self.match.rules.players == 3:
            missing = self.house.missing(self.match.rules)[0]
            value = for_three(value, missing, dealer=player == frame.start.dealer)
        return on_page(value)


def on_page(value: Value) -> dict[str, Any]:
    """Return *value* as the page has it."""
    yaku = [
        {"number": yaku.number} if yaku.han is None else {"number": yaku.number, "han": yaku.han}
        for yaku in value.score.yaku
        if (yaku.number, yaku.han) != (53, 0)
    ]
    limit = value.score.limit.name.lower()
    return {"fu": value.score.fu, "limit": limit, "main": value.main, "additional": value.additional, "yaku": yaku}


@pytest.mark.parametrize("source", [pytest.param(REAL, marks=NO_REAL), NORMAL, SANMA])
def test_worths(program: Page, source: str) -> None:
    """At 2,000 positions, what each wait is worth in the page is what the check finds for a win there."""
    random, positions, compared = Random(3), [], 0  # noqa: S311 - positions to try
    for match in islice(games(source), None if effort.long else 5):  # thousands of positions already
        of_frames = json.loads(program.evaluate(WORTHS, [lines(match), scored(match)]))
        check = Check(match)
        for frame, steps in zip(match.frames, of_frames, strict=True):
            events = before_end(frame)
            positions += [
                (check, frame, step, player, worths)
                for step, hands in enumerate(steps[: len(events) + 1])
                for player, worths in enumerate(hands)
                if worths
            ]
    for check, frame, step, player, worths in random.sample(positions, min(len(positions), many(2000))):
        values = check.values(frame, step, player, [any_copy(worth["code"]) for worth in worths])
        assert values is None or [[worth["ron"], worth["tsumo"]] for worth in worths] == values, (
            check.match.id,
            frame,
            step,
            player,
        )
        compared += len(worths)
    assert compared > many(2000)


# --- safety -----------------------------------------------------------------------------------------------------------


class Ponds:
    """What can be known at the table: the tiles that passed, by player, event by event."""

    def __init__(self, frame: Frame, match: Match) -> None:
        self.table = PondTable(frame.start, match.rules)
        self.players = range(match.rules.players)
        self.riichi: set[int] = set()
        self.after_riichi: list[set[int]] = [set() for _ in self.players]
        self.this_turn: list[set[int]] = [set() for _ in self.players]
        self.offer: tuple[int, int] | None = None

    def play(self, event: Event) -> None:
        """Play *event*."""
        if self.offer and type(event).__name__ not in ("DoraRevealed", "Disconnected", "Returned"):
            source, passed = self.offer
            for player in self.players:
                if player != source:
                    self.after_riichi[player] |= {passed} if player in self.riichi else set()
                    self.this_turn[player].add(passed)
            self.offer = None
        if isinstance(event, RiichiDeclared):
            self.riichi.add(event.player)
        if isinstance(event, Draw | Discard):
            self.this_turn[event.player].clear()
        if isinstance(event, Discard | Kakan | Kita):
            self.offer = event.player, event.tile // 4
        self.table.play(event)

    def facts(self, seat: int) -> list[dict[str, Any]]:
        """Return what *seat* knows of its tiles against each threat."""
        table = self.table
        unseen = unseen_by(table, seat)
        tiles = [*table.hands[seat]]
        drawn = table.drawn if table.turn == seat else table.fourteenth[seat]
        tiles += [] if drawn is None else [drawn]
        facts_of_players = []
        for player in self.players:
            open_ = any(isinstance(meld, Chi | Pon | Daiminkan | Kakan) for meld in table.melds[player])
            if player == seat or not (table.riichi[player] or open_):
                continue
            sure = {thrown.tile // 4 for thrown in table.ponds[player]}
            sure |= self.after_riichi[player] if table.riichi[player] else set()
            passed = set() if table.riichi[player] else self.this_turn[player]
            facts = [
                [number, self.of(number, sure, passed, unseen)] for number in sorted({tile // 4 for tile in tiles})
            ]
            facts_of_players.append({"player": player, "facts": facts})
        return facts_of_players

    def of(self, number: int, sure: set[int], passed: set[int], unseen: tuple[int, ...]) -> list[str]:
        """Return what is known of a tile: every pair of neighbours that waits for it on two sides is looked at."""
        if number in sure:
            return ["genbutsu"]
        if number in passed:
            return ["passed"]
        if number >= 27:
            return ["honor"]
        suit, pairs = number // 9, []
        for low in range(1, 7):  # 2 and 3 to 7 and 8, which wait on both sides
            if suit == 0 and len(self.players) == 3:
                break
            waits = {9 * suit + low - 1, 9 * suit + low + 2}
            if number in waits:
                (other,) = waits - {number}
                pairs.append((other in sure, min(unseen[9 * suit + low], unseen[9 * suit + low + 1])))
        by_suji, walls = [furiten for furiten, _ in pairs], [left for _, left in pairs]
        facts = {
            "suji": bool(pairs) and all(by_suji),
            "noChance": all(left == 0 for left in walls),
            "sujiNoChance": all(furiten or left == 0 for furiten, left in pairs),
            "oneChance": all(left <= 1 for left in walls),
            "halfSuji": any(by_suji),
        }
        facts["sujiNoChance"] &= not (facts["suji"] or facts["noChance"])
        facts["oneChance"] &= not facts["noChance"]
        facts["halfSuji"] &= not facts["suji"]
        return [name for name, holds in facts.items() if holds] or ["noFact"]


@pytest.mark.parametrize("source", [pytest.param(REAL, marks=NO_REAL), NORMAL, SANMA])
def test_safety(program: Page, source: str) -> None:
    """At every step and for every seat, the facts on each tile against each riichi and open hand are those counted."""
    seen = set[str]()
    for match in islice(games(source), 6 if effort.long else 3):
        safety = json.loads(program.evaluate(SAFETY_OF, lines(match)))
        for frame, steps in zip(match.frames, safety, strict=True):
            ponds = Ponds(frame, match)
            for step, event in enumerate((None, *before_end(frame))):
                if event is not None:
                    ponds.play(event)
                for seat in ponds.players:
                    assert steps[step][seat] == ponds.facts(seat), (match.id, frame.start.name, step, seat)
                    seen |= {
                        fact for of_player in steps[step][seat] for _, facts in of_player["facts"] for fact in facts
                    }
    assert seen == {
        "genbutsu",
        "passed",
        "honor",
        "suji",
        "noChance",
        "sujiNoChance",
        "oneChance",
        "halfSuji",
        "noFact",
    }
