"""What a format is: one object per folder, from which everything else is derived."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import cache
from importlib import import_module
from typing import Any, Final

from jmjp_convert.errors import ConvertError
from jmjp_convert.model import Match
from jmjp_convert.model.record import Record

Options = Mapping[str, Any]
"""The values of a format's own options, by name."""

Function = Callable[..., Any]


class Option(Record):
    """A format's own option: a keyword argument in Python, ``--per-frame`` on the command line.

    :ivar name: ``per_frame``.
    :ivar help: its help text, one line.
    :ivar default: its default; ``False`` makes it a switch.
    :ivar choices: the values that it accepts; empty for any.
    :ivar metavar: the placeholder for its value in the help.
    :ivar parse: parses the value, and raises a ``ConvertError`` if it is invalid.
    """

    __slots__ = ("name", "help", "default", "choices", "metavar", "parse")

    def __init__(
        self,
        name: str,
        help: str,
        default: Any = False,
        choices: tuple[str, ...] = (),
        metavar: str | None = None,
        parse: Callable[[str], Any] | None = None,
    ) -> None:
        self.name: Final = name
        self.help: Final = help
        self.default: Final = default
        self.choices: Final = choices
        self.metavar: Final = metavar
        self.parse: Final = parse

    @property
    def flag(self) -> str:
        """Its name on the command line."""
        return f"--{self.name.replace('_', '-')}"


class Lost(Record):
    """What an output loses of a match: phrases for what it leaves out, clauses for what it rewords."""

    __slots__ = ("left_out", "otherwise", "usual")

    def __init__(
        self, left_out: tuple[str, ...] = (), otherwise: tuple[str, ...] = (), usual: tuple[str, ...] = ()
    ) -> None:
        self.left_out: Final = left_out
        self.otherwise: Final = otherwise
        self.usual: Final = usual  # phrases for what it leaves out of nearly every match, which only the full list has


class About(Record):
    """A row of the table of formats in the documentation: what reads the format, what it keeps, what it cannot hold."""

    __slots__ = ("read_by", "keeps", "drops")

    def __init__(self, read_by: str, keeps: str, drops: str) -> None:
        self.read_by: Final = read_by
        self.keeps: Final = keeps
        self.drops: Final = drops


class Format(Record):
    """A format.

    Functions from the format's own modules are wrapped in :func:`later`, so that nothing is loaded before it is needed.
    Those that accept a match or matches also accept the format's own options by keyword.

    :ivar name: its name, for ``--to`` and in messages.
    :ivar suffixes: the suffixes of its files, lower case; the first is used for output.
    :ivar shared: further suffixes of its files, which other formats have too.
    :ivar begins: whether a text with this beginning (up to 1 MiB, leading white space stripped) is of this format.
    :ivar signs: whether a file with these first bytes (up to 1 MiB) is of this format, if it is not always text.
    :ivar about: what the documentation says of it as an output.
    :ivar noun: what messages call it; by default, its name.
    :ivar read: reads a file: ``read(source, max_size=…, notice=None, finding=None, locate=None)`` returns its matches,
        and adds a :data:`~jmjp_convert.formats.session.Locate` for each to the list *locate*. The source is bytes or,
        so that nothing else holds a large file in memory, an open file.
    :ivar takes: which of ``id``, ``time``, ``file_name`` and ``strict`` its reader also accepts.
    :ivar peek: returns the number of players if the first bytes of a file show it.
    :ivar error: the error that its reader raises.
    :ivar write: returns matches as the text of a file, ending with a line feed.
    :ivar options: its own options.
    :ivar check: returns why options conflict, in one line; an empty string if they do not.
    :ivar players: the numbers of players that it can hold.
    :ivar several: returns whether a file may hold several matches.
    :ivar suffix: returns the suffix for output, if the options decide it.
    :ivar dora: whether it holds dora that nobody saw, such as those taken from a wall.
    :ivar holding: returns what it holds, a :class:`~jmjp_convert.formats.losses.Holding`, given its own options. If it
        is also read, it reads as much, and output is verified. ``None`` if it holds no whole match.
    :ivar repeats: yields what in an output does not agree with the rest although the reader passes over it: what
        repeats other values, and words that have other spellings. It gets the output as bytes, the matches that it
        reads as, and as *written* those that were written.
    :ivar lost: returns what it loses of a match, a :class:`Lost`, if it has no *holding*.
    """

    __slots__ = (
        "name",
        "suffixes",
        "begins",
        "shared",
        "signs",
        "about",
        "noun",
        "read",
        "takes",
        "peek",
        "error",
        "write",
        "options",
        "check",
        "players",
        "several",
        "suffix",
        "dora",
        "holding",
        "repeats",
        "lost",
    )

    def __init__(
        self,
        name: str,
        suffixes: tuple[str, ...],
        begins: Callable[[str], bool],
        shared: tuple[str, ...] = (),
        signs: Callable[[bytes], bool] = lambda _: False,
        about: About | None = None,
        noun: str = "",
        read: Function | None = None,
        takes: frozenset[str] = frozenset(),
        peek: Callable[[bytes], int | None] = lambda _: None,
        error: type[ConvertError] = ConvertError,
        write: Function | None = None,
        options: tuple[Option, ...] = (),
        check: Callable[[Options], str] = lambda _: "",
        players: frozenset[int] = frozenset({4}),
        several: Callable[[Options], bool] = lambda _: False,
        suffix: Callable[[Options], str | None] = lambda _: None,
        dora: bool = False,
        holding: Function | None = None,
        repeats: Function = lambda *_, **__: (),
        lost: Function | None = None,
    ) -> None:
        self.name: Final = name
        self.suffixes: Final = suffixes
        self.begins: Final = begins
        self.shared: Final = shared
        self.signs: Final = signs
        self.about: Final = about
        self.noun: Final = noun or name
        self.read: Final = read
        self.takes: Final = takes
        self.peek: Final = peek
        self.error: Final = error
        self.write: Final = write
        self.options: Final = options
        self.check: Final = check
        self.players: Final = players
        self.several: Final = several
        self.suffix: Final = suffix
        self.dora: Final = dora
        self.holding: Final = holding
        self.repeats: Final = repeats
        self.lost: Final = lost


# --- helpers for defining formats ------------------------------------------------------------------------------------


def later(module: str, function: str) -> Function:
    """Return the *function* of a *module* that is imported on the first call."""

    def call(*args: Any, **values: Any) -> Any:
        return getattr(import_module(module), function)(*args, **values)

    return call


def holds(*keys: str) -> Function:
    """Return the *holding* of a format that is only read, and has the traits *keys*."""

    @cache
    def holding() -> Any:
        from jmjp_convert.formats.losses import Holding

        return Holding(keys)

    return holding


def each(write: Function) -> Function:
    """Return a function that writes several matches, given the one that writes a single match."""

    def call(matches: Sequence[Match], **options: Any) -> str:
        return "".join(text if text.endswith("\n") else f"{text}\n" for text in (write(m, **options) for m in matches))

    return call
