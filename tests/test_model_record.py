"""Records: frozen and slotted, whatever makes them fast."""

from __future__ import annotations

import copy
import pickle
from dataclasses import MISSING, FrozenInstanceError, dataclass, fields, is_dataclass, replace
from inspect import signature
from pprint import pformat
from typing import get_type_hints

import pytest

from jmjp_convert.model.record import record
from jmjp_convert.model.record import replace as record_replace


@record
class Point:
    """A point of two coordinates."""

    across: int
    up: int = 0
    tags: tuple[str, ...] = ()

    @property
    def doubled(self) -> int:
        """Twice the way across."""
        return 2 * self.across


@record
class Spot:
    """Another record with the same fields."""

    across: int
    up: int = 0
    tags: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Plain:
    """A plain dataclass for comparison."""

    across: int
    up: int = 0


def test_fields() -> None:
    """A record takes its fields by position and by name, with defaults."""
    made = Point(1, tags=("a",))
    assert (made.across, made.up, made.tags) == (1, 0, ("a",))
    assert Point(across=1, up=2) == Point(1, 2)


def test_is_a_dataclass() -> None:
    """A record is a dataclass: its fields can be listed and replaced."""
    made = Point(1, 2)
    assert replace(made, up=3) == Point(1, 3)
    assert [field.name for field in fields(made)] == ["across", "up", "tags"]
    assert is_dataclass(made)


@pytest.mark.parametrize("arguments", [{}, {"up": 1}, {"across": 1, "down": 2}])
def test_wrong_arguments(arguments: dict[str, int]) -> None:
    """A missing or unknown field is an error."""
    with pytest.raises(TypeError):
        Point(**arguments)  # type: ignore[arg-type]


@pytest.mark.parametrize("name", ["across", "up", "tags"])
def test_assigning(name: str) -> None:
    """No field can be assigned or deleted."""
    made = Point(1)
    with pytest.raises(FrozenInstanceError):
        setattr(made, name, 5)
    with pytest.raises(FrozenInstanceError):
        delattr(made, name)
    assert made == Point(1)


def test_no_other_attributes() -> None:
    """A record has no attributes other than its fields, and no dictionary."""
    made = Point(1)
    with pytest.raises((FrozenInstanceError, AttributeError, TypeError)):
        made.other = 1  # type: ignore[attr-defined]
    assert not hasattr(made, "__dict__")


def test_equality() -> None:
    """Records are equal if they have the same class and equal fields."""
    assert Point(1, 2) == Point(1, 2)
    assert Point(1, 2) != Point(2, 1)
    assert Point(1, 2, ("a",)) != Point(1, 2)
    others: list[object] = [Spot(1, 2), (1, 2, ())]
    assert Point(1, 2) not in others


def test_hash() -> None:
    """Equal records have the same hash, so a set keeps only one of them."""
    assert len({Point(1, 2), Point(1, 2), Point(1, 3)}) == 2
    assert {Point(1): "found"}[Point(1, 0)] == "found"


def test_repr() -> None:
    """The repr of a record is that of a dataclass."""
    assert repr(Point(1, 2)) == "Point(across=1, up=2, tags=())"
    assert repr(Plain(1, 2)) == "Plain(across=1, up=2)"


def test_properties() -> None:
    """A property of the class works."""
    assert Point(3).doubled == 6


def test_copies() -> None:
    """A record can be copied and pickled."""
    made = Point(1, 2, ("a", "b"))
    assert copy.deepcopy(made) == copy.copy(made) == made
    assert pickle.loads(pickle.dumps(made)) == made  # noqa: S301 - our own bytes


def test_replacing() -> None:
    """A record is replaced by one with changes to some fields; there is no way to change a field that it lacks."""
    assert record_replace(Point(1, 2, ("a",)), up=3) == Point(1, 3, ("a",))
    with pytest.raises(TypeError, match="down"):
        record_replace(Point(1), down=3)  # type: ignore[call-arg]


def test_matching() -> None:
    """A record is matched by the position of its fields."""
    match Point(1, 2):
        case Point(across, up):
            assert (across, up) == (1, 2)


def test_pretty_printing() -> None:
    """A pretty-printer knows a record as a dataclass, and breaks a long one into a line per field."""
    assert pformat(Point(1, 2, ("a" * 40, "b" * 40))).splitlines()[:2] == ["Point(across=1,", "      up=2,"]


def test_own_methods() -> None:
    """A record keeps the methods of its class, a repr too."""

    @record
    class Named:
        name: str

        def __repr__(self) -> str:
            return self.name

    made = Named("East")
    assert is_dataclass(made)
    assert repr(made) == "East"


def test_types() -> None:
    """The types and defaults of the fields can be listed."""
    assert get_type_hints(Point) == {"across": int, "up": int, "tags": tuple[str, ...]}
    assert [field.default for field in fields(Point)] == [MISSING, 0, ()]
    assert str(signature(Point)) == "(across, up=0, tags=())"
