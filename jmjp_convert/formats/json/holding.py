"""What json holds of a match: everything."""

from __future__ import annotations

from functools import cache

from jmjp_convert.formats.losses import Holding, approximations
from jmjp_convert.formats.losses.traits import TRAITS


@cache
def holding() -> Holding:
    """Return what json holds."""
    return Holding(TRAITS, (approximations.breaks_off("written without an ending"),))
