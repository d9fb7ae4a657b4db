"""Accepted and rejected forms of XML in a log."""

from __future__ import annotations

import gzip
import os
import re
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from mjlog_logs import (
    FRAME,
    PLAIN,
    TURN,
    Read,
    agari,
    frame,
    from_bytes,
    init,
    log,
    notices,
    read,  # noqa: F401 - pytest finds it by its name
)
from tables import table

from jmjp_convert.errors import MalformedError, MjlogError

# --- XML --------------------------------------------------------------------------------------------------------------


def single_quotes(content: bytes) -> bytes:
    """Return *content* with single quotes."""
    return content.replace(b'"', b"'")


def spaced(content: bytes) -> bytes:
    """Return *content* with white space wherever a tag allows it."""
    return re.sub(rb'(\w+)="', rb'\n\1 = "', content).replace(b"/>", b"\t/>").replace(b"</mjloggm>", b"</mjloggm >\n")


def references(content: bytes) -> bytes:
    """Return *content* with character references in all values."""
    return re.sub(rb'(?<==")[^"]', lambda match: b"&#%d;" % match[0][0], content)


@pytest.mark.parametrize("form", table("mjlog_xml", "form", globals()))
def test_form(read: Read, form: Callable[[bytes], bytes]) -> None:
    """However the XML is written, the match is the same, without notices."""
    content = form(PLAIN)
    assert content != PLAIN
    assert read(content, file_name="a.xml") == from_bytes(PLAIN, file_name="a.xml")
    assert notices(read, content) == []


@pytest.mark.parametrize("present", [True, False], ids=["file", "no file"])
@pytest.mark.parametrize("declaration", table("mjlog_xml", "document_type declaration"))
def test_document_type(read: Read, tmp_path: Path, declaration: str, *, present: bool) -> None:
    """A document type is rejected, whether or not the file it names exists."""
    named = tmp_path / "named"
    if present:
        named.write_text('<!ENTITY secret "9">')
    content = declaration.replace("{path}", named.as_posix().lstrip("/")).encode() + PLAIN
    with pytest.raises(MjlogError) as refused:
        read(content)
    assert str(refused.value) == "unexpected document type declaration"


@pytest.mark.parametrize("where", ['<GO type="&e;"/>', "<A>&e;</A>", "&e;"])
def test_entity(read: Read, where: str) -> None:
    """No entity is expanded, in a value or in a text."""
    with pytest.raises(MjlogError) as refused:
        read(b'<!DOCTYPE mjloggm [<!ENTITY e "9">]>' + log(where, FRAME))
    assert str(refused.value) == "unexpected document type declaration"


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="this system has no named pipes")
@pytest.mark.parametrize("opened", ["sys.stdin.buffer", "sys.stdin.buffer.read()"], ids=["file", "bytes"])
def test_no_file_is_opened(tmp_path: Path, opened: str) -> None:
    """A file named by an entity is not opened: reading from a pipe without a writer would never end."""
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    content = f'<!DOCTYPE mjloggm [<!ENTITY e SYSTEM "{pipe.as_uri()}">]>'.encode() + log("<A>&e;</A>", FRAME)
    program = f"import sys; from jmjp_convert.formats.mjlog.reader import read_mjlog; read_mjlog({opened})"
    done = subprocess.run([sys.executable, "-c", program], input=content, capture_output=True, timeout=300, check=False)
    assert b"MjlogError: unexpected document type declaration" in done.stderr


@pytest.mark.parametrize("where", ['<GO type="&e9;"/>', "<A>&e9;</A>"])
def test_entities_of_entities(read: Read, where: str) -> None:
    """Entities that would grow without bound are rejected at once."""
    bomb = '<!ENTITY e0 "lol">' + "".join(f'<!ENTITY e{n} "{f"&e{n - 1};" * 10}">' for n in range(1, 10))
    with pytest.raises(MjlogError) as refused:
        read(f"<!DOCTYPE mjloggm [{bomb}]>".encode() + log(where, FRAME))
    assert str(refused.value) == "unexpected document type declaration"


def test_unknown_entity(read: Read) -> None:
    """An undeclared entity is not well-formed."""
    with pytest.raises(MjlogError, match=r"^not well-formed XML"):
        read(log('<GO type="&e;"/>', FRAME))


@pytest.mark.parametrize("frames", [0, 300], ids=["short", "long"])
@pytest.mark.parametrize(("old", "new", "message"), table("mjlog_xml", "undeclared_prefix old-new-message"))
def test_undeclared_prefix(read: Read, old: str, new: str, message: str, frames: int) -> None:
    """A prefix without a namespace is not well-formed, and named where it is, before any fault of the play."""
    content = log(FRAME, frame(1).replace(old, new), *(frame(2 + more) for more in range(frames)))
    with pytest.raises(MalformedError) as refused:
        read(content)
    assert str(refused.value) == message


# --- duplicate attributes ---------------------------------------------------------------------------------------------


DOUBLED = {
    "in AGARI": (agari(owari='0,0,0,0,0,0,0,0" owari="0,0,0,0,0,0,0,0'), "owari", "AGARI"),
    "three times": (agari(machi='60" machi="60" machi="60'), "machi", "AGARI"),
    "other quotes": (agari().replace("/>", " machi='60'/>"), "machi", "AGARI"),
    "far apart": (agari().replace("/>", '\n ba = "0,0" />'), "ba", "AGARI"),
}


@pytest.mark.parametrize(("end", "attribute", "tag"), DOUBLED.values(), ids=DOUBLED)
def test_doubled_attribute(read: Read, end: str, attribute: str, tag: str) -> None:
    """An attribute repeated with the same value is read once, with one notice."""
    content = log(init(), TURN, end)
    assert notices(read, content) == [f"duplicate attribute {attribute} in <{tag}>, with the same value"]
    assert read(content).frames[0].end.points == (24000, 26000, 25000, 25000)
    assert notices(read, gzip.compress(content)) == notices(read, content)


def test_doubled_in_many(read: Read) -> None:
    """A repeat in many elements is reported once per kind, after the other notices."""
    doubled = FRAME.replace('oya="0"', 'oya="0" oya="0"').replace("<D60/>", '<A b="1" b="1"/><D60/>')
    content = log(
        '<GO type="9"/><UN n0="a&gt;b>" n0="a&gt;b>"/>', doubled, frame(1).replace('oya="0"', 'oya="0" oya="0"')
    )
    assert sorted(notices(read, content)) == [
        "duplicate attribute b in <A>, with the same value",
        "duplicate attribute n0 in <UN>, with the same value",
        "duplicate attribute oya in <INIT>, with the same value",
        "unknown element <A> ignored",
    ]
    assert read(content).players[0].name == "a>b>"


def test_doubled_late(read: Read) -> None:
    """A repeat is removed wherever it is, even after much has been read."""
    content = log(*map(frame, range(200)), frame(200).replace("<RYUUKYOKU", '<RYUUKYOKU ba="200,0"'))
    assert notices(read, content) == ["duplicate attribute ba in <RYUUKYOKU>, with the same value"]
    assert len(read(content).frames) == 201


@pytest.mark.parametrize(
    "end",
    [agari(machi='60" machi="61'), agari(machi='60" machi="60 '), agari(machi='60" machi="60" who2="1" ba="0,1')],
    ids=["other", "nearly", "one of two"],
)
def test_doubled_with_other_values(read: Read, end: str) -> None:
    """An attribute repeated with different values is rejected, even if another is repeated with the same value."""
    with pytest.raises(
        MjlogError,
        match=r"^frame E1-0, element 3 <D60>: not well-formed XML after this element: Attribute \w+ redefined",
    ):
        read(log(init(), TURN, end))


def test_doubled_and_cut(read: Read) -> None:
    """A log with a repeat is still rejected if it is cut off."""
    with pytest.raises(MjlogError, match="not well-formed XML after this element: the file seems to be cut off"):
        read(log(init(), TURN, agari(machi='60" machi="60')).removesuffix(b"</mjloggm>"))
