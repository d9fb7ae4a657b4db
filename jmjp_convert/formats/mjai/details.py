"""The value of a win and the reason for a draw, in the words of the original protocol.

Source: ``lib/mjai/tenhou_archive.rb`` and ``hora.rb`` of gimite's mjai. The words of other programs are read too, among
them Tenhou's and Mahjong Soul's, which RiichiEnv's converters leave as they are.

A word may stand for several of Tenhou's yaku: the winner's seat, the round and the hand show which. Yaku of zero han
(ura dora without a match) have no word.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from jmjp_convert.formats.bounds import MOST, MOST_HAN
from jmjp_convert.formats.words import DRAW_KINDS, add_yaku, plain
from jmjp_convert.model import SEATS, DrawKind, Frame, Kita, Score, Start, Win, Yaku
from jmjp_convert.model.tiles import DRAGON_KINDS, kind
from jmjp_convert.model.yaku import limit_of
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

_KINDS = {word: draw for draw, word in REASONS.items()} | {
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
"""The kind of draw for each word that only mjai has."""


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
    fan = sum(han for _, han in yaku) if yaku else score.han
    said = Told(score.points, score.fu, fan, yaku)
    numbers = (said.points - 1, said.fu or 0, said.fan or 0)
    readable = all(0 <= number < MOST for number in numbers) and all(0 <= han <= MOST_HAN for _, han in yaku)
    return said if readable else None


def score(said: Told, winner: Winner) -> Score:
    """Return the value of a win; without its yaku if a word is unknown or the hand does not show which it is."""
    yaku = _yaku(said.yaku, winner)
    dealer = winner.player == winner.start.dealer
    limit = limit_of(said.points, dealer=dealer, payers=len(winner.start.hands) - 1, tsumo=winner.tsumo)
    return Score(said.fu, said.points, limit, yaku, None if yaku else said.fan)


def draw_kind(word: str) -> DrawKind | None:
    """Return the kind of draw called *word*, ``None`` if it is unknown."""
    return _KINDS.get(word) or DRAW_KINDS.get(plain(word))


def unknown(said: Told) -> Iterator[str]:
    """Yield the words for yaku that are unknown."""
    return (word for word, _ in said.yaku if word not in _NUMBERS and not add_yaku([], word, 0, seat=0, wind=0))


# --- yaku ------------------------------------------------------------------------------------------------------------

_NUMBERS: dict[str, tuple[int, ...]] = {
    word: tuple([number for number, other in enumerate(YAKU) if other == word]) for word in YAKU
}
_WINDS = ("jikaze", "bakaze")
_TRIPLET, _PAIR = 3, 2
_ALWAYS_YAKUMAN = range(37, 52)


def _yaku(words: Sequence[tuple[str, int]], winner: Winner) -> tuple[Yaku, ...]:
    """Return the yaku for *words*, or none if one of them is undecided."""
    found: list[Yaku] = []
    dragons = iter(_dragons(winner))
    seat, wind = _winds(winner)
    for word, han in words:
        numbers: Sequence[int] = _NUMBERS.get(word, ())
        worth = None if han >= YAKUMAN else han
        if not numbers and add_yaku(found, word, worth, seat=seat, wind=wind):
            if found[-1].number in _ALWAYS_YAKUMAN:  # some write its han as 13
                found[-1] = Yaku(found[-1].number)
            continue
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
        found.append(Yaku(numbers[0], worth))
    return tuple(found)


def _dragons(winner: Winner) -> list[int]:
    """Return the yaku numbers of the winner's triplets of dragons."""
    tiles = [winner.tile, *winner.closed, *(tile for meld in winner.melds for tile in meld)]
    kinds = list(map(kind, tiles))
    return [
        _NUMBERS["sangenpai"][place] for place, dragon in enumerate(DRAGON_KINDS) if kinds.count(dragon) >= _TRIPLET
    ]


def _winds(winner: Winner) -> tuple[int, int]:
    """Return the wind of the winner's seat and that of the round, each 0 for East."""
    start = winner.start
    return (winner.player - start.dealer) % len(start.hands), start.round // SEATS


def _decided(word: str, numbers: Sequence[int], winner: Winner) -> Sequence[int]:
    """Return which of *numbers* the *word* stands for."""
    if word in _WINDS:
        return [numbers[_winds(winner)[_WINDS.index(word)]]]
    kinds = [kind(tile) for tile in (winner.tile, *winner.closed)]
    if None in kinds:
        return ()
    # A second tile of that kind, or a fourth of the ends of nine gates: the others wait for any.
    return [numbers[kinds.count(kinds[0]) in (_PAIR, 4)]]
