"""`jmjp check` and `jmjp info` on directories and archives."""

from __future__ import annotations

import json
import shutil
import zipfile
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from jmjp_convert.cli import main

FIXTURES = Path(__file__).parent.parent / "fixtures"
WHY = "frame E1-0, element 6 <D4>: East (Kaede) does not hold tile 4 (2m)"


@pytest.fixture(autouse=True)
def work(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Work in a directory with `games/`, which holds two games and a broken one, and `games.zip`, the same."""
    monkeypatch.chdir(tmp_path)
    Path("games").mkdir()
    for source, name in (("valid/plain.xml", "a.xml"), ("invalid/discard-not-held.xml", "b.xml")):
        shutil.copy(FIXTURES / source, f"games/{name}")
    shutil.copy(FIXTURES / "valid" / "plain.jmjp", "games/c.jmjp")
    with zipfile.ZipFile("games.zip", "w") as out:
        for path in sorted(Path("games").iterdir()):
            out.write(path)


def run(*args: str) -> Result:
    """Run `jmjp` with *args*."""
    return CliRunner().invoke(main, args)


@pytest.mark.parametrize("jobs", ["1", "2"])
def test_check(jobs: str) -> None:
    """Problems are reported for each game, in order, and the summary counts them all."""
    result = run("check", "games", "games.zip", "-j", jobs)
    assert result.stdout.splitlines() == [f"games/b.xml: {WHY}", f"games.zip: games/b.xml: {WHY}"]
    assert result.stderr == "jmjp: 6 files, 6 matches checked: 2 problems\n"
    assert result.exit_code == 1


def test_check_json() -> None:
    """With `--json`, the file of a problem names the archive and the member."""
    *findings, last = map(json.loads, run("check", "games.zip", "--json").stdout.splitlines())
    assert [(one["file"], one["frame"]) for one in findings] == [("games.zip: games/b.xml", "E1-0")]
    assert last["summary"]["files"] == 3


def test_check_counts_the_unread() -> None:
    """The summary counts what cannot be read, in text and as JSON."""
    Path("games/d.xml").write_bytes(b"no log")
    result = run("check", "games", "none.xml")
    assert result.stderr.splitlines()[-1] == "jmjp: 3 files, 3 matches checked: 1 problem, 2 files not read"
    last = json.loads(run("check", "games", "none.xml", "--json", "-q").stdout.splitlines()[-1])
    assert (last["summary"]["files"], last["summary"]["unread"]) == (3, 2)


@pytest.mark.parametrize("jobs", ["1", "2"])
def test_info(jobs: str) -> None:
    """Each game is shown below its name; a broken one is reported, and the rest are still shown."""
    result = run("info", "games.zip", "-j", jobs)
    headings = [line for line in result.stdout.splitlines() if line.startswith("==>")]
    assert headings == ["==> games.zip: games/a.xml <==", "==> games.zip: games/c.jmjp <=="]
    assert (result.exit_code, result.stderr) == (1, f"jmjp: games.zip: games/b.xml: {WHY}\n")


def test_info_json() -> None:
    """With `--json`, all games are in one list."""
    found = json.loads(run("info", "games", "--json").stdout)
    assert [one["file"] for one in found] == ["games/a.xml", "games/c.jmjp"]


@pytest.mark.parametrize("jobs", ["1", "2"])
def test_own_pages_are_passed_over(jobs: str) -> None:
    """Pages that `jmjp view` made are passed over, and counted."""
    Path("games/b.xml").unlink()
    assert run("view", "games", "-o", "games/site").exit_code == 0
    result = run("check", "games", "-j", jobs)
    assert (result.exit_code, result.stdout) == (0, "")
    assert "2 files, 2 matches checked" in result.stderr
    assert result.stderr.endswith("jmjp: 7 passed over (7 pages of jmjp)\n")
