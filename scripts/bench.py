#!/usr/bin/env python3
"""Measure the speed of reading and of conversion, as a ratio to what lxml alone needs for the same bytes.

Usage: scripts/bench.py [DIR]      (default: the real logs in ../shared/mjlog, else fixtures/valid)

Machines are noisy: the floor (lxml.etree.fromstring) and the candidates run in turn, log after log, in CPU time, and
the median over the rounds counts. Bytes are in memory; replay and all checks are on.
"""

from __future__ import annotations

import gc
import sys
import time
from collections.abc import Callable
from pathlib import Path
from statistics import median

from lxml import etree

from jmjp_convert import ConvertError, read_mjlog, write_jmjp

ROUNDS = 11
HOME = Path(__file__).resolve().parent.parent
DEFAULTS = (HOME.parent / "shared" / "mjlog", HOME / "fixtures" / "valid")


def convert(content: bytes) -> str:
    """Do all that a conversion does, from bytes to text."""
    return write_jmjp(read_mjlog(content))


CANDIDATES: dict[str, Callable[[bytes], object]] = {
    "floor (lxml.etree.fromstring)": etree.fromstring,
    "reading (bytes -> model)": read_mjlog,
    "conversion (bytes -> jmjp)": convert,
}


def usable(path: Path) -> bytes | None:
    """Return the content of *path* if it is a log that can be converted."""
    content = path.read_bytes()
    try:
        etree.fromstring(content)
        convert(content)
    except (ConvertError, etree.XMLSyntaxError):
        return None
    return content


def measure(logs: list[bytes]) -> dict[str, float]:
    """Return the median CPU time of each candidate for all *logs*, in seconds."""
    rounds: dict[str, list[float]] = {name: [] for name in CANDIDATES}
    for _ in range(ROUNDS):
        spent = dict.fromkeys(CANDIDATES, 0.0)
        for content in logs:
            for name, candidate in CANDIDATES.items():
                started = time.process_time_ns()
                candidate(content)
                spent[name] += (time.process_time_ns() - started) / 1e9
        for name, seconds in spent.items():
            rounds[name].append(seconds)
    return {name: median(values) for name, values in rounds.items()}


def main() -> None:
    """Measure the logs of a folder."""
    folder = Path(sys.argv[1]) if len(sys.argv) > 1 else next(filter(Path.is_dir, DEFAULTS))
    logs = [content for path in sorted(folder.glob("*.xml")) if (content := usable(path)) is not None]
    if not logs:
        sys.exit(f"bench: no log that can be converted in {folder}")
    size = sum(map(len, logs)) / len(logs) / 1000
    print(f"{len(logs)} games of {size:.1f} kB from {folder}, median of {ROUNDS} rounds")
    gc.collect()
    gc.freeze()
    times = measure(logs)
    floor = next(iter(times.values()))
    for name, seconds in times.items():
        print(f"{name:32} {seconds / len(logs) * 1e6:8.0f} µs a game   ratio {seconds / floor:5.2f}")


if __name__ == "__main__":
    main()
