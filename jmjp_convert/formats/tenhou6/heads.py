"""Read the head of a tenhou.net/6 object: everything but its frames."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, TypeVar

from jmjp_convert.formats.bounds import MOST
from jmjp_convert.formats.safe_json import shown
from jmjp_convert.formats.tenhou6.plays import has_fourth, has_plain_fives, has_red
from jmjp_convert.formats.tenhou6.titles import tournament_of
from jmjp_convert.formats.tenhou6.values import Notice, WrongValue, count, expected, listed, points, text
from jmjp_convert.model import SEATS, House, Player, Rules, dates, handle, log_ids, tenhou
from jmjp_convert.model.houses import rules_of
from jmjp_convert.model.record import replace

T = TypeVar("T")
_Head = dict[str, Any]

KEYS = frozenset(
    ("title", "name", "rule", "ratingc", "dan", "rate", "sx", "sc", "connection", "lobby", "ref", "ver", "log")
)
"""The keys of an object. The number of players in ``ratingc`` and the version say nothing new."""

_RULE_KEYS = frozenset(("disp", "name", "aka", "aka51", "aka52", "aka53"))
_RED_KEYS = ("aka", "aka51", "aka52", "aka53")
_DANS = {name: dan for dan, name in enumerate(tenhou.RANKS)}


def head_of(value: _Head, pointer: str, notice: Notice) -> _Head:
    """Return the fields of a match, by name, that *value* holds besides its frames.

    :param pointer: the JSON pointer to it.
    :param notice: called with each line on what is ignored.
    :raises WrongValue: a value is malformed.
    """
    for key in value:
        if key not in KEYS:
            notice(f"unknown key {shown(key)} ignored")
    frames = listed(value.get("log"), f"{pointer}/log")
    rules, name = _rules(value, frames, pointer, notice)
    date, time, title, stage = _title(value.get("title"), f"{pointer}/title", notice)
    log_id = _log_id(value.get("ref"), f"{pointer}/ref", notice)
    known = log_ids.identify(log_id or "")
    if date is None and known is not None:
        date = known.date
    final, results = _final(value.get("sc"), rules.players, f"{pointer}/sc", notice)
    return {
        "rules": rules,
        "players": _players(value, rules.players, pointer),
        "id": log_id,
        "tournament": tournament_of(rules, title, stage, name),
        "date": date,
        "weekday": date and dates.weekday(date),
        "time": time,
        "final_points": final,
        "results": results,
    }


def _log_id(value: Any, pointer: str, notice: Notice) -> str | None:
    found = text(value, pointer) if value is not None else ""
    if found and log_ids.identify(found) is None:
        notice(f"ref {shown(found)} is not a log ID; ignored")
        return None
    return found or None


# --- rules -----------------------------------------------------------------------------------------------------------


def _rules(value: _Head, frames: Sequence[Any], pointer: str, notice: Notice) -> tuple[Rules, str]:
    """Return the rules and their name."""
    where = f"{pointer}/rule"
    rule = value.get("rule")
    if rule is None:
        rule = {}
    if type(rule) is not dict:
        raise expected("an object", rule, where)
    for key in rule.keys() - _RULE_KEYS:
        notice(f"unknown key {shown(f'rule/{key}')} ignored")
    key = "disp" if "disp" in rule else "name"
    name = text(rule.get(key) or "", f"{where}/{key}")
    names = value.get("name")
    four = any(map(has_fourth, frames)) or (type(names) is list and len(names) >= SEATS and bool(names[3]))
    rules = rules_of(
        name,
        value["ref"] if type(value.get("ref")) is str else None,
        players=SEATS if four else SEATS - 1,
        red_fives=_red_fives(rule, frames, where, notice),
        lobby=_lobby(value.get("lobby"), f"{pointer}/lobby"),
    )
    if rules.house is None and "ratingc" in value and "title" not in value:  # as from Tenhou's server
        rules = replace(rules, house=House.TENHOU)
    return rules, name


def _red_fives(rule: _Head, frames: Sequence[Any], pointer: str, notice: Notice) -> bool | None:
    """Return whether there are red fives: as recorded, or as the tiles show."""
    counts = [
        int(rule[key]) if type(rule[key]) is bool else count(rule[key], f"{pointer}/{key}")
        for key in _RED_KEYS
        if rule.get(key) is not None
    ]
    if any(counts):
        if any(map(has_plain_fives, frames)):
            notice("the rules have red fives, but all four fives of a kind in play are plain")
            return False
        return True
    if any(map(has_red, frames)):
        if counts:
            notice("the rules have no red fives, but there are some in play")
        return True
    return False if counts else None


def _lobby(value: Any, pointer: str) -> int | None:
    if type(value) is str and value.isascii() and value.isdecimal():
        value = int(value[:10])
    return None if value in (None, "") else count(value, pointer)


# --- players ---------------------------------------------------------------------------------------------------------


def _players(value: _Head, players: int, pointer: str) -> tuple[Player, ...]:
    names = _each(value, "name", players, pointer, text)
    ranks = _each(value, "dan", players, pointer, text)
    rates = _each(value, "rate", players, pointer, _rating)
    sexes = _each(value, "sx", players, pointer, text)
    return tuple(
        [
            Player(
                handle(name),
                dan=rank_of(rank or "")[0],
                rate=rate,
                sex=sex or None,
                rank=rank_of(rank or "")[1],
            )
            for name, rank, rate, sex in zip(names, ranks, rates, sexes, strict=True)
        ]
    )


def rank_of(name: str) -> tuple[int | None, str | None]:
    """Return a rank by its *name*: Tenhou's number, or the name of another server's."""
    return _DANS.get(name), name if name and name not in _DANS else None


def _each(value: _Head, key: str, players: int, pointer: str, read: Callable[[Any, str], T]) -> list[T | None]:
    """Return the values by player under *key*; what is missing is ``None``, as is what an empty seat has."""
    where = f"{pointer}/{key}"
    found = listed(value[key], where) if value.get(key) is not None else []
    if len(found) > SEATS:
        raise WrongValue(f"{len(found)} values; at most {SEATS} expected", where)
    read_ = [None if one is None else read(one, f"{where}/{place}") for place, one in enumerate(found[:players])]
    return read_ + [None] * (players - len(read_))


def _rating(value: Any, pointer: str) -> float:
    if type(value) not in (int, float) or abs(value) > MOST:
        raise expected("a rating", value, pointer)
    rate: float = value
    return rate


def _final(
    value: Any, players: int, pointer: str, notice: Notice
) -> tuple[tuple[int, ...] | None, tuple[int, ...] | None]:
    """Return the points and results by player: those of each, alternately, a result in thousands."""
    if value is None:
        return None, None
    found = listed(value, pointer)
    if len(found) not in (2 * players, 2 * SEATS):
        raise WrongValue(f"{len(found)} values; {2 * SEATS} expected", pointer)
    counted = tuple([points(one, f"{pointer}/{2 * who}") for who, one in enumerate(found[: 2 * players : 2])])
    shares = []
    for who, share in enumerate(found[1 : 2 * players : 2]):
        if type(share) not in (int, float) or abs(share) > MOST:
            raise expected("a result in thousands", share, f"{pointer}/{2 * who + 1}")
        shares.append(round(share * 1000))
    if any(share % 100 for share in shares):
        notice("results that are not multiples of 0.1 ignored")
        return counted, None
    return counted, tuple(shares)


# --- title -----------------------------------------------------------------------------------------------------------


def _title(value: Any, pointer: str, notice: Notice) -> tuple[str | None, str | None, str, str]:
    """Return date, time, name and stage from a title of two lines."""
    lines = [value] if type(value) is str else [] if value is None else listed(value, pointer)
    said = [text(line, f"{pointer}/{place}") for place, line in enumerate(lines) if line is not None]
    if len(said) > 2:  # noqa: PLR2004
        notice("lines of the title after the second ignored")
    name, second = (*said, "", "")[:2]
    moment = dates.moment_of(second)
    return (*moment, name, "") if moment else (None, None, name, second)
