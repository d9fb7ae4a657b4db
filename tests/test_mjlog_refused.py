"""Invalid logs are rejected, with the place of the problem."""

from __future__ import annotations

import re

import pytest
from mjlog_logs import (
    FRAME,
    HANDS,
    SANMA,
    TURN,
    Read,
    agari,
    csv,
    frame,
    from_bytes,
    init,
    log,
    notices,
    read,  # noqa: F401 - pytest finds it by its name
    ryuukyoku,
)

from jmjp_convert.errors import MjlogError
from jmjp_convert.formats.mjlog.reader import read_mjlog
from jmjp_convert.model import House, Kita, Player, RiichiAccepted, Rules, Win

# --- three players ----------------------------------------------------------------------------------------------------


def test_three_players(read: Read) -> None:
    """A three-player game is read in full: three of everything, and the norths set aside."""
    match = read(SANMA)
    frame = match.frames[0]
    assert match.rules == Rules(players=3, code=185, lobby=0, house=House.TENHOU)
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
    """Without GO, the empty fourth hand shows that there are three players."""
    go = re.search(rb"<GO[^>]*>", SANMA)
    assert go
    match = read(SANMA.replace(go[0], b""))
    assert match.rules == Rules(players=3, house=House.TENHOU)
    assert [player.name for player in match.players] == ["Kaede", "Tsubaki", "Aster"]
    assert match.frames == read(SANMA).frames


def test_three_unknown_players() -> None:
    """Without UN there are three players without names."""
    named = re.search(rb"<UN[^>]*>", SANMA)
    assert named
    assert from_bytes(SANMA.replace(named[0], b"")).players == (Player(),) * 3


def test_name_of_a_fourth_of_three() -> None:
    """The fourth seat in a three-player game has no name."""
    notices: list[str] = []
    assert len(read_mjlog(SANMA.replace(b' n3=""', b' n3="%41"'), notice=notices.append).players) == 3
    assert notices == ["unknown value n3='%41' of <UN> ignored"]


def test_payments_of_three_alone(read: Read) -> None:
    """The payments in a three-player game may omit the empty seat."""
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
        (b'who="0" m="30752"', b'who="3" m="30752"', "who=3 is not a player (0 to 2)"),
        (b'who="0" m="30752"', b'who="0" m="31008"', "East (Kaede) does not hold tile 121 (nw)"),
        (b"<T55/>", b"<T4/>", "tile 4 (2m) is not in a three-player set"),
        (b"<U124/>", b"<U124/><DORA hai='31'/>", "tile 31 (8m) is not in a three-player set"),
        (b'hai3=""', b'hai3="3"', "hai3 has tiles, but there are only 3 players"),
        (b"<U124/>", b'<N who="1" m="3082"/>', "the meld takes a tile from an empty seat (players are 0 to 2)"),
        (b"<U124/>", b"<W124/>", "East draws, but it is South (Tsubaki)'s turn"),
    ],
)
def test_rejection_of_three(read: Read, old: bytes, new: bytes, message: str) -> None:
    """Values that are impossible with three players are rejected."""
    assert old in SANMA
    with pytest.raises(MjlogError) as refused:
        read(SANMA.replace(old, new))
    assert refused.value.reason == message


def test_kita_of_another_tile(read: Read) -> None:
    """A kita of a tile other than north is rejected."""
    with pytest.raises(MjlogError) as refused:
        read(SANMA.replace(b'm="30752"', b'm="%d"' % (60 << 8 | 0x20)))
    assert refused.value.reason == "East (Kaede) sets aside tile 60 (7p), which is not a kita"


def test_kita_of_four(read: Read) -> None:
    """A kita in a four-player game is rejected."""
    hand = csv(*HANDS[0][:-1], 120)
    with pytest.raises(MjlogError) as refused:
        read(log(init(hai0=hand), "<T60/>", '<N who="0" m="30752"/>'))
    assert refused.value.reason == "East sets aside tile 120 (nw), which is not a kita"


# --- rejected logs ----------------------------------------------------------------------------------------------------


MANY = " ".join(f'a{number}=""' for number in range(100))

HEAD: dict[str, tuple[str, str, str]] = {
    "rules below zero": ('<GO type="-1"/>', '<GO type="-1">', "type=-1 is not a rules number"),
    "rules in letters": ('<GO type="x"/>', '<GO type="x">', "'x' is not a number"),
    "no rules": ('<GO lobby="0"/>', '<GO lobby="0">', "missing attribute type"),
    "lobby": ('<GO type="9" lobby="x"/>', '<GO type="9" lobby="x">', "'x' is not a number"),
    "lobby below zero": ('<GO type="9" lobby="-1"/>', '<GO type="9" lobby="-1">', "lobby=-1 is not a lobby"),
    "attributes": (f"<A {MANY}/>", "<A …>", "element with more than 64 attributes"),
    "dan": ('<UN n0="A" dan="x"/>', '<UN n0="A" dan="x">', "'x' is not a number"),
    "BYE": ('<BYE who="4"/>', '<BYE who="4">', "who=4 is not a player (0 to 3)"),
    "draw": ("<T60/>", "<T60>", "play before the first frame"),
    "discard": ("<G60/>", "<G60>", "play before the first frame"),
    "meld": ('<N who="0" m="0"/>', '<N who="0" m="0">', "play before the first frame"),
    "riichi": ('<REACH who="0" step="1"/>', '<REACH who="0" step="1">', "play before the first frame"),
    "dora": ('<DORA hai="0"/>', '<DORA hai="0">', "play before the first frame"),
    "win": ("<AGARI/>", "<AGARI>", "play before the first frame"),
    "drawn frame": ("<RYUUKYOKU/>", "<RYUUKYOKU>", "play before the first frame"),
    "no tile": ("<D136/>", "<D136>", "D136 does not name a tile (0 to 135)"),
}


@pytest.mark.parametrize(("head", "text", "message"), HEAD.values(), ids=HEAD)
def test_rejection_before_the_frames(read: Read, head: str, text: str, message: str) -> None:
    """A problem before the first frame is rejected with its place."""
    with pytest.raises(MjlogError) as refused:
        read(log('<TAIKYOKU oya="0"/>', head, FRAME))
    assert str(refused.value) == f"element 2 {text}: {message}"


STARTS: dict[str, tuple[dict[str, object], str | None, str]] = {
    "five values": ({"seed": "0,0,0,0,1"}, "E1-0", "seed has 5 values; 6 expected"),
    "seven values": ({"seed": "0,0,0,0,1,135,0"}, "E1-0", "seed has 7 values; 6 expected"),
    "no number": ({"seed": "0,0,0,0,1,x"}, "E1-0", "'x' is not a number"),
    "no seed": ({"seed": None}, None, "missing attribute seed"),
    "round": (
        {"seed": "16,0,0,0,1,135"},
        None,
        "seed='16,0,0,0,1,135'; round, honba, sticks, two dice and a dora indicator expected",
    ),
    "honba": (
        {"seed": "0,-1,0,0,1,135"},
        None,
        "seed='0,-1,0,0,1,135'; round, honba, sticks, two dice and a dora indicator expected",
    ),
    "sticks": (
        {"seed": "0,0,-1,0,1,135"},
        "E1-0",
        "seed='0,0,-1,0,1,135'; round, honba, sticks, two dice and a dora indicator expected",
    ),
    "die": (
        {"seed": "0,0,0,0,6,135"},
        "E1-0",
        "seed='0,0,0,0,6,135'; round, honba, sticks, two dice and a dora indicator expected",
    ),
    "indicator": ({"seed": "0,0,0,0,1,136"}, "E1-0", "dora indicator 136 is not a tile (0 to 135)"),
    "indicator in a hand": ({"seed": "0,0,0,0,1,0"}, "E1-0", "tile 0 (1m) appears twice"),
    "dealer": ({"oya": 1}, "E1-0", "oya=1; oya=0 expected from the round"),
    "no dealer": ({"oya": None}, "E1-0", "missing attribute oya"),
    "dealer out of range": ({"oya": 4}, "E1-0", "oya=4 is not a player (0 to 3)"),
    "points": ({"ten": "250,250,250"}, "E1-0", "ten has 3 values; 4 expected"),
    "no hand": ({"hai1": None}, "E1-0", "missing attribute hai1"),
    "fourteen tiles": ({"hai1": csv(*HANDS[1], 60)}, "E1-0", "hai1 has 14 tiles; 13 expected"),
    "a tile twice": ({"hai1": csv(*HANDS[1][:-1], 1)}, "E1-0", "tile 1 (1m) appears twice"),
    "no tile": ({"hai1": csv(*HANDS[1][:-1], 136)}, "E1-0", "'136' is not a tile (0 to 135)"),
    "chips": ({"chip": "0,0,0"}, "E1-0", "chip has 3 values; 4 expected"),
}


@pytest.mark.parametrize(("changes", "name", "message"), STARTS.values(), ids=STARTS)
def test_rejected_start(read: Read, changes: dict[str, object], name: str | None, message: str) -> None:
    """An invalid INIT is rejected with its place, and its frame if that is known."""
    with pytest.raises(MjlogError) as refused:
        read(log('<GO type="9"/>', init(**changes), TURN, ryuukyoku()))
    assert (refused.value.reason, refused.value.frame, refused.value.number) == (message, name, 2)
    assert (refused.value.element or "").startswith("<INIT ")


IN_FRAME: dict[str, tuple[str, str]] = {
    "meld without a player": ('<N m="0"/>', "missing attribute who"),
    "meld without code": ('<N who="0"/>', "missing attribute m"),
    "meld code": ('<N who="0" m="65536"/>', "meld code 65536 is out of range (0 to 65535)"),
    "meld in letters": ('<N who="0" m="x"/>', "'x' is not a number"),
    "riichi step": ('<REACH who="0" step="3"/>', "step='3'; 1 or 2 expected"),
    "riichi without step": ('<REACH who="0"/>', "missing attribute step"),
    "riichi without a player": ('<REACH who="x" step="1"/>', "who=x is not a player (0 to 3)"),
    "riichi points": ('<REACH who="0" step="2" ten="1,2,3"/>', "ten has 3 values; 4 expected"),
    "dora": ('<DORA hai="136"/>', "'136' is not a tile (0 to 135)"),
    "no dora": ("<DORA/>", "missing attribute hai"),
    "BYE": ("<BYE/>", "missing attribute who"),
    "attributes": (f"<DORA {MANY}/>", "element with more than 64 attributes"),
    "no tile": ("<U136/>", "U136 does not name a tile (0 to 135)"),
    "no number": ("<U/>", "U does not name a tile (0 to 135)"),
    "leading zero": ("<U061/>", "U061 does not name a tile (0 to 135)"),
    "below zero": ("<U-1/>", "U-1 does not name a tile (0 to 135)"),
    "sc of 7": (agari(sc="250,-10,250,10,250,0,250"), "sc has 7 values; 8 or 16 expected"),
    "sc in letters": (agari(sc="250,-10,250,10,250,0,250,x"), "'x' is not a number"),
    "no sc": (agari(sc=None), "missing attribute sc"),
    "ba": (agari(ba="0"), "ba has 1 value; 2 expected"),
    "ba of 3": (agari(ba="0,0,0"), "ba has 3 values; 2 expected"),
    "ba of a draw": (ryuukyoku(ba="0"), "ba has 1 value; 2 expected"),
    "ten of 2": (agari(ten="30,1000"), "ten='30,1000'; fu, points and limit expected"),
    "ten of 4": (agari(ten="30,1000,0,0"), "ten='30,1000,0,0'; fu, points and limit expected"),
    "limit": (agari(ten="30,1000,6"), "ten='30,1000,6'; fu, points and limit expected"),
    "points below zero": (agari(ten="30,-1000,0"), "ten='30,-1000,0'; fu, points and limit expected"),
    "points of 50": (agari(ten="30,1050,0"), "ten='30,1050,0'; fu, points and limit expected"),
    "no yaku": (agari(yaku=None), "win without yaku"),
    "empty yaku": (agari(yaku=""), "win without yaku"),
    "yaku without han": (agari(yaku="8,1,52"), "'8,1,52' is not a list of number pairs"),
    "yaku 55": (agari(yaku="55,1"), "55 is not a yaku (0 to 54)"),
    "yaku below zero": (agari(yaku="-1,1"), "-1 is not a yaku (0 to 54)"),
    "yaku of negative han": (agari(yaku="1,-1"), "yaku 1 has -1 han; 0 to 999 expected"),
    "yaku of 1000 han": (agari(yaku="1,1000"), "yaku 1 has 1000 han; 0 to 999 expected"),
    "negative fu": (agari(ten="-20,8000,1"), "ten='-20,8000,1'; fu, points and limit expected"),
    "yakuman 55": (agari(yaku=None, yakuman="55"), "55 is not a yaku (0 to 54)"),
    "winner": (agari(who=4), "who=4 is not a player (0 to 3)"),
    "loser": (agari(fromWho=""), "fromWho= is not a player (0 to 3)"),
    "pao": (agari(paoWho="-1"), "paoWho=-1 is not a player (0 to 3)"),
    "machi": (agari(machi="5m"), "'5m' is not a tile (0 to 135)"),
    "hai": (agari(hai="0,x"), "'x' is not a tile (0 to 135)"),
    "another's hai": (
        agari(hai=csv(HANDS[2][0], *HANDS[1][1:], 60)),
        "South wins with 2 (1m); 1 (1m) expected from the play",
    ),
    "ura": (agari(doraHaiUra="134,133"), "more ura dora indicators (2) than dora indicators (1)"),
    "chip": (agari(chip="1"), "'1' is not a list of number pairs"),
    "melds": (agari(m="x"), "'x' is not a number"),
    "owari": (agari(owari="0,0"), "owari has 2 values; 8 or 16 expected"),
    "type of draw": (ryuukyoku(type="yao7"), "type='yao7' is not a kind of draw"),
    "empty type of draw": (ryuukyoku(type=""), "type='' is not a kind of draw"),
    "hand shown": (
        ryuukyoku(hai1=csv(HANDS[2][0], *HANDS[1][1:])),
        "South shows 2 (1m); 1 (1m) expected from the play",
    ),
}


@pytest.mark.parametrize(("wrong", "message"), IN_FRAME.values(), ids=IN_FRAME)
def test_rejected_element(read: Read, wrong: str, message: str) -> None:
    """An invalid element is rejected with frame, number and text."""
    with pytest.raises(MjlogError) as refused:
        read(log('<GO type="9"/>', init(), TURN, wrong))
    assert (refused.value.reason, refused.value.frame, refused.value.number) == (message, "E1-0", 5)
    tag = wrong[1:].rstrip("/>").split()[0]
    assert re.match(rf"<{tag}[ >]", refused.value.element or "")


def test_long_element_is_cut_short(read: Read) -> None:
    """A message shows only the beginning of a long element."""
    with pytest.raises(MjlogError) as refused:
        read(log(init(oya=1)))
    assert refused.value.element == ('<INIT seed="0,0,0,0,1,135" ten="250,250,250,250" oya="1" hai0="0,4,8,12,16,20,…>')
    assert len(refused.value.element or "") == 80


FOLLOWING: dict[str, tuple[str, str]] = {
    "points": (
        init(seed="1,0,0,0,1,135", oya=1, ten="250,250,250,260"),
        "the points are 250,250,250,260; 250,250,250,250 expected from the previous frame",
    ),
    "sticks": (init(seed="1,0,1,0,1,135", oya=1), "the riichi sticks are 1; 0 expected from the previous frame"),
}


@pytest.mark.parametrize(("following", "message"), FOLLOWING.values(), ids=FOLLOWING)
def test_rejected_following_frame(read: Read, following: str, message: str) -> None:
    """A frame that does not continue from the one before it is rejected under its own name."""
    with pytest.raises(MjlogError) as refused:
        read(log(FRAME, following, "<U60/>"))
    assert (refused.value.reason, refused.value.frame, refused.value.number) == (message, "E2-0", 5)


def test_following_frame_before_the_end(read: Read) -> None:
    """A frame that begins before the one before it has ended is rejected."""
    with pytest.raises(MjlogError) as refused:
        read(log(init(), TURN, frame(1)))
    assert refused.value.reason == "a frame begins before E1-0 has ended"
    assert (refused.value.frame, refused.value.number) == ("E1-1", 4)


def test_first_error_is_reported(read: Read) -> None:
    """The first problem is reported, even if others follow."""
    with pytest.raises(MjlogError, match=r"^frame E1-0, element 3 <D61>: East does not hold"):
        read(log(init(), "<T60/><D61/>", ryuukyoku(), init(oya=3), "<T136/>"))
