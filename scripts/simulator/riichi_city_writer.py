"""Writes the record of a game as Riichi City's server answers it, beside the log.

It knows nothing of the package's reader. The games are Tenhou's: where Riichi City turns the dora of a kan at once, the
record has it where the game turned it. What no real record shows, such as what a draw before the last tile says of the
hands, is a guess.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Sequence
from typing import Any

from games import Attributes

from jmjp_convert.model import Wall
from simulator.coverage import Tally
from simulator.eras import Era
from simulator.melds import Meld, MeldType
from simulator.mjlog_grammar import ElementType
from simulator.mjlog_writer import MjlogWriter
from simulator.profiles import Profile
from simulator.random_source import RandomSource
from simulator.tile_kinds import RED_FIVES
from simulator.walls import GameWalls

_SUITS = (("m", 0x20), ("p", 0x00), ("s", 0x10))
_DEALT = 13
_IN_FOURS = (4, 4, 4, 1)
_DEAD = {4: 5, 3: 9}  # from the end of the wall to the first indicator
_STICK = 10  # hundreds
_PAIRS = """
0:1 1:0 2:2 3:4 4:5 5:6 6:3 7:20 8:19 9:18 10:14 10:15 10:16 10:17 11:10 11:11 11:12 11:13 12:9 13:7 14:8 15:21 16:28
17:22 18:29 19:27 20:31 21:23 22:24 23:25 24:30 25:26 26:33 27:34 28:32 29:35 31:37 32:38 33:36 34:47 35:48 36:45 37:46
38:40 39:41 40:51 41:44 42:42 43:49 44:50 45:39 46:43 49:54 50:52 51:53
"""
_FANG = {int(number): int(fang) for fang, number in (pair.split(":") for pair in _PAIRS.split())}
"""The numbers of the yaku by Tenhou's."""

_YAKUMAN_HAN = 13
_DORA = 52
_KITA_FANG = 55
_RON, _TSUMO = 0, 1
_DRAWS = {None: 7, "nm": 7, "yao9": 6, "kaze4": 2, "reach4": 4, "ron3": 5, "kan4": 3}
_ACTIONS = {MeldType.PON: 5, MeldType.DAIMINKAN: 6, MeldType.ANKAN: 8, MeldType.KAKAN: 9, MeldType.KITA: 13}
_MILLISECONDS = 700


def card(tile: int) -> int:
    """Return the number of the card of *tile*."""
    kind = tile >> 2
    if kind >= 27:  # noqa: PLR2004 - the first honor
        return 0x31 + 0x10 * (kind - 27)
    return _SUITS[kind // 9][1] + kind % 9 + 1 + (0x100 if tile in RED_FIVES else 0)


def word(tile: int) -> str:
    """Return *tile* as in the text of a wall."""
    kind = tile >> 2
    if kind >= 27:  # noqa: PLR2004
        return f"{kind - 26}z"
    return f"{0 if tile in RED_FIVES else kind % 9 + 1}{_SUITS[kind // 9][0]}"


class RiichiCityWriter(MjlogWriter):
    """Writes the log, and the record beside it.

    :param walls: those of the game, once more.
    :param name: unique to the game; it decides the accounts, the positions and the times.
    :ivar frames: the frames of the record so far.
    """

    def __init__(self, era: Era, tally: Tally, walls: GameWalls, name: str) -> None:
        super().__init__(era, tally)
        self.frames: list[dict[str, Any]] = []
        self._walls = walls
        self._random = RandomSource(name, "riichi city")
        self._now = 1_700_000_000_000 + self._random.below(10**10)
        self._players = 0
        self._names: list[str] = []
        self._red = True
        self._events: list[dict[str, Any]] = []
        self._number = 0
        self._hands: list[list[int]] = []
        self._drawn: int | None = None
        self._riichi = False
        self._stick: int | None = None
        self._paid: list[int] = []
        self._kan_indicators: list[int] = []
        self._wins: list[Attributes] = []
        self._first = 0  # the position of player 0
        self._accounts: list[int] = []
        self._points: list[int] = []
        self._dealt = False

    # --- the record --------------------------------------------------------------------------------------------------

    @property
    def record(self) -> dict[str, Any]:
        """The server's answer."""
        return {
            "code": 0,
            "data": {
                "fangFu": 0,
                "gamePlay": 1001,
                "handRecord": self.frames,
                "initPoints": {4: 25000, 3: 35000}[self._players],
                **dict.fromkeys(("isGeMu", "isShaoJi", "isLuck", "isKaiLiZhi"), False),
                "isGangPay": self._players == len(_SUITS) + 1,
                "keyValue": self._id(),
                "northOperateType": 0,
                "nowTime": self._now // 1000 + 86400,
                "playerCount": self._players,
                "round": 2,
                "stageType": 4,
            },
            "message": "ok",
        }

    def _id(self) -> str:
        digest = hashlib.sha256(self.log.encode()).digest()
        return "".join("0123456789abcdefghijklmnopqrstuv"[byte % 32] for byte in digest[:20])

    def _event(self, kind: int, player: int | None, data: dict[str, Any]) -> None:
        self._now += 100 + self._random.below(_MILLISECONDS)
        self._events.append(
            {
                "data": json.dumps(data, separators=(",", ":")),
                "eventPos": self._number,
                "eventType": kind,
                "handId": "",
                "startTime": self._now,
                "userId": 0 if player is None else self._accounts[player],
            }
        )
        self._number += 1

    def _position(self, player: int) -> int:
        return (player + self._first) % self._players

    def _user(self, player: int, **values: Any) -> dict[str, Any]:
        return {"user_id": self._accounts[player], **values}

    # --- the head and the deal ---------------------------------------------------------------------------------------

    def head(self, seed: str | None, rules_number: int, profiles: list[Profile]) -> None:
        """Write what precedes the first frame."""
        super().head(seed, rules_number, profiles)
        self._players = 3 if rules_number & 0x10 else 4
        self._red = not rules_number & 0x02
        self._names = [profile.name for profile in profiles[: self._players]]
        self._first = self._random.below(self._players)
        start = 100_000_000 + self._random.below(10**8)
        self._accounts = [start + 1_000_003 * player for player in range(self._players)]

    def _card(self, tile: int) -> int:
        return card(tile) if self._red else card(tile) & 0xFF

    def _word(self, tile: int) -> str:
        return word(tile) if self._red else word(tile).replace("0", "5")

    def frame_start(
        self, seed: Sequence[int], points: list[int], dealer: int, hands: Sequence[Sequence[int]], shuffle: str | None
    ) -> None:
        """Write the start of a frame; the first tile of the dealer is dealt with the hand."""
        super().frame_start(seed, points, dealer, hands, shuffle)
        round_, honba, sticks, first_die, second_die, indicator = seed
        wall = self._laid_out(self._walls.next(dealer), dealer)
        text = "".join(map(self._word, wall))
        self._hands = [list(hand) for hand in hands]
        self._hands[dealer].append(wall[_DEALT * self._players])
        self._drawn = self._hands[dealer][-1]
        self._riichi, self._stick, self._paid, self._kan_indicators = False, None, [], []
        self._wins, self._events = [], []
        named = {"quanFeng": card(4 * (27 + round_ // 4)), "changCi": round_ % 4 + 1, "benChangNum": honba}
        self._points = [100 * each for each in points]
        order = [(position - self._first) % self._players for position in range(self._players)]
        self.frames.append(
            {
                **named,
                "handCardEncode": text,
                "handCardsSHA256": hashlib.sha256(text.encode()).hexdigest(),
                "handEventRecord": self._events,
                "handPos": len(self.frames) + 1,
                "paiShan": [self._card(tile) for tile in wall[_DEALT * self._players + 1 :]],
                "players": [
                    {
                        "nickname": self._names[player],
                        "points": self._points[player],
                        "position": self._position(player),
                        "userId": self._accounts[player],
                    }
                    for player in order
                ],
            }
        )
        for player in order:
            self._event(
                1,
                player,
                {
                    "hand_cards": list(map(self._card, self._hands[player])),
                    "dealer_pos": self._position(dealer),
                    "dices": [first_die + 1, second_die + 1],
                    "bao_pai_card": self._card(indicator),
                    "quan_feng": named["quanFeng"],
                    "chang_ci": named["changCi"],
                    "ben_chang_num": honba,
                    "li_zhi_bang_num": sticks,
                    "user_info_list": [self._user(each, hand_points=self._points[each]) for each in order],
                },
            )
        self._turn(dealer, 0)
        self._dealt = True

    def _laid_out(self, wall: Wall, dealer: int) -> list[int]:
        """Return the tiles of *wall* in Riichi City's order: the deal in fours, the draws, and from the end the
        replacement tiles and the indicators, each with its ura."""
        size = len(wall.tiles)
        laid: list[int | None] = [None] * size
        hands = [iter(hand) for hand in wall.hands]
        turns = [
            player
            for count in _IN_FOURS
            for seat in range(self._players)
            for player in [(dealer + seat) % self._players] * count
        ]
        front = [next(hands[player]) for player in turns] + list(wall.draws)
        laid[: len(front)] = front
        for index, tile in enumerate(wall.replacements):
            laid[size - 1 - index] = tile
        for index, pair in enumerate(zip(wall.indicators, wall.ura, strict=True)):
            for below, tile in enumerate(pair):
                laid[size - _DEAD[self._players] - 2 * index - below] = tile
        assert None not in laid
        assert len(set(laid)) == size
        return laid  # type: ignore[return-value]

    # --- turns -------------------------------------------------------------------------------------------------------

    def _turn(self, player: int, in_card: int) -> None:
        self._event(2, player, {"in_card": in_card, "oper_fixed_time": 5, "oper_var_time": 20})

    def _offer(self, player: int, tile: int, action: int) -> None:
        self._event(3, player, {"out_card": self._card(tile), "action_list": [action]})

    def _act(self, player: int, action: int, tile: int, **values: Any) -> None:
        act = {"action": action, "card": self._card(tile) if tile >= 0 else 0, "move_cards_pos": None}
        act |= {"user_id": self._accounts[player], "hand_cards": None, "group_cards": None}
        self._event(4, player, act | {"is_li_zhi": False, "li_zhi_operate": 0, "li_zhi_type": 0} | values)

    def draw(self, player: int, tile: int) -> None:
        """Write that *player* draws *tile*; the dealer's first one was dealt."""
        super().draw(player, tile)
        self._pay()
        if self._dealt:
            self._dealt = False
            return
        self._hands[player].append(tile)
        self._drawn = tile
        self._turn(player, self._card(tile))

    def discard(self, player: int, tile: int) -> None:
        """Write that *player* discards *tile*: the place of the tile drawn is the last."""
        super().discard(player, tile)
        hand = self._hands[player]
        place = len(hand) if tile == self._drawn else hand.index(tile) + 1
        hand.remove(tile)
        self._drawn, riichi, self._riichi = None, self._riichi, False
        self._act(player, 11, tile, move_cards_pos=[place], is_li_zhi=riichi, li_zhi_type=int(riichi))

    def meld(self, player: int, meld: Meld) -> None:
        """Write that *player* lays *meld* down."""
        super().meld(player, meld)
        called, hand = meld.giver > 0 and meld.type is not MeldType.KAKAN, self._hands[player]
        tile = meld.taken if called else meld.held[0]
        places = [hand.index(held) + 1 for held in meld.held]
        for held in meld.held:
            hand.remove(held)
        rest = meld.held if called else meld.held[1:]
        action = _ACTIONS.get(meld.type, 2 + sorted(meld.tiles).index(meld.taken) if called else 0)
        if called:
            self._offer(player, tile, action)
        self._act(player, action, tile, group_cards=list(map(self._card, rest)) or None, move_cards_pos=places)
        self._drawn = None
        self._pay()  # a riichi whose tile is called is paid for after the call
        if meld.type in (MeldType.CHI, MeldType.PON):
            self._turn(player, 0)

    def riichi(self, player: int) -> None:
        """Write that *player* declares riichi: the discard says so."""
        super().riichi(player)
        self._riichi = True

    def stick(self, player: int, points: list[int]) -> None:
        """Write that *player* pays a riichi stick, at the next draw, call or end."""
        super().stick(player, points)
        self._stick = player
        self._paid.append(player)

    def _pay(self) -> None:
        player, self._stick = self._stick, None
        if player is not None:
            self._event(8, player, self._user(player))

    def dora(self, indicator: int) -> None:
        """Write that another dora indicator is turned, with all of those before."""
        super().dora(indicator)
        self._kan_indicators.append(self._card(indicator))
        self._event(7, None, {"cards": list(self._kan_indicators)})

    # --- ends --------------------------------------------------------------------------------------------------------

    def frame_end(self, type_: ElementType, attributes: Attributes) -> None:
        """Write a win or a draw; of several wins, the last one completes the record."""
        super().frame_end(type_, attributes)
        self._pay()
        if type_ in (ElementType.TSUMO, ElementType.RON):
            if self._wins:  # the end follows the last of several wins
                self._events.pop()
                self._number -= 1
            self._wins.append(attributes)
            self._announce(attributes)
            self._end(_TSUMO if type_ is ElementType.TSUMO else _RON, list(map(self._win, self._wins)), self._wins)
        else:
            self._draw_game(attributes)
        if attributes.get("owari"):
            self._end_match(str(attributes["owari"]))

    def _announce(self, win: Attributes) -> None:
        player, tile = int(str(win["who"])), int(str(win["machi"]))
        tsumo = win["fromWho"] == win["who"]
        if not tsumo:
            self._offer(player, tile, 7)
        self._act(player, 10 if tsumo else 7, tile, hand_cards=self._closed(win))

    def _closed(self, win: Attributes) -> list[int]:
        """Return the closed tiles of a winner, with the winning one only by tsumo, last."""
        tiles = _numbers(win["hai"])
        machi = int(str(win["machi"]))
        tiles.remove(machi)
        return list(map(self._card, [*tiles, *([machi] if win["fromWho"] == win["who"] else [])]))

    def _win(self, win: Attributes) -> dict[str, Any]:
        fu, points, _ = _numbers(win["ten"])
        player = int(str(win["who"]))
        ura = win.get("doraHaiUra")
        fangs = self._fangs(win, player)
        return self._user(
            player,
            fang_info=fangs,
            all_fang_num=sum(fang["fang_num"] for fang in fangs),
            all_fu=fu,
            all_point=points,
            user_cards=self._closed(win),
            li_bao_card=list(map(self._card, _numbers(ura))) if ura else None,
            ting_card_list=None,
            luck_score=0,
        )

    def _fangs(self, win: Attributes, player: int) -> list[dict[str, int]]:
        yaku = _numbers(win.get("yaku"))
        han = dict(zip(yaku[::2], yaku[1::2], strict=True))
        fangs = [
            {"fang_type": _FANG[number], "fang_num": value}
            for number, value in han.items()
            if value and number != _DORA
        ]
        norths = self._kitas()[player]
        if han.get(_DORA):
            dora = han[_DORA] - norths
            fangs += [{"fang_type": _FANG[_DORA], "fang_num": dora}] if dora else []
            fangs += [{"fang_type": _KITA_FANG, "fang_num": norths}] if norths else []
        fangs += [{"fang_type": _FANG[number], "fang_num": _YAKUMAN_HAN} for number in _numbers(win.get("yakuman"))]
        return fangs

    def _kitas(self) -> list[int]:
        """Return the number of norths set aside, by player."""
        counts = [0] * self._players
        acts = [json.loads(event["data"]) for event in self._events if event["eventType"] == 4]  # noqa: PLR2004
        for act in acts:
            if act["action"] == _ACTIONS[MeldType.KITA]:
                counts[self._accounts.index(act["user_id"])] += 1
        return counts

    def _draw_game(self, draw: Attributes) -> None:
        type_ = draw["type"]
        kind = _DRAWS[None if type_ is None else str(type_)]
        hands = {player: _numbers(draw.get(f"hai{player}")) for player in range(self._players)}
        if type_ == "yao9":
            player = next(player for player, hand in hands.items() if hand)
            self._act(player, 12, -1, hand_cards=list(map(self._card, hands[player])))
            hands = {}
        shown = [
            self._user(player, user_cards=list(map(self._card, hand)), fang_info=None, all_point=0)
            for player, hand in hands.items()
            if hand
        ]
        nagashi = [self._user(0)] if type_ == "nm" else []
        self._end(kind, shown, [draw], nagashi)

    def _end(
        self, kind: int, infos: list[dict[str, Any]], parts: list[Attributes], nagashi: Sequence[object] = ()
    ) -> None:
        gains = [0] * self._players
        for part in parts:
            changes = _numbers(part["sc"])[1::2]
            gains = [gain + 100 * change for gain, change in zip(gains, changes, strict=False)]
        liable = {int(str(part["paoWho"])) for part in parts if part.get("paoWho") is not None}
        profits = []
        for player in range(self._players):
            paid = 1000 * self._paid.count(player)
            profits.append(
                self._user(
                    player,
                    point_profit=gains[player],
                    li_zhi_profit=-paid,
                    is_bao_pai=player in liable,
                    user_point=self._points[player] - paid + gains[player],
                )
            )
        data = {"end_type": kind, "win_info": infos, "user_profit": profits, "zhong_liu_info": list(nagashi)}
        self._event(5, None, data)

    def _end_match(self, owari: str) -> None:
        values = owari.split(",")
        users = []
        for player in range(self._players):
            points, result = values[2 * player : 2 * player + 2]
            users.append(
                self._user(
                    player,
                    point_num=100 * int(points),
                    score=round(10 * float(result)),
                    pt_value=10 - player,
                    user_pt_value=1000 + player,
                    StageLevel=14,
                    luck_score=0,
                    shao_ji_score=0,
                    is_shao_ji=False,
                )
            )
        users.sort(key=lambda user: -user["score"])
        self._event(6, None, {"user_data": users, "pai_pu_id": "", "is_exist_room": False})


def _numbers(text: object) -> list[int]:
    return list(map(int, str(text).split(","))) if text not in (None, "") else []
