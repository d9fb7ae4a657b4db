"""Escape strings and comment values for each dialect (source: ``docs/design/mapping.md``, Strings and The match)."""

from __future__ import annotations

from urllib.parse import quote_from_bytes

from jmjp_convert.formats.jmjp.dialects import Dialect
from jmjp_convert.formats.jmjp.shorthands import NO_TOKENS, Tokens
from jmjp_convert.model import Text
from jmjp_convert.patterns import regex

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
