"""The ``// tenhou`` comments, which keep what jmjp has no field for: written and parsed.

Source: ``docs/design/mapping.md``, The match.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from itertools import chain
from typing import Any, Final

from jmjp_convert.formats import bounds
from jmjp_convert.formats.jmjp.notation import Dialect, storable
from jmjp_convert.lazy_regex import regex
from jmjp_convert.model import (
    Disconnected,
    House,
    Match,
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
from jmjp_convert.model.record import Record
from jmjp_convert.model.tiles import COPIES, NO_REDS, ONE_RED_EACH, RedFives

_MARK: Final = "// tenhou"

_HOUSES: Final[dict[House | None, str | None]] = {
    **{house: house.value for house in House},
    House.TENHOU: None,
    None: "none",
}
"""The house in the comments, which are Tenhou's unless they name another."""

_RED_FIVES: Final = {ONE_RED_EACH: None, NO_REDS: "no", None: "unknown"}
"""The red fives in the comments, if the rules number does not imply them; other numbers are by suit, ``1,2,1``."""

_PLAYERS: Final = ("0", "1", "2", "3")

# --- writing ----------------------------------------------------------------------------------------------------------

_SAFE: Final = "".join(chr(code) for code in range(0x21, 0x7F) if chr(code) != "%")


def encoded(value: str | bytes | int) -> str:
    """Return *value* as a comment's value, with ``%``, bytes up to 0x20, 0x7F, and bytes from 0x80 percent-encoded."""
    if isinstance(value, int):
        return str(value)
    if isinstance(value, str) and value.isascii() and value.isprintable() and "%" not in value and " " not in value:
        return value
    from urllib.parse import quote_from_bytes  # few values need it

    raw = value if isinstance(value, bytes) else value.encode("utf-8", "surrogatepass")
    return quote_from_bytes(raw, safe=_SAFE)


def line(*words: str, **values: str | bytes | int | None) -> str:
    """Return a comment of *words* and of the *values* that are not ``None``."""
    pairs = [f"{key}={encoded(value)}" for key, value in values.items() if value is not None]
    return " ".join([_MARK, *words, *pairs])


def _red_fives(red: RedFives | None) -> str | None:
    return _RED_FIVES[red] if red in _RED_FIVES else ",".join(map(str, red or ()))


def match(game: Match, dialect: Dialect) -> list[str]:
    """Return the comment lines above a match."""
    rules, players = game.rules, [_player(number, player, dialect) for number, player in enumerate(game.players)]
    known = (game.id, game.source, rules.code, rules.lobby, rules.house, game.shuffle)
    if all(value is None for value in known) and rules.red_fives in _RED_FIVES:
        return [text for number, text in enumerate(players) if text != line(player=number)]
    custom = dict(rules.custom)
    head = line(
        id=game.id,
        source=game.source,
        type=rules.code,
        lobby=rules.lobby,
        house=_HOUSES[rules.house] if rules.code is None else None,
        red=_red_fives(rules.red_fives) if rules.code is None else None,
        shuffle=game.shuffle.form.value if game.shuffle else "none",
        **{name: custom[name] for name in tenhou.CUSTOM_RULES if name in custom},
    )
    return [head, *players]


def _player(number: int, player: Player, dialect: Dialect) -> str:
    """Return a player's comment line, which may have no values."""
    original = player.raw_name
    family = player.full_name.family if player.full_name else None
    handle = (family.native if family else None) or ""
    if original is None and storable(handle, dialect) != handle:
        original = handle.encode("utf-8", "surrogatepass")
    return line(
        player=number,
        dan=player.dan,
        rate=None if player.rate is None else tenhou.rating_text(player.rate),
        sex=player.sex,
        name=original,
        gold=player.gold,
        rc=player.rc,
        rank=player.rank,
    )


def presence(event: Presence, *, in_act: bool) -> str:
    """Return the line of a disconnection or return; *in_act*: between the draw and the discard of an act."""
    at = "draw" if in_act else None
    if type(event) is Disconnected:
        return line("bye", player=event.player, at=at)
    return line("back", player=event.player, at=at, name=getattr(event, "name", None))


def numbers(values: Iterable[int | str] | None) -> str | None:
    """Return *values* as a comment's value, separated by commas."""
    return None if values is None else ",".join(map(str, values))


def pairs(values: Iterable[tuple[int, int | str]] | None) -> str | None:
    """Return the *values* of all pairs as a comment's value, separated by commas."""
    return None if values is None else numbers(chain.from_iterable(values))


def chips(changes: Sequence[int], yaku: Sequence[tuple[int, int]]) -> str:
    """Return the line of a frame's chip *changes* and the *yaku* that earned them."""
    return line(chips=numbers(changes), chipyaku=pairs(yaku) or None)


RIICHI_KARAGIRI: Final = line(riichi="karagiri")
"""Says that the next riichi tile is not the drawn one, but another copy of the same face."""

# --- parsing ----------------------------------------------------------------------------------------------------------

_NUMBER: Final = re.compile(r"-?[0-9]{1,9}")
NEVER: Final = 1 << 60
"""A position after all others; compiled, larger numbers are slow to compare."""

_NONE: Final = NEVER, ""

_HOUSE_OF: Final = {word: house for house, word in _HOUSES.items()}
_RED_FIVES_OF: Final = {word: red for red, word in _RED_FIVES.items()}
_SHUFFLE_OF: Final[dict[str | None, Shuffle | None]] = {
    "none": None,
    **{form.value: Shuffle(form) for form in ShuffleForm},
}


def _decoded(value: str) -> bytes:
    """Return the bytes of a comment's *value*, as :func:`encoded` writes it."""
    from urllib.parse import unquote_to_bytes  # as there

    return unquote_to_bytes(value)


class Remark(Record):
    """A comment."""

    __slots__ = ("position", "word", "values")

    def __init__(self, position: int, word: str, values: dict[str, str]) -> None:
        self.position: Final = position
        self.word: Final = word  # the bare words, such as bye or back; empty if there are none
        self.values: Final = values  # the values by name, percent-encoded

    def text(self, name: str) -> str | None:
        """Return the value of *name* as text, if there is one."""
        value = self.values.get(name)
        return value if value is None or "%" not in value else _decoded(value).decode("utf-8", "replace")

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
        only = self.numbers(name, 1)
        return None if only is None else only[0]

    def player(self) -> int:
        """Return the player whom the comment is about.

        :raises ValueError: it names no player.
        """
        return _PLAYERS.index(self.text("player") or "")


_CONTROLS: Final = regex(r"[\x00-\x1f\x7f-\x9f\u2028\u2029\ud800-\udfff]+")


def note_line(text: str) -> str:
    """Return the comment that holds the note *text*, which is never one of ours."""
    return f"//{text}" if text.split(maxsplit=1)[0] == _MARK[3:] else f"// {text}"


def note_text(line: str) -> str:
    """Return the note in the comment *line*, or an empty text."""
    return _CONTROLS.sub(" ", line[2:]).strip()


class Remarks:
    """The comments of a script, in order.

    :param comments: the comments, each with the position in the script that it precedes.
    """

    def __init__(self, comments: Iterable[tuple[int, str]]) -> None:
        self.unknown: int | None = None  # the position of the first unknown comment; None if all are known
        self._rest = iter(comments)
        self._next = next(self._rest, _NONE)
        self.due = self._next[0]  # the position of the next; NEVER after the last

    def apply(self, position: int, take: Callable[[Remark], None]) -> None:
        """Pass the next comments, up to *position*, to *take*, which raises ``ValueError`` for an unknown one."""
        while self.due <= position:
            remark = self._pop()
            try:
                take(remark)
            except ValueError:
                if self.unknown is None:
                    self.unknown = remark.position

    def pass_over(self, position: int) -> None:
        """Pass over the comments up to *position* in the script."""
        while self.due <= position:
            self._pop()

    def _pop(self) -> Remark:
        at, line = self._next
        self._next = next(self._rest, _NONE)
        self.due = self._next[0]
        return _remark(at, line)


def _remark(position: int, line: str) -> Remark:
    if len(line) > bounds.COMMENT:
        return Remark(position, "…", {})  # an unknown one
    words = line.lstrip("/").split()[1:]
    values = dict(word.split("=", 1) for word in words if "=" in word)
    return Remark(position, " ".join([word for word in words if "=" not in word]), values)


Fields = dict[str, Any]
"""Fields of a record by name."""


def head_of(remark: Remark) -> Fields:
    """Return the fields of a match that *remark*, the first comment above it, has.

    :raises ValueError: it is not such a comment.
    """
    if remark.word or "shuffle" not in remark.values:
        raise ValueError(remark)
    code, lobby = remark.number("type"), remark.number("lobby")
    custom = tuple((key, value) for key in tenhou.CUSTOM_RULES if (value := remark.text(key)) is not None)
    log_id, form, house = map(remark.text, ("id", "shuffle", "house"))
    if form not in _SHUFFLE_OF or house not in _HOUSE_OF:
        raise ValueError(remark)
    if code is None:
        rules = Rules(red_fives=_red_fives_of(remark), lobby=lobby, custom=custom, house=_HOUSE_OF[house])
    elif house is None and "red" not in remark.values:
        rules = tenhou.rules(code, lobby, custom)
    else:
        raise ValueError(remark)
    if rules.players != len(_PLAYERS) or (log_id is not None and log_ids.identify(log_id) is None):
        raise ValueError(remark)
    return {"rules": rules, "id": log_id, "source": remark.text("source"), "shuffle": _SHUFFLE_OF[form]}


def _red_fives_of(remark: Remark) -> RedFives | None:
    """Return the numbers of red fives in *remark*.

    :raises ValueError: there are no such numbers.
    """
    word = remark.text("red")
    if word in _RED_FIVES_OF:
        return _RED_FIVES_OF[word]
    numbers = RedFives(*remark.numbers("red", 3) or ())
    if not all(0 <= number <= COPIES for number in numbers):
        raise ValueError(remark)
    return numbers


def with_player(remark: Remark, players: Sequence[Player]) -> tuple[Player, ...]:
    """Return *players* with what *remark* says about one of them.

    :raises ValueError: it is not about a player.
    """
    if remark.word:
        raise ValueError(remark)
    who = remark.player()
    seated, raw_name = players[who], None
    name, original = seated.full_name, remark.text("name")
    if original is not None:
        raw = _decoded(remark.values["name"])
        raw_name = None if original.encode() == raw else raw
        if name is None or name.family is None:
            name = handle(original)
        else:
            name = Name(Text(original, name.family.roman), name.given)
    dan, gold = remark.number("dan"), remark.number("gold")
    rate, sex, rc, rank = map(remark.text, ("rate", "sex", "rc", "rank"))
    rating = None if rate is None else tenhou.rating(rate)
    part_of = (seated.team, seated.affiliation, seated.tour_points)
    player = Player(name, raw_name, dan, rating, sex, gold, rc, *part_of, rank)
    return *players[:who], player, *players[who + 1 :]


def presence_of(remark: Remark) -> Presence:
    """Return the disconnection or return in *remark*.

    :raises ValueError: it is neither.
    """
    if remark.word == "bye":
        return Disconnected(remark.player())
    if remark.word == "back":
        return Returned(remark.player(), remark.text("name"))
    raise ValueError(remark)


def is_in_act(remark: Remark) -> bool:
    """Return whether it happened after the draw of the next act."""
    return remark.text("at") == "draw"


def is_karagiri(remark: Remark) -> bool:
    """Return whether the next riichi tile is another copy of the drawn tile."""
    return not remark.word and len(remark.values) == 1 and remark.text("riichi") == "karagiri"


def chips_of(remark: Remark) -> Fields:
    """Return the fields of a win with the chips of a frame in *remark*.

    :raises ValueError: it has none.
    """
    changes = remark.numbers("chips", len(_PLAYERS))
    if remark.word or changes is None:
        raise ValueError(remark)
    yaku = remark.numbers("chipyaku") or ()
    return {"chips": changes, "chip_yaku": tuple(zip(yaku[::2], yaku[1::2], strict=True))}


def chips_before(remark: Remark) -> tuple[int, ...] | None:
    """Return the chips by player before a frame, ``None`` if *remark* is about something else.

    :raises ValueError: the numbers are malformed.
    """
    if remark.word or remark.values.keys() != {"chips"}:
        return None
    return remark.numbers("chips", len(_PLAYERS))


def worth(remark: Remark) -> Fields | None:
    """Return the fields of a match with its final chips, ``None`` if *remark* is about something else.

    :raises ValueError: the values are malformed.
    """
    if remark.word or not remark.values or not remark.values.keys() <= {"chips", "ratio"}:
        return None
    text, ratio = remark.text("chips"), remark.text("ratio")
    if text is None:
        return {"ratio": ratio}
    counts, values = text.split(",")[::2], text.split(",")[1::2]
    if not len(counts) == len(values) == len(_PLAYERS):
        raise ValueError(text)
    if not all(map(_NUMBER.fullmatch, counts)) or not all(map(tenhou.DECIMAL.fullmatch, values)):
        raise ValueError(text)
    return {"chips": tuple(zip(map(int, counts), values, strict=True)), "ratio": ratio}
