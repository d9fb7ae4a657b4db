"""The command `jmjp batch`. Most tests convert in threads, which start at once; some in processes, as users do."""

from __future__ import annotations

import errno
import io
import json
import os
import signal
import sqlite3
import subprocess
import sys
import time
import zipfile
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from functools import cache
from hashlib import sha256
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result
from packing import BROKEN, HOUOU_2, LIST, OTHER, PHOENIX, PLAIN, SANMA, database, game, named, packed, tarred, zipped

from jmjp_convert.batch import worker as work
from jmjp_convert.batch.destination import Place
from jmjp_convert.batch.executor import Workers
from jmjp_convert.batch.summary import Summary
from jmjp_convert.cli import batch as command
from jmjp_convert.cli import main
from jmjp_convert.convert import Losses, Writing, written
from jmjp_convert.formats.jmjp.writer import write_jmjp
from jmjp_convert.formats.json.writer import write_json
from jmjp_convert.formats.mjlog.reader import read_mjlog
from jmjp_convert.formats.tenhou6.writer import write_tenhou6

ENDED = (130, -signal.SIGINT)
"""The codes of a process that Ctrl-C ends: by itself, or as it is about to be gone anyway; a shell calls both 130."""

posix = pytest.mark.skipif(os.name != "posix", reason="POSIX only")
heard = pytest.mark.usefixtures("heard_signals")


@pytest.fixture(autouse=True)
def work_there(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Work in an empty directory, with threads."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(command, "processes", lambda number: Workers(number, lambda: ThreadPoolExecutor(number)))


def batch(*args: str, given: bytes = b"", code: int = 0) -> Result:
    """Return what `jmjp batch` with *args* does, *given* on stdin; it ends with *code*."""
    result = CliRunner().invoke(main, ["batch", *args], input=given)
    assert result.exit_code == code, result.output
    assert result.stdout == ""
    return result


def process(*args: str) -> subprocess.Popen[bytes]:
    """Start `jmjp batch` with *args* as a process, which is a group with its workers, as in a terminal."""
    start = [sys.executable, "-m", "jmjp_convert", "batch", *args]
    return subprocess.Popen(start, stdout=subprocess.PIPE, stderr=subprocess.PIPE, start_new_session=True)


def summary(home: str = "out") -> dict[str, Any]:
    """Return the summary of the last run, without what the clock says."""
    found: dict[str, Any] = json.loads(Path(home, "summary.json").read_text(encoding="utf-8"))
    assert found.pop("seconds") >= 0
    assert found.pop("games_per_second") >= 0
    return found


def counted(**values: Any) -> dict[str, Any]:
    """Return a summary of these *values*, nothing else."""
    nothing: dict[str, Any] = {"converted": 0, "already_there": 0, "renamed": 0, "skipped": {}, "failed": {}}
    return {**nothing, "interrupted": False, "stopped": None, **values}


def failures(home: str = "out") -> list[dict[str, Any]]:
    """Return what failed in the last run."""
    return [json.loads(line) for line in Path(home, "failures.jsonl").read_text(encoding="utf-8").splitlines()]


def outputs(home: str = "out") -> dict[str, bytes]:
    """Return the games that are there, by their names; nothing unfinished lies about."""
    if Path(home).is_file():
        with zipfile.ZipFile(home) as archive:
            assert archive.testzip() is None
            return {name: archive.read(name) for name in archive.namelist()}
    files = {path.relative_to(home).as_posix(): path for path in Path(home).rglob("*") if path.is_file()}
    for name in ("failures.jsonl", "summary.json", "ledger.sqlite"):
        files.pop(name, None)
    return {name: path.read_bytes() for name, path in files.items()}


def expected(content: bytes, log_id: str, **options: Any) -> bytes:
    """Return what a game with an id becomes."""
    return write_jmjp(read_mjlog(content, file_name=log_id), **options).encode()


def games(number: int, path: str = "games.zip") -> dict[str, bytes]:
    """Write an archive of games, and return what becomes of it."""
    members = {f"{game(index)}.mjlog": named(index) for index in range(number)}
    Path(path).parent.mkdir(exist_ok=True)
    zipped(members, Path(path), zipfile.ZIP_STORED)
    return {f"2019/04/{game(index)}.jmjp": converted(index) for index in range(number)}


@cache
def converted(number: int) -> bytes:
    """Return what a game of such an archive becomes."""
    return expected(named(number), game(number))


def wait_until(condition: Callable[[], bool], seconds: float = 20) -> None:
    """Wait until *condition* holds."""
    end = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < end
        time.sleep(0.005)


# --- what becomes of archives ----------------------------------------------------------------------------------------


def test_mixture() -> None:
    """Sources of every kind, in any mixture, become one directory, sorted by year and month."""
    zipped({f"n1/{game(1, '20190418')}&tw=1.mjlog": packed(PLAIN)}, Path("a"))
    tarred({f"{game(2, '20190501')}.xml": named(2)}, Path("b"), "w:gz")
    database(Path("c"), HOUOU_2, {game(3, "20200101"): packed(named(3)), game(9): None})
    database(Path("d"), PHOENIX, {game(4): packed(named(4)), game(10): ""})
    Path("e/f").mkdir(parents=True)
    Path("e/f", f"{game(5)}.xml").write_bytes(named(5))
    Path(f"{game(6)}.gz").write_bytes(packed(named(6)))
    result = batch("a", "b", "c", "d", "e", "-", "-o", "out", given=f"{game(6)}.gz\n\n".encode())
    assert outputs() == {
        f"{day[:4]}/{day[4:6]}/{game(number, day)}.jmjp": expected(content, game(number, day))
        for number, day, content in [
            (1, "20190418", PLAIN),
            (2, "20190501", named(2)),
            (3, "20200101", named(3)),
            *((number, "20190418", named(number)) for number in (4, 5, 6)),
        ]
    }
    assert summary() == counted(converted=6, skipped={"not downloaded": 2})
    assert failures() == []
    first, second = result.stderr.splitlines()
    assert first == "jmjp: 6 converted, 0 already there, 2 skipped (2 not downloaded), 0 failed"
    assert second.startswith("jmjp: ")
    assert "games per second" in second


def test_unknown_ids() -> None:
    """A game without an id is called by its content, and the first of the same ones counts."""
    Path("b.xml").write_bytes(PLAIN)
    Path("a.gz").write_bytes(packed(PLAIN))
    Path("x2019023009gm-0089-0000-0123abcd").write_bytes(OTHER)
    batch("b.xml", "a.gz", "x2019023009gm-0089-0000-0123abcd", "-o", "out")
    digest = sha256(PLAIN).hexdigest()
    name = f"unknown/{digest[:2]}/{digest[:32]}.jmjp"
    assert outputs()[name] == expected(PLAIN, "b.xml")
    assert "unknown/2019023009gm-0089-0000-0123abcd.jmjp" in outputs()
    assert summary() == counted(converted=2, skipped={"duplicates": 1})


def test_options() -> None:
    """The options of the writer are those of `jmjp convert`."""
    name = f"{game(1)}.xml"
    Path(name).write_bytes(PLAIN)
    result = batch(name, "-o", "out", "--spec", "0", "--compact", "--no-verify", "-q")
    assert outputs() == {f"2019/04/{game(1)}.jmjp": expected(PLAIN, name, spec="0", compact=True)}
    assert result.stderr == ""
    strange = PLAIN.replace(b"<TAIKYOKU", b"<CHAT/><TAIKYOKU")
    Path("s.zip").write_bytes(zipped({f"{game(2)}": strange, f"{game(3)}": strange}))
    result = batch("s.zip", "-o", "other")
    assert result.stderr.count("element <CHAT> is not known and is ignored") == 1
    assert batch("s.zip", "-o", "other2", "-v").stderr.count("is not known and is ignored") == 2
    batch("s.zip", "-o", "strict", "--strict", code=1)
    batch("s.zip", "-o", "small", "--max-size", "100", code=1)
    assert summary("strict") == counted(failed={"mjlog": 2})
    assert summary("small") == counted(failed={"file": 2})


def test_other_options() -> None:
    """What was made with other options is not mixed with what is to be made."""
    games(2)
    batch("games.zip", "-o", "out")
    result = batch("games.zip", "-o", "out", "--compact", code=2)
    assert "out was made with other options (no --compact): choose another output, or --force" in result.stderr
    batch("games.zip", "-o", "out", "--compact", "--force")
    result = batch("games.zip", "-o", "out", "--spec", "0", code=2)
    assert "was made with other options (--spec 1.0, --compact): choose" in result.stderr
    result = batch("games.zip", "-o", "out", "--to", "tenhou6", "--per-frame", code=2)
    assert "was made with other options (--to jmjp, --compact, no --per-frame): choose" in result.stderr
    assert all(content.count(b"\n") == 1 for content in outputs().values())
    assert summary() == counted(converted=2)


def test_wall(seeded_log: str) -> None:
    """`--wall` takes the dora from the wall; an output made without it is not mixed with one made with it."""
    name = f"{game(1)}.xml"
    Path(name).write_text(seeded_log, encoding="utf-8")
    batch(name, "-o", "out")
    assert [b"uk" in content for content in outputs().values()] == [True]
    assert "made with other options" in batch(name, "-o", "out", "--wall", code=2).stderr
    batch(name, "-o", "out", "--wall", "--force")
    assert [b"uk" in content for content in outputs().values()] == [False]


def test_failures() -> None:
    """One bad log does not stop the rest; each is told with its place, and three players are no failure."""
    members = {f"{game(1)}.xml": BROKEN, f"{game(2)}.xml": PLAIN, "sanma.xml": SANMA, "cut.gz": packed(PLAIN)[:99]}
    members |= {
        "x": b"hello",
        "page": b"<html></html>",
        "empty": b"",
        "in.zip": zipped({"a": PLAIN}),
        "j": b"jmjp[1.0]",
    }
    members |= {"scc20190101.html.gz": packed(LIST), "._x": b"\x00\x05\x16\x07"}
    zipped(members, Path("a.zip"))
    result = batch("a.zip", "none.zip", "-o", "out", code=1)
    assert list(outputs()) == [f"2019/04/{game(2)}.jmjp"]
    assert summary() == counted(
        converted=1,
        skipped={"three players": 1, "jmjp already": 1, "a list of games, not a game": 1, "a system's own file": 1},
        failed={"play": 1, "not-a-log": 1, "mjlog": 2, "archive": 1, "file": 2},
    )
    first, *others = failures()
    assert first == {
        "source": "a.zip",
        "member": f"{game(1)}.xml",
        "log_id": game(1),
        "kind": "play",
        "message": "player 0 does not hold tile 4 (2m)",
        "frame": "E1-0",
        "element": "<D4>",
        "number": 6,
        "line": None,
        "column": None,
    }
    assert [failure["member"] for failure in others] == ["cut.gz", "x", "page", "empty", "in.zip", None]
    assert others[-2]["message"] == "an archive inside an archive is not opened: unpack it first"
    assert others[-1]["message"] == "no such file or directory"
    assert result.stderr.endswith(f"{Path('out/failures.jsonl')} tells what failed\n")
    said = batch("a.zip", "-o", "out", "-v", code=1).stderr
    assert f"a.zip: {game(1)}.xml: frame E1-0, element 6 <D4>: player 0 does not hold tile 4 (2m)" in said


def test_names_that_lead_out() -> None:
    """No name in an archive leads out of the output."""
    zipped({"../../evil.xml": PLAIN, f"../{game(1)}": OTHER, "/abs/x": named(1)}, Path("a.zip"))
    batch("a.zip", "-o", "in/out")
    assert len(outputs("in/out")) == 3
    assert {path.name for path in Path().iterdir()} == {"a.zip", "in"}
    assert {path.name for path in Path("in").iterdir()} == {"out"}


def test_output_among_sources() -> None:
    """The output, a directory or a zip, is not its own source."""
    games(2, "in.zip")
    batch(".", "-o", "out")
    batch(".", "-o", "out")
    assert summary() == counted(already_there=2)
    Path("in").mkdir()
    Path("in.zip").replace("in/in.zip")
    for run in (counted(converted=2), counted(already_there=2)):
        batch("in", "-o", "in/out.zip", "--zip")
        assert summary("in/out.zip.batch") == run


@pytest.mark.parametrize("form", [[], ["--zip"]])
def test_earlier_output_among_sources(form: list[str]) -> None:
    """What a batch keeps beside its outputs is known in a source, also if it was killed, and is passed over."""
    games(2, "in/in.zip")
    batch("in", "-o", "in/out", *form)
    staging = Path("in/out.batch/.staging" if form else "in/out/.staging")
    staging.mkdir()
    (staging / "segment-1").write_bytes(b"x")
    Path("in/summary.json").write_bytes(b"x")
    batch("in", "-o", "other", code=1)
    assert summary("other") == counted(
        converted=2, skipped={"a batch's own file": 4, "jmjp already": 2}, failed={"not-a-log": 1}
    )
    assert [failure["source"] for failure in failures("other")] == [str(Path("in/summary.json"))]
    listed = "".join(f"{path}\n" for path in sorted(Path("in").rglob("*")) if path.is_file()).encode()
    batch("-", "-o", "third", given=listed, code=1)
    assert summary("third") == summary("other")


def test_output_that_is_a_source() -> None:
    """A source is not written into, nor over, and nothing is made."""
    games(2, "in/in.zip")
    before = Path("in/in.zip").read_bytes()
    assert "in/ is a source" in batch("in", "-o", "./in/", code=2).stderr
    assert "in/in.zip is a source" in batch("other", "in/in.zip", "-o", "in/in.zip", "--zip", "--force", code=2).stderr
    assert [path.name for path in Path("in").iterdir()] == ["in.zip"]
    assert Path("in/in.zip").read_bytes() == before
    Path("in/out").mkdir()
    Path("in/in.zip").replace("in/out/in.zip")
    batch("in/out/in.zip", "-o", "in/out")
    assert summary("in/out") == counted(converted=2)


# --- which are taken -------------------------------------------------------------------------------------------------


def test_dates() -> None:
    """Days are told by the ids; what has none is left out where days are asked for."""
    for day in ("20190417", "20190418", "20190419"):
        Path(f"{game(1, day)}.xml").write_bytes(PLAIN)
    Path("a.xml").write_bytes(PLAIN)
    batch(".", "-o", "out", "--since", "2019-04-18", "--until", "20190418")
    assert list(outputs()) == [f"2019/04/{game(1)}.jmjp"]
    skipped = {"before --since": 1, "after --until": 1, "no date in its name": 1}
    assert summary() == counted(converted=1, skipped=skipped)
    assert "is no date" in batch(".", "-o", "out", "--since", "2019-02-30", code=2).stderr
    assert "is no date" in batch(".", "-o", "out", "--until", "2019-13", code=2).stderr


@pytest.mark.parametrize(
    ("since", "until", "taken"),
    [("2019", "2019", "bcd"), ("2019-04", "201904", "bc"), ("2019-04-18", "2019", "cd"), ("2018", "2019-04-01", "ab")],
)
def test_months(since: str, until: str, taken: str) -> None:
    """A month or a year is all of it."""
    days = {"a": "20181231", "b": "20190401", "c": "20190430", "d": "20191231", "e": "20200101"}
    for day in days.values():
        Path(f"{game(1, day)}.xml").write_bytes(PLAIN)
    batch(".", "-o", "out", "--since", since, "--until", until, "--no-verify")
    assert {name[-len(game(1)) - 5 :][:8] for name in outputs()} == {days[letter] for letter in taken}


def test_players() -> None:
    """Logs of three players are not even read, where their ids say so."""
    Path("2019041809gm-00b9-0000-00000001.xml").write_bytes(b"unread")
    batch(".", "-o", "out", "--players", "4")
    assert summary() == counted(skipped={"three players": 1})


def test_limit() -> None:
    """`--limit` takes the first ones, whether they are there or not."""
    every = games(10)
    for run in (counted(converted=3), counted(already_there=3)):
        batch("games.zip", "-o", "out", "--limit", "3")
        assert outputs() == dict(list(every.items())[:3])
        assert summary() == run


def test_sample() -> None:
    """`--sample` takes some from all over, always the same ones, however they are packed."""
    every = games(200)
    with zipfile.ZipFile("games.zip") as archive:
        archive.extractall("folder")
    batch("games.zip", "-o", "out", "--sample", "10")
    batch("-", "-o", "other", "--sample", "10", given=b"folder\n")
    assert outputs() == outputs("other")
    assert len(outputs()) == 10
    assert list(outputs()) != list(every)[:10]


def test_dry_run() -> None:
    """`--dry-run` counts and writes nothing."""
    games(5)
    Path("2019041809gm-00b9-0000-00000001.xml").write_bytes(SANMA)
    result = batch(".", "-o", "out", "--dry-run", "--players", "4")
    assert result.stderr == "jmjp: 5 to convert, 0 already there, 1 skipped (1 three players), 0 failed\n"
    assert not Path("out").exists()
    batch(".", "-o", "out", "--limit", "2")
    before = Path("out/ledger.sqlite").read_bytes()
    result = batch("games.zip", "-o", "out", "--dry-run")
    assert result.stderr == "jmjp: 4 to convert, 1 already there, 0 skipped, 0 failed\n"
    assert Path("out/ledger.sqlite").read_bytes() == before
    assert "1 failed" in batch("none", "games.zip", "-o", "out", "--dry-run", code=1).stderr


@pytest.mark.parametrize(
    ("args", "message"),
    [
        (["a"], "Missing option '-o'"),
        (["", "-o", "out"], "a file name is empty"),
        (["-", "-", "-o", "out"], "only once"),
        (["a", "-o", "out", "--jobs", "0"], "--jobs"),
        (["a", "-o", "out", "--jobs", "2", "--dask", "tcp://x"], "--jobs is for processes"),
        (["a", "-o", "out", "--sample", "0"], "--sample"),
        (["a", "-o", "out", "--since", "2020-01-01", "--until", "2019-01-01"], "--since is after --until"),
        (["a", "-o", "out", "--since", "2020-05", "--until", "2020-04-30"], "--since is after --until"),
        (["a", "-o", "out", "--since", "2020-04-30", "--until", "2019"], "--since is after --until"),
        (["a", "-o", "-"], "stdout (-) is no place for a batch: --output names a directory, or with --zip a zip"),
        (["a", "-o", "-", "--zip"], "stdout (-) is no place"),
        (["a", "-o", "out.ZIP"], "out.ZIP looks like a zip: --zip makes one (out.ZIP/ is a directory)"),
    ],
)
def test_usage(args: list[str], message: str) -> None:
    """Wrong usage is told, with exit code 2, and nothing is made."""
    Path("a").touch()
    assert message in batch(*args, code=2).stderr
    assert [path.name for path in Path().iterdir()] == ["a"]


def test_nothing_there() -> None:
    """If no source is there, that is told, and nothing is made."""
    assert batch("none", "-o", "out", code=1).stderr == "jmjp: none: no such file or directory\n"
    result = batch("none", "nor/this", "-o", "out", code=1)
    assert result.stderr == "jmjp: none: no such file or directory, nor/this: no such file or directory\n"
    assert list(Path().iterdir()) == []


def test_directory_like_a_zip() -> None:
    """A slash at its end tells a directory, whatever it is called."""
    games(1)
    batch("games.zip", "-o", "out.zip/")
    batch("games.zip", "-o", "out.zip")
    assert summary("out.zip") == counted(already_there=1)


def test_output_of_another_kind() -> None:
    """A file is no directory, and a directory no zip."""
    games(1)
    Path("dir").mkdir()
    Path("file").touch()
    assert "is a file, and no directory" in batch("games.zip", "-o", "file", code=1).stderr
    assert "is a directory, and no zip" in batch("games.zip", "-o", "dir", "--zip", code=1).stderr
    zipped({}, Path("other.zip"))
    assert "exists, and is not known here" in batch("games.zip", "-o", "other.zip", "--zip", code=1).stderr


# --- the same id, several times --------------------------------------------------------------------------------------


def same_ids() -> dict[str, bytes]:
    """Write sources with one id many times, and return what becomes of it."""
    Path("1").mkdir()
    Path("1", f"{game(1)}.xml").write_bytes(BROKEN)  # cannot keep the name
    Path("1", f"{game(1)}&tw=1.mjlog").write_bytes(packed(named(1)))
    zipped({f"{game(1)}.xml": named(1), f"b/{game(1)}.xml": named(2), f"{game(2)}": named(5)}, Path("2"))
    database(Path("3"), HOUOU_2, {game(1): packed(named(3)), game(2): packed(named(5))})
    tarred({f"{game(1)}": named(2)}, Path("4"))
    digest = {number: sha256(named(number)).hexdigest()[:8] for number in (2, 3)}
    return {
        f"2019/04/{game(1)}.jmjp": expected(named(1), game(1)),
        f"2019/04/{game(1)}~{digest[2]}.jmjp": expected(named(2), game(1)),
        f"2019/04/{game(1)}~{digest[3]}.jmjp": expected(named(3), game(1)),
        f"2019/04/{game(2)}.jmjp": expected(named(5), game(2)),
    }


@pytest.mark.parametrize("items", [1, 2, 64])
@pytest.mark.parametrize("form", ["", "--zip"])
def test_same_ids(items: int, form: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """The same content counts once; of different ones, the first keeps the name, and the others have longer ones."""
    monkeypatch.setattr("jmjp_convert.batch._ITEMS", items)
    every = same_ids()
    result = batch("1", "2", "3", "4", "-o", "out", *filter(None, [form]), "-j", "3", "-v", code=1)
    assert outputs() == every
    home = "out.batch" if form else "out"
    assert summary(home) == counted(converted=4, renamed=2, skipped={"duplicates": 3}, failed={"play": 1})
    assert result.stderr.count("another game has this id: written as 2019/04/") == 2
    batch("1", "2", "3", "4", "-o", "out", *filter(None, [form]), code=1)
    assert outputs() == every
    assert summary(home) == counted(already_there=4, skipped={"duplicates": 3}, failed={"play": 1})


def test_same_ids_in_another_run() -> None:
    """What earlier runs have converted counts as if it came first."""
    every = same_ids()
    for source, run in {
        "1": counted(converted=1, failed={"play": 1}),
        "2": counted(converted=2, already_there=1, renamed=1),
        "3": counted(converted=1, already_there=1, renamed=1),
        "4": counted(already_there=1),
    }.items():
        batch(source, "-o", "out", code=1 if source == "1" else 0)
        assert summary() == run
    assert outputs() == every


# --- again, and after the end ----------------------------------------------------------------------------------------


@pytest.mark.parametrize("form", [[], ["--zip"]])
def test_again(form: list[str]) -> None:
    """Run again, it does what is missing; `--force` does everything."""
    every = games(30)
    home = "out.batch" if form else "out"
    batch("games.zip", "-o", "out", "--limit", "7", *form)
    for run in (counted(converted=23, already_there=7), counted(already_there=30)):
        batch("games.zip", "-o", "out", *form)
        assert outputs() == every
        assert summary(home) == run
    batch("games.zip", "-o", "out", "--force", *form)
    assert summary(home) == counted(converted=30)
    assert outputs() == every


def test_source_that_changed() -> None:
    """A source with other content is converted anew, as another game of its id."""
    name = f"{game(1)}.xml"
    Path(name).write_bytes(named(1))
    batch(name, "-o", "out")
    Path(name).write_bytes(named(2) + b"\n")
    batch(name, "-o", "out")
    assert summary() == counted(converted=1, renamed=1)


def test_output_that_went() -> None:
    """An output that somebody has deleted is made again."""
    every = same_ids()
    batch("1", "2", "3", "4", "-o", "out", code=1)
    for name in list(every):
        Path("out", name).unlink()
        batch("1", "2", "3", "4", "-o", "out", code=1)
        assert outputs() == every
    batch("2", "-o", "z", "--zip")
    Path("z").unlink()
    batch("2", "-o", "z", "--zip")
    assert len(outputs("z")) == 3


def test_same_bytes() -> None:
    """A zip has the same bytes whatever the number of workers, and however often its making was interrupted."""
    games(150)
    batch("games.zip", "-o", "one", "--zip", "-j", "1")
    batch("games.zip", "-o", "many", "--zip", "-j", "5")
    for limit in ("100", "20", "200"):
        batch("games.zip", "-o", "bits", "--zip", "--limit", limit)
    assert Path("one").read_bytes() == Path("many").read_bytes() == Path("bits").read_bytes()
    assert list(outputs("one")) == sorted(outputs("one"))


def test_zip64(monkeypatch: pytest.MonkeyPatch) -> None:
    """A zip with more than fits into the old form is a zip64."""
    monkeypatch.setattr("jmjp_convert.batch.zip_output._MOST", 10)
    monkeypatch.setattr("jmjp_convert.batch.zip_output._LARGEST", 5000)
    every = games(20)
    batch("games.zip", "-o", "out", "--zip")
    content = Path("out").read_bytes()
    assert b"PK\x06\x06" in content
    # What stands in the old fields has to be what says "see above": the test's own bounds do not.
    content = content[:-22] + b"PK\x05\x06" + bytes(4) + b"\xff" * 12 + bytes(2)
    central = content.index(b"PK\x01\x02")
    content = content[:central] + content[central:].replace((5000).to_bytes(4, "little"), b"\xff" * 4)
    with zipfile.ZipFile(io.BytesIO(content)) as archive:
        assert {name: archive.read(name) for name in archive.namelist()} == every


@pytest.mark.parametrize("moment", ["before", "after"])
def test_zip_killed_at_its_end(moment: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """A run that is killed while its zip is put into place is completed by the next one."""
    games(20)
    batch("games.zip", "-o", "whole", "--zip")
    batch("games.zip", "-o", "out", "--zip", "--limit", "5")

    def killed(*_: object) -> None:
        raise KeyboardInterrupt

    with monkeypatch.context() as patch:
        if moment == "before":
            patch.setattr(Path, "replace", killed)
        else:
            patch.setattr(Place, "_finished", killed)
        batch("games.zip", "-o", "out", "--zip", code=130)
    batch("games.zip", "-o", "out", "--zip")
    assert Path("out").read_bytes() == Path("whole").read_bytes()
    assert {path.name for path in Path("out.batch").iterdir()} == {"ledger.sqlite", "summary.json", "failures.jsonl"}


@posix
@pytest.mark.parametrize("form", [[], ["--zip"]])
def test_killed(form: list[str]) -> None:
    """Killed in the middle, it leaves whole files; the next run does the rest, and no worker is left."""
    every = games(1000)
    with process("games.zip", "-o", "out", "-j", "2", *form) as running:
        there = Path("out.batch/.staging" if form else "out/2019/04")
        wait_until(lambda: there.is_dir() and len(list(there.iterdir())) > (1 if form else 60))
        workers = children(running)
        running.kill()
        running.wait()
        for pipe in (running.stdout, running.stderr):
            assert pipe is not None
            pipe.close()
    wait_until(lambda: not any(alive(pid) for pid in workers))
    if form:
        assert not Path("out").exists()
    else:
        found = {name: content for name, content in outputs().items() if not name.startswith((".", "ledger"))}
        assert 0 < len(found) < 1000
        assert found.items() <= every.items()
    batch("games.zip", "-o", "out", *form, "--no-verify")
    assert outputs() == every
    assert not summary("out.batch" if form else "out")["failed"]
    if form:
        batch("games.zip", "-o", "whole", "--zip", "--no-verify")
        assert Path("out").read_bytes() == Path("whole").read_bytes()


def children(running: subprocess.Popen[bytes]) -> list[str]:
    """Return the ids of the processes that *running* has started, where the system tells them."""
    listed = Path(f"/proc/{running.pid}/task/{running.pid}/children")
    return listed.read_text(encoding="ascii").split() if listed.exists() else []


def alive(pid: str) -> bool:
    """Return whether the process *pid* still runs."""
    try:
        return Path(f"/proc/{pid}/stat").read_text(encoding="ascii").split()[2] != "Z"
    except OSError:
        return False


@posix
def test_interrupted() -> None:
    """Ctrl-C ends a run cleanly: what is begun is done, and the summary is there."""
    every = games(1000)
    with process("games.zip", "-o", "out", "-j", "2") as running:
        wait_until(lambda: Path("out/2019/04").is_dir())
        os.killpg(running.pid, signal.SIGINT)
        _, said = running.communicate()
    assert running.returncode == 130, said
    lines = said.decode().splitlines()
    assert lines[0] == "jmjp: finishing what is begun; Ctrl-C again stops at once"
    assert "already there" in lines[1]
    assert lines[-1] == "jmjp: interrupted: run it again to go on"
    found = summary()
    assert found["interrupted"] is True
    assert outputs().items() <= every.items()
    assert len(outputs()) == found["converted"]


@posix
@heard
@pytest.mark.parametrize("name", ["SIGTERM", pytest.param("SIGHUP", marks=pytest.mark.long)])
def test_ended_by_signals(name: str) -> None:
    """Other signals that end a program end a run as Ctrl-C does, even twice: what is done is not done again."""
    games(1000)
    number = getattr(signal, name)
    with process("games.zip", "-o", "out", "-j", "2") as running:
        wait_until(lambda: Path("out/2019/04").is_dir())
        for _ in range(2):
            os.killpg(running.pid, number)
            time.sleep(0.02)
        _, said = running.communicate(timeout=20)
    assert running.returncode == 128 + number, said
    assert said.decode().splitlines()[-1] == "jmjp: interrupted: run it again to go on"
    found = summary()
    assert found["interrupted"] is True
    assert len(outputs()) == found["converted"]
    batch("games.zip", "-o", "out", "--no-verify")
    assert summary()["already_there"] == found["converted"]


@posix
def test_interrupted_again() -> None:
    """A second Ctrl-C ends it at once, and a third one changes nothing: no worker is left, and the next run goes on."""
    every = games(1000)
    with process("games.zip", "-o", "out", "-j", "2") as running:
        wait_until(lambda: Path("out/2019/04").is_dir())
        workers = children(running)
        for _ in range(3):
            os.killpg(running.pid, signal.SIGINT)
            time.sleep(0.05)
        _, said = running.communicate(timeout=20)
    assert running.returncode in ENDED, said
    assert said.decode().splitlines() == [
        "jmjp: finishing what is begun; Ctrl-C again stops at once",
        "jmjp: interrupted",
    ]
    wait_until(lambda: not any(alive(pid) for pid in workers))
    batch("games.zip", "-o", "out", "--no-verify")
    assert outputs() == every


@posix
def test_interrupted_early() -> None:
    """Ctrl-C while the workers are starting is nothing to them."""
    games(300)
    with process("games.zip", "-o", "out", "-j", "2") as running:
        wait_until(lambda: len(children(running)) > 1)
        for _ in range(2):
            os.killpg(running.pid, signal.SIGINT)
            time.sleep(0.1)
        _, said = running.communicate(timeout=20)
    assert running.returncode in ENDED, said
    assert b"Traceback" not in said


def test_processes() -> None:
    """In processes, the result is the same."""
    every = games(300)
    with process("games.zip", "-o", "out") as running:
        _, said = running.communicate()
    assert running.returncode == 0, said
    assert outputs() == every


# --- what may go wrong -----------------------------------------------------------------------------------------------


def test_two_at_once() -> None:
    """A second run into the same output is refused, and changes nothing."""
    games(3)
    batch("games.zip", "-o", "out")
    with closing(sqlite3.connect("out/ledger.sqlite", isolation_level=None)) as other:
        other.execute("PRAGMA locking_mode = EXCLUSIVE")
        other.execute("BEGIN EXCLUSIVE")
        for more in ([], ["--force"], ["--dry-run"]):
            assert "another batch is running into this output" in batch("games.zip", "-o", "out", *more, code=1).stderr
    assert len(outputs()) == 3


@pytest.mark.parametrize("form", [[], ["--zip"]])
def test_full_disk(form: list[str], monkeypatch: pytest.MonkeyPatch) -> None:
    """A full disk ends the run, which says so; with room again, the next one does the rest."""
    every = games(400)
    left = 150 if not form else 3

    def full(path: str, content: bytes) -> None:
        nonlocal left
        left -= 1
        if left < 0:
            raise OSError(errno.ENOSPC, "No space left on device")
        Path(path).write_bytes(content)

    with monkeypatch.context() as patch:
        patch.setattr(work, "_create", full)
        result = batch("games.zip", "-o", "out", *form, code=1)
    stopped = f"{Path.cwd() / 'out'}: no space left on device"
    assert f"jmjp: stopped: {stopped}; run it again to go on\n" in result.stderr
    found = summary("out.batch" if form else "out")
    assert found["failed"] == {}
    assert found["stopped"] == stopped
    batch("games.zip", "-o", "out", *form)
    assert outputs() == every


def test_full_disk_while_writing(monkeypatch: pytest.MonkeyPatch) -> None:
    """A file that cannot be written whole is not left behind."""
    games(3)

    def full(*_: object) -> int:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    monkeypatch.setattr(os, "write", full)
    assert "no space left on device" in batch("games.zip", "-o", "out", code=1).stderr
    assert outputs() == {}


@posix
def test_full_disk_at_the_beginning() -> None:
    """A ledger that cannot be written ends the run in the same way."""
    games(3)
    limited = "import resource, sys; resource.setrlimit(resource.RLIMIT_FSIZE, (20_480, 20_480)); sys.argv[0] = 'jmjp'"
    code = f"{limited}; from jmjp_convert.cli import main; main(sys.argv[1:])"
    done = subprocess.run(
        [sys.executable, "-c", code, "batch", "games.zip", "-o", "out"], capture_output=True, check=False
    )
    assert done.returncode == 1
    stopped, *_ = done.stderr.decode().splitlines()
    assert stopped == f"jmjp: stopped: {Path.cwd() / 'out' / 'ledger.sqlite'}: disk I/O error; run it again to go on"


def test_ledger_that_is_none() -> None:
    """A ledger that is broken is told."""
    games(3)
    Path("out").mkdir()
    Path("out/ledger.sqlite").write_bytes(b"hello" * 1000)
    assert "file is not a database" in batch("games.zip", "-o", "out", code=1).stderr


# --- other formats ---------------------------------------------------------------------------------------------------


def test_to() -> None:
    """Archives become other formats too, from mjlog and from jmjp; three players where the format has room."""
    zipped({f"{game(1)}.xml": named(1), f"{game(2)}.jmjp": expected(named(2), ""), "x": SANMA}, Path("a.zip"))
    batch("a.zip", "-o", "out", "--to", "tenhou6")
    assert summary() == counted(converted=3)
    found = outputs()
    assert {name.rsplit(".", 1)[1] for name in found} == {"json"}
    assert (
        found[f"2019/04/{game(1)}.tenhou6.json"]
        == (write_tenhou6(read_mjlog(named(1), file_name=game(1))) + "\n").encode()
    )
    batch("a.zip", "-o", "out", "--to", "tenhou6")
    assert summary() == counted(already_there=3)
    assert "was made with other options" in batch("a.zip", "-o", "out", "--to", "tenhou6", "--url", code=2).stderr
    batch("a.zip", "-o", "mjai", "--to", "mjai")
    assert summary("mjai") == counted(converted=2, skipped={"three players": 1})
    batch("a.zip", "-o", "jmjp")
    assert summary("jmjp") == counted(converted=1, skipped={"three players": 1, "jmjp already": 1})


def test_to_one_frame() -> None:
    """A frame of each game is written for Riichi Advanced; a game without it is passed over."""
    zipped({f"{game(number)}.xml": named(number) for number in range(2)}, Path("a.zip"))
    batch("a.zip", "-o", "out", "--to", "riichi-advanced", "--frame", "E1-0")
    assert outputs().keys() == {f"2019/04/{game(number)}.E1-0.json" for number in range(2)}
    batch("a.zip", "-o", "other", "--to", "riichi-advanced", "--frame", "N4-0")
    assert summary("other") == counted(skipped={"no frame N4-0": 2})


def test_from_texts() -> None:
    """Jmjp and JSON are converted too; several games in one file go where there is room; what is broken has its
    place."""
    both = write_json([read_mjlog(named(1)), read_mjlog(named(2))]).encode()
    lines = write_json(read_mjlog(named(1))).splitlines()
    wrong = "\n".join([*lines[:2], lines[2].replace(lines[3].split(":")[-1], "999}"), *lines[3:]])
    members = {"both.jsonl": both, "wrong.jsonl": wrong.encode(), "other.json": b'{"a": 1}', "x": b"jmjp[1.0]("}
    zipped(members, Path("a.zip"))
    batch("a.zip", "-o", "out", code=1)
    assert summary() == counted(converted=1, failed={"json": 1, "not-a-log": 1}, skipped={"jmjp already": 1})
    assert [(one["member"], one["kind"], one["line"]) for one in failures()] == [
        ("wrong.jsonl", "json", 3),
        ("other.json", "not-a-log", None),
    ]
    batch("a.zip", "-o", "json", "--to", "json", code=1)
    assert summary("json") == counted(failed={"jmjp": 1, "not-a-log": 1}, skipped={"json already": 2})
    assert [(one["member"], one["line"], one["column"]) for one in failures("json")][1] == ("x", 1, 11)
    batch("a.zip", "-o", "majiang", "--to", "majiang", code=1)
    assert {one["member"]: one["kind"] for one in failures("majiang")}["both.jsonl"] == "output"


def test_from_the_same_format() -> None:
    """Jmjp goes from one dialect to another, or into one line, as with `jmjp convert`; as it usually is, it is there
    already."""
    match = read_mjlog(named(1), file_name=game(1))
    zipped({f"{game(1)}.jmjp": write_jmjp(match).encode()}, Path("a.zip"))
    batch("a.zip", "-o", "usual")
    assert summary("usual") == counted(skipped={"jmjp already": 1})
    for home, options in {"old": ["--spec", "0"], "short": ["--compact"]}.items():
        batch("a.zip", "-o", home, *options)
        assert summary(home) == counted(converted=1)
    assert outputs("short") == {f"2019/04/{game(1)}.jmjp": write_jmjp(match, compact=True).encode()}
    assert outputs("old").keys() == outputs("short").keys()


def test_losses() -> None:
    """A batch tells the same as a conversion of what is left out, once for all games."""
    zipped({f"{game(number)}.xml": named(number) for number in range(3)}, Path("a.zip"))
    lines = batch("a.zip", "-o", "out", "--to", "mjai").stderr.splitlines()
    losses = Losses("mjai")
    losses.add(*written([read_mjlog(named(0), file_name=game(0))], Writing("mjai"), print).lost)
    assert lines[: -len(Summary().lines()) - 1] == [f"jmjp: {line}" for line in losses.lines()]
    assert batch("a.zip", "-o", "quiet", "--to", "mjai", "-q").stderr == ""


# --- for people ------------------------------------------------------------------------------------------------------


class Terminal(io.StringIO):
    """A stderr that is a terminal."""

    def isatty(self) -> bool:
        """Say so."""
        return True


@pytest.mark.parametrize(("options", "shown"), [([], True), (["--no-progress"], False), (["-q"], False)])
def test_progress(options: list[str], *, shown: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    """On a terminal, a bar shows count, rate, time left and failures."""
    zipped({f"{game(number)}": named(number) for number in range(9)} | {"x": b"x"}, Path("a.zip"))
    terminal = Terminal()
    monkeypatch.setattr(sys, "stderr", terminal)
    main(["batch", "a.zip", "-o", "out", "-v", *options], standalone_mode=False)
    said = terminal.getvalue()
    assert ("/10 [" in said) is shown
    assert ("games/s" in said) is shown
