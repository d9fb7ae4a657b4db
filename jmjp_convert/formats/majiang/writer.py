"""Write game records for 電脳麻将: one JSON object, or a list of several."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any, TypeVar

from jmjp_convert.errors import FormatError
from jmjp_convert.formats.bounds import MOST_POINTS
from jmjp_convert.formats.frame_builder import unconfirmed_riichi
from jmjp_convert.formats.json_text import encode
from jmjp_convert.formats.majiang.notation import (
    RIICHI,
    UNKNOWN_TILE,
    Words,
    words,
    write_player,
    write_point,
    write_score,
    write_title,
)
from jmjp_convert.formats.requirements import lacking, needed_frames
from jmjp_convert.model import (
    Ankan,
    Call,
    Daiminkan,
    Discard,
    DoraRevealed,
    Draw,
    DrawKind,
    Frame,
    Kakan,
    Match,
    PointRule,
    RiichiAccepted,
    RiichiDeclared,
    Ryuukyoku,
    Win,
    in_riichi,
)
from jmjp_convert.model.events import CALLS, PRESENCES
from jmjp_convert.model.tiles import UNKNOWN
from jmjp_convert.play.course import Course
from jmjp_convert.play.outcome_text import DRAWS
from jmjp_convert.play.points import STICK, final_points, is_partial, payments, ranking, worth

# --- frames -----------------------------------------------------------------------------------------------------------

# Sources: as for records, below. Seats are winds of the frame, 0 is East; points and hands are listed in this order.
#
# - A turned dora (``kaigang``) comes after the next draw or discard, or before the next turned dora; that of a kan,
#   right after the next kan, if there is one (majiang-core, ``lib/game.js``).
# - A riichi hand that wins or is shown has ``*`` after its closed tiles, as the types define.

NAME = "majiang"

_T = TypeVar("_T")


def steps(frame: Frame, rule: PointRule | None, words: Words) -> list[str]:
    """Return the steps of *frame*, which has its play, points and sticks.

    :param rule: the match's point rule.
    :raises FormatError: a payment, or a tile discarded or called, is unknown.
    """
    writer = _FrameWriter(frame, rule, words)
    writer.deal()
    lines, course, dealer = writer.lines, writer.course, frame.start.dealer
    for event in frame.events:
        # Draws and discards are tracked inline: `course.along` would take 7 % longer overall.
        if type(event) is Draw:
            tile = course.drawn = event.tile
            table = words.draws if course.replacement is None else words.replacements
            course.replacement = None
        elif type(event) is Discard:
            tile = event.tile
            if tile >= UNKNOWN:  # unknown, or known not to be the tile drawn
                writer.expect_known(tile)
            table = words.discards[course.is_tsumogiri(event), course.declared == event.player]
            course.drawn, writer.owed = None, 0
        else:
            _HANDLERS[type(event)](writer, event)
            course.follow(event)
            continue
        lines.append(table[(event.player - dealer) % 4][tile])
        if writer.turned is not None:
            writer.turn()
    writer.turn()
    return lines


class _FrameWriter:
    """A frame being written."""

    __slots__ = ("course", "endings", "frame", "lines", "owed", "paid", "rule", "turned", "words")

    def __init__(self, frame: Frame, rule: PointRule | None, words: Words) -> None:
        self.frame = frame
        self.rule = rule
        self.words = words
        self.lines: list[str] = []
        self.course = Course(frame.start)  # the play so far
        self.owed = 0  # the number of kans since the last discard whose dora has yet to be turned
        self.turned: int | None = None  # a dora indicator that was turned but is not yet written
        self.paid = payments(frame, rule)  # the payments by ending
        self.endings = 0  # the number of endings written

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

    def hand(self, player: int, closed: Iterable[int], tile: int | None = None) -> str:
        """Return the hand that *player* shows: the *closed* tiles, the winning *tile*, riichi, melds."""
        hand = self.words.hand(closed) + ("" if tile is None else self.words.tiles[tile])
        melds = map(self.words.meld, self.frame.end.hands[player].melds)
        return ",".join([hand + RIICHI * self.course.riichi[player], *melds])


# --- events ----------------------------------------------------------------------------------------------------------


def _called(writer: _FrameWriter, meld: Call) -> None:
    writer.expect_known(meld.taken, *meld.hand)
    writer.add("fulou", l=writer.seat(meld.player), m=writer.words.meld(meld))
    writer.owed += type(meld) is Daiminkan


def _kan(writer: _FrameWriter, kan: Kakan | Ankan) -> None:
    writer.expect_known(*((kan.tile,) if isinstance(kan, Kakan) else kan.tiles))
    writer.add("gang", l=writer.seat(kan.player), m=writer.words.meld(kan))
    writer.owed += 1


def _dora(writer: _FrameWriter, dora: DoraRevealed) -> None:
    writer.turn()
    writer.turned = dora.indicator
    if writer.course.replacement is not None and writer.owed > 1:
        writer.turn()
    writer.owed = max(writer.owed - 1, 0)


def _win(writer: _FrameWriter, win: Win) -> None:
    writer.turn()
    index, changes = writer.endings, writer.payment()
    points = worth(writer.frame, index, changes, writer.rule)
    if points is not None:
        writer.in_range((points,))
    ura: dict[str, object] = {"fubaopai": None}  # of a winner not in riichi
    if writer.course.riichi[win.player]:
        ura = {"fubaopai": [writer.words.tiles[tile] for tile in win.ura]} if win.ura else {}
    writer.add(
        "hule",
        l=writer.seat(win.player),
        shoupai=writer.hand(win.player, writer.frame.end.hands[win.player].tiles, win.tile),
        baojia=None if win.source is None else writer.seat(win.source),
        **ura,
        **write_score(win, points, writer.frame.start),
        fenpei=writer.by_seat(changes),
    )


def _ryuukyoku(writer: _FrameWriter, draw: Ryuukyoku) -> None:
    writer.turn()
    hands = draw.shown or (None,) * 4
    texts = ["" if closed is None else writer.hand(player, closed) for player, closed in enumerate(hands)]
    name = DRAWS[draw.kind or DrawKind.EXHAUSTIVE][0]  # 流局 fits any draw
    writer.add("pingju", name=name, shoupai=writer.by_seat(texts), fenpei=writer.by_seat(writer.payment()))


_HANDLERS: dict[type, Callable[[_FrameWriter, Any], None]] = {
    **dict.fromkeys(CALLS, _called),
    Kakan: _kan,
    Ankan: _kan,
    DoraRevealed: _dora,
    **dict.fromkeys((RiichiDeclared, RiichiAccepted), lambda *_: None),  # written along with the discard
    Win: _win,
    Ryuukyoku: _ryuukyoku,
    **dict.fromkeys(PRESENCES, lambda *_: None),
}
"""The writer of each event. Every format has its own table, over the same events."""


# --- records ----------------------------------------------------------------------------------------------------------

# Sources: ``docs/design/formats.md`` 5; ``majiang-core`` (``types/data.d.ts``) for what a record holds, ``majiang-
# ui`` for what its viewer can do without, ``tenhou-log`` (``lib/convlog.js``) for how an mjlog is converted.
# ``player``, ``defen``, ``rank`` and ``point`` are listed by player. The viewer needs every key: a match without a
# result has the last known points, and an empty ``point`` for each player.


def write_majiang(match: Match) -> str:
    """Return *match* as a record of 電脳麻将, one line per frame, ending with a line feed.

    A frame that breaks off has no ``hule`` or ``pingju``. Fu, han and yaku of a win are left out if unknown.

    :raises FormatError: majiang cannot hold it: it has three players or no frames, or the play, the starting points or
        riichi sticks, a payment, or a tile discarded or called in a frame is unknown, or there are too many points.
    """
    said = words(match.rules.red_fives)
    log = [f"[{','.join(steps(frame, match.point_rule, said))}]" for frame in needed_frames(match, NAME)]
    players = [write_player(player, match.rules.house) for player in match.players]
    before = encode({"title": write_title(match), "player": players, "qijia": 0})
    points = _final_points(match)
    if max(map(abs, points)) > MOST_POINTS:
        raise FormatError(f"the final points are more than {NAME} can hold")
    order = ranking(points)
    after = encode(
        {
            "defen": points,
            "rank": [order.index(player) + 1 for player in range(len(points))],
            "point": list(map(write_point, match.results)) if match.results else [""] * len(points),
        }
    )
    frames = ",\n".join(log)
    return f'{before[:-1]},"log":[\n{frames}\n],{after[1:]}\n'


def write_records(matches: Sequence[Match]) -> str:
    """Return *matches* as a file: one record, or a list of several, which 電脳麻将 imports.

    :raises FormatError: as for :func:`write_majiang`.
    """
    records = list(map(write_majiang, matches))
    return records[0] if len(records) == 1 else f"[\n{','.join(records)}]\n"


def _final_points(match: Match) -> tuple[int, ...]:
    """Return the last known points, including leftover riichi sticks if the match is complete."""
    last = match.frames[-1]
    if match.final_points is not None:
        return match.final_points
    if last.end.points is None:
        assert last.start.points is not None
        events = last.events[: unconfirmed_riichi(last.events)]
        paid = in_riichi(events)
        return tuple(have - STICK * paid.count(player) for player, have in enumerate(last.start.points))
    return (None if is_partial(match) else final_points(last)) or last.end.points
