#!/usr/bin/env python3
"""Take the pictures of `jmjp view` in the docs, of an invented game.

Requires playwright, which the extra `dev` installs, a Chromium, and a font for Japanese.
"""

from __future__ import annotations

import shutil
import sys
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Literal

import activate  # noqa: F401 - before what needs its packages
from commandline import Parser, run
from play import arguments, games

from jmjp_convert.formats.mjlog.reader import read_mjlog
from jmjp_convert.model import Match, Name, Text
from jmjp_convert.model.record import replace
from jmjp_convert.view.page import view_page

DOCS = Path(__file__).resolve().parent.parent / "docs"
GAME = ("--seed", "1", "--games", "1", "--rules", "9", "--first", "9", "-o", "-")
NAMES = ("Kaede", "つばき", "山茶花", "Nazuna")
PICTURES: dict[str, tuple[tuple[int, int], str, Literal["light", "dark"], str, str]] = {
    "view-light.png": ((1280, 800), "en", "light", "#frame=E3-0&step=72", ""),
    "view-outcome.png": ((1280, 800), "en", "dark", "#frame=S1-0&step=999", ""),
    "view-dark-narrow.png": ((360, 740), "ja", "dark", "#frame=E4-0&step=100", ""),
    "view-wide.png": ((740, 360), "ja", "light", "#frame=E3-0&step=999", ""),
    "view-study.png": ((1280, 800), "en", "light", "#frame=E4-0&step=113", "hmef"),
}
"""Each picture: the size of the window, language, theme, moment, and keys to press."""


def game() -> Match:
    """Return the game, with names of our own."""
    (played,) = games(arguments(list(GAME)))
    match = read_mjlog(played.log.encode(), file_name=f"{played.id}.xml")
    named = zip(match.players, NAMES, strict=True)
    return replace(match, players=tuple(replace(player, full_name=Name(Text(name))) for player, name in named))


def main() -> None:
    """Take all pictures."""
    Parser(__file__, __doc__).parse_args()
    from playwright.sync_api import sync_playwright

    with TemporaryDirectory() as directory, sync_playwright() as playwright:
        file = Path(directory, "game.html")
        file.write_text(view_page(game()), encoding="utf-8")
        flags = ["--no-sandbox", "--hide-scrollbars"]
        running = playwright.chromium.launch(executable_path=shutil.which("chromium"), args=flags)
        for name, ((width, height), locale, theme, moment, keys) in PICTURES.items():
            page = running.new_context(
                viewport={"width": width, "height": height}, locale=locale, color_scheme=theme
            ).new_page()
            page.goto(file.as_uri() + moment)
            for key in keys:
                page.keyboard.press(key)
            page.wait_for_timeout(500)  # the bubble of a call appears
            page.screenshot(path=DOCS / name)
        running.close()


if __name__ == "__main__":
    sys.exit(run(__file__, main))
