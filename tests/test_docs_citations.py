"""Citations of pages in docstrings, comments and fixtures lead to a page of this repository, and to a heading of it.

A page is cited by its path from the root, and its sections by titles or numbers after a comma, a colon or a space:
``docs/design/scoring.md``, Payments; Final result. Or ``docs/design/formats.md`` 1.
"""

from __future__ import annotations

import ast
import io
import re
import tokenize
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import NamedTuple

import pytest
from tables import table

ROOT = Path(__file__).parent.parent
SOURCES = sorted(
    path
    for folder, suffixes in {
        "jmjp_convert": [".py", ".js", ".css"],
        "scripts": [".py"],
        "tests": [".py"],
        "fixtures": [".md", ".txt"],
    }.items()
    for path in (ROOT / folder).rglob("*")
    if path.suffix in suffixes
)

_CITED = re.compile(r"(?<![\w/.-])(?P<page>[\w./-]+\.md)\b`{0,2}(?P<after>[^`]*)")
_HEADING = re.compile(r"^#+ (?:(?P<number>\d+)\. )?(?P<title>.+?)\s*$", re.MULTILINE)
_NUMBERS = re.compile(r"[,:]?\s+(?:(?:sections?|items?)\s+)?(?P<numbers>\d+\b(?:(?:,| and| to|, and)\s+\d+\b)*)")
_COMMENT_MARK = re.compile(r"\n\s*(?:#|//|\*)?\s*")


class Citation(NamedTuple):
    """A page that is cited in a *source*, and the text *after* it."""

    source: str
    page: str
    after: str


def python_prose(source: str) -> Iterator[str]:
    """Yield the docstrings and the comments of a Python module; comments on consecutive lines are one."""
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant) and isinstance(node.value.value, str):
            yield node.value.value
    comment: list[str] = []
    row = 0
    for token in tokenize.generate_tokens(io.StringIO(source).readline):
        if token.type == tokenize.COMMENT:
            if token.start[0] > row + 1:
                yield "\n".join(comment)
                comment = []
            comment.append(token.string)
            row = token.start[0]
    yield "\n".join(comment)


def prose(path: Path) -> Iterator[str]:
    """Yield the texts of a file in which pages may be cited."""
    source = path.read_text(encoding="utf-8")
    if path.suffix == ".py":
        if ".md" in source:  # to tell comments from code takes longer than all else
            yield from python_prose(source)
    elif path.suffix == ".txt":
        yield "\n".join(line for line in source.splitlines() if line.startswith("#"))
    else:
        yield source


def citations(text: str, source: str = "") -> Iterator[Citation]:
    """Yield the citations in *text*."""
    for cited in _CITED.finditer(_COMMENT_MARK.sub(" ", text)):
        yield Citation(source, cited["page"], cited["after"])


@cache
def headings(page: str) -> tuple[frozenset[str], frozenset[str]]:
    """Return the titles of the headings of *page*, in lower case, and their numbers."""
    listed = [*_HEADING.finditer((ROOT / page).read_text(encoding="utf-8"))]
    return frozenset(heading["title"].lower() for heading in listed), frozenset(
        heading["number"] for heading in listed if heading["number"]
    )


def unknown_sections(citation: Citation) -> Iterator[str]:
    """Yield the sections that a citation names and its page does not have."""
    titles, numbers = headings(citation.page)
    rest = citation.after
    numbered = _NUMBERS.match(rest)
    if numbered:
        yield from set(re.findall(r"\d+", numbered["numbers"])) - numbers
        return
    separator = re.match(r"[,:]\s+", rest)
    while separator:
        rest = rest[separator.end() :]
        named = [title for title in titles if re.match(rf"{re.escape(title)}\b", rest.lower())]
        if not named:
            if re.match(r"[A-Z][a-z]", rest):
                yield rest[:40]
            return
        rest = rest[len(max(named, key=len)) :]
        separator = re.match(r"(?:[,;]| and)\s+", rest)


def test_citations() -> None:
    """Every page that a file cites is in the repository, by its path from the root, and so is every section."""
    cited = [
        citation
        for path in SOURCES
        for text in prose(path)
        for citation in citations(text, path.relative_to(ROOT).as_posix())
    ]
    assert {citation.source.partition("/")[0] for citation in cited} >= {"jmjp_convert", "scripts", "tests"}
    assert [citation for citation in cited if not (ROOT / citation.page).is_file()] == []
    unknown = [(citation.source, citation.page, [*unknown_sections(citation)]) for citation in cited]
    assert [where for where in unknown if where[-1]] == []


def test_design_pages_are_listed() -> None:
    """The index of the design notes links every one of them."""
    folder = ROOT / "docs" / "design"
    index = (folder / "README.md").read_text(encoding="utf-8")
    linked = re.findall(r"^\| \[[\w-]+\.md\]\(([\w-]+\.md)\) \|", index, re.MULTILINE)
    assert sorted([*linked, "README.md"]) == sorted(path.name for path in folder.glob("*.md"))


@pytest.mark.parametrize(("text", "unknown"), table("docs_citations", "sections"))
def test_sections(text: str, unknown: list[str]) -> None:
    """Sections are recognised by title and by number, and ordinary words are not taken for them."""
    (citation,) = citations(text)
    assert list(unknown_sections(citation)) == unknown
