"""The events of a frame: draws, discards, melds, riichi, wins and drawn frames.

Their order is that of the play:

- A kan or kita is followed by the :class:`Draw` of its replacement tile. Where the dora indicator of a kan stands is
  explained at :class:`DoraRevealed`.
- A riichi is :class:`RiichiDeclared`, :class:`Discard` and, unless that tile is ronned, :class:`RiichiAccepted`, before
  anybody draws or calls.
- The frame ends with one :class:`Win` for each winner, or with :class:`Ryuukyoku`.
"""

from __future__ import annotations

from collections.abc import Iterable
from enum import Enum
from itertools import repeat
from typing import Any, TypeVar

from jmjp_convert.model.record import record
from jmjp_convert.model.tiles import IDS, NO_REDS, faces
from jmjp_convert.model.yaku import Limit, Yaku

T = TypeVar("T")


_TILES = frozenset(("tile", "taken", "hand", "tiles", "indicator", "ura", "indicators"))


def _shown(self: Any) -> str:
    """Return the ``repr`` of an event, each tile with its type: whether a five with a known copy is red depends on the
    rules, which an event does not know."""
    fields = {name: getattr(self, name) for name in self.__match_args__}
    values = (f"{name}={_faced(value) if name in _TILES else repr(value)}" for name, value in fields.items())
    return f"{type(self).__name__}({', '.join(values)})"


def _faced(value: int | tuple[int, ...] | None) -> str:
    if isinstance(value, int):
        return f"{value} ({faces(NO_REDS)[value]})"
    return repr(value) if value is None else f"({', '.join(map(_faced, value))})"


@record
class Draw:
    """*player* draws *tile* from the wall or, after a kan or kita, from the dead wall (the replacement tile)."""

    __repr__ = _shown

    player: int
    tile: int


@record
class Discard:
    """*player* discards *tile*.

    :ivar tsumogiri: whether it is the tile just drawn; ``None`` if that is not recorded.
    """

    __repr__ = _shown

    player: int
    tile: int
    tsumogiri: bool | None = None


@record
class Chi:
    """*player* calls chi on *taken*, the last discard of *source*, with two tiles of the *hand*, ascending."""

    __repr__ = _shown

    player: int
    taken: int
    hand: tuple[int, ...]
    source: int


@record
class Pon:
    """*player* calls pon on *taken*, the last discard of *source*, with two tiles of the *hand*, ascending."""

    __repr__ = _shown

    player: int
    taken: int
    hand: tuple[int, ...]
    source: int


@record
class Daiminkan:
    """*player* calls kan on *taken*, the last discard of *source*, with three tiles of the *hand*, ascending.

    The :class:`Draw` of the replacement tile follows, then the dora indicator (:class:`DoraRevealed`).
    """

    __repr__ = _shown

    player: int
    taken: int
    hand: tuple[int, ...]
    source: int


@record
class Kakan:
    """*player* adds *tile* to the *pon*.

    The :class:`Draw` of the replacement tile follows, then the dora indicator (:class:`DoraRevealed`); if the kan is
    robbed, the :class:`Win` follows instead.
    """

    __repr__ = _shown

    player: int
    tile: int
    pon: Pon


@record
class Ankan:
    """*player* declares a closed kan of four *tiles*, ascending.

    The dora indicator follows (:class:`DoraRevealed`), then the :class:`Draw` of the replacement tile.
    """

    __repr__ = _shown

    player: int
    tiles: tuple[int, ...]


@record
class Kita:
    """*player* sets aside a north *tile* (three players). The :class:`Draw` of a replacement tile follows; no dora
    indicator is turned."""

    __repr__ = _shown

    player: int
    tile: int


@record
class RiichiDeclared:
    """*player* declares riichi: the next discard is the riichi tile.

    :ivar open: whether it is an open riichi, with the hand shown.
    """

    player: int
    open: bool = False


@record
class RiichiAccepted:
    """Nobody ronned the riichi tile of *player*: the stick of 1,000 points is on the table.

    *points*: by player, the points after it, if recorded.
    """

    player: int
    points: tuple[int, ...] | None = None


@record
class DoraRevealed:
    """Another dora *indicator* is turned, for a kan.

    The event is where the server turned it. Tenhou does so (docs/design/mjlog-traps.md, 6):

    - for an ankan at once: ``Ankan, DoraRevealed, Draw, Discard``;
    - for a kakan or daiminkan before the discard: ``Kakan, Draw, DoraRevealed, Discard``;
    - if the replacement tile makes another kan, right after that one: ``Kakan, Draw, Kakan, DoraRevealed, Draw,
      DoraRevealed, Discard``;
    - for a robbed kan, or one whose replacement tile wins, never.

    Some tables turn every indicator at once. Where a record does not say when, there is no such event:
    ``Start.kan_indicators`` or ``Frame.dora`` have the tiles.
    """

    __repr__ = _shown

    indicator: int


@record
class Disconnected:
    """*player* disconnects."""

    player: int


@record
class Returned:
    """*player* reconnects; *name* is set only if it differs from the player's first name."""

    player: int
    name: str | None = None


@record
class Score:
    """The value of a hand.

    :ivar fu: as recorded (a yakuman keeps its raw fu).
    :ivar points: in points, without honba and sticks; for a tsumo the total.
    :ivar limit: mangan to yakuman; a counted yakuman is one too.
    :ivar yaku: as recorded, including dora. A yakuman hand has only yakuman.
    :ivar han_alone: the total han, if it is recorded without the yaku.
    """

    fu: int | None
    points: int
    limit: Limit
    yaku: tuple[Yaku, ...] = ()
    han_alone: int | None = None

    def __hash__(self) -> int:
        """Return a hash from what differs most; that of a limit is slow."""
        return hash((self.points, self.yaku))

    @property
    def yakuman(self) -> tuple[Yaku, ...]:
        """The yakuman among the yaku: empty if the hand is scored by han, even if they add up to a counted yakuman."""
        return tuple([yaku for yaku in self.yaku if yaku.han is None])

    @property
    def han(self) -> int | None:
        """The total han; ``None`` if unknown, and for yakuman, which are not scored by han."""
        if not self.yaku:
            return self.han_alone
        total = 0
        for yaku in self.yaku:
            if yaku.han is None:
                return None
            total += yaku.han
        return total


@record
class Win:
    """*player* wins on *tile*: by ron off *source*, or by tsumo if that is ``None``.

    *fu*, *han*, *points*, *limit* and *yaku* come from the *score* and are unknown without it.

    :ivar pao: the players responsible (pao), each for another yakuman.
    :ivar ura: the ura dora indicators, if they count.
    :ivar sticks: the number of riichi sticks taken, of 1,000 points each.
    :ivar before: by player, the points before this win's payments.
    :ivar changes: by player, the points that this win brings or costs, including honba and sticks.
    :ivar hand: the closed tiles and the winning tile, as shown.
    :ivar melds: the melds as shown, oldest first.
    :ivar indicators: the dora indicators as shown.
    :ivar chips: by player, the number of chips that this win brings or costs, in games that have them.
    :ivar chip_yaku: for which yaku, as pairs of (yaku number, chips).
    :ivar honba: the honba count.
    """

    __repr__ = _shown

    player: int
    source: int | None
    tile: int
    score: Score | None = None
    pao: tuple[int, ...] = ()
    ura: tuple[int, ...] = ()
    sticks: int | None = None
    before: tuple[int, ...] | None = None
    changes: tuple[int, ...] | None = None
    hand: tuple[int, ...] | None = None
    melds: tuple[Meld, ...] | None = None
    indicators: tuple[int, ...] | None = None
    chips: tuple[int, ...] | None = None
    chip_yaku: tuple[tuple[int, int], ...] = ()
    honba: int | None = None

    @property
    def fu(self) -> int | None:
        """The hand's fu, as recorded."""
        return self.score.fu if self.score else None

    @property
    def han(self) -> int | None:
        """The hand's han, including dora; ``None`` for yakuman too."""
        return self.score.han if self.score else None

    @property
    def points(self) -> int | None:
        """The value of the hand in points, without honba and sticks; for a tsumo the total."""
        return self.score.points if self.score else None

    @property
    def limit(self) -> Limit | None:
        """The hand's limit."""
        return self.score.limit if self.score else None

    @property
    def yaku(self) -> tuple[Yaku, ...]:
        """The hand's yaku, including dora; empty if unknown."""
        return self.score.yaku if self.score else ()


class DrawKind(Enum):
    """Why a hand has no winner."""

    EXHAUSTIVE = "exhaustive"
    NAGASHI = "nagashi mangan"
    NINE_TERMINALS = "nine terminals"
    FOUR_WINDS = "four winds"
    FOUR_RIICHI = "four riichi"
    FOUR_KANS = "four kans"
    TRIPLE_RON = "triple ron"


TO_THE_LAST = (DrawKind.EXHAUSTIVE, DrawKind.NAGASHI)
"""The draws after the last tile: the only ones that are paid, and at which tenpai counts."""

ABORTIVE = frozenset(DrawKind).difference(TO_THE_LAST)
"""The draws before that."""


@record
class Ryuukyoku:
    """The frame is drawn.

    :ivar kind: why; ``None`` if that is not recorded.
    :ivar shown: by player, the closed tiles shown (tenpai, nine terminals, ron); ``None``: not shown.
    :ivar sticks: the number of riichi sticks on the table, of 1,000 points each.
    :ivar before: by player, the points before the payments.
    :ivar changes: by player, the points that the draw brings or costs.
    :ivar chips: by player, the number of chips that it brings or costs, in games that have them.
    :ivar honba: the honba count.
    """

    kind: DrawKind | None
    shown: tuple[tuple[int, ...] | None, ...] | None = None
    sticks: int | None = None
    before: tuple[int, ...] | None = None
    changes: tuple[int, ...] | None = None
    chips: tuple[int, ...] | None = None
    honba: int | None = None


Call = Chi | Pon | Daiminkan
Kan = Daiminkan | Kakan | Ankan
Meld = Call | Kakan | Ankan | Kita
Ending = Win | Ryuukyoku
Presence = Disconnected | Returned
Event = Draw | Discard | Meld | RiichiDeclared | RiichiAccepted | DoraRevealed | Ending | Presence


def in_riichi(events: Iterable[Event]) -> list[int]:
    """Return the players in riichi after *events*, in the order in which they paid for it."""
    return [event.player for event in events if type(event) is RiichiAccepted]


_PLAYERS = range(4)

DRAWS = tuple([tuple(map(Draw, repeat(player), range(IDS))) for player in _PLAYERS])
"""By player and tile id: 93 of 100 events are draws and discards, so each exists once and is shared."""

DISCARDS = {
    tsumogiri: tuple([tuple(map(Discard, repeat(player), range(IDS), repeat(tsumogiri))) for player in _PLAYERS])
    for tsumogiri in (True, False, None)
}
"""By whether they are tsumogiri, then by player and tile id, shared like :data:`DRAWS`."""

DECLARED = tuple(map(RiichiDeclared, _PLAYERS))
"""By player, the declared riichi, shared like :data:`DRAWS`."""

ACCEPTED = tuple(map(RiichiAccepted, _PLAYERS))
"""By player, the accepted riichi without points, shared like :data:`DRAWS`."""

_SHARED: dict[Any, Any] = {}
_MOST_SHARED = 1 << 14


def shared(meld: T) -> T:
    """Return the one object for all melds equal to *meld*. Melds by face recur in all games, and an object is equal to
    itself without a comparison of its fields."""
    known: T = _SHARED.setdefault(meld, meld) if len(_SHARED) < _MOST_SHARED else _SHARED.get(meld, meld)
    return known
