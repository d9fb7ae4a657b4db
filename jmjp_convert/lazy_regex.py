"""Regular expressions that are compiled when they are first used: most runs need only some of them."""

from __future__ import annotations

import re
from typing import Any, AnyStr, cast


def regex(pattern: AnyStr, flags: int = 0) -> re.Pattern[AnyStr]:
    """Return *pattern*, which is compiled on first use."""
    return cast("re.Pattern[AnyStr]", _Pattern(pattern, flags))


class _Pattern:
    def __init__(self, pattern: str | bytes, flags: int) -> None:
        self.pattern = pattern
        self.flags = flags

    def __getattr__(self, name: str) -> Any:
        """Return a method of the pattern, which is an attribute of this object from then on."""
        method = getattr(re.compile(self.pattern, self.flags), name)
        setattr(self, name, method)
        return method
