"""Tenhou's mjlog to jmjp, the open text standard for game records of riichi mahjong."""

from __future__ import annotations

from typing import TYPE_CHECKING

__version__ = "0.1.0"
__all__ = [
    "ConvertError",
    "FileError",
    "FormatError",
    "JmjpError",
    "JsonError",
    "MjlogError",
    "PlayError",
    "__version__",
    "read_jmjp",
    "read_json",
    "read_mjlog",
    "replay",
    "write_jmjp",
    "write_json",
]

if TYPE_CHECKING:
    from jmjp_convert.errors import ConvertError, FileError, FormatError, JmjpError, JsonError, MjlogError, PlayError
    from jmjp_convert.formats.jmjp.reader import read_jmjp
    from jmjp_convert.formats.jmjp.writer import write_jmjp
    from jmjp_convert.formats.json.reader import read_json
    from jmjp_convert.formats.json.writer import write_json
    from jmjp_convert.formats.mjlog.reader import read_mjlog
    from jmjp_convert.play.replay import replay

_HOMES = {
    "ConvertError": "jmjp_convert.errors",
    "FileError": "jmjp_convert.errors",
    "FormatError": "jmjp_convert.errors",
    "JmjpError": "jmjp_convert.errors",
    "JsonError": "jmjp_convert.errors",
    "MjlogError": "jmjp_convert.errors",
    "PlayError": "jmjp_convert.errors",
    "read_jmjp": "jmjp_convert.formats.jmjp.reader",
    "read_json": "jmjp_convert.formats.json.reader",
    "read_mjlog": "jmjp_convert.formats.mjlog.reader",
    "replay": "jmjp_convert.play.replay",
    "write_jmjp": "jmjp_convert.formats.jmjp.writer",
    "write_json": "jmjp_convert.formats.json.writer",
}


def __getattr__(name: str) -> object:
    # Names are fetched when asked for: `jmjp --version` need not wait for them.
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from importlib import import_module

    return getattr(import_module(_HOMES[name]), name)
