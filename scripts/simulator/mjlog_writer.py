"""Writes the log of a game as mjlog, byte for byte as Tenhou writes it.

Source: the real logs, which show the order of the attributes, and which elements end with a space.
"""

from __future__ import annotations

from collections.abc import Sequence

from games import Attributes, csv, element, percent

from jmjp_convert.model import SEATS
from simulator.coverage import ELEMENT_ROWS, Tally
from simulator.eras import Era
from simulator.melds import Meld
from simulator.mjlog_grammar import ElementType, GrammarChecker, State
from simulator.profiles import Profile

_SPACED = " />"
_DRAWS = "TUVW"
_DISCARDS = "DEFG"


class MjlogWriter:
    """Writes a log as in *era*, checks it against the grammar, and counts its elements."""

    def __init__(self, era: Era, tally: Tally) -> None:
        self._out: list[str] = []
        self._grammar = GrammarChecker()
        self.era = era
        self.tally = tally

    @property
    def count(self) -> int:
        """The number of elements written so far."""
        return len(self._out)

    @property
    def log(self) -> str:
        """The whole log."""
        return f'<mjloggm ver="2.3">{"".join(self._out)}</mjloggm>'

    def head(self, seed: str | None, rules_number: int, profiles: list[Profile]) -> None:
        """Write what precedes the first frame."""
        if seed is not None:
            self._out.append(element("SHUFFLE", {"seed": seed, "ref": ""}))
        self._out.append(element("GO", {"type": rules_number, "lobby": 0 if self.era.lobby else None}))
        names = {f"n{player}": percent(profile.name) for player, profile in enumerate(profiles)}
        columns = {
            "dan": csv(profile.dan for profile in profiles),
            "rate": csv(profile.rate for profile in profiles),
            "sx": csv(profile.sex for profile in profiles),
        }
        self._out.append(element("UN", names | columns))
        self._out.append(element("TAIKYOKU", {"oya": 0}))

    def _check(self, type_: ElementType) -> None:
        self._grammar.accept(type_)
        self.tally[ELEMENT_ROWS[type_]] += 1

    def frame_start(
        self, seed: Sequence[int], points: list[int], dealer: int, hands: Sequence[Sequence[int]], shuffle: str | None
    ) -> None:
        """Write the start of a frame."""
        self._check(ElementType.INIT)
        dealt = {f"hai{player}": csv(hands[player]) if player < len(hands) else "" for player in range(SEATS)}
        attributes: Attributes = {
            "seed": csv(seed),
            "ten": csv(padded(points)),
            "oya": dealer,
            **dealt,
            "shuffle": shuffle,
        }
        self._out.append(element("INIT", attributes))

    def draw(self, player: int, tile: int) -> None:
        """Write that *player* draws *tile*."""
        self._check(ElementType.DRAW)
        self._out.append(f"<{_DRAWS[player]}{tile}/>")

    def discard(self, player: int, tile: int) -> None:
        """Write that *player* discards *tile*."""
        self._check(ElementType.DISCARD)
        self._out.append(f"<{_DISCARDS[player]}{tile}/>")

    def meld(self, player: int, meld: Meld) -> None:
        """Write that *player* lays *meld* down."""
        self._check(meld.type.value)
        self._out.append(element("N", {"who": player, "m": meld.code}, _SPACED))

    def riichi(self, player: int) -> None:
        """Write that *player* declares riichi."""
        self._check(ElementType.RIICHI)
        self._out.append(element("REACH", {"who": player, "step": 1}))

    def stick(self, player: int, points: list[int]) -> None:
        """Write that *player* pays a riichi stick, which leaves everybody with *points*."""
        self._check(ElementType.STICK)
        ten = csv(padded(points)) if self.era.stick_points else None
        self._out.append(element("REACH", {"who": player, "ten": ten, "step": 2}))

    def dora(self, indicator: int) -> None:
        """Write that another dora indicator is turned."""
        self._check(ElementType.DORA)
        self._out.append(element("DORA", {"hai": indicator}, _SPACED))

    def disconnected(self, player: int) -> None:
        """Write that *player* has lost the connection."""
        self._connection("bye", element("BYE", {"who": player}, _SPACED))

    def reconnected(self, player: int, name: str) -> None:
        """Write that *player* is back."""
        self._connection("back", element("UN", {f"n{player}": percent(name)}, _SPACED))

    def _connection(self, row: str, written: str) -> None:
        note = self.tally.note
        note(row)
        note("goings-in-a-row", when=self._out[-1].startswith(("<BYE", "<UN")))
        note("going-before-first-frame", when=not self.tally[ELEMENT_ROWS[ElementType.INIT]])
        note("going-before-riichi-tile", when=self._grammar.state is State.RIICHI_DECLARED)
        self._out.append(written)

    def frame_end(self, type_: ElementType, attributes: Attributes) -> None:
        """Write a win or a draw."""
        self._check(type_)
        tag = "AGARI" if type_ in (ElementType.TSUMO, ElementType.RON) else "RYUUKYOKU"
        self._out.append(element(tag, attributes, _SPACED))


def padded(values: Sequence[int]) -> list[int]:
    """Return *values*, by player, for four seats: an empty one has 0."""
    return [*values, *[0] * (SEATS - len(values))]
