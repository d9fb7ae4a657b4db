"""Which element of a log may follow which: the grammar of play, as a table of states.

Sources: the order of elements in the real logs, and `docs/design/mjlog-traps.md`, items 6 to 8, 12 and 17. The dora of
a closed kan is turned at once; that of any other kan is owed until the next discard, or until the next kan is declared.
Disconnections and reconnections (`BYE`, `UN`) may occur anywhere and change nothing.
"""

from __future__ import annotations

from enum import IntEnum, auto


class ElementType(IntEnum):  # numbers, for fast look-ups
    """The types of elements."""

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
    """What has just happened, as far as it decides what may come next. *OWING*: a dora is still owed."""

    BETWEEN_FRAMES = auto()
    DEALT = auto()
    DRAWN = auto()
    RIICHI_DECLARED = auto()
    RIICHI_TILE = auto()
    STICK_PAID = auto()
    DISCARDED = auto()
    CALLED = auto()
    CLOSED_KAN = auto()
    CLOSED_KAN_DORA = auto()
    CLOSED_KAN_OWING = auto()
    OPEN_KAN = auto()
    ADDED_KAN = auto()
    ADDED_KAN_OWING = auto()
    NORTH = auto()
    NORTH_OWING = auto()
    DRAWN_OWING = auto()
    DORA_TURNED = auto()
    WON_BY_RON = auto()


_CALLS = {
    ElementType.CHI: State.CALLED,
    ElementType.PON: State.CALLED,
    ElementType.DAIMINKAN: State.OPEN_KAN,
}
_RONS = {ElementType.RON: State.WON_BY_RON, ElementType.TRIPLE_RON: State.BETWEEN_FRAMES}
_DRAWS_BY_DISCARD = (
    ElementType.EXHAUSTIVE,
    ElementType.NAGASHI,
    ElementType.FOUR_WINDS,
    ElementType.FOUR_KANS,
)
_AFTER_DISCARD = {
    ElementType.DRAW: State.DRAWN,
    **_CALLS,
    **dict.fromkeys(_DRAWS_BY_DISCARD, State.BETWEEN_FRAMES),
}

GRAMMAR: dict[State, dict[ElementType, State]] = {
    State.BETWEEN_FRAMES: {ElementType.INIT: State.DEALT},
    State.DEALT: {ElementType.DRAW: State.DRAWN},
    State.DRAWN: {
        ElementType.DISCARD: State.DISCARDED,
        ElementType.RIICHI: State.RIICHI_DECLARED,
        ElementType.ANKAN: State.CLOSED_KAN,
        ElementType.KAKAN: State.ADDED_KAN,
        ElementType.KITA: State.NORTH,
        ElementType.TSUMO: State.BETWEEN_FRAMES,
        ElementType.NINE_TERMINALS: State.BETWEEN_FRAMES,
    },
    State.RIICHI_DECLARED: {ElementType.DISCARD: State.RIICHI_TILE},
    State.RIICHI_TILE: {ElementType.STICK: State.STICK_PAID, **_RONS},
    State.STICK_PAID: {**_AFTER_DISCARD, ElementType.FOUR_RIICHI: State.BETWEEN_FRAMES},
    State.DISCARDED: {**_AFTER_DISCARD, **_RONS},
    State.CALLED: {ElementType.DISCARD: State.DISCARDED},
    State.CLOSED_KAN: {ElementType.DORA: State.CLOSED_KAN_DORA, ElementType.RON: State.WON_BY_RON},
    State.CLOSED_KAN_DORA: {ElementType.DRAW: State.DRAWN},
    State.CLOSED_KAN_OWING: {ElementType.DORA: State.CLOSED_KAN},
    State.OPEN_KAN: {ElementType.DRAW: State.DRAWN_OWING},
    State.ADDED_KAN: {ElementType.DRAW: State.DRAWN_OWING, **_RONS},
    State.ADDED_KAN_OWING: {ElementType.DORA: State.ADDED_KAN},
    State.NORTH: {ElementType.DRAW: State.DRAWN, **_RONS},
    State.NORTH_OWING: {ElementType.DRAW: State.DRAWN_OWING, **_RONS},
    State.DRAWN_OWING: {
        ElementType.DORA: State.DORA_TURNED,
        ElementType.ANKAN: State.CLOSED_KAN_OWING,
        ElementType.KAKAN: State.ADDED_KAN_OWING,
        ElementType.KITA: State.NORTH_OWING,
        ElementType.TSUMO: State.BETWEEN_FRAMES,
    },
    State.DORA_TURNED: {ElementType.DISCARD: State.DISCARDED},
    State.WON_BY_RON: {ElementType.RON: State.WON_BY_RON, ElementType.INIT: State.DEALT},
}
"""By state: what may come next, and the state after it."""

FINAL_STATES = (State.BETWEEN_FRAMES, State.WON_BY_RON)
"""The states in which a log may end."""


class UngrammaticalError(Exception):
    """An element is not allowed at its place."""


class GrammarChecker:
    """Follows the elements of a log and rejects any that is not allowed at its place."""

    def __init__(self) -> None:
        self.state = State.BETWEEN_FRAMES

    def accept(self, element: ElementType) -> None:
        """Move to the state after *element*.

        :raises UngrammaticalError: it is not allowed here.
        """
        following = GRAMMAR[self.state]
        if element not in following:
            raise UngrammaticalError(f"{element.name} after {self.state.name}")
        self.state = following[element]
