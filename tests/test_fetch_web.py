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
from casefiles import FIXTURES, Block, blocks
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
from jmjp_convert.fetch.web import UnreachableError, Web, server

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


# --- cases -----------------------------------------------------------------------------------------------------------

ANSWERS: dict[str, Answer] = {
    "log": body(LOG),
    "encoded": encoded(LOG),
    "gzip": body(gzip.compress(LOG)),
    "encoded gzip": encoded(gzip.compress(LOG)),
    "log without a length": unbounded(LOG),
    "log as text/html": body(LOG, **{"Content-Type": "text/html"}),
    "log as br": body(LOG, **{"Content-Encoding": "br"}),
    "hang up": hang_up,
    "silent": silent,
    "cut": cut(LOG, 500),
    "cut gzip": cut(gzip.compress(LOG), 20),
    "cut gzip without a length": unbounded(gzip.compress(LOG)[:20]),
    "largest": body(b"x" * BOUND),
    "larger": body(b"x" * (BOUND + 1)),
}
CONTENTS = {LOG: "log", b"x" * BOUND: "largest", b"abcdefg": "abcdefg"}
FILE = FIXTURES / "fetch" / "web.txt"


def answer_of(text: str) -> Answer:
    """Return the answer that a case describes: a redirect, a status, a Content-Length, or one of the above."""
    first, _, rest = text.partition(" ")
    if first == "->":
        target, _, code = rest.partition(" ")
        return redirect(target, int(code or 302))
    if first.isdecimal():
        name, _, value = rest.partition("=")
        headers = {name.replace("-", "_"): "9" * 5000 if value == "very long" else value} if name else {}
        return status(int(first), b"", **headers)
    return unbounded(b"abcdefg", rest) if first == "length" else ANSWERS[text]


def fits(expected: str, text: str) -> bool:
    """Return whether *text* is as *expected*, in which `…` stands for anything."""
    return re.fullmatch(".*".join(map(re.escape, expected.split("…"))), text) is not None


@pytest.mark.parametrize("block", blocks(FILE, "case"), ids=lambda block: block.name)
def test_case(block: Block, tenhou: TenhouServer, state: State, messages: list[str]) -> None:
    """What the server answers gives the content or error that the case has, after these requests and messages."""
    web = client(tenhou.url, state, messages)
    for line in block.lines:
        head, _, text = line.partition(": ")
        word, *options = head.split()
        if word.startswith("/"):
            tenhou.put(word, *map(answer_of, text.split("; ")))
        elif word == "client":
            assert messages == []
            web = client(tenhou.url, state, messages, **{key: float(value) for key, value in map(pair, options)})
        elif word == "get":
            assert fits(text, got(web, options[0]))
        elif word == "says":
            assert fits(text, messages.pop(0))
        elif word == "requests":
            tenhou.wait_for(len(text.split()))
            assert tenhou.paths == text.split()
        else:
            assert word == "pauses"
            assert all(pause >= float(least) for pause, least in zip(tenhou.pauses, text.split(), strict=True))
            assert not any(request.others for request in tenhou.requests)


def got(web: Web, path: str) -> str:
    """Return the name of the content at *path*, or the error."""
    try:
        return CONTENTS[web.get(path, "a log")]
    except ConvertError as error:
        return f"{type(error).__name__}: {error}"


def pair(word: str) -> tuple[str, str]:
    """Return the parts of a word such as `delay=0.1`."""
    key, _, value = word.partition("=")
    return key, value


def test_request_headers(tenhou: TenhouServer, web: Web) -> None:
    """A request names the program and its version, and asks for gzip."""
    tenhou.put("/x", body(LOG))
    web.get("/x", "a log")
    (request,) = tenhou.requests
    assert request.headers["User-Agent"] == f"jmjp-convert/{__version__}"
    assert request.headers["Accept-Encoding"] == "gzip"


# --- retries ---------------------------------------------------------------------------------------------------------


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
        StoppedError,
        match=r"^no complete response in 6[0-9] seconds of requests \(connection to 127\.0\.0\.1:[0-9]+ failed\)",
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


# --- etiquette -------------------------------------------------------------------------------------------------------


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


def test_pause_too_long(tenhou: TenhouServer, web: Web, state: State) -> None:
    """A pause of more than six hours, which no run can have noted, is ignored."""
    tenhou.put("/x", body(LOG))
    state.note_time(NOT_BEFORE, time.time() + 7 * 3600)
    assert web.get("/x", "a log") == LOG


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


@pytest.mark.parametrize(("base", "target", "allowed"), table("fetch_web", "allowed_targets"))
def test_allowed_targets(base: str, target: str, *, allowed: bool) -> None:
    """Redirects stay within Tenhou's domains or on the named host, and on the same port."""
    assert server(base).allows(parse_url(target)) is allowed


@pytest.mark.parametrize(("url", "owner"), table("fetch_web", "owner"))
def test_owner(url: str, owner: str) -> None:
    """All Tenhou servers share one owner."""
    assert server(url).owner == owner


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
