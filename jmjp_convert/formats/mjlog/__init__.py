"""Tenhou's mjlog: notation and the reader."""

from __future__ import annotations

from typing import Any

from jmjp_convert.errors import MjlogError
from jmjp_convert.formats.format import Format, holds
from jmjp_convert.lazy_regex import regex
from jmjp_convert.model import Match
from jmjp_convert.model.tenhou import rules

_TYPE = regex(rb"""<GO\s[^<>]*?\btype=["']([0-9]{1,6})["']""")


def _read(source: Any, **options: Any) -> list[Match]:
    from jmjp_convert.formats.mjlog.reader import read_mjlog

    return [read_mjlog(source, **options)]


def _players(start: bytes) -> int | None:
    code = _TYPE.search(start)
    return rules(int(code[1]), None).players if code else None


FORMAT = Format(
    name="mjlog",
    suffixes=(".xml", ".mjlog"),
    begins=lambda text: text[:1] in {"", "<"},  # an empty file is left to the reader to report
    read=_read,
    takes=frozenset({"id", "time", "file_name", "strict"}),
    peek=_players,
    error=MjlogError,
    players=frozenset({3, 4}),
    holding=holds(
        *("id", "source", "code", "house", "lobby", "custom", "point_rule", "date", "place", "recorders"),
        *("ranks", "ratings", "sex", "gold", "raw_name", "connections", "other_name"),
        *("seed", "dice", "copies", "order", "turns"),
        *("scores", "pao", "draw_kinds", "shown", "results", "chips"),
    ),
)
