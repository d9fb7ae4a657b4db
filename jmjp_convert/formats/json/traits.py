"""What json holds of a match: everything."""

from __future__ import annotations

from functools import cache

from jmjp_convert.formats.losses import Holding, traits


@cache
def holding() -> Holding:
    """Return what json holds."""
    return Holding(traits.TRAITS, (traits.breaks_off("written without an ending"),))
