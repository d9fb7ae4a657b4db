"""Random matches: those of fixtures with values of each other, so that hardly ever one is a possible game."""

from __future__ import annotations

from collections import defaultdict
from functools import cache
from itertools import chain
from random import Random
from typing import Any

from casefiles import FIXTURES
from hypothesis import strategies as st

from jmjp_convert.formats.reading import read
from jmjp_convert.model import Limit, Match, Rules, Score, Text, Yaku
from jmjp_convert.model.record import Record, fields, replace
from jmjp_convert.model.yaku import NAMES, WORD

FILES = (
    *("json/*.jsonl", "json/valid/*.jsonl", "mahjong-soul/valid/*.rec", "riichi-city/valid/*.riichi-city.json"),
    *("mjai/valid/*.mjson", "majiang/valid/*.majiang.json", "tenhou6/valid/*.tenhou6.json", "valid/chip*.xml"),
)
ODD = '\x00\x1f\x7f\x85\u2028\u2029"\\/😀'
LARGE = 999_999_999

FIXED = frozenset(
    (
        *("Match.frames", "Frame.start", "Frame.events", "Frame.end", "End.hands", "Kakan.pon"),
        *("Start.round", "Start.dealer", "Start.hands", "Frame.thinking", "Frame.notes"),
        *("Rules.players", "Rules.code", "Yaku.number", "Yaku.word"),
    )
)
"""What stays as it is, since it goes together with other fields, though not what is in it."""

KEPT = frozenset(("Player.full_name", "Player.raw_name"))
"""What stays with all that is in it: the bytes of a name determine it."""

EXTREMES: dict[str, tuple[Any, ...]] = {
    **dict.fromkeys(("Text.native", "Text.roman", "Match.source", "Match.ratio", "Shuffle.seed"), (ODD, "")),
    **dict.fromkeys(("Player.rate", "Player.gold", "Start.honba", "Start.sticks", "Score.fu"), (0, LARGE)),
    **dict.fromkeys(("Score.points", "PointRule.honba"), (0, 100 * LARGE)),
    "Match.place": (Text(),),
}


@cache
def originals(players: int) -> list[Match]:
    """Return the matches of fixtures with a number of *players*."""
    paths = chain.from_iterable(sorted(FIXTURES.glob(files)) for files in FILES)
    return [match for path in paths for match in read(path) if match.rules.players == players]


@cache
def pool(players: int) -> dict[str, list[Any]]:
    """Return the values that each field of a class has in these matches, and extreme ones."""
    values: dict[str, list[Any]] = defaultdict(list)
    rest: list[Any] = [*originals(players)]
    while rest:
        value = rest.pop()
        if isinstance(value, Record):
            for name in fields(value):
                part = getattr(value, name)
                if part not in (known := values[f"{type(value).__name__}.{name}"]):
                    known.append(part)
                rest.append(part)
        elif type(value) is tuple:
            rest += value
    return {name: [*known, *EXTREMES.get(name, ())] for name, known in values.items()}


def mixed(value: Any, players: int, chance: Random) -> Any:
    """Return *value* with other values in some of its fields; Tenhou's rules number determines all rules."""
    if type(value) is tuple:
        return tuple(mixed(part, players, chance) for part in value)
    if not isinstance(value, Record) or (isinstance(value, Rules) and value.code is not None):
        return value
    changes = {}
    for name in fields(value):
        field = f"{type(value).__name__}.{name}"
        if field not in FIXED | KEPT and chance.random() < 0.1:
            changes[name] = chance.choice(pool(players)[field])
        elif field not in KEPT:
            changes[name] = mixed(getattr(value, name), players, chance)
    return replace(value, **changes)


def match(players: int, seed: int) -> Match:
    """Return a match with a number of *players*."""
    chance = Random(seed)  # noqa: S311 - no secret
    original = chance.choice(originals(players))
    first = chance.randrange(len(original.frames) + 1)
    made: Match = mixed(replace(original, frames=original.frames[first : first + 2]), players, chance)
    return made


def matches(players: int) -> st.SearchStrategy[Match]:
    """Return matches with a number of *players*."""
    return st.builds(match, st.just(players), st.integers(0, 1 << 32))


known_yaku = st.builds(Yaku, st.integers(0, len(NAMES) - 1), st.none() | st.integers(0, 999), st.just(""))
named_yaku = st.builds(Yaku, st.none(), st.none() | st.integers(0, 999), st.from_regex(WORD, fullmatch=True))
counts = st.none() | st.integers(0, 99) | st.integers(0, LARGE)
scores = st.builds(
    Score,
    counts,
    st.integers(0, 10 * LARGE).map(lambda hundreds: 100 * hundreds),
    st.sampled_from(Limit),
    st.lists(known_yaku | named_yaku, max_size=3).map(tuple),
    counts,
)
