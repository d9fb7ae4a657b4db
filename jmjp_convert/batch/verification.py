"""Reads all outputs of a batch again, and compares them with its ledger."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Callable
from contextlib import closing

from jmjp_convert.batch.destination import Place
from jmjp_convert.batch.ledger import VERIFIED, DamagedError, Ledger
from jmjp_convert.errors import FileError

Report = Callable[[str, str], None]


class Verification:
    """A comparison of the outputs at *place* with their ledger, which another process cannot write meanwhile.

    :ivar number: the number of outputs compared so far.
    :ivar differing: the number of those that are not what they must be.
    :raises FileError: there is no ledger that can be read.
    """

    def __init__(self, place: Place) -> None:
        self.number = self.differing = 0
        self._place = place
        if not place.ledger.is_file():
            if not place.output.exists():
                raise FileError(f"{place.output}: no such output")
            again = "run again with --force" if place.segmented else "run again"
            raise FileError(f"{place.ledger} is missing; {again} to rebuild it")
        try:
            self._ledger = Ledger(place.ledger)
            self._ledger.check()
        except DamagedError as error:
            raise self._useless(error) from error
        if clause := place.foreign(json.loads(self._ledger.setting("options") or "{}")):
            self._ledger.close()
            raise FileError(f"{place.output} {clause}; verify it with that command")

    def total(self) -> int:
        """Return the number of outputs in the ledger."""
        return self._place.number(self._ledger)

    def run(self, report: Report, advance: Callable[[], None]) -> None:
        """Read all outputs. The next run converts those that differ again.

        :param report: called with what differs, and how.
        :param advance: called after each output.
        :raises FileError: the ledger is damaged.
        """
        with closing(self._ledger) as ledger:
            lost = 0
            try:
                for name, problem in self._place.compared(ledger):
                    self.number += bool(name)
                    if problem:
                        self.differing += 1
                        report(self._place.label(name), problem)
                        lost += self._place.lose(ledger, name)
                    advance()
                ledger.note(VERIFIED, str(lost))
                ledger.commit()
            except sqlite3.Error as error:
                raise self._useless(f"damaged ({error})") from error

    def _useless(self, problem: object) -> FileError:
        return FileError(f"{self._place.ledger}: {problem}; run again to rebuild it")
