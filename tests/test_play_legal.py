"""What a player may do: every act of real and generated games is legal, and each rule has its limits."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import pytest
from dealt import FOUR, NAMES, Dealer, played
from frames import real_frames
from frames_in_play import start
from playing import LINES, matches
from test_real_logs import MANIFEST

from jmjp_convert import PlayError
from jmjp_convert.model import (
    Ankan,
    Discard,
    Draw,
    DrawKind,
    Event,
    Frame,
    Kakan,
    Kita,
    Meld,
    RiichiDeclared,
    Rules,
    Ryuukyoku,
    Win,
)
from jmjp_convert.model.record import replace
from jmjp_convert.model.tiles import UNKNOWN, faces
from jmjp_convert.play.legal import Legal
from jmjp_convert.play.melds import tiles_of
from jmjp_convert.play.ponds import PondTable
from jmjp_convert.table import Table


def table_of(hands: Sequence[str], *acts: str, players: int = FOUR, indicator: str = "9m") -> PondTable:
    """Return a table after the play that :func:`~dealt.played` describes."""
    start, rules, events = played(hands, *acts, players=players, indicator=indicator)
    table = PondTable(start, rules)
    for event in events:
        table.play(event)
    return table


def named(tiles: Sequence[int]) -> list[str]:
    """Return the faces of *tiles*."""
    return [NAMES[tile] for tile in tiles]


def called(legal: Legal) -> list[str]:
    """Return the calls of *legal* with the tiles of the hand: ``"chi 4m 6m"``."""
    return [" ".join([type(meld).__name__.lower(), *named(meld.hand)]) for meld in legal.calls]


def by_face(meld: Meld, rules: Rules) -> tuple[object, ...]:
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
        return by_face(event, rules) in [by_face(meld, rules) for meld in (*legal.calls, *legal.kans)]
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


def test_turn_of_another() -> None:
    """A player who waits for their turn may do nothing, nor may the one who is about to draw."""
    table = table_of(["1m"])
    assert table.legal(0) == table.legal(1) == Legal()
    table.play(Draw(0, table.left_in_wall()[-1]))
    assert table.legal(1) == Legal()


def test_discards() -> None:
    """After a draw, any tile of the hand and the one drawn may be discarded."""
    table = table_of(["123456789m 1234z"], "+5z", indicator="9p")
    assert named(table.legal(0).discards) == [*(f"{rank}m" for rank in range(1, 10)), "ew", "sw", "ww", "nw", "wd"]


def test_discards_in_riichi() -> None:
    """In riichi, only the tile drawn may be discarded."""
    table = table_of(["123456789m 1112z", "258p", "258p", "258p"], "!5z", "=7z", "=7z", "=7z", "+6z", indicator="9p")
    legal = table.legal(0)
    assert (named(legal.discards), legal.riichi) == (["gd"], ())


def test_riichi() -> None:
    """Riichi may be declared with the discards that leave a closed hand tenpai; then it is one of these."""
    table = table_of(["123456789m 1123z"], "+3z", indicator="9p")
    assert named(table.legal(0).riichi) == ["sw"]
    table.play(RiichiDeclared(0))
    assert named(table.legal(0).discards) == ["sw"]


@pytest.mark.parametrize(
    ("points", "riichi"),
    [(25000, True), (1000, True), (900, False), (None, True)],
    ids=["25000", "1000", "900", "unknown"],
)
def test_riichi_costs_a_stick(points: int | None, *, riichi: bool) -> None:
    """Riichi takes 1,000 points."""
    table = table_of(["123456789m 1123z"], "+3z", indicator="9p")
    table.points = None if points is None else (points,) * FOUR
    assert bool(table.legal(0).riichi) is riichi


def test_win() -> None:
    """The tile drawn wins if it completes the hand, whether there is a yaku or not."""
    assert table_of(["123m 456p 78s 11p 222z"], "+9s").legal(0).win
    assert not table_of(["123m 456p 78s 11p 222z"], "+5s").legal(0).win


def test_nine_terminals() -> None:
    """Nine kinds of terminals and honors may be shown after the first draw, unless somebody has called before."""
    orphans = "19m 19p 19s 123z 258p 2s"
    assert table_of([orphans], "+3s").legal(0).nine_terminals
    assert not table_of(["19m 19p 19s 12z 2258p 2s"], "+3s").legal(0).nine_terminals
    later = table_of([orphans, "147s", "147s", "147s"], "=5z", "=6z", "=6z", "=6z", "+3s")
    assert not later.legal(0).nine_terminals


def test_chi() -> None:
    """The next player may call chi, with each pair of faces that makes a sequence; the others may not."""
    table = table_of(["5z", "3467m", "67m"], "=5m")
    assert called(table.legal(1)) == ["chi 3m 4m", "chi 4m 6m", "chi 6m 7m"]
    assert called(table_of(["5z", "34667m", "67m"], "=5m").legal(2)) == []


def test_red_fives() -> None:
    """A call with a red five and one with a plain five are different calls."""
    table = table_of(["5z", "0556p 111222z 3z", "3z"], "=5z")
    assert called(table.legal(1)) == []
    table = table_of(["5z", "055p 6p 111222z 4z"], "=4p")
    assert sorted(called(table.legal(1))) == ["chi 0p 6p", "chi 5p 6p"]
    table = table_of(["5z", "1s", "05p 1s"], "=5p")
    assert called(table.legal(2)) == ["pon 0p 5p"]


def test_no_chi_for_three_players() -> None:
    """Three players may not call chi."""
    assert called(table_of(["5z", "46p", "1z"], "=5p", players=3, indicator="9p").legal(1)) == []


def test_pon_and_kan() -> None:
    """A pair may call pon, and three of a kind kan too."""
    assert called(table_of(["5z", "1s", "111z"], "=1z").legal(2)) == ["pon ew ew", "daiminkan ew ew ew"]


def test_nothing_is_called_in_riichi() -> None:
    """A player in riichi calls nothing, not even the tile of a pon."""
    table = table_of(["123456789m 1112z", "111p", "222p"], "!5z", "=7z", "=7z", "=1z", indicator="9p")
    assert table.legal(0) == Legal()


def test_kuikae() -> None:
    """After a call, neither the tile called nor the other end of its sequence may be discarded."""
    table = table_of(["5z", "34m 2255m 6z"], "=5m")
    meld = next(meld for meld in table.legal(1).calls if named(meld.hand) == ["3m", "4m"])
    table.play(meld)
    discards = named(table.legal(1).discards)
    assert "2m" not in discards
    assert "5m" not in discards
    assert "gd" in discards


def test_call_that_leaves_nothing_to_discard() -> None:
    """A call after which every discard would be kuikae is not legal."""
    table = table_of(["5z", "34m 2255m"], "=5m")
    table.hands[1][:] = Dealer()("3m 4m 2m 5m")
    assert [call for call in called(table.legal(1)) if call.startswith("chi")] == []


def test_ankan_and_kakan() -> None:
    """Four of a kind may be a closed kan, and a fourth tile may be added to a pon."""
    table = table_of(["1111z 222z 147m 147p"], "+2z")
    assert [named(kan.tiles) for kan in table.legal(0).kans if isinstance(kan, Ankan)] == [["ew"] * 4, ["sw"] * 4]
    table = table_of(["5z", "147s", "11z 258s"], "=1z")
    table.play(table.legal(2).calls[0])
    table.play(Discard(2, table.legal(2).discards[0]))
    for player in (3, 0, 1):
        tile = next(tile for tile in table.left_in_wall() if NAMES[tile] != "ew")
        table.play(Draw(player, tile))
        table.play(Discard(player, tile))
    table.play(Draw(2, next(tile for tile in table.left_in_wall() if NAMES[tile] == "ew")))
    (kan,) = table.legal(2).kans
    assert isinstance(kan, Kakan)
    assert NAMES[kan.tile] == "ew"


@pytest.mark.parametrize(
    ("hand", "drawn", "kans"),
    [
        pytest.param("111z 234m 567p 99s 46s", "ew", 1, id="the same waits"),
        pytest.param("3334m 567p 789p 111z", "3m", 0, id="other waits"),
        pytest.param("1111z 234m 567p 99s 4s", "6s", 0, id="not the tile drawn"),
    ],
)
def test_ankan_in_riichi(hand: str, drawn: str, kans: int) -> None:
    """In riichi, a closed kan needs the tile drawn, and must not change the waits."""
    table = table_of([hand, "28p", "28p", "28p"], "+5z")
    table.riichi[0] = True
    table.drawn = next(tile for tile in [*table.left_in_wall(), *table.hands[0]] if NAMES[tile] == drawn)
    assert len(table.legal(0).kans) == kans


def test_kita() -> None:
    """Three players may set a north aside."""
    (kita,) = table_of(["4z 1p"], "+2p", players=3, indicator="9p").legal(0).kans
    assert isinstance(kita, Kita)
    assert table_of(["4z 1p"], "+2p").legal(0).kans == ()


WAITS = "234m 567p 99s 45s 222z"


def test_ron() -> None:
    """A discard wins if it completes the hand of another player."""
    table = table_of(["5z", WAITS, WAITS.replace("222z", "333z")], "=6s")
    assert [table.legal(player).win for player in range(FOUR)] == [False, True, True, False]


def test_furiten_by_own_discard() -> None:
    """A player who has discarded a wait is in furiten: no win by ron, only by tsumo."""
    table = table_of(["5z", WAITS, "147p", "147p"], "=5z", "=3s", "=5z", "=6s")
    assert table.furiten(1)
    assert not table.legal(1).win
    later = table_of(["5z", WAITS, "147p", "147p"], "=5z", "=3s", "=5z", "=5z", "=7z", "+6s")
    assert later.legal(1).win


def test_furiten_until_the_next_turn() -> None:
    """A player who passes up a wait is in furiten until their next turn."""
    table = table_of(["5z", WAITS, "147p", "147p"], "=5z", "=7z", "=6s")
    assert (table.furiten(1), table.legal(1).win) == (False, True)
    table.play(Draw(3, next(tile for tile in table.left_in_wall() if NAMES[tile] == "3s")))
    assert table.furiten(1)
    table.play(Discard(3, table.drawn or 0))
    assert not table.legal(1).win


def test_furiten_in_riichi() -> None:
    """A player who passes up a wait in riichi stays in furiten."""
    acts = ["=5z", "!7z", "=6s", "=7z", "=5z", "=5z", "=3s"]
    table = table_of(["5z", WAITS, "147p", "147p"], *acts)
    assert table.furiten(1)
    assert not table.legal(1).win
    open_hand = table_of(["5z", WAITS, "147p", "147p"], *(act.replace("!", "=") for act in acts))
    assert open_hand.legal(1).win


def test_waits() -> None:
    """The waits are known while the tile drawn is apart; without tenpai there are none."""
    table = table_of([WAITS, "147p"], "+5z")
    assert table.waits(0) == (20, 23)
    assert table.waits(1) == ()
    assert not table.furiten(1)


def test_unknown_hand() -> None:
    """What a player with unknown tiles may do is not known."""
    any_tiles = tuple(tuple(any_copy_of_kind) for any_copy_of_kind in ((UNKNOWN,) * 13,) * FOUR)
    table = PondTable(replace(start(), hands=any_tiles, indicator=None), Rules())
    table.play(Draw(0, UNKNOWN))
    with pytest.raises(PlayError, match="the hand of player 0 is not known"):
        table.legal(0)
