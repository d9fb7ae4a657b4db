"""A power cut: a file system on a loop device is copied as it is on its disk, and the copy is looked at.

What is in memory alone is not in the copy, as it would not be on a disk after a power cut.
"""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from batching import (
    COMMIT,
    PATIENCE,
    batch,
    games,
    is_over,
    outputs,
    process,
    verify,
    wait_until,
    wait_until_stopped,
    work_there,  # noqa: F401 - pytest finds it by its name
)
from packing import PLAIN

SIZE = 64 << 20


def run(*command: str | Path) -> str:
    """Return what *command* prints on stderr, after checking that it succeeds."""
    done = subprocess.run(command, check=False, capture_output=True, text=True)
    if done.returncode:
        raise subprocess.CalledProcessError(done.returncode, command, stderr=done.stderr)
    return done.stderr


@contextmanager
def mounted(image: Path, directory: Path) -> Iterator[Path]:
    """Mount the file system in *image* at *directory*."""
    directory.mkdir(exist_ok=True)
    run("mount", "-o", "loop", image, directory)
    try:
        yield directory
    finally:
        run("umount", directory)


@pytest.fixture
def image(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return an empty file system in a file, in an empty directory in which the test works."""
    monkeypatch.chdir(tmp_path)
    if not (sys.platform == "linux" and os.geteuid() == 0 and shutil.which("mkfs.ext4")):
        pytest.skip("only root can mount a file system, and only on Linux")
    path = tmp_path / "image"
    with path.open("wb") as file:
        file.truncate(SIZE)
    run("mkfs.ext4", "-q", path)
    try:
        with mounted(path, Path("mnt")):
            return path
    except subprocess.CalledProcessError:
        pytest.skip("this system does not let root mount a file system")


def copied(image: Path) -> Path:
    """Return a copy of *image* that was not changed while it was made: the disk after a power cut."""
    copy = image.with_name("copy")
    while True:
        shutil.copyfile(image, copy)
        if copy.read_bytes() == image.read_bytes():
            return copy


@pytest.mark.parametrize("form", [[], ["--zip"]], ids=["directory", "zip"])
def test_after_a_run(image: Path, form: list[str]) -> None:
    """After a power cut right after a run, all outputs are there, and nothing is converted again."""
    every = games(200)
    with mounted(image, Path("mnt")):
        batch("games.zip", "-o", "mnt/out", "--no-verify", "-q", *form)
        copy = copied(image)
    with mounted(copy, Path("mnt")):
        assert outputs("mnt/out").items() >= every.items()  # there may be the ledger's journal, which is empty
        assert "200 outputs checked, 0 damaged" in verify("mnt/out").stderr
        assert "0 converted, 200 already there" in batch("games.zip", "-o", "mnt/out", "--no-verify", *form).stderr
        home = Path("mnt/out.batch" if form else "mnt/out")
        assert (home / "summary.json").read_text(encoding="utf-8").startswith("{")


@pytest.mark.parametrize("form", [[], ["--zip"]], ids=["directory", "zip"])
def test_during_a_run(image: Path, form: list[str]) -> None:
    """After a power cut during a run, all that the ledger claims is there, and the next run converts the rest."""
    every = games(300)
    with mounted(image, Path("mnt")):
        args = ["games.zip", "-o", "mnt/out", "--no-verify", "-q", "-j", "2", *form]
        with process(*args, moments=[(*COMMIT, *[0] * 3, signal.SIGSTOP)]) as running:
            wait_until_stopped(running)
            os.killpg(running.pid, signal.SIGKILL)  # only so that it is over: what it wrote is in memory
            running.communicate(timeout=PATIENCE)
        wait_until(lambda: is_over(running.pid))
        copy = copied(image)
    with mounted(copy, Path("mnt")):
        if not form:
            verify("mnt/out")
        batch("games.zip", "-o", "mnt/out", "--no-verify", *form)
        assert outputs("mnt/out") == every


def test_convert(image: Path) -> None:
    """After a power cut right after a conversion, its output is there."""
    Path("log.xml").write_bytes(PLAIN)
    with mounted(image, Path("mnt")):
        run(sys.executable, "-m", "jmjp_convert", "convert", "log.xml", "-o", "mnt/out.jmjp")
        copy = copied(image)
        expected = Path("mnt/out.jmjp").read_bytes()
    with mounted(copy, Path("mnt")):
        assert Path("mnt/out.jmjp").read_bytes() == expected
