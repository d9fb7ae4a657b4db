"""Building a frame's events from tiles by face: what the readers of few formats need."""

from __future__ import annotations

from jmjp_convert.formats.frame_builder import FrameBuilder, as_called
from jmjp_convert.model import Ankan, Discard, Disconnected, DoraRevealed, Draw, Kakan, Pon, RiichiDeclared, Start, Win
from jmjp_convert.model.tiles import any_copy

M1, M5, RED, M9 = map(any_copy, ("1m", "5m", "0m", "9m"))
START = Start(0, 0, 0, 0, None, None, (), None)
PON = Pon(1, M5, (M5, RED), 0)


def test_kakan_replaces_pon() -> None:
    """A kakan takes the place of its pon among the melds; a robbed one is a pon again."""
    builder, first = FrameBuilder(START), Ankan(1, (M1,) * 4)
    for meld in (PON, first, Kakan(1, M5, PON)):
        builder.meld(meld)
    assert builder.melds[1] == [Kakan(1, M5, PON), first]
    builder = FrameBuilder(START)
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


def test_positions_moved() -> None:
    """Positions follow when a dora is turned before the last step, and when a riichi is taken back."""
    builder = FrameBuilder(START)
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
    kinds = [type(event) for event in builder.events]
    assert kinds == [Draw, RiichiDeclared, DoraRevealed, Discard, DoraRevealed, Disconnected, Win]
    assert [builder.position_of(index) for index in range(7)] == [1, 2, 3, 2, 4, 5, 6]
