"""`jmjp batch` and power cuts: what the ledger claims is on disk, and what is there is what it must be."""

from __future__ import annotations

import os
import zipfile
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from pathlib import Path

import pytest
from batching import (
    batch,
    counted,
    games,
    outputs,
    summary,
    work_there,  # noqa: F401 - pytest finds it by its name
)
from packing import game
from power_cuts import power_cut

from jmjp_convert.batch.destination import Folder
from jmjp_convert.batch.executor import Workers
from jmjp_convert.batch.ledger import Ledger
from jmjp_convert.batch.zip_output import Zip
from jmjp_convert.cli import running as command
from jmjp_convert.files import durability

forms = pytest.mark.parametrize("form", [[], ["--zip"]], ids=["directory", "zip"])
NAME = f"2019/04/{game(0)}.jmjp"


def home(form: list[str]) -> str:
    """Return the directory of the ledger."""
    return "out.batch" if form else "out"


def change(path: Path, place: int, *, quietly: bool) -> None:
    """Change a byte of *path*; *quietly*: as a disk does, without a trace in its time."""
    found = path.stat()
    content = bytearray(path.read_bytes())
    content[place] ^= 1
    path.write_bytes(content)
    if quietly:
        os.utime(path, ns=(found.st_atime_ns, found.st_mtime_ns))


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
    monkeypatch.setattr("jmjp_convert.batch.run._SECONDS", 0)
    monkeypatch.setattr("jmjp_convert.batch.run._ITEMS", 5)
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
    monkeypatch.setattr("jmjp_convert.batch.run._SECONDS", 1e9)
    monkeypatch.setattr("jmjp_convert.batch.run._OUTPUTS", 50)
    batch("games.zip", "-o", "out", "-j", "1")
    assert [call for call in calls if call.startswith("sync")] == ["sync50", "sync50", "sync0", "sync0"]


def test_ledger_is_synced() -> None:
    """What is committed to a ledger is on disk, not only what was before it."""
    with closing(Ledger(Path("ledger.sqlite"))) as ledger:
        assert ledger._connection.execute("PRAGMA synchronous").fetchone() == (2,)  # noqa: SLF001 - full


@forms
@pytest.mark.parametrize("step", ["commit", "put", "replace", "_finished"])
def test_ended_between(form: list[str], step: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Wherever a run ends, what it has recorded is there, and the next one completes it."""
    every = games(40)
    monkeypatch.setattr("jmjp_convert.batch.run._SECONDS", 0)
    monkeypatch.setattr("jmjp_convert.batch.run._ITEMS", 5)
    owner = {"commit": Ledger, "put": Folder, "replace": durability, "_finished": Zip}[step]
    for last in range(12):
        with power_cut(owner, step, last):
            batch("games.zip", "-o", "out", *form)
        if Path(home(form), "ledger.sqlite").exists() and (not form or Path("out").exists()):
            batch("--verify-output", "-o", "out")
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


# --- what is already there --------------------------------------------------------------------------------------------


def emptied(path: Path) -> None:
    """Empty the file *path*."""
    path.write_bytes(b"")


def cut(path: Path) -> None:
    """Leave half of the file *path*."""
    path.write_bytes(path.read_bytes()[: path.stat().st_size // 2])


def altered(path: Path) -> None:
    """Change one byte of the file *path*."""
    change(path, 100, quietly=False)


def directory(path: Path) -> None:
    """Put a directory in the place of the file *path*."""
    path.unlink()
    path.mkdir()


@pytest.mark.parametrize("harm", [Path.unlink, emptied, cut, altered, directory])
def test_harmed(harm: object) -> None:
    """An output that is missing, empty, cut, changed or replaced by a directory is made again, and that is said."""
    every = games(5)
    batch("games.zip", "-o", "out")
    harm(Path("out", NAME))  # type: ignore[operator]
    assert "1 to convert, 4 already there" in batch("games.zip", "-o", "out", "--dry-run").stderr
    assert "jmjp: 1 earlier output was missing or changed\n" in batch("games.zip", "-o", "out").stderr
    assert summary() == counted(converted=1, already_there=4, lost=1)
    assert outputs() == every
    batch("games.zip", "-o", "out")
    assert summary() == counted(already_there=5)


def test_harmed_and_in_another_source() -> None:
    """An output is also checked if another source has its game, which then gives it again."""
    every = games(5)
    games(5, "other.zip")
    batch("games.zip", "-o", "out")
    emptied(Path("out", NAME))
    batch("other.zip", "-o", "out")
    assert summary() == counted(converted=1, skipped={"duplicates": 4}, lost=1)
    assert outputs() == every


def test_directory_with_files() -> None:
    """A directory in the place of an output is not deleted if it holds anything; that game fails."""
    games(5)
    batch("games.zip", "-o", "out")
    directory(Path("out", NAME))
    Path("out", NAME, "mine").write_bytes(b"x")
    for more in ([], ["--force"]):
        batch("games.zip", "-o", "out", *more, code=1)
        assert summary()["failed"] == {"exists": 1}
    assert Path("out", NAME, "mine").exists()


def test_copied() -> None:
    """Outputs that only have another time, as after a copy, are read, and not converted again."""
    games(5)
    batch("games.zip", "-o", "out")
    for path in Path("out/2019/04").iterdir():
        os.utime(path, (0, 0))
    for _ in range(2):
        batch("games.zip", "-o", "out")
        assert summary() == counted(already_there=5)
    altered(Path("out", NAME))
    os.utime(Path("out", NAME), (0, 0))
    batch("games.zip", "-o", "out")
    assert summary() == counted(already_there=5), "only --verify-output sees a change with neither size nor time"
    batch("--verify-output", "-o", "out", code=1)


# --- verifying --------------------------------------------------------------------------------------------------------


def test_verify() -> None:
    """All outputs are read and compared with the ledger; each that differs is named, and made again by the next run."""
    every = games(9)
    batch("games.zip", "-o", "out")
    said = batch("--verify-output", "-o", "out").stderr
    assert said == "jmjp: 9 outputs verified, 0 damaged\n"
    assert batch("--verify-output", "-o", "out", "-q").stderr == ""
    names = sorted(every)
    paths = [Path("out", name) for name in names]
    size = paths[1].stat().st_size
    change(paths[0], 100, quietly=True)
    cut(paths[1])
    paths[2].unlink()
    directory(paths[3])
    assert batch("--verify-output", "-o", "out", code=1).stderr.splitlines() == [
        f"jmjp: {paths[0]}: content changed",
        f"jmjp: {paths[1]}: {size // 2:,} bytes; {size:,} expected",
        f"jmjp: {paths[2]}: missing",
        f"jmjp: {paths[3]}: not a regular file",
        "jmjp: 9 outputs verified, 4 damaged",
        "jmjp: run again to convert what is damaged",
    ]
    batch("--verify-output", "-o", "out", code=1)
    batch("games.zip", "-o", "out")
    assert summary() == counted(converted=4, already_there=5, lost=4)
    assert outputs() == every
    batch("--verify-output", "-o", "out")


def test_verify_a_zip() -> None:
    """A member that was damaged at unchanged size and time is named, and made again by the next run."""
    every = games(9)
    batch("games.zip", "-o", "out.zip", "--zip")
    whole = Path("out.zip").read_bytes()
    assert batch("--verify-output", "-o", "out.zip").stderr == "jmjp: 9 outputs verified, 0 damaged\n"
    name = sorted(every)[1]
    for more in ([], ["--zip"]):
        with zipfile.ZipFile("out.zip") as archive:
            place = archive.getinfo(name).header_offset
        change(Path("out.zip"), place + 200, quietly=True)
        said = batch("--verify-output", "-o", "out.zip", *more, code=1).stderr
        assert said.startswith(f"jmjp: out.zip: {name}: damaged or missing\n")
        assert "9 outputs verified, 1 damaged" in said
        batch("games.zip", "-o", "out.zip", "--zip")
        assert summary("out.zip.batch") == counted(converted=1, already_there=8, lost=1)
        assert Path("out.zip").read_bytes() == whole
    change(Path("out.zip"), -3, quietly=True)
    said = batch("--verify-output", "-o", "out.zip", code=1).stderr
    assert "jmjp: out.zip: its directory is damaged\n" in said
    batch("games.zip", "-o", "out.zip", "--zip")
    assert Path("out.zip").read_bytes() == whole
    Path("out.zip").unlink()
    assert "no such file or directory" in batch("--verify-output", "-o", "out.zip", code=1).stderr


def test_damaged_member_is_not_copied() -> None:
    """A member that was damaged without a trace is noticed when the next zip is written, and not copied on; the run
    after that makes it again."""
    every = games(9)
    batch("games.zip", "-o", "out", "--zip", "--limit", "5")
    change(Path("out"), 200, quietly=True)
    said = batch("games.zip", "-o", "out", "--zip", code=1).stderr
    (first, *_) = sorted(every)
    assert f"jmjp: stopped: out: {NAME} damaged; run again to continue\n" in said, first
    batch("games.zip", "-o", "out", "--zip")
    assert outputs() == every
    assert summary("out.batch") == counted(converted=1, already_there=8)


@pytest.mark.parametrize("harm", [emptied, cut, altered])
def test_harmed_zip(harm: object) -> None:
    """What is damaged or missing in a zip that was changed is made again; the rest is kept."""
    every = games(9)
    batch("games.zip", "-o", "out", "--zip")
    whole = Path("out").read_bytes()
    harm(Path("out"))  # type: ignore[operator]
    batch("games.zip", "-o", "out", "--zip")
    assert outputs() == every
    assert Path("out").read_bytes() == whole
    found = summary("out.batch")
    assert found["converted"] == found["lost"] == {emptied: 9, altered: 1}.get(harm, found["lost"])  # type: ignore[call-overload]
    assert 0 < found["lost"] <= 9
    os.utime("out", (0, 0))
    batch("games.zip", "-o", "out", "--zip")
    assert summary("out.batch") == counted(already_there=9)


def test_verify_what() -> None:
    """Only the output of a batch can be verified, and sources have no part in it."""
    games(2)
    assert batch("--verify-output", "-o", "none", code=1).stderr == "jmjp: none: no such output\n"
    said = batch("--verify-output", "-o", "games.zip", code=1).stderr
    missing = Path("games.zip.batch/ledger.sqlite")
    assert said == f"jmjp: {missing} is missing; run again with --force to rebuild it\n"
    Path("empty").mkdir()
    said = batch("--verify-output", "-o", "empty", code=1).stderr
    assert said == f"jmjp: {Path('empty/ledger.sqlite')} is missing; run again to rebuild it\n"
    Path("empty").rmdir()
    assert "leave out SRC" in batch("games.zip", "--verify-output", "-o", "out", code=2).stderr
    assert "Missing argument 'SRC...'" in batch("-o", "out", code=2).stderr
    assert [path.name for path in Path().iterdir()] == ["games.zip"]
    batch("games.zip", "-o", "out")
    Path("out/ledger.sqlite").write_bytes(b"hello" * 1000)
    said = batch("--verify-output", "-o", "out", code=1).stderr
    assert "ledger.sqlite: damaged (file is not a database); run again to rebuild it" in said
