"""The title, players and result of a record, in both directions.

Sources: ``majiang-core`` (``types/data.d.ts``, ``lib/game.js``), ``tenhou-log`` (``lib/convlog.js``).
"""

from __future__ import annotations

import re
from decimal import Decimal
from math import floor
from typing import Any, NamedTuple
from unicodedata import normalize

from jmjp_convert.model import SEATS, Match, Player, Text, Tournament, dates, handle, houses, log_ids, tenhou
from jmjp_convert.model.record import replace

RANKS: dict[int | None, str] = {
    **{dan: normalize("NFKC", rank) for dan, rank in enumerate(tenhou.RANKS)},
    len(tenhou.RANKS) - 1: "天鳳位",
}
"""Ranks as ``tenhou-log`` writes them: with plain digits, and the last one in full."""

_DANS = {rank: dan for dan, rank in RANKS.items()}
_TENHOU = f"{tenhou.NAME.native} "
_LOBBY = re.compile(r"(.*) L([0-9]{1,9})")
_TIME = re.compile(dates.TIME)
_RATE = re.compile(r"R(-?[0-9]{1,9})")
_OTHER_RANK = "★"
"""A sign in the ranks of Mahjong Soul (``雀豪★2``), which nothing else below a name has."""
_POINT = re.compile(r"[+-]?[0-9]{1,10}(?:\.[0-9]{1,3})?")
_HUNDRED, _THOUSAND = 100, 1000
_DATE = re.compile(
    r"(?P<year>[0-9]{4})(?P<between>[/-]?)(?P<month>[0-9]{1,2})(?P=between)(?P<day>[0-9]{1,2})"
    r"(?:,?\s+(?P<hour>[0-9]{1,2}):(?P<minute>[0-9]{2})(?::[0-9]{2})?)?"
)
"""A date, as the writer writes it (``20240708``) or as a browser in Japanese does (``2024/7/8 6:21:36``)."""


# --- title -----------------------------------------------------------------------------------------------------------


class Title(NamedTuple):
    """What a title says: the log ID or the *date* with its *weekday* and perhaps the *time*, and above it the *name* of
    the tournament or the rules, and the *stage*."""

    name: str = ""
    stage: str = ""
    id: str | None = None
    date: str | None = None
    time: str | None = None

    def facts(self, *, red_fives: bool | None) -> dict[str, Any]:
        """Return the fields of a :class:`~jmjp_convert.model.Match` that follow from it, with the rules.

        :param red_fives: whether there are red fives, as far as the tiles show it.
        """
        name, lobby = _without_lobby(self.name)
        rules = houses.rules_of(name, self.id, players=SEATS, red_fives=red_fives, lobby=lobby)
        if rules.code is None and not rules.red_fives:
            rules = replace(rules, red_fives=None)
        ranked = None if rules.code is None else tenhou.title(rules.code, lobby)
        own = ranked is None or ranked.native != f"{_TENHOU}{self.name}"
        tournament = Tournament(Text(self.name) if own else ranked, stage=Text(self.stage) if self.stage else None)
        return {
            "rules": rules,
            "id": self.id,
            "tournament": tournament if self.name else None,
            "date": self.date,
            "weekday": self.date and dates.weekday(self.date),
            "time": self.time,
        }


def _without_lobby(name: str) -> tuple[str, int | None]:
    """Return the name of Tenhou's rules without the number of the lobby, and that."""
    said = _LOBBY.fullmatch(name)
    return (said[1], int(said[2])) if said else (name, None)


def write_title(match: Match) -> str:
    """Return the names of tournament and stage, and the log ID or, without one, the date, one line each.

    For Tenhou's games these are the rules, ``四鳳南喰赤``, and the log ID.
    """
    tournament = match.tournament
    texts = (tournament.name, tournament.stage) if tournament else ()
    names = [text.native or text.roman or "" for text in texts if text is not None]
    lines = [*(_line(name.removeprefix(_TENHOU)) for name in names), match.id or match.date]
    return "\n".join(filter(None, lines))


def read_title(text: str) -> Title:
    """Return what the title *text* says."""
    lines = list(filter(None, text.split("\n")))
    said = _dated(lines[-1].strip()) if lines else Title()
    if said.id or said.date:
        del lines[-1]
    return said._replace(name=lines[0], stage="\n".join(lines[1:])) if lines else said


def _dated(line: str) -> Title:
    """Return the log ID, or the date and time, in *line*; a title that says nothing if it is neither."""
    own = log_ids.parse_id(line)
    if own is not None:
        return Title(id=own.text, date=own.date)
    known = log_ids.identify(line)
    if known is not None:
        return Title(id=line, date=known.date)
    said = _DATE.fullmatch(line)
    if said is None:
        return Title()
    date = f"{said['year']}{int(said['month']):02}{int(said['day']):02}"
    if dates.weekday(date) is None or (not said["between"] and date != line):
        return Title()
    time = f"{int(said['hour']):02}{said['minute']}" if said["hour"] else None
    return Title(date=date, time=time if time is None or _TIME.fullmatch(time) else None)


def _line(text: str) -> str:
    """Return *text* in one line: a line break would begin another entry."""
    return " ".join(text.split("\n"))


# --- players ---------------------------------------------------------------------------------------------------------


def write_player(player: Player) -> str:
    """Return the name, and below it rank and rating: ``(十段 R2200)``. A rank that cannot be told from other remarks is
    left out."""
    rate = None if player.rate is None else f"R{floor(player.rate)}"
    rank = player.rank if player.dan is None else RANKS.get(player.dan)
    if rate is None and not _is_rank(rank or ""):
        rank = None
    standing = " ".join(filter(None, (rank and _line(rank), rate)))
    name = _line(player.name or "")
    return f"{name}\n({standing})" if standing else name


def read_player(text: str) -> tuple[Player, list[str]]:
    """Return the player in *text*, and the lines below the name that are not rank and rating."""
    name, *lines = text.split("\n")
    found = [(line, _standing(line)) for line in lines if line]
    standing = next((said for _, said in found if said is not None), Player())
    return replace(standing, full_name=handle(name)), [line for line, said in found if said is None]


def _standing(line: str) -> Player | None:
    """Return a player with the rank and rating in *line*, or ``None`` if it is neither."""
    if not (line.startswith("(") and line.endswith(")")):
        return None
    before, _, last = line[1:-1].rpartition(" ")
    said = _RATE.fullmatch(last)
    rank = before if said else line[1:-1]
    if not said and not _is_rank(rank):
        return None
    dan = _DANS.get(rank)
    return Player(dan=dan, rank=rank or None if dan is None else None, rate=int(said[1]) if said else None)


# --- result ----------------------------------------------------------------------------------------------------------


def write_point(result: int) -> str:
    """Return a result, in thousands: ``-90.9``."""
    return f"{result / _THOUSAND:.1f}"


def read_point(text: str) -> int | None:
    """Return the result in *text*, or ``None`` if it is not one, in hundreds of points."""
    if not _POINT.fullmatch(text):
        return None
    points = Decimal(text) * _THOUSAND
    return int(points) if points % _HUNDRED == 0 else None


def _is_rank(text: str) -> bool:
    """Return whether *text* is a rank of Tenhou or looks like one of Mahjong Soul."""
    return text in _DANS or _OTHER_RANK in text
