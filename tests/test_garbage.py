"""The cycles that games leave, and when the processes of the program collect them."""

from __future__ import annotations

import gc
import subprocess
import sys
import weakref
from collections.abc import Iterator
from pathlib import Path

import pytest
from packing import BROKEN, PLAIN, named

from jmjp_convert import read
from jmjp_convert.cli.report import Report
from jmjp_convert.convert import Writing, convert
from jmjp_convert.errors import ConvertError
from jmjp_convert.formats import writable
from jmjp_convert.formats.reading import Reading

RUN = """if True:
    import gc, sys
    from jmjp_convert.__main__ import run
    try:
        run()
    finally:
        print(*gc.get_threshold())
        if sys.platform == "linux":
            print(*[line.split()[1] for line in open("/proc/self/status") if line.startswith("VmHWM:")])
"""

ALLOWED = 1.2


@pytest.fixture
def uncollected() -> Iterator[None]:
    """No cycles are collected."""
    gc.collect()
    gc.disable()
    yield
    gc.enable()


def converted(to: str) -> None:
    """Convert a game and verify it."""
    convert(PLAIN, "game.xml", Reading(), Writing(to), lambda _: None, problem=lambda _: None)


@pytest.mark.parametrize("to", [one.name for one in writable() if one.holding is not None])
def test_no_cycles(to: str, uncollected: None) -> None:  # noqa: ARG001 - a fixture
    """A game that was converted leaves nothing to collect, so that a run needs no collector to stay small."""
    converted(to)  # imports, caches
    gc.collect()
    converted(to)
    assert gc.collect() == 0


def test_import_changes_nothing() -> None:
    """The package leaves the collector of a program that imports it as it is."""
    program = "import gc; print(gc.get_threshold()); import jmjp_convert.cli.batch; print(gc.get_threshold())"
    before, after = subprocess.run([sys.executable, "-c", program], check=True, capture_output=True).stdout.splitlines()
    assert before == after


def run(*args: str | Path) -> list[str]:
    """Run ``jmjp`` in a process of its own, and return the lines that it prints, then its thresholds and peak."""
    done = subprocess.run([sys.executable, "-c", RUN, *args], check=True, capture_output=True, text=True)
    return done.stdout.splitlines()


def test_program() -> None:
    """The program collects rarely."""
    threshold = run("--version")[1].split()[0]
    assert int(threshold) > 10_000


def test_failures(uncollected: None) -> None:  # noqa: ARG001 - a fixture
    """Nothing is left of an input that failed."""
    report = Report()
    errors = []
    for _ in range(5):
        try:
            read(BROKEN)
        except ConvertError as error:
            errors.append(weakref.ref(error))
            report.fail("log.xml", error)
    assert report.failed == 5
    assert [error() for error in errors] == [None] * 5


@pytest.mark.long
@pytest.mark.skipif(sys.platform != "linux", reason="no /proc")
def test_memory(tmp_path: Path) -> None:
    """A conversion of ten times the files needs no more memory."""
    peaks = []
    for number in (150, 1500):
        paths = [tmp_path / f"{number}-{index}.xml" for index in range(number)]
        for index, path in enumerate(paths):
            path.write_bytes(named(index))
        peaks.append(int(run("convert", "-q", *paths)[-1]))
    assert peaks[1] <= ALLOWED * peaks[0]
