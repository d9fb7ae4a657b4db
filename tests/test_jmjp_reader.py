"""Reading jmjp from any source, in any dialect."""

from __future__ import annotations

import gzip
import io
from pathlib import Path

import pytest
from jmjp_texts import EAST, EMPTY, HEAD, MATCH, SOUTH, frame, read, rejection

from jmjp_convert.errors import FileError
from jmjp_convert.formats.jmjp.reader import read_jmjp
from jmjp_convert.model import Match, Name, Player, PointRule, Recorder, Start, Text, Tournament, Win
from jmjp_convert.model.record import replace
from jmjp_convert.model.tiles import any_copy

# --- bytes ------------------------------------------------------------------------------------------------------------


def test_sources(tmp_path: Path) -> None:
    """A path, a path as text, bytes and an open file give the same match, plain or gzipped; an open file stays open."""
    plain = f"jmjp[1.0]{MATCH}".encode()
    for content in (plain, gzip.compress(plain)):
        path = tmp_path / "x.jmjp"
        path.write_bytes(content)
        file = io.BytesIO(content)
        for source in (path, str(path), content, file):
            assert read_jmjp(source) == [EMPTY]
        assert not file.closed


@pytest.mark.parametrize("content", [b"", b"\xef\xbb\xbf", b" \n\t", b"// nothing"])
def test_nothing(content: bytes) -> None:
    """An empty file is rejected after its last character."""
    column = len(content.decode("utf-8-sig").rstrip()) + 1
    assert rejection(content) == f"line 1, column {column}: expected 'jmjp[', found end of file"


def test_byte_order_mark() -> None:
    """One byte order mark at the start is ignored, also in the places of errors."""
    assert read_jmjp(b"\xef\xbb\xbf" + f"jmjp[1.0]{MATCH}".encode()) == [EMPTY]
    assert rejection("\ufeffjmjp[1.0]{") == "line 1, column 10: expected '(', found '{'"
    assert rejection("\ufeff\ufeffjmjp[1.0]") == r"line 1, column 1: expected 'jmjp[', found '\ufeff'"


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"jmjp[1.0]\n(\xff", "line 2, column 2: invalid UTF-8: byte 0xff; save the file as UTF-8"),
        ("// 天鳳 ".encode() + b"\xe5\xa4", "line 1, column 7: invalid UTF-8: byte 0xe5; save the file as UTF-8"),
        (b"\xef\xbb\xbf\n\n\x80", "line 3, column 1: invalid UTF-8: byte 0x80; save the file as UTF-8"),
        ("jmjp[1.0]".encode("utf-16"), "line 1, column 1: invalid UTF-8: byte 0xff; save the file as UTF-8"),
        (b"jmjp[1.0]\n\xed\xa0\x80", "line 2, column 1: invalid UTF-8: byte 0xed; save the file as UTF-8"),
    ],
)
def test_not_utf_8(content: bytes, message: str) -> None:
    """The first byte that is not UTF-8 is reported with its place."""
    assert rejection(content) == message


def test_max_size() -> None:
    """A text of the maximum size is read, a larger one rejected; for gzip the decompressed size counts."""
    plain = f"jmjp[1.0]{MATCH}".encode()
    for content in (plain, gzip.compress(plain)):
        assert read_jmjp(content, max_size=len(plain)) == [EMPTY]
        with pytest.raises(FileError, match=rf"^larger than {len(plain) - 1} bytes \(--max-size\)$"):
            read_jmjp(content, max_size=len(plain) - 1)


def test_broken_gzip() -> None:
    """Truncated gzip is rejected."""
    with pytest.raises(FileError, match=r"^the gzip data is truncated or corrupt: "):
        read_jmjp(gzip.compress(f"jmjp[1.0]{MATCH}".encode())[:-9])


def test_missing(tmp_path: Path) -> None:
    """A missing file is a FileError."""
    with pytest.raises(FileError, match=r"^no such file or directory$"):
        read_jmjp(tmp_path / "none.jmjp")


# --- dialects ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("version", ["2.0", "1", "1.0-beta", "00", "1.00", "", "x", "1.0a"])
def test_other_versions(version: str) -> None:
    """An unknown version is rejected, naming the known ones."""
    message = rejection(f"jmjp[{version}]{MATCH}")
    assert message.startswith("line 1, column 6: expected a jmjp version (0 or 1.0), found ")


@pytest.mark.parametrize(
    ("acts", "version"), [("(e,8s,tg)(s,ro,)", "0"), ("(e,8s,tg)(s,ro,)", "1.0"), ("(e,8s,tg)(s,rn,)", "1.0")]
)
def test_ron_of_a_dialect(acts: str, version: str) -> None:
    """A ron is `ro`; the header that 1.0 and 1.0-beta share allows `rn`, too."""
    text = f"({HEAD}{frame(acts, s=f'{SOUTH},8s')})"
    assert read(text, version).frames[0].events[-1] == Win(1, 0, any_copy("8s"))


def test_features_of_beta_on_their_own() -> None:
    """Each feature of 1.0-beta is read without the others."""
    rule = "ptr[25.0,30.0,(20.0,10.0),0.3,3.0]"
    assert read(f"({HEAD}{rule})").point_rule == PointRule(25000, 30000, (20000, 10000, -10000, -20000), 300, 3000)
    assert read(f"({HEAD}frm[E1-0,,12,,,,,])").frames[0].start.dice == 12
    assert read(f'({HEAD}frm[E1-0,,6-6,,,,,snt["\\""]])').frames[0].comment == Text('"')
    assert read(f"({HEAD}ptr[25.0,30.0,(20.0,10.0),0.3])").point_rule == PointRule(
        25000, 30000, (20000, 10000, -10000, -20000), 300
    )


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (f"({HEAD}ptr[25.0,30.0,(20.0,10.0),0.3,3.0])", "expected ']', found ','"),
        (f"({HEAD}frm[E1-0,,12,,,,,])", "expected two dice such as 3-4, found '12'"),
        (f"// x\n({HEAD})", "expected '(', found '//'; jmjp[0] has no comments"),
        ('(mtp[,,,]ply[0,(snt["a"],),,,])', "expected '[', found '('; jmjp[0] has square brackets around names"),
    ],
)
def test_dialect_0_is_strict(text: str, message: str) -> None:
    """Dialect 0 rejects the features of later dialects."""
    assert rejection(f"jmjp[0]{text}").endswith(message)


# --- a quote after a backslash ----------------------------------------------------------------------------------------


def commented(string: str) -> Match:
    """Return a match with a frame that has *string* as its comment."""
    return read(f'({HEAD}frm[E1-0,,,,,,,snt["{string}"]])')


@pytest.mark.parametrize(
    ("string", "text"),
    [(r"a\"b", 'a"b'), (r"\"", '"'), (r"\\\"", r'\\"'), (r"\a", r"\a"), (r"a\\b", r"a\\b"), ("//", "//"), ("\n", "\n")],
)
def test_escape(string: str, text: str) -> None:
    r"""A backslash escapes only a quote."""
    assert commented(string).frames[0].comment == Text(text)


def test_backslash_at_the_end() -> None:
    r"""If a file with `\"` as an escaped quote does not parse, it is a backslash and the end of its string."""
    assert commented("a\\").frames[0].comment == Text("a\\")
    two = f'({HEAD}frm[E1-0,,,,,,,snt["a\\"]srm["b\\"]])'
    assert read(two).frames[0].comment == Text("a\\", "b\\")


def test_one_reading_for_a_file() -> None:
    r"""A whole file is read in one way: if one string ends in `\"`, none escapes a quote."""
    text = f'jmjp[1.0]({HEAD}frm[E1-0,,,,,,,snt["a\\"]]frm[E2-0,,,,,,,snt["b\\"ç"]])'
    assert rejection(text) == f"line 1, column {text.index('ç') + 1}: in frame E2-0: expected ']', found 'ç'"


def test_error_of_the_reading_that_goes_further() -> None:
    r"""If a file with `\"` parses neither way, the error is that of the reading that gets further."""
    text = f'jmjp[1.0]({HEAD}frm[E1-0,,,,,,,snt["a\\"b"]]x'
    assert rejection(text) == f"line 1, column {len(text)}: expected ')', found 'x'"
    text = f'jmjp[1.0]({HEAD}frm[E1-0,,,,,,,snt["a\\"]]x'
    assert rejection(text) == f"line 1, column {len(text)}: expected ')', found 'x'"


def test_no_escape_in_dialect_0() -> None:
    r"""In dialect 0 a backslash is literal, even before the quote that ends a string."""
    assert read(f'({HEAD}frm[E1-0,,,,,,,snt["a\\"]])', "0").frames[0].comment == Text("a\\")
    message = rejection(f'jmjp[0]({HEAD}frm[E1-0,,,,,,,snt["a\\"b"]])')
    assert message.endswith("in frame E1-0: expected ']', found 'b'")


# --- matches, frames and optional fields ------------------------------------------------------------------------------


def test_several_matches() -> None:
    """All matches of a file are read in order."""
    places = [f"({HEAD.replace('mtp[,,,]', f'mtp[,,,srm[{chr(34)}{number}{chr(34)}]]')})" for number in range(5)]
    found = read_jmjp(f"jmjp[1.0]{''.join(places)}".encode())
    assert [match.place for match in found] == [Text(None, str(number)) for number in range(5)]


def test_a_match_is_needed() -> None:
    """A header needs a match, and only another match may follow a match."""
    assert rejection("jmjp[1.0]\n\n") == "line 1, column 10: expected '(', found end of file"
    assert rejection(f"jmjp[1.0]{MATCH}\n)") == "line 2, column 1: expected '(', found ')'"
    assert rejection(f"jmjp[1.0]{MATCH}jmjp[1.0]{MATCH}").endswith("expected '(', found 'jmjp'")


def test_no_frames() -> None:
    """A match without frames is read, with unknown values for all empty fields."""
    assert read(MATCH) == EMPTY


def test_empty_frame() -> None:
    """A frame needs only its ID."""
    (found,) = read(f"({HEAD}frm[S2-10,,,,,,,])").frames
    assert found.start == Start(5, 10, None, 1, None, None, ())
    assert (found.events, found.end.hands, found.end.points) == ((), (), None)
    assert (found.dora, found.comment) == (None, Text())


def test_empty_fields() -> None:
    """An empty field is unknown; empty brackets differ from an empty field."""
    match = read("(tnm[,,,,]mtp[,,,]rec[,]rec[(,),all]ply[0,(,),,,(,)]ply[1,,,,]ply[2,,,,]ply[3,,,none,])")
    assert match.tournament == Tournament()
    assert match.recorders == (Recorder(None, ()), Recorder(Name()))
    assert match.players[0] == Player(Name(), tour_points=(None, None))
    assert match.players[1] == Player()
    assert match.players[3].affiliation == Text("無所属", "None")
    assert (match.point_rule, match.results, match.tour_points, match.place) == (None, None, None, None)


def test_empty_string() -> None:
    """An empty string is a known, empty text."""
    match = read('(mtp[,,,snt[""]srm[""]]ply[0,(snt[""],srm[""]),,,]ply[1,,,,]ply[2,,,,]ply[3,,,,])')
    assert match.place == Text("", "")
    assert match.players[0].full_name == Name(Text(""), Text(None, ""))


def test_white_space_means_nothing() -> None:
    """White space of any kind is allowed between any two characters outside strings."""
    text = f"jmjp[1.0]({HEAD}{frame('(e,9m,)', e=f'{EAST},9m')})"
    for space in (" ", "\n", "\r\n", "\t", "\u3000", "\x0c", "\u00a0", "//)\n", "// tenhou\n"):
        (spaced,), (plain,) = read_jmjp(space.join(text).encode()), read_jmjp(text.encode())
        # Comments in the play are notes.
        assert replace(spaced, frames=tuple(replace(one, notes=()) for one in spaced.frames)) == plain


@pytest.mark.parametrize("end", ["\n", "\r", "\r\n"])
def test_ends_of_comments(end: str) -> None:
    """A comment ends with any line end or with the file."""
    text = f"jmjp[1.0] // (a {end}({HEAD}// [{end})// end"
    assert read_jmjp(text.encode()) == [EMPTY]


@pytest.mark.parametrize("not_an_end", ["\x0b", "\x0c", "\x85", "\u2028"])
def test_not_a_line_end(not_an_end: str) -> None:
    """Only a line feed or carriage return ends a line, and so a comment."""
    message = rejection(f"jmjp[1.0] // x{not_an_end}{MATCH}")
    assert message == f"line 1, column {15 + len(MATCH) + 1}: expected '(', found end of file"
