"""What statistics say of a player: each rate is a quotient of two counts."""

from __future__ import annotations

from typing import NamedTuple

from jmjp_convert.stats.counts import Counts


class Rate(NamedTuple):
    """A rate or mean.

    :ivar key: its name in JSON and CSV.
    :ivar english: its name in text.
    :ivar japanese: the same in Japanese.
    :ivar of: the count that is divided.
    :ivar by: the count that it is divided by; with none of these, the rate is unknown.
    :ivar form: how it is written: as a ``share`` in per cent, as a ``number`` with two decimals, in whole ``points``,
        or as a ``result`` in thousands.
    :ivar short: its heading in a table of players, in English and Japanese; without one, it is not in the table.
    """

    key: str
    english: str
    japanese: str
    of: str
    by: str
    form: str
    short: tuple[str, str] | None = None


RATES = (
    Rate("mean_place", "Average placement", "平均順位", "places", "placed", "number", ("Place", "平均順位")),
    Rate("first_rate", "1st", "1位率", "place1", "placed", "share", ("1st", "1位")),
    Rate("second_rate", "2nd", "2位率", "place2", "placed", "share", ("2nd", "2位")),
    Rate("third_rate", "3rd", "3位率", "place3", "placed", "share", ("3rd", "3位")),
    Rate("fourth_rate", "4th", "4位率", "place4", "placed", "share", ("4th", "4位")),
    Rate("bust_rate", "Bust rate", "飛び率", "busts", "placed", "share"),
    Rate("mean_result", "Average result", "平均ポイント", "result", "results", "result"),
    Rate("win_rate", "Win rate", "和了率", "wins", "frames", "share", ("Win", "和了率")),
    Rate("tsumo_rate", "Tsumo rate", "ツモ率", "tsumo", "wins", "share"),
    Rate("deal_in_rate", "Deal-in rate", "放銃率", "deal_ins", "frames", "share", ("Deal-in", "放銃率")),
    Rate("riichi_rate", "Riichi rate", "立直率", "riichi", "played", "share", ("Riichi", "立直率")),
    Rate("call_rate", "Call rate", "副露率", "calls", "played", "share", ("Call", "副露率")),
    Rate("draw_tenpai_rate", "Tenpai rate at draws", "流局聴牌率", "draw_tenpai", "draws", "share"),
    Rate("mean_win_points", "Average win value", "平均和了点", "win_points", "valued", "points"),
    Rate("mean_deal_in_points", "Average deal-in value", "平均放銃点", "deal_in_points", "valued_deal_ins", "points"),
    Rate("mean_riichi_turn", "Average riichi turn", "平均立直巡目", "riichi_turns", "riichi", "number"),
    Rate("mean_win_turn", "Average winning turn", "平均和了巡目", "win_turns", "played_wins", "number"),
    Rate("ippatsu_rate", "Ippatsu rate", "一発率", "ippatsu", "riichi_wins", "share"),
    Rate("ura_rate", "Ura rate", "裏ドラ率", "ura", "riichi_wins", "share"),
)
"""In the order in which they are shown."""


def value(rate: Rate, counts: Counts) -> float | None:
    """Return *rate* for a player's *counts*; ``None`` if there is nothing to divide by."""
    number = counts[rate.by]
    return counts[rate.of] / number if number else None
