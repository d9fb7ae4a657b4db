"""To jmjp and back: what no dialect holds is listed here, and the rest reads back; `test_across.py` has logs."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import islice
from pathlib import Path
from typing import Any

import pytest
from expected import expecting
from tables import table

from jmjp_convert.formats.jmjp.reader import read_jmjp
from jmjp_convert.formats.jmjp.writer import write_jmjp
from jmjp_convert.formats.json.reader import read_json
from jmjp_convert.model import (
    DISCARDS,
    TO_THE_LAST,
    Discard,
    Disconnected,
    Draw,
    DrawKind,
    End,
    Event,
    Frame,
    Limit,
    Match,
    RiichiAccepted,
    RiichiDeclared,
    Rules,
    Ryuukyoku,
    Score,
    Start,
    Text,
    Win,
    Yaku,
)
from jmjp_convert.model.record import Record, fields, replace
from jmjp_convert.model.tiles import NO_REDS, ONE_RED_EACH, faces
from jmjp_convert.play.table import replay

held = expecting("jmjp")

FACES = faces()

WAYS = [(spec, compact) for spec in ("0", "1.0", "1.0-beta") for compact in (False, True)]

each_way = pytest.mark.parametrize(
    ("spec", "compact"), WAYS, ids=[f"{spec}{' compact' * compact}" for spec, compact in WAYS]
)


def assert_comes_back(match: Match, spec: str, *, compact: bool) -> None:
    """Check that *match* reads back from its text as the format holds it, and then gives the same text again."""
    text = write_jmjp(match, spec=spec, compact=compact)
    found = read_jmjp(text.encode())
    assert found == [held(match, spec=spec, compact=compact)]
    assert write_jmjp(found, spec=spec, compact=compact) == text


# --- losses ----------------------------------------------------------------------------------------------------------

FILE = Path(__file__).parent.parent / "fixtures" / "json" / "full.jsonl"
(FULL,) = read_json(FILE.read_bytes())
"""A match in which every field of the model is filled somewhere."""

COPIES = "the copy of a tile"
ORDER = "a disconnection between a riichi and its discard, which moves before the riichi"

EVERYWHERE, BUT_IN_BETA, WITH_COMMENTS, WITHOUT_COMMENTS, A_QUOTE_IN_A_NAME = (
    frozenset(table("round_trip", name))
    for name in ("everywhere", "but in beta", "with comments", "without comments", "a quote in a name")
)
DROPPED = {
    ("0", False): EVERYWHERE | BUT_IN_BETA | WITHOUT_COMMENTS | A_QUOTE_IN_A_NAME,
    ("0", True): EVERYWHERE | BUT_IN_BETA | WITHOUT_COMMENTS | A_QUOTE_IN_A_NAME,
    ("1.0", False): EVERYWHERE | BUT_IN_BETA | WITH_COMMENTS,
    ("1.0", True): EVERYWHERE | BUT_IN_BETA | WITHOUT_COMMENTS | A_QUOTE_IN_A_NAME,
    ("1.0-beta", False): EVERYWHERE | WITH_COMMENTS,
    ("1.0-beta", True): EVERYWHERE | WITHOUT_COMMENTS,
}
"""The fields of the model that differ when read back, by dialect and compact."""

TILES = frozenset(("tile", "taken", "drawn", "fourteenth", "tiles", "hand", "hands", "dora"))
"""The fields that hold tiles."""


def alike(value: Any, other: Any) -> bool:
    """Return whether tiles, or tuples of them, have the same faces, in whatever order their copies are."""
    if isinstance(value, int) and isinstance(other, int):
        return FACES[value] == FACES[other]
    if not isinstance(value, tuple) or not isinstance(other, tuple) or len(value) != len(other):
        return False
    if value and not isinstance(value[0], int):
        return isinstance(value[0], tuple) and all(map(alike, value, other))
    return sorted(FACES[tile] for tile in value) == sorted(FACES[tile] for tile in other)


def differences(value: Any, back: Any, path: str = "") -> Iterator[str]:
    """Yield the fields, without the indices of players, frames and events, in which *back* differs from *value*."""
    name = path.rpartition(".")[2]
    if value == back:
        return
    if name == "events":
        yield from differences_of_events(value, back, path)
    elif name in TILES and alike(value, back):
        yield COPIES
    elif isinstance(value, Record) and type(value) is type(back):
        for field in fields(value):
            mine, other = getattr(value, field), getattr(back, field)
            yield from differences(mine, other, f"{path}.{field}".lstrip("."))
    elif (
        isinstance(value, tuple)
        and isinstance(back, tuple)
        and len(value) == len(back)
        and isinstance(value[0], Record)
    ):
        for mine, other in zip(value, back, strict=True):
            yield from differences(mine, other, path)
    else:
        yield path


def differences_of_events(played: Sequence[Event], back: Sequence[Event], path: str) -> Iterator[str]:
    """Yield how events differ; if the number of events of a kind differs, that kind."""
    lost = set()
    for kind in {*map(type, played), *map(type, back)}:
        mine, other = ([event for event in some if type(event) is kind] for some in (played, back))
        if len(mine) != len(other):
            lost.add(kind)
            yield f"{path}.{kind.__name__}"
        else:
            for one, another in zip(mine, other, strict=True):
                yield from differences(one, another, f"{path}.{kind.__name__}")
    if [type(event) for event in played if type(event) not in lost] != [
        type(event) for event in back if type(event) not in lost
    ]:
        yield ORDER


def parts(value: Any) -> Iterator[Record]:
    """Yield the records in *value*."""
    if isinstance(value, Record):
        yield value
        yield from parts(tuple(getattr(value, field) for field in fields(value)))
    elif isinstance(value, tuple):
        for one in value:
            yield from parts(one)


def test_full() -> None:
    """In the full match, every field of the model is filled somewhere, except for what a winner shows and what only
    other formats leave half known."""
    unfilled = {"Win.hand", "Win.melds", "Win.indicators", "Start.kan_indicators", "Score.han_alone", "Rules.east_only"}
    values = [(f"{type(part).__name__}.{name}", getattr(part, name)) for part in parts(FULL) for name in fields(part)]
    assert {name for name, _ in values} - {name for name, value in values if value not in (None, ())} == unfilled


@each_way
def test_table(spec: str, *, compact: bool) -> None:
    """Exactly the fields in the table differ between a fully known match and what is read back."""
    (back,) = read_jmjp(write_jmjp(FULL, spec=spec, compact=compact).encode())
    assert {*differences(FULL, back)} == DROPPED[spec, compact]


@each_way
def test_full_comes_back(spec: str, *, compact: bool) -> None:
    """What is read back of it is what the format holds, and gives the same text again."""
    assert_comes_back(FULL, spec, compact=compact)


@each_way
def test_several_come_back(spec: str, *, compact: bool) -> None:
    """Several matches in one file read back as they do alone, each with its own comments."""
    games = [FULL, replace(FULL, id=None, source=None, before=(), chips=None, ratio=None), FULL]
    text = write_jmjp(games, spec=spec, compact=compact)
    found = read_jmjp(text.encode())
    assert found == [held(game, spec=spec, compact=compact) for game in games]
    assert write_jmjp(found, spec=spec, compact=compact) == text


# --- occasional losses -----------------------------------------------------------------------------------------------


def read_back(match: Match, spec: str = "1.0", *, compact: bool = False) -> Match:
    """Return *match* as it reads back."""
    (back,) = read_jmjp(write_jmjp(match, spec=spec, compact=compact).encode())
    assert back == held(match, spec=spec, compact=compact)
    return back


def endings(match: Match, spec: str, *, compact: bool) -> list[Event]:
    """Return the endings of the frame of *match* as they read back."""
    return [*read_back(match, spec, compact=compact).frames[0].endings]


INDICATOR, RED = 107, 88
TURN = (Draw(0, 40), Discard(0, 40, tsumogiri=True))
PAID = (-3000, 3000, 0, 0)
COMMENT = Text("終", "End")


def deal(*first: int) -> tuple[tuple[int, ...], ...]:
    """Return hands without red fives but among the *first* tiles, which are those of player 0."""
    rest = (tile for tile in range(135, 0, -1) if tile not in (INDICATOR, RED, *first))
    tiles = [*first, *islice(rest, 52 - len(first))]
    return tuple(tuple(tiles[13 * player : 13 * player + 13]) for player in range(4))


def game(*played: Event, first: Sequence[int] = (), comment: Text | None = None, rules: Rules = FULL.rules) -> Match:
    """Return the full match with one frame, in which player 0 is dealt the *first* tiles, among others."""
    start = Start(0, 0, 0, 0, None, FULL.frames[0].start.points, deal(*first), INDICATOR)
    return replace(FULL, rules=rules, frames=(Frame(start, played, replay(start, played, rules).end(), None, comment),))


@each_way
def test_shown_by_a_winner(spec: str, *, compact: bool) -> None:
    """What a winner shows is not held: it follows from the hands at the end."""
    win = Win(1, 0, 40, changes=PAID, hand=(40, *deal()[1]), melds=(), indicators=(INDICATOR,))
    (back,) = endings(game(*TURN, win), spec, compact=compact)
    assert isinstance(back, Win)
    assert (back.hand, back.melds, back.indicators, back.changes) == (None, None, None, PAID)


@each_way
@pytest.mark.parametrize("kind", DrawKind)
def test_draws(kind: DrawKind, spec: str, *, compact: bool) -> None:
    """Our text tells the kind of a draw. With a recorder's own text, only a triple ron shows, by its acts."""
    drawn = Ryuukyoku(kind, changes=(0, 0, 0, 0))
    for comment, known in ((None, kind), (COMMENT, kind if kind is DrawKind.TRIPLE_RON else None)):
        found = endings(game(*TURN, drawn, comment=comment), spec, compact=compact)
        assert found == [Ryuukyoku(known, changes=(0, 0, 0, 0))]


@each_way
@pytest.mark.parametrize("kind", DrawKind)
def test_hands_shown(kind: DrawKind, spec: str, *, compact: bool) -> None:
    """The hands of those who are tenpai are held, since our text says who that is; those shown at other draws are not.
    With a recorder's own text, none are."""
    for comment in (None, COMMENT):
        _, south, _, north = deal()
        shown = (None, south, None, north)
        drawn = Ryuukyoku(kind, shown, changes=(0, 0, 0, 0))
        (found,) = endings(game(*TURN, drawn, comment=comment), spec, compact=compact)
        assert isinstance(found, Ryuukyoku)
        if comment is None and kind in TO_THE_LAST:
            assert found.shown is not None
            assert [hand is not None for hand in found.shown] == [hand is not None for hand in shown]
            assert alike((found.shown[1], found.shown[3]), (south, north))
        else:
            assert found.shown is None


@each_way
def test_values_with_an_own_text(spec: str, *, compact: bool) -> None:
    """With a recorder's own text, the value of a win and pao are not held."""
    score = Score(30, 7800, Limit.MANGAN, (Yaku(1, 1), Yaku(52, 2), Yaku(53, 0)))
    win = Win(1, 0, 40, score, pao=(2,), changes=PAID)
    (found,) = endings(game(*TURN, win, comment=COMMENT), spec, compact=compact)
    assert isinstance(found, Win)
    assert (found.score, found.pao) == (None, ())


@each_way
@pytest.mark.parametrize("presences", [0, 1])
def test_riichi_at_the_break(presences: int, spec: str, *, compact: bool) -> None:
    """In a frame that breaks off, a riichi counts as accepted only if play continues."""
    riichi: list[Event] = [TURN[0], RiichiDeclared(0), TURN[1], RiichiAccepted(0), *[Disconnected(1)] * presences]
    for more in ([], [Draw(1, 41)]):
        (found,) = read_back(game(*riichi, *more), spec, compact=compact).frames
        assert (RiichiAccepted(0) in found.events) is bool(more)


@each_way
def test_red_fives_are_rules_only_if_seen(spec: str, *, compact: bool) -> None:
    """Without the comments, only the tiles show red fives; their absence is never known."""
    with_comments = spec != "0" and not compact
    plain = replace(FULL.rules, red_fives=NO_REDS, code=171)
    for rules, five in ((FULL.rules, 16), (FULL.rules, 17), (plain, 16)):
        seen = five == 16 and rules is FULL.rules
        expected = rules.red_fives if with_comments else ONE_RED_EACH if seen else None
        match = game(*TURN, first=(five,), rules=rules)
        assert read_back(match, spec, compact=compact).rules.red_fives == expected


@each_way
def test_frames_without_play(spec: str, *, compact: bool) -> None:
    """A frame with only its points recorded keeps them, and everything unknown stays unknown."""
    start = Start(5, 2, None, 1, None, None, ())
    bare = Frame(start, (), End((), FULL.frames[0].end.points), None, COMMENT)
    assert read_back(replace(FULL, frames=(bare,)), spec, compact=compact).frames == (bare,)


@pytest.mark.parametrize("spec", ["1.0", "1.0-beta"])
def test_partly_known_tiles(spec: str) -> None:
    """What is read is held in full: faces without copies, unknown tiles, discards of either copy."""
    (first,) = read_jmjp(write_jmjp(FULL, spec=spec).encode())
    assert read_back(first, spec) == first
    shown = [event for frame in first.frames for event in frame.events if isinstance(event, Discard)]
    assert shown
    assert all(event is DISCARDS[event.tsumogiri][event.player][event.tile] for event in shown)
