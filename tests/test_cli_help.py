"""Help: `-h`, `jmjp help`, the version, and shell completion."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path

import click
import pytest
from click.testing import CliRunner, Result

from jmjp_convert import __version__
from jmjp_convert.cli import COMMANDS, main
from jmjp_convert.cli.completion import SHELLS
from jmjp_convert.formats import FORMATS, writable


def run(*args: str, **environment: str) -> Result:
    """Run `jmjp` with *args*."""
    return CliRunner(env=environment).invoke(main, args)


def complete(words: str, index: int) -> list[str]:
    """Return what bash would offer at the word number *index* of *words*."""
    environment = {"_JMJP_COMPLETE": "bash_complete", "COMP_WORDS": words, "COMP_CWORD": str(index)}
    result = subprocess.run(
        [sys.executable, "-m", "jmjp_convert"], env=os.environ | environment, capture_output=True, text=True, check=True
    )
    return [line.partition(",")[2] for line in result.stdout.splitlines()]


@pytest.mark.parametrize("name", COMMANDS)
def test_help_command(name: str) -> None:
    """`jmjp help COMMAND` shows what `jmjp COMMAND -h` shows."""
    result = run("help", name)
    assert (result.exit_code, result.stdout) == (0, run(name, "-h").stdout)


def test_help() -> None:
    """`jmjp help` shows what `jmjp -h` shows."""
    assert run("help").stdout == run("-h").stdout


@pytest.mark.parametrize("args", [["-h"], ["--help"], ["convert", "-h"], ["convert", "--help"], ["info", "-h"]])
def test_help_option(args: list[str]) -> None:
    """Help goes to stdout, has examples, and fits into 80 columns; without a command it goes to stderr."""
    result = run(*args, COLUMNS="80")
    assert (result.exit_code, result.stderr) == (0, "")
    assert max(map(len, result.stdout.splitlines())) <= 80
    assert ("  jmjp convert log.xml  " in result.stdout) == ("convert" in args)
    if len(args) == 1:
        nothing = run(COLUMNS="80")
        assert (nothing.exit_code, nothing.stdout, nothing.stderr) == (2, "", result.stdout)
    elif args[0] == "convert":
        assert f"--to [{'|'.join(format_.name for format_ in writable())}]" in result.stdout.replace("\n", "")


@pytest.mark.parametrize("flag", ["-V", "--version"])
def test_version(flag: str) -> None:
    """`-V` shows the version."""
    compiled = " (compiled)" if find_spec("jmjp_convert.compiled__mypyc") else ""
    assert run(flag).stdout == f"jmjp {__version__}{compiled}\n"


@pytest.mark.parametrize(("columns", "most"), [("60", 60), ("100", 100), ("500", 120), ("10", 50)])
def test_width(columns: str, most: int) -> None:
    """Help is as wide as `COLUMNS` says, within reason."""
    lines = run("batch", "-h", COLUMNS=columns).stdout.splitlines()
    text = [line for line in lines if line.startswith("  ") and not line.startswith("  -")]
    assert most - 15 < max(map(len, text[:8])) <= most


def test_groups() -> None:
    """Options are listed by group: the output, its format, the input."""
    text = run("convert", "-h").stdout
    assert re.findall(r"^(\S.*):$", text, re.MULTILINE) == ["Output", "Format", "Input", "Other options"]


def test_formats() -> None:
    """`jmjp help formats` has all formats, and the options of each, which the help of no command has."""
    text = run("help", "formats").stdout
    assert re.findall(r"^  ([a-z]\S*) +(?:read|written)", text, re.MULTILINE) == list(FORMATS)
    assert "](" not in text
    for format_ in writable():
        _, heading, options = text.partition(f"\nWith --to {format_.name}:\n")
        assert bool(heading) is bool(format_.options)
        flags = re.findall(r"^  (--\S+)", options.partition("\n\n")[0], re.MULTILINE)
        assert flags == [option.flag for option in format_.options]
        for command in ("convert", "batch", "fetch"):
            assert not any(f"  {flag} " in run(command, "-h").stdout for flag in flags)


@pytest.mark.parametrize(
    ("topic", "step"), [("mahjong-soul", "save it as game.txt"), ("riichi-city", "save that JSON unchanged")]
)
def test_topics(topic: str, step: str) -> None:
    """`jmjp help` says how to save the records of servers; the topics are in its help, and completed."""
    assert step in " ".join(run("help", topic).stdout.split())
    assert topic in run("help", "help").stdout
    assert complete(f"jmjp help {topic[:-2]}", 2) == [topic]


def test_servers() -> None:
    """The help names the servers, and the wall's option the formats that it works with."""
    assert "Mahjong Soul and Riichi City" in " ".join(run("-h").stdout.split())
    named = re.search(r"if it verifies; only for (.*?)\.", " ".join(run("convert", "-h").stdout.split()))
    assert named is not None
    assert named[1].split(" and ") == [format_.name for format_ in writable() if format_.dora]


@pytest.mark.parametrize("command", list(COMMANDS)[:-2])
def test_each_option_once(command: str) -> None:
    """No option is missing from the groups, and none is in two."""
    chosen = main.get_command(None, command)  # type: ignore[arg-type]
    assert chosen is not None
    flags = [
        flag
        for param in chosen.params
        if getattr(param, "listed", False) and not getattr(param, "hidden", False)
        for flag in param.opts
        if flag[:2] == "--"
    ]
    text = run(command, "-h").stdout
    assert [len(re.findall(rf"^  (?:-\w, )?{flag}(?=\s|$)", text, re.MULTILINE)) for flag in flags] == [1] * len(flags)


@pytest.mark.parametrize("shell", SHELLS)
def test_completion(shell: str) -> None:
    """`jmjp completion SHELL` prints a script for the shell."""
    if shell == "bash" and shutil.which("bash") is None:
        pytest.skip("bash is not installed")
    result = run("completion", shell)
    assert (result.exit_code, result.stderr) == (0, "")
    assert "_JMJP_COMPLETE" in result.stdout


@pytest.mark.skipif(shutil.which("bash") is None, reason="bash is not installed")
def test_bash_takes_the_script() -> None:
    """Bash accepts its script, which completes the command `jmjp`."""
    script = run("completion", "bash").stdout
    result = subprocess.run(["bash", "-c", f"{script}\ncomplete -p jmjp"], capture_output=True, text=True, check=True)  # noqa: S607
    assert result.stdout.endswith(" jmjp\n")


def test_completed_words() -> None:
    """Commands, options, formats and dialects are completed."""
    assert complete("jmjp con", 1) == ["convert"]
    assert complete("jmjp help ba", 2) == ["batch"]
    assert complete("jmjp convert --per", 2) == ["--per-frame"]
    assert complete("jmjp convert --to M", 3) == [
        format_.name for format_ in writable() if format_.name.startswith("m")
    ]
    assert complete("jmjp convert --spec 1", 3) == ["1.0", "1.0-beta"]
    assert complete("jmjp completion b", 2) == ["bash"]


def test_completed_files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Inputs are completed by the shell, as files."""
    monkeypatch.chdir(tmp_path)
    assert complete("jmjp convert ga", 2) == ["ga"]  # with the kind "file": the shell looks for them itself


@pytest.mark.parametrize("name", COMMANDS)
def test_quiet(name: str) -> None:
    """Every command has `-q`."""
    command = main.get_command(click.Context(main), name)
    assert command is not None
    assert any("-q" in param.opts for param in command.params)
