"""Bounds on what a file of matches may hold.

No record of games comes near them. Without them, a few compressed bytes could take any amount of memory: the shortest
match of a text is fifty characters, the shortest frame fifteen.
"""

from __future__ import annotations

from collections.abc import Sequence

from jmjp_convert.model import Match

MATCHES = 100_000
"""The maximum number of matches in a file."""

FRAMES = 1_000_000
"""The maximum number of frames in a file."""

MATCH_FRAMES = 10_000
"""The maximum number of frames in a match, or of those that a recorder recorded."""

MOST = 999_999_999
"""The largest number: nine digits, the maximum in mjlog and jmjp."""

MOST_HAN = 999
"""The largest number of han of a yaku: three digits, far more than any has."""

MOST_POINTS = 1000 * MOST + 900
"""The largest number of points: the maximum thousands in jmjp, with one decimal."""

A_COUNT = "a whole number of at most nine digits, 0 or more"
"""What a count is, for messages."""

COMMENT = 1 << 22
"""The maximum number of characters of a comment of jmjp that is examined: the longest name in mjlog needs fewer."""

RECORDERS = 80
"""The maximum number of recorders of a match."""


def excess(matches: Sequence[Match]) -> str:
    """Return which bound *matches* in one file would exceed, or an empty string."""
    if len(matches) > MATCHES:
        return exceeded(MATCHES, "matches")
    return exceeded(FRAMES, "frames") if sum(len(match.frames) for match in matches) > FRAMES else ""


def exceeded(most: int, what: str) -> str:
    """Return the message for more than *most* of *what*."""
    return f"more than {most:,} {what}"
