"""Reads a frame of Riichi City: the deal, the events in order, the end.

The JSON of an event is in a string. Draws and offers of calls say from when a player could act, so that the time until
the act is what the player took to think.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from operator import add
from typing import Any, ClassVar, NamedTuple

from jmjp_convert.errors import ConvertError, EndError, PaymentError, PlayError, StartError
from jmjp_convert.formats.bounds import MOST, MOST_HAN
from jmjp_convert.formats.frame_builder import FrameBuilder, NotDrawnError, extended_pon, shaped
from jmjp_convert.formats.json_text import decode
from jmjp_convert.formats.json_values import At, WrongValue, optional
from jmjp_convert.formats.riichi_city.notation import (
    CARDS,
    DRAWS,
    NAGASHI,
    OPEN_RIICHI,
    RON,
    ROUND_WIND,
    SEAT_WIND,
    TSUMO,
    UNUSUAL_ENDS,
    WINDS,
    YAKU,
    YAKUMAN,
)
from jmjp_convert.formats.session import Notice
from jmjp_convert.lazy_regex import regex
from jmjp_convert.messages import Message, Points, Terms
from jmjp_convert.model import (
    SEATS,
    Ankan,
    Call,
    Chi,
    Daiminkan,
    Discard,
    DoraRevealed,
    DrawKind,
    Frame,
    Kakan,
    Kita,
    Pon,
    RecordedWall,
    RiichiAccepted,
    Ryuukyoku,
    Score,
    Start,
    Thinking,
    Win,
    Yaku,
    frame_name,
)
from jmjp_convert.model.events import MELDS
from jmjp_convert.model.record import replace
from jmjp_convert.model.tiles import BY_NAME, label
from jmjp_convert.model.yaku import ROUND_WINDS, SEAT_WINDS, limit_of
from jmjp_convert.play.melds import Shaped
from jmjp_convert.play.points import STICK
from jmjp_convert.play.position import DEALT, SETS
from jmjp_convert.play.red_fives import Fives, fives_among

MOST_EVENTS = 2000
"""The maximum number of events in a frame; records have up to about two hundred."""

_LONGEST_EVENT = 1 << 16  # characters: records have events of about a thousand
_A_TIME, _LATEST = "a time in milliseconds since 1970", 99_999_999_999_999
_SHA256 = regex("[0-9a-f]{64}")
_DIE = ("a die, 1 to 6", 1, 6)
_FULL = DEALT + 1
_ACTS = MELDS | {Discard}

_tile = partial(At.tile, table=CARDS, what="the number of a card")
_tiles = partial(At.tiles, table=CARDS, what="the number of a card")

_CALLS: dict[int, tuple[type[Call], int]] = {
    **dict.fromkeys((2, 3, 4), (Chi, 2)),
    5: (Pon, 2),
    6: (Daiminkan, 3),
}
"""The calls by their action, each with the number of tiles from the hand.

One converter (kandora) takes 9 for this kan too; the constants of the client and all others have it for a kakan alone.
"""


class Seats(NamedTuple):
    """Who sits where."""

    players: Mapping[int, int]  # the player by the number of the account
    positions: Mapping[int, int]  # the player by position
    names: Sequence[str]  # by player

    @property
    def seated(self) -> int:
        """The number of players."""
        return len(self.players)

    def player(self, user: At) -> int:
        """Return the player with the account *user*."""
        return user.one_of(self.players, "the number of a player's account")


def data_of(event: At) -> At:
    """Return the data of *event*, which are JSON in a string; the pointer goes on inside."""
    text = event.member("data")
    if len(text.text()) > _LONGEST_EVENT:
        raise text.wrong(f"an event with more than {_LONGEST_EVENT:,} characters")
    try:
        data = At(decode(text.value), text.pointer)
    except ConvertError as error:
        raise text.wrong(error.reason) from None
    data.object()
    return data


class FrameReader:
    """A frame being read.

    :param seats: who sits where.
    :param chips: whether the game has chips.
    """

    def __init__(self, value: At, seats: Seats, notice: Notice, *, chips: bool) -> None:
        self.name: str | None = None  # its name, once it is known
        self.dealer: int | None = None  # its dealer, once the name is known
        self.builder: FrameBuilder
        self.after: tuple[int, ...] | None = None  # the points by player after it; None if it has no end
        self.match_end: At | None = None  # the event that ends the match, if it is in this frame
        # When its events happened, in milliseconds since 1970 (UTC), where that is recorded.
        self.times: list[int | None] = []
        self.wrong: WrongValue | None = None  # the first invalid value, if there is one
        self._value = value
        self._seats = seats
        self._notice = notice
        self._has_chips = chips
        self._deals: dict[int, At] = {}
        self._number = 0  # of the event
        self._time: int | None = None
        self._since: dict[int, int | None] = {}  # by player, when they could act
        self._acts: dict[int, Thinking] = {}  # by number of the event
        self._announced: dict[int, Thinking] = {}  # by player: a win or nine terminals
        self._wall: RecordedWall | None = None

    # --- what was read -----------------------------------------------------------------------------------------------

    @property
    def terms(self) -> Terms:
        """The terms of its messages."""
        return Terms(self._seats.names, self._seats.seated, self.dealer)

    @property
    def fives_of_wall(self) -> Fives:
        """What its wall, if recorded, shows of its fives."""
        return fives_among(() if self._wall is None else self._wall.tiles)

    def finish(self, frame: Frame) -> Frame:
        """Return *frame*, which has been replayed, with its wall and the times the players took."""
        builder = self.builder
        times: list[Thinking | None] = []
        for index, event in enumerate(builder.events):
            if isinstance(event, Win):
                times.append(self._announced.get(event.player))
            elif isinstance(event, Ryuukyoku):
                is_declared = event.kind is DrawKind.NINE_TERMINALS
                times.append(next(iter(self._announced.values()), None) if is_declared else None)
            else:
                times.append(self._acts.get(builder.position_of(index)) if type(event) in _ACTS else None)
        return replace(frame, wall=self._wall, thinking=tuple(times) if any(times) else ())

    def record_chips_after(self, after: Sequence[int] | None) -> None:
        """Have the ending change the chips to those *after* the frame, if there is only one."""
        events, before = self.builder.events, self.builder.start.chips
        if before is None or after is None or not events or not isinstance(events[-1], Win | Ryuukyoku):
            return
        if len(self._announced) > 1:
            self._notice("chips that several wins of a frame change are known only from the next frame")
            return
        events[-1] = replace(events[-1], chips=tuple([new - old for old, new in zip(before, after, strict=True)]))

    def pointer_of(self, error: PlayError) -> str:
        """Return the JSON pointer to what *error* is about."""
        index, builder = error.index, self.builder
        if isinstance(error, EndError):
            return self._pointer_to(len(builder.events) - 1, "/win_info")
        if isinstance(error, StartError):
            within = "/li_zhi_bang_num" if error.sticks else "/user_info_list"
            return f"{next(iter(self._deals.values())).pointer}{within}"
        if index < -1:
            return f"{self._deals[-2 - index].pointer}/hand_cards"
        if index == -1:
            return self._value.pointer
        return self._pointer_to(index, "/user_profit" if isinstance(error, PaymentError) else "")

    def _pointer_to(self, index: int, key: str) -> str:
        number = self.builder.position_of(max(index, 0))
        return f"{self._value.pointer}/handEventRecord/{number}/data{key}"

    # --- reading -----------------------------------------------------------------------------------------------------

    def read(self) -> None:
        """Read the events.

        :raises WrongValue: one of the values is invalid.
        """
        value = self._value
        wind, number = value.member("quanFeng").one_of(WINDS, "a wind, 49, 65, 81 or 97"), value.member("changCi")
        round_ = SEATS * wind + number.number(f"a number, 1 to {self._seats.seated}", 1, self._seats.seated) - 1
        honba = value.member("benChangNum").count()
        self.name, self.dealer = frame_name(round_, honba), round_ % SEATS
        self._wall = self._recorded_wall()
        events = value.member("handEventRecord")
        for position, event in enumerate(events.items("a list of events", most=MOST_EVENTS)):
            self._number = position
            self._time = optional(event.get("startTime"), lambda time: time.number(_A_TIME, 0, _LATEST))
            self.times.append(self._time)
            kind = event.member("eventType").count()
            if kind == _DEAL_EVENT:
                self._deal(event, round_, honba)
                continue
            if kind not in self._EVENTS:
                raise event.member("eventType").wrong(f"unknown event {kind}")
            if len(self._deals) < self._seats.seated:
                raise event.wrong("an event before every player is dealt a hand")
            self.builder.mark(self._number)
            if (handler := self._EVENTS[kind]) is not None:
                handler(self, event)
        if len(self._deals) < self._seats.seated:
            raise events.wrong(f"{len(self._deals)} hands dealt; {self._seats.seated} expected")
        self.builder.break_off()

    def _recorded_wall(self) -> RecordedWall | None:
        words = self._value.get("handCardEncode")
        if words is None:
            return None
        text, count = words.text(), len(SETS[self._seats.seated])
        if len(text) != 2 * count:
            raise words.wrong(f"a wall of {len(text)} characters; {2 * count} expected")
        tiles = [BY_NAME.get(text[index : index + 2]) for index in range(0, len(text), 2)]
        if None in tiles:
            raise words.wrong(f"no tile at character {2 * tiles.index(None) + 1} of the wall")
        hashed = self._value.get("handCardsSHA256")
        if hashed is not None and not _SHA256.fullmatch(hashed.text()):
            raise hashed.expected("a hash, 64 hexadecimal digits")
        return RecordedWall(tuple(tiles), dealt=True, hash=hashed and hashed.value, algorithm=hashed and "sha256")  # type: ignore[arg-type]

    def _deal(self, event: At, round_: int, honba: int) -> None:
        """Take the hand dealt to a player; after the last, the frame has started."""
        player, deal = self._seats.player(event.member("userId")), data_of(event)
        if player in self._deals:
            raise event.member("userId").wrong("a player who is dealt two hands")
        before = next(iter(self._deals.values()), deal)
        for key in _REPEATED:
            if deal.value.get(key) != before.value.get(key):
                raise At(deal.value.get(key), key, deal).wrong("differs from the previous deal")
        self._deals[player] = deal
        if len(self._deals) < self._seats.seated:
            return
        dealer, seat = deal.member("dealer_pos"), round_ % SEATS
        if dealer.one_of(self._seats.positions, "a position") != seat:
            raise dealer.wrong("a dealer who does not fit the round (changCi)")
        hands = [
            _tiles(self._deals[each].member("hand_cards"), counts=(DEALT + (each == seat),))
            for each in range(self._seats.seated)
        ]
        states = deal.member("user_info_list")
        dice = [die.number(*_DIE) for die in deal.member("dices").items(counts=(2,))]
        start = Start(
            round_,
            honba,
            deal.member("li_zhi_bang_num").count(),
            seat,
            (dice[0], dice[1]),
            by_player(states, self._seats, lambda state: state.member("hand_points").points()),
            tuple([hand[:DEALT] for hand in hands]),
            _tile(deal.member("bao_pai_card")),
            chips=by_player(states, self._seats, lambda state: state.member("luck_score").number("chips", -MOST, MOST))
            if self._has_chips
            else None,
            fourteenth=hands[seat][-1],
        )
        self.builder = FrameBuilder(start)

    # --- turns and acts ----------------------------------------------------------------------------------------------

    def _draw_tile(self, event: At) -> None:
        player, data = self._offer(event), data_of(event)
        card = data.get("in_card")
        if card is not None and card.value != 0:
            self.builder.draw(player, _tile(card))

    def _offer(self, event: At) -> int:
        player = self._seats.player(event.member("userId"))
        self._since[player] = self._time
        return player

    def _act(self, event: At) -> None:
        act = data_of(event)
        player, action = self._seats.player(act.member("user_id")), act.member("action")
        handler = self._ACTIONS.get(action.count())
        if handler is None:
            raise action.wrong(f"unknown action {action.value}")
        since, now = self._since.pop(player, None), self._time
        self._acts[self._number] = Thinking(
            now - since if since is not None and now is not None and 0 <= now - since <= MOST else None
        )
        handler(self, act, player)

    def _discard(self, act: At, player: int) -> None:
        card = act.member("card")
        tile, builder = _tile(card), self.builder
        kind = optional(act.get("li_zhi_type"), At.count) or 0
        if kind or optional(act.get("is_li_zhi"), At.flag):
            is_open = kind in OPEN_RIICHI or optional(act.get("li_zhi_operate"), At.count) == 1
            builder.declare_riichi(player, is_open=is_open)
        tsumogiri = self._is_drawn(act, player)
        if builder.must_be_drawn(player, tile):
            tsumogiri = True
        try:
            builder.discard(player, tile, tsumogiri)
        except NotDrawnError as error:
            said = f"{label(tile)} discarded from the place of the tile drawn; {error.shown} expected"
            raise card.wrong(said) from None

    def _is_drawn(self, act: At, player: int) -> bool | None:
        """Return whether the tile discarded is the one just drawn: that is the last of the hand. After a call its place
        says nothing."""
        if self.builder.drawn is None:
            return False
        positions = _filled(act, "move_cards_pos", "a list of places")
        if positions is None:
            return None
        melded = sum(not isinstance(meld, Kita) for meld in self.builder.melds[player])
        return positions.item(0).count() == _FULL - 3 * melded

    def _call(self, act: At, player: int) -> None:
        make, count = _CALLS[act.member("action").count()]
        card, last = act.member("card"), self.builder.exposed
        if not isinstance(last, Discard):
            raise card.wrong("a call without a discard just before")
        hand = _tiles(act.member("group_cards"), counts=(count,))
        self._meld(act, make(player, _tile(card), tuple(sorted(hand)), last.player))

    def _ankan(self, act: At, player: int) -> None:
        rest = _tiles(act.member("group_cards"), counts=(3,))
        self._meld(act, Ankan(player, tuple(sorted((_tile(act.member("card")), *rest)))))

    def _kakan(self, act: At, player: int) -> None:
        card = act.member("card")
        tile = _tile(card)
        pon = extended_pon(self.builder.melds[player], (tile,))
        if pon is None:
            raise card.wrong(f"no pon to add {label(tile)} to")
        self._meld(act, Kakan(player, tile, pon))

    def _kita(self, act: At, player: int) -> None:
        self.builder.meld(Kita(player, _tile(act.member("card"))))

    def _meld(self, act: At, meld: Shaped) -> None:
        self.builder.meld(shaped(meld, act))

    def _announce(self, act: At, player: int) -> None:
        """Take the announcement of a win or of nine terminals; the end follows."""
        self._announced[player] = self._acts.pop(self._number)
        card = act.get("card")
        if act.value["action"] in _WINS and card is not None and card.value != 0:
            tile, expected = _tile(card), self.builder.winning_tile
            if tile != expected:
                raise card.wrong(f"a win on {label(tile)}; {label(expected)} expected from the play")

    def _dora(self, event: At) -> None:
        """Turn the new indicators: all of those for kans are listed again."""
        cards = data_of(event).get("cards")
        known = [turned.indicator for turned in self.builder.events if isinstance(turned, DoraRevealed)]
        if cards is None:  # Some records have none if nothing is turned.
            return
        tiles = list(_tiles(cards, most=SEATS))
        if tiles[: len(known)] != known:
            raise cards.wrong("does not repeat the indicators turned before")
        for tile in tiles[len(known) :]:
            self.builder.dora(tile)

    def _riichi(self, event: At) -> None:
        data, builder = data_of(event), self.builder
        player = self._seats.player(data.member("user_id"))
        if not (builder.accept_riichi(player) or player in builder.riichi):
            builder.events.append(RiichiAccepted(player))  # impossible, as the replay says

    # --- the end -----------------------------------------------------------------------------------------------------

    def _end(self, event: At) -> None:
        data = data_of(event)
        end = data.member("end_type")
        number = end.count()
        if number in UNUSUAL_ENDS:
            self._notice(UNUSUAL_ENDS[number])
        if number in (RON, TSUMO):
            self._win(data, tsumo=number == TSUMO)
        elif number in DRAWS:
            self._draw(data, DRAWS[number])
        elif number in UNUSUAL_ENDS:
            self.builder.break_off()
        else:
            raise end.wrong(f"unknown end {end.value}")

    def _profits(self, data: At) -> tuple[int, ...] | None:
        profits = _filled(data, "user_profit")
        if profits is None:
            return None
        return by_player(profits, self._seats, lambda profit: profit.member("point_profit").points())

    def _draw(self, data: At, kind: DrawKind | None) -> None:
        builder, revealed_at_draw = self.builder, [False] * self._seats.seated
        if kind is DrawKind.EXHAUSTIVE and _filled(data, "zhong_liu_info"):
            kind = DrawKind.NAGASHI
        changes = self._profits(data) or (0,) * self._seats.seated
        for info in [] if (infos := data.get("win_info")) is None else infos.items(most=SEATS):
            player = self._seats.player(info.member("user_id"))
            if _has_nagashi(info):
                kind = DrawKind.NAGASHI
                if not _filled(info, "ting_card_list"):
                    continue
            revealed_at_draw[player] = True
            self._reveal(info, player)
        if kind is DrawKind.EXHAUSTIVE and any(changes) and (all(revealed_at_draw) or not any(revealed_at_draw)):
            raise data.member("user_profit").wrong("payments although all players are noten, or all tenpai")
        if kind is DrawKind.NINE_TERMINALS:
            for player in self._announced:
                revealed_at_draw[player] = True
        builder.draw_game(Ryuukyoku(kind, changes=changes))
        if any(revealed_at_draw) or kind in (DrawKind.EXHAUSTIVE, DrawKind.NAGASHI):
            self.builder.shown = revealed_at_draw
        self._settle(data, changes)

    def _reveal(self, info: At, player: int, winning: Sequence[int] = ()) -> None:
        if cards := _filled(info, "user_cards"):
            self.builder.revealed[player] = (*_tiles(cards, most=_FULL), *winning)

    def _win(self, data: At, *, tsumo: bool) -> None:
        builder, infos = self.builder, data.member("win_info")
        changes = self._profits(data)
        if changes is None:
            raise data.wrong('missing key "user_profit"')
        exposed, tile = builder.exposed, builder.winning_tile
        source = None if tsumo or exposed is None else exposed.player
        if not tsumo and source is None:
            raise data.wrong("a win by ron without a discard just before")
        wins = {self._seats.player(info.member("user_id")): info for info in infos.items(most=SEATS)}
        if not wins:
            raise infos.wrong("no winner")
        responsible = [
            self._seats.player(profit.member("user_id"))
            for profit in data.member("user_profit").items()
            if optional(profit.get("is_bao_pai"), At.flag)
        ]
        # The order is that of turns, as with other servers: no record has two winners.
        for player in sorted(wins, key=lambda player: (player - (source or 0)) % self._seats.seated):
            info = wins[player]
            self._reveal(info, player, () if tsumo else (tile,))
            score = self._score(info, player, tsumo=tsumo)
            ura = info.get("li_bao_card")
            if ura is not None and player not in builder.riichi:
                self._notice("ura dora indicators of a win without riichi ignored")
                ura = None
            win = Win(
                player,
                source,
                tile,
                score=score,
                pao=tuple(responsible) if score.yakuman or len(wins) == 1 else (),
                ura=() if ura is None else _tiles(ura, most=SEATS + 1),
                changes=changes if len(wins) == 1 else None,
            )
            builder.win(win)
        self._settle(data, changes)

    def _score(self, info: At, player: int, *, tsumo: bool) -> Score:
        start, points = self.builder.start, info.member("all_point").points()
        dealer, payers = player == start.dealer, self._seats.seated - 1
        winds = {
            ROUND_WIND: ROUND_WINDS[start.round // SEATS],
            SEAT_WIND: SEAT_WINDS[(player - start.dealer) % self._seats.seated],
        }
        han: dict[int, int] = {}
        yakuman: list[Yaku] = []
        for each in info.member("fang_info").items("a list of yaku"):
            kind = each.member("fang_type")
            number = kind.one_of({**YAKU, **winds}, "the number of a yaku")
            if kind.value in YAKUMAN:
                yakuman.append(Yaku(number, None))
            else:
                han[number] = han.get(number, 0) + each.member("fang_num").count(MOST_HAN)
        return Score(
            info.member("all_fu").count(),
            points,
            limit_of(points, dealer=dealer, payers=payers, tsumo=tsumo),
            tuple(yakuman or [Yaku(number, value) for number, value in han.items()]),
        )

    def _settle(self, data: At, changes: tuple[int, ...]) -> None:
        """Keep the points after the frame, which must be those that are recorded, if any are."""
        paid = list(self.builder.start.points or ())
        for player in self.builder.riichi:
            paid[player] -= STICK
        self.after = tuple(map(add, paid, changes))
        profits = _filled(data, "user_profit")
        if profits is None or profits.item(0).get("user_point") is None:
            return
        recorded = by_player(profits, self._seats, lambda profit: profit.member("user_point").points())
        if recorded != self.after:
            said = "the points are {found}; {expected} expected from the payments"
            raise profits.wrong(Message(said, found=Points(recorded), expected=Points(self.after)))

    def _end_match(self, event: At) -> None:
        self.match_end = data_of(event)

    _EVENTS: ClassVar[dict[int, Callable[[FrameReader, At], Any] | None]] = {
        2: _draw_tile,
        3: _offer,
        4: _act,
        5: _end,
        6: _end_match,
        7: _dora,
        8: _riichi,
        9: None,  # furiten
        10: None,  # a pause
        11: None,  # waits
    }
    _ACTIONS: ClassVar[dict[int, Callable[[FrameReader, At, int], None]]] = {
        **dict.fromkeys(_CALLS, _call),
        7: _announce,
        8: _ankan,
        9: _kakan,
        10: _announce,
        11: _discard,
        12: _announce,
        13: _kita,
    }


_REPEATED = ("dealer_pos", "dices", "bao_pai_card", "li_zhi_bang_num", "user_info_list")
"""What each deal repeats."""

_DEAL_EVENT = 1  # the type of the events that deal a hand each
_WINS = (7, 10)


def _filled(values: At, key: str, what: str = "a list") -> At | None:
    """Return the list *key* of *values*, which is *what*; ``None`` if it is missing or empty."""
    listed = values.get(key)
    return listed if listed is not None and listed.list(what) else None


def _has_nagashi(info: At) -> bool:
    """Return whether a player who is listed at a draw is so for nagashi mangan, rather than for a tenpai hand alone."""
    yaku = info.get("fang_info")
    return yaku is not None and any(each.member("fang_type").value == NAGASHI for each in yaku.items("a list of yaku"))


def by_player(listed: At, seats: Seats, read: Callable[[At], int]) -> tuple[int, ...]:
    """Return what *read* returns for each item of *listed*, which has one for each account, by player."""
    values = {seats.player(each.member("user_id")): read(each) for each in listed.items(counts=(seats.seated,))}
    if len(values) != seats.seated:
        raise listed.wrong("a player is listed twice")
    return tuple([values[player] for player in range(seats.seated)])
