"""Compressed files: gzip, bzip2, xz and zstd, their bounds, and the archives that are only named."""

from __future__ import annotations

import io
import lzma
import random
import sys
import tracemalloc
from contextlib import suppress
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from packing import EXTENSIONS, OTHER, PACKERS, PLAIN, each_packer, game, tarred, zipped, zstd

from jmjp_convert.errors import FileError
from jmjp_convert.files import archives
from jmjp_convert.files.archives import Fetcher
from jmjp_convert.files.archives.entry import ARCHIVE, Entry, InMemory, Refused
from jmjp_convert.files.compression import COMPRESSIONS, BrokenDataError, TrailingDataError
from jmjp_convert.files.inputs import chunks, is_archive
from jmjp_convert.formats.output_names import output_name
from jmjp_convert.formats.reading import read as read_games

MAX = 1 << 20


pytestmark = pytest.mark.usefixtures("in_tmp_path")


class Dribble(io.BytesIO):
    """A file that returns a byte at a time, as a pipe may."""

    def read(self, size: int | None = -1) -> bytes:
        """Return the next byte."""
        return super().read(min(1, -1 if size is None else size))


def read(content: bytes, max_size: int = MAX) -> bytes:
    """Return what is read from *content*."""
    return b"".join(chunks(io.BytesIO(content), max_size))


def contents(path: str) -> dict[str, bytes | str]:
    """Return what is in *path*, by name: content, or why there is none."""
    by_name: dict[str, bytes | str] = {}
    with Fetcher(MAX) as fetcher:
        for entry in archives.entries(path, MAX):
            try:
                by_name[entry.name] = fetcher.content(entry.fetch)
            except FileError as error:
                by_name[entry.name] = str(error)
    return by_name


# --- what is read ----------------------------------------------------------------------------------------------------


def test_every_compression_is_tested() -> None:
    """The tests know each compression and its extension."""
    assert {compression.name: compression.extension for compression in COMPRESSIONS} == EXTENSIONS
    assert PACKERS.keys() == EXTENSIONS.keys()


@each_packer
@given(content=st.binary(max_size=100) | st.binary(max_size=9).map(lambda part: part * 8_000))
def test_content(name: str, content: bytes) -> None:
    """What was compressed is read, whatever it is."""
    assert read(PACKERS[name](content)) == content


@each_packer
def test_a_byte_at_a_time(name: str) -> None:
    """A compressed pipe is detected and read, even if it gives single bytes."""
    assert b"".join(chunks(Dribble(PACKERS[name](PLAIN)), MAX)) == PLAIN


@each_packer
def test_several_streams(name: str) -> None:
    """Files that were compressed and then appended to each other are read as one, also with zeros between them."""
    pack = PACKERS[name]
    for zeros in (0, 4, 100_000):
        assert read(pack(b"<a>") + bytes(zeros) + pack(b"") + pack(b"</a>") + bytes(zeros)) == b"<a></a>"


@each_packer
def test_as_archived(name: str) -> None:
    """A compressed log is read as a file, as a member of a zip or tar, and in a compressed tar."""
    pack = PACKERS[name]
    Path("log").write_bytes(pack(PLAIN))
    zipped({"log": pack(PLAIN)}, Path("zip"))
    tarred({"log": pack(PLAIN)}, Path("tar"))
    for path in ("log", "zip", "tar"):
        assert contents(path) == {"log": PLAIN}
    tarred({"log": pack(PLAIN), "other": OTHER}, Path("tar"))
    Path("packed").write_bytes(pack(Path("tar").read_bytes()))
    assert contents("packed") == {"log": PLAIN, "other": OTHER}
    assert is_archive("packed")
    assert not is_archive("log")
    assert read_games("log")[0].frames == read_games(PLAIN)[0].frames


def test_large_block_before_a_tar() -> None:
    """A tar is detected in bzip2, which gives nothing before a block of 900,000 bytes is complete."""
    content = bytes(value * value % 251 for value in range(MAX - 1))
    tarred({"a": content}, Path("tar"))
    Path("packed").write_bytes(PACKERS["bzip2"](Path("tar").read_bytes()))
    assert contents("packed") == {"a": content}


def test_skippable_frames() -> None:
    """Zstd may begin with a frame to skip, as pzstd writes it."""
    assert read(b"\x5f\x2a\x4d\x18\x03\x00\x00\x00abc" + zstd().compress(PLAIN)) == PLAIN


@pytest.mark.parametrize("extension", EXTENSIONS.values())
def test_output_name(extension: str) -> None:
    """The extension of a compression is left out of an output's name, in any case."""
    assert output_name(f"{game(1)}&tw=1.xml{extension}", ".jmjp") == f"{game(1)}.jmjp"
    assert output_name(f"GAME.MJLOG{extension.upper()}", ".jmjp") == "GAME.jmjp"
    assert output_name(extension, ".jmjp") == f"{extension}.jmjp"


# --- what is rejected ------------------------------------------------------------------------------------------------


@each_packer
def test_bound(name: str) -> None:
    """The maximum size is that of the decompressed content."""
    raw = PACKERS[name](b"<" * 1000)
    assert read(raw, 1000) == b"<" * 1000
    with pytest.raises(FileError, match=r"^larger than 999 bytes \(--max-size\)$"):
        read(raw, 999)


@each_packer
def test_incompressible_content_of_the_maximum_size(name: str) -> None:
    """Content of the maximum size is read even if compression made it longer."""
    content = random.Random(1).randbytes(MAX)  # noqa: S311 - the same bytes every time
    Path("a").write_bytes(PACKERS[name](content))
    assert contents("a") == {"a": content}


@each_packer
def test_bomb(name: str) -> None:
    """A bomb is not decompressed beyond the bound."""
    bomb = PACKERS[name](bytes(32 * MAX))
    tracemalloc.start()
    with pytest.raises(FileError, match=r"^larger than 1,048,576 bytes"):
        read(bomb)
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert peak < 12 * MAX  # xz has a dictionary of 8 MiB


@each_packer
def test_cut(name: str) -> None:
    """A truncated file is rejected as such, wherever it was cut."""
    raw = PACKERS[name](PLAIN)
    for kept in (6, 7, 20, len(raw) // 2, len(raw) - 1):
        with pytest.raises(BrokenDataError) as rejected:
            read(raw[:kept])
        assert str(rejected.value) == f"the {name} data is truncated or corrupt: it ends too early"


@each_packer
@given(offset=st.integers(0, 1 << 20), bit=st.integers(0, 7))
def test_damaged(name: str, offset: int, bit: int) -> None:
    """In a damaged file, nothing but an error of ours is found, if the damage makes any difference."""
    raw = bytearray(PACKERS[name](PLAIN))
    raw[offset % len(raw)] ^= 1 << bit
    with suppress(FileError):
        assert read(bytes(raw)) in (PLAIN, bytes(raw))


@each_packer
def test_followed_by_something_else(name: str) -> None:
    """Compressed data followed by something else is rejected, not cut off."""
    with pytest.raises(TrailingDataError, match=f"^the {name} data is followed by something else$"):
        read(PACKERS[name](b"<a/>") + b"<a/>")


@each_packer
def test_many_empty_streams(name: str) -> None:
    """A file of very many short streams, each of which takes a while, is rejected."""
    with pytest.raises(FileError, match=f"^the {name} data is a bomb: too many short streams$"):
        read(PACKERS[name](b"") * 20_000)


def test_endless_streams() -> None:
    """A pipe that never ends is rejected, though what it sends decompresses to nothing."""
    frame = b"\x50\x2a\x4d\x18\x00\x80\x00\x00" + bytes(1 << 15)

    class Endless(io.RawIOBase):
        def read(self, size: int = -1) -> bytes:
            assert size > 0
            return frame

    zstd()
    with pytest.raises(FileError, match=r"^larger than 1,048,576 bytes"):
        list(chunks(Endless(), MAX))  # type: ignore[arg-type]


def test_dictionary_of_xz() -> None:
    """Xz that asks for more memory than any of its own presets is rejected."""
    filters = [{"id": lzma.FILTER_LZMA2, "preset": 0, "dict_size": 256 << 20}]
    with pytest.raises(FileError, match=r"^decompressing the xz data takes more than 128 MiB of memory$"):
        read(lzma.compress(PLAIN, filters=filters))
    assert read(lzma.compress(PLAIN, preset=9)) == PLAIN


def test_window_of_zstd() -> None:
    """Zstd that asks for a larger window than --ultra and --long is rejected."""
    module = zstd()
    for window, fits in ((27, True), (28, False)):
        options = {module.CompressionParameter.window_log: window, module.CompressionParameter.content_size_flag: 0}
        packer = module.ZstdCompressor(options=options)
        raw = packer.compress(PLAIN) + packer.flush()
        if fits:
            assert read(raw) == PLAIN
        else:
            with pytest.raises(FileError, match=r"^decompressing the zstd data takes more than 128 MiB of memory$"):
                read(raw)


@pytest.mark.skipif(sys.version_info >= (3, 14), reason="this Python has zstd")
def test_without_the_extra(monkeypatch: pytest.MonkeyPatch) -> None:
    """Without the extra, zstd is rejected with how to install it."""
    monkeypatch.setitem(sys.modules, "backports", None)
    with pytest.raises(FileError, match=r"^reading zstd needs the extra 'zstd'; run pipx install"):
        read(b"\x28\xb5\x2f\xfd")


def test_without_the_module(monkeypatch: pytest.MonkeyPatch) -> None:
    """A Python that was built without a compression says so."""
    monkeypatch.setitem(sys.modules, "lzma", None)
    with pytest.raises(FileError, match=r"^this Python was built without xz$"):
        read(b"\xfd7zXZ\x00")


@pytest.mark.parametrize(("start", "called"), [(b"7z\xbc\xaf\x27\x1c\x00\x04", "7z"), (b"Rar!\x1a\x07\x01\x00", "rar")])
def test_archives_that_are_only_named(start: bytes, called: str) -> None:
    """A 7z or rar archive is rejected with what to do, wherever it is, and however large it is."""
    reason = f"this is a {called} archive; unpack it first"
    with pytest.raises(FileError, match=f"^{reason}$"):
        read(start)
    Path("a.xml").write_bytes(start + bytes(2 * MAX))
    assert list(archives.entries("a.xml", MAX)) == [Entry("a.xml", "", "", Refused(ARCHIVE, reason))]
    assert not is_archive("a.xml")


def test_cut_tar() -> None:
    """Of a compressed tar that is cut, the games before the cut are found, and the reason."""
    tarred({"a": PLAIN, "b": bytes(value * value % 251 for value in range(100_000))}, Path("tar"))
    Path("evil").write_bytes(PACKERS["xz"](Path("tar").read_bytes())[:-30])
    first, *_, failure = archives.entries("evil", MAX)
    assert first.fetch == InMemory(PLAIN)
    assert failure.fetch == Refused(ARCHIVE, "the xz data is truncated or corrupt: it ends too early")
    Path("evil").write_bytes(PACKERS["bzip2"](Path("tar").read_bytes())[:-30])
    assert contents("evil") == {"evil": "the bzip2 data is truncated or corrupt: it ends too early"}
