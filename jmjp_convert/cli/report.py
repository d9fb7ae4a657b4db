"""Reports what each input of a run became, and picks the exit code."""

from __future__ import annotations

from collections.abc import Callable

from jmjp_convert.cli.console import Once
from jmjp_convert.errors import TextError, reason

_ONCE_A_RUN = " ignored"
"""The end of notices that are not about their own log alone: naming the first log is enough."""


class Report:
    """Says line by line what is done and what has failed, and counts that.

    :param say: called with each line.
    :param point: called with an error that has a place in a text, after it is told, to show that place.
    :param quiet: say only what is wrong.
    """

    def __init__(
        self, say: Callable[[str], None], point: Callable[[TextError], None] | None = None, *, quiet: bool = False
    ) -> None:
        self._say = say
        self._point = point
        self._quiet = quiet
        self._once = Once()
        self.failed = 0

    @property
    def exit_code(self) -> int:
        """0: all is done; 1: some has failed."""
        return 1 if self.failed else 0

    def wrote(self, what: str, output: str | None) -> None:
        """Say where *what* is, unless *output* is ``None``: stdout speaks for itself."""
        if output is not None and not self._quiet:
            self._say(f"{what} -> {output}")

    def fail(self, what: str | None, error: Exception) -> None:
        """Count *what* as failed by *error*; ``None`` if it is no input, and the error names what it is."""
        self.failed += 1
        self._say(reason(error, what))
        if isinstance(error, TextError) and self._point is not None:
            self._point(error)

    def notice(self, what: str, text: str) -> None:
        """Say *text* about *what*, which is done all the same."""
        line = f"{what}: {text}"
        if self._once.is_new(text if text.endswith(_ONCE_A_RUN) else line):
            self._say(line)

    def remark(self, text: str) -> None:
        """Say *text*, which is about no input, once."""
        if not self._quiet and self._once.is_new(text):
            self._say(text)
