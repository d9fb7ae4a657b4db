"""Measure the XML parser alone on the logs in a directory: the baseline of `load.py`, in its own process, so that its
memory is that of the parser.

Usage: load_floor.py DIR      (prints the seconds, without reading the files, and the peak memory in kB)
"""

from __future__ import annotations

import sys
import time
from pathlib import Path

from lxml import etree


def main() -> None:
    """Measure."""
    seconds = 0.0
    for path in Path(sys.argv[1]).glob("*/*.xml"):  # unlike rglob, it does not keep all paths in memory
        content = path.read_bytes()
        started = time.perf_counter()
        etree.fromstring(content)
        seconds += time.perf_counter() - started
    status = Path("/proc/self/status").read_text(encoding="utf-8")
    print(seconds, next(line.split()[1] for line in status.splitlines() if line.startswith("VmHWM")))


if __name__ == "__main__":
    main()
