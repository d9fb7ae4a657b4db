"""Random changes to a JSON text, one value at a time, and what such a text says, in each format that is JSON.

Nothing here uses the package: what says nothing in a format is from docs/formats.md.
"""

from __future__ import annotations

import json
import re
from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from random import Random
from typing import Any, NamedTuple

from tables import table


class Change(NamedTuple):
    """A changed text, and what was changed."""

    text: str
    what: str


class _Position(NamedTuple):
    """Where a value is: the list or object that holds it, and its index or key there."""

    holder: Any
    key: Any


def loaded(text: str, *, lines: bool) -> Any:
    """Return the values of *text*: one, or one per line."""
    return [json.loads(line) for line in text.splitlines()] if lines else json.loads(text)


def dumped(values: Any, *, lines: bool) -> str:
    """Return *values* as a text."""
    return "".join(f"{_dump(line)}\n" for line in values) if lines else f"{_dump(values)}\n"


def _dump(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))


def changes(text: str, random: Random, *, lines: bool) -> Iterator[Change]:
    """Yield different changes to *text* without end. Values of a rare key are as likely as others.

    :param lines: whether each line is a value.
    """
    usual = dumped(loaded(text, lines=lines), lines=lines)
    while True:
        values = loaded(text, lines=lines)
        groups: dict[str, list[_Position]] = defaultdict(list)
        _collect(values, "", groups)
        path = random.choice(sorted(groups))
        position = random.choice(groups[path])
        before = _dump(position.holder[position.key])
        how, after = _change(position, groups[path], random)
        changed = dumped(values, lines=lines)
        if changed != usual:
            yield Change(changed, f"{how} {path}: {before} {after}".strip())


def _collect(value: Any, path: str, groups: dict[str, list[_Position]]) -> None:
    """Add the places inside *value* to those of the same path, in which all indices are alike; an event's type is in
    its path."""
    pairs: Sequence[tuple[Any, Any]] = ()
    if isinstance(value, dict):
        type_ = value.get("type")
        path = f"{path}<{type_}>" if isinstance(type_, str) else path
        pairs = [(key, f"{path}.{key}") for key in value]
    elif isinstance(value, list):
        pairs = [(index, f"{path}[]") for index in range(len(value))]
    for key, name in pairs:
        groups[name].append(_Position(value, key))
        _collect(value[key], name, groups)


def _change(position: _Position, alike: Sequence[_Position], random: Random) -> tuple[str, str]:
    """Change what is at *position*, and return how, and the new value."""
    holder, key = position
    how = random.choice(("other", "other", "other", "omit", "swap", "exchange", "repeat"))
    if how == "omit":
        del holder[key]
        return how, ""
    if how == "swap":
        other, there = random.choice(alike)
        holder[key], other[there] = other[there], holder[key]
        return how, _dump(holder[key])
    if how == "exchange" and isinstance(holder, list) and key + 1 < len(holder):
        holder[key : key + 2] = holder[key + 1], holder[key]
        return how, _dump(holder[key])
    if how == "repeat" and isinstance(holder, list):
        holder.insert(key, holder[key])
        return how, ""
    if isinstance(holder[key], list | dict):
        holder[key] = type(holder[key])()
        return "empty", ""
    holder[key] = _OTHERS[type(holder[key])](holder[key], random)
    return "other", _dump(holder[key])


def _other_number(number: int, random: Random) -> int:
    return random.choice((number + 1, number - 1, number + 10, number + 100, -number, 0, 60))


def _other_text(text: str, random: Random) -> str:
    """Return *text* with a character more, fewer or changed."""
    offset = random.randrange(len(text) + 1)
    letter: str = random.choice(("", "x", *"1357", "東", " ", "_", "*", "-", "m", "r", "E"))
    return text[:offset] + letter + text[offset + random.randrange(2) :]


_OTHERS: dict[type, Callable[[Any, Random], Any]] = {
    str: _other_text,
    int: _other_number,
    float: lambda number, random: random.choice((number + 1, round(number + 0.01, 2), -number)),
    bool: lambda flag, _: not flag,
    type(None): lambda _, random: random.choice((0, "", False, [])),
}


# --- what a text says ------------------------------------------------------------------------------------------------

_UNSAID = table("changing_json", "unsaid")
"""By format, matches changes to what says nothing of a game, or repeats what other values say."""

_WORD = re.compile(r"[\s_-]+")  # the spelling of names of yaku, limits and draws varies in these
_HAN = re.compile(r"\d+飜(?=\d)")
_FRAME_ITEMS, _HANDS, _SEATS = 16, (4, 7, 10, 13), 4  # of tenhou6


def is_said(change: Change, name: str) -> bool:
    """Return whether what is changed says something in the format *name* that the rest of the text does not."""
    return not any(format_ == name and re.match(pattern, change.what) for format_, pattern in _UNSAID)


def said(text: str, name: str, *, lines: bool) -> str:
    """Return *text*, of the format *name*, in a form that is the same for two texts that say the same."""
    values = loaded(text, lines=lines)
    if name in _USUAL:
        _USUAL[name](values)
    return json.dumps(values, sort_keys=True)


def _usual_mjai(values: Any) -> None:
    """Sort the tiles of hands and melds, and say of a dealer's first discard whether it can only be the tile drawn: in
    games of Mahjong Soul, dealers have fourteen tiles."""
    for start, draw, discard in zip(values, values[1:], values[2:], strict=False):
        if [first.get("type") for first in (start, draw, discard)] == ["start_kyoku", "tsumo", "dahai"]:
            hands = start.get("tehais")
            if draw.get("pai") == discard.get("pai") and hands and draw["pai"] not in hands[draw["actor"]]:
                discard["tsumogiri"] = True
    for event in values:
        for key in ("consumed", "hora_tehais"):
            _sort(event, key)
        hands = event.get("tehais")
        for index in range(len(hands) if isinstance(hands, list) else 0):
            _sort(hands, index)


def _usual_tenhou6(values: Any) -> None:
    """Sort the tiles of hands and, by step, disconnections; spell words in one way, without the han that their yaku
    say."""
    connection = values.get("connection")
    if isinstance(connection, list) and all(isinstance(entry, dict) for entry in connection):
        connection.sort(key=lambda entry: (str(entry.get("log")), str(entry.get("step"))))
    for frame in values.get("log") or ():
        if isinstance(frame, list) and len(frame) > _FRAME_ITEMS:
            for hand in _HANDS:
                _sort(frame, hand)
            for index, part in enumerate(frame[_FRAME_ITEMS] if isinstance(frame[_FRAME_ITEMS], list) else ()):
                if isinstance(part, list):
                    stated = part if any(part[_SEATS:]) else part[:_SEATS]  # a fifth player who is paid nothing
                    frame[_FRAME_ITEMS][index] = [_HAN.sub("", _word(word)) for word in stated]


def _usual_majiang(values: Any) -> None:
    """Spell the names of yaku and draws in one way, and leave out marks that repeat what steps say: in the hand of a
    winner, of riichi; at a discard, of who called it."""
    for frame in values.get("log") or ():
        if isinstance(frame, list):
            _turn_after(frame)
        for step in frame if isinstance(frame, list) else ():
            for content in step.values() if isinstance(step, dict) else ():
                for named in (content, *((content.get("hupai") or ()) if isinstance(content, dict) else ())):
                    if isinstance(named, dict) and "name" in named:
                        named["name"] = _word(named["name"])
                for key, marks in (("p", "+=-"), ("shoupai", "*")):
                    if isinstance(content, dict) and isinstance(content.get(key), str):
                        content[key] = content[key].rstrip(marks)


def _turn_after(steps: list[Any]) -> None:
    """Move a turned dora behind the draw or discard that follows: there, it was turned before it too."""
    for index in range(len(steps) - 1):
        step, following = steps[index : index + 2]
        if "kaigang" in step and not {"zimo", "gangzimo", "dapai"}.isdisjoint(following):
            steps[index : index + 2] = following, step


def _sort(holder: Any, key: Any) -> None:
    if isinstance(holder, list) or key in holder:
        values = holder[key]
        if isinstance(values, list):
            values.sort(key=str)


def _word(value: Any) -> Any:
    return _WORD.sub("", value) if isinstance(value, str) else str(value)


_USUAL: dict[str, Callable[[Any], None]] = {"mjai": _usual_mjai, "tenhou6": _usual_tenhou6, "majiang": _usual_majiang}
