"""What every reader does: get the content, say a notice once, keep to the bounds, collect problems and matches."""

from __future__ import annotations

from collections.abc import Callable
from typing import Generic, NamedTuple, TypeVar

from jmjp_convert.errors import MatchError, RecordError
from jmjp_convert.files.inputs import Source, chunks, opened
from jmjp_convert.formats import bounds
from jmjp_convert.model import Match

E = TypeVar("E", bound=RecordError)

Notice = Callable[[str], None]
"""Is called with a remark on a file that is read, one line."""

Locate = Callable[[MatchError], RecordError]
"""Returns a problem of a match as its file puts it: in its terms, with the place in it."""

MOST_NOTICES = 100
"""The maximum number of notices on a file."""


class Loaded(NamedTuple):
    """The *matches* of a file; *locate* has a function for each."""

    matches: list[Match]
    locate: list[Locate]


def ignore(_: object) -> None:
    """Do nothing: for a notice or a problem that nobody asked for."""


def content_of(source: Source, max_size: int) -> bytes:
    """Return the content of a path, an open binary file, or bytes, decompressed.

    :param max_size: the maximum size in bytes.
    :raises FileError: it cannot be read, or is too large.
    """
    with opened(source) as file:
        return b"".join(chunks(file, max_size))


class Session(Generic[E]):
    """A file being read.

    :param error: returns an error, given the reason, at the place that reading has come to.
    :param notice: called with each notice, once each, and with at most a hundred.
    :param finding: called with each problem; ``None``: the first is raised.
    :param locate: gets a function for each match that returns a problem of it with its place in the file.
    :ivar matches: the matches so far.
    :ivar collects: whether reading goes on after a problem.
    """

    def __init__(
        self,
        error: Callable[[str], E],
        notice: Notice | None = None,
        finding: Callable[[E], None] | None = None,
        locate: list[Locate] | None = None,
    ) -> None:
        self.matches: list[Match] = []
        self.collects = finding is not None
        self._error = error
        self._notice = notice or ignore
        self._finding = finding
        self._locate = locate
        self._notices: set[str] = set()
        self._frames = self._match_frames = 0

    def notice(self, line: str) -> None:
        """Pass on *line*, unless it has been before."""
        if line in self._notices or len(self._notices) > MOST_NOTICES:
            return
        self._notices.add(line)
        self._notice(line if len(self._notices) <= MOST_NOTICES else "there are more notices, which are left out")

    def find(self, error: E) -> None:
        """Pass on a problem, or raise it if nobody collects them."""
        if self._finding is None:
            raise error
        self._finding(error)

    def begin_match(self) -> None:
        """Begin a match, unless there are too many."""
        if len(self.matches) == bounds.MATCHES:
            raise self._error(bounds.exceeded(bounds.MATCHES, "matches"))
        self._match_frames = 0

    def begin_frame(self) -> None:
        """Begin a frame of the match, unless there are too many."""
        self._frames += 1
        self._match_frames += 1
        if self._match_frames > bounds.MATCH_FRAMES:
            raise self._error(bounds.exceeded(bounds.MATCH_FRAMES, "frames in a match"))
        if self._frames > bounds.FRAMES:
            raise self._error(bounds.exceeded(bounds.FRAMES, "frames"))

    def add(self, match: Match, locate: Locate) -> None:
        """Add a match that has been read; *locate* returns a problem of it with its place."""
        self.matches.append(match)
        if self._locate is not None:
            self._locate.append(locate)

    def end(self) -> list[Match]:
        """Return the matches of the file, at least one."""
        if not self.matches:
            raise self._error("no match found")
        return self.matches
