"""The documentation: its examples are run, its links followed, its help and options compared with the program.

As a script, this renews the help, the tables of formats and the output of the examples in all pages, and the manual
pages.
"""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Iterator
from pathlib import Path

import click
import docs_pages
import pytest
from docs_pages import (
    LEFT_OUT,
    ROOT,
    Block,
    Page,
    blocks,
    code,
    dead_links,
    example_files,
    generated,
    page,
    pages,
    pattern_of,
    prose,
)
from docs_queries import answers, is_query
from docs_sessions import Run, parts, renewed_page, run_command, run_python, workplace

from jmjp_convert import __version__
from jmjp_convert.cli import COMMANDS, main

MOST_LINES = 122
LONGEST_LINE = 160
TRANSLATED = "README.ja.md"
JAPANESE = "docs/ja/"

posix = pytest.mark.skipif(os.name != "posix", reason="the sessions are those of a POSIX shell")
each_page = pytest.mark.parametrize("name", docs_pages.names())


@pytest.fixture
def run(tmp_path: Path) -> Iterator[Run]:
    """Run programs in a directory that holds the files of the examples, next to a server that has one of them."""
    with workplace(tmp_path) as run:
        yield run


@pytest.mark.parametrize("name", ["README.md", TRANSLATED])
def test_commands_of_a_checkout(name: str) -> None:
    """A README has the two commands for a fresh checkout, and they exist."""
    lines = [line for block in page(name).blocks if block.language == "sh" for line in block.body.splitlines()]
    commands = [line for line in lines if line.startswith("scripts/")]
    assert commands == ["scripts/try", "scripts/test"]
    assert all((ROOT / command).is_file() for command in commands)


@pytest.mark.parametrize("name", ["README.md", TRANSLATED])
def test_readme_is_short(name: str) -> None:
    """A README fits into two minutes of reading."""
    lines = page(name).text.splitlines()
    assert len(lines) <= MOST_LINES
    assert [line for line in lines if len(line) > LONGEST_LINE and line[0] not in "|!["] == []


def test_translation() -> None:
    """The Japanese README has the blocks, pictures and links of the English one, and links to Japanese pages."""

    def skeleton(page_: Page, other: Page) -> tuple[object, ...]:
        elsewhere = {link for link in page_.links if not link.startswith("#") and link != other.name}
        web = {link for link in elsewhere if link.startswith("https://")}
        examples = [(block.mark, block.language, block.body, block.output) for block in page_.blocks]
        linked = {link.partition("#")[0].replace(JAPANESE, "docs/") for link in elsewhere - web}
        return examples, page_.pictures, web, linked, other.name in page_.links

    english, japanese = page("README.md"), page(TRANSLATED)
    assert skeleton(japanese, english) == skeleton(english, japanese)
    assert TRANSLATED in english.links
    translated = {f"docs/{path.name}" for path in ROOT.glob(f"{JAPANESE}*.md")}
    assert translated
    assert not translated & set(japanese.links)
    assert all(row[-1] for row in japanese.table("形式", "拡張子")), "a format is not translated"


def test_every_example_is_run() -> None:
    """Every session, query and Python example is marked to be run, and each of the latter shows its output."""
    queries = [block for block in blocks("sql") if not block.page.startswith("docs/design/")]
    examples = [*blocks("console"), *queries, *blocks("python")]
    assert [str(block) for block in examples if block.mark != "run"] == []
    assert [str(block) for block in blocks("python") if not block.output] == []


@posix
@pytest.mark.parametrize("block", blocks("console"), ids=str)
def test_session(block: Block, run: Run) -> None:
    """Every command of a session writes what is shown below it."""
    for command, expected in parts(block):
        output = run_command(run, command)
        assert re.fullmatch(pattern_of(expected), output, re.DOTALL), output


@pytest.mark.parametrize("block", blocks("python"), ids=str)
def test_python(block: Block, run: Run) -> None:
    """Every Python example prints what is shown below it."""
    assert run_python(run, block) == block.output


@posix
@pytest.mark.parametrize("name", [page_.name for page_ in pages() if any(map(is_query, page_.blocks))])
def test_queries(name: str) -> None:
    """Every query answers what is shown below it."""
    for block, answer in answers(page(name)):
        assert answer == block.output, block


def test_logs_shown() -> None:
    """A log that is shown is the file of the examples, but for line breaks and what is left out."""
    marked = [block for block in blocks("xml") if block.mark.startswith("shows: ")]
    assert marked
    for block in marked:
        content = example_files()[block.mark.removeprefix("shows: ")].read_text(encoding="utf-8")
        assert re.fullmatch(pattern_of(block.body.replace("\n", "")), content.replace("\n", ""), re.DOTALL), block


def test_help_is_complete() -> None:
    """Some page has the help of every command."""
    marks = {block.mark.removeprefix("help: ") for page_ in pages() for block in page_.blocks if "help: " in block.mark}
    assert marks == {"jmjp", *(f"jmjp {name}" for name in COMMANDS)}


def test_generated(subtests: pytest.Subtests) -> None:
    """Help, tables of formats and tables of what they leave out are those of the program."""
    for name in docs_pages.names():
        with subtests.test(name):
            text = page(name).text
            assert generated(text) == text, f"python tests/{Path(__file__).name} renews them"


@pytest.mark.parametrize("name", COMMANDS)
def test_options(name: str) -> None:
    """Every option of a command is mentioned outside its help."""
    words = " ".join([*code(prose()), *(block.body for block in blocks("console"))]).split()
    group = click.Context(main, **main.context_settings)
    command = main.get_command(group, name)
    assert command is not None
    for parameter in command.get_params(click.Context(command, parent=group)):
        if isinstance(parameter, click.Option):
            assert set(parameter.opts) <= set(words)


def test_links(subtests: pytest.Subtests) -> None:
    """Every link leads somewhere: to a file, and to a heading in it."""
    for name in [*docs_pages.names(), "CHANGELOG.md"]:
        with subtests.test(name):
            assert list(dead_links(page(name))) == []


def test_index() -> None:
    """The index of the documentation links to every page next to it, and to every translation."""
    links = {link.partition("#")[0] for link in page("docs/README.md").links}
    translations = {f"ja/{path.name}" for path in ROOT.glob(f"{JAPANESE}*.md")}
    assert {path.name for path in ROOT.glob("docs/*.md")} - {"README.md"} | translations <= links


def test_changelog() -> None:
    """The changelog has this version."""
    assert re.search(rf"^## {re.escape(__version__)}\b", page("CHANGELOG.md").text, re.MULTILINE)


def renew() -> int:
    """Write every page as it should be, print what only a person can mend, and return whether there is any."""
    problems = []
    for page_ in pages():
        text, faults = renewed_page(page_)
        problems += faults
        if text != page_.text:
            page_.path.write_text(text, encoding="utf-8", newline="\n")
            print(f"{page_.name} is renewed")  # noqa: T201 - the script's output
    print("\n".join(problems) or f"no line with {LEFT_OUT} needs a change")  # noqa: T201 - as above
    return 1 if problems else 0


if __name__ == "__main__":
    sys.path.insert(0, str(ROOT / "scripts"))
    import man

    os.environ["JMJP_LANG"] = "en"  # whatever the locale
    man.write(ROOT / "docs" / "man")
    sys.exit(renew())
