"""Losses of the play: copies of tiles, tsumogiri, the order of events, dora, hidden tiles, disconnections."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import lru_cache
from operator import itemgetter
from typing import Any, Final, TypeVar, cast

from jmjp_convert.formats.losses.loss import Clears, FrameChange, by_record, put, with_events
from jmjp_convert.model import (
    DISCARDS,
    DRAWS,
    Ankan,
    Call,
    Discard,
    DoraRevealed,
    Draw,
    End,
    Event,
    Frame,
    Hand,
    Kakan,
    Kita,
    Match,
    Meld,
    Presence,
    Returned,
    RiichiAccepted,
    RiichiDeclared,
    Ryuukyoku,
    Start,
    Win,
    tiles,
)
from jmjp_convert.model.events import ACCEPTED, ENDINGS, KANS, MELDS, PRESENCES, STEPS
from jmjp_convert.model.record import changed, replace
from jmjp_convert.model.tiles import UNKNOWN, RedFives
from jmjp_convert.play.course import Course
from jmjp_convert.play.dora_indicators import ten_dora
from jmjp_convert.play.table import as_shown, replay

V = TypeVar("V", Event, Presence)

# --- copies of tiles -------------------------------------------------------------------------------------------------


class ByFace:
    """Tiles, hands and melds, known by face only."""

    __slots__ = ("any", "discards", "draws")

    def __init__(self, red_fives: RedFives | None) -> None:
        names = tiles.faces(red_fives)
        known = bytes(map(tiles.any_copy, names))
        self.any = known.ljust(256)  # by tile ID, the ID of any copy of its face, as a table for bytes.translate
        of_known = itemgetter(*known)
        self.draws = tuple(map(of_known, DRAWS))  # by player and tile ID, the draw of any copy
        # By whether they are tsumogiri, player and tile ID, the discard of any copy.
        self.discards = {tsumogiri: tuple(map(of_known, rows)) for tsumogiri, rows in DISCARDS.items()}

    def hand(self, ids: tuple[int, ...]) -> tuple[int, ...]:
        """Return the tiles *ids*, sorted."""
        named = [*bytes(ids).translate(self.any)]
        named.sort()
        return tuple(named)

    def meld(self, meld: Meld) -> Meld:
        """Return *meld*."""
        if isinstance(meld, Call):
            return type(meld)(meld.player, self.any[meld.taken], self.hand(meld.hand), meld.source)
        if isinstance(meld, Kakan):
            return Kakan(meld.player, self.any[meld.tile], self.meld(meld.pon))  # type: ignore[arg-type]
        if isinstance(meld, Kita):
            return Kita(meld.player, self.any[meld.tile])
        return Ankan(meld.player, self.hand(meld.tiles))

    def other(self, event: Event, cleared: dict[str, Any]) -> Event:
        """Return *event*, which is no draw, discard or meld.

        :param cleared: its fields that get a constant value.
        """
        if isinstance(event, Win):
            ura = tuple([self.any[tile] for tile in event.ura])
            return changed(event, {"tile": self.any[event.tile], "ura": ura, **cleared})
        if isinstance(event, Ryuukyoku):
            shown = event.shown and tuple([None if hand is None else self.hand(hand) for hand in event.shown])
            return changed(event, {"shown": shown, **cleared})
        if isinstance(event, DoraRevealed):
            return DoraRevealed(self.any[event.indicator])
        return put(event, **cleared) if cleared else event

    def tsumogiri(self, discard: Discard, drawn: int) -> bool | None:
        """Return whether *discard* is tsumogiri, as far as faces tell it; *drawn* is the tile just drawn."""
        if discard.tsumogiri or (drawn != _NONE and self.any[drawn] == self.any[discard.tile]):
            return discard.tsumogiri
        return None if drawn == UNKNOWN else False


@lru_cache
def by_face(red_fives: RedFives | None) -> ByFace:
    """Return the faces of games with so many *red_fives*."""
    return ByFace(red_fives)


def drop_copies(clears: Clears = ()) -> FrameChange:
    """Return a change to tiles known by face only, in no order of the deal.

    A discard of another face than the tile drawn is not tsumogiri; after a draw face down, it is or is not known to be.
    A riichi is accepted right after its tile; the points after it follow from the rest.

    :param clears: fields that get a constant value at the same time: a frame is replaced once.
    """
    values = by_record(clears)
    of_frame, of_start = values.get(Frame, {}), values.get(Start, {})

    def apply(frame: Frame, match: Match) -> Frame:
        faces = by_face(match.rules.red_fives)
        any_copy, start, end = faces.any, frame.start, frame.end
        events, melds = _by_face(frame, faces, values)
        hands = [
            Hand(
                faces.hand(hand.tiles),
                None if hand.drawn is None else any_copy[hand.drawn],
                hand.melds and tuple([melds.get(id(meld)) or faces.meld(meld) for meld in hand.melds]),
            )
            for hand in end.hands
        ]
        dealt: dict[str, Any] = {
            "hands": tuple([faces.hand(hand) for hand in start.hands]),
            "indicator": None if start.indicator is None else any_copy[start.indicator],
            "fourteenth": None if start.fourteenth is None else any_copy[start.fourteenth],
            "kan_indicators": tuple([any_copy[tile] for tile in start.kan_indicators]),
        }
        named: dict[str, Any] = {
            "start": changed(start, dealt | of_start),
            "events": tuple(events),
            "end": End(tuple(hands), end.points),
            "dora": frame.dora and tuple([any_copy[tile] for tile in frame.dora]),
        }
        return changed(frame, named | of_frame)

    return apply


_NONE: Final = -1
"""No tile drawn."""

_NOTHING: Final[dict[str, Any]] = {}


def _by_face(frame: Frame, faces: ByFace, cleared: dict[type, dict[str, Any]]) -> tuple[list[Event], dict[int, Meld]]:
    """Return the events of *frame*, and the melds among them by the identity of the original ones: the hands at the end
    have the same, as a rule.

    :param cleared: fields that get a constant value, by the type of their record.
    """
    draws, discards = faces.draws, faces.discards
    drawn = _NONE if frame.start.fourteenth is None else frame.start.fourteenth
    events, melds = list[Event](), dict[int, Meld]()
    for event in frame.events:
        if type(event) is Draw:
            drawn = event.tile
            events.append(draws[event.player][drawn])
        elif type(event) is Discard:
            tsumogiri = event.tsumogiri
            if tsumogiri is None or drawn == UNKNOWN:
                tsumogiri = faces.tsumogiri(event, drawn)
            events.append(discards[tsumogiri][event.player][event.tile])
            drawn = _NONE
        elif type(event) is RiichiAccepted:
            events.insert(after_discard(events), ACCEPTED[event.player])
        elif type(event) in MELDS:
            named = melds[id(event)] = faces.meld(cast("Meld", event))
            events.append(named)
            drawn = _NONE
        else:
            events.append(faces.other(event, cleared.get(type(event), _NOTHING)))
    return events, melds


def after_discard(events: Sequence[Event]) -> int:
    """Return the index after the last discard among *events*, which have one."""
    index = len(events)
    while type(events[index - 1]) is not Discard:
        index -= 1
    return index


# --- tsumogiri -------------------------------------------------------------------------------------------------------


def settle_tsumogiri(frame: Frame, _: Match) -> Frame:
    """Take a discard to be tsumogiri if it may be: it is the tile drawn, or that of a player in riichi. A tsumogiri
    shows the tile drawn, if that is known."""
    events: list[Event] | None = None
    course = Course(frame.start)
    for index, event in enumerate(course.along(frame.events)):
        if type(event) is not Discard:
            continue
        tsumogiri = course.is_tsumogiri(event)
        tile = course.drawn if tsumogiri and course.drawn not in (None, UNKNOWN) else event.tile
        if tsumogiri is not event.tsumogiri or tile != event.tile:
            events = events or [*frame.events]
            events[index] = DISCARDS[tsumogiri][event.player][tile]
    return frame if events is None else with_events(frame, events)


def may_be_tsumogiri(frame: Frame) -> bool:
    """Return whether *frame* does not record of a discard that is the tile drawn whether it is tsumogiri."""
    course = Course(frame.start)
    return any(
        type(event) is Discard and event.tsumogiri is None and event.tile == course.drawn
        for event in course.along(frame.events)
    )


_HIDDEN: Final = frozenset([id(row[UNKNOWN]) for row in DRAWS])
"""The draws face down, which are shared once copies are dropped."""


def take_from_hand(frame: Frame, _: Match) -> Frame:
    """Take a discard after a draw face down to be from the hand, unless it is tsumogiri."""
    if _HIDDEN.isdisjoint(map(id, frame.events)):
        return frame
    return with_events(
        frame,
        [
            DISCARDS[False][event.player][event.tile]
            if isinstance(event, Discard) and event.tsumogiri is None
            else event
            for event in frame.events
        ],
    )


def declare_with_discard(*, karagiri: bool) -> Callable[[Frame, Match], Frame]:
    """Return a change to riichi that are declared with their tile, and not at all without one (jmjp).

    :param karagiri: whether the tile may be recorded as another copy of the tile drawn.
    """

    def apply(frame: Frame, _: Match) -> Frame:
        events = [*frame.events]
        for declared in reversed([index for index, event in enumerate(events) if type(event) is RiichiDeclared]):
            index, riichi = declared, events.pop(declared)
            while index < len(events) and type(events[index]) is not Discard:
                index += 1
            if index < len(events):
                discard = cast("Discard", events[index])
                if not discard.tsumogiri and _may_be_drawn(frame, declared, discard, karagiri=karagiri):
                    events[index] = DISCARDS[True][discard.player][discard.tile]
                events.insert(index, riichi)
        return put(frame, events=tuple(events))

    return apply


def _may_be_drawn(frame: Frame, declared: int, discard: Discard, *, karagiri: bool) -> bool:
    """Return whether the riichi tile *discard*, declared at the index *declared*, may be the tile drawn."""
    if discard.tsumogiri is False and karagiri:
        return False
    before = next((event for event in reversed(frame.events[:declared]) if type(event) not in PRESENCES), None)
    drawn = frame.start.fourteenth if before is None else before.tile if isinstance(before, Draw) else None
    return drawn == discard.tile


_WITHOUT_A_STEP: Final = PRESENCES | {DoraRevealed}


def drop_unconfirmed_riichi(frame: Frame, _: Match) -> Frame:
    """Leave out of a frame that breaks off a riichi without its tile, and one that no later step shows accepted."""
    if frame.endings:
        return frame
    events = [*frame.events]
    if events and type(events[-1]) is RiichiDeclared:
        events.pop()
    for index in range(len(events) - 1, -1, -1):
        kind = type(events[index])
        if kind is RiichiAccepted:
            del events[index]
        if kind not in _WITHOUT_A_STEP:
            break
    return put(frame, events=tuple(events))


def drop_last_riichi(frame: Frame, _: Match) -> Frame:
    """Leave out of a frame that breaks off a riichi declared or accepted at the very end (tenhou6)."""
    events = frame.events
    if frame.endings or not events or type(events[-1]) not in (RiichiDeclared, RiichiAccepted):
        return frame
    return replace(frame, events=events[:-1])


# --- dora ------------------------------------------------------------------------------------------------------------


def drop_hidden_indicator(frame: Frame, _: Match) -> Frame:
    """Know no indicator rather than that it is an unknown tile."""
    return put(frame, start=put(frame.start, indicator=None)) if frame.start.indicator == UNKNOWN else frame


def drop_turns(frame: Frame, _: Match) -> Frame:
    """Keep the further indicators, but not when they were turned."""
    events = [event for event in frame.events if type(event) is not DoraRevealed]
    shown: tuple[int, ...] = ()
    if frame.start.indicator is not None:
        shown = tuple([event.indicator for event in frame.events if isinstance(event, DoraRevealed)])
    return replace(frame, start=put(frame.start, kan_indicators=shown), events=tuple(events))


def drop_hidden_dora(frame: Frame, match: Match) -> Frame:
    """Keep the dora that were turned, and the ura dora that a winner saw."""
    start = frame.start
    if start.indicator is None:
        return put(frame, dora=None)
    turned = [event.indicator for event in frame.events if isinstance(event, DoraRevealed)]
    ura = max((win.ura for win in frame.wins), key=len, default=())
    return put(frame, dora=ten_dora((start.indicator, *start.kan_indicators, *turned), ura, match.rules.players))


def turn_after_steps(frame: Frame, _: Match) -> Frame:
    """Have a dora turned where the steps show it: it is written after the next draw or discard, or before the next dora
    or the end, or right after a further kan, and reads back before a draw or discard right before it (majiang)."""
    written: list[Event] = []
    owed = 0  # the kans since the last discard whose dora has yet to be turned
    replacing = False  # the replacement tile of the last of them has yet to be drawn
    last: int | None = None  # the index of a draw or discard after which nothing is written so far
    turned: DoraRevealed | None = None
    for event in frame.events:
        kind = type(event)
        if turned is not None and kind in _BEFORE_WHICH:
            written.insert(len(written) if last is None else last, turned)
            turned = last = None
        if kind is DoraRevealed:
            at_once = replacing and owed > 1
            owed = max(owed - 1, 0)
            if not at_once:
                turned = cast("DoraRevealed", event)
                continue
        written.append(event)
        if kind is Draw or kind is Discard:
            owed, replacing = owed if kind is Draw else 0, False
            last = len(written) - 1
            if turned is not None:
                written.insert(last, turned)
                turned = last = None
        elif kind not in _WITH_DISCARDS:
            last = None
            owed, replacing = owed + (kind in KANS), replacing or kind in KANS
    if turned is not None:
        written.insert(len(written) if last is None else last, turned)
    return put(frame, events=tuple(written))


_BEFORE_WHICH: Final = ENDINGS | {DoraRevealed}
_WITH_DISCARDS: Final = frozenset((RiichiDeclared, RiichiAccepted))


# --- hidden tiles ----------------------------------------------------------------------------------------------------


def identify_draws(*, shown: bool) -> Callable[[Frame, Match], Frame]:
    """Return a change that names a tile drawn face down if it is discarded after riichi.

    :param shown: also if it is the last of a hand shown at a draw.
    """

    def apply(frame: Frame, _: Match) -> Frame:
        if _HIDDEN.isdisjoint(map(id, frame.events)):
            return frame
        events = [*frame.events]
        riichi: set[int] = set()
        for index, event in enumerate(events):
            if type(event) is RiichiAccepted:
                riichi.add(event.player)
            elif type(event) is Draw and event.tile == UNKNOWN:
                tile = _identified(event.player, events[index + 1 :], riichi, shown=shown)
                events[index] = DRAWS[event.player][tile]
        return put(frame, events=tuple(events))

    return apply


def _identified(player: int, after: Sequence[Event], riichi: set[int], *, shown: bool) -> int:
    """Return the tile that *player* draws, as far as the events *after* it show it."""
    then = next((event for event in after if type(event) is not DoraRevealed), None)
    if type(then) is Discard and player in riichi:
        return then.tile
    hand = then.shown[player] if shown and isinstance(then, Ryuukyoku) and then.shown else None
    return hand[-1] if hand else UNKNOWN


def draw_fourteenth(frame: Frame, _: Match) -> Frame:
    """Have the dealer draw the fourteenth tile of the deal."""
    start = frame.start
    if start.fourteenth is None:
        return frame
    draw = DRAWS[start.dealer][start.fourteenth]
    return replace(frame, start=replace(start, fourteenth=None), events=(draw, *frame.events))


def hides_tiles(frame: Frame) -> bool:
    """Return whether a tile of a hand is unknown when it is dealt or drawn, at the end, or when it is added to a
    pon."""
    if any(UNKNOWN in hand for hand in frame.start.hands) or not _HIDDEN.isdisjoint(map(id, frame.events)):
        return True
    hands = frame.end.hands
    if any(UNKNOWN in hand.tiles or hand.drawn == UNKNOWN for hand in hands):
        return True
    added = any(isinstance(meld, Kakan) for hand in hands for meld in hand.melds)
    return added and any(isinstance(event, Kakan) and event.tile == UNKNOWN for event in frame.events)


def hands_from_play(*, shown: bool) -> Callable[[Frame, Match], Frame]:
    """Return a change to hands at the end that are known as far as the play identifies their tiles.

    :param shown: or as the frame's endings show them.
    """

    def apply(frame: Frame, match: Match) -> Frame:
        if not hides_tiles(frame):
            return frame
        table = replay(frame.start, frame.events, match.rules)
        hands = table.known_hands()
        if shown:
            for player, closed in open_hands(frame).items():
                hands[player] = as_shown(hands[player], closed)
        return put(frame, end=put(frame.end, hands=tuple(hands)))

    return apply


def open_hands(frame: Frame) -> dict[int, tuple[int, ...]]:
    """Return by player the closed tiles, with the fourteenth, that the endings of *frame* show."""
    hands: dict[int, tuple[int, ...]] = {}
    for ending in frame.endings:
        if isinstance(ending, Win):
            hands[ending.player] = (*frame.end.hands[ending.player].tiles, ending.tile)
        else:
            hands |= {player: hand for player, hand in enumerate(ending.shown or ()) if hand}
    return hands


# --- disconnections --------------------------------------------------------------------------------------------------


def drop_presences(frame: Frame, _: Match) -> Frame:
    """Leave out disconnections and returns."""
    return replace(frame, events=tuple([event for event in frame.events if type(event) not in PRESENCES]))


def drop_other_name(event: V) -> V:
    """Return *event*; if a player returns, without the name that they had."""
    return replace(event, name=None) if isinstance(event, Returned) and event.name is not None else event


def presences_at_end(frame: Frame, _: Match) -> Frame:
    """Have disconnections and returns after the first win or draw come last (jmjp)."""
    events, after = list[Event](), list[Event]()
    ended = False
    for event in frame.events:
        ended = ended or type(event) in ENDINGS
        (after if ended and type(event) in PRESENCES else events).append(event)
    return put(frame, events=(*events, *after)) if after else frame


_LATE: Final = ENDINGS | {RiichiAccepted}


def presences_after_steps(frame: Frame, _: Match) -> Frame:
    """Have disconnections and returns come right after a step, or the riichi accepted there; after the last step of
    all, at the end (tenhou6)."""
    steps, marks = 0, list[tuple[int, Event]]()
    for event in frame.events:
        if type(event) in PRESENCES:
            marks.append((steps, drop_other_name(cast("Presence", event))))
        steps += type(event) in STEPS
    events: list[Event] = []
    steps = 0
    for event in frame.events:
        kind = type(event)
        if kind in PRESENCES:
            continue
        while kind not in _LATE and marks and marks[0][0] <= steps:
            events.append(marks.pop(0)[1])
        steps += kind in STEPS
        events.append(event)
    return put(frame, events=(*events, *(event for _, event in marks)))
