"""Lay out JSON for people to read and paste."""

from __future__ import annotations

import json
from typing import Any


def laid_out(value: Any, indent: str = "") -> str:
    """Return *value* as JSON, with one line per key of an object; a list is on one line, unless it has lists or objects
    in it: then one line per item."""
    inner = f"{indent}  "
    if isinstance(value, dict):
        lines = [f"{json.dumps(key)}: {laid_out(item, inner)}" for key, item in value.items()]
        return _block("{}", lines, indent, inner)
    if isinstance(value, list) and any(isinstance(item, list | dict) for item in value):
        return _block("[]", list(map(json.dumps, value)), indent, inner)
    return json.dumps(value)


def _block(brackets: str, lines: list[str], indent: str, inner: str) -> str:
    body = ",\n".join(f"{inner}{line}" for line in lines)
    return f"{brackets[0]}\n{body}\n{indent}{brackets[1]}"
