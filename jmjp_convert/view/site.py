"""Makes a static site of many games."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from urllib.parse import quote

from jmjp_convert.errors import FileError
from jmjp_convert.files import outputs
from jmjp_convert.files.archives.not_logs import ASSETS, LISTING, STYLE, TILES, VIEWER, is_page
from jmjp_convert.files.inputs import describe
from jmjp_convert.files.outputs import portable
from jmjp_convert.formats.json_text import encode
from jmjp_convert.model import Match, Wall
from jmjp_convert.pages import filled, is_marked, marked, markup, part, policy, script
from jmjp_convert.play.points import points_at_end, ranking
from jmjp_convert.view.page import Texts, assembled, names, scripts, styles, texts

INDEX = "index.html"
GAMES = "games"
SHARED = {
    "style": '<link rel="stylesheet" href="../assets/style.css">',
    "tiles": '<script src="../assets/tiles.js"></script>',
    "script": '<script src="../assets/view.js"></script>',
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
INDEX_SCRIPTS = ("pages/settings.js", "view/index.js")
BACK = '<a href="../index.html" data-text="games"></a>'
"""The link from a page to the list, whose text is in the page's language."""

_UNFIT = re.compile(r"[^\w.=-]+")
_LONGEST = 200
"""Maximum bytes of a name: file systems allow 255, and a number and an extension may follow."""

_SHARED_STYLE = SHARED["style"].encode()
_HEAD = 4000  # bytes of a page that include how its style is included


class Site:
    """A site under construction. Of each game, only its row in the list is kept in memory.

    :param directory: the site's directory.
    :param mark: what it is made from, as in :func:`~jmjp_convert.pages.mark_of`; an earlier site with the same mark is
        renewed.
    :param force: whether existing files may be overwritten.
    :ivar identity: the device and inode number of the directory, once it exists.
    """

    def __init__(self, directory: Path, *, mark: str = "", force: bool = False) -> None:
        self._directory = directory
        self._mark = mark
        self._force = force
        self._names: set[str] = set()
        self._rows: list[str] = []
        self.identity: set[tuple[int, int]] = set()

    def __len__(self) -> int:
        return len(self._rows)

    def check(self) -> None:
        """Check that the site may be made. An unfinished one, which has no list yet, is overwritten.

        :raises FileError: it exists already.
        """
        if not self._renewed and (self._directory / INDEX).exists():
            raise FileError(f"{self._directory / INDEX} exists; use --force to overwrite it")
        self._identify()

    def start(self) -> None:
        """Create the directories and the shared assets.

        :raises FileError: the site exists already, or a file cannot be written.
        """
        self.check()
        for name in (ASSETS, GAMES):
            outputs.make_directory(self._directory / name)
        self._identify()
        assets = {
            STYLE: styles(),
            VIEWER: scripts(),
            LISTING: script(INDEX_SCRIPTS),
            TILES: _TILES.replace("{}", encode(part("view/tiles.svg")), 1),
        }
        for name, text in assets.items():
            outputs.write(self._directory / ASSETS / name, text.encode(), force=True)

    def add(self, match: Match, name: str, walls: Sequence[Wall] | None = None, *, seat: int = 0) -> None:
        """Write the page of *match*.

        :param name: the name of the page if the match has no id.
        :param walls: as for :func:`view_page`.
        :param seat: as for :func:`view_page`.
        :raises FileError: the page cannot be written.
        """
        own = self._own(match.id or name)
        place = f"{GAMES}/{own}.html"
        said = texts(match)
        page = assembled(match, said, SHARED, walls=walls, seat=seat, index=BACK)
        path = self._directory / place
        outputs.write(path, page.encode(), force=self._force or _is_page(path))
        self._names.add(_key(own))
        self._rows.append(_row(match, said, place))

    def finish(self) -> None:
        """Write the list, latest games first, and remove pages that an earlier site left behind.

        :raises FileError: the list cannot be written, or a page cannot be removed.
        """
        self._remove_others()
        rows = "".join(sorted(self._rows, reverse=True))
        title = f"牌譜一覧 · Games ({len(self._rows):,})"
        count = f"({len(self._rows):,})"
        text = filled(f"view/{INDEX}", {"policy": SHARED["policy"], "title": title, "count": count, "rows": rows})
        outputs.write(self._directory / INDEX, marked(text, self._mark).encode(), force=self._renewed)

    @property
    def _renewed(self) -> bool:
        """Whether a list that exists may be overwritten."""
        return self._force or bool(self._mark and is_marked(str(self._directory / INDEX), self._mark))

    def _identify(self) -> None:
        with suppress(OSError):
            found = self._directory.stat()
            self.identity.add((found.st_dev, found.st_ino))

    def _own(self, name: str) -> str:
        """Return *name* as a unique file name, even if the file system ignores case or normalizes Unicode."""
        fit = _UNFIT.sub("_", unicodedata.normalize("NFC", name)).strip("._")
        # A site may be served from any system.
        wanted = portable(fit.encode()[:_LONGEST].decode(errors="ignore") or "game")
        own, number = wanted, 1
        while _key(own) in self._names:
            number += 1
            own = f"{wanted}-{number}"
        return own

    def _remove_others(self) -> None:
        try:
            for path in (self._directory / GAMES).glob("*.html"):
                if _key(path.stem) not in self._names and _is_page(path):
                    path.unlink()
        except OSError as error:
            raise FileError(f"{error.filename}: {describe(error)}") from error


def _key(name: str) -> str:
    """Return a key that is equal for names that a file system may treat as equal."""
    return unicodedata.normalize("NFC", unicodedata.normalize("NFC", name).casefold())


def _is_page(path: Path) -> bool:
    """Return whether *path* is a page of a site made by this program; no other file is overwritten or removed."""
    try:
        with path.open("rb") as file:
            head = file.read(_HEAD)
    except OSError:
        return False
    return is_page(head) and _SHARED_STYLE in head


def _row(match: Match, said: Texts, place: str) -> str:
    """Return the row of *match*, whose page is at *place*, with the players in their final order if it is known."""
    native, english = said["ja"], said["en"]
    points, called = points_at_end(match), list(zip(names(native), names(english), strict=True))
    order = ranking(points or match.results or (0,) * len(called))
    players = "".join(
        f"<li><b>{_both(*called[player])}</b>{_result(points, match.results, player)}</li>" for player in order
    )
    when = " ".join(filter(None, (native.date, native.time))) or Path(place).stem
    return (
        f'<tr data-date="{markup(native.date or "")}"><td><a href="{quote(place)}">{markup(when)}</a></td>'
        f"<td>{_both(native.tournament or '', english.tournament or '')}</td>"
        f"<td><ol>{players}</ol></td><td>{len(match.frames)}</td></tr>\n"
    )


def _both(japanese: str, english: str) -> str:
    """Return a text in both languages, as markup; the style shows the page's."""
    if japanese == english:
        return markup(english)
    return f'<span lang="ja">{markup(japanese)}</span><span lang="en">{markup(english)}</span>'


def _result(points: tuple[int, ...] | None, results: tuple[int, ...] | None, player: int) -> str:
    values = []
    if points:
        values.append(str(points[player]))
    if results:
        values.append(f"{results[player] / 1000:+.1f}")
    return f" {' '.join(values)}" if values else ""
