"""Fetching games one by one."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import closing
from datetime import date
from pathlib import Path
from time import process_time

import pytest
from packing import PLAIN
from tenhou_server import LOG_PATH, Answer, TenhouServer, body, clock, serving, status

from jmjp_convert.errors import ConvertError, FileError
from jmjp_convert.fetch import state
from jmjp_convert.fetch.lists import Game
from jmjp_convert.fetch.runs import CONVERT, FETCH, INPUT, MISSING, Failure, Run, Target, write_failures
from jmjp_convert.fetch.state import State
from jmjp_convert.fetch.web import Web, server
from jmjp_convert.model import log_ids

__all__ = ["clock"]
pytestmark = pytest.mark.usefixtures("clock")

IDS = [f"201905011{number}gm-0009-0000-4567cdef" for number in range(6)]


@pytest.fixture
def remote() -> Iterator[TenhouServer]:
    """A server."""
    with serving() as server:
        yield server


def run(
    remote: TenhouServer, folder: Path, ids: list[str], target: Target | None = None, *, again: bool = False
) -> Run:
    """Return a finished run over the games with *ids*."""
    games = [Game(log_id) for log_id in map(log_ids.parse_id, ids) if log_id is not None]
    with closing(State(folder / "state.sqlite", None)) as known:
        web = Web(server(remote.url), known, delay=0.01, timeout=5, max_size=100_000, tell=print)
        target = target or Target(folder, keep=True)
        done = Run(web, known, target, lambda *_: None, max_size=100_000, again=again)
        number = len(list(done.run(games)))
    assert number == len(games) or done.stopped
    return done


def test_no_responses(remote: TenhouServer, tmp_path: Path) -> None:
    """A run stops after three logs in a row without a response; a response resets the count."""
    for log_id in IDS:
        remote.put_log(log_id, status(500))
    remote.put_log(IDS[2], body(PLAIN))
    first = run(remote, tmp_path, IDS[:5])
    failed = [Failure(log_id, FETCH, "HTTP 500 (5 tries)") for log_id in IDS]
    assert (first.fetched, first.stopped, first.failures) == (1, "", [*failed[:2], *failed[3:5]])
    second = run(remote, tmp_path, [IDS[3], "20190501gm-0009-0000-00000000", *IDS[:2], *IDS[3:]])
    assert (second.fetched, second.stopped) == (0, "no response for 3 logs in a row")
    assert second.failures.pop(1).kind == MISSING
    assert second.failures.pop(0) == failed[3]
    assert second.failures == [failed[0], failed[1], failed[3]]
    assert remote.paths[-1] == f"{LOG_PATH}{IDS[3]}"


@pytest.mark.parametrize(
    "content",
    [
        b'<mjloggm ver="2.3">\x1b]0;x\x07</mjloggm>',
        b'<mjloggm ver="2.3"><GO></mjloggm>',
        PLAIN + b"<more/>",
        PLAIN.replace(b"<AGARI ", b'<AGARI who="0" who="1" ', 1),
        PLAIN.replace(b"<T", b"<T\x07", 1),
        # Its play is impossible long before the fault.
        PLAIN.replace(b'hai0="', b'hai0="999,', 1).replace(b"</mjloggm>", b"&x;</mjloggm>"),
    ],
)
def test_not_well_formed(remote: TenhouServer, tmp_path: Path, content: bytes) -> None:
    """What is not well-formed XML is not stored, and asked for again in the next run."""
    remote.put_log(IDS[0], body(content))
    for requests in (1, 2):
        (failure,) = run(remote, tmp_path, IDS[:1]).failures
        assert failure.kind == FETCH
        assert failure.message.startswith("the response is not a log (")
        assert len(remote.requests) == requests
    assert [path.name for path in tmp_path.iterdir()] == ["state.sqlite"]


@pytest.mark.parametrize(
    "content",
    [
        b'<mjloggm ver="2.3"></mjloggm>',
        PLAIN.replace(b'hai0="', b'hai0="999,', 1),
        b"<!-- a comment -->" + PLAIN,
        PLAIN.replace(b"<AGARI ", b"<NEWS/><AGARI ", 1),
    ],
)
def test_stored_all_the_same(remote: TenhouServer, tmp_path: Path, content: bytes) -> None:
    """A well-formed log is stored, even if its game is rejected."""
    remote.put_log(IDS[0], body(content))
    assert run(remote, tmp_path, IDS[:1]).failures == []
    assert (tmp_path / f"{IDS[0]}.xml").read_bytes() == content


def pages(remote: TenhouServer, number: int) -> list[str]:
    """Serve pages instead of *number* logs, and return their IDs."""
    ids = [f"20190501{hour:02}gm-0009-0000-89abcdef" for hour in range(number)]
    for log_id in ids:
        remote.put_log(log_id, body(b"<html>closed</html>"))
    return ids


def test_page_of_comments(remote: TenhouServer, tmp_path: Path) -> None:
    """A page that begins with many comments, as a log may, is recognized at once."""
    remote.put_log(IDS[0], body(b"<!-- closed -->\n" * 1000 + b"<html></html>"))
    start = process_time()
    (failure,) = run(remote, tmp_path, IDS[:1]).failures
    assert (failure.kind, failure.message) == (MISSING, "no such log (got another page)")
    assert process_time() - start < 2


def test_server_down(remote: TenhouServer, tmp_path: Path) -> None:
    """Ten pages in a row instead of logs stop the run, and none of these logs counts as missing."""
    ids = pages(remote, 12)
    first = run(remote, tmp_path, ids)
    assert first.stopped == "10 pages in a row instead of logs; the server may be down"
    assert len(remote.requests) == 10
    assert [failure.kind for failure in first.failures] == ["fetch"] * 10
    run(remote, tmp_path, ids[:9])
    assert len(remote.requests) == 19
    run(remote, tmp_path, ids[:9])
    assert len(remote.requests) == 19


def test_pages_among_logs(remote: TenhouServer, tmp_path: Path) -> None:
    """Fewer pages in a row, between other responses, mean that the logs are missing."""
    ids = pages(remote, 12)
    remote.put_log(IDS[0], body(PLAIN))
    done = run(remote, tmp_path, [*ids[:6], IDS[0], *ids[6:]])
    assert (done.stopped, done.fetched, len(done.failures)) == ("", 1, 12)
    assert {failure.kind for failure in done.failures} == {MISSING}
    run(remote, tmp_path, ids)
    assert len(remote.requests) == 13


def test_found_again(remote: TenhouServer, tmp_path: Path) -> None:
    """A log that is found after all no longer counts as missing."""
    run(remote, tmp_path, IDS[:1])
    remote.put_log(IDS[0], body(PLAIN))
    assert run(remote, tmp_path, IDS[:1]).fetched == 0
    assert run(remote, tmp_path, IDS[:1], again=True).fetched == 1
    (tmp_path / f"{IDS[0]}.xml").unlink()
    assert run(remote, tmp_path, IDS[:1]).fetched == 1


@pytest.fixture(autouse=True)
def on_day(monkeypatch: pytest.MonkeyPatch) -> Callable[[int], None]:
    """Set the date to a day of November 2021, and to the first before each test."""

    def set_date(number: int) -> None:
        monkeypatch.setattr(state, "today", lambda: date(2021, 11, number))

    set_date(1)
    return set_date


@pytest.mark.parametrize("answer", [status(404), body(b""), body(b"<html>none</html>")], ids=["404", "empty", "page"])
def test_asked_again(remote: TenhouServer, tmp_path: Path, on_day: Callable[[int], None], answer: Answer) -> None:
    """A missing log is asked for again after a day, then after a week; the failure says when."""
    remote.put_log(IDS[0], answer)
    seen = []
    for day in (1, 1, 2, 3, 8, 9, 10):
        on_day(day)
        (failure,) = run(remote, tmp_path, IDS[:1]).failures
        dates = failure.message.partition("), ")[2]
        seen.append((day, len(remote.requests), dates, failure.since, failure.next_try))
    since, tried = "missing since 2021-11-01", "or now with --again"
    assert seen == [
        (1, 1, "", "2021-11-01", "2021-11-02"),
        (1, 1, f"{since}; next try from 2021-11-02, {tried}", "2021-11-01", "2021-11-02"),
        (2, 2, since, "2021-11-01", "2021-11-09"),
        (3, 2, f"{since}; next try from 2021-11-09, {tried}", "2021-11-01", "2021-11-09"),
        (8, 2, f"{since}; next try from 2021-11-09, {tried}", "2021-11-01", "2021-11-09"),
        (9, 3, since, "2021-11-01", "2021-12-09"),
        (10, 3, f"{since}; next try from 2021-12-09, {tried}", "2021-11-01", "2021-12-09"),
    ]
    remote.put_log(IDS[0], body(PLAIN))
    assert run(remote, tmp_path, IDS[:1], again=True).fetched == 1


def test_again_does_not_prolong(remote: TenhouServer, tmp_path: Path) -> None:
    """Asking with --again several times on a day does not make the next pause longer."""
    for _ in range(4):
        (failure,) = run(remote, tmp_path, IDS[:1], again=True).failures
    assert (failure.since, failure.next_try, len(remote.requests)) == ("2021-11-01", "2021-11-02", 4)


def test_served_again(remote: TenhouServer, tmp_path: Path, on_day: Callable[[int], None]) -> None:
    """A log that is served again is fetched when it is due, and no longer counts as missing."""
    run(remote, tmp_path, IDS[:1])
    remote.put_log(IDS[0], body(PLAIN), status(404))
    on_day(2)
    done = run(remote, tmp_path, IDS[:1])
    assert (done.fetched, done.failures) == (1, [])
    (tmp_path / f"{IDS[0]}.xml").unlink()
    (failure,) = run(remote, tmp_path, IDS[:1]).failures
    assert failure == Failure(IDS[0], MISSING, "no such log (HTTP 404)", "2021-11-02", "2021-11-03")


def test_nothing_can_be_written(remote: TenhouServer, tmp_path: Path) -> None:
    """If files cannot be written, no further requests are sent."""
    for log_id in IDS:
        remote.put_log(log_id, body(PLAIN))
    (tmp_path / "file").write_bytes(b"")
    done = run(remote, tmp_path, IDS, Target(tmp_path / "file", keep=True))
    assert done.stopped.startswith(str(tmp_path / "file"))
    assert remote.requests == []
    (tmp_path / f"{IDS[0]}.xml").mkdir()
    done = run(remote, tmp_path, IDS, Target(tmp_path, keep=True, force=True))
    assert done.stopped == f"{tmp_path / IDS[0]}.xml is a directory"
    assert [failure.what for failure in done.failures] == [IDS[0]]
    assert len(remote.requests) == 1


def test_never_converted(remote: TenhouServer, tmp_path: Path) -> None:
    """A log that cannot be converted is not fetched again for that, except with --again or different options."""

    def converter(content: bytes, _: Game) -> bytes:
        raise ConvertError(f"{len(content)} bytes")

    remote.put_log(IDS[0], body(PLAIN))
    target = Target(tmp_path, keep=False, converter=converter, maker="1")
    for again, other, requests in ((False, "1", 1), (False, "1", 1), (True, "1", 2), (False, "2", 3)):
        done = run(remote, tmp_path, IDS[:1], target._replace(maker=other), again=again)
        assert [failure.kind for failure in done.failures] == [CONVERT]
        assert len(remote.requests) == requests
    assert done.failures[0].message == f"{len(PLAIN)} bytes"
    (failure,) = run(remote, tmp_path, IDS[:1], target).failures
    assert failure.message == f"{len(PLAIN)} bytes (as before; use --again to retry)"


def test_old_log(remote: TenhouServer, tmp_path: Path) -> None:
    """A game is converted from an existing log within the size bound, but fetched again with --force."""
    remote.put_log(IDS[0], body(PLAIN))
    (tmp_path / f"{IDS[0]}.xml").write_bytes(b"<old/>")
    target = Target(tmp_path, keep=False, converter=lambda content, _: content, suffix=".new")
    run(remote, tmp_path, IDS[:1], target)
    assert (tmp_path / f"{IDS[0]}.new").read_bytes() == b"<old/>"
    run(remote, tmp_path, IDS[:1], target._replace(force=True))
    assert (tmp_path / f"{IDS[0]}.new").read_bytes() == PLAIN
    (tmp_path / f"{IDS[1]}.xml").write_bytes(bytes(100_001))
    (failure,) = run(remote, tmp_path, IDS[1:2], target).failures
    assert failure.message == "larger than 100,000 bytes (--max-size)"


def test_converter_fails(remote: TenhouServer, tmp_path: Path) -> None:
    """An internal error in a conversion is reported as such, and does not stop the rest."""

    def converter(content: bytes, game: Game) -> bytes:
        if game.id.text == IDS[0]:
            raise KeyError(game)
        return content.upper()

    for log_id in IDS[:2]:
        remote.put_log(log_id, body(PLAIN))
    done = run(remote, tmp_path, IDS[:2], Target(tmp_path, keep=False, converter=converter, suffix=".big"))
    (failure,) = done.failures
    assert (failure.what, failure.kind) == (IDS[0], CONVERT)
    assert failure.message.startswith("internal error, report it: KeyError: ")
    assert (tmp_path / f"{IDS[1]}.big").read_bytes() == PLAIN.upper()
    assert {path.name for path in tmp_path.iterdir()} == {"state.sqlite", f"{IDS[1]}.big"}


def test_failures(tmp_path: Path) -> None:
    """Failures are written one per line; a completed run without failures removes an earlier file."""
    path = tmp_path / "failures.jsonl"
    write_failures(path, [], done=True)
    assert not path.exists()
    write_failures(path, [Failure("a\udcffb", INPUT, "東")], done=False)
    assert path.read_bytes() == '{"what": "a\\udcffb", "kind": "input", "message": "東"}\n'.encode()
    write_failures(path, [], done=False)
    assert path.exists()
    write_failures(path, [Failure("b", FETCH, "x")], done=True)
    assert path.read_bytes() == b'{"what": "b", "kind": "fetch", "message": "x"}\n'
    write_failures(path, [Failure("c", MISSING, "x", "2021-11-01", "2021-11-02")], done=True)
    dates = '"since": "2021-11-01", "next_try": "2021-11-02"'
    assert path.read_text() == f'{{"what": "c", "kind": "missing", "message": "x", {dates}}}\n'
    write_failures(path, [], done=True)
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("content", [b"", b"mine", b'{"source": "x", "member": null}\n', b"[]", b"\xff"])
def test_failures_of_others(tmp_path: Path, content: bytes) -> None:
    """A failures.jsonl of another program is left unchanged."""
    path = tmp_path / "failures.jsonl"
    path.write_bytes(content)
    for failures in ([], [Failure("b", FETCH, "x")]):
        with pytest.raises(FileError, match=r"was not written by jmjp fetch; left unchanged$"):
            write_failures(path, failures, done=True)
    assert path.read_bytes() == content
