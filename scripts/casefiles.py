"""Read the files of cases below `fixtures`: inputs that have to be refused, each with the place and the reason.

`fixtures/README.md` explains their form. What does not hold together (an edit of what is not there, two cases of one
name, a folder without cases) ends in an exception here, so that no case is lost by accident.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import NamedTuple

FIXTURES = Path(__file__).parent.parent / "fixtures"
ENDINGS = {"jmjp": "jmjp", "json": "jsonl"}
"""By the folder of a format, how the names of its files end."""

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
    """A part of a file of cases: a head such as `case NAME from BASE`, and the lines below it."""

    name: str
    bases: list[str]
    lines: list[str]


class Refusal(NamedTuple):
    """An input that has to be refused.

    :ivar place: where it is wrong: `14:3`, or `14` if only the line is told.
    :ivar reason: what is wrong there, in the words of the message.
    """

    content: bytes
    place: str
    reason: str


def refusals(folder: str) -> dict[str, Refusal]:
    """Return the cases of the format in *folder*, by name."""
    bases = sound(folder)
    found = {block.name: _refusal(block, bases) for block in _told(folder, "case")}
    if not found:
        raise ValueError(f"{folder}: no case")
    return found


def sound(folder: str) -> dict[str, bytes]:
    """Return, by name, what the cases of the format in *folder* are made from: its sound files, and the bases."""
    found = {path.stem: path.read_bytes() for path in (FIXTURES / folder / "valid").glob(f"*.{ENDINGS[folder]}")}
    for block in _told(folder, "base"):
        if block.name in found:
            raise ValueError(f"{folder}: two bases of one name: {block.name}")
        found[block.name] = content(block, found)
    return found


def blocks(path: Path, word: str) -> list[Block]:
    """Return the blocks of a file whose head begins with *word*, without comments and empty lines."""
    parts = _HEAD.split(path.read_text(encoding="utf-8"))
    before, *found = ([line for line in part.split("\n") if line and line[0] != "#"] for part in parts)
    if before:
        raise ValueError(f"{path.name}: this stands before the first block: {before[0]}")
    heads = (
        (head.removeprefix(f"{word} ").partition(" from "), lines)
        for head, *lines in found
        if head.startswith(f"{word} ")
    )
    return [Block(name, bases.split(), lines) for (name, _, bases), lines in heads]


def content(block: Block, bases: Mapping[str, bytes]) -> bytes:
    """Return the input that *block* gives: its *bases*, one behind another, or what stands behind `|`; then edited."""
    whole = [line for line in block.lines if line.startswith("|")]
    if bool(whole) == bool(block.bases):
        raise ValueError(f"{block.name}: it needs either a base or a whole text")
    text = _whole(whole) if whole else b"".join(bases[name] for name in block.bases)
    for line in block.lines[len(whole) :]:
        text = _edited(text, line)
    return text


def _told(folder: str, word: str) -> Iterator[Block]:
    """Yield the blocks of all files of cases in *folder* that begin with *word*, no two of one name."""
    names = set()
    for path in sorted((FIXTURES / folder / "invalid").glob("*.txt")):
        for block in blocks(path, word):
            if block.name in names:
                raise ValueError(f"{path.name}: another {word} of this name: {block.name}")
            names.add(block.name)
            yield block


def _refusal(block: Block, bases: Mapping[str, bytes]) -> Refusal:
    """Return the case that *block* tells."""
    *lines, last = block.lines
    told = re.fullmatch(r"at (\d+(?::\d+)?): (.+)", last)
    if told is None:
        raise ValueError(f"{block.name}: a place and a reason have to end it, not: {last}")
    return Refusal(content(block._replace(lines=lines), bases), *told.groups())


def _whole(lines: list[str]) -> bytes:
    r"""Return the text that *lines* give outright: each ends in a line feed, unless a `\` ends it."""
    return _meant("".join(f"{line[1:].removeprefix(' ')}\n" for line in lines).replace("\\\n", ""))


def _edited(text: bytes, line: str) -> bytes:
    """Return *text* after the edit that *line* tells."""
    command, _, operand = line.partition(" ")
    if command == "encode":
        return text.decode().encode(operand)
    if command == "cut":
        kept = _there(text, operand)
        return text.partition(kept)[0] + kept
    edit = _EDIT.fullmatch(line)
    if edit is None:
        raise ValueError(f"this is no edit: {line}")
    which, dropped, old, new = edit.groups()
    return _REPLACE[which](text, _there(text, dropped or old, several=which is not None), _meant(new or ""))


def _there(text: bytes, old: str, *, several: bool = False) -> bytes:
    """Return the bytes of *old*, which have to be in *text*: once, or several times."""
    meant = _meant(old)
    count = text.count(meant)
    if count == 0 or (count > 1) is not several:
        raise ValueError(f"this is there {count} times: {old}")
    return meant


def _meant(text: str) -> bytes:
    r"""Return the bytes of *text*, in which `\n`, `\r`, `\t`, `\xE9` and `\{50 × (}` stand for others."""

    def bytes_of(found: re.Match[bytes]) -> bytes:
        control, byte, count, repeated = found.groups()
        if control:
            return _CONTROLS[control]
        return bytes.fromhex(byte.decode()) if byte else int(count) * repeated

    return _ESCAPE.sub(bytes_of, text.encode())
