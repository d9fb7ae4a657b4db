"""The scripts in `scripts/`: which Python runs them, their help, and what they say to invalid arguments."""

from __future__ import annotations

import ast
import os
import re
import runpy
import shutil
import subprocess
import sys
import tomllib
from collections.abc import Callable
from pathlib import Path

import commandline
import man
import pytest
from mutate import inside_functions, mutants, mutated, ways
from tables import table

SCRIPTS = Path(__file__).parent.parent / "scripts"
CALLED = sorted(path.name for path in SCRIPTS.glob("*.py") if "\nif __name__ ==" in path.read_text(encoding="utf-8"))
PACKAGED = [name for name in CALLED if "\nimport activate" in (SCRIPTS / name).read_text(encoding="utf-8")]
BARE = [sys.executable, "-E", "-S"]
"""A Python without packages."""


def run(*line: str | Path, cwd: Path | None = None) -> tuple[int, str, str]:
    """Run a command line; return its exit code, stdout and stderr."""
    done = subprocess.run(line, capture_output=True, encoding="utf-8", check=False, cwd=cwd)
    return done.returncode, done.stdout, done.stderr


@pytest.fixture
def ran(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Callable[..., tuple[int, str, str]]:
    """Return a function that runs a script with arguments in this process, and returns the same as :func:`run`."""

    def ran(name: str, *arguments: str) -> tuple[int, str, str]:
        monkeypatch.setattr(sys, "argv", [str(SCRIPTS / name), *arguments])
        with pytest.raises(SystemExit) as ended:
            runpy.run_path(str(SCRIPTS / name), run_name="__main__")
        assert isinstance(ended.value.code, int)
        streams = capsys.readouterr()
        return ended.value.code, streams.out, streams.err

    return ran


@pytest.fixture
def checkout(tmp_path: Path) -> Path:
    """Return a folder with the scripts, and no `.venv`."""
    shutil.copytree(SCRIPTS, tmp_path / "scripts", ignore=shutil.ignore_patterns("__pycache__"))
    return tmp_path


def test_all() -> None:
    """The scripts of the docs are among those tested here."""
    assert set(CALLED) >= {"bench.py", "fixtures.py", "fuzz.py", "load.py", "corrupt.py", "play.py", "sentences.py"}
    assert set(CALLED) - set(PACKAGED) == {"fixtures.py", "sentences.py"}


@pytest.mark.parametrize("name", PACKAGED)
def test_no_environment(name: str, checkout: Path) -> None:
    """Without the packages, a script exits with one line that says which one is missing, and what has it."""
    code, out, err = run(*BARE, checkout / "scripts" / name, "--help")
    assert (code, out) == (1, "")
    assert err == f"{name}: no package click; use the Python in .venv, which scripts/test sets up\n"


@pytest.mark.skipif(os.name != "posix", reason="Windows cannot replace a process")
@pytest.mark.parametrize("name", PACKAGED)
def test_environment(name: str, checkout: Path) -> None:
    """Without the packages, a script runs in .venv, with the same arguments."""
    python = checkout / ".venv" / "bin" / "python"
    python.parent.mkdir(parents=True)
    python.write_text('#!/bin/sh\nprintf "<%s>" "$@"\n', encoding="utf-8")
    python.chmod(0o755)
    script = checkout / "scripts" / name
    assert run(*BARE, script, "a b", "--help") == (0, f"<{script}><a b><--help>", "")


@pytest.mark.skipif(os.name != "posix", reason="Windows cannot replace a process")
def test_poor_environment(checkout: Path) -> None:
    """If .venv lacks the packages too, the script says so, once."""
    subprocess.run([sys.executable, "-m", "venv", "--without-pip", checkout / ".venv"], check=True)
    code, out, err = run(*BARE, checkout / "scripts" / "interrupt.py")
    assert (code, out, err.count("\n")) == (1, "", 1)
    assert err.startswith("interrupt.py: no package click; ")


@pytest.mark.parametrize("name", CALLED)
def test_help(name: str, tmp_path: Path) -> None:
    """The help begins with the usage, says what the script does, and nothing is done."""
    code, out, err = run(sys.executable, SCRIPTS / name, "--help", cwd=tmp_path)
    assert (code, err) == (0, "")
    assert re.match(rf"usage: {re.escape(name)} \[-h\]", out)
    assert "\n\n" in out
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("name", CALLED)
def test_usage_error(
    name: str, tmp_path: Path, ran: Callable[..., tuple[int, str, str]], monkeypatch: pytest.MonkeyPatch
) -> None:
    """An unknown option is reported in one line, and nothing is done."""
    monkeypatch.chdir(tmp_path)
    code, out, err = ran(name, "--nope")
    assert (code, out, err.count("\n")) == (2, "", 1)
    assert err.startswith(f"{name}: ")
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(("line", "message"), table("scripts", "invalid"))
def test_invalid(line: str, message: str, ran: Callable[..., tuple[int, str, str]]) -> None:
    """An invalid argument is reported in one line."""
    assert ran(*line.split()) == (2, "", f"{message}\n")


@pytest.mark.parametrize(
    ("error", "code", "said"),
    [
        (KeyboardInterrupt(), 130, "x.py: interrupted\n"),
        (OSError(28, "No space left on device"), 1, "x.py: [Errno 28] No space left on device\n"),
        (subprocess.CalledProcessError(2, ["play.py"]), 1, "x.py: Command '['play.py']' returned non-zero exit"),
    ],
)
def test_stopped(error: BaseException, code: int, said: str, capsys: pytest.CaptureFixture[str]) -> None:
    """A script that is interrupted, or that the system stops, says so in one line."""

    def stop() -> None:
        raise error

    assert commandline.run("folder/x.py", stop) == code
    assert capsys.readouterr().err.startswith(said)


@pytest.mark.skipif(os.name != "posix", reason="Windows has no such pipes")
def test_closed_output() -> None:
    """A script whose output nothing reads any more stops silently."""
    line = f'"{sys.executable}" "{SCRIPTS / "sentences.py"}" | head -n 1'
    code, out, err = run("bash", "-c", line)
    assert (code, out.count("\n"), err) == (0, 1, "")


ROOT = Path(__file__).parent.parent
FOLDER = ROOT / "docs" / "man"


def test_current() -> None:
    """The pages are those that scripts/man.py writes from the help texts."""
    assert {path.name: path.read_text(encoding="utf-8") for path in FOLDER.iterdir()} == man.pages()


def test_renewal(tmp_path: Path) -> None:
    """Pages of commands that there are no longer are removed."""
    (tmp_path / "jmjp-old.1").touch()
    man.write(tmp_path)
    assert {path.name for path in tmp_path.iterdir()} == {path.name for path in FOLDER.iterdir()}


def test_installed() -> None:
    """The pages are part of the wheel, where `man` finds them."""
    wheel = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["tool"]["hatch"]["build"]["targets"][
        "wheel"
    ]
    assert wheel["shared-data"] == {"docs/man": "share/man/man1"}


@pytest.mark.skipif(shutil.which("groff") is None, reason="groff is not installed")
def test_valid() -> None:
    """Groff formats every page without a warning."""
    pages = sorted(map(str, FOLDER.iterdir()))
    result = subprocess.run(["groff", "-man", "-ww", "-z", *pages], capture_output=True, text=True, check=True)  # noqa: S607
    assert result.stderr == ""


SCRIPT = Path(__file__).parent.parent / "scripts" / "mutate.py"


@pytest.mark.parametrize(("before", "after"), table("scripts", "ways"))
def test_ways(before: str, after: list[str]) -> None:
    """Each place can be changed in the ways of its kind."""
    source = f"def function():\n    {before.replace(chr(10), chr(10) + '    ')}\n"
    changed = []
    for index, node in enumerate(inside_functions(ast.parse(source))):
        for way in range(len(ways(node))):
            tree = ast.parse(source)
            ways([*inside_functions(tree)][index])[way][1]()
            changed.append(ast.unparse(ast.fix_missing_locations(tree)))
    assert changed == [
        ast.unparse(ast.parse(source.replace(before.replace("\n", "\n    "), _indented(text)))) for text in after
    ]


def _indented(text: str) -> str:
    return text.replace("\n", "\n    ")


def test_outside() -> None:
    """What is outside functions, in docstrings and in annotations is not changed."""
    tree = ast.parse(
        'A = 1\n\n\nclass B:\n    c = 2\n\n    def d(self, e: "f" = 3):\n        """G."""\n        return self\n'
    )
    assert [ast.unparse(node) for node in inside_functions(tree) if ways(node)] == ["return self"]


def test_mutated() -> None:
    """A mutant names its module, line and change."""
    path = SCRIPT.parent.parent / "jmjp_convert" / "formats" / "majiang" / "writer.py"
    tree, what = mutated(next(iter(mutants(path))))
    assert ast.dump(tree) != ast.dump(ast.parse(path.read_bytes()))
    assert what.startswith("majiang/writer.py:")


def test_report() -> None:
    """The script reports how many mutants changed an output, and how many of them were caught."""
    command = [sys.executable, "-W", "ignore", str(SCRIPT), "--mutants", "6", "--format", "json", "--least", "0"]
    done = subprocess.run(command, check=True, capture_output=True, text=True)
    head, *rows = done.stdout.splitlines()
    assert head.split() == ["format", "mutants", "changed", "caught", "share", "everywhere"]
    assert [row.split()[:2] for row in rows] == [["json", "6"], ["all", "6"]]
