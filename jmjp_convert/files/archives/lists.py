"""Reads lists of paths, one per line, whatever the length of the lines."""

from __future__ import annotations

import os
from collections.abc import Iterator
from typing import IO

from jmjp_convert.errors import FileError
from jmjp_convert.files.inputs import STDIN, describe, label

_LONGEST_PATH = 1 << 15
"""In bytes. No system takes a longer one: Linux stops at 4,096 bytes, Windows at 32,767 characters."""

_MOST = 1 << 28
"""The maximum size of a list in bytes: more than four million games at 60 bytes a path."""

_PIECE = 1 << 20


def spool(stream: IO[bytes], into: IO[bytes]) -> None:
    """Copy the list *stream* to the file *into*, so that it can be read several times.

    :raises FileError: it cannot be read or stored, or is too long.
    """
    size = 0
    try:
        while piece := stream.read(_PIECE):
            size += len(piece)
            if size > _MOST:
                raise FileError(f"{label(STDIN)}: larger than {_MOST:,} bytes; name directories or archives instead")
            into.write(piece)
    except OSError as error:
        raise FileError(f"{label(STDIN)}: {describe(error)}") from error


def listed(stream: IO[bytes]) -> Iterator[str]:
    """Yield the paths listed in *stream*, one per line. A line that is too long for a path is cut: it cannot be opened,
    and fails like any other wrong path."""
    within = False  # a line whose beginning was too long
    while piece := stream.readline(_LONGEST_PATH):
        path = os.fsdecode(piece.rstrip(b"\r\n"))
        if path and not within:
            yield path
        within = not piece.endswith(b"\n")
