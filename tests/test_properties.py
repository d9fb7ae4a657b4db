"""Properties of every game: with any seed and any rules, in every format."""

from __future__ import annotations

import json
import re
from typing import Any

import effort
import pytest
from corrupt import EACH, Measure, is_caught, measure
from effort import many
from expected import expecting
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st
from playing import LINES
from playing import games as played_games
from ra_dealing import deal, expect_frame, expect_table
from simulator.eras import DAYS, random_day
from simulator.game import Game, GameSpec, simulate
from simulator.random_source import RandomSource
from simulator.rules import KNOWN, rules_of

from jmjp_convert.checks.match import check_match
from jmjp_convert.checks.score import check_score
from jmjp_convert.checks.wall import Agreement, check_wall, verified_walls, with_wall
from jmjp_convert.formats import FORMATS
from jmjp_convert.formats.jmjp.notation import DIALECTS
from jmjp_convert.formats.mjlog.reader import read_mjlog
from jmjp_convert.formats.riichi_advanced.writer import write_riichi_advanced
from jmjp_convert.model import Match
from jmjp_convert.model.tiles import NO_REDS

FOUR = 4

# A failing game is named by its seed: there is nothing to shrink.
of_games = settings(
    max_examples=many(20),
    phases=[Phase.explicit, Phase.reuse, Phase.generate],
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large],
)


@st.composite
def games(draw: st.DrawFn, players: int | None = None) -> Game:
    """Return a game played with any seed and any rules, for this many *players*."""
    codes = [code for code in KNOWN if players in (None, rules_of(code).players)]
    return game(f"property/{draw(st.integers(0, 1 << 32))}", draw(st.sampled_from(codes)), wild=draw(st.booleans()))


def game(name: str, code: int, *, wild: bool) -> Game:
    """Return the game *name*, played under the rules *code* on any day."""
    random = RandomSource(name)
    return simulate(GameSpec(name, rules_of(code), random_day(random, random.choice(tuple(DAYS))), wild))


def read(game: Game) -> Match:
    """Return the match of a game, with nothing in it ignored."""
    return read_mjlog(game.log.encode(), file_name=f"{game.id}.xml", strict=True)


@of_games
@given(games())
def test_valid(game: Game) -> None:
    """A game is valid: its wall, its scores, its points from frame to frame, its result."""
    match = read(game)
    assert list(check_match(match)) == []
    assert check_wall(match).agreement is Agreement.AGREES
    assert check_score(match).findings == []


@of_games
@given(game=games(), spec=st.sampled_from(sorted(DIALECTS)), compact=st.booleans())
def test_formats(game: Game, spec: str, *, compact: bool) -> None:
    """Every format, jmjp in any dialect, reads back as what it holds."""
    match = with_wall(read(game))
    for name in ("jmjp", "json", "tenhou6", "mjai", "majiang"):
        format_ = FORMATS[name]
        assert format_.read is not None
        assert format_.write is not None
        if match.rules.players in format_.players:
            options: dict[str, Any] = {"spec": spec, "compact": compact} if name == "jmjp" else {}
            text = format_.write([match], **options)
            assert format_.read(text.encode()) == [expecting(name)(match, **options)]


@of_games
@given(games(players=FOUR), st.integers(0, 1 << 16))
def test_riichi_advanced(game: Game, number: int) -> None:
    """Riichi Advanced deals any frame of a game again: hands, draws, replacement tiles, indicators, points."""
    match = read(game)
    walls = verified_walls(match)
    index = number % len(match.frames)
    frame = match.frames[index]
    written = json.loads(write_riichi_advanced(match, frame.start.name, wall=walls[index]))
    dealt = deal(written["config"], written["mods"])
    expect_table(dealt, frame)
    expect_frame(dealt, frame, red_fives=match.rules.red_fives not in (None, NO_REDS))


# --- mutants ---------------------------------------------------------------------------------------------------------

LEAST_CAUGHT = 0.99


@pytest.fixture(scope="module")
def measured() -> Measure:
    """Return the results for mutants of games of every sort, including all rare ones."""
    each = EACH // 2 if effort.long else 3
    return measure([(f"{game.id}.xml", game.log) for line in LINES for game in played_games(line)], each)


def test_mutants(measured: Measure) -> None:
    """A change of a single tile, meld, score or turn is rejected, or found by a check of wall and scores."""
    assert measured.made.total() >= many(500)
    rest = [f"{name}: {mutant.what} {mutant.before} -> {mutant.after}" for name, mutant in measured.alive]
    assert measured.share >= LEAST_CAUGHT, rest


def test_survivors(measured: Measure) -> None:
    """The only changes that pass are a discard of another tile that the player held, and the round of a single-frame
    match: a log alone cannot contradict them."""
    assert {mutant.what for _, mutant in measured.alive} <= {"discarded tile", "round, honba, sticks"}


def test_other_copy() -> None:
    """Another copy of the same face, which the play alone may allow, is found by the wall check."""
    played = game("copies/1", 9, wild=False)
    name, hand = f"{played.id}.xml", read(played).frames[0].start.hands[1]
    allowed = 0
    for tile in hand:
        for copy in {*range(tile // 4 * 4, tile // 4 * 4 + 4)} - {*hand}:
            changed = re.sub(rf'(hai1="[0-9,]*?\b){tile}\b', rf"\g<1>{copy}", played.log, count=1)
            allowed += not is_caught(changed, name, verified=False)
            assert is_caught(changed, name, verified=True)
    assert allowed
