"""A headless Chromium for the tests, if the system has one. Console messages and requests of its pages are recorded."""

from __future__ import annotations

import shutil
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from jmjp_convert.formats.jmjp.reader import read_jmjp
from jmjp_convert.formats.json.reader import read_json
from jmjp_convert.formats.majiang.reader import read_majiang
from jmjp_convert.formats.mjlog.reader import read_mjlog
from jmjp_convert.model import Match
from jmjp_convert.view.page import view_page

DESKTOP, PHONE = (1280, 800), (360, 740)
PATIENCE = 120_000
"""Milliseconds to wait for the browser."""
FIXTURES = Path(__file__).parent.parent / "fixtures"
BLANK = (FIXTURES.parent / "tests" / "blank.html").as_uri()
"""A page between others. It is a file, as they are: a page of another origin takes a new process."""
SHELL = "chromium-headless-shell"
"""Chromium without its windows, menus and profile: pages are drawn by the same engine, in two thirds of the time."""
CHROMIUMS = (SHELL, "chromium", "chromium-browser", "google-chrome")
FLAGS = (
    *("--headless", "--no-sandbox", "--disable-gpu", "--in-process-gpu", "--no-first-run"),
    *("--disable-background-networking", "--disable-component-update", "--disable-sync"),
)

EVERY_STEP = """() => {
  const {game, view, state} = jmjp, wrong = [];
  const shown = (at) => [...document.querySelectorAll(`${at} .tile`)].map((tile) => tile.dataset.face).join();
  const codes = (tiles) => tiles.map(view.codeOf).join();
  const expect = (what, found, right) => { if (found !== right) wrong.push(`${what}: ${found}, expected ${right}`); };
  let steps = 0;
  for (const [index, frame] of game.frames.entries()) for (let step = 0; step <= frame.events.length; step += 1) {
    view.go({index, step});
    steps += 1;
    const now = state(index, step), where = `${frame.name} ${step}`;
    for (let player = 0; player < game.players; player += 1) {
      const seat = `.seat[data-player="${player}"]`, near = player === view.seat ? "#own" : seat;
      const drawn = now.drawn[player] === null ? [] : [now.drawn[player]];
      expect(`${where} pond ${player}`, shown(`${seat} .pond`), codes(now.ponds[player].map((one) => one.tile)));
      expect(`${where} hand ${player}`, shown(`${near} .hand`), codes([...now.hands[player], ...drawn]));
      expect(`${where} melds ${player}`, document.querySelectorAll(`${near} .meld`).length, now.melds[player].length);
      expect(`${where} points ${player}`, document.querySelector(`.plate[data-player="${player}"] .points`).textContent,
        String((now.points ?? frame.end.points)[player]));
      const rows = [...document.querySelectorAll(`${seat} .row`)].map((row) => row.children.length);
      if (rows.slice(0, -1).some((tiles) => tiles !== 6) || rows.at(-1) > 6) wrong.push(`${where} rows ${rows}`);
    }
    expect(`${where} dora`, shown(".dora:not(.ura)"), codes(now.indicators));
    expect(`${where} address`, jmjp.address(), `#frame=${frame.name}&step=${step}`);
  }
  return [steps, wrong];
}"""
"""A script that goes to every step of a game, compares what is drawn with the state, and returns the number of steps,
and what is wrong."""


def chromium() -> str:
    """Return the path of the system's Chromium; skip the test without it or without playwright."""
    pytest.importorskip("playwright.sync_api", reason="playwright is not installed")
    found = next(filter(None, map(shutil.which, CHROMIUMS)), None)
    if found is None:
        pytest.skip("no chromium on this system")
    return found


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


@cache
def tab(running: Any, _name: str, **options: Any) -> Any:
    """Return the tab in which pages open one after another: a new tab, with its process, is slower than most tests."""
    opened = running.new_context(**options).new_page()
    opened.set_default_timeout(PATIENCE)
    return opened


@contextmanager
def page(
    running: Any, *, width: int = 1280, height: int = 800, locale: str = "en", tab_of: str = "all", **options: Any
) -> Iterator[Any]:
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
        yield opened
        assert wrong == []
    finally:
        for what, hear in heard.items():
            opened.remove_listener(what, hear)
        opened.evaluate("() => { try { localStorage.clear() } catch { /* it has none */ } }")
        opened.goto(BLANK, wait_until="commit")


Opened = Callable[..., AbstractContextManager[Any]]


def opener(running: Any, folder: Path) -> Opened:
    """Return a function that opens the page of a game, a fixture in `valid` or a match, at a link, in a window of a
    size; the page is a file in *folder*. Options are those of `page`, and `walls` and `seat`."""

    @contextmanager
    def show(game: str | Match, link: str = "", size: tuple[int, int] = DESKTOP, **options: Any) -> Iterator[Any]:
        file = folder / "game.html"
        match = game if isinstance(game, Match) else read(FIXTURES / "valid" / game)[0]
        arguments = {name: options.pop(name) for name in ("walls", "seat") if name in options}
        file.write_text(view_page(match, **arguments), encoding="utf-8")
        with page(running, **{"width": size[0], "height": size[1], **options}) as one:
            one.goto(file.as_uri() + link)
            yield one

    return show


def until(one: Any, condition: str) -> None:
    """Wait until *condition* holds, at most a minute. The page's policy lets wait_for_function check it only once."""
    one.evaluate(
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


def inputs() -> list[Path]:
    """Return every valid fixture: mjlog, jmjp and JSON lines."""
    folders = (FIXTURES / "valid", FIXTURES / "json" / "valid")
    found = sorted(path for folder in folders for path in folder.iterdir() if path.suffix != ".json")
    assert len(found) > 200
    return found
