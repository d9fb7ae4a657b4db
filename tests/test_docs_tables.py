"""The tables of the documentation are those of the program, and what they explain occurs."""

from __future__ import annotations

import inspect
import re
from typing import get_args

import pytest
from docs_losses import REWORDING, holders
from docs_pages import ROOT, cells, code, example_files, page, pattern_of
from docs_sessions import merge
from tables import table

import jmjp_convert
from jmjp_convert import dumps, errors, model, read, write
from jmjp_convert.batch.summary import Summary
from jmjp_convert.batch.worker import KINDS, Failure
from jmjp_convert.cli import FAILED, INTERRUPTED, USAGE_ERROR
from jmjp_convert.fetch import runs as fetch
from jmjp_convert.files import compression
from jmjp_convert.formats.jmjp.notation import DEFAULT_DIALECT, DIALECTS
from jmjp_convert.formats.jmjp.writer import write_jmjp
from jmjp_convert.formats.mjlog.reader import read_mjlog
from jmjp_convert.model.record import fields
from jmjp_convert.play.ponds import Thrown
from jmjp_convert.table import walk

FORMAT_PAGE = "docs/jmjp.md"
OUTPUTS = sorted((ROOT / "fixtures" / "valid").glob("*.jmjp"))


def test_exit_codes() -> None:
    """The exit codes are those of the command."""
    assert [int(row[0]) for row in page("docs/cli.md").table("code", "meaning")] == [
        *(0, FAILED, USAGE_ERROR, INTERRUPTED)
    ]


def test_side_by_side() -> None:
    """Each cell of the side-by-side table occurs in the log or in its conversion."""
    log = example_files()["log.xml"]
    texts = log.read_text(encoding="utf-8"), write_jmjp(read_mjlog(log.read_bytes(), file_name="log.xml"))
    for row in page(FORMAT_PAGE).table("mjlog", "jmjp", "what it says"):
        for text, cell in zip(texts, row, strict=False):
            assert all(re.search(pattern_of(part), text) for part in code(cell)), cell


def test_turns() -> None:
    """Every turn and meld explained occurs in a fixture."""
    texts = [path.read_text(encoding="utf-8") for path in OUTPUTS]
    for cell, _ in page(FORMAT_PAGE).table("jmjp", "what it says"):
        assert any(all(part in text for part in code(cell)) for text in texts), cell


def test_dialects() -> None:
    """The dialects are those of the writer, with their headers and the default."""
    rows = page(FORMAT_PAGE).table("`--spec`", "header")
    assert {code(row[0])[0]: code(row[1]) for row in rows} == {
        name: [f"jmjp[{dialect.version}]"] for name, dialect in DIALECTS.items()
    }
    assert [code(row[0])[0] for row in rows if "(default)" in row[0]] == [DEFAULT_DIALECT]


def test_comments() -> None:
    """Every key of the `// tenhou` comments in the fixtures is explained."""
    comments = [line for path in OUTPUTS for line in re.findall("// tenhou.*", path.read_text(encoding="utf-8"))]
    keys = set(re.findall(r" (\w+)=", "\n".join(comments)))
    assert keys
    explained = " ".join(code(page(FORMAT_PAGE).prose))
    assert not [key for key in keys if not re.search(rf"\b{key}=", explained)]


def test_losses() -> None:
    """The tables of what is left out or reworded have every format that loses something."""
    losing = {format_.name for format_ in holders() if format_.write is not None}
    assert losing == {"jmjp", *REWORDING}, "add the format to the table of what is written differently"
    rows = page("docs/design/losses.md").table("written differently", *REWORDING)
    assert {len(row) for row in rows} == {1 + len(REWORDING)}


def test_events() -> None:
    """Every event of the model is named."""
    assert {event.__name__ for event in get_args(model.Event)} <= set(code(page("docs/python.md").prose))


def test_attributes_of_events() -> None:
    """The table of the attributes of events has those of each event that has no table of its own."""
    rows = [
        (code(cell), code(cell.partition(" in ")[0]))
        for cell, _ in page("docs/python.md").table("attributes of an event", "meaning")
    ]
    for event in {*get_args(model.Event)} - {model.Win, model.Ryuukyoku}:
        explained = {name for named, names in rows for name in names if event.__name__ in named}
        assert explained == set(fields(event)) - {"player"}, event


def test_arguments() -> None:
    """The table of arguments has those of the functions, in their order."""
    rows = page("docs/python.md").table("function", "argument")
    named = [code(row[1])[0] for row in rows]
    functions = (read, dumps, write)
    assert named == [name for function in functions for name in inspect.signature(function).parameters]


def test_tables_attributes() -> None:
    """A table in play has every attribute that the documentation explains."""
    frame = read(example_files()["log.xml"])[0].frames[0]
    dealt, _ = next(walk(model.Rules(), frame))
    rows = page("docs/python.md").table("attribute of a table", "meaning")
    explained = [name.removesuffix("()") for cell, _ in rows for name in code(cell)]
    assert [name for name in explained if not hasattr(dealt, name)] == []


@pytest.mark.parametrize(
    "kind", [model.Match, model.Frame, model.Start, model.Player, model.Win], ids=lambda kind: kind.__name__
)
def test_attributes(kind: type) -> None:
    """The table of a class has all its fields and properties, and nothing else."""
    rows = page("docs/python.md").table(f"attribute of a `{kind.__name__}`", "meaning")
    properties = {name for name, _ in inspect.getmembers(kind, inspect.isdatadescriptor) if not name.startswith("_")}
    expected = properties.union(fields(kind))
    assert sorted(name for cell, _ in rows for name in code(cell)) == sorted(expected)


def test_thrown() -> None:
    """The row of the ponds names every attribute of a tile in them."""
    (row,) = [row for row in page("docs/python.md").table("attribute of a table", "meaning") if row[0] == "`ponds`"]
    assert {*Thrown._fields} <= set(code(row[1]))


def test_errors() -> None:
    """The table of errors has every public one, with attributes that it has."""
    rows = page("docs/python.md").table("error", "raised for", "attributes")
    named = {code(row[0])[0]: code(row[2]) for row in rows}
    public = {name for name in dir(jmjp_convert) if name.endswith("Error")} - {"ConvertError"}
    assert named.keys() == public | {"UnprovenError", "ArchiveError", "MissingExtraError"}
    for name, attributes in named.items():
        known = inspect.signature(getattr(compression if name == "ArchiveError" else errors, name)).parameters
        assert set(attributes) <= set(known), name


def test_reports_of_a_batch() -> None:
    """The keys of the reports of a batch are those that the tables explain."""
    batch = page("docs/batch.md")
    failure = batch.table("key of a failure", "meaning")
    entry = ("source", "member", "log_id")
    assert [key for row in failure for key in code(row[0])] == [*entry, *Failure._fields, "times"]
    summary = batch.table("key of the summary", "meaning")
    assert {key for row in summary for key in code(row[0])} == set(Summary().values())


def test_kinds_of_failures() -> None:
    """Every kind of failure of a batch is explained."""
    rows = page("docs/batch.md").table("`kind`", "meaning")
    explained = {kind for row in rows for kind in code(row[0])}
    assert {*(kind for _, kind in KINDS), "play", "crash", "memory", "internal"} <= explained


def test_report_of_a_fetch() -> None:
    """The keys and kinds in the report of a fetch are explained."""
    explained = set(code(page("docs/fetch.md").prose))
    assert {*fetch.Failure._fields, fetch.MISSING, fetch.FETCH, fetch.CONVERT, fetch.INPUT} <= explained


@pytest.mark.parametrize("expected", ["", "one\n", "one\n…\nfour\n", "o…\nfour\n", "…e\ntwo\nthree\n…\n", "…\n"])
def test_what_matches_stays(expected: str) -> None:
    """Text that matches is kept, with what it leaves out."""
    actual = "one\ntwo\nthree\nfour\n" if "…" in expected else expected
    assert merge(expected, actual) == (expected, [])


def test_complete_text_is_replaced() -> None:
    """Text that leaves nothing out becomes the output."""
    assert merge("a is b\nc\n", "a was b\n") == ("a was b\n", [])


@pytest.mark.parametrize(("expected", "actual", "merged"), table("docs_tables", "other_lines_are_renewed"))
def test_other_lines_are_renewed(expected: str, actual: str, merged: str) -> None:
    """Around lines that leave something out and still match, the rest is renewed."""
    assert merge(expected, actual) == (merged, [])


def test_what_no_longer_matches_is_reported() -> None:
    """A line that leaves something out and no longer matches stays, and is a problem."""
    text, problems = merge("games: 3\n… seconds\n", "3 games\n0.4 s in all\n")
    assert text == "3 games\n… seconds\n"
    assert problems == ["expected '… seconds', found '0.4 s in all'"]


def test_cells() -> None:
    """A bar that is escaped does not end a cell."""
    assert cells(r"| `a\|b` | | c |") == [r"`a\|b`", "", "c"]
