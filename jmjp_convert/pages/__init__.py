"""Makes self-contained pages from small files, and holds those that every page needs.

Files are named by their paths in the package, such as ``pages/base.css``.
"""

from __future__ import annotations

import os
import re
from base64 import b64encode
from collections.abc import Iterable
from functools import cache
from hashlib import sha256
from html import escape
from importlib.resources import files
from pathlib import Path
from typing import Any

from jmjp_convert import __version__
from jmjp_convert.files.inputs import is_path
from jmjp_convert.formats.json_text import encode

SCRIPTS = ("pages/settings.js", "pages/elements.js")
STYLES = ("pages/base.css", "pages/list.css")
"""What every page has, before its own."""

_PACKAGE = __package__.partition(".")[0]
_HEAD = "pages/head.html"
STRICT = '"use strict";\n'
"""The first line of every script, needed once where they are joined."""

_COMMENT = re.compile(r"// |/\*\*? [^*]*\*/$|/\*\*$|\*( |/?$)|<!-- .*-->$")
_SPACED = re.compile(r"\s*([{};,])\s*")
_PLACEHOLDER = re.compile(r"\{(\w+)\}")

_GENERATOR = f'<meta name="generator" content="jmjp-convert {__version__}">\n'
_HEAD_BYTES = 4000  # of a page that include what it was made from


@cache
def part(name: str) -> str:
    """Return the text of the file *name* without indentation, blank lines and comment lines."""
    lines = files(_PACKAGE).joinpath(name).read_text(encoding="utf-8").splitlines()
    return "".join(f"{text}\n" for text in map(str.strip, lines) if text and not _COMMENT.match(text))


def style(names: Iterable[str]) -> str:
    """Return the styles *names*, joined, without the space that only people need."""
    return _SPACED.sub(r"\1", "".join(map(part, names)))


def script(names: Iterable[str], **constants: Any) -> str:
    """Return the scripts *names*, joined, after *constants*, which are JSON values."""
    known = (f"const {name} = {encode(value)};\n" for name, value in constants.items())
    return "".join([STRICT, *known, *(part(name).removeprefix(STRICT) for name in names)])


def data(name: str, text: str) -> str:
    """Return a script element holding *text*, which is JSON, escaped so that no markup can begin in it."""
    safe = text.replace("<", "\\u003c")
    return f'<script type="application/json" id="{name}">{safe}</script>\n'


def markup(text: str) -> str:
    """Return *text* escaped for HTML, with lone surrogates, which cannot be encoded, as question marks."""
    return escape(text.encode("utf-8", "replace").decode())


def filled(name: str, parts: dict[str, str]) -> str:
    """Return the template *name* after the common head, with its placeholders filled from *parts*."""
    known = parts | {"version": __version__}
    return _PLACEHOLDER.sub(lambda placeholder: known[placeholder[1]], part(_HEAD) + part(name))


def inline(style: str, script: str) -> dict[str, str]:
    """Return the parts of a page that hold its *style* and *script*, and the policy that allows these alone."""
    return {
        "style": f"<style>{style}</style>",
        "script": f"<script>{script}</script>",
        "policy": policy(script=_source(script), style=_source(style)),
    }


def _source(text: str) -> str:
    """Return the source expression that allows an inline script or style by its hash."""
    return f"'sha256-{b64encode(sha256(text.encode()).digest()).decode()}'"


def policy(*, script: str, style: str) -> str:
    """Return the Content-Security-Policy of a page, which allows only its own script and style."""
    rules = {
        "default-src": "'none'",
        "script-src": script,
        "style-src": style,
        "img-src": "data:",
        "base-uri": "'none'",
        "form-action": "'none'",
    }
    return "; ".join(f"{name} {value}" for name, value in rules.items())


# --- pages that are renewed -------------------------------------------------------------------------------------------


def mark_of(sources: Iterable[str], page: str) -> str:
    """Return the mark of a file *page* made from *sources*, in HTML, with :func:`source_digest`."""
    return f'<meta name="jmjp-source" content="{source_digest(sources, page)}">\n'


def source_digest(sources: Iterable[str], page: str) -> str:
    """Return the digest of *sources*, from which a file *page* is made.

    Paths count as seen from the page, so that it is renewed after its folder has moved together with its sources. They
    are hashed: a page may be shared, and need not show the folders of who made it.

    :param sources: paths, links, or for what has no name its content.
    """
    folder = str(Path(os.path.realpath(page)).parent)
    seen = (_seen_from(folder, source) if is_path(source) else source for source in sources)
    return sha256("\0".join(seen).encode(errors="surrogateescape")).hexdigest()


def marked(page: str, mark: str) -> str:
    """Return the text *page* with the *mark* in its head."""
    return page.replace(_GENERATOR, _GENERATOR + mark, 1)


def is_marked(path: str, mark: str) -> bool:
    """Return whether the file *path* is a page with this *mark*, which may be renewed without asking."""
    whole = Path(path)
    try:
        if not whole.is_file():  # a pipe may have no end
            return False
        with whole.open("rb") as file:
            return mark.encode() in file.read(_HEAD_BYTES)
    except OSError:
        return False


def _seen_from(folder: str, source: str) -> str:
    try:
        return os.path.relpath(os.path.realpath(source), folder).replace(os.sep, "/")
    except ValueError:  # on another drive
        return os.path.realpath(source)
