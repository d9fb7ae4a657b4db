"""How a frame ends, as tenhou.net/6 writes it: a word, who gains what, and of each win what it is worth."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from operator import sub
from typing import Any

from jmjp_convert.describe import DRAWS
from jmjp_convert.model import DrawKind, Frame, Limit, RiichiAccepted, Ryuukyoku, Score, Win
from jmjp_convert.table import STICK
from jmjp_convert.yaku import LIMITS, YAKU

_WON, _DRAWN = "和了", "流局"
_ALL_TENPAI, _ALL_NOTEN = "全員聴牌", "全員不聴"
_UNFINISHED = "不明"
"""What the editor itself writes as long as no end is chosen."""

_YAKU = [yaku.japanese.replace("13", "１３") for yaku in YAKU]  # noqa: RUF001 - Tenhou's own digits
_FOUR = 4


def all_points(values: Sequence[int]) -> list[int]:
    """Return points by seat, in single points; an empty seat has none."""
    return [100 * value for value in values] + [0] * (_FOUR - len(values))


def result(frame: Frame, endings: Sequence[Win | Ryuukyoku]) -> list[Any]:
    """Return how *frame* ends, of which *endings* are the last events, as the last of its items."""
    if not endings:
        return [_UNFINISHED]
    wins = [event for event in endings if isinstance(event, Win)]
    if not wins:
        return _draw(endings[-1])  # type: ignore[arg-type]
    found: list[Any] = [_WON]
    for win, changes in zip(wins, _payments(frame, wins), strict=True):
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


def _payments(frame: Frame, wins: Sequence[Win]) -> Sequence[Sequence[int] | None]:
    """Return who gains what by each of *wins*; ``None``: it is not known.

    Of several rons the sum may be all that is recorded. Then each winner gains by one, and who gave the tile pays for
    all; the first takes the sticks (source: ``scoring.md``, Payments). Where that cannot be, since somebody carries
    pao, the first win stands for all.
    """
    recorded = [win.changes for win in wins]
    total = _sum(frame) if None in recorded else None
    if total is None:
        return recorded
    found, sticks = [], sum(total)
    for win in wins:
        changes = [0] * len(total)
        changes[win.source] = sticks - total[win.player]
        changes[win.player] = total[win.player]
        found.append(changes)
        sticks = 0
    if [*map(sum, zip(*found, strict=True))] == total and all(total[win.player] > 0 for win in wins):
        return found
    return [total, *[[0] * len(total)] * (len(wins) - 1)]


def _sum(frame: Frame) -> list[int] | None:
    """Return who gains what at the end of *frame*, riichi sticks paid before, if that is known."""
    before, after = frame.start.points, frame.end.points
    if before is None or after is None:
        return None
    paid = [event.player for event in frame.events if isinstance(event, RiichiAccepted)]
    return [change + STICK * paid.count(player) for player, change in enumerate(map(sub, after, before))]


def _win(win: Win, frame: Frame) -> list[Any]:
    """Return who wins off whom, who carries pao (else the winner), and what the win is worth, if that is recorded."""
    who = [win.player, win.source, win.player if win.pao is None else win.pao]
    if win.score is None:
        return who
    payers = len(frame.start.hands) - 1 if win.player == win.source else 0
    return [*who, *_worth(win.score, payers, dealer=win.player == frame.start.dealer)]


@lru_cache(maxsize=4096)
def _worth(score: Score, payers: int, *, dealer: bool) -> list[str]:
    """Return fu and han, or the limit, with the points; then each yaku that counts.

    :param payers: who pay for a tsumo; none for a ron.
    :param dealer: whether the dealer wins.
    """
    if score.limit is Limit.NONE:
        value = f"{score.fu}符{sum(han for _, han in score.yaku)}飜"
    else:
        value = LIMITS[score.limit][0]
    named = [f"{_YAKU[yaku]}({han}飜)" for yaku, han in score.yaku if han]
    named += [f"{_YAKU[yaku]}(役満)" for yaku in score.yakuman]
    return [value + _points(score.points, payers, dealer=dealer), *named]


def _points(total: int, payers: int, *, dealer: bool) -> str:
    """Return what a win of *total* costs: all of it, or what each pays.

    The dealer pays twice as much as another, each share rounded up to a hundred: so the total is as many shares as if
    all were alike and the dealer two, or one hundred less.
    """
    if not payers:
        return f"{100 * total}点"
    if dealer:
        return f"{100 * total // payers}点∀"
    share = -(-total // (payers + 1))
    return f"{100 * share}-{100 * (total - share * (payers - 1))}点"
