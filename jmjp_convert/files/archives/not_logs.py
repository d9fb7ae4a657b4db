"""Recognizes files in directories and archives that are not logs, by their names or first bytes."""

from __future__ import annotations

import os
import re

# The files that a batch writes next to its outputs:
LEDGER = "ledger.sqlite"
FAILURES = "failures.jsonl"
SUMMARY = "summary.json"
STAGING = ".staging"
MARKER = "made-by-jmjp-batch"  # in the staging directory

IS_LEDGER = re.compile(rf"{re.escape(LEDGER)}(?:\.(?:damaged|older)-[0-9]+)?(?:-wal|-journal)?")
"""Matches the names of a ledger and its companions."""


def is_from_batch(path: str) -> bool:
    """Return whether *path* is one of a batch's files, by its name and the ledger in its directory."""
    folder, name = os.path.split(path)
    above, last = os.path.split(folder)
    if last == STAGING:
        return os.path.exists(os.path.join(above, LEDGER))
    known = name in (FAILURES, SUMMARY) or IS_LEDGER.fullmatch(name) is not None
    return known and os.path.exists(os.path.join(folder, LEDGER))


SYSTEM = "a file of the operating system"
VERSIONS = "a file of version control"
READ_ME = "a readme"
BATCH = "a file that batch wrote"
VIEW = "a page of jmjp"
DATA = "a file of a data set"
LIST = "a list of games, not a game"
NO_FILE = "not a regular file"
OTHER = "a file of another kind"
REASONS = frozenset({SYSTEM, VERSIONS, READ_ME, BATCH, VIEW, DATA, LIST, NO_FILE, OTHER})
"""Why something is skipped that is not a log."""

ASSETS = "assets"
STYLE, VIEWER, TILES, LIST_STYLE, LISTING = "style.css", "view.js", "tiles.js", "index.css", "index.js"
"""The files in the directory :data:`ASSETS` of a site."""
CATALOGUE = "site.sqlite"
"""The file of a site that records its pages."""
LIST_SCRIPT = b'"use strict";\n(globalThis.lists??=[]).push(['
"""How a script of a site's list begins."""

# Names are in lower case, and no format has their extensions: a log may be called readme.xml.
_FOLDERS = {
    **dict.fromkeys(
        ("__macosx", "$recycle.bin", "system volume information", ".trashes", ".spotlight-v100", ".fseventsd"), SYSTEM
    ),
    **dict.fromkeys((".git", ".svn", ".hg", ".bzr"), VERSIONS),
}
_NAMES = {
    **dict.fromkeys((".ds_store", ".localized", "icon\r", "thumbs.db", "ehthumbs.db", "desktop.ini"), SYSTEM),
    **dict.fromkeys((".gitignore", ".gitattributes", ".gitmodules", ".gitkeep", ".hgignore", ".hgtags"), VERSIONS),
}
_PATTERNS = (
    (re.compile(r"\._.*", re.DOTALL), SYSTEM),  # the resource fork of a file
    (
        re.compile(
            r"(?:read[ _-]?me|licen[cs]es?|copying|copyright|notice|authors|contributors|credits|contributing|changes|"
            r"change[_-]?log|news|install|お読みください|はじめに)(?:[._-][a-z]{2}(?:[_-][a-z]{2})?)?"
            r"(?:\.(?:txt|md|markdown|rst|html?|pdf|rtf))?"
        ),
        READ_ME,
    ),
    (IS_LEDGER, BATCH),
    (re.compile(rf"{re.escape(CATALOGUE)}(?:-wal|-journal)?"), VIEW),
)
_MONTH = re.compile(r"year=[^/]+/month=[^/]+")  # in the path of a file of tables
_TABLES = frozenset({"data.csv", "data.parquet"})

# Source: docs/design/archives.md, 1: the lines of the daily and yearly lists, and of the lists of private lobbies.
_LIST_LINE = re.compile(rb"\s*(?:[0-9]{2}:[0-9]{2} \| |L[0-9]{4,5} \| [0-9]{2}:[0-9]{2} \| )")
_APPLE = (b"\x00\x05\x16\x07", b"\x00\x00\x00\x01Bud1")  # what macOS puts next to files and into directories
_REPORT = re.compile(rb'\{\n  "converted": [0-9]+,\n  "with_problems": |\{"source": "(?:[^"\\]|\\.)*+", "member": ')
_GENERATOR = b'<meta name="generator" content="jmjp-convert '
_PAGE = b"<!doctype html>"
PAGE_HEAD = 4000
"""How many bytes of a page include its generator, and in a site how its style is included."""


def by_name(path: str) -> str:
    """Return why a file is no log, if its name alone shows that, otherwise "".

    :param path: its path in the directory or archive that contains it.
    """
    *folders, name = path.lower().replace("\\", "/").split("/")
    for folder in folders:
        if folder in _FOLDERS:
            return _FOLDERS[folder]
    if name in _NAMES:
        return _NAMES[name]
    if folders and folders[-1] == ASSETS and name in (STYLE, VIEWER, TILES, LIST_STYLE, LISTING):
        return VIEW
    if name in _TABLES and _MONTH.fullmatch("/".join(folders[-2:])):
        return DATA
    return next((why for pattern, why in _PATTERNS if pattern.fullmatch(name)), "")


# Of what people keep next to games. Text, JSON and web pages are not among them: games come as such files, and error
# pages are saved as such.
_OTHERS = re.compile(
    r".*\.(?:"
    r"csv|tsv|parquet|feather|arrow|xlsx?|ods|numbers|docx?|odt|rtf|pdf|epub|pptx?|odp|pages|md|rst|tex|"
    r"png|jpe?g|gif|webp|bmp|svg|ico|heic|tiff?|avif|psd|mp3|m4[av]|wav|ogg|flac|mp4|mov|avi|mkv|webm|"
    r"exe|msi|dll|so|dylib|app|apk|dmg|bat|cmd|ps1|sh|lnk|url|webloc|"
    r"pyc?|ipynb|m?js|ts|css|sql|[cr]|rs|go|java|toml|ya?ml|ini|cfg|conf|[to]tf|woff2?|eml|ics"
    r")",
    re.DOTALL,
)


def by_extension(name: str) -> str:
    """Return why a file called *name*, in no known format, is no log, if its extension shows that, otherwise "": it may
    be a damaged log."""
    return OTHER if _OTHERS.fullmatch(name.lower()) else ""


def by_content(content: bytes, name: str) -> str:
    """Return why a file called *name* is no log, if its *content* shows that, otherwise ""."""
    if content.startswith(_APPLE):
        return SYSTEM
    if is_list_page(content):
        return LIST
    if _REPORT.match(content) or (not content and name == FAILURES):
        return BATCH
    return VIEW if is_page(content) or content.startswith(LIST_SCRIPT) else ""


def is_list_page(content: bytes) -> bool:
    """Return whether *content* is a page of Tenhou that lists games, by its beginning."""
    return _LIST_LINE.match(content) is not None


def is_page(content: bytes) -> bool:
    """Return whether *content* is a page made by this program, of one game or of a site."""
    return content[: len(_PAGE)].lower() == _PAGE and _GENERATOR in content[:PAGE_HEAD]
