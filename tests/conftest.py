"""Files as cases, for tests with one of these arguments.

- ``valid_inputs``: the inputs in ``fixtures/valid``
- ``expectations``: the expected outputs for them, ``.jmjp``
- ``invalid_inputs``: the inputs in ``fixtures/invalid``

Many small cases are one test with subtests, which reports every case that fails, but takes much less time than a test
for each. There are also fixtures for a log with a known wall, for delivering signals, and for a browser with the page
of a game.
`effort.py` sets how much is tried; tests marked as ``long``, which are further examples of others, run only with
``--long``.
"""

from __future__ import annotations

import gc
import inspect
import os
import signal
from collections.abc import Iterator
from contextlib import suppress
from functools import partialmethod
from importlib import import_module
from pathlib import Path
from typing import Any

import effort
import pytest
from browsing import Opened, Page, browser, opener
from click.testing import CliRunner
from hypothesis import settings

SETTINGS = {"COLUMNS", "LINES", "NO_COLOR", "FORCE_COLOR", "PYTHONWARNINGS"}
FIXTURES = Path(__file__).parent.parent / "fixtures"

if "mix_stderr" in inspect.signature(CliRunner).parameters:  # click 8.1 would put stderr into stdout
    setattr(CliRunner, "__init__", partialmethod(CliRunner.__init__, mix_stderr=False))  # noqa: B010 - for mypy


def pytest_addoption(parser: pytest.Parser) -> None:
    """Add the option for long runs."""
    parser.addoption("--long", action="store_true", help="try more examples, and read all real logs")


def pytest_configure(config: pytest.Config) -> None:
    """Set how much is tried, before the tests are read. Examples have no deadline: the machine may be busy.

    What a user has set for the program, the width of the terminal or a proxy does not reach the tests.
    """
    for name in set(os.environ):
        if name in SETTINGS or name.upper().startswith("JMJP_") or name.upper().endswith("_PROXY"):
            del os.environ[name]
    os.environ["JMJP_LANG"] = "en"  # whatever the locale
    effort.long = config.getoption("long")
    settings.register_profile("tests", max_examples=effort.many(50), deadline=None)
    settings.load_profile("tests")


def pytest_sessionstart(session: pytest.Session) -> None:
    """Let each process of a run of all tests begin to read, and so to compile, the test files at another one. In a
    fresh checkout, all would otherwise compile every file at the same time, which takes longer than all else before the
    first test."""
    worker = getattr(session.config, "workerinput", None)
    if worker is None or session.config.args != session.config.getini("testpaths"):
        return
    files = sorted(Path(__file__).parent.glob("test_*.py"))
    for file in files[len(files) * int(worker["workerid"].removeprefix("gw")) // worker["workercount"] :]:
        with suppress(Exception, pytest.skip.Exception):  # which come again as the tests are collected
            import_module(file.stem)


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Deselect long tests unless ``--long`` is given, and move those that should be the last to the end."""
    if not effort.long:
        left_out = {item for item in items if takes_long(item)}
        config.hook.pytest_deselected(items=list(left_out))
        items[:] = [item for item in items if item not in left_out]
    items.sort(key=lambda item: item.get_closest_marker("last") is not None)


def pytest_collection_finish() -> None:
    """Exclude the collected tests, which are many and permanent, from garbage collection."""
    gc.freeze()


def takes_long(item: pytest.Item) -> bool:
    """Return whether a test is marked as long, or uses a real log that is left out."""
    values = item.callspec.params.values() if hasattr(item, "callspec") else ()
    files = {value.name if isinstance(value, Path) else value for value in values if isinstance(value, Path | str)}
    return item.get_closest_marker("long") is not None or not files.isdisjoint(effort.left_out())


def cases(folder: str, suffix: str, *, expected: bool = False) -> list[Path]:
    """Return the inputs in a *folder* of the fixtures, or those files with *suffix* that are *expected* of them."""
    paths = sorted(path for path in (FIXTURES / folder).iterdir() if (path.suffix == suffix) is expected)
    assert paths, f"no cases in {folder}"
    return paths


@pytest.fixture(scope="session", autouse=True)
def state_of_fetch(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """Keep what `jmjp fetch` remembers apart from that of the user, who may be running it."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("JMJP_HOME", str(tmp_path_factory.getbasetemp() / "home"))
        yield


@pytest.fixture
def in_tmp_path(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Work in an empty directory."""
    monkeypatch.chdir(tmp_path)


@pytest.fixture(scope="session")
def valid_inputs() -> list[Path]:
    """The valid inputs."""
    return cases("valid", ".jmjp")


@pytest.fixture(scope="session")
def expectations() -> list[Path]:
    """What is expected of them in jmjp."""
    return cases("valid", ".jmjp", expected=True)


@pytest.fixture(scope="session")
def invalid_inputs() -> list[Path]:
    """The invalid inputs."""
    return cases("invalid", ".err")


@pytest.fixture
def heard_signals() -> Iterator[None]:
    """Let child processes receive the signals that end a program: the parent may have ignored them (as shells do for
    background jobs), and children inherit that."""
    before = {number: signal.getsignal(number) for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)}
    for number in before:
        signal.signal(number, signal.default_int_handler if number == signal.SIGINT else signal.SIG_DFL)
    yield
    for number, handler in before.items():
        signal.signal(number, handler)


@pytest.fixture
def seeded_log() -> str:
    """An invented log of one unfinished frame, dealt from the wall of an invented seed."""
    return (FIXTURES / "sessions" / "seeded.xml").read_text(encoding="utf-8")


@pytest.fixture(scope="session")
def running() -> Iterator[Any]:
    """A browser. One for all tests of a process: it takes a second to start."""
    with browser() as chromium:
        yield chromium


@pytest.fixture
def opened(running: Any, tmp_path: Path) -> Opened:
    """A function that opens the page of a game."""
    return opener(running, tmp_path)


@pytest.fixture
def program(opened: Opened) -> Iterator[Page]:
    """A page for tests of functions of its script."""
    with opened("plain.xml") as page:
        yield page
