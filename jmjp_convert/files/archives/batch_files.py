"""Names of the bookkeeping files that a batch writes next to its outputs, so that sources can skip them."""

from __future__ import annotations

import os
import re

LEDGER = "ledger.sqlite"
FAILURES = "failures.jsonl"
SUMMARY = "summary.json"
STAGING = ".staging"
MARKER = "made-by-jmjp-batch"  # in the staging directory

IS_LEDGER = re.compile(rf"{re.escape(LEDGER)}(?:\.(?:damaged|older)-[0-9]+)?(?:-wal|-journal)?")
"""Matches the names of a ledger and its companions."""


def is_own(path: str) -> bool:
    """Return whether *path* is such a file: it has one of the names, and there is a ledger in its directory."""
    folder, name = os.path.split(path)
    above, last = os.path.split(folder)
    if last == STAGING:
        return os.path.exists(os.path.join(above, LEDGER))
    known = name in (FAILURES, SUMMARY) or IS_LEDGER.fullmatch(name) is not None
    return known and os.path.exists(os.path.join(folder, LEDGER))
