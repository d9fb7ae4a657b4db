"""What can occur in a game, one row per thing, and a tally of how often it occurred."""

from __future__ import annotations

from collections.abc import Iterator

from jmjp_convert.model.yaku import NAMES, TENHOU_NUMBERS
from simulator.coverage_conditions import CONDITIONS
from simulator.eras import Era
from simulator.mjlog_grammar import ElementType
from simulator.rules import Rules

LIMITS = ("no-limit", "mangan", "haneman", "baiman", "sanbaiman", "kazoe-yakuman", "yakuman")

_RED_CHIS = tuple(f"chi-{place}-red-{how}" for place in ("low", "middle", "high") for how in ("taken", "held"))
_RED_MELDS = (
    *_RED_CHIS,
    *(f"pon-red-{how}" for how in ("taken", "held", "left-out")),
    *(f"daiminkan-red-{how}" for how in ("taken", "held")),
    *(f"kakan-red-{how}" for how in ("taken", "held", "added")),
    "ankan-red",
)


def _slug(text: str) -> str:
    return text.lower().replace(" ", "-").replace("_", "-")


YAKU_ROWS = tuple(_slug(NAMES[number].romaji) for number in TENHOU_NUMBERS)
"""By yaku number: its row."""

# The short names are those of the yaku.
_LONGER = {ElementType.RIICHI: "riichi-declared", ElementType.DORA: "dora-turned"}
ELEMENT_ROWS = {element: _LONGER.get(element, _slug(element.name)) for element in ElementType}
"""By type of element: its row."""

_ENDS = (
    *(ElementType.TSUMO, ElementType.RON),
    *(element for element in ElementType if element >= ElementType.EXHAUSTIVE),
)

GROUPS: dict[str, tuple[str, ...]] = {
    "elements": (
        *(row for element, row in ELEMENT_ROWS.items() if element not in _ENDS),
        *("tsumogiri", "karagiri", "bye", "back", "goings-in-a-row"),
        *("going-before-first-frame", "going-before-riichi-tile", "going-after-last-frame"),
    ),
    "ends of frames": (
        *(ELEMENT_ROWS[element] for element in _ENDS),
        *("double-ron", "double-ron-with-honba", "double-ron-with-sticks", "won-by-three"),
        *(f"tenpai-{count}" for count in range(5)),
        *("nagashi-of-dealer", "nagashi-of-two"),
    ),
    "wins": (
        *("robbed-kakan", "robbed-kita", "robbed-ankan", "robbed-kan-of-two", "robbed-ippatsu"),
        *("pao-tsumo", "pao-ron", "pao-himself", "pao-in-double-ron", "riichi-tile-ronned", "several-yakuman"),
        *("rinshan-after-ankan", "rinshan-after-kakan", "rinshan-after-daiminkan", "rinshan-after-kita"),
        *("rinshan-last-tile", "first-turn-ron"),
    ),
    "play": (
        *("kan-with-dora-owed", "kita-with-dora-owed", "ankan-after-riichi", "kita-after-riichi", "riichi-furiten"),
        *("riichi-after-ankan", "riichi-last-chance", "riichi-with-last-points", "riichi-tile-called"),
        *("five-dora", "four-norths", "four-kans-of-one", "furiten", "ron-passed"),
        *("tenpai-on-own-fourth", "noten-on-own-four"),
    ),
    "games": (
        *("last-round", "agariyame", "tenpaiyame", "bust", "bust-of-two", "extended", "sudden-death", "run-out"),
        *(
            "dealer-stays-after-last",
            "left-sticks",
            "tie-for-first",
            "points-0",
            "honba-5",
            "ten-frames",
            "twenty-frames",
        ),
    ),
    "melds with a red five": _RED_MELDS,
    "limits": LIMITS,
    "rules": tuple(CONDITIONS),
    "yaku": YAKU_ROWS,
}

NEVER = {
    "bakaze-pei": "no game goes on to a north round",
    "renhou": "Tenhou does not have it",
}
"""The rows that stay zero, and why."""

ELSEWHERE = {"won-by-three": "on Tenhou that is a draw; ask for it with --want"}
"""The rows that occur only in games that ask for them, by rules that are not Tenhou's, and why."""

_NEEDED_BY = {
    "four-players": (
        *("chi", *_RED_CHIS, "four-winds", "four-riichi", "triple-ron", "won-by-three"),
        *("tenpai-4", "sanshoku-doujun", "jikaze-pei"),
    ),
    "three-players": (
        *("kita", "robbed-kita", "rinshan-after-kita", "kita-with-dora-owed", "kita-after-riichi", "four-norths"),
    ),
    "red-fives": (*_RED_MELDS, "aka-dora"),
    "east-south": ("bakaze-shaa",),
    "with-tenpaiyame": ("tenpaiyame",),
}
"""By condition: the rows, besides its own, that occur only if it holds."""


_REASONS = NEVER | ELSEWHERE


def conditions_of(row: str) -> list[str]:
    """Return the conditions without which *row* cannot occur."""
    return [condition for condition in CONDITIONS if row in (condition, *_NEEDED_BY.get(condition, ()))]


def is_possible(row: str, rules: Rules, era: Era) -> bool:
    """Return whether a game of *rules* and *era* can have *row*."""
    return row not in NEVER and all(CONDITIONS[condition](rules, era) for condition in conditions_of(row))


class Tally(dict[str, int]):
    """How often each row has occurred, by row."""

    def __init__(self) -> None:
        super().__init__({row: 0 for rows in GROUPS.values() for row in rows})

    def note(self, row: str, *, when: bool = True) -> None:
        """Count *row* once if *when* is true."""
        self[row] += when

    def add(self, other: Tally) -> None:
        """Add the counts of *other*."""
        for row, number in other.items():
            self[row] += number

    @property
    def missing(self) -> list[str]:
        """The rows that can occur by Tenhou's rules but have not."""
        return [row for row, number in self.items() if not number and row not in _REASONS]

    def lines(self) -> Iterator[str]:
        """Yield the lines of a table of all rows."""
        for group, rows in GROUPS.items():
            yield f"{group}:"
            for row in rows:
                yield f"  {row:28} {self[row]:10,}{'   ' + _REASONS[row] if row in _REASONS else ''}"
