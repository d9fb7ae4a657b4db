"""The pages of the documentation: their blocks, tables and links, and the parts of them that the program writes.

A comment above a block marks it: ``<!-- run -->`` a console session or a Python example, ``<!-- shows: FILE -->`` the
text of an example file, ``<!-- help: COMMAND -->`` the options of a command, ``<!-- formats -->`` a table of the
formats; :mod:`docs_losses` has two more, :mod:`docs_queries` those of queries, :mod:`docs_figures` that of a figure.
``<!-- tables -->`` is above the tables of a data set.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache, cached_property
from pathlib import Path
from typing import Any, NamedTuple

from click.testing import CliRunner
from docs_figures import with_figures
from docs_losses import with_losses

from jmjp_convert.cli import main
from jmjp_convert.convert import Writing
from jmjp_convert.dataset.schema import TABLES, Column, DataTable
from jmjp_convert.formats import FORMATS
from jmjp_convert.formats.format import About, Format
from jmjp_convert.stats.counts import RATES

ROOT = Path(__file__).parent.parent
LEFT_OUT = "…"

_BLOCK = re.compile(
    r"^(?:<!-- (?P<mark>[^\n]+) -->\n)?```(?P<language>\w*)\n(?P<body>.*?)^```$"
    r"(?:\n\n```text\n(?P<output>.*?)^```$)?",
    re.MULTILINE | re.DOTALL,
)
_HELP = re.compile(r"(?<=^<!-- help: )([a-z ]+)( -->\n```text\n).*?(?=^```$)", re.MULTILINE | re.DOTALL)
_GROUP = re.compile(r"[A-Za-z0-9][\w -]*:\n")
_RATES = re.compile(r"(<!-- rates -->\n(?:\|.*\n){2})(?:\|.*\n)*")
_TABLES = re.compile(r"(<!-- tables -->\n).*?(?=<!-- end of tables -->)", re.DOTALL)
_FORMATS = re.compile(r"(<!-- formats(?:: ([a-z ]+))? -->\n(?:\|.*\n){2})((?:\|.*\n)*)")
_CODE = re.compile(r"`([^`\n]+)`")
_CELLS = re.compile(r"(?<!\\)\|")
_HEADING = re.compile(r"^#+ (.+?)\s*$", re.MULTILINE)
_LINK = re.compile(r'(!?)\[[^\]]*\](?:\(([^)\s]+)(?:\s+"[^"]*")?\)|: +(\S+)$)', re.MULTILINE)
_ALL_COLUMNS = "name file used keeps lacks"


class Block(NamedTuple):
    """A fenced block of *page*: its *line*, the *mark* in the comment above, its *language* and *body*, the *output*
    shown below it, and the positions of both in the text."""

    page: str
    line: int
    mark: str
    language: str
    body: str
    output: str
    body_span: tuple[int, int]
    output_span: tuple[int, int]

    def __str__(self) -> str:
        return f"{self.page}:{self.line}"


class Page:
    """A page of Markdown.

    :param name: its path from the root of the repository.
    """

    def __init__(self, name: str) -> None:
        self.name = name
        self.path = ROOT / name
        self.text = self.path.read_text(encoding="utf-8")

    @cached_property
    def blocks(self) -> list[Block]:
        """The fenced blocks."""
        return [
            Block(
                self.name,
                self.text.count("\n", 0, match.start()) + 1,
                match["mark"] or "",
                match["language"],
                match["body"],
                match["output"] or "",
                match.span("body"),
                match.span("output"),
            )
            for match in _BLOCK.finditer(self.text)
        ]

    @cached_property
    def prose(self) -> str:
        """The text without its blocks."""
        return _BLOCK.sub("", self.text)

    @cached_property
    def anchors(self) -> set[str]:
        """The anchors of the headings, as GitHub makes them."""
        seen: dict[str, int] = {}
        anchors = set(re.findall(r'<a (?:id|name)="([^"]+)"', self.prose))
        for title in _HEADING.findall(self.prose):
            plain_title = _LINK.sub(lambda link: link[0][1:].partition("]")[0], title)
            anchor = re.sub(r"[^\w -]", "", plain_title.lower()).replace(" ", "-")
            count = seen[anchor] = seen.get(anchor, -1) + 1
            anchors.add(f"{anchor}-{count}" if count else anchor)
        return anchors

    def _targets(self, *, pictures: bool) -> list[str]:
        without_code = _CODE.sub("", self.prose)
        return [inline or below for mark, inline, below in _LINK.findall(without_code) if bool(mark) == pictures]

    @property
    def links(self) -> list[str]:
        """The targets of the links, in their order."""
        return self._targets(pictures=False)

    @property
    def pictures(self) -> list[str]:
        """The paths of the pictures, in their order."""
        return self._targets(pictures=True)

    def table(self, *head: str) -> list[list[str]]:
        """Return the rows, each a list of cells, of the table that begins with these columns; there are some."""
        _, _, rest = self.text.partition(f"\n| {' | '.join(head)} |")
        rows = [cells(line) for line in rest.partition("\n\n")[0].splitlines()[2:]]
        assert rows, f"{self.name} has no table that begins with {head}"
        return rows


@cache
def page(name: str) -> Page:
    """Return the page of that path from the root of the repository."""
    return Page(name)


def names() -> list[str]:
    """Return the paths of all pages: the READMEs and those in ``docs``."""
    paths = [*ROOT.glob("README*.md"), *ROOT.glob("docs/**/*.md")]
    return sorted(path.relative_to(ROOT).as_posix() for path in paths)


def pages() -> list[Page]:
    """Return all pages."""
    return [page(name) for name in names()]


def blocks(language: str) -> list[Block]:
    """Return the blocks of *language* in all pages; there are some."""
    listed = [block for page_ in pages() for block in page_.blocks if block.language == language]
    assert listed
    return listed


def prose() -> str:
    """Return all pages without their blocks."""
    return "\n".join(page_.prose for page_ in pages())


def cells(line: str) -> list[str]:
    """Return the cells of a row of a table."""
    return [cell.strip() for cell in _CELLS.split(line)[1:-1]]


def code(text: str) -> list[str]:
    """Return what is marked as code in *text*."""
    return _CODE.findall(text)


def pattern_of(text: str) -> str:
    """Return a pattern for *text*, in which each `…` is for something left out."""
    return ".*?".join(map(re.escape, text.split(LEFT_OUT)))


def example_files() -> dict[str, Path]:
    """Return the files with which every session begins, by name."""
    rows = page("docs/README.md").table("name", "file")
    return {code(name)[0]: ROOT / code(path)[0] for name, path in rows}


def generated(text: str) -> str:
    """Return *text* with the parts that the program writes: help and tables."""
    return with_figures(with_help(with_formats(with_losses(with_rates(with_columns(text))))))


def with_columns(text: str) -> str:
    """Return *text* with the tables of a data set and their columns, where it marks them."""
    explained: set[Column] = set()
    return _TABLES.sub(lambda match: match[1] + "\n".join(_table(table, explained) for table in TABLES), text)


def _table(table: DataTable, explained: set[Column]) -> str:
    """Return what the documentation says of a *table*, without the columns that an earlier one has *explained*."""
    key, above = (
        ", ".join(f"`{name}`" for name in names)
        for names in (table.key, [column.name for column in table.columns if column in explained])
    )
    rows = "".join(
        f"| `{column.name}` | {column.type} | {column.unit} | {column.doc} | {column.null} |\n".replace("|  |", "| |")
        for column in table.columns
        if column not in explained
    )
    explained.update(table.columns)
    return (
        f"### {table.name}\n\nA row is {table.doc[0].lower()}{table.doc[1:]} Its key: {key}."
        f"{f' Columns as above: {above}.' if above else ''}\n\n"
        f"| column | type | unit | what | null if |\n| --- | --- | --- | --- | --- |\n{rows}"
    )


def with_rates(text: str) -> str:
    """Return *text* with a row for each rate of players in its table of rates."""
    rows = "".join(f"| {rate.english} | `{rate.key}` | `{rate.of}` / `{rate.by}` |\n" for rate in RATES)
    return _RATES.sub(lambda match: match[1] + rows, text)


def with_help(text: str) -> str:
    """Return *text* with the usage and the options of the commands in its help blocks.

    What a page says elsewhere, the help of a command leaves out here: descriptions, examples, exit codes, ``--help``,
    and the groups of options that an earlier command has too.
    """
    first: dict[str, str] = {}

    def renewed(match: re.Match[str]) -> str:
        arguments = match[1].split()[1:]
        output = CliRunner().invoke(main, [*arguments, "--help"], catch_exceptions=False).output
        return match[1] + match[2] + (_options(output, match[1], first) if arguments else output)

    return _HELP.sub(renewed, text)


def _options(output: str, command: str, first: dict[str, str]) -> str:
    """Return what the help of *command* says of its options, apart from groups that *first* has, by their text."""
    usage, *rest = output.split("\n\n")
    groups = [part.rstrip("\n") for part in rest if _GROUP.match(part) and not part.startswith("Other options:")]
    listed = [group for group in groups if first.setdefault(group, command) == command]
    shared: dict[str, list[str]] = {}
    for group in groups:
        if first[group] != command:
            shared.setdefault(first[group], []).append(group.partition(":")[0])
    lines = [f"{', '.join(titles)}: as for {other}" for other, titles in shared.items()]
    return "\n\n".join([usage, *listed, *(["\n".join(lines)] if lines else [])]).rstrip("\n") + "\n"


def with_formats(text: str) -> str:
    """Return *text* with a row for each format in its tables of formats.

    The mark names the columns that are generated, ``<!-- formats: name file reads -->``; without any, it is the table
    of what is written. Further columns are kept as they are.
    """

    def renewed(match: re.Match[str]) -> str:
        columns = (match[2] or _ALL_COLUMNS).split()
        kept = {row[0]: row[len(columns) :] for row in map(cells, match[3].splitlines())}
        more = len(cells(match[1].splitlines()[1])) - len(columns)
        rows = []
        for format_ in FORMATS.values():
            if format_.write is not None or "reads" in columns:
                made = [_cell(format_, column) for column in columns]
                row = [*made, *kept.get(made[0], [""] * more)]
                rows.append("".join(f"| {cell} " if cell else "| " for cell in row) + "|\n")
        return match[1] + "".join(rows)

    return _FORMATS.sub(renewed, text)


def _cell(format_: Format, column: str) -> str:
    """Return what the table of formats says of *format_* in *column*."""
    if column == "name":
        return f"`{format_.name}`"
    if column == "file":
        options: dict[str, Any] = {"frame": "E3-1"} if "frame" in [option.name for option in format_.options] else {}
        suffixes = [Writing(format_.name, **options).suffix] if format_.write else format_.suffixes or format_.shared
        return ", ".join(f"`{suffix}`" for suffix in suffixes)
    if column in ("reads", "writes"):
        return "✓" if (format_.read if column == "reads" else format_.write) else ""
    about = format_.about or About("Tenhou", "", "")
    return {"used": about.read_by, "keeps": about.keeps, "lacks": about.drops}[column]


def dead_links(page_: Page) -> Iterator[str]:
    """Yield the links and pictures of a page that lead nowhere in the repository."""
    for target in [*page_.links, *page_.pictures]:
        if target.startswith(("https://", "http://", "mailto:")):
            continue
        name, _, anchor = target.partition("#")
        path = (page_.path.parent / name).resolve() if name else page_.path
        there = path.exists() and path.is_relative_to(ROOT)
        if not there or (anchor and anchor not in page(path.relative_to(ROOT).as_posix()).anchors):
            yield target
