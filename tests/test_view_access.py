"""Page and site are right for everybody: axe-core finds nothing, forced colours and names of any script work."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import effort
from accessibility import faults
from browsing import FIXTURES, Opened, Page, new_page, read, script, until

from jmjp_convert.model import Match, Name, Text
from jmjp_convert.model.record import replace
from jmjp_convert.view.page import view_page
from jmjp_convert.view.site import Site

VALID = FIXTURES / "valid"
ARABIC = "\u0644\u0627\u0639\u0628 1"


def written(match: Match, directory: Path) -> str:
    """Write the page of *match*, and return its address."""
    file = directory / "game.html"
    file.write_text(view_page(match), encoding="utf-8")
    return file.as_uri()


SIZES = (("light", (360, 740)), ("dark", (1280, 800)), ("light", (640, 400)))
THEMED = "([theme, step]) => view.go({theme, step, index: 1, seat: 0, quiet: false, tab: 'scores'})"


def test_page(opened: Opened) -> None:
    """axe-core finds nothing in a page: in the middle of a frame with its plays, at its end, and in the help."""
    sizes = [*SIZES, *([("dark", (640, 400))] if effort.long else [])]  # of a window, themes differ in colours alone
    with opened("double-ron.xml", reduced_motion="reduce") as page:
        for theme, size in sizes:
            page.evaluate(THEMED, [theme, 7])
            page.size(*size)
            page.press("p")
            assert faults(page) == [], size
            page.evaluate(THEMED, [theme, 999])
            assert faults(page) == [], size
            page.press("?")
            assert faults(page, "#help") == [], size
            page.press("Escape")


def test_study(opened: Opened) -> None:
    """axe-core finds nothing while hands are studied, a text is shared, and a question is asked and answered."""
    with opened("plain.xml", "#frame=E1-0&step=9", fresh=True) as page:
        page.press(*"hme")
        for theme, size in SIZES[:2]:
            page.evaluate("(theme) => view.go({theme, index: 0, step: 9})", theme)
            page.size(*size)
            page.click("#tabs [data-tab=share]")
            page.click("[data-move=sharePosition]")
            assert faults(page) == [], size
            page.press("q")
            assert faults(page) == [], size
            page.click("#own [role=button]")
            assert faults(page) == [], size
            page.press("q")


def test_site(running: Any, tmp_path: Path) -> None:
    """axe-core finds nothing in the list of games of a site, with its filters open, and in its statistics."""
    site = Site(tmp_path)
    for name in ("plain", "bust"):
        site.add(read(VALID / f"{name}.xml")[0], name)
    site.finish()
    site.close()
    with new_page(running) as page:
        page.goto((tmp_path / "index.html").as_uri())
        until(page, "document.querySelector('#games td') && document.getElementById('room').length > 1")
        in_both_themes(page)
        page.follow("#games li a")
        until(page, "document.querySelector('.games')")
        in_both_themes(page)


def in_both_themes(page: Page) -> None:
    """Find nothing in a page, in the theme that it has and in the other."""
    assert faults(page) == []
    page.click("#theme")
    assert faults(page) == []


def test_forced_colours(running: Any, tmp_path: Path) -> None:
    """With forced colours, sticks and counters are still drawn, and what is selected differs from the rest."""
    address = written(read(VALID / "double-ron.xml")[0], tmp_path)
    with new_page(running, tab_of="forced", forced_colors="active") as page:
        page.goto(address + "#frame=E1-1&step=14")
        drawn = "getComputedStyle(one).backgroundImage !== 'none'"
        for at in (".seat .stick:not([hidden])", ".counts .hundred", ".counts .thousand"):
            assert page.get(at, drawn), at
        frame = "getComputedStyle(one).outlineStyle"
        assert page.get("#scores [aria-current]", frame) == "solid"
        knob = "getComputedStyle(one, '::before').backgroundImage"
        states = [page.get("#open-switch", knob)]
        page.click("#open-switch")
        states.append(page.get("#open-switch", knob))
        assert states[0] != states[1]


def test_names_are_isolated(running: Any, tmp_path: Path) -> None:
    """A name within a text is isolated: one written from right to left does not turn the rest around."""
    (match,) = read(VALID / "double-ron.xml")
    players = tuple(replace(one, full_name=Name(Text(f"{ARABIC}{place}"))) for place, one in enumerate(match.players))
    address = written(replace(match, players=players), tmp_path)
    with new_page(running) as one:
        for step in (7, 999):
            one.goto(f"{address}#frame=E1-1&step={step}")
            found, isolated = one.evaluate(script("loose-names.js"), ARABIC)
            assert found == []
            assert isolated > 10
