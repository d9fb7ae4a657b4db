"""What the single-file program runs: `jmjp`, or a worker process of it."""

from __future__ import annotations

import multiprocessing
import os

from jmjp_convert.__main__ import run

LIBRARIES = "LD_LIBRARY_PATH"


def restore_libraries() -> None:
    """Let other programs, such as the browser of `--open`, use the libraries of the system, not ours, as before the
    start (source: PyInstaller's manual, on external programs)."""
    before = os.environ.pop(f"{LIBRARIES}_ORIG", None)
    os.environ.pop(LIBRARIES, None)
    if before is not None:
        os.environ[LIBRARIES] = before


if __name__ == "__main__":
    multiprocessing.freeze_support()  # a worker process starts the program again, with other arguments
    restore_libraries()
    run()
