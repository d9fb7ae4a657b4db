"""`jmjp batch` whose output or ledger is foreign or damaged, or that stops: nothing is overwritten or taken for done by
mistake, and the numbers say what is recorded. Sessions have what needs no patch."""

from __future__ import annotations

import errno
import json
import os
import shutil
import sqlite3
import sys
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager, suppress
from pathlib import Path
from zipfile import ZIP_STORED

import pytest
from batching import (
    batch,
    counted,
    failures,
    forms,
    games,
    home,
    outputs,
    posix,
    summary,
    verify,
    work_there,  # noqa: F401 - pytest finds it by its name
)
from packing import BROKEN, game, named, zipped

from jmjp_convert.batch.destination import Folder, InTheWayError
from jmjp_convert.batch.ledger import Ledger
from jmjp_convert.batch.worker import Staged
from jmjp_convert.batch.zip_output import Zip
from jmjp_convert.files import durability

NAME = f"2019/04/{game(0)}.jmjp"
MINE = b"I keep this.\n"


class Killed(BaseException):
    """The process has been killed: nothing more is done."""


def kill(*_: object, **__: object) -> None:
    """End a run as `kill -9` does."""
    raise Killed


def killed(steps: list[tuple[object, str]], *args: str) -> None:
    """Run `jmjp batch` with *args* until it is killed at one of the *steps*, functions by their owner and name."""
    with pytest.MonkeyPatch.context() as patch, suppress(Killed, AssertionError):
        for owner, step in steps:
            patch.setattr(owner, step, kill)
        batch(*args)
        pytest.fail("it was not killed")


@contextmanager
def moves_fail(error: OSError, to: Callable[[str], bool]) -> Iterator[None]:
    """Let outputs fail to get their names if they go *to* certain paths."""
    genuine = durability.move

    def move(source: str, target: str) -> None:
        if to(target):
            raise error
        genuine(source, target)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(durability, "move", move)
        yield


DENIED = PermissionError(13, "Permission denied")


def foreign_zip() -> bytes:
    """Put a zip that no batch wrote at `out`, and return its content."""
    zipped({"mine.txt": MINE * 50}, Path("out"), ZIP_STORED)
    return Path("out").read_bytes()


def refused(content: bytes) -> None:
    """Check that a run and `jmjp verify` leave the zip at `out`, which has this *content*, alone."""
    for _ in range(2):
        said = batch("games.zip", "-o", "out", "--zip", code=1).stderr
        assert said.endswith("out exists and is not from this batch; use --force to overwrite it\n")
        assert verify("out", code=1).stderr.endswith("\n")
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


def test_zip_lost_before_its_rename() -> None:
    """If a run is killed before the zip gets its name, and the staged zip is lost, the next run writes it again."""
    games(1)
    batch("games.zip", "-o", "out", "--zip")
    every = games(3)
    killed([(durability, "replace"), (Zip, "clean")], "games.zip", "-o", "out", "--zip")
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
    """A refused run leaves nothing that makes a foreign zip ours, not even after `jmjp verify`."""
    games(3)
    batch("games.zip", "-o", "out", "--zip")
    Path("out.batch/ledger.sqlite").unlink()
    content = foreign_zip()
    batch("games.zip", "-o", "out", "--zip", code=1)
    assert not Path("out.batch/ledger.sqlite").exists()
    refused(content)


@pytest.mark.parametrize("damaged", [False, True])
def test_foreign_zip_with_a_lost_ledger(*, damaged: bool) -> None:
    """A foreign zip whose members look like those of a batch in all but their names is not written into, even if the
    ledger that could tell is lost or damaged."""
    games(3)
    batch("games.zip", "-o", "out", "--zip")
    content = zipped({"mine.txt": MINE * 50, "2019/04/a/b.txt": MINE}, Path("out"))
    ledger = Path("out.batch/ledger.sqlite")
    ledger.write_bytes(b"x" * 5000) if damaged else ledger.unlink()
    for _ in range(2):
        said = batch("games.zip", "-o", "out", "--zip", code=1).stderr
        assert said.endswith("out exists and is not from this batch; use --force to overwrite it\n")
        assert Path("out").read_bytes() == content


def test_foreign_zip_in_place_of_ours() -> None:
    """A foreign zip that takes the place of ours is not damaged: `jmjp verify` says what it is, and marks
    nothing."""
    games(3)
    batch("games.zip", "-o", "out", "--zip")
    ours = Path("out").read_bytes()
    content = foreign_zip()
    for _ in range(2):
        assert verify("out", code=1).stderr == "error: out is not from this batch\n"
    Path("out").write_bytes(ours)
    verify("out")
    Path("out").write_bytes(content)
    refused(content)


@pytest.mark.parametrize("owner", ["finish", "replace"])
def test_foreign_zip_after_an_interruption(owner: str) -> None:
    """A zip that appears after the first run was interrupted is not ours."""
    games(3)
    killed([(Zip if owner == "finish" else durability, owner)], "games.zip", "-o", "out", "--zip")
    said = verify("out", code=1).stderr
    assert said == "error: out is not written yet; repeat the jmjp batch command that writes it\n"
    refused(foreign_zip())


def test_zip_without_its_folder() -> None:
    """Verifying a zip without the folder of its ledger names that folder."""
    games(3)
    batch("games.zip", "-o", "out.zip", "--zip")
    shutil.rmtree("out.zip.batch")
    assert verify("out.zip", code=1).stderr == (
        "error: out.zip.batch, the folder with the ledger of out.zip, is missing; without it, only the games in the "
        "zip can be checked: jmjp check out.zip\n"
    )


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


def test_foreign_zip_after_a_deleted_one() -> None:
    """A foreign zip that appears where ours was deleted is not overwritten, even if a run was interrupted between."""
    games(3)
    batch("games.zip", "-o", "out", "--zip")
    Path("out").unlink()
    killed([(Zip, "finish")], "games.zip", "-o", "out", "--zip")
    refused(foreign_zip())


def test_forced_zip_that_was_stopped() -> None:
    """After a stopped run with `--force`, only the zip that was there then may be overwritten without it."""
    every = games(3)
    foreign_zip()
    killed([(Zip, "finish")], "games.zip", "-o", "out", "--zip", "--force")
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


def test_output_never_written_is_not_ours() -> None:
    """A name at which nothing could be written is not ours: what appears there is not overwritten."""
    every = games(3)
    with moves_fail(DENIED, lambda target: target.endswith(NAME)):
        batch("games.zip", "-o", "out", code=1)
    assert summary() == counted(converted=2, failed={"exists": 1})
    Path("out", NAME).write_bytes(MINE)
    batch("games.zip", "-o", "out", code=1)
    assert Path("out", NAME).read_bytes() == MINE
    assert "is not from this batch" in failures()[0]["message"]
    Path("out", NAME).unlink()
    batch("games.zip", "-o", "out")
    assert outputs() == every


def test_foreign_output_after_a_kill() -> None:
    """A file that appears between the record of an output and its name is not overwritten."""
    every = games(3)
    killed([(Folder, "put")], "games.zip", "-o", "out")
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


def test_forced_run_is_forced_alone() -> None:
    """A stopped run with `--force` does not let the next one without it overwrite what is not ours."""
    games(3)
    killed([(Folder, "finish")], "games.zip", "-o", "out", "--force")
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


def test_moved_in_two_steps() -> None:
    """A run killed between the two steps of a move leaves both names; the next one removes the staged one."""
    every = games(3)
    killed([(os, "unlink")], "games.zip", "-o", "out")
    batch("games.zip", "-o", "out")
    assert outputs() == every
    assert summary() == counted(already_there=3)
    assert json.loads(Path("out/summary.json").read_bytes())["stopped"] is None


# --- an output at the root --------------------------------------------------------------------------------------------


@posix
def test_root() -> None:
    """An output in the root of the file system has its path with a single slash, as elsewhere."""
    with closing(Ledger(None)) as ledger, pytest.raises(InTheWayError) as refused:
        Folder(Path("/")).unrecorded(ledger, "usr/bin", Staged(""))
    assert str(refused.value) == "/usr/bin is a directory; move it away"


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
    assert "run the command that wrote the outputs again to rebuild it" in verify("out", code=1).stderr
    if force:
        said = batch("games.zip", "-o", "out", "--no-verify", "--force").stderr
        assert "set aside as ledger.sqlite.damaged-1; all inputs are converted again" in said
        assert games_there() == every
        return
    said = batch("games.zip", "-o", "out", "--no-verify", code=1).stderr
    assert "is damaged (database disk image is malformed); set aside as ledger.sqlite.damaged-1; run again" in said
    batch("games.zip", "-o", "out", "--no-verify")
    assert games_there() == every
    verify("out")


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
    monkeypatch.setattr("jmjp_convert.batch.run._ITEMS_PER_CHUNK", 5)
    monkeypatch.setattr("jmjp_convert.batch.run._SECONDS_BETWEEN_COMMITS", 0)

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


def test_output_that_cannot_be_replaced() -> None:
    """An output that cannot get its name, as on Windows if it is open elsewhere, fails alone."""
    every = games(5)
    with moves_fail(DENIED, lambda target: target.endswith(NAME)):
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


def test_output_that_stops_the_run() -> None:
    """If an output cannot get its name, it and those after it stay staged, and the next run needs no conversion."""
    every = games(6)
    moved: list[str] = []

    def third(target: str) -> bool:
        moved.append(target)
        return len(moved) > 2

    with moves_fail(OSError(errno.EIO, "Input/output error"), third):
        assert "stopped: " in batch("games.zip", "-o", "out", code=1).stderr
    assert len(moved) == 3
    assert summary()["converted"] == 6, "they are recorded"
    staged = [path for path in Path("out/.staging").iterdir() if path.name.startswith("output-")]
    assert len(staged) == 5, "the first one was tried twice, as it had no directory"
    batch("games.zip", "-o", "out")
    assert summary() == counted(already_there=6)
    assert outputs() == every


def test_directory_on_another_file_system() -> None:
    """A directory linked to another file system fails only the games that belong there."""
    games(2)
    zipped({game(9, "20200101"): named(9)}, Path("more.zip"))
    with moves_fail(OSError(errno.EXDEV, "Invalid cross-device link"), lambda target: "2019" in target):
        batch("games.zip", "more.zip", "-o", "out", code=1)
    assert summary() == counted(converted=1, failed={"exists": 2})
    assert failures()[0]["message"].endswith(": on another file system than the rest of the output")


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


def test_output_in_the_way_is_not_counted() -> None:
    """A game whose output cannot get its longer name is not counted as renamed either."""
    zipped({f"{game(1)}.xml": named(1), f"b/{game(1)}.xml": named(2)}, Path("games.zip"))
    with moves_fail(DENIED, lambda target: "~" in target):
        batch("games.zip", "-o", "out", code=1)
    assert summary() == counted(converted=1, failed={"exists": 1})


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
