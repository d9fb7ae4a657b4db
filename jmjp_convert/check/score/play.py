"""What the moves of a frame tell of its end: riichi, ippatsu, the last tile, a robbed kan, pao, nagashi.

Source: ``scoring.md``, What the replay must do; Payments.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, ClassVar

from jmjp_convert.check.score.report import NotJudgedError
from jmjp_convert.model import (
    Ankan,
    Chi,
    Daiminkan,
    Discard,
    DoraRevealed,
    Draw,
    Event,
    Frame,
    Kakan,
    Kita,
    Pon,
    RiichiAccepted,
    RiichiDeclared,
    Win,
)
from jmjp_convert.model.record import record
from jmjp_convert.model.tiles import kind as kind_of

_TO_DRAW = {4: 70, 3: 55}
"""By players, the tiles of a frame that can be drawn, replacement tiles among them."""

_EAST = 27
_WINDS = frozenset(range(27, 31))
_DRAGONS = frozenset(range(31, 34))
_TERMINALS_AND_HONORS = frozenset((0, 8, 9, 17, 18, 26, *_WINDS, *_DRAGONS))


@record
class Moment:
    """How a win comes about, beside its tiles; winds are kinds of tiles."""

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


class Play:
    """A frame as it stands when it ends, by its moves.

    :ivar sticks: the riichi sticks on the table, if known.
    :ivar riichi: by player, whether a riichi counts; that of a tile that is ronned does too.
    :ivar pao: by player, who fed the set that makes daisangen or daisuushii certain.
    """

    def __init__(self, frame: Frame, players: int) -> None:
        self.sticks = frame.start.sticks
        self.riichi = [False] * players
        self.pao: dict[int, int] = {}
        self._start = frame.start
        self._wins = [event for event in frame.endings if isinstance(event, Win)]
        self._left = _TO_DRAW[players] - (frame.start.fourteenth is not None)
        self._double = [False] * players
        self._ippatsu = [False] * players
        self._rivers: list[list[int | None]] = [[] for _ in range(players)]  # kinds; of a tile not known, None
        self._called_from = [False] * players
        self._honors: list[set[int]] = [set() for _ in range(players)]  # kinds that lie as sets on the table
        self._indicators = [frame.start.indicator]
        self._untouched = True  # nobody has called, declared a kan or set a north aside
        self._owed = False  # a kan or kita waits for its replacement tile; until then it may be robbed
        self._replacement = False  # the tile just drawn is one
        self._declared: int | None = None
        self._last: Event | None = None  # what may be ronned
        for event in frame.events:
            handler = self._HANDLERS.get(type(event))
            if handler is not None:
                handler(self, event)

    def moment(self, win: Win) -> Moment:
        """Return how *win* comes about.

        :raises NotJudgedError: the dora or ura dora that count are not known.
        """
        player, tsumo = win.player, win.player == win.source
        first = tsumo and self._untouched and not self._rivers[player]
        dealer = player == self._start.dealer
        rinshan = tsumo and self._replacement
        chankan = type(self._last) is Kakan and not tsumo
        return Moment(
            tsumo=tsumo,
            riichi=self.riichi[player],
            double_riichi=self._double[player],
            ippatsu=self._ippatsu[player],
            rinshan=rinshan,
            chankan=chankan,
            haitei=tsumo and not self._left and not rinshan,  # the very last tile as a replacement is rinshan alone
            houtei=not tsumo and not self._left and type(self._last) is Discard,
            tenhou=first and dealer,
            chiihou=first and not dealer,
            seat_wind=_EAST + (player - self._start.dealer) % len(self.riichi),
            round_wind=_EAST + self._start.round // 4,
            indicators=self._dora(),
            ura=self._ura() if self.riichi[player] else (),
        )

    def nagashi(self) -> list[int]:
        """Return the players who discarded terminals and honors only, of which none was called."""
        return [
            player
            for player, river in enumerate(self._rivers)
            if river and not self._called_from[player] and _TERMINALS_AND_HONORS.issuperset(river)
        ]

    def _dora(self) -> tuple[int, ...]:
        indicators = tuple([tile for tile in self._indicators if tile is not None])
        if len(indicators) != len(self._indicators):
            raise NotJudgedError("the dora indicator is not recorded")
        return indicators

    def _ura(self) -> tuple[int, ...]:
        """Return the ura indicators. Of several winners, only those with riichi show them."""
        ura = next((win.ura for win in self._wins if win.ura), ())
        if len(ura) != len(self._indicators):
            raise NotJudgedError("the ura dora indicators are not recorded")
        return ura

    # --- what each event does ----------------------------------------------------------------------------------------

    def _draw(self, _draw: Draw) -> None:
        self._left -= 1
        self._replacement = self._owed
        if self._owed:
            self._owed = False
            self._touch()

    def _discard(self, discard: Discard) -> None:
        player = discard.player
        river = self._rivers[player]
        if self._declared == player:
            self.riichi[player] = True
            self._double[player] = self._untouched and not river
            self._declared = None
            self._ippatsu[player] = True
        else:
            self._ippatsu[player] = False
        river.append(kind_of(discard.tile))
        self._replacement = False
        self._last = discard

    def _touch(self) -> None:
        """End everybody's ippatsu and the first go-around."""
        self._untouched = False
        self._ippatsu = [False] * len(self._ippatsu)

    def _call(self, meld: Chi | Pon | Daiminkan) -> None:
        self._called_from[meld.source] = True
        self._touch()
        self._owed = type(meld) is Daiminkan
        if type(meld) is not Chi:
            self._lay(meld.player, kind_of(meld.taken), meld.source)

    def _kan(self, kan: Kakan | Kita) -> None:
        self._owed = True
        self._last = kan

    def _ankan(self, kan: Ankan) -> None:
        self._owed = True
        self._last = kan
        self._lay(kan.player, kind_of(kan.tiles[0]), None)

    def _lay(self, player: int, kind: int | None, source: int | None) -> None:
        """Lay a set on the table. Who feeds the last of the dragons or winds carries pao; a set of one's own never
        does."""
        honors = self._honors[player]
        if kind is None or kind in honors:
            return
        honors.add(kind)
        if source is not None and any(kind in sets and sets <= honors for sets in (_WINDS, _DRAGONS)):
            self.pao[player] = source

    def _declare(self, riichi: RiichiDeclared) -> None:
        self._declared = riichi.player

    def _accept(self, _riichi: RiichiAccepted) -> None:
        if self.sticks is not None:
            self.sticks += 1

    def _reveal(self, dora: DoraRevealed) -> None:
        self._indicators.append(dora.indicator)

    _HANDLERS: ClassVar[dict[type, Callable[[Play, Any], None]]] = {
        Draw: _draw,
        Discard: _discard,
        Chi: _call,
        Pon: _call,
        Daiminkan: _call,
        Kakan: _kan,
        Kita: _kan,
        Ankan: _ankan,
        RiichiDeclared: _declare,
        RiichiAccepted: _accept,
        DoraRevealed: _reveal,
    }
