"""The mjai files in the fixtures: what is read from each, or where it is rejected.

``fixtures/mjai/README.md`` describes how they were made.
"""

from __future__ import annotations

from pathlib import Path

import pytest
from casefiles import refusals

from jmjp_convert.errors import MjaiError
from jmjp_convert.formats.mjai.reader import read_mjai

FIXTURES = Path(__file__).parent.parent / "fixtures" / "mjai"
VALID = sorted((FIXTURES / "valid").glob("*.mjson"))
INVALID = refusals("mjai")


def name(path: Path) -> str:
    """Return the name of a case."""
    return path.stem


@pytest.mark.parametrize("case", INVALID)
def test_invalid(case: str) -> None:
    """An invalid file is rejected at its line and value, with exactly this message."""
    content, place, reason = INVALID[case]
    with pytest.raises(MjaiError) as rejected:
        read_mjai(content)
    assert rejected.value.about("x.mjson") == f"x.mjson:{place}: {reason}"
