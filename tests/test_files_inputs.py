"""Inputs: from any source, gzip or plain, within the bound."""

from __future__ import annotations

import errno
import gzip
import io
import zlib
from pathlib import Path
from typing import IO

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tables import table

from jmjp_convert.errors import FileError
from jmjp_convert.files.inputs import MAX_SIZE, Source, chunks, opened

BOUND = 1 << 20


class Dribble(io.RawIOBase):
    """A file that returns a few bytes at a time, as a pipe or socket may."""

    def __init__(self, content: bytes, size: int) -> None:
        self._rest = io.BytesIO(content)
        self._size = size

    def readable(self) -> bool:
        """Return ``True``."""
        return True

    def read(self, size: int = -1) -> bytes:
        """Return at most a few bytes."""
        return self._rest.read(self._size if size < 0 else min(size, self._size))


def read(content: bytes, max_size: int = BOUND) -> bytes:
    """Return what is read from *content*."""
    return b"".join(chunks(io.BytesIO(content), max_size))


@given(st.binary())
def test_plain(content: bytes) -> None:
    """Plain bytes are read unchanged."""
    plain = b"<" + content
    assert read(plain) == plain


def test_empty() -> None:
    """Empty input gives no bytes."""
    assert read(b"") == b""


def test_large() -> None:
    """Large content is read completely, in several pieces."""
    content = bytes(range(256)) * 2000
    assert read(content) == content
    assert read(gzip.compress(content)) == content
    assert len(list(chunks(io.BytesIO(content), BOUND))) > 1


@pytest.mark.parametrize("size", [1, 2, 3, 1000])
@pytest.mark.parametrize("compressed", [False, True], ids=["plain", "gzip"])
def test_few_bytes_at_a_time(size: int, *, compressed: bool) -> None:
    """A file that returns a few bytes at a time is read completely, and gzip is detected."""
    content = b"<mjloggm>" + bytes(range(256)) * 10
    raw = gzip.compress(content) if compressed else content
    file: IO[bytes] = Dribble(raw, size)  # type: ignore[assignment]
    assert b"".join(chunks(file, BOUND)) == content


def test_bound() -> None:
    """Input up to the bound is accepted, one byte more is rejected."""
    content = b"<" * 1000
    assert read(content, 1000) == content
    with pytest.raises(FileError) as rejected:
        read(content, 999)
    assert str(rejected.value) == "larger than 999 bytes (--max-size)"


def test_default_bound() -> None:
    """The default bound is 64 MiB."""
    assert MAX_SIZE == 64 * 1024 * 1024


def test_endless() -> None:
    """An endless file is read only up to the bound."""

    class Endless(io.RawIOBase):
        given = 0

        def read(self, size: int = -1) -> bytes:
            assert size > 0
            self.given += size
            return b"<" * size

    file = Endless()
    with pytest.raises(FileError):
        list(chunks(file, BOUND))  # type: ignore[arg-type]
    assert file.given < 2 * BOUND


def test_zlib_without_gzip() -> None:
    """Compressed data in another format is not taken for gzip."""
    raw = zlib.compress(b"<a/>")
    assert read(raw) == raw


def test_zip() -> None:
    """A zip is rejected with the command that reads it."""
    with pytest.raises(
        FileError, match=r"^this is a zip archive, not a log; use jmjp batch, or give its path to check, info or view$"
    ):
        read(b"PK\x03\x04anything")


def test_opened_path(tmp_path: Path) -> None:
    """A path, as a string or not, is opened and closed."""
    path = tmp_path / "log.xml"
    path.write_bytes(b"<a/>")
    for source in (path, str(path)):
        with opened(source) as file:
            assert file.read() == b"<a/>"
        assert file.closed


def test_path_is_closed_after_an_error(tmp_path: Path) -> None:
    """An error while reading closes the file, and is not mistaken for an error in opening it."""
    path = tmp_path / "log.xml"
    path.write_bytes(b"<a/>")
    with pytest.raises(PermissionError), opened(path) as file:
        raise PermissionError
    assert file.closed


def test_directory(tmp_path: Path) -> None:
    """A directory is rejected."""
    with pytest.raises(FileError), opened(tmp_path):
        pass


@pytest.mark.parametrize("source", [b"<a/>", bytearray(b"<a/>"), memoryview(b"<a/>"), io.BytesIO(b"<a/>")])
def test_not_a_path(source: Source) -> None:
    """Bytes of any kind and open binary files are read."""
    with opened(source) as file:
        assert b"".join(chunks(file, BOUND)) == b"<a/>"


def test_text_mode(tmp_path: Path) -> None:
    """A file that is open in text mode is rejected, and the message has the mode to use."""
    path = tmp_path / "log.xml"
    path.write_text("<a/>", encoding="utf-8")
    with path.open(encoding="utf-8") as file, pytest.raises(FileError) as caught:
        list(chunks(file, BOUND))  # type: ignore[arg-type]
    assert str(caught.value) == 'the file is open in text mode; open it with mode "rb"'


@pytest.mark.parametrize(("text", "what"), table("files_inputs", "text_for_a_path", globals()))
def test_text_for_a_path(text: str, what: str) -> None:
    """Text in place of a path is rejected, and the message says to pass bytes."""
    with pytest.raises(FileError) as caught, opened(text):
        pass
    assert str(caught.value) == f"a str is a path; pass {what} as bytes, with .encode()"


def test_null_character() -> None:
    """A path with a null character is rejected like one that does not exist."""
    with pytest.raises(FileError, match="null"), opened("a\0b"):
        pass


def test_path_that_looks_like_text(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A file whose name begins like a log is read."""
    monkeypatch.chdir(tmp_path)
    Path("[1] log.xml").write_bytes(b"<a/>")
    with opened("[1] log.xml") as file:
        assert file.read() == b"<a/>"


@pytest.mark.parametrize(("source", "kind"), [(None, "NoneType"), (3, "int"), (["log.xml"], "list")])
def test_no_input(source: object, kind: str) -> None:
    """What is not an input at all is a TypeError."""
    message = f"^expected a path, bytes or an open binary file, found {kind}$"
    with pytest.raises(TypeError, match=message), opened(source):  # type: ignore[arg-type]
        pass


@pytest.mark.parametrize("size", [0, 100_000], ids=["at once", "later"])
def test_read_error(size: int) -> None:
    """A file that cannot be read, or not to its end, is rejected."""

    class Broken(io.BytesIO):
        def read(self, size: int | None = -1) -> bytes:
            if content := super().read(size):
                return content
            raise OSError(errno.EIO, "Input/output error")

    with pytest.raises(FileError, match=r"^input/output error$"):
        list(chunks(Broken(b"<" * size), BOUND))
