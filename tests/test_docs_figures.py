"""Figures of the documentation come from one source: what a page says of speed is what was measured."""

from __future__ import annotations

import re

import pytest
from docs_figures import figures, rounded, with_figures, without_figures
from docs_pages import names, page

MEASURED = ("docs/performance.md", "docs/design/measured.md")
"""The pages with the tables."""

_STATED = re.compile(
    r"\d[\d,.]*\s+(?:games\s+(?:per|a)\s+second|(?:ms|kB|MB)\s+per\s+game|"
    r"(?:seconds|minutes|hours)\s+for\s+[\d,]+\s+games)"
)
_VERSION = re.compile(r"\b(?:RiichiEnv|jansou|Mortal|majiang-core|majiang-ui|tensoul|mjai-reviewer) \d+\.\d")


@pytest.mark.parametrize(("value", "text"), [(568.6, "570"), (1202, "1,200"), (87.9, "88"), (5, "5")])
def test_rounded(value: float, text: str) -> None:
    """A figure is given to two digits."""
    assert rounded(value) == text


def test_renewed() -> None:
    """A marked figure is replaced by what was measured, whatever it was."""
    renewed = with_figures("about <!-- figure: batch -->1<!-- end --> games")
    assert renewed == f"about <!-- figure: batch -->{rounded(figures()['batch'])}<!-- end --> games"


def test_names() -> None:
    """Every figure is used, and every one that is used is known."""
    used = {name for page_name in names() for name in re.findall(r"<!-- figure: ([a-z ]+) -->", page(page_name).text)}
    assert used == figures().keys()


def test_stated_once(subtests: pytest.Subtests) -> None:
    """Other pages state no speed and no size of a game but those that are marked, and so renewed."""
    for name in (name for name in names() if name not in MEASURED):
        with subtests.test(name):
            assert _STATED.findall(without_figures(page(name).prose)) == []


def test_versions(subtests: pytest.Subtests) -> None:
    """Versions of other programs, which age, are in the design pages only."""
    for name in (name for name in names() if not name.startswith("docs/design/")):
        with subtests.test(name):
            assert _VERSION.findall(page(name).prose) == []
