"""The walls that Mahjong Soul and Riichi City record, each with its hash.

Both deal and draw from the front of the recorded wall; the replacement tiles and the indicators are at its end. The
text that is hashed has two characters for each tile: ``0m`` is a red five, ``1z`` to ``7z`` are East South West North
haku hatsu chun (docs/design/wall.md, Recorded walls).
"""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Iterator, Sequence

from jmjp_convert.checks.wall.layout import IN_ORDER, arranged, undealt
from jmjp_convert.model import Frame, Match, RecordedWall, Rules, Wall
from jmjp_convert.model.tiles import COPIES, HONOR_NAMES, KIND_FACES, KINDS, UNKNOWN, exists, faces, kind
from jmjp_convert.play.course import shown
from jmjp_convert.play.position import DEALT, SETS


def walls(match: Match) -> Iterator[Wall | str | None]:
    """Yield the wall of each frame, ``None`` where none is recorded; if it cannot be that of a game, what is wrong with
    it: its length, its hash or its tiles."""
    for frame in match.frames:
        recorded = frame.wall
        yield None if recorded is None else _flaw(frame, recorded, match.rules) or _wall(frame, recorded, match.rules)


def _wall(frame: Frame, recorded: RecordedWall, rules: Rules) -> Wall:
    tiles, layout = recorded.tiles[::-1], IN_ORDER[rules.players]
    if recorded.dealt:
        return arranged(tiles, None, frame.start.dealer, rules.players, layout)
    dealt_last, *_ = (*shown(frame).draws, UNKNOWN)
    return undealt(tiles, frame.start.hands or ((),) * rules.players, dealt_last, layout)


# --- what a wall must be ---------------------------------------------------------------------------------------------


def _flaw(frame: Frame, recorded: RecordedWall, rules: Rules) -> str:
    """Return what is wrong with the *recorded* wall of *frame* by itself; empty if nothing is."""
    expected = len(SETS[rules.players]) - (0 if recorded.dealt else rules.players * DEALT + 1)
    if len(recorded.tiles) != expected:
        return f"the recorded wall has {len(recorded.tiles)} tiles; {expected} expected"
    if UNKNOWN in recorded.tiles:
        return "a tile of the recorded wall is unknown"
    if _hash_fits(recorded, rules) is False:
        return f"the {_ALGORITHMS[recorded.algorithm or '']} hash of the recorded wall does not fit its tiles"
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


# --- the hash --------------------------------------------------------------------------------------------------------

_ALGORITHMS = {"md5": "MD5", "sha256": "SHA-256"}
"""The algorithms of hashes: as :class:`RecordedWall` has them, and in messages."""

_SALTED = "sha256"
"""The algorithm of a salted hash if none is recorded."""


def proven(frames: Sequence[Frame], rules: Rules) -> bool:
    """Return whether every one of *frames* has a wall with a hash that fits its tiles."""
    return all(frame.wall is not None and _hash_fits(frame.wall, rules) for frame in frames)


def _hash_fits(recorded: RecordedWall, rules: Rules) -> bool | None:
    """Return whether the hash of a wall fits its tiles; ``None`` if there is none that can be judged.

    How the salt is joined to the tiles is not known: a salted hash that fits in neither order says nothing.
    """
    names = faces(red_fives=rules.red_fives)
    text = "".join([HONOR_NAMES.get(face, face) for face in (names[tile] for tile in recorded.tiles)])
    if recorded.hash is not None and recorded.algorithm in _ALGORITHMS:
        return _digest(recorded.algorithm, text) == recorded.hash.lower()
    if recorded.salt is not None and recorded.salted_hash is not None:
        salted = (text + recorded.salt, recorded.salt + text)
        algorithm = recorded.algorithm or _SALTED
        if recorded.salted_hash.lower() in [_digest(algorithm, joined) for joined in salted]:
            return True
    return None


def _digest(algorithm: str, text: str) -> str:
    return hashlib.new(algorithm, text.encode("utf-8", "surrogatepass"), usedforsecurity=False).hexdigest()
