"""Infer payments that are not recorded: of each of several wins from their sum, and the riichi sticks on the table.

jmjp keeps only the sum of the payments for several wins. Who pays what follows from it (sources:
``docs/design/mjlog-traps.md`` 12 and 16, and the real logs): the discarder pays each winner; the first winner also gets
the riichi sticks and the honba. If anyone else loses points, it is by pao for one of the wins: half of its value and
all of its honba.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from jmjp_convert.model import Frame, PointRule, RiichiAccepted, Win
from jmjp_convert.model.record import replace
from jmjp_convert.play.continuity import can_follow
from jmjp_convert.play.points import STICK, frame_changes

Changes = tuple[int, ...]


def payments(frame: Frame, rule: PointRule | None) -> list[Changes | None]:
    """Return each player's gain or loss for each ending of *frame*, recorded or inferred; ``None`` where unknown.

    :param rule: the match's point rule, for the value of a honba.
    """
    endings = frame.endings
    recorded = [ending.changes for ending in endings]
    total = frame_changes(frame) if len(endings) > 1 and None in recorded else None
    if total is None:
        return recorded
    found = _split([ending for ending in endings if isinstance(ending, Win)], total, _honba(frame, rule))
    return [*found] if tuple(map(sum, zip(*found, strict=True))) == total else recorded


def worth(frame: Frame, place: int, changes: Changes, rule: PointRule | None) -> int | None:
    """Return what a win is worth, without sticks and honba: as recorded, otherwise from its *changes*.

    :param place: the index of the win among the endings of *frame*.
    :param rule: as for :func:`payments`.
    """
    win = frame.endings[place]
    assert isinstance(win, Win)
    if win.score is not None:
        return win.score.points
    honba = 0 if place else _honba(frame, rule)
    return None if honba is None else changes[win.player] - sum(changes) - honba


def _honba(frame: Frame, rule: PointRule | None) -> int | None:
    """Return what the honba add to the first win, if known."""
    if not frame.start.honba:
        return 0
    return None if rule is None else rule.honba * frame.start.honba


def _split(wins: Sequence[Win], total: Changes, honba: int | None) -> list[Changes]:
    """Return the payments for each of *wins* by ron, inferred from *total*; right only if they add up to it."""
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
    """Return which win is paid by pao, who pays and how much, if that is unambiguous."""
    payers = [player for player, change in enumerate(total) if change < 0 and player != wins[0].source]
    found = [carried for payer in payers for carried in _carried_by(payer, wins, total, honba)]
    return found if len(found) == 1 else []


def _carried_by(payer: int, wins: Sequence[Win], total: Changes, honba: int | None) -> Iterator[tuple[Win, int, int]]:
    """Yield each win for which *payer* may pay by pao, with the amount: one that fits what *payer* otherwise wins."""
    for win in wins:
        extra = honba if win is wins[0] else 0
        if win.player == payer or extra is None:
            continue
        gain = total[win.player] - (sum(total) if win is wins[0] else 0) - extra
        half = gain // 200 * 100 + extra  # whole hundreds
        won = total[payer] + half
        if won == 0 if payer not in [other.player for other in wins] else won > 0:
            yield win, payer, half


# --- riichi sticks ---------------------------------------------------------------------------------------------------


def with_sticks(frames: Sequence[Frame]) -> list[Frame]:
    """Return *frames*, each with the number of riichi sticks at its start.

    Where it is not recorded, it follows from the payments of a win, from the next frame or from the one before. If
    nothing shows it, it is 0.
    """
    found = [frame.start.sticks for frame in frames]
    if None not in found:
        return [*frames]
    for number in reversed(range(len(frames))):
        if found[number] is None:
            found[number] = _from_end(frames, number, found)
    for number in range(len(frames)):
        if found[number] is None:
            found[number] = _from_before(frames, number, found)
    return [
        replace(frame, start=replace(frame.start, sticks=sticks)) for frame, sticks in zip(frames, found, strict=True)
    ]


def _paid(frame: Frame) -> int:
    return list(map(type, frame.events)).count(RiichiAccepted)


def _is_won(frame: Frame) -> bool:
    return any(isinstance(event, Win) for event in frame.endings)


def _from_end(frames: Sequence[Frame], number: int, found: Sequence[int | None]) -> int | None:
    """Return the sticks that the end of a frame, or the next one, shows."""
    frame = frames[number]
    changes = frame_changes(frame) if _is_won(frame) else None
    if changes is not None:
        return max(0, sum(changes) // STICK - _paid(frame))
    after = found[number + 1] if number + 1 < len(frames) else None
    if after is None or _is_won(frame) or not can_follow(frame, frames[number + 1].start):
        return None
    return max(0, after - _paid(frame))


def _from_before(frames: Sequence[Frame], number: int, found: Sequence[int | None]) -> int:
    """Return the sticks that the frame before leaves."""
    if not number or not can_follow(frames[number - 1], frames[number].start) or _is_won(frames[number - 1]):
        return 0
    return (found[number - 1] or 0) + _paid(frames[number - 1])
