"""Files that the user may not read fail one by one, in every command, and the rest is done."""

from __future__ import annotations

import json
import os
import shutil
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from click.testing import CliRunner, Result
from packing import OTHER, PLAIN, zipped
from tables import table
from tenhou_server import encoded, serving
from without_rights import open_folder, plain_user  # noqa: F401 - pytest finds the fixture by its name

from jmjp_convert.batch.executor import Workers
from jmjp_convert.cli import main, running

pytestmark = [pytest.mark.skipif(os.name != "posix", reason="POSIX only"), pytest.mark.usefixtures("open_folder")]
DENIED = "error: secret.xml: permission denied"


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


def run(*args: str, code: int = 1, **environment: str) -> Result:
    """Run `jmjp` with *args* as a user who is not root, check its exit *code*, and return the result."""
    environment = {"JMJP_BASE_URL": "http://127.0.0.1:9", "JMJP_HOME": str(Path("home").absolute())} | environment
    load(args, environment)
    with plain_user():
        result = CliRunner(env=environment).invoke(main, args)
    assert result.exit_code == code, (result.output, result.exception)
    return result


def load(args: Sequence[str], environment: dict[str, str]) -> None:
    """Load what `jmjp` with *args* needs, in a copy of the directory, since only root may be able to."""
    folder = Path.cwd()
    with TemporaryDirectory() as copy:
        shutil.copytree(folder, copy, dirs_exist_ok=True)
        os.chdir(copy)
        try:
            ended = CliRunner(env=environment | {"JMJP_HOME": f"{copy}/home"}).invoke(main, args)
        finally:
            os.chdir(folder)
    assert ended.exit_code in {0, 1, 2}, ended.output


def test_convert() -> None:
    """`jmjp convert` converts the readable files, each to a file of its own."""
    result = run("convert", "a.xml", "secret.xml", "locked/a.xml", "b.xml", "-o", "both/", "-q")
    assert result.stderr.splitlines()[:2] == [DENIED, "error: locked/a.xml: permission denied"]
    assert sorted(path.name for path in Path("both").iterdir()) == ["a.jmjp", "b.jmjp"]


def test_convert_joined() -> None:
    """`jmjp convert` joins no files unless it can read all of them."""
    result = run("convert", "a.xml", "secret.xml", "-o", "both.jmjp")
    assert result.stderr.splitlines()[0] == DENIED
    assert not Path("both.jmjp").exists()


def test_unreadable_output() -> None:
    """An unreadable output is not overwritten without `--force`, and is with it."""
    Path("a.jmjp").touch(mode=0)
    assert (
        run("convert", "a.xml", "-o", "a.jmjp").stderr == "error: a.xml: a.jmjp exists; use --force to overwrite it\n"
    )
    run("convert", "a.xml", "-o", "a.jmjp", "--force", code=0)


@pytest.mark.parametrize("output", ["locked/a.jmjp", "locked/new/"])
def test_output_in_unreadable_directory(output: str) -> None:
    """An output in a directory that the user may not enter is reported in one line."""
    (line,) = run("convert", "a.xml", "-o", output).stderr.splitlines()
    assert line.startswith("error: a.xml: locked/")
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
        "error: locked/a.xml: permission denied",
        "1 file, 1 match checked: 2 files not read",
    ]


@pytest.mark.parametrize("name", ["secret.xml", "secret.zip", "locked/a.xml"])
def test_view(name: str) -> None:
    """`jmjp view` reports an unreadable file."""
    assert run("view", name, "-o", "-").stderr == f"error: {name}: permission denied\n"


def test_view_of_an_unreadable_directory() -> None:
    """`jmjp view` reports an unreadable directory, and an unreadable file in a readable one."""
    assert run("view", "locked", "-o", "site").stderr.splitlines()[0] == "error: locked: permission denied"
    result = run("view", "games", "-o", "other")
    assert result.stderr.splitlines() == [
        "error: games/secret.xml: permission denied",
        "other/index.html: 1 game, 1 failed",
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


def test_stats() -> None:
    """`jmjp stats` counts the readable files, and names the others."""
    result = run("stats", "a.xml", "secret.xml", "secret.zip", "locked", "b.xml")
    assert result.stderr.splitlines()[:3] == [
        DENIED,
        "error: secret.zip: permission denied",
        "error: locked: permission denied",
    ]
    assert [line.split()[1] for line in result.stdout.splitlines()] == ["Games", "2", "2", "2", "2"]


def test_tables() -> None:
    """`jmjp tables` lists each unreadable file and directory among the failures, and makes rows of the rest."""
    run("tables", "games", "locked", "secret.zip", "b.xml", "-o", "out", "--to", "csv")
    lines = [json.loads(line) for line in Path("out/failures.jsonl").read_text(encoding="utf-8").splitlines()]
    assert {(line["source"], line["message"]) for line in lines} == {
        (name, "permission denied") for name in ("games/secret.xml", "locked", "secret.zip")
    }
    assert json.loads(Path("out/summary.json").read_text(encoding="utf-8"))["converted"] == 2


def test_list_of_ids() -> None:
    """A list of log IDs that is unreadable ends `jmjp batch` before it writes anything."""
    assert run("batch", "a.xml", "--ids", "secret.xml", "-o", "out").stderr == f"{DENIED}\n"
    assert not Path("out").exists()


def test_fetch_list() -> None:
    """`jmjp lists` reads the readable lists, and names the others."""
    Path("ids.txt").write_text("2019041809gm-00a9-0000-00000001\n", encoding="utf-8")
    result = run("lists", "secret.xml", "locked/a.xml", "ids.txt")
    assert result.stderr.splitlines()[0] == DENIED
    assert result.stdout == "2019041809gm-00a9-0000-00000001\n"


# --- outputs ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("command", table("files_unreadable", "unwritable_directory"))
def test_unwritable_directory(command: str) -> None:
    """An output in a directory that the user may read but not write to is reported in lines that name it, and nothing
    is left there; a dry run writes nothing anyway."""
    Path("shut").mkdir(mode=0o555)
    result = run(*command.split(), code=0 if "--dry-run" in command else 1)
    if "--dry-run" not in command:
        said = result.stderr.splitlines()
        assert any("shut" in line and "permission denied" in line for line in said), said
    assert "Traceback" not in result.stderr
    assert list(Path("shut").iterdir()) == []


def test_unwritable_directory_of_fetch() -> None:
    """`jmjp fetch` stops at the first log that it cannot store."""
    Path("shut").mkdir(mode=0o555)
    with serving() as server:
        server.put_log("2019041809gm-00a9-0000-00000001", encoded(PLAIN))
        result = run(
            "fetch", "2019041809gm-00a9-0000-00000001", "-o", "shut/out", NO_PROXY="*", JMJP_BASE_URL=server.url
        )
    assert (
        "error: stopped: shut/out: permission denied; run the same command again to continue"
        in result.stderr.splitlines()
    )
    assert list(Path("shut").iterdir()) == []


def test_state_of_fetch() -> None:
    """`jmjp fetch` needs to remember when it last asked: without that, it asks for nothing."""
    Path("shut").mkdir(mode=0o555)
    home = Path("shut/home").absolute()
    with serving() as server:
        server.put_log("2019041809gm-00a9-0000-00000001", encoded(PLAIN))
        result = run(
            *("fetch", "2019041809gm-00a9-0000-00000001", "-o", "out"),
            JMJP_HOME=str(home),
            NO_PROXY="*",
            JMJP_BASE_URL=server.url,
        )
    assert result.stderr == f"error: {home}: permission denied\n"
    assert len(server.requests) == 1  # from when the command was loaded, with all rights


def test_unwritable_ledger() -> None:
    """A batch whose ledger the user may not write to is stopped in one line, and its outputs stay."""
    with plain_user():
        assert CliRunner().invoke(main, ["batch", "a.xml", "-o", "out"]).exit_code == 0
    for path in Path("out").rglob("*"):
        path.chmod(0o555 if path.is_dir() else 0o444)
    before = sorted(Path("out").rglob("*"))
    Path("out").chmod(0o555)
    result = run("batch", "a.xml", "b.xml", "-o", "out")
    assert "Traceback" not in result.stderr
    assert any("out" in line for line in result.stderr.splitlines())
    assert sorted(Path("out").rglob("*")) == before


@pytest.mark.parametrize(
    "options", [("batch", "-o", "out"), ("batch", "-o", "out.zip", "--zip"), ("tables", "-o", "out", "--to", "csv")]
)
def test_verify_without_writing(options: tuple[str, ...]) -> None:
    """Outputs with a ledger that the user may not write to are compared, and what is damaged is named, not recorded."""
    output = Path(options[2])
    load([*options, "a.xml", "b.xml"], {})
    with plain_user():
        assert CliRunner().invoke(main, [*options, "a.xml", "b.xml"]).exit_code == 0
    files = [path for path in [output, *Path().glob("out*/**/*")] if path.is_file()]
    damaged = max(files, key=lambda path: (path.suffix in (".jmjp", ".zip", ".csv"), path.stat().st_size))
    damaged.write_bytes(damaged.read_bytes()[:-1] + b"?")
    for path in (*Path().glob("out*"), *Path().glob("out*/**/*")):
        path.chmod(0o555 if path.is_dir() else 0o444)
    Path().chmod(0o555)
    before = {path: path.read_bytes() for path in Path().glob("out*/**/*") if path.is_file()}
    damage, counts, note = run("verify", str(output)).stderr.splitlines()
    assert damage.startswith(f"error: {damaged}")
    assert counts.endswith(" checked, 1 damaged")
    assert note.startswith("note: ")
    assert note.endswith(
        "is read-only, so the next run does not know what is damaged; verify again where it can be written"
    )
    assert {path: path.read_bytes() for path in Path().glob("out*/**/*") if path.is_file()} == before


@pytest.mark.parametrize("output", ["locked", "locked/out", "locked/out.zip"])
def test_batch_output(output: str) -> None:
    """An output that the user may not write to is reported in one line."""
    (line,) = run("batch", "a.xml", "-o", output, *(["--zip"] if output.endswith("zip") else [])).stderr.splitlines()
    assert "permission denied" in line
