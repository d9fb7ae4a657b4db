"""What a match may hold that not every format does, and which format does."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from itertools import pairwise
from typing import Any

import pytest
from casefiles import FIXTURES, blocks
from tables import table

from jmjp_convert import model, tiles
from jmjp_convert.formats import FORMATS
from jmjp_convert.formats.losses import Holding
from jmjp_convert.formats.losses.traits import REPORTED, TRAITS
from jmjp_convert.formats.majiang import writer as majiang
from jmjp_convert.formats.mjai import writer as mjai
from jmjp_convert.formats.tenhou6 import writer as tenhou6
from jmjp_convert.model import (
    Discard,
    Disconnected,
    Draw,
    End,
    Event,
    Frame,
    Hand,
    Limit,
    Match,
    Player,
    Returned,
    RiichiAccepted,
    RiichiDeclared,
    Rules,
    Ryuukyoku,
    Score,
    Start,
    Text,
    Tournament,
    Win,
    Yaku,
    handle,
)
from jmjp_convert.model.record import fields, replace
from jmjp_convert.model.tiles import UNKNOWN, any_copy, faces
from jmjp_convert.play.outcome_text import describe

POINTS = (25000,) * 4
NOTHING = (0,) * 4
COPIES = tuple(tuple(range(13 * who, 13 * who + 13)) for who in range(4))
HANDS = tuple(tuple(any_copy(faces()[tile]) for tile in hand) for hand in COPIES)
START = Start(0, 0, 0, 0, None, POINTS, HANDS, 100)
PLAYED = (Draw(0, 60), Discard(0, 60, tsumogiri=True))
DRAW = Ryuukyoku(None, changes=NOTHING)
DRAWN = (*PLAYED, DRAW)
SCORE = Score(30, 2000, Limit.NONE, (Yaku(1, 1), Yaku(52, 1)))
YAKUMAN = Score(30, 32000, Limit.YAKUMAN, (Yaku(39),))
RON = Win(1, 0, 60, changes=NOTHING)
ID = "2011020417gm-0009-0000-0123abcd"


def frame(*events: Event, dora: tuple[int, ...] | None = None, comment: Text | None = None) -> Frame:
    """Return a frame of *events*, which need not be consistent."""
    return Frame(START, events, End((Hand(()),) * 4, POINTS), dora, comment)


BARE = Match(Rules(red_fives=None), tuple(Player(handle(name)) for name in "ABCD"), (frame(*DRAWN),))
"""A match with nothing recorded beyond what every format holds."""


def game(**values: Any) -> Match:
    """Return the match with more fields recorded."""
    return replace(BARE, **values)


def started(**values: Any) -> Match:
    """Return the match with other values at the start of its frame."""
    return game(frames=(replace(BARE.frames[0], start=replace(START, **values)),))


def played(*events: Event, **values: Any) -> Match:
    """Return the match with other events in its frame."""
    return game(frames=(frame(*events, **values),))


def recorded(**values: Any) -> Match:
    """Return the match with more recorded about its frame."""
    return game(frames=(replace(BARE.frames[0], **values),))


def declared(*, is_open: bool) -> tuple[Event, ...]:
    """Return events with a riichi, which may be an open one."""
    return (Draw(0, 60), RiichiDeclared(0, open=is_open), Discard(0, 60, tsumogiri=True), RiichiAccepted(0), DRAW)


def each(**values: Any) -> Match:
    """Return the match with more recorded about its players."""
    return game(players=tuple(replace(player, **values) for player in BARE.players))


def tournament(**values: Any) -> Match:
    """Return the match as part of a tournament."""
    return game(tournament=Tournament(**values))


def ruled(**values: Any) -> Match:
    """Return the match with other rules."""
    return game(rules=replace(BARE.rules, **values))


def turned(*names: str) -> tuple[int, ...]:
    """Return ten dora of which those with the faces *names* are known."""
    return tuple(map(any_copy, names)) + (UNKNOWN,) * (10 - len(names))


RIICHI = (RiichiAccepted(1), replace(RON, ura=(0,)))
NAMES = {**vars(tiles), **vars(model), "describe": describe, **globals()}

CASES = {block.name: block.lines for block in blocks(FIXTURES / "losses" / "traits.txt", "case")}


def matches(key: str, word: str = "has") -> Iterator[tuple[Match, Match]]:
    """Yield the matches in the lines of a trait that begin with *word*, each with its base."""
    lines = [line.partition(": ") for line in CASES[key]]
    for (name, _, made), (after, _, base) in pairwise([*lines, ("", "", "")]):
        if name == word:
            yield eval(made, NAMES), eval(base, NAMES) if after == "base" else BARE  # noqa: S307 - our own


PAIRS = [(key, found, base) for key in CASES for found, base in matches(key)]


def holding(name: str, **options: bool) -> Holding:
    """Return what a format holds."""
    function = FORMATS[name].holding
    assert function is not None
    found: Holding = function(**options)
    return found


WRITTEN: dict[str, tuple[Callable[[Match], str], Holding]] = {
    "tenhou6": (tenhou6.write_tenhou6, holding("tenhou6")),
    "tenhou6 by frames": (partial(tenhou6.write_tenhou6, per_frame=True), holding("tenhou6", per_frame=True)),
    "mjai": (mjai.write_mjai, holding("mjai")),
    "majiang": (majiang.write_majiang, holding("majiang")),
}
each_format = pytest.mark.parametrize("name", WRITTEN)


def left_out(name: str, match: Match) -> list[str]:
    """Return what a format says that it leaves out of *match*."""
    return [*WRITTEN[name][1].lost(match).left_out]


def traits(match: Match) -> set[str]:
    """Return the keys of the traits that *match* has."""
    return {key for key, trait in REPORTED.items() if trait.affects(match)}


def test_all() -> None:
    """There is a match for each trait, and each has its own phrase."""
    assert list(CASES) == list(REPORTED) == list(dict.fromkeys(key for key, *_ in PAIRS))
    assert len({trait.phrase for trait in REPORTED.values()}) == len(REPORTED)


def test_found(subtests: pytest.Subtests) -> None:
    """A match has the trait given to it, and otherwise only those that come with it."""
    for key, found, base in PAIRS:
        with subtests.test(key):
            assert traits(found) - traits(base) == ({key} if key not in ("code", "turns") else set())
            assert key in traits(found)


def test_dropped(subtests: pytest.Subtests) -> None:
    """Without a trait, a match is as one that never had it."""
    for key, found, base in PAIRS:
        with subtests.test(key):
            if key not in (
                "code",
                "house",
                "red_fives",
                "reds_by_suit",
                "lobby",
                "other_name",
                "order",
            ):  # these follow from something else
                assert traits(Holding(TRAITS.keys() - {key}).expected(found)) == traits(base) - {key}


def test_nothing_to_drop(subtests: pytest.Subtests) -> None:
    """Dropping a trait leaves a match that does not have it as it is."""
    for key in TRAITS:
        with subtests.test(key):
            bare = Holding(()).expected(BARE)
            assert Holding(TRAITS.keys() - {key}).expected(bare) == bare


def test_not_found(subtests: pytest.Subtests) -> None:
    """A match that only looks as if it had a trait does not have it."""
    for key in CASES:
        with subtests.test(key):
            assert [found for found, _ in matches(key, "has not") if key in traits(found)] == []


def test_bare() -> None:
    """A match with nothing recorded has no trait, and no format leaves anything out."""
    assert traits(BARE) == set()
    assert [left_out(name, BARE) for name in WRITTEN] == [[]] * len(WRITTEN)


@each_format
def test_reported(name: str, subtests: pytest.Subtests) -> None:
    """A trait is reported as left out exactly when it changes nothing in the output."""
    for key, found, base in PAIRS:
        with subtests.test(key):
            write, _ = WRITTEN[name]
            assert (REPORTED[key].phrase in left_out(name, found)) is (write(found) == write(base))


@each_format
def test_held(name: str) -> None:
    """Each trait is either held or left out."""
    said = {phrase for _, found, _ in PAIRS for phrase in left_out(name, found)}
    held = [key for key, trait in REPORTED.items() if trait.phrase not in said]
    assert held == [key for key, lines in CASES.items() if name in lines[0].removeprefix("held by: ").split(", ")]


@pytest.mark.parametrize(
    "kind",
    [Match, Rules, Player, Tournament, Frame, Start, RiichiDeclared, Win, Ryuukyoku, Returned, Disconnected],
    ids=lambda kind: kind.__name__,
)
def test_fields(kind: type) -> None:
    """Every field of a record is a trait, or is written by every format."""
    traits_of = dict(table("losses_fields", kind.__name__))
    assert set(fields(kind)) == traits_of.keys()
    assert set(traits_of.values()) <= {*TRAITS, "written"}
