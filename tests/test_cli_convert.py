"""`jmjp convert`: where outputs go, and options of reading and writing."""

from __future__ import annotations

import gzip
import shutil
from pathlib import Path

import pytest
from converting import (
    FIXTURES,
    ID,
    LOST,
    PLAIN,
    WHY_BROKEN,
    assert_did,
    convert,
    expected,
    files,
    loaded,
    raising,
    work,  # noqa: F401 - pytest finds it by its name
)

from jmjp_convert import convert as conversion
from jmjp_convert.errors import FormatError
from jmjp_convert.formats.jmjp.notation import DIALECTS
from jmjp_convert.formats.jmjp.writer import write_jmjp
from jmjp_convert.formats.mjlog.reader import read_mjlog
from jmjp_convert.formats.reading import Reading
from jmjp_convert.formats.roundtrip import prove

# --- where outputs go -------------------------------------------------------------------------------------------------


def test_next_to_input() -> None:
    """A log becomes a file next to it, and one line on stderr says so."""
    assert_did(convert("log.xml"), 0, "log.xml -> log.jmjp")
    assert files() == {"log.jmjp": expected("log.xml")}


def test_valid_fixture(valid_input: Path) -> None:
    """Every valid log is converted to the output in its fixture."""
    shutil.copy(valid_input, ".")
    assert convert(valid_input.name).exit_code == 0
    (written,) = Path().glob("*.jmjp")
    assert written.read_bytes() == valid_input.with_name(written.name).read_bytes()


def test_another_directory() -> None:
    """The output is next to its input, wherever the command is run."""
    Path("logs").mkdir()
    shutil.copy(PLAIN, "logs/a.xml")
    name = str(Path("logs/a.jmjp"))
    assert_did(convert("logs/a.xml"), 0, f"logs/a.xml -> {name}")
    assert files().keys() == {"logs/a.xml", "logs/a.jmjp"}


def test_names() -> None:
    """Names may be Japanese, or contain spaces and `&`; an ID in a name is written to the output."""
    for name in ("天鳳 牌譜.xml", f"{ID}&tw=2.mjlog"):
        Path(name).write_bytes(gzip.compress(PLAIN.read_bytes()))
    result = convert("天鳳 牌譜.xml", f"{ID}&tw=2.mjlog")
    assert_did(result, 0, "天鳳 牌譜.xml -> 天鳳 牌譜.jmjp", f"{ID}&tw=2.mjlog -> {ID}.jmjp")
    assert f"// tenhou id={ID} " in Path(f"{ID}.jmjp").read_text(encoding="utf-8")


def test_bytes() -> None:
    """A file is UTF-8 without a byte order mark, with line feeds only."""
    convert("log.xml")
    content = Path("log.jmjp").read_bytes()
    assert content.startswith(b"jmjp[1.0]\n")
    assert "天鳳".encode() in content
    assert b"\r" not in content


def test_stdin() -> None:
    """Standard input goes silently to standard output; it has no name to record."""
    log = PLAIN.read_bytes()
    result = convert("-", given=log)
    assert_did(result, 0, stdout=write_jmjp(read_mjlog(log)).encode())
    assert b"source=" not in result.stdout_bytes
    assert files() == {}


def test_stdin_with_files() -> None:
    """Standard input goes to standard output even if files are given too."""
    log = PLAIN.read_bytes()
    result = convert("log.xml", "-", given=log)
    assert_did(result, 0, "log.xml -> log.jmjp", stdout=write_jmjp(read_mjlog(log)).encode())


def test_to_stdout() -> None:
    """With `-o -`, standard output has only the data."""
    assert_did(convert("log.xml", "-o", "-"), 0, stdout=expected("log.xml"))
    assert files() == {}


def test_to_file() -> None:
    """With `-o FILE`, the file gets exactly that name."""
    assert_did(convert("log.xml", "-o", "x.jmjp"), 0, "log.xml -> x.jmjp")
    assert_did(convert("-", "-o", "y", given=PLAIN.read_bytes()), 0, "<stdin> -> y")
    assert files().keys() == {"x.jmjp", "y"}


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
    """With `-o DIR` each log becomes a file there; a directory that does not exist yet needs a trailing slash."""
    Path("out").mkdir()
    shutil.copy(PLAIN, "b.xml")
    folder = Path(output)
    lines = [f"log.xml -> {folder / 'log.jmjp'}", f"b.xml -> {folder / 'b.jmjp'}"]
    assert_did(convert("log.xml", "b.xml", "-o", output), 0, *lines)
    assert sorted(path.name for path in folder.iterdir()) == ["b.jmjp", "log.jmjp"]


def test_stdin_to_directory() -> None:
    """Standard input goes into a directory under its log ID."""
    path = Path("out", f"{ID}.jmjp")
    assert_did(convert("-", "-o", "out/", "--id", ID, given=PLAIN.read_bytes()), 0, f"<stdin> -> {path}")
    assert path.exists()


def test_no_directory_for_nothing() -> None:
    """A directory is not created if nothing goes into it."""
    assert convert("bad.xml", "-o", "new/").exit_code == 1
    assert not Path("new").exists()


# --- options of reading and writing -----------------------------------------------------------------------------------


@pytest.mark.parametrize("spec", DIALECTS)
@pytest.mark.parametrize("compact", [False, True])
def test_dialect(spec: str, *, compact: bool) -> None:
    """A log is written in the given dialect, pretty or compact."""
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
def test_losses(options: list[str], remark: str) -> None:
    """If no comments are written, the losses are reported once per run."""
    shutil.copy(PLAIN, "b.xml")
    lines = ["log.xml -> log.jmjp", "b.xml -> b.jmjp", remark]
    assert_did(convert("log.xml", "b.xml", *options), 0, *lines)


def test_id_and_time() -> None:
    """`--id` and `--time` set what neither the log nor its name contains."""
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
    """`--max-size` accepts bytes and the usual units."""
    taken: list[object] = []

    def read(_: str, reading: Reading, *__: object) -> object:
        taken.append(reading.max_size)
        return loaded()

    monkeypatch.setattr("jmjp_convert.batch.survey.read_source", read)
    assert convert("log.xml", "--max-size", size).exit_code == 0
    assert taken == [largest]


def test_too_large() -> None:
    """A log beyond the size limit is rejected."""
    assert_did(convert("log.xml", "--max-size", "1K"), 1, "log.xml: larger than 1,024 bytes (--max-size)")


def test_notices() -> None:
    """Unknown elements are reported once per run, repairs for every log."""
    for name in ("unknown-element", "owari-doubled"):
        shutil.copy(FIXTURES / "valid" / f"{name}.xml", f"{name}-1.xml")
        shutil.copy(FIXTURES / "valid" / f"{name}.xml", f"{name}-2.xml")
    result = convert(
        *(f"{name}-{number}.xml" for name in ("unknown-element", "owari-doubled") for number in (1, 2)), "-q"
    )
    assert_did(
        result,
        0,
        "unknown-element-1.xml: unknown element <CHAT> ignored",
        "owari-doubled-1.xml: duplicate attribute owari in <AGARI>, with the same value",
        "owari-doubled-2.xml: duplicate attribute owari in <AGARI>, with the same value",
    )


def test_strict() -> None:
    """With `--strict`, unknown elements are rejected."""
    shutil.copy(FIXTURES / "valid" / "unknown-element.xml", "a.xml")
    result = convert("a.xml", "--strict")
    assert result.exit_code == 1
    assert result.stderr.startswith("jmjp: a.xml: ")
    assert result.stderr.endswith("unknown element <CHAT>\n")
    assert files().keys() == {"a.xml"}


def test_quiet() -> None:
    """With `-q`, only warnings and errors are shown."""
    assert_did(convert("log.xml", "bad.xml", "-q", "--compact"), 1, f"bad.xml: {WHY_BROKEN}")


def test_verified_by_default(monkeypatch: pytest.MonkeyPatch) -> None:
    """Outputs are read back, unless `--no-verify` is given."""
    monkeypatch.setattr(conversion, prove.__name__, raising(FormatError("reads back differently")))
    assert_did(convert("log.xml"), 1, "log.xml: reads back differently")
    assert_did(convert("log.xml", "--no-verify"), 0, "log.xml -> log.jmjp")
