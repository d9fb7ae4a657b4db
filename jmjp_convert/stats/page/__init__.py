"""Makes the page of statistics: one file that loads nothing.

The page holds the counts of each player, and divides them itself: one table of rates is for page, text, JSON and CSV.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from jmjp_convert import pages
from jmjp_convert.formats.json_text import encode
from jmjp_convert.model.yaku import NAMES
from jmjp_convert.stats.counts import RATES, Counts, Person, account_number, labels
from jmjp_convert.stats.curve import MOST, Curve

SCRIPTS = (*pages.SCRIPTS, *(f"stats/page/{name}.js" for name in ("texts", "players", "list", "curve", "card", "main")))
STYLES = (*pages.STYLES, "stats/page/stats.css")
"""In the order in which they run and apply."""

POINTS = 50_000
"""Approximate maximum number of points of all curves in a page together, which keeps the page small."""
FEWEST = 24
"""The points that every curve may have, however many there are."""

_COUNTS = tuple(dict.fromkeys(["games", "frames", *(name for rate in RATES for name in (rate.of, rate.by))]))
"""The counts in the page."""


def stats_page(
    ranked: Sequence[tuple[Person, Counts]],
    curves: Mapping[Person, Curve],
    lang: str | None = None,
    *,
    site: tuple[str, Callable[[Person], str]] | None = None,
    least: int = 1,
) -> str:
    """Return the page of the players *ranked*, as self-contained HTML, in which names are always text.

    :param curves: their results over time. With many players, these are reduced to fewer points.
    :param lang: the language in which the page opens, ``en`` or ``ja``; otherwise, it is the browser's.
    :param site: the address of the list of games that the page belongs to, and a function that returns the ID that a
        player has there, empty if it is the name. A site shows no account numbers.
    :param least: the fewest games of a player, which the page says if it is more than 1.
    """
    address, id_of = site or ("", lambda _: "")
    called = labels((who for who, _ in ranked), id_of if site else account_number)
    most = max(FEWEST, min(MOST, POINTS // max(1, len(ranked))))
    players = ",\n".join(
        encode(
            [label, who.seats, *_numbers(counts), _points(curves.get(who.identity), most), *filter(None, [id_of(who)])]
        )
        for label, (who, counts) in zip(called, ranked, strict=True)
    )
    embedded = pages.data("players", f"[{players}]") + pages.data(
        "about", encode({"lang": lang, "games": address, "least": least})
    )
    rates = [
        [(rate.japanese, rate.english), rate.of, rate.by, rate.form, rate.short and rate.short[::-1]] for rate in RATES
    ]
    yaku = [(names.japanese, names.english) for names in NAMES]
    script = pages.script(SCRIPTS, COUNTS=_COUNTS, RATES=rates, YAKU=yaku)
    inline = pages.inline(pages.style(STYLES), script)
    return pages.filled("stats/page/page.html", inline | {"title": "jmjp stats", "data": embedded})


def _numbers(counts: Counts) -> tuple[list[int], list[int]]:
    """Return the counts in the order of :data:`_COUNTS`; and the number of each yaku, followed by the wins with it."""
    yaku = [value for number in range(len(NAMES)) if (wins := counts[f"yaku {number}"]) for value in (number, wins)]
    return [counts[name] for name in _COUNTS], yaku


def _points(curve: Curve | None, most: int) -> list[int]:
    """Return a curve of at most *most* points: the length of the stretches in hours, then of each point the stretches
    since the one before (for the first, since the first of January of the year 1), the result, and the games."""
    if curve is None:
        return []
    reduced = Curve()
    reduced.update(curve)
    reduced.reduce(most)
    numbers, before = [reduced.length], 0
    for point in reduced.points():
        stretch = point.start // reduced.length
        numbers += [stretch - before, point.result, point.games]
        before = stretch
    return numbers
