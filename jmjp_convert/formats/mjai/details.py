"""The value of a win and the reason for a draw, in the words of the original protocol.

Source: ``lib/mjai/tenhou_archive.rb`` and ``hora.rb`` of gimite's mjai; other programs' words for draws are read too.

A word may stand for several of Tenhou's yaku: the winner's seat, the round and the hand show which. Yaku of zero han
(ura dora without a match) have no word.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from jmjp_convert.model import DrawKind, Frame, Kita, Limit, Score, Start, Win, Yaku
from jmjp_convert.model.tiles import kind
from jmjp_convert.play.melds import tiles_of

YAKU = (
    *("menzenchin_tsumoho", "reach", "ippatsu", "chankan", "rinshankaiho", "haiteiraoyue", "hoteiraoyui", "pinfu"),
    *("tanyaochu", "ipeko", *["jikaze"] * 4, *["bakaze"] * 4, *["sangenpai"] * 3, "double_reach", "chitoitsu"),
    *("honchantaiyao", "ikkitsukan", "sanshokudojun", "sanshokudoko", "sankantsu", "toitoiho", "sananko"),
    *("shosangen", "honroto", "ryanpeko", "junchantaiyao", "honiso", "chiniso", "renho", "tenho", "chiho"),
    *("daisangen", "suanko", "suanko", "tsuiso", "ryuiso", "chinroto", "churenpoton", "churenpoton"),
    *("kokushimuso", "kokushimuso", "daisushi", "shosushi", "sukantsu", "dora", "uradora", "akadora"),
)
"""The word for each yaku, by Tenhou's number."""

MOST = 999_999_999
MOST_HAN = 1000
"""More han than any yaku has."""

YAKUMAN = 100
"""The han of a yakuman in this protocol."""

REASONS = {
    DrawKind.EXHAUSTIVE: "fanpai",
    DrawKind.NAGASHI: "nagashimangan",
    DrawKind.NINE_TERMINALS: "kyushukyuhai",
    DrawKind.FOUR_WINDS: "sufonrenta",
    DrawKind.FOUR_RIICHI: "suchareach",
    DrawKind.FOUR_KANS: "sukaikan",
    DrawKind.TRIPLE_RON: "sanchaho",
}
"""The word for each kind of draw."""

KINDS = {word: draw for draw, word in REASONS.items()} | {
    # RiichiEnv (riichienv-core/src/state), and what mjx calls an exhaustive draw
    "exhaustive_draw": DrawKind.EXHAUSTIVE,
    "fonpai": DrawKind.EXHAUSTIVE,
    "nagashi_mangan": DrawKind.NAGASHI,
    "kyushu_kyuhai": DrawKind.NINE_TERMINALS,
    "sufuurenta": DrawKind.FOUR_WINDS,
    "suucha_riichi": DrawKind.FOUR_RIICHI,
    "suukansansen": DrawKind.FOUR_KANS,
    # jansou, in mjlog's words (jansou/io/paifu.py)
    "exhaustive": DrawKind.EXHAUSTIVE,
    "nm": DrawKind.NAGASHI,
    "yao9": DrawKind.NINE_TERMINALS,
    "kaze4": DrawKind.FOUR_WINDS,
    "reach4": DrawKind.FOUR_RIICHI,
    "kan4": DrawKind.FOUR_KANS,
    "ron3": DrawKind.TRIPLE_RON,
}
"""The kind of draw for each word that is read."""


class Told(NamedTuple):
    """What a line says of the value of a win.

    :ivar yaku: words, each with its han.
    """

    points: int
    fu: int | None = None
    fan: int | None = None
    yaku: tuple[tuple[str, int], ...] = ()


class Winner(NamedTuple):
    """What decides between yaku of one word, and the limit.

    :ivar start: the start of the frame.
    :ivar player: the winner.
    :ivar tsumo: whether the win is by tsumo.
    :ivar tile: the winning tile.
    :ivar closed: the other closed tiles.
    :ivar melds: the tiles of each meld.
    """

    start: Start
    player: int
    tsumo: bool
    tile: int
    closed: Sequence[int]
    melds: Sequence[Sequence[int]]


def winner(win: Win, frame: Frame) -> Winner:
    """Return the winner of *win*, with the hand at the end of *frame*."""
    hand = frame.end.hands[win.player]
    melds = [tiles_of(meld) for meld in hand.melds if not isinstance(meld, Kita)]
    return Winner(frame.start, win.player, win.source is None, win.tile, hand.tiles, melds)


def told(score: Score) -> Told | None:
    """Return what is written of *score*; ``None`` if the values are beyond any that are read."""
    yaku = tuple([(YAKU[number], YAKUMAN if han is None else han) for number, han in score.yaku if han != 0])
    fan = sum(han for _, han in yaku) if yaku else score.han_alone
    said = Told(score.points, score.fu, fan, yaku)
    numbers = (said.points - 1, said.fu or 0, said.fan or 0)
    readable = all(0 <= number < MOST for number in numbers) and all(0 <= han < MOST_HAN for _, han in yaku)
    return said if readable else None


def score(said: Told, winner: Winner) -> Score:
    """Return the value of a win; without its yaku if a word is unknown or the hand does not show which it is."""
    yaku = _yaku(said.yaku, winner)
    return Score(said.fu, said.points, _limit(said.points, winner), yaku, None if yaku else said.fan)


def unknown(said: Told) -> Iterator[str]:
    """Yield the words for yaku that are unknown."""
    return (word for word, _ in said.yaku if word not in _NUMBERS)


# --- yaku ------------------------------------------------------------------------------------------------------------

_NUMBERS: dict[str, tuple[int, ...]] = {
    word: tuple([number for number, other in enumerate(YAKU) if other == word]) for word in YAKU
}
_DRAGONS = (31, 32, 33)
_TRIPLET, _PAIR = 3, 2


def _yaku(words: Sequence[tuple[str, int]], winner: Winner) -> tuple[Yaku, ...]:
    """Return the yaku for *words*, or none if one of them is undecided."""
    found: list[Yaku] = []
    dragons = iter(_dragons(winner))
    for word, han in words:
        numbers: Sequence[int] = _NUMBERS.get(word, ())
        if word == "sangenpai":  # one for each dragon, or one for all
            numbers = [number for _, number in zip(range(han), dragons, strict=False)]
            found += [Yaku(number, 1) for number in numbers]
            if len(numbers) == han > 0:
                continue
            return ()
        if len(numbers) > 1:
            numbers = _decided(word, numbers, winner)
        if len(numbers) != 1:
            return ()
        found.append(Yaku(numbers[0], None if han >= YAKUMAN else han))
    return tuple(found)


def _dragons(winner: Winner) -> list[int]:
    """Return the yaku numbers of the dragons of which the winner has a triplet."""
    tiles = [winner.tile, *winner.closed, *(tile for meld in winner.melds for tile in meld)]
    kinds = list(map(kind, tiles))
    return [_NUMBERS["sangenpai"][place] for place, dragon in enumerate(_DRAGONS) if kinds.count(dragon) >= _TRIPLET]


def _decided(word: str, numbers: Sequence[int], winner: Winner) -> Sequence[int]:
    """Return which of *numbers* the *word* stands for."""
    start = winner.start
    if word == "jikaze":
        return [numbers[(winner.player - start.dealer) % len(start.hands)]]
    if word == "bakaze":
        return [numbers[start.round // 4]]
    kinds = [kind(tile) for tile in (winner.tile, *winner.closed)]
    if None in kinds:
        return ()
    # A second tile of that kind, or a fourth of the ends of nine gates: the others wait for any.
    return [numbers[kinds.count(kinds[0]) in (_PAIR, 4)]]


# --- limits ----------------------------------------------------------------------------------------------------------

_BASES = {
    Limit.YAKUMAN: 8000,
    Limit.SANBAIMAN: 6000,
    Limit.BAIMAN: 4000,
    Limit.HANEMAN: 3000,
    Limit.MANGAN: 2000,
}


def _limit(points: int, winner: Winner) -> Limit:
    """Return the limit that a hand worth *points* reaches."""
    dealer = winner.player == winner.start.dealer
    if winner.tsumo:
        payers = len(winner.start.hands) - 1
        shares = 2 * payers if dealer else payers + 1
    else:
        shares = 6 if dealer else 4
    return next((limit for limit, base in _BASES.items() if points >= base * shares), Limit.NONE)
