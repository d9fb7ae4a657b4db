"""Read records of 電脳麻将 from a path, an open file or bytes.

Sources: as for :mod:`.writer`. A file is a record, a list of records as 電脳麻将 exports it, or one record after the
other. ``player``, ``defen`` and ``point`` are listed by seat at the table; ``qijia`` is the seat of the first dealer,
who is player 0. A record without ``point`` has no result: ``defen`` then has the points of a game that goes on.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import zip_longest
from typing import Any, NamedTuple, TypeVar

from jmjp_convert.errors import EndError, MajiangError, MatchError, PaymentError, PlayError, StartError
from jmjp_convert.files.inputs import MAX_SIZE, Source, chunks, opened
from jmjp_convert.formats import bounds
from jmjp_convert.formats.assembly import Assembly, Played, points_after, red_fives
from jmjp_convert.formats.json_text import Walk, decoded, shown
from jmjp_convert.formats.majiang import values
from jmjp_convert.formats.majiang.notation import Title, read_player, read_point, read_title
from jmjp_convert.formats.majiang.steps import Steps
from jmjp_convert.formats.majiang.values import WrongValueError, expected
from jmjp_convert.formats.session import Locate
from jmjp_convert.messages import Terms, thousands
from jmjp_convert.model import (
    SEATS,
    Ankan,
    Chi,
    Daiminkan,
    Discard,
    DoraRevealed,
    Draw,
    Ending,
    Frame,
    Kakan,
    Match,
    Player,
    Pon,
    RiichiAccepted,
    RiichiDeclared,
    Rules,
)

Notice = Callable[[str], None]
Finding = Callable[[MajiangError], None]

_T = TypeVar("_T")

_MOST_NOTICES = 100
_NO_POINT = frozenset(("", "-"))  # as written by us, and by the editor of 電脳麻将
_UNFINISHED = [0] * SEATS  # as majiang-core before 0.1.8 begins a game; results are texts
_KNOWN = frozenset(("title", "player", "qijia", "log", "defen", "rank", "point"))


def read_majiang(
    source: Source,
    *,
    max_size: int = MAX_SIZE,
    notice: Notice | None = None,
    finding: Finding | None = None,
    locate: list[Locate] | None = None,
) -> list[Match]:
    """Read one file of records of 電脳麻将, plain or compressed.

    :param source: a path, an open binary file, or bytes.
    :param max_size: the maximum size in bytes, decompressed.
    :param notice: called once with each remark on what is ignored, one line each.
    :param finding: called with each problem inside a frame, instead of raising the first; the frame is left out.
    :param locate: if given, gets a function for each match that returns a problem of it with its place in the file.
    :returns: the matches, at least one. Every frame has been replayed.
    :raises MajiangError: the file is not of this format, or describes impossible play.
    :raises FileError: *source* cannot be read, or is too large.
    """
    with opened(source) as file:
        content = b"".join(chunks(file, max_size))
    told: dict[str, None] = {}

    def tell(line: str) -> None:
        if len(told) < _MOST_NOTICES:
            told[line] = None

    records = _File(decoded(content, MajiangError), tell, finding or _refuse)
    matches = records.matches()
    if locate is not None:
        locate += records.locate
    for line in told:
        (notice or _ignore)(line)
    if notice is not None and len(told) == _MOST_NOTICES:
        notice("there may be more that is ignored")
    return matches


def _refuse(error: MajiangError) -> None:
    raise error


def _ignore(_: str) -> None:
    """Ignore a notice."""


class _Frame(NamedTuple):
    """A frame that was read: its number in the log, its play, for each event the index of its step, and the *kinds* of
    its steps."""

    number: int
    played: Played
    places: Sequence[int]
    kinds: Sequence[str]


class _Flaw(NamedTuple):
    """An invalid value in a frame: the *error*, the *pointer* to it, and the *name* and *dealer* of the frame, if they
    are known."""

    error: WrongValueError
    pointer: str
    name: str | None
    dealer: int | None


class _File:
    """A file being read."""

    def __init__(self, text: str, notice: Notice, finding: Finding) -> None:
        self._walk = Walk(text, MajiangError)
        self._notice = notice
        self._finding = finding
        self._line = 1  # of the record
        self._frames = 0
        self.locate: list[Locate] = []

    def matches(self) -> list[Match]:
        """Read the file."""
        found: list[Match] = []
        for pointer in self._walk.documents():
            if len(found) == bounds.MATCHES:
                raise self._error(bounds.exceeded(bounds.MATCHES, "matches"))
            found.append(self._record(pointer))
        if not found:
            raise self._error("no match found")
        return found

    def _error(self, reason: str, pointer: str = "", frame: str | None = None) -> MajiangError:
        return MajiangError(reason, line=self._line, pointer=pointer, frame=frame)

    # --- a record ----------------------------------------------------------------------------------------------------

    def _record(self, pointer: str) -> Match:
        """Read the record at *pointer*."""
        walk = self._walk
        opening = walk.next()
        self._line = walk.line
        if opening != "{":
            raise self._error(expected("an object", walk.value()).reason, pointer)
        head: dict[str, Any] = {}
        frames: list[_Frame | _Flaw] = []
        for key in walk.members():
            if key == "log":
                frames = self._log(f"{pointer}/log")
            elif key in _KNOWN:
                head[key] = walk.value()
            else:
                walk.value()
                self._notice(f"unknown key {shown(key)} ignored")
        if not frames and "qijia" not in head:
            raise self._error("expected a game record, found an object without its key log", pointer)
        try:
            return self._match(head, frames, pointer)
        except WrongValueError as wrong:
            raise self._wrong(wrong, pointer) from None

    def _wrong(self, wrong: WrongValueError, pointer: str) -> MajiangError:
        return self._error(wrong.reason, "/".join((pointer, *map(str, wrong.path))))

    def _log(self, pointer: str) -> list[_Frame | _Flaw]:
        """Return the frames of a record, or their errors."""
        walk = self._walk
        if walk.next() != "[":
            raise self._error(expected("a list of frames", walk.value()).reason, pointer)
        found: list[_Frame | _Flaw] = []
        for number in walk.items():
            self._frames += 1
            for count, most, what in (
                (number + 1, bounds.MATCH_FRAMES, "frames in a match"),
                (self._frames, bounds.FRAMES, "frames"),
            ):
                if count > most:
                    raise self._error(bounds.exceeded(most, what), pointer)
            steps = Steps(self._notice)
            value = walk.value()
            try:
                found.append(_Frame(number, steps.read(value), steps.places, steps.kinds))
            except WrongValueError as wrong:
                place = f"{pointer}/{number}" + (f"/{steps.step}" if wrong.path or steps.step else "")
                dealer = steps.dealer if steps.name else None
                found.append(_Flaw(wrong, "/".join((place, *map(str, wrong.path))), steps.name, dealer))
        return found

    def _match(self, head: dict[str, Any], frames: list[_Frame | _Flaw], pointer: str) -> Match:
        first = values.number(head.get("qijia", 0), "a seat, 0 to 3", SEATS - 1, "qijia")
        title = read_title(values.text(head["title"], "title")) if "title" in head else Title()
        players = [self._player(*one) for one in enumerate(values.four(head.get("player", [""] * SEATS), "player"))]
        points, results = self._result(head)
        facts = title.facts(red_fives=red_fives([frame.played for frame in frames if isinstance(frame, _Frame)]))
        names = [player.name for player in _from(first, players)]
        terms = Terms(names, results=thousands, by_seat=True, first=-first % SEATS)
        return Match(
            players=_from(first, players),
            frames=self._assembled(frames, facts["rules"], pointer, terms),
            final_points=None if points is None else _from(first, points),
            results=None if results is None else _from(first, results),
            **facts,
        )

    def _player(self, seat: int, said: Any) -> Player:
        player, rest = read_player(values.text(said, "player", seat))
        for line in rest:
            self._notice(f"line {shown(line)} below the name of a player ignored")
        return player

    def _result(self, head: dict[str, Any]) -> tuple[list[int] | None, list[int] | None]:
        """Return the points and results by seat, as far as they are known."""
        listed = values.four(head.get("point", [""] * SEATS), "point")
        said = [str(one) for one in listed]
        if _NO_POINT.issuperset(said) or listed == _UNFINISHED:
            return None, None
        points = None
        if "defen" in head:
            points = [values.points(one, "defen", seat) for seat, one in enumerate(values.four(head["defen"], "defen"))]
        found = [read_point(one) for one in said]
        if None in found:
            self._notice(f"results (point) ignored: thousands such as -15.7 expected, not {shown(', '.join(said))}")
            return points, None
        return points, [one for one in found if one is not None]

    # --- frames ------------------------------------------------------------------------------------------------------

    def _assembled(self, frames: list[_Frame | _Flaw], rules: Rules, pointer: str, terms: Terms) -> tuple[Frame, ...]:
        """Return the *frames* that are possible, each replayed; their errors are reported in order."""
        added: list[_Frame] = []

        def find(error: PlayError, index: int) -> None:
            frame = added[index]
            place = f"{pointer}/log/{frame.number}/{_place(error, frame)}"
            start = frame.played.start
            self._finding(self._error(error.in_terms(terms.at(start.dealer)), place, start.name))

        kept: list[_Frame] = []
        made = Assembly(rules, find)
        for frame, then in zip_longest(frames, frames[1:]):
            if isinstance(frame, _Flaw):
                self._finding(self._error(frame.error.in_terms(terms.at(frame.dealer)), frame.pointer, frame.name))
                continue
            added.append(frame)
            after = points_after(frame.played, then.played.start if isinstance(then, _Frame) else None)
            if made.add(frame.played, after):
                kept.append(frame)
        self.locate.append(_Located(self._line, pointer, terms, kept).error)
        return made.frames()


class _Located(NamedTuple):
    """A match in the file: the *line* of its record, the *pointer* to it, its *terms*, and its *frames*."""

    line: int
    pointer: str
    terms: Terms
    frames: Sequence[_Frame]

    def error(self, error: MatchError) -> MajiangError:
        """Return *error*, a problem of the match, with the place of its value."""
        if error.frame is None:
            place, dealer = "point" if error.at_end else "title", None
        else:
            frame = self.frames[error.frame]
            place, dealer = f"log/{frame.number}/{_place(error, frame)}", frame.played.start.dealer
        reason = error.in_terms(self.terms.at(dealer))
        return MajiangError(reason, line=self.line, pointer=f"{self.pointer}/{place}", frame=error.name)


def _from(first: int, by_seat: Sequence[_T]) -> tuple[_T, ...]:
    """Return values listed by seat at the table by player, the *first* dealer first."""
    return (*by_seat[first:], *by_seat[:first])


def _place(error: PlayError, frame: _Frame) -> str:
    """Return the JSON pointer of *error* within its frame."""
    played, index = frame.played, error.index
    if isinstance(error, StartError):
        return "0/qipai/lizhibang" if error.sticks else "0/qipai/defen"
    if isinstance(error, EndError):
        ends = [place for place, event in enumerate(played.events) if isinstance(event, Ending)]
        own = [place for place in ends if getattr(played.events[place], "player", error.player) == error.player]
        step = frame.places[own[0]]
        return f"{step}/{frame.kinds[step]}/shoupai"
    if index < 0:
        seat = (-2 - index - played.start.dealer) % SEATS
        return "0/qipai" if index == -1 else f"0/qipai/shoupai/{seat}"
    step, key = frame.places[index], _KEYS.get(type(played.events[index]), "")
    if isinstance(error, PaymentError):
        key = "/fenpei"
    return f"{step}/{frame.kinds[step]}{key}"


_KEYS: dict[type, str] = {
    **dict.fromkeys((Draw, Discard, RiichiDeclared, RiichiAccepted), "/p"),
    **dict.fromkeys((Chi, Pon, Daiminkan, Kakan, Ankan), "/m"),
    DoraRevealed: "/baopai",
}
"""By event, the key of its tiles."""
