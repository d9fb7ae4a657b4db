"""`jmjp batch` that stops, or counts without converting: nothing is lost, and the numbers say what is recorded."""

from __future__ import annotations

import errno
import os
import sys
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
from packing import BROKEN, game, named, zipped

from jmjp_convert.batch.ledger import Ledger
from jmjp_convert.files import durability

forms = pytest.mark.parametrize("form", [[], ["--zip"]], ids=["directory", "zip"])


def test_output_that_stops_the_run(monkeypatch: pytest.MonkeyPatch) -> None:
    """If an output cannot get its name, it and those after it stay staged, and the next run needs no conversion."""
    every = games(6)
    genuine = durability.move
    number = 0

    def fail(source: str, target: str) -> None:
        nonlocal number
        number += 1
        if number > 2:
            raise OSError(errno.EIO, "Input/output error")
        genuine(source, target)

    with monkeypatch.context() as patch:
        patch.setattr(durability, "move", fail)
        assert "stopped: " in batch("games.zip", "-o", "out", code=1).stderr
    assert number == 3
    assert summary()["converted"] == 6, "they are recorded"
    staged = [path for path in Path("out/.staging").iterdir() if path.name.startswith("output-")]
    assert len(staged) == 5, "the first one was tried twice, as it had no directory"
    batch("games.zip", "-o", "out")
    assert summary() == counted(already_there=6)
    assert outputs() == every


def test_directory_on_another_file_system(monkeypatch: pytest.MonkeyPatch) -> None:
    """A directory linked to another file system fails only the games that belong there."""
    games(2)
    zipped({game(9, "20200101"): named(9)}, Path("more.zip"))
    genuine = durability.move

    def fail(source: str, target: str) -> None:
        if "2019" in target:
            raise OSError(errno.EXDEV, "Invalid cross-device link")
        genuine(source, target)

    monkeypatch.setattr(durability, "move", fail)
    batch("games.zip", "more.zip", "-o", "out", code=1)
    assert summary() == counted(converted=1, failed={"exists": 2})
    assert failures()[0]["message"].endswith(": on another file system than the rest of the output")


@forms
def test_full_disk_counts_what_is_recorded(form: list[str], monkeypatch: pytest.MonkeyPatch) -> None:
    """If the disk is full before a game is recorded, it is not counted as converted."""
    games(3)
    Path("bad.xml").write_bytes(BROKEN)

    def full(*_: object) -> None:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    with monkeypatch.context() as patch:
        patch.setattr(durability, "sync", full)
        patch.setattr(durability, "replace", full)
        said = batch("games.zip", "bad.xml", "-o", "out", *form, code=1).stderr
    assert "jmjp: 0 converted, " in said
    assert "failures.jsonl" not in said, "it could not be written"
    found = summary("out.batch" if form else "out")
    assert (found["converted"], found["stopped"]) == (0, "no space left on device")


def test_output_in_the_way_is_not_counted(monkeypatch: pytest.MonkeyPatch) -> None:
    """A game whose output cannot get its longer name is not counted as renamed either."""
    zipped({f"{game(1)}.xml": named(1), f"b/{game(1)}.xml": named(2)}, Path("games.zip"))
    genuine = durability.move

    def busy(source: str, target: str) -> None:
        if "~" in target:
            raise PermissionError(13, "Permission denied")
        genuine(source, target)

    monkeypatch.setattr(durability, "move", busy)
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
        found = counted(converted=2 - already, already_there=already)
        assert summary("out.batch" if form else "out") == found
    assert outputs() == every


def test_many_contents_of_an_id(monkeypatch: pytest.MonkeyPatch) -> None:
    """The work for an ID with many contents grows with their number, not with its square."""
    number = 60
    zipped({f"{one}/{game(1)}.xml": named(one) for one in range(number)}, Path("games.zip"))
    looked = 0
    genuine = Ledger.output

    def look(self: Ledger, name: str) -> object:
        nonlocal looked
        looked += 1
        return genuine(self, name)

    monkeypatch.setattr(Ledger, "output", look)
    monkeypatch.setattr("jmjp_convert.batch.run._CONTENTS", 2)
    monkeypatch.setattr("jmjp_convert.batch.run._ITEMS", 5)
    batch("games.zip", "-o", "out", "-j", "1")
    assert len(outputs()) == number
    assert summary()["renamed"] == number - 1
    assert looked <= 12 * number
