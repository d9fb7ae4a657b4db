"""The value of a win, in both directions: fu, han or yakuman, points, yaku and pao.

Sources: ``majiang-core`` (``types/data.d.ts``, ``lib/hule.js``). A yakuman has a star in place of its han, or two if it
counts twice; ``damanguan`` is their sum. Limits are not written: they follow from the points.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from jmjp_convert.formats.bounds import MOST, MOST_HAN
from jmjp_convert.formats.majiang import values
from jmjp_convert.formats.majiang.values import expected, member
from jmjp_convert.formats.safe_json import shown
from jmjp_convert.formats.words import add_yaku
from jmjp_convert.model import SEATS, Limit, Score, Win, Yaku
from jmjp_convert.model.yaku import DOUBLE_YAKUMAN, limit_of, worth_of_yakuman

Notice = Callable[[str], None]

_PAO = (39, 49)  # yakuman with pao: daisangen, daisuushii (source: ``docs/design/scoring.md``, Payments)


def write_score(win: Win, points: int | None, dealer: int) -> dict[str, object]:
    """Return what is known of the value of *win*.

    :param points: what it is worth, if known.
    :param dealer: the player whose seat is 0.
    """
    score = win.score or Score(None, 0, Limit.NONE)
    found: dict[str, object] = {}
    stars = _stars(score, dealer=win.player == dealer)
    if stars:
        found["damanguan"] = sum(stars.values())
    else:
        found = {key: value for key, value in (("fu", score.fu), ("fanshu", score.han)) if value is not None}
    if points is not None:
        found["defen"] = points
    yaku = [_written(win, one, stars, dealer) for one in score.yaku if one.han != 0]
    return {**found, "hupai": yaku} if yaku else found


def _stars(score: Score, *, dealer: bool) -> dict[Yaku, int]:
    """Return how often each yakuman counts: once, or as often as the points show where some may count twice."""
    stars = dict.fromkeys(score.yakuman, 1)
    twice = [yaku for yaku in stars if yaku.number in DOUBLE_YAKUMAN]
    more = score.points - len(stars) * worth_of_yakuman(dealer=dealer)
    for yaku in twice[: max(more // worth_of_yakuman(dealer=dealer), 0)]:
        stars[yaku] = 2
    return stars


def _written(win: Win, yaku: Yaku, stars: Mapping[Yaku, int], dealer: int) -> dict[str, object]:
    """Return *yaku* as written; a yakuman paid by pao names the seat of the payer."""
    found: dict[str, object] = {"name": yaku.japanese, "fanshu": "*" * stars[yaku] if yaku in stars else yaku.han}
    carried = [one for one in stars if one.number in _PAO] or [*stars]
    if win.pao is not None and yaku in carried:
        found["baojia"] = (win.pao - dealer) % SEATS
    return found


def read_score(content: Mapping[str, Any], seat: int, wind: int, notice: Notice) -> tuple[Score | None, int | None]:
    """Return the value of a win, if its points are known, and the seat of a payer by pao.

    :param content: the values of its step.
    :param seat: the wind of the winner's seat, 0 for East.
    :param wind: the wind of the round, 0 for East.
    :param notice: called with a line on each thing that is ignored.
    :raises WrongValueError: one of the values is invalid.
    """
    said = content.get("defen")
    fu, han = (_count(content, key) for key in ("fu", "fanshu"))
    yakuman = _count(content, "damanguan")
    yaku, pao = _read_yaku(content.get("hupai"), seat, wind, notice)
    if said is None:
        if (fu, han, yakuman, yaku) != (None, None, None, ()):
            notice("fu, han and yaku of a win without its points (defen) ignored")
        return None, None
    points = values.points(said, "defen")
    if points < 0:
        raise expected("points of a win, 0 or more", said, "defen")
    limit = Limit.YAKUMAN if yakuman else limit_of(points, dealer=not seat, payers=SEATS - 1, tsumo=False)
    score = Score(fu, points, limit, yaku, None if yaku else han)
    if yaku and han not in (None, score.han):
        notice("han of a win (fanshu) ignored: its yaku add up to another number")
    return score, pao


def _count(content: Mapping[str, Any], key: str) -> int | None:
    said = content.get(key)
    return (
        None if said is None else values.number(said, "a whole number of at most nine digits", MOST, key, least=-MOST)
    )


def _read_yaku(said: Any, seat: int, wind: int, notice: Notice) -> tuple[tuple[Yaku, ...], int | None]:
    """Return the yaku of a win, none if one of them is unknown, and the seat of a payer by pao."""
    found: list[Yaku] = []
    pao = None
    unknown = False
    for place, one in enumerate([] if said is None else values.listed(said, "hupai")):
        if type(one) is not dict:
            raise expected("an object", one, "hupai", place)
        name = values.text(member(one, "name"), "hupai", place, "name")
        han = member(one, "fanshu")
        path = ("hupai", place, "fanshu")
        han = None if han in ("*", "**") else values.number(han, "a number of han or stars", MOST_HAN, *path)
        if not add_yaku(found, name, han, seat=seat, wind=wind):
            notice(f"unknown yaku {shown(name)}: the yaku of its win are ignored")
            unknown = True
        if one.get("baojia") is not None:
            pao = values.number(one["baojia"], "a seat, 0 to 3", SEATS - 1, "hupai", place, "baojia")
    return (() if unknown else tuple(found)), pao
