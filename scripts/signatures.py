#!/usr/bin/env python3
"""Write jmjp_convert/signatures.pyi: the types of `dumps` and `write` for each format, from the registry."""

from __future__ import annotations

import sys
from pathlib import Path

import activate  # noqa: F401 - before what needs its packages
from commandline import Parser, run

from jmjp_convert.formats import DEFAULT, writable
from jmjp_convert.formats.format import Option

TARGET = Path(__file__).parent.parent / "jmjp_convert" / "signatures.pyi"

_HEAD = """# The types of `dumps` and `write`, one signature per format. Made by scripts/signatures.py.

from collections.abc import Iterable
from os import PathLike
from typing import Any, Literal, overload

from jmjp_convert.formats.format import Format
from jmjp_convert.formats.session import Notice
from jmjp_convert.model import Match

"""

_COMMON: tuple[tuple[str, str, object], ...] = (
    ("force", "bool", False),
    ("notice", "Notice | None", None),
    ("verify", "bool", True),
    ("wall", "bool", False),
    ("anonymous", "bool", False),
)


def text() -> str:
    """Return the content of the file."""
    formats = writable()
    parts = []
    every = {option.name: option for one in formats for option in one.options}
    for function, first, result in (("dumps", "", "str"), ("write", "    path: str | PathLike[str],\n", "None")):
        common = [part for part in _COMMON if function == "write" or part[0] != "force"]
        for one in formats:
            default = f' = "{DEFAULT.name}"' if function == "dumps" and one is DEFAULT else ""
            to = f'Literal["{one.name}"]{default}'
            parts.append(_overload(function, first, to, [*common, *map(_parameter, one.options)], result))
        if function == "write":  # by the extension
            parts.append(_overload(function, first, "None = None", [*common, *map(_parameter, every.values())], result))
        parts.append(_overload(function, first, "Format", common, result, rest="    **options: Any,\n"))
    return _HEAD + "".join(parts)


def _parameter(option: Option) -> tuple[str, str, object]:
    if option.choices:
        choices = ", ".join(f'"{choice}"' for choice in option.choices)
        return option.name, f"Literal[{choices}]", option.default
    return option.name, "str | None" if option.default is None else type(option.default).__name__, option.default


def _overload(
    function: str, first: str, to: str, keywords: list[tuple[str, str, object]], result: str, *, rest: str = ""
) -> str:
    """Return one signature of *function*.

    :param keywords: the name, type and default of each keyword.
    """
    named = "".join(f"    {name}: {kind} = {_value(default)},\n" for name, kind, default in keywords)
    return (
        f"@overload\ndef {function}(\n    matches: Match | Iterable[Match],\n{first}    to: {to},\n    *,\n"
        f"{named}{rest}) -> {result}: ...\n"
    )


def _value(default: object) -> str:
    return f'"{default}"' if isinstance(default, str) else repr(default)


def _main() -> None:
    Parser(__file__, __doc__).parse_args()
    TARGET.write_text(text(), encoding="utf-8")


if __name__ == "__main__":
    sys.exit(run(__file__, _main))
