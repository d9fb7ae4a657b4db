"""Reads untrusted JSON: values within bounds, and documents piece by piece."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator
from math import isinf
from typing import Any, NoReturn

from jmjp_convert.errors import ConvertError

# --- values -----------------------------------------------------------------------------------------------------------

_encoded = json.JSONEncoder(ensure_ascii=False, allow_nan=False, check_circular=False, separators=(",", ":")).encode

# Allowed unescaped in JSON, but not safe for terminals, line readers, JavaScript or UTF-8.
_UNSAFE = re.compile("[\x7f-\x9f\u2028\u2029\ud800-\udfff]")

_LONGEST_SHOWN = 24


class InvalidJsonError(ConvertError):
    """A text that is not JSON.

    :param place: the index of the character where it is not.
    """

    def __init__(self, reason: str, place: int) -> None:
        super().__init__(f"invalid JSON: {reason}")
        self.place = place


def decode(text: str) -> Any:
    """Return the value of *text*, which has no duplicate keys, no infinite numbers and no deep nesting.

    :raises InvalidJsonError: *text* is not JSON.
    :raises ConvertError: it has such values.
    """
    return _checked(_DECODER.decode, text)


def decode_at(text: str, place: int) -> tuple[Any, int]:
    """Return the value at *place* in *text*, as for :func:`decode`, and the place after it."""
    found: tuple[Any, int] = _checked(_DECODER.raw_decode, text, place)
    return found


def _checked(decoding: Callable[..., Any], *arguments: Any) -> Any:
    try:
        return decoding(*arguments)
    except json.JSONDecodeError as error:
        reason = error.msg[:1].lower() + error.msg[1:].removesuffix(" at").removesuffix(" starting")
        raise InvalidJsonError(reason, error.pos) from None
    except RecursionError:
        raise ConvertError("values nested too deeply") from None
    except ConvertError:
        raise
    except ValueError:  # from Python: it converts at most 4300 digits to a number
        raise ConvertError("number too large") from None


def shown(value: Any) -> str:
    """Return a JSON value for an error message, in a few characters."""
    if isinstance(value, dict | list):
        return "an object" if isinstance(value, dict) else "a list"
    text = encode(value[: _LONGEST_SHOWN + 1] if isinstance(value, str) else value)
    return text if len(text) <= _LONGEST_SHOWN else f"{text[: _LONGEST_SHOWN - 1]}…"


def encode(value: Any) -> str:
    """Return *value* as JSON on one line, without spaces and with letters of any script unescaped.

    The result can always be encoded as UTF-8.
    """
    text = _encoded(value)
    return text if text.isascii() and "\x7f" not in text else _UNSAFE.sub(_escaped, text)


def _escaped(character: re.Match[str]) -> str:
    return f"\\u{ord(character[0]):04x}"


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """Return the object of *pairs*, which must not have duplicate keys."""
    made = dict(pairs)
    if len(made) != len(pairs):
        seen: set[str] = set()
        for key, _ in pairs:
            if key in seen:
                raise ConvertError(f"duplicate key {shown(key)}")
            seen.add(key)
    return made


def _fraction(text: str) -> float:
    value = float(text)
    if isinf(value):
        raise ConvertError("number too large")
    return value


def _no_constant(text: str) -> NoReturn:
    raise ConvertError(f"invalid JSON: {text}")


_DECODER = json.JSONDecoder(object_pairs_hook=_object, parse_float=_fraction, parse_constant=_no_constant)


# --- documents --------------------------------------------------------------------------------------------------------

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
