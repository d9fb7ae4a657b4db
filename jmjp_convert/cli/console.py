"""Prints to stderr and stdout, one safe line at a time."""

from __future__ import annotations

import sys
from contextlib import suppress
from pathlib import Path
from typing import TextIO

from jmjp_convert.cli.text import width
from jmjp_convert.errors import TextError
from jmjp_convert.files import outputs
from jmjp_convert.messages import escaped

PROGRAM = "jmjp"

WIDTH = 80
"""The columns of a line where the terminal's are unknown."""

_NARROWEST = 40  # columns: a terminal narrower than that breaks the lines itself
_LONGEST = 8000  # characters of a line: a broken input that is quoted may be of any length


def one_line(text: str) -> str:
    """Return *text* with characters escaped that would break its line, control the terminal or be invisible, truncated
    if long."""
    line = escaped(text[: _LONGEST + 1])
    return line if len(line) <= _LONGEST else f"{line[: _LONGEST - 1]}…"


class Once:
    """Recognizes new lines, so that what applies to many inputs is said once.

    :param most: the maximum number of new lines.
    """

    def __init__(self, most: int | None = None) -> None:
        self._said: set[str] = set()
        self._most = most

    def is_new(self, line: str) -> bool:
        """Return whether *line* is new and should be said."""
        if line in self._said or len(self._said) == self._most:
            return False
        self._said.add(line)
        return True


def say(text: str) -> None:
    """Print *text* to stderr, in one line after the program's name; what the console cannot show is escaped."""
    stream = sys.stderr
    if stream is None:
        return
    encoding = stream.encoding or "utf-8"
    line = f"{PROGRAM}: {one_line(text)}\n".encode(encoding, "backslashreplace").decode(encoding)
    with suppress(OSError):
        stream.write(line)
        stream.flush()


def point(error: TextError, stream: TextIO | None = None) -> None:
    """Show the line of *error* with a caret below its place, if *stream* (default: stderr) is a terminal."""
    stream = sys.stderr if stream is None else stream
    if stream is None or not stream.isatty() or not error.text:
        return
    before = one_line(error.text[: error.caret])
    lines = f"  {before}{one_line(error.text[error.caret :])}\n  {' ' * width(before)}^\n"
    with suppress(OSError):
        stream.write(lines.encode(stream.encoding, "backslashreplace").decode(stream.encoding))
        stream.flush()


def counted(number: int, what: str) -> str:
    """Return *number* and *what* is counted, in the plural if needed."""
    ending = "" if number == 1 else "es" if what.endswith("ch") else "s"
    return f"{number:,} {what}{ending}"


def shown(path: Path) -> str:
    """Return *path*, relative to the current directory if it is inside it."""
    try:
        return str(path.relative_to(Path.cwd()))
    except (ValueError, OSError):
        return str(path)


def printable(text: str) -> str:
    """Return *text* in one line, with what would control the terminal or stdout cannot show escaped."""
    return one_line(text).encode(_encoding(), "backslashreplace").decode(_encoding())


def write(text: str) -> None:
    """Write *text* to standard output; what cannot be encoded is escaped.

    :raises StdoutError: it cannot be written.
    :raises UnreadError: its reader has closed it.
    """
    outputs.write_stdout(text.encode(_encoding(), "backslashreplace"))


def room_of_stdout() -> int:
    """Return the columns of the terminal, or the usual ones if the output goes elsewhere."""
    import shutil

    is_terminal = sys.stdout is not None and sys.stdout.isatty()
    return max(shutil.get_terminal_size((WIDTH, 24)).columns, _NARROWEST) if is_terminal else WIDTH


def _encoding() -> str:
    return getattr(sys.stdout, "encoding", None) or "utf-8"
