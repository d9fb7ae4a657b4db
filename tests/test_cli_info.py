"""The command `jmjp info`."""

from __future__ import annotations

import gzip
import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from jmjp_convert.cli import main
from jmjp_convert.cli.info import summary_lines
from jmjp_convert.formats.jmjp.writer import write_jmjp
from jmjp_convert.formats.mjlog.reader import read_mjlog
from jmjp_convert.formats.reading import Reading, read_content
from jmjp_convert.view.summary import LANGUAGES, Summary, summarize

FIXTURES = Path(__file__).parent.parent / "fixtures"
PLAIN = FIXTURES / "valid" / "plain.xml"
OTHER = FIXTURES / "valid" / "chi-low.xml"
BROKEN = FIXTURES / "invalid" / "discard-not-held.xml"
WHY_BROKEN = "frame E1-0, element 6 <D4>: East (Kaede) does not hold tile 4 (2m)"
ID = "2011020417gm-00a9-0000-b67fcaa3"

SHOWN = """\
Tenhou
Tenhou 4-player General East-South, open tanyao, red fives

#  Player   Dan       Rate  Place  Result
0  Kaede    3 dan  1834.27      4   -41.0
1  Tsubaki  1 dan  1650.00      2   +13.0
2  山茶花   7 dan  2101.93      1   +44.0
3  Nazuna   2 kyu  1499.50      3   -16.0

Frame End                                            Kaede Tsubaki 山茶花 Nazuna
E1-0  Tsubaki tsumo 8000 mangan, 20 fu 5 han:        21000   33000  23000  23000
      riichi, menzen tsumo, pinfu, tanyao, dora
E2-0  Nazuna ron off 山茶花 1000, 30 fu 1 han:       21000   33000  22000  24000
      yakuhai chun
E3-0  Nine terminals                                 21000   33000  22000  24000
E3-1  山茶花 ron off Kaede 12000 mangan, 40 fu 5      8700   33000  34300  24000
      han: double riichi 2, dora 2, ura dora
"""

posix = pytest.mark.skipif(os.name != "posix", reason="POSIX only")


@pytest.fixture(autouse=True)
def work(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Work in a directory with `log.xml` and `other.xml`, which are valid, and `bad.xml`, which is not."""
    for source, name in ((PLAIN, "log.xml"), (OTHER, "other.xml"), (BROKEN, "bad.xml")):
        shutil.copy(source, tmp_path / name)
    monkeypatch.chdir(tmp_path)


def show(*args: str, given: bytes = b"") -> Result:
    """Run `jmjp info` with *args* and *given* on stdin."""
    return CliRunner().invoke(main, ["info", *args], input=given)


def process(*args: str, **options: object) -> subprocess.Popen[bytes]:
    """Start `jmjp info` with *args* as a process."""
    streams = dict.fromkeys(("stdin", "stdout", "stderr"), subprocess.PIPE) | options
    start = [sys.executable, "-m", "jmjp_convert", "info", *args]
    return subprocess.Popen(start, **streams)  # type: ignore[call-overload, no-any-return]


def expected(path: str | Path, lang: str = "en") -> str:
    """Return the text of the log *path*, which needs no escapes."""
    return "".join(f"{line}\n" for line in summary_lines(summarize(read_mjlog(path), lang), lang, str))


def assert_did(result: Result, code: int, *lines: str, stdout: str = "") -> None:
    """Check the exit code, the lines on stderr (without the program's name) and stdout."""
    assert result.stderr == "".join(f"jmjp: {line}\n" for line in lines)
    assert result.stdout_bytes.decode() == stdout
    assert result.exit_code == code


# --- text ------------------------------------------------------------------------------------------------------------


def test_text() -> None:
    """A game is shown on stdout, with nothing on stderr."""
    assert_did(show("log.xml"), 0, stdout=SHOWN)


def test_japanese() -> None:
    """`--lang ja` shows a game in Japanese."""
    for lang in ("ja", "JA"):
        assert_did(show("log.xml", "--lang", lang), 0, stdout=expected(PLAIN, "ja"))


def test_stdin_and_gzip() -> None:
    """A log may come from stdin and be gzip."""
    content = gzip.compress(PLAIN.read_bytes())
    assert_did(show("-", given=content), 0, stdout=SHOWN)
    Path("a.mjlog").write_bytes(content)
    assert_did(show("a.mjlog"), 0, stdout=SHOWN)


def test_several() -> None:
    """Each of several games has its file name as a heading."""
    given = PLAIN.read_bytes()
    stdout = f"==> other.xml <==\n{expected(OTHER)}\n==> <stdin> <==\n{SHOWN}"
    assert_did(show("other.xml", "-", given=given), 0, stdout=stdout)


def test_jmjp(expectation: Path) -> None:
    """A jmjp file of any dialect is shown too, with a line for each frame."""
    result = show(str(expectation))
    assert (result.exit_code, result.stderr) == (0, "")
    frames = re.findall(r"^([ESWN][1-4]-[0-9]+) ", result.stdout, re.MULTILINE)
    assert frames == re.findall(r"frm\[([^,]+),", expectation.read_text(encoding="utf-8"))


@pytest.mark.parametrize("lang", LANGUAGES)
def test_either_format(valid_input: Path, lang: str) -> None:
    """A game looks the same from a log and from the jmjp converted from it."""
    as_jmjp = write_jmjp(read_mjlog(valid_input)).encode()
    result = show("-", "--lang", lang, given=as_jmjp)
    assert result.stdout == show(str(valid_input), "--lang", lang).stdout
    assert show("-", given=gzip.compress(as_jmjp)).exit_code == 0


def test_several_in_one_file() -> None:
    """Each of several matches in a file has its number in the heading."""
    Path("both.jmjp").write_text(write_jmjp([read_mjlog(PLAIN), read_mjlog(OTHER)]), encoding="utf-8")
    stdout = f"==> both.jmjp #1 <==\n{SHOWN}\n==> both.jmjp #2 <==\n{expected(OTHER)}"
    assert_did(show("both.jmjp"), 0, stdout=stdout)


def test_id_and_time() -> None:
    """`--id` and `--time` give the date and time that a log lacks."""
    result = show("-", "--id", ID, "--time", "17:05", given=PLAIN.read_bytes())
    assert result.stdout.splitlines()[0] == "2011-02-04 Fri 17:05, Tenhou"


def test_valid_fixture(valid_input: Path) -> None:
    """Every valid log can be shown in both languages and as JSON."""
    for options in ([], ["--lang", "ja"], ["--json"]):
        result = show(str(valid_input), *options)
        assert result.exit_code == 0
        assert result.stdout.replace("\n", "").replace("\u3000", "").isprintable()


# --- JSON ------------------------------------------------------------------------------------------------------------


def test_json() -> None:
    """`--json` writes a list with one object per match, in ASCII, one per line."""
    result = show("other.xml", "--json")
    assert (result.exit_code, result.stderr) == (0, "")
    assert result.stdout == (
        '[{"file": "other.xml", "match": 1, "id": null, "date": null, "weekday": null, "time": null, '
        '"place": "Tenhou", "tournament": "Tenhou 4-player General East-South, open tanyao, red fives", '
        '"players": ['
        '{"name": "Kaede", "dan": 12, "rank": "3 dan", "rate": 1834.27, "team": null, "affiliation": null}, '
        '{"name": "Tsubaki", "dan": 10, "rank": "1 dan", "rate": 1650.0, "team": null, "affiliation": null}, '
        '{"name": "\\u5c71\\u8336\\u82b1", "dan": 16, "rank": "7 dan", "rate": 2101.93, "team": null, '
        '"affiliation": null}, '
        '{"name": "Nazuna", "dan": 8, "rank": "2 kyu", "rate": 1499.5, "team": null, "affiliation": null}], '
        '"frames": [{"frame": "E1-0", "dealer": 0, "sticks": 0, '
        '"end": "Ron: South from West, 30 fu 1 han, 1000 points: Tanyao 1", '
        '"wins": [{"player": 1, "source": 2, "points": 1000, "fu": 30, "han": 1, "limit": null, '
        '"yaku": [{"name": "Tanyao", "han": 1}], "pao": null}], '
        '"points": [25000, 26000, 24000, 25000], "draw": null, "comment": null}], '
        '"final_points": [25000, 26000, 24000, 25000], "results": [5.0, 36.0, -26.0, -15.0], '
        '"places": [2, 1, 4, 3], "presences": []}]\n'
    )


def test_json_in_japanese() -> None:
    """Texts in the JSON are in the requested language."""
    (found,) = json.loads(show("log.xml", "--json", "--lang", "ja").stdout)
    assert (found["place"], found["players"][0]["rank"]) == ("天鳳", "三段")
    assert found["frames"][2]["end"] == "九種九牌"


def test_json_of_several() -> None:
    """Each match has its file and its number there."""
    Path("both.jmjp").write_text(write_jmjp([read_mjlog(PLAIN), read_mjlog(OTHER)]), encoding="utf-8")
    result = show("both.jmjp", "-", "--json", given=OTHER.read_bytes())
    places = [(one["file"], one["match"]) for one in json.loads(result.stdout)]
    assert places == [("both.jmjp", 1), ("both.jmjp", 2), ("-", 1)]
    assert result.stdout.count("\n") == 3


def test_json_of_jmjp() -> None:
    """JSON from jmjp has what a win is worth, from the text of the frame's end; it lacks what jmjp drops."""
    (of_log,) = json.loads(show("other.xml", "--json").stdout)
    (of_jmjp,) = json.loads(show("-", "--json", given=write_jmjp(read_mjlog(OTHER)).encode()).stdout)
    assert of_jmjp["frames"][0]["wins"][0]["yaku"] == [{"name": "Tanyao", "han": 1}]
    assert of_jmjp == of_log | {"file": "-", "final_points": None}


def test_json_of_nothing() -> None:
    """Stdout is JSON even if nothing can be read."""
    assert_did(show("bad.xml", "--json"), 1, f"bad.xml: {WHY_BROKEN}", stdout="[]\n")


# --- errors ----------------------------------------------------------------------------------------------------------


def test_broken_jmjp() -> None:
    """A broken jmjp file is reported in one line and does not stop the rest."""
    Path("bad.jmjp").write_text("jmjp[1.0](mtp[,,,]ply", encoding="utf-8")
    result = show("bad.jmjp", "log.xml")
    (line,) = result.stderr.splitlines()
    assert line.startswith("jmjp: bad.jmjp:")
    assert "internal error" not in line
    assert (result.exit_code, result.stdout) == (1, f"==> log.xml <==\n{SHOWN}")


@pytest.mark.parametrize("options", [[], ["--json"]])
def test_others_go_on(options: list[str]) -> None:
    """A bad input is reported on stderr and does not stop the rest."""
    Path("logs").mkdir()
    result = show("bad.xml", "log.xml", "none.xml", "logs", "other.xml", *options)
    assert result.stderr.splitlines() == [
        f"jmjp: bad.xml: {WHY_BROKEN}",
        "jmjp: none.xml: no such file or directory",
        "jmjp: logs: no game records found",
    ]
    assert result.exit_code == 1
    if options:
        assert [one["file"] for one in json.loads(result.stdout)] == ["log.xml", "other.xml"]
    else:
        assert result.stdout == f"==> log.xml <==\n{SHOWN}\n==> other.xml <==\n{expected(OTHER)}"


def test_internal_error(monkeypatch: pytest.MonkeyPatch) -> None:
    """An internal error is one line too and does not stop the rest."""

    def fail(*_: object) -> Summary:
        raise KeyError("x")

    with monkeypatch.context() as patch:
        patch.setattr("jmjp_convert.cli.info.summarize", fail)
        result = show("log.xml", "other.xml")
    assert [line.partition(" (")[0] for line in result.stderr.splitlines()] == [
        f"jmjp: {name}.xml: internal error, report it: KeyError: 'x'" for name in ("log", "other")
    ]
    assert (result.exit_code, result.stdout) == (1, "")


def test_notices() -> None:
    """A warning on a log is on stderr; with `--strict` it is an error."""
    shutil.copy(FIXTURES / "valid" / "unknown-element.xml", "a.xml")
    assert_did(show("a.xml"), 0, "a.xml: unknown element <CHAT> ignored", stdout=expected("a.xml"))
    assert show("a.xml", "--strict").exit_code == 1


def test_too_large() -> None:
    """A log larger than the limit is rejected."""
    assert_did(show("log.xml", "--max-size", "1K"), 1, "log.xml: larger than 1,024 bytes (--max-size)")


@pytest.mark.parametrize(
    ("args", "message"),
    [
        ([], "Missing argument 'SRC...'"),
        (["log.xml", ""], "empty file name"),
        (["-", "-"], "stdin (-) can be read only once"),
        (["log.xml", "bad.xml", "--id", ID], "--id works only with a single SRC"),
        (["log.xml", "bad.xml", "--time", "17:00"], "--time works only with a single SRC"),
        (["log.xml", "--lang", "de"], "Invalid value for '--lang': 'de' is not one of 'en', 'ja'"),
    ],
)
def test_usage(args: list[str], message: str) -> None:
    """A usage error is one line, and nothing is shown."""
    assert_did(show(*args), 2, f"{message}. Try 'jmjp info -h' for help.")


def test_help() -> None:
    """The help has examples and exit codes and fits into 80 columns."""
    result = CliRunner(env={"COLUMNS": "80"}).invoke(main, ["info", "-h"])
    assert (result.exit_code, result.stderr) == (0, "")
    assert max(map(len, result.stdout.splitlines())) <= 80
    assert "  jmjp info --json *.jmjp > games.json\n" in result.stdout
    assert "Exit codes: 0 success, " in result.stdout


# --- the terminal ----------------------------------------------------------------------------------------------------


def test_control_characters() -> None:
    """Control characters in names are escaped."""
    shutil.copy(FIXTURES / "valid" / "names-control-characters.xml", "a.xml")
    expected = """\
Tenhou
Tenhou 4-player General East-South, open tanyao, red fives

#  Player     Dan       Rate  Place  Result
0  Pine\\nFir  3 dan  1834.27      2    +5.0
1  \\x00\\tElm  1 dan  1650.00      1   +36.0
2  \\x7f       7 dan  2101.93      4   -26.0
3  Yew\\x85    2 kyu  1499.50      3   -15.0

Frame End                                      Pine\\nFir \\x00\\tElm  \\x7f Yew\\x85
E1-0  \\x00\\tElm ron off \\x7f 1000, 30 fu 1         25000     26000 24000   25000
      han: tanyao
"""
    assert_did(show("a.xml"), 0, stdout=expected)


def test_control_characters_of_files(monkeypatch: pytest.MonkeyPatch) -> None:
    """Control characters in file names are escaped."""
    loaded = read_content(PLAIN.read_bytes(), "", Reading(), pytest.fail)
    monkeypatch.setattr("jmjp_convert.batch.survey.expect_file", lambda _: None)
    monkeypatch.setattr("jmjp_convert.batch.survey.read_source", lambda *_: loaded)
    assert show("a\x1b\n.xml", "b.xml").stdout.startswith("==> a\\x1b\\n.xml <==\nTenhou\n")


def test_control_characters_in_json() -> None:
    """Control characters in JSON are escaped as JSON does."""
    shutil.copy(FIXTURES / "valid" / "names-control-characters.xml", "a.xml")
    result = show("a.xml", "--json")
    assert result.stdout.replace("\n", "").isprintable()
    names = [player["name"] for player in json.loads(result.stdout)[0]["players"]]
    assert names == ["Pine\nFir", "\x00\tElm", "\x7f", "Yew\x85"]


@pytest.mark.parametrize("encoding", ["ascii", "ascii:strict", "cp932", "latin-1"])
def test_console_encoding(encoding: str) -> None:
    """Characters that the console cannot show are escaped, and columns are aligned for the escaped text."""
    env = os.environ | {"PYTHONIOENCODING": encoding, "PYTHONUTF8": "0"}
    out, err = process("log.xml", env=env).communicate()
    assert err == b""
    if encoding == "cp932":
        assert out.decode("cp932").replace(os.linesep, "\n") == SHOWN
    else:
        assert b"2  \\u5c71\\u8336\\u82b1  7 dan  2101.93      1   +44.0\n" in out
    out, _ = process("log.xml", "--json", env=env).communicate()
    assert json.loads(out.decode("ascii"))[0]["players"][2]["name"] == "山茶花"


@posix
def test_broken_pipe() -> None:
    """When stdout is closed by its reader, the process ends silently."""
    started = process("-", "log.xml")
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
@pytest.mark.parametrize("options", [[], ["--json"]])
def test_full_stdout(options: list[str]) -> None:
    """A write error on stdout is one line and ends the run."""
    with Path("/dev/full").open("wb") as full:
        started = process("log.xml", "other.xml", *options, stdout=full)
        assert started.communicate()[1] == b"jmjp: <stdout>: no space left on device\n"
    assert started.returncode == 1


@posix
def test_closed_stdout() -> None:
    """A closed stdout is reported."""
    shell = subprocess.run(  # noqa: S602 - only a shell closes streams
        f"'{sys.executable}' -m jmjp_convert info log.xml >&-", shell=True, check=False, stderr=subprocess.PIPE
    )
    assert (shell.returncode, shell.stderr) == (1, b"jmjp: standard output is closed\n")
