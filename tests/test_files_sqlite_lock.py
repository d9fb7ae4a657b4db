"""A database that only one process at a time can open."""

from __future__ import annotations

import os
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest
from without_rights import open_folder, plain_user  # noqa: F401 - pytest finds the fixture by its name

from jmjp_convert.files import sqlite_lock

posix = pytest.mark.skipif(os.name != "posix", reason="POSIX only")
TABLES = "CREATE TABLE IF NOT EXISTS x (y); CREATE TABLE IF NOT EXISTS z (y);"


def test_taken(tmp_path: Path) -> None:
    """A second connection is rejected until the first is closed, and then sees what was written."""
    path = tmp_path / "x.sqlite"
    with closing(sqlite_lock.connect(path, TABLES, 1)) as first:
        first.execute("INSERT INTO z VALUES (1)")
        with pytest.raises(sqlite_lock.TakenError):
            sqlite_lock.connect(path, TABLES, 1)
    with closing(sqlite_lock.connect(path, TABLES, 1)) as second:
        assert second.execute("SELECT y FROM z").fetchall() == [(1,)]


def test_in_memory() -> None:
    """Without a file, each connection has its own database."""
    with (
        closing(sqlite_lock.connect(None, TABLES, 1)) as first,
        closing(sqlite_lock.connect(None, TABLES, 1)) as second,
    ):
        first.execute("INSERT INTO x VALUES (1)")
        assert second.execute("SELECT y FROM x").fetchall() == []


@pytest.mark.parametrize("content", [b"x" * 5000, None])
def test_broken(tmp_path: Path, content: bytes | None) -> None:
    """A file that is not a database is rejected and not left open."""
    path = tmp_path / "x.sqlite"
    if content is None:
        path.mkdir()
    else:
        path.write_bytes(content)
    with pytest.raises(sqlite3.Error):
        sqlite_lock.connect(path, TABLES, 1)


@posix
def test_read_only(open_folder: Path) -> None:
    """A file that may not be written is reported as such, and not as an error of the disk."""
    path = open_folder / "x.sqlite"
    sqlite_lock.connect(path, TABLES, 1).close()
    path.chmod(0o444)
    with plain_user(), pytest.raises(sqlite_lock.ReadOnlyError, match=r"^the file is read-only$"):
        sqlite_lock.connect(path, TABLES, 1)
    path.chmod(0o666)
    open_folder.chmod(0o755)
    with plain_user(), pytest.raises(sqlite_lock.ReadOnlyError, match=r"^the folder is read-only$"):
        sqlite_lock.connect(path, TABLES, 1)


def test_copied(tmp_path: Path) -> None:
    """A copy of a database has what was committed last, even if it is still in the journal."""
    path = tmp_path / "x.sqlite"
    with closing(sqlite_lock.connect(path, TABLES, 1)) as connection:
        connection.execute("INSERT INTO x VALUES (7)")
        with sqlite_lock.copied(path) as copy, closing(sqlite_lock.connect(copy, TABLES, 1)) as copied:
            assert copied.execute("SELECT * FROM x").fetchall() == [(7,)]
    assert not copy.exists()


def test_on_disk(tmp_path: Path) -> None:
    """What is committed is on disk, not only in the system's memory."""
    with closing(sqlite_lock.connect(tmp_path / "x.sqlite", TABLES, 1)) as connection:
        assert connection.execute("PRAGMA synchronous").fetchone() == (2,)  # FULL


def test_version(tmp_path: Path) -> None:
    """Tables of another version are rejected, and the file is left as it is."""
    path = tmp_path / "x.sqlite"
    for _ in range(2):
        with closing(sqlite_lock.connect(path, TABLES, 3)) as connection:
            assert connection.execute("PRAGMA user_version").fetchone() == (3,)
    before = path.read_bytes()
    for version in (2, 4):
        with pytest.raises(sqlite_lock.VersionError):
            sqlite_lock.connect(path, "CREATE TABLE other (x);", version)
    assert path.read_bytes() == before
    assert [path.name for path in tmp_path.iterdir()] == ["x.sqlite"]
