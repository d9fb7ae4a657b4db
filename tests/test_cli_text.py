"""Text on a terminal: its width, and the kinds of messages."""

from __future__ import annotations

import io
import os
import sys

import pytest

from jmjp_convert.cli.console import columns, say, width
from jmjp_convert.messages import Kind


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("", []),
        ("aZ~ ", [1, 1, 1, 1]),
        ("é", [1]),
        ("天鳳", [2, 2]),
        ("あア", [2, 2]),
        ("ｱ", [1]),
        ("\uff21\uff02\u3000", [2, 2, 2]),
        ("😀", [2]),
        ("e\u0301", [1, 0]),
        ("が", [2]),
        ("か\u3099", [2, 0]),
        ("\u200b\u202e\ufeff", [0, 0, 0]),
        ("\u20dd", [0]),
        ("ⓐα", [1, 1]),
    ],
)
def test_columns(text: str, expected: list[int]) -> None:
    """A character takes one column, a wide one two, a combining or format character none."""
    assert columns(text) == expected
    assert width(text) == sum(expected)


KINDS = {Kind.ERROR: "31", Kind.WARNING: "33", Kind.NOTE: "36"}


@pytest.mark.parametrize(
    ("names", "is_terminal", "colored"),
    [
        ((), False, False),
        ((), True, True),
        (("NO_COLOR",), True, False),
        (("FORCE_COLOR",), False, True),
        (("NO_COLOR", "FORCE_COLOR"), True, False),
    ],
)
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
