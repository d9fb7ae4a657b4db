"""A log is read frame by frame, with the same result however its bytes arrive."""

from __future__ import annotations

import io
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from time import process_time

import mjlog_logs
import pytest
from hypothesis import given
from hypothesis import strategies as st
from mjlog_logs import (
    FIXTURES,
    FRAME,
    PLAIN,
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
    """Return all items of a log."""
    return [item for portion in xml for item in portion.items]


def has_tree(content: bytes) -> bool:
    """Return whether lxml makes a tree of the log *content*."""
    return any(portion.unread for portion in XmlLog(content))


@pytest.mark.parametrize(("elements", "tree"), table("mjlog_streaming", "with_and_without_a_tree", vars(mjlog_logs)))
def test_with_and_without_a_tree(elements: str, *, tree: bool) -> None:
    """A log with a tree for elements in others, text, or attributes of draws has the elements that it has without."""
    content = log(elements)
    assert has_tree(content) is tree
    assert contents(XmlLog(content)) == contents(XmlLog([content]))


@pytest.mark.parametrize("elements", table("mjlog_streaming", "malformed"))
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
    """A damaged log has the elements of lxml's tree of it, or is rejected as it is when it is read in pieces."""
    content = PLAIN.decode()
    for place, text in changes:
        content = content[:place] + text + content[place + 1 :]
    assert all_or_error(content.encode()) == all_or_error([content.encode()])


def all_or_error(content: bytes | list[bytes]) -> object:
    """Return all items of a log, or why it is rejected."""
    try:
        return contents(XmlLog(content))
    except MjlogError as error:
        return str(error)


@pytest.mark.parametrize(("before", "tree"), table("mjlog_streaming", "bytes_before_the_root"))
def test_bytes_before_the_root(before: str, *, tree: bool | None) -> None:
    """Anything before the root is not among the elements; of some logs, lxml makes a tree."""
    content = before.encode() + log(FRAME)
    if tree is None:
        with pytest.raises(MjlogError):
            contents(XmlLog(content))
    else:
        assert has_tree(content) is tree
        assert contents(XmlLog(content)) == contents(XmlLog(log(FRAME)))


def test_hidden_in_another_encoding() -> None:
    """Elements in others are found in an encoding that has other bytes for their tags."""
    inner = "<T60/><A><D60/></A><D61/>"
    utf7 = log(inner).decode().replace("</A>", "+ADw-/A>").encode()
    utf16 = ('<?xml version="1.0"?>' + log(inner).decode()).encode("utf-16")
    for content in (
        b'<?xml version="1.0" encoding="UTF-7"?>' + utf7,
        utf16,
        utf16 + "<!-- \u2f3c -->".encode("utf-16-le"),
    ):
        assert has_tree(content)
        assert contents(XmlLog(content)) == contents(XmlLog(log(inner)))


@pytest.mark.parametrize("end", ["a", "\0", "</mjloggm>", "<T5/>"])
def test_bytes_after_the_root(end: str) -> None:
    """Only white space and comments may follow the root."""
    with pytest.raises(MjlogError):
        contents(XmlLog(log(FRAME) + end.encode()))
    assert contents(XmlLog(log(FRAME) + b" \r\n\t<!-- -->")) == contents(XmlLog(log(FRAME)))


def test_after_an_error() -> None:
    """A log that is rejected, or read with a tree, leaves nothing for the next one."""
    usual = contents(XmlLog(log(FRAME)))
    for elements in ("<T60/><A>", "<T60/>text", "<a:T60/>", "<T60/>"):
        all_or_error(log(elements))
        assert contents(XmlLog(log(FRAME))) == usual


def test_threads() -> None:
    """Several threads can read logs at the same time."""
    logs = [log(*map(frame, range(count))) for count in range(1, 40)]
    with ThreadPoolExecutor(8) as pool:
        assert list(pool.map(lambda content: len(contents(XmlLog(content))), logs)) == [4 * n for n in range(1, 40)]


@pytest.mark.parametrize(("root", "names"), [('mjloggm ver="2.3" a="1"', ["ver", "a"]), ("mjloggm ver='2.3'", ["ver"])])
def test_attributes_of_the_root(root: str, names: list[str]) -> None:
    """The attributes of the root are known without a tree too."""
    xml = XmlLog(log(FRAME, root=root))
    contents(xml)
    assert [*xml.attributes] == names


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
                held.append(len(logs[0].root))
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


@pytest.mark.parametrize("filling", [" ", "<A><B/></A>", '<BYE who="1" a="0123456789"/>'])
def test_megabyte_without_a_frame(filling: str) -> None:
    """More than a megabyte without a frame is rejected when streamed."""
    with pytest.raises(
        MjlogError, match=r"^more than (1,048,576 bytes without the start of a|50,000 elements in one) frame$"
    ):
        from_file(log(init(), filling * (1_200_000 // len(filling))))
