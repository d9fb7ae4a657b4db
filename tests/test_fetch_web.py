"""Requests: content, rejected responses, and etiquette."""

from __future__ import annotations

import gzip
import re
import time
from collections.abc import Callable, Iterator
from contextlib import closing
from http.server import BaseHTTPRequestHandler
from itertools import chain, repeat
from pathlib import Path

import pytest
from tables import table
from tenhou_server import (
    Answer,
    Clock,
    TenhouServer,
    body,
    certify,
    clock,
    cut,
    encoded,
    hang_up,
    redirect,
    serving,
    silent,
    slow,
    status,
    unbounded,
)
from urllib3.util import parse_url

from jmjp_convert import __version__
from jmjp_convert.errors import ConvertError, FileError
from jmjp_convert.fetch import web as module
from jmjp_convert.fetch.state import NOT_BEFORE, REQUEST, State, StoppedError
from jmjp_convert.fetch.web import MissingError, UnreachableError, Web, is_tenhou, server

__all__ = ["clock"]
pytestmark = pytest.mark.usefixtures("clock")

LOG = b'<mjloggm ver="2.3">' + b"<T1/><D1/>" * 200 + b"</mjloggm>"
BOUND = 10_000


@pytest.fixture
def tenhou(monkeypatch: pytest.MonkeyPatch) -> Iterator[TenhouServer]:
    """A server that is reached without a proxy."""
    monkeypatch.setenv("NO_PROXY", "*")
    with serving() as server:
        yield server


@pytest.fixture
def state(tmp_path: Path) -> Iterator[State]:
    """The state between runs."""
    with closing(State(tmp_path / "state.sqlite", None)) as opened:
        yield opened


@pytest.fixture
def messages() -> list[str]:
    """The messages reported."""
    return []


@pytest.fixture
def web(tenhou: TenhouServer, state: State, messages: list[str]) -> Web:
    """A client of the server."""
    return client(tenhou.url, state, messages)


def client(url: str, state: State, messages: list[str], delay: float = 0.01, timeout: float = 30) -> Web:
    """Return a client of the server at *url*."""
    return Web(server(url), state, delay=delay, timeout=timeout, max_size=BOUND, tell=messages.append)


# --- content ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "answer",
    [
        body(LOG),
        encoded(LOG),
        body(gzip.compress(LOG)),
        encoded(gzip.compress(LOG)),
        unbounded(LOG),
        body(LOG, **{"Content-Type": "text/html"}),
    ],
    ids=["plain", "gzip encoding", "gzip without the header", "both", "without a length", "any type"],
)
def test_content(tenhou: TenhouServer, web: Web, answer: Answer) -> None:
    """Content is decompressed, however it was compressed."""
    tenhou.put("/x", answer)
    assert web.get("/x", "a log") == LOG


def test_request_headers(tenhou: TenhouServer, web: Web) -> None:
    """A request names the program and its version, and asks for gzip."""
    tenhou.put("/x", body(LOG))
    web.get("/x", "a log")
    (request,) = tenhou.requests
    assert request.headers["User-Agent"] == f"jmjp-convert/{__version__}"
    assert request.headers["Accept-Encoding"] == "gzip"


# --- retries ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "answer",
    [
        status(500),
        status(502),
        status(503),
        status(429),
        hang_up,
        cut(LOG, 500),
        cut(gzip.compress(LOG), 20),
        unbounded(gzip.compress(LOG)[:20]),
    ],
    ids=["500", "502", "503", "429", "hangs up", "cut", "cut gzip", "cut gzip without a length"],
)
def test_retried(tenhou: TenhouServer, web: Web, answer: Answer) -> None:
    """Failures that may pass are retried."""
    tenhou.put("/x", answer, body(LOG))
    assert web.get("/x", "a log") == LOG
    assert tenhou.paths == ["/x", "/x"]


@pytest.mark.parametrize(
    ("answer", "timeout", "patience"), [(silent, 0.1, 10), (slow(LOG, 0.1), 30, 0.006)], ids=["silent", "too slow"]
)
def test_retried_after_a_timeout(
    tenhou: TenhouServer,
    state: State,
    monkeypatch: pytest.MonkeyPatch,
    *,
    answer: Answer,
    timeout: float,
    patience: float,
) -> None:
    """A response that does not come, or not in time, is requested again."""

    def wait_longer(_: str) -> None:
        impatient._timeout = 30  # noqa: SLF001 - the second response may take its time
        monkeypatch.setattr(module, "_PATIENCE", 10)

    impatient = Web(server(tenhou.url), state, delay=0.01, timeout=timeout, max_size=BOUND, tell=wait_longer)
    monkeypatch.setattr(module, "_PATIENCE", patience)
    tenhou.put("/x", answer, body(LOG))
    assert impatient.get("/x", "a log") == LOG
    tenhou.wait_for(2)
    assert tenhou.paths == ["/x", "/x"]


def test_truncated_content(tenhou: TenhouServer, web: Web) -> None:
    """A response is requested again even if only its content shows that it is truncated."""
    tenhou.put("/x", unbounded(LOG[:500]), unbounded(LOG))
    assert web.get("/x", "a log", is_whole=lambda content: content.endswith(b"</mjloggm>")) == LOG
    assert len(tenhou.requests) == 2


def test_slow_but_sure(tenhou: TenhouServer, state: State, messages: list[str]) -> None:
    """A slow response is accepted as long as bytes keep coming, also if it takes longer than the timeout."""
    tenhou.put("/x", slow(LOG[:15], 0.05))
    web = client(tenhou.url, state, messages, timeout=0.6)
    assert web.get("/x", "a log") == LOG[:15]
    assert len(tenhou.requests) == 1


@pytest.mark.parametrize(
    ("answer", "timeout", "message"),
    [
        (status(500), 30, "HTTP 500 (5 tries)"),
        (hang_up, 30, "connection to 127.0.0.1:{port} failed (5 tries)"),
        (silent, 0.1, "no response within 0.1 seconds (5 tries)"),
        (cut(LOG, 9), 30, "the response is truncated (5 tries)"),
    ],
)
def test_given_up(
    tenhou: TenhouServer, state: State, messages: list[str], *, answer: Answer, timeout: float, message: str
) -> None:
    """A request is given up after five tries."""
    tenhou.put("/x", answer)
    with pytest.raises(UnreachableError) as given_up:
        client(tenhou.url, state, messages, timeout=timeout).get("/x", "a log")
    assert str(given_up.value) == message.format(port=tenhou.server_port)
    tenhou.wait_for(5)
    assert len(tenhou.requests) == 5


def test_tarpit(tenhou: TenhouServer, state: State, messages: list[str], clock: Clock) -> None:
    """A server that never completes a response stops the run, however many logs and tries are left; one whole response
    in between is progress."""

    def tarpit(handler: BaseHTTPRequestHandler) -> None:
        clock.sleep(15)
        hang_up(handler)

    web = client(tenhou.url, state, messages, timeout=3)
    tenhou.put("/x", tarpit, tarpit, tarpit, body(LOG))
    tenhou.put("/y", tarpit)
    assert web.get("/x", "a log") == LOG
    with pytest.raises(
        StoppedError, match=r"^no whole response in 60 seconds of requests \(connection to 127\.0\.0\.1:[0-9]+ failed\)"
    ):
        web.get("/y", "a log")
    assert tenhou.paths.count("/y") == 4


def test_no_server_there(state: State, messages: list[str]) -> None:
    """Requests to a server that is not there are given up."""
    with serving() as gone:
        url = gone.url
    with pytest.raises(UnreachableError, match=r"^connection to 127\.0\.0\.1:[0-9]+ failed \(5 tries\)$"):
        client(url, state, messages).get("/x", "a log")


def test_no_certificates(state: State, messages: list[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Missing CA certificates stop the run: no other log could be fetched either."""
    monkeypatch.setenv("REQUESTS_CA_BUNDLE", str(tmp_path / "missing.pem"))
    with pytest.raises(
        StoppedError, match=r"^cannot send requests: Could not find a suitable TLS CA certificate bundle"
    ):
        client("https://127.0.0.1:9", state, messages).get("/x", "x")


def test_impossible_host(state: State, messages: list[str]) -> None:
    """A host name that cannot exist is reported in one line."""
    with pytest.raises(FileError, match=r"^http://a\.\.b/x: [^\n]+$"):
        client("http://a..b", state, messages).get("/x", "x")


def test_too_many_requests(tenhou: TenhouServer, web: Web) -> None:
    """A run stops if the server keeps reporting too many requests."""
    tenhou.put("/x", status(429))
    with pytest.raises(StoppedError, match=r"^repeated HTTP 429$"):
        web.get("/x", "a log")


@pytest.mark.parametrize(
    ("code", "error", "message"),
    [
        *((code, MissingError, f"HTTP {code}") for code in (404, 410)),
        *((code, StoppedError, f"HTTP {code}: access denied by the server") for code in (401, 403)),
        *((code, FileError, f"HTTP {code}") for code in (204, 206, 304, 400, 418)),
    ],
)
def test_not_retried(tenhou: TenhouServer, web: Web, code: int, error: type[ConvertError], message: str) -> None:
    """A missing file is requested only once, a server that denies access gets no further requests, and any other status
    is a failure that is not retried."""
    tenhou.put("/x", status(code, b""))
    with pytest.raises(error) as refused:
        web.get("/x", "a log")
    assert (type(refused.value), str(refused.value)) == (error, message)
    assert len(tenhou.requests) == 1


# --- etiquette -------------------------------------------------------------------------------------------------------


def test_pauses(tenhou: TenhouServer, state: State, messages: list[str]) -> None:
    """The pause is observed between any two requests, including retries and redirects."""
    tenhou.put("/x", status(500), redirect("/y"))
    tenhou.put("/y", cut(LOG, 5), body(LOG))
    web = client(tenhou.url, state, messages, delay=0.2)
    web.get("/x", "a log")
    web.get("/y", "a log")
    assert tenhou.paths == ["/x", "/x", "/y", "/x", "/y", "/y"]
    assert min(tenhou.pauses) >= 0.2
    assert not any(request.others for request in tenhou.requests)


def test_pause_of_an_earlier_run(tenhou: TenhouServer, state: State, messages: list[str]) -> None:
    """The pause is observed from one run to the next."""
    tenhou.put("/x", body(LOG))
    for _ in range(2):
        client(tenhou.url, state, messages, delay=0.3).get("/x", "a log")
    assert min(tenhou.pauses) >= 0.3


def test_clock_set_back(tenhou: TenhouServer, state: State, messages: list[str]) -> None:
    """A last request in the future, because the clock was set back, does not delay the next one."""
    tenhou.put("/x", body(LOG))
    state.note_time("request", time.time() + 1000)
    assert client(tenhou.url, state, messages, delay=0.3).get("/x", "a log") == LOG


def test_clock_that_jumps(
    tenhou: TenhouServer, state: State, messages: list[str], clock: Clock, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The pauses within a run, also those that the server asks for, do not depend on the time of day."""
    jumps = chain.from_iterable(repeat((1e9, 2e9, 5e8, 1.5e9)))
    monkeypatch.setattr(clock, "time", lambda: next(jumps))
    tenhou.put("/x", body(LOG))
    tenhou.put("/y", status(503, Retry_After="1"), body(LOG))
    web = client(tenhou.url, state, messages, delay=0.3)
    for _ in range(4):
        web.get("/x", "a log")
    web.get("/y", "a log")
    assert min(tenhou.pauses) >= 0.3
    assert tenhou.pauses[-1] >= 1


def test_longer_pauses(tenhou: TenhouServer, state: State, messages: list[str]) -> None:
    """The pauses between tries double."""
    tenhou.put("/x", status(503))
    with pytest.raises(UnreachableError):
        client(tenhou.url, state, messages, delay=0.1).get("/x", "a log")
    assert [pause >= least for pause, least in zip(tenhou.pauses, (0.1, 0.2, 0.4, 0.8), strict=True)] == [True] * 4


@pytest.mark.parametrize("code", [429, 503])
def test_retry_after(tenhou: TenhouServer, web: Web, messages: list[str], code: int) -> None:
    """A pause requested by the server is observed, and reported with the retry."""
    tenhou.put("/x", status(code, Retry_After="1"), body(LOG))
    assert web.get("/x", "a log") == LOG
    assert tenhou.pauses[0] >= 1
    (message,) = messages
    assert re.fullmatch(rf"a log: HTTP {code}; try 2 of 5 in [01]\.[0-9] s, as the server asked", message)


@pytest.mark.parametrize("value", ["soon", "-5", "", "9" * 5000, "Wed, 21 Oct 99999999 07:28:00 GMT"])
def test_invalid_retry_after(tenhou: TenhouServer, web: Web, value: str) -> None:
    """An invalid Retry-After is ignored."""
    tenhou.put("/x", status(503, Retry_After=value), body(LOG))
    assert web.get("/x", "a log") == LOG


def test_retries_reported(tenhou: TenhouServer, state: State, messages: list[str]) -> None:
    """Each retry is reported once: what failed and why, which try comes next and when; pauses between requests are
    not."""
    tenhou.put("/x", status(503), hang_up, redirect("/y"))
    tenhou.put("/y", cut(LOG, 5), body(LOG))
    assert client(tenhou.url, state, messages, delay=0.1).get("/x", "a log") == LOG
    assert re.fullmatch(r"a log: HTTP 503; try 2 of 5 in 0\.[01] s", messages[0])
    assert messages[1:] == [
        f"a log: connection to 127.0.0.1:{tenhou.server_port} failed; try 3 of 5 in 0.2 s",
        "a log: the response is truncated; try 4 of 5 in 0.4 s",
    ]
    assert client(tenhou.url, state, messages, delay=0.1).get("/y", "a log") == LOG
    assert len(messages) == 3


def test_pause_for_all(tenhou: TenhouServer, state: State, messages: list[str]) -> None:
    """A pause requested by the server also applies to the next request and the next run, even after the last try."""
    tenhou.put("/x", *[status(503)] * 4, status(503, Retry_After="1"))
    tenhou.put("/y", status(404, Retry_After="1"), body(LOG))
    web = client(tenhou.url, state, messages)
    with pytest.raises(UnreachableError):
        web.get("/x", "a log")
    with pytest.raises(MissingError):
        client(tenhou.url, state, messages).get("/y", "a log")
    assert tenhou.pauses[-1] >= 1
    assert re.fullmatch(r"next request in [01]\.[0-9] s, as the server asked", messages[-1])


def test_long_pause(tenhou: TenhouServer, web: Web, state: State, messages: list[str]) -> None:
    """A long pause stops this run and the next, but pauses of more than six hours are ignored."""
    tenhou.put("/x", status(429, Retry_After="3600"), body(LOG))
    for asking in (web, client(tenhou.url, state, messages)):
        with pytest.raises(StoppedError, match=r"^the server asked for a pause that ends in 3,[56][0-9][0-9] s$"):
            asking.get("/x", "a log")
    assert len(tenhou.requests) == 1
    state.note_time(NOT_BEFORE, time.time() + 7 * 3600)
    assert client(tenhou.url, state, messages).get("/x", "a log") == LOG


def test_pause_without_end(tenhou: TenhouServer, web: Web) -> None:
    """A pause of years is capped at six hours."""
    tenhou.put("/x", status(429, Retry_After="99999999"))
    with pytest.raises(StoppedError, match=r"^the server asked for a pause that ends in 21,[56][0-9][0-9] s$"):
        web.get("/x", "a log")


def test_rest_of_a_pause(tenhou: TenhouServer, web: Web, state: State, messages: list[str], clock: Clock) -> None:
    """The rest of a pause that was requested from an earlier run is waited for."""
    tenhou.put("/x", body(LOG))
    end = clock.time() + 3
    state.note_time(NOT_BEFORE, end)
    web.get("/x", "a log")
    assert clock.time() >= end
    assert len(messages) == 1


def test_noted_before(tenhou: TenhouServer, state: State, messages: list[str], monkeypatch: pytest.MonkeyPatch) -> None:
    """A request is noted before it is sent, so the next run observes the pause even if this one is killed."""
    begun = time.time()

    def killed(*_: object, **__: object) -> None:
        raise SystemExit(repr(state.time(REQUEST)))

    web = client(tenhou.url, state, messages)
    monkeypatch.setattr("requests.Session.get", killed)
    monkeypatch.setattr(state, "note_time", once(state.note_time))
    with pytest.raises(SystemExit) as ended:
        web.get("/x", "a log")
    assert float(str(ended.value)) >= begun


def once(note: Callable[[str, float], None]) -> Callable[[str, float], None]:
    """Return a function that notes only the first time, as if the process had died after that."""
    left = [True]

    def noted(name: str, moment: float) -> None:
        if left.pop() if left else False:
            note(name, moment)

    return noted


# --- safety ----------------------------------------------------------------------------------------------------------


def test_redirects(tenhou: TenhouServer, web: Web) -> None:
    """Up to five redirects on the same host are followed, with any redirect status."""
    for number, code in enumerate((301, 302, 303, 307, 308)):
        tenhou.put(f"/{number}", redirect(f"/{number + 1}", code))
    tenhou.put("/5", body(LOG))
    assert web.get("/0", "a log") == LOG
    tenhou.put("/5", redirect("/6"))
    tenhou.put("/6", body(LOG))
    with pytest.raises(FileError, match=r"^more than 5 redirects$"):
        web.get("/0", "a log")
    assert tenhou.paths.count("/6") == 0


@pytest.mark.parametrize("target", table("fetch_web", "redirect_elsewhere"))
def test_redirect_elsewhere(tenhou: TenhouServer, web: Web, target: str) -> None:
    """A redirect to anywhere else is rejected."""
    tenhou.put("/x", redirect(target.format(port=tenhou.server_port)))
    tenhou.put("/y", body(LOG))
    with pytest.raises(FileError, match=r"^redirect to .* not followed$"):
        web.get("/x", "a log")
    assert tenhou.paths == ["/x"]


def test_redirect_with_body(tenhou: TenhouServer, web: Web) -> None:
    """The body of a redirect is not read."""
    load = gzip.compress(bytes(50_000_000))
    tenhou.put("/x", status(302, load, Location="/y", Content_Encoding="gzip", Content_Length=str(len(load) + 9)))
    tenhou.put("/y", body(LOG))
    assert web.get("/x", "a log") == LOG


def test_redirect_to_nowhere(tenhou: TenhouServer, web: Web) -> None:
    """A redirect without a target loops until the redirect limit."""
    tenhou.put("/x", status(302))
    with pytest.raises(FileError, match=r"^more than 5 redirects$"):
        web.get("/x", "a log")


@pytest.mark.parametrize(("base", "target", "allowed"), table("fetch_web", "allowed_targets"))
def test_allowed_targets(base: str, target: str, *, allowed: bool) -> None:
    """Redirects stay within Tenhou's domains or on the named host, and on the same port."""
    assert server(base).allows(parse_url(target)) is allowed


@pytest.mark.parametrize(("url", "owner"), table("fetch_web", "owner"))
def test_owner(url: str, owner: str) -> None:
    """All Tenhou servers share one owner."""
    assert server(url).owner == owner


@pytest.mark.parametrize("length", ["abc", "-5", "007", "1e3", "²"])
def test_invalid_length(tenhou: TenhouServer, web: Web, length: str) -> None:
    """A Content-Length that is not a number is ignored."""
    tenhou.put("/x", unbounded(b"abcdefg", length))
    assert web.get("/x", "a log") == b"abcdefg"


@pytest.mark.parametrize(("url", "ours"), table("fetch_web", "is_tenhou"))
def test_is_tenhou(url: str, *, ours: bool) -> None:
    """The host decides whether a URL belongs to Tenhou."""
    assert is_tenhou(url) is ours


@pytest.mark.parametrize(("url", "expected"), table("fetch_web", "server"))
def test_server(url: str, expected: tuple[str, str, str]) -> None:
    """A base URL gives the host."""
    assert server(url) == expected


@pytest.mark.parametrize("url", table("fetch_web", "invalid_base_url"))
def test_invalid_base_url(url: str) -> None:
    """An invalid base URL is rejected."""
    with pytest.raises(ConvertError, match=r"^invalid base URL '.*'; use one such as https://tenhou\.net$"):
        server(url)


def test_large(tenhou: TenhouServer, web: Web) -> None:
    """A response larger than the bound is rejected."""
    tenhou.put("/x", body(b"x" * (BOUND + 1)))
    with pytest.raises(FileError, match=r"^larger than 10,000 bytes \(--max-size\)$"):
        web.get("/x", "a log")
    tenhou.put("/x", body(b"x" * BOUND))
    assert len(web.get("/x", "a log")) == BOUND


def bomb(layers: int) -> bytes:
    """Return a small gzip that decompresses to a gigabyte."""
    content = gzip.compress(bytes(1 << 20)) * (1 << 10)
    for _ in range(layers - 1):
        content = gzip.compress(content)
    return content


def test_gzip_bomb(tenhou: TenhouServer, state: State, messages: list[str]) -> None:
    """A decompression bomb is rejected."""
    web = Web(server(tenhou.url), state, delay=0.01, timeout=5, max_size=2_000_000, tell=messages.append)
    for answer in (body(bomb(1)), body(bomb(2)), body(bomb(2), **{"Content-Encoding": "gzip"})):
        tenhou.put("/x", answer)
        with pytest.raises(FileError, match=r"^larger than 2,000,000 bytes \(--max-size\)$"):
            web.get("/x", "a log")


def test_other_encoding(tenhou: TenhouServer, web: Web) -> None:
    """A content encoding that was not requested is rejected."""
    tenhou.put("/x", body(LOG, **{"Content-Encoding": "br"}))
    with pytest.raises(FileError, match=r"^unexpected content encoding 'br'$"):
        web.get("/x", "a log")


@pytest.fixture(scope="module")
def certificates(tmp_path_factory: pytest.TempPathFactory) -> Callable[[], tuple[str, str, str]]:
    """Create certificates, as :func:`~tenhou_server.certify` does."""
    return lambda: certify(tmp_path_factory.mktemp("tls"))


def test_untrusted_certificate(
    certificates: Callable[[], tuple[str, str, str]], state: State, messages: list[str]
) -> None:
    """A server without a trusted certificate gets no request."""
    with serving(certificates()[1:]) as impostor:
        with pytest.raises(StoppedError) as rejected:
            client(impostor.url, state, messages).get("/x", "a log")
        assert impostor.requests == []
    name = f"127.0.0.1:{impostor.server_port}"
    assert str(rejected.value) == f"secure connection to {name} failed: invalid certificate"


def test_no_tls(tenhou: TenhouServer, state: State, messages: list[str]) -> None:
    """A server that does not speak TLS is retried like one that does not respond."""
    url = tenhou.url.replace("http:", "https:")
    with pytest.raises(UnreachableError, match=r"^secure connection to 127\.0\.0\.1:[0-9]+ failed \(5 tries\)$"):
        client(url, state, messages).get("/x", "a log")


def test_redirect_to_plain(
    tenhou: TenhouServer,
    certificates: Callable[[], tuple[str, str, str]],
    state: State,
    messages: list[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """A redirect from https to http is rejected, also on the same host."""
    authority, *files = certificates()
    monkeypatch.setenv("REQUESTS_CA_BUNDLE", authority)
    tenhou.put("/y", body(LOG))
    with serving((files[0], files[1])) as secure:
        secure.put("/x", redirect(f"{tenhou.url}/y"))
        with pytest.raises(FileError, match=rf"^redirect from https to '{tenhou.url}/y' not followed$"):
            client(secure.url, state, messages).get("/x", "a log")
    assert tenhou.paths == []
