"""Compares every tile of a match with its wall: the one that Tenhou's shuffle seed generates, or the recorded one.

All rules are from docs/design/wall.md.
"""

from __future__ import annotations

import hashlib
import re
from base64 import b64decode
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from enum import Enum
from itertools import chain, zip_longest
from operator import mod
from random import Random
from struct import pack, unpack
from typing import NamedTuple

from jmjp_convert.errors import MatchError, WallError
from jmjp_convert.messages import Message, Who
from jmjp_convert.model import (
    DoraRevealed,
    Draw,
    Frame,
    Match,
    RecordedWall,
    Rules,
    Shuffle,
    ShuffleForm,
    Start,
    Wall,
    Win,
)
from jmjp_convert.model.record import replace
from jmjp_convert.model.tiles import (
    COPIES,
    HONOR_NAMES,
    IDS,
    KIND_FACES,
    KINDS,
    PHYSICAL,
    UNKNOWN,
    RedFives,
    exists,
    faces,
    kind,
    label,
)
from jmjp_convert.play.course import Course, shown
from jmjp_convert.play.position import DEAD_WALL, DEALT, SETS


class Agreement(Enum):
    """Whether a match agrees with its wall."""

    AGREES = "agree"
    DISAGREES = "disagree"
    NO_WALL = "without a seed or wall"


class WallReport(NamedTuple):
    """The comparison of a match with its wall."""

    agreement: Agreement
    # The first difference, or what is wrong with a recorded wall by itself, if the match disagrees.
    problem: MatchError | None = None
    frames: int = 0  # the number of frames that agree, up to the first difference
    tiles: int = 0  # the number of tiles compared that agree, up to the first difference
    flawed: bool = False  # whether a recorded wall is one that no game has
    hashes: bool = False  # whether every wall is recorded with a hash that fits its tiles
    deal: bool = True  # whether the hands dealt were compared too, which some recorded walls do not have


def check_wall(match: Match) -> WallReport:
    """Compare *match* with its wall: the dice, the hands in the order of the deal, every draw and replacement tile, and
    every dora and ura dora indicator shown; an unfinished frame, up to where it ends (docs/design/wall.md).

    Of recorded walls, the hash and the number of tiles of each kind are checked first.

    :param match: with a seed, as read from an mjlog with no frame left out: in most forms a frame's wall depends on the
        number of frames before it.
    :raises WallError: a seed is recorded but invalid, or the walls of some frames are recorded and agree, but not all
        are recorded.
    """
    return _compared(match)[0]


def verified_walls(match: Match) -> list[Wall]:
    """Return the wall of each frame of *match*, verified against the tiles that the log shows.

    :param match: as for :func:`check_wall`.
    :raises WallError: the seed or a recorded wall is missing or invalid, or the wall differs from the match.
    """
    report, agreeing = _compared(match)
    if report.agreement is Agreement.NO_WALL:
        raise WallError("no shuffle seed or wall is recorded")
    if report.problem is not None:
        if report.flawed:
            raise WallError(str(report.problem))
        raise WallError(f"the wall does not belong to this match: {report.problem}")
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
    frames, rules = match.frames, match.rules
    if any(frame.wall for frame in frames):
        walls = (_recorded_wall(frame, rules) for frame in frames)
        report, agreeing = _compared_with(match, walls, faces(red_fives=rules.red_fives))
        if report.problem is None and len(agreeing) < len(frames):
            raise WallError("the wall of some frames is not recorded")
        hashes = all(frame.wall is not None and _hash_fits(frame.wall, rules) for frame in frames)
        return report._replace(hashes=hashes, deal=all(wall.dealt for wall in agreeing)), agreeing
    shuffle, starts = match.shuffle, [frame.start for frame in frames]
    if shuffle is None or not (shuffle.seed or any(start.shuffle for start in starts)):
        return WallReport(Agreement.NO_WALL), []
    tried = [
        _compared_with(match, seeded_walls(shuffle, starts, rules.players, layout), range(IDS))
        for layout in LAYOUTS[shuffle.form, rules.players]
    ]
    return max(tried, key=lambda compared: compared[0].tiles)


def _compared_with(match: Match, walls: Iterable[Wall | str | None], names: Sequence[object]) -> _Compared:
    """Return the comparison of *match* with *walls*, and those of the frames that agree.

    :param walls: of each frame: its wall, what is wrong with it, or ``None`` if there is none.
    :param names: by tile, what is compared: its face, or the tile itself where the walls tell its copies apart.
    """
    agreeing: list[Wall] = []
    tiles = 0
    for number, (frame, wall) in enumerate(zip(match.frames, walls, strict=True)):
        if isinstance(wall, str):
            flaw = MatchError(wall, frame=number, name=frame.start.name)
            return WallReport(Agreement.DISAGREES, flaw, len(agreeing), tiles, flawed=True), agreeing
        if wall is None:
            continue
        for part in _parts(frame, wall):
            nth = part.first_difference(names)
            if nth is not None:
                difference = _difference(number, frame, part, nth, red_fives=match.rules.red_fives)
                return WallReport(Agreement.DISAGREES, difference, len(agreeing), tiles), agreeing
            if part.what != _DIE:
                tiles += len(part.recorded)
        agreeing.append(wall)
    return WallReport(Agreement.AGREES, None, len(agreeing), tiles), agreeing


_Tiles = tuple[int, ...]
_DIE = "die"


_DRAW, _REPLACEMENT, _INDICATOR, _URA = "draw", "replacement tile", "dora indicator", "ura dora indicator"


class _Part(NamedTuple):
    """A part of the wall that a frame shows: *what* its values are, those *recorded* and those *expected*; and the
    *player* to whom they are dealt."""

    what: str
    recorded: _Tiles
    expected: _Tiles
    player: int | None = None

    def first_difference(self, names: Sequence[object]) -> int | None:
        """Return the index of the first value that is not the one expected by *names*; the wall may have less."""
        if self.recorded == self.expected[: len(self.recorded)]:
            return None
        for index, pair in enumerate(self.pairs()):
            recorded, expected = (value if self.what == _DIE or value is None else names[value] for value in pair)
            if recorded != expected:
                return index
        return None

    def pairs(self) -> Iterator[tuple[int | None, int | None]]:
        """Yield each value recorded with the one expected."""
        return zip_longest(self.recorded, self.expected[: len(self.recorded)])


def _parts(frame: Frame, wall: Wall) -> Iterator[_Part]:
    """Yield the parts of the wall that *frame* shows. Without the deal, the dealer's first tile is not known either."""
    start = frame.start
    if isinstance(start.dice, tuple) and wall.dice is not None:
        yield _Part(_DIE, start.dice, wall.dice)
    if wall.dealt:
        for player, hand in enumerate(start.hands):
            yield _Part("tile dealt", hand, wall.hands[player], player)
    known, first = shown(frame), 0 if wall.dealt else 1
    yield _Part(_DRAW, known.draws[first:], wall.draws[first:])
    yield _Part(_REPLACEMENT, known.replacements, wall.replacements)
    yield _Part(_INDICATOR, known.indicators, wall.indicators)
    yield _Part(_URA, known.ura, wall.ura)


def _difference(number: int, frame: Frame, part: _Part, nth: int, *, red_fives: RedFives | None) -> MatchError:
    """Return the difference at index *nth* of *part* of *frame*, the one with this *number*."""

    def named(value: int | None) -> str:
        if value is None:
            return "nothing"
        return str(value) if part.what == _DIE else label(value, red_fives=red_fives)

    found, wanted = map(named, [*part.pairs()][nth])
    to = "" if part.player is None else Message(" to {player}", player=Who(part.player))
    what = f"{_ordinal(nth + 1)} {part.what}"
    said = "the {what}{to} is {found}; {wanted} expected from the wall"
    message = Message(said, what=what, to=to, found=found, wanted=wanted)
    index = _index_of(part, nth, frame) if part.player is None else -2 - part.player
    return MatchError(message, frame=number, name=frame.start.name, index=index)


def _index_of(part: _Part, nth: int, frame: Frame) -> int:
    """Return the index of the event of *frame* that shows the value at index *nth* of *part*; -1: its start."""
    start, events = frame.start, frame.events
    indices: dict[str, list[int]] = {
        _DRAW: [] if start.fourteenth is None else [-1],
        _REPLACEMENT: [],
        _INDICATOR: [] if start.indicator is None else [-1],
    }
    course = Course(start)
    for index, event in enumerate(course.along(events)):
        if type(event) is Draw:
            indices[_DRAW if course.replacement is None else _REPLACEMENT].append(index)
        elif type(event) is DoraRevealed:
            indices[_INDICATOR].append(index)
    # Without the deal, the first tile is not compared.
    before = len(indices[_DRAW]) - len(part.recorded) if part.what == _DRAW else 0
    if nth + before < len(of_part := indices.get(part.what, [])):
        return of_part[nth + before]
    tile = part.recorded[nth]
    wins = ((index, event) for index, event in enumerate(events) if isinstance(event, Win))
    return next((index for index, win in wins if tile in (*(win.indicators or ()), *win.ura)), -1)


def _ordinal(number: int) -> str:
    ending = {1: "st", 2: "nd", 3: "rd"}.get(number % 10, "th")
    return f"{number}{'th' if number // 10 % 10 == 1 else ending}"


# --- where the tiles go -----------------------------------------------------------------------------------------------
#
# A wall is dealt and drawn from its end; the dead wall is at its front.


class Layout(NamedTuple):
    """The indices of the *replacements* and of the first dora and *ura* *indicators* in a wall; each further indicator
    is two on."""

    replacements: Sequence[int]
    indicators: int
    ura: int

    def of(self, tiles: Sequence[int]) -> tuple[_Tiles, _Tiles, _Tiles]:
        """Return the replacement tiles, dora and ura dora indicators of the wall *tiles*."""
        indicators, ura = (tuple(tiles[first : first + 10 : 2]) for first in (self.indicators, self.ura))
        return tuple([tiles[index] for index in self.replacements]), indicators, ura


IN_PAIRS = {4: Layout((1, 0, 3, 2), 5, 4), 3: Layout((1, 0, 3, 2, 5, 4, 7, 6), 9, 8)}
"""By number of players: the upper tile of each pair is used first."""

IN_ORDER = {4: Layout(range(4), 4, 5), 3: Layout(range(8), 8, 9)}
"""By number of players: the tiles are used one after the other."""


def _hand(dealt: Sequence[int], seat: int, players: int) -> _Tiles:
    """Return the hand at *seat* (0: dealer) of the tiles *dealt*: three times four, then one."""
    fours = [dealt[first : first + 4] for first in range(4 * seat, 12 * players, 4 * players)]
    return *chain(*fours), dealt[12 * players + seat]


def arranged(tiles: Sequence[int], dice: tuple[int, int] | None, dealer: int, players: int, layout: Layout) -> Wall:
    """Return the wall of *tiles*, all of a set, from the front of the dead wall to the tile dealt first."""
    dealt = tiles[::-1]
    hands = [_hand(dealt, seat, players) for seat in range(players)]
    return Wall(
        tuple(tiles),
        dice,
        tuple(hands[-dealer:] + hands[:-dealer]),
        tuple(dealt[players * DEALT : -DEAD_WALL]),
        *layout.of(tiles),
    )


# --- walls from a seed ------------------------------------------------------------------------------------------------
#
# Measured on 11,601 real logs. An MT19937 generator yields 32-bit words (passed through SHA-512 in the newer forms),
# which shuffle the sorted tiles into the wall. All bytes are little-endian.

_SEED_ALGORITHMS = {
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
    if algorithm != _SEED_ALGORITHMS[form] or not raw:
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
    blocks = b"".join([hashlib.sha512(raw[start : start + _BLOCK]).digest() for start in range(0, len(raw), _BLOCK)])
    return unpack(f"<{len(blocks) // _WORD}I", blocks), _DICE


LAYOUTS = {
    (ShuffleForm.BASE64, 4): (IN_PAIRS[4],),
    (ShuffleForm.BASE64, 3): (IN_PAIRS[3],),
    (ShuffleForm.HEX, 4): (IN_ORDER[4],),
    (ShuffleForm.HEX, 3): (IN_ORDER[3], IN_PAIRS[3]),  # never seen
    (ShuffleForm.OLD, 4): (IN_ORDER[4],),
    (ShuffleForm.OLD, 3): (IN_ORDER[3],),
}
"""By form and number of players: the possible layouts, most likely first."""


def _shuffled(words: Sequence[int], dice: int, dealer: int, players: int, layout: Layout) -> Wall:
    """Return the wall shuffled by *words*; *dice* is the index of the dice in them."""
    tiles = list(SETS[players])
    for index, ahead in enumerate(map(mod, words, range(len(tiles), 1, -1))):
        other = index + ahead
        tiles[index], tiles[other] = tiles[other], tiles[index]
    return arranged(tiles, (words[dice] % 6 + 1, words[dice + 1] % 6 + 1), dealer, players, layout)


def seeded_walls(
    shuffle: Shuffle, starts: Sequence[Start], players: int, layout: Layout | None = None
) -> Iterator[Wall]:
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
            yield _shuffled(*_hashed(generator, len(SETS[players])), start.dealer, players, layout)
        return
    for start in starts:
        try:
            generator = _generator(shuffle.form, start.shuffle)
        except WallError as error:
            raise WallError(f"frame {start.name}: {error}") from None
        yield _shuffled(*_plain(generator, len(SETS[players])), start.dealer, players, layout)


# --- recorded walls ---------------------------------------------------------------------------------------------------
#
# Mahjong Soul and Riichi City record walls, each with its hash. Both deal and draw from the front; the replacement
# tiles and the indicators are at the end. The text that is hashed has two characters for each tile: 0m is a red five,
# 1z to 7z are East South West North haku hatsu chun.


def _recorded_wall(frame: Frame, rules: Rules) -> Wall | str | None:
    """Return the wall recorded for *frame*, or ``None``; for a wall that no game can have, what is wrong with it: its
    length, its hash or its tiles."""
    recorded = frame.wall
    if recorded is None:
        return None
    if flaw := _flaw_of(frame, recorded, rules):
        return flaw
    tiles, layout = recorded.tiles[::-1], IN_ORDER[rules.players]
    if recorded.dealt:
        return arranged(tiles, None, frame.start.dealer, rules.players, layout)
    dealt_last, *_ = (*shown(frame).draws, UNKNOWN)
    draws = (dealt_last, *tiles[: DEAD_WALL - 1 : -1])
    return Wall(tiles, None, frame.start.hands or ((),) * rules.players, draws, *layout.of(tiles), dealt=False)


def _flaw_of(frame: Frame, recorded: RecordedWall, rules: Rules) -> str:
    """Return what is wrong with the *recorded* wall of *frame* by itself; empty if nothing is."""
    expected = len(SETS[rules.players]) - (0 if recorded.dealt else rules.players * DEALT + 1)
    if len(recorded.tiles) != expected:
        return f"the recorded wall has {len(recorded.tiles)} tiles; {expected} expected"
    if UNKNOWN in recorded.tiles:
        return "a tile of the recorded wall is unknown"
    if _hash_fits(recorded, rules) is False:
        return f"the {_HASH_ALGORITHMS[recorded.algorithm or '']} hash of the recorded wall does not fit its tiles"
    return _wrong_count(frame, recorded, rules)


def _wrong_count(frame: Frame, recorded: RecordedWall, rules: Rules) -> str:
    """Return which kind of tiles there are too many or too few of; empty if there is none."""
    start, tiles, of = frame.start, [*recorded.tiles], "the recorded wall"
    if not recorded.dealt:
        tiles += [tile for hand in start.hands for tile in hand]
        tiles += [] if start.fourteenth is None else [start.fourteenth]
        of = "the recorded wall and the deal"
    counts = Counter(map(kind, tiles))
    whole = counts.total() == len(SETS[rules.players]) and None not in counts
    for number in range(KINDS):
        count, expected = counts[number], COPIES * exists(number, rules.players)
        if count > expected or (whole and count < expected):
            return f"the number of {KIND_FACES[number]} in {of} is {count}; {expected} expected"
    return ""


_HASH_ALGORITHMS = {"md5": "MD5", "sha256": "SHA-256"}
"""The algorithms of hashes: as :class:`RecordedWall` has them, and in messages."""

_SALTED = "sha256"
"""The algorithm of a salted hash if none is recorded."""


def _hash_fits(recorded: RecordedWall, rules: Rules) -> bool | None:
    """Return whether the hash of a wall fits its tiles; ``None`` if there is none that can be judged.

    How the salt is joined to the tiles is not known: a salted hash that fits in neither order says nothing.
    """
    names = faces(red_fives=rules.red_fives)
    text = "".join([HONOR_NAMES.get(face, face) for face in (names[tile] for tile in recorded.tiles)])
    if recorded.hash is not None and recorded.algorithm in _HASH_ALGORITHMS:
        return _digest(recorded.algorithm, text) == recorded.hash.lower()
    if recorded.salt is not None and recorded.salted_hash is not None:
        salted = (text + recorded.salt, recorded.salt + text)
        algorithm = recorded.algorithm or _SALTED
        if recorded.salted_hash.lower() in [_digest(algorithm, joined) for joined in salted]:
            return True
    return None


def _digest(algorithm: str, text: str) -> str:
    return hashlib.new(algorithm, text.encode("utf-8", "surrogatepass"), usedforsecurity=False).hexdigest()
