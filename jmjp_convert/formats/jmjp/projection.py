"""Reduce a match to what a dialect can hold, and so to what must read back."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from itertools import chain, zip_longest
from typing import Any, ClassVar

from jmjp_convert.formats.faces import ByFace, after_discard, by_face
from jmjp_convert.formats.jmjp import comments
from jmjp_convert.formats.jmjp.dialects import DIALECTS, Dialect
from jmjp_convert.formats.jmjp.strings import held as held_string
from jmjp_convert.model import (
    TO_THE_LAST,
    Ankan,
    Chi,
    Daiminkan,
    Discard,
    Disconnected,
    DoraRevealed,
    Draw,
    DrawKind,
    End,
    Event,
    Frame,
    Hand,
    Kakan,
    Kita,
    Match,
    Meld,
    Name,
    Player,
    Pon,
    Presence,
    Recorder,
    Returned,
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
from jmjp_convert.play.melds import tiles_of
from jmjp_convert.play.outcome_parser import gives_outcome, score_in_text, shown_by, with_outcome
from jmjp_convert.play.outcome_text import describe
from jmjp_convert.play.points import changes_of


def held(match: Match, *, spec: str, compact: bool) -> Match:
    """Return *match* as it reads back from its text in the dialect *spec*.

    Every dialect keeps only the face of a tile, and drops when a dora was turned, the seed of the walls, each winner's
    payments where several win, and the points before uma and oka. The value of a win, pao, the kind of a draw and the
    hands of those who were tenpai are kept as far as the frame's text tells them; a recorder's own text does not. What
    comments hold is kept if there are comments.
    """
    return _Holder(match, DIALECTS[spec], with_comments=DIALECTS[spec].comments and not compact).match()


class _Holder:
    """A match being reduced to what a dialect holds."""

    def __init__(self, match: Match, dialect: Dialect, *, with_comments: bool) -> None:
        self._match = match
        self._dialect = dialect
        self._comments = with_comments
        self._faces = by_face(red_fives=match.rules.red_fives)
        self._any = self._faces.any
        self._melds: dict[int, Meld] = {}

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
        start, end, endings = frame.start, frame.end, frame.endings
        described = describe(frame)
        # Our own words have no character that a dialect cannot hold.
        comment = (described if frame.comment is None else self._text(frame.comment)) or Text()
        dora = None if frame.dora is None else tuple(bytes(frame.dora).translate(self._any))
        lying = End(tuple(map(self._hand, end.hands)), end.points)
        if comment is described or comment == described:
            told = Frame(self._start(start), self._events(frame, len(endings), lying.hands), lying, dora, comment)
            if gives_outcome(comment, told, endings):
                return told
        return with_outcome(Frame(self._start(start), self._events(frame, len(endings)), lying, dora, comment), comment)

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
        melds = tuple(map(self._meld, hand.melds)) if hand.melds else ()
        return Hand(self._faces.hand(hand.tiles), drawn, melds)

    def _meld(self, meld: Meld) -> Meld:
        """Return what is held of *meld*, one object of the match that is both an event and in a hand at the end."""
        held = self._melds.get(id(meld))
        if held is None:
            held = self._melds[id(meld)] = self._faces.meld(meld)
        return held

    # --- events ------------------------------------------------------------------------------------------------------

    def _events(self, frame: Frame, endings: int, lying: Sequence[Hand] | None = None) -> tuple[Event, ...]:
        """Return the held events of *frame* in the order in which they read back: a riichi is declared with its discard
        and accepted right after it, and disconnections and returns after the end come last.

        :param endings: the number of wins and draws.
        :param lying: the hands at the end, if the frame's text tells its outcome.
        """
        return _Events(frame, endings, lying, self._faces, self._meld, with_comments=self._comments).all()


_NOTHING = tiles.IDS
"""Stands for the drawn tile when no tile has been drawn."""


class _Events:
    """The events of a frame being reduced.

    :ivar drawn: the tile drawn and not yet discarded.
    :ivar declared: the riichi whose tile has not yet been discarded.
    :ivar paid: the players who have paid for a riichi so far.
    :ivar ended: whether a win or a draw that is held has ended the frame.
    :ivar after: the disconnections and returns since then.
    """

    __slots__ = (
        *("_comments", "_endings", "_faces", "_frame", "_held_meld", "_lying"),
        *("after", "declared", "drawn", "ended", "events", "paid"),
    )

    def __init__(
        self,
        frame: Frame,
        endings: int,
        lying: Sequence[Hand] | None,
        faces: ByFace,
        meld: Callable[[Meld], Meld],
        *,
        with_comments: bool,
    ) -> None:
        self._frame = frame
        self._endings = endings
        self._lying = lying
        self._faces = faces
        self._held_meld = meld
        self._comments = with_comments
        self.events: list[Event] = []
        self.ended = False
        self.after: list[Event] = []
        self.paid: list[int] = []
        self.drawn = _NOTHING if frame.start.fourteenth is None else frame.start.fourteenth
        self.declared: RiichiDeclared | None = None

    def all(self) -> tuple[Event, ...]:
        """Return all that is held."""
        events, handlers = self.events, self._HANDLERS
        draws, discards, any_copy = self._faces.draws, self._faces.discards, self._faces.any
        rest = iter(self._frame.events)
        for draw, discard in zip_longest(rest, rest):
            # Most events are whole turns, two at a time; what comes between them ends where a turn can begin.
            if type(draw) is Draw and type(discard) is Discard:
                events.append(draws[draw.player][draw.tile])
                tsumogiri = discard.tsumogiri
                if not tsumogiri and any_copy[draw.tile] != any_copy[discard.tile]:
                    tsumogiri = None if draw.tile == tiles.UNKNOWN else False
                events.append(discards[tsumogiri][discard.player][discard.tile])
            else:
                handlers[type(draw)](self, draw)
                handlers[type(discard)](self, discard)
                while self.drawn != _NOTHING or self.declared is not None:
                    event = next(rest, None)
                    handlers[type(event)](self, event)
        if not self.ended:
            _leave_open(events)
        return (*events, *self.after)

    def _draw(self, draw: Draw) -> None:
        self.drawn = draw.tile
        self.events.append(self._faces.draws[draw.player][draw.tile])

    def _discard(self, discard: Discard) -> None:
        tsumogiri, any_copy = discard.tsumogiri, self._faces.any
        drawn = None if self.drawn == _NOTHING else any_copy[self.drawn]
        if not tsumogiri and drawn != any_copy[discard.tile]:
            tsumogiri = None if drawn == tiles.UNKNOWN else False
        if self.declared is not None:
            self.events.append(self.declared)
            self.declared = None
            # Only a comment can say that the riichi tile is another copy of the tile drawn.
            if drawn == any_copy[discard.tile] and (tsumogiri is None or not self._comments):
                tsumogiri = True
        self.events.append(self._faces.discards[tsumogiri][discard.player][discard.tile])
        self.drawn = _NOTHING

    def _meld(self, meld: Meld) -> None:
        self.events.append(self._held_meld(meld))

    def _declare(self, riichi: RiichiDeclared) -> None:
        self.declared = riichi

    def _accept(self, riichi: RiichiAccepted) -> None:
        self.paid.append(riichi.player)
        self.events.insert(after_discard(self.events), ACCEPTED[riichi.player])

    def _win(self, win: Win) -> None:
        self.ended = True
        chips = win.chips if self._comments else None
        chip_yaku = win.chip_yaku if chips else ()
        tile = self._faces.any[win.tile]
        score, pao = (score_in_text(win.score), win.pao) if self._lying and win.score else (None, None)
        changes = self._changes()
        self.events.append(
            Win(win.player, win.source, tile, score, pao, changes=changes, chips=chips, chip_yaku=chip_yaku)
        )

    def _ryuukyoku(self, draw: Ryuukyoku) -> None:
        if self._frame.end.points is None:
            return  # only they would tell that there is a draw
        self.ended = True
        lying, shown = self._lying, None
        if lying and draw.shown is not None and draw.kind in TO_THE_LAST:
            shown = shown_by(lying, [player for player, hand in enumerate(draw.shown) if hand is not None])
        kind = draw.kind if lying or draw.kind is DrawKind.TRIPLE_RON else None
        chips = draw.chips if self._comments and draw.chips and any(draw.chips) else None
        self.events.append(Ryuukyoku(kind, shown, changes=self._changes(), chips=chips))

    def _changes(self) -> tuple[int, ...] | None:
        """Return the payments at the end, which the points tell only of a single win or a draw."""
        return changes_of(self._frame.start, self._frame.end, self.paid) if self._endings == 1 else None

    def _presence(self, event: Presence) -> None:
        if self._comments:
            (self.after if self.ended else self.events).append(event)

    def _skip(self, _dora: DoraRevealed) -> None:
        """Skip what jmjp does not say: when a dora is turned."""

    def _no_more(self, _nothing: None) -> None:
        self.drawn, self.declared = _NOTHING, None

    _HANDLERS: ClassVar[dict[type, Callable[[_Events, Any], None]]] = {
        Draw: _draw,
        Discard: _discard,
        **dict.fromkeys((Chi, Pon, Daiminkan, Kakan, Ankan, Kita), _meld),
        RiichiDeclared: _declare,
        RiichiAccepted: _accept,
        DoraRevealed: _skip,
        Win: _win,
        Ryuukyoku: _ryuukyoku,
        Disconnected: _presence,
        Returned: _presence,
        type(None): _no_more,
    }


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
    return tiles_of(event) if isinstance(event, Meld) else ()
