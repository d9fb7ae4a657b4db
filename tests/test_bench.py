"""`scripts/bench.py`: every table has a row for each candidate, and too few games are rejected."""

from __future__ import annotations

import argparse
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Callable
from importlib.util import find_spec
from pathlib import Path

import bench
import pytest
from benching import instructions, measures, others
from benching.games import chosen, chunks, own
from benching.in_memory import QUICK, WORK
from benching.measures import PARSER, TABLES
from benching.processes import COMMANDS, TWO

HOME = Path(__file__).parent.parent
GAMES = [HOME / "fixtures" / "valid" / f"{name}.xml" for name in ("ankan", "bust", "chi-low")]

(TWO_JOBS,) = (name for name in TWO if "--no-verify" in name)

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="Windows does not count the time of child processes")


def run(*args: str | Path) -> subprocess.CompletedProcess[str]:
    """Run the script."""
    command = [sys.executable, HOME / "scripts" / "bench.py", *args]
    return subprocess.run(command, capture_output=True, encoding="utf-8", check=False)


def rows(table: str) -> list[list[str]]:
    """Return the cells of a Markdown table, without its head."""
    return [line.strip("| ").split(" | ") for line in table.splitlines() if line.startswith("|")][2:]


FIGURE = re.compile(r"-?[0-9.,]+(?: ms| MB)?|")
ROWS = {
    "memory": QUICK,
    "process": "`check`",
    "two": TWO_JOBS,
    "startup": "`check log.xml`",
    "others": f"{others.JMJP}: reading mjlog",
}
"""A row of each table but those of instructions."""


@pytest.mark.parametrize("name", ROWS)
def test_table(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A table has the row that is asked for, and all its figures are numbers."""
    monkeypatch.setattr(measures, "ROUNDS", 1)
    monkeypatch.setattr(measures, "REPEATS", 1)
    _, *made = TABLES[name](measures.Bench(tmp_path, chunks(GAMES, 3, tmp_path), ROWS[name]))
    assert ROWS[name] in [cells[0] for cells in made]
    assert [cell for cells in made for cell in cells[1:] if not FIGURE.fullmatch(cell)] == []


@pytest.mark.long
def test_tables() -> None:
    """Each candidate in memory, command and program of others has its row, and all figures are numbers; programs that
    are not installed are named."""
    timed = [word for name in ROWS for word in ("--only", name)]
    done = run("--chunk", "3", *timed, *GAMES)
    assert done.returncode == 0, done.stderr
    first, memory, process, wall, start, beside = done.stdout.rstrip().split("\n\n")
    assert first.startswith("3 games of ")
    candidates = [name for name in WORK if "jansou" not in name or find_spec("jansou")]
    assert [cells[0] for cells in rows(memory)] == [PARSER, *candidates]
    assert [cells[0] for cells in rows(process)] == [PARSER, *COMMANDS]
    assert [cells[0] for cells in rows(wall)] == [*TWO, "two conversions in memory"]
    assert len(rows(start)) == 4
    missing = others.missing()
    assert [cells[0] for cells in rows(beside)] == [
        candidate.name for candidate in others.CANDIDATES if candidate.program not in missing
    ]
    assert [f"bench: {name}: skipped, not installed ({how})" for name, how in missing.items()] == [
        line for line in done.stderr.splitlines() if "skipped" in line
    ]
    for table in (memory, process, wall, start, beside):
        assert all(FIGURE.fullmatch(cell) for cells in rows(table) for cell in cells[1:])
    assert all(float(cells[2]) > 1 for cells in rows(memory)[1:])


def test_against() -> None:
    """Another checkout adds its ratio and memory to each row, and what they are now as parts of them."""
    done = run("--chunk", "3", "--only", "process", "--rows", "`check`", "--against", HOME, *GAMES)
    assert done.returncode == 0, done.stderr
    parser, (name, *cells) = rows(done.stdout)
    assert (parser[0], name) == (PARSER, "`check`")
    assert len(cells) == 8
    assert 0.9 < float(cells[7]) < 1.1


@pytest.fixture
def valgrind(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[[str], None]:
    """Return a function that puts a program in place of valgrind, given what it prints as a count in the shell."""

    def replace(count: str) -> None:
        path = tmp_path / "valgrind"
        path.write_text(f'#!/bin/sh\necho "==1== Collected : {count}" >&2\n', encoding="utf-8")
        path.chmod(0o755)
        monkeypatch.setenv("PATH", str(tmp_path), prepend=os.pathsep)

    return replace


def test_instructions(valgrind: Callable[[str], None]) -> None:
    """The instructions are those for one game more, each as a part of the parser's, here and in another checkout; the
    games are named by a checksum."""
    valgrind("${#}000000")  # a million for each argument
    done = run("--only", "instructions", "--rows", "reading mj", "--against", HOME, *GAMES)
    assert done.returncode == 0, done.stderr
    assert rows(done.stdout) == [
        [f"{PARSER}, games {instructions.digest(chosen(GAMES, 3))}", "1.00", "1"],
        ["reading mjlog", "1.00", "1.00", "", "", "1.00", "1.000"],
        ["reading mjai", "1.00", "1.00", "", "", "1.00", "1.000"],
    ]


STAGES = {"load": 1, "parse": 3, "read": 10, "replay": 12, "write": 17, "project": 24, "read-back": 37}
"""Millions of instructions for each game, up to each stage."""


def test_phases(valgrind: Callable[[str], None]) -> None:
    """What a phase takes is the difference between two stages; what the phases do not take, the rest of the command
    does."""
    counts = "".join(f"*' {stage} '*) n={millions};; " for stage, millions in STAGES.items())
    valgrind(f'$(n=40; case " $* " in {counts}esac; echo $((n * $#)))000000')
    done = run("--only", "phases", *GAMES)
    assert done.returncode == 0, done.stderr
    assert {name: cells[0] for name, *cells in rows(done.stdout)} == {
        "parse": "2.00",
        "decode": "5.00",
        "replay": "2.00",
        "write": "5.00",
        "project": "7.00",
        "read back": "11.00",
        "replay again": "2.00",
        "compare, files and the rest": "6.00",
        "together": "40.00",
    }


@pytest.mark.long
@pytest.mark.skipif(shutil.which("valgrind") is None, reason="valgrind is not installed")
def test_callgrind(tmp_path: Path) -> None:
    """Callgrind counts the instructions of the parser: some hundred per byte at most, without those of its start."""
    counted = instructions.Counter(GAMES, tmp_path).parse(HOME)
    size = sum(path.stat().st_size for path in GAMES[1:]) / len(GAMES[1:])
    assert 10 < counted / size < 1000


def test_no_valgrind(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Without valgrind, no instructions are counted, and one line says so."""
    monkeypatch.setenv("PATH", str(tmp_path))
    done = run("--only", "instructions", *GAMES)
    assert (done.returncode, done.stdout.count("\n")) == (0, 2)
    assert done.stderr.splitlines()[:-1] == ["bench: instructions: skipped, valgrind is not installed"]


def test_names(tmp_path: Path) -> None:
    """A list of names chooses logs and their order; a name that is in no folder is an error."""
    listed = [GAMES[2], GAMES[0]]
    assert own([GAMES[0].parent], [path.name for path in listed]) == listed
    names = tmp_path / "names.txt"
    names.write_text(f"{GAMES[0].name}\nmissing.xml\n", encoding="utf-8")
    done = run("--names", names, GAMES[0].parent)
    assert (done.returncode, done.stdout) == (1, "")
    assert done.stderr == "bench: 1 of 2 named logs are not there, such as missing.xml\n"


def test_no_path(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    """If there are no logs at the paths given, the games are those that are played, and a line says so."""
    monkeypatch.setattr(bench, "played", lambda: GAMES)
    missing = tmp_path / "mjlog"
    asked = argparse.Namespace(paths=[missing], names=tmp_path / "names.txt", games=2)
    assert len(bench.games_of(asked)) == 2
    assert capsys.readouterr().err == f"bench: {missing} does not exist; these are games that scripts/play.py plays\n"


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--names", "list.txt"], "--names needs a PATH"),
        (["--compiled", "."], "argument --compiled: . has no compiled module"),
    ],
)
def test_usage(arguments: list[str], message: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Arguments that cannot be followed are usage errors."""
    monkeypatch.chdir(tmp_path)
    Path("jmjp_convert").mkdir()
    done = run(*arguments)
    assert (done.returncode, done.stdout, done.stderr) == (2, "", f"bench.py: {message}\n")


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
