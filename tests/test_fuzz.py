"""Fuzzing: saved cases and some hundreds of new inputs do not break the readers; and bugs are found, reduced,
reported and saved."""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

import fuzz
import pytest
from casefiles import refusals
from effort import many
from fuzzing.bounds import Bounds, TooLargeError, TooSlowError
from fuzzing.corruption import MOST, Mutator
from fuzzing.edits import Material
from fuzzing.hunt import LAST, Hunt, seeded, shrunk
from fuzzing.judges import JUDGES
from fuzzing.targets import CASES, TARGETS, cases, mutator
from fuzzing.written import written
from tables import table

SCRIPT = Path(__file__).parent.parent / "scripts" / "fuzz.py"
SEED = 1
INPUTS = many(200)

each_target = pytest.mark.parametrize("name", TARGETS)


def hunt(name: str, out: Path | None = None) -> Hunt:
    """Return a hunt on the target *name*, with bounds that allow for a busy machine."""
    return Hunt(name, JUDGES[name], Bounds().slower(3), out)


@each_target
def test_saved(name: str) -> None:
    """Every target has cases, and every case a target."""
    assert cases(name)
    assert {path.name for path in CASES.iterdir()} == TARGETS.keys() == JUDGES.keys()


def test_documented() -> None:
    """The README of the fixtures lists exactly the saved cases."""
    text = (CASES.parent / "README.md").read_text(encoding="utf-8").partition("## fuzz/")[2]
    names = {f"{path.parent.name}/{path.name}" for name in TARGETS for path in cases(name)}
    assert set(re.findall(r"`([a-z0-9-]+/[\w-]+)`", text)) == names


@each_target
def test_cases(name: str, subtests: pytest.Subtests) -> None:
    """A saved case is no longer a finding."""
    for case in cases(name):
        with subtests.test(case.name):
            error = hunt(name).fault(case.read_bytes())
            if error is not None:
                raise error


@each_target
def test_inputs(name: str) -> None:
    """Random inputs are not findings."""
    tried = hunt(name)
    material = mutator(name, texts=written(name))
    for number in range(INPUTS):
        if (error := tried.fault(material.input(SEED, number), with_memory=number % 32 == 0)) is not None:
            raise error


@each_target
def test_seed(name: str) -> None:
    """The same seed and number give the same input, others give different ones, and all are within the size bound."""
    inputs: list[list[bytes]] = []
    for seed in (1, 1, 2):
        made = mutator(name)
        inputs.append([made.input(seed, number) for number in range(50)])
    assert inputs[0] == inputs[1]
    assert len({*inputs[0], *inputs[2]}) > 75
    assert max(map(len, inputs[0])) <= MOST


@pytest.mark.parametrize("name", ["jmjp", "json", "mjai", "majiang", "tenhou6"])
def test_refused_inputs(name: str) -> None:
    """Inputs are also made from texts that a format rejects."""
    corpus = mutator(name).corpus
    assert all(case.content in corpus for case in refusals(name).values())


def test_edits_of_nothing() -> None:
    """Every edit accepts an empty file in every language."""
    for target in TARGETS.values():
        made = Mutator(Material([b""], target.language))
        assert len({made.input(SEED, number) for number in range(200)}) > 20


# --- findings --------------------------------------------------------------------------------------------------------


def wrong(content: bytes) -> None:
    """Raise an error for content with a ``W``."""
    if b"W" in content:
        raise KeyError(content[:1])


def slow(content: bytes) -> None:
    """Take time that grows with the square of the length of *content*."""
    for _ in content:
        content.count(b"x" * len(content))
        sum(content)


def large(content: bytes) -> None:
    """Use much memory per byte."""
    kept = [[number] * 1000 for number in content]
    assert len(kept) == len(content)


TIGHT = Bounds(0.05, 1e-6, 1 << 16, 1000)


@pytest.mark.parametrize(
    ("judge", "content", "expected"),
    [(wrong, b"W", KeyError), (slow, b"x" * 5000, TooSlowError), (large, b"x" * 100, TooLargeError)],
)
def test_fault(judge: Callable[[bytes], None], content: bytes, expected: type[BaseException]) -> None:
    """Any exception from a judge is a bug, and so is using too much time or memory."""
    tried = Hunt("x", judge, TIGHT)
    assert type(tried.fault(content)) is expected
    assert tried.fault(b"") is None


@pytest.mark.skipif(not hasattr(signal, "setitimer"), reason="the system has no clock that stops a program")
def test_without_end() -> None:
    """An endless judge is stopped."""

    def endless(_content: bytes) -> None:
        while True:
            with suppress(Exception):  # as the readers do here and there
                sum(range(1000))

    error = Hunt("x", endless, TIGHT).fault(b"abc")
    assert str(error) == "more than 0.05 s of processor time for an input of 3 bytes"


def test_shrunk() -> None:
    """Irrelevant bytes are removed."""
    assert shrunk(b"abcWdefWghi", lambda content: content.count(b"W") == 2, 10) == b"WW"
    assert shrunk(b"abc", lambda content: b"b" in content, 0) == b"abc"


def test_finding(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """A finding is reported with its traceback and saved in reduced form, once per kind."""
    tried = Hunt("x", wrong, TIGHT, tmp_path)
    for content in (b"abc", b"aWc", b"Wc", b"d" * 100 + b"W"):
        tried.try_(content)
    tried.done()
    (path,) = (tmp_path / "x").iterdir()
    assert path.read_bytes() == b"W"
    streams = capsys.readouterr()
    assert streams.out == ""
    assert streams.err.startswith("Traceback (most recent call last):\n")
    assert streams.err.endswith(f"KeyError: b'a'\nx: fails on an input of 1 byte: {path}\n")
    assert (tried.count, list(tried.found.values())) == (4, [b"W"])


def test_last_input(tmp_path: Path) -> None:
    """The current input is kept in a file in case it kills the process; the file is removed at the end."""
    seen: list[bytes] = []
    tried = Hunt("x", lambda _: seen.append((tmp_path / "x" / LAST).read_bytes()), Bounds(), tmp_path)
    for content in (b"a", b"b"):
        tried.try_(content)
    assert seen == [b"a", b"a", b"b"]  # the first is also tried for its memory
    tried.done()
    assert list((tmp_path / "x").iterdir()) == []


def test_own_search() -> None:
    """The unguided search tries the corpus, then inputs made from it, until its limit."""
    seen: list[bytes] = []
    material = mutator("ids")
    seeded(Hunt("ids", seen.append, Bounds()), material, seed=3, runs=len(material.corpus) + 5, seconds=60)
    alone = [content for number, content in enumerate(seen) if number != 1]  # the first is also tried for its memory
    assert alone == [*material.corpus, *(material.input(3, number) for number in range(5))]


# --- the command -----------------------------------------------------------------------------------------------------


def run(*args: str) -> subprocess.CompletedProcess[str]:
    """Run the script."""
    environment = os.environ | {"COLUMNS": "120", "PYTHONIOENCODING": "utf-8"}
    return subprocess.run(
        [sys.executable, SCRIPT, *args], capture_output=True, encoding="utf-8", check=False, env=environment
    )


def test_command(tmp_path: Path) -> None:
    """The script tests a target and reports the result in one line."""
    done = run("--own", "--target", "ids", "--runs", "20", "--seed", "7", "-o", str(tmp_path))
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.startswith("ids: 20 inputs with seed 7 in ")
    assert done.stdout.endswith(" s: no findings\n")
    assert [path.name for path in tmp_path.rglob("*")] == ["ids"]


@pytest.mark.parametrize(("args", "message"), table("fuzz", "refused"))
def test_refused(args: list[str], message: str) -> None:
    """A usage error is reported in one line."""
    done = run(*args)
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.splitlines()[-1] == f"fuzz.py: {message}"


@pytest.mark.parametrize(("code", "out", "said"), table("fuzz", "crash", globals()))
def test_crash(
    code: int, out: Path | None, said: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """A reader that crashes the process is a finding, and the file of its input is named."""
    monkeypatch.setattr(subprocess, "call", lambda _: code)
    assert fuzz.fails("ids", out) is (code != 0)
    assert capsys.readouterr().err == said


def test_help() -> None:
    """The help has examples."""
    done = run("--help")
    assert done.returncode == 0
    assert "  scripts/fuzz.py --target jmjp --seed 7 --runs 10000\n" in done.stdout
    assert "{" + ",".join(TARGETS) + "}" in done.stdout
