"""Detect tenhou.net/6 JSON by its beginning."""

from __future__ import annotations

import re
from collections.abc import Iterator

from jmjp_convert.errors import ConvertError
from jmjp_convert.formats.json_text import decode_at
from jmjp_convert.formats.tenhou6.texts import LINK

_SPACE = re.compile(r"[\s\ufeff]*")
_BEGINNING = re.compile(r"(?:\[\s*)?\{")
_KEY = re.compile(r'\s*"([^"\\]{1,40})"\s*:\s*')
_OURS = {
    "log": re.compile(r"\[\s*(?:\[\s*\[\s*[\d\]]|\])"),
    "title": re.compile(r"\[|null"),
    "name": re.compile(r"\["),
    "rule": re.compile(r"\{"),
    "dan": re.compile(r"\["),
    "rate": re.compile(r"\["),
    "sx": re.compile(r"\["),
    "sc": re.compile(r"\["),
    "connection": re.compile(r"\["),
    "ratingc": re.compile('"PF[34]"'),
    "ver": re.compile(r'"?[\d.]'),
}
"""By the keys that no other JSON has with such values: how the value begins."""

_OTHERS = frozenset(("type", "format", "player", "qijia"))
"""The keys at the beginning of other formats."""

_COMMA = re.compile(r"\s*,")
_MOST_KEYS = 50


def begins(text: str) -> bool:
    """Return whether *text* is the beginning of a tenhou.net/6 file: a link, or JSON with a log and its keys."""
    start = _SPACE.match(text)
    place = start.end() if start else 0
    if LINK.match(text, place):
        return True
    opened = _BEGINNING.match(text, place)
    if opened is None or not any(_is_ours(*pair, text) for pair in _keys(text, opened.end())):
        return False
    return '"log"' in text or not _is_whole(text, opened.end() - 1)


def _is_ours(key: str, place: int, text: str) -> bool:
    return key in _OURS and _OURS[key].match(text, place) is not None


def _is_whole(text: str, place: int) -> bool:
    """Return whether the object that begins at *place* ends in *text*, not after it."""
    try:
        decode_at(text, place)
    except ConvertError:
        return False
    return True


def _keys(text: str, place: int) -> Iterator[tuple[str, int]]:
    """Yield the keys of the object whose members begin at *place*, up to one of another format, each with the place of
    its value."""
    for _ in range(_MOST_KEYS):
        key = _KEY.match(text, place)
        if key is None or key[1] in _OTHERS:
            return
        yield key[1], key.end()
        try:
            _, place = decode_at(text, key.end())
        except ConvertError:
            return
        comma = _COMMA.match(text, place)
        if comma is None:
            return
        place = comma.end()
