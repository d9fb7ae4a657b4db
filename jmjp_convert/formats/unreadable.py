"""Files and links that no format reads, and what to do with them: a table in the order in which it is tried. Names that
users give as output formats although they are not, with the command that does what they want.

Sources: ``docs/design/formats.md`` 4 and 6 for Mahjong Soul and mjx; the first bytes of files as their standards give
them.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from shlex import quote
from typing import NamedTuple

from jmjp_convert.files.compression import without_extension

_SEEN = 1 << 16  # bytes
_FEW = 3  # inputs that are named in a command


class Foreign(NamedTuple):
    """Something that is not read."""

    what: str  # what it is, with an article
    then: str  # what to do with it
    begins: Callable[[bytes], object]  # whether a file with this beginning, or a link, is one

    @property
    def message(self) -> str:
        """What is said of it."""
        return f"this is {self.what}; {self.then}"


def _is_list_page(start: bytes) -> bool:
    from jmjp_convert.files.archives.not_logs import is_list_page  # with it comes what reads archives

    return is_list_page(start)


def is_html(start: bytes) -> bool:
    """Return whether a file with this beginning is a web page."""
    return start.lstrip(b"\xef\xbb\xbf \t\r\n").lower().startswith((b"<!doctype html", b"<html"))


def _page(*words: bytes) -> Callable[[bytes], bool]:
    """Return a test for HTML with any of these *words*."""
    return lambda start: is_html(start) and any(word in start.lower() for word in words)


INDEX = Foreign(
    "an index of list pages, not a list of games",
    "use jmjp lists --fetch to fetch the pages",
    _page("ログ / 一覧".encode()),
)
"""The web page of Tenhou that shows the index of its list pages."""
FOREIGN = (
    Foreign("a PDF", "look for the game record itself", re.compile(rb"%PDF-").match),
    Foreign(
        "an image",
        "look for the game record itself",
        re.compile(rb"\x89PNG\r\n\x1a\n|\xff\xd8\xff|GIF8[79]a").match,
    ),
    Foreign("a list of games, not a game", "jmjp lists shows its games", _is_list_page),
    INDEX,
    Foreign(
        "a link to a game of Mahjong Soul",
        "its server gives games only to its players: save the record in the browser, and read that; 'jmjp help "
        "mahjong-soul' says how",
        re.compile(rb"\s*https?://[^/\s]*(?:maj-?soul|mahjong-?soul)[^\s]*[?&]paipu=").match,
    ),
    Foreign(
        "a link to a game of Riichi City",
        "save the record that the server sends, and read that; 'jmjp help riichi-city' says how",
        re.compile(rb"\s*https?://(?:[^/\s]*\.)?mahjong-jp\.com[/?#]").match,
    ),
    Foreign(
        "a record of mjx",
        "convert it to mjlog with mjx-convert, and read that",
        re.compile(rb'\s*[{[].*"publicObservation"', re.DOTALL).match,
    ),
    Foreign(
        "a report of mjai-reviewer", "read the game that was reviewed", _page(b"mjai-reviewer", b"akochan-reviewer")
    ),
    Foreign(
        "the page of a viewer, without a game",
        "download the game record itself, for games of Tenhou with jmjp fetch",
        _page(b"tenhou", b"mahjong", "麻雀".encode(), "牌譜".encode(), "电脑麻将".encode(), "電脳麻将".encode()),
    ),
)


def named(start: bytes) -> str:
    """Return what a file with this beginning, or a link, is, and what to do; empty if it is unknown.

    :param start: its first bytes.
    """
    seen = start[:_SEEN]
    return next((row.message for row in FOREIGN if row.begins(seen)), "")


class Elsewhere(NamedTuple):
    """What is no output format, but something that users want."""

    names: tuple[str, ...]  # what they call it after --to, in lower case
    answer: str  # how to get it, a sentence without its full stop
    suffix: str = ""  # the extension of such files, which no other format may be written to
    command: str = ""  # the command that writes such a file, with places for the inputs, the output and --to
    each: bool = False  # whether each input becomes such a file, so that those of several go into a directory


ELSEWHERE = (
    Elsewhere(("naga", "naga25"), "NAGA takes a link for each hand, which jmjp convert SRC --to tenhou6 --url writes"),
    Elsewhere(
        ("mjai-reviewer", "mjai_reviewer", "reviewer", "akochan-reviewer"),
        "mjai-reviewer takes the file that jmjp convert SRC --to tenhou6 writes",
    ),
    Elsewhere(
        ("mortal", "akochan", "akagi", "mjai.app"),
        "Mortal and akochan take the file that jmjp convert SRC --to mjai writes",
    ),
    Elsewhere(
        ("tenhou.net", "tenhou5", "天鳳"),
        "Tenhou's viewer takes the file that jmjp convert SRC --to tenhou6 writes, or with --url its links",
    ),
    Elsewhere(
        ("電脳麻将", "電脳麻雀", "电脑麻将", "denno", "dennou", "kobalab"),
        "電脳麻将 takes the file that jmjp convert SRC --to majiang writes",
    ),
    Elsewhere(
        ("majsoul", "maj-soul", "mahjongsoul", "mahjong_soul", "雀魂"),
        "Mahjong Soul does not load games; jmjp only reads its records",
    ),
    Elsewhere(
        ("riichicity", "riichi_city", "麻雀一番街"),
        "Riichi City does not load games; jmjp only reads its records",
    ),
    Elsewhere(
        ("html", "htm", "page", "web"),
        "web pages are made by jmjp view SRC",
        ".html",
        "jmjp view {srcs} -o {output}",
        each=True,
    ),
    Elsewhere(
        ("csv",), "tables are made by jmjp tables SRC -o DIR --to csv", ".csv", "jmjp tables {srcs} -o data/ --to csv"
    ),
    Elsewhere(
        ("parquet", "sql", "pandas", "duckdb"),
        "tables are made by jmjp tables SRC -o DIR",
        ".parquet",
        "jmjp tables {srcs} -o data/",
    ),
    Elsewhere(
        ("zip",),
        "an archive of games is made by jmjp batch SRC -o OUT.zip --zip",
        ".zip",
        "jmjp batch {srcs} -o {output} --zip{to}",
    ),
    Elsewhere(("txt", "text"), "a summary in words is shown by jmjp info SRC"),
    Elsewhere(
        ("xml",),
        "mjlog can be read but not written; Tenhou's viewer takes the file that jmjp convert SRC --to tenhou6 writes",
    ),
)


def elsewhere(name: str) -> str:
    """Return how to get what is called *name*, as a format to convert to; empty if it is unknown."""
    return next((row.answer for row in ELSEWHERE if name.lower() in row.names), "")


def other_command(srcs: Sequence[str], output: str, to: str | None) -> str:
    """Return the command that makes *output* from *srcs*, if its extension is that of something else than a game;
    otherwise "".

    :param to: the name of the format asked for, if any.
    """
    name = without_extension(output).lower()
    target = next((row for row in ELSEWHERE if row.suffix and name.endswith(row.suffix)), None)
    if target is None:
        return ""
    output = without_extension(output)
    path = f"{output[: -len(target.suffix)]}/" if target.each and len(srcs) > 1 else output
    named = " ".join(map(quote, srcs)) if len(srcs) <= _FEW else "SRC..."
    return target.command.format(srcs=named, output=quote(path), to=f" --to {to}" if to else "")
