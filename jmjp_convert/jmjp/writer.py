"""The model to jmjp (source: ``mapping.md``, ``jmjp-grammar.md``)."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from operator import itemgetter

from jmjp_convert import tenhou
from jmjp_convert.describe import describe
from jmjp_convert.errors import FormatError
from jmjp_convert.jmjp import comments
from jmjp_convert.jmjp.acts import write_acts
from jmjp_convert.jmjp.grammar import DEFAULT_DIALECT, DIALECTS, SEATS, points
from jmjp_convert.jmjp.hands import hand
from jmjp_convert.jmjp.notation import notation
from jmjp_convert.jmjp.strings import literal
from jmjp_convert.model import Frame, Match, Player, PointRule, Presence, Text
from jmjp_convert.table import STICK

_BY_SEAT = tuple(itemgetter(*((dealer + seat) % 4 for seat in range(4))) for dealer in range(4))
"""By dealer: from values by player to values by seat, East first."""

_DICE = {(first, second): f"{first}-{second}" for first in range(1, 7) for second in range(1, 7)}


def write_jmjp(matches: Match | Iterable[Match], *, spec: str = DEFAULT_DIALECT, compact: bool = False) -> str:
    """Return *matches* as the text of one jmjp file, with line feeds as line ends.

    :param matches: one match, or several for one file.
    :param spec: the dialect: ``"0"``, ``"1.0"`` or ``"1.0-beta"``.
    :param compact: in one line, without spaces and comments.
    :raises FormatError: jmjp cannot hold a match; or there is no such dialect.
    """
    if spec not in DIALECTS:
        raise FormatError(f"{spec!r} is no dialect of jmjp: {', '.join(DIALECTS)}")
    written = [matches] if isinstance(matches, Match) else matches
    lines = [f"jmjp[{DIALECTS[spec].version}]"]
    for match in written:
        lines += _Writer(match, spec, compact=compact).lines()
    return ("" if compact else "\n").join(lines) + "\n"


def check_writable(match: Match) -> None:
    """Check that jmjp can hold *match*.

    :raises FormatError: it cannot.
    """
    if match.rules.players != len(SEATS):
        raise FormatError(f"a match of {match.rules.players} players: jmjp has four seats only")


class _Writer:
    """A match being written, line by line."""

    def __init__(self, match: Match, spec: str, *, compact: bool) -> None:
        check_writable(match)
        self._match = match
        self._words = notation(spec, compact=compact, red_fives=match.rules.red_fives)
        self._dialect = self._words.dialect

    def lines(self) -> list[str]:
        match, dialect = self._match, self._dialect
        lines = comments.match(match, dialect) if self._words.comments else []
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
        brackets = self._dialect.name
        return f"{brackets[0]}{literal(text, self._dialect)},{brackets[1]}"

    def _player(self, player: Player) -> str:
        return self._name(Text(player.name)) if player.name else ""

    def _point_rule(self, rule: PointRule) -> str:
        tenpai = f",{points(rule.tenpai)}" if self._dialect.tenpai and rule.tenpai is not None else ""
        uma = f"({points(rule.uma14)},{points(rule.uma23)})"
        return f"ptr[{points(rule.start)},{points(rule.target)},{uma},{points(rule.honba)}{tenpai}]"

    def _presences(self, events: Iterable[Presence]) -> list[str]:
        """Return the lines of comings and goings that stand between frames."""
        return [comments.presence(event, in_act=False) for event in events] if self._words.comments else []

    def _frame(self, frame: Frame, lines: list[str]) -> None:
        """Add the lines of *frame* to *lines*."""
        start, end, words = frame.start, frame.end, self._words
        by_seat = _BY_SEAT[start.dealer]
        if start.chips is not None:
            lines += self._comment(chips=comments.numbers(start.chips))
        dice = _DICE[start.dice] if start.dice else ""
        dora = "".join(itemgetter(*frame.dora)(words.faces))
        before = _all_points(by_seat(start.points))
        lines.append(f"frm[{start.name},{points(start.sticks * STICK)},{dice},pfs[{before}],{dora},")
        dealt = zip(words.seats, by_seat(start.hands), strict=True)
        lines += [f"{seat}hnd[{''.join(itemgetter(*sorted(tiles))(words.faces))},,])" for seat, tiles in dealt]
        came_and_went = write_acts(frame.events, lines, words, start.dealer)
        left = zip(words.seats, by_seat(end.hands), strict=True)
        lines += [f"{seat}{hand(lying, words)})" for seat, lying in left]
        after = f"pfe[{_all_points(by_seat(end.points))}]" if end.points is not None else ""
        lines.append(f",{after},{literal(frame.comment or describe(frame), words.dialect)}]")
        if came_and_went:
            lines += self._presences(came_and_went)

    def _comment(self, **values: str | None) -> list[str]:
        return [comments.line(**values)] if self._words.comments else []


def _all_points(values: Sequence[int]) -> str:
    return ",".join(map(points, values))
