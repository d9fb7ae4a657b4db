"""A log is read frame by frame, with the same result however its bytes arrive."""

from __future__ import annotations

import io
from collections.abc import Iterator
from contextlib import nullcontext
from pathlib import Path
from time import process_time

import pytest
from hypothesis import given
from hypothesis import strategies as st
from lxml import etree
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
from tables import table

from jmjp_convert.errors import MjlogError
from jmjp_convert.formats.mjlog.reader import read_mjlog
from jmjp_convert.formats.mjlog.tags import TILE_EVENTS
from jmjp_convert.formats.mjlog.xml import XmlLog


def test_streaming_is_the_same(valid_inputs: list[Path]) -> None:
    """A file read a few bytes at a time gives the same match and notices as its bytes at once."""
    for path in valid_inputs:
        content = path.read_bytes()
        said: list[str] = []
        match = read_mjlog(Dribble(content, 61), file_name="a.xml", notice=said.append)  # type: ignore[arg-type]
        assert match == read_mjlog(content, file_name="a.xml"), path
        assert said == notices(from_bytes, content), path


def contents(xml: XmlLog) -> list[object]:
    """Return all elements of a log, and what is hidden in them."""
    return [
        content
        for portion in xml
        for content in (*(portion.others.get(at, item) for at, item in enumerate(portion.items)), *portion.hidden)
    ]


@pytest.mark.parametrize(
    "elements",
    [
        TURN,
        PLAIN.decode().partition(">")[2].removesuffix("</mjloggm>"),
        "<T60/>\n<D60/>\r\n  ",
        "\n <T60/><D60/>",
        TURN + '<DORA hai="134"/>',
        TURN + '<DORA hai="134" />',
        TURN + "<A/>",
        TURN + '<A b="" c2="\'"/>',
        TURN + "<A b='1'/>",
        TURN + '<A b="1" c="2\t"/>',
        TURN + '<A b="1\n"/>',
        TURN + '<A b="1" \nc="1"/>',
        TURN + '<A b="&#49;"/>',
        TURN + '<A b="&gt;"/>',
        TURN + '<A b=">"/>',
        TURN + '<A b="é"/>',
        TURN + '<A b-c="1"/>',
        TURN + '<A xmlns="b"/>',
        TURN + '<A xml:lang="ja"/>',
        TURN + '<A b = "1"/>',
        TURN + '<A  b="1"/>',
        TURN + "<A1/>",
        "<T60/> <D60/>",
        "<T60 /><D60/>",
        "<T60></T60><D60/>",
        '<T60 a="1"/><D60/>',
        "<T60><A/></T60>",
        "<!--<T60/>-->" + TURN,
        "<![CDATA[<T60/>]]>" + TURN,
        "<?a <T60/>?>" + TURN,
        "a" + TURN,
        TURN + "a",
        TURN + '<A b="1"/>" /><T62/>',
        TURN + '<A b="1"/>" c="1"/>',
    ],
)
def test_however_it_arrives(elements: str) -> None:
    """A log gives the same elements as a whole and in pieces of any size."""
    content = log(elements)
    whole = contents(XmlLog(content))
    assert whole == contents(XmlLog([content]))
    assert [item for item in whole if not isinstance(item, tuple)] == [
        item
        for item in contents(XmlLog(content[place : place + 1] for place in range(len(content))))
        if not isinstance(item, tuple)
    ]


@pytest.mark.parametrize(
    "elements",
    [
        TURN + '<A b="1" b="1"/>',
        TURN + '<A b"="1"/>',
        TURN + '<A b"1"= c="1"/>',
        TURN + '<A b="1"c="1"/>',
        TURN + '<A b="1" c=/>',
        TURN + '<A b="1" c/>',
        TURN + '<A b="1" "c="/>',
        TURN + '<A b="<"/>',
        TURN + '<A b="1<2"/><A/>A/>',
        TURN + '<A b="1"/>A/><',
        TURN + '<A b="&"/>',
        TURN + '<A b="\x01"/>',
        TURN + '<A b="1"/ >',
        TURN + "<A/",
        TURN + "<A>",
        TURN + "</A>",
        TURN + "<T61/></mjloggm>",
        "<T60/>\x0b<D60/>",
        "<T60/>\n\x1f<D60/>",
        "<T60/><D60/>\0",
    ],
)
def test_malformed(elements: str) -> None:
    """What is not well-formed is rejected."""
    content = log(elements)
    with pytest.raises(MjlogError):
        contents(XmlLog(content))


@given(
    st.lists(
        st.tuples(st.integers(0, len(PLAIN)), st.sampled_from(list("""0"'=<>/&;\n\t A!-?[]xml:é\0""")) | st.just(""))
    )
)
def test_damage(changes: list[tuple[int, str]]) -> None:
    """A damaged log has the elements that lxml's tree of it has, or is rejected as not well-formed."""
    content = PLAIN.decode()
    for place, text in changes:
        content = content[:place] + text + content[place + 1 :]
    try:
        root = etree.fromstring(content.encode(), etree.XMLParser(remove_comments=True, remove_pis=True))
    except etree.XMLSyntaxError:
        with pytest.raises(MjlogError):
            contents(XmlLog(content.encode()))
        return
    if root.tag == "mjloggm":
        elements = [
            portion.others[at][:2] if item is None else item.tile
            for portion in XmlLog(content.encode())
            for at, item in enumerate(portion.items)
        ]
        assert elements == [
            TILE_EVENTS[str(element.tag)].tile if element.tag in TILE_EVENTS else (element.tag, dict(element.attrib))
            for element in root
        ]


@pytest.mark.parametrize(("before", "accepted"), table("mjlog_streaming", "bytes_before_the_root"))
def test_bytes_before_the_root(before: str, *, accepted: bool) -> None:
    """Anything before the root is not among the elements."""
    content = before.encode() + log(FRAME)
    with nullcontext() if accepted else pytest.raises(MjlogError):
        assert contents(XmlLog(content)) == contents(XmlLog(log(FRAME)))


@pytest.mark.parametrize(
    ("end", "accepted"), [("a", False), ("</mjloggm>", False), ("<T5/>", False), ("<!-- -->", True), (" \r\n\t", True)]
)
def test_bytes_after_the_root(end: str, *, accepted: bool) -> None:
    """Only white space and comments may follow the root."""
    with nullcontext() if accepted else pytest.raises(MjlogError):
        assert contents(XmlLog(log(FRAME) + end.encode())) == contents(XmlLog(log(FRAME)))


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
                held.append(xml.held)
            yield frame(honba).encode()
        yield b"</mjloggm>"

    xml = XmlLog(pieces())
    count = 0
    for portion in xml:
        started = True
        count += len(portion.items)
    assert count == 1 + 3000 * 4
    assert len(held) > 2900
    assert max(held) <= 2 * 4 + 1


def test_reader_holds_no_more_than_a_frame(monkeypatch: pytest.MonkeyPatch) -> None:
    """Reading a file of thousands of frames never keeps the elements of many in memory."""
    logs: list[XmlLog] = []
    held: list[int] = []

    def spy(content: bytes | Iterator[bytes]) -> XmlLog:
        logs.append(XmlLog(content))
        return logs[-1]

    class File(io.BytesIO):
        def read(self, size: int | None = -1) -> bytes:
            if logs and self.tell() > 100_000:
                held.append(logs[0].held)
            return super().read(size)

    monkeypatch.setattr("jmjp_convert.formats.mjlog.reader.XmlLog", spy)
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
    assert str(refused.value) == "frame E1-500, element 2004 <D61>: East does not hold tile 61 (7p)"
    assert (refused.value.frame, refused.value.number, refused.value.element) == ("E1-500", 2004, "<D61>")
    assert refused.value.reason == "East does not hold tile 61 (7p)"


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
        assert sum(len(portion.items) for portion in XmlLog(given_content)) == 4 * 9_900
        spent.append(process_time() - before)
    assert spent[1] < 10 * spent[0]


def test_comments_are_freed() -> None:
    """Comments and processing instructions are not counted among the elements."""
    content = log("<!-- a --><?b c?>", init(), "<!-- <T5/> -->", "<T60/><D61/>")
    with pytest.raises(MjlogError, match=r"^frame E1-0, element 3 <D61>"):
        from_file(content)
