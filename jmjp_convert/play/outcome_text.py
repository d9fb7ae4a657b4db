"""Describes in one line, in Japanese and English, how a frame ended (docs/design/mapping.md, Templates), and reads it.

Only our own words are understood. An outcome is taken from a text if describing the frame with that outcome gives the
whole text again, in both scripts, so that it also agrees with the play: who won off whom, and in which seat.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import cache, lru_cache
from operator import attrgetter
from typing import Final, TypeGuard

from jmjp_convert.lazy_regex import regex
from jmjp_convert.model import (
    TO_THE_LAST,
    DrawKind,
    Ending,
    Event,
    Frame,
    Limit,
    Ryuukyoku,
    Score,
    Start,
    Text,
    Win,
    Yaku,
)
from jmjp_convert.model.events import ENDINGS
from jmjp_convert.model.yaku import LIMITS, NAMES

WINDS: Final = (("東家", "East"), ("南家", "South"), ("西家", "West"), ("北家", "North"))
UNFINISHED: Final = Text("未完", "Unfinished")
TSUMO: Final = ("ツモ", "Tsumo")
RON: Final = ("ロン", "Ron")
PAO: Final = ("包", "pao")
TENPAI: Final = ("聴牌", "tenpai")
ALL_NOTEN: Final = ("全員不聴", "all noten")
BETWEEN_WINS: Final = " / "

DRAWS: Final = {
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


def won(win: Win, pao: tuple[int, ...], value: _Line, start: Start) -> _Line:
    """Return the text of *win* in a frame that begins with *start*.

    :param pao: the players responsible (pao).
    :param value: its :func:`worth`.
    """
    dealer, count = start.dealer, len(start.hands)
    native, roman = _who(win.player, win.source, dealer, count)
    native, roman = f"{native} {value[0]}", f"{roman}, {value[1]}"
    if not pao:
        return native, roman
    payers = [_wind(player, dealer, count) for player in pao]
    japanese, english = (" ".join(names) for names in zip(*payers, strict=True))
    return f"{native} {PAO[0]} {japanese}", f"{roman}, {PAO[1]} {english}"


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
    named = [_yaku_and_han(yaku) for yaku in score.counting_yaku]
    native += [f"{score.points}点", *[words[0] for words in named]]
    roman = f"{roman}, {score.points} points" if roman else f"{score.points} points"
    return " ".join(native), f"{roman}: {', '.join([words[1] for words in named])}" if named else roman


def _fu_and_han(fu: int | None, han: int) -> tuple[str, str]:
    return (f"{han}飜", f"{han} han") if fu is None else (f"{fu}符{han}飜", f"{fu} fu {han} han")


@lru_cache(maxsize=1024)
def _yaku_and_han(yaku: Yaku) -> tuple[str, str]:
    if yaku.number is None:
        native = roman = f"「{yaku.word}」"
    else:
        native, roman = yaku.japanese, yaku.romaji
    return (native, roman) if yaku.han is None else (f"{native}{yaku.han}", f"{roman} {yaku.han}")


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
    return [WINDS[seat] for seat in sorted([(player - dealer) % count for player, counts in enumerate(who) if counts])]


_han_of = attrgetter("han")

_LONGEST: Final = 1 << 10
"""The length of a text beyond which it is not parsed, so that the caches stay small."""

_SEATS: Final = {native: seat for seat, (native, _) in enumerate(WINDS)}
_DRAWS: Final = {native: kind_ for kind_, (native, _) in DRAWS.items()}
_LIMITS: Final = {native: limit for limit, (native, _) in LIMITS.items()}
_YAKU: Final = {yaku.japanese: yaku.number for yaku in NAMES}

_IN_NAME: Final = "[^「」]*」"  # what follows a position inside a yaku that is named by its word
_NEGATIVE: Final = regex(f"-(?!{_IN_NAME})")
_NEXT_WIN: Final = re.compile(f"{BETWEEN_WINS}(?!{_IN_NAME})")
_PAYERS: Final = re.compile(f" {PAO[0]} (?!{_IN_NAME})")
_NUMBER: Final = "[0-9]{1,18}"
# Any word or two rather than all names: a pattern of those takes longer to compile than a game to read.
_ONE_YAKU: Final = re.compile(f"(?:「([^「」]+)」|([^ 「]+?(?: [^ 「])?))({_NUMBER})?(?: |$)")
_WORTH: Final = re.compile(f"(?:(?:({_NUMBER})符)?({_NUMBER})飜 )?(?:({'|'.join(_LIMITS)}) )?({_NUMBER})点(?: (.+))?")


def with_outcome(frame: Frame, text: Text) -> Frame:
    """Return *frame* with the outcome that *text* gives: fu, han, yaku and points of each win, who is responsible for
    pao, the kind of a draw, and the hands shown at it. If *text* is not exactly what :func:`describe` says, *frame* is
    returned as it is.

    :param frame: its wins have no scores, and a draw no hands shown.
    """
    endings = frame.endings
    if not endings or not _is_understood(text.native):
        return frame
    first = endings[0]
    if isinstance(first, Win):
        parsed: Sequence[Ending] | None = _wins_in(endings, text, frame.start)
    else:
        parsed = _draw_in(first, text, frame)
    if parsed is None:
        return frame
    return Frame(
        frame.start, _with_endings(frame.events, parsed), frame.end, frame.dora, frame.comment, notes=frame.notes
    )


def gives_outcome(text: Text, frame: Frame, recorded: Sequence[Ending]) -> bool:
    """Return whether *text*, which describes a frame with the endings *recorded*, gives the outcome of the *frame* held
    of it, in which there is nothing that texts leave out. A number below zero is not understood."""
    if not _is_understood(text.native):
        return False
    # What is held of a win has the same text: describing it again would be slow. That of a draw depends on payments.
    return (frame.end.hands != () and Ryuukyoku not in map(type, recorded)) or describe(frame) == text


def _is_understood(native: str | None) -> TypeGuard[str]:
    return native is not None and len(native) <= _LONGEST and not ("-" in native and _NEGATIVE.search(native))


def score_in_text(score: Score) -> Score:
    """Return *score* as its text gives it: neither the fu of a yakuman nor a yaku of zero han."""
    if score.yaku and score.han_alone is None and all(map(_han_of, score.yaku)):
        return score
    yaku, han = score.counting_yaku, score.han
    return Score(None if han is None else score.fu, score.points, score.limit, yaku, None if yaku else han)


def _with_endings(events: tuple[Event, ...], endings: Sequence[Ending]) -> tuple[Event, ...]:
    """Return *events* with *endings* in the places of the last that are wins or draws."""
    replaced = [*events]
    index = len(replaced)
    for ending in reversed(endings):
        index -= 1
        while type(replaced[index]) not in ENDINGS:
            index -= 1
        replaced[index] = ending
    return tuple(replaced)


# --- wins ------------------------------------------------------------------------------------------------------------


def _wins_in(wins: Sequence[Ending], text: Text, start: Start) -> list[Ending] | None:
    """Return *wins* with what *text* gives of each; ``None`` if it is not exactly what describes them."""
    parts = _NEXT_WIN.split(text.native or "")
    if len(parts) != len(wins):
        return None
    parsed_wins: list[Ending] = []
    lines: list[tuple[str, str]] = []
    for win, part in zip(wins, parts, strict=True):
        value, *payers = _PAYERS.split(part.split(" ", 2)[-1], maxsplit=1)  # what is before it follows from the play
        parsed = _score_in(value)
        if parsed is None or not isinstance(win, Win):
            return None
        score, described = parsed
        pao = tuple([player for wind in "".join(payers).split() if (player := _player(wind, start)) is not None])
        lines.append(won(win, pao, described, start))
        parsed_wins.append(
            Win(
                win.player,
                win.source,
                win.tile,
                score,
                pao,
                changes=win.changes,
                chips=win.chips,
                chip_yaku=win.chip_yaku,
            )
        )
    return parsed_wins if joined(lines) == (text.native, text.roman) else None


@lru_cache(maxsize=4096)
def _score_in(native: str) -> tuple[Score, tuple[str, str]] | None:
    """Return the score that *native* gives, as written by :func:`worth`, and all that this writes."""
    match = _WORTH.fullmatch(native)
    if match is None:
        return None
    fu, han, limit, points, named = match.groups()
    yaku = tuple(
        [
            Yaku(_YAKU.get(name), _number(value), word)
            for word, name, value in _ONE_YAKU.findall(named or "")
            if word or name in _YAKU
        ]
    )
    score = Score(
        _number(fu), int(points), _LIMITS.get(limit, Limit.NONE), yaku, None if yaku or han is None else int(han)
    )
    described = worth(score)
    return (score, described) if described[0] == native else None


def _number(digits: str | None) -> int | None:
    return int(digits) if digits else None


def _player(wind: str, start: Start) -> int | None:
    """Return the player in the seat with the name *wind*."""
    seat, count = _SEATS.get(wind), len(start.hands)
    return None if seat is None or seat >= count else (start.dealer + seat) % count


# --- draws -----------------------------------------------------------------------------------------------------------


def _draw_in(draw: Ryuukyoku, text: Text, frame: Frame) -> list[Ending] | None:
    """Return *draw* with what *text* gives of it; ``None`` if it is not exactly what describes that."""
    name, _, details = (text.native or "").partition(" ")
    kind = _DRAWS.get(name)
    if kind is None:
        return None
    parsed = Ryuukyoku(kind, _shown(details, frame) if details else None, changes=draw.changes, chips=draw.chips)
    return [parsed] if drawn(parsed, kind, frame.start) == text else None


def _shown(details: str, frame: Frame) -> tuple[tuple[int, ...] | None, ...]:
    """Return the hands at the end of those who are tenpai according to *details*."""
    winds = "" if details.endswith(ALL_NOTEN[0]) else details.rpartition(TENPAI[0])[2]
    tenpai = {_player(wind, frame.start) for wind in winds.split()}
    return tuple([hand.closed if player in tenpai else None for player, hand in enumerate(frame.end.hands)])
