"""XML by lxml: the ``INIT`` elements of a log, one after the other, each with the elements of its frame behind it.

No DTD, no entities, no network, no recovery: lxml's ``recover`` would also swallow a log that is cut off.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import Any, TypedDict

from lxml import etree

from jmjp_convert.errors import MjlogError

Element = etree._Element  # noqa: SLF001 - lxml has no public name for it
INIT = "INIT"
ROOT = "mjloggm"

DoubledAttributeError = type("DoubledAttributeError", (MjlogError,), {})
"""An attribute stands twice in one element, which XML forbids."""


class _Options(TypedDict):
    resolve_entities: bool
    no_network: bool
    load_dtd: bool
    remove_comments: bool
    remove_pis: bool


_OPTIONS: _Options = {
    "resolve_entities": False,
    "no_network": True,
    "load_dtd": False,
    "remove_comments": True,
    "remove_pis": True,
}

_PARSER = etree.XMLParser(**_OPTIONS)
_FEED = 1 << 12
_MAX_ELEMENTS = 50_000
_TEXT_LIMIT = 80

# ``>`` may stand inside a value.
_NAME = rb"[\w:.-]+"
_VALUE = rb"""(?:"[^"]*"|'[^']*')"""
_ATTRIBUTE = re.compile(rb"\s+(" + _NAME + rb")\s*=\s*(" + _VALUE + rb")")
_TAG = re.compile(rb"<" + _NAME + rb"(?:\s+" + _NAME + rb"\s*=\s*" + _VALUE + rb")+")


class Log:
    """A log as XML. Iterating gives its ``INIT`` elements; the siblings behind one are complete up to the next.

    :param content: all of the bytes, which lxml's faster tree route reads; or pieces of them, of which never more than
        one frame is held.
    """

    def __init__(self, content: bytes | Iterable[bytes]) -> None:
        self._content = content
        self._root: Element | None = None
        self._released = 0

    def __iter__(self) -> Iterator[Element]:
        """
        :raises MjlogError: the content is not XML, or not a log.
        :raises DoubledAttributeError: an attribute stands twice in one element.
        """
        if isinstance(self._content, bytes):
            return self._tree(self._content)
        return self._stream(self._content)

    def _tree(self, content: bytes) -> Iterator[Element]:
        try:
            root = etree.fromstring(content, _PARSER)
        except etree.XMLSyntaxError:
            # The stream finds the same fault, and knows where it stands.
            yield from self._stream([content])
            return
        self._begin(root)
        yield from root.iterchildren(INIT)

    def _stream(self, pieces: Iterable[bytes]) -> Iterator[Element]:
        parser = etree.XMLPullParser(("start", "end"), tag=(ROOT, INIT), **_OPTIONS)
        events = parser.read_events()
        previous: Element | None = None
        try:
            for piece in _small(pieces):
                parser.feed(piece)
                for event, element in events:
                    if self._root is None:
                        self._begin(element.getroottree().getroot())
                    elif event == "end" and element.tag == INIT:
                        if previous is not None:
                            yield previous
                            self._release(element)
                        previous = element
                self._check_size()
            root = parser.close()
        except etree.XMLSyntaxError as error:
            raise self._broken(error) from error
        if self._root is None:
            self._begin(root)
        if previous is not None:
            yield previous

    def _begin(self, root: Element) -> None:
        """Check that *root* is a log's."""
        if root.getroottree().docinfo.internalDTD is not None:
            raise MjlogError("a document type declaration, which no log has")
        if root.tag != ROOT:
            raise MjlogError(f"the root element is <{root.tag}>, not <{ROOT}>")
        self._root = root

    def _release(self, init: Element) -> None:
        """Let go of all that stands before *init*."""
        root = init.getparent()
        assert root is not None
        count = root.index(init)
        del root[:count]
        self._released += count

    def _check_size(self) -> None:
        if self._root is not None and len(self._root) > _MAX_ELEMENTS:
            raise MjlogError(f"more than {_MAX_ELEMENTS:,} elements in one frame")

    def _broken(self, error: etree.XMLSyntaxError) -> MjlogError:
        reason = f"not well-formed XML: {error.msg}"
        kind = DoubledAttributeError if error.code == etree.ErrorTypes.ERR_ATTRIBUTE_REDEFINED else MjlogError
        if self._root is None or not len(self._root):
            return kind(reason)
        return kind(f"after this element {reason}", **self.place(self._root[-1]))

    @property
    def root(self) -> Element:
        assert self._root is not None
        return self._root

    def place(self, element: Element) -> dict[str, Any]:
        """Return where *element*, not yet released, stands: the number and text that :class:`MjlogError` takes."""
        number = self._released + 1 + sum(1 for _ in element.itersiblings(preceding=True))
        return {"number": number, "element": text(element)}


def _small(pieces: Iterable[bytes]) -> Iterator[bytes]:
    """Yield *pieces* in pieces of about one frame."""
    for piece in pieces:
        for start in range(0, len(piece), _FEED):
            yield piece[start : start + _FEED]


def text(element: Element) -> str:
    """Return *element* as a person finds it in the file, ``<D39>``, cut short if it is long."""
    attributes = "".join(f' {name}="{value}"' for name, value in element.items())
    whole = f"<{element.tag}{attributes}>"
    return whole if len(whole) <= _TEXT_LIMIT else f"{whole[: _TEXT_LIMIT - 2]}…>"


def without_repeats(content: bytes) -> tuple[bytes, list[str]]:
    """Return *content* without the attributes that stand in an element a second time with the same value, and what was
    taken out, one line each (source: ``mapping.md``, Unfinished and damaged logs)."""
    removed: list[str] = []

    def repair(tag: re.Match[bytes]) -> bytes:
        seen: set[tuple[bytes, bytes]] = set()

        def keep(attribute: re.Match[bytes]) -> bytes:
            name, value = attribute.groups()
            if (name, value[1:-1]) in seen:
                removed.append(f"{name.decode()} stands twice in {tag[0].split()[0].decode()}>, with the same value")
                return b""
            seen.add((name, value[1:-1]))
            return attribute[0]

        return _ATTRIBUTE.sub(keep, tag[0])

    return _TAG.sub(repair, content), removed
