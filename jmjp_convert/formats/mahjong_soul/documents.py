"""JSON of records of Mahjong Soul: a game as programs write it, or all that a connection carried.

Sources: real records; what public programs write: Equim-chan's ``downloadlogs.js`` and its successors (``mjslog``),
mahjong-helper and MajsoulPaipuConvert (``details``), RiichiEnv (frames in ``data``), Akagi and AutoLiqi (``method``);
the archives (HAR) of browsers.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from jmjp_convert.errors import MahjongSoulError
from jmjp_convert.formats.json_text import Walk
from jmjp_convert.formats.json_values import At, WrongValue, expected
from jmjp_convert.formats.mahjong_soul.entries import Game, answered, details, entries, from_base64, plain_name
from jmjp_convert.formats.mahjong_soul.messages import ANSWER, DETAILS, Values, named
from jmjp_convert.formats.mahjong_soul.wrappings import carried, of_answer

# --- a game -----------------------------------------------------------------------------------------------------------

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
        head = _inner(value, keys)
        if head is not None:
            try:
                return At(named(head, "RecordGame"), f"{pointer}/{'/'.join(keys)}")
            except WrongValue as wrong:
                raise WrongValue(wrong.message, f"{pointer}/{'/'.join(keys)}{wrong.pointer}") from None
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


# --- all that a connection carried ------------------------------------------------------------------------------------

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
