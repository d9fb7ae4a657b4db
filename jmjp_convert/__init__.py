"""Convert riichi mahjong game records between mjlog, jmjp, tenhou6, mjai, majiang and JSON; every game is verified.

Each format has its own reader and writer in its folder below :mod:`jmjp_convert.formats`.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

__version__ = "0.1.0"

if TYPE_CHECKING:
    from jmjp_convert.api import dumps, write
    from jmjp_convert.errors import (
        ConvertError,
        FileError,
        FormatError,
        JmjpError,
        JsonError,
        MajiangError,
        MjaiError,
        MjlogError,
        PlayError,
        RiichiCityError,
        Tenhou6Error,
        TextError,
        WallError,
    )
    from jmjp_convert.formats.reading import read
    from jmjp_convert.model import Frame, Match, Player, Rules, Win
    from jmjp_convert.play.table import Table, replay, walk

__all__ = [
    "ConvertError",
    "FileError",
    "FormatError",
    "Frame",
    "JmjpError",
    "JsonError",
    "MajiangError",
    "Match",
    "MjaiError",
    "MjlogError",
    "PlayError",
    "Player",
    "RiichiCityError",
    "Rules",
    "Table",
    "Tenhou6Error",
    "TextError",
    "WallError",
    "Win",
    "__version__",
    "dumps",
    "read",
    "replay",
    "walk",
    "write",
]

_HOMES = {
    "api": ("dumps", "write"),
    "errors": (
        *("ConvertError", "FileError", "FormatError", "JmjpError", "JsonError", "MajiangError", "MjaiError"),
        *("MjlogError", "PlayError", "RiichiCityError", "Tenhou6Error", "TextError", "WallError"),
    ),
    "formats.reading": ("read",),
    "model": ("Frame", "Match", "Player", "Rules", "Win"),
    "play.table": ("Table", "replay", "walk"),
}
_HOME = {name: home for home, names in _HOMES.items() for name in names}


def __getattr__(name: str) -> object:
    # Names are imported on demand, so that `jmjp --version` need not wait for them.
    if name not in _HOME:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(f"{__name__}.{_HOME[name]}"), name)
