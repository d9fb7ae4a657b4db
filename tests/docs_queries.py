"""The queries in the documentation, run over the data set that the page's own commands make.

As a script, this is the command ``duckdb`` of the sessions, as the package duckdb-cli has it: it runs the statement
after ``-c``, which writes a file.
"""

from __future__ import annotations

import os
import shlex
import sys
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import chdir, redirect_stderr, redirect_stdout
from io import StringIO
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from docs_pages import Block, Page

ROOT = Path(__file__).parent.parent
DATA = "data"
"""The mark of the commands that make the data set."""


def environment() -> dict[str, str]:
    """Return the environment of the programs that pages run: with this Python as PYTHON, and this package."""
    search = os.pathsep.join(filter(None, (str(ROOT), os.environ.get("PYTHONPATH"))))
    return {**os.environ, "PYTHONPATH": search, "PYTHONUTF8": "1", "JMJP_LANG": "en", "PYTHON": sys.executable}


def is_query(block: Block) -> bool:
    """Return whether *block* is a query that is run."""
    return block.language == "sql" and block.mark == "run"


def answers(page: Page) -> Iterator[tuple[Block, str]]:
    """Yield the queries of *page* in order, each with what it answers."""
    queries = list(filter(is_query, page.blocks))
    if not queries:
        return
    import duckdb  # not when the tests are collected: what is frozen then, it reports as leaked at the end

    with tempfile.TemporaryDirectory() as folder:
        for block in page.blocks:
            if block.mark == DATA:
                _run(block.body, folder)
        connection = duckdb.connect(config={"file_search_path": folder})
        for block in queries:
            connection.execute(block.body)
            yield block, _aligned([[column[0] for column in connection.description or ()], *connection.fetchall()])
        connection.close()


def _run(commands: str, folder: str) -> None:
    """Run *commands* for a checkout in *folder*, in this process and its threads: other processes would take longer to
    start than to do their work."""
    import play
    from batching import in_threads
    from click.testing import CliRunner

    from jmjp_convert.cli import main

    with in_threads(), chdir(folder), redirect_stdout(StringIO()), redirect_stderr(StringIO()):
        for line in commands.splitlines():
            words = shlex.split(line.replace(".venv/bin/python scripts/play.py", "play"))
            if words[0] == "jmjp":
                done = CliRunner().invoke(main, words[1:])
                assert done.exit_code == 0, done.output
            else:
                assert words[0] == "play"
                assert play.main(words[1:]) == 0


def _aligned(rows: Sequence[Sequence[object]]) -> str:
    """Return *rows*, the first with the names of the columns, as columns of text, with numbers to the right; nothing if
    there are no others."""
    if len(rows) == 1:
        return ""
    texts = [["" if value is None else str(value) for value in row] for row in rows]
    widths = [max(map(len, column)) for column in zip(*texts, strict=True)]
    right = [not isinstance(value, str) for value in rows[1]]
    lines = []
    for row in texts:
        cells = [
            text.rjust(width) if number else text.ljust(width)
            for text, width, number in zip(row, widths, right, strict=True)
        ]
        lines.append("  ".join(cells).rstrip() + "\n")
    return "".join(lines)


def main(arguments: list[str]) -> None:
    """Run the statement after ``-c``."""
    import duckdb

    duckdb.execute(arguments[arguments.index("-c") + 1])


if __name__ == "__main__":
    main(sys.argv[1:])
