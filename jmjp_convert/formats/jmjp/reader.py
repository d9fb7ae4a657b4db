"""Read jmjp from a path, an open file or bytes (source: ``docs/design/jmjp-grammar.md``).

What the text does not hold is unknown in the model, never guessed:

- which copy of a tile it is: the IDs are those of :func:`~jmjp_convert.model.tiles.any_copy`; tsumogiri and karagiri
  remain distinct;
- when a kan dora was turned, what a win is worth, who is liable for pao, the kind of a draw, who was tenpai: the
  frame's comment may say so in words;
- each winner's payments, where several win.
"""

from __future__ import annotations

import codecs
import re
import sys
from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import cached_property
from typing import NamedTuple

from jmjp_convert.errors import JmjpError
from jmjp_convert.files.inputs import MAX_SIZE, Source, chunks, opened
from jmjp_convert.formats import bounds
from jmjp_convert.formats.jmjp.dialects import READABLE, Dialect
from jmjp_convert.formats.jmjp.reading import comments, head
from jmjp_convert.formats.jmjp.reading.comments import Remarks
from jmjp_convert.formats.jmjp.reading.frames import FrameReader
from jmjp_convert.formats.jmjp.reading.lexer import Lexing, Script, error_at
from jmjp_convert.formats.jmjp.reading.primitives import mark
from jmjp_convert.model import Frame, Match, Player, Presence, Rules
from jmjp_convert.model.tiles import RED_FIVES
from jmjp_convert.play.judge import Judge

Notice = Callable[[str], None]
Finding = Callable[[JmjpError], None]

_HEADER = "jmjp["
_VERSION = re.compile(r"[0-9A-Za-z.-]{1,12}")


def read_jmjp(
    source: Source, *, max_size: int = MAX_SIZE, notice: Notice | None = None, finding: Finding | None = None
) -> list[Match]:
    """Read one jmjp file, plain or gzipped, of any dialect.

    :param source: a path, an open binary file, or bytes.
    :param max_size: the maximum size in bytes, decompressed.
    :param notice: called with each warning about a file that is accepted, one line each.
    :param finding: called with each impossible play instead of raising the first; the rest of that frame is not judged.
    :returns: the matches, at least one. Every frame has been replayed.
    :raises JmjpError: the text is not jmjp, or has an impossible play.
    :raises FileError: *source* cannot be read, or is too large.
    """
    with opened(source) as file:
        raw = _decoded(b"".join(chunks(file, max_size)))
    return parse(raw, notice or _ignore, finding)


def _ignore(_line: str) -> None:
    """Do nothing."""


def _refuse(error: JmjpError) -> None:
    raise error


def _decoded(content: bytes) -> str:
    content = content.removeprefix(codecs.BOM_UTF8)
    try:
        return content.decode()
    except UnicodeDecodeError as error:
        good = content[: error.start].decode()
        raise error_at(good, len(good), f"invalid UTF-8: byte 0x{content[error.start]:02x}") from error


def parse(raw: str, notice: Notice, finding: Finding | None) -> list[Match]:
    r"""Return the matches of the jmjp text *raw*.

    :param finding: called with each impossible play; ``None``: the first is raised.

    Under the shared header of 1.0 and 1.0-beta, ``\"`` is an escaped quote as in 1.0-beta. If that fails, the file is
    read as 1.0, which has no escapes. Impossible plays before the first syntax error are reported before it.
    """
    every = finding is not None
    reading = _Reading(raw, Lexing(), every=every)
    if reading.error is not None and '\\"' in raw:
        other = _Reading(raw, Lexing(escapes=False), every=every)
        reading = max(reading, other, key=_Reading.reach)
    if reading.unknown is not None:
        notice(f"unknown // tenhou comment before line {reading.unknown} ignored")
    for error in reading.findings:
        (finding or _refuse)(error)
    if reading.error is not None:
        raise reading.error
    return reading.matches


class _Reading:
    """One attempt to read a file: its matches, up to the first syntax *error* if there is one.

    :param every: whether to judge what comes after the first impossible play.
    :ivar findings: the impossible plays, also in a match that the syntax error is in.
    """

    def __init__(self, raw: str, lexing: Lexing, *, every: bool) -> None:
        self.matches: list[Match] = []
        self.findings: list[JmjpError] = []
        self.error: JmjpError | None = None
        self.unknown: int | None = None
        self._every = every
        self._frames = 0
        try:
            self._read(raw, lexing)
        except JmjpError as error:
            self.error = error

    def reach(self) -> tuple[int, int]:
        """Return how far the file was parsed: a line and a column."""
        return (sys.maxsize, 0) if self.error is None else (self.error.line, self.error.column)

    def _read(self, raw: str, lexing: Lexing) -> None:
        script = Script(raw, lexing)
        place = mark(script, 0, _HEADER)
        version = _VERSION.match(script.text, place)
        if version is None or version[0] not in READABLE:
            raise script.expected(place, f"a jmjp version ({' or '.join(READABLE)})")
        dialect, place = READABLE[version[0]], version.end()
        if not dialect.comments:
            script = Script(raw, Lexing(escapes=False, comments=False))
            mark(script, 0, f"{_HEADER}{version[0]}")  # what was a comment before it is none in this dialect
        place = mark(script, version.end(), "]")
        found = Remarks(script)
        while not self.matches or place < len(script.text):
            place = self._match(script, place, _MatchReader(script, dialect, found))
        if found.unknown is not None:
            self.unknown = script.line(found.unknown)

    def _match(self, script: Script, place: int, reader: _MatchReader) -> int:
        """Read the match at *place*, of which only the model is kept; return the place after it."""
        if len(self.matches) == bounds.MATCHES:
            raise script.error(place, bounds.exceeded(bounds.MATCHES, "matches"))
        try:
            after = reader.read(place)
        finally:
            if self._every or not self.findings:
                self.findings += reader.findings(every=self._every)
        self.matches.append(reader.match())
        self._frames += len(self.matches[-1].frames)
        if self._frames > bounds.FRAMES:
            raise script.error(place, bounds.exceeded(bounds.FRAMES, "frames"))
        return after


class _Recorded(NamedTuple):
    """A parsed frame, and the disconnections and returns after it."""

    frame: Frame
    reader: FrameReader
    after: list[Presence]


class _MatchReader:
    """A match being parsed."""

    def __init__(self, script: Script, dialect: Dialect, found: Remarks) -> None:
        self._script = script
        self._dialect = dialect
        self._remarks = found
        self._said = comments.Head()
        self._frames: list[_Recorded] = []
        self._before: list[Presence] = []
        self._chips: tuple[int, ...] | None = None
        self._worth = comments.Worth()
        self._begins = self._ends = 0

    def read(self, place: int) -> int:
        """Parse the match at *place*; return the place after it."""
        script, self._begins = self._script, place
        above = list(self._remarks.up_to(place))
        place, self._heading = head.before(script, mark(script, place, "("), self._dialect)
        self._heading["players"] = self._announced(above, list(self._heading["players"]))
        while script.text.startswith("frm[", place):
            if len(self._frames) == bounds.MATCH_FRAMES:
                raise script.error(place, bounds.exceeded(bounds.MATCH_FRAMES, "frames in a match"))
            self._between(place, last=False)
            chips, self._chips = self._chips, None
            reader = FrameReader(script, self._dialect, self._remarks, place, chips)
            try:
                self._frames.append(_Recorded(reader.read(), reader, []))
            except JmjpError as error:
                error.frame = reader.name
                raise
            place = self._ends = reader.after
        self._between(place, last=True)
        place, self._ending = head.after(script, place)
        self._ends = place
        return mark(script, place, ")")

    def _announced(self, above: list[comments.Remark], players: list[Player]) -> tuple[Player, ...]:
        """Apply the comments *above* the match; return *players* with the values that the comments add."""
        for remark in above:
            try:
                if "player" in remark.values:
                    comments.player(remark, players)
                else:
                    self._said = comments.head(remark)
            except ValueError:
                self._remarks.ignore(remark)
        return tuple(players)

    def _between(self, place: int, *, last: bool) -> None:
        """Apply the comments up to *place*, which is before a frame, or after the *last* one."""
        for remark in self._remarks.up_to(place):
            try:
                if last and (worth := comments.worth(remark)) is not None:
                    self._worth = worth
                elif not last and (chips := comments.chips_before(remark)) is not None:
                    self._chips = chips
                else:
                    (self._frames[-1].after if self._frames else self._before).append(comments.presence(remark))
            except ValueError:
                self._remarks.ignore(remark)

    @cached_property
    def _rules(self) -> Rules:
        """The rules from the comment, otherwise what the tiles of the match show of them."""
        if self._said.rules is not None:
            return self._said.rules
        red = any(self._script.text.find(face, self._begins, self._ends) >= 0 for face in RED_FIVES.values())
        return Rules(red_fives=True if red else None)

    def findings(self, *, every: bool) -> Iterator[JmjpError]:
        """Yield the impossible plays in the frames that have been parsed: *every* one, or only the first."""
        judge = Judge(self._rules, every_frame=False)
        for frame, reader, _ in self._frames:
            for error in judge.frame(frame, reader.fault):
                yield self._script.error(reader.place_of(error), str(error), reader.name)
                if not every:
                    return

    def match(self) -> Match:
        """Return the match, once it has been parsed."""
        frames = (
            replace(frame, events=(*frame.events, *after)) if after else frame for frame, _, after in self._frames
        )
        return Match(
            rules=self._rules,
            frames=tuple(frames),
            id=self._said.id,
            source=self._said.source,
            shuffle=self._said.shuffle,
            before=tuple(self._before),
            chips=self._worth.chips,
            ratio=self._worth.ratio,
            **self._heading,
            **self._ending,
        )
