#!/usr/bin/env python3
"""Search for inputs that break the readers.

For any input, readers may only raise the converter's own errors, within time and memory proportional to the size of
the input; and what they accept can be written and read back. Inputs are the fixtures, and games that are played and
written for it, changed at random by edits that know the formats. If atheris is installed (pip install '.[fuzz]'), it
guides the search by branch coverage; without it, or with --own, the same seed gives the same inputs. Findings are shown
with their tracebacks, reduced as far as possible, and the exit code is then 1. The memory of Python objects is measured
for every 64th input; total memory is limited to 2 GiB where the system supports that.
"""

from __future__ import annotations

import argparse
import importlib
import os
import subprocess
import sys
import time
from collections.abc import Callable
from contextlib import nullcontext, suppress
from functools import partial
from pathlib import Path

import activate  # noqa: F401 - before what needs its packages
from commandline import Parser, run
from fuzzing.bounds import Bounds
from fuzzing.guided import SLOWER, atheris, guided, watched
from fuzzing.hunt import LAST, Hunt, seeded
from fuzzing.targets import TARGETS, mutator

_MOST_MEMORY = 2 << 30

_EPILOG = """\
examples:
  scripts/fuzz.py --seconds 600 -o findings
  scripts/fuzz.py --target jmjp --seed 7 --runs 10000
  scripts/fuzz.py --target mjlog --own --seconds 60 -o findings

Once a finding is fixed, its input goes to fixtures/fuzz/TARGET under a descriptive name; tests/test_fuzz.py tries
all of them again.
"""


def arguments() -> argparse.Namespace:
    """Return the parsed arguments."""
    parser = Parser(__file__, __doc__, _EPILOG)
    parser.add_argument("--target", choices=TARGETS, help="reader to test (default: each in turn)")
    parser.add_argument(
        "--seconds", type=positive(float), default=60, metavar="N", help="time per target (default: 60)"
    )
    parser.add_argument("--runs", type=positive(int), metavar="N", help="maximum number of inputs per target")
    parser.add_argument("--seed", type=int, default=0, metavar="N", help="random seed of the inputs (default: 0)")
    parser.add_argument("--own", action="store_true", help="run without atheris")
    parser.add_argument("--corpus", type=directory, metavar="DIR", help="directory of more files to make inputs from")
    parser.add_argument("-o", "--out", type=Path, metavar="DIR", help="save findings as DIR/TARGET/NAME")
    return parser.parse_args()


def positive(number: Callable[[str], float]) -> Callable[[str], float]:
    """Return a parser of positive values of the type *number*."""

    def taken(text: str) -> float:
        with suppress(ValueError):
            if (value := number(text)) > 0:
                return value
        kind = "integer" if number is int else "number"
        raise argparse.ArgumentTypeError(f"{text!r} is not a positive {kind}")

    return taken


def directory(text: str) -> Path:
    """Return the path of a directory that exists."""
    if not (path := Path(text)).is_dir():
        raise argparse.ArgumentTypeError(f"{text!r} is not a directory")
    return path


def main() -> int:
    """Test one target, or each in its own process."""
    asked = arguments()
    if asked.target is not None:
        return attempt(asked)
    return 1 if [name for name in TARGETS if fails(name, asked.out)] else 0


def fails(name: str, out: Path | None) -> bool:
    """Test one target in its own process; return whether there are findings, and report a crash of the process."""
    code = subprocess.call([sys.executable, *sys.argv, "--target", name])  # noqa: S603 - this program
    if code < 0:
        kept = "use -o to save the input" if out is None else f"see {out / name / LAST} for the input"
        print(f"{name}: killed by signal {-code}; {kept}", file=sys.stderr, flush=True)
    return code != 0


def attempt(asked: argparse.Namespace) -> int:
    """Test one target; return the exit code."""
    limit_memory()
    leads = atheris() is not None and not asked.own
    with watched() if leads else nullcontext():
        judge = importlib.import_module("fuzzing.judges").JUDGES[asked.target]
    hunt = Hunt(asked.target, judge, Bounds().slower(SLOWER) if leads else Bounds(), asked.out)
    started = time.monotonic()

    def done() -> int:
        seconds, lead = time.monotonic() - started, "guided by atheris" if leads else f"with seed {asked.seed}"
        hunt.done()
        number = len(hunt.found)
        found = f"{number} finding{'s' * (number > 1)}" if number else "no findings"
        print(f"{asked.target}: {hunt.count:,} inputs {lead} in {seconds:.0f} s: {found}", flush=True)
        return 1 if hunt.found else 0

    more = [] if asked.corpus is None else filter(Path.is_file, sorted(asked.corpus.iterdir()))
    search = partial(guided, done=done) if leads else seeded
    texts = importlib.import_module("fuzzing.written").written(asked.target)
    search(hunt, mutator(asked.target, more, texts), seed=asked.seed, runs=asked.runs, seconds=asked.seconds)
    return done()


def limit_memory() -> None:
    """Limit memory to more than any input should need, where the system supports it."""
    if os.name == "posix":
        resource = importlib.import_module("resource")
        _, most = resource.getrlimit(resource.RLIMIT_AS)
        with suppress(ValueError, OSError):
            resource.setrlimit(resource.RLIMIT_AS, (_MOST_MEMORY, most))


if __name__ == "__main__":
    sys.exit(run(__file__, main))
