"""Splits a log in Tenhou's usual form into its tags, without a parser of XML."""

from __future__ import annotations

import codecs
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from typing import Any, NamedTuple, Protocol

from jmjp_convert.errors import MalformedError
from jmjp_convert.formats.mjlog.tags import TILE_EVENTS, is_known
from jmjp_convert.model import DISCARDS, Discard, Draw
from jmjp_convert.model.tiles import UNKNOWN

# --- portions ---------------------------------------------------------------------------------------------------------

INIT = "INIT"
ROOT = "mjloggm"

MAX_ATTRIBUTES = 64
"""The most attributes of an element: a dozen in a real log, and lxml is very slow with very many."""

MAX_ELEMENTS = 50_000
"""The most elements of a frame."""

Tag = tuple[str, Mapping[str, str], bool]
"""The name and the attributes of an element that is not a draw or discard, and whether all these are known. Of too many
attributes, there are only as many as show that."""


class Portion(NamedTuple):
    """Elements of a log.

    93 % of the elements are draws and discards, which become events at once.

    :ivar items: each element, as a tag or as the event for it.
    :ivar others: the indices of the items that are tags.
    :ivar unread: all elements as lxml has them, if draws and discards may have attributes, or any element children.
    """

    items: list[Any]
    others: list[int]
    unread: Iterable[Any] = ()


class Log(Protocol):
    """A log, which yields its elements in portions, each ending before an ``INIT`` or at the end."""

    def __iter__(self) -> Iterator[Portion]:
        """Iterate over the portions.

        :raises MjlogError: the log is not well-formed XML, or not a log.
        :raises DoubledAttributeError: an element has a duplicate attribute.
        """

    @property
    def attributes(self) -> Iterable[str]:
        """The names of the root's attributes, once reading has begun."""

    def place(self, index: int) -> dict[str, Any]:
        """Return the place of the element at *index* of the last portion, as arguments for :class:`MjlogError`."""


class DoubledAttributeError(MalformedError):
    """A duplicate attribute in an element, which XML forbids."""


# --- plain logs -------------------------------------------------------------------------------------------------------

# Such a log is ASCII: a root with no attribute but ``ver``, and in it single tags, ``<N who="1" m="4203" />``, with
# nothing but line ends between them. It is well-formed XML by its form, as all its names and values are checked here
# and no tag has an attribute twice. Every other log is left to lxml (:mod:`~jmjp_convert.formats.mjlog.xml`), and so
# is the text of an element in a message.

_BLANK = " \t\r\n"
_SPECIAL = ("<", "&", *map(chr, (*range(0x20), 0x7F)))
"""Characters that XML forbids or changes in a value, or that begin a reference."""
_START = re.compile(
    rf'(?:<\?xml version="1\.0"(?: encoding="(?i:utf-8)")?\?>[{_BLANK}]*)?<{ROOT}(?: ver="[\w.]*")?>[{_BLANK}]*<'
)
_END = f"</{ROOT}>"
_FORM = re.compile(r"""((?!xml)[A-Za-z]+)((?: (?!xml)[A-Za-z][A-Za-z0-9]*=")*) ?/>""")  # no namespaces, no draws
_EVENTS = {f"{tag}/>": event for tag, event in TILE_EVENTS.items()}


class PlainLog:
    """A :class:`~jmjp_convert.formats.mjlog.plain.Log` written in the usual way: one portion."""

    attributes: Iterable[str] = ()  # none but the usual one

    def __init__(self, content: bytes, portion: Portion) -> None:
        self._content = content
        self._portion = portion
        self._parsed: Log | None = None

    def __iter__(self) -> Iterator[Portion]:
        """Iterate over the portion."""
        yield self._portion

    def place(self, index: int) -> dict[str, Any]:
        """Return the place of the element at *index*, as arguments for :class:`MjlogError`."""
        if self._parsed is None:
            from jmjp_convert.formats.mjlog.xml import XmlLog

            self._parsed = XmlLog(self._content)
            next(iter(self._parsed))
        return self._parsed.place(index)


def plain_log(content: bytes) -> PlainLog | None:
    """Return the log *content*; ``None`` if it is not written in the usual way."""
    portion = _portion(content.removeprefix(codecs.BOM_UTF8))
    return None if portion is None else PlainLog(content, portion)


def _portion(content: bytes) -> Portion | None:
    if not content.isascii():
        return None
    text = content.decode("ascii")
    start, end = _START.match(text), text.rfind(_END)
    if start is None or text[end + len(_END) :].strip(_BLANK):
        return None
    parts = text[start.end() : end].split('"')
    tags, values = '"'.join(parts[::2]).split("<"), parts[1::2]
    if "\n" in text:
        tags = [tag.rstrip(_BLANK) for tag in tags]
    # An odd number of quotes would leave the last value without its tag.
    if not len(parts) % 2 or any(map('"'.join(values).__contains__, _SPECIAL)) or len(tags) > MAX_ELEMENTS:
        return None
    items, others = split(tags, _EVENTS)
    remaining = iter(values)
    for index in others:
        shape = _shape(tags[index])
        if shape is None:
            return None
        name, attributes, known = shape
        items[index] = name, dict(zip(attributes, remaining)), known  # noqa: B905 - as many as the shape has
    return Portion(items, others)


def split(tags: Sequence[str], events: Mapping[str, Draw | Discard]) -> tuple[list[Any], list[int]]:
    """Return for each of *tags* the draw or discard that it is, otherwise ``None``; and the indices of these others. A
    discard of the tile just drawn is tsumogiri.

    :param events: the draws and discards by tag.
    """
    items: list[Any] = list(map(events.get, tags))
    others: list[int] = []
    tsumogiri, drawn = DISCARDS[True], UNKNOWN
    for index, item in enumerate(items):
        if type(item) is Draw:
            drawn = item.tile
        elif item is None:
            others.append(index)
            if tags[index].startswith(_NONE_DRAWN):
                drawn = UNKNOWN
        elif item.tile == drawn:
            items[index] = tsumogiri[item.player][drawn]
    return items, others


_NONE_DRAWN = ("N", INIT)
"""The tags of a meld and of a new frame, after which no tile has been drawn."""


@lru_cache(maxsize=1024)
def _shape(form: str) -> tuple[str, tuple[str, ...], bool] | None:
    """Return the name of a tag, those of its attributes, and whether they are known; ``None`` if it is not single, or
    has an attribute twice.

    :param form: the tag after its "<", with each value and the quote after it left out.
    """
    found = _FORM.fullmatch(form)
    if found is None:
        return None
    name, names = found[1], tuple(found[2].replace('="', "").split())
    return (name, names, is_known(name, names)) if len(set(names)) == len(names) <= MAX_ATTRIBUTES else None
