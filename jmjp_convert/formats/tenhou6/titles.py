"""What names a match in tenhou.net/6, in both directions: the title of two lines, and the name of the rules.

A match on Tenhou has no title, unless it is part of a tournament. Others have the tournament and the date as a title.
"""

from __future__ import annotations

import re

from jmjp_convert.model import SEATS, House, Match, Rules, Text, Tournament, tenhou
from jmjp_convert.model.houses import rules_of

OWN_NAMES = frozenset(("", "三", "赤", "三赤"))
"""The names of rules that say only the number of players and whether there are red fives."""

_ROOMLESS = re.compile("[三四]?[東南]喰?赤?速?")
"""The name of Tenhou's rules at tables other than those of ranked games."""


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
