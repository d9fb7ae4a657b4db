"""Tiles and melds, kita included, in the notation of tenhou.net/6.

11–19 are man, 21–29 pin, 31–39 sou, 41–47 honors; 51, 52, 53 are the red fives. A meld is a string of its tiles and a
letter for its kind. The called tile follows the letter, whose place shows the source.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import lru_cache
from typing import Any

from jmjp_convert.model import Ankan, Chi, Daiminkan, Kakan, Kita, Pon
from jmjp_convert.model.tiles import FACES, IDS, KIND_FACES, RED_FIVES, UNKNOWN_FACE, either_copy, faces

TSUMOGIRI = 60
NO_DISCARD = 0
"""Placeholder among the discards for a daiminkan, to keep them aligned with the draws."""

_RED = {face: 51 + suit for suit, face in enumerate(RED_FIVES.values())}
_NUMBERS = {face: 10 * (kind // 9 + 1) + kind % 9 + 1 for kind, face in enumerate(KIND_FACES)} | _RED
_AFTER = {_NUMBERS[face]: _NUMBERS[face.replace("0", "5")] for face in _RED}
"""The plain five that each red five follows in a hand."""


NUMBERLESS = frozenset(tile for tile, face in enumerate(faces(red_fives=True)) if face == UNKNOWN_FACE)
"""The IDs of unknown tiles, which have no number."""


class Notation:
    """The numbers of tiles, with or without red fives.

    :ivar numbers: by tile ID; a :exc:`KeyError` for a :data:`NUMBERLESS` one.
    :ivar discards: by tile ID, the number of a discard from the hand; tsumogiri if it may be the tile just drawn or
        another copy.
    """

    __slots__ = ("discards", "numbers")

    def __init__(self, *, red_fives: bool | None) -> None:
        names = faces(red_fives=red_fives)
        self.numbers = {tile: _NUMBERS[names[tile]] for tile in range(IDS) if tile not in NUMBERLESS}
        self.discards = self.numbers | dict.fromkeys(map(either_copy, FACES), TSUMOGIRI)

    def row(self, tiles: Iterable[int]) -> list[int]:
        """Return the numbers of *tiles*, in order."""
        return [self.numbers[tile] for tile in tiles]

    def hand(self, tiles: Iterable[int]) -> list[int]:
        """Return the numbers of the *tiles* of a hand, sorted."""
        found = sorted(self.row(tiles))
        if found[-1] in _AFTER:
            found.sort(key=lambda number: _AFTER.get(number, number))
        return found

    def meld(self, meld: Chi | Pon | Daiminkan | Kakan | Ankan | Kita) -> str:
        """Return *meld* as a string."""
        return _MELDS[type(meld)](meld, self)


@lru_cache
def notation(*, red_fives: bool | None) -> Notation:
    """Return the notation for games with or without red fives."""
    return Notation(red_fives=red_fives)


def _chi(chi: Chi, words: Notation) -> str:
    called, first, second = words.row((chi.taken, *chi.hand))
    return f"c{called}{first}{second}"


def _called(meld: Pon | Daiminkan, word: str, words: Notation) -> str:
    """Return the tiles from the hand, a red five last, with *word*, the letter and the called tile, among them.

    The word is first for a tile from kamicha, second from toimen, last from shimocha.
    """
    texts = [*map(str, sorted(words.row(meld.hand)))]
    place = {3: 0, 2: 1, 1: len(texts)}[(meld.source - meld.player) % 4]  # with three players too
    return "".join((*texts[:place], word, *texts[place:]))


def _pon(pon: Pon, words: Notation) -> str:
    return _called(pon, f"p{words.numbers[pon.taken]}", words)


def _daiminkan(kan: Daiminkan, words: Notation) -> str:
    return _called(kan, f"m{words.numbers[kan.taken]}", words)


def _kakan(kan: Kakan, words: Notation) -> str:
    return _called(kan.pon, f"k{words.numbers[kan.tile]}{words.numbers[kan.pon.taken]}", words)


def _ankan(kan: Ankan, words: Notation) -> str:
    *others, last = sorted(words.row(kan.tiles))
    return f"{''.join(map(str, others))}a{last}"


def _kita(kita: Kita, words: Notation) -> str:
    return f"f{words.numbers[kita.tile]}"


_MELDS: dict[type, Callable[[Any, Notation], str]] = {
    Chi: _chi,
    Pon: _pon,
    Daiminkan: _daiminkan,
    Kakan: _kakan,
    Ankan: _ankan,
    Kita: _kita,
}
"""The writer of each meld. Every format has its own table, over the same melds."""
