"""Run the script that imports this in `.venv`, which `scripts/test` sets up, if its own Python lacks a package.

Without `.venv`, the script exits with one line that says so. It imports this before what needs a package.
"""

from __future__ import annotations

import os
import sys
from importlib.util import find_spec
from pathlib import Path

NEEDED = ("click", "jmjp_convert", "lxml", "mahjong")
"""The packages that tell an environment with the development tools from others."""
_PLACE = Path(__file__).resolve().parent.parent / ".venv"


def activate() -> None:
    """Continue in `.venv` if a package is missing here; exit if it is missing there too, or there is no `.venv`."""
    missing = next((name for name in NEEDED if find_spec(name) is None), None)
    if missing is None:
        return
    python = _PLACE / "bin" / "python"  # on Windows, exec does not wait for the new process
    if python.exists() and Path(sys.prefix).resolve() != _PLACE.resolve():
        os.execv(python, [str(python), *sys.argv])  # noqa: S606 - the same arguments
    sys.exit(f"{Path(sys.argv[0]).name}: no package {missing}; use the Python in .venv, which scripts/test sets up")


activate()
