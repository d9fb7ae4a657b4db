"""Edits: random changes to a file, of bytes, parts or numbers, or by many repetitions."""

from __future__ import annotations

import random
import re
from collections.abc import Callable
from typing import NamedTuple


class Language(NamedTuple):
    """The vocabulary of a format.

    :ivar parts: patterns of the parts of a file; the last one matches names, such as those of tiles.
    :ivar words: text that may occur in a file, or that its readers might trip over.
    :ivar brackets: pairs of text that open and close, and can be nested.
    """

    parts: tuple[re.Pattern[bytes], ...]
    words: tuple[bytes, ...]
    brackets: tuple[tuple[bytes, bytes], ...]


class Material(NamedTuple):
    """What inputs are made from: files in a fixed order, and their language."""

    corpus: list[bytes]
    language: Language


Edit = Callable[[bytes, random.Random, Material], bytes]

WINDOW = 1 << 12
"""How many bytes of a file are searched for parts: with some patterns the time is quadratic."""

_LONGEST_RUN = 16  # as a power of two


# --- bytes -----------------------------------------------------------------------------------------------------------

ODD_BYTES = (
    *(b"\x00", b"\x1b", b"\x7f", b"\xff", b"\xc0\x80", b"\xed\xa0\x80", b"\xf4\x90\x80\x80", b"\xe5\xb1", b"\xc2\x85"),
    *(chr(code).encode() for code in (0xA0, 0x130, 0x17F, 0x301, 0x660, 0x2028, 0x202E, 0x3000, 0xFEFF, 0xFF11)),
    *(b"\xf0\x9f\x98\x80", b"\r", b"\n", b"\r\n", b"\t", b" ", b"\x0b", b"\x0c", b"\x1c"),
)
"""Control bytes, invalid UTF-8, and characters that some functions take for digits, letters, spaces or line ends."""


def edited(text: bytes, dice: random.Random, pieces: tuple[bytes, ...]) -> bytes:
    """Return *text* with a run of bytes deleted, doubled or moved, or with one of *pieces* inserted."""
    start = dice.randrange(len(text) + 1)
    end = min(len(text), start + dice.choice([1, 2, 3, 9, 40, 500]))
    before, part, after = text[:start], text[start:end], text[end:]
    rest = before + after
    place = dice.randrange(len(rest) + 1)
    results = (
        rest,
        before + dice.choice(pieces) + part + after,
        before + dice.choice(pieces) + after,
        before + part + part + after,
        rest[:place] + part + rest[place:],
        rest[:start] + rest[place : place + 1] + rest[start:],
    )
    return dice.choice(results)


def bytes_edited(text: bytes, dice: random.Random, material: Material) -> bytes:
    """Return *text* with a run of bytes changed."""
    return edited(text, dice, material.language.words + ODD_BYTES)


def bit_turned(text: bytes, dice: random.Random, _material: Material | None = None) -> bytes:
    """Return *text* with one bit flipped."""
    if not text:
        return text
    place = dice.randrange(len(text))
    return text[:place] + bytes([text[place] ^ 1 << dice.randrange(8)]) + text[place + 1 :]


def cut(text: bytes, dice: random.Random, _material: Material | None = None) -> bytes:
    """Return the beginning of *text*."""
    return text[: dice.randrange(len(text) + 1)]


# --- parts -----------------------------------------------------------------------------------------------------------

_Span = tuple[int, int]


def _found(pattern: re.Pattern[bytes], text: bytes, dice: random.Random) -> list[_Span]:
    """Return the spans of *pattern* in a window of *text*, at least one, which may be empty."""
    start = dice.randrange(max(1, len(text) - WINDOW))
    return [found.span() for found in pattern.finditer(text, start, start + WINDOW)] or [(0, 0)]


def _parts(text: bytes, dice: random.Random, material: Material) -> list[_Span]:
    """Return the spans of parts of one kind in *text*."""
    return _found(dice.choice(material.language.parts), text, dice)


def _place(text: bytes, dice: random.Random, material: Material) -> int:
    """Return the position of the beginning or end of a part."""
    return dice.choice(dice.choice(_parts(text, dice, material)))


def part_dropped(text: bytes, dice: random.Random, material: Material) -> bytes:
    """Return *text* without a part."""
    start, end = dice.choice(_parts(text, dice, material))
    return text[:start] + text[end:]


def part_repeated(text: bytes, dice: random.Random, material: Material) -> bytes:
    """Return *text* with a part repeated once or a great many times."""
    start, end = dice.choice(_parts(text, dice, material))
    times = dice.choice((1, 1, _many(dice) // max(1, end - start)))
    return text[:end] + text[start:end] * times + text[end:]


def parts_exchanged(text: bytes, dice: random.Random, material: Material) -> bytes:
    """Return *text* with two parts exchanged."""
    spans = _parts(text, dice, material)
    (start, middle), (other, end) = sorted((dice.choice(spans), dice.choice(spans)))
    if middle > other:
        return text
    return text[:start] + text[other:end] + text[middle:other] + text[start:middle] + text[end:]


def part_moved(text: bytes, dice: random.Random, material: Material) -> bytes:
    """Return *text* with a part moved after another."""
    spans = _parts(text, dice, material)
    (start, end), place = dice.choice(spans), dice.choice(spans)[1]
    if place <= start:
        return text[:place] + text[start:end] + text[place:start] + text[end:]
    return text[:start] + text[end:place] + text[start:end] + text[max(end, place) :]


def part_of_another(text: bytes, dice: random.Random, material: Material) -> bytes:
    """Return *text* with a part of another file replacing one of the same kind, or inserted after it."""
    pattern, other = dice.choice(material.language.parts), dice.choice(material.corpus)
    start, end = dice.choice(_found(pattern, other, dice))
    ours = dice.choice(_found(pattern, text, dice))
    return text[: dice.choice(ours)] + other[start:end] + text[ours[1] :]


def exchanged_everywhere(text: bytes, dice: random.Random, material: Material) -> bytes:
    """Return *text* with two names exchanged everywhere: valid text often stays valid."""
    pattern = material.language.parts[-1]
    if len(text) > WINDOW or not (names := sorted(set(pattern.findall(text)))):
        return text
    one, other = dice.choice(names), dice.choice(names)
    turned = {one: other, other: one}
    return pattern.sub(lambda found: turned.get(found[0], found[0]), text)


def exchanged_here_and_there(text: bytes, dice: random.Random, material: Material) -> bytes:
    """Return *text* with a name replaced by another, once or several times."""
    places = _found(material.language.parts[-1], text, dice)
    one, other = (text[slice(*dice.choice(places))] for _ in range(2))
    places = [span for span in places if text[slice(*span)] == one]
    for start, end in sorted(dice.sample(places, dice.randint(1, len(places))), reverse=True):
        text = text[:start] + other + text[end:]
    return text


def word_inserted(text: bytes, dice: random.Random, material: Material) -> bytes:
    """Return *text* with a word inserted before or after a part."""
    place = _place(text, dice, material)
    return text[:place] + dice.choice(material.language.words) + text[place:]


def spliced(text: bytes, dice: random.Random, material: Material) -> bytes:
    """Return the beginning of *text* joined with the end of another file."""
    other = dice.choice(material.corpus)
    return text[: _place(text, dice, material)] + other[_place(other, dice, material) :]


# --- numbers and lists -----------------------------------------------------------------------------------------------

_NUMBER = re.compile(rb"-?[0-9]+")
_LIST = re.compile(rb"(?<![0-9.])-?[0-9.]+(?:,-?[0-9.]+)+")
_ODD_NUMBERS = (
    *(b"%d" % number for number in (0, 1, 2, 3, 4, 9, 10, 13, 14, 15, 16, 17, 34, 37, 52, 88, 99, 135, 136, 255, 256)),
    *(b"%d" % (1 << power) for power in (15, 16, 31, 32, 63)),
    *(b"999999999", b"-999999999", b"1000000000", b"9" * 4301, b"", b"-", b"-0", b"00", b"-1", b"1.5", b"-0.1"),
    *(b"1e5", b"0x10", b"1_0", b"+1", b" 1", b"1 ", b"nan", b"inf", b"\xef\xbc\x91", b"\xd9\xa3"),
)


def number_changed(text: bytes, dice: random.Random, _material: Material) -> bytes:
    """Return *text* with one number replaced."""
    start, end = dice.choice(_found(_NUMBER, text, dice))
    value = int(text[start:end][:18] or b"0")
    near = (value + 1, value - 1, -value, value * 10, value ^ 1 << dice.randrange(17), dice.randrange(136))
    return text[:start] + dice.choice((b"%d" % dice.choice(near), dice.choice(_ODD_NUMBERS))) + text[end:]


def list_changed(text: bytes, dice: random.Random, _material: Material) -> bytes:
    """Return *text* with a number removed from, added to or replaced in a list, or with the list shuffled."""
    start, end = dice.choice(_found(_LIST, text, dice))
    values = text[start:end].split(b",")
    place, value = dice.randrange(len(values)), dice.choice((*values, dice.choice(_ODD_NUMBERS)))
    lists = (
        values[:place] + values[place + 1 :],
        [*values[:place], value, *values[place:]],
        [*values[:place], value, *values[place + 1 :]],
        dice.sample(values, len(values)),
    )
    return text[:start] + b",".join(dice.choice(lists)) + text[end:]


# --- many repetitions ------------------------------------------------------------------------------------------------


def _many(dice: random.Random) -> int:
    """Return a number of bytes, on a logarithmic scale."""
    return int(2 ** dice.uniform(1, _LONGEST_RUN))


def long_run(text: bytes, dice: random.Random, material: Material) -> bytes:
    """Return *text* with a piece inserted a great many times."""
    pieces = (dice.choice(material.language.words), dice.choice(ODD_BYTES), b"0", b"1", b"a", b"%", b"(", b" ")
    piece, place = dice.choice(pieces), _place(text, dice, material)
    return text[:place] + piece * (_many(dice) // len(piece)) + text[place:]


def deeply_nested(text: bytes, dice: random.Random, material: Material) -> bytes:
    """Return *text* with a part inside a great many brackets."""
    opening, closing = dice.choice(material.language.brackets)
    start, end = dice.choice(_parts(text, dice, material))
    depth = _many(dice) // len(opening)
    return text[:start] + opening * depth + text[start:end] + closing * depth + text[end:]
