"""Read the case files below `fixtures`: inputs that must be rejected, each with the place and the reason.

`fixtures/README.md` explains their form. Mistakes (an edit whose old text is missing, duplicate names, a folder without
cases) raise an exception, so that no case is lost by accident.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any, NamedTuple

FIXTURES = Path(__file__).parent.parent / "fixtures"
EXTENSIONS = {
    "jmjp": "jmjp",
    "json": "jsonl",
    "mjai": "mjson",
    "majiang": "majiang.json",
    "riichi-city": "riichi-city.json",
    "tenhou6": "tenhou6.json",
    "mahjong-soul": "rec",
}
"""The file extensions of the formats, by folder."""

_HEAD = re.compile(r"^(?=(?:base|case|game) )", re.MULTILINE)
_EDIT = re.compile(r"(?:(first|last|all) )?(?:drop (.+)|(.+?) -> (.+))")
_REPLACE: dict[str | None, Callable[[bytes, bytes, bytes], bytes]] = {
    None: bytes.replace,
    "all": bytes.replace,
    "first": lambda text, old, new: text.replace(old, new, 1),
    "last": lambda text, old, new: new.join(text.rsplit(old, 1)),
}
_ESCAPE = re.compile(r"\\(?:([nrt])|x([0-9A-F]{2})|\{(\d+) × ([^{}]+)\})".encode())
_CONTROLS = {b"n": b"\n", b"r": b"\r", b"t": b"\t"}


class Block(NamedTuple):
    """A block of a case file: a head such as `case NAME from BASE`, and the lines below it."""

    name: str
    bases: list[str]
    lines: list[str]


class Refusal(NamedTuple):
    """An input that must be rejected.

    :ivar place: the place of the error: `14:3`, or `14` if only the line is given, or `0` if no line is.
    :ivar reason: the error message.
    """

    content: bytes
    place: str
    reason: str


def refusals(folder: str) -> dict[str, Refusal]:
    """Return the cases of the format in *folder*, by name."""
    bases = sound(folder)
    found = {block.name: _refusal(block, bases) for block in _unique_blocks(folder, "case")}
    if not found:
        raise ValueError(f"{folder}: no cases")
    return found


def sound(folder: str) -> dict[str, bytes]:
    """Return the texts that the cases in *folder* start from, by name: its valid files, and the bases."""
    extension = f".{EXTENSIONS[folder]}"
    paths = (FIXTURES / folder / "valid").glob(f"*{extension}")
    found = {path.name.removesuffix(extension): path.read_bytes() for path in paths}
    for block in _unique_blocks(folder, "base"):
        if block.name in found:
            raise ValueError(f"{folder}: duplicate base: {block.name}")
        found[block.name] = content(block, found)
    return found


def blocks(path: Path, word: str) -> list[Block]:
    """Return the blocks of a file whose heads begin with *word*, without comments and empty lines."""
    parts = _HEAD.split(path.read_text(encoding="utf-8"))
    before, *found = ([line for line in part.split("\n") if line and line[0] != "#"] for part in parts)
    if before:
        raise ValueError(f"{path.name}: text before the first block: {before[0]}")
    heads = (
        (head.removeprefix(f"{word} ").partition(" from "), lines)
        for head, *lines in found
        if head.startswith(f"{word} ")
    )
    return [Block(name, bases.split(), lines) for (name, _, bases), lines in heads]


def content(block: Block, bases: Mapping[str, bytes]) -> bytes:
    """Return the input of *block*: its *bases*, joined, or the lines after `|`, with its edits applied."""
    whole = [line for line in block.lines if line.startswith("|")]
    if bool(whole) == bool(block.bases):
        raise ValueError(f"{block.name}: either a base or a whole text is required")
    text = _whole(whole) if whole else b"".join(bases[name] for name in block.bases)
    for line in block.lines[len(whole) :]:
        text = _edited(text, line)
    return text


def _unique_blocks(folder: str, word: str) -> Iterator[Block]:
    """Yield the blocks of all case files in *folder* that begin with *word*; their names are unique."""
    names = set()
    for path in sorted((FIXTURES / folder / "invalid").glob("*.txt")):
        for block in blocks(path, word):
            if block.name in names:
                raise ValueError(f"{path.name}: duplicate {word}: {block.name}")
            names.add(block.name)
            yield block


def _refusal(block: Block, bases: Mapping[str, bytes]) -> Refusal:
    """Return the case that *block* describes."""
    *lines, last = block.lines
    told = re.fullmatch(r"at (\d+(?::\d+)?): (.+)", last)
    if told is None:
        raise ValueError(f"{block.name}: expected a place and a reason in the last line, found: {last}")
    return Refusal(content(block._replace(lines=lines), bases), *told.groups())


def _whole(lines: list[str]) -> bytes:
    r"""Return the text of *lines*, each with a line feed unless it ends in `\`."""
    return _meant("".join(f"{line[1:].removeprefix(' ')}\n" for line in lines).replace("\\\n", ""))


def _edited(text: bytes, line: str) -> bytes:
    """Return *text* after the edit in *line*."""
    command, _, operand = line.partition(" ")
    if command == "encode":
        return text.decode().encode(operand)
    if command == "cut":
        kept = _there(text, operand)
        return text.partition(kept)[0] + kept
    if command in _CHANGES:
        return _changed(text, line)
    edit = _EDIT.fullmatch(line)
    if edit is None:
        raise ValueError(f"not an edit: {line}")
    which, dropped, old, new = edit.groups()
    return _REPLACE[which](text, _there(text, dropped or old, several=which is not None), _meant(new or ""))


def _changed(text: bytes, line: str) -> bytes:
    """Return JSON, of one value or one on each line, changed at a pointer as *line* says; it looks into
    strings too, and at `*` into each value that has the rest."""
    command, pointer, *value = line.split(" ", 2)
    path = pointer.split("/")[1:]
    try:
        whole = json.loads(text)
    except ValueError:
        parsed = _at([json.loads(one) for one in text.splitlines()], path, command, value)
        return "".join(f"{_compact(one)}\n" for one in parsed).encode()
    return _compact(_at(whole, path, command, value)).encode()


def _at(value: Any, path: list[str], command: str, new: list[str]) -> Any:
    """Return a JSON *value* after a change at *path*."""
    if isinstance(value, str):
        return _compact(_at(json.loads(value), path, command, new))
    first, *rest = path
    if first == "*":
        for each in value:
            with suppress(KeyError):
                _at(each, rest, command, new)
        return value
    key: Any = int(first) if isinstance(value, list) else first
    if rest:
        value[key] = _at(value[key], rest, command, new)
    else:
        _CHANGES[command](value, key, *map(json.loads, new))
    return value


def _compact(value: object) -> str:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))


_CHANGES: dict[str, Callable[..., object]] = {
    "set": lambda within, key, value: within.__setitem__(key, value),
    "insert": lambda within, key, value: within.insert(key, value),
    "delete": lambda within, key: within.__delitem__(key),
}


def _there(text: bytes, old: str, *, several: bool = False) -> bytes:
    """Return the bytes of *old*, which must occur in *text* exactly once, or with *several* more than once."""
    meant = _meant(old)
    count = text.count(meant)
    if count == 0 or (count > 1) is not several:
        raise ValueError(f"found {count} times: {old}")
    return meant


def _meant(text: str) -> bytes:
    r"""Return the bytes of *text*, with the escapes `\n`, `\r`, `\t`, `\xE9` and `\{50 × (}` replaced."""

    def bytes_of(found: re.Match[bytes]) -> bytes:
        control, byte, count, repeated = found.groups()
        if control:
            return _CONTROLS[control]
        return bytes.fromhex(byte.decode()) if byte else int(count) * repeated

    return _ESCAPE.sub(bytes_of, text.encode())
