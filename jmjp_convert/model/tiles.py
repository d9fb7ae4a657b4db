"""Tile ids, kinds and faces, and which dora an indicator shows.

Ids 0–135 are the physical tiles: ``id // 4`` is the kind (0–8 man, 9–17 pin, 18–26 sou, 27–33 East South West North
haku hatsu chun), ``id % 4`` the copy. With red fives, ids 16, 52 and 88 are the red ones (source: seed ``004``).

Above them stand the ids of tiles of which only the face is known: ``any_copy("3m")``, and ``UNKNOWN`` for a tile of
which nothing is. They sort as the physical tiles do, a red five before the plain ones. A discard can say more:
``other_copy("3m")`` is not the 3m that was just drawn but another one, and of ``either_copy("3m")`` that is not known.
"""

from __future__ import annotations

COPIES = 4
KINDS = 34
PHYSICAL = KINDS * COPIES

KIND_FACES = (
    *(f"{rank}{suit}" for suit in "mps" for rank in range(1, 10)),
    *("ew", "sw", "ww", "nw", "wd", "gd", "rd"),
)
RED_FIVES = {16: "0m", 52: "0p", 88: "0s"}
_RED_OF_KIND = {tile // COPIES: face for tile, face in RED_FIVES.items()}

FACES = tuple(
    face
    for kind, plain in enumerate(KIND_FACES)
    for face in ((_RED_OF_KIND[kind], plain) if kind in _RED_OF_KIND else (plain,))
)
"""The 37 faces in the order of their tiles."""

UNKNOWN = PHYSICAL + len(FACES)
"""A tile of which not even the face is known."""

UNKNOWN_FACE = "uk"

_FACE_ONLY = (*FACES, UNKNOWN_FACE)
_SERIES = 3
IDS = PHYSICAL + _SERIES * len(_FACE_ONLY)
"""How many ids there are."""

_PLAIN = tuple(KIND_FACES[tile // COPIES] for tile in range(PHYSICAL)) + _SERIES * _FACE_ONLY
_RED = tuple(RED_FIVES.get(tile, face) for tile, face in enumerate(_PLAIN))
_ANY_COPY = {face: PHYSICAL + index for index, face in enumerate(_FACE_ONLY)}
_KIND_OF_FACE = {face: kind for faces in (dict(enumerate(KIND_FACES)), _RED_OF_KIND) for kind, face in faces.items()}


def faces(*, red_fives: bool | None) -> tuple[str, ...]:
    """Return the face of every id, ``faces(red_fives=True)[16] == "0m"``; ids 136 and up included."""
    return _PLAIN if red_fives is False else _RED


def any_copy(face: str) -> int:
    """Return the id of a tile of which only *face* (``"5m"``, ``"0m"``, ``"ew"``, ``"uk"``) is known.

    :raises KeyError: *face* is no face.
    """
    return _ANY_COPY[face]


def other_copy(face: str) -> int:
    """Return the id of a tile with *face* that is not the one with that face just drawn.

    :raises KeyError: *face* is no face.
    """
    return _ANY_COPY[face] + len(_FACE_ONLY)


def either_copy(face: str) -> int:
    """Return the id of a tile with *face*, of which it is not known whether it is the one just drawn.

    :raises KeyError: *face* is no face.
    """
    return _ANY_COPY[face] + 2 * len(_FACE_ONLY)


def any_copy_of(tile: int) -> int:
    """Return the id of any copy of the face of *tile*, if no more than the face is known; else *tile* itself."""
    return tile if tile < PHYSICAL else PHYSICAL + (tile - PHYSICAL) % len(_FACE_ONLY)


def either_copy_of(tile: int) -> int | None:
    """Return the id that says of a discard that it may be *tile*, which was just drawn, or another of its face; if only
    that is known of *tile*."""
    return tile + 2 * len(_FACE_ONLY) if PHYSICAL <= tile <= UNKNOWN else None


_KINDS: tuple[int | None, ...] = tuple(_KIND_OF_FACE.get(face) for face in _RED)


def kind(tile: int) -> int | None:
    """Return the kind of a tile of any id, 0 to 33; ``None`` if nothing is known of it."""
    return _KINDS[tile]


def _next_kind(kind: int, players: int) -> int:
    """Return the kind of the dora that an indicator of *kind* shows (sources: ``mapping.md``, The frame; for three
    players ``scoring.md``)."""
    if players == _THREE and kind == 0:
        return _MAN - 1  # with three players there are no 2m to 8m
    for first, length in ((0, 9), (9, 9), (18, 9), (27, 4), (31, 3)):
        if kind < first + length:
            return first + (kind - first + 1) % length
    raise ValueError(kind)


_THREE = 3
_MAN = 9
_DORA = {
    players: tuple(
        UNKNOWN if face == UNKNOWN_FACE else any_copy(KIND_FACES[_next_kind(_KIND_OF_FACE[face], players)])
        for face in _RED
    )
    for players in (_THREE, 4)
}


def dora(indicator: int, players: int = 4) -> int:
    """Return the dora that *indicator* (a tile id) shows, as the id of any copy of that face.

    An indicator 9 wraps to 1, North to East, chun to haku; a red five's dora is the six. With three *players*, 1m shows
    9m.
    """
    return _DORA[players][indicator]


def _shown_by(players: int) -> tuple[tuple[int, ...], ...]:
    """Return by kind what may be the indicator of a dora of that kind, the plain five before the red one."""
    found: list[tuple[int, ...]] = [()] * KINDS
    for face in reversed(FACES):
        indicator = _ANY_COPY[face]
        if players != _THREE or _KIND_OF_FACE[face] not in range(1, _MAN - 1):
            dora_kind = _KIND_OF_FACE[_RED[_DORA[players][indicator]]]
            found[dora_kind] = (*found[dora_kind], indicator)
    return tuple(found)


_INDICATORS = {players: _shown_by(players) for players in _DORA}


def indicators(dora: int, players: int = 4) -> tuple[int, ...]:
    """Return what may be the indicator of *dora*, a tile id, as ids of any copy; nothing if nothing is known of it.

    With three *players* there are no 2m to 8m, and 1m shows 9m.
    """
    kind = _KINDS[dora]
    return () if kind is None else _INDICATORS[players][kind]


def label(tile: int, *, red_fives: bool | None = True) -> str:
    """Return *tile* for an error message: ``39 (1p)``."""
    face = faces(red_fives=red_fives)[tile]
    return f"{tile} ({face})" if tile < PHYSICAL else face
