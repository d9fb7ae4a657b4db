"""What the page says of points, of waits and of safety: equal to Python's count at thousands of positions."""

from __future__ import annotations

import json
from collections.abc import Iterator
from itertools import islice, product
from typing import Any

import effort
import pytest
from browsing import Page, lines, script
from clients import NO_REAL, REAL, games_of
from effort import many, some
from playing import NORMAL, SANMA, matches
from test_check_score_waits import last_of

from jmjp_convert.checks.score.hand_value import Value
from jmjp_convert.checks.score.waits import worths
from jmjp_convert.model import (
    Chi,
    Daiminkan,
    Discard,
    Draw,
    Ending,
    Event,
    Frame,
    Kakan,
    Kita,
    Match,
    Pon,
    RiichiDeclared,
    houses,
)
from jmjp_convert.model.tiles import any_copy
from jmjp_convert.play.ponds import PondTable, unseen_by
from jmjp_convert.view.page import scored

WORTHS = script("worths.js")
SAFETY_OF = script("safety.js")


def games(source: str) -> Iterator[Match]:
    """Yield some games of *source* by the rules of ranked games, with exact copies."""
    chosen = some([game.match for game in games_of(REAL)]) if source == REAL else matches(source)
    yield from (match for match in chosen if houses.own_rules(match.rules) is None)


def before_end(frame: Frame) -> list[Event]:
    """Return the events of *frame* before its end."""
    return [event for event in frame.events if not isinstance(event, Ending)]


# --- what waits are worth ---------------------------------------------------------------------------------------------


def on_page(value: Value | None) -> dict[str, Any] | None:
    """Return *value* as the page has it."""
    if value is None:
        return None
    yaku = [
        {"number": yaku.number} if yaku.han is None else {"number": yaku.number, "han": yaku.han}
        for yaku in value.score.yaku
        if (yaku.number, yaku.han) != (53, 0)
    ]
    limit = value.score.limit.name.lower()
    return {"fu": value.score.fu, "limit": limit, "main": value.main, "additional": value.additional, "yaku": yaku}


@pytest.mark.parametrize("source", [pytest.param(REAL, marks=NO_REAL), NORMAL, SANMA])
def test_worths(program: Page, source: str) -> None:
    """At every position, what each wait is worth in the page is what the library says, which
    `test_check_score_waits.py` compares with the check of a win there."""
    compared = 0
    for match in islice(games(source), None if effort.long else 5):  # thousands of positions already
        of_frames = json.loads(program.evaluate(WORTHS, [lines(match), scored(match)]))
        for frame, steps, changes in zip(match.frames, of_frames, worths(match), strict=True):
            for step, player in product(range(len(before_end(frame)) + 1), range(match.rules.players)):
                change = last_of(changes, step, player)
                known = {} if change is None else {worth.tile: worth for worth in change.worths}
                for found in steps[step][player]:
                    worth = known[any_copy(found["code"])]
                    assert (found["ron"], found["tsumo"]) == (on_page(worth.ron), on_page(worth.tsumo)), (frame, step)
                    compared += 1
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
