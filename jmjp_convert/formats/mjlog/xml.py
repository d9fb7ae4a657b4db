"""Split the XML of a log into portions of whole frames, with lxml.

No DTD, no entities, no network, no recovery: lxml's ``recover`` would also accept a log that is cut off. The parser
calls a target for each element of an ordinary log, and makes a tree of any other.
"""

from __future__ import annotations

import codecs
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from itertools import chain, islice, pairwise
from typing import Any, Final

from lxml import etree

from jmjp_convert.errors import MalformedError, MjlogError, NotMjlogError
from jmjp_convert.formats import bounds
from jmjp_convert.formats.mjlog.notation import ATTRIBUTES, INIT, ROOT, TILE_EVENTS, frame_of
from jmjp_convert.lazy_regex import regex
from jmjp_convert.model.record import Record
from jmjp_convert.model.tiles import UNKNOWN

Element = etree._Element  # noqa: SLF001 - lxml has no public name for it

MAX_ATTRIBUTES = 64
"""The most attributes of an element: a dozen in a real log, and lxml is very slow with very many."""

MAX_ELEMENTS = 50_000
"""The most elements of a frame."""

Attributes = Mapping[str, str]

Tag = tuple[str, Attributes, bool]
"""The name and the attributes of an element that is not a draw or discard, and whether all these are known. Of too many
attributes, there may be only as many as show that."""


class Portion(Record):
    """Elements of a log.

    93 % of the elements are draws and discards, which become events at once.
    """

    __slots__ = ("items", "others", "unread")

    def __init__(self, items: list[Any], others: list[int], unread: Iterable[Any] = ()) -> None:
        self.items: Final = items  # each element, as a tag or as the event for it
        self.others: Final = others  # the indices of the items that are tags
        # All elements as lxml has them, if draws and discards may have attributes, or any element children.
        self.unread: Final = unread


class DoubledAttributeError(MalformedError):
    """A duplicate attribute in an element, which XML forbids."""


_OPTIONS: dict[str, Any] = {"no_network": True, "load_dtd": False}
_TARGET_OPTIONS: dict[str, Any] = {**_OPTIONS, "resolve_entities": "internal"}  # a target has &#38; for &amp; otherwise
_TREE_OPTIONS: dict[str, Any] = {**_OPTIONS, "resolve_entities": False, "remove_comments": True, "remove_pis": True}

_PARSER = etree.XMLParser(**_TREE_OPTIONS)
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


# --- the elements -----------------------------------------------------------------------------------------------------


class _Elements:
    """A target of lxml's parser, which collects the elements of a log in which only the root has any.

    :ivar root: the attributes of the root, which comes first.
    :ivar items: the elements in it.
    :ivar others: the indices of those that are not draws or discards.
    :ivar hidden: whether there is more: attributes of draws and discards, or text.
    """

    __slots__ = ("_drawn", "_none", "hidden", "items", "others", "root")

    def __init__(self, root: Attributes | None = None) -> None:
        self._none: Attributes | None = None  # what lxml gives for no attributes; to find it empty takes it long
        self._begin(root)

    def _begin(self, root: Attributes | None = None) -> None:
        self.root = root
        self.items: list[Any] = []
        self.others: list[int] = []
        self.hidden = False
        self._drawn = UNKNOWN

    def start(self, tag: str, attributes: Attributes) -> None:
        """Add an element. A discard of the tile just drawn is tsumogiri."""
        if attributes is not self._none:
            if attributes:
                self._other(tag, attributes)
                return
            self._none = attributes
        try:
            event, tsumogiri = TILE_EVENTS[tag]
        except KeyError:
            self._other(tag, attributes)
            return
        if tsumogiri is None:
            self._drawn = event.tile
        elif event.tile == self._drawn:
            event = tsumogiri
        self.items.append(event)

    def _other(self, tag: str, attributes: Attributes) -> None:
        if self.root is None:
            self.root = attributes
            self.hidden = tag != ROOT
            return
        if tag in _NONE_DRAWN:
            self._drawn = UNKNOWN
        known = tag in ATTRIBUTES and ATTRIBUTES[tag].issuperset(attributes)
        if not known and tag in TILE_EVENTS:
            self.hidden = True
        self.others.append(len(self.items))
        self.items.append((tag, attributes, known))

    def data(self, text: str) -> None:
        """Note *text* that is more than white space."""
        if not text.isspace():
            self.hidden = True

    def close(self) -> None:
        """Do nothing at the end of the log: :meth:`take` returns its elements."""

    def take(self) -> tuple[Attributes, Portion] | None:
        """Return the attributes of the root and the elements in it, if that is all of the log; begin another one."""
        root, portion, hidden = self.root, Portion(self.items, self.others), self.hidden
        self._begin()
        return None if hidden or root is None or len(portion.items) > MAX_ELEMENTS else (root, portion)


_NONE_DRAWN: Final = ("N", INIT)
"""The tags of a meld and of a new frame, after which no tile has been drawn."""


class _Parser:
    """lxml's parser with its target, which can be used again unless it has raised an error."""

    def __init__(self) -> None:
        self.elements = _Elements()
        make: Any = etree.XMLParser  # whose type asks for methods of a target that it can do without
        lxml = make(target=self.elements, **_TARGET_OPTIONS)
        self._feed: Callable[[bytes], None] = lxml.feed
        self._close: Callable[[], None] = lxml.close
        self._lxml = lxml

    def parse(self, content: bytes) -> tuple[Attributes, Portion] | None:
        """Return the attributes of the root of *content* and the elements in it; ``None`` if there is more in it."""
        self._feed(content)
        self._close()
        parsed = self.elements.take()
        return None if self._lxml.feed_error_log else parsed  # such as an undeclared namespace


_IDLE: Final[list[_Parser]] = []
"""Parsers that no thread is using: to make one takes a tenth of the time of parsing a log."""


def without_tree(content: bytes) -> tuple[Attributes, Portion] | None:
    """Return the attributes of the root and the elements in it, if only the root has any and there is nothing more;
    ``None`` for any other log, well-formed or not."""
    beginning = content[:_BEGINNING].partition(b"?>")[0].lower()
    if (
        content.count(b"</") != 1  # an element with another in it has an end tag
        or b"<!DOCTYPE" in content
        or b"\0" in content
        or (b"encoding" in beginning and b"utf-8" not in beginning)
    ):
        return None
    try:
        parser = _IDLE.pop()
    except IndexError:
        parser = _Parser()
    try:
        parsed = parser.parse(content)
    except etree.XMLSyntaxError:
        return None
    _IDLE.append(parser)
    return parsed


# --- the log ----------------------------------------------------------------------------------------------------------


class XmlLog:
    """A log, which yields its elements in portions, each ending before an ``INIT`` or at the end.

    :param content: the whole log, which is read as one portion; or its bytes in pieces, which are read frame by frame.
    """

    def __init__(self, content: bytes | Iterable[bytes]) -> None:
        self.attributes: Iterable[str] = ()  # the names of the root's attributes, once reading has begun
        self._content = content
        self._root: Element | None = None
        self._released = 0  # the number of elements before those in memory

    def __iter__(self) -> Iterator[Portion]:
        """Iterate over the portions.

        :raises MjlogError: the log is not well-formed XML, or not a log.
        :raises DoubledAttributeError: an element has a duplicate attribute.
        """
        if not isinstance(self._content, bytes):
            return self._stream(self._content)
        _check_beginning(self._content[:_BEGINNING])
        parsed = without_tree(self._content)
        if parsed is None:
            return self._tree(self._content)
        self.attributes, portion = parsed
        return iter((portion,))

    @property
    def root(self) -> Element:
        """The root element, once reading has begun."""
        if self._root is None:
            assert isinstance(self._content, bytes)
            self._root = etree.fromstring(self._content, _PARSER)
        return self._root

    def _tree(self, content: bytes) -> Iterator[Portion]:
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
        parser = etree.XMLPullParser(("start", "end"), tag=(ROOT, INIT), **_TREE_OPTIONS)
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
                            yield from self._up_to(element, parser)
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
            if self._root is not None:
                self._check_prefixes(self._root, parser)
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
        self.attributes = root.attrib

    def _up_to(self, init: Element, parser: etree.XMLPullParser) -> Iterator[Portion]:
        """Yield the elements before *init*, then free them."""
        count = self.root.index(init)
        elements = self.root[:count]
        self._check_prefixes(elements, parser)
        yield _portion(elements)
        del self.root[:count]
        self._released += count

    def _check_prefixes(self, elements: Iterable[Element], parser: etree.XMLPullParser) -> None:
        """Check that *elements* have no undeclared prefix, which *parser* notes and goes on, with the prefix in the
        name."""
        if not parser.feed_error_log:
            return
        for index, element in enumerate(elements):
            for inner in element.iter():
                for name in (str(inner.tag), *map(str, inner.attrib)):
                    if ":" in name.rpartition("}")[2]:
                        reason = f"the prefix of the name {name} is not declared"
                        raise MalformedError(reason, frame=self._frame_at(index), **self.place(index))

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
        last = len(self._root) - 1
        reason = f"not well-formed XML after this element: {reason}"
        return kind(reason, frame=self._frame_at(last), **self.place(last))

    def _frame_at(self, index: int) -> str | None:
        """Return the name of the frame of the element at *index* among those in memory, as far as it is known."""
        init = next((element for element in reversed(self.root[: index + 1]) if element.tag == INIT), None)
        return None if init is None else frame_of(dict(init.items()))

    def place(self, index: int) -> dict[str, Any]:
        """Return the place of the element at *index* among those in memory, as arguments for :class:`MjlogError`."""
        return {"number": self._released + index + 1, "element": text(self.root[index])}


def _portion(parsed: Iterable[Element]) -> Portion:
    unread = [*parsed]
    elements = _Elements(root={})
    for element in unread:
        tag = str(element.tag)
        elements.start(tag, {} if tag in TILE_EVENTS else _attributes(element))
    return Portion(elements.items, elements.others, unread)


def _attributes(element: Element) -> Attributes:
    if len(element.attrib) > MAX_ATTRIBUTES:
        return dict.fromkeys(islice(element.attrib, MAX_ATTRIBUTES + 1), "")
    return dict(element.items())


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
        from jmjp_convert.formats.unreadable import named  # no mjlog needs it

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
