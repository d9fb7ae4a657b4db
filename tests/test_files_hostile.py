"""Nothing in an input ends a run: whatever it is, it is one failure, and the rest is converted."""

from __future__ import annotations

import bz2
import gzip
import io
import lzma
import os
import sqlite3
import struct
import sys
import tarfile
import time
import tracemalloc
import zipfile
import zlib
from collections.abc import Callable, Iterable
from contextlib import closing
from functools import partial
from pathlib import Path
from typing import Any, NoReturn

import pytest
from batching import (
    batch,
    counted,
    failures,
    summary,
    work_there,  # noqa: F401 - pytest finds it by its name
)
from click.testing import CliRunner
from packing import HOUOU_2, OTHER, PLAIN, game, header, named, patched, tarred, zipped
from tables import table

from jmjp_convert.batch.selection import listed, spool
from jmjp_convert.cli import main
from jmjp_convert.errors import FileError
from jmjp_convert.files import archives
from jmjp_convert.files.archives import entry, zips
from jmjp_convert.files.archives.entry import InMemory, Refused, Zipped

GAME = f"{game(1)}.xml"
OVERLAP = Refused("archive", "the zip is corrupt or a bomb: its members overlap")

# --- sources that end in errors ---------------------------------------------------------------------------------------


def check_one_failure(kind: str, message: str, *, member: bool = False) -> None:
    """Check that a batch converts a game before and one after `evil`, whose one failure has this *kind* and *message*;
    and that `view` and, unless only a *member* fails, `lists` say the same."""
    for name in ("a", "z"):
        Path(name).mkdir()
    Path("a", GAME).write_bytes(PLAIN)
    Path("z", f"{game(2)}.xml").write_bytes(OTHER)
    batch("a", "evil", "z", "-o", "out", code=1)
    assert summary() == counted(converted=2, failed={kind: 1})
    (failure,) = failures()
    assert message in failure["message"]
    assert failure["kind"] == kind
    ended = CliRunner().invoke(main, ["view", "evil", "-o", "site"])
    assert ended.exit_code == 1
    assert ended.stderr.count("\n") == 2
    assert message in ended.stderr
    if not member:
        ended = CliRunner().invoke(main, ["lists", "evil"])
        assert ended.exit_code == 1
        assert ended.stdout == ""
        assert message in ended.stderr


@pytest.mark.parametrize("error", [RecursionError("too deep"), OverflowError("too large"), AttributeError("no such")])
def test_any_error_in_an_archive(error: Exception, monkeypatch: pytest.MonkeyPatch) -> None:
    """An error of any kind while an archive is listed is that archive's failure."""

    def fail(*_: object) -> NoReturn:
        raise error

    monkeypatch.setattr(archives.zips, "directory", fail)
    zipped({GAME: PLAIN}, Path("evil"))
    check_one_failure("internal", f"internal error, report it: {type(error).__name__}: {error} (test_files_hostile.py")
    assert archives.count(["evil", "a"]) == 2


def test_any_error_in_a_directory(monkeypatch: pytest.MonkeyPatch) -> None:
    """An error of any kind while a directory is walked is that directory's failure."""
    scan = os.scandir

    def fail(path: str) -> object:
        if Path(path).name == "evil":
            raise MemoryError
        return scan(path)

    monkeypatch.setattr(os, "scandir", fail)
    Path("evil").mkdir()
    check_one_failure("memory", "out of memory")
    assert archives.count(["evil", "a"]) == 2


def test_many_long_names_in_a_tar() -> None:
    """A row of thousands of extension headers is read like one: only the last name counts."""
    with tarfile.open("evil", "w", format=tarfile.GNU_FORMAT) as tar:
        assert tar.fileobj is not None
        for number in range(5000):
            name = header("././@LongLink", tarfile.GNUTYPE_LONGNAME, 4)
            tar.fileobj.write(name.tobuf() + b"%04d" % number + bytes(508))
        tar.addfile(header("a", size=len(PLAIN)), io.BytesIO(PLAIN))
    batch("evil", "-o", "out")
    assert summary() == counted(converted=1)
    assert [entry.member for entry in archives.entries("evil", 1 << 20)] == ["4999"]


@pytest.mark.parametrize("kind", [b"x", b"g", b"L", b"K"])
def test_extension_headers_alone(kind: bytes) -> None:
    """A tar of nothing but thousands of extension headers fails if they name a member that does not follow."""
    block = header(kind=kind, size=11).tobuf(tarfile.USTAR_FORMAT) + b"11 path=ab\n" + bytes(501)
    Path("evil").write_bytes(block * 1500)
    check_one_failure("archive", "the tar is truncated or corrupt: unexpected end of data")


@pytest.mark.parametrize("record", table("files_hostile", "wrong_pax_records", globals()))
def test_wrong_pax_records(record: bytes) -> None:
    """Lengths and sizes in a pax header are compared with what is there, however many digits they have."""
    first, last = (one.tobuf(tarfile.USTAR_FORMAT) for one in (header("x", tarfile.XHDTYPE, len(record)), header("b")))
    Path("evil").write_bytes(first + record + bytes(-len(record) % 512) + last + bytes(1024))
    check_one_failure("archive", "the tar is truncated or corrupt: invalid ")


def test_many_pax_records() -> None:
    """A row of long pax headers takes no more memory than one; what is used of them is kept, the rest is dropped."""
    with tarfile.open("evil", "w:gz", format=tarfile.USTAR_FORMAT) as tar:
        assert tar.fileobj is not None
        for number in range(40):
            record = b"1000000 key%04d=" % number
            record += b"x" * (1_000_000 - len(record) - 1) + b"\n"
            record += b"10 path=%d\n" % (number % 10)
            head = header(kind=tarfile.XHDTYPE, size=len(record)).tobuf(tarfile.USTAR_FORMAT)
            tar.fileobj.write(head + record + bytes(-len(record) % 512))
        tar.addfile(header("a", size=len(PLAIN)), io.BytesIO(PLAIN))
    tracemalloc.start()
    try:
        (entry,) = archives.entries("evil", 1 << 20)
        most = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert (entry.member, entry.fetch) == ("9", InMemory(PLAIN))
    assert most < 16 << 20


@pytest.mark.parametrize("kind", [tarfile.REGTYPE, tarfile.DIRTYPE, tarfile.GNUTYPE_LONGNAME])
def test_tar_of_nothing(kind: bytes) -> None:
    """A small file does not become any number of empty members, directories or extension headers."""
    blocks = header(kind=kind).tobuf(tarfile.GNU_FORMAT) * 12_000 + bytes(1024)
    Path("evil").write_bytes(lzma.compress(blocks, preset=1))
    size = Path("evil").stat().st_size
    batch("evil", "-o", "out", code=1)
    assert f"the tar is a bomb: more than {10_000 + size // 64:,} headers" in {line["message"] for line in failures()}
    assert len(failures()) <= 12


def test_tar_with_many_small_members() -> None:
    """As many members as a file has room for are no bomb."""
    tarred({f"{number}": b"%d" % number for number in range(11_000)}, Path("many"))
    assert sum(1 for entry in archives.entries("many", 1 << 20) if isinstance(entry.fetch, InMemory)) == 11_000


def test_tar_that_grows(monkeypatch: pytest.MonkeyPatch) -> None:
    """A tar does not decompress to any number of bytes, even in members that are skipped."""
    monkeypatch.setattr("jmjp_convert.files.archives.tars._SMALLEST_TOTAL", 1 << 20)
    with tarfile.open("evil", "w:xz", preset=1) as tar:
        for number in range(100):
            tar.addfile(header(f"{number}", size=1 << 20), io.BytesIO(bytes(1 << 20)))
    most = max(1 << 20, 200 * Path("evil").stat().st_size)
    batch("evil", "-o", "out", code=1)
    assert failures()[-1]["message"] == f"the tar is a bomb: it decompresses to more than {most:,} bytes"


def test_size_beyond_a_tar() -> None:
    """A member that claims more bytes than any file has ends its tar, and is not read."""
    Path("evil").write_bytes(header(size=1 << 80).tobuf(tarfile.GNU_FORMAT) + bytes(4096))
    check_one_failure("archive", "the tar is truncated or corrupt: unexpected end of data")


def test_corrupt_header_within_a_tar() -> None:
    """A corrupt header does not end a tar in silence, nor does a missing end."""
    tarred({f"{game(1)}.xml": PLAIN, f"{game(2)}.xml": OTHER}, Path("whole"))
    whole = Path("whole").read_bytes()
    second = whole.index(game(2).encode())
    for name, content in {
        "corrupt": whole[:second] + b"X" + whole[second + 1 :],
        "cut": whole[:second],
        "cut2": whole[: second + 100],
    }.items():
        Path("evil").write_bytes(content)
        batch("evil", "-o", name, code=1)
        assert summary(name) == counted(converted=1, failed={"archive": 1})


@pytest.mark.parametrize("offset", [-8, -4])
@pytest.mark.parametrize("padding", [1024, 1 << 20])
def test_wrong_checksum_of_a_packed_tar(offset: int, padding: int) -> None:
    """A gzip whose checksum or length is wrong is reported, though the tar in it ends before."""
    tarred({GAME: PLAIN}, Path("whole"))
    whole = bytearray(gzip.compress(Path("whole").read_bytes() + bytes(padding)))
    whole[offset] ^= 1
    Path("evil").write_bytes(whole)
    game_, failure = archives.entries("evil", 1 << 20)
    assert game_.fetch == InMemory(PLAIN)
    assert isinstance(failure.fetch, Refused)
    assert failure.fetch.reason.startswith("the gzip data is truncated or corrupt: ")


@pytest.mark.parametrize("mode", ["w", "w:gz"])
def test_cut_tar_after_another(mode: str) -> None:
    """A tar that is appended to another and damaged fails; the games before the damage are converted."""
    for name, content in {"a": PLAIN, "b": OTHER}.items():
        tarred({name: content}, Path(name), mode)
    second = Path("b").read_bytes()
    wrong = b"X" + second[1:] if mode == "w" else second[:-8] + bytes(8)
    for damaged in (second[:600] if mode == "w" else second[:-100], wrong):
        Path("evil").write_bytes(Path("a").read_bytes() + damaged)
        first, *_, failure = archives.entries("evil", 1 << 20)
        assert first.fetch == InMemory(PLAIN)
        assert isinstance(failure.fetch, Refused)
        what = "tar" if mode == "w" else "gzip data"
        assert failure.fetch.reason.startswith(f"the {what} is truncated or corrupt: ")


@pytest.mark.parametrize("byte", [b"\x00", b"x"])
def test_much_after_a_packed_tar(byte: bytes, monkeypatch: pytest.MonkeyPatch) -> None:
    """What follows the end of a packed tar is read up to a bound."""
    monkeypatch.setattr(archives.tars, "_MOST_AFTER_END", 1 << 20)
    tarred({GAME: PLAIN}, Path("whole"))
    for size, number in ((1 << 19, 1), (1 << 22, 2)):
        Path("evil").write_bytes(gzip.compress(Path("whole").read_bytes() + byte * size))
        read = list(archives.entries("evil", 1 << 20))
        assert len(read) == number
    reason = "the tar is truncated or corrupt: more than 268,435,456 bytes after its end"
    assert read[-1].fetch == Refused("archive", reason)


@pytest.mark.skipif(os.name != "posix", reason="other systems allow no such paths")
def test_deep_directory() -> None:
    """A tree deeper than Python's stack is walked to its end."""
    depth = sys.getrecursionlimit() + 100
    top = Path.cwd()
    try:
        for name in ["deep", *["d"] * depth]:
            Path(name).mkdir()
            os.chdir(name)
        Path(GAME).write_bytes(PLAIN)
        os.chdir(top)
        batch("deep", "-o", "out")
        assert summary() == counted(converted=1)
        assert archives.count(["deep"]) == 1
        assert CliRunner().invoke(main, ["view", "deep", "-o", "site", "-q"]).exit_code == 0
    finally:  # it is too deep for shutil.rmtree
        for folder in ["deep", *["d"] * depth]:
            os.chdir(folder)
        Path(GAME).unlink()
        for folder in [*["d"] * depth, "deep"]:
            os.chdir("..")
            Path(folder).rmdir()


@pytest.mark.parametrize("kind", ["REAL", "INTEGER", "TEXT", "BLOB"])
def test_keys_of_any_type(kind: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """A table without row numbers is read by its key, whatever the types of that."""
    monkeypatch.setattr("jmjp_convert.files.archives.databases._PAGE", 2)
    keys = [0.5, -1e300, 3, "a", "A", "é", b"a", b"\xff", b""]
    with closing(sqlite3.connect("evil")) as connection:
        connection.execute(f"CREATE TABLE logs(id {kind} PRIMARY KEY, was_error INT, log BLOB) WITHOUT ROWID")
        for number, key in enumerate(keys):
            connection.execute("INSERT INTO logs VALUES (?, 0, ?)", (key, named(number)))
        connection.commit()
    batch("evil", "-o", "out")
    assert summary() == counted(converted=len(keys))


@pytest.mark.parametrize(("columns", "number"), table("files_hostile", "other_keys"))
def test_other_keys(columns: str, number: int | None) -> None:
    """A table whose rows cannot be told apart by number or ID is rejected; columns may hide the number."""
    other = "rowid" if "rowid" in columns else "other"
    with closing(sqlite3.connect("evil")) as connection:
        connection.execute(f"CREATE TABLE logs({columns}")
        for key in (1, 2):
            query = f"INSERT INTO logs (id, log, was_error, {other}) VALUES ('x', ?, 0, ?)"  # noqa: S608 - our own
            connection.execute(query, (named(key), key))
        connection.commit()
    if number is None:
        check_one_failure("archive", "table logs has neither row numbers nor id as its key")
    else:
        batch("evil", "-o", "out")
        assert summary()["converted"] == number


def test_rows_in_no_order() -> None:
    """A corrupt database that gives the same rows again and again is given up."""
    with closing(sqlite3.connect("evil")) as connection:
        connection.execute("CREATE TABLE logs(id TEXT PRIMARY KEY, log BLOB, was_error INT) WITHOUT ROWID")
        connection.executemany("INSERT INTO logs VALUES (?, ?, 0)", [("B", named(1)), ("a", named(2))])
        connection.execute("PRAGMA writable_schema = ON")
        connection.execute("UPDATE sqlite_master SET sql = replace(sql, 'PRIMARY', 'COLLATE NOCASE PRIMARY')")
        connection.commit()
    batch("evil", "-o", "out", code=1)
    assert summary()["converted"] == 1
    assert failures()[-1]["message"] == "cannot read the database: its rows are not in order"


@pytest.mark.parametrize("offset", [1 << 32, (1 << 63) - 1, 1 << 63, (1 << 64) - 1])
def test_zip64_offset(offset: int) -> None:
    """A member that a zip64 places beyond its end fails alone."""
    whole = bytearray(zipped({"x": PLAIN}))
    head = whole.index(b"PK\x01\x02")
    extra = struct.pack("<HHQ", 1, 8, offset)
    struct.pack_into("<H", whole, head + 30, len(extra))
    struct.pack_into("<I", whole, head + 42, 0xFFFFFFFF)
    whole[head + 47 : head + 47] = extra
    end = whole.index(b"PK\x05\x06")
    struct.pack_into("<I", whole, end + 12, end - head)
    Path("evil").write_bytes(whole)
    check_one_failure("archive", "the zip is corrupt: no member at the offset in its directory", member=True)


# --- bombs ------------------------------------------------------------------------------------------------------------


def zip_of(data: bytes, members: Iterable[tuple[int, int, int, int]]) -> bytes:
    """Return a zip of *data* with a directory of *members*: the offset, method, size and length of each."""
    rows = [
        struct.pack(
            "<4sHHHHHHIIIHHHHHII", b"PK\x01\x02", 20, 20, 0, method, 0, 33, 0, size, length, 1, *[0] * 5, offset
        )
        + b"x"
        for offset, method, size, length in members
    ]
    number, directory = len(rows) % (1 << 16), b"".join(rows)
    return data + directory + struct.pack("<4s4H2IH", b"PK\x05\x06", 0, 0, number, number, len(directory), len(data), 0)


def local(method: int, content: bytes) -> bytes:
    """Return a member of a zip, with its header."""
    return struct.pack("<4s5H3I2H", b"PK\x03\x04", 20, 0, method, 0, 33, 0, 0, 0, 1, 0) + b"x" + content


@pytest.mark.parametrize("step", [0, 31, 62])
def test_overlapping_members(step: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """The members of a zip that overlap are rejected together, and decompressed at most once."""
    content = zlib.compress(bytes(15 << 20), wbits=-15)
    number = 20_000
    data = local(8, b"") * (number * step // 31) + local(8, content)
    inflated: list[int] = []
    inflate = zips._inflated  # noqa: SLF001 - to count its calls

    def counted_inflate(packed: bytes, method: int, length: int) -> bytes:
        inflated.append(length)
        return inflate(packed, method, length)

    monkeypatch.setattr(zips, "_inflated", counted_inflate)
    Path("evil").write_bytes(
        zip_of(data, ((offset := index * step, 8, len(data) - offset - 31, 15 << 20) for index in range(number)))
    )
    read = list(archives.entries("evil", 16 << 20))
    assert len(read) <= 3
    assert read[-1].fetch == OVERLAP
    batch("evil", "-o", "out", code=1)
    assert len(inflated) <= 2
    assert summary()["failed"]["archive"] >= 1


def test_overlap_of_two() -> None:
    """A member inside another one is rejected, even with the directory in another order."""
    inner = local(0, PLAIN)
    data = local(0, inner) + local(0, OTHER)
    last = len(data) - len(local(0, OTHER))
    for order in ([0, 1, 2], [2, 1, 0], [1, 2, 0]):
        members = [(0, 0, len(inner), len(inner)), (31, 0, len(PLAIN), len(PLAIN)), (last, 0, len(OTHER), len(OTHER))]
        Path("evil").write_bytes(zip_of(data, [members[index] for index in order]))
        assert list(archives.entries("evil", 1 << 20))[-1].fetch == OVERLAP


@pytest.mark.parametrize(("method", "compress"), [(8, partial(zlib.compress, wbits=-15)), (12, bz2.compress)])
def test_total_of_a_zip(method: int, compress: Callable[[bytes], bytes]) -> None:
    """A zip that decompresses to more than a hundred times its size is rejected where it exceeds that, even if each
    member is within the bound; larger members are never decompressed and do not count."""
    size = 1 << 20
    part, offset = local(method, compress(bytes(size))), 0
    members = []
    for _ in range(200):
        members.append((offset, method, len(part) - 31, size))
        offset += len(part)
    Path("evil").write_bytes(zip_of(part * 200, members))
    *read, last = archives.entries("evil", size)
    assert last.fetch == Refused("archive", "the zip is a bomb: it decompresses to more than 100 times its size")
    assert len(read) == 1 + 100 * offset // size
    read = list(archives.entries("evil", size - 1))
    assert len(read) == 200


def test_wrong_length_in_a_zip() -> None:
    """No member is decompressed beyond the length in the directory."""
    Path("evil").write_bytes(patched({"x": PLAIN}, b"PK\x01\x02", 24, "<I", len(PLAIN) - 1))
    check_one_failure("file", "the zip is corrupt: checksum mismatch", member=True)


def test_count_of_members() -> None:
    """A zip counts as the members that it has, whatever it claims."""
    Path("evil").write_bytes(patched({"x": PLAIN}, b"PK\x05\x06", 10, "<H", 0xFFFF))
    assert archives.count(["evil"]) == 1


@pytest.mark.parametrize("number", [65_535, 65_536, 65_537])
def test_more_members_than_the_field_holds(number: int) -> None:
    """All members of a zip are read, even if a program without zip64 wrote more than their number's field can hold."""
    member = local(0, b"")
    rows = ((index * len(member), 0, 0, 0) for index in range(number))
    Path("evil").write_bytes(zip_of(member * number, rows))
    assert sum(isinstance(entry.fetch, Zipped) for entry in archives.entries("evil", 1 << 20)) == number
    counted_members = archives.count(["evil"])
    assert counted_members is not None
    assert number - 10 <= counted_members <= number


@pytest.mark.parametrize("change", [-1, 1])
@pytest.mark.parametrize("field", [10, 12])
def test_wrong_size_or_number_in_a_zip(field: int, change: int) -> None:
    """A zip whose directory does not have the size or the number of members in its end record fails."""
    whole = bytearray(zipped({GAME: PLAIN, "b.xml": OTHER}))
    offset = whole.index(b"PK\x05\x06") + field
    whole[offset] += change
    Path("evil").write_bytes(whole)
    *_, last = archives.entries("evil", 1 << 20)
    assert isinstance(last.fetch, Refused)
    assert last.fetch.reason.startswith("the zip's directory is ")


class Endless(io.RawIOBase):
    """A stream of the same bytes, that counts how many have been read."""

    def __init__(self, content: bytes) -> None:
        self._content = content * ((1 << 21) // len(content) + 1)
        self.given = 0

    def readable(self) -> bool:
        """Return that it is."""
        return True

    def readinto(self, buffer: Any) -> int:
        """Fill *buffer*."""
        self.given += len(buffer)
        buffer[:] = self._content[: len(buffer)]
        return len(buffer)


@pytest.mark.parametrize("content", [b"\x00", b"y\n", b"x" * 5000 + b"\n"])
def test_endless_list(content: bytes, monkeypatch: pytest.MonkeyPatch) -> None:
    """A list without end, in lines or in one, is given up at a bound, in little memory and space."""
    monkeypatch.setattr("jmjp_convert.batch.selection._MOST", 3 << 20)
    stream, stored = Endless(content), io.BytesIO()
    with pytest.raises(
        FileError, match=r"^<stdin>: larger than 3,145,728 bytes; name directories or archives instead$"
    ):
        spool(io.BufferedReader(stream), stored)
    assert stream.given <= 5 << 20
    assert len(stored.getvalue()) == 3 << 20


def test_list_that_cannot_be_read() -> None:
    """An error while a list is read or stored is reported in one line."""

    class Full(io.BytesIO):
        def write(self, _: object) -> int:
            raise OSError(28, "No space left on device")

    with pytest.raises(FileError, match=r"^<stdin>: no space left on device$"):
        spool(io.BytesIO(b"a"), Full())


def test_long_lines() -> None:
    """A line of a list is cut where it is too long for a path, and the lines after it are kept."""
    content = b"a\n" + b"b" * 100_000 + b"\nc\n" + b"d" * 32767 + b"\n\n" + b"e" * 32768 + b"\nf"
    assert list(listed(io.BytesIO(content))) == ["a", "b" * 32768, "c", "d" * 32767, "e" * 32768, "f"]


# --- work out of proportion -------------------------------------------------------------------------------------------


def test_empty_members() -> None:
    """A zip of 30,000 empty members is listed in proportion to its size: a member takes 76 bytes at least, and the list
    of failures does not grow with their number."""
    member = local(0, b"")
    for number in (30_000, 2_000):  # to convert as many as are listed takes a while
        Path("evil").write_bytes(zip_of(member * number, ((index * len(member), 0, 0, 0) for index in range(number))))
        assert len(list(archives.entries("evil", 1 << 20))) == number
        assert Path("evil").stat().st_size >= 76 * number
    check_one_failure_counted(number)


def check_one_failure_counted(number: int) -> None:
    """Check that a batch converts a game after `evil`, and counts a *number* of failures in a few lines."""
    Path(GAME).write_bytes(PLAIN)
    batch("evil", GAME, "-o", "out", code=1)
    assert summary()["converted"] == 1
    assert sum(summary()["failed"].values()) == number
    assert sum(failure["times"] for failure in failures()) == number
    assert Path("out/failures.jsonl").stat().st_size < 4096


def test_more_members_than_a_zip_has_room_for() -> None:
    """Members that share their bytes are rejected, so that their number is bounded by the size of the zip."""
    member = local(0, b"")
    Path("evil").write_bytes(zip_of(member, ((0, 0, 0, 0) for _ in range(1000))))
    assert list(archives.entries("evil", 1 << 20))[-1].fetch == OVERLAP


@pytest.mark.parametrize("kind", ["tar", "zip", "sqlite", "tar of one member"])
def test_patience(kind: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """An archive that is listed for too long without a file that may be a log is given up, and the next is converted;
    time between such files does not count."""
    seconds = iter(range(1_000_000))
    monkeypatch.setattr(time, "monotonic", lambda: next(seconds))
    monkeypatch.setattr(entry, "_SECONDS", 300)
    if kind == "zip":
        with zipfile.ZipFile("evil", "w") as archive:
            for index in range(1000):
                archive.writestr(f"{index}/", b"")
    elif kind == "sqlite":
        with closing(sqlite3.connect("evil")) as connection:
            connection.executescript(HOUOU_2)
            rows = ((f"{index:08}", "", 4, 0, 1, 1, None) for index in range(100_000))
            connection.executemany("INSERT INTO logs VALUES (?, ?, ?, ?, ?, ?, ?)", rows)
            connection.commit()
    else:
        with tarfile.open("evil", "w") as tar:
            for index in range(1000 if kind == "tar" else 1):
                tar.addfile(header(f"{index}", tarfile.DIRTYPE if kind == "tar" else tarfile.FIFOTYPE))
            if kind != "tar":
                tar.addfile(header("video", size=100 << 20), io.BytesIO(bytes(100 << 20)))
        monkeypatch.setattr(entry, "_BYTES_PER_SECOND", 1 << 40)
    *_, last = archives.entries("evil", 1 << 20)
    assert isinstance(last.fetch, Refused)
    assert last.fetch.kind == "archive"
    assert last.fetch.reason.startswith("given up after 30")
    assert last.fetch.reason.endswith(" seconds without a file that may be a log")
    tarred({f"{index}.xml": PLAIN for index in range(500)}, Path("good"))
    assert all(isinstance(entry.fetch, InMemory) for entry in archives.entries("good", 1 << 20))
    Path(GAME).write_bytes(PLAIN)
    batch("evil", GAME, "-o", "out", code=1)
    assert summary()["converted"] == 1
    assert summary()["failed"] == {"archive": 1}
