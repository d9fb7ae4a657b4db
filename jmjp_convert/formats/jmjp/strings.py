"""The strings of jmjp: how each dialect escapes them, and the tokens that stand for some."""

from __future__ import annotations

from collections.abc import Mapping
from urllib.parse import quote_from_bytes

from jmjp_convert.formats.jmjp.dialects import Dialect
from jmjp_convert.model import Text
from jmjp_convert.patterns import regex

# --- tokens -----------------------------------------------------------------------------------------------------------

# Source: table 1 of the jmjp standard 1.0.0; ``docs/design/jmjp-grammar.md`` lists the tokens.

Tokens = Mapping[str, Text]
"""The tokens of a field and their texts; each field has its own table, as in the standard."""

NO_TOKENS: Tokens = {}

TOURNAMENTS: Tokens = {"mlg": Text("Mリーグ", "M League")}

STAGES: Tokens = {
    "1rd": Text("一回戦", "First round"),
    "2rd": Text("二回戦", "Second round"),
    "qtf": Text("準々決勝", "Quarterfinal"),
    "smf": Text("準決勝", "Semifinal"),
    "fin": Text("決勝", "Final"),
    "mlg-reg": Text("Mリーグ レギュラーシーズン", "M League Regular Season"),
    "mlg-sfs": Text("Mリーグ セミファイナルシリーズ", "M League Semifinal Series"),
    "mlg-fns": Text("Mリーグ ファイナルシリーズ", "M League Final Series"),
}

PLACES: Tokens = {"mlg-std": Text("Mリーグスタジオ", "M League Studio")}

TEAMS: Tokens = {
    "mlg-drn": Text("赤坂ドリブンズ", "Akasaka Drivens"),
    "mlg-exf": Text("EX風林火山", "EX Furinkazan"),
    "mlg-skn": Text("KADOKAWAサクラナイツ", "Kadokawa Sakura Knights"),
    "mlg-mfc": Text("KONAMI麻雀格闘倶楽部", "Konami Mahjong Fight Club"),
    "mlg-abm": Text("渋谷ABEMAS", "Shibuya Abemas"),
    "mlg-phx": Text("セガサミーフェニックス", "Sega Sammy Phoenix"),
    "mlg-rdn": Text("TEAM雷電", "Team Raiden"),
    "mlg-prt": Text("U-NEXT Pirates", "U-Next Pirates"),
}

AFFILIATIONS: Tokens = {
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
_NO_CHARACTERS = "\x00-\x1f\x7f-\x9f\ud800-\udfff"
_CONTROLS = regex(f"[{_NO_CHARACTERS}]")
_SPECIAL = regex(f'[{_NO_CHARACTERS}"\\\\]')
_REPLACEMENT = "\N{REPLACEMENT CHARACTER}"
_WIDE_QUOTE = "\N{FULLWIDTH QUOTATION MARK}"
_WIDE_BACKSLASH = "\N{FULLWIDTH REVERSE SOLIDUS}"
_BACKSLASH_BEFORE_QUOTE = regex(r'\\(?="|$)')
_SAFE = "".join(chr(code) for code in range(0x21, 0x7F) if chr(code) != "%")


def held(text: str, dialect: Dialect) -> str:
    """Return *text* as it reads back after being written in *dialect*."""
    if not _is_special(text):
        return text
    text = _CONTROLS.sub(_REPLACEMENT, text)
    text = _BACKSLASH_BEFORE_QUOTE.sub(_WIDE_BACKSLASH, text)
    return text if dialect.escapes else text.replace('"', _WIDE_QUOTE)


def string(text: str, dialect: Dialect) -> str:
    """Return *text* as a string of *dialect*, quotes included; it is never ambiguous to a reader."""
    if _is_special(text):
        text = held(text, dialect).replace('"', '\\"')
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


def encoded(value: str | bytes | int) -> str:
    """Return *value* as a comment's value, with ``%``, bytes up to 0x20, 0x7F, and bytes from 0x80 percent-encoded."""
    if isinstance(value, int):
        return str(value)
    if isinstance(value, str) and value.isascii() and value.isprintable() and "%" not in value and " " not in value:
        return value
    raw = value if isinstance(value, bytes) else value.encode("utf-8", "surrogatepass")
    return quote_from_bytes(raw, safe=_SAFE)
