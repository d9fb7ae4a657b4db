"""Reports the result of each input of a run, and chooses the exit code."""

from __future__ import annotations

from collections.abc import Callable

from jmjp_convert.cli.console import Once
from jmjp_convert.errors import TextError, reason
from jmjp_convert.garbage import forget_frames
from jmjp_convert.patterns import regex

_ONCE_A_RUN = regex(r"(?!.* line [0-9]).* ignored")
"""Matches notices that do not concern a single log: unless they name a line, naming the first log is enough."""


class Report:
    """Reports line by line what is done and what has failed, and counts failures.

    :param say: called with each line.
    :param point: called with each reported error that has a place in a text, to show that place.
    :param quiet: report warnings and errors only.
    :ivar failed: the number of inputs that failed.
    :ivar problems: the number of problems in the others.
    """

    def __init__(
        self, say: Callable[[str], None], point: Callable[[TextError], None] | None = None, *, quiet: bool = False
    ) -> None:
        self._say = say
        self._point = point
        self._quiet = quiet
        self._once = Once()
        self.failed = self.problems = 0

    @property
    def exit_code(self) -> int:
        """0 for success, 1 if any input failed."""
        return 1 if self.failed else 0

    def wrote(self, what: str, output: str | None) -> None:
        """Report where *what* was written, unless *output* is ``None`` (stdout)."""
        if output is not None and not self._quiet:
            self._say(f"{what} -> {output}")

    def fail(self, what: str | None, error: Exception) -> None:
        """Report *error* and count *what* as failed; ``None`` if the error itself names what failed."""
        self.failed += 1
        self._say(reason(error, what))
        if isinstance(error, TextError) and self._point is not None:
            self._point(error)
        forget_frames(error)

    def notice(self, what: str, text: str) -> None:
        """Report *text*, a warning about *what*."""
        line = f"{what}: {text}"
        if self._once.is_new(text if _ONCE_A_RUN.fullmatch(text) else line):
            self._say(line)

    def problem(self, line: str) -> None:
        """Report *line*, a problem that does not make its input fail, and count it."""
        self.problems += 1
        self._say(line)

    def remark(self, text: str) -> None:
        """Report *text*, which is not about a single input, once."""
        if not self._quiet and self._once.is_new(text):
            self._say(text)
