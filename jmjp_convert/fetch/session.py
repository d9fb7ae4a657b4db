"""The HTTP session of fetch: one request at a time, with a deadline for the whole of each response.

The timeouts of requests are for the next bytes only, so a server that sends a byte now and then, or headers, interim
responses or trailers without end, would hold a request forever.
"""

from __future__ import annotations

import socket
import threading
from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress
from http.cookiejar import DefaultCookiePolicy
from types import TracebackType
from typing import Any, ClassVar

import requests
from requests.adapters import HTTPAdapter

_Option = tuple[int, int, int | bytes]


class DeadlineError(Exception):
    """The deadline has passed."""


class Deadline:
    """A time limit for one request and its response: a context manager that shuts down their connections in time.

    :ivar has_passed: whether the time was exceeded.
    :param seconds: how long they may take. Looking up a name and connecting to an address count, but are not cut short.
    :raises DeadlineError: at the end, whatever else has failed, if the time was exceeded: a connection that was shut
        down looks as if the server had closed it, so even a response that seems complete may be truncated.
    """

    def __init__(self, seconds: float) -> None:
        self._lock = threading.Lock()
        self._connections: list[socket.socket] = []
        self.has_passed = False
        self._timer = threading.Timer(seconds, self._pass)
        self._timer.daemon = True

    def __enter__(self) -> None:
        self._timer.start()

    def __exit__(self, _: type[BaseException] | None, error: BaseException | None, __: TracebackType | None) -> None:
        self._timer.cancel()
        with self._lock:
            for connection in self._connections:
                connection.close()
            self._connections.clear()
        if self.has_passed and (error is None or isinstance(error, Exception)):
            raise DeadlineError from error

    def watch(self, connection: socket.socket) -> None:
        """Shut down *connection*, a socket with or without TLS, when the time is up."""
        # A duplicate, since TLS takes over the first socket, and urllib3 may close it while the body is still read.
        # It is only shut down, for which the address family does not matter.
        duplicate = socket.fromfd(connection.fileno(), socket.AF_INET, socket.SOCK_STREAM)
        with self._lock:
            self._connections.append(duplicate)
            if self.has_passed:
                _shut_down(duplicate)

    def _pass(self) -> None:
        with self._lock:
            self.has_passed = True
            for connection in self._connections:
                _shut_down(connection)


def _shut_down(connection: socket.socket) -> None:
    with suppress(OSError):  # the server may have hung up
        connection.shutdown(socket.SHUT_RDWR)


class _Options:
    """Socket options that cannot be set after the *deadline*.

    urllib3 connects to each address of a server in turn, with the timeout for each, and sets the options first. So it
    connects to none after the deadline, however many there are.
    """

    def __init__(self, options: Iterable[_Option], deadline: Deadline) -> None:
        self._options = options
        self._deadline = deadline

    def __iter__(self) -> Iterator[_Option]:
        if self._deadline.has_passed:
            raise TimeoutError
        return iter(self._options)


class _Watched:
    """A mixin for urllib3's connections: the current deadline of *adapter* applies to them."""

    adapter: ClassVar[_Adapter]
    sock: socket.socket | None
    socket_options: Iterable[_Option] | None

    def _new_conn(self) -> socket.socket:
        """Watch a new connection before any bytes are exchanged, be it for TLS or with a proxy."""
        usual = self.socket_options
        self.socket_options = _Options(usual or (), self.adapter.deadline)
        try:
            connection: socket.socket = super()._new_conn()  # type: ignore[misc]
        finally:
            self.socket_options = usual
        self.adapter.deadline.watch(connection)
        return connection

    def _tunnel(self) -> None:
        """Start no TLS through a proxy whose answer was cut off by the deadline."""
        super()._tunnel()  # type: ignore[misc]
        if self.adapter.deadline.has_passed:
            raise DeadlineError

    def request(self, *args: Any, **options: Any) -> None:
        """Watch a connection that was kept open after an earlier request."""
        if self.sock is not None:
            self.adapter.deadline.watch(self.sock)
        super().request(*args, **options)  # type: ignore[misc]


class _Adapter(HTTPAdapter):
    """An adapter that applies its *deadline* to every connection, through proxies too."""

    deadline: Deadline

    def get_connection_with_tls_context(self, *args: Any, **options: Any) -> Any:
        """Return a pool of watched connections."""
        pool: Any = super().get_connection_with_tls_context(*args, **options)
        if not issubclass(pool.ConnectionCls, _Watched):
            pool.ConnectionCls = type("Watched", (_Watched, pool.ConnectionCls), {"adapter": self})
        return pool


class Session(requests.Session):
    """A session that follows no redirects, since requests would read the whole body of one first.

    It takes proxies and certificates from the environment, but no credentials, and keeps no cookies.

    :param headers: the headers of every request.
    """

    def __init__(self, headers: Mapping[str, str]) -> None:
        super().__init__()
        self.headers = dict(headers)
        self.auth = lambda request: request  # without it, requests looks for credentials in ~/.netrc
        self.cookies.set_policy(DefaultCookiePolicy(allowed_domains=[]))
        self._adapter = _Adapter()
        for scheme in ("http://", "https://"):
            self.mount(scheme, self._adapter)

    def within(self, seconds: float) -> Deadline:
        """Return a deadline for the next request and its response."""
        self._adapter.deadline = Deadline(seconds)
        return self._adapter.deadline

    def get_redirect_target(self, resp: requests.Response) -> None:  # noqa: ARG002 - the library's signature
        """Follow no redirect."""
        return
