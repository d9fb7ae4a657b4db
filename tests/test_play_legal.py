"""What a player may do: every act of real and generated games is legal, and an act is legal if it is listed. The rules
one by one are cases (`test_play_offered.py`)."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from functools import partial
from itertools import combinations
from random import Random

import effort
import pytest
from dealt import FOUR, NAMES, Dealer, played
from frames import real_frames
from frames_in_play import start
from playing import LINES, NORMAL, SANMA, WILD, matches
from test_real_logs import MANIFEST

from jmjp_convert import PlayError, walk
from jmjp_convert.model import (
    Ankan,
    Call,
    Chi,
    Daiminkan,
    Discard,
    Draw,
    DrawKind,
    Event,
    Frame,
    Kakan,
    Kita,
    Meld,
    Pon,
    RiichiAccepted,
    RiichiDeclared,
    Rules,
    Ryuukyoku,
    Win,
)
from jmjp_convert.model.record import replace
from jmjp_convert.model.tiles import COPIES, NORTH, UNKNOWN, WIND_KINDS, any_copy, faces, kind
from jmjp_convert.play.melds import tiles_of
from jmjp_convert.play.ponds import PondTable
from jmjp_convert.play.violations import expect_legal
from jmjp_convert.table import Table


def melded(meld: Meld, rules: Rules) -> tuple[object, ...]:
    """Return *meld* with the faces of its tiles."""
    names = faces(rules.red_fives)
    if isinstance(meld, Kita):
        return Kita, names[meld.tile]
    if isinstance(meld, Kakan):
        return Kakan, names[meld.tile]
    return type(meld), sorted(names[tile] for tile in tiles_of(meld))


def is_listed(table: Table, event: Event, rules: Rules) -> bool:
    """Return whether *event*, which is about to be played, is in what its player may do; a meld by its faces."""
    if isinstance(event, Ryuukyoku):
        if event.kind is not DrawKind.NINE_TERMINALS:
            return True
        return table.turn is not None and table.legal(table.turn).nine_terminals
    if not isinstance(event, Discard | RiichiDeclared | Win | Draw | Meld):
        return True
    legal = table.legal(event.player)
    if isinstance(event, Discard):
        return event.tile in legal.discards
    if isinstance(event, Meld):
        return melded(event, rules) in [melded(meld, rules) for meld in (*legal.calls, *legal.kans)]
    return {RiichiDeclared: bool(legal.riichi), Win: legal.win, Draw: not legal.discards}[type(event)]


def check(played: Iterable[tuple[Frame, Rules]]) -> None:
    """Check that every act in frames is legal, with its copies of tiles, and listed by its faces."""
    acts = 0
    for frame, rules in played:
        table = Table(frame.start, rules)
        for event in frame.events:
            assert is_listed(table, event, rules), (frame.start, event)
            table.play(event)  # which accepts what is legal only
            acts += 1
    assert acts


@pytest.mark.parametrize("line", LINES)
def test_acts_of_games(line: str) -> None:
    """Every act of a generated game is legal when it is played."""
    check((frame, match.rules) for match in matches(line) for frame in match.frames)


@pytest.mark.skipif(not MANIFEST.is_file(), reason="there are no real logs in ../shared/mjlog")
def test_acts_of_real_games() -> None:
    """Every act of real games is legal when it is played."""
    check(real_frames())


def choices(table: Table, player: int) -> dict[Event, bool]:
    """Return acts of *player* at *table*, most of them not legal, each with whether it is listed as legal."""
    legal, last = table.legal(player), table.last
    hand = sorted([*table.hands[player], *([table.drawn] if table.turn == player and table.drawn is not None else [])])
    acts: dict[Event, bool] = {Discard(player, tile): tile in legal.discards for tile in hand}
    acts[RiichiDeclared(player)] = bool(legal.riichi)
    kita = any(isinstance(kan, Kita) for kan in legal.kans)
    acts |= {Kita(player, tile): kita and kind(tile) == NORTH for tile in hand if kind(tile) in WIND_KINDS}
    if table.turn == player and table.drawn is not None:
        acts[Win(player, None, table.drawn)] = legal.win and legal.yaku is not False
        acts[Ryuukyoku(DrawKind.NINE_TERMINALS)] = legal.nine_terminals
        kans = [tiles for tiles in combinations(hand, COPIES) if len(set(map(kind, tiles))) == 1]
        acts |= {Ankan(player, tiles): Ankan(player, tiles) in legal.kans for tiles in kans}
    elif isinstance(last, Discard):
        named = partial(by_face, names=faces(table.rules.red_fives))
        listed = set(map(named, legal.calls))
        melds: list[Call] = [
            kind_(player, last.tile, pair, last.player) for kind_ in (Chi, Pon) for pair in combinations(hand, 2)
        ]
        three = [tile for tile in hand if kind(tile) == kind(last.tile)]
        melds += [Daiminkan(player, last.tile, tuple(three), last.player)] if len(three) == COPIES - 1 else []
        acts |= {meld: named(meld) in listed for meld in melds}
        acts[Win(player, last.player, last.tile)] = legal.win and legal.yaku is not False
    return acts


def by_face(meld: Call, names: Sequence[str]) -> tuple[object, ...]:
    """Return *meld* with the faces of its tiles, by *names*, instead of their copies."""
    return type(meld), meld.taken, tuple(sorted(names[tile] for tile in meld.hand))


@pytest.mark.parametrize("line", [NORMAL, WILD, SANMA])
def test_what_is_listed(line: str) -> None:
    """An act is legal if and only if it is listed as legal, with any copies of the faces of a call."""
    chance, counts = Random(1), {True: 0, False: 0}  # noqa: S311 - the same positions every time
    for match in matches(line):
        for frame in match.frames:
            for table, _ in walk(match, frame):
                if chance.random() < (0.01 if effort.long else 0.002):
                    for player in range(match.rules.players):
                        for act, listed in choices(table, player).items():
                            assert table.is_legal(act) is listed, (frame.start.name, str(table), act)
                            counts[listed] += 1
    assert all(count > 50 for count in counts.values())


@pytest.fixture
def only_kuikae() -> PondTable:
    """A table at which player 1 may call chi with 3m 4m, and then holds nothing but 2m and 5m."""
    start, rules, events = played(["5z", "34m 2255m"], "=5m")
    table = PondTable(start, rules)
    for event in events:
        table.play(event)
    table.hands[1][:] = Dealer()("3m 4m 2m 5m")
    return table


def test_call_that_leaves_only_kuikae(only_kuikae: PondTable) -> None:
    """A call after which every discard would be kuikae is not offered, and is refused."""
    assert not [call for call in only_kuikae.legal(1).calls if isinstance(call, Chi)]
    last = only_kuikae.last
    assert isinstance(last, Discard)
    three, four, *_ = only_kuikae.hands[1]
    reason = f"player 1 takes tile {last.tile} (5m), and then every discard is kuikae"
    with pytest.raises(PlayError, match=f"^{re.escape(reason)}$"):
        expect_legal(only_kuikae, Chi(1, last.tile, (three, four), 0))


def test_unknown_tiles() -> None:
    """What depends on unknown tiles is not refused."""
    start, rules, _ = played([""])
    hidden = (UNKNOWN,) * 13
    table = Table(replace(start, hands=(hidden,) * FOUR, indicator=None), rules)
    table.play(Draw(0, UNKNOWN))
    six, nine_terminals = any_copy("6m"), Ryuukyoku(DrawKind.NINE_TERMINALS)
    for event in RiichiDeclared(0), Discard(0, six), RiichiAccepted(0), Draw(1, UNKNOWN), nine_terminals:
        assert table.is_legal(event), event
        table.play(event)
    table = Table(replace(start, hands=(hidden,) * FOUR, indicator=None), rules)
    for before in Draw(0, UNKNOWN), Discard(0, six):
        table.play(before)
    table.play(Win(2, 0, six))
    assert table.winners == {2}


def test_impossible() -> None:
    """An impossible event, too, leaves the table as it was: here a tile has been taken from the hand when another is
    missing."""
    start, rules, events = played(["5z", "34m 2255m 6z"], "=5m")
    table = Table(start, rules)
    for event in events:
        table.play(event)
    before = str(table), table.end()
    assert isinstance(table.last, Discard)
    five = next(tile for tile in table.hands[1] if NAMES[tile] == "5m")
    with pytest.raises(PlayError, match="does not hold"):
        table.play(Pon(1, table.last.tile, (five, table.hands[0][0]), 0), recorded=True)
    assert (str(table), table.end()) == before


def test_unknown_hand() -> None:
    """What a player with unknown tiles may do is not known."""
    any_tiles = tuple(tuple(any_copy_of_kind) for any_copy_of_kind in ((UNKNOWN,) * 13,) * FOUR)
    table = PondTable(replace(start(), hands=any_tiles, indicator=None), Rules())
    table.play(Draw(0, UNKNOWN))
    with pytest.raises(PlayError, match="the hand of player 0 is not known"):
        table.legal(0)
