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
import zipfile
from collections.abc import Callable, Iterator
from datetime import date
from pathlib import Path

import pytest
from click.testing import CliRunner, Result
from converting import shown_on
from packing import OTHER, PLAIN, SANMA
from tenhou_server import (
    LOG_PATH,
    TenhouServer,
    body,
    cut,
    encoded,
    redirect,
    serving,
    silent,
    slow,
    status,
    unbounded,
)

from jmjp_convert.cli import fetch as fetching
from jmjp_convert.cli import main
from jmjp_convert.fetch import state
from jmjp_convert.fetch.web import Web
from jmjp_convert.formats.jmjp.writer import write_jmjp
from jmjp_convert.formats.mjlog.reader import read_mjlog

ID = "2019041809gm-0009-0000-0123abcd"
OTHER_ID = "2019050112gm-0009-0000-4567cdef"
THREE_ID = "2019050112gm-0019-0000-89abcdef"
SCRAMBLED = "2012090306gm-0089-0000-x666f4d41e26b"
LINE = '09:41 | 34 | 四鳳南喰 | <a href="http://tenhou.net/0/?log={}">牌譜</a> | A(+56.0) B(-56.0)<br>\r\n\r\n'
posix = pytest.mark.skipif(os.name != "posix", reason="POSIX only")
heard = pytest.mark.usefixtures("heard_signals")
patient = pytest.mark.usefixtures("patience")


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
def patience() -> None:
    """Keep the pauses between requests at full length, for tests that check them."""


@pytest.fixture(autouse=True)
def haste(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """Shorten the pauses of runs in this process, for all other tests."""
    if "patience" not in request.fixturenames:
        monkeypatch.setattr(fetching, "Web", lambda *args, delay, **options: Web(*args, delay=delay / 50, **options))


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


def said(result: Result) -> list[str]:
    """Return the messages on stderr."""
    assert all(line.startswith("jmjp: ") for line in result.stderr.splitlines())
    return [line.removeprefix("jmjp: ") for line in result.stderr.splitlines()]


def files(folder: str = ".") -> dict[str, bytes]:
    """Return the files in a folder and their content."""
    return {
        path.relative_to(folder).as_posix(): path.read_bytes() for path in Path(folder).rglob("*") if path.is_file()
    }


def failures(folder: str = ".") -> list[dict[str, str]]:
    """Return the failures of the last run."""
    return [json.loads(line) for line in Path(folder, "failures.jsonl").read_text(encoding="utf-8").splitlines()]


def converted(content: bytes, log_id: str, time: str | None = None) -> bytes:
    """Return the jmjp text of a log."""
    return write_jmjp(read_mjlog(content, id=log_id, time=time)).encode()


# --- logs ------------------------------------------------------------------------------------------------------------


def test_id(tenhou: TenhouServer) -> None:
    """A log ID is fetched into a file, decompressed; a second run sends no request."""
    assert said(fetch(ID)) == [f"{ID} -> {ID}.xml", "1 fetched, 0 already there, 0 failed"]
    assert files() == {f"{ID}.xml": PLAIN}
    assert said(fetch(ID)) == ["0 fetched, 1 already there, 0 failed"]
    assert tenhou.paths == [f"{LOG_PATH}{ID}"]


def test_links_and_lists(tenhou: TenhouServer) -> None:
    """IDs, links, files of them, stdin and list pages, zipped or not, name games; each game is fetched once."""
    ids = [f"201905011{hour}gm-0009-0000-4567cdef" for hour in range(6)]
    for log_id in ids:
        tenhou.put_log(log_id, body(PLAIN))
    tenhou.put_log("2012090306gm-0089-0000-dc81a77a", body(OTHER))
    Path("ids.txt").write_text(f"# mine\n{ids[0]}\nhttps://tenhou.net/0/?log={ids[1]}&tw=1\n")
    Path("scc2019050112.html.gz").write_bytes(gzip.compress(LINE.format(ids[2]).encode()))
    with zipfile.ZipFile("scraw2019.zip", "w") as archive:
        archive.writestr("2019/scc20190501.html.gz", gzip.compress(LINE.format(ids[3]).encode()))
        archive.writestr("2019/readme.txt", "not a list")
    Path("pages").mkdir()
    Path("pages/sce20190501.html").write_text(LINE.format(ids[4]) + LINE.format(ids[0]), encoding="utf-8")
    Path("pages/notes.txt").write_text("not a list")
    link = f"https://tenhou.net/3/?log={ids[5]}"
    whats = [SCRAMBLED, "ids.txt", "scc2019050112.html.gz", "scraw2019.zip", "pages", link, link]
    result = fetch(*whats, "-i", "-", "-o", "logs", given=f"{ids[5]}\n{ids[1]}\n")
    assert said(result)[-1] == "7 fetched, 0 already there, 0 failed"
    names = ["2012090306gm-0089-0000-dc81a77a", *ids]
    assert sorted(files("logs")) == sorted(f"{name}.xml" for name in names)
    assert sorted(tenhou.paths) == sorted(LOG_PATH + name for name in names)


def test_stdin(tenhou: TenhouServer) -> None:
    """A dash reads a list from stdin."""
    fetch("-", "-q", given=f"{OTHER_ID}\n")
    assert files() == {f"{OTHER_ID}.xml": OTHER}
    assert len(tenhou.requests) == 1


def test_convert(tenhou: TenhouServer) -> None:
    """Games are also converted, with the time from a list page; a log that is already there needs no request."""
    Path("scc20190418.html").write_text(LINE.format(ID), encoding="utf-8")
    result = fetch("scc20190418.html", OTHER_ID, "--convert", "-o", "games")
    assert said(result) == [
        *(f"{ID} -> games/{ID}.xml", f"{ID} -> games/{ID}.jmjp"),
        *(f"{OTHER_ID} -> games/{OTHER_ID}.xml", f"{OTHER_ID} -> games/{OTHER_ID}.jmjp"),
        "2 fetched, 0 already there, 0 failed",
    ]
    expected = {
        f"{ID}.xml": PLAIN,
        f"{ID}.jmjp": converted(PLAIN, ID, "0941"),
        f"{OTHER_ID}.xml": OTHER,
        f"{OTHER_ID}.jmjp": converted(OTHER, OTHER_ID),
    }
    assert files("games") == expected
    Path(f"games/{OTHER_ID}.jmjp").unlink()
    fetch(OTHER_ID, "--convert-only", "-o", "games")
    assert files("games") == expected
    assert len(tenhou.requests) == 2


def test_convert_only(tenhou: TenhouServer) -> None:
    """Games can be converted without keeping the logs."""
    fetch(ID, "--convert-only", "--compact", "-o", "games")
    assert files("games") == {f"{ID}.jmjp": write_jmjp(read_mjlog(PLAIN, id=ID), compact=True).encode()}
    assert len(tenhou.requests) == 1


def test_convert_to(tenhou: TenhouServer) -> None:
    """Games can be converted to any format; what that format leaves out is reported once."""
    result = fetch(ID, OTHER_ID, THREE_ID, "--convert-only", "--to", "tenhou6")
    assert set(files()) == {f"{ID}.tenhou6.json", f"{OTHER_ID}.tenhou6.json", f"{THREE_ID}.tenhou6.json"}
    told = [line.partition("tenhou6 leaves out: ")[2] for line in said(result) if " leaves out: " in line]
    rest = "place, recorders, dice, copies of tiles, order of the deal"
    assert told == [f"target and uma, {rest}, Tenhou rules number"]  # the ID of one is of other rules
    assert len(tenhou.requests) == 3


@pytest.mark.parametrize(
    "given",
    [["--to", "jmjp"], ["--to", "mjai"], ["--compact"], ["--wall"], ["--no-verify"], ["--spec", "1.0"]],
    ids=" ".join,
)
def test_convert_implied(tenhou: TenhouServer, given: list[str]) -> None:
    """An option for the output format, even with its default value, implies --convert, unless --convert-only is
    given."""
    assert "1 fetched, 0 already there, 0 failed" in said(fetch(ID, *given))
    expected = files()
    (other,) = expected.keys() - {f"{ID}.xml"}
    fetch(ID, *given, "--convert", "-o", "both")
    assert files("both") == expected
    fetch(ID, *given, "--convert-only", "-o", "one")
    assert files("one") == {other: expected[other]}
    assert len(tenhou.requests) == 3


def test_convert_not_implied(tenhou: TenhouServer) -> None:
    """Other options do not imply --convert."""
    fetch(ID, "--max-size", "1M", "--force", "--again", "--limit", "3")
    assert files() == {f"{ID}.xml": PLAIN}
    assert len(tenhou.requests) == 1


def test_convert_fails(tenhou: TenhouServer) -> None:
    """A log that cannot be converted is reported, and kept if logs are kept."""
    message = "jmjp cannot hold three-player games"
    result = fetch(THREE_ID, ID, "--convert", "-o", "both", code=1)
    assert said(result)[-2:] == ["2 fetched, 0 already there, 1 failed", f"{THREE_ID}: {message}"]
    assert failures("both") == [{"what": THREE_ID, "kind": "convert", "message": message}]
    assert set(files("both")) == {f"{THREE_ID}.xml", f"{ID}.xml", f"{ID}.jmjp", "failures.jsonl"}
    result = fetch(THREE_ID, "--convert-only", "-o", "one", code=1)
    assert said(result)[-1] == f"{THREE_ID}: {message} (as before; use --again to retry)"
    assert set(files("one")) == {"failures.jsonl"}
    assert len(tenhou.requests) == 2
    fetch(THREE_ID, "--convert-only", "-o", "one", "--to", "tenhou6")
    assert set(files("one")) == {f"{THREE_ID}.tenhou6.json"}


def test_stdout(tenhou: TenhouServer) -> None:
    """One game can go to stdout, as log or converted, and nothing else is written there."""
    result = fetch(ID, "-o", "-")
    assert (result.stdout_bytes, result.stderr) == (PLAIN, "")
    result = fetch(ID, "-o", "-", "--convert-only")
    assert (result.stdout_bytes, result.stderr) == (converted(PLAIN, ID), "")
    result = fetch(OTHER_ID.replace("gm-0", "gm-1"), "-o", "-", code=1)
    assert result.stdout == ""
    assert files() == {}
    assert len(tenhou.requests) == 3


def test_force(tenhou: TenhouServer) -> None:
    """Existing files are fetched again with --force."""
    Path(f"{ID}.xml").write_bytes(b"old")
    fetch(ID)
    assert files() == {f"{ID}.xml": b"old"}
    fetch(ID, "--force")
    assert files() == {f"{ID}.xml": PLAIN}
    assert len(tenhou.requests) == 1


@pytest.mark.parametrize(
    ("answer", "message"),
    [
        (status(404), "no such log (HTTP 404)"),
        (body(b""), "no such log (empty response)"),
        (encoded(b"<html>error</html>"), "no such log (got another page)"),
    ],
    ids=["404", "empty", "a page"],
)
def test_missing(tenhou: TenhouServer, answer: Callable[..., None], message: str) -> None:
    """A missing log, however the server reports it, is requested once and remembered, unless --again is given."""
    tenhou.put_log(ID, answer)
    result = fetch(ID, OTHER_ID, code=1)
    assert said(result)[1:] == ["1 fetched, 0 already there, 1 failed", f"{ID}: {message}"]
    failure = {"what": ID, "kind": "missing", "message": message, "since": "2021-11-01", "next_try": "2021-11-02"}
    assert failures() == [failure]
    result = fetch(ID, OTHER_ID, code=1)
    message += ", missing since 2021-11-01; next try from 2021-11-02, or now with --again"
    assert said(result)[-1] == f"{ID}: {message}"
    assert failures() == [failure | {"message": message}]
    assert len(tenhou.requests) == 2
    assert set(files()) == {f"{OTHER_ID}.xml", "failures.jsonl"}
    tenhou.put_log(ID, body(PLAIN))
    fetch(ID, OTHER_ID, "--again")
    assert files() == {f"{ID}.xml": PLAIN, f"{OTHER_ID}.xml": OTHER}


@pytest.mark.parametrize(
    ("answer", "message"),
    [
        (body(b"<html>a page on <mjloggm></html>"), "the response is not a log"),
        (redirect("http://localhost/"), "redirect to 'http://localhost/' not followed"),
        (body(bytes(2_000)), "larger than 1,000 bytes (--max-size)"),
        (body(gzip.compress(bytes(2_000))), "larger than 1,000 bytes (--max-size)"),
    ],
    ids=["a page", "a redirect elsewhere", "large", "large when decompressed"],
)
def test_refused(tenhou: TenhouServer, answer: Callable[..., None], message: str) -> None:
    """A response that is not a log, or not trusted, is neither kept nor remembered."""
    tenhou.put_log(ID, answer)
    for _ in range(2):
        assert said(fetch(ID, "--max-size", "1000B", code=1))[-1] == f"{ID}: {message}"
    assert failures() == [{"what": ID, "kind": "fetch", "message": message}]
    assert set(files()) == {"failures.jsonl"}
    assert len(tenhou.requests) == 2


@patient
def test_cut(tenhou: TenhouServer) -> None:
    """A truncated log is requested again, and nothing is written before it is complete."""
    tenhou.put_log(ID, cut(PLAIN, 99), unbounded(PLAIN[:99]), unbounded(PLAIN))
    fetch(ID)
    assert files() == {f"{ID}.xml": PLAIN}
    assert len(tenhou.requests) == 3
    assert min(tenhou.pauses) >= 0.5


@patient
def test_manners(tenhou: TenhouServer) -> None:
    """Requests are sent one at a time with a pause between them, one second by default."""
    assert CliRunner().invoke(main, ["fetch", ID, OTHER_ID]).exit_code == 0
    assert min(tenhou.pauses) >= 1
    fetch(ID, OTHER_ID, "-o", "again")
    assert len(tenhou.pauses) == 3
    assert min(tenhou.pauses) >= 0.5
    assert not any(request.others for request in tenhou.requests)


def test_retry_after(tenhou: TenhouServer) -> None:
    """A pause requested by the server is observed."""
    tenhou.put_log(ID, status(429, Retry_After="2"), body(PLAIN))
    assert re.fullmatch(rf"{ID}: HTTP 429; try 2 of 5 in [12]\.[0-9] s, as the server asked", said(fetch(ID))[0])
    assert tenhou.pauses[0] >= 2


def test_retries(tenhou: TenhouServer) -> None:
    """Retries are reported as they come, unless --quiet is given; then only the failure is."""
    tenhou.put_log(ID, status(503), status(502), body(PLAIN))
    lines = said(fetch(ID))
    assert [line.rpartition(" in ")[0] for line in lines[:2]] == [
        f"{ID}: HTTP 503; try 2 of 5",
        f"{ID}: HTTP 502; try 3 of 5",
    ]
    assert lines[2:] == [f"{ID} -> {ID}.xml", "1 fetched, 0 already there, 0 failed"]
    tenhou.put_log(OTHER_ID, status(503), body(OTHER))
    assert said(fetch(OTHER_ID, "-q")) == []
    tenhou.put_log(THREE_ID, status(503))
    assert said(fetch(THREE_ID, "-q", code=1)) == [f"{THREE_ID}: HTTP 503 (5 tries)"]


def test_long_pause(tenhou: TenhouServer) -> None:
    """If the server asks for a long pause, the run stops, and later runs send no requests until it is over; work that
    needs no request is still done."""
    tenhou.put_log(ID, status(503, Retry_After="7200"))
    result = fetch(ID, OTHER_ID, code=1)
    pause = r"the server asked for a pause that ends in 7,[12][0-9][0-9] s"
    for line, pattern in zip(
        said(result),
        ("0 fetched, 0 already there, 1 failed", f"{ID}: {pause}", f"stopped: {pause}; run again to continue"),
        strict=True,
    ):
        assert re.fullmatch(pattern, line)
    fetch(OTHER_ID, code=1)
    Path(f"{OTHER_ID}.xml").write_bytes(OTHER)
    fetch(OTHER_ID, "--convert")
    assert len(tenhou.requests) == 1


@patient
def test_two_runs(tenhou: TenhouServer) -> None:
    """A second run waits for the first, or fails with --no-wait; there are never two requests at a time."""
    tenhou.put_log(ID, slow(PLAIN[:-1], 0.001), body(PLAIN))
    command = [sys.executable, "-m", "jmjp_convert", "fetch", "--delay", "0.5", "-o", "first", ID, OTHER_ID]
    with subprocess.Popen(command, stderr=subprocess.PIPE) as first:
        tenhou.wait_for(1)
        result = fetch(ID, "--no-wait", code=1)
        assert said(result) == ["another jmjp fetch is running; Tenhou asks for one at a time"]
        assert said(fetch(THREE_ID))[0] == "another jmjp fetch is running; waiting for it to finish"
        assert first.wait() == 0
    assert [path.removeprefix(LOG_PATH) for path in tenhou.paths] == [ID, ID, OTHER_ID, THREE_ID]
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
        shown = process.stderr.read().decode()
        assert process.wait() == code
    assert files() == {f"{ID}.xml": PLAIN}
    if number == signal.SIGINT:
        assert shown.splitlines()[1:] == ["jmjp: 1 fetched, 0 already there, 0 failed", "jmjp: interrupted"]
    fetch(ID, OTHER_ID)
    assert files() == {f"{ID}.xml": PLAIN, f"{OTHER_ID}.xml": OTHER}
    assert tenhou.paths.count(f"{LOG_PATH}{ID}") == 1


@pytest.mark.parametrize(
    "what", [f"../{ID}", f"https://tenhou.net/0/?log=../{ID}", "nothing", f"{ID}.xml", "https://["]
)
def test_wrong_name(tenhou: TenhouServer, what: str) -> None:
    """An argument that is not an ID, a link or a file is rejected without stopping the rest."""
    result = fetch(what, ID, code=1)
    message = "not a log ID, a link to a log or an existing file"
    assert said(result)[1:] == ["1 fetched, 0 already there, 1 failed", f"{what}: {message}"]
    assert failures() == [{"what": what, "kind": "input", "message": message}]
    assert tenhou.paths == [f"{LOG_PATH}{ID}"]


def test_wrong_lines(tenhou: TenhouServer) -> None:
    """Invalid lines of a file are reported by number, up to twenty; failures.jsonl has all of them."""
    Path("ids.txt").write_text(f"{ID}\n" + "x\n" * 30)
    result = fetch("-i", "ids.txt", "-i", "missing.txt", "-o", "logs", code=1)
    lines = said(result)
    assert lines[1:3] == [
        "1 fetched, 0 already there, 31 failed",
        "ids.txt:2: 'x' is not a log ID or a link to a log",
    ]
    assert lines[-1] == "11 more failed; see logs/failures.jsonl"
    assert len(lines) == 23
    assert failures("logs")[-1] == {"what": "missing.txt", "kind": "input", "message": "no such file or directory"}
    assert len(tenhou.requests) == 1


@pytest.mark.parametrize(
    ("args", "message"),
    [
        ([], "nothing to fetch; give an ID, a link, a file or --index"),
        ([ID, ""], "an argument is empty"),
        (["-", "-i", "-"], "stdin (-) can be read only once"),
        ([ID, "--index"], "--index accepts no WHAT; fetch the pages first, then the games in them"),
        ([ID, "--json"], "--json requires --list"),
        ([ID, "--old"], "--old and --pages require --index"),
        (["--index", "-o", "-"], "list pages cannot go to stdout; use -o DIR"),
        ([ID, "-o", "-", "--convert"], "log and conversion cannot both go to stdout; use --convert-only"),
        ([ID, OTHER_ID, "-o", "-"], "2 logs cannot go to stdout; use -o DIR"),
        ([ID, "--convert", "--convert-only"], "use --convert or --convert-only, not both"),
        (["--index", "--convert"], "--index fetches list pages only; fetch the games later"),
        (["--index", "--to", "mjai"], "--index fetches list pages only; fetch the games later"),
        ([ID, "--list", "--wall"], "--list fetches no logs; leave out --again and options for conversion"),
        ([ID, "-o", "-", "--to", "mjai"], "log and conversion cannot both go to stdout; use --convert-only"),
        ([ID, "--strict"], "--strict requires --convert or --convert-only"),
        (["--index", "--players", "4"], "--index fetches whole pages; add --list to select games"),
        ([ID, "--list", "--again"], "--list fetches no logs; leave out --again and options for conversion"),
        ([ID, "--delay", "0.4"], "Invalid value for '--delay': 0.4 is not in the range 0.5<=x<=3600."),
        ([ID, "--delay", "nan"], "Invalid value for '--delay': nan is not a valid number of seconds."),
        ([ID, "--timeout", "inf"], "Invalid value for '--timeout': inf is not in the range 0<x<=3600."),
        ([ID, "--date", "2019-4"], "'2019-4' is not a date such as 2021, 2021-07 or 2021-07-06"),
        ([ID, "--base-url", "tenhou.net"], "invalid base URL 'tenhou.net'; use one such as https://tenhou.net"),
    ],
)
def test_wrong_usage(args: list[str], message: str) -> None:
    """Invalid options and combinations are reported in one line."""
    (line,) = said(fetch(*args, code=2))
    assert message in line
    assert files() == {}


def test_output_is_a_file(tenhou: TenhouServer) -> None:
    """If the output directory is a file, no request is sent."""
    Path("logs").write_text("x")
    assert said(fetch(ID, OTHER_ID, "-o", "logs", code=1))[-1].startswith("stopped: logs: ")
    assert files() == {"logs": b"x"}
    assert tenhou.requests == []


def test_mirror(tenhou: TenhouServer) -> None:
    """Links to a mirror are accepted if it is the server in use."""
    fetch(f"{tenhou.url}/0/?log={ID}&tw=1", "--base-url", f"{tenhou.url}/")
    assert files() == {f"{ID}.xml": PLAIN}


def test_no_games(tenhou: TenhouServer) -> None:
    """A file without any games is reported."""
    Path("empty.txt").write_text("# nothing\n")
    Path("notes").mkdir()
    assert said(fetch("empty.txt", "notes")) == [
        "empty.txt: no games found",
        "notes: no games found",
        "0 fetched, 0 already there, 0 failed",
    ]
    assert tenhou.requests == []


def test_id_and_file(tenhou: TenhouServer) -> None:
    """A log ID is never read as a file name, even if such a file exists."""
    Path(ID).write_bytes(b"x")
    fetch(ID)
    assert len(tenhou.requests) == 1


def test_time_given_later(tenhou: TenhouServer) -> None:
    """The start time from a list page is used, whether the ID or the page comes first."""
    Path("scc20190418.html").write_text(LINE.format(ID), encoding="utf-8")
    fetch(ID, "scc20190418.html", "--convert-only")
    assert files()[f"{ID}.jmjp"] == converted(PLAIN, ID, "0941")
    assert len(tenhou.requests) == 1


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
        shown = shown_on(master).decode()
        assert process.wait() == 0
    assert "2/2" in shown
    assert f"jmjp: {ID} -> {ID}.xml" in shown
    assert re.search(rf"jmjp: {OTHER_ID}: HTTP 503; try 2 of 5 in [0-9.]+ s\r", shown)
    assert len(tenhou.requests) == 3


# --- lists -----------------------------------------------------------------------------------------------------------


def test_list(tenhou: TenhouServer) -> None:
    """--list shows the IDs in list pages, filtered by players, length and date, and sends no request."""
    Path("scc20190501.html").write_text("".join(map(LINE.format, (ID, OTHER_ID, THREE_ID))), encoding="utf-8")
    assert fetch("--list", "scc20190501.html").stdout.split() == [ID, OTHER_ID, THREE_ID]
    assert fetch("--list", "scc20190501.html", "--players", "4").stdout.split() == [ID, OTHER_ID]
    assert fetch("--list", "scc20190501.html", "--date", "2019-05").stdout.split() == [OTHER_ID, THREE_ID]
    assert fetch("--list", "scc20190501.html", "--length", "tonpuu").stdout == ""
    assert fetch("--list", "scc20190501.html", "--limit", "1").stdout.split() == [ID]
    assert fetch("--list", SCRAMBLED).stdout.split() == ["2012090306gm-0089-0000-dc81a77a"]
    assert tenhou.requests == []


def test_list_json() -> None:
    """--list --json shows all that a page gives about a game."""
    Path("scc20190418.html").write_text(LINE.format(ID), encoding="utf-8")
    result = fetch("--list", "--json", "scc20190418.html", OTHER_ID)
    assert [json.loads(line) for line in result.stdout.splitlines()] == [
        {
            "id": ID,
            "date": "20190418",
            "time": "0941",
            "minutes": 34,
            "players": 4,
            "length": "hanchan",
            "lobby": 0,
            "rule": "四鳳南喰",
            "results": [{"name": "A", "result": "+56.0"}, {"name": "B", "result": "-56.0"}],
        },
        {
            "id": OTHER_ID,
            "date": "20190501",
            "time": None,
            "minutes": None,
            "players": 4,
            "length": "hanchan",
            "lobby": 0,
            "rule": None,
            "results": [],
        },
    ]


INDEX = "/sc/raw/list.cgi"
PAGES = "/sc/raw/dat/"


def put_index(tenhou: TenhouServer, *pages: tuple[str, int], path: str = INDEX) -> None:
    """Serve an index with *pages*, each with its size."""
    entries = ",\r\n".join(f"{{file:'{name}',size:{size}}}" for name, size in pages)
    tenhou.put(path, encoded(f"list([\r\n{entries}\r\n]);".encode()))


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> list[float]:
    """Replace the clock by one that stands still until it is advanced."""
    ahead = [0.0]
    start = int(time.time())
    monkeypatch.setattr("jmjp_convert.fetch.runs.time.time", lambda: start + ahead[0])
    return ahead


@patient
def test_index(tenhou: TenhouServer, clock: list[float]) -> None:
    """Pages with links are fetched and decompressed if they are new or have changed in size; others are not, and the
    index is not requested again within twenty minutes."""
    put_index(tenhou, ("scc2019050112.html.gz", 10), ("sca20190501.log.gz", 11), ("2019/sce20190418.html.gz", 12))
    tenhou.put(f"{PAGES}scc2019050112.html.gz", body(gzip.compress(LINE.format(ID).encode())))
    tenhou.put(f"{PAGES}2019/sce20190418.html.gz", encoded(LINE.format(OTHER_ID).encode()))
    result = fetch("--index", "-o", "pages")
    assert said(result) == ["list pages: 2 fetched, 0 already there"]
    assert files("pages") == {
        "scc2019050112.html": LINE.format(ID).encode(),
        "sce20190418.html": LINE.format(OTHER_ID).encode(),
    }
    assert tenhou.paths == [INDEX, f"{PAGES}scc2019050112.html.gz", f"{PAGES}2019/sce20190418.html.gz"]
    assert min(tenhou.pauses) >= 0.5

    clock[0] = 19 * 60
    Path("pages/sce20190418.html").unlink()
    assert said(fetch("--index", "-o", "pages")) == [
        "the index was requested less than 20 minutes ago; using the saved copy (try again in 1.0 minutes)",
        "list pages: 1 fetched, 1 already there",
    ]
    assert tenhou.paths.count(INDEX) == 1

    clock[0] = 20 * 60
    put_index(tenhou, ("scc2019050112.html.gz", 20), ("2019/sce20190418.html.gz", 12))
    tenhou.put(f"{PAGES}scc2019050112.html.gz", body((LINE.format(ID) + LINE.format(THREE_ID)).encode()))
    result = fetch("--index", "--list", "-o", "pages")
    assert said(result) == ["list pages: 1 fetched, 1 already there"]
    assert result.stdout.split() == [ID, THREE_ID, OTHER_ID]
    assert tenhou.paths.count(INDEX) == 2
    assert not any(path.startswith(LOG_PATH) for path in tenhou.paths)


def test_old_index(tenhou: TenhouServer) -> None:
    """The index of older pages is separate, with its own time; --pages restricts the kinds of pages."""
    put_index(tenhou)
    put_index(tenhou, ("2019/scc20190418.html.gz", 9), ("2019/scf20190418.html.gz", 9), path=f"{INDEX}?old")
    tenhou.put(f"{PAGES}2019/scf20190418.html.gz", body(b""))
    assert said(fetch("--index")) == ["list pages: 0 fetched, 0 already there"]
    assert said(fetch("--index", "--old", "--pages", "scf")) == ["list pages: 1 fetched, 0 already there"]
    assert tenhou.paths == [INDEX, f"{INDEX}?old", f"{PAGES}2019/scf20190418.html.gz"]
    assert files() == {"scf20190418.html": b""}


@pytest.mark.parametrize(
    ("answer", "message"),
    [
        (body(b"<html>"), "not an index of list pages"),
        (unbounded(b"list([{file:'scc2019050112.html.gz',size:1},"), "the response is truncated (1 try)"),
        (status(500), "HTTP 500 (1 try)"),
    ],
    ids=["a page", "cut off", "500"],
)
def test_index_fails(tenhou: TenhouServer, clock: list[float], answer: Callable[..., None], message: str) -> None:
    """An index that fails is not requested again within twenty minutes either; no older copy replaces it."""
    put_index(tenhou)
    fetch("--index")
    clock[0] = 3 * 24 * 3600
    tenhou.put(INDEX, answer)
    assert said(fetch("--index", code=1))[-1] == message
    clock[0] += 60
    message = "the index was requested less than 20 minutes ago; try again in 19.0 minutes"
    assert said(fetch("--index", code=1))[-1] == message
    assert tenhou.paths == [INDEX] * 2
    clock[0] += 19 * 60
    fetch("--index", code=1)
    assert tenhou.paths == [INDEX] * 3


@posix
def test_index_killed(tenhou: TenhouServer) -> None:
    """The time of an index request is noted before it is sent, so runs that are killed cannot hammer the server."""
    tenhou.put(INDEX, silent)
    command = [sys.executable, "-m", "jmjp_convert", "fetch", "--index"]
    with subprocess.Popen(command, stderr=subprocess.PIPE) as process:
        tenhou.wait_for(1)
        process.kill()
        process.wait()
    assert "less than 20 minutes ago" in said(fetch("--index", code=1))[-1]
    assert tenhou.paths == [INDEX]


def test_page_fails(tenhou: TenhouServer) -> None:
    """A missing page is reported without stopping the rest, and is not remembered."""
    put_index(tenhou, ("scc2019050112.html.gz", 10), ("scc2019050113.html.gz", 10))
    tenhou.put(f"{PAGES}scc2019050113.html.gz", body(b""))
    result = fetch("--index", "-o", "pages", code=1)
    assert said(result) == ["list pages: 1 fetched, 0 already there", "scc2019050112.html: HTTP 404"]
    assert failures("pages") == [{"what": "scc2019050112.html", "kind": "fetch", "message": "HTTP 404"}]
    tenhou.put(f"{PAGES}scc2019050112.html.gz", body(b""))
    assert said(fetch("--index", "-o", "pages"))[-1] == "list pages: 1 fetched, 1 already there"
    assert set(files("pages")) == {"scc2019050112.html", "scc2019050113.html"}


def test_not_a_list_page(tenhou: TenhouServer) -> None:
    """Another page instead of a list page is not saved, and the list page is requested again."""
    put_index(tenhou, ("scc2019050112.html.gz", 10))
    tenhou.put(f"{PAGES}scc2019050112.html.gz", body(b"<html>closed</html>"), body(LINE.format(ID).encode()))
    assert said(fetch("--index", code=1))[-1] == "scc2019050112.html: the response is not a list page"
    assert set(files()) == {"failures.jsonl"}
    fetch("--index")
    assert files() == {"scc2019050112.html": LINE.format(ID).encode()}
    fetch("--index", "--force")
    assert tenhou.paths.count(f"{PAGES}scc2019050112.html.gz") == 3
