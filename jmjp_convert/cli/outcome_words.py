"""Says in a few words how a frame ended, by the names of the players."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import NamedTuple

from jmjp_convert.model import DrawKind
from jmjp_convert.play.outcome_text import DRAWS
from jmjp_convert.view.summary import DrawInfo, FrameInfo, WinInfo

_KINDS = {kind.value: names for kind, names in DRAWS.items()}


class Outcome(NamedTuple):
    """One ending of a frame, in words; *great* for a yakuman."""

    text: str
    great: bool = False


class _Words(NamedTuple):
    """The words of a language; *list* and *between* separate players and yaku, *number* is the
    han of a yaku that has several, *name* how a yaku is named."""

    tsumo: str
    ron: str
    points: str
    fu_and_han: str
    han: str
    yaku: str
    pao: str
    nagashi: str
    tenpai: str
    all_tenpai: str
    all_noten: str
    draw: str
    unfinished: str
    list: str
    between: str
    number: str
    name: Callable[[str], str]


_EN = _Words(
    tsumo="{} tsumo",
    ron="{} ron off {}",
    points=" {}",
    fu_and_han=", {} fu {} han",
    han=", {} han",
    yaku=": {}",
    pao="; pao {}",
    nagashi=" {}",
    tenpai=": {} tenpai",
    all_tenpai=": all tenpai",
    all_noten=": all noten",
    draw="Draw",
    unfinished="Unfinished",
    list=", ",
    between=", ",
    number=" {}",
    name=str.lower,
)
_JA = _Words(
    tsumo="{} ツモ",
    ron="{} ロン←{}",
    points=" {}点",
    fu_and_han=" {}符{}飜",
    han=" {}飜",
    yaku=" {}",
    pao=" 包 {}",
    nagashi=" {}",
    tenpai=" 聴牌 {}",
    all_tenpai=" 全員聴牌",
    all_noten=" 全員不聴",
    draw="流局",
    unfinished="未完",
    list=" ",
    between="、",
    number="{}",
    name=str,
)
_WORDS = {"en": _EN, "ja": _JA}


def outcomes(frame: FrameInfo, names: Sequence[str], lang: str) -> Iterator[Outcome]:
    """Yield the endings of *frame*; the recorder's comment, if there is one, comes last.

    :param names: the players' names.
    :param lang: the language of *frame*.
    """
    words = _WORDS[lang]
    yield from (_win(win, names, words) for win in frame.wins)
    if frame.draw is not None:
        yield Outcome(_draw(frame.draw, names, lang))
    elif not frame.wins and frame.comment is None:
        yield Outcome(words.draw if frame.points else words.unfinished)
    if frame.comment is not None:
        yield Outcome(frame.comment)


def _win(win: WinInfo, names: Sequence[str], words: _Words) -> Outcome:
    winner = names[win.player]
    text = words.tsumo.format(winner) if win.source is None else words.ron.format(winner, names[win.source])
    if win.points is not None:
        text += words.points.format(win.points)
    if win.limit is not None:
        text += f" {win.limit}"
    if win.han is not None:
        text += words.han.format(win.han) if win.fu is None else words.fu_and_han.format(win.fu, win.han)
    yaku = [words.name(name) + ("" if han in (None, 1) else words.number.format(han)) for name, han in _pairs(win)]
    if yaku:
        text += words.yaku.format(words.between.join(yaku))
    if win.pao is not None:
        text += words.pao.format(names[win.pao])
    return Outcome(text, any(han is None for _, han in _pairs(win)))


def _pairs(win: WinInfo) -> list[tuple[str, int | None]]:
    return [(yaku.name, yaku.han) for yaku in win.yaku]


def _draw(draw: DrawInfo, names: Sequence[str], lang: str) -> str:
    words = _WORDS[lang]
    name = _KINDS[draw.kind][lang == "en"]
    if draw.kind == DrawKind.EXHAUSTIVE.value:
        name = words.draw
    if draw.nagashi:
        name += words.nagashi.format(words.list.join(names[player] for player in draw.nagashi))
    if draw.tenpai is None:
        return name
    if len(draw.tenpai) in (0, len(names)):
        return name + (words.all_tenpai if draw.tenpai else words.all_noten)
    return name + words.tenpai.format(words.list.join(names[player] for player in draw.tenpai))
