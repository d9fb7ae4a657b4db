"""Kinds of values: how one of the model becomes one of JSON, and back.

A kind's ``write`` takes a value of the model, and trusts it. Its ``read`` takes whatever JSON can hold, and the number
of players of the match, and raises :class:`WrongValue`. ``name`` is what ``schema.json`` calls the kind, if it does.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Collection, Mapping, Sequence
from enum import Enum
from operator import attrgetter
from typing import Any, NamedTuple

from jmjp_convert import tenhou
from jmjp_convert.errors import ConvertError
from jmjp_convert.tiles import IDS, PHYSICAL, UNKNOWN, faces

SAFE = (1 << 53) - 1
"""The greatest number: beyond it, JavaScript no longer tells one whole number from the next."""

HUNDRED = 100
"""What the unit of the model's points is in points."""

REQUIRED = object()
"""What a field that must be there is when it is missing."""

_LONGEST_SHOWN = 24


class WrongValue(ConvertError):  # noqa: N818 - it is an error only where its line is known
    """A value that is not what it should be.

    :param path: where it stands, from the line's own keys on.
    """

    def __init__(self, reason: str, path: str = "") -> None:
        super().__init__(reason)
        self.path = path

    def __str__(self) -> str:
        return f"{self.path}: {self.reason}" if self.path else self.reason

    def under(self, key: str) -> WrongValue:
        """Return the same, of a value that stands under *key*."""
        between = "." if self.path and not self.path.startswith("[") else ""
        return WrongValue(self.reason, f"{key}{between}{self.path}")


def expected(what: str, value: Any) -> WrongValue:
    """Return that *what* was expected, and that *value* was found."""
    return WrongValue(f"expected {what}, found {shown(value)}")


def shown(value: Any) -> str:
    """Return a value of JSON for an error message, in a few characters."""
    if isinstance(value, dict):
        return "an object"
    if isinstance(value, list):
        return "a list"
    long = isinstance(value, str) and len(value) > _LONGEST_SHOWN
    text = json.dumps(value[:_LONGEST_SHOWN] + "…" if long else value, ensure_ascii=False)
    return text if len(text) <= 2 * _LONGEST_SHOWN else f"{text[: 2 * _LONGEST_SHOWN]}…"


class Kind:
    """A kind of values that are the same in the model and in JSON.

    :param name: in the schema.
    :param what: what an error says was expected.
    :param taken: whether a value is one.
    """

    def __init__(self, name: str, what: str, taken: Callable[[Any], bool]) -> None:
        self.name = name
        self.what = what
        self._taken = taken

    def write(self, value: Any) -> Any:
        """Return *value*, of the model, for JSON."""
        return value

    def read(self, value: Any, _players: int) -> Any:
        """Return *value*, of JSON, for the model."""
        if not self._taken(value):
            raise expected(self.what, value)
        return value


class Field(NamedTuple):
    """What stands under a key: its *kind*, and what it is when it is *missing*, if it may be."""

    kind: Kind
    missing: Any = REQUIRED


def optional(kind: Kind) -> Field:
    """Return *kind* for a field that may be missing, and then is not known."""
    return Field(kind, None)


def some(kind: Kind) -> Field:
    """Return *kind*, of lists, for a field that may be missing, and then is empty."""
    return Field(kind, ())


# --- numbers and texts -----------------------------------------------------------------------------------------------


def whole(name: str, what: str, least: int = -SAFE, most: int = SAFE) -> Kind:
    """Return the kind of whole numbers from *least* to *most*."""
    return Kind(name, what, lambda value: type(value) is int and least <= value <= most)


def text(name: str, what: str, pattern: str) -> Kind:
    """Return the kind of texts that *pattern* matches."""
    match = re.compile(pattern).fullmatch
    return Kind(name, what, lambda value: type(value) is str and match(value) is not None)


class _Player(Kind):
    def __init__(self) -> None:
        super().__init__("player", "a player", bool)

    def read(self, value: Any, players: int) -> Any:
        if type(value) is not int or not 0 <= value < players:
            raise expected(f"a player, 0 to {players - 1}", value)
        return value


class _Points(Kind):
    """Points, which the model counts in hundreds."""

    def __init__(self) -> None:
        super().__init__("points", f"points, a multiple of {HUNDRED}", bool)

    def write(self, value: Any) -> Any:
        return value * HUNDRED

    def read(self, value: Any, _players: int) -> Any:
        if type(value) is not int or value % HUNDRED or not -SAFE <= value <= SAFE:
            raise expected(self.what, value)
        return value // HUNDRED


class _Hex(Kind):
    """Bytes."""

    def __init__(self) -> None:
        super().__init__("bytes", "bytes, each as two hexadecimal digits", re.compile("(?:[0-9a-f]{2})*").fullmatch)

    def write(self, value: Any) -> Any:
        return value.hex()

    def read(self, value: Any, _players: int) -> Any:
        if type(value) is not str or not self._taken(value):
            raise expected(self.what, value)
        return bytes.fromhex(value)


class Words(Kind):
    """The members of an enumeration, each by its name."""

    def __init__(self, name: str, members: type[Enum]) -> None:
        self.words = {member.name.lower(): member for member in members}
        super().__init__(name, f"one of {', '.join(self.words)}", self.words.__contains__)

    def write(self, value: Any) -> Any:
        return value.name.lower()

    def read(self, value: Any, _players: int) -> Any:
        if type(value) is not str or value not in self.words:
            raise expected(self.what, value)
        return self.words[value]


BOOLEAN = Kind("", "true or false", lambda value: type(value) is bool)
STRING = Kind("", "a text", lambda value: type(value) is str)
WHOLE = whole("whole", "a whole number")
COUNT = whole("count", "a whole number, 0 or more", 0)
ROUND = whole("round", "a round, 0 to 15", 0, 15)
YAKU = whole("yaku", "a yaku, 0 to 54", 0, 54)
YEAR = whole("year", "a year, 0 to 9999", 0, 9999)
DATE = text("date", "a date, YYYYMMDD", "[0-9]{4}(0[1-9]|1[0-2])(0[1-9]|[12][0-9]|3[01])")
TIME = text("time", "a time, HHMM", "([01][0-9]|2[0-3])[0-5][0-9]")
WEEKDAY = text("weekday", "a weekday, sun to sat", "sun|mon|tue|wed|thu|fri|sat")
PLAYER: Kind = _Player()
POINTS: Kind = _Points()
HEX: Kind = _Hex()


def _is_id(value: Any) -> bool:
    found = tenhou.find_id(value) if type(value) is str else None
    return found is not None and found.text == value


LOG_ID = Kind("log_id", "a log id", _is_id)


class _Dice(Kind):
    """Two dice, or their sum."""

    def __init__(self) -> None:
        super().__init__("dice", "two dice, 1 to 6 each, or their sum, 2 to 12", bool)

    def read(self, value: Any, _players: int) -> Any:
        one, both = range(1, 7), range(2, 13)
        if type(value) is int and value in both:
            return value
        if type(value) is not list or len(value) != 2 or not all(type(die) is int and die in one for die in value):  # noqa: PLR2004
            raise expected(self.what, value)
        return tuple(value)


DICE: Kind = _Dice()


# --- tiles -----------------------------------------------------------------------------------------------------------

_FACES = faces(red_fives=True)
_SERIES = UNKNOWN + 1 - PHYSICAL
_MARKS = ("", " other", " either")

TILES: tuple[int | str, ...] = (
    *range(PHYSICAL),
    *(_FACES[tile] + _MARKS[(tile - PHYSICAL) // _SERIES] for tile in range(PHYSICAL, IDS)),
)
"""What each tile id is in JSON: the number of a physical tile, else the face as a text; of a discard, with a mark if it
is another copy than the one just drawn, or either."""

_BY_JSON = {value: tile for tile, value in enumerate(TILES)}
_NUMBER_OR_TEXT = frozenset((int, str))


class Tile(Kind):
    """Tiles with an id below *ids*."""

    def __init__(self, name: str, ids: int) -> None:
        super().__init__(name, f'a tile, 0 to {PHYSICAL - 1} or a face such as "5m"', bool)
        self.by_json = {value: tile for value, tile in _BY_JSON.items() if tile < ids}

    def write(self, value: Any) -> Any:
        return TILES[value]

    def read(self, value: Any, _players: int) -> Any:
        if type(value) not in _NUMBER_OR_TEXT or value not in self.by_json:
            raise expected(self.what, value)
        return self.by_json[value]


TILE: Kind = Tile("tile", UNKNOWN + 1)
DISCARDED: Kind = Tile("discarded", IDS)


# --- lists -----------------------------------------------------------------------------------------------------------

Count = tuple[int, int | None]
"""How many, at least and at most."""


class Each(Kind):
    """Lists.

    :param item: the kind of what is in them.
    :param count: how many there must be; ``None``: as many as players.
    """

    def __init__(self, item: Kind, count: Count | None = (0, None)) -> None:
        super().__init__("", "a list", bool)
        self.item = item
        self.count = count

    def write(self, value: Any) -> Any:
        return list(map(self.item.write, value))

    def read(self, value: Any, players: int) -> Any:
        self._check(value, players)
        read, made = self.item.read, []
        for index, each in enumerate(value):
            try:
                made.append(read(each, players))
            except WrongValue as wrong:
                raise wrong.under(f"[{index}]") from None
        return tuple(made)

    def _check(self, value: Any, players: int) -> None:
        """Check that *value* is a list, of as many as there must be."""
        if type(value) is not list:
            raise expected(self.what, value)
        least, most = self.count or (players, players)
        if len(value) < least or (most is not None and len(value) > most):
            raise WrongValue(f"expected {least} values, found {len(value)}")


class Tiles(Each):
    """Lists of tiles.

    :param count: how many there must be.
    """

    def __init__(self, count: Count = (0, None)) -> None:
        super().__init__(TILE, count)

    def write(self, value: Any) -> Any:
        return value if not value or max(value) < PHYSICAL else [TILES[tile] for tile in value]

    def read(self, value: Any, players: int) -> Any:
        self._check(value, players)
        if _NUMBER_OR_TEXT.issuperset(map(type, value)):  # else true would be 1
            try:
                return tuple([_PLAIN[tile] for tile in value])
            except KeyError:
                pass
        return super().read(value, players)


_PLAIN = Tile("tile", UNKNOWN + 1).by_json


def by_player(kind: Kind) -> Each:
    """Return the kind of lists with one of *kind* for each player."""
    return Each(kind, None)


class OrNull(Kind):
    """What is of a *kind* or, in a list, not there."""

    def __init__(self, kind: Kind) -> None:
        super().__init__("", kind.what, bool)
        self.kind = kind

    def write(self, value: Any) -> Any:
        return None if value is None else self.kind.write(value)

    def read(self, value: Any, players: int) -> Any:
        return None if value is None else self.kind.read(value, players)


# --- records ---------------------------------------------------------------------------------------------------------

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
        fields: Mapping[str, Kind | Field],
        fixed: Mapping[str, Any] | None = None,
        values: Callable[[Any], Sequence[Any]] | None = None,
    ) -> None:
        super().__init__(name, "an object", bool)
        self.fields = {key: field if isinstance(field, Field) else Field(field) for key, field in fields.items()}
        self.fixed = fixed or {}
        self._make = make
        self._values = values or _getter(*fields)
        self._writing = [(key, field.kind.write, field.missing) for key, field in self.fields.items()]
        self._reading = [(key, field.kind.read, field.missing) for key, field in self.fields.items()]

    def write(self, value: Any) -> Any:
        made = dict(self.fixed)
        for each, (key, write, missing) in zip(self._values(value), self._writing, strict=True):
            if each != missing:
                made[key] = write(each)
        return made

    def read(self, value: Any, players: int) -> Any:
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
                raise WrongValue(f'there is no "{key}"')
            else:
                arguments.append(missing)
        if count != len(value):
            raise self._unknown(value)
        return self._make(*arguments)

    def _unknown(self, value: Collection[str]) -> WrongValue:
        key = next(key for key in value if key not in self.fields and key not in self.fixed)
        return WrongValue(f"the key {shown(key)} is not known")


def _getter(*keys: str) -> Callable[[Any], Sequence[Any]]:
    """Return what gets the values of *keys*, one or several, from a record."""
    if len(keys) > 1:
        return attrgetter(*keys)
    get = attrgetter(*keys)
    return lambda record: (get(record),)


def record(make: Callable[..., Any], name: str, /, **fields: Kind | Field) -> Record:
    """Return the kind of records that *make* makes of *fields*."""
    return Record(make, name, fields)


def group(name: str, /, **kinds: Kind | Field) -> Record:
    """Return the kind of tuples of *kinds*, in their order, which have names only in JSON."""
    return Record(lambda *values: values, name, kinds, values=tuple)


def typed(make: Callable[..., Any], word: str, /, **fields: Kind | Field) -> Record:
    """Return the kind of records of which several kinds stand in one place: "type" says which one it is."""
    return Record(make, word, fields, {"type": word})


class OneOf(Kind):
    """Records of one of several kinds, by the classes of the model."""

    def __init__(self, name: str, what: str, kinds: Mapping[type, Record]) -> None:
        super().__init__(name, what, bool)
        self.kinds = kinds
        self._by_word = {kind.fixed["type"]: kind for kind in kinds.values()}

    def write(self, value: Any) -> Any:
        return self.kinds[type(value)].write(value)

    def read(self, value: Any, players: int) -> Any:
        return self.kind_of(value).read(value, players)

    def kind_of(self, value: Any) -> Record:
        """Return the kind of which the type of *value* says that it is."""
        if type(value) is not dict:
            raise expected(self.what, value)
        word = value.get("type")
        if type(word) is not str or word not in self._by_word:
            raise expected(self.what, word).under("type") if "type" in value else WrongValue('there is no "type"')
        return self._by_word[word]
