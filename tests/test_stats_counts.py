"""What players did, counted again from the XML of real and generated games by other means."""

from __future__ import annotations

import gzip
import re
from collections import Counter
from collections.abc import Iterator
from typing import Any
from urllib.parse import unquote

import effort
import pytest
from lxml import etree
from playing import BASE, games
from test_real_logs import FOUR, MANIFEST, THREE

from jmjp_convert.formats.mjlog.reader import read_mjlog
from jmjp_convert.stats.counts import Counts, counts_of
from jmjp_convert.stats.players import Players, Who
from jmjp_convert.stats.rates import RATES, value

OPEN_KAN, CHI, PON = 3, 4, 8
_LAST = (None, "nm")


def recounted(content: bytes) -> list[Counts]:
    """Return what each player of a log did, from its XML alone."""
    root: Any = etree.fromstring(content, etree.XMLParser(recover=True))
    names = next(un for un in root.iter("UN") if un.get("n0"))
    players = [player for player in range(4) if unquote(names.get(f"n{player}", ""))]
    found = [Counter(games=1) for _ in players]
    turns = [0] * 4
    called: set[int] = set()
    pending: list[Any] = []
    for element in [*root, etree.Element("END")]:
        tag = element.tag
        if tag not in ("AGARI", "RYUUKYOKU") and pending:
            _ended(found, pending, turns, called)
            pending = []
        if tag == "INIT":
            turns, called = [0] * 4, set()
        elif re.fullmatch(r"[DEFG]\d+", tag):
            turns["DEFG".index(tag[0])] += 1
        elif tag == "REACH" and element.get("step") == "1":
            player = int(element.get("who"))
            found[player].update(riichi=1, riichi_turns=turns[player] + 1)
        elif tag == "N":
            code = int(element.get("m"))
            if code & CHI or code & PON or (not code & 0x3C and code & OPEN_KAN):
                called.add(int(element.get("who")))
        elif tag in ("AGARI", "RYUUKYOKU"):
            pending.append(element)
    _finish(found, root)
    return found


def _finish(found: list[Counts], root: Any) -> None:
    last = [element for element in root if element.get("owari")]
    if last:
        values = last[0].get("owari").split(",")
        points, results = values[0 : 2 * len(found) : 2], values[1 : 2 * len(found) : 2]
        order = sorted(range(len(found)), key=lambda player: -int(points[player]))
        for place, player in enumerate(order, 1):
            bust = int(points[player]) < 0
            result = round(float(results[player]) * 1000)
            found[player].update(
                {"placed": 1, f"place{place}": 1, "places": place, "busts": bust, "results": 1, "result": result}
            )


def _ended(found: list[Counts], endings: list[Any], turns: list[int], called: set[int]) -> None:
    wins = [element for element in endings if element.tag == "AGARI"]
    for player, counts in enumerate(found):
        counts.update(frames=1, played=1, calls=player in called)
    for win in wins:
        winner, source = int(win.get("who")), int(win.get("fromWho"))
        points = int(win.get("ten").split(",")[1])
        yaku = {number for number, han in _pairs(win.get("yaku")) if han} | set(_numbers(win.get("yakuman")))
        counts = found[winner]
        counts.update(wins=1, tsumo=winner == source, valued=1, win_points=points, played_wins=1)
        counts.update(win_turns=turns[winner] + (winner == source))
        counts.update(f"yaku {number}" for number in yaku)
        if yaku & {1, 21}:
            counts.update(riichi_wins=1, ippatsu=2 in yaku, ura=53 in yaku)
    for source in {int(win.get("fromWho")) for win in wins if win.get("who") != win.get("fromWho")}:
        total = sum(int(win.get("ten").split(",")[1]) for win in wins)
        found[source].update(deal_ins=1, valued_deal_ins=1, deal_in_points=total)
    for draw in endings:
        if draw.tag == "RYUUKYOKU" and draw.get("type") in _LAST:
            for player, counts in enumerate(found):
                counts.update(draws=1, draw_tenpai=draw.get(f"hai{player}") is not None)


def _numbers(text: str | None) -> list[int]:
    return [int(number) for number in text.split(",")] if text else []


def _pairs(text: str | None) -> list[tuple[int, int]]:
    numbers = _numbers(text)
    return list(zip(numbers[::2], numbers[1::2], strict=True))


def same(counts: Counts) -> dict[str, int]:
    """Return the numbers of *counts* but zeros."""
    return {key: count for key, count in counts.items() if count}


def logs() -> Iterator[bytes]:
    """Yield real logs without remarkable errors."""
    for path in effort.some((*FOUR, *THREE)):
        content = path.read_bytes()
        yield gzip.decompress(content) if content.startswith(b"\x1f\x8b") else content


@pytest.mark.skipif(not MANIFEST.is_file(), reason="there are no real logs in ../shared/mjlog")
def test_real_games() -> None:
    """The counts of real games are those of their XML."""
    for content in logs():
        match = read_mjlog(content)
        assert list(map(same, counts_of(match))) == list(map(same, recounted(content))), match.players


@pytest.mark.parametrize("line", effort.some(BASE))
def test_generated_games(line: str) -> None:
    """The counts of generated games are those of their XML."""
    for game in games(line):
        match = read_mjlog(game.log.encode())
        assert list(map(same, counts_of(match))) == list(map(same, recounted(game.log.encode())))


LINE = "--seed 1 --games 10 --first 0 --wild"


def test_order_does_not_matter() -> None:
    """Players have the same counts in whatever order games are added, and in whatever parts."""
    matches = [read_mjlog(game.log.encode()) for game in games(LINE)]
    forward, parts = Players(), Players()
    forward.add_matches(matches)
    for match in reversed(matches):
        part = Players()
        part.add_matches([match])
        parts.add(part.counts)
    assert forward.counts == parts.counts
    assert forward.ranked() == parts.ranked()


def test_sums() -> None:
    """Over all players of games, places, wins and points add up."""
    matches = [read_mjlog(game.log.encode()) for game in games(LINE)]
    total: Counts = Counter()
    for match in matches:
        for counts in counts_of(match):
            total.update(counts)
    assert total["placed"] == 4 * len(matches)
    assert total["places"] == (1 + 2 + 3 + 4) * len(matches)
    assert [total[f"place{place}"] for place in range(1, 5)] == [len(matches)] * 4
    assert total["result"] == 0
    assert total["wins"] == total["valued"] == total["played_wins"]
    assert total["deal_ins"] <= total["wins"] - total["tsumo"]


def test_players_of_three_and_of_four() -> None:
    """Three-player games are counted separately and listed last."""
    players = Players()
    for line in (LINE, LINE + " --players 3"):
        players.add_matches(read_mjlog(game.log.encode()) for game in games(line))
    seats = [who.seats for who, _ in players.ranked()]
    assert seats == sorted(seats, reverse=True)
    assert set(seats) == {3, 4}


def test_names_and_games() -> None:
    """Only the players named are counted, and only those of enough games are listed."""
    matches = [read_mjlog(game.log.encode()) for game in games(LINE)]
    name = matches[0].players[0].name
    assert name
    players = Players([name])
    players.add_matches(matches)
    assert list(players.counts) == [Who(name, 4)]
    number = players.counts[Who(name, 4)]["games"]
    assert players.ranked(number) != []
    assert players.ranked(number + 1) == []


def test_rates_of_nothing() -> None:
    """A rate of a player without anything to divide by is unknown."""
    assert {value(rate, Counter()) for rate in RATES} == {None}
