"""Fetching games one by one: pages, internal errors, and the list of failures. Sessions have the rest."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from time import process_time

import pytest
from packing import PLAIN
from tenhou_server import TenhouServer, body, clock, serving

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


def run(remote: TenhouServer, folder: Path, ids: list[str], target: Target) -> Run:
    """Return a finished run over the games with *ids*."""
    games = [Game(log_id) for log_id in map(log_ids.parse_id, ids) if log_id is not None]
    with closing(State(folder / "state.sqlite", None)) as known:
        web = Web(server(remote.url), known, delay=0.01, timeout=5, max_size=100_000, tell=print)
        done = Run(web, target, lambda *_: None, again=False)
        number = len(list(done.run(games)))
    assert number == len(games) or done.stopped
    return done


def test_page_of_comments(remote: TenhouServer, tmp_path: Path) -> None:
    """A page that begins with many comments, as a log may, is recognized at once."""
    remote.put_log(IDS[0], body(b"<!-- closed -->\n" * 1000 + b"<html></html>"))
    start = process_time()
    (failure,) = run(remote, tmp_path, IDS[:1], Target(tmp_path, keep=True)).failures
    assert (failure.kind, failure.message) == (MISSING, "no such log (got another page)")
    assert process_time() - start < 2


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
