"""Bytes that are not a log, truncated, damaged, compressed, or too many."""

from __future__ import annotations

import gzip
import io
from pathlib import Path

import effort
import pytest
from effort import many
from hypothesis import given, settings
from hypothesis import strategies as st
from mjlog_logs import (
    FRAME,
    PLAIN,
    Read,
    from_bytes,
    from_file,
    init,
    log,
    outcome,
    read,  # noqa: F401 - pytest finds it by its name
)
from tables import table

from jmjp_convert.errors import FileError, MjlogError
from jmjp_convert.formats.mjlog.reader import read_mjlog
from jmjp_convert.model import Match


@pytest.mark.parametrize("name", ["log.mjlog", "log.xml", "log.gz", "log", "log.jpg"])
def test_gzip_under_any_name(tmp_path: Path, name: str) -> None:
    """Gzip and plain XML are recognized by their first bytes, whatever the name."""
    path = tmp_path / name
    path.write_bytes(gzip.compress(PLAIN))
    zipped = read_mjlog(path)
    path.write_bytes(PLAIN)
    assert read_mjlog(path) == zipped
    assert len(zipped.frames) == 4
    assert zipped.source == name


def test_gzip(read: Read) -> None:
    """Gzip is read by every route."""
    assert read(gzip.compress(PLAIN)).frames == read(PLAIN).frames


@pytest.mark.parametrize("kept", [3, 100, -1, -8])
def test_truncated_gzip(read: Read, kept: int) -> None:
    """A truncated gzip file is rejected as such."""
    with pytest.raises(FileError, match=r"^the gzip data is truncated or corrupt: [^\n]+$"):
        read(gzip.compress(PLAIN)[:kept])


def test_gzip_bomb(read: Read) -> None:
    """A small gzip file that grows beyond the limit is rejected."""
    bomb = gzip.compress(log(init(), " " * (20 << 20)))
    assert len(bomb) < 1 << 16
    with pytest.raises(FileError, match=r"^larger than 1,048,576 bytes \(--max-size\)$"):
        read(bomb, max_size=1 << 20)


@pytest.mark.parametrize("compressed", [False, True], ids=["plain", "gzip"])
def test_max_size(read: Read, *, compressed: bool) -> None:
    """A log of exactly the maximum size is read; one byte more is rejected."""
    content = gzip.compress(PLAIN) if compressed else PLAIN
    assert len(read(content, max_size=len(PLAIN)).frames) == 4
    with pytest.raises(FileError) as refused:
        read(content, max_size=len(PLAIN) - 1)
    assert str(refused.value) == f"larger than {len(PLAIN) - 1:,} bytes (--max-size)"


def test_max_size_of_a_repaired_log(read: Read) -> None:
    """The limit applies to a log that has to be read again."""
    content = log(FRAME.replace("<D60/>", '<D60 a="1" a="1"/>')) + b" " * 100_000
    read(content, max_size=len(content))
    with pytest.raises(FileError, match=r"^larger than"):
        read(content, max_size=len(content) - 1)


def test_file_is_left_open() -> None:
    """A file object is read and left open; its name, if it has one, is that of the log."""
    file = io.BytesIO(PLAIN)
    assert read_mjlog(file).source is None
    assert not file.closed
    file = io.BytesIO(PLAIN)
    file.name = "/logs/a.xml"
    assert read_mjlog(file).source == "a.xml"
    file = io.BytesIO(PLAIN)
    file.name = 3
    assert read_mjlog(file).source is None


@pytest.mark.parametrize(("content", "message"), table("mjlog_bytes", "not_a_log"))
def test_not_a_log(read: Read, content: bytes, message: str) -> None:
    """Input that is not a log is reported in one line, without a place."""
    with pytest.raises(MjlogError) as refused:
        read(content)
    assert str(refused.value) == message


@pytest.mark.parametrize(
    "content", [b"<", b"<mjloggm", b"<mjloggm>", b"<mjloggm><GO", b"\xff\xfe<", b"<mjloggm>\xff</mjloggm>"]
)
def test_not_well_formed(read: Read, content: bytes) -> None:
    """A log that breaks off is rejected in one line."""
    with pytest.raises(MjlogError, match=r"^(element 1 <GO>: )?not well-formed XML[^\n]*$"):
        read(content)


def test_cut_off() -> None:
    """The message says that a log is cut off wherever it is, but not that a whole one with an error in it is."""
    root = PLAIN.index(b">") + 1
    for length in effort.shared_out(range(root, len(PLAIN)), 0):
        assert "the file seems to be cut off (" in str(outcome(from_bytes, PLAIN[:length])), length
    for part in (b"&", b'"', b"<"):
        said = str(outcome(from_bytes, PLAIN.replace(b' ten="', b" ten" + part, 1) + b"\r\n"))
        assert "not well-formed XML" in said
        assert "cut off" not in said


@settings(max_examples=many(60))
@given(st.integers(0, len(PLAIN) - 1))
def test_cut(length: int) -> None:
    """A log cut off anywhere is rejected by both routes with the same message."""
    said = outcome(from_bytes, PLAIN[:length])
    assert not isinstance(said, Match)
    assert outcome(from_file, PLAIN[:length]) == said
