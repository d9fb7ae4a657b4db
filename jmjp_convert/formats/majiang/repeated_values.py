"""What a record of 電脳麻将 says twice: values that follow from others, which the reader passes over.

The programs of others differ in these, so that only our own outputs are held to them.
"""

from __future__ import annotations

import json
import re
from collections.abc import Container, Iterator, Sequence
from typing import Any

from jmjp_convert.model import Match, Win
from jmjp_convert.model.yaku import NAMES, worth_of_yakuman
from jmjp_convert.play.outcome_text import DRAWS
from jmjp_convert.play.points import ranking

_YAKU = frozenset(name.japanese for name in NAMES)
_SUIT_AGAIN = re.compile(r"([mpsz]).*\1")
_LAST_TILE = re.compile(r"[mpsz][0-9][_*]*$")
_DRAWS = frozenset(native for native, _ in DRAWS.values())


def disagreements(content: bytes, matches: Sequence[Match], **_: object) -> Iterator[str]:
    """Yield what in *content*, which reads as *matches*, does not agree with the rest, one line each."""
    values = json.loads(content)
    if isinstance(values, list) is (len(matches) == 1):
        yield "a list is only for several matches"
    for record, match in zip(values if isinstance(values, list) else [values], matches, strict=True):
        yield from _record(record, match)


def _record(record: dict[str, Any], match: Match) -> Iterator[str]:
    if record["qijia"] != match.frames[0].start.dealer - match.frames[0].start.round % 4:
        yield f"qijia is {record['qijia']}"
    order = ranking(tuple(record["defen"]))
    if record["rank"] != [order.index(player) + 1 for player in range(len(order))]:
        yield f"rank is {record['rank']}; the points are {record['defen']}"
    if match.results is None and record["point"] != [""] * len(order):
        yield f"point is {record['point']} without results"
    endings = [ending for frame in match.frames for ending in frame.endings]
    known = _YAKU.union([yaku.word for win in endings if isinstance(win, Win) for yaku in win.yaku])
    for frame in record["log"]:
        for step in frame:
            ((kind, content),) = step.items()
            hands = content.get("shoupai", [])
            for hand in hands if isinstance(hands, list) else [hands]:
                if _SUIT_AGAIN.search(_LAST_TILE.sub("", hand.partition(",")[0])):
                    yield f"the hand {hand} names a suit twice"
            if kind == "hule":
                yield from _win(content, known)
            elif kind == "pingju" and content["name"] not in _DRAWS:
                yield f"the name of a draw is {content['name']}"


def _win(win: dict[str, Any], known: Container[str]) -> Iterator[str]:
    yaku = win.get("hupai", [])
    if unknown := [each["name"] for each in yaku if each["name"] not in known]:
        yield f"the name of a yaku is {unknown[0]}"
    stars = sum(len(each["fanshu"]) for each in yaku if isinstance(each["fanshu"], str))
    han = sum(each["fanshu"] for each in yaku if isinstance(each["fanshu"], int))
    if win.get("damanguan", 0) != stars:
        yield f"damanguan is {win.get('damanguan')}; the yaku have {stars} stars"
    least = stars * worth_of_yakuman(dealer=win["l"] == 0)
    if win.get("defen", 0) < least and any(each["fanshu"] == "**" for each in yaku):
        yield f"defen is {win.get('defen')}; {stars} stars are worth {least}"
    if yaku and not stars and win.get("fanshu") != han:
        yield f"fanshu is {win.get('fanshu')}; the yaku add up to {han}"
