"""Files that the user may not read fail one by one, in every command, and the rest is done."""

from __future__ import annotations

import json
import os
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from click.testing import CliRunner, Result
from packing import OTHER, PLAIN, zipped
from without_rights import open_folder, plain_user  # noqa: F401 - pytest finds the fixture by its name

from jmjp_convert.batch.executor import Workers
from jmjp_convert.cli import main, running

pytestmark = [
    pytest.mark.skipif(os.name != "posix", reason="POSIX only"),
    pytest.mark.usefixtures("open_folder"),
]
DENIED = "jmjp: secret.xml: permission denied"


@pytest.fixture(autouse=True)
def files(open_folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:  # noqa: ARG001 - it works there
    """Provide two games, an unreadable one between them, and one in an unreadable directory."""
    monkeypatch.setattr(running, "processes", lambda number: Workers(number, lambda: ThreadPoolExecutor(number)))
    Path("games").mkdir()
    Path("locked").mkdir()
    for name, content in {"a.xml": PLAIN, "b.xml": OTHER, "games/a.xml": PLAIN}.items():
        Path(name).write_bytes(content)
    for name in ("secret.xml", "games/secret.xml", "locked/a.xml"):
        Path(name).write_bytes(PLAIN)
    zipped({"a.xml": PLAIN}, Path("secret.zip"))
    for name in ("secret.xml", "games/secret.xml", "secret.zip", "locked"):
        Path(name).chmod(0)


def run(*args: str, code: int = 1) -> Result:
    """Run `jmjp` with *args* as a user who is not root, check its exit *code*, and return the result."""
    assert CliRunner().invoke(main, [args[0], "a.xml", "-o", "-"]).exit_code in {0, 2}  # root may load the modules
    with plain_user():
        result = CliRunner().invoke(main, args)
    assert result.exit_code == code, (result.output, result.exception)
    return result


def test_convert() -> None:
    """`jmjp convert` converts the readable files, each to a file of its own."""
    result = run("convert", "a.xml", "secret.xml", "locked/a.xml", "b.xml", "-o", "both/", "-q")
    assert result.stderr.splitlines()[:2] == [DENIED, "jmjp: locked/a.xml: permission denied"]
    assert sorted(path.name for path in Path("both").iterdir()) == ["a.jmjp", "b.jmjp"]


def test_convert_joined() -> None:
    """`jmjp convert` joins no files unless it can read all of them."""
    result = run("convert", "a.xml", "secret.xml", "-o", "both.jmjp")
    assert result.stderr.splitlines()[0] == DENIED
    assert not Path("both.jmjp").exists()


def test_unreadable_output() -> None:
    """An unreadable output is not overwritten without `--force`, and is with it."""
    Path("a.jmjp").touch(mode=0)
    assert run("convert", "a.xml", "-o", "a.jmjp").stderr == "jmjp: a.xml: a.jmjp exists; use --force to overwrite it\n"
    run("convert", "a.xml", "-o", "a.jmjp", "--force", code=0)


@pytest.mark.parametrize("output", ["locked/a.jmjp", "locked/new/"])
def test_output_in_unreadable_directory(output: str) -> None:
    """An output in a directory that the user may not enter is reported in one line."""
    (line,) = run("convert", "a.xml", "-o", output).stderr.splitlines()
    assert line.startswith("jmjp: a.xml: locked/")
    assert line.endswith(": permission denied")


def test_info() -> None:
    """`jmjp info` shows the readable files."""
    result = run("info", "secret.xml", "a.xml")
    assert result.stderr == f"{DENIED}\n"
    assert "==> a.xml <==" in result.stdout


def test_check() -> None:
    """`jmjp check` checks the readable files."""
    result = run("check", "secret.xml", "a.xml", "locked/a.xml")
    assert result.stderr.splitlines() == [
        DENIED,
        "jmjp: locked/a.xml: permission denied",
        "jmjp: 1 file, 1 match checked: 2 files not read",
    ]


@pytest.mark.parametrize("name", ["secret.xml", "secret.zip", "locked/a.xml"])
def test_view(name: str) -> None:
    """`jmjp view` reports an unreadable file."""
    assert run("view", name, "-o", "-").stderr == f"jmjp: {name}: permission denied\n"


def test_view_of_an_unreadable_directory() -> None:
    """`jmjp view` reports an unreadable directory, and an unreadable file in a readable one."""
    assert run("view", "locked", "-o", "site").stderr.splitlines()[0] == "jmjp: locked: permission denied"
    result = run("view", "games", "-o", "other")
    assert result.stderr.splitlines() == [
        "jmjp: games/secret.xml: permission denied",
        "jmjp: other/index.html: 1 game, 1 failed",
    ]


def test_batch() -> None:
    """`jmjp batch` lists each unreadable file and directory among the failures, and converts the rest."""
    run("batch", "a.xml", "games", "locked", "locked/a.xml", "secret.xml", "secret.zip", "b.xml", "-o", "out")
    lines = [json.loads(line) for line in Path("out/failures.jsonl").read_text(encoding="utf-8").splitlines()]
    assert {(line["source"], line["kind"]) for line in lines} == {
        (name, "file") for name in ("games/secret.xml", "locked", "locked/a.xml", "secret.xml", "secret.zip")
    }
    assert {line["message"] for line in lines} == {"permission denied"}
    assert json.loads(Path("out/summary.json").read_text(encoding="utf-8"))["converted"] == 2


@pytest.mark.parametrize("output", ["locked", "locked/out", "locked/out.zip"])
def test_batch_output(output: str) -> None:
    """An output that the user may not write to is reported in one line."""
    (line,) = run("batch", "a.xml", "-o", output, *(["--zip"] if output.endswith("zip") else [])).stderr.splitlines()
    assert "permission denied" in line
