"""Tenhou's mjlog to jmjp, the open text standard for game records of riichi mahjong."""

from __future__ import annotations

from typing import TYPE_CHECKING

__version__ = "0.1.0"

if TYPE_CHECKING:
    from jmjp_convert.errors import ConvertError, FileError, FormatError, MjlogError, PlayError
    from jmjp_convert.jmjp.writer import write_jmjp
    from jmjp_convert.mjlog.reader import read_mjlog
    from jmjp_convert.replay import replay

_HOMES = {
    "ConvertError": "errors",
    "FileError": "errors",
    "FormatError": "errors",
    "MjlogError": "errors",
    "PlayError": "errors",
    "read_mjlog": "mjlog.reader",
    "replay": "replay",
    "write_jmjp": "jmjp.writer",
}

__all__ = [*_HOMES, "__version__"]


def __getattr__(name: str) -> object:
    # Names are fetched when asked for: `jmjp --version` need not wait for them.
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from importlib import import_module

    return getattr(import_module(f"{__name__}.{_HOMES[name]}"), name)
