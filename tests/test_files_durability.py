"""Files that survive a power cut: what is synced, and in which order."""

from __future__ import annotations

import errno
import os
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest

from jmjp_convert.files import durability
from jmjp_convert.files.archives import entries
from jmjp_convert.files.outputs import make_directory, write
from jmjp_convert.files.temporaries import clear, is_temporary

posix = pytest.mark.skipif(os.name != "posix", reason="POSIX only")
linux = pytest.mark.skipif(sys.platform != "linux", reason="syncfs is in Linux alone")


class Calls(list[tuple[str, str]]):
    """The calls that put names and contents on disk, in their order."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        super().__init__()
        for function in ("replace", "rename", "link"):
            monkeypatch.setattr(os, function, self._moving(function, getattr(os, function)))
        sync, start, double = os.fsync, os.open, os.dup

        def opened(path: Any, *args: Any, **options: Any) -> int:
            descriptor = start(path, *args, **options)
            names[descriptor] = Path(path).name
            return descriptor

        def doubled(descriptor: int) -> int:
            other = double(descriptor)
            names[other] = names[descriptor]
            return other

        def synced(descriptor: int) -> None:
            sync(descriptor)
            self.append(("sync", names[descriptor]))

        names: dict[int, str] = {}
        monkeypatch.setattr(os, "open", opened)
        monkeypatch.setattr(os, "dup", doubled)
        monkeypatch.setattr(os, "fsync", synced)

    def _moving(self, function: str, genuine: Any) -> Any:
        def move(source: Any, target: Any, **options: Any) -> None:
            genuine(source, target, **options)
            self.append((function, Path(target).name))

        return move


@posix
@pytest.mark.parametrize("force", [False, True])
def test_write(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, *, force: bool) -> None:
    """A file is on disk before it gets its name, and the name before the call returns."""
    calls = Calls(monkeypatch)
    write(tmp_path / "out", b"x", force=force)
    (first, temporary), (moved, name), last = calls
    assert first == "sync"
    assert is_temporary(temporary)
    assert moved in ({"replace", "rename"} if force else {"link"})
    assert name == "out"
    assert last == ("sync", tmp_path.name)


@posix
def test_make_directory(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The names of new directories are on disk."""
    calls = Calls(monkeypatch)
    make_directory(tmp_path / "a" / "b")
    assert sorted(calls) == sorted([("sync", tmp_path.name), ("sync", "a")])
    make_directory(tmp_path / "a" / "b")
    assert len(calls) == 2


@posix
def test_replace(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A file that was written by other means is synced too before it is moved."""
    (tmp_path / "new").write_bytes(b"x")
    calls = Calls(monkeypatch)
    durability.replace(tmp_path / "new", tmp_path / "out")
    assert calls == [("sync", "new"), ("replace", "out"), ("sync", tmp_path.name)]


@linux
def test_many_at_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Many files are synced by one call for their file system; a few one by one, as on systems without that call."""
    files = [tmp_path / str(number) for number in range(10)]
    for file in files:
        file.touch()
    calls = Calls(monkeypatch)
    durability.sync(files, [tmp_path], tmp_path)
    assert calls == []
    durability.sync(files[:2], [tmp_path], tmp_path)
    assert calls == [("sync", "0"), ("sync", "1"), ("sync", tmp_path.name)]
    calls.clear()
    monkeypatch.setattr(durability, "_syncfs", lambda: None)
    durability.sync(files, [tmp_path], tmp_path)
    assert calls == [*(("sync", str(number)) for number in range(10)), ("sync", tmp_path.name)]


@linux
@pytest.mark.parametrize(("number", "raised"), [(errno.EIO, True), (errno.ENOSYS, False)])
def test_file_system_that_fails(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, number: int, *, raised: bool) -> None:
    """An error of the disk is raised; if the system lacks the call, the files are synced one by one."""
    import ctypes

    monkeypatch.setattr(durability, "_syncfs", lambda: lambda _: -1)
    monkeypatch.setattr(ctypes, "get_errno", lambda: number)
    calls = Calls(monkeypatch)
    if raised:
        with pytest.raises(OSError, match=os.strerror(number)):
            durability.sync([], [tmp_path] * 5, tmp_path)
    else:
        durability.sync([], [tmp_path] * 5, tmp_path)
        assert calls == [("sync", tmp_path.name)] * 5


@posix
def test_unsupported(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A file system that cannot sync directories does not stop the run; one that fails does."""

    def fail(number: int) -> Any:
        def sync(_: int) -> None:
            raise OSError(number, os.strerror(number))

        return sync

    monkeypatch.setattr(os, "fsync", fail(errno.EINVAL))
    durability.sync_folders([tmp_path])
    monkeypatch.setattr(os, "fsync", fail(errno.EIO))
    with pytest.raises(OSError, match=os.strerror(errno.EIO)):
        durability.sync_folders([tmp_path])


# --- temporary files --------------------------------------------------------------------------------------------------

LEFT = ".jmjp-0123456789abcdef.tmp"


@posix
def test_left_by_a_kill(tmp_path: Path) -> None:
    """What a killed writer leaves is removed by the next one that writes there, and nothing else is."""
    code = "import sys; from jmjp_convert.files import temporaries as t\n"
    code += f"left = t.begin({str(tmp_path)!r}, b'x'); print(end='.', flush=True); sys.stdin.read()"
    writer = [sys.executable, "-c", code]
    with subprocess.Popen(writer, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as running:
        assert running.stdout is not None
        running.stdout.read(1)
        (left,) = tmp_path.iterdir()
        assert is_temporary(left.name)
        clear(tmp_path)
        assert left.exists(), "it is in use"
        running.kill()
    others = [".jmjp-x.tmp", "0123456789abcdef.tmp", ".jmjp-0123456789abcdef.tmp.xml"]
    for name in others:
        (tmp_path / name).touch()
    (tmp_path / LEFT).mkdir()
    write(tmp_path / "out", b"x")
    assert sorted(path.name for path in tmp_path.iterdir()) == sorted([*others, LEFT, "out"])


def test_left_where_there_are_no_locks(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Without locks, as on Windows, a temporary file is removed once it is too old to be in use."""
    monkeypatch.setattr("jmjp_convert.files.temporaries.fcntl", None)
    (tmp_path / LEFT).touch()
    clear(tmp_path)
    assert (tmp_path / LEFT).exists()
    os.utime(tmp_path / LEFT, (time.time() - 7200,) * 2)
    clear(tmp_path)
    assert not (tmp_path / LEFT).exists()


def test_never_an_input(tmp_path: Path) -> None:
    """A temporary file in a directory is not one of its inputs."""
    (tmp_path / LEFT).write_bytes(b"<mjloggm")
    (tmp_path / "log.xml").write_bytes(b"<mjloggm")
    assert [entry.name for entry in entries(str(tmp_path), 1 << 20)] == ["log.xml"]
