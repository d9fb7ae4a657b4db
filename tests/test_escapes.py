"""Text for the terminal has no characters that control it or hide in it."""

from __future__ import annotations

import os
import subprocess
import sys
import unicodedata
from pathlib import Path
from urllib.parse import quote

import pytest
from click.testing import CliRunner
from converting import posix, terminal_output
from packing import PLAIN
from tables import table

from jmjp_convert.cli import main
from jmjp_convert.messages import escaped, for_terminal

CONTROLS = ("Cc", "Cf", "Zl", "Zp")
VISIBLE = {  # format characters that are drawn: signs above or below the numbers or words that follow, and in notation
    *range(0x0600, 0x0606),
    *(0x06DD, 0x070F, 0x0890, 0x0891, 0x08E2, 0x110BD, 0x110CD),
    *range(0x13430, 0x13440),
}
BIDI = (0x061C, 0x200E, 0x200F, *range(0x202A, 0x202F), *range(0x2066, 0x206A))
FILLERS = (0x034F, 0x115F, 0x1160, 0x17B4, 0x17B5, 0x180B, 0x3164, 0xFE00, 0xFFA0, 0xE0100)


def test_all_of_unicode() -> None:
    """Every control and format character is escaped when it is alone, and every other one is left as it is, except for
    characters that are blank without being spaces."""
    wanted, escaped_codes = set(FILLERS), set()
    for code in range(sys.maxunicode + 1):
        character = chr(code)
        if unicodedata.category(character) in CONTROLS and code not in VISIBLE:
            wanted.add(code)
        if escaped(f"a{character}b") != f"a{character}b":
            escaped_codes.add(code)
    assert set(BIDI) <= wanted <= escaped_codes
    others = {unicodedata.category(chr(code)) for code in escaped_codes - wanted}
    assert others <= {"Mn", "Cn"}  # variation selectors, and what Unicode reserves for more of the same


DANGEROUS = "\x1b]0;x\x07\x9b2J\x08\x7f\r\u202e\u2066"


def run(log: Path, *args: str, terminal: bool) -> tuple[int, str]:
    """Run a command on *log*; return its exit code and what it writes to stdout, a *terminal* or a pipe."""
    read, write = os.openpty() if terminal else os.pipe()
    if terminal:
        import tty  # POSIX only

        tty.setraw(write)  # which would end lines with \r\n
        args = tuple(arg.replace("TTY", os.ttyname(write)) for arg in args)
    command = [sys.executable, "-m", "jmjp_convert", args[0], str(log), *args[1:]]
    env = os.environ | {"PYTHONUTF8": "1"}
    with subprocess.Popen(command, stdout=write, stderr=subprocess.DEVNULL, env=env) as started:
        os.close(write)
        output = terminal_output(read).decode()
        return started.wait(), output


@posix
@pytest.mark.parametrize("command", table("escapes", "data_on_a_terminal"))
def test_data_on_a_terminal(command: str, tmp_path: Path) -> None:
    """Data for a terminal does not control it; a pipe gets the same characters as they are."""
    log = tmp_path / "log.xml"
    log.write_bytes(PLAIN.replace(b"%4B%61%65%64%65", quote(f"Ka{DANGEROUS}\U0001f004\ufe0f").encode()))
    code, output = run(log, *command.split(), terminal=True)
    assert (code, escaped(output.replace("\n", ""))) == (0, output.replace("\n", ""))
    code, piped = run(log, *command.split(), terminal=False)
    assert (code, for_terminal(piped)) == (0, output)
    if "csv" in command:
        assert DANGEROUS in piped
        assert "\\x1b]0;x" in output


@posix
def test_data_on_another_terminal(tmp_path: Path) -> None:
    """A terminal that is named as the output is not controlled either."""
    log = tmp_path / "log.xml"
    log.write_bytes(PLAIN.replace(b"%4B%61%65%64%65", quote(f"Ka{DANGEROUS}").encode()))
    _, output = run(log, "convert", "-o", "TTY", terminal=True)
    assert output == run(log, "convert", "-o", "-", terminal=True)[1]


@posix
@pytest.mark.parametrize("args", [["view"], ["stats", "--to", "html"]], ids=" ".join)
def test_page_on_a_terminal(args: list[str], tmp_path: Path) -> None:
    """A page is not written to a terminal, only to a pipe or file."""
    log = tmp_path / "log.xml"
    log.write_bytes(PLAIN)
    assert run(log, *args, "-o", "-", terminal=True) == (2, "")
    code, page = run(log, *args, "-o", "-", terminal=False)
    assert code == 0
    assert page.startswith("<!DOCTYPE html>")


def test_info(tmp_path: Path) -> None:
    """A name with invisible characters looks different from the name without them."""
    log = tmp_path / "log.xml"
    log.write_bytes(PLAIN.replace(b"%4B%61%65%64%65", quote("Ka\u200bede\u200f\u2067").encode()))
    stdout = CliRunner().invoke(main, ["info", str(log)]).stdout
    assert "Ka\\u200bede\\u200f\\u2067" in stdout
    assert not {"\u200b", "\u200f", "\u2067"} & set(stdout)
