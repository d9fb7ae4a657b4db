"""What `jmjp check` finds in a match as a whole, every command reports, and rejects with `--strict`."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from batching import counted, failures, summary, work_there  # noqa: F401 - pytest finds it by its name
from click.testing import Result
from converting import jmjp
from packing import PLAIN, game
from tables import table
from tenhou_server import body, serving

from jmjp_convert.api import dumps
from jmjp_convert.checks.match import check_match
from jmjp_convert.cli import fetching
from jmjp_convert.convert import judged
from jmjp_convert.errors import MatchError, RecordError
from jmjp_convert.fetch.web import Web
from jmjp_convert.formats.mjlog.reader import read_mjlog
from jmjp_convert.formats.reading import Reading, read_content, read_source

_NINE_TERMINALS = PLAIN[PLAIN.index(b'<INIT seed="2,0') : PLAIN.index(b'<INIT seed="2,1')]
SUM = PLAIN.replace(b'owari="87,-41.0', b'owari="87,-40.9')
TWICE = PLAIN.replace(_NINE_TERMINALS, 2 * _NINE_TERMINALS)
PAID = PLAIN.replace(b'sc="210,-123,330,0,', b'sc="210,0,330,-123,').replace(
    b'owari="87,-41.0,330,13.0,343,44.0,240,-16.0"', b'owari="210,-19.0,207,-29.3,343,44.3,240,4.0"'
)

WHY = {
    SUM: "the results add up to 100; 0 expected",
    TWICE: "frame E3-0: this frame comes after E3-0",
    PAID: "frame E3-1: the payments 0,-12300,13300,0 do not match player 2's win",
}
"""The problem of each log in the terms of the model."""

SAID = dict(table("cli_problems", "said", globals()))
"""The problem as each format puts it, after the name of the file."""
STRICT = " (--strict rejects it)"
HOW: dict[str, Callable[[bytes], bytes]] = {
    "mjlog": lambda content: content,
    "jmjp": lambda content: dumps(read_mjlog(content)).encode(),
    "json": lambda content: dumps(read_mjlog(content), "json").encode(),
}
ID = game(1)

each_content = pytest.mark.parametrize("content", WHY, ids=WHY.values())
each_format = pytest.mark.parametrize("form", HOW)


def lines(result: Result) -> list[str]:
    """Return the lines on stderr."""
    return result.stderr.splitlines()


@each_content
@each_format
@pytest.mark.parametrize("command", ["convert", "info", "view"])
def test_warning(command: str, form: str, content: bytes) -> None:
    """A problem is a warning that names the file and the place; the game is written all the same."""
    Path("bad").write_bytes(HOW[form](content))
    options = {"convert": ["-q", "--to", "mjai", "-o", "out"], "info": [], "view": ["-q", "-o", "out"]}[command]
    result = jmjp(command, "bad", *options)
    said = SAID[form, content]
    assert lines(result) == [f"warning: bad{said}{STRICT}"]
    assert result.exit_code == 0
    assert result.stdout or Path("out").stat().st_size
    assert jmjp("check", "bad", "-q").stdout == f"bad{said}\n"


@each_content
@each_format
@pytest.mark.parametrize("command", ["convert", "info", "view"])
def test_strict(command: str, form: str, content: bytes) -> None:
    """With `--strict`, a problem makes the input fail, and nothing is written for it."""
    Path("bad").write_bytes(HOW[form](content))
    result = jmjp(command, "bad", "--strict", *([] if command == "info" else ["-o", "out"]))
    assert lines(result) == [f"error: bad{SAID[form, content]}"]
    assert (result.exit_code, result.stdout) == (1, "")
    assert [path.name for path in Path().iterdir()] == ["bad"]


# --- batch -----------------------------------------------------------------------------------------------------------


# --- fetch -----------------------------------------------------------------------------------------------------------


def test_fetch(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """A fetched game with problems is converted with a warning; with `--strict`, only this fails, and is not remembered
    for runs without it."""
    monkeypatch.setenv("JMJP_HOME", str(tmp_path / "home"))
    monkeypatch.setenv("NO_PROXY", "*")
    monkeypatch.setattr(fetching, "Web", lambda *args, delay, **options: Web(*args, delay=delay / 50, **options))
    with serving() as server:
        monkeypatch.setenv("JMJP_BASE_URL", server.url)
        server.put_log(ID, body(SUM))
        strict = jmjp("fetch", ID, "-o", "out", "--save", "both", "--strict")
        assert strict.exit_code == 1
        counts = "1 fetched, 0 already there, 0 converted, 1 failed"
        assert lines(strict)[1:] == [counts, f"error: {ID}{SAID['mjlog', SUM]}"]
        assert sorted(path.name for path in Path("out").iterdir()) == [f"{ID}.xml", "failures.jsonl"]
        result = jmjp("fetch", ID, "-o", "out", "--save", "both")
    assert result.exit_code == 0
    converted = Path("out", f"{ID}.jmjp")
    assert lines(result) == [
        f"warning: {ID}{SAID['mjlog', SUM]}{STRICT}",
        f"{ID} -> {converted}",
        "0 fetched, 1 already there, 1 converted, 0 failed, 1 problem",
    ]
    converted.unlink()
    assert lines(jmjp("fetch", ID, "-o", "out", "--save", "both", "-q", "--no-progress")) == [
        f"warning: {ID}{SAID['mjlog', SUM]}{STRICT}"
    ]


# --- the judge itself ------------------------------------------------------------------------------------------------


@each_content
@each_format
def test_same_everywhere(form: str, content: bytes) -> None:
    """Every format leads to the same findings as the check of the match."""
    loaded = read_content(HOW[form](content), "", Reading(), pytest.fail)
    (match,) = loaded.matches
    assert [str(error) for error in check_match(match)] == [WHY[content]]
    problems: list[RecordError] = []
    assert judged(loaded, Reading(), problems.append) == [match]
    assert [error.about("") for error in problems] == [f"{SAID[form, content]}{STRICT}"]
    with pytest.raises(RecordError) as rejected:
        judged(loaded, Reading(strict=True), problems.append)
    assert rejected.value.about("") == SAID[form, content]
    assert isinstance(rejected.value.__cause__, MatchError)


def test_valid_fixtures(valid_inputs: list[Path]) -> None:
    """A valid log has no warnings."""
    problems: list[RecordError] = []
    for path in valid_inputs:
        judged(read_source(str(path), Reading(), lambda _: None), Reading(), problems.append)
    assert problems == []
