"""Which element of a log may follow which: the grammar of play, by state.

Source: the order of elements in the real logs, and `mjlog-traps.md` (6 to 8 and 10 to 12). A kan's dora is turned at
once for a closed one; for the others it is owed until the discard that follows, or until the next kan is declared.
Comings and goings (`BYE`, `UN`) may stand anywhere and change nothing.
"""

from __future__ import annotations

from enum import IntEnum, auto


class Kind(IntEnum):  # whose members are looked up fast, as numbers are
    """The kinds of elements."""

    INIT = auto()
    DRAW = auto()
    DISCARD = auto()
    CHI = auto()
    PON = auto()
    DAIMINKAN = auto()
    ANKAN = auto()
    KAKAN = auto()
    KITA = auto()
    RIICHI = auto()
    STICK = auto()
    DORA = auto()
    TSUMO = auto()
    RON = auto()
    EXHAUSTIVE = auto()
    NAGASHI = auto()
    NINE_TERMINALS = auto()
    FOUR_WINDS = auto()
    FOUR_RIICHI = auto()
    FOUR_KANS = auto()
    TRIPLE_RON = auto()


class State(IntEnum):
    """What has happened, as far as it matters for what may happen next. *Owing* is where a dora is still to turn."""

    BETWEEN = auto()
    DEALT = auto()
    DRAWN = auto()
    DECLARED = auto()
    RIICHI_TILE = auto()
    PAID = auto()
    THROWN = auto()
    CALLED = auto()
    CLOSED_KAN = auto()
    CLOSED_KAN_SHOWN = auto()
    CLOSED_KAN_OWING = auto()
    OPEN_KAN = auto()
    ADDED_KAN = auto()
    ADDED_KAN_OWING = auto()
    NORTH = auto()
    NORTH_OWING = auto()
    DRAWN_OWING = auto()
    SHOWN = auto()
    WON_BY_RON = auto()


_BY_OTHERS = {Kind.CHI: State.CALLED, Kind.PON: State.CALLED, Kind.DAIMINKAN: State.OPEN_KAN}
_RONNED = {Kind.RON: State.WON_BY_RON, Kind.TRIPLE_RON: State.BETWEEN}
_PASSED = {
    Kind.DRAW: State.DRAWN,
    **_BY_OTHERS,
    **dict.fromkeys((Kind.EXHAUSTIVE, Kind.NAGASHI, Kind.FOUR_WINDS, Kind.FOUR_KANS), State.BETWEEN),
}

GRAMMAR: dict[State, dict[Kind, State]] = {
    State.BETWEEN: {Kind.INIT: State.DEALT},
    State.DEALT: {Kind.DRAW: State.DRAWN},
    State.DRAWN: {
        Kind.DISCARD: State.THROWN,
        Kind.RIICHI: State.DECLARED,
        Kind.ANKAN: State.CLOSED_KAN,
        Kind.KAKAN: State.ADDED_KAN,
        Kind.KITA: State.NORTH,
        Kind.TSUMO: State.BETWEEN,
        Kind.NINE_TERMINALS: State.BETWEEN,
    },
    State.DECLARED: {Kind.DISCARD: State.RIICHI_TILE},
    State.RIICHI_TILE: {Kind.STICK: State.PAID, **_RONNED},
    State.PAID: {**_PASSED, Kind.FOUR_RIICHI: State.BETWEEN},
    State.THROWN: {**_PASSED, **_RONNED},
    State.CALLED: {Kind.DISCARD: State.THROWN},
    State.CLOSED_KAN: {Kind.DORA: State.CLOSED_KAN_SHOWN, Kind.RON: State.WON_BY_RON},
    State.CLOSED_KAN_SHOWN: {Kind.DRAW: State.DRAWN},
    State.CLOSED_KAN_OWING: {Kind.DORA: State.CLOSED_KAN},
    State.OPEN_KAN: {Kind.DRAW: State.DRAWN_OWING},
    State.ADDED_KAN: {Kind.DRAW: State.DRAWN_OWING, **_RONNED},
    State.ADDED_KAN_OWING: {Kind.DORA: State.ADDED_KAN},
    State.NORTH: {Kind.DRAW: State.DRAWN, **_RONNED},
    State.NORTH_OWING: {Kind.DRAW: State.DRAWN_OWING, **_RONNED},
    State.DRAWN_OWING: {
        Kind.DORA: State.SHOWN,
        Kind.ANKAN: State.CLOSED_KAN_OWING,
        Kind.KAKAN: State.ADDED_KAN_OWING,
        Kind.KITA: State.NORTH_OWING,
        Kind.TSUMO: State.BETWEEN,
    },
    State.SHOWN: {Kind.DISCARD: State.THROWN},
    State.WON_BY_RON: {Kind.RON: State.WON_BY_RON, Kind.INIT: State.DEALT},
}
"""By state: what may come next, and what the state is then."""

LAST = (State.BETWEEN, State.WON_BY_RON)
"""In which states a log may end."""


class UngrammaticalError(Exception):
    """An element where it cannot stand."""


class Reader:
    """Follows the elements of a log, and refuses one where it cannot stand."""

    def __init__(self) -> None:
        self.state = State.BETWEEN

    def read(self, kind: Kind) -> None:
        """Go on by an element of *kind*.

        :raises UngrammaticalError: it cannot stand here.
        """
        following = GRAMMAR[self.state]
        if kind not in following:
            raise UngrammaticalError(f"{kind.name} after {self.state.name}")
        self.state = following[kind]
