"""The decorator for the model's records: frozen, slotted dataclasses that are cheap to define and to create."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from operator import attrgetter
from types import CodeType, FunctionType
from typing import TYPE_CHECKING, Any, NoReturn, TypeVar, dataclass_transform

T = TypeVar("T")


@dataclass_transform(frozen_default=True)
def record(cls: type[T]) -> type[T]:
    """Make *cls* a frozen, slotted class that works as a dataclass. Its fields have plain defaults or none.

    The module :mod:`dataclasses` takes ten times as long to define a class, since it compiles eight methods for each,
    and a frozen dataclass takes several times as long to create: its ``__init__`` goes through ``object.__setattr__``.
    Here an object is of a base class that is not frozen until its fields are set, which the interpreter does fastest by
    plain assignment. The record has no slots beyond those of its base, so its class can then be set cheaply. Methods
    are compiled once for all records with as many fields, and what is left is made by :mod:`dataclasses` when its
    functions, or ``repr``, are first used.
    """
    fields = tuple(cls.__annotations__)
    kept = {name: value for name, value in vars(cls).items() if name not in (*fields, "__dict__", "__weakref__")}
    defaults = tuple([vars(cls)[name] for name in fields if name in vars(cls)])
    draft = type(cls.__name__, cls.__bases__, {"__slots__": fields})
    generated = {
        "__slots__": (),
        "__match_args__": fields,
        "__annotations__": cls.__annotations__,
        "__new__": _method("__new__", fields, {"draft": draft}, defaults),
    }
    made = type(cls.__name__, (draft,), _METHODS | {name: _Dataclass(cls) for name in _KEPT} | kept | generated)
    made.__qualname__ = cls.__qualname__
    return made


def _replace(self: T, /, **changes: Any) -> T:
    """Return a record with *changes* to some fields."""
    cls: Any = type(self)
    read, indices = _fields(cls)
    values = [*read(self)]
    try:
        for name, value in changes.items():
            values[indices[name]] = value
    except KeyError as error:
        raise TypeError(f"a {cls.__name__} has no field {error}") from None
    return cls(*values)  # type: ignore[no-any-return]


@cache
def _fields(cls: Any) -> tuple[Callable[[Any], tuple[Any, ...]], dict[str, int]]:
    """Return a function that returns the values of all fields of a record of the class *cls*, and their indices."""
    names = cls.__match_args__
    read = attrgetter(*names) if len(names) > 1 else lambda self: (getattr(self, names[0]),)
    return read, {name: index for index, name in enumerate(names)}


if TYPE_CHECKING:
    from dataclasses import replace as replace  # noqa: PLC0414 - whose arguments mypy checks
else:
    replace = _replace


# --- methods that are compiled ---------------------------------------------------------------------------------------

_SOURCES = {
    "__new__": (
        "(cls, {}): self = draft(); {}; self.__class__ = cls; return self",
        (("f{0}", ", "), ("self.f{0} = f{0}", "; ")),
    ),
    "__eq__": (
        "(self, other): return ({},) == ({},) if other.__class__ is self.__class__ else NotImplemented",
        (("self.f{0}", ", "), ("other.f{0}", ", ")),
    ),
    "__hash__": ("(self): return hash(({},))", (("self.f{0}", ", "),)),
    "__reduce__": ("(self): return self.__class__, ({},)", (("self.f{0}", ", "),)),
}
"""The methods of a record with the fields ``f0``, ``f1``, …: what follows the name, and what it has for each field."""


def _method(
    name: str, fields: tuple[str, ...], names: dict[str, Any], defaults: tuple[Any, ...] = ()
) -> Callable[..., Any]:
    """Return the method *name* of a record with *fields*; *defaults* are those of the last ones.

    :param names: the globals of the method.
    """
    code = _code(name, len(fields))
    renamed = {f"f{index}": field for index, field in enumerate(fields)}
    variables = tuple([renamed.get(variable, variable) for variable in code.co_varnames])
    attributes = tuple([renamed.get(attribute, attribute) for attribute in code.co_names])
    return FunctionType(code.replace(co_varnames=variables, co_names=attributes), names, name, defaults)


@cache
def _code(name: str, count: int) -> CodeType:
    """Return the code of the method *name* of a record with *count* fields."""
    rest, parts = _SOURCES[name]
    each = [between.join([part.format(index) for index in range(count)]) for part, between in parts]
    made: dict[str, Any] = {}
    exec(f"def {name}{rest.format(*each)}", made)  # noqa: S102 - as dataclasses itself does
    code: CodeType = made[name].__code__
    return code


def _on_first_use(name: str) -> Callable[..., Any]:
    """Return a method that on its first call is replaced by the one for the class."""

    def method(self: Any, *other: object) -> Any:
        made = _method(name, self.__match_args__, {})
        setattr(type(self), name, made)
        return made(self, *other)

    return method


# --- the methods of all records --------------------------------------------------------------------------------------


def _repr(self: object) -> str:
    type(self).__dataclass_params__  # type: ignore[attr-defined]  # noqa: B018 - replaces this function
    return repr(self)


def _setattr(_: object, name: str, __: object) -> NoReturn:
    from dataclasses import FrozenInstanceError

    raise FrozenInstanceError(f"cannot assign to field {name!r}")


def _delattr(_: object, name: str) -> NoReturn:
    from dataclasses import FrozenInstanceError

    raise FrozenInstanceError(f"cannot delete field {name!r}")


_METHODS = {
    "__eq__": _on_first_use("__eq__"),
    "__hash__": _on_first_use("__hash__"),
    "__reduce__": _on_first_use("__reduce__"),
    "__repr__": _repr,
    "__replace__": _replace,
    "__setattr__": _setattr,
    "__delattr__": _delattr,
}

_KEPT = ("__dataclass_fields__", "__dataclass_params__")


class _Dataclass:
    """An attribute by which dataclasses are known. Looking it up makes one of *cls*, and gives the record its
    attributes, and its ``repr`` unless the record has its own."""

    def __init__(self, cls: type) -> None:
        self._cls = cls

    def __set_name__(self, owner: type, name: str) -> None:
        self._owner = owner
        self._name = name

    def __get__(self, _: object, __: type) -> Any:
        from dataclasses import dataclass

        made: type = dataclass(frozen=True, slots=True)(self._cls)
        own_repr = vars(self._owner)["__repr__"] is not _repr
        for name in _KEPT if own_repr else (*_KEPT, "__repr__"):
            setattr(self._owner, name, getattr(made, name))
        return getattr(self._owner, self._name)
