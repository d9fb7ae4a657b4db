"""Determines the server whose rules apply to a game, and whether they are those of ranked games."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from typing import Final

from jmjp_convert.lazy_regex import regex
from jmjp_convert.model import SEATS, House, Rules, Text, log_ids, tenhou
from jmjp_convert.model.record import Record
from jmjp_convert.model.tiles import NO_REDS, ONE_RED_EACH, RedFives

GAME = "game"
"""The setting with the kind of game, if it is not ranked and its record lists all settings."""

# --- Mahjong Soul ----------------------------------------------------------------------------------------------------

# Sources of the names of rooms: ``convert.js`` of Equim-chan/tensoul and the user script it stems from, tensoul-py, and
# the lists of modes of amae-koromo: players, room, length and red fives in Japanese, Chinese, Roman letters or English.
# Sources of their numbers: tensoul, GrandDawn/majsoul-replay-editor.


class _Room(Record):
    """A kind of rooms."""

    __slots__ = ("name", "roman", "others", "numbers")

    def __init__(self, name: str, roman: str, others: str = "", numbers: tuple[int, ...] = ()) -> None:
        self.name: Final = name  # in Japanese
        self.roman: Final = roman  # in English, if it has such a name
        self.others: Final = others  # a pattern for its other names
        self.numbers: Final = numbers  # the numbers of its modes


_RANKED = (
    _Room("銅の間", "Bronze Room", "[铜銅]之[间間]", (1, 2, 3, 17, 18)),
    _Room("銀の間", "Silver Room", "[银銀]之[间間]", (4, 5, 6, 19, 20)),
    _Room("金の間", "Gold Room", "金之[间間]", (7, 8, 9, 21, 22)),
    _Room("玉の間", "Jade Room", "玉之[间間]", (10, 11, 12, 23, 24)),
    _Room("王座の間", "Throne Room", "王座之[间間]", (15, 16, 25, 26)),
)
"""The rooms of ranked games."""

FRIENDLY, TOURNAMENT = "友人戦", "大会戦"

_PRIVATE = (
    _Room(FRIENDLY, "Friendly", "友人[场場]"),
    _Room(TOURNAMENT, "Tournament", "比[赛賽][场場]|Tounament"),  # the last as one program spells it
    _Room("乱闘の間", "Melee Room", numbers=(13, 14)),
    _Room("交流の間", "Casual Room", numbers=(29, 30, 31, 32)),
    _Room("試練の道", "Trial Path", numbers=(36,)),
    _Room("龍争虎闘", "", "龙争虎斗", (37, 38, 39)),
    _Room("特別対局", "Event Room", numbers=(42, 43)),
)
"""Rooms with other rules than ranked games, or with rules set by the players."""

SOUL_ROOMS = {number: room.name for room in (*_RANKED, *_PRIVATE) for number in room.numbers}
"""The names of rooms in Japanese, by the number of their mode: ``SOUL_ROOMS[12] == "玉の間"``."""

_LENGTHS = ("一局戦", "東", "南", "東", "一局戦")
"""The lengths of a match by the last digit of its mode; 3 is a game against computers."""

_OTHER_WORDS = (
    "[34三四東南东風风戦战麻人喰 ・·-]|一局戦|半荘|半庄|段位[场場]?|Player|East|South|: ?[0-9]{1,12}(?![0-9])"
)
"""The other parts of such a name: players, length, and the number of a room."""

_RED, _NO_RED = "赤|Red Fives|Red", "Aka Nashi|No Red Fives"


def _names(rooms: Iterable[_Room]) -> str:
    return "|".join("|".join(filter(None, (room.name, room.roman, room.others))) for room in rooms)


# No part is made of others, so that there is one way to match.
_SOUL_NAME = regex(
    rf"(?:(?P<ranked>{_names(_RANKED)})|(?P<private>{_names(_PRIVATE)})"
    rf"|(?P<red>{_RED})|(?P<no_red>{_NO_RED})|{_OTHER_WORDS})+"
)


def mahjong_soul_name(room: str, *, players: int, mode: int, open_tanyao: bool, red_fives: bool) -> str:
    """Return the name of a game as converters write it, such as ``玉の間南喰赤``.

    :param room: the name of the room.
    :param mode: the last digit of the mode.
    """
    length = _LENGTHS[mode] if mode < len(_LENGTHS) else ""
    rules = f"{'喰' if open_tanyao else ''}{'赤' if red_fives else ''}"
    return f"{'三' if players < SEATS else ''}{room}{length}{rules}"


NO_TSUMO_LOSS = ("have_zimosun", "0")
"""The setting of three players by which the part of the missing fourth player is split between the others."""

_SOUL_JUDGED = frozenset(
    {
        *(GAME, "dora_count", "init_point", "fandian", "fanfu", "jingsuanyuandian", "open_hand", NO_TSUMO_LOSS[0]),
        *("shunweima_2", "shunweima_3", "shunweima_4", "can_jifei", "tianbian_value", "have_sifenglianda"),
        *("have_sigangsanle", "have_sijializhi", "have_jiuzhongjiupai", "have_helelianzhuang", "have_helezhongju"),
        *("have_tingpailianzhuang", "have_tingpaizhongju", "have_nanruxiru", "enable_nontsumo_liqi"),
        "disable_angang_guoshi",
    }
)
"""The settings that change neither the value of a win nor, with one exception that is known, who pays."""


def _own_rules(rules: Rules) -> str | None:
    """Return why the value of wins may differ from Mahjong Soul's ranked games, or ``None``."""
    settings = dict(rules.custom)
    if GAME in settings and settings.keys() <= _SOUL_JUDGED:
        return None
    if rules.lobby or settings:
        return "a private room may use custom rules"
    if rules.lobby is None:
        return "the room is not recorded, and private rooms may use custom rules"
    return None


# --- Riichi City ------------------------------------------------------------------------------------------------------

WAREME = "wareme"
YAKITORI = "yakitori"
CHIPS = "chips"
OPEN_RIICHI = "open riichi"
PAO_FOR_DAIMINKAN = "pao for daiminkan"
LEAST_HAN = "least han"
NORTH_IS_YAKUHAI = "north is yakuhai"

ON, OFF = "on", "off"
"""Whether an option is on; the settings list only those that differ from ranked games."""

CITY_ROOMS: Mapping[int, Text] = {
    1: Text("新星", "Star"),
    2: Text("輝月", "Moon"),
    3: Text("炎陽", "Sun"),
    4: Text("銀河", "Galaxy"),
}
"""The rooms of ranked games, by number."""

CITY_GAMES: Mapping[str, Text] = {
    "ranked": Text("段位戦", "Ranked"),
    "tournament": Text("大会戦", "Tournament"),
    "friends": Text("友人戦", "Friends"),
    "one round": Text("一局戦", "One Round"),
}
"""The kinds of games."""

CITY_LENGTHS: Mapping[int, Text] = {
    1: Text("東", "East"),
    2: Text("南", "South"),
    3: Text("一局", "One Hand"),
    4: Text("全", "All Winds"),
}
"""The lengths of games, by number."""

_CITY = Text("一番街", "Riichi City")
_COUNTS: Mapping[int, Text] = {4: Text("四", "4-Player"), 3: Text("三", "3-Player")}


def riichi_city_title(game: str, room: int, length: int, players: int) -> Text:
    """Return the name of a table of Riichi City: the ranked *room* or the kind of *game*, *players*, *length*.

    >>> riichi_city_title("ranked", 4, 2, 4)
    Text(native='一番街 銀河 四南', roman='Riichi City Galaxy 4-Player South')
    """
    which = (CITY_ROOMS.get(room) if game == "ranked" else None) or CITY_GAMES.get(game, Text(game, game))
    count, rounds = _COUNTS[players], CITY_LENGTHS.get(length, Text("", ""))
    native = f"{_CITY.native} {which.native} {count.native}{rounds.native}"
    return Text(native, f"{_CITY.roman} {which.roman} {count.roman} {rounds.roman}".rstrip())


def _words(texts: Iterable[Text]) -> str:
    return "|".join(word for text in texts for word in (text.native, text.roman) if word)


_CITY_NAME = regex(
    rf"(?:{_words([_CITY])}) (?:(?P<ranked>{_words(CITY_ROOMS.values())})|(?P<private>[^ ]{{1,40}}(?: Round)?))"
    rf" (?:{_words(_COUNTS.values())}) ?(?:{_words(CITY_LENGTHS.values())})?"
)


_RANKED_OPTIONS = {4: frozenset((PAO_FOR_DAIMINKAN,)), 3: frozenset[str]()}
"""By number of players, the options that are on in ranked games."""


def riichi_city_rules(
    players: int,
    *,
    red_fives: RedFives | None,
    game: str | None,
    options: Collection[str],
    least_han: str | None,
    north_is_yakuhai: bool,
) -> Rules:
    """Return the rules of a game of Riichi City.

    :param game: the kind of game; ``None`` for a ranked one.
    :param options: the names of the options that are on.
    :param least_han: the minimum han of a win, if it is not one.
    :param north_is_yakuhai: whether norths are yakuhai and are not set aside.
    """
    usual = _RANKED_OPTIONS[players]
    custom = [] if game is None else [(GAME, game)]
    custom += [(name, ON) for name in options if name not in usual]
    custom += [(name, OFF) for name in sorted(usual.difference(options))]
    custom += [] if least_han is None else [(LEAST_HAN, least_han)]
    custom += [(NORTH_IS_YAKUHAI, ON)] if north_is_yakuhai else []
    return Rules(players, red_fives, None, 0 if game is None else None, tuple(custom), House.RIICHI_CITY)


_JUDGED = frozenset((GAME, WAREME, YAKITORI, CHIPS, OPEN_RIICHI, PAO_FOR_DAIMINKAN, LEAST_HAN))
"""The settings with which scores are computed."""


def has_option(rules: Rules, name: str) -> bool:
    """Return whether an option of Riichi City is on."""
    usual = ON if rules.house is House.RIICHI_CITY and name in _RANKED_OPTIONS[rules.players] else OFF
    return dict(rules.custom).get(name, usual) == ON


def _own_city_rules(rules: Rules) -> str | None:
    """Return why scores cannot be computed, or ``None``: a record of Riichi City lists the options that change them."""
    settings = dict(rules.custom)
    if NORTH_IS_YAKUHAI in settings:
        return "norths that are not set aside are not scored"
    if settings.keys() - _JUDGED:
        return "a private room may use custom rules"
    if rules.lobby is None and not settings:
        return "the room is not recorded, and private rooms may use custom rules"
    return None


GAMES = frozenset((*CITY_GAMES, *(room.name for room in (*_RANKED, *_PRIVATE))))
"""The kinds of games that are the value of :data:`GAME`, for all servers."""

# --- any house -------------------------------------------------------------------------------------------------------

_REASONS = {House.TENHOU: tenhou.own_rules, House.MAHJONG_SOUL: _own_rules, House.RIICHI_CITY: _own_city_rules}


def is_ranked(rules: Rules) -> bool | None:
    """Return whether the rules are those of a server's ranked games; ``None`` if not recorded."""
    if rules.house is House.TENHOU:
        return tenhou.is_ranked(rules)
    if rules.house is None or (rules.lobby is None and not rules.custom):
        return None
    return rules.lobby == 0 and not rules.custom


def is_tenhou(rules: Rules) -> bool:
    """Return whether the *rules* are Tenhou's."""
    return rules.code is not None or rules.house is House.TENHOU


def is_east_only(rules: Rules) -> bool | None:
    """Return whether the game has an East round only, unless it is extended; ``None`` if not recorded."""
    return rules.east_only if rules.code is None else tenhou.is_east_only(rules.code)


def own_rules(rules: Rules) -> str | None:
    """Return why the rules may not be those of a server's ranked games, or ``None`` (docs/design/scoring.md)."""
    if rules.house is None:
        return "whose rules were played is not recorded"
    return _REASONS[rules.house](rules)


def own_uma(rules: Rules) -> str | None:
    """Return why the uma may not be that of a server's ranked games, or ``None``."""
    reason = own_rules(rules)
    if reason is None and is_ranked(rules) is False:
        return "a private room may use a custom uma"
    return reason


def named_rules(name: str, players: int, *, red_fives: RedFives | None) -> Rules | None:
    """Return the rules of the game with the *name*, ``None`` if it is neither a name that converters of Mahjong Soul's
    records give, nor that of a table of Riichi City. Ranked rooms have lobby 0; of a private one, only the word is
    known, not its options.

    :param players: the number of players.
    :param red_fives: the number of red fives, if it is recorded elsewhere.
    """
    soul = _SOUL_NAME.fullmatch(name)
    table = soul or _CITY_NAME.fullmatch(name)
    if table is None or not (table["ranked"] or table["private"]):
        return None
    if soul and red_fives is None and (soul["red"] or soul["no_red"]):
        red_fives = NO_REDS if soul["no_red"] else ONE_RED_EACH
    custom = (("title", table["private"]),) if table["private"] else ()
    house = House.MAHJONG_SOUL if soul else House.RIICHI_CITY
    return Rules(players, red_fives, None, None if custom else 0, custom, house)


def is_name_of_rules(name: str) -> bool:
    """Return whether *name* names rules of a server other than Tenhou, which many games share: a room or a kind of
    game, without the number of a private room.

    >>> is_name_of_rules("四玉の間南喰赤"), is_name_of_rules("Friendly: 12345"), is_name_of_rules("Club league")
    (True, False, False)
    """
    if ":" not in name and _SOUL_NAME.fullmatch(name):
        return True
    table = _CITY_NAME.fullmatch(name)
    kinds = [word for kind in CITY_GAMES.values() for word in (kind.native, kind.roman)]
    return table is not None and (table["private"] is None or table["private"] in kinds)


def room(rules: Rules, name: Text | None) -> Text | None:
    """Return the room, or the kind of private game, that a game was played in; ``None`` if not known.

    :param name: the name of the rules, as recorded.

    >>> room(Rules(house=House.MAHJONG_SOUL), Text("四玉の間南喰赤")).roman
    'Jade Room'
    """
    if rules.code is not None:
        return tenhou.room(rules.code)
    title = str(name or "")
    if rules.house is House.MAHJONG_SOUL:
        rooms = (room for room in (*_RANKED, *_PRIVATE) if regex(_names([room])).search(title))
        return next((Text(room.name, room.roman or None) for room in rooms), None)
    if rules.house is House.RIICHI_CITY and (table := _CITY_NAME.fullmatch(title)):
        said = table["ranked"] or table["private"]
        return next(
            (text for text in (*CITY_ROOMS.values(), *CITY_GAMES.values()) if said in (text.native, text.roman)), None
        )
    return None


def rules_of(
    name: str | None, log_id: str | None, *, players: int, red_fives: RedFives | None, lobby: int | None
) -> Rules:
    """Return the rules of a game, with the server and Tenhou's number, if they are known.

    The log ID shows the server; without one, the name does. Tenhou's number is that of the log ID, otherwise that of
    the name. It is not used if the two disagree, or if the number of players or the red fives differ.

    :param name: the name of the rules as viewers show it, ``鳳南喰赤`` or ``Jade Room South``.
    :param log_id: the log ID of any server; anything else counts as none.
    :param players: the number of players.
    :param red_fives: the number of red fives, if it is recorded elsewhere.
    :param lobby: the lobby as recorded, which is Tenhou's.
    """
    text = (name or "").strip()
    known = log_ids.identify(log_id or "")
    named = named_rules(text, players, red_fives=red_fives)
    if known is not None and known.house is not House.TENHOU:
        return named if named and named.house is known.house else Rules(players, red_fives, house=known.house)
    code = tenhou.code_of(text, players)
    if known is None and code is None:
        return named or Rules(players, red_fives, lobby=lobby)
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
