"""`jmjp batch`: the outputs of archives."""

from __future__ import annotations

import io
import re
import shutil
import subprocess
import sys
import zipfile
from collections.abc import Callable
from pathlib import Path

import pytest
from batching import (
    batch,
    counted,
    expected,
    failures,
    outputs,
    same_ids,
    summary,
    work_there,  # noqa: F401 - pytest finds it by its name
)
from click.testing import CliRunner
from packing import BROKEN, HOUOU_2, PHOENIX, PLAIN, database, game, named, packed, tarred, zipped
from tables import table

from jmjp_convert.batch.summary import Summary
from jmjp_convert.cli import main
from jmjp_convert.cli import running as command
from jmjp_convert.cli.console import Bar

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
    assert first == "6 converted, 0 already there, 2 skipped (2 not downloaded), 0 failed"
    assert " per second, " in second


@pytest.mark.parametrize(("seconds", "line"), table("cli_batch", "speed"))
def test_speed(seconds: float, line: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """The speed is a whole number of games per second."""
    done = Summary()
    done.converted = 2
    monkeypatch.setattr(Summary, "seconds", seconds)
    assert done.lines()[-1] == line


# --- repeated IDs -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("items", [1, 2, 64])
@pytest.mark.parametrize("form", ["", "--zip"])
def test_same_ids(items: int, form: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Equal contents count once; of different ones, the first gets the name, and the rest get longer ones."""
    monkeypatch.setattr("jmjp_convert.batch.run._ITEMS_PER_CHUNK", items)
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


# --- for people -------------------------------------------------------------------------------------------------------


class Terminal(io.StringIO):
    """A stderr that is a terminal."""

    def isatty(self) -> bool:
        """Return that it is."""
        return True


@pytest.mark.parametrize(("options", "has_bar"), [([], True), (["--no-progress"], False), (["-q"], False)])
def test_progress(options: list[str], *, has_bar: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    """On a terminal, a bar shows count, rate, time left and failures."""
    zipped({f"{game(number)}": named(number) for number in range(9)} | {"x": b"x"}, Path("a.zip"))
    terminal = Terminal()
    monkeypatch.setattr(sys, "stderr", terminal)
    main(["batch", "a.zip", "-o", "out", "-v", *options], standalone_mode=False)
    said = terminal.getvalue()
    assert ("/10 [" in said) is has_bar
    assert ("games/s" in said) is has_bar
    assert ("completing the output" in said) is has_bar


@pytest.mark.parametrize(("args", "total"), table("cli_batch", "total_of_the_bar"))
def test_total_of_the_bar(args: list[str], total: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """The progress bar counts to the number of games that are chosen, whatever is passed over on the way."""
    members = {f"{game(number, f'201904{18 + number % 3}')}.xml": named(number) for number in range(10)}
    zipped({"README": b"", "LICENSE": b"", **members}, Path("a.zip"))
    bars: list[Bar] = []

    class Shown(Bar):
        def __init__(self, total: Callable[[], int | None], unit: str, *, wanted: bool) -> None:
            super().__init__(total, unit, wanted=wanted)
            self.total, self.done = total(), 0
            bars.append(self)

        def advance(self, number: int, remark: str) -> None:
            super().advance(number, remark)
            self.done += number

    monkeypatch.setattr(command, "Bar", Shown)
    batch("a.zip", "-o", "out", *args)
    (bar,) = bars
    assert isinstance(bar, Shown)
    assert (bar.total, bar.done) == (total, total)


# --- long lists of failures -------------------------------------------------------------------------------------------


@pytest.mark.skipif(shutil.which("jq") is None, reason="jq is not installed")
def test_recipes() -> None:
    """The recipes in the docs list the games that failed everywhere, without files that are not logs, and count the
    failures that name no game."""
    zipped({f"{index:02}.xml": BROKEN for index in range(20)} | {f"{game(1)}.xml": named(2)[:-9]}, Path("games.zip"))
    zipped({f"{game(1)}.xml": named(1), f"{game(2)}.xml": b"x", "notes.txt": b"x"}, Path("more.zip"))
    batch("games.zip", "more.zip", "-o", "games", code=1)
    docs = (Path(__file__).parent.parent / "docs" / "batch.md").read_text(encoding="utf-8")
    lists, counts = (block for block in re.findall(r"```sh\n(.*?)```", docs, re.DOTALL) if block.startswith("jq"))
    assert lines(lists) == [*(f"{index:02}.xml" for index in range(10)), game(2)]
    assert lines(counts) == [f"games.zip: {failures('games')[0]['message']}: 10 more"]


def lines(recipe: str) -> list[str]:
    """Return the lines that the shell writes for *recipe*."""
    return subprocess.run(recipe, shell=True, check=True, stdout=subprocess.PIPE, text=True).stdout.splitlines()  # noqa: S602 - from our docs


# --- without names ----------------------------------------------------------------------------------------------------

TRACES = ("gm-00a9", "20190418", "Kaede", "Tsubaki", "Nazuna", "山茶花", "private-folder", "secret")
"""Texts of the inputs below, in their names or contents."""


def private() -> list[str]:
    """Write games with names, in files, a zip and a tar, one of them broken, and return the sources."""
    folder = Path("private-folder")
    folder.mkdir()
    Path(folder, f"{game(1)}.xml").write_bytes(named(1))
    Path(folder, f"{game(2)}.xml").write_bytes(BROKEN)
    zipped({f"secret/{game(3)}.xml": named(3), f"secret/{game(1)}.xml": named(1)}, Path("secret.zip"))
    tarred({f"secret/{game(4)}.xml": named(4)}, Path("secret.tar"))
    return ["private-folder", "secret.zip", "secret.tar"]


def traces(*roots: str) -> set[str]:
    """Return which of the texts are in the names or contents of files."""
    files = [path for root in roots for path in (Path(root), *Path(root).rglob("*"))]
    texts = [path.relative_to(".").as_posix().encode() for path in files]
    for path in files:
        if path.is_file():
            texts.append(path.read_bytes())
            if zipfile.is_zipfile(path):
                texts += [text for name, text in outputs(str(path)).items()]
                texts += [name.encode() for name in outputs(str(path))]
    return {text for text in TRACES if any(text.encode() in content for content in texts)}


@pytest.mark.parametrize("form", [[], ["--zip"]])
@pytest.mark.parametrize("to", ["jmjp", "json", "tenhou6"])
def test_anonymous(form: list[str], to: str) -> None:
    """With --anonymous, no file of the output says which games it was made from, and who played: neither names, nor
    contents, nor the ledger and the list of failures. Failures are reported on stderr instead."""
    sources = private()
    roots = ("out", "out.batch") if form else ("out",)
    home = roots[-1]
    said = batch(*sources, "-o", "out", "--to", to, "--anonymous", *form, code=1).stderr
    assert f"error: {Path('private-folder', game(2))}.xml: frame E1-0" in said
    assert "failures.jsonl" not in said
    assert summary(home) == counted(converted=3, skipped={"duplicates": 1}, failed={"play": 1})
    assert traces(*roots) == set()
    assert failures(home)[0]["source"] is None
    assert len(outputs()) == 3
    assert all(re.fullmatch(r"unknown/[0-9a-f]{2}/[0-9a-f]{32}\..*", name) for name in outputs())
    batch(*sources, "-o", "out", "--to", to, "--anonymous", *form, code=1)
    assert summary(home) == counted(already_there=3, skipped={"duplicates": 1}, failed={"play": 1})
    assert traces(*roots) == set()


def test_anonymous_after_names() -> None:
    """An output with names cannot become anonymous, since files and the ledger would keep them; nor one without get
    games with names."""
    sources = private()
    batch(*sources, "-o", "out", code=1)
    for force in ([], ["--force"]):
        said = batch(*sources, "-o", "out", "--anonymous", *force, code=2).stderr
        assert "; choose another --output" in said
    assert batch(*sources, "-o", "out", "--anonymous", "--force", "--dry-run", code=2)
    batch(*sources, "-o", "other", "--anonymous", code=1)
    before = outputs("other")
    for force in ([], ["--force"]):
        said = batch(*sources, "-o", "other", *force, code=2).stderr
        assert "other was made with --anonymous; choose another --output" in said
    assert outputs("other") == before


def test_convert_anonymous_directory() -> None:
    """`convert DIR --anonymous` does the same."""
    private()
    result = CliRunner().invoke(main, ["convert", "private-folder", "secret.zip", "-o", "out/", "--anonymous"])
    assert result.exit_code == 1
    assert len(outputs()) == 2
    assert traces("out") == set()
