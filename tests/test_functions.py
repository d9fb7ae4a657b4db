"""Functions of one result: the tables in ``fixtures/functions``, each row with arguments and what they give."""

from __future__ import annotations

import re
from collections.abc import Iterator
from importlib import import_module
from operator import attrgetter
from pathlib import Path, PurePosixPath, PureWindowsPath
from typing import Any, NamedTuple

import pytest
from casefiles import FIXTURES

from jmjp_convert import errors, model

_HEAD = re.compile(r"## (?P<module>[a-z_.]+)\.(?P<name>(?:[A-Z]\w+\.)?[a-z_]+)(?:\((?P<parameters>.*)\))?")
_PATHS = {"Path": Path, "PurePosixPath": PurePosixPath, "PureWindowsPath": PureWindowsPath}


class Section(NamedTuple):
    """A section of a file: a function, the names of its parameters that are given by keyword, a sentence, and rows.

    The rows are Python expressions in the names of the function's module, of the model, errors and paths.
    """

    module: str
    name: str
    keywords: list[str]
    sentence: str
    rows: list[str]


def sections(path: Path) -> Iterator[Section]:
    """Yield the sections of a file: each says in a sentence what it shows, and has at least one row."""
    _, *parts = re.split(r"^(?=## )", path.read_text(encoding="utf-8"), flags=re.MULTILINE)
    for head, sentence, *lines in (part.splitlines() for part in parts):
        found = _HEAD.fullmatch(head)
        assert found is not None, head
        assert sentence.startswith("# "), head
        rows = [line for line in lines if line and line[0] != "#"]
        assert rows, head
        parameters = (found["parameters"] or "").split(", ")
        keywords = [name.removesuffix("=") for name in parameters if name.endswith("=")]
        yield Section(found["module"], found["name"], keywords, sentence[2:], rows)


SECTIONS = [section for path in sorted((FIXTURES / "functions").glob("*.txt")) for section in sections(path)]


def parsed(section: Section, row: str) -> tuple[list[Any], dict[str, Any], Any]:
    """Return the arguments by position and by keyword in a *row*, and what is expected."""
    names = {**_PATHS, **vars(errors), **vars(model), **vars(import_module(f"jmjp_convert.{section.module}"))}
    *values, expected = eval(f"({row}\n,)", names)  # noqa: S307 - our own
    first = len(values) - len(section.keywords)
    return values[:first], dict(zip(section.keywords, values[first:], strict=True)), expected


def result(section: Section, values: list[Any], named: dict[str, Any]) -> Any:
    """Return what the function gives, or the error that it raises; what it yields as a list."""
    try:
        found = attrgetter(section.name)(import_module(f"jmjp_convert.{section.module}"))(*values, **named)
        return [*found] if isinstance(found, Iterator) else found
    except Exception as error:  # noqa: BLE001 - any that a row may have
        return error


@pytest.mark.parametrize("section", SECTIONS, ids=lambda section: f"{section.name}: {section.sentence}")
def test_function(section: Section) -> None:
    """A function gives what its rows say: a value, a number of the same type, or an error with this message."""
    for row in section.rows:
        values, named, expected = parsed(section, row)
        found = result(section, values, named)
        if isinstance(expected, Exception):
            assert (type(found), str(found)) == (type(expected), str(expected)), row
        else:
            assert found == expected, row
            assert not isinstance(expected, int | float) or type(found) is type(expected), row
