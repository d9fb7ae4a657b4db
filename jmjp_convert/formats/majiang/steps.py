"""Read the steps of a frame as events.

Sources: as for :mod:`.frames`, and ``majiang-core`` (``lib/game.js``, ``lib/board.js``) for what steps imply.

- A riichi is accepted with the step after its tile, unless that is a win by ron or a triple ron; in a frame that breaks
  off it stays open.
- A turned dora (``kaigang``) is written right after a draw or discard, but was turned before it. Another one after it,
  or one after a call or kan, was turned where it is written.
- A hand that was not shown is empty. A tile drawn face down is known once it is discarded as the tile drawn, or won on.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, ClassVar

from jmjp_convert.formats.assembly import Played
from jmjp_convert.formats.bounds import A_COUNT, MOST
from jmjp_convert.formats.json_text import shown as quoted
from jmjp_convert.formats.majiang import values
from jmjp_convert.formats.majiang.notation import DISCARDED, DRAWN, RIICHI, TILES, read_hand, read_meld, read_score
from jmjp_convert.formats.majiang.values import WrongValueError, expected, member
from jmjp_convert.formats.words import DRAW_KINDS, plain
from jmjp_convert.messages import Message, Who
from jmjp_convert.model import (
    DISCARDS,
    DRAWS,
    SEATS,
    Ankan,
    Call,
    Daiminkan,
    Discard,
    DoraRevealed,
    Draw,
    DrawKind,
    Event,
    Kakan,
    Meld,
    Pon,
    RiichiAccepted,
    RiichiDeclared,
    Ryuukyoku,
    Start,
    Win,
    frame_name,
    tiles,
)
from jmjp_convert.model.events import ABORTIVE
from jmjp_convert.model.tiles import UNKNOWN, kind
from jmjp_convert.play.melds import melds_apart, misshapen, tiles_of
from jmjp_convert.play.position import DEALT

Notice = Callable[[str], None]
_Values = Mapping[str, Any]

_ROUNDS = 3  # the last wind and the last round of a wind, from 0
_KANS = frozenset((Ankan, Kakan, Daiminkan))


class Steps:
    """The steps of a frame being read.

    :ivar name: the frame's name, once it is known.
    :ivar dealer: its dealer, once the name is known.
    :ivar step: the index of the current step.
    :ivar places: for each event, the index of its step.
    :ivar kinds: the kinds of the steps so far.
    """

    def __init__(self, notice: Notice) -> None:
        self.name: str | None = None
        self.step = 0
        self.places: list[int] = []
        self.kinds: list[str] = []
        self._notice = notice
        self._events: list[Event] = []
        self._shown: dict[int, tuple[int, ...]] = {}
        self.dealer = 0
        self._drawn: int | None = None  # the tile drawn and not yet discarded
        self._riichi = [False] * SEATS
        self._declared: int | None = None  # the place after the riichi tile that may still be ronned
        self._replaces = False  # whether a kan's replacement tile comes next
        self._turnable = False  # whether the last step is a draw or discard, which an indicator may come after
        self._melds: tuple[list[Meld], ...] = ([], [], [], [])

    def read(self, value: Any) -> Played:
        """Return the frame whose steps are *value*.

        :raises WrongValueError: one of them is invalid; :attr:`step` is its index.
        """
        if not values.listed(value):
            raise WrongValueError("a frame without steps")
        kind_, content = _step(value[0])
        if kind_ != "qipai":
            raise WrongValueError(f'expected "qipai" as the first step, found {quoted(kind_)}')
        self.kinds.append(kind_)
        start = self._deal(content)
        handlers = self._HANDLERS
        for self.step, step in enumerate(value[1:], start=1):
            kind_, content = _step(step)
            self.kinds.append(kind_)
            handler = handlers.get(kind_)
            if handler is None:
                self._notice(f"unknown step {quoted(kind_)} ignored")
                continue
            if self._declared is not None and kind_ != "kaigang":
                self._settle(kind_, content)
            try:
                handler(self, content)
            except WrongValueError as wrong:
                wrong.path = (kind_, *wrong.path)
                raise
            self._turnable = kind_ in _TURNABLE
            if len(content) > len(_KEYS[kind_]) or kind_ in _VARIED:
                self._check_keys(kind_, content)
        return Played(start, self._events, self._shown)

    def _check_keys(self, kind_: str, content: _Values) -> None:
        for key in sorted(content.keys() - _KEYS[kind_]):
            self._notice(f"unknown key {quoted(key)} of {kind_} ignored")

    # --- the deal ----------------------------------------------------------------------------------------------------

    def _deal(self, content: _Values) -> Start:
        try:
            return self._start(content)
        except WrongValueError as wrong:
            wrong.path = ("qipai", *wrong.path)
            raise

    def _start(self, content: _Values) -> Start:
        wind, number = (values.number(member(content, key), "0 to 3", _ROUNDS, key) for key in ("zhuangfeng", "jushu"))
        honba, sticks = (values.number(member(content, key), A_COUNT, MOST, key) for key in ("changbang", "lizhibang"))
        self._wind, self.dealer = wind, number
        self.name = frame_name(4 * wind + number, honba)
        self._check_keys("qipai", content)
        said = content.get("baopai", "")
        indicators = [_tile(tile, "baopai") for tile in (said if type(said) is list else [said]) if tile != ""]
        return Start(
            4 * wind + number,
            honba,
            sticks,
            number,
            None,
            self._points(member(content, "defen"), "defen"),
            self._by_player([self._dealt(hand, seat) for seat, hand in enumerate(_hands(content))]),
            None if indicators[:1] in ([], [UNKNOWN]) else indicators[0],
            kan_indicators=tuple(indicators[1:]),
        )

    def _dealt(self, said: Any, seat: int) -> tuple[int, ...]:
        """Return the hand dealt to *seat*: thirteen unknown tiles if it is empty."""
        hand = read_hand(values.text(said, "shoupai", seat))
        if hand is None:
            raise expected("a hand", said, "shoupai", seat)
        return tuple(sorted(hand)) or (UNKNOWN,) * DEALT

    def _points(self, said: Any, key: str) -> tuple[int, ...]:
        """Return points listed by seat."""
        return self._by_player([values.points(value, key, seat) for seat, value in enumerate(values.four(said, key))])

    def _by_player(self, by_seat: list[Any]) -> tuple[Any, ...]:
        """Return values listed by seat, East first, by player."""
        first = SEATS - self.dealer
        return (*by_seat[first:], *by_seat[:first])

    def _player(self, content: _Values, key: str = "l") -> int:
        seat = member(content, key)
        if type(seat) is not int or not 0 <= seat < SEATS:
            raise expected("a seat, 0 to 3", seat, key)
        return (seat + self.dealer) % SEATS

    # --- play --------------------------------------------------------------------------------------------------------

    def _add(self, event: Event) -> None:
        self._events.append(event)
        self.places.append(self.step)

    def _draw(self, content: _Values) -> None:
        player, said = self._player(content), content.get("p", "")
        tile = DRAWN.get(said) if type(said) is str else None
        if tile is None:
            raise expected("a tile", said, "p")
        self._drawn = tile
        self._replaces = False
        self._add(DRAWS[player][tile])

    def _replace(self, content: _Values) -> None:
        if not self._replaces:
            raise WrongValueError("a replacement tile without a kan")
        self._draw(content)

    def _discard(self, content: _Values) -> None:
        player, said = self._player(content), member(content, "p")
        found = DISCARDED.get(said) if type(said) is str else None
        if found is None:
            raise expected("a discarded tile", said, "p")
        tile, drawn = found.tile, self._drawn
        tsumogiri = found.tsumogiri or (tile == drawn and self._riichi[player])
        if tsumogiri and tile != drawn:
            self._identify(tile, "p")
        if found.riichi:
            self._add(RiichiDeclared(player))
        self._add(DISCARDS[tsumogiri][player][tile])
        if found.riichi:
            self._declared = len(self._events)
        self._drawn = None

    def _identify(self, tile: int, key: str) -> None:
        """Identify the tile drawn face down as *tile*."""
        last = self._events[-1] if self._events else None
        if self._drawn != UNKNOWN or type(last) is not Draw:
            drawn = "no tile" if self._drawn is None else tiles.label(self._drawn)
            raise WrongValueError(f"{tiles.label(tile)} marked as the tile drawn; {drawn} expected from the draw", key)
        self._events[-1] = DRAWS[last.player][tile]
        self._drawn = tile

    def _settle(self, kind_: str, content: _Values) -> None:
        """Accept the riichi just declared, unless the step shows that its tile is ronned."""
        assert self._declared is not None
        declared = self._events[self._declared - 1]
        assert isinstance(declared, Discard)
        ronned = kind_ == "hule" and content.get("baojia") is not None
        name = content.get("name") if kind_ == "pingju" else None
        if not ronned and not (type(name) is str and DRAW_KINDS.get(plain(name)) is DrawKind.TRIPLE_RON):
            self._events.insert(self._declared, RiichiAccepted(declared.player))
            self.places.insert(self._declared, self.places[self._declared - 1])
            self._riichi[declared.player] = True
        self._declared = None

    def _turn(self, content: _Values) -> None:
        event = DoraRevealed(_tile(member(content, "baopai"), "baopai"))
        place = len(self._events) - self._turnable
        if self._turnable and self._declared is not None:
            self._declared += 1
        self._events.insert(place, event)
        self.places.insert(place, self.step)

    def _call(self, content: _Values) -> None:
        player = self._player(content)
        meld = self._meld(content, player)
        if not isinstance(meld, Call):
            raise expected("a called meld", content["m"], "m")
        self._melds[player].append(meld)
        self._declare(meld)

    def _kan(self, content: _Values) -> None:
        player = self._player(content)
        meld = self._meld(content, player)
        if isinstance(meld, Kakan):
            meld = self._added(meld)
        elif not isinstance(meld, Ankan):
            raise expected("an ankan or kakan", content["m"], "m")
        else:
            self._melds[player].append(meld)
        self._declare(meld)

    def _declare(self, meld: Meld) -> None:
        if (fault := misshapen(meld, len(self._events))) is not None:
            raise WrongValueError(fault.reason, "m")
        self._add(meld)
        self._drawn = None
        self._replaces = type(meld) in _KANS

    def _meld(self, content: _Values, player: int) -> Meld:
        said = values.text(member(content, "m"), "m")
        meld = read_meld(said, player)
        if meld is None:
            raise expected("a meld", said, "m")
        return meld

    def _added(self, kan: Kakan) -> Kakan:
        """Return *kan* with the pon that was called: programs differ in the order of its tiles if one is red."""
        melds, all_tiles = self._melds[kan.player], _sorted_tiles(kan)
        for place, meld in enumerate(melds):
            if isinstance(meld, Pon) and kind(meld.taken) == kind(kan.tile):
                rest = list(all_tiles)
                for tile in (meld.taken, *meld.hand):
                    if tile in rest:
                        rest.remove(tile)
                if len(rest) == 1:
                    melds[place] = kan = Kakan(kan.player, rest[0], meld)
        return kan

    # --- the end -----------------------------------------------------------------------------------------------------

    def _win(self, content: _Values) -> None:
        player = self._player(content)
        source = None if content.get("baojia") is None else self._player(content, "baojia")
        hand = self._lying(content.get("shoupai", ""), player, "shoupai")
        tile = hand[-1] if hand else self._last_tile()
        if source is None and self._drawn == UNKNOWN != tile:
            self._identify(tile, "shoupai")
        if hand:
            self._shown[player] = hand
        score, pao = read_score(content, (player - self.dealer) % SEATS, self._wind, self._notice)
        said = content.get("fubaopai")
        ura = [] if said is None else [_tile(one, "fubaopai") for one in values.listed(said, "fubaopai")]
        self._add(
            Win(
                player,
                source,
                tile,
                score=score,
                pao=None if pao is None else (pao + self.dealer) % SEATS,
                ura=tuple(ura),
                changes=self._changes(content),
            )
        )

    def _last_tile(self) -> int:
        """Return the tile that a win without a hand is on: the last one drawn, discarded or added to a kan."""
        for event in reversed(self._events):
            if isinstance(event, Draw | Discard | Kakan):
                return event.tile
        return UNKNOWN

    def _abort(self, content: _Values) -> None:
        name = values.text(member(content, "name"), "name")
        kind_ = DRAW_KINDS.get(plain(name))
        if kind_ is None:
            self._notice(f"unknown kind of draw {quoted(name)} ignored")
        lying = None
        if content.get("shoupai") is not None:
            said = enumerate(_hands(content))
            lying = self._by_player([self._lying(hand, (self.dealer + seat) % SEATS, seat) for seat, hand in said])
            for player, hand in enumerate(lying):
                if hand:
                    self._show(player, hand)
        ordered = lying and tuple([tuple(sorted(hand)) or None for hand in lying])
        changes = self._changes(content)
        if changes is None and kind_ in ABORTIVE:
            changes = (0,) * SEATS
        self._add(Ryuukyoku(kind_, ordered, changes=changes))

    def _show(self, player: int, hand: tuple[int, ...]) -> None:
        """Show a hand at a draw; its last tile is the one just drawn."""
        last = self._events[-1] if self._events else None
        if self._drawn == UNKNOWN != hand[-1] and isinstance(last, Draw) and last.player == player:
            self._identify(hand[-1], "shoupai")
        self._shown[player] = hand

    def _changes(self, content: _Values) -> tuple[int, ...] | None:
        return None if content.get("fenpei") is None else self._points(content["fenpei"], "fenpei")

    def _lying(self, said: Any, player: int, place: str | int) -> tuple[int, ...]:
        """Return the closed tiles of a hand that is shown, the one won on or drawn last; its melds are checked."""
        path = ("shoupai",) if place == "shoupai" else ("shoupai", place)
        closed, *melds = values.text(said, *path).split(",")
        hand = read_hand(closed.removesuffix(RIICHI))
        if hand is None:
            raise expected("a hand", said, *path)
        if not said:
            return ()
        found = [read_meld(meld, player) for meld in melds if meld]
        if None in found:
            raise expected("a hand", said, *path)
        lying, played = (sorted(map(_sorted_tiles, each)) for each in (found, self._melds[player]))  # type: ignore[arg-type]
        if lying != played:
            said = "{player} shows {found}; {expected} expected from the play"
            shown_, held = melds_apart([meld for meld in found if meld], self._melds[player])
            raise WrongValueError(Message(said, player=Who(player), found=shown_, expected=held), *path)
        return tuple(hand)

    _HANDLERS: ClassVar[dict[str, Callable[[Steps, _Values], None]]] = {
        "zimo": _draw,
        "dapai": _discard,
        "fulou": _call,
        "gang": _kan,
        "gangzimo": _replace,
        "kaigang": _turn,
        "hule": _win,
        "pingju": _abort,
    }


def _sorted_tiles(meld: Meld) -> list[int]:
    return sorted(tiles_of(meld))


def _step(value: Any) -> tuple[str, _Values]:
    """Return the kind and the values of a step."""
    if type(value) is not dict or len(value) != 1:
        raise expected("an object with one key", value)
    ((kind_, content),) = value.items()
    if type(content) is not dict:
        raise expected("an object", content, kind_)
    return kind_, content


def _hands(content: _Values) -> Any:
    return values.four(member(content, "shoupai"), "shoupai")


def _tile(said: Any, key: str) -> int:
    tile = TILES.get(said) if type(said) is str else None
    if tile is None:
        raise expected("a tile", said, key)
    return tile


_TURNABLE = frozenset(("zimo", "gangzimo", "dapai"))
_KEYS = {
    "qipai": {"zhuangfeng", "jushu", "changbang", "lizhibang", "defen", "baopai", "shoupai"},
    "zimo": {"l", "p"},
    "dapai": {"l", "p"},
    "fulou": {"l", "m"},
    "gang": {"l", "m"},
    "gangzimo": {"l", "p"},
    "kaigang": {"baopai"},
    "hule": {"l", "shoupai", "baojia", "fubaopai", "fu", "fanshu", "damanguan", "defen", "hupai", "fenpei"},
    "pingju": {"name", "shoupai", "fenpei"},
}
_VARIED = frozenset(("hule", "pingju"))
