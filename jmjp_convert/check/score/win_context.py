"""Derives the circumstances of a win from the moves of a frame: riichi, ippatsu, last tile, chankan, pao, nagashi.

See docs/design/scoring.md: What the replay must do; Payments.
"""

from __future__ import annotations

from typing import NamedTuple

from jmjp_convert.check.score.report import NotJudgedError
from jmjp_convert.model import (
    Ankan,
    Call,
    Chi,
    Daiminkan,
    Discard,
    DoraRevealed,
    Draw,
    Ending,
    Event,
    Frame,
    Kakan,
    Kita,
    Meld,
    Pon,
    Rules,
    Ryuukyoku,
    Win,
)
from jmjp_convert.model.record import record
from jmjp_convert.model.tiles import DRAGON_KINDS, EAST, TERMINALS_AND_HONORS, WIND_KINDS
from jmjp_convert.model.tiles import kind as kind_of
from jmjp_convert.play.dora_indicators import with_indicators
from jmjp_convert.play.ponds import PondTable

_ENDINGS = (Win, Ryuukyoku)

_LIABLE = {frozenset(DRAGON_KINDS): 39, frozenset(WIND_KINDS): 49}
"""The sets whose last one makes its discarder liable, with the numbers of their yakuman, daisangen and daisuushii."""


class Pao(NamedTuple):
    """Who is liable, and for which yaku."""

    player: int
    yaku: int


@record
class WinContext:
    """The circumstances of a win, besides its tiles; winds are tile kinds."""

    tsumo: bool
    riichi: bool
    double_riichi: bool
    ippatsu: bool
    rinshan: bool
    chankan: bool
    haitei: bool
    houtei: bool
    tenhou: bool
    chiihou: bool
    seat_wind: int
    round_wind: int
    indicators: tuple[int, ...]
    ura: tuple[int, ...]


class PlayedFrame:
    """The state at the end of a frame, derived from its moves.

    :ivar pao: by player, who discarded the tile for the set that made a yakuman certain, and which.
    """

    def __init__(self, frame: Frame, rules: Rules) -> None:
        self.pao: dict[int, Pao] = {}
        self._start = frame.start
        # Only shown: among the tiles in play, an indicator that is known by its dora alone may be one too many.
        shown = with_indicators(frame, rules)
        self._indicator = shown.start.indicator
        self._turned = [event.indicator for event in shown.events if isinstance(event, DoraRevealed)]
        self._wins = [event for event in shown.endings if isinstance(event, Win)]
        self._double: set[int] = set()
        self._ippatsu: set[int] = set()
        self._replacement = False  # whether the tile just drawn is a replacement tile
        self._table = PondTable(frame.start, rules)
        for event in frame.events:
            if isinstance(event, Ending):
                break
            self._note(event)
            self._table.play(event)

    @property
    def sticks(self) -> int | None:
        """The number of riichi sticks on the table, if known."""
        return self._table.sticks

    @property
    def riichi(self) -> list[bool]:
        """By player, whether they have an accepted riichi."""
        return self._table.riichi

    def context(self, win: Win) -> WinContext:
        """Return the circumstances of *win*.

        :raises NotJudgedError: dora or ura dora that count are unknown.
        """
        table, player, tsumo = self._table, win.player, win.source is None
        first = tsumo and not table.ponds[player] and not any(table.melds)
        dealer = player == self._start.dealer
        rinshan = tsumo and self._replacement
        return WinContext(
            tsumo=tsumo,
            riichi=table.riichi[player],
            double_riichi=player in self._double,
            ippatsu=player in self._ippatsu,
            rinshan=rinshan,
            chankan=not tsumo and type(table.last) is Kakan,
            haitei=tsumo and not table.left and not rinshan,  # a last tile drawn as a replacement is rinshan only
            houtei=not tsumo and not table.left and type(table.last) is Discard,
            tenhou=first and dealer,
            chiihou=first and not dealer,
            seat_wind=EAST + (player - self._start.dealer) % len(table.hands),
            round_wind=EAST + self._start.round // 4,
            indicators=self._dora(),
            ura=self._ura() if table.riichi[player] else (),
        )

    def nagashi(self) -> list[int]:
        """Return the players who discarded only terminals and honors, none of which was called."""
        return [
            player
            for player, pond in enumerate(self._table.ponds)
            if pond and all(thrown.taken is None and kind_of(thrown.tile) in TERMINALS_AND_HONORS for thrown in pond)
        ]

    def _dora(self) -> tuple[int, ...]:
        if self._indicator is None:
            raise NotJudgedError("the dora indicator is not recorded")
        return (self._indicator, *self._turned)

    def _ura(self) -> tuple[int, ...]:
        """Return the ura dora indicators. With several winners, only those in riichi show them."""
        ura = next((win.ura for win in self._wins if win.ura), ())
        if len(ura) != 1 + len(self._turned):
            raise NotJudgedError("the ura dora indicators are not recorded")
        return ura

    # --- what the table does not track -------------------------------------------------------------------------------

    def _note(self, event: Event) -> None:
        """Note the effect of *event*, about to be played, on ippatsu, double riichi, rinshan and pao."""
        if type(event) is Draw:
            self._replacement = self._table.replacement is not None
            if self._replacement:
                self._ippatsu.clear()
        elif type(event) is Discard:
            self._replacement = False
            self._note_discard(event.player)
        elif isinstance(event, Call):
            self._ippatsu.clear()
            if not isinstance(event, Chi):
                self._note_pao(event)

    def _note_discard(self, player: int) -> None:
        table = self._table
        if table.declared != player:
            self._ippatsu.discard(player)
            return
        self._ippatsu.add(player)
        if not table.ponds[player] and not any(table.melds):
            self._double.add(player)

    def _note_pao(self, meld: Pon | Daiminkan) -> None:
        """Note who feeds the last set of dragons or winds: a set completed by the player alone makes nobody liable."""
        kind = kind_of(meld.taken)
        laid = set(map(_kind, self._table.melds[meld.player]))
        for sets, yaku in _LIABLE.items():
            if kind in sets and kind not in laid and sets <= laid | {kind}:
                self.pao[meld.player] = Pao(meld.source, yaku)


def _kind(meld: Meld) -> int | None:
    """Return the kind of the tiles of *meld*, if it is a pon or kan and the kind is known."""
    if isinstance(meld, Chi | Kita):
        return None
    if isinstance(meld, Ankan):
        return kind_of(meld.tiles[0])
    return kind_of(meld.tile if isinstance(meld, Kakan) else meld.taken)
