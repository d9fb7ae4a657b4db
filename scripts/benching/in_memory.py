"""Converts games in memory, in a process of its own, and measures the XML parser on the same games.

Each line of its input is a JSON list of paths. Its answer is a line with the CPU seconds of the conversions, and those
of the parser: each game is converted first, when nothing has seen it, then parsed twice, and the second time counts.
"""

from __future__ import annotations

import json
import subprocess
import sys
import time
from collections.abc import Callable, Sequence
from contextlib import suppress
from pathlib import Path
from typing import NamedTuple, Self

Work = Callable[[bytes, str], object]
"""Does something with the content of a log and its file name."""


def _reading() -> Work:
    from jmjp_convert.formats.reading import Reading, read_content

    reading = Reading()
    return lambda content, name: read_content(content, name, reading, print)


def _converting(to: str = "jmjp", *, verify: bool) -> Work:
    from jmjp_convert.convert import Writing, convert
    from jmjp_convert.formats.reading import Reading

    reading, writing = Reading(), Writing(to, verify=verify)
    return lambda content, name: convert(content, name, reading, writing, print, problem=print).content


def _jansou() -> Work:
    from jansou.io.mjlog import parse_mjlog

    return lambda content, _: parse_mjlog(content)


def _jansou_to_tenhou6() -> Work:
    from jansou.io.mjlog import parse_mjlog
    from jansou.io.tenhou_json import dump_tenhou_json

    return lambda content, _: json.dumps(dump_tenhou_json(parse_mjlog(content)), ensure_ascii=False).encode()


QUICK, FULL = "conversion, `--no-verify`", "conversion"
WORK: dict[str, Callable[[], Work]] = {
    "reading": _reading,
    QUICK: lambda: _converting(verify=False),
    FULL: lambda: _converting(verify=True),
    "conversion to tenhou6, `--no-verify`": lambda: _converting("tenhou6", verify=False),
    "jansou: reading": _jansou,
    "jansou: conversion to tenhou6": _jansou_to_tenhou6,
}
"""By name, what makes each candidate in the process in which it runs."""
SAMPLE = 50
"""Games on which the parser is measured for a chunk."""


class Spent(NamedTuple):
    """CPU seconds of a conversion, and of the parser alone, for the same games."""

    seconds: float
    floor: float


class Converter:
    """A process that does one kind of :data:`WORK`; a context manager."""

    def __init__(self, what: str, environment: dict[str, str]) -> None:
        self._process = subprocess.Popen(  # noqa: S603 - this file
            [sys.executable, __file__, what], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, env=environment
        )

    def start(self, games: Sequence[Path]) -> None:
        """Let it convert *games*."""
        assert self._process.stdin is not None
        self._process.stdin.write(json.dumps([str(path) for path in games]) + "\n")
        self._process.stdin.flush()

    def spent(self) -> Spent:
        """Wait for the games that it was given, and return the times."""
        assert self._process.stdout is not None
        return Spent(*json.loads(self._process.stdout.readline()))

    def convert(self, games: Sequence[Path]) -> Spent:
        """Convert *games*, and return the times."""
        self.start(games)
        return self.spent()

    def floor(self, games: Sequence[Path]) -> float:
        """Return the CPU seconds of the parser per game, from some of *games*, as it takes as long as they are large.

        They are converted, too: the parser alone, over and over, would be faster than next to other work.
        """
        sample = games[:: -(-len(games) // SAMPLE)]
        sizes = [sum(path.stat().st_size for path in some) for some in (games, sample)]
        return self.convert(sample).floor * sizes[0] / sizes[1] / len(games)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        assert self._process.stdin is not None
        with suppress(BrokenPipeError):
            self._process.stdin.close()
        self._process.wait()
        if self._process.stdout is not None:
            self._process.stdout.close()


def main() -> None:
    """Convert what each line of the input names."""
    from lxml import etree

    work, now = WORK[sys.argv[1]](), time.process_time_ns
    for line in sys.stdin:
        spent = floor = 0
        for path in map(Path, json.loads(line)):
            content = path.read_bytes()
            started = now()
            work(content, path.name)
            spent += now() - started
            etree.fromstring(content)
            started = now()
            etree.fromstring(content)
            floor += now() - started
        print(json.dumps([spent / 1e9, floor / 1e9]), flush=True)


if __name__ == "__main__":
    main()
