"""The neutral model of a match: what readers give and writers take. No syntax of any format reaches it.

Units and names, everywhere in the model:

- *points* are whole hundreds: 250 is 25,000 points, 10 a riichi stick, -32 is 3,200 below zero. Results are in the
  same unit: 470 is +47.0.
- *tiles* are ids as in :mod:`jmjp_convert.tiles`.
- *players* are 0–3 (0–2 with three players); player 0 is the first dealer. Tuples of points run by player.
- ``None`` is "not recorded", never a guess.

Everything is frozen; equal is what is equal in every field.
"""

from __future__ import annotations

from enum import Enum

from jmjp_convert.records import record

WINDS = "ESWN"


@record
class Text:
    """A text in its native script, in Roman letters, or both."""

    native: str | None = None
    roman: str | None = None


# --- the events of a frame -------------------------------------------------------------------------------------------


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


class Limit(Enum):
    """The limit that a hand's value reaches."""

    NONE = 0
    MANGAN = 1
    HANEMAN = 2
    BAIMAN = 3
    SANBAIMAN = 4
    YAKUMAN = 5


@record
class Score:
    """What a hand is worth.

    :ivar fu: as recorded (a yakuman keeps its raw fu).
    :ivar points: in hundreds, without honba and sticks; for a tsumo the total.
    :ivar yaku: (yaku, han) as recorded, dora among them; see :mod:`jmjp_convert.yaku` for the numbers. Empty for
        a yakuman.
    :ivar yakuman: the yakuman; empty for any other hand.
    """

    fu: int
    points: int
    limit: Limit
    yaku: tuple[tuple[int, int], ...]
    yakuman: tuple[int, ...]


@record
class Win:
    """*player* wins on *tile*: by tsumo if *source* is the player too, else by ron off *source*.

    :ivar pao: the player who carries pao.
    :ivar ura: the ura dora indicators, where they count.
    :ivar sticks: the riichi sticks taken.
    :ivar before: everybody's points before this win's payments.
    :ivar changes: everybody's gain or loss by this win, honba and sticks included.
    :ivar hand: the closed tiles and the winning tile, as shown.
    :ivar melds: the melds as shown, oldest first.
    :ivar indicators: the dora indicators as shown.
    :ivar chips: everybody's gain or loss in chips, in games that have them.
    :ivar chip_yaku: (yaku, chips) that earned them.
    """

    player: int
    source: int
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
    """

    kind: DrawKind | None
    shown: tuple[tuple[int, ...] | None, ...] | None = None
    sticks: int | None = None
    before: tuple[int, ...] | None = None
    changes: tuple[int, ...] | None = None
    chips: tuple[int, ...] | None = None


Meld = Chi | Pon | Daiminkan | Kakan | Ankan | Kita
Presence = Disconnected | Returned
Event = (
    Draw | Discard | Meld | RiichiDeclared | RiichiAccepted | DoraRevealed | Win | Ryuukyoku | Disconnected | Returned
)


# --- frames and the match --------------------------------------------------------------------------------------------


@record
class Hand:
    """A hand: closed *tiles*, the fourteenth tile if there is one (*drawn*; for a winner the winning tile), *melds*
    oldest first, a kakan in the place of its pon."""

    tiles: tuple[int, ...]
    drawn: int | None = None
    melds: tuple[Meld, ...] = ()


@record
class Start:
    """How a frame starts.

    :ivar round: 0–15, four to a wind: 0 is E1, 5 is S2.
    :ivar sticks: riichi sticks on the table, a count.
    :ivar dealer: a player.
    :ivar dice: two dice, 1–6 each.
    :ivar points: by player.
    :ivar hands: by player the tiles dealt, in the order of the deal where that is recorded.
    :ivar indicator: the first dora indicator.
    :ivar shuffle: the seed of this frame's wall, for logs with one a frame.
    :ivar chips: by player, in games that have them.
    """

    round: int
    honba: int
    sticks: int
    dealer: int
    dice: tuple[int, int] | None
    points: tuple[int, ...]
    hands: tuple[tuple[int, ...], ...]
    indicator: int | None = None
    shuffle: str | None = None
    chips: tuple[int, ...] | None = None

    @property
    def name(self) -> str:
        """The frame's name in the field: ``S2-1`` is South 2, one honba."""
        return frame_name(self.round, self.honba)


def frame_name(round_: int, honba: int) -> str:
    """Return the name of a frame, ``frame_name(5, 1) == "S2-1"``."""
    return f"{WINDS[round_ // 4]}{round_ % 4 + 1}-{honba}"


@record
class End:
    """How a frame ends: *hands* by player, the closed tiles ascending; *points* by player, or ``None`` if the record
    stops inside the frame."""

    hands: tuple[Hand, ...]
    points: tuple[int, ...] | None


@record
class Frame:
    """One frame (kyoku).

    :ivar events: in their order. Comings and goings up to the next frame stand at the end.
    :ivar dora: ten tiles, the dora themselves and not their indicators: dora, ura, kan dora 1, kan ura 1, …;
        ``tiles.UNKNOWN`` where not known.
    :ivar comment: the recorder's own words on the frame.
    """

    start: Start
    events: tuple[Event, ...]
    end: End
    dora: tuple[int, ...]
    comment: Text | None = None

    @property
    def endings(self) -> list[Win | Ryuukyoku]:
        """The events that end the frame: wins in their order, or a draw, or none."""
        found: list[Win | Ryuukyoku] = []
        for event in reversed(self.events):
            kind = type(event)
            if kind is Draw or kind is Discard:
                break
            if kind is Win or kind is Ryuukyoku:
                found.insert(0, event)  # type: ignore[arg-type]
        return found


@record
class Rules:
    """The rules of a match.

    :ivar players: 4 or 3.
    :ivar code: Tenhou's number of the rules (``GO type``), from which the rest follows; see :mod:`jmjp_convert.tenhou`.
    :ivar lobby: Tenhou's lobby; 0 is the ranked one.
    :ivar custom: further settings of a private table or event, by name, as recorded.
    """

    players: int = 4
    red_fives: bool = True
    code: int | None = None
    lobby: int | None = None
    custom: tuple[tuple[str, str], ...] = ()


@record
class PointRule:
    """Points at the start and after the match; *uma14* is what the fourth pays the first, *uma23* the third the
    second; *honba* what each honba adds to a win; *tenpai* the total paid at an exhaustive draw."""

    start: int
    target: int
    uma14: int
    uma23: int
    honba: int
    tenpai: int | None = None


@record
class Player:
    """A player.

    :ivar name: the handle; bytes that were not UTF-8 are U+FFFD in it.
    :ivar raw_name: the handle's bytes, only where they were not UTF-8.
    :ivar dan: Tenhou's rank, 0 (newcomer) to 20 (tenhou).
    :ivar rate: the rating, as recorded.
    :ivar sex: ``M``, ``F``, or ``C`` for a computer.
    :ivar gold: gold, as recorded.
    :ivar rc: a number nobody has described, as recorded.
    """

    name: str
    raw_name: bytes | None = None
    dan: int | None = None
    rate: str | None = None
    sex: str | None = None
    gold: str | None = None
    rc: str | None = None


class ShuffleForm(Enum):
    """The form in which the seed of a match's walls is recorded (source: ``wall.md``)."""

    BASE64 = "base64"
    HEX = "hex"
    OLD = "old"


@record
class Shuffle:
    """The seed of the walls: its *form*; *seed* as recorded, for forms with one seed a match."""

    form: ShuffleForm
    seed: str | None = None


@record
class Match:
    """A match.

    :ivar id: the log's id on its server.
    :ivar source: the name of the file it was read from, where the id is not known.
    :ivar title: the name of the tournament or of the rules played.
    :ivar date: ``YYYYMMDD``, local to the place.
    :ivar time: ``HHMM``, local to the place.
    :ivar before: comings and goings before the first frame.
    :ivar final_points: by player, riichi sticks left over included.
    :ivar results: by player, after uma and oka.
    :ivar chips: the chips and their worth by player, two numbers each, as recorded.
    :ivar ratio: what a chip game's points and chips are worth, as recorded.
    """

    rules: Rules
    players: tuple[Player, ...]
    frames: tuple[Frame, ...]
    id: str | None = None
    source: str | None = None
    title: Text | None = None
    date: str | None = None
    time: str | None = None
    place: Text | None = None
    recorder: Text | None = None
    shuffle: Shuffle | None = None
    point_rule: PointRule | None = None
    before: tuple[Presence, ...] = ()
    final_points: tuple[int, ...] | None = None
    results: tuple[int, ...] | None = None
    chips: tuple[int, ...] | None = None
    ratio: str | None = None
