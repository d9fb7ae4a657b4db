"""The mark for classes that the compiler makes native, and that may have subclasses under the interpreter."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, TypeVar

C = TypeVar("C", bound=type)

if TYPE_CHECKING:  # this module is never compiled: the compiler takes one of the branches as unreachable
    from mypy_extensions import mypyc_attr as mypyc_attr  # noqa: PLC0414
else:

    def mypyc_attr(**_: bool) -> Callable[[C], C]:
        """Return a decorator that changes nothing."""
        return lambda cls: cls
