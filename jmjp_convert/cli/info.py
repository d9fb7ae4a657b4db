"""``jmjp info``: shows the players, frames and result of a game."""

from __future__ import annotations

import json
import shutil
import sys
from collections.abc import Sequence
from dataclasses import asdict

import click

from jmjp_convert.cli import options
from jmjp_convert.cli.command import Command, option
from jmjp_convert.cli.console import point, printable, say, write
from jmjp_convert.cli.paint import for_stdout
from jmjp_convert.cli.report import Report
from jmjp_convert.cli.summary_text import WIDTH, summary_lines
from jmjp_convert.convert import judged
from jmjp_convert.files.inputs import expect_file, label
from jmjp_convert.formats.reading import Reading, read_source
from jmjp_convert.model import Match
from jmjp_convert.view.summary import LANGUAGES, summarize

_NARROWEST = 40  # columns: a terminal narrower than that breaks the lines itself

_EPILOG = """\b
Examples:
  jmjp info log.xml
  jmjp info --lang ja *.mjlog
  jmjp info --json *.jmjp > games.json
  curl ... | jmjp info -

Exit codes: 0 success, 1 some input failed, 2 usage error, 130 interrupted.
"""


_HELP = f"""Show a game: date and place, players, how each frame ended, and the result.

SRC is {options.INPUT}, or - for stdin. A file that fails is reported on stderr and does not stop the rest.
"""


@click.command("info", cls=Command, short_help="Show a game: players, frames, result.", help=_HELP, epilog=_EPILOG)
@click.argument("srcs", metavar="SRC...", nargs=-1, required=True, type=options.PATH)
@option("--json", "as_json", is_flag=True, help="Write JSON: a list with one object per match.")
@option(
    "--lang",
    type=click.Choice(LANGUAGES),
    default=LANGUAGES[0],
    show_default=True,
    help="Show English and romanized names, or Japanese.",
)
@options.reading
def command(srcs: tuple[str, ...], *, as_json: bool, lang: str, reading: Reading) -> int:
    """Show a game."""
    options.check_sources(srcs, reading)
    report = Report(say, point)
    separator, between = ("[", ",\n") if as_json else ("", "\n")
    for src in srcs:
        try:
            matches = _read(src, reading, report)
            blocks = _objects(src, matches, lang) if as_json else _texts(src, matches, lang, alone=len(srcs) == 1)
        except Exception as error:  # noqa: BLE001 - a bad input, whatever the problem, does not stop the rest
            report.fail(label(src), error)
            continue
        for block in blocks:
            write(separator + block)
            separator = between
    if as_json:
        write("]\n" if separator == between else "[]\n")
    return report.exit_code


def _read(src: str, reading: Reading, report: Report) -> list[Match]:
    expect_file(src)
    what = label(src)
    matches = read_source(src, reading, lambda text: report.notice(what, text))
    return judged(matches, reading, lambda text: report.problem(what, text))


def _objects(src: str, matches: Sequence[Match], lang: str) -> list[str]:
    """Return *matches* as JSON, in ASCII only, which every console can show."""
    return [
        json.dumps({"file": src, "match": number, **asdict(summarize(match, lang))}).replace("\x7f", "\\u007f")
        for number, match in enumerate(matches, 1)
    ]


def _texts(src: str, matches: Sequence[Match], lang: str, *, alone: bool) -> list[str]:
    """Return *matches* as text, each with a heading unless it is *alone*."""
    texts, room, paint = [], _room(), for_stdout()
    for number, match in enumerate(matches, 1):
        lines = list(summary_lines(summarize(match, lang), lang, printable, room=room, paint=paint))
        if len(matches) > 1:
            lines.insert(0, printable(f"==> {label(src)} #{number} <=="))
        elif not alone:
            lines.insert(0, printable(f"==> {label(src)} <=="))
        texts.append("\n".join(lines) + "\n")
    return texts


def _room() -> int:
    """Return the columns of the terminal, or the usual ones if the output goes elsewhere."""
    is_terminal = sys.stdout is not None and sys.stdout.isatty()
    return max(shutil.get_terminal_size((WIDTH, 24)).columns, _NARROWEST) if is_terminal else WIDTH
