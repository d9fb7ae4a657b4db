"""Compares the outputs of earlier runs with what their ledger says of them."""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from shlex import quote

from jmjp_convert.batch.destination import Destination
from jmjp_convert.batch.ledger import VERIFIED, DamagedError, Ledger
from jmjp_convert.errors import FileError


class Verification:
    """A comparison of the outputs at *destination* with their ledger, which another process cannot write meanwhile.

    :ivar number: the number of outputs compared so far.
    :ivar differing: the number of those that are not what they must be.
    :raises FileError: there is no ledger that can be read.
    """

    def __init__(self, destination: Destination) -> None:
        self.number = self.differing = 0
        self._destination = destination
        if not destination.ledger.is_file():
            if not destination.output.exists():
                raise FileError(f"{destination.output}: no such output")
            if not any(map(os.path.lexists, (destination.summary, destination.failures, destination.staging))):
                quoted = quote(str(destination.output))
                if destination.ledger.parent != destination.output:
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
            self._ledger = Ledger(destination.ledger)
            self._ledger.check()
        except DamagedError as error:
            raise self._useless(error) from error
        if self._ledger.setting("run") is None and destination.summary.exists():  # which is written after the run
            self._ledger.close()
            raise self._useless("damaged (it records no run)")

    def total(self) -> int:
        """Return the number of outputs in the ledger."""
        return self._destination.number(self._ledger)

    def run(self) -> Iterator[str]:
        """Read all outputs, and yield for each what is wrong with it, or an empty string. The next run converts those
        that differ again.

        :raises FileError: the ledger is damaged.
        """
        with closing(self._ledger) as ledger:
            lost = 0
            try:
                for name, problem in self._destination.compared(ledger):
                    self.number += bool(name)
                    if problem:
                        self.differing += 1
                        lost += self._destination.lose(ledger, name)
                    yield f"{self._destination.label(name)}: {problem}" if problem else ""
                ledger.note(VERIFIED, str(lost))
                ledger.commit()
            except sqlite3.Error as error:
                raise self._useless(f"damaged ({error})") from error

    def _useless(self, problem: object) -> FileError:
        return FileError(
            f"{self._destination.ledger}: {problem}; run the command that wrote the outputs again to rebuild it"
        )
