"""What a run makes of its inputs. The engine knows only products, their makers, and what the makers stage."""

from __future__ import annotations

import os
from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping
from typing import Any, Generic, NamedTuple, TypeVar

from jmjp_convert.convert import Losses
from jmjp_convert.errors import ConvertError, FileError, RecordError
from jmjp_convert.files.archives.not_logs import by_content
from jmjp_convert.files.compression import SNIFFED, kind
from jmjp_convert.files.inputs import Bounds
from jmjp_convert.formats import detect, unknown
from jmjp_convert.formats.format import Format, Lost

T = TypeVar("T")

Create = Callable[[str, bytes | bytearray], int]
"""Creates a file with this name and content in the staging directory, and returns when it was modified, in nanoseconds.
Raises :class:`OutputError`."""

SKIPPED_PLAYERS = {3: "three players", 4: "four players"}
"""The reason to skip a game by its number of players."""


class Skip(Exception):  # noqa: N818 - it is not an error
    """An input is to be skipped."""


class OutputError(ConvertError):
    """An output cannot be written, and the next one could not be either."""

    def __reduce__(self) -> tuple[type[OutputError], tuple[str]]:
        return OutputError, (self.reason,)


class ArchiveInsideError(FileError):
    """An archive where a log should be."""


class NoLogError(FileError):
    """Something other than a log where a log should be."""


class Part(NamedTuple):
    """A match of an input, in a product that combines the matches of many inputs.

    :ivar group: what it is combined with.
    :ivar key: its key, unless another match has it.
    :ivar ranges: where it is in the staged file, in a form that the product knows.
    """

    group: str
    key: str
    ranges: bytes


class Staged(NamedTuple):
    """The bytes of an output.

    :ivar name: the file in the staging directory that has them; empty if they are in place.
    :ivar offset: where they begin in that file, or in the zip, if they are compressed.
    :ivar packed: the number of compressed bytes.
    :ivar size: the number of bytes.
    :ivar checksum: the CRC-32, if they are compressed.
    :ivar sha256: the SHA-256.
    :ivar mtime: when the file was modified, in nanoseconds, if they are a file of their own.
    :ivar parts: its matches, if they are to be combined with others; the ledger of the product has them.
    """

    name: str
    offset: int = 0
    packed: int = 0
    size: int = 0
    checksum: int = 0
    sha256: bytes = b""
    mtime: int = 0
    parts: tuple[Part, ...] = ()


class Content(NamedTuple):
    """The decompressed content of an input called *name*; *digest* is its SHA-256 in hexadecimal."""

    content: bytes
    name: str
    digest: str


class Remarks(NamedTuple):
    """Remarks on an input that is converted all the same."""

    notices: list[str]
    problems: list[RecordError]
    lost: list[Lost]


class Maker(ABC, Generic[T]):
    """Makes the outputs of one chunk of inputs, in a worker process: makes all of them first, then stages them."""

    @abstractmethod
    def make(self, given: Content, remarks: Remarks) -> T:
        """Return the output of an input.

        :raises Skip: it is to be skipped.
        :raises ConvertError: it cannot be made.
        """

    @abstractmethod
    def stage(self, made: T) -> Staged:
        """Stage what was made.

        :raises OutputError: it cannot be written.
        """

    def end(self) -> None:
        """Write what is staged and not written yet.

        :raises FormatError: an input cannot be written; the others can, without it.
        :raises OutputError: it cannot be written.
        """


class Product(ABC):
    """What a run makes of its inputs, and the options for it; it can be pickled."""

    @property
    @abstractmethod
    def suffix(self) -> str:
        """The extension of the names of outputs."""

    @property
    @abstractmethod
    def options(self) -> dict[str, object]:
        """The options that affect the outputs; a run cannot be continued with different ones."""

    @abstractmethod
    def others(self, before: dict[str, object]) -> str:
        """Return how an output made with the options *before* differs, in a clause with a verb."""

    @abstractmethod
    def losses(self) -> Losses:
        """Return a new collection of what outputs leave out."""

    @abstractmethod
    def expect(self, content: bytes, name: str) -> None:
        """Check from its beginning that *content*, of a file called *name*, is wanted.

        :raises Skip: it is not.
        :raises FileError: it is an archive, or of an unknown type.
        """

    @abstractmethod
    def maker(self, bounds: Bounds, create: Create) -> Maker[Any]:
        """Return what makes the outputs of a chunk, within *bounds*."""


def format_of(content: bytes, name: str) -> Format:
    """Return the format of *content*, of a file called *name*.

    :raises Skip: it is known not to be a log, such as a readme.
    :raises FileError: it is an archive, or of an unknown type.
    """
    if why := by_content(content, name):
        raise Skip(why)
    found = detect(content)
    if found is None or found.read is None:
        if kind(content[:SNIFFED]):
            raise ArchiveInsideError("archive inside an archive; unpack it first")
        raise NoLogError(unknown())
    return found


FILES = "is the output of jmjp batch"
DATA_SET = "is a data set made by jmjp tables"
"""What an output is, in a clause with a verb."""


def unless(expected: str, options: Mapping[str, object]) -> str:
    """Return what an output with *options* is, unless it is what is *expected*."""
    found = DATA_SET if "tables" in options else FILES
    return "" if found == expected else found


def unique(word: str) -> str:
    """Return a new name for a staged file, which begins with *word*."""
    return f"{word}-{os.urandom(12).hex()}"
