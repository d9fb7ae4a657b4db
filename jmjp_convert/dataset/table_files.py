"""The forms of tables, Parquet and CSV: the steps that write and merge them. Pyarrow is imported when needed."""

from __future__ import annotations

import csv
import io
from abc import ABC, abstractmethod
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cache
from itertools import chain
from pathlib import Path
from typing import Any, ClassVar

from jmjp_convert.dataset.schema import VERSION, DataTable, Row
from jmjp_convert.errors import FormatError, MissingExtraError
from jmjp_convert.messages import as_cell


class Form(ABC):
    """A form of tables; it can be pickled. The rows of a match in one table are made into something that is dumped
    together with those of other matches, and that loads again as a piece. Both have a length in units of the form;
    lengths can be added.

    :cvar name: what it is called, also the extension of files.
    :cvar empty: whether a table without rows gets a file too.
    :ivar options: the options of the command that change how values are written, recorded with the data set.
    """

    name: ClassVar[str]
    empty: ClassVar[bool]
    options: Mapping[str, object] = {}

    @property
    def file_name(self) -> str:
        """The name of every file of a data set."""
        return f"data.{self.name}"

    @abstractmethod
    def made(self, table: DataTable, rows: Sequence[Row]) -> Any:
        """Return the *rows* of a match, to be dumped.

        :raises FormatError: a value is not one that its column can have.
        """

    @abstractmethod
    def dumped(self, table: DataTable, made: Sequence[Any]) -> bytes:
        """Return what was made, of one match or more, as bytes.

        :raises FormatError: as :meth:`made`.
        """

    @abstractmethod
    def loaded(self, content: bytes) -> Any:
        """Return all that was dumped together as one piece; a slice of a piece is a piece."""

    @abstractmethod
    def with_key(self, piece: Any, key: str) -> Any:
        """Return *piece*, the rows of one match, with another *key* in the first column."""

    @abstractmethod
    def write(self, path: Path, table: DataTable, pieces: Iterable[Any]) -> None:
        """Write *pieces* as a file; its bytes do not depend on how the rows are divided into pieces.

        :raises OSError: it cannot be written.
        """

    @abstractmethod
    def earlier(self, path: Path, table: DataTable) -> Any:
        """Open a file that was written, to be merged with new matches: ``read(size)`` returns the next rows of that
        length, ``close()`` closes it.

        :raises OSError: it cannot be opened.
        """


# --- CSV --------------------------------------------------------------------------------------------------------------

_BUFFER = 1 << 20


class Csv(Form):
    """Tables as CSV in UTF-8, in lengths of bytes: null is an empty field, times are in the form of ISO 8601.

    :param raw: whether texts that a spreadsheet could take for formulas stay as they are.
    """

    name = "csv"
    empty = False  # a reader that guesses types from the first file would take all columns for text

    def __init__(self, *, raw: bool = False) -> None:
        self._raw = raw
        self.options = {} if raw else {"raw": False}

    def made(self, table: DataTable, rows: Sequence[Row]) -> bytes:
        """Return *rows* as lines."""
        flags = [index for index, column in enumerate(table.columns) if column.type == "bool"]
        texts = [] if self._raw else [index for index, column in enumerate(table.columns) if column.type == "text"]
        try:
            return _lines(_spelled(rows, flags, texts)).encode()
        except UnicodeEncodeError as error:
            raise FormatError(f"{table.name}: a text is not valid Unicode") from error

    def dumped(self, table: DataTable, made: Sequence[bytes]) -> bytes:  # noqa: ARG002 - as in other forms
        """Return all lines."""
        return b"".join(made)

    def loaded(self, content: bytes) -> bytes:
        """Return *content*."""
        return content

    def with_key(self, piece: bytes, key: str) -> bytes:
        """Return the lines with *key* as their first field."""
        rows = csv.reader(io.StringIO(piece.decode(), newline=""))
        first = key if self._raw else as_cell(key)
        return _lines([[first, *row[1:]] for row in rows]).encode()

    def write(self, path: Path, table: DataTable, pieces: Iterable[bytes]) -> None:
        """Write a file with a header."""
        with path.open("xb", buffering=_BUFFER) as file:
            file.write(_header(table))
            for piece in pieces:
                file.write(piece)

    def earlier(self, path: Path, table: DataTable) -> Any:
        """Open a file, and skip its header."""
        file = path.open("rb", buffering=_BUFFER)
        file.seek(len(_header(table)))
        return file


def _header(table: DataTable) -> bytes:
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


def _spelled(rows: Sequence[Row], flags: Sequence[int], texts: Sequence[int]) -> list[list[object]]:
    """Return *rows* with the booleans in the columns *flags* as ``true`` and ``false``, which every reader knows, and
    with the texts in the columns *texts* as no formulas."""
    spelled: list[list[object]] = []
    for row in rows:
        values: list[object] = list(row)
        for index in flags:
            if values[index] is not None:
                values[index] = "true" if values[index] else "false"
        for index in texts:
            value = values[index]
            if isinstance(value, str):
                values[index] = as_cell(value)
        spelled.append(values)
    return spelled


# --- Parquet ----------------------------------------------------------------------------------------------------------

_GROUP = 1 << 17  # rows of a row group, the unit of work of a reader: what DuckDB likes best
_BATCH = 1 << 16  # rows that are read at a time


def import_pyarrow() -> Any:
    """Return pyarrow.

    :raises MissingExtraError: it is not installed.
    """
    try:
        import pyarrow.parquet
    except ImportError as error:
        raise MissingExtraError("Parquet", "tables", "use --to csv") from error
    return pyarrow


class Parquet(Form):
    """Tables as Parquet, compressed with zstd, in lengths of rows; a piece is an Arrow table."""

    name = "parquet"
    empty = True

    def made(self, table: DataTable, rows: Sequence[Row]) -> Sequence[Row]:  # noqa: ARG002 - as in other forms
        """Return *rows* unchanged: those of many matches together become columns twice as fast."""
        return rows

    def dumped(self, table: DataTable, made: Sequence[Sequence[Row]]) -> bytes:
        """Return all rows as a stream of Arrow."""
        pa = import_pyarrow()
        schema = _schema(table)
        columns = list(zip(*chain.from_iterable(made), strict=True)) or [()] * len(schema)
        batch = pa.record_batch([_column(table, *pair) for pair in zip(schema, columns, strict=True)], schema=schema)
        sink = pa.BufferOutputStream()
        options = pa.ipc.IpcWriteOptions(compression="lz4", use_threads=False)  # zstd would take longer than the rest
        with pa.ipc.new_stream(sink, schema, options=options) as stream:
            stream.write_batch(batch)
        return bytes(sink.getvalue())

    def loaded(self, content: bytes) -> Any:
        """Return the rows of a stream."""
        pa = import_pyarrow()
        return pa.ipc.open_stream(content, options=pa.ipc.IpcReadOptions(use_threads=False)).read_all()

    def with_key(self, piece: Any, key: str) -> Any:
        """Return the rows with *key* in their first column."""
        pa = import_pyarrow()
        return piece.set_column(0, piece.schema.field(0), pa.array([key] * piece.num_rows, pa.string()))

    def write(self, path: Path, table: DataTable, pieces: Iterable[Any]) -> None:
        """Write a file of row groups of the same length."""
        pq = import_pyarrow().parquet
        schema = _schema(table)
        with path.open("xb") as file, pq.ParquetWriter(file, schema, compression="zstd") as writer:
            for group in _groups(pieces, schema):
                writer.write_table(group, row_group_size=_GROUP)

    def earlier(self, path: Path, table: DataTable) -> Any:
        """Open a file."""
        return _EarlierParquet(path, table)


class _EarlierParquet:
    def __init__(self, path: Path, table: DataTable) -> None:
        pq = import_pyarrow().parquet
        self._schema = _schema(table)
        self._file = pq.ParquetFile(path)
        self._batches: Iterator[Any] = self._file.iter_batches(batch_size=_BATCH)
        self._rest: Any = self._schema.empty_table()

    def read(self, size: int) -> Any:
        pa = import_pyarrow()
        while self._rest.num_rows < size:
            more = pa.Table.from_batches([next(self._batches)]).cast(self._schema)
            self._rest = pa.concat_tables([self._rest, more])
        taken, self._rest = self._rest.slice(0, size), self._rest.slice(size)
        return taken

    def close(self) -> None:
        self._file.close()


def _column(table: DataTable, field: Any, values: Sequence[Any]) -> Any:
    """Return *values* as the column *field* of *table*."""
    pa = import_pyarrow()
    try:
        column = pa.array(values, field.type)
    except (pa.ArrowException, OverflowError, TypeError, ValueError) as error:
        raise FormatError(f"{table.name}: a value of {field.name} is not a valid {field.type}") from error
    if column.null_count and not field.nullable:
        raise FormatError(f"{table.name}: {field.name} is missing")
    return column


def _groups(pieces: Iterable[Any], schema: Any) -> Iterator[Any]:
    """Yield the rows of *pieces* as tables of the length of a row group, the last one shorter."""
    pa = import_pyarrow()
    waiting: list[Any] = []
    number = 0
    for piece in pieces:
        waiting.append(piece)
        number += piece.num_rows
        if number >= _GROUP:
            whole = pa.concat_tables(waiting).combine_chunks()
            start = 0
            while number - start >= _GROUP:
                yield whole.slice(start, _GROUP)
                start += _GROUP
            waiting, number = [whole.slice(start)], number - start
    if number:
        yield pa.concat_tables(chain([schema.empty_table()], waiting)).combine_chunks()


@cache
def _schema(table: DataTable) -> Any:
    """Return the schema of *table* in Arrow."""
    pa = import_pyarrow()
    types = {
        "text": pa.string(),
        "bool": pa.bool_(),
        "int16": pa.int16(),
        "int32": pa.int32(),
        "int64": pa.int64(),
        "float": pa.float64(),
        "date": pa.date32(),
        "time": pa.time32("ms"),
    }
    fields = [pa.field(column.name, types[column.type], nullable=bool(column.null)) for column in table.columns]
    return pa.schema(fields, metadata={"jmjp tables": str(VERSION)})
