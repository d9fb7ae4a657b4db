"""What there may be in a match that not every format holds."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from inspect import getmembers, isfunction

import pytest

from jmjp_convert.export import traits
from jmjp_convert.model import (
    Discard,
    Disconnected,
    DoraRevealed,
    Draw,
    DrawKind,
    End,
    Event,
    Frame,
    Limit,
    Match,
    Name,
    Player,
    Recorder,
    Returned,
    RiichiAccepted,
    Rules,
    Ryuukyoku,
    Score,
    Shuffle,
    ShuffleForm,
    Start,
    Text,
    Tournament,
    Win,
    handle,
)
from jmjp_convert.tiles import UNKNOWN, any_copy, either_copy, other_copy

POINTS = (250,) * 4
START = Start(0, 0, 0, 0, None, POINTS, tuple(tuple(range(13 * who, 13 * who + 13)) for who in range(4)), 100)
DRAWN = (Draw(0, 60), Discard(0, 60), Ryuukyoku(None, changes=(0,) * 4))
SCORE = Score(30, 20, Limit.NONE, ((1, 1), (52, 1)), ())


def frame(*events: Event, dora: tuple[int, ...] | None = None, comment: Text | None = None) -> Frame:
    """Return a frame of *events*, which need not hang together."""
    return Frame(START, events, End((), POINTS), dora, comment)


BARE = Match(Rules(red_fives=None), tuple(Player(handle(name)) for name in "ABCD"), (frame(*DRAWN),))
"""A match of which no more is recorded than every format holds."""


def started(**values: object) -> Match:
    """Return the match with other values at the start of its frame."""
    return replace(BARE, frames=(replace(BARE.frames[0], start=replace(START, **values)),))  # type: ignore[arg-type]


def played(*events: Event, dora: tuple[int, ...] | None = None) -> Match:
    """Return the match with other events in its frame."""
    return replace(BARE, frames=(frame(*events, dora=dora),))


def first(**values: object) -> Match:
    """Return the match with a first player of whom more is recorded."""
    return replace(BARE, players=(Player(handle("A"), **values), *BARE.players[1:]))  # type: ignore[arg-type]


def turned(*faces: str) -> tuple[int, ...]:
    """Return ten dora, of which those with *faces* are known."""
    return tuple(map(any_copy, faces)) + (UNKNOWN,) * (10 - len(faces))


RIICHI = (RiichiAccepted(1), Win(1, 0, 60, changes=(0,) * 4, ura=(0,)))
RON = Win(1, 0, 60, changes=(0,) * 4)

WITH: dict[str, list[Match]] = {
    "has_id": [
        replace(BARE, id="2011"),
        replace(BARE, source="a.xml"),
        replace(BARE, tournament=Tournament(Text("杯"))),
    ],
    "has_date": [
        replace(BARE, date="20110204"),
        replace(BARE, weekday="fri"),
        replace(BARE, time="1700"),
        replace(BARE, place=Text("天鳳")),
        replace(BARE, recorders=(Recorder(Name(Text("A"))),)),
    ],
    "has_ranks": [first(dan=0), first(rate="1500")],
    "has_fractions": [first(dan=16, rate="2135.55")],
    "has_persons": [
        *(first(sex="M"), first(gold="1"), first(rc="1"), first(team=Text("T")), first(affiliation=Text("A"))),
        first(tour_points=(1, None)),
    ],
    "has_walls": [started(dice=(3, 4)), started(dice=7), replace(BARE, shuffle=Shuffle(ShuffleForm.HEX, "seed"))],
    "has_presences": [
        replace(BARE, before=(Disconnected(1),)),
        played(Disconnected(1), *DRAWN),
        played(*DRAWN, Returned(1)),
    ],
    "has_scores": [played(replace(RON, score=SCORE))],
    "has_pao": [played(replace(RON, pao=2))],
    "has_draws": [
        played(Ryuukyoku(DrawKind.FOUR_WINDS, changes=(0,) * 4)),
        played(Ryuukyoku(None, shown=(None,) * 4, changes=(0,) * 4)),
    ],
    "has_results": [replace(BARE, results=POINTS), replace(BARE, tour_points=((1, None),) * 4)],
    "has_chips": [started(chips=POINTS), replace(BARE, chips=POINTS)],
    "has_comments": [replace(BARE, frames=(frame(*DRAWN, comment=Text("流局")),))],
    "has_hidden_dora": [
        played(*DRAWN, dora=turned("1m", "uk", "2m")),
        played(*DRAWN, dora=turned("1m", "2m")),
        played(*RIICHI, dora=turned("1m", "2m", "3m", "4m")),
    ],
    "has_doubtful_indicators": [
        replace(BARE, frames=(replace(frame(*DRAWN, dora=turned("6m")), start=replace(START, indicator=None)),))
    ],
    "has_fourteenth": [started(fourteenth=110)],
    "has_either_copy": [played(Draw(0, any_copy("3m")), Discard(0, either_copy("3m")), *DRAWN)],
    "breaks_off": [played(*DRAWN[:2]), played()],
}
"""By trait, matches that have it, and only it; but for fractions, which only ranks have."""

WITHOUT: dict[str, list[Match]] = {
    "has_fractions": [first(rate="1500"), first(rate="1500.00")],
    "has_comments": [replace(BARE, frames=(frame(*DRAWN, comment=Text()),))],
    "has_hidden_dora": [
        played(*DRAWN, dora=turned("1m")),
        played(DoraRevealed(1), *DRAWN, dora=turned("1m", "uk", "2m")),
        played(*RIICHI, dora=turned("1m", "2m")),
    ],
    "has_doubtful_indicators": [
        played(*DRAWN, dora=turned("6m")),
        replace(BARE, frames=(replace(frame(*DRAWN, dora=turned("5m")), start=replace(START, indicator=None)),)),
    ],
    "has_either_copy": [played(Draw(0, any_copy("3m")), Discard(0, other_copy("3m")), *DRAWN)],
}

TRAITS: dict[str, Callable[[Match], bool]] = {
    name: function for name, function in getmembers(traits, isfunction) if name.startswith(("has_", "breaks_"))
}


def test_all() -> None:
    """There is a match with each trait."""
    assert WITH.keys() == TRAITS.keys()


@pytest.mark.parametrize(("name", "found"), [(name, found) for name, matches in WITH.items() for found in matches])
def test_has(name: str, found: Match) -> None:
    """A match has the trait that was given to it, and no other."""
    has = {trait for trait, function in TRAITS.items() if function(found)}
    assert has == ({name, "has_ranks"} if name == "has_fractions" else {name})


@pytest.mark.parametrize(("name", "found"), [(name, found) for name, matches in WITHOUT.items() for found in matches])
def test_has_not(name: str, found: Match) -> None:
    """What only looks like it is not it."""
    assert not TRAITS[name](found)


def test_bare() -> None:
    """A match of which nothing of the kind is recorded has no trait."""
    assert [name for name, function in TRAITS.items() if function(BARE)] == []
