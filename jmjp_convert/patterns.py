"""Regular expressions that are compiled when they are first used: most runs need only some of them."""

from __future__ import annotations

import re
from typing import Any, AnyStr, cast


def regex(pattern: AnyStr, flags: int = 0) -> re.Pattern[AnyStr]:
    """Return *pattern*, which is compiled on first use."""
    return cast("re.Pattern[AnyStr]", _Pattern(pattern, flags))


class _Method:
    """A method of a pattern, which is compiled to get it, and from then on an attribute of the object."""

    def __set_name__(self, _: type, name: str) -> None:
        self._name = name

    def __get__(self, pattern: Any, _: type) -> Any:
        method = getattr(re.compile(pattern.pattern, pattern.flags), self._name)
        setattr(pattern, self._name, method)
        return method


class _Pattern:
    match = _Method()
    fullmatch = _Method()
    search = _Method()
    finditer = _Method()
    sub = _Method()
    split = _Method()

    def __init__(self, pattern: str | bytes, flags: int) -> None:
        self.pattern = pattern
        self.flags = flags
