"""Games fetched by their ids, one after the other, into files; what is there already is not fetched again."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable
from datetime import UTC, datetime
from pathlib import Path
from typing import NamedTuple, Protocol

from jmjp_convert import outputs
from jmjp_convert.errors import FileError
from jmjp_convert.fetch.lists import Game
from jmjp_convert.fetch.state import State
from jmjp_convert.fetch.web import MissingError, StoppedError, UnreachableError, Web
from jmjp_convert.report import reason
from jmjp_convert.streams import describe

Converter = Callable[[bytes, Game], bytes]
"""Makes a game of another form from a log."""

LOG_SUFFIX = ".xml"
_LOG = b"<mjloggm"
_ROOT = re.compile(rb"(?:\xef\xbb\xbf)?\s*(?:<\?xml[^>]*>)?(?:\s|<!--.*?-->)*<mjloggm\b", re.DOTALL)
_END = b"</mjloggm>"
_IN_A_ROW = 3
"""So many logs in a row for which the server does not answer end a run."""

MISSING, FETCH, CONVERT, INPUT = "missing", "fetch", "convert", "input"
"""Kinds of failures: there is no such log; it could not be fetched; not converted; what was given is none."""


class Failure(NamedTuple):
    """What failed: *what*, a log's id or something given in its place; its *kind*, and a *message*."""

    what: str
    kind: str
    message: str


class Listener(Protocol):
    """Is told how a run goes on."""

    def advance(self) -> None:
        """Take note that one more game is done."""

    def wrote(self, what: str, output: str | None) -> None:
        """Take note that *what* is in the file *output*, or on stdout."""


class Placing(NamedTuple):
    """Where games go.

    :ivar directory: of the files, or ``None`` for stdout.
    :ivar keep: whether the log itself is written.
    :ivar converter: makes the other form, if one is written.
    :ivar suffix: the ending of its file's name.
    :ivar force: whether what is there is fetched again.
    """

    directory: Path | None
    keep: bool
    converter: Converter | None = None
    suffix: str = ".jmjp"
    force: bool = False


class Run:
    """A run over games.

    :ivar fetched: how many have been fetched.
    :ivar there: how many were there already.
    :ivar failures: what failed.
    :ivar stopped: why the run could not go on, if it could not.
    :param again: ask again for logs which the server did not have when it was asked before.
    """

    def __init__(self, web: Web, state: State, placing: Placing, listener: Listener, *, again: bool) -> None:
        self._web = web
        self._state = state
        self._placing = placing
        self._listener = listener
        self._again = again
        self._unanswered = 0
        self.fetched = self.there = 0
        self.failures: list[Failure] = []
        self.stopped = ""

    def run(self, games: Iterable[Game]) -> None:
        """Fetch *games*. One that fails does not stop the others, unless the server gives no answers."""
        try:
            self._web.begin()
            for game in games:
                self._one(game)
                self._listener.advance()
        except StoppedError as error:
            self.stopped = str(error)

    def _one(self, game: Game) -> None:
        try:
            self._fetch(game)
        except (BrokenPipeError, StoppedError):
            raise
        except UnreachableError as error:
            self._fail(game, FETCH, str(error))
            self._unanswered += 1
            if self._unanswered == _IN_A_ROW:
                raise StoppedError(f"no answer for {_IN_A_ROW} logs in a row") from error
        except Exception as error:  # noqa: BLE001 - one bad log, whatever is wrong, does not stop the rest
            self._fail(game, MISSING if isinstance(error, MissingError) else FETCH, reason(error, None))

    def _fail(self, game: Game, kind: str, message: str) -> None:
        self.failures.append(Failure(game.id.text, kind, message))

    def _fetch(self, game: Game) -> None:
        directory = self._placing.directory
        if directory is None:
            content = self._content(game)
            self._put(game, content, None, None)
            return
        log = directory / f"{game.id.text}{LOG_SUFFIX}"
        other = directory / f"{game.id.text}{self._placing.suffix}"
        wanted_log = self._placing.keep and (self._placing.force or not log.exists())
        wanted_other = self._placing.converter is not None and (self._placing.force or not other.exists())
        if not wanted_log and not wanted_other:
            self.there += 1
            return
        if not wanted_log and not self._placing.force and log.exists():
            content = log.read_bytes()
        else:
            content = self._content(game)
        self._put(game, content, log if wanted_log else None, other if wanted_other else None)

    def _put(self, game: Game, content: bytes, log: Path | None, other: Path | None) -> None:
        """Write a log and what it becomes."""
        if self._placing.keep and (log or self._placing.directory is None):
            self._write(game, log, content)
        if self._placing.converter is not None and (other or self._placing.directory is None):
            try:
                converted = self._placing.converter(content, game)
            except Exception as error:  # noqa: BLE001 - as above
                self._fail(game, CONVERT, reason(error, None))
                return
            self._write(game, other, converted)
        self.fetched += 1

    def _write(self, game: Game, path: Path | None, content: bytes) -> None:
        if path is None:
            outputs.write_stdout(content)
        else:
            outputs.make_directory(path.parent)
            outputs.write(path, content, force=self._placing.force)
        self._listener.wrote(game.id.text, None if path is None else str(path))

    def _content(self, game: Game) -> bytes:
        """Return the log of *game*, from the server.

        :raises MissingError: there is none.
        """
        known = self._state.missing(game.id.text)
        if known is not None and not self._again:
            when = datetime.fromtimestamp(known[0], UTC)
            raise MissingError(f"{known[1]} (asked on {when:%Y-%m-%d}; --again asks once more)")
        try:
            content = self._log(game)
        except MissingError as error:
            self._unanswered = 0
            self._state.note_missing(game.id.text, str(error))
            raise
        self._unanswered = 0
        return content

    def _log(self, game: Game) -> bytes:
        try:
            content = self._web.get(f"/0/log/?{game.id.text}", is_whole=_is_whole)
        except MissingError as error:
            raise MissingError(f"no such log ({error})") from error
        if not content.strip():
            raise MissingError("no such log (an empty answer)")
        if _LOG not in content:
            raise MissingError("no such log (a page that is none)")
        if not _ROOT.match(content):
            raise FileError("the answer is no log")
        return content


def _is_whole(content: bytes) -> bool:
    """Return whether *content*, if it is a log at all, has its end."""
    return not _ROOT.match(content) or content.rstrip().endswith(_END)


def write_failures(path: Path, failures: Iterable[Failure]) -> None:
    """Write *failures* to the file *path*, an object a line; without any, an earlier run's is removed.

    :raises FileError: it cannot be written.
    """
    lines = [json.dumps(failure._asdict(), ensure_ascii=False) + "\n" for failure in failures]
    if lines:
        outputs.make_directory(path.parent)
        outputs.write(path, "".join(lines).encode("utf-8", "backslashreplace"), force=True)
        return
    try:
        path.unlink(missing_ok=True)
    except OSError as error:
        raise FileError(f"{path}: {describe(error)}") from error
