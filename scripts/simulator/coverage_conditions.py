"""The rows of `coverage` that depend only on the rules and the era of a game."""

from __future__ import annotations

from collections.abc import Callable

from jmjp_convert.model import SEATS, ShuffleForm
from simulator.eras import Era
from simulator.rules import Rules

CONDITIONS: dict[str, Callable[[Rules, Era], bool]] = {
    "four-players": lambda rules, _: rules.players == SEATS,
    "three-players": lambda rules, _: rules.players < SEATS,
    "red-fives": lambda rules, _: rules.red_fives,
    "no-red-fives": lambda rules, _: not rules.red_fives,
    "open-tanyao": lambda rules, _: rules.open_tanyao,
    "no-open-tanyao": lambda rules, _: not rules.open_tanyao,
    "three-players-no-red-fives": lambda rules, _: rules.players < SEATS and not rules.red_fives,
    "east-only": lambda rules, _: rules.last_round < SEATS,
    "east-south": lambda rules, _: rules.last_round >= SEATS,
    "fast": lambda rules, _: rules.fast,
    "general": lambda rules, _: rules.room.name == "general",
    "advanced": lambda rules, _: rules.room.name == "advanced",
    "expert": lambda rules, _: rules.room.name == "expert",
    "phoenix": lambda rules, _: rules.room.name == "phoenix",
    "base64": lambda _, era: era.shuffle is ShuffleForm.BASE64,
    "hex": lambda _, era: era.shuffle is ShuffleForm.HEX,
    "old": lambda _, era: era.shuffle is ShuffleForm.OLD,
    "three-players-hex": lambda rules, era: rules.players < SEATS and era.shuffle is ShuffleForm.HEX,
    "whole-results": lambda _, era: era.whole_results,
    "tenths": lambda _, era: not era.whole_results,
    "small-uma": lambda rules, era: era.small_uma and rules.players == SEATS and rules.last_round < SEATS,
    "with-tenpaiyame": lambda _, era: era.tenpaiyame,
    "no-lobby": lambda _, era: not era.lobby,
}
"""By row: whether a game has it. Each game counts once."""
