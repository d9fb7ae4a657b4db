"""Nothing in an input ends a run: whatever it is, it is one failure, and the rest is converted."""

from __future__ import annotations

import io
import os
import sqlite3
import struct
import tarfile
from contextlib import closing
from pathlib import Path
from typing import NoReturn

import pytest
from batching import (
    batch,
    counted,
    failures,
    outputs,
    summary,
    work_there,  # noqa: F401 - pytest finds it by its name
)
from click.testing import CliRunner
from packing import OTHER, PLAIN, game, named, tarred, zipped

from jmjp_convert.cli import main
from jmjp_convert.files import archives
from jmjp_convert.formats.jmjp.writer import write_jmjp
from jmjp_convert.formats.mjlog.reader import read_mjlog

GAME = f"{game(1)}.xml"

# --- detection --------------------------------------------------------------------------------------------------------


def test_texts_that_begin_like_jmjp() -> None:
    """Only a file with the header of jmjp is skipped as jmjp already; texts that merely begin like it fail."""
    Path("in").mkdir()
    texts = {"junk": "junk text", "passwd": "/etc/passwd\n", "comment": "// a comment\n", "cut": "jmjp"}
    for name, text in texts.items():
        Path("in", name).write_text(text, encoding="utf-8")
    Path("in/real.jmjp").write_text("// a comment\n" + write_jmjp(read_mjlog(PLAIN)), encoding="utf-8")
    batch("in", "-o", "out", code=1)
    assert summary() == counted(skipped={"jmjp already": 1}, failed={"not-a-log": 4})
    assert {Path(one["source"]).name for one in failures()} == texts.keys()
    assert outputs() == {}


# --- sources that end in errors ---------------------------------------------------------------------------------------


def check_one_failure(kind: str, message: str, *, member: bool = False) -> None:
    """Check that a batch converts a game before and one after `evil`, whose one failure has this *kind* and *message*;
    and that `view` and, unless only a *member* fails, `fetch --list` say the same."""
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
        ended = CliRunner().invoke(main, ["fetch", "--list", "evil"])
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


@pytest.mark.parametrize("path", [b"\x00", b"a\x00b", b"x" * 5000, b"x" * 100_000])
def test_impossible_paths(path: bytes) -> None:
    """A path that no file can have fails alone in a list."""
    Path(GAME).write_bytes(PLAIN)
    batch("-", "-o", "out", given=b"%b\n%b\n" % (path, GAME.encode()), code=1)
    assert summary() == counted(converted=1, failed={"file": 1})
    assert len(failures()[0]["source"]) <= 1 << 15


def test_many_long_names_in_a_tar() -> None:
    """A row of thousands of extension headers is read like one: only the last name counts."""
    with tarfile.open("evil", "w", format=tarfile.GNU_FORMAT) as tar:
        assert tar.fileobj is not None
        for number in range(5000):
            info = tarfile.TarInfo("././@LongLink")
            info.type, info.size = tarfile.GNUTYPE_LONGNAME, 4
            tar.fileobj.write(info.tobuf() + b"%04d" % number + bytes(508))
        info = tarfile.TarInfo("a")
        info.size = len(PLAIN)
        tar.addfile(info, io.BytesIO(PLAIN))
    batch("evil", "-o", "out")
    assert summary() == counted(converted=1)
    assert [entry.member for entry in archives.entries("evil", 1 << 20)] == ["4999"]


@pytest.mark.parametrize("kind", [b"x", b"g", b"L", b"K"])
def test_extension_headers_alone(kind: bytes) -> None:
    """A tar of nothing but thousands of extension headers fails if they name a member that does not follow."""
    info = tarfile.TarInfo("x")
    info.type, info.size = kind, 11
    block = info.tobuf(tarfile.USTAR_FORMAT) + b"11 path=ab\n" + bytes(501)
    Path("evil").write_bytes(block * 1500)
    check_one_failure("archive", "the tar is truncated or corrupt: unexpected end of data")


@pytest.mark.parametrize(
    "record",
    [
        b"99999999999999999999 path=a\n",
        b"99999999999999999999",
        b"9" * 5000 + b" path=a\n",
        b"28 size=99999999999999999999\n"[:-1] + b"9" * 5000 + b"\n",
        b"0 path=a\n",
        b"1 path=a\n",
        b"-1 path=a\n",
        b"9 path=a",
        b"8 patha\n",
        b"7 =abc\n",
        b"9 size=x\n",
        b"1" * 100_000,
    ],
)
def test_wrong_pax_records(record: bytes) -> None:
    """Lengths and sizes in a pax header are compared with what is there, however many digits they have."""
    info = tarfile.TarInfo("x")
    info.type, info.size = tarfile.XHDTYPE, len(record)
    last = tarfile.TarInfo("b")
    blocks = info.tobuf(tarfile.USTAR_FORMAT) + record + bytes(-len(record) % 512) + last.tobuf(tarfile.USTAR_FORMAT)
    Path("evil").write_bytes(blocks + bytes(1024))
    check_one_failure("archive", "the tar is truncated or corrupt: invalid ")


def test_size_beyond_a_tar() -> None:
    """A member that claims more bytes than any file has ends its tar, and is not read."""
    info = tarfile.TarInfo("x")
    info.size = 1 << 80
    Path("evil").write_bytes(info.tobuf(tarfile.GNU_FORMAT) + bytes(4096))
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


@pytest.mark.skipif(os.name != "posix", reason="other systems allow no such paths")
def test_deep_directory() -> None:
    """A tree deeper than Python's stack is walked to its end."""
    depth = 1500
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


@pytest.mark.parametrize(
    ("columns", "number"),
    [
        ("id, log, was_error, other REAL PRIMARY KEY) WITHOUT ROWID", None),
        ("id, log, was_error, other, PRIMARY KEY (id, other)) WITHOUT ROWID", None),
        ("id, log, was_error, rowid)", 2),
        ("id, log, was_error, rowid, oid, _rowid_)", None),
    ],
)
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
