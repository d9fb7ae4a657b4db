"""Texts of the program in Japanese.

The program is in English inside: its errors, what Python users see, JSON and ledgers. ``ja.po`` has each text in
Japanese; ``{}`` stands for what is filled in, which is translated too, and ``{1}`` for the second of several where
Japanese has another order. In ``{*}`` single words are translated too, which elsewhere may be names of files, ``{#}``
is a number, ``{@}`` a frame such as ``E3-0``, and ``{!}`` the message of a library, which is not translated.
``scripts/sentences.py`` prints all texts of the program; a test compares it with the catalogue.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping, Sequence
from functools import cache, lru_cache
from typing import NamedTuple

from jmjp_convert.lazy_regex import regex

_CATALOGUE = os.path.join(os.path.dirname(__file__), "ja.po")
_LONGEST = 2000  # characters of a text that is translated
_DEEPEST = 12  # texts inside texts
_MANY = 3  # words
_SHORT = 60  # characters: a short template says little, so it stands for short texts only
_WORDS = frozenset({"East", "South", "West", "North", "nobody"})
"""Single words that are translated everywhere: the seats of players."""
_BLANK = regex(r"\{([0-9]*)([*#@!]?)\}")
_AS_WORD, _NUMBER, _AS_FRAME, _FOREIGN = "*#@!"
_HINTS = (" Try '", " Did you mean ")
_FRAME = regex(r"([ESWN])([1-4])-([0-9]+)")
WINDS = {"E": "東", "S": "南", "W": "西", "N": "北"}
_SPLITS = 8  # places in front of a message, such as file, member and line


def in_japanese(text: str) -> str:
    """Return *text* in Japanese, as far as the catalogue has it."""
    return text if len(text) > _LONGEST else _translate(text, _Inside()) or text


# --- the catalogue ----------------------------------------------------------------------------------------------------


class _Template(NamedTuple):
    """An English text with blanks, and the Japanese one."""

    literals: Sequence[str]  # the English text around the blanks
    longest: str  # the longest of them
    japanese: Sequence[str]  # the Japanese text around the blanks
    # The numbers of the blanks in the order of the Japanese text, each with its mark, which may be empty.
    marks: Mapping[int, str]

    def fits_tightly(self, parts: Sequence[str]) -> bool:
        """Return whether the *parts* of a text that fits the template name no place, such as a file or a line. A part
        that is a text of the catalogue does not."""
        plain, _ = _catalogue()
        return not any(
            ": " in part and part not in plain and self.marks.get(index) != _FOREIGN for index, part in enumerate(parts)
        )

    @property
    def is_weak(self) -> bool:
        """Whether little is around the blanks, such as "or"."""
        return not self.literals[0] and self._words <= 1

    @property
    def is_long(self) -> bool:
        """Whether a text that fits the template is hardly anything else, even with places in it."""
        return bool(self.literals[0]) and self._words > _MANY

    @property
    def _words(self) -> int:
        return sum(any(map(str.isalpha, word)) for word in " ".join(self.literals).split())


def entries() -> Iterator[tuple[str, str]]:
    """Yield the English and Japanese texts of the catalogue."""
    import json

    pair: list[str] = []
    with open(_CATALOGUE, encoding="utf-8") as file:
        lines = file.read().splitlines()
    for line in lines:
        word, quote, _ = line.partition('"')
        if word == "msgid " and pair:
            yield pair[0], pair[1]
            pair = []
        if quote and word in ("msgid ", "msgstr "):
            pair.append("")
        if quote:
            pair[-1] += json.loads(line[len(word) :])
    yield pair[0], pair[1]


@cache
def _catalogue() -> tuple[dict[str, str], list[_Template]]:
    """Return the texts without blanks, and the others, those with the longest literals first."""
    plain: dict[str, str] = {}
    templates = []
    for english, japanese in entries():
        plain.setdefault(english, japanese)
        literals = english.split("{}")
        if len(literals) > 1:
            pieces = _BLANK.split(japanese)
            numbers = (int(index or number) for number, index in enumerate(pieces[1::3]))
            marks = dict(zip(numbers, pieces[2::3], strict=True))
            templates.append(_Template(literals, max(literals, key=len), pieces[::3], marks))
    templates.sort(key=lambda template: -sum(map(len, template.literals)))
    return plain, templates


# --- translation ------------------------------------------------------------------------------------------------------


class _Inside(NamedTuple):
    """Where a text is: inside how many others, and whether a single word there is one of the program."""

    depth: int = 0
    words: bool = False

    def deeper(self, *, words: bool = False) -> _Inside:
        """Return where a part of the text is."""
        return _Inside(self.depth + 1, self.words or words)


@lru_cache(maxsize=10_000)
def _translate(text: str, inside: _Inside) -> str | None:
    """Return *text* in Japanese, or ``None`` if the catalogue has nothing of it."""
    stripped = text.strip(" ")
    if not stripped or inside.depth > _DEEPEST or not any("a" <= letter <= "z" for letter in text):
        return None
    plain, _ = _catalogue()
    if stripped in plain and (inside.words or not inside.depth or " " in stripped or stripped in _WORDS):
        return text.replace(stripped, plain[stripped], 1)
    number, _, noun = stripped.partition(" ")
    if " " in noun and noun in plain and _is_number(number):
        return f"{plain[noun]} {number}"
    matches = _matches(stripped)
    strong = [match for match in matches if not match[0].is_weak]
    tight = next((match for match in strong if match[0].fits_tightly(match[1])), None)
    return (
        _with_hint(stripped, inside)
        or _with_remark(stripped, inside)
        or _listed_counts(stripped, inside)
        or (_without_stop(stripped, inside) if tight and not tight[0].literals[-1] else None)
        or (_filled(tight, inside) if tight else None)
        or _without_stop(stripped, inside)
        or next((_filled(match, inside) for match in strong if match[0].is_long), None)
        or _behind_location(stripped, inside)
        or _listed(stripped, "; ", "。", inside)
        or (_filled(matches[0], inside) if matches else None)
        or _with_parentheses(stripped, inside)
        or _counted(stripped, inside)
        or _listed(stripped, ", ", "、", inside)
    )


@lru_cache(maxsize=1_000)  # a text with many places in it is tried at several depths
def _matches(text: str) -> list[tuple[_Template, list[str]]]:
    """Return the templates that *text* fits, with what is in their blanks."""
    matches = []
    for template in _catalogue()[1]:
        if template.longest not in text or (template.is_weak and (len(text) > _SHORT or "\n" in text)):
            continue
        parts = _blanks(template.literals, text)
        if (
            parts is not None
            and all(_is_number(parts[index]) for index, mark in template.marks.items() if mark == _NUMBER)
            and not any(" " in parts[index] for index, mark in template.marks.items() if mark == _AS_FRAME)
        ):
            matches.append((template, parts))
    return matches


def _blanks(literals: Sequence[str], text: str) -> list[str] | None:
    """Return what *text* has between *literals*; ``None`` if they are not in it, in this order."""
    first, *inner, last = literals
    if not text.startswith(first):
        return None
    parts, at = [], len(first)
    for literal in inner:
        end = text.find(literal, at)
        if end < 0:
            return None
        parts.append(text[at:end])
        at = end + len(literal)
    end = len(text) - len(last)
    if end < at or not text.endswith(last):
        return None
    return [*parts, text[at:end]]


def _filled(match: tuple[_Template, list[str]], inside: _Inside) -> str:
    """Return the Japanese text of a template with its blanks filled in."""
    template, parts = match
    filled, *literals = template.japanese
    for literal, (index, mark) in zip(literals, template.marks.items(), strict=True):
        filled = _joined(_joined(filled, _value(parts[index], mark, inside)), literal)
    return filled


def _value(part: str, mark: str, inside: _Inside) -> str:
    """Return what is filled into a blank with a *mark*, in Japanese if it can be."""
    if mark == _FOREIGN:
        return part
    if mark == _AS_FRAME:
        frame = _FRAME.fullmatch(part)
        return f"{WINDS[frame[1]]}{frame[2]}局{frame[3]}本場" if frame else f"局 {part}"
    return _translate(part, inside.deeper(words=mark == _AS_WORD)) or part


def _joined(left: str, right: str) -> str:
    """Return both, without a space between Japanese characters."""
    if left.endswith(" ") and _is_japanese(left[-2:-1]) and _is_japanese(right[:1]):
        return left[:-1] + right
    if right.startswith(" ") and _is_japanese(left[-1:]) and _is_japanese(right[1:2]):
        return left + right[1:]
    return left + right


def _is_japanese(character: str) -> bool:
    return "\u3000" <= character <= "\u9fff" or "\uff00" <= character <= "\uff60"


def _with_hint(text: str, inside: _Inside) -> str | None:
    """Translate a message and the hint behind it."""
    for hint in _HINTS:
        message, separator, rest = text.rpartition(hint)
        if message and separator:
            return (_translate(message, inside.deeper()) or message) + (
                _translate(hint[1:] + rest, inside.deeper()) or hint + rest
            )
    return None


def _with_remark(text: str, inside: _Inside) -> str | None:
    """Translate a message and what the catalogue has in parentheses behind it."""
    message, separator, remark = text.rpartition(" (")
    japanese = _catalogue()[0].get(f"({remark}") if separator else None
    return japanese and f"{_translate(message, inside.deeper()) or message}{japanese}"


def _without_stop(text: str, inside: _Inside) -> str | None:
    """Translate a sentence that the catalogue has without its full stop."""
    if not text.endswith("."):
        return None
    inner = _translate(text[:-1], inside.deeper())
    return inner and f"{inner}。"


def _behind_location(text: str, inside: _Inside) -> str | None:
    """Translate what follows a place: a file, line or frame."""
    at = -1
    for _ in range(_SPLITS):
        at = text.find(": ", at + 1)
        if at < 0:
            return None
        reason = _catalogue()[0].get(text[at + 2 :]) or _translate(text[at + 2 :], inside.deeper())
        if reason:
            return f"{_translate(text[:at], inside.deeper()) or text[:at]}: {reason}"
    return None


def _counted(text: str, inside: _Inside) -> str | None:
    """Translate a number of something, with the number first or last."""
    first, _, after = text.partition(" ")
    before, _, last = text.rpartition(" ")
    number, noun = (last, before) if inside.words and not _is_number(first) else (first, after)
    japanese = _translate(noun, inside.deeper()) if _is_number(number) else None
    return japanese and f"{japanese} {number}"


def _is_number(text: str) -> bool:
    return text.replace(",", "").isdigit()


def _listed_counts(text: str, inside: _Inside) -> str | None:
    """Translate a list whose items begin with numbers, such as a summary."""
    items = _items(text, ", ")
    if len(items) > 1 and all(_is_number(item.partition(" ")[0]) for item in items):
        return _listed(text, ", ", "、", inside)
    return None


def _with_parentheses(text: str, inside: _Inside) -> str | None:
    """Translate what is in parentheses at the end of *text*, and what is before them."""
    if not text.endswith(")"):
        return None
    at = next((at for at in range(len(text) - 1, -1, -1) if text[at:].count("(") == text[at:].count(")")), -1)
    if at < 0 or (at and text[at - 1] != " "):
        return None
    left, right = text[:at].rstrip(), text[at + 1 : -1]
    before, after = _translate(left, inside.deeper()), _translate(right, inside.deeper())
    return f"{before or left}（{after or right}）" if before or after else None


def _listed(text: str, between: str, japanese: str, inside: _Inside) -> str | None:
    """Translate a list with *between* between its items."""
    items = _whole(_items(text, between), between)
    values = [_translate(item, inside.deeper()) for item in items] if len(items) > 1 else []
    return japanese.join(value or item for value, item in zip(values, items, strict=True)) if any(values) else None


def _items(text: str, between: str) -> list[str]:
    """Return what of *text* is between *between*, where that is not in parentheses."""
    items: list[str] = []
    for part in text.split(between):
        if items and items[-1].count("(") > items[-1].count(")"):
            items[-1] += between + part
        else:
            items.append(part)
    return items


def _whole(items: list[str], between: str) -> list[str]:
    """Return *items*, those joined again that are one text of the catalogue, such as "fu, han and yaku"."""
    plain, _ = _catalogue()
    whole = []
    while items:
        size = next((size for size in range(len(items), 1, -1) if between.join(items[:size]) in plain), 1)
        whole.append(between.join(items[:size]))
        items = items[size:]
    return whole
