"""mjlog to the model: the frames as they complete, each replayed; then the match around them."""

from __future__ import annotations

import re
import tempfile
from collections.abc import Callable, Iterable, Iterator, Mapping
from pathlib import Path
from typing import IO, Any

from jmjp_convert import tenhou
from jmjp_convert.errors import ConvertError, FileError, MjlogError, PlayError
from jmjp_convert.mjlog import elements, results
from jmjp_convert.mjlog.tags import ATTRIBUTES, CUSTOM_RULES, DISCARDS, DRAWS, NAMES, TILE_LETTERS
from jmjp_convert.mjlog.values import name, number
from jmjp_convert.mjlog.xml import INIT, DoubledAttributeError, Element, Log, without_repeats
from jmjp_convert.model import (
    Disconnected,
    Event,
    Frame,
    Match,
    Player,
    Presence,
    Returned,
    Rules,
    Shuffle,
    ShuffleForm,
    Start,
    frame_name,
)
from jmjp_convert.replay import Outcome, replay
from jmjp_convert.streams import MAX_SIZE, Source, chunks, opened
from jmjp_convert.tiles import UNKNOWN, dora

Notice = Callable[[str], None]

_SHUFFLE_FORMS = {"mt19937ar-sha512-n288-base64": ShuffleForm.BASE64, "mt19937ar-sha512-n288": ShuffleForm.HEX}
_TILE_TAG = re.compile(rf"[{''.join(sorted(TILE_LETTERS))}]-?\d*")
_SPOOL = 1 << 20
_DORA_TILES = 10


def read_mjlog(
    source: Source,
    *,
    id: str | None = None,  # noqa: A002 - the field's word
    time: str | None = None,
    file_name: str | None = None,
    max_size: int = MAX_SIZE,
    strict: bool = False,
    notice: Notice | None = None,
) -> Match:
    """Read one mjlog, plain or gzip.

    :param source: a path, an open binary file, or bytes. Of a path or file, no more than a frame's XML is held.
    :param id: the log's id; without it, it is taken from *file_name*.
    :param time: when the match started, ``HHMM``, if that is known to the minute: no log says.
    :param file_name: the name of what is read; without it, a path's own.
    :param max_size: the most bytes, decompressed.
    :param strict: refuse elements and attributes that nobody has described; otherwise they are ignored and told to
        *notice*.
    :param notice: called with each thing worth saying of a log that is taken, a line each.
    :returns: the match. Every frame has been replayed.
    :raises MjlogError: the log is not well-formed, or says something impossible.
    :raises FileError: *source* cannot be read, or is too large.
    """
    if file_name is None and not isinstance(source, bytes):
        path = source if not hasattr(source, "read") else getattr(source, "name", None)
        file_name = Path(path).name if isinstance(path, str | Path) else None
    found = tenhou.find_id(id or file_name or "")
    notices: dict[str, None] = {}
    with opened(source) as file:
        pieces = chunks(file, max_size)
        reader = _read(b"".join(pieces) if isinstance(source, bytes) else pieces, found, strict, notices)
    if notice is not None:
        for line in notices:
            notice(line)
    return reader.match(found.text if found else None, found.date if found else None, time, file_name)


def _read(
    content: bytes | Iterator[bytes], found: tenhou.LogId | None, strict: bool, notices: dict[str, None]
) -> _Reader:
    if isinstance(content, bytes):
        return _read_repaired(content, lambda: content, found, strict, notices)
    with tempfile.SpooledTemporaryFile(_SPOOL) as spool:
        return _read_repaired(_spooled(content, spool), lambda: _all(content, spool), found, strict, notices)


def _read_repaired(
    content: bytes | Iterable[bytes],
    again: Callable[[], bytes],
    found: tenhou.LogId | None,
    strict: bool,
    notices: dict[str, None],
) -> _Reader:
    """Read *content*; if an attribute stands twice in an element, read what *again* gives without the repeats."""
    reader = _Reader(Log(content), found, strict, notices)
    try:
        reader.run()
    except DoubledAttributeError:
        repaired, removed = without_repeats(again())
        if not removed:
            raise
        notices.clear()
        notices.update(dict.fromkeys(removed))
        reader = _Reader(Log(repaired), found, strict, notices)
        reader.run()
    return reader


def _spooled(pieces: Iterator[bytes], spool: IO[bytes]) -> Iterator[bytes]:
    for piece in pieces:
        spool.write(piece)
        yield piece


def _all(pieces: Iterator[bytes], spool: IO[bytes]) -> bytes:
    """Return what has been spooled, and the rest."""
    rest = b"".join(pieces)
    spool.seek(0)
    return spool.read() + rest


class _Reader:
    """What is known of a match while its log is read."""

    def __init__(self, log: Log, found: tenhou.LogId | None, strict: bool, notices: dict[str, None]) -> None:
        self._log = log
        self._lobby = found.lobby if found else None
        self._strict = strict
        self._notices = notices
        self._rules: Rules | None = None
        self._seats = 4
        self._title: tenhou.Text | None = None
        self._players: list[Player] = []
        self._shuffle: Shuffle | None = None
        self._before: list[Presence] = []
        self._frames: list[Frame] = []
        self._final: results.Result | None = None
        self._ratio: str | None = None
        self._outcome: Outcome | None = None

    def run(self) -> None:
        """Read the log.

        :raises MjlogError: it is not well-formed, or says something impossible.
        """
        for init in self._log:
            if self._outcome is None:
                self._head(reversed(list(init.itersiblings(preceding=True))))
            self._frame(init)
        if self._outcome is None:
            self._head(self._log.root)
            raise MjlogError("there is no frame (INIT) in it")

    def match(self, log_id: str | None, day: str | None, time: str | None, file_name: str | None) -> Match:
        """Return the match that was read."""
        rules = self._rules or Rules()
        known = self._players + [Player("")] * (rules.players - len(self._players))
        final = self._final
        return Match(
            rules=rules,
            players=tuple(known),
            frames=tuple(self._frames),
            id=log_id,
            source=None if log_id else file_name,
            title=self._title,
            date=day,
            time=time,
            place=tenhou.NAME,
            recorder=tenhou.NAME,
            shuffle=self._shuffle,
            point_rule=results.point_rule(self._frames, final) if final else None,
            before=tuple(self._before),
            final_points=final.points if final else None,
            results=final.results if final else None,
            chips=final.chips if final else None,
            ratio=self._ratio,
        )

    # --- before the first frame --------------------------------------------------------------------------------------

    def _head(self, head: Iterable[Element]) -> None:
        """Read the elements before the first frame."""
        for attribute in set(self._log.root.keys()) - ATTRIBUTES["mjloggm"]:
            self._ignore(f"attribute {attribute} of <mjloggm>")
        for element in head:
            with_attributes = dict(element.items())
            try:
                self._head_element(str(element.tag), with_attributes)
            except (ConvertError, KeyError) as error:
                raise self._located(error, element, None) from error

    def _head_element(self, tag: str, attributes: Mapping[str, str]) -> None:
        if tag == "SHUFFLE":
            self._check_known(tag, attributes)
            form, _, _ = attributes["seed"].partition(",")
            if form not in _SHUFFLE_FORMS:
                raise ConvertError(f"the shuffle {form!r} is not known")
            self._shuffle = Shuffle(_SHUFFLE_FORMS[form], attributes["seed"])
        elif tag == "GO":
            self._check_known(tag, attributes)
            self._go(attributes)
        elif tag == "UN":
            self._before.extend(self._un(attributes))
        elif tag == "BYE":
            self._check_known(tag, attributes)
            self._before.append(Disconnected(elements.player(attributes, "who", self._seats)))
        elif tag == "TAIKYOKU":
            self._check_known(tag, attributes)
        elif tag in ATTRIBUTES or _TILE_TAG.fullmatch(tag):
            raise ConvertError("an act before the first frame")
        else:
            self._ignore(f"element <{tag}>")

    def _go(self, attributes: Mapping[str, str]) -> None:
        code = number(attributes["type"])
        if code < 0:
            raise ConvertError(f"type={code} is no number of rules")
        lobby = number(attributes["lobby"]) if attributes.get("lobby") else self._lobby
        custom = tuple((key, attributes[key]) for key in CUSTOM_RULES if attributes.get(key))
        self._rules = tenhou.rules(code, lobby, custom)
        self._seats = self._rules.players
        self._title = tenhou.title(code, lobby)

    def _un(self, attributes: Mapping[str, str]) -> list[Presence]:
        """Take the players from their first ``UN``; a later one is a return."""
        self._check_known("UN", attributes)
        names = [(seat, *name(attributes[key])) for seat, key in enumerate(NAMES[: self._seats]) if key in attributes]
        if not self._players:
            self._players = _players(attributes, dict((seat, rest) for seat, *rest in names), self._seats)
            return []
        returned: list[Presence] = []
        for seat, decoded, raw in names:
            player = self._players[seat]
            if not player.name and decoded:
                self._players[seat] = player = _renamed(player, decoded, raw)
            returned.append(Returned(seat, decoded if decoded not in ("", player.name) else None))
        return returned

    # --- a frame -----------------------------------------------------------------------------------------------------

    def _frame(self, init: Element) -> None:
        """Read and replay the frame that *init* begins."""
        attributes = dict(init.items())
        try:
            if self._rules is None:
                self._seats = 4 if attributes.get("hai3") else 3
                self._rules = Rules(players=self._seats, lobby=self._lobby)
            if not ATTRIBUTES[INIT].issuperset(attributes):
                self._check_known(INIT, attributes)
            start = elements.start(attributes, self._seats)
            self._check_follows(start)
        except (ConvertError, KeyError) as error:
            raise self._located(error, init, _frame_name(attributes)) from error
        if start.shuffle is not None and self._shuffle is None:
            self._shuffle = Shuffle(ShuffleForm.OLD)
        events, counts = self._events(init, start)
        try:
            self._outcome = outcome = replay(start, events, self._rules)
        except PlayError as error:
            raise self._located(error, _element_of(init, error.index, counts), start.name) from error
        self._frames.append(Frame(start, tuple(events), outcome.end, _dora(outcome)))

    def _check_follows(self, start: Start) -> None:
        """Check that *start* takes up what the frame before it left."""
        if self._outcome is None:
            return
        end, sticks = self._outcome.end, self._outcome.sticks
        if end.points is None:
            raise ConvertError(f"a frame begins, but {self._frames[-1].start.name} has not ended")
        if start.points != end.points:
            raise ConvertError(f"the points are {_list(end.points)}, not {_list(start.points)} (hundreds)")
        if start.sticks != sticks:
            raise ConvertError(f"{sticks} riichi sticks are on the table, not {start.sticks}")

    def _events(self, init: Element, start: Start) -> tuple[list[Event], dict[int, int]]:
        """Return the events of the elements behind *init*, up to the next; and for those elements (by their place, from
        0) that are not one event each, how many they are."""
        events: list[Event] = []
        counts: dict[int, int] = {}
        extra = 0
        drawn = ""  # the tag by which the tile just drawn would be discarded
        append = events.append
        for element in init.itersiblings():
            tag = element.tag
            if tag in DRAWS:
                draw, drawn, tsumogiri = DRAWS[tag]
                append(draw)
            elif tag == drawn:
                append(tsumogiri)
            elif tag in DISCARDS:
                append(DISCARDS[tag])
            elif tag == INIT:
                break
            else:
                try:
                    attributes = dict(element.items())
                    if tag in elements.EVENTS:
                        if not ATTRIBUTES[tag].issuperset(attributes):
                            self._check_known(tag, attributes)
                        append(elements.EVENTS[tag](attributes, self._seats))
                        if "owari" in attributes or "ratio" in attributes:
                            self._take_result(attributes)
                    else:
                        others = self._others(tag, attributes)
                        counts[len(events) + extra] = len(others)
                        extra += 1 - len(others)
                        events.extend(others)
                except (ConvertError, KeyError) as error:
                    raise self._located(error, element, start.name) from error
                if tag == "N":
                    drawn = ""
        return events, counts

    def _take_result(self, attributes: Mapping[str, str]) -> None:
        self._ratio = attributes.get("ratio", self._ratio)
        if "owari" in attributes:
            self._final = results.result(attributes["owari"], self._seats)

    def _others(self, tag: str, attributes: Mapping[str, str]) -> list[Presence]:
        """Return the events of an element that is not one event: a return, or something that nobody knows."""
        if tag == "UN":
            return self._un(attributes)
        if _TILE_TAG.fullmatch(tag):
            raise ConvertError(f"{tag} names no tile, 0 to 135")
        if tag in ATTRIBUTES:
            raise ConvertError(f"<{tag}> inside a frame")
        self._ignore(f"element <{tag}>")
        return []

    # --- what is wrong, and what is odd ------------------------------------------------------------------------------

    def _check_known(self, tag: str, attributes: Mapping[str, str]) -> None:
        for attribute in attributes.keys() - ATTRIBUTES[tag]:
            self._ignore(f"attribute {attribute} of <{tag}>")

    def _ignore(self, what: str) -> None:
        if self._strict:
            raise ConvertError(f"{what} is not known")
        self._notices[f"{what} is not known and is ignored"] = None

    def _located(self, error: Exception, element: Element, frame: str | None) -> MjlogError:
        reason = f"attribute {error.args[0]} is missing" if isinstance(error, KeyError) else str(error)
        return MjlogError(reason, frame=frame, **self._log.place(element))


def _players(attributes: Mapping[str, str], names: Mapping[int, Any], seats: int) -> list[Player]:
    def column(key: str) -> list[str | None]:
        values = attributes[key].split(",") if attributes.get(key) else []
        return [value or None for value in values] + [None] * seats

    columns = zip(*map(column, ("dan", "rate", "sx", "gold", "rc")), strict=False)
    return [
        Player(*names.get(seat, ("", None)), number(dan) if dan else None, *rest)
        for seat, (dan, *rest) in zip(range(seats), columns, strict=False)
    ]


def _renamed(player: Player, decoded: str, raw: bytes | None) -> Player:
    return Player(decoded, raw, player.dan, player.rate, player.sex, player.gold, player.rc)


def _frame_name(attributes: Mapping[str, str]) -> str | None:
    """Return the frame's name if its ``INIT`` can tell."""
    seed = attributes.get("seed", "").split(",")
    if len(seed) > 1 and seed[0].isdecimal() and seed[1].isdecimal() and int(seed[0]) < 16:
        return frame_name(int(seed[0]), int(seed[1]))
    return None


def _element_of(init: Element, index: int, counts: Mapping[int, int]) -> Element:
    """Return the element behind *init* that became the event of *index*; -1 is *init* itself."""
    if index < 0:
        return init
    for place, element in enumerate(init.itersiblings()):
        index -= counts.get(place, 1)
        if index < 0:
            return element
    raise IndexError(index)


def _dora(outcome: Outcome) -> tuple[int, ...]:
    """Return the ten dora of a frame as far as its log shows them."""
    ten = [UNKNOWN] * _DORA_TILES
    ten[0 : 2 * len(outcome.indicators) : 2] = map(dora, outcome.indicators)
    ten[1 : 2 * len(outcome.ura) : 2] = map(dora, outcome.ura)
    return tuple(ten)


def _list(numbers: Iterable[int]) -> str:
    return ",".join(map(str, numbers))
