"""`jmjp batch` whose output is not its own, or not any more: nothing is overwritten or taken for done by mistake."""

from __future__ import annotations

import json
import os
from contextlib import closing, suppress
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

from jmjp_convert.batch.destination import InTheWayError
from jmjp_convert.batch.folder_output import Folder
from jmjp_convert.batch.ledger import Ledger
from jmjp_convert.batch.product import Staged
from jmjp_convert.batch.zip_output import Zip
from jmjp_convert.files import durability

forms = pytest.mark.parametrize("form", [[], ["--zip"]], ids=["directory", "zip"])
NAME = f"2019/04/{game(0)}.jmjp"
MINE = b"I keep this.\n"


def home(form: list[str]) -> str:
    """Return the directory of the ledger."""
    return "out.batch" if form else "out"


class Killed(BaseException):
    """The process has been killed: nothing more is done."""


def kill(*_: object, **__: object) -> None:
    """End a run as `kill -9` does."""
    raise Killed


def killed(*args: str) -> None:
    """Run `jmjp batch` with *args* until it is killed."""
    with suppress(Killed, AssertionError):
        batch(*args)
        pytest.fail("it was not killed")


def foreign_zip() -> bytes:
    """Put a zip that no batch wrote at `out`, and return its content."""
    zipped({"mine.txt": MINE * 50}, Path("out"), ZIP_STORED)
    return Path("out").read_bytes()


def refused(content: bytes) -> None:
    """Check that a run and `--verify-output` leave the zip at `out`, which has this *content*, alone."""
    for _ in range(2):
        said = batch("games.zip", "-o", "out", "--zip", code=1).stderr
        assert said.endswith("out exists and is not from this batch; use --force to overwrite it\n")
        assert batch("--verify-output", "-o", "out", "--zip", code=1).stderr.endswith("\n")
        assert Path("out").read_bytes() == content
    batch("games.zip", "-o", "out", "--zip", "--force")
    assert len(outputs()) == 3


# --- a zip that cannot get its name -----------------------------------------------------------------------------------


@pytest.mark.parametrize("step", ["before", "after"])
def test_zip_that_cannot_be_replaced(step: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """If the zip cannot get its name, the one before is not taken for it: the next run writes all games."""
    games(1)
    batch("games.zip", "-o", "out", "--zip")
    every = games(3)
    genuine = durability.replace

    def fail(temporary: Path, path: Path) -> None:
        if path.name == "out":
            if step == "after":
                genuine(temporary, path)
            raise OSError(5, "Input/output error")
        genuine(temporary, path)

    with monkeypatch.context() as patch:
        patch.setattr(durability, "replace", fail)
        assert "stopped: " in batch("games.zip", "-o", "out", "--zip", code=1).stderr
    assert len(outputs()) == (1 if step == "before" else 3)
    batch("games.zip", "-o", "out", "--zip")
    assert outputs() == every
    assert not Path("out.batch/.staging").exists()
    batch("games.zip", "-o", "out", "--zip")
    assert summary("out.batch") == counted(already_there=3)


def test_zip_lost_before_its_rename(monkeypatch: pytest.MonkeyPatch) -> None:
    """If a run is killed before the zip gets its name, and the staged zip is lost, the next run writes it again."""
    games(1)
    batch("games.zip", "-o", "out", "--zip")
    every = games(3)
    with monkeypatch.context() as patch:
        patch.setattr(durability, "replace", kill)
        patch.setattr(Zip, "clean", kill)
        killed("games.zip", "-o", "out", "--zip")
    (staged,) = Path("out.batch/.staging").glob("zip-*")
    staged.unlink()
    batch("games.zip", "-o", "out", "--zip")
    assert outputs() == every


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


# --- a zip that is not ours -------------------------------------------------------------------------------------------


def test_foreign_zip_without_ledger() -> None:
    """A refused run leaves nothing that makes a foreign zip ours, not even after `--verify-output`."""
    games(3)
    batch("games.zip", "-o", "out", "--zip")
    Path("out.batch/ledger.sqlite").unlink()
    content = foreign_zip()
    batch("games.zip", "-o", "out", "--zip", code=1)
    assert not Path("out.batch/ledger.sqlite").exists()
    refused(content)


def test_foreign_zip_in_place_of_ours() -> None:
    """A foreign zip that takes the place of ours is not damaged: `--verify-output` says what it is, and marks
    nothing."""
    games(3)
    batch("games.zip", "-o", "out", "--zip")
    ours = Path("out").read_bytes()
    content = foreign_zip()
    for _ in range(2):
        assert batch("--verify-output", "-o", "out", code=1).stderr == "jmjp: out is not from this batch\n"
    Path("out").write_bytes(ours)
    batch("--verify-output", "-o", "out")
    Path("out").write_bytes(content)
    refused(content)


@pytest.mark.parametrize("owner", ["finish", "replace"])
def test_foreign_zip_after_an_interruption(owner: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """A zip that appears after the first run was interrupted is not ours."""
    games(3)
    with monkeypatch.context() as patch:
        patch.setattr(Zip if owner == "finish" else durability, owner, kill)
        killed("games.zip", "-o", "out", "--zip")
    said = batch("--verify-output", "-o", "out", "--zip", code=1).stderr
    assert said == "jmjp: out is not written yet; run again\n"
    refused(foreign_zip())


def test_foreign_zip_during_a_run(monkeypatch: pytest.MonkeyPatch) -> None:
    """A zip that appears while a run is in progress is not overwritten at its end."""
    games(3)
    genuine = Zip.finish
    content = b""

    def late(self: Zip, ledger: object) -> None:
        nonlocal content
        content = foreign_zip()
        genuine(self, ledger)  # type: ignore[arg-type]

    with monkeypatch.context() as patch:
        patch.setattr(Zip, "finish", late)
        said = batch("games.zip", "-o", "out", "--zip", code=1).stderr
    assert "out was changed by another program during the run; run again to continue" in said
    refused(content)


def test_foreign_zip_in_place_of_an_empty_one() -> None:
    """A foreign file that takes the place of a zip without games is not overwritten."""
    games(3)
    Path("bad.xml").write_bytes(b"<mjloggm")
    batch("bad.xml", "-o", "out", "--zip", code=1)
    assert outputs() == {}
    refused(foreign_zip())


def test_foreign_zip_after_a_deleted_one(monkeypatch: pytest.MonkeyPatch) -> None:
    """A foreign zip that appears where ours was deleted is not overwritten, even if a run was interrupted between."""
    games(3)
    batch("games.zip", "-o", "out", "--zip")
    Path("out").unlink()
    with monkeypatch.context() as patch:
        patch.setattr(Zip, "finish", kill)
        killed("games.zip", "-o", "out", "--zip")
    refused(foreign_zip())


def test_forced_zip_that_was_stopped(monkeypatch: pytest.MonkeyPatch) -> None:
    """After a stopped run with `--force`, only the zip that was there then may be overwritten without it."""
    every = games(3)
    foreign_zip()
    with monkeypatch.context() as patch:
        patch.setattr(Zip, "finish", kill)
        killed("games.zip", "-o", "out", "--zip", "--force")
    there = Path("out").stat()
    content = Path("out").read_bytes()
    zipped({"other.txt": MINE}, Path("out"), ZIP_STORED)
    said = batch("games.zip", "-o", "out", "--zip", code=1).stderr
    assert "is not from this batch" in said
    Path("out").write_bytes(content)
    os.utime("out", ns=(there.st_atime_ns, there.st_mtime_ns))
    batch("games.zip", "-o", "out", "--zip")
    assert outputs() == every


# --- reports that are not ours ----------------------------------------------------------------------------------------


@posix
@forms
@pytest.mark.parametrize("name", ["summary.json", "failures.jsonl"])
def test_report_that_is_a_link(form: list[str], name: str) -> None:
    """A link in the place of a report is never followed: what it points to is not ours."""
    games(1)
    path = Path(home(form), name)
    path.parent.mkdir()
    Path("mine").write_bytes(MINE)
    path.symlink_to(Path("mine").absolute())
    assert "is not from this batch" in batch("games.zip", "-o", "out", *form, code=1).stderr
    batch("games.zip", "-o", "out", *form, "--force")
    assert Path("mine").read_bytes() == MINE
    assert not path.is_symlink()
    path.unlink()
    path.symlink_to(Path("mine").absolute())
    batch("games.zip", "-o", "out", *form)
    assert Path("mine").read_bytes() == MINE


# --- outputs that are not ours ----------------------------------------------------------------------------------------


def test_output_never_written_is_not_ours(monkeypatch: pytest.MonkeyPatch) -> None:
    """A name at which nothing could be written is not ours: what appears there is not overwritten."""
    every = games(3)
    genuine = durability.move

    def busy(source: str, target: str) -> None:
        if target.endswith(NAME):
            raise PermissionError(13, "Permission denied")
        genuine(source, target)

    with monkeypatch.context() as patch:
        patch.setattr(durability, "move", busy)
        batch("games.zip", "-o", "out", code=1)
    assert summary() == counted(converted=2, failed={"exists": 1})
    Path("out", NAME).write_bytes(MINE)
    batch("games.zip", "-o", "out", code=1)
    assert Path("out", NAME).read_bytes() == MINE
    assert "is not from this batch" in failures()[0]["message"]
    Path("out", NAME).unlink()
    batch("games.zip", "-o", "out")
    assert outputs() == every


def test_foreign_output_after_a_kill(monkeypatch: pytest.MonkeyPatch) -> None:
    """A file that appears between the record of an output and its name is not overwritten."""
    every = games(3)
    with monkeypatch.context() as patch:
        patch.setattr(Folder, "put", kill)
        killed("games.zip", "-o", "out")
    Path("out", NAME).parent.mkdir(parents=True)
    Path("out", NAME).write_bytes(MINE)
    for _ in range(2):
        batch("games.zip", "-o", "out", code=1)
        assert summary()["failed"] == {"exists": 1}
        assert Path("out", NAME).read_bytes() == MINE
    Path("out", NAME).unlink()
    batch("games.zip", "-o", "out")
    assert outputs() == every


def test_foreign_output_during_a_run(monkeypatch: pytest.MonkeyPatch) -> None:
    """A file that appears during a run, after its name was looked at, is not overwritten."""
    games(3)
    genuine = Folder.put

    def late(self: Folder, name: str, *args: object, **options: object) -> None:
        if name == NAME:
            Path("out", NAME).parent.mkdir(parents=True, exist_ok=True)
            Path("out", NAME).write_bytes(MINE)
        genuine(self, name, *args, **options)  # type: ignore[arg-type]

    monkeypatch.setattr(Folder, "put", late)
    batch("games.zip", "-o", "out", code=1)
    assert summary() == counted(converted=2, failed={"exists": 1})
    assert "is not from this batch (--force overwrites it)" in failures()[0]["message"]
    assert Path("out", NAME).read_bytes() == MINE


def test_forced_run_is_forced_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    """A stopped run with `--force` does not let the next one without it overwrite what is not ours."""
    games(3)
    with monkeypatch.context() as patch:
        patch.setattr(Folder, "finish", kill)
        killed("games.zip", "-o", "out", "--force")
    other = Path("out/2019/04", f"{game(9)}.jmjp")
    other.write_bytes(MINE)
    zipped({game(9): named(9)}, Path("more.zip"))
    batch("more.zip", "-o", "out", code=1)
    assert other.read_bytes() == MINE


def test_moved_without_links(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Where there are no links, as on FAT, an output is renamed, and nothing is overwritten either."""
    every = games(3)

    def fail(*_: object) -> None:
        raise PermissionError(1, "Operation not permitted")

    monkeypatch.setattr("os.link", fail)
    batch("games.zip", "-o", "out")
    assert outputs() == every
    source, target = tmp_path / "source", tmp_path / "target"
    source.write_bytes(b"x")
    target.write_bytes(MINE)
    with pytest.raises(FileExistsError):
        durability.move(str(source), str(target))
    assert target.read_bytes() == MINE


def test_moved_in_two_steps(monkeypatch: pytest.MonkeyPatch) -> None:
    """A run killed between the two steps of a move leaves both names; the next one removes the staged one."""
    every = games(3)
    with monkeypatch.context() as patch:
        patch.setattr("jmjp_convert.files.durability.os.unlink", kill)
        killed("games.zip", "-o", "out")
    batch("games.zip", "-o", "out")
    assert outputs() == every
    assert summary() == counted(already_there=3)
    assert json.loads(Path("out/summary.json").read_bytes())["stopped"] is None


# --- an output at the root --------------------------------------------------------------------------------------------


@posix
def test_root() -> None:
    """An output in the root of the file system has its path with a single slash, as elsewhere."""
    with closing(Ledger(None)) as ledger, pytest.raises(InTheWayError) as refused:
        Folder(Path("/")).there(ledger, "usr/bin", Staged(""))
    assert str(refused.value) == "/usr/bin is a directory; move it away"
