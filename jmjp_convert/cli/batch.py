"""``jmjp batch``: converts whole archives."""

from __future__ import annotations

import os
from pathlib import Path

import click

from jmjp_convert.batch.destination import Destination, Folder
from jmjp_convert.batch.recipe import Conversion
from jmjp_convert.batch.zip_output import Zip
from jmjp_convert.cli import options
from jmjp_convert.cli.command import Command, output_option
from jmjp_convert.cli.running import Choices, check_paths, run, run_options
from jmjp_convert.convert import Writing
from jmjp_convert.formats.reading import Reading

_EPILOG = """\b
Examples:
  jmjp batch 2019.db -o games/                 a houou-logs database
  jmjp batch mjlog_pf4-20_n1.zip logs/ -o games/
  jmjp batch 2019.db -o 2019.zip --zip
  find /logs -name '*.mjlog' | jmjp batch - -o games/
  jmjp verify games/                           compare the outputs with what was written
"""


@click.command("batch", cls=Command, epilog=_EPILOG)
@click.argument("srcs", metavar="SRC...", nargs=-1, type=options.PATH)
@output_option(
    "-o", "--output", metavar="OUT", required=True, type=options.PATH, help="Output directory, or zip with --zip."
)
@output_option("--zip", "zipped", is_flag=True, help="Write a single zip file.")
@options.anonymous
@run_options
@options.writing()
@options.bounds
def command(
    srcs: tuple[str, ...], output: str, *, zipped: bool, choices: Choices, writing: Writing, reading: Reading
) -> int:
    """Convert archives of game records to jmjp, or to the format given by --to.

    SRC is a log, a directory (searched recursively), a zip, a tar, a houou-logs or phoenix-logs database, or - for a
    list of paths on stdin, one per line; its type is detected from its content. OUT becomes a directory of games sorted
    by year and month, or a zip with --zip. A log that fails does not stop the rest. A run can be interrupted at any
    time; run it again to convert what is missing or damaged. Logs already in the output format are skipped, unless
    options such as --spec or --compact ask for another form of it.
    """
    check_paths(srcs, output, choices.ids)
    return run(srcs, _destination(output, zipped=zipped), Conversion(writing, zipped=zipped), choices, reading)


def _destination(output: str, *, zipped: bool) -> Destination:
    """Return where the outputs go, without creating anything.

    :raises click.UsageError: they cannot go there.
    :raises FileError: a file or directory is in the way.
    """
    if zipped and (output == options.STDOUT or options.Placing(output).directory):
        raise click.UsageError(f"{output} cannot be a zip; choose another --output")
    if not zipped and output.lower().endswith(".zip") and not os.path.isdir(output):
        raise click.UsageError(f"{output} looks like a zip; use --zip to write one, or {output}/ for a directory")
    if zipped:
        return Zip(Path(output))
    options.check_directory(output)
    return Folder(Path(output))
