"""Fetches Tenhou's list pages that are new since the last run.

Source: ``docs/design/archives.md``, sections 1 and 4.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Collection, Iterable, Iterator
from pathlib import Path

from jmjp_convert.errors import FileError
from jmjp_convert.fetch.lists import Page, is_list_page, is_whole_index, pages_in
from jmjp_convert.fetch.state import State, StoppedError
from jmjp_convert.fetch.tally import FETCH, Tally
from jmjp_convert.fetch.web import UnreachableError, Web
from jmjp_convert.files import outputs

INDEXES = {"latest": "/sc/raw/list.cgi", "old": "/sc/raw/list.cgi?old"}
"""Indexes by name: the last seven days, and from 1 January to seven days ago."""

_PAGES = "/sc/raw/dat/"
_LEAST = 20 * 60
"""Minimum seconds between two requests for the same index: Tenhou updates it no more often, and asks for no more."""


class Pages(Tally):
    """The pages of an index, saved as files.

    :param kinds: the kinds of pages wanted.
    :param tell: called with each message.
    :param force: fetch pages even if they are already there.
    """

    def __init__(
        self,
        web: Web,
        state: State,
        directory: Path,
        kinds: Collection[str],
        tell: Callable[[str], None],
        *,
        force: bool,
    ) -> None:
        super().__init__("pages")
        self._web = web
        self._state = state
        self._directory = directory
        self._kinds = kinds
        self._tell = tell
        self._force = force

    def listed(self, name: str) -> list[Page]:
        """Return the pages of the wanted kinds in the index *name*: the current index, or the saved copy if it was
        requested too recently.

        The time is noted before the request, so that even a failed request is not repeated at once.

        :raises FileError: the index is not available.
        """
        last, now = self._state.time(name), time.time()
        if last is not None and last <= now < last + _LEAST:
            content = self._kept(name, last + _LEAST - now)
        else:
            self._state.note_time(name, now)
            self._state.forget_index(name)
            content = self._web.get(INDEXES[name], "the index", is_whole=is_whole_index, retries=0)
        found = pages_in(content)
        self._state.keep_index(name, content)
        return [page for page in found if page.name[:3] in self._kinds]

    def _kept(self, name: str, left: float) -> bytes:
        said, again = "the index was requested less than 20 minutes ago", f"{left / 60:.1f} minutes"
        kept = self._state.index(name)
        if kept is None:
            raise FileError(f"{said}; try again in {again}")
        self._tell(f"{said}; using the saved copy (try again in {again})")
        return kept

    def fetch(self, pages: Iterable[Page]) -> Iterator[Path]:
        """Fetch the *pages* that are new or have changed in size, and yield the file of each page that is there."""
        try:
            for page in pages:
                path = self._directory / page.name
                if self._one(page, path):
                    yield path
        except StoppedError as error:
            self.stopped = str(error)

    def _one(self, page: Page, path: Path) -> bool:
        """Fetch a page if needed, and return whether it is there."""
        if not self._force and path.exists() and self._state.page_size(path) == page.size:
            self.there += 1
            return True
        unanswered, self._unanswered = self._unanswered, 0
        try:
            content = self._web.get(_PAGES + page.path, page.name)
            if not is_list_page(content):
                raise FileError("the response is not a list page")  # noqa: TRY301 - reported like all others
        except StoppedError as error:
            raise StoppedError(f"{page.name}: {error}") from error
        except FileError as error:
            self._fail(page.name, FETCH, str(error))
            if isinstance(error, UnreachableError):
                self._count_unanswered(unanswered, error)
            return False
        self._keep(page, path, content)
        return True

    def _keep(self, page: Page, path: Path, content: bytes) -> None:
        try:
            outputs.make_directory(self._directory)
            outputs.write(path, content, force=True)
        except FileError as error:
            raise StoppedError(str(error)) from error
        self._state.note_page(path, page.size)
        self.fetched += 1
