#!/usr/bin/env python3
"""Look for inputs that the readers cannot bear.

Whatever they are given, only errors of the converter's own family may leave them, in a time and with a memory that
grow no faster than the input does; and what they take can be written and read back. Inputs are the fixtures, changed
at random by edits that know the formats. Where atheris is installed (pip install '.[fuzz]') it leads the search by the
branches that inputs reach; without it, or with --own, the same seed gives the same inputs. What is found is shown with
its traceback, as small as it could be made; the exit code is 1 then. Memory is that of Python's objects, looked at for
every 64th input; all of it together is bounded by 2 GiB where the system can do that.
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

A finding that is mended goes to fixtures/fuzz/TARGET under a name that says what it is: tests/test_fuzz.py tries all
of them again.
"""


def arguments() -> argparse.Namespace:
    """Return what is asked for."""
    parser = argparse.ArgumentParser(
        description=__doc__, epilog=_EPILOG, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--target", choices=TARGETS, help="what to try (default: each in turn)")
    parser.add_argument("--seconds", type=positive(float), default=60, metavar="N", help="how long, each (default: 60)")
    parser.add_argument("--runs", type=positive(int), metavar="N", help="how many inputs at most, each")
    parser.add_argument("--seed", type=int, default=0, metavar="N", help="what the inputs follow from (default: 0)")
    parser.add_argument("--own", action="store_true", help="do without atheris")
    parser.add_argument("--corpus", type=directory, metavar="DIR", help="more files to make inputs from")
    parser.add_argument("-o", "--out", type=Path, metavar="DIR", help="where findings are kept, as DIR/TARGET/NAME")
    return parser.parse_args()


def positive(number: Callable[[str], float]) -> Callable[[str], float]:
    """Return what takes a *number* above 0."""

    def taken(text: str) -> float:
        with suppress(ValueError):
            if (value := number(text)) > 0:
                return value
        raise argparse.ArgumentTypeError(f"{text!r} is no number above 0")

    return taken


def directory(text: str) -> Path:
    """Return the path of a directory that exists."""
    if not (path := Path(text)).is_dir():
        raise argparse.ArgumentTypeError(f"{text!r} is no directory")
    return path


def main() -> int:
    """Try one target, or each in a process of its own."""
    asked = arguments()
    if asked.target is not None:
        return attempt(asked)
    return 1 if [name for name in TARGETS if fails(name, asked.out)] else 0


def fails(name: str, out: Path | None) -> bool:
    """Try one target in a process of its own; return whether anything is found, and say so if that is the end of the
    process."""
    code = subprocess.call([sys.executable, *sys.argv, "--target", name])  # noqa: S603 - it is this program
    if code < 0:
        kept = "-o keeps the input" if out is None else f"the input is {out / name / LAST}"
        print(f"{name}: ended by signal {-code}: {kept}", file=sys.stderr, flush=True)
    return code != 0


def attempt(asked: argparse.Namespace) -> int:
    """Try one target; return the exit code."""
    limit_memory()
    leads = atheris() is not None and not asked.own
    with watched() if leads else nullcontext():
        judge = importlib.import_module("fuzzing.judges").JUDGES[asked.target]
    hunt = Hunt(asked.target, judge, Bounds().slower(SLOWER) if leads else Bounds(), asked.out)
    started = time.monotonic()

    def done() -> int:
        seconds, lead = time.monotonic() - started, "led by atheris" if leads else f"of seed {asked.seed}"
        hunt.done()
        found = f"{len(hunt.found)} findings" if hunt.found else "nothing found"
        print(f"{asked.target}: {hunt.count:,} inputs {lead} in {seconds:.0f} s: {found}", flush=True)
        return 1 if hunt.found else 0

    more = [] if asked.corpus is None else filter(Path.is_file, sorted(asked.corpus.iterdir()))
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
