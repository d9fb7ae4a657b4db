"""Mahjong Soul's rooms, by the names that programs give them which convert its records.

Sources: ``convert.js`` of Equim-chan/tensoul and the user script it stems from, tensoul-py, and the lists of modes of
amae-koromo: players, room, length and red fives in Japanese, Chinese, Roman letters or English.
"""

from __future__ import annotations

from jmjp_convert.model import House, Rules, Text
from jmjp_convert.patterns import regex

NAME = Text("雀魂", "Mahjong Soul")

_RANKED = (
    *(f"{metal}の間" for metal in ("銅", "銀", "金", "玉", "王座")),
    *(f"{metal}之[间間]" for metal in ("[铜銅]", "[银銀]", "金", "玉", "王座")),
    *(f"{metal} Room" for metal in ("Bronze", "Silver", "Gold", "Jade", "Throne")),
)
"""The rooms of ranked games."""

_PRIVATE = ("友人戦", "友人[场場]", "大会戦", "比[赛賽][场場]", "Friendly", "Tournament", "Tounament")
"""Rooms whose rules the players set; the last as one program spells it."""

_OTHERS = "[34三四東南东风風戦战麻人喰 ・·-]|半荘|半庄|段位[场場]?|Player|East|South|: ?[0-9]{1,12}"
"""What else such a name may say: players, length, and the number of a room."""

_RED, _NO_RED = "赤|Red Fives|Red", "Aka Nashi|No Red Fives"

# No part is made of others, so that there is one way to match.
_NAME = regex(
    rf"(?:(?P<ranked>{'|'.join(_RANKED)})|(?P<private>{'|'.join(_PRIVATE)})"
    rf"|(?P<red>{_RED})|(?P<no_red>{_NO_RED})|{_OTHERS})+"
)


def is_ranked(rules: Rules) -> bool | None:
    """Return whether the rules are those of ranked games; ``None`` if not recorded."""
    return None if rules.lobby is None and not rules.custom else own_rules(rules) is None


def own_rules(rules: Rules) -> str | None:
    """Return why the rules may not be those of ranked games, or ``None``."""
    if rules.lobby or rules.custom:
        return "a private room may have rules of its own"
    if rules.lobby is None:
        return "the room is not recorded, and a private one may have rules of its own"
    return None


def named(name: str, players: int, *, red_fives: bool | None) -> Rules | None:
    """Return the rules of the game with the *name*, ``None`` if that is not one of Mahjong Soul's.

    Ranked rooms have lobby 0; of a private one only the word is known.

    :param players: their number.
    :param red_fives: whether there are red fives, as far as is recorded otherwise.
    """
    said = _NAME.fullmatch(name)
    if said is None or not (said["ranked"] or said["private"]):
        return None
    if red_fives is None and (said["red"] or said["no_red"]):
        red_fives = said["no_red"] is None
    custom = (("title", said["private"]),) if said["private"] else ()
    return Rules(players, red_fives, None, None if custom else 0, custom, House.MAHJONG_SOUL)
