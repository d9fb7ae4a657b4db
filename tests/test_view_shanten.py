"""The arithmetic of the page's script, in a real browser: it matches the packages mahjong and jansou on every hand."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from itertools import islice
from random import Random
from typing import Any, NamedTuple

import pytest
from browsing import Page
from clients import NO_REAL, REAL, games_of
from effort import many
from playing import LINES
from tables import table

from jmjp_convert.model import Discard, Draw, Match
from jmjp_convert.play.table import Table

KINDS = 34
COPIES = 4
ENDS = (0, 8)
MAN = range(1, 8)

OF_FOUR = range(KINDS)
OF_THREE = [kind for kind in OF_FOUR if kind not in MAN]
NARROW = (
    range(9),
    range(18),
    [*range(9), *range(27, 34)],
    [*range(27, 34), *ENDS],
    [0, 8, 9, 17, 18, 26, *range(27, 34)],
)
"""Kinds whose hands have many sets, pairs and fours."""

SLOW = 4
"""Of how many hands mahjong looks at one, if jansou looks at all: it takes three quarters of the time."""

STUDIES = """hands => JSON.stringify(JSON.parse(hands).map(([counts, three]) =>
    [shantenOf(counts, three), accepts(counts, three), bestDiscards(counts, three)]))"""


class Hand(NamedTuple):
    """Closed tiles: how many of each kind, and whether three play."""

    counts: tuple[int, ...]
    three: bool

    @property
    def melds(self) -> int:
        """The number of sets that are not among the closed tiles."""
        return 4 - sum(self.counts) // 3


def hand(text: str, *, three: bool = False) -> Hand:
    """Return the hand written as *text*, such as ``123m44z``."""
    counts, ranks = [0] * KINDS, ""
    for letter in text:
        if letter.isdigit():
            ranks += letter
        else:
            for rank in ranks:
                counts["mpsz".index(letter) * 9 + int(rank) - 1] += 1
            ranks = ""
    return Hand(tuple(counts), three)


# --- hands -----------------------------------------------------------------------------------------------------------


def played(match: Match) -> Iterator[Hand]:
    """Yield the hands of *match*, each once, after every draw and discard."""
    seen = set()
    for frame in match.frames:
        table = Table(frame.start, match.rules)
        for event in frame.events:
            table.play(event)
            if not isinstance(event, Draw | Discard):
                continue
            end = table.end().hands[event.player]
            tiles = [*end.tiles, *([] if end.drawn is None else [end.drawn])]
            if min(tiles) < 0 or max(tiles) >= COPIES * KINDS:
                continue  # some tiles are unknown, or known by face only
            counts = [0] * KINDS
            for tile in tiles:
                counts[tile // COPIES] += 1
            seen.add(Hand(tuple(counts), match.rules.players == 3))
    yield from sorted(seen)


def of_games(*sources: str) -> Callable[[int], list[Hand]]:
    """Return a function that returns some hands of the games of *sources*."""

    def hands(number: int) -> list[Hand]:
        every = sorted({hand_ for source in sources for game in games_of(source) for hand_ in played(game.match)})
        return Random(1).sample(every, min(number, len(every)))  # noqa: S311 - no secret

    return hands


def dealt(number: int) -> list[Hand]:
    """Return hands dealt at random, half of them from few kinds."""
    return list(islice(_dealt(Random(2)), number))  # noqa: S311 - no secret


def _dealt(random: Random) -> Iterator[Hand]:
    while True:
        three = random.randrange(3) == 0
        kinds = OF_THREE if three else OF_FOUR
        if random.randrange(2):
            kinds = [kind for kind in random.choice(NARROW) if kind in kinds]
        tiles = [kind for kind in kinds for _ in range(COPIES)]
        size = 13 - 3 * random.randrange(5) + random.randrange(2)
        if len(tiles) >= size:
            drawn = random.sample(tiles, size)
            yield Hand(tuple(drawn.count(kind) for kind in range(KINDS)), three)


# --- what the packages say -------------------------------------------------------------------------------------------


def by_mahjong(hand_: Hand) -> list[Any]:
    """Return shanten, the kinds that lower it, and the discards that leave the lowest, as `mahjong` has the shanten."""
    from mahjong.shanten import Shanten

    closed = hand_.melds == 0

    def shanten(counts: list[int]) -> int:
        return Shanten.calculate_shanten(counts, closed, closed, hand_.three)

    counts = list(hand_.counts)
    before, lower = shanten(counts), []
    after: dict[int, int] = {}
    after_draw = sum(counts) % 3 == 2
    for kind in OF_THREE if hand_.three else OF_FOUR:
        if not after_draw and counts[kind] < COPIES:
            counts[kind] += 1
            lower += [kind] if shanten(counts) < before else []
            counts[kind] -= 1
        if after_draw and counts[kind]:
            counts[kind] -= 1
            after[kind] = shanten(counts)
            counts[kind] += 1
    return [before, lower, [kind for kind, shanten_after in after.items() if shanten_after == min(after.values())]]


def by_jansou(hand_: Hand) -> list[Any]:
    """Return the same as `jansou` has it."""
    from jansou.analysis.efficiency import acceptance_counts
    from jansou.analysis.shanten import discard_shantens, shanten_counts
    from jansou.core.tiles import TileKind

    counts = list(hand_.counts)
    before = shanten_counts(counts, hand_.melds)
    if sum(counts) % 3 == 1:
        lower = acceptance_counts(counts, hand_.melds, player_count=3 if hand_.three else 4)
        return [before, sorted(map(int, lower)), []]
    after = discard_shantens(counts, hand_.melds, [TileKind(kind) for kind in OF_FOUR if counts[kind]])
    return [before, [], sorted(int(kind) for kind, shanten in after.items() if shanten == min(after.values()))]


def runs_in_man(hand_: Hand) -> bool:
    """Return whether jansou, whose shanten is always that of four players, may see runs where there are none."""
    return hand_.three and any(hand_.counts[kind] >= COPIES - 1 for kind in ENDS)


@pytest.fixture
def studied(program: Page) -> Callable[[list[Hand]], list[list[Any]]]:
    """A function that returns what the page's script says of hands: the kinds that lower the shanten of those to which
    a tile may be drawn, and the discards of the others that leave the lowest shanten."""

    def say(hands: list[Hand]) -> list[list[Any]]:
        answers = json.loads(program.evaluate(STUDIES, json.dumps([[hand_.counts, hand_.three] for hand_ in hands])))
        return [
            [shanten, lower, []] if sum(hand_.counts) % 3 == 1 else [shanten, [], best]
            for hand_, (shanten, lower, best) in zip(hands, answers, strict=True)
        ]

    return say


@pytest.mark.parametrize(
    ("hands", "number"),
    [
        pytest.param(of_games(REAL), 4000, marks=NO_REAL, id="real"),
        pytest.param(of_games(*LINES), 4000, id="generated"),
        pytest.param(dealt, 2000, id="dealt"),
    ],
)
def test_packages(studied: Any, hands: Callable[[int], list[Hand]], number: int) -> None:
    """Shanten, waits, acceptance and the discards that leave the lowest shanten are those of mahjong and jansou, with
    three players too."""
    pytest.importorskip("mahjong", reason="mahjong is not installed")
    pytest.importorskip("jansou", reason="jansou is not installed")
    some = hands(many(number))
    assert len(some) == many(number)
    assert {hand_.three for hand_ in some} == {True, False}
    for index, (hand_, answer) in enumerate(zip(some, studied(some), strict=True)):
        if not runs_in_man(hand_):
            assert answer == by_jansou(hand_), hand_
        if runs_in_man(hand_) or index % SLOW == 0:
            assert answer == by_mahjong(hand_), hand_


def test_edges(studied: Any) -> None:
    """Nothing waits for a fifth tile, seven pairs are different pairs, and no more than four sets and a pair count."""
    edges = table("view_shanten", "edges")
    for (text, shanten, lower), answer in zip(edges, studied([hand(text) for text, _, _ in edges]), strict=True):
        assert answer[0] == shanten, text
        if lower is not None:
            assert answer[1] == [kind for kind, count in enumerate(hand(lower).counts) if count], text


def test_three_players(studied: Any) -> None:
    """With three players, no run begins with 1m or ends with 9m."""
    text = "1111m111122233z"
    assert [answer[0] for answer in studied([hand(text), hand(text, three=True)])] == [1, 2]
