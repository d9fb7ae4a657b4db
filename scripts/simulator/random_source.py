"""Chance: numbers that follow from a seed, and are the same with every version of Python."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random
from typing import TypeVar

T = TypeVar("T")


class Chance:
    """A source of chance.

    Only `random` and `getrandbits` are promised to stay the same from one Python to the next: what else is needed is
    made from them here.

    :ivar random: a number from 0 up to 1.
    """

    def __init__(self, *seed: object) -> None:
        self._source = Random("/".join(map(str, seed)))  # noqa: S311 - nothing secret
        self.random = self._source.random

    def bits(self, count: int) -> int:
        """Return a number of *count* bits."""
        return self._source.getrandbits(count)

    def below(self, limit: int) -> int:
        """Return a whole number from 0 up to *limit*."""
        return int(self.random() * limit)

    def one_of(self, choices: Sequence[T]) -> T:
        """Return one of *choices*."""
        return choices[self.below(len(choices))]

    def in_(self, percent: float) -> bool:
        """Return whether something happens that does in so many *percent* of cases."""
        return self.random() * 100 < percent

    def weighed(self, weights: dict[T, float]) -> T:
        """Return one of the keys of *weights*, each as likely as its weight."""
        left = self.random() * sum(weights.values())
        for choice, weight in weights.items():
            left -= weight
            if left < 0:
                return choice
        return choice
