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
    held: Holding


def with_losses(text: str) -> str:
    """Return *text* with its tables of what is kept, left out or reworded."""
    tables: dict[str, Callable[[str], str]] = {
        "losses": lambda _: _table(_traits()),
        "rewordings": lambda before: before[: before.index("\n", before.index("\n") + 1) + 1] + _lines(_clauses()),
    }
    for mark, made in tables.items():
        text = re.sub(_MARKED.format(mark), lambda found, made=made: found[1] + made(found[2]), text)  # type: ignore[misc]
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
    return [one for one in FORMATS.values() if one.holding is not None and one is not COMPLETE]


def held_by(one: Format, **given: bool) -> Holding:
    """Return what a format holds with its default options, or those *given*."""
    assert one.holding is not None
    found: Holding = one.holding(**{option.name: option.default for option in one.options} | given)
    return found


def kept(held: Holding) -> dict[str, str]:
    """Return by trait whether it is kept."""
    return {key: (SOMETIMES if held.in_part(key) else KEPT) if held.holds(key) else LEFT_OUT for key in REPORTED}


def columns() -> Iterator[Column]:
    """Yield the formats, each followed by the ways to write it that hold something else."""
    for one in holders():
        usual = held_by(one)
        yield Column(one.name, usual)
        ways: list[tuple[Holding, list[str]]] = []
        for option in one.options:
            if option.default is False and kept(held := held_by(one, **{option.name: True})) != kept(usual):
                flags = next((flags for other, flags in ways if kept(other) == kept(held)), None)
                if flags is None:
                    ways.append((held, flags := []))
                flags.append(f"`{option.flag}`")
        for held, flags in ways:
            yield Column(f"{one.name} with {', '.join(flags)}", held)


def _traits() -> Iterator[Row]:
    found = list(columns())
    yield ["in a game", *(column.title for column in found)]
    marks = [kept(column.held) for column in found]
    for key, trait in REPORTED.items():
        yield [trait.phrase, *(column[key] for column in marks)]


# --- what is reworded ------------------------------------------------------------------------------------------------


def _clauses() -> Iterator[Row]:
    """Yield each clause once, in the order of the formats."""
    approximations = [held_by(FORMATS[name]).approximations for name in REWORDING]
    clauses = [[one.phrase for one in found if one.phrase] for found in approximations]
    for clause in dict.fromkeys(clause for found in clauses for clause in found):
        yield [clause, *("✓" if clause in found else "" for found in clauses)]
