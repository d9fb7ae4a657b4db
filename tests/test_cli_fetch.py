"""The command `jmjp fetch`, against a server on loopback."""

from __future__ import annotations

import gzip
import json
import os
import re
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from datetime import date
from http.server import BaseHTTPRequestHandler
from pathlib import Path
from threading import Event

import pytest
from click.testing import CliRunner, Result
from converting import terminal_output
from packing import OTHER, PLAIN, SANMA
from tables import table
from tenhou_server import LOG_PATH, TenhouServer, body, clock, cut, encoded, serving, silent, status, unbounded

from jmjp_convert.cli import main
from jmjp_convert.fetch import state

ID = "2019041809gm-0009-0000-0123abcd"
OTHER_ID = "2019050112gm-0009-0000-4567cdef"
THREE_ID = "2019050112gm-0019-0000-89abcdef"
LINE = '09:41 | 34 | 四鳳南喰 | <a href="http://tenhou.net/0/?log={}">牌譜</a> | A(+56.0) B(-56.0)<br>\r\n\r\n'
__all__ = ["clock"]
pytestmark = pytest.mark.usefixtures("clock")
posix = pytest.mark.skipif(os.name != "posix", reason="POSIX only")
heard = pytest.mark.usefixtures("heard_signals")


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Work in an empty directory, without saved state, on 1 November 2021."""
    work = tmp_path / "work"
    work.mkdir()
    monkeypatch.chdir(work)
    monkeypatch.setenv("JMJP_HOME", str(tmp_path / "home"))
    monkeypatch.setenv("JMJP_BASE_URL", "http://127.0.0.1:9")  # where nothing listens
    monkeypatch.setenv("NO_PROXY", "*")
    monkeypatch.setattr(state, "today", lambda: date(2021, 11, 1))
    return tmp_path / "home"


@pytest.fixture
def tenhou(monkeypatch: pytest.MonkeyPatch) -> Iterator[TenhouServer]:
    """A server with two four-player games and one three-player game."""
    with serving() as server:
        monkeypatch.setenv("JMJP_BASE_URL", server.url)
        server.put_log(ID, encoded(PLAIN))
        server.put_log(OTHER_ID, body(OTHER))
        server.put_log(THREE_ID, body(SANMA))
        yield server


def fetch(*args: str, given: bytes | str = b"", code: int = 0) -> Result:
    """Run `jmjp fetch` with *args* and *given* on stdin, and check that its exit code is *code*."""
    result = CliRunner().invoke(main, ["fetch", "--delay", "0.5", *args], input=given)
    assert result.exit_code == code, result.output
    return result


def lists(*args: str, code: int = 0) -> Result:
    """Run `jmjp lists` with *args*, and check that its exit code is *code*."""
    result = CliRunner().invoke(main, ["lists", "--delay", "0.5", *args])
    assert result.exit_code == code, result.output
    return result


def said(result: Result) -> list[str]:
    """Return the messages on stderr."""
    return result.stderr.splitlines()


def files(folder: str = ".") -> dict[str, bytes]:
    """Return the files in a folder and their content."""
    return {
        path.relative_to(folder).as_posix(): path.read_bytes() for path in Path(folder).rglob("*") if path.is_file()
    }


def failures(folder: str = ".") -> list[dict[str, str]]:
    """Return the failures of the last run."""
    return [json.loads(line) for line in Path(folder, "failures.jsonl").read_text(encoding="utf-8").splitlines()]


# --- logs ------------------------------------------------------------------------------------------------------------


def test_cut(tenhou: TenhouServer) -> None:
    """A truncated log is requested again, and nothing is written before it is complete."""
    tenhou.put_log(ID, cut(PLAIN, 99), unbounded(PLAIN[:99]), unbounded(PLAIN))
    fetch(ID, OTHER_ID)
    assert files() == {f"{ID}.xml": PLAIN, f"{OTHER_ID}.xml": OTHER}
    assert len(tenhou.requests) == 4
    assert min(tenhou.pauses) >= 0.5


def test_manners(tenhou: TenhouServer) -> None:
    """Requests are sent one at a time with a pause between them, one second by default."""
    assert CliRunner().invoke(main, ["fetch", ID, OTHER_ID]).exit_code == 0
    assert min(tenhou.pauses) >= 1
    fetch(ID, OTHER_ID, "-o", "again")
    assert len(tenhou.pauses) == 3
    assert min(tenhou.pauses) >= 0.5
    assert not any(request.others for request in tenhou.requests)


def test_long_pause(tenhou: TenhouServer) -> None:
    """If the server asks for a long pause, the run stops, and later runs send no requests until it is over; work that
    needs no request is still done."""
    tenhou.put_log(ID, status(503, Retry_After="7200"))
    result = fetch(ID, OTHER_ID, code=1)
    pause = r"the server asked for a pause that ends in 7,[12][0-9][0-9] s"
    for line, pattern in zip(
        said(result),
        (
            "0 fetched, 0 already there, 1 failed",
            f"error: {ID}: {pause}",
            f"error: stopped: {pause}; run the same command again to continue",
        ),
        strict=True,
    ):
        assert re.fullmatch(pattern, line)
    fetch(OTHER_ID, code=1)
    Path(f"{OTHER_ID}.xml").write_bytes(OTHER)
    fetch(OTHER_ID, "--save", "both")
    assert len(tenhou.requests) == 1


def test_two_runs(tenhou: TenhouServer) -> None:
    """A second run waits for the first, or fails with --no-wait; there are never two requests at a time."""
    has_failed = Event()

    def cut_later(handler: BaseHTTPRequestHandler) -> None:
        has_failed.wait(60)
        cut(PLAIN, 99)(handler)

    tenhou.put_log(ID, cut_later, body(PLAIN))
    command = [sys.executable, "-m", "jmjp_convert", "fetch", "--delay", "0.5", "-o", "first", ID]
    with subprocess.Popen(command, stderr=subprocess.PIPE) as first:
        tenhou.wait_for(1)
        result = fetch(ID, "--no-wait", code=1)
        assert said(result) == ["error: another jmjp fetch is running; Tenhou asks for one at a time"]
        has_failed.set()
        assert said(fetch(THREE_ID))[0] == "note: another jmjp fetch is running; waiting for it to finish"
        assert first.wait() == 0
    assert [path.removeprefix(LOG_PATH) for path in tenhou.paths] == [ID, ID, THREE_ID]
    assert not any(request.others for request in tenhou.requests)
    assert min(tenhou.pauses) >= 0.5


@posix
@heard
@pytest.mark.parametrize(("number", "code"), [(signal.SIGINT, 130), (signal.SIGTERM, 143), (signal.SIGKILL, -9)])
def test_interrupted(tenhou: TenhouServer, number: int, code: int) -> None:
    """An interrupted run leaves only complete files, and the next run continues from there."""
    tenhou.put_log(OTHER_ID, silent, body(OTHER))
    command = [sys.executable, "-m", "jmjp_convert", "fetch", "--delay", "0.5", ID, OTHER_ID]
    with subprocess.Popen(command, stderr=subprocess.PIPE) as process:
        tenhou.wait_for(2)
        process.send_signal(number)
        assert process.stderr is not None
        stderr = process.stderr.read().decode()
        assert process.wait() == code
    assert files() == {f"{ID}.xml": PLAIN}
    if number != signal.SIGKILL:
        assert stderr.splitlines()[1:] == [
            "1 fetched, 0 already there, 0 failed",
            "interrupted after 1 log; run the same command again to continue",
        ]
    fetch(ID, OTHER_ID)
    assert files() == {f"{ID}.xml": PLAIN, f"{OTHER_ID}.xml": OTHER}
    assert tenhou.paths.count(f"{LOG_PATH}{ID}") == 1


def test_mirror(tenhou: TenhouServer) -> None:
    """Links to a mirror are accepted if it is the server in use."""
    fetch(f"{tenhou.url}/0/?log={ID}&tw=1", "--base-url", f"{tenhou.url}/")
    assert files() == {f"{ID}.xml": PLAIN}


@posix
def test_bar(tenhou: TenhouServer) -> None:
    """On a terminal a bar shows the progress, and a retry is reported above it."""
    import fcntl
    import pty
    import struct
    import termios

    tenhou.put_log(OTHER_ID, status(503), body(OTHER))
    master, slave = pty.openpty()
    fcntl.ioctl(slave, termios.TIOCSWINSZ, struct.pack("4H", 24, 100, 0, 0))
    command = [sys.executable, "-m", "jmjp_convert", "fetch", "--delay", "0.5", ID, OTHER_ID]
    with subprocess.Popen(command, stderr=slave) as process:
        os.close(slave)
        output = terminal_output(master).decode()
        assert process.wait() == 0
    assert "2/2" in output
    assert f"{ID} -> {ID}.xml" in output
    assert re.search(rf"note:\S* {OTHER_ID}: HTTP 503; try 2 of 5 in [0-9.]+ s\r", output)
    assert len(tenhou.requests) == 3


@posix
def test_terminal(tenhou: TenhouServer) -> None:
    """A log that is shown on a terminal does not control it."""
    tenhou.put_log(ID, body(PLAIN.replace(b"<GO ", "<!--\x9b2J--><GO ".encode(), 1)))
    master, slave = os.openpty()
    command = [sys.executable, "-m", "jmjp_convert", "fetch", "-o", "-", ID]
    with subprocess.Popen(command, stdout=slave, stderr=subprocess.DEVNULL) as process:
        os.close(slave)
        output = terminal_output(master).decode()
        assert process.wait() == 0
    assert "<!--\\x9b2J-->" in output


# --- lists -----------------------------------------------------------------------------------------------------------


INDEX = "/sc/raw/list.cgi"
PAGES = "/sc/raw/dat/"


def put_index(tenhou: TenhouServer, *pages: tuple[str, int], path: str = INDEX) -> None:
    """Serve an index with *pages*, each with its size."""
    entries = ",\r\n".join(f"{{file:'{name}',size:{size}}}" for name, size in pages)
    tenhou.put(path, encoded(f"list([\r\n{entries}\r\n]);".encode()))


@pytest.fixture
def ahead(monkeypatch: pytest.MonkeyPatch) -> list[float]:
    """Stop the clock of the index; the number is how many seconds it is ahead."""
    ahead = [0.0]
    start = int(time.time())
    monkeypatch.setattr("jmjp_convert.fetch.runs.time.time", lambda: start + ahead[0])
    return ahead


def test_index(tenhou: TenhouServer, ahead: list[float]) -> None:
    """Pages with links are fetched and decompressed if they are new or have changed in size; others are not, and the
    index is not requested again within twenty minutes."""
    put_index(tenhou, ("scc2019050112.html.gz", 10), ("sca20190501.log.gz", 11), ("2019/sce20190418.html.gz", 12))
    tenhou.put(f"{PAGES}scc2019050112.html.gz", body(gzip.compress(LINE.format(ID).encode())))
    tenhou.put(f"{PAGES}2019/sce20190418.html.gz", encoded(LINE.format(OTHER_ID).encode()))
    result = lists("--fetch", "-o", "pages")
    assert said(result) == ["list pages: 2 fetched, 0 already there"]
    assert files("pages") == {
        "scc2019050112.html": LINE.format(ID).encode(),
        "sce20190418.html": LINE.format(OTHER_ID).encode(),
    }
    assert tenhou.paths == [INDEX, f"{PAGES}scc2019050112.html.gz", f"{PAGES}2019/sce20190418.html.gz"]
    assert min(tenhou.pauses) >= 0.5

    ahead[0] = 19 * 60
    Path("pages/sce20190418.html").unlink()
    assert said(lists("--fetch", "-o", "pages")) == [
        "note: the index was requested less than 20 minutes ago; using the saved copy (try again in 1.0 minutes)",
        "list pages: 1 fetched, 1 already there",
    ]
    assert tenhou.paths.count(INDEX) == 1

    ahead[0] = 20 * 60
    put_index(tenhou, ("scc2019050112.html.gz", 20), ("2019/sce20190418.html.gz", 12))
    tenhou.put(f"{PAGES}scc2019050112.html.gz", body((LINE.format(ID) + LINE.format(THREE_ID)).encode()))
    assert said(lists("--fetch", "-o", "pages")) == ["list pages: 1 fetched, 1 already there"]
    assert lists("pages").stdout.split() == [ID, THREE_ID, OTHER_ID]
    assert tenhou.paths.count(INDEX) == 2
    assert not any(path.startswith(LOG_PATH) for path in tenhou.paths)


@pytest.mark.parametrize(("answer", "message"), table("cli_fetch", "index_fails", globals()))
def test_index_fails(tenhou: TenhouServer, ahead: list[float], answer: Callable[..., None], message: str) -> None:
    """An index that fails is not requested again within twenty minutes either; no older copy replaces it."""
    put_index(tenhou)
    lists("--fetch")
    ahead[0] = 3 * 24 * 3600
    tenhou.put(INDEX, answer)
    assert said(lists("--fetch", code=1))[-1] == f"error: {message}"
    ahead[0] += 60
    message = "error: the index was requested less than 20 minutes ago; try again in 19.0 minutes"
    assert said(lists("--fetch", code=1))[-1] == message
    assert tenhou.paths == [INDEX] * 2
    ahead[0] += 19 * 60
    lists("--fetch", code=1)
    assert tenhou.paths == [INDEX] * 3


@posix
def test_index_killed(tenhou: TenhouServer) -> None:
    """The time of an index request is noted before it is sent, so runs that are killed cannot hammer the server."""
    tenhou.put(INDEX, silent)
    command = [sys.executable, "-m", "jmjp_convert", "lists", "--fetch"]
    with subprocess.Popen(command, stderr=subprocess.PIPE) as process:
        tenhou.wait_for(1)
        process.kill()
        process.wait()
    assert "less than 20 minutes ago" in said(lists("--fetch", code=1))[-1]
    assert tenhou.paths == [INDEX]
