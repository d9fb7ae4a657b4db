"""Shanten, compared with two packages by others over hands of games, and over random ones."""

from __future__ import annotations

import re
from collections.abc import Iterator
from random import Random

import effort
import pytest
from clients import each_source, games_of
from jansou.analysis.shanten import shanten_counts
from mahjong.shanten import Shanten
from tables import table

from jmjp_convert.model import Discard, Kita, Match
from jmjp_convert.model.tiles import KINDS, exists, kind
from jmjp_convert.play.shanten import shanten, useful
from jmjp_convert.table import walk

FOUR = 4
DEALT = 13
SUITS = (0, 9, 18)
ORPHANS = frozenset((0, 8, 9, 17, 18, 26, *range(27, KINDS)))

Hand = tuple[list[int], int]
"""Closed tiles by kind, and the number of melds."""


def hand(text: str) -> list[int]:
    """Return the tiles of *text* by kind: ``hand("123m55p7z")``."""
    counts = [0] * KINDS
    for group in re.findall(r"\d+[mpsz]", text):
        first = {"m": 0, "p": 9, "s": 18, "z": 27}[group[-1]] - 1
        for digit in group[:-1]:
            counts[first + int(digit)] += 1
    return counts


@pytest.mark.parametrize(("text", "expected"), table("play_shanten", "known_hands"))
def test_known_hands(text: str, expected: int) -> None:
    """Shanten counts the tiles that a hand is short of tenpai."""
    assert shanten(hand(text)) == expected


@pytest.mark.parametrize(("text", "players", "kinds"), table("play_shanten", "waits", globals()))
def test_waits(text: str, players: int, kinds: tuple[int, ...]) -> None:
    """The useful kinds of a tenpai hand are its waits."""
    assert useful(hand(text), players=players) == kinds


def check(hands: list[Hand], players: int) -> None:
    """Compare the shanten of *hands* with both packages; jansou's are for four players."""
    for counts, melds in hands:
        found = shanten(counts, players=players)
        closed = melds == 0
        theirs = Shanten.calculate_shanten(counts, closed, closed, is_three_player=players != FOUR)
        assert found == theirs, (counts, melds)
        if players == FOUR:
            assert found == shanten_counts(counts, melds), (counts, melds)


def hands_of(match: Match) -> Iterator[Hand]:
    """Yield the hands of a game, before and after each discard."""
    for frame in match.frames:
        for position, event in walk(match, frame):
            if isinstance(event, Discard):
                counts = [0] * KINDS
                drawn = [] if position.drawn is None else [position.drawn]
                for tile in (*position.hands[event.player], *drawn):
                    number = kind(tile)
                    assert number is not None
                    counts[number] += 1
                melds = sum(not isinstance(meld, Kita) for meld in position.melds[event.player])
                yield counts, melds
                discarded = kind(event.tile)
                assert discarded is not None
                after = [*counts]
                after[discarded] -= 1
                yield after, melds


@each_source
def test_useful_kinds(source: str) -> None:
    """The useful kinds of hands of games, and so the waits, are those that lower the shanten."""
    chance = Random(2)  # noqa: S311 - the same hands every time
    for game in games_of(source):
        players = game.match.rules.players
        hands = [counts for counts, _ in hands_of(game.match) if sum(counts) % 3 == 1]
        tenpai = [counts for counts in hands if shanten(counts, players=players) == 0]
        for counts in chance.sample(hands, min(len(hands), 5)) + tenpai[::10]:
            now, found = shanten(counts, players=players), []
            for number in range(KINDS):
                more = [*counts]
                more[number] += 1
                if more[number] <= FOUR and exists(number, players) and shanten(more, players=players) < now:
                    found.append(number)
            assert useful(counts, players=players) == tuple(found)


@each_source
def test_hands_of_games(source: str) -> None:
    """The hands of games have the shanten that other packages find."""
    chance = Random(1)  # noqa: S311 - the same hands every time
    for game in games_of(source):
        hands = list(hands_of(game.match))
        check(chance.sample(hands, min(len(hands), effort.many(200))), game.match.rules.players)


def dealt(chance: Random, players: int) -> Hand:
    """Return a random hand; often of one suit or of orphans, where the shapes are difficult."""
    kinds = [number for number in range(KINDS) if exists(number, players)]
    sort = chance.randrange(3)
    if sort == 1:
        suit = chance.choice(SUITS[players != FOUR :])
        kinds = [number for number in kinds if suit <= number < suit + 9]
    elif sort == 2:
        kinds = [number for number in kinds if number in ORPHANS]
    melds = chance.randrange(5)
    counts = [0] * KINDS
    for number in chance.sample(kinds * 4, DEALT - 3 * melds + chance.randrange(2)):
        counts[number] += 1
    return counts, melds


@pytest.mark.parametrize("players", [3, 4])
def test_random_hands(players: int) -> None:
    """Random hands have the shanten that other packages find."""
    chance = Random(players)  # noqa: S311 - the same hands every time
    check([dealt(chance, players) for _ in range(effort.many(5000))], players)
