"""Words what a run reports: options, inputs, and places of failures."""

from __future__ import annotations

from collections.abc import Iterator

from jmjp_convert.batch.worker import Failure
from jmjp_convert.convert import Writing
from jmjp_convert.files.archives.entry import Entry


def others(before: dict[str, object], now: dict[str, object]) -> Iterator[str]:
    """Yield the options *before* that differ from those *now*, as they are written on the command line."""
    usual = Writing(str(before["to"])).outcome | Writing(str(now["to"])).outcome
    for name in before | now:
        value = before.get(name, usual[name])
        if value != now.get(name, usual[name]):
            flag = f"--{name.replace('_', '-')}"
            yield flag if value is True else f"{flag} {value}" if value else f"no {flag}"


def label(entry: Entry) -> str:
    """Return what an input is called."""
    return f"{entry.source}: {entry.member}" if entry.member else entry.source


def place(failure: Failure) -> str:
    """Return the location of a failure in its text, as far as that is known."""
    if failure.number is not None:
        return f"element {failure.number} {failure.element}"
    numbers = [f"{name} {value}" for name, value in (("line", failure.line), ("column", failure.column)) if value]
    return ", ".join([*numbers, failure.pointer] if failure.pointer else numbers)
