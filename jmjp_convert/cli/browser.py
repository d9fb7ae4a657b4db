"""Opens pages in the browser."""

from __future__ import annotations

import webbrowser
from pathlib import Path

from jmjp_convert.cli.console import shown
from jmjp_convert.cli.report import Report


def open_page(page: Path, report: Report) -> None:
    """Open the file *page*; *report* that if no browser starts."""
    try:
        done = webbrowser.open(page.absolute().as_uri())
    except (webbrowser.Error, OSError):
        done = False
    if not done:
        report.notice(shown(page), "cannot start a browser; open the page yourself")
