"""Reads untrusted JSON: one document, a list of them, several one after the other, or one per line.

Every error has its place: the line, with the column for what is no JSON, otherwise with the JSON pointer (RFC 6901) of
the value within its document.
"""

from __future__ import annotations

import codecs
import json
import re
from collections.abc import Iterable, Iterator, Sequence
from io import BytesIO
from itertools import count
from math import isinf
from typing import Any, Generic, NoReturn, TypeVar

from jmjp_convert.errors import ConvertError, PointerError
from jmjp_convert.files.inputs import UTF16

E = TypeVar("E", bound=PointerError)

# --- values -----------------------------------------------------------------------------------------------------------

_encoded = json.JSONEncoder(ensure_ascii=False, allow_nan=False, check_circular=False, separators=(",", ":")).encode

# Allowed unescaped in JSON, but not safe for terminals, line readers, JavaScript or UTF-8.
_UNSAFE = re.compile("[\x7f-\x9f\u2028\u2029\ud800-\udfff]")

_LONGEST_QUOTED = 24
_WHITE = " \t\r\n"


class InvalidJsonError(ConvertError):
    """A text that is not JSON.

    :param position: the index of the character where it is not.
    """

    def __init__(self, reason: str, position: int) -> None:
        super().__init__(f"invalid JSON: {reason}")
        self.position = position


def decode(text: str) -> Any:
    """Return the value of *text*, which has no duplicate keys, no infinite numbers and no deep nesting.

    :raises InvalidJsonError: *text* is not JSON.
    :raises ConvertError: it has such values.
    """
    value, end = decode_at(text, len(text) - len(text.lstrip(_WHITE)))
    rest = text[end:].lstrip(_WHITE)
    if rest:
        raise InvalidJsonError("extra data", len(text) - len(rest))
    return value


def decode_at(text: str, position: int) -> tuple[Any, int]:
    """Return the value at *position* in *text*, as for :func:`decode`, and the position after it."""
    try:
        return _DECODER.raw_decode(text, position)
    except json.JSONDecodeError as error:
        reason = error.msg[:1].lower() + error.msg[1:].removesuffix(" at").removesuffix(" starting")
        raise InvalidJsonError(reason, error.pos) from None
    except RecursionError:
        raise ConvertError("values nested too deeply") from None
    except ConvertError:
        raise
    except ValueError:  # from Python: it converts at most 4300 digits to a number
        raise ConvertError("number too large") from None


def quoted(value: Any) -> str:
    """Return a JSON value for a message, in a few characters."""
    if isinstance(value, dict | list):
        return "an object" if isinstance(value, dict) else "a list"
    text = encode(value[: _LONGEST_QUOTED + 1] if isinstance(value, str) else value)
    return text if len(text) <= _LONGEST_QUOTED else f"{text[: _LONGEST_QUOTED - 1]}…"


def encode(value: Any) -> str:
    """Return *value* as JSON on one line, without spaces and with letters of any script unescaped.

    The result can always be encoded as UTF-8.
    """
    text = _encoded(value)
    if text.isascii() and "\x7f" not in text:
        return text
    return _UNSAFE.sub(lambda character: f"\\u{ord(character[0]):04x}", text)


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """Return the object of *pairs*, which must not have duplicate keys."""
    made = dict(pairs)
    if len(made) != len(pairs):
        seen: set[str] = set()
        for key, _ in pairs:
            if key in seen:
                raise ConvertError(f"duplicate key {quoted(key)}")
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


# --- texts ------------------------------------------------------------------------------------------------------------

_BEFORE_CARET, _AFTER_CARET = 60, 20


def decoded(content: bytes, kind: type[E]) -> str:
    """Return *content* as text: UTF-8 with or without a byte order mark, or UTF-16 with one.

    :raises PointerError: of the given *kind*; *content* is not valid UTF-8 or UTF-16.
    """
    if content.startswith(UTF16):
        try:
            return content.decode("utf-16")
        except UnicodeDecodeError:
            raise kind("invalid UTF-16", line=1) from None
    try:
        return content.removeprefix(codecs.BOM_UTF8).decode()
    except UnicodeDecodeError as error:
        raise _not_utf8(kind, error, line=None, frame=None) from None


def _not_utf8(kind: type[E], error: UnicodeDecodeError, *, line: int | None, frame: str | None) -> E:
    valid = error.object[: error.start].decode()
    reason = f"invalid UTF-8: byte 0x{error.object[error.start]:02x}"
    return error_at(kind, valid, len(valid), reason, line=line, frame=frame)


def error_at(
    kind: type[E], text: str, position: int, reason: str, *, line: int | None = None, frame: str | None = None
) -> E:
    """Return an error of the given *kind* at *position* in *text*, with the part of the line around it.

    :param line: the number of the line, if *text* is one line of a file.
    :param frame: the name of the frame in which the line is.
    """
    begins = text.rfind("\n", 0, position) + 1
    first = max(begins, position - _BEFORE_CARET)
    around = text[first : position + _AFTER_CARET].partition("\n")[0].rstrip("\r")
    return kind(
        reason,
        line=text.count("\n", 0, position) + 1 if line is None else line,
        column=position - begins + 1,
        text=around,
        caret=min(position - first, len(around)),
        frame=frame,
    )


# --- documents --------------------------------------------------------------------------------------------------------

MOST_VALUES = 1_000_000
"""The maximum number of values that are decoded in one piece: far more than in any match, and each takes memory."""

_SMALL = 1 << 20  # characters: so few have not too many values
_MOST_KEYS = 1000
_TRUNCATED = "truncated JSON"
_SPACE = re.compile(r"[\s\ufeff]*")
_LOOSE = re.compile(r"[\s\ufeff,\[\]]*")
_BRACKETS = re.compile(r'"(?:[^"\\]|\\.)*+"?|[\[\]{}]', re.DOTALL)


class Walk(Generic[E]):
    """A position in a JSON text, which moves on as values are read: whole, or one item or member after the other.

    :param kind: the kind of errors that are raised, each with its line and column.
    """

    def __init__(self, text: str, kind: type[E]) -> None:
        self.text = text
        self.position = 0  # the index of the next character
        self.kind = kind
        self._line, self._counted = 1, 0  # the line at a position

    @property
    def line(self) -> int:
        """The number of the line of the next character."""
        self._line += self.text.count("\n", self._counted, self.position)
        self._counted = self.position
        return self._line

    def next(self, space: re.Pattern[str] = _SPACE) -> str:
        """Return the next character after white space, without moving past it; empty at the end of the text."""
        passed = space.match(self.text, self.position)
        assert passed is not None
        self.position = passed.end()
        return self.text[self.position : self.position + 1]

    def documents(self, *, loose: bool = False) -> Iterator[str]:
        """Yield the pointer to each document: a value, or an item of a list; read it before going on.

        :param loose: ignore brackets of lists and commas between documents, which may be missing.
        """
        while opening := self.next(_LOOSE if loose else _SPACE):
            if opening == "[":
                for index in self.items():
                    yield f"/{index}"
            else:
                yield ""

    def value(self) -> Any:
        """Return the next value.

        :raises PointerError: it is not JSON, or has more than a million values, duplicate keys, infinite numbers or
            deep nesting.
        """
        if self.next() in ("[", "{") and len(self.text) - self.position > _SMALL:
            end = self._extent()
            if sum(self.text.count(mark, self.position, end) for mark in ",[{") > MOST_VALUES:
                raise self.error(f"more than {MOST_VALUES:,} values")
        try:
            value, self.position = decode_at(self.text, self.position)
        except InvalidJsonError as error:
            cut = error.position >= len(self.text.rstrip()) or "unterminated" in error.reason
            raise self.error(_TRUNCATED if cut else error.reason, error.position) from None
        except ConvertError as error:
            raise self.error(error.reason) from None
        return value

    def object(self, pointer: str) -> dict[str, Any]:
        """Return the next value, an object, to which *pointer* leads."""
        self.next()
        line, value = self.line, self.value()
        if type(value) is not dict:
            raise self.kind(f"expected an object, found {quoted(value)}", line=line, pointer=pointer)
        return value

    def items(self) -> Iterator[int]:
        """Yield the index of each item of the next list; read the item before going on."""
        self._pass("[", "value")
        index = 0
        while self._more("]", index):
            yield index
            index += 1

    def members(self) -> Iterator[str]:
        """Yield the key of each value of the next object, at most a thousand; read the value before going on."""
        self._pass("{", "value")
        seen: set[str] = set()
        while self._more("}", len(seen)):
            if len(seen) == _MOST_KEYS:
                raise self.error(f"an object with more than {_MOST_KEYS:,} keys")
            if self.next() != '"':
                raise self._expected("property name enclosed in double quotes")
            key = self.value()
            if key in seen:
                raise self.error(f"duplicate key {quoted(key)}")
            seen.add(key)
            self._pass(":", "':' delimiter")
            self.next()
            yield key

    def error(self, reason: str, position: int | None = None) -> E:
        """Return an error at *position*, by default the current one."""
        return error_at(self.kind, self.text, self.position if position is None else position, reason)

    def _more(self, closing: str, count: int) -> bool:
        """Return whether there are more than *count* items before *closing*, and pass what separates them."""
        if self.next() == closing:
            self.position += 1
            return False
        if count:
            self._pass(",", "',' delimiter")
            self.next()
        return True

    def _pass(self, mark: str, what: str) -> None:
        if self.next() != mark:
            raise self._expected(what)
        self.position += 1

    def _expected(self, what: str) -> E:
        return self.error(f"invalid JSON: expecting {what}" if self.next() else _TRUNCATED)

    def _extent(self) -> int:
        """Return the position after the next value, a list or an object, or that of the end of the text."""
        depth = 0
        for token in _BRACKETS.finditer(self.text, self.position):
            mark = self.text[token.start()]
            if mark in "[{":
                depth += 1
            elif mark in "]}":
                depth -= 1
                if depth <= 0:
                    return token.end()
        return len(self.text)


class JsonLines(Generic[E]):
    """The lines of a file with an object on each.

    :param content: the whole file.
    :param kind: the kind of errors that are raised.
    :param numbers: the number of each line in the file, if *content* is laid out in another way.
    """

    def __init__(self, content: bytes, kind: type[E], numbers: Sequence[int] = ()) -> None:
        if content.startswith(UTF16):
            content = decoded(content, kind).encode()
        self._content = BytesIO(content.removeprefix(codecs.BOM_UTF8))
        # The lines not yet read, each with its number, and with its line end: look them up in a table, and parse the
        # others.
        self.rest: Iterator[tuple[int, bytes]] = zip(numbers or count(1), self._content, strict=False)
        self.number = 1  # the number of the last line parsed, 1-based; 1 before the first
        self.frame: str | None = None  # the name of the current frame, inside one; errors name it
        self._kind = kind

    @classmethod
    def laid_out(cls, walk: Walk[E], pointers: Iterable[str]) -> JsonLines[E]:
        """Return the objects in the text of *walk* to which *pointers* lead, one after the other, as lines of one."""
        numbers, lines = [], []
        for pointer in pointers:
            walk.next()
            numbers.append(walk.line)
            lines.append(encode(walk.object(pointer)))
        return cls("\n".join(lines).encode(), walk.kind, numbers)

    def left(self) -> bytes:
        """Return the lines not yet read."""
        return self._content.getvalue()[self._content.tell() :]

    def next(self) -> dict[str, Any] | None:
        """Return the object on the next line that is not blank; ``None`` at the end of the file."""
        for number, line in self.rest:
            if not line.isspace():
                return self.parse(number, line)
            self.number = number
        return None

    def parse(self, number: int, line: bytes) -> dict[str, Any]:
        """Return the object on *line*, the line *number*."""
        self.number = number
        if line.isspace():
            raise self.error("empty line")
        if len(line) > _SMALL and sum(map(line.count, b",[{")) > MOST_VALUES:
            raise self.error(f"more than {MOST_VALUES:,} values")
        text = ""
        try:
            text = line.decode().rstrip("\r\n")
            value = decode(text)
        except UnicodeDecodeError as error:
            raise _not_utf8(self._kind, error, line=number, frame=self.frame) from None
        except InvalidJsonError as error:
            raise error_at(self._kind, text, error.position, error.reason, line=number, frame=self.frame) from None
        except ConvertError as error:
            raise self.error(error.reason) from None
        if type(value) is not dict:
            raise self.error(f"expected an object, found {quoted(value)}")
        return value

    def error(self, reason: str, pointer: str = "", *, number: int | None = None) -> E:
        """Return an error on the last line parsed, or on line *number*, at the value that *pointer* leads to."""
        return self._kind(reason, line=number or self.number, pointer=pointer, frame=self.frame)
