"""Random inputs: files of a corpus, changed by edits that know their language.

The same seed, number and corpus give the same input.
"""

from __future__ import annotations

import random

from fuzzing import edits, packing
from fuzzing.edits import Edit, Material

MOST = 1 << 18
"""The maximum size of an input in bytes."""

_TIMES = (1, 1, 1, 2, 2, 3, 5)

_WEIGHTS: dict[Edit, float] = {
    edits.bytes_edited: 4,
    edits.bit_turned: 1,
    edits.cut: 1,
    edits.part_dropped: 4,
    edits.part_repeated: 3,
    edits.parts_exchanged: 4,
    edits.part_moved: 3,
    edits.part_of_another: 6,
    edits.exchanged_everywhere: 6,
    edits.exchanged_here_and_there: 6,
    edits.word_inserted: 6,
    edits.spliced: 2,
    edits.number_changed: 8,
    edits.list_changed: 4,
    edits.long_run: 1,
    edits.deeply_nested: 0.5,
    packing.encoded: 0.5,
    packing.marked: 0.3,
    packing.packed: 0.7,
}
_WEIGHED = tuple(_WEIGHTS), tuple(_WEIGHTS.values())
"""The edits and their weights."""


class Mutator:
    """Makes inputs from *material*."""

    def __init__(self, material: Material) -> None:
        self.corpus = material.corpus
        self._material = material

    def input(self, seed: int, number: int) -> bytes:
        """Return input *number* of *seed*."""
        dice = random.Random(f"{seed}/{number}")  # noqa: S311 - not secret
        return self.changed(dice.choice(self.corpus), dice)

    def changed(self, content: bytes, dice: random.Random) -> bytes:
        """Return *content* after a few edits."""
        for _ in range(dice.choice(_TIMES)):
            (edit,) = dice.choices(*_WEIGHED)
            content = edit(content, dice, self._material)[:MOST]
        return content
