"""The tables of what the formats leave out or write differently, made from the program's own.

``<!-- losses -->`` marks a table with a row for each trait of a match, ``<!-- rewordings -->`` one with a row for each
clause on what is reworded or guessed; both have a column for each of the formats that lose something in this way.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence

from jmjp_convert.formats.approximations import Guess
from jmjp_convert.formats.features import TRAITS, Held, always
from jmjp_convert.formats.majiang import writer as majiang
from jmjp_convert.formats.mjai import writer as mjai
from jmjp_convert.formats.tenhou6 import losses as tenhou6

HELD: tuple[Held, ...] = (tenhou6.HELD, tenhou6.HELD_BY_FRAME, mjai.HELD, majiang.HELD)
OTHERWISE: tuple[Sequence[Guess], ...] = (tenhou6.OTHERWISE, mjai.OTHERWISE, majiang.OTHERWISE)

KEPT, SOMETIMES, LEFT_OUT = "✓", "(✓)", "–"

_MARKED = r"(<!-- {} -->\n(?:\|.*\n){{2}})(?:\|.*\n)*"


def with_losses(text: str) -> str:
    """Return *text* with the rows of its tables of losses."""
    tables: dict[str, Callable[[], Iterator[list[str]]]] = {"losses": _traits, "rewordings": _clauses}
    for mark, rows in tables.items():
        lines = "".join(f"| {' | '.join(row)} |\n".replace("  ", " ") for row in rows())
        text = re.sub(_MARKED.format(mark), lambda found, lines=lines: found[1] + lines, text)  # type: ignore[misc]
    return text


def _traits() -> Iterator[list[str]]:
    for key, trait in TRAITS.items():
        yield [trait.phrase, *(_kept(held, key) for held in HELD)]


def _kept(held: Held, key: str) -> str:
    if key not in held:
        return LEFT_OUT
    return KEPT if held[key] is always else SOMETIMES


def _clauses() -> Iterator[list[str]]:
    """Yield each clause once, in the order of the formats."""
    clauses = [[guess.clause for guess in guesses] for guesses in OTHERWISE]
    for clause in dict.fromkeys(clause for found in clauses for clause in found):
        yield [clause, *("✓" if clause in found else "" for found in clauses)]
