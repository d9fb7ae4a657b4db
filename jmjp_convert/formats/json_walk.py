"""Walk through untrusted JSON value by value, so that a large file takes little more memory than its text."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from jmjp_convert.errors import ConvertError
from jmjp_convert.formats.safe_json import InvalidJsonError, decode_at, shown

_SPACE = re.compile(r"[ \t\n\r]*")
_USUAL = 1 << 15  # characters: enough for nearly every value that is decoded in one piece
_MOST = 1 << 20
_LONGEST_WORD = 16
_MOST_KEYS = 1000


class Walk:
    """A place in a JSON text, which moves on as values are read.

    :ivar text: the text.
    :ivar place: the index of the next character.
    """

    def __init__(self, text: str) -> None:
        self.text = text
        self.place = 0

    def next(self) -> str:
        """Return the next character after white space, without moving past it; empty at the end of the text."""
        found = _SPACE.match(self.text, self.place)
        assert found is not None
        self.place = found.end()
        return self.text[self.place : self.place + 1]

    def value(self) -> Any:
        """Return the next value.

        :raises InvalidJsonError: it is not JSON.
        :raises ConvertError: it is a list or an object of more than 1,048,576 characters; or it has duplicate keys,
            infinite numbers or deep nesting.
        """
        if self.next() not in ("[", "{"):
            value, self.place = decode_at(self.text, self.place)
            return value
        try:
            value, end = decode_at(self.text[self.place : self.place + _USUAL], 0)
        except InvalidJsonError:
            value, end = self._long()
        self.place += end
        return value

    def _long(self) -> tuple[Any, int]:
        """Return the next value, a list or an object that is long or invalid, and its length."""
        part = self.text[self.place : self.place + _MOST]
        try:
            return decode_at(part, 0)
        except InvalidJsonError as error:
            cut = self.place + _MOST < len(self.text)
            if cut and ("unterminated" in error.reason or error.place > _MOST - _LONGEST_WORD):
                raise ConvertError(f"a value of more than {_MOST:,} characters") from None
            error.place += self.place
            raise

    def items(self) -> Iterator[int]:
        """Yield the index of each item of the next list; read the item before going on.

        :raises InvalidJsonError: it is not a list.
        """
        self._pass("[", "value")
        index = 0
        while self._more("]", index):
            yield index
            index += 1

    def members(self) -> Iterator[str]:
        """Yield the key of each value of the next object; read the value before going on.

        :raises InvalidJsonError: it is not an object.
        :raises ConvertError: it has duplicate keys, or more than 1,000.
        """
        self._pass("{", "value")
        seen: set[str] = set()
        while self._more("}", len(seen)):
            if len(seen) == _MOST_KEYS:
                raise ConvertError(f"an object with more than {_MOST_KEYS:,} keys")
            if self.next() != '"':
                raise self._expected("property name enclosed in double quotes")
            key = self.value()
            if key in seen:
                raise ConvertError(f"duplicate key {shown(key)}")
            seen.add(key)
            self._pass(":", "':' delimiter")
            yield key

    def end(self) -> None:
        """Expect the end of the text.

        :raises InvalidJsonError: there is more.
        """
        if self.next():
            raise InvalidJsonError("extra data", self.place)

    def _more(self, closing: str, count: int) -> bool:
        """Return whether there are more than *count* items before *closing*, and pass what separates them."""
        if self.next() == closing:
            self.place += 1
            return False
        if count:
            self._pass(",", "',' delimiter")
        return True

    def _pass(self, mark: str, what: str) -> None:
        if self.next() != mark:
            raise self._expected(what)
        self.place += 1

    def _expected(self, what: str) -> InvalidJsonError:
        return InvalidJsonError(f"expecting {what}", self.place)
