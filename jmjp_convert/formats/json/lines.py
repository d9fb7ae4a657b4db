"""Parse JSON lines one by one, keeping track of line numbers."""

from __future__ import annotations

from collections.abc import Mapping
from io import BytesIO
from typing import Any

from jmjp_convert.errors import ConvertError, JsonError
from jmjp_convert.formats.json.kinds import OneOf, Record, WrongValue
from jmjp_convert.formats.json_text import InvalidJsonError, decode, error_at, shown

MOST = 1_000_000
"""The maximum number of values on a line: far more than in any match, and each takes much memory."""

_SHORT = 1 << 20


class Lines:
    """The lines of a file.

    :param content: the whole file.
    :ivar file: the rest, not yet read.
    :ivar number: the number of the last line read, 1-based.
    :ivar frame: the name of the current frame, inside one.
    """

    def __init__(self, content: bytes) -> None:
        self.file = BytesIO(content)
        self.number = 0
        self.frame: str | None = None

    def next(self) -> Mapping[str, Any] | None:
        """Return the object on the next line, ``None`` at the end of the file."""
        line = self.file.readline()
        if not line:
            return None
        self.number += 1
        return self.parse(line)

    def next_after_blank(self) -> Mapping[str, Any] | None:
        """Return the object on the next non-empty line, ``None`` at the end of the file."""
        for line in self.file:
            self.number += 1
            if line.strip():
                return self.parse(line)
        return None

    def parse(self, line: bytes) -> Mapping[str, Any]:
        """Return the object on *line*, the current line."""
        text = self._text(line).rstrip("\r\n")
        if not text.strip():
            raise self.error("empty line inside a match")
        try:
            value = decode(text)
        except InvalidJsonError as error:
            raise self._fault(text, error.position, error.reason) from None
        except ConvertError as error:
            raise self.error(error.reason) from None
        if type(value) is not dict:
            raise self.error(f"expected an object, found {shown(value)}")
        return value

    def read(self, kind: Record, value: Mapping[str, Any], players: int) -> Any:
        """Return *value*, from the current line, as a record of *kind*."""
        try:
            return kind.read(value, players)
        except WrongValue as wrong:
            raise self.error(str(wrong.under(kind.name))) from None

    def kind(self, kinds: OneOf, value: Mapping[str, Any]) -> Record:
        """Return the one of *kinds* that *value*, from the current line, gives as its type."""
        try:
            return kinds.kind_of(value)
        except WrongValue as wrong:
            raise self.error(str(wrong)) from None

    def error(self, reason: str, number: int | None = None) -> JsonError:
        """Return an error on the current line, or on line *number*."""
        return JsonError(reason, line=number or self.number or 1, frame=self.frame)

    def _fault(self, text: str, place: int, reason: str) -> JsonError:
        """Return an error at *place* in *text*, the current line."""
        return error_at(JsonError, text, place, reason, line=self.number, frame=self.frame)

    def _text(self, line: bytes) -> str:
        if len(line) > _SHORT and sum(map(line.count, b",[{")) > MOST:
            raise self.error(f"more than {MOST:,} values")
        try:
            return line.decode()
        except UnicodeDecodeError as error:
            good = line[: error.start].decode()
            raise self._fault(good, len(good), f"invalid UTF-8: byte 0x{line[error.start]:02x}") from None
