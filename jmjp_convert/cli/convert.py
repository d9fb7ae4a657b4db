"""``jmjp convert``: converts game records from one format to another."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from typing import TypeVar

import click

from jmjp_convert.batch.survey import Input, Opened, Task, is_collection, survey
from jmjp_convert.cli import options
from jmjp_convert.cli.command import Command
from jmjp_convert.cli.console import counted, say
from jmjp_convert.cli.options import Placing
from jmjp_convert.cli.report import Report
from jmjp_convert.convert import Writing, check_can_be_written, written
from jmjp_convert.files import outputs
from jmjp_convert.files.compression import compressed
from jmjp_convert.files.inputs import is_path, label
from jmjp_convert.formats import DEFAULT
from jmjp_convert.formats.output_names import anonymous_path, paths_of
from jmjp_convert.formats.reading import Reading
from jmjp_convert.messages import Kind
from jmjp_convert.model import Match

T = TypeVar("T")

_EPILOG = """\b
Examples:
  jmjp convert log.xml                  writes log.jmjp
  jmjp convert *.mjlog -o converted/    one file each
  jmjp convert a.xml b.xml -o both.jmjp
  jmjp convert logs/ -o games/          a directory or an archive
  curl ... | jmjp convert - > log.jmjp
  jmjp convert log.xml --to tenhou6 --url
  jmjp convert game.json --to mjai      from tenhou6 or another format
  jmjp convert game.mjson -o game.tenhou6.json
  jmjp convert 'https://tenhou.net/6/#json=...' -o game.jmjp
"""

_HELP = f"""Convert {options.INPUT}, to {DEFAULT.name}, or to the format given by --to or by the extension of --output.

Each SRC is a file, converted to a file next to it, or a link that contains its game or - for stdin, converted to
stdout. An input that fails is reported on stderr; the rest are still converted. If --output is a file or -, all inputs
are joined into one file of several matches; if any of them fails, nothing is written. A directory or an archive of
games is converted into the directory named by --output, as by jmjp batch.
"""


@click.command("convert", cls=Command, help=_HELP, epilog=_EPILOG)
@options.sources
@options.placing
@options.anonymous
@options.verbose_option
@options.writing(from_output=True)
@options.reading
def command(srcs: tuple[str, ...], *, placing: Placing, verbose: bool, writing: Writing, reading: Reading) -> int:
    """Convert game records."""
    options.check_sources(srcs, reading)
    if collection := next(filter(is_collection, srcs), None):
        return _batch(srcs, collection, placing, writing, reading, verbose=verbose)
    options.check_placing(srcs, reading, placing)
    with outputs.Outputs(filter(is_path, srcs), force=placing.force) as files:
        conversion = _Conversion(srcs, placing, writing, reading, files, verbose=verbose)
        if placing.output is None or placing.directory is not None:
            conversion.each()
        else:
            conversion.joined(placing.file)
    conversion.report_rest()
    return conversion.exit_code


def _batch(
    srcs: Sequence[str], collection: str, placing: Placing, writing: Writing, reading: Reading, *, verbose: bool
) -> int:
    """Convert *srcs*, of which *collection* is a directory or an archive, as ``jmjp batch`` does."""
    from pathlib import Path

    from jmjp_convert.batch.destination import Folder
    from jmjp_convert.batch.recipe import Conversion
    from jmjp_convert.cli import running

    many = "a directory" if os.path.isdir(collection) else "an archive"
    if (other := next((src for src in srcs if not is_path(src)), None)) is not None:
        raise click.UsageError(f"{label(other)} cannot be converted together with {many}; convert it separately")
    if reading.id is not None or reading.time is not None:
        raise click.UsageError(f"--id and --time are for a single log; {collection} is {many}")
    output = options.directory_for(collection, srcs, placing.output, "converted")
    choices = running.Choices(force=placing.force, quiet=placing.quiet, verbose=verbose)
    running.check_paths(srcs, output, None)
    return running.run(srcs, Folder(Path(output)), Conversion(writing), choices, reading)


class _Conversion(Report):
    """A run over inputs, one after the other. What it says waits until the outputs written before are in place."""

    def __init__(
        self,
        srcs: Sequence[str],
        placing: Placing,
        writing: Writing,
        reading: Reading,
        files: outputs.Outputs,
        *,
        verbose: bool,
    ) -> None:
        super().__init__(quiet=placing.quiet, verbose=verbose)
        self._srcs = srcs
        self._writing = writing
        self._reading = reading
        self._placing = placing
        self._directory = placing.directory
        self._outputs = files
        self._made: set[str] = set()  # directories
        self._waiting: list[Callable[[], None] | None] = []  # None: to report the next output
        self._several = len(srcs) > 1
        self._hides_names = writing.anonymous and (placing.output is None or self._directory is not None)

    def say(self, line: str, kind: Kind = Kind.STATUS, error: Exception | None = None) -> None:
        """Print *line* after all that is waiting."""
        if self._waiting:
            self._waiting.append(partial(super().say, line, kind, error))
        else:
            super().say(line, kind, error)

    def _survey(self, task: Task[T]) -> Iterator[T | None]:
        return (result for _, result in survey(map(Input, self._srcs), task, self._reading, self))

    def each(self) -> None:
        """Write one file per input, or in a directory one per match."""
        try:
            for _ in self._survey(self._convert):
                if self._outputs.full:
                    self._put()
        except outputs.LOST:
            self._put()
            raise
        self._put()

    def _put(self) -> None:
        """Put outputs in place and report them, each before what has been said after it was written."""
        waiting, self._waiting = self._waiting, []
        put = self._outputs.put()
        for line in waiting:
            if line is not None:
                line()
                continue
            done = next(put)
            if done.error is None:
                self.wrote(done.owner, done.path)
            else:
                self.fail(done.owner, done.error)

    def _convert(self, opened: Opened) -> None:
        """Convert an input."""
        what, directory, suffix = opened.input.label, self._directory, self._writing.suffix
        path = self._placing.path(opened.input.source, directory, suffix, self._reading.id)
        if path is not None and not self._hides_names:
            self._outputs.reserve(path, what)
        matches = opened.judged()
        if directory is None or path is None:
            self._write([(path, matches)], what)
            return
        paths = paths_of(path, suffix, matches)
        for name in paths if len(paths) > 1 and not self._hides_names else ():
            self._outputs.reserve(name, what)
        self._write([(name, [match]) for name, match in zip(paths, matches, strict=True)], what, directory)

    def joined(self, path: str | None) -> None:
        """Write all inputs as one file to *path*, or to stdout if that is ``None``."""
        what = None if self._several else label(self._srcs[0])
        name = what or f"{len(self._srcs)} logs"
        try:
            if path is not None:
                self._outputs.reserve(path, name)
            matches = [match for of_input in self._survey(self._writable) for match in of_input or ()]
            if not self.failed:
                self._write([(path, matches)], name, os.path.dirname(path) if path else None)
                self._put()
        except outputs.LOST:
            raise
        except Exception as error:  # noqa: BLE001 - every problem is reported in one line
            self.fail(what, error)
        else:
            if self.failed and self._several:
                say(f"nothing written: {self.failed} of {name} failed", Kind.ERROR)

    def _writable(self, opened: Opened) -> list[Match]:
        """Return the matches of an input, which can be written."""
        matches = opened.judged()
        for match in matches:
            check_can_be_written(match, self._writing)
        return matches

    def report_rest(self) -> None:
        """Report what the outputs leave out or change, and how many problems the inputs have, if there are several."""
        if self.problems and self._several:
            self.remark(f"{counted(self.problems, 'problem')} found")
        self.say_losses(self._writing.to)

    def _write(
        self, files: Sequence[tuple[str | None, Sequence[Match]]], what: str, directory: str | None = None
    ) -> None:
        """Write *files*, all of them or none, and note what they leave out or change.

        :param files: the matches that go to each path; ``None`` for stdout.
        :param directory: of the paths; created if needed.
        """
        made = []
        for path, matches in files:
            file = written(matches, self._writing, partial(self.notice, what))
            if path is not None and self._hides_names:
                path = anonymous_path(path, self._writing.suffix, file.content)  # noqa: PLW2901 - known only now
                self._outputs.reserve(path, what)
            made.append((path, file))
        for path, file in made:
            if path is None:
                outputs.write_data(file.content)
            else:
                if directory and directory not in self._made:
                    outputs.make_directory(directory)
                    self._made.add(directory)
                self._outputs.write(path, compressed(file.content, path), what)
                self._waiting.append(None)
            self.lose(file.lost)
