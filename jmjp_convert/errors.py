"""The exception hierarchy. Each layer adds the location it knows (file, frame, element, line) as an error passes."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, ClassVar, Self

from jmjp_convert.messages import Message, Terms, Who, escaped, option_names


def expect_type(value: object, expected: type | tuple[type, ...], said: str) -> None:
    """Raise a `TypeError` unless *value* is what is *expected*, which *said* describes: ``a Match``."""
    if not isinstance(value, expected):
        raise TypeError(f"expected {said}, found {type(value).__name__}")


class ConvertError(ValueError):
    """A problem with an input or output, as a one-line message for users.

    :param reason: the problem, without its location.
    :ivar reason: the same as a string, with players by number and points in points. What a file has that would break
        the line is escaped.
    :ivar message: the same in parts, if it is about players or points.
    :ivar source: in Python, the file that it is about, and the member if that is an archive; it begins the string form.
        Commands name their inputs themselves.
    """

    source: str | None = None

    def __init__(self, reason: str | Message) -> None:
        self.reason = escaped(str(reason))
        super().__init__(self.reason)
        self.message = reason if isinstance(reason, Message) else self.reason

    def in_terms(self, terms: Terms) -> str:
        """Return the reason in the *terms* of a file."""
        return self.message.in_terms(terms) if isinstance(self.message, Message) else self.reason

    def __reduce__(self) -> tuple[Any, ...]:
        """Support pickling, so that a worker process can report what it finds: the class may have required keywords."""
        return _unpickled, (type(self), self.args, self.__dict__)

    def __str__(self) -> str:
        said = self.located()
        return said if self.source is None or said.startswith(self.source) else f"{self.source}: {said}"

    def located(self) -> str:
        """Return the reason and where in its file it is, as one line."""
        return self.reason

    def about(self, what: str) -> str:
        """Return the error as one line, prefixed with *what*, the name of an input."""
        return f"{what}: {self.located()}"


def _unpickled(kind: type[ConvertError], args: tuple[Any, ...], values: dict[str, Any]) -> ConvertError:
    error = kind.__new__(kind, *args)
    error.args = args
    for name, value in values.items():
        setattr(error, name, value)
    return error


class PlayError(ConvertError):
    """An impossible play.

    :param index: the event's index in its frame; -1 is the start of the frame, -2 player 0's starting hand, and so on.
    """

    def __init__(self, reason: str | Message, index: int = -1) -> None:
        super().__init__(reason)
        self.index = index


class UnknownHandError(PlayError):
    """A question that a hand with unknown tiles does not answer."""

    def __init__(self, player: int) -> None:
        super().__init__(Message("the hand of {player} is not known", player=Who(player)))


def impossible(template: str, player: int, /, **parts: object) -> PlayError:
    """Return the error for what a *player* cannot do: a template with ``{player}`` and the other *parts*."""
    return PlayError(Message(template, player=Who(player), **parts))


class PaymentError(PlayError):
    """A possible play with impossible payments."""


class WorthError(PlayError):
    """A possible win with a value that it cannot have."""


class StartError(PlayError):
    """A frame that does not start the way the previous frame ended.

    :param sticks: whether the riichi sticks differ rather than the points.
    """

    def __init__(self, reason: str | Message, *, sticks: bool = False) -> None:
        super().__init__(reason)
        self.sticks = sticks


class DoraError(PlayError):
    """A dora without a matching indicator."""


class EndError(PlayError):
    """A recorded end of a frame that does not match the play.

    :param player: the player whose hand differs; ``None``: the points differ.
    """

    def __init__(self, reason: str | Message, player: int | None = None) -> None:
        super().__init__(reason)
        self.player = player


class RecordError(ConvertError):
    """A game record that cannot be read or is impossible.

    :param frame: the frame's name (``S2-1``), if the error is inside one.
    :cvar leaves_gap: whether a reader that continues after such an error omits the frame.
    """

    leaves_gap: ClassVar[bool] = False

    def __init__(self, reason: str, *, frame: str | None = None) -> None:
        super().__init__(reason)
        self.frame = frame

    def located(self) -> str:
        """Return the reason, with the frame."""
        return f"frame {self.frame}: {self.reason}" if self.frame else self.reason


class MjlogError(RecordError):
    """An mjlog that cannot be read.

    :param number: the element's 1-based number among all child elements of ``mjloggm``.
    :param element: the element as written, for example ``<D39>``.
    """

    leaves_gap = True

    def __init__(
        self, reason: str, *, frame: str | None = None, number: int | None = None, element: str | None = None
    ) -> None:
        super().__init__(reason, frame=frame)
        self.number = number
        self.element = element

    def located(self) -> str:
        """Return the reason, with the frame and element."""
        where = [f"frame {self.frame}"] if self.frame else []
        if self.number is not None:
            where.append(escaped(" ".join(filter(None, ["element", str(self.number), self.element]))))
        return f"{', '.join(where)}: {self.reason}" if where else self.reason


class MalformedError(MjlogError):
    """An mjlog that is not well-formed XML."""


class NotMjlogError(MjlogError):
    """A file that is not an mjlog at all, such as an HTML page or an empty file."""


class TextError(RecordError):
    """A text that cannot be read or is impossible.

    :param line: the 1-based line number.
    :param column: the 1-based position in the line, in characters, if known.
    :param text: the line, or the part of it around the error.
    :param caret: the 0-based position of the error in *text*.
    """

    def __init__(
        self,
        reason: str,
        *,
        line: int,
        column: int | None = None,
        text: str = "",
        caret: int = 0,
        frame: str | None = None,
    ) -> None:
        super().__init__(reason, frame=frame)
        self.line = line
        self.column = column
        self.text = text
        self.caret = caret

    def located(self) -> str:
        """Return the reason, with the line and column."""
        where = f"line {self.line}" if self.column is None else f"line {self.line}, column {self.column}"
        return f"{where}: {self._with_frame()}"

    def about(self, what: str) -> str:
        """Return the error in the form compilers use and editors parse: name, line, and column if known."""
        where = f"{self.line}" if self.column is None else f"{self.line}:{self.column}"
        return f"{what}:{where}: {self._with_frame()}"

    def _with_frame(self) -> str:
        return f"in frame {self.frame}: {self.reason}" if self.frame else self.reason


class JmjpError(TextError):
    """A jmjp text that cannot be read or is impossible; *column* is always known.

    :ivar more: the number of further problems in the file, on the error that a reader raises for its first problem.
    """

    column: int
    more = 0

    def about(self, what: str) -> str:
        """Return the error in the form compilers use, with the number of further problems."""
        line = super().about(what)
        return (
            f"{line} (and {self.more} more {'problem' if self.more == 1 else 'problems'}; see jmjp check)"
            if self.more
            else line
        )


class JmjpSyntaxError(JmjpError):
    """A jmjp text that does not follow the grammar.

    :ivar position: the position of the error in the syntax, for the reader.
    """

    leaves_gap = True
    position = 0


class PointerError(TextError):
    """A record in JSON that cannot be read or is impossible.

    :param line: the 1-based line number; of an object that spans several lines, the first.
    :param pointer: the JSON pointer (RFC 6901) of the value within the object on that line, if known.
    :param column: the 1-based position in the line, in characters, for JSON syntax errors.
    """

    leaves_gap = True

    def __init__(
        self,
        reason: str,
        *,
        line: int,
        pointer: str = "",
        column: int | None = None,
        text: str = "",
        caret: int = 0,
        frame: str | None = None,
    ) -> None:
        super().__init__(reason, line=line, column=column, text=text, caret=caret, frame=frame)
        self.pointer = pointer

    def _with_frame(self) -> str:
        where = escaped(", ".join(filter(None, [self.frame and f"in frame {self.frame}", self.pointer])))
        return f"{where}: {self.reason}" if where else self.reason


class JsonError(PointerError):
    """JSON Lines that cannot be read or are impossible."""

    leaves_gap = False


class Tenhou6Error(PointerError):
    """A tenhou6 file or link that cannot be read or is impossible."""


class MjaiError(PointerError):
    """An mjai file that cannot be read or is impossible."""


class MajiangError(PointerError):
    """A majiang file that cannot be read or is impossible."""


class MahjongSoulError(PointerError):
    """A record of Mahjong Soul that cannot be read or is impossible.

    :param number: the 1-based number of the record in its list, if the problem is in one.
    :param element: the name of that record.
    :param pointer: the JSON pointer (RFC 6901) of the value, within that record or the whole file. In the binary form
        it has the names of the fields too.
    :param line: the 1-based line number of what is not JSON; otherwise 0, since the binary form has no lines.
    """

    def __init__(
        self,
        reason: str,
        *,
        number: int | None = None,
        element: str | None = None,
        pointer: str = "",
        line: int = 0,
        column: int | None = None,
        text: str = "",
        caret: int = 0,
        frame: str | None = None,
    ) -> None:
        super().__init__(
            reason,
            line=0 if column is None else line,
            pointer=pointer,
            column=column,
            text=text,
            caret=caret,
            frame=frame,
        )
        self.number = number
        self.element = element

    def located(self) -> str:
        """Return the reason, with the line and column if it has a line."""
        return super().located() if self.line else self._with_frame()

    def about(self, what: str) -> str:
        """Return the error with the name of its file, and in the form compilers use if it has a line."""
        return super().about(what) if self.line else f"{what}: {self._with_frame()}"

    def _with_frame(self) -> str:
        record = "" if self.number is None else " ".join(filter(None, ["record", str(self.number), self.element]))
        where = escaped(", ".join(filter(None, [self.frame and f"frame {self.frame}", record, self.pointer])))
        return f"{where}: {self.reason}" if where else self.reason


class RiichiCityError(PointerError):
    """A record of Riichi City that cannot be read or is impossible.

    In an event, *pointer* goes on inside the JSON that is its text.
    """


class MatchError(PlayError):
    """A problem of a whole match, though each of its frames is possible: in its date, order, result, score or wall.

    :param frame: the index in the match of the frame that it is in, if it is in one.
    :param name: that frame's name (``S2-1``).
    :param index: as in :class:`PlayError`.
    :param at_end: whether it is in the result, if it is not in a frame.
    :ivar which: what the message begins with: the number of the match, if there are several in the file.
    """

    def __init__(
        self,
        reason: str | Message,
        *,
        frame: int | None = None,
        name: str | None = None,
        index: int = -1,
        at_end: bool = False,
    ) -> None:
        super().__init__(reason, index)
        self.frame = frame
        self.name = name
        self.at_end = at_end
        self.which = ""

    def in_terms(self, terms: Terms) -> str:
        """Return the reason in the *terms* of a file."""
        return self.which + super().in_terms(terms)

    def located(self) -> str:
        """Return the reason, with the match and frame."""
        reason = self.which + self.reason
        return f"frame {self.name}: {reason}" if self.name else reason


COORDINATES = ("frame", "element", "number", "line", "column", "pointer")
"""The attributes that say where in its file a problem is; each kind of error has some of them."""


def in_file(error: Exception) -> tuple[Any, ...]:
    """Return a key that sorts problems of a file by their places; those without one come last."""
    line = getattr(error, "line", None) or getattr(error, "number", None)
    steps = getattr(error, "pointer", "").split("/")
    pointer = [(0, int(step), "") if step.isdecimal() else (1, 0, step) for step in steps]
    return line is None, line or 0, getattr(error, "column", None) or 0, pointer


class WallError(ConvertError):
    """A seed without a wall, or a wall that does not belong to the match."""


class FormatError(ConvertError):
    """A match that the chosen output format cannot represent."""


class NoFrameError(FormatError):
    """A match without the frame that is to be written.

    :param frame: its name.
    """

    def __init__(self, reason: str, frame: str) -> None:
        super().__init__(reason)
        self.frame = frame


class UnprovenError(FormatError):
    """An output that does not read back as the match it was written from: a bug in jmjp."""


class MissingExtraError(ConvertError):
    """A package that is installed only with an extra is missing.

    :param what: what needs it.
    :param extra: the name of the extra.
    :param instead: another remedy, such as an option.
    """

    def __init__(self, what: str, extra: str, instead: str = "") -> None:
        ways = f'pipx install --force ".[{extra}]" or pip install ".[{extra}]"'
        super().__init__(
            f"{what} needs the extra '{extra}'; run {ways} in the repository, or {instead}"
            if instead
            else f"{what} needs the extra '{extra}'; run {ways} in the repository"
        )


class FileError(ConvertError, OSError):
    """A file that cannot be opened, read or written.

    :ivar errno: the number of the system's error, if there is one. The most usual ones are a subclass each, which is
        also Python's own: a missing file is a ``FileNotFoundError``.
    """

    def __new__(cls, reason: str | Message, *_: object, **__: object) -> Self:  # noqa: ARG004 - of `__init__`
        """Return an error without a number: an ``OSError`` would take it from the first of several arguments."""
        return OSError.__new__(cls)

    def __reduce__(self) -> tuple[Any, ...]:
        """Support pickling, with what an ``OSError`` does not keep in its dictionary."""
        return _unpickled, (type(self), self.args, {**self.__dict__, "errno": self.errno, "filename": self.filename})


class MissingFileError(FileError, FileNotFoundError):
    """A file that does not exist."""


class ForbiddenFileError(FileError, PermissionError):
    """A file that the user may not read or write."""


class ExistingFileError(FileError, FileExistsError):
    """A file that exists and would be overwritten."""


class DirectoryError(FileError, IsADirectoryError):
    """A directory where a file is expected."""


_OF_SYSTEM: dict[type[Exception], type[FileError]] = {
    FileNotFoundError: MissingFileError,
    PermissionError: ForbiddenFileError,
    FileExistsError: ExistingFileError,
    IsADirectoryError: DirectoryError,
}


def file_error(reason: str, cause: OSError | ValueError) -> FileError:
    """Return the error for *cause*, as the system reports it, with the *reason* as its message."""
    error = _OF_SYSTEM.get(type(cause), FileError)(reason)
    if isinstance(cause, OSError):
        error.errno, error.filename = cause.errno, cause.filename
    return error


@contextmanager
def in_python(source: str | None) -> Iterator[None]:
    """Give the errors raised inside the *source* that they are about, and the names that options have in Python."""
    try:
        yield
    except ConvertError as error:
        for_python(error, source)
        raise


def for_python(error: ConvertError, source: str | None) -> None:
    """Give *error* the *source* that it is about, and the names that options have in Python."""
    error.source = error.source or source
    error.reason = option_names(error.reason)
    error.args = (error.reason,)


def reason(error: Exception, what: str | None) -> str:
    """Return *error* as a message about *what*. An exception from outside this hierarchy is a bug: the message says
    where it was raised, and the run continues."""
    if not isinstance(error, ConvertError):
        error = ConvertError("out of memory" if isinstance(error, MemoryError) else _fault(error))
    return error.located() if what is None else error.about(what)


def _fault(error: Exception) -> str:
    import traceback
    from pathlib import PurePath

    last = traceback.extract_tb(error.__traceback__)[-1:]
    where = "".join(f" ({PurePath(frame.filename).name}, line {frame.lineno})" for frame in last)
    return f"internal error, report it: {type(error).__name__}: {error}{where}"
