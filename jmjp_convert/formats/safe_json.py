"""Dump JSON on one line that every reader sees as one line."""

from __future__ import annotations

import json
import re
from typing import Any

_encoded = json.JSONEncoder(ensure_ascii=False, allow_nan=False, check_circular=False, separators=(",", ":")).encode

# Allowed unescaped in JSON, but not safe for terminals, line readers, JavaScript or UTF-8.
_UNSAFE = re.compile("[\x7f-\x9f\u2028\u2029\ud800-\udfff]")


def encode(value: Any) -> str:
    """Return *value* as JSON on one line, without spaces and with letters of any script unescaped.

    The result can always be encoded as UTF-8.
    """
    text = _encoded(value)
    return text if text.isascii() and "\x7f" not in text else _UNSAFE.sub(_escaped, text)


def _escaped(character: re.Match[str]) -> str:
    return f"\\u{ord(character[0]):04x}"
