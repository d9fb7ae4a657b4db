"""Tile ids, kinds and faces, and the dora of each indicator.

Ids 0–135 are the physical tiles: ``id // 4`` is the kind, or tile type (0–8 man, 9–17 pin, 18–26 sou, 27–33 East South
West North haku hatsu chun), ``id % 4`` the copy. The red fives of a kind are its first copies: with one of each suit,
ids 16, 52 and 88 (docs/design/mapping.md, Tiles); with two of pin, id 53 too.

Ids from 136 up are tiles known only by face, such as ``any_copy("3m")``, and ``UNKNOWN`` for a tile whose face is
unknown too. They sort like the physical tiles, a red five before the plain ones.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import cache
from operator import itemgetter
from re import findall
from typing import Final, NamedTuple

__all__ = [
    "COPIES",
    "DRAGON_KINDS",
    "EAST",
    "FACES",
    "HONOR_FACES",
    "IDS",
    "KINDS",
    "KIND_FACES",
    "NORTH",
    "NO_REDS",
    "ONE_RED_EACH",
    "PHYSICAL",
    "RED_FACES",
    "SUIT",
    "TERMINALS_AND_HONORS",
    "UNKNOWN",
    "UNKNOWN_FACE",
    "WIND_KINDS",
    "RedFives",
    "any_copy",
    "counts",
    "dora",
    "exists",
    "faces",
    "indicators",
    "is_red",
    "kind",
    "label",
    "parse",
    "text",
]
"""What is for users of the module; what else it has is for the package."""

COPIES = 4
"""The number of copies of each kind."""

KINDS: Final = 34
"""The number of kinds, or tile types."""

PHYSICAL: Final = KINDS * COPIES
"""The number of tiles in a set of four players; ids from here on are known only by face."""

THREE_PLAYERS: Final = 3
"""The number of players in sanma, which has no 2m to 8m."""

HONOR_FACES: Final = ("ew", "sw", "ww", "nw", "wd", "gd", "rd")
"""The faces of the winds and dragons, in the order of their kinds."""

KIND_FACES: Final = (*(f"{rank}{suit}" for suit in "mps" for rank in range(1, 10)), *HONOR_FACES)
"""By kind, its face; of a five, the plain one."""

SUIT: Final = 9
"""The number of kinds in a suit; the suits come before the honors."""

WIND_KINDS, DRAGON_KINDS = range(27, 31), range(31, 34)
"""The kinds of the winds, East South West North, and of the dragons, white green red."""

EAST, NORTH = WIND_KINDS[0], WIND_KINDS[-1]
"""Two of these kinds."""

TERMINALS_AND_HONORS: Final = frozenset((0, 8, 9, 17, 18, 26, *WIND_KINDS, *DRAGON_KINDS))
"""The kinds of terminals and honors."""

HONOR_NAMES: Final = {face: f"{number}z" for number, face in enumerate(HONOR_FACES, 1)}
"""What most programs call the honors, by face."""

_RED_OF_KIND: Final = {kind: f"0{face[1]}" for kind, face in enumerate(KIND_FACES) if face[0] == "5"}
RED_FACES: Final = tuple(_RED_OF_KIND.values())
"""The faces of the red fives, in the order of the suits."""


class RedFives(NamedTuple):
    """How many fives of each suit are red; by default one each.

    With three players, who play without 2m to 8m, the number of man is that of the set before these are taken out.
    """

    man: int = 1
    pin: int = 1
    sou: int = 1


ONE_RED_EACH: Final = RedFives()
"""One red five of each suit, the usual rule."""

NO_REDS: Final = RedFives(0, 0, 0)
"""A set without red fives."""

FACES: Final = tuple(
    face
    for kind, plain in enumerate(KIND_FACES)
    for face in ((_RED_OF_KIND[kind], plain) if kind in _RED_OF_KIND else (plain,))
)
"""The 37 faces, in tile order."""

UNKNOWN: Final = PHYSICAL + len(FACES)
"""A tile whose face is unknown."""

UNKNOWN_FACE: Final = "uk"
"""Its face."""

FACES_SAID: Final = (
    "expected 1m to 9m, p or s, 0m, 0p or 0s for a red five, ew, sw, ww, nw, wd, gd, rd, or uk if unknown"
)

_FACE_ONLY: Final = (*FACES, UNKNOWN_FACE)
IDS: Final = UNKNOWN + 1
"""The number of ids."""

_PLAIN: Final = tuple(KIND_FACES[tile // COPIES] for tile in range(PHYSICAL)) + _FACE_ONLY
_ANY_COPY: Final = {face: PHYSICAL + index for index, face in enumerate(_FACE_ONLY)}
_KIND_OF_FACE: Final = {
    face: kind for faces in (dict(enumerate(KIND_FACES)), _RED_OF_KIND) for kind, face in faces.items()
}


@cache
def faces(red_fives: RedFives | None = ONE_RED_EACH) -> tuple[str, ...]:
    """Return the face of every id, including 136 and up: ``faces()[16] == "0m"``.

    :param red_fives: how many of each suit; ``None``, not recorded, counts as one each.
    """
    names = [*_PLAIN]
    for (kind, face), count in zip(_RED_OF_KIND.items(), red_fives or ONE_RED_EACH, strict=True):
        names[kind * COPIES : kind * COPIES + count] = [face] * count
    return tuple(names)


_RED: Final = faces()


def any_copy(face: str) -> int:
    """Return the id of a tile known only by its *face* (``"5m"``, ``"0m"``, ``"ew"``, ``"uk"``).

    :raises ValueError: *face* is not a face.
    """
    try:
        return _ANY_COPY[face]
    except KeyError:
        raise ValueError(f"{face!r} is not a tile; {FACES_SAID}") from None


_GROUP: Final = r"([0-9]+)([mpsz])|(\S[\s\S]?)"
"""The pattern of ranks and the letter of their suit, or of another tile."""

_FACES_BY_NAME: Final = {HONOR_NAMES.get(face, face): face for face in FACES}
BY_NAME: Final = {name: any_copy(face) for name, face in _FACES_BY_NAME.items()}
"""The tiles, as ids of any copy, by what most programs call them: ``0m`` is a red five, ``1z`` to ``7z`` honors."""

RED_OF: Final = {any_copy(KIND_FACES[kind]): any_copy(face) for kind, face in _RED_OF_KIND.items()}
"""The red fives by the plain ones, as ids of any copy, in the order of the suits."""

_KINDS: Final[dict[int, int | None]] = {tile: _KIND_OF_FACE.get(face) for tile, face in enumerate(_RED)}


def kind(tile: int) -> int | None:
    """Return the kind of a tile of any id, 0 to 33; ``None`` if unknown.

    :raises ValueError: there is no such id.
    """
    try:
        return _KINDS[tile]
    except KeyError:
        raise _no_tile(tile) from None


def _expect(tile: int, players: int = 4) -> None:
    """Check that *tile* is an id, and *players* a number of players.

    :raises ValueError: it is not.
    """
    if tile not in _KINDS:
        raise _no_tile(tile)
    if players not in _DORA:
        raise ValueError(f"players must be 3 or 4, found {players!r}")


def _no_tile(tile: object) -> ValueError:
    return ValueError(f"{tile!r} is not a tile; expected 0 to {UNKNOWN}")


def parse(text: str) -> list[int]:
    """Return the tiles in *text*, as ids of any copy: ``parse("123m 0p ew")``.

    :param text: faces, one after the other, with or without spaces; in ``123m`` ranks share the letter of their suit.
        Honors are ``ew sw ww nw wd gd rd``, or ``1z`` to ``7z`` in the same order; ``uk`` is an unknown tile.
    :raises ValueError: *text* has something else.
    """
    return [
        any_copy(name)
        for ranks, suit, other in findall(_GROUP, text)
        for name in ([_FACES_BY_NAME.get(rank + suit, rank + suit) for rank in ranks] or [other])
    ]


def text(tiles: Iterable[int], *, red_fives: RedFives | None = ONE_RED_EACH) -> str:
    """Return the faces of *tiles*, each a tile id, as :func:`parse` reads them: ``"1m 2m 3m 0p ew"``.

    :raises ValueError: there is no such id.
    """
    names = dict(enumerate(faces(red_fives)))
    try:
        return " ".join([names[tile] for tile in tiles])
    except KeyError as error:
        raise _no_tile(error.args[0]) from None


def is_red(tile: int, *, red_fives: RedFives | None = ONE_RED_EACH) -> bool:
    """Return whether *tile*, of any id, is a red five.

    :raises ValueError: there is no such id.
    """
    _expect(tile)
    return faces(red_fives)[tile] in RED_FACES


def counts(tiles: str | Iterable[int]) -> list[int]:
    """Return how many tiles of each kind there are, as :func:`~jmjp_convert.play.shanten.shanten` takes them.

    :param tiles: tile ids of any kind, or a text for :func:`parse`. Unknown tiles are not counted.
    :raises ValueError: there is no such tile.
    """
    by_kind = [0] * KINDS
    for tile in parse(tiles) if isinstance(tiles, str) else tiles:
        if (number := kind(tile)) is not None:
            by_kind[number] += 1
    return by_kind


def exists(kind: int, players: int) -> bool:
    """Return whether there are tiles of *kind* in a set: with three *players*, there are no 2m to 8m."""
    return players != THREE_PLAYERS or kind not in _SIMPLE_MAN


def _next_kind(kind: int, players: int) -> int:
    """Return the kind of the dora for an indicator of *kind* (docs/design/mapping.md, The frame; for three players
    docs/design/scoring.md, Settings)."""
    if players == THREE_PLAYERS and kind == 0:
        return SUIT - 1  # with three players there are no 2m to 8m
    for first, length in ((0, 9), (9, 9), (18, 9), (27, 4), (31, 3)):
        if kind < first + length:
            return first + (kind - first + 1) % length
    raise ValueError(kind)


_SIMPLE_MAN: Final = range(1, SUIT - 1)


def _dora_of(players: int) -> tuple[int, ...]:
    """Return the dora by the id of the indicator."""
    by_face = {face: any_copy(KIND_FACES[_next_kind(kind, players)]) for face, kind in _KIND_OF_FACE.items()}
    return tuple([by_face.get(face, UNKNOWN) for face in _RED])


_DORA: Final = {players: _dora_of(players) for players in (THREE_PLAYERS, 4)}


def dora(indicator: int, players: int = 4) -> int:
    """Return the dora for *indicator* (a tile id), as the id of any copy of that face.

    An indicator 9 wraps to 1, North to East, chun to haku; a red five's dora is the six. With three *players*, the dora
    for 1m is 9m.

    :raises ValueError: there is no such id or number of players.
    """
    _expect(indicator, players)
    return _DORA[players][indicator]


def all_dora(indicators: Sequence[int], players: int = 4) -> tuple[int, ...]:
    """Return :func:`dora` for each of two or more *indicators*, all at once."""
    dora_: tuple[int, ...] = itemgetter(*indicators)(_DORA[players])
    return dora_


def _indicators_of(players: int) -> tuple[tuple[int, ...], ...]:
    """Return, by the kind of a dora, its possible indicators, the plain five before the red one."""
    by_kind: list[tuple[int, ...]] = [()] * KINDS
    for face in reversed(FACES):
        indicator = _ANY_COPY[face]
        if exists(_KIND_OF_FACE[face], players):
            dora_kind = _KIND_OF_FACE[_RED[_DORA[players][indicator]]]
            by_kind[dora_kind] = (*by_kind[dora_kind], indicator)
    return tuple(by_kind)


_INDICATORS: Final = {players: _indicators_of(players) for players in _DORA}


def indicators(dora: int, players: int = 4) -> tuple[int, ...]:
    """Return the possible indicators of *dora*, a tile id, as ids of any copy; empty if *dora* is unknown.

    With three *players* there are no 2m to 8m, and the dora for 1m is 9m.

    :raises ValueError: there is no such id or number of players.
    """
    _expect(dora, players)
    kind = _KINDS[dora]
    return () if kind is None else _INDICATORS[players][kind]


def label(tile: int, *, red_fives: RedFives | None = ONE_RED_EACH) -> str:
    """Return *tile* for an error message: ``39 (1p)``.

    :raises ValueError: there is no such id.
    """
    _expect(tile)
    face = faces(red_fives)[tile]
    return f"{tile} ({face})" if tile < PHYSICAL else face


def __dir__() -> list[str]:
    return __all__
