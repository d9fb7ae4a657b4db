"""Files and links that no format reads are named, with what to do."""

from __future__ import annotations

import io
import re
from pathlib import Path

import pytest
from click.testing import CliRunner

from jmjp_convert.cli import main
from jmjp_convert.errors import ConvertError
from jmjp_convert.formats.reading import read
from jmjp_convert.formats.unreadable import ELSEWHERE, FOREIGN, named

SOUL = "https://game.maj-soul.com/1/?paipu=190101-00000000-0000-0000-0000-000000000000_a1"
FILES = {
    "a PDF": b"%PDF-1.7",
    "an image": b"\x89PNG\r\n\x1a\n\0",
    "a list of games, not a game": "09:41 | 34 | 四鳳南喰 | <a href=".encode(),
    "an index of list pages, not a list of games": "<html><head></head><h3>ログ / 一覧</h3>".encode(),
    "a link to a game of Mahjong Soul": SOUL.encode(),
    "a link to a game of Riichi City": b"https://www.mahjong-jp.com/loglibrary?id=a",
    "a record of mjx": b'{"hiddenState":{},"publicObservation":{"playerIds":["a"]}}',
    "a report of mjai-reviewer": b"<!doctype html><title>mjai-reviewer</title>",
    "the page of a viewer, without a game": "<!DOCTYPE html><title>天鳳 tenhou</title>".encode(),
}


@pytest.mark.parametrize("what", FILES)
def test_named(what: str) -> None:
    """Each has a name, which is the message of whoever reads it."""
    said = named(FILES[what])
    assert said.startswith(f"this is {what}; ")
    with pytest.raises(ConvertError, match=f"^{re.escape(said)}$"):
        read(io.BytesIO(FILES[what]))


def test_all() -> None:
    """There is an example of everything in the table."""
    assert {row.what for row in FOREIGN} == FILES.keys()


@pytest.mark.parametrize("content", [b"", b"hello", b"{}", b"[]", b"<html>404</html>", b"https://example.org/?paipu=1"])
def test_unknown(content: bytes) -> None:
    """Anything else has no name."""
    assert named(content) == ""


def test_message(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A file, and a link in place of one, gets one line that says what it is and what to do."""
    monkeypatch.chdir(tmp_path)
    Path("a.bin").write_bytes(FILES["a PDF"])
    for source in ("a.bin", SOUL):
        result = CliRunner().invoke(main, ["convert", source])
        assert result.exit_code == 1
        assert result.stderr.startswith(f"error: {source[:70]}")
        assert ": this is a " in result.stderr
        assert result.stderr.count("\n") == 1


def test_elsewhere(subtests: pytest.Subtests) -> None:
    """Whatever is no output format, but known, is answered with how to get it, whatever its case."""
    for name, answer in ((name, row.answer) for row in ELSEWHERE for name in row.names):
        with subtests.test(name):
            result = CliRunner().invoke(main, ["convert", "a.xml", "--to", name.upper()])
            assert result.exit_code == 2
            assert result.stderr == f"error: Invalid value for '--to': {answer}. Try 'jmjp convert -h' for help.\n"
