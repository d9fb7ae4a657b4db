"""What is read from a jmjp file, and why one is refused: the cases in ``fixtures/jmjp/read``."""

from __future__ import annotations

import pytest
from casefiles import FIXTURES, blocks
from reading import bases, check

from jmjp_convert.formats.jmjp.reader import read_jmjp

FOLDER = FIXTURES / "jmjp" / "read"
BASES = bases(FOLDER / "bases.txt", {})


@pytest.mark.parametrize("file", [path.stem for path in sorted(FOLDER.glob("*.txt")) if path.stem != "bases"])
def test_read(file: str, subtests: pytest.Subtests) -> None:
    """A file gives the values and notices that its case has, or is refused with the place and the message there."""
    for block in blocks(FOLDER / f"{file}.txt", "case"):
        with subtests.test(block.name):
            check(read_jmjp, block, BASES, strict=False)
