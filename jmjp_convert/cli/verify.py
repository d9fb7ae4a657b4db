"""``jmjp verify``: compares what earlier runs have written with what they recorded of it."""

from __future__ import annotations

import json
import sqlite3
from contextlib import closing
from pathlib import Path

import click

from jmjp_convert.batch.destination import Destination, Folder
from jmjp_convert.batch.ledger import DamagedError, Ledger
from jmjp_convert.batch.verification import Verification
from jmjp_convert.batch.worker import is_data_set
from jmjp_convert.batch.zip_output import Zip
from jmjp_convert.cli import options
from jmjp_convert.cli.command import Command, option
from jmjp_convert.cli.console import Bar, counted, say
from jmjp_convert.dataset.destination import DataSet
from jmjp_convert.dataset.table_files import Csv
from jmjp_convert.messages import Kind

_EPILOG = """\b
Examples:
  jmjp verify games/
  jmjp verify 2019.zip
  jmjp verify data/          a data set of jmjp tables

Exit codes: 0 everything is as it was written, 1 something is damaged,
2 usage error, 130 interrupted.
"""


@click.command("verify", cls=Command, epilog=_EPILOG)
@click.argument("output", metavar="OUT", type=options.PATH)
@option("--no-progress", is_flag=True, help="Hide the progress bar.")
@options.quiet_option
def command(output: str, *, no_progress: bool, quiet: bool) -> int:
    """Read every output of earlier runs again, and compare it with its size and SHA-256 in their ledger.

    OUT is the directory or zip that jmjp batch or convert has written, or the data set of jmjp tables. What is damaged
    or missing is named, and made again by the next run.
    """
    options.refuse(options.empty_name(output))
    destination = _destination(Path(output))
    what = "file" if isinstance(destination, DataSet) else "output"
    verification = Verification(destination)
    with Bar(verification.total, f" {what}s", wanted=not (no_progress or quiet)) as bar:
        for problem in verification.run():
            if problem:
                bar.say(problem, Kind.ERROR)
            bar.advance(1, f"{verification.differing:,} damaged")
    if not quiet:
        say(f"{counted(verification.number, what)} checked, {verification.differing:,} damaged")
    if verification.differing:
        say("to convert what is damaged again, repeat the command that wrote it", Kind.NOTE)
    return 1 if verification.differing else 0


def _destination(output: Path) -> Destination:
    """Return where *output* says that it is: a directory of games, a data set, or a zip."""
    if not output.is_dir():
        zipped = Zip(output)
        return zipped if output.exists() or zipped.ledger.exists() else Folder(output)
    folder = Folder(output)
    if not folder.ledger.is_file():
        return folder
    try:
        with closing(Ledger(folder.ledger)) as ledger:
            made_with = json.loads(ledger.setting("options") or "{}")
    except (DamagedError, sqlite3.Error, ValueError):  # as verifying it reports
        return folder
    return DataSet(output, Csv()) if is_data_set(made_with) else folder
