"""What there may be in a match that not every format holds."""

from __future__ import annotations

from collections.abc import Iterator

from jmjp_convert.export.indicators import with_indicators
from jmjp_convert.model import (
    Discard,
    Disconnected,
    DoraRevealed,
    Event,
    Frame,
    Match,
    Returned,
    Ryuukyoku,
    Text,
    Win,
)
from jmjp_convert.tiles import FACES, UNKNOWN, either_copy, indicators

_EITHER_COPY = either_copy(FACES[0])


def _wins(match: Match) -> Iterator[Win]:
    return (event for frame in match.frames for event in frame.endings if isinstance(event, Win))


def _events(match: Match) -> Iterator[Event]:
    return (event for frame in match.frames for event in frame.events)


def has_id(match: Match) -> bool:
    """Return whether the game's id, the source or the tournament is recorded."""
    return any((match.id, match.source, match.tournament))


def has_date(match: Match) -> bool:
    """Return whether it is recorded when, where and by whom."""
    return any((match.date, match.weekday, match.time, match.place, match.recorders))


def has_ranks(match: Match) -> bool:
    """Return whether a player's rank or rating is recorded."""
    return any(player.dan is not None or player.rate is not None for player in match.players)


def has_fractions(match: Match) -> bool:
    """Return whether a player's rating is not whole."""
    return any(player.rate and player.rate.partition(".")[2].strip("0") for player in match.players)


def has_persons(match: Match) -> bool:
    """Return whether more is recorded of a player than name, rank and rating."""
    return any(
        value is not None
        for player in match.players
        for value in (player.sex, player.gold, player.rc, player.team, player.affiliation, player.tour_points)
    )


def has_walls(match: Match) -> bool:
    """Return whether the dice or the seed of the walls are recorded."""
    return match.shuffle is not None or any(frame.start.dice is not None for frame in match.frames)


def has_presences(match: Match) -> bool:
    """Return whether a player has gone or come back."""
    return bool(match.before) or any(isinstance(event, Disconnected | Returned) for event in _events(match))


def has_scores(match: Match) -> bool:
    """Return whether fu, han and yaku of a win are recorded."""
    return any(win.score is not None for win in _wins(match))


def has_pao(match: Match) -> bool:
    """Return whether a win is paid for by a player who carries pao."""
    return any(win.pao is not None for win in _wins(match))


def has_draws(match: Match) -> bool:
    """Return whether it is recorded of a drawn frame why it is, or what is shown."""
    endings = (event for frame in match.frames for event in frame.endings if isinstance(event, Ryuukyoku))
    return any(event.kind is not None or event.shown is not None for event in endings)


def has_results(match: Match) -> bool:
    """Return whether the result after uma and oka is recorded."""
    return match.results is not None or match.tour_points is not None


def has_chips(match: Match) -> bool:
    """Return whether the game has chips."""
    return match.chips is not None or any(frame.start.chips is not None for frame in match.frames)


def has_comments(match: Match) -> bool:
    """Return whether there is a comment on a frame."""
    return any(frame.comment not in (None, Text()) for frame in match.frames)


def has_fourteenth(match: Match) -> bool:
    """Return whether a dealer is dealt fourteen tiles."""
    return any(frame.start.fourteenth is not None for frame in match.frames)


def has_either_copy(match: Match) -> bool:
    """Return whether it is not known of a discard if it is the tile just drawn."""
    return any(isinstance(event, Discard) and event.tile >= _EITHER_COPY for event in _events(match))


def has_hidden_dora(match: Match) -> bool:
    """Return whether a dora is known that was not turned, or an ura dora that nobody saw."""
    return any(_hides_dora(with_indicators(frame, match.rules)) for frame in match.frames)


def _hides_dora(frame: Frame) -> bool:
    dora, ura = ([tile for tile in (frame.dora or ())[first::2] if tile != UNKNOWN] for first in (0, 1))
    turned = 1 + sum(isinstance(event, DoraRevealed) for event in frame.events)
    seen = max((len(event.ura) for event in frame.endings if isinstance(event, Win)), default=0)
    return len(dora) > turned or len(ura) > seen


def has_doubtful_indicators(match: Match) -> bool:
    """Return whether a dora is a six of which the indicator is not recorded: it may be a red five or a plain one."""
    return any(
        len(indicators(dora, match.rules.players)) > 1
        for frame in match.frames
        if frame.start.indicator is None
        for dora in frame.dora or ()
    )


def breaks_off(match: Match) -> bool:
    """Return whether a frame breaks off."""
    return not all(frame.endings for frame in match.frames)
