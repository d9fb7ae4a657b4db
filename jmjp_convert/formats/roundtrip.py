"""Verify an output before it is written: read it back and compare."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

from jmjp_convert.errors import ConvertError, UnprovenError
from jmjp_convert.model import Match
from jmjp_convert.model.record import Record, fields

_IGNORED = " ignored"
"""Is in a reader's notice on a part of a file that says nothing to it; the other notices are on ambiguous play."""


def prove(
    content: bytes,
    wanted: Iterable[Match],
    read: Callable[..., list[Match]],
    repeats: Callable[[bytes, list[Match]], Iterable[str]] = lambda *_: (),
) -> None:
    """Check that *content* reads back as the *wanted* matches, with only one in memory at a time.

    :param read: the reader, which accepts bytes, *max_size* and *notice*.
    :param repeats: yields what in *content* does not agree with the matches that it reads as.
    :raises UnprovenError: it cannot be read, has a part that the reader ignores, reads back differently, or contradicts
        itself.
    """
    notices: list[str] = []
    try:
        matches = read(content, max_size=len(content), notice=notices.append)
    except ConvertError as error:
        raise _fault(str(error)) from error
    if ignored := next((line for line in notices if _IGNORED in line), ""):
        raise _fault(ignored)
    remaining = iter(wanted)
    for number, match in enumerate(matches):
        difference = _difference(f"match[{number}]", match, next(remaining, None))
        if difference:
            raise _fault(difference)
    if missing := sum(1 for _ in remaining):
        raise _fault(f"{len(matches)} matches; {len(matches) + missing} expected")
    try:
        disagreement = next(iter(repeats(content, matches)), "")
    except (LookupError, TypeError, ValueError) as error:  # a value is missing, or of another type
        raise _fault(repr(error)) from error
    if disagreement:
        raise _fault(disagreement)


def _fault(what: str) -> UnprovenError:
    return UnprovenError(f"internal error, report it: the output reads back differently: {what}")


def _difference(name: str, actual: Any, wanted: Any) -> str:
    """Return the first value in which *actual* differs from *wanted*, and both values; empty if they are equal."""
    if actual == wanted:
        return ""
    if type(actual) is type(wanted):
        if isinstance(actual, Record):
            pairs = ((f"{name}.{field}", field) for field in fields(actual))
            return next(
                filter(None, (_difference(path, getattr(actual, key), getattr(wanted, key)) for path, key in pairs))
            )
        if isinstance(actual, list | tuple) and len(actual) == len(wanted):
            pairs_of = enumerate(zip(actual, wanted, strict=True))
            return next(filter(None, (_difference(f"{name}[{index}]", *pair) for index, pair in pairs_of)))
    return f"{name} is {actual!r:.200}; {wanted!r:.200} expected"
