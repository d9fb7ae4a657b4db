"""Write the inputs of the fixtures: the games of `fixtures/games/*.txt` as mjlog, and `fixtures/edits.txt` of them.

Usage: python scripts/fixtures.py

Everything in them is invented. The expected outputs (`.jmjp`, `.err`) are not made here: they were derived from the
design, not from this encoder, so that they can find it wrong too. `fixtures/README.md` says how.
"""

from __future__ import annotations

import gzip
import zipfile
from io import BytesIO
from pathlib import Path
from typing import TYPE_CHECKING

from games import Log

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

FIXTURES = Path(__file__).parent.parent / "fixtures"


def zipped(xml: str) -> bytes:
    """Put a log into a zip."""
    packed = BytesIO()
    with zipfile.ZipFile(packed, "w") as archive:
        archive.writestr(zipfile.ZipInfo("log.xml"), xml)
    return packed.getvalue()


FORMS: dict[str, tuple[str, Callable[[str], bytes]]] = {
    "valid/bom.xml": ("plain", lambda xml: b"\xef\xbb\xbf" + xml.encode()),
    "valid/single-quotes.xml": ("plain", lambda xml: xml.replace('"', "'").encode()),
    "valid/line-feeds.xml": ("plain", lambda xml: (xml.replace("><", ">\n<") + "\n").encode()),
    "valid/crlf.xml": ("plain", lambda xml: xml.replace("><", ">\r\n<").encode()),
    "valid/gzip.mjlog": ("plain", lambda xml: gzip.compress(xml.encode(), mtime=0)),
    "valid/2019041809gm-0089-1234-0123abcd&tw=2.mjlog": ("log-id", str.encode),
    "invalid/empty.xml": ("plain", lambda _: b""),
    "invalid/zip.zip": ("plain", zipped),
}


def games(path: Path) -> Iterator[tuple[str, str]]:
    """Split a file of descriptions into names and stories."""
    for story in path.read_text(encoding="utf-8").split("\ngame ")[1:]:
        name, _, lines = story.partition("\n")
        yield name, lines


def edited(xml: str, edits: list[str]) -> str:
    """Change a log: `old -> new`, `drop old` (exactly one `old`), `cut old` (what follows falls away), `whole text`."""
    for edit in edits:
        command, _, text = edit.partition(" ")
        if command == "whole":
            return "\n".join(line.removeprefix("whole ") for line in edits)
        old, _, new = (text if command in {"cut", "drop"} else edit).partition(" -> ")
        if xml.count(old) != 1:
            message = f"{xml.count(old)} times: {old}"
            raise ValueError(message)
        xml = xml.partition(old)[0] + old if command == "cut" else xml.replace(old, new)
    return xml


def write_all() -> None:
    """Write every input."""
    logs: dict[str, str] = {}
    for path in sorted((FIXTURES / "games").glob("*.txt")):
        logs |= {name: Log(story).xml for name, story in games(path)}
    outputs = {name if "/" in name else f"valid/{name}": xml for name, xml in logs.items() if name != "log-id"}
    for name, story in games(FIXTURES / "edits.txt"):
        target, _, base = name.partition(" from ")
        outputs[target] = edited(logs[base], [line for line in story.splitlines() if line and line[0] != "#"])
    for name, xml in outputs.items():
        (FIXTURES / f"{name}.xml").write_bytes(xml.encode())
    for name, (base, form) in FORMS.items():
        (FIXTURES / name).write_bytes(form(logs[base]))


if __name__ == "__main__":
    write_all()
