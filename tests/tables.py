"""The tables in ``fixtures/tables``: inputs, each with what is expected of it."""

from __future__ import annotations

import ast
from functools import cache
from io import StringIO
from pathlib import Path
from tokenize import COMMENT, generate_tokens
from typing import Any

import pytest

FOLDER = Path(__file__).parent.parent / "fixtures" / "tables"


@cache
def _sections(file: str) -> dict[str, list[Any]]:
    """Return the rows of the sections of a file; a row is a line of Python literals, alone or separated by commas, and
    may end with a comment, the name of the case."""
    sections: dict[str, list[Any]] = {}
    for line in (FOLDER / f"{file}.txt").read_text(encoding="utf-8").split("\n"):
        if line.startswith("## "):
            sections[line[3:]] = rows = []
        elif line and line[0] != "#":
            values = ast.literal_eval(f"({line}\n,)")
            name = _comment(line)
            rows.append(pytest.param(*values, id=name) if name else values if len(values) > 1 else values[0])
    return sections


def _comment(line: str) -> str:
    """Return the comment at the end of *line*, if there is one."""
    if "  # " not in line:
        return ""
    return next((token.string[2:] for token in generate_tokens(StringIO(line).readline) if token.type == COMMENT), "")


def table(file: str, section: str) -> list[Any]:
    """Return the rows of a section of a file, at least one."""
    rows = _sections(file)[section]
    assert rows
    return rows
