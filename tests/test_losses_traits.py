"""What a match may hold that not every format does, and which format does."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

import pytest
from tables import table

from jmjp_convert.formats import FORMATS
from jmjp_convert.formats.losses import Holding
from jmjp_convert.formats.losses.traits import REPORTED, TRAITS
from jmjp_convert.formats.majiang import writer as majiang
from jmjp_convert.formats.mjai import writer as mjai
from jmjp_convert.formats.tenhou6 import writer as tenhou6
from jmjp_convert.model import (
    Discard,
    Disconnected,
    DoraRevealed,
    Draw,
    DrawKind,
    End,
    Event,
    Frame,
    Hand,
    House,
    Limit,
    Match,
    Name,
    Note,
    Player,
    PointRule,
    RecordedWall,
    Recorder,
    Returned,
    RiichiAccepted,
    RiichiDeclared,
    Rules,
    Ryuukyoku,
    Score,
    Shuffle,
    ShuffleForm,
    Start,
    Text,
    Thinking,
    Tournament,
    Win,
    Yaku,
    handle,
    tenhou,
)
from jmjp_convert.model.record import fields, replace
from jmjp_convert.model.tiles import NO_REDS, ONE_RED_EACH, UNKNOWN, RedFives, any_copy, faces
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

WITH: dict[str, list[Match | tuple[Match, Match]]] = {
    "id": [game(id=ID)],
    "source": [game(source="a.xml")],
    "code": [(ruled(code=8, red_fives=ONE_RED_EACH), ruled(code=9, red_fives=ONE_RED_EACH))],
    "house": [ruled(house=house) for house in House],
    "red_fives": [(ruled(red_fives=NO_REDS), ruled(red_fives=ONE_RED_EACH))],
    "reds_by_suit": [(ruled(red_fives=RedFives(1, 2, 1)), ruled(red_fives=ONE_RED_EACH))],
    "length": [ruled(east_only=True), ruled(east_only=False)],
    "lobby": [ruled(lobby=0)],
    "custom": [ruled(custom=(("rule", "x"),))],
    "point_rule": [game(point_rule=PointRule(25000, 30000, (20000, 10000, -10000, -20000), 300))],
    "tournament": [tournament(name=Text("杯"))],
    "year": [tournament(year=2011)],
    "stage": [tournament(stage=Text("予選"))],
    "number": [tournament(stage_match=0), tournament(day_match=1)],
    "date": [game(date="20110204")],
    "weekday": [game(weekday="fri")],
    "time": [game(time="1700")],
    "clock": [game(started=1296806400), game(ended=1296808200)],
    "place": [game(place=Text("天鳳"))],
    "recorders": [game(recorders=(Recorder(Name(Text("A"))),))],
    "ranks": [each(dan=0)],
    "ratings": [each(rate=1500)],
    "sex": [each(sex="M")],
    "gold": [each(gold=1), each(rc="1")],
    "accounts": [each(account=12345678)],
    "rank_points": [each(rank_points=600), game(rank_changes=(90, 0, -30, -60))],
    "teams": [each(team=Text("T")), each(affiliation=Text("A"))],
    "scripts": [
        (each(full_name=Name(Text("甲", "A"))), each(full_name=handle("甲"))),
        (each(full_name=Name(None, Text("甲", "A"))), each(full_name=Name(None, Text("甲")))),
    ],
    "raw_name": [each(raw_name=b"\xff")],
    "connections": [game(before=(Disconnected(1),)), played(Disconnected(1), *DRAWN), played(*DRAWN, Returned(1))],
    "other_name": [(played(Returned(1, "E"), *DRAWN), played(Returned(1), *DRAWN))],
    "seed": [game(shuffle=Shuffle(ShuffleForm.HEX, "seed")), started(shuffle="seed")],
    "dice": [started(dice=(3, 4)), started(dice=7)],
    "walls": [recorded(wall=RecordedWall(COPIES[0], dealt=False))],
    "thinking": [recorded(thinking=(None, Thinking(1200), None))],
    "notes": [recorded(notes=(Note(0, "why"),))],
    "copies": [started(hands=COPIES)],
    "order": [started(hands=tuple(hand[::-1] for hand in HANDS))],
    "open_riichi": [(played(*declared(is_open=True)), played(*declared(is_open=False)))],
    "turns": [(played(Draw(0, 60), DoraRevealed(1), Discard(0, 60), DRAW), played(DoraRevealed(1), *DRAWN))],
    "hidden_dora": [
        played(*DRAWN, dora=turned("1m", "uk", "2m")),
        played(*DRAWN, dora=turned("1m", "2m")),
        (played(*RIICHI, dora=turned("1m", "2m", "3m", "4m")), played(*RIICHI)),
    ],
    "scores": [(played(replace(RON, score=SCORE)), played(RON))],
    "pao": [(played(replace(RON, pao=(2,), score=YAKUMAN)), played(replace(RON, score=YAKUMAN)))],
    "draw_kinds": [played(*PLAYED, replace(DRAW, kind=DrawKind.FOUR_WINDS))],
    "shown": [
        (
            played(replace(DRAW, kind=DrawKind.EXHAUSTIVE, shown=((100,),) * 4)),
            played(replace(DRAW, kind=DrawKind.EXHAUSTIVE)),
        )
    ],
    "results": [game(results=POINTS)],
    "final_points": [game(final_points=tuple([2 * points for points in POINTS]))],
    "tour_points": [game(tour_points=((100, None),) * 4), each(tour_points=(100, None))],
    "chips": [
        *(started(chips=POINTS), game(chips=POINTS), game(ratio="1,2"), played(*PLAYED, replace(DRAW, chips=POINTS))),
        (played(replace(RON, chip_yaku=((1, 1),))), played(RON)),
    ],
    "yakitori": [game(yakitori=(10000, 10000, -30000, 10000))],
    "comments": [played(*DRAWN, comment=Text("Well played"))],
}
"""By trait, matches that have it, each with one that is the same without it, unless that is :data:`BARE`."""

CASES = [(key, *(case if isinstance(case, tuple) else (case, BARE))) for key, cases in WITH.items() for case in cases]


WITHOUT = {
    "tournament": [game(rules=Rules(code=9, lobby=0), tournament=Tournament(tenhou.title(9, 0)))],
    "scripts": [game(rules=Rules(code=9, lobby=0), tournament=Tournament(tenhou.title(9, 0)))],
    "place": [game(place=Text())],
    "weekday": [game(date="20110204", weekday="fri")],
    "comments": [
        played(*DRAWN, comment=Text()),
        played(*PLAYED, replace(RON, score=SCORE), comment=describe(frame(*PLAYED, replace(RON, score=SCORE)))),
    ],
    "hidden_dora": [
        played(*DRAWN, dora=turned("1m")),
        played(DoraRevealed(1), *DRAWN, dora=turned("1m", "uk", "2m")),
        played(*RIICHI, dora=turned("1m", "2m")),
    ],
}


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
    assert list(WITH) == list(REPORTED)
    assert len({trait.phrase for trait in REPORTED.values()}) == len(REPORTED)


def test_found(subtests: pytest.Subtests) -> None:
    """A match has the trait given to it, and otherwise only those that come with it."""
    for key, found, base in CASES:
        with subtests.test(key):
            assert traits(found) - traits(base) == ({key} if key not in ("code", "turns") else set())
            assert key in traits(found)


def test_dropped(subtests: pytest.Subtests) -> None:
    """Without a trait, a match is as one that never had it."""
    for key, found, base in CASES:
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
    for key, found in ((key, found) for key, cases in WITHOUT.items() for found in cases):
        with subtests.test(key):
            assert key not in traits(found)


def test_bare() -> None:
    """A match with nothing recorded has no trait, and no format leaves anything out."""
    assert traits(BARE) == set()
    assert [left_out(name, BARE) for name in WRITTEN] == [[]] * len(WRITTEN)


@each_format
def test_reported(name: str, subtests: pytest.Subtests) -> None:
    """A trait is reported as left out exactly when it changes nothing in the output."""
    for key, found, base in CASES:
        with subtests.test(key):
            write, _ = WRITTEN[name]
            assert (REPORTED[key].phrase in left_out(name, found)) is (write(found) == write(base))


HELD = {
    "tenhou6": "id red_fives reds_by_suit lobby tournament stage date ranks ratings sex connections "
    "scores pao draw_kinds shown results",
    "tenhou6 by frames": "red_fives reds_by_suit tournament stage date scores pao draw_kinds shown",
    "mjai": "red_fives length turns",
    "majiang": "id tournament stage date ranks ratings turns scores pao draw_kinds shown results final_points",
}


@each_format
def test_held(name: str) -> None:
    """Each trait is either held or left out."""
    said = {phrase for _, found, _ in CASES for phrase in left_out(name, found)}
    assert [key for key, trait in REPORTED.items() if trait.phrase not in said] == HELD[name].split()


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
