"""jmjp proven before it is written."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from jmjp_convert.formats import roundtrip
from jmjp_convert.formats.jmjp.projection import held
from jmjp_convert.formats.jmjp.reader import read_jmjp
from jmjp_convert.formats.jmjp.writer import write_jmjp
from jmjp_convert.model import Match


def written(matches: Iterable[Match], *, spec: str, compact: bool, verify: bool) -> str:
    """Return *matches* as the text of one jmjp file.

    :param verify: read the text back, and compare.
    :raises FormatError: jmjp cannot hold a match.
    :raises UnprovenError: the text says something else.
    """
    listed = list(matches)
    text = write_jmjp(listed, spec=spec, compact=compact)
    if verify:
        prove(text, listed, spec=spec, compact=compact)
    return text


def prove(text: str, matches: Sequence[Match], *, spec: str, compact: bool) -> None:
    """Check that *text* is *matches*, as far as the dialect *spec* can hold them.

    :raises UnprovenError: it cannot be read, or says something else.
    """
    roundtrip.prove(text, [held(match, spec=spec, compact=compact) for match in matches], read_jmjp)
