"""The keywords of jmjp and the differences between its dialects (source: ``docs/design/jmjp-grammar.md``)."""

from __future__ import annotations

from jmjp_convert.errors import FormatError
from jmjp_convert.model.match import ROUND_NAMES
from jmjp_convert.model.record import record

SEATS = "eswn"

CHI = "ch"
PON = "pn"
DAIMINKAN = "dk"
REPLACEMENT = "rs"
OYA = "oy"
"""The first half of an act, except a plain draw and ron."""

TSUMOGIRI = "tg"
KARAGIRI = "kg"
TSUMO = "tm"
RIICHI = "rc"
KAKAN = "kk"
ANKAN = "ak"
"""The second half of an act, except a plain discard."""

ALL_FRAMES = "all"

FROM = {1: "s", 2: "t", 3: "k"}
"""The giver of a meld's tile, by position relative to the caller: shimocha, toimen, kamicha."""


@record
class Dialect:
    r"""The features of a dialect.

    :ivar version: the version in the header, ``jmjp[1.0]``.
    :ivar comments: whether there are ``//`` comments.
    :ivar all_tiles: whether pon and kan name all their tiles.
    :ivar escapes: whether ``\"`` stands for ``"`` in a string.
    :ivar name: the brackets around a name.
    :ivar ron: the word for ron.
    :ivar tenpai: whether ``ptr`` has the tenpai payment.
    :ivar dice_total: whether the total of the dice can replace the two dice.
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
"""The dialect to read, by the version in the header. 1.0 and 1.0-beta share a header and drafts of the beta mixed them,
so a reader accepts both."""

RONS = frozenset(dialect.ron for dialect in DIALECTS.values())

ROUNDS = {name: number for number, name in enumerate(ROUND_NAMES)}
"""The number of a round, by its name in a frame ID: ``ROUNDS["S2"] == 5``."""

_USUAL_POINTS = range(-50_000, 150_000)


class _Points(dict[int, str]):
    """Points in jmjp's thousands, by points; common ones are kept."""

    def __missing__(self, value: int) -> str:
        thousands, rest = divmod(abs(value), 1000)
        if rest % 100:
            raise FormatError(f"{value} points; jmjp can hold only whole hundreds")
        text = f"{'-' * (value < 0)}{thousands}.{rest // 100}"
        if value in _USUAL_POINTS:
            self[value] = text
        return text


points = _Points().__getitem__
"""Return points in jmjp's thousands: ``points(-3200) == "-3.2"``.

:raises FormatError: the points are not whole hundreds.
"""
