"""Cases of what is read from a file, and why one is refused: edits of small files, with what is expected of them.

`fixtures/README.md` describes their form.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import pytest
from casefiles import Block, blocks, content
from described import at

from jmjp_convert.errors import ConvertError
from jmjp_convert.formats.json.writer import write_json
from jmjp_convert.model.match import frame_name

EXPECTED = ("as: ", "found: ", "frames: ", "given ", "notice: ", "refused: ", "strictly: ", "/")
"""How the lines of a case begin that are no edits."""


def bases(path: Path, others: Mapping[str, bytes]) -> dict[str, bytes]:
    """Return the files that cases start from: *others*, and those of the blocks at *path*."""
    files = dict(others)
    own = blocks(path, "base")
    assert len({block.name for block in own}) == len(own)
    for block in own:
        files[block.name] = content(block, files)
    return files


def check(read: Callable[..., Any], block: Block, files: Mapping[str, bytes], *, strict: bool) -> None:
    """Check what is read of a case; with *strict*, also that it is refused for what is reported otherwise."""
    lines = {start: [line for line in block.lines if line.startswith(start)] for start in EXPECTED}
    text = content(block._replace(lines=[line for line in block.lines if not line.startswith(EXPECTED)]), files)
    options = dict(word.split("=") for line in lines["given "] for word in line.split()[1:])
    if lines["refused: "]:
        with pytest.raises(ConvertError) as refused:
            read(text, **options)
        assert [f"refused: {refused.value}"] == lines["refused: "]
        return
    notices: list[str] = []
    if problems := lines["found: "]:
        errors: list[ConvertError] = []
        found = write_json(read(text, finding=errors.append, **options))
        assert [f"found: {error}" for error in errors] == problems
        with pytest.raises(ConvertError) as refused:
            read(text, **options)
        assert f"found: {refused.value}" == problems[0]
    else:
        found = write_json(read(text, notice=notices.append, **options))
    assert [f"notice: {notice}" for notice in notices] == lines["notice: "]
    assert problems or notices or lines["/"] or lines["as: "]
    for line in lines["as: "]:
        assert found == write_json(read(files[line.removeprefix("as: ")], **options))
    for line in lines["frames: "]:
        starts = [value for value in map(json.loads, found.splitlines()) if value["type"] == "frame"]
        assert line == f"frames: {' '.join(frame_name(value['round'], value['honba']) for value in starts)}"
    for path, _, value in (line.partition(": ") for line in lines["/"]):
        assert json.loads(at(found, path)) == json.loads(value), path
    if problems or not strict:
        return
    if notices:
        with pytest.raises(ConvertError) as refused:
            read(text, strict=True, **options)
        assert f"{refused.value} ignored".endswith(notices[0])
        assert lines["strictly: "] in ([], [f"strictly: {refused.value}"])
    else:
        assert write_json(read(text, strict=True, **options)) == found
