"""What a match may have that some formats do not hold, and what several formats write differently.

Each format lists the traits it holds; every other one is dropped and reported. What follows from the rest, such as the
points before a win, is dropped without a word: it has no phrase.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any

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
from jmjp_convert.formats.losses.loss import (
    Clears,
    Found,
    Loss,
    any_draw,
    any_frame,
    any_player,
    any_win,
    endings,
    of_draws,
    of_tournament,
    of_wins,
)
from jmjp_convert.model import (
    DoraRevealed,
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
from jmjp_convert.model.tiles import NO_REDS, PHYSICAL, RED_FACES, UNKNOWN, any_copy, faces
from jmjp_convert.play.dora_indicators import with_indicators
from jmjp_convert.play.outcome_text import describe


def _cleared(phrase: str, found: Found, *clears: tuple[type, Mapping[str, Any]]) -> Loss:
    """Return the loss of fields that get a constant value."""
    fixed: Clears = tuple([(record, MappingProxyType(dict(values))) for record, values in clears])
    return Loss(phrase, found, clears=fixed)


# --- less obvious tests ----------------------------------------------------------------------------------------------


def turned(frame: Frame) -> int:
    """Return the number of further dora turned in *frame*."""
    return list(map(type, frame.others)).count(DoraRevealed)


def _has_copies(frame: Frame) -> bool:
    return any(tile < PHYSICAL for hand in frame.start.hands for tile in hand)


def _has_order(frame: Frame) -> bool:
    return any(list(hand) != sorted(hand) for hand in frame.start.hands)


def _has_hidden_dora(match: Match) -> bool:
    """Return whether a dora is known that was never turned, or an ura dora that nobody saw."""
    return any(_hides_dora(with_indicators(frame, match.rules)) for frame in match.frames)


def _hides_dora(frame: Frame) -> bool:
    dora, ura = ([tile for tile in (frame.dora or ())[first::2] if tile != UNKNOWN] for first in (0, 1))
    seen = max((len(event.ura) for event in frame.endings if isinstance(event, Win)), default=0)
    return len(dora) > 1 + turned(frame) or len(ura) > seen


def _has_open_riichi(frame: Frame) -> bool:
    return any(event.open for event in frame.others if type(event) is RiichiDeclared)


def _has_presences(match: Match) -> bool:
    return bool(match.before) or any(not play.PRESENCE.isdisjoint(map(type, frame.others)) for frame in match.frames)


def _has_other_names(match: Match) -> bool:
    if not _has_presences(match):
        return False
    events = (event for events in (match.before, *(frame.others for frame in match.frames)) for event in events)
    return any(isinstance(event, Returned) and event.name is not None for event in events)


def _has_chips(match: Match) -> bool:
    recorded = [match.chips, match.ratio, *(frame.start.chips for frame in match.frames)]
    recorded += [event.chips for event in endings(match)]
    return any(chips is not None for chips in recorded) or bool(any_win(lambda win: win.chip_yaku)(match))


# --- the table -------------------------------------------------------------------------------------------------------

TRAITS: dict[str, Loss] = {
    "id": _cleared("log ID", lambda match: match.id is not None, (Match, {"id": None})),
    "source": _cleared("log file name", lambda match: match.source is not None, (Match, {"source": None})),
    # Which rules there are follows in each format from something else: a name, the log ID, the tiles.
    "code": Loss("Tenhou rules number", lambda match: match.rules.code is not None),
    "house": Loss("house", lambda match: match.rules.house is not None and match.rules.code is None),
    "red_fives": Loss(
        "rule without red fives", lambda match: match.rules.red_fives == NO_REDS and match.rules.code is None
    ),
    "reds_by_suit": Loss("number of red fives of each suit", has_unusual_reds),
    "length": _cleared(
        "length (East-only or not)", lambda match: match.rules.east_only is not None, (Rules, {"east_only": None})
    ),
    "lobby": Loss("lobby", lambda match: match.rules.lobby is not None),
    "custom": _cleared("private table settings", lambda match: match.rules.custom, (Rules, {"custom": ()})),
    "point_rule": _cleared("target and uma", lambda match: match.point_rule is not None, (Match, {"point_rule": None})),
    "tournament": Loss("tournament name", has_own_name, clears=((Tournament, {"name": None}),)),
    "year": _cleared(
        "tournament year", of_tournament(lambda event: event.year is not None), (Tournament, {"year": None})
    ),
    "stage": _cleared(
        "tournament stage",
        of_tournament(lambda event: event.stage not in (None, Text())),
        (Tournament, {"stage": None}),
    ),
    "number": _cleared(
        "match number",
        of_tournament(lambda event: (event.stage_match, event.day_match) != (None, None)),
        (Tournament, {"stage_match": None, "day_match": None}),
    ),
    "date": _cleared("date", lambda match: match.date is not None, (Match, {"date": None})),
    "weekday": Loss("weekday", has_own_weekday, match=weekday_from_date),
    "time": _cleared("time of day", lambda match: match.time is not None, (Match, {"time": None})),
    "clock": _cleared(
        "times of start and end",
        lambda match: (match.started, match.ended) != (None, None),
        (Match, {"started": None, "ended": None}),
    ),
    "place": _cleared("place", lambda match: match.place not in (None, Text()), (Match, {"place": None})),
    "recorders": _cleared("recorders", lambda match: match.recorders, (Match, {"recorders": ()})),
    "ranks": _cleared(
        "ranks", any_player(lambda one: (one.dan, one.rank) != (None, None)), (Player, {"dan": None, "rank": None})
    ),
    "ratings": _cleared("ratings", any_player(lambda one: one.rate is not None), (Player, {"rate": None})),
    "sex": _cleared("sex", any_player(lambda one: one.sex is not None), (Player, {"sex": None})),
    "gold": _cleared(
        "gold and rc", any_player(lambda one: (one.gold, one.rc) != (None, None)), (Player, {"gold": None, "rc": None})
    ),
    "accounts": _cleared(
        "account numbers", any_player(lambda one: one.account is not None), (Player, {"account": None})
    ),
    "rank_points": _cleared(
        "points within the rank",
        lambda match: match.rank_changes is not None or any(one.rank_points is not None for one in match.players),
        (Match, {"rank_changes": None}),
        (Player, {"rank_points": None}),
    ),
    "teams": _cleared(
        "teams and associations",
        any_player(lambda one: one.team or one.affiliation),
        (Player, {"team": None, "affiliation": None}),
    ),
    "scripts": Loss("names in a second script", has_two_scripts, match=drop_scripts),
    "raw_name": _cleared(
        "raw bytes of non-UTF-8 names", any_player(lambda one: one.raw_name is not None), (Player, {"raw_name": None})
    ),
    "connections": Loss(
        "disconnections and returns",
        _has_presences,
        play.drop_presences,
        among=play.PRESENCE,
        clears=((Match, {"before": ()}),),
    ),
    "other_name": Loss("names changed on return", _has_other_names),
    "seed": _cleared(
        "shuffle seed",
        lambda match: match.shuffle is not None or any(frame.start.shuffle for frame in match.frames),
        (Match, {"shuffle": None}),
        (Start, {"shuffle": None}),
    ),
    "dice": _cleared("dice", any_frame(lambda frame: frame.start.dice is not None), (Start, {"dice": None})),
    "walls": _cleared("recorded walls", any_frame(lambda frame: frame.wall), (Frame, {"wall": None})),
    "thinking": _cleared("thinking times", any_frame(lambda frame: frame.thinking), (Frame, {"thinking": ()})),
    "notes": _cleared("notes in the play", any_frame(lambda frame: frame.notes), (Frame, {"notes": ()})),
    "copies": Loss("exact tile copies", any_frame(_has_copies), play.drop_copies()),
    "order": Loss("deal order", any_frame(_has_order)),  # goes with the copies
    "open_riichi": _cleared("open riichi", any_frame(_has_open_riichi), (RiichiDeclared, {"open": False})),
    "ura": of_wins(values.drop_ura_without_riichi),
    "turns": Loss("timing of kan dora", any_frame(turned), play.drop_turns, among=frozenset({DoraRevealed})),
    "indicators": _cleared(
        "",
        any_frame(lambda frame: frame.start.indicator is not None),
        (Start, {"indicator": None, "kan_indicators": ()}),
        (Win, {"ura": ()}),
    ),
    "hidden_dora": Loss("unseen dora", _has_hidden_dora, play.drop_hidden_dora),
    "scores": _cleared("fu, han and yaku", any_win(lambda win: win.score is not None), (Win, {"score": None})),
    "pao": _cleared("pao", any_win(lambda win: win.pao), (Win, {"pao": ()})),
    "draw_kinds": _cleared(
        "reasons for draws", any_draw(lambda draw: draw.kind is not None), (Ryuukyoku, {"kind": None})
    ),
    "shown": _cleared(
        "hands shown at draws", any_draw(lambda draw: draw.shown is not None), (Ryuukyoku, {"shown": None})
    ),
    "repeated": _cleared(
        "",
        any_frame(lambda frame: frame.endings),
        (
            Win,
            {"sticks": None, "before": None, "hand": None, "melds": None, "indicators": None, "honba": None},
        ),
        (Ryuukyoku, {"sticks": None, "before": None, "honba": None}),
    ),
    "results": _cleared("results", lambda match: match.results is not None, (Match, {"results": None})),
    "final_points": _cleared("final points", has_own_final_points, (Match, {"final_points": None})),
    "tour_points": _cleared(
        "tournament points",
        lambda match: match.tour_points is not None or any(player.tour_points for player in match.players),
        (Match, {"tour_points": None}),
        (Player, {"tour_points": None}),
    ),
    "chips": _cleared(
        "chips",
        _has_chips,
        (Match, {"chips": None, "ratio": None}),
        (Start, {"chips": None}),
        (Win, {"chips": None, "chip_yaku": ()}),
        (Ryuukyoku, {"chips": None}),
    ),
    "yakitori": _cleared("yakitori", lambda match: match.yakitori is not None, (Match, {"yakitori": None})),
    "comments": _cleared(
        "comments",
        any_frame(lambda frame: frame.comment not in (None, Text()) and frame.comment != describe(frame)),
        (Frame, {"comment": None}),
    ),
}
"""The traits by key, in the order in which they are dropped and reported; fields that get a constant value come first.

Those without a phrase follow from the rest."""

REPORTED = {key: trait for key, trait in TRAITS.items() if trait.phrase}
"""The traits that are reported and listed in the docs."""


# --- approximations ---------------------------------------------------------------------------------------------------

_FIVES = frozenset(map(any_copy, ("5m", "5p", "5s")))


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
    ura = [tile for win in frame.endings if isinstance(win, Win) for tile in win.ura]
    return [frame.start.indicator, *turned_, *ura]


TSUMOGIRI = Loss("possible tsumogiri written as tsumogiri", any_frame(play.may_be_tsumogiri), play.settle_tsumogiri)
FOURTEENTH = Loss(
    "fourteenth tile of the deal written as a draw",
    any_frame(lambda frame: frame.start.fourteenth is not None),
    play.draw_fourteenth,
)
INDICATORS = Loss("indicator that may be a red five written as a plain five", _doubts_indicators, play.infer_indicators)
SPLIT = Loss("payments for each of several wins inferred from their sum", values.splits_payments, values.split_payments)
PLAY = (INDICATORS, Loss(frame=play.drop_hidden_indicator), SPLIT, TSUMOGIRI, FOURTEENTH)
"""What all formats do that name tiles by face and leave the hands at the end to the play."""

KAN_DORA = Loss("kan dora placed where Tenhou would turn it", _places_kan_dora)
"""Is what :data:`INDICATORS` changes, in a format that holds when a dora is turned."""

NO_SCORE = Loss("fu, han and yaku left out of a win where unknown", any_win(lambda win: win.score is None))
NO_KIND = of_draws(
    values.name_kind, phrase="unknown kind of draw written as 流局", found=any_draw(lambda draw: draw.kind is None)
)
ONE_PAO = of_wins(
    values.drop_further_pao,
    phrase="all but the first of several players responsible (pao) left out",
    found=any_win(lambda win: len(win.pao) > 1),
)
KNOWN_YAKU = of_wins(values.words_as_known)
ZERO_HAN = of_wins(values.drop_zero_han)


def breaks_off(clause: str) -> Loss:
    """Return what is said of a frame that breaks off."""
    return Loss(f"unfinished frame {clause}", any_frame(lambda frame: frame.is_unfinished))
