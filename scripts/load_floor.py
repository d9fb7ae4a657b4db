"""What the XML parser alone takes for the logs of a directory: the floor of `load.py`, in a process of its own, so that
its memory is what nothing but the parser needs.

Usage: load_floor.py DIR      (prints the seconds, without those of reading the files, and the peak of memory in kB)
"""

from __future__ import annotations

import sys
import time
from pathlib import Path

from lxml import etree


def main() -> None:
    """Measure."""
    seconds = 0.0
    for path in Path(sys.argv[1]).glob("*/*.xml"):  # unlike rglob, it does not keep them all
        content = path.read_bytes()
        started = time.perf_counter()
        etree.fromstring(content)
        seconds += time.perf_counter() - started
    status = Path("/proc/self/status").read_text(encoding="utf-8")
    print(seconds, next(line.split()[1] for line in status.splitlines() if line.startswith("VmHWM")))


if __name__ == "__main__":
    main()
