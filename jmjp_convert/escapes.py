"""Escapes the characters that would break a line, control a terminal, or hide in a text."""

from __future__ import annotations

import re

from jmjp_convert.patterns import regex

_CONTROLS = r"\x00-\x1f\x7f-\x9f\u2028\u2029\ufff9-\ufffb"
_INVISIBLE = (  # Unicode's Default_Ignorable_Code_Point: among them all that change the direction of a text
    r"\xad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f\u202a-\u202e\u2060-\u206f\u3164\ufe00-\ufe0f"
    r"\ufeff\uffa0\ufff0-\ufff8\U0001bca0-\U0001bca3\U0001d173-\U0001d17a\U000e0000-\U000e0fff"
)
_EMOJI = r"\xa9\xae\u203c\u2049\u2100-\u2bff\u3030\u303d\u3297\u3299\U0001f000-\U0001faff"
_KANJI = r"\u3400-\u9fff\uf900-\ufaff\U00020000-\U0003ffff"
_WANTED = (
    rf"(?<=[{_EMOJI}])[\ufe0e\ufe0f]",  # text or picture
    r"(?<=[0-9#*])\ufe0f(?=\u20e3)",  # a keycap
    rf"(?<=[{_EMOJI}\ufe0f])\u200d(?=[{_EMOJI}])",  # several emoji shown as one, such as a family
    rf"(?<=[{_KANJI}])[\ufe00-\ufe02\U000e0100-\U000e01ef]",  # the form of a kanji
)
"""Where a character that is invisible by itself changes the one before it, as in names that people really have."""

_HIDDEN = regex(f"(?P<wanted>{'|'.join(_WANTED)})|[{_CONTROLS}{_INVISIBLE}]")


def escaped(text: str) -> str:
    r"""Return *text* with such characters as Python writes them: ``\x1b``, ``\u202e``."""
    return text if text.isascii() and text.isprintable() else _HIDDEN.sub(_escape, text)


def _escape(found: re.Match[str]) -> str:
    return found[0] if found["wanted"] else found[0].encode("unicode_escape").decode("ascii")
