"""What every reader does: get the content, say a notice once, keep to the bounds, collect problems and matches."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial, update_wrapper
from typing import Final, Generic, TypeVar

from jmjp_convert.errors import MatchError, RecordError
from jmjp_convert.files.inputs import MAX_SIZE, Source, content_of
from jmjp_convert.formats import bounds
from jmjp_convert.messages import escaped
from jmjp_convert.model import Match
from jmjp_convert.model.record import Record

E = TypeVar("E", bound=RecordError)

Notice = Callable[[str], None]
"""Called with each one-line remark about the file being read."""

Locate = Callable[[MatchError], RecordError]
"""Returns a problem of a match as its file puts it: in its terms, with the place in it."""

MOST_NOTICES = 100
"""The maximum number of notices on a file."""


class Loaded(Record):
    """The *matches* of a file; *locate* has a function for each."""

    __slots__ = ("matches", "locate")

    def __init__(self, matches: list[Match], locate: list[Locate]) -> None:
        self.matches: Final = matches
        self.locate: Final = locate


def ignore(_: object) -> None:
    """Do nothing: for a notice or a problem that nobody asked for."""


class Session(Generic[E]):
    """A file being read.

    :param error: returns an error, given the reason; a reader replaces it with one that adds its current position.
    :param notice: called with each notice, once each, and with at most a hundred.
    :param finding: called with each problem; ``None``: the first is raised.
    :param locate: gets a function for each match that returns a problem of it with its place in the file.
    """

    def __init__(
        self,
        error: Callable[[str], E],
        notice: Notice | None = None,
        finding: Callable[[E], None] | None = None,
        locate: list[Locate] | None = None,
    ) -> None:
        self.matches: list[Match] = []  # the matches so far
        self.collects = finding is not None  # whether reading goes on after a problem
        self.error = error
        self._notice = notice or ignore
        self._finding = finding
        self._locate = locate
        self._notices: set[str] = set()
        self._frames = self._match_frames = 0
        self._has_problems = False

    def notice(self, line: str) -> None:
        """Pass on *line*, with what would break it escaped, unless it has been before."""
        line = escaped(line)
        if line in self._notices or len(self._notices) > MOST_NOTICES:
            return
        self._notices.add(line)
        self._notice(line if len(self._notices) <= MOST_NOTICES else "further notices left out")

    def find(self, error: E) -> None:
        """Pass on a problem, or raise it if nobody collects them."""
        if self._finding is None:
            raise error
        self._has_problems = True
        self._finding(error)

    def begin_match(self) -> None:
        """Begin a match, unless there are too many."""
        if len(self.matches) == bounds.MATCHES:
            raise self.error(bounds.exceeded(bounds.MATCHES, "matches"))
        self._match_frames = 0

    def begin_frame(self) -> None:
        """Begin a frame of the match, unless there are too many."""
        self._frames += 1
        self._match_frames += 1
        if self._match_frames > bounds.MATCH_FRAMES:
            raise self.error(bounds.exceeded(bounds.MATCH_FRAMES, "frames in a match"))
        if self._frames > bounds.FRAMES:
            raise self.error(bounds.exceeded(bounds.FRAMES, "frames"))

    def add(self, match: Match, locate: Locate) -> None:
        """Add a match that has been read; *locate* returns a problem of it with its place."""
        self.matches.append(match)
        if self._locate is not None:
            self._locate.append(locate)

    def end(self) -> list[Match]:
        """Return the matches of the file, at least one unless problems were found."""
        if not (self.matches or self._has_problems):
            raise self.error("no match found")
        self._locate = None  # its functions refer to the session: in a cycle, all of the file would stay in memory
        return self.matches


class Reader(Generic[E]):
    """The function that reads a file of a format.

    :param error: the kind of errors that the format has.
    :param read: adds the matches of a file to a session, given what returns the content of the file.
    """

    def __init__(self, error: type[E], read: Callable[[Callable[[], bytes], Session[E]], None]) -> None:
        update_wrapper(self, read)
        self._error = error
        self._read = read

    def __call__(
        self,
        source: Source,
        *,
        max_size: int = MAX_SIZE,
        notice: Notice | None = None,
        finding: Callable[[E], None] | None = None,
        locate: list[Locate] | None = None,
    ) -> list[Match]:
        """Read one file, plain or compressed.

        :param source: a path, an open binary file, or bytes.
        :param max_size: the maximum size in bytes, decompressed.
        :param notice: called once with each remark on what is ignored or inferred, one line each.
        :param finding: called with each problem inside a frame, instead of raising the first; unless the format says
            otherwise, the frame is left out.
        :param locate: if given, gets a function for each match that returns a problem of it with its place in the file.
        :returns: the matches, at least one unless problems were found. Every frame has been replayed.
        :raises RecordError: of the kind of the format: the file is not of this format, or describes impossible play.
        :raises FileError: *source* cannot be read, or is too large.
        """
        session = Session(self._error, notice, finding, locate)
        self._read(partial(content_of, source, max_size), session)
        return session.end()


def reader(error: type[E]) -> Callable[[Callable[[Callable[[], bytes], Session[E]], None]], Reader[E]]:
    """Make a :class:`Reader` of a function, of a format with this kind of errors."""
    return partial(Reader, error)
