"""Parse the ``// tenhou`` comments (source: ``docs/design/mapping.md``, The match)."""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator
from urllib.parse import unquote_to_bytes

from jmjp_convert.formats.jmjp.comments import HOUSES, RED_FIVES
from jmjp_convert.formats.jmjp.reading.lexer import Script
from jmjp_convert.model import (
    Disconnected,
    Name,
    Player,
    Presence,
    Returned,
    Rules,
    Shuffle,
    ShuffleForm,
    Text,
    handle,
    log_ids,
    tenhou,
)
from jmjp_convert.model.record import record

_PLAYERS = ("0", "1", "2", "3")
_NUMBER = re.compile(r"-?[0-9]{1,9}")
NEVER = sys.maxsize
"""A place after all others."""

_NONE = NEVER, ""
_LONGEST = 1 << 22  # characters: the longest name that mjlog can hold needs fewer

_HOUSES = {word: house for house, word in HOUSES.items()}
_RED_FIVES = {word: red for red, word in RED_FIVES.items()}

_FORMS: dict[str | None, Shuffle | None] = {"none": None, **{form.value: Shuffle(form) for form in ShuffleForm}}


@record
class Remark:
    """A comment.

    :ivar word: the bare words, such as ``bye`` or ``back``; empty if there are none.
    :ivar values: the values by name, percent-encoded.
    """

    place: int
    word: str
    values: dict[str, str]

    def text(self, name: str) -> str | None:
        """Return the value of *name* as text, if there is one."""
        value = self.values.get(name)
        return value if value is None or "%" not in value else unquote_to_bytes(value).decode("utf-8", "replace")

    def numbers(self, name: str, count: int | None = None) -> tuple[int, ...] | None:
        """Return the value of *name* as numbers, if there is one.

        :param count: the required number of them.
        :raises ValueError: the value is malformed.
        """
        text = self.text(name)
        if text is None:
            return None
        values = text.split(",")
        if count not in (None, len(values)) or not all(map(_NUMBER.fullmatch, values)):
            raise ValueError(text)
        return tuple(map(int, values))

    def number(self, name: str) -> int | None:
        """Return the value of *name* as a number, if there is one.

        :raises ValueError: the value is malformed.
        """
        text = self.text(name)
        if text is None:
            return None
        if _NUMBER.fullmatch(text) is None:
            raise ValueError(text)
        return int(text)

    def player(self) -> int:
        """Return the player whom the comment is about.

        :raises ValueError: it names no player.
        """
        return _PLAYERS.index(self.text("player") or "")


class Remarks:
    """The comments of a script, in order.

    :ivar due: the place of the next one, ``NEVER`` if there is none.
    :ivar unknown: the place of the first unknown one, ``None`` if there is none.
    """

    def __init__(self, script: Script) -> None:
        self.unknown: int | None = None
        self._rest = iter(script.comments)
        self._next = next(self._rest, _NONE)
        self.due = self._next[0]

    def up_to(self, place: int) -> Iterator[Remark]:
        """Yield the next comments, up to *place* in the script."""
        while self.due <= place:
            place_of_it, line = self._next
            self._next = next(self._rest, _NONE)
            self.due = self._next[0]
            yield _remark(place_of_it, line)

    def ignore(self, remark: Remark) -> None:
        """Record *remark* as unknown."""
        if self.unknown is None:
            self.unknown = remark.place


def _remark(place: int, line: str) -> Remark:
    if len(line) > _LONGEST:
        return Remark(place, "…", {})  # an unknown one
    values: dict[str, str] = {}
    bare: list[str] = []
    for word in line.lstrip("/").split()[1:]:
        name, sign, value = word.partition("=")
        if sign:
            values[name] = value
        else:
            bare.append(word)
    return Remark(place, " ".join(bare), values)


@record
class Head:
    """The values from the comment above a match."""

    rules: Rules | None = None
    id: str | None = None
    source: str | None = None
    shuffle: Shuffle | None = None


def head(remark: Remark) -> Head:
    """Return the values of *remark*, the first comment above a match.

    :raises ValueError: it is not such a comment.
    """
    if remark.word or "shuffle" not in remark.values:
        raise ValueError(remark)
    code, lobby = remark.number("type"), remark.number("lobby")
    custom = tuple((key, value) for key in tenhou.CUSTOM_RULES if (value := remark.text(key)) is not None)
    log_id, form, house, red = map(remark.text, ("id", "shuffle", "house", "red"))
    if form not in _FORMS or house not in _HOUSES or red not in _RED_FIVES:
        raise ValueError(remark)
    if code is None:
        rules = Rules(red_fives=_RED_FIVES[red], lobby=lobby, custom=custom, house=_HOUSES[house])
    elif house is None and red is None:
        rules = tenhou.rules(code, lobby, custom)
    else:
        raise ValueError(remark)
    if rules.players != len(_PLAYERS) or (log_id is not None and log_ids.identify(log_id) is None):
        raise ValueError(remark)
    return Head(rules, log_id, remark.text("source"), _FORMS[form])


def player(remark: Remark, players: list[Player]) -> None:
    """Update *players* with what *remark* says about one of them.

    :raises ValueError: it is not about a player.
    """
    if remark.word:
        raise ValueError(remark)
    who = remark.player()
    seated, raw_name = players[who], None
    name, original = seated.full_name, remark.text("name")
    if original is not None:
        raw = unquote_to_bytes(remark.values["name"])
        raw_name = None if original.encode() == raw else raw
        name = _with_original(name, original)
    dan, gold = remark.number("dan"), remark.number("gold")
    rate, sex, rc, rank = map(remark.text, ("rate", "sex", "rc", "rank"))
    rating = None if rate is None else tenhou.rating(rate)
    part_of = (seated.team, seated.affiliation, seated.tour_points)
    players[who] = Player(name, raw_name, dan, rating, sex, gold, rc, *part_of, rank)


def _with_original(name: Name | None, original: str) -> Name | None:
    """Return *name* with *original* as its native family name."""
    if name is None or name.family is None:
        return handle(original)
    return Name(Text(original, name.family.roman), name.given)


def presence(remark: Remark) -> Presence:
    """Return the disconnection or return in *remark*.

    :raises ValueError: it is neither.
    """
    if remark.word == "bye":
        return Disconnected(remark.player())
    if remark.word == "back":
        return Returned(remark.player(), remark.text("name"))
    raise ValueError(remark)


def in_act(remark: Remark) -> bool:
    """Return whether it happened after the draw of the next act."""
    return remark.text("at") == "draw"


def is_karagiri(remark: Remark) -> bool:
    """Return whether the next riichi tile is another copy of the drawn tile."""
    return not remark.word and len(remark.values) == 1 and remark.text("riichi") == "karagiri"


@record
class Chips:
    """Chips at a frame's end: the *changes* by player, and the *yaku* that earned them, with their number."""

    changes: tuple[int, ...]
    yaku: tuple[tuple[int, int], ...]


def chips(remark: Remark) -> Chips:
    """Return the chips at a frame's end in *remark*.

    :raises ValueError: it has none.
    """
    changes = remark.numbers("chips", len(_PLAYERS))
    if remark.word or changes is None:
        raise ValueError(remark)
    yaku = remark.numbers("chipyaku") or ()
    return Chips(changes, tuple(zip(yaku[::2], yaku[1::2], strict=True)))


def chips_before(remark: Remark) -> tuple[int, ...] | None:
    """Return the chips by player before a frame, ``None`` if *remark* is about something else.

    :raises ValueError: the numbers are malformed.
    """
    if remark.word or remark.values.keys() != {"chips"}:
        return None
    return remark.numbers("chips", len(_PLAYERS))


@record
class Worth:
    """A match's final *chips*, number and value by player, and the *ratio* between them."""

    chips: tuple[tuple[int, str], ...] | None = None
    ratio: str | None = None


def worth(remark: Remark) -> Worth | None:
    """Return the final chips of a match, ``None`` if *remark* is about something else.

    :raises ValueError: the values are malformed.
    """
    if remark.word or not remark.values or not remark.values.keys() <= {"chips", "ratio"}:
        return None
    return Worth(_worths(remark.text("chips")), remark.text("ratio"))


def _worths(text: str | None) -> tuple[tuple[int, str], ...] | None:
    if text is None:
        return None
    counts, worths = text.split(",")[::2], text.split(",")[1::2]
    if not len(counts) == len(worths) == len(_PLAYERS):
        raise ValueError(text)
    if not all(map(_NUMBER.fullmatch, counts)) or not all(map(tenhou.DECIMAL.fullmatch, worths)):
        raise ValueError(text)
    return tuple(zip(map(int, counts), worths, strict=True))
