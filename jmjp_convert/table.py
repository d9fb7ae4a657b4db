"""The play of a frame for Python: :class:`Table`, and :func:`walk`, which plays a recorded frame on a table."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from jmjp_convert.checks.score.hands import Calculator, NoWinError
from jmjp_convert.checks.score.house_rules import HOUSE_RULES
from jmjp_convert.checks.score.report import NotJudgedError
from jmjp_convert.checks.score.win_context import PlayedFrame
from jmjp_convert.errors import MissingExtraError, PlayError, expect_type
from jmjp_convert.model import (
    WINDS,
    Ankan,
    Chi,
    Daiminkan,
    Discard,
    Disconnected,
    DoraRevealed,
    Draw,
    End,
    Event,
    Frame,
    Hand,
    House,
    Kakan,
    Kita,
    Match,
    Meld,
    Pon,
    Returned,
    RiichiAccepted,
    RiichiDeclared,
    Rules,
    Ryuukyoku,
    Start,
    Win,
)
from jmjp_convert.model.record import replace
from jmjp_convert.model.tiles import text
from jmjp_convert.play import moves
from jmjp_convert.play.legal import Legal, counted, melds_of
from jmjp_convert.play.melds import tiles_of
from jmjp_convert.play.ponds import PondTable, Seen, Thrown
from jmjp_convert.play.position import NOBODY, Exposed
from jmjp_convert.play.shanten import shanten
from jmjp_convert.play.table import replay as played

_SEAT_NAMES = dict(zip(WINDS, ("East", "South", "West", "North"), strict=True))

_WORDS: dict[type, str] = {
    Draw: "draws {tile}",
    Discard: "discards {tile}",
    Chi: "calls chi on {taken} with {hand}",
    Pon: "calls pon on {taken} with {hand}",
    Daiminkan: "calls kan on {taken} with {hand}",
    Kakan: "adds {tile} to a pon",
    Ankan: "declares a closed kan of {tiles}",
    Kita: "sets aside {tile}",
    RiichiDeclared: "declares riichi",
    RiichiAccepted: "pays the riichi stick",
    Win: "wins on {tile}",
    Disconnected: "disconnects",
    Returned: "comes back",
}
"""The words for each event of a player, with the faces of its tiles."""


class Table:
    """A frame in play: where the tiles are, whose turn it is, and what each player sees and may do.

    :param start: the start of the frame.
    :param rules: the rules of its match.
    :param names: the players' names, for the table as text.
    :raises PlayError: the play is not recorded, or the deal is impossible.
    :raises TypeError: *start* or *rules* are something else.
    """

    def __init__(self, start: Start, rules: Rules, names: Sequence[str | None] = ()) -> None:
        expect_type(start, Start, "the Start of a frame, such as match.frames[0].start")
        expect_type(rules, Rules, "the Rules of a match, such as match.rules")
        self._table = PondTable(start, rules)
        self._start = start
        self._names = tuple(names)
        self._events: list[Event] = []

    def play(self, event: Event) -> None:
        """Play *event*, whose tiles may be exact copies, known only by face, or unknown. After an error, the table must
        not be used.

        :raises PlayError: it is impossible.
        :raises TypeError: *event* is not an event.
        """
        self._table.play(event)
        self._events.append(event)

    def copy(self) -> Table:
        """Return a table in the same state, on which other events can be played.

        There is no way to take events back: play them on a copy, which takes as long as playing 25 events.
        """
        copied = Table.__new__(Table)
        copied._table = self._table.copy()  # noqa: SLF001 - of the same class
        copied._start, copied._names = self._start, self._names  # noqa: SLF001
        copied._events = self._events.copy()  # noqa: SLF001
        return copied

    # --- the state ---------------------------------------------------------------------------------------------------

    @property
    def rules(self) -> Rules:
        """The rules of the match."""
        return self._table.rules

    @property
    def hands(self) -> tuple[tuple[int, ...], ...]:
        """By player, the closed tiles, ascending, without the one just drawn."""
        return tuple(map(tuple, map(sorted, self._table.hands)))

    @property
    def melds(self) -> tuple[tuple[Meld, ...], ...]:
        """By player, the melds, oldest first."""
        return tuple(map(tuple, self._table.melds))

    @property
    def ponds(self) -> tuple[tuple[Thrown, ...], ...]:
        """By player, the discards in order; called tiles stay in place."""
        return tuple(map(tuple, self._table.ponds))

    @property
    def turn(self) -> int | None:
        """The player to act; ``None`` if nobody."""
        return None if self._table.turn == NOBODY else self._table.turn

    @property
    def drawn(self) -> int | None:
        """The tile just drawn."""
        return self._table.drawn

    @property
    def called(self) -> bool:
        """Whether the player to act has called chi or pon, and so discards without having drawn."""
        return self._table.called

    @property
    def declared(self) -> int | None:
        """The player who has declared riichi but not yet paid for it."""
        return self._table.declared

    @property
    def riichi(self) -> tuple[bool, ...]:
        """By player, whether riichi has been declared and paid for."""
        return tuple(self._table.riichi)

    @property
    def replacement(self) -> int | None:
        """The player who draws a replacement tile next, for a kan or kita."""
        return self._table.replacement

    @property
    def last(self) -> Exposed | None:
        """The event whose tile can be ronned, or called if it is a discard."""
        return self._table.last

    @property
    def points(self) -> tuple[int, ...] | None:
        """The points by player, if known."""
        return self._table.points

    @property
    def sticks(self) -> int | None:
        """The number of riichi sticks on the table, if known."""
        return self._table.sticks

    @property
    def honba(self) -> int:
        """The honba count."""
        return self._table.honba

    @property
    def indicators(self) -> tuple[int, ...]:
        """The dora indicators turned."""
        return self._table.turned

    @property
    def left(self) -> int:
        """The number of tiles left to draw."""
        return self._table.left

    @property
    def ended(self) -> bool:
        """Whether the frame has ended."""
        return self._table.ended

    @property
    def winners(self) -> frozenset[int]:
        """The winners."""
        return frozenset(self._table.winners)

    def end(self) -> End:
        """Return the current hands, and the points if the frame has ended, in the form of ``Frame.end``."""
        return self._table.end()

    # --- the players -------------------------------------------------------------------------------------------------

    def seen_by(self, player: int) -> Seen:
        """Return what *player* sees now; it does not change with the table.

        :raises ValueError: there is no such player; so do the methods below.
        """
        return self._table.seen_by(self._player(player))

    def legal(self, player: int) -> Legal:
        """Return what *player* may do now (docs/design/scoring.md, Positions).

        :raises PlayError: the hand has unknown tiles.
        """
        legal = self._table.legal(self._player(player))
        return replace(legal, yaku=self._has_yaku(player)) if legal.win else legal

    def waits(self, player: int) -> tuple[int, ...]:
        """Return the tile types (0 to 33) that complete the hand of *player* without the tile just drawn, by shape
        alone; empty if it is not tenpai.

        :raises PlayError: the hand has unknown tiles.
        """
        return self._table.waits(self._player(player))

    def furiten(self, player: int) -> bool:
        """Return whether *player* is tenpai but may not win by ron (docs/design/scoring.md, Positions).

        :raises PlayError: the hand has unknown tiles.
        """
        return self._table.furiten(self._player(player))

    def shanten(self, player: int) -> int:
        """Return the shanten of *player*, with the tile just drawn: -1 complete, 0 tenpai.

        :raises PlayError: the hand has unknown tiles.
        """
        table, player = self._table, self._player(player)
        return shanten(counted(table, player, drawn=True), melds_of(table, player), players=table.rules.players)

    def _player(self, player: int) -> int:
        """Return *player*, if that is one."""
        if player not in range(self._table.rules.players):
            raise ValueError(f"expected a player, 0 to {self._table.rules.players - 1}, found {player!r}")
        return player

    def _has_yaku(self, player: int) -> bool | None:
        """Return whether *player*, whose hand is complete with the tile just drawn or offered, has a yaku; ``None`` if
        that is unknown: without the extra ``score``, or with unknown tiles."""
        table, last = self._table, self._table.last
        if table.riichi[player]:
            return True
        tsumo = table.turn == player and table.drawn is not None
        if tsumo:
            assert table.drawn is not None
            win = Win(player, None, table.drawn)
        else:
            assert last is not None
            win = Win(player, last.player, last.tiles[0] if isinstance(last, Ankan) else last.tile)
        hand = Hand(tuple(sorted(table.hands[player])), win.tile, tuple(table.melds[player]))
        frame = Frame(self._start, tuple(self._events), End((), None), None)
        house = HOUSE_RULES.get(table.rules.house or House.TENHOU)
        if house is None:
            return None
        try:
            Calculator(table.rules, house).value(hand, PlayedFrame.ended(frame, table.rules).context(win))
        except NoWinError:
            return False
        except (NotJudgedError, MissingExtraError):
            return None
        return True

    # --- as text -----------------------------------------------------------------------------------------------------

    def describe(self, event: Event) -> str:
        """Return *event* in words: ``South Tsubaki discards 5p``."""
        if isinstance(event, DoraRevealed):
            return f"dora indicator {self._faces([event.indicator])}"
        if isinstance(event, Ryuukyoku):
            return f"draw: {event.kind.value}" if event.kind else "draw"
        values = {name: getattr(event, name) for name in ("tile", "taken", "hand", "tiles") if hasattr(event, name)}
        tiles = {
            name: self._faces([value] if isinstance(value, int) else value or ()) for name, value in values.items()
        }
        words = _WORDS[type(event)].format(**tiles)
        if isinstance(event, Discard) and event.tsumogiri:
            words += ", the tile drawn"
        if isinstance(event, Win):
            words += " by tsumo" if event.source is None else f" from {self._who(event.source)}"
        return f"{self._who(event.player)} {words}"

    def __str__(self) -> str:
        return "\n".join(self._lines())

    def __repr__(self) -> str:
        turn = "nobody" if self.turn is None else self._who(self.turn)
        return f"<Table {self._start.name}: {len(self._events)} events played, {self.left} tiles left, turn of {turn}>"

    def _lines(self) -> Iterator[str]:
        """Yield the lines of the table as text: the frame, each player with hand and pond, the last event."""
        table = self._table
        sticks = f", riichi sticks: {table.sticks}" if table.sticks else ""
        yield f"{self._start.name}: {self.left} tiles left, dora indicators: {self._faces(self.indicators)}{sticks}"
        width = max(len(self._who(player)) for player in range(table.rules.players))
        for player, hand in enumerate(self.hands):
            points = "" if table.points is None else f"{table.points[player]:>7}"
            drawn = table.drawn if table.turn == player else table.fourteenth[player]
            closed = self._faces(hand) + (f" + {self._faces([drawn])}" if drawn is not None else "")
            melds = "".join(f"  [{self._faces(tiles_of(meld))}]" for meld in table.melds[player])
            riichi = "  riichi" if table.riichi[player] or table.declared == player else ""
            mark = ">" if table.turn == player and not table.ended else " "
            yield f"{mark} {self._who(player):<{width}}{points}  {closed}{melds}{riichi}"
            if pond := table.ponds[player]:
                yield f"    {' '.join(map(self._thrown, pond))}"
        if self._events:
            yield self.describe(self._events[-1])

    def _thrown(self, thrown: Thrown) -> str:
        """Return a tile in a pond: that of a riichi with ``*``, one that was called in parentheses."""
        face = self._faces([thrown.tile]) + ("*" if thrown.riichi else "")
        return face if thrown.taken is None else f"({face})"

    def _faces(self, ids: Sequence[int]) -> str:
        return text(ids, red_fives=self._table.rules.red_fives)

    def _who(self, player: int) -> str:
        """Return the seat of *player*, and the name if known."""
        seat = _SEAT_NAMES[WINDS[(player - self._start.dealer) % self._table.rules.players]]
        name = self._names[player] if player < len(self._names) else None
        return f"{seat} {name}" if name else seat


def replay(match: Match | Rules, frame: Frame) -> End:
    """Return the hands and points at the end of the play of *frame*. This takes a third of the time of :func:`walk`.

    :param match: the match, or only its rules.
    :raises PlayError: the play is not recorded or is impossible; with the index of the event.
    :raises TypeError: *match* or *frame* are something else.
    """
    return played(frame.start, frame.events, _rules(match, frame)).end()


def walk(match: Match | Rules, frame: Frame) -> Iterator[tuple[Table, Event]]:
    """Play *frame*: yield the table before each event, with that event.

    The table is the same object throughout. It advances when the next event is requested; after the last, it shows the
    end of the frame.

    :param match: the match, or only its rules.
    :raises PlayError: the play is not recorded or is impossible; with the index of the event.
    :raises TypeError: *match* or *frame* are something else.
    """
    rules = _rules(match, frame)
    return _walked(frame, Table(frame.start, rules, _names(match)))


def _rules(match: Match | Rules, frame: Frame) -> Rules:
    expect_type(match, (Match, Rules), "a Match, or its Rules")
    expect_type(frame, Frame, "a Frame, such as match.frames[0]")
    return match.rules if isinstance(match, Match) else match


def _names(match: Match | Rules) -> list[str | None]:
    return [player.name for player in match.players] if isinstance(match, Match) else []


def _walked(frame: Frame, table: Table) -> Iterator[tuple[Table, Event]]:
    index = -1
    try:
        for index, event in enumerate(frame.events):  # noqa: B007 - an error has the index of the last
            yield table, event
            table.play(event)
        moves.expect_wall(table._table)  # noqa: SLF001 - of this module
    except PlayError as error:
        error.index = index
        raise
