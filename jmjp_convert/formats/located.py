"""What a file is read as: its matches, and where in it a problem is that is found in one of them as a whole."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from jmjp_convert.errors import MatchError, RecordError
from jmjp_convert.model import Match

Locate = Callable[[MatchError], RecordError]
"""Returns a problem of a match as its file puts it: in its terms, with the place in it."""


class Loaded(NamedTuple):
    """The *matches* of a file; *locate* has a function for each."""

    matches: list[Match]
    locate: list[Locate]
