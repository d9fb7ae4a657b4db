"""What goes to the terminal: safe lines on stderr and stdout, colors and the progress bar."""

from __future__ import annotations

import errno
import os
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from typing import TYPE_CHECKING, Any, TextIO

import click

from jmjp_convert.cli.language import ENGLISH, language, shows_japanese, translated
from jmjp_convert.errors import TextError
from jmjp_convert.files import outputs
from jmjp_convert.messages import Kind, escaped, for_terminal

if TYPE_CHECKING:
    from pathlib import Path

# --- colors -----------------------------------------------------------------------------------------------------------


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

    def kind(self, kind: Kind, encoding: str | None = None) -> str:
        """Return what a message of a *kind* begins with, in the language of the user."""
        if not kind.value:
            return ""
        return self._styled(f"{translated(kind.value, encoding)}:", fg=_COLORS[kind], bold=True) + " "

    def _styled(self, text: str, **style: object) -> str:
        return click.style(text, **style) if self._on and text else text  # type: ignore[arg-type]


_COLORS = {Kind.ERROR: "red", Kind.WARNING: "yellow", Kind.NOTE: "cyan"}


def paint_for(stream: TextIO | None) -> Paint:
    """Return colors for *stream*: by default only if it is a terminal that has them.

    ``NO_COLOR`` and ``FORCE_COLOR`` decide otherwise (no-color.org, force-color.org); with both, nothing is colored, as
    in Python itself.
    """
    if os.environ.get("NO_COLOR"):
        return Paint(on=False)
    if os.environ.get("FORCE_COLOR"):
        return Paint(on=True)
    shows = stream is not None and stream.isatty() and os.environ.get("TERM") != "dumb" and os.name == "posix"
    return Paint(on=shows)


# --- lines ------------------------------------------------------------------------------------------------------------

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


_UNREAD = (errno.EPIPE, errno.EBADF)  # the reader of stderr, or the user, has closed it: nobody wants messages
lost: list[str] = []
"""The messages of this run that could not be written to stderr, such as to a file on a full disk."""


def say(text: str, kind: Kind = Kind.STATUS) -> None:
    """Print *text* to stderr, in one line after its *kind*; what the console cannot show is escaped."""
    stream = sys.stderr
    if stream is None:
        return
    encoding = stream.encoding or "utf-8"
    message = one_line(translated(text, encoding))
    line = f"{paint_for(stream).kind(kind, encoding)}{message}\n".encode(encoding, "backslashreplace").decode(encoding)
    try:
        stream.write(line)
        stream.flush()
    except OSError as error:
        if error.errno not in _UNREAD:
            lost.append(line)


def point(error: TextError, stream: TextIO | None = None) -> None:
    """Show the line of *error* with a caret below its place, if *stream* (default: stderr) is a terminal."""
    stream = sys.stderr if stream is None else stream
    if stream is None or not stream.isatty() or not error.text:
        return
    from jmjp_convert.cli.text_table import width

    before = one_line(error.text[: error.caret])
    lines = f"  {before}{one_line(error.text[error.caret :])}\n  {' ' * width(before)}^\n"
    with suppress(OSError):
        stream.write(lines.encode(stream.encoding, "backslashreplace").decode(stream.encoding))
        stream.flush()


def counted(number: int, what: str) -> str:
    """Return *number* and *what* is counted, in the plural if needed."""
    ending = "" if number == 1 else "es" if what.endswith("ch") else "s"
    return f"{number:,} {what}{ending}"


def short_path(path: Path) -> str:
    """Return *path*, relative to the current directory if it is inside it."""
    try:
        return str(path.relative_to(os.getcwd()))
    except (ValueError, OSError):
        return str(path)


def in_language(text: str) -> str:
    """Return *text*, a message for stdout, in the language of the user if stdout can show that."""
    return translated(text, _encoding())


def language_of_stdout() -> str:
    """Return the language of the user, or English if stdout cannot show that."""
    return language() if shows_japanese(_encoding()) else ENGLISH


def printable(text: str) -> str:
    """Return *text* in one line, with what would control the terminal or stdout cannot show escaped."""
    return one_line(text).encode(_encoding(), "backslashreplace").decode(_encoding())


def write(text: str) -> None:
    """Write *text* to standard output; what cannot be encoded is escaped.

    :raises StdoutError: it cannot be written.
    :raises UnreadError: its reader has closed it.
    """
    outputs.write_stdout(text.encode(_encoding(), "backslashreplace"))


def write_data(text: str) -> None:
    """Write *text*, which is for programs, as :func:`write` does; what would control a terminal is escaped on one."""
    write(for_terminal(text) if is_terminal() else text)


def is_terminal() -> bool:
    """Return whether standard output is a terminal."""
    return sys.stdout is not None and sys.stdout.isatty()


def room_of_stdout() -> int:
    """Return the columns of the terminal, or the usual ones if the output goes elsewhere."""
    import shutil

    return max(shutil.get_terminal_size((WIDTH, 24)).columns, _NARROWEST) if is_terminal() else WIDTH


def _encoding() -> str:
    return getattr(sys.stdout, "encoding", None) or "utf-8"


# --- the progress bar -------------------------------------------------------------------------------------------------


class Bar:
    """A bar on stderr, if that is a terminal; a context manager that closes the bar at its end.

    :param total: returns the number of units to do, or ``None`` if unknown; called only if the bar is shown.
    :param unit: the unit of counting.
    :param wanted: whether the bar may be shown.
    """

    def __init__(self, total: Callable[[], int | None] = lambda: None, unit: str = "", *, wanted: bool = False) -> None:
        self._bar: Any = None
        self._hidden = False
        if wanted and sys.stderr is not None and sys.stderr.isatty():
            from tqdm import tqdm

            self._bar = tqdm(
                total=total(),
                unit=translated(unit, sys.stderr.encoding),
                dynamic_ncols=True,
                leave=False,
                smoothing=0.05,
            )

    def __enter__(self) -> Bar:  # noqa: PYI034 - it has no subclasses
        return self

    def __exit__(self, *_: object) -> None:
        if self._bar is not None:
            self._bar.close()
            self._bar = None

    def advance(self, number: int, remark: str) -> None:
        """Advance by *number* units, and show *remark*."""
        if self._bar is None:
            return
        self._bar.set_postfix_str(remark, refresh=False)
        self._bar.update(number)
        if self._bar.total is not None and self._bar.n > self._bar.total:  # archives in a directory count as one
            self._bar.total = None

    def remark(self, text: str) -> None:
        """Show *text*, now."""
        if self._bar is not None:
            self._bar.set_postfix_str(translated(text, sys.stderr.encoding))

    @contextmanager
    def hidden(self) -> Iterator[None]:
        """Hide the bar while something else is printed."""
        if self._bar is None or self._hidden:
            yield
            return
        self._bar.clear()
        self._hidden = True
        try:
            yield
        finally:
            self._hidden = False
        self._bar.refresh()

    def say(self, text: str, kind: Kind = Kind.STATUS) -> None:
        """Print *text* to stderr, as :func:`say` does."""
        with self.hidden():
            say(text, kind)
