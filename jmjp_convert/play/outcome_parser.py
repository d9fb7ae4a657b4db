"""Reads how a frame ended from the line that describes it: the inverse of :mod:`~jmjp_convert.play.outcome_text`.

Only our own words are understood. An outcome is taken from a text if describing the frame with that outcome gives the
whole text again, in both scripts, so that it also agrees with the play: who won off whom, and in which seat.
"""

from __future__ import annotations

import re
from collections.abc import Container, Sequence
from functools import lru_cache
from operator import attrgetter
from typing import TypeGuard

from jmjp_convert.model import (
    Ending,
    Event,
    Frame,
    Hand,
    Limit,
    Ryuukyoku,
    Score,
    Start,
    Text,
    Win,
    Yaku,
)
from jmjp_convert.model.yaku import LIMITS, NAMES
from jmjp_convert.play.outcome_text import (
    ALL_NOTEN,
    BETWEEN_WINS,
    DRAWS,
    PAO,
    TENPAI,
    WINDS,
    describe,
    drawn,
    joined,
    won,
    worth,
)

_ENDINGS = frozenset((Win, Ryuukyoku))

_han_of = attrgetter("han")

_LONGEST = 1 << 10
"""The length of a text beyond which it is not parsed, so that the caches stay small."""

_SEATS = {native: seat for seat, (native, _) in enumerate(WINDS)}
_DRAWS = {native: kind_ for kind_, (native, _) in DRAWS.items()}
_LIMITS = {native: limit for limit, (native, _) in LIMITS.items()}
_YAKU = {name.japanese: number for number, name in enumerate(NAMES)}

_NEGATIVE = "-"
_NUMBER = "[0-9]{1,18}"
# Any word or two rather than all names: a pattern of those takes longer to compile than a game to read.
_ONE_YAKU = re.compile(f"([^ ]+?(?: [東南西北白發中])?)({_NUMBER})?(?: |$)")
_WORTH = re.compile(f"(?:(?:({_NUMBER})符)?({_NUMBER})飜 )?(?:({'|'.join(_LIMITS)}) )?({_NUMBER})点(?: (.+))?")


def with_outcome(frame: Frame, text: Text) -> Frame:
    """Return *frame* with the outcome that *text* gives: fu, han, yaku and points of each win, who is liable for
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
    return Frame(frame.start, _with_endings(frame.events, parsed), frame.end, frame.dora, frame.comment)


def gives_outcome(text: Text, frame: Frame, recorded: Sequence[Ending]) -> bool:
    """Return whether *text*, which describes a frame with the endings *recorded*, gives the outcome of the *frame* held
    of it, in which there is nothing that texts leave out. A number below zero is not understood."""
    if not _is_understood(text.native):
        return False
    # What is held of a win has the same text: describing it again would be slow. That of a draw depends on payments.
    return (frame.end.hands != () and Ryuukyoku not in map(type, recorded)) or describe(frame) == text


def _is_understood(native: str | None) -> TypeGuard[str]:
    return native is not None and len(native) <= _LONGEST and _NEGATIVE not in native


def score_in_text(score: Score) -> Score:
    """Return *score* as its text gives it: neither the fu of a yakuman nor a yaku of zero han."""
    if score.yaku and score.han_alone is None and all(map(_han_of, score.yaku)):
        return score
    yaku = tuple([one for one in score.yaku if one.han != 0])
    han = score.han
    return Score(None if han is None else score.fu, score.points, score.limit, yaku, None if yaku else han)


def shown_by(hands: Sequence[Hand], tenpai: Container[int | None]) -> tuple[tuple[int, ...] | None, ...]:
    """Return the closed tiles of the *hands* at the end of a frame that the players in *tenpai* show."""
    return tuple([hand.closed if player in tenpai else None for player, hand in enumerate(hands)])


def _with_endings(events: tuple[Event, ...], endings: Sequence[Ending]) -> tuple[Event, ...]:
    """Return *events* with *endings* in the places of the last that are wins or draws."""
    found = [*events]
    place = len(found)
    for ending in reversed(endings):
        place -= 1
        while type(found[place]) not in _ENDINGS:
            place -= 1
        found[place] = ending
    return tuple(found)


# --- wins ------------------------------------------------------------------------------------------------------------


def _wins_in(wins: Sequence[Ending], text: Text, start: Start) -> list[Ending] | None:
    """Return *wins* with what *text* gives of each; ``None`` if it is not exactly what describes them."""
    parts = (text.native or "").split(BETWEEN_WINS)
    if len(parts) != len(wins):
        return None
    found: list[Ending] = []
    lines: list[tuple[str, str]] = []
    for win, part in zip(wins, parts, strict=True):
        value, _, payer = part.split(" ", 2)[-1].partition(f" {PAO[0]} ")  # what is before it follows from the play
        parsed = _score_in(value)
        if parsed is None or not isinstance(win, Win):
            return None
        score, described = parsed
        pao = _player(payer, start) if payer else None
        lines.append(won(win, pao, described, start))
        found.append(
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
    return found if joined(lines) == (text.native, text.roman) else None


@lru_cache(maxsize=4096)
def _score_in(native: str) -> tuple[Score, tuple[str, str]] | None:
    """Return the score that *native* gives, as written by :func:`worth`, and all that this writes."""
    found = _WORTH.fullmatch(native)
    if found is None:
        return None
    fu, han, limit, points, named = found.groups()
    yaku = tuple([Yaku(_YAKU[name], _number(value)) for name, value in _ONE_YAKU.findall(named or "") if name in _YAKU])
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
    if details.endswith(ALL_NOTEN[0]):
        return (None,) * len(frame.end.hands)
    tenpai = {_player(wind, frame.start) for wind in details.rpartition(TENPAI[0])[2].split()}
    return shown_by(frame.end.hands, tenpai)
