"""Scores by the rules of Riichi City: its options, and what of a private room is not recorded."""

from __future__ import annotations

import pytest
from score_stories import PINFU, PINFU_OF_THREE, Recorded, Story, drawn, match
from tables import table

from jmjp_convert.checks.score import Subject, check_score
from jmjp_convert.model import Frame, Limit, RiichiDeclared, Rules, Win
from jmjp_convert.model.houses import riichi_city_rules
from jmjp_convert.model.match import House
from jmjp_convert.model.record import replace
from jmjp_convert.model.tiles import ONE_RED_EACH

Changes = tuple[int, ...]

RANKED = riichi_city_rules(
    4, red_fives=ONE_RED_EACH, game=None, options=["pao for daiminkan"], least_han=None, north_is_yakuhai=False
)
RANKED_OF_THREE = riichi_city_rules(
    3, red_fives=ONE_RED_EACH, game=None, options=[], least_han=None, north_is_yakuhai=False
)


def private(*options: str, players: int = 4, north_is_yakuhai: bool = False) -> Rules:
    """Return the rules of a room of friends with *options*."""
    return riichi_city_rules(
        players,
        red_fives=ONE_RED_EACH,
        game="friends",
        options=options,
        least_han=None,
        north_is_yakuhai=north_is_yakuhai,
    )


def recorded(frame: Frame, changes: Changes, *, pao: tuple[int, ...] = (), points: int | None = None) -> Frame:
    """Return *frame* with its win paid by *changes*, and worth *points*."""
    (win,) = frame.endings
    assert isinstance(win, Win)
    assert win.score is not None
    score = replace(win.score, points=win.score.points if points is None else points)
    return replace(frame, events=(*frame.events[:-1], replace(win, changes=changes, pao=pao, score=score)))


def findings(frame: Frame, rules: Rules) -> list[str]:
    """Return what is found in *frame*."""
    return list(map(str, check_score(match(frame, rules=rules)).findings))


def reasons(frame: Frame, rules: Rules) -> dict[str, set[str]]:
    """Return why things of *frame* are not judged, by what they are."""
    left = check_score(match(frame, rules=rules)).not_judged
    return {subject.value: {reason for other, reason in left if other is subject} for subject, _ in left}


def test_rules_in_this_file() -> None:
    """The rules of ranked games have no settings, those of a room name each."""
    assert Rules(4, lobby=0, house=House.RIICHI_CITY) == RANKED
    assert private("wareme").custom == (("game", "friends"), ("wareme", "on"), ("pao for daiminkan", "off"))


# --- wareme -----------------------------------------------------------------------------------------------------------

RON = Story("0 5p tg ron1", "", PINFU, honba=1, sticks=1).frame(
    Recorded("30 fu 2000: Pinfu 1, Tanyao 1", (-2300, 3300, 0, 0))
)
"""Player 1 wins off the dealer, player 0."""


@pytest.mark.parametrize(
    ("dice", "possible"),
    [
        ((1, 1), [(-4300, 5300, 0, 0), (-4600, 5600, 0, 0)]),  # the winner sits there
        ((2, 3), [(-4300, 5300, 0, 0), (-4600, 5600, 0, 0)]),  # the discarder does
        ((1, 2), [(-2300, 3300, 0, 0)]),
        ((6, 6), [(-2300, 3300, 0, 0)]),
        (5, [(-4300, 5300, 0, 0), (-4600, 5600, 0, 0)]),  # only the sum of the dice is recorded
    ],
)
def test_wareme_of_a_ron(dice: tuple[int, int] | int, possible: list[Changes]) -> None:
    """The seat that the dice point to pays and gets double, with the honba or without, but not the stick."""
    frame = replace(RON, start=replace(RON.start, dice=dice))
    for changes in ((-2300, 3300, 0, 0), (-4300, 5300, 0, 0), (-4600, 5600, 0, 0)):
        problems = findings(recorded(frame, changes), private("wareme"))
        assert (problems == []) is (changes in possible), (changes, problems)


def test_wareme_of_a_tsumo() -> None:
    """One who pays for a tsumo pays double, the others do not; the winner gets double from all."""
    story = Story("0 ew tg 1 ew tg 2 ew tg 3 ww tg 0 ww tg 1 8p tsumo", "", PINFU)
    frame = story.frame(Recorded("20 fu 2700: Menzen tsumo 1, Pinfu 1, Tanyao 1", (-1300, 2700, -700, -700)))
    at_2 = replace(frame, start=replace(frame.start, dice=(1, 2)))
    assert findings(recorded(at_2, (-1300, 3400, -1400, -700)), private("wareme")) == []
    assert findings(recorded(at_2, (-1300, 2700, -700, -700)), private("wareme")) == [
        "frame E1-0: the payments for player 1's win are -1300,2700,-700,-700; -1300,3400,-1400,-700 expected"
    ]
    at_1 = replace(frame, start=replace(frame.start, dice=(1, 1)))
    assert findings(recorded(at_1, (-2600, 5400, -1400, -1400)), private("wareme")) == []
    assert findings(recorded(at_1, (-1300, 2700, -700, -700)), private()) == []


def test_wareme_without_dice() -> None:
    """Without the dice, nobody knows who sits at the wareme."""
    assert reasons(recorded(RON, (-2300, 3300, 0, 0)), private("wareme")) == {
        "payments of wins": {"the dice, which show the seat of the wareme, are not recorded"},
        "final results": {"a private room may use a custom uma"},
    }


def test_wareme_of_a_draw() -> None:
    """Whether noten payments are doubled is not known; a draw without any agrees."""
    tenpai = drawn(
        (3000, -1000, -1000, -1000), PINFU, "147m147p147s ew sw ww nw", "258m258p258s ew sw ww nw", shown="0"
    )
    paid = replace(tenpai, start=replace(tenpai.start, dice=(1, 1)))
    assert "whether wareme doubles the payments of a draw is unknown" in str(reasons(paid, private("wareme")))
    assert findings(paid, private()) == []


# --- pao for a daiminkan ----------------------------------------------------------------------------------------------

RINSHAN = Story("0 wd tg 1 kan[wdwdwd] 8m tsumo", "", "wdwdwd 2223466778m").frame(
    Recorded("40 fu 8000: Rinshan kaihou 1, Yakuhai haku 1, Honitsu 2", (-4000, 8000, -2000, -2000), Limit.MANGAN)
)
"""Player 1 calls a daiminkan from player 0, and wins on the replacement tile."""


def test_pao_for_a_daiminkan() -> None:
    """In ranked games of four, who feeds a daiminkan pays alone for a win on its replacement tile."""
    alone, shared = recorded(RINSHAN, (-8000, 8000, 0, 0), pao=(0,)), recorded(RINSHAN, (-4000, 8000, -2000, -2000))
    assert findings(alone, RANKED) == findings(shared, private()) == findings(alone, private("pao for daiminkan")) == []
    assert findings(recorded(RINSHAN, (-8000, 8000, 0, 0)), RANKED) == []
    assert findings(alone, private()) == [
        "frame E1-0: pao for player 1's win is paid by player 0; nobody expected",
        "frame E1-0: the payments for player 1's win are -8000,8000,0,0; -4000,8000,-2000,-2000 expected",
    ]
    assert findings(shared, RANKED) == [
        "frame E1-0: pao for player 1's win is paid by nobody; player 0 expected",
        "frame E1-0: the payments for player 1's win are -4000,8000,-2000,-2000; -8000,8000,0,0 expected",
    ]


def test_kans_after_a_daiminkan() -> None:
    """If another kan follows the daiminkan, it is not known who is liable."""
    story = Story("0 wd tg 1 kan[wdwdwd] 9m ankan[2m] 8m tsumo", "", "wdwdwd 2222m 678m99m 7m")
    frame = story.frame(Recorded("70 fu 8000: Rinshan kaihou 1", (-4000, 8000, -2000, -2000), Limit.MANGAN))
    left = reasons(recorded(frame, (-4000, 8000, -2000, -2000)), RANKED)
    assert left["payments of wins"] == {"who is responsible (pao) for a win after several kans in a row is unknown"}


# --- three players ----------------------------------------------------------------------------------------------------

TSUMO_OF_THREE = Story(
    "0 ew tg 1 ew tg 2 ew tg 0 9p tg 1 9s tg 2 8p tsumo", "", "", PINFU_OF_THREE, rules=Rules(3, lobby=0), honba=2
).frame(Recorded("20 fu 2000: Menzen tsumo 1, Pinfu 1, Tanyao 1", (-1500, -900, 2400)))


@pytest.mark.parametrize(
    ("points", "changes"),
    [
        (2000, (-1500, -900, 2400)),  # what the missing player would pay is lost
        (2800, (-1900, -1300, 3200)),  # or split: 700 is 400 each, rounded up
        (2600, (-1500, -1500, 3000)),  # or both pay half of a ron
    ],
)
def test_part_of_the_missing_player(points: int, changes: Changes) -> None:
    """In a room of three, the part of the missing player may be lost, split, or never have been; a record does not say.
    In ranked games it is lost."""
    frame = recorded(TSUMO_OF_THREE, changes, points=points)
    assert findings(frame, private(players=3)) == []
    assert (findings(frame, RANKED_OF_THREE) == []) is (points == 2000)


def test_points_and_payments_by_one_rule() -> None:
    """Points by one way to share do not go with payments by another."""
    frame = recorded(TSUMO_OF_THREE, (-1500, -1500, 3000), points=2000)
    assert len(findings(frame, private(players=3))) == 1


# --- open riichi ------------------------------------------------------------------------------------------------------


def _riichi(acts: str, value: Recorded) -> Frame:
    frame = Story(acts, "", PINFU.replace("22s", "2s2s"), keep="9m").frame(value)
    events = [replace(event, open=True) if isinstance(event, RiichiDeclared) else event for event in frame.events]
    return replace(frame, events=tuple(events))


def test_open_riichi() -> None:
    """An open riichi is worth two han by tsumo; what it is worth by ron is not known."""
    changes = (-6000, 13000, -3000, -3000)
    rest = "Ippatsu 1, Menzen tsumo 1, Pinfu 1, Tanyao 1"
    value = Recorded(f"20 fu 12000: {rest}, Open riichi 2", changes, Limit.HANEMAN, ura="9m")
    won = _riichi("0 ew tg 1 ew tg 2 ew tg 3 ww tg 0 ww tg 1 ww rc tg 2 nw tg 3 nw tg 0 nw tg 1 5p tsumo", value)
    assert findings(recorded(won, changes), private("open riichi")) == []
    double = value._replace(value=f"20 fu 12000: {rest}, Double open riichi 3")
    won = _riichi("0 ew tg 1 ew rc tg 2 ew tg 3 ww tg 0 ww tg 1 5p tsumo", double)
    assert findings(recorded(won, changes), private("open riichi")) == []
    ronned = _riichi(
        "0 ew tg 1 ew rc tg 2 5p tg ron1", Recorded("30 fu 8000: Open riichi 2", (0, 9000, -8000, 0), ura="9m")
    )
    left = reasons(recorded(ronned, (0, 9000, -8000, 0)), private("open riichi"))
    assert left["wins"] == {"what a ron after an open riichi is worth is unknown"}


# --- several winners --------------------------------------------------------------------------------------------------

TWO = Story("0 5p tg ron1 ron2", "", PINFU, "345m678m456s33s67p", honba=1, sticks=1).frame(
    Recorded("30 fu 2000: Pinfu 1, Tanyao 1", (-2300, 3300, 0, 0)),
    Recorded("30 fu 2000: Pinfu 1, Tanyao 1", (-2000, 0, 2000, 0)),
)


@pytest.mark.parametrize(("after", "problems"), table("check_score_riichi_city", "sum_of_payments"))
def test_sum_of_payments(after: Changes, problems: list[str]) -> None:
    """If only the sum of the payments for two wins is recorded, it is what the two add up to: the first winner gets the
    honba and the stick."""
    events = [replace(event, changes=None, pao=()) if isinstance(event, Win) else event for event in TWO.events]
    frame = replace(TWO, events=tuple(events), end=replace(TWO.end, points=after))
    assert findings(frame, RANKED) == problems


# --- what is judged ---------------------------------------------------------------------------------------------------

PLAIN = recorded(RON, (-2300, 3300, 0, 0))


@pytest.mark.parametrize(
    ("rules", "reason"),
    [
        (private(north_is_yakuhai=True), "norths that are not set aside are not scored"),
        (Rules(custom=(("title", "友人戦"),), house=House.RIICHI_CITY), "a private room may use custom rules"),
        (Rules(house=House.RIICHI_CITY), "the room is not recorded, and private rooms may use custom rules"),
    ],
)
def test_not_judged(rules: Rules, reason: str) -> None:
    """A game is not judged if a setting is not computed, or if nobody knows the settings."""
    assert {reason} == reasons(PLAIN, rules)["wins"]


def test_rules_that_are_given() -> None:
    """By `--rules`, a game of an unknown house is judged as a ranked one; a room of the house keeps its options."""
    alone = recorded(RINSHAN, (-8000, 8000, 0, 0), pao=(0,))
    unknown, room = match(alone, rules=Rules()), match(alone, rules=private("pao for daiminkan"))
    for game in (unknown, room):
        assert check_score(game, House.RIICHI_CITY).findings == []
        assert len(check_score(game, House.TENHOU).findings) == 2
    without = match(alone, rules=private())
    assert len(check_score(without, House.RIICHI_CITY).findings) == 2


@pytest.mark.parametrize(("rules", "judged"), [(RANKED, True), (private(), False)])
def test_result(rules: Rules, *, judged: bool) -> None:
    """The result of a ranked game is counted from 30,000 with +30 +10 -10 -30; a room may have another uma."""
    end = replace(PLAIN.end, points=(22700, 28300, 25000, 25000))
    start = replace(PLAIN.start, honba=1, sticks=0, points=(25000,) * 4)
    frame = replace(
        recorded(PLAIN, (-2300, 2300, 0, 0)), start=start, end=replace(end, points=(22700, 27300, 25000, 25000))
    )
    game = replace(match(frame, rules=rules), results=(-37300, 47300, 5000, -15000))
    report = check_score(game)
    assert list(map(str, report.findings)) == []
    assert bool([reason for subject, reason in report.not_judged if subject is Subject.RESULT]) is not judged
    wrong = replace(game, results=(-37300, 46300, 6000, -15000))
    assert (check_score(wrong).findings != []) is judged
