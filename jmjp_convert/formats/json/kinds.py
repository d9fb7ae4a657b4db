"""The kinds of values in a line, in both directions."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from enum import Enum
from typing import Any, NamedTuple

from jmjp_convert.formats.bounds import MOST
from jmjp_convert.formats.json_text import quoted
from jmjp_convert.formats.json_values import WrongValue, expected, looked_up
from jmjp_convert.model.tiles import PHYSICAL, faces

# --- single values ----------------------------------------------------------------------------------------------------


class Kind:
    """A kind of values.

    :param name: its name in schema.json.
    :param what: how an error names what was expected.
    :param taken: the test for its values in JSON.
    :param read: makes the value of the model from one; by default, it is the same.
    :param write: the opposite.
    """

    def __init__(
        self,
        name: str,
        what: str,
        taken: Callable[[Any], bool] = lambda _: True,
        read: Callable[[Any], Any] | None = None,
        write: Callable[[Any], Any] | None = None,
    ) -> None:
        self.name = name
        self.what = what
        self._taken, self._read, self._write = taken, read, write

    def write(self, value: Any) -> Any:
        """Return *value*, from the model and trusted, for JSON."""
        return value if self._write is None else self._write(value)

    def read(self, value: Any, players: int) -> Any:  # noqa: ARG002 - for some kinds it makes a difference
        """Return *value*, anything that JSON can hold, for the model.

        :param players: the number of players in the match.
        :raises WrongValue: it is not of this kind.
        """
        if not self._taken(value):
            raise expected(self.what, value)
        return value if self._read is None else self._read(value)


# --- numbers and texts -----------------------------------------------------------------------------------------------


def whole(name: str, what: str, least: int = -MOST, most: int = MOST, step: int = 1) -> Kind:
    """Return the kind of whole numbers from *least* to *most* that are multiples of *step*."""
    return Kind(name, what, lambda value: type(value) is int and least <= value <= most and not value % step)


def text(name: str, what: str, pattern: str) -> Kind:
    """Return the kind of texts that *pattern* matches."""
    match = re.compile(pattern).fullmatch
    return Kind(name, what, lambda value: type(value) is str and match(value) is not None)


class _Player(Kind):
    def read(self, value: Any, players: int) -> Any:
        if type(value) is not int or not 0 <= value < players:
            raise expected(f"a player, 0 to {players - 1}", value)
        return value


PLAYER = _Player("player", "a player")


class Words(Kind):
    """The members of an enumeration, each by its name."""

    def __init__(self, name: str, members: type[Enum]) -> None:
        words = self.words = {member.name.lower(): member for member in members}
        super().__init__(
            name,
            f"one of {', '.join(words)}",
            lambda value: type(value) is str and value in words,
            words.__getitem__,
            lambda member: member.name.lower(),
        )


# --- tiles -----------------------------------------------------------------------------------------------------------

TILES: tuple[int | str, ...] = (*range(PHYSICAL), *faces()[PHYSICAL:])
"""Tile IDs in JSON: the number itself for a physical tile, otherwise the face."""

NUMBER_OR_TEXT = frozenset((int, str))

_BY_JSON: Mapping[int | str, int] = {value: tile for tile, value in enumerate(TILES)}

TILE = Kind(
    "tile",
    f'a tile, 0 to {PHYSICAL - 1} or a face such as "5m"',
    lambda value: type(value) in NUMBER_OR_TEXT and value in _BY_JSON,
    _BY_JSON.__getitem__,
    TILES.__getitem__,
)

# --- lists ------------------------------------------------------------------------------------------------------------


class Each(Kind):
    """Lists.

    :param item: the kind of their items.
    :param count: the number of items; ``None`` for any.
    """

    def __init__(self, item: Kind, count: int | None = None) -> None:
        super().__init__("", "a list")
        self.item = item
        self.count = count

    def write(self, value: Any) -> Any:
        """Return the items of *value* as a list."""
        return list(map(self.item.write, value))

    def read(self, value: Any, players: int) -> Any:
        """Return the items of *value* as a tuple."""
        self._check(value, players)
        items, read = [], self.item.read
        for index, each in enumerate(value):
            try:
                items.append(read(each, players))
            except WrongValue as wrong:
                raise wrong.under(index) from None
        return tuple(items)

    def _check(self, value: Any, players: int) -> None:
        """Check that *value* is a list of the right length."""
        if type(value) is not list:
            raise expected(self.what, value)
        count = self._count(players)
        if count is not None and len(value) != count:
            raise WrongValue(f"expected {count} values, found {len(value)}")

    def _count(self, _players: int) -> int | None:
        return self.count


class ByPlayer(Each):
    """Lists with one item per player."""

    def _count(self, players: int) -> int | None:
        return players


class Tiles(Each):
    """Lists of tiles.

    :param count: the number of tiles; ``None`` for any.
    """

    def __init__(self, count: int | None = None) -> None:
        super().__init__(TILE, count)

    def write(self, value: Any) -> Any:
        """Return the numbers or faces of tiles."""
        return value if not value or max(value) < PHYSICAL else super().write(value)

    def read(self, value: Any, players: int) -> Any:
        """Return the IDs of tiles."""
        self._check(value, players)
        known = looked_up(value, _BY_JSON) if NUMBER_OR_TEXT.issuperset(map(type, value)) else None  # true is not 1
        return super().read(value, players) if known is None else known


class OrNull(Kind):
    """List items of a *kind*, or ``null``."""

    def __init__(self, kind: Kind) -> None:
        super().__init__("", kind.what)
        self.kind = kind

    def write(self, value: Any) -> Any:
        """Return *value* as the kind writes it, or ``None``."""
        return None if value is None else self.kind.write(value)

    def read(self, value: Any, players: int) -> Any:
        """Return *value* as the kind reads it, or ``None``."""
        return None if value is None else self.kind.read(value, players)


# --- records ---------------------------------------------------------------------------------------------------------


REQUIRED = object()
"""The default of a required field."""


class Field(NamedTuple):
    """The value of a key: its *kind*, and the default if it may be *missing*."""

    kind: Kind
    missing: Any = REQUIRED


def optional(kind: Kind) -> Field:
    """Return a field of a *kind* that may be missing, with ``None`` for unknown."""
    return Field(kind, None)


def some(kind: Each) -> Field:
    """Return a field of a list *kind* that may be missing, with an empty default."""
    return Field(kind, ())


Fields = Mapping[str, Kind | Field]


class Record(Kind):
    """Records, as objects. Unknown fields and empty lists are left out.

    :param make: makes a record from its fields, in order.
    :param name: its name in the schema.
    :param fields: the fields by key.
    :param fixed: constants in the object, such as its type.
    :param values: gets the values of the fields from a record; by default, from attributes named like the keys.
    """

    def __init__(
        self,
        make: Callable[..., Any],
        name: str,
        fields: Fields,
        fixed: Mapping[str, Any] | None = None,
        values: Callable[[Any], Sequence[Any]] | None = None,
    ) -> None:
        super().__init__(name, "an object")
        self.fields = {key: field if isinstance(field, Field) else Field(field) for key, field in fields.items()}
        self.fixed = fixed or {}
        self.make = make
        self._values = values or getter(*fields)
        self._writing = [(key, field.kind.write, field.missing) for key, field in self.fields.items()]
        self._reading = [(key, field.kind.read, field.missing) for key, field in self.fields.items()]

    def write(self, value: Any) -> Any:
        """Return a record as an object."""
        made = dict(self.fixed)
        for each, (key, write, missing) in zip(self._values(value), self._writing, strict=True):
            if each != missing:
                made[key] = write(each)
        return made

    def read(self, value: Any, players: int) -> Any:
        """Return an object as a record; its fixed values have been checked."""
        if type(value) is not dict:
            raise expected(self.what, value)
        arguments, count = [], len(self.fixed)
        for key, read, missing in self._reading:
            if key in value:
                count += 1
                try:
                    arguments.append(read(value[key], players))
                except WrongValue as wrong:
                    raise wrong.under(key) from None
            elif missing is REQUIRED:
                raise WrongValue(f"missing key {quoted(key)}")
            else:
                arguments.append(missing)
        if count != len(value):
            key = next(key for key in value if key not in self.fields and key not in self.fixed)
            raise WrongValue(f"unknown key {quoted(key)}")
        return self.make(*arguments)


def getter(*keys: str) -> Callable[[Any], Sequence[Any]]:
    """Return a function that gets the values of *keys* from a record."""
    return lambda record: [getattr(record, key) for key in keys]


def record(make: Callable[..., Any], name: str, /, **fields: Kind | Field) -> Record:
    """Return the kind of records that *make* makes from *fields*."""
    return Record(make, name, fields)


def group(name: str, /, **fields: Kind | Field) -> Record:
    """Return the kind of tuples of *fields*, in order, which have names only in JSON."""
    return Record(lambda *values: values, name, fields, values=tuple)


def typed(make: Callable[..., Any], word: str, /, **fields: Kind | Field) -> Record:
    """Return a kind of records that is one of several in its place, told apart by its "type", the *word*."""
    return Record(make, word, fields, {"type": word})


class OneOf(Kind):
    """Records of several kinds, told apart by their "type".

    :param name: its name in the schema.
    :param what: how an error names what was expected.
    :param kinds: the kinds by class of the model.
    """

    def __init__(self, name: str, what: str, kinds: Mapping[type, Record]) -> None:
        super().__init__(name, what)
        self.kinds = kinds
        self._by_word = {kind.fixed["type"]: kind for kind in kinds.values()}

    def write(self, value: Any) -> Any:
        """Return a record as an object."""
        return self.kinds[type(value)].write(value)

    def read(self, value: Any, players: int) -> Any:
        """Return an object as a record."""
        return self.kind_of(value).read(value, players)

    def kind_of(self, value: Any) -> Record:
        """Return the kind that *value* gives as its type.

        :raises WrongValue: its type is missing or unknown.
        """
        if type(value) is not dict:
            raise expected("an object", value)
        if "type" not in value:
            raise WrongValue('missing key "type"')
        word = value["type"]
        if type(word) is not str or word not in self._by_word:
            raise expected(self.what, word).under("type")
        return self._by_word[word]
