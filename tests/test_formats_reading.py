"""Reading files of any format, and naming outputs."""

from __future__ import annotations

import gzip
import io
import os
import re
import tarfile
from collections.abc import Callable
from pathlib import Path
from typing import IO

import pytest

from jmjp_convert.errors import FileError, MjlogError, RecordError
from jmjp_convert.files.inputs import Source, expect_file
from jmjp_convert.formats.mjlog.reader import read_mjlog
from jmjp_convert.formats.output_names import output_path
from jmjp_convert.formats.reading import Reading, read, read_source

PLAIN = Path(__file__).parent.parent / "fixtures" / "valid" / "plain.xml"
ID = "2009081211gm-0061-0000-184f512b"


def ignore(text: str) -> None:
    """Drop a notice that the test is not about."""


@pytest.fixture
def routes(monkeypatch: pytest.MonkeyPatch) -> list[type]:
    """Return a list that collects the types passed to `read_mjlog`."""
    taken: list[type] = []

    def spy(source: Source, **options: object) -> object:
        taken.append(bytes if isinstance(source, bytes) else IO)
        return read_mjlog(source, **options)  # type: ignore[arg-type]

    monkeypatch.setattr("jmjp_convert.formats.mjlog.reader.read_mjlog", spy)
    return taken


def test_output_path() -> None:
    """An output goes next to its input or into a directory; the output for stdin is named after the log ID, that for a
    link after its digest."""
    assert output_path("logs/log.xml", None, ".jmjp") == str(Path("logs/log.jmjp"))
    assert output_path("logs/log.xml", Path("out"), ".E1-0.json") == str(Path("out/log.E1-0.json"))
    assert output_path("-", Path("out"), ".jmjp", ID) == str(Path(f"out/{ID}.jmjp"))
    assert output_path("https://a/b.xml", Path("out"), ".jmjp") == str(Path("out/link-5ed7270e.jmjp"))


@pytest.mark.parametrize("packed", [bytes, gzip.compress])
def test_archives(packed: Callable[[bytes], bytes]) -> None:
    """A tar, plain or compressed, and a database are rejected with the function that reads them."""
    tar = io.BytesIO()
    with tarfile.open(fileobj=tar, mode="w") as archive:
        archive.add(PLAIN)
    why = "not a log; go through it with games()"
    for content, what in (
        (tar.getvalue(), "a tar archive"),
        (b"SQLite format 3\x00" + bytes(100), "an SQLite database"),
    ):
        with pytest.raises(FileError, match=f"^this is {what}, {re.escape(why)}$"):
            read(packed(content))


def test_check(tmp_path: Path) -> None:
    """A missing input and a directory are distinguished before anything is opened."""
    expect_file("-")
    expect_file(str(PLAIN))
    with pytest.raises(FileError, match=r"^no such file or directory$"):
        expect_file(str(tmp_path / "missing.xml"))
    with pytest.raises(FileError, match=r"^is a directory; use jmjp batch, or name the files in it$"):
        expect_file(str(tmp_path))


@pytest.mark.parametrize("zipped", [False, True])
def test_small_files_are_read_as_bytes(tmp_path: Path, routes: list[type], *, zipped: bool) -> None:
    """A small file, gzip or not, is read by the faster route."""
    content = PLAIN.read_bytes()
    path = tmp_path / "log.xml"
    path.write_bytes(gzip.compress(content) if zipped else content)
    assert read_source(str(path), Reading(), ignore).matches[0].source == "log.xml"
    assert routes == [bytes]


@pytest.mark.parametrize("zipped", [False, True])
def test_large_files_are_streamed(tmp_path: Path, routes: list[type], *, zipped: bool) -> None:
    """A file that is large, or becomes large when decompressed, is never wholly in memory."""
    content = PLAIN.read_bytes() + b"\n" * (1 << 20)
    path = tmp_path / "log.xml"
    path.write_bytes(gzip.compress(content) if zipped else content)
    assert len(read_source(str(path), Reading(), ignore).matches[0].frames) == len(
        read_source(str(PLAIN), Reading(), ignore).matches[0].frames
    )
    assert routes == [IO, bytes]


def test_white_space(tmp_path: Path) -> None:
    """A file of only white space is reported as such, not as empty."""
    path = tmp_path / "log.xml"
    for content, message in ((b"", "the file is empty"), (b"\n", "the file contains only white space")):
        path.write_bytes(content)
        with pytest.raises(RecordError) as refused:
            read_source(str(path), Reading(), ignore)
        assert str(refused.value) == message


def test_bound(tmp_path: Path) -> None:
    """The size limit applies to small files too, and counts decompressed bytes."""
    path = tmp_path / "log.mjlog"
    path.write_bytes(gzip.compress(PLAIN.read_bytes()))
    with pytest.raises(FileError, match=r"^larger than 1,000 bytes \(--max-size\)$"):
        read_source(str(path), Reading(max_size=1000), ignore)


def test_options_are_passed() -> None:
    """The log ID, the time and strictness reach the reader."""
    (match,) = read_source(str(PLAIN), Reading(id=ID, time="1107"), ignore).matches
    assert (match.id, match.date, match.time, match.source) == (ID, "20090812", "1107", None)
    unknown = PLAIN.with_name("unknown-element.xml")
    notices: list[str] = []
    read_source(str(unknown), Reading(), notices.append)
    assert notices == ["unknown element <CHAT> ignored"]
    with pytest.raises(MjlogError, match="unknown element <CHAT>"):
        read_source(str(unknown), Reading(strict=True), ignore)


@pytest.mark.skipif(os.name != "posix", reason="other systems allow no such names")
def test_names_that_are_not_text(tmp_path: Path) -> None:
    """A file name whose bytes are not UTF-8 is recorded with U+FFFD."""
    path = os.fsdecode(os.fsencode(tmp_path) + b"/\xff.xml")
    try:
        Path(path).write_bytes(PLAIN.read_bytes())
    except OSError:
        pytest.skip("this file system allows no such names")
    assert read_source(path, Reading(), ignore).matches[0].source == "\N{REPLACEMENT CHARACTER}.xml"
