"""Colors on a terminal."""

from __future__ import annotations

import os
import sys

import click


class Paint:
    """Colors what stands out in a text.

    :param on: whether to color at all.
    """

    def __init__(self, *, on: bool) -> None:
        self._on = on

    def heading(self, text: str) -> str:
        """Return a heading."""
        return self._styled(text, bold=True)

    def great(self, text: str) -> str:
        """Return a yakuman."""
        return self._styled(text, fg="magenta", bold=True)

    def _styled(self, text: str, **style: object) -> str:
        return click.style(text, **style) if self._on and text else text  # type: ignore[arg-type]


def for_stdout() -> Paint:
    """Return colors for standard output: none unless it is a terminal that has them and ``NO_COLOR`` is not set."""
    stream = sys.stdout
    shows = stream is not None and stream.isatty() and os.environ.get("TERM") != "dumb" and os.name == "posix"
    return Paint(on=shows and not os.environ.get("NO_COLOR"))
