"""What an mjlog records of each frame, by face and in plain values, without the package's own reader.

Readers and writers share tables; a mistake in a table would not show in any test that compares them with each other.
This is read from the XML alone.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import cache
from typing import NamedTuple

Entry = tuple[object, ...]
Points = tuple[int, ...]

_ELEMENT = re.compile(r"<([A-Za-z]+)([0-9]*)((?:\s+\w+=(?:\"[^\"]*\"|'[^']*'))*)\s*/?>")
_ATTRIBUTE = re.compile(r"(\w+)=(?:\"([^\"]*)\"|'([^']*)')")
_HONORS = ("ew", "sw", "ww", "nw", "wd", "gd", "rd")
_RED = {16: "0m", 52: "0p", 88: "0s"}
_NO_RED, _SANMA = 0x02, 0x10
_DRAWN = {"yao9": "NINE_TERMINALS", "kaze4": "FOUR_WINDS", "reach4": "FOUR_RIICHI", "ron3": "TRIPLE_RON"}
_DRAWN |= {"nm": "NAGASHI", "kan4": "FOUR_KANS", "": "EXHAUSTIVE"}


RIICHI = ("riichi", "accepted")
"""The entries that move no tile."""


class Worth(NamedTuple):
    """What a win is worth: *points*, *fu* and *han* (of a yakuman neither), and *yaku* with their han, except those of
    zero."""

    points: int
    fu: int | None
    han: int | None
    yaku: tuple[tuple[int, int | None], ...]


class Recorded(NamedTuple):
    """A frame.

    :ivar start: round, honba, riichi sticks on the table.
    :ivar points: by player, at the start.
    :ivar hands: by player, sorted.
    :ivar dora: the dora indicators in order.
    :ivar turned: how many tiles had been drawn, discarded or called when each of them but the first was turned.
    :ivar ura: the ura dora indicators that a winner saw.
    :ivar entries: what happened: a word, the player, and the rest.
    :ivar after: the points by player at the end, ``None`` if the frame did not end.
    """

    start: tuple[int, int, int]
    points: Points
    hands: tuple[tuple[str, ...], ...]
    dora: tuple[str, ...]
    turned: tuple[int, ...]
    ura: tuple[str, ...]
    entries: tuple[Entry, ...]
    after: Points | None


@cache
def recorded(log: bytes) -> tuple[Recorded, ...]:
    """Return the frames of an mjlog."""
    text = re.sub(r"<!--.*?-->", "", log.decode("utf-8-sig"), flags=re.DOTALL)
    frames: list[_Frame] = []
    rules = 0
    for name, number, given in _ELEMENT.findall(text):
        values = {key: first or second for key, first, second in _ATTRIBUTE.findall(given)}
        if name == "GO":
            rules = int(values["type"])
        elif name == "INIT":
            frames.append(_Frame(values, rules))
        elif frames:
            frames[-1].add(name, number, values)
    return tuple(frame.recorded() for frame in frames)


def decoded(code: int) -> tuple[str, list[int], int | None]:
    """Return what the meld with this *code* is, its tiles in order, and the tile called or added."""
    if code & 4:
        pattern = code >> 10
        first = pattern // 3 // 7 * 9 + pattern // 3 % 7
        tiles = [4 * (first + step) + (code >> shift & 3) for step, shift in enumerate((3, 5, 7))]
        return "chi", tiles, tiles[pattern % 3]
    if code & 0x18:
        kind, left = code >> 9, (code >> 9) // 3 * 4 + (code >> 5 & 3)
        four = [4 * (kind // 3) + copy for copy in range(4)]
        pon = [tile for tile in four if tile != left]
        return ("pon", pon, pon[kind % 3]) if code & 8 else ("kakan", four, left)
    tile = code >> 8
    if code & 0x20 and not code & 3:
        return "kita", [tile], None
    four = [tile // 4 * 4 + copy for copy in range(4)]
    return ("daiminkan", four, tile) if code & 3 else ("ankan", four, None)


def numbers(text: str | None) -> list[int]:
    """Return the numbers of *text*, between commas."""
    return [int(number) for number in text.split(",")] if text else []


class _Frame:
    """A frame being read."""

    def __init__(self, values: dict[str, str], rules: int) -> None:
        round_, honba, sticks, *_, indicator = values["seed"].split(",")  # the dice may be empty
        self._players = 3 if rules & _SANMA else 4
        self._red = not rules & _NO_RED
        self._start = (int(round_), int(honba), int(sticks))
        self._points = self._hundreds(values["ten"])
        self._hands = tuple(self._faces(numbers(values[f"hai{player}"])) for player in range(self._players))
        self._dora = [self._face(int(indicator))]
        self._turned: list[int] = []
        self._ura: tuple[str, ...] = ()
        self._entries: list[Entry] = []
        self._drawn: int | None = None
        self._after: Points | None = None

    def recorded(self) -> Recorded:
        """Return the frame."""
        dora, turned = tuple(self._dora), tuple(self._turned)
        return Recorded(
            self._start, self._points, self._hands, dora, turned, self._ura, tuple(self._entries), self._after
        )

    def _face(self, tile: int) -> str:
        if self._red and tile in _RED:
            return _RED[tile]
        kind = tile // 4
        return f"{kind % 9 + 1}{'mps'[kind // 9]}" if kind < 27 else _HONORS[kind - 27]

    def _faces(self, tiles: Sequence[int]) -> tuple[str, ...]:
        return tuple(sorted(map(self._face, tiles)))

    def _hundreds(self, text: str) -> Points:
        return tuple(100 * number for number in numbers(text)[: self._players])

    def add(self, name: str, number: str, values: dict[str, str]) -> None:
        """Add an element."""
        if number and name in "TUVW":
            self._drawn = int(number)
            self._entries.append(("draw", "TUVW".index(name), self._face(self._drawn)))
        elif number and name in "DEFG":
            tile = int(number)
            self._entries.append(("discard", "DEFG".index(name), self._face(tile), tile == self._drawn))
            self._drawn = None
        elif name == "N":
            self._entries.append(self._meld(int(values["who"]), int(values["m"])))
        elif name == "REACH":
            self._entries.append((RIICHI[int(values["step"]) - 1], int(values["who"])))
        elif name == "DORA":
            self._dora.append(self._face(int(values["hai"])))
            self._turned.append(sum(entry[0] not in RIICHI for entry in self._entries))
        elif name in ("AGARI", "RYUUKYOKU"):
            self._ending(name, values)

    def _ending(self, name: str, values: dict[str, str]) -> None:
        pairs = numbers(values["sc"])
        before, changes = (tuple(100 * number for number in pairs[first::2][: self._players]) for first in (0, 1))
        self._after = tuple(map(sum, zip(before, changes, strict=True)))
        if name == "RYUUKYOKU":
            kind = _DRAWN[values.get("type", "")]
            tenpai = [f"hai{player}" in values for player in range(self._players)]
            in_tenpai = tuple(tenpai) if kind in ("EXHAUSTIVE", "NAGASHI") else None
            self._entries.append(("drawn", kind, in_tenpai, changes))
            return
        player, source = int(values["who"]), int(values["fromWho"])
        self._ura = self._ura or tuple(map(self._face, numbers(values.get("doraHaiUra", ""))))
        self._entries.append(
            (
                *("win", player, None if source == player else source, self._face(int(values["machi"]))),
                self._worth(values),
                (int(values["paoWho"]),) if "paoWho" in values else (),
                changes,
            )
        )

    @staticmethod
    def _worth(values: dict[str, str]) -> Worth:
        fu, points, _ = numbers(values["ten"])
        pairs = numbers(values.get("yaku", ""))
        yaku = [(number, han) for number, han in zip(pairs[::2], pairs[1::2], strict=True) if han]
        yakuman = [(number, None) for number in numbers(values.get("yakuman", ""))]
        han = None if yakuman else sum(pairs[1::2])
        return Worth(points, None if yakuman else fu, han, tuple(sorted([*yaku, *yakuman])))

    def _meld(self, player: int, code: int) -> Entry:
        word, tiles, called = decoded(code)
        if called is None:
            return (word, player, self._face(tiles[0]) if word == "kita" else self._faces(tiles))
        if word == "kakan":
            return (word, player, self._face(called))
        rest = self._faces([tile for tile in tiles if tile != called])
        return (word, player, self._face(called), rest, (player + (code & 3)) % 4)
