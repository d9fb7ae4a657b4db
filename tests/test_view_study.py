"""Study in the page: waits, tiles left, furiten and acceptance are those counted in Python.

`test_play_shanten.py` compares shanten and useful tiles with packages by others.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Collection, Iterator
from itertools import chain, islice
from typing import Any

import effort
import pytest
from browsing import Page, different_games, lines, script
from clients import NO_REAL, REAL, games_of
from effort import some
from playing import NORMAL, SANMA, matches

from jmjp_convert.model import Discard, DoraRevealed, Draw, Event, Frame, Kakan, Kita, Match, RiichiAccepted, Rules, Win
from jmjp_convert.play.ponds import PondTable, unseen_by
from jmjp_convert.play.shanten import shanten, useful
from jmjp_convert.table import walk

COPIES = 4
KINDS = 34
READINGS = script("readings.js")
CHOICES = script("choices.js")


class Seats:
    """The table, and what its players let pass.

    :ivar missed: for each player, the kinds that others offered and that the player did not win on since the last own
        discard, or since the own riichi.
    """

    def __init__(self, frame: Frame, rules: Rules) -> None:
        self.table = PondTable(frame.start, rules)
        self.missed: list[set[int]] = [set() for _ in frame.start.hands]
        self.locked: set[int] = set()
        self.offer: tuple[int, int] | None = None

    def play(self, event: Event) -> None:
        """Play *event*."""
        if self.offer and not isinstance(event, Win | DoraRevealed):
            for player, missed in enumerate(self.missed):
                if player != self.offer[0]:
                    missed.add(self.offer[1])
            self.offer = None
        if isinstance(event, RiichiAccepted):
            self.locked.add(event.player)
        if isinstance(event, Discard) and event.player not in self.locked:
            self.missed[event.player].clear()
        if isinstance(event, Discard | Kakan | Kita):
            self.offer = event.player, event.tile // COPIES
        self.table.play(event)

    def is_furiten(self, player: int) -> bool:
        """Return whether *player* is tenpai and may not ron."""
        forbidden = self.missed[player] | {discard.tile // COPIES for discard in self.table.ponds[player]}
        return not forbidden.isdisjoint(self.table.waits(player))


def is_known(match: Match) -> bool:
    """Return whether every tile of *match* is an exact copy."""
    events = (event for frame in match.frames for event in frame.events if isinstance(event, Draw | Discard))
    hands = [tile for frame in match.frames for hand in frame.start.hands for tile in hand]
    return bool(hands) and all(0 <= tile < COPIES * KINDS for tile in chain(hands, (event.tile for event in events)))


def games(source: str) -> Iterator[Match]:
    """Yield some games of *source*."""
    all_games = [game.match for game in games_of(source)] if source == REAL else list(matches(source))
    chosen = all_games[::2] if effort.long and source == REAL else some(all_games)
    yield from (match for match in chosen if is_known(match))


@pytest.mark.parametrize("source", [pytest.param(REAL, marks=NO_REAL), NORMAL, SANMA])
def test_readings(program: Page, source: str) -> None:
    """After every event, each player's waits, the tiles left of them and furiten are those counted; who rons is
    never furiten, and wins with a wait."""
    tenpai = furiten = rons = 0
    for match in games(source):
        readings = json.loads(program.evaluate(READINGS, lines(match)))
        for frame, steps in zip(match.frames, readings, strict=True):
            seats = Seats(frame, match.rules)
            for event, step in zip((None, *frame.events), steps, strict=True):
                if isinstance(event, Win):
                    break
                if event is not None:
                    seats.play(event)
                for player, reading in enumerate(step):
                    left = unseen_by(seats.table, player)
                    waits = [{"kind": kind, "left": left[kind]} for kind in seats.table.waits(player)]
                    assert [{"kind": wait["kind"], "left": wait["left"]} for wait in reading["waits"]] == waits
                    assert reading["furiten"] == seats.is_furiten(player), (frame.start.name, event)
                    tenpai += bool(waits)
                    furiten += reading["furiten"]
            wins = [event for event in frame.events if isinstance(event, Win) and event.source is not None]
            for win in wins:
                before = steps[frame.events.index(wins[0])][win.player]
                assert not before["furiten"]
                assert win.tile // COPIES in {wait["kind"] for wait in before["waits"]}
                rons += 1
    assert min(tenpai, furiten, rons) > 0


@pytest.mark.parametrize("source", [pytest.param(REAL, marks=NO_REAL), NORMAL, SANMA])
def test_choices(program: Page, source: str) -> None:
    """Before each discard, those that keep the shanten are listed with the tiles that lower it, best first."""
    match = next(games(source))
    asked, expected = [], []
    for index, frame in enumerate(match.frames):
        table = PondTable(frame.start, match.rules)
        for step, event in enumerate(frame.events, 1):
            table.play(event)
            if isinstance(event, Draw) and not table.riichi[event.player]:
                asked.append((index, step, event.player))
                held = Counter(tile // COPIES for tile in (*table.hands[event.player], event.tile))
                expected.append((held, unseen_by(table, event.player)))
    count = 0
    for choices, (held, unseen) in zip(choices_at(program, match, asked), expected, strict=True):
        assert choices == sorted(choices, key=lambda choice: (-left(choice), choice["kind"]))
        for choice in choices:
            closed = without(held, choice["kind"])
            kinds = useful(closed, players=match.rules.players)
            accepted = {wait["kind"]: wait["left"] for wait in choice["accepted"]}
            assert accepted == {kind: unseen[kind] for kind in kinds if unseen[kind]}
            count += 1
    assert count > 100


def without(held: Counter[int], kind: int) -> list[int]:
    """Return how many of each kind are left of the tiles *held* after a discard."""
    return [held[number] - (number == kind) for number in range(KINDS)]


def choices_at(program: Page, match: Match, asked: Collection[tuple[int, int, int]]) -> list[list[dict[str, Any]]]:
    """Return the discards that the page lists: each of *asked* is a frame, a step and a player."""
    choices: list[list[dict[str, Any]]] = json.loads(program.evaluate(CHOICES, [lines(match), asked]))
    return choices


@pytest.mark.parametrize("source", [pytest.param(REAL, marks=NO_REAL), NORMAL, SANMA])
def test_kuikae(program: Page, source: str) -> None:
    """After a chi or pon, the discards listed are those of the lowest shanten among those that may be discarded."""
    count = 0
    for match in islice(games(source), 3):
        asked, expected = [], []
        for index, frame in enumerate(match.frames):
            for step, (table, event) in enumerate(walk(match, frame)):
                if not isinstance(event, Discard) or not table.called:
                    continue
                after: dict[int, int] = {}
                for tile in table.legal(event.player).discards:
                    counts = without(Counter(tile // COPIES for tile in table.hands[event.player]), tile // COPIES)
                    after[tile // COPIES] = shanten(counts, players=match.rules.players)
                asked.append((index, step, event.player))
                expected.append({kind for kind, number in after.items() if number == min(after.values())})
        listed = choices_at(program, match, asked)
        assert [{choice["kind"] for choice in choices} for choices in listed] == expected
        count += len(expected)
    assert count > 5


def left(choice: dict[str, Any]) -> int:
    """Return how many tiles a discard accepts."""
    return sum(wait["left"] for wait in choice["accepted"])


def test_any_game(program: Page) -> None:
    """Every fixture can be studied, also with unknown tiles or without play."""
    assert sum(sum(program.evaluate(script("studied.js"), lines(match))) for _, match in different_games()) > 10_000
