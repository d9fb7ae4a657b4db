"""Reading mjlog: every form that a log comes in, what is odd in it, and what is refused."""

from __future__ import annotations

import gzip
import io
import os
import re
import subprocess
import sys
from collections.abc import Callable, Iterator
from itertools import pairwise
from pathlib import Path
from time import process_time

import pytest
from effort import many
from hypothesis import given, settings
from hypothesis import strategies as st

from jmjp_convert.errors import ConvertError, FileError, MjlogError
from jmjp_convert.formats.jmjp.writer import write_jmjp
from jmjp_convert.formats.mjlog.reader import read_mjlog
from jmjp_convert.formats.mjlog.xml import Log, text
from jmjp_convert.model import (
    Discard,
    Disconnected,
    Draw,
    DrawKind,
    Kita,
    Limit,
    Match,
    Name,
    Player,
    PointRule,
    Recorder,
    Returned,
    RiichiAccepted,
    Rules,
    Ryuukyoku,
    Score,
    Shuffle,
    ShuffleForm,
    Text,
    Tournament,
    Win,
    Yaku,
    handle,
)
from jmjp_convert.model.tiles import UNKNOWN, any_copy

FIXTURES = Path(__file__).parent.parent / "fixtures"
PLAIN = (FIXTURES / "valid" / "plain.xml").read_bytes()
SANMA = (FIXTURES / "invalid" / "sanma.xml").read_bytes()
ID = "2011020417gm-00a9-0000-b67fcaa3"

Read = Callable[..., Match]


# --- small logs ------------------------------------------------------------------------------------------------------

HANDS = [range(player, 52, 4) for player in range(4)]
"""Everybody has one of each kind from 1m to 4p; from 52 on the tiles are in the wall."""


def csv(*values: object) -> str:
    """Return *values* with commas between."""
    return ",".join(map(str, values))


def element(tag: str, attributes: dict[str, object], changes: dict[str, object]) -> str:
    """Return an element; *changes* exchange, add or, if they are None, leave out attributes."""
    pairs = (attributes | changes).items()
    return "".join([f"<{tag}", *(f' {name}="{value}"' for name, value in pairs if value is not None), "/>"])


def init(**changes: object) -> str:
    """Return an INIT, of E1-0 unless told otherwise."""
    hands: dict[str, object] = {f"hai{player}": csv(*hand) for player, hand in enumerate(HANDS)}
    return element("INIT", {"seed": "0,0,0,0,1,135", "ten": "250,250,250,250", "oya": 0, **hands}, changes)


def agari(**changes: object) -> str:
    """Return a ron of player 1 on 60, player 0's discard."""
    attributes: dict[str, object] = {
        "ba": "0,0",
        "hai": csv(*HANDS[1], 60),
        "machi": 60,
        "ten": "30,1000,0",
        "yaku": "8,1",
        "doraHai": 135,
        "who": 1,
        "fromWho": 0,
        "sc": "250,-10,250,10,250,0,250,0",
    }
    return element("AGARI", attributes, changes)


def ryuukyoku(**changes: object) -> str:
    """Return an exhaustive draw at which nobody shows anything."""
    return element("RYUUKYOKU", {"ba": "0,0", "sc": "250,0,250,0,250,0,250,0"}, changes)


TURN = "<T60/><D60/>"
FRAME = init() + TURN + ryuukyoku()


def frame(honba: int) -> str:
    """Return a frame of *honba*."""
    return init(seed=f"0,{honba},0,0,1,135") + TURN + ryuukyoku(ba=f"{honba},0")


def log(*elements: str, root: str = 'mjloggm ver="2.3"') -> bytes:
    """Return a log of *elements*."""
    return f"<{root}>{''.join(elements)}</{root.partition(' ')[0]}>".encode()


class Dribble(io.RawIOBase):
    """A file that gives a few bytes at a time."""

    def __init__(self, content: bytes, size: int) -> None:
        self._rest = io.BytesIO(content)
        self._size = size

    def read(self, size: int = -1) -> bytes:
        """Give no more than a few bytes."""
        return self._rest.read(self._size if size < 0 else min(size, self._size))


def from_bytes(content: bytes, **options: object) -> Match:
    """Read *content* from memory."""
    return read_mjlog(content, **options)  # type: ignore[arg-type]


def from_file(content: bytes, **options: object) -> Match:
    """Read *content* as an open file."""
    return read_mjlog(io.BytesIO(content), **options)  # type: ignore[arg-type]


@pytest.fixture(params=["bytes", "file", "path"])
def read(request: pytest.FixtureRequest, tmp_path: Path) -> Read:
    """Return how bytes are read by one of the routes."""

    def from_path(content: bytes, **options: object) -> Match:
        path = tmp_path / "log.xml"
        path.write_bytes(content)
        return read_mjlog(path, **options)  # type: ignore[arg-type]

    found: Read = {"bytes": from_bytes, "file": from_file, "path": from_path}[request.param]
    return found


def notices(read: Read, content: bytes) -> list[str]:
    """Return what is said of a log that is taken."""
    said: list[str] = []
    read(content, notice=said.append)
    return said


def outcome(read: Read, content: bytes) -> object:
    """Return the match that *content* is, or what is said of it."""
    try:
        return read(content)
    except ConvertError as error:
        return type(error), str(error)


# --- one frame at a time ---------------------------------------------------------------------------------------------


def test_streaming_is_the_same(valid_input: Path) -> None:
    """A file that comes a few bytes at a time gives the match and notices that its bytes give."""
    content = valid_input.read_bytes()
    said: list[str] = []
    match = read_mjlog(Dribble(content, 61), file_name="a.xml", notice=said.append)  # type: ignore[arg-type]
    assert match == read_mjlog(content, file_name="a.xml")
    assert said == notices(from_bytes, content)


def contents(content: bytes | list[bytes]) -> list[object]:
    """Return all items of a log, its elements as text."""
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
def test_bytes_that_do_not_tell(elements: str, *, told: bool) -> None:
    """Where bytes do not tell all draws and discards for certain, lxml is asked, and every element is looked at."""
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
    """What stands before the root is not among the elements."""
    content = before.encode() + log(FRAME)
    (portion,) = Log(content)
    assert bool(list(portion.unread)) is not told
    assert contents(content) == contents(log(FRAME))


@pytest.mark.parametrize("name", ["plain.xml", "bom.xml", "gzip.mjlog", "crlf.xml", "xml-declaration.xml"])
def test_one_byte_at_a_time(name: str) -> None:
    """A file may come byte by byte."""
    content = (FIXTURES / "valid" / name).read_bytes()
    assert read_mjlog(Dribble(content, 1)) == read_mjlog(content)  # type: ignore[arg-type]


def test_html_page_byte_by_byte() -> None:
    """A wrong file is named in the same words if it comes byte by byte."""
    content = (FIXTURES / "invalid" / "html-page.xml").read_bytes()
    with pytest.raises(MjlogError, match=r"^this is an HTML page, not an mjlog$"):
        read_mjlog(Dribble(content, 1))  # type: ignore[arg-type]


def test_never_more_than_a_frame_is_held() -> None:
    """Of a log of thousands of frames that arrives in pieces no more than two frames' elements are ever there."""
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
    """Reading a file of thousands of frames never holds the elements of many."""
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
    """An element's number counts all before it, though they are long gone."""
    content = log('<GO type="9"/>', *map(frame, range(500)), init(seed="0,500,0,0,1,135"), "<T60/><D61/>")
    with pytest.raises(MjlogError) as refused:
        read(content)
    assert str(refused.value) == "frame E1-500, element 2004 <D61>: player 0 does not hold tile 61 (7p)"
    assert (refused.value.frame, refused.value.number, refused.value.element) == ("E1-500", 2004, "<D61>")
    assert refused.value.reason == "player 0 does not hold tile 61 (7p)"


def test_frame_without_end(read: Read) -> None:
    """A frame of more elements than any frame has is refused, by whatever route it comes."""
    with pytest.raises(MjlogError, match=r"^more than 50,000 elements in one frame$"):
        read(log(init(), '<BYE who="1"/>' * 50_001))


def test_many_frames_in_memory() -> None:
    """A long log in memory takes time by its length, and no more than one that is streamed by far."""
    content = log(*(frame(place % 9999) for place in range(13_000)))
    spent = []
    for given_content in ([content], content):
        before = process_time()
        assert sum(len(portion.items) for portion in Log(given_content)) == 4 * 13_000
        spent.append(process_time() - before)
    assert spent[1] < 10 * spent[0]


def test_comments_are_let_go() -> None:
    """Comments and processing instructions are not counted among the elements."""
    content = log("<!-- a --><?b c?>", init(), "<!-- <T5/> -->", "<T60/><D61/>")
    with pytest.raises(MjlogError, match=r"^frame E1-0, element 3 <D61>"):
        from_file(content)


# --- bytes -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["log.mjlog", "log.xml", "log.gz", "log", "log.jpg"])
def test_gzip_under_any_name(tmp_path: Path, name: str) -> None:
    """Gzip is known by its first bytes, whatever the name, and so is plain XML."""
    path = tmp_path / name
    path.write_bytes(gzip.compress(PLAIN))
    zipped = read_mjlog(path)
    path.write_bytes(PLAIN)
    assert read_mjlog(path) == zipped
    assert len(zipped.frames) == 4
    assert zipped.source == name


def test_gzip(read: Read) -> None:
    """Gzip is read by every route."""
    assert read(gzip.compress(PLAIN)).frames == read(PLAIN).frames


@pytest.mark.parametrize("kept", [3, 100, -1, -8])
def test_truncated_gzip(read: Read, kept: int) -> None:
    """A gzip file that is cut off is refused as that."""
    with pytest.raises(FileError, match=r"^the gzip data is cut off or broken: [^\n]+$"):
        read(gzip.compress(PLAIN)[:kept])


def test_gzip_bomb(read: Read) -> None:
    """A small gzip file that grows beyond the bound is refused."""
    bomb = gzip.compress(log(init(), " " * (20 << 20)))
    assert len(bomb) < 1 << 16
    with pytest.raises(FileError, match=r"^larger than 1,048,576 bytes \(--max-size\)$"):
        read(bomb, max_size=1 << 20)


@pytest.mark.parametrize("compressed", [False, True], ids=["plain", "gzip"])
def test_max_size(read: Read, *, compressed: bool) -> None:
    """A log of as many bytes as allowed is taken, one of one more refused."""
    content = gzip.compress(PLAIN) if compressed else PLAIN
    assert len(read(content, max_size=len(PLAIN)).frames) == 4
    with pytest.raises(FileError) as refused:
        read(content, max_size=len(PLAIN) - 1)
    assert str(refused.value) == f"larger than {len(PLAIN) - 1:,} bytes (--max-size)"


def test_max_size_of_a_repaired_log(read: Read) -> None:
    """The bound holds for a log that has to be read again."""
    content = log(FRAME.replace("<D60/>", '<D60 a="1" a="1"/>')) + b" " * 100_000
    read(content, max_size=len(content))
    with pytest.raises(FileError, match=r"^larger than"):
        read(content, max_size=len(content) - 1)


def test_file_is_left_open() -> None:
    """A file object is read and left open; its name, if it has one, is that of the log."""
    file = io.BytesIO(PLAIN)
    assert read_mjlog(file).source is None
    assert not file.closed
    file = io.BytesIO(PLAIN)
    file.name = "/logs/a.xml"
    assert read_mjlog(file).source == "a.xml"
    file = io.BytesIO(PLAIN)
    file.name = 3
    assert read_mjlog(file).source is None


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"", "it is empty"),
        (b" \r\n\t", "it is empty"),
        (b"\xef\xbb\xbf", "it is empty"),
        (b"not a log", "this is not XML, and so not an mjlog"),
        (b"\x00\x01\x02", "this is not XML, and so not an mjlog"),
        ("\ufeff<mjloggm/>".encode("utf-32-le"), "this is not XML, and so not an mjlog"),
        ("\ufeff<mjloggm/>".encode("utf-32-be"), "this is not XML, and so not an mjlog"),
        (b'{"title": "a log of another form"}', "this is not XML, and so not an mjlog"),
        (b"  <!DOCTYPE HTML><html></html>", "this is an HTML page, not an mjlog"),
        (b"\xef\xbb\xbf<HTML></HTML>", "this is an HTML page, not an mjlog"),
        (b"<mjlog/>", "the root element is <mjlog>, not <mjloggm>"),
        (b"<a><mjloggm/></a>", "the root element is <a>, not <mjloggm>"),
        (b"<mjloggm/>", "there is no frame (INIT) in it"),
        (b"<mjloggm></mjloggm>", "there is no frame (INIT) in it"),
        (log('<GO type="9"/>', f"<A>{FRAME}</A>"), "there is no frame (INIT) in it"),
    ],
)
def test_no_log(read: Read, content: bytes, message: str) -> None:
    """What is no log is named in one line, without a place."""
    with pytest.raises(MjlogError) as refused:
        read(content)
    assert str(refused.value) == message


@pytest.mark.parametrize(
    "content", [b"<", b"<mjloggm", b"<mjloggm>", b"<mjloggm><GO", b"\xff\xfe<", b"<mjloggm>\xff</mjloggm>"]
)
def test_not_well_formed(read: Read, content: bytes) -> None:
    """What breaks off is refused in one line."""
    with pytest.raises(MjlogError, match=r"^(element 1 <GO>: )?not well-formed XML[^\n]*$"):
        read(content)


@settings(max_examples=many(60))
@given(st.integers(0, len(PLAIN) - 1))
def test_cut(length: int) -> None:
    """A log that is cut off anywhere is refused, by both routes in the same words."""
    said = outcome(from_bytes, PLAIN[:length])
    assert not isinstance(said, Match)
    assert outcome(from_file, PLAIN[:length]) == said


@settings(max_examples=many(150))
@given(
    st.integers(0, len(PLAIN) - 1),
    st.integers(0, 3),
    st.binary(max_size=3) | st.sampled_from([b"'", b'"', b"/>", b"0"]),
)
def test_damage(place: int, length: int, new: bytes) -> None:
    """A log with some bytes exchanged is read or refused in one line, by both routes alike."""
    content = PLAIN[:place] + new + PLAIN[place + length :]
    said = outcome(from_bytes, content)
    assert outcome(from_file, content) == said
    if isinstance(said, tuple):
        assert "\n" not in said[1]
    else:
        assert isinstance(said, Match)
        assert write_jmjp(said).endswith(")\n")


# --- XML -------------------------------------------------------------------------------------------------------------


def single_quotes(content: bytes) -> bytes:
    """Return *content* with single quotes."""
    return content.replace(b'"', b"'")


def spaced(content: bytes) -> bytes:
    """Return *content* with white space wherever it may stand in a tag."""
    return re.sub(rb'(\w+)="', rb'\n\1 = "', content).replace(b"/>", b"\t/>").replace(b"</mjloggm>", b"</mjloggm >\n")


def references(content: bytes) -> bytes:
    """Return *content* with character references in all values."""
    return re.sub(rb'(?<==")[^"]', lambda match: b"&#%d;" % match[0][0], content)


FORMS: dict[str, Callable[[bytes], bytes]] = {
    "BOM": lambda content: b"\xef\xbb\xbf" + content,
    "white space first": lambda content: b"\r\n " + content,
    "line feeds": lambda content: content.replace(b"><", b">\n<"),
    "CRLF": lambda content: content.replace(b"><", b">\r\n  <") + b"\r\n",
    "declaration": lambda content: b'<?xml version="1.0" encoding="UTF-8"?>\n' + content,
    "declaration without encoding": lambda content: b"<?xml version='1.0'?>" + content,
    "BOM and declaration": lambda content: b'\xef\xbb\xbf<?xml version="1.0" encoding="utf-8"?>' + content,
    "single quotes": single_quotes,
    "spaces": spaced,
    "character references": references,
    "comments": lambda content: b"<!-- a -->" + content.replace(b"><", b"><!-- <b/> --><") + b"<!-- c -->",
    "processing instructions": lambda content: content.replace(b"><", b"><?a b?><"),
    "pairs of tags": lambda content: re.sub(rb"<(\w+)([^>]*?)\s*/>", rb"<\1\2></\1>", content),
    "UTF-16": lambda content: content.decode().encode("utf-16"),
    "UTF-16, little end first": lambda content: b"\xff\xfe" + content.decode().encode("utf-16-le"),
    "UTF-16, big end first": lambda content: b"\xfe\xff" + content.decode().encode("utf-16-be"),
    "UTF-16 with a declaration": lambda content: ('<?xml version="1.0" encoding="UTF-16"?>' + content.decode()).encode(
        "utf-16"
    ),
    "Latin-1": lambda content: b'<?xml version="1.0" encoding="ISO-8859-1"?>' + content,
    "another version": lambda content: content.replace(b'ver="2.3"', b'ver="2.1"'),
    "no version": lambda content: content.replace(b' ver="2.3"', b""),
}


@pytest.mark.parametrize("form", FORMS.values(), ids=FORMS)
def test_form(read: Read, form: Callable[[bytes], bytes]) -> None:
    """However the XML is written, the match is the same and nothing is said of it."""
    content = form(PLAIN)
    assert content != PLAIN
    assert read(content, file_name="a.xml") == from_bytes(PLAIN, file_name="a.xml")
    assert notices(read, content) == []


DECLARATIONS = {
    "empty": "<!DOCTYPE mjloggm>",
    "entity": '<!DOCTYPE mjloggm [<!ENTITY e "9">]>',
    "external subset": '<!DOCTYPE mjloggm SYSTEM "file:///{path}">',
    "external entity": '<!DOCTYPE mjloggm [<!ENTITY e SYSTEM "file:///{path}">]>',
    "parameter entity": '<!DOCTYPE mjloggm [<!ENTITY % e SYSTEM "file:///{path}"> %e;]>',
    "network": '<!DOCTYPE mjloggm SYSTEM "http://localhost:9/log.dtd">',
    "default attribute": '<!DOCTYPE mjloggm [<!ATTLIST INIT chip CDATA "0,0,0,0">]>',
}


@pytest.mark.parametrize("present", [True, False], ids=["file", "no file"])
@pytest.mark.parametrize("declaration", DECLARATIONS.values(), ids=DECLARATIONS)
def test_document_type(read: Read, tmp_path: Path, declaration: str, *, present: bool) -> None:
    """A document type is refused, and whether a file that it names is there makes no difference."""
    named = tmp_path / "named"
    if present:
        named.write_text('<!ENTITY secret "9">')
    content = declaration.replace("{path}", named.as_posix().lstrip("/")).encode() + PLAIN
    with pytest.raises(MjlogError) as refused:
        read(content)
    assert str(refused.value) == "a document type declaration, which no log has"


@pytest.mark.parametrize("where", ['<GO type="&e;"/>', "<A>&e;</A>", "&e;"])
def test_entity(read: Read, where: str) -> None:
    """No entity is expanded, in a value or in a text."""
    with pytest.raises(MjlogError) as refused:
        read(b'<!DOCTYPE mjloggm [<!ENTITY e "9">]>' + log(where, FRAME))
    assert str(refused.value) == "a document type declaration, which no log has"


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="this system has no named pipes")
@pytest.mark.parametrize("opened", ["sys.stdin.buffer", "sys.stdin.buffer.read()"], ids=["file", "bytes"])
def test_no_file_is_opened(tmp_path: Path, opened: str) -> None:
    """An entity that names a file does not get it opened: of a pipe that nobody writes to, reading would never end."""
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    content = f'<!DOCTYPE mjloggm [<!ENTITY e SYSTEM "{pipe.as_uri()}">]>'.encode() + log("<A>&e;</A>", FRAME)
    program = f"import sys; from jmjp_convert.formats.mjlog.reader import read_mjlog; read_mjlog({opened})"
    done = subprocess.run([sys.executable, "-c", program], input=content, capture_output=True, timeout=20, check=False)
    assert b"MjlogError: a document type declaration, which no log has" in done.stderr


@pytest.mark.parametrize("where", ['<GO type="&e9;"/>', "<A>&e9;</A>"])
def test_entities_of_entities(read: Read, where: str) -> None:
    """Entities that would grow without bound are refused at once."""
    bomb = '<!ENTITY e0 "lol">' + "".join(f'<!ENTITY e{n} "{f"&e{n - 1};" * 10}">' for n in range(1, 10))
    with pytest.raises(MjlogError) as refused:
        read(f"<!DOCTYPE mjloggm [{bomb}]>".encode() + log(where, FRAME))
    assert str(refused.value) == "a document type declaration, which no log has"


def test_unknown_entity(read: Read) -> None:
    """An entity that nothing declares is not well-formed."""
    with pytest.raises(MjlogError, match=r"^not well-formed XML"):
        read(log('<GO type="&e;"/>', FRAME))


# --- doubled attributes ----------------------------------------------------------------------------------------------


DOUBLED = {
    "in AGARI": (agari(owari='0,0,0,0,0,0,0,0" owari="0,0,0,0,0,0,0,0'), "owari", "AGARI"),
    "three times": (agari(machi='60" machi="60" machi="60'), "machi", "AGARI"),
    "other quotes": (agari().replace("/>", " machi='60'/>"), "machi", "AGARI"),
    "far apart": (agari().replace("/>", '\n ba = "0,0" />'), "ba", "AGARI"),
}


@pytest.mark.parametrize(("end", "attribute", "tag"), DOUBLED.values(), ids=DOUBLED)
def test_doubled_attribute(read: Read, end: str, attribute: str, tag: str) -> None:
    """An attribute that stands twice with the same value is taken once, with one notice."""
    content = log(init(), TURN, end)
    assert notices(read, content) == [f"{attribute} stands twice in <{tag}>, with the same value"]
    assert read(content).frames[0].end.points == (24000, 26000, 25000, 25000)
    assert notices(read, gzip.compress(content)) == notices(read, content)


def test_doubled_in_many(read: Read) -> None:
    """The same repeat in many elements is told once, others too, after what else there is to tell."""
    doubled = FRAME.replace('oya="0"', 'oya="0" oya="0"').replace("<D60/>", '<A b="1" b="1"/><D60/>')
    content = log(
        '<GO type="9"/><UN n0="a&gt;b>" n0="a&gt;b>"/>', doubled, frame(1).replace('oya="0"', 'oya="0" oya="0"')
    )
    assert sorted(notices(read, content)) == [
        "b stands twice in <A>, with the same value",
        "element <A> is not known and is ignored",
        "n0 stands twice in <UN>, with the same value",
        "oya stands twice in <INIT>, with the same value",
    ]
    assert read(content).players[0].name == "a>b>"


def test_doubled_late(read: Read) -> None:
    """A repeat is taken out wherever it stands, behind much that was already read."""
    content = log(*map(frame, range(200)), frame(200).replace("<RYUUKYOKU", '<RYUUKYOKU ba="200,0"'))
    assert notices(read, content) == ["ba stands twice in <RYUUKYOKU>, with the same value"]
    assert len(read(content).frames) == 201


@pytest.mark.parametrize(
    "end",
    [
        agari(machi='60" machi="61'),
        agari(machi='60" machi="60 '),
        agari(machi='60" machi="60" who2="1" ba="0,1'),
    ],
    ids=["other", "nearly", "one of two"],
)
def test_doubled_with_other_values(read: Read, end: str) -> None:
    """An attribute that stands twice with two values is refused, though another stands twice with one."""
    with pytest.raises(
        MjlogError,
        match=r"^frame E1-0, element 3 <D60>: not well-formed XML after this element: Attribute \w+ redefined",
    ):
        read(log(init(), TURN, end))


def test_doubled_and_cut(read: Read) -> None:
    """A repeat does not make up for a log that is cut off."""
    with pytest.raises(MjlogError, match="not well-formed XML after this element: Premature end of data"):
        read(log(init(), TURN, agari(machi='60" machi="60')).removesuffix(b"</mjloggm>"))


# --- what nobody has described ---------------------------------------------------------------------------------------

UNKNOWN_THINGS: dict[str, tuple[bytes, str]] = {
    "element before the frames": (log("<A/>", FRAME), "element <A>"),
    "element in a frame": (log(init(), "<A/>", TURN, ryuukyoku()), "element <A>"),
    "element at the end": (log(FRAME, "<A/>"), "element <A>"),
    "GO in a frame": (log(init(), '<GO type="27"/>', TURN, ryuukyoku()), "element <GO> after the first frame"),
    "TAIKYOKU at the end": (log(FRAME, '<TAIKYOKU oya="0"/>'), "element <TAIKYOKU> after the first frame"),
    "SHUFFLE in a frame": (log(init(), '<SHUFFLE seed=""/>', TURN), "element <SHUFFLE> after the first frame"),
    "shuffle": (log('<SHUFFLE seed="md5,0"/>', FRAME), "shuffle md5"),
    "rate": (log('<UN n0="A" n1="B" rate="1500.00,1e3"/>', FRAME), "rate='1e3' of <UN>"),
    "gold": (log('<UN n0="A" n1="B" gold="1.5,2"/>', FRAME), "gold='1.5' of <UN>"),
    "element again and again": (log("<A/>", "<A/>", FRAME, "<A/>"), "element <A>"),
    "small letters": (log("<go/>", FRAME), "element <go>"),
    "attribute before the frames": (log('<GO type="9" a="1"/>', FRAME), "attribute a of <GO>"),
    "attribute of INIT": (log(init(a=1), TURN, ryuukyoku()), "attribute a of <INIT>"),
    "attribute in a frame": (log(init(), '<BYE who="1" a="1"/>', TURN, ryuukyoku()), "attribute a of <BYE>"),
    "attribute of UN in a frame": (log(init(), '<UN n1="A" a="1"/>', TURN, ryuukyoku()), "attribute a of <UN>"),
    "attribute at the end": (log(init(), TURN, ryuukyoku(a=1)), "attribute a of <RYUUKYOKU>"),
    "attribute of the root": (log(FRAME, root='mjloggm ver="2.3" a="1"'), "attribute a of <mjloggm>"),
    "attribute of a draw": (log(FRAME.replace("<T60/>", '<T60 a="1"/>')), "attribute a of a draw or discard"),
    "attribute of a discard": (log(FRAME.replace("<D60/>", '<D60 a="1"/>')), "attribute a of a draw or discard"),
    "attribute in single quotes": (log(FRAME.replace("<T60/>", "<T60 a='1'/>")), "attribute a of a draw or discard"),
    "attribute with spaces": (log(FRAME.replace("<T60/>", '<T60 a = "1"/>')), "attribute a of a draw or discard"),
    "element inside a draw": (log(FRAME.replace("<T60/>", "<T60><A/></T60>")), "element <A> inside <T60>"),
    "element inside another": (
        log(FRAME.replace("<T60/>", '<T60/><DORA hai="134"><A/></DORA>')),
        "element <A> inside <DORA>",
    ),
    "draw inside a discard": (log(FRAME.replace("<D60/>", "<D60><U61/></D60>")), "element <U61> inside <D60>"),
}


@pytest.mark.parametrize(("content", "what"), UNKNOWN_THINGS.values(), ids=UNKNOWN_THINGS)
def test_unknown(read: Read, content: bytes, what: str) -> None:
    """What nobody has described is ignored, and named once."""
    assert notices(read, content) == [f"{what} is not known and is ignored"]


@pytest.mark.parametrize(("content", "what"), UNKNOWN_THINGS.values(), ids=UNKNOWN_THINGS)
def test_unknown_strictly(read: Read, content: bytes, what: str) -> None:
    """What nobody has described is refused if the reader is to be strict."""
    with pytest.raises(MjlogError) as refused:
        read(content, strict=True)
    assert refused.value.reason == f"{what} is not known"


def test_strict_names_the_place(read: Read) -> None:
    """A strict refusal names the element."""
    with pytest.raises(MjlogError) as refused:
        read(log('<GO type="9"/>', init(), '<BYE who="1" a="1"/>', TURN), strict=True)
    assert str(refused.value) == 'frame E1-0, element 3 <BYE who="1" a="1">: attribute a of <BYE> is not known'


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("<T60/>", '<T60 a="1"/>', 'element 6 <T60 a="1">: attribute a of a draw or discard is not known'),
        ("<D60/>", "<D60><A/></D60>", "element 7 <D60>: element <A> inside <D60> is not known"),
    ],
)
def test_strict_names_the_place_of_what_is_hidden(read: Read, old: str, new: str, message: str) -> None:
    """A strict refusal of what hides in or about a draw or discard names element and frame too."""
    with pytest.raises(MjlogError) as refused:
        read(log(FRAME, frame(1).replace(old, new), frame(2)), strict=True)
    assert str(refused.value) == f"frame E1-1, {message}"


def test_nested_elements_are_ignored(read: Read) -> None:
    """What stands inside another element is never taken for play, not even a whole frame."""
    content = log(FRAME.replace("<D60/>", f"<D60><U61/>{FRAME}</D60>"))
    assert read(content).frames == read(log(FRAME)).frames
    assert notices(read, content) == [
        f"element <{tag}> inside <D60> is not known and is ignored"
        for tag in ("U61", "INIT", "T60", "D60", "RYUUKYOKU")
    ]


def test_notices_in_order(read: Read) -> None:
    """Notices follow the log, those of one element its attributes."""
    names = "klmnopqrst"
    go = element("GO", {"type": 9}, dict.fromkeys(names, 1))
    said = notices(read, log("<A/>", go, FRAME))
    assert said == [
        "element <A> is not known and is ignored",
        *(f"attribute {name} of <GO> is not known and is ignored" for name in names),
    ]


def test_no_notice_is_needed(read: Read) -> None:
    """Nobody has to listen to what is said."""
    assert len(read(log("<A/>", FRAME)).frames) == 1


def test_known_attributes(read: Read) -> None:
    """The rare attributes of real logs are known."""
    go = '<GO type="9" lobby="0" title="a" rule="b" ranking="c" csrule="d"/>'
    names = '<UN n0="A" n1="B" n2="C" n3="D" dan="1,2,3,4" rate="1,2,3,4" sx="M,F,M,C" gold="5,6,7,8" rc="1,2,3,4"/>'
    content = log('<SHUFFLE seed="mt19937ar-sha512-n288-base64,AA" ref=""/>', go, names, '<TAIKYOKU oya="0"/>', FRAME)
    assert notices(read, content) == []
    match = read(content, strict=True)
    assert match.rules == Rules(
        code=9, lobby=0, custom=(("title", "a"), ("rule", "b"), ("ranking", "c"), ("csrule", "d"))
    )
    assert match.players[1] == Player(handle("B"), None, 2, 2, "F", 6, "2")
    assert match.shuffle == Shuffle(ShuffleForm.BASE64, "mt19937ar-sha512-n288-base64,AA")


# --- the match -------------------------------------------------------------------------------------------------------


def test_no_go(read: Read) -> None:
    """Without GO the rules are not known: four players and red fives are supposed, and there is no title."""
    match = read(log(FRAME))
    assert match.rules == Rules(players=4, red_fives=True, code=None, lobby=None)
    assert match.tournament is None
    assert match.players == (Player(),) * 4


def test_go(read: Read) -> None:
    """GO tells the rules and their name."""
    match = read(log('<GO type="11" lobby="1234"/>', FRAME))
    assert match.rules == Rules(players=4, red_fives=False, code=11, lobby=1234)
    assert match.tournament == Tournament(
        Text("天鳳 四般南喰 L1234", "Tenhou 4-player General East-South, open tanyao, no red fives, lobby 1234")
    )


@pytest.mark.parametrize(
    ("go", "lobby"),
    [('<GO type="9"/>', 1234), ('<GO type="9" lobby=""/>', 1234), ('<GO type="9" lobby="0"/>', 0), ("", 1234)],
)
def test_lobby_of_the_id(read: Read, go: str, lobby: int) -> None:
    """Where GO does not tell the lobby, the id does."""
    assert read(log(go, FRAME), id="2010041809gm-0089-1234-0123abcd").rules.lobby == lobby


def test_no_lobby(read: Read) -> None:
    """Where neither GO nor an id tells it, the lobby is not known."""
    assert read(log('<GO type="9"/>', FRAME), file_name="a.xml").rules.lobby is None


@pytest.mark.parametrize(
    ("name", "id_", "date"),
    [
        (f"{ID}.xml", ID, "20110204"),
        (f"{ID}&tw=2.mjlog", ID, "20110204"),
        (f"{ID}&tw=2.mjlog.gz", ID, "20110204"),
        (f"log={ID}.xml", ID, "20110204"),
        ("20110204gm-00a9-0000-b67fcaa3.xml", "20110204gm-00a9-0000-b67fcaa3", "20110204"),
        ("2012090306gm-0089-0000-x666f4d41e26b.xml", "2012090306gm-0089-0000-x666f4d41e26b", "20120903"),
        ("2011023017gm-00a9-0000-b67fcaa3.xml", "2011023017gm-00a9-0000-b67fcaa3", None),
    ],
)
def test_id_of_the_file_name(tmp_path: Path, name: str, id_: str, date: str | None) -> None:
    """The id stands in the file name, with the day, and then the name is not kept."""
    path = tmp_path / name
    path.write_bytes(PLAIN)
    match = read_mjlog(path)
    assert (match.id, match.date, match.source) == (id_, date, None)
    assert read_mjlog(PLAIN, file_name=name) == match
    assert read_mjlog(str(path)) == match


def test_id_that_is_given(read: Read) -> None:
    """An id that is given is the log's, whatever the name."""
    match = read(PLAIN, id=ID, file_name="2019041809gm-0089-1234-0123abcd.xml")
    assert (match.id, match.date) == (ID, "20110204")


def test_no_id(read: Read) -> None:
    """A name without an id is kept, and nothing is made up."""
    match = read(PLAIN, file_name="my game.xml")
    assert (match.id, match.source, match.date, match.time) == (None, "my game.xml", None, None)


def test_no_name() -> None:
    """Bytes have no name."""
    assert read_mjlog(PLAIN).source is None


def test_directories_are_no_part_of_the_name(tmp_path: Path) -> None:
    """The folders of a path tell nothing."""
    folder = tmp_path / ID
    folder.mkdir()
    (folder / "a.xml").write_bytes(PLAIN)
    match = read_mjlog(folder / "a.xml")
    assert (match.id, match.source) == (None, "a.xml")


def test_time(read: Read) -> None:
    """The time is the one that is given; an id alone tells none."""
    assert read(PLAIN, id=ID).time is None
    assert read(PLAIN, id=ID, time="1707").time == "1707"


@pytest.mark.parametrize("time", ["", "9", "17:07", "2400", "1760", "17070", "\N{FULLWIDTH DIGIT ONE}707", "1707\n"])
def test_no_time(read: Read, time: str) -> None:
    """What is no time of day is refused."""
    with pytest.raises(ConvertError) as refused:
        read(PLAIN, time=time)
    assert str(refused.value) == f"{time!r} is no time of day, HHMM"


@pytest.mark.parametrize("id_", ["", "x", f"{ID}.xml", f" {ID}", "2011020417gm"])
def test_id_that_is_none(read: Read, id_: str) -> None:
    """What is given as an id and is none is refused."""
    with pytest.raises(ConvertError) as refused:
        read(PLAIN, id=id_)
    assert str(refused.value) == f"{id_!r} is no log id"


def test_place(read: Read) -> None:
    """Place and recorder are Tenhou."""
    match = read(PLAIN)
    assert match.place == Text("天鳳", "Tenhou")
    assert match.recorders == (Recorder(Name(Text("天鳳", "Tenhou"))),)


# --- players ---------------------------------------------------------------------------------------------------------

FULL = '<UN n0="%41" n1="%42" n2="%E5%A4%A9" n3="%44" dan="1,2,3,20" rate="1500.00,1600,1700.55,1800" sx="M,F,M,C"/>'


def players(*elements: str) -> tuple[Player, ...]:
    """Return the players of a log that begins with *elements*."""
    return from_bytes(log(*elements, FRAME)).players


def test_players() -> None:
    """Players have a name, rank, rating, and sex."""
    assert players(FULL) == (
        Player(handle("A"), None, 1, 1500.00, "M"),
        Player(handle("B"), None, 2, 1600, "F"),
        Player(handle("天"), None, 3, 1700.55, "M"),
        Player(handle("D"), None, 20, 1800, "C"),
    )


@pytest.mark.parametrize(
    ("un", "expected"),
    [
        ('<UN n0="A" n1="B" n2="C" n3="D"/>', Player(handle("D"))),
        ('<UN n0="A" n1="B" n2="C" n3="D" dan="" rate="" sx=""/>', Player(handle("D"))),
        ('<UN n0="A" n1="B" n2="C" n3="D" dan="1,2,3" rate="1,2,3" sx="M,F,C"/>', Player(handle("D"))),
        ('<UN n0="A" n1="B" n2="C" n3="D" dan="1,2,3," rate="1,2,3,4"/>', Player(handle("D"), rate=4)),
        ('<UN n0="A" n1="B" n2="C" n3="D" gold="1,2,3,4" rate="1,2,3,4"/>', Player(handle("D"), rate=4, gold=4)),
        ('<UN n0="A" n1="B" n2="C" n3="D" dan="1,2,3,4" rc="5,6,7,8"/>', Player(handle("D"), dan=4, rc="8")),
        ('<UN n0="A" n1="B" n2="C" n3="D" dan="1,2,3,4" gold=",,,x" rate=",,,x"/>', Player(handle("D"), dan=4)),
        ('<UN n0="A" n1="B" n2="C"/>', Player()),
        ('<UN n0="A" n1="B" n2="C" n3=""/>', Player()),
        ('<UN n0="A" n1="B" n2="C" n3="+%2B 100%"/>', Player(handle("++ 100%"))),
        ('<UN n0="A" n1="B" n2="C" n3="%44%FF"/>', Player(handle("D\N{REPLACEMENT CHARACTER}"), b"D\xff")),
        ('<UN n0="A" n1="B" n2="C" n3="&quot;&amp;&lt;"/>', Player(handle('"&<'))),
        ('<UN n0="A" n1="B" n2="C" n3="天"/>', Player(handle("天"))),
    ],
)
def test_player(un: str, expected: Player) -> None:
    """What is not recorded of a player is not there; bytes that are no UTF-8 are kept beside the name."""
    assert players(un)[3] == expected


def test_return(read: Read) -> None:
    """A later UN is a return, of whom it names, and no new player."""
    back = '<UN n2="%E5%A4%A9"/>'
    match = read(
        log(FULL, '<BYE who="2"/>', back, init(), "<T60/>", '<BYE who="2"/>', back, "<D60/>", ryuukyoku(), back)
    )
    assert match.before == (Disconnected(2), Returned(2))
    presences = [event for event in match.frames[0].events if isinstance(event, Disconnected | Returned)]
    assert presences == [Disconnected(2), Returned(2), Returned(2)]
    assert match.players == players(FULL)


def test_return_under_another_name() -> None:
    """The first name stands; the other one is that of the return."""
    match = from_bytes(log(FULL, '<UN n1="Z"/>', FRAME))
    assert match.players[1].name == "B"
    assert match.before == (Returned(1, "Z"),)


def test_return_without_a_name() -> None:
    """A return without a name is a return."""
    match = from_bytes(log(FULL, '<UN n1=""/>', FRAME))
    assert match.players[1].name == "B"
    assert match.before == (Returned(1),)


def test_empty_name_is_filled_later() -> None:
    """The first name that is not empty stands, with what was known of the player."""
    match = from_bytes(log(FULL.replace("%42", ""), '<UN n1=""/><UN n1="Y"/><UN n1="Z"/>', FRAME))
    assert match.players[1] == Player(handle("Y"), None, 2, 1600, "F")
    assert match.before == (Returned(1), Returned(1), Returned(1, "Z"))


def test_empty_name_is_filled_in_a_frame() -> None:
    """A name may come as late as in a frame; with bytes that are no UTF-8 if it must be."""
    match = from_bytes(log(FULL.replace("%42", ""), init(), '<UN n1="%FF"/>', TURN, ryuukyoku()))
    assert match.players[1] == Player(handle("\N{REPLACEMENT CHARACTER}"), b"\xff", 2, 1600, "F")


def test_players_announced_again() -> None:
    """A later UN that names several is no return, but may fill an empty name."""
    match = from_bytes(log(FULL, init(), "<T60/>", '<UN n0="A" n3="X"/>', "<D60/>", ryuukyoku()))
    assert match.players == players(FULL)
    assert match.frames == from_bytes(log(FRAME)).frames
    match = from_bytes(log(FULL.replace("%42", ""), FULL, FRAME))
    assert (match.players, match.before) == (players(FULL), ())


def test_return_of_several() -> None:
    """Of several that a later UN names, those return who are away."""
    away = '<BYE who="1"/><BYE who="2"/><BYE who="3"/><UN n3="%44"/>'
    match = from_bytes(log(FULL, away, '<UN n1="%42" n2="%E5%A4%A9"/>', init(), TURN, ryuukyoku(), FULL))
    assert match.before == (*map(Disconnected, (1, 2, 3)), Returned(3), Returned(1), Returned(2))
    assert match.frames == from_bytes(log(FULL, FRAME)).frames
    match = from_bytes(log(FULL, init(), TURN, '<BYE who="2"/>', ryuukyoku(), FULL))
    assert match.frames[0].events[-1] == Returned(2)


def test_place_of_an_error_behind_a_return_of_several(read: Read) -> None:
    """Elements that are several events or none do not shift the place of an error."""
    content = log(FULL, init(), "<T60/>", '<UN n0="A" n3="X"/>', "<A/>", "<D61/>")
    with pytest.raises(MjlogError, match=r"^frame E1-0, element 6 <D61>: player 0 does not hold tile 61 \(7p\)$"):
        read(content)


# --- frames ----------------------------------------------------------------------------------------------------------


def test_init(read: Read) -> None:
    """INIT tells round, honba, sticks, dice, points, hands and the first indicator."""
    content = log(init(seed="6,2,1,2,5,52", ten="240,-5,260,495", oya=2), "<V60/><F60/>")
    start = read(content).frames[0].start
    assert (start.round, start.honba, start.sticks, start.dealer, start.dice) == (6, 2, 1, 2, (3, 6))
    assert start.name == "S3-2"
    assert start.points == (24000, -500, 26000, 49500)
    assert start.hands == tuple(map(tuple, HANDS))
    assert start.indicator == 52
    assert (start.shuffle, start.chips) == (None, None)


def test_deal_keeps_its_order() -> None:
    """A hand is kept in the order in which it was dealt."""
    dealt = tuple(reversed(HANDS[0]))
    assert from_bytes(log(init(hai0=csv(*dealt)), TURN)).frames[0].start.hands[0] == dealt


def test_old_shuffle(read: Read) -> None:
    """In logs of before July 2009 every INIT has the seed of its wall."""
    content = log(init(shuffle="a,b"), TURN, ryuukyoku(), frame(1).replace('oya="0"', 'oya="0" shuffle="c,d"'))
    match = read(content)
    assert match.shuffle == Shuffle(ShuffleForm.OLD)
    assert [frame.start.shuffle for frame in match.frames] == ["a,b", "c,d"]
    assert notices(read, content) == []


@pytest.mark.parametrize(
    ("seed", "form"),
    [
        ("mt19937ar-sha512-n288-base64,AA==", ShuffleForm.BASE64),
        ("mt19937ar-sha512-n288,01234567,89ABCDEF", ShuffleForm.HEX),
    ],
)
def test_shuffle(seed: str, form: ShuffleForm) -> None:
    """The seed of all walls is kept as it is."""
    assert from_bytes(log(f'<SHUFFLE seed="{seed}" ref=""/>', FRAME)).shuffle == Shuffle(form, seed)


@pytest.mark.parametrize(
    "content", [log(FRAME), log("<SHUFFLE/>", FRAME), log('<SHUFFLE seed="" ref=""/>', init(shuffle=""))]
)
def test_no_shuffle(read: Read, content: bytes) -> None:
    """A log without a seed has none, and an empty one is none."""
    assert read(content, strict=True).shuffle is None


@pytest.mark.parametrize("filling", [" ", "<A><B/></A>", '<BYE who="1" a="0123456789"/>'])
def test_megabyte_without_a_frame(filling: str) -> None:
    """What goes on for more than a megabyte without a frame is refused where it is streamed."""
    with pytest.raises(
        MjlogError, match=r"^more than (1,048,576 bytes without the beginning of a|50,000 elements in one) frame$"
    ):
        from_file(log(init(), filling * (1_200_000 // len(filling))))


KINDS = [
    (None, DrawKind.EXHAUSTIVE),
    ("nm", DrawKind.NAGASHI),
    ("yao9", DrawKind.NINE_TERMINALS),
    ("kaze4", DrawKind.FOUR_WINDS),
    ("reach4", DrawKind.FOUR_RIICHI),
    ("kan4", DrawKind.FOUR_KANS),
    ("ron3", DrawKind.TRIPLE_RON),
]


def test_kinds_are_all() -> None:
    """The cases below are all kinds of draw."""
    assert {kind for _, kind in KINDS} == set(DrawKind)


@pytest.mark.parametrize(("type_", "kind"), KINDS)
def test_drawn_frame(read: Read, type_: str | None, kind: DrawKind) -> None:
    """A drawn frame has its kind, the hands that are shown, and the points."""
    shown = csv(*reversed(HANDS[2]))
    end = ryuukyoku(type=type_, sc="250,-10,250,-10,250,30,250,-10", hai2=shown)
    frame = read(log(init(), TURN, end)).frames[0]
    (draw,) = frame.endings
    assert isinstance(draw, Ryuukyoku)
    assert draw.kind is kind
    assert [None if hand is None else sorted(hand) for hand in draw.shown or ()] == [None, None, list(HANDS[2]), None]
    assert (draw.sticks, draw.before, draw.changes) == (0, (25000,) * 4, (-1000, -1000, 3000, -1000))
    assert frame.end.points == (24000, 24000, 28000, 24000)


def test_win(read: Read) -> None:
    """A win has all that AGARI tells."""
    end = agari(
        yaku="1,1,52,2,53,0", doraHaiUra="134", ba="0,0", paoWho=3, ten="40,5200,0", sc="250,-52,250,52,250,0,250,0"
    )
    frame = read(log(init(), TURN, end)).frames[0]
    (win,) = frame.endings
    assert isinstance(win, Win)
    assert (win.player, win.source, win.tile, win.pao) == (1, 0, 60, 3)
    assert win.score == Score(40, 5200, Limit.NONE, (Yaku(1, 1), Yaku(52, 2), Yaku(53, 0)))
    assert (win.ura, win.indicators, win.sticks) == ((134,), (135,), 0)
    assert (win.before, win.changes) == ((25000,) * 4, (-5200, 5200, 0, 0))
    assert sorted(win.hand or ()) == sorted((*HANDS[1], 60))
    assert win.melds == ()


def test_tsumo() -> None:
    """A win by tsumo, of which the log has the winner as the giver too, has no source."""
    end = agari(who=0, fromWho=0, hai=csv(*HANDS[0], 60), sc="250,30,250,-10,250,-10,250,-10")
    (win,) = from_bytes(log(init(), "<T60/>", end)).frames[0].endings
    assert isinstance(win, Win)
    assert (win.player, win.source, win.tile) == (0, None, 60)


@pytest.mark.parametrize(
    ("ten", "yaku", "yakuman", "score"),
    [
        ("20,8000,1", "1,1,52,4", None, Score(20, 8000, Limit.MANGAN, (Yaku(1, 1), Yaku(52, 4)))),
        ("20,12000,2", "35,6", None, Score(20, 12000, Limit.HANEMAN, (Yaku(35, 6),))),
        ("20,16000,3", "35,6,52,2", None, Score(20, 16000, Limit.BAIMAN, (Yaku(35, 6), Yaku(52, 2)))),
        ("20,24000,4", "35,6,52,5", None, Score(20, 24000, Limit.SANBAIMAN, (Yaku(35, 6), Yaku(52, 5)))),
        ("20,32000,5", "35,6,52,7", None, Score(20, 32000, Limit.YAKUMAN, (Yaku(35, 6), Yaku(52, 7)))),
        ("0,32000,5", None, "47", Score(0, 32000, Limit.YAKUMAN, (Yaku(47),))),
        ("60,64000,5", None, "39,42", Score(60, 64000, Limit.YAKUMAN, (Yaku(39), Yaku(42)))),
    ],
)
def test_score(ten: str, yaku: str | None, yakuman: str | None, score: Score) -> None:
    """A win's worth is fu, points, limit, and yaku or yakuman."""
    (win,) = from_bytes(log(init(), TURN, agari(ten=ten, yaku=yaku, yakuman=yakuman))).frames[0].endings
    assert isinstance(win, Win)
    assert win.score == score


def test_dora(read: Read) -> None:
    """A frame has ten dora, the tiles themselves: dora and ura in turn, and what the log does not show is unknown."""
    kan = "<T60/><D60/>"
    end = agari(doraHai="135,123", doraHaiUra="107,52")
    frame = read(log(init(), kan, '<DORA hai="123"/>', end)).frames[0]
    shown = [any_copy(face) for face in ("wd", "1s", "ew", "6p")]
    assert frame.dora == (*shown, *[UNKNOWN] * 6)


def test_riichi_without_points(read: Read) -> None:
    """Logs of 2009 do not tell the points after a riichi."""
    riichi = '<T60/><REACH who="0" step="1"/><D60/><REACH who="0" step="2"/>'
    match = read(log(init(), riichi, ryuukyoku(ba="0,1", sc="240,0,250,0,250,0,250,0")))
    assert RiichiAccepted(0) in match.frames[0].events


def test_points_follow(read: Read) -> None:
    """The points and sticks after a frame are those before the next."""
    frames = read(PLAIN).frames
    assert [before.end.points for before in frames[:-1]] == [after.start.points for after in frames[1:]]
    for before, after in pairwise(frames):
        assert before.start.name != after.start.name


def test_chips() -> None:
    """A chip game has chips before each frame, those that a win moves, those at the end, and their worth."""
    match = read_mjlog(FIXTURES / "valid" / "chips.xml")
    assert (match.chips, match.ratio) == (((-1, "0"), (0, "0"), (2, "0"), (-1, "0")), "2000,10")
    assert match.frames[-1].start.chips == (-1, 0, 2, -1)
    wins = [event for frame in match.frames for event in frame.endings if isinstance(event, Win)]
    assert ((-1, -1, 3, -1), ((2, 1),)) in [(win.chips, win.chip_yaku) for win in wins]
    assert match.final_points == (28000, 30000, 32000, 30000)


@pytest.mark.parametrize("owari", ["240,-26.0,260,36.0,250,5.0,250,-15.0", "240,-26,260,36,250,5,250,-15"])
@pytest.mark.parametrize("end", [agari, ryuukyoku], ids=["win", "draw"])
def test_owari(end: Callable[..., str], owari: str) -> None:
    """The final result stands on the last win or draw, whole or with a decimal, and gives away the point rule."""
    match = from_bytes(log(init(), TURN, end(owari=owari)))
    assert match.final_points == (24000, 26000, 25000, 25000)
    assert match.results == (-26000, 36000, 5000, -15000)
    assert match.point_rule == PointRule(25000, 30000, 20000, 10000, 300, 3000)


def test_no_owari() -> None:
    """A game that broke off has no result and no point rule."""
    match = from_bytes(log(FRAME))
    assert (match.final_points, match.results, match.point_rule) == (None, None, None)


@pytest.mark.parametrize("end", ["", "<T60/>", TURN, TURN + "<U61/>"])
def test_unfinished(read: Read, end: str) -> None:
    """A frame that stops is read as far as it goes."""
    frame = read(log(init(), end)).frames[0]
    assert frame.end.points is None
    assert len(frame.events) == end.count("<")


@pytest.mark.parametrize("worth", ["-1.5", "2", "0.25"])
def test_worth_of_chips(worth: str) -> None:
    """The worth of chips is kept as it is recorded."""
    owari = "240,-26,260,36,250,5,250,-15"
    match = from_bytes(log(init(), TURN, ryuukyoku(owari=f"{owari},1,{worth},0,0,-1,1,0,0")))
    assert match.chips == ((1, worth), (0, "0"), (-1, "1"), (0, "0"))
    with pytest.raises(MjlogError, match="'x' is not a number"):
        from_bytes(log(init(), TURN, ryuukyoku(owari=f"{owari},1,x,0,0,-1,1,0,0")))


def test_frame_after_the_result(read: Read) -> None:
    """Nothing follows the frame with the final result."""
    owari = "250,5.0,250,5.0,250,5.0,250,-15.0"
    content = log(init(), TURN, ryuukyoku(owari=owari), init(seed="0,1,0,0,1,135"), TURN, ryuukyoku(ba="1,0"))
    reason = "a frame begins, but the one before it has the final result (owari)"
    with pytest.raises(MjlogError) as refused:
        read(content)
    assert (refused.value.frame, refused.value.number, refused.value.reason) == ("E1-1", 5, reason)
    found: list[MjlogError] = []
    match = read_mjlog(content, finding=found.append)
    assert [error.reason for error in found] == [reason]
    assert (len(match.frames), match.final_points) == (2, None)


@pytest.mark.parametrize(
    ("head", "said"),
    [
        ('<SHUFFLE seed="" ref=""/><TAIKYOKU oya="0"/>', []),
        ('<SHUFFLE seed="" ref="x"/>', ["ref='x' of <SHUFFLE> is not known and is ignored"]),
        ('<TAIKYOKU oya="2"/>', ["oya='2' of <TAIKYOKU> is not known and is ignored"]),
    ],
)
def test_values_that_nobody_has_described(head: str, said: list[str]) -> None:
    """A value other than the only one that is described is told of, and refused when reading strictly."""
    notices: list[str] = []
    read_mjlog(log(head, FRAME), notice=notices.append)
    assert notices == said
    if said:
        with pytest.raises(MjlogError, match=said[0].removesuffix(" and is ignored")):
            read_mjlog(log(head, FRAME), strict=True)


# --- three players ---------------------------------------------------------------------------------------------------


def test_three_players(read: Read) -> None:
    """A game of three is read in full: three of everything, and the norths that were set aside."""
    match = read(SANMA)
    frame = match.frames[0]
    assert match.rules == Rules(players=3, code=185, lobby=0)
    assert [player.name for player in match.players] == ["Kaede", "Tsubaki", "Aster"]
    assert [len(values) for values in (frame.start.points or (), frame.start.hands, frame.end.hands)] == [3, 3, 3]
    assert frame.start.points == (35000, 35000, 35000)
    assert Kita(0, 120) in frame.events
    assert frame.end.hands[0].melds == (Kita(0, 120),)
    assert frame.end.points == (27000, 47000, 31000)
    assert match.final_points == (27000, 47000, 31000)
    assert match.results == (-33000, 42000, -9000)
    assert match.point_rule is None
    (win,) = frame.endings
    assert isinstance(win, Win)
    assert (win.before, win.changes) == ((35000, 34000, 35000), (-8000, 13000, -4000))
    assert RiichiAccepted(1, (35000, 34000, 35000)) in frame.events
    assert notices(read, SANMA) == []


def test_three_players_without_go(read: Read) -> None:
    """Without GO the empty fourth hand tells that there are three players, and three are in the match."""
    go = re.search(rb"<GO[^>]*>", SANMA)
    assert go
    match = read(SANMA.replace(go[0], b""))
    assert match.rules == Rules(players=3)
    assert [player.name for player in match.players] == ["Kaede", "Tsubaki", "Aster"]
    assert match.frames == read(SANMA).frames


def test_three_players_of_whom_nothing_is_known() -> None:
    """Without UN there are three players without names."""
    named = re.search(rb"<UN[^>]*>", SANMA)
    assert named
    assert from_bytes(SANMA.replace(named[0], b"")).players == (Player(),) * 3


def test_name_of_a_fourth_of_three() -> None:
    """The fourth seat of three players has no name."""
    notices: list[str] = []
    assert len(read_mjlog(SANMA.replace(b' n3=""', b' n3="%41"'), notice=notices.append).players) == 3
    assert notices == ["n3='%41' of <UN> is not known and is ignored"]


def test_payments_of_three_alone(read: Read) -> None:
    """The payments of three players may be written without those of the empty seat."""
    short = re.sub(rb'( sc="(?:[0-9-]+,){5}[0-9-]+),0,0"', rb'\1"', SANMA)
    assert short != SANMA
    assert read(short) == read(SANMA)


def test_ron_on_a_kita(read: Read) -> None:
    """A north that is ronned is not set aside."""
    kita = SANMA.index(b"<T42/>")
    hand = csv(*sorted((106, 44, 73, 68, 37, 107, 40, 53, 61, 56, 64, 72, 49, 120)))
    ron = (
        f'<AGARI ba="0,0" hai="{hand}" machi="120" ten="30,1000,0" yaku="3,1" doraHai="104" who="1" fromWho="0"'
        ' sc="350,-10,350,10,350,0,0,0"/></mjloggm>'
    )
    frame = read(SANMA[:kita] + ron.encode()).frames[0]
    assert frame.end.hands[0].melds == ()
    assert 120 not in frame.end.hands[0].tiles
    assert 55 in frame.end.hands[0].tiles
    assert frame.end.hands[1].drawn == 120


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        (b'who="0" m="30752"', b'who="3" m="30752"', "who=3 is no player, 0 to 2"),
        (b'who="0" m="30752"', b'who="0" m="31008"', "player 0 does not hold tile 121 (nw)"),
        (b"<T55/>", b"<T4/>", "tile 4 (2m) is not in a 3-player set"),
        (b"<U124/>", b"<U124/><DORA hai='31'/>", "tile 31 (8m) is not in a 3-player set"),
        (b'hai3=""', b'hai3="3"', "hai3 holds tiles, but there are 3 players"),
        (b"<U124/>", b'<N who="1" m="3082"/>', "the meld takes a tile from a player who is not there, of 0 to 2"),
        (b"<U124/>", b"<W124/>", "player 3 draws, but it is player 1's turn"),
    ],
)
def test_refusal_of_three(read: Read, old: bytes, new: bytes, message: str) -> None:
    """What cannot be with three players is refused."""
    assert old in SANMA
    with pytest.raises(MjlogError) as refused:
        read(SANMA.replace(old, new))
    assert refused.value.reason == message


def test_kita_of_another_tile(read: Read) -> None:
    """A kita of a tile that is no north is refused."""
    with pytest.raises(MjlogError) as refused:
        read(SANMA.replace(b'm="30752"', b'm="%d"' % (60 << 8 | 0x20)))
    assert refused.value.reason == "player 0 sets tile 60 (7p) aside, which is no kita"


def test_kita_of_four(read: Read) -> None:
    """A kita is refused where there are four players."""
    hand = csv(*HANDS[0][:-1], 120)
    with pytest.raises(MjlogError) as refused:
        read(log(init(hai0=hand), "<T60/>", '<N who="0" m="30752"/>'))
    assert refused.value.reason == "player 0 sets tile 120 (nw) aside, which is no kita"


# --- what is refused -------------------------------------------------------------------------------------------------

MANY = " ".join(f'a{number}=""' for number in range(100))

HEAD: dict[str, tuple[str, str, str]] = {
    "rules below zero": ('<GO type="-1"/>', '<GO type="-1">', "type=-1 is no number of rules"),
    "rules in letters": ('<GO type="x"/>', '<GO type="x">', "'x' is not a number"),
    "no rules": ('<GO lobby="0"/>', '<GO lobby="0">', "attribute type is missing"),
    "lobby": ('<GO type="9" lobby="x"/>', '<GO type="9" lobby="x">', "'x' is not a number"),
    "attributes": (f"<A {MANY}/>", "<A …>", "an element of more than 64 attributes"),
    "dan": ('<UN n0="A" dan="x"/>', '<UN n0="A" dan="x">', "'x' is not a number"),
    "BYE": ('<BYE who="4"/>', '<BYE who="4">', "who=4 is no player, 0 to 3"),
    "draw": ("<T60/>", "<T60>", "an act before the first frame"),
    "discard": ("<G60/>", "<G60>", "an act before the first frame"),
    "meld": ('<N who="0" m="0"/>', '<N who="0" m="0">', "an act before the first frame"),
    "riichi": ('<REACH who="0" step="1"/>', '<REACH who="0" step="1">', "an act before the first frame"),
    "dora": ('<DORA hai="0"/>', '<DORA hai="0">', "an act before the first frame"),
    "win": ("<AGARI/>", "<AGARI>", "an act before the first frame"),
    "drawn frame": ("<RYUUKYOKU/>", "<RYUUKYOKU>", "an act before the first frame"),
    "no tile": ("<D136/>", "<D136>", "D136 names no tile, 0 to 135"),
}


@pytest.mark.parametrize(("head", "text", "message"), HEAD.values(), ids=HEAD)
def test_refusal_before_the_frames(read: Read, head: str, text: str, message: str) -> None:
    """What is wrong before the first frame is refused with its place."""
    with pytest.raises(MjlogError) as refused:
        read(log('<TAIKYOKU oya="0"/>', head, FRAME))
    assert str(refused.value) == f"element 2 {text}: {message}"


STARTS: dict[str, tuple[dict[str, object], str | None, str]] = {
    "five values": ({"seed": "0,0,0,0,1"}, "E1-0", "seed has 5 values, not 6"),
    "seven values": ({"seed": "0,0,0,0,1,135,0"}, "E1-0", "seed has 7 values, not 6"),
    "no number": ({"seed": "0,0,0,0,1,x"}, "E1-0", "'x' is not a number"),
    "no seed": ({"seed": None}, None, "attribute seed is missing"),
    "round": (
        {"seed": "16,0,0,0,1,135"},
        None,
        "seed='16,0,0,0,1,135' is no round, honba, sticks, two dice and a dora indicator",
    ),
    "honba": (
        {"seed": "0,-1,0,0,1,135"},
        None,
        "seed='0,-1,0,0,1,135' is no round, honba, sticks, two dice and a dora indicator",
    ),
    "sticks": (
        {"seed": "0,0,-1,0,1,135"},
        "E1-0",
        "seed='0,0,-1,0,1,135' is no round, honba, sticks, two dice and a dora indicator",
    ),
    "die": (
        {"seed": "0,0,0,0,6,135"},
        "E1-0",
        "seed='0,0,0,0,6,135' is no round, honba, sticks, two dice and a dora indicator",
    ),
    "indicator": ({"seed": "0,0,0,0,1,136"}, "E1-0", "the dora indicator 136 is not a tile, 0 to 135"),
    "indicator in a hand": ({"seed": "0,0,0,0,1,0"}, "E1-0", "tile 0 (1m) is there twice"),
    "dealer": ({"oya": 1}, "E1-0", "oya=1 is not the dealer of this round, player 0"),
    "no dealer": ({"oya": None}, "E1-0", "attribute oya is missing"),
    "dealer who is not there": ({"oya": 4}, "E1-0", "oya=4 is no player, 0 to 3"),
    "points": ({"ten": "250,250,250"}, "E1-0", "ten has 3 values, not 4"),
    "no hand": ({"hai1": None}, "E1-0", "attribute hai1 is missing"),
    "fourteen tiles": ({"hai1": csv(*HANDS[1], 60)}, "E1-0", "hai1 holds 14 tiles, not 13"),
    "a tile twice": ({"hai1": csv(*HANDS[1][:-1], 1)}, "E1-0", "tile 1 (1m) is there twice"),
    "no tile": ({"hai1": csv(*HANDS[1][:-1], 136)}, "E1-0", "'136' is not a tile, 0 to 135"),
    "chips": ({"chip": "0,0,0"}, "E1-0", "chip has 3 values, not 4"),
}


@pytest.mark.parametrize(("changes", "name", "message"), STARTS.values(), ids=STARTS)
def test_refused_start(read: Read, changes: dict[str, object], name: str | None, message: str) -> None:
    """An INIT that cannot be is refused with its place, and its frame as far as that can be told."""
    with pytest.raises(MjlogError) as refused:
        read(log('<GO type="9"/>', init(**changes), TURN, ryuukyoku()))
    assert (refused.value.reason, refused.value.frame, refused.value.number) == (message, name, 2)
    assert (refused.value.element or "").startswith("<INIT ")


IN_FRAME: dict[str, tuple[str, str]] = {
    "meld of nobody": ('<N m="0"/>', "attribute who is missing"),
    "meld without code": ('<N who="0"/>', "attribute m is missing"),
    "meld code": ('<N who="0" m="65536"/>', "65536 is no meld code: it has more than 16 bits"),
    "meld in letters": ('<N who="0" m="x"/>', "'x' is not a number"),
    "riichi step": ('<REACH who="0" step="3"/>', "step='3' is neither 1 nor 2"),
    "riichi without step": ('<REACH who="0"/>', "attribute step is missing"),
    "riichi of nobody": ('<REACH who="x" step="1"/>', "who=x is no player, 0 to 3"),
    "riichi points": ('<REACH who="0" step="2" ten="1,2,3"/>', "ten has 3 values, not 4"),
    "dora": ('<DORA hai="136"/>', "'136' is not a tile, 0 to 135"),
    "no dora": ("<DORA/>", "attribute hai is missing"),
    "BYE": ("<BYE/>", "attribute who is missing"),
    "attributes": (f"<DORA {MANY}/>", "an element of more than 64 attributes"),
    "no tile": ("<U136/>", "U136 names no tile, 0 to 135"),
    "no number": ("<U/>", "U names no tile, 0 to 135"),
    "leading zero": ("<U061/>", "U061 names no tile, 0 to 135"),
    "below zero": ("<U-1/>", "U-1 names no tile, 0 to 135"),
    "sc of 7": (agari(sc="250,-10,250,10,250,0,250"), "sc has 7 values, not 8 or 16"),
    "sc in letters": (agari(sc="250,-10,250,10,250,0,250,x"), "'x' is not a number"),
    "no sc": (agari(sc=None), "attribute sc is missing"),
    "ba": (agari(ba="0"), "ba has 1 values, not 2"),
    "ba of 3": (agari(ba="0,0,0"), "ba has 3 values, not 2"),
    "ba of a draw": (ryuukyoku(ba="0"), "ba has 1 values, not 2"),
    "ten of 2": (agari(ten="30,1000"), "ten='30,1000' is no fu, points and limit"),
    "ten of 4": (agari(ten="30,1000,0,0"), "ten='30,1000,0,0' is no fu, points and limit"),
    "limit": (agari(ten="30,1000,6"), "ten='30,1000,6' is no fu, points and limit"),
    "points below zero": (agari(ten="30,-1000,0"), "ten='30,-1000,0' is no fu, points and limit"),
    "points of 50": (agari(ten="30,1050,0"), "ten='30,1050,0' is no fu, points and limit"),
    "no yaku": (agari(yaku=None), "a win without yaku"),
    "empty yaku": (agari(yaku=""), "a win without yaku"),
    "yaku without han": (agari(yaku="8,1,52"), "'8,1,52' is not pairs of numbers"),
    "yaku 55": (agari(yaku="55,1"), "55 is no yaku, 0 to 54"),
    "yaku below zero": (agari(yaku="-1,1"), "-1 is no yaku, 0 to 54"),
    "yakuman 55": (agari(yaku=None, yakuman="55"), "55 is no yaku, 0 to 54"),
    "winner": (agari(who=4), "who=4 is no player, 0 to 3"),
    "loser": (agari(fromWho=""), "fromWho= is no player, 0 to 3"),
    "pao": (agari(paoWho="-1"), "paoWho=-1 is no player, 0 to 3"),
    "machi": (agari(machi="5m"), "'5m' is not a tile, 0 to 135"),
    "hai": (agari(hai="0,x"), "'x' is not a tile, 0 to 135"),
    "another's hai": (agari(hai=csv(*HANDS[2], 60)), "the winning hand is not player 1's"),
    "ura": (agari(doraHaiUra="134,133"), "2 ura dora indicators under 1 dora indicators"),
    "chip": (agari(chip="1"), "'1' is not pairs of numbers"),
    "melds": (agari(m="x"), "'x' is not a number"),
    "owari": (agari(owari="0,0"), "owari has 2 values, not 8 or 16"),
    "type of draw": (ryuukyoku(type="yao7"), "type='yao7' is no kind of draw"),
    "empty type of draw": (ryuukyoku(type=""), "type='' is no kind of draw"),
    "hand shown": (ryuukyoku(hai1=csv(*HANDS[2])), "the hand shown is not player 1's"),
}


@pytest.mark.parametrize(("wrong", "message"), IN_FRAME.values(), ids=IN_FRAME)
def test_refused_element(read: Read, wrong: str, message: str) -> None:
    """An element that cannot be is refused with frame, number and text."""
    with pytest.raises(MjlogError) as refused:
        read(log('<GO type="9"/>', init(), TURN, wrong))
    assert (refused.value.reason, refused.value.frame, refused.value.number) == (message, "E1-0", 5)
    tag = wrong[1:].rstrip("/>").split()[0]
    assert re.match(rf"<{tag}[ >]", refused.value.element or "")


def test_long_element_is_cut_short(read: Read) -> None:
    """A message shows no more than the beginning of a long element."""
    with pytest.raises(MjlogError) as refused:
        read(log(init(oya=1)))
    assert refused.value.element == ('<INIT seed="0,0,0,0,1,135" ten="250,250,250,250" oya="1" hai0="0,4,8,12,16,20,…>')
    assert len(refused.value.element or "") == 80


FOLLOWING: dict[str, tuple[str, str]] = {
    "points": (
        init(seed="1,0,0,0,1,135", oya=1, ten="250,250,250,260"),
        "the points are 25000,25000,25000,25000, not 25000,25000,25000,26000",
    ),
    "sticks": (init(seed="1,0,1,0,1,135", oya=1), "0 riichi sticks are on the table, not 1"),
}


@pytest.mark.parametrize(("following", "message"), FOLLOWING.values(), ids=FOLLOWING)
def test_refused_following_frame(read: Read, following: str, message: str) -> None:
    """A frame that does not take up what the one before it left is refused under its own name."""
    with pytest.raises(MjlogError) as refused:
        read(log(FRAME, following, "<U60/>"))
    assert (refused.value.reason, refused.value.frame, refused.value.number) == (message, "E2-0", 5)


def test_following_frame_before_the_end(read: Read) -> None:
    """A frame that begins before the one before it has ended is refused."""
    with pytest.raises(MjlogError) as refused:
        read(log(init(), TURN, frame(1)))
    assert refused.value.reason == "a frame begins, but E1-0 has not ended"
    assert (refused.value.frame, refused.value.number) == ("E1-1", 4)


def test_error_is_told_before_what_follows(read: Read) -> None:
    """What is wrong first is told, though more is wrong behind it."""
    with pytest.raises(MjlogError, match=r"^frame E1-0, element 3 <D61>: player 0 does not hold"):
        read(log(init(), "<T60/><D61/>", ryuukyoku(), init(oya=3), "<T136/>"))
