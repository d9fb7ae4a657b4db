"""Abortive draws that the play shows, where a record does not name them."""

from __future__ import annotations

from pathlib import Path

import pytest
from playing import matches

from jmjp_convert.formats.mjai.reader import read_mjai
from jmjp_convert.formats.mjai.writer import write_mjai
from jmjp_convert.formats.mjlog.reader import read_mjlog
from jmjp_convert.model import Draw, DrawKind, Frame, Match, RiichiAccepted, Ryuukyoku, Start
from jmjp_convert.model.record import replace
from jmjp_convert.model.tiles import NO_REDS, UNKNOWN
from jmjp_convert.play.abortive import abortive_kind

VALID = Path(__file__).parent.parent / "fixtures" / "valid"
NAMES = {
    "nine-terminals": DrawKind.NINE_TERMINALS,
    "four-winds": DrawKind.FOUR_WINDS,
    "four-riichi": DrawKind.FOUR_RIICHI,
    "four-kans": DrawKind.FOUR_KANS,
}


def game(name: str) -> Match:
    """Return a fixture."""
    return read_mjlog(VALID / f"{name}.xml")


def shown(frame: Frame) -> DrawKind | None:
    """Return what the play of *frame* shows."""
    index = next(index for index, event in enumerate(frame.events) if isinstance(event, Ryuukyoku))
    return abortive_kind(frame.start, frame.events[:index])


@pytest.mark.parametrize("name", NAMES)
def test_shown(name: str) -> None:
    """Each of the four is shown by its play."""
    assert shown(game(name).frames[0]) is NAMES[name]


def test_never_wrong(subtests: pytest.Subtests) -> None:
    """No play shows another kind than the recorded one."""
    for path in sorted(VALID.glob("*.xml")):
        with subtests.test(path.stem):
            for frame in read_mjlog(path).frames:
                for draw in frame.endings:
                    if isinstance(draw, Ryuukyoku):
                        assert shown(frame) in (draw.kind, None)


def test_eight_terminals() -> None:
    """A hand that is known to have eight kinds of terminals and honors, or that is hidden, shows nothing."""
    frame = game("nine-terminals").frames[0]
    hands = tuple([(UNKNOWN,) * len(hand) for hand in frame.start.hands])
    assert shown(replace(frame, start=replace(frame.start, hands=hands))) is None


def test_no_draw() -> None:
    """A discard of a player who has not drawn shows nothing."""
    frame = game("four-winds").frames[0]
    assert isinstance(frame.events[0], Draw)
    assert shown(replace(frame, events=frame.events[1:])) is None


def test_three_riichi() -> None:
    """A fourth riichi that is not accepted is not shown."""
    frame = game("four-riichi").frames[0]
    last = max(index for index, event in enumerate(frame.events) if isinstance(event, RiichiAccepted))
    assert shown(replace(frame, events=(*frame.events[:last], *frame.events[last + 1 :]))) is None


def test_no_play() -> None:
    """Where no play is recorded, nothing is shown."""
    assert abortive_kind(Start(0, 0, 0, 0, None, None, ((),) * 4), ()) is None


@pytest.mark.parametrize(("name", "kind"), [*NAMES.items(), ("exhaustive-2-tenpai", None)])
def test_mjai(name: str, kind: DrawKind | None) -> None:
    """In mjai without the reason for a draw, the play shows it, and a notice says so; a draw at the end of the wall
    remains of unknown kind: it may be a nagashi mangan."""
    notices: list[str] = []
    (match,) = read_mjai(write_mjai(game(name)).encode(), notice=notices.append)
    (draw,) = match.frames[0].endings
    assert isinstance(draw, Ryuukyoku)
    assert draw.kind is kind
    assert notices == ([f"reason for a draw inferred from the play: {kind.value}"] if kind else [])


def test_no_red_fives() -> None:
    """Four fives of a suit, none of them red, do not hide what the play shows."""
    (match,) = matches("--seed 1 --want kan-with-dora-owed --players 3 --wild --first 8 --tries 1")
    assert match.rules.red_fives == NO_REDS
    (again,) = read_mjai(write_mjai(match).encode())
    (draw,) = again.frames[1].endings
    assert isinstance(draw, Ryuukyoku)
    assert draw.kind is DrawKind.FOUR_KANS
