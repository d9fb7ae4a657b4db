"""Building a frame's events from tiles by face."""

from __future__ import annotations

import pytest

from jmjp_convert.formats.frame_builder import FrameBuilder, NotDrawnError, as_called, extended_pon
from jmjp_convert.model import (
    DISCARDS,
    DRAWS,
    Ankan,
    Daiminkan,
    Discard,
    Disconnected,
    DoraRevealed,
    DrawKind,
    Event,
    Kakan,
    Kita,
    Pon,
    RiichiAccepted,
    RiichiDeclared,
    Ryuukyoku,
    Start,
    Win,
)
from jmjp_convert.model.events import ACCEPTED, DECLARED
from jmjp_convert.model.tiles import UNKNOWN, any_copy

M1, M5, RED, M9, NORTH = map(any_copy, ("1m", "5m", "0m", "9m", "nw"))
START = Start(0, 0, 0, 0, None, None, (), None)
PON = Pon(1, M5, (M5, RED), 0)


def built(*events: Event) -> FrameBuilder:
    """Return a builder after *events*."""
    return FrameBuilder(START, events)


def in_riichi(player: int = 0, tile: int = M9) -> FrameBuilder:
    """Return a builder after *player* discarded the riichi tile."""
    builder = built()
    builder.draw(player, tile)
    builder.declare_riichi(player)
    builder.discard(player, tile, tsumogiri=True)
    return builder


def kinds(builder: FrameBuilder) -> list[type]:
    """Return the types of the events that are not draws or discards."""
    return [type(event) for event in builder.events if type(event) not in (type(DRAWS[0][0]), Discard)]


# --- riichi ----------------------------------------------------------------------------------------------------------


def test_riichi_accepted() -> None:
    """A riichi is accepted right after its tile."""
    builder = in_riichi()
    builder.draw(1, M1)
    assert builder.events == [
        DRAWS[0][M9],
        DECLARED[0],
        DISCARDS[True][0][M9],
        ACCEPTED[0],
        DRAWS[1][M1],
    ]
    assert builder.riichi == [0]


def test_riichi_ronned() -> None:
    """A riichi is taken back if its tile is ronned, also after a dora or a disconnection; nothing else is."""
    builder = in_riichi()
    builder.dora(M1)
    builder.events.append(Disconnected(2))
    builder.win(Win(1, 0, M9))
    builder.win(Win(2, 0, M9))
    assert kinds(builder) == [RiichiDeclared, DoraRevealed, Disconnected, Win, Win]


def test_riichi_stands() -> None:
    """A riichi is not taken back by a ron of a later tile, nor by a tsumo or a draw."""
    later, tsumo, drawn = in_riichi(), in_riichi(), in_riichi()
    later.draw(1, M1)
    later.discard(1, M1)
    later.win(Win(0, 1, M1))
    tsumo.draw(1, M1)
    tsumo.win(Win(1, None, M1))
    drawn.draw_game(Ryuukyoku(DrawKind.FOUR_RIICHI))
    assert all(RiichiAccepted in kinds(builder) for builder in (later, tsumo, drawn))


def test_riichi_triple_ron() -> None:
    """A riichi is taken back if three players ron its tile."""
    builder = in_riichi()
    builder.draw_game(Ryuukyoku(DrawKind.TRIPLE_RON))
    assert kinds(builder) == [RiichiDeclared, Ryuukyoku]


def test_riichi_broken_off() -> None:
    """A riichi is taken back if the frame breaks off before the next step."""
    builder, later = in_riichi(), in_riichi()
    later.draw(1, M1)
    builder.break_off()
    later.break_off()
    assert kinds(builder) == [RiichiDeclared]
    assert kinds(later) == [RiichiDeclared, RiichiAccepted]


def test_riichi_recorded() -> None:
    """A riichi that is recorded as accepted stays, whatever follows, with the points recorded after it."""
    builder = in_riichi()
    assert not builder.accept_riichi(1)
    assert builder.accept_riichi(0, (24000, 25000, 25000, 25000))
    builder.win(Win(1, 0, M9))
    assert builder.events[-2] == RiichiAccepted(0, (24000, 25000, 25000, 25000))
    assert not built(DRAWS[0][M1]).accept_riichi(0)


def test_riichi_pending() -> None:
    """A riichi is pending until the next step, or until it is recorded as accepted."""
    builder, recorded = in_riichi(), in_riichi()
    builder.dora(M1)
    assert builder.pending_riichi == 0
    builder.draw(1, M1)
    assert builder.pending_riichi is None
    recorded.accept_riichi(0)
    assert recorded.pending_riichi is None


# --- draws and discards ----------------------------------------------------------------------------------------------


def test_drawn() -> None:
    """The tile drawn is that of the last draw or, at first, the fourteenth of the deal, until it is discarded."""
    dealt = FrameBuilder(Start(0, 0, 0, 0, None, None, (), None, fourteenth=M1))
    assert dealt.drawn == M1
    assert built().drawn is None
    assert built(DRAWS[0][M5], DoraRevealed(M1), Disconnected(1), DECLARED[0]).drawn == M5
    assert built(DRAWS[0][M5], DISCARDS[True][0][M5]).drawn is None
    assert built(DRAWS[0][M5], Win(0, None, M5)).drawn is None


@pytest.mark.parametrize(
    ("drawn", "tile", "tsumogiri", "events"),
    [
        (M5, M5, None, [DRAWS[0][M5], DISCARDS[None][0][M5]]),
        (UNKNOWN, M5, None, [DRAWS[0][UNKNOWN], DISCARDS[None][0][M5]]),
        (M1, M5, None, [DRAWS[0][M1], DISCARDS[False][0][M5]]),
        (M5, M5, False, [DRAWS[0][M5], DISCARDS[False][0][M5]]),
        (M5, UNKNOWN, True, [DRAWS[0][M5], DISCARDS[True][0][M5]]),
        (UNKNOWN, M5, True, [DRAWS[0][M5], DISCARDS[True][0][M5]]),
    ],
)
def test_tsumogiri(drawn: int, tile: int, *, tsumogiri: bool | None, events: list[Event]) -> None:
    """A discard is not tsumogiri if it cannot be; one that is shows the tile drawn, or is shown by it."""
    builder = built(DRAWS[0][drawn])
    builder.discard(0, tile, tsumogiri)
    assert builder.events == events


def test_not_drawn() -> None:
    """A tsumogiri of another tile than the one drawn is refused, and so is one without a draw."""
    with pytest.raises(NotDrawnError) as other:
        built(DRAWS[0][M1]).discard(0, M5, tsumogiri=True)
    with pytest.raises(NotDrawnError) as none:
        built().discard(0, M5, tsumogiri=True)
    assert (other.value.drawn, none.value.drawn) == (M1, None)


def test_must_be_drawn() -> None:
    """A player in riichi can discard only the tile drawn."""
    builder = in_riichi(0)
    builder.draw(0, M5)
    assert builder.must_be_drawn(0, M5)
    assert not builder.must_be_drawn(0, M1)
    assert not builder.must_be_drawn(1, M5)


def test_hidden_tsumo() -> None:
    """A win by tsumo shows the tile drawn face down."""
    builder = built(DRAWS[1][UNKNOWN])
    builder.win(Win(1, None, M9))
    assert builder.events == [DRAWS[1][M9], Win(1, None, M9)]


# --- melds -----------------------------------------------------------------------------------------------------------


def test_kakan_replaces_pon() -> None:
    """A kakan takes the place of its pon among the melds; a robbed one is a pon again."""
    builder, first = built(), Ankan(1, (M1,) * 4)
    for meld in (PON, first, Kakan(1, M5, PON)):
        builder.meld(meld)
    assert builder.melds[1] == [Kakan(1, M5, PON), first]
    builder = built()
    builder.meld(PON)
    builder.meld(Kakan(1, M5, PON))
    builder.win(Win(2, 1, M5))
    assert builder.melds[1] == [PON]


def test_as_called() -> None:
    """The red five of a kakan is in the pon or added to it, as the pon shows, not as the kakan is written."""
    written = Kakan(1, RED, Pon(1, M5, (M5, M5), 2))
    assert as_called(written, [PON]) == Kakan(1, M5, PON)
    assert as_called(written, []) is written
    assert as_called(written, [Pon(1, M9, (M9, M9), 0)]) is written


def test_extended_pon() -> None:
    """A kakan extends the pon of its kind; one of unknown tiles if there is no other."""
    hidden = Pon(1, UNKNOWN, (UNKNOWN, UNKNOWN), 0)
    assert extended_pon([hidden, PON], [M5]) is PON
    assert extended_pon([hidden, PON], [M9, UNKNOWN]) is hidden
    assert extended_pon([PON, Ankan(1, (M9,) * 4)], [M9]) is None


@pytest.mark.parametrize("meld", [Ankan(1, (M1,) * 4), Daiminkan(1, M1, (M1,) * 3, 0), Kakan(1, RED, PON), Kita(1, M9)])
def test_replacement(meld: Ankan | Daiminkan | Kakan | Kita) -> None:
    """A replacement tile is due after a kan or a kita until it is drawn or the tile is ronned."""
    builder = built()
    builder.meld(meld)
    builder.dora(M9)
    assert builder.replacement == 1
    builder.win(Win(2, 1, M1))
    assert builder.replacement is None
    assert built(meld, DRAWS[1][M9]).replacement is None
    assert built(PON).replacement is None


@pytest.mark.parametrize(
    ("events", "tile"),
    [
        ((DISCARDS[False][0][M9], ACCEPTED[0], DoraRevealed(M1)), M9),
        ((DISCARDS[False][0][M9], Win(1, 0, M9)), M9),
        ((Ankan(0, (RED, M5, M5, M5)),), M5),
        ((Kakan(1, M5, PON),), M5),
        ((Kita(0, NORTH),), NORTH),
        ((DRAWS[0][M1],), M1),
        ((PON,), UNKNOWN),
        ((), UNKNOWN),
    ],
)
def test_winning_tile(events: tuple[Event, ...], tile: int) -> None:
    """A win is on the tile drawn or, also if others win, on the one that was discarded, added or set aside."""
    builder = built(*events)
    assert builder.winning_tile == tile
    assert (builder.exposed is None) is (tile in (M1, UNKNOWN))


# --- positions -------------------------------------------------------------------------------------------------------


def test_positions() -> None:
    """Events are found where they were marked, in runs that advance with each event or with each group of them."""
    builder = built()
    builder.mark(10, stride=9, group=2)
    builder.events += [DRAWS[0][M1], DISCARDS[True][0][M1]] * 3
    builder.mark(50)
    builder.events += [DECLARED[0], DISCARDS[False][0][M9]]
    builder.mark(60, stride=1)
    builder.events += [DRAWS[1][M1], DISCARDS[True][1][M1]]
    assert [builder.position_of(index) for index in range(10)] == [10, 10, 19, 19, 28, 28, 50, 50, 60, 61]


def test_positions_moved() -> None:
    """Positions follow when a dora is turned before the last step, and when a riichi is taken back."""
    builder = built()
    builder.mark(1)
    builder.draw(0, M9)
    builder.mark(2)
    builder.declare_riichi(0)
    builder.discard(0, M9, tsumogiri=True)
    builder.mark(3)
    builder.dora(M1, before_step=True)
    builder.mark(4)
    builder.dora(M5)
    builder.mark(5)
    builder.events.append(Disconnected(2))
    builder.mark(6)
    builder.win(Win(1, 0, M9))
    assert kinds(builder) == [RiichiDeclared, DoraRevealed, DoraRevealed, Disconnected, Win]
    assert [builder.position_of(index) for index in range(7)] == [1, 2, 3, 2, 4, 5, 6]
