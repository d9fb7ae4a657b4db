"""Inputs at random: files of a corpus, changed by edits that know what such files are made of.

All follows from the seed: the same seed, number and corpus give the same input.
"""

from __future__ import annotations

import codecs
import gzip
import random
import re
from collections.abc import Callable
from typing import NamedTuple

MOST = 1 << 18
"""The most bytes of an input."""

_EDITS = (1, 1, 1, 2, 2, 3, 5)
_LONGEST_RUN = 16  # as a power of two
_WINDOW = 1 << 12


class Language(NamedTuple):
    """What the files of a format are made of.

    :ivar parts: the parts of a file, by patterns, from the largest to the smallest.
    :ivar words: what may stand in it, or what its readers might trip over.
    :ivar brackets: what opens and closes, and may be put in each other.
    """

    parts: tuple[re.Pattern[bytes], ...]
    words: tuple[bytes, ...]
    brackets: tuple[tuple[bytes, bytes], ...]


class Mutator:
    """Makes inputs.

    :param corpus: the files from which they are made, in an order that stays.
    """

    def __init__(self, corpus: list[bytes], language: Language) -> None:
        self.corpus = corpus
        self.language = language

    def input(self, seed: int, number: int) -> bytes:
        """Return input *number* of *seed*."""
        dice = random.Random(f"{seed}/{number}")  # noqa: S311 - no secret
        return self.changed(dice.choice(self.corpus), dice)

    def changed(self, content: bytes, dice: random.Random) -> bytes:
        """Return *content* after a few edits."""
        for _ in range(dice.choice(_EDITS)):
            (edit,) = dice.choices(*_WEIGHED)
            content = edit(self, content, dice)[:MOST]
        return content


# --- bytes -----------------------------------------------------------------------------------------------------------


def edited(text: bytes, dice: random.Random, pieces: tuple[bytes, ...]) -> bytes:
    """Return *text* with some bytes in a row deleted, doubled or moved, or with one of *pieces* in it."""
    start = dice.randrange(len(text) + 1)
    end = min(len(text), start + dice.choice([1, 2, 3, 9, 40, 500]))
    before, part, after = text[:start], text[start:end], text[end:]
    edit = dice.choice(("delete", "insert", "replace", "duplicate", "move", "swap"))
    if edit == "delete":
        return before + after
    if edit == "insert":
        return before + dice.choice(pieces) + part + after
    if edit == "replace":
        return before + dice.choice(pieces) + after
    if edit == "duplicate":
        return before + part + part + after
    rest = before + after
    place = dice.randrange(len(rest) + 1)
    if edit == "move":
        return rest[:place] + part + rest[place:]
    return rest[:start] + rest[place : place + 1] + rest[start:]


def _bytes(mutator: Mutator, content: bytes, dice: random.Random) -> bytes:
    return edited(content, dice, mutator.language.words + _ODD_BYTES)


_ODD_BYTES = (
    *(b"\x00", b"\x1b", b"\x7f", b"\xff", b"\xc0\x80", b"\xed\xa0\x80", b"\xf4\x90\x80\x80", b"\xe5\xb1", b"\xc2\x85"),
    *(chr(code).encode() for code in (0xA0, 0x130, 0x17F, 0x301, 0x660, 0x2028, 0x202E, 0x3000, 0xFEFF, 0xFF11, 0x1F600)),
    *(b"\r", b"\n", b"\r\n", b"\t", b" ", b"\x0b", b"\x0c", b"\x1c"),
)
"""No text, half characters, and characters that some functions take for digits, letters, spaces or line ends."""


def _bit(_mutator: Mutator, content: bytes, dice: random.Random) -> bytes:
    if not content:
        return content
    place = dice.randrange(len(content))
    return content[:place] + bytes([content[place] ^ 1 << dice.randrange(8)]) + content[place + 1 :]


def _cut(_mutator: Mutator, content: bytes, dice: random.Random) -> bytes:
    return content[: dice.randrange(len(content) + 1)]


# --- parts -----------------------------------------------------------------------------------------------------------

_Span = tuple[int, int]


def _spans(mutator: Mutator, content: bytes, dice: random.Random) -> list[_Span]:
    """Return where the parts of one kind stand in *content*; at least one part, which may be empty."""
    return _found(dice.choice(mutator.language.parts), content, dice) or [(0, 0)]


def _found(pattern: re.Pattern[bytes], content: bytes, dice: random.Random) -> list[_Span]:
    """Return where *pattern* stands in *content*, of which no more than a window is looked at: a pattern may need a
    time that grows as the square of it."""
    start = dice.randrange(max(1, len(content) - _WINDOW))
    return [found.span() for found in pattern.finditer(content, start, start + _WINDOW)]


def _part_dropped(mutator: Mutator, content: bytes, dice: random.Random) -> bytes:
    start, end = dice.choice(_spans(mutator, content, dice))
    return content[:start] + content[end:]


def _part_repeated(mutator: Mutator, content: bytes, dice: random.Random) -> bytes:
    start, end = dice.choice(_spans(mutator, content, dice))
    times = 1 if dice.random() < 0.7 else _many(dice) // max(1, end - start)
    return content[:end] + content[start:end] * times + content[end:]


def _parts_exchanged(mutator: Mutator, content: bytes, dice: random.Random) -> bytes:
    spans = _spans(mutator, content, dice)
    (start, middle), (other, end) = sorted((dice.choice(spans), dice.choice(spans)))
    if middle > other:
        return content
    return content[:start] + content[other:end] + content[middle:other] + content[start:middle] + content[end:]


def _part_moved(mutator: Mutator, content: bytes, dice: random.Random) -> bytes:
    spans = _spans(mutator, content, dice)
    (start, end), place = dice.choice(spans), dice.choice(spans)[1]
    if start < place < end:
        return content
    part, rest = content[start:end], content[:start] + content[end:]
    place -= len(part) * (place >= end)
    return rest[:place] + part + rest[place:]


def _part_of_another(mutator: Mutator, content: bytes, dice: random.Random) -> bytes:
    """Put a part of another file in the place of one of the same kind, or behind it."""
    pattern = dice.choice(mutator.language.parts)
    theirs = pattern.findall(dice.choice(mutator.corpus))
    ours = _found(pattern, content, dice)
    if not theirs or not ours:
        return content
    start, end = dice.choice(ours)
    if dice.random() < 0.5:
        start = end
    return content[:start] + dice.choice(theirs) + content[end:]


def _everywhere(mutator: Mutator, content: bytes, dice: random.Random) -> bytes:
    """Exchange two of the smallest parts wherever they stand: a file that is sound often stays so."""
    pattern = mutator.language.parts[-1]
    if len(content) > _WINDOW or not (parts := sorted(set(pattern.findall(content)))):
        return content
    one, other = dice.choice(parts), dice.choice(parts)
    turned = {one: other, other: one}
    return pattern.sub(lambda found: turned.get(found[0], found[0]), content)


def _word(mutator: Mutator, content: bytes, dice: random.Random) -> bytes:
    place = dice.choice(dice.choice(_spans(mutator, content, dice)))
    return content[:place] + dice.choice(mutator.language.words) + content[place:]


def _spliced(mutator: Mutator, content: bytes, dice: random.Random) -> bytes:
    other = dice.choice(mutator.corpus)
    _, end = dice.choice(_spans(mutator, content, dice))
    start, _ = dice.choice(_spans(mutator, other, dice))
    return content[:end] + other[start:]


# --- numbers and lists -----------------------------------------------------------------------------------------------

_NUMBER = re.compile(rb"-?[0-9]+")
_LIST = re.compile(rb"(?<![0-9.])-?[0-9.]+(?:,-?[0-9.]+)+")
_ODD_NUMBERS = (
    *(b"", b"-", b"-0", b"00", b"-1", b"0", b"1", b"2", b"3", b"4", b"9", b"10", b"13", b"14", b"15", b"16", b"17", b"34"),
    *(b"52", b"88", b"99", b"100", b"135", b"136", b"255", b"256", b"999", b"4300", b"32767", b"65535", b"65536"),
    *(b"999999999", b"-999999999", b"1000000000", b"2147483648", b"4294967295", b"9223372036854775808", b"9" * 4301),
    *(b"1.5", b"-0.1", b"1e5", b"0x10", b"1_0", b"+1", b" 1", b"1 ", b"nan", b"inf", "１".encode(), "٣".encode()),  # noqa: RUF001
)


def _number(_mutator: Mutator, content: bytes, dice: random.Random) -> bytes:
    spans = _found(_NUMBER, content, dice)
    if not spans:
        return content
    start, end = dice.choice(spans)
    value = int(content[start:end][:18])
    near = (value + 1, value - 1, -value, value * 10, value ^ 1 << dice.randrange(17), dice.randrange(136))
    number = b"%d" % dice.choice(near) if dice.random() < 0.6 else dice.choice(_ODD_NUMBERS)
    return content[:start] + number + content[end:]


def _list(_mutator: Mutator, content: bytes, dice: random.Random) -> bytes:
    spans = _found(_LIST, content, dice)
    if not spans:
        return content
    start, end = dice.choice(spans)
    values = content[start:end].split(b",")
    place, other = dice.randrange(len(values)), dice.randrange(len(values))
    edit = dice.randrange(4)
    if edit == 0:
        del values[place]
    elif edit == 1:
        values.insert(place, values[other])
    elif edit == 2:
        values[place], values[other] = values[other], values[place]
    else:
        values[place] = dice.choice(_ODD_NUMBERS)
    return content[:start] + b",".join(values) + content[end:]


# --- much of one thing -----------------------------------------------------------------------------------------------


def _many(dice: random.Random) -> int:
    """Return a number of bytes, small ones as often as large ones."""
    return int(2 ** dice.uniform(1, _LONGEST_RUN))


def _long(mutator: Mutator, content: bytes, dice: random.Random) -> bytes:
    piece = dice.choice((dice.choice(mutator.language.words), dice.choice(_ODD_BYTES), b"0", b"1", b"a", b"%", b"("))
    place = dice.choice(dice.choice(_spans(mutator, content, dice)))
    return content[:place] + piece * (_many(dice) // max(1, len(piece))) + content[place:]


def _nested(mutator: Mutator, content: bytes, dice: random.Random) -> bytes:
    opening, closing = dice.choice(mutator.language.brackets)
    start, end = dice.choice(_spans(mutator, content, dice))
    depth = _many(dice) // len(opening)
    return content[:start] + opening * depth + content[start:end] + closing * depth + content[end:]


# --- encodings -------------------------------------------------------------------------------------------------------

_ENCODINGS = ("utf-16", "utf-16-le", "utf-16-be", "utf-32", "utf-8-sig", "utf-7", "latin-1", "cp932", "euc_jp", "cp037")
_MARKS = (codecs.BOM_UTF8, codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE, codecs.BOM_UTF32_LE, codecs.BOM_UTF32_BE)


def _encoded(_mutator: Mutator, content: bytes, dice: random.Random) -> bytes:
    encoding = dice.choice(_ENCODINGS)
    text = content.decode("utf-8", "replace")
    if dice.random() < 0.5:
        said = dice.choice((*_ENCODINGS, "UTF-8", "ascii", "Shift_JIS", "x"))
        text = f'<?xml version="{dice.choice(("1.0", "1.1"))}" encoding="{said}"?>{text}'
    return text.encode(encoding, "replace")


def _marked(_mutator: Mutator, content: bytes, dice: random.Random) -> bytes:
    return dice.choice(_MARKS) + content


def _gzipped(mutator: Mutator, content: bytes, dice: random.Random) -> bytes:
    """Return *content* as gzip, most often with something odd about it."""
    packed = gzip.compress(content, 1, mtime=0)
    odd: tuple[Callable[[], bytes], ...] = (
        lambda: packed,
        lambda: packed + packed,
        lambda: packed + b"\x00" * 9,
        lambda: packed + content[:40],
        lambda: gzip.compress(packed, 1, mtime=0),
        lambda: packed + _ZEROS,
        lambda: _cut(mutator, packed, dice),
        lambda: _bit(mutator, packed, dice),
        lambda: edited(packed, dice, _ODD_BYTES),
    )
    return dice.choice(odd)()


_ZEROS = gzip.compress(b"\x00" * (3 << 20), mtime=0)

_Edit = Callable[[Mutator, bytes, random.Random], bytes]

_WEIGHTS: dict[_Edit, float] = {
    _bytes: 6,
    _bit: 2,
    _cut: 1,
    _part_dropped: 4,
    _part_repeated: 3,
    _parts_exchanged: 4,
    _part_moved: 3,
    _part_of_another: 6,
    _everywhere: 6,
    _word: 6,
    _spliced: 2,
    _number: 8,
    _list: 4,
    _long: 1,
    _nested: 0.5,
    _encoded: 0.5,
    _marked: 0.3,
    _gzipped: 0.7,
}
_WEIGHED = tuple(_WEIGHTS), tuple(_WEIGHTS.values())
"""The edits, and how often each comes."""
