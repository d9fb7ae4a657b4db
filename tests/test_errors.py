"""The exceptions."""

from __future__ import annotations

import inspect
import pickle
from collections.abc import Iterator
from typing import Any

import pytest

from jmjp_convert import errors
from jmjp_convert.errors import ConvertError

VALUES = {
    "reason": "no such tile",
    "frame": "E1-0",
    "line": 3,
    "column": 7,
    "what": "--score",
    "extra": "score",
    "player": 2,
}


def kinds(kind: type[ConvertError] = ConvertError) -> Iterator[type[ConvertError]]:
    """Yield *kind* and the classes derived from it."""
    yield kind
    for derived in kind.__subclasses__():
        if derived.__module__ == errors.__name__:
            yield from kinds(derived)


@pytest.mark.parametrize("kind", [*kinds()], ids=lambda kind: kind.__name__)
def test_pickling(kind: type[ConvertError]) -> None:
    """An error can be sent to another process, with all that it knows."""
    values: dict[str, Any] = {name: VALUES[name] for name in inspect.signature(kind).parameters if name in VALUES}
    error = kind(**values)
    copy = pickle.loads(pickle.dumps(error))  # noqa: S301 - our own
    known, sent = ({name: str(value) for name, value in vars(each).items()} for each in (error, copy))
    assert (type(copy), str(copy), copy.args, sent) == (kind, str(error), error.args, known)


@pytest.mark.parametrize("kind", [*kinds()], ids=lambda kind: kind.__name__)
def test_one_line(kind: type[ConvertError]) -> None:
    """What a file has, such as a line feed, does not break the line of an error."""
    odd = VALUES | {"reason": "no\nsuch tile", "element": "<\n>", "pointer": "/\x1b", "number": 5}
    values: dict[str, Any] = {name: odd[name] for name in inspect.signature(kind).parameters if name in odd}
    error = kind(**values)
    assert str(error).isprintable()
    assert error.about("log.xml").isprintable()
