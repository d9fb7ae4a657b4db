"""Converts lists and objects of the JSON lines, in both directions."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from operator import attrgetter
from typing import Any, NamedTuple

from jmjp_convert.formats.json.scalars import NUMBER_OR_TEXT, TILE, Kind, WrongValue, expected, shown
from jmjp_convert.model.tiles import PHYSICAL

REQUIRED = object()
"""What a field that must be there is when it is missing."""

# --- lists -----------------------------------------------------------------------------------------------------------


class Each(Kind):
    """Lists.

    :param item: the kind of what is in them.
    :param count: of how many; ``None``: of any number.
    """

    def __init__(self, item: Kind, count: int | None = None) -> None:
        super().__init__("", "a list")
        self.item = item
        self.count = count

    def write(self, value: Any) -> Any:
        """Return a list of what is in *value*."""
        return list(map(self.item.write, value))

    def read(self, value: Any, players: int) -> Any:
        """Return a tuple of what is in *value*."""
        self._check(value, players)
        read = self.item.read
        try:
            return tuple([read(each, players) for each in value])
        except WrongValue:
            return tuple(self._one_by_one(value, players))

    def _one_by_one(self, value: Sequence[Any], players: int) -> Iterator[Any]:
        for index, each in enumerate(value):
            try:
                yield self.item.read(each, players)
            except WrongValue as wrong:
                raise wrong.under(f"[{index}]") from None

    def _check(self, value: Any, players: int) -> None:
        """Check that *value* is a list, of as many as there must be."""
        if type(value) is not list:
            raise expected(self.what, value)
        count = self._count(players)
        if count is not None and len(value) != count:
            raise WrongValue(f"expected {count} values, found {len(value)}")

    def _count(self, _players: int) -> int | None:
        return self.count


class ByPlayer(Each):
    """Lists with one for each player."""

    def _count(self, players: int) -> int | None:
        return players


class Tiles(Each):
    """Lists of tiles.

    :param count: of how many; ``None``: of any number.
    """

    def __init__(self, count: int | None = None) -> None:
        super().__init__(TILE, count)

    def write(self, value: Any) -> Any:
        """Return the numbers or faces of tiles."""
        return value if not value or max(value) < PHYSICAL else super().write(value)

    def read(self, value: Any, players: int) -> Any:
        """Return the ids of tiles."""
        self._check(value, players)
        if NUMBER_OR_TEXT.issuperset(map(type, value)):  # else true would be 1
            try:
                return tuple([TILE.by_json[tile] for tile in value])
            except KeyError:
                pass
        return super().read(value, players)


class OrNull(Kind):
    """In a list, what is of a *kind*, or ``null`` in its place."""

    def __init__(self, kind: Kind) -> None:
        super().__init__("", kind.what)
        self.kind = kind

    def write(self, value: Any) -> Any:
        """Return *value* as the kind does, if there is one."""
        return None if value is None else self.kind.write(value)

    def read(self, value: Any, players: int) -> Any:
        """Return *value* as the kind does, if there is one."""
        return None if value is None else self.kind.read(value, players)


# --- records ---------------------------------------------------------------------------------------------------------


class Field(NamedTuple):
    """What stands under a key: its *kind*, and what it is when it is *missing*, if it may be."""

    kind: Kind
    missing: Any = REQUIRED


def optional(kind: Kind) -> Field:
    """Return the field for a *kind* that may be missing, and then is not known."""
    return Field(kind, None)


def some(kind: Each) -> Field:
    """Return the field for a *kind* of lists that may be missing, and then is empty."""
    return Field(kind, ())


Fields = Mapping[str, Kind | Field]


class Record(Kind):
    """Records, as objects. A field that is not known, or an empty list, is left out.

    :param make: makes a record of its fields, in their order.
    :param name: in the schema.
    :param fields: what stands under each key.
    :param fixed: what else stands in the object, and always does, such as its type.
    :param values: gets the values of the fields from a record, in which else they are called as the keys are.
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
        """Return the object that a record is."""
        made = dict(self.fixed)
        for each, (key, write, missing) in zip(self._values(value), self._writing, strict=True):
            if each != missing:
                made[key] = write(each)
        return made

    def read(self, value: Any, players: int) -> Any:
        """Return the record that an object is, of which the fixed values are right."""
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
                raise WrongValue(f"missing key {shown(key)}")
            else:
                arguments.append(missing)
        if count != len(value):
            raise self._unknown(value)
        return self.make(*arguments)

    def _unknown(self, value: Collection[str]) -> WrongValue:
        key = next(key for key in value if key not in self.fields and key not in self.fixed)
        return WrongValue(f"unknown key {shown(key)}")


def getter(*keys: str) -> Callable[[Any], Sequence[Any]]:
    """Return what gets the values of *keys*, one or several, from a record."""
    if len(keys) > 1:
        return attrgetter(*keys)
    get = attrgetter(*keys)
    return lambda record: (get(record),)


def record(make: Callable[..., Any], name: str, /, **fields: Kind | Field) -> Record:
    """Return the kind of records that *make* makes of *fields*."""
    return Record(make, name, fields)


def group(name: str, /, **fields: Kind | Field) -> Record:
    """Return the kind of tuples of *fields*, in their order, which have names only in JSON."""
    return Record(lambda *values: values, name, fields, values=tuple)


def typed(make: Callable[..., Any], word: str, /, **fields: Kind | Field) -> Record:
    """Return the kind of records of which several kinds can stand in one place: their "type" is the *word*."""
    return Record(make, word, fields, {"type": word})


class OneOf(Kind):
    """Records of several kinds, told apart by their "type".

    :param name: in the schema.
    :param kinds: by the classes of the model.
    """

    def __init__(self, name: str, what: str, kinds: Mapping[type, Record]) -> None:
        super().__init__(name, what)
        self.kinds = kinds
        self._by_word = {kind.fixed["type"]: kind for kind in kinds.values()}

    def write(self, value: Any) -> Any:
        """Return the object that a record is."""
        return self.kinds[type(value)].write(value)

    def read(self, value: Any, players: int) -> Any:
        """Return the record that an object is."""
        return self.kind_of(value).read(value, players)

    def kind_of(self, value: Any) -> Record:
        """Return the kind that *value* says it is of.

        :raises WrongValue: it says none of these.
        """
        if type(value) is not dict:
            raise expected("an object", value)
        if "type" not in value:
            raise WrongValue('missing key "type"')
        word = value["type"]
        if type(word) is not str or word not in self._by_word:
            raise expected(self.what, word).under("type")
        return self._by_word[word]
