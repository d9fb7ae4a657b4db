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
from ra_dealing import SEATS, Game, deal, expect_frame, expect_table, name, ruleset_wall
from tables import table
from test_real_logs import FOUR, ROWS

from jmjp_convert.checks.wall import seeded_walls as walls
from jmjp_convert.checks.wall import verified_walls, with_wall
from jmjp_convert.errors import ConvertError, WallError
from jmjp_convert.formats import FORMATS
from jmjp_convert.formats.jmjp.reader import read_jmjp
from jmjp_convert.formats.jmjp.writer import write_jmjp
from jmjp_convert.formats.mjlog.reader import read_mjlog
from jmjp_convert.formats.riichi_advanced.writer import remarks, write_riichi_advanced
from jmjp_convert.model import Draw, End, Frame, Match, Player, Rules, Shuffle, ShuffleForm, Start, Wall
from jmjp_convert.model.record import replace
from jmjp_convert.model.tiles import NO_REDS, UNKNOWN, dora

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


def test_red_fives() -> None:
    """Without red fives there is no mod `aka`; with it, the game would lack three fives without an error."""
    match = replace(MATCH, rules=replace(RULES, red_fives=NO_REDS))
    tutorial = written(match, "E1-0", wall=WALLS[0])
    assert "0" not in {tile[0] for tile in chain(*tutorial["config"]["starting_hand"].values())}
    assert not deal(tutorial["config"], tutorial["mods"]).warnings
    assert deal(tutorial["config"], written(MATCH, "E1-0")["mods"]).warnings == Counter(["5m", "5p", "5s"])


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


def test_same_every_time() -> None:
    """The gaps are filled at random, but the same frame always gives the same text, and another frame another."""
    kans = read_mjlog(VALID / "four-kans.xml")
    first, second = (write_riichi_advanced(kans, "E1-0", wall=None) for _ in range(2))
    assert first == second
    frames = [replace(MATCH.frames[0], start=replace(MATCH.frames[0].start, honba=honba)) for honba in (0, 1)]
    match = replace(MATCH, frames=tuple(frames))
    first, second = (written(match, f"E1-{honba}")["config"]["starting_dead_wall"] for honba in (0, 1))
    assert first[4] == second[4] == name(WALLS[0].indicators[0], red_fives=True)
    assert first[:4] != second[:4]


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


@pytest.mark.parametrize("change", table("riichi_advanced_writer", "schema"), ids=str)
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


def expect_known(source: Match, frame: Frame, match: Match) -> None:
    """Deal a *frame* of *match* from what is known of it in *source*, with two random seeds."""
    played = frame if source is match else without_indicators(frame)
    for game in games(source, frame.start.name):
        assert frame.start.dice in (game.dice, None)
        expect_table(game, frame)
        expect_dora(game, frame)
        expect_frame(game, played, red_fives=match.rules.red_fives != NO_REDS)


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


@cache
def verified(path: Path) -> tuple[Match, list[Wall] | None]:
    """Return the match of a log, and its walls if they are verified."""
    match = read_mjlog(path)
    try:
        return match, verified_walls(match)
    except WallError:
        return match, None


@real
@each_log
def test_real_wall(path: Path) -> None:
    """Every frame of a real log with a wall is dealt back from it, to the last tile that the log shows."""
    match, walls_ = verified(path)
    assert (walls_ is not None) == (path in WALLED)
    red_fives = match.rules.red_fives != NO_REDS
    for frame, wall in zip(match.frames, walls_ or (), strict=walls_ is not None):
        game, other = games(match, frame.start.name, wall=wall)
        assert game == other
        assert (game.dice, game.ends([25000] * 4)) == (frame.start.dice, True)
        assert game.tiles() == Counter(name(tile, red_fives=red_fives) for tile in range(136))
        expect_table(game, frame)
        expect_frame(game, frame, red_fives=red_fives)


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
