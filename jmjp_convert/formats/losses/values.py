"""Losses of the values of wins, of draws, and of payments."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from itertools import islice, zip_longest
from operator import sub
from typing import Final

from jmjp_convert.formats.bounds import MOST, MOST_HAN
from jmjp_convert.formats.losses.loss import Loss, changed_endings, in_endings, of_wins, put
from jmjp_convert.model import (
    SEATS,
    TO_THE_LAST,
    DoraRevealed,
    DrawKind,
    End,
    Ending,
    Event,
    Frame,
    Hand,
    Kita,
    Limit,
    Match,
    Presence,
    RiichiAccepted,
    Ryuukyoku,
    Score,
    Start,
    Text,
    Win,
    Yaku,
)
from jmjp_convert.model.events import ABORTIVE
from jmjp_convert.model.record import replace
from jmjp_convert.model.tiles import DRAGON_KINDS, UNKNOWN, kind
from jmjp_convert.model.yaku import DRAGONS, ROUND_WINDS, SEAT_WINDS, limit_of
from jmjp_convert.play.course import Course
from jmjp_convert.play.melds import tiles_of
from jmjp_convert.play.outcome_text import describe, gives_outcome, score_in_text, with_outcome
from jmjp_convert.play.points import STICK, can_follow, changes_of, frame_changes, payments, worth

Changed = Callable[[Win, Frame, Match], Win]


# --- payments --------------------------------------------------------------------------------------------------------


def split_payments(frame: Frame, match: Match) -> Frame:
    """Infer the payments for each of several wins from their sum."""
    paid = iter(reversed(payments(frame, match.point_rule)))
    return in_endings(frame, lambda ending: put(ending, changes=next(paid)))


def points_from_payments(*, written: bool) -> Callable[[Match], Match]:
    """Return a change to points after each frame that follow from the payments; if those are unknown, both are as the
    next frame shows.

    :param written: whether the points after a frame are written too.
    """

    def apply(match: Match) -> Match:
        following = [frame.start for frame in match.frames[1:]]
        frames = [
            _paid(frame, (written and frame.end.points) or _next_points(frame, then))
            for frame, then in zip_longest(match.frames, following)
        ]
        return put(match, frames=tuple(frames))

    return apply


def _next_points(frame: Frame, then: Start | None) -> tuple[int, ...] | None:
    return then.points if then is not None and then.points is not None and can_follow(frame, then) else None


def _paid(frame: Frame, following: tuple[int, ...] | None) -> Frame:
    endings, points = frame.endings, frame.start.points
    changes = [ending.changes for ending in endings]
    if not endings or points is None:
        return put(frame, end=put(frame.end, points=following if endings else None))
    if None in changes and (following is not None or not all(map(_pays_nobody, endings))):
        if len(endings) == 1 and following is not None:
            paid = changes_of(frame.start, End((), following), frame.riichi)
            frame = in_endings(frame, lambda ending: put(ending, changes=paid))
        return put(frame, end=put(frame.end, points=following))
    sticks = [STICK * frame.riichi.count(player) for player in range(len(points))]
    after = tuple([sum(each) for each in zip(points, *[change for change in changes if change], strict=True)])
    return put(frame, end=put(frame.end, points=tuple(map(sub, after, sticks))))


def _pays_nobody(ending: Ending) -> bool:
    return isinstance(ending, Ryuukyoku) and ending.kind in ABORTIVE


def points_at_riichi(frame: Frame, _: Match) -> Frame:
    """Have the points after each riichi follow from those before (mjai)."""
    points, events = frame.start.points or (), list[Event]()
    for event in frame.events:
        if type(event) is RiichiAccepted:
            points = tuple([have - STICK * (player == event.player) for player, have in enumerate(points)])
            events.append(RiichiAccepted(event.player, points))
        else:
            events.append(event)
    return put(frame, events=tuple(events))


# --- values of wins --------------------------------------------------------------------------------------------------


def drop_ura_without_riichi(win: Win, frame: Frame, _: Match) -> Win:
    """Count ura dora after riichi only."""
    return win if not win.ura or win.player in frame.riichi else replace(win, ura=())


def first_ura(win: Win, frame: Frame, match: Match) -> Win:
    """Have all winners in riichi see the ura dora of the first who does (tenhou6)."""
    ura = next((other.ura for other in frame.wins if other.ura), ())
    return drop_ura_without_riichi(put(win, ura=ura), frame, match)


def value_from_payments(win: Win, frame: Frame, match: Match) -> Win:
    """Take from its payments what a win is worth, if its value is unknown."""
    if win.score is not None:
        return win
    winners = [other.player for other in frame.wins]
    points = worth(frame, winners.index(win.player), win.changes or (), match.point_rule)
    return win if points is None else replace(win, score=Score(None, points, Limit.NONE))


def drop_zero_han(win: Win, _frame: Frame, _match: Match) -> Win:
    """Leave out yaku of zero han, ura dora without a match; yaku tell the han."""
    score = win.score
    if score is None:
        return win
    yaku = score.counting_yaku
    if score.han_alone is None and len(yaku) == len(score.yaku):
        return win
    return put(win, score=put(score, yaku=yaku, han_alone=None if yaku else score.han))


def words_as_known(win: Win, frame: Frame, _: Match) -> Win:
    """Have the number of a yaku, rather than its word, where every reader knows the word."""
    from jmjp_convert.formats.spellings import (
        with_known_yaku,  # no conversion of mjlog to jmjp needs the words of others
    )

    return win if win.score is None else put(win, score=with_known_yaku(win.score, win.player, frame.start))


def limit_from_points(*, tsumo: bool) -> Loss:
    """Return the loss of limits that the points of a win do not show.

    :param tsumo: whether a win by tsumo is known as one, so that its points may be rounded up otherwise.
    """

    def change(win: Win, frame: Frame, _: Match) -> Win:
        if win.score is None:
            return win
        payers, dealer = len(frame.start.hands) - 1, win.player == frame.start.dealer
        by_tsumo = tsumo and win.source is None
        limit = limit_of(win.score.points, dealer=dealer, payers=payers, tsumo=by_tsumo)
        return put(win, score=put(win.score, limit=limit))

    return of_wins(change, phrase="limit of a win inferred from its points", parts=("scores",))


def yakuman_alone(win: Win, _frame: Frame, _match: Match) -> Win:
    """Have no fu in a yakuman (majiang)."""
    if win.score is None or not win.score.yakuman:
        return win
    return put(win, score=put(win.score, fu=None, limit=Limit.YAKUMAN, han_alone=None))


def drop_own_pao(win: Win, _frame: Frame, _match: Match) -> Win:
    """Have no winner responsible for their own win, nor the discarder for one of unknown value (tenhou6)."""
    nobody = (win.player, win.source) if win.score is None else (win.player,)
    return put(win, pao=()) if len(win.pao) == 1 and win.pao[0] in nobody else win


def drop_limited_fu(win: Win, _frame: Frame, _match: Match) -> Win:
    """Have no fu where yaku reach a limit, and no yaku of zero han (tenhou6)."""
    score = win.score
    if score is None:
        return win
    limited = score.yaku and score.limit is not Limit.NONE
    yaku = score.counting_yaku
    han = None if yaku or limited else score.han
    return put(win, score=put(score, fu=None if limited else score.fu, yaku=yaku, han_alone=han))


_HAN_OF_YAKUMAN: Final = 100
_WAITS: Final = {40: 40, 41: 40, 45: 45, 46: 45, 47: 47, 48: 47}
"""The yakuman with the number of the one that the same word stands for with another wait."""
_TRIPLET: Final = 3
_WIDE_WAIT: Final = (2, 4)
"""How many tiles of the winning kind, with the last, show the wide wait: a pair, or the end of nine gates."""


def yaku_as_hand_shows(win: Win, frame: Frame, _: Match) -> Win:
    """Read words that stand for several yaku as the winner's hand shows them, or none of the yaku (mjai)."""
    score = win.score
    if score is None:
        return win
    han = [_HAN_OF_YAKUMAN if yaku.han is None else yaku.han for yaku in score.yaku]
    numbers = (score.points - 1, score.fu or 0, (sum(han) if han else score.han_alone) or 0)
    if not all(0 <= number < MOST for number in numbers) or not all(0 <= each <= MOST_HAN for each in han):
        return replace(win, score=None)  # it is beyond any that are read
    if not han:
        return win
    yaku = _shown_yaku(win, score, frame)
    return put(win, score=put(score, yaku=yaku, han_alone=None if yaku else sum(han)))


def _shown_yaku(win: Win, score: Score, frame: Frame) -> tuple[Yaku, ...]:
    """Return the yaku of *win* as its hand shows them; none if it leaves one undecided."""
    from jmjp_convert.formats.spellings import SEVERAL_YAKU  # as above

    hand = frame.end.hands[win.player]
    kinds = [kind(tile) for tile in (win.tile, *hand.tiles)]
    melded = [kind(tile) for meld in hand.melds if not isinstance(meld, Kita) for tile in tiles_of(meld)]
    every = Counter([*kinds, *melded])
    dragons = iter([number for number, dragon in zip(DRAGONS, DRAGON_KINDS, strict=True) if every[dragon] >= _TRIPLET])
    seat = (win.player - frame.start.dealer) % len(frame.start.hands)
    shown: list[Yaku] = []
    for yaku in score.yaku:
        han = None if yaku.han is not None and yaku.han >= _HAN_OF_YAKUMAN else yaku.han
        number = SEVERAL_YAKU.get(yaku.word, (None,))[0] if yaku.number is None else yaku.number
        if number is None:
            shown.append(Yaku(None, han, yaku.word))
        elif number in DRAGONS:
            of_dragons = [Yaku(dragon, 1) for dragon in islice(dragons, han)]
            if not of_dragons or len(of_dragons) != han:
                return ()
            shown += of_dragons
        elif number in SEAT_WINDS:
            shown.append(Yaku(SEAT_WINDS[seat], han))
        elif number in ROUND_WINDS:
            shown.append(Yaku(ROUND_WINDS[frame.start.round // SEATS], han))
        elif number in _WAITS:
            if None in kinds:
                return ()
            shown.append(Yaku(_WAITS[number] + (kinds.count(kinds[0]) in _WIDE_WAIT), han))
        else:
            shown.append(Yaku(number, han))
    return tuple(shown)


def has_dragons_in_another_order(match: Match) -> bool:
    """Return whether a win has yaku of several dragons in another order than by number (mjai)."""
    wins = (win for frame in match.frames for win in frame.wins)
    dragons = ([yaku.number or 0 for yaku in win.score.yaku if yaku.number in DRAGONS] for win in wins if win.score)
    return any(numbers != sorted(numbers) for numbers in dragons)


def hand_hides_yaku(match: Match) -> bool:
    """Return whether a win has yaku that its hand does not show (mjai)."""
    for frame in match.frames:
        for win in frame.wins:
            counted = drop_zero_han(words_as_known(win, frame, match), frame, match)
            if Counter(yaku_as_hand_shows(counted, frame, match).yaku) != Counter(counted.yaku):
                return True
    return False


# --- draws -----------------------------------------------------------------------------------------------------------


def is_ronned(frame: Frame) -> bool:
    """Return whether the play of *frame*, which is drawn, shows that its last tile was ronned: it is of a riichi that
    is not paid for, or of a kan without a replacement tile."""
    course = Course(frame.start)
    for event in frame.events:
        if type(event) is Ryuukyoku:
            break
        course.follow(event)
    return course.declared is not None or course.replacement is not None


def _kind_from_play(frame: Frame) -> DrawKind | None:
    from jmjp_convert.play.abortive import abortive_kind  # needed for few draws

    return abortive_kind(frame.start, frame.events[: [*map(type, frame.events)].index(Ryuukyoku)])


def infer_kind(draw: Ryuukyoku, frame: Frame, _: Match) -> Ryuukyoku:
    """Have the play show the kind of a draw of unknown kind, if it is abortive (mjai)."""
    return draw if draw.kind is not None else put(draw, kind=_kind_from_play(frame))


def drop_hidden_kind(draw: Ryuukyoku, frame: Frame, _: Match) -> Ryuukyoku:
    """Leave out a kind of draw that the play does not show (mjai)."""
    if draw.kind is DrawKind.TRIPLE_RON:
        is_shown = is_ronned(frame)
    else:
        is_shown = draw.kind in ABORTIVE and _kind_from_play(frame) is draw.kind
    return draw if is_shown else put(draw, kind=None)


def without_payments(draw: Ryuukyoku, frame: Frame, _: Match) -> Ryuukyoku:
    """Have nobody pay at a draw of a kind at which nobody does (tenhou6)."""
    if draw.changes is not None or (draw.kind not in ABORTIVE and unanimous(draw) is None):
        return draw
    return replace(draw, changes=(0,) * len(frame.start.hands))


def shown_as_at_end(draw: Ryuukyoku, frame: Frame, _: Match) -> Ryuukyoku:
    """Have a hand shown at a draw be that of its player at the end of the play (mjai)."""
    if draw.shown is None:
        return draw
    whole = draw.kind is DrawKind.NINE_TERMINALS  # only then is the hand itself written to show that it is shown
    shown = [
        None if tiles is None or (whole and (not tiles or UNKNOWN in tiles)) else hand.closed
        for tiles, hand in zip(draw.shown, frame.end.hands, strict=True)
    ]
    return put(draw, shown=tuple(shown))


def unanimous(draw: Ryuukyoku) -> bool | None:
    """Return whether all hands are shown at an exhaustive *draw* (True) or none (False); ``None`` if some are."""
    tenpai = {hand is not None for hand in draw.shown or ()}
    return tenpai.pop() if draw.kind is DrawKind.EXHAUSTIVE and len(tenpai) == 1 else None


def shown_as_kind_tells(draw: Ryuukyoku, frame: Frame, _: Match) -> Ryuukyoku:
    """Leave the kind of a draw and its payments to tell who shows a hand (tenhou6)."""
    players = range(len(frame.start.hands))
    tenpai, kind_, changes = unanimous(draw), draw.kind, draw.changes or ()
    who: list[bool] | None = None if tenpai is None else [tenpai for _ in players]
    if kind_ in (DrawKind.FOUR_WINDS, DrawKind.FOUR_KANS, DrawKind.FOUR_RIICHI):
        who = [kind_ is DrawKind.FOUR_RIICHI for _ in players]
    elif kind_ in (DrawKind.NINE_TERMINALS, DrawKind.TRIPLE_RON):
        last = _last_to_act(frame)
        who = [(player == last) is (kind_ is DrawKind.NINE_TERMINALS) for player in players]
    elif kind_ is DrawKind.EXHAUSTIVE and any(changes):
        who = [change > 0 for change in changes]
    hands = frame.end.hands
    return put(draw, shown=who and tuple([hands[player].closed if who[player] else None for player in players]))


def _last_to_act(frame: Frame) -> int | None:
    """Return the player of the last event before the draw that ends *frame*."""
    acts = [event for event in frame.events if not isinstance(event, Ryuukyoku | Presence | DoraRevealed)]
    return acts[-1].player if acts else None


# --- outcomes in a frame's text --------------------------------------------------------------------------------------


def outcome_in_text(text_of: Callable[[Text | None], Text | None]) -> Callable[[Frame, Match], Frame]:
    """Return a change of a frame to the outcome in its text, with the payments in its points (jmjp).

    The value of a win, pao, the kind of a draw and the hands of those who are tenpai are in our own text; a recorder's
    text does not have them.

    :param text_of: returns a text as it is held.
    """

    def apply(frame: Frame, _: Match) -> Frame:
        described, endings, hands = describe(frame), frame.endings, frame.end.hands
        # Our own words have no character that a dialect cannot hold.
        text = (described if frame.comment is None else text_of(frame.comment)) or Text()
        if not endings:
            return put(frame, comment=text)
        changes = frame_changes(frame) if len(endings) == 1 else None
        if text == described and hands:
            events = changed_endings(frame, lambda ending: _as_in_text(ending, changes, hands))
            read = Frame(frame.start, events, frame.end, frame.dora, text, notes=frame.notes)
            if gives_outcome(text, read, endings):
                return read
        events = changed_endings(frame, lambda ending: _as_without_text(ending, changes))
        return with_outcome(Frame(frame.start, events, frame.end, frame.dora, text, notes=frame.notes), text)

    return apply


Changes = tuple[int, ...] | None


def _as_without_text(ending: Ending, changes: Changes) -> Ending:
    if isinstance(ending, Win):
        return put(ending, changes=changes, score=None, pao=())
    kind_ = ending.kind if ending.kind is DrawKind.TRIPLE_RON else None
    return put(ending, changes=changes, kind=kind_, shown=None)


def _as_in_text(ending: Ending, changes: Changes, hands: tuple[Hand, ...]) -> Ending:
    if isinstance(ending, Win):
        score = ending.score and score_in_text(ending.score)
        return put(ending, changes=changes, score=score, pao=ending.pao if score else ())
    shown = None
    if ending.shown is not None and ending.kind in TO_THE_LAST:
        shown = tuple([None if tiles is None else hand.closed for tiles, hand in zip(ending.shown, hands, strict=True)])
    return put(ending, changes=changes, shown=shown)


def hides_outcome(frame: Frame) -> bool:
    """Return whether *frame* has a recorder's text in place of the one with its outcome."""
    return frame.comment is not None and bool(frame.endings) and describe(frame) not in (None, frame.comment)


def hides_shown(change: Callable[[Frame, Match], Frame]) -> Callable[[Match], bool]:
    """Return a test for whether hands shown at a draw are not held and do not follow from its kind.

    :param change: :func:`outcome_in_text`.
    """

    def lost(draw: Ryuukyoku, frame: Frame, match: Match) -> bool:
        read = change(frame, match).endings[-1]
        if draw.shown is None or not isinstance(read, Ryuukyoku):
            return False
        if read.kind in ABORTIVE:
            read = shown_as_kind_tells(read, frame, match)
        return _sorted(read.shown) != _sorted(draw.shown)

    def loses(match: Match) -> bool:
        drawn = [(draw, frame) for frame in match.frames for draw in frame.endings if isinstance(draw, Ryuukyoku)]
        return any(lost(draw, frame, match) for draw, frame in drawn)

    return loses


def _sorted(shown: tuple[tuple[int, ...] | None, ...] | None) -> list[list[int] | None] | None:
    return None if shown is None else [None if hand is None else sorted(hand) for hand in shown]


def has_value_beside_unknown(frame: Frame) -> bool:
    """Return whether the value of a win of *frame* is unknown, but not that of another, or who is responsible (pao)
    (jmjp)."""
    wins = frame.wins
    return any(win.score is None for win in wins) and any(win.score or win.pao for win in wins)
