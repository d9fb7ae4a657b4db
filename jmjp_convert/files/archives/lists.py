"""Reads lists of paths, one per line, of whatever length."""

from __future__ import annotations

import os
from collections.abc import Iterator
from typing import IO

from jmjp_convert.errors import FileError
from jmjp_convert.files.inputs import STDIN, describe, label

_LONGEST_PATH = 1 << 15
"""In bytes. No system takes a longer one: Linux stops at 4,096 bytes, Windows at 32,767 characters."""

_MOST = 1 << 30
"""The maximum size of a list in bytes: at 60 bytes a path, almost 18 million games."""


def spool(lines: IO[bytes], into: IO[bytes]) -> None:
    """Copy a list to the file *into*, so that it can be read several times. A line that is too long for a path is cut:
    it cannot be opened, and fails like any other wrong path.

    :raises FileError: the list cannot be read or stored, or is too long.
    """
    size = 0
    within = False  # a line whose beginning has been copied
    try:
        while piece := lines.readline(_LONGEST_PATH):
            size += len(piece)
            if size > _MOST:
                raise FileError(f"{label(STDIN)}: larger than {_MOST:,} bytes; name directories or archives instead")
            if not within:
                into.write(piece)
            elif piece.endswith(b"\n"):
                into.write(b"\n")
            within = not piece.endswith(b"\n")
    except OSError as error:
        raise FileError(f"{label(STDIN)}: {describe(error)}") from error


def listed(stream: IO[bytes]) -> Iterator[str]:
    """Yield the paths listed in *stream*, one per line."""
    for line in stream:
        path = os.fsdecode(line.rstrip(b"\r\n"))
        if path:
            yield path
