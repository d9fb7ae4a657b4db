"""The one family of errors. Each layer adds the place that it knows (file, frame, element, line) as they pass."""

from __future__ import annotations

from pathlib import PurePath
from typing import ClassVar


class ConvertError(ValueError):
    """What is wrong with an input or an output, in one line fit for a person.

    :param reason: what is wrong, without the place.
    """

    def __init__(self, reason: str) -> None:
        super().__init__(reason)
        self.reason = reason

    def about(self, what: str) -> str:
        """Return the error as one line about *what*, an input's name."""
        return f"{what}: {self}"


class PlayError(ConvertError):
    """A play that cannot happen.

    :param reason: what cannot happen.
    :param index: the event's index in its frame; -1 is its start, -2 the hand that player 0 is dealt, and so on.
    """

    def __init__(self, reason: str, index: int = -1) -> None:
        super().__init__(reason)
        self.index = index


class PaymentError(PlayError):
    """A play that can happen, but for what is paid for it."""


class StartError(PlayError):
    """A frame that does not begin as the one before it ended.

    :param sticks: whether the riichi sticks differ; otherwise the points do.
    """

    def __init__(self, reason: str, *, sticks: bool = False) -> None:
        super().__init__(reason)
        self.sticks = sticks


class DoraError(PlayError):
    """A dora that no indicator shows."""


class EndError(PlayError):
    """A record of how a frame ends that is not how it was played.

    :param player: whose hand differs; ``None``: the points do.
    """

    def __init__(self, reason: str, player: int | None = None) -> None:
        super().__init__(reason)
        self.player = player


class RecordError(ConvertError):
    """A game record that cannot be read, or that says something impossible.

    :param reason: what is wrong, without the place.
    :param frame: the frame's name (``S2-1``), where the error is inside one.
    :cvar leaves_gap: whether a reader that goes on after such an error leaves the frame out.
    """

    leaves_gap: ClassVar[bool] = False

    def __init__(self, reason: str, *, frame: str | None = None) -> None:
        super().__init__(reason)
        self.frame = frame

    def __str__(self) -> str:
        return f"frame {self.frame}: {self.reason}" if self.frame else self.reason


class MjlogError(RecordError):
    """An mjlog that cannot be read.

    :param reason: what is wrong, without the place.
    :param frame: the frame's name (``S2-1``), where the error is inside one.
    :param number: the element's number, 1-based, among all child elements of ``mjloggm``.
    :param element: the element's text as in ``<D39>``.
    """

    leaves_gap = True

    def __init__(
        self, reason: str, *, frame: str | None = None, number: int | None = None, element: str | None = None
    ) -> None:
        super().__init__(reason, frame=frame)
        self.number = number
        self.element = element

    def __str__(self) -> str:
        place = [f"frame {self.frame}"] if self.frame else []
        if self.number is not None:
            place.append(f"element {self.number} {self.element}")
        return f"{', '.join(place)}: {self.reason}" if place else self.reason


class TextError(RecordError):
    """A text that cannot be read, or that says something impossible.

    :param reason: what is wrong, without the place.
    :param line: the line, 1-based.
    :param column: the character in the line, 1-based, where it is known.
    :param text: the line itself, or the part of it around the place.
    :param caret: where in *text* the place is, 0-based.
    :param frame: the frame's name (``S2-1``), where the error is inside one.
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

    def __str__(self) -> str:
        place = f"line {self.line}" if self.column is None else f"line {self.line}, column {self.column}"
        return f"{place}: {self._said()}"

    def about(self, what: str) -> str:
        """Return the error in the form that editors and compilers share: name, line, and column if it is known."""
        place = f"{self.line}" if self.column is None else f"{self.line}:{self.column}"
        return f"{what}:{place}: {self._said()}"

    def _said(self) -> str:
        return f"in frame {self.frame}: {self.reason}" if self.frame else self.reason


class JmjpError(TextError):
    """A jmjp text that cannot be read, or that says something impossible; its *column* is known."""

    column: int


class JsonError(TextError):
    """Lines of JSON that cannot be read, or that say something impossible; the *column* is that of a fault in JSON."""


class WallError(ConvertError):
    """A seed that gives no wall, or a wall that is not the match's."""


class FormatError(ConvertError):
    """A model that the chosen output cannot hold."""


class UnprovenError(FormatError):
    """An output that does not read back as what it was made from: a fault of this program."""


class FileError(ConvertError):
    """A file that cannot be opened, read or written."""


def reason(error: Exception, what: str | None) -> str:
    """Return what *error* says about *what*. One that is not ours is a fault of ours: it says where, and stops nothing
    else."""
    if not isinstance(error, ConvertError):
        error = ConvertError("out of memory" if isinstance(error, MemoryError) else _fault(error))
    return str(error) if what is None else error.about(what)


def _fault(error: Exception) -> str:
    import traceback

    last = traceback.extract_tb(error.__traceback__)[-1:]
    place = "".join(f" ({PurePath(frame.filename).name}, line {frame.lineno})" for frame in last)
    return f"internal error, report it: {type(error).__name__}: {error}{place}"
