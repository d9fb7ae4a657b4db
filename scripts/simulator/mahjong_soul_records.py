"""Turns the log of a game into the records of Mahjong Soul, as its server would keep the same game.

It shares nothing with the reader of such records: it reads the mjlog by itself, and has its own table of yaku. The
wall is laid out as there. Rules that differ do not matter here, since a record says what was paid.

Sources: real records; GrandDawn/majsoul-replay-editor for abortive draws, nagashi mangan and pao.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Callable, Iterator, Sequence
from typing import Any, NamedTuple
from urllib.parse import unquote

from jmjp_convert.checks.wall import seeded_walls as walls
from jmjp_convert.model import SEATS, Shuffle, ShuffleForm, Start, Wall
from simulator.random_source import RandomSource

Values = dict[str, Any]

_TAG = re.compile(r"<([A-Za-z]+)([0-9]*)([^>]*?)/?>")
_ATTRIBUTE = re.compile(r'([a-zA-Z0-9]+)="([^"]*)"')
_DRAWS, _DISCARDS = "TUVW", "DEFG"
_RED = {16: "0m", 52: "0p", 88: "0s"}
_NO_RED, _THREE, _SOUTH = 0x02, 0x10, 0x08
_FORMS = {"mt19937ar-sha512-n288-base64": ShuffleForm.BASE64, "mt19937ar-sha512-n288": ShuffleForm.HEX}

_YAKU = {
    0: 1,
    1: 2,
    2: 30,
    3: 3,
    4: 4,
    5: 5,
    6: 6,
    7: 14,
    8: 12,
    9: 13,
    18: 7,
    19: 8,
    20: 9,
    21: 18,
    22: 25,
    23: 15,
    24: 16,
    25: 17,
    26: 19,
    27: 20,
    28: 21,
    29: 22,
    30: 23,
    31: 24,
    32: 28,
    33: 26,
    34: 27,
    35: 29,
    36: 59,
    37: 35,
    38: 36,
    39: 37,
    40: 38,
    41: 48,
    42: 39,
    43: 40,
    44: 41,
    45: 45,
    46: 47,
    47: 42,
    48: 49,
    49: 50,
    50: 43,
    51: 44,
    52: 31,
    53: 33,
    54: 32,
    **dict.fromkeys(range(10, 14), 10),
    **dict.fromkeys(range(14, 18), 11),
}
"""The numbers of Mahjong Soul by Tenhou's."""

_DORA, _NORTH_DORA = 31, 34
_TITLES = {0: 0, 1: 1, 2: 2, 3: 3, 4: 4, 5: 5}
_COUNTED = 11
_YAKUMAN = 5
_KAKAN, _ANKAN = 2, 3
_DRAW_TYPES = {"yao9": 1, "kaze4": 2, "kan4": 3, "reach4": 4, "ron3": 5}
_OWN_TURN, _ANSWER = 2, 3
_AUTOPLAY = 1_000_000
_MIDNIGHT = 1_672_502_400
"""The first second of 2023 in China, the day in all log IDs."""


class Meld(NamedTuple):
    """A meld: its *kind*, its *tiles*, the one *added* to a pon, the one *taken*, and how far its *giver* sits away."""

    kind: str
    tiles: list[int]
    added: int = -1
    taken: int = -1
    giver: int = 0


def decoded(code: int) -> Meld:
    """Return the meld with the *code* of an mjlog (source: ``docs/design/mapping.md``)."""
    giver = code & 3
    if code & 4:
        pattern = code >> 10
        kind, called = divmod(pattern, 3)
        first = kind // 7 * 9 + kind % 7
        tiles = [4 * (first + step) + (code >> shift & 3) for step, shift in enumerate((3, 5, 7))]
        return Meld("chi", tiles, taken=tiles[called], giver=giver)
    if code & 24:
        kind, called = divmod(code >> 9, 3)
        left_out = 4 * kind + (code >> 5 & 3)
        tiles = [tile for tile in range(4 * kind, 4 * kind + 4) if tile != left_out]
        if code & 8:
            return Meld("pon", tiles, taken=tiles[called], giver=giver)
        return Meld("kakan", tiles, left_out, tiles[called], giver)
    tile = code >> 8
    if code & 32:
        return Meld("kita", [tile])
    tiles = list(range(tile // 4 * 4, tile // 4 * 4 + 4))
    return Meld("daiminkan", tiles, taken=tile, giver=giver) if giver else Meld("ankan", tiles)


class Transcript:
    """The records of a game.

    :param log: its mjlog.
    :param name: decides what the log does not: times, accounts.
    :param whole: whether the records have whole walls, and hands in the order of the deal, as since 2023.
    :ivar head: the head of the record.
    :ivar actions: the actions, records among them: each *name* is empty for another action.
    """

    def __init__(self, log: str, name: str, *, whole: bool = True) -> None:
        self._random = RandomSource(name, "mahjong soul")
        self._whole = whole
        self._passed = 0
        self._elements = [
            (tag, digits, dict(_ATTRIBUTE.findall(rest))) for tag, digits, rest in _TAG.findall(log) if tag != "mjloggm"
        ]
        self.actions: list[tuple[str, Values]] = []
        self.head: Values = {}
        self._players = SEATS
        self._reds = True
        self._handlers: dict[str, Callable[[Values], None]] = {
            "GO": self._go,
            "TAIKYOKU": self._start,
            "INIT": self._init,
            "REACH": self._reach,
            "DORA": self._turn,
            "N": self._meld,
            "RYUUKYOKU": self._draw_game,
        }
        self._walls = self._all_walls()
        self._final: list[tuple[int, int]] = []
        for place in range(len(self._elements)):
            self._transcribe(place)
        self._end()

    @property
    def records(self) -> list[tuple[str, Values]]:
        """The records alone."""
        return [(name, action["result"]) for name, action in self.actions if name]

    def keep(self, first: int, number: int) -> None:
        """Keep *number* frames from *first* on, or the last ones, without a result."""
        starts = [place for place, (name, _) in enumerate(self.actions) if name == "RecordNewRound"]
        first = min(first, max(0, len(starts) - number))
        ends = [*starts, len(self.actions)][first + number :]
        self.actions = self.actions[: starts[0]] + self.actions[starts[first] : ends[0] if ends else None]
        self.head.pop("result", None)

    # --- walls -------------------------------------------------------------------------------------------------------

    def _all_walls(self) -> Iterator[Wall]:
        seed = next((values["seed"] for tag, _, values in self._elements if tag == "SHUFFLE"), None)
        starts = [values for tag, _, values in self._elements if tag == "INIT"]
        frames = [
            Start(0, 0, 0, int(values["oya"]), None, None, (), shuffle=values.get("shuffle")) for values in starts
        ]
        form = ShuffleForm.OLD if seed is None else _FORMS[seed.partition(",")[0]]
        rules = next(int(values["type"]) for tag, _, values in self._elements if tag == "GO")
        return iter(walls(Shuffle(form, seed), frames, 3 if rules & _THREE else SEATS))

    def _laid_out(self, wall: Wall) -> list[int]:
        """Return the tiles in the order of the deal, replacement tiles and indicators counted from the end."""
        players, dealer = self._players, self._dealer
        order = [(dealer + step) % players for step in range(players)]
        dealt = [tile for turn in range(3) for player in order for tile in wall.hands[player][4 * turn : 4 * turn + 4]]
        dealt += [wall.hands[player][12] for player in order]
        whole: list[int] = [-1] * (136 if players == SEATS else 108)
        whole[: len(dealt)] = dealt
        for place, tile in enumerate(wall.draws, len(dealt)):
            whole[place] = tile
        behind = len(wall.replacements)
        for place, tile in enumerate(wall.replacements, 1):
            whole[-place] = tile
        for turn in range(5):
            whole[-behind - 1 - 2 * turn] = wall.indicators[turn]
            whole[-behind - 2 - 2 * turn] = wall.ura[turn]
        assert sorted(whole) == sorted(wall.tiles)
        return whole

    # --- the elements of the log -------------------------------------------------------------------------------------

    def _transcribe(self, place: int) -> None:
        tag, digits, values = self._elements[place]
        if digits and tag in _DRAWS and len(tag) == 1:
            self._draw(_DRAWS.index(tag), int(digits))
        elif digits and tag in _DISCARDS and len(tag) == 1:
            self._discard(_DISCARDS.index(tag), int(digits))
        elif tag == "AGARI":
            if self._elements[place - 1][0] != "AGARI":
                wins = []
                while place < len(self._elements) and self._elements[place][0] == "AGARI":
                    wins.append(self._elements[place][2])
                    place += 1
                self._win(wins)
        elif tag == "UN" and "dan" in values:
            self._names = [unquote(values[f"n{seat}"]) for seat in range(self._players)]
        elif tag in ("BYE", "UN"):
            seat = int(values["who"]) if tag == "BYE" else int(next(key for key in values if key[0] == "n")[1])
            self._act({"user_event": {"seat": seat, "type": 2 if tag == "BYE" else 1}})
        elif tag in self._handlers:
            self._handlers[tag](values)

    def _go(self, values: Values) -> None:
        rules = int(values["type"])
        self._players = 3 if rules & _THREE else SEATS
        self._reds = not rules & _NO_RED
        self._south = bool(rules & _SOUTH)

    def _start(self, _: Values) -> None:
        for seat in range(self._players):
            self._act({"user_event": {"seat": seat, "type": 1}})
        self._act({"game_event": 1})

    def _act(self, action: Values, name: str = "") -> None:
        self._passed += 100 + self._random.below(2000)
        self.actions.append((name, {"passed": self._passed, "type": 1 if name else 2, **action}))

    def _record(self, name: str, values: Values) -> None:
        self._act({"result": values}, name)

    def _enter(self, seat: int, type_: int) -> None:
        """Say what a player enters, sometimes with the server in the player's place."""
        time = _AUTOPLAY if self._random.chance(3) else 1 + self._random.below(9)
        key = "operation" if type_ == _OWN_TURN else "cpg"
        self._act({"user_input": {"seat": seat, "type": type_, key: {"type": 1, "timeuse": time}}})

    def face(self, tile: int) -> str:
        """Return the name of a tile."""
        if self._reds and tile in _RED:
            return _RED[tile]
        kind = tile >> 2
        return f"{kind % 9 + 1}{'mpsz'[kind // 9]}"

    def _faces(self, tiles: Sequence[int]) -> list[str]:
        return [self.face(tile) for tile in tiles]

    # --- a frame -----------------------------------------------------------------------------------------------------

    def _init(self, values: Values) -> None:
        round_, honba, sticks, _, _, indicator = map(int, values["seed"].split(","))
        self._dealer, self._sticks = int(values["oya"]), sticks
        self._points = [100 * int(points) for points in values["ten"].split(",")[: self._players]]
        self._hands = [[*map(int, values[f"hai{seat}"].split(","))] for seat in range(self._players)]
        self._melds: list[list[Meld]] = [[] for _ in range(self._players)]
        self._indicators = [indicator]
        self._owed = 0
        self._shown = 1  # of the indicators, in records
        self._riichi = self._stick = False
        self._drawn: int | None = None
        self._rivers = [0] * self._players
        self._calm = True
        self._last = (0, 0)  # the player and tile that others may win on
        self._honba = honba
        self._left = 69 if self._players == SEATS else 54
        wall = self._laid_out(next(self._walls))
        dealt = 13 * self._players + 1
        paishan = "".join(self._faces(wall if self._whole else wall[dealt:]))
        self._deal = {
            "chang": round_ // 4,
            "ju": round_ % 4,
            "ben": honba,
            "scores": [*self._points],
            "liqibang": sticks,
            "paishan": paishan,
            "left_tile_count": self._left,
        }
        text = paishan.encode()
        if self._whole:
            self._deal |= {"doras": [self.face(indicator)], "sha256": hashlib.sha256(text).hexdigest()}
        else:
            self._deal |= {"dora": self.face(indicator), "md5": hashlib.md5(text).hexdigest()}  # noqa: S324
        self._dealt = False

    def _finish_deal(self, fourteenth: int) -> None:
        self._dealt = True
        self._hands[self._dealer].append(fourteenth)
        self._drawn = fourteenth
        for seat, hand in enumerate(self._hands):
            faces = self._faces(hand)
            self._deal[f"tiles{seat}"] = faces if self._whole else sorted(faces, key=lambda face: (face[1], face[0]))
        self._record("RecordNewRound", self._deal)

    def _taken_stick(self) -> Values:
        """Return what the next record says of a riichi stick that was just paid."""
        if not self._stick:
            return {}
        self._stick = False
        seat = self._last[0]
        return {"liqi": {"seat": seat, "score": self._points[seat], "liqibang": self._sticks, "failed": False}}

    def _doras(self) -> Values:
        """Return the indicators turned so far, if some are new or the server lists them anyway."""
        listed = self._shown < len(self._indicators) or self._random.chance(10)
        self._shown = len(self._indicators)
        return {"doras": self._faces(self._indicators)} if listed else {}

    def _draw(self, seat: int, tile: int) -> None:
        if not self._dealt:
            self._finish_deal(tile)
            return
        self._left -= 1
        values = {"seat": seat, "tile": self.face(tile), "left_tile_count": self._left, "tile_state": 0}
        self._record("RecordDealTile", values | self._taken_stick() | self._doras())
        self._hands[seat].append(tile)
        self._drawn = tile

    def _discard(self, seat: int, tile: int) -> None:
        first = self._calm and not self._rivers[seat]
        moqie = tile == self._drawn and not (seat == self._dealer and first)
        self._enter(seat, _OWN_TURN)
        values = {
            "seat": seat,
            "tile": self.face(tile),
            "moqie": moqie,
            "is_liqi": self._riichi,
            "is_wliqi": self._riichi and first,
        }
        self._record("RecordDiscardTile", values | self._doras())
        self._hands[seat].remove(tile)
        self._rivers[seat] += 1
        self._riichi, self._drawn, self._last = False, None, (seat, tile)

    def _reach(self, values: Values) -> None:
        if values["step"] == "1":
            self._riichi = True
            return
        self._points[int(values["who"])] -= 1000
        self._sticks += 1
        self._stick = True

    def _turn(self, values: Values) -> None:
        self._indicators.append(int(values["hai"]))
        name, action = self.actions[-1]
        if self._owed and name == "RecordAnGangAddGang":  # of the kan before
            action["result"] |= self._doras()
        self._owed = 0

    def _meld(self, values: Values) -> None:
        seat, meld = int(values["who"]), decoded(int(values["m"]))
        melds, hand = self._melds[seat], self._hands[seat]
        if meld.kind == "kakan":
            place = next(place for place, other in enumerate(melds) if other.tiles == meld.tiles)
            melds[place] = meld
            gone = [meld.added]
        else:
            melds.append(meld)
            gone = [tile for tile in meld.tiles if tile != meld.taken]
        for tile in gone:
            hand.remove(tile)
        self._calm = False
        if meld.kind in ("chi", "pon", "daiminkan"):
            self._enter(seat, _ANSWER)
            giver = (seat + meld.giver) % SEATS  # also with three players
            gone = gone[::-1] if self._random.chance(50) else gone
            call = {
                "seat": seat,
                "type": ("chi", "pon", "daiminkan").index(meld.kind),
                "tiles": self._faces([*gone, meld.taken]),
                "froms": [*[seat] * len(gone), giver],
            }
            self._record("RecordChiPengGang", call | self._taken_stick())
        elif meld.kind == "kita":
            self._enter(seat, _OWN_TURN)
            self._record("RecordBaBei", {"seat": seat, "moqie": gone == [self._drawn]})
        else:
            self._enter(seat, _OWN_TURN)
            named = next((tile for tile in gone if tile not in _RED), gone[0])
            type_ = _KAKAN if meld.kind == "kakan" else _ANKAN
            self._record(
                "RecordAnGangAddGang",
                {"seat": seat, "type": type_, "tiles": self.face(named if type_ == _ANKAN else gone[0])},
            )
        self._owed += meld.kind in ("daiminkan", "kakan")
        self._last, self._drawn = (seat, gone[0]), None

    # --- ends --------------------------------------------------------------------------------------------------------

    def _pay(self, values: Values) -> tuple[list[int], list[int]]:
        """Return the points before, and the changes."""
        pairs = [100 * int(part) for part in values["sc"].split(",")]
        before, changes = pairs[0 : 2 * self._players : 2], pairs[1 : 2 * self._players : 2]
        self._points = [have + change for have, change in zip(before, changes, strict=True)]
        return before, changes

    def _win(self, wins: list[Values]) -> None:
        before = [*self._points]
        delta = [0] * self._players
        hules = []
        for values in wins:
            _, changes = self._pay(values)
            delta = [have + change for have, change in zip(delta, changes, strict=True)]
            hules.append(self._hule(values))
            self._enter(int(values["who"]), _OWN_TURN if values["who"] == values["fromWho"] else _ANSWER)
        self._record(
            "RecordHule",
            {
                "hules": hules,
                "old_scores": before,
                "delta_scores": delta,
                "scores": [*self._points],
                "gameend": {},
            },
        )
        self._note_end(wins[-1])

    def _hule(self, values: Values) -> Values:
        seat, tsumo = int(values["who"]), values["who"] == values["fromWho"]
        won = int(values["machi"])
        hand = [*map(int, values["hai"].split(","))]
        hand.remove(won)
        fu, points, limit = map(int, values["ten"].split(","))
        riichi = "doraHaiUra" in values
        dealer, others = seat == self._dealer, self._players - 1
        if not tsumo:
            payments = {"point_rong": points, "point_zimo_qin": 0, "point_zimo_xian": 0}
        elif dealer:
            payments = {"point_rong": points, "point_zimo_qin": 0, "point_zimo_xian": points // others}
        else:
            share = self._share(points, others)
            payments = {"point_rong": points, "point_zimo_qin": points - (others - 1) * share, "point_zimo_xian": share}
        fans = self._fans(values, seat)
        yakuman = "yakuman" in values
        pao = values.get("paoWho")
        han = sum(int(fan["val"]) for fan in fans)
        return {
            "hand": self._faces(hand),
            "ming": [self._ming(meld) for meld in self._melds[seat] if meld.kind != "kita"],
            "hu_tile": self.face(won),
            "seat": seat,
            "zimo": tsumo,
            "qinjia": dealer,
            "liqi": riichi,
            "doras": self._faces([*map(int, values["doraHai"].split(","))]),
            "li_doras": self._faces([*map(int, values["doraHaiUra"].split(","))]) if riichi else [],
            "yiman": yakuman,
            "count": han,
            "fans": fans,
            "fu": fu,
            "title": "",
            **payments,
            "title_id": _COUNTED if limit == _YAKUMAN and not yakuman else _TITLES[limit],
            "baopai": 0 if pao is None else int(pao) + 1,
            "baopai_seats": [] if pao is None else [int(pao)],
        }

    def _share(self, points: int, others: int) -> int:
        """Return what each of the others but the dealer pays for a tsumo: half as much, rounded up to hundreds."""
        for share in range(0, points + 1, 100):
            base_most, base_least = share, share - 100
            rest = points - (others - 1) * share
            if 2 * base_least < rest <= 2 * base_most and rest >= share:
                return share
        raise ValueError(points)

    def _fans(self, values: Values, seat: int) -> list[Values]:
        if "yakuman" in values:
            return [{"name": "", "val": 1, "id": _YAKU[int(word)]} for word in values["yakuman"].split(",")]
        numbers = [*map(int, values["yaku"].split(","))]
        fans: list[Values] = [
            {"name": "", "val": han, "id": _YAKU[number]}
            for number, han in zip(numbers[::2], numbers[1::2], strict=True)
        ]
        norths = sum(meld.kind == "kita" for meld in self._melds[seat])
        for fan in fans:
            if fan["id"] == _DORA and 0 < norths <= fan["val"]:
                fan["val"] -= norths
                fans.append({"name": "", "val": norths, "id": _NORTH_DORA})
                break
        return [fan for fan in fans if fan["val"] or fan["id"] != _DORA]

    def _ming(self, meld: Meld) -> str:
        word = {"chi": "shunzi", "pon": "kezi", "ankan": "angang"}.get(meld.kind, "minggang")
        tiles = [*meld.tiles, *([meld.added] if meld.kind == "kakan" else [])]
        return f"{word}({','.join(self._faces(tiles))})"

    def _draw_game(self, values: Values) -> None:
        type_, stick = values.get("type"), self._taken_stick()
        hands = {seat: [*map(int, values[f"hai{seat}"].split(","))] for seat in range(SEATS) if f"hai{seat}" in values}
        before, changes = self._pay(values)
        if type_ in (None, "nm"):
            self._exhausted(hands, before, changes, nagashi=type_ == "nm")
        else:
            seat = min(hands, default=0) if type_ == "yao9" else 0
            if type_ == "yao9":
                self._enter(seat, _OWN_TURN)
            shown = type_ in ("reach4", "ron3")
            self._record(
                "RecordLiuJu",
                {
                    "type": _DRAW_TYPES[str(type_)],
                    "seat": seat,
                    "tiles": self._faces(hands[seat]) if type_ == "yao9" else [],
                    "allplayertiles": ["|".join(self._faces(hands.get(each, []))) for each in range(self._players)]
                    if shown
                    else [],
                    **stick,
                },
            )
        self._note_end(values)

    def _exhausted(self, hands: dict[int, list[int]], before: list[int], changes: list[int], *, nagashi: bool) -> None:
        players = [
            {"tingpai": seat in hands, "hand": self._faces(hands.get(seat, [])), "tings": []}
            for seat in range(self._players)
        ]
        scores: list[Values] = [{"old_scores": before, "delta_scores": changes if any(changes) else []}]
        if nagashi:
            scores = list(self._nagashi(before, changes))
        elif not any(changes) and self._random.chance(50):
            scores = []
        self._record("RecordNoTile", {"liujumanguan": nagashi, "players": players, "scores": scores, "gameend": False})

    def _nagashi(self, before: list[int], changes: list[int]) -> Iterator[Values]:
        """Yield the payments of each player with nagashi mangan: those who gain from the sum of them."""
        dealer, rest = self._dealer, [*changes]
        order = [(dealer + step) % self._players for step in range(self._players)]
        # Each receives a mangan by tsumo: who does follows from the sum, which no two choices share.
        for chosen in range(1, 1 << self._players):
            winners = [seat for place, seat in enumerate(order) if chosen >> place & 1]
            paid = [self._mangan(seat) for seat in winners]
            if [sum(each) for each in zip(*paid, strict=True)] == rest:
                for seat, delta in zip(winners, paid, strict=True):
                    yield {"seat": seat, "old_scores": before, "delta_scores": delta, "score": max(delta)}
                return
        raise ValueError(changes)

    def _mangan(self, winner: int) -> list[int]:
        paid = [-4000 if self._dealer in (seat, winner) else -2000 for seat in range(self._players)]
        paid[winner] = 0
        paid[winner] = -sum(paid)
        return paid

    def _note_end(self, values: Values) -> None:
        if "owari" in values:
            numbers = values["owari"].split(",")[: 2 * self._players]
            self._final = [
                (100 * int(points), round(1000 * float(result)))
                for points, result in zip(numbers[::2], numbers[1::2], strict=True)
            ]

    # --- the head ----------------------------------------------------------------------------------------------------

    def _end(self) -> None:
        self._act({"game_event": 2})
        accounts = []
        computers = []
        for seat, name in enumerate(self._names):
            if self._random.chance(10):
                computers.append(seat)
                continue
            rank = 101 + 100 * self._random.below(5) + self._random.below(3)
            accounts.append(
                {
                    "account_id": 1000 + self._random.below(1_000_000),
                    "seat": seat,
                    "nickname": name,
                    "level": {"id": 10000 + rank, "score": self._random.below(3000)},
                    "level3": {"id": 20000 + rank, "score": self._random.below(3000)},
                }
            )
        start = _MIDNIGHT + self._random.below(80_000)
        placed = sorted(range(self._players), key=lambda seat: -self._final[seat][0]) if self._final else []
        digits = "".join(f"{self._random.below(16):x}" for _ in range(32))
        self.head = {
            "uuid": f"230101-{digits[:8]}-{digits[8:12]}-{digits[12:16]}-{digits[16:20]}-{digits[20:]}",
            "start_time": start,
            "end_time": start + self._passed // 1000,
            "config": {
                "category": 1,
                "mode": {
                    "mode": (0 if self._players == SEATS else 10) + (2 if self._south else 1),
                    "ai": bool(computers),
                    "detail_rule": {
                        "time_fixed": 5,
                        "time_add": 20,
                        "shiduan": 1,
                        "dora_count": (3 if self._players == SEATS else 2) if self._reds else 0,
                    },
                },
                "meta": {"room_id": 10000 + self._random.below(90000)},
            },
            "accounts": accounts,
            "result": {
                "players": [
                    {
                        "seat": seat,
                        "total_point": self._final[seat][1],
                        "part_point_1": self._final[seat][0],
                        "part_point_2": 0,
                        "grading_score": 0,
                        "gold": 0,
                    }
                    for seat in placed
                ]
            },
        }
