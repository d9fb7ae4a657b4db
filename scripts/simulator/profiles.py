"""Invented players: names, ranks and ratings."""

from __future__ import annotations

from typing import NamedTuple

from jmjp_convert.model import SEATS
from simulator.eras import Era
from simulator.random_source import RandomSource
from simulator.rules import Rules

_HIGHEST_DAN = 20
_FIRST_RATE = 150000
_HIRAGANA = "あいうえおかきくけこさしすせそたちつてとなにぬねのはひふへほまみむめもやゆよらりるれろわん"
_KATAKANA = "アイウエオカキクケコサシスセソタチツテトナニヌネノハヒフヘホマミムメモヤユヨラリルレロワンー"
_KANJI = "東西南北白發中山川海空花月星雀牌風林火龍虎猫犬鳥天地人一二三四五六七八九十百千万"
_LATIN = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-"
_UNUSUAL = "☆★♪†〓゛(^o^)/\\\"'&<>+~ 　éß🀄"
_ALPHABETS = {_HIRAGANA: 30.0, _KATAKANA: 20.0, _KANJI: 15.0, _LATIN: 30.0, _UNUSUAL: 5.0}
_LONGEST_NAME = 8
_NEWCOMER = "NoName"


class Profile(NamedTuple):
    """A player as presented in the log.

    :ivar ankan_by_third: whether the player's program encodes a closed kan by its third tile.
    """

    name: str
    dan: int
    rate: str
    sex: str
    ankan_by_third: bool = False


def random_profiles(rules: Rules, era: Era, random: RandomSource, programs: RandomSource) -> list[Profile]:
    """Return four profiles; with three players the last is empty.

    :param programs: decides which program each player has.
    """
    profiles: list[Profile] = []
    for _ in range(rules.players):
        dan = min(rules.room.dan + int(random.fraction() ** 2 * 10), _HIGHEST_DAN)
        rate = _FIRST_RATE if dan == 0 else rules.room.rate * 100 + random.below(35000)
        name = _random_name(random) if dan else _NEWCOMER
        sex = "F" if random.chance(20) else "M"
        ankan_by_third = era.some_ankan_by_third and programs.chance(50)
        profiles.append(Profile(name, dan, _rate_text(rate, era), sex, ankan_by_third))
    return profiles + [Profile("", 0, _rate_text(_FIRST_RATE, era), "C")] * (SEATS - rules.players)


def _rate_text(hundredths: int, era: Era) -> str:
    whole, rest = divmod(hundredths, 100)
    return f"{whole}.{rest:02}" if era.rate_decimals else str(whole)


def _random_name(random: RandomSource) -> str:
    alphabet = random.weighted(_ALPHABETS)
    return "".join(random.choice(alphabet) for _ in range(1 + random.below(_LONGEST_NAME)))
