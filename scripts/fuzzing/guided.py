"""The hunt guided by atheris, which keeps inputs that reach new branches of the converter."""

from __future__ import annotations

import importlib
import os
import random
import shutil
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, NoReturn

from fuzzing.corruption import MOST, Mutator
from fuzzing.hunt import Hunt

SLOWER = 5.0
"""How much slower the instrumented converter is."""

_OURS = 0.75
_PACKAGE = "jmjp_convert"


def atheris() -> Any:
    """Return the module, or ``None`` where it is not installed."""
    try:
        return importlib.import_module("atheris")
    except ImportError:
        return None


@contextmanager
def watched() -> Iterator[None]:
    """Instrument what is imported in the block."""
    with atheris().instrument_imports(include=[_PACKAGE]):
        yield


def guided(
    hunt: Hunt, mutator: Mutator, *, seed: int, runs: int | None, seconds: float, done: Callable[[], int]
) -> NoReturn:
    """Try inputs up to *runs* or *seconds*, then exit the process with the result of *done*: atheris never returns."""
    library = atheris()
    folder = Path(tempfile.mkdtemp(prefix="fuzz-"))
    for number, content in enumerate(mutator.corpus):
        (folder / str(number)).write_bytes(content)
    end = time.monotonic() + seconds

    def try_(content: bytes) -> None:
        hunt.try_(content)
        if hunt.over or hunt.count == runs or time.monotonic() > end:
            shutil.rmtree(folder, ignore_errors=True)
            os._exit(done())

    def change(content: bytes, most: int, number: int) -> bytes:
        dice = random.Random(number)  # noqa: S311 - not secret
        changed = mutator.changed(content, dice) if dice.random() < _OURS else library.Mutate(content, len(content) + 9)
        return bytes(changed[:most])

    # Seed 0 would mean a random seed.
    arguments = [f"-seed={seed + 1}", f"-max_len={MOST}", "-len_control=0", f"-artifact_prefix={folder}/"]
    library.Setup(["fuzz", *arguments, str(folder)], try_, custom_mutator=change)
    library.Fuzz()
    raise AssertionError  # it never returns
