"""The sessions and examples in the documentation, run; and what they print, recorded again."""

from __future__ import annotations

import re
import shlex
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator, Sequence
from contextlib import chdir, contextmanager
from difflib import SequenceMatcher
from pathlib import Path
from typing import NamedTuple

from batching import in_threads
from click.testing import CliRunner
from docs_pages import LEFT_OUT, ROOT, Block, Page, example_files, generated, pattern_of
from docs_queries import answers, environment
from tenhou_server import encoded, hurried, serving

from jmjp_convert.cli import main

Run = Callable[..., str]

_COMMANDS = f"""
jmjp() {{ "$PYTHON" -m jmjp_convert "$@"; }}
python() {{ "$PYTHON" "$@"; }}
duckdb() {{ "$PYTHON" "{ROOT}/tests/docs_queries.py" "$@"; }}
"""
_SHELL = frozenset("|&;<>$`*?~#{\n")
"""What only a shell understands; it also understands quotes as we do."""
_QUOTED = re.compile(r"""'[^']*'|["][^"$`\\]*["]""")
_ADDED = _GONE = 1.5  # a line that is changed costs less than 1


class Part(NamedTuple):
    """A command of a session and what it writes."""

    command: str
    output: str


class Renewed(NamedTuple):
    """A text that is renewed, and the *problems* that only a person can mend, a line each."""

    text: str
    problems: list[str]


@contextmanager
def workplace(folder: Path) -> Iterator[Run]:
    """Put the files of the examples into *folder*, start a server that has one of them as a log, and give a function
    that runs a program there and returns what it writes, on stdout or stderr."""
    files = example_files()
    for name, path in files.items():
        (folder / name).parent.mkdir(exist_ok=True)
        shutil.copy(path, folder / name)
    with hurried(), serving() as server:
        server.put_log("2019041809gm-00a9-0000-0123abcd", encoded(files["log.xml"].read_bytes()))
        variables = environment() | {"JMJP_BASE_URL": server.url, "JMJP_HOME": str(folder / ".home")}

        def run(*command: str) -> str:
            if command[0] == "jmjp":
                return _in_this_process(command[1:], folder, variables)
            done = subprocess.run(
                command, cwd=folder, env=variables, check=False, stdout=subprocess.PIPE, stderr=subprocess.STDOUT
            )
            return done.stdout.decode().replace("\r\n", "\n")

        yield run


def _in_this_process(args: Sequence[str], folder: Path, variables: dict[str, str]) -> str:
    """Return what `jmjp` writes. Most of the time of a session would be the start of Python."""
    with chdir(folder), in_threads():
        result = CliRunner(env=variables | {"COLUMNS": "80"}).invoke(main, args)
    if result.exception is not None and not isinstance(result.exception, SystemExit):
        raise result.exception
    return result.output


def parts(block: Block) -> list[Part]:
    """Return the commands of a session."""
    assert block.body.startswith("$ ")
    texts = re.split(r"^\$ ", block.body, flags=re.MULTILINE)[1:]
    return [Part(command, output) for command, _, output in (part.partition("\n") for part in texts)]


def run_command(run: Run, command: str) -> str:
    """Return what a command of a session writes, with the usual plural, even if a busy machine did just one game."""
    alone = command.startswith("jmjp ") and not set(_QUOTED.sub("", command)) & _SHELL
    output = run(*shlex.split(command)) if alone else run("sh", "-c", f"{_COMMANDS}\n{command}")
    return output.replace(" 1 game per second,", " 1 games per second,")


def run_python(run: Run, block: Block) -> str:
    """Return what a Python example prints."""
    return run(sys.executable, "-W", "error", "-c", block.body)


def renewed_page(page_: Page) -> Renewed:
    """Return the text of a page with its help, its generated tables and the output of its examples as they are now."""
    text = page_.text
    problems: list[str] = []
    answered = dict(answers(page_))
    for block in reversed(page_.blocks):
        if block in answered:
            text = _with_output(text, block, answered[block])
        if block.mark == "run" and block.language in ("console", "python"):
            with tempfile.TemporaryDirectory() as folder, workplace(Path(folder)) as run:
                again, faults = (_renewed_session if block.language == "console" else _renewed_python)(block, run)
            if block.language == "console":
                start, end = block.body_span
                text = text[:start] + again + text[end:]
            else:
                text = _with_output(text, block, again)
            problems = [f"{block}: {problem}" for problem in faults] + problems
    return Renewed(generated(text), problems)


def _with_output(text: str, block: Block, output: str) -> str:
    """Return the *text* of a page with the *output* of *block*, if it shows any."""
    start, end = block.output_span
    return text[:start] + output + text[end:] if start >= 0 else text


def _renewed_session(block: Block, run: Run) -> Renewed:
    text = ""
    problems: list[str] = []
    for command, expected in parts(block):
        output = run_command(run, command)
        merged = Renewed(expected, ["a traceback"]) if "Traceback" in output else merge(expected, output)
        text += f"$ {command}\n{merged.text}"
        problems += [f"$ {command}: {problem}" for problem in merged.problems]
    return Renewed(text, problems)


def _renewed_python(block: Block, run: Run) -> Renewed:
    output = run_python(run, block)
    return Renewed(block.output, [output]) if "Traceback" in output else Renewed(output, [])


def merge(expected: str, actual: str) -> Renewed:
    """Return *expected* changed to what matches *actual*.

    Lines with `…` are kept. One that no longer matches is a problem: only a person knows what it should leave out.
    """
    if re.fullmatch(pattern_of(expected), actual, re.DOTALL):
        return Renewed(expected, [])
    if LEFT_OUT not in expected:
        return Renewed(actual, [])
    text, problems = "", []
    for old, new in _aligned(expected.splitlines(keepends=True), actual.splitlines(keepends=True)):
        if LEFT_OUT not in old:
            text += new
        else:
            text += old
            if not re.fullmatch(pattern_of(old), new, re.DOTALL):
                problems.append(f"expected {old.rstrip()!r}, found {new.rstrip()!r}")
    return Renewed(text, problems)


def _aligned(old: list[str], new: list[str]) -> list[tuple[str, str]]:
    """Return pairs of a line of *old*, or nothing, and what it became in *new*, so that they differ least."""
    best: dict[tuple[int, int], tuple[float, list[tuple[str, str]]]] = {(len(old), len(new)): (0, [])}
    for i in range(len(old), -1, -1):
        for j in range(len(new), -1, -1):
            for cost, before, after in _steps(old[i:], new[j:]):
                rest, pairs = best[i + bool(before), j + after.count("\n")]
                if (i, j) not in best or cost + rest < best[i, j][0]:
                    best[i, j] = cost + rest, [(before, after), *pairs]
    return best[0, 0][1]


def _steps(old: list[str], new: list[str]) -> Iterator[tuple[float, str, str]]:
    """Yield what may have become of the first line of *old*: nothing, a line of *new*, or if it ends with `…`, several;
    or that the first line of *new* was added. Each has its cost."""
    if old:
        yield _GONE, old[0], ""
    if new:
        yield _ADDED, "", new[0]
    if old and new:
        yield _difference(old[0], new[0]), old[0], new[0]
        if old[0].endswith(LEFT_OUT + "\n"):
            several = ("".join(new[:count]) for count in range(2, len(new) + 1))
            yield from ((0, old[0], text) for text in several if re.fullmatch(pattern_of(old[0]), text, re.DOTALL))


def _difference(old: str, new: str) -> float:
    if re.fullmatch(pattern_of(old), new):
        return 0
    return 1 - SequenceMatcher(None, old, new, autojunk=False).ratio() / 2
