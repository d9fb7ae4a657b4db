"""Outputs: written completely or not at all, and so that they survive a power cut: what is synced, in which order."""

from __future__ import annotations

import errno
import os
import stat
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from jmjp_convert.errors import FileError
from jmjp_convert.files import durability
from jmjp_convert.files.archives import entries
from jmjp_convert.files.outputs import Outputs, make_directory, write
from jmjp_convert.files.temporaries import clear, is_temporary

posix = pytest.mark.skipif(os.name != "posix", reason="POSIX only")
CONTENT = "天鳳\n".encode() * 1000
OLD = b"old\n"


def names(folder: Path) -> list[str]:
    """Return the names of everything in *folder*."""
    return sorted(path.name for path in folder.iterdir())


def raising(error: BaseException) -> Callable[..., None]:
    """Return a function that raises *error* for any arguments."""

    def fail(*_: object) -> None:
        raise error

    return fail


@posix
@pytest.mark.parametrize("force", [False, True])
@pytest.mark.parametrize(("umask", "mode"), [(0o022, 0o644), (0o077, 0o600), (0o002, 0o664)])
def test_umask(tmp_path: Path, umask: int, mode: int, *, force: bool) -> None:
    """The umask sets the permissions of a file."""
    before = os.umask(umask)
    try:
        write(tmp_path / "out", CONTENT, force=force)
    finally:
        os.umask(before)
    assert stat.S_IMODE((tmp_path / "out").stat().st_mode) == mode


def test_without_links(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """An existing file is not overwritten where the file system has no links."""
    monkeypatch.setattr(Path, "hardlink_to", raising(PermissionError(errno.EPERM, "Operation not permitted")))
    path = tmp_path / "out"
    write(path, OLD)
    with pytest.raises(FileError, match="exists"):
        write(path, CONTENT)
    assert path.read_bytes() == OLD
    assert names(tmp_path) == ["out"]


@pytest.mark.parametrize("force", [False, True])
@pytest.mark.parametrize("function", ["write", "close"])
def test_full_disk(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, function: str, *, force: bool) -> None:
    """If the disk is full, an existing file stays, and nothing is left behind."""
    path = tmp_path / "out"
    if force:
        path.write_bytes(OLD)
    monkeypatch.setattr(os, function, raising(OSError(errno.ENOSPC, "No space left on device")))
    with pytest.raises(FileError) as caught:
        write(path, CONTENT, force=force)
    monkeypatch.undo()
    assert str(caught.value) == f"{path}: no space left on device"
    assert names(tmp_path) == (["out"] if force else [])
    assert not force or path.read_bytes() == OLD


@pytest.mark.parametrize("error", [KeyboardInterrupt(), SystemExit(143), RuntimeError()])
@pytest.mark.parametrize("step", ["open", "write"])
def test_interrupted(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, step: str, error: BaseException) -> None:
    """Nothing is left behind, whatever interrupts the writing."""
    genuine = getattr(os, step)

    def half(first: object, second: object, *rest: object) -> None:
        genuine(first, second[:100] if isinstance(second, memoryview) else second, *rest)
        raise error

    monkeypatch.setattr(os, step, half)
    with pytest.raises(type(error)):
        write(tmp_path / "out", CONTENT)
    monkeypatch.undo()
    assert names(tmp_path) == []


def test_no_directory(tmp_path: Path) -> None:
    """A missing directory is reported with the name of the file."""
    path = tmp_path / "missing" / "out"
    with pytest.raises(FileError) as caught:
        write(path, CONTENT)
    assert str(caught.value) == f"{path}: no such file or directory"


@posix
def test_device() -> None:
    """A device is written to without force, and stays a device."""
    write(Path("/dev/null"), CONTENT)
    write(Path("/dev/null"), CONTENT, force=True)
    assert stat.S_ISCHR(Path("/dev/null").stat().st_mode)


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="Linux only")
def test_full_device() -> None:
    """An error of a device is reported."""
    with pytest.raises(FileError, match=r"^/dev/full: no space left on device$"):
        write(Path("/dev/full"), CONTENT)


@posix
def test_pipe(tmp_path: Path) -> None:
    """A named pipe is written to, however large the content, and stays."""
    path = tmp_path / "pipe"
    os.mkfifo(path)
    received: list[bytes] = []
    reader = threading.Thread(target=lambda: received.append(path.read_bytes()))
    reader.start()
    write(path, CONTENT * 100)
    reader.join()
    assert received == [CONTENT * 100]
    assert stat.S_ISFIFO(path.stat().st_mode)


@posix
def test_own_stdout(tmp_path: Path) -> None:
    """`/dev/stdout` is stdout; if that is a file, it is appended to."""
    path = tmp_path / "out"
    program = "from jmjp_convert.files.outputs import *; [write('/dev/stdout', b'new\\n') for _ in range(2)]"
    with path.open("wb") as file:
        file.write(OLD)
        file.flush()
        subprocess.run([sys.executable, "-c", program], check=True, stdout=file)
    assert path.read_bytes() == b"old\nnew\nnew\n"


@posix
def test_reserved_under_another_name(tmp_path: Path) -> None:
    """An output is recognized under a second name by the file's identity."""
    run = Outputs([], force=True)
    run.reserve(str(tmp_path / "out"), "a.xml")
    run.write(str(tmp_path / "out"), CONTENT, "a.xml")
    (done,) = run.put()
    assert (done.path, done.owner, done.error) == (str(tmp_path / "out"), "a.xml", None)
    (tmp_path / "OUT").hardlink_to(tmp_path / "out")
    with pytest.raises(FileError, match=r"OUT is already the output of a\.xml; "):
        run.reserve(str(tmp_path / "OUT"), "b.xml")


def test_reserved_before_it_exists(tmp_path: Path) -> None:
    """A file created between the check and the writing is not overwritten."""
    run = Outputs([], force=False)
    run.reserve(str(tmp_path / "out"), "a.xml")
    (tmp_path / "out").write_bytes(OLD)
    run.write(str(tmp_path / "out"), CONTENT, "a.xml")
    (done,) = run.put()
    assert (done.path, done.owner) == (str(tmp_path / "out"), "a.xml")
    assert str(done.error) == f"{done.path} exists; use --force to overwrite it"
    assert Path(done.path).read_bytes() == OLD
    assert names(tmp_path) == ["out"]


def test_put_in_order(tmp_path: Path) -> None:
    """Outputs get their names together and are reported in order; one that fails does not stop the rest."""
    paths = [tmp_path / name for name in "cab"]
    with Outputs([], force=False) as run:
        for path in paths:
            run.reserve(str(path), f"{path.name}.xml")
            run.write(str(path), CONTENT, f"{path.name}.xml")
        assert not any(path.exists() for path in paths)
        paths[1].write_bytes(OLD)
        assert [(Path(done.path), done.error is None) for done in run.put()] == list(
            zip(paths, [True, False, True], strict=True)
        )
    assert [path.read_bytes() for path in paths] == [CONTENT, OLD, CONTENT]
    assert names(tmp_path) == ["a", "b", "c"]


def test_full(tmp_path: Path) -> None:
    """After a number of files, it is time to put them in place: they are open until then."""
    with Outputs([], force=False) as run:
        for number in range(64):
            assert not run.full
            run.write(str(tmp_path / str(number)), CONTENT, "")
        assert run.full
        assert len(list(run.put())) == 64
        assert not run.full


def test_ended_early(tmp_path: Path) -> None:
    """At the end of a run, nothing is left of files that have not got their names."""
    with Outputs([], force=False) as run:
        run.write(str(tmp_path / "out"), CONTENT, "a.xml")
    assert names(tmp_path) == []


@posix
def test_two_names_of_one_file(tmp_path: Path) -> None:
    """With force too, an output does not replace another one whose name the file system takes for the same."""
    with Outputs([], force=True) as run:
        for name in ("out", "OUT"):
            run.reserve(str(tmp_path / name), f"{name}.xml")
            run.write(str(tmp_path / name), name.encode(), f"{name}.xml")
        put = run.put()
        assert next(put).error is None
        (tmp_path / "OUT").hardlink_to(tmp_path / "out")  # as if it were the same name
        error = next(put).error
    assert (
        str(error) == f"{tmp_path / 'OUT'} is the same file as {tmp_path / 'out'}; convert it separately, with --output"
    )
    assert (tmp_path / "out").read_bytes() == b"out"


@posix
def test_disk_that_fails(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """If the disk fails, no file gets a name that a power cut would leave without its content."""
    monkeypatch.setattr(os, "fsync", raising(OSError(errno.EIO, "Input/output error")))
    with Outputs([], force=False) as run:
        run.write(str(tmp_path / "out"), CONTENT, "a.xml")
        (done,) = run.put()
    assert str(done.error) == f"{tmp_path / 'out'}: input/output error"
    assert names(tmp_path) == []


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
            opened_as[descriptor] = Path(path).name
            return descriptor

        def doubled(descriptor: int) -> int:
            other = double(descriptor)
            opened_as[other] = opened_as[descriptor]
            return other

        def synced(descriptor: int) -> None:
            sync(descriptor)
            self.append(("sync", opened_as[descriptor]))

        opened_as: dict[int, str] = {}
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
def test_new_directories_are_on_disk(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
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
