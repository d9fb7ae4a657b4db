"""The arithmetic of the page's script, in a real browser: it is that of the library on every hand, which
`test_play_shanten.py` compares with packages by others."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from random import Random
from typing import Any

import pytest
from browsing import Page
from clients import NO_REAL, REAL, games_of
from effort import many
from playing import LINES
from tables import table
from test_play_shanten import Hand, dealt, hand, hands_of

from jmjp_convert.model.tiles import KINDS
from jmjp_convert.play.shanten import shanten, useful

Held = tuple[Hand, int]
"""A hand, and the number of players."""

STUDIES = """hands => JSON.stringify(JSON.parse(hands).map(([counts, three]) =>
    [shantenOf(counts, three), accepts(counts, three), bestDiscards(counts, three)]))"""


def of_games(*sources: str) -> Iterator[Held]:
    """Yield the hands of the games of *sources*, before and after each discard."""
    for source in sources:
        for game in games_of(source):
            yield from ((held, game.match.rules.players) for held in hands_of(game.match))


def of_chance() -> Iterator[Held]:
    """Yield hands dealt at random."""
    chance = Random(2)  # noqa: S311 - the same hands every time
    yield from ((dealt(chance, players), players) for players in (3, 4) for _ in range(1000))


def by_library(held: Held) -> list[Any]:
    """Return the shanten of a hand, the kinds that lower it, and the discards that leave the lowest."""
    (counts, _), players = held
    before = shanten(counts, players=players)
    if sum(counts) % 3 == 1:
        return [before, [*useful(counts, players=players)], []]
    after = {}
    for kind in range(KINDS):
        if counts[kind]:
            rest = [count - (number == kind) for number, count in enumerate(counts)]
            after[kind] = shanten(rest, players=players)
    return [before, [], [kind for kind, left in after.items() if left == min(after.values())]]


@pytest.fixture
def studied(program: Page) -> Callable[[list[Held]], list[list[Any]]]:
    """A function that returns what the page's script says of hands: the kinds that lower the shanten of those to which
    a tile may be drawn, and the discards of the others that leave the lowest shanten."""

    def say(hands: list[Held]) -> list[list[Any]]:
        given = [[counts, players == 3] for (counts, _), players in hands]
        answers = json.loads(program.evaluate(STUDIES, json.dumps(given)))
        return [
            [shanten, lower, []] if sum(counts) % 3 == 1 else [shanten, [], best]
            for ((counts, _), _), (shanten, lower, best) in zip(hands, answers, strict=True)
        ]

    return say


@pytest.mark.parametrize(
    ("hands", "number"),
    [
        pytest.param(lambda: of_games(REAL), 4000, marks=NO_REAL, id="real"),
        pytest.param(lambda: of_games(*LINES), 4000, id="generated"),
        pytest.param(of_chance, 2000, id="dealt"),
    ],
)
def test_library(studied: Any, hands: Callable[[], Iterator[Held]], number: int) -> None:
    """Shanten, waits, acceptance and the discards that leave the lowest shanten are those of the library, with three
    players too."""
    some = Random(1).sample([*hands()], many(number))  # noqa: S311 - the same hands every time
    assert {players for _, players in some} == {3, 4}
    for held, answer in zip(some, studied(some), strict=True):
        assert answer == by_library(held), held


def test_edges(studied: Any) -> None:
    """Nothing waits for a fifth tile, seven pairs are different pairs, and no more than four sets and a pair count."""
    edges = table("view_shanten", "edges")
    answers = studied([((hand(text), 0), 4) for text, _, _ in edges])
    for (text, number, lower), answer in zip(edges, answers, strict=True):
        assert answer[0] == number, text
        if lower is not None:
            assert answer[1] == [kind for kind, count in enumerate(hand(lower)) if count], text


def test_three_players(studied: Any) -> None:
    """With three players, no run begins with 1m or ends with 9m."""
    counts = hand("1111m111122233z")
    assert [answer[0] for answer in studied([((counts, 0), 4), ((counts, 0), 3)])] == [1, 2]
