"""The catalogue of a site: a SQLite file that records from which input each page is, and the page's row in the list.

With it, a site is continued, and made in the same memory however many games it has. Inputs and contents are recorded as
digests, so that it says no more of a game than its page, but for the numbers of accounts, which statistics add up by.
"""

from __future__ import annotations

import json
import sqlite3
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from enum import Enum, auto
from hashlib import sha256
from pathlib import Path
from typing import Any, NamedTuple

from jmjp_convert.errors import FileError
from jmjp_convert.files import sqlite_lock
from jmjp_convert.formats.json_text import encode
from jmjp_convert.model import House
from jmjp_convert.stats.counts import Counts, Part, Person
from jmjp_convert.view.list import ListedGame

_TABLES = """
CREATE TABLE IF NOT EXISTS settings (name TEXT PRIMARY KEY, value TEXT) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS games (
  source TEXT NOT NULL, digest TEXT NOT NULL, run INTEGER NOT NULL, folder TEXT NOT NULL, key TEXT NOT NULL,
  date INTEGER NOT NULL, time INTEGER NOT NULL, row TEXT NOT NULL, parts BLOB NOT NULL
);
CREATE UNIQUE INDEX IF NOT EXISTS games_by_key ON games (folder, key);
CREATE INDEX IF NOT EXISTS games_by_source ON games (source);
CREATE INDEX IF NOT EXISTS games_by_digest ON games (digest);
"""
_VERSION = 2
_TOGETHER = 500  # games in a transaction
_LENGTH = 32  # of digests
_UNSETTLED = ""
"""Instead of a digest: not all games of the input have pages yet."""


class Claim(Enum):
    """What a site has of an input: nothing, its games from an earlier run, or those of a copy from this run."""

    NEW = auto()
    KNOWN = auto()
    COPY = auto()


class Game(NamedTuple):
    """A game to record.

    :ivar folder: the folder of its page.
    :ivar key: the name of its page, the same for names that a file system may treat as equal.
    :ivar parts: what its players did.
    """

    folder: str
    key: str
    row: ListedGame
    parts: list[Part]


class BusyError(FileError):
    """Another process has the catalogue open."""


class Catalogue:
    """An open catalogue, locked against other processes.

    :param path: its file.
    :raises BusyError: another process has it open.
    :raises FileError: it cannot be used.
    """

    def __init__(self, path: Path) -> None:
        self._path = path
        try:
            self._connection = sqlite_lock.connect(path, _TABLES, _VERSION)
        except sqlite_lock.TakenError as error:
            raise BusyError(f"another process is making this site ({path} is locked); wait until it is done") from error
        except sqlite_lock.VersionError as error:
            raise FileError(f"{path} is of another version of jmjp; use --force to make the site again") from error
        except sqlite3.Error as error:
            raise self._useless(error) from error
        try:
            with self._reported():
                (sound,) = self._connection.execute("PRAGMA quick_check(1)").fetchone()
                if sound != "ok":
                    raise sqlite3.DatabaseError(sound.replace("\n", " "))
                self._connection.execute("BEGIN")
                self._run = int(self.setting("run") or 0) + 1
                self.set("run", str(self._run))
        except FileError:
            self.close()
            raise
        self._waiting = 0

    def _useless(self, error: Exception) -> FileError:
        """Return what is said of an *error* of the database, or of the values in it."""
        if self._path.is_dir():
            return FileError(f"{self._path} is a directory; move it away")
        if isinstance(error, sqlite3.OperationalError):
            return FileError(f"{self._path}: {error}")
        return FileError(f"{self._path} is damaged ({error}); use --force to make the site again")

    @contextmanager
    def _reported(self) -> Iterator[None]:
        try:
            yield
        except (sqlite3.Error, ValueError, TypeError, zlib.error) as error:
            raise self._useless(error) from error

    def _rows(self, query: str, *values: object) -> list[tuple[Any, ...]]:
        """Run *query*, and return the rows that it selects."""
        with self._reported():
            return self._connection.execute(query, values).fetchall()

    def close(self) -> None:
        """Close it; what is not committed is lost."""
        self._connection.close()

    def commit(self) -> None:
        """Put on disk what has been recorded."""
        self._rows("COMMIT")
        self._rows("BEGIN")
        self._waiting = 0

    def setting(self, name: str) -> str | None:
        """Return the value of a setting."""
        rows = self._rows("SELECT value FROM settings WHERE name = ?", name)
        return str(rows[0][0]) if rows else None

    def listed(self, name: str) -> list[str]:
        """Return the values of a setting that is a list of them, as JSON."""
        with self._reported():
            return list(json.loads(self.setting(name) or "[]"))

    def set(self, name: str, value: str) -> None:
        """Set a setting."""
        self._rows("INSERT OR REPLACE INTO settings VALUES (?, ?)", name, value)

    def clear(self) -> None:
        """Forget all games."""
        self._rows("DELETE FROM games")

    # --- inputs ------------------------------------------------------------------------------------------------------

    def claim(self, source: str, content: str) -> Claim:
        """Return whether an input has to be read: whether no run has recorded the games of this *content* yet.

        Other games that the *source* had before are forgotten. An input that was moved is still known.

        :param source: its name in messages.
        :param content: what copies of it have in common.
        """
        name, content = _digest_of(source), digest(content.encode())
        query = "SELECT source, run FROM games WHERE digest = ? ORDER BY run DESC, source = ? DESC LIMIT 1"
        rows = self._rows(query, content, name)
        for source_before, _ in rows:
            update = "UPDATE games SET source = ?, run = ? WHERE source = ? AND digest = ? AND run < ?"
            self._rows(update, name, self._run, source_before, content, self._run)
        self._rows("DELETE FROM games WHERE source = ? AND run < ?", name, self._run)
        if not rows:
            return Claim.NEW
        return Claim.COPY if rows[0][1] == self._run else Claim.KNOWN

    def add(self, game: Game, source: str) -> None:
        """Record *game*, whose page is on disk, as one of those of an input, which is not done before it is
        :meth:`settled <settle>`."""
        parts = zlib.compress(encode(list(map(_packed, game.parts))).encode())
        place, row = (_digest_of(source), _UNSETTLED, self._run, game.folder, game.key), game.row
        values = (*place, row.date, row.time, encode(row), parts)
        self._rows("INSERT INTO games VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)", *values)
        self._waiting += 1
        if self._waiting >= _TOGETHER:
            self.commit()

    def settle(self, source: str, content: str) -> None:
        """Record that all games of an input, as for :meth:`claim`, have pages. Otherwise, the next run reads it
        again."""
        update = "UPDATE games SET digest = ? WHERE source = ? AND run = ?"
        self._rows(update, digest(content.encode()), _digest_of(source), self._run)

    # --- games -------------------------------------------------------------------------------------------------------

    def __len__(self) -> int:
        return int(self._rows("SELECT count(*) FROM games")[0][0])

    def has(self, folder: str, key: str) -> bool:
        """Return whether a page in *folder* is known by this *key*."""
        return bool(self._rows("SELECT 1 FROM games WHERE folder = ? AND key = ?", folder, key))

    def folders(self) -> dict[str, int]:
        """Return how many games each folder has, the folder of the earliest games first, after that of undated ones."""
        return dict(self._rows("SELECT folder, count(*) FROM games GROUP BY folder ORDER BY max(date), folder"))

    def rows(self, folder: str) -> Iterator[ListedGame]:
        """Yield the rows of the games in *folder*, the latest first."""
        with self._reported():
            games = self._connection.execute(
                "SELECT row FROM games WHERE folder = ? ORDER BY date DESC, time DESC, key DESC", [folder]
            )
            for (row,) in games:
                yield ListedGame(*json.loads(row))

    def parts(self) -> Iterator[list[Part]]:
        """Yield what the players of each game did."""
        with self._reported():
            for (packed,) in self._connection.execute("SELECT parts FROM games ORDER BY rowid"):
                yield [_unpacked(*part) for part in json.loads(zlib.decompress(packed))]


def digest(content: bytes) -> str:
    """Return the digest of *content*."""
    return sha256(content).hexdigest()[:_LENGTH]


def _digest_of(source: str) -> str:
    return digest(source.encode("utf-8", "surrogatepass"))


def _packed(part: Part) -> list[Any]:
    name, seats, house, account, computer = part.who
    return [
        [name, seats, house and house.value, account, int(computer)],
        {key: count for key, count in part.counts.items() if count},
        *part[2:],
    ]


def _unpacked(who: Any, counts: Any, *rest: int | None) -> Part:
    name, seats, house, account, computer = who
    player = Person(name, seats, House(house) if house else None, account, computer=bool(computer))
    return Part(player, Counts(counts), *rest)
