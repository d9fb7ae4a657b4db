"""Makes a static site of many games: a page for each, a list of them, and the statistics of their players.

A site is continued: its catalogue records which inputs have pages. Nothing of a game stays in memory.
"""

from __future__ import annotations

import json
import re
import sqlite3
import unicodedata
import zlib
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from enum import Enum, auto
from hashlib import sha256
from itertools import chain
from pathlib import Path
from typing import Any, NamedTuple
from urllib.parse import urlencode

from jmjp_convert import __version__, pages
from jmjp_convert.errors import FileError
from jmjp_convert.files import outputs, sqlite_lock
from jmjp_convert.files.archives.not_logs import (
    ASSETS,
    CATALOGUE,
    LIST_SCRIPT,
    LIST_STYLE,
    LISTING,
    PAGE_HEAD,
    STYLE,
    TILES,
    VIEWER,
    is_page,
)
from jmjp_convert.files.inputs import is_same, reported
from jmjp_convert.files.outputs import portable
from jmjp_convert.files.temporaries import Identity, identities
from jmjp_convert.formats.json_text import encode
from jmjp_convert.formats.output_names import digest_name
from jmjp_convert.model import House, Match, Wall
from jmjp_convert.pages import filled, part, policy, script
from jmjp_convert.stats.counts import GUEST, Counts, Part, Person, Players, parts_of
from jmjp_convert.stats.page import stats_page
from jmjp_convert.view.list import NOBODY, YAKU, ListedGame, person_id, row_of, script_of
from jmjp_convert.view.page import assembled, scripts, styles, summarized

INDEX = "index.html"
PLAYERS = "players.html"
GAMES = "games"
SHARED = {
    "style": '<link rel="stylesheet" href="../../assets/style.css">',
    "tiles": '<script src="../../assets/tiles.js"></script>',
    "script": '<script src="../../assets/view.js"></script>',
    "policy": policy(script="'self'", style="'self'"),
}
"""The HTML by which a page includes the shared assets. For a page opened from disk, browsers load scripts and styles
from other files but not SVG symbols, so a script inserts these."""

_TILES = """"use strict";
// The drawings of tiles.svg.
const TILES = {};
const drawings = new DOMParser().parseFromString(TILES, "image/svg+xml").documentElement;
document.currentScript.after(document.importNode(drawings, true));
"""
LIST_SCRIPTS = (*pages.SCRIPTS, "view/list/data.js", "view/list/list.js")
LIST_STYLES = (*pages.STYLES, "view/list/list.css")
BACK = '<a href="../../index.html" data-text="games"></a>'
"""The link from a page to the list, whose text is in the page's language."""

UNDATED = "undated"
_MOST_GAMES_PER_FOLDER = 5_000
_LEAST_GAMES_PER_SCRIPT = 1_000
"""Of all scripts of the list but the last: each takes a request."""
_MOST_SCRIPTS_IN_HEAD = 3
"""The list is drawn once, with their games, rather than first without any."""
_MOST_PLAYERS = 5_000
"""More would make the page of statistics large."""

_UNFIT = re.compile(r"[^\w.=-]+")
_MOST_BYTES_OF_NAME = 200
"""File systems allow 255, and a number and an extension may follow."""

_SHARED_STYLE = SHARED["style"].encode()
_DIGITS_OF_VERSION = 12  # in the address of a script, so that no browser keeps an old one


class SiteError(FileError):
    """A site that cannot be made, whatever the game."""


class Site:
    """A site under construction.

    :param sources: the paths and links that it is made from. A site is continued only if those of earlier runs are
        among them.
    :param force: whether to make an existing site again, and to overwrite other files.
    :param options: other options that change the pages, which are those of the site as long as it is continued.
    :param linked: whether there are statistics of the players, to which their names lead.
    :ivar identity: the device and inode number of the directory, once it exists.
    :ivar known: the number of inputs whose pages are there already.
    :ivar new: the number of pages written.
    :ivar renewed: how many of those an earlier run had written; they were missing or changed.
    :ivar players: the players in the statistics, and how often guests, computers and players without a name played.
    """

    def __init__(
        self,
        directory: Path,
        *,
        sources: Iterable[str] = (),
        force: bool = False,
        options: Iterable[str] = (),
        linked: bool = True,
    ) -> None:
        self._directory = directory
        self._sources = {pages.source_digest([source], str(directory / INDEX)) for source in sources}
        self._force = force
        self._options = encode([linked, *options])
        self._linked = linked
        self._catalogue: Catalogue | None = None
        self._folders: Counter[str] = Counter()
        self._made: set[str] = set()  # the folders that this run has made, if they were not there
        self.identity: set[Identity] = set()
        self.known = self.new = self.renewed = 0
        self.players = Players(over_time=True)
        self._renews = False  # whether the input that was claimed last had pages

    def __len__(self) -> int:
        """Return how many games the site has."""
        return len(self._catalogue) if self._catalogue else 0

    def check(self) -> None:
        """Check that the site may be made or continued. An unfinished one, which has no list yet, is overwritten.

        :raises FileError: it exists already, without a catalogue, from other sources or with other options, or is a
            file.
        """
        outputs.expect_directory(self._directory)
        if (self._directory / CATALOGUE).exists():
            self._opened_catalogue()
        elif not self._force and (self._directory / INDEX).exists():
            raise FileError(f"{self._directory / INDEX} exists; use --force to overwrite it")
        self.identity |= identities([self._directory])

    def _opened_catalogue(self) -> Catalogue:
        """Return the catalogue; with ``--force``, it is empty when it is opened."""
        path = self._directory / CATALOGUE
        if self._catalogue is None:
            catalogue = self._cleared(path) if self._force else Catalogue(path)
            try:
                self._continue_from(catalogue)
            except FileError:
                catalogue.close()
                raise
            self._catalogue = catalogue
        return self._catalogue

    def _cleared(self, path: Path) -> Catalogue:
        """Return the catalogue *path* without games; one that cannot be used is replaced.

        :raises BusyError: another process has it open.
        :raises FileError: it cannot be made.
        """
        try:
            catalogue = Catalogue(path)
            try:
                catalogue.clear()
            except FileError:
                catalogue.close()
                raise
        except BusyError:
            raise
        except FileError:
            if not path.is_file():
                raise
            with reported(path):
                path.unlink()
            return Catalogue(path)
        return catalogue

    def _continue_from(self, catalogue: Catalogue) -> None:
        """Note in *catalogue* what the site is made from, and which folders it has.

        :raises FileError: it has games, and cannot be continued.
        """
        made = {"options": self._options, "program": _program(), "sources": encode(sorted(self._sources))}
        if len(catalogue) and (why := self._difference(catalogue, made)):
            raise FileError(f"{self._directory} was made {why}; use --force to make it again")
        for name, value in made.items():
            catalogue.set(name, value)
        for folder, games in catalogue.folders().items():
            self._folders[folder] = games

    def _difference(self, catalogue: Catalogue, made: Mapping[str, str]) -> str:
        """Return why the site of *catalogue* is not continued by what is *made* now, which may have more sources."""
        if not self._sources.issuperset(catalogue.listed("sources")):
            return "from sources that are not given now"
        if catalogue.setting("options") != made["options"]:
            return "with other options"
        return "by another version of jmjp" if catalogue.setting("program") != made["program"] else ""

    def close(self) -> None:
        """Close the catalogue; what has been added is recorded."""
        if self._catalogue is not None:
            self._catalogue.commit()
            self._catalogue.close()

    # --- pages -------------------------------------------------------------------------------------------------------

    def claim(self, source: str, content: str) -> Claim:
        """Return whether the pages of an input are there already; see :meth:`Catalogue.claim`."""
        catalogue = self._catalogue
        claim = Claim.NEW if catalogue is None else catalogue.claim(source, content)
        self._renews = claim is Claim.KNOWN and catalogue is not None and self._forget_lost(catalogue, content)
        if self._renews:
            return Claim.NEW
        self.known += claim is Claim.KNOWN
        return claim

    def _forget_lost(self, catalogue: Catalogue, content: str) -> bool:
        """Forget the games of an input if any of their pages is missing or has another size, and return whether one
        is. Such a page is removed, so that the one that takes its place is written as a new one."""
        games = catalogue.pages(content)
        lost = [path for path, size in ((self._page(*page), size) for *page, size in games) if _size(path) != size]
        if not lost:
            return False
        for path in lost:
            with suppress(OSError):  # writing the page reports it
                path.unlink()
        catalogue.forget(content)
        self._folders.subtract(folder for folder, *_ in games)
        return True

    def _page(self, folder: str, name: str) -> Path:
        return self._directory / GAMES / folder / f"{name}.html"

    def _write_assets(self) -> None:
        """Create the directories and the shared assets."""
        for name in (ASSETS, GAMES):
            outputs.make_directory(self._directory / name)
        self.identity |= identities([self._directory])
        assets = {
            STYLE: styles(),
            LIST_STYLE: pages.style(LIST_STYLES),
            VIEWER: scripts(),
            LISTING: script(LIST_SCRIPTS, YAKU=YAKU, GUEST=GUEST, NOBODY=NOBODY),
            TILES: _TILES.replace("{}", encode(part("view/page/tiles.svg")), 1),
        }
        for name, text in assets.items():
            outputs.write(self._directory / ASSETS / name, text.encode(), force=True)

    def add(
        self, match: Match, name: str, walls: Sequence[Wall] | None = None, *, seat: int = 0, source: str = ""
    ) -> None:
        """Write the page of *match*.

        :param name: the name of the page if the match has no id; empty: a digest of the page.
        :param source: the input it is from, as for :meth:`claim`; the rest is as for :func:`view_page`.
        :raises SiteError: the site cannot be made.
        :raises FileError: the page cannot be written.
        """
        summaries, parts = summarized(match), parts_of(match)
        links = [_address(part.who) for part in parts] if self._linked else []
        page = assembled(match, summaries, SHARED, walls=walls, seat=seat, index=BACK, links=links).encode()
        self._ready_catalogue()
        folder = self._folder(match)
        page_name = self._unique_name(folder, match.id or name or digest_name(page))
        path = self._page(folder, page_name)
        if folder not in self._made:
            outputs.make_directory(path.parent)
            self._made.add(folder)
        outputs.write(path, page, force=self._force or _is_page(path))
        self.record(Game(folder, _key(page_name), len(page), row_of(match, summaries, page_name), parts), source)

    def record(self, game: Game, source: str) -> None:
        """Add *game*, whose page is there, to the list; *source* is as for :meth:`add`."""
        self._ready_catalogue().add(game, source)
        self._folders[game.folder] += 1
        self.new += 1
        self.renewed += self._renews

    def _ready_catalogue(self) -> Catalogue:
        """Return the catalogue, after writing the assets for the first game.

        :raises SiteError: they cannot be written.
        """
        try:
            if self._catalogue is None or not self.new:
                self._write_assets()
            return self._opened_catalogue()
        except FileError as error:
            raise SiteError(str(error)) from error

    def settle(self, source: str, content: str) -> None:
        """Record that all games of an input have pages; see :meth:`Catalogue.settle`."""
        if self._catalogue is not None:
            self._catalogue.settle(source, content)

    def _folder(self, match: Match) -> str:
        """Return the folder of the page of *match*, that of its month; a full one is followed by another."""
        month = f"{match.date[:4]}-{match.date[4:6]}" if match.date else UNDATED
        folder, number = month, 1
        while self._folders[folder] >= _MOST_GAMES_PER_FOLDER:
            number += 1
            folder = f"{month}-{number}"
        return folder

    def _unique_name(self, folder: str, name: str) -> str:
        """Return *name* as a unique file name in *folder*, even if the file system ignores case or normalizes
        Unicode."""
        fit = _UNFIT.sub("_", unicodedata.normalize("NFC", name)).strip("._")
        # A site may be served from any system.
        wanted = portable(fit.encode()[:_MOST_BYTES_OF_NAME].decode(errors="ignore") or "game")
        unique, number = wanted, 1
        while self._catalogue is not None and self._catalogue.name(folder, _key(unique)):
            number += 1
            unique = f"{wanted}-{number}"
        return unique

    # --- the list ----------------------------------------------------------------------------------------------------

    def finish(self) -> None:
        """Write the list and the statistics, and remove pages that are in neither.

        :raises FileError: something cannot be written or removed.
        """
        self._write_assets()
        catalogue = self._opened_catalogue()
        catalogue.commit()
        listed = [self._write_script(catalogue, folders) for folders in _together(catalogue.folders())][::-1]
        self._remove_others(catalogue, {name for name, *_ in listed})
        if self._linked:
            self._write_players(catalogue)
        else:
            with suppress(FileNotFoundError):
                (self._directory / PLAYERS).unlink()
        count = f"({len(catalogue):,})"
        parts = {
            "policy": SHARED["policy"],
            "title": f"牌譜一覧 · Games {count}",
            "count": count,
            "first": "".join(_SCRIPT_TAG.format(name, digest) for name, digest, _ in listed[:_MOST_SCRIPTS_IN_HEAD]),
            "scripts": pages.data("scripts", encode(listed)),
            "players": _LINK if self._linked else "",
        }
        _write_if_new(self._directory / INDEX, filled("view/list/list.html", parts).encode())
        catalogue.commit()

    def _write_script(
        self, catalogue: Catalogue, folders: Sequence[str]
    ) -> tuple[str, str, list[tuple[str, int, int]]]:
        """Write the script that lists the games in *folders*, the latest last; return its name, its digest and, for
        each folder from the latest, the name, the number of games and that of their wins."""
        name = folders[0]
        text, inside = script_of(name, ((folder, catalogue.rows(folder)) for folder in reversed(folders)))
        content = text.encode()
        _write_if_new(self._directory / GAMES / f"{name}.js", content)
        return name, digest(content)[:_DIGITS_OF_VERSION], inside

    def _write_players(self, catalogue: Catalogue) -> None:
        """Write the statistics of the players with the most games."""
        everybody = (part.who for parts in catalogue.parts() for part in parts)
        games = Counter(who.identity for who in everybody if not who.is_shared)
        ranked = sorted(games.values(), reverse=True)
        least = ranked[_MOST_PLAYERS] + 1 if len(ranked) > _MOST_PLAYERS else 1
        players = self.players
        for parts in catalogue.parts():
            players.add_parts(part for part in parts if part.who.is_shared or games[part.who.identity] >= least)
        page = stats_page(players.ranked(), players.curves, site=(INDEX, person_id), least=least)
        _write_if_new(self._directory / PLAYERS, page.encode())

    def _remove_others(self, catalogue: Catalogue, listed: set[str]) -> None:
        """Remove the pages and scripts of earlier sites, but for those *listed*, and folders that are empty then."""
        folders = catalogue.folders()
        for path in self._others(catalogue, listed):
            with reported(path):
                path.unlink()
        for path in (self._directory / GAMES).iterdir():
            if path.name not in folders and path.is_dir():
                with suppress(OSError):  # it is not empty
                    path.rmdir()

    def _others(self, catalogue: Catalogue, listed: set[str]) -> Iterator[Path]:
        games = self._directory / GAMES
        for path in chain(games.glob("*.html"), games.glob("*/*.html")):
            folder, name = path.parent.name, catalogue.name(path.parent.name, _key(path.stem))
            # Where case matters, a page of an earlier site may have the name of another one but for its case.
            is_listed = name is not None and (name == path.stem or is_same(path, self._page(folder, name)))
            if not is_listed and _is_page(path):
                yield path
        for path in games.glob("*.js"):
            if path.stem not in listed and _begins(path, len(LIST_SCRIPT)) == LIST_SCRIPT:
                yield path


_SCRIPT_TAG = '<script src="games/{}.js?{}"></script>\n'
_LINK = f'<a href="{PLAYERS}"><span lang="ja">成績</span><span lang="en">Players</span></a>'


def _together(folders: dict[str, int]) -> Iterator[list[str]]:
    """Yield the folders of each script of the list, the earliest games first, so that earlier scripts stay the same."""
    group: list[str] = []
    for folder in folders:
        group.append(folder)
        if sum(map(folders.__getitem__, group)) >= _LEAST_GAMES_PER_SCRIPT:
            yield group
            group = []
    if group:
        yield group


def _program() -> str:
    """Return what the pages of a site must be made by, since they share assets."""
    parts = (
        __version__,
        styles(),
        scripts(),
        part("view/page/page.html"),
        script(LIST_SCRIPTS),
        pages.style(LIST_STYLES),
    )
    return digest("".join(parts).encode())


def _address(who: Person) -> str:
    """Return the link from the page of a game to the statistics of a player; empty for one without."""
    if not who.name or who.is_shared:
        return ""
    seats = {} if who.seats == 4 else {"seats": who.seats}  # noqa: PLR2004 - as in stats/page/main.js
    id_ = person_id(who)
    return f"../../{PLAYERS}#{urlencode({'id': id_} if id_ else {'name': who.name})}" + (
        f"&{urlencode(seats)}" if seats else ""
    )


def _key(name: str) -> str:
    """Return a key that is equal for names that a file system may treat as equal."""
    return unicodedata.normalize("NFC", unicodedata.normalize("NFC", name).casefold())


def _begins(path: Path, size: int) -> bytes:
    """Return the first *size* bytes of *path*, fewer if it cannot be read."""
    try:
        with path.open("rb") as file:
            return file.read(size)
    except OSError:
        return b""


def _size(path: Path) -> int | None:
    """Return the size of the file *path*, ``None`` if it is not there."""
    try:
        return path.stat().st_size
    except OSError:
        return None


def _is_page(path: Path) -> bool:
    """Return whether *path* is a page of a site made by this program; no other file is overwritten or removed."""
    head = _begins(path, PAGE_HEAD)
    return is_page(head) and _SHARED_STYLE in head


def _write_if_new(path: Path, content: bytes) -> None:
    """Write *content* to *path* unless it is there."""
    if _begins(path, len(content) + 1) != content:
        outputs.write(path, content, force=True)


# --- the catalogue ----------------------------------------------------------------------------------------------------
#
# A SQLite file that records from which input each page is, and the page's row in the list. With it, a site is
# continued, and made in the same memory however many games it has. Inputs and contents are recorded as digests, so that
# it says no more of a game than its page, but for the numbers of accounts, which statistics add up by.

_TABLES = """
CREATE TABLE IF NOT EXISTS settings (name TEXT PRIMARY KEY, value TEXT) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS games (
  source TEXT NOT NULL, digest TEXT NOT NULL, run INTEGER NOT NULL, folder TEXT NOT NULL, key TEXT NOT NULL,
  name TEXT NOT NULL, size INTEGER NOT NULL, date INTEGER NOT NULL, time INTEGER NOT NULL, row TEXT NOT NULL,
  parts BLOB NOT NULL
);
CREATE UNIQUE INDEX IF NOT EXISTS games_by_key ON games (folder, key);
CREATE INDEX IF NOT EXISTS games_by_source ON games (source);
CREATE INDEX IF NOT EXISTS games_by_digest ON games (digest);
"""
_VERSION = 3
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
    """A game to record."""

    folder: str  # the folder of its page
    key: str  # the name of its page, the same for names that a file system may treat as equal
    size: int  # that of its page in bytes
    row: ListedGame
    parts: list[Part]  # what its players did


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
        values = (*place, row.name, game.size, row.date, row.time, encode(row), parts)
        self._rows("INSERT INTO games VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)", *values)
        self._waiting += 1
        if self._waiting >= _TOGETHER:
            self.commit()

    def pages(self, content: str) -> list[tuple[str, str, int]]:
        """Return the folder, name and size of the page of each game of this *content*, as for :meth:`claim`."""
        return self._rows("SELECT folder, name, size FROM games WHERE digest = ?", digest(content.encode()))

    def forget(self, content: str) -> None:
        """Forget the games of this *content*, as for :meth:`claim`."""
        self._rows("DELETE FROM games WHERE digest = ?", digest(content.encode()))

    def settle(self, source: str, content: str) -> None:
        """Record that all games of an input, as for :meth:`claim`, have pages. Otherwise, the next run reads it
        again."""
        update = "UPDATE games SET digest = ? WHERE source = ? AND run = ?"
        self._rows(update, digest(content.encode()), _digest_of(source), self._run)

    # --- games -------------------------------------------------------------------------------------------------------

    def __len__(self) -> int:
        return int(self._rows("SELECT count(*) FROM games")[0][0])

    def name(self, folder: str, key: str) -> str | None:
        """Return the name of the page in *folder* that is known by this *key*, if there is one."""
        return next(
            (name for (name,) in self._rows("SELECT name FROM games WHERE folder = ? AND key = ?", folder, key)), None
        )

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
