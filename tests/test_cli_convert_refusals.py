"""`jmjp convert`: rejected inputs and outputs, and usage errors."""

from __future__ import annotations

import gzip
import os
import shutil
import zipfile
from pathlib import Path

import pytest
from click.testing import CliRunner
from converting import (
    FIXTURES,
    ID,
    PLAIN,
    SANMA,
    WHY_BROKEN,
    WHY_SANMA,
    assert_did,
    convert,
    expected,
    files,
    loaded,
    raising,
    work,  # noqa: F401 - pytest finds it by its name
)

from jmjp_convert import __version__
from jmjp_convert.cli import main

# --- inputs -----------------------------------------------------------------------------------------------------------


def test_broken() -> None:
    """A broken log is reported with its location, and no file is left."""
    assert_did(convert("bad.xml"), 1, f"bad.xml: {WHY_BROKEN}")
    assert files() == {}


def test_invalid_fixture(invalid_input: Path) -> None:
    """Every bad input gets one line and leaves nothing behind, from files or stdin, to files or stdout."""
    shutil.copy(invalid_input, "a.xml")
    (line,) = convert("a.xml").stderr.splitlines()
    assert line.startswith("jmjp: a.xml: ")
    assert "internal error" not in line
    assert_did(convert("a.xml", "-o", "-"), 1, line.removeprefix("jmjp: "))
    assert_did(
        convert("-", given=Path("a.xml").read_bytes()), 1, line.removeprefix("jmjp: ").replace("a.xml", "<stdin>")
    )
    assert files().keys() == {"a.xml"}


def test_several_problems() -> None:
    """A jmjp file with several problems is rejected with the first, and how many others there are."""
    text = (FIXTURES / "valid" / "plain.jmjp").read_text(encoding="utf-8")
    Path("a.jmjp").write_text(text.replace("(e,nw,tg)", "(e,4z,tg)", 1), encoding="utf-8")
    first = "a.jmjp:21:6: in frame E1-0: expected a draw, call or ron, found '4z'; write nw"
    assert_did(convert("a.jmjp", "--to", "json"), 1, first)
    Path("a.jmjp").write_text(text.replace("(e,nw,tg)", "(e,4z,tg)", 1).replace("pme[", "pne["), encoding="utf-8")
    more = " (and 1 more problem; see jmjp check)"
    assert_did(convert("a.jmjp", "--to", "json"), 1, first + more)


def test_sanma() -> None:
    """A three-player game is rejected: jmjp has four seats."""
    shutil.copy(SANMA, "a.xml")
    assert_did(convert("a.xml"), 1, f"a.xml: {WHY_SANMA}")


def test_missing() -> None:
    """A missing input is reported, even if its output exists."""
    Path("none.jmjp").write_bytes(b"")
    assert_did(convert("none.xml"), 1, "none.xml: no such file or directory")


def test_directory() -> None:
    """A directory is rejected."""
    Path("logs").mkdir()
    for options in ([], ["-o", "-"]):
        assert_did(convert("logs", *options), 1, "logs: is a directory; use jmjp batch, or name the files in it")
    assert not Path("logs.jmjp").exists()


def test_unreadable(monkeypatch: pytest.MonkeyPatch) -> None:
    """An input without read permission is reported."""
    monkeypatch.setattr("builtins.open", raising(PermissionError(13, "Permission denied")))
    assert_did(convert("log.xml"), 1, "log.xml: permission denied")


def test_zip() -> None:
    """A zip is rejected with a hint to `jmjp batch`."""
    with zipfile.ZipFile("logs.zip", "w") as archive:
        archive.write("log.xml")
    result = convert("logs.zip")
    assert (result.exit_code, result.stderr.count("\n")) == (1, 1)
    assert result.stderr.startswith("jmjp: logs.zip: ")
    assert "jmjp batch" in result.stderr


def test_cut_gzip() -> None:
    """Truncated gzip is reported."""
    Path("a.mjlog").write_bytes(gzip.compress(PLAIN.read_bytes())[:-20])
    result = convert("a.mjlog")
    assert (result.exit_code, result.stderr.count("\n")) == (1, 1)
    assert result.stderr.startswith("jmjp: a.mjlog: the gzip data is truncated or corrupt")
    assert files().keys() == {"a.mjlog"}


def test_bad_input_does_not_stop_the_rest() -> None:
    """A bad input does not stop the rest."""
    shutil.copy(PLAIN, "b.xml")
    lines = [f"bad.xml: {WHY_BROKEN}", "log.xml -> log.jmjp", "none.xml: no such file or directory", "b.xml -> b.jmjp"]
    assert_did(convert("bad.xml", "log.xml", "none.xml", "b.xml"), 1, *lines)
    assert files().keys() == {"b.xml", "log.jmjp", "b.jmjp"}


@pytest.mark.parametrize("output", ["-", "both.jmjp"])
def test_joined_whole_or_not_at_all(output: str) -> None:
    """If one of several inputs for one file fails, nothing is written, and every failure is reported."""
    shutil.copy(SANMA, "sanma.xml")
    sources_ = ["bad.xml", "log.xml", "sanma.xml", "none.xml"]
    lines = [f"bad.xml: {WHY_BROKEN}", f"sanma.xml: {WHY_SANMA}", "none.xml: no such file or directory"]
    result = convert(*sources_, "-o", output)
    assert_did(result, 1, *lines, "nothing written: 3 of 4 logs failed")
    assert files().keys() == {"sanma.xml"}


def test_joined_keeps_the_old_file() -> None:
    """Even with `--force`, a file is replaced only by a complete one."""
    Path("out.jmjp").write_bytes(b"old")
    assert_did(convert("bad.xml", "-o", "out.jmjp", "--force"), 1, f"bad.xml: {WHY_BROKEN}")
    assert files() == {"out.jmjp": b"old"}


def test_internal_error(monkeypatch: pytest.MonkeyPatch) -> None:
    """An internal error is one line that says where, and does not stop the rest."""

    def read(source: str, *_: object) -> object:
        return {"log.xml": loaded()}[source]

    monkeypatch.setattr("jmjp_convert.batch.survey.read_source", read)
    for output in ([], ["-o", "-"]):
        first, *rest = convert("bad.xml", "log.xml", *output).stderr.splitlines()
        assert first.startswith(
            "jmjp: bad.xml: internal error, report it: KeyError: 'bad.xml' (test_cli_convert_refusals.py, "
        )
        assert len(rest) == 1


def test_control_characters() -> None:
    """Control characters in a name neither break the line nor reach the terminal."""
    name = "a\nb\x1b[31m\x85\u2028\u202e.xml"
    assert_did(convert(name), 1, r"a\nb\x1b[31m\x85\u2028\u202e.xml: no such file or directory")


# --- outputs ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("options", [[], ["-o", "log.jmjp"], ["-o", "."]])
def test_exists(options: list[str]) -> None:
    """An output that exists is not overwritten without `--force`."""
    Path("log.jmjp").write_bytes(b"old")
    assert_did(convert("log.xml", *options), 1, "log.xml: log.jmjp exists; use --force to overwrite it")
    assert files() == {"log.jmjp": b"old"}
    assert_did(convert("log.xml", *options, "--force"), 0, "log.xml -> log.jmjp")
    assert files() == {"log.jmjp": expected("log.xml")}


def test_exists_is_checked_first(monkeypatch: pytest.MonkeyPatch) -> None:
    """No time is spent on a log whose output exists."""
    monkeypatch.setattr("jmjp_convert.batch.survey.read_source", raising(AssertionError("read")))
    Path("log.jmjp").write_bytes(b"old")
    assert_did(convert("log.xml"), 1, "log.xml: log.jmjp exists; use --force to overwrite it")
    assert_did(convert("log.xml", "bad.xml", "-o", "log.jmjp"), 1, "log.jmjp exists; use --force to overwrite it")


def test_exists_meanwhile(monkeypatch: pytest.MonkeyPatch) -> None:
    """An output that appears during the conversion is not overwritten either."""

    def read(*_: object) -> object:
        Path("log.jmjp").write_bytes(b"new")
        return loaded()

    monkeypatch.setattr("jmjp_convert.batch.survey.read_source", read)
    assert_did(convert("log.xml"), 1, "log.xml: log.jmjp exists; use --force to overwrite it")
    assert files() == {"log.jmjp": b"new"}


def test_same_output() -> None:
    """The second of two inputs with the same output fails, even with `--force`."""
    shutil.copy(FIXTURES / "valid" / "chi-low.xml", "log.mjlog")
    for options in ([], ["--force"]):
        why = "log.jmjp is already the output of log.xml; convert it separately, with --output"
        assert_did(convert("log.xml", "log.mjlog", *options), 1, "log.xml -> log.jmjp", f"log.mjlog: {why}")
    assert files()["log.jmjp"] == expected("log.xml")


@pytest.mark.parametrize("options", [[], ["--force"]])
def test_output_is_input(options: list[str]) -> None:
    """An input is not overwritten, even with `--force`."""
    shutil.copy("log.xml", "log.jmjp")
    line = "log.jmjp: log.jmjp is an input; inputs are never overwritten"
    assert_did(convert("log.jmjp", "-o", "log.jmjp", *options), 1, line)
    assert files() == {"log.jmjp": PLAIN.read_bytes()}


def test_output_is_directory() -> None:
    """A directory in the place of an output is reported."""
    Path("log.jmjp").mkdir()
    assert_did(convert("log.xml", "--force"), 1, "log.xml: log.jmjp is a directory")


def test_new_directory() -> None:
    """The directory of an output is created, but not for an input that fails; a file cannot be one."""
    path = Path("new/deep/x.jmjp")
    assert_did(convert("log.xml", "-o", str(path)), 0, f"log.xml -> {path}")
    assert path.is_file()
    assert convert("bad.xml", "-o", "other/x.jmjp").exit_code == 1
    assert not Path("other").exists()
    Path("file").write_bytes(b"")
    assert_did(convert("log.xml", "-o", "file/"), 1, f"log.xml: {Path('file/log.jmjp')}: not a directory")


def test_device() -> None:
    """A device can be overwritten without `--force`."""
    assert_did(convert("log.xml", "-o", os.devnull), 0, f"log.xml -> {os.devnull}")


# --- usage errors -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("args", "message"),
    [
        ([], "Missing argument 'SRC...'"),
        (["log.xml", ""], "empty file name"),
        (["log.xml", "-o", ""], "empty file name"),
        (["-", "-"], "stdin (-) can be read only once"),
        (["log.xml", "bad.xml", "--id", ID], "--id works only with a single SRC"),
        (["log.xml", "bad.xml", "--time", "17:00"], "--time works only with a single SRC"),
        (
            ["-", "-o", "out/"],
            "cannot name the output of stdin (-) in a directory; use --output FILE, or --id for an mjlog",
        ),
        (
            ["-", "--id", f"{ID}&tw=1"],
            f"Invalid value for '--id': '{ID}&tw=1' is not a log ID such as 2011020417gm-00a9-0000-b67fcaa3",
        ),
        (["-", "--id", ""], "Invalid value for '--id': '' is not a log ID such as 2011020417gm-00a9-0000-b67fcaa3"),
        *(
            (["-", "--time", start], f"Invalid value for '--time': '{start}' is not a time such as 17:00 or 1700")
            for start in ("", "9:05", "24:00", "1260", "17:00:00", "\uff11\uff17\uff10\uff10")
        ),
        *(
            (
                ["-", "--max-size", size],
                f"Invalid value for '--max-size': '{size}' is not a size such as 1000000, 500K or 64MiB",
            )
            for size in ("", "0", "-1", "M", "1.5M", "1X", "1e6", "9" * 5000)
        ),
        (["-", "--spec", "2"], "Invalid value for '--spec': '2' is not one of '0', '1.0', '1.0-beta'"),
    ],
)
def test_usage(args: list[str], message: str) -> None:
    """A usage error is one line, and nothing is done."""
    assert_did(convert(*args), 2, f"{message}. Try 'jmjp convert -h' for help.")
    assert files() == {}


def test_unknown_command() -> None:
    """An unknown command is a usage error, and so is a missing one, which shows the help."""
    result = CliRunner().invoke(main, ["konvert"])
    assert result.exit_code == 2
    assert result.stderr.startswith("jmjp: No such command 'konvert'.")
    nothing = CliRunner().invoke(main, [])
    assert (nothing.exit_code, nothing.stdout) == (2, "")
    assert nothing.stderr == CliRunner().invoke(main, ["-h"]).stdout


@pytest.mark.parametrize("args", [["-h"], ["--help"], ["convert", "-h"], ["convert", "--help"]])
def test_help(args: list[str]) -> None:
    """Help goes to stdout, has examples, and fits into 80 columns."""
    result = CliRunner(env={"COLUMNS": "80"}).invoke(main, args)
    assert (result.exit_code, result.stderr) == (0, "")
    assert max(map(len, result.stdout.splitlines())) <= 80
    assert ("  jmjp convert log.xml  " in result.stdout) == ("convert" in args)


def test_version() -> None:
    """`jmjp --version` shows the program and its version."""
    result = CliRunner().invoke(main, ["--version"])
    assert_did(result, 0, stdout=f"jmjp {__version__}\n".encode())
