"""The case files: the meaning of their lines, and mistakes in them."""

from __future__ import annotations

import re
from pathlib import Path

import casefiles
import pytest
from casefiles import Block, Refusal, blocks, content, refusals, sound
from tables import table

TILES = b"1m2m\n3m2m\n"


@pytest.fixture
def file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A case file of jmjp, with a valid file `tiles`."""
    monkeypatch.setattr(casefiles, "FIXTURES", tmp_path)
    for folder in ("valid", "invalid"):
        (tmp_path / "jmjp" / folder).mkdir(parents=True)
    (tmp_path / "jmjp" / "valid" / "tiles.jmjp").write_bytes(TILES)
    return tmp_path / "jmjp" / "invalid" / "cases.txt"


def given(*lines: str, base: str = "tiles") -> bytes:
    """Return *base* edited by *lines*."""
    return content(Block("case", base.split(), list(lines)), {"tiles": TILES})


def test_case(file: Path) -> None:
    """A case has a name, an input, a place and a reason; comments and empty lines are ignored."""
    file.write_text(
        "# all of them\n\ncase a from tiles\n# a face\n1m -> 1x\nat 1:1: no tile: 1x\n\ncase b\n| 1m\nat 2: short\n",
        encoding="utf-8",
    )
    expected = {"a": Refusal(b"1x2m\n3m2m\n", "1:1", "no tile: 1x"), "b": Refusal(b"1m\n", "2", "short")}
    assert refusals("jmjp") == expected


def test_base(file: Path) -> None:
    """A base is shared by all files, and may be made from another."""
    file.write_text("case a from more\nat 1: wrong\n", encoding="utf-8")
    more = "base less from tiles\ncut 1m\nbase more from less\n1m -> 9m\n"
    (file.parent / "more.txt").write_text(more, encoding="utf-8")
    assert sound("jmjp") == {"tiles": TILES, "less": b"1m", "more": b"9m"}
    assert refusals("jmjp") == {"a": Refusal(b"9m", "1", "wrong")}


@pytest.mark.parametrize(("line", "expected"), table("casefiles", "edit"))
def test_edit(line: str, expected: bytes) -> None:
    """An edit replaces, drops or cuts a text, in which characters may be escaped."""
    assert given(line) == expected


@pytest.mark.parametrize(("text", "line", "expected"), table("casefiles", "change"))
def test_change(text: bytes, line: str, expected: bytes) -> None:
    """JSON, or lines of it, is changed at a pointer, also within a text that is JSON."""
    assert content(Block("case", ["it"], [line]), {"it": text}) == expected


def test_edits() -> None:
    """Edits are applied in order to the joined bases."""
    assert given("first drop 1m2m\\n", "1m -> 9m", base="tiles tiles") == b"3m2m\n9m2m\n3m2m\n"


@pytest.mark.parametrize(("lines", "expected"), table("casefiles", "whole"))
def test_whole(lines: list[str], expected: bytes) -> None:
    """The lines of a whole text follow bars, each with a line feed unless a backslash ends it."""
    assert given(*lines, base="") == expected


@pytest.mark.parametrize(("line", "reason"), table("casefiles", "edit_rejected"))
def test_edit_rejected(line: str, reason: str) -> None:
    """An edit whose old text is missing or ambiguous is rejected."""
    with pytest.raises(ValueError, match=f"^{re.escape(reason)}$"):
        given(line)


@pytest.mark.parametrize(("text", "reason"), table("casefiles", "rejected"))
def test_rejected(file: Path, text: str, reason: str) -> None:
    """A case file in which a case could be lost is rejected."""
    file.write_text(text, encoding="utf-8")
    with pytest.raises(ValueError, match=f"^{re.escape(reason)}$"):
        refusals("jmjp")


def test_blocks(file: Path) -> None:
    """The games of the logs have the same form."""
    file.write_text("game a\n# why\ngo type=9\n\ngame b from a c\n1m -> 2m\n", encoding="utf-8")
    assert blocks(file, "game") == [Block("a", [], ["go type=9"]), Block("b", ["a", "c"], ["1m -> 2m"])]
