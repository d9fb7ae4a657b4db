"""How often the processes of the program collect garbage: what they make of a game has no cycles."""

from __future__ import annotations

import atexit
import gc

_OBJECTS = 50_000


def collect_rarely() -> None:
    """Collect cycles only when this process has many more objects than before, which takes several games at once, and
    not at its end. Only a process of the program calls it, none that has imported the package."""
    # Measured: a tenth of the instructions of `jmjp convert` of one file (callgrind), 6 to 11 % of the time of 300.
    gc.set_threshold(_OBJECTS)
    atexit.register(gc.freeze)


def forget_frames(error: Exception) -> None:
    """Drop the traceback of *error*, which has been reported: one that is in its own traceback is a cycle, and holds a
    whole input."""
    error.__traceback__ = None
