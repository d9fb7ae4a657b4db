"""Map the rules of a match to mods of Riichi Advanced's riichi ruleset.

They are those of its preset "tenhou.net" (source: ``docs/design/riichi-advanced.md`` 3), adapted to the match's rules.
Sudden Death is always left out: with it, a game continues after its last round until someone has 30,000 points, and
Riichi Advanced would deal the same wall again.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from jmjp_convert.model import Match
from jmjp_convert.model.tenhou import has_open_tanyao, is_east_only

PRESET = "tenhou.net"

Mod = str | dict[str, Any]

_ALL_LAST = {"first_place_only": True, "may_choose": False, "round": "all_last"}
_HONBA = 100  # what each of three pays for a honba

_MODS: tuple[Mod, ...] = (
    {"name": "honba", "config": {"value": _HONBA}},
    {"name": "lib/yaku/riichi", "config": {"bet": 1000, "drawless": False}},
    {"name": "nagashi", "config": {"is": "Mangan", "counts_as": "draw"}},
    {"name": "lib/tobi", "config": {"below": 0}},
    {"name": "uma", "config": {"_1st": 20, "_2nd": 10, "_3rd": -10, "_4th": -20}},
    "lib/agarirenchan",
    "tenpairenchan",
    {"name": "agariyame", "config": _ALL_LAST},
    {"name": "tenpaiyame", "config": _ALL_LAST},
    "lib/kuikae_nashi",
    "double_wind_4_fu",
    "pao",
    "no_fifth_tile_tenpai",
    "kokushi_ankan_chankan",
    {"name": "suufon_renda", "config": {"name": "Suufon Renda"}},
    "suucha_riichi",
    "lib/suukaikan",
    "sanchahou",
    {"name": "kyuushu_kyuuhai", "config": {"name": "Kyuushu Kyuuhai"}},
    {"name": "dora", "config": {"start_indicators": 1}},
    "ura",
    "kandora",
    "yaku/ippatsu",
    "show_waits",
    {"name": "lib/min_han", "config": {"min": 1, "han": "Han"}},
    {"name": "aka", "config": {"man": 1, "pin": 1, "sou": 1}},
    "shiny_dora",
    "first_gets_riichi_sticks",
)
"""The mods in the order in which they are applied: a name, or a name with settings."""


def mods(match: Match) -> list[Mod]:
    """Return the mods for the rules of *match*. Unrecorded rules are as in the preset, but there are no red fives
    if none was seen."""
    code = match.rules.code
    added = [] if code is None else [("lib/tonpuu", is_east_only(code)), ("kuitan_nashi", not has_open_tanyao(code))]
    found: list[Mod] = [*_MODS[1:], *(name for name, wanted in added if wanted)]
    if not match.rules.red_fives:
        found = [mod for mod in found if not (isinstance(mod, dict) and mod["name"] == "aka")]
    return [{"name": "honba", "config": {"value": _honba(match)}}, *found]


def _honba(match: Match) -> int:
    """Return what each of three payers adds for a honba."""
    return _HONBA if match.point_rule is None else match.point_rule.honba // 3


def changes(match: Match) -> Iterator[str]:
    """Yield what to change in a room with the preset to get the rules of *match*."""
    names = {mod if isinstance(mod, str) else mod["name"] for mod in mods(match)}
    if "aka" not in names:
        yield "no Aka"
    if "kuitan_nashi" in names:
        yield "Kuitan Nashi"
    if _honba(match) != _HONBA:
        yield f"Honba {_honba(match)}"
