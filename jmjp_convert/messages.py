"""Messages in parts, with players and points that are put into words once the names and units of a file are known.

The play knows players by number and points by player. A file shows the seat wind of a player in a frame, a name, and
points in its own unit and order. A message is therefore kept in parts, which the file's reader puts into words in its
:class:`Terms`. Without any, players are numbered and points are points.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from enum import Enum
from typing import Generic, TypeVar

from jmjp_convert.lazy_regex import regex

T = TypeVar("T")

WINDS = ("East", "South", "West", "North")
"""The seats of a frame in order, from its dealer."""

_LONGEST_NAME = 24


class Kind(Enum):
    """What a message is: its value begins the line, except that of a status, such as what has been written."""

    ERROR = "error"
    WARNING = "warning"
    NOTE = "note"
    STATUS = ""


class Part:
    """A part of a message that depends on the terms."""

    __slots__ = ()

    def in_terms(self, terms: Terms) -> str:
        """Return it in *terms*."""
        raise NotImplementedError

    def __str__(self) -> str:
        return self.in_terms(PLAIN)


class Message(Part):
    """A message in parts.

    :param template: a template for :meth:`str.format`.
    :param parts: what is filled in, by name.
    """

    __slots__ = ("_parts", "_template")

    def __init__(self, template: str, /, **parts: object) -> None:
        self._template = template
        self._parts = parts

    def in_terms(self, terms: Terms) -> str:
        """Return the message in *terms*."""
        return self._template.format(
            **{name: part.in_terms(terms) if isinstance(part, Part) else part for name, part in self._parts.items()}
        )


class _Valued(Part, Generic[T]):
    """A part that is made from one value; equal parts have equal ones."""

    __slots__ = ("_value",)

    def __init__(self, value: T) -> None:
        self._value = value

    def __eq__(self, other: object) -> bool:
        return type(self) is type(other) and self._value == other._value

    def __hash__(self) -> int:
        return hash(self._value)


class Who(_Valued[int]):
    """A player."""

    __slots__ = ()

    def in_terms(self, terms: Terms) -> str:
        """Return the player's seat and name, as far as they are known."""
        return terms.player(self._value)


class Players(_Valued[tuple[int, ...]]):
    """Several players, or nobody."""

    __slots__ = ()

    def in_terms(self, terms: Terms) -> str:
        """Return the seats and names of the players."""
        *others, last = map(terms.player, self._value) if self._value else ["nobody"]
        return f"{', '.join(others)} and {last}" if others else last


class Points(_Valued[tuple[int, ...] | int]):
    """Points by player, or a number of points that has no player."""

    __slots__ = ()

    def in_terms(self, terms: Terms) -> str:
        """Return them in the unit and order of the file."""
        return _listed(self._value, terms.points, terms)


class Results(_Valued[tuple[int, ...] | int]):
    """Final results in points, by player, or a sum of them."""

    __slots__ = ()

    def in_terms(self, terms: Terms) -> str:
        """Return them in the unit and order of the file."""
        return _listed(self._value, terms.results, terms)


class Sticks(_Valued[int]):
    """A number of riichi sticks."""

    __slots__ = ()

    def in_terms(self, terms: Terms) -> str:
        """Return it as the file counts sticks."""
        return terms.sticks(self._value)


def _listed(values: tuple[int, ...] | int, unit: Callable[[int], str], terms: Terms) -> str:
    return unit(values) if isinstance(values, int) else ",".join(map(unit, terms.listed(values)))


def any_of(parts: Iterable[Part]) -> Part | Message:
    """Return the different *parts*, joined by "or"; a single one as it is."""
    different = [*dict.fromkeys(parts)]
    if len(different) == 1:
        return different[0]
    named = {f"part{number}": part for number, part in enumerate(different)}
    return Message(" or ".join(f"{{{name}}}" for name in named), **named)


class Terms:
    """What a file calls its players, and how it gives points.

    :param names: the names by player, where they are known.
    :param seats: the number of players.
    :param dealer: the dealer of the frame in question; ``None``: the match as a whole, or unknown.
    :param points: returns points in the file's unit.
    :param results: returns a final result in the file's unit.
    :param sticks: returns a number of riichi sticks as the file has it.
    :param by_seat: whether the points of a frame are listed from its dealer on, not by player.
    :param first: the player with whom the lists of the whole match begin.
    """

    __slots__ = ("_by_seat", "_first", "_names", "_seats", "dealer", "points", "results", "sticks")

    def __init__(
        self,
        names: Sequence[str | None] = (),
        seats: int = len(WINDS),
        dealer: int | None = None,
        *,
        points: Callable[[int], str] = str,
        results: Callable[[int], str] = str,
        sticks: Callable[[int], str] = str,
        by_seat: bool = False,
        first: int = 0,
    ) -> None:
        self._names = names
        self._seats = seats
        self.dealer = dealer
        self.points = points
        self.results = results
        self.sticks = sticks
        self._by_seat = by_seat
        self._first = first

    def at(self, dealer: int | None) -> Terms:
        """Return the terms for a frame with this *dealer*."""
        from copy import copy  # only an error needs it

        terms = copy(self)
        terms.dealer = dealer
        return terms

    def player(self, who: int) -> str:
        """Return the seat and the name of a player: ``West (MSN)``; without either, ``player 2``."""
        name = self._name(who)
        if self.dealer is None:
            return name or f"player {who}"
        wind = WINDS[(who - self.dealer) % self._seats]
        return f"{wind} ({name})" if name else wind

    def listed(self, values: tuple[int, ...]) -> tuple[int, ...]:
        """Return *values*, given by player, in the order of the file."""
        first = self.dealer if self._by_seat and self.dealer is not None else self._first
        return values[first:] + values[:first]

    def _name(self, who: int) -> str:
        name = (self._names[who] if who < len(self._names) else None) or ""
        return escaped(name if len(name) <= _LONGEST_NAME else f"{name[: _LONGEST_NAME - 1]}…")


PLAIN = Terms()
"""The terms of the model: players by number, points in points."""


def decimal(value: int, unit: int) -> str:
    """Return *value* in multiples of *unit*, a power of ten, with as many decimals as it needs and at least one.

    >>> decimal(-3200, 1000)
    '-3.2'
    """
    whole, rest = divmod(abs(value), unit)
    return f"{'-' * (value < 0)}{whole}.{f'{rest:0{len(str(unit)) - 1}}'.rstrip('0') or '0'}"


def hundreds(value: int) -> str:
    """Return points in hundreds, with a decimal only if needed."""
    return decimal(value, 100).removesuffix(".0")


def thousands(value: int) -> str:
    """Return points in thousands, with at least one decimal."""
    return decimal(value, 1000)


# --- characters that are escaped --------------------------------------------------------------------------------------

_CONTROLS = r"\x00-\x1f\x7f-\x9f\u2028\u2029\ufff9-\ufffb"
_INVISIBLE = (  # Unicode's Default_Ignorable_Code_Point: among them all that change the direction of a text
    r"\xad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f\u202a-\u202e\u2060-\u206f\u3164\ufe00-\ufe0f"
    r"\ufeff\uffa0\ufff0-\ufff8\U0001bca0-\U0001bca3\U0001d173-\U0001d17a\U000e0000-\U000e0fff"
)
_EMOJI = r"\xa9\xae\u203c\u2049\u2100-\u2bff\u3030\u303d\u3297\u3299\U0001f000-\U0001faff"
_KANJI = r"\u3400-\u9fff\uf900-\ufaff\U00020000-\U0003ffff"
_WANTED = (
    rf"(?<=[{_EMOJI}])[\ufe0e\ufe0f]",  # text or picture
    r"(?<=[0-9#*])\ufe0f(?=\u20e3)",  # a keycap
    rf"(?<=[{_EMOJI}\ufe0f])\u200d(?=[{_EMOJI}])",  # several emoji shown as one, such as a family
    rf"(?<=[{_KANJI}])[\ufe00-\ufe02\U000e0100-\U000e01ef]",  # the form of a kanji
)
"""Where a character that is invisible by itself changes the one before it, as in names that people really have."""

_HIDDEN = regex(f"(?P<wanted>{'|'.join(_WANTED)})|[{_CONTROLS}{_INVISIBLE}]")


def escaped(text: str) -> str:
    r"""Return *text* with the characters that would break a line, control a terminal, or hide in a text as Python
    writes them: ``\x1b``, ``\u202e``."""
    return text if text.isascii() and text.isprintable() else _HIDDEN.sub(_escape, text)


_OPTION = regex(r"(?<!jmjp lists )--(?:(?P<valued>to|frame) (?P<value>[\w-]+)|(?P<name>[a-z][a-z-]*))")

_IN_PYTHON = {
    "use --force to overwrite it": "pass force=True to overwrite it",
    "use jmjp batch, or give its path to check, info or view": "go through it with games()",
    "is a directory; use jmjp batch, or name the files in it": "is a directory; go through it with games()",
}
"""Advice to users of commands, and the same to those of Python."""


def option_names(text: str) -> str:
    """Return the message *text* with options as they are written in Python: ``--per-frame`` is ``per_frame=``."""
    for command, python in _IN_PYTHON.items():
        text = text.replace(command, python)
    return _OPTION.sub(_in_python, text)


def _in_python(option: re.Match[str]) -> str:
    if option["valued"]:
        return f'{option["valued"]}="{option["value"]}"'
    return f"{option['name'].replace('-', '_')}="


def for_terminal(text: str) -> str:
    """Return *text* for a terminal, escaped except for its line ends and tabs."""
    return "\n".join("\t".join(map(escaped, line.split("\t"))) for line in text.split("\n"))


def _escape(match: re.Match[str]) -> str:
    return match[0] if match["wanted"] else match[0].encode("unicode_escape").decode("ascii")


_FORMULA = ("=", "+", "-", "@", "\t", "\r", "\n", "\uff1d", "\uff0b", "\uff0d", "\uff20")
"""What a cell begins with that a spreadsheet may take for a formula; full-width ones in some languages.

Source: owasp.org/www-community/attacks/CSV_Injection."""


def as_cell(text: str) -> str:
    """Return *text* for a cell of CSV, behind an apostrophe if a spreadsheet might run it as a formula."""
    return f"'{text}" if text.startswith(_FORMULA) else text
