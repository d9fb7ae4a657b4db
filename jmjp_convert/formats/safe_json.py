"""Parse untrusted JSON; dump JSON on one line that every reader sees as one line."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from math import isinf
from typing import Any, NoReturn

from jmjp_convert.errors import ConvertError

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
