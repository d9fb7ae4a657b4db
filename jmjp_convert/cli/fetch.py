"""``jmjp fetch``: fetches logs and list pages, one request at a time."""

from __future__ import annotations

import json
import math
import os
from collections.abc import Iterable, Iterator
from contextlib import closing
from functools import partial
from pathlib import Path
from typing import Any

import click

from jmjp_convert import __version__
from jmjp_convert.cli import FAILED, options
from jmjp_convert.cli.command import Command, option, output_option, selection_option
from jmjp_convert.cli.console import PROGRAM, Bar, counted, say, shown, write
from jmjp_convert.cli.options import STDOUT
from jmjp_convert.cli.report import Report
from jmjp_convert.convert import Writing, convert
from jmjp_convert.errors import ConvertError, FileError
from jmjp_convert.fetch.lists import LENGTHS, LINKED, Choice, Game, length, players
from jmjp_convert.fetch.runs import INPUT, Failure, Pages, Run, Target, write_failures
from jmjp_convert.fetch.state import State, path_of
from jmjp_convert.fetch.wanted import Wanted
from jmjp_convert.fetch.web import BASE_URL, Server, Web, is_tenhou, server
from jmjp_convert.files.inputs import STDIN, Bounds
from jmjp_convert.formats.reading import Reading
from jmjp_convert.messages import Kind
from jmjp_convert.model.record import record, replace

_HOME = "JMJP_HOME"
_REPORTED = 20  # failures reported one by one

_EPILOG = """\b
Examples:
  jmjp fetch 2019041809gm-0009-0000-0123abcd
  jmjp fetch 'https://tenhou.net/0/?log=2019041809gm-0009-0000-0123abcd&tw=2'
  jmjp fetch --input-file ids.txt -o logs/ --convert
  jmjp fetch --index -o pages/             fetch new list pages
  jmjp fetch --list pages/ --players 4 --date 2021-07
  jmjp fetch pages/ -o games/ --convert-only

Exit codes: 0 success, 1 some input failed, 2 usage error, 130 interrupted.
"""


class _Seconds(click.FloatRange):
    """A number of seconds, at most an hour."""

    def __init__(self, least: float, *, least_open: bool = False) -> None:
        super().__init__(least, 3600, min_open=least_open)

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> float:
        """Return *value* as a number; ``nan`` is rejected here, because the range check lets it pass."""
        found = float(super().convert(value, param, ctx))
        if math.isnan(found):
            self.fail(f"{value} is not a valid number of seconds", param, ctx)
        return found


def _base(_: click.Context, __: click.Parameter, value: str) -> Server:
    try:
        return server(value)
    except ConvertError as error:
        raise click.BadParameter(str(error)) from error


@click.command("fetch", cls=Command, epilog=_EPILOG)
@click.argument("whats", metavar="[WHAT]...", nargs=-1)
@option(
    "-i", "--input-file", "files", metavar="FILE", multiple=True, help="Read IDs and links from FILE, or - for stdin."
)
@output_option("-o", "--output", metavar="DIR|-", default=".", help="Output directory, or - for stdout.  [default: .]")
@output_option(
    "--convert",
    is_flag=True,
    help="Also convert each log, by default to jmjp. Implied by --to, --wall and other options for the output format.",
)
@output_option("--convert-only", is_flag=True, help="Write only the converted games, not the logs.")
@option("--list", "listing", is_flag=True, help="List the IDs without fetching any logs.")
@option("--json", "as_json", is_flag=True, help="With --list: show all details, one JSON object per line.")
@selection_option("--players", type=options.PLAYERS, help="Only games with this many players.")
@selection_option("--length", type=click.Choice(LENGTHS), help="Only games of this length.")
@selection_option("--date", metavar="DATE", callback=options.date, help="Only games from this day, month or year.")
@selection_option("--limit", metavar="N", type=click.IntRange(1), help="Only the first N games.")
@option("--index", is_flag=True, help="Fetch new list pages of the last seven days.")
@option("--old", is_flag=True, help="With --index: fetch older pages of this year instead.")
@option("--pages", type=click.Choice(LINKED), multiple=True, help="With --index: only pages of this kind.")
@option("--again", is_flag=True, help="Ask again now for missing logs, and retry failed conversions.")
@output_option("--force", is_flag=True, help="Fetch again and overwrite existing files.")
@option(
    "--delay",
    metavar="SECONDS",
    type=_Seconds(0.5),
    default=1,
    show_default=True,
    help="Pause between requests, at least 0.5.",
)
@option(
    "--timeout",
    metavar="SECONDS",
    type=_Seconds(0, least_open=True),
    default=30,
    show_default=True,
    help="Longest wait for the next bytes; a whole response may take ten times that.",
)
@option(
    "--base-url",
    "base",
    metavar="URL",
    envvar="JMJP_BASE_URL",
    default=BASE_URL,
    show_default=True,
    callback=_base,
    help="Use another server, such as a mirror (also: JMJP_BASE_URL).",
)
@option("--no-wait", is_flag=True, help="Fail instead of waiting for another running fetch.")
@option("--no-progress", is_flag=True, help="Hide the progress bar.")
@option("-q", "--quiet", is_flag=True, help="Show warnings and errors only.")
@options.verbose_option
@options.writing()
@options.bounds
def command(**values: Any) -> int:
    """Fetch logs from Tenhou, one request at a time.

    WHAT is a log ID (scrambled or not), a link to a log, or a file: a list page (sc....html, plain or gzipped, or a
    directory or zip of them), a list of IDs and links, one per line, or - for such a list on stdin; or the list of your
    own games that Tenhou's Windows client keeps (config.ini). Each log is saved as ID.xml, unless that file exists.
    Tenhou's terms forbid passing logs on.
    """
    asked = Asked(**values)
    if options.is_writing_given() and not asked.convert_only:
        asked = replace(asked, convert=True)
    _check_usage(asked)
    fetching = Fetching(asked)
    if asked.index:
        return fetching.pages()
    if asked.listing:
        return fetching.listed()
    return fetching.logs()


def _check_usage(asked: Asked) -> None:
    named = (*asked.whats, *asked.files)
    converting = asked.convert or asked.convert_only
    choosing = asked.players or asked.length or asked.date or asked.limit
    problems = (
        ("" in (*named, asked.output), "an argument is empty"),
        (named.count(STDIN) > 1, "stdin (-) can be read only once"),
        (asked.index and named, "--index accepts no WHAT; fetch the pages first, then the games in them"),
        (not asked.index and not named, "nothing to fetch; give an ID, a link, a file or --index"),
        (asked.convert and asked.convert_only, "use --convert or --convert-only, not both"),
        (asked.as_json and not asked.listing, "--json requires --list"),
        ((asked.old or asked.pages) and not asked.index, "--old and --pages require --index"),
        (asked.index and (converting or asked.again), "--index fetches list pages only; fetch the games later"),
        (asked.index and choosing and not asked.listing, "--index fetches whole pages; add --list to select games"),
        (
            asked.listing and (converting or asked.again),
            "--list fetches no logs; leave out --again and options for conversion",
        ),
        (asked.bounds.strict and not converting, "--strict requires --convert or --convert-only"),
        (asked.output == STDOUT and asked.index, "list pages cannot go to stdout; use -o DIR"),
        (asked.output == STDOUT and asked.convert, "log and conversion cannot both go to stdout; use --convert-only"),
    )
    for found, message in problems:
        if found:
            raise click.UsageError(message)


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
    verbose: bool
    writing: Writing
    bounds: Bounds


class Fetching(Report):
    """A run of the command."""

    def __init__(self, asked: Asked) -> None:
        super().__init__(quiet=asked.quiet, verbose=asked.verbose, many=True)
        self._asked = asked
        self._directory = None if asked.output == STDOUT else Path(asked.output)
        self._failures: list[Failure] = []

    # --- requested games ----------------------------------------------------------------------------------------------

    def _games(self, paths: Iterable[str] | None = None) -> Iterator[Game]:
        """Yield the requested games, or those in the list pages *paths*, including repeats."""
        asked = self._asked
        choice = Choice(asked.players and int(asked.players), asked.length, asked.date)  # type: ignore[arg-type]
        wanted = Wanted(self._is_ours, asked.bounds.max_size, self._refuse, partial(self._tell, kind=Kind.WARNING))
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
                with self._new_bar(len(found), " pages") as self.bar:
                    for path in pages.fetch(found):
                        there.append(path)
                        self.bar.advance(1, f"{len(pages.failures):,} failed")
            finally:
                self._failures += pages.failures
                self._tell(f"list pages: {pages.fetched:,} fetched, {pages.there:,} already there", Kind.STATUS)
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
                with self._new_bar(len(games), " logs") as self.bar:
                    run.run(games)
                done = not run.stopped
            finally:
                self._failures += run.failures
                if self._directory is not None:
                    found = f", {counted(self.problems, 'problem')}" if self.problems else ""
                    failed = f"{len(self._failures):,} failed{found}"
                    self._tell(f"{run.fetched:,} fetched, {run.there:,} already there, {failed}", Kind.STATUS)
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
        self.bar.advance(1, "")

    def _new_bar(self, total: int, unit: str) -> Bar:
        return Bar(lambda: total, unit, wanted=not (self._asked.no_progress or self._asked.quiet))

    def _ended(self, stopped: str = "", *, kept: bool = False, done: bool = True) -> int:
        """Report failures, record them if there is a directory for it, and return the exit code."""
        self.say_losses(self._asked.writing.to)
        failures, path = self._failures, Path()
        for failure in failures[:_REPORTED]:
            say(f"{failure.what}: {failure.message}", Kind.ERROR)
        if kept and self._directory is not None:
            path = self._directory / "failures.jsonl"
            try:
                write_failures(path, failures, done=done)
            except FileError as error:
                stopped = stopped or str(error)
        if len(failures) > _REPORTED:
            say(
                f"{len(failures) - _REPORTED:,} more failed" + (f"; see {shown(path)}" if path.name else ""), Kind.ERROR
            )
        if stopped:
            say(f"stopped: {stopped}; run again to continue", Kind.ERROR)
        return FAILED if failures or stopped else 0

    def _converted(self, content: bytes, game: Game) -> bytes:
        asked, log_id = self._asked, game.id.text
        reading = Reading(log_id, game.time, **asked.bounds._asdict())
        notice, problem = partial(self.notice, log_id), partial(self.problem, log_id)
        output, lost = convert(content, "", reading, asked.writing, notice, problem=problem)
        self.lose(lost)
        return output

    # --- the server --------------------------------------------------------------------------------------------------

    def _state(self) -> State:
        home = Path(os.environ.get(_HOME) or click.get_app_dir(PROGRAM))

        def waiting() -> None:
            say("another jmjp fetch is running; waiting for it to finish", Kind.NOTE)

        return State(path_of(home, self._asked.base.owner), None if self._asked.no_wait else waiting)

    def _web(self, state: State) -> Web:
        asked, max_size = self._asked, self._asked.bounds.max_size
        return Web(asked.base, state, delay=asked.delay, timeout=asked.timeout, max_size=max_size, tell=self._tell)

    def _tell(self, text: str, kind: Kind = Kind.NOTE) -> None:
        """Report *text*, unless ``--quiet`` limits messages to problems."""
        if not self._asked.quiet:
            self.say(text, kind)


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
