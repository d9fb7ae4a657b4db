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


def record(made: Any, /, **parts: Strategy) -> Strategy:
    """Return records of the class *made* with *parts*, one for each of its fields."""
    assert list(fields(made)) == list(parts)
    return st.builds(made, **parts)


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
texts = record(Text, native=maybe(strings), roman=maybe(strings))
names = record(Name, family=maybe(texts), given=maybe(texts))
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

tournaments = record(
    Tournament,
    name=maybe(texts),
    year=maybe(st.integers(0, 9999)),
    stage=maybe(texts),
    stage_match=maybe(counts),
    day_match=maybe(counts),
)
walls = record(
    RecordedWall,
    tiles=some(tiles),
    dealt=st.booleans(),
    hash=maybe(strings),
    algorithm=maybe(st.sampled_from(["md5", "sha256"])),
    salt=maybe(strings),
    salted_hash=maybe(strings),
)
thinking = maybe(record(Thinking, time=maybe(counts), autoplay=st.booleans()))
recorders = record(Recorder, full_name=maybe(names), frames=maybe(some(st.tuples(rounds, counts))))
shuffles = record(Shuffle, form=st.sampled_from(ShuffleForm), seed=maybe(strings))
persons = record(
    Player,
    full_name=maybe(names),
    raw_name=st.none(),
    dan=maybe(whole),
    rate=maybe(ratings),
    sex=maybe(strings),
    gold=maybe(whole),
    rc=maybe(strings),
    team=maybe(texts),
    affiliation=maybe(texts),
    tour_points=maybe(tour_points),
    rank=maybe(strings),
    account=maybe(whole),
    rank_points=maybe(whole),
)


def _with_bytes(person: Player, raw: bytes) -> Player:
    """Return *person* with the name in *raw* if it is not UTF-8."""
    text = raw.decode("utf-8", "replace")
    return person if text.encode() == raw else replace(person, full_name=handle(text), raw_name=raw)


persons = persons | st.builds(_with_bytes, persons, st.binary(max_size=5))
scores = record(
    Score,
    fu=maybe(counts),
    points=points.map(abs),
    limit=st.sampled_from(Limit),
    yaku=some(st.builds(Yaku, yaku, maybe(han), st.just("")) | st.builds(Yaku, st.none(), maybe(han), words)),
    han_alone=maybe(counts),
)


def rules(players: int) -> Strategy:
    """Return rules for a number of *players*; Tenhou's rules number determines all others."""
    custom = some(st.tuples(strings, strings))
    codes = counts.filter(lambda code: tenhou.players(code) == players)
    free = record(
        Rules,
        players=st.just(players),
        red_fives=maybe(st.builds(RedFives, *[st.integers(0, 4)] * 3)),
        code=st.none(),
        lobby=maybe(counts),
        custom=custom,
        house=maybe(st.sampled_from(House)),
        east_only=maybe(st.booleans()),
    )
    return free | st.builds(tenhou.rules, codes, maybe(counts), custom)


def _with_thinking(frame: Frame, times: list[Thinking | None] | None) -> Frame:
    """Return *frame* with some of the *times*, as many as it has events; ``None``: not recorded."""
    return replace(frame, thinking=tuple(islice(cycle(times or ()), len(frame.events))))


class Parts:
    """The parts of a match with a number of *players*."""

    def __init__(self, players: int) -> None:
        self.players = players
        self.player = st.integers(0, players - 1)
        self.points = maybe(self.each(points))
        self.presence = record(Disconnected, player=self.player)
        self.presence |= record(Returned, player=self.player, name=maybe(strings))
        self.meld = self.melds()
        self.event = self.events()
        self.hand = record(Hand, tiles=some(tiles, most=14), drawn=maybe(tiles), melds=some(self.meld))

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
            record(kind, player=self.player, taken=tiles, hand=some(tiles, count, count), source=self.player)
            for kind, count in ((Chi, 2), (Pon, 2), (Daiminkan, 3))
        )
        return st.one_of(
            chi,
            pon,
            daiminkan,
            record(Kakan, player=self.player, tile=tiles, pon=pon),
            record(Ankan, player=self.player, tiles=some(tiles, 4, 4)),
            record(Kita, player=self.player, tile=tiles),
        )

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
            record(RiichiDeclared, player=player, open=st.booleans()),
            record(RiichiAccepted, player=player, points=self.points),
            record(DoraRevealed, indicator=tiles),
            record(
                Win,
                player=player,
                source=maybe(player),
                tile=tiles,
                score=maybe(scores),
                pao=some(player),
                ura=some(tiles),
                sticks=maybe(counts),
                before=self.points,
                changes=self.points,
                hand=maybe(some(tiles)),
                melds=maybe(some(self.meld)),
                indicators=maybe(some(tiles)),
                chips=maybe(self.each(whole)),
                chip_yaku=some(st.tuples(whole, whole)),
                honba=maybe(counts),
            ),
            record(
                Ryuukyoku,
                kind=maybe(st.sampled_from(DrawKind)),
                shown=maybe(self.each(maybe(some(tiles)))),
                sticks=maybe(counts),
                before=self.points,
                changes=self.points,
                chips=maybe(self.each(whole)),
                honba=maybe(counts),
            ),
            self.presence,
        )

    def starts(self, hands: Strategy) -> Strategy:
        """Return starts of frames with *hands*."""
        return record(
            Start,
            round=rounds.filter(lambda round_: round_ % 4 < self.players),
            honba=counts,
            sticks=maybe(counts),
            dealer=st.just(0),
            dice=maybe(dice),
            points=self.points,
            hands=hands,
            indicator=maybe(tiles),
            shuffle=maybe(strings),
            chips=maybe(self.each(whole)),
            fourteenth=maybe(tiles),
            kan_indicators=some(tiles),
        ).map(lambda start: replace(start, dealer=start.round % 4))

    def frames(self) -> Strategy:
        """Return frames; those whose play is not recorded have no hands and no events except disconnections and
        returns."""
        dora, comment = maybe(some(tiles, 10, 10)), maybe(texts)
        played, unplayed = (
            record(
                Frame,
                start=self.starts(hands),
                events=some(event),
                end=record(End, hands=end_hands, points=self.points),
                dora=dora,
                comment=comment,
                wall=maybe(walls),
                thinking=st.just(()),
                notes=st.just(()),
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
    return record(
        Match,
        rules=rules(players),
        players=parts.each(persons),
        frames=some(parts.frames(), most=2),
        id=maybe(ids),
        source=maybe(strings),
        tournament=maybe(tournaments),
        date=maybe(dates),
        weekday=maybe(weekdays),
        time=maybe(times),
        place=maybe(texts),
        recorders=some(recorders),
        shuffle=maybe(shuffles),
        point_rule=maybe(parts.point_rules()),
        before=some(parts.presence),
        final_points=parts.points,
        results=parts.points,
        tour_points=maybe(parts.each(tour_points)),
        chips=maybe(parts.each(st.tuples(whole, st.sampled_from(["0", "-1.5", "999999999.123456789"])))),
        ratio=maybe(strings),
        started=maybe(seconds),
        ended=maybe(seconds),
        rank_changes=maybe(parts.each(whole)),
        yakitori=parts.points,
    )
