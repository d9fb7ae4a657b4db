"""What a log is split into before it is decoded."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any, NamedTuple, Protocol

from jmjp_convert.errors import MjlogError

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


class DoubledAttributeError(MjlogError):
    """A duplicate attribute in an element, which XML forbids."""
