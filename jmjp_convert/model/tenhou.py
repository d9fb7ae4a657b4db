"""Tenhou's rule numbers, titles and ranks."""

from __future__ import annotations

import re
from functools import lru_cache

from jmjp_convert.lazy_regex import regex
from jmjp_convert.model import House, Rules, Text
from jmjp_convert.model.tiles import NO_REDS, ONE_RED_EACH

NAME = Text("天鳳", "Tenhou")

# The bits of GO type (docs/design/mapping.md, The match; docs/design/mjlog-traps.md, 18).
_NO_RED_FIVES = 0x02
_NO_OPEN_TANYAO = 0x04
_EAST_SOUTH = 0x08
_THREE_PLAYERS = 0x10
_EXPERT = 0x20
_FAST = 0x40
_ADVANCED = 0x80

RANKS = ("新人", *(f"{kyu}級" for kyu in "９８７６５４３２１"), *(f"{dan}段" for dan in "初二三四五六七八九十"), "天鳳")  # noqa: RUF001
"""The ranks by number, 0–20, with full-width digits as on Tenhou."""

CUSTOM_RULES = ("title", "rule", "ranking", "csrule")
"""The attributes of ``GO`` with other settings of a private table or event."""

OTHER_TABLES = 0x100
"""Rules numbers from here on belong to tables with special rules."""

_PLAYERS = {4: "四", 3: "三"}

_ROOMS = {
    0: Text("般", "General"),
    _ADVANCED: Text("上", "Advanced"),
    _EXPERT: Text("特", "Expert"),
    _ADVANCED | _EXPERT: Text("鳳", "Phoenix"),
}

DECIMAL = regex(r"-?[0-9]{1,9}(?:\.[0-9]{1,9})?")
"""The value of chips: with decimals or without."""

_RATING = re.compile(r"-?[0-9]{1,9}(?:\.[0-9]+)?")
_RATING_BOUND = 1_000_000_000


def rating(text: str) -> int | float:
    """Return *text* as a rating, an ``int`` if it has no decimals.

    :raises ValueError: *text* is not a rating.
    """
    if not _RATING.fullmatch(text):
        raise ValueError(text)
    rate = float(text) if "." in text else int(text)
    if abs(rate) >= _RATING_BOUND:  # rounded up to it
        raise ValueError(text)
    return rate


def rating_text(rate: float) -> str:
    """Return a rating as Tenhou writes it: an integer as ``1500`` (old logs), otherwise with two or more decimals."""
    if isinstance(rate, int):
        return f"{rate}"
    decimals = 2
    while float(text := f"{rate:.{decimals}f}") != rate:
        decimals += 1
    return text


def players(code: int) -> int:
    """Return the number of players of *code*."""
    return 3 if code & _THREE_PLAYERS else 4


def has_open_tanyao(code: int) -> bool:
    """Return whether *code* allows open tanyao."""
    return not code & _NO_OPEN_TANYAO


def is_east_only(code: int) -> bool:
    """Return whether *code* is an East-only game."""
    return not code & _EAST_SOUTH


def is_fast(code: int) -> bool:
    """Return whether *code* is a game with little time to think."""
    return bool(code & _FAST)


def room(code: int) -> Text | None:
    """Return the name of the room that *code* belongs to; ``None`` if it is not one of the rooms."""
    return None if code >= OTHER_TABLES else _ROOMS[code & (_ADVANCED | _EXPERT)]


def rules(code: int, lobby: int | None, custom: tuple[tuple[str, str], ...] = ()) -> Rules:
    """Return the rules with the number *code* (``GO type``); unknown bits are accepted."""
    return Rules(
        players=players(code),
        red_fives=NO_REDS if code & _NO_RED_FIVES else ONE_RED_EACH,
        code=code,
        lobby=lobby,
        custom=custom,
        house=House.TENHOU,
    )


def is_ranked(rules: Rules) -> bool | None:
    """Return whether the rules are those of ranked games; ``None`` if not recorded."""
    return None if None in (rules.code, rules.lobby) else own_rules(rules) is None


def own_rules(rules: Rules) -> str | None:
    """Return why the rules may not be those of ranked games, or ``None`` (docs/design/scoring.md, Residue)."""
    if rules.code is None:
        return "the rules are not recorded"
    if rules.lobby is None:
        return "the lobby is not recorded, and private ones may use custom rules"
    if rules.lobby:
        return "a private lobby may use custom rules"
    if rules.code >= OTHER_TABLES or rules.custom:
        return "the table uses custom rules"
    return None


_WORDS = {
    _EAST_SOUTH: (Text("東", "East-only"), Text("南", "East-South")),
    _NO_OPEN_TANYAO: (Text("喰", "open tanyao"), Text("", "no open tanyao")),
    _NO_RED_FIVES: (Text("赤", "red fives"), Text("", "no red fives")),
    _FAST: (Text("", ""), Text("速", "fast")),
}
"""By bit, what titles say without it and with it."""


def _words(code: int) -> list[Text]:
    return [words[bool(code & bit)] for bit, words in _WORDS.items()]


def short_title(code: int) -> str:
    """Return the short Japanese name of the rules *code*: ``short_title(169) == "四鳳南喰赤"``."""
    words = [_PLAYERS[players(code)], room(code) or "", *[word.native for word in _words(code)]]
    return "".join(map(str, words))


_SHORT_TITLE = regex("([四三]?)([般上特鳳])([東南])(喰?)(赤?)(速?)")
_NETWORK = 0x01
"""The bit that every rules number of a game on the server has."""


def code_of(title: str, players: int) -> int | None:
    """Return the rules number with the short *title*, for games with a room: the inverse of :func:`short_title`.

    :param players: the number of players, for titles that do not say it.
    """
    match = _SHORT_TITLE.fullmatch(title)
    if match is None or match[1] not in ("", _PLAYERS[players]):
        return None
    room = next(bits for bits, name in _ROOMS.items() if name.native == match[2])
    bits = [bit for said, bit in zip(match.groups()[2:], _WORDS, strict=True) if said == _WORDS[bit][1].native]
    return _NETWORK | room | sum(bits) | (_THREE_PLAYERS if players == 3 else 0)  # noqa: PLR2004


@lru_cache(maxsize=1024)
def title(code: int, lobby: int | None) -> Text:
    """Return the name of the rules *code* as used on Tenhou, in both scripts (docs/design/mapping.md, The match)."""
    native = f"{NAME.native} {short_title(code)}{f' L{lobby}' if lobby else ''}"
    length, *others = [word.roman for word in _words(code)]
    table = (f"{players(code)}-player", name.roman if (name := room(code)) else "", length)
    roman = [" ".join(filter(None, table)), *others, f"lobby {lobby}" if lobby else ""]
    return Text(native, f"{NAME.roman} {', '.join(filter(None, roman))}")
