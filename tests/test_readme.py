"""The README: its examples are run, its tables compared with the program. As a script, this renews its help blocks."""

from __future__ import annotations

import inspect
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, NamedTuple, get_args

import click
import pytest
from click.testing import CliRunner
from tenhou_server import TenhouServer, encoded, serving

from jmjp_convert import __version__, dumps, model, read, write
from jmjp_convert.batch.summary import Summary
from jmjp_convert.batch.worker import KINDS, Failure
from jmjp_convert.cli import COMMANDS, FAILED, INTERRUPTED, WRONG_USAGE, main
from jmjp_convert.convert import Writing
from jmjp_convert.fetch import tally as fetch
from jmjp_convert.formats import writable
from jmjp_convert.formats.jmjp.dialects import DEFAULT_DIALECT, DIALECTS
from jmjp_convert.formats.jmjp.writer import write_jmjp
from jmjp_convert.formats.mjlog.reader import read_mjlog

ROOT = Path(__file__).parent.parent
README = ROOT / "README.md"
TEXT = README.read_text(encoding="utf-8")
OUTPUTS = sorted((ROOT / "fixtures" / "valid").glob("*.jmjp"))

_BLOCK = re.compile(
    r"^(?:<!-- (?P<mark>[^\n]+) -->\n)?```(?P<language>\w+)\n(?P<body>.*?)^```$"
    r"(?:\n\n```text\n(?P<output>.*?)^```$)?",
    re.MULTILINE | re.DOTALL,
)
_HELP = re.compile(r"(?<=^<!-- help: )([a-z ]+)( -->\n```text\n).*?(?=^```$)", re.MULTILINE | re.DOTALL)
_FORMATS = re.compile(r"(<!-- formats -->\n(?:\|.*\n){2})(?:\|.*\n)*")
_CODE = re.compile(r"`([^`\n]+)`")
_LEFT_OUT = "…"


class Block(NamedTuple):
    """A fenced block: its *line*, the *mark* in the comment above, its *language* and *body*, the *output* below."""

    line: int
    mark: str
    language: str
    body: str
    output: str


BLOCKS = [
    Block(TEXT.count("\n", 0, match.start()) + 1, *(part or "" for part in match.groups()))
    for match in _BLOCK.finditer(TEXT)
]
PROSE = _BLOCK.sub("", TEXT)
posix = pytest.mark.skipif(os.name != "posix", reason="the sessions are those of a POSIX shell")


def blocks(language: str) -> list[Block]:
    """Return the blocks of *language*; there are some."""
    found = [block for block in BLOCKS if block.language == language]
    assert found
    return found


def at_line(block: Block) -> str:
    """Return what a test of *block* is called."""
    return f"line {block.line}"


def table(*head: str) -> list[list[str]]:
    """Return the rows, each a list of cells, of the table that begins with these columns."""
    _, _, rest = TEXT.partition(f"\n| {' | '.join(head)} |")
    rows = [re.split(r" *\| *", line)[1:-1] for line in rest.partition("\n\n")[0].splitlines()[2:]]
    assert rows
    return rows


def code(text: str) -> list[str]:
    """Return what *text* has as code."""
    return _CODE.findall(text)


def shown(text: str) -> str:
    """Return a pattern for what *text* shows, with something left out wherever `…` stands."""
    return ".*?".join(map(re.escape, text.split(_LEFT_OUT)))


def with_help(text: str) -> str:
    """Return *text* with the help of the commands in its help blocks."""

    def renewed(match: re.Match[str]) -> str:
        arguments = match[1].split()[1:]
        return match[1] + match[2] + CliRunner().invoke(main, [*arguments, "--help"], catch_exceptions=False).output

    return _HELP.sub(renewed, text)


def with_formats(text: str) -> str:
    """Return *text* with a row for each format that is written in the table of formats."""
    rows = []
    for one in writable():
        assert one.about is not None
        own: dict[str, Any] = {"frame": "E3-1"} if one.walls else {}
        cells = (f"`{one.name}`", f"`{Writing(one.name, **own).suffix}`", *one.about)
        rows.append(f"| {' | '.join(cells)} |\n")
    return _FORMATS.sub(lambda head: head[1] + "".join(rows), text)


FILES = {code(name)[0]: ROOT / code(path)[0] for name, path in table("name", "is")}
"""The files of the examples, by name."""


@pytest.fixture
def work(tmp_path: Path) -> Path:
    """Return a directory that holds the files of the examples."""
    for name, path in FILES.items():
        shutil.copy(path, tmp_path / name)
    return tmp_path


@pytest.fixture
def tenhou() -> Iterator[TenhouServer]:
    """A server that has a log of the examples."""
    with serving() as server:
        server.put_log("2019041809gm-00a9-0000-0123abcd", encoded(FILES["log.xml"].read_bytes()))
        yield server


@pytest.fixture
def run(work: Path, tenhou: TenhouServer) -> Callable[..., str]:
    """Return a function that runs a program in that directory and returns what it writes, on stdout or stderr."""
    path = os.pathsep.join(filter(None, (str(ROOT), os.environ.get("PYTHONPATH"))))
    environment = {**os.environ, "PYTHONPATH": path, "PYTHONUTF8": "1", "PYTHON": sys.executable}
    environment |= {"JMJP_BASE_URL": tenhou.url, "JMJP_HOME": str(work / ".home")}

    def run(*command: str) -> str:
        done = subprocess.run(
            command, cwd=work, env=environment, check=False, stdout=subprocess.PIPE, stderr=subprocess.STDOUT
        )
        return done.stdout.decode()

    return run


def test_first_commands() -> None:
    """The first two commands are those for a fresh checkout, and they are there."""
    commands = [block.body.strip() for block in BLOCKS if block.language in ("sh", "console")][:2]
    assert commands == ["scripts/try", "scripts/test"]
    assert all((ROOT / command).is_file() for command in commands)


def test_what_a_table_tells() -> None:
    """What a table can be asked, one that was just dealt has."""
    frame = read(FILES["log.xml"])[0].frames[0]
    dealt, _ = next(frame.play(model.Rules()))
    names = [name.removesuffix("()") for names, _ in table("of a table", "is") for name in code(names)]
    assert [name for name in names if not hasattr(dealt, name)] == []


def test_every_example_is_run() -> None:
    """No session and no Python example goes unmarked, and each of the latter shows its output."""
    assert all(block.mark == "run" for block in (*blocks("console"), *blocks("python")))
    assert all(block.output for block in blocks("python"))


@posix
@pytest.mark.parametrize("block", blocks("console"), ids=at_line)
def test_session(block: Block, run: Callable[..., str]) -> None:
    """Every command of a session writes what stands below it."""
    assert block.body.startswith("$ ")
    for part in re.split(r"^\$ ", block.body, flags=re.MULTILINE)[1:]:
        command, _, expected = part.partition("\n")
        output = run("sh", "-c", f'jmjp() {{ "$PYTHON" -m jmjp_convert "$@"; }}\n{command}')
        assert re.fullmatch(shown(expected), output, re.DOTALL), output


@pytest.mark.parametrize("block", blocks("python"), ids=at_line)
def test_python(block: Block, run: Callable[..., str]) -> None:
    """Every Python example prints what stands below it."""
    output = run(sys.executable, "-W", "error", "-c", block.body)
    assert output.replace("\r\n", "\n") == block.output


def test_help() -> None:
    """The help blocks are the commands' own help, and no command is left out."""
    assert set(re.findall(r"<!-- help: (.+) -->", TEXT)) == {"jmjp", *(f"jmjp {name}" for name in COMMANDS)}
    assert with_help(with_formats(TEXT)) == TEXT, f"python {Path(__file__).name} renews them"


@pytest.mark.parametrize("name", COMMANDS)
def test_options(name: str) -> None:
    """Every option of a command is spoken of outside its help."""
    words = " ".join([*code(PROSE), *(block.body for block in blocks("console"))]).split()
    group = click.Context(main, **main.context_settings)
    command = main.get_command(group, name)
    assert command is not None
    for parameter in command.get_params(click.Context(command, parent=group)):
        if isinstance(parameter, click.Option):
            assert set(parameter.opts) <= set(words)


def test_exit_codes() -> None:
    """The exit codes are those of the command."""
    assert [int(row[0]) for row in table("code", "meaning")] == [0, FAILED, WRONG_USAGE, INTERRUPTED]


def test_input() -> None:
    """The log shown is the one that the examples convert, but for line breaks and what is left out."""
    (block,) = blocks("xml")
    name = block.mark.removeprefix("shows: ")
    content = FILES[name].read_text(encoding="utf-8")
    assert re.fullmatch(shown(block.body.replace("\n", "")), content.replace("\n", ""), re.DOTALL)


def test_side_by_side() -> None:
    """What stands side by side is in the log and in what becomes of it."""
    log = FILES["log.xml"]
    texts = log.read_text(encoding="utf-8"), write_jmjp(read_mjlog(log.read_bytes(), file_name="log.xml"))
    for row in table("mjlog", "jmjp"):
        for text, cell in zip(texts, row, strict=False):
            assert all(re.search(shown(part), text) for part in code(cell)), cell


def test_turns() -> None:
    """Every turn and meld explained occurs in a fixture."""
    texts = [path.read_text(encoding="utf-8") for path in OUTPUTS]
    for cell, _ in table("jmjp", "what it says"):
        assert any(all(part in text for part in code(cell)) for text in texts), cell


def test_dialects() -> None:
    """The dialects are those of the writer, with their headers and the default."""
    rows = table("`--spec`", "header")
    assert {code(row[0])[0]: code(row[1]) for row in rows} == {
        name: [f"jmjp[{dialect.version}]"] for name, dialect in DIALECTS.items()
    }
    assert [code(row[0])[0] for row in rows if "(default)" in row[0]] == [DEFAULT_DIALECT]


def test_formats() -> None:
    """The table of formats is what each of them says of itself."""
    assert with_formats(TEXT) == TEXT, f"python {Path(__file__).name} renews it"


def test_comments() -> None:
    """Every key of the `// tenhou` comments in the fixtures is explained."""
    comments = [line for path in OUTPUTS for line in re.findall("// tenhou.*", path.read_text(encoding="utf-8"))]
    keys = set(re.findall(r" (\w+)=", "\n".join(comments)))
    assert keys
    explained = " ".join(code(PROSE))
    assert not [key for key in keys if not re.search(rf"\b{key}=", explained)]


def test_events() -> None:
    """Every event of the model is named."""
    assert {event.__name__ for event in get_args(model.Event)} <= set(code(PROSE))


def test_arguments() -> None:
    """The arguments of the functions are those that the table names, in their order."""
    rows = table("function", "argument")
    named = [code(row[1])[0] for row in rows]
    functions = (read, dumps, write)
    assert named == [name for function in functions for name in inspect.signature(function).parameters]


def test_reports() -> None:
    """The keys of the reports of a batch are those that the tables explain."""
    entry = ("source", "member", "log_id")
    assert [key for row in table("key of a failure", "is") for key in code(row[0])] == [*entry, *Failure._fields]
    assert {key for row in table("key of the summary", "is") for key in code(row[0])} == set(Summary().values())
    kinds = {kind for row in table("key of a failure", "is") for kind in code(row[1]) if row[0] == "`kind`"}
    assert {kind for _, kind in KINDS} <= kinds
    assert {*fetch.Failure._fields, fetch.MISSING, fetch.FETCH, fetch.CONVERT, fetch.INPUT} <= set(code(PROSE))


def test_changelog() -> None:
    """The changelog tells of this version."""
    changelog = (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")
    assert re.search(rf"^## {re.escape(__version__)}\b", changelog, re.MULTILINE)


def test_links() -> None:
    """Every link within the repository leads somewhere."""
    titles = re.findall(r"^#+ (.+)$", PROSE, re.MULTILINE)
    anchors = {"#" + re.sub(r"[^\w -]", "", title.lower()).replace(" ", "-") for title in titles}
    for link in re.findall(r"\]\(([^)]+)\)", PROSE):
        assert link.startswith("https://") or link in anchors or (ROOT / link).is_file(), link


if __name__ == "__main__":
    README.write_text(with_help(with_formats(TEXT)), encoding="utf-8", newline="\n")
