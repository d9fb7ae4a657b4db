"""``UN``: who plays, and who comes back."""

from __future__ import annotations

from collections.abc import Container, Mapping

from jmjp_convert.formats.mjlog.tags import NAMES
from jmjp_convert.formats.mjlog.values import name, number
from jmjp_convert.model import Player, Presence, Returned, handle

_COLUMNS = ("dan", "rate", "sx", "gold", "rc")


def seated(attributes: Mapping[str, str], seats: int) -> list[Player]:
    """Return the players of the first ``UN``."""
    columns = [attributes.get(key, "").split(",") for key in _COLUMNS]
    players = []
    for seat in range(seats):
        decoded, raw = name(attributes.get(NAMES[seat], ""))
        dan, rate, sex, gold, rc = [(column[seat] if seat < len(column) else "") or None for column in columns]
        players.append(Player(handle(decoded), raw, number(dan) if dan else None, rate, sex, gold, rc))
    return players


def rejoined(attributes: Mapping[str, str], players: list[Player], away: Container[int]) -> list[Presence]:
    """Return who comes back by a later ``UN``: the one that it names, or of several those who are *away*.

    The first name of a player that is not empty stands (source: ``mapping.md``).
    """
    returned: list[Presence] = []
    alone = sum(name in attributes for name in NAMES) == 1  # else they are announced again
    for seat, player in enumerate(players):
        if NAMES[seat] not in attributes:
            continue
        decoded, raw = name(attributes[NAMES[seat]])
        if player.full_name is None:
            players[seat] = Player(handle(decoded), raw, player.dan, player.rate, player.sex, player.gold, player.rc)
        if alone or seat in away:
            returned.append(Returned(seat, decoded if decoded not in ("", players[seat].name) else None))
    return returned
