"""Reads the frames of a record: its records, one after the other, become the events of the model.

Sources: real records, compared with an independent decoder; GrandDawn/majsoul-replay-editor, Equim-chan/tensoul,
InjusticeJudge and amae-koromo for what those do not show: abortive draws, nagashi mangan, pao.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from operator import add
from typing import ClassVar

from jmjp_convert.errors import EndError, MahjongSoulError, PlayError, StartError
from jmjp_convert.formats.bounds import MOST_HAN
from jmjp_convert.formats.frame_builder import FrameBuilder, NotDrawnError, extended_pon, shaped
from jmjp_convert.formats.json_text import quoted
from jmjp_convert.formats.json_values import At, optional
from jmjp_convert.formats.mahjong_soul.entries import Entry
from jmjp_convert.formats.mahjong_soul.head import Head, refused
from jmjp_convert.formats.mahjong_soul.messages import flag, items, message, number, points, text, tile, tiles, worth
from jmjp_convert.formats.mahjong_soul.notation import (
    DORA,
    DRAWS,
    LIMITS,
    MODES_BY_DEAL,
    MODES_BY_RULE,
    MODES_BY_YAKU,
    NORTH_DORA,
    ROUND_WIND,
    SEAT_WIND,
    YAKU,
)
from jmjp_convert.formats.session import Notice
from jmjp_convert.formats.spellings import LIMIT_WORDS, add_dora, add_yaku, plain
from jmjp_convert.messages import Message, Points, Who
from jmjp_convert.model import (
    SEATS,
    THREE_PLAYERS,
    Ankan,
    Call,
    Chi,
    Daiminkan,
    Discard,
    DrawKind,
    Frame,
    Kakan,
    Kita,
    Meld,
    Pon,
    Presence,
    RecordedWall,
    Ryuukyoku,
    Score,
    Start,
    Thinking,
    Win,
    Yaku,
    frame_name,
)
from jmjp_convert.model.events import ENDINGS, MELDS
from jmjp_convert.model.record import replace
from jmjp_convert.model.tiles import BY_NAME, COPIES, kind, label
from jmjp_convert.model.yaku import PAO_YAKUMAN, limit_of
from jmjp_convert.play.melds import from_hand, tiles_of
from jmjp_convert.play.points import STICK
from jmjp_convert.play.position import DEALT, SETS

_NORTH = BY_NAME["4z"]
_CALLS: dict[int, type[Call]] = {0: Chi, 1: Pon, 2: Daiminkan}
_KAKAN, _ANKAN = 2, 3
"""The types of RecordAnGangAddGang."""

_ON_TURN, _ANSWER = 2, 3
"""The types of what a player enters."""

_MOST_FU = 999
_AUTOPLAY = 1_000_000
"""The time of what the server does in a player's place."""

_MOST_MELDS = 8
"""Four melds, and four norths."""


class FrameReader:
    """A frame being read.

    :param entry: its first record, RecordNewRound.
    :param head: the head of the game; without one, the points in the record show how many players there are.
    :ivar name: its name.
    :ivar dealer: its dealer.
    :ivar builder: its start and events.
    :ivar wrong: the error for an invalid value, if it has one.
    :raises WrongValue: the record is invalid.
    """

    def __init__(self, entry: Entry, head: Head | None, notice: Notice) -> None:
        deal = entry.values
        listed = THREE_PLAYERS if len(list(items(deal, "scores"))) == THREE_PLAYERS else SEATS
        self.players = listed if head is None else head.match.rules.players
        self._split_honba = None if head is None else head.split_honba
        wind, self.dealer = number(deal, "chang", SEATS - 1), number(deal, "ju", self.players - 1)
        honba = optional(deal.get("ben"), At.count) or 0
        self.name = frame_name(SEATS * wind + self.dealer, honba)
        self.wrong: MahjongSoulError | None = None
        self._notice = notice
        self._names = {entry.number: entry.name}
        self._wall = self._recorded_wall(deal)
        start = self._dealt(deal, SEATS * wind + self.dealer, honba)
        self.builder = FrameBuilder(start)
        self.builder.mark(entry.number)
        self._left = deal.get("left_tile_count")
        self._draws = 0
        self._turned = 1
        self._scores = list(start.points or ())
        self._sticks = start.sticks or 0
        self._closed = [Counter(hand) for hand in start.hands]
        self._closed[self.dealer][start.fourteenth or 0] += 1
        self._thinking: dict[int, Thinking] = {}  # by index of the event
        self._entered: dict[int, Thinking] = {}  # by player, since the last record
        self._passed = entry.passed

    # --- what was read -----------------------------------------------------------------------------------------------

    @property
    def all_tiles(self) -> tuple[int, ...]:
        """All tiles of the set; empty if the wall is not recorded."""
        if self._wall is None or self._wall.dealt:
            return () if self._wall is None else self._wall.tiles
        dealt = [tile for hand in self.builder.start.hands for tile in hand]
        return (*dealt, self.builder.start.fourteenth or 0, *self._wall.tiles)

    def finish(self, frame: Frame) -> Frame:
        """Return *frame* with what is recorded beside its play."""
        thinking: tuple[Thinking | None, ...] = ()
        if self._passed is not None:
            thinking = tuple([self._thinking.get(index) for index in range(len(frame.events))])
        return replace(frame, wall=self._wall, thinking=thinking)

    def record_of(self, error: PlayError) -> tuple[int, str]:
        """Return the number and name of the record that *error* is about."""
        if isinstance(error, StartError) or (error.index < 0 and not isinstance(error, EndError)):
            at = min(self._names)
        elif isinstance(error, EndError):
            at = max(self._names)
        else:
            at = self.builder.position_of(error.index)
        return at, self._names[at]

    # --- the deal ----------------------------------------------------------------------------------------------------

    def _dealt(self, deal: At, round_: int, honba: int) -> Start:
        hands = []
        for player in range(self.players):
            hand = message(deal, f"tiles{player}")
            if not hand.value:
                raise deal.wrong(f"player {player} is dealt no tiles")
            hands.append([*hand.tiles(BY_NAME, (DEALT + (player == self.dealer),))])
        if self.players == THREE_PLAYERS and message(deal, "tiles3").value:
            raise deal.wrong("a fourth hand in a game of three players")
        fourteenth = hands[self.dealer].pop()
        if self._wall is None or not self._wall.dealt:
            self._notice(
                "the record has hands sorted, not in deal order: "
                "any of the dealer's 14 tiles may have come last; the last one listed is taken"
            )
        doras = tiles(deal, "doras")
        if len(doras) > 1:
            raise deal.wrong(refused(MODES_BY_RULE["dora3_mode"]))
        for key, mode in MODES_BY_DEAL.items():
            if number(deal, key):
                raise deal.wrong(refused(mode))
        scores = points(deal, "scores", self.players)
        if scores is None:
            raise deal.wrong("the points of the players are missing")
        return Start(
            round_,
            honba,
            optional(deal.get("liqibang"), At.count) or 0,
            self.dealer,
            None,
            scores,
            tuple(map(tuple, hands)),
            doras[0] if doras else tile(deal, "dora") if text(deal, "dora") else None,
            fourteenth=fourteenth,
        )

    def _recorded_wall(self, deal: At) -> RecordedWall | None:
        written = text(deal, "paishan")
        if not written:
            return None
        at, count, whole = message(deal, "paishan"), len(written) // 2, len(SETS[self.players])
        left = whole - (DEALT * self.players + 1)
        if len(written) % 2 or count not in (whole, left):
            raise at.wrong(f"a wall of {len(written) / 2:g} tiles; {whole} or {left} expected")
        names = [written[index : index + 2] for index in range(0, len(written), 2)]
        wall = tuple([At(name, at.pointer).tile(BY_NAME) for name in names])
        algorithm = next((each for each in ("sha256", "md5") if text(deal, each)), None)
        return RecordedWall(
            wall,
            count == whole,
            None if algorithm is None else text(deal, algorithm),
            algorithm,
            text(deal, "salt") or None,
            text(deal, "saltSha256") or None,
        )

    # --- records -----------------------------------------------------------------------------------------------------

    def add(self, entry: Entry) -> None:
        """Add what happens in a record.

        :raises WrongValue: it is invalid.
        """
        self._names[entry.number] = entry.name
        self.builder.mark(entry.number)
        handler = self._HANDLERS.get(entry.name)
        if handler is None:
            self._notice(f"unknown record {quoted(entry.name)} ignored")
            return
        handler(self, entry.values)
        self._passed = entry.passed
        self._entered.clear()

    def enter(self, values: At, passed: int | None) -> None:
        """Take note of what a player enters, with the time at which it reaches the server."""
        if number(values, "type") not in (_ON_TURN, _ANSWER) or passed is None:
            return
        autoplay = _AUTOPLAY in [number(message(values, key), "timeuse") for key in ("operation", "cpg")]
        player = self._seat(values)
        if self._passed is not None:
            self._entered[player] = Thinking(None if autoplay else max(passed - self._passed, 0), autoplay)

    def presence(self, event: Presence, at: int) -> None:
        """Add a disconnection or return, in the entry *at*."""
        self._names[at] = ""
        self.builder.mark(at)
        self.builder.events.append(event)

    def break_off(self) -> None:
        """End the frame, unless a record has."""
        self.builder.break_off()

    def _acted(self, player: int) -> None:
        """Say that the last discard, meld or ending is what *player* entered."""
        if player in self._entered:
            events = self.builder.events
            index = next(index for index in range(len(events) - 1, -1, -1) if type(events[index]) in _ENTERED)
            self._thinking[index] = self._entered[player]

    def _seat(self, values: At) -> int:
        return number(values, "seat", self.players - 1)

    def _accept_riichi(self, values: At) -> None:
        """Accept the riichi for which a stick is on the table, as the record after the riichi tile says."""
        stick = values.get("liqi")
        if stick is None or not stick.value:
            return
        player = self._seat(stick)
        if flag(stick, "failed"):
            self.builder.take_back_riichi()
            return
        self._scores[player] -= STICK
        self._sticks += 1
        recorded = stick.get("score")
        if recorded is not None and recorded.points() != self._scores[player]:
            said = "the points of {player} are {found}; {expected} expected from the play"
            stated, expected = Points(recorded.points()), Points(self._scores[player])
            raise recorded.wrong(Message(said, player=Who(player), found=stated, expected=expected))
        if not self.builder.accept_riichi(player, tuple(self._scores)):
            raise stick.wrong("a riichi stick of a player who has not just declared riichi")
        on_table = number(stick, "liqibang")
        if on_table not in (0, self._sticks):
            raise stick.wrong(f"the riichi sticks are {on_table}; {self._sticks} expected from the play")

    def _turn_indicators(self, values: At) -> None:
        """Turn the indicators that are not turned yet; a record lists all of them."""
        for indicator in tiles(values, "doras")[self._turned :]:
            self.builder.dora(indicator)
            self._turned += 1

    def _draw(self, values: At) -> None:
        player, drawn = self._seat(values), tile(values, "tile")
        self._accept_riichi(values)
        self._turn_indicators(values)
        self._draws += 1
        left = values.get("left_tile_count")
        if self._left is not None and left is not None and left.count() != self._left.count() - self._draws:
            expected = self._left.count() - self._draws
            raise left.wrong(f"{left.count()} tiles left to draw; {expected} expected from the play")
        self.builder.draw(player, drawn)
        self._closed[player][drawn] += 1

    def _discard(self, values: At) -> None:
        player, discarded, builder = self._seat(values), tile(values, "tile"), self.builder
        # Ignore the flag on the dealer's first discard: all fourteen tiles are dealt at once.
        first = player == self.dealer and not self._draws and builder.drawn is not None
        tsumogiri = None if first else flag(values, "moqie")
        self._turn_indicators(values)
        if flag(values, "is_liqi") or flag(values, "is_wliqi"):
            builder.declare_riichi(player)
        try:
            builder.discard(player, discarded, tsumogiri)
        except NotDrawnError as error:
            said = f"{label(discarded)} marked as the tile drawn; {error.shown} expected from the draw"
            raise values.member("tile").wrong(said) from None
        self._closed[player].subtract((discarded,))  # the replay says if a tile is not there
        self._acted(player)

    # --- melds -------------------------------------------------------------------------------------------------------

    def _call(self, values: At) -> None:
        player, which = self._seat(values), number(values, "type")
        call = _CALLS.get(which)
        if call is None:
            raise values.wrong(f"a call of type {which}; 0 (chi), 1 (pon) or 2 (kan) expected")
        self._accept_riichi(values)
        count = 4 if call is Daiminkan else 3
        meld_tiles = values.member("tiles").tiles(BY_NAME, (count,))
        sources = [each.player(self.players) for each in values.member("froms").items(counts=(count,))]
        taken = [index for index, source in enumerate(sources) if source != player]
        if len(taken) != 1:
            raise values.member("froms").wrong("expected one tile of another player")
        (index,) = taken
        hand = tuple(sorted(meld_tiles[:index] + meld_tiles[index + 1 :]))
        word = values.member("tiles")
        self._meld(shaped(call(player, meld_tiles[index], hand, sources[index]), word), word)

    def _kan(self, values: At) -> None:
        player, which, named = self._seat(values), number(values, "type"), tile(values, "tiles")
        word = values.member("tiles")
        kan: Kakan | Ankan
        if which == _ANKAN:
            of_kind = tuple(sorted(each for each in self._closed[player].elements() if kind(each) == kind(named)))
            if len(of_kind) != COPIES:
                raise word.wrong(f"a closed kan of {label(named)}; the hand has {len(of_kind)} of them")
            kan = Ankan(player, of_kind)
        elif which == _KAKAN:
            pon = extended_pon(self.builder.melds[player], (named,))
            if pon is None:
                raise word.wrong(f"{label(named)} added to a pon that was not called")
            kan = Kakan(player, named, pon)
        else:
            raise values.wrong(f"a kan of type {which}; {_KAKAN} (kakan) or {_ANKAN} (ankan) expected")
        self._meld(shaped(kan, word), word)
        self._turn_indicators(values)  # of the kan before, or at once where the rules say so

    def _kita(self, values: At) -> None:
        player = self._seat(values)
        self._meld(Kita(player, _NORTH), values)
        self._turn_indicators(values)

    def _meld(self, meld: Meld, word: At) -> None:
        if len(self.builder.melds[meld.player]) == _MOST_MELDS and not isinstance(meld, Kakan):
            raise word.wrong(f"a player with more than {_MOST_MELDS} melds")
        self.builder.meld(meld)
        self._closed[meld.player].subtract(from_hand(meld))
        self._acted(meld.player)

    # --- wins --------------------------------------------------------------------------------------------------------

    def _win(self, values: At) -> None:
        before, changes = (points(values, key, self.players) for key in ("old_scores", "delta_scores"))
        if changes is None:
            raise values.wrong("the payments are missing")
        self._check_scores(values, before, changes)
        hules = list(items(values, "hules"))
        if not hules:
            raise values.wrong("no winner")
        exposed = self.builder.exposed
        wins = [self._read_win(hule, None if exposed is None else exposed.player, changes) for hule in hules]
        for index, win in enumerate(_with_payments(wins, changes)):
            if len(wins) == 1:
                win = replace(win, pao=win.pao or _responsible(win))  # noqa: PLW2901
            self.builder.win(replace(win, before=before if index == 0 else None))
            self._acted(win.player)

    def _take_as_last(self, won: int) -> None:
        """Take *won* as the tile that the dealer was dealt last, if the record has hands sorted: it is a tenhou."""
        hand = [*self.builder.start.hands[self.dealer], self.builder.start.fourteenth or 0]
        if (self._wall is not None and self._wall.dealt) or won not in hand:
            return
        hand.remove(won)
        hands = [*self.builder.start.hands]
        hands[self.dealer] = tuple(hand)
        self.builder.start = replace(self.builder.start, hands=tuple(hands), fourteenth=won)

    def _check_scores(self, values: At, before: tuple[int, ...] | None, changes: tuple[int, ...]) -> None:
        after = points(values, "scores", self.players)
        expected = None if before is None else tuple(map(add, before, changes))
        if None not in (after, expected) and after != expected:
            said = "the points are {found}; {expected} expected from the payments"
            raise values.member("scores").wrong(
                Message(said, found=Points(after or ()), expected=Points(expected or ()))
            )

    def _read_win(self, hule: At, exposed: int | None, changes: tuple[int, ...]) -> Win:
        player, tsumo, won = self._seat(hule), flag(hule, "zimo"), tile(hule, "hu_tile")
        if not tsumo and exposed is None:
            raise hule.wrong("a ron without a tile to win on")
        if tsumo and player == self.dealer and self.builder.drawn is not None and not self._draws:
            self._take_as_last(won)
        melds = [meld for meld in self.builder.melds[player] if not isinstance(meld, Kita)]
        recorded = [_tiles_in(each.text()) for each in items(hule, "ming")]
        if recorded and sorted(recorded) != sorted(tuple(sorted(tiles_of(meld))) for meld in melds):
            said = "{player} wins with melds that differ from the play"
            raise message(hule, "ming").wrong(Message(said, player=Who(player)))
        return Win(
            player,
            None if tsumo else exposed,
            won,
            score=self._score(hule, player, changes[player] if tsumo else None),
            pao=self._pao(hule),
            ura=tiles(hule, "li_doras"),
            hand=tuple(sorted((*tiles(hule, "hand"), won))),
            indicators=tiles(hule, "doras") or None,
        )

    def _pao(self, hule: At) -> tuple[int, ...]:
        seats = [seat.player(self.players) for seat in items(hule, "baopai_seats")]
        first = number(hule, "baopai", self.players)
        return tuple(dict.fromkeys(seats)) if seats else (first - 1,) if first else ()

    def _score(self, hule: At, player: int, gained: int | None) -> Score:
        """Return the score of a win of *player*, who has *gained* so much in all by tsumo; ``None``: it is a ron."""
        dealer, tsumo = player == self.dealer, gained is not None
        if gained is None:
            value = worth(hule, "point_rong")
        elif self._split_honba is not None:
            value = gained - self._split_honba * self.builder.start.honba - STICK * self._sticks
        else:
            each, from_dealer = worth(hule, "point_zimo_xian"), worth(hule, "point_zimo_qin")
            others = self.players - 1
            value = each * others if dealer else each * (others - 1) + from_dealer
        payers = (self.players if self._split_honba is None else SEATS) - 1 if tsumo else 1
        title, word = number(hule, "title_id"), text(hule, "title")  # which old records lack
        limit = LIMITS.get(title) or LIMIT_WORDS.get(plain(word))
        limit = limit or limit_of(value, dealer=dealer, payers=payers, tsumo=tsumo)
        return Score(number(hule, "fu", _MOST_FU) or None, value, limit, self._yaku(hule, player))

    def _yaku(self, hule: At, player: int) -> tuple[Yaku, ...]:
        yakuman = flag(hule, "yiman")
        seat_wind, round_wind = (player - self.dealer) % self.players, self.builder.start.round // SEATS
        yaku: list[Yaku] = []
        for fan in items(hule, "fans"):
            which, han, word = number(fan, "id"), number(fan, "val", MOST_HAN), text(fan, "name")
            worth = None if yakuman else han
            if not han and not yakuman:
                continue  # ura dora worth 0 han
            if not which:  # before 2019 the yaku have names only
                if not add_yaku(yaku, word, worth, seat=seat_wind, wind=round_wind):
                    raise fan.wrong(f"unknown yaku {quoted(word)}")
                continue
            if which in MODES_BY_YAKU:
                raise fan.wrong(refused(MODES_BY_YAKU[which]))
            if which not in YAKU:
                raise fan.wrong(f"unknown yaku {which}")
            if which in (DORA, NORTH_DORA):
                add_dora(yaku, worth)
            else:
                wind = seat_wind if which == SEAT_WIND else round_wind if which == ROUND_WIND else 0
                yaku.append(Yaku(YAKU[which] + wind, worth))
        return tuple(yaku)

    # --- draws -------------------------------------------------------------------------------------------------------

    def _exhausted(self, values: At) -> None:
        players = list(items(values, "players"))
        if len(players) != self.players:
            raise values.wrong(f"{len(players)} players at the end; {self.players} expected")
        hands = tuple([tuple(sorted(tiles(each, "hand"))) if flag(each, "tingpai") else None for each in players])
        total, before = [0] * self.players, None
        for each in items(values, "scores"):
            before = before or points(each, "old_scores", self.players)
            paid = points(each, "delta_scores", self.players)
            total = total if paid is None else list(map(add, total, paid))
        which = DrawKind.NAGASHI if flag(values, "liujumanguan") else DrawKind.EXHAUSTIVE
        self.builder.draw_game(Ryuukyoku(which, hands, before=before, changes=tuple(total)))

    def _abort(self, values: At) -> None:
        which = DRAWS.get(number(values, "type"))
        if which is None:
            raise values.wrong(f"a draw of type {number(values, 'type')}; 1 to 5 expected")
        self._accept_riichi(values)
        hands: list[tuple[int, ...] | None] = [None] * self.players
        if which is DrawKind.NINE_TERMINALS:
            hands[self._seat(values)] = tuple(sorted(tiles(values, "tiles"))) or None
        elif which in (DrawKind.FOUR_RIICHI, DrawKind.TRIPLE_RON):
            for player, hand in enumerate(items(values, "allplayertiles")):
                if player < self.players:
                    hands[player] = _joined_tiles(hand) or None
        self.builder.draw_game(Ryuukyoku(which, tuple(hands), changes=(0,) * self.players))
        if which is DrawKind.NINE_TERMINALS:
            self._acted(self._seat(values))

    _HANDLERS: ClassVar[dict[str, Callable[[FrameReader, At], None]]] = {
        "RecordDealTile": _draw,
        "RecordDiscardTile": _discard,
        "RecordChiPengGang": _call,
        "RecordAnGangAddGang": _kan,
        "RecordBaBei": _kita,
        "RecordHule": _win,
        "RecordNoTile": _exhausted,
        "RecordLiuJu": _abort,
    }


_ENTERED = MELDS | ENDINGS | {Discard}


def _joined_tiles(hand: At) -> tuple[int, ...]:
    """Return the tiles of a hand in one text, with lines between them."""
    joined = hand.text().replace("|", "")
    names = [At(joined[index : index + 2], hand.pointer) for index in range(0, len(joined), 2)]
    return tuple(sorted(each.tile(BY_NAME) for each in names))


def _tiles_in(word: str) -> tuple[int, ...]:
    """Return the tiles in the word for a meld, such as ``kezi(5m,0m,5m)``; empty if it is not understood."""
    names = word.partition("(")[2].rstrip(")").split(",")
    return tuple(sorted(BY_NAME.get(name.strip(), 0) for name in names))


def _with_payments(wins: list[Win], changes: tuple[int, ...]) -> list[Win]:
    """Return *wins* off the same tile with the payments of each; *changes* are those of all of them.

    The first winner gets honba and sticks, so what is not paid for the others is for the first.
    """
    paid = [_ron_payments(win, len(changes)) for win in wins[1:]]
    rest = tuple([total - sum(others) for total, *others in zip(changes, *paid, strict=True)])
    return [replace(win, changes=each) for win, each in zip(wins, (rest, *paid), strict=True)]


def _ron_payments(win: Win, players: int) -> tuple[int, ...]:
    """Return what is paid for a ron without honba and sticks; the players responsible (pao) pay half of it together."""
    assert win.score is not None
    value, responsible = win.score.points, [player for player in win.pao if player != win.source]
    paid = [0] * players
    paid[win.player] = value
    for player in responsible:
        paid[player] -= value // (2 * len(responsible))
    if win.source is not None:
        paid[win.source] -= sum(paid)
    return tuple(paid)


def _responsible(win: Win) -> tuple[int, ...]:
    """Return who is responsible (pao) as the payments show it: a tsumo that one player pays, a ron that two pay.

    Source: amae-koromo, for records that do not say so.
    """
    if not any(yaku.number in PAO_YAKUMAN and yaku.han is None for yaku in win.yaku):
        return ()
    payers = [player for player, change in enumerate(win.changes or ()) if change < 0 and player != win.source]
    return (payers[0],) if len(payers) == 1 else ()
