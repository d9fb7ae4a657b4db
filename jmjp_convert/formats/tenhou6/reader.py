"""Reads tenhou.net/6: one object, several, one per line, or links."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from operator import sub
from typing import Any, NamedTuple, TypeVar
from urllib.parse import unquote

from jmjp_convert.errors import ConvertError, MatchError, PaymentError, PlayError, Tenhou6Error
from jmjp_convert.formats.assembly import Assembly, points_after
from jmjp_convert.formats.bounds import MOST_POINTS
from jmjp_convert.formats.frame_builder import FrameBuilder
from jmjp_convert.formats.json_text import Walk, decode_at, decoded, quoted
from jmjp_convert.formats.json_values import At, WrongValue, optional
from jmjp_convert.formats.session import Notice, Session, reader
from jmjp_convert.formats.tenhou6.frames import fives_of_items, has_fourth, name_of, read_frame
from jmjp_convert.formats.tenhou6.notation import (
    DISCARDS_ROW,
    DRAWS_ROW,
    HAND_ROW,
    RED_KEYS,
    Mark,
    inserted,
    marks_by_frame,
    red_fives_from,
    row,
    tournament_of,
)
from jmjp_convert.messages import Terms, thousands
from jmjp_convert.model import (
    SEATS,
    Ankan,
    Call,
    Daiminkan,
    Discard,
    Draw,
    End,
    Ending,
    Event,
    Frame,
    House,
    Kakan,
    Kita,
    Match,
    Player,
    RiichiDeclared,
    Rules,
    Win,
    dates,
    handle,
    in_riichi,
    log_ids,
    tenhou,
)
from jmjp_convert.model.houses import rules_of
from jmjp_convert.model.match import endings_of
from jmjp_convert.model.record import replace
from jmjp_convert.model.tiles import COPIES, NO_REDS, RED_FACES, RedFives
from jmjp_convert.play.points import changes_of
from jmjp_convert.play.red_fives import inferred

# --- the head ---------------------------------------------------------------------------------------------------------

T = TypeVar("T")

KEYS = frozenset(
    ("title", "name", "rule", "ratingc", "dan", "rate", "sx", "sc", "connection", "lobby", "ref", "ver", "log")
)
"""The keys of an object. The number of players in ``ratingc`` and the version say nothing new."""

_RULE_KEYS = frozenset(("disp", "name", *RED_KEYS))
_DANS = {name: dan for dan, name in enumerate(tenhou.RANKS)}
_WITH_DANS = (House.TENHOU, None)


def head_of(value: At, frames: Sequence[Any], notice: Notice) -> dict[str, Any]:
    """Return the fields of a match, by name, that the object *value* holds besides its *frames*.

    :param notice: called with each line on what is ignored.
    :raises WrongValue: a value is malformed.
    """
    for key in value.value:
        if key not in KEYS:
            notice(f"unknown key {quoted(key)} ignored")
    rules, name = _rules(value, frames, notice)
    date, time, title, stage = _title(value.get("title"), notice)
    log_id = optional(value.get("ref"), At.text) or ""
    known = log_ids.identify(log_id)
    if known is None and log_id:
        notice(f"ref {quoted(log_id)} is not a log ID; ignored")
    if date is None and known is not None:
        date = known.date
    final, results = _final(value.get("sc"), rules.players, notice)
    return {
        "rules": rules,
        "players": _players(value, rules),
        "id": log_id if known else None,
        "tournament": tournament_of(rules, title, stage, name),
        "date": date,
        "weekday": date and dates.weekday(date),
        "time": time,
        "final_points": final,
        "results": results,
    }


def _rules(value: At, frames: Sequence[Any], notice: Notice) -> tuple[Rules, str]:
    """Return the rules and their name."""
    rule = value.get("rule") or At({}, "rule", value)
    for key in sorted(rule.object().keys() - _RULE_KEYS):
        notice(f"unknown key {quoted(f'rule/{key}')} ignored")
    key = "disp" if "disp" in rule.value else "name"
    name = rule.member(key).text() if rule.value.get(key) else ""
    names = value.value.get("name")
    four = any(map(has_fourth, frames)) or (type(names) is list and len(names) >= SEATS and bool(names[3]))
    players = SEATS if four else SEATS - 1
    lobby = value.get("lobby")
    rules = rules_of(
        name,
        value.value["ref"] if type(value.value.get("ref")) is str else None,
        players=players,
        red_fives=_red_fives(rule, frames, players, notice),
        lobby=None if lobby is None or lobby.value == "" else lobby.count(),
    )
    if rules.house is None and "ratingc" in value.value and "title" not in value.value:  # as from Tenhou's server
        rules = replace(rules, house=House.TENHOU)
    return rules, name


def _red_fives(rule: At, frames: Sequence[Any], players: int, notice: Notice) -> RedFives | None:
    """Return how many fives are red: as recorded, or as the tiles show."""
    keys = {key: each for key in RED_KEYS if (each := rule.get(key)) is not None}
    recorded = red_fives_from(
        {key: int(at.value) if type(at.value) is bool else at.count() for key, at in keys.items()}
    )
    if recorded is not None and max(recorded) > COPIES:
        raise rule.wrong(f"{max(recorded)} red fives of a suit; at most {COPIES} expected")
    seen = inferred(fives_of_items(frames), players)
    if recorded is None:
        return seen
    if any(recorded) and seen == NO_REDS:
        notice("the rules have red fives, but all four fives of a kind in play are plain")
        return seen
    if not any(recorded) and seen is not None and any(seen):
        notice("the rules have no red fives, but there are some in play")
        return seen
    more = RedFives(*map(max, recorded, seen or recorded))
    for face, said, count in zip(RED_FACES, recorded, more, strict=True):
        if count > max(said, 1):
            notice(f"the rules have {said} of the red {face}, but there are {count} in play")
            return more
    return recorded


def _players(value: At, rules: Rules) -> tuple[Player, ...]:
    players = rules.players
    names = _by_player(value, "name", players, At.text)
    ranks = [rank_of(rank or "", rules.house) for rank in _by_player(value, "dan", players, At.text)]
    rates = _by_player(value, "rate", players, lambda rate: rate.decimal("a rating"))
    sexes = _by_player(value, "sx", players, At.text)
    return tuple(
        [
            Player(handle(name), dan=dan, rate=rate, sex=sex or None, rank=rank)
            for name, (dan, rank), rate, sex in zip(names, ranks, rates, sexes, strict=True)
        ]
    )


def rank_of(name: str, house: House | None) -> tuple[int | None, str | None]:
    """Return a rank by its *name*: Tenhou's number, or the name if *house* is another server, which may have the same
    names."""
    dan = _DANS.get(name) if house in _WITH_DANS else None
    return dan, name if name and dan is None else None


def _by_player(value: At, key: str, players: int, read: Callable[[At], T]) -> list[T | None]:
    """Return the values by player under *key*; what is missing is ``None``, as is what an empty seat has."""
    by_seat = value.get(key)
    if by_seat is None:
        return [None] * players
    given = by_seat.list(most=SEATS)[:players]
    values = [None if each is None else read(by_seat.item(seat)) for seat, each in enumerate(given)]
    return values + [None] * (players - len(values))


def _final(value: At | None, players: int, notice: Notice) -> tuple[tuple[int, ...] | None, tuple[int, ...] | None]:
    """Return the points and results by player: those of each, alternately, a result in thousands."""
    if value is None or value.value == []:
        return None, None
    parts = [*value.items(counts=(2 * SEATS, 2 * players))][: 2 * players]
    points = tuple([each.points() for each in parts[::2]])
    results = tuple([_result(each) for each in parts[1::2]])
    if any(result % 100 for result in results):
        notice("results that are not multiples of 0.1 ignored")
        return points, None
    return points, results


def _result(value: At) -> int:
    """Return *value*, a result in thousands, in points."""
    what = "a result in thousands"
    points = round(value.decimal(what) * 1000)
    if abs(points) > MOST_POINTS:
        raise value.expected(what)
    return points


def _date(line: At) -> str:
    """Return the date that *line* of the title is: the time at which the game ended, in Unix seconds."""
    day = dates.day_of(line.value)
    if day is None:
        raise line.expected("a text, or a time in Unix seconds")
    return day


def _title(value: At | None, notice: Notice) -> tuple[str | None, str | None, str, str]:
    """Return date, time, name and stage from a title of two lines: in links made for NAGA, both are in the place of the
    first."""
    lines = () if value is None else (value,) if type(value.value) is str else [*value.items()]
    if lines and type(lines[0].value) is list:
        lines = [*lines[0].items()]
    texts = [line for line in lines if line.value is not None]
    said = [_date(line) if index == 1 and type(line.value) is int else line.text() for index, line in enumerate(texts)]
    if len(said) > 2:  # noqa: PLR2004
        notice("lines of the title after the second ignored")
    name, second = (*said, "", "")[:2]
    moment = dates.moment_of(second)
    return (*moment, name, "") if moment else (None, None, name, second)


# --- honba paid twice -------------------------------------------------------------------------------------------------

# The honba go to the first winner alone, on Tenhou and on Mahjong Soul (``docs/design/scoring.md``). Converters that
# stem from tensoul's (``convert.js``) pay them to every winner. The points of the next frame, which they copy from
# the record, show it.

_HONBA = 100
"""Paid per honba for each player but the winner."""


def _paid_once(built: FrameBuilder, after: tuple[int, ...] | None) -> list[Event] | None:
    """Return the events of a frame with the honba paid to the first winner alone, if only that explains the points.

    :param built: a frame with honba and several winners.
    :param after: the points after it; ``None`` if unknown.
    """
    start, events = built.start, built.events
    wins = [event for event in events if isinstance(event, Win) and event.source is not None]
    wanted = None if after is None else changes_of(start, End((), after), in_riichi(events))
    if wanted is None or wanted == _total(wins):
        return None
    honba = _HONBA * start.honba * (len(start.hands) - 1)
    once = {win: win if win is wins[0] else _without(win, honba) for win in wins}
    if _total(once.values()) != wanted:
        return None
    return [once.get(event, event) if isinstance(event, Win) else event for event in events]


def _total(wins: Iterable[Win]) -> tuple[int, ...] | None:
    """Return the sum of all payments, if they are known."""
    changes = [win.changes for win in wins]
    return None if None in changes else tuple(map(sum, zip(*filter(None, changes), strict=True)))


def _without(win: Win, honba: int) -> Win:
    """Return *win* without the points of the *honba*."""
    if win.changes is None:
        return win
    paid = [honba * ((player == win.player) - (player == win.source)) for player in range(len(win.changes))]
    return replace(win, changes=tuple(map(sub, win.changes, paid)))


# --- the file ---------------------------------------------------------------------------------------------------------

# What the JSON does not hold is unknown in the model, never guessed: which copy of a tile it is, when a kan dora was
# turned, the fu of a limit hand. The order of the turns is worked out (:mod:`~jmjp_convert.formats.tenhou6.order`).


@reader(Tenhou6Error)
def read_tenhou6(content: Callable[[], bytes], session: Session[Tenhou6Error]) -> None:
    """Read tenhou.net/6 JSON: objects, lists of them, links to the viewer or editor.

    Objects with one frame each become one match if their heads are equal and their frames are in order.
    """
    walk = Walk(decoded(content(), Tenhou6Error), Tenhou6Error)
    session.error = lambda reason: Tenhou6Error(reason, line=walk.line)
    for objects in _games(_objects(walk)):
        session.begin_match()
        game = _GameReader(objects, session)
        session.add(game.match(), game.locate)


class _Part(NamedTuple):
    """An object of a file, or a frame of one, with the *line* that the object begins on."""

    at: At
    line: int


def _frames(game: _Part) -> Iterator[_Part]:
    """Yield the frames of an object."""
    log = game.at.value.get("log")
    if type(log) is not list or not log:
        reason = "no frames" if log == [] else "expected a list of frames under log"
        raise Tenhou6Error(reason, line=game.line, pointer=game.at.pointer)
    for frame in game.at.member("log").items():
        yield _Part(frame, game.line)


LINK = re.compile(r"https?://(?:www\.)?tenhou\.net/[^\s#]*#json=", re.IGNORECASE)
"""The beginning of a link to the viewer (/5) or the editor (/6) that holds the JSON."""

_AFTER_LINK = re.compile(r"[&#?].*")


def _objects(walk: Walk[Tenhou6Error]) -> Iterator[_Part]:
    """Yield the objects of a file: JSON values and links, between white space."""
    for pointer in walk.documents():
        line = walk.line
        link = LINK.match(walk.text, walk.position)
        if link is None:
            yield _Part(At(walk.object(pointer), pointer), line)
        else:
            end = walk.text.find("\n", walk.position)
            walk.position = len(walk.text) if end < 0 else end
            yield _Part(At(_linked(walk.text[link.end() : walk.position].rstrip(), line)), line)


def _linked(said: str, line: int) -> dict[str, Any]:
    """Return the object that a link on *line* contains after ``#json=``, decoded as by the viewer: all of it may be
    percent-encoded, none, or a part, as some browsers show it."""
    try:
        said = unquote(said, errors="strict")
    except UnicodeDecodeError:
        if '"' not in said:  # otherwise a percent sign in an open link is one
            raise Tenhou6Error("the link is not UTF-8", line=line) from None
    walk = Walk(said, Tenhou6Error)
    try:
        value = walk.object("")
    except Tenhou6Error as error:
        raise Tenhou6Error(f"in the link: {error.reason}", line=line) from None
    rest = said[walk.position :]
    if rest and not _AFTER_LINK.fullmatch(rest):
        raise Tenhou6Error(f"in the link: {quoted(rest)} after the JSON", line=line)
    return value


def _games(objects: Iterable[_Part]) -> Iterator[list[_Part]]:
    """Yield the objects of each game."""
    game: list[_Part] = []
    for each in objects:
        if game and not _continues(game[-1].at.value, each.at.value):
            yield game
            game = []
        game.append(each)
    if game:
        yield game


def _continues(before: dict[str, Any], then: dict[str, Any]) -> bool:
    """Return whether *then* is the same game's next frame."""
    if before.keys() != then.keys() or any(before[key] != then[key] for key in before.keys() - {"log"}):
        return False
    first, second = _only_frame(before), _only_frame(then)
    return first is not None and second is not None and first < second


def _only_frame(value: dict[str, Any]) -> tuple[int, int] | None:
    """Return round and honba of the frame in an object, if it is the only one."""
    log = value.get("log")
    if type(log) is list and len(log) == 1 and name_of(log[0]) is not None:
        return log[0][0][0], log[0][0][1]
    return None


_Read = tuple[_Part, FrameBuilder]
"""A frame of the file, and what was read from it."""


class _GameReader:
    """The objects of a game being read."""

    def __init__(self, objects: Sequence[_Part], session: Session[Tenhou6Error]) -> None:
        self._object = objects[0]
        self._session = session
        self._frames = [frame for each in objects for frame in _frames(each)]
        self._read: list[_Read] = []
        self._possible: list[_Read] = []

    def match(self) -> Match:
        """Return the match."""
        (at, line), notice = self._object, self._session.notice
        for _ in self._frames:
            self._session.begin_frame()
        try:
            head = head_of(at, [frame.at.value for frame in self._frames], notice)
            players = head["rules"].players
            connections = at.get("connection")
            marks: dict[int, list[Mark]] = {}
            if connections is not None and connections.value:
                marks = marks_by_frame(connections, len(self._frames), players)
        except WrongValue as wrong:
            raise Tenhou6Error(wrong.reason, line=line, pointer=wrong.pointer) from None
        self._terms = Terms([player.name for player in head["players"]], players, results=thousands)
        for number, frame in enumerate(self._frames):
            try:
                built = read_frame(frame.at, head["rules"], notice)
            except WrongValue as wrong:
                self._session.find(self._error(wrong, frame, wrong.pointer))
            else:
                if number in marks:
                    built.events = inserted(built.events, marks[number])
                self._read.append((frame, built))
        before = tuple([mark.event for mark in marks.get(-1, ())])
        return Match(frames=self._assembled(head), before=before, **head)

    def _assembled(self, head: dict[str, Any]) -> tuple[Frame, ...]:
        """Return the frames that are possible, each replayed."""
        errors: list[PlayError] = []
        assembly = Assembly[_Read](head["rules"], lambda error, _: errors.append(error))
        for number, read in enumerate(self._read):
            self._correct(number, head["final_points"])
            _, built = read
            errors.clear()
            possible = assembly.add(read, built, self._points_after(number))
            if errors and isinstance(errors[0], PaymentError) and not self._session.collects:
                # Some programs count the stick of a riichi even if its tile is ronned.
                doubted, after = errors[0], self._points_after(number, needed=True)
                built.events = [
                    replace(event, changes=None) if isinstance(event, Ending) else event for event in built.events
                ]
                possible = assembly.add(read, built, after)
                errors[:] = [] if possible else [doubted]
                if possible:
                    reason = doubted.in_terms(self._terms.at(built.start.dealer))
                    self._session.notice(f"frame {built.start.name}: {reason}; payments ignored")
            for error in errors:
                self._session.find(self._impossible(error, read))
        self._possible = assembly.possible
        return tuple(assembly.frames)

    def _correct(self, number: int, final_points: tuple[int, ...] | None) -> None:
        """Correct the honba of a frame with several winners."""
        _, built = self._read[number]
        if not built.start.honba or list(map(type, built.events)).count(Win) <= 1:
            return
        is_last = number + 1 == len(self._read)
        after = final_points if is_last else self._points_after(number, needed=True)
        if (events := _paid_once(built, after)) is not None:
            self._session.notice(f"frame {built.start.name}: honba paid to every winner; counted for the first alone")
            built.events = events

    def _points_after(self, number: int, *, needed: bool = False) -> tuple[int, ...] | None:
        """Return the points after a frame if the next frame shows them, and its payments are *needed* or missing."""
        built = self._read[number][1]
        changes = [event.changes for event in endings_of(built.events)]
        if not needed and None not in changes:
            return None
        return points_after(built, self._read[number + 1][1].start if number + 1 < len(self._read) else None)

    def locate(self, error: MatchError) -> Tenhou6Error:
        """Return *error*, a problem of the match, with the place of its value."""
        if error.frame is not None:
            return self._impossible(error, self._possible[error.frame])
        at, line = self._object
        pointer = f"{at.pointer}/{'sc' if error.at_end else 'title'}"
        return Tenhou6Error(error.in_terms(self._terms), line=line, pointer=pointer)

    def _impossible(self, error: PlayError, read: _Read) -> Tenhou6Error:
        frame, built = read
        within = pointer_of(built.events, error.index, len(frame.at.value))
        return self._error(error, frame, frame.at.pointer + within)

    def _error(self, error: ConvertError, frame: _Part, pointer: str) -> Tenhou6Error:
        """Return *error* in *frame* with its *pointer*, in the terms of the file."""
        items = frame.at.value
        name = name_of(items)
        reason = error.in_terms(self._terms.at(items[0][0] % SEATS if name else None))
        return Tenhou6Error(reason, line=frame.line, pointer=pointer, frame=name)


_OUT = (Discard, Kakan, Ankan, Kita, RiichiDeclared)


def pointer_of(events: Sequence[Event], index: int, length: int) -> str:
    """Return the JSON pointer, within a frame of *length* items, to what the event *index* of *events* was read from.

    :param index: as in :class:`PlayError`.
    """
    if index < -1:
        return row(HAND_ROW, -2 - index)
    takes, outs = [0] * SEATS, [0] * SEATS
    pointer = ""
    for event in events[: index + 1]:
        if isinstance(event, Draw | Call):
            player = event.player
            pointer = f"{row(DRAWS_ROW, player)}/{takes[player]}"
            takes[player] += 1
            outs[player] += isinstance(event, Daiminkan)
        elif isinstance(event, _OUT):
            player = event.player
            pointer = f"{row(DISCARDS_ROW, player)}/{outs[player]}"
            outs[player] += not isinstance(event, RiichiDeclared)
        elif isinstance(event, Ending):
            pointer = f"/{length - 1}"
    return pointer


# --- detection --------------------------------------------------------------------------------------------------------

_OURS = {
    "log": re.compile(r"\[\s*(?:\[\s*\[\s*[\d\]]|\])"),
    "title": re.compile(r"\[|null"),
    "rule": re.compile(r"\{"),
    **dict.fromkeys(("name", "dan", "rate", "sx", "sc", "connection"), re.compile(r"\[")),
    "ratingc": re.compile('"PF[34]"'),
    "ver": re.compile(r'"?[\d.]'),
}
"""By the keys that no other JSON has with such values: how the value begins."""

_OTHERS = frozenset(("type", "format", "player", "qijia"))
"""The keys at the beginning of other formats."""


def begins(text: str) -> bool:
    """Return whether *text* is the beginning of a tenhou.net/6 file: a link, or JSON with a log and its keys."""
    walk = Walk(text, Tenhou6Error)
    if walk.next() == "[":
        walk.position += 1
        walk.next()
    start = walk.position
    if LINK.match(text, start):
        return True
    try:
        for key in walk.members():
            if not key or key in _OTHERS:  # no program writes an empty key
                return False
            if key in _OURS and _OURS[key].match(text, walk.position):
                return '"log"' in text or _is_cut(text, start)
            walk.value()
    except Tenhou6Error:
        pass
    return False


def _is_cut(text: str, position: int) -> bool:
    """Return whether the object at *position* does not end in *text*."""
    try:
        decode_at(text, position)
    except ConvertError:
        return True
    return False
