"""Pages that the program makes, parsed."""

from __future__ import annotations

import re
from base64 import b64encode
from collections.abc import Iterable
from hashlib import sha256
from html.parser import HTMLParser
from pathlib import Path

from jmjp_convert.pages import part

PACKAGE = Path(__file__).parent.parent / "jmjp_convert"


class Parsed(HTMLParser):
    """A parsed page: its *elements*, and the *texts* of scripts, styles and the title by id or tag."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.elements: list[tuple[str, dict[str, str | None]]] = []
        self.texts: dict[str, str] = {}
        self._in = ""
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Record an element."""
        self.elements.append((tag, dict(attrs)))
        self._in = (dict(attrs).get("id") or tag) if tag in ("script", "style", "title") else ""

    def handle_data(self, data: str) -> None:
        """Record a text."""
        if self._in:
            self.texts[self._in] = self.texts.get(self._in, "") + data

    def handle_endtag(self, tag: str) -> None:  # noqa: ARG002 - whichever it is
        """Record the end of an element."""
        self._in = ""

    @property
    def policy(self) -> dict[str, str]:
        """The sources allowed, by directive."""
        (text,) = [
            attributes["content"]
            for _, attributes in self.elements
            if attributes.get("http-equiv") == "Content-Security-Policy"
        ]
        return dict(rule.split(" ", 1) for rule in (text or "").split("; "))


def hashed(text: str) -> str:
    """Return the source expression of *text* in a policy."""
    return f"'sha256-{b64encode(sha256(text.encode()).digest()).decode()}'"


def words(folder: str, scripts: Iterable[str], *templates: str) -> tuple[set[str], set[str]]:
    """Return the keys of the texts in *folder*, which are the same in both languages, and those that are used in
    *scripts* and *templates*, names of files or texts."""
    text = (PACKAGE / folder / "texts.js").read_text(encoding="utf-8")
    japanese, english = (
        re.findall(r"^    (\w+):", block, re.MULTILINE)
        for block in re.findall(r"^  (?:ja|en): \{\n(.*?)^  \},", text, re.MULTILINE | re.DOTALL)
    )
    assert japanese == english
    html = "".join(part(template) if template.endswith(".html") else template for template in templates)
    named = set(re.findall(r"data-(?:text|label)=\"(\w+)\"", html))
    assert named <= set(english)
    used = {word for name in scripts for word in re.findall(r"\bwords\.(\w+)", part(name))}
    return set(english), used | named
