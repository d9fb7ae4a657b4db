"""Write JSON lines (source: ``schema.json``)."""

from __future__ import annotations

from collections.abc import Iterable

from jmjp_convert.formats.json.schema import DISCARD_LINES, DRAW_LINES, END_FRAME, END_MATCH, EVENTS, FRAME, MATCH
from jmjp_convert.formats.json_text import encode
from jmjp_convert.formats.requirements import check_notes
from jmjp_convert.model import Discard, Draw, Event, Match


def write_json(matches: Match | Iterable[Match]) -> str:
    """Return *matches* as JSON lines, each ending with a line feed, with everything in the model.

    The text can always be encoded as UTF-8.

    :param matches: one match, or several for one file.
    :raises FormatError: the notes of a frame are not in the order of its play.
    """
    lines: list[str] = []
    for match in [matches] if isinstance(matches, Match) else matches:
        _match(match, lines)
    return "\n".join([*lines, ""])


def _match(match: Match, lines: list[str]) -> None:
    """Add the lines of *match* to *lines*."""
    lines.append(encode(MATCH.write(match)))
    _events(match.before, lines)
    for frame in match.frames:
        if frame.notes:
            check_notes(frame)
        lines.append(encode(FRAME.write(frame.start)))
        _events(frame.events, lines)
        lines.append(encode(END_FRAME.write(frame)))
    lines.append(encode(END_MATCH.write(match)))


def _events(events: Iterable[Event], lines: list[str]) -> None:
    append = lines.append
    for event in events:
        if isinstance(event, Draw):
            append(DRAW_LINES[event.player][event.tile])
        elif isinstance(event, Discard):
            append(DISCARD_LINES[event.tsumogiri][event.player][event.tile])
        else:
            append(encode(EVENTS[type(event)].write(event)))
