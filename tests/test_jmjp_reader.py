"""Reading jmjp: dialects, bytes, what may be left empty, our own comments, and findings in place of a refusal."""

from __future__ import annotations

import gzip
import io
from pathlib import Path

import pytest
from casefiles import refusals

from jmjp_convert.errors import FileError, JmjpError
from jmjp_convert.formats.jmjp.reader import read_jmjp
from jmjp_convert.model import (
    Disconnected,
    DrawKind,
    Frame,
    Match,
    Name,
    Player,
    PointRule,
    Recorder,
    Returned,
    RiichiAccepted,
    RiichiDeclared,
    Rules,
    Ryuukyoku,
    Shuffle,
    ShuffleForm,
    Start,
    Text,
    Tournament,
    Win,
    handle,
)
from jmjp_convert.model.tiles import any_copy, other_copy

HEAD = "mtp[,,,]ply[0,,,,]ply[1,,,,]ply[2,,,,]ply[3,,,,]"
ID = "2011020417gm-00a9-0000-b67fcaa3"
MATCH = f"({HEAD})"
EMPTY = Match(Rules(red_fives=None), (Player(),) * 4, ())

EAST = "1m3m9m1p9p1s9sewswwwnwwdgd"
SOUTH = "2m3m4m6m7m8m2p3p4p5s5s6s7s"
WEST = "1m1m9m9m1p1p9p9p1s1s9s9sew"
NORTH = "4mswswwwwwnwnwwdwdgdgdrdrd"
DEALT = {"e": EAST, "s": SOUTH, "w": WEST, "n": NORTH}
EVEN = "25.0,25.0,25.0,25.0"


def lying(hands: dict[str, str]) -> str:
    """Return four hands, of which the tiles are given, and perhaps a fourteenth behind a comma."""
    return "\n".join(f"({seat},hnd[{hand if ',' in hand else f'{hand},'},])" for seat, hand in hands.items())


def frame(
    acts: str = "", *, name: str = "E1-0", sticks: str = "0.0", pfs: str = EVEN, pfe: str = "", **left: str
) -> str:
    """Return a frame of *acts*, after which the hands are as dealt, but for those that are *left* otherwise."""
    end = f"pfe[{pfe}]" if pfe else ""
    return f"frm[{name},{sticks},3-4,pfs[{pfs}],,\n{lying(DEALT)}\n{acts}\n{lying(DEALT | left)}\n,{end},]"


def read(text: str, version: str = "1.0") -> Match:
    """Return the one match of *text*, which stands behind the header."""
    (match,) = read_jmjp(f"jmjp[{version}]\n{text}".encode())
    return match


def played(acts: str, **values: str) -> Frame:
    """Return the one frame that *acts* are."""
    (found,) = read(f"({HEAD}{frame(acts, **values)})").frames
    return found


def refusal(text: str | bytes) -> str:
    """Return why *text* is refused."""
    with pytest.raises(JmjpError) as refused:
        read_jmjp(text if isinstance(text, bytes) else text.encode())
    return str(refused.value)


def notices(text: str) -> tuple[Match, list[str]]:
    """Return the one match of *text*, and what is worth saying of it."""
    said: list[str] = []
    (match,) = read_jmjp(text.encode(), notice=said.append)
    return match, said


# --- bytes -----------------------------------------------------------------------------------------------------------


def test_sources(tmp_path: Path) -> None:
    """A path, a path as text, bytes and an open file, each plain or gzip, give the same; an open file stays open."""
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
    """A file in which there is nothing is refused behind its last character."""
    column = len(content.decode("utf-8-sig").rstrip()) + 1
    assert refusal(content) == f"line 1, column {column}: expected 'jmjp[', found the end of the file"


def test_byte_order_mark() -> None:
    """One byte order mark at the start is ignored, and does not count for the place of what is wrong."""
    assert read_jmjp(b"\xef\xbb\xbf" + f"jmjp[1.0]{MATCH}".encode()) == [EMPTY]
    assert refusal("\ufeffjmjp[1.0]{") == "line 1, column 10: expected '(', found '{'"
    assert refusal("\ufeff\ufeffjmjp[1.0]") == r"line 1, column 1: expected 'jmjp[', found '\ufeff'"


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"jmjp[1.0]\n(\xff", "line 2, column 2: this is not UTF-8: byte 0xff"),
        ("// 天鳳 ".encode() + b"\xe5\xa4", "line 1, column 7: this is not UTF-8: byte 0xe5"),
        (b"\xef\xbb\xbf\n\n\x80", "line 3, column 1: this is not UTF-8: byte 0x80"),
        ("jmjp[1.0]".encode("utf-16"), "line 1, column 1: this is not UTF-8: byte 0xff"),
        (b"jmjp[1.0]\n\xed\xa0\x80", "line 2, column 1: this is not UTF-8: byte 0xed"),
    ],
)
def test_not_utf_8(content: bytes, message: str) -> None:
    """The first byte that is not UTF-8 is told, with its place."""
    assert refusal(content) == message


def test_max_size() -> None:
    """A text of as many bytes as are allowed is read, one more is refused; of gzip the bytes inside count."""
    plain = f"jmjp[1.0]{MATCH}".encode()
    for content in (plain, gzip.compress(plain)):
        assert read_jmjp(content, max_size=len(plain)) == [EMPTY]
        with pytest.raises(FileError, match=rf"^larger than {len(plain) - 1} bytes \(--max-size\)$"):
            read_jmjp(content, max_size=len(plain) - 1)


def test_broken_gzip() -> None:
    """Gzip that is cut off is refused."""
    with pytest.raises(FileError, match=r"^the gzip data is cut off or broken: "):
        read_jmjp(gzip.compress(f"jmjp[1.0]{MATCH}".encode())[:-9])


def test_missing(tmp_path: Path) -> None:
    """A file that is not there is an error of the file."""
    with pytest.raises(FileError, match=r"^no such file or directory$"):
        read_jmjp(tmp_path / "none.jmjp")


# --- dialects --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("version", ["2.0", "1", "1.0-beta", "00", "1.00", "", "x", "1.0a"])
def test_other_versions(version: str) -> None:
    """A version of which nothing is known is refused, naming those that are."""
    message = refusal(f"jmjp[{version}]{MATCH}")
    assert message.startswith("line 1, column 6: expected a version of jmjp, 0 or 1.0, found ")


@pytest.mark.parametrize(
    ("acts", "version"),
    [
        ("(e,8s,tg)(s,ro,)", "0"),
        ("(e,8s,tg)(s,ro,)", "1.0"),
        ("(e,8s,tg)(s,rn,)", "1.0"),
    ],
)
def test_ron_of_a_dialect(acts: str, version: str) -> None:
    """A ron is `ro`, under the header that 1.0 and 1.0-beta share `rn` as well."""
    text = f"({HEAD}{frame(acts, s=f'{SOUTH},8s')})"
    assert read(text, version).frames[0].events[-1] == Win(1, 0, any_copy("8s"))


def test_marks_of_beta_on_their_own() -> None:
    """Each thing that 1.0-beta has of its own is taken without the others."""
    rule = "ptr[25.0,30.0,(20.0,10.0),0.3,3.0]"
    assert read(f"({HEAD}{rule})").point_rule == PointRule(25000, 30000, 20000, 10000, 300, 3000)
    assert read(f"({HEAD}frm[E1-0,,12,,,,,])").frames[0].start.dice == 12
    assert read(f'({HEAD}frm[E1-0,,6-6,,,,,snt["\\""]])').frames[0].comment == Text('"')
    assert read(f"({HEAD}ptr[25.0,30.0,(20.0,10.0),0.3])").point_rule == PointRule(25000, 30000, 20000, 10000, 300)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (f"({HEAD}ptr[25.0,30.0,(20.0,10.0),0.3,3.0])", "expected ']', found ','"),
        (f"({HEAD}frm[E1-0,,12,,,,,])", "expected two dice such as 3-4, found '12'"),
        (f"// x\n({HEAD})", "expected '(', found '/'"),
        ('(mtp[,,,]ply[0,(snt["a"],),,,])', "expected '[', found '('"),
    ],
)
def test_dialect_0_is_strict(text: str, message: str) -> None:
    """Under the header of dialect 0 nothing of a later one is taken."""
    assert refusal(f"jmjp[0]{text}").endswith(message)


# --- a quote behind a backslash --------------------------------------------------------------------------------------


def commented(string: str) -> Match:
    """Return a match with a frame that has *string* as its comment."""
    return read(f'({HEAD}frm[E1-0,,,,,,,snt["{string}"]])')


@pytest.mark.parametrize(
    ("string", "text"),
    [(r"a\"b", 'a"b'), (r"\"", '"'), (r"\\\"", r'\\"'), (r"\a", r"\a"), (r"a\\b", r"a\\b"), ("//", "//"), ("\n", "\n")],
)
def test_escape(string: str, text: str) -> None:
    r"""Of all that a backslash may stand before, a quote alone is escaped by it."""
    assert commented(string).frames[0].comment == Text(text)


def test_backslash_at_the_end() -> None:
    r"""Where `\"` as an escaped quote would make the file unreadable, it is a backslash and the end of its string."""
    assert commented("a\\").frames[0].comment == Text("a\\")
    two = f'({HEAD}frm[E1-0,,,,,,,snt["a\\"]srm["b\\"]])'
    assert read(two).frames[0].comment == Text("a\\", "b\\")


def test_one_reading_for_a_file() -> None:
    r"""All of a file is read in one way: where one string ends in `\"`, no other escapes a quote."""
    text = f'jmjp[1.0]({HEAD}frm[E1-0,,,,,,,snt["a\\"]]frm[E2-0,,,,,,,snt["b\\"ç"]])'
    assert refusal(text) == f"line 1, column {text.index('ç') + 1}: in frame E2-0: expected ']', found 'ç'"


def test_the_reading_that_goes_further_is_told() -> None:
    r"""If a file with `\"` is wrong both ways, the error is that of the reading which came further."""
    text = f'jmjp[1.0]({HEAD}frm[E1-0,,,,,,,snt["a\\"b"]]x'
    assert refusal(text) == f"line 1, column {len(text)}: expected ')', found 'x'"
    text = f'jmjp[1.0]({HEAD}frm[E1-0,,,,,,,snt["a\\"]]x'
    assert refusal(text) == f"line 1, column {len(text)}: expected ')', found 'x'"


def test_no_escape_in_dialect_0() -> None:
    r"""In dialect 0 a backslash is itself, also before the quote that ends a string."""
    assert read(f'({HEAD}frm[E1-0,,,,,,,snt["a\\"]])', "0").frames[0].comment == Text("a\\")
    message = refusal(f'jmjp[0]({HEAD}frm[E1-0,,,,,,,snt["a\\"b"]])')
    assert message.endswith("in frame E1-0: expected ']', found 'b'")


# --- matches, frames and what may be empty ---------------------------------------------------------------------------


def test_several_matches() -> None:
    """All matches of a file are read, in their order."""
    places = [f"({HEAD.replace('mtp[,,,]', f'mtp[,,,srm[{chr(34)}{number}{chr(34)}]]')})" for number in range(5)]
    found = read_jmjp(f"jmjp[1.0]{''.join(places)}".encode())
    assert [match.place for match in found] == [Text(None, str(number)) for number in range(5)]


def test_a_match_is_needed() -> None:
    """A header alone is no file, and behind a match there may be nothing but another one."""
    assert refusal("jmjp[1.0]\n\n") == "line 1, column 10: expected '(', found the end of the file"
    assert refusal(f"jmjp[1.0]{MATCH}\n)") == "line 2, column 1: expected '(', found ')'"
    assert refusal(f"jmjp[1.0]{MATCH}jmjp[1.0]{MATCH}").endswith("expected '(', found 'jmjp'")


def test_no_frames() -> None:
    """A match without frames has none, and no more is known of it than is written."""
    assert read(MATCH) == EMPTY


def test_empty_frame() -> None:
    """Of a frame, its id alone is needed."""
    (found,) = read(f"({HEAD}frm[S2-10,,,,,,,])").frames
    assert found.start == Start(5, 10, None, 1, None, None, ())
    assert (found.events, found.end.hands, found.end.points) == ((), (), None)
    assert (found.dora, found.comment) == (None, Text())


def test_empty_fields() -> None:
    """What is left empty is not known; brackets with nothing in them are not the same as nothing."""
    match = read("(tnm[,,,,]mtp[,,,]rec[,]rec[(,),all]ply[0,(,),,,(,)]ply[1,,,,]ply[2,,,,]ply[3,,,none,])")
    assert match.tournament == Tournament()
    assert match.recorders == (Recorder(None, ()), Recorder(Name()))
    assert match.players[0] == Player(Name(), tour_points=(None, None))
    assert match.players[1] == Player()
    assert match.players[3].affiliation == Text("無所属", "None")
    assert (match.point_rule, match.results, match.tour_points, match.place) == (None, None, None, None)


def test_empty_string() -> None:
    """A string of no characters is a text, of which nothing is known but that it is empty."""
    match = read('(mtp[,,,snt[""]srm[""]]ply[0,(snt[""],srm[""]),,,]ply[1,,,,]ply[2,,,,]ply[3,,,,])')
    assert match.place == Text("", "")
    assert match.players[0].full_name == Name(Text(""), Text(None, ""))


def test_white_space_means_nothing() -> None:
    """White space of any kind may stand between any two characters outside strings."""
    text = f"jmjp[1.0]({HEAD}{frame('(e,9m,)', e=f'{EAST},9m')})"
    for space in (" ", "\n", "\r\n", "\t", "\u3000", "\x0c", "\u00a0", "//)\n", "// tenhou\n"):
        assert read_jmjp(space.join(text).encode()) == read_jmjp(text.encode())


@pytest.mark.parametrize("end", ["\n", "\r", "\r\n"])
def test_ends_of_comments(end: str) -> None:
    """A comment ends with its line, whatever ends that, and may stand at the end of the file."""
    text = f"jmjp[1.0] // (a {end}({HEAD}// [{end})// end"
    assert read_jmjp(text.encode()) == [EMPTY]


@pytest.mark.parametrize("not_an_end", ["\x0b", "\x0c", "\x85", "\u2028"])
def test_what_ends_no_comment(not_an_end: str) -> None:
    """Nothing but a line feed or carriage return ends a line."""
    message = refusal(f"jmjp[1.0] // x{not_an_end}{MATCH}")
    assert message == f"line 1, column {15 + len(MATCH) + 1}: expected '(', found the end of the file"


# --- our own comments ------------------------------------------------------------------------------------------------


def above(*lines: str) -> tuple[Match, list[str]]:
    """Return a match with comments above it, and what is said of them."""
    return notices("\n".join(["jmjp[1.0]", *(f"// tenhou {line}" for line in lines), MATCH]))


def test_comments_above_a_match() -> None:
    """What a comment says of match and players is read as what it was."""
    match, said = above(
        f"id={ID} source=%E7%89%8C type=7 lobby=12 shuffle=hex csrule=z title=a%3Db rule= ranking=r",
        "player=1 dan=20 rate=-1.5 sex=C gold=007 rc=x name=%22%5C",
        "player=3 name=%FF",
    )
    assert said == []
    assert (match.id, match.source, match.shuffle) == (ID, "牌", Shuffle(ShuffleForm.HEX))
    custom = (("title", "a=b"), ("rule", ""), ("ranking", "r"), ("csrule", "z"))
    assert match.rules == Rules(4, red_fives=False, code=7, lobby=12, custom=custom)
    assert match.players == (
        Player(),
        Player(handle('"\\'), None, 20, -1.5, "C", 7, "x"),
        Player(),
        Player(handle("\ufffd"), b"\xff"),
    )


@pytest.mark.parametrize("form", [None, *ShuffleForm])
def test_forms_of_shuffle(form: ShuffleForm | None) -> None:
    """The form of the shuffle is one of those there are, or none."""
    match, said = above(f"shuffle={'none' if form is None else form.value}")
    assert (match.shuffle, said) == (form and Shuffle(form), [])


@pytest.mark.parametrize(
    ("code", "red_fives"), [("type=9 ", True), ("type=11 ", False), ("type=0 ", True), ("", True), ("lobby=3 ", True)]
)
def test_rules_of_a_comment(code: str, *, red_fives: bool) -> None:
    """The number of the rules tells whether there are red fives; a log without one has them."""
    match, said = above(f"{code}shuffle=none")
    assert (match.rules.red_fives, said) == (red_fives, [])
    assert match.rules.code == (int(code[5:]) if code.startswith("type") else None)


@pytest.mark.parametrize(("tile", "red_fives"), [("0m", True), ("0p", True), ("0s", True), ("5m", None)])
def test_rules_without_a_comment(tile: str, *, red_fives: bool | None) -> None:
    """Without such a comment, a red five in the match tells that there are some; that there are none is never known."""
    acts = f"(e,{tile},tg)"
    two = f"({HEAD}{frame()})({HEAD}{frame(acts)})"
    first, second = read_jmjp(f"jmjp[1.0]// 0m tells nothing\n{two}".encode())
    assert first.rules == Rules(red_fives=None)
    assert second.rules == Rules(red_fives=red_fives)
    assert read(f"({HEAD}frm[E1-0,,,,uk{tile}{'uk' * 8},,,])").rules.red_fives is red_fives
    assert read(f'({HEAD}frm[E1-0,,,,,,,snt["{tile}"]])').rules.red_fives is None


def test_comment_for_the_next_match_alone() -> None:
    """Comments above a match say nothing of the one before or after it."""
    text = f"jmjp[1.0]{MATCH}\n// tenhou id={ID} shuffle=none\n// tenhou player=0 dan=1\n{MATCH}{MATCH}"
    assert [match.id for match in read_jmjp(text.encode())] == [None, ID, None]
    assert [match.players[0].dan for match in read_jmjp(text.encode())] == [None, 1, None]


@pytest.mark.parametrize(
    "line",
    [
        "id=x",
        "shuffle=new",
        "type=x shuffle=none",
        "type=1,2 shuffle=none",
        "type=25 shuffle=none",
        "lobby=- shuffle=none",
        "head id=x shuffle=none",
        "player=4 dan=1",
        "player=-1 dan=1",
        "player= dan=1",
        "player=0 dan=one",
        "player=0 dan=1,2",
        "player=0 dan=1234567890",
        "player=0 more dan=1",
        "",
        "x",
        "bye player=0",
        "riichi=karagiri",
        "chips=1,2,3,4",
    ],
)
def test_comments_that_say_nothing_known(line: str) -> None:
    """A comment of ours that is not understood is told of, and passed over."""
    match, said = above(line)
    assert match == EMPTY
    assert said == ["a comment // tenhou before line 3 is not understood and is passed over"]


@pytest.mark.parametrize("line", ["// tenhou_id=x", "//tenhou id=x", "// Tenhou id=x", "//  tenhou id=x", "# tenhou"])
def test_comments_of_others(line: str) -> None:
    """A comment that does not begin exactly as ours is nobody's business; what is no comment is refused."""
    if line.startswith("//"):
        assert notices(f"jmjp[1.0]\n{line}\n{MATCH}") == (EMPTY, [])
    else:
        assert refusal(f"jmjp[1.0]\n{line}\n{MATCH}") == "line 2, column 1: expected '(', found '#'"


def test_comings_and_goings() -> None:
    """Comings and goings stand before the first frame, at their place in the play, or behind their frame."""
    play = frame(
        "// tenhou bye player=0\n// tenhou bye player=1 at=draw\n(e,9m,tg)\n// tenhou back player=0 name=%20x\n(s,9p,)",
        s=f"{SOUTH},9p",
    )
    match, said = notices(
        f"jmjp[1.0]({HEAD}\n// tenhou bye player=3\n// tenhou back player=3\n{play}\n// tenhou back player=1\n)"
    )
    assert said == []
    assert match.before == (Disconnected(3), Returned(3))
    kinds = [event for event in match.frames[0].events if isinstance(event, Disconnected | Returned)]
    assert kinds == [Disconnected(0), Disconnected(1), Returned(0, " x"), Returned(1)]
    names = [type(event).__name__ for event in match.frames[0].events]
    assert names == ["Disconnected", "Draw", "Disconnected", "Discard", "Returned", "Draw", "Returned"]


def test_going_behind_the_last_draw() -> None:
    """A going after a draw that nothing follows stands before the hands as they lie."""
    found = played("(e,9m,)\n// tenhou bye player=0", e=f"{EAST},9m")
    assert found.events[-1] == Disconnected(0)
    found = played("// tenhou bye player=0 at=draw\n(e,9m,)", e=f"{EAST},9m")
    assert found.events[-1] == Disconnected(0)


def test_karagiri_of_a_riichi() -> None:
    """Only a comment tells that a riichi tile of the drawn face is another copy; it holds for the next riichi alone."""
    riichi = "(e,9m,rc[9m])(s,9p,tg)"
    for comment, tile in (("", any_copy("9m")), ("// tenhou riichi=karagiri\n", other_copy("9m"))):
        events = played(comment + riichi).events
        assert events[1] == RiichiDeclared(0)
        assert events[2].tile == tile  # type: ignore[union-attr]
        assert events[3] == RiichiAccepted(0)


@pytest.mark.parametrize(
    ("line", "chips", "yaku"),
    [
        ("chips=-3,0,3,0", (-3, 0, 3, 0), ()),
        ("chips=-3,0,3,0 chipyaku=2,1,54,2", (-3, 0, 3, 0), ((2, 1), (54, 2))),
    ],
)
def test_chips(line: str, chips: tuple[int, ...], yaku: tuple[tuple[int, int], ...]) -> None:
    """Chips stand above a frame, a win, a drawn frame and the end of a match."""
    ron = f"(e,8s,tg)\n// tenhou {line}\n(s,ro,)"
    first = frame(ron, s=f"{SOUTH},8s", pfe="15.0,35.0,25.0,25.0")
    second = frame("(e,8s,tg)\n// tenhou chips=1,-1,0,0", name="E3-0", pfe=EVEN)
    end = "// tenhou chips=5,6.0,0,0,-1,-0.5,-4,-6 ratio=2000,10"
    match, said = notices(f"jmjp[1.0]({HEAD}\n// tenhou chips=1,2,3,4\n{first}\n{second}\n{end}\n)")
    assert said == []
    assert [found.start.chips for found in match.frames] == [(1, 2, 3, 4), None]
    assert match.frames[0].events[-1] == Win(
        1, 0, any_copy("8s"), changes=(-10000, 10000, 0, 0), chips=chips, chip_yaku=yaku
    )
    assert match.frames[1].events[-1] == Ryuukyoku(None, changes=(0, 0, 0, 0), chips=(1, -1, 0, 0))
    assert (match.chips, match.ratio) == (((5, "6.0"), (0, "0"), (-1, "-0.5"), (-4, "-6")), "2000,10")


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("chips=1,2,3", "ratio="),
        ("chips=1,2,3,4,5,6,7,8", "chips=1,2,3,4,5,6,7,8"),
        ("chips=1,2,3,4 ratio=x", "chips=1,2,3,4,5,6,7,8 ratio=x"),
        ("ratio=x", "ratio=x"),
        ("chips=1,2,3,4", "chips=1,2,3,4"),
    ],
)
def test_chips_that_are_not_everybodys(before: str, after: str) -> None:
    """Chips stand alone above a frame, a number for each player, and two for each at the end of a match."""
    play = frame("(e,8s,tg)", pfe=EVEN)
    match, said = notices(f"jmjp[1.0]({HEAD}\n// tenhou {before}\n{play}\n// tenhou {after}\n)")
    known = [match.frames[0].start.chips is not None, match.chips is not None or match.ratio is not None]
    assert known == [before == "chips=1,2,3,4", after != "chips=1,2,3,4"]
    assert len(said) == known.count(False) > 0


@pytest.mark.parametrize(
    "line",
    [
        "bye",
        "bye player=4",
        "gone player=0",
        "back player=x",
        "at=draw",
        "riichi=tsumogiri",
        "riichi=karagiri player=0",
        "chips=x",
        "chips=1,,2",
        "chips=1,2,3,4 chipyaku=1",
        "chips=1,2,3",
        "chips=1,2,3,4 chipyaku=x",
        "dora=1m",
    ],
)
def test_comments_in_a_frame_that_say_nothing_known(line: str) -> None:
    """A comment of ours inside a frame that is not understood is told of, and passed over."""
    text = f"jmjp[1.0]({HEAD}{frame('(e,9m,tg)X(s,9p,tg)')})"
    match, said = notices(text.replace("X", f"\n// tenhou {line}\n"))
    assert match == notices(text.replace("X", ""))[0]
    assert said == ["a comment // tenhou before line 8 is not understood and is passed over"]


def test_comments_behind_all_matches() -> None:
    """A comment of ours behind the last match is about nothing, and is passed over."""
    assert notices(f"jmjp[1.0]{MATCH}// tenhou id=x shuffle=none")[0] == EMPTY


def test_no_comments_in_dialect_0() -> None:
    """In dialect 0 there are no comments, so two slashes can stand in strings alone."""
    text = f'jmjp[0]({HEAD}frm[E1-0,,,,,,,snt["// tenhou bye player=0"]])'
    match, said = notices(text)
    assert (match.frames[0].comment, match.frames[0].events, said) == (Text("// tenhou bye player=0"), (), [])


# --- how a frame ended -----------------------------------------------------------------------------------------------


def test_unfinished() -> None:
    """Without points at its end and without a win, a frame has not ended."""
    assert played("(e,9m,tg)").endings == []


def test_drawn() -> None:
    """With points at its end and without a win, a frame was drawn; of what kind is not known."""
    assert played("(e,9m,tg)", pfe="26.0,24.0,25.0,25.0").endings == [Ryuukyoku(None, changes=(1000, -1000, 0, 0))]


def test_three_rons() -> None:
    """Three rons that change no points are a drawn frame, others are three wins."""
    acts = "(e,8s,tg)(s,ro,)(w,ro,)(n,ro,)"
    assert played(acts, pfe=EVEN).endings == [Ryuukyoku(DrawKind.TRIPLE_RON, changes=(0, 0, 0, 0))]
    fourteen = {seat: f"{DEALT[seat]},8s" for seat in "swn"}
    for pfe in ("22.0,26.0,26.0,26.0", ""):
        assert played(acts, pfe=pfe, **fourteen).endings == [Win(player, 0, any_copy("8s")) for player in (1, 2, 3)]


def test_payments_of_a_win() -> None:
    """What a win pays is the change of the points, but for the riichi sticks that were paid before."""
    found = played("(e,9m,rc[9m])(s,8p,tm)", s=f"{SOUTH},8p", pfe="20.0,34.0,23.0,23.0")
    assert found.endings == [Win(1, None, any_copy("8p"), changes=(-4000, 9000, -2000, -2000))]


def test_riichi_that_is_drawn() -> None:
    """A riichi whose tile passed as the frame was drawn is paid; in a frame that breaks off nobody knows."""
    drawn = played("(e,9m,rc[9m])", pfe="24.0,25.0,25.0,25.0")
    assert drawn.events[-2:] == (RiichiAccepted(0), Ryuukyoku(None, changes=(0, 0, 0, 0)))
    assert RiichiAccepted(0) not in played("(e,9m,rc[9m])").events


# --- findings --------------------------------------------------------------------------------------------------------


def findings(text: str) -> list[str]:
    """Return all that is found wrong in *text*; alone, the first of it is raised."""
    found: list[JmjpError] = []
    read_jmjp(text.encode(), finding=found.append)
    said = [str(error) for error in found]
    if said:
        assert refusal(text) == said[0]
        assert all(error.frame is not None and error.text for error in found)
    return said


def test_no_findings() -> None:
    """In a sound match nothing is found wrong."""
    assert findings(f"jmjp[1.0]({HEAD}{frame('(e,9m,tg)')})") == []


def test_findings_of_all_frames() -> None:
    """What is wrong in each frame of each match is told, with its place; of one frame no more than the first thing."""
    bad = frame("(e,9m,4m)(s,9m,9p)")
    end = frame("(e,9m,tg)(s,9p,tg)", name="E4-0", n="1m" + NORTH[2:])
    text = f"jmjp[1.0]\n({HEAD}\n{bad}\n{frame(name='E3-0')}\n{end})\n({HEAD}\n{bad})"
    hand = "player 2 ends with 1m, not 4m"
    assert findings(text) == [
        "line 8, column 1: in frame E1-0: player 0 does not hold tile 4m",
        f"line 34, column 1: in frame E4-0: {hand}",
        "line 42, column 1: in frame E1-0: player 0 does not hold tile 4m",
    ]


def test_a_frame_with_a_finding_is_kept() -> None:
    """The match is returned with all of its frames, as they are written."""
    found: list[JmjpError] = []
    text = f"jmjp[1.0]({HEAD}{frame('(e,9m,4m)')}{frame(name='E3-0')})"
    (match,) = read_jmjp(text.encode(), finding=found.append)
    assert len(found) == 1
    assert [one.start.name for one in match.frames] == ["E1-0", "E3-0"]
    assert [len(one.events) for one in match.frames] == [2, 0]


@pytest.mark.parametrize(
    ("second", "message"),
    [
        (
            {"pfs": "25.0,25.0,26.0,24.0"},
            "line 15, column 18: in frame E1-1: the points are 24000,26000,25000,25000, not 25000,25000,26000,24000",
        ),
        ({"sticks": "1.0"}, "line 15, column 10: in frame E1-1: 0 riichi sticks are on the table, not 1"),
    ],
)
def test_chain(second: dict[str, str], message: str) -> None:
    """A frame that does not take up the points or sticks of the one before is told of, at the points or sticks."""
    first = frame("(e,9m,tg)", pfe="24.0,26.0,25.0,25.0")
    text = f"jmjp[1.0]\n\n({HEAD}\n{first}\n{frame(**({'name': 'E1-1', 'pfs': '24.0,26.0,25.0,25.0'} | second))})"
    assert findings(text) == [message]


@pytest.mark.parametrize(
    ("name", "follows"),
    [
        ("E1-1", True),
        ("E2-0", False),
        ("E2-1", True),
        ("E1-2", False),
        ("E2-2", False),
        ("E3-0", False),
        ("E1-0", False),
    ],
)
def test_chain_of_neighbors(name: str, *, follows: bool) -> None:
    """Frames are held against each other only if the second can be right after the first."""
    first = frame("(e,9m,tg)", pfe="24.0,26.0,25.0,25.0")
    assert bool(findings(f"jmjp[1.0]({HEAD}{first}{frame(name=name)})")) is follows


def test_chain_by_player() -> None:
    """Points go on by player, though they are written by seat."""
    first = frame("(e,9m,tg)", pfe="24.0,26.0,25.0,25.0")
    follows = frame(name="E2-0", pfs="26.0,25.0,25.0,24.0")
    assert findings(f"jmjp[1.0]({HEAD}{first}{follows})") == []


def test_no_chain_from_a_frame_with_a_finding() -> None:
    """What a frame leaves in which something cannot happen is not judged, nor one without a play."""
    bad = frame("(e,9m,4m)", pfe="24.0,26.0,25.0,25.0")
    assert len(findings(f"jmjp[1.0]({HEAD}{bad}{frame(name='E1-1')})")) == 1
    bare = f"frm[E1-0,0.0,3-4,pfs[{EVEN}],,,pfe[24.0,26.0,25.0,25.0],]"
    assert findings(f"jmjp[1.0]({HEAD}{bare}{frame(name='E1-1')})") == []


@pytest.mark.parametrize(
    ("values", "message"),
    [
        ({"acts": "(e,9m,4m)"}, "line 7, column 1: in frame E1-0: player 0 does not hold tile 4m"),
        ({"acts": "(s,9m,tg)"}, "line 7, column 1: in frame E1-0: player 1 draws, but it is player 0's turn"),
        (
            {"acts": "(e,9m,tg)", "pfe": "25.0,25.0,25.0,24.0"},
            "line 12, column 2: in frame E1-0: the payments add up to -1000, not to 0",
        ),
        (
            {"acts": "(e,8s,tg)(s,ro,)(w,ro,)", "pfe": "24.0,25.0,25.0,25.0", "s": "S,8s", "w": "W,8s"},
            "line 12, column 2: in frame E1-0: points and riichi sticks add up to 99000, but did to 100000",
        ),
        ({"acts": "(e,9m,tg)", "w": "W,1m"}, "line 10, column 1: in frame E1-0: player 2 ends with 1m, not no tile"),
    ],
)
def test_places(values: dict[str, str], message: str) -> None:
    """An act that cannot be stands at its bracket, a wrong hand at that of the hand, wrong points at those."""
    values = {key: value.replace("S", SOUTH).replace("W", WEST) for key, value in values.items()}
    assert findings(f"jmjp[1.0]\n({HEAD}{frame(**values)})") == [message]


@pytest.mark.parametrize("goings", [0, 1, 4])
@pytest.mark.parametrize(
    ("values", "message"),
    [
        ({"w": "7s7s7s7s8s8s8s8s9s9s9sewew"}, "line 10, column 1: in frame E1-0: player 2 ends with "),
        ({"n": f"{NORTH[2:]}1m"}, "line 11, column 1: in frame E1-0: player 3 ends with 1m, not 4m"),
        (
            {"acts": "(e,8s,tg)(s,ro,)(w,ro,)", "pfe": "24.0,25.0,25.0,25.0", "s": f"{SOUTH},8s", "w": f"{WEST},8s"},
            "line 12, column 2: in frame E1-0: points and riichi sticks add up to 99000, but did to 100000",
        ),
    ],
)
def test_places_before_goings(goings: int, values: dict[str, str], message: str) -> None:
    """Whoever goes after the end of a frame, what is wrong with its end is told of at its place."""
    text = f"jmjp[1.0]\n({HEAD}{frame(**({'acts': '(e,9m,tg)'} | values))}" + "\n// tenhou bye player=0" * goings
    (said,) = findings(f"{text}\n)")
    assert said.startswith(message)


def test_deal_with_a_finding() -> None:
    """A tile too many in the deal is told of at the hand, whichever seat stands where."""
    hands = DEALT | {"w": "1m1m1m9m1p1p9p9p1s1s9s9sew"}
    for order in ("eswn", "wnse"):
        deal = lying({seat: hands[seat] for seat in order})
        text = f"jmjp[1.0]\n({HEAD}\nfrm[E1-0,,,,,\n{deal}\n{lying(hands)},,])"
        line = 4 + order.index("w")
        # By player: the fourth 1m is in the hand of player 2.
        assert findings(text.replace("1m3m", "1m1m")) == [
            f"line {line}, column 1: in frame E1-0: tile 1m is there five times"
        ]


def test_grammar_is_no_finding() -> None:
    """What cannot be understood is raised, after what is found before it."""
    found: list[JmjpError] = []
    text = f"jmjp[1.0]({HEAD}{frame('(e,9m,4m)')}{frame('(e,9m')})"
    with pytest.raises(JmjpError, match=r"in frame E1-0: expected ',', found '\('$"):
        read_jmjp(text.encode(), finding=found.append)
    assert [error.reason for error in found] == ["player 0 does not hold tile 4m"]


def test_notices_once() -> None:
    r"""A file that is tried in two ways, for its `\"`, is told of once."""
    text = f'jmjp[1.0]\n// tenhou x\n({HEAD}frm[E1-0,,,,,,,snt["a\\"]])'
    assert notices(text)[1] == ["a comment // tenhou before line 3 is not understood and is passed over"]


def test_a_play_that_cannot_be_before_an_escaped_quote() -> None:
    r"""In a file that is understood with `\"` as an escaped quote, a play that cannot happen is what is wrong."""
    text = f'jmjp[1.0]\n({HEAD}{frame("(e,9m,4m)")}frm[E3-0,,,,,,,snt["a\\"b"]])'
    assert refusal(text) == "line 7, column 1: in frame E1-0: player 0 does not hold tile 4m"


def test_cut_where_an_act_may_end() -> None:
    """A file that is cut inside an act is refused there, whatever acts were read before it."""
    cut = refusals("jmjp")["cut-in-an-act"].content.decode()
    expected = "expected a tile, how an act ends, or ')', found the end of the file"
    for text in (cut, f"{cut})(e,1m,9m)", cut):
        assert refusal(text).endswith(expected) is (text == cut)
