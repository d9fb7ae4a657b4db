"""Reads the games in files, directories, archives and databases from Python, in constant memory."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from functools import partial
from typing import Literal

from jmjp_convert.batch.survey import Input, Opened, inputs, skipped, survey
from jmjp_convert.errors import ConvertError, RecordError, expect_type, for_python
from jmjp_convert.files.inputs import MAX_SIZE
from jmjp_convert.formats.reading import Reading
from jmjp_convert.formats.session import Notice
from jmjp_convert.messages import option_names
from jmjp_convert.model import Match, log_ids

Path = str | os.PathLike[str]
OnError = Literal["raise", "skip"] | Callable[[ConvertError], None]


@dataclass(frozen=True, slots=True)
class Game:
    """A match and where it was found.

    :ivar match: the match.
    :ivar source: the path of its file, or of the archive or database.
    :ivar member: the name in the archive, or the key in the database; empty for a file.
    :ivar number: the index of the match in the file or member.
    """

    match: Match
    source: str
    member: str
    number: int


def games(
    source: Path | Iterable[Path],
    *,
    on_error: OnError = "raise",
    players: int | None = None,
    ids: Iterable[str] | None = None,
    workers: int = 1,
    max_size: int = MAX_SIZE,
    strict: bool = False,
    notice: Notice | None = None,
) -> Iterator[Game]:
    """Yield the games in files, directories, zips, tars and SQLite databases, in any readable format and in order.

    Only a few files are in memory at a time.

    :param source: one path, or several.
    :param on_error: what to do about a file that cannot be read: ``"raise"`` its error, ``"skip"`` it, or call a
        function with the error and continue. Files named like a README are always skipped.
    :param players: only games with this number of players.
    :param ids: only games with these log IDs; files with other IDs in their names are not read.
    :param workers: the number of processes.
    :param max_size: the maximum size of a file in bytes, decompressed.
    :param strict: reject unknown elements.
    :param notice: called with each remark on a file that is read, and on those that are skipped.
    :raises ValueError: an argument is invalid.
    :raises TypeError: *source* is no path, or *ids* are one text.
    :raises ConvertError: a file cannot be read, with *on_error* ``"raise"``. Its ``source`` names the file and member.
    """
    if workers < 1:
        raise ValueError(f"workers must be at least 1, found {workers}")
    if players not in {None, 3, 4}:
        raise ValueError(f"players must be 3 or 4, found {players}")
    if not callable(on_error) and on_error not in {"raise", "skip"}:
        raise ValueError(f'on_error must be "raise", "skip" or a function, found {on_error!r}')
    if isinstance(ids, str):
        raise TypeError("ids must be several log IDs, found a str")
    expect_type(source, (str, os.PathLike, Iterable), "a path, or several")
    paths = [source] if isinstance(source, str | os.PathLike) else source
    chosen = None if ids is None else frozenset(ids)
    listener = _Listener(notice)
    queue = inputs((os.fspath(path) for path in paths), max_size, listener.skip)
    if chosen is not None:
        queue = (input_ for input_ in queue if _may_be(input_, chosen))
    reading = Reading(max_size=max_size, strict=strict)
    task = partial(_chosen, players=players, ids=chosen)
    return _games(survey(queue, task, reading, listener, workers), listener, on_error)


def _games(
    surveyed: Iterator[tuple[Input, list[tuple[int, Match]] | None]], listener: _Listener, on_error: OnError
) -> Iterator[Game]:
    for input_, matches in surveyed:
        if matches is not None:
            for number, match in matches:
                yield Game(match, input_.archive or input_.source, input_.member, number)
        for error in listener.taken():
            if callable(on_error):
                on_error(error)
            elif on_error == "raise":
                raise error


def _may_be(input_: Input, ids: frozenset[str]) -> bool:
    """Return whether the ID of an input may be among *ids*, judging by its name."""
    log_id = log_ids.find_id(input_.name or input_.source)
    return log_id is None or log_ids.unscrambled(log_id.text) in ids


def _chosen(opened: Opened, *, players: int | None, ids: frozenset[str] | None) -> list[tuple[int, Match]]:
    """Return the matches of one file that are chosen, with their indices; called in any process."""
    return [
        (number, match)
        for number, match in enumerate(opened.read().matches)
        if players in {None, match.rules.players} and (ids is None or match.id in ids)
    ]


class _Listener:
    """Keeps the errors of an input until they are taken."""

    def __init__(self, notice: Notice | None) -> None:
        self._notice = notice
        self._errors: list[ConvertError] = []

    def taken(self) -> list[ConvertError]:
        """Return the errors, and forget them."""
        errors, self._errors = self._errors, []
        return errors

    def notice(self, what: str, text: str) -> None:
        if self._notice is not None:
            self._notice(f"{what}: {option_names(text)}")

    def problem(self, what: str, error: RecordError) -> None:
        """Do nothing: matches are not checked as a whole."""

    def fail(self, what: str, error: Exception) -> None:
        if not isinstance(error, ConvertError):
            raise error
        for_python(error, what)
        self._errors.append(error)

    def skip(self, what: str, why: str) -> None:
        self.notice(what, skipped(why))
