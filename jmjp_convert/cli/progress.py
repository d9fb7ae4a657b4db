"""A progress bar, shown on terminals only."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any


class Bar:
    """A bar on stderr, if that is a terminal; a context manager that closes the bar at its end.

    :param total: returns the number of units to do, or ``None`` if unknown; called only if the bar is shown.
    :param unit: the unit of counting.
    :param wanted: whether the bar may be shown.
    """

    def __init__(self, total: Callable[[], int | None], unit: str, *, wanted: bool) -> None:
        self._bar: Any = None
        if wanted and sys.stderr is not None and sys.stderr.isatty():
            from tqdm import tqdm

            self._bar = tqdm(total=total(), unit=unit, dynamic_ncols=True, leave=False, smoothing=0.05)

    def __enter__(self) -> Bar:  # noqa: PYI034 - it has no subclasses
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Remove the bar."""
        if self._bar is not None:
            self._bar.close()

    def advance(self, number: int, remark: str) -> None:
        """Advance by *number* units, and show *remark*."""
        if self._bar is None:
            return
        self._bar.set_postfix_str(remark, refresh=False)
        self._bar.update(number)
        if self._bar.total is not None and self._bar.n > self._bar.total:  # archives in a directory count as one
            self._bar.total = None

    def remark(self, text: str) -> None:
        """Show *text*, now."""
        if self._bar is not None:
            self._bar.set_postfix_str(text)

    @contextmanager
    def hidden(self) -> Iterator[None]:
        """Hide the bar while something else is printed."""
        if self._bar is None:
            yield
            return
        self._bar.clear()
        yield
        self._bar.refresh()
