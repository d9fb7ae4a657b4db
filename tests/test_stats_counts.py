"""What players did, counted; `test_dataset_truth.py` compares the counts with those of the tables of a data set."""

from __future__ import annotations

from collections import Counter
from typing import Any

import pytest
from playing import games

from jmjp_convert.api import dumps
from jmjp_convert.formats.mjlog.reader import read_mjlog
from jmjp_convert.formats.reading import read
from jmjp_convert.model import End, Frame, Limit, Match, Player, RiichiAccepted, Rules, Score, Start, Win, Yaku
from jmjp_convert.model.record import replace
from jmjp_convert.stats.counts import RATES, Counts, Person, Players, counts_of, value_of

LINE = "--seed 1 --games 10 --first 0 --wild"


def test_order_does_not_matter() -> None:
    """Players have the same counts in whatever order games are added, and in whatever parts."""
    matches = [read_mjlog(game.log.encode()) for game in games(LINE)]
    forward, parts = Players(), Players()
    forward.add_matches(matches)
    for match in reversed(matches):
        part = Players()
        part.add_matches([match])
        parts.add(part)
    assert forward.counts == parts.counts
    assert forward.ranked() == parts.ranked()


@pytest.mark.parametrize(
    ("name", "options"), [("jmjp", {}), ("tenhou6", {}), ("majiang", {}), ("mjai", {"details": True})]
)
def test_other_formats(name: str, options: dict[str, Any]) -> None:
    """A game has the same counts in any format that keeps wins and points, without results if it keeps none."""
    for game in games(LINE):
        match = read_mjlog(game.log.encode())
        (read_back,) = read(dumps([match], name, **options).encode())
        kept = match if read_back.results is not None else replace(match, results=None)
        assert counts_of(read_back) == counts_of(kept)


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
    assert list(players.counts) == [Person(name, 4)]
    number = players.counts[Person(name, 4)]["games"]
    assert players.ranked(number) != []
    assert players.ranked(number + 1) == []


def test_rates_of_nothing() -> None:
    """A rate of a player without anything to divide by is unknown."""
    assert {value_of(rate, Counter()) for rate in RATES} == {None}


@pytest.mark.parametrize(("accepted", "riichi_wins"), [(True, 1), (False, 0)])
@pytest.mark.parametrize("yaku", [(Yaku(37),), (Yaku(5, 2),), (Yaku(None, None, "大車輪七対子"),), ()])
def test_win_in_riichi(yaku: tuple[Yaku, ...], *, accepted: bool, riichi_wins: int) -> None:
    """A win in riichi counts as one whatever its yaku, a yakuman too, if any are recorded."""
    start = Start(0, 0, 0, 0, None, (25000,) * 4, ())
    win = Win(0, None, 0, Score(None, 48000, Limit.YAKUMAN, yaku))
    frame = Frame(start, ((RiichiAccepted(0),) if accepted else ()) + (win,), End((), None), None)
    counts = counts_of(Match(Rules(), (Player(),) * 4, (frame,)))[0]
    assert (counts["wins"], counts["riichi_wins"], counts["ippatsu"]) == (1, riichi_wins if yaku else 0, 0)
    numbers = {f"yaku {each.number}" for each in yaku if each.number is not None}
    assert {key for key in counts if key.startswith("yaku ")} == numbers
