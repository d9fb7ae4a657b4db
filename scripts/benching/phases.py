"""Runs `jmjp` with a clock around the functions that do the work, and prints the CPU seconds of each phase as JSON.

Usage: phases.py FILE ARGUMENT...      (the times go to FILE)

A phase that calls another one does not count its time. What none of them counts is the command itself and its files.
"""

from __future__ import annotations

import json
import sys
import time
from collections.abc import Callable
from functools import wraps
from importlib import import_module
from pathlib import Path
from typing import Any

PACKAGE = "jmjp_convert"
PARSE, DECODE, REPLAY, WRITE = "parse", "decode", "replay", "write"
READ_BACK, AGAIN, PROJECT, COMPARE = "read back", "replay again", "project", "compare"
PHASES = (PARSE, DECODE, REPLAY, WRITE, READ_BACK, AGAIN, PROJECT, COMPARE)
REST = "files and the rest"


def functions() -> list[tuple[str, Callable[..., Any]]]:
    """Return the functions that begin and end each phase; to replay again is to replay while reading back."""
    from lxml import etree

    from jmjp_convert.formats.jmjp.reader import read_jmjp
    from jmjp_convert.formats.jmjp.writer import write_jmjp
    from jmjp_convert.formats.losses.loss import reduced
    from jmjp_convert.formats.mjlog.reader import read_mjlog
    from jmjp_convert.formats.mjlog.xml import without_tree
    from jmjp_convert.formats.roundtrip import prove
    from jmjp_convert.play.table import replay

    return [
        (PARSE, without_tree),
        (PARSE, etree.fromstring),  # of other logs
        (DECODE, read_mjlog),
        (REPLAY, replay),
        (WRITE, write_jmjp),
        (READ_BACK, read_jmjp),
        (PROJECT, reduced),
        (COMPARE, prove),
    ]


class Clock:
    """The CPU time of each phase, in nanoseconds."""

    def __init__(self) -> None:
        self.spent = dict.fromkeys(PHASES, 0)
        self._phases: list[str] = []
        self._last = 0

    def around(self, phase: str, function: Callable[..., Any]) -> Callable[..., Any]:
        """Return *function*, whose calls are *phase*."""

        @wraps(function)
        def call(*args: Any, **options: Any) -> Any:
            self._switch()
            self._phases.append(AGAIN if phase == REPLAY and READ_BACK in self._phases else phase)
            try:
                return function(*args, **options)
            finally:
                self._switch()
                self._phases.pop()

        return call

    def _switch(self) -> None:
        now = time.process_time_ns()
        if self._phases:
            self.spent[self._phases[-1]] += now - self._last
        self._last = now


def install(clock: Clock) -> None:
    """Put *clock* around the functions of all phases, under whatever name a module has imported them."""
    wanted = functions()
    modules = [module for name, module in list(sys.modules.items()) if name.startswith((PACKAGE, "lxml.etree"))]
    for phase, function in wanted:
        timed = clock.around(phase, function)
        for module in modules:
            for key in [key for key, value in vars(module).items() if value is function]:
                setattr(module, key, timed)


def main() -> None:
    """Run the command."""
    report, *arguments = sys.argv[1:]
    clock = Clock()
    install(clock)
    command = import_module(f"{PACKAGE}.cli").main
    try:
        command(arguments)
    finally:
        seconds = {phase: spent / 1e9 for phase, spent in clock.spent.items()}
        Path(report).write_text(json.dumps(seconds), encoding="utf-8")


if __name__ == "__main__":
    main()
