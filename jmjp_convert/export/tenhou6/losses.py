"""What tenhou.net/6 does not hold of a match: for a word on it, once."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TypeVar

from jmjp_convert import tiles
from jmjp_convert.describe import describe
from jmjp_convert.model import (
    Discard,
    DoraRevealed,
    Event,
    Frame,
    Match,
    Player,
    Returned,
    Ryuukyoku,
    Text,
    Win,
)

E = TypeVar("E", bound=Event)

_EITHER = frozenset(map(tiles.either_copy, tiles.FACES))


def losses(match: Match) -> Iterator[str]:
    """Yield what the JSON of a whole *match* leaves out, or says in other words, a line each.

    What follows from the rest is no loss: hands shown at a draw, or the points before a win. The JSON of single frames
    holds nothing but the names, the rules' name and the play.
    """
    for what, is_there in _NO_PLACE:
        if is_there(match):
            yield f"tenhou.net/6 has no place for {what}"
    for line, is_there in _IN_OTHER_WORDS:
        if is_there(match):
            yield line


def _events(match: Match, kind: type[E]) -> Iterator[E]:
    return (event for frame in match.frames for event in frame.events if isinstance(event, kind))


def _any_frame(is_there: Callable[[Frame], object]) -> Callable[[Match], bool]:
    return lambda match: any(map(is_there, match.frames))


def _any_player(is_there: Callable[[Player], object]) -> Callable[[Match], bool]:
    return lambda match: any(map(is_there, match.players))


def _has_copies(frame: Frame) -> bool:
    return any(tile < tiles.PHYSICAL for hand in frame.start.hands for tile in hand)


def _has_chips(match: Match) -> bool:
    return match.chips is not None or any(frame.start.chips is not None for frame in match.frames)


def _is_staged(match: Match) -> bool:
    part_of = match.tournament
    return part_of is not None and (part_of.year, part_of.stage, part_of.stage_match, part_of.day_match) != (None,) * 4


def _has_two_scripts(player: Player) -> bool:
    parts = (player.name.family, player.name.given) if player.name else ()
    return any(part is not None and part.native and part.roman for part in parts)


def _is_remarked(frame: Frame) -> bool:
    return frame.comment not in (None, Text(), describe(frame))


_NO_PLACE: tuple[tuple[str, Callable[[Match], bool]], ...] = (
    ("the seed of the walls", lambda match: match.shuffle is not None),
    ("the dice", _any_frame(lambda frame: frame.start.dice is not None)),
    ("which copy of a tile is meant", _any_frame(_has_copies)),
    ("when the dora of a kan is turned", lambda match: any(_events(match, DoraRevealed))),
    ("chips", _has_chips),
    ("the settings of a private table", lambda match: bool(match.rules.custom)),
    ("gold and rc", _any_player(lambda player: player.gold or player.rc)),
    ("a name under which somebody came back", lambda match: any(event.name for event in _events(match, Returned))),
    ("a name in a second script", _any_player(_has_two_scripts)),
    ("teams and affiliations", _any_player(lambda player: player.team or player.affiliation)),
    ("the year, the stage and the number of a match", _is_staged),
    ("the points in a tournament", lambda match: match.tour_points is not None),
    ("the time of day", lambda match: match.time is not None),
    ("what the frames' comments say", _any_frame(_is_remarked)),
)

_IN_OTHER_WORDS: tuple[tuple[str, Callable[[Match], bool]], ...] = (
    (
        "what a win is worth is not recorded: it stands without fu, han and yaku",
        lambda match: any(event.score is None for event in _events(match, Win)),
    ),
    (
        "what each of several winners gains is not recorded: it is reckoned from the sum",
        lambda match: any(event.changes is None for event in _events(match, Win)),
    ),
    (
        "of what kind a draw is, is not recorded: it is called an exhaustive one",
        lambda match: any(event.kind is None for event in _events(match, Ryuukyoku)),
    ),
    (
        "a discard that may be the tile just drawn, or another of its face, is written as tsumogiri",
        lambda match: not _EITHER.isdisjoint(event.tile for event in _events(match, Discard)),
    ),
    (
        "how many riichi sticks are on the table is not recorded: 0 is written",
        _any_frame(lambda frame: frame.start.sticks is None),
    ),
)
