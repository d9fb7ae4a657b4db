"""Reads how a frame ends: ``hora``, a line for each winner, and ``ryukyoku``."""

from __future__ import annotations

from operator import add, sub
from typing import TYPE_CHECKING, Any, NamedTuple

from jmjp_convert.formats.bounds import MOST_HAN
from jmjp_convert.formats.mjai.details import Told, draw_kind, unknown
from jmjp_convert.formats.safe_json import shown
from jmjp_convert.messages import Points
from jmjp_convert.model import Ankan, DrawKind, RiichiAccepted, Ryuukyoku, Win
from jmjp_convert.model.tiles import UNKNOWN, label
from jmjp_convert.play.points import STICK

if TYPE_CHECKING:
    from jmjp_convert.formats.mjai.kyoku import Kyoku
    from jmjp_convert.formats.mjai.lines import Line

Hands = tuple[tuple[int, ...] | None, ...]
_CLOSED = range(15)
_HUNDRED = 100
_NAME_AND_HAN = 2


class EndingLine(NamedTuple):
    """What a line says of an ending that can only be judged after the replay.

    :ivar told: the value of the win.
    :ivar tiles: the winner's closed tiles, with or without the winning tile.
    :ivar tenpai: by player, whether the hand is tenpai.
    :ivar hands: by player, the closed tiles; ``None`` for a hand not shown.
    """

    told: Told | None = None
    tiles: tuple[int, ...] | None = None
    tenpai: tuple[bool, ...] | None = None
    hands: Hands | None = None


def hora(kyoku: Kyoku, line: Line) -> None:
    """Read a win."""
    player = line.player(kyoku.players)
    source = _source(kyoku, line, player)
    tile = _drawn(kyoku, line) if source is None else _taken(kyoku, line)
    ura = line.key("ura_markers", "uradora_markers")
    below = tuple(line.tiles(ura, range(6))) if ura is not None else ()
    pao = line.player(kyoku.players, "pao") if line.key("pao") else None
    changes = _changes(kyoku, line)
    tiles = tuple(line.tiles("hora_tehais", _CLOSED)) if line.key("hora_tehais") else None
    kyoku.endings.append(EndingLine(_told(kyoku, line, player, changes), tiles))
    kyoku.events.append(Win(player, source, tile, pao=pao, ura=below if kyoku.riichi[player] else (), changes=changes))
    kyoku.drawn = None


def _source(kyoku: Kyoku, line: Line, player: int) -> int | None:
    """Return the player who is ronned; ``None`` for a tsumo."""
    if line.key("target") is not None:
        source = line.player(kyoku.players, "target")
        return None if source == player else source
    last = kyoku.last()
    return None if last is None else last.player


def _drawn(kyoku: Kyoku, line: Line) -> int:
    """Return the winning tile of a tsumo."""
    told = line.tile() if line.key("pai") else UNKNOWN
    if kyoku.drawn == UNKNOWN and told != UNKNOWN:
        kyoku.identify(told)
    if kyoku.drawn is not None and told not in (UNKNOWN, kyoku.drawn):
        raise line.error(f"the tile is {label(told)}; {label(kyoku.drawn)} expected from the draw", "pai")
    return told if kyoku.drawn is None else kyoku.drawn


def _taken(kyoku: Kyoku, line: Line) -> int:
    """Return the winning tile of a ron."""
    told, last = line.tile() if line.key("pai") else UNKNOWN, kyoku.last()
    if last is None:
        return told
    tile = last.tiles[-1] if isinstance(last, Ankan) else last.tile
    if told not in (UNKNOWN, tile) and tile != UNKNOWN:
        raise line.error(f"the tile is {label(told)}; {label(tile)} expected from the discard", "pai")
    return tile


def _changes(kyoku: Kyoku, line: Line) -> tuple[int, ...] | None:
    """Return the payments: as recorded, otherwise from the points after them."""
    changes = line.points(kyoku.players, "deltas", "delta")
    after = line.points(kyoku.players, "scores")
    kyoku.after = after
    if after is not None:
        before = _points(kyoku)
        if changes is None and before is not None:
            changes = tuple(map(sub, after, before))
        elif changes is not None and before is not None and (expected := tuple(map(add, before, changes))) != after:
            said = f"the points are {Points(after)}; {Points(expected)} expected from the payments"
            raise line.error(said, "scores")
    return changes


def _points(kyoku: Kyoku) -> tuple[int, ...] | None:
    """Return the points before an ending, if known."""
    points = kyoku.start.points
    for event in kyoku.events:
        if points is not None and isinstance(event, RiichiAccepted):
            points = tuple([have - STICK * (player == event.player) for player, have in enumerate(points)])
        elif points is not None and isinstance(event, Win):
            points = None if event.changes is None else tuple(map(add, points, event.changes))
    return points


def _told(kyoku: Kyoku, line: Line, player: int, changes: tuple[int, ...] | None) -> Told | None:
    """Return the value of a win, as far as it is recorded."""
    fu, fan = line.key("fu"), line.key("fan", "han")
    yaku = _yaku(line)
    points = line.key("hora_points")
    if points is None and fan is None and not yaku:
        return None
    first = not any(isinstance(event, Win) for event in kyoku.events)
    honba = kyoku.start.honba if first else 0
    paid = None if changes is None else changes[player] - sum(changes)  # without the sticks
    if points is not None:
        worth: int | None = line.count(points)
        if line.value[points] % _HUNDRED:
            raise line.expected("points, a multiple of 100 such as 25000", line.value[points], points)
        if honba and worth == paid:  # RiichiEnv's converters count them in
            worth -= _HUNDRED * (kyoku.players - 1) * honba  # type: ignore[operator]
            kyoku.remarks.append("honba in hora_points taken off")
    else:
        worth = None if honba else paid
    if worth is None or worth <= 0:
        if worth is None:
            kyoku.remarks.append("fu, han and yaku without hora_points ignored")
        return None
    said = Told(worth, fu and line.count(fu), fan and line.count(fan), yaku)  # type: ignore[arg-type]
    kyoku.remarks += [f"unknown yaku {shown(word)} ignored" for word in unknown(said)]
    return said


def _yaku(line: Line) -> tuple[tuple[str, int], ...]:
    """Return the words for the yaku, each with its han: pairs, or objects with a name and han."""
    name = line.key("yakus", "yaku")
    found = []
    for place, one in enumerate(line.each("yaku", name) if name else ()):
        pair = _pair(one)
        if pair is None:
            raise line.expected('a yaku and its han such as ["reach",1]', one, name, place)  # type: ignore[arg-type]
        found.append(pair)
    return tuple(found)


def _pair(value: Any) -> tuple[str, int] | None:
    if type(value) is dict:
        value = [value.get("name"), value.get("han", value.get("fan"))]
    if type(value) is not list or len(value) != _NAME_AND_HAN or [type(part) for part in value] != [str, int]:
        return None
    return (value[0], value[1]) if 0 <= value[1] <= MOST_HAN else None


def ryukyoku(kyoku: Kyoku, line: Line) -> None:
    """Read a draw."""
    draw = _kind(kyoku, line)
    if draw not in (None, DrawKind.TRIPLE_RON) or (draw is None and _is_paid(kyoku, line)):
        kyoku.settle()
    changes = _changes(kyoku, line)
    kyoku.endings.append(_shown(kyoku, line))
    kyoku.events.append(Ryuukyoku(draw, changes=changes))
    kyoku.drawn = None


def _is_paid(kyoku: Kyoku, line: Line) -> bool:
    """Return whether the points after a draw show that the riichi on the last tile was paid for: a stick is gone."""
    before, after = _points(kyoku), line.points(kyoku.players, "scores")
    return None not in (before, after) and sum(after) == sum(before) - STICK  # type: ignore[arg-type]


def _kind(kyoku: Kyoku, line: Line) -> DrawKind | None:
    """Return the kind of a draw, if recorded."""
    word = line.text("reason") if line.key("reason") else ""
    kind = draw_kind(word) if word else None
    if word and kind is None:
        kyoku.remarks.append(f"unknown reason for a draw {shown(word)} ignored")
    return kind


def _tenpai(kyoku: Kyoku, line: Line) -> tuple[bool, ...] | None:
    if not line.key("tenpais"):
        return None
    flags = line.each("flags", "tenpais")
    if len(flags) < kyoku.players or any(type(flag) is not bool for flag in flags):
        raise line.error(f"expected true or false for each of {kyoku.players} players", "tenpais")
    return tuple(flags[: kyoku.players])


def _shown(kyoku: Kyoku, line: Line) -> EndingLine:
    """Return the hands shown and who is tenpai. A hand with hidden tiles is not shown.

    jansou writes no tiles: an empty list for a tenpai hand, ``null`` for another.
    """
    tenpai = _tenpai(kyoku, line)
    hands = line.each("hands", "tehais") if line.key("tehais") else []
    if not hands:
        return EndingLine(tenpai=tenpai)
    if len(hands) < kyoku.players:
        raise line.error(f"{len(hands)} hands; {kyoku.players} expected", "tehais")
    hands = hands[: kyoku.players]
    if not any(hands):
        said = tuple([hand is not None for hand in hands])
        return EndingLine(tenpai=tenpai or (said if len({*said}) > 1 else None))
    read = [None if hand is None else line.tiles_at(_CLOSED, "tehais", place) for place, hand in enumerate(hands)]
    return EndingLine(
        tenpai=tenpai, hands=tuple([tuple(sorted(hand)) if hand and UNKNOWN not in hand else None for hand in read])
    )
