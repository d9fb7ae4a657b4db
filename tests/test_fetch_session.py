"""The deadline of a response, credentials and cookies."""

from __future__ import annotations

import contextlib
import socket
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from pathlib import Path

import pytest
import tenhou_server
from tables import table
from tenhou_server import Answer, Clock, TenhouServer, body, certify, clock, dribbled, redirect, serving, status, timed

from jmjp_convert.fetch import web as module
from jmjp_convert.fetch.state import State
from jmjp_convert.fetch.web import MissingError, UnreachableError, Web, server

LOG = b'<mjloggm ver="2.3">' + b"<T1/><D1/>" * 200 + b"</mjloggm>"
LATE = r"^the response is incomplete after 0\.1 seconds \(1 try\)$"
Setter = Callable[[float], None]
Check = Callable[[Web], None]

TIMEOUT = 5  # seconds
LONG = 30  # seconds: much longer than the deadline, much shorter than for ever
HEAD = b"HTTP/1.1 200 OK\r\n"
CHUNKED = HEAD + b"Transfer-Encoding: chunked\r\n\r\n"

__all__ = ["clock", "timed"]
pytestmark = pytest.mark.usefixtures("clock")

COOKIE = "visit=1; Path=/; Max-Age=99999"

HANGING = dict(table("fetch_session", "hanging", vars(tenhou_server) | globals()))


@pytest.fixture
def state(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[State]:
    """The state between runs; the server is reached without a proxy."""
    monkeypatch.setenv("NO_PROXY", "*")
    with closing(State(tmp_path / "state.sqlite", None)) as opened:
        yield opened


@pytest.fixture
def tenhou() -> Iterator[TenhouServer]:
    """A server."""
    with serving() as server:
        yield server


@pytest.fixture
def secure(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[TenhouServer]:
    """A server with https and a trusted certificate."""
    authority, *files = certify(tmp_path)
    monkeypatch.setenv("REQUESTS_CA_BUNDLE", authority)
    with serving((files[0], files[1])) as server:
        yield server


def client(url: str, state: State, tell: Callable[[str], None] = print) -> Web:
    """Return a client of the server at *url*."""
    return Web(server(url), state, delay=0.01, timeout=TIMEOUT, max_size=100_000, tell=tell)


@pytest.fixture
def deadline(monkeypatch: pytest.MonkeyPatch) -> Setter:
    """Set how many seconds a whole response may take from now on."""
    return lambda seconds: monkeypatch.setattr(module, "_PATIENCE", seconds / TIMEOUT)


@pytest.fixture
def fails_late(deadline: Setter) -> Check:
    """Check that a request by a client ends at a deadline."""

    def check(web: Web) -> None:
        deadline(0.1)
        began = time.monotonic()
        with pytest.raises(UnreachableError, match=LATE):
            web.get("/x", "a log", retries=0)
        assert 0.08 < time.monotonic() - began < LONG

    return check


# --- the deadline ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("answer", HANGING.values(), ids=HANGING.keys())
def test_deadline(tenhou: TenhouServer, state: State, answer: Answer, fails_late: Check) -> None:
    """A response that is not complete in time is given up, whatever part of it the server sends slowly."""
    tenhou.put("/x", answer)
    fails_late(client(tenhou.url, state))


@pytest.mark.parametrize("name", ["slow headers", "endless 100 Continue", "slow body", "endless trailers"])
def test_deadline_of_tls(secure: TenhouServer, state: State, name: str, deadline: Setter, fails_late: Check) -> None:
    """The deadline applies to https as well, and to connections of it that were kept open."""
    secure.put("/x", HANGING[name])
    secure.put("/y", body(LOG))
    web = client(secure.url, state)
    fails_late(web)
    deadline(LONG)
    assert web.get("/y", "a log") == LOG
    before = secure.connections  # without the first, if the deadline came before the end of its handshake
    fails_late(web)
    assert secure.connections == before


@pytest.mark.parametrize("name", ["slow headers", "endless trailers"])
def test_deadline_of_a_connection_kept_open(tenhou: TenhouServer, state: State, name: str, fails_late: Check) -> None:
    """The deadline applies to a request over a connection that an earlier request has opened."""
    tenhou.put("/x", body(LOG), HANGING[name])
    web = client(tenhou.url, state)
    assert web.get("/x", "a log") == LOG
    fails_late(web)
    assert tenhou.connections == 1


def test_deadline_is_over_with_the_response(tenhou: TenhouServer, state: State, deadline: Setter, timed: Clock) -> None:
    """A connection stays open past the deadline of a response that was complete in time."""
    tenhou.put("/x", body(LOG))
    web = client(tenhou.url, state)
    deadline(2)
    assert web.get("/x", "a log") == LOG
    timed.sleep(2.2)
    assert web.get("/x", "a log") == LOG
    assert tenhou.connections == 1


def test_slow_head_in_time(tenhou: TenhouServer, state: State) -> None:
    """Headers may come slowly, after interim responses, if the response is complete before the deadline."""
    head = b"HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 200 OK\r\nContent-Length: %d\r\n\r\n" % len(LOG)
    tenhou.put("/x", dribbled(head, LOG, 0.003))
    assert client(tenhou.url, state).get("/x", "a log") == LOG
    assert len(tenhou.requests) == 1


def test_retried_after_a_deadline(tenhou: TenhouServer, state: State, deadline: Setter) -> None:
    """A response that was given up at the deadline is requested again, over a new connection."""
    tenhou.put("/x", HANGING["endless trailers"], body(LOG))
    deadline(0.1)
    web = client(tenhou.url, state, tell=lambda _: deadline(LONG))
    assert web.get("/x", "a log") == LOG
    assert tenhou.connections == 2


@pytest.mark.usefixtures("timed")
def test_pause_longer_than_the_deadline(tenhou: TenhouServer, state: State, deadline: Setter) -> None:
    """A pause that the server asks for may be longer than the deadline, and may be asked for slowly."""
    asked = b"HTTP/1.1 503 Busy\r\nRetry-After: 2\r\nContent-Length: 0\r\n\r\n"
    tenhou.put("/x", dribbled(asked, pause=0.02, size=8), body(LOG))
    deadline(1.9)
    assert client(tenhou.url, state).get("/x", "a log") == LOG
    assert tenhou.pauses[0] >= 2


@contextmanager
def dribbling(start: bytes, piece: bytes) -> Iterator[int]:
    """Accept connections at a port, and send them *start* and then *piece* again and again, whatever they send."""

    def send(connection: socket.socket) -> None:
        with connection, contextlib.suppress(OSError):
            connection.sendall(start)
            while True:
                connection.sendall(piece)
                time.sleep(0.05)

    def accept() -> None:
        with contextlib.suppress(OSError):
            while True:
                threading.Thread(target=send, args=(listener.accept()[0],), daemon=True).start()

    with socket.create_server(("127.0.0.1", 0)) as listener:
        thread = threading.Thread(target=accept, daemon=True)
        thread.start()
        yield listener.getsockname()[1]


@pytest.mark.skipif(sys.platform != "linux", reason="relies on how Linux treats a full queue of connections")
def test_deadline_of_connecting(state: State, monkeypatch: pytest.MonkeyPatch, fails_late: Check) -> None:
    """The deadline applies to a server with many addresses, none of which responds."""
    with socket.create_server(("127.0.0.1", 0), backlog=0) as full, contextlib.ExitStack() as waiting:
        for _ in range(3):
            connection = waiting.enter_context(socket.socket())
            connection.settimeout(0)
            connection.connect_ex(full.getsockname())
        address = (socket.AF_INET, socket.SOCK_STREAM, 6, "", full.getsockname())
        monkeypatch.setattr("socket.getaddrinfo", lambda *_, **__: [address] * 2 * round(LONG / 0.3))
        monkeypatch.setattr(module, "_CONNECT", 0.3)
        fails_late(client(f"http://127.0.0.1:{full.getsockname()[1]}", state))


def test_deadline_of_a_handshake(state: State, fails_late: Check) -> None:
    """The deadline applies to the TLS handshake."""
    with dribbling(b"\x16\x03\x03\x40\x00", b"\x02") as port:
        fails_late(client(f"https://127.0.0.1:{port}", state))


def test_deadline_of_a_proxy(state: State, monkeypatch: pytest.MonkeyPatch, fails_late: Check) -> None:
    """The deadline applies to the answer of a proxy."""
    monkeypatch.delenv("NO_PROXY")
    with dribbling(b"HTTP/1.1 200 OK\r\n", b"X: y\r\n") as port:
        monkeypatch.setenv("HTTPS_PROXY", f"http://127.0.0.1:{port}")
        fails_late(client("https://tenhou.example", state))


# --- credentials and cookies -----------------------------------------------------------------------------------------


@pytest.mark.parametrize("default", [True, False], ids=["for any host", "for the host"])
def test_no_credentials(
    tenhou: TenhouServer, state: State, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, *, default: bool
) -> None:
    """Credentials in a netrc file are not sent, not even after a redirect or a retry."""
    netrc = tmp_path / "netrc"
    netrc.write_text(f"{'default' if default else 'machine 127.0.0.1'} login me password secret\n")
    monkeypatch.setenv("NETRC", str(netrc))
    tenhou.put("/x", status(503), redirect("/y"))
    tenhou.put("/y", body(LOG))
    assert client(tenhou.url, state).get("/x", "a log") == LOG
    assert len(tenhou.requests) == 3
    assert not any("Authorization" in request.headers for request in tenhou.requests)


def test_no_cookies(tenhou: TenhouServer, state: State) -> None:
    """No cookie is sent back, whatever the status of the response that sets it."""
    for path in ("/x", "/y"):
        answers = (status(503, Set_Cookie=COOKIE), redirect("/z"), status(200, LOG, Set_Cookie=COOKIE))
        tenhou.put(path, *answers)
    tenhou.put("/z", status(404, Set_Cookie=COOKIE))
    web = client(tenhou.url, state)
    for path in ("/x", "/y"):
        with pytest.raises(MissingError):
            web.get(path, "a log")
        assert web.get(path, "a log") == LOG
    assert len(tenhou.requests) == 8
    assert not any("Cookie" in request.headers for request in tenhou.requests)


def test_proxy_of_the_environment(tenhou: TenhouServer, state: State, monkeypatch: pytest.MonkeyPatch) -> None:
    """A proxy named in the environment is used, with its own credentials."""
    monkeypatch.delenv("NO_PROXY")
    monkeypatch.setenv("HTTP_PROXY", tenhou.url.replace("//", "//me:secret@"))
    tenhou.put("http://tenhou.example/x", body(LOG))
    assert client("http://tenhou.example", state).get("/x", "a log") == LOG
    assert tenhou.requests[0].headers["Proxy-Authorization"] == "Basic bWU6c2VjcmV0"
