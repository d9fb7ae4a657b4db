"""A reader of mjai for the tests: it plays a game through and rejects impossible play.

Written only from ``docs/design/formats.md`` 2. It does not use the package.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable
from typing import Any, NamedTuple

SUITED = [f"{number}{suit}" for suit in "mps" for number in range(1, 10)]
RED = [f"5{suit}r" for suit in "mps"]
HONORS = list("ESWNPFC")
TILES = {*SUITED, *RED, *HONORS, "?"}

KEYS = {
    "start_game": "names kyoku_first? aka_flag?",
    "start_kyoku": "bakaze dora_marker kyoku honba kyotaku oya scores tehais",
    "tsumo": "actor pai",
    "dahai": "actor pai tsumogiri",
    "chi": "actor target pai consumed",
    "pon": "actor target pai consumed",
    "daiminkan": "actor target pai consumed",
    "kakan": "actor pai consumed",
    "ankan": "actor consumed",
    "dora": "dora_marker",
    "reach": "actor",
    "reach_accepted": "actor",
    "hora": "actor target deltas? ura_markers?",
    "ryukyoku": "deltas?",
    "end_kyoku": "",
    "end_game": "",
}
"""The keys of each event in order; those with a question mark are optional."""

CONSUMED = {"chi": 2, "pon": 2, "daiminkan": 3, "kakan": 3, "ankan": 4}
MELDS = ("chi", "pon", "daiminkan", "kakan", "ankan")

Event = dict[str, Any]


class Refused(Exception):  # noqa: N818 - named after what the reader does
    """Impossible play in a record."""


class Meld(NamedTuple):
    """A meld: its *tiles*, in order of their names, and the source of the tile *taken*."""

    kind: str
    tiles: tuple[str, ...]
    taken: str | None = None
    source: int | None = None


class Kyoku(NamedTuple):
    """The end of a frame: its *name*; by player the closed *hands* without the tile just drawn, *melds* oldest first,
    and *points*; the dora indicators, and the ura dora indicators by winner."""

    name: str
    hands: list[list[str]]
    melds: list[list[Meld]]
    points: list[int] | None
    dora: list[str]
    ura: dict[int, list[str]]


def require(what: bool, why: str) -> None:  # noqa: FBT001 - like an assertion
    """Reject the record unless *what* is true."""
    if not what:
        raise Refused(why)


def plain(tile: str) -> str:
    """Return *tile*, a red five as a plain one."""
    return tile[:2] if tile in RED else tile


def read_mjai(text: str) -> list[Kyoku]:
    """Play the game of *text* through; return the ends of its frames."""
    require(text.endswith("\n"), "no line feed at the end")
    events = [json.loads(line) for line in text.split("\n")[:-1]]
    for event in events:
        check_keys(event)
    require((events[0]["type"], events[-1]["type"]) == ("start_game", "end_game"), "not a whole game")
    require(len(events[0]["names"]) == 4, "not four names")
    found: list[Kyoku] = []
    table: Table | None = None
    for event in events[1:-1]:
        if event["type"] == "start_kyoku":
            require(table is None, "a kyoku in a kyoku")
            table = Table(event, table_before=found[-1] if found else None)
        else:
            require(table is not None, f"{event['type']} between two kyoku")
            assert table is not None
            if event["type"] == "end_kyoku":
                found.append(table.end())
                table = None
            else:
                table.play(event)
    require(table is None, "a kyoku without end")
    return found


def check_keys(event: Event) -> None:
    """Require exactly the keys of the event, in order."""
    words = f"type {KEYS[event['type']]}".split()
    left = [word.rstrip("?") for word in words if not word.endswith("?") or word.rstrip("?") in event]
    require([*event] == left, f"keys {[*event]}")
    require(None not in event.values(), f"null in {event}")


class Table:
    """The table in a kyoku."""

    def __init__(self, start: Event, table_before: Kyoku | None) -> None:
        self.name = f"{start['bakaze']}{start['kyoku']}-{start['honba']}"
        require(start["oya"] == start["kyoku"] - 1, "another dealer")
        require(start["bakaze"] in ("E", "S", "W", "N"), "no wind")
        if table_before is not None and table_before.points is not None:
            require(table_before.points == start["scores"], f"{self.name}: other points than before")
        self.hands = [list(hand) for hand in start["tehais"]]
        require([len(hand) for hand in self.hands] == [13] * 4, "not four hands of thirteen")
        self.melds: list[list[Meld]] = [[], [], [], []]
        self.points: list[int] | None = list(start["scores"])
        self.kyotaku = start["kyotaku"]
        self.dora = [start["dora_marker"]]
        self.ura: dict[int, list[str]] = {}
        self.seen: Counter[str] = Counter()
        self.see([*self.dora, *(tile for hand in self.hands for tile in hand)])
        self.turn: int | None = start["oya"]  # who acts next, unless somebody calls
        self.drawn: str | None = None
        self.must_draw, self.must_discard = True, False
        self.last: Event | None = None  # the tile that can be called or ronned
        self.reach: int | None = None  # who has declared riichi but is not yet accepted
        self.accepted: set[int] = set()
        self.owed = 0  # kans whose dora has yet to be turned
        self.late = False  # whether a dora was just turned during a turn, and so late
        self.over: str | None = None

    def see(self, tiles: list[str]) -> None:
        """Count tiles from the wall: at most four of a kind, one of them red."""
        for tile in tiles:
            require(tile in TILES, f"no tile {tile}")
            if tile != "?":
                self.seen[plain(tile)] += 1
                self.seen[tile] += tile in RED
                require(self.seen[plain(tile)] <= 4 and (tile not in RED or self.seen[tile] <= 1), f"a fifth {tile}")

    def take(self, player: int, tiles: list[str]) -> None:
        """Take tiles out of a hand; an unknown one may be any."""
        for tile in tiles:
            name = tile if tile in self.hands[player] else "?"
            require(name in self.hands[player] or tile == "?", f"{self.name}: player {player} holds no {tile}")
            self.hands[player].remove(name if name in self.hands[player] else self.hands[player][-1])

    def play(self, event: Event) -> None:
        """Play *event*."""
        kind = event["type"]
        require(self.over is None or (self.over == kind == "hora"), f"{kind} after {self.over}")
        if self.reach is not None and self.last is not None:
            require(kind in ("reach_accepted", "hora", "ryukyoku"), f"{kind} before reach_accepted")
        if self.must_discard and self.drawn is None:
            require(kind == "dahai", f"{kind} after a call")
        require(not self.late or kind in ("dahai", "ankan"), f"{kind} after a late dora")
        self.late = kind == "dora" and self.drawn is not None
        HANDLERS[kind](self, event)

    def tsumo(self, event: Event) -> None:
        """Draw."""
        require(self.must_draw and event["actor"] == self.turn, f"{self.name}: no turn of {event['actor']}")
        pending = self.last is not None and self.last["type"] in ("kakan", "daiminkan")
        if self.dora[0] != "?":
            require(self.owed <= pending, f"{self.name}: a dora is not turned before the draw")
        self.drawn = event["pai"]
        self.see([event["pai"]])
        self.must_draw, self.must_discard, self.last = False, True, None

    def dahai(self, event: Event) -> None:
        """Discard."""
        actor, tile = event["actor"], event["pai"]
        require(self.must_discard and actor == self.turn, f"{self.name}: no discard of {actor}")
        require(self.owed == 0 or self.dora[0] == "?", f"{self.name}: a dora is not turned before the discard")
        require(self.reach in (None, actor), "reach of another player")
        if event["tsumogiri"]:
            require(self.drawn in (tile, "?") or (tile == "?" and self.drawn is not None), f"{tile} was not drawn")
        else:
            require(actor not in self.accepted, f"{self.name}: a discard from the hand after riichi")
            self.take(actor, [tile])
            self.hands[actor] += [self.drawn] if self.drawn is not None else []
        self.drawn, self.must_discard, self.last = None, False, event
        self.turn, self.must_draw, self.owed = (actor + 1) % 4, True, 0

    def claim(self, event: Event) -> None:
        """Call the last discard."""
        actor, kind, last = event["actor"], event["type"], self.last
        require(last is not None and last["type"] == "dahai", f"{kind} without a discard")
        assert last is not None
        require((last["actor"], last["pai"]) == (event["target"], event["pai"]) and actor != last["actor"], f"{event}")
        require(kind != "chi" or (last["actor"] + 1) % 4 == actor, "chi from a player other than kamicha")
        require(actor not in self.accepted, f"{kind} after riichi")
        tiles = sorted([event["pai"], *event["consumed"]], key=plain)
        self.expect_shape(kind, tiles, len(event["consumed"]))
        self.take(actor, event["consumed"])
        self.melds[actor].append(Meld(kind, tuple(sorted(tiles)), event["pai"], event["target"]))
        self.turn, self.drawn, self.last = actor, None, event
        self.must_draw, self.must_discard = kind == "daiminkan", kind != "daiminkan"
        self.owed += kind == "daiminkan"

    def expect_shape(self, kind: str, tiles: list[str], consumed: int) -> None:
        """Reject tiles that do not form a meld of their kind."""
        require(consumed == CONSUMED[kind], f"{kind} with {consumed} tiles")
        kinds = [plain(tile) for tile in tiles if tile != "?"]
        if kind != "chi":
            require(len(set(kinds)) <= 1, f"{kind} of {tiles}")
        elif len(kinds) == 3:
            place = SUITED.index(kinds[0])
            require(kinds == SUITED[place : place + 3] and place % 9 < 7, f"{kind} of {tiles}")

    def kan(self, event: Event) -> None:
        """Declare a kan on one's turn."""
        actor, kind = event["actor"], event["type"]
        require(self.must_discard and self.drawn is not None and actor == self.turn, f"{kind} out of turn")
        require(kind != "ankan" or self.owed == 0 or self.dora[0] == "?", f"{self.name}: no dora before an ankan")
        require(kind == "ankan" or actor not in self.accepted, f"{kind} after riichi")
        self.hands[actor].append(self.drawn or "")
        self.expect_shape(kind, [*event["consumed"], event.get("pai", "?")], len(event["consumed"]))
        if kind == "ankan":
            self.take(actor, event["consumed"])
            self.melds[actor].append(Meld(kind, tuple(sorted(event["consumed"]))))
        else:
            self.take(actor, [event["pai"]])
            place = [(meld.kind, meld.tiles) for meld in self.melds[actor]].index(
                ("pon", tuple(sorted(event["consumed"])))
            )
            pon = self.melds[actor][place]
            self.melds[actor][place] = pon._replace(kind=kind, tiles=tuple(sorted((*pon.tiles, event["pai"]))))
        self.drawn, self.last = None, event
        self.must_draw, self.must_discard = True, False
        self.owed += 1

    def turn_dora(self, event: Event) -> None:
        """Turn a kan dora."""
        require(self.owed > 0, f"{self.name}: a dora without a kan")
        self.owed -= 1
        self.see([event["dora_marker"]])
        self.dora.append(event["dora_marker"])

    def declare(self, event: Event) -> None:
        """Declare riichi."""
        actor = event["actor"]
        require(self.must_discard and self.drawn is not None and actor == self.turn, "reach out of turn")
        require(actor not in self.accepted and self.reach is None, "reach twice")
        require(all(meld.kind == "ankan" for meld in self.melds[actor]), "reach with an open hand")
        self.reach = actor

    def accept(self, event: Event) -> None:
        """Pay for a riichi."""
        require(event["actor"] == self.reach and self.last is not None, "reach_accepted without reach")
        self.accepted.add(event["actor"])
        self.reach = None
        self.kyotaku += 1
        if self.points is not None:
            self.points[event["actor"]] -= 1000

    def hora(self, event: Event) -> None:
        """Win."""
        actor, target = event["actor"], event["target"]
        if actor == target:
            require(self.must_discard and self.drawn is not None and actor == self.turn, "a tsumo out of turn")
        else:
            require(self.last is not None and self.last["actor"] == target, f"a ron off {target}")
            assert self.last is not None
            if self.over is None and self.last["type"] == "kakan":
                self.rob(self.last)
        if event.get("ura_markers"):
            require(actor in self.accepted, "ura dora without riichi")
            require(len(event["ura_markers"]) == len(self.dora) or self.dora[0] == "?", "another number of ura dora")
            self.see(event["ura_markers"] if not self.ura else [])
            self.ura[actor] = event["ura_markers"]
        self.pay(event.get("deltas"), self.kyotaku * 1000)
        self.kyotaku = 0
        self.over = "hora"

    def rob(self, kan: Event) -> None:
        """Undo a kakan that is robbed."""
        melds = self.melds[kan["actor"]]
        place = next(place for place, meld in enumerate(melds) if meld.kind == "kakan" and kan["pai"] in meld.tiles)
        left = list(melds[place].tiles)
        left.remove(kan["pai"])
        melds[place] = melds[place]._replace(kind="pon", tiles=tuple(left))

    def ryukyoku(self, event: Event) -> None:
        """Draw the frame."""
        self.pay(event.get("deltas"), 0)
        self.over = "ryukyoku"

    def pay(self, deltas: list[int] | None, sticks: int) -> None:
        """Make the payments, and give out the *sticks*."""
        if deltas is None or self.points is None:
            self.points = None
            return
        require(sum(deltas) == sticks, f"{self.name}: {deltas} do not add up to the sticks, {sticks}")
        self.points = [have + delta for have, delta in zip(self.points, deltas, strict=True)]

    def end(self) -> Kyoku:
        """Return the end of the frame."""
        hands = [sorted(hand) for hand in self.hands]
        return Kyoku(self.name, hands, self.melds, self.points if self.over else None, self.dora, self.ura)


HANDLERS: dict[str, Callable[[Table, Event], None]] = {
    "tsumo": Table.tsumo,
    "dahai": Table.dahai,
    "chi": Table.claim,
    "pon": Table.claim,
    "daiminkan": Table.claim,
    "kakan": Table.kan,
    "ankan": Table.kan,
    "dora": Table.turn_dora,
    "reach": Table.declare,
    "reach_accepted": Table.accept,
    "hora": Table.hora,
    "ryukyoku": Table.ryukyoku,
}
