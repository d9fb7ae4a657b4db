"""Names of the files that a batch leaves beside its outputs, to pass over them in a source."""

from __future__ import annotations

import os

LEDGER = "ledger.sqlite"
FAILURES = "failures.jsonl"
SUMMARY = "summary.json"
STAGING = ".staging"

_NAMES = {LEDGER, f"{LEDGER}-wal", f"{LEDGER}-journal", FAILURES, SUMMARY}


def is_own(path: str) -> bool:
    """Return whether the file *path* is one of those: it has such a name, and a ledger lies there."""
    folder, name = os.path.split(path)
    above, last = os.path.split(folder)
    if last == STAGING:
        return os.path.exists(os.path.join(above, LEDGER))  # noqa: PTH110, PTH118 - this is run for every file
    return name in _NAMES and os.path.exists(os.path.join(folder, LEDGER))  # noqa: PTH110, PTH118 - as above
