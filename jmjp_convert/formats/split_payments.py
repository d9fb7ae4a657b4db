"""Works out what each of several wins pays where a record has only the sum.

jmjp keeps of several wins the sum of the payments alone. Who pays what follows from it (sources: ``mjlog-traps.md`` 12
and 16, and the real logs): each winner is paid by the one who threw the tile; the first takes the riichi sticks and the
honba, too. If somebody else loses points, it is by pao, for one of the wins: half of it, and all of its honba.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from jmjp_convert.model import Frame, PointRule, Win
from jmjp_convert.play.points import frame_changes

Changes = tuple[int, ...]


def payments(frame: Frame, rule: PointRule | None) -> list[Changes | None]:
    """Return everybody's gain or loss by each ending of *frame*, as recorded or found; ``None`` where it is not known.

    :param rule: that of the match, for what a honba is worth.
    """
    endings = frame.endings
    recorded = [ending.changes for ending in endings]
    total = frame_changes(frame) if len(endings) > 1 and None in recorded else None
    if total is None:
        return recorded
    found = _split([ending for ending in endings if isinstance(ending, Win)], total, _honba(frame, rule))
    return [*found] if tuple(map(sum, zip(*found, strict=True))) == total else recorded


def worth(frame: Frame, place: int, changes: Changes, rule: PointRule | None) -> int | None:
    """Return what a win is worth, without sticks and honba: as recorded, or else by its *changes*.

    :param place: which of the endings of *frame* it is, from 0.
    :param rule: as for :func:`payments`.
    """
    win = frame.endings[place]
    assert isinstance(win, Win)
    if win.score is not None:
        return win.score.points
    honba = 0 if place else _honba(frame, rule)
    return None if honba is None else changes[win.player] - sum(changes) - honba


def _honba(frame: Frame, rule: PointRule | None) -> int | None:
    """Return what the honba add to the first win, if that is known."""
    if not frame.start.honba:
        return 0
    return None if rule is None else rule.honba * frame.start.honba


def _split(wins: Sequence[Win], total: Changes, honba: int | None) -> list[Changes]:
    """Return the payments of each of *wins* by ron if they are certain; *total* is the sum of the right ones."""
    found = []
    pao = _pao(wins, total, honba)
    for win in wins:
        changes = [0] * len(total)
        changes[win.player] = gain = total[win.player] + sum(half for _, payer, half in pao if payer == win.player)
        source = win.player if win.source is None else win.source
        changes[source] = (sum(total) if win is wins[0] else 0) - gain
        for carried, payer, half in pao:
            if carried is win:
                changes[payer] -= half
                changes[source] += half
        found.append(tuple(changes))
    return found


def _pao(wins: Sequence[Win], total: Changes, honba: int | None) -> list[tuple[Win, int, int]]:
    """Return, if it is certain, for which of *wins* who pays what by pao."""
    payers = [player for player, change in enumerate(total) if change < 0 and player != wins[0].source]
    found = [carried for payer in payers for carried in _carried_by(payer, wins, total, honba)]
    return found if len(found) == 1 else []


def _carried_by(payer: int, wins: Sequence[Win], total: Changes, honba: int | None) -> Iterator[tuple[Win, int, int]]:
    """Yield the wins for which *payer* may pay by pao, and how much: what is won besides is then what it should be."""
    for win in wins:
        extra = honba if win is wins[0] else 0
        if win.player == payer or extra is None:
            continue
        gain = total[win.player] - (sum(total) if win is wins[0] else 0) - extra
        half = gain // 200 * 100 + extra  # whole hundreds
        won = total[payer] + half
        if won == 0 if payer not in [other.player for other in wins] else won > 0:
            yield win, payer, half
