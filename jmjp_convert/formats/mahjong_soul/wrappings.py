"""What a record of a game comes in: a frame of the connection, wrappers, the answer of the server, JSON.

Sources: ``liqi.proto``; Cryolite/is-majsoul-fair, Akagi and AutoLiqi for frames and wrappers without a name; real
records for JSON.
"""

from __future__ import annotations

import base64
import binascii
from collections.abc import Iterator
from itertools import islice
from typing import Any, NamedTuple

from jmjp_convert.errors import ConvertError
from jmjp_convert.formats.json_values import At, WrongValue, expected
from jmjp_convert.formats.mahjong_soul.messages import MESSAGES, Values, decoded, named
from jmjp_convert.formats.mahjong_soul.wire import fields
from jmjp_convert.patterns import regex

# --- recognition ------------------------------------------------------------------------------------------------------

WRAPPER, ANSWER, DETAILS = "Wrapper", "ResGameRecord", "GameDetailRecords"

_NOTICE, _REQUEST, _RESPONSE = b"\x01", b"\x02", b"\x03"
_HEADERS = {_NOTICE: 1, _REQUEST: 3, _RESPONSE: 3}
"""The bytes before the wrapper in a frame of the connection: its type, and the number of a request."""

_PREFIX = ".lq."
_NAME = _PREFIX.encode()
_FIRST_KEYS = frozenset(b"\x0a\x10\x12\x1a\x22")
_HEAD_KEYS = frozenset(b"\x0a\x10\x18\x2a\x5a\x62\x6a")  # of RecordGame
_ERROR_KEY = 0x08
_LOOKED_AT = 8  # fields

_JSON_KEYS = regex(
    r'"\.lq\.[A-Z]|"data_?[uU]rl"\s*:|"(?:start_time|startTime)"\s*:\s*[0-9]+\s*,\s*"(?:end_time|endTime)"'
    r'|"data"\s*:\s*"(?:ChUubHEu|CgAS)|^\{\s*"error"\s*:\s*\{\s*"code"\s*:\s*[0-9]'
)
"""What JSON has of a record: names of messages, keys of the answer or of its head, base64 of a wrapper."""


_BASE64 = regex(r"[A-Za-z0-9+/]{16,}")
_SNIFFED = 4096  # characters of base64


def begins(text: str) -> bool:
    """Return whether a text with this beginning is JSON of a record, or the base64 of a record in its binary form."""
    if text[:1] in ("{", "["):
        return _JSON_KEYS.search(text) is not None
    match = _BASE64.match(text[:_SNIFFED])
    return match is not None and signs(base64.b64decode(match[0][: len(match[0]) // 4 * 4]))


def signs(start: bytes) -> bool:
    """Return whether a file with these first bytes is a record in its binary form, or a frame of the connection."""
    header = _HEADERS.get(start[:1])
    if header is None:
        return start[:1] != b"" and start[0] in _FIRST_KEYS and kind(start, cut=True) is not None
    inner = start[header:]
    return inner[2:6] == _NAME or (inner[:1] in (b"\x0a", b"\x12") and kind(inner, cut=True) == WRAPPER)


def kind(data: bytes, *, cut: bool = False) -> str | None:
    """Return which message *data* is, the name of one in the table; ``None`` if it is none of a record.

    :param cut: it is only the beginning of a file.
    """
    first = _first_fields(data, cut=cut)
    name, wrapped = first.get(1), first.get(2)
    wraps = name in (None, b"") and type(wrapped) is bytes and _plain_kind(_first_fields(wrapped, cut=True)) is not None
    return WRAPPER if _is_name(name) or wraps else _plain_kind(first)


def _first_fields(data: bytes, *, cut: bool) -> dict[int, int | bytes]:
    """Return the first values in the message *data* by the number of their field; none if it is no message."""
    first: dict[int, int | bytes] = {}
    try:
        for number, value in islice(fields(data, cut=cut), _LOOKED_AT):
            first.setdefault(number, value)
    except ConvertError:
        return first if cut else {}
    return first


def _plain_kind(first: dict[int, int | bytes]) -> str | None:
    """Return which message without a wrapper has these *first* values."""
    one, two, three, four = map(first.get, range(1, 5))
    if _is_wrapper(one) or (type(two) is int and not isinstance(four, bytes)):
        return DETAILS
    if (type(three) is bytes and three[:1] and three[0] in _HEAD_KEYS) or _is_wrapper(four):
        return ANSWER
    return ANSWER if type(one) is bytes and one[:1] and one[0] == _ERROR_KEY else None


def _is_name(value: int | bytes | None) -> bool:
    return type(value) is bytes and value.startswith(_NAME)


def _is_wrapper(value: int | bytes | None) -> bool:
    """Return whether *value* begins like a wrapper with a name."""
    return type(value) is bytes and value[:1] == b"\x0a" and value[2:6] == _NAME


# --- reading ----------------------------------------------------------------------------------------------------------


class Entry(NamedTuple):
    """A record of a game, or another action between two of them.

    :ivar number: its number in the list, from 1.
    :ivar passed: the milliseconds since the table was made; ``None``: not recorded.
    :ivar name: the name of the record; empty if it is another action.
    :ivar values: the values of the record.
    :ivar action: those of the action.
    """

    number: int
    passed: int | None
    name: str
    values: At
    action: At


class WrongRecord(WrongValue):
    """An invalid value in a record.

    :param number: the number of the record, from 1.
    :param name: its name.
    """

    def __init__(self, wrong: WrongValue, number: int, name: str) -> None:
        super().__init__(wrong.message, wrong.pointer)
        self.number = number
        self.name = name


class Game(NamedTuple):
    """A game: its *head*, if it has one, and its *entries*, the values of each decoded when its turn comes."""

    head: At | None
    entries: Iterator[Entry]


def of_base64(text: str) -> Game:
    """Return the game in *text*, the base64 of the binary form, as developer tools of browsers copy it.

    :raises WrongValue: it is no base64, or no record of a game.
    """
    return of_bytes(_from_base64("".join(text.split())))


def of_bytes(data: bytes) -> Game:
    """Return the game in *data*, the binary form in any wrapping.

    :raises WrongValue: it is no record of a game, or not whole.
    """
    header = _HEADERS.get(data[:1])
    if header is not None:
        if data[:1] != _RESPONSE:
            what = "a request to the server" if data[:1] == _REQUEST else "a notice of the server"
            raise WrongValue(f"this is {what}; save the answer to fetchGameRecord")
        data = data[header:]
    message_kind = kind(data)
    if message_kind == WRAPPER:
        wrapper = decoded(data, WRAPPER)
        name, data = _plain_name(wrapper.get("name", "")), wrapper.get("data", b"")
        message_kind = kind(data)
        if name not in ("", message_kind) or message_kind == WRAPPER:
            raise WrongValue(f"expected a record of a game, found the message {name or 'of another kind'}")
    if message_kind == DETAILS:
        return Game(None, _entries(decoded(data, DETAILS), ""))
    if message_kind == ANSWER:
        return _answered(decoded(data, ANSWER), "")
    list(fields(data))
    raise WrongValue("expected a record of a game, found another message")


def of_json(value: Any, pointer: str) -> Game:
    """Return the game in *value*, which is at *pointer* in a document of JSON.

    :raises WrongValue: it is no record of a game.
    """
    if type(value) is not dict:
        raise expected("an object", value, pointer)
    try:
        if "head" not in value and {"records", "actions"} & value.keys():
            return Game(None, _entries(named(value, DETAILS), pointer))
        if "head" not in value and "name" in value:
            return Game(None, _entries(_details(value), f"{pointer}/data"))
        answer = named(value, ANSWER)
        details = value.get("details")
        if type(details) is list and not answer.get("data"):
            entries = [{"name": each.get("@type"), "data": each} if type(each) is dict else each for each in details]
            answer["data"] = {"records": entries}
    except WrongValue as wrong:
        raise WrongValue(wrong.message, pointer + wrong.pointer) from None
    return _answered(answer, pointer)


def _answered(answer: Values, pointer: str) -> Game:
    code = At(answer.get("error", {}).get("code", 0), f"{pointer}/error/code").count((1 << 32) - 1)
    if code:
        raise WrongValue(f"the server's answer is error {code}", f"{pointer}/error/code")
    data = answer.get("data")
    if not data:
        if answer.get("data_url"):
            raise WrongValue("the file has only the address of the record (URL), not the record", f"{pointer}/data_url")
        raise WrongValue("the record is missing: data is empty", f"{pointer}/data")
    try:
        details = _details(data)
    except WrongValue as wrong:
        raise (
            wrong.under("data") if not pointer else WrongValue(wrong.message, f"{pointer}/data{wrong.pointer}")
        ) from None
    head = answer.get("head")
    return Game(None if head is None else At(head, f"{pointer}/head"), _entries(details, f"{pointer}/data"))


def _details(data: Any) -> Values:
    """Return the details of a game, with or without their wrapper."""
    if type(data) is dict and {"records", "actions"} & data.keys():
        return named(data, DETAILS)
    name, content = _unwrapped(data)
    if name not in ("", DETAILS):
        raise WrongValue(f"expected {_PREFIX}{DETAILS}, found {_PREFIX}{name}", "/name")
    return _content(content, DETAILS)


_VERSION = 210715
"""The version of details with actions; 0, or none, has records."""


def _entries(details: Values, pointer: str) -> Iterator[Entry]:
    version = At(details.get("version", 0), f"{pointer}/version").count((1 << 32) - 1)
    if version not in (0, _VERSION):
        raise WrongValue(f"records of version {version} are not known; 0 and {_VERSION} expected", f"{pointer}/version")
    items = details.get("actions" if version else "records", [])
    if not items:
        raise WrongValue("the record is empty", pointer)
    return map(_action if version else _record, range(1, len(items) + 1), items)


def _action(number: int, item: Values) -> Entry:
    action = At(item)
    try:
        passed = 0 if "passed" not in item else action.member("passed").count((1 << 32) - 1)
        result = item.get("result")
        if not result:
            return Entry(number, passed, "", At({}), action)
        return _record(number, result)._replace(passed=passed, action=action)
    except WrongRecord:
        raise
    except WrongValue as wrong:
        raise WrongRecord(wrong, number, "") from None


def _record(number: int, item: Any) -> Entry:
    name = ""
    try:
        name, content = _unwrapped(item)
        return Entry(number, None, name, At(_content(content, name) if name in MESSAGES else {}), At({}))
    except WrongValue as wrong:
        raise WrongRecord(wrong, number, name) from None


def _unwrapped(item: Any) -> tuple[str, Any]:
    """Return the name and content of a wrapper: bytes, base64, or an object."""
    if type(item) is str:
        item = _from_base64(item)
    wrapper = decoded(item, WRAPPER) if type(item) is bytes else named(item, WRAPPER)
    name = wrapper.get("name", "")
    if type(name) is not str:
        raise expected("a string", name, "/name")
    return _plain_name(name), wrapper.get("data", b"")


def _plain_name(name: str) -> str:
    return name.removeprefix(_PREFIX)


def _content(content: Any, message: str) -> Values:
    if type(content) is str:
        content = _from_base64(content)
    return decoded(content, message) if type(content) is bytes else named(content, message)


def _from_base64(text: str) -> bytes:
    try:
        return base64.b64decode(text, validate=True)
    except (binascii.Error, ValueError):
        raise WrongValue("invalid base64") from None
