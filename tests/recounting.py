"""What players did, counted from the XML of games by other means than the package's."""

from __future__ import annotations

import re
from collections import Counter
from typing import Any
from urllib.parse import unquote

from lxml import etree

from jmjp_convert.stats.counts import Counts

OPEN_KAN, CHI, PON = 3, 4, 8
_LAST = (None, "nm")


def recounted(content: bytes) -> list[Counts]:
    """Return what each player of a log did, from its XML alone."""
    root: Any = etree.fromstring(content, etree.XMLParser(recover=True))
    names = next(un for un in root.iter("UN") if un.get("n0"))
    players = [player for player in range(4) if unquote(names.get(f"n{player}", ""))]
    by_player = [Counter(games=1) for _ in players]
    turns = [0] * 4
    called: set[int] = set()
    riichi: set[int] = set()
    pending: list[Any] = []
    for element in [*root, etree.Element("END")]:
        tag = element.tag
        if tag not in ("AGARI", "RYUUKYOKU") and pending:
            _ended(by_player, pending, turns, called, riichi)
            pending = []
        if tag == "INIT":
            turns, called, riichi = [0] * 4, set(), set()
        elif re.fullmatch(r"[DEFG]\d+", tag):
            turns["DEFG".index(tag[0])] += 1
        elif tag == "REACH" and element.get("step") == "1":
            player = int(element.get("who"))
            by_player[player].update(riichi=1, riichi_turns=turns[player] + 1)
        elif tag == "REACH":
            riichi.add(int(element.get("who")))
        elif tag == "N":
            code = int(element.get("m"))
            if code & CHI or code & PON or (not code & 0x3C and code & OPEN_KAN):
                called.add(int(element.get("who")))
        elif tag in ("AGARI", "RYUUKYOKU"):
            pending.append(element)
    _finish(by_player, root)
    return by_player


def _finish(by_player: list[Counts], root: Any) -> None:
    last = [element for element in root if element.get("owari")]
    if last:
        values = last[0].get("owari").split(",")
        points, results = values[0 : 2 * len(by_player) : 2], values[1 : 2 * len(by_player) : 2]
        order = sorted(range(len(by_player)), key=lambda player: -int(points[player]))
        for place, player in enumerate(order, 1):
            bust = int(points[player]) < 0
            result = round(float(results[player]) * 1000)
            by_player[player].update(
                {"placed": 1, f"place{place}": 1, "places": place, "busts": bust, "results": 1, "result": result}
            )


def _ended(by_player: list[Counts], endings: list[Any], turns: list[int], called: set[int], riichi: set[int]) -> None:
    wins = [element for element in endings if element.tag == "AGARI"]
    for player, counts in enumerate(by_player):
        counts.update(frames=1, played=1, calls=player in called)
    for win in wins:
        winner, source = int(win.get("who")), int(win.get("fromWho"))
        points = int(win.get("ten").split(",")[1])
        yaku = {number for number, han in pairs(win.get("yaku")) if han} | set(numbers(win.get("yakuman")))
        counts = by_player[winner]
        counts.update(wins=1, tsumo=winner == source, valued=1, win_points=points, played_wins=1)
        counts.update(win_turns=turns[winner] + (winner == source))
        counts.update(f"yaku {number}" for number in yaku)
        if winner in riichi:
            counts.update(riichi_wins=1, ippatsu=2 in yaku, ura=53 in yaku)
    for source in {int(win.get("fromWho")) for win in wins if win.get("who") != win.get("fromWho")}:
        total = sum(int(win.get("ten").split(",")[1]) for win in wins)
        by_player[source].update(deal_ins=1, valued_deal_ins=1, deal_in_points=total)
    for draw in endings:
        if draw.tag == "RYUUKYOKU" and draw.get("type") in _LAST:
            for player, counts in enumerate(by_player):
                counts.update(draws=1, draw_tenpai=draw.get(f"hai{player}") is not None)


def numbers(text: str | None) -> list[int]:
    """Return the numbers of *text*, between commas."""
    return [int(number) for number in text.split(",")] if text else []


def pairs(text: str | None) -> list[tuple[int, int]]:
    """Return the numbers of *text* in pairs."""
    listed = numbers(text)
    return list(zip(listed[::2], listed[1::2], strict=True))


def without_zeros(counts: Counts) -> dict[str, int]:
    """Return the numbers of *counts* but zeros."""
    return {key: count for key, count in counts.items() if count}
