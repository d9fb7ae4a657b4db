#!/usr/bin/env python3
"""Measure the speed of reading, writing and conversion, as ratios in one run.

Usage: scripts/bench.py [DIR]      (default: the real logs in ../shared/mjlog, else fixtures/valid)

Machines are noisy: the baseline (lxml.etree.fromstring on the same bytes, or writing the same games) and the
candidates run alternately, log by log, in CPU time, and the median over the rounds counts. Bytes are in memory; replay
and all checks are on.
"""

from __future__ import annotations

import gc
import sys
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path
from statistics import median
from typing import NamedTuple

from lxml import etree

from jmjp_convert.check.wall import with_wall
from jmjp_convert.convert import Writing, written
from jmjp_convert.errors import ConvertError, WallError
from jmjp_convert.formats import FORMATS
from jmjp_convert.formats.jmjp.reader import read_jmjp
from jmjp_convert.formats.jmjp.writer import write_jmjp
from jmjp_convert.formats.json.reader import read_json
from jmjp_convert.formats.json.writer import write_json
from jmjp_convert.formats.majiang.writer import write_majiang
from jmjp_convert.formats.mjai.writer import write_mjai
from jmjp_convert.formats.mjlog.reader import read_mjlog
from jmjp_convert.formats.tenhou6.writer import write_tenhou6
from jmjp_convert.model import Match

ROUNDS = 11
HOME = Path(__file__).resolve().parent.parent
DEFAULTS = (HOME.parent / "shared" / "mjlog", HOME / "fixtures" / "valid")


OTHERS = ("tenhou6", "mjai", "majiang")


class Log(NamedTuple):
    """A log: its bytes, its match, and the match in other formats by name."""

    content: bytes
    match: Match
    texts: dict[str, bytes]


def walled(match: Match) -> Match:
    """Return *match* with the dora from its wall, if it has one."""
    try:
        return with_wall(match)
    except WallError:
        return match


def read(name: str, log: Log) -> list[Match]:
    """Return the match of *log*, read from the format *name*."""
    reader = FORMATS[name].read
    assert reader is not None
    found: list[Match] = reader(log.texts[name])
    return found


def converted(source: str, to: str, log: Log) -> object:
    """Return *log*, converted from one format to another and verified."""
    return written(read(source, log), Writing(to), print)


Candidates = dict[str, Callable[[Log], object]]

GROUPS: tuple[Candidates, ...] = (
    {
        "baseline (lxml.etree.fromstring)": lambda log: etree.fromstring(log.content),
        "reading (mjlog -> model)": lambda log: read_mjlog(log.content),
        "conversion, --no-verify": lambda log: write_jmjp(read_mjlog(log.content)),
    },
    {
        "baseline (lxml.etree.fromstring)": lambda log: etree.fromstring(log.content),
        "conversion, verified": lambda log: written([read_mjlog(log.content)], Writing(), print),
    },
    {
        "baseline (conversion, --no-verify)": lambda log: write_jmjp(read_mjlog(log.content)),
        "conversion, --no-verify --wall": lambda log: write_jmjp(walled(read_mjlog(log.content))),
    },
    {
        "baseline (writing, model -> jmjp)": lambda log: write_jmjp(log.match),
        "reading (jmjp -> model)": lambda log: read_jmjp(log.texts["jmjp"]),
    },
    {
        "baseline (writing, model -> jmjp)": lambda log: write_jmjp(log.match),
        "writing (model -> JSON)": lambda log: write_json(log.match),
        "writing (model -> tenhou6)": lambda log: write_tenhou6(log.match),
        "writing (model -> mjai)": lambda log: write_mjai(log.match),
        "writing (model -> majiang)": lambda log: write_majiang(log.match),
    },
    {
        "baseline (reading, mjlog -> model)": partial(read, "mjlog"),
        **{f"reading ({name} -> model)": partial(read, name) for name in OTHERS},
    },
    {
        "baseline (reading, mjlog -> model)": partial(read, "mjlog"),
        **{f"mjlog -> {name}, verified": partial(converted, "mjlog", name) for name in OTHERS},
        "tenhou6 -> jmjp, verified": partial(converted, "tenhou6", "jmjp"),
    },
    {
        "baseline (reading, jmjp -> model)": lambda log: read_jmjp(log.texts["jmjp"]),
        "reading (JSON -> model)": lambda log: read_json(log.texts["json"]),
    },
)
"""Groups of candidates measured together, the baseline first."""


def text(match: Match, name: str) -> bytes:
    """Return *match* in the format *name*."""
    return written([match], Writing(name, verify=False), print).text.encode()


def usable(path: Path) -> Log | None:
    """Return the log in *path*, or ``None`` if it cannot be converted."""
    content = path.read_bytes()
    try:
        etree.fromstring(content)
        match = read_mjlog(content)
        return Log(
            content, match, {"mjlog": content, **{name: text(match, name) for name in ("jmjp", "json", *OTHERS)}}
        )
    except (ConvertError, etree.XMLSyntaxError):
        return None


def measure(logs: list[Log], candidates: Candidates) -> dict[str, float]:
    """Return the median CPU time in seconds of each of *candidates* for all *logs*."""
    rounds: dict[str, list[float]] = {name: [] for name in candidates}
    for _ in range(ROUNDS):
        spent = dict.fromkeys(candidates, 0.0)
        for log in logs:
            for name, candidate in candidates.items():
                started = time.process_time_ns()
                candidate(log)
                spent[name] += (time.process_time_ns() - started) / 1e9
        for name, seconds in spent.items():
            rounds[name].append(seconds)
    return {name: median(values) for name, values in rounds.items()}


def main() -> None:
    """Measure with the logs in a folder."""
    folder = Path(sys.argv[1]) if len(sys.argv) > 1 else next(filter(Path.is_dir, DEFAULTS))
    logs = [log for path in sorted(folder.glob("*.xml")) if (log := usable(path)) is not None]
    if not logs:
        sys.exit(f"bench: no convertible logs in {folder}")
    size = sum(len(log.content) for log in logs) / len(logs) / 1000
    print(f"{len(logs)} games of {size:.1f} kB from {folder}, median of {ROUNDS} rounds")
    gc.collect()
    gc.freeze()
    for candidates in GROUPS:
        times = measure(logs, candidates)
        baseline = next(iter(times.values()))
        for name, seconds in times.items():
            print(f"{name:35} {seconds / len(logs) * 1e6:8.0f} µs per game   ratio {seconds / baseline:5.2f}")


if __name__ == "__main__":
    main()
