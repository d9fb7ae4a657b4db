"""The command `jmjp convert`, and what holds for all commands."""

from __future__ import annotations

import errno
import gzip
import os
import shutil
import signal
import subprocess
import sys
import time
import zipfile
from collections.abc import Callable
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from jmjp_convert import __version__
from jmjp_convert.cli import main
from jmjp_convert.formats.jmjp.dialects import DIALECTS
from jmjp_convert.formats.jmjp.reader import read_jmjp
from jmjp_convert.formats.jmjp.writer import write_jmjp
from jmjp_convert.formats.mjlog.reader import read_mjlog
from jmjp_convert.formats.reading import Reading

FIXTURES = Path(__file__).parent.parent / "fixtures"
PLAIN = FIXTURES / "valid" / "plain.xml"
BROKEN = FIXTURES / "invalid" / "discard-not-held.xml"
SANMA = FIXTURES / "invalid" / "sanma.xml"
WHY_BROKEN = "frame E1-0, element 6 <D4>: player 0 does not hold tile 4 (2m)"
WHY_SANMA = "a match of 3 players: jmjp has four seats only"
ID = "2011020417gm-00a9-0000-b67fcaa3"
LOST = (
    "comments: the log's id and rules, the players' ranks and ratings, connections, chips and names as they were "
    "are not written"
)

posix = pytest.mark.skipif(os.name != "posix", reason="POSIX only")
heard = pytest.mark.usefixtures("heard_signals")


@pytest.fixture(autouse=True)
def work(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Work in an empty directory, but for the file `log.xml`, which is sound, and `bad.xml`, which is not."""
    shutil.copy(PLAIN, tmp_path / "log.xml")
    shutil.copy(BROKEN, tmp_path / "bad.xml")
    monkeypatch.chdir(tmp_path)
    return tmp_path


def convert(*args: str, given: bytes = b"") -> Result:
    """Return what `jmjp convert` with *args* does, *given* on stdin."""
    return CliRunner().invoke(main, ["convert", *args], input=given)


def process(*args: str, program: str = "", **options: object) -> subprocess.Popen[bytes]:
    """Start `jmjp` with *args* as a process."""
    start = [sys.executable, *(("-c", program) if program else ("-m", "jmjp_convert")), *args]
    streams = dict.fromkeys(("stdin", "stdout", "stderr"), subprocess.PIPE) | options
    return subprocess.Popen(start, **streams)  # type: ignore[call-overload, no-any-return]


def opened_when_read(pipe: str, by: subprocess.Popen[bytes]) -> int:
    """Return the named *pipe*, open for writing, as soon as it is open for reading *by* a process."""
    while by.poll() is None:
        try:
            return os.open(pipe, os.O_WRONLY | os.O_NONBLOCK)
        except OSError as error:
            if error.errno != errno.ENXIO:  # nobody reads
                raise
            time.sleep(0.01)
    raise AssertionError(by.communicate())


def expected(*paths: str, spec: str = "1.0", compact: bool = False) -> bytes:
    """Return what the logs *paths* become."""
    return write_jmjp([read_mjlog(path) for path in paths], spec=spec, compact=compact).encode()


def files() -> dict[str, bytes]:
    """Return all files that were not there before, and their contents."""
    found = {path.relative_to(".").as_posix(): path.read_bytes() for path in Path().rglob("*") if path.is_file()}
    assert found.pop("log.xml") == PLAIN.read_bytes()
    assert found.pop("bad.xml") == BROKEN.read_bytes()
    return found


def raising(error: BaseException) -> Callable[..., None]:
    """Return a function that raises *error*, whatever it is called with."""

    def fail(*_: object, **__: object) -> None:
        raise error

    return fail


def assert_did(result: Result, code: int, *lines: str, stdout: bytes = b"") -> None:
    """Check the exit code, the lines on stderr (without the program's name), and stdout."""
    assert result.stderr == "".join(f"jmjp: {line}\n" for line in lines)
    assert result.stdout_bytes == stdout
    assert result.exit_code == code


# --- where outputs go ------------------------------------------------------------------------------------------------


def test_beside() -> None:
    """A log becomes a file beside it, and one line on stderr says so."""
    assert_did(convert("log.xml"), 0, "log.xml -> log.jmjp")
    assert files() == {"log.jmjp": expected("log.xml")}


def test_valid_fixture(valid_input: Path) -> None:
    """Every sound log is converted to what its fixture says."""
    shutil.copy(valid_input, ".")
    assert convert(valid_input.name).exit_code == 0
    (written,) = Path().glob("*.jmjp")
    assert written.read_bytes() == valid_input.with_name(written.name).read_bytes()


def test_another_directory() -> None:
    """The output stands beside its input, wherever the command is run."""
    Path("logs").mkdir()
    shutil.copy(PLAIN, "logs/a.xml")
    name = str(Path("logs/a.jmjp"))
    assert_did(convert("logs/a.xml"), 0, f"logs/a.xml -> {name}")
    assert files().keys() == {"logs/a.xml", "logs/a.jmjp"}


def test_names() -> None:
    """Names in Japanese, with spaces and with `&` are names like others; an id in one reaches the output."""
    for name in ("天鳳 牌譜.xml", f"{ID}&tw=2.mjlog"):
        Path(name).write_bytes(gzip.compress(PLAIN.read_bytes()))
    result = convert("天鳳 牌譜.xml", f"{ID}&tw=2.mjlog")
    assert_did(result, 0, "天鳳 牌譜.xml -> 天鳳 牌譜.jmjp", f"{ID}&tw=2.mjlog -> {ID}.jmjp")
    assert f"// tenhou id={ID} " in Path(f"{ID}.jmjp").read_text(encoding="utf-8")


def test_bytes() -> None:
    """A file is UTF-8 without a byte order mark, with line feeds alone."""
    convert("log.xml")
    content = Path("log.jmjp").read_bytes()
    assert content.startswith(b"jmjp[1.0]\n")
    assert "天鳳".encode() in content
    assert b"\r" not in content


def test_stdin() -> None:
    """Standard input goes to standard output, and nothing is said; it has no name that could be recorded."""
    log = PLAIN.read_bytes()
    result = convert("-", given=log)
    assert_did(result, 0, stdout=write_jmjp(read_mjlog(log)).encode())
    assert b"source=" not in result.stdout_bytes
    assert files() == {}


def test_stdin_with_files() -> None:
    """Beside files, standard input still goes to standard output."""
    log = PLAIN.read_bytes()
    result = convert("log.xml", "-", given=log)
    assert_did(result, 0, "log.xml -> log.jmjp", stdout=write_jmjp(read_mjlog(log)).encode())


def test_to_stdout() -> None:
    """With `-o -`, standard output carries the data and nothing else."""
    assert_did(convert("log.xml", "-o", "-"), 0, stdout=expected("log.xml"))
    assert files() == {}


def test_to_file() -> None:
    """With `-o FILE`, the file has that name, whatever it is."""
    assert_did(convert("log.xml", "-o", "x.txt"), 0, "log.xml -> x.txt")
    assert_did(convert("-", "-o", "y", given=PLAIN.read_bytes()), 0, "<stdin> -> y")
    assert files().keys() == {"x.txt", "y"}


@pytest.mark.parametrize("compact", [False, True])
def test_joined(*, compact: bool) -> None:
    """Several logs become one file of several matches with `-o FILE` or `-o -`."""
    shutil.copy(FIXTURES / "valid" / "chi-low.xml", "b.xml")
    both = expected("log.xml", "b.xml", compact=compact)
    options = ["--compact", "-q"] if compact else ["-q"]
    assert_did(convert("log.xml", "b.xml", "-o", "-", *options), 0, stdout=both)
    assert_did(convert("log.xml", "b.xml", "-o", "both.jmjp", *options), 0)
    assert Path("both.jmjp").read_bytes() == both
    assert_did(convert("log.xml", "b.xml", "-o", "again.jmjp"), 0, "2 logs -> again.jmjp")


@pytest.mark.parametrize("output", ["out", "new/", "new/er/"])
def test_to_directory(output: str) -> None:
    """With `-o DIR` each log becomes a file there; a directory that is not there yet ends in a slash."""
    Path("out").mkdir()
    shutil.copy(PLAIN, "b.xml")
    folder = Path(output)
    lines = [f"log.xml -> {folder / 'log.jmjp'}", f"b.xml -> {folder / 'b.jmjp'}"]
    assert_did(convert("log.xml", "b.xml", "-o", output), 0, *lines)
    assert sorted(path.name for path in folder.iterdir()) == ["b.jmjp", "log.jmjp"]


def test_stdin_to_directory() -> None:
    """Standard input goes into a directory under the name of its log id."""
    path = Path("out", f"{ID}.jmjp")
    assert_did(convert("-", "-o", "out/", "--id", ID, given=PLAIN.read_bytes()), 0, f"<stdin> -> {path}")
    assert path.exists()


def test_no_directory_for_nothing() -> None:
    """A directory is not made if nothing goes into it."""
    assert convert("bad.xml", "-o", "new/").exit_code == 1
    assert not Path("new").exists()


# --- how it is read and written --------------------------------------------------------------------------------------


@pytest.mark.parametrize("spec", DIALECTS)
@pytest.mark.parametrize("compact", [False, True])
def test_dialect(spec: str, *, compact: bool) -> None:
    """A log is written in the dialect that is asked for, pretty or compact."""
    convert("log.xml", "--spec", spec, *(["--compact"] if compact else []))
    assert files() == {"log.jmjp": expected("log.xml", spec=spec, compact=compact)}


@pytest.mark.parametrize(
    ("options", "remark"),
    [
        (["--spec", "0"], f"dialect 0 has no {LOST}"),
        (["--compact"], f"--compact writes no {LOST}"),
        (["--spec", "0", "--compact"], f"dialect 0 has no {LOST}"),
    ],
)
def test_what_is_dropped(options: list[str], remark: str) -> None:
    """Where there are no comments, what is lost with them is said, once a run."""
    shutil.copy(PLAIN, "b.xml")
    lines = ["log.xml -> log.jmjp", "b.xml -> b.jmjp", remark]
    assert_did(convert("log.xml", "b.xml", *options), 0, *lines)


def test_id_and_time() -> None:
    """`--id` and `--time` give what neither log nor name says."""
    for start in ("17:05", "1705"):
        text = convert("-", "--id", ID, "--time", start, given=PLAIN.read_bytes()).stdout
        assert f"// tenhou id={ID} " in text
        assert "mtp[20110204,fri,1705," in text


@pytest.mark.parametrize(
    ("size", "largest"),
    [
        ("1000", 1000),
        ("1000B", 1000),
        ("1k", 1024),
        ("1K", 1024),
        ("1KiB", 1024),
        ("1KB", 1000),
        ("1 KiB", 1024),
        ("2M", 2 << 20),
        ("2MiB", 2 << 20),
        ("2MB", 2_000_000),
        ("1G", 1 << 30),
        ("1T", 1 << 40),
    ],
)
def test_max_size(monkeypatch: pytest.MonkeyPatch, size: str, largest: int) -> None:
    """`--max-size` takes bytes and the usual units."""
    taken: list[object] = []

    def read(_: str, reading: Reading, __: object) -> object:
        taken.append(reading.max_size)
        return [read_mjlog(PLAIN)]

    monkeypatch.setattr("jmjp_convert.cli.convert.read_source", read)
    assert convert("log.xml", "--max-size", size).exit_code == 0
    assert taken == [largest]


def test_too_large() -> None:
    """A log beyond the bound is refused."""
    assert_did(convert("log.xml", "--max-size", "1K"), 1, "log.xml: larger than 1,024 bytes (--max-size)")


def test_notices() -> None:
    """What nobody has described is told once a run; what was mended, for every log."""
    for name in ("unknown-element", "owari-doubled"):
        shutil.copy(FIXTURES / "valid" / f"{name}.xml", f"{name}-1.xml")
        shutil.copy(FIXTURES / "valid" / f"{name}.xml", f"{name}-2.xml")
    result = convert(
        *(f"{name}-{number}.xml" for name in ("unknown-element", "owari-doubled") for number in (1, 2)), "-q"
    )
    assert_did(
        result,
        0,
        "unknown-element-1.xml: element <CHAT> is not known and is ignored",
        "owari-doubled-1.xml: owari stands twice in <AGARI>, with the same value",
        "owari-doubled-2.xml: owari stands twice in <AGARI>, with the same value",
    )


def test_strict() -> None:
    """With `--strict`, what nobody has described is refused."""
    shutil.copy(FIXTURES / "valid" / "unknown-element.xml", "a.xml")
    result = convert("a.xml", "--strict")
    assert result.exit_code == 1
    assert result.stderr.startswith("jmjp: a.xml: ")
    assert result.stderr.endswith("element <CHAT> is not known\n")
    assert files().keys() == {"a.xml"}


def test_quiet() -> None:
    """With `-q`, only what is wrong is said."""
    assert_did(convert("log.xml", "bad.xml", "-q", "--compact"), 1, f"bad.xml: {WHY_BROKEN}")


# --- what goes wrong with inputs -------------------------------------------------------------------------------------


def test_broken() -> None:
    """A broken log is told of with its place, and no file is left."""
    assert_did(convert("bad.xml"), 1, f"bad.xml: {WHY_BROKEN}")
    assert files() == {}


def test_invalid_fixture(invalid_input: Path) -> None:
    """Every bad input gets one line, and leaves nothing behind, by any way in and out."""
    shutil.copy(invalid_input, "a.xml")
    (line,) = convert("a.xml").stderr.splitlines()
    assert line.startswith("jmjp: a.xml: ")
    assert "internal error" not in line
    assert_did(convert("a.xml", "-o", "-"), 1, line.removeprefix("jmjp: "))
    assert_did(
        convert("-", given=Path("a.xml").read_bytes()), 1, line.removeprefix("jmjp: ").replace("a.xml", "<stdin>")
    )
    assert files().keys() == {"a.xml"}


def test_sanma() -> None:
    """Three players are refused: the format has four seats."""
    shutil.copy(SANMA, "a.xml")
    assert_did(convert("a.xml"), 1, f"a.xml: {WHY_SANMA}")


def test_missing() -> None:
    """A missing input is told of, even where its output exists."""
    Path("none.jmjp").write_bytes(b"")
    assert_did(convert("none.xml"), 1, "none.xml: no such file or directory")


def test_directory() -> None:
    """A directory is no input."""
    Path("logs").mkdir()
    for options in ([], ["-o", "-"]):
        assert_did(convert("logs", *options), 1, "logs: it is a directory: name the files in it")
    assert not Path("logs.jmjp").exists()


def test_unreadable(monkeypatch: pytest.MonkeyPatch) -> None:
    """An input that may not be read is told of."""
    monkeypatch.setattr("pathlib.Path.open", raising(PermissionError(13, "Permission denied")))
    assert_did(convert("log.xml"), 1, "log.xml: permission denied")


def test_zip() -> None:
    """A zip is left to another command."""
    with zipfile.ZipFile("logs.zip", "w") as archive:
        archive.write("log.xml")
    result = convert("logs.zip")
    assert (result.exit_code, result.stderr.count("\n")) == (1, 1)
    assert result.stderr.startswith("jmjp: logs.zip: ")
    assert "jmjp batch" in result.stderr


def test_cut_gzip() -> None:
    """Gzip that is cut off is told of."""
    Path("a.mjlog").write_bytes(gzip.compress(PLAIN.read_bytes())[:-20])
    result = convert("a.mjlog")
    assert (result.exit_code, result.stderr.count("\n")) == (1, 1)
    assert result.stderr.startswith("jmjp: a.mjlog: the gzip data is cut off or broken")
    assert files().keys() == {"a.mjlog"}


def test_others_go_on() -> None:
    """A bad input does not stop the others."""
    shutil.copy(PLAIN, "b.xml")
    lines = [f"bad.xml: {WHY_BROKEN}", "log.xml -> log.jmjp", "none.xml: no such file or directory", "b.xml -> b.jmjp"]
    assert_did(convert("bad.xml", "log.xml", "none.xml", "b.xml"), 1, *lines)
    assert files().keys() == {"b.xml", "log.jmjp", "b.jmjp"}


@pytest.mark.parametrize("output", ["-", "both.jmjp"])
def test_joined_whole_or_not_at_all(output: str) -> None:
    """If one of several for one file fails, nothing is written; what is wrong with each is told."""
    shutil.copy(SANMA, "sanma.xml")
    sources_ = ["bad.xml", "log.xml", "sanma.xml", "none.xml"]
    lines = [f"bad.xml: {WHY_BROKEN}", f"sanma.xml: {WHY_SANMA}", "none.xml: no such file or directory"]
    result = convert(*sources_, "-o", output)
    assert_did(result, 1, *lines, "nothing is written, since 3 of 4 logs failed")
    assert files().keys() == {"sanma.xml"}


def test_joined_keeps_the_old_file() -> None:
    """Even by force, a file gives way only to a whole one."""
    Path("out.jmjp").write_bytes(b"old")
    assert_did(convert("bad.xml", "-o", "out.jmjp", "--force"), 1, f"bad.xml: {WHY_BROKEN}")
    assert files() == {"out.jmjp": b"old"}


def test_internal_error(monkeypatch: pytest.MonkeyPatch) -> None:
    """A fault of ours is one line too, which says where, and does not stop the others."""

    def read(source: str, *_: object) -> object:
        return [{"log.xml": read_mjlog(PLAIN)}[source]]

    monkeypatch.setattr("jmjp_convert.cli.convert.read_source", read)
    for output in ([], ["-o", "-"]):
        first, *rest = convert("bad.xml", "log.xml", *output).stderr.splitlines()
        assert first.startswith(
            "jmjp: bad.xml: internal error, please report it: KeyError: 'bad.xml' (test_cli_convert.py, "
        )
        assert len(rest) == 1


def test_control_characters() -> None:
    """Control characters in a name neither break the line nor reach the terminal."""
    name = "a\nb\x1b[31m\x85\u2028\u202e.xml"
    assert_did(convert(name), 1, r"a\nb\x1b[31m\x85\u2028\u202e.xml: no such file or directory")


# --- what goes wrong with outputs ------------------------------------------------------------------------------------


@pytest.mark.parametrize("options", [[], ["-o", "log.jmjp"], ["-o", "."]])
def test_exists(options: list[str]) -> None:
    """An output that exists is not overwritten without `--force`."""
    Path("log.jmjp").write_bytes(b"old")
    assert_did(convert("log.xml", *options), 1, "log.xml: log.jmjp exists (--force overwrites it)")
    assert files() == {"log.jmjp": b"old"}
    assert_did(convert("log.xml", *options, "--force"), 0, "log.xml -> log.jmjp")
    assert files() == {"log.jmjp": expected("log.xml")}


def test_exists_is_checked_first(monkeypatch: pytest.MonkeyPatch) -> None:
    """No time is spent on a log whose output exists."""
    monkeypatch.setattr("jmjp_convert.cli.convert.read_source", raising(AssertionError("read")))
    Path("log.jmjp").write_bytes(b"old")
    assert_did(convert("log.xml"), 1, "log.xml: log.jmjp exists (--force overwrites it)")
    assert_did(convert("log.xml", "bad.xml", "-o", "log.jmjp"), 1, "log.jmjp exists (--force overwrites it)")


def test_exists_by_now(monkeypatch: pytest.MonkeyPatch) -> None:
    """An output that came into being during the conversion is not overwritten either."""

    def read(*_: object) -> object:
        Path("log.jmjp").write_bytes(b"new")
        return [read_mjlog(PLAIN)]

    monkeypatch.setattr("jmjp_convert.cli.convert.read_source", read)
    assert_did(convert("log.xml"), 1, "log.xml: log.jmjp exists (--force overwrites it)")
    assert files() == {"log.jmjp": b"new"}


def test_same_output() -> None:
    """The second of two inputs with one output fails, even with `--force`."""
    shutil.copy(FIXTURES / "valid" / "chi-low.xml", "log.mjlog")
    for options in ([], ["--force"]):
        lines = ["log.xml -> log.jmjp", "log.mjlog: log.jmjp is already the output of log.xml"]
        assert_did(convert("log.xml", "log.mjlog", *options), 1, *lines)
    assert files()["log.jmjp"] == expected("log.xml")


@pytest.mark.parametrize("options", [[], ["--force"]])
def test_output_is_input(options: list[str]) -> None:
    """An input is not overwritten, even with `--force`."""
    line = "log.xml: log.xml is an input, which is not overwritten"
    assert_did(convert("log.xml", "-o", "log.xml", *options), 1, line)
    assert files() == {}


def test_output_is_directory() -> None:
    """A directory in the place of an output is told of."""
    Path("log.jmjp").mkdir()
    assert_did(convert("log.xml", "--force"), 1, "log.xml: log.jmjp is a directory")


def test_no_directory() -> None:
    """Only an output that ends in a slash is made into a directory."""
    path = Path("new/x.jmjp")
    assert_did(convert("log.xml", "-o", "new/x.jmjp"), 1, f"log.xml: {path}: no such file or directory")
    Path("file").write_bytes(b"")
    assert_did(convert("log.xml", "-o", "file/"), 1, f"log.xml: {Path('file/log.jmjp')}: not a directory")


def test_device() -> None:
    """What is no regular file needs no force."""
    assert_did(convert("log.xml", "-o", os.devnull), 0, f"log.xml -> {os.devnull}")


# --- wrong usage -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("args", "message"),
    [
        ([], "Missing argument 'SRC...'"),
        (["log.xml", ""], "a file name is empty"),
        (["log.xml", "-o", ""], "a file name is empty"),
        (["-", "-"], "stdin (-) can be read only once"),
        (["log.xml", "bad.xml", "--id", ID], "--id is for one SRC only"),
        (["log.xml", "bad.xml", "--time", "17:00"], "--time is for one SRC only"),
        (
            ["-", "-o", "out/"],
            "stdin (-) has no name for its file in a directory: name it with -o, or give an mjlog its --id",
        ),
        (
            ["-", "--id", f"{ID}&tw=1"],
            f"Invalid value for '--id': '{ID}&tw=1' is no log id, such as 2011020417gm-00a9-0000-b67fcaa3",
        ),
        (["-", "--id", ""], "Invalid value for '--id': '' is no log id, such as 2011020417gm-00a9-0000-b67fcaa3"),
        *(
            (["-", "--time", start], f"Invalid value for '--time': '{start}' is no time of day, HHMM or HH:MM")
            for start in ("", "9:05", "24:00", "1260", "17:00:00", "\uff11\uff17\uff10\uff10")
        ),
        *(
            (
                ["-", "--max-size", size],
                f"Invalid value for '--max-size': '{size}' is no size, such as 1000000, 500K or 64MiB",
            )
            for size in ("", "0", "-1", "M", "1.5M", "1X", "1e6", "9" * 5000)
        ),
        (["-", "--spec", "2"], "Invalid value for '--spec': '2' is not one of '0', '1.0', '1.0-beta'"),
    ],
)
def test_usage(args: list[str], message: str) -> None:
    """Wrong usage is one line, and nothing is done."""
    assert_did(convert(*args), 2, f"{message}. Try 'jmjp convert -h' for help.")
    assert files() == {}


def test_unknown_command() -> None:
    """A command that is none is wrong usage, as is none at all, which shows what there is."""
    result = CliRunner().invoke(main, ["konvert"])
    assert result.exit_code == 2
    assert result.stderr.startswith("jmjp: No such command 'konvert'.")
    nothing = CliRunner().invoke(main, [])
    assert (nothing.exit_code, nothing.stdout) == (2, "")
    assert nothing.stderr == CliRunner().invoke(main, ["-h"]).stdout


@pytest.mark.parametrize("args", [["-h"], ["--help"], ["convert", "-h"], ["convert", "--help"]])
def test_help(args: list[str]) -> None:
    """Help goes to stdout, has examples, and fits into 80 columns, whatever the terminal."""
    result = CliRunner(env={"COLUMNS": "200"}).invoke(main, args, terminal_width=None)
    assert (result.exit_code, result.stderr) == (0, "")
    assert max(map(len, result.stdout.splitlines())) <= 80
    assert ("  jmjp convert log.xml  " in result.stdout) == ("convert" in args)


def test_version() -> None:
    """`jmjp --version` names program and version."""
    result = CliRunner().invoke(main, ["--version"])
    assert_did(result, 0, stdout=f"jmjp {__version__}\n".encode())


# --- the end of a process --------------------------------------------------------------------------------------------


@pytest.mark.parametrize("options", [[], ["-o", "-"]])
def test_interrupted(monkeypatch: pytest.MonkeyPatch, options: list[str]) -> None:
    """Ctrl-C while a log is read ends the run at once, without a traceback or a file."""
    monkeypatch.setattr("jmjp_convert.formats.mjlog.reader.read_mjlog", raising(KeyboardInterrupt()))
    assert_did(convert("log.xml", "bad.xml", *options), 130, "interrupted")
    assert files() == {}


def test_interrupted_while_writing(monkeypatch: pytest.MonkeyPatch) -> None:
    """Ctrl-C while a file is written leaves no part of it behind."""
    with monkeypatch.context() as patch:
        patch.setattr(os, "write", raising(KeyboardInterrupt()))
        result = convert("log.xml")
    assert_did(result, 130, "interrupted")
    assert files() == {}


def test_standalone_mode() -> None:
    """As with any click command, a caller may take the errors and the exit code instead of the exit."""
    assert main.main(["convert", "log.xml", "-q"], standalone_mode=False) == 0
    assert main.main(["convert", "bad.xml", "-q"], standalone_mode=False) == 1


@posix
@heard
@pytest.mark.parametrize(("number", "code", "said"), [(2, 130, b"jmjp: interrupted\n"), (15, 143, b""), (1, 129, b"")])
def test_signals(number: int, code: int, said: bytes) -> None:
    """A process that is interrupted, or asked to end, does so cleanly."""
    os.mkfifo("pipe.xml")
    started = process("convert", "pipe.xml", "log.xml")
    pipe = opened_when_read("pipe.xml", started)
    started.send_signal(number)
    assert started.communicate(timeout=60) == (b"", said)
    assert started.returncode == code
    os.close(pipe)
    Path("pipe.xml").unlink()
    assert files() == {}


@posix
@heard
def test_interrupted_while_loading() -> None:
    """Ctrl-C while the command is being loaded ends the process at once, without a word."""
    program = """if True:
        import os, signal, sys
        from jmjp_convert import __main__
        class Interrupting:
            def find_spec(self, name, *rest):
                if name == "jmjp_convert.cli":
                    os.kill(os.getpid(), signal.SIGINT)
        sys.meta_path.insert(0, Interrupting())
        __main__.run()
    """
    started = process(program=program)
    assert started.communicate() == (b"", b"")
    assert started.returncode == -signal.SIGINT


def test_signal_handlers_are_put_back() -> None:
    """Who calls the command finds the signal handlers as they were."""
    before = signal.getsignal(signal.SIGTERM)
    convert("log.xml")
    assert signal.getsignal(signal.SIGTERM) is before


@posix
def test_broken_pipe() -> None:
    """When nobody reads stdout any more, the process ends without a word."""
    started = process("convert", "-")
    assert started.stdin is not None
    assert started.stdout is not None
    assert started.stderr is not None
    started.stdout.close()
    with started.stdin as stdin:
        stdin.write(PLAIN.read_bytes())
    with started.stderr as stderr:
        assert stderr.read() == b""
    assert started.wait() == 0


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="Linux only")
@pytest.mark.parametrize("args", ["convert log.xml -o -", "convert -h", "batch -h", "-h", "--version"])
def test_full_stdout(args: str) -> None:
    """What goes wrong with stdout is one line, of help and the version too."""
    with Path("/dev/full").open("wb") as full:
        started = process(*args.split(), stdout=full)
        assert started.communicate()[1] == b"jmjp: <stdout>: no space left on device\n"
    assert started.returncode == 1


@posix
@pytest.mark.parametrize(
    ("closed", "args", "line"),
    [
        ("<&-", "-", b"jmjp: <stdin>: standard input is closed\n"),
        (">&-", "log.xml -o -", b"jmjp: standard output is closed\n"),
        ("2>&-", "bad.xml", b""),
    ],
)
def test_closed_streams(closed: str, args: str, line: bytes) -> None:
    """A stream that is closed from the start is told of, as far as that is possible."""
    shell = subprocess.run(  # noqa: S602 - only a shell closes streams
        f"'{sys.executable}' -m jmjp_convert convert {args} {closed}", shell=True, check=False, stderr=subprocess.PIPE
    )
    assert (shell.returncode, shell.stderr) == (1, line)
    assert files() == {}


@pytest.mark.parametrize("encoding", ["ascii", "ascii:strict", "cp932"])
def test_console_encoding(encoding: str) -> None:
    """Standard output is the same bytes whatever the console's encoding; what stderr cannot show is escaped."""
    shutil.copy(PLAIN, "牌譜é.xml")
    env = os.environ | {"PYTHONIOENCODING": encoding, "PYTHONUTF8": "0"}
    started = process("convert", "牌譜é.xml", "-o", "-", env=env)
    assert started.communicate() == (expected("牌譜é.xml"), b"")
    started = process("convert", "牌譜é.xml", env=env)
    _, said = started.communicate()
    shown = "牌譜\\xe9" if encoding == "cp932" else "\\u724c\\u8b5c\\xe9"
    assert said.decode("cp932").splitlines() == [f"jmjp: {shown}.xml -> {shown}.jmjp"]


@posix
def test_locale() -> None:
    """What a file is called is the same in every locale."""
    shutil.copy(PLAIN, "牌譜é.xml")
    env = os.environ | {"LC_ALL": "C", "PYTHONCOERCECLOCALE": "0", "PYTHONUTF8": "0"}
    assert process("convert", "牌譜é.xml", "-o", "-", env=env).communicate() == (expected("牌譜é.xml"), b"")


@posix
def test_loads_only_what_is_needed() -> None:
    """`jmjp --version` loads neither the reader nor lxml nor a command."""
    program = """if True:
        import sys
        from jmjp_convert.cli import main
        try:
            main(["--version"])
        finally:
            loaded = sorted(name for name in sys.modules if name.startswith(("jmjp_convert", "lxml")))
            print(*loaded)
    """
    out, _ = process(program=program).communicate()
    _, loaded = out.decode().splitlines()
    assert loaded == (
        "jmjp_convert jmjp_convert.cli jmjp_convert.cli.console jmjp_convert.cli.text_width jmjp_convert.errors "
        "jmjp_convert.files jmjp_convert.files.inputs jmjp_convert.files.outputs"
    )


def test_long_message() -> None:
    """A message that repeats something very long from its input is cut short."""
    Path("long.xml").write_text(f'<mjloggm ver="2.3"><GO type="{"9" * 20_000}x"/></mjloggm>', encoding="utf-8")
    result = convert("long.xml")
    assert result.exit_code == 1
    assert len(result.stderr) < 8100
    assert result.stderr.endswith("…\n")


# --- jmjp as input ---------------------------------------------------------------------------------------------------

GAME = FIXTURES / "valid" / "plain.jmjp"
OTHER_GAME = FIXTURES / "valid" / "chi-low.jmjp"


def rewritten(*paths: str, spec: str = "1.0", compact: bool = False) -> bytes:
    """Return what the jmjp files *paths* become."""
    return write_jmjp([match for path in paths for match in read_jmjp(path)], spec=spec, compact=compact).encode()


def two_games(*ids: str) -> bytes:
    """Return a file of two matches, which have *ids*, if any."""
    lines = [path.read_text(encoding="utf-8").removeprefix("jmjp[1.0]\n") for path in (GAME, OTHER_GAME)]
    for number, log_id in enumerate(ids):
        lines[number] = lines[number].replace("// tenhou source=", f"// tenhou id={log_id} source=", 1)
    return f"jmjp[1.0]\n{''.join(lines)}".encode()


@pytest.mark.parametrize("spec", DIALECTS)
@pytest.mark.parametrize("compact", [False, True])
@pytest.mark.parametrize("name", ["plain.jmjp", "plain.compact.jmjp", "plain.0.jmjp", "plain.1.0-beta.jmjp"])
def test_between_dialects(name: str, spec: str, *, compact: bool) -> None:
    """A jmjp file of any dialect, pretty or compact, is written in any other."""
    shutil.copy(FIXTURES / "valid" / name, "game.jmjp")
    options = ["--spec", spec, *(["--compact"] if compact else []), "-q"]
    assert_did(convert("game.jmjp", "-o", "out.jmjp", *options), 0)
    assert Path("out.jmjp").read_bytes() == rewritten("game.jmjp", spec=spec, compact=compact)


def test_jmjp_unchanged() -> None:
    """A jmjp file of ours, written in its own dialect again, is the same."""
    assert_did(convert(str(GAME), "-o", "-"), 0, stdout=GAME.read_bytes())
    assert_did(convert("-", given=GAME.read_bytes()), 0, stdout=GAME.read_bytes())
    assert_did(convert("-", given=gzip.compress(GAME.read_bytes())), 0, stdout=GAME.read_bytes())


def test_format_by_content() -> None:
    """Not its name tells of which format a file is, but its first bytes."""
    shutil.copy(GAME, "a.xml")
    Path("b.jmjp").write_bytes(b"\xef\xbb\xbf \n" + PLAIN.read_bytes())
    assert_did(convert("a.xml", "-q"), 0)
    assert Path("a.jmjp").read_bytes() == GAME.read_bytes()
    assert_did(convert("b.jmjp", "-o", "c.jmjp", "-q"), 0)
    assert Path("c.jmjp").read_bytes() == GAME.read_bytes().replace(b"source=plain.xml", b"source=b.jmjp")


@pytest.mark.parametrize("options", [[], ["-o", "game.jmjp"], ["-o", "."]])
def test_jmjp_never_overwrites_itself(options: list[str]) -> None:
    """The output beside a jmjp file would be the file itself: it is not overwritten, even with `--force`."""
    shutil.copy(GAME, "game.jmjp")
    for force in ([], ["--force"]):
        line = "game.jmjp: game.jmjp is an input, which is not overwritten"
        assert_did(convert("game.jmjp", *options, *force), 1, line)
    assert files() == {"game.jmjp": GAME.read_bytes()}


def test_several_matches_to_one_file() -> None:
    """All matches of a file go into one file, to stdout, or beside it under another ending."""
    Path("two.txt").write_bytes(two_games())
    assert_did(convert("two.txt", "-o", "out.jmjp"), 0, "two.txt -> out.jmjp")
    assert_did(convert("two.txt", "-o", "-"), 0, stdout=two_games())
    assert_did(convert("two.txt"), 0, "two.txt -> two.txt.jmjp")
    assert Path("out.jmjp").read_bytes() == Path("two.txt.jmjp").read_bytes() == two_games()


def test_several_matches_to_a_directory() -> None:
    """In a directory each match of a file has a file of its own, numbered."""
    Path("two.jmjp").write_bytes(two_games())
    lines = [f"two.jmjp -> {Path('out', f'two-{number}.jmjp')}" for number in (1, 2)]
    assert_did(convert("two.jmjp", "-o", "out/"), 0, *lines)
    assert Path("out/two-1.jmjp").read_bytes() == GAME.read_bytes()
    assert Path("out/two-2.jmjp").read_bytes() == OTHER_GAME.read_bytes()


def test_several_matches_by_their_ids() -> None:
    """A match of several with an id has its file named after it."""
    Path("two.jmjp").write_bytes(two_games(ID))
    assert convert("two.jmjp", "-o", "out/").exit_code == 0
    assert sorted(path.name for path in Path("out").iterdir()) == [f"{ID}.jmjp", "two-2.jmjp"]


def test_several_matches_with_one_id() -> None:
    """Matches with one id are numbered, since one name is no name for two."""
    Path("two.jmjp").write_bytes(two_games(ID, ID))
    paths = [Path("out", f"two-{number}.jmjp") for number in (1, 2)]
    assert_did(convert("two.jmjp", "-o", "out/"), 0, *(f"two.jmjp -> {path}" for path in paths))


def test_mixed() -> None:
    """Logs and jmjp files may be mixed, in one file or each for itself."""
    Path("two.jmjp").write_bytes(two_games())
    result = convert("log.xml", "two.jmjp", "log.xml", "-o", "all.jmjp")
    assert_did(result, 0, "3 logs -> all.jmjp")
    found = [match.source for match in read_jmjp("all.jmjp")]
    assert found == ["log.xml", "plain.xml", "chi-low.xml", "log.xml"]
    assert_did(convert("log.xml", "two.jmjp", "-o", "out/", "-q"), 0)
    assert sorted(path.name for path in Path("out").iterdir()) == ["log.jmjp", "two-1.jmjp", "two-2.jmjp"]


@pytest.mark.parametrize("options", [["--id", ID], ["--time", "12:00"]])
def test_no_id_for_jmjp(options: list[str]) -> None:
    """A jmjp file holds its own id and time: none can be given."""
    shutil.copy(GAME, "game.jmjp")
    line = "game.jmjp: --id and --time are for an mjlog: a jmjp file holds its own"
    assert_did(convert("game.jmjp", "-o", "x.jmjp", *options), 1, line)
    assert files().keys() == {"game.jmjp"}


def test_broken_jmjp() -> None:
    """A jmjp file that is wrong is told of in the form that compilers share, and nothing is written."""
    Path("x.txt").write_bytes(GAME.read_bytes().replace(b"(e,nw,tg)", b"(e,nw,1s)", 1))
    assert_did(convert("x.txt"), 1, "x.txt:21:3: in frame E1-0: player 0 does not hold tile 1s")
    line = "<stdin>:21:3: in frame E1-0: player 0 does not hold tile 1s"
    assert_did(convert("-", given=Path("x.txt").read_bytes()), 1, line)
    assert files().keys() == {"x.txt"}


def test_strict_for_jmjp() -> None:
    """A comment of ours that is not understood is told of; with `--strict` it is refused."""
    Path("x.txt").write_bytes(b"jmjp[1.0]\n// tenhou x\n" + GAME.read_bytes().removeprefix(b"jmjp[1.0]\n"))
    line = "x.txt: a comment // tenhou before line 8 is not understood and is passed over"
    assert_did(convert("x.txt", "-q"), 0, line)
    assert_did(convert("x.txt", "-q", "--force", "--strict"), 1, line)


@pytest.mark.parametrize("name", [r'(snt["a\"b"],snt["c"])', r'(snt["a\"b"]srm["c"],)'])
def test_quotes_in_names_of_two_parts(name: str) -> None:
    """A name that is more than a handle keeps all of its parts, in whatever dialect its quotes are changed."""
    Path("x.txt").write_text(f"jmjp[1.0](mtp[,,,]ply[0,{name},,,]ply[1,,,,]ply[2,,,,]ply[3,,,,])", encoding="utf-8")
    assert convert("x.txt").exit_code == 0
    assert "c" in Path("x.txt.jmjp").read_text(encoding="utf-8")


# --- the wall --------------------------------------------------------------------------------------------------------


def test_wall(seeded_log: str) -> None:
    """`--wall` fills in all ten dora, where the wall is the log's."""
    Path("seeded.xml").write_text(seeded_log, encoding="utf-8")
    assert_did(convert("seeded.xml"), 0, "seeded.xml -> seeded.jmjp")
    shown = Path("seeded.jmjp").read_text(encoding="utf-8")
    assert_did(convert("seeded.xml", "--wall", "--force"), 0, "seeded.xml -> seeded.jmjp")
    proven = Path("seeded.jmjp").read_text(encoding="utf-8")
    before, after = (next(line for line in text.splitlines() if line.startswith("frm[")) for text in (shown, proven))
    known = before.removesuffix(9 * "uk" + ",")
    assert known != before
    assert after.startswith(known)
    assert len(after) == len(before)
    assert "uk" not in after
    assert shown.replace(before, after) == proven


def test_wall_that_is_not_used(seeded_log: str) -> None:
    """Where there is no seed, or the wall is another's, the file is as without `--wall`, and one line says why."""
    no = "no dora is taken from the wall"
    assert_did(
        convert("log.xml", "--wall"), 0, f"log.xml: {no}: no seed of the shuffle is recorded", "log.xml -> log.jmjp"
    )
    Path("seeded.xml").write_text(seeded_log.replace("n288,9E", "n288,8E"), encoding="utf-8")
    result = convert("seeded.xml", "--wall", "-o", "a.jmjp")
    assert result.exit_code == 0
    assert result.stderr.startswith(f"jmjp: seeded.xml: {no}: the wall is not this match's: frame E1-0: ")
    assert convert("seeded.xml", "-o", "b.jmjp").exit_code == 0
    assert Path("a.jmjp").read_bytes() == Path("b.jmjp").read_bytes()


# --- other formats ---------------------------------------------------------------------------------------------------


OTHERS = [
    (["--to", "json"], "log.jsonl"),
    (["--to", "tenhou6"], "log.tenhou6.json"),
    (["--to", "tenhou6", "--per-frame"], "log.tenhou6.jsonl"),
    (["--to", "tenhou6", "--url"], "log.tenhou6.txt"),
    (["--to", "mjai"], "log.mjson"),
    (["--to", "majiang"], "log.majiang.json"),
    (["--to", "riichi-advanced", "--frame", "E2-0"], "log.E2-0.json"),
    (["--to", "riichi-advanced", "--frame", "E2-0", "--config"], "log.E2-0.config.json"),
]
"""The other formats: the options of each, and what a file is called."""


@pytest.mark.parametrize(("args", "name"), OTHERS, ids=lambda value: " ".join(value) if isinstance(value, list) else "")
def test_to(args: list[str], name: str) -> None:
    """A log becomes another format, under a name of its own, from mjlog or from jmjp; stdout carries the same."""
    assert convert("log.xml", *args, "-q").exit_code == 0
    (written,) = files().values()
    assert files().keys() == {name}
    assert convert("log.xml", *args, "-o", "-", "-q").stdout_bytes == written
    Path(name).unlink()
    convert("log.xml", "-o", "game.jmjp")
    result = convert("game.jmjp", *args, "-q")
    assert result.exit_code == 0
    assert files().keys() == {"game.jmjp", name.replace("log", "game")}


@pytest.mark.parametrize("args", [args for args, _ in OTHERS if "json" not in args], ids=" ".join)
def test_from_what_is_not_read(args: list[str]) -> None:
    """A format that is only written is named when it is given."""
    convert("log.xml", *args, "-o", "game", "-q")
    assert_did(convert("game"), 1, f"game: this is {args[1]}, which is written but not read")


def test_to_tells_losses() -> None:
    """What a format does not hold is told once, however many logs there are."""
    shutil.copy("log.xml", "other.xml")
    result = convert("log.xml", "other.xml", "--to", "tenhou6")
    assert (
        result.stderr.count("jmjp: tenhou6 leaves out: the log's file name, the rules' number, target and uma, ") == 1
    )
    assert result.stderr.count("jmjp: tenhou6: a hand at a limit stands without its fu\n") == 1
    assert result.stderr.count("jmjp: tenhou6") == 2
    assert convert("log.xml", "other.xml", "--to", "tenhou6", "-q", "--force").stderr == ""


def test_to_several() -> None:
    """Several games go into one file of a format that has a line for each, or each into its own."""
    shutil.copy("log.xml", "other.xml")
    assert convert("log.xml", "other.xml", "--to", "tenhou6", "--url", "-o", "both.txt", "-q").exit_code == 0
    assert len(Path("both.txt").read_bytes().splitlines()) == 8
    result = convert("log.xml", "other.xml", "--to", "majiang", "-o", "both.json", "-q")
    assert result.stderr == (
        "jmjp: 2 matches do not go into one file of majiang (into a directory each goes into its own)\n"
    )
    assert result.exit_code == 1
    convert("log.xml", "other.xml", "-o", "both.jmjp", "-q")
    assert convert("both.jmjp", "--to", "majiang", "-o", "each/", "-q").exit_code == 0
    assert {"each/both-1.majiang.json", "each/both-2.majiang.json"} <= files().keys()


def test_to_three_players() -> None:
    """A game of three is written in the formats that have room for it."""
    assert convert(str(SANMA), "--to", "tenhou6", "-o", "three.json", "-q").exit_code == 0
    for name in ("mjai", "majiang"):
        result = convert(str(SANMA), "--to", name, "-o", "-")
        assert result.stderr == f"jmjp: {SANMA}: a match of 3 players: {name} has four seats only\n"


@pytest.mark.parametrize(
    ("args", "message"),
    [
        (["--to", "tenhou6", "--compact"], "--compact is for --to jmjp"),
        (["--to", "tenhou6", "--spec", "0"], "--spec is for --to jmjp"),
        (["--to", "tenhou6", "--wall"], "--wall is for --to jmjp and json"),
        (["--url"], "--url is for --to tenhou6"),
        (["--to", "mjai", "--frame", "E1-0"], "--frame is for --to riichi-advanced"),
        (["--to", "mjai", "--config"], "--config is for --to riichi-advanced"),
        (["--to", "tenhou6", "--url", "--per-frame"], "--per-frame and --url are two forms: take one"),
        (["--to", "riichi-advanced"], "--to riichi-advanced writes one frame: --frame names it, as E3-1"),
        (["--to", "riichi-advanced", "--frame", "E5-0"], "'E5-0' is no frame, such as E3-1 (East 3, one honba)"),
    ],
    ids=lambda value: " ".join(value) if isinstance(value, list) else "",
)
def test_to_wrong_usage(args: list[str], message: str) -> None:
    """An option of another format is refused in one line."""
    result = convert("log.xml", *args)
    assert result.exit_code == 2
    assert message in result.stderr
    assert files() == {}


def test_frame_that_is_not_there() -> None:
    """A frame that is not in the game is refused, with those that are."""
    result = convert("log.xml", "--to", "riichi-advanced", "--frame", "W1-0")
    assert result.stderr == "jmjp: log.xml: there is no frame W1-0: the frames are E1-0, E2-0, E3-0, E3-1\n"
    assert files() == {}


def test_from_json() -> None:
    """JSON is read as mjlog and jmjp are, from files and stdin, and nothing of the game is lost on the way."""
    shutil.copy(SANMA, "three.xml")
    assert convert("log.xml", "three.xml", "--to", "json", "-o", "both.jsonl").stderr == "jmjp: 2 logs -> both.jsonl\n"
    convert("log.xml", "--to", "json", "-q")
    assert convert("-", given=Path("log.jsonl").read_bytes()).stdout_bytes == expected("log.xml")
    convert("log.jsonl", "-o", "again.jmjp", "-q")
    assert Path("again.jmjp").read_bytes() == expected("log.xml")
    again = convert("both.jsonl", "--to", "json", "-o", "-")
    assert again.stdout_bytes == Path("both.jsonl").read_bytes()
    assert "both.jsonl is an input" in convert("both.jsonl", "--to", "json", "--force").stderr


def test_broken_json() -> None:
    """Broken JSON is told with the line, and what is wrong there."""
    convert("log.xml", "--to", "json", "-q")
    lines = Path("log.jsonl").read_text(encoding="utf-8").splitlines()
    lines[3] = lines[3].replace("123", "122")
    Path("log.jsonl").write_text("\n".join(lines), encoding="utf-8")
    result = convert("log.jsonl", "-o", "x.jmjp")
    assert result.stderr == "jmjp: log.jsonl:4: in frame E1-0: player 0 does not hold tile 122 (nw)\n"
    assert result.exit_code == 1
    assert convert("log.jsonl", "--id", ID).stderr.endswith("are for an mjlog: a json file holds its own\n")


@pytest.mark.parametrize(
    "options", [["-o", "game.mjson"], ["-o", "game.x", "--to", "mjai"], ["-o", "game.jmjp", "--to", "mjai"]]
)
def test_ending(options: list[str]) -> None:
    """The ending of --output tells the format, unless --to does."""
    assert convert("log.xml", *options).exit_code == 0
    assert Path(options[1]).read_text(encoding="utf-8").startswith('{"type":"start_game"')


def test_ending_of_nothing_written() -> None:
    """An ending of what is only read, or of nothing known, leaves it at jmjp."""
    for name in ("game.xml", "game.txt"):
        assert convert("log.xml", "-o", name).exit_code == 0
        assert Path(name).read_text(encoding="utf-8").startswith("jmjp[1.0]\n")
