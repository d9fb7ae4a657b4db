"""What the program loads to convert a file: a start is felt at each command."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest

PLAIN = Path(__file__).parent.parent / "fixtures" / "valid" / "plain.xml"

PROGRAM = """if True:
    import sys
    from jmjp_convert.__main__ import run
    sys.argv[0] = "jmjp"
    try:
        run()
    finally:
        print("\\nloaded:", *sys.modules)
"""

_NAMES = """
_bz2 _lzma argparse array asyncio bz2 calendar concurrent csv dataclasses decimal doctest email fractions getpass
hashlib html http json logging lzma mahjong multiprocessing optparse pickle pprint pyarrow pydoc queue random requests
secrets selectors shutil socket sqlite3 ssl statistics subprocess tarfile tempfile tomllib tqdm unittest
urllib3 webbrowser xml zipfile zstandard
"""

LIBRARIES = {*_NAMES.split()}
"""The libraries that no conversion of a file needs. Each takes a millisecond or more, with what it imports."""

OWN = re.compile(
    r"jmjp_convert\.(?:(?:batch\.(?!survey)|fetch|stats|dataset|view|checks\.(?:score|wall)|files\.archives)\b"
    r"|cli\.(?:batch|check|collection|completion|fetch|help|info|running|stats|tables|view)\b"
    r"|formats\.(?:(?:json|majiang|mjai|riichi_advanced|tenhou6)\.|jmjp\.slips)|play\.abortive).*"
)
"""Our own modules that a conversion of mjlog to jmjp does not need."""


pytestmark = pytest.mark.usefixtures("in_tmp_path")


def loaded(*args: str | Path) -> set[str]:
    """Return the modules that ``jmjp`` has loaded at the end."""
    done = subprocess.run([sys.executable, "-c", PROGRAM, *args], check=True, capture_output=True, text=True)
    return set(done.stdout.rpartition("\nloaded: ")[2].split())


@pytest.mark.parametrize("args", [["-o", "out/"], ["--output=game.jmjp", "--no-verify"], ["-q"]])
def test_convert(args: list[str], tmp_path: Path) -> None:
    """A conversion of a file, verified or not, loads only what it needs."""
    log = tmp_path / "log.xml"
    log.write_bytes(PLAIN.read_bytes())
    modules = loaded("convert", log, *args)
    assert "jmjp_convert.formats.mjlog.reader" in modules
    assert modules & LIBRARIES == set()
    assert list(filter(OWN.fullmatch, modules)) == []


def test_parser(tmp_path: Path) -> None:
    """A log is read with lxml's parser, and nothing else of lxml."""
    log = tmp_path / "log.xml"
    log.write_bytes(PLAIN.read_bytes())
    modules = {name for name in loaded("convert", log) if name.startswith("lxml.")}
    assert modules == {"lxml.etree", "lxml._elementpath"}


@pytest.mark.parametrize("args", [["batch"], ["tables", "--to", "csv"]])
def test_without_pyarrow(args: list[str], tmp_path: Path) -> None:
    """Only tables in the form of Parquet load pyarrow."""
    modules = loaded(*args, "--dry-run", PLAIN, "-o", tmp_path / "out")
    assert ("jmjp_convert.dataset.recipe" in modules) == ("tables" in args)
    assert not any(name.startswith("pyarrow") for name in modules)


def test_version() -> None:
    """The version is shown without the model."""
    assert not any(name.startswith(("jmjp_convert.model", "jmjp_convert.formats", "lxml")) for name in loaded("-V"))


@pytest.mark.parametrize("args", [["help"], ["-h"], ["completion", "fish"]])
def test_help(args: list[str]) -> None:
    """The list of commands, and the script for completion, load no other command."""
    others = re.compile(r"jmjp_convert\.(?:batch|fetch|formats|model|view)\b.*|lxml|requests|tqdm")
    assert list(filter(others.fullmatch, loaded(*args))) == []


def test_completion(monkeypatch: pytest.MonkeyPatch) -> None:
    """The completion of a command loads none; that of its options loads only that one."""
    monkeypatch.setenv("_JMJP_COMPLETE", "fish_complete")
    monkeypatch.setenv("COMP_WORDS", "jmjp con")
    monkeypatch.setenv("COMP_CWORD", "con")
    assert "jmjp_convert.cli.convert" not in loaded()
    monkeypatch.setenv("COMP_WORDS", "jmjp convert --f")
    monkeypatch.setenv("COMP_CWORD", "--f")
    modules = loaded()
    assert "jmjp_convert.cli.convert" in modules
    assert modules & LIBRARIES == set()


def test_before_signals() -> None:
    """What is loaded before Ctrl-C is handled takes no time: until then, it would end in a traceback."""
    program = (
        "import re, signal, sys; before = {*sys.modules}; import jmjp_convert.__main__; print(*{*sys.modules} - before)"
    )
    done = subprocess.run([sys.executable, "-c", program], check=True, capture_output=True, text=True)
    modules = {name for name in done.stdout.split() if not name.startswith("importlib")}
    assert modules <= {"jmjp_convert", "jmjp_convert.__main__", "warnings", "__future__"}
