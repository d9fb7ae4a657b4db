"""The events of mjai and their keys, in all dialects that are read."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

_CALL = "actor target pai consumed"
_POINTS = "deltas delta scores"

KEYS: Mapping[str, frozenset[str]] = {
    kind: frozenset(("type", *keys.split()))
    for kind, keys in {
        "start_game": "names kyoku_first aka_flag uri preset rules",
        "start_kyoku": "bakaze dora_marker kyoku honba kyotaku kyoutaku riichi_sticks oya scores tehais",
        "tsumo": "actor pai",
        "dahai": "actor pai tsumogiri",
        "chi": _CALL,
        "pon": _CALL,
        "daiminkan": _CALL,
        "kan": _CALL,
        "kakan": _CALL,
        "ankan": _CALL,
        "nukidora": "actor pai",
        "kita": "actor pai",
        "dora": "dora_marker",
        "reach": "actor",
        "reach_accepted": f"actor {_POINTS}",
        "hora": f"{_CALL} ura_markers uradora_markers hora_tehais yakus yaku fu fan han hora_points pao {_POINTS}",
        "ryukyoku": f"actor reason tehais tenpais {_POINTS}",
        "end_kyoku": "",
        "end_game": "scores",
    }.items()
}
"""The keys of each event that are read, or that say what follows from the rest."""

HARMLESS_EVENTS = frozenset(("none", "hello", "join", "error"))
"""Messages between a server and its players that say nothing about the play."""

_HARMLESS_KEYS = frozenset(
    (
        # the original protocol, to and from its players
        *("id", "log", "logs", "text", "message", "protocol", "protocol_version", "name", "room", "gametype"),
        *("possible_actions", "cannot_dahai"),
        # Mortal, mjai.app, RiichiEnv: what a bot thought, and the seed of a simulation
        *("meta", "q_values", "mask_bits", "is_greedy", "batch_size", "eval_time_ns", "can_act", "seed", "tsumo"),
    )
)


def unknown_keys(value: Mapping[str, Any], kind: str) -> Iterator[str]:
    """Yield the keys of *value*, an event of type *kind*, that are unknown."""
    known = KEYS[kind]
    if not known.issuperset(value):
        yield from (key for key in value if key not in known and key not in _HARMLESS_KEYS)
