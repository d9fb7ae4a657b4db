"""Tiles: ids, kinds, faces, dora."""

from __future__ import annotations

import pytest
from tables import table

from jmjp_convert.model import tiles
from jmjp_convert.model.tiles import NO_REDS

RED = tiles.faces()
PLAIN = tiles.faces(NO_REDS)

SUITS = [[f"{rank}{suit}" for rank in range(1, 10)] for suit in "mps"]
CIRCLES = [*SUITS, ["ew", "sw", "ww", "nw"], ["wd", "gd", "rd"]]
"""The dora of an indicator is the next face in its cycle."""

DORA = {face: circle[(place + 1) % len(circle)] for circle in CIRCLES for place, face in enumerate(circle)}
DORA |= {f"0{suit}": f"6{suit}" for suit in "mps"}


def short(ids: list[int]) -> str:
    """Return tiles in short notation, `m179z4`, from their faces alone."""
    honors = {face: str(number) for number, face in enumerate(["ew", "sw", "ww", "nw", "wd", "gd", "rd"], 1)}
    suited = [f"z{honors[face]}" if face in honors else face[::-1] for face in (RED[tile] for tile in sorted(ids))]
    return "".join(
        suit + "".join(face[1] for face in suited if face[0] == suit)
        for suit in "mpsz"
        if any(face[0] == suit for face in suited)
    )


def test_published_hand() -> None:
    """A published hand of thirteen ids has the published faces."""
    assert short([43, 0, 35, 105, 25, 59, 84, 51, 121, 74, 67, 40, 52]) == "m179p224068s149z4"


@pytest.mark.parametrize(("tile", "face"), table("model_tiles", "face"))
def test_face(tile: int, face: str) -> None:
    """An id has the face of its kind; the lowest five of each suit is red."""
    assert RED[tile] == face


def test_faces_without_red_fives() -> None:
    """Without red fives, ids 16, 52 and 88 are plain fives, and all other faces stay the same."""
    assert {tile: (RED[tile], PLAIN[tile]) for tile in range(tiles.PHYSICAL) if RED[tile] != PLAIN[tile]} == {
        16: ("0m", "5m"),
        52: ("0p", "5p"),
        88: ("0s", "5s"),
    }


def test_copies() -> None:
    """Each kind has four copies; one of the fives in each suit is red."""
    assert tiles.PHYSICAL == 136
    assert {face: RED[: tiles.PHYSICAL].count(face) for face in set(RED[: tiles.PHYSICAL])} == {
        face: {"0": 1, "5": 3}.get(face[0], 4) for face in tiles.FACES
    }


def test_order_of_faces() -> None:
    """The 37 faces are in tile order: suits, winds, dragons; a red five before the plain ones."""
    assert tuple(dict.fromkeys(RED[: tiles.PHYSICAL])) == tiles.FACES
    assert len(tiles.FACES) == 37


@pytest.mark.parametrize("face", tiles.FACES)
def test_any_copy(face: str) -> None:
    """A tile known only by face has an id above the physical ones, with that face under all rules."""
    tile = tiles.any_copy(face)
    assert tile >= tiles.PHYSICAL
    assert RED[tile] == PLAIN[tile] == face


def test_any_copy_sorts_like_the_tiles() -> None:
    """Ids of faces sort in tile order, with the unknown tile last."""
    copies = [tiles.any_copy(face) for face in tiles.FACES]
    assert [*copies, tiles.UNKNOWN] == sorted({*copies, tiles.UNKNOWN})


def test_unknown() -> None:
    """The unknown tile is written as `uk`, and every id has a face."""
    assert tiles.any_copy("uk") == tiles.UNKNOWN
    assert RED[tiles.UNKNOWN] == PLAIN[tiles.UNKNOWN] == tiles.UNKNOWN_FACE == "uk"
    assert len(RED) == len(PLAIN) == tiles.IDS


def test_counts_and_reds() -> None:
    """Tiles are counted by kind, red fives with the others; those that are unknown are left out."""
    counts = tiles.counts("055m 1p uk")
    assert {kind: count for kind, count in enumerate(counts) if count} == {4: 3, 9: 1}
    assert tiles.counts([16, 17, 18, 36, tiles.UNKNOWN]) == counts
    assert [tiles.is_red(tile) for tile in (16, 17, tiles.any_copy("0m"), tiles.UNKNOWN)] == [True, False, True, False]
    assert not tiles.is_red(16, red_fives=tiles.NO_REDS)


def test_dora_table_is_complete() -> None:
    """The cases below cover all 37 faces."""
    assert DORA.keys() == set(tiles.FACES)


@pytest.mark.parametrize(("indicator", "shown"), DORA.items())
def test_dora(indicator: str, shown: str) -> None:
    """The dora is the next tile: 9 wraps to 1, North to East, chun to haku; a red five is followed by the six."""
    copies = [tile for tile in range(tiles.PHYSICAL) if RED[tile] == indicator] + [tiles.any_copy(indicator)]
    assert {tiles.dora(tile) for tile in copies} == {tiles.any_copy(shown)}


@pytest.mark.parametrize("players", [3, 4])
def test_indicators(players: int) -> None:
    """A dora has all its indicators, the plain one first; with three players, none of them is 2m to 8m."""
    there = [face for face in tiles.FACES if players == 4 or face not in {f"{rank}m" for rank in (0, *range(2, 9))}]
    for face in set(DORA.values()):
        found = tiles.indicators(tiles.any_copy(face), players)
        shown_by = {tiles.any_copy(shown) for shown in there if RED[tiles.dora(tiles.any_copy(shown), players)] == face}
        assert set(found) == shown_by
        assert not any(RED[tile].startswith("0") for tile in found[:1])
