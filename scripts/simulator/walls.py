"""The walls of a game, and their seeds as written in a log."""

from __future__ import annotations

from base64 import b64encode
from collections.abc import Callable, Iterator

from jmjp_convert.checks.wall import seeded_walls as walls
from jmjp_convert.model import Shuffle, ShuffleForm, Start, Wall
from simulator.random_source import RandomSource

_BASE64_WORDS = 624
_HEX_WORDS = 32
_OLD_WORDS = 8


class GameWalls:
    """The walls of a game, one for each frame.

    :param seeds: as written in the log: one for the game, or in the old form one per frame.
    :ivar seed: the seed of the game, for `SHUFFLE`; `None` in the old form.
    :ivar frame_seed: in the old form, the seed of the latest wall; otherwise `None`.
    """

    def __init__(self, form: ShuffleForm, players: int, seeds: Iterator[str]) -> None:
        self.seed = None if form is ShuffleForm.OLD else next(seeds)
        self.frame_seed: str | None = None
        self._seeds = seeds
        # A wall depends on the dealer of its frame, who is known only after the previous frame. So the list grows while
        # the walls are generated.
        self._starts: list[Start] = []
        self._walls: Iterator[Wall] = walls(Shuffle(form, self.seed), self._starts, players)

    def next(self, dealer: int) -> Wall:
        """Return the wall of the next frame, with the player *dealer* as dealer."""
        if self.seed is None:
            self.frame_seed = next(self._seeds)
        self._starts.append(Start(0, 0, 0, dealer, None, None, (), shuffle=self.frame_seed))
        return next(self._walls)


def random_seeds(form: ShuffleForm, random: RandomSource) -> Iterator[str]:
    """Yield endless seeds of *form*."""
    while True:
        yield _SEEDS[form](random)


def _words(random: RandomSource, count: int) -> list[int]:
    """Return *count* words of 32 bits. The last is not zero, because no wall can be computed then."""
    return [random.bits(32) for _ in range(count - 1)] + [random.bits(31) + 1]


def _hex(random: RandomSource, count: int) -> str:
    return ",".join(f"{word:08X}" for word in _words(random, count))


def _base64(random: RandomSource) -> str:
    raw = b"".join(word.to_bytes(4, "little") for word in _words(random, _BASE64_WORDS))
    return b64encode(raw).decode()


_SEEDS: dict[ShuffleForm, Callable[[RandomSource], str]] = {
    ShuffleForm.BASE64: lambda random: f"mt19937ar-sha512-n288-base64,{_base64(random)}",
    ShuffleForm.HEX: lambda random: f"mt19937ar-sha512-n288,{_hex(random, _HEX_WORDS)}",
    ShuffleForm.OLD: lambda random: f"mt19937ar,{_hex(random, _OLD_WORDS)}",
}
