"""Write hands and melds, in hands (``hnd``, ``pon``) and in acts (``pn``)."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from operator import itemgetter
from typing import Any

from jmjp_convert.formats.jmjp.dialects import FROM
from jmjp_convert.formats.jmjp.writing.notation import Notation
from jmjp_convert.model import Ankan, Chi, Daiminkan, Hand, Kakan, Pon


def deal(opening: str, tiles: Sequence[int], fourteenth: int | None, words: Notation) -> str:
    """Return the line of a starting hand, which begins with *opening*: its *tiles*, and the *fourteenth* tile of a
    dealer who does not draw first."""
    drawn = "" if fourteenth is None else words.faces[fourteenth]
    return f"{opening}hnd[{join(sorted(tiles), words)},{drawn},])"


def hand(opening: str, lying: Hand, words: Notation) -> str:
    """Return the line of an ending hand, which begins with *opening*: the closed tiles, the fourteenth tile, the melds
    with the newest first."""
    drawn = "" if lying.drawn is None else words.faces[lying.drawn]
    melds = "".join([_MELDS[type(meld)](meld, words) for meld in reversed(lying.melds)]) if lying.melds else ""
    return f"{opening}hnd[{join(lying.tiles, words)},{drawn},{melds}])"


def ankan_tiles(kan: Ankan, words: Notation) -> str:
    """Return the tiles of a closed kan that the dialect names."""
    # A red five has the lowest ID of its kind, so the highest ID has the plain face.
    return join(kan.tiles if words.dialect.all_tiles else kan.tiles[-1:], words)


def join(tiles: Sequence[int], words: Notation) -> str:
    """Return the faces of *tiles*, which may be none."""
    return "".join(itemgetter(*tiles)(words.faces)) if tiles else ""


def pair(tiles: Sequence[int], words: Notation) -> str:
    """Return the faces of the two *tiles* with which a chi or pon is called."""
    first, second = tiles
    return words.faces[first] + words.faces[second]


def _from(meld: Pon | Daiminkan) -> str:
    return FROM[(meld.source - meld.player) % 4]


def _chi(chi: Chi, words: Notation) -> str:
    return f"chi[{words.faces[chi.taken]},{pair(chi.hand, words)}]"


def _taken(meld: Pon | Daiminkan, words: Notation) -> str:
    """Return the called tile, the tiles from the hand if the dialect names them, and the giver."""
    others = f"{join(meld.hand, words)}," if words.dialect.all_tiles else ""
    return f"{words.faces[meld.taken]},{others}{_from(meld)}"


def _pon(pon: Pon, words: Notation) -> str:
    return f"pon[{_taken(pon, words)}]"


def _daiminkan(kan: Daiminkan, words: Notation) -> str:
    return f"dmk[{_taken(kan, words)}]"


def _kakan(kan: Kakan, words: Notation) -> str:
    added = f"{words.faces[kan.tile]}," if words.dialect.all_tiles else ""
    return f"kkn[{added}{_taken(kan.pon, words)}]"


def _ankan(kan: Ankan, words: Notation) -> str:
    return f"ank[{ankan_tiles(kan, words)}]"


_MELDS: dict[type, Callable[[Any, Notation], str]] = {
    Chi: _chi,
    Pon: _pon,
    Daiminkan: _daiminkan,
    Kakan: _kakan,
    Ankan: _ankan,
}
"""The writer of each kind of meld; every format has such a table."""
