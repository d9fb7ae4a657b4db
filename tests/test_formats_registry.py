"""The registry of formats, and a format added by a user."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from tables import table

from jmjp_convert.errors import FileError
from jmjp_convert.formats import FORMATS, by_suffix, detect, expect_readable, register
from jmjp_convert.formats.format import Format

FIXTURES = Path(__file__).parent.parent / "fixtures"
LOG = FIXTURES / "valid" / "plain.xml"

TOY = """
from jmjp_convert.formats import COMPLETE
from jmjp_convert.formats.format import Format, Option
from jmjp_convert.formats.losses import Holding
from jmjp_convert.formats.losses.loss import Loss
from jmjp_convert.formats.losses.traits import TRAITS

def write(matches, *, loud):
    return ("TOY!\\n" if loud else "toy\\n") + COMPLETE.write(matches)

def read(source, **options):
    return COMPLETE.read(source.partition(b"\\n")[2], **options)

def holding(*, loud):
    return Holding(TRAITS, [Loss("whispers read as shouts", lambda match: True)])

FORMAT = Format(
    name="toy",
    about=None,
    suffixes=(".toy",),
    begins=lambda text: text.lower().startswith("toy"),
    read=read,
    write=write,
    options=(Option("loud", "shout."),),
    holding=holding,
)
"""
PROGRAM = """
import sys
sys.path.insert(0, "toys")
import toy
from jmjp_convert import formats
formats.register(toy.FORMAT)
from jmjp_convert.cli import main
main(sys.argv[1:])
"""


@pytest.fixture
def run(tmp_path: Path) -> Callable[..., str]:
    """Return a function that runs `jmjp` with the format toy, in its own folder, and returns its output."""
    (tmp_path / "toys" / "toy").mkdir(parents=True)
    (tmp_path / "toys" / "toy" / "__init__.py").write_text(TOY)
    (tmp_path / "log.xml").write_bytes(LOG.read_bytes())

    def jmjp(*args: str, code: int = 0) -> str:
        command = [sys.executable, "-c", PROGRAM, *args]
        done = subprocess.run(command, cwd=tmp_path, check=False, capture_output=True, text=True)
        assert done.returncode == code, done.stderr
        return done.stdout + done.stderr

    return jmjp


def test_toy(run: Callable[..., str], tmp_path: Path) -> None:
    """One object adds a format: its suffix, option, help, losses, verification and reader."""
    assert (
        run("convert", "log.xml", "-o", "game.toy", "--loud")
        == "log.xml -> game.toy\nnote: toy: whispers read as shouts\n"
    )
    assert (tmp_path / "game.toy").read_text(encoding="utf-8").startswith("TOY!\n")
    run("convert", "game.toy", "--to", "json")
    run("convert", "log.xml", "--to", "json")
    assert (tmp_path / "game.jsonl").read_bytes() == (tmp_path / "log.jsonl").read_bytes()
    assert "With --to toy:\n  --loud  shout.\n" in run("help", "formats")
    assert run("convert", "log.xml", "--loud", code=2).startswith("error: --loud works only with --to toy.")
    assert "Kaede" in run("info", "game.toy")
    assert run("check", "game.toy") == "1 file, 1 match checked: no problems found\n"
    assert run("convert", "toys/toy/__init__.py", code=1).endswith(", toy\n")


@pytest.mark.parametrize(("start", "name"), table("formats_registry", "detect", globals()))
def test_detect(start: bytes, name: str | None) -> None:
    """The first bytes of a file determine its format."""
    detected = detect(start)
    assert (detected and detected.name) == name


@pytest.mark.parametrize(("name", "format_"), table("formats_registry", "by_suffix"))
def test_by_suffix(name: str, format_: str | None) -> None:
    """A file name determines the format, if its suffix belongs to one format."""
    named = by_suffix(name)
    assert (named and named.name) == format_


def test_not_read() -> None:
    """A write-only format is named in the error; an unknown format gets a list of those that can be read."""
    with pytest.raises(FileError, match=r"^jmjp can write riichi-advanced but cannot read it$"):
        expect_readable(FORMATS["riichi-advanced"], b"")
    with pytest.raises(FileError, match=r"^unknown format; expected one of: mjlog, jmjp, json, .*Riichi City$"):
        expect_readable(None, b"")


def test_register_twice() -> None:
    """A name can be registered only once."""
    with pytest.raises(ValueError, match=r"^there is already a format named mjai$"):
        register(FORMATS["mjai"])


@pytest.mark.parametrize("format_", FORMATS.values(), ids=FORMATS)
def test_functions(format_: Format) -> None:
    """The functions that a format refers to exist: it reads or writes, and a writer has a suffix for its files."""
    assert format_.read or format_.write
    if format_.write:
        assert format_.suffixes or format_.suffix({option.name: option.default for option in format_.options})
