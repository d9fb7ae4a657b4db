"""What ``--details`` adds to the lines of a frame: the fields of the original protocol.

Source: ``lib/mjai/active_game.rb`` and ``tenhou_archive.rb`` of gimite's mjai.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from operator import add
from typing import Any

from jmjp_convert.formats.mjai.details import REASONS, told
from jmjp_convert.formats.mjai.notation import UNKNOWN_NAME
from jmjp_convert.model import DrawKind, Frame, Hand, Ryuukyoku, Win
from jmjp_convert.play.points import STICK

Values = dict[str, Any]


class Details:
    """The additional values of a frame being written.

    :param frame: the frame, whose starting points are known.
    :param named: returns the names of tiles.
    """

    __slots__ = ("_frame", "_left", "_named", "points")

    def __init__(self, frame: Frame, named: Callable[[list[int]], list[str]]) -> None:
        self._frame = frame
        self._named = named
        self._left = len(frame.endings)
        self.points = frame.start.points

    def accepted(self, player: int) -> Values:
        """Return the values of an accepted riichi."""
        if self.points is None:
            return {}
        deltas = [-STICK * (seat == player) for seat in range(len(self.points))]
        self.points = tuple(map(add, self.points, deltas))
        return {"deltas": deltas, "scores": self.points}

    def win(self, win: Win, deltas: tuple[int, ...] | None, ura: list[str] | None) -> Values:
        """Return the values of a win, with those that every output has."""
        said = None if win.score is None else told(win.score)
        return {
            "pai": self._one(win.tile),
            "uradora_markers": ura,
            "hora_tehais": self._names(self._frame.end.hands[win.player].tiles),
            "yakus": None if said is None else [list(pair) for pair in said.yaku] or None,
            "fu": said and said.fu,
            "fan": said and said.fan,
            "hora_points": said and said.points,
            "pao": win.pao,
            **self._paid(deltas),
        }

    def draw(self, draw: Ryuukyoku, deltas: tuple[int, ...] | None) -> Values:
        """Return the values of a draw, with those that every output has."""
        found: Values = {} if draw.kind is None else {"reason": REASONS[draw.kind]}
        if draw.shown is not None:
            hands = zip(self._frame.end.hands, draw.shown, strict=True)
            tenpai = draw.kind is not DrawKind.NINE_TERMINALS
            found["tehais"] = [
                [UNKNOWN_NAME] * _count(hand) if shown is None else self._names(shown) for hand, shown in hands
            ]
            found["tenpais"] = [tenpai and shown is not None for shown in draw.shown]
        return found | self._paid(deltas)

    def _paid(self, deltas: tuple[int, ...] | None) -> Values:
        """Return the payments and the points after them; at the end of the frame, those are known without payments."""
        self._left -= 1
        self.points = None if None in (self.points, deltas) else tuple(map(add, self.points or (), deltas or ()))
        if not self._left and self.points is None:
            self.points = self._frame.end.points
        return {"deltas": deltas, "scores": self.points}

    def _one(self, tile: int) -> str:
        return self._named([tile])[0]

    def _names(self, tiles: Iterable[int]) -> list[str]:
        return self._named(sorted(tiles))


def _count(hand: Hand) -> int:
    return len(hand.tiles) + (hand.drawn is not None)
