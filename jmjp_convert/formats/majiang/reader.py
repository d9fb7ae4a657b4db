"""Reads records of 電脳麻将.

Sources: as for :mod:`.writer`; ``majiang-core`` (``lib/game.js``, ``lib/board.js``) for what steps imply. A file is a
record, a list of records as 電脳麻将 exports it, or one record after the other. ``player``, ``defen`` and ``point`` are
listed by seat at the table; ``qijia`` is the seat of the first dealer, who is player 0. A record without ``point`` has
no result: ``defen`` then has the points of a game that goes on.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import cache, partial
from itertools import zip_longest
from typing import Any, ClassVar, TypeVar

from jmjp_convert.errors import EndError, MajiangError, MatchError, PaymentError, PlayError, StartError, WorthError
from jmjp_convert.formats.assembly import Assembly, fives_of_frames, points_after
from jmjp_convert.formats.frame_builder import FrameBuilder, NotDrawnError, as_called, shaped
from jmjp_convert.formats.json_text import Walk, decoded, quoted
from jmjp_convert.formats.json_values import At, WrongValue, expected, optional
from jmjp_convert.formats.majiang.notation import (
    DISCARDED,
    DRAWN,
    RIICHI,
    TILES,
    Title,
    read_hand,
    read_meld,
    read_player,
    read_point,
    read_score,
    read_title,
)
from jmjp_convert.formats.session import Notice, Session, reader
from jmjp_convert.formats.spellings import DRAW_KINDS, plain
from jmjp_convert.messages import Message, Terms, Who, thousands
from jmjp_convert.model import (
    DISCARDS,
    DRAWS,
    SEATS,
    Call,
    Discard,
    DoraRevealed,
    Draw,
    Ending,
    Frame,
    Kakan,
    Match,
    Meld,
    Player,
    RiichiAccepted,
    RiichiDeclared,
    Rules,
    Ryuukyoku,
    Start,
    Win,
    frame_name,
)
from jmjp_convert.model.events import ABORTIVE, MELDS
from jmjp_convert.model.tiles import UNKNOWN, label
from jmjp_convert.play.melds import Shaped, melds_apart, tiles_of
from jmjp_convert.play.position import DEALT
from jmjp_convert.play.red_fives import inferred

_T = TypeVar("_T")

_NO_POINT = frozenset(("", "-"))  # as written by us, and by the editor of 電脳麻将
_UNFINISHED = [0] * SEATS  # as majiang-core before 0.1.8 begins a game; results are texts
_OF_DEAL = ("zhuangfeng", "jushu", "changbang", "lizhibang", "defen", "baopai", "shoupai")
_KNOWN = frozenset(("title", "player", "qijia", "log", "defen", "rank", "point"))
_BY_SEAT = (SEATS,)


@reader(MajiangError)
def read_majiang(content: Callable[[], bytes], session: Session[MajiangError]) -> None:
    """Read records of 電脳麻将."""
    walk = Walk(decoded(content(), MajiangError).rstrip(), MajiangError)
    session.error = lambda reason: MajiangError(reason, line=walk.line)
    for pointer in walk.documents():
        session.begin_match()
        _Record(walk, session, pointer).read()


# --- a record ---------------------------------------------------------------------------------------------------------


class _Record:
    """A record being read, at *pointer* in the document."""

    def __init__(self, walk: Walk[MajiangError], session: Session[MajiangError], pointer: str) -> None:
        self._walk = walk
        self._session = session
        self._pointer = pointer
        self._line = walk.line
        self._terms = Terms(())
        self._possible: list[_Frame] = []

    def read(self) -> None:
        """Read the record, and add its match to those of the session."""
        walk, head, frames = self._walk, dict[str, Any](), list[_Frame]()
        if walk.next() != "{":
            walk.object(self._pointer)
        for key in walk.members():
            if key == "log":
                frames = self._frames()
            elif key in _KNOWN:
                head[key] = walk.value()
            else:
                walk.value()
                self._session.notice(f"unknown key {quoted(key)} ignored")
        if not frames and "qijia" not in head:
            raise self._error("expected a game record, found an object without its key log", self._pointer)
        try:
            match = self._match(At(head, self._pointer), frames)
        except WrongValue as wrong:
            raise self._error(wrong.reason, wrong.pointer) from None
        self._session.add(match, self._locate)

    def _error(self, reason: str, pointer: str, frame: str | None = None) -> MajiangError:
        return MajiangError(reason, line=self._line, pointer=pointer, frame=frame)

    def _frames(self) -> list[_Frame]:
        """Return the frames, with those that have an invalid value."""
        walk, pointer = self._walk, f"{self._pointer}/log"
        if walk.next() != "[":
            raise self._error(expected("a list of frames", walk.value()).reason, pointer)
        frames: list[_Frame] = []
        for number in walk.items():
            self._session.begin_frame()
            robbed = bool(frames) and frames[-1].wrong is None and frames[-1].ends_with_robbery()
            frame = _Frame(At(walk.value(), f"{pointer}/{number}"), self._session.notice, follows_robbery=robbed)
            try:
                frame.read()
            except WrongValue as wrong:
                frame.wrong = wrong
            frames.append(frame)
        return frames

    def _match(self, head: At, frames: list[_Frame]) -> Match:
        first = optional(head.get("qijia"), _seat) or 0
        title = optional(head.get("title"), lambda title: read_title(title.text())) or Title()
        names = head.get("player") or At([""] * SEATS)
        players = _from(first, list(map(self._player, names.items(counts=_BY_SEAT))))
        points, results = self._result(head)
        fives = fives_of_frames([frame.builder for frame in frames if frame.wrong is None])
        facts = title.facts(red_fives=inferred(fives, SEATS))
        self._terms = Terms([player.name for player in players], results=thousands, by_seat=True, first=-first % SEATS)
        return Match(
            players=players,
            frames=self._assembled(frames, facts["rules"]),
            final_points=None if points is None else _from(first, points),
            results=None if results is None else _from(first, results),
            **facts,
        )

    def _player(self, name: At) -> Player:
        player, rest = read_player(name.text())
        for line in rest:
            self._session.notice(f"line {quoted(line)} below the name of a player ignored")
        return player

    def _result(self, head: At) -> tuple[list[int] | None, list[int] | None]:
        """Return the points and results by seat, as far as they are known."""
        point = head.get("point")
        if point is None:
            return None, None
        texts = list(map(str, point.list(counts=_BY_SEAT)))
        if _NO_POINT.issuperset(texts) or point.value == _UNFINISHED:
            return None, None
        points = optional(head.get("defen"), lambda defen: [each.points() for each in defen.items(counts=_BY_SEAT)])
        results = [result for result in map(read_point, texts) if result is not None]
        if len(results) < SEATS:
            self._session.notice(
                f"results (point) ignored: thousands such as -15.7 expected, not {quoted(', '.join(texts))}"
            )
            return points, None
        return points, results

    # --- frames ------------------------------------------------------------------------------------------------------

    def _assembled(self, frames: list[_Frame], rules: Rules) -> tuple[Frame, ...]:
        """Return the *frames* that are possible, each replayed; their errors are reported in order."""
        assembly = Assembly[_Frame](rules, lambda error, frame: self._session.find(self._impossible(error, frame)))
        for frame, then in zip_longest(frames, frames[1:]):
            if frame.wrong is not None:
                reason = frame.wrong.in_terms(self._terms.at(frame.dealer))
                self._session.find(self._error(reason, frame.wrong.pointer, frame.name))
                continue
            after = points_after(frame.builder, None if then is None or then.wrong else then.builder.start)
            assembly.add(frame, frame.builder, after)
        self._possible = assembly.possible
        return tuple(assembly.frames)

    def _impossible(self, error: PlayError, frame: _Frame) -> MajiangError:
        return self._error(error.in_terms(self._terms.at(frame.dealer)), frame.pointer_of(error), frame.name)

    def _locate(self, error: MatchError) -> MajiangError:
        """Return *error*, a problem of the match, with the place of its value."""
        if error.frame is None:
            key = "point" if error.at_end else "title"
            return self._error(error.in_terms(self._terms.at(None)), f"{self._pointer}/{key}")
        return self._impossible(error, self._possible[error.frame])


def _from(first: int, by_seat: list[_T]) -> tuple[_T, ...]:
    """Return values listed by seat at the table by player, the *first* dealer first."""
    return (*by_seat[first:], *by_seat[:first])


# --- a frame ----------------------------------------------------------------------------------------------------------

# - A turned dora (``kaigang``) is written right after a draw or discard, but was turned before it. Another one after
#   it, or one after a call or kan, was turned where it is written.
# - A hand that was not shown is empty.
# - 電脳麻将 converted mjlog with two faults: until 0.9.8 hands shown at a draw have the pon beside the kakan made of
#   it, and until 0.9.2 the first draw after a frame that ended with a robbed kakan is a ``gangzimo``.


class _Frame:
    """A frame being read.

    :param value: the list of its steps.
    :param follows_robbery: whether the frame before ended with a robbed kakan.
    """

    def __init__(self, value: At, notice: Notice, *, follows_robbery: bool) -> None:
        self.name: str | None = None  # its name, once it is known
        self.dealer: int | None = None  # its dealer, once the name is known
        self.wrong: WrongValue | None = None  # the first invalid value, if there is one
        self.builder: FrameBuilder
        self._value = value
        self._notice = notice
        self._follows_robbery = follows_robbery

    def ends_with_robbery(self) -> bool:
        """Return whether it ends with a kakan that is robbed."""
        return isinstance(self.builder.exposed, Kakan) and Win in map(type, self.builder.events)

    def read(self) -> None:
        """Read the steps.

        :raises WrongValue: one of them is invalid.
        """
        steps = self._value.list()
        if not steps:
            raise self._value.wrong("a frame without steps")
        kind, deal = _kind_and_values(self._value.item(0))
        if kind != "qipai":
            raise self._value.wrong(f'expected "qipai" as the first step, found {quoted(kind)}')
        self.builder = builder = FrameBuilder(self._dealt(deal))
        builder.mark(1, stride=1)
        append, table, drawn = builder.events.append, _plain_steps(self.builder.start.dealer), builder.drawn
        for self._index in range(1, len(steps)):
            event = _plain(steps[self._index], table)
            if type(event) is Draw:
                drawn = event.tile
            elif event is not None and event.tsumogiri is (event.tile == drawn):  # type: ignore[union-attr]
                drawn = None
            else:
                builder.mark(self._index)
                self._step(self._value.item(self._index))
                builder.mark(self._index + 1, stride=1)
                drawn = builder.drawn
                continue
            append(event)
        builder.break_off()

    def _step(self, step: At) -> None:
        """Add what happens in a step that is not just a draw or a discard."""
        kind, values = _kind_and_values(step)
        if kind not in self._STEPS:
            self._notice(f"unknown step {quoted(kind)} ignored")
            return
        handler, keys = self._STEPS[kind]
        handler(self, values)
        self._check_keys(kind, values, keys)

    def _check_keys(self, kind: str, values: At, known: tuple[str, ...]) -> None:
        for key in sorted(values.value.keys() - set(known)):
            self._notice(f"unknown key {quoted(key)} of {kind} ignored")

    def pointer_of(self, error: PlayError) -> str:
        """Return the JSON pointer to what *error* is about."""
        index, dealer = error.index, self.builder.start.dealer
        if isinstance(error, StartError):
            within = "0/qipai/lizhibang" if error.sticks else "0/qipai/defen"
        elif isinstance(error, EndError):
            within = self._within(self._ending_of(error.player), "/shoupai")
        elif index < 0:
            within = "0/qipai" if index == -1 else f"0/qipai/shoupai/{(-2 - index - dealer) % SEATS}"
        elif isinstance(error, PaymentError):
            within = self._within(index, "/fenpei")
        elif isinstance(error, WorthError):
            within = self._within(index, "/defen")
        else:
            within = self._within(index, _TILES_OF.get(type(self.builder.events[index]), ""))
        return f"{self._value.pointer}/{within}"

    def _within(self, index: int, key: str) -> str:
        """Return the pointer from the frame to the *key* of the step with the event *index*."""
        step = self.builder.position_of(index)
        (kind,) = self._value.value[step]
        return f"{step}/{kind}{key}"

    def _ending_of(self, player: int | None) -> int:
        """Return the index of the ending at which *player* shows their hand."""
        events = enumerate(self.builder.events)
        return next(
            index for index, event in events if isinstance(event, Ending) and getattr(event, "player", player) == player
        )

    # --- the deal ----------------------------------------------------------------------------------------------------

    def _dealt(self, deal: At) -> Start:
        wind, number = (deal.member(key).number("0 to 3", 0, SEATS - 1) for key in ("zhuangfeng", "jushu"))
        honba, sticks = (deal.member(key).count() for key in ("changbang", "lizhibang"))
        self.dealer, self.name = number, frame_name(SEATS * wind + number, honba)
        self._check_keys("qipai", deal, _OF_DEAL)
        baopai = deal.get("baopai")
        indicators = [] if baopai is None else list(baopai.items()) if type(baopai.value) is list else [baopai]
        turned = [tile.tile(TILES) for tile in indicators if tile.value != ""]
        return Start(
            SEATS * wind + number,
            honba,
            sticks,
            number,
            None,
            self._points(deal.member("defen")),
            self._by_player(list(map(_dealt_hand, deal.member("shoupai").items(counts=_BY_SEAT)))),
            None if turned[:1] in ([], [UNKNOWN]) else turned[0],
            kan_indicators=tuple(turned[1:]),
        )

    def _points(self, points: At) -> tuple[int, ...]:
        """Return points listed by seat."""
        return self._by_player([each.points() for each in points.items(counts=_BY_SEAT)])

    def _by_player(self, by_seat: list[_T]) -> tuple[_T, ...]:
        """Return values listed by seat, East first, by player."""
        assert self.dealer is not None
        return _from(SEATS - self.dealer, by_seat)

    def _player(self, seat: At) -> int:
        assert self.dealer is not None
        return (_seat(seat) + self.dealer) % SEATS

    # --- play --------------------------------------------------------------------------------------------------------

    def _draw(self, values: At) -> None:
        player, tile = self._player(values.member("l")), values.get("p")
        self.builder.draw(player, UNKNOWN if tile is None else tile.tile(DRAWN))

    def _replace(self, values: At) -> None:
        if self._follows_robbery and not self.builder.events:
            self._notice("gangzimo at the beginning of a frame read as zimo")
        elif self.builder.replacement is None:
            raise values.wrong("a replacement tile without a kan")
        self._draw(values)

    def _discard(self, values: At) -> None:
        player, word = self._player(values.member("l")), values.member("p")
        tile, tsumogiri, riichi = word.tile(DISCARDED, "a discarded tile")
        builder = self.builder
        tsumogiri = tsumogiri or builder.must_be_drawn(player, tile)
        if riichi:
            builder.declare_riichi(player)
        try:
            builder.discard(player, tile, tsumogiri)
        except NotDrawnError as error:
            raise word.wrong(f"{label(tile)} marked as the tile drawn; {error.shown} expected from the draw") from None

    def _turn(self, values: At) -> None:
        indicator = values.member("baopai").tile(TILES)
        self.builder.dora(indicator, before_step=_TURNABLE.issuperset(self._value.value[self._index - 1]))

    def _meld(self, values: At, *, called: bool) -> None:
        player, word = self._player(values.member("l")), values.member("m")
        meld = read_meld(word.text(), player)
        if not isinstance(meld, Shaped):
            raise word.expected("a meld")
        if isinstance(meld, Kakan):
            meld = as_called(meld, self.builder.melds[player])
        meld = shaped(meld, word)
        if isinstance(meld, Call) is not called:
            raise word.expected("a called meld" if called else "an ankan or kakan")
        self.builder.meld(meld)

    # --- the end -----------------------------------------------------------------------------------------------------

    def _win(self, values: At) -> None:
        player = self._player(values.member("l"))
        source = optional(values.get("baojia"), self._player)
        hand = optional(values.get("shoupai"), lambda hand: self._hand(hand, player))
        if hand:
            self.builder.revealed[player] = hand
        start = self.builder.start
        score, pao = read_score(values, (player - start.dealer) % SEATS, start.round // SEATS, self._notice)
        ura = values.get("fubaopai")
        self.builder.win(
            Win(
                player,
                source,
                hand[-1] if hand else self.builder.winning_tile,
                score=score,
                pao=() if pao is None else ((pao + start.dealer) % SEATS,),
                ura=() if ura is None else tuple([tile.tile(TILES) for tile in ura.items()]),
                changes=optional(values.get("fenpei"), self._points),
            )
        )

    def _abort(self, values: At) -> None:
        name, builder, revealed = values.member("name").text(), self.builder, values.get("shoupai")
        kind = DRAW_KINDS.get(plain(name))
        if kind is None:
            self._notice(f"unknown kind of draw {quoted(name)} ignored")
        hands = None
        if revealed is not None:
            by_seat = enumerate(revealed.items(counts=_BY_SEAT), self.builder.start.dealer)
            by_player = self._by_player([self._hand(hand, seat % SEATS) for seat, hand in by_seat])
            self.builder.revealed |= {player: hand for player, hand in enumerate(by_player) if hand}
            last = builder.events[-1] if builder.drawn == UNKNOWN else None
            if isinstance(last, Draw) and by_player[last.player]:
                builder.identify(by_player[last.player][-1])
            hands = tuple([tuple(sorted(hand)) or None for hand in by_player])
        changes = optional(values.get("fenpei"), self._points)
        if changes is None and kind in ABORTIVE:
            changes = (0,) * SEATS
        builder.draw_game(Ryuukyoku(kind, hands, changes=changes))

    def _hand(self, text: At, player: int) -> tuple[int, ...]:
        """Return the closed tiles of a hand that is shown, the one won on or drawn last; its melds are checked."""
        closed, *words = text.text().split(",")
        hand, read = read_hand(closed.removesuffix(RIICHI)), [read_meld(word, player) for word in words if word]
        if hand is None or None in read:
            raise text.expected("a hand")
        melds, played = [meld for meld in read if meld is not None], self.builder.melds[player]
        extended = [meld.pon for meld in melds if isinstance(meld, Kakan)]
        if any(meld in extended for meld in melds):
            melds = [meld for meld in melds if meld not in extended]
            self._notice("pon shown beside the kakan made of it ignored")
        if text.value and sorted(map(_sorted_tiles, melds)) != sorted(map(_sorted_tiles, played)):
            differing, expected = melds_apart(melds, played)
            said = "{player} shows {found}; {expected} expected from the play"
            raise text.wrong(Message(said, player=Who(player), found=differing, expected=expected))
        return tuple(hand)

    _STEPS: ClassVar[dict[str, tuple[Callable[[_Frame, At], None], tuple[str, ...]]]] = {
        "zimo": (_draw, ("l", "p")),
        "dapai": (_discard, ("l", "p")),
        "fulou": (partial(_meld, called=True), ("l", "m")),
        "gang": (partial(_meld, called=False), ("l", "m")),
        "gangzimo": (_replace, ("l", "p")),
        "kaigang": (_turn, ("baopai",)),
        "hule": (_win, ("l", "shoupai", "baojia", "fubaopai", "fu", "fanshu", "damanguan", "defen", "hupai", "fenpei")),
        "pingju": (_abort, ("name", "shoupai", "fenpei")),
    }
    """The reader of each step but the first, with the keys that it may have."""


_TURNABLE = frozenset(("zimo", "gangzimo", "dapai"))
_TILES_OF: dict[type, str] = {
    **dict.fromkeys((Draw, Discard, RiichiDeclared, RiichiAccepted), "/p"),
    **dict.fromkeys(MELDS, "/m"),
    DoraRevealed: "/baopai",
}
"""By event, the key of its tiles."""

_Plain = Mapping[tuple[str, int, str], Draw | Discard]


@cache
def _plain_steps(dealer: int) -> _Plain:
    """Return the draws and discards by the kind of their step, the seat, and the tile: nine of ten steps."""
    events: dict[tuple[str, int, str], Draw | Discard] = {}
    for seat in range(SEATS):
        player = (seat + dealer) % SEATS
        for name, tile in DRAWN.items():
            events["zimo", seat, name] = DRAWS[player][tile]
        for word, discarded in DISCARDED.items():
            if not discarded.riichi:
                events["dapai", seat, word] = DISCARDS[discarded.tsumogiri][player][discarded.tile]
    return events


def _plain(step: Any, table: _Plain) -> Draw | Discard | None:
    """Return what *table* has for *step*."""
    if type(step) is dict and len(step) == 1:
        ((kind, values),) = step.items()
        if type(values) is dict and len(values) == 2:  # noqa: PLR2004 - seat and tile
            seat, word = values.get("l"), values.get("p")
            if type(seat) is int and type(word) is str:
                return table.get((kind, seat, word))
    return None


def _kind_and_values(step: At) -> tuple[str, At]:
    if type(step.value) is not dict or len(step.value) != 1:
        raise step.expected("an object with one key")
    ((kind, values),) = step.value.items()
    content = At(values, kind, step)
    content.object()
    return kind, content


def _seat(seat: At) -> int:
    return seat.player(SEATS, "a seat")


def _dealt_hand(text: At) -> tuple[int, ...]:
    """Return the hand that is dealt to a seat: thirteen unknown tiles if it is empty."""
    hand = read_hand(text.text())
    if hand is None:
        raise text.expected("a hand")
    return tuple(sorted(hand)) or (UNKNOWN,) * DEALT


def _sorted_tiles(meld: Meld) -> list[int]:
    return sorted(tiles_of(meld))
