"""What axe-core finds in a page."""

from __future__ import annotations

from importlib.resources import files
from typing import Any

import pytest

FAULTS = """async () => (await axe.run(document, {preload: false, resultTypes: ["violations"]})).violations
  .map(({id, nodes}) => [id, ...nodes.map(({html}) => html.slice(0, 200))])"""
"""Without ``preload``, which would request the style of a site, and without the elements that keep a rule."""


def faults(one: Any) -> list[list[str]]:
    """Return what axe-core finds on the page: the rule, and the elements that break it."""
    package = pytest.importorskip("axe_playwright_python", reason="axe-playwright-python is not installed")
    one.evaluate((files(package) / "axe.min.js").read_text(encoding="utf-8"))
    found: list[list[str]] = one.evaluate(FAULTS)
    return found
