"""How Riichi Advanced deals from a config, and how an mjlog's frame compares with that deal.

The facts are from ``docs/design/riichi-advanced.md`` 1 (which names the game's sources; the game is AGPL, and none of
its code is here) and from Riichi Advanced's documentation of rulesets. Of what is tested, only the JSON is used here.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from itertools import chain
from random import Random
from typing import Any

from jmjp_convert.model import Ankan, Daiminkan, DoraRevealed, Draw, Frame, Kakan, Win

SEATS = ("east", "south", "west", "north")
RECIPIENTS = {wind: seat for seat, wind in enumerate(SEATS)}
"""The winds of the round, from the dealer on."""
FIVES = {"man": "m", "pin": "p", "sou": "s"}
RED = {16: "0m", 52: "0p", 88: "0s"}
HAND, DRAWS, DEAD_WALL = 13, 70, 14
SUITED = 27


def name(tile: int, *, red_fives: bool) -> str:
    """Return the game's name of the tile with Tenhou's ID *tile*."""
    kind = tile // 4
    plain = f"{kind % 9 + 1}{'mps'[kind // 9]}" if kind < SUITED else f"{kind - SUITED + 1}z"
    return RED.get(tile, plain) if red_fives else plain


def ruleset_wall(mods: list[Any]) -> list[str]:
    """Return the tiles of the riichi ruleset; the mod ``aka`` makes some fives red."""
    wall = [name(tile, red_fives=False) for tile in range(136)]
    for suit, count in setting(mods, "aka").items():
        for _ in range(count):
            wall[wall.index(f"5{FIVES[suit]}")] = f"0{FIVES[suit]}"
    return wall


def setting(mods: list[Any], wanted: str) -> dict[str, Any]:
    """Return the settings of a mod; nothing if it is not on."""
    return next((mod["config"] for mod in mods if isinstance(mod, dict) and mod["name"] == wanted), {})


@dataclass
class Game:
    """A game whose first round has been dealt.

    :ivar warnings: tiles of which the ruleset has too few; the game only warns its operator.
    :ivar hands: by seat.
    :ivar live: the tiles left to draw.
    :ivar dead: the dead wall, its last tile at the end.
    """

    warnings: Counter[str]
    hands: dict[str, list[str]]
    live: list[str]
    dead: list[str]
    kyoku: int
    honba: int
    dice: tuple[int, ...]
    scores: dict[str, int]
    max_rounds: int
    goal: int | None
    pot: int = 0
    replaced: int = 0

    def dealer(self) -> int:
        """Return the dealer's seat."""
        return self.kyoku % 4

    def tiles(self) -> Counter[str]:
        """Return all tiles of the game."""
        return Counter([*chain(*self.hands.values()), *self.live, *self.dead])

    def draw(self) -> str:
        """Draw the next tile."""
        return self.live.pop(0)

    def replacement(self) -> str:
        """Draw after a kan: the tiles are in pairs from the end, the upper one of a pair first; the last live tile
        moves to the dead wall."""
        pair, lower = divmod(self.replaced, 2)
        self.replaced += 1
        self.live.pop()
        return self.dead[-2 - 2 * pair + lower]

    def indicator(self, number: int) -> str:
        """Return a dora indicator, 0 for the first: with the mod ``dora`` it is the sixth tile from the end."""
        return self.dead[-6 - 2 * number]

    def ura(self, number: int) -> str:
        """Return the ura dora indicator under it."""
        return self.dead[-5 - 2 * number]

    def ends(self, scores: list[int]) -> bool:
        """Return whether the game ends if the round leaves these *scores*; otherwise the same wall is dealt again."""
        over = self.kyoku >= self.max_rounds - 1
        if self.goal is None:
            return over
        return over and (max(scores) >= self.goal or self.kyoku >= self.max_rounds + 3)


def deal(config: dict[str, Any], mods: list[Any], chance: int = 0) -> Game:
    """Return the game that *config* makes of the riichi ruleset with *mods*; *chance* decides the rest."""
    random = Random(chance)  # noqa: S311 - not for security
    wanted = ruleset_wall(mods)
    tiles_by_index = rigged(config)
    rest = list((Counter(wanted) - Counter(tiles_by_index.values())).elements())
    random.shuffle(rest)
    wall = [
        tiles_by_index[index] if index in tiles_by_index else rest.pop() if rest else "" for index in range(len(wanted))
    ]
    kyoku = config.get("starting_round", 0)
    game = Game(
        warnings=Counter(wall) - Counter(wanted),
        hands={seat: wall[HAND * index : HAND * (index + 1)] for index, seat in enumerate(SEATS)},
        live=wall[HAND * len(SEATS) : -DEAD_WALL],
        dead=wall[-DEAD_WALL:],
        kyoku=kyoku,
        honba=config.get("starting_honba", 0),
        dice=tuple(config.get("starting_dice", (random.randint(1, 6), random.randint(1, 6)))),
        scores=dict.fromkeys(SEATS, config.get("initial_score", 25000)),
        max_rounds=config.get("max_rounds", 4 if "lib/tonpuu" in mods else 8),
        goal=config.get("sudden_death_goal", setting(mods, "sudden_death").get("goal")),
    )
    for act, *arguments in config.get("after_initialization", {}).get("actions", []):
        if act == "add_score":
            game.scores[SEATS[(game.dealer() + RECIPIENTS[arguments[1]]) % 4]] += arguments[0]
        elif act == "add_to_pot":
            game.pot += arguments[0]
    return game


def rigged(config: dict[str, Any]) -> dict[int, str]:
    """Return the tiles that *config* fixes, by place in the wall: the hands come seat by seat from the dealer of E1,
    then the draws; the dead wall is fixed from the end, pair by pair, the second last tile first."""
    tiles_by_index: dict[int, str] = {}
    for seat, tiles in config.get("starting_hand", {}).items():
        tiles_by_index.update(enumerate(tiles, HAND * SEATS.index(seat)))
    tiles_by_index.update(enumerate(config.get("starting_draws", []), HAND * len(SEATS)))
    for number, tile in enumerate(config.get("starting_dead_wall", [])):
        tiles_by_index[136 - (number ^ 1) - 1] = tile
    return tiles_by_index


def expect_frame(game: Game, frame: Frame, *, red_fives: bool) -> None:
    """Play *frame*, recorded in an mjlog, in *game*: every tile has to come as it did there."""

    def called(tile: int) -> str:
        return name(tile, red_fives=red_fives)

    start = frame.start
    for seat, hand in zip(SEATS, start.hands, strict=True):
        assert sorted(game.hands[seat]) == sorted(map(called, hand))
    assert game.dealer() == start.dealer
    turned = [] if start.indicator is None else [start.indicator]
    ura: tuple[int, ...] = ()
    after_kan = False
    for event in frame.events:
        if isinstance(event, Draw):
            assert (game.replacement() if after_kan else game.draw()) == called(event.tile)
            after_kan = False
        elif isinstance(event, Ankan | Daiminkan | Kakan):
            after_kan = True
        elif isinstance(event, DoraRevealed):
            turned.append(event.indicator)
        elif isinstance(event, Win):
            ura = max(ura, event.ura, key=len)
    assert [game.indicator(number) for number in range(len(turned))] == list(map(called, turned))
    assert [game.ura(number) for number in range(len(ura))] == list(map(called, ura))


def expect_table(game: Game, frame: Frame) -> None:
    """Compare the points and sticks in the game with the start of *frame*."""
    start = frame.start
    assert start.points is not None
    assert start.sticks is not None
    assert [game.scores[seat] for seat in SEATS] == list(start.points)
    assert (game.kyoku, game.honba, game.pot) == (start.round, start.honba, 1000 * start.sticks)
