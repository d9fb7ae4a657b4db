"""A log is read frame by frame, with the same result however its bytes arrive."""

from __future__ import annotations

import io
from collections.abc import Iterator
from pathlib import Path
from time import process_time

import pytest
from mjlog_logs import (
    FIXTURES,
    FRAME,
    PLAIN,
    TURN,
    Dribble,
    Read,
    frame,
    from_bytes,
    from_file,
    init,
    log,
    notices,
    read,  # noqa: F401 - pytest finds it by its name
)

from jmjp_convert.errors import MjlogError
from jmjp_convert.formats.mjlog.reader import read_mjlog
from jmjp_convert.formats.mjlog.xml import Log, text
from jmjp_convert.model import Discard, Draw


def test_streaming_is_the_same(valid_input: Path) -> None:
    """A file read a few bytes at a time gives the same match and notices as its bytes at once."""
    content = valid_input.read_bytes()
    said: list[str] = []
    match = read_mjlog(Dribble(content, 61), file_name="a.xml", notice=said.append)  # type: ignore[arg-type]
    assert match == read_mjlog(content, file_name="a.xml")
    assert said == notices(from_bytes, content)


def contents(content: bytes | list[bytes]) -> list[object]:
    """Return all items of a log, with elements as text."""
    items = [item for portion in Log(content) for item in portion.items]
    return [item if isinstance(item, Draw | Discard) else text(item) for item in items]


@pytest.mark.parametrize(
    ("elements", "told"),
    [
        (TURN, True),
        (PLAIN.decode().partition(">")[2].removesuffix("</mjloggm>"), True),
        ("<T60/>\n<D60/>\r\n  ", True),
        (TURN + '<DORA hai="134"/>', True),
        (TURN + "<A/>", False),
        ("<T60/> <D60/>", False),
        ("<T60 /><D60/>", False),
        ("<T60></T60><D60/>", False),
        ('<T60 a="1"/><D60/>', False),
        ("<T60><A/></T60>", False),
        ("<!--<T60/>-->" + TURN, False),
        ("<![CDATA[<T60/>]]>" + TURN, False),
        ("<?a <T60/>?>" + TURN, False),
    ],
)
def test_ambiguous_bytes(elements: str, *, told: bool) -> None:
    """If the bytes do not show all draws and discards with certainty, lxml is asked, and every element is checked."""
    content = log(elements)
    (portion,) = Log(content)
    assert bool(list(portion.unread)) is not told
    assert contents(content) == contents([content])


@pytest.mark.parametrize(
    ("before", "told"),
    [
        ("\ufeff", True),
        ("<!-- <T5/> -->\n", True),
        ('<?xml version="1.0"?>', True),
        ('<?xml version="1.0" encoding="UTF-8"?><!-- a -->', True),
        ("<!-- <mjloggm> -->", False),
        ("<!-- <mjloggm><T5/></mjloggm> -->", False),
        ('<?xml version="1.0" encoding="UTF-7"?>', False),
        ('<?xml version="1.0" encoding="ISO-8859-1"?>', False),
    ],
)
def test_bytes_before_the_root(before: str, *, told: bool) -> None:
    """Anything before the root is not among the elements."""
    content = before.encode() + log(FRAME)
    (portion,) = Log(content)
    assert bool(list(portion.unread)) is not told
    assert contents(content) == contents(log(FRAME))


@pytest.mark.parametrize("name", ["plain.xml", "bom.xml", "gzip.mjlog", "crlf.xml", "xml-declaration.xml"])
def test_one_byte_at_a_time(name: str) -> None:
    """A file can be read byte by byte."""
    content = (FIXTURES / "valid" / name).read_bytes()
    assert read_mjlog(Dribble(content, 1)) == read_mjlog(content)  # type: ignore[arg-type]


def test_html_page_byte_by_byte() -> None:
    """A wrong file gets the same message if it is read byte by byte."""
    content = (FIXTURES / "invalid" / "html-page.xml").read_bytes()
    with pytest.raises(MjlogError, match=r"^this is an HTML page, not an mjlog$"):
        read_mjlog(Dribble(content, 1))  # type: ignore[arg-type]


def test_never_more_than_a_frame_is_held() -> None:
    """In a log of thousands of frames read in pieces, at most two frames' elements are in memory."""
    held: list[int] = []
    started = False

    def pieces() -> Iterator[bytes]:
        yield b'<mjloggm ver="2.3"><GO type="9"/>'
        for honba in range(3000):
            if started:
                held.append(len(xml.root))
            yield frame(honba).encode()
        yield b"</mjloggm>"

    xml = Log(pieces())
    count = 0
    for portion in xml:
        started = True
        count += len(portion.items)
    assert count == 1 + 3000 * 4
    assert len(held) > 2900
    assert max(held) <= 2 * 4 + 1


def test_reader_holds_no_more_than_a_frame(monkeypatch: pytest.MonkeyPatch) -> None:
    """Reading a file of thousands of frames never keeps the elements of many in memory."""
    logs: list[Log] = []
    held: list[int] = []

    def spy(content: bytes | Iterator[bytes]) -> Log:
        logs.append(Log(content))
        return logs[-1]

    class File(io.BytesIO):
        def read(self, size: int | None = -1) -> bytes:
            if logs and self.tell() > 100_000:
                held.append(len(logs[0].root))
            return super().read(size)

    monkeypatch.setattr("jmjp_convert.formats.mjlog.reader.Log", spy)
    match = read_mjlog(File(log(*map(frame, range(2000)))))
    assert len(match.frames) == 2000
    assert len(logs) == 1
    assert len(held) > 10
    assert max(held) <= 4 * (1 << 15) // len(frame(1000))


def test_numbers_are_those_of_the_whole_log(read: Read) -> None:
    """The number of an element counts all before it, even those already freed."""
    content = log('<GO type="9"/>', *map(frame, range(500)), init(seed="0,500,0,0,1,135"), "<T60/><D61/>")
    with pytest.raises(MjlogError) as refused:
        read(content)
    assert str(refused.value) == "frame E1-500, element 2004 <D61>: player 0 does not hold tile 61 (7p)"
    assert (refused.value.frame, refused.value.number, refused.value.element) == ("E1-500", 2004, "<D61>")
    assert refused.value.reason == "player 0 does not hold tile 61 (7p)"


def test_frame_without_end(read: Read) -> None:
    """A frame with more elements than any real frame is rejected by every route."""
    with pytest.raises(MjlogError, match=r"^more than 50,000 elements in one frame$"):
        read(log(init(), '<BYE who="1"/>' * 50_001))


def test_many_frames_in_memory() -> None:
    """Reading a long log from memory takes time proportional to its length, at most ten times that of streaming."""
    content = log(*(frame(place) for place in range(9_900)))
    spent = []
    for given_content in ([content], content):
        before = process_time()
        assert sum(len(portion.items) for portion in Log(given_content)) == 4 * 9_900
        spent.append(process_time() - before)
    assert spent[1] < 10 * spent[0]


def test_comments_are_freed() -> None:
    """Comments and processing instructions are not counted among the elements."""
    content = log("<!-- a --><?b c?>", init(), "<!-- <T5/> -->", "<T60/><D61/>")
    with pytest.raises(MjlogError, match=r"^frame E1-0, element 3 <D61>"):
        from_file(content)
