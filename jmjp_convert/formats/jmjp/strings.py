"""Escapes strings and comment values for each dialect (source: ``mapping.md``)."""

from __future__ import annotations

import re
from urllib.parse import quote_from_bytes

from jmjp_convert.formats.jmjp.dialects import Dialect
from jmjp_convert.formats.jmjp.shorthands import NO_TOKENS, Tokens
from jmjp_convert.model import Text

# Control characters, and halves of characters, which UTF-8 cannot hold.
_NO_CHARACTERS = "\x00-\x1f\x7f-\x9f\ud800-\udfff"
_CONTROLS = re.compile(f"[{_NO_CHARACTERS}]")
_SPECIAL = re.compile(f'[{_NO_CHARACTERS}"\\\\]')
_REPLACEMENT = "\N{REPLACEMENT CHARACTER}"
_WIDE_QUOTE = "\N{FULLWIDTH QUOTATION MARK}"
_WIDE_BACKSLASH = "\N{FULLWIDTH REVERSE SOLIDUS}"
_BACKSLASH_BEFORE_QUOTE = re.compile(r'\\(?="|$)')
_SAFE = "".join(chr(code) for code in range(0x21, 0x7F) if chr(code) != "%")


def held(text: str, dialect: Dialect) -> str:
    """Return what remains of *text* when it is written in *dialect* and read back."""
    if not _SPECIAL.search(text):
        return text
    text = _CONTROLS.sub(_REPLACEMENT, text)
    text = _BACKSLASH_BEFORE_QUOTE.sub(_WIDE_BACKSLASH, text)
    return text if dialect.escapes else text.replace('"', _WIDE_QUOTE)


def string(text: str, dialect: Dialect) -> str:
    """Return *text* as a string of *dialect*, quotes included; no reader can take it in two ways."""
    if _SPECIAL.search(text):
        text = held(text, dialect).replace('"', '\\"')
    return f'"{text}"'


def literal(text: Text | None, dialect: Dialect, tokens: Tokens = NO_TOKENS) -> str:
    """Return *text* as a ``strLit``, empty if there is none, or as the one of *tokens* that stands for it."""
    if text is None:
        return ""
    for token, meaning in tokens.items():
        if text == meaning:
            return token
    native = f"snt[{string(text.native, dialect)}]" if text.native is not None else ""
    roman = f"srm[{string(text.roman, dialect)}]" if text.roman is not None else ""
    return native + roman


def encoded(value: str | bytes | int) -> str:
    """Return *value* as a comment's value: percent-encoded are ``%``, bytes to 0x20, 0x7F, and from 0x80."""
    if isinstance(value, int):
        return str(value)
    if isinstance(value, str) and value.isascii() and value.isprintable() and "%" not in value and " " not in value:
        return value
    raw = value if isinstance(value, bytes) else value.encode("utf-8", "surrogatepass")
    return quote_from_bytes(raw, safe=_SAFE)
