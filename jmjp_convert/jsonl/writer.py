"""The model to lines of JSON (source: ``schema.json``)."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable
from typing import Any

from jmjp_convert.jsonl.fields import DISCARD_LINES, DRAW_LINES, END_FRAME, END_MATCH, EVENTS, FRAME, MATCH
from jmjp_convert.model import Discard, Draw, Event, Match

_encoded = json.JSONEncoder(ensure_ascii=False, allow_nan=False, check_circular=False, separators=(",", ":")).encode

# What JSON allows as it is, but a terminal, a line reader or JavaScript may not, and what UTF-8 cannot hold.
_UNSAFE = re.compile("[\x7f-\x9f\u2028\u2029\ud800-\udfff]")


def write_json(matches: Match | Iterable[Match]) -> str:
    """Return *matches* as lines of JSON, with line feeds as line ends: all of them, with all that the model holds.

    The text can be encoded as UTF-8, whatever is in it.

    :param matches: one match, or several for one file.
    """
    lines: list[str] = []
    for match in [matches] if isinstance(matches, Match) else matches:
        _match(match, lines)
    return "\n".join([*lines, ""])


def _match(match: Match, lines: list[str]) -> None:
    """Add the lines of *match* to *lines*."""
    lines.append(line(MATCH.write(match)))
    _events(match.before, lines)
    for frame in match.frames:
        lines.append(line(FRAME.write(frame.start)))
        _events(frame.events, lines)
        lines.append(line(END_FRAME.write(frame)))
    lines.append(line(END_MATCH.write(match)))


def _events(events: Iterable[Event], lines: list[str]) -> None:
    append = lines.append
    for event in events:
        if isinstance(event, Draw):
            append(DRAW_LINES[event.player][event.tile])
        elif isinstance(event, Discard):
            append(DISCARD_LINES[event.player][event.tile])
        else:
            append(line(EVENTS[type(event)].write(event)))


def line(value: Any) -> str:
    """Return *value* as JSON in one line."""
    text = _encoded(value)
    return text if text.isascii() and "\x7f" not in text else _UNSAFE.sub(_escaped, text)


def _escaped(character: re.Match[str]) -> str:
    return f"\\u{ord(character[0]):04x}"
