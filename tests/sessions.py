"""Run the sessions in `fixtures/sessions`: commands in a temporary folder, with what they write and their exit codes.

`fixtures/README.md` explains their language. Commands run in this process: `jmjp` by click's runner, and a few others
that prepare or show files.
"""

from __future__ import annotations

import errno
import gzip
import json
import os
import re
import shlex
import shutil
import sqlite3
import zipfile
from collections.abc import Callable, Iterator
from contextlib import ExitStack, closing, contextmanager, suppress
from datetime import date
from fnmatch import fnmatchcase
from functools import partial
from pathlib import Path
from pkgutil import resolve_name
from tempfile import TemporaryDirectory
from typing import NamedTuple

import pytest
from batching import PowerCut, in_threads, outputs
from casefiles import FIXTURES, Block, content
from click.testing import CliRunner
from packing import game, named, zipped
from tabling import year
from tenhou_server import LOG_PATH, TenhouServer, body, encoded, hurried, serving, status

from jmjp_convert.cli import main
from jmjp_convert.fetch import state

_HEAD = re.compile(r"^(?=(?:given|case .+)$)", re.MULTILINE)
_COMMAND = re.compile(r"^\$ ", re.MULTILINE)
_LEFT_OUT = "…"


Perform = Callable[[str, dict[str, bytes]], str]
"""Runs one command and returns what it writes; it is given the files that were there after `given`."""


class Step(NamedTuple):
    """A command of a session, and the lines that are expected below it."""

    command: str
    expected: str


class Session(NamedTuple):
    """A case of a session file: its steps, after those of the file's `given`."""

    given: list[Step]
    steps: list[Step]


def sessions(path: Path) -> dict[str, Session]:
    """Return the cases of a session file by name."""
    before, *blocks = _HEAD.split(path.read_text(encoding="utf-8"))
    if before.strip():
        raise ValueError(f"{path.name}: text before the first case: {before}")
    given: list[Step] = []
    cases: dict[str, Session] = {}
    for block in blocks:
        head, _, body = block.partition("\n")
        comment, *commands = _COMMAND.split(body)
        steps = [
            Step(command, expected.rstrip("\n")) for command, _, expected in (text.partition("\n") for text in commands)
        ]
        name = head.removeprefix("case ")
        if not steps or name in cases or (head == "given") is not (not comment.startswith("# ")):
            raise ValueError(f"{path.name}: {name}: a case needs a name that no other has, a sentence and commands")
        if head == "given":
            given = steps
        else:
            cases[name] = Session(given, steps)
    return cases


@contextmanager
def surroundings(file: str) -> Iterator[Perform]:
    """Let the sessions of *file* run with threads and without what is remembered; those of `fetch` on a certain day,
    with a server, and with pauses that take no time."""
    with pytest.MonkeyPatch.context() as patch, TemporaryDirectory() as home, in_threads():
        patch.setenv("JMJP_HOME", home)
        if file != "fetch":
            yield perform
            return
        patch.setattr(state, "today", lambda: date(2021, 11, 1))
        patch.setenv("NO_PROXY", "*")
        with hurried(), serving() as server:
            patch.setenv("JMJP_BASE_URL", server.url)
            yield partial(perform, server=server)


def run(session: Session, perform: Perform) -> Iterator[tuple[Step, str]]:
    """Run a session in the current directory; yield each of its steps with the lines it gives."""
    for step in session.given:
        assert not (output := perform(step.command, {})), output
    before = snapshot()
    for step in session.steps:
        try:
            actual = perform(step.command, before)
        except Exception as error:
            error.add_note(f"$ {step.command}")
            raise
        yield step, actual


def fits(step: Step, actual: str) -> bool:
    """Return whether the lines of a step are those expected: `…` stands for anything in a line, and alone for lines."""
    expected = step.expected
    if os.sep == "\\":
        expected, actual = expected.replace(os.sep, "/"), actual.replace(os.sep, "/")
    lines = [
        ".*" if line == _LEFT_OUT else ".*".join(map(re.escape, line.split(_LEFT_OUT))) for line in expected.split("\n")
    ]
    pattern = "\n".join(f"(?s:{line})" if line == ".*" else line for line in lines)
    return re.fullmatch(pattern, actual) is not None


def perform(command: str, before: dict[str, bytes], server: TenhouServer | None = None) -> str:
    """Run one *command* and return what it writes, as in a session file.

    :param before: the files that were there after `given`, and their contents.
    :param server: the server of the sessions of `fetch`.
    """
    word, _, rest = command.partition(" ")
    if word == "jmjp":
        return _jmjp(shlex.split(rest))
    if word in ("edit", "write"):
        name, _, text = rest.partition(" ")
        path = Path(name)
        block, bases = (["it"], [text]) if word == "edit" else ([], [f"| {text}\\"])
        path.write_bytes(content(Block(name, block, bases), {"it": path.read_bytes()} if word == "edit" else {}))
        return ""
    if server is not None and word in ("requests", "serve"):
        return "\n".join(server.paths) if word == "requests" else _serve(server, *shlex.split(rest))
    if word in _FAULTS:
        how, _, inner = rest.partition(": ")
        return _FAULTS[word](lambda other: perform(other, before, server), inner, *how.split(" ", 1))
    if word == "changes":
        return "\n".join(_changes(before, snapshot()))
    output = _COMMANDS[word](*shlex.split(rest))
    return output if isinstance(output, str) else ""


def snapshot(folder: str = ".") -> dict[str, bytes]:
    """Return the files below a folder and their contents, and the empty folders."""
    files: dict[str, bytes] = {}
    for path in sorted(Path(folder).rglob("*")):
        name = path.relative_to(folder).as_posix()
        if path.is_file():
            files[name] = path.read_bytes()
        elif not any(path.iterdir()):
            files[f"{name}/"] = b""
    return files


def _changes(before: dict[str, bytes], after: dict[str, bytes]) -> Iterator[str]:
    for name in sorted(before.keys() | after.keys()):
        if name not in after:
            yield f"{name} is gone"
        elif name not in before:
            yield name
        elif before[name] != after[name]:
            yield f"{name} is changed"


def _jmjp(args: list[str]) -> str:
    """Return what `jmjp` writes: stdout, unless it goes to a file, stderr after `! `, and an exit code other than 0."""
    given, target = b"", None
    while len(args) > 1 and args[-2] in ("<", ">"):
        *args, direction, name = args
        if direction == ">":
            target = name
        else:
            given = Path(name).read_bytes()
    result = CliRunner(env={"COLUMNS": "80"}).invoke(main, args, input=given)
    if target is not None:
        Path(target).write_bytes(result.stdout_bytes)
    lines = [] if target is not None or not result.stdout else [result.stdout.rstrip("\n")]
    lines += [f"! {line}" for line in result.stderr.splitlines()]
    return "\n".join([*lines, f"[{result.exit_code}]"] if result.exit_code else lines)


def _serve(server: TenhouServer, path: str, *answers: str) -> str:
    """Let the server answer at *path*, or with the log of that ID: a status, or a file, compressed after `gzip=`."""
    made = []
    for answer in answers:
        packed, _, name = answer.rpartition("=")
        made.append(status(int(name)) if name.isdecimal() else (encoded if packed else body)(_file(name).read_bytes()))
    server.put(path if path.startswith("/") else LOG_PATH + path, *made)
    return ""


def _file(name: str) -> Path:
    """Return the file *name* here, or else in the fixtures."""
    return Path(name) if Path(name).exists() else FIXTURES / name


def _copy(*names: str) -> None:
    *sources, target = names
    for source in sources:
        shutil.copy(_file(source), target)


def _make(*names: str) -> None:
    for name in names:
        Path(name).mkdir(parents=True)


def _show(name: str) -> str:
    return Path(name).read_text(encoding="utf-8").rstrip("\n")


def _remove(pattern: str) -> None:
    for path in [Path(pattern)] if Path(pattern).exists() else [*Path().glob(pattern)]:
        if path.is_dir() and not path.is_symlink():
            shutil.rmtree(path)
        else:
            path.unlink()


def _compare(*names: str) -> str:
    first, *others = (outputs(name) if Path(name).is_dir() else _file(name).read_bytes() for name in names)
    return "" if all(content == first for content in others) else "they differ"


def _link(target: str, name: str) -> None:
    if os.name != "posix":
        pytest.skip("POSIX only")
    Path(name).symlink_to(Path(target).absolute())


def _sql(name: str, query: str) -> str:
    with closing(sqlite3.connect(name)) as connection, connection:
        return "\n".join(map(str, connection.execute(query).fetchall()))


def _zero(name: str, offset: str, size: str) -> None:
    with Path(name).open("r+b") as file:
        file.seek(int(offset))
        file.write(bytes(int(size)))


def _flip(name: str, offset: str) -> None:
    """Change a byte as a disk does, without a trace in the time of the file."""
    times = Path(name).stat()
    content = bytearray(Path(name).read_bytes())
    content[int(offset)] ^= 1
    Path(name).write_bytes(content)
    os.utime(name, ns=(times.st_atime_ns, times.st_mtime_ns))


def _summary(home: str) -> str:
    """Return what a batch counted, without what is zero and without its times."""
    counts = json.loads(Path(home, "summary.json").read_text(encoding="utf-8"))
    return json.dumps({name: value for name, value in counts.items() if value and "second" not in name})


def _zip(*names: str) -> None:
    stored = names[0] == "-0"
    target, *members = names[stored:]
    pairs = ((name, source or name) for name, _, source in (member.partition("=") for member in members))
    method = zipfile.ZIP_STORED if stored else zipfile.ZIP_DEFLATED
    zipped({name: _file(source).read_bytes() for name, source in pairs}, Path(target), method)


def _games(number: str, target: str = "games.zip") -> None:
    Path(target).parent.mkdir(exist_ok=True)
    zipped({f"{game(index)}.mjlog": named(index) for index in range(int(number))}, Path(target))


_COMMANDS: dict[str, Callable[..., object]] = {
    "cat": _show,
    "cmp": _compare,
    "cp": _copy,
    "cut": lambda name, size: Path(name).write_bytes(Path(name).read_bytes()[: int(size)]),
    "flip": _flip,
    "game": lambda number, target: Path(target).write_bytes(named(int(number))),
    "games": _games,
    "grep": lambda text, name: "\n".join(line for line in _show(name).splitlines() if text in line),
    "gzip": lambda source, target: Path(target).write_bytes(gzip.compress(_file(source).read_bytes())),
    "ln": _link,
    "ls": lambda name: "\n".join(snapshot(name)),
    "mkdir": _make,
    "mv": lambda source, target: Path(source).rename(target),
    "rm": _remove,
    "sql": _sql,
    "summary": _summary,
    "touch": lambda name: os.utime(name, (0, 0)),
    "touched": lambda name: str(Path(name).stat().st_mtime == 0),
    "unzip": lambda source, target: zipfile.ZipFile(source).extractall(target),
    "year": lambda number: year(int(number)) and None,
    "zero": _zero,
    "zip": _zip,
}


# --- faults -----------------------------------------------------------------------------------------------------------


Run = Callable[[str], str]
"""Runs a command and returns what it writes."""


@contextmanager
def instead_of(step: str, call: Callable[..., object]) -> Iterator[None]:
    """Let *call* be called instead of a *step* of the program: with the step itself, and its arguments."""
    owner, _, name = step.rpartition(".")
    place = resolve_name(owner if owner == "os" else f"jmjp_convert.{owner}")
    with pytest.MonkeyPatch.context() as patch:
        genuine = getattr(place, name)
        patch.setattr(place, name, lambda *args, **options: call(genuine, *args, **options))
        yield


def _killed(run: Run, command: str, steps: str) -> str:
    """Run a command that is killed at one of the *steps*, separated by commas."""

    def kill(*_: object, **__: object) -> None:
        raise PowerCut

    with ExitStack() as stack:
        for step in steps.split(","):
            stack.enter_context(instead_of(step, kill))
        with suppress(PowerCut, AssertionError):  # a command that is interrupted asserts that it has ended in order
            return f"not killed: {run(command)}"
    return ""


def _interrupted(run: Run, command: str, step: str, after: str = "0") -> str:
    """Run a command that is interrupted by Ctrl-C when a *step* is called once more than *after* times."""
    left = int(after)

    def call(genuine: Callable[..., object], *args: object, **options: object) -> object:
        nonlocal left
        left -= 1
        if left < 0:
            raise KeyboardInterrupt
        return genuine(*args, **options)

    with instead_of(step, call):
        return run(command)


def _failing(run: Run, command: str, step: str, how: str) -> str:
    """Run a command in which a *step* fails: with a number of the system, if an argument is like a pattern."""
    number, pattern, *after = how.split(" ")

    def fail(genuine: Callable[..., object], *args: object, **options: object) -> object:
        if any(fnmatchcase(str(arg), pattern) for arg in args):
            if after:
                genuine(*args, **options)
            raise OSError(getattr(errno, number), os.strerror(getattr(errno, number)))
        return genuine(*args, **options)

    with instead_of(step, fail):
        return run(command)


def _meanwhile(run: Run, command: str, step: str, other: str) -> str:
    """Run a command, and another one before a *step* is called for the first time."""
    left = [other]

    def call(genuine: Callable[..., object], *args: object, **options: object) -> object:
        if left:
            assert not run(left.pop())
        return genuine(*args, **options)

    with instead_of(step, call):
        return run(command)


def _with(run: Run, command: str, name: str, value: str) -> str:
    """Run a command with another value for a constant of the program."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(f"jmjp_convert.{name}", json.loads(value))
        return run(command)


def _day(run: Run, command: str, number: str) -> str:
    """Run a command of `fetch` on a day of November 2021."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(state, "today", lambda: date(2021, 11, int(number)))
        return run(command)


_FAULTS: dict[str, Callable[..., str]] = {
    "day": _day,
    "failing": _failing,
    "interrupted": _interrupted,
    "killed": _killed,
    "meanwhile": _meanwhile,
    "with": _with,
}
