"""The keywords of jmjp and what distinguishes its dialects (source: ``jmjp-grammar.md``)."""

from __future__ import annotations

from dataclasses import dataclass

from jmjp_convert.errors import FormatError
from jmjp_convert.model import WINDS

SEATS = "eswn"

CHI = "ch"
PON = "pn"
DAIMINKAN = "dk"
REPLACEMENT = "rs"
OYA = "oy"
"""How an act begins, but for a plain draw and ron."""

TSUMOGIRI = "tg"
KARAGIRI = "kg"
TSUMO = "tm"
RIICHI = "rc"
KAKAN = "kk"
ANKAN = "ak"
"""How an act ends, but for a plain discard."""

ALL_FRAMES = "all"
WEEKDAYS = ("sun", "mon", "tue", "wed", "thu", "fri", "sat")

FROM = {1: "s", 2: "t", 3: "k"}
"""Whose tile a meld took, by its giver's place relative to the caller: shimocha, toimen, kamicha."""


@dataclass(frozen=True, slots=True)
class Dialect:
    r"""What distinguishes a dialect.

    :ivar version: as in the header, ``jmjp[1.0]``.
    :ivar comments: whether ``//`` comments exist.
    :ivar all_tiles: whether pon and kan name all of their tiles.
    :ivar escapes: whether ``\"`` stands for ``"`` in a string.
    :ivar name: the brackets of a name.
    :ivar ron: the word for ron.
    :ivar tenpai: whether ``ptr`` has the payment at an exhaustive draw.
    :ivar dice_total: whether the sum of the dice alone can stand for them.
    """

    version: str
    comments: bool
    all_tiles: bool
    escapes: bool
    name: str
    ron: str
    tenpai: bool
    dice_total: bool


DIALECTS = {
    "0": Dialect(
        "0", comments=False, all_tiles=False, escapes=False, name="[]", ron="ro", tenpai=False, dice_total=False
    ),
    "1.0": Dialect(
        "1.0", comments=True, all_tiles=True, escapes=False, name="()", ron="ro", tenpai=False, dice_total=False
    ),
    "1.0-beta": Dialect(
        "1.0", comments=True, all_tiles=True, escapes=True, name="()", ron="rn", tenpai=True, dice_total=True
    ),
}
DEFAULT_DIALECT = "1.0"

READABLE = {dialect.version: dialect for dialect in DIALECTS.values()}
"""By the version in the header, how it is read: drafts of 1.0-beta, which shares its header with 1.0, mixed the two. So
a reader takes what either has."""

RONS = frozenset(dialect.ron for dialect in DIALECTS.values())


ROUNDS = {f"{wind}{number}": 4 * index + number - 1 for index, wind in enumerate(WINDS) for number in range(1, 5)}
"""By their names in a frame's id, ``ROUNDS["S2"] == 5``."""


USUAL_POINTS = range(-50_000, 150_000, 100)
"""The points that occur all the time."""


class _Points(dict[int, str]):
    """Thousands, as jmjp has them, by points: those that occur all the time are looked up, others are formatted."""

    def __missing__(self, value: int) -> str:
        thousands, rest = divmod(abs(value), 1000)
        if rest % 100:
            raise FormatError(f"{value} points; jmjp holds only whole hundreds")
        return f"{'-' * (value < 0)}{thousands}.{rest // 100}"


_POINTS = _Points()
_POINTS.update((value, _POINTS[value]) for value in USUAL_POINTS)
points = _POINTS.__getitem__
"""Return points as jmjp writes them, in thousands: ``points(-3200) == "-3.2"``.

:raises FormatError: they are not whole hundreds.
"""
