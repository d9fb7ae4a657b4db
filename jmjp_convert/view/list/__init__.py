"""What the list of a site holds of each game, and how: scripts, with tables of numbers.

A browser shows a hundred games of 200,000 at once, so rows are data, not markup. They are scripts since a page that is
opened from disk may load those, and nothing else.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from hashlib import sha256
from typing import Any, NamedTuple

from jmjp_convert.files.archives.not_logs import LIST_SCRIPT
from jmjp_convert.formats.json_text import encode
from jmjp_convert.model import SEATS, Match, Win, houses
from jmjp_convert.model.yaku import NAMES
from jmjp_convert.play.points import points_at_end, ranking
from jmjp_convert.stats.counts import Person, person_of
from jmjp_convert.view.page import Summaries, names

WORDS = 1000
"""Yaku from this number on are those of :attr:`ListedGame.words`: they have no number in the table of yaku."""

NOBODY = "-"
"""The ID of players without statistics, whatever they are called."""

_NO_PLAYER = -1
_DIGITS = 10


class ListedGame(NamedTuple):
    """A game in the list, in JSON values."""

    name: str  # that of its page, without folder and extension
    date: int  # YYYYMMDD as a number, 0 if not known
    time: int  # HHMM as a number, -1 if not known
    table: Sequence[Any]  # the server, and the room and the rules in Japanese and English, each None if not known
    players: Sequence[Sequence[str]]  # in finishing order, the name in Japanese and English, and person_id
    points: Sequence[int] | None  # in the same order
    results: Sequence[int] | None  # in the same order
    hands: int  # how many there were
    # The winner's place, counted from 0, the points of the hand, and the yaku, as twice their number, plus 1 for a
    # yakuman.
    wins: Sequence[Sequence[Any]]
    words: Sequence[str]  # the yaku without a number


def row_of(match: Match, summaries: Summaries, name: str) -> ListedGame:
    """Return the row of *match*, whose page is called *name*.

    :param summaries: those of the match.
    """
    native, english = summaries["ja"], summaries["en"]
    points = points_at_end(match)
    order = ranking(points or match.results or (0,) * len(match.players))
    ids = (person_id(person_of(match, player)) for player in match.players)
    called = list(zip(names(native), names(english), ids, strict=True))
    room = houses.room(match.rules, match.tournament.name if match.tournament else None)
    rules = [native.tournament, english.tournament] if native.tournament else None
    house = match.rules.house
    words: list[str] = []
    wins = [[order.index(win.player), win.points, *_yaku(win, words)] for frame in match.frames for win in frame.wins]
    return ListedGame(
        name,
        int(match.date or 0),
        -1 if match.time is None else int(match.time),
        [house and house.value, room and [room.native or room.roman, room.roman or room.native], rules],
        [called[player] for player in order],
        points and [points[player] for player in order],
        match.results and [match.results[player] for player in order],
        len(match.frames),
        wins,
        words,
    )


def person_id(who: Person) -> str:
    """Return what identifies a player with an account in links, which do not show its number; :data:`NOBODY` for
    computers, empty for others."""
    if who.account is None:
        return NOBODY if who.computer else ""
    house = who.house.value if who.house else ""
    return sha256(f"{house}:{who.account}".encode()).hexdigest()[:_DIGITS]


def _yaku(win: Win, words: list[str]) -> list[int]:
    """Return the yaku of *win* as in :attr:`ListedGame.wins`; those without a number are added to *words*."""
    numbers = []
    for yaku in win.counting_yaku:
        number = yaku.number
        if number is None:
            if yaku.word not in words:
                words.append(yaku.word)
            number = WORDS + words.index(yaku.word)
        numbers.append(2 * number + (yaku.han is None))
    return sorted(set(numbers))


# --- a script ---------------------------------------------------------------------------------------------------------


class _Numbers(dict[str, int]):
    """Numbers values, which are JSON, in the order in which they are first seen."""

    def __init__(self) -> None:
        self.values_: list[Any] = []

    def of(self, value: Any) -> int:
        key = encode(value)
        if key not in self:
            self[key] = len(self.values_)
            self.values_.append(value)
        return self[key]


def script_of(name: str, folders: Iterable[tuple[str, Iterable[ListedGame]]]) -> tuple[str, list[tuple[str, int, int]]]:
    """Return the script of this *name* that lists the games in *folders*, and for each folder its name, the number of
    games and that of their wins.

    What recurs (players, rules, and wins of the same points with the same yaku) is there once. Columns have a number
    for each game; those of players, points and results have four, by placement. What is missing is ``None``.
    """
    people, tables, kinds, words = _Numbers(), _Numbers(), _Numbers(), _Numbers()
    columns: dict[str, list[Any]] = {name: [] for name in ("names", "dates", "times", "table", "hands", "won", "wins")}
    placement_columns: dict[str, list[Any]] = {name: [] for name in ("players", "points", "results")}
    inside = []
    for folder, rows in folders:
        games, wins = len(columns["names"]), len(columns["wins"])
        for row in rows:
            number_of = [words.of(word) for word in row.words]
            columns["names"].append(row.name)
            columns["dates"].append(row.date)
            columns["times"].append(row.time)
            columns["table"].append(tables.of(row.table))
            columns["hands"].append(row.hands)
            columns["won"].append(len(row.wins))
            columns["wins"] += [SEATS * kinds.of(_kind(win[1:], number_of)) + win[0] for win in row.wins]
            placement_columns["players"] += _four([people.of(_short(player)) for player in row.players], _NO_PLAYER)
            placement_columns["points"] += _four(row.points or (), None)
            placement_columns["results"] += _four(row.results or (), None)
        inside.append((folder, len(columns["names"]) - games, len(columns["wins"]) - wins))
    shared = {
        name: numbers.values_
        for name, numbers in (("people", people), ("tables", tables), ("kinds", kinds), ("words", words))
    }
    # Only ASCII: with any other letter, a browser keeps two bytes for each of the whole script.
    text = encode(json.dumps({**columns, **placement_columns, **shared}, separators=(",", ":")))
    return f"{LIST_SCRIPT.decode()}{encode(name)}, {text}]);\n", inside


def _four(values: Sequence[Any], missing: Any) -> list[Any]:
    return [*values, *[missing] * (SEATS - len(values))]


def _short(person: Sequence[str]) -> list[str]:
    """Return a player without what the page can do without: an English name that is the Japanese one, an empty ID."""
    native, english, id_ = person
    return [native, english, id_] if id_ else [native, english] if english != native else [native]


def _kind(win: Sequence[Any], number_of: Sequence[int]) -> str:
    """Return the points and yaku of a win as text, with the numbers that words have in the script."""
    points, *yaku = win
    first = 2 * WORDS
    numbers = (number if number < first else first + 2 * number_of[number // 2 - WORDS] + number % 2 for number in yaku)
    return " ".join(map(str, ("" if points is None else points, *numbers)))


YAKU = [(yaku.japanese, yaku.romaji) for yaku in NAMES]
"""The names of yaku, by number, for the page."""
