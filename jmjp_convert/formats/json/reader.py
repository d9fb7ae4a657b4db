"""Read JSON lines from a path, an open file or bytes (source: ``schema.json``)."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

from jmjp_convert.errors import DoraError, EndError, JsonError, MatchError, PlayError
from jmjp_convert.formats import bounds
from jmjp_convert.formats.json.kinds import OneOf, Record
from jmjp_convert.formats.json.schema import (
    BEFORE,
    BETWEEN,
    DISCARD_LINES,
    DRAW_LINES,
    END_FRAME,
    END_MATCH,
    FIRST,
    FORMAT,
    FRAME,
    PLAY,
    UNPLAYED,
    VERSION,
)
from jmjp_convert.formats.json_text import JsonLines, quoted
from jmjp_convert.formats.json_values import WrongValue
from jmjp_convert.formats.session import Session, reader
from jmjp_convert.messages import Terms
from jmjp_convert.model import (
    DISCARDS,
    DRAWS,
    SEATS,
    Event,
    Frame,
    Match,
    Player,
    Presence,
    Recorder,
    Rules,
    Start,
    tenhou,
)
from jmjp_convert.model.match import misplaced
from jmjp_convert.model.tiles import NO_REDS, THREE_PLAYERS
from jmjp_convert.play.judge import Judge
from jmjp_convert.play.melds import misshapen

_Value = Mapping[str, Any]

_HEADER: dict[str, tuple[object, str]] = {
    "format": (FORMAT, f'"{FORMAT}"'),
    "version": (VERSION, f"version {VERSION}"),
}


def _simple(players: int) -> Iterator[tuple[bytes, Event]]:
    """Yield each draw and discard of *players* with its line."""
    known: tuple[tuple[Sequence[Sequence[Event]], Sequence[Sequence[str]]], ...]
    known = ((DRAWS, DRAW_LINES), *((DISCARDS[drawn], DISCARD_LINES[drawn]) for drawn in DISCARDS))
    for events, lines in known:
        for player in range(players):
            for tile, line in enumerate(lines[player]):
                yield f"{line}\n".encode(), events[player][tile]


_SIMPLE = {players: dict(_simple(players)) for players in (THREE_PLAYERS, SEATS)}
"""Draws and discards by line, by number of players: 93 % of events are looked up here."""

_NOTHING: dict[bytes, Event] = {}


@reader(JsonError)
def read_json(content: Callable[[], bytes], session: Session[JsonError]) -> None:
    """Read JSON Lines, as :func:`~jmjp_convert.formats.json.writer.write_json` writes them.

    There are no notices so far. A frame with impossible play is kept, but not checked further.
    """
    lines = JsonLines(content(), JsonError)
    session.error = lines.error
    while (value := lines.next()) is not None:
        session.begin_match()
        match = _MatchReader(lines, session)
        session.add(match.read(value), match.locate)


class _MatchReader:
    """A match being read."""

    def __init__(self, lines: JsonLines[JsonError], session: Session[JsonError]) -> None:
        self._lines = lines
        self._session = session
        self._players = 4
        self._terms = Terms()
        self._first = self._last = lines.number
        self._starts: list[tuple[int, Start]] = []  # the line of each frame

    def locate(self, error: MatchError) -> JsonError:
        """Return *error*, a problem of the match, with its line."""
        if error.frame is None:
            line, dealer = self._last if error.at_end else self._first, None
        else:
            begins, start = self._starts[error.frame]
            line, dealer = begins + max(error.index + 1, 0), start.dealer
        return JsonError(error.in_terms(self._terms.at(dealer)), line=line, frame=error.name)

    def read(self, value: _Value) -> Match:
        """Read the match whose first line is *value*."""
        lines = self._lines
        head = self._head(value)
        self._terms = Terms([player.name for player in head["players"]], self._players)
        judge = Judge(head["rules"], every_frame=False)
        before: list[Presence] = []
        frames: list[Frame] = []
        while True:
            line = lines.next()
            if line is None:
                raise lines.error("the file ends inside a match")
            kind, record = self._read(BETWEEN if frames else BEFORE, line)
            if kind is END_MATCH:
                self._last = lines.number
                return Match(frames=tuple(frames), before=tuple(before), **head, **record)
            if kind is FRAME:
                self._session.begin_frame()
                frames.append(self._frame(record, judge))
            else:
                before.append(record)

    def _read(self, kinds: OneOf, value: _Value) -> tuple[Record, Any]:
        """Return which of *kinds* the *value* of the current line is, and its record."""
        try:
            kind = kinds.kind_of(value)
            return kind, kind.read(value, self._players)
        except WrongValue as wrong:
            raise self._lines.error(wrong.reason, wrong.pointer) from None

    def _head(self, value: _Value) -> dict[str, Any]:
        """Read the first line, whose other fields depend on the number of players."""
        lines = self._lines
        for key, (wanted, what) in _HEADER.items() if value.get("type") == "match" else ():
            if type(value.get(key)) is not type(wanted) or value[key] != wanted:
                said = quoted(value[key]) if key in value else "nothing"
                raise lines.error(f"expected {what}, found {said}", f"/{key}")
        recorders = value.get("recorders")
        if type(recorders) is list and len(recorders) > bounds.RECORDERS:
            raise lines.error(bounds.exceeded(bounds.RECORDERS, "recorders"))
        rules = value.get("rules")
        players = rules.get("players") if type(rules) is dict else None
        self._players = players if type(players) is int and players in _SIMPLE else 4
        head: dict[str, Any] = self._read(FIRST, value)[1]
        self._check_code(head["rules"])
        for key in ("players", "recorders"):
            for index, (named, said) in enumerate(zip(head[key], value.get(key, ()), strict=True)):
                self._check_name(f"/{key}/{index}/name", named, said.get("name"))
        for index, player in enumerate(head["players"]):
            self._check_bytes(f"/players/{index}/raw_name", player)
        return head

    def _check_name(self, pointer: str, named: Player | Recorder, said: str | None) -> None:
        """Check that the recorded name, *said*, agrees with the full name."""
        if named.name != said:
            wanted, recorded = (quoted(name) if name else "nothing" for name in (named.name, said))
            raise self._lines.error(f"the name is {recorded}; {wanted} expected from full_name", pointer)

    def _check_bytes(self, pointer: str, player: Player) -> None:
        """Check that the bytes of a name, given only if they are not UTF-8, are those of the name."""
        raw, family = player.raw_name, None if player.full_name is None else player.full_name.family
        if raw is None:
            return
        text = raw.decode("utf-8", "replace")
        if text.encode() == raw or family is None or family.native != text:
            raise self._lines.error("expected the bytes of a name that is not UTF-8", pointer)

    def _check_code(self, rules: Rules) -> None:
        """Check that Tenhou's rules number, if known, agrees with the rules."""
        if rules.code is not None:
            meant = tenhou.rules(rules.code, rules.lobby, rules.custom)
            if rules != meant:
                red = "without" if meant.red_fives == NO_REDS else "with"
                said = f"not the rules of code {rules.code} ({meant.players} players, {red} red fives)"
                raise self._lines.error(said, "/rules")

    # --- a frame -----------------------------------------------------------------------------------------------------

    def _frame(self, start: Start, judge: Judge) -> Frame:
        """Read the frame that begins with *start*, and have *judge* check it."""
        lines = self._lines
        begins, lines.frame = lines.number, start.name
        self._starts.append((begins, start))
        if start.dealer != start.round % 4:
            raise lines.error(f"the dealer is {start.dealer}; {start.round % 4} expected from the round")
        events: list[Event] = []
        (end, dora, comment, wall, thinking, notes), fault = self._play(start, events)
        if len(end.hands) != len(start.hands):
            raise lines.error("the frame has hands only at its start or its end; both or neither expected", "/hands")
        if thinking and len(thinking) != len(events):
            said = f"the frame has {len(thinking)} thinking times and {len(events)} events; one for each expected"
            raise lines.error(said, "/thinking")
        if why := misplaced(notes, events):
            raise lines.error(why, "/notes")
        frame = Frame(start, tuple(events), end, dora, comment, wall, thinking, notes)
        for error in judge.frame(frame, fault):
            at_end = isinstance(error, EndError | DoraError)
            number = lines.number if at_end else begins + max(error.index + 1, 0)
            self._session.find(lines.error(error.in_terms(self._terms.at(start.dealer)), number=number))
        lines.frame = None
        return frame

    def _play(self, start: Start, events: list[Event]) -> tuple[tuple[Any, ...], PlayError | None]:
        """Read the *events* of a frame; return the fields of its end, and an error for the first malformed meld."""
        lines = self._lines
        simple, allowed = (_SIMPLE[self._players].get, PLAY) if start.hands else (_NOTHING.get, UNPLAYED)
        fault: PlayError | None = None
        number = lines.number
        for number, line in lines.rest:
            event = simple(line)
            if event is None:
                kind, event = self._read(allowed, lines.parse(number, line))
                if kind is END_FRAME:
                    return event, fault
                fault = fault or misshapen(event, len(events))
            events.append(event)
        raise lines.error("the file ends inside a frame", number=number)
