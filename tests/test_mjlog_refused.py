"""Invalid logs are rejected, with the place of the problem."""

from __future__ import annotations

import re

import pytest
from casefiles import blocks, content
from mjlog_logs import (
    FIXTURES,
    FRAME,
    HANDS,
    SANMA,
    TURN,
    Read,
    csv,
    from_bytes,
    init,
    log,
    notices,
    read,  # noqa: F401 - pytest finds it by its name
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

PATH = FIXTURES / "mjlog" / "refused.txt"
BASES = {"sanma": SANMA} | {block.name: content(block, {}) for block in blocks(PATH, "base")}
REFUSED = {block.name: block for block in blocks(PATH, "case")}
MANY = " ".join(f'a{number}=""' for number in range(100))


def test_refused(read: Read, subtests: pytest.Subtests) -> None:
    """A log is rejected with the place and the message that its case in ``fixtures/mjlog/refused.txt`` has."""
    for name, block in REFUSED.items():
        with subtests.test(name):
            *lines, last = block.lines
            with pytest.raises(MjlogError) as refused:
                read(content(block._replace(lines=lines), BASES))
            assert f"refused: {refused.value}" == last


@pytest.mark.parametrize(
    ("content", "place"),
    [
        (log('<TAIKYOKU oya="0"/>', f"<A {MANY}/>", FRAME), "element 2 <A …>"),
        (log('<GO type="9"/>', init(), TURN, f"<DORA {MANY}/>"), "frame E1-0, element 5 <DORA …>"),
    ],
)
def test_many_attributes(read: Read, content: bytes, place: str) -> None:
    """An element with very many attributes is rejected without showing them."""
    with pytest.raises(MjlogError) as refused:
        read(content)
    assert str(refused.value) == f"{place}: element with more than 64 attributes"


def test_long_element_is_cut_short(read: Read) -> None:
    """A message shows only the beginning of a long element."""
    with pytest.raises(MjlogError) as refused:
        read(log(init(oya=1)))
    assert refused.value.element == ('<INIT seed="0,0,0,0,1,135" ten="250,250,250,250" oya="1" hai0="0,4,8,12,16,20,…>')
    assert len(refused.value.element or "") == 80
