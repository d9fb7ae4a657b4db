"""`jmjp batch`: the outputs of archives."""

from __future__ import annotations

import io
import os
import sys
from hashlib import sha256
from pathlib import Path

import pytest
from batching import (
    batch,
    counted,
    expected,
    failures,
    games,
    outputs,
    same_ids,
    summary,
    work_there,  # noqa: F401 - pytest finds it by its name
)
from packing import BROKEN, HOUOU_2, LIST, OTHER, PHOENIX, PLAIN, SANMA, database, game, named, packed, tarred, zipped

from jmjp_convert.api import loss_lines
from jmjp_convert.batch.summary import Summary
from jmjp_convert.cli import main
from jmjp_convert.convert import Writing, written
from jmjp_convert.formats.jmjp.writer import write_jmjp
from jmjp_convert.formats.json.writer import write_json
from jmjp_convert.formats.mjlog.reader import read_mjlog
from jmjp_convert.formats.tenhou6.writer import write_tenhou6

# --- outputs ----------------------------------------------------------------------------------------------------------


def test_mixture() -> None:
    """Sources of every kind, in any mix, become one directory sorted by year and month."""
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
    assert " per second, " in second


@pytest.mark.parametrize(
    ("seconds", "line"),
    [
        (2, "1 game per second, 2.0 seconds"),
        (4, "0 games per second, 4.0 seconds"),
        (1, "2 games per second, 1.0 seconds"),
    ],
)
def test_speed(seconds: float, line: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """The speed is a whole number of games per second."""
    done = Summary()
    done.converted = 2
    monkeypatch.setattr(Summary, "seconds", seconds)
    assert done.lines()[-1] == line


def test_unknown_ids() -> None:
    """A game without an ID is named after its content, and only the first of several equal ones counts."""
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
    """The output options are those of `jmjp convert`."""
    name = f"{game(1)}.xml"
    Path(name).write_bytes(PLAIN)
    result = batch(name, "-o", "out", "--spec", "0", "--compact", "--no-verify", "-q")
    assert outputs() == {f"2019/04/{game(1)}.jmjp": expected(PLAIN, name, spec="0", compact=True)}
    assert result.stderr == ""
    strange = PLAIN.replace(b"<TAIKYOKU", b"<CHAT/><TAIKYOKU")
    Path("s.zip").write_bytes(zipped({f"{game(2)}": strange, f"{game(3)}": strange}))
    result = batch("s.zip", "-o", "other")
    assert result.stderr.count("unknown element <CHAT> ignored") == 1
    assert batch("s.zip", "-o", "other2", "-v").stderr.count("unknown element <CHAT> ignored") == 2
    batch("s.zip", "-o", "strict", "--strict", code=1)
    batch("s.zip", "-o", "small", "--max-size", "100", code=1)
    assert summary("strict") == counted(failed={"mjlog": 2})
    assert summary("small") == counted(failed={"file": 2})


def test_different_options() -> None:
    """Outputs made with other options are not mixed."""
    games(2)
    batch("games.zip", "-o", "out")
    result = batch("games.zip", "-o", "out", "--compact", code=2)
    assert "out was made with other options (no --compact); choose another --output or use --force" in result.stderr
    batch("games.zip", "-o", "out", "--compact", "--force")
    result = batch("games.zip", "-o", "out", "--spec", "0", code=2)
    assert "was made with other options (--spec 1.0, --compact); choose" in result.stderr
    result = batch("games.zip", "-o", "out", "--to", "tenhou6", "--per-frame", code=2)
    assert "was made with other options (--to jmjp, --compact, no --per-frame); choose" in result.stderr
    assert all(content.count(b"\n") == 1 for content in outputs().values())
    assert summary() == counted(converted=2)


def test_wall(seeded_log: str) -> None:
    """`--wall` fills in the dora from the wall; outputs made with and without it are not mixed."""
    name = f"{game(1)}.xml"
    Path(name).write_text(seeded_log, encoding="utf-8")
    batch(name, "-o", "out")
    assert [b"uk" in content for content in outputs().values()] == [True]
    assert "made with other options" in batch(name, "-o", "out", "--wall", code=2).stderr
    batch(name, "-o", "out", "--wall", "--force")
    assert [b"uk" in content for content in outputs().values()] == [False]


def test_failures() -> None:
    """One bad log does not stop the rest; each is listed with its location, and three players are not a failure."""
    members = {f"{game(1)}.xml": BROKEN, f"{game(2)}.xml": PLAIN, "sanma.xml": SANMA, "cut.gz": packed(PLAIN)[:99]}
    members |= {
        "x": b"hello",
        "page": b"<html></html>",
        "empty": b"",
        "other.xml": b"<rss/>",
        "short": b"<mjloggm>",
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
        failed={"play": 1, "not-a-log": 4, "mjlog": 1, "archive": 1, "file": 2},
    )
    skipped = "4 skipped (1 list of games, 1 system file, 1 already jmjp, 1 three-player game)"
    kinds = "1 unreadable archive, 2 unreadable files, 1 mjlog error, 4 files that are not logs, 1 impossible play"
    assert f"jmjp: 1 converted, 0 already there, {skipped}, 9 failed ({kinds})\n" in result.stderr
    first, *others = failures()
    assert first == {
        "source": "a.zip",
        "member": f"{game(1)}.xml",
        "log_id": game(1),
        "kind": "play",
        "message": "East (Kaede) does not hold tile 4 (2m)",
        "frame": "E1-0",
        "element": "<D4>",
        "number": 6,
        "line": None,
        "column": None,
        "pointer": None,
    }
    assert [(failure["member"], failure["kind"]) for failure in others] == [
        ("cut.gz", "file"),
        ("x", "not-a-log"),
        ("page", "not-a-log"),
        ("empty", "not-a-log"),
        ("other.xml", "not-a-log"),
        ("short", "mjlog"),
        ("in.zip", "archive"),
        (None, "file"),
    ]
    assert others[-2]["message"] == "archive inside an archive; unpack it first"
    assert others[-1]["message"] == "no such file or directory"
    assert result.stderr.endswith(f"see {Path('out/failures.jsonl')} for what failed\n")
    said = batch("a.zip", "-o", "out", "-v", code=1).stderr
    assert f"a.zip: {game(1)}.xml: frame E1-0, element 6 <D4>: East (Kaede) does not hold tile 4 (2m)" in said


def test_names_outside_the_output() -> None:
    """No name in an archive leads to a file outside the output."""
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
    """The files that a batch keeps next to its outputs are skipped in a source, even if it was killed."""
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
    """A source is neither written into nor overwritten, and nothing is created."""
    games(2, "in/in.zip")
    before = Path("in/in.zip").read_bytes()
    assert "in/ is also a source" in batch("in", "-o", "./in/", code=2).stderr
    assert (
        "in/in.zip is also a source"
        in batch("other", "in/in.zip", "-o", "in/in.zip", "--zip", "--force", code=2).stderr
    )
    assert [path.name for path in Path("in").iterdir()] == ["in.zip"]
    assert Path("in/in.zip").read_bytes() == before
    Path("in/out").mkdir()
    Path("in/in.zip").replace("in/out/in.zip")
    batch("in/out/in.zip", "-o", "in/out")
    assert summary("in/out") == counted(converted=2)


# --- repeated IDs -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("items", [1, 2, 64])
@pytest.mark.parametrize("form", ["", "--zip"])
def test_same_ids(items: int, form: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Equal contents count once; of different ones, the first gets the name, and the rest get longer ones."""
    monkeypatch.setattr("jmjp_convert.batch.run._ITEMS", items)
    every = same_ids()
    result = batch("1", "2", "3", "4", "-o", "out", *filter(None, [form]), "-j", "3", "-v", code=1)
    assert outputs() == every
    home = "out.batch" if form else "out"
    assert summary(home) == counted(converted=4, renamed=2, skipped={"duplicates": 3}, failed={"play": 1})
    assert result.stderr.count("another game has this log ID; written as 2019/04/") == 2
    batch("1", "2", "3", "4", "-o", "out", *filter(None, [form]), code=1)
    assert outputs() == every
    assert summary(home) == counted(already_there=4, skipped={"duplicates": 3}, failed={"play": 1})


def test_same_ids_in_another_run() -> None:
    """Outputs of earlier runs count as the first."""
    every = same_ids()
    for source, run in {
        "1": counted(converted=1, failed={"play": 1}),
        "2": counted(converted=2, renamed=1, skipped={"duplicates": 1}),
        "3": counted(converted=1, renamed=1, skipped={"duplicates": 1}),
        "4": counted(skipped={"duplicates": 1}),
    }.items():
        batch(source, "-o", "out", code=1 if source == "1" else 0)
        assert summary() == run
    assert outputs() == every


def test_copies_in_another_run() -> None:
    """A game whose source was touched is there already; its copies in other sources are duplicates in every run."""
    for name in ("a", "b"):
        Path(name).mkdir()
        Path(name, f"{game(1)}.xml").write_bytes(named(1))
    batch("a", "-o", "out")
    os.utime(Path("a", f"{game(1)}.xml"), (1, 1))
    for _ in range(2):
        batch("a", "-o", "out")
        assert summary() == counted(already_there=1)
        batch("a", "b", "-o", "out")
        assert summary() == counted(already_there=1, skipped={"duplicates": 1})


# --- other formats ----------------------------------------------------------------------------------------------------


def test_to() -> None:
    """Archives of mjlog and jmjp become other formats too, three-player games only where the format allows them."""
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
    batch("a.zip", "-o", "majiang", "--to", "majiang")
    assert summary("majiang") == counted(converted=2, skipped={"three players": 1})
    batch("a.zip", "-o", "jmjp")
    assert summary("jmjp") == counted(converted=1, skipped={"three players": 1, "jmjp already": 1})


def test_to_one_frame() -> None:
    """One frame of each game is written for Riichi Advanced; a game without it is skipped."""
    zipped({f"{game(number)}.xml": named(number) for number in range(2)}, Path("a.zip"))
    batch("a.zip", "-o", "out", "--to", "riichi-advanced", "--frame", "E1-0")
    assert outputs().keys() == {f"2019/04/{game(number)}.E1-0.json" for number in range(2)}
    batch("a.zip", "-o", "other", "--to", "riichi-advanced", "--frame", "N4-0")
    assert summary("other") == counted(skipped={"no frame N4-0": 2})


def test_from_texts() -> None:
    """Jmjp and JSON are converted too; several games in one file work where the format allows it; broken files have a
    location."""
    both = write_json([read_mjlog(named(1)), read_mjlog(named(2))]).encode()
    lines = write_json(read_mjlog(named(1))).splitlines()
    wrong = "\n".join([*lines[:2], lines[2].replace(lines[2].split(":")[-1], "999}"), *lines[3:]])
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
    batch("a.zip", "-o", "tenhou6", "--to", "tenhou6", code=1)
    assert {one["member"]: one["kind"] for one in failures("tenhou6")}["both.jsonl"] == "output"


def test_from_the_same_format() -> None:
    """Jmjp is converted between dialects and to one line, as with `jmjp convert`; it is skipped if it is in the default
    form already."""
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
    """A batch reports what is left out as a conversion does, once for all games."""
    zipped({f"{game(number)}.xml": named(number) for number in range(3)}, Path("a.zip"))
    lines = batch("a.zip", "-o", "out", "--to", "mjai").stderr.splitlines()
    lost = written([read_mjlog(named(0), file_name=game(0))], Writing("mjai"), print).lost
    assert lines[: -len(Summary().lines()) - 1] == [f"jmjp: {line}" for line in loss_lines("mjai", lost)]
    assert batch("a.zip", "-o", "quiet", "--to", "mjai", "-q").stderr == ""


# --- for people -------------------------------------------------------------------------------------------------------


class Terminal(io.StringIO):
    """A stderr that is a terminal."""

    def isatty(self) -> bool:
        """Return that it is."""
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
    assert ("completing the output" in said) is shown
