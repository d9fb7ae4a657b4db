"""A reader of 電脳麻将's records for the tests: it plays a game through and rejects impossible play.

Written from ``docs/design/formats.md`` 5, koba::blog, 天鳳の牌譜形式を解析する(2), and the types of ``majiang-core``.
It does not use the package.
"""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Callable
from typing import Any, NamedTuple

TILE = re.compile(r"[mps][0-9]|z[1-7]|_")
DISCARD = re.compile(r"([mps][0-9]|z[1-7])(_?)(\*?)")
CHI = re.compile(r"([mps])([0-9])(-?)([0-9])(-?)([0-9])(-?)")
SAME = re.compile(r"([mpsz])([0-9]{3,4})([+=-]?)([0-9]?)")
FROM = {"+": 1, "=": 2, "-": 3}

KEYS = {
    "qipai": "zhuangfeng jushu changbang lizhibang defen baopai shoupai",
    "zimo": "l p",
    "dapai": "l p",
    "fulou": "l m",
    "gang": "l m",
    "gangzimo": "l p",
    "kaigang": "baopai",
    "hule": "l shoupai baojia fubaopai? damanguan? fu? fanshu? defen? hupai? fenpei",
    "pingju": "name shoupai fenpei",
}
"""The keys of each step in order; those with a question mark are optional."""

Step = dict[str, Any]


class Refused(Exception):  # noqa: N818 - named after what the reader does
    """Impossible play in a record."""


class Meld(NamedTuple):
    """A meld: its *tiles* in order of their names, and the seat of the source of the tile *taken*, counted from the
    caller."""

    kind: str
    tiles: tuple[str, ...]
    taken: str | None = None
    source: int | None = None


class Ju(NamedTuple):
    """The end of a frame, by seat: the closed *hands* without the tile just drawn, *melds* oldest first, *points*; and
    the dora indicators."""

    hands: list[list[str]]
    melds: list[list[Meld]]
    points: list[int]
    dora: list[str]


def require(what: bool, why: str) -> None:  # noqa: FBT001 - like an assertion
    """Reject the record unless *what* is true."""
    if not what:
        raise Refused(why)


def plain(tile: str) -> str:
    """Return *tile*, a red five as a plain one."""
    return tile.replace("0", "5")


def read_hand(text: str) -> tuple[list[str], bool]:
    """Return the tiles of a hand without its melds, and whether it is in riichi."""
    found: list[str] = []
    require(re.fullmatch(r"(?:[mps][0-9]+|z[1-7]+|_)*\*?", text) is not None, f"no hand {text}")
    for suit, numbers in re.findall(r"([mpsz_])([0-9]*)", text):
        found += [suit + number for number in numbers] or ["_"]
    return found, text.endswith("*")


def read_meld(text: str) -> Meld:
    """Return the meld of *text*, which must be in canonical form."""
    chi = CHI.fullmatch(text)
    if chi is not None and text.count("-") == 1 and len({*plain(re.sub(r"\D", "", text))}) == 3:
        numbers = [int(plain(chi[place])) for place in (2, 4, 6)]
        require(numbers == list(range(numbers[0], numbers[0] + 3)), f"no sequence {text}")
        (taken,) = (chi[place] for place in (2, 4, 6) if chi[place + 1])
        return Meld("chi", tuple(sorted(chi[1] + chi[place] for place in (2, 4, 6))), chi[1] + taken, FROM["-"])
    same = SAME.fullmatch(text)
    require(same is not None, f"no meld {text}")
    assert same is not None
    suit, numbers_, sign, added = same.groups()
    require(len({*plain(numbers_ + added)}) == 1 and "05" not in numbers_[: -1 if sign else None], f"no meld {text}")
    kind = {(4, ""): "ankan", (4, "s"): "daiminkan", (3, "s"): "kakan" if added else "pon"}.get(
        (len(numbers_), sign and "s")
    )
    require(kind is not None and (not added or kind == "kakan"), f"no meld {text}")
    tiles = tuple(sorted(suit + number for number in numbers_ + added))
    require(all(map(TILE.fullmatch, tiles)), f"no meld {text}")
    return Meld(kind or "", tiles, suit + numbers_[-1] if sign else None, FROM[sign] if sign else None)


def read_majiang(text: str) -> tuple[dict[str, Any], list[Ju]]:
    """Play the game of *text* through; return the record and the ends of its frames."""
    record = json.loads(text)
    require([*record] == ["title", "player", "qijia", "log", "defen", "rank", "point"], f"keys {[*record]}")
    require(record["qijia"] == 0 and sorted(record["rank"]) == [1, 2, 3, 4], "not four players")
    require(all(isinstance(point, str) for point in record["point"]), "points that are not strings")
    found = []
    for steps in record["log"]:
        require([*steps[0]] == ["qipai"], "a frame without a deal")
        table = Table(steps[0]["qipai"])
        for step in steps[1:]:
            ((kind, values),) = step.items()
            check_keys(kind, values)
            table.play(kind, values)
        found.append(table.end())
    return record, found


def check_keys(kind: str, values: Step) -> None:
    """Require exactly the keys of the step, in order."""
    words = [word for word in KEYS[kind].split() if not word.endswith("?") or word.rstrip("?") in values]
    require([*values] == [word.rstrip("?") for word in words], f"keys {[*values]} of {kind}")


class Table:
    """The table in a frame."""

    def __init__(self, start: Step) -> None:
        check_keys("qipai", start)
        self.name = f"{start['zhuangfeng']}-{start['jushu']}-{start['changbang']}"
        self.hands = [read_hand(hand)[0] for hand in start["shoupai"]]
        require([len(hand) for hand in self.hands] == [13] * 4, "not four hands of thirteen")
        self.melds: list[list[Meld]] = [[], [], [], []]
        self.points = list(start["defen"])
        self.sticks = start["lizhibang"]
        self.dora = [start["baopai"]]
        self.seen: Counter[str] = Counter()
        self.see([*self.dora, *(tile for hand in self.hands for tile in hand)])
        self.turn = 0
        self.drawn: str | None = None
        self.called = False
        self.last: tuple[str, int, str] | None = None  # what can be taken or ronned: step, seat, tile
        self.declared: int | None = None  # whose riichi is not yet paid for
        self.riichi: set[int] = set()
        self.kans = self.replaced = 0
        self.over: str | None = None

    def see(self, tiles: list[str]) -> None:
        """Count tiles from the wall: at most four of a kind, one of them red."""
        for tile in tiles:
            require(TILE.fullmatch(tile) is not None, f"no tile {tile}")
            if tile != "_":
                self.seen[plain(tile)] += 1
                self.seen[tile] += tile[1] == "0"
                require(self.seen[plain(tile)] <= 4 and (tile[1] != "0" or self.seen[tile] <= 1), f"a fifth {tile}")

    def take(self, seat: int, tiles: list[str]) -> None:
        """Take tiles out of a hand; an unknown one may be any."""
        for tile in tiles:
            name = tile if tile in self.hands[seat] else "_"
            require(name in self.hands[seat], f"{self.name}: seat {seat} holds no {tile}")
            self.hands[seat].remove(name)

    def play(self, kind: str, values: Step) -> None:
        """Play a step."""
        require(self.over is None or self.over == kind == "hule", f"{kind} after {self.over}")
        if self.declared is not None and kind not in ("hule", "kaigang") and values.get("name") != "三家和了":
            self.pay_stick()
        HANDLERS[kind](self, values)

    def pay_stick(self) -> None:
        """Pay for a riichi that passes."""
        assert self.declared is not None
        self.riichi.add(self.declared)
        self.points[self.declared] -= 1000
        self.sticks += 1
        self.declared = None

    def draw(self, values: Step) -> None:
        """Draw."""
        require(self.drawn is None and not self.called and values["l"] == self.turn, f"{self.name}: no turn {values}")
        require(self.kans == self.replaced, "a draw from the wall after a kan")
        self.drawn, self.last = values["p"], None
        self.see([values["p"]])

    def replace(self, values: Step) -> None:
        """Draw a replacement tile."""
        require(self.kans == self.replaced + 1, "a replacement tile without a kan")
        self.replaced += 1
        self.draw(values)

    def discard(self, values: Step) -> None:
        """Discard."""
        seat, found = values["l"], DISCARD.fullmatch(values["p"])
        require(found is not None and seat == self.turn, f"{self.name}: no discard {values}")
        assert found is not None
        tile, tsumogiri, riichi = found.groups()
        require(self.drawn is not None or (self.called and not tsumogiri), f"{self.name}: {values} without a draw")
        if tsumogiri:
            require(self.drawn in (tile, "_"), f"{tile} was not drawn")
        else:
            require(seat not in self.riichi, f"{self.name}: a discard from the hand after riichi")
            self.take(seat, [tile])
            self.hands[seat] += [self.drawn] if self.drawn is not None else []
        if riichi:
            require(seat not in self.riichi and all(meld.kind == "ankan" for meld in self.melds[seat]), "no riichi")
            self.declared = seat
        self.drawn, self.called, self.last, self.turn = None, False, ("dapai", seat, tile), (seat + 1) % 4

    def claim(self, values: Step) -> None:
        """Call the last discard."""
        seat, meld = values["l"], read_meld(values["m"])
        require(self.drawn is None and not self.called and seat not in self.riichi, f"{self.name}: no call {values}")
        require(meld.kind in ("chi", "pon", "daiminkan") and meld.source is not None, f"no call {values}")
        assert meld.source is not None
        require(self.last == ("dapai", (seat + meld.source) % 4, meld.taken), f"{self.name}: {values} of {self.last}")
        held = list(meld.tiles)
        held.remove(meld.taken or "")
        self.take(seat, held)
        self.melds[seat].append(meld)
        self.kans += meld.kind == "daiminkan"
        self.turn, self.called, self.last = seat, meld.kind != "daiminkan", None

    def kan(self, values: Step) -> None:
        """Declare a kan on one's turn."""
        seat, meld = values["l"], read_meld(values["m"])
        require(self.drawn is not None and seat == self.turn, f"{self.name}: no kan {values}")
        self.hands[seat].append(self.drawn or "")
        if meld.kind == "ankan":
            self.take(seat, list(meld.tiles))
            self.melds[seat].append(meld)
            tile = plain(meld.tiles[0])
        else:
            require(meld.kind == "kakan" and seat not in self.riichi, f"{self.name}: no kan {values}")
            tile = values["m"][0] + values["m"][-1]
            self.take(seat, [tile])
            self.melds[seat][self.melds[seat].index(read_meld(values["m"][:-1]))] = meld
        self.drawn, self.last = None, (meld.kind, seat, tile)
        self.kans += 1

    def turn_dora(self, values: Step) -> None:
        """Turn a kan dora."""
        require(len(self.dora) <= self.kans, "a dora without a kan")
        self.see([values["baopai"]])
        self.dora.append(values["baopai"])

    def hule(self, values: Step) -> None:
        """Win."""
        seat, source = values["l"], values["baojia"]
        closed, *melds = values["shoupai"].split(",")
        tiles, riichi = read_hand(closed)
        *rest, tile = tiles
        require(sorted(rest) == sorted(self.hands[seat]), f"{self.name}: another hand {values['shoupai']}")
        if source is None:
            require(seat == self.turn and self.drawn == tile, f"{self.name}: a tsumo out of turn")
        else:
            require(self.last is not None and self.last[1] == source, f"{self.name}: a ron off {source}")
            assert self.last is not None
            require(plain(tile) == plain(self.last[2]), f"{self.name}: a ron on {tile}")
            if self.over is None and self.last[0] == "kakan":
                self.rob(self.last)
        require([read_meld(meld) for meld in melds] == self.melds[seat], f"{self.name}: other melds {melds}")
        require(riichi == (seat in self.riichi), f"{self.name}: a wrong * in {values['shoupai']}")
        if values.get("fubaopai") is not None:
            require(
                seat in self.riichi and len(values["fubaopai"]) == len(self.dora),
                "ura dora without riichi, or too many",
            )
        require("fubaopai" in values or seat in self.riichi, "a hand without riichi but with unknown ura dora")
        self.pay(values["fenpei"], self.sticks * 1000)
        self.sticks, self.over = 0, "hule"

    def rob(self, last: tuple[str, int, str]) -> None:
        """Undo a kakan that is robbed."""
        melds = self.melds[last[1]]
        place = next(place for place, meld in enumerate(melds) if meld.kind == "kakan" and last[2] in meld.tiles)
        left = list(melds[place].tiles)
        left.remove(last[2])
        melds[place] = melds[place]._replace(kind="pon", tiles=tuple(left))

    def pingju(self, values: Step) -> None:
        """Draw the frame."""
        require(len(values["shoupai"]) == 4, "not four hands")
        for seat, shown in enumerate(values["shoupai"]):
            closed, *melds = shown.split(",")
            if shown:
                drawn = [self.drawn or "_"] if seat == self.turn and self.drawn else []
                require(sorted(read_hand(closed)[0]) == sorted([*self.hands[seat], *drawn]), f"another hand {shown}")
                require([read_meld(meld) for meld in melds] == self.melds[seat], f"other melds {melds}")
        self.pay(values["fenpei"], 0)
        self.over = "pingju"

    def pay(self, changes: list[int], sticks: int) -> None:
        """Make the payments, and give out the *sticks*."""
        require(sum(changes) == sticks, f"{self.name}: {changes} do not add up to the sticks, {sticks}")
        self.points = [have + change for have, change in zip(self.points, changes, strict=True)]

    def end(self) -> Ju:
        """Return the end of the frame."""
        return Ju([sorted(hand) for hand in self.hands], self.melds, self.points, self.dora)


HANDLERS: dict[str, Callable[[Table, Step], None]] = {
    "zimo": Table.draw,
    "gangzimo": Table.replace,
    "dapai": Table.discard,
    "fulou": Table.claim,
    "gang": Table.kan,
    "kaigang": Table.turn_dora,
    "hule": Table.hule,
    "pingju": Table.pingju,
}
