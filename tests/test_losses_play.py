"""Tiles, draws and discards known by face only."""

from __future__ import annotations

import pytest

from jmjp_convert.formats.losses.play import after_discard, by_face
from jmjp_convert.model import DISCARDS, DRAWS, Event, RiichiAccepted, tiles
from jmjp_convert.model.tiles import NO_REDS, ONE_RED_EACH, RedFives


@pytest.mark.parametrize(("red_fives", "five"), [(ONE_RED_EACH, "0p"), (NO_REDS, "5p"), (None, "0p")])
def test_any_copy(five: str, *, red_fives: RedFives | None) -> None:
    """A tile becomes any copy of its face, which for the first 5p is red unless the rules have no red fives."""
    faces = by_face(red_fives)
    held = tiles.any_copy(five)
    assert faces.any[52] == held
    assert faces.draws[2][52] is DRAWS[2][held]


def test_every_id() -> None:
    """Each tile ID, including those of tiles known only by face, becomes the ID of any copy of the same face."""
    names = tiles.faces()
    faces = by_face(ONE_RED_EACH)
    assert [faces.any[tile] for tile in range(tiles.IDS)] == [tiles.any_copy(name) for name in names]
    assert len(faces.draws[0]) == tiles.IDS


def test_hand() -> None:
    """A hand is sorted by face, with unknown tiles last."""
    hand = by_face(ONE_RED_EACH).hand((135, tiles.UNKNOWN, 16, 17, 0))
    assert hand == (*map(tiles.any_copy, ("1m", "0m", "5m", "rd")), tiles.UNKNOWN)


def test_after_discard() -> None:
    """A riichi is accepted right after the last discard."""
    events: list[Event] = [DRAWS[0][0], DISCARDS[True][0][0], DRAWS[1][4]]
    assert after_discard(events) == 2
    assert after_discard([*events, DISCARDS[True][1][4], RiichiAccepted(1)]) == 4
