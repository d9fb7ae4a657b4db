"""What is to be fetched: the games that ids, links, files of such, and list pages on disk name."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path

from jmjp_convert import archives
from jmjp_convert.archives.entry import Entry, Passed, Refused
from jmjp_convert.archives.fetching import Fetcher
from jmjp_convert.errors import ConvertError, FileError
from jmjp_convert.fetch.lists import PAGE_NAME, Game, game_of, games_in

STDIN = "-"

Fail = Callable[[str, str], None]
"""Called with what cannot be taken, and why."""


class Wanted:
    """Finds the games that people name.

    :param is_ours: whether a URL is one of the server's.
    :param max_size: the most bytes of a list, decompressed.
    :param fail: told of what names no game, which does not stop the rest.
    """

    def __init__(self, is_ours: Callable[[str], bool], max_size: int, fail: Fail) -> None:
        self._is_ours = is_ours
        self._max_size = max_size
        self._fail = fail

    def games(self, whats: Iterable[str], files: Iterable[str]) -> Iterator[Game]:
        """Yield the games that each of *whats*, an id, a link or a path, and each of *files* names, once each."""
        seen: set[str] = set()
        for game in self._all(whats, files):
            if game.id.text not in seen:
                seen.add(game.id.text)
                yield game

    def _all(self, whats: Iterable[str], files: Iterable[str]) -> Iterator[Game]:
        for what in whats:
            if what == STDIN or _exists(what):
                yield from self._file(what)
                continue
            try:
                yield game_of(what, self._is_ours)
            except ConvertError as error:
                self._fail(what, f"{error}, and there is no such file")
        for file in files:
            yield from self._file(file)

    def _file(self, path: str) -> Iterator[Game]:
        if path == STDIN:
            yield from self._listed("<stdin>", sys.stdin.buffer.read() if sys.stdin else b"")
            return
        with Fetcher(self._max_size) as fetcher:
            for entry in archives.entries(path, self._max_size):
                name = f"{entry.source}/{entry.member}" if entry.member else entry.source
                if isinstance(entry.fetch, Passed) or not _is_list(entry, path):
                    continue
                try:
                    if isinstance(entry.fetch, Refused):
                        raise FileError(entry.fetch.reason)  # noqa: TRY301 - told as all the others
                    content = fetcher.content(entry.fetch)
                except FileError as error:
                    self._fail(name, str(error))
                    continue
                yield from self._listed(name, content)

    def _listed(self, name: str, content: bytes) -> Iterator[Game]:
        try:
            yield from games_in(content, self._is_ours, lambda line, error: self._fail(f"{name}:{line}", str(error)))
        except FileError as error:
            self._fail(name, str(error))


def _exists(path: str) -> bool:
    try:
        return Path(path).exists()
    except (OSError, ValueError):  # as a name that no file can have
        return False


def _is_list(entry: Entry, path: str) -> bool:
    """Return whether *entry* is taken for a list: what was named itself; in an archive or directory, list pages."""
    return (entry.source == path and not entry.member) or PAGE_NAME.fullmatch(entry.name) is not None
