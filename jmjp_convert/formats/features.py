"""The table of what a match may hold but some formats cannot.

Each format lists the traits it holds; everything else in a match is left out and reported. What follows from the rest,
such as the points before a win or who is in riichi, is not a trait.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import NamedTuple

from jmjp_convert.formats.dora_indicators import with_indicators
from jmjp_convert.model import (
    Disconnected,
    DoraRevealed,
    Ending,
    Frame,
    Match,
    Player,
    Returned,
    Ryuukyoku,
    Text,
    Tournament,
    Win,
    dates,
    log_ids,
    tenhou,
)
from jmjp_convert.model.record import record
from jmjp_convert.model.tiles import PHYSICAL, UNKNOWN
from jmjp_convert.play.outcome_text import describe

Found = Callable[[Match], object]
Held = Mapping[str, Found]
"""By the key of each trait that a format holds: whether it holds it in a given match."""

_PRESENCE = frozenset((Disconnected, Returned))


class Trait(NamedTuple):
    """Something that may be in a match.

    :ivar phrase: a short noun phrase, for "mjai leaves out: …".
    :ivar found: whether it is in a match.
    """

    phrase: str
    found: Found


@record
class Unless:
    """The test for a trait that is held in every match, except where another trait takes its place.

    :ivar other: the key of the other trait.
    :ivar found: whether the trait is held in a match.
    """

    other: str
    found: Callable[[Match], object]

    def __call__(self, match: Match, /) -> object:
        """Return whether the trait is held in *match*."""
        return self.found(match)


def not_held(match: Match, held: Held) -> Iterator[str]:
    """Yield a phrase for each trait that is in *match* but not *held*, in the order of :data:`TRAITS`."""
    for key, (phrase, found) in TRAITS.items():
        if found(match) and not (key in held and held[key](match)):
            yield phrase


def always(_: Match) -> bool:
    """Return that the trait is held in every match."""
    return True


def everything() -> Held:
    """Return all traits, for a format that holds them all."""
    return dict.fromkeys(TRAITS, always)


# --- where to look ---------------------------------------------------------------------------------------------------


def any_frame(found: Callable[[Frame], object]) -> Found:
    """Return a test for whether something is *found* in any frame."""
    return lambda match: any(map(found, match.frames))


def turned(frame: Frame) -> int:
    """Return the number of further dora turned in *frame*."""
    return list(map(type, frame.events)).count(DoraRevealed)


def any_win(found: Callable[[Win], object]) -> Found:
    """Return a test for whether something is *found* in any win."""
    return lambda match: any(found(event) for event in _endings(match) if isinstance(event, Win))


def any_draw(found: Callable[[Ryuukyoku], object]) -> Found:
    """Return a test for whether something is *found* in any draw."""
    return lambda match: any(found(event) for event in _endings(match) if isinstance(event, Ryuukyoku))


def _endings(match: Match) -> Iterator[Ending]:
    return (event for frame in match.frames for event in frame.endings)


def _any_player(found: Callable[[Player], object]) -> Found:
    return lambda match: any(map(found, match.players))


def _tournament(found: Callable[[Tournament], object]) -> Found:
    return lambda match: match.tournament is not None and found(match.tournament)


# --- less obvious tests ----------------------------------------------------------------------------------------------


def id_tells_date(match: Match) -> bool:
    """Return whether the date follows from the log ID."""
    found = log_ids.identify(match.id or "")
    return found is not None and found.date == match.date


def _has_own_name(match: Match) -> bool:
    """Return whether the tournament has a name of its own, other than that of Tenhou's rules."""
    name, rules = match.tournament.name if match.tournament else None, match.rules
    if name is None or name == Text():
        return False
    if rules.code is None:
        title = (name.native or "").removeprefix(f"{tenhou.NAME.native} ")
        return tenhou.code_of(title, rules.players) is None
    return name != tenhou.title(rules.code, rules.lobby)


def _has_two_scripts(match: Match) -> bool:
    names = [player.full_name for player in match.players if player.full_name]
    texts = [part for name in names for part in (name.family, name.given)]
    if match.tournament is not None:
        texts += [match.tournament.name if _has_own_name(match) else None, match.tournament.stage]
    return any(text is not None and text.native and text.roman for text in texts)


def _has_own_weekday(match: Match) -> bool:
    return match.weekday is not None and (match.date is None or dates.weekday(match.date) != match.weekday)


def _has_copies(frame: Frame) -> bool:
    return any(tile < PHYSICAL for hand in frame.start.hands for tile in hand)


def _has_order(frame: Frame) -> bool:
    return any(list(hand) != sorted(hand) for hand in frame.start.hands)


def _has_hidden_dora(match: Match) -> bool:
    """Return whether a dora is known that was never turned, or an ura dora that nobody saw."""
    return any(_hides_dora(with_indicators(frame, match.rules)) for frame in match.frames)


def _hides_dora(frame: Frame) -> bool:
    dora, ura = ([tile for tile in (frame.dora or ())[first::2] if tile != UNKNOWN] for first in (0, 1))
    seen = max((len(event.ura) for event in frame.endings if isinstance(event, Win)), default=0)
    return len(dora) > 1 + turned(frame) or len(ura) > seen


def _has_presences(match: Match) -> bool:
    return bool(match.before) or any(not _PRESENCE.isdisjoint(map(type, frame.events)) for frame in match.frames)


def _has_other_names(match: Match) -> bool:
    if not _has_presences(match):
        return False
    events = (event for events in (match.before, *(frame.events for frame in match.frames)) for event in events)
    return any(isinstance(event, Returned) and event.name is not None for event in events)


def _has_chips(match: Match) -> bool:
    recorded = [match.chips, match.ratio, *(frame.start.chips for frame in match.frames)]
    recorded += [event.chips for event in _endings(match)]
    return any(chips is not None for chips in recorded) or bool(any_win(lambda win: win.chip_yaku)(match))


TRAITS: dict[str, Trait] = {
    "id": Trait("log ID", lambda match: match.id is not None),
    "source": Trait("log file name", lambda match: match.source is not None),
    "code": Trait("Tenhou rules number", lambda match: match.rules.code is not None),
    # Tenhou's rules number implies it.
    "house": Trait("house", lambda match: match.rules.house is not None and match.rules.code is None),
    # Tenhou's rules number implies it; the tiles show that there are red fives.
    "red_fives": Trait(
        "rule without red fives", lambda match: (match.rules.red_fives, match.rules.code) == (False, None)
    ),
    "lobby": Trait("lobby", lambda match: match.rules.lobby is not None),
    "custom": Trait("private table settings", lambda match: match.rules.custom),
    "point_rule": Trait("target and uma", lambda match: match.point_rule is not None),
    "tournament": Trait("tournament name", _has_own_name),
    "year": Trait("tournament year", _tournament(lambda tournament: tournament.year is not None)),
    "stage": Trait("tournament stage", _tournament(lambda tournament: tournament.stage not in (None, Text()))),
    "number": Trait(
        "match number",
        _tournament(lambda tournament: (tournament.stage_match, tournament.day_match) != (None, None)),
    ),
    "date": Trait("date", lambda match: match.date is not None),
    "weekday": Trait("weekday", _has_own_weekday),
    "time": Trait("time of day", lambda match: match.time is not None),
    "place": Trait("place", lambda match: match.place not in (None, Text())),
    "recorders": Trait("recorders", lambda match: match.recorders),
    "ranks": Trait("ranks", _any_player(lambda player: (player.dan, player.rank) != (None, None))),
    "ratings": Trait("ratings", _any_player(lambda player: player.rate is not None)),
    "sex": Trait("sex", _any_player(lambda player: player.sex is not None)),
    "gold": Trait("gold and rc", _any_player(lambda player: (player.gold, player.rc) != (None, None))),
    "teams": Trait("teams and associations", _any_player(lambda player: player.team or player.affiliation)),
    "scripts": Trait("names in a second script", _has_two_scripts),
    "raw_name": Trait("raw bytes of non-UTF-8 names", _any_player(lambda player: player.raw_name is not None)),
    "connections": Trait("disconnections and returns", _has_presences),
    "other_name": Trait("names changed on return", _has_other_names),
    "seed": Trait(
        "shuffle seed",
        lambda match: match.shuffle is not None or any(frame.start.shuffle for frame in match.frames),
    ),
    "dice": Trait("dice", any_frame(lambda frame: frame.start.dice is not None)),
    "copies": Trait("copies of tiles", any_frame(_has_copies)),
    "order": Trait("order of the deal", any_frame(_has_order)),
    "turns": Trait("timing of kan dora", any_frame(turned)),
    "hidden_dora": Trait("unseen dora", _has_hidden_dora),
    "scores": Trait("fu, han and yaku", any_win(lambda win: win.score is not None)),
    "pao": Trait("pao", any_win(lambda win: win.pao is not None)),
    "draw_kinds": Trait("reasons for draws", any_draw(lambda draw: draw.kind is not None)),
    "shown": Trait("hands shown at draws", any_draw(lambda draw: draw.shown is not None)),
    "results": Trait("results", lambda match: match.results is not None),
    "tour_points": Trait(
        "tournament points",
        lambda match: match.tour_points is not None or any(player.tour_points for player in match.players),
    ),
    "chips": Trait("chips", _has_chips),
    "comments": Trait(
        "comments", any_frame(lambda frame: frame.comment not in (None, Text()) and frame.comment != describe(frame))
    ),
}
"""The traits by key, in the order in which they are reported."""
