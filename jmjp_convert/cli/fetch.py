"""``jmjp fetch``: logs by their ids."""

from __future__ import annotations

import json
import math
import os
import re
from collections.abc import Callable, Iterable, Iterator
from contextlib import closing, contextmanager, nullcontext
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import click

from jmjp_convert import __version__
from jmjp_convert.cli import options
from jmjp_convert.cli.console import PROGRAM, say, shown, write
from jmjp_convert.cli.progress import Bar
from jmjp_convert.errors import ConvertError, FileError
from jmjp_convert.fetch.games import INPUT, Failure, Placing, Run, write_failures
from jmjp_convert.fetch.lists import LENGTHS, LINKED, Choice, Game, length, players
from jmjp_convert.fetch.pages import Pages
from jmjp_convert.fetch.state import State, path_of
from jmjp_convert.fetch.wanted import Wanted
from jmjp_convert.fetch.web import BASE_URL, Server, Web, is_tenhou, server
from jmjp_convert.sources import STDIN
from jmjp_convert.streams import Bounds
from jmjp_convert.writing import Writing, losses, written

_STDOUT = "-"
FAILED = 1
_HOME = "JMJP_HOME"
_DATE = re.compile(r"([0-9]{4})(?:-?([0-9]{2})(?:-?([0-9]{2}))?)?")
_TOLD = 20  # failures that are told one by one
_EPILOG = """\b
Examples:
  jmjp fetch 2019041809gm-0009-0000-0123abcd
  jmjp fetch 'https://tenhou.net/0/?log=2019041809gm-0009-0000-0123abcd&tw=2'
  jmjp fetch --input-file ids.txt -o logs/ --convert
  jmjp fetch --index -o pages/             list pages that are new
  jmjp fetch --list pages/ --players 4 --date 2021-07
  jmjp fetch pages/ -o games/ --convert-only

Exit codes: 0 all is there, 1 some is not, 2 wrong usage, 130 interrupted.
"""


class _Seconds(click.FloatRange):
    """So many seconds: a number, up to an hour."""

    def __init__(self, least: float, *, least_open: bool = False) -> None:
        super().__init__(least, 3600, min_open=least_open)

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> float:
        """Return *value* as a number: what is not a number is in no range, which the range itself does not see."""
        found = float(super().convert(value, param, ctx))
        if math.isnan(found):
            self.fail(f"{value} is no number of seconds", param, ctx)
        return found


def _base(_: click.Context, __: click.Parameter, value: str) -> Server:
    try:
        return server(value)
    except ConvertError as error:
        raise click.BadParameter(str(error)) from error


def _date(_: click.Context, __: click.Parameter, value: str | None) -> str | None:
    """Return *value*, a year, month or day, as the digits with which an id's date begins."""
    if value is None:
        return None
    found = _DATE.fullmatch(value)
    if found is None:
        raise click.BadParameter(f"{value!r} is no date, such as 2021, 2021-07 or 2021-07-06")
    return "".join(part or "" for part in found.groups())


@click.command("fetch", short_help="Fetch logs by their ids.", epilog=_EPILOG)
@click.argument("whats", metavar="[WHAT]...", nargs=-1)
@click.option("-i", "--input-file", "files", metavar="FILE", multiple=True, help="Take ids and links from FILE, or -.")
@click.option("-o", "--output", metavar="DIR|-", default=".", help="Where the files go, or stdout.  [default: here]")
@click.option("--convert", is_flag=True, help="Write each game as jmjp (or --to) as well.")
@click.option("--convert-only", is_flag=True, help="Write each game as jmjp (or --to) alone.")
@click.option("--list", "listing", is_flag=True, help="Show the ids, and fetch no log.")
@click.option("--json", "as_json", is_flag=True, help="With --list: an object a line, with all that is known.")
@click.option("--players", type=click.Choice(["3", "4"]), help="Only games of so many players.")
@click.option("--length", type=click.Choice(LENGTHS), help="Only games of this length.")
@click.option("--date", metavar="DATE", callback=_date, help="Only games of this day, month or year.")
@click.option("--limit", metavar="N", type=click.IntRange(1), help="Only the first N games.")
@click.option("--index", is_flag=True, help="Fetch the list pages of the last seven days that are new.")
@click.option("--old", is_flag=True, help="With --index: those of this year before that.")
@click.option("--pages", type=click.Choice(LINKED), multiple=True, help="With --index: only pages of this kind.")
@click.option("--again", is_flag=True, help="Try again what was not there, or not convertible, before.")
@click.option("--force", is_flag=True, help="Fetch anew what is there already.")
@click.option(
    "--delay",
    metavar="SECONDS",
    type=_Seconds(0.5),
    default=1,
    show_default=True,
    help="The pause between two requests, at least 0.5.",
)
@click.option(
    "--timeout",
    metavar="SECONDS",
    type=_Seconds(0, least_open=True),
    default=30,
    show_default=True,
    help="How long to wait for an answer.",
)
@click.option(
    "--base-url",
    "base",
    metavar="URL",
    envvar="JMJP_BASE_URL",
    default=BASE_URL,
    show_default=True,
    callback=_base,
    help="Another server, as a mirror. JMJP_BASE_URL sets it too.",
)
@click.option("--no-wait", is_flag=True, help="Do not wait for another fetch that is running.")
@click.option("--no-progress", is_flag=True, help="Show no progress bar.")
@click.option("-q", "--quiet", is_flag=True, help="Say only what is wrong.")
@options.writing
@options.bounds
def command(**values: Any) -> int:
    """Fetch logs from Tenhou, one request at a time.

    WHAT is a log's id, scrambled or not, a link that holds one, or a file: a list page (sc....html, plain or gzip, a
    directory or a zip of such), a list of ids and links, one a line, or - for such a list on stdin. Each becomes
    ID.xml, unless it is there already. Please mind Tenhou's terms: logs are not to be passed on.
    """
    asked = _Asked(**values)
    _check_usage(asked)
    fetching = _Fetching(asked)
    if asked.index:
        return fetching.pages()
    if asked.listing:
        return fetching.listed()
    return fetching.logs()


@dataclass(frozen=True)
class _Asked:
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


def _check_usage(asked: _Asked) -> None:
    named = (*asked.whats, *asked.files)
    converting = asked.convert or asked.convert_only
    choosing = asked.players or asked.length or asked.date or asked.limit
    refusals = (
        ("" in (*named, asked.output), "a name is empty"),
        (named.count(STDIN) > 1, "stdin (-) can be read only once"),
        (asked.index and named, "--index takes no WHAT: fetch the pages first, then the games in them"),
        (not asked.index and not named, "nothing to fetch: an id, a link, a file or --index is needed"),
        (asked.convert and asked.convert_only, "--convert and --convert-only are two ways: take one"),
        (asked.as_json and not asked.listing, "--json is for --list"),
        ((asked.old or asked.pages) and not asked.index, "--old and --pages are for --index"),
        (asked.index and (converting or asked.again), "--index fetches list pages: fetch the games in them then"),
        (asked.index and choosing and not asked.listing, "--index fetches whole pages: choose games with --list"),
        (asked.listing and (converting or asked.again), "--list fetches no logs"),
        (asked.output == _STDOUT and asked.index, "list pages go into a directory"),
        (asked.output == _STDOUT and asked.convert, "only one thing goes to stdout: take --convert-only"),
    )
    for refused, why in refusals:
        if refused:
            raise click.UsageError(why)


class _Fetching:
    """A run of the command."""

    def __init__(self, asked: _Asked) -> None:
        self._asked = asked
        self._directory = None if asked.output == _STDOUT else Path(asked.output)
        self._failures: list[Failure] = []
        self._said: set[str] = set()
        self._bar: Bar | None = None

    # --- what is asked for -------------------------------------------------------------------------------------------

    def _games(self, paths: Iterable[str] | None = None) -> Iterator[Game]:
        """Yield the games that are asked for, or those that the list pages *paths* hold, each as often as it is
        named."""
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
        """Show the games that are asked for."""
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
        """Fetch list pages, and show the games in them if that is asked for."""
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
        """Fetch the games that are asked for."""
        asked = self._asked
        games = self._chosen()
        if self._directory is None and len(games) > 1:
            raise click.UsageError(f"{len(games):,} logs do not go to stdout: -o takes a directory")
        converter = self._converted if asked.convert or asked.convert_only else None
        maker = json.dumps({"version": __version__, **asked.writing.outcome})
        placing = Placing(
            self._directory, not asked.convert_only, converter, asked.writing.suffix, maker, force=asked.force
        )
        code = FAILED
        with closing(self._state()) as state:
            web = self._web(state)
            run = Run(web, state, placing, self, max_size=asked.bounds.max_size, again=asked.again)
            done = False
            try:
                with self._shown(lambda: len(games), " logs"):
                    run.run(games)
                done = not run.stopped
            finally:
                self._failures += run.failures
                if self._directory is not None:
                    self._tell(f"{run.fetched:,} fetched, {run.there:,} already there, {len(self._failures):,} failed")
                code = self._ended(run.stopped, kept=True, done=done)
        return code

    def _chosen(self) -> list[Game]:
        """Return the games that are asked for, once each, with the time if it is told anywhere."""
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
        """Say where *what* is."""
        if output is not None:
            self._tell(f"{what} -> {output}")

    @contextmanager
    def _shown(self, total: Callable[[], int], unit: str) -> Iterator[Bar]:
        """Have a bar, if one is wanted."""
        self._bar = bar = Bar(total, unit, wanted=not (self._asked.no_progress or self._asked.quiet))
        try:
            yield bar
        finally:
            self._bar = None
            bar.close()

    def _ended(self, stopped: str = "", *, kept: bool = False, done: bool = True) -> int:
        """Tell what failed, keep it if there is a directory for it, and return the exit code."""
        failures, path = self._failures, Path()
        for failure in failures[:_TOLD]:
            say(f"{failure.what}: {failure.message}")
        if kept and self._directory is not None:
            path = self._directory / "failures.jsonl"
            try:
                write_failures(path, failures, done=done)
            except FileError as error:
                stopped = stopped or str(error)
        if len(failures) > _TOLD:
            say(f"{len(failures) - _TOLD:,} more failed" + (f": {shown(path)} has them all" if path.name else ""))
        if stopped:
            say(f"stopped: {stopped}; run it again to go on")
        return FAILED if failures or stopped else 0

    def _converted(self, content: bytes, game: Game) -> bytes:
        from jmjp_convert.mjlog.reader import read_mjlog

        def notice(text: str) -> None:
            if text not in self._said:
                self._said.add(text)
                self._tell(f"{game.id.text}: {text}")

        writing, bounds = self._asked.writing, self._asked.bounds
        match = read_mjlog(content, id=game.id.text, time=game.time, notice=notice, **bounds._asdict())
        text = written([match], writing, notice)
        for line in losses(match, writing):
            notice(line)
        return text.encode()

    # --- the server --------------------------------------------------------------------------------------------------

    def _state(self) -> State:
        home = Path(os.environ.get(_HOME) or click.get_app_dir(PROGRAM))

        def waiting() -> None:
            say("another jmjp fetch is running: waiting until it is done")

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
        """Say *text*, unless only what is wrong is to be said."""
        if not self._asked.quiet:
            with self._bar.hidden() if self._bar is not None else nullcontext():
                say(text)


def _values(game: Game) -> dict[str, Any]:
    """Return what is known of *game*, for JSON."""
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
