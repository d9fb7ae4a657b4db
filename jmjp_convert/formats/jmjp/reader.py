"""Read jmjp from a path, an open file or bytes (source: ``docs/design/jmjp-grammar.md``).

What the text does not hold is unknown in the model, never guessed:

- which copy of a tile it is: the IDs are those of :func:`~jmjp_convert.model.tiles.any_copy`; tsumogiri and karagiri
  remain distinct;
- when a kan dora was turned;
- what a win is worth, who is liable for pao, the kind of a draw, and who was tenpai, unless the frame's text is exactly
  what our writer says of its end (:mod:`~jmjp_convert.play.outcome_text`): other words may say so, but are only kept;
- each winner's payments, where several win.
"""

from __future__ import annotations

import codecs
import re
from collections.abc import Callable
from contextlib import suppress
from functools import cached_property, partial
from operator import itemgetter
from typing import NamedTuple

from jmjp_convert.errors import JmjpError, JmjpSyntaxError, MatchError
from jmjp_convert.files.inputs import MAX_SIZE, Source, chunks, opened
from jmjp_convert.formats import bounds
from jmjp_convert.formats.jmjp.dialects import READABLE, Dialect
from jmjp_convert.formats.jmjp.reading import comments, head, slips
from jmjp_convert.formats.jmjp.reading.comments import Remarks
from jmjp_convert.formats.jmjp.reading.frames import FrameReader
from jmjp_convert.formats.jmjp.reading.head import After, Before
from jmjp_convert.formats.jmjp.reading.lexer import Lexing, Script, error_at, mark
from jmjp_convert.formats.jmjp.reading.recovery import NoMoreError, Recovery
from jmjp_convert.formats.located import Locate
from jmjp_convert.messages import Terms, thousands
from jmjp_convert.model import Frame, Match, Player, Presence, Rules
from jmjp_convert.model.record import replace
from jmjp_convert.model.tiles import RED_FIVES
from jmjp_convert.play.judge import Judge
from jmjp_convert.play.outcome_text import with_outcome

Notice = Callable[[str], None]
Finding = Callable[[JmjpError], None]

_HEADER = "jmjp["
_VERSION = re.compile(r"[0-9A-Za-z.-]{1,12}")
_MATCH = ("(", "tnm[", "mtp[")
_IN_MATCH = ("frm[", "pme[", "ptn[")


def read_jmjp(
    source: Source,
    *,
    max_size: int = MAX_SIZE,
    notice: Notice | None = None,
    finding: Finding | None = None,
    locate: list[Locate] | None = None,
) -> list[Match]:
    """Read one jmjp file, plain or compressed, of any dialect.

    :param source: a path, an open binary file, or bytes.
    :param max_size: the maximum size in bytes, decompressed.
    :param notice: called with each warning about a file that is accepted, one line each.
    :param finding: called with each syntax error and each impossible play, in the order of their places, instead of
        raising the first. The rest of a frame with an impossible play is not judged; one with a syntax error is left
        out, and so are fields before or after the frames with one. Up to a hundred syntax errors are looked for.
    :param locate: if given, gets a function for each match that returns a problem of it with its place in the file.
    :returns: the matches, at least one if there are no syntax errors. Every frame has been replayed.
    :raises JmjpError: the text is not jmjp; without *finding*: the first problem, with the number of others.
    :raises FileError: *source* cannot be read, or is too large.
    """
    with opened(source) as file:
        raw = _decoded(b"".join(chunks(file, max_size)))
    return parse(raw, notice or _ignore, finding, locate)


def _ignore(_line: str) -> None:
    """Do nothing."""


def _decoded(content: bytes) -> str:
    content = content.removeprefix(codecs.BOM_UTF8)
    try:
        return content.decode()
    except UnicodeDecodeError as error:
        good = content[: error.start].decode()
        reason = f"invalid UTF-8: byte 0x{content[error.start]:02x}; save the file as UTF-8"
        raise error_at(good, len(good), reason, JmjpSyntaxError) from error


def parse(raw: str, notice: Notice, finding: Finding | None = None, locate: list[Locate] | None = None) -> list[Match]:
    r"""Return the matches of the jmjp text *raw*.

    :param finding: called with each problem; ``None``: the first is raised.
    :param locate: as for :func:`read_jmjp`.

    Under the shared header of 1.0 and 1.0-beta, ``\"`` is an escaped quote as in 1.0-beta. If that fails, the file is
    read as 1.0, which has no escapes; the problems reported are those of the better attempt.
    """
    keep = locate is not None
    reading = _Reading(raw, Lexing(), keep=keep)
    if reading.reach is not None and '\\"' in raw:
        other = _Reading(raw, Lexing(escapes=False), keep=keep)
        reading = max(reading, other, key=_Reading.success)
    if reading.unknown is not None:
        notice(f"unknown // tenhou comment before line {reading.unknown} ignored")
    if finding is None and reading.problems:
        first = reading.problems[0]
        first.more = len(reading.problems) - 1
        raise first
    for problem in reading.problems:
        assert finding is not None
        finding(problem)
    if reading.fatal is not None:
        raise reading.fatal
    if locate is not None:
        locate += reading.locate
    return reading.matches


class _Reading:
    """One attempt to read a file.

    :param keep: keep what is needed to locate problems in the matches.
    :ivar matches: its matches, without the frames that have a syntax error.
    :ivar locate: a function for each match that returns a problem of it with its place.
    :ivar problems: the syntax errors and impossible plays, in the order of their places.
    :ivar fatal: the error after which nothing can be read.
    :ivar lost: whether a quote seems to be missing before the first syntax error.
    :ivar reach: the line and column of the first syntax error, ``None`` if there is none.
    """

    def __init__(self, raw: str, lexing: Lexing, *, keep: bool) -> None:
        self.matches: list[Match] = []
        self.locate: list[Locate] = []
        self._keep = keep
        self._locator: _Locator | None = None
        self.problems: list[JmjpError] = []
        self.fatal: JmjpSyntaxError | None = None
        self.reach: tuple[int, int] | None = None
        self.unknown: int | None = None
        self.lost = False
        self._frames = 0
        try:
            self._read(raw, lexing)
        except JmjpSyntaxError as error:
            self.fatal = error
        first = next((one for one in (*self.problems, self.fatal) if isinstance(one, JmjpSyntaxError)), None)
        if first is not None:
            self.reach = first.line, first.column

    def success(self) -> tuple[bool, bool, tuple[int, int]]:
        """Return a key that is greater for a better attempt: without a syntax error; without a quote that seems to be
        missing before the first one; with the first one further down."""
        return self.reach is None, not self.lost, self.reach or (0, 0)

    def _read(self, raw: str, lexing: Lexing) -> None:
        script = Script(raw, lexing)
        place = mark(script, 0, _HEADER)
        version = _VERSION.match(script.text, place)
        if version is None or version[0] not in READABLE:
            raise script.expected(place, f"a jmjp version ({' or '.join(READABLE)})", slips.VERSIONS)
        dialect, place = READABLE[version[0]], version.end()
        if not dialect.comments:
            script = Script(raw, Lexing(escapes=False, comments=False))
            mark(script, 0, f"{_HEADER}{version[0]}")  # what was a comment before it is none in this dialect
        place = mark(script, version.end(), "]")
        found, recovery = Remarks(script), Recovery(script, dialect)
        self._locator = _Locator(script, dialect) if self._keep else None
        with suppress(NoMoreError):
            while place < len(script.text) or not (self.matches or recovery.errors):
                if script.text.startswith(_MATCH, place):
                    place = self._match(script, place, _MatchReader(script, dialect, found, recovery))
                else:
                    place = self._no_match(script, place, recovery)
        self.lost = bool(recovery.errors) and script.is_lost(recovery.errors[0].place)
        if found.unknown is not None:
            self.unknown = script.line(found.unknown)

    def _no_match(self, script: Script, place: int, recovery: Recovery) -> int:
        """Add the error that no match is at *place*; return the place of the next."""
        known = len(recovery.errors)
        try:
            recovery.add(script.expected(place, "'('"))
        finally:
            self.problems += recovery.errors[known:]
        return recovery.next_match(place)

    def _match(self, script: Script, place: int, reader: _MatchReader) -> int:
        """Read the match at *place*, and keep only its model; return the place after it."""
        if len(self.matches) == bounds.MATCHES:
            raise script.error(place, bounds.exceeded(bounds.MATCHES, "matches"))
        try:
            after = reader.read(place)
        finally:
            self.problems += reader.problems()
            self.matches.append(reader.match())
            if self._locator is not None:
                self.locate.append(partial(self._locator.locate, place))
        self._frames += len(self.matches[-1].frames)
        if self._frames > bounds.FRAMES:
            raise script.error(place, bounds.exceeded(bounds.FRAMES, "frames"))
        return after


class _Recorded(NamedTuple):
    """A parsed frame, the disconnections and returns after it, and whether the frame before it has a syntax error."""

    frame: Frame
    reader: FrameReader
    after: list[Presence]
    after_gap: bool


class _MatchReader:
    """A match being parsed."""

    def __init__(self, script: Script, dialect: Dialect, found: Remarks, recovery: Recovery) -> None:
        self._script = script
        self._dialect = dialect
        self._remarks = found
        self._recovery = recovery
        self._known_errors = len(recovery.errors)
        self._heading = Before(players=(Player(),) * 4)
        self._ending = After()
        self._said = comments.Head()
        self._frames: list[_Recorded] = []
        self._gap = False
        self._before: list[Presence] = []
        self._chips: tuple[int, ...] | None = None
        self._worth = comments.Worth()
        self._begins = self._ends = self._result = 0

    def read(self, place: int) -> int:
        """Parse the match at *place*; return the place after it."""
        script, self._begins = self._script, place
        above = list(self._remarks.up_to(place))
        try:
            place, self._heading = head.before(script, mark(script, place, "("), self._dialect)
        except JmjpSyntaxError as error:
            place = self._recovery.after_head(self._recovery.add(error))
        self._heading["players"] = self._announced(above, list(self._heading["players"]))
        while True:
            place = self._all_frames(place)
            self._between(place, last=True)
            self._result = place
            try:
                place, self._ending = head.after(script, place)
                self._ends = place
                return mark(script, place, ")", slips.FRAMES)
            except JmjpSyntaxError as error:
                place = self._recovery.beyond(self._recovery.add(error))
            if not script.text.startswith(_IN_MATCH, place):
                return place + script.text.startswith(")", place)

    def _all_frames(self, place: int) -> int:
        """Parse the frames at *place*; return the place after them."""
        script = self._script
        while script.text.startswith("frm[", place):
            if len(self._frames) == bounds.MATCH_FRAMES:
                self._recovery.add(script.error(place, bounds.exceeded(bounds.MATCH_FRAMES, "frames in a match")))
                raise NoMoreError
            self._between(place, last=False)
            chips, self._chips = self._chips, None
            reader = FrameReader(script, self._dialect, self._remarks, place, chips)
            try:
                self._frames.append(_Recorded(reader.read(), reader, [], self._gap))
                place = self._ends = reader.after
                self._gap = False
            except JmjpSyntaxError as error:
                place = self._recovery.after_frame(self._recovery.add(error, reader.name), reader.name)
                self._gap = True
                for _ in self._remarks.up_to(place - 1):  # they are of the frame
                    pass
        return place

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

    @cached_property
    def _terms(self) -> Terms:
        """The names in the match, and jmjp's units: points and sticks in thousands, points of a frame by seat."""
        names = [player.name for player in self._heading["players"]]
        return Terms(names, points=thousands, results=thousands, sticks="{}.0".format, by_seat=True)

    def problems(self) -> list[JmjpError]:
        """Return the syntax errors, and the impossible plays in the other frames, in the order of their places."""
        script, judge = self._script, Judge(self._rules, every_frame=False)
        found: list[tuple[int, JmjpError]] = []
        for frame, reader, _, after_gap in self._frames:
            if after_gap:
                judge.pass_over()
            for error in judge.frame(frame, reader.fault):
                reader.possible = False
                place = reader.place_of(error)
                reason = error.in_terms(self._terms.at(frame.start.dealer))
                found.append((place, script.impossible(place, reason, reader.name)))
        found += [(error.place, error) for error in self._recovery.errors[self._known_errors :]]
        return [error for _, error in sorted(found, key=itemgetter(0))]

    def located(self, error: MatchError) -> JmjpError:
        """Return *error*, a problem of the match, with its place: in a frame, in the result, or in the date."""
        script = self._script
        if error.frame is None:
            place = self._result if error.at_end else max(script.text.find("mtp[", self._begins), self._begins)
            return script.impossible(place, error.in_terms(self._terms), None)
        frame, reader, *_ = self._frames[error.frame]
        reason = error.in_terms(self._terms.at(frame.start.dealer))
        return script.impossible(reader.place_of(error), reason, reader.name)

    def match(self) -> Match:
        """Return the match, once it has been parsed and judged."""
        return Match(
            rules=self._rules,
            frames=tuple(map(_complete, self._frames)),
            id=self._said.id,
            source=self._said.source,
            shuffle=self._said.shuffle,
            before=tuple(self._before),
            chips=self._worth.chips,
            ratio=self._worth.ratio,
            **self._heading,
            **self._ending,
        )


class _Locator:
    """Finds the places of problems in the matches of a file. A match is read again for it: few have any, and to keep
    the places of all would take several times the memory."""

    def __init__(self, script: Script, dialect: Dialect) -> None:
        self._script = script
        self._dialect = dialect
        self._known: tuple[int, _MatchReader] | None = None  # the place of the last match with a problem, and the match

    def locate(self, begins: int, error: MatchError) -> JmjpError:
        """Return *error*, a problem of the match that *begins* there, with its place."""
        if self._known is None or self._known[0] != begins:
            remarks = Remarks(self._script)
            for _ in remarks.up_to(begins):  # they are of other matches, or name nobody
                pass
            reader = _MatchReader(self._script, self._dialect, remarks, Recovery(self._script, self._dialect))
            with suppress(NoMoreError, JmjpSyntaxError):  # reported before
                reader.read(begins)
            self._known = begins, reader
        return self._known[1].located(error)


def _complete(recorded: _Recorded) -> Frame:
    """Return a frame with what its text tells, if its play is possible, and with the events after it."""
    frame, reader, after, _ = recorded
    if frame.comment is not None and reader.possible:
        frame = with_outcome(frame, frame.comment)
    return replace(frame, events=(*frame.events, *after)) if after else frame
