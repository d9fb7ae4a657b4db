"""The rows of tables, made from the XML of games by other means than the package's: all columns that it decides."""

from __future__ import annotations

import re
from collections import defaultdict
from typing import Any
from urllib.parse import unquote

from lxml import etree
from mahjong.shanten import Shanten
from recorded import decoded, numbers

Rows = dict[str, list[dict[str, Any]]]
"""By table, the rows in order, each with the columns that are known here."""

WINDS = "ESWN"
HONORS = ("ew", "sw", "ww", "nw", "wd", "gd", "rd")
LIMITS = ("none", "mangan", "haneman", "baiman", "sanbaiman", "yakuman")
DRAWS = {
    None: "exhaustive",
    "nm": "nagashi mangan",
    "yao9": "nine terminals",
    "kaze4": "four winds",
    "reach4": "four riichi",
    "ron3": "triple ron",
    "kan4": "four kans",
}
ROOMS = {0: "General", 0x80: "Advanced", 0x20: "Expert", 0xA0: "Phoenix"}
_DRAW, _DISCARD = re.compile(r"[TUVW](\d+)"), re.compile(r"[DEFG](\d+)")


def pairs(text: str | None) -> list[tuple[int, int]]:
    """Return the numbers of *text* in pairs."""
    listed = numbers(text)
    return list(zip(listed[::2], listed[1::2], strict=True))


def shanten_of(kinds: list[int], melds: int, *, players: int) -> int:
    """Return the shanten of closed tiles of these *kinds*, as another package finds it.

    :param melds: the number of melds without kita.
    """
    closed = not melds
    counts = list(map(kinds.count, range(34)))
    return Shanten.calculate_shanten(counts, closed, closed, is_three_player=players == 3)


class Recount:
    """The rows of a log."""

    def __init__(self, content: bytes) -> None:
        self.rows: Rows = defaultdict(list)
        self.hands: list[tuple[list[int], int]] = []
        """With each discard, the closed tiles before it and the number of melds without kita."""
        self.dealt: list[list[int]] = []
        """The tiles dealt to each player of each frame."""
        self.dora_won: list[tuple[int, int]] = []
        """With each win but yakuman, the dora and red fives held, and those that Tenhou counts."""
        self._drawn: int | None = None
        self._declared: int | None = None
        root: Any = etree.fromstring(content, etree.XMLParser(recover=True))
        self._type = int(root.find("GO").get("type"))
        self.players = 3 if self._type & 0x10 else 4
        self._heads(root)
        for element in root:
            self._element(element)
        self._end()
        self._result(root)

    def _face(self, tile: int) -> str:
        if tile >= 108:
            return HONORS[(tile - 108) // 4]
        rank = 0 if tile in (16, 52, 88) and not self._type & 2 else tile % 36 // 4 + 1
        return f"{rank}{'mps'[tile // 36]}"

    def _faces(self, tiles: list[int]) -> str:
        return " ".join(map(self._face, tiles))

    def _heads(self, root: Any) -> None:
        go, un = root.find("GO"), next(un for un in root.iter("UN") if un.get("n0"))
        lobby, code = go.get("lobby"), self._type
        self.rows["matches"].append(
            {
                "house": "tenhou",
                "rules": code,
                "lobby": lobby and int(lobby),
                "ranked": None if not lobby else code < 0x100 and lobby == "0" and not self._custom(go),
                "players": self.players,
                "room": ROOMS[code & 0xA0] if code < 0x100 and not int(lobby or 0) else None,
                "length": "east-south" if code & 8 else "east",
                "red_fives": 0 if code & 2 else self.players - 1,
                "open_tanyao": not code & 4,
                "fast": bool(code & 0x40),
                "frames": len(root.findall("INIT")),
            }
        )
        dan, rates, sexes = numbers(un.get("dan")), un.get("rate"), un.get("sx")
        for player in range(self.players):
            self.rows["players"].append(
                {
                    "player": player,
                    "name": unquote(un.get(f"n{player}")),
                    "dan": dan[player] if dan else None,
                    "rating": float(rates.split(",")[player]) if rates else None,
                    "sex": sexes.split(",")[player] if sexes else None,
                }
            )

    def _custom(self, go: Any) -> bool:
        """Return whether a table has settings of its own."""
        return not {"type", "lobby", "gpid"}.issuperset(go.keys())

    def _result(self, root: Any) -> None:
        final = next(
            ([float(value) for value in element.get("owari").split(",")] for element in root if element.get("owari")),
            None,
        )
        for player, row in enumerate(self.rows["players"]):
            if final is None:
                row |= {"points": None, "result": None, "place": None}
            else:
                points = final[0 : 2 * self.players : 2]
                better = [other for other in range(self.players) if (-points[other], other) < (-points[player], player)]
                result = round(final[2 * player + 1] * 1000)
                row |= {"points": round(100 * points[player]), "result": result, "place": len(better) + 1}

    def _element(self, element: Any) -> None:
        tag = element.tag
        if tag == "INIT":
            self._end()
            self._begin(element)
        elif draw := _DRAW.fullmatch(tag):
            self._player = "TUVW".index(tag[0])
            self._drawn = int(draw[1])
            self._hands[self._player].append(self._drawn)
            self._left -= 1
        elif discard := _DISCARD.fullmatch(tag):
            self._discard("DEFG".index(tag[0]), int(discard[1]))
        elif tag == "N":
            self._meld(int(element.get("who")), int(element.get("m")))
        elif tag == "DORA":
            self._indicators.append(int(element.get("hai")))
        elif tag == "REACH" and element.get("step") == "1":
            self._declared = int(element.get("who"))
        elif tag == "REACH":
            self._riichi.add(int(element.get("who")))
            self.rows["riichi"][-1]["accepted"] = True
            self._declared = None
        elif tag == "AGARI":
            self._agari(element)
        elif tag == "RYUUKYOKU":
            self._ryuukyoku(element)

    def _begin(self, init: Any) -> None:
        seed, points = numbers(init.get("seed")), numbers(init.get("ten"))
        oya = int(init.get("oya"))
        self._frame: dict[str, Any] = {
            "frame": len(self.rows["frames"]) + 1,
            "name": f"{WINDS[seed[0] // 4]}{seed[0] % 4 + 1}-{seed[1]}",
            "round": seed[0],
            "honba": seed[1],
            "sticks": seed[2],
            "dealer": oya,
            "played": True,
        }
        self.rows["frames"].append(self._frame)
        self._indicators = [seed[5]]
        self._ura = ""
        self._hands = [numbers(init.get(f"hai{player}")) for player in range(self.players)]
        self.dealt += [hand.copy() for hand in self._hands]
        self._melds: list[list[list[int]]] = [[] for _ in self._hands]
        self._open = [0] * self.players
        self._thrown: list[list[int]] = [[] for _ in self._hands]
        self._discarded: list[int] = []
        self._left = 70 if self.players == 4 else 55
        self._made = 0
        self._turns = [0] * self.players
        self._drawn, self._declared = None, None
        self._riichi: set[int] = set()
        self._last: dict[str, Any] | None = None
        self._calls = self._wins = self._riichi_number = 0
        self._points = [100 * value for value in points]
        self._seats: list[dict[str, Any]] = []
        for player in range(self.players):
            seat = WINDS[(player - oya) % self.players]
            have = {"points": self._points[player], "change": 0}
            self._seats.append({**self._who_in(seat, player), **have, "tenpai": None, "outcome": None})
        self.rows["seats"] += self._seats

    def _end(self) -> None:
        if self.rows["frames"]:
            self._frame["indicators"] = self._faces(self._indicators)
            self._frame["ura_indicators"] = self._ura or None
            self._frame["tiles_left"] = self._left
            for row in self.rows["riichi"]:
                if row["frame"] == self._frame["frame"]:
                    row["outcome"] = self._seats[row["player"]]["outcome"]

    def _who(self, player: int) -> dict[str, Any]:
        return self._who_in(self._seats[player]["seat"], player)

    def _who_in(self, seat: str, player: int) -> dict[str, Any]:
        return {"frame": self._frame["frame"], "player": player, "seat": seat}

    def _dora(self, player: int) -> int:
        kinds = [self._next(tile // 4) for tile in self._indicators]
        tiles = [*self._hands[player], *(tile for meld in self._melds[player] for tile in meld)]
        kita = sum(len(meld) == 1 for meld in self._melds[player])
        return kita + sum(kinds.count(tile // 4) + (self._face(tile)[0] == "0") for tile in tiles)

    def _next(self, kind: int) -> int:
        if kind >= 31:
            return 31 + (kind - 30) % 3
        if kind >= 27:
            return 27 + (kind - 26) % 4
        if kind == 0 and self.players == 3:
            return 8
        return kind // 9 * 9 + (kind % 9 + 1) % 9

    def _discard(self, player: int, tile: int) -> None:
        self._turns[player] += 1
        self._made += 1
        declares = self._declared == player
        self.hands.append((self._hands[player].copy(), sum(len(meld) > 1 for meld in self._melds[player])))
        self._thrown[player].append(tile)
        self._discarded.append(tile)
        self._last = {
            **self._who(player),
            "discard": self._made,
            "turn": self._turns[player],
            "tile": self._face(tile),
            "drawn": None if self._drawn is None else self._face(self._drawn),
            "tsumogiri": tile == self._drawn,
            "dora": self._dora(player),
            "indicators": len(self._indicators),
            "points": self._points[player] - 1000 * (player in self._riichi),
            "tiles_left": self._left,
            "melds": self._open[player],
            "declares": declares,
            "riichi": player in self._riichi,
            "riichi_others": len(self._riichi - {player}),
            "called_by": None,
            "wins": 0,
        }
        self.rows["discards"].append(self._last)
        self._hands[player].remove(tile)
        self._drawn = None
        if declares:
            self._riichi_number += 1
            self.rows["riichi"].append(
                {
                    **self._who(player),
                    "turn": self._turns[player],
                    "discard": self._made,
                    "number": self._riichi_number,
                    "accepted": False,
                    "double": self._turns[player] == 1 and not any(self._melds),
                    **self._waits(player),
                }
            )

    def _waits(self, player: int) -> dict[str, Any]:
        """Return what a player waits for who has just declared riichi."""
        hand = [tile // 4 for tile in self._hands[player]]
        melds = [tile // 4 for some in self._melds for meld in some for tile in meld]
        seen = [*hand, *melds, *(tile // 4 for tile in (*self._discarded, *self._indicators))]
        sets = sum(len(meld) > 1 for meld in self._melds[player])
        waits = [
            kind
            for kind in (range(34) if self.players == 4 else (0, *range(8, 34)))
            if hand.count(kind) < 4 and shanten_of([*hand, kind], sets, players=self.players) == -1
        ]
        return {
            "waits": self._faces([4 * kind + 3 for kind in waits]),
            "wait_kinds": len(waits),
            "wait_tiles": 4 * len(waits) - sum(seen.count(kind) for kind in waits),
            "furiten": any(tile // 4 in waits for tile in self._thrown[player]),
        }

    def _meld(self, player: int, code: int) -> None:
        kind, tiles, tile = decoded(code)
        self._calls += 1
        row = {
            **self._who(player),
            "number": self._calls,
            "turn": self._turns[player] + 1,
            "discard": self._made,
            "kind": kind,
            "tile": None if tile is None else self._face(tile),
            "tiles": self._faces(tiles),
            "source": None,
            "open": kind not in ("ankan", "kita"),
        }
        if kind in ("chi", "pon", "daiminkan"):
            assert self._last is not None
            row["source"] = self._last["player"]
            self._last["called_by"] = player
            self._discarded.pop()
            self._open[player] += 1
            self._hands[player].append(tile or 0)
        self.rows["calls"].append(row)
        melds = self._melds[player]
        if kind == "kakan":
            melds.remove(next(meld for meld in melds if meld[0] // 4 == tiles[0] // 4))
            self._hands[player] += [other for other in tiles if other != tile]
        for other in tiles:
            self._hands[player].remove(other)
        melds.append(tiles)
        self._drawn = None
        self._last = None

    def _ryuukyoku(self, draw: Any) -> None:
        self._frame["ending"] = DRAWS[draw.get("type")]
        self._frame["wins"] = 0
        self._pay(draw)
        for player, seat in enumerate(self._seats):
            seat["outcome"] = "draw"
            if self._frame["ending"] in ("exhaustive", "nagashi mangan"):
                seat["tenpai"] = draw.get(f"hai{player}") is not None

    def _agari(self, agari: Any) -> None:
        player, source = int(agari.get("who")), int(agari.get("fromWho"))
        tsumo = player == source
        self._wins += 1
        self._frame["ending"], self._frame["wins"] = "tsumo" if tsumo else "ron", self._wins
        if self._last is not None and not tsumo:
            self._last["wins"] += 1
        self._ura = self._faces(numbers(agari.get("doraHaiUra"))) or self._ura
        fu, points, limit = numbers(agari.get("ten"))
        yaku, yakuman = pairs(agari.get("yaku")), numbers(agari.get("yakuman"))
        han = dict(yaku)
        changes = self._pay(agari)
        self._outcomes(player, source)
        if not yakuman:
            self._hands[player] += [] if tsumo else [int(agari.get("machi"))]
            self.dora_won.append((self._dora(player), han.get(52, 0) + han.get(54, 0)))
            if not tsumo:
                self._hands[player].pop()
        self.rows["wins"].append(
            {
                **self._who(player),
                "number": self._wins,
                "source": None if tsumo else source,
                "tsumo": tsumo,
                "pao": agari.get("paoWho") and int(agari.get("paoWho")),
                "second_pao": None,
                "tile": self._face(int(agari.get("machi"))),
                "turn": self._turns[player] + tsumo,
                "discard": self._made,
                "riichi": player in self._riichi,
                "open": self._open[player] > 0,
                "han": None if yakuman else sum(han.values()),
                "fu": fu,
                "points": points,
                "limit_name": LIMITS[limit],
                "dora": han.get(52, 0),
                "ura": han.get(53, 0),
                "red": han.get(54, 0),
                "sticks": numbers(agari.get("ba"))[1],
                "gain": changes[player],
            }
        )
        counted = [*[pair for pair in yaku if pair[1]], *[(number, None) for number in yakuman]]
        who = {"frame": self._frame["frame"], "player": player}
        self.rows["yaku"] += [{**who, "yaku": number, "han": value} for number, value in counted]

    def _outcomes(self, winner: int, source: int) -> None:
        """Note how the frame ends for each player, given a win; a winner remains one at the next win."""
        won = ("tsumo", "ron")
        for player, seat in enumerate(self._seats):
            if player == winner:
                seat["outcome"] = "tsumo" if winner == source else "ron"
            elif seat["outcome"] not in won:
                seat["outcome"] = "deal-in" if player == source != winner else "other win"

    def _pay(self, ending: Any) -> list[int]:
        """Pay what an ending changes, and the sticks of riichi once, and return what it changes."""
        changes = [100 * change for change in numbers(ending.get("sc"))[1::2]]
        for player, seat in enumerate(self._seats):
            seat["change"] += changes[player] - 1000 * (player in self._riichi and self._wins < 2)
        return changes
