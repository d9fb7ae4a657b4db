"""The entries of a game: its records, and the other actions between them, in bytes, base64 or JSON.

Programs that save records as JSON write each record in one of several ways: in its wrapper, with a key for its name
among its values, without a name, or as bytes in any form that JSON has for them.

Sources: real records; Equim-chan's ``downloadlogs.js`` and its successors, mahjong_soul_api, MajsoulPaipuConvert,
RiichiEnv, mahjong-helper for what they write.
"""

from __future__ import annotations

import base64
import binascii
from collections.abc import Iterator
from typing import Any, NamedTuple

from jmjp_convert.formats.json_values import At, WrongValue, expected
from jmjp_convert.formats.mahjong_soul.messages import (
    DETAILS,
    MESSAGES,
    MOST_ACTIONS,
    MOST_NUMBER,
    WRAPPER,
    Values,
    decoded,
    named,
    squashed,
)

PREFIX = ".lq."
"""What the full name of a message begins with."""

_RECORD, LIVE = "Record", "Action"
"""What the names of records begin with, and those of what a player sees of them during the game."""

_TAGS = ("@type", "_type", "cname")
"""The keys for the name of a record among its values."""

_KINDS = (
    ("tiles0", list, "RecordNewRound"),
    ("hules", list, "RecordHule"),
    ("players", list, "RecordNoTile"),
    ("froms", list, "RecordChiPengGang"),
    ("tiles", str, "RecordAnGangAddGang"),
    ("lefttilecount", int, "RecordDealTile"),
    ("tile", str, "RecordDiscardTile"),
    ("type", int, "RecordLiuJu"),
    ("seat", int, "RecordBaBei"),
)
"""The first key that a record without a name has, with the type of its value, says which record it is."""

_VERSION = 210715
"""The version of details with actions. That of details with records is 0, or missing, as tools may leave out both."""


class Entry(NamedTuple):
    """A record of a game, or another action between two of them."""

    number: int  # its number in the list, from 1
    passed: int | None  # the milliseconds since the table was made; None: not recorded
    name: str  # the name of the record; empty if it is another action
    values: At  # the values of the record
    action: At  # those of the action


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


# --- games ------------------------------------------------------------------------------------------------------------


def answered(answer: Values, head: At | None, pointer: str, key: str = "data") -> Game:
    """Return the game of an *answer* of the server, which is at *pointer* in a document.

    :param head: its head, if it has one.
    :param key: the key of its data in the document; empty: they are the answer itself.
    :raises WrongValue: it has no record of a game.
    """
    code = At(answer.get("error", {}).get("code", 0), f"{pointer}/error/code").count(MOST_NUMBER)
    if code:
        raise WrongValue(f"the server's answer is error {code}", f"{pointer}/error/code")
    data, place = answer.get("data"), f"{pointer}/{key}" if key else pointer
    if not data:
        if answer.get("data_url"):
            raise WrongValue("the file has only the address of the record (URL), not the record", f"{pointer}/data_url")
        raise WrongValue("the record is missing: data is empty", place)
    try:
        values = details(data)
    except WrongValue as wrong:
        raise WrongValue(wrong.message, place + wrong.pointer) from None
    return Game(head, entries(values, place))


def details(data: Any) -> Values:
    """Return the details of a game: *data* are the values or bytes of them, their wrapper, or a list of records.

    :raises WrongValue: it is something else.
    """
    data = _plain(data)
    if type(data) is list:
        return _listed(data)
    if type(data) is dict and {"records", "actions"} & data.keys():
        return named(data, DETAILS)
    name, content = _unwrapped(data)
    if name not in ("", DETAILS):
        raise WrongValue(f"expected {PREFIX}{DETAILS}, found {PREFIX}{name}", "/name")
    return _content(content, DETAILS)


def entries(details: Values, pointer: str) -> Iterator[Entry]:
    """Return the entries of *details*, which are at *pointer* in a document.

    :raises WrongValue: the record is empty, or its version is unknown.
    """
    version = At(details.get("version", 0), f"{pointer}/version").count(MOST_NUMBER)
    if version not in (0, _VERSION):
        raise WrongValue(f"records of version {version} are not known; 0 and {_VERSION} expected", f"{pointer}/version")
    actions, records = (details.get(key, []) for key in ("actions", "records"))
    if not actions and not records:
        raise WrongValue("the record is empty", pointer)
    items = actions or records
    return map(_action if actions else _record, range(1, len(items) + 1), items)


def _listed(items: list[Any]) -> Values:
    """Return the details with the records or actions *items*, which may be lists of those of a frame."""
    if len(items) <= MOST_ACTIONS and all(type(item) is list for item in items):
        items = [each for item in items for each in item]
    if len(items) > MOST_ACTIONS:
        raise WrongValue(f"more than {MOST_ACTIONS:,} values")
    if any(map(_is_action, items)):
        return named({"actions": items}, DETAILS)
    return {"records": items}


def begins_records(value: Any) -> bool:
    """Return whether *value* is the first of the records or actions of a game, or a list of those of its first frame,
    rather than a whole game."""
    if type(value) is list:
        return bool(value) and begins_records(value[0])
    if type(value) is not dict:
        return False
    return _name_of(value).startswith((_RECORD, LIVE)) or _is_action(value)


# --- records ----------------------------------------------------------------------------------------------------------


def _action(number: int, item: Values) -> Entry:
    action = At(item)
    try:
        passed = 0 if "passed" not in item else action.member("passed").count(MOST_NUMBER)
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
        if not name and content == b"" and item:
            raise WrongValue("a record without a name")  # noqa: TRY301 - with the number of the record
        return Entry(number, None, name, At(_content(content, name) if name in MESSAGES else {}), At({}))
    except WrongValue as wrong:
        raise WrongRecord(wrong, number, name) from None


def _is_action(item: Any) -> bool:
    if type(item) is not dict:
        return False
    result = item.get("result")
    return "passed" in item or type(result) is str or (type(result) is dict and _name_of(result) != "")


def _unwrapped(item: Any) -> tuple[str, Any]:
    """Return the name and content of a wrapper: bytes in any form, or an object, which may be the content itself."""
    item = _plain(item)
    if type(item) is bytes:
        wrapper = decoded(item, WRAPPER)
    elif type(item) is dict and not {"name", "data"} & item.keys() and (name := _name_of(item)):
        return name, {key: value for key, value in item.items() if key not in _TAGS}
    else:
        wrapper = named(item, WRAPPER)
    name = wrapper.get("name", "")
    if type(name) is not str:
        raise expected("a string", name, "/name")
    return plain_name(name), wrapper.get("data", b"")


def _name_of(item: Values) -> str:
    """Return the name of a record: as it is tagged, or as its keys show it; empty if they do not."""
    tag = next((tag for tag in ("name", *_TAGS) if type(item.get(tag)) is str), None)
    if tag is not None:
        return plain_name(item[tag])
    types = {squashed(key): type(value) for key, value in item.items()}
    return next((name for key, type_, name in _KINDS if types.get(key) is type_), "")


def plain_name(name: str) -> str:
    """Return the name of a message without that of its package, and that of a record in full.

    >>> plain_name(".lq.RecordHule"), plain_name("*message.RecordHule"), plain_name("Hule")
    ('RecordHule', 'RecordHule', 'RecordHule')
    """
    plain = name.rpartition(".")[2].removeprefix("*")
    return _RECORD + plain if _RECORD + plain in MESSAGES else plain


def _content(content: Any, message: str) -> Values:
    content = _plain(content)
    return decoded(content, message) if type(content) is bytes else named(content, message)


# --- bytes ------------------------------------------------------------------------------------------------------------


def _plain(value: Any) -> Any:
    """Return *value*; bytes if it is one of the ways to write them in JSON.

    Those are base64, a list of numbers, a ``Buffer`` of Node, and an object with the indexes of a typed array as keys.
    """
    if type(value) is str:
        return from_base64(value)
    numbers = value
    if type(value) is dict and value.get("type") == "Buffer":
        numbers = value.get("data")
    elif type(value) is dict and "0" in value:
        numbers = [value.get(str(index)) for index in range(len(value))]
    if type(numbers) is not list or not numbers or type(numbers[0]) is not int:
        return value
    try:
        return bytes(numbers)
    except (TypeError, ValueError):
        raise WrongValue("expected bytes, numbers from 0 to 255") from None


def from_base64(text: str) -> bytes:
    """Return the bytes that *text* has in base64.

    :raises WrongValue: it is no base64.
    """
    try:
        return base64.b64decode(text, validate=True)
    except (binascii.Error, ValueError):
        raise WrongValue("invalid base64") from None
