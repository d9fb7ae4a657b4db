"""The decorator for the model's records: frozen, slotted dataclasses that are cheap to create."""

from __future__ import annotations

from dataclasses import MISSING, dataclass, fields
from typing import Any, TypeVar, dataclass_transform

T = TypeVar("T")


@dataclass_transform(frozen_default=True)
def record(cls: type[T]) -> type[T]:
    """Make *cls* a frozen, slotted dataclass.

    A frame creates about twenty objects besides its shared draws and discards, and a frozen dataclass takes five times
    as long to create as a mutable one: its ``__init__`` goes through ``object.__setattr__``. This one sets the slots
    directly. Fields have plain defaults or none; equality, hash and repr are the dataclass's own.
    """
    made = dataclass(frozen=True, slots=True)(cls)
    names: dict[str, Any] = {}
    arguments, body = ["self"], []
    for field in fields(made):  # type: ignore[arg-type]
        names[f"set_{field.name}"] = getattr(made, field.name).__set__
        default = ""
        if field.default is not MISSING:
            names[f"default_{field.name}"] = field.default
            default = f"=default_{field.name}"
        arguments.append(f"{field.name}{default}")
        body.append(f"set_{field.name}(self, {field.name})")
    exec(f"def __init__({', '.join(arguments)}): {'; '.join(body)}", names)  # noqa: S102 - as dataclass itself does
    made.__init__ = names["__init__"]  # type: ignore[method-assign]
    return made
