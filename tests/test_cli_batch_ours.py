"""`jmjp batch` with a damaged ledger, and among files that are not its own."""

from __future__ import annotations

import json
import sqlite3
from contextlib import closing
from pathlib import Path
from zipfile import ZIP_STORED

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


@forms
@pytest.mark.parametrize("content", [b"hello" * 2000, b"SQLite format 3\0" + b"\xff" * 5000], ids=["text", "header"])
def test_damaged_ledger(form: list[str], content: bytes) -> None:
    """A damaged ledger is set aside, in one line, and rebuilt from the outputs that a conversion gives again."""
    every = games(6)
    batch("games.zip", "-o", "out", *form, "--limit", "5")
    ledger = Path(home(form), "ledger.sqlite")
    for number in (1, 2):
        ledger.write_bytes(content)
        assert "6 to convert" in batch("games.zip", "-o", "out", *form, "--dry-run").stderr
        assert ledger.read_bytes() == content
        first, *_ = batch("games.zip", "-o", "out", *form).stderr.splitlines()
        assert first.startswith(f"jmjp: {ledger}: damaged (file is not a database); set aside as ")
        assert first.endswith(
            f"ledger.sqlite.damaged-{number}; all inputs are converted again and compared with the outputs that exist"
        )
        assert Path(f"{ledger}.damaged-{number}").read_bytes() == content
        assert games_there() == every
        assert summary(home(form)) == counted(converted=2 - number, already_there=4 + number)
        batch("--verify-output", "-o", "out")
    batch("games.zip", "-o", "out", *form)
    assert summary(home(form)) == counted(already_there=6)


@forms
def test_damaged_ledger_and_outputs(form: list[str]) -> None:
    """With the ledger, outputs may be damaged: what a conversion does not give again is reported and kept, until
    `--force`."""
    every = games(6)
    batch("games.zip", "-o", "out", *form)
    if form:
        content = bytearray(Path("out").read_bytes())
        content[200] ^= 1
        Path("out").write_bytes(content)
    else:
        Path("out", NAME).write_bytes(MINE)
    Path(home(form), "ledger.sqlite").write_bytes(MINE * 100)
    batch("games.zip", "-o", "out", *form, code=0 if form else 1)
    if form:  # a member whose checksum is wrong is nobody's
        assert summary("out.batch") == counted(converted=1, already_there=5)
    else:
        assert summary() == counted(already_there=5, failed={"exists": 1})
        assert Path("out", NAME).read_bytes() == MINE
    Path(home(form), "ledger.sqlite").write_bytes(MINE * 100)
    batch("games.zip", "-o", "out", *form, "--force")
    assert summary(home(form)) == counted(converted=6)
    assert games_there() == every


def test_damaged_ledger_of_a_zip_with_more() -> None:
    """What is in a zip from other sources stays in it when its ledger is rebuilt."""
    games(6)
    zipped({f"{game(9)}.xml": named(9)}, Path("more.zip"))
    batch("games.zip", "more.zip", "-o", "out", "--zip")
    every = outputs()
    Path("out.batch/ledger.sqlite").write_bytes(MINE * 100)
    batch("games.zip", "-o", "out", "--zip")
    assert outputs() == every
    assert len(every) == 7
    zipped({f"{game(9)}.xml": named(8)}, Path("more.zip"))
    batch("more.zip", "-o", "out", "--zip", code=1)
    (failure,) = failures("out.batch")
    assert failure["kind"] == "exists"
    assert "is not from this batch (--force overwrites it)" in failure["message"]
    batch("--verify-output", "-o", "out")
    assert outputs() == every


def test_damaged_ledger_of_a_zip_that_is_not_ours() -> None:
    """A zip that holds nothing of ours is not overwritten, even if its ledger is lost."""
    games(2)
    batch("games.zip", "-o", "out", "--zip")
    Path("out.batch/ledger.sqlite").write_bytes(MINE * 100)
    zipped({"x": b"x"}, Path("out"), ZIP_STORED)
    before = Path("out").read_bytes()
    for _ in range(2):
        assert "out exists and is not from this batch" in batch("games.zip", "-o", "out", "--zip", code=1).stderr
    assert Path("out").read_bytes() == before
    batch("games.zip", "-o", "out", "--zip", "--force")
    assert len(outputs()) == 2


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


def test_directory_in_the_place_of_the_ledger() -> None:
    """A directory in the place of the ledger is reported, and nothing is written."""
    games(3)
    Path("out/ledger.sqlite").mkdir(parents=True)
    said = batch("games.zip", "-o", "out", "--force", code=1).stderr
    assert said == f"jmjp: {Path('out/ledger.sqlite')} is a directory; move it away\n"
    assert [path.name for path in Path("out").iterdir()] == ["ledger.sqlite"]


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


def test_set_aside_among_sources() -> None:
    """A ledger that was set aside is not an input of another batch."""
    games(2, "in/in.zip")
    batch("in", "-o", "in/out")
    Path("in/out/ledger.sqlite").write_bytes(MINE * 100)
    batch("in", "-o", "in/out")
    batch("in", "-o", "other")
    assert summary("other")["skipped"]["a batch's own file"] == 4


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


def test_foreign_output() -> None:
    """A file that is not from this batch is not overwritten without `--force`: that game fails, and the rest is
    converted."""
    every = games(5)
    Path("out", NAME).parent.mkdir(parents=True)
    Path("out", NAME).write_bytes(MINE)
    for again in (0, 4):
        said = batch("games.zip", "-o", "out", code=1).stderr
        assert f"jmjp: {4 - again} converted, {again} already there, 0 skipped, 1 failed (1 file in the way)\n" in said
        assert Path("out", NAME).read_bytes() == MINE
        (failure,) = failures()
        assert (failure["kind"], failure["log_id"]) == ("exists", game(0))
        path = Path("out", NAME)
        assert failure["message"] == f"{path} exists and is not from this batch (--force overwrites it)"
    batch("games.zip", "-o", "out", "--force")
    assert outputs() == every
    batch("games.zip", "-o", "out")
    assert summary() == counted(already_there=5)


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
        patch.setattr("jmjp_convert.batch.destination.Folder.put", stop)
        batch("games.zip", "-o", "out", "--force", "--compact", code=130)
    batch("games.zip", "-o", "out", "--compact", code=1)
    assert summary()["failed"] == {"exists": 15}, "the first five were recorded"
    batch("games.zip", "-o", "out", "--compact", "--force")
    assert len(outputs()) == 40
    assert all(content.count(b"\n") == 1 for content in outputs().values())
    Path("out/2019/04", f"{game(41)}.jmjp").write_bytes(MINE)
    zipped({game(41): named(41)}, Path("more.zip"))
    batch("more.zip", "-o", "out", "--compact", code=1)


def test_file_where_a_directory_should_be() -> None:
    """A file in the place of a year's directory fails the games of that year alone."""
    games(3)
    zipped({game(9, "20200101"): named(9)}, Path("more.zip"))
    Path("out").mkdir()
    Path("out/2019").write_bytes(MINE)
    batch("games.zip", "more.zip", "-o", "out", code=1)
    assert summary() == counted(converted=1, failed={"exists": 3})
    assert Path("out/2019").read_bytes() == MINE


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


@forms
def test_foreign_staging(form: list[str]) -> None:
    """A directory `.staging` that is not ours is not touched, and is reported before anything is written."""
    games(3)
    staging = Path(home(form), ".staging")
    staging.mkdir(parents=True)
    (staging / f"output-{'0' * 24}").write_bytes(MINE)
    for more in ([], ["--force"]):
        said = batch("games.zip", "-o", "out", *form, *more, code=1).stderr
        assert said == f"jmjp: {staging} was not made by jmjp batch; move it away\n"
    assert [path.name for path in staging.iterdir()] == [f"output-{'0' * 24}"]
    assert [path.name for path in Path(home(form)).iterdir()] == [".staging"]


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


def test_own_staging() -> None:
    """What a killed run left in its own staging directory is removed, but nothing else that is there."""
    games(3)
    staging = Path("out/.staging")
    staging.mkdir(parents=True)
    batch("games.zip", "-o", "out", "--limit", "1")
    assert not staging.exists(), "an empty one may be used"
    staging.mkdir()
    for name in ("made-by-jmjp-batch", f"output-{'0' * 24}", f"segment-{'1' * 24}", "mine"):
        (staging / name).write_bytes(MINE)
    batch("games.zip", "-o", "out")
    assert sorted(path.name for path in staging.iterdir()) == ["made-by-jmjp-batch", "mine"]


def test_temporary_files() -> None:
    """A temporary file that a kill left next to the summary is removed by the next run."""
    games(3)
    Path("out").mkdir()
    Path("out/.jmjp-0123456789abcdef.tmp").write_bytes(b"{")
    batch("games.zip", "-o", "out")
    assert sorted(path.name for path in Path("out").iterdir()) == [
        "2019",
        "failures.jsonl",
        "ledger.sqlite",
        "summary.json",
    ]
    assert json.loads(Path("out/summary.json").read_bytes())["converted"] == 3
