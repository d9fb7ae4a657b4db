"""Read JSON lines from a path, an open file or bytes (source: ``schema.json``)."""

from __future__ import annotations

import codecs
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

from jmjp_convert.errors import DoraError, EndError, JsonError, MatchError, PlayError
from jmjp_convert.files.inputs import MAX_SIZE, Source, chunks, opened
from jmjp_convert.formats import bounds
from jmjp_convert.formats.json.lines import Lines
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
from jmjp_convert.formats.json_text import shown
from jmjp_convert.formats.session import Locate
from jmjp_convert.messages import Terms
from jmjp_convert.model import DISCARDS, DRAWS, Event, Frame, Match, Player, Presence, Recorder, Rules, Start, tenhou
from jmjp_convert.play.judge import Judge
from jmjp_convert.play.melds import misshapen

Notice = Callable[[str], None]
Finding = Callable[[JsonError], None]
_Value = Mapping[str, Any]

_HEADER: dict[str, tuple[tuple[object, ...], str]] = {
    "format": ((FORMAT,), f'"{FORMAT}"'),
    "version": ((VERSION,), f"version {VERSION}"),
}


def _simple(players: int) -> Iterator[tuple[bytes, Event]]:
    """Yield each draw and discard of *players* with its line."""
    known: tuple[tuple[Sequence[Sequence[Event]], Sequence[Sequence[str]]], ...]
    known = ((DRAWS, DRAW_LINES), *((DISCARDS[drawn], DISCARD_LINES[drawn]) for drawn in DISCARDS))
    for events, lines in known:
        for player in range(players):
            for tile, line in enumerate(lines[player]):
                yield f"{line}\n".encode(), events[player][tile]


_SIMPLE = {players: dict(_simple(players)) for players in (3, 4)}
"""Draws and discards by line, by number of players: 93 % of events are looked up here."""

_NOTHING: dict[bytes, Event] = {}


def read_json(
    source: Source,
    *,
    max_size: int = MAX_SIZE,
    notice: Notice | None = None,  # noqa: ARG001 - every reader accepts one
    finding: Finding | None = None,
    locate: list[Locate] | None = None,
) -> list[Match]:
    """Read one file of JSON Lines, as :func:`~jmjp_convert.formats.json.writer.write_json` writes it, or compressed.

    :param source: a path, an open binary file, or bytes.
    :param max_size: the maximum size in bytes, decompressed.
    :param notice: called with each remark on a file that is read, one line each; there are none so far.
    :param finding: called with each impossible play, instead of raising the first; its frame is not checked further.
    :param locate: if given, gets a function for each match that returns a problem of it with its place in the file.
    :returns: the matches, at least one. Every frame has been replayed.
    :raises JsonError: the text is not of this format, or describes impossible play.
    :raises FileError: *source* cannot be read, or is too large.
    """
    with opened(source) as file:
        content = b"".join(chunks(file, max_size))
    lines = Lines(content.removeprefix(codecs.BOM_UTF8))
    matches: list[Match] = []
    frames = 0
    while (value := lines.next_after_blank()) is not None:
        if len(matches) == bounds.MATCHES:
            raise lines.error(bounds.exceeded(bounds.MATCHES, "matches"))
        reader = _MatchReader(lines, finding or _refuse)
        matches.append(reader.read(value))
        if locate is not None:
            locate.append(reader.locate)
        frames += len(matches[-1].frames)
        if frames > bounds.FRAMES:
            raise lines.error(bounds.exceeded(bounds.FRAMES, "frames"))
    if not matches:
        raise lines.error("no match found")
    return matches


def _refuse(error: JsonError) -> None:
    raise error


class _MatchReader:
    """A match being read."""

    def __init__(self, lines: Lines, finding: Finding) -> None:
        self._lines = lines
        self._finding = finding
        self._players = 4
        self._terms = Terms()
        self._first = lines.number
        self._last = lines.number
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
            value = self._next()
            kind = lines.kind(BETWEEN if frames else BEFORE, value)
            found = lines.read(kind, value, self._players)
            if kind is END_MATCH:
                self._last = lines.number
                return Match(frames=tuple(frames), before=tuple(before), **head, **found)
            if kind is FRAME:
                if len(frames) == bounds.MATCH_FRAMES:
                    raise lines.error(bounds.exceeded(bounds.MATCH_FRAMES, "frames in a match"))
                frames.append(self._frame(found, judge))
            else:
                before.append(found)

    def _next(self) -> _Value:
        value = self._lines.next()
        if value is None:
            raise self._lines.error("the file ends inside a match")
        return value

    def _head(self, value: _Value) -> dict[str, Any]:
        """Read the first line, whose other fields depend on the number of players."""
        lines = self._lines
        kind = lines.kind(FIRST, value)
        for key, (wanted, what) in _HEADER.items():
            if type(value.get(key)) is not type(wanted[0]) or value[key] not in wanted:
                raise lines.error(f"{key}: expected {what}, found {shown(value[key]) if key in value else 'nothing'}")
        recorders = value.get("recorders")
        if type(recorders) is list and len(recorders) > bounds.RECORDERS:
            raise lines.error(bounds.exceeded(bounds.RECORDERS, "recorders"))
        rules = value.get("rules")
        players = rules.get("players") if type(rules) is dict else None
        self._players = players if type(players) is int and players in _SIMPLE else 4
        head: dict[str, Any] = lines.read(kind, value, self._players)
        self._check_code(head["rules"])
        for key in ("players", "recorders"):
            for number, (named, said) in enumerate(zip(head[key], value.get(key, ()), strict=True)):
                self._check_name(f"match.{key}[{number}]", named, said.get("name"))
        for number, player in enumerate(head["players"]):
            self._check_bytes(number, player)
        return head

    def _check_name(self, where: str, named: Player | Recorder, said: str | None) -> None:
        """Check that the recorded name, *said*, agrees with the full name."""
        if named.name != said:
            wanted, found = (shown(name) if name else "nothing" for name in (named.name, said))
            raise self._lines.error(f"{where}.name is {found}; {wanted} expected from full_name")

    def _check_bytes(self, number: int, player: Player) -> None:
        """Check that the bytes of a name, given only if they are not UTF-8, are those of the name."""
        raw, family = player.raw_name, None if player.full_name is None else player.full_name.family
        if raw is None:
            return
        text = raw.decode("utf-8", "replace")
        if text.encode() == raw or family is None or family.native != text:
            raise self._lines.error(f"match.players[{number}].raw_name: expected the bytes of a name that is not UTF-8")

    def _check_code(self, rules: Rules) -> None:
        """Check that Tenhou's rules number, if known, agrees with the rules."""
        if rules.code is not None:
            meant = tenhou.rules(rules.code, rules.lobby, rules.custom)
            if rules != meant:
                red = "with" if meant.red_fives else "without"
                said = f"not the rules of code {rules.code} ({meant.players} players, {red} red fives)"
                raise self._lines.error(f"match.rules: {said}")

    # --- a frame -----------------------------------------------------------------------------------------------------

    def _frame(self, start: Start, judge: Judge) -> Frame:
        """Read the frame that begins with *start*, and have *judge* check it."""
        lines = self._lines
        begins, lines.frame = lines.number, start.name
        self._starts.append((begins, start))
        if start.dealer != start.round % 4:
            raise lines.error(f"the dealer is {start.dealer}; {start.round % 4} expected from the round")
        events: list[Event] = []
        value, fault = self._play(start, events)
        end, dora, comment = lines.read(END_FRAME, value, self._players)
        if len(end.hands) != len(start.hands):
            raise lines.error("end_frame: the frame has hands only at its start or its end; both or neither expected")
        frame = Frame(start, tuple(events), end, dora, comment)
        for error in judge.frame(frame, fault):
            at_end = isinstance(error, EndError | DoraError)
            number = lines.number if at_end else begins + max(error.index + 1, 0)
            self._finding(lines.error(error.in_terms(self._terms.at(start.dealer)), number))
        lines.frame = None
        return frame

    def _play(self, start: Start, events: list[Event]) -> tuple[_Value, PlayError | None]:
        """Read the *events* of a frame; return its last line, and an error for the first malformed meld."""
        lines, players, begins = self._lines, self._players, self._lines.number
        simple, allowed = (_SIMPLE[players].get, PLAY) if start.hands else (_NOTHING.get, UNPLAYED)
        fault: PlayError | None = None
        for line in lines.file:
            event = simple(line)
            if event is None:
                lines.number = begins + len(events) + 1
                value = lines.parse(line)
                kind = lines.kind(allowed, value)
                if kind is END_FRAME:
                    return value, fault
                event = lines.read(kind, value, players)
                fault = fault or misshapen(event, len(events))
            events.append(event)
        lines.number = begins + len(events)
        raise lines.error("the file ends inside a frame")
