"""Resolves arguments of ``fetch`` to games: log IDs, links, files of them, list pages on disk."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterable, Iterator

from jmjp_convert.errors import ConvertError, FileError
from jmjp_convert.fetch.lists import PAGE_NAME, Game, game_of, games_in
from jmjp_convert.files import archives
from jmjp_convert.files.archives import Fetcher
from jmjp_convert.files.archives.entry import Entry, Passed, Refused
from jmjp_convert.files.inputs import STDIN, chunks, is_archive, is_directory, is_link, label
from jmjp_convert.formats import detect
from jmjp_convert.formats.unreadable import named
from jmjp_convert.model.log_ids import parse_id

Fail = Callable[[str, str], None]
"""Called with an input that cannot be used, and why."""

_BEGINNING = 64  # bytes of a list that show whether it is one of links
_NO_GAME = "not a log ID, a link to a log or an existing file"
_A_GAME = (
    "this is a game, not a list of log IDs; there is nothing to fetch, use it as the input of jmjp convert or view"
)
_NO_LIST = "no list pages found; to convert the games in it, run jmjp batch"
_CONTAINED = "this link contains a game; there is nothing to fetch, use it as the input of jmjp convert or view"


class Wanted:
    """Finds the games that users name.

    :param is_ours: returns whether a URL belongs to the server.
    :param max_size: the maximum size of a decompressed list in bytes.
    :param fail: called for each input that names no game; the rest is still read.
    :param tell: called for each list without games.
    """

    def __init__(self, is_ours: Callable[[str], bool], max_size: int, fail: Fail, tell: Callable[[str], None]) -> None:
        self._is_ours = is_ours
        self._max_size = max_size
        self._fail = fail
        self._tell = tell
        self._failed = 0

    def games(self, whats: Iterable[str], files: Iterable[str]) -> Iterator[Game]:
        """Yield the games named by *whats* (IDs, links, paths) and by *files*, including repeats."""
        for what in whats:
            log_id = parse_id(what)
            if log_id is not None:
                yield Game(log_id)
            elif what == STDIN or os.path.exists(what):  # noqa: PTH110 - which raises an error if it is too long
                yield from self._named(what)
            else:
                yield from self._link(what)
        for file in files:
            yield from self._named(file)

    def _link(self, what: str) -> Iterator[Game]:
        try:
            yield game_of(what, self._is_ours)
        except ConvertError:
            link = os.fsencode(what) if is_link(what) else b""
            contained = bool(link) and detect(link) is not None
            self._fail(label(what), _CONTAINED if contained else named(link) or _NO_GAME)

    def _named(self, path: str) -> Iterator[Game]:
        """Yield the games in the file *path*, and report if there are none: only a list may be empty."""
        failed, empty = self._failed, True
        for game in self._file(path):
            empty = False
            yield game
        if empty and failed == self._failed:
            if is_directory(path) or is_archive(path):
                self._fail(label(path), _NO_LIST)
            else:
                self._tell(f"{label(path)}: no games found")

    def _file(self, path: str) -> Iterator[Game]:
        if path == STDIN:
            yield from self._stdin()
            return
        with Fetcher(self._max_size) as fetcher:
            for entry in archives.entries(path, self._max_size):
                name = f"{entry.source}/{entry.member}" if entry.member else entry.source
                if isinstance(entry.fetch, Passed) or not _is_list(entry, path):
                    continue
                if isinstance(entry.fetch, Refused):
                    self._refuse(name, entry.fetch.reason)
                    continue
                try:
                    content = fetcher.content(entry.fetch)
                except FileError as error:
                    self._refuse(name, str(error))
                    continue
                yield from self._listed(name, content)

    def _stdin(self) -> Iterator[Game]:
        try:
            content = b"".join(chunks(sys.stdin.buffer, self._max_size)) if sys.stdin else b""
        except FileError as error:
            self._refuse(label(STDIN), str(error))
            return
        yield from self._listed(label(STDIN), content)

    def _listed(self, name: str, content: bytes) -> Iterator[Game]:
        if detect(content) is not None and not is_link(content[:_BEGINNING].decode(errors="replace").strip()):
            self._refuse(name, _A_GAME)
            return
        try:
            yield from games_in(content, self._is_ours, lambda line, error: self._refuse(f"{name}:{line}", str(error)))
        except FileError as error:
            self._refuse(name, str(error))

    def _refuse(self, what: str, why: str) -> None:
        self._failed += 1
        self._fail(what, why)


def _is_list(entry: Entry, path: str) -> bool:
    """Return whether *entry* is read as a list: a file named by the user, or a list page in an archive or directory."""
    return (entry.source == path and not entry.member) or PAGE_NAME.fullmatch(entry.name) is not None
