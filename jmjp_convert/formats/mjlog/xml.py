"""Split the XML of a log into portions of whole frames, with lxml.

No DTD, no entities, no network, no recovery: lxml's ``recover`` would also accept a log that is cut off.
"""

from __future__ import annotations

import codecs
import re
from collections.abc import Iterable, Iterator
from itertools import chain, islice, pairwise
from typing import Any

from lxml import etree

from jmjp_convert.errors import MalformedError, MjlogError, NotMjlogError
from jmjp_convert.formats import bounds
from jmjp_convert.formats.foreign import named
from jmjp_convert.formats.mjlog.plain import (
    INIT,
    MAX_ATTRIBUTES,
    MAX_ELEMENTS,
    ROOT,
    DoubledAttributeError,
    Portion,
    Tag,
    split,
)
from jmjp_convert.formats.mjlog.tags import TILE_EVENTS, is_known
from jmjp_convert.formats.mjlog.values import frame_of
from jmjp_convert.patterns import regex

Element = etree._Element  # noqa: SLF001 - lxml has no public name for it


_OPTIONS: dict[str, Any] = {
    "resolve_entities": False,
    "no_network": True,
    "load_dtd": False,
    "remove_comments": True,
    "remove_pis": True,
}

_PARSER = etree.XMLParser(**_OPTIONS)
_FEED = 1 << 12
_MAX_FRAME = 1 << 20
_BEGINNING = 1 << 10
_UTF16 = (codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)
_UTF32 = codecs.BOM_UTF32_LE  # begins like the BOM of UTF-16
_BLANK = b" \t\r\n\0"  # a zero byte is half of a character in UTF-16
_HTML = (b"<!doctype html", b"<html")
_TEXT_LIMIT = 80

# ``>`` may occur inside a value.
_NAME = rb"[\w:.-]+"
_VALUE = rb"""(?:"[^"]*"|'[^']*')"""
_ATTRIBUTE = regex(rb"\s+(" + _NAME + rb")\s*=\s*(" + _VALUE + rb")")
_TAG = regex(rb"<" + _NAME + rb"(?:\s+" + _NAME + rb"\s*=\s*" + _VALUE + rb")+")


class XmlLog:
    """A :class:`~jmjp_convert.formats.mjlog.plain.Log` in any form of XML.

    :param content: all bytes, read by lxml's faster tree parser into one portion; or pieces of them, of which at most
        one frame is in memory.
    """

    def __init__(self, content: bytes | Iterable[bytes]) -> None:
        self._content = content
        self._root: Element | None = None
        self._released = 0  # the number of elements before those in memory

    def __iter__(self) -> Iterator[Portion]:
        """Iterate over the portions."""
        if isinstance(self._content, bytes):
            return self._tree(self._content)
        return self._stream(self._content)

    @property
    def root(self) -> Element:
        """The root element, once reading has begun."""
        assert self._root is not None
        return self._root

    @property
    def attributes(self) -> Iterable[str]:
        """The names of the root's attributes, once reading has begun."""
        return self.root.attrib

    def _tree(self, content: bytes) -> Iterator[Portion]:
        _check_beginning(content[:_BEGINNING])
        try:
            root = etree.fromstring(content, _PARSER)
        except etree.XMLSyntaxError:
            # The stream finds the same fault, and knows its place.
            yield from self._stream([content])
            return
        self._begin(root)
        if len(root) > MAX_ELEMENTS:
            places = [index for index, element in enumerate(root) if element.tag == INIT]
            self._check_size(max(end - start for start, end in pairwise([0, *places, len(root)])))
        yield _portion(root)

    def _stream(self, pieces: Iterable[bytes]) -> Iterator[Portion]:
        parser = etree.XMLPullParser(("start", "end"), tag=(ROOT, INIT), **_OPTIONS)
        frames = fed = 0
        last = b""
        try:
            for piece in _small(pieces):
                parser.feed(piece)
                fed += len(piece)
                last = piece.rstrip(_BLANK)[-1:] or last
                for event, element in parser.read_events():
                    if self._root is None:
                        self._begin(element.getroottree().getroot())
                    if event == "end" and element.tag == INIT and element.getparent() is self._root:
                        frames += 1
                        fed = 0
                        if frames > bounds.MATCH_FRAMES:
                            raise MjlogError(bounds.exceeded(bounds.MATCH_FRAMES, "frames in a match"))
                        if frames > 1:
                            yield from self._up_to(element)
                if fed > _MAX_FRAME:
                    raise MjlogError(f"more than {_MAX_FRAME:,} bytes without the start of a frame")
                self._check_size(0 if self._root is None else len(self._root))
        except etree.XMLSyntaxError as error:
            raise self._broken(error, parser) from error
        yield _portion(self._end(parser, last))

    def _end(self, parser: etree.XMLPullParser, last: bytes) -> Element:
        """Close *parser*, and return the root.

        :param last: the last byte that is not blank.
        """
        try:
            root = parser.close()
        except etree.XMLSyntaxError as error:
            is_cut = error.code == etree.ErrorTypes.ERR_TAG_NOT_FINISHED or last != b">"
            raise self._broken(error, parser, is_cut=is_cut) from error
        if self._root is None:
            self._begin(root)
        return root

    def _begin(self, root: Element) -> None:
        """Check that *root* is the root of a log."""
        if root.getroottree().docinfo.internalDTD is not None:
            raise MjlogError("unexpected document type declaration")
        if root.tag != ROOT:
            raise NotMjlogError(f"the root element is <{root.tag!s}>; <{ROOT}> expected")
        self._root = root

    def _up_to(self, init: Element) -> Iterator[Portion]:
        """Yield the elements before *init*, then free them."""
        count = self.root.index(init)
        yield _portion(self.root[:count])
        del self.root[:count]
        self._released += count

    def _check_size(self, count: int) -> None:
        if count > MAX_ELEMENTS:
            raise MjlogError(f"more than {MAX_ELEMENTS:,} elements in one frame")

    def _broken(
        self, error: etree.XMLSyntaxError, parser: etree.XMLPullParser, *, is_cut: bool = False
    ) -> MalformedError:
        doubled = error.code == etree.ErrorTypes.ERR_ATTRIBUTE_REDEFINED
        kind = DoubledAttributeError if doubled else MalformedError
        for _, element in parser.read_events():  # those before the fault
            if self._root is None:
                self._begin(element.getroottree().getroot())
        reason = " ".join((error.msg or "").split())
        if is_cut:
            reason = f"the file seems to be cut off ({reason})"
        if self._root is None or not len(self._root):
            return kind(f"not well-formed XML: {reason}")
        last_init = next(self._root.iterchildren(INIT, reversed=True), None)
        frame = None if last_init is None else frame_of(dict(last_init.items()))
        place = self.place(len(self._root) - 1)
        return kind(f"not well-formed XML after this element: {reason}", frame=frame, **place)

    def place(self, index: int) -> dict[str, Any]:
        """Return the place of the element at *index* among those in memory, as arguments for :class:`MjlogError`."""
        return {"number": self._released + index + 1, "element": text(self.root[index])}


def _portion(parsed: Iterable[Element]) -> Portion:
    elements = [*parsed]
    items, others = split([str(element.tag) for element in elements], TILE_EVENTS)
    for index in others:
        items[index] = _tag(elements[index])
    return Portion(items, others, elements)


def _tag(element: Element) -> Tag:
    name = str(element.tag)
    if len(element.attrib) > MAX_ATTRIBUTES:
        return name, dict.fromkeys(islice(element.attrib, MAX_ATTRIBUTES + 1), ""), False
    attributes = dict(element.items())
    return name, attributes, is_known(name, attributes)


def _small(pieces: Iterable[bytes]) -> Iterator[bytes]:
    """Yield *pieces* cut to about the size of a frame.

    :raises MjlogError: they do not begin like XML.
    """
    beginning = b""
    remaining = iter(pieces)
    while len(beginning) < _BEGINNING and (piece := next(remaining, b"")):
        beginning += piece
    _check_beginning(beginning[:_BEGINNING])
    for piece in chain([beginning], remaining):
        for start in range(0, len(piece), _FEED):
            yield piece[start : start + _FEED]


def _check_beginning(content: bytes) -> None:
    """Recognize common non-logs by their first bytes, for better messages than the parser's."""
    if content.startswith(_UTF16) and not content.startswith(_UTF32):
        return
    start = content.removeprefix(codecs.BOM_UTF8).lstrip()
    if not start:
        raise NotMjlogError("the file is empty")
    if not start.startswith(b"<"):
        raise NotMjlogError("this is not XML, so it is not an mjlog")
    if start.lower().startswith(_HTML):
        raise NotMjlogError(named(content) or "this is an HTML page, not an mjlog")


def text(element: Element) -> str:
    """Return *element* as a person would find it in the file, ``<D39>``, truncated if long."""
    if len(element.attrib) > _TEXT_LIMIT:
        return f"<{element.tag!s} …>"[:_TEXT_LIMIT]
    attributes = "".join(f' {name!s}="{value!s}"' for name, value in element.items())
    whole = f"<{element.tag!s}{attributes}>"
    return whole if len(whole) <= _TEXT_LIMIT else f"{whole[: _TEXT_LIMIT - 2]}…>"


def without_repeats(content: bytes) -> tuple[bytes, list[str]]:
    """Return *content* without attributes repeated in an element with the same value, and a notice for each one removed
    (source: ``docs/design/mapping.md``, Unfinished and damaged logs)."""
    removed: list[str] = []

    def repair(tag: re.Match[bytes]) -> bytes:
        seen: set[tuple[bytes, bytes]] = set()
        beginning = tag[0].split(maxsplit=1)[0].decode()

        def keep(attribute: re.Match[bytes]) -> bytes:
            name, value = attribute.groups()
            if (name, value[1:-1]) in seen:
                removed.append(f"duplicate attribute {name.decode()} in {beginning}>, with the same value")
                return b""
            seen.add((name, value[1:-1]))
            return attribute[0]

        return _ATTRIBUTE.sub(keep, tag[0])

    return _TAG.sub(repair, content), removed
