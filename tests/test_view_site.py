"""Making a site of many games."""

from __future__ import annotations

import gc
from dataclasses import replace
from pathlib import Path

from jmjp_convert.formats.mjlog.reader import read_mjlog
from jmjp_convert.model import Frame, Match
from jmjp_convert.view.site import Site

PLAIN = Path(__file__).parent.parent / "fixtures" / "valid" / "plain.xml"


def test_memory(tmp_path: Path) -> None:
    """Games do not stay in memory: only their rows in the list are kept."""
    site = Site(tmp_path)
    site.start()
    before = alive()
    for _ in range(10):
        site.add(read_mjlog(PLAIN), "log")
    assert alive() == before
    site.finish()
    assert len(site) == len(list((tmp_path / "games").iterdir())) == 10


def test_names(tmp_path: Path) -> None:
    """Long names are cut, and names that a file system may treat as equal get numbers."""
    site = Site(tmp_path)
    site.start()
    match = replace(read_mjlog(PLAIN), id=None, tournament=None)
    for name in ("牌" * 100, "牌" * 99, "Straße", "STRASSE", "e\u0301", "\u00e9", "か\u3099"):
        site.add(match, name)
    site.finish()
    names = {path.stem for path in (tmp_path / "games").iterdir()}
    assert names == {"牌" * 66, "牌" * 66 + "-2", "Straße", "STRASSE-2", "\u00e9", "\u00e9-2", "が"}


def test_rules(tmp_path: Path) -> None:
    """The rules column is empty if the rules have no name, rather than showing the players."""
    site = Site(tmp_path)
    site.start()
    match = read_mjlog(PLAIN)
    nameless = replace(match, id=None, tournament=None)
    site.add(nameless, "log")
    site.finish()
    rows = (tmp_path / "index.html").read_text(encoding="utf-8")
    assert '<a href="games/log.html">log</a></td><td></td>' in rows


def alive() -> int:
    """Return how many matches and frames are in memory."""
    gc.collect()
    return sum(type(one) in (Match, Frame) for one in gc.get_objects())
