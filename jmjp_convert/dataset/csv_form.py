"""Tables as CSV, in UTF-8: null is an empty field, times are in the form of ISO 8601."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import IO

from jmjp_convert.dataset.form import Earlier, Form
from jmjp_convert.dataset.schema import Table
from jmjp_convert.dataset.values import Row
from jmjp_convert.errors import FormatError

_BUFFER = 1 << 20


class Csv(Form[bytes, bytes]):
    """Tables as CSV, in lengths of bytes."""

    name = "csv"
    empty = False  # a reader that guesses types from the first file would take all columns for text

    def made(self, table: Table, rows: Sequence[Row]) -> bytes:
        """Return *rows* as lines."""
        flags = [place for place, column in enumerate(table.columns) if column.type == "bool"]
        try:
            return _lines(_spelled(rows, flags) if flags else rows).encode()
        except UnicodeEncodeError as error:
            raise FormatError(f"{table.name}: a text is not valid Unicode") from error

    def dumped(self, table: Table, made: Sequence[bytes]) -> bytes:  # noqa: ARG002 - as in other forms
        """Return all lines."""
        return b"".join(made)

    def loaded(self, content: bytes) -> bytes:
        """Return *content*."""
        return content

    def part(self, piece: bytes, start: int, size: int) -> bytes:
        """Return the lines from byte *start*."""
        return piece[start : start + size]

    def with_key(self, piece: bytes, key: str) -> bytes:
        """Return the lines with *key* as their first field."""
        rows = csv.reader(io.StringIO(piece.decode(), newline=""))
        return _lines([[key, *row[1:]] for row in rows]).encode()

    def write(self, path: Path, table: Table, pieces: Iterable[bytes]) -> None:
        """Write a file with a header."""
        with path.open("xb", buffering=_BUFFER) as file:
            file.write(_header(table))
            for piece in pieces:
                file.write(piece)

    def earlier(self, path: Path, table: Table) -> Earlier[bytes]:
        """Open a file, and skip its header."""
        file = path.open("rb", buffering=_BUFFER)
        file.seek(len(_header(table)))
        return _Earlier(file)


class _Earlier(Earlier[bytes]):
    def __init__(self, file: IO[bytes]) -> None:
        self._file = file

    def take(self, size: int) -> bytes:
        return self._file.read(size)

    def close(self) -> None:
        self._file.close()


def _header(table: Table) -> bytes:
    return _lines([[column.name for column in table.columns]]).encode()


def _lines(rows: Sequence[Sequence[object]]) -> str:
    text = _written(rows, "\n")
    if "\r" not in text:
        return text
    # The writer quotes only what ends its own lines.
    return "".join([_written([row], "\r\n").removesuffix("\r\n") + "\n" for row in rows])


def _written(rows: Sequence[Sequence[object]], end: str) -> str:
    file = io.StringIO(newline="")
    csv.writer(file, lineterminator=end).writerows(rows)
    return file.getvalue()


def _spelled(rows: Sequence[Row], flags: Sequence[int]) -> list[list[object]]:
    """Return *rows* with the booleans in the places *flags* as ``true`` and ``false``, which every reader knows."""
    spelled: list[list[object]] = []
    for row in rows:
        values: list[object] = list(row)
        for place in flags:
            value = values[place]
            if value is not None:
                values[place] = "true" if value else "false"
        spelled.append(values)
    return spelled
