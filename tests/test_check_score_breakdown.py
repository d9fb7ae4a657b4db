"""What a win consists of: fu in parts, points with honba and sticks, and where the record differs."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import chain
from pathlib import Path

import pytest
from clients import NO_REAL, REAL, games_of
from effort import some
from playing import NORMAL, SANMA, matches
from tables import table

from jmjp_convert.checks.score import check_score, hand_value
from jmjp_convert.checks.score.breakdown import Account, Total, accounts, totals
from jmjp_convert.checks.score.hand_value import FuPart
from jmjp_convert.formats.jmjp.reader import read_jmjp
from jmjp_convert.formats.mjlog.reader import read_mjlog
from jmjp_convert.model import Limit, Match, Rules, Score, Win, Yaku
from jmjp_convert.model.record import replace

VALID = Path(__file__).parent.parent / "fixtures" / "valid"


def games(source: str) -> Iterator[Match]:
    """Yield some games of *source*."""
    yield from some([game.match for game in games_of(REAL)]) if source == REAL else matches(source)


def of(name: str) -> list[Account]:
    """Return the accounts of all wins of a fixture."""
    return list(map(account, chain.from_iterable(accounts(read_mjlog(VALID / f"{name}.xml")))))


def account(result: Account | str) -> Account:
    """Return an account that is there."""
    assert isinstance(result, Account), result
    return result


def changed(match: Match, number: int, **change: object) -> Match:
    """Return *match* with another first win in the frame *number*."""
    frames = [*match.frames]
    win = frames[number].endings[0]
    other = replace(win, **change)
    events = tuple(other if event is win else event for event in frames[number].events)
    frames[number] = replace(frames[number], events=events)
    return replace(match, frames=tuple(frames))


@pytest.mark.parametrize("source", [pytest.param(REAL, marks=NO_REAL), NORMAL, SANMA])
def test_sums(source: str) -> None:
    """The parts of the fu add up to the fu, rounded up; hand, honba and sticks to what the winner gets."""
    wins = parts = 0
    for match in games(source):
        for frame, accounts_ in zip(match.frames, accounts(match), strict=True):
            endings = [event for event in frame.endings if isinstance(event, Win)]
            for win, total, account_ in zip(endings, totals(frame, match.rules.players), accounts_, strict=True):
                assert win.changes is not None
                wins += 1
                if isinstance(account_, str):
                    continue
                assert total is not None
                assert total.hand + total.honba + total.sticks == win.changes[win.player]
                assert account_.value is not None
                assert (account_.differs, account_.lacks, account_.paid) == (False, False, None)
                if not account_.value.score.yakuman:
                    fu = sum(part.fu for part in account_.value.fu)
                    assert win.score is not None
                    assert win.score.fu == (25 if fu == 25 else -(-fu // 10) * 10)
                    parts += len(account_.value.fu)
    assert wins > 5
    assert parts > wins


@pytest.mark.parametrize(("name", "expected"), table("check_score_breakdown", "fu", vars(hand_value)))
def test_fu(name: str, expected: tuple[FuPart, ...]) -> None:
    """A pinfu tsumo has the base alone, a closed ron ten more, a closed kan of honors 32, a kanchan two."""
    value = of(name)[0].value
    assert value is not None
    assert value.fu == expected


def test_several_wins() -> None:
    """Of two winners, the first gets honba and sticks, the second its hand alone."""
    match = read_mjlog(VALID / "double-ron.xml")
    assert totals(match.frames[1], 4) == [Total(2000, 300, 1000), Total(8000, 0, 0)]


def test_other_payments() -> None:
    """There is no sum where the recorded payments are others, or no points are recorded."""
    match = read_mjlog(VALID / "plain.xml")
    assert totals(changed(match, 0, changes=(-4000, 8800, -2000, -2800)).frames[0], 4) == [None]
    assert totals(changed(match, 0, score=None).frames[0], 4) == [None]


def test_differs() -> None:
    """Where the record differs, the account says so, as the check does; payments too."""
    match = read_mjlog(VALID / "plain.xml")
    yaku = (Yaku(1, 1), Yaku(0, 1), Yaku(7, 1), Yaku(8, 1))
    wrong = changed(match, 0, score=Score(20, 5200, Limit.NONE, yaku), changes=(-2600, 6200, -1300, -1300))
    differing = account(accounts(wrong)[0][0])
    assert differing.differs
    assert differing.value is not None
    assert (differing.value.score.points, differing.value.score.han) == (8000, 5)
    assert differing.paid == (-4000, 9000, -2000, -2000)
    assert check_score(wrong).findings


def test_no_win() -> None:
    """A hand that cannot win has no value, and differs."""
    match = read_mjlog(VALID / "plain.xml")
    (frame, *_) = match.frames
    (loser, *_) = frame.end.hands
    hands = (frame.end.hands[0], replace(loser, drawn=0, melds=()), *frame.end.hands[2:])
    wrong = replace(match, frames=(replace(frame, end=replace(frame.end, hands=hands)), *match.frames[1:]))
    computed = account(accounts(wrong)[0][0])
    assert (computed.value, computed.differs) == (None, True)


def test_lacks() -> None:
    """A record without fu or yaku differs in nothing, but lacks them."""
    match = read_mjlog(VALID / "plain.xml")
    score = Score(None, 8000, Limit.MANGAN, (), han_alone=5)
    computed = account(accounts(changed(match, 0, score=score))[0][0])
    assert (computed.differs, computed.lacks) == (False, True)


def test_not_computed() -> None:
    """Instead of an account there is the reason for none, as the check gives it."""
    match = replace(read_mjlog(VALID / "plain.xml"), rules=Rules(4))
    assert accounts(match)[0] == ["whose rules were played is not recorded"]
    (jmjp,) = read_jmjp((VALID / "ura-dora.jmjp").read_bytes())
    assert isinstance(accounts(replace(jmjp, rules=Rules(4)))[0][0], str)
