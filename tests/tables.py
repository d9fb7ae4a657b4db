"""The tables in ``fixtures/tables``: inputs, each with what is expected of it."""

from __future__ import annotations

import ast
from functools import cache
from pathlib import Path
from typing import Any

FOLDER = Path(__file__).parent.parent / "fixtures" / "tables"


@cache
def _sections(file: str) -> dict[str, list[Any]]:
    """Return the rows of the sections of a file; a row is a line of Python literals, alone or separated by commas."""
    sections: dict[str, list[Any]] = {}
    for line in (FOLDER / f"{file}.txt").read_text(encoding="utf-8").split("\n"):
        if line.startswith("## "):
            sections[line[3:]] = rows = []
        elif line and line[0] != "#":
            values = ast.literal_eval(f"({line},)")
            rows.append(values if len(values) > 1 else values[0])
    return sections


def table(file: str, section: str) -> list[Any]:
    """Return the rows of a section of a file, at least one."""
    rows = _sections(file)[section]
    assert rows
    return rows
