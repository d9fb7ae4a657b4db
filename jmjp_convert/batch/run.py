"""Runs a batch: plans chunks of inputs, hands them to workers, and records in a ledger what is done."""

from __future__ import annotations

import hashlib
import json
import os
import pickle
import sqlite3
import time
from collections import deque
from collections.abc import Callable, Iterator
from contextlib import ExitStack, closing, suppress
from functools import partial
from itertools import takewhile
from typing import NamedTuple, Protocol

from jmjp_convert.batch.destination import SHORT, Destination, InTheWayError, PutError, longer, name_of
from jmjp_convert.batch.executor import Crew, Workers
from jmjp_convert.batch.ledger import VERIFIED, InputKey, Ledger, Output
from jmjp_convert.batch.selection import Candidate, Selection, Sources, select
from jmjp_convert.batch.summary import Failures, Summary
from jmjp_convert.batch.survey import DUPLICATE, Skipped, skipped
from jmjp_convert.batch.worker import (
    CONVERTED,
    DIED,
    FAILED,
    KNOWN,
    SKIPPED,
    Failure,
    Item,
    Outcome,
    OutputError,
    Settings,
    Staged,
    convert_chunk,
    failure,
)
from jmjp_convert.errors import ConvertError, FileError
from jmjp_convert.files import outputs
from jmjp_convert.files.archives import Fetcher
from jmjp_convert.files.archives.entry import Entry, Fetch, InMemory, Refused, readable
from jmjp_convert.files.archives.not_logs import REASONS
from jmjp_convert.files.inputs import STDIN, describe
from jmjp_convert.files.temporaries import identities
from jmjp_convert.formats.format import Lost
from jmjp_convert.messages import Kind
from jmjp_convert.model.log_ids import LogId

ENDING = (KeyboardInterrupt, SystemExit)
"""What signals raise that end a run at once."""

THERE = "already there"

_HIDDEN = "left out, because the output is anonymous"
"""The message of failures there."""

_UNREQUESTED_SKIPS = REASONS | {DUPLICATE}
"""The reasons to skip an input that nobody asked for, by an option or by the choice of a format."""

_ITEMS_PER_CHUNK = 16  # less than a twentieth of a second of work, so that workers end at almost the same time
_SLOTS_PER_CHUNK = 512  # with inputs that need no work
_BYTES_PER_CHUNK = 4 << 20  # of inputs that are in memory
_SECONDS_BETWEEN_COMMITS = 1.0  # each waits for the disk
_OUTPUTS_PER_COMMIT = 4096
_KNOWN_CONTENTS_PER_ID = 16  # that a worker recognizes without converting them


class _Slot(NamedTuple):
    """An input of a chunk: for the worker, or with an *outcome* that is known without it."""

    entry: Entry
    log_id: LogId | None
    key: InputKey  # as in the ledger
    chosen: bool  # whether it counts towards a limit or sample
    outcome: Outcome | None = None


class _Waiting(NamedTuple):
    """An output that is staged, and to get its *name* once it is recorded."""

    slot: _Slot
    name: str
    staged: Staged
    ours: bool  # whether something at that name may be overwritten
    with_problems: bool
    renamed: bool


class Listener(Protocol):
    """Receives the progress of a run."""

    def advance(self, number: int, failed: int) -> None:
        """Note that *number* more inputs are done; *failed* have failed so far."""

    def complete(self) -> None:
        """Note that all inputs are done; completing the outputs may take a while from here."""

    def warn(self, line: str, kind: Kind = Kind.WARNING) -> None:
        """Report *line*, a problem in an input that is not in the list of failures."""

    def notify(self, what: str, text: str, kind: Kind = Kind.WARNING, *, detail: bool = False) -> None:
        """Report *text* about the input *what*.

        :param detail: whether it says that the input failed, was renamed or skipped, which the summary counts too.
        """


class SettingsError(ConvertError):
    """Existing outputs were made with different options."""


class Batch:
    """A run.

    :param stopped: returns whether to end as soon as the work in progress is done.
    """

    def __init__(
        self,
        sources: Sources,
        selection: Selection,
        destination: Destination,
        *,
        settings: Settings,
        listener: Listener,
        stopped: Callable[[], bool],
    ) -> None:
        self.summary = Summary()

        self.lost: dict[Lost, None] = {}  # what the outputs leave out or change
        self._sources = sources
        self._selection = selection
        self._destination = destination
        self._settings = settings
        self._listener = listener
        self._stopped = stopped
        self._slots: deque[list[_Slot]] = deque()  # of the chunks in progress
        self._staged: list[_Waiting] = []  # outputs since the last commit
        self._committed = 0.0
        self._origins: set[str] = set()  # the sources with game records
        self._ledger: Ledger
        self._failures: Failures

    @property
    def anonymous(self) -> bool:
        """Whether nothing in the output may say which inputs it was made from."""
        return self._settings.recipe.anonymous

    # --- counting ---

    def count(self, *, force: bool) -> int:
        """Return the number of inputs to convert, and count the rest in the summary; nothing is written.

        :raises SettingsError: existing outputs were made with different options.
        :raises FileError: the ledger or the output cannot be used.
        """
        self._destination.check_free(force=force)
        ledger, notice = self._destination.open(aside=False)
        self._warn(notice)
        with closing(ledger) as self._ledger:
            try:
                self._check_options(force=force)
                if force:
                    ledger.clear(names=False)  # in a transaction that is never committed
                elif notice is None:
                    self.summary.lost = self._destination.check() + int(ledger.setting(VERIFIED) or 0)
                return self._counted()
            except sqlite3.Error as error:
                raise FileError(f"{self._destination.ledger}: {error}") from error

    def _counted(self) -> int:
        number = 0
        with _Duplicates(self._ledger, self._is_unchanged, self._settings) as duplicates:
            for candidate in self._selected():
                key = self._key_of(candidate.entry)
                outcome = self._known_outcome(candidate, key) or duplicates.outcome(candidate, key)
                self._note_record(candidate.entry, outcome)
                if outcome is None:
                    number += 1
                elif outcome.failure:
                    self.summary.failed[outcome.failure.kind] += 1
                    self._listener.warn(f"{candidate.entry.label}: {outcome.failure.message}", Kind.ERROR)
                else:
                    self._count(candidate.entry, outcome)
        self._note_empty()
        return number

    # --- converting ---

    def run(self, workers: Workers, *, force: bool) -> None:
        """Convert what is missing.

        :raises SettingsError: existing outputs were made with different options.
        :raises ConvertError: the run cannot start.
        """
        self._destination.prepare(force=force)
        self._settings = self._settings._replace(elsewhere=workers.elsewhere)
        try:
            ledger, notice = self._destination.open(thorough=force)
        except OutputError as error:
            self.summary.stopped = str(error)
            return
        self._warn(notice)
        damaged = None
        with closing(ledger) as self._ledger:
            try:
                self._begin(force=force)
                self._unfinish()
                with closing(Failures(self._destination.failures, self._destination.staging)) as self._failures:
                    try:
                        self._work(workers)
                    except FileError:
                        raise
                    except (OutputError, OSError, sqlite3.Error, *ENDING):
                        with suppress(OSError):
                            self._failures.keep()
                        raise
                    self._failures.keep()
            except ENDING:
                self.summary.interrupted = True
                self._end()
                raise
            except OutputError as error:
                self.summary.stopped = str(error)
            except sqlite3.Error as error:
                self.summary.stopped = f"{self._destination.ledger}: {error}"
                damaged = error if type(error) is sqlite3.DatabaseError else None  # its subclasses have other causes
            except FileError:
                raise
            except OSError as error:
                self.summary.stopped = describe(error)
            self._note_empty()
            self._end()
        if damaged is not None:
            name = self._destination.set_aside(damaged)
            self.summary.stopped = f"{self._destination.ledger} is damaged ({damaged}); set aside as {name}"

    def _warn(self, notice: str | None) -> None:
        if notice:
            self._listener.notify(str(self._destination.ledger), notice)

    def _begin(self, *, force: bool) -> None:
        self._check_options(force=force)
        if force:
            self._ledger.clear(names=not self._destination.segmented)
        lost = self._destination.begin(force=force)
        self.summary.lost = lost + int(self._ledger.setting(VERIFIED) or 0)
        self._ledger.note(VERIFIED, "0")
        self._ledger.note("options", json.dumps(self._settings.recipe.options))
        self._ledger.note("run", str(self._ledger.run))
        self._ledger.commit()

    def _check_options(self, *, force: bool) -> None:
        """Check that the options are those of earlier runs. Even with *force*, an output does not become one of games
        with names and games without: files and the ledger of earlier runs stay, whatever this run writes."""
        recorded, recipe, output = self._ledger.setting("options"), self._settings.recipe, self._destination.output
        if recorded is None or recorded == json.dumps(recipe.options):
            return
        before = json.loads(recorded)
        if bool(before.get("anonymous")) != self.anonymous:
            if self.anonymous:
                raise SettingsError(f"{output} was made without --anonymous; choose another --output")
            raise SettingsError(f"{output} was made with --anonymous; choose another --output")
        if not force:
            raise SettingsError(f"{output} {recipe.others(before)}; choose another --output or use --force")

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
        self._destination.sync(())  # the last names
        self._ledger.commit()
        if not self._stopped():
            self._listener.complete()
            self._destination.finish()

    def _unfinish(self) -> None:
        """Replace what an earlier run reported, so that a run which is killed leaves nothing that looks like its
        result."""
        try:
            self._write_summary(interrupted=True)
        except FileError as error:
            raise OutputError(str(error)) from error
        if self._destination.failures.exists():
            self._destination.failures.unlink()

    def _end(self) -> None:
        self.summary.end()
        self._destination.clean()
        try:
            self._write_summary()
        except FileError as error:
            self.summary.stopped = self.summary.stopped or str(error)

    def _write_summary(self, **changed: object) -> None:
        content = json.dumps(self.summary.values() | changed, indent=2, ensure_ascii=False) + "\n"
        path = str(self._destination.summary)
        outputs.replace(path, content.encode(), path, force=True)  # not through a link

    def _chunks(self) -> Iterator[list[Item]]:
        slots: list[_Slot] = []
        items: list[Item] = []
        size = 0
        for candidate in self._selected():
            slot, item = self._planned(candidate)
            slots.append(slot)
            if item is not None:
                items.append(item)
                size += len(item.fetch.content) if isinstance(item.fetch, InMemory) else 0
            if len(items) >= _ITEMS_PER_CHUNK or len(slots) >= _SLOTS_PER_CHUNK or size >= _BYTES_PER_CHUNK:
                self._slots.append(slots)
                yield items
                slots, items, size = [], [], 0
        if slots:
            self._slots.append(slots)
            yield items

    def _entries(self) -> Iterator[Entry]:
        without = identities([self._destination.home, self._destination.output])
        entries = self._sources.entries(self._settings.reading.max_size, without)
        return takewhile(lambda _: not self._stopped(), entries)

    def _selected(self) -> Iterator[Candidate]:
        """Yield the chosen inputs. Of one that is to be anonymous, the log ID is not known any more."""
        for candidate in select(self._entries, self._selection):
            yield candidate._replace(log_id=None) if self.anonymous else candidate

    def _key_of(self, entry: Entry) -> InputKey:
        """Return the key of an input in the ledger: digests, if that may not say which input it is."""
        key = readable(os.path.abspath(entry.source)), entry.member, entry.stamp
        if not self.anonymous:
            return key
        source, member, stamp = (hashlib.sha256(part.encode("utf-8", "surrogatepass")).hexdigest() for part in key)
        return source, member, stamp

    def _planned(self, candidate: Candidate) -> tuple[_Slot, Item | None]:
        entry, log_id, _ = candidate
        key = self._key_of(entry)
        slot = _Slot(entry, log_id, key, candidate.chosen, self._known_outcome(candidate, key))
        if slot.outcome is not None:
            return slot, None
        known = self._ledger.digests(log_id.text, _KNOWN_CONTENTS_PER_ID) if log_id else []
        digests = tuple(digest for name, digest in known if self._is_unchanged(name))
        # The slot does not need the bytes.
        return slot._replace(entry=entry._replace(fetch=InMemory(b""))), Item(entry.fetch, entry.name, digests)

    def _known_outcome(self, candidate: Candidate, key: InputKey) -> Outcome | None:
        """Return the outcome of an input if it is known without reading it, as from an earlier run."""
        if candidate.passed:
            return Outcome(SKIPPED, reason=candidate.passed)
        if isinstance(candidate.entry.fetch, Refused):
            return Outcome(FAILED, failure=Failure(*candidate.entry.fetch))
        recorded = self._ledger.input(key)
        if recorded is None:
            return None
        state, detail = recorded
        if state == SKIPPED:
            return Outcome(SKIPPED, reason=detail)
        if not self._is_unchanged(detail):
            return None
        return Outcome(SKIPPED, reason=DUPLICATE) if state == KNOWN else Outcome(THERE)

    def _is_unchanged(self, name: str) -> bool:
        """Return whether the output *name* is recorded and unchanged; if it has changed, the ledger notes that."""
        output = self._ledger.output(name)
        if output is None or output.lost:
            return False
        if self._destination.is_unchanged(name, output.staged):
            return True
        self._ledger.lose(name)
        self.summary.lost += 1
        return False

    # --- results ---

    def _settle(self, slots: list[_Slot], outcomes: list[Outcome]) -> None:
        """Note the results of *slots*; *outcomes* are of those that workers converted."""
        worked = iter(outcomes)
        for slot in slots:
            self._settle_slot(slot, slot.outcome or next(worked))
        if len(self._staged) >= _OUTPUTS_PER_COMMIT or time.monotonic() - self._committed >= _SECONDS_BETWEEN_COMMITS:
            self._commit()
        number = sum(slot.chosen for slot in slots) if self._selection.bounded else len(slots)
        self._listener.advance(number, self.summary.failed.total())

    def _commit(self) -> None:
        """Put what is staged on disk, then record it in the ledger, then give it its names: at no time is something
        recorded, or at its name, that a power cut could take away.

        :raises OutputError: an output cannot be moved.
        """
        self._destination.sync(waiting.staged for waiting in self._staged)
        self._ledger.commit()
        recorded, self._staged = self._staged, []
        for waiting in recorded:
            self._count_converted(waiting, 1)
        for waiting in recorded:
            try:
                self._destination.put(waiting.name, waiting.staged, ours=waiting.ours)
            except InTheWayError as error:
                self._ledger.withdraw(waiting.name)
                self._count_converted(waiting, -1)
                self._fail(waiting.slot, Failure("exists", error.reason))
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
        # A list may be empty, such as that of new games since yesterday.
        self.summary.has_records = not self.summary.empty or bool(self._origins) or STDIN in self.summary.empty

    def _settle_slot(self, slot: _Slot, outcome: Outcome) -> None:
        self._note_record(slot.entry, outcome)
        self.lost.update(dict.fromkeys(outcome.remarks.lost))
        for text in outcome.remarks.notices:
            self._listener.notify(slot.entry.label, text)
        if outcome.failure:
            self._fail(slot, outcome.failure)
        elif slot.outcome is not None:
            self._count(slot.entry, outcome)
        elif outcome.state == SKIPPED:
            self._ledger.add_input(slot.key, SKIPPED, outcome.reason)
            self._count(slot.entry, outcome)
        else:
            self._settle_output(slot, outcome)

    def _fail(self, slot: _Slot, failure: Failure) -> None:
        self.summary.failed[failure.kind] += 1
        if self.anonymous:
            hidden = slot.entry._replace(source="", member="")
            self._failures.add(hidden, None, Failure(failure.kind, _HIDDEN))
            self._listener.warn(f"{slot.entry.label}: {failure.text}", Kind.ERROR)
            return
        self._failures.add(slot.entry, slot.log_id.text if slot.log_id else None, failure)
        self._listener.notify(slot.entry.label, failure.text, Kind.ERROR, detail=True)

    def _settle_output(self, slot: _Slot, outcome: Outcome) -> None:
        """Choose the name of the output of *slot*, unless the same content has been converted already."""
        key = slot.log_id.text if slot.log_id else outcome.digest
        for name, run in self._ledger.outputs(key, outcome.digest):
            if self._is_unchanged(name):
                if outcome.staged is not None:
                    self._destination.drop(outcome.staged)
                # A copy from another source is a duplicate, in whichever run the first was converted.
                is_first = run != self._ledger.run and self._ledger.is_first(slot.key, name)
                self._ledger.add_input(slot.key, CONVERTED if is_first else KNOWN, name)
                self._count(slot.entry, Outcome(THERE) if is_first else Outcome(SKIPPED, reason=DUPLICATE))
                return
        if outcome.staged is None:  # what it equals has been lost since, and is converted again
            self._count(slot.entry, Outcome(SKIPPED, reason=DUPLICATE))
            return
        suffix = self._settings.recipe.suffix
        usual = name = name_of(slot.log_id, outcome.digest, suffix)
        digits = 0
        while (known := self._ledger.output(name)) and not known.unclaimed and self._is_unchanged(name):
            digits += SHORT
            name = longer(usual, outcome.digest, suffix, digits)
        try:
            unrecorded = self._destination.unrecorded(name, outcome.staged)
        except InTheWayError as error:
            self._destination.drop(outcome.staged)
            self._fail(slot, Failure("exists", error.reason))
            return
        ours = self._destination.force or known is not None
        self._destination.add(Output(name, key, outcome.digest, self._ledger.run, ours, unrecorded or outcome.staged))
        self._ledger.add_input(slot.key, CONVERTED, name)
        if unrecorded:
            self._destination.drop(outcome.staged)
            self._count(slot.entry, Outcome(THERE))
            return
        self._staged.append(_Waiting(slot, name, outcome.staged, ours, bool(outcome.remarks.problems), name != usual))
        for problem in outcome.remarks.problems:
            self._listener.warn(problem.about(slot.entry.label))
        if name != usual:
            self._listener.notify(
                slot.entry.label, f"another game has this log ID; written as {name}", Kind.NOTE, detail=True
            )

    def _count_converted(self, waiting: _Waiting, number: int) -> None:
        """Add *number*, 1 or -1, to the counts of an output that is recorded."""
        self.summary.converted += number
        self.summary.with_problems += number * waiting.with_problems
        self.summary.renamed += number * waiting.renamed

    def _count(self, entry: Entry, outcome: Outcome) -> None:
        if outcome.state == SKIPPED:
            self.summary.skipped[outcome.reason] += 1
            if outcome.reason in _UNREQUESTED_SKIPS:
                self._listener.notify(entry.label, skipped(outcome.reason), Kind.NOTE, detail=True)
        else:
            self.summary.already_there += 1


# --- a dry run --------------------------------------------------------------------------------------------------------

_UNREAD = ""  # the digest of what has not been read yet
_BROKEN = "broken"  # of what cannot be read


class _Duplicates(ExitStack):
    """Recognizes copies; keeps archives open until it exits.

    Only an input without an ID, or with that of another, is read: a copy has the same content. What is known of the
    others is kept on disk, since there may be millions.
    """

    def __init__(self, ledger: Ledger, is_unchanged: Callable[[str], bool], settings: Settings) -> None:
        """Create one for a run into outputs of *ledger*; *is_unchanged* is as in :class:`Batch`."""
        super().__init__()
        self._ledger = ledger
        self._is_unchanged = is_unchanged
        self._recipe = settings.recipe
        self._fetcher = self.enter_context(Fetcher(settings.reading.max_size))
        self._seen = self.enter_context(closing(sqlite3.connect("")))  # a temporary file
        self._seen.execute("CREATE TABLE seen (key TEXT, digest TEXT, fetch BLOB)")
        self._seen.execute("CREATE INDEX by_key ON seen (key)")

    def outcome(self, candidate: Candidate, input_key: InputKey) -> Outcome | None:
        """Return the outcome of an input that nothing is known of without reading it; ``None`` if it will be converted,
        as far as one can say.

        :param input_key: as in the ledger.
        """
        entry, log_id, _ = candidate
        if log_id is not None and not self._is_known(log_id.text):
            self._add(log_id.text, _UNREAD, entry.fetch)
            return None
        try:
            content = self._fetcher.content(entry.fetch)
            self._recipe.expect(content, entry.name)
        except Skipped as passed:
            return Outcome(SKIPPED, reason=str(passed))
        except Exception as error:  # noqa: BLE001 - as in a run, one bad input must not stop the rest
            return Outcome(FAILED, failure=failure(error))
        digest = hashlib.sha256(content).hexdigest()
        key = log_id.text if log_id else digest
        for name, _ in self._ledger.outputs(key, digest):
            if self._is_unchanged(name):
                is_first = self._ledger.is_first(input_key, name)
                return Outcome(THERE) if is_first else Outcome(SKIPPED, reason=DUPLICATE)
        if digest in self._digests(key):
            return Outcome(SKIPPED, reason=DUPLICATE)
        self._add(key, digest, None)
        return None

    def _is_known(self, key: str) -> bool:
        row = self._seen.execute("SELECT 1 FROM seen WHERE key = ? LIMIT 1", [key]).fetchone()
        return row is not None or bool(self._ledger.digests(key, 1))

    def _add(self, key: str, digest: str, fetch: Fetch | None) -> None:
        if isinstance(fetch, InMemory):
            digest, fetch = self._digest(fetch), None
        self._seen.execute("INSERT INTO seen VALUES (?, ?, ?)", (key, digest, pickle.dumps(fetch)))

    def _digests(self, key: str) -> Iterator[str]:
        """Yield the digests of the inputs so far with *key*, an ID or a digest."""
        query = "SELECT rowid, digest, fetch FROM seen WHERE key = ?"
        for row, recorded, fetch in self._seen.execute(query, [key]).fetchall():
            digest = recorded
            if recorded == _UNREAD:
                digest = self._digest(pickle.loads(fetch))  # noqa: S301 - our own
                self._seen.execute("UPDATE seen SET digest = ? WHERE rowid = ?", (digest, row))
            yield digest

    def _digest(self, fetch: Fetch) -> str:
        try:
            return hashlib.sha256(self._fetcher.content(fetch)).hexdigest()
        except ConvertError:
            return _BROKEN
