"""The deal: a seed of the shuffle in the words of a log, and the walls that it gives."""

from __future__ import annotations

from base64 import b64encode
from collections.abc import Callable, Iterator

from jmjp_convert.check.shuffle import walls
from jmjp_convert.model import Shuffle, ShuffleForm, Start, Wall
from simulator.random_source import Chance

_STATE = 624
_HEX_WORDS = 32
_OLD_WORDS = 8


class Deal:
    """The walls of a game, one for each frame.

    :param seeds: one, or in the old form one for each frame, as the log has them.
    :ivar seed: the seed of the game, as `SHUFFLE` has it; `None` in the old form, which has one a frame.
    :ivar frame_seed: that of the wall given last.
    """

    def __init__(self, form: ShuffleForm, players: int, seeds: Iterator[str]) -> None:
        self.seed = None if form is ShuffleForm.OLD else next(seeds)
        self.frame_seed: str | None = None
        self._seeds = seeds
        self._starts: list[Start] = []
        self._walls = self._dealt(form, players)

    def _dealt(self, form: ShuffleForm, players: int) -> Iterator[Wall]:
        # Each wall needs its frame's dealer, who is known only when the frame before it has ended: the list grows.
        return walls(Shuffle(form, self.seed), self._starts, players)

    def wall(self, dealer: int) -> Wall:
        """Return the wall of the next frame, whose dealer is *dealer*."""
        if self.seed is None:
            self.frame_seed = next(self._seeds)
        self._starts.append(Start(0, 0, 0, dealer, None, None, (), shuffle=self.frame_seed))
        return next(self._walls)


def seeds(form: ShuffleForm, chance: Chance) -> Iterator[str]:
    """Yield seeds of *form*, without end."""
    while True:
        yield _SEEDS[form](chance)


def _words(chance: Chance, count: int) -> list[int]:
    """Return *count* words of 32 bits. The last is not zero, or the wall could not be told."""
    return [chance.bits(32) for _ in range(count - 1)] + [chance.bits(31) + 1]


def _hex(chance: Chance, count: int) -> str:
    return ",".join(f"{word:08X}" for word in _words(chance, count))


def _base64(chance: Chance) -> str:
    raw = b"".join(word.to_bytes(4, "little") for word in _words(chance, _STATE))
    return b64encode(raw).decode()


_SEEDS: dict[ShuffleForm, Callable[[Chance], str]] = {
    ShuffleForm.BASE64: lambda chance: f"mt19937ar-sha512-n288-base64,{_base64(chance)}",
    ShuffleForm.HEX: lambda chance: f"mt19937ar-sha512-n288,{_hex(chance, _HEX_WORDS)}",
    ShuffleForm.OLD: lambda chance: f"mt19937ar,{_hex(chance, _OLD_WORDS)}",
}
