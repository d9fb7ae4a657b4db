"""Run `jmjp` in a temporary folder with a valid and an invalid log."""

from __future__ import annotations

import errno
import os
import shutil
import subprocess
import sys
import time
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from jmjp_convert.cli import main
from jmjp_convert.formats.jmjp.writer import write_jmjp
from jmjp_convert.formats.mjlog.reader import read_mjlog
from jmjp_convert.formats.reading import Reading, read_content
from jmjp_convert.formats.session import Loaded

FIXTURES = Path(__file__).parent.parent / "fixtures"
PLAIN = FIXTURES / "valid" / "plain.xml"
BROKEN = FIXTURES / "invalid" / "discard-not-held.xml"
WHY_BROKEN = "frame E1-0, element 6 <D4>: East (Kaede) does not hold tile 4 (2m)"
ID = "2011020417gm-00a9-0000-b67fcaa3"


def loaded() -> Loaded:
    """Return what is read of the valid log."""
    return read_content(PLAIN.read_bytes(), "log.xml", Reading(), pytest.fail)


posix = pytest.mark.skipif(os.name != "posix", reason="POSIX only")
heard = pytest.mark.usefixtures("heard_signals")


@pytest.fixture(autouse=True)
def work(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Work in a directory that contains only `log.xml`, which is valid, and `bad.xml`, which is not."""
    shutil.copy(PLAIN, tmp_path / "log.xml")
    shutil.copy(BROKEN, tmp_path / "bad.xml")
    monkeypatch.chdir(tmp_path)
    return tmp_path


def jmjp(*args: str, given: bytes = b"") -> Result:
    """Return the result of `jmjp` with *args* and *given* on stdin."""
    return CliRunner().invoke(main, args, input=given)


def convert(*args: str, given: bytes = b"") -> Result:
    """Return the result of `jmjp convert` with *args* and *given* on stdin."""
    return jmjp("convert", *args, given=given)


def process(*args: str, program: str = "", **options: object) -> subprocess.Popen[bytes]:
    """Start `jmjp` with *args* as a process."""
    start = [sys.executable, *(("-c", program) if program else ("-m", "jmjp_convert")), *args]
    streams = dict.fromkeys(("stdin", "stdout", "stderr"), subprocess.PIPE) | options
    return subprocess.Popen(start, **streams)  # type: ignore[call-overload, no-any-return]


def opened_when_read(pipe: str, by: subprocess.Popen[bytes]) -> int:
    """Return the named *pipe*, opened for writing as soon as the process *by* has opened it for reading."""
    while by.poll() is None:
        try:
            return os.open(pipe, os.O_WRONLY | os.O_NONBLOCK)
        except OSError as error:
            if error.errno != errno.ENXIO:  # nobody reads
                raise
            time.sleep(0.01)
    raise AssertionError(by.communicate())


def terminal_output(terminal: int) -> bytes:
    """Return all that is shown on a *terminal*, given as the descriptor of its other side, until no process has it."""
    output = b""
    with suppress(OSError):  # as Linux reports the end
        while chunk := os.read(terminal, 1 << 16):
            output += chunk
    os.close(terminal)
    return output


def expected(*paths: str, spec: str = "1.0", compact: bool = False) -> bytes:
    """Return the output for the logs *paths*."""
    return write_jmjp([read_mjlog(path) for path in paths], spec=spec, compact=compact).encode()


def files() -> dict[str, bytes]:
    """Return all new files and their contents."""
    contents = {path.relative_to(".").as_posix(): path.read_bytes() for path in Path().rglob("*") if path.is_file()}
    assert contents.pop("log.xml") == PLAIN.read_bytes()
    assert contents.pop("bad.xml") == BROKEN.read_bytes()
    return contents


def raising(error: BaseException) -> Callable[..., None]:
    """Return a function that raises *error*, whatever its arguments."""

    def fail(*_: object, **__: object) -> None:
        raise error

    return fail


def assert_did(result: Result, code: int, *lines: str, stdout: bytes = b"") -> None:
    """Check the exit code, the lines on stderr with their kinds, and stdout."""
    assert result.stderr == "".join(f"{line}\n" for line in lines)
    assert result.stdout_bytes == stdout
    assert result.exit_code == code
