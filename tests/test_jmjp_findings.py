"""Impossible plays are reported with their places."""

from __future__ import annotations

import pytest
from casefiles import refusals
from jmjp_texts import DEALT, EVEN, HEAD, NORTH, SOUTH, WEST, four_hands, frame, notices, rejection
from tables import table

from jmjp_convert.errors import JmjpError
from jmjp_convert.formats.jmjp.reader import read_jmjp


def findings(text: str) -> list[str]:
    """Return all findings in *text*, and check that without *finding* the first one is raised."""
    found: list[JmjpError] = []
    read_jmjp(text.encode(), finding=found.append)
    said = [str(error) for error in found]
    if said:
        assert rejection(text) == said[0]
        assert all(error.frame is not None and error.text for error in found)
    return said


def test_no_findings() -> None:
    """A valid match has no findings."""
    assert findings(f"jmjp[1.0]({HEAD}{frame('(e,9m,tg)')})") == []


def test_findings_of_all_frames() -> None:
    """The first impossible play of each frame of each match is reported with its place."""
    bad = frame("(e,9m,4m)(s,9m,9p)")
    end = frame("(e,9m,tg)(s,9p,tg)", name="E4-0", n="1m" + NORTH[2:])
    text = f"jmjp[1.0]\n({HEAD}\n{bad}\n{frame(name='E3-0')}\n{end})\n({HEAD}\n{bad})"
    hand = "North ends with 1m; 4m expected"
    assert findings(text) == [
        "line 8, column 1: in frame E1-0: East does not hold tile 4m",
        f"line 34, column 1: in frame E4-0: {hand}",
        "line 42, column 1: in frame E1-0: East does not hold tile 4m",
    ]


def test_a_frame_with_a_finding_is_kept() -> None:
    """The match is returned with all its frames, as they are written."""
    found: list[JmjpError] = []
    text = f"jmjp[1.0]({HEAD}{frame('(e,9m,4m)')}{frame(name='E3-0')})"
    (match,) = read_jmjp(text.encode(), finding=found.append)
    assert len(found) == 1
    assert [one.start.name for one in match.frames] == ["E1-0", "E3-0"]
    assert [len(one.events) for one in match.frames] == [2, 0]


@pytest.mark.parametrize(("second", "message"), table("jmjp_findings", "continuity"))
def test_continuity(second: dict[str, str], message: str) -> None:
    """Points or sticks that do not follow from the frame before are reported at their own place."""
    first = frame("(e,9m,tg)", pfe="24.0,26.0,25.0,25.0")
    text = f"jmjp[1.0]\n\n({HEAD}\n{first}\n{frame(**({'name': 'E1-1', 'pfs': '24.0,26.0,25.0,25.0'} | second))})"
    assert findings(text) == [message]


@pytest.mark.parametrize(("name", "follows"), table("jmjp_findings", "continuity_of_neighbors"))
def test_continuity_of_neighbors(name: str, *, follows: bool) -> None:
    """Two frames are compared only if the second can directly follow the first."""
    first = frame("(e,9m,tg)", pfe="24.0,26.0,25.0,25.0")
    assert bool(findings(f"jmjp[1.0]({HEAD}{first}{frame(name=name)})")) is follows


def test_continuity_by_player() -> None:
    """Points carry over by player, though they are written by seat."""
    first = frame("(e,9m,tg)", pfe="24.0,26.0,25.0,25.0")
    follows = frame(name="E2-0", pfs="26.0,25.0,25.0,24.0")
    assert findings(f"jmjp[1.0]({HEAD}{first}{follows})") == []


def test_no_continuity_from_a_frame_with_a_finding() -> None:
    """A frame is not compared with one before it that has a finding or no recorded play."""
    bad = frame("(e,9m,4m)", pfe="24.0,26.0,25.0,25.0")
    assert len(findings(f"jmjp[1.0]({HEAD}{bad}{frame(name='E1-1')})")) == 1
    bare = f"frm[E1-0,0.0,3-4,pfs[{EVEN}],,,pfe[24.0,26.0,25.0,25.0],]"
    assert findings(f"jmjp[1.0]({HEAD}{bare}{frame(name='E1-1')})") == []


@pytest.mark.parametrize(("values", "message"), table("jmjp_findings", "places"))
def test_places(values: dict[str, str], message: str) -> None:
    """An impossible act is reported at its bracket, a wrong hand at its own, wrong points at the points."""
    values = {key: value.replace("S", SOUTH).replace("W", WEST) for key, value in values.items()}
    assert findings(f"jmjp[1.0]\n({HEAD}{frame(**values)})") == [message]


@pytest.mark.parametrize("count", [0, 1, 4])
@pytest.mark.parametrize(
    ("values", "message"),
    [
        ({"w": "7s7s7s7s8s8s8s8s9s9s9sewew"}, "line 10, column 1: in frame E1-0: West ends with "),
        ({"n": f"{NORTH[2:]}1m"}, "line 11, column 1: in frame E1-0: North ends with 1m; 4m expected"),
        (
            {"acts": "(e,8s,tg)(s,ro,)(w,ro,)", "pfe": "24.0,25.0,25.0,25.0", "s": f"{SOUTH},8s", "w": f"{WEST},8s"},
            "line 12, column 2: in frame E1-0: points and riichi sticks add up to 99.0; 100.0 expected",
        ),
    ],
)
def test_places_before_disconnections(count: int, values: dict[str, str], message: str) -> None:
    """Disconnections after the end of a frame do not move the place of a wrong end."""
    text = f"jmjp[1.0]\n({HEAD}{frame(**({'acts': '(e,9m,tg)'} | values))}" + "\n// tenhou bye player=0" * count
    (said,) = findings(f"{text}\n)")
    assert said.startswith(message)


def test_deal_with_a_finding() -> None:
    """A fifth copy of a tile in the deal is reported at its hand, in any order of seats."""
    hands = DEALT | {"w": "1m1m1m9m1p1p9p9p1s1s9s9sew"}
    for order in ("eswn", "wnse"):
        deal = four_hands({seat: hands[seat] for seat in order})
        text = f"jmjp[1.0]\n({HEAD}\nfrm[E1-0,,,,,\n{deal}\n{four_hands(hands)},,])"
        line = 4 + order.index("w")
        # Hands are checked by player, and the fifth 1m is in the hand of player 2.
        assert findings(text.replace("1m3m", "1m1m")) == [f"line {line}, column 1: in frame E1-0: five copies of 1m"]


def test_notices_once() -> None:
    r"""A file that is parsed twice because of its `\"` gives each notice once."""
    text = f'jmjp[1.0]\n// tenhou x\n({HEAD}frm[E1-0,,,,,,,snt["a\\"]])'
    assert notices(text)[1] == ["unknown // tenhou comment before line 3 ignored"]


def test_impossible_play_before_an_escaped_quote() -> None:
    r"""A file that parses with `\"` as an escaped quote is rejected for its impossible play."""
    text = f'jmjp[1.0]\n({HEAD}{frame("(e,9m,4m)")}frm[E3-0,,,,,,,snt["a\\"b"]])'
    assert rejection(text) == "line 7, column 1: in frame E1-0: East does not hold tile 4m"


def test_cut_inside_an_act() -> None:
    """A file cut inside an act is rejected there, whatever acts precede it."""
    cut = refusals("jmjp")["cut-in-an-act"].content.decode()
    expected = (
        "expected a discard, kan or tsumo: a tile, tg, kg, rc[tile], kk[tile], ak[tiles], tm or ')', found end of file"
    )
    for text in (cut, f"{cut})(e,1m,9m)", cut):
        assert rejection(text).endswith(expected) is (text == cut)
