"""Reads records of Mahjong Soul, in all that they come in (:mod:`.wrappings`)."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

from jmjp_convert.errors import MahjongSoulError, MatchError, PlayError
from jmjp_convert.files.inputs import UTF16
from jmjp_convert.formats.assembly import Assembly
from jmjp_convert.formats.json_text import Walk, decoded
from jmjp_convert.formats.json_values import WrongValue
from jmjp_convert.formats.mahjong_soul import wrappings
from jmjp_convert.formats.mahjong_soul.entries import LIVE, Entry, Game, WrongRecord, begins_records
from jmjp_convert.formats.mahjong_soul.frames import FrameReader
from jmjp_convert.formats.mahjong_soul.head import Head, finished, read_head, refused, without_head
from jmjp_convert.formats.mahjong_soul.messages import number
from jmjp_convert.formats.mahjong_soul.notation import MODES_BY_RECORD
from jmjp_convert.formats.session import Session, reader
from jmjp_convert.messages import Terms
from jmjp_convert.model import SEATS, Disconnected, Frame, Match, Presence, Returned
from jmjp_convert.model.record import replace

_CONNECTED, _DISCONNECTED = 1, 2
"""The types of what happens to the connection of a player."""

_STARTS = 1
"""What happens to the game when it starts."""


@reader(MahjongSoulError)
def read_mahjong_soul(content: Callable[[], bytes], session: Session[MahjongSoulError]) -> None:
    """Read a record of Mahjong Soul: its binary form in any wrapping, that in digits, or JSON.

    A game that the model cannot hold is an error.
    """
    try:
        for game in _games(content()):
            session.begin_match()
            _GameReader(game, session).read()
    except WrongValue as wrong:
        raise MahjongSoulError(wrong.reason, pointer=wrong.pointer) from None


def _games(content: bytes) -> Iterator[Game]:
    if wrappings.signs(content):
        yield wrappings.of_bytes(content)
        return
    if not content.startswith(UTF16) and content[:1] in b"\x01\x02\x03\x10\x12\x1a":
        raise MahjongSoulError("not a record of Mahjong Soul")
    walk = Walk(decoded(content, MahjongSoulError).rstrip(), MahjongSoulError)
    if walk.next() not in ("{", "["):
        yield wrappings.of_text(walk.text)
        return
    captured = wrappings.captures(walk.text)
    records: list[Any] = []
    for pointer in walk.documents():
        if captured:
            yield from wrappings.of_capture(walk)
            continue
        value = walk.value()
        if records or begins_records(value):
            records.append(value)
        else:
            yield from wrappings.of_json(value, pointer)
    if records:
        yield wrappings.of_records(records)


class _GameReader:
    """A game being read."""

    def __init__(self, game: Game, session: Session[MahjongSoulError]) -> None:
        self._game = game
        self._session = session
        self._head: Head | None = None
        self._terms = Terms(())
        self._frames: list[FrameReader] = []
        self._possible: list[FrameReader] = []
        self._before: list[Presence] = []
        self._started = False
        self._away: set[int] = set()

    def read(self) -> None:
        """Read the game, and add its match to those of the session."""
        try:
            if self._game.head is not None:
                self._head = read_head(self._game.head, self._session.notice)
                self._name_players(self._head)
            self._read_entries()
        except WrongRecord as wrong:
            raise self._error(wrong, wrong.number, wrong.name) from None
        head = self._head
        if head is None or not self._frames:
            raise MahjongSoulError("the record has no frame")
        sound = [frame for frame in self._frames if frame.wrong is None]
        all_tiles = next((frame.all_tiles for frame in sound), ())
        match = finished(head, [frame.builder for frame in sound], all_tiles)
        match = replace(match, before=tuple(self._before))
        self._session.add(replace(match, frames=self._assembled(match)), self._locate)

    def _name_players(self, head: Head) -> None:
        self._terms = Terms([player.name for player in head.match.players], head.match.rules.players)

    # --- entries -----------------------------------------------------------------------------------------------------

    def _read_entries(self) -> None:
        for entry in self._game.entries:
            try:
                self._read_entry(entry)
            except WrongRecord:
                raise
            except WrongValue as wrong:
                error = self._error(wrong, entry.number, entry.name)
                if not self._frames:
                    raise error from None
                self._frames[-1].wrong = error
        for frame in self._frames:
            if frame.wrong is None:
                frame.break_off()

    def _read_entry(self, entry: Entry) -> None:
        if entry.name == "RecordNewRound":
            self._begin_frame(entry)
        elif entry.name.startswith(LIVE):
            raise MahjongSoulError(
                "this is what one player sees during a game, without the hands of the others; save the replay instead",
                number=entry.number,
                element=entry.name,
            )
        elif entry.name in MODES_BY_RECORD:
            raise MahjongSoulError(refused(MODES_BY_RECORD[entry.name]), number=entry.number, element=entry.name)
        elif entry.name and not self._frames:
            raise WrongRecord(WrongValue("expected RecordNewRound as the first record"), entry.number, entry.name)
        elif entry.name:
            if self._frames[-1].wrong is None:
                self._frames[-1].add(entry)
        else:
            self._read_action(entry)

    def _begin_frame(self, entry: Entry) -> None:
        self._session.begin_frame()
        head = self._head
        try:
            frame = FrameReader(entry, head, self._session.notice)
        except WrongValue as wrong:
            raise WrongRecord(wrong, entry.number, entry.name) from None
        if head is None:
            self._head = without_head(frame.players)
            self._name_players(self._head)
        self._started = True
        self._frames.append(frame)

    def _read_action(self, entry: Entry) -> None:
        action = entry.action
        frame = self._frames[-1] if self._frames else None
        entered, event = action.get("user_input"), action.get("user_event")
        if entered is not None and frame is not None:
            frame.enter(entered, entry.passed)
        if number(action, "game_event") == _STARTS:
            self._started = True
        if event is None or not self._started:
            return
        seats = SEATS if self._head is None else self._head.match.rules.players
        player, what = number(event, "seat", seats - 1), number(event, "type")
        happened: Presence
        if what == _DISCONNECTED and player not in self._away:
            self._away.add(player)
            happened = Disconnected(player)
        elif what == _CONNECTED and player in self._away:
            self._away.remove(player)
            happened = Returned(player)
        else:
            return
        if frame is None:
            self._before.append(happened)
        else:
            frame.presence(happened, entry.number)

    def _error(self, wrong: WrongValue, number: int, name: str) -> MahjongSoulError:
        """Return the error for a wrong value in the record *number*, which is called *name*."""
        frame, dealer = (self._frames[-1].name, self._frames[-1].dealer) if self._frames else (None, None)
        reason = wrong.in_terms(self._terms.at(dealer))
        return MahjongSoulError(reason, number=number, element=name or None, pointer=wrong.pointer, frame=frame)

    # --- frames ------------------------------------------------------------------------------------------------------

    def _assembled(self, match: Match) -> tuple[Frame, ...]:
        """Return the frames that are possible, each replayed; their errors are reported in order."""
        assembly = Assembly[FrameReader](
            match.rules, lambda error, frame: self._session.find(self._impossible(error, frame))
        )
        for frame in self._frames:
            if frame.wrong is not None:
                self._session.find(frame.wrong)
            else:
                assembly.add(frame, frame.builder, None, frame.finish)
        self._possible = assembly.possible
        return tuple(assembly.frames)

    def _impossible(self, error: PlayError, frame: FrameReader) -> MahjongSoulError:
        at, name = frame.record_of(error)
        reason = error.in_terms(self._terms.at(frame.dealer))
        return MahjongSoulError(reason, number=at, element=name or None, frame=frame.name)

    def _locate(self, error: MatchError) -> MahjongSoulError:
        """Return *error*, a problem of the match, with the place of its value."""
        if error.frame is None:
            pointer = "/head/result" if error.at_end else "/head"
            return MahjongSoulError(error.in_terms(self._terms.at(None)), pointer=pointer)
        return self._impossible(error, self._possible[error.frame])
