"""The names of yaku, limits and draws in 電脳麻将's records.

Sources: ``majiang-core`` (``lib/hule.js``, ``lib/game.js``) for 電脳麻将's own names, ``tenhou-log``
(``lib/convlog.js``) for Tenhou's, which the writer uses; a reader knows both.
"""

from __future__ import annotations

from unicodedata import normalize

from jmjp_convert.model import DrawKind, Limit
from jmjp_convert.model.yaku import NAMES
from jmjp_convert.play.outcome_text import DRAWS as TENHOU_DRAWS


def _plain(name: str) -> str:
    """Return *name* with plain digits and without spaces: it is written with and without them."""
    return "".join(normalize("NFKC", name).split())


_TENHOU = {_plain(name.japanese): number for number, name in enumerate(NAMES)}
_OTHERS = {
    "ダブル立直": "両立直",
    "翻牌白": "役牌白",
    "翻牌發": "役牌發",
    "翻牌中": "役牌中",
    "国士無双十三面": "国士無双13面",
    "門前清自模和": "門前清自摸和",
}
_YAKU = {**_TENHOU, **{name: _TENHOU[meant] for name, meant in _OTHERS.items()}}

_DRAWS = {
    **{native: kind for kind, (native, _) in TENHOU_DRAWS.items()},
    "荒牌平局": DrawKind.EXHAUSTIVE,
    "三家和": DrawKind.TRIPLE_RON,
    "四開槓": DrawKind.FOUR_KANS,
}

_FROM = {
    Limit.YAKUMAN: 8000,
    Limit.SANBAIMAN: 6000,
    Limit.BAIMAN: 4000,
    Limit.HANEMAN: 3000,
    Limit.MANGAN: 2000,
}
"""The basic points from which each limit counts (``docs/design/scoring.md``, Payments)."""

_TIMES = {True: 6, False: 4}  # the basic points, for the dealer and the others


def yaku_number(name: str) -> int | None:
    """Return the number of the yaku *name*, ``None`` if it is unknown, such as a local one."""
    return _YAKU.get(_plain(name))


def draw_kind(name: str) -> DrawKind | None:
    """Return the kind of draw called *name*, ``None`` if it is unknown."""
    return _DRAWS.get(name.strip())


def limit_of(points: int, *, dealer: bool) -> Limit:
    """Return the limit of a hand worth *points*, which the records do not hold."""
    basic = points // _TIMES[dealer]
    return next((limit for limit, least in _FROM.items() if basic >= least), Limit.NONE)


def worth_of_yakuman(*, dealer: bool) -> int:
    """Return the points of a single yakuman."""
    return _FROM[Limit.YAKUMAN] * _TIMES[dealer]
