"""Read jmjp from a path, an open file or bytes (source: ``docs/design/jmjp-grammar.md``).

What the text does not hold is unknown in the model, never guessed:

- which copy of a tile it is: the IDs are those of :func:`~jmjp_convert.model.tiles.any_copy`; tsumogiri and karagiri
  remain distinct;
- when a kan dora was turned;
- what a win is worth, who is responsible (pao), the kind of a draw, and who was tenpai, unless the frame's text is
  exactly what our writer says of its end (:mod:`~jmjp_convert.play.outcome_text`): other words may say so, but are
  only kept;
- each winner's payments, where several win.
"""

from __future__ import annotations

import codecs
import re
from collections.abc import Callable
from contextlib import suppress
from functools import lru_cache, partial
from operator import itemgetter
from typing import Final

from jmjp_convert.errors import JmjpError, JmjpSyntaxError, MatchError
from jmjp_convert.formats import bounds
from jmjp_convert.formats.jmjp import comments
from jmjp_convert.formats.jmjp.acts import act_alone
from jmjp_convert.formats.jmjp.comments import Fields, Remark, Remarks
from jmjp_convert.formats.jmjp.frames import FrameReader, hand_alone, tail_alone
from jmjp_convert.formats.jmjp.grammar import (
    four,
    four_points,
    frame_id,
    mark,
    matching,
    name,
    number,
    optional,
    points,
    text_or_token,
    tour_points,
)
from jmjp_convert.formats.jmjp.lexer import Script, error_at
from jmjp_convert.formats.jmjp.notation import (
    AFFILIATIONS,
    ALL_FRAMES,
    HAND,
    PLACES,
    READABLE,
    SEATS,
    STAGES,
    TEAMS,
    TOURNAMENTS,
    Dialect,
)
from jmjp_convert.formats.session import Locate, Session, reader
from jmjp_convert.lazy_regex import regex
from jmjp_convert.messages import Terms, thousands
from jmjp_convert.model import (
    Match,
    Player,
    PointRule,
    Presence,
    Recorder,
    Rules,
    Tournament,
)
from jmjp_convert.model.dates import DATE, TIME, WEEKDAYS
from jmjp_convert.model.tiles import RED_FACES
from jmjp_convert.play.judge import Judge, check_worth
from jmjp_convert.play.outcome_text import with_outcome
from jmjp_convert.play.red_fives import flagged, recorded_fives, together

_HEADER: Final = "jmjp["
_VERSION: Final = re.compile(r"[0-9A-Za-z.-]{1,12}")
_MATCH: Final = ("(", "tnm[", "mtp[")
_IN_MATCH: Final = ("frm[", "pme[", "ptn[")


@reader(JmjpError)
def read_jmjp(content: Callable[[], bytes], session: Session[JmjpError]) -> None:
    """Read jmjp of any dialect.

    Problems are found in the order of their positions: each syntax error, up to a hundred, and each impossible play.
    The rest of a frame with an impossible play is not judged; one with a syntax error is left out, and so are fields
    before or after the frames with one. If they are not collected, the first is raised, with the number of others.
    """
    raw = _decoded(content())
    # Under the header that 1.0 shares with 1.0-beta, \" is an escaped quote as in 1.0-beta. If that fails, the file is
    # read as 1.0, which has no escapes; the problems reported are those of the better attempt.
    reading = _Reading(raw)
    if reading.reach is not None and '"' in raw:
        reading = max(reading, _Reading(raw, escapes=False), key=_Reading.success)
    if reading.unknown is not None:
        session.notice(f"unknown // tenhou comment before line {reading.unknown} ignored")
    if reading.problems and not session.collects:
        reading.problems[0].more = len(reading.problems) - 1
    for problem in reading.problems:
        session.find(problem)
    if reading.fatal is not None:
        raise reading.fatal
    for match, locate in zip(reading.matches, reading.locate, strict=True):
        session.add(match, locate)


def _decoded(content: bytes) -> str:
    content = content.removeprefix(codecs.BOM_UTF8)
    try:
        return content.decode()
    except UnicodeDecodeError as error:
        good = content[: error.start].decode()
        reason = f"invalid UTF-8: byte 0x{content[error.start]:02x}; save the file as UTF-8"
        raise error_at(good, len(good), reason, JmjpSyntaxError) from error


class _Reading:
    """One attempt to read a file."""

    def __init__(self, raw: str, *, escapes: bool = True) -> None:
        self.matches: list[Match] = []  # its matches, without the frames that have a syntax error
        self.locate: list[Locate] = []  # a function for each match that returns a problem of it with its position
        self.problems: list[JmjpError] = []  # the syntax errors and impossible plays, in the order of their positions
        self.fatal: JmjpSyntaxError | None = None  # the error after which nothing can be read
        # The line and column of the first syntax error, None if there is none.
        self.reach: tuple[int, int] | None = None
        self.unknown: int | None = None
        self.lost = False  # whether a quote seems to be missing before the first syntax error
        self._frames = 0
        try:
            self._read(raw, escapes=escapes)
        except JmjpSyntaxError as error:
            self.fatal = error
        first = next((error for error in (*self.problems, self.fatal) if isinstance(error, JmjpSyntaxError)), None)
        if first is not None:
            self.reach = first.line, first.column

    def success(self) -> tuple[bool, bool, tuple[int, int]]:
        """Return a key that is greater for a better attempt: without a syntax error; without a quote that seems to be
        missing before the first one; with the first one further down."""
        return self.reach is None, not self.lost, self.reach or (0, 0)

    def _read(self, raw: str, *, escapes: bool) -> None:
        script = Script(raw, escapes=escapes)
        position = mark(script, 0, _HEADER)
        version = _VERSION.match(script.text, position)
        if version is None or version[0] not in READABLE:
            raise script.expected(position, f"a jmjp version ({' or '.join(READABLE)})", ("versions",))
        dialect, position = READABLE[version[0]], version.end()
        if not dialect.comments:
            script = Script(raw, escapes=False, comments=False)
            mark(script, 0, f"{_HEADER}{version[0]}")  # what was a comment before it is none in this dialect
        position = mark(script, version.end(), "]")
        remarks, recovery = Remarks(script.comments), _Recovery(script, dialect)
        reread = lru_cache(maxsize=1)(partial(_reread, script, dialect))
        with suppress(_NoMoreError):
            while position < len(script.text) or not (self.matches or recovery.errors):
                if script.text.startswith(_MATCH, position):
                    self.locate.append(partial(_located, reread, position))
                    position = self._match(script, position, _MatchReader(script, dialect, remarks, recovery))
                else:
                    position = self._no_match(script, position, recovery)
        self.lost = bool(recovery.errors) and script.is_lost(recovery.errors[0].position)
        if remarks.unknown is not None:
            self.unknown = script.line(remarks.unknown)

    def _no_match(self, script: Script, position: int, recovery: _Recovery) -> int:
        """Add the error that no match is at *position*; return the position of the next."""
        known = len(recovery.errors)
        try:
            recovery.add(script.expected(position, "'('"))
        finally:
            self.problems += recovery.errors[known:]
        return recovery.next(_NEXT_MATCH, position)

    def _match(self, script: Script, position: int, reader: _MatchReader) -> int:
        """Read the match at *position*, and keep only its model; return the position after it."""
        if len(self.matches) == bounds.MATCHES:
            raise script.error(position, bounds.exceeded(bounds.MATCHES, "matches"))
        try:
            after = reader.read(position)
        finally:
            self.problems += reader.problems()
            self.matches.append(reader.match())
        self._frames += len(self.matches[-1].frames)
        if self._frames > bounds.FRAMES:
            raise script.error(position, bounds.exceeded(bounds.FRAMES, "frames"))
        return after


class _MatchReader:
    """A match being parsed."""

    def __init__(self, script: Script, dialect: Dialect, remarks: Remarks, recovery: _Recovery) -> None:
        self._script = script
        self._dialect = dialect
        self._remarks = remarks
        self._recovery = recovery
        self._known_errors = len(recovery.errors)
        self._heading = Fields(players=(Player(),) * 4)
        self._ending = Fields()
        self._head = Fields()
        self._frames: list[FrameReader] = []
        self._gap = False
        self._before: list[Presence] = []
        self._chips: tuple[int, ...] | None = None
        self._worth = Fields()
        self._begins = self._ends = self._result = 0

    def read(self, position: int) -> int:
        """Parse the match at *position*; return the position after it."""
        script, self._begins = self._script, position
        try:
            position, self._heading = _before(script, mark(script, position, "("), self._dialect)
        except JmjpSyntaxError as error:
            position = self._recovery.after_head(self._recovery.add(error))
        self._remarks.apply(self._begins, self._take_above)
        while True:
            position = self._all_frames(position)
            self._remarks.apply(position, partial(self._take_between, last=True))
            self._result = position
            try:
                position, self._ending = _after(script, position)
                self._ends = position
                return mark(script, position, ")", ("last_frame",))
            except JmjpSyntaxError as error:
                position = self._recovery.next(_BEYOND, self._recovery.add(error))
            if not script.text.startswith(_IN_MATCH, position):
                return position + script.text.startswith(")", position)

    def _all_frames(self, position: int) -> int:
        """Parse the frames at *position*; return the position after them."""
        script = self._script
        while script.text.startswith("frm[", position):
            if len(self._frames) == bounds.MATCH_FRAMES:
                self._recovery.add(script.error(position, bounds.exceeded(bounds.MATCH_FRAMES, "frames in a match")))
                raise _NoMoreError
            self._remarks.apply(position, partial(self._take_between, last=False))
            chips, self._chips = self._chips, None
            reader = FrameReader(script, self._dialect, self._remarks, position, chips, after_gap=self._gap)
            try:
                reader.read()
                self._frames.append(reader)
                position = self._ends = reader.after
                self._gap = False
            except JmjpSyntaxError as error:
                position = self._recovery.after_frame(self._recovery.add(error, reader.name), reader.name)
                self._gap = True
                self._remarks.pass_over(position - 1)  # they are of the frame
        return position

    def _take_above(self, remark: Remark) -> None:
        """Apply a comment above the match."""
        if "player" in remark.values:
            self._heading["players"] = comments.with_player(remark, self._heading["players"])
        else:
            self._head = comments.head_of(remark)

    def _take_between(self, remark: Remark, *, last: bool) -> None:
        """Apply a comment that is before a frame, or after the *last* one."""
        if last and (worth := comments.worth(remark)) is not None:
            self._worth = worth
        elif not last and (chips := comments.chips_before(remark)) is not None:
            self._chips = chips
        else:
            (self._frames[-1].presences if self._frames else self._before).append(comments.presence_of(remark))

    def _rules_shown(self) -> Rules:
        """Return what the tiles of the match show of its rules."""
        if not any(self._script.text.find(face, self._begins, self._ends) >= 0 for face in RED_FACES):
            return Rules(red_fives=None)
        shown = together(recorded_fives(reader.frame) for reader in self._frames)
        return Rules(red_fives=flagged(flag=True, shown=shown, players=len(self._heading["players"])))

    def _terms(self) -> Terms:
        """Return the names in the match, and jmjp's units: points and sticks in thousands, points of a frame by
        seat."""
        names = [player.name for player in self._heading["players"]]
        return Terms(names, points=thousands, results=thousands, sticks="{}.0".format, by_seat=True)

    def problems(self) -> list[JmjpError]:
        """Return the syntax errors, and the impossible plays in the other frames, in the order of their positions."""
        if not self._head:
            self._head["rules"] = self._rules_shown()
        script, judge = self._script, Judge(self._head["rules"], every_frame=False)
        errors_at: list[tuple[int, JmjpError]] = []
        for parsed in self._frames:
            frame = parsed.frame
            if parsed.after_gap:
                judge.pass_over()
            errors = [*judge.frame(frame, parsed.fault)]
            if not errors and frame.comment is not None:
                whole = with_outcome(frame, frame.comment)
                if (worth := check_worth(whole)) is None:
                    parsed.frame = whole
                else:
                    errors.append(worth)
            for error in errors:
                position = parsed.position_of(error)
                reason = error.in_terms(self._terms().at(frame.start.dealer))
                errors_at.append((position, script.impossible(position, reason, parsed.name)))
        errors_at += [(error.position, error) for error in self._recovery.errors[self._known_errors :]]
        return [error for _, error in sorted(errors_at, key=itemgetter(0))]

    def located(self, error: MatchError) -> JmjpError:
        """Return *error*, a problem of the match, with its position: in a frame, in the result, or in the date."""
        script = self._script
        if error.frame is None:
            position = self._result if error.at_end else max(script.text.find("mtp[", self._begins), self._begins)
            return script.impossible(position, error.in_terms(self._terms()), None)
        reader = self._frames[error.frame]
        reason = error.in_terms(self._terms().at(reader.frame.start.dealer))
        return script.impossible(reader.position_of(error), reason, reader.name)

    def match(self) -> Match:
        """Return the match, once it has been parsed and judged."""
        fields = self._head | self._heading | self._ending | self._worth
        frames = tuple([reader.with_presences() for reader in self._frames])
        return Match(frames=frames, before=tuple(self._before), **fields)


def _reread(script: Script, dialect: Dialect, begins: int) -> _MatchReader:
    """Read the match that *begins* there once more, for the positions in it: few matches have a problem that needs
    them, and to keep those of all would take several times the memory."""
    remarks = Remarks(script.comments)
    remarks.pass_over(begins)  # they are of other matches, or name nobody
    reader = _MatchReader(script, dialect, remarks, _Recovery(script, dialect))
    with suppress(_NoMoreError, JmjpSyntaxError):  # reported before
        reader.read(begins)
    return reader


def _located(reread: Callable[[int], _MatchReader], begins: int, error: MatchError) -> JmjpError:
    """Return *error*, a problem of the match that *begins* there, with its position."""
    return reread(begins).located(error)


# --- the fields before and after the frames ---------------------------------------------------------------------------

_DAYS: Final = f"a weekday ({WEEKDAYS[0]} to {WEEKDAYS[-1]})"

_year = partial(matching, pattern=regex("[0-9]{4}"), what="a year (YYYY)")
_date = partial(matching, pattern=regex(DATE), what="a date (YYYYMMDD)", usual=("dates",))
_weekday = partial(matching, pattern=regex("|".join(WEEKDAYS)), what=_DAYS, usual=("days",))
_time = partial(matching, pattern=regex(TIME), what="a time (HHMM)", usual=("times",))
_player_number = partial(matching, pattern=regex("[0-3]"), what="a player (0 to 3)", usual=("players",))


def _before(script: Script, position: int, dialect: Dialect) -> tuple[int, Fields]:
    """Parse the fields before the frames."""
    fields = Fields()
    if script.text.startswith("tnm[", position):
        position, fields["tournament"] = _tournament(script, position)
    position, when_and_where = _when_and_where(script, position)
    fields |= when_and_where
    recorders: list[Recorder] = []
    while script.text.startswith("rec[", position):
        if len(recorders) == bounds.RECORDERS:
            raise script.error(position, bounds.exceeded(bounds.RECORDERS, "recorders"))
        position, recorder = _recorder(script, position, dialect)
        recorders.append(recorder)
    fields["recorders"] = tuple(recorders)
    position, fields["players"] = _players(script, position, dialect)
    if script.text.startswith("ptr[", position):
        position, fields["point_rule"] = _point_rule(script, position, dialect)
    return position, fields


def _after(script: Script, position: int) -> tuple[int, Fields]:
    """Parse the fields after the frames."""
    fields = Fields()
    if script.text.startswith("pme[", position):
        position, fields["results"] = four_points(script, position + len("pme["))
    if script.text.startswith("ptn[", position):
        position, fields["tour_points"] = four(script, position + len("ptn["), tour_points)
    return position, fields


def _tournament(script: Script, position: int) -> tuple[int, Tournament]:
    position, title = text_or_token(script, mark(script, position, "tnm["), ",", TOURNAMENTS)
    position, year = optional(script, position, ",", _year)
    position, stage = text_or_token(script, position, ",", STAGES)
    position, stage_match = optional(script, position, ",", number)
    position, day_match = optional(script, position, "]", number)
    return position, Tournament(title, None if year is None else int(year), stage, stage_match, day_match)


def _when_and_where(script: Script, position: int) -> tuple[int, Fields]:
    position, date = optional(script, mark(script, position, "mtp["), ",", _date)
    position, weekday = optional(script, position, ",", _weekday)
    position, time = optional(script, position, ",", _time)
    position, where = text_or_token(script, position, "]", PLACES)
    return position, {"date": date, "weekday": weekday, "time": time, "place": where}


def _recorder(script: Script, position: int, dialect: Dialect) -> tuple[int, Recorder]:
    position, who = name(script, mark(script, position, "rec["), dialect, ",")
    if script.text.startswith(ALL_FRAMES, position):
        return mark(script, position + len(ALL_FRAMES), "]"), Recorder(who)
    frames: list[tuple[int, int]] = []
    while not script.text.startswith("]", position):
        if len(frames) == bounds.MATCH_FRAMES:
            raise script.error(position, bounds.exceeded(bounds.MATCH_FRAMES, "frames of a recorder"))
        position, frame = frame_id(script, position, ("recorded",))
        frames.append(frame)
    return position + 1, Recorder(who, tuple(frames))


def _players(script: Script, position: int, dialect: Dialect) -> tuple[int, tuple[Player, ...]]:
    players: dict[int, Player] = {}
    while len(players) < len(SEATS):
        start = position
        position, (who, player) = _player(script, position, dialect)
        if who in players:
            raise script.error(start + len("ply["), f"duplicate player {who}")
        players[who] = player
    return position, tuple(players[who] for who in range(len(SEATS)))


def _player(script: Script, position: int, dialect: Dialect) -> tuple[int, tuple[int, Player]]:
    """Parse a player: the number, and what is known of them."""
    position, digit = _player_number(script, mark(script, position, "ply["))
    position, who = name(script, mark(script, position, ","), dialect, ",")
    position, team = text_or_token(script, position, ",", TEAMS)
    position, affiliation = text_or_token(script, position, ",", AFFILIATIONS)
    position, both = optional(script, position, "]", tour_points)
    return position, (int(digit), Player(who, team=team, affiliation=affiliation, tour_points=both))


def _point_rule(script: Script, position: int, dialect: Dialect) -> tuple[int, PointRule]:
    position, start = points(script, mark(script, position, "ptr["))
    position, target = points(script, mark(script, position, ","))
    position, uma14 = points(script, mark(script, position, ",("))
    position, uma23 = points(script, mark(script, position, ","))
    position, honba = points(script, mark(script, position, "),"))
    tenpai = None
    if dialect.tenpai and script.text.startswith(",", position):
        position, tenpai = points(script, position + 1)
    return mark(script, position, "]"), PointRule(start, target, (uma14, uma23, -uma23, -uma14), honba, tenpai)


_PARTS: Final[dict[str, Callable[[Script, int, Dialect], tuple[int, object]]]] = {
    "tnm[": lambda script, position, _dialect: _tournament(script, position),
    "mtp[": lambda script, position, _dialect: _when_and_where(script, position),
    "rec[": _recorder,
    "ply[": _player,
    "ptr[": _point_rule,
}
"""The parsers of the parts before the frames, by keyword."""


# --- recovery ---------------------------------------------------------------------------------------------------------

_MOST: Final = 100
"""The maximum number of syntax errors that are looked for in a file."""

# Where the frames, the fields after them, the next match or the end of this one begin.
_OUTSIDE: Final = r"frm\[|pme\[|ptn\[|\)(?=\((?:tnm|mtp)\[|\Z)|\((?=(?:tnm|mtp)\[)"
_NEXT_MATCH: Final = regex(r"\((?=(?:tnm|mtp)\[)")
_BEYOND: Final = regex(_OUTSIDE)
_IN_HEAD: Final = regex(rf"(?P<part>{'|'.join(map(re.escape, _PARTS))})|{_OUTSIDE}")
# Only acts and hands are in round brackets that follow each other; the last hand is followed by a comma.
_IN_FRAME: Final = regex(rf"{_OUTSIDE}|(?P<item>(?<=\))\(|\([eswn],)|(?P<tail>(?<=\]\)),)")


class _NoMoreError(Exception):
    """The rest of the file is not read."""


class _Recovery:
    """The syntax errors of a file, and where to go on after them."""

    def __init__(self, script: Script, dialect: Dialect) -> None:
        self.errors: list[JmjpSyntaxError] = []  # the errors so far, in the order of their positions
        self._script = script
        self._dialect = dialect
        self._known = -1  # what is missing up to here follows from the errors so far

    def add(self, error: JmjpSyntaxError, frame: str | None = None) -> int:
        """Add *error*, which is in *frame*, unless it follows from the last one; return its position.

        :raises _NoMoreError: there are too many, or a quote is missing, so that strings and syntax are confused.
        """
        position = error.position
        if position <= self._known:
            return position
        self._known = position
        if len(self.errors) == _MOST:
            self.errors.append(
                self._script.error(position, f"{bounds.exceeded(_MOST, 'syntax errors')}; the rest is not read")
            )
            raise _NoMoreError
        error.frame = frame
        self.errors.append(error)
        if self._script.is_lost(position):
            raise _NoMoreError
        return position

    def after_head(self, position: int) -> int:
        """Return the position where the frames begin after an error at *position* in the head of a match.

        :raises _NoMoreError: as for :meth:`add`.
        """
        text = self._script.text
        while (match := _IN_HEAD.search(text, position)) is not None and match["part"]:
            try:
                position, _ = _PARTS[match["part"]](self._script, match.start(), self._dialect)
            except JmjpSyntaxError as error:
                position = self.add(error)
        return self._resumed(len(text) if match is None else match.start())

    def after_frame(self, position: int, frame: str | None) -> int:
        """Return the position after *frame*, which has an error at *position*.

        :raises _NoMoreError: as for :meth:`add`.
        """
        text = self._script.text
        while (match := _IN_FRAME.search(text, position)) is not None:
            try:
                if match["item"]:
                    position = self._items(match.start())
                elif match["tail"]:
                    return self._resumed(tail_alone(self._script, match.start()))
                else:
                    return self._resumed(match.start())
            except JmjpSyntaxError as error:
                position = self.add(error, frame)
        return self._resumed(len(text))

    def _items(self, position: int) -> int:
        """Return the position after the acts and hands at *position*."""
        script = self._script
        while script.text.startswith("(", position):
            parse = hand_alone if script.text.startswith(HAND, position + len("(e,")) else act_alone
            position = parse(script, position, self._dialect)
        return position

    def next(self, pattern: re.Pattern[str], position: int) -> int:
        """Return the position where *pattern* matches next after an error at *position*."""
        match = pattern.search(self._script.text, position)
        return self._resumed(len(self._script.text) if match is None else match.start())

    def _resumed(self, position: int) -> int:
        self._known = max(self._known, position)
        return position
