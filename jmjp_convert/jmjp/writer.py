"""The model to jmjp (source: ``mapping.md``, ``jmjp-grammar.md``)."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from operator import itemgetter

from jmjp_convert import tenhou, tiles
from jmjp_convert.describe import describe
from jmjp_convert.errors import FormatError
from jmjp_convert.jmjp import comments
from jmjp_convert.jmjp.acts import Acts
from jmjp_convert.jmjp.grammar import DEFAULT_DIALECT, DIALECTS, SEATS, Dialect, points
from jmjp_convert.jmjp.hands import dealt, hand
from jmjp_convert.jmjp.strings import literal
from jmjp_convert.model import Frame, Match, Player, PointRule, Presence, Text
from jmjp_convert.replay import STICK

_INDENT = "  "
_BY_SEAT = tuple(itemgetter(*((dealer + seat) % len(SEATS) for seat in range(len(SEATS)))) for dealer in range(len(SEATS)))
"""By dealer: from values by player to values by seat, East first."""


def write_jmjp(matches: Match | Iterable[Match], *, spec: str = DEFAULT_DIALECT, compact: bool = False) -> str:
    """Return *matches* as the text of one jmjp file, line ends ``\\n``.

    :param matches: one match, or several for one file.
    :param spec: the dialect: ``"0"``, ``"1.0"`` or ``"1.0-beta"``.
    :param compact: in one line, without spaces and comments.
    :raises FormatError: jmjp cannot hold a match.
    """
    dialect = DIALECTS[spec]
    written = [matches] if isinstance(matches, Match) else matches
    lines = [f"jmjp[{dialect.version}]"]
    for match in written:
        lines += _Writer(match, dialect, compact=compact).lines()
    return ("" if compact else "\n").join(lines) + "\n"


class _Writer:
    """A match being written, line by line."""

    def __init__(self, match: Match, dialect: Dialect, *, compact: bool) -> None:
        if match.rules.players != len(SEATS):
            raise FormatError(f"a match of {match.rules.players} players: jmjp has four seats only")
        self._match = match
        self._dialect = dialect
        self._with_comments = dialect.comments and not compact
        self._indent = "" if compact else _INDENT
        self._faces = tiles.faces(red_fives=match.rules.red_fives)

    def lines(self) -> list[str]:
        match, dialect = self._match, self._dialect
        lines = comments.match(match, dialect) if self._with_comments else []
        lines.append("(")
        if match.title is not None:
            lines.append(f"tnm[{literal(match.title, dialect)},,,,]")
        day = tenhou.weekday(match.date) if match.date else None
        lines.append(f"mtp[{match.date or ''},{day or ''},{match.time or ''},{literal(match.place, dialect)}]")
        if match.recorder is not None:
            lines.append(f"rec[{self._name(match.recorder)},all]")
        lines += [f"ply[{number},{self._player(player)},,,]" for number, player in enumerate(match.players)]
        if match.point_rule is not None:
            lines.append(self._point_rule(match.point_rule))
        lines += self._presences(match.before)
        for frame in match.frames:
            self._frame(frame, lines)
        if match.chips is not None or match.ratio is not None:
            lines += self._comment(chips=comments.numbers(match.chips), ratio=match.ratio)
        if match.results is not None:
            lines.append(f"pme[{_all_points(match.results)}]")
        lines.append(")")
        return lines

    def _name(self, text: Text) -> str:
        opening, closing = self._dialect.name
        return f"{opening}{literal(text, self._dialect)},{closing}"

    def _player(self, player: Player) -> str:
        return self._name(Text(player.name)) if player.name else ""

    def _point_rule(self, rule: PointRule) -> str:
        tenpai = f",{points(rule.tenpai)}" if self._dialect.tenpai and rule.tenpai is not None else ""
        uma = f"({points(rule.uma14)},{points(rule.uma23)})"
        return f"ptr[{points(rule.start)},{points(rule.target)},{uma},{points(rule.honba)}{tenpai}]"

    def _presences(self, events: Iterable[Presence]) -> list[str]:
        """Return the lines of comings and goings that stand between frames."""
        return [comments.presence(event, in_act=False) for event in events] if self._with_comments else []

    def _frame(self, frame: Frame, lines: list[str]) -> None:
        """Add the lines of *frame* to *lines*."""
        start, end, faces, dialect = frame.start, frame.end, self._faces, self._dialect
        by_seat = _BY_SEAT[start.dealer]
        sticks, before = points(start.sticks * STICK), _all_points(by_seat(start.points))
        dice = f"{start.dice[0]}-{start.dice[1]}" if start.dice else ""
        dora = "".join(itemgetter(*frame.dora)(faces))
        acts = Acts(faces, dialect, start.dealer, indent=self._indent, with_comments=self._with_comments)
        acts.write(frame.events)
        after = f"pfe[{_all_points(by_seat(end.points))}]" if end.points is not None else ""
        if start.chips is not None:
            lines += self._comment(chips=comments.numbers(start.chips))
        lines.append(f"frm[{start.name},{sticks},{dice},pfs[{before}],{dora},")
        lines += self._by_seat([dealt(tiles, faces) for tiles in by_seat(start.hands)])
        lines += acts.lines
        lines += self._by_seat([hand(lying, faces, dialect) for lying in by_seat(end.hands)])
        lines.append(f",{after},{literal(frame.comment or describe(frame), dialect)}]")
        lines += self._presences(acts.after)

    def _by_seat(self, hands: Iterable[str]) -> list[str]:
        return [f"{self._indent}({seat},{text})" for seat, text in zip(SEATS, hands, strict=True)]

    def _comment(self, **values: str | None) -> list[str]:
        return [comments.line(**values)] if self._with_comments else []


def _all_points(values: Sequence[int]) -> str:
    return ",".join(map(points, values))
