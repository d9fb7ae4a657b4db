"""`jmjp check`: all fixtures, the caret on a terminal, and errors inside the program. Sessions have the rest."""

from __future__ import annotations

import io
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from converting import (
    FIXTURES,
    WHY_BROKEN,
    jmjp,
    posix,
    terminal_output,
    work,  # noqa: F401 - pytest finds it by its name
)
from tables import table

from jmjp_convert.cli import console
from jmjp_convert.errors import JmjpError
from jmjp_convert.formats.jmjp.reader import read_jmjp
from jmjp_convert.formats.reading import read_source


def test_fixtures() -> None:
    """No valid log has problems, nor does the jmjp converted from it."""
    result = jmjp("check", "-q", *map(str, sorted((FIXTURES / "valid").iterdir())))
    assert (result.exit_code, result.stdout) == (0, "")


def test_internal_error(monkeypatch: pytest.MonkeyPatch) -> None:
    """An internal error with one file is one line, and does not stop the rest."""

    def read(source: str, *rest: Any, **options: Any) -> object:
        return dict[str, object]()[source] if source == "log.xml" else read_source(source, *rest, **options)

    monkeypatch.setattr("jmjp_convert.batch.survey.read_source", read)
    result = jmjp("check", "log.xml", "bad.xml")
    assert result.exit_code == 1
    assert result.stderr.startswith("error: log.xml: internal error, report it: KeyError: 'log.xml' (")
    assert result.stdout == f"bad.xml: {WHY_BROKEN}\n"


@posix
@pytest.mark.parametrize(("old", "new", "excerpt", "column"), table("cli_check", "caret"))
def test_caret(old: str, new: str, excerpt: str, column: int) -> None:
    """On a terminal the line is shown with a caret below the place; wide characters count as two columns."""
    text = (FIXTURES / "valid" / "plain.jmjp").read_text(encoding="utf-8")
    Path("x.jmjp").write_text(text.replace(old, new, 1), encoding="utf-8")
    ours, theirs = os.openpty()
    env = os.environ | {"PYTHONUTF8": "1"}
    command = [sys.executable, "-m", "jmjp_convert", "check", "-q", "x.jmjp"]
    with subprocess.Popen(command, stdout=theirs, stderr=subprocess.PIPE, env=env) as started:
        os.close(theirs)
        seen = terminal_output(ours)
        assert started.wait() == 1
    _, line, caret = seen.decode().splitlines()
    assert line == f"  {excerpt}"
    assert caret == f"  {' ' * column}^"


class Terminal(io.StringIO):
    """A terminal that shows all characters."""

    encoding = "utf-8"

    def isatty(self) -> bool:
        """Return that it is a terminal."""
        return True


def test_caret_below_control_characters() -> None:
    """Control characters are escaped, and the caret is still below the place."""
    with pytest.raises(JmjpError) as refused:
        read_jmjp("jmjp[1.0](\x1b\u202e\u0301é天 x".encode())
    terminal = Terminal()
    console.point(refused.value, terminal)
    line, caret = terminal.getvalue().splitlines()
    assert line == "  jmjp[1.0](\\x1b\\u202e\u0301é天 x"
    assert caret == "            ^"


def test_score_without_the_package(monkeypatch: pytest.MonkeyPatch) -> None:
    """If the package that computes scores is missing, one line says how to install it."""
    for name in [name for name in sys.modules if name.partition(".")[0] == "mahjong"]:
        monkeypatch.delitem(sys.modules, name)
    monkeypatch.setitem(sys.modules, "mahjong", None)
    result = jmjp("check", "--score", "log.xml", "log.xml")
    assert (result.exit_code, result.stdout) == (1, "")
    assert result.stderr == (
        "error: scoring needs the extra 'score'; "
        'run pipx install --force ".[score]" or pip install ".[score]" in the repository\n'
    )
