"""What names a match in tenhou.net/6, in both directions: the title of two lines, and the name of the rules.

A match on Tenhou has no title, unless it is part of a tournament. Others have the tournament and the date as a title.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from email.utils import parsedate

from jmjp_convert.model import SEATS, House, Match, Rules, Text, Tournament, dates, tenhou
from jmjp_convert.model.houses import rules_of

OWN_NAMES = frozenset(("", "三", "赤", "三赤"))
"""The names of rules that say only the number of players and whether there are red fives."""

_ROOMLESS = re.compile("[三四]?[東南]喰?赤?速?")
"""The name of Tenhou's rules at tables other than those of ranked games."""

_DAY = re.compile(r"\d{8}")
_MOMENT = re.compile(
    r"(?P<year>\d{4})[-/.年](?P<month>\d{1,2})[-/.月](?P<day>\d{1,2})日?"
    r"(?:[ T,]+(?P<hour>\d{1,2}):(?P<minute>\d\d)(?::\d\d(?:\.\d+)?)?(?P<half>)Z?)?",
    re.ASCII,
)
_AMERICAN = re.compile(
    r"(?P<month>\d{1,2})/(?P<day>\d{1,2})/(?P<year>\d{4}),? +"
    r"(?P<hour>\d{1,2}):(?P<minute>\d\d)(?::\d\d)?[ \u202f](?P<half>[AP])M",
    re.ASCII,
)
_HALF_DAY = 12
_MINUTES = 60


# --- writing ---------------------------------------------------------------------------------------------------------


def is_tenhou(rules: Rules) -> bool:
    """Return whether the *rules* are Tenhou's."""
    return rules.code is not None or rules.house is House.TENHOU


def display(match: Match) -> str:
    """Return the name of the rules as Tenhou displays it, without the 四 for four players. Readers look here for the
    number of players."""
    rules, name = match.rules, _name(match)
    if rules.code is not None:
        return tenhou.short_title(rules.code).removeprefix("四")
    if names_rules(name, rules.players):
        return name
    return ("" if rules.players == SEATS else "三") + ("赤" if rules.red_fives else "")


def names_rules(name: str, players: int) -> bool:
    """Return whether *name* is that of rules of Tenhou or another house."""
    known = rules_of(name, None, players=players, red_fives=None, lobby=None)
    return bool(name) and (known.house is not None or _ROOMLESS.fullmatch(name) is not None)


def title(match: Match) -> list[str]:
    """Return the two lines of the title: the tournament unless it is the server's table, and the date or the stage."""
    rules, name = match.rules, _name(match)
    if rules.code is not None and name == tenhou.title(rules.code, rules.lobby).native:
        name = ""
    if name == display(match):
        name = ""
    stage = text_of(match.tournament.stage if match.tournament else None)
    return [name, (stage if name else "") if is_tenhou(rules) else match.date or stage]


def _name(match: Match) -> str:
    return text_of(match.tournament.name if match.tournament else None)


def text_of(text: Text | None) -> str:
    """Return *text* in its native script, otherwise in Roman letters; empty if there is none."""
    return (text.native or text.roman or "") if text else ""


# --- reading ---------------------------------------------------------------------------------------------------------


def tournament_of(rules: Rules, name: str, stage: str, displayed: str) -> Tournament | None:
    """Return the tournament: as in the title, otherwise the server's table.

    :param name: the first line of the title.
    :param stage: the second line, if it is not a date.
    :param displayed: the name of the rules.
    """
    if not (name or stage) and rules.code is not None:
        return Tournament(tenhou.title(rules.code, rules.lobby))
    native = name or ("" if displayed in OWN_NAMES else displayed)
    if not (native or stage):
        return None
    return Tournament(Text(native) if native else None, stage=Text(stage) if stage else None)


def moment_of(said: str) -> tuple[str, str | None] | None:
    """Return the date (``YYYYMMDD``) and time (``HHMM``, if there is one) in a text, ``None`` if it is not a date.

    Dates are as this package, browsers and mail write them: ``20231014``, ``2023/10/14 14:54``,
    ``10/14/2023, 2:54:59 PM``, ``Sat, 14 Oct 2023 14:54:59 GMT``.
    """
    said = said.strip()
    if _DAY.fullmatch(said):
        return (said, None) if said.isascii() and dates.weekday(said) else None
    if found := _MOMENT.fullmatch(said) or _AMERICAN.fullmatch(said):
        hour = None if found["hour"] is None else int(found["hour"])
        if hour is not None and found["half"]:
            hour = hour % _HALF_DAY + (_HALF_DAY if found["half"] == "P" else 0)
        minute = None if found["minute"] is None else int(found["minute"])
        return _moment(int(found["year"]), int(found["month"]), int(found["day"]), hour, minute)
    mailed = _mailed(said) if said[:1].isalpha() and said.isascii() else None
    return None if mailed is None else _moment(*mailed[:5])


def _mailed(said: str) -> Sequence[int] | None:
    try:
        return parsedate(said)
    except (TypeError, ValueError, IndexError, OverflowError):
        return None


def _moment(year: int, month: int, day: int, hour: int | None, minute: int | None) -> tuple[str, str | None] | None:
    date = f"{year:04}{month:02}{day:02}"
    if not _DAY.fullmatch(date) or dates.weekday(date) is None:
        return None
    if hour is None or minute is None or not (0 <= hour < 2 * _HALF_DAY and 0 <= minute < _MINUTES):
        return date, None
    return date, f"{hour:02}{minute:02}"
