"""Workers: whatever happens to one, nothing is lost and nothing is done twice."""

from __future__ import annotations

import gc
import os
import pickle
import signal
import subprocess
import sys
import threading
import time
import zipfile
from collections.abc import Iterator
from concurrent.futures import BrokenExecutor, Executor, Future, ThreadPoolExecutor
from functools import partial
from hashlib import sha256
from pathlib import Path
from typing import Any

import pytest
from batching import dask_cluster
from click.testing import CliRunner
from packing import game, named, zipped

from jmjp_convert.batch.executor import Crew, Workers, processes
from jmjp_convert.batch.recipe import Conversion
from jmjp_convert.batch.worker import (
    CONVERTED,
    DIED,
    FAILED,
    Failure,
    Item,
    Outcome,
    OutputError,
    Settings,
    convert_chunk,
)
from jmjp_convert.cli import main
from jmjp_convert.convert import Writing
from jmjp_convert.errors import ConvertError
from jmjp_convert.files.archives.entry import InMemory
from jmjp_convert.formats.reading import Reading


def chunk(*numbers: int) -> tuple[Item, ...]:
    """Return a chunk of games."""
    return tuple(Item(InMemory(named(number)), "", ()) for number in numbers)


def crew_of(workers: Workers, folder: Path) -> Crew[Item, Outcome]:
    """Return a crew that converts games into *folder*."""
    settings = Settings(
        str(folder), str(folder), recipe=Conversion(Writing(verify=False)), reading=Reading(max_size=1 << 20)
    )
    return Crew(workers, partial(convert_chunk, settings), DIED)


class Fragile(Executor):
    """An executor that breaks for good on a certain content."""

    def __init__(self, content: bytes, log: list[int]) -> None:
        self._content = content
        self._log = log
        self._broken = False

    def submit(self, function: Any, /, *args: Any, **_: Any) -> Future[Any]:
        """Run the call at once."""
        if self._broken:
            raise BrokenExecutor
        future: Future[Any] = Future()
        (items,) = args
        self._log.append(len(items))
        if any(item.fetch.content == self._content for item in items):
            self._broken = True
            future.set_exception(BrokenExecutor())
        else:
            future.set_result(function(items))
        return future


def test_poison(tmp_path: Path) -> None:
    """An input that crashes workers fails; the rest of its chunk is converted, in order."""
    made: list[int] = []
    workers = Workers(2, lambda: Fragile(named(5), made))
    chunks = [chunk(*range(first, first + 3)) for first in range(0, 12, 3)]
    with crew_of(workers, tmp_path) as crew:
        outcomes = [outcome for part in crew.outcomes(chunks) for outcome in part]
    states = [outcome.state for outcome in outcomes]
    assert states == [CONVERTED] * 5 + [FAILED] + [CONVERTED] * 6
    assert outcomes[5].failure == Failure("crash", "the worker crashed while converting it")
    assert len(list(tmp_path.iterdir())) == 11


def test_bounded(tmp_path: Path) -> None:
    """Only a few chunks are taken before their results are requested."""
    taken = 0

    def chunks() -> Iterator[tuple[Item, ...]]:
        nonlocal taken
        for number in range(100):
            taken += 1
            yield chunk(number)

    with crew_of(Workers(2, lambda: ThreadPoolExecutor(2)), tmp_path) as crew:
        results = crew.outcomes(chunks())
        for number in range(50):
            next(results)
            assert taken <= number + 6
        results.close()  # type: ignore[attr-defined]


def test_output_that_cannot_be_written(tmp_path: Path) -> None:
    """An output that cannot be written ends the run."""
    crew = crew_of(Workers(1, lambda: ThreadPoolExecutor(1)), tmp_path / "none" / "none")
    with crew, pytest.raises(OutputError, match="no such"):
        list(crew.outcomes([chunk(1)]))


def test_errors_travel() -> None:
    """An error from another process keeps its message."""
    error = pickle.loads(pickle.dumps(OutputError("full")))  # noqa: S301 - our own
    assert isinstance(error, OutputError)
    assert str(error) == "full"


def test_garbage() -> None:
    """A worker collects garbage rarely."""
    with processes(1).make() as executor:
        assert executor.submit(gc.get_threshold).result()[0] > 10_000


@pytest.mark.skipif(os.name != "posix", reason="signals")
def test_worker_killed(tmp_path: Path) -> None:
    """A killed worker process is replaced, and its work is done again."""
    chunks = [chunk(*range(first, first + 50)) for first in range(0, 600, 50)]
    killed = False
    with crew_of(processes(2), tmp_path) as crew:
        outcomes = []
        for part in crew.outcomes(chunks):
            outcomes += part
            if not killed:
                killed = True
                os.kill(next(iter(crew._executor._processes)), signal.SIGKILL)  # type: ignore[attr-defined] # noqa: SLF001
    assert [outcome.state for outcome in outcomes] == [CONVERTED] * 600
    names = [outcome.staged.name for outcome in outcomes if outcome.staged]
    assert len(set(names)) == 600
    assert all((tmp_path / name).is_file() for name in names)


ABANDONED = """\
from jmjp_convert.batch.executor import Crew, processes

def work(chunk):
    return [bytes(30_000_000) for _ in chunk]

if __name__ == "__main__":
    with Crew(processes(2), work, b"") as crew:
        next(crew.outcomes([number] for number in range(100)))
        raise SystemExit(143)
"""


def test_abandoned(tmp_path: Path) -> None:
    """Workers that are ended while they send an outcome leave nothing to wait for."""
    script = tmp_path / "abandoned.py"
    script.write_text(ABANDONED, encoding="utf-8")
    done = subprocess.run([sys.executable, script], capture_output=True, check=False, timeout=60)
    assert (done.returncode, done.stdout, done.stderr) == (143, b"", b"")


def test_ended(tmp_path: Path) -> None:
    """At its end a crew leaves no thread behind: Python may write a traceback if it exits while one ends."""
    before = set(threading.enumerate())
    with crew_of(processes(2), tmp_path) as crew:
        assert len(list(crew.outcomes([chunk(1), chunk(2)]))) == 2
    assert set(threading.enumerate()) <= before


def test_no_cluster() -> None:
    """An unreachable scheduler is reported, and so is a missing Dask."""
    pytest.importorskip("distributed")
    from jmjp_convert.batch.executor import cluster

    with pytest.raises(ConvertError, match="cannot reach a Dask scheduler at nonsense"), cluster("nonsense://x"):
        pass


def test_cluster(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """On a Dask cluster of two worker processes, one of which is killed, nothing is lost, and nothing is converted
    twice."""
    members = {f"{game(number)}.mjlog": named(number) for number in range(400)}
    members |= {f"again/{name}": content for name, content in list(members.items())[:40]}
    zipped(members, tmp_path / "games.zip", zipfile.ZIP_STORED)
    monkeypatch.chdir(tmp_path)
    with dask_cluster() as cluster:
        victim = next(iter(cluster.workers.values())).pid
        killed: list[int] = []

        def kill() -> None:
            end = time.monotonic() + 20
            while time.monotonic() < end and len(list(tmp_path.glob("out/2019/04/*"))) < 40:
                time.sleep(0.005)
            os.kill(victim, signal.SIGKILL)
            killed.append(victim)

        thread = threading.Thread(target=kill)
        thread.start()
        args = ["batch", "games.zip", "-o", "out", "--dask", cluster.scheduler_address, "--no-verify"]
        result = CliRunner().invoke(main, args)
        thread.join()
    assert killed
    assert result.exit_code == 0, result.output
    assert "400 converted, 0 already there, 40 skipped (40 copies), 0 failed" in result.stderr
    there = sorted(path.name for path in tmp_path.glob("out/2019/04/*"))
    assert there == sorted(f"{game(number)}.jmjp" for number in range(400))
    alone = tmp_path / "alone"
    monkeypatch.setattr(
        "jmjp_convert.cli.running.processes", lambda number: Workers(number, lambda: ThreadPoolExecutor(1))
    )
    assert CliRunner().invoke(main, ["batch", "games.zip", "-o", str(alone), "--no-verify"]).exit_code == 0
    for name in there:
        assert (tmp_path / "out/2019/04" / name).read_bytes() == (alone / "2019/04" / name).read_bytes()


def test_work_is_a_function(tmp_path: Path) -> None:
    """The unit of work, its input and its result can be pickled."""
    import pickle

    crew = crew_of(processes(1), tmp_path)
    sent = pickle.loads(pickle.dumps((crew._work, chunk(1))))  # noqa: S301, SLF001 - our own
    (outcome,) = sent[0](sent[1])
    assert pickle.loads(pickle.dumps(outcome)) == outcome  # noqa: S301 - as above
    staged = outcome.staged
    content = (tmp_path / staged.name).read_bytes()
    assert (len(content), sha256(content).digest()) == (staged.size, staged.sha256)
