"""A loopback server that mimics Tenhou, including its failures, and records the requests."""

from __future__ import annotations

import gzip
import ssl
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from itertools import pairwise
from pathlib import Path
from typing import Any, NamedTuple

import pytest
import trustme

from jmjp_convert.fetch import web

LOG_PATH = "/0/log/?"


class Clock:
    """A clock on which pauses take no time: whoever sleeps sets it ahead, which ends the timers that are due."""

    def __init__(self) -> None:
        self._ahead = 0.0
        self.answering = 0  # how many requests the server has not finished
        self.timers: dict[Timer, float] = {}

    def monotonic(self) -> float:
        """Return the time in seconds, from an arbitrary start."""
        return time.monotonic() + self._ahead

    def time(self) -> float:
        """Return the time of day in seconds."""
        return time.time() + self._ahead

    def sleep(self, seconds: float) -> None:
        """Set the clock ahead by *seconds*, once the server has finished the request before."""
        end = time.monotonic() + 0.2
        while self.answering and threading.current_thread() is threading.main_thread() and time.monotonic() < end:
            time.sleep(0.001)
        self._ahead += seconds
        for timer in [timer for timer, end in self.timers.items() if end <= self.monotonic()]:
            timer.cancel()
            timer.act()


class Timer:
    """A timer on *clock*, in place of `threading.Timer`."""

    daemon = False

    def __init__(self, clock: Clock, seconds: float, act: Callable[[], None]) -> None:
        self._clock = clock
        self._seconds = seconds
        self.act = act

    def start(self) -> None:
        """Call the function after the time."""
        self._clock.timers[self] = self._clock.monotonic() + self._seconds

    def cancel(self) -> None:
        """Do not call it."""
        self._clock.timers.pop(self, None)


@contextmanager
def hurried() -> Iterator[Clock]:
    """Make the pauses between requests of this process take no time; servers use the same clock."""
    with pytest.MonkeyPatch.context() as patch:
        clock = Clock()
        patch.setattr(web, "time", clock)
        patch.setattr(TenhouServer, "clock", clock)
        yield clock


@pytest.fixture
def clock() -> Iterator[Clock]:
    """A clock on which the pauses between requests of this process take no time."""
    with hurried() as clock:
        yield clock


@pytest.fixture
def timed(clock: Clock, monkeypatch: pytest.MonkeyPatch) -> Clock:
    """The clock, which decides when a deadline is over as well."""
    monkeypatch.setattr(threading, "Timer", partial(Timer, clock))
    return clock


class Request(NamedTuple):
    """A request: when it came, its path, its headers, and how many others were in progress."""

    began: float
    path: str
    headers: dict[str, str]
    others: int


Answer = Callable[[BaseHTTPRequestHandler], None]


class TenhouServer(ThreadingHTTPServer):
    """The server. It gives the *answers* for a path in turn and repeats the last one; other paths are 404."""

    daemon_threads = True
    clock = Clock()

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), _Handler)
        self.answers: dict[str, list[Answer]] = {}
        self.requests: list[Request] = []
        self.busy = 0
        self.connections = 0
        self.lock = threading.Lock()
        self.scheme = "http"

    @property
    def url(self) -> str:
        """The base URL."""
        return f"{self.scheme}://127.0.0.1:{self.server_port}"

    @property
    def paths(self) -> list[str]:
        """The requested paths in order."""
        return [request.path for request in self.requests]

    @property
    def pauses(self) -> list[float]:
        """The seconds from each request to the next one."""
        return [after.began - before.began for before, after in pairwise(self.requests)]

    def wait_for(self, number: int) -> None:
        """Wait until *number* requests have come: one that is given up early may come late."""
        end = time.monotonic() + 30
        while len(self.requests) < number:
            assert time.monotonic() < end
            time.sleep(0.01)

    def put(self, path: str, *answers: Answer) -> None:
        """Answer requests for *path* with *answers* in turn."""
        self.answers[path] = list(answers)

    def put_log(self, log_id: str, *answers: Answer) -> None:
        """Answer requests for a log."""
        self.put(LOG_PATH + log_id, *answers)

    def process_request(self, request: Any, client_address: Any) -> None:
        """Count the connections."""
        self.connections += 1
        super().process_request(request, client_address)

    def handle_error(self, request: object, client_address: object) -> None:
        """Ignore clients that have disconnected."""


class _Handler(BaseHTTPRequestHandler):
    server: TenhouServer
    protocol_version = "HTTP/1.1"
    disable_nagle_algorithm = True  # which would hold back the body until the client has confirmed the headers

    def do_GET(self) -> None:
        server = self.server
        with server.lock:
            server.requests.append(Request(server.clock.monotonic(), self.path, dict(self.headers), server.busy))
            server.busy += 1
            server.clock.answering += 1
            waiting = server.answers.get(self.path, [status(404)])
            answer = waiting.pop(0) if len(waiting) > 1 else waiting[0]
        try:
            answer(self)
        finally:
            with server.lock:
                server.busy -= 1
                server.clock.answering -= 1

    def log_message(self, *_: object) -> None:
        pass


@contextmanager
def serving(certificate: tuple[str, str] | None = None) -> Iterator[TenhouServer]:
    """Run a server; with a *certificate*, given as its file and that of its key, for https."""
    with TenhouServer() as server:
        if certificate is not None:
            context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
            context.load_cert_chain(*certificate)
            server.socket = context.wrap_socket(server.socket, server_side=True)
            server.scheme = "https"
        thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
        thread.start()
        try:
            yield server
        finally:
            server.shutdown()
            thread.join()


def certify(folder: Path) -> tuple[str, str, str]:
    """Create the files of a CA certificate, a certificate that it issued for the server, and its key, in *folder*."""
    authority = trustme.CA()
    certificate = authority.issue_cert("127.0.0.1")
    paths = folder / "authority.pem", folder / "certificate.pem", folder / "key.pem"
    authority.cert_pem.write_to_path(str(paths[0]))
    certificate.cert_chain_pems[0].write_to_path(str(paths[1]))
    certificate.private_key_pem.write_to_path(str(paths[2]))
    return str(paths[0]), str(paths[1]), str(paths[2])


def _send(handler: BaseHTTPRequestHandler, code: int, body: bytes, headers: dict[str, str]) -> None:
    handler.send_response(code)
    for name, value in {"Content-Length": str(len(body)), **headers}.items():
        handler.send_header(name, value)
    handler.end_headers()
    handler.wfile.write(body)


def body(content: bytes, **headers: str) -> Answer:
    """Answer with *content* unchanged."""
    return lambda handler: _send(handler, 200, content, headers)


def encoded(content: bytes) -> Answer:
    """Answer with *content* and Content-Encoding gzip."""
    return lambda handler: _send(handler, 200, gzip.compress(content), {"Content-Encoding": "gzip"})


def status(code: int, content: bytes = b"<html>...</html>", **headers: str) -> Answer:
    """Answer with a status."""
    return lambda handler: _send(handler, code, content, {name.replace("_", "-"): headers[name] for name in headers})


def redirect(target: str, code: int = 302) -> Answer:
    """Redirect to *target*."""
    return lambda handler: _send(handler, code, b"", {"Location": target})


def cut(content: bytes, at: int) -> Answer:
    """Answer with *content*, and hang up after *at* bytes."""

    def answer(handler: BaseHTTPRequestHandler) -> None:
        handler.send_response(200)
        handler.send_header("Content-Length", str(len(content)))
        handler.end_headers()
        handler.wfile.write(content[:at])
        handler.close_connection = True

    return answer


def unbounded(content: bytes, length: str | None = None) -> Answer:
    """Answer with *content*, delimited by the end of the connection, and Content-Length *length* if given."""

    def answer(handler: BaseHTTPRequestHandler) -> None:
        handler.send_response(200)
        if length is not None:
            handler.send_header("Content-Length", length)
        handler.send_header("Connection", "close")
        handler.end_headers()
        handler.wfile.write(content)
        handler.close_connection = True

    return answer


def dribbled(head: bytes, content: bytes = b"", pause: float = 0.1, size: int = 1) -> Answer:
    """Answer with the raw *head*, *size* bytes at a time, and then with *content*."""

    def answer(handler: BaseHTTPRequestHandler) -> None:
        for start in range(0, len(head), size):
            handler.wfile.write(head[start : start + size])
            time.sleep(pause)
        handler.wfile.write(content)

    return answer


def endless(start: bytes, piece: bytes, pause: float = 0.01) -> Answer:
    """Answer with the raw bytes *start*, then with *piece* again and again until the client hangs up."""

    def answer(handler: BaseHTTPRequestHandler) -> None:
        handler.wfile.write(start)
        while True:
            handler.wfile.write(piece)
            time.sleep(pause)

    return answer


def slow(content: bytes, pause: float) -> Answer:
    """Answer with *content* one byte at a time."""

    def answer(handler: BaseHTTPRequestHandler) -> None:
        handler.send_response(200)
        handler.send_header("Content-Length", str(len(content)))
        handler.end_headers()
        for index in range(len(content)):
            handler.wfile.write(content[index : index + 1])
            handler.wfile.flush()
            time.sleep(pause)

    return answer


def silent(handler: BaseHTTPRequestHandler) -> None:
    """Send nothing until the client hangs up."""
    handler.rfile.read(1)
    handler.close_connection = True


def hang_up(handler: BaseHTTPRequestHandler) -> None:
    """Hang up without a response."""
    handler.close_connection = True
