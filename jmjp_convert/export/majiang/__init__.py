"""majiang: the record of a game in 電脳麻将 (kobalab's), as its viewer reads it: one JSON object.

Sources: ``formats.md`` 5; the types of ``majiang-core`` (``types/data.d.ts``) say what a record holds, ``majiang-ui``
what its viewer does without, ``tenhou-log`` (``lib/convlog.js``) what becomes of each thing in an mjlog. ``player``,
``defen``, ``rank`` and ``point`` run by player. The viewer wants every key: of a match without a result it has the
points as they stand, and each ``point`` is empty.
"""

from __future__ import annotations

from collections.abc import Iterator
from math import floor
from unicodedata import normalize

from jmjp_convert import tenhou
from jmjp_convert.export import traits
from jmjp_convert.export.majiang.frames import NAME, steps
from jmjp_convert.export.majiang.words import words
from jmjp_convert.export.needs import needed_frames
from jmjp_convert.export.values import in_full
from jmjp_convert.jsontext import encode
from jmjp_convert.model import Match, Player, RiichiAccepted
from jmjp_convert.results import final_points, is_partial, ranking
from jmjp_convert.table import STICK

_RANKS: dict[int | None, str] = {
    **{dan: normalize("NFKC", rank) for dan, rank in enumerate(tenhou.RANKS)},
    len(tenhou.RANKS) - 1: "天鳳位",
}
"""As ``tenhou-log`` writes them: with plain digits, and the last one in full."""


def write_majiang(match: Match) -> str:
    """Return *match* as a record of 電脳麻将, a line for each frame, with a line feed at its end.

    A frame that breaks off ends without ``hule`` and ``pingju``. Of a win of which fu, han and yaku are not known, they
    are left out.

    :raises FormatError: majiang cannot hold it: it has three players, or no frames, or a frame of which the play, the
        points or riichi sticks at its start, a payment, or a tile discarded or called is not known.
    """
    said = words(match.rules.red_fives is not False)
    log = [f"[{','.join(steps(frame, match.point_rule, said))}]" for frame in needed_frames(match, NAME)]
    before = encode({"title": _title(match), "player": list(map(_player, match.players)), "qijia": 0})
    points = _final(match)
    order = ranking(points)
    after = encode(
        {
            "defen": in_full(points),
            "rank": [order.index(player) + 1 for player in range(len(points))],
            "point": [_tenths(result) for result in match.results] if match.results else [""] * len(points),
        }
    )
    frames = ",\n".join(log)
    return f'{before[:-1]},"log":[\n{frames}\n],{after[1:]}\n'


def losses(match: Match) -> Iterator[str]:
    """Yield what majiang does not hold of *match*, a line each."""
    return (f"majiang {lacks}" for found, lacks in _LOSSES if found(match))


_LOSSES = (
    (traits.has_date, "has no field for when and where a game was played and who recorded it: it is left out"),
    (traits.has_fractions, "has whole ratings: what is less is left out"),
    (traits.has_persons, "has of players name, rank and rating: sex, gold, teams and associations are left out"),
    (traits.has_walls, "has no field for the dice and the seed of the walls: they are left out"),
    (traits.has_presences, "has no step for players who go and come back: it is left out"),
    (traits.has_chips, "has no field for chips: they are left out"),
    (traits.has_comments, "has no field for comments: they are left out"),
    (traits.has_hidden_dora, "has no step for dora that nobody saw: they are left out"),
    (traits.has_doubtful_indicators, "has indicators, not dora: what shows a six is written as the plain five"),
    (traits.has_fourteenth, "has no field for a fourteenth tile dealt: it is written as drawn"),
    (traits.has_either_copy, "has no word for a discard that may be the tile drawn: it is written as that tile"),
    (traits.breaks_off, "has no step for a frame that breaks off: it ends without hule and pingju"),
)


def _tenths(result: int) -> str:
    return f"{'-' * (result < 0)}{abs(result) // 10}.{abs(result) % 10}"


def _title(match: Match) -> str:
    """Return the names of tournament and stage, and the game's id or else its date, a line each.

    For Tenhou's games these are the rules, ``四鳳南喰赤``, and the id.
    """
    tournament = match.tournament
    texts = (tournament.name, tournament.stage) if tournament else ()
    names = [text.native or text.roman or "" for text in texts if text is not None]
    lines = [*(name.removeprefix(f"{tenhou.NAME.native} ") for name in names), match.id or match.date]
    return "\n".join(filter(None, lines))


def _player(player: Player) -> str:
    """Return the name, and under it rank and rating: ``(十段 R2200)``."""
    rate = tenhou.rating(player.rate)
    standing = " ".join(filter(None, (_RANKS.get(player.dan), None if rate is None else f"R{floor(rate)}")))
    return f"{player.name or ''}\n({standing})" if standing else str(player.name or "")


def _final(match: Match) -> tuple[int, ...]:
    """Return the points at the end, as far as there is one: with riichi sticks left over, if it is the match's."""
    last = match.frames[-1]
    if match.final_points is not None:
        return match.final_points
    if last.end.points is None:
        assert last.start.points is not None
        paid = [event.player for event in last.events if isinstance(event, RiichiAccepted)]
        return tuple(have - STICK * paid.count(player) for player, have in enumerate(last.start.points))
    return (None if is_partial(match) else final_points(last)) or last.end.points
