"""Write the inputs of the fixtures: the games of `fixtures/games/*.txt` and `fixtures/edits.txt` as mjlog.

Everything in them is invented. The expected outputs (`.jmjp`, `.err`) are not made here: they were derived from the
design, independently of this encoder, so that they can find its errors, too. `fixtures/README.md` says how.
"""

from __future__ import annotations

import gzip
import sys
import zipfile
from io import BytesIO
from typing import TYPE_CHECKING

from casefiles import FIXTURES, blocks, content
from commandline import Parser, run
from games import Log

if TYPE_CHECKING:
    from collections.abc import Callable


def zipped(xml: str) -> bytes:
    """Return a zip with a log."""
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


def write_all() -> None:
    """Write every input."""
    Parser(__file__, __doc__).parse_args()
    games = [game for path in sorted((FIXTURES / "games").glob("*.txt")) for game in blocks(path, "game")]
    logs = {game.name: Log("\n".join(game.lines)).xml for game in games}
    outputs = {name if "/" in name else f"valid/{name}": xml.encode() for name, xml in logs.items() if name != "log-id"}
    bases = {name: xml.encode() for name, xml in logs.items()}
    outputs |= {game.name: content(game, bases) for game in blocks(FIXTURES / "edits.txt", "game")}
    for name, xml in outputs.items():
        (FIXTURES / f"{name}.xml").write_bytes(xml)
    for name, (base, form) in FORMS.items():
        (FIXTURES / name).write_bytes(form(logs[base]))


if __name__ == "__main__":
    sys.exit(run(__file__, write_all))
