"""The notation of jmjp, for both directions: keywords, dialects, points, tokens, strings.

Source: ``docs/design/jmjp-grammar.md``.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from typing import Final

from jmjp_convert.errors import FormatError
from jmjp_convert.lazy_regex import regex
from jmjp_convert.model import Text, tiles
from jmjp_convert.model.match import ROUND_NAMES
from jmjp_convert.model.record import Record

# --- keywords and dialects --------------------------------------------------------------------------------------------

SEATS: Final = "eswn"

CHI: Final = "ch"
PON: Final = "pn"
DAIMINKAN: Final = "dk"
REPLACEMENT: Final = "rs"
OYA: Final = "oy"
"""The first half of an act, except a plain draw and ron."""

TSUMOGIRI: Final = "tg"
KARAGIRI: Final = "kg"
TSUMO: Final = "tm"
RIICHI: Final = "rc"
KAKAN: Final = "kk"
ANKAN: Final = "ak"
"""The second half of an act, except a plain discard."""

ALL_FRAMES: Final = "all"

FROM: Final = {1: "s", 2: "t", 3: "k"}
"""The giver of a meld's tile, by position relative to the caller: shimocha, toimen, kamicha."""

HAND: Final = "hnd["

ANY_COPY: Final = {face: tiles.any_copy(face) for face in (*tiles.FACES, tiles.UNKNOWN_FACE)}
"""The tile IDs by face."""


class Dialect(Record):
    """The features of a dialect."""

    __slots__ = ("version", "comments", "all_tiles", "escapes", "name", "ron", "tenpai", "dice_total")

    def __init__(
        self,
        version: str,
        comments: bool,
        all_tiles: bool,
        escapes: bool,
        name: str,
        ron: str,
        tenpai: bool,
        dice_total: bool,
    ) -> None:
        self.version: Final = version  # the version in the header, jmjp[1.0]
        self.comments: Final = comments  # whether there are // comments
        self.all_tiles: Final = all_tiles  # whether pon and kan name all their tiles
        self.escapes: Final = escapes  # whether \" stands for " in a string
        self.name: Final = name  # the brackets around a name
        self.ron: Final = ron  # the word for ron
        self.tenpai: Final = tenpai  # whether ptr has the tenpai payment
        self.dice_total: Final = dice_total  # whether the total of the dice can replace the two dice


DIALECTS: Final = {
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
DEFAULT_DIALECT: Final = "1.0"

READABLE: Final = {dialect.version: dialect for dialect in DIALECTS.values()}
"""The dialect to read, by the version in the header. 1.0 and 1.0-beta share a header and drafts of the beta mixed them,
so a reader accepts both."""

RONS: Final = frozenset(dialect.ron for dialect in DIALECTS.values())

ROUNDS: Final = {name: number for number, name in enumerate(ROUND_NAMES)}
"""The number of a round, by its name in a frame ID: ``ROUNDS["S2"] == 5``."""


def plain(tile: int) -> int:
    """Return the plain tile of *tile*, which is known only by its face and may be a red five."""
    face = tiles.faces()[tile]
    return ANY_COPY[f"5{face[1]}" if face[0] == "0" else face]


# --- points -----------------------------------------------------------------------------------------------------------


@lru_cache(maxsize=1 << 12)
def points(value: int) -> str:
    """Return points in jmjp's thousands: ``points(-3200) == "-3.2"``.

    :raises FormatError: the points are not whole hundreds.
    """
    thousands, rest = divmod(abs(value), 1000)
    if rest % 100:
        raise FormatError(f"{value} points; jmjp can hold only whole hundreds")
    return f"{'-' * (value < 0)}{thousands}.{rest // 100}"


def from_thousands(text: str) -> tuple[int, ...]:
    """Return the points that *text* gives in jmjp's thousands: ``from_thousands("-3.2,25.0") == (-3200, 25000)``."""
    return tuple([100 * int(hundreds) for hundreds in text.replace(".", "").split(",")])


# --- tokens -----------------------------------------------------------------------------------------------------------

# Source: table 1 of the jmjp standard 1.0.0; ``docs/design/jmjp-grammar.md`` lists the tokens.

Tokens = Mapping[str, Text]
"""The tokens of a field and their texts; each field has its own table, as in the standard."""

NO_TOKENS: Final[Tokens] = {}

TOURNAMENTS: Final[Tokens] = {"mlg": Text("Mリーグ", "M League")}

STAGES: Final[Tokens] = {
    "1rd": Text("一回戦", "First round"),
    "2rd": Text("二回戦", "Second round"),
    "qtf": Text("準々決勝", "Quarterfinal"),
    "smf": Text("準決勝", "Semifinal"),
    "fin": Text("決勝", "Final"),
    "mlg-reg": Text("Mリーグ レギュラーシーズン", "M League Regular Season"),
    "mlg-sfs": Text("Mリーグ セミファイナルシリーズ", "M League Semifinal Series"),
    "mlg-fns": Text("Mリーグ ファイナルシリーズ", "M League Final Series"),
}

PLACES: Final[Tokens] = {"mlg-std": Text("Mリーグスタジオ", "M League Studio")}

TEAMS: Final[Tokens] = {
    "mlg-drn": Text("赤坂ドリブンズ", "Akasaka Drivens"),
    "mlg-exf": Text("EX風林火山", "EX Furinkazan"),
    "mlg-skn": Text("KADOKAWAサクラナイツ", "Kadokawa Sakura Knights"),
    "mlg-mfc": Text("KONAMI麻雀格闘倶楽部", "Konami Mahjong Fight Club"),
    "mlg-abm": Text("渋谷ABEMAS", "Shibuya Abemas"),
    "mlg-phx": Text("セガサミーフェニックス", "Sega Sammy Phoenix"),
    "mlg-rdn": Text("TEAM雷電", "Team Raiden"),
    "mlg-prt": Text("U-NEXT Pirates", "U-Next Pirates"),
}

AFFILIATIONS: Final[Tokens] = {
    "none": Text("無所属", "None"),
    "saikouisen": Text("最高位戦日本プロ麻雀協会", "Saikouisen"),
    "prokyoukai": Text("日本プロ麻雀協会", "Prokyoukai"),
    "prorenmei": Text("日本プロ麻雀連盟", "Prorenmei"),
    "rmu": Text("RMU", "RMU"),
    "rengoumu": Text("麻将連合-μ-", "Rengou Mu"),
    "101": Text("101競技連盟", "101"),
    "kishikai": Text("日本プロ麻雀棋士会", "Kishikai"),
    "zennihon": Text("全日本麻雀協会", "Zennihon"),
}
"""``none`` means "no known affiliation"; an empty field says nothing about it."""

# --- strings ----------------------------------------------------------------------------------------------------------

# Control characters, and surrogates, which UTF-8 cannot encode.
_NO_CHARACTERS: Final = r"\x00-\x1f\x7f-\x9f\ud800-\udfff"
_CONTROLS: Final = regex(f"[{_NO_CHARACTERS}]")
_SPECIAL: Final = regex(f'[{_NO_CHARACTERS}"\\\\]')
_REPLACEMENT: Final = "\N{REPLACEMENT CHARACTER}"
_WIDE_QUOTE: Final = "\N{FULLWIDTH QUOTATION MARK}"
_WIDE_BACKSLASH: Final = "\N{FULLWIDTH REVERSE SOLIDUS}"
_BACKSLASH_BEFORE_QUOTE: Final = regex(r'\\(?="|$)')


def storable(text: str, dialect: Dialect) -> str:
    """Return *text* as it reads back after being written in *dialect*."""
    if not _is_special(text):
        return text
    text = _CONTROLS.sub(_REPLACEMENT, text)
    text = _BACKSLASH_BEFORE_QUOTE.sub(_WIDE_BACKSLASH, text)
    return text if dialect.escapes else text.replace('"', _WIDE_QUOTE)


def string(text: str, dialect: Dialect) -> str:
    """Return *text* as a string of *dialect*, quotes included; it is never ambiguous to a reader."""
    if _is_special(text):
        text = storable(text, dialect).replace('"', '\\"')
    return f'"{text}"'


def _is_special(text: str) -> bool:
    """Return whether *text* has characters that a string cannot hold as they are."""
    plain = text.isprintable() and '"' not in text and "\\" not in text
    return not plain and _SPECIAL.search(text) is not None


def literal(text: Text | None, dialect: Dialect, tokens: Tokens = NO_TOKENS) -> str:
    """Return *text* as a ``strLit``, or as its token if *tokens* has one; empty for ``None``."""
    if text is None:
        return ""
    for token, meaning in tokens.items():
        if text == meaning:
            return token
    native = f"snt[{string(text.native, dialect)}]" if text.native is not None else ""
    roman = f"srm[{string(text.roman, dialect)}]" if text.roman is not None else ""
    return native + roman
