"""Let the power fail in the middle of a run."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager, suppress

import pytest


class PowerCut(BaseException):
    """The power has failed: nothing more is done."""


@contextmanager
def power_cut(owner: object, step: str, after: int) -> Iterator[None]:
    """Let the power fail when *step* of *owner*, a class or module, is called once more than *after* times.

    The commands that it interrupts assert that they have ended in order; that is passed over.
    """
    genuine, left = getattr(owner, step), after

    def call(*args: object, **options: object) -> object:
        nonlocal left
        left -= 1
        if left < 0:
            raise PowerCut
        return genuine(*args, **options)

    with pytest.MonkeyPatch.context() as patch, suppress(PowerCut, AssertionError):
        patch.setattr(owner, step, call)
        yield
