"""The table of Python users: its state, copies, wins with and without a yaku, and the table as text."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest
from test_play_table import START, frame_of

from jmjp_convert import Chi, Discard, Draw, PlayError, Rules, Ryuukyoku, Table, Win, read, tiles, walk
from jmjp_convert.model.events import ABORTIVE
from jmjp_convert.model.record import replace

VALID = Path(__file__).parent.parent / "fixtures" / "valid"
(GAME,) = read(VALID / "plain.xml")


def state(table: Table) -> tuple[object, ...]:
    """Return all that a table shows."""
    names = [name for name, value in vars(Table).items() if isinstance(value, property)]
    assert len(names) > 15
    seen = [table.seen_by(player) for player in range(table.rules.players)]
    return *(getattr(table, name) for name in names), seen, table.end(), str(table)


def test_copy() -> None:
    """A copy plays on by itself: at every event, the original stays as it was, and both reach the same end."""
    for frame in GAME.frames:
        for table, event in walk(GAME, frame):
            before, copy = state(table), table.copy()
            assert state(copy) == before
            copy.play(event)
            assert state(table) == before
            for later in frame.events[frame.events.index(event) + 1 :]:
                copy.play(later)
            assert copy.end() == frame.end


def test_nothing_to_change() -> None:
    """What a table shows cannot be changed, and hands are tuples of tiles, ascending."""
    table, _ = next(walk(GAME, GAME.frames[0]))
    assert table.hands == tuple(tuple(sorted(hand)) for hand in GAME.frames[0].start.hands)
    assert all(isinstance(value, tuple) for value in (table.hands, table.melds, table.ponds, table.riichi))
    assert [name for name in dir(table) if name.startswith(("pay", "take", "leave", "set", "lay", "turn_"))] == []


def test_shanten() -> None:
    """The shanten of a player counts the tile just drawn."""
    wins = 0
    for frame in GAME.frames:
        for table, event in walk(GAME, frame):
            if isinstance(event, Win):
                wins += 1
                assert table.shanten(event.player) == (-1 if event.source is None else 0)
    assert wins


@pytest.mark.parametrize("name", ["four-kans", "four-riichi", "four-winds", "nine-terminals", "triple-ron"])
def test_abortive_draw(name: str) -> None:
    """An abortive draw that is played without payments leaves the points as they are."""
    (match,) = read(VALID / f"{name}.xml")
    drawn = 0
    for frame in match.frames:
        for table, event in walk(match, frame):
            if isinstance(event, Ryuukyoku) and event.kind in ABORTIVE:
                before, drawn = table.points, drawn + 1
                table.copy().play(event)
                ended = table.copy()
                ended.play(Ryuukyoku(event.kind))
                assert ended.points == before == frame.end.points
    assert drawn


def test_wins_have_yaku() -> None:
    """Every win of a game has a yaku, and no act but a win says whether it has."""
    have_yaku = []
    for frame in GAME.frames:
        for table, event in walk(GAME, frame):
            legal = [table.legal(player) for player in range(4)]
            assert all(player_.yaku is None for player_ in legal if not player_.win)
            if isinstance(event, Win):
                have_yaku.append(legal[event.player].yaku)
    assert have_yaku == [True, True, True]


def without_yaku() -> Table:
    """Return a table where player 0 waits for 2p without a yaku, and player 1 has discarded it."""
    hand = tuple(tiles.parse("234m 567m 789p 13p 55s"))
    indicator = tiles.any_copy("rd")
    table = Table(replace(START, hands=(hand, *[(tiles.UNKNOWN,) * 13] * 3), indicator=indicator), Rules())
    for event in Draw(0, tiles.any_copy("nw")), Discard(0, tiles.any_copy("nw"), tsumogiri=True):
        table.play(event)
    table.play(Draw(1, tiles.any_copy("2p")))
    table.play(Discard(1, tiles.any_copy("2p"), tsumogiri=True))
    return table


def test_win_without_yaku() -> None:
    """A complete hand without a yaku is a win by shape, and says that it has none."""
    legal = without_yaku().legal(0)
    assert (legal.win, legal.yaku) == (True, False)


def test_yaku_not_known(monkeypatch: pytest.MonkeyPatch) -> None:
    """Without the extra, whether a win has a yaku is not known."""
    monkeypatch.setitem(sys.modules, "mahjong", None)
    yaku = [
        table.legal(event.player).yaku
        for frame in GAME.frames
        for table, event in walk(GAME, frame)
        if isinstance(event, Win) and not table.riichi[event.player]
    ]
    assert yaku
    assert set(yaku) == {None}


def test_text() -> None:
    """A table as text has the frame, each player's seat, name, points, hand and pond, and the last event in words."""
    texts = [str(table) for table, _ in walk(GAME, GAME.frames[0])]
    assert (
        texts[12]
        == """\
E1-0: 65 tiles left, dora indicators: 3p
  East Kaede     25000  1m 2m 3m 4p 5p 6p 9s 9s wd wd  [5s 4s 6s]
    nw 1p
> South Tsubaki  25000  3m 4m 5m 6m 7m 8m 9m 2p 3p 4p 8p 8p 6s + 7s  riichi
    ww
  West 山茶花       25000  1m 1m 1p 4p 7p 2s 5s 8s ew sw sw nw rd
    9m
  North Nazuna   25000  3m 5m 7m 3p 6p 9p 1s 1s 3s 3s ew ww gd
    (5s)
South Tsubaki declares riichi"""
    )


def test_short() -> None:
    """The repr of a table, a game and a frame is one short line, and an event has the type of its tile: the
    event does not know whether a five is red, unless only its face is known."""
    table, _ = next(walk(GAME, GAME.frames[0]))
    assert repr(table) == "<Table E1-0: 0 events played, 70 tiles left, turn of East Kaede>"
    assert repr(GAME) == "<Match tenhou: Kaede, Tsubaki, 山茶花, Nazuna; 4 frames>"
    assert repr(GAME.frames[0]) == "<Frame E1-0: 30 events, won by 1>"
    assert repr(GAME.frames[2]).endswith("events, a draw>")
    assert repr(Draw(0, 53)) == "Draw(player=0, tile=53 (5p))"
    assert repr(Discard(0, 16)) == "Discard(player=0, tile=16 (5m), tsumogiri=None)"
    assert repr(Draw(0, tiles.any_copy("0m"))) == "Draw(player=0, tile=140 (0m))"
    chi = Chi(1, 12, (16, 20), 0)
    assert repr(chi) == "Chi(player=1, taken=12 (4m), hand=(16 (5m), 20 (6m)), source=0)"


def test_words() -> None:
    """Every kind of event is described by seat, name and tile."""
    words = {type(event).__name__: table.describe(event) for f in GAME.frames for table, event in walk(GAME, f)}
    assert words["Draw"].split()[2] == "draws"
    assert all("{" not in line for line in words.values())


def test_impossible() -> None:
    """An impossible event is an error with its index."""
    with pytest.raises(PlayError) as caught:
        list(walk(Rules(), frame_of(Draw(2, 61))))
    assert caught.value.index == 0
