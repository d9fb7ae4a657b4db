"""``jmjp verify``: compares what earlier runs have written with what they recorded of it."""

from __future__ import annotations

import json
import os
import sqlite3
from collections.abc import Iterator
from contextlib import ExitStack, closing
from pathlib import Path
from shlex import quote

import click

from jmjp_convert.batch.destination import Destination, Folder
from jmjp_convert.batch.ledger import VERIFIED, DamagedError, Ledger, ReadOnlyError
from jmjp_convert.batch.summary import is_unfinished
from jmjp_convert.batch.worker import is_data_set
from jmjp_convert.batch.zip_output import Zip
from jmjp_convert.cli import options
from jmjp_convert.cli.command import Command
from jmjp_convert.cli.console import Bar, counted, say
from jmjp_convert.dataset.destination import DataSet
from jmjp_convert.dataset.table_files import Csv
from jmjp_convert.errors import FileError
from jmjp_convert.files import sqlite_lock
from jmjp_convert.files.compression import kind_of
from jmjp_convert.messages import Kind

_EPILOG = """\b
Examples:
  jmjp verify games/
  jmjp verify 2019.zip
  jmjp verify data/          a data set of jmjp tables
"""

_EXIT_CODES = "Exit codes: 0 everything is as it was written, 1 something is damaged, 2 usage error, 130 interrupted."


@click.command("verify", cls=Command, epilog=_EPILOG, exit_codes=_EXIT_CODES)
@click.argument("output", metavar="OUT", type=options.PATH)
@options.no_progress_option
@options.quiet_option
def command(output: str, *, no_progress: bool, quiet: bool) -> int:
    """Read every output of earlier runs again, and compare it with its size and SHA-256 in their ledger.

    OUT is the directory or zip that jmjp batch or convert has written, or the data set of jmjp tables. What is damaged
    or missing is named, and made again by the next run.
    """
    options.refuse(options.empty(output))
    destination = _destination(Path(output))
    what = "file" if isinstance(destination, DataSet) else "output"
    wanted = not (no_progress or quiet)
    with Verification(destination) as verification, Bar(verification.total, f" {what}s", wanted=wanted) as bar:
        for problem in verification.run():
            if problem:
                bar.say(problem, Kind.ERROR)
            bar.advance(1, f"{verification.differing:,} damaged")
    if not quiet:
        say(f"{counted(verification.number, what)} checked, {verification.differing:,} damaged")
    if not quiet and is_unfinished(destination.summary):
        say("the last run did not finish; to continue it, repeat its command", Kind.NOTE)
    if verification.differing:
        say(
            "to convert what is damaged again, repeat the command that wrote it"
            if verification.recorded
            else f"{destination.ledger} is read-only, so the next run does not know what is damaged; verify again "
            "where it can be written",
            Kind.NOTE,
        )
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
        with ExitStack() as stack:
            made_with = json.loads(_opened(folder.ledger, stack)[0].setting("options") or "{}")
    except (DamagedError, sqlite3.Error, ValueError):  # as verifying it reports
        return folder
    return DataSet(output, Csv()) if is_data_set(made_with) else folder


def _opened(path: Path, stack: ExitStack) -> tuple[Ledger, bool]:
    """Return the ledger *path*, or a copy if it may not be written, and whether it is no copy; *stack* closes it."""
    try:
        ledger, is_original = Ledger(path), True
    except ReadOnlyError:
        ledger, is_original = Ledger(stack.enter_context(sqlite_lock.copied(path))), False
    stack.enter_context(closing(ledger))
    return ledger, is_original


# --- the comparison ---------------------------------------------------------------------------------------------------


class Verification(ExitStack):
    """A comparison of the outputs at *destination* with their ledger, which another process cannot write meanwhile; a
    context manager that closes the ledger.

    :ivar recorded: whether the ledger records what is damaged; one that may not be written does not.
    :ivar number: the number of outputs compared so far.
    :ivar differing: the number of those that are not what they must be.
    :raises FileError: there is no ledger that can be read.
    """

    def __init__(self, destination: Destination) -> None:
        super().__init__()
        self.number = self.differing = 0
        self._destination = destination
        if not destination.ledger.is_file():
            if not destination.output.exists():
                raise FileError(f"{destination.output}: no such output")
            if not any(map(os.path.lexists, (destination.summary, destination.failures, destination.staging))):
                quoted = quote(str(destination.output))
                if destination.output.is_file() and kind_of(str(destination.output)) == "zip":
                    raise FileError(
                        f"{destination.ledger.parent}, the folder with the ledger of {destination.output}, is missing; "
                        f"without it, only the games in the zip can be checked: jmjp check {quoted}"
                    )
                raise FileError(
                    f"{destination.output} was not written by jmjp batch, convert or tables, so there is nothing to "
                    f"compare it with; to check the games in it, run jmjp check {quoted}"
                )
            if destination.ledger.is_dir():
                raise FileError(f"{destination.ledger} is a directory; move it away")
            again = "run the command that wrote the outputs again"
            if destination.segmented:
                again = "run the command that wrote the outputs again with --force"
            raise FileError(f"{destination.ledger} is missing; {again} to rebuild it")
        try:
            self._ledger, self.recorded = _opened(destination.ledger, self)
            self._ledger.check()
            destination.use(self._ledger)
        except DamagedError as error:
            raise self._useless(error) from error
        if self._ledger.setting("run") is None and destination.summary.exists():  # which is written after the run
            self.close()
            raise self._useless("damaged (it records no run)")

    def total(self) -> int:
        """Return the number of outputs in the ledger."""
        return self._destination.number()

    def run(self) -> Iterator[str]:
        """Read all outputs, and yield for each what is wrong with it, or an empty string. The next run converts those
        that differ again.

        :raises FileError: the ledger is damaged.
        """
        ledger, lost = self._ledger, 0
        try:
            for name, problem in self._destination.compared():
                self.number += bool(name)
                if problem:
                    self.differing += 1
                    lost += self._destination.lose(name)
                yield f"{self._destination.label(name)}: {problem}" if problem else ""
            ledger.note(VERIFIED, str(lost))
            ledger.commit()
        except sqlite3.Error as error:
            raise self._useless(f"damaged ({error})") from error

    def _useless(self, problem: object) -> FileError:
        return FileError(
            f"{self._destination.ledger}: {problem}; run the command that wrote the outputs again to rebuild it"
        )
