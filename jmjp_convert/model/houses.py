"""Determines whose rules a game has from what its file says, and whether they are those of ranked games."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from jmjp_convert.model import SEATS, House, Rules, log_ids, tenhou
from jmjp_convert.model.tiles import NO_REDS, ONE_RED_EACH, RedFives
from jmjp_convert.patterns import regex

# --- Mahjong Soul ----------------------------------------------------------------------------------------------------

# Sources of the names of rooms: ``convert.js`` of Equim-chan/tensoul and the user script it stems from, tensoul-py, and
# the lists of modes of amae-koromo: players, room, length and red fives in Japanese, Chinese, Roman letters or English.
# Sources of their numbers: tensoul, GrandDawn/majsoul-replay-editor.


class _Room(NamedTuple):
    """A kind of rooms.

    :ivar name: in Japanese.
    :ivar others: a pattern for its other names.
    :ivar numbers: the numbers of its modes.
    """

    name: str
    others: str
    numbers: tuple[int, ...] = ()


_RANKED = (
    _Room("銅の間", "[铜銅]之[间間]|Bronze Room", (1, 2, 3, 17, 18)),
    _Room("銀の間", "[银銀]之[间間]|Silver Room", (4, 5, 6, 19, 20)),
    _Room("金の間", "金之[间間]|Gold Room", (7, 8, 9, 21, 22)),
    _Room("玉の間", "玉之[间間]|Jade Room", (10, 11, 12, 23, 24)),
    _Room("王座の間", "王座之[间間]|Throne Room", (15, 16, 25, 26)),
)
"""The rooms of ranked games."""

FRIENDLY, TOURNAMENT = "友人戦", "大会戦"

_PRIVATE = (
    _Room(FRIENDLY, "友人[场場]|Friendly"),
    _Room(TOURNAMENT, "比[赛賽][场場]|Tournament|Tounament"),  # the last as one program spells it
    _Room("乱闘の間", "Melee Room", (13, 14)),
    _Room("交流の間", "Casual Room", (29, 30, 31, 32)),
    _Room("試練の道", "Trial Path", (36,)),
    _Room("龍争虎闘", "龙争虎斗", (37, 38, 39)),
    _Room("特別対局", "Event Room", (42, 43)),
)
"""Rooms of which the rules are not those of ranked games, or are set by the players."""

_BY_NUMBER = {number: room.name for room in (*_RANKED, *_PRIVATE) for number in room.numbers}

_LENGTHS = ("一局戦", "東", "南", "東", "一局戦")
"""The lengths of a match by the last digit of its mode; 3 is a game against computers."""

_OTHER_WORDS = "[34三四東南东風风戦战麻人喰 ・·-]|一局戦|半荘|半庄|段位[场場]?|Player|East|South|: ?[0-9]{1,12}"
"""The other parts of such a name: players, length, and the number of a room."""

_RED, _NO_RED = "赤|Red Fives|Red", "Aka Nashi|No Red Fives"


def _names(rooms: Iterable[_Room]) -> str:
    return "|".join(f"{room.name}|{room.others}" for room in rooms)


# No part is made of others, so that there is one way to match.
_SOUL_NAME = regex(
    rf"(?:(?P<ranked>{_names(_RANKED)})|(?P<private>{_names(_PRIVATE)})"
    rf"|(?P<red>{_RED})|(?P<no_red>{_NO_RED})|{_OTHER_WORDS})+"
)


def mahjong_soul_room(number: int) -> str | None:
    """Return the name of the room with the mode *number* in Japanese, ``None`` if it is not known.

    >>> mahjong_soul_room(12)
    '玉の間'
    """
    return _BY_NUMBER.get(number)


def mahjong_soul_name(room: str, *, players: int, mode: int, open_tanyao: bool, red_fives: bool) -> str:
    """Return the name of a game as converters write it, such as ``玉の間南喰赤``.

    :param room: the name of the room.
    :param mode: the last digit of the mode.
    """
    length = _LENGTHS[mode] if mode < len(_LENGTHS) else ""
    rules = f"{'喰' if open_tanyao else ''}{'赤' if red_fives else ''}"
    return f"{'三' if players < SEATS else ''}{room}{length}{rules}"


def _is_ranked(rules: Rules) -> bool | None:
    """Return whether the rules are those of Mahjong Soul's ranked games; ``None`` if not recorded."""
    return None if rules.lobby is None and not rules.custom else _own_rules(rules) is None


def _own_rules(rules: Rules) -> str | None:
    """Return why the rules may not be those of Mahjong Soul's ranked games, or ``None``."""
    if rules.lobby or rules.custom:
        return "a private room may have rules of its own"
    if rules.lobby is None:
        return "the room is not recorded, and a private one may have rules of its own"
    return None


def mahjong_soul_rules(name: str, players: int, *, red_fives: RedFives | None) -> Rules | None:
    """Return the rules of the game with the *name*, ``None`` if it is not a name that converters of Mahjong Soul's
    records give. Ranked rooms have lobby 0; of a private one only the word is known.

    :param players: their number.
    :param red_fives: how many there are, as far as is recorded otherwise.
    """
    room = _SOUL_NAME.fullmatch(name)
    if room is None or not (room["ranked"] or room["private"]):
        return None
    if red_fives is None and (room["red"] or room["no_red"]):
        red_fives = ONE_RED_EACH if room["no_red"] is None else NO_REDS
    custom = (("title", room["private"]),) if room["private"] else ()
    return Rules(players, red_fives, None, None if custom else 0, custom, House.MAHJONG_SOUL)


# --- any house -------------------------------------------------------------------------------------------------------

_RANKED_BY_HOUSE = {
    House.TENHOU: tenhou.is_ranked,
    House.MAHJONG_SOUL: _is_ranked,
    House.RIICHI_CITY: _is_ranked,
}
_REASONS = {House.TENHOU: tenhou.own_rules, House.MAHJONG_SOUL: _own_rules, House.RIICHI_CITY: _own_rules}


def is_ranked(rules: Rules) -> bool | None:
    """Return whether the rules are those of a house's ranked games; ``None`` if not recorded."""
    return None if rules.house is None else _RANKED_BY_HOUSE[rules.house](rules)


def is_east_only(rules: Rules) -> bool | None:
    """Return whether the game has an East round only, unless it is extended; ``None`` if not recorded."""
    return rules.east_only if rules.code is None else tenhou.is_east_only(rules.code)


def own_rules(rules: Rules) -> str | None:
    """Return why the rules may not be those of a house's ranked games, or ``None`` (docs/design/scoring.md)."""
    if rules.house is None:
        return "whose rules were played is not recorded"
    return _REASONS[rules.house](rules)


def rules_of(
    name: str | None, log_id: str | None, *, players: int, red_fives: RedFives | None, lobby: int | None
) -> Rules:
    """Return the rules of a game, with the house and Tenhou's number as far as they are known.

    The log ID shows the house; without one, the name does. Tenhou's number is that of the log ID, otherwise that of the
    name. It is not taken if the two disagree, or if it is of another number of players or other red fives.

    :param name: the name of the rules as viewers show it, ``鳳南喰赤`` or ``Jade Room South``.
    :param log_id: the log ID of any house; anything else counts as none.
    :param players: the number of players.
    :param red_fives: how many there are, as far as is recorded otherwise.
    :param lobby: the lobby as recorded, which is Tenhou's.
    """
    text = (name or "").strip()
    known = log_ids.identify(log_id or "")
    soul = mahjong_soul_rules(text, players, red_fives=red_fives)
    if known is not None and known.house is not House.TENHOU:
        return soul or Rules(players, red_fives, house=known.house)
    code = tenhou.code_of(text, players)
    if known is None and code is None:
        return soul or Rules(players, red_fives, lobby=lobby)
    tenhou_id = log_ids.find_id(log_id or "")
    if tenhou_id is not None and lobby is None:
        lobby = tenhou_id.lobby
    rules = tenhou.rules(tenhou_id.rules if tenhou_id is not None else code or 0, lobby)
    contradicted = (
        tenhou_id is not None and code is not None and tenhou.short_title(code) != tenhou.short_title(tenhou_id.rules)
    )
    if contradicted or rules.players != players or red_fives not in (None, rules.red_fives):
        return Rules(players, red_fives, lobby=lobby, house=House.TENHOU)
    return rules
