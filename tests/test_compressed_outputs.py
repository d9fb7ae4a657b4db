"""Outputs that are compressed because their names end so."""

from __future__ import annotations

import gzip
import lzma
import shutil
from pathlib import Path

import pytest
from click.testing import CliRunner
from conftest import FIXTURES
from packing import EXTENSIONS

from jmjp_convert import FormatError, dumps, read, write
from jmjp_convert.cli import main
from jmjp_convert.files.compression import COMPRESSIONS, compression_of


@pytest.mark.parametrize("extension", EXTENSIONS.values())
def test_output(extension: str, tmp_path: Path) -> None:
    """An output is compressed as the end of its name says, in any case, in the format that the rest of it stands for;
    it reads back."""
    match = read(FIXTURES / "valid" / "plain.xml")
    for name in ("game.mjson", "game.tenhou6.json", "game.jsonl", "game"):
        path = tmp_path / f"{name}{extension.upper()}"
        write(match, path)
        assert compression_of(path.read_bytes()) is next(
            compression for compression in COMPRESSIONS if compression.extension == extension
        )
        plain = tmp_path / name
        write(match, plain)
        assert dumps(read(path), "json") == dumps(read(plain), "json")


def test_output_of_commands(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Commands compress the file that the user names, with the same bytes each time; pages are refused."""
    monkeypatch.chdir(tmp_path)
    shutil.copy(FIXTURES / "valid" / "plain.xml", "log.xml")
    run = CliRunner().invoke
    for _ in range(2):
        assert run(main, ["convert", "log.xml", "-o", "a.mjson.gz", "--force", "-q"]).exit_code == 0
    assert run(main, ["convert", "log.xml", "-o", "a.mjson", "-q"]).exit_code == 0
    assert gzip.decompress(Path("a.mjson.gz").read_bytes()) == Path("a.mjson").read_bytes()
    assert Path("a.mjson.gz").read_bytes()[4:8] == bytes(4), "without the time"
    assert run(main, ["stats", "log.xml", "-o", "players.csv.xz", "-q"]).exit_code == 0
    assert lzma.decompress(Path("players.csv.xz").read_bytes()).startswith(b"player,players,")
    for command in ("view", "stats"):
        result = run(main, [command, "log.xml", "-o", "page.html.gz"])
        assert (result.exit_code, Path("page.html.gz").exists()) == (2, False)
        assert result.stderr.startswith("error: a page cannot be compressed; use -o page.html. ")


def test_contradicting_output(tmp_path: Path) -> None:
    """The format has to fit the extension before that of the compression."""
    match = read(FIXTURES / "valid" / "plain.xml")
    with pytest.raises(FormatError, match=r"has the extension of mjai, not of jmjp"):
        write(match, tmp_path / "a.mjson.gz", "jmjp")
    with pytest.raises(FormatError, match=r"unknown extension \.foo"):
        write(match, tmp_path / "a.foo.gz")
