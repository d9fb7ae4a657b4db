"""jmjp to the model: from a path, an open file or bytes (source: ``jmjp-grammar.md``).

What the text does not hold is unknown in the model, never a guess:

- which copy of a tile is meant: ids from :func:`jmjp_convert.tiles.any_copy`; tsumogiri and karagiri are told apart;
- when the dora of a kan was turned, and what a win is worth, who carries pao, the kind of a draw, who was tenpai:
  the frame's comment may tell, as a text;
- the payments of each winner, where several win.
"""

from __future__ import annotations

import codecs
import re
from collections.abc import Callable
from dataclasses import replace

from jmjp_convert.ends import check_end, check_follows
from jmjp_convert.errors import JmjpError, PlayError
from jmjp_convert.jmjp.grammar import READABLE, Dialect
from jmjp_convert.jmjp.reading import head, remarks
from jmjp_convert.jmjp.reading.frames import FrameReader
from jmjp_convert.jmjp.reading.remarks import Notice, Remarks
from jmjp_convert.jmjp.reading.script import Lexing, Script, error_at
from jmjp_convert.jmjp.reading.words import mark
from jmjp_convert.model import Frame, Match, Player, Presence, Rules
from jmjp_convert.replay import Outcome, replay
from jmjp_convert.streams import MAX_SIZE, Source, chunks, opened
from jmjp_convert.tiles import RED_FIVES

Finding = Callable[[JmjpError], None]

_HEADER = "jmjp["
_VERSION = re.compile(r"[0-9A-Za-z.-]{1,12}")


def read_jmjp(
    source: Source, *, max_size: int = MAX_SIZE, notice: Notice | None = None, finding: Finding | None = None
) -> list[Match]:
    """Read one jmjp file, plain or gzip, of any dialect.

    :param source: a path, an open binary file, or bytes.
    :param max_size: the most bytes, decompressed.
    :param notice: called with each thing worth saying of a file that is taken, a line each.
    :param finding: called with each play that cannot happen, in place of raising the first; the frame's rest is not
        judged then.
    :returns: the matches, at least one. Every frame has been replayed.
    :raises JmjpError: the text is not jmjp, or says something impossible.
    :raises FileError: *source* cannot be read, or is too large.
    """
    with opened(source) as file:
        content = b"".join(chunks(file, max_size))
    return parse(_decoded(content), notice or _ignore, finding or _refuse)


def _ignore(_line: str) -> None:
    """Say nothing."""


def _refuse(error: JmjpError) -> None:
    raise error


def _decoded(content: bytes) -> str:
    content = content.removeprefix(codecs.BOM_UTF8)
    try:
        return content.decode()
    except UnicodeDecodeError as error:
        good = content[: error.start].decode()
        raise error_at(good, len(good), f"this is not UTF-8: byte 0x{content[error.start]:02x}") from error


def parse(raw: str, notice: Notice, finding: Finding) -> list[Match]:
    r"""Return the matches of the jmjp text *raw*.

    Under a header that has both, ``\"`` is an escaped quote as in 1.0-beta, unless the file cannot be read so: then it
    is tried as 1.0, which has no escapes.
    """
    try:
        return _Reader(raw, Lexing(), notice, finding).matches()
    except JmjpError as error:
        if '\\"' not in raw:
            raise
        try:
            return _Reader(raw, Lexing(escapes=False), notice, finding).matches()
        except JmjpError as other:
            further = max(error, other, key=lambda one: (one.line, one.column))
            raise further from None


class _Reader:
    """A file being read."""

    def __init__(self, raw: str, lexing: Lexing, notice: Notice, finding: Finding) -> None:
        self._notice = notice
        self._finding = finding
        self._script = Script(raw, lexing)
        place = mark(self._script, 0, _HEADER)
        version = _VERSION.match(self._script.text, place)
        if version is None or version[0] not in READABLE:
            raise self._script.expected(place, f"a version of jmjp, {' or '.join(READABLE)}")
        self._dialect = READABLE[version[0]]
        if not self._dialect.comments:
            self._script = Script(raw, Lexing(escapes=False, comments=False))
        self._start = mark(self._script, version.end(), "]")
        self._remarks = Remarks(self._script, notice)

    def matches(self) -> list[Match]:
        """Return the matches: their plays are judged when all of the text has been understood."""
        place, readers = self._start, list[_MatchReader]()
        while not readers or place < len(self._script.text):
            reader = _MatchReader(self._script, self._dialect, self._remarks)
            place = reader.read(place)
            readers.append(reader)
        return [reader.judged(self._finding) for reader in readers]


class _MatchReader:
    """A match being read."""

    def __init__(self, script: Script, dialect: Dialect, found: Remarks) -> None:
        self._script = script
        self._dialect = dialect
        self._remarks = found
        self._frames: list[tuple[Frame, FrameReader]] = []
        self._before: list[Presence] = []
        self._chips: tuple[int, ...] | None = None
        self._ratio: str | None = None

    def read(self, place: int) -> int:
        """Take the match that begins at *place*; return the place after it."""
        script, start = self._script, place
        above = list(self._remarks.up_to(place))
        place, self._heading = head.before(script, mark(script, place, "("), self._dialect)
        said, self._heading["players"] = self._said(above, list(self._heading["players"]))
        while script.text.startswith("frm[", place):
            self._between(place)
            chips, self._chips = self._chips, None
            reader = FrameReader(script, self._dialect, self._remarks, place, chips)
            try:
                self._frames.append((reader.read(), reader))
            except JmjpError as error:
                error.frame = reader.name
                raise
            place = reader.after
        self._between(place)
        place, self._ending = head.after(script, place)
        self._said_of_it = said if said.rules else said._replace(rules=self._rules(start, place))
        return mark(script, place, ")")

    def _said(self, above: list[remarks.Remark], players: list[Player]) -> tuple[remarks.Head, tuple[Player, ...]]:
        """Return what the comments *above* the match say of it, and of its *players*."""
        said = remarks.Head()
        for remark in above:
            try:
                if "player" in remark.values:
                    remarks.player(remark, players)
                else:
                    said = remarks.head(remark)
            except ValueError:
                self._remarks.pass_over(remark)
        return said, tuple(players)

    def _between(self, place: int) -> None:
        """Take the comments up to *place*, which is not inside a frame."""
        for remark in self._remarks.up_to(place):
            try:
                if not remark.word and remark.values.keys() <= {"chips", "ratio"}:
                    self._chips = remark.numbers("chips")
                    self._ratio = remark.text("ratio")
                else:
                    self._come_or_go(remarks.presence(remark))
            except ValueError:
                self._remarks.pass_over(remark)

    def _come_or_go(self, event: Presence) -> None:
        if self._frames:
            frame, reader = self._frames[-1]
            self._frames[-1] = replace(frame, events=(*frame.events, event)), reader
        else:
            self._before.append(event)

    def _rules(self, start: int, end: int) -> Rules:
        """Return the rules as far as the tiles of the match tell."""
        red = any(self._script.text.find(face, start, end) >= 0 for face in RED_FIVES.values())
        return Rules(red_fives=True if red else None)

    def judged(self, finding: Finding) -> Match:
        """Return the match, after its plays are judged."""
        said = self._said_of_it
        assert said.rules is not None
        outcome: Outcome | None = None
        for index, (frame, reader) in enumerate(self._frames):
            if outcome is not None and _is_next(self._frames[index - 1][0], frame):
                left = self._frames[index - 1][0].end.points
                try:
                    check_follows(left, outcome.sticks, frame.start)
                except PlayError as error:
                    at = reader.sticks_at if left == frame.start.points else reader.points_at
                    finding(self._script.error(at, str(error), reader.name))
            try:
                if reader.fault is not None:
                    raise reader.fault
                outcome = replay(frame.start, frame.events, said.rules) if frame.start.hands else None
                if outcome is not None:
                    check_end(outcome, frame)
            except PlayError as error:
                outcome = None
                finding(self._script.error(reader.place_of(error), str(error), reader.name))
        return Match(
            rules=said.rules,
            frames=tuple(frame for frame, _ in self._frames),
            id=said.id,
            source=said.source,
            shuffle=said.shuffle,
            before=tuple(self._before),
            chips=self._chips,
            ratio=self._ratio,
            **self._heading,
            **self._ending,
        )


def _is_next(frame: Frame, other: Frame) -> bool:
    """Return whether *other* can be the frame right after *frame*: a record may leave some out."""
    rounds = other.start.round - frame.start.round
    honba = other.start.honba - frame.start.honba
    return (rounds, honba) == (0, 1) or (rounds == 1 and (honba == 1 or other.start.honba == 0))
