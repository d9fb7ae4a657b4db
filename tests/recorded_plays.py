"""A match in the plain values of what an mjlog records of it, and such values without what others lack."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator

from recorded import RIICHI, Entry, Recorded, Worth

from jmjp_convert.model import (
    TO_THE_LAST,
    Ankan,
    Chi,
    Daiminkan,
    Discard,
    DoraRevealed,
    Draw,
    Event,
    Frame,
    Kakan,
    Kita,
    Match,
    Pon,
    RiichiAccepted,
    RiichiDeclared,
    Rules,
    Ryuukyoku,
    Win,
)
from jmjp_convert.model.tiles import faces
from jmjp_convert.play.dora_indicators import with_indicators


def plays(match: Match) -> tuple[Recorded, ...]:
    """Return the frames of *match* as an mjlog would record them."""
    return tuple(_recorded(frame, match.rules) for frame in match.frames)


def _recorded(frame: Frame, rules: Rules) -> Recorded:
    known, names = with_indicators(frame, rules), faces(rules.red_fives)
    start = known.start
    assert start.sticks is not None
    assert start.points is not None
    assert start.indicator is not None
    revealed = [event.indicator for event in known.events if isinstance(event, DoraRevealed)]
    ura = next((event.ura for event in known.events if isinstance(event, Win) and event.ura), ())
    entries, turned = _Plays(rules).of(frame)
    return Recorded(
        (start.round, start.honba, start.sticks),
        start.points,
        tuple(tuple(sorted(names[tile] for tile in hand)) for hand in start.hands),
        tuple(names[tile] for tile in (start.indicator, *revealed)),
        turned,
        tuple(names[tile] for tile in ura),
        entries,
        frame.end.points,
    )


class _Plays:
    """The entries of a frame."""

    def __init__(self, rules: Rules) -> None:
        self._names = faces(rules.red_fives)

    def of(self, frame: Frame) -> tuple[tuple[Entry, ...], tuple[int, ...]]:
        """Return the entries of *frame*, of which a fourteenth tile is one, and after how many of them that move tiles
        each further dora was turned."""
        dealt = frame.start.fourteenth
        entries: list[Entry] = [] if dealt is None else [("draw", frame.start.dealer, self._names[dealt])]
        turned = []
        for event in frame.events:
            if isinstance(event, DoraRevealed):
                turned.append(sum(entry[0] not in RIICHI for entry in entries))
            entries += self._entries(event)
        return tuple(entries), tuple(turned)

    def _entries(self, event: Event) -> Iterator[Entry]:
        """Yield the entry of an event, if it has one."""
        if isinstance(event, Draw):
            yield "draw", event.player, self._names[event.tile]
        elif isinstance(event, Discard):
            yield "discard", event.player, self._names[event.tile], event.tsumogiri
        elif isinstance(event, RiichiDeclared | RiichiAccepted):
            yield RIICHI[isinstance(event, RiichiAccepted)], event.player
        elif isinstance(event, Chi | Pon | Daiminkan):
            taken, hand = self._names[event.taken], self._sorted(event.hand)
            yield type(event).__name__.lower(), event.player, taken, hand, event.source
        elif isinstance(event, Kakan | Kita):
            yield type(event).__name__.lower(), event.player, self._names[event.tile]
        elif isinstance(event, Ankan):
            yield "ankan", event.player, self._sorted(event.tiles)
        elif isinstance(event, Win):
            tile = self._names[event.tile]
            yield "win", event.player, event.source, tile, _worth(event), event.pao, event.changes
        elif isinstance(event, Ryuukyoku):
            in_tenpai = None
            if event.kind in TO_THE_LAST and event.shown is not None:
                in_tenpai = tuple(hand is not None for hand in event.shown)
            yield "drawn", event.kind and event.kind.name, in_tenpai, event.changes

    def _sorted(self, tiles: Iterable[int]) -> tuple[str, ...]:
        return tuple(sorted(self._names[tile] for tile in tiles))


def _worth(win: Win) -> Worth | None:
    score = win.score
    if score is None:
        return None
    yaku = tuple(sorted((each.number, each.han) for each in score.yaku if each.han != 0 and each.number is not None))
    return Worth(score.points, None if score.yakuman else score.fu, score.han, yaku)


def with_endings(frame: Recorded, changed: Callable[[Entry], Entry]) -> Recorded:
    """Return *frame* with its endings *changed*."""
    ending = frozenset(("win", "drawn"))
    return frame._replace(entries=tuple(changed(entry) if entry[0] in ending else entry for entry in frame.entries))


def only_sums(frame: Recorded) -> Recorded:
    """Return *frame* without what each of several winners was paid."""
    wins = [entry for entry in frame.entries if entry[0] == "win"]
    return with_endings(frame, lambda entry: (*entry[:-1], None)) if len(wins) > 1 else frame
