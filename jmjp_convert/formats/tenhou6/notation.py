"""Tiles and melds, kita included, in the notation of tenhou.net/6.

11–19 are man, 21–29 pin, 31–39 sou, 41–47 honors; 51, 52, 53 are the red fives. A meld is a string of its tiles and a
letter for its kind. The called tile follows the letter, whose place shows the source.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from functools import lru_cache
from typing import Any

from jmjp_convert.errors import PlayError
from jmjp_convert.model import Ankan, Chi, Daiminkan, Kakan, Kita, Meld, Pon
from jmjp_convert.model.tiles import IDS, KIND_FACES, RED_FIVES, UNKNOWN_FACE, any_copy, faces
from jmjp_convert.play.melds import check_shape

TSUMOGIRI = 60
NO_DISCARD = 0
"""Placeholder among the discards for a daiminkan, to keep them aligned with the draws."""

_RED = {face: 51 + suit for suit, face in enumerate(RED_FIVES.values())}
_NUMBERS = {face: 10 * (kind // 9 + 1) + kind % 9 + 1 for kind, face in enumerate(KIND_FACES)} | _RED
_AFTER = {_NUMBERS[face]: _NUMBERS[face.replace("0", "5")] for face in _RED}
"""The plain five that each red five follows in a hand."""

TILES = {number: any_copy(face) for face, number in _NUMBERS.items()}
"""The IDs of tiles, any copy, by number."""

REDS, FIVES = frozenset(_RED.values()), frozenset(_AFTER.values())
"""The numbers of the red and the plain fives."""

NUMBERLESS = frozenset(tile for tile, face in enumerate(faces(red_fives=True)) if face == UNKNOWN_FACE)
"""The IDs of unknown tiles, which have no number."""


class Notation:
    """The numbers of tiles, with or without red fives.

    :ivar numbers: by tile ID; a :exc:`KeyError` for a :data:`NUMBERLESS` one.
    """

    __slots__ = ("numbers",)

    def __init__(self, *, red_fives: bool | None) -> None:
        names = faces(red_fives=red_fives)
        self.numbers = {tile: _NUMBERS[names[tile]] for tile in range(IDS) if tile not in NUMBERLESS}

    def row(self, tiles: Iterable[int]) -> list[int]:
        """Return the numbers of *tiles*, in order."""
        return [self.numbers[tile] for tile in tiles]

    def hand(self, tiles: Iterable[int]) -> list[int]:
        """Return the numbers of the *tiles* of a hand, sorted."""
        found = sorted(self.row(tiles))
        if found[-1] in _AFTER:
            found.sort(key=lambda number: _AFTER.get(number, number))
        return found

    def meld(self, meld: Meld) -> str:
        """Return *meld* as a string."""
        return _MELDS[type(meld)](meld, self)


@lru_cache
def notation(*, red_fives: bool | None) -> Notation:
    """Return the notation for games with or without red fives."""
    return Notation(red_fives=red_fives)


_LAST = 2
_PLACES = {3: 0, 2: 1, 1: _LAST}
"""The place of the letter by the source, in seats after the caller, with three players too. The last is the third
tile's for a pon, the fourth's for a kan."""


def _chi(chi: Chi, words: Notation) -> str:
    called, first, second = words.row((chi.taken, *chi.hand))
    return f"c{called}{first}{second}"


def _called(meld: Pon | Daiminkan, word: str, words: Notation) -> str:
    """Return the tiles from the hand, a red five last, with *word*, the letter and the called tile, among them.

    The word is first for a tile from kamicha, second from toimen, last from shimocha.
    """
    texts = [*map(str, sorted(words.row(meld.hand)))]
    place = _PLACES[(meld.source - meld.player) % 4]
    place = len(texts) if place == _LAST else place
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


# --- reading ---------------------------------------------------------------------------------------------------------

_SOURCES = {place: seats for seats, place in _PLACES.items()} | {_LAST + 1: 1}
_WORD = re.compile(r"((?:[1-5][0-9]){0,3})([cpmkaf])((?:[1-5][0-9]){1,4})")
_CALL = {"p": (Pon, 3), "m": (Daiminkan, 4)}


@lru_cache(maxsize=1 << 14)
def meld_of(word: str, player: int, players: int) -> Any:
    """Return the meld of *player* that *word* means, the inverse of :meth:`Notation.meld`.

    The pon of a kakan is that of *word*; in which order other programs write its tiles varies.

    :raises ValueError: *word* is not a meld.
    """
    found = _WORD.fullmatch(word)
    if found is None:
        raise ValueError(word)
    before, after = _tiles(found[1]), _tiles(found[3])
    letter, place = found[2], len(before)
    called, *rest = after
    hand = before + rest
    if letter == "f":
        if hand:
            raise ValueError(word)
        return Kita(player, called)
    if letter == "a":
        return _shaped(Ankan(player, tuple(sorted([called, *hand]))), 4, word)
    if letter == "c":
        if place:
            raise ValueError(word)
        return _shaped(Chi(player, called, tuple(sorted(hand)), (player - 1) % players), 3, word)
    source = (player + _SOURCES[place]) % 4
    if source >= players:
        raise ValueError(word)
    if letter == "k":
        if not rest:
            raise ValueError(word)
        taken, *others = rest
        return _shaped(Kakan(player, called, Pon(player, taken, tuple(sorted(before + others)), source)), 4, word)
    kind, size = _CALL[letter]
    return _shaped(kind(player, called, tuple(sorted(hand)), source), size, word)


def _tiles(digits: str) -> list[int]:
    """Return the tiles with the numbers in *digits*."""
    try:
        return [TILES[int(digits[place : place + 2])] for place in range(0, len(digits), 2)]
    except KeyError:
        raise ValueError(digits) from None


def _shaped(meld: Any, size: int, word: str) -> Any:
    """Return *meld*, which must have *size* tiles of the right kinds."""
    if len(re.sub("[a-z]", "", word)) != 2 * size:
        raise ValueError(word)
    try:
        check_shape(meld)
    except PlayError as error:
        raise ValueError(word) from error
    return meld
