"""Games fetched one after the other."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest
from packing import PLAIN
from tenhou_server import LOG_PATH, TenhouServer, body, serving, status

from jmjp_convert import tenhou
from jmjp_convert.fetch.games import FETCH, INPUT, Failure, Placing, Run, write_failures
from jmjp_convert.fetch.lists import Game
from jmjp_convert.fetch.state import State
from jmjp_convert.fetch.web import Web, server

IDS = [f"201905011{number}gm-0009-0000-4567cdef" for number in range(6)]


class Silent:
    """Listens, and says nothing."""

    def __init__(self) -> None:
        self.done = 0

    def advance(self) -> None:
        """Count."""
        self.done += 1

    def wrote(self, what: str, output: str | None) -> None:
        """Say nothing."""


@pytest.fixture
def remote() -> Iterator[TenhouServer]:
    """A server."""
    with serving() as found:
        yield found


def run(remote: TenhouServer, folder: Path, ids: list[str], placing: Placing | None = None) -> Run:
    """Return what a run over games with *ids* comes to."""
    games = [Game(found) for found in map(tenhou.parse_id, ids) if found is not None]
    with closing(State(folder / "state.sqlite", None)) as state:
        web = Web(server(remote.url), state, delay=0.01, timeout=5, max_size=100_000, tell=print)
        listener = Silent()
        done = Run(web, state, placing or Placing(folder, keep=True), listener, again=False)
        done.run(games)
    assert listener.done == len(games) or done.stopped
    return done


def test_no_answers(remote: TenhouServer, tmp_path: Path) -> None:
    """A server that answers nothing for three logs in a row is left alone; an answer in between begins anew."""
    for log_id in IDS:
        remote.put_log(log_id, status(500))
    remote.put_log(IDS[2], body(PLAIN))
    first = run(remote, tmp_path, IDS[:5])
    failed = [Failure(log_id, FETCH, "HTTP 500 (5 tries)") for log_id in IDS]
    assert (first.fetched, first.stopped, first.failures) == (1, "", [*failed[:2], *failed[3:5]])
    second = run(remote, tmp_path, IDS[:2] + IDS[3:])
    assert (second.fetched, second.stopped) == (0, "no answer for 3 logs in a row")
    assert second.failures == [failed[0], failed[1], failed[3]]
    assert remote.paths[-1] == f"{LOG_PATH}{IDS[3]}"


def test_converter_fails(remote: TenhouServer, tmp_path: Path) -> None:
    """A fault of the conversion is told as what it is, and does not stop the rest."""

    def converter(content: bytes, game: Game) -> bytes:
        if game.id.text == IDS[0]:
            raise KeyError(game)
        return content.upper()

    for log_id in IDS[:2]:
        remote.put_log(log_id, body(PLAIN))
    done = run(remote, tmp_path, IDS[:2], Placing(tmp_path, keep=False, converter=converter, suffix=".big"))
    ((what, kind, message),) = done.failures
    assert (what, kind) == (IDS[0], "convert")
    assert message.startswith("internal error, please report it: KeyError: ")
    assert (tmp_path / f"{IDS[1]}.big").read_bytes() == PLAIN.upper()
    assert {path.name for path in tmp_path.iterdir()} == {"state.sqlite", f"{IDS[1]}.big"}


def test_failures(tmp_path: Path) -> None:
    """Failures are written a line each; without any, those of an earlier run are removed."""
    path = tmp_path / "new" / "failures.jsonl"
    write_failures(path, [])
    assert not path.parent.exists()
    write_failures(path, [Failure("a\udcffb", INPUT, "東")])
    assert path.read_bytes() == '{"what": "a\\udcffb", "kind": "input", "message": "東"}\n'.encode()
    write_failures(path, [])
    assert list(path.parent.iterdir()) == []
