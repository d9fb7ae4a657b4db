"""The words of mjai, in both directions: tiles, lines, yaku and the reasons for draws."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Sequence
from functools import lru_cache
from typing import Any, NamedTuple

from jmjp_convert.formats.bounds import MOST, MOST_HAN
from jmjp_convert.formats.json_text import encode
from jmjp_convert.formats.json_values import At
from jmjp_convert.formats.session import Notice, ignore
from jmjp_convert.formats.spellings import ALWAYS_YAKUMAN, DRAW_KINDS, add_yaku, keep_yaku, plain, with_known_yaku
from jmjp_convert.model import (
    DISCARDS,
    DRAWS,
    SEATS,
    DrawKind,
    Event,
    Frame,
    Kita,
    Meld,
    Rules,
    Score,
    Start,
    Win,
    Yaku,
    houses,
)
from jmjp_convert.model.events import ACCEPTED, DECLARED
from jmjp_convert.model.tiles import (
    DRAGON_KINDS,
    FACES,
    HONOR_FACES,
    RED_FACES,
    UNKNOWN_FACE,
    RedFives,
    any_copy,
    faces,
    kind,
)
from jmjp_convert.model.yaku import NAMES, TENHOU_NUMBERS, limit_of
from jmjp_convert.play.melds import tiles_of

UNKNOWN_NAME = "?"

_NAMES = {
    **{f"0{suit}": f"5{suit}r" for suit in "mps"},
    **dict(zip(HONOR_FACES, "ESWNPFC", strict=True)),
    UNKNOWN_FACE: UNKNOWN_NAME,
}
"""Tiles with different names in mjai and jmjp."""

_OTHER_NAMES = {face: face for face in RED_FACES} | {face: f"{number}z" for number, face in enumerate(HONOR_FACES, 1)}
"""What some programs call a tile instead."""

_KNOWN_FACES = (*FACES, UNKNOWN_FACE)

TILES = {
    name: any_copy(face)
    for face in _KNOWN_FACES
    for name in filter(None, (_NAMES.get(face, face), _OTHER_NAMES.get(face)))
}
"""Tile IDs by name; only the face is known."""


KYOKU_FIRST = {True: 4, False: 0}
"""What ``kyoku_first`` is, by whether the game is East-only."""


def kyoku_first(rules: Rules) -> int | None:
    """Return ``kyoku_first`` for games with *rules*; ``None`` if their length is unknown."""
    east_only = houses.is_east_only(rules)
    return None if east_only is None else KYOKU_FIRST[east_only]


def line(kind: str, **values: object) -> str:
    """Return an event as a line, without unknown values."""
    return encode({"type": kind, **{key: value for key, value in values.items() if value is not None}})


class Words(NamedTuple):
    """Precomputed names and lines."""

    tiles: tuple[str, ...]  # by tile ID
    draws: tuple[tuple[str, ...], ...]  # by player and tile ID
    discards: tuple[tuple[tuple[str, ...], ...], ...]  # by whether it is tsumogiri, then by player and tile ID


@lru_cache
def words(red_fives: RedFives | None) -> Words:
    """Return the names and lines for games with so many *red_fives*."""
    tiles = tuple(_NAMES.get(face, face) for face in faces(red_fives))
    draws = tuple(tuple(line("tsumo", actor=player, pai=tile) for tile in tiles) for player in range(SEATS))
    discards = tuple(
        tuple(
            tuple(line("dahai", actor=player, pai=tile, tsumogiri=drawn) for tile in tiles) for player in range(SEATS)
        )
        for drawn in (False, True)
    )
    return Words(tiles, draws, discards)


# --- for the reader --------------------------------------------------------------------------------------------------

_LAYOUTS: tuple[Callable[[dict[str, Any]], str], ...] = (
    encode,
    json.dumps,
    lambda value: encode(dict(sorted(value.items()))),
    lambda value: json.dumps(value, sort_keys=True),
)
"""How programs lay out a line: with spaces or without, the keys in convlog's order or sorted."""


@lru_cache
def plain_lines(players: int) -> dict[bytes, Event]:
    """Return the draws, discards and riichi by line, with its end, in every usual layout: 95 of 100 lines."""
    return {f"{layout(value)}\n".encode(): event for value, event in _plain(players) for layout in _LAYOUTS}


def _plain(players: int) -> Iterator[tuple[dict[str, Any], Event]]:
    for player in range(players):
        yield {"type": "reach", "actor": player}, DECLARED[player]
        yield {"type": "reach_accepted", "actor": player}, ACCEPTED[player]
    for face in _KNOWN_FACES:
        name = _NAMES.get(face, face)
        for player in range(SEATS):
            drawn = {"actor": player, "pai": name}
            yield {"type": "tsumo", **drawn}, DRAWS[player][any_copy(face)]
            for tsumogiri in (True, False):
                discards = DISCARDS[tsumogiri][player]
                yield {"type": "dahai", **drawn, "tsumogiri": tsumogiri}, discards[any_copy(face)]


# --- the values of wins and the reasons for draws ---------------------------------------------------------------------

# Source: ``lib/mjai/tenhou_archive.rb`` and ``hora.rb`` of gimite's mjai. The words of other programs are read too,
# among them Tenhou's and Mahjong Soul's, which RiichiEnv's converters leave as they are.
#
# A word may stand for several of Tenhou's yaku: the winner's seat, the round and the hand show which. Yaku of zero
# han (ura dora without a match) have no word.

YAKU = (
    *("menzenchin_tsumoho", "reach", "ippatsu", "chankan", "rinshankaiho", "haiteiraoyue", "hoteiraoyui", "pinfu"),
    *("tanyaochu", "ipeko", *["jikaze"] * 4, *["bakaze"] * 4, *["sangenpai"] * 3, "double_reach", "chitoitsu"),
    *("honchantaiyao", "ikkitsukan", "sanshokudojun", "sanshokudoko", "sankantsu", "toitoiho", "sananko"),
    *("shosangen", "honroto", "ryanpeko", "junchantaiyao", "honiso", "chiniso", "renho", "tenho", "chiho"),
    *("daisangen", "suanko", "suanko", "tsuiso", "ryuiso", "chinroto", "churenpoton", "churenpoton"),
    *("kokushimuso", "kokushimuso", "daisushi", "shosushi", "sukantsu", "dora", "uradora", "akadora"),
    *(NAMES[number].romaji.lower().replace(" ", "_") for number in range(len(TENHOU_NUMBERS), len(NAMES))),
)
"""The word for each yaku, by number. mjai has none for those of other servers."""

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

# RiichiEnv (riichienv-core/src/state), "fonpai" of mjx, and last jansou, in mjlog's words (jansou/io/paifu.py).
_OTHER_REASONS = {
    DrawKind.EXHAUSTIVE: "exhaustive_draw fonpai exhaustive",
    DrawKind.NAGASHI: "nagashi_mangan nm",
    DrawKind.NINE_TERMINALS: "kyushu_kyuhai yao9",
    DrawKind.FOUR_WINDS: "sufuurenta kaze4",
    DrawKind.FOUR_RIICHI: "suucha_riichi reach4",
    DrawKind.FOUR_KANS: "suukansansen kan4",
    DrawKind.TRIPLE_RON: "ron3",
}
_KINDS = {word: kind for kind, words in _OTHER_REASONS.items() for word in (REASONS[kind], *words.split())}
"""The kind of draw for each word that only mjai has."""


class Value(NamedTuple):
    """The value of a win, as a line has it."""

    points: int
    fu: int | None = None
    fan: int | None = None
    yaku: tuple[tuple[str, int], ...] = ()  # words, each with its han


def value_of(score: Score, player: int, start: Start) -> Value | None:
    """Return what is written of *score*; ``None`` if the values are beyond any that are read.

    :param player: the winner.
    :param start: the start of the frame.
    """
    yaku = tuple(
        [
            (yaku.word if yaku.number is None else YAKU[yaku.number], YAKUMAN if yaku.han is None else yaku.han)
            for yaku in with_known_yaku(score, player, start).counting_yaku
        ]
    )
    fan = sum(han for _, han in yaku) if yaku else score.han
    value = Value(score.points, score.fu, fan, yaku)
    numbers = (value.points - 1, value.fu or 0, value.fan or 0)
    readable = all(0 <= number < MOST for number in numbers) and all(0 <= han <= MOST_HAN for _, han in yaku)
    return value if readable else None


def score_of(value: Value, win: Win, frame: Frame) -> Score:
    """Return the *value* of *win*; without its yaku if the hand at the end of *frame* leaves one open."""
    yaku, start = _yaku(value.yaku, win, frame), frame.start
    dealer, tsumo = win.player == start.dealer, win.source is None
    limit = limit_of(value.points, dealer=dealer, payers=len(start.hands) - 1, tsumo=tsumo)
    return Score(value.fu, value.points, limit, yaku, None if yaku else value.fan)


def draw_kind(word: str) -> DrawKind | None:
    """Return the kind of draw called *word*, ``None`` if it is unknown."""
    return _KINDS.get(word) or DRAW_KINDS.get(plain(word))


def report_unknown(yaku: tuple[tuple[str, int], ...], notice: Notice) -> None:
    """Report the words for *yaku* that are unknown."""
    for word, _ in yaku:
        if word not in _NUMBERS and not add_yaku([], word, 0, seat=0, wind=0):
            keep_yaku([], word, 0, notice)


_NAME_AND_HAN = 2
_ALONE = (str, int)


def yaku_of(line: At, notice: Notice) -> tuple[tuple[str, int], ...]:
    """Return the words for the yaku, each with its han: pairs, or objects with a name and han. Names or numbers alone
    are reported and left out: nothing says what each is worth."""
    yaku, pairs = line.get("yakus", "yaku"), []
    listed = [] if yaku is None else list(yaku.items("a list of yaku"))
    if listed and all(type(each.value) in _ALONE for each in listed):
        notice("yaku without their han ignored")
        return ()
    for each in listed:
        pair = _pair(each.value)
        if pair is None:
            raise each.expected('a yaku and its han such as ["reach",1]')
        pairs.append(pair)
    return tuple(pairs)


def _pair(value: Any) -> tuple[str, int] | None:
    if type(value) is dict:
        value = [value.get("name"), value.get("han", value.get("fan"))]
    if type(value) is not list or len(value) != _NAME_AND_HAN or [type(part) for part in value] != [str, int]:
        return None
    return (value[0], value[1]) if 0 <= value[1] <= MOST_HAN else None


# --- yaku ------------------------------------------------------------------------------------------------------------

_NUMBERS: dict[str, tuple[int, ...]] = {
    word: tuple([number for number, other in enumerate(YAKU) if other == word]) for word in YAKU
}
_WINDS = ("jikaze", "bakaze")
_TRIPLET, _PAIR = 3, 2


def _yaku(words: Sequence[tuple[str, int]], win: Win, frame: Frame) -> tuple[Yaku, ...]:
    """Return the yaku for *words*, or none if one of them is undecided or cannot be kept."""
    collected: list[Yaku] = []
    hand = frame.end.hands[win.player]
    kinds = [kind(tile) for tile in (win.tile, *hand.tiles)]
    dragons = iter(_dragons(kinds, hand.melds))
    winds = (win.player - frame.start.dealer) % len(frame.start.hands), frame.start.round // SEATS
    for word, han in words:
        numbers: Sequence[int] = _NUMBERS.get(word, ())
        worth = None if han >= YAKUMAN else han
        if not numbers and add_yaku(collected, word, worth, seat=winds[0], wind=winds[1]):
            if collected[-1].number in ALWAYS_YAKUMAN:  # some write its han as 13
                collected[-1] = Yaku(collected[-1].number)
            continue
        if not numbers and keep_yaku(collected, word, worth, ignore):
            continue
        if word == "sangenpai":  # one for each dragon, or one for all
            numbers = [number for _, number in zip(range(han), dragons, strict=False)]
            collected += [Yaku(number, 1) for number in numbers]
            if len(numbers) == han > 0:
                continue
            return ()
        if word in _WINDS:
            numbers = [numbers[winds[_WINDS.index(word)]]]
        elif len(numbers) > 1 and None not in kinds:
            # A second tile of that kind, or a fourth of the ends of nine gates: the others wait for any.
            numbers = [numbers[kinds.count(kinds[0]) in (_PAIR, 4)]]
        if len(numbers) != 1:
            return ()
        collected.append(Yaku(numbers[0], worth))
    return tuple(collected)


def _dragons(closed: Sequence[int | None], melds: Sequence[Meld]) -> list[int]:
    """Return the yaku numbers of the triplets of dragons among the kinds of the *closed* tiles and in *melds*."""
    kinds = [*closed, *(kind(tile) for meld in melds if not isinstance(meld, Kita) for tile in tiles_of(meld))]
    triplets = [kinds.count(dragon) >= _TRIPLET for dragon in DRAGON_KINDS]
    return [number for number, has_triplet in zip(_NUMBERS["sangenpai"], triplets, strict=True) if has_triplet]
