"""Signals end every command within about a second, whatever it is doing, and nothing is left behind or shown but our
own words."""

from __future__ import annotations

import bz2
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterable
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from batching import PATIENCE
from packing import FIXTURES, HOUOU_2, PLAIN, database, game, header, named, zipped
from tables import table

pytestmark = [
    pytest.mark.skipif(not Path("/proc/self/fd").exists(), reason="needs Linux, to see what a process has open"),
    pytest.mark.usefixtures("heard_signals", "in_tmp_path"),
]

SOON = 4.0
"""Seconds in which a process ends after a signal: one, and more on a busy machine."""

HURRIED = """if True:
    from jmjp_convert import __main__
    from jmjp_convert.cli import signals
    signals._GRACE = signals._PATIENCE = 0.1  # seconds
    __main__.run()
"""
"""`jmjp` that gives its work less time to end than it usually has."""

LOOPING = """if True:
    import ctypes
    from jmjp_convert import __main__
    from jmjp_convert.cli import signals
    {owner}
    if {hurried}:
        signals._GRACE = signals._PATIENCE = 0.1  # seconds
    def loop(*_args, **_options):
        open("looping", "w").close()
        lock = ctypes.create_string_buffer(64)
        for _ in range(2):
            ctypes.CDLL(None).pthread_mutex_lock(lock)  # the second call never returns, also after a signal
    owner.{name} = loop
    __main__.run()
"""
"""`jmjp` with a function that calls one in C that never returns."""


def endless_tar() -> None:
    """Make a tar of a few kilobytes that takes ten seconds or more to list: a member of 2 GiB that is no file."""
    Path("evil").write_bytes(bz2.compress(header(kind=b"V", size=900 << 20).tobuf()) + nothing() * 14)


@cache
def nothing() -> bytes:
    """Return 64 MiB of zeros, compressed."""
    return bz2.compress(bytes(64 << 20))


def endless_log() -> None:
    """Make a compressed file that takes ten seconds or more to read: a game again and again."""
    Path("evil").write_bytes(hundred_games() * 600)


@cache
def hundred_games() -> bytes:
    """Return a hundred games, compressed."""
    return bz2.compress((FIXTURES / "json/valid/plain.jsonl").read_bytes() * 100)


def start(*args: str, program: str = "") -> subprocess.Popen[bytes]:
    """Start `jmjp` with *args*, in a group that it forms with its workers."""
    how = ["-c", program] if program else ["-m", "jmjp_convert"]
    return subprocess.Popen(
        [sys.executable, *how, *args], stdout=subprocess.PIPE, stderr=subprocess.PIPE, start_new_session=True
    )


def opens(path: str, process: subprocess.Popen[bytes]) -> None:
    """Wait until *process* or one of its workers has the file *path* open."""
    wanted, end = os.path.realpath(path), time.monotonic() + PATIENCE
    while time.monotonic() < end:
        assert process.poll() is None, process.communicate()
        for folder in Path("/proc").glob("[0-9]*/fd"):
            try:
                if os.getpgid(int(folder.parent.name)) == process.pid and wanted in map(
                    os.path.realpath, folder.iterdir()
                ):
                    return
            except OSError:
                continue
        time.sleep(0.02)
    raise AssertionError(path)


def ended(process: subprocess.Popen[bytes], number: int) -> tuple[float, int, list[str]]:
    """Send *process* the signal *number*; return the seconds until it ends, its exit code, and the lines on stderr."""
    time.sleep(0.1)
    since = time.monotonic()
    process.send_signal(number)
    _, said = process.communicate(timeout=PATIENCE)
    return time.monotonic() - since, process.returncode, said.decode().splitlines()


COMMANDS: dict[str, Callable[[], None]] = dict(table("signals", "commands", globals()))
STOPPED = "0 converted, 0 already there, 0 skipped, 0 failed"
GOES_ON = "interrupted after 0 games; run the same command again to continue"
LAST_WORDS = {
    "view evil -o site": [GOES_ON],
    "batch logs.db -o out -q": [GOES_ON],
    "fetch 2019041809gm-00a9-0000-00000001 -o out -q": [GOES_ON.replace("games", "logs")],
}
"""What commands that can go on later say after any signal."""
LOOPS = {
    "convert log.xml": ("import jmjp_convert.formats.mjlog.reader as owner", "read_mjlog"),
    "check logs.db -j 1": ("from jmjp_convert.files.archives.databases import Database as owner", "content"),
    "batch logs.db -o out -q": ("from jmjp_convert.files.archives.databases import Database as owner", "rows"),
    "fetch 2019041809gm-00a9-0000-00000001 -o out -q": ("import socket as owner", "getaddrinfo"),
}
"""Commands, and a function that each calls: its owner, imported, and its name."""
BATCHES = ["batch evil -o out", "batch evil -o out.zip --zip", "tables evil -o out", "batch evil -o out --dry-run"]
SIGNALS = [(2, 130, ["interrupted"]), (15, 143, [])]


def signalled(commands: Iterable[str]) -> list[Any]:
    """Return each of the *commands* with both signals; without `--long`, with one of them, and the next command with
    the other: what a command does and what a signal does are seen by themselves."""
    return [
        pytest.param(command, *signal_, marks=[pytest.mark.long] if (index + number) % 2 else [])
        for index, command in enumerate(commands)
        for number, signal_ in enumerate(SIGNALS)
    ]


@pytest.mark.parametrize(("command", "number", "code", "said"), signalled(COMMANDS))
def test_commands(command: str, number: int, code: int, said: list[str]) -> None:
    """Ctrl-C and SIGTERM end a command that is decompressing for a long time, and leave nothing behind."""
    COMMANDS[command]()
    process = start(*command.split())
    opens("evil", process)
    seconds, *rest = ended(process, number)
    assert rest == [code, LAST_WORDS.get(command, said)]
    assert seconds < SOON
    assert [path.name for path in Path().iterdir()] == ["evil"]


@pytest.mark.parametrize(("command", "number", "code", "said"), signalled(BATCHES))
def test_batches(command: str, number: int, code: int, said: list[str]) -> None:
    """A run that keeps a ledger has a second to finish its work, then it ends too; the next run is not in its way."""
    endless_tar()
    process = start(*command.split(), program="" if command == BATCHES[0] else HURRIED)
    opens("evil", process)
    seconds, *rest = ended(process, number)
    finishing = "finishing work in progress"
    finishing += "; press Ctrl-C again to stop at once" if number == signal.SIGINT else ""
    assert rest == [code, [finishing, *(said if "--dry-run" in command else [STOPPED, GOES_ON])]]
    assert seconds < SOON
    if "--dry-run" in command:
        assert [path.name for path in Path().iterdir()] == ["evil"]
        return
    Path(f"{game(1)}.xml").write_bytes(PLAIN)
    again = start(*command.replace("evil", f"{game(1)}.xml").split())
    assert again.wait(timeout=PATIENCE) == 0, again.communicate()
    again.communicate()
    assert not list(Path().rglob("*.tmp"))


@pytest.mark.parametrize(("args", "number", "code", "said"), signalled(LOOPS))
def test_library_that_loops(args: str, number: int, code: int, said: list[str]) -> None:
    """A signal also ends the process while a library runs that looks at none: no Python code can then run."""
    Path("log.xml").write_bytes(PLAIN)
    database(Path("logs.db"), HOUOU_2, {game(1): PLAIN})
    owner, name = LOOPS[args]
    hurried = not args.startswith("batch")
    process = start(*args.split(), program=LOOPING.format(owner=owner, name=name, hurried=hurried))
    end = time.monotonic() + PATIENCE
    while not Path("looping").exists():
        assert process.poll() is None, process.communicate()
        assert time.monotonic() < end
        time.sleep(0.02)
    seconds, *rest = ended(process, number)
    assert rest == [code, LAST_WORDS.get(args, said)]
    assert seconds < SOON


# --- helpers that are killed -----------------------------------------------------------------------------------------


def games(number: int) -> None:
    """Make a zip of that many games."""
    zipped({f"{game(index)}.xml": named(index) for index in range(number)}, Path("games.zip"))


def children(process: subprocess.Popen[bytes], number: int) -> dict[int, str]:
    """Return the commands of the children of *process* by their numbers, as soon as there are that many."""
    end, commands = time.monotonic() + PATIENCE, dict[int, str]()
    while len(commands) < number:
        assert time.monotonic() < end
        assert process.poll() is None, process.communicate()
        time.sleep(0.02)
        commands = {}
        for folder in Path("/proc").glob("[0-9]*"):
            try:
                if int((folder / "stat").read_text().rpartition(")")[2].split()[1]) == process.pid:
                    commands[int(folder.name)] = (folder / "cmdline").read_text()
            except OSError:
                continue
    return commands


@pytest.mark.parametrize("command", ["batch games.zip -o out -j 2 -q", "check games.zip -j 2 -q"])
@pytest.mark.parametrize("helper", ["spawn_main", "resource_tracker"])
def test_killed_helper(command: str, helper: str) -> None:
    """If a process that helps is killed, the run goes on without a word."""
    games(80)
    process = start(*command.split())
    commands = children(process, 3)
    os.kill(next(number for number, text in commands.items() if helper in text), signal.SIGKILL)
    assert process.communicate(timeout=PATIENCE) == (b"", b"")
    assert process.returncode == 0


@pytest.mark.parametrize("name", ["SIGQUIT", "SIGUSR1", "SIGALRM", "SIGXCPU", "SIGKILL"])
def test_other_signals(name: str) -> None:
    """Signals that end the process at once leave no words of Python's on stderr."""
    games(200)
    process = start("batch", "games.zip", "-o", "out", "-j", "2")
    children(process, 3)
    number = getattr(signal, name)
    process.send_signal(number)
    assert process.communicate(timeout=PATIENCE) == (b"", b"")
    assert process.returncode == -number
