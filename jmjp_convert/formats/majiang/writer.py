"""Write game records for 電脳麻将: one JSON object, or a list of several.

Sources: ``docs/design/formats.md`` 5; ``majiang-core`` (``types/data.d.ts``) for what a record holds, ``majiang-ui``
for what its viewer can do without, ``tenhou-log`` (``lib/convlog.js``) for how an mjlog is converted. ``player``,
``defen``, ``rank`` and ``point`` are listed by player. The viewer needs every key: a match without a result has the
last known points, and an empty ``point`` for each player.
"""

from __future__ import annotations

from collections.abc import Sequence

from jmjp_convert.errors import FormatError
from jmjp_convert.formats.bounds import MOST_POINTS
from jmjp_convert.formats.majiang.frames import NAME, steps, unconfirmed
from jmjp_convert.formats.majiang.head import write_player, write_point, write_title
from jmjp_convert.formats.majiang.notation import words
from jmjp_convert.formats.requirements import needed_frames
from jmjp_convert.formats.safe_json import encode
from jmjp_convert.model import Match, in_riichi
from jmjp_convert.play import points as play_points
from jmjp_convert.play.points import STICK, is_partial, ranking


def write_majiang(match: Match) -> str:
    """Return *match* as a record of 電脳麻将, one line per frame, ending with a line feed.

    A frame that breaks off has no ``hule`` or ``pingju``. Fu, han and yaku of a win are left out if unknown.

    :raises FormatError: majiang cannot hold it: it has three players or no frames, or the play, the starting points or
        riichi sticks, a payment, or a tile discarded or called in a frame is unknown, or there are too many points.
    """
    said = words(match.rules.red_fives is not False)
    log = [f"[{','.join(steps(frame, match.point_rule, said))}]" for frame in needed_frames(match, NAME)]
    before = encode({"title": write_title(match), "player": list(map(write_player, match.players)), "qijia": 0})
    points = final_points(match)
    order = ranking(points)
    after = encode(
        {
            "defen": points,
            "rank": [order.index(player) + 1 for player in range(len(points))],
            "point": list(map(write_point, match.results)) if match.results else [""] * len(points),
        }
    )
    frames = ",\n".join(log)
    return f'{before[:-1]},"log":[\n{frames}\n],{after[1:]}\n'


def write_records(matches: Sequence[Match]) -> str:
    """Return *matches* as a file: one record, or a list of several, which 電脳麻将 imports.

    :raises FormatError: as for :func:`write_majiang`.
    """
    records = list(map(write_majiang, matches))
    return records[0] if len(records) == 1 else f"[\n{','.join(records)}]\n"


def final_points(match: Match) -> tuple[int, ...]:
    """Return the last known points, including leftover riichi sticks if the match is complete.

    :raises FormatError: they are too large to be read.
    """
    points = _final(match)
    if max(map(abs, points)) > MOST_POINTS:
        raise FormatError(f"the final points are more than {NAME} can hold")
    return points


def _final(match: Match) -> tuple[int, ...]:
    last = match.frames[-1]
    if match.final_points is not None:
        return match.final_points
    if last.end.points is None:
        assert last.start.points is not None
        events = last.events[: unconfirmed(last.events)]
        paid = in_riichi(events)
        return tuple(have - STICK * paid.count(player) for player, have in enumerate(last.start.points))
    return (None if is_partial(match) else play_points.final_points(last)) or last.end.points
