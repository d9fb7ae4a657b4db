"""The decorator for the model's records: frozen, slotted dataclasses that are cheap to define and to create."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, NoReturn, TypeVar, dataclass_transform

T = TypeVar("T")


@dataclass_transform(frozen_default=True)
def record(cls: type[T]) -> type[T]:
    """Make *cls* a frozen, slotted class that works as a dataclass. Its fields have plain defaults or none.

    The module :mod:`dataclasses` takes ten times as long to define a class, since it compiles eight methods for each,
    and a frozen dataclass takes three times as long to create: its ``__init__`` goes through ``object.__setattr__``.
    Here ``__init__`` sets the slots directly, equality and hash are compiled on first use, and what is left is made by
    :mod:`dataclasses` when its functions, or ``repr``, are first used.
    """
    fields = tuple(cls.__annotations__)
    body = {name: value for name, value in vars(cls).items() if name not in (*fields, "__dict__", "__weakref__")}
    body |= {"__slots__": fields, "__match_args__": fields, "__annotations__": cls.__annotations__}
    made = type(cls.__name__, cls.__bases__, _METHODS | {name: _Dataclass(cls) for name in _KEPT} | body)
    made.__qualname__ = cls.__qualname__
    names = {f"set_{name}": getattr(made, name).__set__ for name in fields}
    names |= {f"default_{name}": vars(cls)[name] for name in fields if name in vars(cls)}
    arguments = (f", {name}=default_{name}" if f"default_{name}" in names else f", {name}" for name in fields)
    settings = "; ".join(f"set_{name}(self, {name})" for name in fields)
    made.__init__ = _compiled("__init__", f"(self{''.join(arguments)}): {settings}", names)  # type: ignore[misc]
    return made


def _compiled(name: str, rest: str, names: dict[str, Any]) -> Callable[..., Any]:
    """Return the method called *name*, with the *rest* of its definition, which looks up *names*."""
    exec(f"def {name}{rest}", names)  # noqa: S102 - as dataclasses itself does
    method: Callable[..., Any] = names[name]
    return method


def _replace(self: T, /, **changes: Any) -> T:
    """Return a record with *changes* to some fields."""
    cls: Any = type(self)
    for name in cls.__match_args__:
        if name not in changes:
            changes[name] = getattr(self, name)
    return cls(**changes)  # type: ignore[no-any-return]


if TYPE_CHECKING:
    from dataclasses import replace as replace  # noqa: PLC0414 - whose arguments mypy checks
else:
    replace = _replace


# --- the methods of all records --------------------------------------------------------------------------------------


def _on_first_use(name: str, rest: str) -> Callable[..., Any]:
    """Return a method that on its first call is replaced by one compiled for the class."""

    def method(self: Any, *other: object) -> Any:
        values = {who: "".join(f"{who}.{field}, " for field in self.__match_args__) for who in ("self", "other")}
        compiled = _compiled(name, rest.format_map(values), {})
        setattr(type(self), name, compiled)
        return compiled(self, *other)

    return method


def _reduce(self: Any) -> tuple[type, tuple[Any, ...]]:
    """Return what pickles and copies are made from."""
    return type(self), tuple([getattr(self, name) for name in self.__match_args__])


def _repr(self: object) -> str:
    type(self).__dataclass_params__  # type: ignore[attr-defined]  # noqa: B018 - replaces this function
    return repr(self)


def _setattr(_: object, name: str, __: object) -> NoReturn:
    from dataclasses import FrozenInstanceError

    raise FrozenInstanceError(f"cannot assign to field {name!r}")


def _delattr(_: object, name: str) -> NoReturn:
    from dataclasses import FrozenInstanceError

    raise FrozenInstanceError(f"cannot delete field {name!r}")


_EQUAL = "(self, other): return ({self}) == ({other}) if other.__class__ is self.__class__ else NotImplemented"
_HASH = "(self): return hash(({self}))"

_METHODS = {
    "__eq__": _on_first_use("__eq__", _EQUAL),
    "__hash__": _on_first_use("__hash__", _HASH),
    "__reduce__": _reduce,
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
