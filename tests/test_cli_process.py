"""`jmjp` as a process: signals, pipes, closed streams, encodings."""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner
from converting import (
    PLAIN,
    assert_did,
    convert,
    expected,
    files,
    heard,
    opened_when_read,
    posix,
    process,
    raising,
    work,  # noqa: F401 - pytest finds it by its name
)

from jmjp_convert.cli import main


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


def test_interrupted_while_a_class_is_made(monkeypatch: pytest.MonkeyPatch) -> None:
    """Ctrl-C while a module is loaded ends the run in the same way, although Python before 3.12 wraps the exception."""

    class Field:
        def __set_name__(self, _owner: type, _name: str) -> None:
            raise KeyboardInterrupt

    def load(*_: object, **__: object) -> None:
        type("Loaded", (), {"field": Field()})

    monkeypatch.setattr(main, "invoke", load)
    assert_did(convert("log.xml"), 130, "interrupted")
    assert files() == {}


def test_standalone_mode() -> None:
    """As with any click command, a caller can get exceptions and the exit code instead of an exit."""
    assert main.main(["convert", "log.xml", "-q"], standalone_mode=False) == 0
    assert main.main(["convert", "bad.xml", "-q"], standalone_mode=False) == 1


@posix
@heard
@pytest.mark.parametrize(("number", "code", "said"), [(2, 130, b"jmjp: interrupted\n"), (15, 143, b""), (1, 129, b"")])
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
def test_broken_pipe() -> None:
    """The process ends silently when the reader of stdout closes the pipe."""
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
    """An error of stdout is one line, also for help and the version."""
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
    """A stream that is closed from the start is reported, as far as possible."""
    shell = subprocess.run(  # noqa: S602 - only a shell closes streams
        f"'{sys.executable}' -m jmjp_convert convert {args} {closed}", shell=True, check=False, stderr=subprocess.PIPE
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
    shown = "牌譜\\xe9" if encoding == "cp932" else "\\u724c\\u8b5c\\xe9"
    assert said.decode("cp932").splitlines() == [f"jmjp: {shown}.xml -> {shown}.jmjp"]


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
        "jmjp_convert.errors jmjp_convert.files jmjp_convert.files.compression "
        "jmjp_convert.files.durability jmjp_convert.files.inputs jmjp_convert.files.outputs "
        "jmjp_convert.files.temporaries jmjp_convert.messages jmjp_convert.patterns"
    )


def test_long_message() -> None:
    """A message that quotes something very long from its input is truncated."""
    Path("long.xml").write_text(f'<mjloggm ver="2.3"><GO type="{"9" * 20_000}x"/></mjloggm>', encoding="utf-8")
    result = convert("long.xml")
    assert result.exit_code == 1
    assert len(result.stderr) < 8100
    assert result.stderr.endswith("…\n")


@pytest.mark.parametrize(
    ("word", "message"),
    [
        ("inof", "No such command 'inof'. Did you mean 'info'?"),
        ("conv", "No such command 'conv'. Did you mean 'convert'?"),
        ("xyz", "No such command 'xyz'."),
        (
            "a b.xml",
            "'a b.xml' is a file; run jmjp view 'a b.xml' to watch the game, or jmjp convert 'a b.xml' to convert it.",
        ),
        (
            "logs",
            "'logs' is a directory; run jmjp info logs to see its games, or jmjp batch logs -o DIR to convert them.",
        ),
        (
            "l.zip",
            "'l.zip' is an archive; run jmjp info l.zip to see its games, or jmjp batch l.zip -o DIR to convert them.",
        ),
        ("https://a/?b&c", "'https://a/?b&c' is a link; to download the log, run jmjp fetch 'https://a/?b&c'."),
    ],
)
def test_no_such_command(word: str, message: str) -> None:
    """A misspelt command gets a suggestion; a file or link without a command gets the command that accepts it."""
    Path("a b.xml").touch()
    Path("logs").mkdir()
    Path("l.zip").write_bytes(b"PK\x05\x06" + bytes(18))
    result = CliRunner().invoke(main, [word])
    assert (result.exit_code, result.stdout, result.stderr) == (2, "", f"jmjp: {message} Try 'jmjp -h' for help.\n")
