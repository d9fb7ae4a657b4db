"""Compares hands that may have unknown tiles."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from typing import NamedTuple

from jmjp_convert.model.tiles import UNKNOWN


class Comparison(NamedTuple):
    """How a hand as played compares with the same hand as recorded.

    :ivar gone: the known tiles that are only in the first.
    :ivar come: the known tiles that are only in the second: unknown in the first, if the hands may be the same.
    :ivar alike: whether they may be the same hand.
    """

    gone: Counter[int]
    come: Counter[int]
    alike: bool


def compared(played: Iterable[int], recorded: Iterable[int], unseen: int) -> Comparison:
    """Compare the tiles of a hand as *played* with those *recorded*; an unknown tile may be any.

    :param unseen: the number of unidentified tiles that have left the hand: it still has them in *played*.
    """
    had, has = Counter(played), Counter(recorded)
    surplus = had.total() - has.total()
    unknown_had, unknown_has = had.pop(UNKNOWN, 0), has.pop(UNKNOWN, 0)
    gone, come = had - has, has - had
    alike = surplus == unseen and gone.total() <= unknown_has + unseen and come.total() <= unknown_had
    return Comparison(gone, come, alike or not (gone or come or surplus))
