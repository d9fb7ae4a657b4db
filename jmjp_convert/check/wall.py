"""Compares every tile of a match with the wall rebuilt from Tenhou's shuffle seed.

All rules of the wall are from docs/design/wall.md and were measured on 11,601 real logs. An MT19937 generator yields
32-bit words (passed through SHA-512 in the newer forms), which shuffle the sorted tiles into the wall. The wall is
dealt and drawn from its end; the dead wall is at its front. All bytes are little-endian.
"""

from __future__ import annotations

import re
from base64 import b64decode
from collections.abc import Callable, Iterator, Sequence
from enum import Enum
from hashlib import sha512
from itertools import zip_longest
from operator import itemgetter, mod
from random import Random
from struct import pack, unpack
from typing import NamedTuple

from jmjp_convert.errors import MatchError, WallError
from jmjp_convert.messages import Message, Who
from jmjp_convert.model import DoraRevealed, Draw, Frame, Match, Shuffle, ShuffleForm, Start, Wall, Win
from jmjp_convert.model.record import record, replace
from jmjp_convert.model.tiles import PHYSICAL, RedFives, label
from jmjp_convert.play.course import shown
from jmjp_convert.play.position import DEAD_WALL, DEALT, SETS

# --- from the seed to the words --------------------------------------------------------------------------------------

_ALGORITHMS = {
    ShuffleForm.BASE64: "mt19937ar-sha512-n288-base64",
    ShuffleForm.HEX: "mt19937ar-sha512-n288",
    ShuffleForm.OLD: "mt19937ar",
}
_STATE = 624
"""The number of words in the generator's state: the length of a base64 seed, and the maximum for any seed."""

_HEX_SEED = re.compile(rf"[0-9A-Fa-f]{{1,8}}(?:,[0-9A-Fa-f]{{1,8}}){{0,{_STATE - 1}}}")
_WORD = 4  # bytes
_FRAME = 288  # words taken from the generator per frame, in the newer forms
_BLOCK = 128  # bytes of them per SHA-512
_DICE = PHYSICAL - 1  # index of the dice in the words of the newer forms, with three players too


def _generator(form: ShuffleForm, seed: str | None) -> Random:
    """Return the generator for *seed*, as written in the log.

    Python's generator is MT19937, seeded from an integer by ``init_by_array`` with its 32-bit words, lowest first; but
    it drops high words that are zero.

    :raises WallError: the seed is missing or not of this *form*, or its last word is zero (one seed in four billion).
    """
    if not seed:
        raise WallError("no shuffle seed is recorded")
    algorithm, _, key = seed.partition(",")
    raw = b""
    if form is not ShuffleForm.BASE64:
        words = [int(word, 16) for word in key.split(",")] if _HEX_SEED.fullmatch(key) else []
        raw = pack(f"<{len(words)}I", *words)
    elif len(raw := _from_base64(key)) != _STATE * _WORD:
        raw = b""
    if algorithm != _ALGORITHMS[form] or not raw:
        raise WallError(f"invalid shuffle seed {seed[:40]!r}")
    if not any(raw[-_WORD:]):
        raise WallError("the last word of the shuffle seed is zero, so the wall cannot be rebuilt")
    return Random(int.from_bytes(raw, "little"))  # noqa: S311 - the generator that Tenhou used


def _from_base64(text: str) -> bytes:
    try:
        return b64decode(text, validate=True)
    except ValueError:
        return b""


def _taken(generator: Random, count: int) -> bytes:
    """Return the next *count* words of *generator*."""
    return generator.getrandbits(32 * count).to_bytes(_WORD * count, "little")


def _plain(generator: Random, tiles: int) -> tuple[tuple[int, ...], int]:
    """Return the words that shuffle this many *tiles* in the old form, and the index of the dice in them."""
    return unpack(f"<{tiles + 1}I", _taken(generator, tiles + 1)), tiles - 1


def _hashed(generator: Random, _tiles: int) -> tuple[tuple[int, ...], int]:
    """Return the words and the index of the dice for the newer forms."""
    raw = _taken(generator, _FRAME)
    blocks = b"".join([sha512(raw[start : start + _BLOCK]).digest() for start in range(0, len(raw), _BLOCK)])
    return unpack(f"<{len(blocks) // _WORD}I", blocks), _DICE


# --- from the words to the wall --------------------------------------------------------------------------------------

_Pick = Callable[[Sequence[int]], tuple[int, ...]]


class Layout(NamedTuple):
    """Functions that pick the parts of the dead wall from a wall."""

    replacements: _Pick
    indicators: _Pick
    ura: _Pick


def _layout(replacements: Sequence[int], indicators: int, ura: int) -> Layout:
    """Return the layout with these indices of the *replacements* and of the first dora and *ura* *indicators*; each
    further one is two on."""
    picked = (replacements, range(indicators, indicators + 10, 2), range(ura, ura + 10, 2))
    return Layout(*[itemgetter(*indices) for indices in picked])


_NEW = {4: _layout((1, 0, 3, 2), 5, 4), 3: _layout((1, 0, 3, 2, 5, 4, 7, 6), 9, 8)}
_OLD = {4: _layout(range(4), 4, 5), 3: _layout(range(8), 8, 9)}

LAYOUTS = {
    (ShuffleForm.BASE64, 4): (_NEW[4],),
    (ShuffleForm.BASE64, 3): (_NEW[3],),
    (ShuffleForm.HEX, 4): (_OLD[4],),
    (ShuffleForm.HEX, 3): (_OLD[3], _NEW[3]),  # never seen
    (ShuffleForm.OLD, 4): (_OLD[4],),
    (ShuffleForm.OLD, 3): (_OLD[3],),
}
"""By form and number of players: the possible layouts, most likely first."""


def _hand(seat: int, players: int) -> _Pick:
    """Return a function that picks the hand at *seat* (0: dealer) from the dealt tiles: three times four, then one."""
    fours = [players * 4 * turn + 4 * seat + tile for turn in range(3) for tile in range(4)]
    return itemgetter(*fours, players * 12 + seat)


_HANDS = {players: [_hand(seat, players) for seat in range(players)] for players in SETS}


def _wall(words: Sequence[int], dice: int, dealer: int, players: int, layout: Layout) -> Wall:
    """Return the wall shuffled by *words*; *dice* is the index of the dice in them."""
    tiles = list(SETS[players])
    for index, ahead in enumerate(map(mod, words, range(len(tiles), 1, -1))):
        other = index + ahead
        tiles[index], tiles[other] = tiles[other], tiles[index]
    dealt = tiles[::-1]
    hands = [pick(dealt) for pick in _HANDS[players]]
    return Wall(
        tuple(tiles),
        (words[dice] % 6 + 1, words[dice + 1] % 6 + 1),
        tuple(hands[-dealer:] + hands[:-dealer]),
        tuple(dealt[players * DEALT : -DEAD_WALL]),
        *[pick(tiles) for pick in layout],
    )


def walls(shuffle: Shuffle, starts: Sequence[Start], players: int, layout: Layout | None = None) -> Iterator[Wall]:
    """Yield the wall of each frame.

    :param shuffle: the form and, except in the old form, the seed.
    :param starts: the starts of all frames from the first on: except in the old form, one generator shuffles them all.
        Only the dealer is used and, in the old form, the seed.
    :param players: 4 or 3.
    :param layout: one of :data:`LAYOUTS`; by default, the most likely.
    :raises WallError: a seed is missing or invalid.
    """
    layout = layout or LAYOUTS[shuffle.form, players][0]
    if shuffle.form is not ShuffleForm.OLD:
        generator = _generator(shuffle.form, shuffle.seed)
        for start in starts:
            yield _wall(*_hashed(generator, len(SETS[players])), start.dealer, players, layout)
        return
    for start in starts:
        try:
            generator = _generator(shuffle.form, start.shuffle)
        except WallError as error:
            raise WallError(f"frame {start.name}: {error}") from None
        yield _wall(*_plain(generator, len(SETS[players])), start.dealer, players, layout)


# --- the comparison ---------------------------------------------------------------------------------------------------


class Agreement(Enum):
    """Whether a match agrees with its wall."""

    AGREES = "agree"
    DISAGREES = "disagree"
    NO_SEED = "without a seed"


@record
class Difference:
    """The first difference between a match and its wall: in *frame* ``S2-1``, *what*, the ``14th draw``, is
    *recorded* as ``39 (1p)`` in the log, while the wall has ``77 (2s)`` (*expected*).

    :ivar player: the player to whom a tile is dealt.
    :ivar indices: the index of the frame in its match, and that of the event in its frame, as in :class:`PlayError`.
    """

    frame: str
    what: str
    recorded: str
    expected: str
    player: int | None = None
    indices: tuple[int, int] = (0, -1)

    @property
    def error(self) -> MatchError:
        """The difference as a problem of its match."""
        to = "" if self.player is None else Message(" to {player}", player=Who(self.player))
        said = "the {what}{to} is {found}; {wanted} expected from the wall"
        message = Message(said, what=self.what, to=to, found=self.recorded, wanted=self.expected)
        frame, index = self.indices
        return MatchError(message, frame=frame, name=self.frame, index=index)

    def __str__(self) -> str:
        return str(self.error)


@record
class WallReport:
    """The comparison of a match with its wall.

    :ivar difference: the first difference, if the match disagrees.
    :ivar frames: the number of frames that agree, up to the first difference.
    :ivar tiles: the number of tiles compared that agree, up to the first difference.
    """

    agreement: Agreement
    difference: Difference | None = None
    frames: int = 0
    tiles: int = 0


def check_wall(match: Match) -> WallReport:
    """Compare *match* with its wall: the dice, the hands in the order of the deal, every draw and replacement tile, and
    every dora and ura dora indicator shown; an unfinished frame, up to where it ends (docs/design/wall.md).

    :param match: as read from an mjlog with no frame left out: in most forms a frame's wall depends on the number of
        frames before it.
    :raises WallError: a seed is recorded but invalid.
    """
    return _compared(match)[0]


def verified_walls(match: Match) -> list[Wall]:
    """Return the wall of each frame of *match*, verified against the tiles that the log shows.

    :param match: as for :func:`check_wall`.
    :raises WallError: the seed is missing or invalid, or its wall differs from the match.
    """
    report, agreeing = _compared(match)
    if report.agreement is Agreement.NO_SEED:
        raise WallError("no shuffle seed is recorded")
    if report.difference is not None:
        raise WallError(f"the wall does not belong to this match: {report.difference}")
    return agreeing


def known_walls(match: Match) -> tuple[list[Wall] | None, str]:
    """Return the :func:`verified_walls` of *match*, or ``None`` and why there are none."""
    try:
        return verified_walls(match), ""
    except WallError as error:
        return None, str(error)


def with_wall(match: Match) -> Match:
    """Return *match* with all ten dora of each frame, where the log shows only those turned.

    :param match: as for :func:`check_wall`.
    :raises WallError: as :func:`verified_walls`.
    """
    pairs = zip(match.frames, verified_walls(match), strict=True)
    return replace(match, frames=tuple([replace(frame, dora=wall.dora) for frame, wall in pairs]))


_Compared = tuple[WallReport, list[Wall]]


def _compared(match: Match) -> _Compared:
    """Return the comparison of *match* with its wall, and the walls of the frames that agree."""
    shuffle, starts, players = match.shuffle, [frame.start for frame in match.frames], match.rules.players
    if shuffle is None or not (shuffle.seed or any(start.shuffle for start in starts)):
        return WallReport(Agreement.NO_SEED), []
    tried = [
        _compared_with(match, walls(shuffle, starts, players, layout)) for layout in LAYOUTS[shuffle.form, players]
    ]
    return max(tried, key=lambda compared: compared[0].tiles)


def _compared_with(match: Match, walls: Iterator[Wall]) -> _Compared:
    """Return the comparison of *match* with *walls*, and those of the frames that agree."""
    agreeing: list[Wall] = []
    tiles = 0
    for number, (frame, wall) in enumerate(zip(match.frames, walls, strict=True)):
        for part in _parts(frame, wall):
            if part.recorded != part.expected[: len(part.recorded)]:
                difference = _difference(number, frame, part, red_fives=match.rules.red_fives)
                return WallReport(Agreement.DISAGREES, difference, len(agreeing), tiles), agreeing
            if part.what != _DIE:
                tiles += len(part.recorded)
        agreeing.append(wall)
    return WallReport(Agreement.AGREES, None, len(agreeing), tiles), agreeing


_Tiles = tuple[int, ...]
_DIE = "die"


class _Part(NamedTuple):
    """A part of the wall that a frame shows: *what* its values are, those *recorded* and those *expected*; and the
    *player* to whom they are dealt."""

    what: str
    recorded: _Tiles
    expected: _Tiles
    player: int | None = None


def _parts(frame: Frame, wall: Wall) -> Iterator[_Part]:
    """Yield the parts of the wall that *frame* shows."""
    start = frame.start
    if isinstance(start.dice, tuple):
        yield _Part(_DIE, start.dice, wall.dice)
    for player, hand in enumerate(start.hands):
        yield _Part("tile dealt", hand, wall.hands[player], player)
    known = shown(frame)
    yield _Part("draw", known.draws, wall.draws)
    yield _Part("replacement tile", known.replacements, wall.replacements)
    yield _Part("dora indicator", known.indicators, wall.indicators)
    yield _Part("ura dora indicator", known.ura, wall.ura)


def _difference(number: int, frame: Frame, part: _Part, *, red_fives: RedFives | None) -> Difference:
    """Return the first difference in *part* of *frame*, the one with this *number*; the wall may have less."""
    pairs = zip_longest(part.recorded, part.expected[: len(part.recorded)])
    nth, pair = next((number, pair) for number, pair in enumerate(pairs, 1) if pair[0] != pair[1])

    def named(value: int | None) -> str:
        if value is None:
            return "nothing"
        return str(value) if part.what == _DIE else label(value, red_fives=red_fives)

    tile = None if part.what == _DIE else pair[0]
    index = _index_of(tile, frame) if part.player is None else -2 - part.player
    what = f"{_ordinal(nth)} {part.what}"
    return Difference(frame.start.name, what, named(pair[0]), named(pair[1]), part.player, (number, index))


def _index_of(tile: int | None, frame: Frame) -> int:
    """Return the index of the event of *frame* that shows *tile* of the wall; -1: its start, or it is a die."""
    for index, event in enumerate(frame.events):
        if isinstance(event, Draw) and event.tile == tile:
            return index
        if isinstance(event, DoraRevealed) and event.indicator == tile:
            return index
        if isinstance(event, Win) and tile in (*(event.indicators or ()), *event.ura):
            return index
    return -1


def _ordinal(number: int) -> str:
    ending = {1: "st", 2: "nd", 3: "rd"}.get(number % 10, "th")
    return f"{number}{'th' if number // 10 % 10 == 1 else ending}"
