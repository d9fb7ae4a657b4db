"""What riichienv, an environment for AI programs by others, lets players do is what is legal at our table."""

from __future__ import annotations

import json
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

import effort
import pytest
from clients import FIXTURES, each_source, games_of
from playing import COVERING
from test_clients_riichienv import FACES, mjai, replayed

from jmjp_convert.model import (
    Ankan,
    Chi,
    Discard,
    Disconnected,
    DoraRevealed,
    Event,
    Frame,
    Kakan,
    Kita,
    Pon,
    Returned,
    RiichiAccepted,
    Rules,
)
from jmjp_convert.model.tiles import NO_REDS, RedFives, faces
from jmjp_convert.table import Table, walk

pytest.importorskip("riichienv", reason="riichienv is not installed")

CALLS = ("chi", "pon", "daiminkan")
HONORS = dict(zip(("ew", "sw", "ww", "nw", "wd", "gd", "rd"), "ESWNPFC", strict=True))
PAI = [HONORS.get(face) or (f"5{face[1]}r" if face[0] == "0" else face) for face in FACES]

PLAIN = [HONORS.get(face, face) for face in faces(NO_REDS)]

Acts = frozenset[tuple[str, ...]]


class Choice(NamedTuple):
    """What a player may do: their number, the acts as mjai names them; what was done before, what is done next, and
    whether they are in furiten."""

    player: int
    acts: Acts
    before: Event | None
    event: Event
    furiten: bool


def our_acts(table: Table, player: int) -> Acts:
    """Return what *player* may do at our table, in mjai's terms."""
    legal = table.legal(player)
    names = PAI if table.rules.red_fives != NO_REDS else PLAIN
    acts: set[tuple[str, ...]] = {("dahai", names[tile]) for tile in legal.discards}
    acts |= {(type(meld).__name__.lower(), *sorted(names[tile] for tile in meld.hand)) for meld in legal.calls}
    for kan in legal.kans:
        tiles = kan.tiles if isinstance(kan, Ankan) else (kan.tile,)
        acts.add((type(kan).__name__.lower(), *sorted(names[tile] for tile in tiles)))
    acts |= {("reach",)} if legal.riichi else set()
    acts |= {("hora",)} if legal.win else set()
    return frozenset(acts | ({("ryukyoku",)} if legal.nine_terminals else set()))


def our_choices(frame: Frame, rules: Rules) -> Iterator[Choice]:
    """Yield the choices of the players in a frame, in order; those about the same discard by player."""
    before: Event | None = None
    for table, event in walk(rules, frame):
        if isinstance(event, (Disconnected, Returned, DoraRevealed)):
            continue
        if table.turn is not None and (table.drawn is not None or table.called):
            yield Choice(table.turn, our_acts(table, table.turn), before, event, furiten=False)
        elif isinstance(before, Discard | Kakan | Ankan | Kita):
            later = table.copy()  # riichienv asks about a riichi tile once: who wins, and who calls it if nobody does
            if table.declared == before.player and not table.ended:
                later.play(RiichiAccepted(before.player))
            for player in range(rules.players):
                acts = our_acts(table, player) | our_acts(later, player)
                if acts:
                    yield Choice(player, acts | {("none",)}, before, event, table.furiten(player))
        before = event


def their_acts(observation: Any, *, red_fives: RedFives | None) -> Acts:
    """Return what riichienv offers a player; it knows no games without *red_fives*."""
    return frozenset(_act(action.to_mjai(), red_fives) for action in observation.legal_actions())


@cache  # there are few, and each is offered hundreds of times
def _act(text: str, red_fives: RedFives | None) -> tuple[str, ...]:
    act = json.loads(text)
    kind = act["type"]
    used = [] if kind == "kakan" else list(act.get("consumed", ()))
    if kind in CALLS and len(used) == {"chi": 3, "pon": 3, "daiminkan": 4}[kind]:
        used.remove(act["pai"])  # the call that is made comes with the tile called
    alone = [act.get("pai", "N")] if kind in ("dahai", "kakan", "kita") else []
    tiles = used or alone
    return (kind, *sorted(tiles if red_fives != NO_REDS else (tile.removesuffix("r") for tile in tiles)))


def their_choices(kyoku: Any, rules: Rules) -> list[tuple[int, Acts]]:
    """Return what riichienv offers in a frame, in order; about the same discard by player."""
    choices: list[tuple[int, Acts]] = []
    group: list[tuple[int, Acts]] = []
    for player, observation, _ in kyoku.steps(skip_single_action=False):
        acts = their_acts(observation, red_fives=rules.red_fives)
        if ("none",) in acts:
            group.append((player, acts))
            continue
        choices += [*sorted(group), (player, acts)]
        group = []
    return [*choices, *sorted(group)]


def differences(ours: Choice, theirs: Acts) -> tuple[Acts, Acts]:
    """Return what only we and what only riichienv allow, without what is known.

    - A win by shape may have no yaku; then riichienv does not offer it, as it offers nothing else beside a win.
    - Beside a call that is made, and on a riichi tile, it does not offer all other calls.
    - It allows kuikae.
    - A wait without a yaku that was let pass makes no furiten there.
    """
    mine, yours = ours.acts - theirs, theirs - ours.acts
    mine -= {("hora",)}
    called = {act for act in mine if act[0] in CALLS}
    if ("hora",) in theirs or type(ours.event).__name__ in ("Chi", "Pon", "Daiminkan", "RiichiAccepted"):
        mine -= called
    if isinstance(ours.before, Chi | Pon):
        yours = frozenset(act for act in yours if act[0] != "dahai")
    if ours.furiten:
        yours -= {("hora",)}
    return mine, yours


# The fixtures and these games have every rare choice; the other sources have more of the usual ones.
@(each_source if effort.long else pytest.mark.parametrize("source", [FIXTURES, COVERING]))
def test_legal(source: str, tmp_path: Path) -> None:
    """Of all choices, riichienv offers the same to the same players; it asks fewer only where somebody may win."""
    asked = answered = 0
    for game in effort.shared_out(games_of(source), 0, parts=2):  # by itself, our table has each of them
        rules = game.match.rules
        for frame, kyoku in zip(game.match.frames, replayed(mjai(game), tmp_path), strict=True):
            theirs = their_choices(kyoku, rules)
            for ours in our_choices(frame, rules):
                asked += 1
                if not theirs or theirs[0][0] != ours.player or (("none",) in theirs[0][1]) != (("none",) in ours.acts):
                    continue
                assert not any(differences(ours, theirs.pop(0)[1])), (game.name, frame.start.name, ours)
                answered += 1
            assert not theirs or not frame.endings, (game.name, frame.start.name, theirs[0])
    assert answered > 0.97 * asked
