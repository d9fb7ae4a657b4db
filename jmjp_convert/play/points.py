"""Points: what frames and wins change, riichi sticks, the order of frames, the final result.

Final result (docs/design/mapping.md, The match; docs/design/scoring.md, Final result): in finishing order (ties: lower
player number first), each player but the first gets their points, minus the target, plus the uma; the first gets the
remainder. Leftover riichi sticks go to the first. Some tables round to whole thousands.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from operator import sub
from typing import Final

from jmjp_convert.errors import StartError
from jmjp_convert.messages import Message, Points, Sticks
from jmjp_convert.model import SEATS, End, Event, Frame, Match, PointRule, RiichiAccepted, Ryuukyoku, Start, Win
from jmjp_convert.model.record import replace

STICK: Final = 1000
"""The points per riichi stick."""

_THOUSAND: Final = 1000
_HALF: Final = 500


def changes_of(start: Start, end: End, paid: Sequence[int]) -> tuple[int, ...] | None:
    """Return all players' gains and losses at the end of a frame, if the points before and after are known.

    :param paid: the players who have paid a riichi stick.
    """
    if start.points is None or end.points is None:
        return None
    changes = list(map(sub, end.points, start.points))
    for player in paid:
        changes[player] += STICK
    return tuple(changes)


def frame_changes(frame: Frame) -> tuple[int, ...] | None:
    """Return :func:`changes_of` *frame*, whose events show who has paid a riichi stick."""
    return changes_of(frame.start, frame.end, frame.riichi)


def is_partial(match: Match) -> bool:
    """Return whether all recorders of *match* state that they recorded only some of its frames."""
    return bool(match.recorders) and all(recorder.frames is not None for recorder in match.recorders)


def ranking(points: tuple[int, ...]) -> list[int]:
    """Return the players in finishing order."""
    return sorted(range(len(points)), key=points.__getitem__, reverse=True)


def rounded(points: int) -> int:
    """Return *points* rounded to whole thousands, half away from zero."""
    whole = (abs(points) + _HALF) // _THOUSAND * _THOUSAND
    return whole if points >= 0 else -whole


def final_points(last: Frame) -> tuple[int, ...] | None:
    """Return the points after the *last* frame of a match, including leftover sticks; ``None`` if unknown."""
    points, sticks = last.end.points, last.start.sticks
    if points is None or sticks is None:
        return None
    if last.wins:
        return points
    sticks += len(last.riichi)
    first = ranking(points)[0]
    return tuple(have + STICK * sticks * (player == first) for player, have in enumerate(points))


def points_at_end(match: Match) -> tuple[int, ...] | None:
    """Return the points with which *match* ended, including leftover riichi sticks: as recorded, otherwise, if it has
    results, those after its last frame; ``None`` if unknown."""
    if match.final_points is not None or match.results is None or not match.frames or is_partial(match):
        return match.final_points
    return final_points(match.frames[-1])


def results(points: tuple[int, ...], rule: PointRule, *, whole: bool) -> tuple[int, ...]:
    """Return the results under *rule*.

    :param whole: round points to whole thousands.
    """
    return shares(points, rule.target, rule.uma[1:], whole=whole)


def shares(points: tuple[int, ...], target: int, uma: tuple[int, ...], *, whole: bool) -> tuple[int, ...]:
    """Return the results: in finishing order, each player but the first gets their points, minus *target*, plus *uma*;
    the first gets the remainder, including oka.

    :param whole: round points to whole thousands.
    """
    counted = [rounded(value) for value in points] if whole else points
    first, *others = ranking(points)
    results_ = [0] * len(points)
    for player, share in zip(others, uma, strict=True):
        results_[player] = counted[player] - target + share
    results_[first] = -sum(results_)
    return tuple(results_)


# --- points below zero -----------------------------------------------------------------------------------------------


def raised(match: Match) -> Match:
    """Return *match* with the points of everybody raised by the fewest whole thousands with which nobody begins a frame
    below zero; the results stay."""
    least = min((min(frame.start.points) for frame in match.frames if frame.start.points), default=0)
    more = -(least // _THOUSAND) * _THOUSAND
    if more <= 0:
        return match

    def up(points: tuple[int, ...] | None) -> tuple[int, ...] | None:
        return None if points is None else tuple([each + more for each in points])

    def event_up(event: Event) -> Event:
        if isinstance(event, RiichiAccepted):
            return replace(event, points=up(event.points))
        return replace(event, before=up(event.before)) if isinstance(event, Win | Ryuukyoku) else event

    def frame_up(frame: Frame) -> Frame:
        return replace(
            frame,
            start=replace(frame.start, points=up(frame.start.points)),
            events=tuple(map(event_up, frame.events)),
            end=replace(frame.end, points=up(frame.end.points)),
        )

    frames = tuple(map(frame_up, match.frames))
    return replace(match, frames=frames, final_points=up(points_at_end(match)))


# --- from one frame to the next --------------------------------------------------------------------------------------


def discontinuity(points: tuple[int, ...] | None, sticks: int | None, start: Start) -> StartError | None:
    """Return the error if *start* does not have the *points* and riichi *sticks* left by the previous frame, where both
    are known."""
    if points is not None and start.points is not None and start.points != points:
        said = "the points are {found}; {expected} expected from the previous frame"
        return StartError(Message(said, found=Points(start.points), expected=Points(points)))
    if sticks is not None and start.sticks is not None and start.sticks != sticks:
        said = "the riichi sticks are {found}; {expected} expected from the previous frame"
        return StartError(Message(said, found=Sticks(start.sticks), expected=Sticks(sticks)), sticks=True)
    return None


def can_follow(frame: Frame, start: Start) -> bool:
    """Return whether *start* can come right after *frame*.

    A dealer who wins stays, with one more honba; if only others win, the deal passes and honba is reset. After a draw
    the deal may stay or pass, with one more honba.
    """
    before = frame.start
    rounds = _count(start) - _count(before)
    one_more = start.honba - before.honba == 1
    winners = [win.player for win in frame.wins]
    if not winners:
        return rounds in (0, 1) and one_more
    if before.dealer in winners:
        return rounds == 0 and one_more
    return rounds == 1 and start.honba == 0


def _count(start: Start) -> int:
    """Return the number of the round; with three players there are three per wind."""
    wind, number = divmod(start.round, 4)
    return (len(start.points or ()) or 4) * wind + number


# --- payments that are not recorded ----------------------------------------------------------------------------------

# jmjp keeps only the sum of the payments for several wins. Who pays what follows from it (sources:
# ``docs/design/mjlog-traps.md`` 12 and 16, and the real logs): the discarder pays each winner; the first winner also
# gets the riichi sticks and the honba. If anyone else loses points, it is by pao for one of the wins: half of its value
# and all of its honba.

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
    inferred = _split(frame.wins, total, _honba(frame, rule))
    return [*inferred] if tuple(map(sum, zip(*inferred, strict=True))) == total else recorded


def worth(frame: Frame, index: int, changes: Changes, rule: PointRule | None) -> int | None:
    """Return what a win is worth, without sticks and honba: as recorded, otherwise from its *changes*; ``None``
    if these do not tell it.

    :param index: the index of the win among the endings of *frame*.
    :param rule: as for :func:`payments`.
    """
    win = frame.endings[index]
    assert isinstance(win, Win)
    if win.score is not None:
        return win.score.points
    honba = 0 if index else _honba(frame, rule)
    points = -1 if honba is None else changes[win.player] - sum(changes) - honba
    return None if points < 0 else points


def _honba(frame: Frame, rule: PointRule | None) -> int | None:
    """Return what the honba add to the first win, if known."""
    if not frame.start.honba:
        return 0
    return None if rule is None else rule.honba * frame.start.honba


def _split(wins: Sequence[Win], total: Changes, honba: int | None) -> list[Changes]:
    """Return the payments for each of *wins* by ron, inferred from *total*; right only if they add up to it."""
    payments_ = []
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
        payments_.append(tuple(changes))
    return payments_


def _pao(wins: Sequence[Win], total: Changes, honba: int | None) -> list[tuple[Win, int, int]]:
    """Return which win is paid by pao, who pays and how much, if that is unambiguous."""
    payers = [player for player, change in enumerate(total) if change < 0 and player != wins[0].source]
    candidates = [carried for payer in payers for carried in _carried_by(payer, wins, total, honba)]
    return candidates if len(candidates) == 1 else []


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


_HUNDRED: Final = 100


def can_be_shared(points: int, players: int, *, dealer: bool) -> bool:
    """Return whether a tsumo can be worth *points*: every payer pays whole hundreds, rounded up.

    All pay the dealer the same. Of four players, the dealer pays another twice as much as the rest, or a hundred less
    (docs/design/scoring.md, Payments). With three, houses differ in what becomes of the fourth's share.

    :param dealer: whether the dealer wins.
    """
    if dealer:
        return not points % (_HUNDRED * (players - 1))
    return players < SEATS or points % (_HUNDRED * SEATS) in (0, _HUNDRED * (SEATS - 1))


# --- riichi sticks ---------------------------------------------------------------------------------------------------


def with_sticks(frames: Sequence[Frame]) -> list[Frame]:
    """Return *frames*, each with the number of riichi sticks at its start.

    Where it is not recorded, it follows from the payments of a win, from the next frame or from the one before. If
    nothing shows it, it is 0.
    """
    counts = [frame.start.sticks for frame in frames]
    if None not in counts:
        return [*frames]
    for number in reversed(range(len(frames))):
        if counts[number] is None:
            counts[number] = _from_end(frames, number, counts)
    for number in range(len(frames)):
        if counts[number] is None:
            counts[number] = _from_before(frames, number, counts)
    return [
        replace(frame, start=replace(frame.start, sticks=sticks)) for frame, sticks in zip(frames, counts, strict=True)
    ]


def _from_end(frames: Sequence[Frame], number: int, sticks: Sequence[int | None]) -> int | None:
    """Return the sticks that the end of a frame, or the next one, shows."""
    frame = frames[number]
    changes = frame_changes(frame) if frame.wins else None
    if changes is not None:
        return max(0, sum(changes) // STICK - len(frame.riichi))
    after = sticks[number + 1] if number + 1 < len(frames) else None
    if after is None or frame.wins or not can_follow(frame, frames[number + 1].start):
        return None
    return max(0, after - len(frame.riichi))


def _from_before(frames: Sequence[Frame], number: int, sticks: Sequence[int | None]) -> int:
    """Return the sticks that the frame before leaves."""
    if not number or not can_follow(frames[number - 1], frames[number].start) or frames[number - 1].wins:
        return 0
    return (sticks[number - 1] or 0) + len(frames[number - 1].riichi)
