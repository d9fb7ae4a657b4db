"""Definitions that all statistics share (docs/stats.md)."""

from __future__ import annotations

from collections.abc import Iterable

from jmjp_convert.model import TO_THE_LAST, Ending, Win, Yaku

RIICHI, IPPATSU, DOUBLE_RIICHI, DORA, URA_DORA, RED_FIVES = 1, 2, 21, 52, 53, 54
"""Tenhou's numbers of yaku."""


def counting_yaku(win: Win) -> list[Yaku]:
    """Return the yaku and dora of *win*, without ura dora that hit nothing."""
    return [yaku for yaku in win.yaku if yaku.han != 0]


def turn_of_win(win: Win, discards: int) -> int:
    """Return the turn of *win*, before which the winner has made that many *discards*: a tsumo is a turn of its own."""
    return discards + (win.source is None)


def who_dealt_in(wins: Iterable[Win]) -> set[int]:
    """Return the players who dealt in; a double ron is one deal-in."""
    return {win.source for win in wins if win.source is not None}


def in_tenpai(ending: Ending) -> tuple[bool, ...] | None:
    """Return, by player, who showed a hand in tenpai; ``None`` if the frame did not end with an exhaustive draw (or
    nagashi mangan), or if the hands shown are not recorded."""
    if isinstance(ending, Win) or ending.kind not in TO_THE_LAST or ending.shown is None:
        return None
    return tuple([shown is not None for shown in ending.shown])
