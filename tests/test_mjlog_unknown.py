"""Unknown elements and attributes are reported once, or rejected."""

from __future__ import annotations

import pytest
from mjlog_logs import (
    FRAME,
    TURN,
    Read,
    element,
    frame,
    init,
    log,
    notices,
    read,  # noqa: F401 - pytest finds it by its name
    ryuukyoku,
)
from tables import table

from jmjp_convert.errors import MalformedError, MjlogError
from jmjp_convert.model import House, Player, Rules, Shuffle, ShuffleForm, handle

UNKNOWN_THINGS: dict[str, tuple[bytes, str]] = {
    "element before the frames": (log("<A/>", FRAME), "unknown element <A>"),
    "element in a frame": (log(init(), "<A/>", TURN, ryuukyoku()), "unknown element <A>"),
    "element at the end": (log(FRAME, "<A/>"), "unknown element <A>"),
    "GO in a frame": (
        log(init(), '<GO type="27"/>', TURN, ryuukyoku()),
        "unexpected element <GO> after the first frame",
    ),
    "TAIKYOKU at the end": (log(FRAME, '<TAIKYOKU oya="0"/>'), "unexpected element <TAIKYOKU> after the first frame"),
    "SHUFFLE in a frame": (
        log(init(), '<SHUFFLE seed=""/>', TURN),
        "unexpected element <SHUFFLE> after the first frame",
    ),
    "second GO": (log('<GO type="9"/><GO type="1"/>', FRAME), "second element <GO>"),
    "second SHUFFLE": (
        log('<SHUFFLE seed=""/><SHUFFLE seed="mt19937ar-sha512-n288,1"/>', FRAME),
        "second element <SHUFFLE>",
    ),
    "another name of a player": (
        log('<UN n0="A" n1="B" n2="C" n3="D"/><UN n0="A" n1="X" n2="C" n3=""/>', FRAME),
        "another name of player 1 in a later <UN>",
    ),
    "text before the elements": (log("x", FRAME), "text between the elements"),
    "text between the elements": (log(FRAME.replace("<D60/>", "x<D60/>")), "text between the elements"),
    "text inside an element": (log(FRAME.replace("<D60/>", "<D60>x</D60>")), "text between the elements"),
    "text at the end": (log(FRAME, "x"), "text between the elements"),
    "shuffle": (log('<SHUFFLE seed="md5,0"/>', FRAME), "unknown shuffle md5"),
    "rate": (log('<UN n0="A" n1="B" rate="1500.00,1e3"/>', FRAME), "unknown value rate='1e3' of <UN>"),
    "gold": (log('<UN n0="A" n1="B" gold="1.5,2"/>', FRAME), "unknown value gold='1.5' of <UN>"),
    "element again and again": (log("<A/>", "<A/>", FRAME, "<A/>"), "unknown element <A>"),
    "small letters": (log("<go/>", FRAME), "unknown element <go>"),
    "attribute before the frames": (log('<GO type="9" a="1"/>', FRAME), "unknown attribute a of <GO>"),
    "attribute of INIT": (log(init(a=1), TURN, ryuukyoku()), "unknown attribute a of <INIT>"),
    "attribute in a frame": (log(init(), '<BYE who="1" a="1"/>', TURN, ryuukyoku()), "unknown attribute a of <BYE>"),
    "attribute of UN in a frame": (log(init(), '<UN n1="A" a="1"/>', TURN, ryuukyoku()), "unknown attribute a of <UN>"),
    "attribute at the end": (log(init(), TURN, ryuukyoku(a=1)), "unknown attribute a of <RYUUKYOKU>"),
    "attribute of the root": (log(FRAME, root='mjloggm ver="2.3" a="1"'), "unknown attribute a of <mjloggm>"),
    "attribute of a draw": (log(FRAME.replace("<T60/>", '<T60 a="1"/>')), "unknown attribute a of a draw or discard"),
    "attribute of a discard": (
        log(FRAME.replace("<D60/>", '<D60 a="1"/>')),
        "unknown attribute a of a draw or discard",
    ),
    "attribute in single quotes": (
        log(FRAME.replace("<T60/>", "<T60 a='1'/>")),
        "unknown attribute a of a draw or discard",
    ),
    "attribute with spaces": (
        log(FRAME.replace("<T60/>", '<T60 a = "1"/>')),
        "unknown attribute a of a draw or discard",
    ),
    "element inside a draw": (log(FRAME.replace("<T60/>", "<T60><A/></T60>")), "unknown element <A> inside <T60>"),
    "element inside another": (
        log(FRAME.replace("<T60/>", '<T60/><DORA hai="134"><A/></DORA>')),
        "unknown element <A> inside <DORA>",
    ),
    "draw inside a discard": (log(FRAME.replace("<D60/>", "<D60><U61/></D60>")), "unknown element <U61> inside <D60>"),
}


def test_unknown(read: Read, subtests: pytest.Subtests) -> None:
    """Unknown elements and attributes are ignored, and reported once."""
    for name, (content, what) in UNKNOWN_THINGS.items():
        with subtests.test(name):
            assert notices(read, content) == [f"{what} ignored"]


def test_unknown_strictly(read: Read, subtests: pytest.Subtests) -> None:
    """Unknown elements and attributes are rejected in strict mode."""
    for name, (content, what) in UNKNOWN_THINGS.items():
        with subtests.test(name):
            with pytest.raises(MjlogError) as refused:
                read(content, strict=True)
            assert refused.value.reason == what


def test_strict_names_the_place(read: Read) -> None:
    """An error in strict mode names the element."""
    with pytest.raises(MjlogError) as refused:
        read(log('<GO type="9"/>', init(), '<BYE who="1" a="1"/>', TURN), strict=True)
    assert str(refused.value) == 'frame E1-0, element 3 <BYE who="1" a="1">: unknown attribute a of <BYE>'


def test_first_rules_stand(read: Read) -> None:
    """The first of several GO is the one that counts; an identical one is nothing new."""
    assert read(log('<GO type="9"/><GO type="1"/>', FRAME)).rules == read(log('<GO type="9"/>', FRAME)).rules
    assert notices(read, log('<GO type="9"/><GO type="9"/>', FRAME)) == []


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("<T60/>", '<T60 a="1"/>', 'element 6 <T60 a="1">: unknown attribute a of a draw or discard'),
        ("<D60/>", "<D60><A/></D60>", "element 7 <D60>: unknown element <A> inside <D60>"),
    ],
)
def test_strict_names_the_place_in_draws_and_discards(read: Read, old: str, new: str, message: str) -> None:
    """An error in strict mode names element and frame inside draws and discards too."""
    with pytest.raises(MjlogError) as refused:
        read(log(FRAME, frame(1).replace(old, new), frame(2)), strict=True)
    assert str(refused.value) == f"frame E1-1, {message}"


PLAY_IN_DISGUISE: dict[str, tuple[str, str]] = {
    "misspelled": ("<X60/>", "X60"),
    "in a namespace": ('<x:T60 xmlns:x="u"/>', "{u}T60"),
    "in a default namespace": ('<T60 xmlns="u"/>', "{u}T60"),
}


@pytest.mark.parametrize(("draw", "tag"), PLAY_IN_DISGUISE.values(), ids=PLAY_IN_DISGUISE)
def test_impossible_after_unknown(read: Read, draw: str, tag: str) -> None:
    """An impossible play after an unknown element names that element too: it may be the play that is missing."""
    with pytest.raises(MjlogError) as refused:
        read(log(FRAME, init(seed="0,1,0,0,1,135"), "<Z/>", draw, "<D60/>", ryuukyoku(ba="1,0")))
    assert str(refused.value) == (
        "frame E1-1, element 8 <D60>: East discards without having drawn; the unknown element <Z> before it was ignored"
    )
    with pytest.raises(MjlogError, match=f"; the unknown element <{tag}> before it was ignored$"):
        read(log(FRAME.replace("<T60/>", draw)))


def test_impossible_before_unknown(read: Read) -> None:
    """An unknown element after an impossible play, or in another frame, has nothing to do with it."""
    for content in (
        log(init(), "<D60/><A/>", ryuukyoku()),
        log(FRAME.replace("<T60/>", "<A/><T60/>"), frame(1).replace("<T60/>", "")),
    ):
        with pytest.raises(MjlogError, match=r"East discards without having drawn$"):
            read(content)


@pytest.mark.parametrize("frames", [0, 300], ids=["short", "long"])
@pytest.mark.parametrize(("old", "new", "message"), table("mjlog_unknown", "undeclared_prefix old-new-message"))
def test_undeclared_prefix(read: Read, old: str, new: str, message: str, frames: int) -> None:
    """A prefix without a namespace is not well-formed, and named where it is, before any fault of the play."""
    content = log(FRAME, frame(1).replace(old, new), *(frame(2 + more) for more in range(frames)))
    with pytest.raises(MalformedError) as refused:
        read(content)
    assert str(refused.value) == message


def test_undeclared_prefix_before_the_frames(read: Read) -> None:
    """An undeclared prefix in the head is named without a frame."""
    with pytest.raises(MalformedError) as refused:
        read(log('<x:GO type="9"/>', FRAME))
    assert str(refused.value) == 'element 1 <x:GO type="9">: the prefix of the name x:GO is not declared'


def test_nested_elements_are_ignored(read: Read) -> None:
    """Nested elements are never taken for play, not even a whole frame."""
    content = log(FRAME.replace("<D60/>", f"<D60><U61/>{FRAME}</D60>"))
    assert read(content).frames == read(log(FRAME)).frames
    assert notices(read, content) == [
        f"unknown element <{tag}> inside <D60> ignored" for tag in ("U61", "INIT", "T60", "D60", "RYUUKYOKU")
    ]


def test_notices_in_order(read: Read) -> None:
    """Notices follow the order of the log, and for an element the order of its attributes."""
    names = "klmnopqrst"
    go = element("GO", {"type": 9}, dict.fromkeys(names, 1))
    said = notices(read, log("<A/>", go, FRAME))
    assert said == ["unknown element <A> ignored", *(f"unknown attribute {name} of <GO> ignored" for name in names)]


def test_no_notice_is_needed(read: Read) -> None:
    """The notice callback is optional."""
    assert len(read(log("<A/>", FRAME)).frames) == 1


def test_known_attributes(read: Read) -> None:
    """The rare attributes of real logs are known."""
    go = '<GO type="9" lobby="0" title="a" rule="b" ranking="c" csrule="d"/>'
    names = '<UN n0="A" n1="B" n2="C" n3="D" dan="1,2,3,4" rate="1,2,3,4" sx="M,F,M,C" gold="5,6,7,8" rc="1,2,3,4"/>'
    content = log('<SHUFFLE seed="mt19937ar-sha512-n288-base64,AA" ref=""/>', go, names, '<TAIKYOKU oya="0"/>', FRAME)
    assert notices(read, content) == []
    match = read(content, strict=True)
    assert match.rules == Rules(
        code=9, lobby=0, custom=(("title", "a"), ("rule", "b"), ("ranking", "c"), ("csrule", "d")), house=House.TENHOU
    )
    assert match.players[1] == Player(handle("B"), None, 2, 2, "F", 6, "2")
    assert match.shuffle == Shuffle(ShuffleForm.BASE64, "mt19937ar-sha512-n288-base64,AA")
