"""What the commands that ask Tenhou share: options for the server, which games are meant, reports of failures."""

from __future__ import annotations

import math
import os
from collections.abc import Iterable, Iterator
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple

import click

from jmjp_convert.cli import FAILED, options
from jmjp_convert.cli.command import option, selection_option
from jmjp_convert.cli.console import PROGRAM, Bar, say, short_path
from jmjp_convert.cli.report import Report
from jmjp_convert.errors import FileError
from jmjp_convert.fetch.lists import LENGTHS, Choice, Game, Wanted
from jmjp_convert.fetch.runs import INPUT, Failure, write_failures
from jmjp_convert.fetch.state import State, path_of
from jmjp_convert.fetch.web import BASE_URL, Server, Web, is_tenhou, server
from jmjp_convert.files.archives.not_logs import FAILURES
from jmjp_convert.messages import Kind

_HOME = "JMJP_HOME"
_REPORTED = 20  # failures reported one by one


class _Seconds(click.FloatRange):
    """A number of seconds, at most an hour."""

    def __init__(self, least: float, *, least_open: bool = False) -> None:
        super().__init__(least, 3600, min_open=least_open)

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> float:
        """Return *value* as a number; ``nan`` is rejected here, because the range check lets it pass."""
        seconds = float(super().convert(value, param, ctx))
        if math.isnan(seconds):
            self.fail(f"{value} is not a valid number of seconds", param, ctx)
        return seconds


class Asking(NamedTuple):
    """How to ask the server, and what to say meanwhile."""

    delay: float
    timeout: float
    base: Server
    no_wait: bool
    no_progress: bool
    quiet: bool


asking = options.bundled(
    "asking",
    Asking,
    option(
        "--delay",
        metavar="SECONDS",
        type=_Seconds(0.5),
        default=1,
        show_default=True,
        help="Pause between requests, at least 0.5.",
    ),
    option(
        "--timeout",
        metavar="SECONDS",
        type=_Seconds(0, least_open=True),
        default=30,
        show_default=True,
        help="Longest wait for the next bytes; a whole response may take ten times that.",
    ),
    option(
        "--base-url",
        "base",
        metavar="URL",
        envvar="JMJP_BASE_URL",
        default=BASE_URL,
        show_default=True,
        callback=options.parsed(server),
        help="Use another server, such as a mirror (also: JMJP_BASE_URL).",
    ),
    option("--no-wait", is_flag=True, help="Fail instead of waiting for another running fetch."),
    options.no_progress_option,
    options.quiet_option,
)


choosing = options.bundled(
    "choice",
    Choice,
    options.players_option(help="Only games with this many players."),
    selection_option("--length", type=click.Choice(LENGTHS), help="Only games of this length."),
    options.date_option("--date", help="Only games from this day, month or year."),
    selection_option("--limit", metavar="N", type=click.IntRange(1), help="Only the first N games."),
)


class Requests(Report):
    """A run of a command that asks the server.

    :param directory: where files go; ``None`` for stdout.
    :param kept: whether failures are written there too.
    :param max_size: the maximum size of a response or list in bytes.
    """

    def __init__(
        self,
        asking: Asking,
        choice: Choice,
        directory: Path | None,
        *,
        kept: bool,
        max_size: int,
        verbose: bool = False,
    ) -> None:
        super().__init__(quiet=asking.quiet, verbose=verbose, many=True)
        self._asking = asking
        self._choice = choice
        self._directory = directory
        self._kept = kept and directory is not None
        self._max_size = max_size
        self._failures: list[Failure] = []

    def _games(self, whats: Iterable[str], files: Iterable[str] = ()) -> Iterator[Game]:
        """Yield the games named by *whats* and *files*, including repeats."""
        wanted = Wanted(
            lambda url: is_tenhou(url) or url.startswith(f"{self._asking.base.url}/"),
            self._max_size,
            lambda what, why: self._failures.append(Failure(what, INPUT, why)),
            partial(self._tell, kind=Kind.WARNING),
        )
        return (game for game in wanted.games(whats, files) if self._choice.takes(game.id))

    def _new_bar(self, total: int, unit: str) -> Bar:
        return Bar(lambda: total, unit, wanted=not (self._asking.no_progress or self._asking.quiet))

    def _ended(self, stopped: str = "", *, done: bool = True) -> int:
        """Report failures, record them if that is wanted, and return the exit code.

        :param done: whether the run was completed.
        """
        failures, path = self._failures, Path()
        for failure in failures[:_REPORTED]:
            say(f"{failure.what}: {failure.message}", Kind.ERROR)
        if self._kept:
            assert self._directory is not None
            path = self._directory / FAILURES
            try:
                write_failures(path, failures, done=done)
            except FileError as error:
                stopped = stopped or str(error)
        if len(failures) > _REPORTED:
            more = f"{len(failures) - _REPORTED:,} more failed"
            say(more + (f"; see {short_path(path)}" if path.name else ""), Kind.ERROR)
        if stopped:
            say(f"stopped: {stopped}; run the same command again to continue", Kind.ERROR)
        return FAILED if failures or stopped else 0

    # --- the server --------------------------------------------------------------------------------------------------

    def _state(self) -> State:
        home = Path(os.environ.get(_HOME) or click.get_app_dir(PROGRAM))
        waiting = partial(say, "another jmjp fetch is running; waiting for it to finish", Kind.NOTE)
        return State(path_of(home, self._asking.base.owner), None if self._asking.no_wait else waiting)

    def _web(self, state: State) -> Web:
        base, delay, timeout = self._asking.base, self._asking.delay, self._asking.timeout
        return Web(base, state, delay=delay, timeout=timeout, max_size=self._max_size, tell=self._tell)

    def _tell(self, text: str, kind: Kind = Kind.NOTE) -> None:
        """Report *text*, unless ``--quiet`` limits messages to problems."""
        if not self._asking.quiet:
            self.say(text, kind)
