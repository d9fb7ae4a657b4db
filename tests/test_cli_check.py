"""The command `jmjp check`."""

from __future__ import annotations

import gzip
import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from casefiles import refusals
from click.testing import CliRunner, Result
from converting import shown_on

from jmjp_convert.api import dumps
from jmjp_convert.cli import console, main
from jmjp_convert.errors import JmjpError
from jmjp_convert.formats.jmjp.reader import read_jmjp
from jmjp_convert.formats.mjlog.reader import read_mjlog
from jmjp_convert.formats.reading import read_source
from jmjp_convert.model.tiles import label

FIXTURES = Path(__file__).parent.parent / "fixtures"
PLAIN = FIXTURES / "valid" / "plain.jmjp"
LOG = FIXTURES / "valid" / "plain.xml"
BROKEN = FIXTURES / "invalid" / "discard-not-held.xml"
WHY_BROKEN = "frame E1-0, element 6 <D4>: East (Kaede) does not hold tile 4 (2m)"

BAD = "(e,nw,tg)", "(e,nw,1s)"
WHY_BAD = "in frame E1-0: East (Kaede) does not hold tile 1s"
VALID = "1 file, 1 match checked: no problems found"
KEYS = {"file", "frame", "element", "number", "line", "column", "pointer", "reason"}

posix = pytest.mark.skipif(os.name != "posix", reason="POSIX only")


@pytest.fixture(autouse=True)
def work(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Work in a directory of a valid and a bad file in either format."""
    shutil.copy(PLAIN, tmp_path / "game.jmjp")
    shutil.copy(LOG, tmp_path / "log.xml")
    shutil.copy(BROKEN, tmp_path / "bad.xml")
    (tmp_path / "bad.jmjp").write_text(edited(BAD), encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    return tmp_path


def edited(*changes: tuple[str, str]) -> str:
    """Return the text of a valid game with *changes*."""
    text = PLAIN.read_text(encoding="utf-8")
    for old, new in changes:
        assert old in text
        text = text.replace(old, new, 1)
    return text


def check(*args: str, given: bytes = b"") -> Result:
    """Return the result of `jmjp check` with *args* and *given* on stdin."""
    return CliRunner().invoke(main, ["check", *args], input=given)


def assert_did(result: Result, code: int, *findings: str, said: str | None) -> None:
    """Check the exit code, the lines on stdout, and the line on stderr, if there is one."""
    assert result.stdout == "".join(f"{line}\n" for line in findings)
    assert result.stderr == ("" if said is None else f"jmjp: {said}\n")
    assert result.exit_code == code


def findings(*args: str) -> list[dict[str, Any]]:
    """Return the findings of `jmjp check --json` with *args*."""
    objects = [json.loads(line) for line in check("--json", *args).stdout.splitlines()]
    found = [one for one in objects if "summary" not in one]
    assert all(one.keys() == KEYS for one in found)
    return found


# --- valid files -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["game.jmjp", "log.xml"])
def test_valid(name: str) -> None:
    """A valid file of either format gives nothing on stdout, and one line on stderr says so."""
    assert_did(check(name), 0, said=VALID)


def test_fixtures() -> None:
    """No valid log has problems, nor does the jmjp converted from it."""
    paths = [str(path) for path in sorted((FIXTURES / "valid").iterdir())]
    result = check(*paths, "-q")
    assert (result.exit_code, result.stdout) == (0, "")


def test_stdin() -> None:
    """Either format is read from standard input, plain or gzipped."""
    for path in (PLAIN, LOG):
        for given in (path.read_bytes(), gzip.compress(path.read_bytes())):
            assert_did(check("-", given=given), 0, said=VALID)


def test_summary() -> None:
    """Files and matches are counted separately."""
    Path("two.jmjp").write_text(edited() + edited().removeprefix("jmjp[1.0]\n"), encoding="utf-8")
    assert_did(check("two.jmjp"), 0, said="1 file, 2 matches checked: no problems found")
    assert_did(check("two.jmjp", "log.xml"), 0, said="2 files, 3 matches checked: no problems found")


def test_quiet() -> None:
    """With `-q` only problems are reported."""
    assert_did(check("-q", "game.jmjp", "log.xml"), 0, said=None)
    assert_did(check("--quiet", "bad.jmjp"), 1, f"bad.jmjp:21:3: {WHY_BAD}", said=None)


# --- problems --------------------------------------------------------------------------------------------------------


def test_problem() -> None:
    """A problem is one line on stdout: in jmjp with line and column, in an mjlog with its element."""
    summary = "1 file, 1 match checked: 1 problem"
    assert_did(check("bad.jmjp"), 1, f"bad.jmjp:21:3: {WHY_BAD}", said=summary)
    result = check("bad.xml")
    assert result.exit_code == 1
    assert result.stdout == f"bad.xml: {WHY_BROKEN}\n"
    assert result.stderr.endswith("checked: 1 problem\n")


def test_problem_on_stdin() -> None:
    """A problem on standard input is reported under that name."""
    result = check("-", given=edited(BAD).encode())
    assert result.stdout == f"<stdin>:21:3: {WHY_BAD}\n"


def test_all_problems() -> None:
    """All frames are checked, and the match as a whole; the problems are in the order of the file."""
    Path("x.jmjp").write_text(
        edited(BAD, ("(e,3m,tg)", "(e,3m,8m)"), ("mtp[,,", "mtp[20110204,sun,"), ("pme[-41.0", "pme[-40.9")),
        encoding="utf-8",
    )
    lines = [
        "x.jmjp:9:1: the weekday is sun; fri expected for 20110204",
        f"x.jmjp:21:3: {WHY_BAD}",
        "x.jmjp:64:3: in frame E3-0: East (山茶花) does not hold tile 8m",
        "x.jmjp:89:1: the results add up to 0.1; 0 expected",
    ]
    assert_did(check("x.jmjp"), 1, *lines, said="1 file, 1 match checked: 4 problems")


SLIPS = ("(e,nw,tg)", "(e,4z,tg)"), ("(s,ww,tg)", "(s,ww,tsumogiri)"), ("(e,3m,tg)", "(e,3m,8m)")


def test_syntax_errors_and_impossible_plays() -> None:
    """All syntax errors and impossible plays are reported in file order, with the remedy for the usual slips; the
    match as a whole is checked without the frames that could not be read."""
    Path("x.jmjp").write_text(edited(*SLIPS, ("pme[-41.0", "pme[-40.9")), encoding="utf-8")
    lines = [
        "x.jmjp:21:6: in frame E1-0: expected a draw, call or ron, found '4z'; write nw",
        "x.jmjp:22:9: in frame E1-0: expected a discard, kan or tsumo, found 'tsumogiri'; write tg",
        "x.jmjp:64:3: in frame E3-0: East (山茶花) does not hold tile 8m",
        "x.jmjp:89:1: the results add up to 0.1; 0 expected",
    ]
    assert_did(check("x.jmjp"), 1, *lines, said="1 file, 1 match checked: 4 problems")


def test_last_frame_with_a_syntax_error() -> None:
    """The result is not compared with the points of a frame that is not the last one of the game."""
    text = edited()
    Path("x.jmjp").write_text(",x,pfe[".join(text.rsplit(",pfe[", 1)), encoding="utf-8")
    assert check("x.jmjp", "-q").stdout.count("\n") == 1


def test_which_of_several_matches() -> None:
    """In a file of several matches, a problem of a whole match names the match."""
    other = edited(("mtp[,,", "mtp[20110204,sun,")).removeprefix("jmjp[1.0]\n")
    Path("x.jmjp").write_text(edited() + other, encoding="utf-8")
    line = "x.jmjp:98:1: match 2: the weekday is sun; fri expected for 20110204"
    assert_did(check("x.jmjp"), 1, line, said="1 file, 2 matches checked: 1 problem")


@pytest.mark.parametrize("name", ["cut-in-a-word", "version-2.0", "empty", "html", "second-match-of-two"])
def test_rejected(name: str) -> None:
    """A file that cannot be parsed has one problem, at one place."""
    content, place, reason = refusals("jmjp")[name]
    Path("x.jmjp").write_bytes(content)
    result = check("x.jmjp")
    if name in ("html", "empty"):  # from its first character it is not jmjp
        assert result.exit_code == 1
        return
    assert result.stdout == f"x.jmjp:{place}: {reason}\n"
    assert (result.exit_code, result.stderr.count("\n")) == (1, 1)


def test_bad_file_does_not_stop_the_rest() -> None:
    """A bad file does not stop the rest; one that cannot be read is reported on stderr."""
    Path("text.txt").write_text("hello", encoding="utf-8")
    result = check("bad.jmjp", "none.jmjp", "text.txt", "bad.xml", "game.jmjp", "-q")
    assert result.exit_code == 1
    assert result.stdout == f"bad.jmjp:21:3: {WHY_BAD}\nbad.xml: {WHY_BROKEN}\n"
    missing, unknown_format = result.stderr.splitlines()
    assert missing == "jmjp: none.jmjp: no such file or directory"
    assert unknown_format.startswith(
        "jmjp: text.txt: unknown format; expected one of: mjlog, jmjp, riichi-events JSON, "
    )


def test_failed_only() -> None:
    """An unreadable file sets the exit code even if no problem is found."""
    result = check("none.jmjp", "game.jmjp")
    assert (result.exit_code, result.stdout) == (1, "")
    assert result.stderr.splitlines()[0] == "jmjp: none.jmjp: no such file or directory"
    assert "1 file, 1 match checked" in result.stderr


def test_empty_directory() -> None:
    """A directory without a game record is reported, and counted as not read."""
    Path("empty").mkdir()
    result = check("empty")
    assert (result.exit_code, result.stdout) == (1, "")
    assert result.stderr.splitlines() == [
        "jmjp: empty: no game records found",
        "jmjp: 0 files, 0 matches checked: 1 file not read",
    ]


def test_internal_error(monkeypatch: pytest.MonkeyPatch) -> None:
    """An internal error with one file is one line, and does not stop the rest."""

    def read(source: str, *rest: Any) -> object:
        return dict[str, object]()[source] if source == "bad.xml" else read_source(source, *rest)

    monkeypatch.setattr("jmjp_convert.batch.survey.read_source", read)
    result = check("bad.xml", "bad.jmjp")
    assert result.exit_code == 1
    assert result.stderr.startswith("jmjp: bad.xml: internal error, report it: KeyError: 'bad.xml' (")
    assert result.stdout == f"bad.jmjp:21:3: {WHY_BAD}\n"


def test_notices() -> None:
    """A warning about a valid file is shown on stderr and is not a problem, except with `--strict`."""
    Path("x.jmjp").write_text("jmjp[1.0]\n// tenhou x\n" + edited().removeprefix("jmjp[1.0]\n"), encoding="utf-8")
    line = "unknown // tenhou comment before line 8 ignored"
    assert_did(check("x.jmjp", "-q"), 0, said=f"x.jmjp: {line}")
    result = check("x.jmjp", "-q", "--strict")
    assert result.exit_code == 1
    assert line in result.stdout + result.stderr


@pytest.mark.parametrize(
    ("args", "message"),
    [
        (["game.jmjp", "--max-size", "x"], "Invalid value for '--max-size': 'x' is not a size such as 1000000, 500K"),
        (["game.jmjp", "--max-size", "1\u212a"], "Invalid value for '--max-size': '1\u212a' is not a size"),
        ([], "Missing argument 'SRC...'"),
        (["-", "-"], "stdin (-) can be read only once"),
        ([""], "empty file name"),
        (["game.jmjp", "log.xml", "--time", "1200"], "--time works only with a single SRC"),
        (["game.jmjp", "--force"], "No such option"),
    ],
)
def test_usage(args: list[str], message: str) -> None:
    """A usage error is one line, and nothing is checked."""
    result = check(*args)
    assert (result.exit_code, result.stdout) == (2, "")
    assert result.stderr.startswith(f"jmjp: {message}")
    assert result.stderr.count("\n") == 1


def test_too_large() -> None:
    """A file beyond the size limit is reported."""
    result = check("game.jmjp", "-q", "--max-size", "1K")
    assert (result.exit_code, result.stdout) == (1, "")
    assert result.stderr == "jmjp: game.jmjp: larger than 1,024 bytes (--max-size)\n"


# --- JSON ------------------------------------------------------------------------------------------------------------


def test_json() -> None:
    """With `--json` each finding is an object on its own line, with its location as far as the format has one."""
    assert findings("bad.jmjp", "game.jmjp", "bad.xml") == [
        {
            "file": "bad.jmjp",
            "frame": "E1-0",
            "element": None,
            "number": None,
            "line": 21,
            "column": 3,
            "pointer": None,
            "reason": "East (Kaede) does not hold tile 1s",
        },
        {
            "file": "bad.xml",
            "frame": "E1-0",
            "element": "<D4>",
            "number": 6,
            "line": None,
            "column": None,
            "pointer": None,
            "reason": "East (Kaede) does not hold tile 4 (2m)",
        },
    ]


def test_json_of_syntax_errors() -> None:
    """Every syntax error has its frame, line and column, in file order."""
    Path("x.jmjp").write_text(edited(*SLIPS), encoding="utf-8")
    assert [(found["frame"], found["line"], found["column"]) for found in findings("x.jmjp")] == [
        ("E1-0", 21, 6),
        ("E1-0", 22, 9),
        ("E3-0", 64, 3),
    ]


def test_json_of_a_match() -> None:
    """A problem of a whole match is where the file has the value."""
    Path("x.jmjp").write_text(edited(("mtp[,,", "mtp[20110204,sun,")), encoding="utf-8")
    (found,) = findings("x.jmjp")
    assert found.pop("file") == "x.jmjp"
    assert found.pop("reason") == "the weekday is sun; fri expected for 20110204"
    assert {place: value for place, value in found.items() if value is not None} == {"line": 9, "column": 1}


def test_json_of_nothing() -> None:
    """A valid file has no findings."""
    assert findings("game.jmjp", "log.xml") == []


def test_json_is_ascii() -> None:
    """A finding is one line of ASCII, whatever characters it contains."""
    name = "牌譜\u2028.jmjp"
    Path(name).write_text(edited(("(e,nw,tg)", "(e,nw,é)")), encoding="utf-8")
    result = check("--json", "-q", name)
    assert result.stdout.isascii()
    (found,) = findings(name)
    assert (found["file"], found["line"]) == (name, 21)


def test_exit_code_of_json() -> None:
    """The exit code is the same as without `--json`."""
    assert check("--json", "bad.jmjp").exit_code == 1
    assert check("--json", "game.jmjp").exit_code == 0


# --- terminals, pipes, streams ---------------------------------------------------------------------------------------


def test_no_caret_in_a_file() -> None:
    """A finding is one line if stdout is not a terminal."""
    assert check("bad.jmjp", "-q").stdout.count("\n") == 1


@posix
@pytest.mark.parametrize(
    ("text", "shown", "column"),
    [
        (edited(BAD), "  (e,nw,1s)", 2),
        (edited(("ply[2,(snt[", "ply[2,(snt{")), 'ply[2,(snt{"山茶花"],),,,]', 7),
        (edited(('"山茶花"],)', '"山茶花"],,')), 'ply[2,(snt["山茶花"],,,,,]', 21),
    ],
)
def test_caret(text: str, shown: str, column: int) -> None:
    """On a terminal the line is shown with a caret below the place; wide characters count as two columns."""
    Path("x.jmjp").write_text(text, encoding="utf-8")
    ours, theirs = os.openpty()
    env = os.environ | {"PYTHONUTF8": "1"}
    command = [sys.executable, "-m", "jmjp_convert", "check", "-q", "x.jmjp"]
    with subprocess.Popen(command, stdout=theirs, stderr=subprocess.PIPE, env=env) as started:
        os.close(theirs)
        seen = shown_on(ours)
        assert started.wait() == 1
    _, line, caret = seen.decode().splitlines()
    assert line == f"  {shown}"
    assert caret == f"  {' ' * column}^"


class Terminal:
    """A minimal terminal for the caret.

    :ivar written: what was written to it.
    """

    encoding = "utf-8"

    def __init__(self) -> None:
        self.written = ""

    def isatty(self) -> bool:
        """Return that it is a terminal."""
        return True

    def write(self, text: str) -> None:
        """Write *text*."""
        self.written += text

    def flush(self) -> None:
        """Do nothing."""


def test_caret_below_control_characters() -> None:
    """Control characters are escaped, and the caret is still below the place."""
    with pytest.raises(JmjpError) as refused:
        read_jmjp("jmjp[1.0](\x1b\u202e\u0301é天 x".encode())
    terminal = Terminal()
    console.point(refused.value, terminal)  # type: ignore[arg-type]
    line, caret = terminal.written.splitlines()
    assert line == "  jmjp[1.0](\\x1b\\u202e\u0301é天 x"
    assert caret == "            ^"


@posix
def test_broken_pipe() -> None:
    """The process ends silently when the reader of the findings closes the pipe."""
    command = [sys.executable, "-m", "jmjp_convert", "check", *["bad.jmjp"] * 50]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as started:
        assert started.stdout is not None
        assert started.stderr is not None
        started.stdout.close()
        assert started.stderr.read() == b""
        assert started.wait() == 1


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="Linux only")
@pytest.mark.parametrize(
    ("to", "line"), [("> /dev/full", "<stdout>: no space left on device"), (">&-", "standard output is closed")]
)
@pytest.mark.parametrize("args", ["bad.xml bad.jmjp", "--json bad.xml bad.jmjp", "--json game.jmjp"])
def test_lost_stdout(to: str, line: str, args: str) -> None:
    """An error of stdout is one line, ends the run, and is not a finding."""
    shell = subprocess.run(  # noqa: S602 - only a shell closes streams
        f"'{sys.executable}' -m jmjp_convert check {args} {to}", shell=True, check=False, stderr=subprocess.PIPE
    )
    assert (shell.returncode, shell.stderr.decode()) == (1, f"jmjp: {line}\n")


@posix
def test_closed_stdin() -> None:
    """A standard input that is closed from the start is reported."""
    shell = subprocess.run(  # noqa: S602 - only a shell closes streams
        f"'{sys.executable}' -m jmjp_convert check -q - <&-", shell=True, check=False, stderr=subprocess.PIPE
    )
    assert (shell.returncode, shell.stderr) == (1, b"jmjp: <stdin>: standard input is closed\n")


@pytest.mark.parametrize("encoding", ["ascii", "cp932"])
def test_console_encoding(encoding: str) -> None:
    """Characters that standard output cannot show are escaped."""
    Path("é.jmjp").write_text(edited(BAD), encoding="utf-8")
    env = os.environ | {"PYTHONIOENCODING": encoding, "PYTHONUTF8": "1"}  # so that file names are the same everywhere
    command = [sys.executable, "-m", "jmjp_convert", "check", "-q", "é.jmjp"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=env) as started:
        out, said = started.communicate()
    assert (out, said) == (f"\\xe9.jmjp:21:3: {WHY_BAD}\n".encode(), b"")


def test_help() -> None:
    """Help goes to stdout and has examples."""
    result = check("-h")
    assert (result.exit_code, result.stderr) == (0, "")
    assert "  jmjp check game.jmjp game.mjson\n" in result.stdout


# --- the wall and the score ------------------------------------------------------------------------------------------


def test_wall(seeded_log: str) -> None:
    """`--wall` verifies a log against the wall of its seed."""
    Path("seeded.xml").write_text(seeded_log, encoding="utf-8")
    assert_did(check("--wall", "seeded.xml"), 0, said=f"{VALID}\njmjp: wall: 1 agrees")


def test_wall_of_another_match(seeded_log: str) -> None:
    """A draw that differs from the wall is a finding, with its frame and place."""
    (tile,) = re.findall(r"<T(\d+)/>", seeded_log)
    hands = {int(number) for numbers in re.findall(r'hai\d="([\d,]+)"', seeded_log) for number in numbers.split(",")}
    taken = {
        *hands,
        *map(int, re.findall(r"<[TUVW](\d+)/>", seeded_log)),
        int(re.findall(r"(\d+)\" ten=", seeded_log)[0]),
    }
    other = next(number for number in range(136) if number not in taken)
    Path("seeded.xml").write_text(
        seeded_log.replace(f"<T{tile}/><D{tile}/>", f"<T{other}/><D{other}/>"), encoding="utf-8"
    )
    names = [label(int(number)) for number in (other, tile)]
    finding = (
        f"seeded.xml: frame E1-0, element 6 <T{other}>: the 1st draw is {names[0]}; {names[1]} expected from the wall"
    )
    said = "1 file, 1 match checked: 1 problem\njmjp: wall: 1 disagrees"
    assert_did(check("--wall", "seeded.xml"), 1, finding, said=said)
    (found,) = findings("--wall", "seeded.xml")
    assert (found["frame"], found["number"], found["element"]) == ("E1-0", 6, f"<T{other}>")


def test_wall_without_a_seed() -> None:
    """A log without a seed, or a jmjp file, neither agrees nor disagrees."""
    assert_did(check("--wall", "log.xml"), 0, said=f"{VALID}\njmjp: wall: 1 without a seed")


def test_wall_of_a_broken_seed(seeded_log: str) -> None:
    """A seed that generates no wall is not judged."""
    Path("seeded.xml").write_text(seeded_log.replace("n288,9E", "n288,XE"), encoding="utf-8")
    result = check("--wall", "seeded.xml")
    assert result.exit_code == 0
    assert "jmjp: not judged (invalid shuffle seed 'mt19937ar-sha512-n288,X" in result.stderr
    assert result.stderr.endswith(": wall 1\n")


def test_bad_match_is_not_judged(seeded_log: str) -> None:
    """A match with other problems is checked against neither wall nor score."""
    Path("seeded.xml").write_text(seeded_log.replace('oya="0" hai', 'oya="1" hai'), encoding="utf-8")
    result = check("--wall", "--score", "seeded.xml")
    assert result.exit_code == 1
    assert result.stderr.splitlines()[1:] == ["jmjp: not judged (other problems found): wall 1, score 1"]


def test_score() -> None:
    """`--score` recomputes wins and payments, and counts those that agree."""
    said = [VALID, "wins: 3 agree", "payments of wins: 3 agree", "draws: 1 agrees", "final results: 1 agrees"]
    assert_did(check("--score", "log.xml"), 0, said="\njmjp: ".join(said))


def test_problem_of_several_judges() -> None:
    """A wrong final result is reported once, although --score judges it too."""
    log = Path("log.xml")
    text = log.read_text(encoding="utf-8")
    log.write_text(text.replace('owari="87,', 'owari="88,'), encoding="utf-8")
    result = check("log.xml", "--score")
    assert len(result.stdout.splitlines()) == 1
    assert result.stdout.endswith("the final points are 88,330,343,240; 87,330,343,240 expected from the last frame\n")


def test_why_a_score_is_not_judged() -> None:
    """Each reason is shown once; in JSON it is listed for each subject."""
    text = Path("log.xml").read_text(encoding="utf-8")
    Path("private.xml").write_text(text.replace('lobby="0"', 'lobby="1234"'), encoding="utf-8")
    why = "not judged (a private lobby may have rules of its own)"
    result = check("--score", "log.xml", "private.xml")
    assert result.stderr.splitlines()[1:] == [
        "jmjp: wins: 3 agree",
        "jmjp: payments of wins: 3 agree",
        "jmjp: draws: 1 agrees",
        "jmjp: final results: 1 agrees",
        f"jmjp: {why}: wins 3, payments of wins 3, draws 1, final results 1",
    ]
    last = check("--json", "--score", "-q", "log.xml", "private.xml").stdout.splitlines()[-1]
    assert json.loads(last)["summary"]["draws"] == {"agree": 1, why: 1}


def test_score_that_differs() -> None:
    """A win of a different value is a finding, and is counted apart from those that agree."""
    text = Path("log.xml").read_text(encoding="utf-8")
    Path("log.xml").write_text(text.replace('ten="30,1000,0"', 'ten="40,1000,0"'), encoding="utf-8")
    result = check("--score", "log.xml")
    reason = "West (Nazuna)'s win is 40 fu 1 han; 30 fu 1 han expected from the play"
    assert result.stdout.startswith("log.xml: frame E2-0, element 52 <AGARI ")
    assert result.stdout.endswith(f"…>: {reason}\n")
    assert "jmjp: wins: 2 agree, 1 differs\n" in result.stderr
    assert result.exit_code == 1


@pytest.mark.parametrize(
    ("name", "places"),
    [
        ("jmjp", {"line", "column"}),
        ("json", {"line"}),
        ("tenhou6", {"line", "pointer"}),
        ("majiang", {"line", "pointer"}),
    ],
)
def test_place_of_a_score(name: str, places: set[str]) -> None:
    """A wrong score is where its win is, in every format that has it."""
    text = Path("log.xml").read_bytes().replace(b'ten="30,1000,0"', b'ten="40,1000,0"')
    Path("game").write_text(dumps(read_mjlog(text), name), encoding="utf-8")
    (found,) = findings("--score", "--rules", "tenhou", "game")
    assert found["reason"] == "West (Nazuna)'s win is 40 fu 1 han; 30 fu 1 han expected from the play"
    assert found["frame"] == "E2-0"
    assert {key for key in KEYS - {"file", "frame", "reason"} if found[key] is not None} == places


def test_rules() -> None:
    """`--rules` says by whose rules all games are judged, even where they name no house or their own rules."""
    text = Path("log.xml").read_text(encoding="utf-8")
    Path("private.xml").write_text(text.replace('lobby="0"', 'lobby="1234"'), encoding="utf-8")
    said = ["wins: 3 agree", "payments of wins: 3 agree", "draws: 1 agrees", "final results: 1 agrees"]
    result = check("--score", "--rules", "tenhou", "private.xml")
    assert result.stderr.splitlines()[1:] == [f"jmjp: {line}" for line in said]
    result = check("--score", "--rules", "mahjong-soul", "private.xml")
    assert result.exit_code == 1
    assert "jmjp: wins: 3 agree\n" in result.stderr
    assert "final results: 1 differs" in result.stderr


def test_rules_without_score() -> None:
    """`--rules` is refused where nothing is judged by them."""
    result = check("--rules", "tenhou", "log.xml")
    assert (result.exit_code, result.stderr) == (2, "jmjp: --rules needs --score. Try 'jmjp check -h' for help.\n")


def test_summary_of_json() -> None:
    """With `--json` the last line is the summary, with all counts."""
    last = check("--json", "--wall", "--score", "-q", "log.xml").stdout.splitlines()[-1]
    assert json.loads(last)["summary"] == {
        "files": 1,
        "matches": 1,
        "findings": 0,
        "unread": 0,
        "passed_over": 0,
        "wall": {"without a seed": 1},
        "wins": {"agree": 3},
        "payments of wins": {"agree": 3},
        "draws": {"agree": 1},
        "final results": {"agree": 1},
    }


def test_score_without_the_package(monkeypatch: pytest.MonkeyPatch) -> None:
    """If the package that computes scores is missing, one line says how to install it."""
    for name in [name for name in sys.modules if name.partition(".")[0] == "mahjong"]:
        monkeypatch.delitem(sys.modules, name)
    monkeypatch.setitem(sys.modules, "mahjong", None)
    assert_did(
        check("--score", "log.xml", "log.xml"),
        1,
        said="scoring needs the extra 'score'; "
        'run pipx install --force ".[score]" or pip install ".[score]" in the repository (see docs/install.md)',
    )
