"""What a match may have that some formats do not hold, and what several formats write differently.

Each format lists the traits it holds; every other one is dropped and reported. What follows from the rest, such as the
points before a win, is dropped without a word: it has no phrase.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from jmjp_convert.formats.losses import play, values
from jmjp_convert.formats.losses.heads import (
    drop_scripts,
    has_own_final_points,
    has_own_name,
    has_own_weekday,
    has_two_scripts,
    has_unusual_reds,
    weekday_from_date,
)
from jmjp_convert.formats.losses.loss import RECORDS, Loss, any_of, of_draws, of_wins, put, reading
from jmjp_convert.model import (
    DoraRevealed,
    DrawKind,
    Frame,
    Match,
    Player,
    Returned,
    RiichiDeclared,
    Rules,
    Ryuukyoku,
    Start,
    Text,
    Tournament,
    Win,
)
from jmjp_convert.model.events import PRESENCES
from jmjp_convert.model.tiles import NO_REDS, PHYSICAL, RED_FACES, UNKNOWN, any_copy, faces
from jmjp_convert.play.dora_indicators import with_indicators
from jmjp_convert.play.outcome_text import describe


def _cleared(phrase: str, *clears: tuple[type, Mapping[str, Any]]) -> Loss:
    """Return the loss of fields that get a constant value; a match has them if any has another value."""
    tests = [(RECORDS[record], *reading(values)) for record, values in clears]

    def is_recorded(match: Match) -> bool:
        for records, read, same in tests:
            recorded = list(map(read, records(match)))
            if recorded.count(same) < len(recorded):
                return True
        return False

    return Loss(phrase, is_recorded, clears=clears)


# --- less obvious tests ----------------------------------------------------------------------------------------------


def turned(frame: Frame) -> int:
    """Return the number of further dora turned in *frame*."""
    return list(map(type, frame.others)).count(DoraRevealed)


def _has_hidden_dora(match: Match) -> bool:
    """Return whether a dora is known that was never turned, or an ura dora that nobody saw."""
    return any(_hides_dora(with_indicators(frame, match.rules)) for frame in match.frames)


def _hides_dora(frame: Frame) -> bool:
    dora, ura = ([tile for tile in (frame.dora or ())[first::2] if tile != UNKNOWN] for first in (0, 1))
    seen = max((len(win.ura) for win in frame.wins), default=0)
    return len(dora) > 1 + turned(frame) or len(ura) > seen


def _has_presences(match: Match) -> bool:
    return bool(match.before) or any(not PRESENCES.isdisjoint(map(type, frame.others)) for frame in match.frames)


def _has_other_names(match: Match) -> bool:
    if not _has_presences(match):
        return False
    events = (event for events in (match.before, *(frame.others for frame in match.frames)) for event in events)
    return any(isinstance(event, Returned) and event.name is not None for event in events)


# --- the table -------------------------------------------------------------------------------------------------------

TRAITS: Final[dict[str, Loss]] = {
    "id": _cleared("log ID", (Match, {"id": None})),
    "source": _cleared("log file name", (Match, {"source": None})),
    # Which rules there are follows in each format from something else: a name, the log ID, the tiles.
    "code": Loss("Tenhou rules number", lambda match: match.rules.code is not None),
    "house": Loss("server", lambda match: match.rules.house is not None and match.rules.code is None),
    "red_fives": Loss(
        "rule without red fives", lambda match: match.rules.red_fives == NO_REDS and match.rules.code is None
    ),
    "reds_by_suit": Loss("number of red fives of each suit", has_unusual_reds),
    "length": _cleared("length (where no rules number shows it)", (Rules, {"east_only": None})),
    "lobby": Loss("lobby", lambda match: match.rules.lobby is not None),
    "custom": _cleared("private table settings", (Rules, {"custom": ()})),
    "point_rule": _cleared("target and uma", (Match, {"point_rule": None})),
    "tournament": Loss("tournament name", has_own_name, clears=((Tournament, {"name": None}),)),
    "year": _cleared("tournament year", (Tournament, {"year": None})),
    "stage": Loss(
        "tournament stage",
        lambda match: match.tournament is not None and match.tournament.stage not in (None, Text()),
        clears=((Tournament, {"stage": None}),),
    ),
    "number": _cleared("match number", (Tournament, {"stage_match": None, "day_match": None})),
    "date": _cleared("date", (Match, {"date": None})),
    "weekday": Loss("weekday", has_own_weekday, match=weekday_from_date),
    "time": _cleared("time of day", (Match, {"time": None})),
    "clock": _cleared("times of start and end", (Match, {"started": None, "ended": None})),
    "place": Loss("place", lambda match: match.place not in (None, Text()), clears=((Match, {"place": None}),)),
    "recorders": _cleared("recorders", (Match, {"recorders": ()})),
    "ranks": _cleared("ranks", (Player, {"dan": None, "rank": None})),
    "ratings": _cleared("ratings", (Player, {"rate": None})),
    "sex": _cleared("sex", (Player, {"sex": None})),
    "gold": _cleared("gold and rc", (Player, {"gold": None, "rc": None})),
    "accounts": _cleared("account numbers", (Player, {"account": None})),
    "rank_points": _cleared("points within the rank", (Match, {"rank_changes": None}), (Player, {"rank_points": None})),
    "teams": _cleared("teams and associations", (Player, {"team": None, "affiliation": None})),
    "scripts": Loss("names in a second script", has_two_scripts, match=drop_scripts),
    "raw_name": _cleared("raw bytes of non-UTF-8 names", (Player, {"raw_name": None})),
    "connections": Loss(
        "disconnections and returns",
        _has_presences,
        play.drop_presences,
        among=PRESENCES,
        clears=((Match, {"before": ()}),),
    ),
    "other_name": Loss("names changed on return", _has_other_names),
    "seed": Loss(
        "shuffle seed",
        lambda match: match.shuffle is not None or any(frame.start.shuffle for frame in match.frames),
        clears=((Match, {"shuffle": None}), (Start, {"shuffle": None})),
    ),
    "dice": _cleared("dice", (Start, {"dice": None})),
    "walls": _cleared("recorded walls", (Frame, {"wall": None})),
    "thinking": _cleared("thinking times", (Frame, {"thinking": ()})),
    "notes": _cleared("notes in the play", (Frame, {"notes": ()})),
    "copies": Loss(
        "exact tile copies",
        any_of(Frame, lambda frame: any(tile < PHYSICAL for hand in frame.start.hands for tile in hand)),
        play.drop_copies(),
    ),
    "order": Loss(
        "deal order", any_of(Frame, lambda frame: any(list(hand) != sorted(hand) for hand in frame.start.hands))
    ),  # goes with the copies
    "open_riichi": _cleared("open riichi", (RiichiDeclared, {"open": False})),
    "ura": of_wins(values.drop_ura_without_riichi),
    "turns": Loss("timing of kan dora", any_of(Frame, turned), play.drop_turns, among=frozenset({DoraRevealed})),
    "indicators": _cleared("", (Start, {"indicator": None, "kan_indicators": ()}), (Win, {"ura": ()})),
    "hidden_dora": Loss("unseen dora", _has_hidden_dora, play.drop_hidden_dora),
    "scores": _cleared("fu, han and yaku", (Win, {"score": None})),
    "pao": _cleared("pao", (Win, {"pao": ()})),
    "draw_kinds": _cleared("reasons for draws", (Ryuukyoku, {"kind": None})),
    "shown": _cleared("hands shown at draws", (Ryuukyoku, {"shown": None})),
    "repeated": _cleared(
        "",
        (
            Win,
            {"sticks": None, "before": None, "hand": None, "melds": None, "indicators": None, "honba": None},
        ),
        (Ryuukyoku, {"sticks": None, "before": None, "honba": None}),
    ),
    "results": _cleared("results", (Match, {"results": None})),
    "final_points": Loss(
        "final points that do not follow from the rest", has_own_final_points, clears=((Match, {"final_points": None}),)
    ),
    "tour_points": _cleared("tournament points", (Match, {"tour_points": None}), (Player, {"tour_points": None})),
    "chips": _cleared(
        "chips",
        (Match, {"chips": None, "ratio": None}),
        (Start, {"chips": None}),
        (Win, {"chips": None, "chip_yaku": ()}),
        (Ryuukyoku, {"chips": None}),
    ),
    "yakitori": _cleared("yakitori", (Match, {"yakitori": None})),
    "comments": Loss(
        "comments",
        any_of(Frame, lambda frame: frame.comment not in (None, Text()) and frame.comment != describe(frame)),
        clears=((Frame, {"comment": None}),),
    ),
}
"""The traits by key, in the order in which they are dropped and reported; fields that get a constant value come first.

Those without a phrase follow from the rest."""

REPORTED: Final = {key: trait for key, trait in TRAITS.items() if trait.phrase}
"""The traits that are reported and listed in the docs."""


# --- approximations ---------------------------------------------------------------------------------------------------

_FIVES: Final = frozenset(map(any_copy, ("5m", "5p", "5s")))


def _places_kan_dora(match: Match) -> bool:
    """Return whether the time at which a dora was turned is unrecorded, but written."""
    pairs = ((frame, with_indicators(frame, match.rules)) for frame in match.frames)
    return any(shown is not frame and turned(shown) > turned(frame) for frame, shown in pairs)


def has_red_indicator(match: Match) -> bool:
    """Return whether a dora indicator is known to be a red five (jmjp)."""
    names = faces(match.rules.red_fives)
    shown = [tile for frame in match.frames for tile in (*_indicators(frame), *frame.start.kan_indicators)]
    return any(tile is not None and names[tile] in RED_FACES for tile in shown)


def _doubts_indicators(match: Match) -> bool:
    """Return whether an indicator is a five that is known only from its dora, the six."""
    if match.rules.red_fives == NO_REDS:
        return False
    frames = (frame for frame in match.frames if frame.start.indicator is None)
    return any(not _FIVES.isdisjoint(_indicators(with_indicators(frame, match.rules))) for frame in frames)


def _indicators(frame: Frame) -> list[int | None]:
    """Return the dora and ura dora indicators of *frame* that were turned at a known time."""
    turned_ = [event.indicator for event in frame.others if type(event) is DoraRevealed]
    ura = [tile for win in frame.wins for tile in win.ura]
    return [frame.start.indicator, *turned_, *ura]


TSUMOGIRI: Final = Loss(
    "possible tsumogiri written as tsumogiri", any_of(Frame, play.may_be_tsumogiri), play.settle_tsumogiri
)
FOURTEENTH: Final = Loss("fourteenth tile of the deal written as a draw", frame=play.draw_fourteenth)
INDICATORS: Final = Loss(
    "indicator that may be a red five written as a plain five",
    _doubts_indicators,
    lambda frame, match: with_indicators(frame, match.rules),
)
SPLIT: Final = Loss("payments for each of several wins inferred from their sum", frame=values.split_payments)
PLAY: Final = (INDICATORS, Loss(frame=play.drop_hidden_indicator), SPLIT, TSUMOGIRI, FOURTEENTH)
"""What all formats do that name tiles by face and leave the hands at the end to the play."""

KAN_DORA: Final = Loss("kan dora placed where Tenhou would turn it", _places_kan_dora)
"""Is what :data:`INDICATORS` changes, in a format that holds when a dora is turned."""

NO_SCORE: Final = Loss("fu, han and yaku left out of a win where unknown", any_of(Win, lambda win: win.score is None))
NO_KIND: Final = of_draws(
    lambda draw, _frame, _match: put(draw, kind=draw.kind or DrawKind.EXHAUSTIVE),
    phrase="unknown kind of draw written as 流局",
)
ONE_PAO: Final = of_wins(
    lambda win, _frame, _match: put(win, pao=win.pao[:1]),
    phrase="all but the first of several players responsible (pao) left out",
)
KNOWN_YAKU: Final = of_wins(values.words_as_known)
ZERO_HAN: Final = of_wins(values.drop_zero_han)


def breaks_off(clause: str) -> Loss:
    """Return what is said of a frame that breaks off."""
    return Loss(f"unfinished frame {clause}", any_of(Frame, lambda frame: frame.is_unfinished))
