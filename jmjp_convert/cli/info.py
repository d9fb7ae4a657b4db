"""``jmjp info``: shows the players, frames and result of a game."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator, Sequence
from typing import NamedTuple

import click

from jmjp_convert.batch.survey import Read, is_collection
from jmjp_convert.cli import options
from jmjp_convert.cli.collection import Collection, collecting, collection_options
from jmjp_convert.cli.command import Command, option
from jmjp_convert.cli.console import point, printable, room_of_stdout, say, write
from jmjp_convert.cli.language import language_option
from jmjp_convert.cli.report import Report
from jmjp_convert.cli.summary_text import summary_lines
from jmjp_convert.cli.text import Paint, for_stdout
from jmjp_convert.convert import judged
from jmjp_convert.errors import RecordError
from jmjp_convert.files.inputs import label
from jmjp_convert.formats.reading import Reading
from jmjp_convert.model import Match
from jmjp_convert.model.record import record
from jmjp_convert.view.summary import summarize

_EPILOG = """\b
Examples:
  jmjp info log.xml
  jmjp info --lang ja *.mjlog
  jmjp info --json *.jmjp > games.json
  curl ... | jmjp info -

Exit codes: 0 success, 1 some input failed, 2 usage error, 130 interrupted.
"""

_HELP = f"""Show a game: date and place, players, how each frame ended, and the result.

SRC is {options.INPUT}, a directory or archive of them, or - for
stdin. A file that fails is reported on stderr and does not stop the rest.
"""


@click.command("info", cls=Command, help=_HELP, epilog=_EPILOG)
@click.argument("srcs", metavar="SRC...", nargs=-1, required=True, type=options.PATH)
@option("--json", "as_json", is_flag=True, help="Write JSON: a list with one object per match.")
@language_option
@collection_options
@options.reading
def command(srcs: tuple[str, ...], *, as_json: bool, lang: str, collection: Collection, reading: Reading) -> int:
    """Show a game."""
    options.check_sources(srcs, reading)
    report = Report(say, point)
    separator, between = ("[", ",\n") if as_json else ("", "\n")
    alone = len(srcs) == 1 and not is_collection(srcs[0])
    task = _Task(as_json=as_json, lang=lang, alone=alone, room=room_of_stdout(), paint=for_stdout(), reading=reading)
    with collecting(srcs, collection, quiet=not as_json and sys.stdout is not None and sys.stdout.isatty()) as given:
        for one, seen in given.survey(task, reading):
            for text in seen.notices:
                report.notice(one.label, text)
            if seen.failure is not None:
                report.fail(one.label, seen.failure)
            for error in seen.found.problems if seen.found else ():
                report.problem(error.about(one.label))
            for block in seen.found.blocks if seen.found else ():
                write(separator + block)
                separator = between
    if as_json:
        write("]\n" if separator == between else "[]\n")
    return report.exit_code


class _Shown(NamedTuple):
    """A file as shown: a block of text or JSON for each match, and the problems of the matches as a whole."""

    blocks: tuple[str, ...]
    problems: tuple[RecordError, ...]


@record
class _Task:
    """What is shown of one file, in any process."""

    as_json: bool
    lang: str
    alone: bool
    room: int
    paint: Paint
    reading: Reading

    def __call__(self, source: str, read: Read) -> _Shown:
        problems: list[RecordError] = []
        matches = judged(read(None), self.reading, problems.append)
        blocks = self._objects(source, matches) if self.as_json else self._texts(label(source), matches)
        return _Shown(tuple(blocks), tuple(problems))

    def _objects(self, source: str, matches: Sequence[Match]) -> Iterator[str]:
        """Yield *matches* as JSON, in ASCII only, which every console can show."""
        from dataclasses import asdict

        for number, match in enumerate(matches, 1):
            values = {"file": source, "match": number, **asdict(summarize(match, self.lang))}
            yield json.dumps(values).replace("\x7f", "\\u007f")

    def _texts(self, name: str, matches: Sequence[Match]) -> Iterator[str]:
        """Yield *matches* as text, each with a heading unless it is alone."""
        for number, match in enumerate(matches, 1):
            summary = summarize(match, self.lang)
            lines = list(summary_lines(summary, self.lang, printable, room=self.room, paint=self.paint))
            if len(matches) > 1:
                lines.insert(0, printable(f"==> {name} #{number} <=="))
            elif not self.alone:
                lines.insert(0, printable(f"==> {name} <=="))
            yield "\n".join(lines) + "\n"
