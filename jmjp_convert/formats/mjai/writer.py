"""Write mjai: one JSON object per line."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from operator import add
from typing import Any

from jmjp_convert.formats.mjai.notation import REASONS, UNKNOWN_NAME, Words, kyoku_first, line, value_of, words
from jmjp_convert.formats.requirements import needed_frames
from jmjp_convert.model import (
    SEATS,
    WINDS,
    Ankan,
    Call,
    Discard,
    DoraRevealed,
    Draw,
    DrawKind,
    Frame,
    Kakan,
    Kita,
    Match,
    RiichiAccepted,
    RiichiDeclared,
    Ryuukyoku,
    Win,
)
from jmjp_convert.model.events import CALLS, PRESENCES
from jmjp_convert.model.tiles import UNKNOWN
from jmjp_convert.play.course import Course
from jmjp_convert.play.points import STICK, payments

# Sources: ``docs/design/formats.md`` 2; the order of keys and events is that of ``convlog/src/mjai.rs`` and
# ``conv.rs``:
#
# - unknown values are left out;
# - a riichi is ``reach``, its ``dahai``, then ``reach_accepted``, unless its tile is ronned;
# - a dora is written where it is turned.
#
# Where a log holds more than convlog's input, the log decides: each winner has their own ura dora, not the frame's; a
# fourth riichi is accepted before the frame is drawn, since it is paid for; and Tenhou turns the dora of a kakan or
# daiminkan after the next kan, an ankan too, where convlog turns it before an ankan. The details are those of gimite's
# mjai (``lib/mjai/active_game.rb`` and ``tenhou_archive.rb``).


def write_mjai(match: Match, *, details: bool = False, nukidora: bool = False) -> str:
    """Return *match* as mjai, from ``start_game`` to ``end_game``, each line ending with a line feed.

    A frame that breaks off has no ``hora`` or ``ryukyoku``.

    :param details: write the fields of the original protocol too: the value of each win, the reason for each draw, the
        hands shown, the points.
    :param nukidora: name a north that is set aside ``nukidora``, as three-player forks of Mortal read it, and not
        ``kita``.
    :raises FormatError: mjai cannot hold it: it has no frames, or the play, starting points or riichi sticks of a frame
        are unknown.
    """
    names = words(match.rules.red_fives)
    lines = [_start_game(match)]
    for frame in needed_frames(match, "mjai", (3, SEATS)):
        paid = payments(frame, match.point_rule)
        _FrameWriter(frame, paid, lines, names, details=details, north="nukidora" if nukidora else "kita").write()
    lines.append(line("end_game", scores=match.final_points if details else None))
    return "\n".join([*lines, ""])


def _start_game(match: Match) -> str:
    return line(
        "start_game",
        names=[player.name or "" for player in match.players],
        kyoku_first=kyoku_first(match.rules),
        aka_flag=None if match.rules.red_fives is None else any(match.rules.red_fives),
    )


_Points = tuple[int, ...] | None


class _FrameWriter:
    """A frame being written.

    :param details: whether to write the fields of the original protocol too.
    :param north: the type of the event of a north that is set aside.
    """

    __slots__ = ("course", "details", "frame", "lines", "north", "paid", "points", "words")

    def __init__(
        self, frame: Frame, paid: list[_Points], lines: list[str], words: Words, *, details: bool, north: str
    ) -> None:
        self.frame = frame
        self.paid = paid[::-1]  # the payments for each ending to come, the next one last
        self.lines = lines
        self.words = words
        self.course = Course(frame.start)  # the play so far
        self.points = frame.start.points  # the points by player so far, with details
        self.details = details
        self.north = north

    def write(self) -> None:
        """Write the frame."""
        start, lines = self.frame.start, self.lines
        self.add(
            "start_kyoku",
            bakaze=WINDS[start.round // 4],
            dora_marker=self.words.tiles[UNKNOWN if start.indicator is None else start.indicator],
            kyoku=start.round % 4 + 1,
            honba=start.honba,
            kyotaku=start.sticks,
            oya=start.dealer,
            scores=start.points,
            tehais=[self.tiles(sorted(hand)) for hand in start.hands],
        )
        if start.fourteenth is not None:
            lines.append(self.words.draws[start.dealer][start.fourteenth])
        draws, discards = self.words.draws, self.words.discards
        course = self.course
        for event in self.frame.events:
            # Draws and discards are tracked inline: `course.along` would take 6 % longer overall.
            if type(event) is Draw:
                course.drawn, course.replacement = event.tile, None
                lines.append(draws[event.player][event.tile])
            elif type(event) is Discard:
                lines.append(discards[course.is_tsumogiri(event)][event.player][event.tile])
                course.drawn = None
            else:
                _HANDLERS[type(event)](self, event)
                course.follow(event)
        self.add("end_kyoku")

    def add(self, kind: str, **values: object) -> None:
        """Add an event."""
        self.lines.append(line(kind, **values))

    def tiles(self, ids: Iterable[int]) -> list[str]:
        """Return the names of the tiles *ids*."""
        return [self.words.tiles[tile] for tile in ids]

    def points_after(self, deltas: _Points) -> _Points:
        """Return the points after the payments *deltas*; at the end of the frame, they are known without those."""
        self.points = None if None in (self.points, deltas) else tuple(map(add, self.points or (), deltas or ()))
        if not self.paid and self.points is None:
            self.points = self.frame.end.points
        return self.points


def _called(writer: _FrameWriter, meld: Call) -> None:
    writer.add(
        type(meld).__name__.lower(),
        actor=meld.player,
        target=meld.source,
        pai=writer.words.tiles[meld.taken],
        consumed=writer.tiles(meld.hand),
    )


def _kakan(writer: _FrameWriter, kan: Kakan) -> None:
    pon = writer.tiles(sorted((kan.pon.taken, *kan.pon.hand)))
    writer.add("kakan", actor=kan.player, pai=writer.words.tiles[kan.tile], consumed=pon)


def _accepted(writer: _FrameWriter, riichi: RiichiAccepted) -> None:
    deltas: _Points = None
    if writer.details and writer.points is not None:
        deltas = tuple([-STICK * (player == riichi.player) for player in range(len(writer.points))])
        writer.points = tuple(map(add, writer.points, deltas))
    writer.add("reach_accepted", actor=riichi.player, deltas=deltas, scores=deltas and writer.points)


def _win(writer: _FrameWriter, win: Win) -> None:
    unknown = writer.course.riichi[win.player] and not win.ura
    ura, deltas = None if unknown else writer.tiles(win.ura), writer.paid.pop()
    who = {"actor": win.player, "target": win.player if win.source is None else win.source}
    if not writer.details:
        writer.add("hora", **who, deltas=deltas, ura_markers=ura)
        return
    value = None if win.score is None else value_of(win.score, win.player, writer.frame.start)
    writer.add(
        "hora",
        **who,
        pai=writer.words.tiles[win.tile],
        uradora_markers=ura,
        hora_tehais=writer.tiles(sorted(writer.frame.end.hands[win.player].tiles)),
        yakus=None if value is None else [list(pair) for pair in value.yaku] or None,
        fu=value and value.fu,
        fan=value and value.fan,
        hora_points=value and value.points,
        pao=win.pao[0] if win.pao else None,
        deltas=deltas,
        scores=writer.points_after(deltas),
    )


def _ryuukyoku(writer: _FrameWriter, draw: Ryuukyoku) -> None:
    deltas = writer.paid.pop()
    if not writer.details:
        writer.add("ryukyoku", deltas=deltas)
        return
    tehais = tenpais = None
    if draw.shown is not None:
        tehais = [
            [UNKNOWN_NAME] * len(hand.closed) if shown is None else writer.tiles(sorted(shown))
            for hand, shown in zip(writer.frame.end.hands, draw.shown, strict=True)
        ]
        tenpai = draw.kind is not DrawKind.NINE_TERMINALS
        tenpais = [tenpai and shown is not None for shown in draw.shown]
    reason = None if draw.kind is None else REASONS[draw.kind]
    scores = writer.points_after(deltas)
    writer.add("ryukyoku", reason=reason, tehais=tehais, tenpais=tenpais, deltas=deltas, scores=scores)


_HANDLERS: dict[type, Callable[[_FrameWriter, Any], None]] = {
    **dict.fromkeys(CALLS, _called),
    Kakan: _kakan,
    Ankan: lambda writer, kan: writer.add("ankan", actor=kan.player, consumed=writer.tiles(kan.tiles)),
    Kita: lambda writer, kita: writer.add(writer.north, actor=kita.player, pai=writer.words.tiles[kita.tile]),
    DoraRevealed: lambda writer, dora: writer.add("dora", dora_marker=writer.words.tiles[dora.indicator]),
    RiichiDeclared: lambda writer, riichi: writer.add("reach", actor=riichi.player),
    RiichiAccepted: _accepted,
    Win: _win,
    Ryuukyoku: _ryuukyoku,
    **dict.fromkeys(PRESENCES, lambda *_: None),
}
"""The writer of each event. Every format has its own table, over the same events."""
