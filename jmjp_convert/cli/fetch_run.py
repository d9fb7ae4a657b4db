"""Runs ``jmjp fetch``: collects the requested games, reports progress, lists failures."""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Iterable, Iterator
from contextlib import closing, contextmanager, nullcontext
from pathlib import Path
from typing import Any

import click

from jmjp_convert import __version__
from jmjp_convert.cli import FAILED
from jmjp_convert.cli.console import PROGRAM, Once, counted, say, shown, write
from jmjp_convert.cli.options import STDOUT
from jmjp_convert.cli.progress import Bar
from jmjp_convert.convert import Losses, Writing, convert
from jmjp_convert.errors import FileError, RecordError
from jmjp_convert.fetch.lists import LINKED, Choice, Game, length, players
from jmjp_convert.fetch.runs import INPUT, Failure, Pages, Run, Target, write_failures
from jmjp_convert.fetch.state import State, path_of
from jmjp_convert.fetch.wanted import Wanted
from jmjp_convert.fetch.web import Server, Web, is_tenhou
from jmjp_convert.files.inputs import Bounds
from jmjp_convert.formats.reading import Reading
from jmjp_convert.model.record import record

_HOME = "JMJP_HOME"
_REPORTED = 20  # failures reported one by one


@record
class Asked:
    """The options."""

    whats: tuple[str, ...]
    files: tuple[str, ...]
    output: str
    convert: bool
    convert_only: bool
    listing: bool
    as_json: bool
    players: str | None
    length: str | None
    date: str | None
    limit: int | None
    index: bool
    old: bool
    pages: tuple[str, ...]
    again: bool
    force: bool
    delay: float
    timeout: float
    base: Server
    no_wait: bool
    no_progress: bool
    quiet: bool
    writing: Writing
    bounds: Bounds


class Fetching:
    """A run of the command."""

    def __init__(self, asked: Asked) -> None:
        self._asked = asked
        self._directory = None if asked.output == STDOUT else Path(asked.output)
        self._failures: list[Failure] = []
        self._once = Once()
        self._losses = Losses(asked.writing.to)
        self._problems = 0
        self._bar: Bar | None = None

    # --- requested games ----------------------------------------------------------------------------------------------

    def _games(self, paths: Iterable[str] | None = None) -> Iterator[Game]:
        """Yield the requested games, or those in the list pages *paths*, including repeats."""
        asked = self._asked
        choice = Choice(asked.players and int(asked.players), asked.length, asked.date)  # type: ignore[arg-type]
        wanted = Wanted(self._is_ours, asked.bounds.max_size, self._refuse, self._tell)
        named = wanted.games(asked.whats, asked.files) if paths is None else wanted.games(paths, ())
        return (game for game in named if choice.takes(game.id))

    def _is_ours(self, url: str) -> bool:
        return is_tenhou(url) or url.startswith(f"{self._asked.base.url}/")

    def _refuse(self, what: str, why: str) -> None:
        self._failures.append(Failure(what, INPUT, why))

    # --- lists -------------------------------------------------------------------------------------------------------

    def listed(self) -> int:
        """Show the requested games."""
        self._show(self._games())
        return self._ended()

    def _show(self, games: Iterable[Game]) -> None:
        seen: set[str] = set()
        for game in games:
            if len(seen) == self._asked.limit:
                return
            if game.id.text not in seen:
                seen.add(game.id.text)
                write((json.dumps(_values(game)) if self._asked.as_json else game.id.text) + "\n")

    def pages(self) -> int:
        """Fetch list pages, and show the games in them if requested."""
        asked = self._asked
        assert self._directory is not None
        there: list[Path] = []
        with closing(self._state()) as state:
            web, kinds = self._web(state), asked.pages or LINKED
            pages = Pages(web, state, self._directory, kinds, self._tell, force=asked.force)
            try:
                found = pages.listed("old" if asked.old else "latest")
                with self._shown(lambda: len(found), " pages") as bar:
                    for path in pages.fetch(found):
                        there.append(path)
                        bar.advance(1, f"{len(pages.failures):,} failed")
            finally:
                self._failures += pages.failures
                self._tell(f"list pages: {pages.fetched:,} fetched, {pages.there:,} already there")
        if asked.listing:
            self._show(self._games(map(str, there)))
        return self._ended(pages.stopped, kept=True, done=not pages.stopped)

    # --- logs --------------------------------------------------------------------------------------------------------

    def logs(self) -> int:
        """Fetch the requested games."""
        asked = self._asked
        games = self._chosen()
        if self._directory is None and len(games) > 1:
            raise click.UsageError(f"{len(games):,} logs cannot go to stdout; use -o DIR")
        converter = self._converted if asked.convert or asked.convert_only else None
        options = asked.writing.outcome | ({"strict": True} if asked.bounds.strict else {})
        maker = json.dumps({"version": __version__, **options})
        target = Target(
            self._directory, not asked.convert_only, converter, asked.writing.suffix, maker, force=asked.force
        )
        code = FAILED
        with closing(self._state()) as state:
            web = self._web(state)
            run = Run(web, state, target, self, max_size=asked.bounds.max_size, again=asked.again)
            done = False
            try:
                with self._shown(lambda: len(games), " logs"):
                    run.run(games)
                done = not run.stopped
            finally:
                self._failures += run.failures
                if self._directory is not None:
                    found = f", {counted(self._problems, 'problem')}" if self._problems else ""
                    failed = f"{len(self._failures):,} failed{found}"
                    self._tell(f"{run.fetched:,} fetched, {run.there:,} already there, {failed}")
                code = self._ended(run.stopped, kept=True, done=done)
        return code

    def _chosen(self) -> list[Game]:
        """Return the requested games without repeats, with the start time if any source gives it."""
        found: dict[str, Game] = {}
        for game in self._games():
            known = found.get(game.id.text)
            if known is None and len(found) == self._asked.limit:
                break
            if known is None or known.time is None:
                found[game.id.text] = Game(game.id, game.time)
        return list(found.values())

    def advance(self) -> None:
        """Show that one more game is done."""
        if self._bar is not None:
            self._bar.advance(1, "")

    def wrote(self, what: str, output: str | None) -> None:
        """Report where *what* was written."""
        if output is not None:
            self._tell(f"{what} -> {output}")

    @contextmanager
    def _shown(self, total: Callable[[], int], unit: str) -> Iterator[Bar]:
        """Show a progress bar, if one is wanted."""
        self._bar = bar = Bar(total, unit, wanted=not (self._asked.no_progress or self._asked.quiet))
        try:
            yield bar
        finally:
            self._bar = None
            bar.close()

    def _ended(self, stopped: str = "", *, kept: bool = False, done: bool = True) -> int:
        """Report failures, record them if there is a directory for it, and return the exit code."""
        for line in self._losses.lines():
            self._tell(line)
        failures, path = self._failures, Path()
        for failure in failures[:_REPORTED]:
            say(f"{failure.what}: {failure.message}")
        if kept and self._directory is not None:
            path = self._directory / "failures.jsonl"
            try:
                write_failures(path, failures, done=done)
            except FileError as error:
                stopped = stopped or str(error)
        if len(failures) > _REPORTED:
            say(f"{len(failures) - _REPORTED:,} more failed" + (f"; see {shown(path)}" if path.name else ""))
        if stopped:
            say(f"stopped: {stopped}; run again to continue")
        return FAILED if failures or stopped else 0

    def _converted(self, content: bytes, game: Game) -> bytes:
        def notice(text: str) -> None:
            if self._once.is_new(text):
                self._say(f"{game.id.text}: {text}")

        def problem(error: RecordError) -> None:
            self._problems += 1
            self._say(error.about(game.id.text))

        asked = self._asked
        reading = Reading(game.id.text, game.time, **asked.bounds._asdict())
        output, lost = convert(content, "", reading, asked.writing, notice, problem=problem)
        self._losses.add(*lost)
        return output

    # --- the server --------------------------------------------------------------------------------------------------

    def _state(self) -> State:
        home = Path(os.environ.get(_HOME) or click.get_app_dir(PROGRAM))

        def waiting() -> None:
            say("another jmjp fetch is running; waiting for it to finish")

        return State(path_of(home, self._asked.base.owner), None if self._asked.no_wait else waiting)

    def _web(self, state: State) -> Web:
        asked = self._asked
        return Web(
            asked.base,
            state,
            delay=asked.delay,
            timeout=asked.timeout,
            max_size=asked.bounds.max_size,
            tell=self._tell,
        )

    def _tell(self, text: str) -> None:
        """Report *text*, unless ``--quiet`` limits messages to problems."""
        if not self._asked.quiet:
            self._say(text)

    def _say(self, text: str) -> None:
        with self._bar.hidden() if self._bar is not None else nullcontext():
            say(text)


def _values(game: Game) -> dict[str, Any]:
    """Return the known details of *game* for JSON."""
    return {
        "id": game.id.text,
        "date": game.id.date,
        "time": game.time,
        "minutes": game.minutes,
        "players": players(game.id),
        "length": length(game.id),
        "lobby": game.id.lobby,
        "rule": game.rule,
        "results": [standing._asdict() for standing in game.players],
    }
