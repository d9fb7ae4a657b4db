"""Frames for Riichi Advanced: a port of the game's dealing deals each of them back unchanged."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator
from functools import cache
from itertools import chain
from pathlib import Path
from typing import Any

import pytest
from jsonschema import Draft202012Validator, ValidationError
from jsonschema.validators import extend
from ra_dealing import SEATS, Compared, Game, deal, expect_frame, expect_table, name, ruleset_wall
from tables import table
from test_real_logs import FOUR, ROWS

from jmjp_convert.checks.wall import verified_walls, with_wall
from jmjp_convert.checks.wall.seed import walls
from jmjp_convert.errors import ConvertError, FormatError, WallError
from jmjp_convert.formats import FORMATS
from jmjp_convert.formats.jmjp.reader import read_jmjp
from jmjp_convert.formats.jmjp.writer import write_jmjp
from jmjp_convert.formats.mjlog.reader import read_mjlog
from jmjp_convert.formats.riichi_advanced.writer import frame_number, remarks, write_riichi_advanced
from jmjp_convert.model import Draw, End, Frame, Match, Player, PointRule, Rules, Shuffle, ShuffleForm, Start, Wall
from jmjp_convert.model.record import replace
from jmjp_convert.model.tiles import NO_REDS, ONE_RED_EACH, UNKNOWN, any_copy, dora

ROOT = Path(__file__).parent.parent
VALID = ROOT / "fixtures" / "valid"
JMJP = ROOT / "fixtures" / "jmjp" / "valid"
SCHEMA = json.loads((ROOT / "jmjp_convert" / "formats" / "riichi_advanced" / "schema.json").read_text(encoding="utf-8"))
IDS = {name(tile, red_fives=red): tile for red in (True, False) for tile in reversed(range(136))}
MIB = 1 << 20


def items(validator: Any, items: Any, instance: Any, schema: Any) -> Iterator[ValidationError]:
    """Validate the items of a list as jsonschema does, but each distinct one only once: a frame has 136 tiles, but at
    most 37 faces, and nearly all frames have the same mods."""
    if not isinstance(items, dict):
        yield from Draft202012Validator.VALIDATORS["items"](validator, items, instance, schema)
        return
    for index, item in enumerate(instance):
        key = id(items), item if isinstance(item, str) else json.dumps(item)
        errors = [] if key in RIGHT else list(validator.descend(item, items, path=index))
        if not errors:
            RIGHT.add(key)
        yield from errors


RIGHT: set[tuple[int, str]] = set()
TUTORIAL, CONFIG = (
    extend(Draft202012Validator, {"items": items})(  # type: ignore[no-untyped-call]
        {"$defs": SCHEMA["$defs"], "$ref": f"#/$defs/{kind}"}
    )
    for kind in ("tutorial", "config")
)


def written(match: Match, frame: str, *, wall: Wall | None = None) -> dict[str, Any]:
    """Return the tutorial of a frame, validated against the schema."""
    tutorial: dict[str, Any] = json.loads(write_riichi_advanced(match, frame, wall=wall))
    TUTORIAL.validate(tutorial)
    return tutorial


def config_of(match: Match, frame: str, *, wall: Wall | None = None) -> dict[str, Any]:
    """Return the config of a frame for a room, validated against the schema."""
    config: dict[str, Any] = json.loads(write_riichi_advanced(match, frame, wall=wall, config=True))
    CONFIG.validate(config)
    return config


def games(match: Match, frame: str, *, wall: Wall | None = None, number: int = 2) -> list[Game]:
    """Return *count* games that the tutorial of a frame may begin, each with other random choices; no tile occurs too
    often."""
    tutorial = written(match, frame, wall=wall)
    games_ = [deal(tutorial["config"], tutorial["mods"], chance) for chance in range(number)]
    assert not any(game.warnings for game in games_)
    return games_


def said(match: Match, frame: str, *, wall: Wall | None = None, config: bool = False) -> list[str]:
    """Return the remarks on a frame."""
    return list(remarks(match, frame, wall=wall, config=config))


def fixture(file: str) -> Match:
    """Return the match of a fixture, the first one if there are several."""
    return read_mjlog(VALID / file) if not file.endswith(".jmjp") else read_jmjp(JMJP / file)[0]


def faces(text: str) -> list[str]:
    """Return the names of tiles written without separators."""
    return [text[index : index + 2] for index in range(0, len(text), 2)]


# --- a frame with its wall -------------------------------------------------------------------------------------------

SEED = Shuffle(ShuffleForm.HEX, "mt19937ar-sha512-n288,00000001,00000002,00000003")
STARTS = tuple(
    Start(round_, honba, sticks, round_ % 4, (1, 2), points, ())
    for round_, honba, sticks, points in (
        (0, 0, 0, (25000, 25000, 25000, 25000)),
        (3, 2, 1, (20600, 28800, 25000, 24600)),
        (5, 0, 3, (-1200, 50000, 25000, 23200)),
    )
)
WALLS = tuple(walls(SEED, STARTS, 4))


def with_hands(start: Start, wall: Wall) -> Frame:
    """Return a frame that starts with the deal of *wall*."""
    start = replace(start, hands=wall.hands, dice=wall.dice, indicator=wall.indicators[0])
    return Frame(start, (), End((), None), None)


RULES = Rules(code=0x09, lobby=0)
MATCH = Match(RULES, (Player(),) * 4, tuple(map(with_hands, STARTS, WALLS)), shuffle=SEED)
NAMES = tuple(frame.start.name for frame in MATCH.frames)
each_frame = pytest.mark.parametrize("number", range(3), ids=lambda number: NAMES[number])


@each_frame
def test_parts(number: int) -> None:
    """A deal has four hands by player, seventy draws, and in the dead wall the replacement tiles in draw order, then
    each dora indicator with the ura dora indicator under it; all tiles of the set."""
    wall = WALLS[number]
    config = written(MATCH, NAMES[number], wall=wall)["config"]
    hands = [config["starting_hand"][seat] for seat in SEATS]
    dead = [*wall.replacements]
    for pair in zip(wall.indicators, wall.ura, strict=True):
        dead += pair
    for part, tiles in (
        *zip(hands, wall.hands, strict=True),
        (config["starting_draws"], wall.draws),
        (config["starting_dead_wall"], dead),
    ):
        assert part == [name(tile, red_fives=True) for tile in tiles]
    assert ([*map(len, hands)], len(config["starting_draws"]), len(config["starting_dead_wall"])) == ([13] * 4, 70, 14)
    together = Counter([*chain(*hands), *config["starting_draws"], *config["starting_dead_wall"]])
    assert together == Counter(ruleset_wall(["dora", {"name": "aka", "config": {"man": 1, "pin": 1, "sou": 1}}]))
    assert config["starting_dice"] == list(wall.dice or ())


@each_frame
def test_table(number: int) -> None:
    """The round, honba, points and riichi sticks are those of the frame."""
    for game in games(MATCH, NAMES[number], wall=WALLS[number]):
        expect_table(game, MATCH.frames[number])


@each_frame
def test_nothing_left_open(number: int) -> None:
    """With the wall, nothing in the deal is random."""
    first, *others = games(MATCH, NAMES[number], wall=WALLS[number], number=5)
    assert others == [first] * 4
    assert said(MATCH, NAMES[number], wall=WALLS[number]) == []


@each_frame
def test_config(number: int) -> None:
    """A config is the position of the tutorial, with what ends the game in a room with the preset's Sudden Death."""
    wall = WALLS[number]
    position = written(MATCH, NAMES[number], wall=wall)["config"]
    assert config_of(MATCH, NAMES[number], wall=wall) == position | {"sudden_death_goal": 0}


# --- traps -----------------------------------------------------------------------------------------------------------


def test_seats() -> None:
    """Hands are by player, points by seat from the dealer: player 3 deals in E4, and player 0 is next."""
    config = written(MATCH, "E4-2", wall=WALLS[1])["config"]
    assert config["starting_hand"]["north"] == [name(tile, red_fives=True) for tile in WALLS[1].hands[3]]
    assert config["after_initialization"]["actions"] == [
        ["add_score", -400, "east"],
        ["add_score", -4400, "south"],
        ["add_score", 3800, "west"],
        ["add_to_pot", 1000],
    ]


def test_points_below_zero() -> None:
    """Points may be below zero."""
    config = written(MATCH, "S2-0", wall=WALLS[2])["config"]
    assert config["after_initialization"]["actions"] == [
        ["add_score", 25000, "east"],
        ["add_score", -1800, "west"],
        ["add_score", -26200, "north"],
        ["add_to_pot", 3000],
    ]


@pytest.mark.parametrize(
    ("points", "rule", "initial", "actions"),
    [
        ((25000,) * 4, None, 25000, 0),
        ((30000,) * 4, None, 30000, 0),
        ((1000,) * 4, PointRule(1000, 1000, (0, 0, 0, 0), 300), 1000, 0),
        ((31000, 30000, 29000, 30000), PointRule(30000, 30000, (20000, 10000, -10000, -20000), 300), 30000, 2),
        ((26000, 25000, 24000, 25000), None, 25000, 2),
        (None, None, 25000, 0),
        (None, PointRule(30000, 30000, (20000, 10000, -10000, -20000), 300), 30000, 0),
    ],
)
def test_initial_score(points: tuple[int, ...] | None, rule: PointRule | None, initial: int, actions: int) -> None:
    """One number is each player's; actions, which replace the ruleset's own, are written only if points differ."""
    frame = replace(MATCH.frames[0], start=replace(MATCH.frames[0].start, points=points))
    config = written(replace(MATCH, frames=(frame,), point_rule=rule), "E1-0", wall=WALLS[0])["config"]
    assert config["initial_score"] == initial
    assert len(config.get("after_initialization", {}).get("actions", ())) == actions
    assert ("after_initialization" in config) == bool(actions)


@each_frame
@pytest.mark.parametrize("room", [False, True], ids=["tutorial", "room"])
@pytest.mark.parametrize("scores", [[25000] * 4, [29900, 29900, 29900, 10300], [100000, 0, 0, 0]], ids=str)
def test_one_round(number: int, scores: list[int], *, room: bool) -> None:
    """The game ends with the round in any case, even in a room with the preset's Sudden Death, since the next round
    would be dealt the same wall."""
    mods: list[Any] = written(MATCH, NAMES[number])["mods"]
    assert not any("sudden_death" in str(mod) for mod in mods)
    if room:
        mods = [*mods, {"name": "sudden_death", "config": {"goal": 30000}}]
    config = (config_of if room else lambda *args: written(*args)["config"])(MATCH, NAMES[number])
    game = deal(config, mods)
    assert game.max_rounds == game.kyoku + 1
    assert game.ends(scores)


def test_port_goes_on() -> None:
    """Without these settings the port continues: Sudden Death below 30,000 points, and further rounds."""
    config = written(MATCH, "E4-2", wall=WALLS[1])["config"]
    sudden = [{"name": "sudden_death", "config": {"goal": 30000}}]
    assert not deal(config, sudden).ends([29900, 29900, 29900, 10300])
    assert not deal({key: value for key, value in config.items() if key != "max_rounds"}, []).ends([25000] * 4)


def test_red_fives() -> None:
    """Without red fives there is no mod `aka`; with it, the game would lack three fives without an error."""
    match = replace(MATCH, rules=replace(RULES, red_fives=NO_REDS))
    tutorial = written(match, "E1-0", wall=WALLS[0])
    assert "0" not in {tile[0] for tile in chain(*tutorial["config"]["starting_hand"].values())}
    assert not deal(tutorial["config"], tutorial["mods"]).warnings
    assert deal(tutorial["config"], written(MATCH, "E1-0")["mods"]).warnings == Counter(["5m", "5p", "5s"])


@pytest.mark.parametrize(
    ("code", "rule", "added", "dropped", "changes"),
    [
        (0x09, None, set(), set(), ""),
        (0xA9, None, set(), set(), ""),
        (0x01, None, {"lib/tonpuu"}, set(), ""),
        (0x0B, None, set(), {"aka"}, "no Aka, "),
        (0x0D, None, {"kuitan_nashi"}, set(), "Kuitan Nashi, "),
        (0x47, None, {"lib/tonpuu", "kuitan_nashi"}, {"aka"}, "no Aka, Kuitan Nashi, "),
        (None, None, set(), set(), ""),
        (0x09, PointRule(25000, 30000, (20000, 10000, -10000, -20000), 1500), set(), set(), "Honba 500, "),
    ],
)
def test_rules(code: int | None, rule: PointRule | None, added: set[str], dropped: set[str], changes: str) -> None:
    """The mods are those of the preset, adapted to the rules number; for a room, the same changes are listed."""
    rules = RULES if code is None else replace(RULES, code=code, red_fives=NO_REDS if code & 0x02 else ONE_RED_EACH)
    match = replace(MATCH, rules=rules, point_rule=rule)

    def names(mods: list[Any]) -> set[str]:
        return {mod if isinstance(mod, str) else mod["name"] for mod in mods}

    mods = written(match, "E1-0")["mods"]
    usual = names(written(MATCH, "E1-0")["mods"])
    assert (names(mods) - usual, usual - names(mods)) == (added, dropped)
    assert mods[0] == {"name": "honba", "config": {"value": 500 if rule else 100}}
    assert said(match, "E1-0", wall=WALLS[0], config=True) == [
        f'room settings: preset "tenhou.net", {changes}seats not shuffled'
    ]


def test_preset() -> None:
    """The mods are those of the preset, in its order, without Sudden Death: a name, or a name and a config."""
    all_last = {"first_place_only": True, "may_choose": False, "round": "all_last"}
    assert written(MATCH, "E1-0")["mods"] == [
        {"name": "honba", "config": {"value": 100}},
        {"name": "lib/yaku/riichi", "config": {"bet": 1000, "drawless": False}},
        {"name": "nagashi", "config": {"is": "Mangan", "counts_as": "draw"}},
        {"name": "lib/tobi", "config": {"below": 0}},
        {"name": "uma", "config": {"_1st": 20, "_2nd": 10, "_3rd": -10, "_4th": -20}},
        *("lib/agarirenchan", "tenpairenchan"),
        *({"name": mod, "config": all_last} for mod in ("agariyame", "tenpaiyame")),
        *("lib/kuikae_nashi", "double_wind_4_fu", "pao", "no_fifth_tile_tenpai", "kokushi_ankan_chankan"),
        {"name": "suufon_renda", "config": {"name": "Suufon Renda"}},
        *("suucha_riichi", "lib/suukaikan", "sanchahou"),
        {"name": "kyuushu_kyuuhai", "config": {"name": "Kyuushu Kyuuhai"}},
        {"name": "dora", "config": {"start_indicators": 1}},
        *("ura", "kandora", "yaku/ippatsu", "show_waits"),
        {"name": "lib/min_han", "config": {"min": 1, "han": "Han"}},
        {"name": "aka", "config": {"man": 1, "pin": 1, "sou": 1}},
        *("shiny_dora", "first_gets_riichi_sticks"),
    ]


def test_free_play() -> None:
    """The tutorial waits for an event that never comes, which allows everything; an empty script would block
    everything."""
    assert written(MATCH, "E1-0")["scenes"] == {"start": [["await_event", ["press_button", "east", "__never__"]]]}


@each_frame
@pytest.mark.parametrize("config", [False, True], ids=["tutorial", "room"])
def test_text(number: int, *, config: bool) -> None:
    """The text can be pasted: plain characters, no comment syntax, small; a list of tiles is on one line, and so is
    each mod and each action."""
    text = write_riichi_advanced(MATCH, NAMES[number], wall=WALLS[number], config=config)
    assert text.isascii()
    assert not {"//", "/*"} & set(text.split())
    assert len(text) < MIB
    assert text.endswith("}\n")
    lines = [line.strip().rstrip(",") for line in text.splitlines()]
    assert next(line for line in lines if "starting_draws" in line).endswith("]")
    if number and config:
        assert '["add_to_pot", 1000]' in lines or '["add_to_pot", 3000]' in lines
    if not config:
        assert '{"name": "honba", "config": {"value": 100}}' in lines
        assert '"ura"' in lines


# --- frames without a wall -------------------------------------------------------------------------------------------


def test_known_tiles() -> None:
    """Draws end with the last one seen; the dead wall has the tile after the kan and both indicators, and unknown ones
    before them are replaced by any tiles."""
    match = fixture("rinshan-after-ankan.xml")
    config = written(match, "E1-0")["config"]
    assert config["starting_draws"] == ["4m"]
    dead = config["starting_dead_wall"]
    assert (len(dead), dead[0], dead[4], dead[6]) == (7, "5p", "4z", "3z")
    assert said(match, "E1-0") == ["unknown tiles replaced by leftover ones: 69 to draw, 11 in the dead wall"]
    for game in games(match, "E1-0"):
        expect_frame(game, match.frames[0], red_fives=True)


def test_dora_alone() -> None:
    """In jmjp the indicators, ura dora indicators included, follow from the dora."""
    (match,) = read_jmjp(VALID / "rinshan-after-ankan.jmjp")
    dead = written(match, "E1-0")["config"]["starting_dead_wall"]
    assert (len(dead), dead[0], dead[4], dead[6]) == (7, "5p", "4z", "3z")
    frame = replace(match.frames[0], dora=tuple(any_copy(face) for face in faces("ew6m2snwwd9p2mrd7p8p")))
    match = replace(match, frames=(frame,))
    dead = written(match, "E1-0")["config"]["starting_dead_wall"]
    assert dead[4:] == faces("4z5m1s3z7z8p1m6z6p7p")
    assert said(match, "E1-0")[1:] == ["indicator that may be a red five written as a plain five"]


def test_red_indicator() -> None:
    """If all plain fives are elsewhere, the indicator is the red one."""
    start = replace(
        MATCH.frames[0].start,
        hands=tuple(
            tuple(any_copy(face) for face in faces(hand))
            for hand in (
                "5m5m5m1p2p3p4p6p7p8p9p1s2s",
                "1m1m1m2m2m2m3m3m3m4m4m4m6m",
                "7m7m7m8m8m8m9m9m9mewewewsw",
                "3s3s3s4s4s4s6s6s6s7s7s7s8s",
            )
        ),
        indicator=None,
    )
    frame = replace(MATCH.frames[0], start=start, dora=(any_copy("6m"), any_copy("6m"), *(UNKNOWN,) * 8))
    match = replace(MATCH, frames=(frame,))
    dead = written(match, "E1-0")["config"]["starting_dead_wall"]
    assert dead[4] == "0m"
    assert len(dead) == 5
    assert said(match, "E1-0") == ["unknown tiles replaced by leftover ones: 70 to draw, 13 in the dead wall"]


def test_recorded_indicator() -> None:
    """A recorded indicator is not inferred from its dora: it stays red."""
    start = replace(
        MATCH.frames[0].start,
        indicator=16,
        hands=tuple(tuple(range(24 + 13 * player, 37 + 13 * player)) for player in range(4)),
    )
    frame = replace(MATCH.frames[0], start=start, dora=(any_copy("6m"), *(UNKNOWN,) * 9))
    match = replace(MATCH, frames=(frame,))
    assert written(match, "E1-0")["config"]["starting_dead_wall"][4] == "0m"
    assert not [line for line in said(match, "E1-0") if "red" in line]


def test_unknown_tiles() -> None:
    """A hand has its known tiles; an unknown draw before a known one is replaced by any tile."""
    match = fixture("unknown-tiles.jmjp")
    config = written(match, "E1-0")["config"]
    assert [config["starting_hand"][seat] for seat in SEATS] == [[]] * 4
    assert (len(config["starting_draws"]), config["starting_draws"][2]) == (3, "3m")
    assert config["starting_dead_wall"] == []
    assert said(match, "E1-0") == [
        "unknown tiles replaced by leftover ones: 52 in the hands, 69 to draw, 14 in the dead wall",
        "the rules are not recorded: standard Tenhou rules used where unknown",
        "no red five seen: played without red fives",
    ]


def test_no_red_five_seen() -> None:
    """If red fives are neither recorded nor seen, there are none: no mod `aka`, no remark on indicators."""
    (match,) = read_jmjp(VALID / "plain.0.jmjp")
    assert match.rules.red_fives is None
    frame = replace(match.frames[0], dora=(any_copy("6m"),) * 3 + (UNKNOWN,) * 7)
    match = replace(match, frames=(frame,))
    tutorial = written(match, "E1-0")
    assert ruleset_wall(tutorial["mods"]) == ruleset_wall([])
    assert tutorial["config"]["starting_dead_wall"][4:] == ["5m", "5m"]
    assert [line for line in said(match, "E1-0") if "red" in line] == ["no red five seen: played without red fives"]


def test_partly_known_hand() -> None:
    """The game deals the missing tiles of a hand, and the other hands keep theirs."""
    match = read_jmjp(JMJP / "unknown-tiles.jmjp")[2]
    config = written(match, "E1-0")["config"]
    assert config["starting_hand"]["south"] == ["2m", "3m"]
    assert config["starting_draws"][::2] == ["8s", "9p", config["starting_draws"][4], config["starting_draws"][6]]
    for game in games(match, "E1-0", number=20):
        assert game.hands["south"][:2] == ["2m", "3m"]
        assert game.hands["north"] == faces("4m2z2z3z3z4z4z5z5z6z6z7z7z")
        assert game.live[: len(config["starting_draws"])] == config["starting_draws"]


def test_fourteenth() -> None:
    """A dealer's fourteenth tile is the first draw."""
    match = fixture("fourteen-tile-dealer.jmjp")
    config = written(match, "E1-0")["config"]
    assert config["starting_draws"] == ["9m", "8p"]
    assert len(config["starting_hand"]["east"]) == 13


def test_same_every_time() -> None:
    """The gaps are filled at random, but the same frame always gives the same text, and another frame another."""
    kans = fixture("four-kans.xml")
    first, second = (write_riichi_advanced(kans, "E1-0", wall=None) for _ in range(2))
    assert first == second
    frames = [replace(MATCH.frames[0], start=replace(MATCH.frames[0].start, honba=honba)) for honba in (0, 1)]
    match = replace(MATCH, frames=tuple(frames))
    first, second = (written(match, f"E1-{honba}")["config"]["starting_dead_wall"] for honba in (0, 1))
    assert first[4] == second[4] == name(WALLS[0].indicators[0], red_fives=True)
    assert first[:4] != second[:4]


@pytest.mark.parametrize(
    ("values", "key", "remark"),
    [
        ({"dice": None}, "starting_dice", "dice unknown: Riichi Advanced rolls them"),
        ({"dice": 7}, "starting_dice", "dice unknown: Riichi Advanced rolls them"),
        ({"points": None}, "after_initialization", "points unknown: every player starts with 25000"),
        ({"sticks": None}, "after_initialization", "riichi sticks unknown: none on the table"),
        ({"chips": (0, 0, 0, 0)}, "after_initialization", "chips left out"),
    ],
)
def test_unknown(values: dict[str, Any], key: str, remark: str) -> None:
    """What the record lacks is left to the game and reported."""
    start = replace(MATCH.frames[0].start, **values)
    match = replace(MATCH, frames=(replace(MATCH.frames[0], start=start),))
    assert key not in written(match, "E1-0")["config"]
    assert said(match, "E1-0")[1:] == [remark]


@pytest.mark.parametrize(
    ("rules", "remark"),
    [
        (Rules(), "the rules are not recorded"),
        (Rules(code=0x09), "the lobby is not recorded, and private ones may use custom rules"),
        (Rules(code=0x09, lobby=1234), "a private lobby may use custom rules"),
        (Rules(code=0x209, lobby=0), "the table uses custom rules"),
    ],
)
def test_own_rules(rules: Rules, remark: str) -> None:
    """If other rules may have applied, it is reported."""
    match = replace(MATCH, rules=rules)
    assert said(match, "E1-0", wall=WALLS[0]) == [f"{remark}: standard Tenhou rules used where unknown"]


# --- rejected frames -------------------------------------------------------------------------------------------------

TWICE = replace(MATCH, frames=(*MATCH.frames, MATCH.frames[0]))
REFUSED = {
    "no such frame": (MATCH, "E1-1", "there is no frame E1-1; frames: E1-0, E4-2, S2-0"),
    "no frame": (replace(MATCH, frames=()), "E1-0", "there is no frame E1-0; frames: none"),
    "lower case": (MATCH, "e1-0", "there is no frame e1-0; frames: E1-0, E4-2, S2-0"),
    "twice": (TWICE, "E1-0", "2 frames are named E1-0; cannot tell which is meant"),
    "three players": (
        replace(MATCH, rules=Rules(players=3)),
        *("E1-0", "riichi-advanced cannot hold three-player games"),
    ),
    "no play": (
        read_jmjp(JMJP / "frame-id-only.jmjp")[0],
        *("S3-12", "frame S3-12 lacks a record of its play, so there are no hands to deal"),
    ),
}


@pytest.mark.parametrize(("match", "frame", "message"), REFUSED.values(), ids=REFUSED)
@pytest.mark.parametrize("ask", [written, config_of, said])
def test_rejected(match: Match, frame: str, message: str, ask: Any) -> None:
    """A frame that cannot be written is rejected in one line, and has no remarks."""
    with pytest.raises(FormatError) as refused:
        ask(match, frame)
    assert str(refused.value) == message


def test_frame_number() -> None:
    """The number of a frame is its index in the match, and that of its wall."""
    assert [frame_number(MATCH, frame) for frame in NAMES] == [0, 1, 2]
    assert frame_number(TWICE, "S2-0") == 2


def test_round() -> None:
    """The name of a round stands for its first frame; a remark says so only if it has several."""
    first, *others = MATCH.frames
    match = replace(MATCH, frames=(first, replace(first, start=replace(first.start, honba=1)), *others))
    for round_, first_hand in (("E1", "E1-0"), ("E4", "E4-2"), ("S2", "S2-0")):
        assert frame_number(match, round_) == frame_number(match, first_hand)
        more = ["only the first of several hands of the round"] if round_ == "E1" else []
        assert said(match, round_) == [*more, *said(match, first_hand)]
        assert written(match, round_) == written(match, first_hand)


FRAME_OPTION: Any = FORMATS["riichi-advanced"].options[0]


@pytest.mark.parametrize(("frame", "spelling"), table("riichi_advanced_writer", "spelling_of_a_frame"))
def test_spelling_of_a_frame(frame: str, spelling: str) -> None:
    """A frame is named as users write it: with small letters, in words, in Japanese."""
    assert FRAME_OPTION.parse(spelling) == frame


@pytest.mark.parametrize("given", table("riichi_advanced_writer", "no_name_of_a_frame"))
def test_no_name_of_a_frame(given: str) -> None:
    """Anything else is refused as it was given; digits that may be the round's or the honba are not guessed."""
    with pytest.raises(ConvertError) as refused:
        FRAME_OPTION.parse(given)
    assert str(refused.value) == f"invalid frame {given!r}; expected a name such as E3-1 (East 3, 1 honba)"


@pytest.mark.parametrize(
    "change",
    [
        {"starting_round": 16},
        {"starting_draws": ["10m"]},
        {"starting_draws": ["1m"] * 71},
        {"starting_dead_wall": ["1z"] * 15},
        {"starting_dice": [7, 1]},
        {"starting_dice": [1]},
        {"starting_hand": {}},
        {"sudden_death_goal": 30000},
        {"initial_score": 25050},
        {"dora": "1m"},
        {"after_initialization": {"actions": []}},
        {"after_initialization": {"actions": [["add_score", 100, "self"]]}},
        {"after_initialization": {"actions": [["add_score", 0, "east"]]}},
        {"after_initialization": {"actions": [["add_to_pot", 500]]}},
        {"after_initialization": {"actions": [["draw"]]}},
    ],
    ids=str,
)
def test_schema(change: dict[str, Any]) -> None:
    """The schema is valid, and tells invalid configs from valid ones."""
    Draft202012Validator.check_schema(SCHEMA)
    config = config_of(MATCH, "E1-0", wall=WALLS[0])
    assert Draft202012Validator(SCHEMA).is_valid(config)
    assert not CONFIG.is_valid(config | change)
    assert not Draft202012Validator(SCHEMA).is_valid(config | change)


# --- every fixture ---------------------------------------------------------------------------------------------------


def test_fixtures(valid_inputs: list[Path]) -> None:
    """Every frame of every invented log is dealt back as far as it is known, and also from its jmjp."""
    for match in map(read_mjlog, valid_inputs):
        (other,) = read_jmjp(write_jmjp(match).encode())
        for frame in match.frames:
            for source in (match, other):
                expect_known(source, frame, match)


def expect_known(source: Match, frame: Frame, match: Match) -> Compared:
    """Deal a *frame* of *match* from what is known of it in *source*, with two random seeds; return what was found."""
    played = frame if source is match else without_indicators(frame)
    for game in games(source, frame.start.name):
        assert frame.start.dice in (game.dice, None)
        expect_table(game, frame)
        expect_dora(game, frame)
        compared = expect_frame(game, played, red_fives=match.rules.red_fives != NO_REDS)
    return compared


def expect_dora(game: Game, frame: Frame) -> None:
    """Compare the indicators in *game* with the dora of *frame*: jmjp holds no more of them."""
    assert frame.dora is not None
    for number, tile in enumerate(frame.dora):
        indicator = (game.ura if number % 2 else game.indicator)(number // 2)
        assert tile in (UNKNOWN, dora(IDS[indicator]))


def without_indicators(frame: Frame) -> Frame:
    """Return *frame* without what jmjp does not hold."""
    start = replace(frame.start, indicator=None)
    events = [event for event in frame.events if isinstance(event, Draw) or type(event).__name__.endswith("kan")]
    return replace(frame, start=start, events=tuple(events))


# --- real logs -------------------------------------------------------------------------------------------------------

real = pytest.mark.skipif(not ROWS, reason="there are no real logs in ../shared/mjlog")
each_log = pytest.mark.parametrize("path", FOUR, ids=lambda path: path.name)
WALLED = [path for path in FOUR if path.name not in ROWS or "seed-verified" in ROWS[path.name]["tags"].split(";")]
LEAST = Compared(draws=58_000, replacements=140, indicators=1_390, ura=460)
"""The least that the real logs with a wall deal back, in total."""


@cache
def verified(path: Path) -> tuple[Match, list[Wall] | None]:
    """Return the match of a log, and its walls if they are verified."""
    match = read_mjlog(path)
    try:
        return match, verified_walls(match)
    except WallError:
        return match, None


@cache
def from_wall(path: Path) -> list[Compared]:
    """Deal every frame of a log back from its wall, if it has one; return what was compared, by frame."""
    match, walls_ = verified(path)
    red_fives = match.rules.red_fives != NO_REDS
    compared = []
    for frame, wall in zip(match.frames, walls_ or (), strict=walls_ is not None):
        game, other = games(match, frame.start.name, wall=wall)
        assert game == other
        assert (game.dice, game.ends([25000] * 4)) == (frame.start.dice, True)
        assert game.tiles() == Counter(name(tile, red_fives=red_fives) for tile in range(136))
        expect_table(game, frame)
        compared.append(expect_frame(game, frame, red_fives=red_fives))
    return compared


@real
@each_log
def test_real_wall(path: Path) -> None:
    """Every frame of a real log with a wall is dealt back from it, to the last tile that the log shows."""
    match, walls_ = verified(path)
    assert (walls_ is not None) == (path in WALLED)
    assert len(from_wall(path)) == (0 if walls_ is None else len(match.frames))


@real
@pytest.mark.long
def test_real_walls() -> None:
    """All real logs together show enough of their walls."""
    compared = [frame for path in FOUR for frame in from_wall(path)]
    assert len(compared) > 1_200
    for most, least in zip(map(sum, zip(*compared, strict=True)), LEAST, strict=True):
        assert most >= least


@real
@each_log
def test_real_known(path: Path) -> None:
    """Without its wall, every tile that a real log shows is in its place."""
    match, _ = verified(path)
    for frame in match.frames:
        expect_known(match, frame, match)


@real
@pytest.mark.parametrize("path", WALLED, ids=lambda path: path.name)
def test_real_jmjp_with_all_dora(path: Path) -> None:
    """From a jmjp with the dora of the wall, all ten indicators give their dora."""
    match, _ = verified(path)
    full = with_wall(match)
    assert full.frames
    (source,) = read_jmjp(write_jmjp(full).encode())
    for frame in full.frames:
        expect_known(source, frame, full)
        assert not [line for line in said(source, frame.start.name) if "14 in the dead wall" in line]
