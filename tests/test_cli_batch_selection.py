"""`jmjp batch`: the choice of inputs, and usage errors."""

from __future__ import annotations

import zipfile
from collections.abc import Callable
from pathlib import Path

import pytest
from batching import (
    batch,
    counted,
    games,
    outputs,
    summary,
    work_there,  # noqa: F401 - pytest finds it by its name
)
from packing import LIST, OTHER, PLAIN, SANMA, game, named, packed, tarred, zipped

from jmjp_convert.cli import running as command
from jmjp_convert.cli.console import Bar

SCRAMBLED, UNSCRAMBLED = "2012090306gm-0089-0000-x666f4d41e26b", "2012090306gm-0089-0000-dc81a77a"


def test_dates() -> None:
    """Dates are taken from the IDs; logs without one are skipped if dates are given."""
    for day in ("20190417", "20190418", "20190419"):
        Path(f"{game(1, day)}.xml").write_bytes(PLAIN)
    Path("a.xml").write_bytes(PLAIN)
    batch(".", "-o", "out", "--since", "2019-04-18", "--until", "20190418")
    assert list(outputs()) == [f"2019/04/{game(1)}.jmjp"]
    skipped = {"before --since": 1, "after --until": 1, "no date in its name": 1}
    assert summary() == counted(converted=1, skipped=skipped)
    assert "is not a date" in batch(".", "-o", "out", "--since", "2019-02-30", code=2).stderr
    assert "is not a date" in batch(".", "-o", "out", "--until", "2019-13", code=2).stderr


def test_dates_of_broken_sources() -> None:
    """A broken archive or missing source fails whatever dates are given: it may hold games of any date."""
    Path("cut.zip").write_bytes(zipped({"a.xml": PLAIN})[:-30])
    batch("cut.zip", "missing.zip", "-o", "out", "--since", "2019", code=1)
    assert summary() == counted(failed={"archive": 1, "file": 1})


@pytest.mark.parametrize(
    ("since", "until", "taken"),
    [("2019", "2019", "bcd"), ("2019-04", "201904", "bc"), ("2019-04-18", "2019", "cd"), ("2018", "2019-04-01", "ab")],
)
def test_months(since: str, until: str, taken: str) -> None:
    """A month or year includes all of its days."""
    days = {"a": "20181231", "b": "20190401", "c": "20190430", "d": "20191231", "e": "20200101"}
    for day in days.values():
        Path(f"{game(1, day)}.xml").write_bytes(PLAIN)
    batch(".", "-o", "out", "--since", since, "--until", until, "--no-verify")
    assert {name[-len(game(1)) - 5 :][:8] for name in outputs()} == {days[letter] for letter in taken}


def test_players() -> None:
    """Logs whose IDs show another number of players are not even read."""
    for rules in ("00a9", "00b9"):
        Path(f"2019041809gm-{rules}-0000-00000001.xml").write_bytes(b"unread")
    for players, other in (("4", "three players"), ("3", "four players")):
        batch(".", "-o", "out", "--players", players, code=1)
        assert summary() == counted(skipped={other: 1}, failed={"not-a-log": 1})


@pytest.mark.parametrize("source", ["games.zip", "folder"])
@pytest.mark.parametrize("given", [False, True])
def test_ids(source: str, *, given: bool) -> None:
    """`--ids` chooses the logs with the IDs in a file or on stdin, from archives too; the rest is not read."""
    every = games(6)
    with zipfile.ZipFile("games.zip") as archive:
        archive.extractall("folder")
    wanted = sorted(every)[1::3]
    listed = "".join(f"http://tenhou.net/0/?log={Path(name).stem}&tw=1\n\n" for name in wanted).encode()
    Path("ids.txt").write_bytes(listed)
    done = batch(source, "-o", "out", "--ids", "-" if given else "ids.txt", given=listed if given else b"")
    assert done.stderr.splitlines()[0].endswith("2 converted, 0 already there, 4 skipped (4 not in --ids), 0 failed")
    assert outputs() == {name: every[name] for name in wanted}


def test_ids_scrambled() -> None:
    """An ID is found however its last part is written, and in any case."""
    Path(f"{UNSCRAMBLED}.xml").write_bytes(PLAIN)
    Path("ids.txt").write_text(f"{SCRAMBLED.upper()}\n")
    Path("a.xml").write_bytes(PLAIN)
    batch(".", "-o", "out", "--ids", "ids.txt")
    assert list(outputs()) == [f"2012/09/{UNSCRAMBLED}.jmjp"]


@pytest.mark.parametrize("dry", [False, True])
def test_missing_ids(*, dry: bool) -> None:
    """IDs that no input has are reported, and the exit code is 1; with `--limit`, not all inputs are seen."""
    games(2)
    Path("ids.txt").write_text("".join(f"{game(number)}\n" for number in (1, 7, 8, 9, 10)))
    options = ["--dry-run"] if dry else []
    lines = batch("games.zip", "-o", "out", "--ids", "ids.txt", *options, code=1).stderr.splitlines()
    assert f"jmjp: ids.txt: 4 of 5 log IDs not found: {game(7)}, {game(8)}, {game(9)}, …" in lines
    assert "not found" not in batch("games.zip", "-o", "out", "--ids", "ids.txt", "--limit", "1", *options).stderr


@pytest.mark.parametrize(
    ("content", "line"),
    [
        (f"{game(1)}\nmatch_id\n".encode(), "ids.txt: line 2: no log ID in 'match_id'"),
        (b"\xff" * 99, f"ids.txt: line 1: no log ID in '{chr(0xFFFD) * 40}'"),
        (zipped({"a.xml": PLAIN}), "ids.txt: is a zip archive, not a list of log IDs"),
        (b"SQLite format 3\0", "ids.txt: is an SQLite database, not a list of log IDs"),
        (None, "ids.txt: no such file or directory"),
    ],
)
def test_wrong_ids(content: bytes | None, line: str) -> None:
    """A list of IDs that cannot be read, or has a line without an ID, ends the run before it begins."""
    games(2)
    if content is not None:
        Path("ids.txt").write_bytes(content)
    assert batch("games.zip", "-o", "out", "--ids", "ids.txt", code=1).stderr == f"jmjp: {line}\n"
    assert not Path("out").exists()


def test_directory_of_ids() -> None:
    """A directory is not a list of IDs."""
    games(1)
    Path("ids").mkdir()
    done = batch("games.zip", "-o", "out", "--ids", "ids", code=1)
    assert done.stderr == "jmjp: ids: is a directory, not a list of log IDs\n"


@pytest.mark.parametrize("encoding", ["utf-8-sig", "utf-16"])
def test_ids_from_powershell(encoding: str) -> None:
    """A list of IDs may be in any encoding that PowerShell writes."""
    every = games(3)
    Path("ids.txt").write_text(f"{game(1)}\n", encoding=encoding)
    batch("games.zip", "-o", "out", "--ids", "ids.txt")
    assert list(outputs().values()) == [text for name, text in every.items() if game(1) in name]


def test_stdin_twice() -> None:
    """The sources and the IDs cannot both come from stdin."""
    assert "stdin (-) can be read only once" in batch("-", "-o", "out", "--ids", "-", code=2).stderr


def test_limit() -> None:
    """`--limit` takes the first logs, whether they have been converted or not."""
    every = games(10)
    for run in (counted(converted=3), counted(already_there=3)):
        batch("games.zip", "-o", "out", "--limit", "3")
        assert outputs() == dict(list(every.items())[:3])
        assert summary() == run


def test_sample() -> None:
    """`--sample` takes a deterministic sample, however the logs are packed."""
    every = games(200)
    with zipfile.ZipFile("games.zip") as archive:
        archive.extractall("folder")
    batch("games.zip", "-o", "out", "--sample", "10")
    batch("-", "-o", "other", "--sample", "10", given=b"folder\n")
    assert outputs() == outputs("other")
    assert len(outputs()) == 10
    assert list(outputs()) != list(every)[:10]


def test_dry_run() -> None:
    """`--dry-run` only counts and writes nothing."""
    games(5)
    Path("2019041809gm-00b9-0000-00000001.xml").write_bytes(SANMA)
    result = batch(".", "-o", "out", "--dry-run", "--players", "4")
    assert result.stderr == "jmjp: 5 to convert, 0 already there, 1 skipped (1 three-player game), 0 failed\n"
    assert not Path("out").exists()
    batch(".", "-o", "out", "--limit", "2")
    before = Path("out/ledger.sqlite").read_bytes()
    result = batch("games.zip", "-o", "out", "--dry-run")
    assert result.stderr == "jmjp: 4 to convert, 1 already there, 0 skipped, 0 failed\n"
    assert Path("out/ledger.sqlite").read_bytes() == before
    result = batch("none", "no", "games.zip", "-o", "out", "--dry-run", code=1)
    assert result.stderr.splitlines() == [
        "jmjp: none: no such file or directory",
        "jmjp: no: no such file or directory",
        "jmjp: 4 to convert, 1 already there, 0 skipped, 2 failed (2 unreadable files)",
    ]


def test_dry_run_counts_as_a_run() -> None:
    """`--dry-run` counts copies, and what a run would find out by reading a file without an ID, as the run does."""
    first, second, other = game(1), game(2), game(3)
    Path("a").mkdir()
    members = {f"{first}.xml": packed(PLAIN), f"{second}.xml": named(2), "x/unnamed.xml": OTHER}
    zipped(members, Path("a/a.zip"))
    tarred(members, Path("a/b.tar"))
    Path(f"a/{first}&tw=1.mjlog").write_bytes(PLAIN)  # the same content, decompressed
    Path(f"a/{second}.xml").write_bytes(named(20))  # another game with that ID
    Path(f"a/{other}.gz").write_bytes(b"\x1f\x8b")  # broken, which only a run finds out
    for name, content in {"z.xml": OTHER, "y.jmjp": b"jmjp[1.0]", "x.bin": b"?", "w.xml": SANMA}.items():
        Path("a", name).write_bytes(content)
    dry = batch("a", "-o", "out", "--dry-run", code=1).stderr
    kinds = "5 duplicates, 1 already jmjp, 1 three-player game"
    counts = f"5 to convert, 0 already there, 7 skipped ({kinds}), 1 failed (1 file that is not a log)"
    assert dry.splitlines()[1:] == [f"jmjp: {counts}"]
    batch("a", "-o", "out", code=1)
    skipped = {"duplicates": 5, "jmjp already": 1, "three players": 1}
    assert summary() == counted(converted=4, renamed=1, skipped=skipped, failed={"file": 1, "not-a-log": 1})
    Path("b").mkdir()
    Path(f"b/{first}.xml").write_bytes(PLAIN)
    Path(f"b/{second}.xml").write_bytes(named(200))
    dry = batch("a", "b", "-o", "out", "--dry-run", code=1).stderr
    assert dry.splitlines()[1].startswith("jmjp: 2 to convert, 4 already there, 8 skipped (6 duplicates, ")
    batch("a", "b", "-o", "out", code=1)
    skipped["duplicates"] = 6
    found = counted(converted=1, renamed=1, already_there=4, skipped=skipped, failed={"file": 1, "not-a-log": 1})
    assert summary() == found


def test_without_game_records() -> None:
    """A source without game records is reported in one line; a run without any fails."""
    Path("empty").mkdir()
    Path("rest").mkdir()
    Path("rest/README").write_bytes(b"x")
    Path("rest/list.html").write_bytes(LIST)
    zipped({}, Path("e.zip"))
    games(1)
    said = [f"jmjp: {name}: no game records found" for name in ("empty", "rest", "e.zip")]
    for name in ("empty", "e.zip", "rest"):
        for more in ([], ["--dry-run"], ["-q"]):
            assert f"jmjp: {name}: no game records found" in batch(name, "-o", "out", *more, code=1).stderr.splitlines()
    assert batch("empty", "-o", "out", "-q", code=1).stderr == f"{said[0]}\n"
    for _ in range(2):
        result = batch("empty", "rest", "games.zip", "e.zip", "-o", "out")
        assert result.stderr.splitlines()[-3:] == said
    batch("-", "-o", "out", given=b"")  # a list may well be empty
    assert "no game" not in batch("games.zip", "-o", "out", "--limit", "1").stderr
    assert "no game" not in batch("games.zip", "-o", "new", "--since", "2050").stderr


@pytest.mark.parametrize(
    ("args", "total"),
    [
        ([], 12),
        (["--limit", "3"], 3),
        (["--sample", "5"], 5),
        (["--sample", "5", "--limit", "4"], 4),
        (["--since", "2019-04-19"], 12),
        (["--since", "2019-04-19", "--limit", "2"], 2),
    ],
)
def test_total_of_the_bar(args: list[str], total: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """The progress bar counts to the number of games that are chosen, whatever is passed over on the way."""
    members = {f"{game(number, f'201904{18 + number % 3}')}.xml": named(number) for number in range(10)}
    zipped({"README": b"", "LICENSE": b"", **members}, Path("a.zip"))
    shown: list[Bar] = []

    class Shown(Bar):
        def __init__(self, total: Callable[[], int | None], unit: str, *, wanted: bool) -> None:
            super().__init__(total, unit, wanted=wanted)
            self.total, self.done = total(), 0
            shown.append(self)

        def advance(self, number: int, remark: str) -> None:
            super().advance(number, remark)
            self.done += number

    monkeypatch.setattr(command, "Bar", Shown)
    batch("a.zip", "-o", "out", *args)
    (bar,) = shown
    assert isinstance(bar, Shown)
    assert (bar.total, bar.done) == (total, total)


@pytest.mark.parametrize(
    ("args", "message"),
    [
        (["a"], "Missing option '-o'"),
        (["", "-o", "out"], "empty file name"),
        (["-", "-", "-o", "out"], "only once"),
        (["a", "-o", "out", "--jobs", "0"], "--jobs"),
        (["a", "-o", "out", "--jobs", "2", "--dask", "tcp://x"], "use --jobs or --dask, not both"),
        (["a", "-o", "out", "--sample", "0"], "--sample"),
        (["a", "-o", "out", "--since", "2020-01-01", "--until", "2019-01-01"], "--since is after --until"),
        (["a", "-o", "out", "--since", "2020-05", "--until", "2020-04-30"], "--since is after --until"),
        (["a", "-o", "out", "--since", "2020-04-30", "--until", "2019"], "--since is after --until"),
        (["a", "-o", "-"], "batch cannot write to stdout (-); --output must name a directory, or a zip with --zip"),
        (["a", "-o", "-", "--zip"], "cannot write to stdout (-)"),
        (["a", "-o", "out.ZIP"], "out.ZIP looks like a zip; use --zip to write one, or out.ZIP/ for a directory"),
    ],
)
def test_usage(args: list[str], message: str) -> None:
    """A usage error is reported with exit code 2, and nothing is created."""
    Path("a").touch()
    assert message in batch(*args, code=2).stderr
    assert [path.name for path in Path().iterdir()] == ["a"]


def test_no_source_exists() -> None:
    """If no source exists, that is reported, and nothing is created."""
    assert batch("none", "-o", "out", code=1).stderr == "jmjp: none: no such file or directory\n"
    result = batch("none", "nor/this", "-o", "out", code=1)
    assert result.stderr == "jmjp: none: no such file or directory, nor/this: no such file or directory\n"
    assert list(Path().iterdir()) == []


def test_directory_like_a_zip() -> None:
    """A trailing slash means a directory, whatever its name."""
    games(1)
    batch("games.zip", "-o", "out.zip/")
    batch("games.zip", "-o", "out.zip")
    assert summary("out.zip") == counted(already_there=1)


def test_output_of_another_kind() -> None:
    """A file is not accepted as the output directory, nor a directory as the output zip."""
    games(1)
    Path("dir").mkdir()
    Path("file").touch()
    assert "is a file, not a directory" in batch("games.zip", "-o", "file", code=1).stderr
    assert "is a directory, not a zip" in batch("games.zip", "-o", "dir", "--zip", code=1).stderr
    zipped({}, Path("other.zip"))
    assert "exists and is not from this batch" in batch("games.zip", "-o", "other.zip", "--zip", code=1).stderr
