"""Reduce a match to what a dialect can hold, and so to what must read back."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import chain
from typing import Any, NamedTuple

from jmjp_convert.formats.faces import after_discard, by_face
from jmjp_convert.formats.jmjp import comments
from jmjp_convert.formats.jmjp.dialects import DIALECTS, Dialect
from jmjp_convert.formats.jmjp.strings import held as held_string
from jmjp_convert.model import (
    DISCARDS,
    TO_THE_LAST,
    Ankan,
    Call,
    Discard,
    Draw,
    DrawKind,
    End,
    Ending,
    Event,
    Frame,
    Hand,
    Kakan,
    Match,
    Meld,
    Name,
    Player,
    Presence,
    Recorder,
    RiichiAccepted,
    RiichiDeclared,
    Rules,
    Ryuukyoku,
    Shuffle,
    Start,
    Text,
    Tournament,
    Win,
    tiles,
)
from jmjp_convert.model.events import ACCEPTED
from jmjp_convert.model.record import replace
from jmjp_convert.play.outcome_text import describe
from jmjp_convert.play.points import changes_of
from jmjp_convert.play.told_outcome import shown_by, tells, told_score, with_told


def held(match: Match, *, spec: str, compact: bool) -> Match:
    """Return *match* as it reads back from its text in the dialect *spec*.

    Every dialect keeps only the face of a tile, and drops when a dora was turned, the seed of the walls, each winner's
    payments where several win, and the points before uma and oka. The value of a win, pao, the kind of a draw and the
    hands of those who were tenpai are kept as far as the frame's text tells them; a recorder's own text does not. What
    comments hold is kept if there are comments.
    """
    return _Holder(match, DIALECTS[spec], with_comments=DIALECTS[spec].comments and not compact).match()


class _Telling(NamedTuple):
    """What the held events of a *frame* depend on: the hands at the end, if the frame's text tells its outcome; the
    number of its *endings*; who has *paid* for a riichi so far; and the events to come *after* the rest."""

    frame: Frame
    lying: Sequence[Hand] | None
    endings: int
    paid: list[int]
    after: list[Event]


class _Holder:
    """A match being reduced to what a dialect holds."""

    def __init__(self, match: Match, dialect: Dialect, *, with_comments: bool) -> None:
        self._match = match
        self._dialect = dialect
        self._comments = with_comments
        self._faces = by_face(red_fives=match.rules.red_fives)
        self._any = self._faces.any

    def match(self) -> Match:
        """Return the reduced match."""
        game = self._match
        point_rule = game.point_rule
        if point_rule is not None and not self._dialect.tenpai:
            point_rule = replace(point_rule, tenpai=None)
        frames = tuple(map(self._frame, game.frames))
        return replace(
            game,
            rules=self._rules(frames),
            players=tuple(map(self._player, game.players)),
            frames=frames,
            id=self._in_comment(game.id),
            source=self._in_comment(game.source),
            tournament=self._tournament(game.tournament),
            place=self._text(game.place),
            recorders=tuple(Recorder(self._name(recorder.full_name), recorder.frames) for recorder in game.recorders),
            shuffle=self._in_comment(game.shuffle and Shuffle(game.shuffle.form)),
            point_rule=point_rule,
            before=self._in_comment(game.before) or (),
            final_points=None,
            chips=self._in_comment(game.chips),
            ratio=self._in_comment(game.ratio),
        )

    def _in_comment(self, value: Any) -> Any:
        """Return *value*, which only a comment can hold, if there are comments."""
        return value if self._comments else None

    def _rules(self, frames: Iterable[Frame]) -> Rules:
        """Return the rules that the comment above the match gives, otherwise what the tiles show of them."""
        if self._comments and comments.has_head(self._match):
            return replace(self._match.rules, custom=comments.custom(self._match.rules))
        red = {tiles.any_copy(face) for face in tiles.RED_FIVES.values()}
        seen = any(not red.isdisjoint(_tiles(frame)) for frame in frames)
        return Rules(red_fives=True if seen else None)

    # --- texts -------------------------------------------------------------------------------------------------------

    def _string(self, string: str | None) -> str | None:
        return None if string is None else held_string(string, self._dialect)

    def _text(self, text: Text | None) -> Text | None:
        """Return the held part of a text, ``None`` for one in neither script."""
        if text is None or (text.native is None and text.roman is None):
            return None
        native, roman = self._string(text.native), self._string(text.roman)
        return text if native is text.native and roman is text.roman else Text(native, roman)

    def _name(self, name: Name | None) -> Name | None:
        if name is None:
            return None
        family, given = self._text(name.family), self._text(name.given)
        return name if family is name.family and given is name.given else Name(family, given)

    def _tournament(self, tournament: Tournament | None) -> Tournament | None:
        if tournament is None:
            return None
        return replace(tournament, name=self._text(tournament.name), stage=self._text(tournament.stage))

    def _player(self, player: Player) -> Player:
        team, affiliation = self._text(player.team), self._text(player.affiliation)
        if not self._comments:
            name = self._name(player.full_name)
            return Player(name, team=team, affiliation=affiliation, tour_points=player.tour_points)
        name = self._name_in_comment(player.full_name)
        if name is player.full_name and team is player.team and affiliation is player.affiliation:
            return player
        return replace(player, team=team, affiliation=affiliation, full_name=name)

    def _name_in_comment(self, name: Name | None) -> Name | None:
        """Return a name whose native family name is unchanged, since the comment keeps it."""
        found = self._name(name)
        if name is found or name is None or found is None or name.family is None or found.family is None:
            return found
        return Name(Text(name.family.native, found.family.roman), found.given)

    # --- frames ------------------------------------------------------------------------------------------------------

    def _frame(self, frame: Frame) -> Frame:
        start, end = frame.start, frame.end
        described = describe(frame)
        # Our own words have no character that a dialect cannot hold.
        comment = (described if frame.comment is None else self._text(frame.comment)) or Text()
        dora = None if frame.dora is None else tuple(bytes(frame.dora).translate(self._any))
        lying = End(tuple(map(self._hand, end.hands)), end.points)
        if comment is described or comment == described:
            told = Frame(self._start(start), tuple(self._events(frame, lying.hands)), lying, dora, comment)
            if tells(comment, told, frame):
                return told
        return with_told(Frame(self._start(start), tuple(self._events(frame)), lying, dora, comment), comment)

    def _start(self, start: Start) -> Start:
        return Start(
            start.round,
            start.honba,
            start.sticks,
            start.dealer,
            start.dice if self._dialect.dice_total or not isinstance(start.dice, int) else None,
            start.points,
            tuple(map(self._faces.hand, start.hands)),
            chips=self._in_comment(start.chips),
            fourteenth=None if start.fourteenth is None else self._any[start.fourteenth],
        )

    def _hand(self, hand: Hand) -> Hand:
        drawn = None if hand.drawn is None else self._any[hand.drawn]
        melds = tuple(map(self._faces.meld, hand.melds)) if hand.melds else ()
        return Hand(self._faces.hand(hand.tiles), drawn, melds)

    # --- events ------------------------------------------------------------------------------------------------------

    def _events(self, frame: Frame, lying: Sequence[Hand] | None = None) -> list[Event]:
        """Return the held events of *frame* in the order in which they read back: a riichi is declared with its discard
        and accepted right after it, and disconnections and returns after the end come last.

        :param lying: the hands at the end, if the frame's text tells its outcome.
        """
        frame = _without_untold_draw(frame)
        telling = _Telling(frame, lying, len(frame.endings), [], [])
        events: list[Event] = []
        draws, after = self._faces.draws, self._faces.after
        drawn = _NOTHING if frame.start.fourteenth is None else frame.start.fourteenth
        declared: RiichiDeclared | None = None
        for event in frame.events:
            if type(event) is Draw:
                drawn = event.tile
                events.append(draws[event.player][drawn])
            elif type(event) is Discard:
                if declared is None:
                    events.append(DISCARDS[event.player][after[drawn][event.tile]])
                else:
                    events += declared, DISCARDS[event.player][self._riichi_tile(event.tile, drawn)]
                    declared = None
                drawn = _NOTHING
            elif type(event) is RiichiDeclared:
                declared = event
            else:
                self._add(event, events, telling)
        if not telling.endings:
            _leave_open(events)
        return events + telling.after

    def _add(self, event: Event, events: list[Event], telling: _Telling) -> None:
        """Append to *events* what is held of *event*, which is neither a draw, a discard nor a declared riichi."""
        if isinstance(event, Meld):
            events.append(self._faces.meld(event))
        elif isinstance(event, RiichiAccepted):
            telling.paid.append(event.player)
            events.insert(after_discard(events), ACCEPTED[event.player])
        elif isinstance(event, Ending):
            frame = telling.frame
            changes = changes_of(frame.start, frame.end, telling.paid) if telling.endings == 1 else None
            events.append(self._ending(event, changes, telling.lying))
        elif isinstance(event, Presence) and self._comments:
            (telling.after if events and isinstance(events[-1], Ending) else events).append(event)

    def _riichi_tile(self, tile: int, drawn: int) -> int:
        """Return what is held of the *tile* with which riichi is declared: another copy of the tile *drawn* only if a
        comment can say so."""
        named = not self._comments or tile == tiles.either_copy_of(drawn)
        return self._any[tile] if named else self._faces.after[drawn][tile]

    def _ending(self, event: Ending, changes: tuple[int, ...] | None, lying: Sequence[Hand] | None) -> Ending:
        chips = self._in_comment(event.chips)
        if isinstance(event, Win):
            chip_yaku = event.chip_yaku if chips else ()
            tile = self._any[event.tile]
            score, pao = (told_score(event.score), event.pao) if lying and event.score else (None, None)
            return Win(event.player, event.source, tile, score, pao, changes=changes, chips=chips, chip_yaku=chip_yaku)
        shown = None
        if lying and event.shown is not None and event.kind in TO_THE_LAST:
            shown = shown_by(lying, [player for player, hand in enumerate(event.shown) if hand is not None])
        kind = event.kind if lying or event.kind is DrawKind.TRIPLE_RON else None
        return Ryuukyoku(kind, shown, changes=changes, chips=chips if chips and any(chips) else None)


_NOTHING = tiles.IDS
"""Stands for the drawn tile when no tile has been drawn."""


def _without_untold_draw(frame: Frame) -> Frame:
    """Return *frame* without a draw that only points at its end would tell, which it does not have."""
    if frame.end.points is not None or not any(isinstance(event, Ryuukyoku) for event in frame.endings):
        return frame
    return replace(frame, events=tuple([event for event in frame.events if not isinstance(event, Ryuukyoku)]))


def _leave_open(events: list[Event]) -> None:
    """Remove from an unfinished frame a riichi acceptance that no later act confirms."""
    for index in range(len(events) - 1, -1, -1):
        if isinstance(events[index], RiichiAccepted):
            del events[index]
            return
        if not isinstance(events[index], Presence):
            return


def _tiles(frame: Frame) -> set[int]:
    """Return all tiles in a frame."""
    found = {*(frame.dora or ()), *chain.from_iterable(frame.start.hands), frame.start.fourteenth}
    for hand in frame.end.hands:
        found.update((*hand.tiles, hand.drawn))
        found.update(chain.from_iterable(map(_shown, hand.melds)))
    found.update(chain.from_iterable(map(_shown, frame.events)))
    return {tile for tile in found if tile is not None}


def _shown(event: Event) -> tuple[int, ...]:
    """Return the tiles of an event or a meld."""
    if isinstance(event, Draw | Discard):
        return (event.tile,)
    if isinstance(event, Call):
        return (event.taken, *event.hand)
    if isinstance(event, Kakan):
        return (event.tile, *_shown(event.pon))
    return event.tiles if isinstance(event, Ankan) else ()
