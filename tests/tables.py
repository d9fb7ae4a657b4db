"""The tables in ``fixtures/tables``: inputs, each with what is expected of it."""

from __future__ import annotations

import ast
from functools import cache
from io import StringIO
from pathlib import Path
from tokenize import COMMENT, generate_tokens
from typing import Any

import pytest

from jmjp_convert import errors, model, tiles

MODEL = {**vars(errors), **vars(tiles), **vars(model)}
FOLDER = Path(__file__).parent.parent / "fixtures" / "tables"


@cache
def _sections(file: str) -> dict[str, list[str]]:
    """Return the rows of the sections of a file: lines without comments."""
    sections: dict[str, list[str]] = {}
    for line in (FOLDER / f"{file}.txt").read_text(encoding="utf-8").split("\n"):
        if line.startswith("## "):
            sections[line[3:]] = rows = []
        elif line and line[0] != "#":
            rows.append(line)
    return sections


def _comment(line: str) -> str:
    """Return the comment at the end of *line*, if there is one."""
    if "  # " not in line:
        return ""
    return next((token.string[2:] for token in generate_tokens(StringIO(line).readline) if token.type == COMMENT), "")


def table(file: str, section: str, names: dict[str, Any] | None = None) -> list[Any]:
    """Return the rows of a section of a file, at least one: values alone or separated by commas, perhaps followed by a
    comment, the name of the case.

    :param names: if values are expressions in these names and in those of the model, of tiles and of errors; otherwise
        they are literals.
    """
    rows = []
    for line in _sections(file)[section]:
        text = f"({line}\n,)"
        values = ast.literal_eval(text) if names is None else eval(text, MODEL | names)  # noqa: S307 - our own
        name = _comment(line)
        rows.append(pytest.param(*values, id=name) if name else values if len(values) > 1 else values[0])
    assert rows
    return rows
