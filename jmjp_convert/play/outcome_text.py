"""Describes in one line, in Japanese and English, how a frame ended (docs/design/mapping.md, Templates).

:mod:`~jmjp_convert.play.outcome_parser` reads these lines, with the same words.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache, lru_cache

from jmjp_convert.model import TO_THE_LAST, DrawKind, Frame, Ryuukyoku, Score, Start, Text, Win, Yaku
from jmjp_convert.model.yaku import LIMITS, NAMES

WINDS = (("東家", "East"), ("南家", "South"), ("西家", "West"), ("北家", "North"))
UNFINISHED = Text("未完", "Unfinished")
TSUMO = ("ツモ", "Tsumo")
RON = ("ロン", "Ron")
PAO = ("包", "pao")
TENPAI = ("聴牌", "tenpai")
ALL_NOTEN = ("全員不聴", "all noten")
BETWEEN_WINS = " / "

DRAWS = {
    DrawKind.EXHAUSTIVE: ("流局", "Exhaustive draw"),
    DrawKind.NAGASHI: ("流し満貫", "Nagashi mangan"),
    DrawKind.NINE_TERMINALS: ("九種九牌", "Nine terminals"),
    DrawKind.FOUR_WINDS: ("四風連打", "Four winds"),
    DrawKind.FOUR_RIICHI: ("四家立直", "Four riichi"),
    DrawKind.FOUR_KANS: ("四槓散了", "Four kans"),
    DrawKind.TRIPLE_RON: ("三家和了", "Triple ron"),
}
"""The names of draws, Japanese and English."""

_Line = tuple[str, str]
"""A part of a text, Japanese and English."""


def describe(frame: Frame) -> Text | None:
    """Return how *frame* ended; ``None`` if not recorded."""
    endings, start = frame.endings, frame.start
    if not endings:
        return UNFINISHED if frame.end.points is None else None
    lines: list[_Line] = []
    for event in endings:
        if isinstance(event, Ryuukyoku):
            return None if event.kind is None else drawn(event, event.kind, start)
        if event.score is None:
            return None
        lines.append(won(event, event.pao, worth(event.score), start))
    return Text(*joined(lines))


def joined(lines: Sequence[_Line]) -> _Line:
    """Return the text of the wins in *lines*."""
    if len(lines) == 1:
        return lines[0]
    return BETWEEN_WINS.join([native for native, _ in lines]), BETWEEN_WINS.join([roman for _, roman in lines])


def won(win: Win, pao: int | None, value: _Line, start: Start) -> _Line:
    """Return the text of *win* in a frame that begins with *start*.

    :param pao: the player liable for pao.
    :param value: its :func:`worth`.
    """
    dealer, count = start.dealer, len(start.hands)
    native, roman = _who(win.player, win.source, dealer, count)
    native, roman = f"{native} {value[0]}", f"{roman}, {value[1]}"
    if pao is None:
        return native, roman
    payer = _wind(pao, dealer, count)
    return f"{native} {PAO[0]} {payer[0]}", f"{roman}, {PAO[1]} {payer[1]}"


@cache
def _who(player: int, source: int | None, dealer: int, count: int) -> _Line:
    """Return who wins off whom, among *count* players."""
    japanese, english = _wind(player, dealer, count)
    if source is None:
        return f"{TSUMO[0]} {japanese}", f"{TSUMO[1]}: {english}"
    discarder = _wind(source, dealer, count)
    return f"{RON[0]} {japanese}←{discarder[0]}", f"{RON[1]}: {english} from {discarder[1]}"


def _wind(player: int, dealer: int, count: int) -> _Line:
    return WINDS[(player - dealer) % count]


@lru_cache(maxsize=4096)
def worth(score: Score) -> tuple[str, str]:
    """Return fu, han, limit, points and yaku; a yakuman has no fu and han.

    Yaku of zero han (ura dora without a match) are omitted.
    """
    parts = [_fu_and_han(score.fu, han)] if (han := score.han) is not None else []
    parts += [limit] if (limit := LIMITS.get(score.limit)) else []
    native, roman = [part[0] for part in parts], " ".join([part[1] for part in parts])
    named = [_yaku_and_han(yaku) for yaku in score.yaku if yaku.han != 0]
    native += [f"{score.points}点", *[one[0] for one in named]]
    roman = f"{roman}, {score.points} points" if roman else f"{score.points} points"
    return " ".join(native), f"{roman}: {', '.join([one[1] for one in named])}" if named else roman


def _fu_and_han(fu: int | None, han: int) -> tuple[str, str]:
    return (f"{han}飜", f"{han} han") if fu is None else (f"{fu}符{han}飜", f"{fu} fu {han} han")


@lru_cache(maxsize=1024)
def _yaku_and_han(yaku: Yaku) -> tuple[str, str]:
    name, han = NAMES[yaku.number], yaku.han
    return (name.japanese, name.romaji) if han is None else (f"{name.japanese}{han}", f"{name.romaji} {han}")


def drawn(draw: Ryuukyoku, kind: DrawKind, start: Start) -> Text:
    """Return the text of *draw*, which is of that *kind*, in a frame that begins with *start*."""
    if kind not in TO_THE_LAST or draw.shown is None:
        return Text(*DRAWS[kind])
    paid = tuple([change > 0 for change in draw.changes or ()]) if kind is DrawKind.NAGASHI else None
    return _to_the_last(paid, tuple([hand is not None for hand in draw.shown]), start.dealer, len(start.hands))


@cache
def _to_the_last(paid: tuple[bool, ...] | None, tenpai: tuple[bool, ...], dealer: int, count: int) -> Text:
    """Return the text of a draw after the last tile, among *count* players.

    :param paid: by player, whether they are paid for a nagashi mangan; ``None`` at an ordinary exhaustive draw.
    :param tenpai: by player.
    """
    native, roman = DRAWS[DrawKind.EXHAUSTIVE if paid is None else DrawKind.NAGASHI]
    if paid is not None:
        winds = _winds(paid, dealer, count)
        native += " " + " ".join(wind for wind, _ in winds)
        roman += ": " + ", ".join(wind for _, wind in winds)
    who, who_roman = ALL_NOTEN
    if winds := _winds(tenpai, dealer, count):
        who = f"{TENPAI[0]} {' '.join(wind for wind, _ in winds)}"
        who_roman = f"{', '.join(wind for _, wind in winds)} {TENPAI[1]}"
    return Text(f"{native} {who}", f"{roman}{':' if paid is None else ';'} {who_roman}")


def _winds(who: tuple[bool, ...], dealer: int, count: int) -> list[_Line]:
    """Return the winds of the players for whom *who* is true, East first."""
    return [WINDS[seat] for seat in sorted([(player - dealer) % count for player, one in enumerate(who) if one])]
