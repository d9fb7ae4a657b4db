"""Write a frame as the steps of 電脳麻将.

Sources: as for :mod:`.writer`. Seats are winds of the frame, 0 is East; points and hands are listed in this order.

- A turned dora (``kaigang``) comes after the next draw or discard, or before the next turned dora.
- A riichi hand that wins or is shown has ``*`` after its closed tiles, as the types define.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any, TypeVar

from jmjp_convert.errors import FormatError
from jmjp_convert.formats.bounds import MOST_POINTS
from jmjp_convert.formats.majiang.notation import RIICHI, UNKNOWN_TILE, Words
from jmjp_convert.formats.majiang.scores import write_score
from jmjp_convert.formats.requirements import lacking
from jmjp_convert.formats.safe_json import encode
from jmjp_convert.model import (
    Ankan,
    Call,
    Chi,
    Daiminkan,
    Discard,
    Disconnected,
    DoraRevealed,
    Draw,
    DrawKind,
    Event,
    Frame,
    Kakan,
    PointRule,
    Pon,
    Returned,
    RiichiAccepted,
    RiichiDeclared,
    Ryuukyoku,
    Win,
)
from jmjp_convert.model.tiles import UNKNOWN
from jmjp_convert.play.course import Course
from jmjp_convert.play.inferred_payments import payments, worth
from jmjp_convert.play.outcome_text import DRAWS

NAME = "majiang"

_T = TypeVar("_T")


def steps(frame: Frame, rule: PointRule | None, words: Words) -> list[str]:
    """Return the steps of *frame*, which has its play, points and sticks.

    :param rule: the match's point rule.
    :raises FormatError: a payment, or a tile discarded or called, is unknown.
    """
    ju = _Ju(frame, rule, words)
    ju.deal()
    lines, course, dealer = ju.lines, ju.course, frame.start.dealer
    for event in frame.events:
        # Draws and discards are tracked inline: `course.along` would take 7 % longer overall.
        if type(event) is Draw:
            tile = course.drawn = event.tile
            table = words.draws if course.replacement is None else words.replacements
            course.replacement = None
        elif type(event) is Discard:
            tile = event.tile
            if tile >= UNKNOWN:  # unknown, or known not to be the tile drawn
                ju.expect_known(tile)
            table = words.discards[course.is_tsumogiri(event), course.declared == event.player]
            course.drawn = None
        else:
            _HANDLERS[type(event)](ju, event)
            course.follow(event)
            continue
        lines.append(table[(event.player - dealer) % 4][tile])
        if ju.turned is not None:
            ju.turn()
    ju.turn()
    return lines


class _Ju:
    """A frame being written.

    :ivar course: the play so far.
    :ivar turned: a dora indicator that was turned but is not yet written.
    :ivar paid: the payments by ending.
    :ivar endings: the number of endings written.
    """

    __slots__ = ("course", "endings", "frame", "lines", "paid", "rule", "turned", "words")

    def __init__(self, frame: Frame, rule: PointRule | None, words: Words) -> None:
        self.frame = frame
        self.rule = rule
        self.words = words
        self.lines: list[str] = []
        self.course = Course(frame.start)
        self.turned: int | None = None
        self.paid = payments(frame, rule)
        self.endings = 0

    def deal(self) -> None:
        """Begin the frame."""
        start = self.frame.start
        assert start.points is not None
        self.add(
            "qipai",
            zhuangfeng=start.round // 4,
            jushu=start.round % 4,
            changbang=start.honba,
            lizhibang=start.sticks,
            defen=self.by_seat(self.in_range(start.points)),
            baopai=self.words.tiles[UNKNOWN if start.indicator is None else start.indicator],
            shoupai=self.by_seat(list(map(self.words.hand, start.hands))),
        )
        if start.fourteenth is not None:
            self.lines.append(self.words.draws[0][start.fourteenth])

    def add(self, kind: str, **values: object) -> None:
        """Add a step."""
        self.lines.append(encode({kind: values}))

    def turn(self) -> None:
        """Write the turned dora, if there is one yet to write."""
        if self.turned is not None:
            self.add("kaigang", baopai=self.words.tiles[self.turned])
            self.turned = None

    def seat(self, player: int) -> int:
        """Return the seat of *player*."""
        return (player - self.frame.start.dealer) % 4

    def by_seat(self, values: Sequence[_T]) -> list[_T]:
        """Return *values*, given by player, by seat, East first."""
        return [*values[self.frame.start.dealer :], *values[: self.frame.start.dealer]]

    def expect_known(self, *tiles: int) -> None:
        """Check that *tiles*, which are discarded or called, are known."""
        if UNKNOWN_TILE in [self.words.tiles[tile] for tile in tiles]:
            raise lacking(self.frame, "some of the tiles discarded or called", NAME)

    def payment(self) -> tuple[int, ...]:
        """Return the payments for the next ending."""
        changes = self.paid[self.endings]
        if changes is None:
            raise lacking(self.frame, "a record of its payments", NAME)
        self.endings += 1
        return self.in_range(changes)

    def in_range(self, points: tuple[int, ...]) -> tuple[int, ...]:
        """Return *points*, after checking that none is too large to be read."""
        if max(map(abs, points)) > MOST_POINTS:
            raise FormatError(f"frame {self.frame.start.name} has more points than {NAME} can hold")
        return points

    def lying(self, player: int, closed: Iterable[int], tile: int | None = None) -> str:
        """Return the final hand of *player*: the *closed* tiles, the winning *tile*, riichi, melds."""
        hand = self.words.hand(closed) + ("" if tile is None else self.words.tiles[tile])
        melds = map(self.words.meld, self.frame.end.hands[player].melds)
        return ",".join([hand + RIICHI * self.course.riichi[player], *melds])


_SILENT = frozenset((DoraRevealed, Disconnected, Returned))


def unconfirmed(events: Sequence[Event]) -> int | None:
    """Return the index of a riichi acceptance at the end of *events* that no step confirms, as in a frame that breaks
    off."""
    for place in range(len(events) - 1, -1, -1):
        if type(events[place]) not in _SILENT:
            return place if type(events[place]) is RiichiAccepted else None
    return None


# --- events ----------------------------------------------------------------------------------------------------------


def _called(ju: _Ju, meld: Call) -> None:
    ju.expect_known(meld.taken, *meld.hand)
    ju.add("fulou", l=ju.seat(meld.player), m=ju.words.meld(meld))


def _kan(ju: _Ju, kan: Kakan | Ankan) -> None:
    ju.expect_known(*((kan.tile,) if isinstance(kan, Kakan) else kan.tiles))
    ju.add("gang", l=ju.seat(kan.player), m=ju.words.meld(kan))


def _dora(ju: _Ju, dora: DoraRevealed) -> None:
    ju.turn()
    ju.turned = dora.indicator


def _win(ju: _Ju, win: Win) -> None:
    ju.turn()
    place, changes = ju.endings, ju.payment()
    ju.add(
        "hule",
        l=ju.seat(win.player),
        shoupai=ju.lying(win.player, ju.frame.end.hands[win.player].tiles, win.tile),
        baojia=None if win.source is None else ju.seat(win.source),
        **_ura(ju, win),
        **_value(ju, win, worth(ju.frame, place, changes, ju.rule)),
        fenpei=ju.by_seat(changes),
    )


def _ura(ju: _Ju, win: Win) -> dict[str, object]:
    """Return the ura dora indicators, if known; ``None`` for a winner not in riichi."""
    if not ju.course.riichi[win.player]:
        return {"fubaopai": None}
    return {"fubaopai": [ju.words.tiles[tile] for tile in win.ura]} if win.ura else {}


def _value(ju: _Ju, win: Win, points: int | None) -> dict[str, object]:
    if points is not None:
        ju.in_range((points,))
    return write_score(win, points, ju.frame.start.dealer)


def _ryuukyoku(ju: _Ju, draw: Ryuukyoku) -> None:
    ju.turn()
    shown = draw.shown or (None,) * 4
    hands = ["" if closed is None else ju.lying(player, closed) for player, closed in enumerate(shown)]
    name = DRAWS[draw.kind or DrawKind.EXHAUSTIVE][0]  # 流局 fits any draw
    ju.add("pingju", name=name, shoupai=ju.by_seat(hands), fenpei=ju.by_seat(ju.payment()))


def _unsaid(_ju: _Ju, _event: Event) -> None:
    """Skip events written along with another one, and disconnections and returns."""


_HANDLERS: dict[type, Callable[[_Ju, Any], None]] = {
    Chi: _called,
    Pon: _called,
    Daiminkan: _called,
    Kakan: _kan,
    Ankan: _kan,
    DoraRevealed: _dora,
    RiichiDeclared: _unsaid,
    RiichiAccepted: _unsaid,
    Win: _win,
    Ryuukyoku: _ryuukyoku,
    Disconnected: _unsaid,
    Returned: _unsaid,
}
"""The writer of each event. Every format has its own table, over the same events."""
