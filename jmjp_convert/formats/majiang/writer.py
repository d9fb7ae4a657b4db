"""Writes the record of a game for 電脳麻将, one JSON object.

Sources: ``formats.md`` 5; the types of ``majiang-core`` (``types/data.d.ts``) say what a record holds, ``majiang-ui``
what its viewer does without, ``tenhou-log`` (``lib/convlog.js``) what becomes of each thing in an mjlog. ``player``,
``defen``, ``rank`` and ``point`` run by player. The viewer wants every key: of a match without a result it has the
points as they stand, and each ``point`` is empty.
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
            "defen": points,
            "rank": [order.index(player) + 1 for player in range(len(points))],
            "point": [f"{result / 1000:.1f}" for result in match.results] if match.results else [""] * len(points),
        }
    )
    frames = ",\n".join(log)
    return f'{before[:-1]},"log":[\n{frames}\n],{after[1:]}\n'


def left_out(match: Match) -> Iterator[str]:
    """Yield what is in *match* and majiang does not hold, a phrase each."""
    return not_held(match, _HELD)


def written_otherwise(match: Match) -> Iterator[str]:
    """Yield what majiang has of *match* in other words or guessed, a clause each."""
    return approximations.clauses(match, _OTHERWISE)


_HELD: Held = {
    "id": always,
    "tournament": always,
    "stage": always,
    "date": lambda match: not match.id or id_tells_date(match),
    "ranks": lambda match: all(player.dan is None or player.dan in _RANKS for player in match.players),
    "ratings": always,
    "turns": always,
    "scores": always,
    # It stands with the yakuman.
    "pao": lambda match: not any_win(lambda win: win.pao is not None and not (win.score and win.score.yakuman))(match),
    "draw_kinds": always,
    "shown": always,
    "results": always,
}
_OTHERWISE = (
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
    rate = None if player.rate is None else f"R{floor(player.rate)}"
    standing = " ".join(filter(None, (_RANKS.get(player.dan), rate)))
    return f"{player.name or ''}\n({standing})" if standing else player.name or ""


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
