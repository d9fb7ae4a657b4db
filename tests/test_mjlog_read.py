"""What is read from an mjlog, and why one is refused: the cases in ``fixtures/mjlog``.

`fixtures/README.md` describes their form.
"""

from __future__ import annotations

import pytest
from casefiles import blocks
from mjlog_logs import (
    FIXTURES,
    FRAME,
    TURN,
    Read,
    init,
    log,
    read,  # noqa: F401 - pytest finds it by its name
    ryuukyoku,
)
from reading import bases, check

from jmjp_convert.errors import MjlogError
from jmjp_convert.formats.mjlog.reader import read_mjlog

FOLDER = FIXTURES / "mjlog"
LOGS = {path.stem: path.read_bytes() for path in (FIXTURES / "valid").glob("*.xml")}
BASES = bases(FOLDER / "bases.txt", LOGS | {"sanma": (FIXTURES / "invalid" / "sanma.xml").read_bytes()})


@pytest.mark.parametrize("file", [path.stem for path in sorted(FOLDER.glob("*.txt")) if path.stem != "bases"])
def test_read(read: Read, file: str, subtests: pytest.Subtests) -> None:
    """A log gives the values and notices that its case has, or is refused with the place and the message there."""
    for block in blocks(FOLDER / f"{file}.txt", "case"):
        with subtests.test(block.name):
            check(read, block, BASES, strict=True)


MANY = " ".join(f'a{number}=""' for number in range(100))


@pytest.mark.parametrize(
    ("content", "place"),
    [
        (log('<TAIKYOKU oya="0"/>', f"<A {MANY}/>", FRAME), "element 2 <A …>"),
        (log('<GO type="9"/>', init(), TURN, f"<DORA {MANY}/>"), "frame E1-0, element 5 <DORA …>"),
    ],
)
def test_many_attributes(read: Read, content: bytes, place: str) -> None:
    """An element with very many attributes is rejected without showing them."""
    with pytest.raises(MjlogError) as refused:
        read(content)
    assert str(refused.value) == f"{place}: element with more than 64 attributes"


def test_frame_after_the_result(read: Read) -> None:
    """A frame after the final result is rejected."""
    owari = "250,5.0,250,5.0,250,5.0,250,-15.0"
    content = log(init(), TURN, ryuukyoku(owari=owari), init(seed="0,1,0,0,1,135"), TURN, ryuukyoku(ba="1,0"))
    reason = "a frame begins after the final result (owari)"
    with pytest.raises(MjlogError) as refused:
        read(content)
    assert (refused.value.frame, refused.value.number, refused.value.reason) == ("E1-1", 5, reason)
    found: list[MjlogError] = []
    match = read_mjlog(content, finding=found.append)
    assert [error.reason for error in found] == [reason]
    assert (len(match.frames), match.final_points) == (2, None)


@pytest.mark.parametrize(
    ("content", "reason"),
    [
        (log('<GO type="9&#10;"/>', FRAME), r"'9\n' is not a number"),
        (
            log(init(), TURN, ryuukyoku(owari="250,5.0&#10;,260,36.0,240,-26.0,250,-15.0")),
            r"'5.0\n' is not a number with at most one decimal",
        ),
    ],
)
def test_line_feed_in_a_number(read: Read, content: bytes, reason: str) -> None:
    """A number with a line feed behind it is none."""
    with pytest.raises(MjlogError) as refused:
        read(content)
    assert refused.value.reason == reason
