"""Dumps JSON on one line that every reader takes for one line."""

from __future__ import annotations

import json
import re
from typing import Any

_encoded = json.JSONEncoder(ensure_ascii=False, allow_nan=False, check_circular=False, separators=(",", ":")).encode

# What JSON allows as it is, but a terminal, a line reader or JavaScript may not, and what UTF-8 cannot hold.
_UNSAFE = re.compile("[\x7f-\x9f\u2028\u2029\ud800-\udfff]")


def encode(value: Any) -> str:
    """Return *value* as JSON in one line, without spaces; letters of any script stand for themselves.

    It can be encoded as UTF-8, whatever is in it.
    """
    text = _encoded(value)
    return text if text.isascii() and "\x7f" not in text else _UNSAFE.sub(_escaped, text)


def _escaped(character: re.Match[str]) -> str:
    return f"\\u{ord(character[0]):04x}"
