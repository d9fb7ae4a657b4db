"""The base class of the model's records: frozen, slotted, compared by value; native classes when compiled."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import cache
from operator import attrgetter
from types import FunctionType
from typing import Any, ClassVar, Final, NoReturn, TypeVar

from jmjp_convert.model.mypyc import mypyc_attr


@mypyc_attr(allow_interpreted_subclasses=True)
class Record:
    """A frozen object with named fields. Records of one class with equal fields are equal.

    A class of records lists its fields in ``__slots__``, and its ``__init__`` sets each as ``Final``. A slot whose name
    begins with an underscore is not a field. Such a class has no subclasses.
    """

    __slots__: ClassVar[tuple[str, ...]] = ()

    def __init_subclass__(cls, *, draft: bool = False) -> None:
        if draft:
            return
        for base in cls.__bases__:
            if getattr(base, "__slots__", ()):
                raise TypeError(f"{base.__name__} cannot have subclasses")
        _freeze(cls)

    def _values(self) -> tuple[object, ...]:
        """Return the values of the fields. The records that are compared most list them themselves."""
        cls: Any = type(self)
        return _reader(cls)(self)

    def __eq__(self, other: object, /) -> bool:
        if not isinstance(other, Record) or type(other) is not type(self):
            return NotImplemented
        return self is other or self._values() == other._values()

    def __hash__(self) -> int:
        return hash(self._values())

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), self._values()

    def __replace__(self, /, **changes: Any) -> Any:
        return replace(self, **changes)

    def __repr__(self) -> str:
        shown = [f"{name}={value!r}" for name, value in zip(fields(self), self._values(), strict=True)]
        return f"{type(self).__name__}({', '.join(shown)})"


R = TypeVar("R", bound=Record)


def fields(record: Record | type[Record], /) -> tuple[str, ...]:
    """Return the names of the fields of *record*, or of a class of records, in order."""
    return tuple([name for name in record.__slots__ if not name.startswith("_")])


def replace(record: R, /, **changes: Any) -> R:
    """Return a record like *record* with *changes* to some fields.

    :raises TypeError: there is no such field.
    """
    return changed(record, changes)


def changed(record: R, changes: dict[str, Any], /) -> R:
    """Return :func:`replace` with the *changes* as one mapping, which takes half the time of keywords when compiled."""
    cls: Any = type(record)
    values = [*record._values()]  # noqa: SLF001 - of this module
    indices = _indices(cls)
    try:
        for name, value in changes.items():
            values[indices[name]] = value
    except KeyError as error:
        raise TypeError(f"a {cls.__name__} has no field {error}") from None
    made: R = cls(*values)
    return made


def several(cls: type[R], /, *values: Iterable[Any]) -> tuple[R, ...]:
    """Return records of *cls*, as many as each of *values* has: the values of a field, in their order. Making them one
    by one takes three times as long."""
    draft = _DRAFTS.get(cls, cls)
    records = tuple(map(draft, *values))
    if draft is not cls:
        for record in records:
            record.__class__ = cls
    return records


def as_dict(record: Record, /) -> dict[str, Any]:
    """Return the fields of *record* by name."""
    return dict(zip(fields(record), record._values(), strict=True))  # noqa: SLF001 - of this module


@cache
def _reader(cls: Any) -> Callable[[Any], tuple[Any, ...]]:
    """Return a function that returns the values of the fields of a record of *cls*."""
    names = fields(cls)
    return attrgetter(*names) if len(names) > 1 else lambda record: (getattr(record, names[0]),)


@cache
def _indices(cls: Any) -> dict[str, int]:
    """Return the indices of the fields of *cls* by name."""
    return {name: index for index, name in enumerate(fields(cls))}


_DRAFTS: Final[dict[Any, Any]] = {}
"""By class, the class of its records while they are made; a compiled class has none."""


def _freeze(cls: Any) -> None:
    """Freeze the records of the class *cls*. Those of a compiled class are: its fields are final.

    A record is made as one of a subclass that is not frozen, by plain assignment to its fields, and its class is then
    set. With ``object.__setattr__`` in every ``__init__`` instead, a verified conversion takes a tenth longer.
    """
    init = vars(cls).get("__init__")
    if not isinstance(init, FunctionType):
        return
    fields = cls.__slots__
    draft: Any = type(cls.__name__, (cls,), {"__slots__": (), "__init__": init} | _PLAIN, draft=True)
    _DRAFTS[cls] = draft

    def create(cls: Any, *values: Any, **named: Any) -> Any:
        self = draft(*values, **named)
        self.__class__ = cls
        return self

    def refuse(_: object, name: str, *__: object) -> NoReturn:
        what = f"attribute {name!r} of {cls.__name__!r} objects is not writable"
        raise AttributeError(what if name in fields else f"{cls.__name__!r} object has no attribute {name!r}")

    create.__wrapped__ = init  # type: ignore[attr-defined] # whose parameters inspect.signature shows
    cls.__new__ = create
    cls.__setattr__ = cls.__delattr__ = refuse
    del cls.__init__


_PLAIN: Final = {"__new__": Record.__new__, "__setattr__": object.__setattr__, "__delattr__": object.__delattr__}
"""The methods of a class that is not frozen; if :class:`Record` is compiled, its ``__new__`` is not that of object."""
