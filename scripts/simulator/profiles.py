"""Who plays: invented names, ranks and ratings; and who loses the connection and comes back."""

from __future__ import annotations

from typing import NamedTuple

from jmjp_convert.model import SEATS
from simulator.eras import Form
from simulator.random_source import Chance
from simulator.rules import Rules

_MOST_DAN = 20
_FIRST_RATE = 150000
_KANA = "あいうえおかきくけこさしすせそたちつてとなにぬねのはひふへほまみむめもやゆよらりるれろわん"
_KATAKANA = "アイウエオカキクケコサシスセソタチツテトナニヌネノハヒフヘホマミムメモヤユヨラリルレロワンー"
_KANJI = "東西南北白發中山川海空花月星雀牌風林火龍虎猫犬鳥天地人一二三四五六七八九十百千万"
_LATIN = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-"
_ODD = "☆★♪†〓゛(^o^)/\\\"'&<>+~ 　éß🀄"
_ALPHABETS = {_KANA: 30.0, _KATAKANA: 20.0, _KANJI: 15.0, _LATIN: 30.0, _ODD: 5.0}
_LONGEST = 8
_NEWCOMER = "NoName"


class Player(NamedTuple):
    """A player, as the log has one.

    :ivar names_third: whether the player's program names a closed kan by its third tile.
    """

    name: str
    dan: int
    rate: str
    sex: str
    names_third: bool = False


def people(rules: Rules, form: Form, chance: Chance, programs: Chance) -> list[Player]:
    """Return who sits at the table: four, the last of whom is nobody with three players.

    :param programs: the chance that gives everybody a program.
    """
    players: list[Player] = []
    for _ in range(rules.players):
        dan = min(rules.room.dan + int(chance.random() ** 2 * 10), _MOST_DAN)
        rate = _FIRST_RATE if dan == 0 else rules.room.rate * 100 + chance.below(35000)
        name = _name(chance) if dan else _NEWCOMER
        sex = "F" if chance.in_(20) else "M"
        players.append(Player(name, dan, _rate(rate, form), sex, form.old_ankan and programs.in_(50)))
    return players + [Player("", 0, _rate(_FIRST_RATE, form), "C")] * (SEATS - rules.players)


def _rate(hundredths: int, form: Form) -> str:
    whole, rest = divmod(hundredths, 100)
    return f"{whole}.{rest:02}" if form.rate_decimals else str(whole)


def _name(chance: Chance) -> str:
    alphabet = chance.weighed(_ALPHABETS)
    return "".join(chance.one_of(alphabet) for _ in range(1 + chance.below(_LONGEST)))


class Presence:
    """Who is there.

    :param chance: of the play, which goes otherwise where somebody is away; *apart*: of what makes no difference to it.
    :ivar gone: by player, whether the connection is lost.
    """

    def __init__(self, players: int, chance: Chance, apart: Chance, *, often: bool) -> None:
        self.gone = [False] * players
        self._chance = chance
        self._apart = apart
        self._unsteady = chance.in_(60 if often else 15)  # whether anybody's connection is bad
        self._away = 0

    def change(self) -> tuple[int, bool] | None:
        """Return who has gone, or come back: the player, and whether gone. Mostly nobody has."""
        if not self._unsteady or not self._chance.in_(3 if self._away else 0.3):
            return None
        player = self._chance.below(len(self.gone))
        if not self.gone[player] and self._away > 1:
            return None
        self.gone[player] = not self.gone[player]
        self._away += 1 if self.gone[player] else -1
        return player, self.gone[player]

    def blink(self, percent: float) -> list[tuple[int, bool]]:
        """Return who goes and is back before anything is played, or the other way round, as `change` does; in so many
        *percent* of cases somebody does."""
        if not self._unsteady or not self._apart.in_(percent):
            return []
        first, steps = self._apart.below(len(self.gone)), self._apart.below(2)
        players = [(first + step) % len(self.gone) for step in range(1 + steps)]
        away = [(player, not self.gone[player]) for player in players]
        return away + [(player, self.gone[player]) for player in players]
