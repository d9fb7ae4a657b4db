"""Write a game record for 電脳麻将, one JSON object.

Sources: ``docs/design/formats.md`` 5; ``majiang-core`` (``types/data.d.ts``) for what a record holds, ``majiang-ui``
for what its viewer can do without, ``tenhou-log`` (``lib/convlog.js``) for how an mjlog is converted. ``player``,
``defen``, ``rank`` and ``point`` are listed by player. The viewer needs every key: a match without a result has the
last known points, and an empty ``point`` for each player.
"""

from __future__ import annotations

from collections.abc import Iterator
from math import floor
from unicodedata import normalize

from jmjp_convert.formats import approximations
from jmjp_convert.formats.approximations import Guess
from jmjp_convert.formats.features import Held, always, any_draw, any_win, id_tells_date, not_held
from jmjp_convert.formats.majiang.frames import NAME, steps
from jmjp_convert.formats.majiang.notation import words
from jmjp_convert.formats.requirements import needed_frames
from jmjp_convert.formats.safe_json import encode
from jmjp_convert.model import Match, Player, RiichiAccepted, tenhou
from jmjp_convert.play.points import STICK, final_points, is_partial, ranking

_RANKS: dict[int | None, str] = {
    **{dan: normalize("NFKC", rank) for dan, rank in enumerate(tenhou.RANKS)},
    len(tenhou.RANKS) - 1: "天鳳位",
}
"""Ranks as ``tenhou-log`` writes them: with plain digits, and the last one in full."""


def write_majiang(match: Match) -> str:
    """Return *match* as a record of 電脳麻将, one line per frame, ending with a line feed.

    A frame that breaks off has no ``hule`` or ``pingju``. Fu, han and yaku of a win are left out if unknown.

    :raises FormatError: majiang cannot hold it: it has three players or no frames, or the play, the starting points or
        riichi sticks, a payment, or a tile discarded or called in a frame is unknown.
    """
    said = words(match.rules.red_fives is not False)
    log = [f"[{','.join(steps(frame, match.point_rule, said))}]" for frame in needed_frames(match, NAME)]
    before = encode({"title": _title(match), "player": list(map(_player, match.players)), "qijia": 0})
    points = _final(match)
    order = ranking(points)
    after = encode(
        {
            "defen": points,
            "rank": [order.index(player) + 1 for player in range(len(points))],
            "point": [f"{result / 1000:.1f}" for result in match.results] if match.results else [""] * len(points),
        }
    )
    frames = ",\n".join(log)
    return f'{before[:-1]},"log":[\n{frames}\n],{after[1:]}\n'


def held() -> Held:
    """Return the traits that majiang holds."""
    return HELD


def left_out(match: Match) -> Iterator[str]:
    """Yield a phrase for everything in *match* that majiang cannot hold."""
    return not_held(match, HELD)


def written_otherwise(match: Match) -> Iterator[str]:
    """Yield a clause for everything in *match* that is reworded or guessed."""
    return approximations.clauses(match, OTHERWISE)


HELD: Held = {
    "id": always,
    "tournament": always,
    "stage": always,
    "date": lambda match: not match.id or id_tells_date(match),
    "ranks": lambda match: all(player.dan is None or player.dan in _RANKS for player in match.players),
    "ratings": always,
    "turns": always,
    "scores": always,
    # Pao is written with the yakuman.
    "pao": lambda match: not any_win(lambda win: win.pao is not None and not (win.score and win.score.yakuman))(match),
    "draw_kinds": always,
    "shown": always,
    "results": always,
}
OTHERWISE = (
    *approximations.ALL,
    approximations.KAN_DORA,
    Guess("ratings rounded down to whole numbers", lambda match: any(map(_has_fraction, match.players))),
    approximations.NO_SCORE,
    approximations.NO_KIND,
    Guess("unknown hands at a draw written as not shown", any_draw(lambda draw: draw.shown is None)),
    approximations.breaks_off("written without hule or pingju"),
    Guess("missing result replaced by the last known points", lambda match: match.results is None),
)


def _has_fraction(player: Player) -> bool:
    return player.rate is not None and player.rate % 1 != 0


def _title(match: Match) -> str:
    """Return the names of tournament and stage, and the log ID or, without one, the date, one line each.

    For Tenhou's games these are the rules, ``四鳳南喰赤``, and the log ID.
    """
    tournament = match.tournament
    texts = (tournament.name, tournament.stage) if tournament else ()
    names = [text.native or text.roman or "" for text in texts if text is not None]
    lines = [*(name.removeprefix(f"{tenhou.NAME.native} ") for name in names), match.id or match.date]
    return "\n".join(filter(None, lines))


def _player(player: Player) -> str:
    """Return the name, and below it rank and rating: ``(十段 R2200)``."""
    rate = None if player.rate is None else f"R{floor(player.rate)}"
    rank = player.rank if player.dan is None else _RANKS.get(player.dan)
    standing = " ".join(filter(None, (rank, rate)))
    return f"{player.name or ''}\n({standing})" if standing else player.name or ""


def _final(match: Match) -> tuple[int, ...]:
    """Return the last known points, including leftover riichi sticks if the match is complete."""
    last = match.frames[-1]
    if match.final_points is not None:
        return match.final_points
    if last.end.points is None:
        assert last.start.points is not None
        paid = [event.player for event in last.events if isinstance(event, RiichiAccepted)]
        return tuple(have - STICK * paid.count(player) for player, have in enumerate(last.start.points))
    return (None if is_partial(match) else final_points(last)) or last.end.points
