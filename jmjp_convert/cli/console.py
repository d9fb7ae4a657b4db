"""What is said on stderr: one line at a time, and never an error of its own."""

from __future__ import annotations

import sys
from contextlib import suppress

PROGRAM = "jmjp"

_LONGEST = 8000  # characters of a line: what a broken input repeats may be of any length

# Control characters, line and paragraph separators, and what turns the direction of writing round.
_UNSAFE = (*range(0x20), *range(0x7F, 0xA0), 0x2028, 0x2029, *range(0x202A, 0x202F), *range(0x2066, 0x206A))
_ESCAPES = {code: chr(code).encode("unicode_escape").decode("ascii") for code in _UNSAFE}


def one_line(text: str) -> str:
    """Return *text* with the characters escaped that would break its line or steer the terminal."""
    return text.translate(_ESCAPES)


def say(text: str) -> None:
    """Say *text* on stderr, in one line after the program's name; what the console cannot show is escaped."""
    stream = sys.stderr
    if stream is None:
        return
    encoding = stream.encoding or "utf-8"
    said = one_line(text)
    if len(said) > _LONGEST:
        said = f"{said[: _LONGEST - 1]}…"
    line = f"{PROGRAM}: {said}\n".encode(encoding, "backslashreplace").decode(encoding)
    with suppress(OSError):
        stream.write(line)
        stream.flush()
