"""The same hunt led by atheris, which sees what branches of the converter an input reaches, and keeps what is new."""

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

from fuzzing.hunt import Hunt
from fuzzing.mutator import MOST, Mutator

SLOWER = 5.0
"""How much slower the converter is while it is watched."""

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
    """Let what is imported inside be watched."""
    with atheris().instrument_imports(include=[_PACKAGE]):
        yield


def guided(
    hunt: Hunt, mutator: Mutator, *, seed: int, runs: int | None, seconds: float, done: Callable[[], int]
) -> NoReturn:
    """Try inputs so many or so long; the process then ends with what *done* returns: the library never does."""
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
        dice = random.Random(number)  # noqa: S311 - no secret
        changed = mutator.changed(content, dice) if dice.random() < _OURS else library.Mutate(content, len(content) + 9)
        return bytes(changed[:most])

    # Seed 0 would be one of its own choice.
    arguments = [f"-seed={seed + 1}", f"-max_len={MOST}", "-len_control=0", f"-artifact_prefix={folder}/"]
    library.Setup(["fuzz", *arguments, str(folder)], try_, custom_mutator=change)
    library.Fuzz()
    raise AssertionError  # it never returns
