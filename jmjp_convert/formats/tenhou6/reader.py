"""Reads tenhou.net/6: one object, several, one per line, or links."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any, NamedTuple, TypeVar

from jmjp_convert.errors import ConvertError, MatchError, PaymentError, PlayError, Tenhou6Error
from jmjp_convert.files.inputs import MAX_SIZE, Source, chunks, opened
from jmjp_convert.formats import bounds
from jmjp_convert.formats.assembly import Assembly, Played, points_after
from jmjp_convert.formats.bounds import MOST
from jmjp_convert.formats.json_text import decoded, shown
from jmjp_convert.formats.session import Locate
from jmjp_convert.formats.tenhou6.notation import Mark, by_frame, inserted, tournament_of
from jmjp_convert.formats.tenhou6.plays import (
    FrameReader,
    has_fourth,
    has_plain_fives,
    has_red,
    is_doubtful,
    name_of,
    paid_once,
)
from jmjp_convert.formats.tenhou6.texts import Found, objects
from jmjp_convert.formats.tenhou6.values import Notice, WrongValue, count, expected, listed, points, text
from jmjp_convert.messages import Terms, thousands
from jmjp_convert.model import (
    SEATS,
    Ankan,
    Call,
    Daiminkan,
    Discard,
    Draw,
    Ending,
    Event,
    House,
    Kakan,
    Kita,
    Match,
    Player,
    RiichiDeclared,
    Rules,
    Start,
    dates,
    handle,
    log_ids,
    tenhou,
)
from jmjp_convert.model.houses import rules_of
from jmjp_convert.model.record import replace

# --- the head ---------------------------------------------------------------------------------------------------------

T = TypeVar("T")
_Head = dict[str, Any]

KEYS = frozenset(
    ("title", "name", "rule", "ratingc", "dan", "rate", "sx", "sc", "connection", "lobby", "ref", "ver", "log")
)
"""The keys of an object. The number of players in ``ratingc`` and the version say nothing new."""

_RULE_KEYS = frozenset(("disp", "name", "aka", "aka51", "aka52", "aka53"))
_RED_KEYS = ("aka", "aka51", "aka52", "aka53")
_DANS = {name: dan for dan, name in enumerate(tenhou.RANKS)}


def head_of(value: _Head, pointer: str, notice: Notice) -> _Head:
    """Return the fields of a match, by name, that *value* holds besides its frames.

    :param pointer: the JSON pointer to it.
    :param notice: called with each line on what is ignored.
    :raises WrongValue: a value is malformed.
    """
    for key in value:
        if key not in KEYS:
            notice(f"unknown key {shown(key)} ignored")
    frames = listed(value.get("log"), f"{pointer}/log")
    rules, name = _rules(value, frames, pointer, notice)
    date, time, title, stage = _title(value.get("title"), f"{pointer}/title", notice)
    log_id = _log_id(value.get("ref"), f"{pointer}/ref", notice)
    known = log_ids.identify(log_id or "")
    if date is None and known is not None:
        date = known.date
    final, results = _final(value.get("sc"), rules.players, f"{pointer}/sc", notice)
    return {
        "rules": rules,
        "players": _players(value, rules.players, pointer),
        "id": log_id,
        "tournament": tournament_of(rules, title, stage, name),
        "date": date,
        "weekday": date and dates.weekday(date),
        "time": time,
        "final_points": final,
        "results": results,
    }


def _log_id(value: Any, pointer: str, notice: Notice) -> str | None:
    found = text(value, pointer) if value is not None else ""
    if found and log_ids.identify(found) is None:
        notice(f"ref {shown(found)} is not a log ID; ignored")
        return None
    return found or None


# --- rules -----------------------------------------------------------------------------------------------------------


def _rules(value: _Head, frames: Sequence[Any], pointer: str, notice: Notice) -> tuple[Rules, str]:
    """Return the rules and their name."""
    where = f"{pointer}/rule"
    rule = value.get("rule")
    if rule is None:
        rule = {}
    if type(rule) is not dict:
        raise expected("an object", rule, where)
    for key in rule.keys() - _RULE_KEYS:
        notice(f"unknown key {shown(f'rule/{key}')} ignored")
    key = "disp" if "disp" in rule else "name"
    name = text(rule.get(key) or "", f"{where}/{key}")
    names = value.get("name")
    four = any(map(has_fourth, frames)) or (type(names) is list and len(names) >= SEATS and bool(names[3]))
    rules = rules_of(
        name,
        value["ref"] if type(value.get("ref")) is str else None,
        players=SEATS if four else SEATS - 1,
        red_fives=_red_fives(rule, frames, where, notice),
        lobby=_lobby(value.get("lobby"), f"{pointer}/lobby"),
    )
    if rules.house is None and "ratingc" in value and "title" not in value:  # as from Tenhou's server
        rules = replace(rules, house=House.TENHOU)
    return rules, name


def _red_fives(rule: _Head, frames: Sequence[Any], pointer: str, notice: Notice) -> bool | None:
    """Return whether there are red fives: as recorded, or as the tiles show."""
    counts = [
        int(rule[key]) if type(rule[key]) is bool else count(rule[key], f"{pointer}/{key}")
        for key in _RED_KEYS
        if rule.get(key) is not None
    ]
    if any(counts):
        if any(map(has_plain_fives, frames)):
            notice("the rules have red fives, but all four fives of a kind in play are plain")
            return False
        return True
    if any(map(has_red, frames)):
        if counts:
            notice("the rules have no red fives, but there are some in play")
        return True
    return False if counts else None


def _lobby(value: Any, pointer: str) -> int | None:
    if type(value) is str and value.isascii() and value.isdecimal():
        value = int(value[:10])
    return None if value in (None, "") else count(value, pointer)


# --- players ---------------------------------------------------------------------------------------------------------


def _players(value: _Head, players: int, pointer: str) -> tuple[Player, ...]:
    names = _each(value, "name", players, pointer, text)
    ranks = _each(value, "dan", players, pointer, text)
    rates = _each(value, "rate", players, pointer, _rating)
    sexes = _each(value, "sx", players, pointer, text)
    return tuple(
        [
            Player(
                handle(name),
                dan=rank_of(rank or "")[0],
                rate=rate,
                sex=sex or None,
                rank=rank_of(rank or "")[1],
            )
            for name, rank, rate, sex in zip(names, ranks, rates, sexes, strict=True)
        ]
    )


def rank_of(name: str) -> tuple[int | None, str | None]:
    """Return a rank by its *name*: Tenhou's number, or the name of another server's."""
    return _DANS.get(name), name if name and name not in _DANS else None


def _each(value: _Head, key: str, players: int, pointer: str, read: Callable[[Any, str], T]) -> list[T | None]:
    """Return the values by player under *key*; what is missing is ``None``, as is what an empty seat has."""
    where = f"{pointer}/{key}"
    found = listed(value[key], where) if value.get(key) is not None else []
    if len(found) > SEATS:
        raise WrongValue(f"{len(found)} values; at most {SEATS} expected", where)
    read_ = [None if one is None else read(one, f"{where}/{place}") for place, one in enumerate(found[:players])]
    return read_ + [None] * (players - len(read_))


def _rating(value: Any, pointer: str) -> float:
    if type(value) not in (int, float) or abs(value) > MOST:
        raise expected("a rating", value, pointer)
    rate: float = value
    return rate


def _final(
    value: Any, players: int, pointer: str, notice: Notice
) -> tuple[tuple[int, ...] | None, tuple[int, ...] | None]:
    """Return the points and results by player: those of each, alternately, a result in thousands."""
    if value is None:
        return None, None
    found = listed(value, pointer)
    if len(found) not in (2 * players, 2 * SEATS):
        raise WrongValue(f"{len(found)} values; {2 * SEATS} expected", pointer)
    counted = tuple([points(one, f"{pointer}/{2 * who}") for who, one in enumerate(found[: 2 * players : 2])])
    shares = []
    for who, share in enumerate(found[1 : 2 * players : 2]):
        if type(share) not in (int, float) or abs(share) > MOST:
            raise expected("a result in thousands", share, f"{pointer}/{2 * who + 1}")
        shares.append(round(share * 1000))
    if any(share % 100 for share in shares):
        notice("results that are not multiples of 0.1 ignored")
        return counted, None
    return counted, tuple(shares)


# --- title -----------------------------------------------------------------------------------------------------------


def _title(value: Any, pointer: str, notice: Notice) -> tuple[str | None, str | None, str, str]:
    """Return date, time, name and stage from a title of two lines."""
    lines = [value] if type(value) is str else [] if value is None else listed(value, pointer)
    said = [text(line, f"{pointer}/{place}") for place, line in enumerate(lines) if line is not None]
    if len(said) > 2:  # noqa: PLR2004
        notice("lines of the title after the second ignored")
    name, second = (*said, "", "")[:2]
    moment = dates.moment_of(second)
    return (*moment, name, "") if moment else (None, None, name, second)


# --- the file ---------------------------------------------------------------------------------------------------------

# What the JSON does not hold is unknown in the model, never guessed: which copy of a tile it is, when a kan dora was
# turned, the fu of a limit hand. The order of the turns is worked out (:mod:`~jmjp_convert.formats.tenhou6.order`).

Finding = Callable[[Tenhou6Error], None]


def read_tenhou6(
    source: Source,
    *,
    max_size: int = MAX_SIZE,
    notice: Notice | None = None,
    finding: Finding | None = None,
    locate: list[Locate] | None = None,
) -> list[Match]:
    """Read one file of tenhou.net/6 JSON, plain or compressed: objects, lists of them, links to the viewer or editor.

    Objects with one frame each become one match if their heads are equal and their frames are in order.

    :param source: a path, an open binary file, or bytes.
    :param max_size: the maximum size in bytes, decompressed.
    :param notice: called with each line on what is ignored or guessed, once each.
    :param finding: called with each impossible frame, which is left out, instead of raising the first.
    :param locate: if given, gets a function for each match that returns a problem of it with its place in the file.
    :returns: the matches, at least one. Every frame has been replayed.
    :raises Tenhou6Error: the text is not of this format, or has an impossible play.
    :raises FileError: *source* cannot be read, or is too large.
    """
    with opened(source) as file:
        text = decoded(b"".join(chunks(file, max_size)), Tenhou6Error)
    once = _Once(notice)
    matches: list[Match] = []
    frames = 0
    for objects_ in _games(objects(text)):
        if len(matches) == bounds.MATCHES:
            raise Tenhou6Error(bounds.exceeded(bounds.MATCHES, "matches"), line=objects_[0].line)
        reader = _GameReader(objects_, once.tell, finding)
        matches.append(reader.match())
        if locate is not None:
            locate.append(reader.located(matches[-1]).error)
        frames += len(matches[-1].frames)
        if frames > bounds.FRAMES:
            raise Tenhou6Error(bounds.exceeded(bounds.FRAMES, "frames"), line=objects_[0].line)
    if not matches:
        raise Tenhou6Error("no match found", line=1)
    return matches


class _Once:
    """Passes on each line once."""

    def __init__(self, notice: Notice | None) -> None:
        self._notice = notice
        self._told: set[str] = set()

    def tell(self, line: str) -> None:
        """Pass on *line*, unless it has been before."""
        if self._notice is not None and line not in self._told:
            self._told.add(line)
            self._notice(line)


def _games(found: Iterable[Found]) -> Iterator[list[Found]]:
    """Yield the objects of each game."""
    game: list[Found] = []
    for one in found:
        if game and not _continues(game[-1], one):
            yield game
            game = []
        game.append(one)
    if game:
        yield game


def _continues(before: Found, then: Found) -> bool:
    """Return whether *then* is the same game's next frame."""
    first, second = before.value, then.value
    if first.keys() != second.keys() or any(first[key] != second[key] for key in first.keys() - {"log"}):
        return False
    order = [_order(value.get("log")) for value in (first, second)]
    return order[0] is not None and order[1] is not None and order[0] < order[1]


def _order(log: Any) -> tuple[int, int] | None:
    """Return round and honba of the frame in *log*, if it is the only one."""
    if type(log) is list and len(log) == 1 and name_of(log[0]) is not None:
        return log[0][0][0], log[0][0][1]
    return None


class _Place(NamedTuple):
    """A frame in the file: its *items*, the *line* of its object, and the JSON *pointer* to it from there."""

    items: Any
    line: int
    pointer: str


class _GameReader:
    """The objects of a game being read."""

    def __init__(self, found: Sequence[Found], notice: Notice, finding: Finding | None) -> None:
        self._head = found[0]
        self._notice = notice
        self._finding = finding
        self._places = [
            _Place(items, one.line, f"{one.pointer}/log/{number}")
            for one in found
            for number, items in enumerate(_log(one))
        ]
        self._read: list[tuple[_Place, Played]] = []
        self._added: list[tuple[_Place, Played]] = []
        self._kept: list[_Place] = []  # the frames of the match
        self._doubted: PaymentError | None = None  # the error of payments last ignored

    def match(self) -> Match:
        """Return the match."""
        value, line, pointer = self._head
        if len(self._places) > bounds.MATCH_FRAMES:
            raise Tenhou6Error(bounds.exceeded(bounds.MATCH_FRAMES, "frames in a match"), line=line)
        try:
            head = head_of({**value, "log": [place.items for place in self._places]}, pointer, self._notice)
            marks: dict[int, list[Mark]] = {}
            if value.get("connection"):
                players, frames = head["rules"].players, len(self._places)
                marks = by_frame(value["connection"], frames, players, f"{pointer}/connection")
        except WrongValue as wrong:
            raise Tenhou6Error(wrong.reason, line=line, pointer=wrong.pointer) from None
        names = [player.name for player in head["players"]]
        self._terms = Terms(names, head["rules"].players, results=thousands)
        reader = FrameReader(head["rules"], self._notice)
        for number, place in enumerate(self._places):
            try:
                played = reader.read(place.items, place.pointer)
            except WrongValue as wrong:
                self._find(place, wrong, wrong.pointer)
                continue
            self._read.append((place, played._replace(events=inserted(played.events, marks.get(number, ())))))
        self._assembly = Assembly(head["rules"], self._impossible)
        for number in range(len(self._read)):
            self._correct(number, head["final_points"])
            place, played = self._read[number]
            self._add(place, played, self._points_after(number))
        frames_ = self._assembly.frames()
        del self._assembly  # it refers back here: with it, everything would wait for the garbage collector
        before = tuple([mark.event for mark in marks.get(-1, ())])
        return Match(frames=frames_, before=before, **head)

    def located(self, match: Match) -> _Located:
        """Return where *match*, which has been read, is in the file."""
        _, line, pointer = self._head
        frames = [(place.line, place.pointer, len(place.items)) for place in self._kept]
        return _Located(match, self._terms, line, pointer, frames)

    def _correct(self, number: int, final_points: tuple[int, ...] | None) -> None:
        """Correct the honba of a frame with several winners."""
        place, played = self._read[number]
        if not is_doubtful(played):
            return
        is_last = number + 1 == len(self._read)
        after = final_points if is_last else self._points_after(number, needed=True)
        if (events := paid_once(played, after)) is not None:
            self._notice(f"frame {played.start.name}: honba paid to every winner; counted for the first alone")
            self._read[number] = place, played._replace(events=events)

    def _add(self, place: _Place, played: Played, following: tuple[int, ...] | None) -> None:
        self._added.append((place, played))
        if self._assembly.add(played, following):
            self._kept.append(place)

    def _points_after(self, number: int, *, needed: bool = False) -> tuple[int, ...] | None:
        """Return the points after a frame if the next frame shows them, and its payments are *needed* or missing."""
        played = self._read[number][1]
        if not needed and all(event.changes is not None for event in _endings(played.events)):
            return None
        then: Start | None = self._read[number + 1][1].start if number + 1 < len(self._read) else None
        return points_after(played, then)

    def _impossible(self, error: PlayError, number: int) -> None:
        place, played = self._added[number]
        own = next((index for index, (_, read) in enumerate(self._read) if read is played), None)
        if isinstance(error, PaymentError) and self._finding is None and own is not None:
            # Some programs count the stick of a riichi whose tile is ronned.
            self._doubted = error
            following = self._points_after(own, needed=True)
            self._add(place, played._replace(events=_unpaid(played.events)), following)
            reason = error.in_terms(self._terms.at(played.start.dealer))
            self._notice(f"frame {played.start.name}: {reason}; payments ignored")
            return
        if own is None and self._doubted is not None:
            error = self._doubted  # without the payments, the frame is impossible too
        self._find(place, error, place.pointer + pointer_of(played.events, error.index, len(place.items)))

    def _find(self, place: _Place, error: ConvertError, pointer: str) -> None:
        found = self._error(place, error, pointer)
        if self._finding is None:
            raise found
        self._finding(found)

    def _error(self, place: _Place, error: ConvertError, pointer: str) -> Tenhou6Error:
        """Return *error* in the frame at *place* with its *pointer*, in the terms of the file."""
        name = name_of(place.items)
        dealer = place.items[0][0] % SEATS if name else None
        return Tenhou6Error(error.in_terms(self._terms.at(dealer)), line=place.line, pointer=pointer, frame=name)


class _Located(NamedTuple):
    """A match in the file: its *terms*, the *line* of its object, the JSON *pointer* to it, and of each of its *frames*
    line, pointer and number of items."""

    match: Match
    terms: Terms
    line: int
    pointer: str
    frames: Sequence[tuple[int, str, int]]

    def error(self, error: MatchError) -> Tenhou6Error:
        """Return *error*, a problem of the match, with the place of its value."""
        if error.frame is None:
            pointer = f"{self.pointer}/{'sc' if error.at_end else 'title'}"
            return Tenhou6Error(error.in_terms(self.terms), line=self.line, pointer=pointer)
        frame, (line, pointer, length) = self.match.frames[error.frame], self.frames[error.frame]
        reason = error.in_terms(self.terms.at(frame.start.dealer))
        pointer += pointer_of(frame.events, error.index, length)
        return Tenhou6Error(reason, line=line, pointer=pointer, frame=frame.start.name)


def _log(found: Found) -> list[Any]:
    """Return the frames of an object."""
    frames = found.value.get("log")
    if type(frames) is not list or not frames:
        reason = "no frames" if frames == [] else "expected a list of frames under log"
        raise Tenhou6Error(reason, line=found.line, pointer=found.pointer)
    return frames


def _unpaid(events: Sequence[Event]) -> list[Event]:
    """Return *events* without the payments."""
    return [replace(event, changes=None) if isinstance(event, Ending) else event for event in events]


def _endings(events: Sequence[Event]) -> list[Ending]:
    return [event for event in events[-SEATS - SEATS :] if isinstance(event, Ending)]


_OUT = (Discard, Kakan, Ankan, Kita, RiichiDeclared)


def pointer_of(events: Sequence[Event], index: int, length: int) -> str:
    """Return the JSON pointer, within a frame of *length* items, to what the event *index* of *events* was read from.

    :param index: as in :class:`PlayError`.
    """
    if index < -1:
        return f"/{4 + 3 * (-2 - index)}"
    takes, outs = [0] * SEATS, [0] * SEATS
    pointer = ""
    for event in events[: index + 1]:
        if isinstance(event, Draw | Call):
            player = event.player
            pointer = f"/{5 + 3 * player}/{takes[player]}"
            takes[player] += 1
            outs[player] += isinstance(event, Daiminkan)
        elif isinstance(event, _OUT):
            player = event.player
            pointer = f"/{6 + 3 * player}/{outs[player]}"
            outs[player] += not isinstance(event, RiichiDeclared)
        elif isinstance(event, Ending):
            pointer = f"/{length - 1}"
    return pointer
