"""Reads the head of a record: players, rules, room, time and results."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from typing import NamedTuple

from jmjp_convert.formats.assembly import fives_of_frames
from jmjp_convert.formats.frame_builder import FrameBuilder
from jmjp_convert.formats.json_text import quoted
from jmjp_convert.formats.json_values import At, optional
from jmjp_convert.formats.mahjong_soul.messages import MOST_NUMBER, items, message, number, text
from jmjp_convert.formats.mahjong_soul.notation import MODES_BY_ROOM, MODES_BY_RULE, Mode, rank
from jmjp_convert.formats.session import Notice
from jmjp_convert.model import (
    SEATS,
    THREE_PLAYERS,
    House,
    Match,
    Player,
    PointRule,
    Rules,
    Text,
    Tournament,
    handle,
    houses,
    log_ids,
)
from jmjp_convert.model.record import replace
from jmjp_convert.model.tiles import NO_REDS, ONE_RED_EACH, RedFives
from jmjp_convert.play.points import STICK
from jmjp_convert.play.red_fives import fives_among, inferred

_TWO = 2
_FRIENDS, _MATCHMAKING, _CONTEST = 1, 2, 4
"""The categories of games."""

_ZONES = (8, 9)
"""The hours by which the time of a game may be ahead of UTC: China's, or Japan's."""

_START = {SEATS: 25_000, THREE_PLAYERS: 35_000}
_TO_WIN = {SEATS: 30_000, THREE_PLAYERS: 40_000}
_UMA = {SEATS: (15_000, 5_000, -5_000, -15_000), THREE_PLAYERS: (15_000, 0, -15_000)}
_HONBA = {SEATS: 300, THREE_PLAYERS: 200}
_TENPAI = {SEATS: (1_000, 1_500, 3_000), THREE_PLAYERS: (1_000, 2_000)}
"""What each noten player pays if one, two or three players are tenpai."""
_SHARES = ("shunweima_2", "shunweima_3", "shunweima_4")


def refused(mode: Mode | str) -> str:
    """Return the message for a game of a special *mode*."""
    return f"the game is of a special mode ({mode}), which the model cannot hold"


class Head(NamedTuple):
    """What the head says."""

    match: Match  # the match without its frames; the rules lack the red fives, the tournament its name
    room: str | None = None  # the name of the room; None: unknown
    mode: int = 0  # the last digit of the mode
    red_fives: int | None = None  # their number; None: not recorded
    open_tanyao: bool = True  # whether tanyao may be open
    # What each honba adds to a tsumo if the part of the missing fourth player is split between the others; None: that
    # part is not paid. Sources disagree whether the points of such a win that a record has include it
    # (GrandDawn/majsoul-replay-editor) or not (Equim-chan/tensoul); the payments do.
    split_honba: int | None = None


def without_head(players: int) -> Head:
    """Return what is known of a game of *players* without a head."""
    return Head(Match(Rules(players, None, house=House.MAHJONG_SOUL), (Player(),) * players, ()))


def read_head(head: At, notice: Notice) -> Head:
    """Return what *head* says.

    :raises WrongValue: it has an invalid value, or is of a game that the model cannot hold.
    """
    config = message(head, "config")
    mode, meta = message(config, "mode"), message(config, "meta")
    rules = _recorded(message(mode, "detail_rule"))
    kind, room = number(mode, "mode"), number(meta, "mode_id")
    if number(message(mode, "testing_environment"), "paixing"):
        raise mode.wrong("the game is of a test table with a made-up wall")
    _expect_usual(rules, meta, room)
    if kind // 10 == _TWO:
        raise mode.wrong("the game has two players; 3 or 4 expected")
    if kind // 10 > 1:
        raise mode.wrong(f"unknown mode {kind}; 0 to 9 (four players) or 10 to 19 (three) expected")
    players = THREE_PLAYERS if kind // 10 else SEATS
    category = number(config, "category")
    names = {_FRIENDS: houses.FRIENDLY, _CONTEST: houses.TOURNAMENT}
    room_name = houses.SOUL_ROOMS.get(room) if category == _MATCHMAKING else names.get(category)
    start = number(rules, "init_point") or _START[players]
    log_id, started, ended = text(head, "uuid"), number(head, "start_time"), number(head, "end_time")
    identity = log_ids.identify(log_id)
    if log_id and (identity is None or identity.house is not House.MAHJONG_SOUL):
        notice(f"{quoted(log_id)} is not a log ID of Mahjong Soul, and is ignored")
        log_id, identity = "", None
    day = None if identity is None else identity.date
    date, time = _date_and_time(started, day) if started else (day, None)
    points, results, changes = _results(head, players)
    title = _custom_rules_title(category, room, room_name)
    custom = (*(((houses.GAME if rules.value else "title", title),) if title else ()), *_custom(rules, players))
    honba = _number_set(rules, "changbang_value", _HONBA[players])
    match = Match(
        Rules(players, None, None, None if custom or category != _MATCHMAKING else 0, custom, House.MAHJONG_SOUL),
        _players(head, players),
        (),
        id=log_id or None,
        date=date,
        time=time,
        point_rule=PointRule(
            start,
            number(rules, "jingsuanyuandian") or start,
            _uma(rules, players),
            honba,
            _tenpai(rules, players),
        ),
        final_points=points,
        results=results,
        rank_changes=changes,
        started=started or None,
        ended=ended or None,
    )
    reds = number(rules, "dora_count") if rules.get("dora_count") else None
    open_tanyao = not rules.value or number(rules, "shiduan") != 0
    split_honba = honba if houses.NO_TSUMO_LOSS in custom else None
    return Head(match, room_name, kind % 10, reds, open_tanyao, split_honba)


def _expect_usual(rules: At, meta: At, room: int) -> None:
    """Check that no rule and no room is that of a special mode."""
    for key, value in rules.object().items():
        if key in MODES_BY_RULE and value:
            raise rules.wrong(refused(MODES_BY_RULE[key]))
    if room in MODES_BY_ROOM:
        raise meta.wrong(refused(MODES_BY_ROOM[room]))
    stick = _number_set(rules, _TOURNAMENT, STICK)
    if stick != STICK:
        raise rules.wrong(f"a riichi stick is worth {stick} points; {STICK} expected")


def finished(head: Head, frames: Sequence[FrameBuilder], all_tiles: Sequence[int]) -> Match:
    """Return the match with what depends on its *frames*: the red fives, and the name of the rules.

    :param all_tiles: the tiles of a whole set, if a wall is recorded.
    """
    match = head.match
    reds = _red_fives(head, frames, all_tiles)
    rules = replace(match.rules, red_fives=reds)
    if head.room is None:
        return replace(match, rules=rules)
    name = houses.mahjong_soul_name(
        head.room, players=rules.players, mode=head.mode, open_tanyao=head.open_tanyao, red_fives=any(reds or ())
    )
    return replace(match, rules=rules, tournament=Tournament(Text(name)))


_RED_FIVES = {0: NO_REDS, 2: ONE_RED_EACH, 3: ONE_RED_EACH, 4: RedFives(pin=2)}
"""By their number in the rules: two are those of three players, who play without 5m."""


def _red_fives(head: Head, frames: Sequence[FrameBuilder], all_tiles: Sequence[int]) -> RedFives | None:
    """Return how many fives are red. The heads of ranked games do not say it; the tiles do."""
    fives = fives_among(all_tiles) if all_tiles else fives_of_frames(frames)
    known = None if all_tiles or head.red_fives is None else _RED_FIVES.get(head.red_fives)
    return known or inferred(fives, head.match.rules.players)


# --- players and results ----------------------------------------------------------------------------------------------


def _players(head: At, count: int) -> tuple[Player, ...]:
    """Return the players by seat. Seats without an account are those of computers."""
    players: dict[int, Player] = {}
    for key in ("accounts", "robots"):
        for account in items(head, key):
            seat = number(account, "seat", count - 1)
            if seat in players:
                raise account.wrong(f"seat {seat} has two players")
            robot = Player(handle(text(account, "nickname") or "AI"), sex="C")
            players[seat] = _player(account, count) if key == "accounts" else robot
    return tuple([players.get(seat) or Player(handle("AI"), sex="C") for seat in range(count)])


def _player(account: At, count: int) -> Player:
    level = message(account, "level" if count == SEATS else "level3")
    level_id = number(level, "id")
    return Player(
        handle(text(account, "nickname")),
        rank=rank(level_id) if level_id else None,
        account=number(account, "account_id") or None,
        rank_points=number(level, "score") if level_id else None,
    )


def _results(head: At, players: int) -> tuple[tuple[int, ...] | None, tuple[int, ...] | None, tuple[int, ...] | None]:
    """Return the final points, results and changes of rank points by player; ``None`` where they are not recorded."""
    placed = items(message(head, "result"), "players")
    by_seat = {number(player, "seat", players - 1): player for player in placed}
    if not by_seat:
        return None, None, None
    if len(by_seat) != players:
        raise message(head, "result").wrong(f"results of {len(by_seat)} players; {players} expected")
    points, results, changes = (
        tuple([_signed(by_seat[seat], key) for seat in range(players)])
        for key in ("part_point_1", "total_point", "grading_score")
    )
    for seat in range(players):
        for key in ("part_point_1", "total_point"):
            optional(by_seat[seat].get(key), At.points)
    return points, results, changes if any(changes) else None


def _signed(values: At, key: str) -> int:
    value = values.get(key)
    return 0 if value is None else value.number("a whole number", -MOST_NUMBER, MOST_NUMBER)


# --- rules ------------------------------------------------------------------------------------------------------------


def _custom_rules_title(category: int, number_: int, room: str | None) -> str:
    """Return the name of a room of which the rules are not those of ranked games; empty if it is one of these, or not
    recorded."""
    known = None if room is None else houses.named_rules(room, SEATS, red_fives=None)
    if category == _MATCHMAKING and known is not None and not known.custom:
        return ""
    if category == _MATCHMAKING and room is None:
        return f"mode {number_}"
    return room or (f"category {category}" if category else "")


def _uma(rules: At, players: int) -> tuple[int, ...]:
    shares = [_signed(rules, key) for key in _SHARES[: players - 1]]
    return (-sum(shares), *shares) if any(shares) else _UMA[players]


def _recorded(rules: At) -> At:
    """Return *rules*, empty if they are all zero: ranked games have none recorded, and some programs add zeros."""
    return rules if any(rules.object().values()) else At({}, rules.pointer)


def _number_set(rules: At, key: str, usual: int) -> int:
    """Return a number of the settings of a tournament; the *usual* one if the game has no such settings."""
    return number(rules, key) if number(rules, _TOURNAMENT) else usual


def _tenpai(rules: At, players: int) -> int:
    """Return what is paid for tenpai in all, as usual unless another sum is set."""
    usual = _TENPAI[players]
    paid = [_number_set(rules, f"noting_fafu_{count}", each) for count, each in enumerate(usual, 1)]
    sums = {each * (players - count) for count, each in enumerate(paid, 1)}
    return sums.pop() if len(sums) == 1 else usual[-1]


def _custom(rules: At, players: int) -> tuple[tuple[str, str], ...]:
    """Return the settings that differ from those of ranked games, by name."""
    custom = []
    for setting in _SETTINGS:
        usual = setting.four if players == SEATS else setting.three
        value = _setting(rules, setting.key)
        if usual not in (None, value) and (value or _counts(rules, setting.zero)):
            custom.append((setting.key, str(value)))
    return tuple(custom)


def _setting(rules: At, key: str) -> int:
    value = rules.get(key)
    if value is not None and type(value.value) is bool:
        return int(value.value)
    return _signed(rules, key)


def _counts(rules: At, zero: str | None) -> bool:
    """Return whether the zero of a setting, which may be left out, is a setting rather than nothing set."""
    return zero is not None and bool(_setting(rules, zero) if zero else rules.value)


class _Setting(NamedTuple):
    """A setting of a private game."""

    key: str
    four: int | None  # what it is in ranked games of four players; None: it does not apply
    three: int | None  # the same for three
    # Another setting; if that is set, zero is a setting here too. Empty: any. None: zero is never one.
    zero: str | None = None


_TOURNAMENT = "liqibang_value"
"""The setting that all tournaments have which set more than friends can."""

_SETTINGS = (
    _Setting("dora_count", SEATS - 1, _TWO),
    _Setting("shiduan", 1, 1, ""),
    _Setting("init_point", _START[SEATS], _START[THREE_PLAYERS]),
    _Setting("fandian", _TO_WIN[SEATS], _TO_WIN[THREE_PLAYERS]),
    _Setting("fanfu", 1, 1),
    _Setting("have_zimosun", None, 1, "fanfu"),
    _Setting("jingsuanyuandian", _START[SEATS], _START[THREE_PLAYERS]),
    _Setting("changbang_value", _HONBA[SEATS], _HONBA[THREE_PLAYERS], _TOURNAMENT),
    _Setting("noting_fafu_1", _TENPAI[SEATS][0], _TENPAI[THREE_PLAYERS][0], _TOURNAMENT),
    _Setting("noting_fafu_2", _TENPAI[SEATS][1], _TENPAI[THREE_PLAYERS][1], _TOURNAMENT),
    _Setting("noting_fafu_3", _TENPAI[SEATS][2], None, _TOURNAMENT),
    _Setting("enable_baopai_extend_settings", 1, 1),
    *(
        _Setting(key, 1, 1, _TOURNAMENT)
        for key in (
            *("can_jifei", "have_liujumanguan", "have_biao_dora", "have_gang_biao_dora", "have_li_dora"),
            *("have_gang_li_dora", "have_sifenglianda", "have_sigangsanle", "have_sijializhi", "have_jiuzhongjiupai"),
            *("have_helelianzhuang", "have_helezhongju", "have_tingpailianzhuang", "have_tingpaizhongju", "have_yifa"),
            "have_nanruxiru",
        )
    ),
    *(
        _Setting(key, 0, 0)
        for key in (
            *("tianbian_value", "have_qieshangmanguan", "have_toutiao", "have_sanjiahele"),
            *("ming_dora_immediately_open", *_SHARES, "guyi_mode", "open_hand", "disable_multi_yukaman"),
            *("disable_leijiyiman", "disable_double_yakuman", "disable_composite_yakuman", "enable_shiti"),
            *("enable_nontsumo_liqi", "disable_double_wind_four_fu", "disable_angang_guoshi", "enable_renhe"),
        )
    ),
)
"""The settings that differ from those of ranked games. Source: MajsoulPaipuAnalyzer for those of tournaments."""


def _date_and_time(started: int, day: str | None) -> tuple[str, str]:
    """Return the date and time of the start: in China's time or, if only that gives the *day* of the log ID, Japan's.

    The day of a log ID is not that of UTC, and no record shows which of the two it is.
    """
    start = datetime.fromtimestamp(started, UTC)
    local = [start + timedelta(hours=hours) for hours in _ZONES]
    chosen = next((each for each in local if f"{each:%Y%m%d}" == day), local[0])
    return f"{chosen:%Y%m%d}", f"{chosen:%H%M}"
