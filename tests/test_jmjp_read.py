"""What is read from a jmjp file, and why one is refused: the cases in ``fixtures/jmjp/read``."""

from __future__ import annotations

import pytest
from casefiles import FIXTURES, blocks
from jmjp_texts import EAST, HEAD, frame
from reading import bases, check

from jmjp_convert.formats.jmjp.reader import read_jmjp
from jmjp_convert.model.record import replace

FOLDER = FIXTURES / "jmjp" / "read"
BASES = bases(FOLDER / "bases.txt", {})


@pytest.mark.parametrize("file", [path.stem for path in sorted(FOLDER.glob("*.txt")) if path.stem != "bases"])
def test_read(file: str, subtests: pytest.Subtests) -> None:
    """A file gives the values and notices that its case has, or is refused with the place and the message there."""
    for block in blocks(FOLDER / f"{file}.txt", "case"):
        with subtests.test(block.name):
            check(read_jmjp, block, BASES, strict=False)


def test_white_space_means_nothing() -> None:
    """White space of any kind is allowed between any two characters outside strings."""
    text = f"jmjp[1.0]({HEAD}{frame('(e,9m,)', e=f'{EAST},9m')})"
    for space in (" ", "\n", "\r\n", "\t", "\u3000", "\x0c", "\u00a0", "//)\n", "// tenhou\n"):
        (spaced,), (plain,) = read_jmjp(space.join(text).encode()), read_jmjp(text.encode())
        # Comments in the play are notes.
        assert replace(spaced, frames=tuple(replace(one, notes=()) for one in spaced.frames)) == plain
