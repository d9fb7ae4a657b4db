"""What a record of a game comes in: a frame of the connection, wrappers, the answer of the server; JSON of a game as
programs write it, or of all that a connection carried; how to tell.

Sources: ``liqi.proto``; real records; what public programs write: Cryolite/is-majsoul-fair, Akagi and AutoLiqi (frames,
wrappers without a name, ``method``), Equim-chan's ``downloadlogs.js`` and its successors (``mjslog``), mahjong-helper
and MajsoulPaipuConvert (``details``), RiichiEnv (frames in ``data``); the archives (HAR) of browsers.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import islice
from typing import Any, NamedTuple

from jmjp_convert.errors import MahjongSoulError
from jmjp_convert.formats.json_text import Walk
from jmjp_convert.formats.json_values import At, WrongValue, expected
from jmjp_convert.formats.mahjong_soul.entries import PREFIX, Game, answered, details, entries, from_base64, plain_name
from jmjp_convert.formats.mahjong_soul.messages import ANSWER, DETAILS, WRAPPER, Values, decoded, fields, named
from jmjp_convert.lazy_regex import regex

# --- recognition ------------------------------------------------------------------------------------------------------

_NOTICE, _REQUEST, _RESPONSE = b"\x01", b"\x02", b"\x03"
_HEADERS = {_NOTICE: 1, _REQUEST: 3, _RESPONSE: 3}
"""The bytes before the wrapper in a frame of the connection: its type, and the number of a request."""

_NAME = PREFIX.encode()
_FIRST_KEYS = frozenset(b"\x0a\x10\x12\x1a\x22")
_HEAD_KEYS = frozenset(b"\x0a\x10\x18\x2a\x5a\x62\x6a")  # of RecordGame
_ERROR_KEY = 0x08
_LOOKED_AT = 8  # fields

_JSON_KEYS = regex(
    r'"\.?lq\.[A-Z]|"data_?[uU]rl"\s*:|"(?:start_time|startTime)"\s*:\s*[0-9]+\s*,\s*"(?:end_time|endTime)"'
    r'|"(?:data|result|records)"\s*:\s*\[?\s*"C(?:[ghij][A-Za-z0-9+/]ubHEu|gAS)'
    r'|^\{\s*"error"\s*:\s*\{\s*"code"\s*:\s*[0-9]|"mjs(?:head|log)"|"(?:\*?\w+\.)?(?:Record|Action)?NewRound"'
    r'|"tiles0"\s*:\s*\[\s*"[0-9][mpsz]"'
)
"""What JSON has of a record: names of messages, keys of the answer or of its head, base64 of a wrapper, the deal."""

_CAPTURES = regex(
    r'^\s*\{\s*"log"\s*:\s*\{\s*"(?:version|creator|browser|pages|entries)"'
    r'|^\s*\{[^\[\]]*"frames"\s*:\s*\[\s*\{[^{}]*"(?:b64|base64)"'
)
"""How an archive (HAR) of a browser begins, and a list of the messages of a connection with their bytes."""

_SNIFFED = 4096  # characters


class _Digits(NamedTuple):
    """A way to write bytes as text: the *size* in characters of the least *part* that can be read alone."""

    name: str
    size: int
    part: re.Pattern[str]
    read: Callable[[str], bytes]


_HEX = _Digits("hexadecimal digits", 2, regex(r"(?:[0-9A-Fa-f]{2}\s?){16,}"), bytes.fromhex)
_BASE64 = _Digits("base64", 4, regex(r"[A-Za-z0-9+/]{16,}"), from_base64)


def _digits(text: str) -> _Digits:
    """Return how *text* writes the binary form: no first byte of a record is a decimal digit in base64."""
    return _HEX if text[:1].isdecimal() else _BASE64


def begins(text: str) -> bool:
    """Return whether a text with this beginning is JSON of a record, or writes its binary form in digits."""
    if text[:1] in ("{", "["):
        return captures(text) or _JSON_KEYS.search(text) is not None
    digits = _digits(text)
    run = digits.part.match(text[:_SNIFFED])
    if run is None:
        return False
    start = "".join(run[0].split())
    return signs(digits.read(start[: len(start) // digits.size * digits.size]))


def captures(text: str) -> bool:
    """Return whether JSON with this beginning has all that a connection carried, rather than a record."""
    return _CAPTURES.search(text[:_SNIFFED]) is not None


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
    return WRAPPER if wraps or (type(name) is bytes and name.startswith(_NAME)) else _plain_kind(first)


def _first_fields(data: bytes, *, cut: bool) -> dict[int, int | bytes]:
    """Return the first values in the message *data* by the number of their field; none if it is no message."""
    first: dict[int, int | bytes] = {}
    try:
        for number, value in islice(fields(data, cut=cut), _LOOKED_AT):
            first.setdefault(number, value)
    except WrongValue:
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


def _is_wrapper(value: int | bytes | None) -> bool:
    """Return whether *value* begins like a wrapper with a name."""
    return type(value) is bytes and value[:1] == b"\x0a" and value[2:6] == _NAME


# --- bytes ------------------------------------------------------------------------------------------------------------


def of_text(text: str) -> Game:
    """Return the game in *text*, the binary form in base64 or hexadecimal digits, as developer tools of browsers copy
    it.

    :raises WrongValue: it is neither, or no record of a game.
    """
    digits, joined = _digits(text), "".join(text.split())
    try:
        data = digits.read(joined)
    except ValueError:
        raise WrongValue(f"invalid {digits.name}") from None
    return of_bytes(data)


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
        name, data = plain_name(wrapper.get("name", "")), wrapper.get("data", b"")
        message_kind = kind(data)
        if name not in ("", message_kind) or message_kind == WRAPPER:
            raise WrongValue(f"expected a record of a game, found the message {name or 'of another kind'}")
    if message_kind == DETAILS:
        return Game(None, entries(decoded(data, DETAILS), ""))
    if message_kind == ANSWER:
        return of_answer(decoded(data, ANSWER), "")
    list(fields(data))
    raise WrongValue("expected a record of a game, found another message")


def of_answer(answer: Values, pointer: str) -> Game:
    """Return the game of an *answer* of the server, in a message that is at *pointer* in a document.

    :raises WrongValue: it has no record of a game.
    """
    head = answer.get("head")
    return answered(answer, None if head is None else At(head, f"{pointer}/head"), pointer)


def carried(data: bytes) -> Values:
    """Return the answer with a record of a game, or with its address, in *data*, anything that a connection carried.

    A record that is downloaded from its address is the data of an answer without a head; anything else is empty.
    """
    if data[:1] == _RESPONSE:
        data = data[_HEADERS[_RESPONSE] :]
    try:
        wrapper = decoded(data, WRAPPER) if kind(data) == WRAPPER else {}
        if plain_name(wrapper.get("name", "")) == DETAILS:
            return {"data": data}
        inner = wrapper.get("data", data)
        answer = decoded(inner, ANSWER) if kind(inner) == ANSWER else {}
    except WrongValue:
        return {}
    return answer if "uuid" in answer.get("head", {}) and (answer.get("data") or answer.get("data_url")) else {}


# --- JSON of a game ---------------------------------------------------------------------------------------------------

_METHOD = "fetchGameRecord"
"""What a client calls to get a record."""

_HEADS = (("head",), ("mjshead",), ("record", "head"))
"""The keys that lead to the head of a game."""

_CONTENTS = ("data", "details", "mjslog")
"""The keys of the details of a game, the best first: a list beside the data has no times."""

_ENTRIES = frozenset(("records", "actions"))
"""The keys of details that are not in a member."""

_NAMES = "mjsrecordtypes"
"""The key of the names of the records of an ``mjslog``."""


def of_json(value: Any, pointer: str) -> Iterator[Game]:
    """Yield the games in *value*, which is at *pointer* in a document of JSON: it is one, or has them in its members.

    :raises WrongValue: it is no record of a game.
    """
    if type(value) is not dict:
        raise expected("an object", value, pointer)
    method = value.get("method")
    if type(method) is str and plain_name(method) != _METHOD:
        raise WrongValue(f"expected the answer to {_METHOD}, found a message of {plain_name(method)}", pointer)
    inner = [] if _is_game(value) else [key for key, member in value.items() if _is_game(member)]
    for key in inner:
        yield _game(value[key], f"{pointer}/{key}")
    if not inner:
        yield _game(value, pointer)


def _is_game(value: Any) -> bool:
    """Return whether *value* is a game with its head."""
    return type(value) is dict and _head(value, "") is not None and any(map(value.get, (*_CONTENTS, *_ENTRIES)))


def _game(value: Values, pointer: str) -> Game:
    head = _head(value, pointer)
    try:
        if head is None and value.keys() & _ENTRIES:
            return Game(None, entries(named(value, DETAILS), pointer))
        if head is None and "name" in value:
            return Game(None, entries(details(value), f"{pointer}/data"))
        answer = named(value, ANSWER)
        key = next((key for key in _CONTENTS if value.get(key)), "data")
        if key not in value and value.keys() & _ENTRIES:
            answer["data"], key = value, ""
        elif key in value:
            answer["data"] = _with_names(value[key], value.get(_NAMES)) if key == "mjslog" else value[key]
    except WrongValue as wrong:
        raise WrongValue(wrong.message, pointer + wrong.pointer) from None
    return answered(answer, head, pointer, key)


def of_records(items: list[Any]) -> Game:
    """Return the game without a head of *items*: its records, its actions, or lists of those of a frame.

    :raises WrongValue: there are too many.
    """
    return Game(None, entries(details(items), ""))


def _head(value: Values, pointer: str) -> At | None:
    """Return the head of the game in *value*; ``None`` if it has none."""
    for keys in _HEADS:
        head, place = _inner(value, keys), "/".join((pointer, *keys))
        if head is not None:
            try:
                return At(named(head, "RecordGame"), place)
            except WrongValue as wrong:
                raise WrongValue(wrong.message, place + wrong.pointer) from None
    return None


def _inner(value: Any, keys: Iterable[str]) -> Any:
    """Return what *keys* lead to in *value*, which may be anything; ``None`` if it is missing."""
    for key in keys:
        value = value.get(key) if type(value) is dict else None
    return value


def _with_names(items: Any, names: Any) -> Any:
    """Return the records *items* with their *names*, if these are listed apart."""
    if names is None:
        return items
    if type(items) is not list or type(names) is not list or len(items) != len(names):
        raise WrongValue("expected a name for each record of the list, found another number", f"/{_NAMES}")
    return [{"name": name, "data": item} for name, item in zip(names, items, strict=True)]


# --- JSON of all that a connection carried ----------------------------------------------------------------------------

_PATHS = (("log", "entries"), ("frames",))
"""The keys that lead to the messages of a capture."""

_BYTES = ("data", "b64", "base64")
"""The keys of the bytes of a message, in base64."""


def of_capture(walk: Walk[MahjongSoulError]) -> Iterator[Game]:
    """Yield the games of a capture, in the order in which the records came, each once.

    :raises WrongValue: it has none, or only the address of one.
    :raises MahjongSoulError: it is no JSON.
    """
    answers: dict[str, tuple[Values, str]] = {}
    downloads: dict[str, tuple[Values, str]] = {}
    for message, pointer in _messages(walk, _PATHS, ""):
        answer = carried(_bytes_of(message))
        if "head" in answer:
            answers.setdefault(answer["head"]["uuid"], (answer, pointer))
        elif answer:
            downloads[str(message.get("url"))] = answer, pointer
    if not answers and not downloads:
        raise WrongValue(f"no answer to {_METHOD} in this capture; open the replay while the browser records it")
    for answer, pointer in (answers or downloads).values():
        downloaded = downloads.get(answer.get("data_url", ""))
        yield of_answer(answer if downloaded is None else answer | downloaded[0], pointer)


def _messages(
    walk: Walk[MahjongSoulError], paths: Sequence[tuple[str, ...]], pointer: str
) -> Iterator[tuple[Values, str]]:
    """Yield each message of a capture, one value decoded at a time, with the pointer to it."""
    for key in walk.members():
        rest, at = [path[1:] for path in paths if path[0] == key], f"{pointer}/{key}"
        if not rest:
            walk.value()
        elif rest[0]:
            yield from _messages(walk, rest, at)
        else:
            for index in walk.items():
                yield from _messages_of(walk.value(), f"{at}/{index}")


def _messages_of(item: Any, pointer: str) -> Iterator[tuple[Values, str]]:
    """Yield the messages of an *item*: itself or, in an archive, those of a connection or the body of a response."""
    body = _inner(item, ("response", "content"))
    if type(body) is dict and body.get("encoding") == "base64":
        yield {"url": _inner(item, ("request", "url")), "data": body.get("text")}, f"{pointer}/response/content"
    listed = _inner(item, ("_webSocketMessages",))
    for index, message in enumerate(listed if type(listed) is list else ()):
        if type(message) is dict:
            yield message, f"{pointer}/_webSocketMessages/{index}"
    if type(item) is dict and "request" not in item:
        yield item, pointer


def _bytes_of(message: Values) -> bytes:
    """Return the bytes of a *message*; none if they are not in base64."""
    data = next((message[key] for key in _BYTES if type(message.get(key)) is str), "")
    try:
        return from_base64(data)
    except WrongValue:
        return b""
