"""The model as JSON lines, for programs: written and read; see ``schema.json``."""

from __future__ import annotations

from functools import cache
from typing import Any

from jmjp_convert.errors import JsonError
from jmjp_convert.formats.format import About, Format, later

_OURS = '"riichi-events"'  # no other JSON begins with it


@cache
def _holding() -> Any:
    """Return what json holds: everything."""
    from jmjp_convert.formats.losses import Holding, traits

    return Holding(traits.TRAITS, (traits.breaks_off("written without an ending"),))


FORMAT = Format(
    name="json",
    suffixes=(".jsonl",),
    begins=lambda text: text[:1] == "{" and _OURS in text,
    about=About(
        read_by="jmjp, anything that reads JSON",
        keeps="Everything that was read; reads back identical.",
        drops="Nothing.",
    ),
    read=later(f"{__name__}.reader", "read_json"),
    error=JsonError,
    write=later(f"{__name__}.writer", "write_json"),
    players=frozenset({3, 4}),
    several=lambda _: True,
    dora=True,
    holding=_holding,
)
