"""Tables as Parquet, compressed with zstd; pyarrow is imported only here, when a run needs it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from functools import cache
from itertools import chain
from pathlib import Path
from typing import Any

from jmjp_convert.dataset.form import Earlier, Form
from jmjp_convert.dataset.schema import VERSION, Table
from jmjp_convert.dataset.values import Row
from jmjp_convert.errors import FormatError, MissingExtraError

_GROUP = 1 << 17  # rows of a row group, the unit of work of a reader: what DuckDB likes best
_BATCH = 1 << 16  # rows that are read at a time


def expect_pyarrow() -> None:
    """Check that pyarrow is installed.

    :raises MissingExtraError: it is not.
    """
    try:
        import pyarrow.parquet  # noqa: F401
    except ImportError as error:
        raise MissingExtraError("Parquet", "tables", "use --to csv") from error


class Parquet(Form[Sequence[Row], Any]):
    """Tables as Parquet, in lengths of rows; a piece is an Arrow table."""

    name = "parquet"
    empty = True

    def made(self, table: Table, rows: Sequence[Row]) -> Sequence[Row]:  # noqa: ARG002 - as in other forms
        """Return *rows* unchanged: those of many matches together become columns twice as fast."""
        return rows

    def dumped(self, table: Table, made: Sequence[Sequence[Row]]) -> bytes:
        """Return all rows as a stream of Arrow."""
        import pyarrow as pa

        schema = _schema(table)
        columns = list(zip(*chain.from_iterable(made), strict=True)) or [()] * len(schema)
        batch = pa.record_batch([_column(table, *one) for one in zip(schema, columns, strict=True)], schema=schema)
        sink = pa.BufferOutputStream()
        options = pa.ipc.IpcWriteOptions(compression="lz4", use_threads=False)  # zstd would take longer than the rest
        with pa.ipc.new_stream(sink, schema, options=options) as stream:
            stream.write_batch(batch)
        return bytes(sink.getvalue())

    def loaded(self, content: bytes) -> Any:
        """Return the rows of a stream."""
        import pyarrow as pa

        return pa.ipc.open_stream(content, options=pa.ipc.IpcReadOptions(use_threads=False)).read_all()

    def part(self, piece: Any, start: int, size: int) -> Any:
        """Return the rows from *start*."""
        return piece.slice(start, size)

    def with_key(self, piece: Any, key: str) -> Any:
        """Return the rows with *key* in their first column."""
        import pyarrow as pa

        return piece.set_column(0, piece.schema.field(0), pa.array([key] * piece.num_rows, pa.string()))

    def write(self, path: Path, table: Table, pieces: Iterable[Any]) -> None:
        """Write a file of row groups of the same length."""
        import pyarrow.parquet as pq

        schema = _schema(table)
        with path.open("xb") as file, pq.ParquetWriter(file, schema, compression="zstd") as writer:
            for group in _groups(pieces, schema):
                writer.write_table(group, row_group_size=_GROUP)

    def earlier(self, path: Path, table: Table) -> Earlier[Any]:
        """Open a file."""
        return _Earlier(path, table)


class _Earlier(Earlier[Any]):
    def __init__(self, path: Path, table: Table) -> None:
        import pyarrow.parquet as pq

        self._schema = _schema(table)
        self._file = pq.ParquetFile(path)
        self._batches: Iterator[Any] = self._file.iter_batches(batch_size=_BATCH)
        self._rest: Any = self._schema.empty_table()

    def take(self, size: int) -> Any:
        import pyarrow as pa

        while self._rest.num_rows < size:
            more = pa.Table.from_batches([next(self._batches)]).cast(self._schema)
            self._rest = pa.concat_tables([self._rest, more])
        taken, self._rest = self._rest.slice(0, size), self._rest.slice(size)
        return taken

    def close(self) -> None:
        self._file.close()


def _column(table: Table, field: Any, values: Sequence[Any]) -> Any:
    """Return *values* as the column *field* of *table*.

    :raises FormatError: the column cannot have one of them.
    """
    import pyarrow as pa

    try:
        column = pa.array(values, field.type)
    except (pa.ArrowException, OverflowError, TypeError, ValueError) as error:
        raise FormatError(f"{table.name}: a value of {field.name} is not a valid {field.type}") from error
    if column.null_count and not field.nullable:
        raise FormatError(f"{table.name}: {field.name} is missing")
    return column


def _groups(pieces: Iterable[Any], schema: Any) -> Iterator[Any]:
    """Yield the rows of *pieces* as tables of the length of a row group, the last one shorter."""
    import pyarrow as pa

    waiting: list[Any] = []
    number = 0
    for piece in pieces:
        waiting.append(piece)
        number += piece.num_rows
        if number >= _GROUP:
            whole = pa.concat_tables(waiting).combine_chunks()
            place = 0
            while number - place >= _GROUP:
                yield whole.slice(place, _GROUP)
                place += _GROUP
            waiting, number = [whole.slice(place)], number - place
    if number:
        yield pa.concat_tables(chain([schema.empty_table()], waiting)).combine_chunks()


@cache
def _schema(table: Table) -> Any:
    """Return the schema of *table* in Arrow."""
    import pyarrow as pa

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
