"""A site of many games, as it is made."""

from __future__ import annotations

import gc
from pathlib import Path

from jmjp_convert import read_mjlog
from jmjp_convert.model import Frame, Match
from jmjp_convert.view.site import Site

PLAIN = Path(__file__).parent.parent / "fixtures" / "valid" / "plain.xml"


def test_memory(tmp_path: Path) -> None:
    """Of a game no more is kept than its row in the list: however many there are, none of them stays in memory."""
    site = Site(tmp_path)
    site.start()
    before = alive()
    for _ in range(10):
        site.add(read_mjlog(PLAIN), "log")
    assert alive() == before
    site.finish()
    assert len(site) == len(list((tmp_path / "games").iterdir())) == 10


def alive() -> int:
    """Return how many matches and frames are in memory."""
    gc.collect()
    return sum(type(one) in (Match, Frame) for one in gc.get_objects())
