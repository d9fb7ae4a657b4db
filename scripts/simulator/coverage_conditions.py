"""What of the rules of a game, and of the form of its log, counts for rows of `coverage.py`."""

from __future__ import annotations

from collections.abc import Callable

from jmjp_convert.model import SEATS, ShuffleForm
from simulator.eras import Form
from simulator.rules import Rules

CONDITIONS: dict[str, Callable[[Rules, Form], bool]] = {
    "four-players": lambda rules, _: rules.players == SEATS,
    "three-players": lambda rules, _: rules.players < SEATS,
    "red-fives": lambda rules, _: rules.red_fives,
    "no-red-fives": lambda rules, _: not rules.red_fives,
    "open-tanyao": lambda rules, _: rules.open_tanyao,
    "no-open-tanyao": lambda rules, _: not rules.open_tanyao,
    "three-players-no-red-fives": lambda rules, _: rules.players < SEATS and not rules.red_fives,
    "east-only": lambda rules, _: rules.last < SEATS,
    "east-south": lambda rules, _: rules.last >= SEATS,
    "fast": lambda rules, _: rules.fast,
    "general": lambda rules, _: rules.room.name == "general",
    "advanced": lambda rules, _: rules.room.name == "advanced",
    "expert": lambda rules, _: rules.room.name == "expert",
    "phoenix": lambda rules, _: rules.room.name == "phoenix",
    "base64": lambda _, form: form.shuffle is ShuffleForm.BASE64,
    "hex": lambda _, form: form.shuffle is ShuffleForm.HEX,
    "old": lambda _, form: form.shuffle is ShuffleForm.OLD,
    "three-players-hex": lambda rules, form: rules.players < SEATS and form.shuffle is ShuffleForm.HEX,
    "whole-results": lambda _, form: form.whole,
    "tenths": lambda _, form: not form.whole,
    "small-uma": lambda rules, form: form.small_uma and rules.players == SEATS and rules.last < SEATS,
    "with-tenpaiyame": lambda _, form: form.tenpaiyame,
    "no-lobby": lambda _, form: not form.lobby,
}
"""By row: what has to be so, and is counted once a game."""
