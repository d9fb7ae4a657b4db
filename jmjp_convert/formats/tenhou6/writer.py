"""Write a match for tenhou.net/6: one JSON object, one object per frame, or links."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import Any
from urllib.parse import quote

from jmjp_convert.errors import FormatError
from jmjp_convert.formats.safe_json import encode
from jmjp_convert.formats.tenhou6.frames import items
from jmjp_convert.formats.tenhou6.presences import connections
from jmjp_convert.formats.tenhou6.results import all_points
from jmjp_convert.formats.tenhou6.titles import display, is_tenhou, title
from jmjp_convert.model import SEATS, Frame, Match, Player
from jmjp_convert.model.tenhou import RANKS
from jmjp_convert.play.inferred_payments import with_sticks
from jmjp_convert.play.points import points_at_end

EDITOR = "https://tenhou.net/6/#json="

_VERSION = 2.3
_EMPTY_SEAT = Player(dan=0, rate=1500, sex="C")
"""As in Tenhou's logs of three players (source: ``docs/design/mjlog-traps.md`` 17)."""

_RANKS: dict[int | None, str] = dict(enumerate(RANKS))
_UNESCAPED = "-_.!~*'(),"
"""The characters that are not escaped in an editor link, besides letters and digits."""


def write_tenhou6(match: Match, *, per_frame: bool = False, url: bool = False) -> str:
    """Return *match* as one JSON object without a line end, as Tenhou serves it.

    Unknown values are left out; a match not played on Tenhou gets a title.

    :param per_frame: write each frame as its own line of JSON, as the editor does.
    :param url: write each frame as a link that opens it in the editor, one per line.
    :raises FormatError: there are no frames, a frame has no play or no points, or a tile is unknown.
    """
    if not match.frames:
        raise FormatError("tenhou6 cannot hold a match without frames")
    if url:
        return "".join(f"{EDITOR}{quote(line, safe=_UNESCAPED)}\n" for line in _frames(match))
    return "".join(f"{line}\n" for line in _frames(match)) if per_frame else _whole(match)


def write_matches(matches: Sequence[Match], **options: bool) -> str:
    """Return *matches* as the text of a file.

    :raises FormatError: as for :func:`write_tenhou6`; or the frames of two would be read as those of one match.
    """
    texts = [write_tenhou6(match, **options) for match in matches]
    for before, then in pairwise(matches):
        if _head(before) == _head(then) and place_of(before.frames[-1]) < place_of(then.frames[0]):
            raise FormatError("two matches with the same names would be read as one; write them to separate files")
    return "".join(text if text.endswith("\n") else f"{text}\n" for text in texts)


def _whole(match: Match) -> str:
    rules, tenhou, lines = match.rules, is_tenhou(match.rules), title(match)
    fields: dict[str, Any] = {
        "title": None if tenhou and not any(lines) else lines,
        "ver": _VERSION,
        "ref": match.id,
        "log": [items(frame, rules, match.point_rule) for frame in with_sticks(match.frames)],
        "connection": list(connections(match)),
        "ratingc": f"PF{rules.players}" if tenhou else None,
        "rule": {"disp": display(match)} | dict.fromkeys(("aka53", "aka52", "aka51"), int(bool(rules.red_fives))),
        "lobby": rules.lobby,
        "dan": dans(match),
        "rate": rates(match),
        "sx": sexes(match),
        "sc": final(match),
        "name": _names(match),
    }
    return encode({key: value for key, value in fields.items() if value not in (None, [])})


def _frames(match: Match) -> Iterator[str]:
    """Yield each frame as its own JSON object."""
    rules, fields = match.rules, _head(match)
    _expect_order(match.frames)
    for frame in with_sticks(match.frames):
        yield encode(fields | {"log": [items(frame, rules, match.point_rule)]})


def _head(match: Match) -> dict[str, Any]:
    """Return what is written of *match* with each frame."""
    return {
        "title": title(match),
        "name": _names(match),
        "rule": {"disp": display(match), "aka": int(bool(match.rules.red_fives))},
    }


def _expect_order(frames: Sequence[Frame]) -> None:
    """Check that *frames*, written separately, are in an order in which they are read as one match.

    :raises FormatError: they are not.
    """
    for before, then in pairwise(frames):
        if place_of(then) <= place_of(before):
            names = f"frame {then.start.name} after {before.start.name}"
            raise FormatError(f"{names} would be read as another match; leave out --per-frame or --url")


def place_of(frame: Frame) -> tuple[int, int]:
    """Return round and honba of *frame*, which increase in the course of a match."""
    return frame.start.round, frame.start.honba


def dans(match: Match) -> list[str] | None:
    """Return the ranks by seat, if all are known."""
    return _all([player.rank if player.dan is None else _RANKS.get(player.dan) for player in _seats(match)])


def rates(match: Match) -> list[float] | None:
    """Return the ratings by seat, if all are known."""
    return _all([None if player.rate is None else _number(player.rate) for player in _seats(match)])


def sexes(match: Match) -> list[str] | None:
    """Return the sexes by seat, if all are known."""
    return _all([player.sex for player in _seats(match)])


def _all(values: list[Any]) -> list[Any] | None:
    """Return *values*, if all are known."""
    return None if None in values else values


def _seats(match: Match) -> list[Player]:
    return [*match.players, *[_EMPTY_SEAT] * (SEATS - len(match.players))]


def _names(match: Match) -> list[str]:
    return [player.name or "" for player in _seats(match)]


def _number(value: float) -> float:
    """Return *value* as JavaScript writes it, whole numbers without decimals."""
    return value if value % 1 else int(value)


def final(match: Match) -> list[float] | None:
    """Return the points and the result by seat, if the match was played to its end."""
    points = points_at_end(match)
    if points is None or match.results is None:
        return None
    results = [_number(value / 1000) for value in match.results] + [0] * (SEATS - len(match.results))
    return [value for pair in zip(all_points(points), results, strict=True) for value in pair]
