"""Edits of a whole file: other encodings, byte order marks and gzip."""

from __future__ import annotations

import codecs
import gzip
import random

from fuzzing.edits import ODD_BYTES, Material, bit_turned, cut, edited

_ENCODINGS = (
    *("utf-16", "utf-16-le", "utf-16-be", "utf-32", "utf-32-le", "utf-32-be", "utf-8-sig", "utf-7"),
    *("latin-1", "cp932", "euc_jp", "cp037"),
)
_DECLARED = ("", *_ENCODINGS, "UTF-8", "ascii", "Shift_JIS", "x")
_MARKS = (codecs.BOM_UTF8, codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE, codecs.BOM_UTF32_LE, codecs.BOM_UTF32_BE)
_BOMB = gzip.compress(b"\x00" * (3 << 20), mtime=0)


def encoded(text: bytes, dice: random.Random, _material: Material) -> bytes:
    """Return *text* in another encoding, perhaps with a declaration of that or another one."""
    characters = text.decode("utf-8", "replace")
    declaration = f'<?xml version="{dice.choice(("1.0", "1.1"))}" encoding="{dice.choice(_DECLARED)}"?>'
    return (dice.choice(("", declaration)) + characters).encode(dice.choice(_ENCODINGS), "replace")


def marked(text: bytes, dice: random.Random, _material: Material) -> bytes:
    """Return *text* after a byte order mark."""
    return dice.choice(_MARKS) + text


def packed(text: bytes, dice: random.Random, _material: Material) -> bytes:
    """Return *text* as gzip, usually with something odd about it."""
    content = gzip.compress(text, 1, mtime=0)
    odd = (
        content,
        content + content,
        content + bytes(9),
        content + text[:40],
        content + _BOMB,
        gzip.compress(content, 1, mtime=0),
        cut(content, dice),
        bit_turned(content, dice),
        edited(content, dice, ODD_BYTES),
    )
    return dice.choice(odd)
