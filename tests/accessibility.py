"""What axe-core finds in a page."""

from __future__ import annotations

from importlib.resources import files

import pytest
from browsing import Page

FAULTS = """async (at) => (await axe.run(at ?? document, {preload: false, resultTypes: ["violations"]})).violations
  .map(({id, nodes}) => [id, ...nodes.map(({html}) => html.slice(0, 200))])"""
"""Without ``preload``, which would request the style of a site, and without the elements that keep a rule."""


def faults(page: Page, at: str | None = None) -> list[list[str]]:
    """Return what axe-core finds on the page, or in the element *at*: the rule, and the elements that break it."""
    package = pytest.importorskip("axe_playwright_python", reason="axe-playwright-python is not installed")
    if not page.evaluate("Boolean(window.axe)"):
        page.evaluate((files(package) / "axe.min.js").read_text(encoding="utf-8"))
    broken: list[list[str]] = page.evaluate(FAULTS, at)
    return broken
