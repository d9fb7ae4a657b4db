"""Turn the elements of a log into a match: the head, each frame as it completes, the result."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, Final

from jmjp_convert.errors import ConvertError, MatchError, MjlogError, PlayError
from jmjp_convert.formats.mjlog import elements
from jmjp_convert.formats.mjlog.elements import Result, point_rule, rejoined, result, seated, with_tenhou_wins
from jmjp_convert.formats.mjlog.notation import (
    ATTRIBUTES,
    INIT,
    NAMES,
    ROOT,
    ROOT_ATTRIBUTES,
    TILE_EVENTS,
    TILE_LETTERS,
    frame_of,
    number,
)
from jmjp_convert.formats.mjlog.xml import MAX_ATTRIBUTES, Portion, Tag, XmlLog
from jmjp_convert.lazy_regex import regex
from jmjp_convert.messages import Message, Terms, hundreds, thousands
from jmjp_convert.model import (
    DISCARDS,
    SEATS,
    Discard,
    Disconnected,
    Draw,
    Event,
    Frame,
    House,
    Match,
    Name,
    Player,
    Presence,
    Recorder,
    Rules,
    Shuffle,
    ShuffleForm,
    Start,
    Tournament,
    dates,
    log_ids,
    tenhou,
)
from jmjp_convert.model.record import Record
from jmjp_convert.play.dora_indicators import ten_dora
from jmjp_convert.play.judge import Judge, check_worth

_SHUFFLE_FORMS: Final = {"mt19937ar-sha512-n288-base64": ShuffleForm.BASE64, "mt19937ar-sha512-n288": ShuffleForm.HEX}
_TILE_TAG: Final = regex(rf"[{''.join(sorted(TILE_LETTERS))}]-?\d*")

_ONCE: Final = frozenset(("SHUFFLE", "GO"))
_OYA_VALUES: Final = tuple(map(str, range(SEATS)))

OnError = Callable[[MjlogError], None]


class _Places(Record):
    """Where a frame is: the number of elements before its portion, the index of its ``INIT`` in the portion, and those
    of its events."""

    __slots__ = ("passed", "init", "events")

    def __init__(self, passed: int, init: int, events: Sequence[int]) -> None:
        self.passed: Final = passed
        self.init: Final = init
        self.events: Final = events


class Decoder:
    """The state of a match while its log is read.

    :param lobby: the lobby, if known from the log ID: older logs do not hold it.
    :param strict: whether to reject unknown elements and attributes.
    :param notices: collects remarks on the log, each line once.
    :param finding: called with each problem; if it returns, the frame is skipped, and reading continues with the next.
    """

    def __init__(
        self, log: XmlLog, lobby: int | None, *, strict: bool, notices: dict[str, None], finding: OnError
    ) -> None:
        self.notices = notices
        self._finding = finding
        self._log = log
        self._lobby = lobby
        self._strict = strict
        self._head_read: dict[str, Mapping[str, str]] = {}
        self._rules: Rules | None = None
        self._player_count = 4
        self._tournament: Tournament | None = None
        self._players: list[Player] = []
        self._shuffle: Shuffle | None = None
        self._foreign = False  # whether another program than Tenhou wrote the log
        self._before: list[Presence] = []
        self._away: set[int] = set()
        self._attributes: Mapping[str, str] = {}  # of the last INIT
        self._started: Start | None = None
        self._uneven = False  # whether some element of the frame is not exactly one event
        # The index in the portion and the tag of the frame's first unknown element.
        self._unknown: tuple[int, str] | None = None
        self._passed_over = 0  # frames
        self._skipping = False  # in the rest of a skipped frame
        self._judge: Judge | None = None  # from the first frame on
        self._frames: list[Frame] = []
        self._passed = self._last_portion = 0  # elements before the current portion, and before the last one
        self._places: list[_Places] = []  # of each frame
        self._final: Result | None = None
        self._ratio: str | None = None

    def run(self) -> None:
        """Read the log.

        :raises MjlogError: it is not well-formed, or describes impossible play.
        """
        try:
            for portion in self._log:
                self._check_root()
                self._portion(portion)
        except MjlogError as error:
            error.frame = error.frame or frame_of(self._attributes)
            raise
        if not self._frames and not self._passed_over:
            raise MjlogError("no frame (INIT) found")

    def match(self, log_id: log_ids.LogId | None, *, time: str | None, file_name: str | None) -> Match:
        """Return the match that was read."""
        rules = self._rules or Rules(house=House.TENHOU)
        final = None if self._skipping else self._final  # it is in the last frame
        date = log_id.date if log_id else None
        return Match(
            rules=rules,
            players=tuple(self._players or [Player()] * rules.players)[: rules.players],
            frames=tuple(self._frames),
            id=log_id.text if log_id else None,
            source=None if log_id else file_name or None,
            tournament=self._tournament,
            date=date,
            weekday=dates.weekday(date) if date else None,
            time=time,
            place=tenhou.NAME,
            recorders=(Recorder(Name(tenhou.NAME)),),
            shuffle=self._shuffle,
            point_rule=point_rule(self._frames, final) if final and self._frames else None,
            before=tuple(self._before),
            final_points=final.points if final else None,
            results=final.results if final else None,
            chips=final.chips if final else None,
            ratio=self._ratio,
        )

    def _portion(self, portion: Portion) -> None:
        """Read the elements of one or more whole frames."""
        items = portion.items
        first = 0
        for index in portion.others:
            tag: Tag = items[index]
            is_init = tag[0] == INIT
            try:
                if is_init:
                    self._finish(items, first, index)
                    first = index + 1
                    self._start(tag, index)
                elif self._started is not None:
                    items[index] = self._event(tag, index)
                elif not self._skipping:
                    self._head(tag)
            except (ConvertError, KeyError) as error:
                if is_init or self._started is not None:
                    self._pass_over()
                self._find(error, index)
        self._finish(items, first, len(items))
        self._last_portion, self._passed = self._passed, self._passed + len(items)
        self._check_hidden(portion.unread)

    # --- before the first frame --------------------------------------------------------------------------------------

    def _head(self, tag: Tag) -> None:
        """Read an element before the first frame."""
        name, attributes, known = tag
        if not known:
            self._check_known(name, attributes)
        if name in _ONCE and self._head_read.setdefault(name, attributes) != attributes:
            self._reject_or_ignore(f"second element <{name}>")
        elif name == "SHUFFLE":
            self._seed(attributes.get("seed", ""))
            self._check_usual(name, attributes, ref="")
        elif name == "TAIKYOKU":
            self._check_usual(name, attributes, oya="0")
        elif name == "GO":
            self._go(attributes)
        elif name == "UN":
            self._before.extend(self._un(attributes))
        elif name == "BYE":
            self._before.append(self._bye(attributes))
        elif name in elements.EVENTS:
            raise ConvertError("play before the first frame")

    def _seed(self, seed: str) -> None:
        form, _, _ = seed.partition(",")
        if form in _SHUFFLE_FORMS:
            self._shuffle = Shuffle(_SHUFFLE_FORMS[form], seed)
        elif form:
            self._foreign = True
            self._reject_or_ignore(f"unknown shuffle {form:.40}")

    def _go(self, attributes: Mapping[str, str]) -> None:
        code = number(attributes["type"])
        if code < 0:
            raise ConvertError(f"type={code} is not a rules number")
        lobby = number(attributes["lobby"]) if attributes.get("lobby") else self._lobby
        if lobby is not None and lobby < 0:
            raise ConvertError(f"lobby={lobby} is not a lobby")
        custom = tuple((key, attributes[key]) for key in tenhou.CUSTOM_RULES if attributes.get(key))
        self._rules = tenhou.rules(code, lobby, custom)
        self._player_count = self._rules.players
        self._tournament = Tournament(tenhou.title(code, lobby))

    def _un(self, attributes: Mapping[str, str]) -> list[Presence]:
        """Read the players from the first ``UN``; a later one is a return."""
        self._check_usual("UN", attributes, **dict.fromkeys(NAMES[self._player_count :], ""))
        if not self._players:
            self._players = seated(attributes, self._player_count, self._reject_or_ignore)
            return []
        returned = rejoined(attributes, self._players, self._away, self._reject_or_ignore)
        self._away.difference_update(event.player for event in returned)
        return returned

    def _bye(self, attributes: Mapping[str, str]) -> Disconnected:
        event = Disconnected(elements.player(attributes, "who", self._player_count))
        self._away.add(event.player)
        return event

    # --- a frame -----------------------------------------------------------------------------------------------------

    def _start(self, init: Tag, index: int) -> None:
        """Begin a frame from its *init*, the element at *index*."""
        _, attributes, known = init
        self._attributes = attributes
        self._uneven = self._skipping = False
        self._unknown = None
        if self._rules is None:
            self._player_count = 4 if attributes.get("hai3") else 3
            self._rules = Rules(players=self._player_count, lobby=self._lobby, house=House.TENHOU)
        if self._judge is None:
            self._judge = Judge(self._rules, every_frame=True)
        if not known:
            self._check_known(INIT, attributes)
        start = elements.start(attributes, self._player_count)
        try:
            self._check_goes_on(self._judge.before)
            self._judge.begin(start)
        except ConvertError as error:
            self._find(error, index)
        self._started = start
        if start.shuffle and self._shuffle is None:
            self._shuffle = Shuffle(ShuffleForm.OLD)

    def _check_goes_on(self, before: Frame | None) -> None:
        """Check that the frame *before* the new one has ended and was not the last."""
        if self._final is not None:
            self._final = None
            raise ConvertError("a frame begins after the final result (owari)")
        if before is not None and before.end.points is None:
            raise ConvertError(f"a frame begins before {before.start.name} has ended")

    def _event(self, tag: Tag, index: int) -> Event | list[Presence]:
        """Return the event for an element, the one at *index*, or a list if there is not exactly one."""
        name, attributes, known = tag
        if not known:
            self._check_known(name, attributes)
        event_of = elements.EVENTS.get(name)
        if event_of is not None or name == "BYE":
            if "owari" in attributes or "ratio" in attributes:
                self._take_result(attributes)
            return self._bye(attributes) if event_of is None else event_of(attributes, self._player_count)
        self._uneven = True
        if name == "UN":
            return self._un(attributes)
        if name in ATTRIBUTES:
            self._reject_or_ignore(f"unexpected element <{name}> after the first frame")
        elif self._unknown is None:
            self._unknown = index, name
        return []

    def _take_result(self, attributes: Mapping[str, str]) -> None:
        self._ratio = attributes.get("ratio", self._ratio)
        if "owari" in attributes:
            self._final = result(attributes["owari"], self._player_count)

    def _finish(self, items: list[Any], first: int, end: int) -> None:
        """Replay the frame whose events are ``items[first:end]``."""
        if self._started is None:
            if not self._skipping:
                self._check_no_play(items, end)
            return
        events: list[Event] = items[first:end]
        places: Sequence[int] = range(first, end)
        if self._uneven:
            events, places = _flat(items, first, end)
        if self._started.fourteenth is not None:
            _mark_tsumogiri(events, self._started.fourteenth)
        if self._foreign:
            events = with_tenhou_wins(events)
        assert self._judge is not None
        try:
            table = self._judge.play(self._started, events)
        except PlayError as error:
            self._pass_over()
            index = places[error.index] if error.index >= 0 else first - 1
            self._find(self._after_unknown(error, index), index)
            return
        dora = ten_dora(table.turned, table.ura, self._player_count)
        frame = Frame(self._started, tuple(events), table.end(), dora)
        if (worth := check_worth(frame)) is not None:
            self._pass_over()
            self._find(worth, places[worth.index])
            return
        self._judge.end(frame, table.sticks)
        self._frames.append(frame)
        self._places.append(_Places(self._passed, first - 1, places))
        self._started = None

    def _after_unknown(self, error: PlayError, index: int) -> PlayError:
        """Return *error*, for the element at *index*, with an unknown element before it: that may be the play missing
        there."""
        if self._unknown is None:
            return error
        place, tag = self._unknown
        if place > index:
            return error
        words = "{reason}; the unknown element <{tag}> before it was ignored"
        return PlayError(Message(words, reason=error.message, tag=tag), error.index)

    def _pass_over(self) -> None:
        """Skip the frame being read, which is broken."""
        self._passed_over += 1
        self._skipping = True
        self._started = None
        if self._judge is not None:
            self._judge.pass_over()

    def _check_no_play(self, items: list[Any], end: int) -> None:
        """Check that no draw or discard comes before the first frame."""
        for index, item in enumerate(items[:end]):
            if isinstance(item, Draw | Discard):
                self._find(ConvertError("play before the first frame"), index)
                return

    # --- problems and remarks ----------------------------------------------------------------------------------------

    def _check_known(self, tag: str, attributes: Mapping[str, str]) -> None:
        """Report an element or attributes that are unknown."""
        if len(attributes) > MAX_ATTRIBUTES:
            raise ConvertError(f"element with more than {MAX_ATTRIBUTES} attributes")
        if _TILE_TAG.fullmatch(tag):
            raise ConvertError(f"{tag} does not name a tile (0 to 135)")
        if tag not in ATTRIBUTES:
            self._reject_or_ignore(f"unknown element <{tag}>")
            return
        for attribute in attributes:
            if attribute not in ATTRIBUTES[tag]:
                self._reject_or_ignore(f"unknown attribute {attribute} of <{tag}>")

    def _check_usual(self, tag: str, attributes: Mapping[str, str], **usual: str) -> None:
        """Report attributes with values other than the *usual* ones, the only ones documented."""
        for attribute, value in usual.items():
            if (unusual := attributes.get(attribute, value)) != value:
                self._reject_or_ignore(f"unknown value {attribute}={unusual[:40]!r} of <{tag}>")

    def _check_root(self) -> None:
        """Report unknown attributes of the root."""
        try:
            for attribute in self._log.attributes:
                if attribute not in ROOT_ATTRIBUTES:
                    self._reject_or_ignore(f"unknown attribute {attribute} of <{ROOT}>")
        except ConvertError as error:
            raise MjlogError(str(error)) from error

    def _check_hidden(self, portion: Iterable[Any]) -> None:
        """Report what a log should not have: attributes of draws and discards, elements inside others, text."""
        frame: Mapping[str, str] = {}
        for index, element in enumerate(portion):
            if element.tag == INIT:
                frame = dict(element.items())
            try:
                if element.tag in TILE_EVENTS:
                    for attribute in element.attrib:
                        self._reject_or_ignore(f"unknown attribute {attribute} of a draw or discard")
                for inner in element:
                    self._reject_or_ignore(f"unknown element <{inner.tag!s}> inside <{element.tag!s}>")
                if (
                    _is_text(element.text)
                    or _is_text(element.tail)
                    or (not index and _is_text(element.getparent().text))
                ):
                    self._reject_or_ignore("text between the elements")
            except ConvertError as error:
                self._attributes = frame
                raise self._located(error, index) from error

    def _reject_or_ignore(self, what: str) -> None:
        if self._strict:
            raise ConvertError(what)
        self.notices[f"{what} ignored"] = None

    def _find(self, error: Exception, index: int) -> None:
        """Report *error* for the element at *index*."""
        located = self._located(error, index)
        located.frame = located.frame or frame_of(self._attributes)
        if located is not error:
            located.__cause__ = error  # keep the kind of error
        self._finding(located)

    def _located(self, error: Exception, index: int) -> MjlogError:
        if isinstance(error, MjlogError):
            return error
        if isinstance(error, KeyError):
            reason = f"missing attribute {error.args[0]}"
        else:
            reason = error.in_terms(self._terms()) if isinstance(error, ConvertError) else str(error)
        return MjlogError(reason, **self._log.place(index))

    def _terms(self) -> Terms:
        """Return the names in the log and its units, for the current frame."""
        dealer = self._attributes.get("oya", "")
        return self._all_terms().at(int(dealer) if dealer in _OYA_VALUES[: self._player_count] else None)

    def _all_terms(self) -> Terms:
        """Return the names in the log and its units, for the whole match."""
        names = [player.name for player in self._players]
        return Terms(names, self._player_count, points=hundreds, results=thousands)

    def locate(self, error: MatchError) -> MjlogError:
        """Return *error*, a problem of the match, with its element; a date is in the log ID, not in an element."""
        frame, index, terms = error.frame, error.index, self._all_terms()
        if frame is None and not error.at_end:
            return MjlogError(error.in_terms(terms))
        if frame is None:
            frame, index = len(self._frames) - 1, len(self._frames[-1].events) - 1
        else:
            terms = terms.at(self._frames[frame].start.dealer)
        places = self._places[frame]
        element = places.init if index < 0 else places.events[index]
        is_last = places.passed == self._last_portion
        where = self._log.place(element) if is_last else {"number": places.passed + element + 1}
        return MjlogError(error.in_terms(terms), frame=error.name, **where)


def _mark_tsumogiri(events: list[Event], fourteenth: int) -> None:
    """Make the first discard tsumogiri if it is of the *fourteenth* tile of the deal and comes before any draw."""
    for index, event in enumerate(events):
        if type(event) is Discard and event.tile == fourteenth:
            events[index] = DISCARDS[True][event.player][fourteenth]
        if type(event) in (Draw, Discard):
            break


def _is_text(between: str | None) -> bool:
    """Return whether what is *between* two tags is more than white space."""
    return between is not None and not between.isspace()


def _flat(items: list[Any], first: int, end: int) -> tuple[list[Event], list[int]]:
    """Return the events in ``items[first:end]``, and for each the index of its item."""
    events, places = items[first:end], [*range(first, end)]
    for index in reversed(range(len(events))):
        several = events[index]
        if isinstance(several, list):
            events[index : index + 1] = several
            places[index : index + 1] = [first + index] * len(several)
    return events, places
