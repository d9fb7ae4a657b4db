"""The small files that pages are made of."""

from __future__ import annotations

import re

import pytest
from pages_made import PACKAGE

from jmjp_convert.pages import part, script
from jmjp_convert.stats import page as stats
from jmjp_convert.view import page, site

FILES = sorted({*page.SCRIPTS, *site.LIST_SCRIPTS, *page.STYLES, *site.LIST_STYLES, *stats.SCRIPTS, *stats.STYLES})


def test_files() -> None:
    """Every script and style of the package is used in a page or a site."""
    names = {path.relative_to(PACKAGE).as_posix() for kind in ("*.js", "*.css") for path in PACKAGE.rglob(kind)}
    assert names == set(FILES)


def test_no_script_makes_markup(subtests: pytest.Subtests) -> None:
    """No script turns text into markup or code, or requests anything."""
    for name in (name for name in FILES if name.endswith(".js")):
        with subtests.test(name):
            text = (PACKAGE / name).read_text(encoding="utf-8")
            assert text.startswith('"use strict";\n')
            assert not re.search(
                r"innerHTML|outerHTML|insertAdjacentHTML|document\.write|\beval\b|new Function|fetch\(|XMLHttp", text
            )


def test_script() -> None:
    """Scripts are joined after constants."""
    assert script(("view/page/tiles.js",), NAMES={"yaku": [1]}).startswith(
        '"use strict";\nconst NAMES = {"yaku":[1]};\n'
    )


def test_only_comments_are_removed(subtests: pytest.Subtests) -> None:
    """A page leaves out only comments and white space of the files."""
    for name in FILES:
        with subtests.test(name):
            lines = [text.strip() for text in (PACKAGE / name).read_text(encoding="utf-8").splitlines()]
            left_out = {text for text in lines if text} - set(part(name).splitlines())
            assert all(text.startswith(("//", "/*", "*")) and not text.startswith("*,") for text in left_out)
