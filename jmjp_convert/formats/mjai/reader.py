"""Reads mjai: an event per line, in the dialects of several programs.

Source: ``docs/design/formats.md`` 2. A file holds one game after the other, with or without ``start_game``,
``end_kyoku`` and ``end_game``. Events and keys that are unknown are ignored and reported. ``reach_accepted`` may be
missing, and so may the winning tile, the source of a tile, the kind of a draw and payments.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from itertools import zip_longest
from operator import add, sub
from typing import Any, Final

from jmjp_convert.errors import MatchError, MjaiError, PaymentError, PlayError, StartError, WorthError
from jmjp_convert.formats.assembly import Assembly, fives_of_frames, follows, points_after, without_repeated
from jmjp_convert.formats.frame_builder import FrameBuilder, NotDrawnError, extended_pon, shaped
from jmjp_convert.formats.json_text import JsonLines, quoted
from jmjp_convert.formats.json_values import At, WrongValue, looked_up, optional
from jmjp_convert.formats.mjai.lines import BETWEEN, kind_of, lines_of
from jmjp_convert.formats.mjai.notation import (
    KYOKU_FIRST,
    TILES,
    Value,
    draw_kind,
    plain_lines,
    report_unknown,
    score_of,
    yaku_of,
)
from jmjp_convert.formats.session import Notice, Session, reader
from jmjp_convert.messages import Message, Points, Terms, Who
from jmjp_convert.model import (
    DISCARDS,
    SEATS,
    THREE_PLAYERS,
    WINDS,
    Ankan,
    Call,
    Chi,
    Daiminkan,
    Discard,
    Draw,
    DrawKind,
    Ending,
    Frame,
    Kakan,
    Kita,
    Match,
    Player,
    Pon,
    RiichiAccepted,
    RiichiDeclared,
    Rules,
    Ryuukyoku,
    Start,
    Win,
    handle,
    log_ids,
)
from jmjp_convert.model.match import endings_of
from jmjp_convert.model.record import replace
from jmjp_convert.model.tiles import UNKNOWN, any_copy, label
from jmjp_convert.play.abortive import abortive_kind
from jmjp_convert.play.melds import Shaped
from jmjp_convert.play.points import STICK
from jmjp_convert.play.position import DEALT, MOST_DRAWS
from jmjp_convert.play.red_fives import flagged

_NO_TURN = frozenset(("reach", "reach_accepted", "dora"))
"""The events that leave the tile drawn where it is."""


# --- the file ---------------------------------------------------------------------------------------------------------


@reader(MjaiError)
def read_mjai(content: Callable[[], bytes], session: Session[MjaiError]) -> None:
    """Read mjai: an event per line, or a list of events."""
    lines = lines_of(content())
    session.error = lines.error
    _File(lines, session).read()


class _File:
    """A file being read."""

    def __init__(self, lines: JsonLines[MjaiError], session: Session[MjaiError]) -> None:
        self._lines = lines
        self._session = session
        self._game: _Game | None = None

    def read(self) -> None:
        """Read the games, and add their matches to the session."""
        try:
            line = self._next()
            while line is not None:
                line = self._between(line) or self._next()
        except MjaiError:
            if self._game is not None:
                self._game.match()  # an error in an earlier frame comes first
            raise
        self._end_game()

    def _next(self) -> At | None:
        value = self._lines.next()
        return None if value is None else At(value)

    def _between(self, line: At) -> At | None:
        """Take the event on *line*, which is between frames, and the frame that it may begin; return the line after the
        frame."""
        try:
            kind = kind_of(line, self._session.notice)
            if kind == "start_game":
                self._end_game()
                self._game = _Game(self._session, self._lines.number, line)
            elif kind == "start_kyoku":
                return self._frame(line)
            elif kind == "end_game" and self._game is not None:
                self._game.end(line, self._lines.number)
                self._end_game()
            elif kind in HANDLERS:
                raise line.wrong(f"{kind} outside a frame")
        except WrongValue as wrong:
            raise self._lines.error(wrong.reason, wrong.pointer) from None
        return None

    def _end_game(self) -> None:
        """Add the match of the current game."""
        game, self._game = self._game, None
        if game is not None and game.read:
            self._session.add(game.match(), game.locate)
        elif game is not None:
            self._session.notice("game without frames ignored")

    def _frame(self, line: At) -> At | None:
        """Read the frame that begins on *line*; return the line after it."""
        if self._game is None:
            self._game = _Game(self._session, 1)
        game, lines = self._game, self._lines
        self._session.begin_frame()
        frame = None
        try:
            frame = game.begin(line, lines)
            lines.frame = frame.builder.start.name
            after = self._play(frame)
        except WrongValue as wrong:
            reason = wrong.reason if frame is None else wrong.in_terms(frame.terms)
            return self._leave_out(lines.error(reason, wrong.pointer))
        except MjaiError as error:
            return self._leave_out(error)
        else:
            game.read.append(frame)
            return after
        finally:
            lines.frame = None

    def _leave_out(self, error: MjaiError) -> At | None:
        """Leave out a frame with an *error*, which is reported in its turn; return the line after the frame."""
        if not self._session.collects or self._game is None:
            raise error
        self._game.read.append(error)
        while (line := self._next()) is not None:
            kind = line.value.get("type")
            if kind in ("start_game", "start_kyoku", "end_game"):
                return line
            if kind == "end_kyoku":
                return None
        return None

    def _play(self, frame: _Frame) -> At | None:
        """Read the events of *frame*; return the line after it, unless that only says that it ends."""
        lines, builder, plain = self._lines, frame.builder, plain_lines(len(frame.builder.start.hands))
        events, come, drawn, declared = builder.events, frame.come, builder.drawn, False
        builder.mark(lines.number + 1, stride=1)
        for number, text in lines.rest:
            event = plain.get(text)
            if type(event) is Draw:
                drawn = event.tile
                come.append(drawn)
                events.append(event)
            elif type(event) is Discard and (not event.tsumogiri or event.tile == drawn):
                drawn = None
                if declared:
                    builder.discard(event.player, event.tile, event.tsumogiri)
                    builder.mark(number + 1, stride=1)
                    declared = False
                else:
                    events.append(event)
            else:
                builder.mark(number)
                if type(event) is RiichiDeclared:
                    events.append(event)
                    declared = True
                elif type(event) is RiichiAccepted:
                    frame.accept(event.player)
                elif not text.isspace():
                    line = At(lines.parse(number, text))
                    kind = kind_of(line, self._session.notice)
                    if kind in BETWEEN:
                        return None if kind == "end_kyoku" else line
                    if kind in HANDLERS:
                        HANDLERS[kind](frame, line)
                        declared = kind == "reach" or (declared and kind in _NO_TURN)
                        drawn = drawn if kind in _NO_TURN else builder.drawn
                builder.mark(number + 1, stride=1)
        return None


# --- a game -----------------------------------------------------------------------------------------------------------

_EAST_ONLY: dict[int | None, bool] = {first: is_east_only for is_east_only, first in KYOKU_FIRST.items()}
_HIDDEN = [UNKNOWN] * DEALT
_A_TILE = 'a tile such as "5m", "5mr", "E" or "?"'


class _Game:
    """A game being read.

    :param number: the number of its first line.
    :param head: its ``start_game``, if it has one.
    """

    def __init__(self, session: Session[MjaiError], number: int, head: At | None = None) -> None:
        session.begin_match()
        self._session = session
        self.read: list[_Frame | MjaiError] = []  # its frames so far, the error in place of one with an invalid value
        self._players: int | None = None
        self._names: list[str] | None = None
        self._red_fives: bool | None = None
        self._east_only: bool | None = None
        self._id: log_ids.LogId | None = None
        self._scores: tuple[int, ...] | None = None
        self._possible: list[_Frame] = []
        self._first = self._last = number
        if head is not None:
            self._head(head)

    def _head(self, line: At) -> None:
        names = line.get("names")
        if names is not None:
            if len(names.list("a list of names")) not in (0, THREE_PLAYERS, SEATS):
                raise names.wrong(f"{len(names.value)} names; 3 or 4 expected")
            self._names = ["" if name.value is None else name.text() for name in names.items()] or None
        self._red_fives = optional(line.get("aka_flag"), At.flag)
        self._east_only = _EAST_ONLY.get(optional(line.get("kyoku_first"), At.count))
        rules = line.value.get("rules")  # jansou's
        if self._red_fives is None and isinstance(rules, dict) and isinstance(rules.get("aka_dora"), bool):
            self._red_fives = rules["aka_dora"]
        self._id = optional(line.get("uri"), lambda uri: log_ids.find_id(uri.text()))

    # --- frames ------------------------------------------------------------------------------------------------------

    def begin(self, line: At, lines: JsonLines[MjaiError]) -> _Frame:
        """Return the frame that starts on *line*."""
        listed = line.member("tehais")
        hands = _dealt(listed)
        if self._players is None:
            self._players = self._count(line, hands, lines)
        players = self._players
        if len(hands) < players:
            raise listed.wrong(f"{len(hands)} hands; {players} expected")
        wind = line.member("bakaze")
        if wind.text() not in tuple(WINDS):
            raise wind.expected("a wind, E, S, W or N")
        number, oya = line.member("kyoku").count(players, 1), line.get("oya")
        if oya is not None and oya.player(players) != number - 1:
            raise oya.wrong(f"the dealer is {oya.value}; {number - 1} expected from the kyoku")
        indicator = optional(line.get("dora_marker"), _tile)
        points = _points(line, players, "scores")
        if points is None:
            before = next((each for each in reversed(self.read) if isinstance(each, _Frame)), None)
            points = before.points_after() if before else None
        start = Start(
            SEATS * WINDS.index(wind.value) + number - 1,
            line.member("honba").count(),
            optional(line.get("kyotaku", "kyoutaku", "riichi_sticks"), At.count),
            number - 1,
            None,
            points,
            tuple([tuple(sorted(hand)) for hand in hands[:players]]),
            None if indicator == UNKNOWN else indicator,
        )
        return _Frame(start, lines.number, self._names or (), self._session.notice)

    def _count(self, line: At, hands: Sequence[Sequence[int]], lines: JsonLines[MjaiError]) -> int:
        """Return the number of players: three if there is no fourth seat, or if it is empty."""
        scores, names = line.value.get("scores"), self._names or []
        points = scores if type(scores) is list else []
        is_shown = len(hands) == len(names or hands) == SEATS and UNKNOWN not in hands[-1]
        if min(len(hands), len(names or hands)) == THREE_PLAYERS or not hands[-1]:
            return THREE_PLAYERS
        if len(points) == THREE_PLAYERS and not is_shown:
            return THREE_PLAYERS
        is_unnamed = names[-1:] == [""] and any(names)
        if list(hands[-1]) == _HIDDEN and (is_unnamed or points[-1:] == [0]):
            rest = lines.left()
            if b'"nukidora"' in rest or b'"kita"' in rest:
                return THREE_PLAYERS
        return SEATS

    def end(self, line: At, number: int) -> None:
        """Take the ``end_game``, on *line*, the line *number*."""
        self._last = number
        if self._players is not None:
            self._scores = _points(line, self._players, "scores")

    # --- the match ---------------------------------------------------------------------------------------------------

    def match(self) -> Match:
        """Return the match.

        :raises MjaiError: a frame is impossible.
        """
        read = [each for each in self.read if isinstance(each, _Frame)]
        for frame, then in zip_longest(read, read[1:]):
            frame.end(None if then is None else then.builder.start)
        players = self._players or SEATS
        red = flagged(self._red_fives, fives_of_frames(frame.builder for frame in read), players)
        rules = Rules(players, red, east_only=self._east_only)
        assembly = Assembly[_Frame](rules, lambda error, frame: self._session.find(frame.impossible(error)))
        for each in self.read:
            if isinstance(each, MjaiError):
                self._session.find(each)
            else:
                assembly.add(each, each.builder, each.following(self._scores), each.with_scores)
        self._possible, frames = assembly.possible, tuple(assembly.frames)
        names = (self._names or [""] * SEATS)[: rules.players]
        return Match(
            rules,
            tuple([Player(handle(name)) for name in names]),
            frames,
            id=None if self._id is None else self._id.text,
            date=None if self._id is None else self._id.date,
            final_points=without_repeated(self._scores, frames),
        )

    def locate(self, error: MatchError) -> MjaiError:
        """Return *error*, a problem of the match, with its line."""
        if error.frame is None:
            line = self._last if error.at_end else self._first
            return MjaiError(error.in_terms(Terms(self._names or ())), line=line)
        return self._possible[error.frame].error(error)


def _dealt(hands: At) -> list[tuple[int, ...]]:
    """Return the *hands* dealt; that of a fourth seat may be empty. If others are, they are hidden."""
    if len(hands.list("a list of hands")) not in (THREE_PLAYERS, SEATS):
        raise hands.wrong(f"{len(hands.value)} hands; 3 or 4 expected")
    dealt = [_dealt_to(hands, seat) for seat in range(len(hands.value))]
    return dealt if all(dealt[:THREE_PLAYERS]) else [hand or tuple(_HIDDEN) for hand in dealt]


def _dealt_to(hands: At, seat: int) -> tuple[int, ...]:
    """Return the hand dealt to the player in *seat*; none if it is left out."""
    names = hands.value[seat]
    if names in (None, []):
        return ()
    tiles = looked_up(names, TILES)
    return _tiles(hands.item(seat), (DEALT,)) if tiles is None or len(tiles) != DEALT else tiles


def _tile(value: At) -> int:
    return value.tile(TILES, _A_TILE)


def _tile_of(line: At, key: str) -> int:
    """Return the tile under *key*."""
    value = line.value.get(key)
    return TILES[value] if type(value) is str and value in TILES else _tile(line.member(key))


def _tiles_of(line: At, key: str, count: int) -> tuple[int, ...]:
    """Return the *count* tiles under *key*."""
    tiles = looked_up(line.value.get(key), TILES)
    return _tiles(line.member(key), (count,)) if tiles is None or len(tiles) != count else tiles


def _tiles(value: At, counts: Collection[int]) -> tuple[int, ...]:
    return value.tiles(TILES, counts, what=_A_TILE)


def _points(line: At, players: int, *keys: str) -> tuple[int, ...] | None:
    """Return points by player; ``None`` if they are missing or empty."""
    points = line.get(*keys)
    return None if points is None or points.value == [] else points.points_by_player(players)


# --- a frame ----------------------------------------------------------------------------------------------------------

_CALLS: dict[str, tuple[type[Call], int]] = {
    "chi": (Chi, 2),
    "pon": (Pon, 2),
    "daiminkan": (Daiminkan, 3),
    "kan": (Daiminkan, 3),
}
"""The calls by the type of their line, each with the number of tiles from the hand."""

_NORTH = any_copy("nw")
_CLOSED = range(15)
_UP_TO_FIVE = range(6)
_MELD = 3
"""The number of tiles of a hand that a meld stands for."""


class _Frame:
    """A frame being read.

    :param number: the number of the line of its start.
    :param names: the names of the players, if known.
    """

    def __init__(self, start: Start, number: int, names: Sequence[str], notice: Notice) -> None:
        self.builder = FrameBuilder(start)
        self.after: tuple[int, ...] | None = None  # the points by player after it, if its endings say
        # The tiles drawn and turned in it. To find them among the events takes 3 % of the time of reading.
        self.come: list[int] = []
        self.terms = Terms(names, len(start.hands), start.dealer)
        self._players = len(start.hands)
        self._number = number
        self._notice = notice
        self._accepted: set[int] = set()  # the players with a reach_accepted so far
        self._values: list[Value | None] = []  # of each win, as far as they are recorded
        self._worth: list[str] = []  # of each win, the key that has its value
        self._undecided: Ryuukyoku | None = None
        self._unnamed = False  # whether there is a draw of unknown kind
        self._next: Start | None = None  # the start of the next frame in the file
        self._sum: tuple[int, ...] | None = None  # the payments of several wins together, if each has them

    def impossible(self, error: PlayError) -> MjaiError:
        """Return *error*, which was found when the frame was replayed, with its place."""
        if isinstance(error, StartError):
            return self.error(error, "/kyotaku" if error.sticks else "/scores")
        if error.index < -1:
            return self.error(error, f"/tehais/{-2 - error.index}")
        if isinstance(error, WorthError):
            wins = sum(isinstance(event, Win) for event in self.builder.events[: error.index])
            return self.error(error, self._worth[wins])
        return self.error(error, "/deltas" if isinstance(error, PaymentError) else "")

    def error(self, error: PlayError, pointer: str = "") -> MjaiError:
        """Return *error*, a problem of the frame, with its line."""
        line = self._number if error.index < 0 else self.builder.position_of(error.index)
        return MjaiError(error.in_terms(self.terms), line=line, pointer=pointer, frame=self.builder.start.name)

    def end(self, then: Start | None) -> None:
        """Decide what only the end shows. Without a stick for the riichi of the last tile, or after a kan without a
        replacement tile, a draw of unknown kind is that of three players who ronned the tile.

        :param then: the start of the next frame in the file; if it follows this one, its sticks show whether the riichi
            was paid for.
        """
        self._next = then
        builder, draw = self.builder, self._undecided
        if draw is not None:
            if then is not None and not follows(builder, then):
                then = None
            if not self._is_paid(builder.pending_riichi, then):
                draw = replace(draw, kind=DrawKind.TRIPLE_RON)
            builder.draw_game(draw)
        builder.break_off()
        builder.come = None if UNKNOWN in self.come else bytes(self.come)
        self._infer_kind()
        self._correct_first_discard()

    def _infer_kind(self) -> None:
        """Have the play show the kind of a draw of unknown kind, if it is abortive."""
        if not self._unnamed:
            return
        events = self.builder.events
        kinds = [*map(type, events)]
        index = kinds.index(Ryuukyoku)
        draw: Any = events[index]
        if draw.kind is not None or kinds[:index].count(Draw) >= MOST_DRAWS[self._players]:
            return
        kind = abortive_kind(self.builder.start, events[:index])
        if kind is not None:
            events[index] = replace(draw, kind=kind)
            self._notice(f"reason for a draw inferred from the play: {kind.value}")

    def _is_paid(self, player: int | None, then: Start | None) -> bool:
        """Return whether the riichi of *player*, on whose tile the frame is drawn, is paid for: the fourth one is."""
        if player is None:
            return False
        before = len(self.builder.riichi) - 1
        if then is not None and then.sticks is not None and self.builder.start.sticks is not None:
            return then.sticks > self.builder.start.sticks + before
        return before == self._players - 1

    def _correct_first_discard(self) -> None:
        """Take the dealer's first discard as the tile just drawn if it cannot be another copy.

        Mahjong Soul deals the dealer fourteen tiles, and its games say of that discard that it was not drawn.
        """
        events, dealer = self.builder.events, self.builder.start.dealer
        index = next((index for index, event in enumerate(events) if type(event) is Discard), 0)
        drawn = [event.tile for event in events[:index] if type(event) is Draw]
        others = [*self.builder.start.hands[dealer], *drawn[:-1]]
        is_only_copy = drawn and drawn[-1] not in others
        if is_only_copy and events[index] == DISCARDS[False][dealer][drawn[-1]]:
            events[index] = DISCARDS[True][dealer][drawn[-1]]

    def following(self, final: tuple[int, ...] | None) -> tuple[int, ...] | None:
        """Return the points after it: as recorded or, unless its payments are, as the next frame shows them, or the
        *final* points of the game."""
        if self.after is not None:
            return self.after
        events = self.builder.events
        if self.builder.start.points is not None and None not in [event.changes for event in endings_of(events)]:
            return None
        if self._next is not None:
            return points_after(self.builder, self._next)
        return final if events and isinstance(events[-1], Win) else None

    def with_scores(self, frame: Frame) -> Frame:
        """Return *frame*, which has been replayed, with the values of its wins: its hands show which yaku they have."""
        if not any(self._values):
            return frame
        values, events = iter(self._values), list(frame.events)
        for index, event in enumerate(events):
            if isinstance(event, Win) and (value := next(values)) is not None:
                events[index] = replace(event, score=score_of(value, event, frame))
        return replace(frame, events=tuple(events))

    def _player(self, line: At, key: str = "actor") -> int:
        player = line.value.get(key)
        if type(player) is int and 0 <= player < self._players:  # nearly always
            return player
        return line.member(key).player(self._players)

    # --- draws, discards, riichi and dora ----------------------------------------------------------------------------

    def tsumo(self, line: At) -> None:
        player, tile = self._player(line), _tile_of(line, "pai")
        self.come.append(tile)
        self.builder.draw(player, tile)

    def dahai(self, line: At) -> None:
        player, tile, flag = self._player(line), _tile_of(line, "pai"), line.get("tsumogiri")
        tsumogiri = optional(flag, At.flag)
        if tsumogiri is None and self.builder.must_be_drawn(player, tile):
            tsumogiri = True
        try:
            self.builder.discard(player, tile, tsumogiri)
        except NotDrawnError as error:
            reason: str | Message = Message("{player} has not drawn a tile", player=Who(player))
            if error.drawn is not None:
                reason = f"tsumogiri of {label(tile)}; {label(error.drawn)} expected from the draw"
            raise (flag or line).wrong(reason) from None

    def reach(self, line: At) -> None:
        self.builder.declare_riichi(self._player(line))

    def reach_accepted(self, line: At) -> None:
        self.accept(self._player(line), _points(line, self._players, "scores"))

    def accept(self, player: int, points: tuple[int, ...] | None = None) -> None:
        """Accept the riichi of *player*.

        :param points: the points by player after it, if recorded.
        """
        builder, is_first = self.builder, player not in self._accepted
        self._accepted.add(player)
        if not is_first or not (builder.accept_riichi(player, points) or player in builder.riichi):
            builder.events.append(RiichiAccepted(player, points))  # impossible, as the replay says
        if points is not None:
            self._begin_with(points, None)

    def dora(self, line: At) -> None:
        indicator = _tile(line.member("dora_marker"))
        self.come.append(indicator)
        self.builder.dora(indicator)

    # --- calls and kans ----------------------------------------------------------------------------------------------

    def called(self, line: At) -> None:
        (make, count), player, taken = _CALLS[line.value["type"]], self._player(line), _tile_of(line, "pai")
        source = self._target(line, player)
        self._add(line, make(player, taken, tuple(sorted(_tiles_of(line, "consumed", count))), source))

    def _add(self, line: At, meld: Shaped) -> None:
        self.builder.meld(shaped(meld, line.get("consumed") or line))

    def _target(self, line: At, player: int) -> int:
        """Return the player whose tile *player* calls."""
        exposed = self.builder.exposed
        if exposed is not None and line.value.get("target") is None:
            return exposed.player
        source = self._player(line, "target")
        if self._players < SEATS and exposed is not None and source not in (player, exposed.player):
            # jansou counts around four seats
            kind = line.value["type"]
            self._notice(f"target of a {kind} ignored: another of the three players discarded the tile")
            return exposed.player
        return source

    def ankan(self, line: At) -> None:
        self._add(line, Ankan(self._player(line), tuple(sorted(_tiles_of(line, "consumed", 4)))))

    def kakan(self, line: At) -> None:
        player, added = self._player(line), line.member("pai")
        tile = _tile(added)
        consumed = optional(line.get("consumed"), lambda consumed: _tiles(consumed, (3, 1)))
        pon = extended_pon(self.builder.melds[player], consumed or (tile,))
        if pon is None:
            raise added.wrong(Message("{player} has no pon to add the tile to", player=Who(player)))
        self._add(line, Kakan(player, tile, pon))

    def kita(self, line: At) -> None:
        tile = optional(line.get("pai"), _tile)
        self.builder.meld(Kita(self._player(line), _NORTH if tile is None else tile))

    # --- wins --------------------------------------------------------------------------------------------------------

    def hora(self, line: At) -> None:
        builder = self.builder
        changes = self._changes_of_win(line)
        player = self._player(line) if line.get("actor") is not None else self._winner(line, changes)
        source = self._source(line, player)
        tile = self._winning_tile(line, source)
        ura = optional(
            line.get("ura_markers", "uradora_markers", "uradora_marker", "ura_dora_markers"),
            lambda ura: _tiles(ura, _UP_TO_FIVE),
        )
        pao = optional(line.get("pao"), lambda pao: (pao.player(self._players),)) or ()
        hand = optional(line.get("hora_tehais"), lambda hand: _tiles(hand, _CLOSED))
        if hand is not None:
            closed = DEALT - _MELD * sum(not isinstance(meld, Kita) for meld in builder.melds[player])
            if closed <= len(hand) <= closed + 1:  # some show the winning tile too
                self.builder.revealed[player] = (*hand, tile)[: closed + 1]
        self._values.append(self._value(line, player, changes))
        self._worth.append("/deltas" if line.value.get("hora_points") is None else "/hora_points")
        shown = ura if ura and player in builder.riichi else ()
        builder.win(Win(player, source, tile, pao=pao, ura=shown, changes=changes))

    def _winner(self, line: At, changes: tuple[int, ...] | None) -> int:
        """Return the player who wins, if only the payments show it: the only one who gains."""
        gaining = [player for player, change in enumerate(changes or ()) if change > 0]
        return gaining[0] if len(gaining) == 1 else self._player(line)

    def _source(self, line: At, player: int) -> int | None:
        """Return the player who is ronned; ``None`` for a tsumo."""
        if line.value.get("target") is not None:
            source = self._player(line, "target")
            return None if source == player else source
        exposed = self.builder.exposed
        return None if exposed is None else exposed.player

    def _winning_tile(self, line: At, source: int | None) -> int:
        builder, known = self.builder, line.value.get("pai") is not None
        tile = _tile_of(line, "pai") if known else UNKNOWN
        played = builder.drawn if source is None else builder.winning_tile if builder.exposed else None
        if played is None or (source is None and played == UNKNOWN):
            return tile
        if known and played != UNKNOWN != tile != played:
            step = "draw" if source is None else "discard"
            raise line.member("pai").wrong(f"the tile is {label(tile)}; {label(played)} expected from the {step}")
        return played

    def _changes_of_win(self, line: At) -> tuple[int, ...] | None:
        """Return the payments of a win, if known: its own, even if each of several wins has the sum."""
        events = self.builder.events
        changes, last = self._changes(line, self.builder.pending_riichi), events[-1] if events else None
        if changes is None or not isinstance(last, Win) or changes != (self._sum or last.changes):
            return changes
        if sum(change > 0 for change in changes) <= 1 or sum(change < 0 for change in changes) != 1:
            return changes
        if self._sum is None:
            self._notice("the sum of the payments, repeated for each of several wins, is counted once")
            self._sum, events[-1] = changes, replace(last, changes=self._share(changes, last.player))
        player = self._player(line)
        return self._share(changes, player) if changes[player] > 0 else changes

    def _share(self, total: tuple[int, ...], winner: int) -> tuple[int, ...]:
        """Return the part of the payments *total* of several wins that is for the *winner*; the sticks are the nearest
        winner's."""
        source = total.index(min(total))
        winners = [player for player, change in enumerate(total) if change > 0]
        nearest = min(winners, key=lambda player: (player - source) % self._players)
        share = [0] * self._players
        share[winner] = total[winner]
        share[source] = (sum(total) if winner == nearest else 0) - total[winner]
        return tuple(share)

    def _changes(self, line: At, unpaid: int | None) -> tuple[int, ...] | None:
        """Return the payments: as recorded, otherwise from the points after them.

        :param unpaid: the player with a riichi that is not accepted.
        """
        changes = _points(line, self._players, "deltas", "delta")
        self.after = after = _points(line, self._players, "scores")
        if after is not None and changes is not None:
            self._begin_with(tuple(map(sub, after, changes)), unpaid)
        before = None if after is None else self._points_now(unpaid)
        if after is None or before is None:
            return changes
        if changes is None:
            return tuple(map(sub, after, before))
        if (expected := tuple(map(add, before, changes))) != after:
            said = f"the points are {Points(after)}; {Points(expected)} expected from the payments"
            raise line.member("scores").wrong(said)
        return changes

    def _begin_with(self, points: tuple[int, ...], unpaid: int | None) -> None:
        """Work out the points at the start, if they are not recorded, from the *points* at this place of the frame.

        :param unpaid: the player with a riichi that is not accepted.
        """
        if self.builder.start.points is None and (moved := self._moved(unpaid)) is not None:
            self.builder.start = replace(self.builder.start, points=tuple(map(sub, points, moved)))

    def _moved(self, unpaid: int | None) -> tuple[int, ...] | None:
        """Return by player what riichi and endings so far have changed; ``None`` if a payment is unknown."""
        ended = [event.changes for event in self.builder.events if isinstance(event, Ending)]
        riichi = self.builder.riichi
        paid = [-STICK * (player in riichi and player != unpaid) for player in range(self._players)]
        return None if None in ended else tuple(map(sum, zip(paid, *filter(None, ended), strict=True)))

    def points_after(self) -> tuple[int, ...] | None:
        """Return the points after the frame: as recorded, otherwise from those at its start and the payments."""
        if self.after is not None:
            return self.after
        is_ended = any(isinstance(event, Ending) for event in self.builder.events)
        return self._points_now(None) if is_ended else None

    def _points_now(self, unpaid: int | None) -> tuple[int, ...] | None:
        """Return the points at this place of the frame, if known."""
        points, moved = self.builder.start.points, self._moved(unpaid)
        return None if points is None or moved is None else tuple(map(add, points, moved))

    def _value(self, line: At, player: int, changes: tuple[int, ...] | None) -> Value | None:
        """Return the value of a win, as far as it is recorded."""
        fan, points, yaku = line.get("fan", "han"), line.get("hora_points"), yaku_of(line, self._notice)
        if points is None and fan is None and not yaku:
            return None
        honba = 0 if self._values else _HUNDRED * (self._players - 1) * self.builder.start.honba
        paid = None if changes is None else changes[player] - sum(changes)  # without the sticks
        worth = paid if points is None else points.points()
        if points is not None and worth is not None and worth < 0:
            raise points.expected("points of a win, 0 or more")
        if worth is None:
            self._notice("fu, han and yaku without hora_points ignored")
            return None
        if honba and worth == paid:
            worth -= honba
            if points is not None:  # RiichiEnv's converters count them in
                self._notice("honba in hora_points taken off")
        if worth <= 0:
            return None
        value = Value(worth, optional(line.get("fu"), At.count), optional(fan, At.count), yaku)
        report_unknown(yaku, self._notice)
        return value

    # --- draws -------------------------------------------------------------------------------------------------------

    def ryukyoku(self, line: At) -> None:
        builder, kind = self.builder, self._kind(line)
        self._unnamed = self._unnamed or kind is None
        unpaid = builder.pending_riichi if kind in (None, DrawKind.TRIPLE_RON) else None
        if kind is None and unpaid is not None and self._shows_stick(line, unpaid):
            builder.accept_riichi(unpaid)
            unpaid = None
        draw = Ryuukyoku(kind, changes=self._changes(line, unpaid))
        self._reveal(line, kind)
        if kind is None and (unpaid is not None or builder.replacement is not None):
            self._undecided = draw
        else:
            builder.draw_game(draw)

    def _shows_stick(self, line: At, unpaid: int) -> bool:
        """Return whether the points after a draw show that the riichi of the last tile was paid for: one stick less."""
        before, after = self._points_now(unpaid), _points(line, self._players, "scores")
        return before is not None and after is not None and sum(after) == sum(before) - STICK

    def _kind(self, line: At) -> DrawKind | None:
        """Return the kind of a draw, if recorded."""
        word = optional(line.get("reason"), At.text)
        kind = draw_kind(word) if word else None
        if word and kind is None:
            self._notice(f"unknown reason for a draw {quoted(word)} ignored")
        return kind

    def _reveal(self, line: At, kind: DrawKind | None) -> None:
        """Note the hands shown, and whether they are shown: those in tenpai, and that with nine terminals. A hand with
        hidden tiles is not shown.

        jansou writes no tiles: an empty list for a tenpai hand, ``null`` for another.
        """
        self.builder.shown, tehais = self._tenpai(line), line.get("tehais")
        hands = [] if tehais is None else list(tehais.items("a list of hands"))
        if tehais is None or not hands:
            return
        if len(hands) < self._players:
            raise tehais.wrong(f"{len(hands)} hands; {self._players} expected")
        hands = hands[: self._players]
        shown = [hand.value is not None for hand in hands]
        if any(hand.value for hand in hands):
            read = [_tiles(hand, _CLOSED) if is_shown else () for hand, is_shown in zip(hands, shown, strict=True)]
            revealed = {player: tiles for player, tiles in enumerate(read) if tiles and UNKNOWN not in tiles}
            self.builder.revealed |= {player: tuple(sorted(tiles)) for player, tiles in revealed.items()}
            shown = [player in revealed for player in range(self._players)]
            if self.builder.shown is not None:
                nine = kind is DrawKind.NINE_TERMINALS
                shown = [tenpai or (nine and hand) for tenpai, hand in zip(self.builder.shown, shown, strict=True)]
            self.builder.shown = tuple(shown)
        elif self.builder.shown is None and len({*shown}) > 1:
            self.builder.shown = tuple(shown)

    def _tenpai(self, line: At) -> tuple[bool, ...] | None:
        tenpais = line.get("tenpais")
        if tenpais is None:
            return None
        flags = tenpais.list("a list of flags")
        if len(flags) < self._players or any(type(flag) is not bool for flag in flags):
            raise tenpais.wrong(f"expected true or false for each of {self._players} players")
        return tuple(flags[: self._players])


HANDLERS: Final[Mapping[str, Callable[[_Frame, At], None]]] = {
    "tsumo": _Frame.tsumo,
    "dahai": _Frame.dahai,
    **dict.fromkeys(_CALLS, _Frame.called),
    "kakan": _Frame.kakan,
    "ankan": _Frame.ankan,
    "nukidora": _Frame.kita,
    "kita": _Frame.kita,
    "reach": _Frame.reach,
    "reach_accepted": _Frame.reach_accepted,
    "dora": _Frame.dora,
    "hora": _Frame.hora,
    "ryukyoku": _Frame.ryukyoku,
}
"""The reader of each event of a frame, by type."""

_HUNDRED = 100
