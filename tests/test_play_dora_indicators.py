"""Dora indicators inferred from the dora alone.

Tenhou's timing is from ``docs/design/mjlog-traps.md`` 6 and 7; that the real logs agree is tested here.
"""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from test_real_logs import MANIFEST, SOUND

from jmjp_convert.formats.mjlog.reader import read_mjlog
from jmjp_convert.model import (
    DISCARDS,
    DRAWS,
    Ankan,
    Daiminkan,
    Disconnected,
    DoraRevealed,
    DrawKind,
    End,
    Event,
    Frame,
    Kakan,
    Kita,
    Pon,
    RiichiAccepted,
    RiichiDeclared,
    Rules,
    Ryuukyoku,
    Start,
    Win,
)
from jmjp_convert.model.tiles import UNKNOWN, any_copy, faces
from jmjp_convert.play.dora_indicators import with_indicators

FOUR, THREE = Rules(), Rules(players=3)
DORA = tuple(map(any_copy, ("2p", "3p", "4p", "5p", "6p", "7p", "8p", "9p", "1p", "ew")))
"""Indicators 1p, 3p, 5p, 7p, 9p; ura dora indicators 2p, 4p, 6p, 8p, nw."""

SECOND, THIRD = DoraRevealed(any_copy("3p")), DoraRevealed(any_copy("5p"))
DRAW, DISCARD, REPLACEMENT = DRAWS[0][0], DISCARDS[False][0][0], DRAWS[0][4]
PON = Pon(0, 8, (9, 10), 1)
ANKAN, KAKAN, DAIMINKAN = Ankan(0, (12, 13, 14, 15)), Kakan(0, 11, PON), Daiminkan(0, 20, (21, 22, 23), 1)
OTHER_KAKAN, KITA = Kakan(0, 27, Pon(0, 24, (25, 26), 1)), Kita(0, 120)
TSUMO, RON = Win(0, None, 4), Win(1, 0, 11)
DRAWN, GONE = Ryuukyoku(DrawKind.TRIPLE_RON), Disconnected(2)

AT_ONCE = {"d151625eabbd.xml": ["S4-0"], "kan-dora-at-once.xml": ["E1-0"]}
"""Frames from tables that turn every indicator at once, although the dora shown do not reveal it."""


def frame(*events: Event, dora: tuple[int, ...] | None = DORA) -> Frame:
    """Return a frame with known dora but no indicators."""
    return Frame(Start(0, 0, 0, 0, None, None, ()), events, End((), None), dora)


def known(count: int) -> tuple[int, ...]:
    """Return the dora of a frame in which *count* of the dora above are known, and no ura dora."""
    return tuple(tile if place in range(0, 2 * count, 2) else UNKNOWN for place, tile in enumerate(DORA))


@pytest.mark.parametrize(
    ("played", "expected"),
    [
        ((DRAW, DISCARD), (DRAW, DISCARD)),
        ((ANKAN, REPLACEMENT, DISCARD), (ANKAN, SECOND, REPLACEMENT, DISCARD)),
        ((ANKAN, REPLACEMENT, TSUMO), (ANKAN, SECOND, REPLACEMENT, TSUMO)),
        ((ANKAN, GONE, REPLACEMENT), (ANKAN, SECOND, GONE, REPLACEMENT)),
        ((ANKAN,), (ANKAN, SECOND)),
        ((ANKAN, RON), (ANKAN, RON)),
        ((ANKAN, GONE, RON), (ANKAN, GONE, RON)),
        ((KAKAN, REPLACEMENT, DISCARD), (KAKAN, REPLACEMENT, SECOND, DISCARD)),
        ((KAKAN, REPLACEMENT, GONE, DISCARD), (KAKAN, REPLACEMENT, GONE, SECOND, DISCARD)),
        ((DAIMINKAN, REPLACEMENT, DISCARD), (DAIMINKAN, REPLACEMENT, SECOND, DISCARD)),
        ((KAKAN, REPLACEMENT), (KAKAN, REPLACEMENT)),
        ((KAKAN, REPLACEMENT, TSUMO), (KAKAN, REPLACEMENT, TSUMO)),
        ((KAKAN, RON), (KAKAN, RON)),
        ((KAKAN, DRAWN), (KAKAN, DRAWN)),
        (
            (KAKAN, REPLACEMENT, OTHER_KAKAN, REPLACEMENT, DISCARD),
            (KAKAN, REPLACEMENT, OTHER_KAKAN, SECOND, REPLACEMENT, THIRD, DISCARD),
        ),
        (
            (DAIMINKAN, REPLACEMENT, ANKAN, REPLACEMENT, DISCARD),
            (DAIMINKAN, REPLACEMENT, ANKAN, SECOND, THIRD, REPLACEMENT, DISCARD),
        ),
        (
            (ANKAN, REPLACEMENT, KAKAN, REPLACEMENT, DISCARD),
            (ANKAN, SECOND, REPLACEMENT, KAKAN, REPLACEMENT, THIRD, DISCARD),
        ),
        ((KAKAN, REPLACEMENT, OTHER_KAKAN, RON), (KAKAN, REPLACEMENT, OTHER_KAKAN, SECOND, RON)),
        ((KITA, REPLACEMENT, DISCARD), (KITA, REPLACEMENT, DISCARD)),
        (
            (KAKAN, REPLACEMENT, KITA, REPLACEMENT, DISCARD),
            (KAKAN, REPLACEMENT, KITA, REPLACEMENT, SECOND, DISCARD),
        ),
    ],
)
def test_turned(played: tuple[Event, ...], expected: tuple[Event, ...]) -> None:
    """The indicator of an ankan is turned at once; that of another kan before the next discard, or once the next kan is
    declared."""
    found = with_indicators(frame(*played), FOUR)
    assert found.events == expected
    assert found.start.indicator == any_copy("1p")


@pytest.mark.parametrize(
    ("dora", "rules", "indicator"),
    [
        ("6s", FOUR, "5s"),
        ("1s", FOUR, "9s"),
        ("ew", FOUR, "nw"),
        ("wd", FOUR, "rd"),
        ("9m", FOUR, "8m"),
        ("9m", THREE, "1m"),
        ("1m", THREE, "9m"),
    ],
)
def test_first_indicator(dora: str, rules: Rules, indicator: str) -> None:
    """The first indicator is the tile before the dora: a plain five for a six; with three players, 1m for 9m."""
    found = with_indicators(frame(dora=(any_copy(dora), *[UNKNOWN] * 9)), rules)
    assert found.start.indicator == any_copy(indicator)


def test_known_already() -> None:
    """A frame that has its indicators is unchanged."""
    log = frame(ANKAN, REPLACEMENT)
    log = replace(log, start=replace(log.start, indicator=0))
    assert with_indicators(log, FOUR) is log


def test_no_dora() -> None:
    """A frame without recorded dora is unchanged."""
    blank = frame(ANKAN, REPLACEMENT, dora=None)
    assert with_indicators(blank, FOUR) is blank


def test_unknown() -> None:
    """Unknown dora have no indicator, no event, and no ura dora."""
    events = (RiichiDeclared(0), RiichiAccepted(0), ANKAN, REPLACEMENT, TSUMO)
    found = with_indicators(frame(*events, dora=(UNKNOWN,) * 10), FOUR)
    assert found == frame(*events, dora=(UNKNOWN,) * 10)


def test_gap() -> None:
    """A kan whose dora is unknown turns nothing, and the next one turns its own."""
    dora = (DORA[0], UNKNOWN, UNKNOWN, UNKNOWN, *DORA[4:])
    found = with_indicators(frame(ANKAN, REPLACEMENT, ANKAN, REPLACEMENT, dora=dora), FOUR)
    assert found.events == (ANKAN, REPLACEMENT, ANKAN, THIRD, REPLACEMENT)


@pytest.mark.parametrize(
    ("shown", "expected"),
    [
        (1, (KAKAN, REPLACEMENT, TSUMO)),
        (2, (KAKAN, SECOND, REPLACEMENT, TSUMO)),
        (5, (KAKAN, REPLACEMENT, TSUMO)),
    ],
)
def test_turned_at_once(shown: int, expected: tuple[Event, ...]) -> None:
    """A frame with a dora that Tenhou would not have turned yet is from a table that turns them at once; one with all
    ten dora shows the wall."""
    assert with_indicators(frame(KAKAN, REPLACEMENT, TSUMO, dora=known(shown)), FOUR).events == expected


@pytest.mark.parametrize(
    ("before", "ura"),
    [
        ((), ("2p",)),
        ((ANKAN, REPLACEMENT), ("2p", "4p")),
        ((KAKAN, REPLACEMENT), ("2p",)),
        ((KAKAN, REPLACEMENT, DISCARD, DRAW), ("2p", "4p")),
    ],
)
def test_ura(before: tuple[Event, ...], ura: tuple[str, ...]) -> None:
    """A winner in riichi sees one ura dora indicator under each turned indicator."""
    found = with_indicators(frame(RiichiAccepted(0), *before, TSUMO), FOUR)
    assert found.events[-1] == replace(TSUMO, ura=tuple(map(any_copy, ura)))


def test_ura_of_riichi_alone() -> None:
    """Of two winners, one without riichi sees no ura dora; a riichi that is not accepted does not count."""
    other = replace(RON, player=2)
    found = with_indicators(frame(RiichiAccepted(2), RiichiDeclared(1), RON, other), FOUR)
    assert found.events[-2:] == (RON, replace(other, ura=(any_copy("2p"),)))


def test_ura_known_in_part() -> None:
    """Ura dora are left out if one of them is unknown."""
    dora = (*DORA[:3], *[UNKNOWN] * 7)
    found = with_indicators(frame(RiichiAccepted(0), ANKAN, REPLACEMENT, TSUMO, dora=dora), FOUR)
    assert found.events[-1] == TSUMO


@pytest.mark.parametrize(("plain", "expected"), [(2, "5p"), (3, "0p")])
def test_red_five(plain: int, expected: str) -> None:
    """The indicator of a six is a plain five, unless all plain ones were seen; then it is the red one."""
    rest = iter([f"{rank}{suit}" for suit in "ms" for rank in (1, 2, 3, 4, 6, 7, 8, 9)] * 4)
    dealt = [[next(rest) for _ in range(13)] for _ in range(4)]
    dealt[0][:plain] = ["5p"] * plain
    start = Start(0, 0, 0, 0, None, None, tuple(tuple(map(any_copy, hand)) for hand in dealt))
    dora = (any_copy("6p"), *[UNKNOWN] * 9)
    assert with_indicators(Frame(start, (), End((), None), dora), FOUR).start.indicator == any_copy(expected)


# --- logs ------------------------------------------------------------------------------------------------------------

NAMES = faces(red_fives=False)


def shown(found: Frame) -> list[tuple[int, list[str]]]:
    """Return the faces of the indicators of *found*, red fives as plain ones, each with the index of its event."""
    rows: list[tuple[int, tuple[int, ...]]] = [(-1, (found.start.indicator or 0,))]
    for place, event in enumerate(found.events):
        if isinstance(event, DoraRevealed):
            rows.append((place, (event.indicator,)))
        elif isinstance(event, Win):
            rows.append((place, event.ura))
    return [(place, [NAMES[tile].replace("0", "5") for tile in tiles]) for place, tiles in rows]


def hidden(found: Frame) -> Frame:
    """Return *found* without its indicators."""
    events = (replace(event, ura=()) if isinstance(event, Win) else event for event in found.events)
    kept = tuple(event for event in events if not isinstance(event, DoraRevealed))
    return replace(found, start=replace(found.start, indicator=None), events=kept)


def assert_found_again(path: Path) -> None:
    """Check that the indicators of each frame of the log *path* are inferred in their places."""
    match = read_mjlog(path)
    assert match.frames
    differ = [log.start.name for log in match.frames if shown(with_indicators(hidden(log), match.rules)) != shown(log)]
    assert differ == AT_ONCE.get(path.name, [])


def test_fixtures(valid_input: Path) -> None:
    """In invented logs, every indicator is inferred in its place, except at a table that turns it at once."""
    assert_found_again(valid_input)


@pytest.mark.skipif(not MANIFEST.is_file(), reason="there are no real logs in ../shared/mjlog")
@pytest.mark.parametrize("path", SOUND, ids=lambda path: path.name)
def test_real_logs(path: Path) -> None:
    """In real logs of three and four players, every indicator is inferred in its place."""
    assert_found_again(path)
