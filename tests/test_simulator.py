"""The simulator: its modules, each of which uses only those listed before it, and the games that it plays."""

from __future__ import annotations

import re
import shlex
from collections import defaultdict
from collections.abc import Iterator
from datetime import date
from itertools import count
from pathlib import Path

import pytest
import simulator
from play import arguments
from play import games as asked_for
from playing import LINES, RARE, games, matches, rare, rules_and_day
from simulator.connections import Connections
from simulator.coverage import ELSEWHERE, GROUPS, NEVER, Tally, is_possible
from simulator.eras import era_of
from simulator.game import GameSpec, simulate, walls_of
from simulator.legal_actions import may_declare_nine_terminals
from simulator.plan_policy import PlanPolicy
from simulator.planners import views
from simulator.plans import PLANS
from simulator.policy import NineTerminals
from simulator.random_source import RandomSource
from simulator.rules import rules_of
from simulator.table import FrameSetup, Table
from simulator.targets import target_planner
from test_layers import imports

from jmjp_convert.checks.match import check_match
from jmjp_convert.checks.score import check_score
from jmjp_convert.checks.wall import Agreement, check_wall
from jmjp_convert.model import (
    Ankan,
    Chi,
    Daiminkan,
    Discard,
    DrawKind,
    Frame,
    Kakan,
    Kita,
    Pon,
    RiichiAccepted,
    Ryuukyoku,
    Win,
)
from jmjp_convert.model.log_ids import find_id

PACKAGE = Path(simulator.__file__).parent
MODULES = sorted(path.stem for path in PACKAGE.glob("*.py") if path.stem != "__init__")
LISTED = [
    name
    for line in (simulator.__doc__ or "").splitlines()
    if line.startswith("- ")
    for name in re.findall("`(.+?)`", line)
]


def test_modules_are_listed() -> None:
    """The docstring of the simulator lists each of its modules once."""
    assert sorted(LISTED) == MODULES


@pytest.mark.parametrize("module", MODULES)
def test_imports_run_one_way(module: str) -> None:
    """A module imports only modules listed before it, so there are no circular imports."""
    inside = {parts[1] for parts in imports(PACKAGE / f"{module}.py") if parts[0] == PACKAGE.name}
    assert inside <= set(LISTED[: LISTED.index(module)])


# --- simulated games --------------------------------------------------------------------------------------------------


NOT_JUDGED = {"whether three players could win is not checked", "the payments for nagashi by two players are unknown"}


@pytest.mark.parametrize("line", LINES)
def test_games_are_valid(line: str) -> None:
    """A game is valid in its play, its wall and its score."""
    for match in matches(line):
        assert list(check_match(match)) == []
        wall, score = check_wall(match), check_score(match)
        assert (wall.agreement, wall.problem) == (Agreement.AGREES, None)
        assert score.findings == []
        assert {reason for _, reason in score.not_judged} <= NOT_JUDGED


@pytest.mark.parametrize("line", LINES)
def test_ids(line: str) -> None:
    """Log IDs look like Tenhou's, with the rules and the day of the game."""
    ids = [game.id for game in games(line)]
    for match in matches(line):
        assert match.id in ids
        log_id = find_id(match.id or "")
        assert log_id is not None
        assert (log_id.text, log_id.rules, log_id.date) == (match.id, match.rules.code, match.date)


def test_distinct_ids() -> None:
    """No two games have the same log ID, even if only their options differ."""
    alike = "--seed 1 --first 30"
    wanted = [f"--want {row} --tries 1" for row in ("ron", "dora")]
    options = ("", "--wild", "--rob-ankan", "--wild --rob-ankan", *wanted)
    lines = (*LINES, *(f"{alike} {option}" for option in options))
    ids = [game.id for line in lines for game in games(line)]
    assert len(set(ids)) == len(ids)


# --- coverage of simulated games --------------------------------------------------------------------------------------


def test_everything_possible_occurs() -> None:
    """Everything possible occurs in some game, and nothing impossible in any."""
    tally = Tally()
    for line in LINES:
        for game in games(line):
            tally.add(game.tally)
    assert tally.missing == []
    assert [row for row in NEVER | ELSEWHERE if tally[row]] == []


@pytest.mark.parametrize("line", LINES)
def test_nothing_impossible_occurs(line: str) -> None:
    """No game has a row that its rules and its era exclude."""
    for game in games(line):
        rules, day = rules_and_day(game)
        era = era_of(day)
        assert [row for row, number in game.tally.items() if number and not is_possible(row, rules, era)] == []


def test_rows_of_coverage() -> None:
    """Every row has a unique name."""
    assert len(Tally()) == sum(map(len, GROUPS.values()))


def test_wanted_row() -> None:
    """The game found for a wanted row has the row."""
    for row in {line.split()[1] for line in RARE}:
        (game,) = games(rare(row))
        assert game.tally[row] > 0


# --- disconnections and reconnections of simulated players ------------------------------------------------------------


BLIPPING = "--seed 1 --games 20 --wild"
CHANGE = re.compile(r'<BYE [^>]*>|<UN n\d="[^"]*" />')


def test_blips(monkeypatch: pytest.MonkeyPatch) -> None:
    """A player who leaves and comes back at once does not change the play."""
    logs = [game.log for game in games(BLIPPING)]
    monkeypatch.setattr(Connections, "blip", lambda *_: [])
    without = [game.log for game in asked_for(arguments([*shlex.split(BLIPPING), "-o", "-"]))]
    assert logs != without
    assert [CHANGE.sub("", log) for log in logs] == [CHANGE.sub("", log) for log in without]


def test_connections_change() -> None:
    """Only connected players are disconnected, and only disconnected players come back."""
    away: set[int] = set()
    connections = Connections(4, RandomSource("presence", 1), RandomSource("apart"), often=True)
    rounds = ((connections.change(), *connections.blip(1)) for _ in range(10000))
    changes = [change for changed in rounds for change in changed if change is not None]
    for player, lost in changes:
        assert (player in away) != lost
        away ^= {player}
    assert len(changes) > 100
    assert away == {player for player in range(4) if connections.lost[player]}


# --- what a simulated frame allows under its rules --------------------------------------------------------------------


@pytest.mark.parametrize("robs_ankan", [True, False])
def test_rob_ankan(*, robs_ankan: bool) -> None:
    """Kokushi wins on a closed kan only if the rules allow it; otherwise the same game goes on."""
    line = rare("robbed-ankan")
    (game,) = games(line)
    rules, day = rules_and_day(game)
    number = arguments([*shlex.split(line), "-o", "-"]).first
    spec = GameSpec(f"1/{number}", rules._replace(robs_ankan=robs_ankan), day, target="robbed-ankan")
    played = simulate(spec, target_planner(spec.target, wild=False))
    assert bool(played.tally["robbed-ankan"]) == robs_ankan
    assert (played == game) == robs_ankan


# --- how simulated frames end -----------------------------------------------------------------------------------------


def test_pao_himself() -> None:
    """A player who is liable for pao and also deals in pays all, and is not named in paoWho."""
    (match,) = matches(rare("pao-himself"))
    wins = [event for frame in match.frames for event in frame.endings if isinstance(event, Win)]
    (win,) = (win for win in wins if win.score is not None and win.score.yakuman)
    assert win.pao == ()
    assert win.source is not None
    lost = {player: change for player, change in enumerate(win.changes or ()) if change < 0}
    assert lost == {win.source: -32000}


# --- the programs of simulated players --------------------------------------------------------------------------------


MELD = re.compile(r'<N who="(\d)" m="(\d+)" />')


def test_closed_kans() -> None:
    """In logs before 2018, closed kans are encoded by their third tile for some players, and by their first for others;
    in later logs always by their first."""
    seen: dict[bool, set[int]] = {True: set(), False: set()}
    for game in games("--seed 1 --games 12 --wild --form base64"):
        sources = defaultdict(set)
        for who, code in MELD.findall(game.log):
            if not int(code) & 0x3F:
                sources[who].add(int(code) >> 8 & 3)
        assert all(len(of_one) == 1 for of_one in sources.values())
        seen[game.id < "2018"].update(*sources.values())
    assert seen == {True: {0, 2}, False: {0}}


# --- choices of simulated players -------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "breaks_off"), [("riichi", True), ("kokushi", False), ("thirteen-sided kokushi", False)]
)
def test_nine_terminals(name: str, *, breaks_off: bool) -> None:
    """A player who aims for kokushi does not declare nine terminals with a suitable hand, as others often do."""
    table = next(table for table in map(dealt, count()) if may_declare_nine_terminals(table, table.seats[0]))
    plan = PLANS[name](views(table)[0])
    policies = [PlanPolicy(table, table.seats[0], plan, RandomSource(number), wild=False) for number in range(20)]
    assert any(isinstance(policy.act(), NineTerminals) for policy in policies) == breaks_off


def dealt(number: int) -> Table:
    """Return a table at which the dealer has drawn."""
    spec = GameSpec(f"terminals/{number}", rules_of(9), date(2020, 1, 1))
    setup = FrameSetup(spec.rules, era_of(spec.day), 0, 0, 0, (250,) * 4)
    table = Table(setup, walls_of(spec).next(0), Tally())
    table.draw(table.seats[0])
    return table


# --- kans, and draws that are due -------------------------------------------------------------------------------------


FOUR = 4
Called = Chi | Pon | Daiminkan
Kan = Daiminkan | Ankan | Kakan


def unbroken(frame: Frame, players: int) -> Iterator[str]:
    """Yield the abortive draws that should have ended *frame* but did not."""
    ending = frame.endings[-1]
    kind = ending.kind if isinstance(ending, Ryuukyoku) else None
    events = frame.events
    riichi = sum(isinstance(event, RiichiAccepted) for event in events)
    if players == FOUR and riichi == FOUR and kind is not DrawKind.FOUR_RIICHI:
        yield "four riichi"
    kans = [event.player for event in events if isinstance(event, Kan)]
    if len(kans) == FOUR and len(set(kans)) > 1:
        last_kan = max(index for index, event in enumerate(events) if isinstance(event, Kan))
        after = [event for event in events[last_kan:] if isinstance(event, Discard)]
        if len(after) > 1:
            yield "four kans"
    first = [event for event in events if isinstance(event, Discard | Called | Ankan | Kakan | Kita)][:FOUR]
    thrown = {event.tile // 4 for event in first if isinstance(event, Discard)}
    four = players == FOUR and len(first) == FOUR and all(isinstance(event, Discard) for event in first)
    if four and len(thrown) == 1 and thrown <= set(range(27, 31)) and kind is not DrawKind.FOUR_WINDS:
        yield "four winds"


def test_can_kan() -> None:
    """No kan is possible after the fourth, no matter who declared them, or without a replacement tile."""
    spec = GameSpec("any", rules_of(9), date(2020, 1, 1))
    setup = FrameSetup(spec.rules, era_of(spec.day), 0, 0, 0, (250,) * FOUR)
    table = Table(setup, walls_of(spec).next(0), Tally())
    assert table.can_kan
    table.kan_players = [1] * FOUR
    assert not table.can_kan
    table.kan_players, table.tiles_left = [], 0
    assert not table.can_kan


@pytest.mark.parametrize("line", LINES)
def test_drawn(line: str) -> None:
    """A frame is drawn where the play requires it; `test_play_legal.py` shows that all else is legal."""
    for match in matches(line):
        for frame in match.frames:
            assert list(unbroken(frame, match.rules.players)) == []
