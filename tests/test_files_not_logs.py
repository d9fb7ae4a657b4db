"""What lies between logs in directories and archives, and is skipped."""

from __future__ import annotations

import json
import zipfile
from collections import Counter
from pathlib import Path

import pytest
from batching import batch, counted, games, outputs, summary, work_there  # noqa: F401 - found by its name
from packing import PLAIN, game, tarred, zipped
from tables import table

from jmjp_convert.files import archives
from jmjp_convert.files.archives.entry import File, Passed
from jmjp_convert.files.archives.not_logs import REASONS, by_content, by_name
from jmjp_convert.formats import suffix_of

VERSIONS = "a file of version control"
SYSTEM, BATCH = "a file of the operating system", "a file that batch wrote"
NAMES = dict(table("files_not_logs", "names"))
"""Files that are no logs by their names, and what they are."""


@pytest.mark.parametrize("name", NAMES)
def test_by_name(name: str) -> None:
    """Files of systems, of version control and of ours, and readmes, are recognised by their names, in any case."""
    for each in (name, name.upper(), name.replace("/", "\\")):
        if "assets" not in each.lower() or each == name or "\\" in each:
            assert by_name(each) == NAMES[name]
    assert suffix_of(name) in ("", ".txt") or NAMES[name] in (SYSTEM, VERSIONS)


@pytest.mark.parametrize("kind", ["directory", "zip", "tar"])
def test_skipped(kind: str) -> None:
    """They are skipped in a directory, zip or tar, and counted; the logs between them are converted."""
    members = {**dict.fromkeys(NAMES, b"x"), f"{game(1)}.xml": PLAIN, "readme.xml": PLAIN}
    if kind == "zip":
        zipped(members, Path("a"))
    elif kind == "tar":
        tarred(members, Path("a"))
    for name, content in members.items() if kind == "directory" else ():
        Path("a", name).parent.mkdir(parents=True, exist_ok=True)
        Path("a", name).write_bytes(content)
    said = batch("a", "-o", "out").stderr
    assert summary() == counted(converted=2, skipped=dict(Counter(NAMES.values())))
    counts = (
        "2 files of data sets, 6 files of the operating system, 4 version control files, 3 files that batch wrote, "
        "4 pages of jmjp, 9 readmes"
    )
    assert f"2 converted, 0 already there, 28 skipped ({counts}), 0 failed\n" in said
    batch("a", "-o", "out")
    assert summary() == counted(already_there=2, skipped=dict(Counter(NAMES.values())))


def test_own_batch_in_a_zip() -> None:
    """Of the outputs of a batch in a zip, the ledger, the summary and the list of failures are skipped."""
    games(2)
    Path("bad.xml").write_bytes(b"<mjloggm>")
    for name, sources, code in (("good", ["games.zip"], 0), ("bad", ["games.zip", "bad.xml"], 1)):
        batch(*sources, "-o", name, code=code)
        with zipfile.ZipFile(f"{name}.zip", "w") as archive:
            for path in sorted(Path(name).rglob("*")):
                archive.write(path)
        batch(f"{name}.zip", "-o", f"{name}-again", "--to", "json")
        assert summary(f"{name}-again") == counted(converted=2, skipped={BATCH: 3})


def test_similar_contents() -> None:
    """Other JSON and HTML is not taken for ours."""
    for content in (b'{"source": 1, "member": 2}', b'{"converted": 1}', b"<!DOCTYPE html><html></html>", PLAIN, b""):
        assert by_content(content, "a") == ""
    assert by_content(b"", "failures.jsonl") == BATCH


def test_reasons_have_names() -> None:
    """Each reason is counted by a name of its own in the summary."""
    from jmjp_convert.batch.summary import Summary

    summary = Summary()
    summary.skipped.update(REASONS)
    line = summary.lines()[0]
    assert all(f"1 {reason}" not in line for reason in REASONS)
    assert json.dumps(summary.values()["skipped"])


def test_links_and_special_files() -> None:
    """The name decides before the file is opened."""
    Path("d/.git").mkdir(parents=True)
    Path("d/.git/gone").symlink_to("nowhere")
    Path("d/a.xml").write_bytes(PLAIN)
    fetches = [entry.fetch for entry in archives.entries("d", 1 << 20)]
    assert fetches == [Passed(VERSIONS), File(str(Path("d/a.xml").absolute()))]
