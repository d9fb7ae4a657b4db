"""A match, its frames, walls, rules, players, names and results."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from enum import Enum
from typing import Final

from jmjp_convert.model.events import STEPS, Discard, Draw, Ending, Event, Meld, Presence, Ryuukyoku, Win, in_riichi
from jmjp_convert.model.record import Record
from jmjp_convert.model.tiles import EAST, ONE_RED_EACH, RedFives, dora


class Text(Record):
    """A text in its *native* script, in *roman* letters, or both."""

    __slots__ = ("native", "roman")

    def __init__(self, native: str | None = None, roman: str | None = None) -> None:
        self.native: Final = native
        self.roman: Final = roman

    def _values(self) -> tuple[object, ...]:
        return self.native, self.roman

    def __str__(self) -> str:
        """Return the text in its native script if recorded, otherwise in Roman letters; empty if in neither."""
        return self.native or self.roman or ""


class Name(Record):
    """A person's name: *family* and *given* name. A handle is a family name in its native script."""

    __slots__ = ("family", "given")

    def __init__(self, family: Text | None = None, given: Text | None = None) -> None:
        self.family: Final = family
        self.given: Final = given

    def _values(self) -> tuple[object, ...]:
        return self.family, self.given

    def __str__(self) -> str:
        """Return the display name: each part in its native script if recorded, otherwise in Roman letters."""
        return _joined(part.native or part.roman for part in self._parts())

    @property
    def roman(self) -> str | None:
        """The name in Roman letters, except for parts not recorded in them; ``None``: no part is."""
        parts = self._parts()
        return _joined(part.roman or part.native for part in parts) if any(part.roman for part in parts) else None

    def _parts(self) -> list[Text]:
        return [part for part in (self.family, self.given) if part is not None]


def _joined(parts: Iterable[str | None]) -> str:
    return " ".join(filter(None, parts))


def handle(text: str | None) -> Name | None:
    """Return the handle *text* as a name; ``None`` if it is missing or empty."""
    return Name(Text(text)) if text else None


WINDS: Final = "ESWN"

ROUND_NAMES: Final = tuple([f"{wind}{number}" for wind in WINDS for number in range(1, 5)])
"""The names of rounds, by number: ``ROUND_NAMES[5] == "S2"``."""

SEATS: Final = 4
"""The seats at every table; with three players the last is empty."""

DORA: Final = 10
"""The number of dora and ura dora in a frame; one is turned at the start."""


class Hand(Record):
    """A hand: closed *tiles*, ascending, the fourteenth tile if any (*drawn*; for a winner the winning tile), and
    *melds*, oldest first, with a kakan in the place of its pon."""

    __slots__ = ("tiles", "drawn", "melds")

    def __init__(self, tiles: tuple[int, ...], drawn: int | None = None, melds: tuple[Meld, ...] = ()) -> None:
        self.tiles: Final = tiles
        self.drawn: Final = drawn
        self.melds: Final = melds

    def _values(self) -> tuple[object, ...]:
        return self.tiles, self.drawn, self.melds

    @property
    def closed(self) -> tuple[int, ...]:
        """The closed tiles, including the fourteenth, ascending."""
        return self.tiles if self.drawn is None else tuple(sorted((*self.tiles, self.drawn)))


class Start(Record):
    """How a frame starts.

    :ivar round: 0–15, four to a wind: 0 is E1, 5 is S2. With three players, the fourth of each wind is left out.
    :ivar honba: the honba count.
    :ivar sticks: the number of riichi sticks on the table, of 1,000 points each.
    :ivar dealer: a player.
    :ivar dice: two dice, 1–6 each, or only their sum.
    :ivar points: by player.
    :ivar hands: by player, the tiles dealt, in the order of the deal if recorded; empty if the play is not recorded.
    :ivar indicator: the first dora indicator.
    :ivar kan_indicators: the further dora indicators in order, if the record does not show when they were turned;
        otherwise they are in events.
    :ivar fourteenth: the dealer's first tile, if it was dealt with the hand and not drawn.
    :ivar shuffle: the seed of this frame's wall, for logs with one seed per frame.
    :ivar chips: by player, in games that have them.
    """

    __slots__ = (
        "round",
        "honba",
        "sticks",
        "dealer",
        "dice",
        "points",
        "hands",
        "indicator",
        "shuffle",
        "chips",
        "fourteenth",
        "kan_indicators",
    )

    def __init__(
        self,
        round: int,
        honba: int,
        sticks: int | None,
        dealer: int,
        dice: tuple[int, int] | int | None,
        points: tuple[int, ...] | None,
        hands: tuple[tuple[int, ...], ...],
        indicator: int | None = None,
        shuffle: str | None = None,
        chips: tuple[int, ...] | None = None,
        fourteenth: int | None = None,
        kan_indicators: tuple[int, ...] = (),
    ) -> None:
        self.round: Final = round
        self.honba: Final = honba
        self.sticks: Final = sticks
        self.dealer: Final = dealer
        self.dice: Final = dice
        self.points: Final = points
        self.hands: Final = hands
        self.indicator: Final = indicator
        self.shuffle: Final = shuffle
        self.chips: Final = chips
        self.fourteenth: Final = fourteenth
        self.kan_indicators: Final = kan_indicators

    def _values(self) -> tuple[object, ...]:
        return (
            self.round,
            self.honba,
            self.sticks,
            self.dealer,
            self.dice,
            self.points,
            self.hands,
            self.indicator,
            self.shuffle,
            self.chips,
            self.fourteenth,
            self.kan_indicators,
        )

    @property
    def name(self) -> str:
        """The frame's usual name: ``S2-1`` is South 2, one honba."""
        return frame_name(self.round, self.honba)

    @property
    def round_wind(self) -> int:
        """The tile type of the round wind, 27 for East to 30 for North."""
        return EAST + self.round // SEATS


def frame_name(round_: int, honba: int) -> str:
    """Return the name of a frame, ``frame_name(5, 1) == "S2-1"``."""
    return f"{ROUND_NAMES[round_]}-{honba}"


class End(Record):
    """How a frame ends: *hands* by player, closed tiles ascending, empty if the play is not recorded; *points* by
    player, ``None`` also if the record stops inside the frame."""

    __slots__ = ("hands", "points")

    def __init__(self, hands: tuple[Hand, ...], points: tuple[int, ...] | None) -> None:
        self.hands: Final = hands
        self.points: Final = points

    def _values(self) -> tuple[object, ...]:
        return self.hands, self.points


class RecordedWall(Record):
    """The wall of a frame as its server records it, by face.

    :ivar tiles: in the order in which they are dealt and drawn; the replacement tiles and indicators are at the end.
    :ivar dealt: whether they include the dealt tiles; otherwise the first is the first tile to draw.
    :ivar hash: hexadecimal, as recorded, of the tiles as text: two characters each, such as ``0m`` and ``7z``.
    :ivar algorithm: of the hash: ``md5`` or ``sha256``.
    :ivar salt: what was hashed together with that text for *salted_hash*.
    """

    __slots__ = ("tiles", "dealt", "hash", "algorithm", "salt", "salted_hash")

    def __init__(
        self,
        tiles: tuple[int, ...],
        dealt: bool,
        hash: str | None = None,
        algorithm: str | None = None,
        salt: str | None = None,
        salted_hash: str | None = None,
    ) -> None:
        self.tiles: Final = tiles
        self.dealt: Final = dealt
        self.hash: Final = hash
        self.algorithm: Final = algorithm
        self.salt: Final = salt
        self.salted_hash: Final = salted_hash


class Thinking(Record):
    """How long the player thought before an act.

    :ivar time: in milliseconds; ``None`` if not recorded.
    :ivar autoplay: whether the server acted in the player's place.
    """

    __slots__ = ("time", "autoplay")

    def __init__(self, time: int | None = None, autoplay: bool = False) -> None:
        self.time: Final = time
        self.autoplay: Final = autoplay


PLAYS: Final = STEPS | {Win}
"""The events that notes count: what players do with tiles. Everything else, such as a paid riichi stick or a turned
dora, follows from these or is not recorded everywhere."""


LINE: Final = r"(?!\s)[^\x00-\x1f\x7f-\x9f\u2028\u2029\ud800-\udfff]+(?<!\s)"
"""A regular expression for the text of a note."""
LINE_SAID: Final = "one line of text, without control characters or white space at its ends"
"""The same in words."""


class Note(Record):
    """A recorder's note at a moment of a hand.

    :ivar after: how many :data:`PLAYS` came before it.
    :ivar text: one line, without control characters, and without white space at its ends.
    :raises ValueError: *after* is below 0, or *text* is something else.
    """

    __slots__ = ("after", "text")

    def __init__(self, after: int, text: str) -> None:
        if after < 0:
            raise ValueError(f"a note is after play {after}; expected 0 or more")
        if not re.fullmatch(LINE, text):
            raise ValueError(f"the text of a note is {text!r}; expected {LINE_SAID}")
        self.after: Final = after
        self.text: Final = text


def misplaced(notes: Sequence[Note], events: Iterable[Event]) -> str:
    """Return why *notes* cannot be those of a frame with *events*, in a clause; "" if they can."""
    plays_before = [note.after for note in notes]
    if plays_before != sorted(plays_before):
        return "the notes are not in the order of the play"
    plays = sum(type(event) in PLAYS for event in events)
    if notes and (not plays or plays_before[-1] > plays):
        return f"a note is after play {plays_before[-1]}, but the frame has {plays}"
    return ""


class Frame(Record):
    """A hand or round (kyoku).

    :ivar start: how it starts: round, points, hands.
    :ivar end: how it ends: hands and points.
    :ivar events: in order. Disconnections and returns before the next frame are at the end.
    :ivar dora: ten tiles, the dora themselves, not their indicators: dora, ura, kan dora 1, kan ura 1, …;
        ``tiles.UNKNOWN`` if unknown. ``None``: no dora is recorded.
    :ivar comment: the recorder's comment on the frame; empty if the record has a comment field but nothing in it.
    :ivar wall: the recorded wall, on servers that record it instead of a shuffle seed.
    :ivar notes: at moments of the play, in order; none if there is no play.
    :ivar thinking: for each event the time its player took, ``None`` where no player acted; empty: not recorded.
    """

    __slots__ = ("start", "events", "end", "dora", "comment", "wall", "thinking", "notes", "_others", "_endings")

    def __init__(
        self,
        start: Start,
        events: tuple[Event, ...],
        end: End,
        dora: tuple[int, ...] | None,
        comment: Text | None = None,
        wall: RecordedWall | None = None,
        thinking: tuple[Thinking | None, ...] = (),
        notes: tuple[Note, ...] = (),
    ) -> None:
        self.start: Final = start
        self.events: Final = events
        self.end: Final = end
        self.dora: Final = dora
        self.comment: Final = comment
        self.wall: Final = wall
        self.thinking: Final = thinking
        self.notes: Final = notes
        self._others: tuple[Event, ...] | None = None
        self._endings: tuple[Ending, ...] | None = None

    def _values(self) -> tuple[object, ...]:
        return self.start, self.events, self.end, self.dora, self.comment, self.wall, self.thinking, self.notes

    def __repr__(self) -> str:
        ends = ", ".join("a draw" if isinstance(end, Ryuukyoku) else f"won by {end.player}" for end in self.endings)
        return f"<Frame {self.start.name}: {len(self.events)} events, {ends or 'unfinished'}>"

    @property
    def others(self) -> tuple[Event, ...]:
        """The events other than draws and discards, in order."""
        if self._others is None:
            others = tuple([event for event in self.events if type(event) is not Draw and type(event) is not Discard])
            object.__setattr__(self, "_others", others)  # a frame is often asked for them
            return others
        return self._others

    @property
    def riichi(self) -> list[int]:
        """The players in riichi at the end, in the order in which they paid for it."""
        return in_riichi(self.others)

    @property
    def endings(self) -> list[Ending]:
        """The events that end the frame: wins in order, a draw, or none."""
        if self._endings is None:
            object.__setattr__(self, "_endings", endings_of(self.events))  # as above
        return [*(self._endings or ())]

    @property
    def wins(self) -> list[Win]:
        """The wins that end the frame, in order."""
        return [event for event in self.endings if isinstance(event, Win)]

    @property
    def is_unfinished(self) -> bool:
        """Whether the play of the frame is recorded, but not to its end."""
        return any(self.start.hands) and not self.endings


def endings_of(events: Sequence[Event]) -> tuple[Ending, ...]:
    """Return the wins or the draw at the end of *events*."""
    endings: list[Ending] = []
    for event in reversed(events):
        kind = type(event)
        if kind is Draw or kind is Discard:
            break
        if kind is Win or kind is Ryuukyoku:
            endings.append(event)  # type: ignore[arg-type]
    return tuple(endings[::-1])


class House(Enum):
    """The servers whose rules apply, each with its name for ``--rules``."""

    TENHOU = "tenhou"
    MAHJONG_SOUL = "mahjong-soul"
    RIICHI_CITY = "riichi-city"


class Rules(Record):
    """The rules of a match.

    :ivar players: 4 or 3.
    :ivar red_fives: how many fives of each suit are red.
    :ivar code: Tenhou's rules number (``GO type``), which determines the rest.
    :ivar lobby: the lobby on Tenhou; 0 for ranked games, also those of Mahjong Soul.
    :ivar custom: other settings of a private table or event, by name, as recorded.
    :ivar house: the server whose rules apply.
    :ivar east_only: whether the game has an East round only, if there is no *code* to tell.
    """

    __slots__ = ("players", "red_fives", "code", "lobby", "custom", "house", "east_only")

    def __init__(
        self,
        players: int = 4,
        red_fives: RedFives | None = ONE_RED_EACH,
        code: int | None = None,
        lobby: int | None = None,
        custom: tuple[tuple[str, str], ...] = (),
        house: House | None = None,
        east_only: bool | None = None,
    ) -> None:
        self.players: Final = players
        self.red_fives: Final = red_fives
        self.code: Final = code
        self.lobby: Final = lobby
        self.custom: Final = custom
        self.house: Final = house
        self.east_only: Final = east_only

    def _values(self) -> tuple[object, ...]:
        return self.players, self.red_fives, self.code, self.lobby, self.custom, self.house, self.east_only


class PointRule(Record):
    """The rules for points, all in points: those at the *start*, and the *target* that counts as zero in the results;
    *uma* is by placement, the first first; *honba* is what each honba adds to a win in all; *tenpai* is the total paid
    at an exhaustive draw."""

    __slots__ = ("start", "target", "uma", "honba", "tenpai")

    def __init__(self, start: int, target: int, uma: tuple[int, ...], honba: int, tenpai: int | None = None) -> None:
        self.start: Final = start
        self.target: Final = target
        self.uma: Final = uma
        self.honba: Final = honba
        self.tenpai: Final = tenpai

    def _values(self) -> tuple[object, ...]:
        return self.start, self.target, self.uma, self.honba, self.tenpai


TourPoints = tuple[int | None, int | None]
"""A player's tournament points: personal and the team's."""


class Player(Record):
    """A player.

    :ivar full_name: the parts of the name, in either script; bytes that were not UTF-8 are replaced by U+FFFD. *name*
        and *roman_name* are the strings.
    :ivar raw_name: a handle's bytes, only if they were not UTF-8.
    :ivar dan: Tenhou's rank, 0 (newcomer) to 20 (tenhou).
    :ivar rate: the rating: an ``int`` if recorded without decimals, as in old logs, otherwise a ``float``.
    :ivar sex: ``M``, ``F``, or ``C`` for a computer.
    :ivar gold: the amount of gold, as recorded.
    :ivar rc: a number of unknown meaning, as recorded.
    :ivar team: the name of the team.
    :ivar affiliation: the association.
    :ivar tour_points: before the match.
    :ivar rank: the name of the rank on another server than Tenhou, such as 初心★3.
    :ivar account: the account number on the server.
    :ivar rank_points: the points within the rank, before the match.
    """

    __slots__ = (
        "full_name",
        "raw_name",
        "dan",
        "rate",
        "sex",
        "gold",
        "rc",
        "team",
        "affiliation",
        "tour_points",
        "rank",
        "account",
        "rank_points",
    )

    def __init__(
        self,
        full_name: Name | None = None,
        raw_name: bytes | None = None,
        dan: int | None = None,
        rate: int | float | None = None,  # noqa: PYI041 - compiled, a float is never an int
        sex: str | None = None,
        gold: int | None = None,
        rc: str | None = None,
        team: Text | None = None,
        affiliation: Text | None = None,
        tour_points: TourPoints | None = None,
        rank: str | None = None,
        account: int | None = None,
        rank_points: int | None = None,
    ) -> None:
        self.full_name: Final = full_name
        self.raw_name: Final = raw_name
        self.dan: Final = dan
        self.rate: Final = rate
        self.sex: Final = sex
        self.gold: Final = gold
        self.rc: Final = rc
        self.team: Final = team
        self.affiliation: Final = affiliation
        self.tour_points: Final = tour_points
        self.rank: Final = rank
        self.account: Final = account
        self.rank_points: Final = rank_points

    @property
    def name(self) -> str | None:
        """The display name, in the native script if recorded; ``None``: not recorded."""
        return str(self.full_name) or None if self.full_name else None

    @property
    def roman_name(self) -> str | None:
        """The name in Roman letters; ``None``: not recorded."""
        return self.full_name.roman if self.full_name else None


class Tournament(Record):
    """The tournament of a match, or a table on a server, where *name* describes the rules.

    :ivar year: the year the tournament began.
    :ivar stage: the name of the stage.
    :ivar stage_match: the match's number within the stage.
    :ivar day_match: the match's number within the day.
    """

    __slots__ = ("name", "year", "stage", "stage_match", "day_match")

    def __init__(
        self,
        name: Text | None = None,
        year: int | None = None,
        stage: Text | None = None,
        stage_match: int | None = None,
        day_match: int | None = None,
    ) -> None:
        self.name: Final = name
        self.year: Final = year
        self.stage: Final = stage
        self.stage_match: Final = stage_match
        self.day_match: Final = day_match


class Recorder(Record):
    """The recorder, with the *full_name*, of *frames*, each a pair (round, honba); ``None``: all frames."""

    __slots__ = ("full_name", "frames")

    def __init__(self, full_name: Name | None, frames: tuple[tuple[int, int], ...] | None = None) -> None:
        self.full_name: Final = full_name
        self.frames: Final = frames

    @property
    def name(self) -> str | None:
        """The display name, in the native script if recorded; ``None``: not recorded."""
        return str(self.full_name) or None if self.full_name else None

    @property
    def roman_name(self) -> str | None:
        """The name in Roman letters; ``None``: not recorded."""
        return self.full_name.roman if self.full_name else None


class ShuffleForm(Enum):
    """The form in which a match's shuffle seed is recorded (docs/design/wall.md)."""

    BASE64 = "base64"
    HEX = "hex"
    OLD = "old"


class Shuffle(Record):
    """The shuffle seed: its *form*; *seed* as recorded, for forms with one seed per match."""

    __slots__ = ("form", "seed")

    def __init__(self, form: ShuffleForm, seed: str | None = None) -> None:
        self.form: Final = form
        self.seed: Final = seed


class Match(Record):
    """A match.

    :ivar rules: the rules: players, red fives, server.
    :ivar players: by player number, which is the seat in the first frame: 0 is the first dealer.
    :ivar frames: in order.
    :ivar id: the log ID on its server, Tenhou or Mahjong Soul.
    :ivar source: the name of the file it was read from, if the ID is unknown.
    :ivar tournament: the tournament, or the name of the rules.
    :ivar date: ``YYYYMMDD``, local to the place.
    :ivar weekday: ``sun`` … ``sat``, as recorded.
    :ivar time: ``HHMM``, local to the place.
    :ivar place: where it was played: the server, or a town.
    :ivar recorders: who recorded it, and which frames.
    :ivar shuffle: the seed of the walls.
    :ivar point_rule: the rules for points; ``None`` if they are not recorded.
    :ivar before: disconnections and returns before the first frame.
    :ivar final_points: by player, the points at the end, including leftover riichi sticks.
    :ivar results: by player, in points after uma and oka: 47000 is +47.0.
    :ivar tour_points: by player, after the match.
    :ivar chips: by player, the number of chips and their value, as recorded, in games that have them.
    :ivar ratio: the value of points and chips in a chip game, as recorded.
    :ivar started: when the match started, in seconds since 1970 (UTC).
    :ivar ended: when it ended, in seconds since 1970 (UTC).
    :ivar rank_changes: by player, how the match changed the points within the rank.
    :ivar yakitori: by player, the points that yakitori (no win in the match) adds to the result, in games that have it.
    """

    __slots__ = (
        "rules",
        "players",
        "frames",
        "id",
        "source",
        "tournament",
        "date",
        "weekday",
        "time",
        "place",
        "recorders",
        "shuffle",
        "point_rule",
        "before",
        "final_points",
        "results",
        "tour_points",
        "chips",
        "ratio",
        "started",
        "ended",
        "rank_changes",
        "yakitori",
    )

    def __init__(
        self,
        rules: Rules,
        players: tuple[Player, ...],
        frames: tuple[Frame, ...],
        id: str | None = None,
        source: str | None = None,
        tournament: Tournament | None = None,
        date: str | None = None,
        weekday: str | None = None,
        time: str | None = None,
        place: Text | None = None,
        recorders: tuple[Recorder, ...] = (),
        shuffle: Shuffle | None = None,
        point_rule: PointRule | None = None,
        before: tuple[Presence, ...] = (),
        final_points: tuple[int, ...] | None = None,
        results: tuple[int, ...] | None = None,
        tour_points: tuple[TourPoints, ...] | None = None,
        chips: tuple[tuple[int, str], ...] | None = None,
        ratio: str | None = None,
        started: int | None = None,
        ended: int | None = None,
        rank_changes: tuple[int, ...] | None = None,
        yakitori: tuple[int, ...] | None = None,
    ) -> None:
        self.rules: Final = rules
        self.players: Final = players
        self.frames: Final = frames
        self.id: Final = id
        self.source: Final = source
        self.tournament: Final = tournament
        self.date: Final = date
        self.weekday: Final = weekday
        self.time: Final = time
        self.place: Final = place
        self.recorders: Final = recorders
        self.shuffle: Final = shuffle
        self.point_rule: Final = point_rule
        self.before: Final = before
        self.final_points: Final = final_points
        self.results: Final = results
        self.tour_points: Final = tour_points
        self.chips: Final = chips
        self.ratio: Final = ratio
        self.started: Final = started
        self.ended: Final = ended
        self.rank_changes: Final = rank_changes
        self.yakitori: Final = yakitori

    def __repr__(self) -> str:
        house = self.rules.house.value if self.rules.house else None
        date = self.date and f"{self.date[:4]}-{self.date[4:6]}-{self.date[6:]}"
        what = " ".join(filter(None, ("Match", house, date)))
        players = ", ".join(player.name or "?" for player in self.players)
        return f"<{what}: {players}; {len(self.frames)} frame{'s' * (len(self.frames) != 1)}>"


class Wall(Record):
    """The wall of a frame, with its tiles grouped by use.

    :ivar tiles: all 136 tiles (108 with three players), from the front of the dead wall to the tile dealt first; if
        not *dealt*, those left after the deal.
    :ivar dice: two dice, 1–6 each; ``None`` if unknown.
    :ivar hands: by player, the thirteen tiles dealt, in the order of the deal, as in ``INIT``.
    :ivar draws: the tiles to draw, in order. Each kan or kita shortens them by one.
    :ivar replacements: the replacement tiles for kans and kita, in order: four, or eight with three players.
    :ivar indicators: the five dora indicators, in the order they are turned.
    :ivar ura: the five ura dora indicators, in the same order.
    :ivar dealt: whether the hands and the first draw are from the wall; otherwise they are as the frame has them.
    """

    __slots__ = ("tiles", "dice", "hands", "draws", "replacements", "indicators", "ura", "dealt")

    def __init__(
        self,
        tiles: tuple[int, ...],
        dice: tuple[int, int] | None,
        hands: tuple[tuple[int, ...], ...],
        draws: tuple[int, ...],
        replacements: tuple[int, ...],
        indicators: tuple[int, ...],
        ura: tuple[int, ...],
        dealt: bool = True,
    ) -> None:
        self.tiles: Final = tiles
        self.dice: Final = dice
        self.hands: Final = hands
        self.draws: Final = draws
        self.replacements: Final = replacements
        self.indicators: Final = indicators
        self.ura: Final = ura
        self.dealt: Final = dealt

    @property
    def dora(self) -> tuple[int, ...]:
        """The ten dora, in the order of ``Frame.dora``."""
        players = len(self.hands)
        return tuple([dora(tile, players) for pair in zip(self.indicators, self.ura, strict=True) for tile in pair])
