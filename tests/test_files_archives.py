"""Archives: every kind of container is detected by content and gives its inputs by name."""

from __future__ import annotations

import io
import os
import sqlite3
import tarfile
import zipfile
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from packing import (
    BROKEN,
    HOUOU_1,
    HOUOU_2,
    OTHER,
    PHOENIX,
    PLAIN,
    database,
    game,
    header,
    packed,
    patched,
    tarred,
    zipped,
)
from tables import table

from jmjp_convert.batch.selection import listed
from jmjp_convert.errors import FileError
from jmjp_convert.files import archives
from jmjp_convert.files.archives import Fetcher, in_order
from jmjp_convert.files.archives.entry import Entry, Fetch, Passed, Refused
from jmjp_convert.files.compression import SNIFFED, kind

MAX = 1 << 20
posix = pytest.mark.skipif(os.name != "posix", reason="POSIX only")


pytestmark = pytest.mark.usefixtures("in_tmp_path")


def entries(source: str, max_size: int = MAX) -> list[Entry]:
    """Return the inputs in *source*."""
    return list(archives.entries(source, max_size))


def fetched(fetch: Fetch, max_size: int) -> bytes:
    """Return the content that *fetch* refers to."""
    with Fetcher(max_size) as fetcher:
        return fetcher.content(fetch)


def contents(source: str, max_size: int = MAX) -> dict[str, bytes | str]:
    """Return the inputs in *source* by name: their content, or why they have none."""
    by_name: dict[str, bytes | str] = {}
    for entry in entries(source, max_size):
        assert entry.source.startswith(source)
        name = entry.member or entry.source
        assert name not in by_name
        if isinstance(entry.fetch, Passed | Refused):
            by_name[name] = entry.fetch.reason
            continue
        try:
            by_name[name] = fetched(entry.fetch, max_size)
        except FileError as error:
            by_name[name] = str(error)
    return by_name


# --- kinds of containers ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("start", "expected"), table("files_archives", "kind", globals()))
def test_kind(start: bytes, expected: str) -> None:
    """A container is detected by its first bytes."""
    assert kind(start[:SNIFFED]) == expected


@pytest.mark.parametrize("form", [tarfile.USTAR_FORMAT, tarfile.GNU_FORMAT, tarfile.PAX_FORMAT])
def test_tar_kinds(form: int) -> None:
    """A tar is detected by its checksum in every dialect."""
    buffer = io.BytesIO()
    with tarfile.open(fileobj=buffer, mode="w", format=form) as tar:
        tar.addfile(tarfile.TarInfo("a"))
    assert kind(buffer.getvalue()[:SNIFFED]) == "tar"


def test_file() -> None:
    """A file, plain or gzipped, is one input, under any name."""
    Path("a.txt").write_bytes(PLAIN)
    Path("b").write_bytes(packed(PLAIN))
    assert contents("a.txt") == {"a.txt": PLAIN}
    assert contents("b") == {"b": PLAIN}


def test_directory() -> None:
    """A directory is walked recursively in order of names."""
    for name in ("b/2.xml", "b/10.xml", "a.mjlog", "c/d/e"):
        Path("top", name).parent.mkdir(parents=True, exist_ok=True)
        Path("top", name).write_bytes(PLAIN)
    zipped({"x.mjlog": OTHER}, Path("top/b/z"))
    inputs = [(Path(entry.source).as_posix(), entry.member) for entry in entries("top")]
    assert inputs == [
        ("top/a.mjlog", ""),
        ("top/b/10.xml", ""),
        ("top/b/2.xml", ""),
        ("top/b/z", "x.mjlog"),
        ("top/c/d/e", ""),
    ]


def test_large_directory(monkeypatch: pytest.MonkeyPatch) -> None:
    """The names of a large directory are sorted on disk in the same order, whatever their characters."""
    names = [f"{number * 7919 % 1000:03}" for number in range(1000)] + ["ä", "牌", "\udcff", "\U0001f004"]
    monkeypatch.setattr("jmjp_convert.files.archives._IN_MEMORY", 16)
    assert list(in_order(names)) == sorted(names)


@pytest.mark.parametrize("method", [zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED, zipfile.ZIP_BZIP2])
def test_zip(method: int) -> None:
    """A zip gives its members, plain or gzipped, in the order of its directory; folders are skipped."""
    members = {f"logs/{game(1)}&tw=1.mjlog": packed(PLAIN), "logs/": b"", "a/牌.xml": OTHER}
    zipped(members, Path("a.dat"), method)
    assert contents("a.dat") == {f"logs/{game(1)}&tw=1.mjlog": PLAIN, "a/牌.xml": OTHER}


def test_zip_after_other_data() -> None:
    """A zip preceded by other data that itself begins like a zip is read."""
    first = zipped({"a": PLAIN})
    Path("a.zip").write_bytes(first + zipped({"b": OTHER}))
    assert contents("a.zip") == {"b": OTHER}


def test_zip64(monkeypatch: pytest.MonkeyPatch) -> None:
    """A zip64 is read."""
    monkeypatch.setattr(zipfile, "ZIP_FILECOUNT_LIMIT", 1)
    monkeypatch.setattr(zipfile, "ZIP64_LIMIT", 10)
    zipped({"a": PLAIN, "b": OTHER}, Path("a.zip"))
    assert b"PK\x06\x06" in Path("a.zip").read_bytes()
    assert contents("a.zip") == {"a": PLAIN, "b": OTHER}


def test_comments_of_members() -> None:
    """Comments on a zip and its members are skipped."""
    with zipfile.ZipFile("a.zip", "w") as archive:
        archive.comment = b"of all"
        for name, content in {"a": PLAIN, "b": OTHER, "c": PLAIN}.items():
            info = zipfile.ZipInfo(name)
            info.comment = b"of the member " + name.encode()
            archive.writestr(info, content)
    assert contents("a.zip") == {"a": PLAIN, "b": OTHER, "c": PLAIN}


@pytest.mark.parametrize("mode", ["w", "w:gz"])
def test_tar(mode: str) -> None:
    """A tar, plain or gzipped, gives its members, even those with long names."""
    members = {"a.xml": PLAIN, "d/" + "x" * 300: packed(OTHER), "c": PLAIN[:511], "e": PLAIN[:512]}
    tarred(members, Path("a"), mode)
    assert contents("a") == members | {"d/" + "x" * 300: OTHER}


@pytest.mark.parametrize(("comment", "behind"), table("files_archives", "comment_like_an_end_record", globals()))
def test_comment_like_an_end_record(comment: bytes, behind: bytes) -> None:
    """A comment may contain the signature of the record that precedes it; other data may follow a zip without that."""
    with zipfile.ZipFile("a.zip", "w") as archive:
        archive.comment = comment
        archive.writestr("a", PLAIN)
    with Path("a.zip").open("ab") as file:
        file.write(behind)
    assert contents("a.zip") == {"a": PLAIN}


@pytest.mark.parametrize("kind_", [tarfile.DIRTYPE, tarfile.SYMTYPE, tarfile.LNKTYPE, tarfile.FIFOTYPE])
def test_wrong_size_of_a_tar_member_without_data(kind_: bytes) -> None:
    """The size of a directory or a link, which has no data, is ignored, whatever it is."""
    tarred({"x": b"", "b": OTHER}, Path("a.tar"))
    whole = bytearray(Path("a.tar").read_bytes())
    whole[124:136], whole[148:156], whole[156:157] = b"garbage here", b" " * 8, kind_
    whole[148:156] = b"%06o\x00 " % sum(whole[:512])
    Path("a.tar").write_bytes(whole)
    assert contents("a.tar")["b"] == OTHER
    assert "a.tar" not in contents("a.tar")


@pytest.mark.parametrize("mode", ["w", "w:gz"])
@pytest.mark.parametrize("garbage", [b"", b"x", b"garbage " * 500, bytes(5000)])
def test_tars_after_each_other(mode: str, garbage: bytes) -> None:
    """The members of all tars in a file are read; anything else after the last is ignored."""
    for name, content in {"a": PLAIN, "b": OTHER, "c": PLAIN}.items():
        tarred({name: content}, Path(name), mode)
    Path("all.tar").write_bytes(b"".join(Path(name).read_bytes() for name in "abc") + garbage)
    assert contents("all.tar") == {"a": PLAIN, "b": OTHER, "c": PLAIN}


@pytest.mark.parametrize("pack", [bytes, packed])
def test_zero_block_within_a_tar(pack: Callable[[bytes], bytes]) -> None:
    """A zero block between two members does not end a tar."""
    tarred({"a": PLAIN, "b": OTHER}, Path("whole"))
    whole = Path("whole").read_bytes()
    second = whole.index(b"b" + bytes(99))
    Path("a.tar").write_bytes(pack(whole[:second] + bytes(512) + whole[second:] + b"garbage" * 1000))
    assert contents("a.tar") == {"a": PLAIN, "b": OTHER}


def test_tar_of_other_things() -> None:
    """Anything but files and directories in a tar is skipped."""
    with tarfile.open("a.tar", "w") as tar:
        for name, kind_ in {"dir": tarfile.DIRTYPE, "link": tarfile.SYMTYPE, "fifo": tarfile.FIFOTYPE}.items():
            tar.addfile(header(name, kind_))
    assert contents("a.tar") == {"link": "not a regular file", "fifo": "not a regular file"}


@pytest.mark.parametrize("schema", [HOUOU_1, HOUOU_2, PHOENIX])
def test_database(schema: str) -> None:
    """A database gives its logs, and reports those not downloaded."""
    logs: dict[str | None, bytes | str | None] = {game(2): packed(OTHER), game(1): packed(PLAIN), game(3): None}
    logs |= {game(4): "", game(5): PLAIN.decode(), game(6): b"", game(7): b"cut", game(8): packed(PLAIN)[:99]}
    database(Path("a.dat"), schema, logs, failed=(game(7),))
    by_name = contents("a.dat")
    assert by_name.pop(game(8), "").startswith("the gzip data is truncated or corrupt")  # type: ignore[arg-type]
    assert by_name == {
        game(1): PLAIN,
        game(2): OTHER,
        game(5): PLAIN,
        **dict.fromkeys((game(3), game(4), game(6), game(7)), "not downloaded"),
    }
    if schema is not PHOENIX:  # whose logs come in order of rows, not of IDs
        assert list(by_name) == sorted(by_name)


def test_database_pages(monkeypatch: pytest.MonkeyPatch) -> None:
    """Paging through a database neither skips nor repeats rows."""
    monkeypatch.setattr("jmjp_convert.files.archives.databases._PAGE", 3)
    for schema in (HOUOU_2, PHOENIX):
        database(Path(f"{len(schema)}.db"), schema, {game(number): b"%d" % number for number in range(10)})
        assert contents(f"{len(schema)}.db") == {game(number): b"%d" % number for number in range(10)}


def test_database_without_ids() -> None:
    """Rows without a log ID are named by number."""
    database(Path("a.db"), PHOENIX, {None: packed(PLAIN)})
    assert contents("a.db") == {"row 1": PLAIN}


def test_database_of_tenhou_visualizer() -> None:
    """The plain XML in a tenhou-visualizer database is read."""
    with closing(sqlite3.connect("a.db")) as connection:
        connection.execute("CREATE TABLE MJLOG(id TEXT PRIMARY KEY, content TEXT)")
        connection.execute("INSERT INTO MJLOG VALUES (?, ?)", (game(1), PLAIN.decode()))
        connection.commit()
    assert contents("a.db") == {game(1): PLAIN}


def test_database_is_not_written() -> None:
    """A database is read with its write-ahead log, without writing to it or next to it: while it is in use, after
    that, and as a copy of both files."""
    database(Path("a.db"), HOUOU_2, {game(1): packed(PLAIN)})
    with closing(sqlite3.connect("a.db")) as connection:
        connection.execute("PRAGMA journal_mode = WAL")
        connection.execute("INSERT INTO logs VALUES ('x', '', 4, 0, 1, 0, ?)", (OTHER,))
        connection.commit()
        for folder, names in {"both": ("a.db", "a.db-wal"), "killed": ("a.db", "a.db-wal", "a.db-shm")}.items():
            Path(folder).mkdir()
            for name in names:
                Path(folder, name).write_bytes(Path(name).read_bytes())
        check_unwritten(".")
    check_unwritten(".")
    check_unwritten("both")
    check_unwritten("killed")
    assert archives.count(["both/a.db"]) is None
    Path("a.db-wal").touch()
    check_unwritten(".")


def check_unwritten(folder: str) -> None:
    """Check the content of the database in a folder, and that the folder stays unchanged (except for the shared memory,
    which this process also uses and may write to)."""
    before = files(folder)
    assert contents(f"{folder}/a.db") == {game(1): PLAIN, "x": OTHER}
    assert files(folder) == before


def files(folder: str) -> dict[str, bytes]:
    """Return the content of the files in a folder by name."""
    paths = {path.name: path for path in Path(folder).iterdir() if path.is_file()}
    return {name: b"" if name.endswith("-shm") else path.read_bytes() for name, path in paths.items()}


def test_list() -> None:
    """A list has one path per line."""
    assert list(listed(io.BytesIO(b"a b.xml\r\n\n\xff.zip\nlast"))) == ["a b.xml", os.fsdecode(b"\xff.zip"), "last"]


def test_count() -> None:
    """Inputs are counted without reading them, where possible."""
    zipped({"a": PLAIN, "b": OTHER}, Path("a.zip"))
    database(Path("a.db"), HOUOU_2, {game(1): PLAIN})
    Path("a.xml").write_bytes(PLAIN)
    assert archives.count(["a.zip", "a.db", "a.xml", "none"]) == 5
    assert archives.count(["."]) == 3
    tarred({"a": PLAIN}, Path("a.tar"))
    assert archives.count(["a.zip", "a.tar"]) is None


# --- problems --------------------------------------------------------------------------------------------------------


def test_missing() -> None:
    """A missing source is rejected."""
    assert contents("none") == {"none": "no such file or directory"}


@posix
def test_special_files() -> None:
    """A pipe is never read: it is skipped in a directory, and rejected as a source."""
    os.mkfifo("pipe")
    assert isinstance(entries("pipe")[0].fetch, Refused)
    assert isinstance(entries(".")[0].fetch, Passed)


@posix
def test_links() -> None:
    """Links are followed; loops of directories end, and dangling links are rejected."""
    Path("top/in").mkdir(parents=True)
    Path("elsewhere").mkdir()
    Path("elsewhere/a.xml").write_bytes(PLAIN)
    Path("top/in/loop").symlink_to("../..", target_is_directory=True)
    Path("top/in/self").symlink_to(".", target_is_directory=True)
    Path("top/out").symlink_to("../elsewhere", target_is_directory=True)
    Path("top/nothing").symlink_to("nowhere")
    by_name = contents("top")
    assert [content for content in by_name.values() if isinstance(content, bytes)] == [PLAIN]
    assert by_name["top/nothing"] == "no such file or directory"


@posix
def test_unreadable(monkeypatch: pytest.MonkeyPatch) -> None:
    """An unreadable file or directory is rejected without affecting the rest."""
    Path("top/locked").mkdir(parents=True)
    Path("top/a.xml").write_bytes(PLAIN)
    Path("top/b.xml").write_bytes(PLAIN)
    opened, scanned = open, os.scandir

    def refuse(path: str, *rest: Any, **options: Any) -> Any:
        if path.endswith("a.xml"):
            raise PermissionError(13, "Permission denied")
        return opened(path, *rest, **options)

    def refuse_directory(path: str) -> object:
        if path.endswith("locked"):
            raise PermissionError(13, "Permission denied")
        return scanned(path)

    monkeypatch.setattr("builtins.open", refuse)
    monkeypatch.setattr(os, "scandir", refuse_directory)
    expected = {"top/a.xml": "permission denied", "top/b.xml": PLAIN, "top/locked": "permission denied"}
    assert contents("top") == expected


def test_left_out() -> None:
    """A directory or file, such as an output, is left out by its identity."""
    Path("top/out").mkdir(parents=True)
    Path("top/out/a.xml").write_bytes(PLAIN)
    for name in ("top/out", "top/out/a.xml"):
        status = Path(name).stat()
        assert list(archives.entries("top", MAX, {(status.st_dev, status.st_ino)})) == []


def test_undecodable_names() -> None:
    """A name that cannot be decoded is shown with escapes."""
    name = os.fsdecode(b"\xff.xml")
    try:
        Path(name).write_bytes(PLAIN)
    except OSError:
        pytest.skip("this file system takes no such name")
    (entry,) = entries(".")
    assert entry.source.encode().endswith(b"udcff.xml")
    assert fetched(entry.fetch, MAX) == PLAIN


@pytest.mark.parametrize("share", [0.3, 0.9, 0.999])
def test_cut_zip(share: float) -> None:
    """A truncated zip is rejected."""
    whole = zipped({str(number): PLAIN for number in range(10)})
    Path("a.zip").write_bytes(whole[: int(len(whole) * share)])
    assert contents("a.zip") == {"a.zip": "the zip is truncated: no directory at its end"}


def test_broken_zip() -> None:
    """The intact members of a corrupt zip are read."""
    whole = bytearray(zipped({"a": PLAIN, "b.xml": OTHER, "c": PLAIN}))
    whole[whole.index(b"b.xml") + 50] ^= 0xFF
    Path("a.zip").write_bytes(whole)
    by_name = contents("a.zip")
    assert by_name["a"] == by_name["c"] == PLAIN
    assert str(by_name["b.xml"]).startswith("the zip is corrupt: ")


def test_wrong_zip_directory() -> None:
    """A zip directory with a wrong count or offset is rejected at that point."""
    Path("a.zip").write_bytes(patched({"a": PLAIN}, b"PK\x05\x06", 10, "<H", 9))
    assert contents("a.zip") == {"a": PLAIN, "a.zip": "the zip's directory is corrupt"}
    Path("b.zip").write_bytes(patched({"a": PLAIN}, b"PK\x01\x02", 42, "<I", 7))
    assert contents("b.zip") == {"a": "the zip is corrupt: no member at the offset in its directory"}


@pytest.mark.parametrize("offset", [0, 1 << 20, 1 << 62, (1 << 63) - 1, 1 << 63, (1 << 64) - 1])
def test_wrong_zip64_directory(offset: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """A wrong offset of the directory of a zip64, however large, is rejected."""
    monkeypatch.setattr(zipfile, "ZIP_FILECOUNT_LIMIT", 0)
    Path("a.zip").write_bytes(patched({"a": PLAIN}, b"PK\x06\x07", 8, "<Q", offset))
    assert contents("a.zip") == {"a.zip": "the zip64 directory is corrupt"}
    assert archives.count(["a.zip"]) == 0


def test_encrypted_zip() -> None:
    """An encrypted member is rejected."""
    whole = bytearray(zipped({"a": PLAIN}))
    whole[whole.index(b"PK\x01\x02") + 8] |= 1
    Path("a.zip").write_bytes(whole)
    assert contents("a.zip") == {"a": "encrypted"}


def test_names_with_paths() -> None:
    """A member is never opened by the path in its name."""
    names = ["../../etc/passwd", "/etc/passwd", "C:\\x", "..\\..\\x"]
    zipped(dict.fromkeys(names, PLAIN), Path("a.zip"))
    assert set(contents("a.zip").values()) == {PLAIN}
    assert all("/" not in entry.name and "\\" not in entry.name for entry in entries("a.zip"))


@pytest.mark.parametrize("layers", [1, 2])
def test_bombs(layers: int) -> None:
    """Content that decompresses beyond the bound is rejected without holding it in memory."""
    bomb = bytes(16 * MAX)
    for _ in range(layers - 1):
        bomb = packed(bomb)
    zipped({"bomb": bomb, "log": PLAIN}, Path("a.zip"))
    Path("b.gz").write_bytes(packed(bytes(16 * MAX)))
    database(Path("c.db"), HOUOU_2, {"bomb": packed(bytes(16 * MAX)), "long": bytes(2 * MAX)})
    tarred({"bomb": bytes(2 * MAX), "log": PLAIN}, Path("d.tar.gz"), "w:gz")
    large = "larger than 1,048,576 bytes (--max-size)"
    assert contents("a.zip") == {"bomb": large, "log": PLAIN}
    assert contents("b.gz") == {"b.gz": large}
    assert contents("c.db") == {"bomb": large, "long": large}
    assert contents("d.tar.gz") == {"bomb": large, "log": PLAIN}


def test_long_tar_header() -> None:
    """A tar header that claims an excessively long name is rejected without reading it."""
    head = header(kind=tarfile.GNUTYPE_LONGNAME, size=16 * MAX).tobuf(tarfile.GNU_FORMAT)
    Path("a.tar.gz").write_bytes(packed(head + bytes(16 * MAX)))
    assert contents("a.tar.gz") == {"a.tar.gz": "the tar is truncated or corrupt: invalid header length"}


END = {"w": "unexpected end of data", "w:gz": "it ends too early"}


@pytest.mark.parametrize("mode", ["w", "w:gz"])
def test_cut_tar(mode: str) -> None:
    """The complete members of a truncated tar are read."""
    tarred({str(number): os.urandom(3000) for number in range(10)}, Path("a"), mode)
    whole = Path("a").read_bytes()
    Path("a").write_bytes(whole[: 2 * 4096 + 100])
    by_name = contents("a")
    assert "0" in by_name
    assert by_name["a"] == f"the {'tar' if mode == 'w' else 'gzip data'} is truncated or corrupt: {END[mode]}"


def test_cut_database() -> None:
    """A truncated database is rejected where it ends."""
    database(Path("a.db"), HOUOU_2, {game(number): os.urandom(3000) for number in range(50)})
    whole = Path("a.db").read_bytes()
    Path("a.db").write_bytes(whole[: len(whole) // 2])
    by_name = contents("a.db")
    assert any("database" in str(content) for content in by_name.values())


def test_other_database() -> None:
    """A database without logs is rejected."""
    with closing(sqlite3.connect("a.db")) as connection:
        connection.execute("CREATE TABLE logs (id TEXT)")
    assert contents("a.db") == {"a.db": "the database has no table of logs like those of houou-logs or phoenix-logs"}
    assert archives.count(["a.db"]) == 0


def test_deleted_row() -> None:
    """A row deleted between listing and reading is rejected."""
    database(Path("a.db"), HOUOU_2, {game(1): BROKEN})
    (entry,) = entries("a.db")
    with closing(sqlite3.connect("a.db")) as connection:
        connection.execute("DELETE FROM logs")
        connection.commit()
    with pytest.raises(FileError, match="no longer"):
        fetched(entry.fetch, MAX)
