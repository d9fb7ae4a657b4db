"""``jmjp view``: makes a page that replays a game, or a site of many games."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from pathlib import Path

import click

from jmjp_convert.batch.survey import Input, Opened, PassedOver, survey
from jmjp_convert.cli import options
from jmjp_convert.cli.command import Command, option
from jmjp_convert.cli.console import Bar, counted, say, shown
from jmjp_convert.cli.options import STDOUT, Placing
from jmjp_convert.cli.report import Report, open_page
from jmjp_convert.errors import FileError
from jmjp_convert.files import archives, outputs
from jmjp_convert.files.archives.entry import Passed
from jmjp_convert.files.inputs import is_directory, is_path, label
from jmjp_convert.formats import detect, unknown
from jmjp_convert.formats.output_names import output_name, paths_of
from jmjp_convert.formats.reading import Reading
from jmjp_convert.model import Match, Wall
from jmjp_convert.view.page import view_page
from jmjp_convert.view.site import INDEX, Site

_SUFFIX = ".html"
_EPILOG = """\b
Examples:
  jmjp view log.xml --open
  jmjp view log.jmjp -o game.html --seat 2
  jmjp view --wall log.mjlog
  jmjp view 'https://tenhou.net/6/#json=...' -o game.html --open
  jmjp view games/ -o site/

Exit codes: 0 success, 1 some input failed, 2 usage error, 130 interrupted.
"""


@click.command("view", cls=Command, epilog=_EPILOG)
@click.argument("src", metavar="SRC", type=options.PATH)
@options.placing
@option("--open", "opened", is_flag=True, help="Open the page in the browser.")
@option("--seat", type=click.IntRange(0, 3), default=0, help="Player at the bottom of the table, 0 to 3.")
@option("--wall", is_flag=True, help="Include the wall, if it is known and verifies.")
@options.reading
def command(src: str, *, placing: Placing, reading: Reading, opened: bool, seat: int, wall: bool) -> int:
    """Make an HTML page that replays a game. The page needs no server and no network.

    SRC is a file in any format that jmjp reads, a link that contains its game, or - for stdin. The page is written next
    to the file or, for a link or stdin, to stdout. A directory or an archive of games becomes a site in the directory
    given by --output: a list of the games and a page for each.
    """
    options.check_sources([src], reading)
    options.check_placing([src], reading, placing)
    viewing = _Viewing(src, placing, reading, seat=seat, wall=wall)
    is_site = _is_site(src, placing.output)
    if opened and not is_site and placing.is_stdout(src):
        raise click.UsageError("--open needs a page in a file; name one with --output")
    if not is_site and placing.is_stdout(src):
        options.refuse_page_on_terminal()
    first = viewing.site() if is_site else viewing.pages()
    if opened and first is not None:
        open_page(first, viewing)
    return viewing.exit_code


def _is_site(src: str, output: str | None) -> bool:
    """Return whether *src* becomes a site.

    :raises click.UsageError: it does, and *output* cannot be its directory.
    """
    if not is_path(src):
        return False
    many = "a directory" if is_directory(src) else "an archive" if archives.is_archive(src) else None
    if many is None:
        return False
    if output is None or output == STDOUT:
        raise click.UsageError(f"{many} of games becomes a site; name a directory for it with --output")
    if is_directory(src) and is_directory(output) and Path(src).samefile(output):
        raise click.UsageError("a site cannot be in the directory of its games; name another one with --output")
    return True


class _Viewing(Report):
    """One run of the command, on one source."""

    def __init__(self, src: str, placing: Placing, reading: Reading, *, seat: int, wall: bool) -> None:
        super().__init__(quiet=placing.quiet)
        self._src = src
        self._placing = placing
        self._reading = reading
        self._seat = seat
        self._wall = wall

    # --- pages -------------------------------------------------------------------------------------------------------

    def pages(self) -> Path | None:
        """Write a page for each match of a file and return the path of the first."""
        ((_, first),) = survey([Input(self._src)], self._write_pages, self._reading, self)
        return first

    def _write_pages(self, opened: Opened) -> Path | None:
        what, first = opened.input.label, None
        path = self._placing.path(self._src, _SUFFIX, self._reading.id)
        matches = opened.judged()
        if path is None:
            self._to_stdout(matches, what)
            return None
        with outputs.Outputs(filter(is_path, [self._src]), force=self._placing.force) as files:
            paths = paths_of(path, _SUFFIX, matches)
            for page in paths:
                files.reserve(page, what)
            if self._placing.output is not None and matches:
                outputs.make_directory(Path(path).parent)
            for page, match in zip(paths, matches, strict=True):
                files.write(page, self._page(match, what), what)
            for page, _, error in files.put():
                if error is not None:
                    self.fail(what, error)
                    continue
                self.wrote(what, shown(Path(page)))
                first = first or Path(page)
        return first

    def _to_stdout(self, matches: list[Match], what: str) -> None:
        if len(matches) > 1:
            raise FileError(f"{len(matches)} games, but only one page can go to stdout; name a file with --output")
        for match in matches:
            outputs.write_stdout(self._page(match, what))

    def _page(self, match: Match, what: str) -> bytes:
        return view_page(match, walls=self._walls(match, what), seat=self._seat).encode()

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
        """Write a site of all games in a directory or archive and return the path of its list.

        Without any game, nothing is written.
        """
        directory = Path(self._placing.output or "")
        site = Site(directory, seat=self._seat, force=self._placing.force)
        site.check()
        total = partial(archives.count, [self._src])
        with Bar(total, " games", wanted=not self._placing.quiet) as self.bar:
            for one, matches in survey(self._inputs(site), _games, self._reading, self):
                with self.bar.hidden():
                    self._add(site, one, matches or [])
                self.bar.advance(1, f"{self.failed:,} failed")
        if len(site):
            site.finish()
        elif not self.failed:
            self.fail(label(self._src), FileError("no game records found"))
            return None
        if not self._placing.quiet:
            problems = f", {counted(self.problems, 'problem')}" if self.problems else ""
            others = self.passed_over.total()
            skipped = f"; {counted(others, 'other file')} skipped" if others else ""
            counts = f"{counted(len(site), 'game')}, {self.failed:,} failed{problems}{skipped}"
            say(f"{shown(directory / INDEX)}: {'' if len(site) else 'not written: '}{counts}")
        return directory / INDEX if len(site) else None

    def _inputs(self, site: Site) -> Iterator[Input]:
        for entry in archives.entries(self._src, self._reading.max_size, site.identity):
            yield Input("/".join(filter(None, (entry.source, entry.member))), entry.name, entry.fetch)

    def _add(self, site: Site, one: Input, matches: list[Match]) -> None:
        """Add *matches*, which are those of an input, to *site*, which begins with the first."""
        if matches and not len(site):
            site.start()
        for match in matches:
            try:
                site.add(match, output_name(one.name, ""), self._walls(match, one.label))
            except Exception as error:  # noqa: BLE001 - a bad match does not stop the rest of its file
                self.fail(one.label, error)


def _games(opened: Opened) -> list[Match]:
    """Return the matches of an input, which may be anything.

    :raises PassedOver: it is no game record.
    """
    if isinstance(opened.input.fetch, Passed):
        raise PassedOver(opened.input.fetch.reason)
    format_ = detect(opened.content)
    if format_ is None or format_.read is None:
        raise PassedOver(unknown(opened.content))
    return opened.judged()
