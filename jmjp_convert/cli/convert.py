"""``jmjp convert``: converts game records from one format to another."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import partial
from pathlib import Path
from typing import TypeVar

import click

from jmjp_convert.cli import options
from jmjp_convert.cli.command import Command
from jmjp_convert.cli.console import counted, point, say
from jmjp_convert.cli.options import STDOUT, Placing
from jmjp_convert.cli.report import Report
from jmjp_convert.convert import Losses, Notice, Writing, check, judged, written
from jmjp_convert.files import outputs
from jmjp_convert.files.inputs import expect_file, is_path, label
from jmjp_convert.formats import DEFAULT
from jmjp_convert.formats.output_names import output_path, paths_of
from jmjp_convert.formats.reading import Reading, read_source
from jmjp_convert.model import Match

Said = TypeVar("Said")

_EPILOG = """\b
Examples:
  jmjp convert log.xml                  writes log.jmjp
  jmjp convert *.mjlog -o converted/    one file each
  jmjp convert a.xml b.xml -o both.jmjp
  curl ... | jmjp convert - > log.jmjp
  jmjp convert log.xml --to tenhou6 --url
  jmjp convert game.json --to mjai      from tenhou6 or another format
  jmjp convert game.mjson -o game.tenhou6.json
  jmjp convert 'https://tenhou.net/6/#json=...' -o game.jmjp

Exit codes: 0 success, 1 some input failed, 2 usage error, 130 interrupted.
"""

_HELP = f"""Convert {options.INPUT}, to {DEFAULT.name}, or to the format given by --to or by the extension of --output.

Each SRC is a file, converted to a file next to it, or a link that contains its game or - for stdin, converted to
stdout. An input that fails is reported on stderr; the rest are still converted. If --output is a file or -, all inputs
are joined into one file of several matches; if any of them fails, nothing is written.
"""


@click.command("convert", cls=Command, help=_HELP, epilog=_EPILOG)
@click.argument("srcs", metavar="SRC...", nargs=-1, required=True, type=options.PATH)
@options.placing
@options.writing(from_output=True)
@options.reading
def command(srcs: tuple[str, ...], placing: Placing, writing: Writing, reading: Reading) -> int:
    """Convert game records."""
    options.check_sources(srcs, reading)
    options.check_placing(srcs, reading, placing)
    with outputs.Outputs(filter(is_path, srcs), force=placing.force) as files:
        conversion = _Conversion(srcs, placing, writing, reading, files)
        if placing.output is None or placing.directory is not None:
            conversion.each(placing.directory)
        else:
            conversion.joined(None if placing.output == STDOUT else str(Path(placing.output)))
    conversion.report_rest()
    return conversion.report.exit_code


class _Conversion:
    """A run over inputs, one after the other."""

    def __init__(
        self, srcs: Sequence[str], placing: Placing, writing: Writing, reading: Reading, files: outputs.Outputs
    ) -> None:
        self._srcs = srcs
        self._writing = writing
        self._reading = reading
        self._placing = placing
        self._outputs = files
        self._made: set[Path] = set()  # directories
        self._losses = Losses(writing.to)
        self._waiting: list[Callable[[], None] | None] = []  # what is said once outputs are in place: None is the next
        self.report = Report(partial(self._say, say), partial(self._say, point), quiet=placing.quiet)

    def _say(self, how: Callable[[Said], None], what: Said) -> None:
        """Say *what* after all that is waiting."""
        if self._waiting:
            self._waiting.append(partial(how, what))
        else:
            how(what)

    def each(self, directory: Path | None) -> None:
        """Write one file per input, in *directory* or next to the input."""
        for src in self._srcs:
            try:
                self._one(src, directory)
            except outputs.LOST:
                self._put()
                raise
            except Exception as error:  # noqa: BLE001 - one bad input must not stop the rest, whatever the error
                self.report.fail(label(src), error)
            if self._outputs.full:
                self._put()
        self._put()

    def _put(self) -> None:
        """Put outputs in place and report them, each before what has been said after it was written."""
        waiting, self._waiting = self._waiting, []
        put = self._outputs.put()
        for line in waiting:
            if line is not None:
                line()
                continue
            path, what, error = next(put)
            if error is None:
                self.report.wrote(what, path)
            else:
                self.report.fail(what, error)

    def _one(self, src: str, directory: Path | None) -> None:
        is_stdout = self._placing.is_stdout(src)
        path = None if is_stdout else output_path(src, directory, self._writing.suffix, self._reading.id)
        expect_file(src)
        if path is not None:
            self._outputs.reserve(path, label(src))
        matches = self._read(src)
        if directory is None or path is None:
            self._write(path, matches, label(src))
            return
        paths = paths_of(path, self._writing.suffix, matches)
        for own in paths if len(paths) > 1 else ():
            self._outputs.reserve(own, label(src))
        for own, match in zip(paths, matches, strict=True):
            self._write(own, [match], label(src), directory)

    def joined(self, path: str | None) -> None:
        """Write all inputs as one file to *path*, or to stdout if that is ``None``."""
        what = label(self._srcs[0]) if len(self._srcs) == 1 else None
        name = what or f"{len(self._srcs)} logs"
        try:
            if path is not None:
                self._outputs.reserve(path, name)
            matches = list(self._matches())
            if not self.report.failed:
                self._write(path, matches, name, Path(path).parent if path else None)
                self._put()
        except outputs.LOST:
            raise
        except Exception as error:  # noqa: BLE001 - as above
            self.report.fail(what, error)
        else:
            if self.report.failed and what is None:
                say(f"nothing written: {self.report.failed} of {name} failed")

    def report_rest(self) -> None:
        """Report what the outputs leave out or change, and how many problems the inputs have, if there are several."""
        if self.report.problems and len(self._srcs) > 1:
            self.report.remark(f"{counted(self.report.problems, 'problem')} found")
        for line in self._losses.lines():
            self.report.remark(line)

    def _matches(self) -> Iterator[Match]:
        """Yield the matches of the inputs that can be written, and report the others."""
        for src in self._srcs:
            try:
                expect_file(src)
                matches = self._read(src)
                for match in matches:
                    check(match, self._writing)
            except Exception as error:  # noqa: BLE001 - as above
                self.report.fail(label(src), error)
            else:
                yield from matches

    def _read(self, src: str) -> list[Match]:
        what = label(src)
        loaded = read_source(src, self._reading, self._notice(what))
        return judged(loaded, self._reading, lambda error: self.report.problem(error.about(what)))

    def _notice(self, what: str) -> Notice:
        return lambda text: self.report.notice(what, text)

    def _write(self, path: str | None, matches: Sequence[Match], what: str, directory: Path | None = None) -> None:
        """Write *matches* to *path*, in a *directory* that is created if needed, or to stdout, and note what the output
        leaves out or changes."""
        content, lost = written(matches, self._writing, self._notice(what))
        if path is None:
            outputs.write_stdout(content)
        else:
            if directory is not None and directory not in self._made:
                outputs.make_directory(directory)
                self._made.add(directory)
            self._outputs.write(path, content, what)
            self._waiting.append(None)
        self._losses.add(*lost)
