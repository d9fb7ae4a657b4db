"""Infer dora indicators for a frame that records only the dora.

jmjp keeps the ten dora of a frame and drops the rest: the first indicator, when each further one was turned, and which
ura dora a winner saw. Tenhou turns an indicator (sources: ``docs/design/mjlog-traps.md`` 6 and 7, and the real logs):

- for an ankan: at once, before the replacement tile is drawn;
- for a kakan or daiminkan: before the next discard, or right after the next kan is declared;
- for a robbed kan, a kan whose replacement tile wins, and a kita: never.

Some tables turn it at once for every kan. A frame is taken to be from such a table if it shows more dora than Tenhou's
usual timing would have turned.
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
    """Return *frame* with the indicators that a log would show: the first, further ones where they were turned, and the
    ura dora indicators of the winners in riichi.

    They are unspecified copies of the plain face: the indicator of a six may have been a red five. Nothing is added for
    what is unknown.

    :param frame: returned unchanged if it has its indicators, or no dora.
    :param rules: the rules of its match.
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
    """Return the indicator of *dora*, if known."""
    return next(iter(indicators(dora, rules.players)), None)


def _places(events: Sequence[Event], shown: Sequence[int | None]) -> list[int]:
    """Return the indices of the events before which kan indicators are turned; *shown* are the recorded indicators."""
    places = [*_turned(events, _ANKAN)]
    if len(places) < len(shown) - shown.count(None) < len(shown):
        places = [*_turned(events, _KANS)]
    return places[: len(shown)]


def _turned(events: Sequence[Event], at_once: frozenset[type]) -> Iterator[int]:
    """Yield the indices of the events before which an indicator is turned, if *at_once* are the kans that turn it at
    once."""
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
    """Return whether a kan stands unrobbed, judging by the events *after* it."""
    following = (type(event) for event in after if type(event) not in _PRESENCE)
    return next(following, None) not in _ENDINGS


def _with_ura(events: Sequence[Event], ura: tuple[int, ...]) -> list[Event]:
    """Return *events* with the *ura* dora indicators added to the wins of players in riichi."""
    riichi = {event.player for event in events if isinstance(event, RiichiAccepted)}
    return [replace(event, ura=ura) if isinstance(event, Win) and event.player in riichi else event for event in events]
