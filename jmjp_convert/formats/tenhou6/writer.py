"""Write a match for tenhou.net/6: one JSON object, one object per frame, or links."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from itertools import pairwise
from typing import Any
from urllib.parse import quote

from jmjp_convert.errors import FormatError
from jmjp_convert.formats.json_text import encode
from jmjp_convert.formats.spellings import with_known_yaku
from jmjp_convert.formats.tenhou6.notation import (
    ALL_NOTEN,
    ALL_TENPAI,
    DRAWN,
    NO_DISCARD,
    NUMBERLESS,
    TSUMOGIRI,
    UNFINISHED,
    WON,
    Notation,
    connections,
    display,
    notation,
    red_fives,
    red_fives_by_suit,
    title,
    yaku_word,
)
from jmjp_convert.model import (
    SEATS,
    Daiminkan,
    Discard,
    DoraRevealed,
    Draw,
    DrawKind,
    Frame,
    Limit,
    Match,
    Player,
    PointRule,
    Rules,
    Ryuukyoku,
    Score,
    Win,
)
from jmjp_convert.model.events import CALLS, MELDS
from jmjp_convert.model.houses import is_tenhou
from jmjp_convert.model.tenhou import RANKS
from jmjp_convert.model.yaku import LIMITS
from jmjp_convert.play.course import Course
from jmjp_convert.play.dora_indicators import with_indicators
from jmjp_convert.play.outcome_text import DRAWS
from jmjp_convert.play.points import payments, points_at_end, raised, with_sticks

# --- the result of a frame --------------------------------------------------------------------------------------------


def all_points(values: Sequence[int]) -> list[int]:
    """Return points by seat, 0 for an empty seat."""
    return [*values] + [0] * (SEATS - len(values))


def result(frame: Frame, rule: PointRule | None) -> list[Any]:
    """Return the result of *frame*, the last of its items.

    :param rule: the match's point rule, for the value of a honba.
    """
    endings = frame.endings
    if not endings:
        return [UNFINISHED]
    wins = frame.wins
    if not wins:
        return _draw(endings[-1])  # type: ignore[arg-type]
    won: list[Any] = [WON]
    for win, changes in zip(wins, payments(frame, rule), strict=True):
        won += [[] if changes is None else all_points(changes), _win(win, frame)]
    return won


def _draw(draw: Ryuukyoku) -> list[Any]:
    """Return a draw, 流局 if its kind is not recorded, with its payments if there are any."""
    name = DRAWN if draw.kind is None else DRAWS[draw.kind][0]
    tenpai = unanimous(draw)
    if tenpai is not None:
        name = ALL_TENPAI if tenpai else ALL_NOTEN
    if draw.changes is None or (name != DRAWN and not any(draw.changes)):
        return [name]
    return [name, all_points(draw.changes)]


def unanimous(draw: Ryuukyoku) -> bool | None:
    """Return whether all hands are shown at an exhaustive *draw* (True) or none (False); ``None`` if some are."""
    tenpai = {hand is not None for hand in draw.shown or ()}
    return tenpai.pop() if draw.kind is DrawKind.EXHAUSTIVE and len(tenpai) == 1 else None


def _win(win: Win, frame: Frame) -> list[Any]:
    """Return the winner, the source, who pays by pao (otherwise the winner), and the value of the win, if recorded."""
    who = [win.player, win.player if win.source is None else win.source, *(win.pao[:1] or (win.player,))]
    if win.score is None:
        return who
    score = with_known_yaku(win.score, win.player, frame.start)
    payers = len(frame.start.hands) - 1 if win.source is None else 0
    return [*who, *_worth(score, payers, dealer=win.player == frame.start.dealer)]


@lru_cache(maxsize=4096)
def _worth(score: Score, payers: int, *, dealer: bool) -> list[str]:
    """Return fu and han, or the limit, with the points; then each yaku that counts.

    :param payers: the number of players who pay for a tsumo; 0 for a ron.
    :param dealer: whether the dealer wins.
    """
    value = _fu_and_han(score) + (LIMITS[score.limit][0] if score.limit in LIMITS else "")
    named = [f"{yaku_word(yaku)}({'役満' if yaku.han is None else f'{yaku.han}飜'})" for yaku in score.counting_yaku]
    return [value + points_text(score.points, payers, dealer=dealer), *named]


def _fu_and_han(score: Score) -> str:
    """Return fu and han as far as they are known: of a hand below a limit, or whose yaku are not recorded."""
    if score.limit is not Limit.NONE and score.yaku:
        return ""
    han = sum(yaku.han or 0 for yaku in score.yaku) if score.yaku else score.han_alone
    return ("" if score.fu is None else f"{score.fu}符") + ("" if han is None else f"{han}飜")


def points_text(total: int, payers: int, *, dealer: bool) -> str:
    """Return the payments for a win of *total*: the total of a ron, the shares of a tsumo.

    The dealer pays twice as much as the others, and each share is rounded up to a hundred. The total is therefore the
    sum of equal shares, the dealer's counting twice, or a hundred less.
    """
    if not payers:
        return f"{total}点"
    if dealer:
        return f"{total // payers}点∀"
    share = -(-total // (100 * (payers + 1))) * 100
    return f"{share}-{total - share * (payers - 1)}点"


# --- frames -----------------------------------------------------------------------------------------------------------

# The start; the points; the dora and ura dora indicators; for each player the starting hand, incoming and outgoing
# tiles; the result.


def items(frame: Frame, rules: Rules, point_rule: PointRule | None = None) -> list[Any]:
    """Return *frame* as its items, for JSON.

    :raises FormatError: the play or the points are not recorded, or a tile is unknown.
    """
    try:
        return _items(with_indicators(frame, rules), notation(rules.red_fives), point_rule)
    except FormatError as error:
        raise FormatError(f"frame {frame.start.name}: {error}") from None
    except KeyError as error:
        if error.args[0] not in NUMBERLESS:
            raise
        reason = "unknown tile, for which tenhou.net/6 has no number"
        raise FormatError(f"frame {frame.start.name}: {reason}") from None


def _items(frame: Frame, words: Notation, point_rule: PointRule | None) -> list[Any]:
    start = frame.start
    if not start.hands:
        raise FormatError("the play is not recorded; tenhou.net/6 needs it")
    if start.points is None:
        raise FormatError("the starting points are not recorded; tenhou.net/6 needs them")
    takes, outs, indicators = _plays(frame, words)
    ura = next((win.ura for win in frame.wins if win.ura), ())
    written: list[Any] = [[start.round, start.honba, start.sticks or 0], all_points(start.points)]
    written += indicators, words.row(ura)
    hands = [words.hand(hand) for hand in start.hands]
    for hand, take, out in zip(hands + [[]] * (SEATS - len(hands)), takes, outs, strict=True):
        written += hand, take, _without_end(out)
    return [*written, result(frame, point_rule)]


def _plays(frame: Frame, words: Notation) -> tuple[Sequence[list[Any]], Sequence[list[Any]], list[int]]:
    """Return the incoming and outgoing tiles by seat, and the dora indicators."""
    takes: tuple[list[Any], ...] = ([], [], [], [])
    outs: tuple[list[Any], ...] = ([], [], [], [])
    numbers = words.numbers
    indicators = [] if frame.start.indicator is None else [numbers[frame.start.indicator]]
    course = Course(frame.start)
    if course.drawn is not None:
        takes[frame.start.dealer].append(numbers[course.drawn])
    for event in frame.events:
        kind = type(event)
        # Draws and discards are tracked inline: `course.along` would take 9 % longer overall.
        if kind is Draw:
            tile = course.drawn = event.tile  # type: ignore[union-attr]
            course.replacement = None
            takes[event.player].append(numbers[tile])  # type: ignore[union-attr]
        elif kind is Discard:
            out = TSUMOGIRI if course.is_tsumogiri(event) else numbers[event.tile]  # type: ignore[arg-type,union-attr]
            player = event.player  # type: ignore[union-attr]
            outs[player].append(f"r{out}" if course.declared == player else out)
            course.drawn = None
        else:
            course.follow(event)
            if kind in CALLS:
                takes[event.player].append(words.meld(event))  # type: ignore[union-attr,arg-type]
                if kind is Daiminkan:
                    outs[event.player].append(NO_DISCARD)  # type: ignore[union-attr]
            elif kind in MELDS:
                outs[event.player].append(words.meld(event))  # type: ignore[union-attr,arg-type]
            elif kind is DoraRevealed and indicators:  # the first of them is never left out
                indicators.append(numbers[event.indicator])  # type: ignore[union-attr]
    return takes, outs, indicators


def _without_end(out: list[Any]) -> list[Any]:
    """Return *out* without trailing :data:`NO_DISCARD`, which are not needed there for alignment."""
    return _without_end(out[:-1]) if out and out[-1] == NO_DISCARD else out


# --- matches ----------------------------------------------------------------------------------------------------------

EDITOR = "https://tenhou.net/6/#json="

_VERSION = 2.3
_EMPTY_SEAT = Player(dan=0, rate=1500, sex="C")
"""As in Tenhou's logs of three players (source: ``docs/design/mjlog-traps.md`` 17)."""

_RANKS: dict[int | None, str] = dict(enumerate(RANKS))
_UNESCAPED = "-_.!~*'(),"
"""The characters that are not escaped in an editor link, besides letters and digits."""


def write_tenhou6(match: Match, *, per_frame: bool = False, url: bool = False, raise_points: bool = False) -> str:
    """Return *match* as one JSON object without a line end, as Tenhou serves it.

    Unknown values are left out; a match not played on Tenhou gets a title.

    :param per_frame: write each frame as its own line of JSON, as the editor does.
    :param url: write each frame as a link that opens it in the editor, one per line.
    :param raise_points: raise the points of everybody so that nobody begins a frame below zero.
    :raises FormatError: there are no frames, a frame has no play or no points, or a tile is unknown.
    """
    if not match.frames:
        raise FormatError("tenhou6 cannot hold a match without frames")
    if raise_points:
        match = raised(match)
    if url:
        return "".join(f"{EDITOR}{quote(line, safe=_UNESCAPED)}\n" for line in _frames(match))
    return "".join(f"{line}\n" for line in _frames(match)) if per_frame else _whole(match)


def write_matches(matches: Sequence[Match], **options: bool) -> str:
    """Return *matches* as the text of a file.

    :raises FormatError: as for :func:`write_tenhou6`; or the frames of two would be read as those of one match.
    """
    texts = [write_tenhou6(match, **options) for match in matches]
    for before, then in pairwise(matches):
        if _head(before) == _head(then) and place_of(before.frames[-1]) < place_of(then.frames[0]):
            raise FormatError("two matches with the same names would be read as one; write them to separate files")
    return "".join(text if text.endswith("\n") else f"{text}\n" for text in texts)


def _whole(match: Match) -> str:
    rules, tenhou, lines = match.rules, is_tenhou(match.rules), title(match)
    seats = _seats(match)
    fields: dict[str, Any] = {
        "title": None if tenhou and not any(lines) else lines,
        "ver": _VERSION,
        "ref": match.id,
        "log": [items(frame, rules, match.point_rule) for frame in with_sticks(match.frames)],
        "connection": list(connections(match)),
        "ratingc": f"PF{rules.players}" if tenhou else None,
        "rule": {"disp": display(match), **red_fives_by_suit(rules.red_fives)},
        "lobby": rules.lobby,
        "dan": _all(player.rank if player.dan is None else _RANKS.get(player.dan) for player in seats),
        "rate": _all(None if player.rate is None else _number(player.rate) for player in seats),
        "sx": _all(player.sex for player in seats),
        "sc": _final(match),
        "name": _names(match),
    }
    return encode({key: value for key, value in fields.items() if value not in (None, [])})


def _frames(match: Match) -> Iterator[str]:
    """Yield each frame as its own JSON object.

    :raises FormatError: the frames are not in an order in which they are read as one match.
    """
    rules, fields = match.rules, _head(match)
    for before, then in pairwise(match.frames):
        if place_of(then) <= place_of(before):
            names = f"frame {then.start.name} after {before.start.name}"
            raise FormatError(f"{names} would be read as another match; leave out --per-frame or --url")
    for frame in with_sticks(match.frames):
        yield encode(fields | {"log": [items(frame, rules, match.point_rule)]})


def _head(match: Match) -> dict[str, Any]:
    """Return what is written of *match* with each frame."""
    return {
        "title": title(match),
        "name": _names(match),
        "rule": {"disp": display(match), **red_fives(match.rules.red_fives)},
    }


def place_of(frame: Frame) -> tuple[int, int]:
    """Return round and honba of *frame*, which increase in the course of a match."""
    return frame.start.round, frame.start.honba


def _all(values: Iterable[Any]) -> list[Any] | None:
    """Return *values*, which are by seat, if all are known."""
    known = list(values)
    return None if None in known else known


def _seats(match: Match) -> list[Player]:
    return [*match.players, *[_EMPTY_SEAT] * (SEATS - len(match.players))]


def _names(match: Match) -> list[str]:
    return [player.name or "" for player in _seats(match)]


def _number(value: float) -> float:
    """Return *value* as JavaScript writes it, whole numbers without decimals."""
    return value if value % 1 else int(value)


def _final(match: Match) -> list[float] | None:
    """Return the points and the result by seat, if the match was played to its end."""
    points = points_at_end(match)
    if points is None or match.results is None:
        return None
    results = [_number(value / 1000) for value in match.results] + [0] * (SEATS - len(match.results))
    return [value for pair in zip(all_points(points), results, strict=True) for value in pair]
