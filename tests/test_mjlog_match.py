"""What a log records of the match: rules, log ID, time, place, players."""

from __future__ import annotations

from pathlib import Path

import pytest
from mjlog_logs import (
    FRAME,
    ID,
    PLAIN,
    TURN,
    Read,
    from_bytes,
    init,
    log,
    players,
    read,  # noqa: F401 - pytest finds it by its name
    ryuukyoku,
)
from tables import table

from jmjp_convert.errors import ConvertError, MjlogError
from jmjp_convert.formats.mjlog.reader import read_mjlog
from jmjp_convert.model import Disconnected, House, Name, Player, Recorder, Returned, Rules, Text, Tournament, handle
from jmjp_convert.model.tiles import NO_REDS, ONE_RED_EACH

# --- the match --------------------------------------------------------------------------------------------------------


def test_no_go(read: Read) -> None:
    """Without GO only the house is known: four players and red fives are assumed, and there is no title."""
    match = read(log(FRAME))
    assert match.rules == Rules(players=4, red_fives=ONE_RED_EACH, code=None, lobby=None, house=House.TENHOU)
    assert match.tournament is None
    assert match.players == (Player(),) * 4


def test_go(read: Read) -> None:
    """GO gives the rules and their name."""
    match = read(log('<GO type="11" lobby="1234"/>', FRAME))
    assert match.rules == Rules(players=4, red_fives=NO_REDS, code=11, lobby=1234, house=House.TENHOU)
    assert match.tournament == Tournament(
        Text("天鳳 四般南喰 L1234", "Tenhou 4-player General East-South, open tanyao, no red fives, lobby 1234")
    )


@pytest.mark.parametrize(
    ("go", "lobby"),
    [('<GO type="9"/>', 1234), ('<GO type="9" lobby=""/>', 1234), ('<GO type="9" lobby="0"/>', 0), ("", 1234)],
)
def test_lobby_of_the_id(read: Read, go: str, lobby: int) -> None:
    """If GO does not give the lobby, the log ID does."""
    assert read(log(go, FRAME), id="2010041809gm-0089-1234-0123abcd").rules.lobby == lobby


def test_no_lobby(read: Read) -> None:
    """If neither GO nor a log ID gives the lobby, it is unknown."""
    assert read(log('<GO type="9"/>', FRAME), file_name="a.xml").rules.lobby is None


@pytest.mark.parametrize(("name", "id_", "date"), table("mjlog_match", "id_of_the_file_name"))
def test_id_of_the_file_name(tmp_path: Path, name: str, id_: str, date: str | None) -> None:
    """The log ID and the date are taken from the file name, which is not kept then."""
    path = tmp_path / name
    path.write_bytes(PLAIN)
    match = read_mjlog(path)
    assert (match.id, match.date, match.source) == (id_, date, None)
    assert read_mjlog(PLAIN, file_name=name) == match
    assert read_mjlog(str(path)) == match


def test_id_that_is_given(read: Read) -> None:
    """A log ID that is given overrides the name."""
    match = read(PLAIN, id=ID, file_name="2019041809gm-0089-1234-0123abcd.xml")
    assert (match.id, match.date) == (ID, "20110204")


def test_no_id(read: Read) -> None:
    """A name without a log ID is kept, and no ID is invented."""
    match = read(PLAIN, file_name="my game.xml")
    assert (match.id, match.source, match.date, match.time) == (None, "my game.xml", None, None)


def test_no_name() -> None:
    """Bytes have no name."""
    assert read_mjlog(PLAIN).source is None


def test_directories_are_not_part_of_the_name(tmp_path: Path) -> None:
    """The folders of a path are ignored."""
    folder = tmp_path / ID
    folder.mkdir()
    (folder / "a.xml").write_bytes(PLAIN)
    match = read_mjlog(folder / "a.xml")
    assert (match.id, match.source) == (None, "a.xml")


def test_time(read: Read) -> None:
    """The time is the one given; a log ID alone does not determine it."""
    assert read(PLAIN, id=ID).time is None
    assert read(PLAIN, id=ID, time="1707").time == "1707"


@pytest.mark.parametrize("time", ["", "9", "17:07", "2400", "1760", "17070", "\N{FULLWIDTH DIGIT ONE}707", "1707\n"])
def test_invalid_time(read: Read, time: str) -> None:
    """An invalid time of day is rejected."""
    with pytest.raises(ConvertError) as refused:
        read(PLAIN, time=time)
    assert str(refused.value) == f"invalid time {time!r}; expected HHMM"


@pytest.mark.parametrize("id_", ["", "x", f"{ID}.xml", f" {ID}", "2011020417gm"])
def test_invalid_id(read: Read, id_: str) -> None:
    """An invalid log ID is rejected."""
    with pytest.raises(ConvertError) as refused:
        read(PLAIN, id=id_)
    assert str(refused.value) == f"invalid log ID {id_!r}"


def test_place(read: Read) -> None:
    """Place and recorder are Tenhou."""
    match = read(PLAIN)
    assert match.place == Text("天鳳", "Tenhou")
    assert match.recorders == (Recorder(Name(Text("天鳳", "Tenhou"))),)


# --- players ----------------------------------------------------------------------------------------------------------


FULL = '<UN n0="%41" n1="%42" n2="%E5%A4%A9" n3="%44" dan="1,2,3,20" rate="1500.00,1600,1700.55,1800" sx="M,F,M,C"/>'


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
    """What is not recorded of a player is None; a name that is not UTF-8 is kept with its bytes."""
    assert players(un)[3] == expected


def test_return(read: Read) -> None:
    """A later UN is a return of the player it names, not a new player."""
    back = '<UN n2="%E5%A4%A9"/>'
    match = read(
        log(FULL, '<BYE who="2"/>', back, init(), "<T60/>", '<BYE who="2"/>', back, "<D60/>", ryuukyoku(), back)
    )
    assert match.before == (Disconnected(2), Returned(2))
    presences = [event for event in match.frames[0].events if isinstance(event, Disconnected | Returned)]
    assert presences == [Disconnected(2), Returned(2), Returned(2)]
    assert match.players == players(FULL)


def test_return_under_another_name() -> None:
    """A player keeps the first name; the other one is that of the return."""
    match = from_bytes(log(FULL, '<UN n1="Z"/>', FRAME))
    assert match.players[1].name == "B"
    assert match.before == (Returned(1, "Z"),)


def test_return_without_a_name() -> None:
    """A return may lack a name."""
    match = from_bytes(log(FULL, '<UN n1=""/>', FRAME))
    assert match.players[1].name == "B"
    assert match.before == (Returned(1),)


def test_empty_name_is_filled_later() -> None:
    """A player gets the first name that is not empty, and keeps what else is known."""
    match = from_bytes(log(FULL.replace("%42", ""), '<UN n1=""/><UN n1="Y"/><UN n1="Z"/>', FRAME))
    assert match.players[1] == Player(handle("Y"), None, 2, 1600, "F")
    assert match.before == (Returned(1), Returned(1), Returned(1, "Z"))


def test_empty_name_is_filled_in_a_frame() -> None:
    """A name may be filled as late as in a frame, even with bytes that are not UTF-8."""
    match = from_bytes(log(FULL.replace("%42", ""), init(), '<UN n1="%FF"/>', TURN, ryuukyoku()))
    assert match.players[1] == Player(handle("\N{REPLACEMENT CHARACTER}"), b"\xff", 2, 1600, "F")


def test_players_announced_again() -> None:
    """A later UN that names several players is not a return, but may fill an empty name."""
    match = from_bytes(log(FULL, init(), "<T60/>", '<UN n0="A" n3="X"/>', "<D60/>", ryuukyoku()))
    assert match.players == players(FULL)
    assert match.frames == from_bytes(log(FRAME)).frames
    match = from_bytes(log(FULL.replace("%42", ""), FULL, FRAME))
    assert (match.players, match.before) == (players(FULL), ())


def test_return_of_several() -> None:
    """If a later UN names several players, those who are away return."""
    away = '<BYE who="1"/><BYE who="2"/><BYE who="3"/><UN n3="%44"/>'
    match = from_bytes(log(FULL, away, '<UN n1="%42" n2="%E5%A4%A9"/>', init(), TURN, ryuukyoku(), FULL))
    assert match.before == (*map(Disconnected, (1, 2, 3)), Returned(3), Returned(1), Returned(2))
    assert match.frames == from_bytes(log(FULL, FRAME)).frames
    match = from_bytes(log(FULL, init(), TURN, '<BYE who="2"/>', ryuukyoku(), FULL))
    assert match.frames[0].events[-1] == Returned(2)


def test_place_of_an_error_after_a_return_of_several(read: Read) -> None:
    """Elements with several events or none do not shift the place of an error."""
    content = log(FULL, init(), "<T60/>", '<UN n0="A" n3="X"/>', "<A/>", "<D61/>")
    with pytest.raises(MjlogError, match=r"^frame E1-0, element 6 <D61>: East \(A\) does not hold tile 61 \(7p\);"):
        read(content)
