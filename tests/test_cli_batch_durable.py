"""`jmjp batch` and power cuts: what the ledger claims is on disk, and what is there is what it must be."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from pathlib import Path

import pytest
from batching import (
    batch,
    games,
    outputs,
    work_there,  # noqa: F401 - pytest finds it by its name
)
from power_cuts import power_cut

from jmjp_convert.batch.executor import Workers
from jmjp_convert.batch.folder_output import Folder
from jmjp_convert.batch.ledger import Ledger
from jmjp_convert.batch.zip_output import Zip
from jmjp_convert.cli import running as command
from jmjp_convert.files import durability

forms = pytest.mark.parametrize("form", [[], ["--zip"]], ids=["directory", "zip"])


def home(form: list[str]) -> str:
    """Return the directory of the ledger."""
    return "out.batch" if form else "out"


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


# --- verifying --------------------------------------------------------------------------------------------------------
