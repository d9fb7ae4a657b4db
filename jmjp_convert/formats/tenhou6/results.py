"""Writes how a frame ends for tenhou.net/6: a word, the changes, what each win is worth."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import Any

from jmjp_convert.formats.split_payments import payments
from jmjp_convert.model import SEATS, DrawKind, Frame, Limit, PointRule, Ryuukyoku, Score, Win
from jmjp_convert.model.yaku import LIMITS, NAMES
from jmjp_convert.play.outcome_text import DRAWS

_WON, _DRAWN = "和了", "流局"
_ALL_TENPAI, _ALL_NOTEN = "全員聴牌", "全員不聴"
_UNFINISHED = "不明"
"""What the editor itself writes as long as no end is chosen."""

_YAKU = [name.japanese.replace("13", "１３") for name in NAMES]  # noqa: RUF001 - Tenhou's own digits


def all_points(values: Sequence[int]) -> list[int]:
    """Return points by seat; an empty seat has none."""
    return [*values] + [0] * (SEATS - len(values))


def result(frame: Frame, rule: PointRule | None) -> list[Any]:
    """Return how *frame* ends, as the last of its items.

    :param rule: that of the match, for what a honba is worth.
    """
    endings = frame.endings
    if not endings:
        return [_UNFINISHED]
    wins = [event for event in endings if isinstance(event, Win)]
    if not wins:
        return _draw(endings[-1])  # type: ignore[arg-type]
    found: list[Any] = [_WON]
    for win, changes in zip(wins, payments(frame, rule), strict=True):
        found += [[] if changes is None else all_points(changes), _win(win, frame)]
    return found


def _draw(draw: Ryuukyoku) -> list[Any]:
    """Return a draw. One of a kind that is not recorded is just a draw; payments stand only where there are any."""
    name = _DRAWN if draw.kind is None else DRAWS[draw.kind][0]
    if draw.kind is DrawKind.EXHAUSTIVE and draw.shown is not None:
        name = {True: _ALL_TENPAI, False: _ALL_NOTEN}.get(_unanimous(draw.shown), name)  # type: ignore[arg-type]
    return [name, all_points(draw.changes)] if draw.changes and any(draw.changes) else [name]


def _unanimous(shown: Sequence[tuple[int, ...] | None]) -> bool | None:
    """Return whether all of the hands were *shown*, or none; ``None``: some were."""
    tenpai = {hand is not None for hand in shown}
    return tenpai.pop() if len(tenpai) == 1 else None


def _win(win: Win, frame: Frame) -> list[Any]:
    """Return who wins off whom, who carries pao (else the winner), and what the win is worth, if that is recorded."""
    who = [win.player if player is None else player for player in (win.player, win.source, win.pao)]
    if win.score is None:
        return who
    payers = len(frame.start.hands) - 1 if win.source is None else 0
    return [*who, *_worth(win.score, payers, dealer=win.player == frame.start.dealer)]


@lru_cache(maxsize=4096)
def _worth(score: Score, payers: int, *, dealer: bool) -> list[str]:
    """Return fu and han, or the limit, with the points; then each yaku that counts.

    :param payers: who pay for a tsumo; none for a ron.
    :param dealer: whether the dealer wins.
    """
    if score.limit is Limit.NONE:
        value = f"{score.fu}符{sum(han or 0 for _, han in score.yaku)}飜"
    else:
        value = LIMITS[score.limit][0]
    named = [f"{_YAKU[number]}({'役満' if han is None else f'{han}飜'})" for number, han in score.yaku if han != 0]
    return [value + _points(score.points, payers, dealer=dealer), *named]


def _points(total: int, payers: int, *, dealer: bool) -> str:
    """Return what a win of *total* costs: all of it, or what each pays.

    The dealer pays twice as much as another, each share rounded up to a hundred: so the total is as many shares as if
    all were alike and the dealer two, or one hundred less.
    """
    if not payers:
        return f"{total}点"
    if dealer:
        return f"{total // payers}点∀"
    share = -(-total // (100 * (payers + 1))) * 100
    return f"{share}-{total - share * (payers - 1)}点"
