"""The log as it is written: mjlog, byte by byte as Tenhou writes it.

Source: the real logs, for the order of attributes and for where a space stands before the end of an element.
"""

from __future__ import annotations

from collections.abc import Sequence

from games import Attributes, csv, element, percent

from jmjp_convert.model import SEATS
from simulator.coverage import KIND_ROWS, Tally
from simulator.eras import Form
from simulator.melds import Laid
from simulator.mjlog_grammar import Kind, Reader, State
from simulator.profiles import Player

_SPACED = " />"
_DRAWS = "TUVW"
_DISCARDS = "DEFG"


class Scribe:
    """Writes a log, in the form of its day, watches over its grammar, and counts its elements."""

    def __init__(self, form: Form, tally: Tally) -> None:
        self._out: list[str] = []
        self._reader = Reader()
        self.form = form
        self.tally = tally

    @property
    def count(self) -> int:
        """How many elements are written."""
        return len(self._out)

    @property
    def log(self) -> str:
        """The whole log."""
        return f'<mjloggm ver="2.3">{"".join(self._out)}</mjloggm>'

    def head(self, seed: str | None, number: int, players: list[Player]) -> None:
        """Write what stands above the first frame."""
        if seed is not None:
            self._out.append(element("SHUFFLE", {"seed": seed, "ref": ""}))
        self._out.append(element("GO", {"type": number, "lobby": 0 if self.form.lobby else None}))
        names = {f"n{who}": percent(player.name) for who, player in enumerate(players)}
        columns = {
            "dan": csv(player.dan for player in players),
            "rate": csv(player.rate for player in players),
            "sx": csv(player.sex for player in players),
        }
        self._out.append(element("UN", names | columns))
        self._out.append(element("TAIKYOKU", {"oya": 0}))

    def _note(self, kind: Kind) -> None:
        self._reader.read(kind)
        self.tally[KIND_ROWS[kind]] += 1

    def init(
        self, seed: Sequence[int], points: list[int], dealer: int, hands: Sequence[Sequence[int]], shuffle: str | None
    ) -> None:
        """Write the start of a frame."""
        self._note(Kind.INIT)
        dealt = {f"hai{who}": csv(hands[who]) if who < len(hands) else "" for who in range(SEATS)}
        attributes: Attributes = {
            "seed": csv(seed),
            "ten": csv(seats(points)),
            "oya": dealer,
            **dealt,
            "shuffle": shuffle,
        }
        self._out.append(element("INIT", attributes))

    def draw(self, who: int, tile: int) -> None:
        """Write that *who* draws *tile*."""
        self._note(Kind.DRAW)
        self._out.append(f"<{_DRAWS[who]}{tile}/>")

    def discard(self, who: int, tile: int) -> None:
        """Write that *who* discards *tile*."""
        self._note(Kind.DISCARD)
        self._out.append(f"<{_DISCARDS[who]}{tile}/>")

    def meld(self, who: int, meld: Laid) -> None:
        """Write that *who* lays *meld* down."""
        self._note(meld.name.value)
        self._out.append(element("N", {"who": who, "m": meld.code}, _SPACED))

    def riichi(self, who: int) -> None:
        """Write that *who* declares riichi."""
        self._note(Kind.RIICHI)
        self._out.append(element("REACH", {"who": who, "step": 1}))

    def stick(self, who: int, points: list[int]) -> None:
        """Write that the stick of *who* lies on the table, and everybody's points then."""
        self._note(Kind.STICK)
        written = csv(seats(points)) if self.form.stick_points else None
        self._out.append(element("REACH", {"who": who, "ten": written, "step": 2}))

    def dora(self, tile: int) -> None:
        """Write that a further dora indicator is turned."""
        self._note(Kind.DORA)
        self._out.append(element("DORA", {"hai": tile}, _SPACED))

    def bye(self, who: int) -> None:
        """Write that *who* has lost the connection."""
        self._going("bye", element("BYE", {"who": who}, _SPACED))

    def back(self, who: int, name: str) -> None:
        """Write that *who* is back."""
        self._going("back", element("UN", {f"n{who}": percent(name)}, _SPACED))

    def _going(self, row: str, written: str) -> None:
        note = self.tally.note
        note(row)
        note("goings-in-a-row", when=self._out[-1].startswith(("<BYE", "<UN")))
        note("going-before-first-frame", when=not self.tally[KIND_ROWS[Kind.INIT]])
        note("going-before-riichi-tile", when=self._reader.state is State.DECLARED)
        self._out.append(written)

    def end(self, kind: Kind, attributes: Attributes) -> None:
        """Write a win or a draw."""
        self._note(kind)
        self._out.append(element("AGARI" if kind in (Kind.TSUMO, Kind.RON) else "RYUUKYOKU", attributes, _SPACED))


def seats(values: Sequence[int]) -> list[int]:
    """Return *values* by player for four seats."""
    return [*values, *[0] * (SEATS - len(values))]
