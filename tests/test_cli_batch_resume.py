"""`jmjp batch` run again, killed, interrupted, cut off by a power cut, or out of disk space: what the ledger claims is
on disk. Sessions have the rest."""

from __future__ import annotations

import errno
import io
import os
import signal
import sqlite3
import subprocess
import sys
import zipfile
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from pathlib import Path

import pytest
from batching import (
    ABANDON,
    COMMIT,
    ENDED,
    PATIENCE,
    SUBMIT,
    batch,
    counted,
    forms,
    games,
    heard,
    home,
    is_over,
    outputs,
    posix,
    power_cut,
    process,
    same_ids,
    summary,
    verify,
    wait_until,
    wait_until_stopped,
    work_there,  # noqa: F401 - pytest finds it by its name
)
from packing import BROKEN, game, named, zipped

from jmjp_convert.batch import worker as work
from jmjp_convert.batch.destination import Folder, InTheWayError
from jmjp_convert.batch.executor import Workers
from jmjp_convert.batch.ledger import Ledger
from jmjp_convert.batch.run import _ITEMS_PER_CHUNK as CHUNK
from jmjp_convert.batch.worker import Staged
from jmjp_convert.batch.zip_output import Zip
from jmjp_convert.cli import running as command
from jmjp_convert.files import durability

# --- runs after a run -------------------------------------------------------------------------------------------------


def test_deleted_output() -> None:
    """A deleted output is made again."""
    every = same_ids()
    batch("1", "2", "3", "4", "-o", "out", code=1)
    for name in list(every):
        Path("out", name).unlink()
        batch("1", "2", "3", "4", "-o", "out", code=1)
        assert outputs() == every
    batch("2", "-o", "z", "--zip")
    Path("z").unlink()
    batch("2", "-o", "z", "--zip")
    assert len(outputs("z")) == 3


def test_same_bytes() -> None:
    """A zip has the same bytes for any number of workers and interruptions."""
    games(60)
    batch("games.zip", "-o", "one", "--zip", "-j", "1")
    batch("games.zip", "-o", "many", "--zip", "-j", "5")
    for limit in ("40", "8", "200"):
        batch("games.zip", "-o", "bits", "--zip", "--limit", limit)
    assert Path("one").read_bytes() == Path("many").read_bytes() == Path("bits").read_bytes()
    assert list(outputs("one")) == sorted(outputs("one"))


def test_zip64(monkeypatch: pytest.MonkeyPatch) -> None:
    """A zip beyond the limits of the original format is a zip64."""
    monkeypatch.setattr("jmjp_convert.batch.zip_output._MOST", 10)
    monkeypatch.setattr("jmjp_convert.batch.zip_output.IN_EXTRA", 5000)
    every = games(20)
    batch("games.zip", "-o", "out", "--zip")
    content = Path("out").read_bytes()
    assert b"PK\x06\x06" in content
    # A reader expects the markers for "see the zip64 fields" in the old fields, not the limits of this test.
    content = content[:-22] + b"PK\x05\x06" + bytes(4) + b"\xff" * 12 + bytes(2)
    central = content.index(b"PK\x01\x02")
    content = content[:central] + content[central:].replace((5000).to_bytes(4, "little"), b"\xff" * 4)
    with zipfile.ZipFile(io.BytesIO(content)) as archive:
        assert {name: archive.read(name) for name in archive.namelist()} == every


@posix
@pytest.mark.parametrize("form", [[], ["--zip"]])
def test_killed(form: list[str]) -> None:
    """A killed run leaves only whole files and no worker, and nothing that looks like its result; the next run converts
    the rest."""
    every = games(300)
    Path("bad.xml").write_bytes(BROKEN)
    batch("bad.xml", "-o", "out", *form, code=1)
    home = "out.batch" if form else "out"
    assert Path(home, "failures.jsonl").stat().st_size
    before = Path("out").read_bytes() if form else b""
    stopped = (*COMMIT, 0, 0, 0, signal.SIGSTOP)
    with process("games.zip", "-o", "out", "-j", "2", *form, moments=[stopped]) as running:
        wait_until_stopped(running)
        running.kill()
        running.communicate(timeout=PATIENCE)
    wait_until(lambda: is_over(running.pid))
    assert summary(home) == counted(interrupted=True)
    assert not Path(home, "failures.jsonl").exists()
    if form:
        assert Path("out").read_bytes() == before
    else:
        written = {name: content for name, content in outputs().items() if not name.startswith((".", "ledger"))}
        assert len(written) == 3 * CHUNK
        assert written.items() <= every.items()
    batch("games.zip", "-o", "out", *form, "--no-verify")
    assert outputs() == every
    assert not summary("out.batch" if form else "out")["failed"]
    if form:
        batch("games.zip", "-o", "whole", "--zip", "--no-verify")
        assert Path("out").read_bytes() == Path("whole").read_bytes()


@posix
def test_interrupted() -> None:
    """Ctrl-C ends a run cleanly: work in progress is finished, and the summary is written."""
    every = games(300)
    with process("games.zip", "-o", "out", "-j", "2", moments=[(*COMMIT, 0, signal.SIGINT)]) as running:
        _, said = running.communicate(timeout=PATIENCE)
    assert running.returncode == 130, said
    lines = said.decode().splitlines()
    assert lines[0] == "finishing work in progress; press Ctrl-C again to stop at once"
    assert "already there" in lines[1]
    counts = summary()
    assert lines[-1] == f"interrupted after {counts['converted']} games; run the same command again to continue"
    assert counts["interrupted"] is True
    assert outputs().items() <= every.items()
    assert 2 * CHUNK <= len(outputs()) == counts["converted"] < 300


@posix
@heard
@pytest.mark.parametrize("name", ["SIGTERM", pytest.param("SIGHUP", marks=pytest.mark.long)])
def test_ended_by_signals(name: str) -> None:
    """Other termination signals end a run like Ctrl-C, even if repeated; finished work is not done again."""
    games(300)
    number = getattr(signal, name)
    with process("games.zip", "-o", "out", "-j", "2", moments=[(*COMMIT, 0, number, number)]) as running:
        _, said = running.communicate(timeout=PATIENCE)
    assert running.returncode == 128 + number, said
    counts = summary()
    last = f"interrupted after {counts['converted']} games; run the same command again to continue"
    assert said.decode().splitlines()[-1] == last
    assert counts["interrupted"] is True
    assert 2 * CHUNK <= len(outputs()) == counts["converted"] < 300
    batch("games.zip", "-o", "out", "--no-verify")
    assert summary()["already_there"] == counts["converted"]


@posix
def test_interrupted_again() -> None:
    """A second Ctrl-C ends a run at once, a third changes nothing; the summary and the last line say so, no worker is
    left, and the next run continues."""
    every = games(300)
    batch("games.zip", "-o", "out", "--limit", "1")
    moments = [(*COMMIT, 0, signal.SIGINT, signal.SIGINT), (*ABANDON, signal.SIGINT)]
    with process("games.zip", "-o", "out", "-j", "2", moments=moments) as running:
        _, said = running.communicate(timeout=PATIENCE)
    assert running.returncode in ENDED, said
    counts = summary()
    first, *_, last = said.decode().splitlines()
    assert first == "finishing work in progress; press Ctrl-C again to stop at once"
    done = counts["converted"] + counts["already_there"]
    assert last == f"interrupted after {done} games; run the same command again to continue"
    assert counts["interrupted"] is True
    wait_until(lambda: is_over(running.pid))
    assert len(outputs()) < 300
    batch("games.zip", "-o", "out", "--no-verify")
    assert outputs() == every


@posix
@pytest.mark.parametrize("number", [1, 2])
def test_interrupted_early(number: int) -> None:
    """Ctrl-C while the workers are starting does not disturb them."""
    games(300)
    signals = [signal.SIGINT] * number
    with process("games.zip", "-o", "out", "-j", "2", moments=[(*SUBMIT, 0, *signals)]) as running:
        _, said = running.communicate(timeout=PATIENCE)
    assert running.returncode in ENDED, said
    assert b"Traceback" not in said


def test_processes() -> None:
    """Worker processes give the same result as threads."""
    every = games(300)
    with process("games.zip", "-o", "out") as running:
        _, said = running.communicate()
    assert running.returncode == 0, said
    assert outputs() == every


# --- errors -----------------------------------------------------------------------------------------------------------


def test_two_at_once() -> None:
    """A second run into the same output at the same time is rejected, and changes nothing."""
    games(3)
    batch("games.zip", "-o", "out")
    with closing(sqlite3.connect("out/ledger.sqlite", isolation_level=None)) as other:
        other.execute("PRAGMA locking_mode = EXCLUSIVE")
        other.execute("BEGIN EXCLUSIVE")
        for more in ([], ["--force"], ["--dry-run"]):
            assert "another batch is writing to this output" in batch("games.zip", "-o", "out", *more, code=1).stderr
    assert len(outputs()) == 3


@pytest.mark.parametrize("form", [[], ["--zip"]])
def test_full_disk(form: list[str], monkeypatch: pytest.MonkeyPatch) -> None:
    """A full disk stops the run with a message; once there is space, the next run converts the rest."""
    every = games(100)
    left = 40 if not form else 3

    def full(path: str, content: bytes) -> None:
        nonlocal left
        left -= 1
        if left < 0:
            raise OSError(errno.ENOSPC, "No space left on device")
        Path(path).write_bytes(content)

    with monkeypatch.context() as patch:
        patch.setattr(work, "create", full)
        result = batch("games.zip", "-o", "out", *form, code=1)
    stopped = "out: no space left on device"
    assert f"error: stopped: {stopped}; run the same command again to continue\n" in result.stderr
    counts = summary("out.batch" if form else "out")
    assert counts["failed"] == {}
    assert counts["stopped"] == stopped
    batch("games.zip", "-o", "out", *form)
    assert outputs() == every


@posix
def test_full_disk_at_the_start() -> None:
    """A ledger that cannot be written stops the run in the same way."""
    games(3)
    limited = "import resource, sys; resource.setrlimit(resource.RLIMIT_FSIZE, (20_480, 20_480)); sys.argv[0] = 'jmjp'"
    code = f"{limited}; from jmjp_convert.cli import main; main(sys.argv[1:])"
    done = subprocess.run(
        [sys.executable, "-c", code, "batch", "games.zip", "-o", "out"], capture_output=True, check=False
    )
    assert done.returncode == 1
    stopped, *_ = done.stderr.decode().splitlines()
    assert (
        stopped
        == f"error: stopped: {Path('out/ledger.sqlite')}: disk I/O error; run the same command again to continue"
    )


# --- order ------------------------------------------------------------------------------------------------------------


@pytest.fixture
def calls(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Return the calls that put something on disk or at its place, in their order."""
    made: list[str] = []

    def record(owner: object, name: str, what: str) -> None:
        genuine = getattr(owner, name)

        def call(*args: object, **options: object) -> object:
            made.append(f"{what}{len(args[0]) if what == 'sync' else ''}")  # type: ignore[arg-type]
            return genuine(*args, **options)

        monkeypatch.setattr(owner, name, call)

    record(durability, "sync", "sync")
    record(durability, "sync_file", "file")
    record(durability, "replace", "replace")
    record(Ledger, "commit", "commit")
    record(Folder, "put", "put")
    monkeypatch.setattr("jmjp_convert.batch.run._SECONDS_BETWEEN_COMMITS", 0)
    monkeypatch.setattr("jmjp_convert.batch.run._ITEMS_PER_CHUNK", 5)
    return made


def test_order(calls: list[str]) -> None:
    """Outputs are synced, then recorded, and only then named; their names are synced before that is recorded."""
    games(10)
    batch("games.zip", "-o", "out", "-j", "1")
    begun = calls.index("sync5")
    several = ["sync5", "commit", *["put"] * 5]
    # A sync includes the names that were given since the last one; the very last is that of the summary.
    assert calls[begun:] == [*several, *several, "sync0", "commit", "commit", "replace", "file", "sync0"]


def test_order_of_a_zip(calls: list[str]) -> None:
    """Segments are synced before they are recorded, the zip before it gets its name, and that before the segments are
    forgotten."""
    games(10)
    batch("games.zip", "-o", "out", "-j", "1", "--zip")
    begun = calls.index("sync1")
    several = ["sync1", "file", "commit"]
    end = ["commit", "commit", "file", "commit", "replace", "file", "commit", "replace", "file", "sync0"]
    assert calls[begun:] == [*several, *several, *end]


def test_commits_are_rare(calls: list[str], monkeypatch: pytest.MonkeyPatch) -> None:
    """A commit waits for the disk: there is one per second, or for a number of outputs, not one per chunk."""
    games(100)
    monkeypatch.setattr("jmjp_convert.batch.run._SECONDS_BETWEEN_COMMITS", 1e9)
    monkeypatch.setattr("jmjp_convert.batch.run._OUTPUTS_PER_COMMIT", 50)
    batch("games.zip", "-o", "out", "-j", "1")
    # The first and last are of the summary.
    assert [call for call in calls if call.startswith("sync")] == ["sync0", "sync50", "sync50", "sync0", "sync0"]


def test_ledger_is_synced() -> None:
    """What is committed to a ledger is on disk, not only what was before it."""
    with closing(Ledger(Path("ledger.sqlite"))) as ledger:
        assert ledger.connection.execute("PRAGMA synchronous").fetchone() == (2,)


@forms
@pytest.mark.parametrize("step", ["commit", "put", "replace", "_finished"])
def test_ended_between(form: list[str], step: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Wherever a run ends, what it has recorded is there, and the next one completes it."""
    every = games(40)
    monkeypatch.setattr("jmjp_convert.batch.run._SECONDS_BETWEEN_COMMITS", 0)
    monkeypatch.setattr("jmjp_convert.batch.run._ITEMS_PER_CHUNK", 5)
    owner = {"commit": Ledger, "put": Folder, "replace": durability, "_finished": Zip}[step]
    for last in range(12):
        with power_cut(owner, step, last):
            batch("games.zip", "-o", "out", *form)
        if Path(home(form), "ledger.sqlite").exists() and (not form or Path("out").exists()):
            verify("out")
    batch("games.zip", "-o", "out", *form)
    assert outputs() == every
    assert not Path(home(form), ".staging").exists()


def test_cluster_syncs(monkeypatch: pytest.MonkeyPatch) -> None:
    """Workers that may be on other machines sync what they write themselves."""
    games(10)
    synced: list[int] = []
    monkeypatch.setattr("jmjp_convert.batch.worker.durability.sync", lambda files, *_: synced.append(len(files)))
    for elsewhere in (False, True):
        workers = Workers(1, lambda: ThreadPoolExecutor(1), elsewhere=elsewhere)
        monkeypatch.setattr(command, "processes", lambda _, workers=workers: workers)
        before = len(synced)
        batch("games.zip", "-o", f"out{elsewhere}")
        assert synced[before:].count(10) == 1 + elsewhere


# --- what stops a run, and what does not ------------------------------------------------------------------------------


def test_staged_zip_is_on_disk_before_it_is_recorded(monkeypatch: pytest.MonkeyPatch) -> None:
    """The name of the staged zip is on disk before the ledger says so."""
    games(1)
    synced: list[object] = []
    genuine = durability.sync_folders

    def record(paths: list[Path]) -> None:
        synced.extend(paths)
        genuine(paths)

    monkeypatch.setattr(durability, "sync_folders", record)
    batch("games.zip", "-o", "out", "--zip")
    assert Path("out.batch/.staging") in synced


@posix
def test_root() -> None:
    """An output in the root of the file system has its path with a single slash, as elsewhere."""
    root = Folder(Path("/"))
    with closing(Ledger(None)) as ledger:
        root.use(ledger)
        with pytest.raises(InTheWayError) as refused:
            root.unrecorded("usr/bin", Staged(""))
    assert str(refused.value) == "/usr/bin is a directory; move it away"


def games_there() -> dict[str, bytes]:
    """Return the outputs, without the ledgers that were set aside."""
    return {name: content for name, content in outputs().items() if not name.startswith("ledger.sqlite.")}


@pytest.mark.parametrize("force", [False, True])
def test_damaged_within(*, force: bool) -> None:
    """A ledger that turns out to be damaged in the middle of a run is set aside, and the next run rebuilds it."""
    every = games(300)
    batch("games.zip", "-o", "out", "--no-verify", "--limit", "200")
    path = Path("out/ledger.sqlite")
    with closing(sqlite3.connect(path)) as ledger:
        ledger.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    content = bytearray(path.read_bytes())
    for page in range(8, len(content) // 4096, 2):
        content[page * 4096 : page * 4096 + 4096] = b"\xee" * 4096
    path.write_bytes(content)
    assert "ledger.sqlite: database disk image" in batch("games.zip", "-o", "out", "--dry-run", code=1).stderr
    assert "run the command that wrote the outputs again to rebuild it" in verify("out", code=1).stderr
    if force:
        said = batch("games.zip", "-o", "out", "--no-verify", "--force").stderr
        assert "set aside as ledger.sqlite.damaged-1; all inputs are converted again" in said
        assert games_there() == every
        return
    said = batch("games.zip", "-o", "out", "--no-verify", code=1).stderr
    assert (
        "is damaged (database disk image is malformed); set aside as ledger.sqlite.damaged-1; run the same command"
        in said
    )
    batch("games.zip", "-o", "out", "--no-verify")
    assert games_there() == every
    verify("out")


def test_other_errors_of_the_ledger(monkeypatch: pytest.MonkeyPatch) -> None:
    """An error that is not damage does not set the ledger aside."""
    games(3)

    def fail(*_: object) -> None:
        raise sqlite3.OperationalError("disk I/O error")

    with monkeypatch.context() as patch:
        patch.setattr(Ledger, "add_output", fail)
        assert (
            "ledger.sqlite: disk I/O error; run the same command again"
            in batch("games.zip", "-o", "out", code=1).stderr
        )
    batch("games.zip", "-o", "out")
    assert summary() == counted(converted=3)
    assert len(outputs()) == 3


def test_output_that_stops_the_run(monkeypatch: pytest.MonkeyPatch) -> None:
    """If an output cannot get its name, it and those after it stay staged, and the next run needs no conversion."""
    every = games(6)
    moved: list[str] = []
    genuine = durability.move

    def move(source: str, target: str) -> None:
        moved.append(target)
        if len(moved) > 2:
            raise OSError(errno.EIO, "Input/output error")
        genuine(source, target)

    with monkeypatch.context() as patch:
        patch.setattr(durability, "move", move)
        assert "stopped: " in batch("games.zip", "-o", "out", code=1).stderr
    assert len(moved) == 3
    assert summary()["converted"] == 6, "they are recorded"
    staged = [path for path in Path("out/.staging").iterdir() if path.name.startswith("output-")]
    assert len(staged) == 5, "the first one was tried twice, as it had no directory"
    batch("games.zip", "-o", "out")
    assert summary() == counted(already_there=6)
    assert outputs() == every


@forms
def test_full_disk_counts_what_is_recorded(form: list[str], monkeypatch: pytest.MonkeyPatch) -> None:
    """If the disk is full before a game is recorded, it is not counted as converted."""
    games(3)
    Path("bad.xml").write_bytes(BROKEN)

    def full(files: object, *_: object) -> None:
        if files:  # rather than the names of reports
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    with monkeypatch.context() as patch:
        patch.setattr(durability, "sync", full)
        patch.setattr(durability, "replace", full)
        said = batch("games.zip", "bad.xml", "-o", "out", *form, code=1).stderr
    assert "0 converted, " in said
    assert "failures.jsonl" not in said, "it could not be written"
    counts = summary("out.batch" if form else "out")
    assert (counts["converted"], counts["stopped"]) == (0, "no space left on device")


@posix
@pytest.mark.skipif(sys.platform == "darwin", reason="macOS has only UTF-8 names")
@forms
def test_current_directory_that_is_not_utf8(form: list[str], monkeypatch: pytest.MonkeyPatch) -> None:
    """The current directory may have any name."""
    folder = os.fsencode(Path.cwd()) + b"/caf\xe9"
    os.mkdir(folder)
    monkeypatch.chdir(os.fsdecode(folder))
    every = games(2)
    for already in (0, 2):
        batch("games.zip", "-o", "out", *form)
        expected = counted(converted=2 - already, already_there=already)
        assert summary("out.batch" if form else "out") == expected
    assert outputs() == every


def test_many_contents_of_an_id(monkeypatch: pytest.MonkeyPatch) -> None:
    """The work for an ID with many contents grows with their number, not with its square."""
    number = 60
    zipped({f"{seed}/{game(1)}.xml": named(seed) for seed in range(number)}, Path("games.zip"))
    looked = 0
    genuine = Ledger.output

    def look(self: Ledger, name: str) -> object:
        nonlocal looked
        looked += 1
        return genuine(self, name)

    monkeypatch.setattr(Ledger, "output", look)
    monkeypatch.setattr("jmjp_convert.batch.run._KNOWN_CONTENTS_PER_ID", 2)
    monkeypatch.setattr("jmjp_convert.batch.run._ITEMS_PER_CHUNK", 5)
    batch("games.zip", "-o", "out", "-j", "1")
    assert len(outputs()) == number
    assert summary()["renamed"] == number - 1
    assert looked <= 12 * number
