"""The checks of JSON values: what each takes, and what it says of anything else."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from jmjp_convert.formats.bounds import MOST_POINTS
from jmjp_convert.formats.json_values import At, WrongValue, optional

TILES = {11: 0, "1m": 0, "2m": 4}


@pytest.mark.parametrize(
    ("read", "value", "result"),
    [
        (At.object, {"a": 1}, {"a": 1}),
        (At.list, [1], [1]),
        (At.count, 0, 0),
        (At.count, 16000.0, 16000),
        (At.count, "16000", 16000),
        (At.points, -1200, -1200),
        (At.points, MOST_POINTS, MOST_POINTS),
        (At.text, "東", "東"),
        (At.flag, False, False),
        (lambda at: at.count(12, 2), 12, 12),
        (lambda at: at.player(3), 2, 2),
        (lambda at: at.list(counts=(4, 3)), [1, 2, 3], [1, 2, 3]),
        (lambda at: at.points_by_player(3), [100, 200, 300, 0], (100, 200, 300)),
        (lambda at: at.points_by_player(3), [100.0, "200", 300], (100, 200, 300)),
        (lambda at: at.tile(TILES), "2m", 4),
        (lambda at: at.tiles(TILES), ["2m", 11], (4, 0)),
        (lambda at: at.member("x", "y").value, {"x": None, "y": 1}, 1),
        (lambda at: [each.count() for each in at.items()], [1, 2], [1, 2]),
    ],
)
def test_values(read: Callable[[At], Any], value: object, result: object) -> None:
    """A value that is as expected is returned; whole numbers may have a decimal point or quotes."""
    assert read(At(value)) == result


@pytest.mark.parametrize(
    ("read", "value", "message"),
    [
        (At.object, [], "/x: expected an object, found a list"),
        (At.list, 1, "/x: expected a list, found 1"),
        (At.count, -1, "/x: expected a whole number of at most nine digits, 0 or more, found -1"),
        (At.count, True, "/x: expected a whole number of at most nine digits, 0 or more, found true"),
        (At.count, 1.5, "/x: expected a whole number of at most nine digits, 0 or more, found 1.5"),
        (At.points, 1050, "/x: expected points, a multiple of 100, found 1050"),
        (At.points, MOST_POINTS + 100, f"/x: expected points, a multiple of 100, found {MOST_POINTS + 100}"),
        (At.text, 1, "/x: expected a string, found 1"),
        (At.text, "\ud800", '/x: expected a string without lone surrogates, found "\\ud800"'),
        (At.flag, 0, "/x: expected true or false, found 0"),
        (lambda at: at.count(12, 2), 1, "/x: expected a whole number, 2 to 12, found 1"),
        (lambda at: at.player(3), 3, "/x: expected a player, 0 to 2, found 3"),
        (lambda at: at.list(counts=(4, 3)), [1], "/x: 1 values; 4 expected"),
        (lambda at: at.points_by_player(3), [100, 200], "/x: points of 2 players; 3 expected"),
        (lambda at: at.points_by_player(3), [100, 200, 300, 400], "/x: points of 4 players; 3 expected"),
        (lambda at: at.points_by_player(3), [100, 250, 300], "/x/1: expected points, a multiple of 100, found 250"),
        (lambda at: at.tile(TILES), 11.0, "/x: expected a tile, found 11.0"),
        (lambda at: at.tile(TILES), [], "/x: expected a tile, found a list"),
        (lambda at: at.tiles(TILES), ["1m", "3m"], '/x/1: expected a tile, found "3m"'),
        (lambda at: at.tiles(TILES, (13,)), ["1m"], "/x: 1 values; 13 expected"),
        (lambda at: at.member("y", "z"), {"y": None}, '/x: missing key "y"'),
        (lambda at: at.member("y").item(1).text(), {"y": ["", 2]}, "/x/y/1: expected a string, found 2"),
        (lambda at: at.member("y").text(), 5, "/x: expected an object, found 5"),
    ],
)
def test_wrong_values(read: Callable[[At], Any], value: object, message: str) -> None:
    """Any other value is an error that says what was expected, with the pointer to the value."""
    with pytest.raises(WrongValue) as refused:
        read(At(value, "/x"))
    assert f"{refused.value.pointer}: {refused.value.reason}" == message


def test_missing() -> None:
    """A value that is missing or null is none."""
    values = At({"a": None, "b": 1})
    assert optional(values.get("a", "c"), At.count) is None
    assert optional(values.get("a", "b"), At.count) == 1


def test_under() -> None:
    """An error passed on outwards gets the keys around it in front."""
    assert WrongValue("odd", "/2").under("hands", 1).pointer == "/hands/1/2"
