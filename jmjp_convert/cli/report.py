"""Reports the result of each input of a run, counts, and chooses the exit code."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING

from jmjp_convert.cli.console import Bar, Once, point, say, short_path
from jmjp_convert.errors import RecordError, TextError, reason
from jmjp_convert.formats.format import Lost
from jmjp_convert.garbage_collection import forget_frames
from jmjp_convert.lazy_regex import regex
from jmjp_convert.messages import Kind

if TYPE_CHECKING:
    from pathlib import Path

_ONCE_A_RUN = regex(r"(?!.* line [0-9]).* ignored")
"""Matches notices that do not concern a single log: unless they name a line, naming the first log is enough."""


class Report:
    """Reports line by line what is done and what has failed, and counts.

    :param quiet: report warnings and errors only.
    :param verbose: list what outputs leave out, however much it is, and name the files that are skipped.
    :param many: say each notice once for all inputs that it applies to.
    :ivar bar: the progress bar, which is hidden while a line is printed.
    :ivar failed: the number of inputs that failed.
    :ivar problems: the number of problems in the others.
    :ivar skipped: by reason, the files that are no logs, and copies.
    :ivar last_skipped: the last file that is no log.
    """

    def __init__(self, *, quiet: bool = False, verbose: bool = False, many: bool = False) -> None:
        self.bar = Bar()
        self.failed = self.problems = 0
        self.skipped: Counter[str] = Counter()
        self.last_skipped = ""
        self._quiet = quiet
        self._verbose = verbose
        self._many = many
        self._once = Once()
        self._lost: dict[Lost, None] = {}

    @property
    def exit_code(self) -> int:
        """0 for success, 1 if any input failed."""
        return 1 if self.failed else 0

    def say(self, line: str, kind: Kind = Kind.STATUS, error: Exception | None = None) -> None:
        """Print *line*, of a *kind*; if it reports an *error* with a place in a text, show that place."""
        with self.bar.hidden():
            say(line, kind)
            if isinstance(error, TextError):
                point(error)

    def wrote(self, what: str, output: str | None) -> None:
        """Report where *what* was written, unless *output* is ``None`` (stdout)."""
        if output is not None and not self._quiet:
            self.say(f"{what} -> {output}")

    def fail(self, what: str | None, error: Exception) -> None:
        """Report *error* and count *what* as failed; ``None`` if the error itself names what failed."""
        self.failed += 1
        self.say(reason(error, what), Kind.ERROR, error)
        forget_frames(error)

    def notice(self, what: str, text: str) -> None:
        """Report *text*, a warning about *what*."""
        line = f"{what}: {text}"
        if self._once.is_new(text if self._many or _ONCE_A_RUN.fullmatch(text) else line):
            self.say(line, Kind.WARNING)

    def problem(self, what: str, error: RecordError) -> None:
        """Report *error*, a problem that does not make *what* fail, and count it."""
        self.problems += 1
        self.say(error.about(what), Kind.WARNING)

    def skip(self, what: str, why: str) -> None:
        """Count a file that is skipped, and why; name it if that is wanted."""
        from jmjp_convert.batch.survey import DUPLICATE, skipped

        self.skipped[why] += 1
        if why != DUPLICATE:
            self.last_skipped = what
        if self._verbose and not self._quiet:
            self.say(f"{what}: {skipped(why)}", Kind.NOTE)

    def skipped_line(self) -> str:
        """Return how many files are skipped, and why; empty if none are."""
        if not self.skipped:
            return ""
        from jmjp_convert.batch.summary import counted_by

        return counted_by("skipped", self.skipped)

    def say_skipped(self) -> None:
        """Report how many files are skipped."""
        if line := self.skipped_line():
            self.remark(line)

    def lose(self, lost: Callable[[], Iterable[Lost]]) -> None:
        """Note what outputs leave out or change, which *lost* returns, unless nobody reads it."""
        if not self._quiet:
            self._lost.update(dict.fromkeys(lost()))

    def say_losses(self, to: str) -> None:
        """Report what the outputs, in the format *to*, leave out or change."""
        if not self._lost:
            return
        from jmjp_convert.formats.loss_lines import loss_lines, short_loss_lines

        for line in (loss_lines if self._verbose else short_loss_lines)(to, self._lost):
            self.remark(line, Kind.NOTE)

    def remark(self, text: str, kind: Kind = Kind.STATUS) -> None:
        """Report *text*, which is not about a single input, once."""
        if not self._quiet and self._once.is_new(text):
            self.say(text, kind)


def open_page(page: Path, report: Report) -> None:
    """Open the file *page* in the browser; *report* that if none starts."""
    import webbrowser

    try:
        done = webbrowser.open(page.absolute().as_uri())
    except (webbrowser.Error, OSError):
        done = False
    if not done:
        report.notice(short_path(page), "cannot start a browser; open the page yourself")
