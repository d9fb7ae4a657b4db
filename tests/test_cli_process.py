"""`jmjp` as a process: signals, pipes, closed streams, encodings."""

from __future__ import annotations

import json
import os
import shutil
import signal
import subprocess
import sys
from pathlib import Path

import pytest
from converting import (
    PLAIN,
    WHY_BROKEN,
    assert_did,
    convert,
    expected,
    files,
    heard,
    jmjp,
    opened_when_read,
    posix,
    process,
    work,  # noqa: F401 - pytest finds it by its name
)
from tables import table

from jmjp_convert.cli import main


def test_interrupted_while_a_class_is_made(monkeypatch: pytest.MonkeyPatch) -> None:
    """Ctrl-C while a module is loaded ends the run in the same way, although Python before 3.12 wraps the exception."""

    class Field:
        def __set_name__(self, _owner: type, _name: str) -> None:
            raise KeyboardInterrupt

    def load(*_: object, **__: object) -> None:
        type("Loaded", (), {"field": Field()})

    monkeypatch.setattr(main, "invoke", load)
    before = [""] if sys.version_info >= (3, 12) else []  # click ends the line of ^C, if it sees the exception itself
    assert_did(convert("log.xml"), 130, *before, "interrupted")
    assert files() == {}


def test_standalone_mode() -> None:
    """As with any click command, a caller can get exceptions and the exit code instead of an exit."""
    assert main.main(["convert", "log.xml", "-q"], standalone_mode=False) == 0
    assert main.main(["convert", "bad.xml", "-q"], standalone_mode=False) == 1


@posix
@heard
@pytest.mark.parametrize(("number", "code", "said"), [(2, 130, b"interrupted\n"), (15, 143, b""), (1, 129, b"")])
def test_signals(number: int, code: int, said: bytes) -> None:
    """A process that is interrupted or terminated ends cleanly."""
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
    """Ctrl-C while the command is loading ends the process at once and silently."""
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


def test_signal_handlers_are_restored() -> None:
    """The command restores the signal handlers of its caller."""
    before = signal.getsignal(signal.SIGTERM)
    convert("log.xml")
    assert signal.getsignal(signal.SIGTERM) is before


@posix
@pytest.mark.parametrize(("args", "code"), [("convert -", 0), ("info - log.xml", 0), ("check -" + 50 * " bad.xml", 1)])
def test_broken_pipe(args: str, code: int) -> None:
    """The process ends silently when the reader of stdout closes the pipe."""
    started = process(*args.split())
    assert started.stdin is not None
    assert started.stdout is not None
    assert started.stderr is not None
    started.stdout.close()
    with started.stdin as stdin:
        stdin.write(PLAIN.read_bytes())
    with started.stderr as stderr:
        assert stderr.read() == b""
    assert started.wait() == code


LOST_STDOUT = ["check bad.xml bad.xml", "check --json bad.xml", "check --json log.xml", "info log.xml log.xml"]


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="Linux only")
@pytest.mark.parametrize(
    "args",
    [
        *("convert log.xml -o -", "convert -h", "batch -h", "-h", "--version", "info --json log.xml log.xml"),
        *("view log.xml -o -", *LOST_STDOUT),
    ],
)
def test_full_stdout(args: str) -> None:
    """An error of stdout is one line and ends the run, also for help and the version; it is not a finding."""
    with Path("/dev/full").open("wb") as full:
        started = process(*args.split(), stdout=full)
        assert started.communicate()[1] == b"error: <stdout>: no space left on device\n"
    assert started.returncode == 1


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="Linux only")
@pytest.mark.parametrize(("args", "code", "made"), table("cli_process", "full_stderr"))
def test_full_stderr(args: str, code: int, made: list[str]) -> None:
    """A message that cannot be written makes the exit code 1; the work is done all the same."""
    with Path("/dev/full").open("wb") as full:
        started = process(*args.split(), stderr=full)
        started.communicate()
    assert started.returncode == code
    assert set(made) <= files().keys()
    if "out/failures.jsonl" in made:
        assert json.loads(Path("out/summary.json").read_text(encoding="utf-8"))["converted"] == 1


@posix
def test_stderr_that_nobody_reads() -> None:
    """A stderr that the user closes, or that its reader closes, does not change the exit code."""
    start = [sys.executable, "-m", "jmjp_convert", "convert", "log.xml", "--force"]
    closed = subprocess.run(f"'{sys.executable}' {' '.join(start[1:])} 2>&-", shell=True, check=False)  # noqa: S602 - as below
    assert closed.returncode == 0
    reader, writer = os.pipe()
    os.close(reader)
    assert subprocess.run(start, stderr=writer, check=False).returncode == 0
    os.close(writer)


@posix
@pytest.mark.parametrize(("closed", "args", "line"), table("cli_process", "closed_streams"))
def test_closed_streams(closed: str, args: str, line: bytes) -> None:
    """A stream that is closed from the start is reported, as far as possible."""
    shell = subprocess.run(  # noqa: S602 - only a shell closes streams
        f"'{sys.executable}' -m jmjp_convert {args} {closed}", shell=True, check=False, stderr=subprocess.PIPE
    )
    assert (shell.returncode, shell.stderr) == (1, line)
    assert files() == {}


@pytest.mark.parametrize("encoding", ["ascii", "ascii:strict", "cp932"])
def test_console_encoding(encoding: str) -> None:
    """Standard output has the same bytes in every console encoding; what stderr cannot show is escaped."""
    shutil.copy(PLAIN, "牌譜é.xml")
    env = os.environ | {"PYTHONIOENCODING": encoding, "PYTHONUTF8": "1"}  # so that file names are the same everywhere
    started = process("convert", "牌譜é.xml", "-o", "-", env=env)
    assert started.communicate() == (expected("牌譜é.xml"), b"")
    started = process("convert", "牌譜é.xml", env=env)
    _, said = started.communicate()
    name = "牌譜\\xe9" if encoding == "cp932" else "\\u724c\\u8b5c\\xe9"
    assert said.decode("cp932").splitlines() == [f"{name}.xml -> {name}.jmjp"]


@pytest.mark.parametrize("encoding", ["ascii", "ascii:strict", "cp932", "latin-1"])
def test_console_encoding_of_tables(encoding: str) -> None:
    """Characters that the console cannot show are escaped, and columns are aligned for the escaped text."""
    env = os.environ | {"PYTHONIOENCODING": encoding, "PYTHONUTF8": "0"}
    out, err = process("info", "log.xml", env=env).communicate()
    assert err == b""
    if encoding == "cp932":
        assert out.decode("cp932").replace(os.linesep, "\n") == jmjp("info", "log.xml").stdout
    else:
        assert b"2  \\u5c71\\u8336\\u82b1  7 dan  2101.93      1   +44.0\n" in out
    out, _ = process("info", "log.xml", "--json", env=env).communicate()
    assert json.loads(out.decode("ascii"))[0]["players"][2]["name"] == "山茶花"


@pytest.mark.parametrize("encoding", ["ascii", "cp932"])
def test_console_encoding_of_findings(encoding: str) -> None:
    """Characters of findings that standard output cannot show are escaped."""
    shutil.copy("bad.xml", "é.xml")
    env = os.environ | {"PYTHONIOENCODING": encoding, "PYTHONUTF8": "1"}
    output = process("check", "-q", "é.xml", env=env).communicate()
    assert output == (f"\\xe9.xml: {WHY_BROKEN}\n".encode(), b"")


@posix
def test_locale() -> None:
    """File names are the same in every locale."""
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
        "jmjp_convert jmjp_convert.cli jmjp_convert.cli.command jmjp_convert.cli.console "
        "jmjp_convert.cli.language jmjp_convert.cli.signals "
        "jmjp_convert.errors jmjp_convert.files jmjp_convert.files.compression "
        "jmjp_convert.files.durability jmjp_convert.files.inputs jmjp_convert.files.outputs "
        "jmjp_convert.files.temporaries jmjp_convert.lazy_regex jmjp_convert.messages"
    )


def test_conversion_loads_only_what_it_needs() -> None:
    """Converting a log loads nothing that only messages, other formats or other options need."""
    shutil.copy(PLAIN, "log.xml")
    program = """if True:
        import sys
        from jmjp_convert.cli import main
        try:
            main(["convert", "--quiet", "log.xml"])
        finally:
            formats = [f"formats.{name}" for name in ("anonymous", "json_text", "spellings", "unreadable")]
            others = [*formats, "cli.japanese", "cli.text_table", "play.shanten"]
            libraries = ["dataclasses", "pathlib", "requests", "shlex", "tqdm", "urllib.parse"]
            print(*[name for name in (*libraries, *map("jmjp_convert.{}".format, others)) if name in sys.modules])
    """
    assert process(program=program).communicate() == (b"\n", b"")
    assert Path("log.jmjp").read_bytes() == expected("log.xml")


def test_long_message() -> None:
    """A message that quotes something very long from its input is truncated."""
    Path("long.xml").write_text(f'<mjloggm ver="2.3"><GO type="{"9" * 20_000}x"/></mjloggm>', encoding="utf-8")
    result = convert("long.xml")
    assert result.exit_code == 1
    assert len(result.stderr) < 8100
    assert result.stderr.endswith("…\n")
