"""Runs a batch: plans chunks of inputs, hands them to workers, and records in a ledger what is done."""

from __future__ import annotations

import json
import os
import sqlite3
import time
from collections import deque
from collections.abc import Callable, Iterator
from contextlib import closing, suppress
from functools import partial
from typing import Protocol

from jmjp_convert.batch import wording
from jmjp_convert.batch.destination import InTheWayError, Place, PutError, longer, name_of
from jmjp_convert.batch.duplicates import DUPLICATE, THERE, Duplicates
from jmjp_convert.batch.executor import Crew, Workers
from jmjp_convert.batch.ledger import VERIFIED, Ledger, Output
from jmjp_convert.batch.product import OutputError
from jmjp_convert.batch.selection import LIST, Candidate, Selection, Sources, select
from jmjp_convert.batch.slots import Slot, Written
from jmjp_convert.batch.summary import Failures, Summary
from jmjp_convert.batch.worker import (
    CONVERTED,
    DIED,
    FAILED,
    KNOWN,
    SKIPPED,
    Failure,
    Item,
    Outcome,
    Settings,
    convert_chunk,
)
from jmjp_convert.errors import ConvertError, FileError
from jmjp_convert.files import outputs
from jmjp_convert.files.archives.entry import Entry, Held, Refused, readable
from jmjp_convert.files.archives.not_logs import REASONS
from jmjp_convert.files.inputs import describe

_ITEMS = 16  # of a chunk: less than a twentieth of a second of work, so that workers end at almost the same time
_SLOTS = 512  # inputs of a chunk, including those that need no work
_BYTES = 4 << 20  # of a chunk that carries the bytes of its inputs
_SECONDS = 1.0  # between commits: each waits for the disk
_OUTPUTS = 4096  # of a commit
_CONTENTS = 16  # of an ID, which a worker recognises without converting them


class Listener(Protocol):
    """Receives the progress of a run."""

    def advance(self, number: int, failed: int) -> None:
        """Handle that *number* more inputs are done, and that *failed* have failed so far."""

    def complete(self) -> None:
        """Handle that all inputs are done; completing the outputs may take a while from here."""

    def warn(self, line: str) -> None:
        """Handle *line*, a problem in an input that is not in the list of failures."""

    def notify(self, what: str, text: str, *, detail: bool) -> None:
        """Handle *text* about the input *what*; *detail*: it failed or was renamed, which the summary counts too."""


class SettingsError(ConvertError):
    """Existing outputs were made with different options."""


class Batch:
    """A run.

    :ivar losses: what the outputs leave out or change.
    :ivar listed: whether the list of failures has been written.
    :param place: where the outputs go.
    :param settings: apply to all inputs.
    :param stopped: returns whether to end as soon as the work in progress is done.
    """

    def __init__(
        self,
        sources: Sources,
        selection: Selection,
        place: Place,
        *,
        settings: Settings,
        listener: Listener,
        stopped: Callable[[], bool],
    ) -> None:
        self.summary = Summary()
        self.listed = False
        self.losses = settings.product.losses()
        sources.max_size = settings.bounds.max_size
        self._sources = sources
        self._selection = selection
        self._place = place
        self._settings = settings
        self._listener = listener
        self._stopped = stopped
        self._slots: deque[list[Slot]] = deque()  # of the chunks in progress
        self._staged: list[Written] = []  # outputs since the last commit
        self._committed = 0.0
        self._origins: set[str] = set()  # the sources with game records
        self._ledger: Ledger
        self._failures: Failures

    # --- counting ---

    def count(self, *, force: bool) -> int:
        """Return the number of inputs to convert, and count the rest in the summary; nothing is written.

        :raises SettingsError: existing outputs were made with different options.
        :raises FileError: the ledger or the output cannot be used.
        """
        self._place.check_free(force=force)
        self._sources.without = self._place.identities()
        ledger, notice = self._place.open(aside=False)
        self._warn(notice)
        with closing(ledger) as self._ledger:
            try:
                if force:
                    ledger.clear(names=False)  # in a transaction that is never committed
                elif notice is None:
                    self._check_options()
                    self.summary.lost = self._place.check(ledger) + int(ledger.setting(VERIFIED) or 0)
                return self._counted()
            except sqlite3.Error as error:
                raise FileError(f"{self._place.ledger}: {error}") from error

    def _counted(self) -> int:
        number = 0
        with Duplicates(self._ledger, self._is_there, self._settings) as duplicates:
            for candidate in select(self._sources.entries, self._selection, self._stopped):
                place = _place_of(candidate.entry)
                outcome = self._known_outcome(candidate, place) or duplicates.outcome(candidate, place)
                self._note_record(candidate.entry, outcome)
                if outcome is None:
                    number += 1
                elif outcome.state == FAILED:
                    assert outcome.failure is not None
                    self.summary.failed[outcome.failure.kind] += 1
                    self._listener.warn(f"{wording.label(candidate.entry)}: {outcome.failure.message}")
                else:
                    self._count(outcome)
        self._note_empty()
        return number

    # --- converting ---

    def run(self, workers: Workers, *, force: bool) -> None:
        """Convert what is missing.

        :raises SettingsError: existing outputs were made with different options.
        :raises ConvertError: the run cannot start.
        """
        self._place.prepare(force=force)
        self._sources.without = self._place.identities()
        self._settings = self._settings._replace(elsewhere=workers.elsewhere)
        try:
            ledger, notice = self._place.open(thorough=force)
        except OutputError as error:
            self.summary.stopped = str(error)
            return
        self._warn(notice)
        damaged = None
        with closing(ledger) as self._ledger:
            try:
                self._begin(force=force)
                with closing(Failures(self._place.failures, self._place.staging)) as self._failures:
                    try:
                        self._work(workers)
                    except (OutputError, OSError, sqlite3.Error):
                        with suppress(OSError):
                            self._keep_list()
                        raise
                    self._keep_list()
            except OutputError as error:
                self.summary.stopped = str(error)
            except sqlite3.Error as error:
                self.summary.stopped = f"{self._place.ledger}: {error}"
                damaged = error if type(error) is sqlite3.DatabaseError else None  # its subclasses have other causes
            except OSError as error:
                self.summary.stopped = describe(error)
            self._note_empty()
            self._end()
        if damaged is not None:
            name = self._place.set_aside(damaged)
            self.summary.stopped = f"{self._place.ledger} is damaged ({damaged}); set aside as {name}"

    def _warn(self, notice: str | None) -> None:
        if notice:
            self._listener.notify(str(self._place.ledger), notice, detail=False)

    def _begin(self, *, force: bool) -> None:
        if force:
            self._ledger.clear(names=not self._place.segmented)
        else:
            self._check_options()
        lost = self._place.begin(self._ledger, force=force)
        self.summary.lost = lost + int(self._ledger.setting(VERIFIED) or 0)
        self._ledger.note(VERIFIED, "0")
        self._ledger.note("options", json.dumps(self._settings.product.options))
        self._ledger.note("run", str(self._ledger.run))
        self._ledger.commit()

    def _check_options(self) -> None:
        """Check that the options are those of earlier runs.

        :raises SettingsError: they are not.
        """
        before = self._ledger.setting("options")
        product = self._settings.product
        if before is not None and before != json.dumps(product.options):
            clause = product.others(json.loads(before))
            raise SettingsError(f"{self._place.output} {clause}; choose another --output or use --force")

    def _keep_list(self) -> None:
        self._failures.keep()
        self.listed = True

    def _work(self, workers: Workers) -> None:
        with Crew(workers, partial(convert_chunk, self._settings), DIED) as crew:
            try:
                for outcomes in crew.outcomes(self._chunks()):
                    self._settle(self._slots.popleft(), outcomes)
            except PutError:  # what has no name yet stays staged
                raise
            except OutputError:
                self._commit()
                raise
            self._commit()  # while the workers end
        self._place.sync(())  # the last names
        self._ledger.commit()
        if not self._stopped():
            self._listener.complete()
            self._place.finish(self._ledger)

    def _end(self) -> None:
        self.summary.end()
        self._place.clean(self._ledger)
        content = json.dumps(self.summary.values(), indent=2, ensure_ascii=False) + "\n"
        path = self._place.summary
        try:
            outputs.replace(str(path), content.encode(), str(path), force=True)  # not through a link
        except FileError as error:
            self.summary.stopped = self.summary.stopped or str(error)

    def _chunks(self) -> Iterator[list[Item]]:
        slots: list[Slot] = []
        items: list[Item] = []
        size = 0
        for candidate in select(self._sources.entries, self._selection, self._stopped):
            slot, item = self._planned(candidate)
            slots.append(slot)
            if item is not None:
                items.append(item)
                size += len(item.fetch.content) if isinstance(item.fetch, Held) else 0
            if len(items) >= _ITEMS or len(slots) >= _SLOTS or size >= _BYTES:
                self._slots.append(slots)
                yield items
                slots, items, size = [], [], 0
        if slots:
            self._slots.append(slots)
            yield items

    def _planned(self, candidate: Candidate) -> tuple[Slot, Item | None]:
        entry, log_id, _ = candidate
        place, chosen = _place_of(entry), candidate.chosen
        outcome = self._known_outcome(candidate, place)
        if outcome is not None:
            return Slot(entry, log_id, place, chosen, outcome), None
        known = self._ledger.digests(log_id.text, _CONTENTS) if log_id else []
        digests = tuple(digest for name, digest in known if self._is_there(name))
        # The slot does not need the bytes.
        return Slot(entry._replace(fetch=Held(b"")), log_id, place, chosen), Item(entry.fetch, entry.name, digests)

    def _known_outcome(self, candidate: Candidate, place: tuple[str, str, str]) -> Outcome | None:
        """Return the outcome of an input if it is known without reading it, as from an earlier run."""
        if candidate.passed:
            return Outcome(SKIPPED, reason=candidate.passed)
        if isinstance(candidate.entry.fetch, Refused):
            return Outcome(FAILED, failure=Failure(*candidate.entry.fetch))
        found = self._ledger.input(*place)
        if found is None:
            return None
        state, detail = found
        if state == SKIPPED:
            return Outcome(SKIPPED, reason=detail)
        if not self._is_there(detail):
            return None
        return Outcome(SKIPPED, reason=DUPLICATE) if state == KNOWN else Outcome(THERE)

    def _is_there(self, name: str) -> bool:
        """Return whether the output *name* is what it must be; if it is not, the ledger notes that."""
        output = self._ledger.output(name)
        if output is None or output.lost:
            return False
        if self._place.is_there(self._ledger, name, output.staged):
            return True
        self._ledger.lose(name)
        self.summary.lost += 1
        return False

    # --- results ---

    def _settle(self, slots: list[Slot], outcomes: list[Outcome]) -> None:
        """Note the results of *slots*; *outcomes* are of those that workers converted."""
        worked = iter(outcomes)
        for slot in slots:
            self._settle_one(slot, slot.outcome or next(worked), ready=slot.outcome is not None)
        for segment in {outcome.staged.name for outcome in outcomes if outcome.staged} if self._place.segmented else ():
            self._ledger.add_segment(segment)
        if len(self._staged) >= _OUTPUTS or time.monotonic() - self._committed >= _SECONDS:
            self._commit()
        number = sum(slot.chosen for slot in slots) if self._selection.bounded else len(slots)
        self._listener.advance(number, self.summary.failed.total())

    def _commit(self) -> None:
        """Put what is staged on disk, then record it in the ledger, then give it its names: at no time is something
        recorded, or at its name, that a power cut could take away.

        :raises OutputError: an output cannot be moved.
        """
        self._place.sync(one.staged for one in self._staged)
        self._ledger.commit()
        recorded, self._staged = self._staged, []
        for one in recorded:
            self._count_converted(one, 1)
        for one in recorded:
            try:
                self._place.put(one.name, one.staged, ours=one.ours)
            except InTheWayError as error:
                self._ledger.withdraw(one.name)
                self._count_converted(one, -1)
                self._fail(one.slot, _in_the_way(error))
        self._place.note_put(self._ledger)
        self._committed = time.monotonic()

    def _note_record(self, entry: Entry, outcome: Outcome | None) -> None:
        """Note whether an input is a game record, or was one that cannot be read."""
        if outcome is None or outcome.state != SKIPPED or outcome.reason not in REASONS:
            self._origins.add(entry.origin)

    def _note_empty(self) -> None:
        """Note which sources have no game records, after all inputs."""
        self.summary.interrupted = self._stopped()
        if not (self.summary.interrupted or self.summary.stopped):
            self.summary.empty = [name for name in self._sources.finished if name not in self._origins]
        # A list may well be empty, as of what is new since yesterday.
        self.summary.found = not self.summary.empty or bool(self._origins) or LIST in self.summary.empty

    def _settle_one(self, slot: Slot, outcome: Outcome, *, ready: bool) -> None:
        self._note_record(slot.entry, outcome)
        for one in outcome.lost:
            self.losses.add(one)
        for text in outcome.notices:
            self._listener.notify(wording.label(slot.entry), text, detail=False)
        if outcome.state == FAILED:
            assert outcome.failure is not None
            self._fail(slot, outcome.failure)
        elif ready:
            self._count(outcome)
        elif outcome.state == SKIPPED:
            self._ledger.add_input(slot.place, SKIPPED, outcome.reason)
            self._count(outcome)
        else:
            self._settle_output(slot, outcome)

    def _fail(self, slot: Slot, failure: Failure) -> None:
        self.summary.failed[failure.kind] += 1
        self._failures.add(slot.entry, slot.log_id.text if slot.log_id else None, failure)
        where = ", ".join(filter(None, [failure.frame and f"frame {failure.frame}", wording.place(failure)]))
        said = f"{where}: {failure.message}" if where else failure.message
        self._listener.notify(wording.label(slot.entry), said, detail=True)

    def _settle_output(self, slot: Slot, outcome: Outcome) -> None:
        """Choose the name of the output of *slot*, unless the same content has been converted already."""
        key = slot.log_id.text if slot.log_id else outcome.digest
        for name, run in self._ledger.outputs(key, outcome.digest):
            if self._is_there(name):
                if outcome.staged is not None:
                    self._place.drop(outcome.staged)
                # A copy from another source is a duplicate, in whichever run the first was converted.
                is_first = run != self._ledger.run and self._ledger.is_first(*slot.place[:2], name)
                self._ledger.add_input(slot.place, CONVERTED if is_first else KNOWN, name)
                self._count(Outcome(THERE) if is_first else Outcome(SKIPPED, reason=DUPLICATE))
                return
        if outcome.staged is None:  # what it equals has been lost since, and is converted again
            self._count(Outcome(SKIPPED, reason=DUPLICATE))
            return
        suffix = self._settings.product.suffix
        own = name = name_of(slot.log_id, outcome.digest, suffix)
        digits = 8
        while (known := self._ledger.output(name)) and not known.unclaimed and self._is_there(name):
            name = longer(own, outcome.digest, suffix, digits)
            digits += 8
        try:
            there = self._place.there(self._ledger, name, outcome.staged)
        except InTheWayError as error:
            self._place.drop(outcome.staged)
            self._fail(slot, _in_the_way(error))
            return
        ours = self._place.force or known is not None
        self._place.add(
            self._ledger, Output(name, key, outcome.digest, self._ledger.run, ours, there or outcome.staged)
        )
        self._ledger.add_input(slot.place, CONVERTED, name)
        if there:
            self._place.drop(outcome.staged)
            self._count(Outcome(THERE))
            return
        self._staged.append(Written(slot, name, outcome.staged, ours, bool(outcome.problems), name != own))
        for problem in outcome.problems:
            self._listener.warn(problem.about(wording.label(slot.entry)))
        if name != own:
            self._listener.notify(
                wording.label(slot.entry), f"another game has this log ID; written as {name}", detail=True
            )

    def _count_converted(self, one: Written, number: int) -> None:
        """Add *number*, 1 or -1, to the counts of an output that is recorded."""
        self.summary.converted += number
        self.summary.with_problems += number * one.with_problems
        self.summary.renamed += number * one.renamed

    def _count(self, outcome: Outcome) -> None:
        if outcome.state == SKIPPED:
            self.summary.skipped[outcome.reason] += 1
        else:
            self.summary.already_there += 1


def _in_the_way(error: InTheWayError) -> Failure:
    return Failure("exists", error.reason)


def _place_of(entry: Entry) -> tuple[str, str, str]:
    return readable(os.path.abspath(entry.source)), entry.member, entry.stamp
