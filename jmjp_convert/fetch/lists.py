"""Parses lists of games: Tenhou's list pages, and users' own lists of log IDs and links; finds the games that the
arguments of ``fetch`` name.

Source of the formats of pages and indexes: ``docs/design/archives.md``, section 1. Source of the kinds of pages that
link to logs: Tenhou's own page that offers them.
"""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Callable, Iterable, Iterator
from html import unescape
from typing import NamedTuple
from urllib.parse import parse_qs

from jmjp_convert.errors import ConvertError, FileError
from jmjp_convert.files import archives
from jmjp_convert.files.archives import Fetcher
from jmjp_convert.files.archives.entry import Entry, Passed
from jmjp_convert.files.inputs import STDIN, UTF16, content_of, is_archive, is_link, label
from jmjp_convert.formats import detect
from jmjp_convert.formats.unreadable import INDEX, is_html, named
from jmjp_convert.model import log_ids, tenhou
from jmjp_convert.model.log_ids import LogId, parse_id

LINKED = ("scc", "sce", "scf")
"""The kinds of pages that may link to logs: Houou; Kohaku and others; official events."""

PAGE_NAME = re.compile(r"(?P<kind>sc[a-z])[0-9]{8}(?:[0-9]{2})?\.(?:html|log)(?:\.gz)?")

_LINE = re.compile(
    r"(?P<hour>[01][0-9]|2[0-3]):(?P<minute>[0-5][0-9]) \| *(?P<minutes>[0-9]{1,4}) \| (?P<rule>[^|]*) \| "
    r"(?P<link>[^|]*) \| (?P<players>.*)"
)
_LINK = re.compile(r'log=([^"\'>&]+)')
_RESULT = re.compile(r"\(([+-]?[0-9]++(?:\.[0-9]++)?+)[^()]*+\)(?: |$)")
_BREAK = re.compile(r"<br ?/?>$", re.IGNORECASE)
_PAGE = re.compile(r"\ufeff?\s*(?:<|[0-9]{2}:[0-9]{2} \||L[0-9]+ \||[a-z]+ ?=)")
_KEPT = re.compile(r"^\[LOG\]\s*$|\A\ufeff?\s*[\[{]", re.MULTILINE)
"""What a client keeps: a section of its settings, or a browser's storage as JSON (source: section 5)."""
_INDEX = re.compile(r"\ufeff?\s*list\s*\(")
_INDEXED = re.compile(r"""file\s*:\s*['"]([^'"]*)['"]\s*,\s*size\s*:\s*([0-9]{1,12})""")
_INDEXED_NAME = re.compile(rf"(?:[0-9]{{4}}/)?{PAGE_NAME.pattern}")


class Standing(NamedTuple):
    """A player's *name*, and *result* as written on the page, such as ``+46.0``."""

    name: str
    result: str


class Game(NamedTuple):
    """A game. All fields but the log ID are known only if a list page gives them."""

    id: LogId
    time: str | None = None  # when it started, HHMM
    minutes: int | None = None  # how long it took
    rule: str | None = None  # its rules in Tenhou's short notation
    players: tuple[Standing, ...] = ()  # the players in finishing order


class Page(NamedTuple):
    """A list page in an index: its *path* in the index, its *name* and its *size* in bytes."""

    path: str
    name: str
    size: int


def game_of(text: str, is_ours: Callable[[str], bool]) -> Game:
    """Return the game whose log ID or link is *text*.

    :param is_ours: returns whether a URL belongs to the server.
    :raises ConvertError: it is neither.
    """
    text = _unescaped(text.strip())
    log_id = log_ids.parse_id(text.partition("&")[0])
    if log_id is None and is_ours(text if "://" in text else f"https://{text}"):
        query = text.partition("?")[2].partition("#")[0]
        log_id = log_ids.parse_id((parse_qs(query).get("log") or [query])[0].partition("&")[0])
    if log_id is None:
        raise ConvertError("not a log ID or a link to a log")
    return Game(log_id)


def games_in(
    content: bytes, is_ours: Callable[[str], bool], fail: Callable[[int, ConvertError], None]
) -> Iterator[Game]:
    """Yield the games in *content*: a list page, any other page with links, what a client of Tenhou keeps of the games
    played with it, or a list of IDs and links, one per line.

    :param is_ours: returns whether a URL belongs to the server.
    :param fail: called with the number of each line that should name a game but does not, and the error.
    :raises FileError: it is none of these.
    """
    try:
        text = content.decode("utf-16" if content.startswith(UTF16) else "utf-8-sig")
    except UnicodeDecodeError as error:
        text = content.decode("ascii", "replace")
        if not _KEPT.search(text):
            raise FileError("not a list of games") from error
    if _INDEX.match(text) or INDEX.begins(content):
        raise FileError(INDEX.message)
    is_page = _PAGE.match(text) or _KEPT.search(text)
    for number, line in enumerate(text.splitlines(), 1):
        try:
            yield from _linked(line) if is_page else _named(line, is_ours)
        except ConvertError as error:
            fail(number, error)


def _named(line: str, is_ours: Callable[[str], bool]) -> Iterator[Game]:
    if name := log_ids.without_comment(line):
        try:
            yield game_of(name, is_ours)
        except ConvertError as error:
            raise ConvertError(f"{name[:100]!r} is {error}") from None


def _linked(line: str) -> Iterator[Game]:
    listed = _LINE.match(line.strip())
    if listed is None:
        linked = (log_ids.parse_id(match.text) for match in log_ids.find_ids(line))
        yield from (Game(log_id) for log_id in linked if log_id is not None)
        return
    link = _LINK.search(_unescaped(listed["link"]))
    if link is None:
        return
    log_id = log_ids.parse_id(link[1])
    if log_id is None:
        raise ConvertError(f"invalid log ID {link[1][:100]!r}")
    players = tuple(_standings(_unescaped(_BREAK.sub("", listed["players"]))))
    yield Game(log_id, listed["hour"] + listed["minute"], int(listed["minutes"]), listed["rule"], players)


def _standings(text: str) -> Iterator[Standing]:
    """Yield the standings in *text*, each a name followed by a result in brackets. Names may contain brackets too."""
    start = 0
    for result in _RESULT.finditer(text):
        yield Standing(text[start : result.start()], result[1])
        start = result.end()


def _unescaped(text: str) -> str:
    """Return *text* with its character references resolved, if they can be."""
    try:
        return unescape(text)
    except ValueError:  # Python does not parse numbers of thousands of digits
        return text


def is_list_page(content: bytes) -> bool:
    """Return whether *content* is one of Tenhou's list pages, which may be empty, rather than some other page."""
    text = content.decode("utf-8", "replace").strip()
    return not text or _LINE.search(text) is not None


def is_whole_index(content: bytes) -> bool:
    """Return whether *content* is complete, if it is an index."""
    text = content.decode("utf-8", "replace")
    return _INDEX.match(text) is None or text.rstrip().endswith(");")


def pages_in(index: bytes) -> list[Page]:
    """Return the list pages in an *index*; files with other names are ignored.

    :raises FileError: it is not an index.
    """
    text = index.decode("utf-8", "replace")
    if not _INDEX.match(text):
        raise FileError("not an index of list pages")
    return [
        Page(path, path.rpartition("/")[2].removesuffix(".gz"), int(size))
        for path, size in _INDEXED.findall(text)
        if _INDEXED_NAME.fullmatch(path)
    ]


LENGTHS = ("hanchan", "tonpuu")


def length(log_id: LogId) -> str:
    """Return the length of a game, one of :data:`LENGTHS`, according to its log ID."""
    return LENGTHS[tenhou.is_east_only(log_id.rules)]


class Choice(NamedTuple):
    """A filter for games: the number of *players*, the *length* (one of :data:`LENGTHS`), the digits that the *date*
    begins with, and the most games; ``None`` accepts any."""

    players: int | None = None
    length: str | None = None
    date: str | None = None
    limit: int | None = None

    def takes(self, log_id: LogId) -> bool:
        """Return whether the game with this log ID passes the filter, apart from the limit."""
        return (
            self.players in (None, tenhou.players(log_id.rules))
            and self.length in (None, length(log_id))
            and (self.date is None or (log_id.date or "").startswith(self.date))
        )


# --- the games that users name ----------------------------------------------------------------------------------------

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
            if os.path.isdir(path) or is_archive(path):  # noqa: PTH112 - as above
                self._fail(label(path), _NO_LIST)
            else:
                self._tell(f"{label(path)}: no games found")

    def _file(self, path: str) -> Iterator[Game]:
        if path == STDIN:
            yield from self._stdin()
            return
        with Fetcher(self._max_size) as fetcher:
            for entry in archives.entries(path, self._max_size):
                name = entry.label
                if isinstance(entry.fetch, Passed) or not _is_list(entry, path):
                    continue
                try:
                    content = fetcher.content(entry.fetch)
                except FileError as error:
                    self._refuse(name, str(error))
                    continue
                yield from self._listed(name, content)

    def _stdin(self) -> Iterator[Game]:
        try:
            content = content_of(sys.stdin.buffer, self._max_size) if sys.stdin else b""
        except FileError as error:
            self._refuse(label(STDIN), str(error))
            return
        yield from self._listed(label(STDIN), content)

    def _listed(self, name: str, content: bytes) -> Iterator[Game]:
        is_list = is_html(content) or is_link(content[:_BEGINNING].decode(errors="replace").strip())
        if content.strip() and not is_list and detect(content) is not None:
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
