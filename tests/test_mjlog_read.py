"""What is read from an mjlog, and why one is refused: the cases in ``fixtures/mjlog``.

`fixtures/README.md` describes their form.
"""

from __future__ import annotations

from pathlib import Path

import pytest
from casefiles import blocks
from mjlog_logs import (
    FIXTURES,
    FRAME,
    ID,
    PLAIN,
    TURN,
    Read,
    init,
    log,
    read,  # noqa: F401 - pytest finds it by its name
    ryuukyoku,
)
from reading import bases, check
from tables import table

from jmjp_convert.errors import ConvertError, MjlogError
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
    """A number followed by a line feed is rejected."""
    with pytest.raises(MjlogError) as refused:
        read(content)
    assert refused.value.reason == reason


# --- the log ID and the time of a match, from the name of its file or as given ----------------------------------------


@pytest.mark.parametrize(("name", "id_", "date"), table("mjlog_read", "id_of_the_file_name"))
def test_id_of_the_file_name(tmp_path: Path, name: str, id_: str, date: str | None) -> None:
    """The log ID and the date are taken from the file name, which is not kept then."""
    path = tmp_path / name
    path.write_bytes(PLAIN)
    match = read_mjlog(path)
    assert (match.id, match.date, match.source) == (id_, date, None)
    assert read_mjlog(PLAIN, file_name=name) == match
    assert read_mjlog(str(path)) == match


def test_id_that_is_given(read: Read) -> None:
    """A log ID that is given overrides the name."""
    match = read(PLAIN, id=ID, file_name="2019041809gm-0089-1234-0123abcd.xml")
    assert (match.id, match.date) == (ID, "20110204")


def test_no_id(read: Read) -> None:
    """A name without a log ID is kept, and no ID is invented."""
    match = read(PLAIN, file_name="my game.xml")
    assert (match.id, match.source, match.date, match.time) == (None, "my game.xml", None, None)


def test_no_name() -> None:
    """Bytes have no name."""
    assert read_mjlog(PLAIN).source is None


def test_directories_are_not_part_of_the_name(tmp_path: Path) -> None:
    """The folders of a path are ignored."""
    folder = tmp_path / ID
    folder.mkdir()
    (folder / "a.xml").write_bytes(PLAIN)
    match = read_mjlog(folder / "a.xml")
    assert (match.id, match.source) == (None, "a.xml")


def test_time(read: Read) -> None:
    """The time is the one given; a log ID alone does not determine it."""
    assert read(PLAIN, id=ID).time is None
    assert read(PLAIN, id=ID, time="1707").time == "1707"


@pytest.mark.parametrize("time", ["", "9", "17:07", "2400", "1760", "17070", "\N{FULLWIDTH DIGIT ONE}707", "1707\n"])
def test_invalid_time(read: Read, time: str) -> None:
    """An invalid time of day is rejected."""
    with pytest.raises(ConvertError) as refused:
        read(PLAIN, time=time)
    assert str(refused.value) == f"invalid time {time!r}; expected HHMM"


@pytest.mark.parametrize("id_", ["", "x", f"{ID}.xml", f" {ID}", "2011020417gm"])
def test_invalid_id(read: Read, id_: str) -> None:
    """An invalid log ID is rejected."""
    with pytest.raises(ConvertError) as refused:
        read(PLAIN, id=id_)
    assert str(refused.value) == f"invalid log ID {id_!r}"
