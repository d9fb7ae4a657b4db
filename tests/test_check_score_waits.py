"""What waits are worth is what `check --score` finds for a win at that moment, and what records have for wins."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from itertools import chain, pairwise
from pathlib import Path

import pytest
from clients import NO_REAL, REAL, games_of
from effort import some
from playing import NORMAL, SANMA, matches, rare

from jmjp_convert.checks.score.frame import judged_by
from jmjp_convert.checks.score.hand_value import Calculator, NoWinError, for_three
from jmjp_convert.checks.score.house_rules import rules_of
from jmjp_convert.checks.score.report import NotJudgedError
from jmjp_convert.checks.score.waits import Change, worths
from jmjp_convert.checks.score.win_context import PlayedFrame
from jmjp_convert.formats.mjlog.reader import read_mjlog
from jmjp_convert.model import Discard, DoraRevealed, Frame, Hand, Kakan, Match, Rules, Ryuukyoku, Win
from jmjp_convert.model.record import replace
from jmjp_convert.model.tiles import EAST, any_copy, faces
from jmjp_convert.play.dora_indicators import with_indicators

VALID = Path(__file__).parent.parent / "fixtures" / "valid"
URA = 53
SPECIAL = [
    rare(row) for row in ("rinshan-after-ankan", "rinshan-after-daiminkan", "rinshan-last-tile", "chiihou", "tenhou")
] + [rare(row) for row in ("kokushi-musou-juusanmen", "kita-with-dora-owed", "robbed-kita")]


def games(source: str) -> Iterator[Match]:
    """Yield some games of *source*."""
    if source == REAL:
        yield from some([game.match for game in games_of(REAL)])
    elif source == "special":
        yield from chain.from_iterable(map(matches, SPECIAL))
    else:
        yield from matches(source)


@cache
def of(match: Match) -> list[list[Change]]:
    """Return what the hands of *match* are worth."""
    return worths(match)


def last_of(changes: list[Change], step: int, player: int) -> Change | None:
    """Return the last of *changes* of the hand of *player* up to *step*."""
    earlier = [change for change in changes if change.step <= step and change.player == player]
    return earlier[-1] if earlier else None


def face(tile: int, match: Match) -> int:
    """Return *tile* as any copy of its face."""
    return any_copy(faces(match.rules.red_fives)[tile])


def wins_of(frame: Frame) -> list[tuple[int, Win]]:
    """Return the wins of *frame*, each with its step."""
    return [(step, event) for step, event in enumerate(frame.events) if isinstance(event, Win)]


@pytest.mark.parametrize("source", [pytest.param(REAL, marks=NO_REAL), NORMAL, SANMA, "special"])
def test_wins(source: str) -> None:
    """Each win, but for ura dora, has the fu and yaku that its tile was worth just before."""
    compared = 0
    for match in games(source):
        try:
            changes = of(match)
        except NotJudgedError:
            continue
        for frame, of_frame in zip(match.frames, changes, strict=True):
            frame_ = with_indicators(frame, match.rules)
            for step, win in wins_of(frame_):
                if win.score is None or (win.source is not None and not isinstance(_last_move(frame_, step), Discard)):
                    continue  # robbed
                change = last_of(of_frame, step, win.player)
                assert change is not None, (match.id, frame.start.name)
                (worth,) = [worth_ for worth_ in change.worths if worth_.tile == face(win.tile, match)]
                value = worth.tsumo if win.source is None else worth.ron
                assert value is not None
                recorded = {yaku for yaku in (*win.score.yaku, *win.score.yakuman) if yaku.number != URA}
                computed = {yaku for yaku in (*value.score.yaku, *value.score.yakuman) if yaku.number != URA}
                assert computed == recorded, (match.id, frame.start.name)
                if value.score.fu:
                    assert value.score.fu == win.score.fu
                compared += 1
    assert compared > 5


def _last_move(frame: Frame, step: int) -> object:
    """Return the last event before *step* that moves a tile."""
    return next(
        event for event in reversed(frame.events[:step]) if not isinstance(event, Win) and hasattr(event, "tile")
    )


# --- hands -----------------------------------------------------------------------------------------------------------


def test_kan_without_change_of_hand() -> None:
    """A kakan of the tile just drawn changes the fu at once, though the closed tiles stay the same."""
    match = read_mjlog(VALID / "kakan-after-kakan.xml")
    events = with_indicators(match.frames[0], match.rules).events
    of_player = [change for change in of(match)[0] if change.player == 1]
    kans = [step for step, event in enumerate(events, 1) if isinstance(event, Kakan)]
    assert kans
    assert [change.step for change in of_player if change.step in kans] == kans


def test_as_valued_whole() -> None:
    """Dora, ippatsu and red fives, which are added to a value, give what the package finds for the whole hand."""
    compared = 0
    for match in chain(matches(NORMAL), matches(SANMA), map(read_mjlog, sorted(VALID.glob("*.xml")))):
        try:
            of_match = of(match)
        except NotJudgedError:
            continue
        for frame, changes in zip(match.frames, of_match, strict=True):
            for played, change in _moments(match, frame, changes):
                compared += _compare(match, played, change)
    assert compared > 1000


def _moments(match: Match, frame: Frame, changes: list[Change]) -> Iterator[tuple[PlayedFrame, Change]]:
    """Yield each of *changes* with *frame* as played until then."""
    played, completed = PlayedFrame(frame, match.rules), with_indicators(frame, match.rules)
    turned: list[DoraRevealed] = []
    played.show(completed.start.indicator, turned)
    for step in range(len(completed.events) + 1):
        event = completed.events[step - 1] if step else None
        if isinstance(event, Win | Ryuukyoku):
            return
        if isinstance(event, DoraRevealed):
            turned.append(event)
        if event is not None and (not isinstance(event, DoraRevealed) or completed is frame):
            played.play(event)
        played.show(completed.start.indicator, turned)
        yield from ((played, change) for change in changes if change.step == step)


def _compare(match: Match, played: PlayedFrame, change: Change) -> int:
    """Compare the worth of each wait with the value of the whole hand; return how many values were compared."""
    player, house = change.player, rules_of(match.rules.house)
    calculator = Calculator(judged_by(match.rules, None))
    tiles, melds = tuple(sorted(played.table.hands[player])), tuple(played.table.melds[player])
    for worth in change.worths:
        for value, tsumo in ((worth.ron, False), (worth.tsumo, True)):
            context = played.possible(player, tsumo=tsumo)
            try:
                whole = calculator.value(Hand(tiles, worth.tile, melds), context)
            except NoWinError:
                assert value is None
                continue
            if tsumo and match.rules.players == 3:
                missing = house.missing(match.rules)[0]
                whole = for_three(whole, missing, dealer=context.seat_wind == EAST)
            assert value == whole
    return 2 * len(change.worths)


def test_changes_only() -> None:
    """A hand is said again only when its waits or their worth change."""
    for source in (NORMAL, SANMA):
        for match in matches(source):
            for changes in of(match):
                for player in range(match.rules.players):
                    worths = [change.worths for change in changes if change.player == player]
                    assert all(worth != other for worth, other in pairwise(worths))


def test_private_table() -> None:
    """Nothing is computed by rules that are not known."""
    match = replace(read_mjlog(VALID / "plain.xml"), rules=Rules(4))
    with pytest.raises(NotJudgedError, match="whose rules were played is not recorded"):
        worths(match)
