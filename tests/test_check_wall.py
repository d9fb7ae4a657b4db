"""The walls of seeds, and matches compared with them: invented seeds, and real logs if available."""

from __future__ import annotations

from base64 import b64encode
from collections.abc import Sequence
from hashlib import shake_256
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tables import table
from test_real_logs import MANIFEST, ROWS, SOUND

from jmjp_convert.checks.wall import LAYOUTS, Agreement, Layout, WallReport, check_wall, verified_walls, with_wall
from jmjp_convert.checks.wall import seeded_walls as walls
from jmjp_convert.errors import WallError
from jmjp_convert.formats.mjlog.reader import read_mjlog
from jmjp_convert.model import (
    Ankan,
    Daiminkan,
    Discard,
    Disconnected,
    DoraRevealed,
    Draw,
    DrawKind,
    End,
    Event,
    Frame,
    Kakan,
    Kita,
    Match,
    Meld,
    Player,
    Pon,
    Rules,
    Ryuukyoku,
    Shuffle,
    ShuffleForm,
    Start,
    Wall,
    Win,
)
from jmjp_convert.model.record import replace
from jmjp_convert.model.tiles import NO_REDS, UNKNOWN, any_copy


def hex_seed(algorithm: str, name: str, words: int) -> str:
    """Return an invented seed with this many words."""
    text = shake_256(name.encode()).hexdigest(4 * words).upper()
    return ",".join([algorithm, *(text[index : index + 8] for index in range(0, len(text), 8))])


def old_seed(name: str) -> str:
    """Return an invented seed of a frame in the old form."""
    return hex_seed("mt19937ar", name, 8)


BASE64 = Shuffle(
    ShuffleForm.BASE64, f"mt19937ar-sha512-n288-base64,{b64encode(shake_256(b'jmjp').digest(2496)).decode()}"
)
HEX = Shuffle(ShuffleForm.HEX, hex_seed("mt19937ar-sha512-n288", "jmjp", 32))
OLD = Shuffle(ShuffleForm.OLD)
STARTS = (
    Start(0, 0, 0, 0, None, None, (), shuffle=old_seed("jmjp")),
    Start(1, 0, 0, 1, None, None, (), shuffle=old_seed("wall")),
    Start(2, 1, 0, 2, None, None, (), shuffle=old_seed("kyoku")),
)

each_form = pytest.mark.parametrize("shuffle", [BASE64, HEX, OLD], ids=lambda shuffle: shuffle.form.value)
each_number = pytest.mark.parametrize("players", [4, 3])


# --- the wall of a seed ----------------------------------------------------------------------------------------------


def test_generator() -> None:
    """The generator is MT19937, seeded as in its authors' example: these are the first words they publish."""
    (wall,) = walls(OLD, [replace(STARTS[0], shuffle="mt19937ar,123,234,345,456")], 4)
    tiles = list(range(136))
    for index, word in enumerate((1067595299, 955945823, 477289528, 4107218783, 4228976476)):
        other = index + word % (136 - index)
        tiles[index], tiles[other] = tiles[other], tiles[index]
    assert list(wall.tiles[:5]) == tiles[:5]


@pytest.mark.parametrize(("shuffle", "players", "expected"), table("check_wall", "pinned", globals()))
def test_pinned(shuffle: Shuffle, players: int, expected: tuple[object, ...]) -> None:
    """A seed gives exactly these walls."""
    _, wall, _ = walls(shuffle, STARTS, players)
    parts = (wall.dice, wall.hands[0][:4], wall.draws[:2], wall.replacements, wall.indicators, wall.ura)
    assert parts == expected


@each_number
@each_form
def test_every_tile_once(shuffle: Shuffle, players: int) -> None:
    """A wall has every tile once, and no tile has two uses."""
    for wall in walls(shuffle, STARTS, players):
        assert sorted(wall.tiles) == [tile for tile in range(136) if players == 4 or tile // 4 not in range(1, 8)]
        dealt = [tile for hand in wall.hands for tile in hand]
        assert sorted((*dealt, *wall.draws, *wall.tiles[:14])) == sorted(wall.tiles)
        assert (len(wall.hands), {len(hand) for hand in wall.hands}) == (players, {13})
        dead = (*wall.replacements, *wall.indicators, *wall.ura)
        assert set(dead) == set(wall.tiles[: len(dead)])
        assert set(wall.dice or ()) <= set(range(1, 7))


@each_form
def test_one_generator(shuffle: Shuffle) -> None:
    """A frame's wall depends on the frames before it or, in the old form, on its own seed alone."""
    _, second, third = walls(shuffle, STARTS, 4)
    alone = list(walls(shuffle, STARTS[1:], 4))
    assert (alone == [second, third]) == (shuffle is OLD)
    assert alone[0] != alone[1]


def test_layouts_of_three() -> None:
    """For three players with a hex seed, a form never seen, both the old and the new layout are possible."""
    old, new = (next(walls(HEX, STARTS, 3, layout)) for layout in LAYOUTS[ShuffleForm.HEX, 3])
    assert next(walls(HEX, STARTS, 3)) == old
    assert (old.hands, old.draws) == (new.hands, new.draws)
    assert (old.indicators, old.ura) == (new.ura, new.indicators)
    assert old.replacements != new.replacements


@given(st.lists(st.integers(0, (1 << 32) - 1), min_size=1, max_size=40), st.sampled_from([3, 4]))
def test_any_seed(words: list[int], players: int) -> None:
    """Any words are a seed, with or without leading zeros, unless the last is zero."""
    words[-1] = words[-1] or 1
    seeds = [",".join(["mt19937ar", *(format(word, form) for word in words)]) for form in ("08X", "x")]
    first, second = (list(walls(OLD, [replace(STARTS[0], shuffle=seed)], players)) for seed in seeds)
    assert first == second
    assert len(set(first[0].tiles)) == len(first[0].tiles)


def test_dora() -> None:
    """The ten dora are those of the indicators, each followed by its ura."""
    wall = Wall((), (1, 1), ((),) * 3, (), (), (0, 35, 36, 120, 132), (68, 72, 104, 108, 128))
    faces = ("9m", "1p", "1m", "2s", "2p", "1s", "ew", "sw", "wd", "rd")
    assert wall.dora == tuple(map(any_copy, faces))
    assert replace(wall, hands=((),) * 4).dora[0] == any_copy("2m")


LAST_ZERO = "the last word of the shuffle seed is zero, so the wall cannot be rebuilt"
NO_SEED = "no shuffle seed is recorded"


@pytest.mark.parametrize(("shuffle", "seed", "message"), table("check_wall", "bad_seed", globals()))
def test_bad_seed(shuffle: Shuffle, seed: str | None, message: str | None) -> None:
    """A seed that is not of its form is rejected; the message shows its first forty characters."""
    with pytest.raises(WallError) as rejected:
        list(walls(replace(shuffle, seed=seed), STARTS, 4))
    assert str(rejected.value) == (message or f"invalid shuffle seed {(seed or '')[:40]!r}")


@pytest.mark.parametrize(("seed", "message"), [(None, NO_SEED), ("a,b", "invalid shuffle seed 'a,b'")])
def test_bad_seed_of_a_frame(seed: str | None, message: str) -> None:
    """In the old form the message names the frame; the frames before it have their walls."""
    remaining = walls(OLD, [STARTS[0], replace(STARTS[2], shuffle=seed)], 4)
    next(remaining)
    with pytest.raises(WallError, match=f"^frame E3-1: {message}$"):
        next(remaining)


# --- matches compared with their walls -------------------------------------------------------------------------------


def tsumogiri(wall: Wall, dealer: int, players: int, length: int) -> list[Event]:
    """Return the events of this many draws, each discarded at once."""
    events: list[Event] = []
    for turn, tile in enumerate(wall.draws[:length]):
        player = (dealer + turn) % players
        events += [Draw(player, tile), Discard(player, tile)]
    return events


def played(start: Start, wall: Wall, events: Sequence[Event]) -> Frame:
    """Return a frame with *events* that starts from *wall*."""
    start = replace(start, dice=wall.dice, hands=wall.hands, indicator=wall.indicators[0])
    return Frame(start, tuple(events), End((), None), (UNKNOWN,) * 10)


def match_of(shuffle: Shuffle, players: int = 4, length: int = 20) -> Match:
    """Return a match of three frames, the last of which stops after its draws."""
    frames = []
    for start, wall in zip(STARTS, walls(shuffle, STARTS, players), strict=True):
        events = tsumogiri(wall, start.dealer, players, length)
        if start is not STARTS[-1]:
            events.append(Ryuukyoku(DrawKind.EXHAUSTIVE))
        frames.append(played(start, wall, events))
    return Match(Rules(players=players), (Player(),) * players, tuple(frames), shuffle=shuffle)


MATCH = match_of(BASE64)
WALLS = tuple(walls(BASE64, STARTS, 4))
TILES = 3 * (4 * 13 + 20 + 1)


def with_frame(index: int, *events: Event, start: Start | None = None) -> Match:
    """Return the match with other *events*, and possibly another *start*, in the frame at *index*."""
    frame = replace(MATCH.frames[index], events=events, start=start or MATCH.frames[index].start)
    return replace(MATCH, frames=(*MATCH.frames[:index], frame, *MATCH.frames[index + 1 :]))


def with_events(*events: Event) -> Match:
    """Return the match with only *events* in its second frame."""
    return with_frame(1, *events)


@each_number
@each_form
def test_agreement(shuffle: Shuffle, players: int) -> None:
    """A match dealt from the wall agrees with it, including an unfinished frame."""
    match = match_of(shuffle, players)
    assert check_wall(match) == WallReport(Agreement.AGREES, None, 3, 3 * (13 * players + 21))
    assert verified_walls(match) == list(walls(shuffle, STARTS, players))
    verified = with_wall(match)
    assert [frame.dora for frame in verified.frames] == [wall.dora for wall in walls(shuffle, STARTS, players)]
    undone = [replace(frame, dora=old.dora) for frame, old in zip(verified.frames, match.frames, strict=True)]
    assert replace(verified, frames=tuple(undone)) == match


def test_to_the_last_draw() -> None:
    """The last of seventy draws is compared; there is none after it."""
    match = match_of(BASE64, length=70)
    assert check_wall(match).tiles == TILES + 3 * 50
    first = match.frames[0]
    more = replace(first, events=(*first.events[:-1], Draw(2, 0)))
    problem = check_wall(replace(match, frames=(more,))).problem
    assert str(problem) == "frame E1-0: the 71st draw is 0 (1m); nothing expected from the wall"


NOTHING = {"no shuffle": None, "the form alone": Shuffle(ShuffleForm.HEX), "the old form alone": OLD}


@pytest.mark.parametrize("shuffle", NOTHING.values(), ids=NOTHING)
def test_no_seed(shuffle: Shuffle | None) -> None:
    """Without a recorded seed there is nothing to compare or to add."""
    frames = tuple(replace(frame, start=replace(frame.start, shuffle=None)) for frame in MATCH.frames)
    match = replace(MATCH, shuffle=shuffle, frames=frames)
    assert check_wall(match) == WallReport(Agreement.NO_WALL)
    for hold in (verified_walls, with_wall):
        with pytest.raises(WallError, match=r"^no shuffle seed or wall is recorded$"):
            hold(match)


def test_bad_seed_of_a_match() -> None:
    """An invalid seed is an error, not a difference."""
    match = replace(MATCH, shuffle=Shuffle(ShuffleForm.BASE64, "a"))
    for hold in (check_wall, verified_walls, with_wall):
        with pytest.raises(WallError, match=r"^invalid shuffle seed 'a'$"):
            hold(match)


SECOND = WALLS[1]
FOUR = tuple(range(4))
PON = Pon(1, 0, (1, 2), 0)
KANS: dict[str, Meld] = {
    "ankan": Ankan(1, FOUR),
    "daiminkan": Daiminkan(1, 0, (1, 2, 3), 0),
    "kakan": Kakan(1, 3, PON),
    "kita": Kita(1, 120),
}


@pytest.mark.parametrize("kan", KANS.values(), ids=KANS)
def test_replacements(kan: Meld) -> None:
    """The draw after a kan or kita is a replacement tile, whatever happens in between; the next one is an ordinary
    draw."""
    first, second, third = (Draw(1, tile) for tile in SECOND.draws[:3])
    rinshan = [Draw(1, tile) for tile in SECOND.replacements]
    turned = [DoraRevealed(tile) for tile in SECOND.indicators]
    events = [first, kan, turned[1], rinshan[0], second, kan, Disconnected(0), rinshan[1], kan, rinshan[2], turned[2]]
    report = check_wall(with_events(*events, third))
    assert (report.agreement, report.tiles) == (Agreement.AGREES, TILES - 20 + 8)


def test_robbed_kan() -> None:
    """A robbed kan draws nothing."""
    events = [Draw(1, SECOND.draws[0]), KANS["kakan"], Win(2, 1, 3, indicators=SECOND.indicators[:1])]
    assert check_wall(with_events(*events)).agreement is Agreement.AGREES


def test_wins() -> None:
    """With two wins, one may show the ura dora indicators; both show the dora indicators again."""
    events = [DoraRevealed(SECOND.indicators[1])]
    win = Win(2, 1, 0, indicators=SECOND.indicators[:2], ura=SECOND.ura[:2])
    match = with_events(*events, replace(win, player=3, ura=()), win)
    assert check_wall(match) == WallReport(Agreement.AGREES, None, 3, TILES - 20 + 3)


def test_fourteenth() -> None:
    """A dealer's first tile that was dealt with the hand is the first draw."""
    start = replace(MATCH.frames[1].start, fourteenth=SECOND.draws[0])
    assert check_wall(with_frame(1, *MATCH.frames[1].events[2:], start=start)).agreement is Agreement.AGREES
    assert check_wall(with_frame(1, *MATCH.frames[1].events, start=start)).agreement is Agreement.DISAGREES


@pytest.mark.parametrize("dice", [None, 7])
def test_dice_not_recorded(dice: int | None) -> None:
    """Without two dice, only the tiles are compared."""
    start = replace(MATCH.frames[1].start, dice=dice)
    assert check_wall(with_frame(1, start=start)).agreement is Agreement.AGREES


def of_start(**values: object) -> Match:
    """Return the match with other *values* in the start of its second frame."""
    return with_frame(1, *MATCH.frames[1].events, start=replace(MATCH.frames[1].start, **values))


HANDS = SECOND.hands
DRAWN = [Draw(1, tile) for tile in SECOND.draws[:15]]
OTHER = SECOND.tiles[3]  # a replacement tile


@pytest.mark.parametrize(("match", "what", "recorded", "wanted", "tiles"), table("check_wall", "difference", globals()))
def test_difference(match: Match, what: str, recorded: str, wanted: str, tiles: int) -> None:
    """With one difference, the wall does not belong to the match, and none of its dora is used."""
    report = check_wall(match)
    assert report == WallReport(Agreement.DISAGREES, report.problem, 1, TILES // 3 + tiles)
    message = f"frame E2-0: the {what} is {recorded}; {wanted} expected from the wall"
    assert str(report.problem) == message
    for hold in (verified_walls, with_wall):
        with pytest.raises(WallError) as rejected:
            hold(match)
        assert str(rejected.value) == f"the wall does not belong to this match: {message}"


ORDINALS = {0: "1st", 1: "2nd", 2: "3rd", 3: "4th", 10: "11th", 11: "12th", 12: "13th", 20: "21st", 21: "22nd"}


@pytest.mark.parametrize(("index", "ordinal"), ORDINALS.items())
def test_ordinal(index: int, ordinal: str) -> None:
    """A position is given as an English ordinal."""
    draws = [Draw(0, tile) for tile in (*SECOND.draws[:index], OTHER)]
    assert str(check_wall(with_events(*draws)).problem).startswith(f"frame E2-0: the {ordinal} draw is ")


def test_no_red_fives() -> None:
    """A five is named according to the rules."""
    match = replace(with_frame(0, Draw(0, 16)), rules=Rules(red_fives=NO_REDS))
    assert str(check_wall(match).problem).startswith("frame E1-0: the 1st draw is 16 (5m); ")


@pytest.mark.parametrize("layout", LAYOUTS[ShuffleForm.HEX, 3])
def test_either_layout_of_three(layout: Layout) -> None:
    """For three players with a hex seed, the layout that agrees with everything is used."""
    frames = []
    for start, wall in zip(STARTS, walls(HEX, STARTS, 3, layout), strict=True):
        frames.append(
            played(start, wall, [KANS["kita"], Draw(0, wall.replacements[0]), Win(0, None, 0, ura=wall.ura[:1])])
        )
    match = Match(Rules(players=3), (Player(),) * 3, tuple(frames), shuffle=HEX)
    assert check_wall(match) == WallReport(Agreement.AGREES, None, 3, 3 * 42)
    assert [frame.dora for frame in with_wall(match).frames] == [wall.dora for wall in walls(HEX, STARTS, 3, layout)]


# --- real logs -------------------------------------------------------------------------------------------------------

each_log = pytest.mark.parametrize(
    "path",
    SOUND or [pytest.param(MANIFEST, marks=pytest.mark.skip("there are no real logs in ../shared/mjlog"))],
    ids=lambda path: path.name,
)


@each_log
def test_real_log(path: Path) -> None:
    """A real log with a seed agrees with its wall, and so do its dora; except the log that has another game's seed."""
    match = read_mjlog(path)
    report = check_wall(match)
    if match.shuffle is None:
        assert report.agreement is Agreement.NO_WALL
    elif "seed-mismatch" in ROWS.get(path.name, {"tags": ""})["tags"].split(";"):
        assert (report.agreement, report.frames) == (Agreement.DISAGREES, 0)
    else:
        assert (report.agreement, report.problem, report.frames) == (Agreement.AGREES, None, len(match.frames))
        for frame, known in zip(match.frames, with_wall(match).frames, strict=True):
            assert frame.dora is not None
            assert known.dora is not None
            pairs = zip(frame.dora, known.dora, strict=True)
            assert all(recorded in (tile, UNKNOWN) for recorded, tile in pairs)
            assert UNKNOWN not in known.dora
