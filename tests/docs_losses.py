"""The tables of what the formats keep, leave out or write differently, made from the program's own.

``<!-- losses -->`` marks a table with a row for each trait of a match and a column for each format, generated whole,
and ``<!-- rewordings -->`` one with a row for each clause on what is reworded or guessed.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from typing import NamedTuple

from jmjp_convert.formats import COMPLETE, FORMATS
from jmjp_convert.formats.format import Format
from jmjp_convert.formats.losses import Holding
from jmjp_convert.formats.losses.traits import REPORTED

REWORDING = ("tenhou6", "mjai", "majiang")
"""The formats that write something differently from how it is recorded, in any match."""

KEPT, SOMETIMES, LEFT_OUT = "✓", "(✓)", ""

_MARKED = r"(<!-- {} -->\n)((?:\|.*\n)*)"

Row = list[str]


class Column(NamedTuple):
    """A format as it is written with some of its options: its *title*, and what it holds."""

    title: str
    holding: Holding


def with_losses(text: str) -> str:
    """Return *text* with its tables of what is kept, left out or reworded."""
    tables: dict[str, Callable[[str], str]] = {
        "losses": lambda _: _table(_traits()),
        "rewordings": lambda before: before[: before.index("\n", before.index("\n") + 1) + 1] + _lines(_clauses()),
    }
    for mark, made in tables.items():
        text = re.sub(_MARKED.format(mark), lambda match, made=made: match[1] + made(match[2]), text)  # type: ignore[misc]
    return text


def _lines(rows: Iterator[Row]) -> str:
    return "".join(f"| {' | '.join(row)} |\n".replace("  ", " ") for row in rows)


def _table(rows: Iterator[Row]) -> str:
    """Return *rows*, the first of which is the head, as a table."""
    head = next(rows)
    return _lines(iter([head, ["---"] * len(head)])) + _lines(rows)


# --- what each format holds ------------------------------------------------------------------------------------------


def holders() -> list[Format]:
    """Return the formats that hold whole matches, except the one that holds everything."""
    return [format_ for format_ in FORMATS.values() if format_.holding is not None and format_ is not COMPLETE]


def holding_of(format_: Format, **given: bool) -> Holding:
    """Return what a format holds with its default options, or those *given*."""
    assert format_.holding is not None
    holding: Holding = format_.holding(**{option.name: option.default for option in format_.options} | given)
    return holding


def kept(holding: Holding) -> dict[str, str]:
    """Return by trait whether it is kept."""
    return {key: (SOMETIMES if holding.in_part(key) else KEPT) if holding.holds(key) else LEFT_OUT for key in REPORTED}


def columns() -> Iterator[Column]:
    """Yield the formats, each followed by the ways to write it that hold something else."""
    for format_ in holders():
        usual = holding_of(format_)
        yield Column(format_.name, usual)
        ways: list[tuple[Holding, list[str]]] = []
        for option in format_.options:
            if option.default is False and kept(holding := holding_of(format_, **{option.name: True})) != kept(usual):
                flags = next((flags for other, flags in ways if kept(other) == kept(holding)), None)
                if flags is None:
                    ways.append((holding, flags := []))
                flags.append(f"`{option.flag}`")
        for holding, flags in ways:
            yield Column(f"{format_.name} with {', '.join(flags)}", holding)


def _traits() -> Iterator[Row]:
    listed = list(columns())
    yield ["in a game", *(column.title for column in listed)]
    marks = [kept(column.holding) for column in listed]
    for key, trait in REPORTED.items():
        yield [trait.phrase, *(column[key] for column in marks)]


# --- what is reworded ------------------------------------------------------------------------------------------------


def _clauses() -> Iterator[Row]:
    """Yield each clause once, in the order of the formats."""
    approximations = [holding_of(FORMATS[name]).approximations for name in REWORDING]
    clauses = [[each.phrase for each in of_format if each.phrase] for of_format in approximations]
    for clause in dict.fromkeys(clause for of_format in clauses for clause in of_format):
        yield [clause, *("✓" if clause in of_format else "" for of_format in clauses)]
