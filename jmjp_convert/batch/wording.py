"""Words what a run reports: inputs, and places of failures."""

from __future__ import annotations

from jmjp_convert.batch.worker import Failure
from jmjp_convert.files.archives.entry import Entry


def label(entry: Entry) -> str:
    """Return what an input is called."""
    return f"{entry.source}: {entry.member}" if entry.member else entry.source


def place(failure: Failure) -> str:
    """Return the location of a failure in its text, as far as that is known."""
    if failure.number is not None:
        return f"element {failure.number} {failure.element}"
    numbers = [f"{name} {value}" for name, value in (("line", failure.line), ("column", failure.column)) if value]
    return ", ".join([*numbers, failure.pointer] if failure.pointer else numbers)
