"""The table of all lines and objects by their keys, for both directions.

Keys are named as in the model; a tile is the number of a physical one, or a face; anything unknown is left out.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from operator import attrgetter
from typing import Any

from jmjp_convert.formats.bounds import A_COUNT, MOST, MOST_HAN, MOST_POINTS
from jmjp_convert.formats.json.kinds import (
    PLAYER,
    TILE,
    TILES,
    ByPlayer,
    Each,
    Field,
    Kind,
    OneOf,
    OrNull,
    Record,
    Tiles,
    Words,
    getter,
    group,
    optional,
    record,
    some,
    text,
    typed,
    whole,
)
from jmjp_convert.formats.json_text import quoted
from jmjp_convert.formats.json_values import expected
from jmjp_convert.model import (
    DISCARDS,
    DORA,
    DRAWS,
    Ankan,
    Chi,
    Daiminkan,
    Discard,
    Disconnected,
    DoraRevealed,
    Draw,
    DrawKind,
    End,
    Hand,
    House,
    Kakan,
    Kita,
    Limit,
    Match,
    Name,
    Note,
    Player,
    PointRule,
    Pon,
    RecordedWall,
    Recorder,
    Returned,
    RiichiAccepted,
    RiichiDeclared,
    Rules,
    Ryuukyoku,
    Score,
    Shuffle,
    ShuffleForm,
    Start,
    Text,
    Thinking,
    Tournament,
    Win,
    Yaku,
    dates,
    handle,
    log_ids,
    tenhou,
)
from jmjp_convert.model.match import LINE as LINE_PATTERN
from jmjp_convert.model.match import LINE_SAID
from jmjp_convert.model.record import replace
from jmjp_convert.model.tiles import COPIES, NO_REDS, RedFives
from jmjp_convert.model.yaku import NAMES, WORD
from jmjp_convert.play.position import DEALT

FORMAT = "riichi-events"
VERSION = 1


# --- numbers and texts -----------------------------------------------------------------------------------------------

BOOLEAN = Kind("boolean", "true or false", lambda value: type(value) is bool)
NAME = text("name", "a non-empty string without lone surrogates", "(?s:[^\ud800-\udfff]+)")
STRING = text("string", "a string without lone surrogates", "(?s:[^\ud800-\udfff]*)")
LINE = text("line", LINE_SAID, LINE_PATTERN)
WHOLE = whole("whole", "a whole number of at most nine digits")
COUNT = whole("count", A_COUNT, 0)
POINTS = whole("points", "points, a multiple of 100 such as 25000", -MOST_POINTS, MOST_POINTS, step=100)
WORTH = whole("worth", "points of a win, 0 or more, a multiple of 100", 0, MOST_POINTS, step=100)
PLAYERS = whole("players", "3 or 4 players", 3, 4)
ROUND = whole("round", "a round, 0 to 15", 0, 15)
HAN = whole("han", f"a number of han, 0 to {MOST_HAN}", 0, MOST_HAN)
YAKU_NUMBER = whole("yaku_number", f"a yaku number, 0 to {len(NAMES) - 1}", 0, len(NAMES) - 1)
SECONDS = whole("seconds", "a time in seconds since 1970, a whole number of at most eleven digits", 0, 99_999_999_999)
RATING = Kind(
    "rating",
    "a rating, a number of at most nine digits before the decimal point",
    lambda value: type(value) in (int, float) and abs(value) < MOST + 1,
)
YEAR = whole("year", "a year, 0 to 9999", 0, 9999)
ALGORITHM = text("algorithm", '"md5" or "sha256"', "md5|sha256")
DECIMAL = text("decimal", 'a number as a string, such as "-1.5"', tenhou.DECIMAL.pattern)
DATE = text("date", "a date, YYYYMMDD", dates.DATE)
TIME = text("time", "a time, HHMM", dates.TIME)
WEEKDAY = text("weekday", "a weekday, sun to sat", "|".join(dates.WEEKDAYS))
LOG_ID = Kind("log_id", "a log ID", lambda value: type(value) is str and log_ids.identify(value) is not None)
RED_FIVES = Kind(
    "red_fives",
    "the red fives of man, pin and sou, three numbers from 0 to 4",
    lambda value: (
        type(value) is list and len(value) == len(NO_REDS) and all(type(n) is int and 0 <= n <= COPIES for n in value)
    ),
    lambda value: RedFives(*value),
    list,
)


def _is_dice(value: Any) -> bool:
    if type(value) is list and len(value) == 2:  # noqa: PLR2004
        return all(type(die) is int and die in range(1, 7) for die in value)
    return type(value) is int and value in range(2, 13)


_HEX = re.compile("(?:[0-9a-f]{2})*")
BYTES = Kind(
    "bytes",
    "bytes as lower-case hex digits",
    lambda value: type(value) is str and _HEX.fullmatch(value) is not None,
    bytes.fromhex,
    bytes.hex,
)
DICE = Kind(
    "dice", "two dice, 1 to 6 each, or their sum", _is_dice, lambda dice: tuple(dice) if type(dice) is list else dice
)

# --- texts and names -------------------------------------------------------------------------------------------------

TEXT = record(Text, "text", native=optional(STRING), roman=optional(STRING))
FULL_NAME = record(Name, "full_name", family=optional(TEXT), given=optional(TEXT))


def _named(make: Callable[..., Player | Recorder], name: str, /, **fields: Kind | Field) -> Record:
    """Return the kind of records that *make* makes from a full name and *fields*.

    The name is a string; the full name is given only if it says more. :mod:`.reader` checks that they agree.
    """

    def made(name: str | None, full_name: Name | None, *rest: Any) -> Player | Recorder:
        return make(handle(name) if full_name is None else full_name, *rest)

    def values(named: Player | Recorder) -> tuple[Any, ...]:
        more = None if named.full_name == handle(named.name) else named.full_name
        return (named.name, more, *others(named))

    others = getter(*fields)
    return Record(made, name, {"name": optional(NAME), "full_name": optional(FULL_NAME), **fields}, values=values)


# --- events ----------------------------------------------------------------------------------------------------------

PON = typed(Pon, "pon", player=PLAYER, taken=TILE, hand=Tiles(2), source=PLAYER)

MELDS = {
    Chi: typed(Chi, "chi", player=PLAYER, taken=TILE, hand=Tiles(2), source=PLAYER),
    Pon: PON,
    Daiminkan: typed(Daiminkan, "daiminkan", player=PLAYER, taken=TILE, hand=Tiles(3), source=PLAYER),
    Kakan: typed(Kakan, "kakan", player=PLAYER, tile=TILE, pon=OneOf("pon", "a pon", {Pon: PON})),
    Ankan: typed(Ankan, "ankan", player=PLAYER, tiles=Tiles(4)),
    Kita: typed(Kita, "kita", player=PLAYER, tile=TILE),
}

MELD = OneOf("meld", "a meld", MELDS)

PRESENCE = {
    Disconnected: typed(Disconnected, "disconnected", player=PLAYER),
    Returned: typed(Returned, "returned", player=PLAYER, name=optional(STRING)),
}


_WORD = re.compile(WORD).fullmatch


def _yaku(number: int | None, name: str, han: int | None) -> Yaku:
    if number is None:
        if not _WORD(name):
            raise expected("a name of at most 64 characters, without quotes", name).under("name")
        return Yaku(None, han, name)
    if name != NAMES[number].romaji:
        raise expected(quoted(NAMES[number].romaji), name).under("name")
    return Yaku(number, han)


YAKU = Record(
    _yaku,
    "yaku",
    {"number": optional(YAKU_NUMBER), "name": STRING, "han": optional(HAN)},
    values=attrgetter("number", "romaji", "han"),
)

SCORE = record(
    Score,
    "score",
    fu=optional(COUNT),
    points=WORTH,
    limit=Words("limit", Limit),
    yaku=some(Each(YAKU)),
    han_alone=optional(COUNT),
)

EVENTS = {
    Draw: typed(lambda player, tile: DRAWS[player][tile], "draw", player=PLAYER, tile=TILE),
    Discard: typed(
        lambda player, tile, tsumogiri: DISCARDS[tsumogiri][player][tile],
        "discard",
        player=PLAYER,
        tile=TILE,
        tsumogiri=optional(BOOLEAN),
    ),
    **MELDS,
    RiichiDeclared: typed(RiichiDeclared, "riichi", player=PLAYER, open=Field(BOOLEAN, missing=False)),
    RiichiAccepted: typed(RiichiAccepted, "riichi_accepted", player=PLAYER, points=optional(ByPlayer(POINTS))),
    DoraRevealed: typed(DoraRevealed, "dora", indicator=TILE),
    Win: typed(
        Win,
        "win",
        player=PLAYER,
        source=optional(PLAYER),
        tile=TILE,
        score=optional(SCORE),
        pao=some(Each(PLAYER)),
        ura=some(Tiles()),
        sticks=optional(COUNT),
        before=optional(ByPlayer(POINTS)),
        changes=optional(ByPlayer(POINTS)),
        hand=optional(Tiles()),
        melds=optional(Each(MELD)),
        indicators=optional(Tiles()),
        chips=optional(ByPlayer(WHOLE)),
        chip_yaku=some(Each(group("yaku_chips", yaku=WHOLE, chips=WHOLE))),
        honba=optional(COUNT),
    ),
    Ryuukyoku: typed(
        Ryuukyoku,
        "ryuukyoku",
        kind=optional(Words("draw_kind", DrawKind)),
        shown=optional(ByPlayer(OrNull(Tiles()))),
        sticks=optional(COUNT),
        before=optional(ByPlayer(POINTS)),
        changes=optional(ByPlayer(POINTS)),
        chips=optional(ByPlayer(WHOLE)),
        honba=optional(COUNT),
    ),
    **PRESENCE,
}

# --- frames ----------------------------------------------------------------------------------------------------------

FRAME = typed(
    Start,
    "frame",
    round=ROUND,
    honba=COUNT,
    sticks=optional(COUNT),
    dealer=PLAYER,
    dice=optional(DICE),
    points=optional(ByPlayer(POINTS)),
    hands=some(ByPlayer(Tiles(DEALT))),
    indicator=optional(TILE),
    shuffle=optional(STRING),
    chips=optional(ByPlayer(WHOLE)),
    fourteenth=optional(TILE),
    kan_indicators=some(Tiles()),
)

HAND = record(Hand, "hand", tiles=Tiles(), drawn=optional(TILE), melds=some(Each(MELD)))


WALL = record(
    RecordedWall,
    "wall",
    tiles=Tiles(),
    dealt=BOOLEAN,
    hash=optional(STRING),
    algorithm=optional(ALGORITHM),
    salt=optional(STRING),
    salted_hash=optional(STRING),
)

THINKING = record(Thinking, "thinking", time=optional(COUNT), autoplay=Field(BOOLEAN, missing=False))

NOTE = record(Note, "note", after=COUNT, text=LINE)


END_FRAME = Record(
    lambda hands, points, *others: (End(hands, points), *others),
    "end_frame",
    {
        "hands": some(ByPlayer(HAND)),
        "points": optional(ByPlayer(POINTS)),
        "dora": optional(Tiles(DORA)),
        "comment": optional(TEXT),
        "wall": optional(WALL),
        "thinking": some(Each(OrNull(THINKING))),
        "notes": some(Each(NOTE)),
    },
    {"type": "end_frame"},
    attrgetter("end.hands", "end.points", "dora", "comment", "wall", "thinking", "notes"),
)
"""The end of a frame and what is known of all of it: the fields of ``Frame`` after the events."""

# --- the match -------------------------------------------------------------------------------------------------------


def _rules(*values: Any) -> Rules:
    """Return the rules; those with a number are Tenhou's, even if the file names no server."""
    rules = Rules(*values)
    return rules if rules.code is None or rules.house else replace(rules, house=House.TENHOU)


RULES = record(
    _rules,
    "rules",
    players=PLAYERS,
    red_fives=optional(RED_FIVES),
    code=optional(COUNT),
    lobby=optional(COUNT),
    custom=some(Each(group("custom_rule", name=STRING, value=STRING))),
    house=optional(Words("house", House)),
    east_only=optional(BOOLEAN),
)

# One line per field, as in the model.

TOUR_POINTS = group("tour_points", personal=optional(POINTS), team=optional(POINTS))

PERSON = _named(
    Player,
    "person",
    raw_name=optional(BYTES),
    dan=optional(WHOLE),
    rate=optional(RATING),
    sex=optional(STRING),
    gold=optional(WHOLE),
    rc=optional(STRING),
    team=optional(TEXT),
    affiliation=optional(TEXT),
    tour_points=optional(TOUR_POINTS),
    rank=optional(STRING),
    account=optional(WHOLE),
    rank_points=optional(WHOLE),
)

TOURNAMENT = record(
    Tournament,
    "tournament",
    name=optional(TEXT),
    year=optional(YEAR),
    stage=optional(TEXT),
    stage_match=optional(COUNT),
    day_match=optional(COUNT),
)

POINT_RULE = record(
    PointRule,
    "point_rule",
    start=POINTS,
    target=POINTS,
    uma=ByPlayer(POINTS),
    honba=POINTS,
    tenpai=optional(POINTS),
)

FRAME_ID = group("frame_id", round=ROUND, honba=COUNT)
RECORDER = _named(Recorder, "recorder", frames=optional(Each(FRAME_ID)))
SHUFFLE = record(Shuffle, "shuffle", form=Words("shuffle_form", ShuffleForm), seed=optional(STRING))


def _part(fixed: dict[str, Any], /, **fields: Kind | Field) -> Record:
    """Return the kind of lines with some of the fields of a match, read as a dictionary."""
    return Record(lambda *values: dict(zip(fields, values, strict=True)), fixed["type"], fields, fixed)


MATCH = _part(
    {"type": "match", "format": FORMAT, "version": VERSION},
    rules=RULES,
    players=ByPlayer(PERSON),
    id=optional(LOG_ID),
    source=optional(STRING),
    tournament=optional(TOURNAMENT),
    date=optional(DATE),
    weekday=optional(WEEKDAY),
    time=optional(TIME),
    place=optional(TEXT),
    recorders=some(Each(RECORDER)),
    shuffle=optional(SHUFFLE),
    point_rule=optional(POINT_RULE),
    started=optional(SECONDS),
)
"""What is known of a match before its frames."""

END_MATCH = _part(
    {"type": "end_match"},
    final_points=optional(ByPlayer(POINTS)),
    results=optional(ByPlayer(POINTS)),
    tour_points=optional(ByPlayer(TOUR_POINTS)),
    chips=optional(ByPlayer(group("chips_worth", chips=WHOLE, worth=DECIMAL))),
    ratio=optional(STRING),
    ended=optional(SECONDS),
    rank_changes=optional(ByPlayer(WHOLE)),
    yakitori=optional(ByPlayer(POINTS)),
)
"""What is known of a match only after its frames."""

# --- which lines may come where --------------------------------------------------------------------------------------

FIRST = OneOf("", '"match"', {Match: MATCH})
BEFORE = OneOf("", '"disconnected", "returned", "frame" or "end_match"', {**PRESENCE, Start: FRAME, Match: END_MATCH})
BETWEEN = OneOf("", '"frame" or "end_match"', {Start: FRAME, Match: END_MATCH})
PLAY = OneOf("", 'an event or "end_frame"', {**EVENTS, End: END_FRAME})
UNPLAYED = OneOf("", '"disconnected", "returned" or "end_frame" (no hands are dealt)', {**PRESENCE, End: END_FRAME})

# --- the most frequent lines, 93 % -----------------------------------------------------------------------------------


def _lines(word: str, more: str = "") -> tuple[tuple[str, ...], ...]:
    """Return the lines of all draws or discards, by player and tile ID, each with the keys *more* at its end."""
    named = [f'"{tile}"' if isinstance(tile, str) else tile for tile in TILES]
    return tuple(
        tuple([f'{{"type":"{word}","player":{player},"tile":{tile}{more}}}' for tile in named]) for player in range(4)
    )


DRAW_LINES = _lines("draw")
"""The lines of draws, by player and tile ID."""

DISCARD_LINES = {
    True: _lines("discard", ',"tsumogiri":true'),
    False: _lines("discard", ',"tsumogiri":false'),
    None: _lines("discard"),
}
"""The lines of discards, by whether they are tsumogiri, then by player and tile ID."""
