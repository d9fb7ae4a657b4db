"""`scripts/play.py`: its arguments, its output, and its failures."""

from __future__ import annotations

import io
import os
import re
import shlex
import subprocess
import sys
from pathlib import Path

import commandline
import play as script
import pytest
from play import arguments, main
from playing import games
from simulator.coverage import Tally
from simulator.game import Game, GameSpec, simulate
from simulator.planners import Planner
from tables import table

SCRIPT = Path(__file__).parent.parent / "scripts" / "play.py"


def run(*options: str, hash_seed: int = 0) -> subprocess.CompletedProcess[bytes]:
    """Run the script."""
    environment = {**os.environ, "PYTHONHASHSEED": str(hash_seed)}
    return subprocess.run([sys.executable, SCRIPT, *options], capture_output=True, check=False, env=environment)


@pytest.mark.parametrize("options", ["--wild", "--players 3 --rules all", "--want honroutou"])
def test_same_bytes(options: str) -> None:
    """The same arguments give the same bytes, whatever the process."""
    once, again = (run("--seed", "5", *options.split(), "-o", "-", hash_seed=seed) for seed in (1, 2))
    assert once.returncode == 0
    assert once.stdout == again.stdout == games(f"--seed 5 {options}")[0].log.encode()


def test_seeds() -> None:
    """Different seeds, and different numbers of the same seed, give different games."""
    logs = [game.log for line in ("--seed 1 --games 2", "--seed 2", "--seed 11") for game in games(line)]
    assert len(set(logs)) == len(logs) == 4


def test_first() -> None:
    """A game does not depend on the number of the first game."""
    assert games("--seed 3 --games 3")[2] == games("--seed 3 --first 2")[0]


def test_folder(tmp_path: Path) -> None:
    """The games go to a directory, each under its log ID, and the coverage to stderr."""
    done = run("--seed", "1", "--games", "3", "--coverage", "-o", str(tmp_path / "new" / "games"))
    assert done.returncode == 0
    written = {path.name: path.read_text(encoding="utf-8") for path in (tmp_path / "new" / "games").iterdir()}
    assert written == {f"{game.id}.xml": game.log for game in games("--seed 1 --games 3")}
    lines = done.stderr.decode().splitlines()
    tally = Tally()
    for game in games("--seed 1 --games 3"):
        tally.add(game.tally)
    assert lines == list(tally.lines())


@pytest.mark.parametrize(("options", "message"), table("script_play", "refused"))
def test_refused(options: str, message: str, capsys: pytest.CaptureFixture[str]) -> None:
    """Impossible requests are rejected with the reason in one line."""
    assert failure([*shlex.split(options), "--seed", "1", "-o", "-"]) == 2
    assert capsys.readouterr() == ("", f"play.py: {message}\n")


def failure(argv: list[str]) -> object:
    """Return the exit code of the script."""
    try:
        return commandline.run(script.__file__, lambda: main(argv))
    except SystemExit as exited:
        return exited.code


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ("--want tenhou --tries 3", "none of 3 games (--tries) had tenhou; wanted: 1"),
        ("--want ron --games 3 --tries 2", "2 of 2 games (--tries) had ron; wanted: 3"),
    ],
)
def test_not_found(options: str, message: str, tmp_path: Path) -> None:
    """If too few games with a wanted row are found, the script reports it, fails, and keeps those found."""
    done = run("--seed", "1", *options.split(), "-o", str(tmp_path))
    *lines, last = done.stderr.decode().splitlines()
    assert (done.returncode, done.stdout, last) == (1, b"", f"play.py: {message}")
    assert len(lines) == len(list(tmp_path.iterdir()))


def test_not_played(monkeypatch: pytest.MonkeyPatch) -> None:
    """Games whose rules exclude the wanted row are not played."""
    players: list[int] = []

    def played(spec: GameSpec, planner: Planner) -> Game:
        players.append(spec.rules.players)
        return simulate(spec, planner)

    monkeypatch.setattr(script, "simulate", played)
    line = "--seed 1 --want kita-after-riichi --games 20 --tries 20 --rules 9,17 -o -"
    with pytest.raises(script.NotFoundError):
        list(script.games(arguments(shlex.split(line))))
    assert 0 < len(players) < 20
    assert set(players) == {3}


class Terminal(io.StringIO):
    """A fake terminal for the progress bar."""

    def isatty(self) -> bool:
        """Return ``True``."""
        return True


def test_progress(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """On a terminal a bar shows the progress of a search; results are on separate lines."""
    monkeypatch.setattr(sys, "stderr", terminal := Terminal())
    line = ["--seed", "1", "--want", "ron", "--games", "2", "--tries", "1"]
    assert failure([*line, "-o", str(tmp_path)]) == 1
    output = terminal.getvalue()
    assert "0/1 [" in output
    assert re.search(r"(?m)\rron: game 0, [-0-9a-f]+gm[-0-9a-f]+$", output)
    assert output.endswith("\rplay.py: 1 of 1 games (--tries) had ron; wanted: 2\n")


def test_unwritable(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """A directory that cannot be created, or a file that cannot be written, is reported in one line."""
    (tmp_path / "file").write_text("mine", encoding="utf-8")
    assert failure(["--seed", "1", "-o", str(tmp_path / "file")]) == 1
    assert capsys.readouterr() == ("", f"play.py: {tmp_path / 'file'}: file exists\n")
    log = tmp_path / f"{games('--seed 1')[0].id}.xml"
    log.mkdir()
    assert failure(["--seed", "1", "-o", str(tmp_path)]) == 1
    assert capsys.readouterr() == ("", f"play.py: {log} is a directory\n")


def test_interrupted(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    """An interrupted script prints no traceback."""

    def interrupt(*_: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(script, "simulate", interrupt)
    assert failure(["--seed", "1", "-o", str(tmp_path)]) == 130
    assert capsys.readouterr() == ("", "play.py: interrupted\n")


def test_closed_pipe() -> None:
    """If the pipe is closed, the script stops silently, like the command `jmjp`."""
    reading, writing = os.pipe()
    os.close(reading)
    line: list[str | Path] = [sys.executable, SCRIPT, "--seed", "1", "-o", "-"]
    done = subprocess.run(line, stdout=writing, stderr=subprocess.PIPE, check=False)
    os.close(writing)
    assert (done.returncode, done.stderr) == (1, b"")


def test_help() -> None:
    """Every example in the help has valid arguments."""
    help_ = run("--help").stdout.decode()
    examples = re.findall(r"^  scripts/play.py ([^|\n]*)", help_, re.MULTILINE)
    assert len(examples) >= 5
    for example in examples:
        assert arguments(shlex.split(example)).seed
