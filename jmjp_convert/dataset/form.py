"""The form of tables, Parquet or CSV: the steps that write and merge them."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable, Sequence, Sized
from pathlib import Path
from typing import ClassVar, Generic, TypeVar

from jmjp_convert.dataset.schema import Table
from jmjp_convert.dataset.values import Row

Made = TypeVar("Made", bound=Sized)
Piece = TypeVar("Piece", bound=Sized)


class Earlier(ABC, Generic[Piece]):
    """A file of a table that is read again from its beginning to its end, to be merged with new matches."""

    @abstractmethod
    def take(self, size: int) -> Piece:
        """Return the next rows, with *size* as their length."""

    @abstractmethod
    def close(self) -> None:
        """Close the file."""


class Form(ABC, Generic[Made, Piece]):
    """A form of tables; it can be pickled. The rows of a match in one table are made into something that is dumped
    together with those of other matches, and that loads again as a piece. Both have a length in units of the form;
    lengths can be added.

    :cvar name: what it is called, also the extension of files.
    :cvar empty: whether a table without rows gets a file too.
    """

    name: ClassVar[str]
    empty: ClassVar[bool]

    @property
    def file_name(self) -> str:
        """The name of every file of a data set."""
        return f"data.{self.name}"

    @abstractmethod
    def made(self, table: Table, rows: Sequence[Row]) -> Made:
        """Return the *rows* of a match, to be dumped.

        :raises FormatError: a value is not one that its column can have.
        """

    @abstractmethod
    def dumped(self, table: Table, made: Sequence[Made]) -> bytes:
        """Return what was made, of one match or more, as bytes.

        :raises FormatError: as :meth:`made`.
        """

    @abstractmethod
    def loaded(self, content: bytes) -> Piece:
        """Return all that was dumped together as one piece."""

    @abstractmethod
    def part(self, piece: Piece, start: int, size: int) -> Piece:
        """Return the part of *piece* that begins at *start*."""

    @abstractmethod
    def with_key(self, piece: Piece, key: str) -> Piece:
        """Return *piece*, the rows of one match, with another *key* in the first column."""

    @abstractmethod
    def write(self, path: Path, table: Table, pieces: Iterable[Piece]) -> None:
        """Write *pieces* as a file; its bytes do not depend on how the rows are divided into pieces.

        :raises OSError: it cannot be written.
        """

    @abstractmethod
    def earlier(self, path: Path, table: Table) -> Earlier[Piece]:
        """Open a file that was written, to be read again.

        :raises OSError: it cannot be opened.
        """
