"""Says in lines for people what outputs lose of matches: all of it, or only the unusual, in short.

The words are those of the traits (``losses/traits.py``) and of the approximations that a format makes.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from jmjp_convert.formats import DEFAULT
from jmjp_convert.formats.format import Lost
from jmjp_convert.model.record import fields, replace

_MOST_LISTED = 3
"""How many kinds of details the short lines list at most."""


def loss_lines(to: str, lost: Iterable[Lost]) -> Iterator[str]:
    """Yield lines on what outputs in the format *to* leave out or change, each clause once."""
    all_lost = _united(lost)
    if left_out := all_lost.left_out + all_lost.usual:
        yield f"{to} leaves out: {', '.join(left_out)}"
    for clause in all_lost.otherwise:
        yield clause if to == DEFAULT.name else f"{to}: {clause}"


def short_loss_lines(to: str, lost: Iterable[Lost]) -> Iterator[str]:
    """Yield what :func:`loss_lines` yields, without the usual losses, and with numbers in place of long lists."""
    all_lost = replace(_united(lost), usual=())
    left_out, otherwise = len(all_lost.left_out), len(all_lost.otherwise)
    if max(left_out, otherwise) <= _MOST_LISTED:
        yield from loss_lines(to, [all_lost])
    elif not otherwise:
        yield f"{to} leaves out {left_out} kinds of details; use -v to list them"
    elif not left_out:
        yield f"{to} changes {otherwise} kinds of details; use -v to list them"
    else:
        kinds = "1 kind of details" if left_out == 1 else f"{left_out} kinds of details"
        yield f"{to} leaves out {kinds} and changes {otherwise}; use -v to list them"


def _united(lost: Iterable[Lost]) -> Lost:
    """Return what any of several outputs lost, each phrase once."""
    outputs = [*lost]
    phrases = [[phrase for output in outputs for phrase in getattr(output, field)] for field in fields(Lost)]
    return Lost(*(tuple(dict.fromkeys(each)) for each in phrases))
