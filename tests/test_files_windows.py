"""What differs on Windows, simulated."""

from __future__ import annotations

import os
import sqlite3
import sys
from concurrent.futures import ProcessPoolExecutor
from contextlib import closing
from pathlib import Path

import pytest
from click.testing import CliRunner
from packing import HOUOU_2, PLAIN, database, game, named, packed, zipped

from jmjp_convert.batch.executor import processes
from jmjp_convert.cli import main
from jmjp_convert.files import archives, outputs
from jmjp_convert.formats.output_names import output_name

pytestmark = pytest.mark.usefixtures("in_tmp_path")


# --- workers ----------------------------------------------------------------------------------------------------------


def test_workers(monkeypatch: pytest.MonkeyPatch) -> None:
    """On Windows there are at most 61 workers, since more are refused."""
    monkeypatch.setattr(sys, "platform", "win32")
    with pytest.raises(ValueError, match="61"):
        ProcessPoolExecutor(62)
    workers = processes(128)
    assert workers.number == 61
    executor = workers.make()
    executor.shutdown()


def test_workers_elsewhere(monkeypatch: pytest.MonkeyPatch) -> None:
    """Other systems have no such limit."""
    monkeypatch.setattr(sys, "platform", "linux")
    assert processes(128).number == 128


# --- databases --------------------------------------------------------------------------------------------------------


@pytest.mark.skipif(os.name != "posix", reason="two slashes name a server on Windows")
def test_database_on_a_share() -> None:
    """SQLite opens a path with two slashes, and refuses a host."""
    database(Path("a.db"), HOUOU_2, {game(1): packed(PLAIN)})
    path = f"/{Path('a.db').absolute()}"
    assert path.startswith("//")
    (entry,) = archives.entries(path, 1 << 20)
    assert entry.member == game(1)
    with pytest.raises(sqlite3.OperationalError, match="invalid uri authority"):
        closing(sqlite3.connect(f"file:/{path}".replace("file:///", "file://host/"), uri=True))


# --- names ------------------------------------------------------------------------------------------------------------


def test_output_names(monkeypatch: pytest.MonkeyPatch) -> None:
    """No output is named like a device on Windows; elsewhere the name is kept."""
    monkeypatch.setattr(outputs, "WINDOWS", False)
    assert output_name("NUL.mjlog", ".jmjp") == "NUL.jmjp"
    monkeypatch.setattr(outputs, "WINDOWS", True)
    assert output_name("NUL.mjlog", ".jmjp") == "_NUL.jmjp"


@pytest.mark.parametrize(("command", "suffix"), [("convert", "jmjp"), ("view", "html")])
def test_outputs(command: str, suffix: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """`convert` and `view` write to another name than a device's."""
    monkeypatch.setattr(outputs, "WINDOWS", True)
    Path("con.xml").write_bytes(PLAIN)
    result = CliRunner().invoke(main, [command, "con.xml"])
    assert result.exit_code == 0
    assert f"con.xml -> _con.{suffix}\n" in result.stderr
    assert sorted(path.name for path in Path().iterdir()) == [f"_con.{suffix}", "con.xml"]


def test_pages_of_a_site() -> None:
    """No page of a site is named like a device, whatever system makes the site."""
    zipped({"CON.xml": PLAIN, "_CON.xml": named(1), "aux": named(2), "con.mjlog": named(3)}, Path("games.zip"))
    assert CliRunner().invoke(main, ["view", "games.zip", "-o", "site"]).exit_code == 0
    assert sorted(path.name for path in Path("site/games/undated").iterdir()) == sorted(
        ["_CON.html", "_CON-2.html", "_aux.html", "_con-3.html"]
    )


# --- files that are open elsewhere ------------------------------------------------------------------------------------


@pytest.mark.parametrize(("command", "suffix"), [("convert", "jmjp"), ("view", "html")])
def test_output_that_is_open(command: str, suffix: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """An output that another program has open, and that Windows does not replace, is that input's failure."""
    replace = os.replace

    def refuse(source: str, target: str) -> None:
        if Path(target).name == f"a.{suffix}":
            raise PermissionError(13, "Permission denied", source, 5, target)
        replace(source, target)

    monkeypatch.setattr(os, "replace", refuse)
    monkeypatch.setattr(Path, "replace", lambda path, target: refuse(str(path), str(target)))
    inputs = ["a.xml", "b.xml"] if command == "convert" else ["a.xml"]
    for name in inputs:
        Path(name).write_bytes(PLAIN)
        Path(name).with_suffix(f".{suffix}").write_bytes(b"old")
    result = CliRunner().invoke(main, [command, *inputs, "--force", "-q"])
    assert result.exit_code == 1
    assert result.stderr == f"error: a.xml: a.{suffix}: permission denied\n"
    assert Path(f"a.{suffix}").read_bytes() == b"old"
    outputs = {f"{Path(name).stem}.{suffix}" for name in inputs}
    assert {path.name for path in Path().iterdir()} == {*inputs, *outputs}
    assert all(Path(output).read_bytes() != b"old" for output in outputs - {f"a.{suffix}"})
