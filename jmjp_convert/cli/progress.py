"""A progress bar, on a terminal only."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any


class Bar:
    """A bar on stderr, if that is a terminal; shown while it is entered.

    :param total: counts what there is to do, ``None`` if that cannot be told; asked only if the bar is shown.
    :param unit: what is counted.
    :param wanted: whether it may be shown.
    """

    def __init__(self, total: Callable[[], int | None], unit: str, *, wanted: bool) -> None:
        self._bar: Any = None
        if wanted and sys.stderr is not None and sys.stderr.isatty():
            from tqdm import tqdm

            self._bar = tqdm(total=total(), unit=unit, dynamic_ncols=True, leave=False, smoothing=0.05)

    def __enter__(self) -> Bar:  # noqa: PYI034 - nothing is made from it
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Take the bar away."""
        if self._bar is not None:
            self._bar.close()

    def advance(self, number: int, remark: str) -> None:
        """Show that *number* more is done, and a *remark*."""
        if self._bar is None:
            return
        self._bar.set_postfix_str(remark, refresh=False)
        self._bar.update(number)
        if self._bar.total is not None and self._bar.n > self._bar.total:  # archives in a directory count for one
            self._bar.total = None

    @contextmanager
    def hidden(self) -> Iterator[None]:
        """Take the bar away for a moment, in which something is said."""
        if self._bar is None:
            yield
            return
        self._bar.clear()
        yield
        self._bar.refresh()
