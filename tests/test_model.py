"""The neutral model: frozen, compared by value, named in the field's terms."""

from __future__ import annotations

import copy
import inspect
import pickle
from typing import Any

import pytest
from compiled import COMPILED
from tables import table
from test_round_trip import FILE, FULL, parts

from jmjp_convert import model
from jmjp_convert.formats.mjlog.reader import read_mjlog
from jmjp_convert.model import (
    Chi,
    Discard,
    Disconnected,
    Draw,
    DrawKind,
    End,
    Event,
    Frame,
    Hand,
    House,
    Kita,
    Limit,
    Name,
    Player,
    Pon,
    Recorder,
    Returned,
    Rules,
    Ryuukyoku,
    ShuffleForm,
    Start,
    Wall,
    Win,
)
from jmjp_convert.model.record import Record, fields, replace
from jmjp_convert.model.tiles import ONE_RED_EACH

PON = Pon(1, 0, (1, 2), 0)
START = Start(5, 1, 0, 1, (3, 4), (25000,) * 4, ((), (), (), ()))
WIN = Win(0, None, 5)
DRAWN = Ryuukyoku(DrawKind.EXHAUSTIVE)

OTHERS = (Kita(0, 120), Wall((5,), (1, 6), ((),) * 4, (5,), (), (), ()))
EVERYTHING: list[Any] = [*{type(part): part for part in (*parts(FULL), *OTHERS)}.values()]
"""An object of every class."""

each_thing = pytest.mark.parametrize("thing", EVERYTHING, ids=lambda thing: type(thing).__name__)


def test_every_class_is_covered() -> None:
    """The cases cover all classes of the model."""
    classes = {
        name
        for name, value in vars(model).items()
        if isinstance(value, type) and issubclass(value, Record) and value is not Record
    }
    assert {type(thing).__name__ for thing in EVERYTHING} == classes


@each_thing
def test_frozen(thing: Any) -> None:
    """No field of a model object can be set or deleted."""
    for field in fields(thing):
        message = f"attribute '{field}' of '{type(thing).__name__}' objects is not writable"
        with pytest.raises(AttributeError, match=message):
            setattr(thing, field, None)
        with pytest.raises(AttributeError, match=message):
            delattr(thing, field)
    with pytest.raises(AttributeError, match=f"'{type(thing).__name__}' object has no attribute 'other'"):
        thing.other = 1


@each_thing
def test_equality(thing: Any) -> None:
    """Objects are equal, with equal hashes, exactly if all their fields are equal."""
    assert replace(thing) == thing
    assert hash(replace(thing)) == hash(thing)
    for field in fields(thing):
        others = [with_value(thing, field, value) for value in VALUES if value != getattr(thing, field)]
        made = [other for other in others if other is not None]
        assert made
        assert thing not in made


VALUES = [
    *(None, 7, 0.5, True, False, "other", (), (7,), (7, 8), b""),
    *(Limit.NONE, Limit.MANGAN, DrawKind.NAGASHI, ShuffleForm.HEX, House.MAHJONG_SOUL),
    *(*EVERYTHING, replace(PON, player=2), replace(START, honba=2), End((), None), Rules(players=3)),
]
"""Every field takes one of these values."""


def with_value(thing: Any, field: str, value: object) -> Any:
    """Return *thing* with another *value* of a field; ``None`` if that has a wrong type, which compiled classes
    refuse."""
    try:
        return replace(thing, **{field: value})
    except TypeError:
        return None


@each_thing
def test_pickled(thing: Any) -> None:
    """Objects are equal after they are pickled, and after they are copied."""
    assert pickle.loads(pickle.dumps(thing)) == thing  # noqa: S301
    assert copy.copy(thing) == thing


@each_thing
def test_signature(thing: Any) -> None:
    """A class shows the parameters of its objects: their fields, with defaults."""
    if COMPILED and isinstance(thing, Rules):
        pytest.skip("a compiled class shows no default that is no literal")
    parameters = inspect.signature(type(thing)).parameters
    assert tuple(parameters) == fields(thing)
    defaults = {name: each.default for name, each in parameters.items() if each.default is not inspect.Parameter.empty}
    given = {name: getattr(thing, name) for name in parameters.keys() - defaults}
    assert type(thing)(**given) == replace(thing, **defaults)


def test_replace_unknown() -> None:
    """A field that does not exist cannot be replaced."""
    with pytest.raises(TypeError, match=r"^a Draw has no field 'tiles'$"):
        replace(Draw(0, 5), tiles=())


def test_no_subclass() -> None:
    """A class of records has no subclasses."""
    with pytest.raises(TypeError):
        type("Drawn", (Draw,), {})


@each_thing
def test_slots(thing: Any) -> None:
    """Model objects, thousands per match, have no dictionary."""
    assert not hasattr(thing, "__dict__")


def test_events_of_different_kinds_differ() -> None:
    """A draw does not equal a discard of the same tile, nor a chi a pon of the same tiles."""
    alike: list[tuple[object, object]] = [
        (Draw(0, 5), Discard(0, 5)),
        (Chi(1, 0, (1, 2), 0), PON),
        (Disconnected(0), Returned(0)),
    ]
    assert [first for first, second in alike if first == second] == []


@pytest.mark.parametrize(("events", "endings"), table("model", "endings", globals()))
def test_endings(events: tuple[Event, ...], endings: list[Event]) -> None:
    """A frame's endings are its wins, in order, or its draw, regardless of the events around them."""
    assert Frame(START, events, End((), None), ()).endings == endings


def test_defaults() -> None:
    """By default, fields are `None` or empty, and the rules are four players with red fives."""
    assert Rules() == Rules(players=4, red_fives=ONE_RED_EACH, code=None, lobby=None, custom=(), house=None)
    assert (WIN.score, WIN.pao, WIN.ura, WIN.before, WIN.changes, WIN.melds) == (None, (), (), None, None, None)
    assert Hand((1,)) == Hand((1,), None, ())


@pytest.mark.parametrize(("full_name", "name", "roman_name"), table("model", "name", globals()))
def test_name(full_name: Name | None, name: str | None, roman_name: str | None) -> None:
    """Players and recorders have their name as a string in either script, or `None`."""
    for named in (Player(full_name), Recorder(full_name)):
        assert (named.name, named.roman_name) == (name, roman_name)


def test_reading_twice() -> None:
    """Reading a log twice gives equal matches with equal hashes; another log gives a different match."""
    log = (FILE.parent.parent / "valid" / "plain.xml").read_bytes()
    first, second = read_mjlog(log), read_mjlog(log)
    assert first == second
    assert hash(first) == hash(second)
    assert read_mjlog(log.replace(b'lobby="0"', b'lobby="1"')) != first
