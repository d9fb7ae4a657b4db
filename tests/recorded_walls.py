"""Invented walls as servers record them, and frames dealt from them: made by counting tiles, without the package's code
for walls.

A wall is a text of two characters for each tile. It is dealt four tiles at a time, from the dealer on, three times,
then one each, then the dealer's fourteenth. The replacement tiles are the last ones. Before them are the indicators,
each with its ura indicator before it.
"""

from __future__ import annotations

import hashlib
from dataclasses import dataclass, field
from random import Random

from jmjp_convert.model import Discard, Draw, End, Event, Frame, RecordedWall, Start
from jmjp_convert.model.tiles import any_copy

HONORS = {"1z": "ew", "2z": "sw", "3z": "ww", "4z": "nw", "5z": "wd", "6z": "gd", "7z": "rd"}
REPLACEMENTS = {4: 4, 3: 8}
POINTS = {4: 25000, 3: 35000}


def shuffled(name: str, players: int = 4) -> str:
    """Return the text of an invented wall."""
    reds = "mps" if players == 4 else "ps"
    suits = [
        ("m", (1, 9) if players == 3 else range(1, 10)),
        ("p", range(1, 10)),
        ("s", range(1, 10)),
        ("z", range(1, 8)),
    ]
    names = [f"{rank}{suit}" for suit, ranks in suits for rank in ranks for _ in range(4)]
    for suit in reds:
        names[names.index(f"5{suit}")] = f"0{suit}"
    Random(name).shuffle(names)  # noqa: S311 - an invented wall
    return "".join(names)


def tile(name: str) -> int:
    """Return the tile of two characters of a wall."""
    return any_copy(HONORS.get(name, name))


@dataclass
class Server:
    """A server that deals a frame from a wall and plays it.

    :ivar text: the wall.
    :ivar events: what has been played so far.
    """

    text: str
    players: int = 4
    round: int = 0
    events: list[Event] = field(default_factory=list)

    def __post_init__(self) -> None:
        names = [self.text[index : index + 2] for index in range(0, len(self.text), 2)]
        self.tiles = [tile(name) for name in names]
        self.names = names
        self.front = 0
        self.back = len(names)
        self.dealer = self.round % 4
        order = [(self.dealer + seat) % self.players for seat in range(self.players)]
        dealt: dict[int, list[int]] = {player: [] for player in order}
        for count in (4, 4, 4, 1):
            for player in order:
                dealt[player] += [self.next() for _ in range(count)]
        self.fourteenth = self.next()
        self.hands = tuple(tuple(dealt[player]) for player in range(self.players))
        self.rest = self.front
        self.indicators = [self.tiles[self._dead(2 * turned)] for turned in range(5)]
        self.ura = [self.tiles[self._dead(2 * turned + 1)] for turned in range(5)]

    def _dead(self, further: int) -> int:
        return len(self.tiles) - 1 - REPLACEMENTS[self.players] - further

    def next(self) -> int:
        """Take the next tile from the front."""
        self.front += 1
        return self.tiles[self.front - 1]

    def replacement(self) -> int:
        """Take the next replacement tile from the end."""
        self.back -= 1
        return self.tiles[self.back]

    def turns(self, count: int) -> None:
        """Have the first tile discarded, then play *count* draws, each discarded at once."""
        self.events.append(Discard(self.dealer, self.fourteenth, tsumogiri=True))
        for turn in range(1, count + 1):
            player, drawn = (self.dealer + turn) % self.players, self.next()
            self.events += [Draw(player, drawn), Discard(player, drawn, tsumogiri=True)]

    def wall(self, algorithm: str = "sha256", *, dealt: bool = True) -> RecordedWall:
        """Return the wall as recorded."""
        first = 0 if dealt else self.rest
        text = self.text[2 * first :]
        hashed = {"md5": hashlib.md5, "sha256": hashlib.sha256}[algorithm](text.encode())
        return RecordedWall(tuple(self.tiles[first:]), dealt, hashed.hexdigest(), algorithm)

    def frame(self, wall: RecordedWall | None, *events: Event) -> Frame:
        """Return the frame so far, with more *events*, and the *wall* recorded."""
        start = Start(
            *(self.round, 0, 0, self.dealer, None, (POINTS[self.players],) * self.players, self.hands),
            self.indicators[0],
            fourteenth=self.fourteenth,
        )
        return Frame(start, (*self.events, *events), End((), None), None, wall=wall)
