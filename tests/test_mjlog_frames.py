"""What a log records of a frame."""

from __future__ import annotations

from collections.abc import Callable
from itertools import pairwise

import pytest
from mjlog_logs import (
    FIXTURES,
    FRAME,
    HANDS,
    PLAIN,
    TURN,
    Read,
    agari,
    csv,
    frame,
    from_bytes,
    from_file,
    init,
    log,
    notices,
    read,  # noqa: F401 - pytest finds it by its name
    ryuukyoku,
)

from jmjp_convert.errors import MjlogError
from jmjp_convert.formats.mjlog.reader import read_mjlog
from jmjp_convert.model import (
    DrawKind,
    Limit,
    PointRule,
    RiichiAccepted,
    Ryuukyoku,
    Score,
    Shuffle,
    ShuffleForm,
    Win,
    Yaku,
)
from jmjp_convert.model.tiles import UNKNOWN, any_copy


def test_init(read: Read) -> None:
    """INIT gives round, honba, sticks, dice, points, hands and the first indicator."""
    content = log(init(seed="6,2,1,2,5,52", ten="240,-5,260,495", oya=2), "<V60/><F60/>")
    start = read(content).frames[0].start
    assert (start.round, start.honba, start.sticks, start.dealer, start.dice) == (6, 2, 1, 2, (3, 6))
    assert start.name == "S3-2"
    assert start.points == (24000, -500, 26000, 49500)
    assert start.hands == tuple(map(tuple, HANDS))
    assert start.indicator == 52
    assert (start.shuffle, start.chips) == (None, None)


def test_deal_keeps_its_order() -> None:
    """A hand is kept in the order of the deal."""
    dealt = tuple(reversed(HANDS[0]))
    assert from_bytes(log(init(hai0=csv(*dealt)), TURN)).frames[0].start.hands[0] == dealt


def test_old_shuffle(read: Read) -> None:
    """In logs from before July 2009, every INIT has the seed of its wall."""
    content = log(init(shuffle="a,b"), TURN, ryuukyoku(), frame(1).replace('oya="0"', 'oya="0" shuffle="c,d"'))
    match = read(content)
    assert match.shuffle == Shuffle(ShuffleForm.OLD)
    assert [frame.start.shuffle for frame in match.frames] == ["a,b", "c,d"]
    assert notices(read, content) == []


@pytest.mark.parametrize(
    ("seed", "form"),
    [
        ("mt19937ar-sha512-n288-base64,AA==", ShuffleForm.BASE64),
        ("mt19937ar-sha512-n288,01234567,89ABCDEF", ShuffleForm.HEX),
    ],
)
def test_shuffle(seed: str, form: ShuffleForm) -> None:
    """The seed of all walls is kept unchanged."""
    assert from_bytes(log(f'<SHUFFLE seed="{seed}" ref=""/>', FRAME)).shuffle == Shuffle(form, seed)


@pytest.mark.parametrize(
    "content", [log(FRAME), log("<SHUFFLE/>", FRAME), log('<SHUFFLE seed="" ref=""/>', init(shuffle=""))]
)
def test_no_shuffle(read: Read, content: bytes) -> None:
    """A log without a seed, or with an empty one, has no seed."""
    assert read(content, strict=True).shuffle is None


@pytest.mark.parametrize("filling", [" ", "<A><B/></A>", '<BYE who="1" a="0123456789"/>'])
def test_megabyte_without_a_frame(filling: str) -> None:
    """More than a megabyte without a frame is rejected when streamed."""
    with pytest.raises(
        MjlogError, match=r"^more than (1,048,576 bytes without the start of a|50,000 elements in one) frame$"
    ):
        from_file(log(init(), filling * (1_200_000 // len(filling))))


KINDS = [
    (None, DrawKind.EXHAUSTIVE),
    ("nm", DrawKind.NAGASHI),
    ("yao9", DrawKind.NINE_TERMINALS),
    ("kaze4", DrawKind.FOUR_WINDS),
    ("reach4", DrawKind.FOUR_RIICHI),
    ("kan4", DrawKind.FOUR_KANS),
    ("ron3", DrawKind.TRIPLE_RON),
]


def test_kinds_are_all() -> None:
    """The cases below cover all kinds of draw."""
    assert {kind for _, kind in KINDS} == set(DrawKind)


@pytest.mark.parametrize(("type_", "kind"), KINDS)
def test_drawn_frame(read: Read, type_: str | None, kind: DrawKind) -> None:
    """A drawn frame has its kind, the hands shown, and the points."""
    shown = csv(*reversed(HANDS[2]))
    end = ryuukyoku(type=type_, sc="250,-10,250,-10,250,30,250,-10", hai2=shown)
    frame = read(log(init(), TURN, end)).frames[0]
    (draw,) = frame.endings
    assert isinstance(draw, Ryuukyoku)
    assert draw.kind is kind
    assert [None if hand is None else sorted(hand) for hand in draw.shown or ()] == [None, None, list(HANDS[2]), None]
    assert (draw.sticks, draw.before, draw.changes) == (0, (25000,) * 4, (-1000, -1000, 3000, -1000))
    assert frame.end.points == (24000, 24000, 28000, 24000)


def test_win(read: Read) -> None:
    """A win has everything in AGARI."""
    end = agari(
        yaku="1,1,52,2,53,0", doraHaiUra="134", ba="0,0", paoWho=3, ten="40,5200,0", sc="250,-52,250,52,250,0,250,0"
    )
    frame = read(log(init(), TURN, end)).frames[0]
    (win,) = frame.endings
    assert isinstance(win, Win)
    assert (win.player, win.source, win.tile, win.pao) == (1, 0, 60, (3,))
    assert win.score == Score(40, 5200, Limit.NONE, (Yaku(1, 1), Yaku(52, 2), Yaku(53, 0)))
    assert (win.ura, win.indicators, win.sticks) == ((134,), (135,), 0)
    assert (win.before, win.changes) == ((25000,) * 4, (-5200, 5200, 0, 0))
    assert sorted(win.hand or ()) == sorted((*HANDS[1], 60))
    assert win.melds == ()


def test_tsumo() -> None:
    """A win by tsumo, for which the log repeats the winner in fromWho, has no source."""
    end = agari(ten="30,1500,0", who=0, fromWho=0, hai=csv(*HANDS[0], 60), sc="250,30,250,-10,250,-10,250,-10")
    (win,) = from_bytes(log(init(), "<T60/>", end)).frames[0].endings
    assert isinstance(win, Win)
    assert (win.player, win.source, win.tile) == (0, None, 60)


@pytest.mark.parametrize(
    ("ten", "yaku", "yakuman", "score"),
    [
        ("20,8000,1", "1,1,52,4", None, Score(20, 8000, Limit.MANGAN, (Yaku(1, 1), Yaku(52, 4)))),
        ("20,12000,2", "35,6", None, Score(20, 12000, Limit.HANEMAN, (Yaku(35, 6),))),
        ("20,16000,3", "35,6,52,2", None, Score(20, 16000, Limit.BAIMAN, (Yaku(35, 6), Yaku(52, 2)))),
        ("20,24000,4", "35,6,52,5", None, Score(20, 24000, Limit.SANBAIMAN, (Yaku(35, 6), Yaku(52, 5)))),
        ("20,32000,5", "35,6,52,7", None, Score(20, 32000, Limit.YAKUMAN, (Yaku(35, 6), Yaku(52, 7)))),
        ("0,32000,5", None, "47", Score(0, 32000, Limit.YAKUMAN, (Yaku(47),))),
        ("60,64000,5", None, "39,42", Score(60, 64000, Limit.YAKUMAN, (Yaku(39), Yaku(42)))),
    ],
)
def test_score(ten: str, yaku: str | None, yakuman: str | None, score: Score) -> None:
    """The score of a win is fu, points, limit, and yaku or yakuman."""
    (win,) = from_bytes(log(init(), TURN, agari(ten=ten, yaku=yaku, yakuman=yakuman))).frames[0].endings
    assert isinstance(win, Win)
    assert win.score == score


def test_dora(read: Read) -> None:
    """A frame has ten dora, alternating dora and ura dora, with unknown ones for those the log does not show."""
    kan = "<T60/><D60/>"
    end = agari(doraHai="135,123", doraHaiUra="107,52")
    frame = read(log(init(), kan, '<DORA hai="123"/>', end)).frames[0]
    shown = [any_copy(face) for face in ("wd", "1s", "ew", "6p")]
    assert frame.dora == (*shown, *[UNKNOWN] * 6)


def test_riichi_without_points(read: Read) -> None:
    """Logs of 2009 do not have the points after a riichi."""
    riichi = '<T60/><REACH who="0" step="1"/><D60/><REACH who="0" step="2"/>'
    match = read(log(init(), riichi, ryuukyoku(ba="0,1", sc="240,0,250,0,250,0,250,0")))
    assert RiichiAccepted(0) in match.frames[0].events


def test_points_follow(read: Read) -> None:
    """The points and sticks after a frame are those before the next."""
    frames = read(PLAIN).frames
    assert [before.end.points for before in frames[:-1]] == [after.start.points for after in frames[1:]]
    for before, after in pairwise(frames):
        assert before.start.name != after.start.name


def test_chips() -> None:
    """A chip game has the chips before each frame, those moved by a win, those at the end, and their worth."""
    match = read_mjlog(FIXTURES / "valid" / "chips.xml")
    assert (match.chips, match.ratio) == (((-1, "0"), (0, "0"), (2, "0"), (-1, "0")), "2000,10")
    assert match.frames[-1].start.chips == (-1, 0, 2, -1)
    wins = [event for frame in match.frames for event in frame.endings if isinstance(event, Win)]
    assert ((-1, -1, 3, -1), ((2, 1),)) in [(win.chips, win.chip_yaku) for win in wins]
    assert match.final_points == (28000, 30000, 32000, 30000)


@pytest.mark.parametrize("owari", ["240,-26.0,260,36.0,250,5.0,250,-15.0", "240,-26,260,36,250,5,250,-15"])
@pytest.mark.parametrize("end", [agari, ryuukyoku], ids=["win", "draw"])
def test_owari(end: Callable[..., str], owari: str) -> None:
    """The final result is on the last win or draw, with or without a decimal, and determines the point rule."""
    match = from_bytes(log(init(), TURN, end(owari=owari)))
    assert match.final_points == (24000, 26000, 25000, 25000)
    assert match.results == (-26000, 36000, 5000, -15000)
    assert match.point_rule == PointRule(25000, 30000, (20000, 10000, -10000, -20000), 300, 3000)


def test_no_owari() -> None:
    """A game that broke off has no result and no point rule."""
    match = from_bytes(log(FRAME))
    assert (match.final_points, match.results, match.point_rule) == (None, None, None)


@pytest.mark.parametrize("end", ["", "<T60/>", TURN, TURN + "<U61/>"])
def test_unfinished(read: Read, end: str) -> None:
    """A frame that stops is read up to where it ends."""
    frame = read(log(init(), end)).frames[0]
    assert frame.end.points is None
    assert len(frame.events) == end.count("<")


@pytest.mark.parametrize("worth", ["-1.5", "2", "0.25"])
def test_worth_of_chips(worth: str) -> None:
    """The worth of chips is kept as recorded."""
    owari = "240,-26,260,36,250,5,250,-15"
    match = from_bytes(log(init(), TURN, ryuukyoku(owari=f"{owari},1,{worth},0,0,-1,1,0,0")))
    assert match.chips == ((1, worth), (0, "0"), (-1, "1"), (0, "0"))
    with pytest.raises(MjlogError, match="'x' is not a number"):
        from_bytes(log(init(), TURN, ryuukyoku(owari=f"{owari},1,x,0,0,-1,1,0,0")))


def test_frame_after_the_result(read: Read) -> None:
    """A frame after the final result is rejected."""
    owari = "250,5.0,250,5.0,250,5.0,250,-15.0"
    content = log(init(), TURN, ryuukyoku(owari=owari), init(seed="0,1,0,0,1,135"), TURN, ryuukyoku(ba="1,0"))
    reason = "a frame begins after the final result (owari)"
    with pytest.raises(MjlogError) as refused:
        read(content)
    assert (refused.value.frame, refused.value.number, refused.value.reason) == ("E1-1", 5, reason)
    found: list[MjlogError] = []
    match = read_mjlog(content, finding=found.append)
    assert [error.reason for error in found] == [reason]
    assert (len(match.frames), match.final_points) == (2, None)


@pytest.mark.parametrize(
    ("head", "said"),
    [
        ('<SHUFFLE seed="" ref=""/><TAIKYOKU oya="0"/>', []),
        ('<SHUFFLE seed="" ref="x"/>', ["unknown value ref='x' of <SHUFFLE> ignored"]),
        ('<TAIKYOKU oya="2"/>', ["unknown value oya='2' of <TAIKYOKU> ignored"]),
    ],
)
def test_undocumented_values(head: str, said: list[str]) -> None:
    """A value other than the only documented one is reported, and rejected in strict mode."""
    notices: list[str] = []
    read_mjlog(log(head, FRAME), notice=notices.append)
    assert notices == said
    if said:
        with pytest.raises(MjlogError, match=said[0].removesuffix(" ignored")):
            read_mjlog(log(head, FRAME), strict=True)
