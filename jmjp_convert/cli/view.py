"""``jmjp view``: makes a page that replays a game, or a site of many games."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import closing
from functools import partial
from pathlib import Path

import click

from jmjp_convert.batch.survey import (
    DUPLICATE,
    NO_RECORDS,
    Copies,
    Input,
    Opened,
    Skipped,
    count,
    is_collection,
    survey,
)
from jmjp_convert.checks.score.hand_value import expect_package
from jmjp_convert.cli import options, signals
from jmjp_convert.cli.command import Command, option
from jmjp_convert.cli.console import Bar, counted, say, short_path
from jmjp_convert.cli.options import Placing
from jmjp_convert.cli.report import Report, open_page
from jmjp_convert.cli.surveying import say_converted
from jmjp_convert.errors import FileError, MissingExtraError
from jmjp_convert.files import archives, outputs
from jmjp_convert.files.archives.entry import Passed
from jmjp_convert.files.inputs import STDIN, is_path, is_same, label
from jmjp_convert.formats.anonymous import anonymous
from jmjp_convert.formats.output_names import anonymous_path, output_name, output_path, paths_of, viewpoint
from jmjp_convert.formats.reading import Reading
from jmjp_convert.messages import Kind
from jmjp_convert.model import Match, Wall
from jmjp_convert.pages import is_marked, mark_of, marked
from jmjp_convert.stats.counts import GUEST
from jmjp_convert.view.page import view_page
from jmjp_convert.view.site import INDEX, Claim, Site, SiteError

_SUFFIX = ".html"
_EXTENSIONS = (_SUFFIX, ".htm", "")
_ONE_EACH = "each game is a page; name a directory for them with --output, such as pages/"
_EPILOG = """\b
Examples:
  jmjp view log.xml --open
  jmjp view log.jmjp -o game.html --seat 2
  jmjp view --wall log.mjlog
  jmjp view 'https://tenhou.net/6/#json=...' -o game.html --open
  jmjp view *.mjlog -o pages/
  jmjp view games/ -o site/
"""


@click.command("view", cls=Command, epilog=_EPILOG)
@options.sources
@options.placing
@option("--open", "opened", is_flag=True, help="Open the page in the browser; of several, the first.")
@option(
    "--seat",
    type=click.IntRange(0, 3),
    help="Player at the bottom of the table, 0 to 3.  [default: from &tw= in the name or link, or 0]",
)
@option("--wall", is_flag=True, help="Include the wall, if it is known and verifies.")
@options.anonymous
@options.skipped_option
@options.reading
def command(
    srcs: tuple[str, ...],
    *,
    placing: Placing,
    reading: Reading,
    opened: bool,
    seat: int | None,
    wall: bool,
    anonymous: bool,
    verbose: bool,
) -> int:
    """Make HTML pages that replay games. A page needs no server and no network.

    SRC is a file in any format that jmjp reads, a link that contains its game, or - for stdin. Each page is written
    next to its file or, for a link or stdin, to stdout. Directories and archives of games become a site in the
    directory given by --output: a list of the games and a page for each. Pages are renewed, and a site is continued, if
    they were made from the same SRC; other files are overwritten only with --force.
    """
    options.check_sources(srcs, reading)
    options.check_placing(srcs, reading, placing)
    viewing = _Viewing(srcs, placing, reading, seat=seat, wall=wall, anonymous=anonymous, verbose=verbose)
    is_site = _is_site(srcs, placing.output)
    if not is_site:
        _check_pages(srcs, placing, opened=opened)
    viewing.expect_package()
    first = viewing.site() if is_site else viewing.pages()
    if opened and first is not None:
        open_page(first, viewing)
    return viewing.exit_code


def _is_site(srcs: Sequence[str], output: str | None) -> bool:
    """Return whether *srcs* become a site.

    :raises click.UsageError: they do, and *output* cannot be its directory.
    """
    collections = [src for src in srcs if is_collection(src)]
    if not collections:
        return False
    directory = options.directory_for(collections[0], srcs, output, "site")
    if any(is_same(src, directory) for src in collections):
        raise click.UsageError("a site cannot be in the directory of its games; name another one with --output")
    return True


def _check_pages(srcs: Sequence[str], placing: Placing, *, opened: bool) -> None:
    """Check that the pages of *srcs* can go where *placing* says."""
    if placing.directory is None:
        options.refuse_compressed_page(placing.output)
    if len(srcs) > 1 and placing.output is not None and placing.directory is None:
        raise click.UsageError(_ONE_EACH)
    if any(map(placing.is_stdout, srcs)):
        if opened:
            raise click.UsageError("--open needs a page in a file; name one with --output")
        options.refuse_page_on_terminal()
    if placing.file is not None and not placing.quiet and Path(placing.file).suffix.lower() not in _EXTENSIONS:
        say(f"{placing.file}: a page, which browsers open if its extension is {_SUFFIX}", Kind.WARNING)


class _Viewing(Report):
    """One run of the command."""

    def __init__(
        self,
        srcs: Sequence[str],
        placing: Placing,
        reading: Reading,
        *,
        seat: int | None,
        wall: bool,
        anonymous: bool,
        verbose: bool,
    ) -> None:
        super().__init__(quiet=placing.quiet, verbose=verbose, many=any(map(is_collection, srcs)))
        self._srcs = srcs
        self._placing = placing
        self._reading = reading
        self._seat = seat
        self._wall = wall
        self._anonymous = anonymous
        self._unscored = ""  # why points are not computed

    def expect_package(self) -> None:
        """Note it if the package that computes points is not installed."""
        try:
            expect_package()
        except MissingExtraError as error:
            self._unscored = f"fu breakdown and value of each wait not included: {error}"

    def _say_unscored(self) -> None:
        """Say once what no page of this run contains."""
        if self._unscored:
            self.remark(self._unscored, Kind.NOTE)

    # --- pages -------------------------------------------------------------------------------------------------------

    def pages(self) -> Path | None:
        """Write a page for each match of each file and return the path of the first."""
        with outputs.Outputs(filter(is_path, self._srcs), force=self._placing.force) as files:
            task = partial(self._write_pages, files)
            firsts = [first for _, first in survey(map(Input, self._srcs), task, self._reading, self)]
        return next(filter(None, firsts), None)

    def _write_pages(self, files: outputs.Outputs, opened: Opened) -> Path | None:
        src, what, first = opened.input.source, opened.input.label, None
        directory = self._placing.directory
        path = self._placing.path(src, directory, _SUFFIX, self._reading.id)
        matches = opened.judged()
        if len(matches) > 1 and directory is None and (path is None or self._placing.output is not None):
            raise FileError(_ONE_EACH)
        if path is None:
            for match in matches:
                outputs.write_stdout(self._page(src, match, what).encode())
            return None
        hides_names = self._anonymous and (self._placing.output is None or directory is not None)
        pages: list[tuple[str, str, bool]] = []
        for page, match in zip(paths_of(path, _SUFFIX, matches), matches, strict=True):
            text = self._page(src, match, what)
            target = anonymous_path(page, _SUFFIX, text.encode()) if hides_names else page
            mark = mark_of([text if src == STDIN or self._anonymous else src], target)
            pages.append((target, marked(text, mark), is_marked(target, mark)))
        for page, _, renew in pages:
            files.reserve(page, what, renew=renew)
        if self._placing.output is not None and pages:
            outputs.make_directory(Path(path).parent)
        for page, text, renew in pages:
            files.write(page, text.encode(), what, renew=renew)
        for done in files.put():
            if done.error is not None:
                self.fail(what, done.error)
                continue
            self.wrote(what, short_path(Path(done.path)))
            first = first or Path(done.path)
        return first

    def _page(self, src: str, match: Match, what: str) -> str:
        self._say_unscored()
        walls = self._walls(match, what)
        return view_page(anonymous(match) if self._anonymous else match, walls=walls, seat=self._seat_of(src))

    def _seat_of(self, name: str) -> int:
        """Return the player at the bottom of the table for the input called *name*."""
        return (viewpoint(name) or 0) if self._seat is None else self._seat

    def _walls(self, match: Match, what: str) -> list[Wall] | None:
        """Return the walls of *match* if they are wanted and known."""
        if not self._wall:
            return None
        from jmjp_convert.checks.wall import known_walls

        walls, why = known_walls(match)
        if walls is None:
            self.notice(what, f"wall not included: {why}")
        return walls

    # --- a site ------------------------------------------------------------------------------------------------------

    def site(self) -> Path | None:
        """Write, or continue, a site of all games in a directory or archive and return the path of its list.

        Without any game, nothing is written.
        """
        directory = Path(self._placing.output or "")
        options = [f"seat={self._seat}", f"wall={self._wall}", f"anonymous={self._anonymous}"]
        force, linked = self._placing.force, not self._anonymous
        site = Site(directory, sources=self._srcs, options=options, linked=linked, force=force)
        site.check()
        done = signals.saying(lambda: counted(site.known + site.new, "game"))
        with closing(site), Copies(named=True) as copies, done:
            return self._fill(site, directory, copies)

    def _fill(self, site: Site, directory: Path, copies: Copies) -> Path | None:
        before = len(site)
        total = partial(count, self._srcs)
        with Bar(total, " games", wanted=not self._placing.quiet) as self.bar:
            for input_, games in survey(
                self._inputs(site), partial(_games, site=site, copies=copies), self._reading, self
            ):
                if games is not None:
                    with self.bar.hidden():
                        self._add(site, input_, *games)
                self.bar.advance(1, f"{self.failed:,} failed")
        if site.new or site.known:
            site.finish()
        elif not self.failed:
            self.fail(", ".join(map(label, self._srcs)), FileError(NO_RECORDS))
            return None
        say_converted(copies, self)
        players = site.players
        if players.guests:
            appearances = counted(players.guests, "appearance")
            self.remark(f"{GUEST} is the name of all guests; {appearances} not in the statistics", Kind.NOTE)
        if players.computers:
            appearances = counted(players.computers.total(), "appearance")
            self.remark(f"computer players are not counted; {appearances} not in the statistics", Kind.NOTE)
        if players.nameless:
            appearances = counted(players.nameless, "appearance")
            self.remark(f"players without a name are not counted; {appearances} not in the statistics", Kind.NOTE)
        if not self._placing.quiet:
            problems = f", {counted(self.problems, 'problem')}" if self.problems else ""
            line = self.skipped_line()
            skipped = f"; {line}" if line else ""
            made = counted(len(site), "game") + (f" ({_news(site)})" if before else "")
            counts = f"{made}, {self.failed:,} failed{problems}{skipped}"
            say(f"{short_path(directory / INDEX)}: {'' if len(site) else 'not written: '}{counts}")
        return directory / INDEX if len(site) else None

    def _inputs(self, site: Site) -> Iterator[Input]:
        for src in self._srcs:
            if not is_collection(src):
                yield Input(src, src)
                continue
            for entry in archives.entries(src, self._reading.max_size, site.identity):
                yield Input(entry.label, entry.name, entry.fetch)

    def _add(self, site: Site, input_: Input, matches: list[Match], content: str) -> None:
        """Add *matches*, all those of an input, to *site*; *content* is what its copies have in common."""
        all_added = True
        for match in matches:
            self._say_unscored()
            try:
                walls, name = self._walls(match, input_.label), _name_of(input_)
                if self._anonymous:
                    match, name = anonymous(match), ""  # noqa: PLW2901 - nothing else may see it
                site.add(match, name, walls, seat=self._seat_of(input_.name), source=input_.source)
            except SiteError:
                raise
            except Exception as error:  # noqa: BLE001 - a bad match does not stop the rest of its file
                self.fail(input_.label, error)
                all_added = False
        if all_added:
            site.settle(input_.source, content)


def _news(site: Site) -> str:
    """Return how many of the pages of *site*, which is continued, this run has made."""
    counts = [f"{site.new - site.renewed:,} new"]
    counts += [f"{site.renewed:,} made again"] if site.renewed else []
    return ", ".join(counts)


def _name_of(input_: Input) -> str:
    """Return the name of the page of an input of a site."""
    return output_path(input_.source, Path(), "") if input_.fetch is None else output_name(input_.name, "")


def _games(opened: Opened, site: Site, copies: Copies) -> tuple[list[Match], str] | None:
    """Return the matches of an input, which may be anything, and what copies of it have in common; ``None`` if *site*
    has them already.

    :raises Skipped: it is no game record, or a copy.
    """
    fetch = opened.input.fetch
    if isinstance(fetch, Passed):
        raise Skipped(fetch.reason)
    copies.add(opened.identity)
    claim = site.claim(opened.input.source, opened.identity)
    if claim is Claim.COPY:
        raise Skipped(DUPLICATE)
    return None if claim is Claim.KNOWN else (opened.judged(), opened.identity)
