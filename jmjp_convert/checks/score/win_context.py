"""Derives from the moves of a frame the circumstances of a win (riichi, ippatsu, last tile, chankan, pao), and draws.

See docs/design/scoring.md: What the replay must do; Payments.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import NamedTuple

from jmjp_convert.checks.score.report import NotJudgedError
from jmjp_convert.model import (
    TO_THE_LAST,
    Ankan,
    Call,
    Chi,
    Daiminkan,
    Discard,
    DoraRevealed,
    Draw,
    DrawKind,
    Ending,
    Event,
    Frame,
    Kakan,
    Kita,
    Meld,
    Pon,
    RiichiDeclared,
    Rules,
    Win,
)
from jmjp_convert.model.tiles import DRAGON_KINDS, WIND_KINDS
from jmjp_convert.model.tiles import kind as kind_of
from jmjp_convert.model.yaku import DAISANGEN, DAISUUSHII
from jmjp_convert.play.abortive import has_nine_terminals
from jmjp_convert.play.dora_indicators import with_indicators
from jmjp_convert.play.legal import due_draws
from jmjp_convert.play.melds import tiles_of
from jmjp_convert.play.ponds import PondTable

_RESPONSIBLE = {frozenset(DRAGON_KINDS): DAISANGEN, frozenset(WIND_KINDS): DAISUUSHII}
"""The sets that make the discarder of the last one responsible, with the numbers of their yakuman."""


class Pao(NamedTuple):
    """Who is responsible, and for which yaku; ``None``: for the whole hand."""

    player: int
    yaku: int | None


class WinContext(NamedTuple):
    """The circumstances of a win, besides its tiles; winds are tile kinds."""

    tsumo: bool
    riichi: bool
    double_riichi: bool
    open_riichi: bool
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
    """A frame in play, as far as the value of a win depends on it, derived from its moves."""

    def __init__(self, frame: Frame, rules: Rules) -> None:
        # By player, who discarded the tile for the set that made a yakuman certain, and which.
        self.pao: dict[int, Pao] = {}
        self.table = PondTable(frame.start, rules)
        self._indicator = frame.start.indicator
        self._turned: list[int] = []
        self._wins: list[Win] = []
        self._counted_ura: tuple[int, ...] | None = None
        self._double: set[int] = set()
        self._open: set[int] = set()
        self._ippatsu: set[int] = set()
        self._fed: list[Meld] = []  # a daiminkan and the kans after it, until the next discard
        self._replacement = False  # whether the tile just drawn is a replacement tile

    @classmethod
    def ended(cls, frame: Frame, rules: Rules) -> PlayedFrame:
        """Return *frame* after its last move."""
        played = cls(frame, rules)
        for event in frame.events:
            if isinstance(event, Ending):
                break
            played.play(event)
        # Only shown: among the tiles in play, an indicator that is known by its dora alone may be one too many.
        completed = with_indicators(frame, rules)
        played.show(completed.start.indicator, [event for event in completed.events if isinstance(event, DoraRevealed)])
        played._wins = completed.wins
        return played

    def play(self, event: Event) -> None:
        """Play *event*, which does not end the frame.

        :raises PlayError: it is impossible.
        """
        self._note(event)
        self.table.play(event)

    def affected(self, event: Event) -> Iterable[int]:
        """Return the players whose hands, without a tile just drawn, or circumstances of a win may be others after
        *event*, which was the last to be played."""
        if type(event) is Draw and self.table.left > 1 and not self._replacement:
            return ()
        if type(event) is Discard and self.table.left > 1:
            return (event.player,)
        return range(len(self.table.hands))

    def show(self, indicator: int | None, turned: Sequence[DoraRevealed]) -> None:
        """Take the first dora *indicator* and those *turned* since to be these, without their being in play."""
        self._indicator = indicator
        self._turned = [event.indicator for event in turned]

    def show_ura(self, ura: Sequence[int]) -> None:
        """Take the ura dora indicators of the winners in riichi to be *ura*; without any, ura dora do not count."""
        self._counted_ura = tuple(ura)

    def context(self, win: Win) -> WinContext:
        """Return the circumstances of *win*.

        :raises NotJudgedError: dora or ura dora that count are unknown.
        """
        last = type(self.table.last)
        return self.possible(
            win.player, tsumo=win.source is None, robbed=None if last is Discard else last, ura=self._ura
        )

    def possible(
        self, player: int, *, tsumo: bool, robbed: type | None = None, ura: Callable[[], tuple[int, ...]] = tuple
    ) -> WinContext:
        """Return the circumstances of a win by *player* now: on the tile just drawn, or the next one if it is theirs to
        draw; or on the last discard or the next.

        :param robbed: what a ron robs, if it is not on a discard.
        :param ura: returns the ura dora indicators, if they count.
        :raises NotJudgedError: dora that count are unknown.
        """
        table = self.table
        riichi = table.riichi[player] or table.declared == player  # nobody wins before the declarer has paid
        first = tsumo and table.is_first_turn(player)
        dealer = player == table.start.dealer
        rinshan = tsumo and self._is_replacement(player)
        return WinContext(
            tsumo=tsumo,
            riichi=riichi,
            double_riichi=player in self._double,
            open_riichi=player in self._open,
            ippatsu=player in self._ippatsu and not rinshan,
            rinshan=rinshan,
            chankan=not tsumo and robbed is Kakan,
            haitei=tsumo and self._is_last_draw(player) and not rinshan,  # a last replacement tile is rinshan only
            houtei=not tsumo and not table.left and robbed is None,
            tenhou=first and dealer,
            chiihou=first and not dealer,
            seat_wind=table.seat_wind(player),
            round_wind=table.start.round_wind,
            indicators=self._dora(),
            ura=ura() if riichi else (),
        )

    def _is_replacement(self, player: int) -> bool:
        """Return whether the tile that *player* has drawn, or draws next, is a replacement tile."""
        table = self.table
        return table.turn == player and (
            self._replacement if table.drawn is not None else table.replacement is not None
        )

    def _is_last_draw(self, player: int) -> bool:
        """Return whether the tile that *player* has drawn, or draws next, is the last one."""
        table = self.table
        return table.turn == player and table.left == (table.drawn is None)

    def _dora(self) -> tuple[int, ...]:
        if self._indicator is None:
            raise NotJudgedError("the dora indicator is not recorded")
        return (self._indicator, *self._turned)

    def _ura(self) -> tuple[int, ...]:
        """Return the ura dora indicators. With several winners, only those in riichi show them."""
        if self._counted_ura is not None:
            return self._counted_ura
        ura = next((win.ura for win in self._wins if win.ura), ())
        if len(ura) != 1 + len(self._turned):
            raise NotJudgedError("the ura dora indicators are not recorded")
        return ura

    def pao_for_daiminkan(self, win: Win) -> Pao | None:
        """Return who discarded the tile for a daiminkan after which *win* is on the replacement tile.

        :raises NotJudgedError: other kans came in between.
        """
        if win.source is not None or not self._replacement or not self._fed:
            return None
        if len(self._fed) > 1:
            raise NotJudgedError("who is responsible (pao) for a win after several kans in a row is unknown")
        (kan,) = self._fed
        assert isinstance(kan, Daiminkan)
        return Pao(kan.source, None)

    # --- what the table does not track -------------------------------------------------------------------------------

    def _note(self, event: Event) -> None:
        """Note the effect of *event*, about to be played, on ippatsu, double riichi, rinshan and pao."""
        if type(event) is Draw:
            self._replacement = self.table.replacement is not None
            if self._replacement:
                self._ippatsu.clear()
        elif type(event) is Discard:
            self._replacement = False
            self._fed = []
            self._note_discard(event.player)
        elif type(event) is RiichiDeclared and event.open:
            self._open.add(event.player)
        elif isinstance(event, Call):
            self._ippatsu.clear()
            self._fed = [event] if isinstance(event, Daiminkan) else []
            if not isinstance(event, Chi):
                self._note_pao(event)
        elif self._fed and isinstance(event, Ankan | Kakan | Kita):
            self._fed.append(event)

    def _note_discard(self, player: int) -> None:
        table = self.table
        if table.declared != player:
            self._ippatsu.discard(player)
            return
        self._ippatsu.add(player)
        if table.is_first_turn(player):
            self._double.add(player)

    def _note_pao(self, meld: Pon | Daiminkan) -> None:
        """Note who feeds the last set of dragons or winds: for a set that the player completes alone, nobody is."""
        kind = kind_of(meld.taken)
        laid = set(map(_kind, self.table.melds[meld.player]))
        for sets, yaku in _RESPONSIBLE.items():
            if kind in sets and kind not in laid and sets <= laid | {kind}:
                self.pao[meld.player] = Pao(meld.source, yaku)


def _kind(meld: Meld) -> int | None:
    """Return the kind of the tiles of *meld*, if it is a pon or kan and the kind is known."""
    return None if isinstance(meld, Chi | Kita) else kind_of(tiles_of(meld)[0])


# --- draws ------------------------------------------------------------------------------------------------------------


def is_due(draw: DrawKind, frame: Frame, table: PondTable) -> bool:
    """Return whether the play allows the *draw* of *frame*, before which *table* is as it is; for one at the last tile,
    whether the last move is a discard."""
    if draw is DrawKind.NINE_TERMINALS:
        if table.drawn is None or not table.is_first_turn(table.turn):
            return False
        return has_nine_terminals((*frame.end.hands[table.turn].tiles, table.drawn))  # of those that the end names
    is_after_discard = isinstance(table.last, Discard) and table.drawn is None
    return is_after_discard and (draw in TO_THE_LAST or draw in due_draws(table))
