"""Describes in one line, in Japanese and English, how a frame ended (docs/design/mapping.md, Templates).

:mod:`~jmjp_convert.play.told_outcome` reads these lines, with the same words.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache

from jmjp_convert.model import TO_THE_LAST, DrawKind, Frame, Ryuukyoku, Score, Text, Win, Yaku
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


def describe(frame: Frame) -> Text | None:
    """Return how *frame* ended; ``None`` if not recorded."""
    endings = frame.endings
    if not endings:
        return UNFINISHED if frame.end.points is None else None
    native: list[str] = []
    roman: list[str] = []
    for event in endings:
        if isinstance(event, Win):
            if event.score is None:
                return None
            one = _win(event, event.score, frame)
            native.append(one[0])
            roman.append(one[1])
        else:
            return None if event.kind is None else _ryuukyoku(event, event.kind, frame)
    return Text(BETWEEN_WINS.join(native), BETWEEN_WINS.join(roman))


def _wind(frame: Frame, player: int) -> tuple[str, str]:
    return WINDS[(player - frame.start.dealer) % len(frame.start.hands)]


def _winds(frame: Frame, players: Iterable[int]) -> list[tuple[str, str]]:
    """Return the winds of *players* in *frame*, East first."""
    count, dealer = len(frame.start.hands), frame.start.dealer
    return [WINDS[seat] for seat in sorted((player - dealer) % count for player in players)]


def _win(win: Win, score: Score, frame: Frame) -> tuple[str, str]:
    japanese, english = _wind(frame, win.player)
    value = worth(score)
    if win.source is None:
        native, roman = f"{TSUMO[0]} {japanese} {value[0]}", f"{TSUMO[1]}: {english}, {value[1]}"
    else:
        source = _wind(frame, win.source)
        native = f"{RON[0]} {japanese}←{source[0]} {value[0]}"
        roman = f"{RON[1]}: {english} from {source[1]}, {value[1]}"
    if win.pao is None:
        return native, roman
    payer = _wind(frame, win.pao)
    return f"{native} {PAO[0]} {payer[0]}", f"{roman}, {PAO[1]} {payer[1]}"


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


def _ryuukyoku(draw: Ryuukyoku, kind: DrawKind, frame: Frame) -> Text:
    native, roman = DRAWS[kind]
    if kind not in TO_THE_LAST or draw.shown is None:
        return Text(native, roman)
    if kind is DrawKind.NAGASHI:
        paid = _winds(frame, (player for player, change in enumerate(draw.changes or ()) if change > 0))
        native += " " + " ".join(wind for wind, _ in paid)
        roman += ": " + ", ".join(wind for _, wind in paid)
    tenpai = _winds(frame, (player for player, hand in enumerate(draw.shown) if hand is not None))
    who, who_roman = ALL_NOTEN
    if tenpai:
        who = f"{TENPAI[0]} {' '.join(wind for wind, _ in tenpai)}"
        who_roman = f"{', '.join(wind for _, wind in tenpai)} {TENPAI[1]}"
    return Text(f"{native} {who}", f"{roman}{':' if kind is DrawKind.EXHAUSTIVE else ';'} {who_roman}")
