"""`jmjp batch` with a damaged ledger, and among files that are not its own."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path

import pytest
from batching import (
    batch,
    counted,
    failures,
    games,
    outputs,
    posix,
    summary,
    work_there,  # noqa: F401 - pytest finds it by its name
)
from packing import game, named, zipped

from jmjp_convert.batch.ledger import Ledger
from jmjp_convert.files import durability

forms = pytest.mark.parametrize("form", [[], ["--zip"]], ids=["directory", "zip"])
NAME = f"2019/04/{game(0)}.jmjp"
MINE = b"I keep this.\n"


def home(form: list[str]) -> str:
    """Return the directory of the ledger."""
    return "out.batch" if form else "out"


def games_there() -> dict[str, bytes]:
    """Return the outputs, without the ledgers that were set aside."""
    return {name: content for name, content in outputs().items() if not name.startswith("ledger.sqlite.")}


# --- a ledger that cannot be used -------------------------------------------------------------------------------------


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
    assert "run again to rebuild it" in batch("--verify-output", "-o", "out", code=1).stderr
    if force:
        said = batch("games.zip", "-o", "out", "--no-verify", "--force").stderr
        assert "set aside as ledger.sqlite.damaged-1; all inputs are converted again" in said
        assert games_there() == every
        return
    said = batch("games.zip", "-o", "out", "--no-verify", code=1).stderr
    assert "is damaged (database disk image is malformed); set aside as ledger.sqlite.damaged-1; run again" in said
    batch("games.zip", "-o", "out", "--no-verify")
    assert games_there() == every
    batch("--verify-output", "-o", "out")


@forms
def test_older_ledger(form: list[str]) -> None:
    """A ledger of another version is set aside too, and nothing in it is changed."""
    every = games(3)
    batch("games.zip", "-o", "out", *form)
    ledger = Path(home(form), "ledger.sqlite")
    ledger.unlink()
    with closing(sqlite3.connect(ledger)) as other:
        other.execute("CREATE TABLE settings (name TEXT, value TEXT)")
    before = ledger.read_bytes()
    said = batch("games.zip", "-o", "out", *form).stderr
    assert "ledger.sqlite: made by another version of jmjp; set aside as ledger.sqlite.older-1; " in said
    assert Path(f"{ledger}.older-1").read_bytes() == before
    assert summary(home(form)) == counted(already_there=3)
    assert games_there() == every


def test_other_errors_of_the_ledger(monkeypatch: pytest.MonkeyPatch) -> None:
    """An error that is not damage does not set the ledger aside."""
    games(3)

    def fail(*_: object) -> None:
        raise sqlite3.OperationalError("disk I/O error")

    with monkeypatch.context() as patch:
        patch.setattr(Ledger, "add_output", fail)
        assert "ledger.sqlite: disk I/O error; run again" in batch("games.zip", "-o", "out", code=1).stderr
    batch("games.zip", "-o", "out")
    assert summary() == counted(converted=3)
    assert len(outputs()) == 3


# --- what is not ours -------------------------------------------------------------------------------------------------


def test_same_output_without_ledger() -> None:
    """Outputs without a ledger stay as they are if they are what a conversion gives."""
    every = games(5)
    batch("games.zip", "-o", "out")
    Path("out/ledger.sqlite").unlink()
    times = {name: Path("out", name).stat().st_mtime_ns for name in every}
    batch("games.zip", "-o", "out")
    assert summary() == counted(already_there=5)
    assert {name: Path("out", name).stat().st_mtime_ns for name in every} == times
    Path("out/ledger.sqlite").unlink()
    batch("games.zip", "-o", "out", "--compact", code=1)
    assert summary() == counted(failed={"exists": 5})
    assert outputs() == every


def test_forced_run_that_was_stopped(monkeypatch: pytest.MonkeyPatch) -> None:
    """A run with `--force` that was stopped needs it again: without it, what it has not come to is not overwritten."""
    games(40)
    batch("games.zip", "-o", "out", "--limit", "20")
    Path("out/ledger.sqlite").unlink()
    monkeypatch.setattr("jmjp_convert.batch.run._ITEMS", 5)
    monkeypatch.setattr("jmjp_convert.batch.run._SECONDS", 0)

    def stop(*_: object, **__: object) -> None:
        raise KeyboardInterrupt

    with monkeypatch.context() as patch:
        patch.setattr("jmjp_convert.batch.folder_output.Folder.put", stop)
        batch("games.zip", "-o", "out", "--force", "--compact", code=130)
    batch("games.zip", "-o", "out", "--compact", code=1)
    assert summary()["failed"] == {"exists": 15}, "the first five were recorded"
    batch("games.zip", "-o", "out", "--compact", "--force")
    assert len(outputs()) == 40
    assert all(content.count(b"\n") == 1 for content in outputs().values())
    Path("out/2019/04", f"{game(41)}.jmjp").write_bytes(MINE)
    zipped({game(41): named(41)}, Path("more.zip"))
    batch("more.zip", "-o", "out", "--compact", code=1)


def test_output_that_cannot_be_replaced(monkeypatch: pytest.MonkeyPatch) -> None:
    """An output that cannot get its name, as on Windows if it is open elsewhere, fails alone."""
    every = games(5)
    genuine = durability.move

    def busy(source: str, target: str) -> None:
        if str(target).endswith(NAME):
            raise PermissionError(13, "Permission denied")
        genuine(source, target)

    with monkeypatch.context() as patch:
        patch.setattr(durability, "move", busy)
        batch("games.zip", "-o", "out", code=1)
    assert summary() == counted(converted=4, failed={"exists": 1})
    assert failures()[0]["message"] == f"{Path('out', NAME)}: permission denied"
    batch("games.zip", "-o", "out")
    assert summary() == counted(converted=1, already_there=4)
    assert outputs() == every


@posix
@forms
def test_staging_that_is_a_link(form: list[str]) -> None:
    """A symbolic link in the place of the staging directory is not followed, even to one that was ours."""
    games(3)
    Path("elsewhere").mkdir()
    Path("elsewhere/made-by-jmjp-batch").touch()
    Path("elsewhere", f"output-{'0' * 24}").write_bytes(MINE)
    Path(home(form)).mkdir()
    Path(home(form), ".staging").symlink_to(Path("elsewhere").absolute())
    said = batch("games.zip", "-o", "out", *form, code=1).stderr
    assert said.endswith(".staging is not a directory made by jmjp batch; move it away\n")
    assert len(list(Path("elsewhere").iterdir())) == 2
