"""Seeded random numbers that are the same in every version of Python."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random
from typing import TypeVar

T = TypeVar("T")


class RandomSource:
    """A source of random numbers, seeded with the texts of *seed*.

    Python guarantees only for `random` and `getrandbits` that they stay the same across versions, so everything else is
    built on these two.

    :ivar fraction: returns a number from 0 up to, but not including, 1.
    """

    def __init__(self, *seed: object) -> None:
        self._source = Random("/".join(map(str, seed)))  # noqa: S311 - not secret
        self.fraction = self._source.random

    def bits(self, count: int) -> int:
        """Return a number of *count* bits."""
        return self._source.getrandbits(count)

    def below(self, limit: int) -> int:
        """Return a whole number from 0 up to, but not including, *limit*."""
        return int(self.fraction() * limit)

    def choice(self, choices: Sequence[T]) -> T:
        """Return one of *choices*."""
        return choices[self.below(len(choices))]

    def chance(self, percent: float) -> bool:
        """Return true in *percent* of cases."""
        return self.fraction() * 100 < percent

    def weighted(self, weights: dict[T, float]) -> T:
        """Return one of the keys of *weights*, each with a probability proportional to its weight."""
        left = self.fraction() * sum(weights.values())
        for choice, weight in weights.items():
            left -= weight
            if left < 0:
                return choice
        return choice
