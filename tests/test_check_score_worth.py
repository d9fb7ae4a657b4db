"""What waits are worth is what `check --score` finds for a win at that moment, and what records have for wins."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from functools import cache
from itertools import chain, pairwise
from pathlib import Path

import pytest
from clients import NO_REAL, REAL, games_of
from effort import some
from playing import NORMAL, SANMA, matches, rare

from jmjp_convert.checks.score.report import NotJudgedError
from jmjp_convert.checks.score.worth import Change, Worth, worths
from jmjp_convert.formats.mjlog.reader import read_mjlog
from jmjp_convert.model import Discard, Frame, Limit, Match, Rules, Win
from jmjp_convert.model.tiles import any_copy, faces
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
    found = [change for change in changes if change.step <= step and change.player == player]
    return found[-1] if found else None


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
        for frame, found in zip(match.frames, changes, strict=True):
            frame_ = with_indicators(frame, match.rules)
            for step, win in wins_of(frame_):
                if win.score is None or (win.source is not None and not isinstance(_last_move(frame_, step), Discard)):
                    continue  # robbed
                change = last_of(found, step, win.player)
                assert change is not None, (match.id, frame.start.name)
                (worth,) = [one for one in change.worths if one.tile == face(win.tile, match)]
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


# --- known hands ------------------------------------------------------------------------------------------------------


def worth_in(name: str, frame: int, step: int, player: int, tile: str) -> Worth:
    """Return what *tile* is worth to a player in a fixture."""
    change = last_of(of(read_mjlog(VALID / f"{name}.xml"))[frame], step, player)
    assert change is not None
    return next(one for one in change.worths if one.tile == any_copy(tile))


def test_no_yaku() -> None:
    """A wait without a yaku is worth nothing; the other one of the same hand may have one."""
    without, with_ = (worth_in("plain", 0, 26, 0, tile) for tile in ("9s", "wd"))
    assert (without.ron, without.tsumo) == (None, None)
    assert with_.ron is not None
    assert with_.ron.main == 2900


def test_red_five() -> None:
    """A red five is worth a han more."""
    plain, red = (worth_in("plain", 0, 26, 1, tile) for tile in ("5s", "0s"))
    assert plain.ron is not None
    assert red.ron is not None
    assert (plain.ron.score.han, red.ron.score.han) == (4, 5)
    assert red.ron.score.limit is Limit.MANGAN


def test_changes_only() -> None:
    """A hand is said again only when its waits or their worth change."""
    for source in (NORMAL, SANMA):
        for match in matches(source):
            for changes in of(match):
                for player in range(match.rules.players):
                    own = [change.worths for change in changes if change.player == player]
                    assert all(one != other for one, other in pairwise(own))


def test_private_table() -> None:
    """Nothing is computed by rules that are not known."""
    match = replace(read_mjlog(VALID / "plain.xml"), rules=Rules(4))
    with pytest.raises(NotJudgedError, match="whose rules were played is not recorded"):
        worths(match)
