"""What `scripts/bench.py` measures: each function returns a table."""

from __future__ import annotations

import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack
from functools import partial
from importlib.util import find_spec
from pathlib import Path
from shutil import which
from statistics import median
from typing import NamedTuple, TypeVar

from benching import instructions, others
from benching.games import HOME, environment
from benching.in_memory import FULL, QUICK, WORK, Converter
from benching.processes import COMMANDS, STARTS, TWO, Arguments, Usage, jmjp, run

BLOCK = 25  # games that a candidate in memory converts before it is another's turn
REPEATS = 15
ROUNDS = 2
PARSER = "`lxml.etree.fromstring`"
IMPORTS = "`import click, lxml.etree`"

T = TypeVar("T")
Table = list[Sequence[str]]
"""Rows of cells, the head first."""


class Unavailable(Exception):  # noqa: N818 - nothing has failed
    """A table cannot be made here; the text says why."""


class Bench(NamedTuple):
    """What is measured.

    :ivar chunks: the games, by folder.
    :ivar rows: a part of the names of the candidates.
    :ivar against: another checkout.
    :ivar compiled: a folder with the compiled package.
    """

    room: Path
    chunks: list[list[Path]]
    rows: str = ""
    against: Path | None = None
    compiled: Path | None = None

    @property
    def games(self) -> list[Path]:
        """All games."""
        return [game for chunk in self.chunks for game in chunk]

    @property
    def checkouts(self) -> list[Path]:
        """Here, and the other checkout if there is one."""
        return [HOME, self.against] if self.against else [HOME]

    def wanted(self, names: Sequence[str]) -> list[str]:
        """Return those of *names* that are to be measured."""
        found = [name for name in names if self.rows in name]
        if not found:
            sys.exit(f"bench: --rows: {self.rows!r} is in none of {', '.join(names)}")
        return found

    def parser(self) -> Converter:
        """Return a process that measures the XML parser."""
        return Converter(QUICK, environment(HOME))


def in_memory(bench: Bench) -> Table:
    """Measure conversions in memory: each candidate has a process of its own, so that none warms another's caches."""
    names = [name for name in bench.wanted(list(WORK)) if "jansou" not in name or find_spec("jansou")]
    games = bench.games
    ratios: dict[str, list[float]] = {name: [] for name in names}
    floors = []
    with ExitStack() as stack:
        converters = {name: stack.enter_context(Converter(name, environment(HOME))) for name in names}
        for first in range(0, len(games), BLOCK):
            block = games[first : first + BLOCK]
            for name in _turned(names, first // BLOCK):
                spent, floor = converters[name].convert(block)
                ratios[name].append(spent / floor)
                floors.append(floor / len(block))
    floor = median(floors)
    table: Table = [("in memory", "per game", "ratio"), (PARSER, f"{floor * 1e3:.3f} ms", "1")]
    for name in names:
        ratio = median(ratios[name])
        table.append((name, f"{ratio * floor * 1e3:.2f} ms", f"{ratio:.1f}"))
    return table


def _turned(names: Sequence[T], number: int) -> Iterator[T]:
    """Yield *names*, beginning with another one for each *number*."""
    for index in range(len(names)):
        yield names[(index + number) % len(names)]


class _Figures:
    """The figures of one command, one of each per chunk.

    :ivar usage: what it uses for files.
    """

    def __init__(self, usage: Callable[[list[Path]], Usage]) -> None:
        self.usage = usage
        self.ratios: list[float] = []
        self.floors: list[float] = []
        self.peaks: list[float] = []
        self.starts: list[float] = []

    def measure(self, files: list[Path], games: list[Path], parser: Converter) -> None:
        """Measure *files*, which are a chunk of *games* in any format."""
        start = self.usage(files[:1]).cpu
        before, used, after = parser.floor(games), self.usage(files), parser.floor(games)
        floor = (before + after) / 2
        self.floors.append(floor)
        self.ratios.append((used.cpu - start) / (len(games) - 1) / floor)
        self.peaks.append(used.peak)
        self.starts.append(start)


def process(bench: Bench) -> Table:
    """Measure commands, chunk by chunk: game by game, start-up would be all of it."""
    names = bench.wanted(list(COMMANDS))
    figures = {
        name: [_Figures(partial(_used, COMMANDS[name], bench.room, checkout)) for checkout in bench.checkouts]
        for name in names
    }
    with bench.parser() as parser:
        for number, games in enumerate(bench.chunks):
            for name in _turned(names, number):
                for one in figures[name][:: -1 if number % 2 else 1]:
                    if not number:  # let Python compile the package, and the system read it
                        one.usage(games[:1])
                    one.measure(games, games, parser)
    floor = median(floor for each in figures.values() for one in each for floor in one.floors)
    more = ("ratio before", "now ÷ before", "memory before", "now ÷ before") if bench.against else ()
    table: Table = [("process, start-up taken off", "per game", "ratio", "games per second", "memory", *more)]
    table.append((PARSER, f"{floor * 1e3:.3f} ms", "1", f"{1 / floor:,.0f}", *([""] * (1 + len(more)))))
    for name, (now, *before) in figures.items():
        ratio, peak = median(now.ratios), median(now.peaks)
        cells = [name, f"{ratio * floor * 1e3:.2f} ms", f"{ratio:.1f}", f"{1 / ratio / floor:,.0f}", f"{peak:.0f} MB"]
        for other in before:
            pairs = zip(now.ratios, other.ratios, strict=True)
            cells += [f"{median(other.ratios):.1f}", f"{median(one / two for one, two in pairs):.2f}"]
            cells += [f"{median(other.peaks):.0f} MB", f"{peak / median(other.peaks):.2f}"]
        table.append(cells)
    return table


def _used(arguments: Arguments, room: Path, checkout: Path, games: list[Path]) -> Usage:
    return jmjp(arguments, games, room, checkout)


def two_workers(bench: Bench) -> Table:
    """Measure batches with two workers and with one, in wall time, and two processes that only convert: what these use
    more CPU time for than one does is the machine's share."""
    table: Table = [("wall time", "games per second", "times as fast as one", "CPU time, two ÷ one")]
    for name in bench.wanted(list(TWO)):
        rounds = [[_whole(arguments, bench) for arguments in TWO[name]] for _ in range(ROUNDS)]
        speed = (len(bench.games) - 1) / median(two.wall for _, two in rounds)
        faster, cpu = (median(values) for values in zip(*(_compared(*each) for each in rounds), strict=True))
        table.append((name, f"{speed:,.0f}", f"{faster:.2f}", f"{cpu:.2f}"))
    faster, cpu = (median(values) for values in zip(*(_room(bench.chunks[0]) for _ in range(ROUNDS)), strict=True))
    return [*table, ("two conversions in memory", "", f"{faster:.2f}", f"{cpu:.2f}")]


def _whole(arguments: Arguments, bench: Bench) -> Usage:
    """Return what a batch of all games uses, without its start-up."""
    start, used = (jmjp(arguments, games, bench.room, HOME) for games in (bench.games[:1], bench.games))
    return Usage(used.cpu - start.cpu, used.wall - start.wall, used.peak)


def _compared(one: Usage, two: Usage) -> tuple[float, float]:
    """Return how many times as fast two workers are as one, and how much more CPU time they use."""
    return one.wall / two.wall, two.cpu / one.cpu


def _room(games: Sequence[Path]) -> tuple[float, float]:
    """Return how many times as fast two processes convert *games* as one does, and how much more CPU time each uses."""
    with Converter(FULL, environment(HOME)) as one, Converter(FULL, environment(HOME)) as other:
        for each in (one, other):
            each.convert(games[:1])
        started = time.perf_counter()
        alone = one.convert(games).seconds
        wall = time.perf_counter() - started
        started = time.perf_counter()
        for each in (one, other):
            each.start(games)
        together = sum(each.spent().seconds for each in (one, other))
        return 2 * wall / (time.perf_counter() - started), together / (2 * alone)


def start_up(bench: Bench) -> Table:
    """Measure commands with one file, and what they cannot do without."""
    game, room = bench.chunks[0][:1], bench.room
    candidates: dict[str, Callable[[Path], Usage]] = {
        IMPORTS: lambda home: run([sys.executable, "-c", "import click, lxml.etree"], room, home)
    }
    for name in bench.wanted(list(STARTS)):
        candidates[name] = lambda home, name=name: jmjp(STARTS[name], game, room, home)  # type: ignore[misc]
    times: dict[tuple[str, Path], list[float]] = {}
    for _ in range(1 + REPEATS):
        for name, candidate in candidates.items():
            for home in bench.checkouts:
                times.setdefault((name, home), []).append(candidate(home).cpu)
    seconds = {key: median(values[1:]) for key, values in times.items()}  # the first has compiled the package
    floor = seconds[IMPORTS, HOME]
    table: Table = [("start-up, with one file", "CPU time", "ratio", *(["ratio before"] if bench.against else []))]
    for name in candidates:
        each = [seconds[name, home] for home in bench.checkouts]
        table.append((name, f"{each[0] * 1e3:.0f} ms", *(f"{one / floor:.2f}" for one in each)))
    return table


def counted(bench: Bench) -> Table:
    """Count the instructions of commands and of reading."""
    counter, floor = _counter(bench)
    head = ["instructions", "million per game", "ratio", "ratio, compiled", "compiled ÷ interpreted"]
    more = ["ratio before", "now ÷ before"] if bench.against else []
    table: Table = [[*head, *more]]
    games = instructions.digest(bench.games[: instructions.GAMES])
    table.append((f"{PARSER}, games {games}", f"{floor / 1e6:.2f}", "1", *[""] * (2 + len(more))))
    for name in bench.wanted([*instructions.CONVERT, *instructions.READING]):
        count = counter.reading if name in instructions.READING else counter.command
        now = count(name, HOME)
        cells = _cells(name, now, count(name, bench.compiled) if bench.compiled else None, floor)
        if bench.against:
            before = count(name, bench.against)
            cells += [f"{before / floor:.2f}", f"{now / before:.3f}"]
        table.append(cells)
    return table


def by_phase(bench: Bench) -> Table:
    """Count the instructions of each phase of a verified conversion."""
    counter, floor = _counter(bench)
    spent = counter.by_phase(HOME)
    quick = counter.by_phase(bench.compiled) if bench.compiled else {}
    head = ("phase of `convert`", "million per game", "ratio", "ratio, compiled", "compiled ÷ interpreted")
    return [head, *(_cells(name, spent[name], quick.get(name), floor) for name in bench.wanted(list(spent)))]


def _counter(bench: Bench) -> tuple[instructions.Counter, float]:
    """Return what counts the instructions for the first games, and how many the XML parser takes for one more."""
    if which("valgrind") is None:
        raise Unavailable("valgrind is not installed")
    counter = instructions.Counter(bench.games[: instructions.GAMES], bench.room)
    return counter, counter.parse(HOME)


def _cells(name: str, now: float, compiled: float | None, floor: float) -> list[str]:
    """Return a row of instructions, *now* and *compiled*, as they are and as parts of *floor*."""
    quick = ["", ""] if compiled is None else [f"{compiled / floor:.2f}", f"{compiled / now:.2f}"]
    return [name, f"{now / 1e6:.2f}", f"{now / floor:.2f}", *quick]


def beside_others(bench: Bench) -> Table:
    """Measure what programs of others do, and jmjp, interpreted and compiled."""
    missing = others.missing()
    for program, how in missing.items():
        print(f"bench: {program}: skipped, not installed ({how})", file=sys.stderr)
    wanted = bench.wanted([one.name for one in others.CANDIDATES])
    candidates = [one for one in others.CANDIDATES if one.name in wanted and one.program not in missing]
    inputs = {"mjlog": bench.chunks}
    for to in {one.reads for one in candidates} - {"mjlog"}:
        inputs[to] = [instructions.converted(games, to, bench.room, HOME) for games in bench.chunks]
    modes = [HOME, *([bench.compiled] if bench.compiled else [])]
    figures = {
        (one.name, home): _Figures(partial(_other, one, bench.room, home))
        for one in candidates
        for home in modes
        if home == HOME or one.program == others.JMJP
    }
    reads = {one.name: one.reads for one in candidates}
    with bench.parser() as parser:
        for number, games in enumerate(bench.chunks):
            for name, home in _turned(list(figures), number):
                files = inputs[reads[name]][number]
                if not number:  # as for commands
                    figures[name, home].usage(files[:1])
                figures[name, home].measure(files, games, parser)
    floor = median(floor for each in figures.values() for floor in each.floors)
    title = f"whole process, {len(bench.games)} games, start-up taken off"
    compiled = ["ratio, compiled"] if bench.compiled else []
    table: Table = [(title, "per game", "ratio", *compiled, "start-up", "memory")]
    for one in candidates:
        now = figures[one.name, HOME]
        ratio, peak = median(now.ratios), median(now.peaks)
        cells = [one.name, f"{ratio * floor * 1e3:.2f} ms", f"{ratio:.1f}"]
        if bench.compiled:
            of_jmjp = one.program == others.JMJP
            cells.append(f"{median(figures[one.name, bench.compiled].ratios):.1f}" if of_jmjp else "")
        table.append([*cells, f"{median(now.starts) * 1e3:.0f} ms", f"{peak:.0f} MB"])
    return table


def _other(candidate: others.Candidate, room: Path, checkout: Path, files: list[Path]) -> Usage:
    out = f"{tempfile.mkdtemp(dir=room)}/out"
    return run(candidate.command(files, out), room, checkout)


TABLES: dict[str, Callable[[Bench], Table]] = {
    "memory": in_memory,
    "process": process,
    "two": two_workers,
    "startup": start_up,
    "instructions": counted,
    "phases": by_phase,
    "others": beside_others,
}
"""By name, what makes each table."""
