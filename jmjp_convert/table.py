"""The play of a frame for Python: :class:`Table`, and :func:`walk`, which plays a recorded frame on a table."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from jmjp_convert.checks.score.frame import exhaustive_draw, has_yaku, valued
from jmjp_convert.checks.score.house_rules import rules_of
from jmjp_convert.checks.score.report import NotJudgedError
from jmjp_convert.errors import PlayError, expect_type, impossible
from jmjp_convert.messages import WINDS
from jmjp_convert.model import (
    SEATS,
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
from jmjp_convert.model.tiles import text
from jmjp_convert.play import effects
from jmjp_convert.play.legal import Legal, counted
from jmjp_convert.play.melds import tiles_of
from jmjp_convert.play.ponds import PondTable, Seen, Thrown
from jmjp_convert.play.position import NOBODY, Exposed
from jmjp_convert.play.shanten import shanten
from jmjp_convert.play.table import no_event
from jmjp_convert.play.table import replay as played
from jmjp_convert.play.violations import expect_legal

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
        self._names = tuple(names)
        self._events: list[Event] = []

    def play(self, event: Event, *, recorded: bool = False) -> None:
        """Play *event*. Its tiles may be exact copies, of which any that the player has is accepted, known only by
        face, or unknown. After an error, the table is as it was before.

        The rules are Tenhou's (docs/design/scoring.md, Positions), and the yaku, if the extra ``score`` is installed,
        those of the house of :attr:`rules`. What depends on unknown tiles is not examined.

        :param recorded: accept what is against the rules but possible, as :func:`walk` does: a record may have a false
            win or riichi, or the rules of another table, such as kuikae.
        :raises PlayError: it is impossible or against the rules, and why.
        :raises TypeError: *event* is not an event.
        """
        if not isinstance(event, Event):
            raise no_event(type(event))
        if not recorded:
            expect_legal(self._table, event)
            if isinstance(event, Win):
                self._expect_win(event)
        try:
            self._table.play(event)
        except PlayError:
            self._table = PondTable(self.start, self.rules)  # the event may have changed something
            for earlier in self._events:
                self._table.play(earlier)
            raise
        self._events.append(event)

    def is_legal(self, event: Event) -> bool:
        """Return whether *event* may be played now: whether :meth:`play` accepts it. The table stays as it is.

        :raises TypeError: *event* is not an event.
        """
        try:
            self.copy().play(event)
        except PlayError:
            return False
        return True

    def copy(self) -> Table:
        """Return a table in the same state, on which other events can be played.

        There is no way to take events back: play them on a copy, which takes as long as playing 25 events.
        """
        copied = Table.__new__(Table)
        copied._table = self._table.copy()  # noqa: SLF001 - of the same class
        copied._names = self._names  # noqa: SLF001
        copied._events = self._events.copy()  # noqa: SLF001
        return copied

    # --- the state ---------------------------------------------------------------------------------------------------

    @property
    def rules(self) -> Rules:
        """The rules of the match."""
        return self._table.rules

    @property
    def start(self) -> Start:
        """The start of the frame."""
        return self._table.start

    @property
    def round(self) -> int:
        """The round, 0 to 15, four to a wind: 0 is E1, 5 is S2."""
        return self.start.round

    @property
    def round_wind(self) -> int:
        """The tile type of the round wind, 27 for East to 30 for North."""
        return self.start.round_wind

    @property
    def dealer(self) -> int:
        """The dealer, a player."""
        return self.start.dealer

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
        """The points by player, in points, if known: paid riichi sticks are taken off, and after a win or draw they
        are what is left after the payments, if the event has these (:meth:`wins`)."""
        return self._table.points

    @property
    def sticks(self) -> int | None:
        """The number of riichi sticks on the table, of 1,000 points each, if known."""
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

    def seat_wind(self, player: int) -> int:
        """Return the tile type of the seat wind of *player*, 27 for East to 30 for North."""
        return self._table.seat_wind(self._player(player))

    def legal(self, player: int) -> Legal:
        """Return what *player* may do now, by Tenhou's rules (docs/design/scoring.md, Positions).

        Calls are listed once for each choice of faces; whether a certain event is legal, :meth:`is_legal` says.

        :raises PlayError: the hand has unknown tiles.
        """
        legal = self._table.legal(self._player(player))
        if not legal.win:
            return legal
        return legal._replace(yaku=has_yaku(self._table, self._events, self._win_of(player)))

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
        return shanten(counted(table, player, drawn=True), players=table.rules.players)

    def _player(self, player: int) -> int:
        """Return *player*, if that is one."""
        if not isinstance(player, int):
            raise TypeError(f"expected a player, such as 0, found {type(player).__name__}")
        if player not in range(self._table.rules.players):
            raise ValueError(f"expected a player, 0 to {self._table.rules.players - 1}, found {player!r}")
        return player

    # --- how the frame ends ------------------------------------------------------------------------------------------

    def wins(self, *players: int, ura: Sequence[int] | None = None) -> tuple[Win, ...]:
        """Return the wins of *players* on the tile just drawn or offered, in turn order, with all that a record has:
        fu, han, yaku, points, pao, and the payments with honba and riichi sticks. They are not played; :meth:`play`
        each.

        The rules are those of the ranked games of the house of :attr:`rules`, otherwise Tenhou's, with its open tanyao
        and red fives (docs/design/scoring.md). Where one is unknown, such as which part pao covers, the usual one
        counts. This needs the extra ``score``.

        :param players: all who win: of several, the first in turn order gets honba and sticks.
        :param ura: the ura dora indicators, one for each dora indicator turned; an empty list if ura dora do not count.
            Needed if a winner is in riichi.
        :raises PlayError: a player may not win, and why; or the value is unknown, as with unknown tiles or without a
            dora indicator.
        :raises MissingExtraError: the extra ``score`` is not installed.
        :raises TypeError: a player is not a number.
        :raises ValueError: there is no such player, or *ura* is needed or has another number of tiles.
        """
        table = self._table
        wins = [self._win_of(player) for player in dict.fromkeys(map(self._player, players))]
        self._expect_ura(players, ura)
        for win in wins:
            expect_legal(table, win)
            self._expect_yaku(win)
        self._expect_few_wins(players)
        try:
            return valued(table, self._events, wins, ura or ())
        except NotJudgedError as error:
            raise PlayError(f"the value of the win is unknown: {error.reason}") from error

    def exhaustive_draw(self) -> Ryuukyoku:
        """Return the draw after the last discard, exhaustive or by nagashi mangan, with the hands that are shown and
        the payments. It is not played; :meth:`play` it.

        The rules are those of :meth:`wins`. This needs the extra ``score``.

        :raises PlayError: the frame is not at its end, or the payments are unknown.
        :raises MissingExtraError: the extra ``score`` is not installed.
        """
        try:
            draw = exhaustive_draw(self._table, self._events)
        except NotJudgedError as error:
            raise PlayError(f"the payments of the draw are unknown: {error.reason}") from error
        self.copy().play(draw)
        return draw

    def _win_of(self, player: int) -> Win:
        """Return the win of *player* on the tile just drawn or offered, without its value.

        :raises PlayError: there is no such tile.
        """
        table, last = self._table, self._table.last
        if table.drawn is not None and table.turn == player:
            return Win(player, None, table.drawn)
        if table.drawn is not None or last is None or last.player == player or player in table.winners:
            raise impossible("{player} has no tile to win on", player)
        return Win(player, last.player, last.tiles[0] if isinstance(last, Ankan) else last.tile)

    def _expect_win(self, win: Win) -> None:
        """Check that *win*, if it is possible, has a yaku, and is not one too many."""
        try:
            possible = self._win_of(win.player)
        except PlayError:
            return
        if (possible.source, possible.tile) == (win.source, win.tile):
            self._expect_few_wins([win.player])
            self._expect_yaku(win)

    def _expect_yaku(self, win: Win) -> None:
        if has_yaku(self._table, self._events, win) is False:
            raise impossible(
                "{player} wins on tile {tile} without a yaku", win.player, tile=self._table.label(win.tile)
            )

    def _expect_few_wins(self, players: Sequence[int]) -> None:
        """Check that three players do not win at once, if the house does not let them."""
        winners = {*self._table.winners, *players}
        if len(winners) == SEATS - 1 and not rules_of(self.rules.house).triple_ron:
            raise PlayError("three players win on one tile; the frame is drawn")

    def _expect_ura(self, players: Sequence[int], ura: Sequence[int] | None) -> None:
        """Check the ura dora indicators for wins of *players*."""
        count = len(self.indicators)
        if ura is None:
            winner = next((player for player in players if self._table.riichi[player]), None)
            if winner is not None:
                raise ValueError(
                    f"player {winner} wins in riichi; pass as many ura dora indicators as ura ({count}), or ura=[]"
                )
        elif len(ura) not in {0, count}:
            raise ValueError(f"expected {count} ura dora indicators, one for each dora indicator, found {len(ura)}")

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
        return f"<Table {self.start.name}: {len(self._events)} events played, {self.left} tiles left, turn of {turn}>"

    def _lines(self) -> Iterator[str]:
        """Yield the lines of the table as text: the frame, each player with hand and pond, the last event."""
        table = self._table
        sticks = f", riichi sticks: {table.sticks}" if table.sticks else ""
        yield f"{self.start.name}: {self.left} tiles left, dora indicators: {self._faces(self.indicators)}{sticks}"
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
        seat = WINDS[(player - self.start.dealer) % self._table.rules.players]
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

    What is against the rules but possible is played, as recorded; so do :func:`replay` and ``table.play(event,
    recorded=True)``.

    :param match: the match, or only its rules.
    :raises PlayError: the play is not recorded or is impossible; with the index of the event.
    :raises TypeError: *match* or *frame* are something else.
    """
    rules = _rules(match, frame)
    names = [player.name for player in match.players] if isinstance(match, Match) else ()
    return _walked(frame, Table(frame.start, rules, names))


def _rules(match: Match | Rules, frame: Frame) -> Rules:
    expect_type(match, (Match, Rules), "a Match, or its Rules")
    expect_type(frame, Frame, "a Frame, such as match.frames[0]")
    return match.rules if isinstance(match, Match) else match


def _walked(frame: Frame, table: Table) -> Iterator[tuple[Table, Event]]:
    index = -1
    try:
        for index, event in enumerate(frame.events):  # noqa: B007 - an error has the index of the last
            yield table, event
            table.play(event, recorded=True)
        effects.expect_wall(table._table)  # noqa: SLF001 - of this module
    except PlayError as error:
        error.index = index
        raise
