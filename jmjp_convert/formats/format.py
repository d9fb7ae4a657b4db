"""The shape of a format: one object per folder, from which everything else is derived."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from importlib import import_module
from typing import Any, NamedTuple

from jmjp_convert.errors import ConvertError
from jmjp_convert.model import Match, Wall

Options = Mapping[str, Any]
"""The values of a format's own options, by name."""

Function = Callable[..., Any]

_COMPARED = 1000  # characters


def nothing(*_: object, **__: object) -> Iterator[str]:
    """Yield nothing: what a format loses that loses nothing."""
    return iter(())


def _tells_nothing(_: Any) -> None:
    return None


def _lacks_nothing(*_: object, **__: object) -> str:
    return ""


def _agree(_: Options) -> str:
    return ""


def _one(_: Options) -> bool:
    return False


@dataclass(frozen=True, slots=True)
class Option:
    """An option of a format's own, as Python takes it by keyword and the command line as ``--per-frame``.

    :ivar name: ``per_frame``.
    :ivar help: what it does, one line.
    :ivar default: its value if it is not given; ``False`` makes it a switch.
    :ivar choices: the values that it can have; none for any.
    :ivar metavar: what stands for its value in the help.
    :ivar parse: returns the value that a text stands for, and raises a ``ConvertError`` if it stands for none.
    """

    name: str
    help: str
    default: Any = False
    choices: tuple[str, ...] = ()
    metavar: str | None = None
    parse: Callable[[str], Any] | None = None

    @property
    def flag(self) -> str:
        """Its name on the command line."""
        return f"--{self.name.replace('_', '-')}"


class Lost(NamedTuple):
    """What an output does not hold of a match as it is: phrases for what it leaves out, and clauses for what it says in
    other words."""

    left_out: tuple[str, ...] = ()
    otherwise: tuple[str, ...] = ()


class About(NamedTuple):
    """A row of the table of formats in the documentation: what reads its files, what it keeps of a game, and what it
    cannot hold."""

    read_by: str
    keeps: str
    drops: str


class Walls(NamedTuple):
    """The wall of each frame of a match, where its seed proves right, or else *why* there are none."""

    walls: list[Wall] | None
    why: str = ""


@dataclass(frozen=True, slots=True)
class Format:
    """A format.

    Functions of the format's own modules are named with :func:`later`, so that nothing is loaded in vain. Those that
    take a match or matches take the format's own options by keyword, too.

    :ivar name: as ``--to`` takes it and messages say it.
    :ivar suffixes: how the names of its files end; the first is that of what is written.
    :ivar begins: whether a file that begins so is of this format: up to 64 KiB of text, white space before it left out.
    :ivar about: what there is to say of it as an output.
    :ivar noun: what one of its files is called, ``an mjlog``; without it, the name.
    :ivar read: reads a file: ``read(source, max_size=…, notice=None, finding=None)`` returns its matches.
    :ivar takes: what else its reader takes, of ``id``, ``time``, ``file_name`` and ``strict``.
    :ivar streams: whether its reader reads an open file piece by piece, so that a large one is never held whole.
    :ivar peek: returns the number of players if the first bytes of a file tell.
    :ivar error: what its reader raises.
    :ivar write: returns the text of a file of matches, which ends with a line feed.
    :ivar options: its own options.
    :ivar check: returns why options do not go together, in one line; nothing if they do.
    :ivar players: how many may play in a match that it holds.
    :ivar several: returns whether a file may hold several matches.
    :ivar suffix: returns how names end, if the options decide that.
    :ivar dora: whether it holds dora that nobody saw, and so all that a wall tells.
    :ivar walls: whether its functions take the :class:`Walls` of a match as *walls*.
    :ivar proof: returns a match as it reads back from what is written. Without it, what is written is not read back.
    :ivar lacks: returns what options ask for that a match has not, a phrase by which a batch skips it; or nothing.
    :ivar left_out: yields what is in a match and is not written, a phrase each, fit for a list.
    :ivar otherwise: yields what is written in other words or guessed, a clause each.
    """

    name: str
    suffixes: tuple[str, ...]
    begins: Callable[[str], bool]
    about: About | None = None
    noun: str = ""
    read: Function | None = None
    takes: frozenset[str] = frozenset()
    streams: bool = False
    peek: Callable[[bytes], int | None] = _tells_nothing
    error: type[ConvertError] = ConvertError
    write: Function | None = None
    options: tuple[Option, ...] = ()
    check: Callable[[Options], str] = _agree
    players: frozenset[int] = frozenset({4})
    several: Callable[[Options], bool] = _one
    suffix: Callable[[Options], str | None] = _tells_nothing
    dora: bool = False
    walls: bool = False
    proof: Function | None = None
    lacks: Function = _lacks_nothing
    left_out: Function = nothing
    otherwise: Function = nothing


# --- what formats are made with --------------------------------------------------------------------------------------


def later(module: str, function: str) -> Function:
    """Return the *function* of a *module* that is loaded when it is first called."""

    def call(*args: Any, **values: Any) -> Any:
        return getattr(import_module(module), function)(*args, **values)

    return call


def each(write: Function) -> Function:
    """Return what writes matches one after the other, by what writes one of them."""

    def call(matches: Sequence[Match], **options: Any) -> str:
        return "".join(text if text.endswith("\n") else f"{text}\n" for text in (write(m, **options) for m in matches))

    return call


def starts(*words: str) -> Callable[[str], bool]:
    """Return what tells whether a text, of which white space does not count, begins with one of *words*."""
    return lambda text: "".join(text[:_COMPARED].split()).startswith(words)


def always(_: Options) -> bool:
    """Return that it is so with any options."""
    return True
