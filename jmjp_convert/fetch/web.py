"""Sends requests to one server: one at a time, with pauses, retries and a bound on the response.

Source of Tenhou's etiquette and of the ways a log can be missing: ``docs/design/archives.md``, sections 3 and 4.
"""

from __future__ import annotations

import socket
import threading
import time
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import suppress
from functools import cached_property
from http import HTTPStatus
from http.cookiejar import DefaultCookiePolicy
from types import TracebackType
from typing import Any, ClassVar, NamedTuple
from urllib.parse import urljoin

import requests
from requests.adapters import HTTPAdapter
from urllib3 import HTTPResponse, Retry
from urllib3.exceptions import HTTPError, InvalidHeader, LocationParseError, MaxRetryError, ReadTimeoutError
from urllib3.util import Url, parse_url

from jmjp_convert import __version__
from jmjp_convert.errors import ConvertError, FileError
from jmjp_convert.fetch.state import NOT_BEFORE, REQUEST, State, StoppedError
from jmjp_convert.files.compression import BrokenDataError, compression_of
from jmjp_convert.files.inputs import content_of, too_large

BASE_URL = "https://tenhou.net"
USER_AGENT = f"jmjp-convert/{__version__}"

FAMILY = ("tenhou.net", "mjv.jp")
"""Tenhou's domains."""

LONGEST_WAIT = 600
"""Seconds. If the server asks for a longer pause, the run stops; the next run observes it too."""

_LONGEST_PAUSE = 6 * 3600
"""Seconds. Longer pauses are capped; a longer remaining pause is ignored: the clock must have been changed."""

RETRIES = 4
_REDIRECTS = (301, 302, 303, 307, 308)
_MOST_REDIRECTS = 5
_GONE = (HTTPStatus.NOT_FOUND, HTTPStatus.GONE)
_CONNECT = 10  # seconds
_PATIENCE = 10  # times the timeout, for a whole response
_MOST_STALLED = 2  # times that, for requests in a row without a whole response
_PORTS = {"http": 80, "https": 443}
_PIECE = 1 << 16
_LAYERS = 2  # of compression: one for the transfer, one for the file
_PACKED = ("", "identity", "gzip", "x-gzip")


class MissingError(FileError):
    """The server says that there is no such file."""


class UnreachableError(FileError):
    """The server does not respond, even after retries."""


class _PassingError(Exception):
    """A failure that a retry may fix: its *reason*, and the *response*, if there was one."""

    def __init__(self, reason: str, response: HTTPResponse | None = None) -> None:
        super().__init__(reason)
        self.reason = reason
        self.response = response


class _Pause(NamedTuple):
    """A pause before a request: its *seconds*, and the *purpose* of the request, if it is to be reported."""

    seconds: float = 0
    purpose: str = ""


class Server(NamedTuple):
    """A server: its *url* without a trailing slash, its *host*, and its *name* as ``host`` or ``host:port``."""

    url: str
    host: str
    name: str

    @property
    def owner(self) -> str:
        """A name shared by all servers of one operator: Tenhou's are one."""
        return FAMILY[0] if _is_family(self.host) else self.name

    def allows(self, target: Url) -> bool:
        """Return whether it may redirect to *target*: on the same port, itself or from one Tenhou domain to another."""
        host, here = target.host or "", _parsed(self.url)
        is_known = host == self.host or (_is_family(self.host) and _is_family(host))
        return is_known and here is not None and _port(here) == _port(target)


def server(url: str) -> Server:
    """Return the server with the base URL *url*.

    :raises ConvertError: it is not a base URL.
    """
    parts = _parsed(url)
    if parts is None or parts.auth or parts.query is not None or parts.fragment is not None:
        raise ConvertError(f"invalid base URL {url!r}; use one such as {BASE_URL}")
    return Server(parts.url.rstrip("/"), parts.host or "", parts.netloc or "")


def is_tenhou(url: str) -> bool:
    """Return whether *url* belongs to Tenhou."""
    parts = _parsed(url)
    return parts is not None and _is_family(parts.host or "")


def _parsed(url: str) -> Url | None:
    """Return *url* parsed by urllib3, which also sends the requests, or ``None`` if it is not an HTTP URL."""
    try:
        parts = parse_url(url)
    except LocationParseError:
        return None
    return parts if parts.scheme in ("http", "https") and parts.host else None


def _port(url: Url) -> int | None:
    """Return the port of *url*, ``None`` for the usual one of its scheme."""
    return None if url.port == _PORTS[url.scheme or "http"] else url.port


def _asked_pause(retries: Retry, response: HTTPResponse) -> float:
    """Return how many seconds the server asks to wait."""
    try:
        return min(retries.get_retry_after(response) or 0, _LONGEST_PAUSE)
    except (InvalidHeader, ValueError, OverflowError):
        return 0


def _is_family(host: str) -> bool:
    return any(host == domain or host.endswith(f".{domain}") for domain in FAMILY)


class _Pace:
    """When the next request may be sent.

    Within a run it uses the monotonic clock. For the next run, the state has the times of day, and a time in
    the future counts as now: the clock was set back since.
    """

    def __init__(self, state: State, delay: float) -> None:
        self._state = state
        self._delay = delay
        now, time_of_day = time.monotonic(), time.time()
        last, not_before = state.time(REQUEST), state.time(NOT_BEFORE)
        # When, by the pause after the last request, in seconds of the monotonic clock.
        self.earliest = now if last is None else now + min(delay, last + delay - time_of_day)
        pause = (not_before or 0) - time_of_day
        self.asked = now + pause if pause <= _LONGEST_PAUSE else now  # when, by the pause that the server asked for

    def note_request(self) -> None:
        """Note that a request begins or ends now."""
        self.earliest = time.monotonic() + self._delay
        self._state.note_time(REQUEST, time.time())

    def note_asked(self, seconds: float) -> None:
        """Note that the server asks for a pause of some *seconds* from now."""
        self.asked = time.monotonic() + seconds
        self._state.note_time(NOT_BEFORE, time.time() + seconds)


class Web:
    """A client of one server.

    :param state: where the times of requests are noted, for this run and the next.
    :param delay: the minimum seconds between the end of one request and the next.
    :param timeout: how many seconds to wait for the next bytes of a response; a whole response may take ten times that.
    :param max_size: the maximum size of a response in bytes, compressed or not.
    :param tell: called with each one-line message.
    """

    def __init__(
        self, server: Server, state: State, *, delay: float, timeout: float, max_size: int, tell: Callable[[str], None]
    ) -> None:
        self._server = server
        self.state = state
        self._delay = delay
        self._timeout = timeout
        self.max_size = max_size
        self.tell = tell
        self._stalled = 0.0  # seconds of requests in a row without a whole response
        self._session = Session({"User-Agent": USER_AGENT, "Accept": "*/*", "Accept-Encoding": "gzip"})

    @cached_property
    def _pace(self) -> _Pace:
        return _Pace(self.state, self._delay)

    def get(
        self, path: str, name: str, *, is_whole: Callable[[bytes], bool] = lambda _: True, retries: int = RETRIES
    ) -> bytes:
        """Return the decompressed content at *path* on the server.

        :param name: what to call it in messages.
        :param is_whole: returns whether content is complete, not truncated.
        :param retries: how often to retry after failures that may pass.
        :raises MissingError: the server says that there is no such file.
        :raises StoppedError: the server wants no requests for now, or cannot be trusted.
        :raises UnreachableError: the server does not respond.
        :raises FileError: the response is rejected.
        """
        left, pause = Retry(retries, backoff_factor=self._delay), _Pause()
        while True:
            try:
                return self._get_once(self._server.url + path, is_whole, pause)
            except _PassingError as passing:
                left = self._count_failure(left, passing)
                number = len(left.history) + 1
                pause = _Pause(left.get_backoff_time(), f"{name}: {passing.reason}; try {number} of {retries + 1}")

    def _get_once(self, url: str, is_whole: Callable[[bytes], bool], pause: _Pause) -> bytes:
        content = self._follow_redirects(url, pause)
        if not is_whole(content):
            raise _PassingError("the response is truncated")
        return content

    def _count_failure(self, retries: Retry, passing: _PassingError) -> Retry:
        """Return the *retries* left after a failure; a pause that the server asks for is noted.

        :raises UnreachableError: there are no retries left.
        :raises StoppedError: there are none left, and the server answers "too many requests".
        """
        response = passing.response
        if response is not None and (pause := _asked_pause(retries, response)) > 0:
            self._pace.note_asked(pause)
        try:
            error = OSError(passing.reason) if response is None else None
            return retries.increment("GET", response=response, error=error)
        except MaxRetryError as error:
            if response is not None and response.status == HTTPStatus.TOO_MANY_REQUESTS:
                raise StoppedError(f"repeated {passing.reason}") from error
            tries = len(retries.history) + 1
            raise UnreachableError(f"{passing.reason} ({tries} {'try' if tries == 1 else 'tries'})") from error

    def _follow_redirects(self, url: str, pause: _Pause) -> bytes:
        for _ in range(_MOST_REDIRECTS + 1):
            self._wait(pause)
            pause = _Pause()
            begun = time.monotonic()
            try:
                answer = self._request_in_time(url)
            except _PassingError as error:
                self._count_stalled(time.monotonic() - begun, error)
                raise
            finally:
                self._pace.note_request()
            self._stalled = 0
            if isinstance(answer, bytes):
                return answer
            url = answer
        raise FileError(f"more than {_MOST_REDIRECTS} redirects")

    def _count_stalled(self, seconds: float, error: _PassingError) -> None:
        """Count the *seconds* of a request that failed.

        :raises StoppedError: those in a row took too long: the server can hold up the run for hours.
        """
        is_first = not self._stalled
        self._stalled += seconds
        if self._stalled >= _MOST_STALLED * _PATIENCE * self._timeout and not is_first:
            raise StoppedError(
                f"no complete response in {self._stalled:,.0f} seconds of requests ({error}); "
                "the server may be overloaded"
            ) from error

    def _wait(self, least: _Pause) -> None:
        """Wait until the next request is allowed, for *least* or longer, and note the request before it is sent.

        :raises StoppedError: the server has asked for a pause that is too long.
        """
        now = time.monotonic()
        pause = max(least.seconds, self._pace.earliest - now, 0)
        asked = self._pace.asked - now
        if asked > LONGEST_WAIT:
            raise StoppedError(f"the server asked for a pause that ends in {asked:,.0f} s")
        why = ""
        if pause < asked:
            pause, why = asked, ", as the server asked"
        if least.purpose or why:
            self.tell(f"{least.purpose or 'next request'} in {pause:,.1f} s{why}")
        time.sleep(pause)
        self._pace.note_request()

    def _request_in_time(self, url: str) -> bytes | str:
        """Send one request, with a bound on its time; return the content, or the target of a redirect."""
        seconds = _PATIENCE * self._timeout
        try:
            with self._session.within(seconds):
                return self._request(url)
        except DeadlineError as error:
            raise _PassingError(f"the response is incomplete after {seconds:g} seconds") from error

    def _request(self, url: str) -> bytes | str:
        timeouts = (min(_CONNECT, self._timeout), self._timeout)
        try:
            response = self._session.get(url, stream=True, allow_redirects=False, timeout=timeouts)
        except requests.exceptions.SSLError as error:
            reason = f"secure connection to {self._server.name} failed"
            if "CERTIFICATE_VERIFY_FAILED" in str(error):
                raise StoppedError(f"{reason}: invalid certificate") from error
            raise _PassingError(reason) from error
        except requests.Timeout as error:
            raise _PassingError(f"no response within {self._timeout:g} seconds") from error
        except requests.ConnectionError as error:
            raise _PassingError(f"connection to {self._server.name} failed") from error
        except requests.RequestException as error:
            raise FileError(f"{url}: {error}") from error
        except HTTPError as error:  # of urllib3: a host name that requests does not look at
            raise FileError(f"{url}: {error}") from error
        except OSError as error:  # not of the connection, but of this machine, such as missing CA certificates
            raise StoppedError(f"cannot send requests: {error}") from error
        with response:
            return self._content_or_target(response)

    def _content_or_target(self, response: requests.Response) -> bytes | str:
        status = response.status_code
        if status in _REDIRECTS:
            return self._redirect_target(response)
        if status in _GONE:
            raise MissingError(f"HTTP {status}")
        if status == HTTPStatus.TOO_MANY_REQUESTS or status >= HTTPStatus.INTERNAL_SERVER_ERROR:
            raise _PassingError(f"HTTP {status}", response.raw)
        if status in (HTTPStatus.UNAUTHORIZED, HTTPStatus.FORBIDDEN):
            raise StoppedError(f"HTTP {status}: access denied by the server")
        if status != HTTPStatus.OK:
            raise FileError(f"HTTP {status}")
        return self._decompressed_content(response)

    def _redirect_target(self, response: requests.Response) -> str:
        """Return the target of a redirect, if following it is allowed."""
        location = response.headers.get("Location", "")
        try:
            url = urljoin(response.url, location)
        except ValueError:
            url = location
        target = _parsed(url)
        if target is not None and target.scheme == "http" and response.url.startswith("https:"):
            raise FileError(f"redirect from https to {url[:200]!r} not followed")
        if target is None or target.auth or not self._server.allows(target):
            raise FileError(f"redirect to {url[:200]!r} not followed")
        return target.url

    def _decompressed_content(self, response: requests.Response) -> bytes:
        encoding = response.headers.get("Content-Encoding", "").strip().lower()
        if encoding not in _PACKED:
            raise FileError(f"unexpected content encoding {encoding[:40]!r}")
        try:
            content = self._received_bytes(response)
        except ReadTimeoutError as error:
            raise _PassingError(f"no response within {self._timeout:g} seconds") from error
        except HTTPError as error:
            raise _PassingError("the response is truncated") from error
        try:
            for _ in range(_LAYERS):
                if compression_of(content):
                    content = content_of(content, self.max_size)
        except BrokenDataError as error:
            raise _PassingError("the response is truncated") from error
        return content

    def _received_bytes(self, response: requests.Response) -> bytes:
        """Return the bytes of a response as received."""
        parts, size = [], 0
        read = getattr(response.raw, "read1", response.raw.read)  # without read1, older urllib3 waits for a whole piece
        while piece := read(_PIECE, decode_content=False):
            parts.append(piece)
            size += len(piece)
            if size > self.max_size:
                raise too_large(self.max_size)
        length = response.headers.get("Content-Length", "")
        if length.isdecimal() and length.isascii() and int(length) != size:
            raise _PassingError("the response is truncated")
        return b"".join(parts)


# --- the session: a deadline for the whole of each response -----------------------------------------------------------
#
# The timeouts of requests are for the next bytes only, so a server that sends a byte now and then, or headers, interim
# responses or trailers without end, would hold a request forever.

_Option = tuple[int, int, int | bytes]


class DeadlineError(Exception):
    """The deadline has passed."""


class Deadline:
    """A time limit for one request and its response: a context manager that shuts down their connections in time.

    :param seconds: how long they may take. Looking up a name and connecting to an address count, but are not cut short.
    :raises DeadlineError: at the end, whatever else has failed, if the time was exceeded: a connection that was shut
        down looks as if the server had closed it, so even a response that seems complete may be truncated.
    """

    def __init__(self, seconds: float) -> None:
        self._lock = threading.Lock()
        self._connections: list[socket.socket] = []
        self.has_passed = False  # whether the time was exceeded
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
