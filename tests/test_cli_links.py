"""Links as inputs of the commands."""

from __future__ import annotations

import re
from pathlib import Path
from urllib.parse import unquote

import pytest
from click.testing import CliRunner
from converting import (
    ID,
    work,  # noqa: F401 - pytest finds it by its name
)

from jmjp_convert.cli import main
from jmjp_convert.files.inputs import label
from jmjp_convert.formats.reading import read

LOG = f"https://tenhou.net/0/?log={ID}&tw=1"


def run(*args: str) -> tuple[int, str, str]:
    """Return the exit code of `jmjp` with *args*, and what it writes to stdout and stderr."""
    result = CliRunner().invoke(main, args)
    return result.exit_code, result.stdout, result.stderr


@pytest.fixture
def link() -> str:
    """Return a link that contains the first frame of a game."""
    return run("convert", "log.xml", "--to", "tenhou6", "--url", "-o", "-", "-q")[1].splitlines()[0]


def same(link: str) -> list[str]:
    """Return other ways to write *link*."""
    plain = unquote(link)
    return [link, plain, plain.replace("/6/", "/5/"), link.replace("https", "http"), link.replace("https", "HTTPS")]


def test_convert(link: str) -> None:
    """A link is converted to stdout, or to a file, just as a file that has it."""
    Path("link.txt").write_text(link, encoding="utf-8")
    expected = run("convert", "link.txt", "-o", "-", "-q")
    assert expected[1].startswith("jmjp[1.0]\n")
    for other in same(link):
        assert run("convert", other, "-q") == expected
    assert run("convert", link, "-o", "a.jmjp") == (0, "", f"{label(link)} -> a.jmjp\n")
    assert Path("a.jmjp").read_text(encoding="utf-8") == expected[1]


def test_several_links(link: str) -> None:
    """Several links become one file, or a file for each in a directory."""
    first, second, *_ = same(link)
    assert run("convert", first, second, "-o", "both.jmjp") == (0, "", "2 logs -> both.jmjp\n")
    assert run("convert", first, second, "log.xml", "-o", "each/", "-q") == (0, "", "")
    names = sorted(path.name for path in Path("each").iterdir())
    assert [re.sub("[0-9a-f]{8}", "#", name) for name in names] == ["link-#.jmjp", "link-#.jmjp", "log.jmjp"]


def test_other_commands(link: str) -> None:
    """A link is checked, shown and viewed like a file."""
    assert run("check", link) == (0, "", "1 file, 1 match checked: no problems found\n")
    code, stdout, stderr = run("info", link)
    assert (code, stderr) == (0, "")
    assert "E1-0" in stdout
    code, stdout, stderr = run("view", link)
    assert (code, stderr) == (0, "")
    assert stdout.startswith("<!DOCTYPE html>")


def test_broken_link(link: str) -> None:
    """A problem of a link is reported in one line that has only its start."""
    code, stdout, stderr = run("convert", link[:-40])
    assert (code, stdout, stderr.count("\n")) == (1, "", 1)
    assert stderr.startswith(f"error: {label(link)}:1: ")


def test_missing_log_in_python() -> None:
    """In Python, a log ID is a path like any other: a missing one is a FileNotFoundError."""
    with pytest.raises(FileNotFoundError, match="no such file or directory"):
        read("2019041809gm-0009-0000-0123abcd")
