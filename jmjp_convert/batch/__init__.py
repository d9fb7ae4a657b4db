"""Runs a batch: plans chunks of inputs, hands them to workers, and records in a ledger what is done."""

from __future__ import annotations

import json
import os
import sqlite3
from collections import deque
from collections.abc import Callable, Iterator
from contextlib import closing
from typing import NamedTuple, Protocol

from jmjp_convert.batch.destination import Place, longer, name_of
from jmjp_convert.batch.executor import Crew, Workers
from jmjp_convert.batch.ledger import Ledger, Output
from jmjp_convert.batch.selection import Candidate, Selection, Sources, select
from jmjp_convert.batch.summary import Failures, Summary
from jmjp_convert.batch.worker import (
    CONVERTED,
    FAILED,
    KNOWN,
    SKIPPED,
    Chunk,
    Failure,
    Item,
    Outcome,
    OutputError,
    Settings,
    Staged,
)
from jmjp_convert.convert import Losses, Writing
from jmjp_convert.errors import ConvertError
from jmjp_convert.files.archives.entry import Entry, Held, Refused
from jmjp_convert.files.inputs import describe
from jmjp_convert.files.outputs import write
from jmjp_convert.model.log_ids import LogId

DUPLICATE = "duplicates"
_THERE = "already there"

_ITEMS = 64  # of a chunk: a fifth of a second of work
_SLOTS = 512  # inputs of a chunk, including those that need no work
_BYTES = 4 << 20  # of a chunk that carries the bytes of its inputs


class Listener(Protocol):
    """Receives the progress of a run."""

    def advance(self, number: int, failed: int) -> None:
        """Handle that *number* more inputs are done, and that *failed* have failed so far."""

    def warn(self, what: str, text: str) -> None:
        """Handle *text*, a problem in *what*, which was converted nevertheless."""

    def notify(self, what: str, text: str, *, detail: bool) -> None:
        """Handle *text* about the input *what*; *detail*: it failed or was renamed, which the summary counts too."""


class SettingsError(ConvertError):
    """Existing outputs were made with different options."""


class Slot(NamedTuple):
    """An input of a chunk: for the worker, or with an *outcome* that is known without it.

    :ivar place: source, member and stamp, as in the ledger.
    :ivar direct: whether the worker itself moves the output into place.
    """

    entry: Entry
    log_id: LogId | None
    place: tuple[str, str, str]
    outcome: Outcome | None = None
    direct: bool = False


class Batch:
    """A run.

    :ivar losses: what the outputs leave out or change.
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
        self.losses = Losses(settings.writing.to)
        sources.max_size = settings.bounds.max_size
        self._sources = sources
        self._selection = selection
        self._place = place
        self._settings = settings
        self._listener = listener
        self._stopped = stopped
        self._slots: deque[list[Slot]] = deque()  # of the chunks in progress
        self._begun: set[str] = set()  # the IDs in them whose outputs the workers move into place
        self._ledger: Ledger
        self._failures: Failures

    # --- counting ---

    def count(self) -> int:
        """Return the number of inputs to convert, and count the rest in the summary; nothing is written."""
        number = 0
        self._sources.without = self._place.identities()
        with closing(Ledger(self._place.ledger if self._place.ledger.exists() else None)) as self._ledger:
            for candidate in select(self._sources.entries, self._selection, self._stopped):
                outcome = self._known_outcome(candidate, _place_of(candidate.entry))
                if outcome is None:
                    number += 1
                elif outcome.state == FAILED:
                    assert outcome.failure is not None
                    self.summary.failed[outcome.failure.kind] += 1
                else:
                    self._count(outcome)
        self.summary.interrupted = self._stopped()
        return number

    # --- converting ---

    def run(self, workers: Workers, *, force: bool) -> None:
        """Convert what is missing.

        :raises SettingsError: existing outputs were made with different options.
        :raises ConvertError: the run cannot start.
        """
        self._place.prepare()
        self._sources.without = self._place.identities()
        try:
            ledger = Ledger(self._place.ledger)
        except OutputError as error:
            self.summary.stopped = str(error)
            return
        with closing(ledger) as self._ledger:
            try:
                self._begin(force=force)
                with closing(Failures(self._place.failures, self._place.staging)) as self._failures:
                    self._work(workers)
                    self._failures.keep()
            except OutputError as error:
                self.summary.stopped = str(error)
            except sqlite3.Error as error:
                self.summary.stopped = f"{self._place.ledger}: {error}"
            except OSError as error:
                self.summary.stopped = describe(error)
            self.summary.interrupted = self._stopped()
            self._end()

    def _begin(self, *, force: bool) -> None:
        settings = self._settings
        options = json.dumps(settings.writing.outcome)
        before = self._ledger.setting("options")
        if force:
            self._ledger.clear()
        elif before is not None and before != options:
            others = ", ".join(_others(json.loads(before), settings.writing.outcome))
            raise SettingsError(
                f"{self._place.output} was made with other options ({others}); choose another --output or use --force"
            )
        self._place.begin(self._ledger, force=force)
        self._ledger.note("options", options)
        self._ledger.note("run", str(self._ledger.run))
        self._ledger.commit()

    def _work(self, workers: Workers) -> None:
        with Crew(workers) as crew:
            for outcomes in crew.outcomes(self._chunks()):
                self._settle(self._slots.popleft(), outcomes)
        if not self._stopped():
            self._place.finish(self._ledger)

    def _end(self) -> None:
        self.summary.end()
        self._place.clean()
        content = json.dumps(self.summary.values(), indent=2, ensure_ascii=False) + "\n"
        try:
            write(self._place.summary, content.encode(), force=True)
        except ConvertError as error:
            self.summary.stopped = self.summary.stopped or str(error)

    def _chunks(self) -> Iterator[Chunk]:
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
                yield Chunk(self._settings, tuple(items))
                slots, items, size = [], [], 0
        if slots:
            self._slots.append(slots)
            yield Chunk(self._settings, tuple(items))

    def _planned(self, candidate: Candidate) -> tuple[Slot, Item | None]:
        entry, log_id, _ = candidate
        place = _place_of(entry)
        outcome = self._known_outcome(candidate, place)
        if outcome is not None:
            return Slot(entry, log_id, place, outcome), None
        known = self._ledger.outputs(log_id.text) if log_id else []
        # The name of an ID's first output needs no decision, and workers do not get in each other's way.
        direct = log_id is not None and not known and log_id.text not in self._begun and not self._settings.zipped
        target = name_of(log_id, "", self._settings.writing.suffix) if direct else None
        if log_id is not None and direct:
            self._begun.add(log_id.text)
        digests = tuple(digest for _, digest, _ in known)
        # The slot does not need the bytes.
        slot = Slot(entry._replace(fetch=Held(b"")), log_id, place, direct=direct)
        return slot, Item(entry.fetch, entry.name, target, digests)

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
        if not self._place.is_there(detail):
            self._ledger.forget_output(detail)
            return None
        return Outcome(SKIPPED, reason=DUPLICATE) if state == KNOWN else Outcome(_THERE)

    # --- results ---

    def _settle(self, slots: list[Slot], outcomes: list[Outcome]) -> None:
        """Record the results of *slots*; *outcomes* are of those that workers converted."""
        worked = iter(outcomes)
        for slot in slots:
            self._settle_one(slot, slot.outcome or next(worked), ready=slot.outcome is not None)
        for segment in {outcome.staged.name for outcome in outcomes if outcome.staged} if self._place.zipped else ():
            self._ledger.add_segment(segment)
        self._ledger.commit()
        self._listener.advance(len(slots), self.summary.failed.total())

    def _settle_one(self, slot: Slot, outcome: Outcome, *, ready: bool) -> None:
        if slot.direct and slot.log_id is not None:
            self._begun.discard(slot.log_id.text)
        for one in outcome.lost:
            self.losses.add(one)
        for text in outcome.notices:
            self._listener.notify(_label(slot.entry), text, detail=False)
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
        where = ", ".join(filter(None, [failure.frame and f"frame {failure.frame}", _place(failure)]))
        said = f"{where}: {failure.message}" if where else failure.message
        self._listener.notify(_label(slot.entry), said, detail=True)

    def _settle_output(self, slot: Slot, outcome: Outcome) -> None:
        """Give the output of *slot* its name, unless the same content has been converted already."""
        key = slot.log_id.text if slot.log_id else outcome.digest
        others = [] if slot.direct else self._ledger.outputs(key)
        for name, digest, run in others:
            if digest == outcome.digest:
                if outcome.staged is not None:
                    self._place.drop(outcome.staged)
                earlier = run != self._ledger.run
                self._ledger.add_input(slot.place, CONVERTED if earlier else KNOWN, name)
                self._count(Outcome(_THERE) if earlier else Outcome(SKIPPED, reason=DUPLICATE))
                return
        suffix = self._settings.writing.suffix
        own = name = name_of(slot.log_id, outcome.digest, suffix)
        taken = {other for other, _, _ in others}
        digits = 8
        while name in taken:
            name = longer(own, outcome.digest, suffix, digits)
            digits += 8
        if outcome.staged is not None:
            self._place.put(outcome.staged, name)
        self._ledger.add_output(Output(name, key, outcome.digest, self._ledger.run, outcome.staged or Staged("")))
        self._ledger.add_input(slot.place, CONVERTED, name)
        self.summary.converted += 1
        self.summary.with_problems += bool(outcome.problems)
        for text in outcome.problems:
            self._listener.warn(_label(slot.entry), text)
        if name != own:
            self.summary.renamed += 1
            self._listener.notify(_label(slot.entry), f"another game has this log ID; written as {name}", detail=True)

    def _count(self, outcome: Outcome) -> None:
        if outcome.state == SKIPPED:
            self.summary.skipped[outcome.reason] += 1
        else:
            self.summary.already_there += 1


def _others(before: dict[str, object], now: dict[str, object]) -> Iterator[str]:
    """Yield the options *before* that differ from those *now*, as they are written on the command line."""
    usual = Writing(str(before["to"])).outcome | Writing(str(now["to"])).outcome
    for name in before | now:
        value = before.get(name, usual[name])
        if value != now.get(name, usual[name]):
            flag = f"--{name.replace('_', '-')}"
            yield flag if value is True else f"{flag} {value}" if value else f"no {flag}"


def _place_of(entry: Entry) -> tuple[str, str, str]:
    return os.path.abspath(entry.source), entry.member, entry.stamp  # noqa: PTH100 - called for every input


def _label(entry: Entry) -> str:
    return f"{entry.source}: {entry.member}" if entry.member else entry.source


def _place(failure: Failure) -> str:
    """Return the location of a failure in its text, as far as that is known."""
    if failure.number is not None:
        return f"element {failure.number} {failure.element}"
    return ", ".join(
        f"{name} {value}" for name, value in (("line", failure.line), ("column", failure.column)) if value is not None
    )
