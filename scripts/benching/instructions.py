"""Counts the instructions of commands and readers with callgrind: for one game more, so that start-up does not count.

They are those of all games minus those of the first alone, by the number of the others. Unlike times, they are the same
to one in a thousand on a busy machine.
"""

from __future__ import annotations

import re
import subprocess
import sys
import tempfile
from collections.abc import Callable, Sequence
from hashlib import sha256
from pathlib import Path

from benching import phases
from benching.games import environment
from benching.processes import COMMANDS, JMJP

CALLGRIND = ("valgrind", "--tool=callgrind", "--callgrind-out-file=/dev/null")
GAMES = 41
"""The games that are counted, with the first."""
PARSE = """if True:
    import sys
    from pathlib import Path
    from lxml.etree import fromstring
    for name in sys.argv[1:]:
        fromstring(Path(name).read_bytes())
"""
READ = """if True:
    import sys
    from jmjp_convert import read
    for name in sys.argv[1:]:
        read(name)
"""
READING = {"reading mjlog": "", "reading tenhou6": "tenhou6", "reading mjai": "mjai"}
"""By name, the format that games are converted to before they are read; none for mjlog itself."""
CONVERT = tuple(name for name in COMMANDS if name.startswith("`convert"))


def digest(games: Sequence[Path]) -> str:
    """Return what identifies *games*: figures of the same games can be compared."""
    return sha256(b"".join(sha256(path.read_bytes()).digest() for path in games)).hexdigest()[:8]


class Counter:
    """Counts the instructions for one of *games* more, with the package of a checkout."""

    def __init__(self, games: Sequence[Path], room: Path) -> None:
        self._games = games
        self._room = room
        self._converted: dict[str, Sequence[Path]] = {"": games}

    def parse(self, checkout: Path) -> float:
        """Return the instructions of the XML parser."""
        return self._more(lambda games: ["-c", PARSE, *games], self._games, checkout)

    def command(self, name: str, checkout: Path) -> float:
        """Return the instructions of one of :data:`COMMANDS`."""
        out = tempfile.mkdtemp(dir=self._room)
        made = (f"{out}/{number}" for number in range(3))
        return self._more(lambda games: ["-c", JMJP, *COMMANDS[name](games, next(made))], self._games, checkout)

    def reading(self, name: str, checkout: Path) -> float:
        """Return the instructions of reading files, by :data:`READING`."""
        to = READING[name]
        if to not in self._converted:
            self._converted[to] = converted(self._games, to, self._room, checkout)
        return self._more(lambda games: ["-c", READ, *games], self._converted[to], checkout)

    def by_phase(self, checkout: Path) -> dict[str, float]:
        """Return the instructions of each phase of a verified conversion."""
        spent = {stage: self._until(stage, checkout) for stage in phases.STAGES}
        return phases.by_phase(spent, self.command("`convert`", checkout))

    def _until(self, stage: str, checkout: Path) -> float:
        return self._more(lambda games: [phases.__file__, stage, *games], self._games, checkout)

    def _more(self, line: Callable[[Sequence[Path]], Sequence[str | Path]], games: Sequence[Path], home: Path) -> float:
        self._run([sys.executable, *line(games[:1])], home)  # compiles the modules
        all_of_them, first = (self._counted(line(some), home) for some in (games, games[:1]))
        return (all_of_them - first) / (len(games) - 1)

    def _counted(self, arguments: Sequence[str | Path], checkout: Path) -> int:
        said = self._run([*CALLGRIND, sys.executable, *arguments], checkout)
        match = re.search(r"Collected : (\d+)", said)
        if match is None:
            sys.exit(f"bench: valgrind counted nothing: {said[-300:]}")
        return int(match[1])

    def _run(self, command: Sequence[str | Path], checkout: Path) -> str:
        used = {**environment(checkout), "PYTHONHASHSEED": "0"}
        done = subprocess.run(  # noqa: S603 - our own
            command, cwd=self._room, env=used, capture_output=True, text=True, check=False
        )
        if done.returncode:
            sys.exit(f"bench: {' '.join(map(str, command[:8]))} … exited with {done.returncode}: {done.stderr[-300:]}")
        return done.stderr


def converted(games: Sequence[Path], to: str, room: Path, checkout: Path) -> list[Path]:
    """Return files with *games* in the format *to*, in the same order."""
    folder = Path(tempfile.mkdtemp(dir=room))
    options = ["--no-verify", "--to", to, "-qo", f"{folder}/"]
    command = [sys.executable, "-c", JMJP, "convert", *options, *map(str, games)]
    subprocess.run(command, check=True, env=environment(checkout), cwd=room, stderr=subprocess.DEVNULL)  # noqa: S603
    made = {path.name.partition(".")[0]: path for path in folder.iterdir()}
    return [made[path.name.partition(".")[0]] for path in games]
