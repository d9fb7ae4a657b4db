"""Tables for mjlog: elements, their attributes, draw types, and the tags of draws and discards."""

from __future__ import annotations

from typing import Final

from jmjp_convert.model import DISCARDS, DRAWS, Discard, Draw, DrawKind
from jmjp_convert.model.tenhou import CUSTOM_RULES
from jmjp_convert.model.tiles import PHYSICAL

ROOT: Final = "mjloggm"
INIT: Final = "INIT"

_DRAWS: Final = "TUVW"
_DISCARDS: Final = "DEFG"

TILE_EVENTS: Final[dict[str, tuple[Draw | Discard, Discard | None]]] = {
    **{
        f"{letter}{tile}": (DRAWS[player][tile], None)
        for player, letter in enumerate(_DRAWS)
        for tile in range(PHYSICAL)
    },
    **{
        f"{letter}{tile}": (DISCARDS[False][player][tile], DISCARDS[True][player][tile])
        for player, letter in enumerate(_DISCARDS)
        for tile in range(PHYSICAL)
    },
}
"""The draws and discards, by tag; of a discard also the event if it is tsumogiri: the draw before it is of the same
tile."""

TILE_LETTERS: Final = frozenset(_DRAWS + _DISCARDS)

DRAW_KINDS: Final = {
    None: DrawKind.EXHAUSTIVE,
    "nm": DrawKind.NAGASHI,
    "yao9": DrawKind.NINE_TERMINALS,
    "kaze4": DrawKind.FOUR_WINDS,
    "reach4": DrawKind.FOUR_RIICHI,
    "kan4": DrawKind.FOUR_KANS,
    "ron3": DrawKind.TRIPLE_RON,
}
"""By ``RYUUKYOKU type``."""

NAMES: Final = ("n0", "n1", "n2", "n3")
HANDS: Final = ("hai0", "hai1", "hai2", "hai3")

ATTRIBUTES: Final[dict[str, frozenset[str]]] = {
    tag: frozenset(names)
    for tag, names in {
        "SHUFFLE": ("seed", "ref"),
        "GO": ("type", "lobby", *CUSTOM_RULES),
        "UN": (*NAMES, "dan", "rate", "sx", "gold", "rc"),
        "TAIKYOKU": ("oya",),
        INIT: ("seed", "ten", "oya", *HANDS, "shuffle", "chip"),
        "N": ("who", "m"),
        "REACH": ("who", "step", "ten"),
        "DORA": ("hai",),
        "BYE": ("who",),
        "AGARI": (
            *("ba", "hai", "m", "machi", "ten", "yaku", "yakuman", "doraHai", "doraHaiUra", "who", "fromWho"),
            *("paoWho", "sc", "owari", "chip", "ratio"),
        ),
        "RYUUKYOKU": ("ba", "sc", "type", *HANDS, "owari", "ratio"),
    }.items()
}
"""The known attributes by element; anything else is ignored and reported once."""


ROOT_ATTRIBUTES: Final = frozenset(("ver",))
