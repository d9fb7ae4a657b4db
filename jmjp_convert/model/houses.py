"""Determines whose rules a game has from what its file says, and whether they are those of ranked games."""

from __future__ import annotations

from collections.abc import Collection

from jmjp_convert.model import House, Rules, log_ids, tenhou
from jmjp_convert.patterns import regex

# --- Mahjong Soul ----------------------------------------------------------------------------------------------------

# Sources of the names of rooms: ``convert.js`` of Equim-chan/tensoul and the user script it stems from, tensoul-py, and
# the lists of modes of amae-koromo: players, room, length and red fives in Japanese, Chinese, Roman letters or English.

_RANKED = (
    *(f"{metal}の間" for metal in ("銅", "銀", "金", "玉", "王座")),
    *(f"{metal}之[间間]" for metal in ("[铜銅]", "[银銀]", "金", "玉", "王座")),
    *(f"{metal} Room" for metal in ("Bronze", "Silver", "Gold", "Jade", "Throne")),
)
"""The rooms of ranked games."""

_PRIVATE = ("友人戦", "友人[场場]", "大会戦", "比[赛賽][场場]", "Friendly", "Tournament", "Tounament")
"""Rooms whose rules the players set; the last as one program spells it."""

_OTHER_WORDS = "[34三四東南东风風戦战麻人喰 ・·-]|半荘|半庄|段位[场場]?|Player|East|South|: ?[0-9]{1,12}"
"""The other parts of such a name: players, length, and the number of a room."""

_RED, _NO_RED = "赤|Red Fives|Red", "Aka Nashi|No Red Fives"

# No part is made of others, so that there is one way to match.
_SOUL_NAME = regex(
    rf"(?:(?P<ranked>{'|'.join(_RANKED)})|(?P<private>{'|'.join(_PRIVATE)})"
    rf"|(?P<red>{_RED})|(?P<no_red>{_NO_RED})|{_OTHER_WORDS})+"
)


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


def mahjong_soul_rules(name: str, players: int, *, red_fives: bool | None) -> Rules | None:
    """Return the rules of the game with the *name*, ``None`` if it is not a name that converters of Mahjong Soul's
    records give. Ranked rooms have lobby 0; of a private one only the word is known.

    :param players: their number.
    :param red_fives: whether there are red fives, as far as is recorded otherwise.
    """
    room = _SOUL_NAME.fullmatch(name)
    if room is None or not (room["ranked"] or room["private"]):
        return None
    if red_fives is None and (room["red"] or room["no_red"]):
        red_fives = room["no_red"] is None
    custom = (("title", room["private"]),) if room["private"] else ()
    return Rules(players, red_fives, None, None if custom else 0, custom, House.MAHJONG_SOUL)


# --- Riichi City ------------------------------------------------------------------------------------------------------

GAME = "game"
"""The setting that says what kind of game it is, if it is not ranked."""

WAREME = "wareme"
YAKITORI = "yakitori"
CHIPS = "chips"
OPEN_RIICHI = "open riichi"
PAO_FOR_DAIMINKAN = "pao for daiminkan"
LEAST_HAN = "least han"
NORTH_IS_YAKUHAI = "north is yakuhai"

ON, OFF = "on", "off"
"""Whether an option is on; one that is as in ranked games is not among the settings."""

_RANKED_OPTIONS = {4: frozenset((PAO_FOR_DAIMINKAN,)), 3: frozenset[str]()}
"""By number of players, the options that are on in ranked games."""


def riichi_city_rules(
    players: int,
    *,
    red_fives: bool | None,
    game: str | None,
    options: Collection[str],
    least_han: str | None,
    north_is_yakuhai: bool,
) -> Rules:
    """Return the rules of a game of Riichi City.

    :param game: what kind of game it is; ``None`` for a ranked one.
    :param options: the names of the options that are on.
    :param least_han: the least that a win must be worth, if it is not one han.
    :param north_is_yakuhai: whether norths are tiles of a yaku, and are not set aside.
    """
    usual = _RANKED_OPTIONS[players]
    custom = [] if game is None else [(GAME, game)]
    custom += [(name, ON) for name in options if name not in usual]
    custom += [(name, OFF) for name in sorted(usual.difference(options))]
    custom += [] if least_han is None else [(LEAST_HAN, least_han)]
    custom += [(NORTH_IS_YAKUHAI, ON)] if north_is_yakuhai else []
    return Rules(players, red_fives, None, 0 if game is None else None, tuple(custom), House.RIICHI_CITY)


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


def own_rules(rules: Rules) -> str | None:
    """Return why the rules may not be those of a house's ranked games, or ``None`` (docs/design/scoring.md)."""
    if rules.house is None:
        return "whose rules were played is not recorded"
    return _REASONS[rules.house](rules)


def rules_of(name: str | None, log_id: str | None, *, players: int, red_fives: bool | None, lobby: int | None) -> Rules:
    """Return the rules of a game, with the house and Tenhou's number as far as they are known.

    The log ID shows the house; without one, the name does. Tenhou's number is that of the log ID, otherwise that of the
    name. It is not taken if the two disagree, or if it is of another number of players or other red fives.

    :param name: the name of the rules as viewers show it, ``鳳南喰赤`` or ``Jade Room South``.
    :param log_id: the log ID of any house; anything else counts as none.
    :param players: the number of players.
    :param red_fives: whether there are red fives, as far as is recorded otherwise.
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
