"""The events of a frame: draws, discards, melds, riichi, wins, draws of a frame."""

from __future__ import annotations

from enum import Enum

from jmjp_convert.model.record import record
from jmjp_convert.model.tiles import IDS
from jmjp_convert.model.yaku import Limit, Yaku


@record
class Draw:
    """*player* draws *tile*, from the wall, or after a kan or kita from the dead wall."""

    player: int
    tile: int


@record
class Discard:
    """*player* discards *tile*: tsumogiri if it is the very tile just drawn."""

    player: int
    tile: int


@record
class Chi:
    """*player* takes *taken*, the last discard of *source*, for a sequence with two tiles of the *hand*, ascending."""

    player: int
    taken: int
    hand: tuple[int, ...]
    source: int


@record
class Pon:
    """*player* takes *taken*, the last discard of *source*, for a triplet with two tiles of the *hand*, ascending."""

    player: int
    taken: int
    hand: tuple[int, ...]
    source: int


@record
class Daiminkan:
    """*player* takes *taken*, the last discard of *source*, for a kan with three tiles of the *hand*, ascending."""

    player: int
    taken: int
    hand: tuple[int, ...]
    source: int


@record
class Kakan:
    """*player* adds *tile* to the *pon*."""

    player: int
    tile: int
    pon: Pon


@record
class Ankan:
    """*player* declares a closed kan of four *tiles*, ascending."""

    player: int
    tiles: tuple[int, ...]


@record
class Kita:
    """*player* sets a north *tile* aside (three players)."""

    player: int
    tile: int


@record
class RiichiDeclared:
    """*player* declares riichi: the next discard is the riichi tile."""

    player: int


@record
class RiichiAccepted:
    """The riichi tile of *player* passed: the stick is on the table.

    *points*: everybody's points after it, where the record says.
    """

    player: int
    points: tuple[int, ...] | None = None


@record
class DoraRevealed:
    """A further dora *indicator* is turned."""

    indicator: int


@record
class Disconnected:
    """*player* loses the connection."""

    player: int


@record
class Returned:
    """*player* is back; *name* only if it is not the player's first."""

    player: int
    name: str | None = None


@record
class Score:
    """What a hand is worth.

    :ivar fu: as recorded (a yakuman keeps its raw fu).
    :ivar points: without honba and sticks; for a tsumo the total.
    :ivar yaku: as recorded, dora among them. A hand of yakuman has no others.
    """

    fu: int
    points: int
    limit: Limit
    yaku: tuple[Yaku, ...]

    @property
    def yakuman(self) -> tuple[Yaku, ...]:
        """The yaku that are yakuman: none if the hand is worth what its han are, though these may make a yakuman."""
        return tuple([yaku for yaku in self.yaku if yaku.han is None])

    @property
    def han(self) -> int | None:
        """All han together; ``None`` of yakuman, which are not counted by han."""
        return None if self.yakuman else sum(yaku.han or 0 for yaku in self.yaku)


@record
class Win:
    """*player* wins on *tile*: by ron off *source*, or by tsumo if that is ``None``.

    *fu*, *han*, *points*, *limit* and *yaku* are those of the *score*, and not known without it.

    :ivar pao: the player who carries pao.
    :ivar ura: the ura dora indicators, where they count.
    :ivar sticks: the riichi sticks taken.
    :ivar before: everybody's points before this win's payments.
    :ivar changes: everybody's gain or loss by this win, honba and sticks included.
    :ivar hand: the closed tiles and the winning tile, as shown.
    :ivar melds: the melds as shown, oldest first.
    :ivar indicators: the dora indicators as shown.
    :ivar chips: everybody's gain or loss in chips, in games that have them.
    :ivar chip_yaku: (number of a yaku, chips) that earned them.
    :ivar honba: how many there are.
    """

    player: int
    source: int | None
    tile: int
    score: Score | None = None
    pao: int | None = None
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
        """The hand's han, dora among them; ``None`` also of yakuman."""
        return self.score.han if self.score else None

    @property
    def points(self) -> int | None:
        """What the hand is worth, without honba and sticks; for a tsumo the total."""
        return self.score.points if self.score else None

    @property
    def limit(self) -> Limit | None:
        """The limit that the hand reaches."""
        return self.score.limit if self.score else None

    @property
    def yaku(self) -> tuple[Yaku, ...]:
        """The hand's yaku, dora among them; none if they are not known."""
        return self.score.yaku if self.score else ()


class DrawKind(Enum):
    """How a frame ends without a winner."""

    EXHAUSTIVE = "exhaustive"
    NAGASHI = "nagashi mangan"
    NINE_TERMINALS = "nine terminals"
    FOUR_WINDS = "four winds"
    FOUR_RIICHI = "four riichi"
    FOUR_KANS = "four kans"
    TRIPLE_RON = "triple ron"


@record
class Ryuukyoku:
    """The frame is drawn.

    :ivar shown: by player the closed tiles that are shown (tenpai, nine terminals, ron); ``None``: not shown.
    :ivar sticks: the riichi sticks on the table.
    :ivar before: everybody's points before the payments.
    :ivar changes: everybody's gain or loss.
    :ivar chips: everybody's gain or loss in chips, in games that have them.
    :ivar honba: how many there are.
    """

    kind: DrawKind | None
    shown: tuple[tuple[int, ...] | None, ...] | None = None
    sticks: int | None = None
    before: tuple[int, ...] | None = None
    changes: tuple[int, ...] | None = None
    chips: tuple[int, ...] | None = None
    honba: int | None = None


Meld = Chi | Pon | Daiminkan | Kakan | Ankan | Kita
Presence = Disconnected | Returned
Event = (
    Draw | Discard | Meld | RiichiDeclared | RiichiAccepted | DoraRevealed | Win | Ryuukyoku | Disconnected | Returned
)

_PLAYERS = range(4)

DRAWS = tuple(tuple(Draw(player, tile) for tile in range(IDS)) for player in _PLAYERS)
"""By player and tile id: 93 of 100 events are draws and discards, so each of them exists once and is shared."""

DISCARDS = tuple(tuple(Discard(player, tile) for tile in range(IDS)) for player in _PLAYERS)
"""By player and tile id, as :data:`DRAWS`."""
