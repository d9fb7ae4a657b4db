"""Dora indicators: the ten dora that they show, and when they were turned where a record does not say.

jmjp keeps the ten dora of a frame and drops the rest: the first indicator, when each further one was turned, and which
ura dora a winner saw. tenhou6 keeps the indicators, but not when they were turned. Tenhou turns an indicator (sources:
``docs/design/mjlog-traps.md`` 6 and 7, and the real logs):

- for an ankan: at once, before the replacement tile is drawn;
- for a kakan or daiminkan: before the next discard, or right after the next kan is declared;
- for a robbed kan, a kan with a winning replacement tile, and a kita: never.

Some tables turn it at once for every kan. A frame is taken to be from such a table if it shows more dora than Tenhou's
usual timing would have turned.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Final

from jmjp_convert.errors import PlayError
from jmjp_convert.model import DORA, Ankan, Discard, DoraRevealed, Event, Frame, Rules, Win, in_riichi
from jmjp_convert.model.events import ENDINGS, KANS, PRESENCES
from jmjp_convert.model.record import replace
from jmjp_convert.model.tiles import UNKNOWN, all_dora, faces, indicators
from jmjp_convert.play.table import replay

_ANKAN: Final = frozenset((Ankan,))


def ten_dora(indicators: tuple[int, ...], ura: tuple[int, ...], players: int) -> tuple[int, ...]:
    """Return the ten dora of a frame, in the order of ``Frame.dora``, as far as the *indicators* and the *ura* dora
    indicators show them."""
    ten = [UNKNOWN] * DORA
    ten[: 2 * len(indicators) : 2] = indicators
    ten[1 : 2 * len(ura) : 2] = ura
    return all_dora(ten, players)


def with_indicators(frame: Frame, rules: Rules) -> Frame:
    """Return *frame* with the indicators that a log would show: the first, further ones where they were turned, and the
    ura dora indicators of the winners in riichi.

    Those that follow from the dora are unspecified copies of the plain face, as long as one is unseen: the indicator of
    a six may have been a red five. Nothing is added for what is unknown. Thinking times are left out where events are
    added.

    :param frame: returned unchanged if it has its indicators, or no dora.
    :param rules: the rules of its match.
    """
    start = frame.start
    if start.kan_indicators:
        events = _with_turned(frame.events, start.kan_indicators)
        return replace(frame, start=replace(start, kan_indicators=()), events=tuple(events), thinking=())
    if start.indicator is not None or frame.dora is None:
        return frame
    unseen = _unseen_fives(frame, rules)
    dora_indicators, ura_indicators = (
        [_indicator(tile, rules, unseen) for tile in frame.dora[first::2]] for first in (0, 1)
    )
    indices = _indices(frame.events, dora_indicators[1:])
    turned = 1 + len(indices)
    ura = tuple(indicator for indicator in ura_indicators[:turned] if indicator is not None)
    events = _with_ura(frame.events, () if None in dora_indicators[:turned] or len(ura) < turned else ura)
    _turn(events, indices, dora_indicators[1:])
    return replace(frame, start=replace(start, indicator=dora_indicators[0]), events=tuple(events), thinking=())


def _with_turned(events: Sequence[Event], recorded: Sequence[int]) -> list[Event]:
    """Return *events* with all of the *recorded* kan indicators, each turned before the end of the frame."""
    indices = [*_turned(events, _ANKAN)]
    if len(indices) < len(recorded):
        indices = [*_turned(events, KANS)]
    end = next((index for index, event in enumerate(events) if type(event) in ENDINGS), len(events))
    completed = [*events]
    _turn(completed, [*indices, *[end] * len(recorded)], recorded)
    return completed


def _turn(events: list[Event], indices: Sequence[int], recorded: Sequence[int | None]) -> None:
    """Insert the turning of each of the *recorded* indicators before the event at its index, where it is known."""
    for index, indicator in reversed([*zip(indices, recorded, strict=False)]):
        if indicator is not None:
            events.insert(index, DoraRevealed(indicator))


def _unseen_fives(frame: Frame, rules: Rules) -> Counter[str]:
    """Return how many copies of each face nobody saw, if an indicator of *frame* is a five; nothing if its play, which
    is recorded, is impossible."""
    fives = [tile for tile in frame.dora or () if len(indicators(tile, rules.players)) > 1]
    if not fives or not frame.start.hands:
        return Counter()
    names = faces(rules.red_fives)
    played = [event for event in frame.events if type(event) not in ENDINGS]
    try:
        return Counter(map(names.__getitem__, replay(frame.start, played, rules).left_in_wall()))
    except PlayError:
        return Counter()


def _indicator(tile: int, rules: Rules, unseen: Counter[str]) -> int | None:
    """Return the indicator of the dora *tile*, if known, and count it as seen: a plain five if one is unseen."""
    possible = indicators(tile, rules.players)
    if len(possible) == 1 or not possible:
        return next(iter(possible), None)
    names = faces(rules.red_fives)
    indicator = next((candidate for candidate in possible if unseen[names[candidate]] > 0), possible[0])
    unseen[names[indicator]] -= 1
    return indicator


def _indices(events: Sequence[Event], recorded: Sequence[int | None]) -> list[int]:
    """Return the indices of the events before which kan indicators are turned; *recorded* has the
    recorded indicators."""
    indices = [*_turned(events, _ANKAN)]
    if len(indices) < len(recorded) - recorded.count(None) < len(recorded):
        indices = [*_turned(events, KANS)]
    return indices[: len(recorded)]


def _turned(events: Sequence[Event], at_once: frozenset[type]) -> Iterator[int]:
    """Yield the indices of the events before which an indicator is turned, if *at_once* are the kans that turn it at
    once."""
    owed = False
    for index, event in enumerate(events):
        kind = type(event)
        if kind is Discard:
            if owed:
                yield index
            owed = False
        elif kind in KANS:
            if owed:
                yield index + 1
            owed = kind not in at_once
            if not owed and _stands(events[index + 1 :]):
                yield index + 1


def _stands(after: Sequence[Event]) -> bool:
    """Return whether a kan stands unrobbed, judging by the events *after* it."""
    following = (type(event) for event in after if type(event) not in PRESENCES)
    return next(following, None) not in ENDINGS


def _with_ura(events: Sequence[Event], ura: tuple[int, ...]) -> list[Event]:
    """Return *events* with the *ura* dora indicators added to the wins of players in riichi."""
    riichi = in_riichi(events)
    return [replace(event, ura=ura) if isinstance(event, Win) and event.player in riichi else event for event in events]
