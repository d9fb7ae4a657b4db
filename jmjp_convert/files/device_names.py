"""Keeps outputs from being named like a device, which Windows would write to instead of a file."""

from __future__ import annotations

import os
import re

from jmjp_convert.patterns import regex

# Source: learn.microsoft.com/windows/win32/fileio/naming-a-file. Neither case nor an extension makes a difference.
_DEVICE = regex(r"(?:CON|PRN|AUX|NUL|CONIN\$|CONOUT\$|(?:COM|LPT)[0-9¹²³]) *(?:[.:].*)?", re.IGNORECASE)

WINDOWS = os.name == "nt"


def portable(name: str) -> str:
    """Return the file name *name*, changed if it is that of a device: ``portable("con.html") == "_con.html"``."""
    return f"_{name}" if _DEVICE.fullmatch(name) else name


def usable(name: str) -> str:
    """Return the file name *name*, changed if it is that of a device on this system."""
    return portable(name) if WINDOWS else name
