"""Write one frame for Riichi Advanced: what it deals, with the rules."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from functools import cache
from itertools import chain
from random import Random
from typing import Any, NamedTuple

from jmjp_convert.checks.wall import known_walls
from jmjp_convert.errors import FormatError, NoFrameError
from jmjp_convert.formats.format import Lost
from jmjp_convert.formats.requirements import check_players
from jmjp_convert.model import DORA, SEATS, Frame, Match, Start, Wall, tiles
from jmjp_convert.model.tenhou import has_open_tanyao, is_east_only, own_rules
from jmjp_convert.model.tiles import NO_REDS, ONE_RED_EACH, PHYSICAL, UNKNOWN, RedFives
from jmjp_convert.play.course import Shown, shown
from jmjp_convert.play.points import STICK
from jmjp_convert.play.position import DEALT

# --- JSON -------------------------------------------------------------------------------------------------------------


def laid_out(value: Any, indent: str = "") -> str:
    """Return *value* as JSON, with one line per key of an object; a list is on one line, unless it has lists or objects
    in it: then one line per item."""
    inner = f"{indent}  "
    if isinstance(value, dict):
        lines, (opening, closing) = [f"{json.dumps(key)}: {laid_out(item, inner)}" for key, item in value.items()], "{}"
    elif isinstance(value, list) and any(isinstance(item, list | dict) for item in value):
        lines, (opening, closing) = list(map(json.dumps, value)), "[]"
    else:
        return json.dumps(value)
    body = ",\n".join(f"{inner}{line}" for line in lines)
    return f"{opening}\n{body}\n{indent}{closing}"


# --- rules ------------------------------------------------------------------------------------------------------------

# They are those of its preset "tenhou.net" (source: ``docs/design/riichi-advanced.md`` 3), adapted to the match's
# rules. Sudden Death is always left out: with it, a game continues after its last round until someone has 30,000
# points, and Riichi Advanced would deal the same wall again.

PRESET = "tenhou.net"

Mod = str | dict[str, Any]

_ALL_LAST = {"first_place_only": True, "may_choose": False, "round": "all_last"}
_HONBA = 100  # what each of three pays for a honba

_AKA = "aka"

_MODS: tuple[Mod, ...] = (
    {"name": "lib/yaku/riichi", "config": {"bet": 1000, "drawless": False}},
    {"name": "nagashi", "config": {"is": "Mangan", "counts_as": "draw"}},
    {"name": "lib/tobi", "config": {"below": 0}},
    {"name": "uma", "config": {"_1st": 20, "_2nd": 10, "_3rd": -10, "_4th": -20}},
    "lib/agarirenchan",
    "tenpairenchan",
    {"name": "agariyame", "config": _ALL_LAST},
    {"name": "tenpaiyame", "config": _ALL_LAST},
    "lib/kuikae_nashi",
    "double_wind_4_fu",
    "pao",
    "no_fifth_tile_tenpai",
    "kokushi_ankan_chankan",
    {"name": "suufon_renda", "config": {"name": "Suufon Renda"}},
    "suucha_riichi",
    "lib/suukaikan",
    "sanchahou",
    {"name": "kyuushu_kyuuhai", "config": {"name": "Kyuushu Kyuuhai"}},
    {"name": "dora", "config": {"start_indicators": 1}},
    "ura",
    "kandora",
    "yaku/ippatsu",
    "show_waits",
    {"name": "lib/min_han", "config": {"min": 1, "han": "Han"}},
    _AKA,
    "shiny_dora",
    "first_gets_riichi_sticks",
)
"""The mods in the order in which they are applied, after that of honba: a name, or a name with settings."""


def mods(match: Match) -> list[Mod]:
    """Return the mods for the rules of *match*. Unrecorded rules are as in the preset, but there are no red fives
    if none was seen."""
    code = match.rules.code
    added = [] if code is None else [("lib/tonpuu", is_east_only(code)), ("kuitan_nashi", not has_open_tanyao(code))]
    red = match.rules.red_fives or NO_REDS
    aka: list[Mod] = [{"name": _AKA, "config": red._asdict()}] if any(red) else []
    mods_ = [mod for name in _MODS for mod in (aka if name == _AKA else [name])]
    return [{"name": "honba", "config": {"value": _honba(match)}}, *mods_, *(name for name, wanted in added if wanted)]


def _honba(match: Match) -> int:
    """Return what each of three payers adds for a honba."""
    return _HONBA if match.point_rule is None else match.point_rule.honba // 3


def changes(match: Match) -> Iterator[str]:
    """Yield what to change in a room with the preset to get the rules of *match*."""
    red, code = match.rules.red_fives or NO_REDS, match.rules.code
    if not any(red):
        yield "no Aka"
    elif red != ONE_RED_EACH:
        yield f"Aka {red.man} man, {red.pin} pin, {red.sou} sou"
    if code is not None and not has_open_tanyao(code):
        yield "Kuitan Nashi"
    if _honba(match) != _HONBA:
        yield f"Honba {_honba(match)}"


# --- the deal ---------------------------------------------------------------------------------------------------------

# Without a known wall, the play still shows some of its tiles, and the dora give their indicators. Riichi Advanced's
# lists are positional: an unknown tile before a known one is replaced by a leftover tile, chosen reproducibly at
# random.


@cache
def _names(red_fives: RedFives) -> tuple[_Name, ...]:
    """Return Riichi Advanced's names of tiles by tile ID; ``None`` for an unknown tile."""
    names = {**tiles.HONOR_NAMES, tiles.UNKNOWN_FACE: None}
    return tuple([names.get(face, face) for face in tiles.faces(red_fives)])


_TILES_DEALT, _DRAWS, _REPLACEMENTS = 4 * DEALT, 70, 4
_DEAD_WALL = _REPLACEMENTS + DORA

_Name = str | None


class Deal(NamedTuple):
    """What a frame deals, in Riichi Advanced's names."""

    hands: tuple[tuple[str, ...], ...]  # the known tiles dealt, by player
    draws: tuple[str, ...]  # the tiles to draw, in order, up to the last known one
    # Four replacement tiles in draw order, then dora and ura dora indicators, alternating, up to the last known one.
    dead_wall: tuple[str, ...]
    dice: tuple[int, int] | None  # two dice, 1–6 each
    unknown: tuple[str, ...] = ()  # what is invented in place of unknown tiles, one line each


def _deal(match: Match, frame: Frame, wall: Wall | None) -> Deal:
    """Return what *frame* deals: all of *wall* if given, otherwise what is known.

    :raises FormatError: there is nothing for Riichi Advanced to deal.
    """
    check_players(match, "riichi-advanced")
    if not frame.start.hands:
        raise FormatError(f"frame {frame.start.name} lacks a record of its play, so there are no hands to deal")
    names = _names(match.rules.red_fives or NO_REDS)
    if wall is None:
        return _seen(frame, names)
    dead = chain.from_iterable(zip(wall.indicators, wall.ura, strict=True))
    return Deal(
        tuple(_known(hand, names) for hand in wall.hands),
        _known(wall.draws, names),
        _known((*wall.replacements, *dead), names),
        wall.dice,
    )


def _known(part: Iterable[int], names: Sequence[_Name]) -> tuple[str, ...]:
    """Return the names of the known tiles of *part*."""
    return tuple([name for tile in part if (name := names[tile])])


def _seen(frame: Frame, names: Sequence[_Name]) -> Deal:
    """Return the deal of *frame* as far as the play shows it."""
    start, seen = frame.start, shown(frame)
    hands = tuple(_known(hand, names) for hand in start.hands)
    draws = [names[tile] for tile in seen.draws]
    dead = _dead_wall(seen, names)
    left = Counter(_known(range(PHYSICAL), names))
    left.subtract(name for name in chain(*hands, draws, dead) if name)
    maybe_red = _infer(dead, frame.dora or (UNKNOWN,) * DORA, left, names)
    counts = {
        "in the hands": _TILES_DEALT - sum(map(len, hands)),
        "to draw": _DRAWS - sum(map(bool, draws)),
        "in the dead wall": dead.count(None),
    }
    unknown = [f"{count} {where}" for where, count in counts.items() if count]
    invented = [f"unknown tiles replaced by leftover ones: {', '.join(unknown)}"] if unknown else []
    if maybe_red:
        invented.append("indicator that may be a red five written as a plain five")
    others = _shuffled(left, start.name)
    dice = start.dice if isinstance(start.dice, tuple) else None
    return Deal(hands, _filled(draws, others), _filled(dead, others), dice, tuple(invented))


def _dead_wall(seen: Shown, names: Sequence[_Name]) -> list[_Name]:
    """Return the fourteen tiles of the dead wall, ``None`` for those not drawn or turned."""
    dead: list[_Name] = [None] * _DEAD_WALL
    for part, first, step in ((seen.replacements, 0, 1), (seen.indicators, 4, 2), (seen.ura, 5, 2)):
        for number, tile in enumerate(part):
            dead[first + step * number] = names[tile]
    return dead


def _infer(dead: list[_Name], dora: tuple[int, ...], left: Counter[str], names: Sequence[_Name]) -> bool:
    """Fill in the indicators that *dead* lacks, taking from *left* those that follow from the *dora*.

    :returns: whether one may be a plain or a red five; the plain one is taken.
    """
    choice = False
    for index, tile in enumerate(dora, _REPLACEMENTS):
        possible = [name for indicator in tiles.indicators(tile) if (name := names[indicator]) and left[name] > 0]
        if dead[index] is None and possible:
            dead[index] = possible[0]
            left[possible[0]] -= 1
            choice = choice or len(possible) > 1
    return choice


def _shuffled(tiles_left: Counter[str], seed: str) -> Iterator[str]:
    """Yield *tiles_left* shuffled, always in the same order for the same *seed*."""
    chance = Random(seed)  # noqa: S311 - not for security
    yield from sorted(sorted(tiles_left.elements()), key=lambda _: chance.random())


def _filled(part: Sequence[_Name], others: Iterator[str]) -> tuple[str, ...]:
    """Return *part* up to the last known tile, with *others* in place of the unknown ones."""
    length = max((number for number, name in enumerate(part, 1) if name), default=0)
    return tuple([name or next(others) for name in part[:length]])


# --- the frame --------------------------------------------------------------------------------------------------------

# Sources: ``docs/design/riichi-advanced.md``, for what the game does with each key, and Riichi Advanced's
# documentation of rulesets. ``schema.json`` next to this module describes the output.
#
# That documentation covers neither the keys that fix a deal nor winds in ``add_score``; these come from the game's
# code, read for ``docs/design/riichi-advanced.md``. Unlike "self" and "shimocha", a wind does not depend on who acts.

_WINDS = ("east", "south", "west", "north")
"""For hands, by player: Riichi Advanced names the seats by their winds in E1, in any round.
For points, by seat, the dealer first: points go to the winds of the round."""

_USUAL_START = 25000

_FREE_PLAY = {"start": [["await_event", ["press_button", "east", "__never__"]]]}
"""A tutorial blocks everything it does not wait for; while it waits, everything is allowed."""


def write_riichi_advanced(match: Match, frame: str, *, wall: Wall | None, config: bool = False) -> str:
    """Return a frame of *match* as JSON for Riichi Advanced's tutorial creator, with the ruleset "Riichi".

    :param frame: the frame's name, ``E3-1``, or its round, ``E3``, for the first frame of that.
    :param wall: the frame's verified wall; without it, all known tiles are in their places, and :func:`remarks` gives
        what is unknown.
    :param config: write for the Config tab of a room with the ruleset "Riichi", where the rules are chosen separately.
    :raises FormatError: there is no such frame, or more than one; its play is not recorded; there are three players.
    """
    chosen = match.frames[frame_number(match, frame)]
    position = _position(match, chosen, _deal(match, chosen, wall))
    if config:
        # Sudden Death is on in the room's preset: with a goal of 0, any points end the game.
        return f"{laid_out(position | {'sudden_death_goal': 0})}\n"
    return f"{laid_out({'mods': mods(match), 'config': position, 'scenes': _FREE_PLAY})}\n"


def frame_number(match: Match, name: str) -> int:
    """Return the index of the frame *name*, ``E3-1``, in *match*, which is also that of its wall; for the name of a
    round, ``E3``, that of its first frame.

    :raises FormatError: there is no such frame, or more than one.
    """
    names = [frame.start.name for frame in match.frames]
    name = next(_of_round(match, name), name)
    if name not in names:
        raise NoFrameError(f"there is no frame {name}; frames: {', '.join(names) or 'none'}", name)
    if names.count(name) > 1:
        raise FormatError(f"{names.count(name)} frames are named {name}; cannot tell which is meant")
    return names.index(name)


def _of_round(match: Match, name: str) -> Iterator[str]:
    """Yield the names of the frames of a round; none if *name* is that of a frame."""
    return (frame.start.name for frame in match.frames if frame.start.name.partition("-")[0] == name)


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


def written(match: Match, *, frame: str, config: bool) -> str:
    """Return the output of :func:`write_riichi_advanced`, with the frame's wall if it is known."""
    wall, _ = _known_wall(match, frame)
    return write_riichi_advanced(match, frame, wall=wall, config=config)


def lost(match: Match, *, frame: str, config: bool) -> Lost:
    """Return what the output leaves out of *match*, and what it invents."""
    left_out = ["match data other than the rules"]
    if any(each.events for each in match.frames):
        left_out.insert(0, "the play")
    if len(match.frames) > 1:
        left_out.insert(0, "all other hands")
    wall, why = _known_wall(match, frame)
    unknown = (f"wall unknown: {why}",) if wall is None else ()
    return Lost(tuple(left_out), (*unknown, *remarks(match, frame, wall=wall, config=config)))


def _known_wall(match: Match, frame: str) -> tuple[Wall | None, str]:
    """Return the verified wall of the *frame*, or ``None`` and why there is none."""
    walls, why = known_walls(match)
    return None if walls is None else walls[frame_number(match, frame)], why


def remarks(match: Match, frame: str, *, wall: Wall | None, config: bool = False) -> Iterator[str]:
    """Yield what is invented in the output for the same arguments, and the settings that the room needs, one line each.

    :raises FormatError: as for :func:`write_riichi_advanced`.
    """
    chosen = match.frames[frame_number(match, frame)]
    dealt = _deal(match, chosen, wall)
    if len(set(_of_round(match, frame))) > 1:
        yield "only the first of several hands of the round"
    yield from dealt.unknown
    start = chosen.start
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
