"""Hands and melds as jmjp text: as they lie (``hnd``, ``pon``) and as they are declared (``pn``)."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from operator import itemgetter
from typing import Any

from jmjp_convert.jmjp.grammar import ANKAN, CHI, DAIMINKAN, FROM, PON, Dialect
from jmjp_convert.model import Ankan, Chi, Daiminkan, Hand, Kakan, Pon

Faces = Sequence[str]


def dealt(tiles: Iterable[int], faces: Faces) -> str:
    """Return a hand as it was dealt, ascending."""
    return f"hnd[{_join(sorted(tiles), faces)},,]"


def hand(lying: Hand, faces: Faces, dialect: Dialect) -> str:
    """Return a hand as it lies: the closed tiles, the fourteenth, the melds newest first."""
    drawn = "" if lying.drawn is None else faces[lying.drawn]
    melds = "".join([_MELDS[type(meld)](meld, faces, dialect) for meld in reversed(lying.melds)]) if lying.melds else ""
    return f"hnd[{_join(lying.tiles, faces)},{drawn},{melds}]"


def declared(meld: Chi | Pon | Daiminkan | Ankan, faces: Faces, dialect: Dialect) -> str:
    """Return what the caller of *meld* lays down from the hand, as an act names it."""
    word = _WORDS[type(meld)]
    if isinstance(meld, Ankan):
        return f"{word}[{_ankan_tiles(meld, faces, dialect)}]"
    if isinstance(meld, Chi) or dialect.all_tiles:
        return f"{word}[{_join(meld.hand, faces)}]"
    return word


_WORDS: dict[type, str] = {Chi: CHI, Pon: PON, Daiminkan: DAIMINKAN, Ankan: ANKAN}


def _join(tiles: Sequence[int], faces: Faces) -> str:
    return "".join(itemgetter(*tiles)(faces)) if tiles else ""


def _from(meld: Pon | Daiminkan) -> str:
    return FROM[(meld.source - meld.player) % 4]


def _chi(chi: Chi, faces: Faces, _dialect: Dialect) -> str:
    return f"chi[{faces[chi.taken]},{_join(chi.hand, faces)}]"


def _taken(meld: Pon | Daiminkan, faces: Faces, dialect: Dialect) -> str:
    """Return the taken tile, those from the hand where the dialect names them, and the giver."""
    others = f"{_join(meld.hand, faces)}," if dialect.all_tiles else ""
    return f"{faces[meld.taken]},{others}{_from(meld)}"


def _pon(pon: Pon, faces: Faces, dialect: Dialect) -> str:
    return f"pon[{_taken(pon, faces, dialect)}]"


def _daiminkan(kan: Daiminkan, faces: Faces, dialect: Dialect) -> str:
    return f"dmk[{_taken(kan, faces, dialect)}]"


def _kakan(kan: Kakan, faces: Faces, dialect: Dialect) -> str:
    added = f"{faces[kan.tile]}," if dialect.all_tiles else ""
    return f"kkn[{added}{_taken(kan.pon, faces, dialect)}]"


def _ankan(kan: Ankan, faces: Faces, dialect: Dialect) -> str:
    return f"ank[{_ankan_tiles(kan, faces, dialect)}]"


def _ankan_tiles(kan: Ankan, faces: Faces, dialect: Dialect) -> str:
    # A red five is the lowest of its kind: the highest has the plain face.
    return _join(kan.tiles if dialect.all_tiles else kan.tiles[-1:], faces)


_MELDS: dict[type, Callable[[Any, Faces, Dialect], str]] = {
    Chi: _chi,
    Pon: _pon,
    Daiminkan: _daiminkan,
    Kakan: _kakan,
    Ankan: _ankan,
}
