#!/usr/bin/env python3
"""Look for inputs that the readers cannot bear.

Whatever they are given, only errors of the converter's own family may leave them, in a time and with a memory that
grow no faster than the input does; and what they take can be written and read back. Inputs are the fixtures, changed
at random by edits that know the formats. Where atheris is installed (pip install '.[fuzz]') it leads the search by the
branches that inputs reach; without it, or with --own, the same seed gives the same inputs. What is found is shown with
its traceback, as small as it could be made; the exit code is 1 then.
"""

from __future__ import annotations

import argparse
import importlib
import os
import subprocess
import sys
import time
from contextlib import nullcontext, suppress
from functools import partial
from pathlib import Path

from fuzzing.bounds import Bounds
from fuzzing.guided import SLOWER, atheris, guided, watched
from fuzzing.hunt import Hunt, seeded
from fuzzing.targets import TARGETS, mutator

_MOST_MEMORY = 4 << 30

_EPILOG = """\
examples:
  scripts/fuzz.py --seconds 600 -o findings
  scripts/fuzz.py --target jmjp --seed 7 --runs 10000
  scripts/fuzz.py --target mjlog --own --seconds 60 -o findings

A finding that is mended goes to fixtures/fuzz/TARGET under a name that says what it is: tests/test_fuzz.py tries all
of them again.
"""


def arguments() -> argparse.Namespace:
    """Return what is asked for."""
    parser = argparse.ArgumentParser(
        description=__doc__, epilog=_EPILOG, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--target", choices=TARGETS, help="what to try (default: each in turn)")
    parser.add_argument("--seconds", type=float, default=60, metavar="N", help="how long, each (default: 60)")
    parser.add_argument("--runs", type=int, metavar="N", help="how many inputs at most, each")
    parser.add_argument("--seed", type=int, default=0, metavar="N", help="what the inputs follow from (default: 0)")
    parser.add_argument("--own", action="store_true", help="do without atheris")
    parser.add_argument("--corpus", type=Path, metavar="DIR", help="more files to make inputs from")
    parser.add_argument("-o", "--out", type=Path, metavar="DIR", help="where findings are kept, as DIR/TARGET/NAME")
    return parser.parse_args()


def main() -> int:
    """Try one target, or each in a process of its own."""
    asked = arguments()
    if asked.target is None:
        commands = [[sys.executable, *sys.argv, "--target", name] for name in TARGETS]
        return max([subprocess.call(command) for command in commands])  # noqa: S603 - it is this program
    return attempt(asked)


def attempt(asked: argparse.Namespace) -> int:
    """Try one target; return the exit code."""
    limit_memory()
    leads = atheris() is not None and not asked.own
    with watched() if leads else nullcontext():
        judge = getattr(importlib.import_module("fuzzing.judges"), asked.target)
    hunt = Hunt(asked.target, judge, Bounds().slower(SLOWER) if leads else Bounds(), asked.out)
    started = time.monotonic()

    def done() -> int:
        seconds, lead = time.monotonic() - started, "led by atheris" if leads else f"of seed {asked.seed}"
        found = f"{len(hunt.found)} findings" if hunt.found else "nothing found"
        print(f"{asked.target}: {hunt.count:,} inputs {lead} in {seconds:.0f} s: {found}", flush=True)
        return 1 if hunt.found else 0

    more = [] if asked.corpus is None else filter(Path.is_file, asked.corpus.iterdir())
    search = partial(guided, done=done) if leads else seeded
    search(hunt, mutator(asked.target, more), seed=asked.seed, runs=asked.runs, seconds=asked.seconds)
    return done()


def limit_memory() -> None:
    """Let the system refuse more memory than any input should need, where it can."""
    if os.name == "posix":
        resource = importlib.import_module("resource")
        _, most = resource.getrlimit(resource.RLIMIT_AS)
        with suppress(ValueError, OSError):
            resource.setrlimit(resource.RLIMIT_AS, (_MOST_MEMORY, most))


if __name__ == "__main__":
    sys.exit(main())
