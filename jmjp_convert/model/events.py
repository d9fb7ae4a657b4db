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
from typing import Final

from jmjp_convert.model.record import Record, fields, several
from jmjp_convert.model.tiles import IDS, NO_REDS, faces
from jmjp_convert.model.yaku import Limit, Yaku

_TILES: Final = frozenset(("tile", "taken", "hand", "tiles", "indicator", "ura", "indicators"))


class _Tiled(Record):
    """An event with tiles: its ``repr`` shows each with its type, since whether a five with a known copy is red depends
    on the rules, which an event does not know."""

    __slots__ = ()

    def __repr__(self) -> str:
        values = {name: getattr(self, name) for name in fields(self)}
        shown = [f"{name}={_faced(value) if name in _TILES else repr(value)}" for name, value in values.items()]
        return f"{type(self).__name__}({', '.join(shown)})"


def _faced(value: int | tuple[int, ...] | None) -> str:
    if isinstance(value, int):
        return f"{value} ({faces(NO_REDS)[value]})"
    return repr(value) if value is None else f"({', '.join(map(_faced, value))})"


class Draw(_Tiled):
    """*player* draws *tile* from the wall or, after a kan or kita, from the dead wall (the replacement tile)."""

    __slots__ = ("player", "tile")

    def __init__(self, player: int, tile: int) -> None:
        self.player: Final = player
        self.tile: Final = tile


class Discard(_Tiled):
    """*player* discards *tile*.

    :ivar tsumogiri: whether it is the tile just drawn; ``None`` if that is not recorded.
    """

    __slots__ = ("player", "tile", "tsumogiri")

    def __init__(self, player: int, tile: int, tsumogiri: bool | None = None) -> None:
        self.player: Final = player
        self.tile: Final = tile
        self.tsumogiri: Final = tsumogiri


class Chi(_Tiled):
    """*player* calls chi on *taken*, the last discard of *source*, with two tiles of the *hand*, ascending."""

    __slots__ = ("player", "taken", "hand", "source")

    def __init__(self, player: int, taken: int, hand: tuple[int, ...], source: int) -> None:
        self.player: Final = player
        self.taken: Final = taken
        self.hand: Final = hand
        self.source: Final = source

    def _values(self) -> tuple[object, ...]:
        return self.player, self.taken, self.hand, self.source


class Pon(_Tiled):
    """*player* calls pon on *taken*, the last discard of *source*, with two tiles of the *hand*, ascending."""

    __slots__ = ("player", "taken", "hand", "source")

    def __init__(self, player: int, taken: int, hand: tuple[int, ...], source: int) -> None:
        self.player: Final = player
        self.taken: Final = taken
        self.hand: Final = hand
        self.source: Final = source

    def _values(self) -> tuple[object, ...]:
        return self.player, self.taken, self.hand, self.source


class Daiminkan(_Tiled):
    """*player* calls kan on *taken*, the last discard of *source*, with three tiles of the *hand*, ascending.

    The :class:`Draw` of the replacement tile follows, then the dora indicator (:class:`DoraRevealed`).
    """

    __slots__ = ("player", "taken", "hand", "source")

    def __init__(self, player: int, taken: int, hand: tuple[int, ...], source: int) -> None:
        self.player: Final = player
        self.taken: Final = taken
        self.hand: Final = hand
        self.source: Final = source

    def _values(self) -> tuple[object, ...]:
        return self.player, self.taken, self.hand, self.source


class Kakan(_Tiled):
    """*player* adds *tile* to the *pon*.

    The :class:`Draw` of the replacement tile follows, then the dora indicator (:class:`DoraRevealed`); if the kan is
    robbed, the :class:`Win` follows instead.
    """

    __slots__ = ("player", "tile", "pon")

    def __init__(self, player: int, tile: int, pon: Pon) -> None:
        self.player: Final = player
        self.tile: Final = tile
        self.pon: Final = pon


class Ankan(_Tiled):
    """*player* declares a closed kan of four *tiles*, ascending.

    The dora indicator follows (:class:`DoraRevealed`), then the :class:`Draw` of the replacement tile.
    """

    __slots__ = ("player", "tiles")

    def __init__(self, player: int, tiles: tuple[int, ...]) -> None:
        self.player: Final = player
        self.tiles: Final = tiles


class Kita(_Tiled):
    """*player* sets aside a north *tile* (three players). The :class:`Draw` of a replacement tile follows; no dora
    indicator is turned."""

    __slots__ = ("player", "tile")

    def __init__(self, player: int, tile: int) -> None:
        self.player: Final = player
        self.tile: Final = tile


class RiichiDeclared(Record):
    """*player* declares riichi: the next discard is the riichi tile.

    :ivar open: whether it is an open riichi, with the hand shown.
    """

    __slots__ = ("player", "open")

    def __init__(self, player: int, open: bool = False) -> None:
        self.player: Final = player
        self.open: Final = open


class RiichiAccepted(Record):
    """Nobody ronned the riichi tile of *player*: the stick of 1,000 points is on the table.

    *points*: by player, the points after it, if recorded.
    """

    __slots__ = ("player", "points")

    def __init__(self, player: int, points: tuple[int, ...] | None = None) -> None:
        self.player: Final = player
        self.points: Final = points


class DoraRevealed(_Tiled):
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

    __slots__ = ("indicator",)

    def __init__(self, indicator: int) -> None:
        self.indicator: Final = indicator


class Disconnected(Record):
    """*player* disconnects."""

    __slots__ = ("player",)

    def __init__(self, player: int) -> None:
        self.player: Final = player


class Returned(Record):
    """*player* reconnects; *name* is set only if it differs from the player's first name."""

    __slots__ = ("player", "name")

    def __init__(self, player: int, name: str | None = None) -> None:
        self.player: Final = player
        self.name: Final = name


class Score(Record):
    """The value of a hand.

    :ivar fu: as recorded (a yakuman keeps its raw fu).
    :ivar points: in points, without honba and sticks; for a tsumo the total.
    :ivar limit: mangan to yakuman; a counted yakuman is one too.
    :ivar yaku: as recorded, including dora. A yakuman hand has only yakuman.
    :ivar han_alone: the total han, if it is recorded without the yaku.
    """

    __slots__ = ("fu", "points", "limit", "yaku", "han_alone")

    def __init__(
        self, fu: int | None, points: int, limit: Limit, yaku: tuple[Yaku, ...] = (), han_alone: int | None = None
    ) -> None:
        self.fu: Final = fu
        self.points: Final = points
        self.limit: Final = limit
        self.yaku: Final = yaku
        self.han_alone: Final = han_alone

    def _values(self) -> tuple[object, ...]:
        return self.fu, self.points, self.limit, self.yaku, self.han_alone

    def __hash__(self) -> int:
        """Return a hash from what differs most; that of a limit is slow."""
        return hash((self.points, self.yaku))

    @property
    def counting_yaku(self) -> tuple[Yaku, ...]:
        """The yaku and dora without those of zero han: ura dora that match no tile."""
        return tuple([yaku for yaku in self.yaku if yaku.han != 0])

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


class Win(_Tiled):
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

    __slots__ = (
        "player",
        "source",
        "tile",
        "score",
        "pao",
        "ura",
        "sticks",
        "before",
        "changes",
        "hand",
        "melds",
        "indicators",
        "chips",
        "chip_yaku",
        "honba",
    )

    def __init__(
        self,
        player: int,
        source: int | None,
        tile: int,
        score: Score | None = None,
        pao: tuple[int, ...] = (),
        ura: tuple[int, ...] = (),
        sticks: int | None = None,
        before: tuple[int, ...] | None = None,
        changes: tuple[int, ...] | None = None,
        hand: tuple[int, ...] | None = None,
        melds: tuple[Meld, ...] | None = None,
        indicators: tuple[int, ...] | None = None,
        chips: tuple[int, ...] | None = None,
        chip_yaku: tuple[tuple[int, int], ...] = (),
        honba: int | None = None,
    ) -> None:
        self.player: Final = player
        self.source: Final = source
        self.tile: Final = tile
        self.score: Final = score
        self.pao: Final = pao
        self.ura: Final = ura
        self.sticks: Final = sticks
        self.before: Final = before
        self.changes: Final = changes
        self.hand: Final = hand
        self.melds: Final = melds
        self.indicators: Final = indicators
        self.chips: Final = chips
        self.chip_yaku: Final = chip_yaku
        self.honba: Final = honba

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

    @property
    def counting_yaku(self) -> tuple[Yaku, ...]:
        """The same, without ura dora that match no tile."""
        return self.score.counting_yaku if self.score else ()


class DrawKind(Enum):
    """Why a hand has no winner."""

    EXHAUSTIVE = "exhaustive"
    NAGASHI = "nagashi mangan"
    NINE_TERMINALS = "nine terminals"
    FOUR_WINDS = "four winds"
    FOUR_RIICHI = "four riichi"
    FOUR_KANS = "four kans"
    TRIPLE_RON = "triple ron"


TO_THE_LAST: Final = (DrawKind.EXHAUSTIVE, DrawKind.NAGASHI)
"""The draws after the last tile: the only ones that are paid, and at which tenpai counts."""

ABORTIVE: Final = frozenset(DrawKind).difference(TO_THE_LAST)
"""The draws before that."""


class Ryuukyoku(Record):
    """The frame is drawn.

    :ivar kind: why; ``None`` if that is not recorded.
    :ivar shown: by player, the closed tiles shown (tenpai, nine terminals, ron); ``None``: not shown.
    :ivar sticks: the number of riichi sticks on the table, of 1,000 points each.
    :ivar before: by player, the points before the payments.
    :ivar changes: by player, the points that the draw brings or costs.
    :ivar chips: by player, the number of chips that it brings or costs, in games that have them.
    :ivar honba: the honba count.
    """

    __slots__ = ("kind", "shown", "sticks", "before", "changes", "chips", "honba")

    def __init__(
        self,
        kind: DrawKind | None,
        shown: tuple[tuple[int, ...] | None, ...] | None = None,
        sticks: int | None = None,
        before: tuple[int, ...] | None = None,
        changes: tuple[int, ...] | None = None,
        chips: tuple[int, ...] | None = None,
        honba: int | None = None,
    ) -> None:
        self.kind: Final = kind
        self.shown: Final = shown
        self.sticks: Final = sticks
        self.before: Final = before
        self.changes: Final = changes
        self.chips: Final = chips
        self.honba: Final = honba

    def _values(self) -> tuple[object, ...]:
        return self.kind, self.shown, self.sticks, self.before, self.changes, self.chips, self.honba


Call = Chi | Pon | Daiminkan
Kan = Daiminkan | Kakan | Ankan
Meld = Call | Kakan | Ankan | Kita
Ending = Win | Ryuukyoku
Presence = Disconnected | Returned
Event = Draw | Discard | Meld | RiichiDeclared | RiichiAccepted | DoraRevealed | Ending | Presence

CALLS: Final[frozenset[type]] = frozenset((Chi, Pon, Daiminkan))
KANS: Final[frozenset[type]] = frozenset((Daiminkan, Kakan, Ankan))
MELDS: Final[frozenset[type]] = CALLS | KANS | {Kita}
ENDINGS: Final[frozenset[type]] = frozenset((Win, Ryuukyoku))
PRESENCES: Final[frozenset[type]] = frozenset((Disconnected, Returned))
"""The same for ``type(event) in KANS``, which takes less time than ``isinstance``."""

STEPS: Final = MELDS | {Draw, Discard}
"""The events that move tiles."""

REPLACED: Final = KANS | {Kita}
"""The events after which the same player draws a replacement tile."""


def in_riichi(events: Iterable[Event]) -> list[int]:
    """Return the players in riichi after *events*, in the order in which they paid for it."""
    return [event.player for event in events if type(event) is RiichiAccepted]


_PLAYERS: Final = range(4)

DRAWS: Final = tuple([several(Draw, [player] * IDS, range(IDS)) for player in _PLAYERS])
"""By player and tile id: 93 of 100 events are draws and discards, so each exists once and is shared."""

DISCARDS: Final = {
    tsumogiri: tuple([several(Discard, [player] * IDS, range(IDS), [tsumogiri] * IDS) for player in _PLAYERS])
    for tsumogiri in (True, False, None)
}
"""By whether they are tsumogiri, then by player and tile id, shared like :data:`DRAWS`."""

DECLARED: Final = tuple(map(RiichiDeclared, _PLAYERS))
"""By player, the declared riichi, shared like :data:`DRAWS`."""

ACCEPTED: Final = tuple(map(RiichiAccepted, _PLAYERS))
"""By player, the accepted riichi without points, shared like :data:`DRAWS`."""
