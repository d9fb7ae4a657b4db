"""Simulated players do nothing that Tenhou's rules forbid, even if the converter allows it for other tables."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import date

import pytest
from mahjong.agari import Agari
from playing import LINES, matches
from simulator.coverage import Tally
from simulator.eras import era_of
from simulator.game import GameSpec, walls_of
from simulator.rules import rules_of
from simulator.table import FrameSetup, Table

from jmjp_convert.model import (
    Ankan,
    Chi,
    Daiminkan,
    Discard,
    Draw,
    DrawKind,
    Event,
    Frame,
    Kakan,
    Kita,
    Pon,
    RiichiAccepted,
    RiichiDeclared,
    Ryuukyoku,
    Win,
)

TO_DRAW = {4: 70, 3: 55}
KINDS, COPIES, STICK, FOUR = 34, 4, 1000, 4
Called = Chi | Pon | Daiminkan
Kan = Daiminkan | Ankan | Kakan


class Watcher:
    """Follows a frame: the closed tiles, the rivers, and what each player has let pass.

    :ivar wrong: what is forbidden and was done.
    """

    def __init__(self, frame: Frame, players: int) -> None:
        self.wrong: list[str] = []
        self.left = TO_DRAW[players]
        self.hands = [list(hand) for hand in frame.start.hands]
        self.points = list(frame.start.points or ())
        self.rivers: list[set[int]] = [set() for _ in range(players)]
        self.passed: list[set[int]] = [set() for _ in range(players)]
        self.riichi: dict[int, set[int]] = {}
        self.kans: list[int] = []
        self.last: Event | None = None
        self.offered: tuple[int, int] | None = None  # the player who may be ronned, and the kind
        for event in frame.events:
            self.follow(event)

    def expect(self, what: str, *, when: bool) -> None:
        """Note *what* as a problem, unless *when* holds."""
        if not when:
            self.wrong.append(f"{what}: {self.last}")

    def waits(self, player: int) -> set[int]:
        """Return the waits of *player*'s hand according to the package."""
        counts = [0] * KINDS
        for tile in self.hands[player]:
            counts[tile // 4] += 1
        kinds = set()
        for kind in range(KINDS):
            if counts[kind] < COPIES:
                counts[kind] += 1
                kinds |= {kind} if Agari.is_agari(counts) else set()
                counts[kind] -= 1
        return kinds

    def follow(self, event: Event) -> None:
        """Check the next event."""
        match event:
            case Draw():
                self.left -= 1
                self.hands[event.player].append(event.tile)
            case Discard():
                self.discard(event)
            case Chi() | Pon() | Daiminkan() | Ankan() | Kakan() | Kita():
                self.meld(event)
            case RiichiDeclared():
                self.expect("riichi without a stick", when=self.points[event.player] >= STICK)
                self.expect("riichi without a turn to come", when=self.left >= len(self.hands))
            case RiichiAccepted():
                self.points[event.player] -= STICK
                self.riichi[event.player] = self.waits(event.player)
                self.expect("riichi that waits for nothing", when=bool(self.riichi[event.player]))
            case Win() if event.source is not None:
                waits = self.waits(event.player)
                forbidden = self.rivers[event.player] | self.passed[event.player]
                self.expect("furiten", when=not waits & forbidden)
                self.expect("a win on what is not waited for", when=event.tile // 4 in waits)
        if not isinstance(event, Win | RiichiAccepted):
            self.last = event

    def discard(self, event: Discard) -> None:
        """Check a discard."""
        kind = event.tile // 4
        self.expect("kuikae", when=kind not in swapped(self.last))
        self.hands[event.player].remove(event.tile)
        self.rivers[event.player].add(kind)
        self.offer(event.player, kind)
        if event.player not in self.riichi:
            self.passed[event.player] = set()

    def offer(self, source: int, kind: int) -> None:
        """Offer a tile of *kind* to the others, who have let the previous one pass."""
        for player, passed in enumerate(self.passed):
            if self.offered is not None and player != self.offered[0]:
                passed.add(self.offered[1])
        self.offered = (source, kind)

    def meld(self, event: Called | Ankan | Kakan | Kita) -> None:
        """Check a meld."""
        player = event.player
        self.expect("a meld at the last tile", when=self.left > 0)
        if isinstance(event, Kan):
            self.kans.append(player)
            self.expect("a fifth kan", when=len(self.kans) <= FOUR)
        if isinstance(event, Ankan) and player in self.riichi:
            self.expect("a kan of what was not drawn", when=self.hands[player][-1] in event.tiles)
        for tile in tiles_from_hand(event):
            self.hands[player].remove(tile)
        if isinstance(event, Ankan) and player in self.riichi:
            self.expect("a kan that changes the waits", when=self.waits(player) == self.riichi[player])
        if isinstance(event, Kakan | Kita):
            self.offer(player, event.tile // 4)


def tiles_from_hand(meld: Called | Ankan | Kakan | Kita) -> tuple[int, ...]:
    """Return the tiles of *meld* that come from the hand."""
    if isinstance(meld, Called):
        return meld.hand
    return meld.tiles if isinstance(meld, Ankan) else (meld.tile,)


def swapped(last: Event | None) -> set[int]:
    """Return the kinds that may not be discarded after the meld *last*."""
    if not isinstance(last, Chi | Pon):
        return set()
    kind = last.taken // 4
    low, high = sorted(tile // 4 for tile in last.hand)
    if high - low != 1:
        return {kind}
    other = low - 1 if kind == high + 1 else high + 1
    return {kind, other} if other // 9 == kind // 9 else {kind}


def unbroken(frame: Frame, players: int) -> Iterator[str]:
    """Yield the abortive draws that should have ended *frame* but did not."""
    ending = frame.endings[-1]
    kind = ending.kind if isinstance(ending, Ryuukyoku) else None
    events = frame.events
    riichi = sum(isinstance(event, RiichiAccepted) for event in events)
    if players == FOUR and riichi == FOUR and kind is not DrawKind.FOUR_RIICHI:
        yield "four riichi"
    kans = [event.player for event in events if isinstance(event, Kan)]
    if len(kans) == FOUR and len(set(kans)) > 1:
        last_kan = max(index for index, event in enumerate(events) if isinstance(event, Kan))
        after = [event for event in events[last_kan:] if isinstance(event, Discard)]
        if len(after) > 1:
            yield "four kans"
    first = [event for event in events if isinstance(event, Discard | Called | Ankan | Kakan | Kita)][:FOUR]
    thrown = {event.tile // 4 for event in first if isinstance(event, Discard)}
    four = players == FOUR and len(first) == FOUR and all(isinstance(event, Discard) for event in first)
    if four and len(thrown) == 1 and thrown <= set(range(27, 31)) and kind is not DrawKind.FOUR_WINDS:
        yield "four winds"


def test_can_kan() -> None:
    """No kan is possible after the fourth, no matter who declared them, or without a replacement tile."""
    spec = GameSpec("any", rules_of(9), date(2020, 1, 1))
    setup = FrameSetup(spec.rules, era_of(spec.day), 0, 0, 0, (250,) * FOUR)
    table = Table(setup, walls_of(spec).next(0), Tally())
    assert table.can_kan
    table.kan_players = [1] * FOUR
    assert not table.can_kan
    table.kan_players, table.tiles_left = [], 0
    assert not table.can_kan


@pytest.mark.parametrize("line", LINES)
def test_legal(line: str) -> None:
    """Nobody swap-calls, wins while furiten, calls the last tile, or declares a fifth kan or an invalid riichi."""
    for match in matches(line):
        for frame in match.frames:
            assert Watcher(frame, match.rules.players).wrong == []
            assert list(unbroken(frame, match.rules.players)) == []
