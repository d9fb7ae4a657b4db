"""Write one frame for Riichi Advanced: deal, wall, scores and rules.

Sources: ``docs/design/riichi-advanced.md``, for what the game does with each key, and Riichi Advanced's documentation
of rulesets. ``schema.json`` next to this module describes the output.

That documentation covers neither the keys that fix a deal nor winds in ``add_score``; these come from the game's code,
read for ``docs/design/riichi-advanced.md``. Unlike "self" and "shimocha", a wind does not depend on who acts.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from jmjp_convert.errors import FormatError
from jmjp_convert.formats.format import Lost, Walls
from jmjp_convert.formats.requirements import check_players
from jmjp_convert.formats.riichi_advanced.deal import Deal, deal
from jmjp_convert.formats.riichi_advanced.mods import PRESET, changes, mods
from jmjp_convert.formats.riichi_advanced.pretty_json import laid_out
from jmjp_convert.model import SEATS, Frame, Match, Start, Wall
from jmjp_convert.model.tenhou import own_rules
from jmjp_convert.play.points import STICK

_WINDS = ("east", "south", "west", "north")
"""For hands, by player: Riichi Advanced names the seats by their winds in E1, in any round.
For points, by seat, the dealer first: points go to the winds of the round."""

_USUAL_START = 25000

_FREE_PLAY = {"start": [["await_event", ["press_button", "east", "__never__"]]]}
"""A tutorial blocks everything it does not wait for; while it waits, everything is allowed."""


def write_riichi_advanced(match: Match, frame: str, *, wall: Wall | None, config: bool = False) -> str:
    """Return a frame of *match* as JSON for Riichi Advanced's tutorial creator, with the ruleset "Riichi".

    :param frame: the frame's name, ``E3-1``.
    :param wall: the frame's verified wall; without it, all known tiles are in their places, and :func:`remarks` gives
        what is unknown.
    :param config: write for the Config tab of a room with the ruleset "Riichi", where the rules are chosen separately.
    :raises FormatError: there is no such frame, or more than one; its play is not recorded; there are three players.
    """
    found = match.frames[frame_number(match, frame)]
    position = _position(match, found, _deal(match, found, wall))
    if config:
        # Sudden Death is on in the room's preset: with a goal of 0, any points end the game.
        return f"{laid_out(position | {'sudden_death_goal': 0})}\n"
    return f"{laid_out({'mods': mods(match), 'config': position, 'scenes': _FREE_PLAY})}\n"


def frame_number(match: Match, name: str) -> int:
    """Return the index of the frame *name*, ``E3-1``, in *match*, which is also that of its wall.

    :raises FormatError: there is no such frame, or more than one.
    """
    names = [frame.start.name for frame in match.frames]
    if name not in names:
        raise FormatError(f"there is no frame {name}; frames: {', '.join(names) or 'none'}")
    if names.count(name) > 1:
        raise FormatError(f"{names.count(name)} frames are named {name}; cannot tell which is meant")
    return names.index(name)


def _deal(match: Match, frame: Frame, wall: Wall | None) -> Deal:
    """Return what *frame* deals.

    :raises FormatError: there is nothing for Riichi Advanced to deal.
    """
    check_players(match, "riichi-advanced")
    if not frame.start.hands:
        raise FormatError(f"frame {frame.start.name} lacks a record of its play, so there are no hands to deal")
    return deal(frame, wall, red_fives=bool(match.rules.red_fives))


def _position(match: Match, frame: Frame, dealt: Deal) -> dict[str, Any]:
    """Return the keys that make Riichi Advanced deal this frame, and end the game with it."""
    start = frame.start
    initial = _initial(match, start)
    actions = _actions(start, initial)
    return {
        "starting_hand": dict(zip(_WINDS, map(list, dealt.hands), strict=True)),
        "starting_draws": list(dealt.draws),
        "starting_dead_wall": list(dealt.dead_wall),
        "starting_round": start.round,
        "starting_honba": start.honba,
        **({"starting_dice": list(dealt.dice)} if dealt.dice else {}),
        "initial_score": initial,
        "max_rounds": start.round + 1,
        **({"after_initialization": {"actions": actions}} if actions else {}),
    }


def _initial(match: Match, start: Start) -> int:
    """Return each player's points before :func:`_actions`."""
    if start.points is not None and len(set(start.points)) == 1:
        return start.points[0]
    return _USUAL_START if match.point_rule is None else match.point_rule.start


def _actions(start: Start, initial: int) -> list[list[Any]]:
    """Return the actions after the deal, on the dealer's turn, that set the points and riichi sticks of *start*. If
    any, they replace the ruleset's own actions at this point, which list the rules.
    """
    by_seat = [start.points[(start.dealer + seat) % SEATS] - initial for seat in range(SEATS)] if start.points else []
    actions: list[list[Any]] = [["add_score", more, who] for more, who in zip(by_seat, _WINDS, strict=False) if more]
    return [*actions, ["add_to_pot", start.sticks * STICK]] if start.sticks else actions


def written(match: Match, *, frame: str, config: bool, walls: Walls) -> str:
    """Return the output of :func:`write_riichi_advanced`, with the frame's wall if there are *walls*."""
    return write_riichi_advanced(match, frame, wall=_wall(match, frame, walls), config=config)


def lost(match: Match, *, frame: str, config: bool, walls: Walls) -> Lost:
    """Return what the output leaves out of *match*, and what it invents."""
    left_out = ["match data other than the rules"]
    if any(one.events for one in match.frames):
        left_out.insert(0, "the play")
    if len(match.frames) > 1:
        left_out.insert(0, "all other frames")
    unknown = () if walls.walls is not None else (f"wall unknown: {walls.why}",)
    return Lost(tuple(left_out), (*unknown, *remarks(match, frame, wall=_wall(match, frame, walls), config=config)))


def _wall(match: Match, frame: str, walls: Walls) -> Wall | None:
    return None if walls.walls is None else walls.walls[frame_number(match, frame)]


def remarks(match: Match, frame: str, *, wall: Wall | None, config: bool = False) -> Iterator[str]:
    """Yield what is invented in the output for the same arguments, and the settings that the room needs, one line each.

    :raises FormatError: as for :func:`write_riichi_advanced`.
    """
    found = match.frames[frame_number(match, frame)]
    dealt = _deal(match, found, wall)
    yield from _unknown_tiles(dealt)
    start = found.start
    if start.points is None:
        yield f"points unknown: every player starts with {_initial(match, start)}"
    if start.sticks is None:
        yield "riichi sticks unknown: none on the table"
    if dealt.dice is None:
        yield "dice unknown: Riichi Advanced rolls them"
    if start.chips is not None:
        yield "chips left out"
    if reason := own_rules(match.rules):
        yield f"{reason}: standard Tenhou rules used where unknown"
    if match.rules.red_fives is None:
        yield "no red five seen: played without red fives"
    if config:
        yield ", ".join((f'room settings: preset "{PRESET}"', *changes(match), "seats not shuffled"))


def _unknown_tiles(dealt: Deal) -> Iterator[str]:
    unknown = dealt.unknown
    counts = ((unknown.hands, "in the hands"), (unknown.draws, "to draw"), (unknown.dead_wall, "in the dead wall"))
    if named := [f"{count} {where}" for count, where in counts if count]:
        yield f"unknown tiles replaced by leftover ones: {', '.join(named)}"
    if unknown.maybe_red:
        yield "indicator that may be a red five written as a plain five"
