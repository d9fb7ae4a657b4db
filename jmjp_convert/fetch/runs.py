"""Fetches games and list pages into files, and skips those already there.

Source of the indexes of list pages: ``docs/design/archives.md``, sections 1 and 4.
"""

from __future__ import annotations

import json
import re
import time
from collections.abc import Callable, Collection, Generator, Iterable, Iterator, Sequence
from pathlib import Path
from typing import NamedTuple, NoReturn

from jmjp_convert.errors import ConvertError, FileError, MalformedError, RecordError, reason
from jmjp_convert.fetch.lists import Game, Page, is_list_page, is_whole_index, pages_in
from jmjp_convert.fetch.state import StoppedError
from jmjp_convert.fetch.web import RETRIES, MissingError, UnreachableError, Web
from jmjp_convert.files import outputs
from jmjp_convert.files.inputs import content_of, reported
from jmjp_convert.formats.reading import Reading, read_content
from jmjp_convert.formats.session import ignore

IN_A_ROW = 3
"""This many requests in a row without a response end a run."""

MISSING, FETCH, CONVERT, INPUT = "missing", "fetch", "convert", "input"
"""Kinds of failures: no such log; fetching failed; conversion failed; invalid input."""


class Failure(NamedTuple):
    """A failure."""

    what: str  # what failed: a log ID, page or input
    kind: str  # one of the kinds above
    message: str
    since: str | None = None  # the day since when a log is missing
    next_try: str | None = None  # the day from which it is asked for again


class Tally:
    """A run over files on a server.

    :param noun: what to call the files in messages.
    """

    def __init__(self, web: Web, noun: str) -> None:
        self.fetched = self.converted = self.there = 0
        self.failures: list[Failure] = []
        self.stopped = ""  # why the run stopped early, or empty
        self._web = web
        self._state = web.state
        self._noun = noun
        self._unanswered = 0  # requests in a row, up to the last one

    def _fail(self, what: str, kind: str, message: str) -> None:
        self.failures.append(Failure(what, kind, message))

    def _count_unanswered(self, before: int, error: UnreachableError) -> None:
        """Count a request without a response, after *before* such requests in a row.

        :raises StoppedError: there are too many in a row.
        """
        self._unanswered = before + 1
        if self._unanswered == IN_A_ROW:
            raise StoppedError(f"no response for {IN_A_ROW} {self._noun} in a row") from error


LOG_SUFFIX = ".xml"
_LOG = b"<mjloggm"
_ROOT = re.compile(
    rb"(?:\xef\xbb\xbf)?(?:\s*+<\?xml[^>]*+>)?(?:\s++|<!--[^-]*+(?:-(?!->)[^-]*+)*-->)*<mjloggm\b"  # in one way only
)
_END = b"</mjloggm>"
_PAGES_IN_A_ROW = 10
"""This many pages in a row instead of logs end a run: the server may be down, rather than the logs missing."""


class Target(NamedTuple):
    """Where games go."""

    directory: Path | None  # the directory of the files, or None for stdout
    keep: bool  # whether to write the log itself
    # Returns the log in another format, if a conversion is wanted.
    converter: Callable[[bytes, Game], bytes] | None = None
    suffix: str = ".jmjp"
    maker: str = ""  # the program version and options that determine the conversion
    force: bool = False  # whether to fetch again and overwrite existing files


class Run(Tally):
    """A run over games.

    :param wrote: called with each log that is written, and the path of its file, or ``None`` for stdout.
    :param again: retry logs that could not be converted before, and missing ones before they are due.
    """

    def __init__(self, web: Web, target: Target, wrote: Callable[[str, str | None], None], *, again: bool) -> None:
        super().__init__(web, "logs")
        self._target = target
        self._wrote = wrote
        self._again = again
        self._pages: list[str] = []  # the log IDs in a row that got a page instead of a log
        self._retries = RETRIES

    def run(self, games: Sequence[Game]) -> Generator[None]:
        """Fetch *games*, and yield after each. A failed game does not stop the rest, unless going on is pointless.

        A user who wants a single game waits for it, and can ask again: it is retried once only.
        """
        if len(games) == 1:
            self._retries = 1
        try:
            if self._target.directory is not None:
                outputs.make_directory(self._target.directory)
            for game in games:
                self._attempt(game)
                yield
        except FileError as error:
            self.stopped = str(error)
        finally:
            self._settle_pages()
            self.failures = [self._dated(failure) for failure in self.failures]

    def _dated(self, failure: Failure) -> Failure:
        """Return *failure* with its dates, if it is a missing log."""
        known = self._state.missing(failure.what) if failure.kind == MISSING else None
        if known is None:
            return failure
        return failure._replace(since=str(known.since), next_try=str(known.next_try))

    def _attempt(self, game: Game) -> None:
        unanswered, self._unanswered = self._unanswered, 0
        try:
            self._fetch(game)
        except BrokenPipeError:
            raise
        except StoppedError as error:
            self._fail(game.id.text, FETCH, str(error))
            raise
        except UnreachableError as error:
            self._fail(game.id.text, FETCH, str(error))
            self._count_unanswered(unanswered, error)
        except Exception as error:  # noqa: BLE001 - one bad log must not stop the rest
            self._fail(game.id.text, MISSING if isinstance(error, MissingError) else FETCH, reason(error, None))

    def _fetch(self, game: Game) -> None:
        target = self._target
        log, other = self._path(game, LOG_SUFFIX), self._path(game, target.suffix)
        wants_log = target.keep and (target.force or not _is_there(log))
        wants_other = target.converter is not None and (target.force or not _is_there(other))
        if not wants_log and not wants_other:
            self.there += 1
            return
        if not wants_log and self._is_hopeless(game):
            return
        if not wants_log and not target.force and log is not None and _is_there(log):
            content = content_of(log, self._web.max_size)
            self.there += 1
        else:
            content = self._content(game)
            self.fetched += 1
        if wants_log:
            self._write(game, log, content)
        if wants_other:
            self._convert(game, other, content)

    def _path(self, game: Game, suffix: str) -> Path | None:
        directory = self._target.directory
        return None if directory is None else directory / f"{game.id.text}{suffix}"

    def _is_hopeless(self, game: Game) -> bool:
        """Return whether a log could not be converted before; if so, report the same failure again."""
        known = None if self._again else self._state.unconverted(game.id.text, self._target.maker)
        if known is not None:
            self._fail(game.id.text, CONVERT, f"{known} (as before; use --again to retry)")
        return known is not None

    def _convert(self, game: Game, path: Path | None, content: bytes) -> None:
        assert self._target.converter is not None
        try:
            converted = self._target.converter(content, game)
        except Exception as error:  # noqa: BLE001 - as above
            message = reason(error, None)
            self._fail(game.id.text, CONVERT, message)
            if isinstance(error, ConvertError):
                self._state.note_unconverted(game.id.text, self._target.maker, message)
            return
        self._write(game, path, converted)
        self.converted += 1

    def _write(self, game: Game, path: Path | None, content: bytes) -> None:
        """Write *content*.

        :raises StoppedError: it cannot be written, so neither could the next one.
        """
        try:
            if path is None:
                outputs.write_data(content)
            else:
                outputs.write(path, content, force=self._target.force)
        except FileError as error:
            raise StoppedError(str(error)) from error
        self._wrote(game.id.text, None if path is None else str(path))

    # --- the server -------------------------------------------------------------------------------------------------

    def _content(self, game: Game) -> bytes:
        """Return the log of *game* from the server."""
        known = self._state.missing(game.id.text)
        since = "" if known is None else f", missing since {known.since}"
        if known is not None and not (self._again or known.is_due):
            raise MissingError(f"{known.reason}{since}; next try from {known.next_try}, or now with --again")
        try:
            content = self._log(game)
        except _PageError as error:
            raise MissingError(f"{error}{since}") from error
        except MissingError as error:
            self._settle_pages()
            self._state.note_missing(game.id.text, str(error))
            raise MissingError(f"{error}{since}") from error
        self._settle_pages()
        if known is not None:
            self._state.forget_missing(game.id.text)
        return content

    def _log(self, game: Game) -> bytes:
        try:
            content = self._web.get(f"/0/log/?{game.id.text}", game.id.text, is_whole=_is_whole, retries=self._retries)
        except MissingError as error:
            raise MissingError(f"no such log ({error})") from error
        if not content.strip():
            raise MissingError("no such log (empty response)")
        if _LOG not in content:
            self._take_for_page(game)
        if not _ROOT.match(content):
            raise FileError("the response is not a log")
        self._check(content)
        return content

    def _check(self, content: bytes) -> None:
        """Check that *content* is well-formed to its end; a game that is rejected for what it says is one too."""
        try:
            # Findings are ignored, so that everything is read.
            read_content(content, "", Reading(max_size=self._web.max_size), ignore, finding=ignore)
        except MalformedError as error:
            raise FileError(f"the response is not a log ({error})") from error
        except RecordError:
            pass

    def _take_for_page(self, game: Game) -> NoReturn:
        self._pages.append(game.id.text)
        if len(self._pages) == _PAGES_IN_A_ROW:
            self.failures = [
                failure._replace(kind=FETCH) if failure.what in self._pages else failure for failure in self.failures
            ]
            self._pages.clear()
            raise StoppedError(f"{_PAGES_IN_A_ROW} pages in a row instead of logs; the server may be down")
        raise _PageError(_PAGE)

    def _settle_pages(self) -> None:
        """Note as missing the logs that got pages: too few in a row to suggest that the server is down."""
        for log_id in self._pages:
            self._state.note_missing(log_id, _PAGE)
        self._pages.clear()


class _PageError(MissingError):
    """A page instead of a log."""


_PAGE = "no such log (got another page)"


def _is_there(path: Path | None) -> bool:
    return path is not None and path.exists()


def _is_whole(content: bytes) -> bool:
    """Return whether *content* is complete, if it is a log at all."""
    return not _ROOT.match(content) or _END in content


def write_failures(path: Path, failures: Iterable[Failure], *, done: bool) -> None:
    """Write *failures* to the file *path*, one JSON object per line; if there are none, remove an earlier run's file.
    Its directory is created if necessary.

    :param done: whether the run was completed; if not, and there are no new failures, an earlier run's file is kept.
    :raises FileError: the file cannot be written, or was not written by this function.
    """
    fields = [{name: value for name, value in failure._asdict().items() if value is not None} for failure in failures]
    lines = [json.dumps(values, ensure_ascii=False) + "\n" for values in fields]
    if not lines and not (done and _is_there(path)):
        return
    with reported(path):
        if _is_there(path) and not _is_ours(path):
            raise FileError(f"{path} was not written by jmjp fetch; left unchanged")
        if lines:
            outputs.make_directory(path.parent)  # there is none if nothing was fetched
            outputs.write(path, "".join(lines).encode("utf-8", "backslashreplace"), force=True)
        else:
            path.unlink()


def _is_ours(path: Path) -> bool:
    """Return whether the file *path* has failures in the format written here."""
    with path.open("rb") as file:
        start = file.readline(1 << 16)
    try:
        values = json.loads(start)
    except ValueError:
        return False
    return isinstance(values, dict) and tuple(values)[:3] == Failure._fields[:3]


INDEXES = {"latest": "/sc/raw/list.cgi", "old": "/sc/raw/list.cgi?old"}
"""Indexes by name: the last seven days, and from 1 January to seven days ago."""

_PAGES = "/sc/raw/dat/"
_LEAST = 20 * 60
"""Minimum seconds between two requests for the same index: Tenhou updates it no more often, and asks for no more."""


class Pages(Tally):
    """The pages of an index, saved as files.

    :param kinds: the kinds of pages wanted.
    :param force: fetch pages even if they are already there.
    """

    def __init__(self, web: Web, directory: Path, kinds: Collection[str], *, force: bool) -> None:
        super().__init__(web, "pages")
        self._directory = directory
        self._kinds = kinds
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
        pages = pages_in(content)
        self._state.keep_index(name, content)
        return [page for page in pages if page.name[:3] in self._kinds]

    def _kept(self, name: str, left: float) -> bytes:
        said, again = "the index was requested less than 20 minutes ago", f"{left / 60:.1f} minutes"
        kept = self._state.index(name)
        if kept is None:
            raise FileError(f"{said}; try again in {again}")
        self._web.tell(f"{said}; using the saved copy (try again in {again})")
        return kept

    def fetch(self, pages: Iterable[Page]) -> Iterator[Path]:
        """Fetch the *pages* that are new or have changed in size, and yield the file of each page that is there."""
        try:
            for page in pages:
                path = self._directory / page.name
                if self._is_fetched(page, path):
                    yield path
        except StoppedError as error:
            self.stopped = str(error)

    def _is_fetched(self, page: Page, path: Path) -> bool:
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
