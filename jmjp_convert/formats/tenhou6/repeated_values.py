"""What a tenhou.net/6 file says twice, or in words that have other spellings, both of which the reader passes over.

The programs of others differ in these, so that only our own outputs are held to them.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Sequence
from typing import Any
from urllib.parse import unquote

from jmjp_convert.model import THREE_PLAYERS, Frame, Limit, Match, Win
from jmjp_convert.model.yaku import LIMITS, NAMES
from jmjp_convert.play.outcome_text import DRAWS

_VERSION = 2.3
_LINK = "/6/#json="
_WON, _OPEN, _DRAWN = "和了", "不明", "流局"
_UNANIMOUS = frozenset(("全員聴牌", "全員不聴"))
_DRAWS = frozenset(native for native, _ in DRAWS.values())
_YAKU = frozenset(name.japanese.replace("13", "１３") for name in NAMES)  # noqa: RUF001 - Tenhou's own digits
_SCORED = 3
_FIRST_HAND = 4
_FIVES = {51: 15, 52: 25, 53: 35}
"""The plain fives by the red ones."""

_EMPTY_SEAT: dict[str, list[Any]] = {"name": [""], "dan": ["新人"], "rate": [1500], "sx": ["C"], "sc": [0, 0]}
"""What an object has last for the fourth seat, if there are three players."""

_WORTH = re.compile(r"(?:(\d+)符)?(?:(\d+)飜)?(\D*?)(\d+)(?:-(\d+))?点(∀?)")


def disagreements(content: bytes, matches: Sequence[Match], **_: object) -> Iterator[str]:
    """Yield what in *content*, which reads as *matches*, does not agree with the rest, one line each."""
    lines = content.decode().removesuffix("\n").split("\n")  # texts may hold other characters that end lines
    objects = [json.loads(unquote(line.partition(_LINK)[2]) if line.startswith("https:") else line) for line in lines]
    frames = iter([frame for match in matches for frame in match.frames])
    for value in objects:
        yield from _head(value, matches[0])
        for items in value["log"]:
            yield from _hands(items)
            yield from _result(items[-1], next(frames))


def _head(value: dict[str, Any], match: Match) -> Iterator[str]:
    if value.get("ver", _VERSION) != _VERSION:
        yield f"ver is {value['ver']}"
    if value.get("ratingc") not in (None, f"PF{match.rules.players}"):
        yield f"ratingc is {value['ratingc']} with {match.rules.players} players"
    for key, wanted in _EMPTY_SEAT.items():
        if match.rules.players == THREE_PLAYERS and value.get(key, wanted)[-len(wanted) :] != wanted:
            yield f"{key} has {value[key][-len(wanted) :]} for an empty seat"
    for key in ("rate", "sc"):
        if whole := [each for each in value.get(key, ()) if isinstance(each, float) and each.is_integer()]:
            yield f"{key} has {whole[0]}"


def _hands(items: list[Any]) -> Iterator[str]:
    for hand in items[_FIRST_HAND:-1:3]:
        plain = [_FIVES.get(tile, tile) for tile in hand]
        if plain != sorted(plain):
            yield f"the hand {hand} is not sorted"


def _result(result: list[Any], frame: Frame) -> Iterator[str]:
    word, wins = result[0], frame.wins
    if word not in _DRAWS | _UNANIMOUS | {_OPEN, _WON}:
        yield f"the result is {word}"
    if (word == _WON) is not bool(wins) or (word == _OPEN) is bool(frame.endings):
        yield f"the result is {word} with {len(wins)} wins"
    if word in _UNANIMOUS and any(any(changes) for changes in result[1:]):
        yield f"the result is {word} with payments"
    if word not in (_WON, _DRAWN) and result[1:] == [[0] * 4]:
        yield f"the result is {word} with payments of 0"
    for win, said in zip(wins, result[2::2], strict=False):
        if len(said) > _SCORED:
            yield from _worth(win, said[_SCORED], frame)
            known = _YAKU.union([] if win.score is None else [yaku.word for yaku in win.score.yaku])
            yield from (f"the yaku is {yaku}" for yaku in said[_SCORED + 1 :] if yaku.rpartition("(")[0] not in known)


def _worth(win: Win, said: str, frame: Frame) -> Iterator[str]:
    match, score = _WORTH.fullmatch(said), win.score
    if match is None or score is None:
        yield f"the value is {said}"
        return
    fu, han, limit, points, dealers, each = match.groups()
    named = LIMITS[score.limit][0] if score.limit is not Limit.NONE else ""
    total = sum(yaku.han or 0 for yaku in score.yaku) if score.yaku else score.han
    if limit != named or (han is not None and int(han) != total) or (fu is not None and int(fu) != score.fu):
        yield f"the value is {said}; {score.fu} fu, {total} han, {named} expected"
    if score.yaku and (han is None) is not bool(named):
        yield f"the value is {said}, with han only below a limit"
    tsumo, dealer = win.source is None, win.player == frame.start.dealer
    if (bool(each), dealers is not None) != (tsumo and dealer, tsumo and not dealer):
        yield f"the payments are {said}"
    if dealers is not None and int(dealers) not in (2 * int(points), 2 * int(points) - 100):
        yield f"the dealer pays {dealers}; the others pay {points}"
