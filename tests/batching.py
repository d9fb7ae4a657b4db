"""Run `jmjp batch` in a temporary folder."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
import zipfile
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager, suppress
from functools import cache
from hashlib import sha256
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result
from packing import BROKEN, HOUOU_2, SHORT, database, game, named, packed, tarred, zipped

from jmjp_convert.batch.executor import Workers
from jmjp_convert.cli import main
from jmjp_convert.cli import running as command
from jmjp_convert.formats.jmjp.writer import write_jmjp
from jmjp_convert.formats.mjlog.reader import read_mjlog

ENDED = (130, -signal.SIGINT)
"""The exit codes of a process ended by Ctrl-C: its own, or the signal's if it was exiting; both are 130 in a shell."""

PATIENCE = 300
"""Seconds until something that takes a moment, also on a busy machine, is taken for never."""

SIGNALLED = """if True:
    import os, signal, sys
    from jmjp_convert import __main__
    from jmjp_convert.batch import executor, run
    from jmjp_convert.cli import running, signals

    def signalled(step, *numbers):
        left = list(numbers)

        def call(*args):
            if left and (number := left.pop(0)):
                os.kill(os.getpid() if number == signal.SIGSTOP else 0, number)
            return step(*args)

        return call

    run._SECONDS_BETWEEN_COMMITS = 0
    signals._GRACE = 60
    for owner, step, *numbers in {moments}:
        owner = eval(owner)
        setattr(owner, step, signalled(getattr(owner, step), *numbers))
    __main__.run()
"""
"""`jmjp` with a commit for each chunk, and enough time to finish the work in progress. Its group gets a signal when a
certain function is called for the nth time."""

COMMIT, SUBMIT = ("run.Batch", "_commit"), ("executor._Processes", "submit")
ABANDON = ("executor", "_abandon")

posix = pytest.mark.skipif(os.name != "posix", reason="POSIX only")
heard = pytest.mark.usefixtures("heard_signals")
forms = pytest.mark.parametrize("form", [[], ["--zip"]], ids=["directory", "zip"])


@contextmanager
def in_threads() -> Iterator[None]:
    """Let workers be threads: other processes would take longer to start than to do their work."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(command, "processes", lambda number: Workers(number, lambda: ThreadPoolExecutor(number)))
        yield


@pytest.fixture(autouse=True)
def work_there(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Work in an empty directory, with threads."""
    monkeypatch.chdir(tmp_path)
    with in_threads():
        yield


def home(form: list[str]) -> str:
    """Return the directory of the ledger."""
    return "out.batch" if form else "out"


def batch(*args: str, given: bytes = b"", code: int = 0) -> Result:
    """Return the result of `jmjp batch` with *args* and *given* on stdin, after checking its exit *code*."""
    result = CliRunner().invoke(main, ["batch", *args], input=given)
    assert result.exit_code == code, result.output
    assert result.stdout == ""
    return result


def verify(output: str, code: int = 0) -> Result:
    """Return the result of `jmjp verify` for *output*, after checking its exit *code*."""
    result = CliRunner().invoke(main, ["verify", output])
    assert result.exit_code == code, result.output
    assert result.stdout == ""
    return result


def process(*args: str, moments: Sequence[tuple[str | int, ...]] = ()) -> subprocess.Popen[bytes]:
    """Start `jmjp batch` with *args* as a process that forms a group with its workers, as in a terminal.

    :param moments: functions of the program, each by its owner and its name, and the signals to send to the group
        before the first call, the second, and so on: 0 for none. SIGSTOP goes to the main process only.
    """
    program = ["-c", SIGNALLED.format(moments=json.dumps(moments))] if moments else ["-m", "jmjp_convert"]
    start = [sys.executable, *program, "batch", *args]
    return subprocess.Popen(start, stdout=subprocess.PIPE, stderr=subprocess.PIPE, start_new_session=True)


@contextmanager
def dask_cluster() -> Iterator[Any]:
    """Run a Dask cluster of two worker processes, on free ports; skip the test without the package for it."""
    distributed = pytest.importorskip("distributed", reason="pip install '.[cluster]' in the checkout")
    with distributed.LocalCluster(
        n_workers=2, threads_per_worker=1, processes=True, dashboard_address=":0", silence_logs=50
    ) as cluster:
        yield cluster


def summary(home: str = "out") -> dict[str, Any]:
    """Return the summary of the last run, without its times."""
    content: dict[str, Any] = json.loads(Path(home, "summary.json").read_text(encoding="utf-8"))
    assert content.pop("seconds") >= 0
    assert content.pop("games_per_second") >= 0
    return content


def counted(**values: Any) -> dict[str, Any]:
    """Return a summary of only these *values*."""
    nothing: dict[str, Any] = {
        "converted": 0,
        "with_problems": 0,
        "already_there": 0,
        "lost": 0,
        "renamed": 0,
        "skipped": {},
        "failed": {},
    }
    return {**nothing, "interrupted": False, "stopped": None, **values}


def failures(home: str = "out") -> list[dict[str, Any]]:
    """Return the failures of the last run."""
    return [json.loads(line) for line in Path(home, "failures.jsonl").read_text(encoding="utf-8").splitlines()]


def outputs(home: str = "out") -> dict[str, bytes]:
    """Return the contents of the output by name: the games, and any unfinished files left behind."""
    if Path(home).is_file():
        with zipfile.ZipFile(home) as archive:
            assert archive.testzip() is None
            return {name: archive.read(name) for name in archive.namelist()}
    files = {path.relative_to(home).as_posix(): path for path in Path(home).rglob("*") if path.is_file()}
    for name in ("failures.jsonl", "summary.json", "ledger.sqlite"):
        files.pop(name, None)
    return {name: path.read_bytes() for name, path in files.items()}


def expected(content: bytes, log_id: str, **options: Any) -> bytes:
    """Return the output for a game with an ID."""
    return write_jmjp(read_mjlog(content, file_name=log_id), **options).encode()


def games(number: int, path: str = "games.zip") -> dict[str, bytes]:
    """Write an archive of games, and return the expected outputs."""
    members = {f"{game(index)}.mjlog": named(index, SHORT) for index in range(number)}
    Path(path).parent.mkdir(exist_ok=True)
    zipped(members, Path(path), zipfile.ZIP_STORED)
    return {f"2019/04/{game(index)}.jmjp": converted(index) for index in range(number)}


@cache
def converted(number: int) -> bytes:
    """Return the output for a game of such an archive."""
    return expected(named(number, SHORT), game(number))


def wait_until(condition: Callable[[], bool]) -> None:
    """Wait until *condition* holds."""
    end = time.monotonic() + PATIENCE
    while not condition():
        assert time.monotonic() < end
        time.sleep(0.005)


def wait_until_stopped(running: subprocess.Popen[bytes]) -> None:
    """Wait until the process *running* has stopped itself by SIGSTOP."""
    status = 0

    def has_changed() -> bool:
        nonlocal status
        pid, status = os.waitpid(running.pid, os.WUNTRACED | os.WNOHANG)
        return pid != 0

    wait_until(has_changed)
    assert os.WIFSTOPPED(status)


def is_over(group: int) -> bool:
    """Return whether no process of *group* is running, as far as the system lists processes."""
    for listed in Path("/proc").glob("[0-9]*/stat"):
        with suppress(OSError):  # it has ended
            state, _, its_group, *_ = listed.read_text("utf-8", "replace").rpartition(")")[2].split()
            if int(its_group) == group and state != "Z":
                return False
    return True


def same_ids() -> dict[str, bytes]:
    """Write sources that repeat an ID, and return the expected outputs."""
    Path("1").mkdir()
    Path("1", f"{game(1)}.xml").write_bytes(BROKEN)  # cannot keep the name
    Path("1", f"{game(1)}&tw=1.mjlog").write_bytes(packed(named(1)))
    zipped({f"{game(1)}.xml": named(1), f"b/{game(1)}.xml": named(2), f"{game(2)}": named(5)}, Path("2"))
    database(Path("3"), HOUOU_2, {game(1): packed(named(3)), game(2): packed(named(5))})
    tarred({f"{game(1)}": named(2)}, Path("4"))
    digest = {number: sha256(named(number)).hexdigest()[:8] for number in (2, 3)}
    return {
        f"2019/04/{game(1)}.jmjp": expected(named(1), game(1)),
        f"2019/04/{game(1)}~{digest[2]}.jmjp": expected(named(2), game(1)),
        f"2019/04/{game(1)}~{digest[3]}.jmjp": expected(named(3), game(1)),
        f"2019/04/{game(2)}.jmjp": expected(named(5), game(2)),
    }


class PowerCut(BaseException):
    """The power has failed: nothing more is done."""


@contextmanager
def power_cut(owner: object, step: str, after: int) -> Iterator[None]:
    """Let the power fail when *step* of *owner*, a class or module, is called once more than *after* times.

    The commands that it interrupts assert that they have ended in order; that is passed over.
    """
    genuine, left = getattr(owner, step), after

    def call(*args: object, **options: object) -> object:
        nonlocal left
        left -= 1
        if left < 0:
            raise PowerCut
        return genuine(*args, **options)

    with pytest.MonkeyPatch.context() as patch, suppress(PowerCut, AssertionError):
        patch.setattr(owner, step, call)
        yield
