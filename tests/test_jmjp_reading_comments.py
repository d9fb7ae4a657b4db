"""Reading the comments that the writer adds."""

from __future__ import annotations

import pytest
from jmjp_texts import EAST, EMPTY, EVEN, HEAD, ID, MATCH, SOUTH, frame, notices, played, read, rejection
from tables import table

from jmjp_convert.formats.jmjp.reader import read_jmjp
from jmjp_convert.model import (
    Discard,
    Disconnected,
    House,
    Match,
    Player,
    Returned,
    RiichiAccepted,
    RiichiDeclared,
    Rules,
    Ryuukyoku,
    Shuffle,
    ShuffleForm,
    Text,
    Win,
    handle,
)
from jmjp_convert.model.tiles import NO_REDS, ONE_RED_EACH, RedFives, any_copy

SOUL_ID = "231014-0123abcd-b3f7-4363-966e-25f378860000"


def above(*lines: str) -> tuple[Match, list[str]]:
    """Return a match with comments above it, and the notices about them."""
    return notices("\n".join(["jmjp[1.0]", *(f"// tenhou {line}" for line in lines), MATCH]))


def test_comments_above_a_match() -> None:
    """The values of a match and its players are read from the comments above it."""
    match, said = above(
        f"id={ID} source=%E7%89%8C type=7 lobby=12 shuffle=hex csrule=z title=a%3Db rule= ranking=r",
        "player=1 dan=20 rate=-1.5 sex=C gold=007 rc=x name=%22%5C",
        "player=3 name=%FF",
    )
    assert said == []
    assert (match.id, match.source, match.shuffle) == (ID, "牌", Shuffle(ShuffleForm.HEX))
    custom = (("title", "a=b"), ("rule", ""), ("ranking", "r"), ("csrule", "z"))
    assert match.rules == Rules(4, red_fives=NO_REDS, code=7, lobby=12, custom=custom, house=House.TENHOU)
    assert match.players == (
        Player(),
        Player(handle('"\\'), None, 20, -1.5, "C", 7, "x"),
        Player(),
        Player(handle("\ufffd"), b"\xff"),
    )


@pytest.mark.parametrize("form", [None, *ShuffleForm])
def test_forms_of_shuffle(form: ShuffleForm | None) -> None:
    """Each form of the shuffle is read, and so is none."""
    match, said = above(f"shuffle={'none' if form is None else form.value}")
    assert (match.shuffle, said) == (form and Shuffle(form), [])


@pytest.mark.parametrize(
    ("code", "red_fives"),
    [
        ("type=9 ", ONE_RED_EACH),
        ("type=11 ", NO_REDS),
        ("type=0 ", ONE_RED_EACH),
        ("", ONE_RED_EACH),
        ("lobby=3 ", ONE_RED_EACH),
    ],
)
def test_rules_of_a_comment(code: str, *, red_fives: RedFives) -> None:
    """The type of the rules says whether there are red fives; without a type there are."""
    match, said = above(f"{code}shuffle=none")
    assert (match.rules.red_fives, said) == (red_fives, [])
    assert match.rules.code == (int(code[5:]) if code.startswith("type") else None)


@pytest.mark.parametrize(
    ("tile", "red_fives"), [("0m", ONE_RED_EACH), ("0p", ONE_RED_EACH), ("0s", ONE_RED_EACH), ("5m", None)]
)
def test_rules_without_a_comment(tile: str, *, red_fives: RedFives | None) -> None:
    """Without a comment, a red five in the match shows that there are red fives; their absence is never known."""
    acts = f"(e,{tile},tg)"
    two = f"({HEAD}{frame()})({HEAD}{frame(acts)})"
    first, second = read_jmjp(f"jmjp[1.0]// 0m tells nothing\n{two}".encode())
    assert first.rules == Rules(red_fives=None)
    assert second.rules == Rules(red_fives=red_fives)
    assert read(f"({HEAD}frm[E1-0,,,,uk{tile}{'uk' * 8},,,])").rules.red_fives == red_fives
    assert read(f'({HEAD}frm[E1-0,,,,,,,snt["{tile}"]])').rules.red_fives is None


@pytest.mark.parametrize(
    ("said", "house"), [("", House.TENHOU), ("house=mahjong-soul ", House.MAHJONG_SOUL), ("house=none ", None)]
)
@pytest.mark.parametrize(
    ("red", "red_fives"),
    [("", ONE_RED_EACH), ("red=no ", NO_REDS), ("red=unknown ", None), ("red=1,2,1 ", RedFives(1, 2, 1))],
)
def test_house_of_a_comment(said: str, house: House | None, red: str, *, red_fives: RedFives | None) -> None:
    """Without a type, the comment says whose rules they are, if not Tenhou's, and whether there are red fives."""
    match, notes = above(f"id={SOUL_ID} {said}{red}lobby=0 shuffle=none")
    assert (match.rules, notes) == (Rules(red_fives=red_fives, lobby=0, house=house), [])
    assert match.id == SOUL_ID


def test_rank_of_a_comment() -> None:
    """A player's comment gives the name of a rank on another server."""
    match, notes = above("house=none shuffle=none", "player=2 rank=%E8%B1%AA1")
    assert ([player.rank for player in match.players], notes) == ([None, None, "豪1", None], [])


def test_comment_for_the_next_match_alone() -> None:
    """Comments above a match do not apply to the matches before and after it."""
    text = f"jmjp[1.0]{MATCH}\n// tenhou id={ID} shuffle=none\n// tenhou player=0 dan=1\n{MATCH}{MATCH}"
    assert [match.id for match in read_jmjp(text.encode())] == [None, ID, None]
    assert [match.players[0].dan for match in read_jmjp(text.encode())] == [None, 1, None]


@pytest.mark.parametrize("line", table("jmjp_reading_comments", "unknown_comments"))
def test_unknown_comments(line: str) -> None:
    """An unknown ``// tenhou`` comment is reported and ignored."""
    match, said = above(line)
    assert match == EMPTY
    assert said == ["unknown // tenhou comment before line 3 ignored"]


@pytest.mark.parametrize("line", ["// tenhou_id=x", "//tenhou id=x", "// Tenhou id=x", "//  tenhou id=x", "# tenhou"])
def test_other_comments(line: str) -> None:
    """A comment that does not begin with exactly ``// tenhou`` is ignored silently; other text is rejected."""
    if line.startswith("//"):
        assert notices(f"jmjp[1.0]\n{line}\n{MATCH}") == (EMPTY, [])
    else:
        message = "expected '(', found '#'; comments begin with // and go to the end of the line"
        assert rejection(f"jmjp[1.0]\n{line}\n{MATCH}") == f"line 2, column 1: {message}"


def test_disconnections_and_returns() -> None:
    """Disconnections and returns are read before the first frame, in the play and after a frame."""
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


def test_disconnection_after_the_last_draw() -> None:
    """A disconnection after a draw that nothing follows is read before or after that act."""
    found = played("(e,9m,)\n// tenhou bye player=0", e=f"{EAST},9m")
    assert found.events[-1] == Disconnected(0)
    found = played("// tenhou bye player=0 at=draw\n(e,9m,)", e=f"{EAST},9m")
    assert found.events[-1] == Disconnected(0)


def test_karagiri_of_a_riichi() -> None:
    """A riichi tile with the drawn face is another copy only if a comment before it says so."""
    riichi = "(e,9m,rc[9m])(s,9p,tg)"
    for comment, tsumogiri in (("", True), ("// tenhou riichi=karagiri\n", False)):
        events = played(comment + riichi).events
        assert events[1] == RiichiDeclared(0)
        assert events[2] == Discard(0, any_copy("9m"), tsumogiri)
        assert events[3] == RiichiAccepted(0)


@pytest.mark.parametrize(
    ("line", "chips", "yaku"),
    [("chips=-3,0,3,0", (-3, 0, 3, 0), ()), ("chips=-3,0,3,0 chipyaku=2,1,54,2", (-3, 0, 3, 0), ((2, 1), (54, 2)))],
)
def test_chips(line: str, chips: tuple[int, ...], yaku: tuple[tuple[int, int], ...]) -> None:
    """Chips are read above a frame, before a win or draw, and at the end of a match."""
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
def test_malformed_chips(before: str, after: str) -> None:
    """Chips need one number per player above a frame and two at the end of a match, where a ratio may follow."""
    play = frame("(e,8s,tg)", pfe=EVEN)
    match, said = notices(f"jmjp[1.0]({HEAD}\n// tenhou {before}\n{play}\n// tenhou {after}\n)")
    known = [match.frames[0].start.chips is not None, match.chips is not None or match.ratio is not None]
    assert known == [before == "chips=1,2,3,4", after != "chips=1,2,3,4"]
    assert len(said) == known.count(False) > 0


@pytest.mark.parametrize("line", table("jmjp_reading_comments", "unknown_comments_in_a_frame"))
def test_unknown_comments_in_a_frame(line: str) -> None:
    """An unknown ``// tenhou`` comment inside a frame is reported and ignored."""
    text = f"jmjp[1.0]({HEAD}{frame('(e,9m,tg)X(s,9p,tg)')})"
    match, said = notices(text.replace("X", f"\n// tenhou {line}\n"))
    assert match == notices(text.replace("X", ""))[0]
    assert said == ["unknown // tenhou comment before line 8 ignored"]


def test_comment_after_the_last_match() -> None:
    """A ``// tenhou`` comment after the last match is ignored."""
    assert notices(f"jmjp[1.0]{MATCH}// tenhou id=x shuffle=none")[0] == EMPTY


def test_no_comments_in_dialect_0() -> None:
    """Dialect 0 has no comments, so two slashes can only be part of a string."""
    text = f'jmjp[0]({HEAD}frm[E1-0,,,,,,,snt["// tenhou bye player=0"]])'
    match, said = notices(text)
    assert (match.frames[0].comment, match.frames[0].events, said) == (Text("// tenhou bye player=0"), (), [])
