"""A headless Chromium for the tests, if the system has one. Console messages and requests of its pages are recorded."""

from __future__ import annotations

import shutil
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from functools import cache, partialmethod
from itertools import count
from pathlib import Path
from typing import Any

import pytest

from jmjp_convert.formats.jmjp.reader import read_jmjp
from jmjp_convert.formats.json.reader import read_json
from jmjp_convert.formats.json.writer import write_json
from jmjp_convert.formats.majiang.reader import read_majiang
from jmjp_convert.formats.mjlog.reader import read_mjlog
from jmjp_convert.model import Match
from jmjp_convert.model.record import replace
from jmjp_convert.view.page import view_page

DESKTOP, PHONE = (1280, 800), (360, 740)
PATIENCE = 120_000
"""Milliseconds to wait for the browser."""
FIXTURES = Path(__file__).parent.parent / "fixtures"
SHELL = "chromium-headless-shell"
"""Chromium without its windows, menus and profile: pages are drawn by the same engine, in two thirds of the time."""
CHROMIUMS = (SHELL, "chromium", "chromium-browser", "google-chrome")
FLAGS = (
    *("--headless", "--no-sandbox", "--disable-gpu", "--in-process-gpu", "--no-first-run"),
    *("--disable-background-networking", "--disable-component-update", "--disable-sync"),
)


def script(name: str) -> str:
    """Return a script for pages: a file in `fixtures/sessions/pages`, which says what it does."""
    return (FIXTURES / "sessions" / "pages" / name).read_text(encoding="utf-8")


EVERY_STEP = script("every-step.js")
FIND = script("find.js")
POINT = script("point.js")
CHANGED = "for (const type of ['input', 'change']) one.dispatchEvent(new Event(type, {bubbles: true}));"


def chromium() -> str:
    """Return the path of the system's Chromium; skip the test without it or without playwright."""
    pytest.importorskip("playwright.sync_api", reason="playwright is not installed")
    path = next(filter(None, map(shutil.which, CHROMIUMS)), None)
    if path is None:
        pytest.skip("no chromium on this system")
    return path


@contextmanager
def browser() -> Iterator[Any]:
    """Run a browser with its own profile."""
    path = chromium()
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        running = playwright.chromium.launch(executable_path=path, args=list(FLAGS), timeout=PATIENCE)
        try:
            yield running
        finally:
            running.close()


class Page:
    """A tab, which has what Playwright's pages have. What is asked most is asked by a script each: Playwright's own way
    begins with a script for each page that takes as long as the rest of a short test."""

    def __init__(self, tab: Any) -> None:
        self.tab = tab

    def __getattr__(self, name: str) -> Any:
        """Return what Playwright's page has under *name*."""
        return getattr(self.tab, name)

    def ask(self, at: str, body: str, *given: Any) -> Any:
        """Return what *body*, the body of a function, returns: its arguments are *at* and *given*, and it has the
        functions of `FIND`."""
        return self.tab.evaluate(f"([at, ...given]) => {{ {FIND} {body} }}", [at, *given])

    def count(self, at: str) -> int:
        """Return the number of elements *at* a selector."""
        return int(self.ask(at, "return all(at).length;"))

    def each(self, at: str, expression: str, *given: Any) -> list[Any]:
        """Return what *expression* is for each element, which it calls ``one``."""
        return list(self.ask(at, f"return all(at).map((one) => ({expression}));", *given))

    def get(self, at: str, expression: str, *given: Any) -> Any:
        """Return what *expression* is for the first element, which it calls ``one``."""
        return self.ask(at, f"const one = first(at); return ({expression});", *given)

    texts = partialmethod(each, expression="one.textContent")
    boxes = partialmethod(each, expression="one.getBoundingClientRect().toJSON()")
    box = partialmethod(get, expression="one.getBoundingClientRect().toJSON()")
    text_content = partialmethod(get, expression="one.textContent")
    inner_text = partialmethod(get, expression="one.innerText")
    input_value = partialmethod(get, expression="one.value")
    focus = partialmethod(get, expression="one.focus()")

    def inner_texts(self, at: str) -> list[str]:
        """Return the text of each element as it is shown, on one line."""
        return [" ".join(text.split()) for text in self.each(at, "one.innerText")]

    def get_attribute(self, at: str, name: str) -> str | None:
        """Return an attribute of the first element."""
        text: str | None = self.get(at, "one.getAttribute(given[0])", name)
        return text

    def is_visible(self, at: str) -> bool:
        """Return whether there is an element that can be seen."""
        return self.count(f"{at}:visible") > 0

    def is_hidden(self, at: str) -> bool:
        """Return whether no element can be seen."""
        return not self.is_visible(at)

    def click(self, at: str) -> None:
        """Click the middle of the first element, which nothing may cover."""
        self.tab.mouse.click(*self.ask(at, POINT))

    def follow(self, at: str) -> None:
        """Click a link, and wait until its page is there."""
        with self.tab.expect_navigation():
            self.click(at)

    def hover(self, at: str) -> None:
        """Move the pointer to the middle of the first element, which nothing may cover."""
        self.tab.mouse.move(*self.ask(at, POINT))

    def fill(self, at: str, text: str) -> None:
        """Write *text* into a field, or choose it in a list."""
        self.ask(at, f"const one = first(at); one.focus(); one.value = given[0]; {CHANGED}", text)

    def choose(self, at: str, index: int) -> None:
        """Choose an option of a list by its *index*."""
        self.ask(at, f"const one = first(at); one.selectedIndex = given[0]; {CHANGED}", index)

    def press(self, *keys: str) -> None:
        """Press and release one key after another."""
        for key in keys:
            self.tab.keyboard.press(key)

    def size(self, width: int, height: int) -> None:
        """Make the window *width* by *height*, and wait until the page is drawn in it."""
        self.tab.set_viewport_size({"width": width, "height": height})
        self.tab.evaluate("new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))")

    def sizes(self, *sizes: tuple[int, int]) -> Iterator[tuple[int, int]]:
        """Yield each size once the window has it."""
        for size in sizes:
            self.size(*size)
            yield size


@cache
def tab(running: Any, _name: str, **options: Any) -> Any:
    """Return the tab in which pages open one after another: a new tab, with its process, is slower than most tests."""
    opened = running.new_context(**options).new_page()
    opened.set_default_timeout(PATIENCE)
    return opened


@contextmanager
def new_page(
    running: Any, *, width: int = 1280, height: int = 800, locale: str = "en", tab_of: str = "all", **options: Any
) -> Iterator[Page]:
    """Open a page, which must write nothing to the console, raise nothing, and request only files. It starts without
    storage from earlier pages. If the browser asks whether to leave a page, it leaves.

    :param tab_of: the name of a test that needs its own tab since it changes more than the page, or keeps it open.
    :param options: ``color_scheme`` and ``reduced_motion``, and options of the tab's browser context.
    """
    media = {"media": "null", "color_scheme": "light", "reduced_motion": "no-preference"}
    rest = {name: value for name, value in options.items() if name not in media}
    opened = tab(running, tab_of, locale=locale, **rest)
    opened.set_viewport_size({"width": width, "height": height})
    opened.emulate_media(**{name: options.get(name, value) for name, value in media.items()})
    wrong: list[str] = []
    heard = {
        "console": lambda message: wrong.append(message.text),
        "pageerror": lambda error: wrong.append(str(error)),
        "dialog": lambda dialog: dialog.accept() if dialog.type == "beforeunload" else wrong.append(dialog.message),
        "request": lambda request: None if request.url.startswith("file:") else wrong.append(request.url),
    }
    for what, hear in heard.items():
        opened.on(what, hear)
    try:
        yield Page(opened)
        assert wrong == []
    finally:
        opened.evaluate("() => { try { localStorage.clear() } catch { /* it has none */ } }")
        for what, hear in heard.items():
            opened.remove_listener(what, hear)


Opened = Callable[..., AbstractContextManager[Any]]


NUMBERS = count()
"""Numbers for folders: a page at the address of the last one, with another moment, would not be loaded."""


@cache
def game_page(name: str, **options: Any) -> str:
    """Return the page of the fixture *name* in `valid`."""
    return view_page(read(FIXTURES / "valid" / name)[0], **options)


RESET = script("reset.js")
_kept: dict[Any, tuple[int, int]] = {}
"""The tabs with the page of ``plain.xml``, each with the size of its window."""


def opener(running: Any, folder: Path) -> Opened:
    """Return a function that opens the page of a game, a fixture in `valid` or a match, at a link, in a window of a
    size; the page is a file in *folder*. Options are those of `new_page`, and `walls` and `seat`. The page of
    ``plain.xml``, which most tests use, is loaded once and reset, unless a test says that it must be ``fresh``: since
    it tests how a page opens, or changes more than the view."""

    @contextmanager
    def show(
        game: str | Match, link: str = "", size: tuple[int, int] = DESKTOP, *, fresh: bool = False, **options: Any
    ) -> Iterator[Page]:
        keeps = game == "plain.xml" and not fresh and options.keys() <= {"color_scheme", "reduced_motion"}
        if keeps:
            options["tab_of"] = "plain"
        arguments = {name: options.pop(name) for name in ("walls", "seat") if name in options}
        with new_page(running, **{"width": size[0], "height": size[1], **options}) as page:
            before = _kept.pop(page.tab, None) if keeps else None
            page.mouse.move(0, 0)
            if before and page.evaluate(RESET, link):
                if before != size:
                    page.size(*size)
            else:
                text = view_page(game, **arguments) if isinstance(game, Match) else game_page(game, **arguments)
                file = folder / str(next(NUMBERS)) / "game.html"
                file.parent.mkdir()
                file.write_text(text, encoding="utf-8")
                page.goto(file.as_uri() + link)
            yield page
            if keeps:
                now = page.viewport_size
                _kept[page.tab] = now["width"], now["height"]

    return show


def until(page: Any, condition: str) -> None:
    """Wait until *condition* holds, at most a minute. The page's policy lets wait_for_function check it only once."""
    page.evaluate(
        f"""new Promise((done, fail) => {{
          const end = performance.now() + 60000;
          const look = () => {{
            if ({condition}) done();
            else if (performance.now() > end) fail(new Error("it never holds"));
            else setTimeout(look, 10);
          }};
          look();
        }})"""
    )


def read(path: Path) -> list[Match]:
    """Return the matches in the file *path*."""
    if path.suffix == ".jsonl":
        return list(read_json(path.read_bytes()))
    if path.suffix == ".json":
        return read_majiang(path)
    return read_jmjp(path) if path.suffix == ".jmjp" else [read_mjlog(path)]


def different_games() -> Iterator[tuple[str, Match]]:
    """Yield the games of valid fixtures, each with the name of its file and without frames that an earlier one has:
    many differ from another in something that is outside of the play."""
    seen: set[Any] = set()
    for path in inputs():
        for match in read(path):
            plays = {(match.rules, frame.start, frame.events): frame for frame in match.frames}
            new = tuple(frame for play, frame in plays.items() if play not in seen)
            seen |= plays.keys()
            if new:
                yield path.name, replace(match, frames=new)


def inputs() -> list[Path]:
    """Return every valid fixture: mjlog, jmjp and JSON lines."""
    folders = (FIXTURES / "valid", FIXTURES / "json" / "valid")
    paths = sorted(path for folder in folders for path in folder.iterdir() if path.suffix != ".read")
    assert len(paths) > 200
    return paths


def plain() -> Match:
    """Return an ordinary game."""
    return read_mjlog(FIXTURES / "valid" / "plain.xml")


def lines(match: Match) -> str:
    """Return the lines of *match* as a JSON list."""
    return f"[{','.join(write_json(match).splitlines())}]"


def first_cells(page: Any) -> list[str]:
    """Return the first column of the rows that are shown."""
    texts: list[str] = page.each("tbody tr", "one.cells[0].textContent")
    return texts
