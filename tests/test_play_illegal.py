"""What is against the rules of play: each rule refuses an event with its reason; as part of a record, it is played."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from functools import partial
from itertools import combinations
from random import Random

import effort
import pytest
from dealt import FOUR, NAMES, played
from playing import NORMAL, SANMA, WILD, matches

from jmjp_convert import PlayError, Table, walk
from jmjp_convert.model import (
    Ankan,
    Call,
    Chi,
    Daiminkan,
    Discard,
    Draw,
    DrawKind,
    Event,
    Kita,
    Pon,
    RiichiAccepted,
    RiichiDeclared,
    Ryuukyoku,
    Win,
)
from jmjp_convert.model.record import replace
from jmjp_convert.model.tiles import COPIES, NORTH, PHYSICAL, UNKNOWN, WIND_KINDS, any_copy, exists, faces, kind
from jmjp_convert.play.illegal import expect_legal
from jmjp_convert.play.melds import tiles_of
from jmjp_convert.play.ponds import PondTable

WAITS = "234m 567p 99s 45s 222z"
TENPAI = "123456789m 1122z"
MESSY = "147m 258p 369s 1234z"


def table_of(
    hands: Sequence[str], *acts: str, players: int = FOUR, indicator: str = "9p", points: int = 25000
) -> Table:
    """Return a table after the play that :func:`~dealt.played` describes."""
    start, rules, events = played(hands, *acts, players=players, indicator=indicator)
    table = Table(replace(start, points=(points,) * players), rules)
    for event in events:
        table.play(event)
    return table


def held(table: Table, player: int, faces: str) -> tuple[int, ...]:
    """Return tiles of *player* with these *faces*, ascending."""
    drawn = [table.drawn] if table.turn == player and table.drawn is not None else []
    left, found = sorted([*table.hands[player], *drawn]), []
    for face in faces.split():
        tile = next(tile for tile in left if NAMES[tile] == face)
        left.remove(tile)
        found.append(tile)
    return tuple(sorted(found))


def unused(table: Table) -> list[int]:
    """Return the tiles that nobody has seen."""
    used = {*table.indicators, *(tile for hand in table.hands for tile in hand)}
    used |= {thrown.tile for pond in table.ponds for thrown in pond}
    used |= {tile for melds in table.melds for meld in melds for tile in tiles_of(meld)}
    return [tile for tile in range(PHYSICAL) if tile not in used and exists(tile // COPIES, table.rules.players)]


def offered(table: Table) -> int:
    """Return the tile just discarded."""
    assert isinstance(table.last, Discard)
    return table.last.tile


def play_on(table: Table, left: int, *, to: str = "draw") -> Table:
    """Return *table* when so many tiles are *left* to draw: after the draw, or after the ``discard`` of that tile;
    every player has discarded the tile drawn."""
    while True:
        player, tile = table.turn, unused(table)[-1]
        assert player is not None
        table.play(Draw(player, tile))
        if table.left == left and to == "draw":
            return table
        table.play(Discard(player, tile, tsumogiri=True))
        if table.left == left:
            return table


def after_kans(*kans: tuple[int, str]) -> Table:
    """Return a table of two players with many kans, after closed *kans*, each with its replacement tile."""
    hands = ["1111m 9999m 58p 5s 12z", "1111p 2222p 3333p 3z", "258m 47p 258s", "33z"]
    table = table_of(hands, "+6z", indicator="9s")
    for player, face in kans:
        if table.turn != player:
            tile = table.drawn
            assert tile is not None
            table.play(Discard(0, tile))
            table.play(Draw(player, unused(table)[-1]))
        table.play(Ankan(player, held(table, player, f"{face} " * COPIES)))
        table.play(Draw(player, unused(table)[-1]))
    return table


FOUR_KANS = ((0, "1m"), (0, "9m"), (1, "1p"), (1, "2p"))


def tsumo() -> tuple[Table, Event]:
    """A tsumo on a hand that is not complete."""
    table = table_of(["123m 456p 78s 11p 222z"], "+5s")
    return table, Win(0, None, table.drawn or 0)


def ron() -> tuple[Table, Event]:
    """A ron on a tile that the hand does not wait for."""
    table = table_of(["5z", WAITS], "=5s")
    return table, Win(1, 0, offered(table))


def furiten() -> tuple[Table, Event]:
    """A ron after a discard of a wait."""
    table = table_of(["5z", WAITS, "147p", "147p"], "=5z", "=3s", "=5z", "=6s")
    return table, Win(1, 3, offered(table))


def no_yaku() -> tuple[Table, Event]:
    """A ron on a hand without a yaku."""
    table = table_of(["6z", "234m 567m 789p 13p 55s"], "=2p")
    return table, Win(1, 0, offered(table))


def closed_kan() -> tuple[Table, Event]:
    """A ron on the tile of a closed kan, for which a hand waits that is not thirteen orphans."""
    table = table_of(["1111m", "23m 456p 789p 99s 555s"], "+6z")
    table.play(Ankan(0, held(table, 0, "1m 1m 1m 1m")))
    return table, Win(1, 0, table.melds[0][0].tiles[0])  # type: ignore[union-attr]


def third_win() -> tuple[Table, Event]:
    """A third ron on one tile, which draws the frame on Tenhou."""
    table = table_of(["5z", WAITS, "234m 567p 11p 45s 333z", "345m 678p 22p 45s 444z"], "=6s")
    table.play(Win(1, 0, offered(table)))
    table.play(Win(2, 0, offered(table)))
    return table, Win(3, 0, offered(table))


def noten_riichi() -> tuple[Table, Event]:
    """A riichi without tenpai."""
    return table_of([MESSY], "+5z"), RiichiDeclared(0)


def poor_riichi() -> tuple[Table, Event]:
    """A riichi without the points for its stick."""
    return table_of([TENPAI], "+3z", points=900), RiichiDeclared(0)


def late_riichi() -> tuple[Table, Event]:
    """A riichi after which not everybody draws once more."""
    return play_on(table_of([MESSY, "58m", TENPAI]), 3), RiichiDeclared(2)


def riichi_tile() -> tuple[Table, Event]:
    """A riichi discard that leaves no tenpai."""
    table = table_of([TENPAI], "+3z")
    table.play(RiichiDeclared(0))
    return table, Discard(0, held(table, 0, "5m")[0])


def swap_call() -> tuple[Table, Event]:
    """A discard of the other end of the sequence just called."""
    table = table_of(["5z", "34m 2255m 6z"], "=5m")
    table.play(Chi(1, offered(table), held(table, 1, "3m 4m"), 0))
    return table, Discard(1, held(table, 1, "2m")[0])


def no_run() -> tuple[Table, Event]:
    """A chi of tiles that are no sequence."""
    table = table_of(["5z", "34m 2255m 6z"], "=5m")
    return table, Chi(1, offered(table), held(table, 1, "2m 3m"), 0)


def chi_of_three() -> tuple[Table, Event]:
    """A chi in a three-player game."""
    table = table_of(["5z", "46p", "1z"], "=5p", players=3)
    return table, Chi(1, offered(table), held(table, 1, "4p 6p"), 0)


def last_discard() -> tuple[Table, Event]:
    """A call of the last discard."""
    table = play_on(table_of([MESSY, "5z", "147m", "55z"], indicator="9m"), 0)
    table.play(Discard(1, held(table, 1, "wd")[0]))
    return table, Pon(3, offered(table), held(table, 3, "wd wd"), 1)


def call_after_four_kans() -> tuple[Table, Event]:
    """A call of the discard with which four kans of two players end the frame."""
    table = after_kans(*FOUR_KANS)
    table.play(Discard(1, held(table, 1, "ww")[0]))
    return table, Pon(3, offered(table), held(table, 3, "ww ww"), 1)


def fifth_kan() -> tuple[Table, Event]:
    """A fifth closed kan."""
    table = after_kans(*FOUR_KANS)
    return table, Ankan(1, held(table, 1, "3p 3p 3p 3p"))


def kan_of_the_last_tile() -> tuple[Table, Event]:
    """A kan without a replacement tile."""
    table = play_on(table_of([MESSY, "1111p"]), 0)
    return table, Ankan(1, held(table, 1, "1p 1p 1p 1p"))


def kan_that_changes_waits() -> tuple[Table, Event]:
    """A closed kan in riichi that changes the waits."""
    table = table_of(["3334m 567p 789p 111z", "28p", "28p", "28p"], "!5z", "=7z", "=7z", "=7z", "+3m", indicator="9s")
    return table, Ankan(0, held(table, 0, "3m 3m 3m 3m"))


def kan_from_the_hand() -> tuple[Table, Event]:
    """A closed kan in riichi without the tile drawn."""
    table = table_of(["3333m 45m 678p 789s 9s", "28p", "28p", "28p"], "!5z", "=7z", "=7z", "=7z", "+6z")
    return table, Ankan(0, held(table, 0, "3m 3m 3m 3m"))


def kita_from_the_hand() -> tuple[Table, Event]:
    """A north set aside in riichi that is not the tile drawn."""
    table = table_of(["123456789p 1144z", "28s", "28s"], "!5z", "=7z", "=7z", "+6z", players=3, indicator="9s")
    return table, Kita(0, held(table, 0, "nw")[0])


def empty_wall() -> tuple[Table, Event]:
    """A draw after the last tile."""
    table = play_on(table_of([MESSY]), 0, to="discard")
    return table, Draw(2, unused(table)[0])


def drawn(kind_: DrawKind) -> Callable[[], tuple[Table, Event]]:
    """Return a case of a draw in the middle of a frame."""

    def case() -> tuple[Table, Event]:
        acts = "+5z" if kind_ is DrawKind.NINE_TERMINALS else "=5z"
        return table_of(["258m 258p 258s 1234z"], acts), Ryuukyoku(kind_)

    return case


def nagashi() -> tuple[Table, Event]:
    """A nagashi mangan by nobody."""
    return play_on(table_of([MESSY]), 0, to="discard"), Ryuukyoku(DrawKind.NAGASHI)


CASES: dict[str, tuple[Callable[[], tuple[Table, Event]], str]] = {
    "tsumo": (tsumo, "player 0 wins on tile 91 (5s), which does not complete the hand"),
    "ron": (ron, "player 1 wins on tile 90 (5s), which does not complete the hand"),
    "furiten": (furiten, "player 1 wins by ron on tile 95 (6s) in furiten"),
    "no yaku": (no_yaku, "player 1 wins on tile 43 (2p) without a yaku"),
    "closed kan": (closed_kan, "player 1 wins on the tile of a closed kan, without thirteen orphans"),
    "third win": (third_win, "three players win on one tile; the frame is drawn"),
    "riichi without tenpai": (noten_riichi, "player 0 declares riichi without tenpai"),
    "riichi without points": (poor_riichi, "player 0 declares riichi without 1000 points"),
    "late riichi": (late_riichi, "player 2 declares riichi with 3 tiles left to draw"),
    "riichi tile": (riichi_tile, "player 0 is not tenpai after the riichi discard of tile 19 (5m)"),
    "kuikae": (swap_call, "player 1 discards tile 6 (2m) after this call: kuikae"),
    "no run": (no_run, "invalid chi: 2m 3m 5m"),
    "chi of three players": (chi_of_three, "player 1 calls chi in a three-player game"),
    "last discard": (last_discard, "player 3 takes tile 127 (wd), the last discard"),
    "call after four kans": (
        call_after_four_kans,
        "player 3 takes tile 119 (ww), but the frame is drawn: four kans",
    ),
    "fifth kan": (fifth_kan, "player 1 declares a fifth kan"),
    "kan of the last tile": (kan_of_the_last_tile, "player 1 declares a kan, but no tile is left to draw"),
    "kan that changes waits": (kan_that_changes_waits, "player 0 declares a kan that changes the waits, after riichi"),
    "kan from the hand": (kan_from_the_hand, "player 0 declares a kan without the tile drawn, after riichi"),
    "kita from the hand": (kita_from_the_hand, "player 0 declares a kita without the tile drawn, after riichi"),
    "empty wall": (empty_wall, "player 2 draws, but no tile is left to draw"),
    "exhaustive": (drawn(DrawKind.EXHAUSTIVE), "a draw (exhaustive) with 69 tiles left to draw"),
    "nine terminals": (drawn(DrawKind.NINE_TERMINALS), "a draw (nine terminals) that the play does not have"),
    "four winds": (drawn(DrawKind.FOUR_WINDS), "a draw (four winds) that the play does not have"),
    "four riichi": (drawn(DrawKind.FOUR_RIICHI), "a draw (four riichi) that the play does not have"),
    "four kans": (drawn(DrawKind.FOUR_KANS), "a draw (four kans) that the play does not have"),
    "triple ron": (drawn(DrawKind.TRIPLE_RON), "a draw (triple ron) that the play does not have"),
    "nagashi": (nagashi, "a draw (nagashi mangan) that the play does not have"),
}


@pytest.mark.parametrize(("case", "reason"), CASES.values(), ids=CASES)
def test_refused(case: Callable[[], tuple[Table, Event]], reason: str) -> None:
    """An event against the rules is refused with the reason, and the table stays as it was; as recorded, it is played,
    since it is possible."""
    table, event = case()
    before = str(table), table.end(), repr(table)
    with pytest.raises(PlayError, match=f"^{re.escape(reason)}$"):
        table.play(event)
    assert not table.is_legal(event)
    assert (str(table), table.end(), repr(table)) == before
    table.play(event, recorded=True)
    assert table.describe(event) in str(table)


def test_call_that_leaves_only_kuikae() -> None:
    """A call after which every discard would be kuikae is refused."""
    start, rules, events = played(["5z", "34m 2255m"], "=5m")
    table = PondTable(start, rules)
    for event in events:
        table.play(event)
    three, four, two, five = (
        next(
            tile
            for tile in range(PHYSICAL)
            if NAMES[tile] == f"{rank}m" and tile in [*table.hands[1], *table.left_in_wall()]
        )
        for rank in (3, 4, 2, 5)
    )
    table.hands[1][:] = [three, four, two, five]
    assert isinstance(table.last, Discard)
    reason = f"player 1 takes tile {table.last.tile} (5m), and then every discard is kuikae"
    with pytest.raises(PlayError, match=f"^{re.escape(reason)}$"):
        expect_legal(table, Chi(1, table.last.tile, (three, four), 0))


def test_unknown_tiles() -> None:
    """What depends on unknown tiles is not refused."""
    start, rules, _ = played([WAITS])
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
    table = table_of(["5z", "34m 2255m 6z"], "=5m")
    before = str(table), table.end()
    with pytest.raises(PlayError, match="does not hold"):
        table.play(Pon(1, offered(table), (*held(table, 1, "5m"), unused(table)[0]), 0), recorded=True)
    assert (str(table), table.end()) == before


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
