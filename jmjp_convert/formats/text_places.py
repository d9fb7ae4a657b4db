"""Decode an untrusted text, and say where in it an error is."""

from __future__ import annotations

import codecs
from typing import TypeVar

from jmjp_convert.errors import TextError
from jmjp_convert.files.inputs import UTF16

E = TypeVar("E", bound=TextError)

_BEFORE_CARET, _AFTER_CARET = 60, 20


def decoded(content: bytes, kind: type[E], *, line: int | None = None, frame: str | None = None) -> str:
    """Return *content* as text: UTF-8 with or without a byte order mark, or UTF-16 with one.

    :param line: its number, if it is one line of a file.
    :param frame: the name of the frame in which the line is.
    :raises TextError: of the given *kind*; *content* is not valid UTF-8 or UTF-16.
    """
    if content.startswith(UTF16):
        try:
            return content.decode("utf-16")
        except UnicodeDecodeError:
            raise kind("invalid UTF-16", line=line or 1, frame=frame) from None
    content = content.removeprefix(codecs.BOM_UTF8)
    try:
        return content.decode()
    except UnicodeDecodeError as error:
        good = content[: error.start].decode()
        reason = f"invalid UTF-8: byte 0x{content[error.start]:02x}"
        raise error_at(kind, good, len(good), reason, line=line, frame=frame) from None


def error_at(
    kind: type[E], text: str, place: int, reason: str, *, line: int | None = None, frame: str | None = None
) -> E:
    """Return an error of the given *kind* at *place* in *text*, with the part of the line around it.

    :param line: the number of the line, if *text* is one line of a file.
    :param frame: the name of the frame in which the line is.
    """
    begins = text.rfind("\n", 0, place) + 1
    first = max(begins, place - _BEFORE_CARET)
    around = text[first : place + _AFTER_CARET].partition("\n")[0].rstrip("\r")
    return kind(
        reason,
        line=text.count("\n", 0, place) + 1 if line is None else line,
        column=place - begins + 1,
        text=around,
        caret=min(place - first, len(around)),
        frame=frame,
    )
