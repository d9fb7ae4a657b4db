"""Matches compared with the walls that servers record: invented walls, frames dealt from them by `recorded_walls`."""

from __future__ import annotations

import hashlib
from typing import Any

import pytest
from recorded_walls import Server, shuffled, tile
from tables import table

from jmjp_convert.checks.wall import Agreement, check_wall, known_walls, verified_walls, with_wall
from jmjp_convert.errors import WallError
from jmjp_convert.model import Ankan, DoraRevealed, Draw, Event, Frame, Kita, Match, Player, RecordedWall, Rules, Win
from jmjp_convert.model.record import replace
from jmjp_convert.model.tiles import UNKNOWN, dora

each_number = pytest.mark.parametrize("players", [4, 3])
each_way = pytest.mark.parametrize("dealt", [True, False], ids=["whole", "without the deal"])


def match(*frames: Frame, **rules: Any) -> Match:
    """Return a match of *frames*."""
    players = len(frames[0].start.hands)
    return Match(Rules(players=players, **rules), (Player(),) * players, frames)


def said(*frames: Frame) -> str:
    """Return what is wrong with the walls of *frames*."""
    report = check_wall(match(*frames))
    assert (report.agreement is Agreement.DISAGREES) is (report.problem is not None)
    return "" if report.problem is None else str(report.problem)


def server(players: int = 4, turns: int = 12, round_: int = 1) -> Server:
    """Return a server that has played some turns."""
    made = Server(shuffled("wall", players), players, round_)
    made.turns(turns)
    return made


def text_of(wall: RecordedWall, made: Server) -> str:
    """Return the text that is hashed."""
    return "".join(made.names[-len(wall.tiles) :])


# --- agreement -------------------------------------------------------------------------------------------------------


@each_number
@each_way
def test_agreement(players: int, *, dealt: bool) -> None:
    """A frame dealt from its wall agrees in every tile; without the deal in the wall, in all but the deal."""
    made = server(players)
    wall = made.wall("sha256" if dealt else "md5", dealt=dealt)
    assert len(wall.tiles) == {(4, True): 136, (4, False): 83, (3, True): 108, (3, False): 68}[players, dealt]
    report = check_wall(match(made.frame(wall)))
    compared = 12 + 1 + dealt * (13 * players + 1)
    assert (report.agreement, report.problem, report.frames) == (Agreement.AGREES, None, 1)
    assert (report.tiles, report.hashes, report.deal) == (compared, True, dealt)


@each_number
@each_way
def test_dead_wall(players: int, *, dealt: bool) -> None:
    """Every replacement tile comes from the end of the wall, and each dora and ura indicator from its place before."""
    made = server(players)
    events: list[Event] = []
    for turned in range(1, 5):
        meld: Event = Kita(2, tile("4z")) if players == 3 else Ankan(2, (tile("1z"),) * 4)
        events += [meld, DoraRevealed(made.indicators[turned]), Draw(2, made.replacement())]
    events.append(Win(2, None, made.indicators[0], ura=tuple(made.ura)))
    frame = made.frame(made.wall(dealt=dealt), *events)
    assert said(frame) == ""
    (wall,) = verified_walls(match(frame))
    assert wall.replacements[:4] == tuple(made.tiles[: made.back - 1 : -1])
    assert (list(wall.indicators), list(wall.ura)) == (made.indicators, made.ura)
    assert wall.draws[0] == made.fourteenth
    assert wall.draws[1:] == tuple(made.tiles[made.rest : -14])
    assert (wall.hands, wall.dice, wall.dealt) == (made.hands, None, dealt)


@each_way
def test_with_wall(*, dealt: bool) -> None:
    """All ten dora are filled in from the wall."""
    made = server()
    (frame,) = with_wall(match(made.frame(made.wall(dealt=dealt)))).frames
    pairs = zip(made.indicators, made.ura, strict=True)
    assert frame.dora == tuple(dora(indicator) for pair in pairs for indicator in pair)


def test_by_face() -> None:
    """Copies of a tile are alike, but not a red five and a plain one."""
    made = server()
    physical = {tile("1m"): 3, tile("5p"): 54}
    hands = tuple(tuple(physical.get(each, each) for each in hand) for hand in made.hands)
    frame = made.frame(made.wall())
    assert said(replace(frame, start=replace(frame.start, hands=hands))) == ""
    swapped = {tile("0p"): tile("5p"), tile("5p"): tile("0p")}
    hands = tuple(tuple(swapped.get(each, each) for each in hand) for hand in made.hands)
    assert "expected from the wall" in said(replace(frame, start=replace(frame.start, hands=hands)))


# --- differences -----------------------------------------------------------------------------------------------------


def changed(frame: Frame, index: int, event: Event) -> Frame:
    """Return *frame* with another event at *index*."""
    return replace(frame, events=(*frame.events[:index], event, *frame.events[index + 1 :]))


def test_draw() -> None:
    """The first draw that is not the wall's is named with the place where it is, though an equal tile came before."""
    made = server()
    frame = made.frame(made.wall())
    wrong = frame.events[1]
    assert isinstance(wrong, Draw)
    other = made.names[made.rest + 5]
    assert wrong.tile != tile(other)
    report = check_wall(match(changed(frame, 11, Draw(3, wrong.tile))))
    assert report.problem is not None
    assert (report.problem.frame, report.problem.index) == (0, 11)
    assert str(report.problem).startswith("frame E2-0: the 7th draw is ")


def test_draw_without_the_deal() -> None:
    """Without the deal, the dealer's fourteenth tile is not counted as a draw."""
    made = server()
    frame = changed(made.frame(made.wall(dealt=False)), 11, Draw(3, tile("1m")))
    report = check_wall(match(frame))
    assert report.problem is not None
    assert (report.problem.frame, report.problem.index) == (0, 11)
    assert str(report.problem).startswith("frame E2-0: the 6th draw is ")


@each_way
def test_deal(*, dealt: bool) -> None:
    """Hands in another order than dealt are found if the wall has the deal."""
    made = server()
    frame = made.frame(made.wall(dealt=dealt))
    hands = tuple(tuple(sorted(hand)) for hand in made.hands)
    problem = said(replace(frame, start=replace(frame.start, hands=hands)))
    assert ("tile dealt to" in problem) is dealt


@each_way
def test_fourteenth(*, dealt: bool) -> None:
    """The dealer's fourteenth tile is the first draw, if the wall has the deal."""
    made = server()
    frame = made.frame(made.wall(dealt=dealt))
    other = next(tile for tile in made.hands[0] if tile != made.fourteenth)
    problem = said(replace(frame, start=replace(frame.start, fourteenth=other)))
    assert problem.startswith("frame E2-0: the 1st draw is " if dealt else "")


# --- walls that no game has ------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("players", "dealt", "message"), table("check_wall_recorded", "short"))
def test_short(players: int, message: str, *, dealt: bool) -> None:
    """A wall of another length is one problem, in its frame."""
    made, good = server(players), server(players, round_=0)
    wall = made.wall(dealt=dealt)
    short = replace(wall, tiles=wall.tiles[:-1])
    assert said(good.frame(good.wall()), made.frame(short)) == f"frame E2-0: {message}"
    assert check_wall(match(good.frame(good.wall()), made.frame(short))).frames == 1


@pytest.mark.parametrize(("algorithm", "name"), [("md5", "MD5"), ("sha256", "SHA-256")])
@each_way
def test_hash(algorithm: str, name: str, *, dealt: bool) -> None:
    """A hash that is not that of the tiles is one problem; its letters may be capitals."""
    made = server()
    wall = made.wall(algorithm, dealt=dealt)
    assert wall.hash is not None
    assert said(made.frame(replace(wall, hash=wall.hash.upper()))) == ""
    message = f"frame E2-0: the {name} hash of the recorded wall does not fit its tiles"
    for wrong in ("", wall.hash[:-1], f"{wall.hash}0", "0" * len(wall.hash), "\ud800"):
        assert said(made.frame(replace(wall, hash=wrong))) == message
    moved = (*wall.tiles[:-2], wall.tiles[-1], wall.tiles[-2])
    assert said(made.frame(replace(wall, tiles=moved))) == message


def test_no_hash() -> None:
    """Without a hash, or with one of an unknown algorithm, the tiles are compared, and nothing is said of hashes."""
    made = server()
    for values in ({"hash": None}, {"algorithm": None, "hash": "00"}, {"hash": None, "salt": "x", "salted_hash": "00"}):
        report = check_wall(match(made.frame(replace(made.wall(), **values))))
        assert (report.agreement, report.problem, report.hashes) == (Agreement.AGREES, None, False)


@pytest.mark.parametrize("salt_first", [True, False])
@pytest.mark.parametrize("algorithm", [None, "sha256"])
def test_salted_hash(algorithm: str | None, *, salt_first: bool) -> None:
    """A salted hash proves the wall in either order, and SHA-256 is what it is if the record does not say."""
    made = server()
    wall = made.wall()
    parts = ("pepper", text_of(wall, made))
    salted = hashlib.sha256("".join(parts if salt_first else parts[::-1]).encode()).hexdigest()
    wall = replace(wall, hash=None, algorithm=algorithm, salt="pepper", salted_hash=salted.upper())
    report = check_wall(match(made.frame(wall)))
    assert (report.agreement, report.hashes) == (Agreement.AGREES, True)


def test_unfit_salted_hash() -> None:
    """A salted hash that fits in neither order says nothing against a wall whose hash fits."""
    made = server()
    report = check_wall(match(made.frame(replace(made.wall(), salt="pepper", salted_hash="00"))))
    assert (report.agreement, report.hashes) == (Agreement.AGREES, True)


def without_hash(made: Server, old: str, new: str, *, dealt: bool = True) -> RecordedWall:
    """Return the wall with the last tile *old* replaced by *new*, and without its hash."""
    wall = made.wall(dealt=dealt)
    names = made.names[-len(wall.tiles) :]
    index = len(names) - 1 - names[::-1].index(old)
    return replace(wall, tiles=(*wall.tiles[:index], tile(new), *wall.tiles[index + 1 :]), hash=None)


@pytest.mark.parametrize(
    ("players", "dealt", "old", "new", "message"), table("check_wall_recorded", "impossible_count")
)
def test_impossible_count(players: int, old: str, new: str, message: str, *, dealt: bool) -> None:
    """Too many or too few tiles of a kind are one problem; red fives count as fives."""
    made = server(players)
    assert said(made.frame(without_hash(made, old, new, dealt=dealt))) == f"frame E2-0: {message}"


@pytest.mark.parametrize(("old", "new"), [("5p", "0p"), ("0s", "5s")])
def test_any_number_of_red_fives(old: str, new: str) -> None:
    """Rooms may have more red fives or none: only the fives of a suit are counted."""
    made = server(turns=0)
    wall = without_hash(made, old, new)
    texts = "".join(made.names)
    index = len(made.names) - 1 - made.names[::-1].index(old)
    other = Server(f"{texts[: 2 * index]}{new}{texts[2 * index + 2 :]}", 4, 1)
    assert said(other.frame(wall)) == ""


def test_tiles_not_known() -> None:
    """Tiles dealt face down may be any that are missing from the rest of the wall, but a wall has no unknown tile."""
    made = server()
    frame = made.frame(made.wall(dealt=False))
    hands = ((UNKNOWN,) * 13, *made.hands[1:])
    assert said(replace(frame, start=replace(frame.start, hands=hands))) == ""
    wall = made.wall()
    unknown = replace(wall, tiles=(UNKNOWN, *wall.tiles[1:]))
    assert said(made.frame(unknown)) == "frame E2-0: a tile of the recorded wall is unknown"


# --- matches ---------------------------------------------------------------------------------------------------------


def test_some_frames() -> None:
    """If some frames have no wall, no wall is used; a problem in another frame is reported all the same."""
    made, other = server(), server(round_=2)
    frames = (made.frame(made.wall()), other.frame(None))
    for judge in (check_wall, verified_walls, with_wall):
        with pytest.raises(WallError, match=r"^the wall of some frames is not recorded$"):
            judge(match(*frames))
    assert known_walls(match(*frames)) == (None, "the wall of some frames is not recorded")
    wall = made.wall()
    assert said(made.frame(replace(wall, hash="00")), other.frame(None)).startswith("frame E2-0: the SHA-256 hash ")


def test_not_used() -> None:
    """Walls with a problem are not used, and the reason is given."""
    made = server()
    frame = made.frame(replace(made.wall(), hash="00"))
    why = "frame E2-0: the SHA-256 hash of the recorded wall does not fit its tiles"
    assert known_walls(match(frame)) == (None, why)
    other = changed(made.frame(made.wall()), 1, Draw(2, made.tiles[0]))
    walls, reason = known_walls(match(other))
    assert walls is None
    assert reason.startswith("the wall does not belong to this match: frame E2-0: the 2nd draw is ")
