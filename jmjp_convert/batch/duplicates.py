"""Finds out in a dry run what a run would find out by reading, as far as that takes no conversion."""

from __future__ import annotations

import hashlib
import pickle
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import ExitStack, closing
from typing import Self

from jmjp_convert.batch.ledger import Ledger
from jmjp_convert.batch.product import Skip
from jmjp_convert.batch.selection import Candidate
from jmjp_convert.batch.worker import FAILED, SKIPPED, Outcome, Settings, failure
from jmjp_convert.errors import ConvertError
from jmjp_convert.files.archives import Fetcher
from jmjp_convert.files.archives.entry import Fetch, Held

DUPLICATE = "duplicates"
THERE = "already there"

_UNREAD = ""  # the digest of what has not been read yet
_BROKEN = "broken"  # of what cannot be read


class Duplicates:
    """Recognises copies; a context manager that keeps archives open until it exits.

    Only an input without an ID, or with that of another, is read: a copy has the same content. What is known of the
    others is kept on disk, since there may be millions.
    """

    def __init__(self, ledger: Ledger, is_there: Callable[[str], bool], settings: Settings) -> None:
        """Create one for a run into outputs of *ledger*; *is_there* returns whether one of them is what it must be."""
        self._ledger = ledger
        self._is_there = is_there
        self._product = settings.product
        self._fetcher = Fetcher(settings.bounds.max_size)
        self._open = ExitStack()
        self._seen = self._open.enter_context(closing(sqlite3.connect("")))  # a temporary file
        self._seen.execute("CREATE TABLE seen (key TEXT, digest TEXT, fetch BLOB)")
        self._seen.execute("CREATE INDEX by_key ON seen (key)")

    def __enter__(self) -> Self:
        self._open.enter_context(self._fetcher)
        return self

    def __exit__(self, *_: object) -> None:
        self._open.close()

    def outcome(self, candidate: Candidate, place: tuple[str, str, str]) -> Outcome | None:
        """Return the outcome of an input that nothing is known of without reading it; ``None`` if it will be converted,
        as far as one can say.

        :param place: its source, member and stamp.
        """
        entry, log_id, _ = candidate
        if log_id is not None and not self._is_known(log_id.text):
            self._add(log_id.text, _UNREAD, entry.fetch)
            return None
        try:
            content = self._fetcher.content(entry.fetch)
            self._product.expect(content, entry.name)
        except Skip as skip:
            return Outcome(SKIPPED, reason=str(skip))
        except Exception as error:  # noqa: BLE001 - as in a run, one bad input must not stop the rest
            return Outcome(FAILED, failure=failure(error))
        digest = hashlib.sha256(content).hexdigest()
        key = log_id.text if log_id else digest
        for name, _ in self._ledger.outputs(key, digest):
            if self._is_there(name):
                is_first = self._ledger.is_first(*place[:2], name)
                return Outcome(THERE) if is_first else Outcome(SKIPPED, reason=DUPLICATE)
        if digest in self._digests(key):
            return Outcome(SKIPPED, reason=DUPLICATE)
        self._add(key, digest, None)
        return None

    def _is_known(self, key: str) -> bool:
        found = self._seen.execute("SELECT 1 FROM seen WHERE key = ? LIMIT 1", [key]).fetchone()
        return found is not None or bool(self._ledger.digests(key, 1))

    def _add(self, key: str, digest: str, fetch: Fetch | None) -> None:
        if isinstance(fetch, Held):
            digest, fetch = self._digest(fetch), None
        self._seen.execute("INSERT INTO seen VALUES (?, ?, ?)", (key, digest, pickle.dumps(fetch)))

    def _digests(self, key: str) -> Iterator[str]:
        """Yield the digests of the inputs so far with *key*, an ID or a digest."""
        query = "SELECT rowid, digest, fetch FROM seen WHERE key = ?"
        for row, digest, fetch in self._seen.execute(query, [key]).fetchall():
            if digest == _UNREAD:
                found = self._digest(pickle.loads(fetch))  # noqa: S301 - our own
                self._seen.execute("UPDATE seen SET digest = ? WHERE rowid = ?", (found, row))
                yield found
            else:
                yield digest

    def _digest(self, fetch: Fetch) -> str:
        try:
            return hashlib.sha256(self._fetcher.content(fetch)).hexdigest()
        except ConvertError:
            return _BROKEN
