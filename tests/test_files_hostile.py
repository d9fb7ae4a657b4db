"""Nothing in an input ends a run: whatever it is, it is one failure, and the rest is converted."""

from __future__ import annotations

from pathlib import Path

from batching import (
    batch,
    counted,
    failures,
    outputs,
    summary,
    work_there,  # noqa: F401 - pytest finds it by its name
)
from packing import PLAIN, game

from jmjp_convert.formats.jmjp.writer import write_jmjp
from jmjp_convert.formats.mjlog.reader import read_mjlog

GAME = f"{game(1)}.xml"

# --- detection --------------------------------------------------------------------------------------------------------


def test_texts_that_begin_like_jmjp() -> None:
    """Only a file with the header of jmjp is skipped as jmjp already; texts that merely begin like it fail."""
    Path("in").mkdir()
    texts = {"junk": "junk text", "passwd": "/etc/passwd\n", "comment": "// a comment\n", "cut": "jmjp"}
    for name, text in texts.items():
        Path("in", name).write_text(text, encoding="utf-8")
    Path("in/real.jmjp").write_text("// a comment\n" + write_jmjp(read_mjlog(PLAIN)), encoding="utf-8")
    batch("in", "-o", "out", code=1)
    assert summary() == counted(skipped={"jmjp already": 1}, failed={"not-a-log": 4})
    assert {Path(one["source"]).name for one in failures()} == texts.keys()
    assert outputs() == {}
