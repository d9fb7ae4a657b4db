"""Read ``UN``: the players, and who returns."""

from __future__ import annotations

from collections.abc import Callable, Container, Mapping
from typing import TypeVar

from jmjp_convert.formats.mjlog.tags import NAMES
from jmjp_convert.formats.mjlog.values import name, number
from jmjp_convert.model import Player, Presence, Returned, handle
from jmjp_convert.model.tenhou import rating

_COLUMNS = ("dan", "rate", "sx", "gold", "rc")

_T = TypeVar("_T")


def seated(attributes: Mapping[str, str], seats: int, ignore: Callable[[str], None]) -> list[Player]:
    """Return the players of the first ``UN``.

    :param ignore: called with each value that should be a number but is not, and is left out.
    """
    columns = [attributes.get(key, "").split(",") for key in _COLUMNS]
    players = []
    for seat in range(seats):
        decoded, raw = name(attributes.get(NAMES[seat], ""))
        dan, rate, sex, gold, rc = [(column[seat] if seat < len(column) else "") or None for column in columns]
        players.append(
            Player(
                handle(decoded),
                raw,
                number(dan) if dan else None,
                _known("rate", rate, rating, ignore),
                sex,
                _known("gold", gold, number, ignore),
                rc,
            )
        )
    return players


def _known(column: str, text: str | None, parsed: Callable[[str], _T], ignore: Callable[[str], None]) -> _T | None:
    """Return *text* as *parsed*, if there is any; report it if it cannot be parsed."""
    if text is None:
        return None
    try:
        return parsed(text)
    except ValueError:
        ignore(f"unknown value {column}={text[:40]!r} of <UN>")
        return None


def rejoined(
    attributes: Mapping[str, str], players: list[Player], away: Container[int], ignore: Callable[[str], None]
) -> list[Presence]:
    """Return who comes back with a later ``UN``: the only player it names, or those of several who are *away*.

    A player keeps the first name that is not empty (source: ``docs/design/mapping.md``, The match).

    :param ignore: called with each other name of a player who does not come back.
    """
    returned: list[Presence] = []
    alone = sum(name in attributes for name in NAMES) == 1  # otherwise all players are announced again
    for seat, player in enumerate(players):
        if NAMES[seat] not in attributes:
            continue
        decoded, raw = name(attributes[NAMES[seat]])
        if player.full_name is None:
            players[seat] = Player(handle(decoded), raw, player.dan, player.rate, player.sex, player.gold, player.rc)
        other = decoded if decoded not in ("", players[seat].name) else None
        if alone or seat in away:
            returned.append(Returned(seat, other))
        elif other is not None:
            ignore(f"another name of player {seat} in a later <UN>")
    return returned
