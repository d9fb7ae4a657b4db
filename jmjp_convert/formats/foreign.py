"""What a file or link is that no format reads, and what to do with it: a table in the order in which it is tried.

Sources: ``docs/design/formats.md`` 4 and 6 for Mahjong Soul and mjx; the keys of mjai-reviewer's report as others
read it (``mjai_log``, ``review``, ``kyokus``); the first bytes of files as their standards give them.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from jmjp_convert.patterns import regex

_SEEN = 1 << 16  # bytes


class Foreign(NamedTuple):
    """Something that is not read.

    :ivar what: what it is, with an article.
    :ivar then: what to do with it.
    :ivar begins: whether a file with this beginning, or a link, is one.
    """

    what: str
    then: str
    begins: Callable[[bytes], bool]


def _starts(*magic: bytes) -> Callable[[bytes], bool]:
    return lambda start: start.startswith(magic)


def _json(*keys: str) -> Callable[[bytes], bool]:
    """Return a test for a JSON object with all of these *keys*, also of objects within."""
    names = [f'"{key}"'.encode() for key in keys]
    return lambda start: start.lstrip()[:1] in (b"{", b"[") and all(name in start for name in names)


def _page(*words: bytes) -> Callable[[bytes], bool]:
    """Return a test for HTML with any of these *words*."""

    def is_page(start: bytes) -> bool:
        lower = start.lstrip(b"\xef\xbb\xbf \t\r\n").lower()
        return lower.startswith((b"<!doctype html", b"<html")) and any(word in lower for word in words)

    return is_page


_SOUL = regex(rb"\s*https?://[^/\s]*(?:maj-?soul|mahjong-?soul)[^\s]*[?&]paipu=")
_CITY = regex(rb"\s*https?://(?:[^/\s]*\.)?mahjong-jp\.com[/?#]")
FOREIGN = (
    Foreign("a PDF", "look for the game record itself", _starts(b"%PDF-")),
    Foreign(
        "an image",
        "look for the game record itself",
        _starts(b"\x89PNG\r\n\x1a\n", b"\xff\xd8\xff", b"GIF87a", b"GIF89a"),
    ),
    Foreign("a zip archive", "unpack it, or use jmjp batch", _starts(b"PK\x03\x04", b"PK\x05\x06")),
    Foreign(
        "a link to a game of Mahjong Soul",
        "its server gives games only to its players: save the record in the browser (docs/mahjong-soul.md), and read "
        "that",
        lambda start: _SOUL.match(start) is not None,
    ),
    Foreign(
        "a link to a game of Riichi City",
        "save the record that the server sends (docs/riichi-city.md), and read that",
        lambda start: _CITY.match(start) is not None,
    ),
    Foreign("a record of mjx", "convert it to mjlog with mjx-convert, and read that", _json("publicObservation")),
    Foreign(
        "a report of mjai-reviewer",
        "the game is in its mjai_log: save that list as a file, and read that",
        _json("mjai_log"),
    ),
    Foreign("a report of mjai-reviewer", "read the game that was reviewed", _json("review", "kyokus")),
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
    return next((f"this is {one.what}; {one.then}" for one in FOREIGN if one.begins(seen)), "")
