"""`scripts/bench.py`: every table has a row for each candidate, and too few games are rejected."""

from __future__ import annotations

import re
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path

import bench
import pytest
from benching import phases
from benching.games import own
from benching.in_memory import WORK
from benching.measures import PARSER, TABLES
from benching.processes import COMMANDS, TWO

HOME = Path(__file__).parent.parent
GAMES = [HOME / "fixtures" / "valid" / f"{name}.xml" for name in ("ankan", "bust", "chi-low")]

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="Windows does not count the time of child processes")


def run(*args: str | Path) -> subprocess.CompletedProcess[str]:
    """Run the script."""
    command = [sys.executable, HOME / "scripts" / "bench.py", *args]
    return subprocess.run(command, capture_output=True, encoding="utf-8", check=False)


def rows(table: str) -> list[list[str]]:
    """Return the cells of a Markdown table, without its head."""
    return [line.strip("| ").split(" | ") for line in table.splitlines() if line.startswith("|")][2:]


@pytest.mark.long
def test_tables() -> None:
    """Each candidate in memory, command and phase has its row, and all figures are numbers."""
    done = run("--chunk", "3", *GAMES)
    assert done.returncode == 0, done.stderr
    first, memory, process, phase, wall, start = done.stdout.rstrip().split("\n\n")
    assert first.startswith("3 games of ")
    candidates = [name for name in WORK if "jansou" not in name or find_spec("jansou")]
    assert [cells[0] for cells in rows(memory)] == [PARSER, *candidates]
    assert [cells[0] for cells in rows(process)] == [PARSER, *COMMANDS]
    assert [cells[0] for cells in rows(phase)] == [*phases.PHASES, phases.REST, "together"]
    assert [cells[0] for cells in rows(wall)] == [*TWO, "two conversions in memory"]
    assert len(rows(start)) == 4
    for table in (memory, process, phase, wall, start):
        assert all(re.fullmatch(r"-?[0-9.,]+(?: ms| MB)?|", cell) for cells in rows(table) for cell in cells[1:])
    assert all(float(cells[2]) > 1 for cells in rows(memory)[1:])


@pytest.mark.long
def test_against() -> None:
    """Another checkout adds its ratio and memory to each row, and what they are now as parts of them."""
    done = run("--chunk", "3", "--only", "process", "--rows", "`check`", "--against", HOME, *GAMES)
    assert done.returncode == 0, done.stderr
    parser, (name, *cells) = rows(done.stdout)
    assert (parser[0], name) == (PARSER, "`check`")
    assert len(cells) == 8
    assert 0.9 < float(cells[7]) < 1.1


def test_too_few() -> None:
    """A folder without valid games is rejected."""
    done = run(HOME / "fixtures" / "edits.txt")
    assert (done.returncode, done.stdout) == (1, "")
    assert done.stderr == "bench: 0 valid games; at least 2 are needed\n"


def test_relative(monkeypatch: pytest.MonkeyPatch) -> None:
    """Paths may be relative to the current directory."""
    monkeypatch.chdir(GAMES[0].parent)
    assert own([Path(GAMES[0].name), Path("../invalid/sanma.txt")]) == [Path(GAMES[0].name)]


def test_no_rows() -> None:
    """A text that is in the name of no row is rejected."""
    done = run("--only", "two", "--rows", "convert", *GAMES)
    assert done.returncode == 1
    assert done.stderr == f"bench: --rows: 'convert' is in none of {', '.join(TWO)}\n"


def test_docs() -> None:
    """A table of a page is replaced by the one measured, and each table is in one of the pages."""
    page = "a\n\n<!-- bench: two -->\n| old |\n| --- |\n\nb\n"
    made = bench.text([("new", "x"), ("1", "2")])
    assert (
        bench.documented(page, "two", made) == "a\n\n<!-- bench: two -->\n| new | x |\n| --- | --- |\n| 1 | 2 |\n\nb\n"
    )
    pages = "".join(path.read_text(encoding="utf-8") for path in bench.PAGES)
    marks = re.findall("<!-- bench: (.*) -->", pages)
    assert sorted(marks) == sorted(["run", *TABLES])


def test_docs_of_parts() -> None:
    """The page gets whole tables only."""
    done = run("--docs", "--rows", "convert")
    assert done.returncode == 2
    assert done.stderr == "bench.py: --docs needs whole tables, without --rows and --against\n"
