"""Encode a game described in a few lines as mjlog; used by `fixtures.py`.

`fixtures/README.md` explains the language of the descriptions. An inconsistent description (a fifth copy of a tile, a
discard that is not in the hand) raises an exception, so that no fixture is wrong by accident.
"""

from __future__ import annotations

import base64
import re
from collections import Counter
from itertools import cycle
from typing import TYPE_CHECKING
from urllib.parse import unquote_to_bytes

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping

KINDS = [*(f"{n}{suit}" for suit in "mps" for n in range(1, 10)), "ew", "sw", "ww", "nw", "wd", "gd", "rd"]
RED = {"0m": 16, "0p": 52, "0s": 88}
DRAWS_OF_A_FRAME = 70
SEATS = "eswn"
YAKU = """
tsumo riichi ippatsu chankan rinshan haitei houtei pinfu tanyao iipeikou
jikaze-east jikaze-south jikaze-west jikaze-north bakaze-east bakaze-south bakaze-west bakaze-north
haku hatsu chun double-riichi chiitoitsu chanta ittsuu sanshoku sanshoku-doukou sankantsu toitoi sanankou
shousangen honroutou ryanpeikou junchan honitsu chinitsu renhou tenhou chiihou daisangen suuankou suuankou-tanki
tsuuiisou ryuuiisou chinroutou chuuren junsei-chuuren kokushi kokushi-13 daisuushii shousuushii suukantsu
dora uradora akadora""".split()  # noqa: SIM905
SEEDS = {
    "base64": "mt19937ar-sha512-n288-base64," + base64.b64encode(bytes(range(256)) * 9 + bytes(192)).decode(),
    "hex": "mt19937ar-sha512-n288," + ",".join(f"{word * 0x01234567 & 0xFFFFFFFF:08X}" for word in range(1, 33)),
}
Attributes = dict[str, str | int | None]
HEADER = {
    "go": "type=9 lobby=0",
    "un": "names=Kaede,Tsubaki,%E5%B1%B1%E8%8C%B6%E8%8A%B1,Nazuna"
    " dan=12,10,16,8 rate=1834.27,1650.00,2101.93,1499.50 sx=F,M,F,M",
}


def faces(text: str) -> list[str]:
    """Return the faces in a row of tiles such as `406m1p ew`, in which digits share a suit."""
    groups: list[tuple[str, str, str]] = re.findall(r"([0-9]+)([mps])|([a-z]{2})", text)
    return [digit + suit for digits, suit, honor in groups for digit in (digits or [honor])]


def copies(face: str, *, red: bool) -> list[int]:
    """Return the tile IDs of a face in the order in which this generator deals them, which varies by kind."""
    if face in RED:
        return [RED[face]] if red else []
    kind = KINDS.index(face)
    ids = [4 * kind + copy for copy in range(4) if not (red and 4 * kind + copy in RED.values())]
    turn = kind % len(ids)
    return ids[turn:] + ids[:turn]


def options(line: str) -> dict[str, str]:
    """Return the `key=value` words of a line."""
    return dict(word.split("=", 1) for word in line.split() if "=" in word)


def percent(text: str) -> str:
    """Percent-encode every byte of a name, as Tenhou does."""
    return "".join(f"%{byte:02X}" for byte in unquote_to_bytes(text))


def csv(values: Iterable[object]) -> str:
    """Join values with commas."""
    return ",".join(map(str, values))


def numbers(text: str) -> list[int]:
    """Return numbers separated by commas."""
    return [int(word) for word in text.split(",")]


def element(name: str, attributes: Mapping[str, str | int | None], end: str = "/>") -> str:
    """Return an element, without the attributes that are None."""
    return " ".join([f"<{name}", *(f'{key}="{value}"' for key, value in attributes.items() if value is not None)]) + end


def yaku(text: str | None) -> str | None:
    """Return `riichi:1,dora:2` or `daisangen,tsuuiisou` in Tenhou's numbers."""
    if text is None:
        return None
    return csv(csv([YAKU.index(name), *han]) for name, *han in (word.split(":") for word in text.split(",")))


def chi_code(ids: list[int], taken: int) -> int:
    """Return the code of a chi of three ascending `ids`, one of them `taken`."""
    kind = ids[0] // 4
    pattern = (kind // 9 * 7 + kind % 9) * 3 + ids.index(taken)
    return pattern << 10 | ids[2] % 4 << 7 | ids[1] % 4 << 5 | ids[0] % 4 << 3 | 4 | 3


def pon_code(ids: list[int], taken: int, giver: int, flag: int = 8) -> int:
    """Return the code of a pon of three ascending `ids`, or with the flag 16 of the kakan made from it."""
    left_out = 6 - sum(tile % 4 for tile in ids)
    return (ids[0] // 4 * 3 + ids.index(taken)) << 9 | left_out << 5 | flag | giver


def kan_code(tile: int, giver: int = 0) -> int:
    """Return the code of a daiminkan, by called tile and giver, or of an ankan, by any of its tiles."""
    return tile << 8 | giver


class Log:
    """A game being described line by line, and its mjlog so far."""

    def __init__(self, story: str) -> None:
        """Encode the whole `story` as `xml`."""
        self.header = dict(HEADER)
        self.out: list[str] = []
        self.oya = self.who = self.sticks = 0
        self.riichi = False
        self.points = [250] * 4
        self.turn: Callable[[str], None] = self.discard
        for line in story.splitlines():
            self.tell(line.strip())
        self.xml = f'<mjloggm ver="2.3">{"".join(self.out)}</mjloggm>'

    def tell(self, line: str) -> None:
        """Process one line of a description."""
        word, _, rest = line.partition(" ")
        if word in {"go", "un", "shuffle"}:
            self.header[word] = rest
        elif word in {"frame", "win", "draw"}:
            self.begin()
            getattr(self, word)(rest)
        elif word in {"e:", "s:", "w:", "n:"}:
            self.deal(SEATS.index(word[0]), rest)
        else:
            self.begin()
            self.acts(line)

    def begin(self) -> None:
        """Write the elements before the first frame."""
        if self.out:
            return
        go, un = options(self.header["go"]), options(self.header["un"])
        self.red = not int(go.get("type", "0")) & 2
        self.names = un.pop("names").split(",")
        if "shuffle" in self.header:
            self.out.append(element("SHUFFLE", {"seed": SEEDS[self.header["shuffle"]], "ref": ""}))
        if go:
            self.out.append(element("GO", go))
        self.out.append(element("UN", {f"n{who}": percent(name) for who, name in enumerate(self.names)} | un))
        self.out.append(element("TAIKYOKU", {"oya": 0}))

    def frame(self, line: str) -> None:
        """Start a frame: `E1-0 dice=3-4 shows=1p`, optionally with `ten= chip= shuffle=`."""
        self.setting = options(line)
        self.oya = int(line[1]) - 1
        self.honba = int(line.partition(" ")[0][3:])
        self.free = {face: copies(face, red=self.red) for face in [*KINDS, *RED]}
        self.hands: list[list[int]] = [[], [], [], []]
        self.melds: list[dict[int, int]] = [{}, {}, {}, {}]
        self.pons: dict[int, tuple[list[int], int, int]] = {}
        self.draws = 0
        self.drawn = self.last = -1
        self.ura: list[int] = []
        self.indicators = [self.take(self.setting["shows"])]
        if "ten" in self.setting:
            self.points = numbers(self.setting["ten"])
        first, second = (int(die) - 1 for die in self.setting["dice"].split("-"))
        seed = ["ESWN".index(line[0]) * 4 + self.oya, self.honba, self.sticks, first, second, self.indicators[0]]
        chip = self.setting.get("chip")
        self.init: Attributes = {"seed": csv(seed), "ten": csv(self.points), "chip": chip, "oya": self.oya}

    def deal(self, seat: int, tiles: str) -> None:
        """Deal a starting hand; the fourth one begins the frame."""
        who = (self.oya + seat) % 4
        self.hands[who] = [self.take(face) for face in faces(tiles)]
        if SEATS[seat] == "n":
            for other, hand in enumerate(self.hands):
                hand.sort(key=lambda tile: tile * 53 % 137)
                self.init[f"hai{other}"] = csv(hand)
            self.out.append(element("INIT", self.init | {"shuffle": self.setting.get("shuffle")}))

    def take(self, face: str) -> int:
        """Return an unused tile of a face; a fifth copy raises an exception."""
        return self.free[face].pop(0)

    def acts(self, line: str) -> None:
        """Play acts, `e 3m 9p  s ch[2m4m] 9p  w 1s tg`, with other events in round brackets between them."""
        words: list[str] = re.findall(r"\([^)]*\)|\S+", line)
        for word in words:
            if word[0] == "(":
                self.happen(*word[1:-1].split())
            elif word in {"fill", *(f"fill-{seat}" for seat in SEATS)}:
                self.fill(SEATS.find(word[-1]))
            elif word in set(SEATS):
                self.settle()
                self.who, self.drawn, self.turn = (self.oya + SEATS.index(word)) % 4, -1, self.draw_tile
            elif word == "rc":
                self.out.append(element("REACH", {"who": self.who, "step": 1}))
                self.riichi = True
            elif word.startswith("rs["):
                self.draw_tile(word[3:-1])
            elif word[2:3] == "[":
                getattr(self, f"play_{word[:2]}")(faces(word[3:-1]))
            else:
                self.turn(word)

    def settle(self) -> None:
        """Pay the riichi stick once it is clear that the tile was not ronned."""
        if self.riichi:
            self.riichi = False
            self.points[self.who] -= 10
            self.sticks += 1
            paid = element("REACH", {"who": self.who, "ten": csv(self.points), "step": 2})
            self.out.insert(self.discarded, paid)

    def happen(self, word: str, *rest: str) -> None:
        """Write `bye 2`, `back 2`, `back 2 Name` or `dora 5p`."""
        if word == "bye":
            self.out.append(element("BYE", {"who": rest[0]}, " />"))
        elif word == "back":
            name = rest[1] if len(rest) > 1 else self.names[int(rest[0])]
            self.out.append(element("UN", {f"n{rest[0]}": percent(name)}, " />"))
        else:
            self.indicators.append(self.take(rest[0]))
            self.out.append(element("DORA", {"hai": self.indicators[-1]}, " />"))

    def draw_tile(self, face: str) -> None:
        """Draw a tile from the wall or as a replacement; the discard follows in the same act."""
        self.drawn = self.take(face)
        self.hands[self.who].append(self.drawn)
        self.out.append(f"<{'TUVW'[self.who]}{self.drawn}/>")
        self.draws += 1
        self.turn = self.discard

    def discard(self, word: str) -> None:
        """Discard a face from the hand, the drawn tile (`tg`) or another copy of its face (`kg`)."""
        if word == "tg":
            self.last = self.drawn
        else:
            face = self.face(self.drawn) if word == "kg" else word
            self.last = self.held([face], besides=self.drawn)[0]
        self.hands[self.who].remove(self.last)
        self.giver = self.who
        self.out.append(f"<{'DEFG'[self.who]}{self.last}/>")
        self.discarded = len(self.out)

    def face(self, tile: int) -> str:
        """Return the face of a tile."""
        return next((red for red, number in RED.items() if self.red and number == tile), KINDS[tile // 4])

    def held(self, wanted: list[str], besides: int = -1) -> list[int]:
        """Return tiles of the player's hand by their faces."""
        hand = [tile for tile in sorted(self.hands[self.who]) if tile != besides]
        found: list[int] = []
        for face in wanted:
            found.append(next(tile for tile in hand if self.face(tile) == face and tile not in found))
        return found

    def call(self, code: int, used: list[int], key: int) -> None:
        """Declare a meld; a kakan has the key of its pon and so replaces it."""
        for tile in used:
            self.hands[self.who].remove(tile)
        self.melds[self.who][key] = code
        self.out.append(element("N", {"who": self.who, "m": code}, " />"))
        self.turn = self.discard

    def play_ch(self, wanted: list[str]) -> None:
        """Chi."""
        used = self.held(wanted)
        self.call(chi_code(sorted([*used, self.last]), self.last), used, used[0])

    def play_pn(self, wanted: list[str]) -> None:
        """Pon."""
        used = self.held(wanted)
        pon = sorted([*used, self.last]), self.last, (self.giver - self.who) % 4
        self.pons[self.last // 4] = pon
        self.call(pon_code(*pon), used, pon[0][0])

    def play_dk(self, wanted: list[str]) -> None:
        """Daiminkan."""
        used = self.held(wanted)
        self.call(kan_code(self.last, (self.giver - self.who) % 4), used, used[0])

    def play_ak(self, wanted: list[str]) -> None:
        """Ankan."""
        used = self.held(wanted)
        self.call(kan_code(used[0] // 4 * 4), used, used[0])

    def play_kk(self, wanted: list[str]) -> None:
        """Kakan; its tile may be robbed, and so counts as the last discard."""
        used = self.held(wanted)
        self.last, self.giver = used[0], self.who
        pon = self.pons[self.last // 4]
        self.call(pon_code(*pon, flag=16), used, pon[0][0])

    def fill(self, nagashi: int) -> None:
        """Play tsumogiri to the last draw; the seat `nagashi` draws terminals and honors, the other seats simples."""
        keep = faces(self.setting.get("keep", ""))
        rest = +Counter({face: len(tiles) for face, tiles in self.free.items() if face not in keep})
        order = cycle([*KINDS, *RED])
        seat = (self.who - self.oya) % 4
        while self.draws < DRAWS_OF_A_FRAME:
            seat = (seat + 1) % 4
            fits = {face for face in rest if nagashi < 0 or (face[0] in "02345678") != (seat == nagashi)} or set(rest)
            face = next(face for face in order if face in fits)
            rest -= Counter([face])
            self.acts(f"{SEATS[seat]} {face} tg")

    def ending(self, name: str, told: dict[str, str], attributes: Attributes) -> None:
        """Write the end of a frame: points and changes, and `owari` if the game is over."""
        change = numbers(told["change"])
        attributes["sc"] = csv(f"{before},{gain}" for before, gain in zip(self.points, change, strict=True))
        self.points = [before + gain for before, gain in zip(self.points, change, strict=True)]
        if "chips" in told:
            chips = zip(numbers(self.setting["chip"]), numbers(told["chips"]), strict=True)
            attributes["sc"] = csv([attributes["sc"], *map(csv, chips)])
        if "owari" in told:
            final = list(self.points)
            final[final.index(max(final))] += 10 * self.sticks
            attributes["owari"] = csv(map(csv, zip(final, told["owari"].split(","), strict=True)))
        if "owari-chips" in told:
            attributes["owari"] = csv([attributes["owari"], *(f"{chip},0" for chip in told["owari-chips"].split(","))])
        attributes["ratio"] = told.get("ratio")
        self.out.append(element(name, attributes, " />"))

    def win(self, line: str) -> None:
        """Win: `w from=s ten=30,2000,0 yaku=riichi:1,dora:1 ura=5p pao=n change=0,-20,20,0`; no `from` is a tsumo."""
        told = options(line)
        who = (self.oya + SEATS.index(line[0])) % 4
        giver = (self.oya + SEATS.index(told.get("from", line[0]))) % 4
        if giver == who:
            self.settle()
        self.riichi = False
        machi = self.drawn if giver == who else self.last
        self.ura = self.ura or [self.take(face) for face in faces(told.get("ura", ""))]
        attributes: Attributes = {
            "ba": f"{self.honba},{self.sticks}",
            "hai": csv(sorted({*self.hands[who], machi})),
            "m": csv(reversed(self.melds[who].values())) or None,
            "machi": machi,
            "ten": told["ten"],
            "yaku": yaku(told.get("yaku")),
            "yakuman": yaku(told.get("yakuman")),
            "chip": yaku(told.get("chipyaku")),
            "doraHai": csv(self.indicators),
            "doraHaiUra": csv(self.ura) if "ura" in told else None,
            "who": who,
            "fromWho": giver,
            "paoWho": (self.oya + SEATS.index(told["pao"])) % 4 if "pao" in told else None,
        }
        self.sticks = 0
        self.ending("AGARI", told, attributes)

    def draw(self, line: str) -> None:
        """End in a draw: `type=yao9 shows=e change=0,0,0,0`; no `type` is an exhaustive draw."""
        self.settle()
        told = options(line)
        attributes: Attributes = {"type": told.get("type"), "ba": f"{self.honba},{self.sticks}", "sc": None}
        for who, hand in enumerate(self.hands):
            if SEATS[(who - self.oya) % 4] in told.get("shows", ""):
                attributes[f"hai{who}"] = csv(sorted(hand))
        self.ending("RYUUKYOKU", told, attributes)
