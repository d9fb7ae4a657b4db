"""`jmjp convert`: all fixtures, options with many values, and errors inside the program. Sessions have the rest."""

from __future__ import annotations

import os
import shutil
from pathlib import Path

import pytest
from click.shell_completion import ShellComplete
from converting import (
    assert_did,
    convert,
    expected,
    files,
    loaded,
    raising,
    work,  # noqa: F401 - pytest finds it by its name
)
from tables import table

from jmjp_convert import convert as conversion
from jmjp_convert.cli import main
from jmjp_convert.errors import FormatError
from jmjp_convert.files.inputs import is_archive
from jmjp_convert.formats import FORMATS, detect, writable
from jmjp_convert.formats.jmjp.notation import DIALECTS
from jmjp_convert.formats.reading import Reading
from jmjp_convert.formats.roundtrip import prove


def test_valid_fixture(subtests: pytest.Subtests, valid_inputs: list[Path]) -> None:
    """Every valid log is converted to the output in its fixture."""
    for path in valid_inputs:
        with subtests.test(path.name):
            shutil.copy(path, ".")
            assert convert(path.name).exit_code == 0
            (written,) = Path().glob("*.jmjp")
            content = written.read_bytes()
            written.unlink()
            assert content == path.with_name(written.name).read_bytes()


def test_invalid_fixture(subtests: pytest.Subtests, invalid_inputs: list[Path]) -> None:
    """Every bad input gets one line and leaves nothing behind, from files or stdin, to files or stdout."""
    for path in invalid_inputs:
        with subtests.test(path.name):
            shutil.copy(path, "a.xml")
            given = convert("-", given=Path("a.xml").read_bytes())
            (line,) = given.stderr.splitlines()
            assert line.startswith("error: <stdin>: ")
            assert "internal error" not in line
            assert_did(given, 1, line)
            if not is_archive("a.xml"):  # which is converted as a batch
                for options in ([], ["-o", "-"]):
                    assert_did(convert("a.xml", *options), 1, line.replace("<stdin>", "a.xml"))
            assert files().keys() == {"a.xml"}


# --- options ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("spec", DIALECTS)
@pytest.mark.parametrize("compact", [False, True])
def test_dialect(spec: str, *, compact: bool) -> None:
    """A log is written in the given dialect, pretty or compact."""
    convert("log.xml", "--spec", spec, *(["--compact"] if compact else []))
    assert files() == {"log.jmjp": expected("log.xml", spec=spec, compact=compact)}


@pytest.mark.parametrize(("size", "largest"), table("cli_convert", "max_size", globals()))
def test_max_size(monkeypatch: pytest.MonkeyPatch, size: str, largest: int | None) -> None:
    """`--max-size` accepts bytes and the usual units, but no number that is too long to be one."""
    taken: list[object] = []

    def read(_: str, reading: Reading, *_rest: object, **_options: object) -> object:
        taken.append(reading.max_size)
        return loaded()

    monkeypatch.setattr("jmjp_convert.batch.survey.read_source", read)
    result = convert("log.xml", "--max-size", size)
    assert (result.exit_code, taken) == ((0, [largest]) if largest else (2, []))


def test_verified_by_default(monkeypatch: pytest.MonkeyPatch) -> None:
    """Outputs are read back, unless `--no-verify` is given."""
    monkeypatch.setattr(conversion, prove.__name__, raising(FormatError("reads back differently")))
    assert_did(convert("log.xml"), 1, "error: log.xml: reads back differently")
    assert_did(convert("log.xml", "--no-verify"), 0, "log.xml -> log.jmjp")


@pytest.mark.parametrize(("options", "to"), table("cli_convert", "format"))
def test_format(options: str, to: str) -> None:
    """The extension of `--output`, in any case, sets the format; `--to` goes with any extension that its format uses or
    that no other format claims, and takes a name in any case, or the first letters of a single one."""
    assert_did(convert("log.xml", *options.split(), "-q"), 0)
    (written,) = files().values()
    detected = detect(written)
    assert (detected and detected.name) == to


@pytest.mark.parametrize(("options", "name"), table("cli_convert", "to"))
def test_to(options: str, name: str) -> None:
    """An mjlog or jmjp file is converted to another format with a different file name; stdout gets the same bytes. The
    output is no input if the format is only written."""
    args = options.split()
    assert convert("log.xml", *args, "-q").exit_code == 0
    (written,) = files().values()
    assert files().keys() == {name}
    assert convert("log.xml", *args, "-o", "-", "-q").stdout_bytes == written
    if FORMATS[args[1]].read is None:
        assert_did(convert(name), 1, f"error: {name}: jmjp can write {args[1]} but cannot read it")
    Path(name).unlink()
    convert("log.xml", "-o", "game.jmjp")
    assert convert("game.jmjp", *args, "-q").exit_code == 0
    assert files().keys() == {"game.jmjp", name.replace("log", "game")}


@pytest.mark.parametrize("command", ["convert", "batch", "fetch"])
def test_completion(command: str) -> None:
    """The shell completes `--to` with the formats that begin so, in every command that has it."""
    complete = ShellComplete(main, {}, "jmjp", "_JMJP_COMPLETE")

    def completions(incomplete: str) -> list[str]:
        return [item.value for item in complete.get_completions([command, "--to"], incomplete)]

    assert completions("MA") == ["majiang"]
    assert completions("j") == ["jmjp", "json"]
    assert completions("") == [format_.name for format_ in writable()]


# --- errors -----------------------------------------------------------------------------------------------------------


def test_unreadable(monkeypatch: pytest.MonkeyPatch) -> None:
    """An input without read permission is reported."""
    monkeypatch.setattr("builtins.open", raising(PermissionError(13, "Permission denied")))
    assert_did(convert("log.xml"), 1, "error: log.xml: permission denied")


def test_internal_error(monkeypatch: pytest.MonkeyPatch) -> None:
    """An internal error is one line that says where, and does not stop the rest."""

    def read(source: str, *_rest: object, **_options: object) -> object:
        return {"log.xml": loaded()}[source]

    monkeypatch.setattr("jmjp_convert.batch.survey.read_source", read)
    for output in ([], ["-o", "-"]):
        first, *rest = convert("bad.xml", "log.xml", *output).stderr.splitlines()
        assert first.startswith("error: bad.xml: internal error, report it: KeyError: 'bad.xml' (test_cli_convert.py, ")
        assert len(rest) == 1


def test_control_characters() -> None:
    """Control characters in a name neither break the line nor reach the terminal."""
    name = "a\nb\x1b[31m\x85\u2028\u202e.xml"
    assert_did(convert(name), 1, r"error: a\nb\x1b[31m\x85\u2028\u202e.xml: no such file or directory")


def test_exists_is_checked_first(monkeypatch: pytest.MonkeyPatch) -> None:
    """No time is spent on a log if its output exists."""
    monkeypatch.setattr("jmjp_convert.batch.survey.read_source", raising(AssertionError("read")))
    Path("log.jmjp").write_bytes(b"old")
    assert_did(convert("log.xml"), 1, "error: log.xml: log.jmjp exists; use --force to overwrite it")
    assert_did(
        convert("log.xml", "bad.xml", "-o", "log.jmjp"), 1, "error: log.jmjp exists; use --force to overwrite it"
    )


def test_device() -> None:
    """A device can be overwritten without `--force`."""
    assert_did(convert("log.xml", "-o", os.devnull), 0, f"log.xml -> {os.devnull}")
