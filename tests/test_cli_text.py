"""Text on a terminal: its width, and the kinds of messages."""

from __future__ import annotations

import io
import os
import sys

import pytest
from tables import table

from jmjp_convert.cli.console import say
from jmjp_convert.cli.text_table import columns, width
from jmjp_convert.messages import Kind


@pytest.mark.parametrize(("text", "expected"), table("cli_text", "columns"))
def test_columns(text: str, expected: list[int]) -> None:
    """A character takes one column, a wide one two, a combining or format character none."""
    assert columns(text) == expected
    assert width(text) == sum(expected)


KINDS = {Kind.ERROR: "31", Kind.WARNING: "33", Kind.NOTE: "36"}


@pytest.mark.parametrize(("names", "is_terminal", "colored"), table("cli_text", "kinds"))
@pytest.mark.skipif(os.name != "posix", reason="colors are for terminals of POSIX systems")
def test_kinds(names: tuple[str, ...], *, is_terminal: bool, colored: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    """A message begins with its kind, colored on a terminal, never with NO_COLOR and always with FORCE_COLOR; a status
    has no kind."""
    for name in ("NO_COLOR", "FORCE_COLOR"):
        monkeypatch.delenv(name, raising=False)
    for name in names:
        monkeypatch.setenv(name, "1")
    monkeypatch.setenv("TERM", "xterm")
    stderr = io.StringIO()
    monkeypatch.setattr(stderr, "isatty", lambda: is_terminal)
    monkeypatch.setattr(sys, "stderr", stderr)
    for kind in Kind:
        say("text", kind)
    label = "\x1b[{}m\x1b[1m{}:\x1b[0m" if colored else "{1}:"
    lines = [f"{label.format(number, kind.value)} text" for kind, number in KINDS.items()]
    assert stderr.getvalue().splitlines() == [*lines, "text"]
