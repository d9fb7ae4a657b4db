"""Run the sessions in `fixtures/sessions/pages`: what a page shows after each thing that is done in it.

`fixtures/README.md` explains their language.
"""

from __future__ import annotations

import json
import re
import shlex
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, ExitStack, contextmanager
from pathlib import Path
from typing import Any

import sessions
from browsing import Page, new_page, opener, read, script, until
from playing import matches
from sessions import Perform

from jmjp_convert.api import dumps

HELP = """const box = (at) => first(at).getBoundingClientRect();
  const faces = (at) => all(`${at} .tile`).map((one) => one.dataset.face).join(" ");"""
"""What expressions may use besides the functions of `browsing.FIND`."""
_SIZE = re.compile(r"([0-9]+)x([0-9]+)")


@contextmanager
def surroundings(running: Any, folder: Path) -> Iterator[Perform]:
    """Let sessions drive a tab of a *running* browser; pages that stay loaded are in *folder*."""
    with sessions.surroundings("") as perform, Tab(running, folder, perform) as tab:
        yield tab.perform


class Tab(ExitStack):
    """A tab that shows one page after another."""

    def __init__(self, running: Any, folder: Path, perform: Perform) -> None:
        super().__init__()
        self._perform = perform
        self._running = running
        self._opened = opener(running, folder)
        self._page: Any = None

    def perform(self, command: str, before: dict[str, bytes]) -> str:
        """Run one *command* of a session, and return what it writes."""
        word, _, rest = command.partition(" ")
        if word == "open":
            self.close()
            self._page = self.enter_context(self._open(*shlex.split(rest)))
            return ""
        if word == "in":
            sizes, _, command = rest.partition(": ")
            return self._in_sizes(sizes.split(), command, before)
        if word in _COMMANDS:
            return _shown(_COMMANDS[word](self._page, rest))
        return self._perform(command, before)

    def _open(self, name: str, *words: str) -> AbstractContextManager[Page]:
        """Open the page of a game here or in the fixtures, or a page here: at a link, in a window, with options."""
        link = "".join(word for word in words if word.startswith("#"))
        size = next((_size(word) for word in words if _SIZE.fullmatch(word)), (1280, 800))
        pairs = (word.partition("=") for word in words if "=" in word and word not in link)
        options = {key: json.loads(value) if value in ("true", "3") else value for key, _, value in pairs}
        if name.endswith(".html"):
            return self._page_at(Path(name).absolute().as_uri() + link, size, options)
        game = read(Path(name))[0] if Path(name).exists() else name
        return self._opened(game, link, size, fresh="fresh" in words, **options)

    @contextmanager
    def _page_at(self, address: str, size: tuple[int, int], options: dict[str, Any]) -> Iterator[Page]:
        with new_page(self._running, width=size[0], height=size[1], **options) as page:
            page.goto(address)
            yield page

    def _in_sizes(self, sizes: list[str], command: str, before: dict[str, bytes]) -> str:
        """Run *command* in windows of several *sizes*; return what it writes in all, or else what it writes in each."""
        found = {}
        for size in sizes:
            self._page.size(*_size(size))
            found[size] = self.perform(command, before)
        same = len(set(found.values())) == 1
        return found.popitem()[1] if same else "\n".join(f"{size}: {text}" for size, text in found.items())


def _size(word: str) -> tuple[int, int]:
    width, _, height = word.partition("x")
    return int(width), int(height)


def _shown(value: Any) -> str:
    """Return a *value* of the page as lines: of a list, one for each item."""
    if isinstance(value, list) and value:
        return "\n".join(map(_shown, value)) if not isinstance(value[0], list) else "\n".join(map(_on_line, value))
    return "" if value is None else _on_line(value)


def _on_line(value: Any) -> str:
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)


def _fill(page: Page, rest: str) -> None:
    at, _, text = f"{rest} ".partition(": ")
    page.fill(at, text.rstrip())


def _click(page: Page, rest: str) -> None:
    """Click an element in the middle, or at fractions of its width and height."""
    at, *fractions = rest.split(" at ")
    if not fractions:
        page.click(at)
        return
    box, (across, down) = page.box(at), map(float, fractions[0].split())
    page.mouse.click(box["x"] + box["width"] * across, box["y"] + box["height"] * down)


def copied(page: Page, move: str) -> str:
    """Return the text that the button *move* copies and shows."""
    page.evaluate("view.go({tab: 'share'})")
    page.click(f"[data-move={move}]")
    until(page, "byId('copied').checkVisibility()")
    text: str = page.input_value("#copied")
    until(page, "document.querySelector('#shared').textContent")  # the clipboard answers when it likes
    assert page.inner_text("#shared") in ("Copied", "Copy the text below")
    return text


def _drag(page: Page, rest: str) -> None:
    """Drag an element down by so many pixels."""
    at, _, by = rest.rpartition(" ")
    box = page.box(at)
    page.mouse.move(box["x"] + box["width"] / 2, box["y"] + 8)
    page.mouse.down()
    page.mouse.move(box["x"] + box["width"] / 2, box["y"] + 8 + int(by))
    page.mouse.up()


def _save(page: Any, name: str) -> str:
    """Save the game, with its notes, as a file; return the name that the page gives it."""
    with page.expect_download() as download:
        page.click("#save")
    download.value.save_as(name)
    suggested: str = download.value.suggested_filename
    return suggested


def _each(page: Page, rest: str) -> list[Any]:
    return page.each(*rest.split(": ", 1))


def _play(_page: Page, rest: str) -> None:
    """Write a game that is played at random."""
    file, _, line = rest.partition(" ")
    Path(file).write_text(dumps([*matches(line)], "json"), encoding="utf-8")


def _script(page: Page, rest: str) -> Any:
    """Return what the function in a file returns."""
    file, _, given = rest.partition(" ")
    return page.evaluate(script(file), json.loads(given or "null"))


_COMMANDS: dict[str, Callable[[Any, str], object]] = {
    "attribute": lambda page, rest: page.get_attribute(*rest.rsplit(" ", 1)),
    "click": _click,
    "copy": copied,
    "back": lambda page, _: page.go_back() and None,
    "choose": lambda page, rest: page.choose(*(int(word) if word.isdecimal() else word for word in rest.split())),
    "count": Page.count,
    "drag": _drag,
    "each": _each,
    "fill": _fill,
    "focus": Page.focus,
    "follow": Page.follow,
    "go": lambda page, rest: page.evaluate(f"void view.go({rest})"),
    "hover": Page.hover,
    "lines": Page.inner_texts,
    "media": lambda page, rest: page.emulate_media(**dict([rest.split("=")])),
    "play": _play,
    "press": lambda page, rest: page.press(*rest.split()),
    "mouse": lambda page, rest: getattr(page.mouse, rest)(),
    "printed": lambda page, _: page.pdf(format="A4").count(b"/Type /Page\n"),
    "reload": lambda page, _: page.reload() and None,
    "role": lambda page, rest: page.get_by_role(rest).count(),
    "run": lambda page, rest: page.ask("", f"{HELP} {rest};"),
    "save": _save,
    "script": _script,
    "show": lambda page, rest: page.ask("", f"{HELP} return ({rest});"),
    "text": lambda page, rest: " ".join(page.inner_text(rest).split()),
    "texts": Page.texts,
    "until": until,
    "visible": Page.is_visible,
    "wait": lambda page, rest: page.wait_for_timeout(int(rest)),
    "wheel": lambda page, rest: page.mouse.wheel(0, int(rest)),
}
