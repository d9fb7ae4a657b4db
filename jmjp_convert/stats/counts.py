"""Counts what each player of a match did: numbers that add up over any games, in any order; rates are their quotients.

What is counted is as in other statistics of these games (docs/stats.md): a double ron is one deal-in, a riichi counts
once declared, even if its tile is ronned, and a turn is a player's own discard.
"""

from __future__ import annotations

import unicodedata
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Mapping
from typing import NamedTuple, TypeVar

from jmjp_convert.model import TO_THE_LAST, Call, Discard, Ending, Frame, House, Match, Player, RiichiDeclared, Win
from jmjp_convert.play.points import points_at_end, ranking
from jmjp_convert.stats.curve import Curve, began

RIICHI, IPPATSU, DOUBLE_RIICHI, DORA, URA_DORA, RED_FIVES = 1, 2, 21, 52, 53, 54
"""Tenhou's numbers of yaku."""


def turn_of_win(win: Win, discards: int) -> int:
    """Return the turn of *win*, before which the winner has made that many *discards*: a tsumo adds a turn."""
    return discards + (win.source is None)


def who_dealt_in(wins: Iterable[Win]) -> set[int]:
    """Return the players who dealt in; a double ron is one deal-in."""
    return {win.source for win in wins if win.source is not None}


def in_tenpai(ending: Ending) -> tuple[bool, ...] | None:
    """Return, by player, who showed a hand in tenpai; ``None`` if the frame did not end with an exhaustive draw (or
    nagashi mangan), or if the hands shown are not recorded."""
    if isinstance(ending, Win) or ending.kind not in TO_THE_LAST or ending.shown is None:
        return None
    return tuple([hand is not None for hand in ending.shown])


# --- a match ----------------------------------------------------------------------------------------------------------

Counts = Counter[str]
"""Numbers of one player, by name; missing ones are 0. Points are in points, turns are numbers of own discards.

- ``games``; those with a known final score are ``placed``: ``place1`` to ``place4``, ``places`` (their sum), ``busts``;
  those with a known result are ``results``, and ``result`` is their sum.
- ``frames`` with a known ending; of these, those with recorded play are ``played``.
- ``wins``, ``tsumo``; wins of known value are ``valued``, and ``win_points`` is their sum.
- ``deal_ins``; those of known value are ``valued_deal_ins``, and ``deal_in_points`` is their sum.
- ``riichi``, ``riichi_turns``; ``calls``, the frames with a chi, pon or daiminkan; ``played_wins``, ``win_turns``.
- ``draws`` at the end of the wall where the hands shown are known, and of these ``draw_tenpai``.
- ``riichi_wins``, wins in riichi with known yaku, yakuman too, and of these ``ippatsu`` and ``ura``.
- ``yaku N``: wins with the yaku of number N. One without a number is not counted.
"""


def counts_of(match: Match) -> list[Counts]:
    """Return what each player of *match* did, in player order."""
    by_player = [Counter(games=1) for _ in match.players]
    _add_result(by_player, match)
    for frame in match.frames:
        endings = frame.endings
        if endings:
            _add_ending(by_player, frame)
            if frame.start.hands:
                _add_play(by_player, frame)
    return by_player


def _add_result(by_player: list[Counts], match: Match) -> None:
    points, results = points_at_end(match), match.results
    if points is not None:
        for placement, player in enumerate(ranking(points), 1):
            by_player[player].update(
                {"placed": 1, f"place{placement}": 1, "places": placement, "busts": points[player] < 0}
            )
    for counts, result in zip(by_player, results or (), strict=False):
        counts.update(results=1, result=result)


def _add_ending(by_player: list[Counts], frame: Frame) -> None:
    endings, riichi = frame.endings, frame.riichi
    wins = frame.wins
    for counts in by_player:
        counts["frames"] += 1
    for win in wins:
        _add_win(by_player[win.player], win, riichi=win.player in riichi)
    for source in who_dealt_in(wins):
        counts = by_player[source]
        counts["deal_ins"] += 1
        points = [win.points for win in wins]
        if None not in points:
            counts.update(valued_deal_ins=1, deal_in_points=sum(value or 0 for value in points))
    for end in endings:
        tenpai = in_tenpai(end)
        if tenpai is not None:
            for counts, is_tenpai in zip(by_player, tenpai, strict=True):
                counts.update(draws=1, draw_tenpai=is_tenpai)


def _add_win(counts: Counts, win: Win, *, riichi: bool) -> None:
    """Count *win*.

    :param riichi: whether the play shows that the winner is in riichi: with a yakuman, the yaku do not.
    """
    counts.update(wins=1, tsumo=win.source is None)
    if win.points is not None:
        counts.update(valued=1, win_points=win.points)
    numbers = {yaku.number for yaku in win.counting_yaku}
    counts.update(f"yaku {number}" for number in numbers if number is not None)
    if (riichi and numbers) or not numbers.isdisjoint((RIICHI, DOUBLE_RIICHI)):
        counts.update(riichi_wins=1, ippatsu=IPPATSU in numbers, ura=URA_DORA in numbers)


def _add_play(by_player: list[Counts], frame: Frame) -> None:
    turns = [0] * len(by_player)
    called = set()
    for counts in by_player:
        counts["played"] += 1
    for event in frame.events:
        if isinstance(event, Discard):
            turns[event.player] += 1
        elif isinstance(event, RiichiDeclared):
            by_player[event.player].update(riichi=1, riichi_turns=turns[event.player] + 1)
        elif isinstance(event, Call):
            called.add(event.player)
        elif isinstance(event, Win):
            by_player[event.player].update(played_wins=1, win_turns=turn_of_win(event, turns[event.player]))
    for player in called:
        by_player[player]["calls"] += 1


# --- rates ------------------------------------------------------------------------------------------------------------


class Rate(NamedTuple):
    """A rate or mean."""

    key: str  # its name in JSON and CSV
    english: str  # its name in text
    japanese: str  # the same in Japanese
    of: str  # the count that is divided
    by: str  # the count that it is divided by; with none of these, the rate is unknown
    form: str  # share, in per cent; number, with two decimals; points, whole; or result, in thousands
    # Its heading in a table of players, in English and Japanese; without one, it is not in the table.
    short: tuple[str, str] | None = None


RATES = (
    Rate("mean_place", "Average placement", "平均順位", "places", "placed", "number", ("Place", "平均順位")),
    Rate("first_rate", "1st", "1位率", "place1", "placed", "share", ("1st", "1位")),
    Rate("second_rate", "2nd", "2位率", "place2", "placed", "share", ("2nd", "2位")),
    Rate("third_rate", "3rd", "3位率", "place3", "placed", "share", ("3rd", "3位")),
    Rate("fourth_rate", "4th", "4位率", "place4", "placed", "share", ("4th", "4位")),
    Rate("bust_rate", "Bust rate", "飛び率", "busts", "placed", "share"),
    Rate("mean_result", "Average result", "平均ポイント", "result", "results", "result"),
    Rate("win_rate", "Win rate", "和了率", "wins", "frames", "share", ("Win", "和了率")),
    Rate("tsumo_rate", "Tsumo rate", "ツモ率", "tsumo", "wins", "share"),
    Rate("deal_in_rate", "Deal-in rate", "放銃率", "deal_ins", "frames", "share", ("Deal-in", "放銃率")),
    Rate("riichi_rate", "Riichi rate", "立直率", "riichi", "played", "share", ("Riichi", "立直率")),
    Rate("call_rate", "Call rate", "副露率", "calls", "played", "share", ("Call", "副露率")),
    Rate("draw_tenpai_rate", "Tenpai rate at draws", "流局聴牌率", "draw_tenpai", "draws", "share"),
    Rate("mean_win_points", "Average win value", "平均和了点", "win_points", "valued", "points"),
    Rate("mean_deal_in_points", "Average deal-in value", "平均放銃点", "deal_in_points", "valued_deal_ins", "points"),
    Rate("mean_riichi_turn", "Average riichi turn", "平均立直巡目", "riichi_turns", "riichi", "number"),
    Rate("mean_win_turn", "Average winning turn", "平均和了巡目", "win_turns", "played_wins", "number"),
    Rate("ippatsu_rate", "Ippatsu rate", "一発率", "ippatsu", "riichi_wins", "share"),
    Rate("ura_rate", "Ura rate", "裏ドラ率", "ura", "riichi_wins", "share"),
)
"""In the order in which they are shown."""


def value_of(rate: Rate, counts: Counts) -> float | None:
    """Return *rate* for a player's *counts*; ``None`` if there is nothing to divide by."""
    number = counts[rate.by]
    return counts[rate.of] / number if number else None


# --- many games -------------------------------------------------------------------------------------------------------


GUEST = "NoName"
"""The name of everybody who plays on Tenhou without registering."""


_COMPUTER = "C"
"""The sex of computers."""


class Person(NamedTuple):
    """Somebody who plays games with three or four *seats*: an *account* on the server of a *house*, or else everyone
    with a *name*."""

    name: str  # empty if not recorded; the latest of an account that has had several
    seats: int
    house: House | None = None
    account: int | None = None
    computer: bool = False  # whether the server, rather than somebody with an account or a name, played

    @property
    def identity(self) -> Person:
        """The player without what may differ between games."""
        return self if self.account is None else self._replace(name="")

    @property
    def is_guest(self) -> bool:
        """Whether the player is one of the guests of Tenhou, who all have the same name."""
        return self.name == GUEST and self.account is None and not self.computer

    @property
    def is_nameless(self) -> bool:
        """Whether nothing tells the player from others."""
        return not self.name and self.account is None and not self.computer

    @property
    def is_shared(self) -> bool:
        """Whether this stands for many players, of whom there are no statistics: guests, computers, or those without a
        name."""
        return self.is_guest or self.computer or self.is_nameless

    @property
    def called(self) -> set[str]:
        """What a user may call the player: the name, or the number of the account."""
        return {self.name} if self.account is None else {self.name, str(self.account)}


def account_number(who: Person) -> str:
    """Return the number of the account of a player; empty for one without."""
    return "" if who.account is None else str(who.account)


def labels(players: Iterable[Person], id_of: Callable[[Person], str] = account_number) -> list[str]:
    """Return what to call *players*: their names, followed by the ID of those with an account where several have the
    same name and number of seats.

    :param id_of: returns that ID, empty for a player without.
    """
    listed = [*players]
    alike = Counter((who.name, who.seats) for who in listed)
    return [
        f"{who.name} ({id_})" if alike[who.name, who.seats] > 1 and (id_ := id_of(who)) else who.name for who in listed
    ]


_Sum = TypeVar("_Sum", Counts, Curve)


def _folded(name: str) -> str:
    """Return *name* without differences of case and width."""
    return unicodedata.normalize("NFKC", name).casefold()


def is_called(who: Person, name: str) -> bool:
    """Return whether *name* is the name or account number of *who*, or part of the name."""
    return name in who.called or _folded(name) in _folded(who.name)


def _merge(sums: dict[Person, _Sum], other: Mapping[Person, _Sum], empty: Callable[[], _Sum]) -> None:
    for who, added in other.items():
        sums.setdefault(who, empty()).update(added)


class Part(NamedTuple):
    """What a player did in a game."""

    who: Person
    counts: Counts
    when: int | None  # when the game began, in hours as in Point
    result: int | None  # the result, if known


def parts_of(match: Match) -> list[Part]:
    """Return what each player of *match* did, in player order."""
    when, results = began(match), match.results
    return [
        Part(person_of(match, player), counts, when, results[number] if results is not None else None)
        for number, (player, counts) in enumerate(zip(match.players, counts_of(match), strict=True))
    ]


def person_of(match: Match, player: Player) -> Person:
    """Return who a *player* of *match* is.

    The computers that fill tables on other servers all have one name. Those on Tenhou have names like everybody else.
    """
    house, name, seats = match.rules.house, player.name or "", len(match.players)
    if player.account is not None:
        return Person(name, seats, house, player.account)
    return Person(name, seats, computer=player.sex == _COMPUTER and house is not House.TENHOU)


class Players:
    """The counts of players over any games.

    Its size grows with the number of players, not of games: nothing of a game is kept, not even its log ID, so a game
    that is added twice counts twice.

    Guests of Tenhou all have the same name. They are many people, and not counted; neither are computers, nor players
    whose names are not recorded.

    :param names: whom to count, by name or number of the account, or else by part of the name; everybody if empty.
    :param over_time: whether to keep their results over time too.
    """

    def __init__(self, names: Collection[str] = (), *, over_time: bool = False) -> None:
        self.guests = 0  # how often a guest played
        self.nameless = 0  # how often somebody without a name played
        self.computers: Counter[str] = Counter()  # how often computers played, by their names
        self.others: set[str] = set()  # the names of players who were not counted
        self._counts: dict[Person, Counts] = {}
        self._curves: dict[Person, Curve] = {}
        self._called: dict[Person, tuple[int, str]] = {}
        self._names = tuple(names)
        self._over_time = over_time

    def add_matches(self, matches: Iterable[Match]) -> None:
        """Add *matches*."""
        for match in matches:
            self.add_parts(parts_of(match))

    def add_parts(self, parts: Iterable[Part]) -> None:
        """Add what players did in a game."""
        for who, counts, when, result in parts:
            if who.is_shared:
                self.guests += who.is_guest
                self.nameless += who.is_nameless
                if who.computer:
                    self.computers[who.name] += 1
                continue
            if self._names and not any(is_called(who, name) for name in self._names):
                self.others.add(who.name)
                continue
            if who.account is not None:
                self._call(who.identity, (-1 if when is None else when, who.name))
            self._counts.setdefault(who, Counter()).update(counts)
            if self._over_time and when is not None and result is not None:
                self._curves.setdefault(who, Curve()).add(when, result)

    def add(self, other: Players) -> None:
        """Add the players of *other*."""
        _merge(self._counts, other._counts, Counter)
        _merge(self._curves, other._curves, Curve)
        for who, called in other._called.items():
            self._call(who, called)
        self.guests += other.guests
        self.nameless += other.nameless
        self.computers.update(other.computers)
        self.others |= other.others

    @property
    def counts(self) -> dict[Person, Counts]:
        """The counts by the identity of the player."""
        return self._by_identity(self._counts, Counter)

    @property
    def curves(self) -> dict[Person, Curve]:
        """By the same, the results over time of players with dated games that have a result."""
        return self._by_identity(self._curves, Curve)

    def _by_identity(self, sums: Mapping[Person, _Sum], empty: Callable[[], _Sum]) -> dict[Person, _Sum]:
        """Return *sums* of those who are meant: a part of a name is meant only if nobody has it as a name."""
        names, parts = self._exact, set(self._names) - self._exact
        merged: dict[Person, _Sum] = {}
        for who, added in sums.items():
            if not self._names or not names.isdisjoint(who.called) or any(is_called(who, part) for part in parts):
                merged.setdefault(who.identity, empty()).update(added)
        return merged

    @property
    def _exact(self) -> set[str]:
        """Those of the names that somebody has, including guests and computers; the others may be parts of names."""
        had = {name for who in self._counts for name in who.called}
        return {GUEST, *self.computers, *had}.intersection(self._names)

    @property
    def missing(self) -> list[str]:
        """Those of the names that stand for nobody who is counted."""
        exact, players = self._exact, self._counts
        return [
            name
            for name in self._names
            if not any(name in who.called if name in exact else is_called(who, name) for who in players)
        ]

    def near(self, name: str) -> list[str]:
        """Return names that are similar to *name*, the most similar first."""
        from difflib import get_close_matches

        others = {_folded(other): other for other in sorted(self.others)}
        return [others[similar] for similar in get_close_matches(_folded(name), others, n=3)]

    def _call(self, who: Person, called: tuple[int, str]) -> None:
        """Note when, and by which name, the account *who* played."""
        self._called[who] = max(called, self._called.get(who, called))

    def ranked(self, min_games: int = 1) -> list[tuple[Person, Counts]]:
        """Return the players of *min_games* or more: four-player games first, then by games, then by name and
        account."""
        players = [
            (who._replace(name=self._called[who][1]) if who in self._called else who, counts)
            for who, counts in self.counts.items()
            if counts["games"] >= min_games
        ]
        return sorted(
            players,
            key=lambda player: (
                -player[0].seats,
                -player[1]["games"],
                player[0].name,
                -1 if player[0].account is None else player[0].account,
            ),
        )
