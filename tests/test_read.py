"""What is read from a file, and why one is refused: the cases in the folders `read` of the fixtures of each format.

`fixtures/README.md` describes their form.
"""

from __future__ import annotations

from pathlib import Path

import pytest
from casefiles import EXTENSIONS, FIXTURES, blocks, sound
from reading import bases, check

from jmjp_convert.formats import FORMATS

FILES = [path for path in sorted(FIXTURES.glob("*/read/*.txt")) if path.stem != "bases"]


@pytest.mark.parametrize("path", FILES, ids=lambda path: f"{path.parts[-3]}-{path.stem}")
def test_read(path: Path, subtests: pytest.Subtests) -> None:
    """A file gives the values and notices that its case has, or is refused with the place and the message there."""
    folder = path.parts[-3]
    assert folder in EXTENSIONS
    read = FORMATS[folder].read
    assert read is not None
    files = sound(folder)
    if (made := path.with_name("bases.txt")).exists():
        files = bases(made, files)
    for block in blocks(path, "case"):
        with subtests.test(block.name):
            check(read, block, files, strict=False)
