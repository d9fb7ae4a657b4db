"""Tenhou's index of list pages, and the pages that are new in it since the last run (source: ``archives.md``, 1, 4)."""

from __future__ import annotations

import time
from collections.abc import Callable, Collection, Iterable, Iterator
from pathlib import Path

from jmjp_convert import outputs
from jmjp_convert.errors import FileError
from jmjp_convert.fetch.games import FETCH, Failure
from jmjp_convert.fetch.lists import Page, pages_in
from jmjp_convert.fetch.state import State
from jmjp_convert.fetch.web import StoppedError, UnreachableError, Web

INDEXES = {"latest": "/sc/raw/list.cgi", "old": "/sc/raw/list.cgi?old"}
"""By name: the last seven days, and from the first of January on to seven days ago."""

_PAGES = "/sc/raw/dat/"
_LEAST = 20 * 60
"""Seconds between two requests for one index: Tenhou makes it anew no more often, and wants no more."""


def index(web: Web, state: State, name: str, tell: Callable[[str], None]) -> list[Page]:
    """Return the pages in the index *name*: as it is now, or as it was if it has been asked for a short time ago.

    The time is noted before the request, so that one that fails is not made again at once either.

    :raises FileError: it cannot be had.
    """
    last, now = state.time(name), time.time()
    if last is None or not last <= now < last + _LEAST:
        state.note_time(name, now)
        content = web.get(INDEXES[name])
        found = pages_in(content)
        state.keep_index(name, content)
        return found
    left = f"{(last + _LEAST - now) / 60:.0f} minutes"
    kept = state.index(name)
    if kept is None:
        raise FileError(f"the index was asked for less than 20 minutes ago: again in {left}")
    tell(f"the index was asked for less than 20 minutes ago: the one of then is taken (a new one in {left})")
    return pages_in(kept)


class Pages:
    """The pages of an index, as files.

    :ivar fetched: the files of those that this run has fetched.
    :ivar there: how many were there already, and have not changed.
    :ivar failures: what failed.
    :ivar stopped: why the run could not go on, if it could not.
    """

    def __init__(self, web: Web, state: State, directory: Path, kinds: Collection[str]) -> None:
        self._web = web
        self._state = state
        self._directory = directory
        self._kinds = kinds
        self.fetched: list[Path] = []
        self.there = 0
        self.failures: list[Failure] = []
        self.stopped = ""

    def listed(self, name: str, tell: Callable[[str], None]) -> list[Page]:
        """Return the pages of the index *name* that are of the wanted kinds; none if the run was stopped.

        :raises FileError: the index cannot be had.
        """
        try:
            self._web.begin()
            return [page for page in index(self._web, self._state, name, tell) if page.name[:3] in self._kinds]
        except StoppedError as error:
            self.stopped = str(error)
            return []

    def fetch(self, pages: Iterable[Page]) -> Iterator[Page]:
        """Fetch those of *pages* that are new or have grown, and yield each that is there."""
        try:
            for page in pages:
                self._one(page)
                yield page
        except StoppedError as error:
            self.stopped = str(error)

    def _one(self, page: Page) -> None:
        path = self._directory / page.name
        if path.exists() and self._state.page_size(path) == page.size:
            self.there += 1
            return
        try:
            content = self._web.get(_PAGES + page.path)
            outputs.make_directory(self._directory)
            outputs.write(path, content, force=True)
        except (StoppedError, UnreachableError) as error:
            raise StoppedError(f"{page.name}: {error}") from error
        except FileError as error:
            self.failures.append(Failure(page.name, FETCH, str(error)))
            return
        self._state.note_page(path, page.size)
        self.fetched.append(path)
