"""Write jmjp (sources: ``docs/design/mapping.md``, ``docs/design/jmjp-grammar.md``)."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import chain, repeat
from operator import itemgetter

from jmjp_convert.errors import FormatError
from jmjp_convert.formats.jmjp import comments
from jmjp_convert.formats.jmjp.dialects import DEFAULT_DIALECT, DIALECTS, Dialect, points
from jmjp_convert.formats.jmjp.reading.hands import can_be_inferred
from jmjp_convert.formats.jmjp.strings import literal
from jmjp_convert.formats.jmjp.writing import head
from jmjp_convert.formats.jmjp.writing.acts import deal, hand, notation, write_acts
from jmjp_convert.formats.jmjp.writing.head import all_points
from jmjp_convert.formats.requirements import check_players
from jmjp_convert.model import Draw, Frame, Match, Presence
from jmjp_convert.model.tiles import PHYSICAL
from jmjp_convert.play.outcome_text import describe
from jmjp_convert.play.points import STICK

_BY_SEAT = tuple(itemgetter(*((dealer + seat) % 4 for seat in range(4))) for dealer in range(4))
"""By dealer, reorders values by player to values by seat, East first."""


def write_jmjp(matches: Match | Iterable[Match], *, spec: str = DEFAULT_DIALECT, compact: bool = False) -> str:
    """Return *matches* as the text of one jmjp file, with line feeds as line ends.

    :param matches: one match, or several.
    :param spec: the dialect: ``"0"``, ``"1.0"`` or ``"1.0-beta"``.
    :param compact: write one line, without spaces or comments.
    :raises FormatError: jmjp cannot hold a match, or the dialect is unknown.
    """
    if spec not in DIALECTS:
        raise FormatError(f"unknown jmjp dialect {spec!r}; choose from {', '.join(DIALECTS)}")
    written = [matches] if isinstance(matches, Match) else matches
    lines = [f"jmjp[{DIALECTS[spec].version}]"]
    for match in written:
        lines += _Writer(match, spec, compact=compact).lines()
    return ("" if compact else "\n").join(lines) + "\n"


def _check_inferable(match: Match, spec: str, *, compact: bool) -> None:
    """Check that the tiles of pon and kan, which the dialect *spec* omits, can be inferred from the play of *match*.

    They can where every tile is known, and so in every log.
    """
    if all(map(_names_tiles, match.frames)):
        return
    from jmjp_convert.formats.jmjp.holding import holding  # needed for records with unknown tiles alone

    for frame in holding(spec=spec, compact=compact).expected(match).frames:
        if frame.start.hands and not can_be_inferred(frame.start, frame.events, frame.end.hands):
            reason = f"dialect {spec} omits the tiles of pon and kan, and they cannot be inferred from the play"
            raise FormatError(f"frame {frame.start.name}: {reason}")


def _names_tiles(frame: Frame) -> bool:
    """Return whether each tile dealt and drawn in *frame* is one of the 136, so that its copy is known."""
    drawn = [event.tile for event in frame.events if type(event) is Draw]
    return max(chain(drawn, *frame.start.hands), default=0) < PHYSICAL


class _Writer:
    """A match being written, line by line."""

    def __init__(self, match: Match, spec: str, *, compact: bool) -> None:
        check_players(match, "jmjp")
        if not DIALECTS[spec].all_tiles:
            _check_inferable(match, spec, compact=compact)
        self._match = match
        self._words = notation(spec, compact=compact, red_fives=match.rules.red_fives)
        self._dialect = self._words.dialect

    def lines(self) -> list[str]:
        match, dialect = self._match, self._dialect
        lines = comments.match(match, dialect) if self._words.comments else []
        lines.append("(")
        lines += head.before(match, dialect)
        lines += self._presences(match.before)
        for frame in match.frames:
            self._frame(frame, lines)
        if match.chips is not None or match.ratio is not None:
            lines += self._comment(chips=comments.pairs(match.chips), ratio=match.ratio)
        lines += head.after(match)
        lines.append(")")
        return lines

    def _presences(self, events: Iterable[Presence]) -> list[str]:
        """Return the lines of disconnections and returns between frames."""
        return [comments.presence(event, in_act=False) for event in events] if self._words.comments else []

    def _frame(self, frame: Frame, lines: list[str]) -> None:
        """Append the lines of *frame* to *lines*."""
        start, end, words = frame.start, frame.end, self._words
        by_seat = _BY_SEAT[start.dealer]
        if start.chips is not None:
            lines += self._comment(chips=comments.numbers(start.chips))
        sticks = "" if start.sticks is None else points(start.sticks * STICK)
        dice = _dice(start.dice, words.dialect)
        before = "" if start.points is None else f"pfs[{all_points(by_seat(start.points))}]"
        dora = "" if frame.dora is None else "".join(itemgetter(*frame.dora)(words.faces))
        parts = [f"frm[{start.name},{sticks},{dice},{before},{dora},"]
        if start.hands:
            parts += map(deal, words.seats, by_seat(start.hands), (start.fourteenth, None, None, None), repeat(words))
            came_and_went = write_acts(start, frame.events, parts, words)
            parts += map(hand, words.seats, by_seat(end.hands), repeat(words))
        else:
            came_and_went = [event for event in frame.events if isinstance(event, Presence)]
        after = "" if end.points is None else f"pfe[{all_points(by_seat(end.points))}]"
        comment = describe(frame) if frame.comment is None else frame.comment
        lines += "".join(parts), f",{after},{literal(comment, words.dialect)}]"
        lines += self._presences(came_and_went)

    def _comment(self, **values: str | None) -> list[str]:
        return [comments.line(**values)] if self._words.comments else []


_DICE = {(first, second): f"{first}-{second}" for first in range(1, 7) for second in range(1, 7)}


def _dice(dice: tuple[int, int] | int | None, dialect: Dialect) -> str:
    if isinstance(dice, int):
        return f"{dice}" if dialect.dice_total else ""
    return "" if dice is None else _DICE[dice]
