"""``jmjp view``: makes a page that replays a game, or a site of many games."""

from __future__ import annotations

from pathlib import Path

import click

from jmjp_convert.cli import options
from jmjp_convert.cli.browser import open_page
from jmjp_convert.cli.command import Command, option
from jmjp_convert.cli.console import counted, point, say, shown
from jmjp_convert.cli.options import STDOUT, Placing
from jmjp_convert.cli.progress import Bar
from jmjp_convert.cli.report import Report
from jmjp_convert.convert import judged, known_walls
from jmjp_convert.errors import FileError
from jmjp_convert.files import archives, outputs
from jmjp_convert.files.archives.contents import Fetcher
from jmjp_convert.files.archives.entry import Entry, Passed
from jmjp_convert.files.archives.not_logs import by_content
from jmjp_convert.files.inputs import expect_file, is_directory, is_path, label
from jmjp_convert.formats import detect
from jmjp_convert.formats.output_names import output_name, output_path, paths_of
from jmjp_convert.formats.reading import Reading, read_content, read_source
from jmjp_convert.formats.session import Loaded
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
@option("--wall", is_flag=True, help="Include the wall, if its seed is known and verifies.")
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
    first = viewing.site() if is_site else viewing.pages()
    if opened and first is not None:
        open_page(first, viewing.report)
    return viewing.report.exit_code


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


class _Viewing:
    """One run of the command, on one source."""

    def __init__(self, src: str, placing: Placing, reading: Reading, *, seat: int, wall: bool) -> None:
        self._src = src
        self._placing = placing
        self._reading = reading
        self._seat = seat
        self._wall = wall
        self.report = Report(say, point, quiet=placing.quiet)

    # --- pages -------------------------------------------------------------------------------------------------------

    def pages(self) -> Path | None:
        """Write a page for each match of a file and return the path of the first."""
        what, written = label(self._src), None
        try:
            expect_file(self._src)
            path = self._path()
            matches = self._judged(read_source(self._src, self._reading, _Notice(self.report, what)), what)
            if path is None:
                self._to_stdout(matches, what)
                return None
            with outputs.Outputs(filter(is_path, [self._src]), force=self._placing.force) as files:
                paths = paths_of(path, _SUFFIX, matches)
                for own in paths:
                    files.reserve(own, what)
                if self._placing.output is not None and matches:
                    outputs.make_directory(Path(path).parent)
                for own, match in zip(paths, matches, strict=True):
                    files.write(own, self._page(match, what), what)
                for own, _, error in files.put():
                    if error is not None:
                        self.report.fail(what, error)
                        continue
                    self.report.wrote(what, shown(Path(own)))
                    written = written or Path(own)
        except outputs.LOST:
            raise
        except Exception as error:  # noqa: BLE001 - every problem is reported in one line
            self.report.fail(what, error)
        return written

    def _judged(self, loaded: Loaded, what: str) -> list[Match]:
        return judged(loaded, self._reading, lambda error: self.report.problem(error.about(what)))

    def _to_stdout(self, matches: list[Match], what: str) -> None:
        if len(matches) > 1:
            raise FileError(f"{len(matches)} games, but only one page can go to stdout; name a file with --output")
        for match in matches:
            outputs.write_stdout(self._page(match, what))

    def _path(self) -> str | None:
        output, directory = self._placing.output, self._placing.directory
        if self._placing.is_stdout(self._src):
            return None
        if output is None or directory is not None:
            return output_path(self._src, directory, _SUFFIX, self._reading.id)
        return str(Path(output))

    def _page(self, match: Match, what: str) -> bytes:
        return view_page(match, walls=self._walls(match, what), seat=self._seat).encode()

    def _walls(self, match: Match, what: str) -> list[Wall] | None:
        """Return the walls of *match* if they are wanted and known."""
        if not self._wall:
            return None
        walls, why = known_walls(match)
        if walls is None:
            self.report.notice(what, f"wall not included: {why}")
        return walls

    # --- a site ------------------------------------------------------------------------------------------------------

    def site(self) -> Path | None:
        """Write a site of all games in a directory or archive and return the path of its list.

        Without any game, nothing is written.
        """
        directory = Path(self._placing.output or "")
        site = Site(directory, seat=self._seat, force=self._placing.force)
        site.check()
        others = 0
        with (
            Fetcher(self._reading.max_size) as fetcher,
            Bar(lambda: archives.count([self._src]), " games", wanted=not self._placing.quiet) as bar,
        ):
            for entry in archives.entries(self._src, self._reading.max_size, site.identity):
                with bar.hidden():
                    matches = self._matches(entry, fetcher)
                    others += matches is None
                    self._add(site, entry, matches or [])
                bar.advance(1, f"{self.report.failed:,} failed")
        if len(site):
            site.finish()
        elif not self.report.failed:
            self.report.fail(label(self._src), FileError("no game records found"))
            return None
        if not self._placing.quiet:
            problems = f", {counted(self.report.problems, 'problem')}" if self.report.problems else ""
            skipped = f"; {counted(others, 'other file')} skipped" if others else ""
            counts = f"{counted(len(site), 'game')}, {self.report.failed:,} failed{problems}{skipped}"
            say(f"{shown(directory / INDEX)}: {'' if len(site) else 'not written: '}{counts}")
        return directory / INDEX if len(site) else None

    def _matches(self, entry: Entry, fetcher: Fetcher) -> list[Match] | None:
        """Return the matches of *entry*, none if it fails; ``None`` if it is not a file of games."""
        if isinstance(entry.fetch, Passed):
            return None
        what = _called(entry)
        try:
            content = fetcher.content(entry.fetch)
            found = detect(content)
            if found is None or found.read is None or by_content(content, entry.name):
                return None
            return self._judged(read_content(content, entry.name, self._reading, _Notice(self.report, what)), what)
        except Exception as error:  # noqa: BLE001 - a bad input, whatever the problem, does not stop the rest
            self.report.fail(what, error)
        return []

    def _add(self, site: Site, entry: Entry, matches: list[Match]) -> None:
        """Add *matches*, which are those of *entry*, to *site*, which begins with the first."""
        if matches and not len(site):
            site.start()
        what = _called(entry)
        for match in matches:
            try:
                site.add(match, output_name(entry.name, ""), self._walls(match, what))
            except Exception as error:  # noqa: BLE001 - nor does a bad match stop the rest of its file
                self.report.fail(what, error)


def _called(entry: Entry) -> str:
    """Return what *entry* is called in messages."""
    return "/".join(filter(None, (entry.source, entry.member)))


class _Notice:
    """Reports notices on one input."""

    def __init__(self, report: Report, what: str) -> None:
        self._report = report
        self._what = what

    def __call__(self, text: str) -> None:
        self._report.notice(self._what, text)
