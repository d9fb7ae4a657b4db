"""The wins and exhaustive draws that a table values: those of games are as recorded, others say why there is none."""

from __future__ import annotations

import re
import sys
from collections.abc import Iterable
from typing import Any

import effort
import pytest
from dealt import played
from frames import real_frames
from playing import NORMAL, WILD, matches

from jmjp_convert import ConvertError, House, PlayError, Rules, Ryuukyoku, Table, Win, check, walk
from jmjp_convert.model import TO_THE_LAST, Discard, Draw, Frame, Match, Player
from jmjp_convert.model.houses import own_rules
from jmjp_convert.model.record import replace
from jmjp_convert.model.tiles import UNKNOWN, all_dora

pytest.importorskip("mahjong", reason="the extra score is not installed")

TANYAO = "234m 567p 88s 45s 222s"
NO_CHIPS: dict[str, Any] = {"chips": None, "chip_yaku": ()}


def as_recorded(frames: Iterable[tuple[Frame, Rules]]) -> tuple[int, int]:
    """Check that the wins and exhaustive draws of ranked *frames* are valued as recorded; return how many there are."""
    wins = draws = 0
    for frame, rules in frames:
        if own_rules(rules) is not None:
            continue
        won = [end for end in frame.endings if isinstance(end, Win)]
        for table, event in walk(rules, frame):
            if isinstance(event, Win) and event is won[0]:
                ura = next((win.ura for win in won if win.ura), ())
                assert list(table.wins(*[win.player for win in won], ura=ura)) == list(map(comparable, won))
                wins += len(won)
            elif isinstance(event, Ryuukyoku) and event.kind in TO_THE_LAST:
                assert table.exhaustive_draw() == event
                draws += 1
    return wins, draws


def comparable(win: Win) -> Win:
    """Return *win* with its yaku by number, without ura dora worth 0 han."""
    assert win.score is not None
    yaku = tuple(sorted(yaku_ for yaku_ in win.score.yaku if yaku_.han != 0))
    return replace(win, score=replace(win.score, yaku=yaku))


@pytest.mark.parametrize("line", [NORMAL, WILD])
def test_games(line: str) -> None:
    """Wins of generated games have the value and the payments that the simulator, which shares no code, has written;
    exhaustive draws too."""
    wins, draws = as_recorded((frame, match.rules) for match in matches(line) for frame in match.frames)
    assert wins > 20
    assert draws


@pytest.mark.skipif(not effort.MANIFEST.is_file(), reason="there are no real logs in ../shared/mjlog")
def test_real_games() -> None:
    """Wins and exhaustive draws of real ranked games are valued as recorded."""
    wins, draws = as_recorded(real_frames())
    assert wins > 50
    assert draws > 5


def table_of(*hands: str, acts: str, rules: Rules | None = None, honba: int = 0, sticks: int = 0) -> Table:
    """Return a table after the play that :func:`~dealt.played` describes."""
    start, usual, events = played(hands, *acts.split(), indicator="9m")
    table = Table(replace(start, honba=honba, sticks=sticks), rules or usual)
    for event in events:
        table.play(event)
    return table


def double_ron(**options: Any) -> Table:
    """Return a table at which players 2 and 3 may ron the same tile of player 0."""
    return table_of("6z", "147p", TANYAO, "345m 678p 22p 45s 333p", acts="=6s", **options)


def test_two_winners() -> None:
    """Of two winners, the first in turn order gets honba and sticks, whatever the order of the players; the points
    after both are known."""
    table = double_ron(honba=2, sticks=1)
    first, second = table.wins(3, 2)
    assert (first.player, first.changes, first.sticks) == (2, (-1900, 0, 2900, 0), 1)
    assert (second.player, second.changes, second.sticks) == (3, (-1300, 0, 0, 1300), 0)
    for win in first, second:
        table.play(win)
    assert table.points == (21800, 25000, 27900, 26300)


def test_three_winners() -> None:
    """Three winners draw the frame on Tenhou, and are all paid on Mahjong Soul."""
    hands = "6z", "234m 567p 88s 45s 777s", "234m 567p 88p 45s 222p", "345m 678p 22s 45s 333p"
    with pytest.raises(PlayError, match=r"^three players win on one tile; the frame is drawn$"):
        table_of(*hands, acts="=6s").wins(1, 2, 3)
    wins = table_of(*hands, acts="=6s", rules=Rules(house=House.MAHJONG_SOUL)).wins(1, 2, 3)
    assert [(win.player, win.changes and win.changes[0]) for win in wins] == [(1, -1300), (2, -1300), (3, -1300)]


def in_riichi() -> Table:
    """Return a table at which player 1 may win by tsumo in riichi."""
    return table_of("6z", TANYAO, "147p", "147p", acts="=5z !5z =5z =7z =7z +6s")


def test_ura() -> None:
    """A win in riichi needs the ura dora indicators; an empty list leaves ura dora out."""
    table = in_riichi()
    ura = next(tile for tile in range(28, 32) if tile not in [*table.indicators, *table.hands[1]])
    (with_ura,), (without,) = table.wins(1, ura=[ura]), table.wins(1, ura=[])
    assert (with_ura.ura, without.ura) == ((ura,), ())
    assert (with_ura.han or 0) >= (without.han or 0)
    missing = "player 1 wins in riichi; pass as many ura dora indicators as ura (1), or ura=[]"
    with pytest.raises(ValueError, match=f"^{re.escape(missing)}$"):
        table.wins(1)
    with pytest.raises(ValueError, match=r"^expected 1 ura dora indicators, one for each dora indicator, found 2$"):
        table.wins(1, ura=[ura, ura])


def test_ura_that_count() -> None:
    """Ura dora add their han: each tile that an indicator shows counts."""
    table = in_riichi()
    seven = next(
        tile for tile in range(96, 100) if tile not in {held_tile for hand in table.hands for held_tile in hand}
    )
    (win,) = table.wins(1, ura=[seven])  # 8s, of which the hand has two
    assert ("Ura dora", 2) in [(yaku.romaji, yaku.han) for yaku in win.yaku]
    assert all_dora([seven, seven])[0] not in table.hands[1]


@pytest.mark.parametrize(
    ("players", "reason"),
    [
        ([1], "player 1 wins on tile 95 (6s), which does not complete the hand"),
        ([0], "player 0 has no tile to win on"),
    ],
)
def test_no_win(players: list[int], reason: str) -> None:
    """A player who may not win is an error with the reason."""
    with pytest.raises(PlayError, match=f"^{re.escape(reason)}$"):
        double_ron().wins(*players)


def test_nobody() -> None:
    """The wins of no players are none."""
    assert double_ron().wins() == ()
    with pytest.raises(ValueError, match="expected a player, 0 to 3, found 4"):
        double_ron().wins(4)


def test_value_not_known() -> None:
    """Without a dora indicator, the value of a win is not known."""
    start, rules, events = played(["6z", "147p", TANYAO], "=6s")
    table = Table(replace(start, indicator=None), rules)
    for event in events:
        table.play(event)
    with pytest.raises(PlayError, match=r"^the value of the win is unknown: the dora indicator is not recorded$"):
        table.wins(2)
    table = Table(replace(start, hands=((UNKNOWN,) * 13,) * 4, indicator=None), rules)
    for event in Draw(0, UNKNOWN), Discard(0, UNKNOWN):
        table.play(event)
    with pytest.raises(PlayError):
        table.wins(2)


def test_without_the_extra(monkeypatch: pytest.MonkeyPatch) -> None:
    """Without the extra, the error says how to install it."""
    table = double_ron()
    monkeypatch.setitem(sys.modules, "mahjong", None)
    with pytest.raises(
        ConvertError, match=r"scoring needs the extra 'score'; run pipx install --force \"\.\[score\]\""
    ):
        table.wins(2)


def test_draw_too_early() -> None:
    """An exhaustive draw needs an empty wall."""
    with pytest.raises(PlayError, match=r"^a draw \(exhaustive\) with 69 tiles left to draw$"):
        double_ron().exhaustive_draw()


def test_own_frame_checks() -> None:
    """A frame played at a table, which ends with a win as valued, is right by all checks."""
    table = double_ron(sticks=1)
    start, rules, events = played(["6z", "147p", TANYAO, "345m 678p 22p 45s 333p"], "=6s")
    wins = table.wins(2, 3)
    for win in wins:
        table.play(win)
    frame = Frame(replace(start, sticks=1), (*events, *wins), table.end(), None)
    ranked = replace(rules, house=House.TENHOU, lobby=0, code=9)
    match = Match(ranked, tuple([Player() for _ in range(4)]), (frame,))
    assert check(match, score=True) == []
    poor = replace(frame, events=(*events, *map(poorer, wins)))
    reasons = [problem.reason for problem in check(replace(match, frames=(poor,)), score=True)]
    assert reasons == [
        "player 2's win is worth 1200; 1300 (40 fu 1 han) expected",
        "player 3's win is worth 1200; 1300 (40 fu 1 han) expected",
    ]


def poorer(win: Win) -> Win:
    """Return *win* with fewer points."""
    assert win.score is not None
    return replace(win, score=replace(win.score, points=1200))
