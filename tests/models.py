"""Random matches: everything that the model can represent, though hardly ever a possible game."""

from __future__ import annotations

from itertools import cycle, islice
from typing import Any

from hypothesis import strategies as st

from jmjp_convert.model import (
    DISCARDS,
    DRAWS,
    Ankan,
    Chi,
    Daiminkan,
    Disconnected,
    DoraRevealed,
    DrawKind,
    End,
    Frame,
    Hand,
    House,
    Kakan,
    Kita,
    Limit,
    Match,
    Name,
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
    handle,
    tenhou,
)
from jmjp_convert.model.record import fields, replace
from jmjp_convert.model.tiles import IDS, PHYSICAL, UNKNOWN, RedFives
from jmjp_convert.model.yaku import NAMES, WORD

Strategy = st.SearchStrategy[Any]

MOST = 999_999_999


def some(item: Strategy, least: int = 0, most: int = 3) -> Strategy:
    """Return tuples of *item*."""
    return st.lists(item, min_size=least, max_size=most).map(tuple)


def maybe(value: Strategy) -> Strategy:
    """Return *value*, or ``None``."""
    return st.none() | value


characters = st.characters(exclude_categories=["Cs"]) | st.sampled_from('\x00\x1f\x7f\x85\u2028\u2029"\\/😀')
strings = st.text(characters, max_size=5)
whole = st.integers(-9, 99) | st.integers(-MOST, MOST)
counts = st.integers(0, 99) | st.integers(0, MOST)
han = st.integers(0, 999)
points = (st.integers(-500, 1500) | st.integers(-10 * MOST - 9, 10 * MOST + 9)).map(lambda value: 100 * value)
rounds = st.integers(0, 15)
tiles = st.integers(0, PHYSICAL - 1) | st.integers(PHYSICAL, UNKNOWN)
yaku = st.integers(0, len(NAMES) - 1)
words = st.sampled_from(["三色小同刻", "立直", "a / b", "a 包 b", "x-y 2", "a, b: 1"]) | st.from_regex(
    WORD, fullmatch=True
)
seconds = st.integers(0, 99_999_999_999)
ratings = whole | whole.map(lambda value: value / 100) | st.floats(-MOST, MOST)
dice = st.integers(2, 12) | st.tuples(st.integers(1, 6), st.integers(1, 6))
texts = st.builds(Text, maybe(strings), maybe(strings))
names = st.builds(Name, maybe(texts), maybe(texts))
tour_points = st.tuples(maybe(points), maybe(points))
ids = st.sampled_from(
    [
        *("2009081211gm-0061-0000-184f512b", "20090812gm-00c1-10233-x0123456789ab"),
        *("231014-0123abcd-b3f7-4363-966e-25f378860000", "231014-0123abcd-b3f7-4363-966e-25f378860000_a12345678"),
        "abcdefghijklmnopqrst",
    ]
)
dates = st.dates().map(lambda day: f"{day.year:04}{day.month:02}{day.day:02}")
weekdays = st.sampled_from(["sun", "mon", "tue", "wed", "thu", "fri", "sat"])
times = st.times().map(lambda time: f"{time.hour:02}{time.minute:02}")

BY_NAME = {
    **dict.fromkeys(("hash", "salt", "salted_hash", "seed", "sex", "rc", "rank", "shuffle", "ratio"), maybe(strings)),
    **dict.fromkeys(("name", "stage", "team", "affiliation", "place", "comment"), maybe(texts)),
    **dict.fromkeys(("dan", "gold", "account", "rank_points"), maybe(whole)),
    **dict.fromkeys(("stage_match", "day_match", "fu", "han_alone", "lobby", "sticks", "honba"), maybe(counts)),
    **dict.fromkeys(("dealt", "autoplay", "open"), st.booleans()),
    **dict.fromkeys(("tile", "taken"), tiles),
    **dict.fromkeys(("tiles", "ura", "kan_indicators"), some(tiles)),
    **dict.fromkeys(("drawn", "indicator", "fourteenth"), maybe(tiles)),
    **dict.fromkeys(("started", "ended"), maybe(seconds)),
    **dict.fromkeys(("raw_name", "code"), st.none()),
    **dict.fromkeys(("thinking", "notes"), st.just(())),
    "full_name": maybe(names),
    "rate": maybe(ratings),
    "tour_points": maybe(tour_points),
    "limit": st.sampled_from(Limit),
    "year": maybe(st.integers(0, 9999)),
    "algorithm": maybe(st.sampled_from(["md5", "sha256"])),
    "form": st.sampled_from(ShuffleForm),
    "frames": maybe(some(st.tuples(rounds, counts))),
    "red_fives": maybe(st.builds(RedFives, *[st.integers(0, 4)] * 3)),
    "custom": some(st.tuples(strings, strings)),
    "house": maybe(st.sampled_from(House)),
    "east_only": maybe(st.booleans()),
    "dice": maybe(dice),
    "dora": maybe(some(tiles, 10, 10)),
    "chip_yaku": some(st.tuples(whole, whole)),
    "kind": maybe(st.sampled_from(DrawKind)),
    "id": maybe(ids),
    "source": maybe(strings),
    "date": maybe(dates),
    "weekday": maybe(weekdays),
    "time": maybe(times),
}
"""The values of fields that do not depend on the number of players, if their record has no others."""


def record(made: Any, /, **parts: Strategy) -> Strategy:
    """Return records of the class *made*: each field is of *parts* or, if it is not among them, as its name says."""
    assert parts.keys() <= {*fields(made)}
    return st.builds(made, **{name: parts[name] if name in parts else BY_NAME[name] for name in fields(made)})


tournaments, recorders, shuffles = record(Tournament), record(Recorder), record(Shuffle)
walls = record(RecordedWall)
thinking = maybe(record(Thinking, time=maybe(counts)))
persons = record(Player)


def _with_bytes(person: Player, raw: bytes) -> Player:
    """Return *person* with the name in *raw* if it is not UTF-8."""
    text = raw.decode("utf-8", "replace")
    return person if text.encode() == raw else replace(person, full_name=handle(text), raw_name=raw)


persons = persons | st.builds(_with_bytes, persons, st.binary(max_size=5))
known_yaku = st.builds(Yaku, yaku, maybe(han), st.just(""))
scores = record(Score, points=points.map(abs), yaku=some(known_yaku | st.builds(Yaku, st.none(), maybe(han), words)))


def rules(players: int) -> Strategy:
    """Return rules for a number of *players*; Tenhou's rules number determines all others."""
    codes = counts.filter(lambda code: tenhou.players(code) == players)
    free = record(Rules, players=st.just(players))
    return free | st.builds(tenhou.rules, codes, BY_NAME["lobby"], BY_NAME["custom"])


def _with_thinking(frame: Frame, times: list[Thinking | None] | None) -> Frame:
    """Return *frame* with some of the *times*, as many as it has events; ``None``: not recorded."""
    return replace(frame, thinking=tuple(islice(cycle(times or ()), len(frame.events))))


class Parts:
    """The parts of a match with a number of *players*."""

    def __init__(self, players: int) -> None:
        self.players = players
        self.player = st.integers(0, players - 1)
        self.points = maybe(self.each(points))
        self.by_name = {
            "player": self.player,
            **dict.fromkeys(("points", "before", "changes", "final_points", "results", "yakitori"), self.points),
            **dict.fromkeys(("chips", "rank_changes"), maybe(self.each(whole))),
        }
        self.presence = self.record(Disconnected) | self.record(Returned, name=maybe(strings))
        self.meld = self.melds()
        self.event = self.events()
        self.hand = record(Hand, tiles=some(tiles, most=14), melds=some(self.meld))

    def record(self, made: Any, /, **parts: Strategy) -> Strategy:
        """Return records of the class *made*, whose players are those of the match."""
        return record(made, **{name: part for name, part in self.by_name.items() if name in fields(made)} | parts)

    def each(self, item: Strategy) -> Strategy:
        """Return tuples of *item*, one per player."""
        return some(item, self.players, self.players)

    def point_rules(self) -> Strategy:
        """Return rules of points."""
        uma = self.each(points)
        return record(PointRule, start=points, target=points, uma=uma, honba=points, tenpai=maybe(points))

    def melds(self) -> Strategy:
        """Return melds with any tiles."""
        chi, pon, daiminkan = (
            self.record(kind, hand=some(tiles, count, count), source=self.player)
            for kind, count in ((Chi, 2), (Pon, 2), (Daiminkan, 3))
        )
        kakan, ankan = self.record(Kakan, pon=pon), self.record(Ankan, tiles=some(tiles, 4, 4))
        return st.one_of(chi, pon, daiminkan, kakan, ankan, self.record(Kita))

    def events(self) -> Strategy:
        """Return events."""
        player = self.player
        return st.one_of(
            st.builds(lambda player, tile: DRAWS[player][tile], player, tiles),
            st.builds(
                lambda player, tile, tsumogiri: DISCARDS[tsumogiri][player][tile],
                *(player, tiles | st.integers(0, IDS - 1), st.sampled_from((True, False, None))),
            ),
            self.meld,
            self.record(RiichiDeclared),
            self.record(RiichiAccepted),
            record(DoraRevealed, indicator=tiles),
            self.record(
                Win,
                source=maybe(player),
                score=maybe(scores),
                pao=some(player),
                hand=maybe(some(tiles)),
                melds=maybe(some(self.meld)),
                indicators=maybe(some(tiles)),
            ),
            self.record(Ryuukyoku, shown=maybe(self.each(maybe(some(tiles))))),
            self.presence,
        )

    def starts(self, hands: Strategy) -> Strategy:
        """Return starts of frames with *hands*."""
        round_ = rounds.filter(lambda round_: round_ % 4 < self.players)
        starts = self.record(Start, round=round_, honba=counts, dealer=st.just(0), hands=hands)
        return starts.map(lambda start: replace(start, dealer=start.round % 4))

    def frames(self) -> Strategy:
        """Return frames; those whose play is not recorded have no hands and no events except disconnections and
        returns."""
        played, unplayed = (
            record(
                Frame,
                start=self.starts(hands),
                events=some(event),
                end=self.record(End, hands=end_hands),
                wall=maybe(walls),
            )
            for hands, event, end_hands in (
                (self.each(some(tiles, 13, 13)), self.event, self.each(self.hand)),
                (st.just(()), self.presence, st.just(())),
            )
        )
        return st.builds(_with_thinking, played | unplayed, st.none() | st.lists(thinking, min_size=1))


def matches(players: int) -> Strategy:
    """Return matches with a number of *players*."""
    parts = Parts(players)
    return parts.record(
        Match,
        rules=rules(players),
        players=parts.each(persons),
        frames=some(parts.frames(), most=2),
        tournament=maybe(tournaments),
        recorders=some(recorders),
        shuffle=maybe(shuffles),
        point_rule=maybe(parts.point_rules()),
        before=some(parts.presence),
        tour_points=maybe(parts.each(tour_points)),
        chips=maybe(parts.each(st.tuples(whole, st.sampled_from(["0", "-1.5", "999999999.123456789"])))),
    )
