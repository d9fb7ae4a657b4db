"""Write the result of a frame for tenhou.net/6: a word, the payments, the value of each win."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import Any

from jmjp_convert.formats.tenhou6.words import ALL_NOTEN, ALL_TENPAI, DRAWN, UNFINISHED, WON, YAKU
from jmjp_convert.model import SEATS, DrawKind, Frame, Limit, PointRule, Ryuukyoku, Score, Win
from jmjp_convert.model.yaku import LIMITS
from jmjp_convert.play.inferred_payments import payments
from jmjp_convert.play.outcome_text import DRAWS


def all_points(values: Sequence[int]) -> list[int]:
    """Return points by seat, 0 for an empty seat."""
    return [*values] + [0] * (SEATS - len(values))


def result(frame: Frame, rule: PointRule | None) -> list[Any]:
    """Return the result of *frame*, the last of its items.

    :param rule: the match's point rule, for the value of a honba.
    """
    endings = frame.endings
    if not endings:
        return [UNFINISHED]
    wins = [event for event in endings if isinstance(event, Win)]
    if not wins:
        return _draw(endings[-1])  # type: ignore[arg-type]
    found: list[Any] = [WON]
    for win, changes in zip(wins, payments(frame, rule), strict=True):
        found += [[] if changes is None else all_points(changes), _win(win, frame)]
    return found


def _draw(draw: Ryuukyoku) -> list[Any]:
    """Return a draw, 流局 if its kind is not recorded, with its payments if there are any."""
    name = DRAWN if draw.kind is None else DRAWS[draw.kind][0]
    tenpai = unanimous(draw)
    if tenpai is not None:
        name = ALL_TENPAI if tenpai else ALL_NOTEN
    if draw.changes is None or (name != DRAWN and not any(draw.changes)):
        return [name]
    return [name, all_points(draw.changes)]


def unanimous(draw: Ryuukyoku) -> bool | None:
    """Return whether all hands are shown at an exhaustive *draw* (True) or none (False); ``None`` if some are."""
    tenpai = {hand is not None for hand in draw.shown or ()}
    return tenpai.pop() if draw.kind is DrawKind.EXHAUSTIVE and len(tenpai) == 1 else None


def _win(win: Win, frame: Frame) -> list[Any]:
    """Return the winner, the source, who pays by pao (otherwise the winner), and the value of the win, if recorded."""
    who = [win.player if player is None else player for player in (win.player, win.source, win.pao)]
    if win.score is None:
        return who
    return [*who, *_worth(win.score, _payers(win, frame), dealer=win.player == frame.start.dealer)]


def _payers(win: Win, frame: Frame) -> int:
    """Return the number of players who pay for a tsumo; 0 for a ron."""
    return len(frame.start.hands) - 1 if win.source is None else 0


@lru_cache(maxsize=4096)
def _worth(score: Score, payers: int, *, dealer: bool) -> list[str]:
    """Return fu and han, or the limit, with the points; then each yaku that counts.

    :param payers: the number of players who pay for a tsumo; 0 for a ron.
    :param dealer: whether the dealer wins.
    """
    value = _fu_and_han(score) + (LIMITS[score.limit][0] if score.limit in LIMITS else "")
    named = [f"{YAKU[number]}({'役満' if han is None else f'{han}飜'})" for number, han in score.yaku if han != 0]
    return [value + points_text(score.points, payers, dealer=dealer), *named]


def _fu_and_han(score: Score) -> str:
    """Return fu and han as far as they are known: of a hand below a limit, or whose yaku are not recorded."""
    if score.limit is not Limit.NONE and score.yaku:
        return ""
    han = sum(han or 0 for _, han in score.yaku) if score.yaku else score.han_alone
    return ("" if score.fu is None else f"{score.fu}符") + ("" if han is None else f"{han}飜")


def points_text(total: int, payers: int, *, dealer: bool) -> str:
    """Return the payments for a win of *total*: the total of a ron, the shares of a tsumo.

    The dealer pays twice as much as the others, and each share is rounded up to a hundred. The total is therefore the
    sum of equal shares, the dealer's counting twice, or a hundred less.
    """
    if not payers:
        return f"{total}点"
    if dealer:
        return f"{total // payers}点∀"
    share = -(-total // (100 * (payers + 1))) * 100
    return f"{share}-{total - share * (payers - 1)}点"
