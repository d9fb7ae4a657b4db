"""Formats the statistics of players: as text, JSON and CSV."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Callable, Iterator, Mapping, Sequence

from jmjp_convert.cli.console import counted
from jmjp_convert.cli.text import Column, Paint, distinct, table
from jmjp_convert.model.yaku import NAMES
from jmjp_convert.stats.counts import Counts, Who
from jmjp_convert.stats.rates import RATES, Rate, value

Found = Sequence[tuple[Who, Counts]]
"""The players to show, in order."""

_FOUR = 4
_THOUSAND = 1000
_SHORT_NAME = 6  # columns
_YAKU = tuple((f"yaku {number}", names) for number, names in enumerate(NAMES))
_COUNTED = ("games", "frames", "wins", "deal_ins", "riichi", "calls", "draws", "busts", "result")
"""The counts that CSV has too, before the rates."""

_TITLES = {
    "en": ("{}, four players: {}, {}", "{}, three players: {}, {}"),
    "ja": ("{} 四人打ち {} {}", "{} 三人打ち {} {}"),
}
_COUNTERS = {"games": {"en": "game", "ja": "戦"}, "frames": {"en": "frame", "ja": "局"}}
_HEADS = {"en": ("Player", "Games"), "ja": ("対局者", "対局")}
_THREE_PLAYERS = {"en": "Three players", "ja": "三人打ち"}
_OF = {"en": "{} of {}", "ja": "{}/{}"}
_YAKU_TITLE = {"en": "Yaku, of wins", "ja": "役、和了に占める割合"}
_UNKNOWN = "-"


def number(rate: Rate, counts: Counts) -> str:
    """Return a *rate* of a player as text."""
    found = value(rate, counts)
    if found is None:
        return _UNKNOWN
    if rate.form == "share":
        return f"{found:.1%}"
    if rate.form == "points":
        return f"{found:,.0f}"
    return f"{found / _THOUSAND:+.1f}" if rate.form == "result" else f"{found:.2f}"


def overview(found: Found, lang: str, safe: Callable[[str], str], *, room: int, paint: Paint) -> Iterator[str]:
    """Yield a table of players, those at tables of three separately.

    :param safe: escapes what the terminal cannot show in one line.
    :param room: the columns of a line.
    """
    language = lang == "ja"
    rates = [rate for rate in RATES if rate.short]
    for seats in sorted({who.seats for who, _ in found}, reverse=True):
        shown = [(who, counts) for who, counts in found if who.seats == seats]
        if seats != _FOUR:
            yield ""
            yield paint.heading(_THREE_PLAYERS[lang])
        names = [safe(who.name) or _UNKNOWN for who, _ in shown]
        player, games = _HEADS[lang]
        columns = [
            Column([player, *names], least=distinct(names, _SHORT_NAME)),
            Column([games, *(f"{counts['games']:,}" for _, counts in shown)], right=True),
        ]
        columns += [
            Column([rate.short[language], *(number(rate, counts) for _, counts in shown)], right=True)
            for rate in rates
            if rate.short and (seats == _FOUR or rate.of != "place4")
        ]
        heading, *rows = table(columns, room, "…" if safe("…") == "…" else ".")
        yield from map(paint.heading, heading)
        for row in rows:
            yield from row


def cards(found: Found, lang: str, safe: Callable[[str], str], *, room: int, paint: Paint) -> Iterator[str]:
    """Yield all that is known of each player, one below the other."""
    language = lang == "ja"
    for place, (who, counts) in enumerate(found):
        if place:
            yield ""
        title = _TITLES[lang][who.seats != _FOUR]
        numbers = [_number(counts[key], lang, names) for key, names in _COUNTERS.items()]
        yield paint.heading(title.format(safe(who.name) or _UNKNOWN, *numbers))
        yield ""
        rates = [rate for rate in RATES if who.seats == _FOUR or rate.of != "place4"]
        for row in table(
            [
                Column([(rate.english, rate.japanese)[language] for rate in rates]),
                Column([number(rate, counts) for rate in rates], right=True),
                Column([_parts(rate, counts, lang) for rate in rates]),
            ],
            room,
            "…",
        ):
            yield from row
        yaku = sorted((key for key, _ in _YAKU if counts[key]), key=counts.__getitem__, reverse=True)
        if yaku:
            yield ""
            yield paint.heading(_YAKU_TITLE[lang])
            names = dict(_YAKU)
            for row in table(
                [
                    Column([(names[key].romaji, names[key].japanese)[language] for key in yaku]),
                    Column([f"{counts[key] / counts['wins']:.1%}" for key in yaku], right=True),
                    Column([f"{counts[key]:,}" for key in yaku], right=True),
                ],
                room,
                "…",
            ):
                yield from row


def _number(number: int, lang: str, names: Mapping[str, str]) -> str:
    """Return a *number* of what is called *names* by language."""
    return counted(number, names[lang]) if lang == "en" else f"{number:,}{names[lang]}"


def _parts(rate: Rate, counts: Counts, lang: str) -> str:
    """Return the counts behind a *rate* that is a share."""
    if rate.form != "share" or not counts[rate.by]:
        return ""
    return _OF[lang].format(f"{counts[rate.of]:,}", f"{counts[rate.by]:,}")


def as_json(found: Found) -> str:
    """Return the players as JSON: all counts, all rates, and the yaku by name."""
    objects = []
    for who, counts in found:
        rates = {rate.key: value(rate, counts) for rate in RATES}
        yaku = {names.romaji: counts[key] for key, names in _YAKU if counts[key]}
        plain = {key: count for key, count in sorted(counts.items()) if not key.startswith("yaku ")}
        objects.append({"player": who.name, "players": who.seats, **rates, "yaku": yaku, "counts": plain})
    lines = ",\n".join(json.dumps(one).replace("\x7f", "\\u007f") for one in objects)
    return f"[{lines}]\n"


def as_csv(found: Found) -> str:
    """Return the players as CSV; an unknown rate is an empty cell."""
    text = io.StringIO()
    out = csv.writer(text, lineterminator="\n")
    out.writerow(["player", "players", *_COUNTED, *(rate.key for rate in RATES), *(names.romaji for _, names in _YAKU)])
    for who, counts in found:
        rates = [value(rate, counts) for rate in RATES]
        out.writerow(
            [who.name, who.seats, *(counts[key] for key in _COUNTED), *rates, *(counts[key] for key, _ in _YAKU)]
        )
    return text.getvalue()
