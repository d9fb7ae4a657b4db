"""Works out dora indicators for a frame that records only the dora.

jmjp keeps the ten dora of a frame and drops the rest: the first indicator, when each further one was turned, which ura
dora a winner saw. Tenhou turns an indicator (sources: ``mjlog-traps.md`` 6 and 7, and the real logs):

- for an ankan at once, before its replacement tile is drawn;
- for a kakan or daiminkan before the next discard, or right after the next kan is declared;
- for a kan that is robbed, for one whose replacement tile wins, and for a kita: never.

Some tables turn it at once for every kan: so they did if a frame shows more dora than Tenhou's way would have turned.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from jmjp_convert.model import (
    Ankan,
    Daiminkan,
    Discard,
    Disconnected,
    DoraRevealed,
    Event,
    Frame,
    Kakan,
    Returned,
    RiichiAccepted,
    Rules,
    Ryuukyoku,
    Win,
)
from jmjp_convert.model.tiles import indicators

_KANS = frozenset((Ankan, Kakan, Daiminkan))
_ANKAN = frozenset((Ankan,))
_PRESENCE = frozenset((Disconnected, Returned))
_ENDINGS = frozenset((Win, Ryuukyoku))


def with_indicators(frame: Frame, rules: Rules) -> Frame:
    """Return *frame* with what a log shows of the dora: the first indicator, the further ones where they were turned,
    and the ura dora indicators of the winners in riichi.

    They are of any copy of the plain face: what shows a six may have been a red five. What is not known stays so: no
    indicator, no event, no ura dora.

    :param frame: if it has its indicators, or no dora, it is returned as it is.
    :param rules: those of its match.
    """
    if frame.start.indicator is not None or frame.dora is None:
        return frame
    shown, below = ([_indicator(dora, rules) for dora in frame.dora[first::2]] for first in (0, 1))
    places = _places(frame.events, shown[1:])
    turned = 1 + len(places)
    ura = tuple(indicator for indicator in below[:turned] if indicator is not None)
    events = _with_ura(frame.events, () if None in shown[:turned] or len(ura) < turned else ura)
    for place, indicator in reversed([*zip(places, shown[1:], strict=False)]):
        if indicator is not None:
            events.insert(place, DoraRevealed(indicator))
    return replace(frame, start=replace(frame.start, indicator=shown[0]), events=tuple(events))


def _indicator(dora: int, rules: Rules) -> int | None:
    """Return what shows *dora*, if that is known."""
    return next(iter(indicators(dora, rules.players)), None)


def _places(events: Sequence[Event], shown: Sequence[int | None]) -> list[int]:
    """Return the events before which the indicators of kans are turned, of which those *shown* are recorded."""
    places = [*_turned(events, _ANKAN)]
    if len(places) < len(shown) - shown.count(None) < len(shown):
        places = [*_turned(events, _KANS)]
    return places[: len(shown)]


def _turned(events: Sequence[Event], at_once: frozenset[type]) -> Iterator[int]:
    """Yield the events before which an indicator is turned, if some kinds of kan turn theirs *at once*."""
    owed = False
    for place, event in enumerate(events):
        kind = type(event)
        if kind is Discard:
            if owed:
                yield place
            owed = False
        elif kind in _KANS:
            if owed:
                yield place + 1
            owed = kind not in at_once
            if not owed and _stands(events[place + 1 :]):
                yield place + 1


def _stands(after: Sequence[Event]) -> bool:
    """Return whether a kan is not robbed, by the events *after* it."""
    following = (type(event) for event in after if type(event) not in _PRESENCE)
    return next(following, None) not in _ENDINGS


def _with_ura(events: Sequence[Event], ura: tuple[int, ...]) -> list[Event]:
    """Return *events* with the *ura* dora indicators of the winners in riichi."""
    riichi = {event.player for event in events if isinstance(event, RiichiAccepted)}
    return [replace(event, ura=ura) if isinstance(event, Win) and event.player in riichi else event for event in events]
