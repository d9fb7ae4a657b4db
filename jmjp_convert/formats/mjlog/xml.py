"""Split the XML of a log into portions of whole frames, with lxml.

No DTD, no entities, no network, no recovery: lxml's ``recover`` would also accept a log that is cut off. The parser
makes no tree: it calls a target for each element.
"""

from __future__ import annotations

import codecs
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from itertools import chain, pairwise
from operator import itemgetter
from typing import Any, NamedTuple

from lxml import etree

from jmjp_convert.errors import MalformedError, MjlogError, NotMjlogError
from jmjp_convert.formats import bounds
from jmjp_convert.formats.foreign import named
from jmjp_convert.formats.mjlog.tags import INIT, ROOT, TILE_EVENTS, is_known
from jmjp_convert.formats.mjlog.values import frame_of
from jmjp_convert.model import DISCARDS, Draw
from jmjp_convert.model.tiles import UNKNOWN
from jmjp_convert.patterns import regex

MAX_ELEMENTS = 50_000
"""The most elements of a frame."""

Attributes = Mapping[str, str]

Tag = tuple[str, Attributes, bool]
"""The name and the attributes of an element that is not a draw or discard, and whether all these are known."""


class Portion(NamedTuple):
    """Elements of a log.

    93 % of the elements are draws and discards, which become events at once.

    :ivar items: the event for each draw and discard; ``None`` for any other element.
    :ivar others: these others, by index.
    :ivar hidden: what a log should not have (attributes of draws and discards, elements inside others, text), in order,
        each with the index of the element where it is.
    """

    items: list[Any]
    others: dict[int, Tag]
    hidden: list[tuple[int, str]]


class DoubledAttributeError(MalformedError):
    """A duplicate attribute in an element, which XML forbids."""


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
_UTF8 = re.compile(
    b"(?:" + codecs.BOM_UTF8 + b")?"
    rb"""(?P<declaration><\?xml version=["']1\.0["'](?: encoding=["'](?i:utf-8)["'])?\?>\s*)?<[a-z]"""
)
"""How a log in UTF-8 begins, if it says so or says nothing."""

# --- the parser -------------------------------------------------------------------------------------------------------


class _Target:
    """Collects the root of a log and the elements in it, none of which has elements in it.

    :ivar tags: their names.
    :ivar attributes: those of each.
    :ivar inits: the indices of the starts of frames, if the log may have elements in others.
    :ivar inner: the names of elements in others, with the index of the outer one.
    :ivar texts: the indices of the elements in or after which there is text.
    """

    def __init__(self) -> None:
        self.tags: list[str] = []
        self.attributes: list[Attributes] = []
        self.inits: list[int] = []
        self.inner: list[tuple[int, str]] = []
        self.texts: list[int] = []

    def start(self, tag: str, attributes: Attributes) -> None:
        """Add an element."""
        self.tags.append(tag)
        self.attributes.append(attributes)

    def data(self, text: str) -> None:
        """Note *text* that is more than white space."""
        if not text.isspace():
            self.texts.append(len(self.tags) - 1)

    def doctype(self, *_: str | None) -> None:
        """Refuse a document type.

        :raises MjlogError: always, before any of its declarations is read.
        """
        raise MjlogError("unexpected document type declaration")

    def close(self) -> None:
        """Do nothing at the end of the log: its elements are taken from here."""

    def take(self, end: int) -> tuple[list[str], list[Attributes], list[tuple[int, int, str]]]:
        """Return the elements after the root and before the index *end*: their names, their attributes, and what is in
        them, each with its index. Keep those from *end* on, and the root."""
        tags, attributes = self.tags[1:end], self.attributes[1:end]
        inside = [
            (index - 1, 1, f"unknown element <{tag}> inside <{self.tags[index]}>")
            for index, tag in self.inner
            if index < end
        ]
        inside += [(max(index - 1, 0), 2, "text between the elements") for index in self.texts if index < end]
        del self.tags[1:end], self.attributes[1:end]
        self.inits = [index - len(tags) for index in self.inits if index >= end]
        self.inner = [(index - len(tags), tag) for index, tag in self.inner if index >= end]
        self.texts = [index - len(tags) for index in self.texts if index >= end]
        return tags, attributes, inside


class _NestingTarget(_Target):
    """Collects the root of any log and the elements in it, and notes the elements in these."""

    def __init__(self) -> None:
        super().__init__()
        self._depth = 0

    def start(self, tag: str, attributes: Attributes) -> None:
        """Add an element that is the root or directly in it; note one directly in these."""
        depth = self._depth
        self._depth = depth + 1
        if depth < _INNER:
            if tag == INIT and depth:
                self.inits.append(len(self.tags))
            super().start(tag, attributes)
        elif depth == _INNER:
            self.inner.append((len(self.tags) - 1, tag))

    def end(self, _tag: str) -> None:
        """End an element."""
        self._depth -= 1

    def data(self, text: str) -> None:
        """Note *text* that is more than white space and not in an inner element."""
        if self._depth <= _INNER:
            super().data(text)


_INNER = 2
"""How many elements are around one in a child of the root."""


class _Parser:
    """lxml's parser, with its target."""

    def __init__(self, target: _Target) -> None:
        self.target = target
        made: Any = etree.XMLParser  # whose type asks for the unused methods of a target
        lxml = made(target=target, resolve_entities="internal", no_network=True, load_dtd=False)
        self.feed: Callable[[bytes], None] = lxml.feed
        self.close: Callable[[], None] = lxml.close


_IDLE: list[_Parser] = []
"""Parsers that are not in use, with a plain target: one takes as long to make as a tenth of a log to parse."""

# --- the log ----------------------------------------------------------------------------------------------------------


class XmlLog:
    """A log, which yields its elements in portions, each ending before an ``INIT`` or at the end.

    :param content: all bytes, which become one portion; or pieces of them, of which at most one frame is in memory.
    :ivar attributes: the names of the root's attributes, once reading has begun.
    """

    def __init__(self, content: bytes | Iterable[bytes]) -> None:
        self.attributes: Iterable[str] = ()
        self._content = content
        self._target = _Target()
        self._begun = False
        self._passed = 0  # the number of elements before those of the last portion
        self._tags: list[str] = []  # of the last portion, as are these
        self._attributes: list[Attributes] = []

    def __iter__(self) -> Iterator[Portion]:
        """Iterate over the portions.

        :raises MjlogError: the log is not well-formed XML, or not a log.
        :raises DoubledAttributeError: an element has a duplicate attribute.
        """
        if isinstance(self._content, bytes):
            return self._whole(self._content)
        return self._stream(self._content)

    def _whole(self, content: bytes) -> Iterator[Portion]:
        _check_beginning(content[:_BEGINNING])
        try:
            parser = parsed(content)
        except etree.XMLSyntaxError:
            # The stream finds the same fault, and knows its place.
            yield from self._stream([content])
            return
        target = parser.target
        self._begin(target)
        if len(target.tags) > MAX_ELEMENTS:
            inits = [index for index, tag in enumerate(target.tags) if tag == INIT]
            _check_size(max(end - start for start, end in pairwise([1, *inits, len(target.tags)])))
        portion = self._portion(target, len(target.tags))
        if type(target) is _Target:
            target.tags.clear()
            target.attributes.clear()
            _IDLE.append(parser)
        yield portion

    @property
    def held(self) -> int:
        """The number of elements in memory that no portion has had yet, with the root."""
        return len(self._target.tags)

    def _stream(self, pieces: Iterable[bytes]) -> Iterator[Portion]:
        target = self._target = _NestingTarget()
        parser = _Parser(target)
        frames = counted = fed = 0
        last = b""
        try:
            for piece in _small(pieces):
                parser.feed(piece)
                fed += len(piece)
                last = piece.rstrip(_BLANK)[-1:] or last
                if target.tags:
                    self._begin(target)
                if len(target.inits) > counted:
                    frames += len(target.inits) - counted
                    fed = 0
                    if frames > bounds.MATCH_FRAMES:
                        raise MjlogError(bounds.exceeded(bounds.MATCH_FRAMES, "frames in a match"))
                    if frames > 1:
                        yield self._portion(target, target.inits[-1])
                    counted = len(target.inits)
                if fed > _MAX_FRAME:
                    raise MjlogError(f"more than {_MAX_FRAME:,} bytes without the start of a frame")
                _check_size(len(target.tags))
        except etree.XMLSyntaxError as error:
            raise self._broken(error, target) from error
        try:
            parser.close()
        except etree.XMLSyntaxError as error:
            is_cut = error.code == etree.ErrorTypes.ERR_TAG_NOT_FINISHED or last != b">"
            raise self._broken(error, target, is_cut=is_cut) from error
        self._begin(target)
        yield self._portion(target, len(target.tags))

    def _begin(self, target: _Target) -> None:
        """Check the root, once it has been read."""
        if self._begun:
            return
        root = target.tags[0]
        if root != ROOT:
            raise NotMjlogError(f"the root element is <{root}>; <{ROOT}> expected")
        self.attributes = target.attributes[0]
        self._begun = True

    def _portion(self, target: _Target, end: int) -> Portion:
        """Take the elements before the index *end* from the *target*."""
        self._passed += len(self._tags)
        tags, attributes, inside = target.take(end)
        self._tags, self._attributes = tags, attributes
        items, others = _decoded(tags, attributes)
        # Nearly all attributes are the same empty object, which is counted faster than the others are looked for.
        empty: Attributes = next((given for given in reversed(attributes) if not given), {})
        bare = sum([not given for _, given, _ in others.values()])
        if len(tags) - len(others) > attributes.count(empty) - bare:
            for index, given in enumerate(attributes):
                names = given if items[index] is not None else ()
                inside += [(index, 0, f"unknown attribute {name} of a draw or discard") for name in names]
        return Portion(items, others, [(index, what) for index, _, what in sorted(inside, key=_ORDER)])

    def _broken(self, error: etree.XMLSyntaxError, target: _Target, *, is_cut: bool = False) -> MalformedError:
        doubled = error.code == etree.ErrorTypes.ERR_ATTRIBUTE_REDEFINED
        kind = DoubledAttributeError if doubled else MalformedError
        tags = target.tags
        if tags:
            self._begin(target)
        reason = " ".join((error.msg or "").split())
        if is_cut:
            reason = f"the file seems to be cut off ({reason})"
        if len(tags) < 2:  # noqa: PLR2004 - the root, and an element
            return kind(f"not well-formed XML: {reason}")
        init = next((index for index in reversed(range(1, len(tags))) if tags[index] == INIT), 0)
        frame = frame_of(target.attributes[init]) if init else None
        last = len(tags) - 1
        number = self._passed + len(self._tags) + last
        element = text(tags[last], target.attributes[last])
        return kind(f"not well-formed XML after this element: {reason}", frame=frame, number=number, element=element)

    def place(self, index: int) -> dict[str, Any]:
        """Return the place of the element at *index* of the last portion, as arguments for :class:`MjlogError`."""
        element = text(self._tags[index], self._attributes[index])
        return {"number": self._passed + index + 1, "element": element}


_ORDER = itemgetter(0, 1)


def _decoded(tags: list[str], attributes: list[Attributes]) -> tuple[list[Any], dict[int, Tag]]:
    """Return the draw or discard for each of *tags*, ``None`` for any other element; and these others, by index. A
    discard of the tile just drawn is tsumogiri."""
    items = list(map(TILE_EVENTS.get, tags))
    others: dict[int, Tag] = {}
    tsumogiri, drawn = DISCARDS[True], UNKNOWN
    for index, item in enumerate(items):
        if type(item) is Draw:
            drawn = item.tile
        elif item is None:
            tag, given = tags[index], attributes[index]
            others[index] = tag, given, is_known(tag, given)
            if tag.startswith(_NONE_DRAWN):
                drawn = UNKNOWN
        elif item.tile == drawn:
            items[index] = tsumogiri[item.player][drawn]
    return items, others


_NONE_DRAWN = ("N", INIT)
"""How the tags of a meld and of a new frame begin, after which no tile has been drawn."""


def parsed(content: bytes) -> _Parser:
    """Return a parser that has parsed the log *content*.

    :raises XMLSyntaxError: it is not well-formed.
    """
    beginning = _UTF8.match(content)
    if beginning is not None:
        parser = _IDLE.pop() if _IDLE else _Parser(_Target())
        parser.feed(content)
        parser.close()
        # Only an element, the end of the root and a declaration can begin with "<" if no element is in another one,
        # and all elements begin with it.
        if content.count(b"<") <= len(parser.target.tags) + 1 + (beginning["declaration"] is not None):
            return parser
    parser = _Parser(_NestingTarget())
    parser.feed(content)
    parser.close()
    return parser


def _check_size(count: int) -> None:
    """Check the number of elements in a frame."""
    if count > MAX_ELEMENTS:
        raise MjlogError(f"more than {MAX_ELEMENTS:,} elements in one frame")


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


def text(tag: str, attributes: Attributes) -> str:
    """Return an element as a person would find it in the file, ``<D39>``, truncated if long."""
    if len(attributes) > _TEXT_LIMIT:
        return f"<{tag} …>"[:_TEXT_LIMIT]
    values = "".join(f' {name}="{value}"' for name, value in attributes.items())
    whole = f"<{tag}{values}>"
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
