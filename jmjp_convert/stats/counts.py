"""Counts what each player of a match did: numbers that add up over any games, in any order.

What is counted is as in other statistics of these games (docs/stats.md): a double ron is one deal-in, a riichi counts
once declared, even if its tile is ronned, and a turn is a player's own discard.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

from jmjp_convert.model import Call, Discard, Ending, Frame, Match, RiichiDeclared, Win
from jmjp_convert.play.points import points_at_end, ranking
from jmjp_convert.stats.definitions import (
    DOUBLE_RIICHI,
    IPPATSU,
    RIICHI,
    URA_DORA,
    counting_yaku,
    in_tenpai,
    turn_of_win,
    who_dealt_in,
)

Counts = Counter[str]
"""Numbers of one player, by name; missing ones are 0. Points are in points, turns are numbers of own discards.

- ``games``; those with a known final score are ``placed``: ``place1`` to ``place4``, ``places`` (their sum), ``busts``;
  those with a known result are ``results``, and ``result`` is their sum.
- ``frames`` with a known ending; of these, those whose play is recorded are ``played``.
- ``wins``, ``tsumo``; wins of known value are ``valued``, and ``win_points`` is their sum.
- ``deal_ins``; those of known value are ``valued_deal_ins``, and ``deal_in_points`` is their sum.
- ``riichi``, ``riichi_turns``; ``calls``, the frames with a chi, pon or daiminkan; ``played_wins``, ``win_turns``.
- ``draws`` at the end of the wall where the hands shown are known, and of these ``draw_tenpai``.
- ``riichi_wins`` with known yaku, and of these ``ippatsu`` and ``ura``.
- ``yaku N``: wins with the yaku of Tenhou's number N.
"""


def counts_of(match: Match) -> list[Counts]:
    """Return what each player of *match* did, in player order."""
    found = [Counter(games=1) for _ in match.players]
    _add_result(found, match)
    for frame in match.frames:
        endings = frame.endings
        if endings:
            _add_ending(found, [end for end in endings if isinstance(end, Win)], endings)
            if frame.start.hands:
                _add_play(found, frame)
    return found


def _add_result(found: list[Counts], match: Match) -> None:
    points, results = points_at_end(match), match.results
    if points is not None:
        for place, player in enumerate(ranking(points), 1):
            found[player].update({"placed": 1, f"place{place}": 1, "places": place, "busts": points[player] < 0})
    for counts, result in zip(found, results or (), strict=False):
        counts.update(results=1, result=result)


def _add_ending(found: list[Counts], wins: list[Win], endings: Iterable[Ending]) -> None:
    for counts in found:
        counts["frames"] += 1
    for win in wins:
        _add_win(found[win.player], win)
    for source in who_dealt_in(wins):
        counts = found[source]
        counts["deal_ins"] += 1
        points = [win.points for win in wins]
        if None not in points:
            counts.update(valued_deal_ins=1, deal_in_points=sum(value or 0 for value in points))
    for end in endings:
        tenpai = in_tenpai(end)
        if tenpai is not None:
            for counts, shown in zip(found, tenpai, strict=True):
                counts.update(draws=1, draw_tenpai=shown)


def _add_win(counts: Counts, win: Win) -> None:
    counts.update(wins=1, tsumo=win.source is None)
    if win.points is not None:
        counts.update(valued=1, win_points=win.points)
    numbers = {yaku.number for yaku in counting_yaku(win)}
    counts.update(f"yaku {number}" for number in numbers)
    if not numbers.isdisjoint((RIICHI, DOUBLE_RIICHI)):
        counts.update(riichi_wins=1, ippatsu=IPPATSU in numbers, ura=URA_DORA in numbers)


def _add_play(found: list[Counts], frame: Frame) -> None:
    turns = [0] * len(found)
    called = set()
    for counts in found:
        counts["played"] += 1
    for event in frame.events:
        if isinstance(event, Discard):
            turns[event.player] += 1
        elif isinstance(event, RiichiDeclared):
            found[event.player].update(riichi=1, riichi_turns=turns[event.player] + 1)
        elif isinstance(event, Call):
            called.add(event.player)
        elif isinstance(event, Win):
            found[event.player].update(played_wins=1, win_turns=turn_of_win(event, turns[event.player]))
    for player in called:
        found[player]["calls"] += 1
