"""Write jmjp (sources: ``docs/design/mapping.md``, ``docs/design/jmjp-grammar.md``)."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import lru_cache
from itertools import chain, zip_longest
from typing import Any, Final, TypeVar

from jmjp_convert.errors import FormatError
from jmjp_convert.formats.jmjp import comments
from jmjp_convert.formats.jmjp.notation import (
    AFFILIATIONS,
    ALL_FRAMES,
    ANKAN,
    CHI,
    DAIMINKAN,
    DEFAULT_DIALECT,
    DIALECTS,
    FROM,
    HAND,
    KAKAN,
    KARAGIRI,
    OYA,
    PLACES,
    PON,
    REPLACEMENT,
    RIICHI,
    SEATS,
    STAGES,
    TEAMS,
    TOURNAMENTS,
    TSUMO,
    TSUMOGIRI,
    Dialect,
    literal,
    points,
)
from jmjp_convert.formats.requirements import check_notes, check_players
from jmjp_convert.model import (
    PLAYS,
    Ankan,
    Call,
    Chi,
    Daiminkan,
    Discard,
    Disconnected,
    DoraRevealed,
    Draw,
    DrawKind,
    Event,
    Frame,
    Kakan,
    Kita,
    Match,
    Meld,
    Name,
    Note,
    Player,
    PointRule,
    Pon,
    Presence,
    Recorder,
    Returned,
    RiichiAccepted,
    RiichiDeclared,
    Ryuukyoku,
    Start,
    Tournament,
    TourPoints,
    Win,
    frame_name,
    tiles,
)
from jmjp_convert.model.tiles import PHYSICAL, RedFives
from jmjp_convert.play.outcome_text import describe
from jmjp_convert.play.points import STICK


def write_jmjp(matches: Match | Iterable[Match], *, spec: str = DEFAULT_DIALECT, compact: bool = False) -> str:
    """Return *matches* as the text of one jmjp file, with line feeds as line ends.

    :param matches: one match, or several.
    :param spec: the dialect: ``"0"``, ``"1.0"`` or ``"1.0-beta"``.
    :param compact: write one line, without spaces or comments.
    :raises FormatError: jmjp cannot hold a match, or the dialect is unknown.
    """
    if spec not in DIALECTS:
        raise FormatError(f"unknown jmjp dialect {spec!r}; choose from {', '.join(DIALECTS)}")
    lines = [f"jmjp[{DIALECTS[spec].version}]"]
    for match in [matches] if isinstance(matches, Match) else matches:
        check_players(match, "jmjp")
        if not DIALECTS[spec].all_tiles:
            _check_inferable(match, spec, compact=compact)
        lines += _match(match, _style(spec, compact=compact, red_fives=match.rules.red_fives))
    lines.append("\n" if compact else "")
    return ("" if compact else "\n").join(lines)


def _check_inferable(match: Match, spec: str, *, compact: bool) -> None:
    """Check that the tiles of pon and kan, which the dialect *spec* omits, can be inferred from the play of *match*.

    They can where every tile is known, and so in every log.
    """
    if all(map(_names_tiles, match.frames)):
        return
    # These are needed for records with unknown tiles alone.
    from jmjp_convert.formats.jmjp.holding import holding
    from jmjp_convert.formats.jmjp.red_fives import can_be_inferred

    for frame in holding(spec=spec, compact=compact).expected(match).frames:
        if frame.start.hands and not can_be_inferred(frame.start, frame.events, frame.end.hands):
            reason = f"dialect {spec} omits the tiles of pon and kan, and they cannot be inferred from the play"
            raise FormatError(f"frame {frame.start.name}: {reason}")


def _names_tiles(frame: Frame) -> bool:
    """Return whether each tile dealt and drawn in *frame* is one of the 136, so that its copy is known."""
    drawn = [event.tile for event in frame.events if type(event) is Draw]
    return max(chain(drawn, *frame.start.hands), default=0) < PHYSICAL


# --- style ------------------------------------------------------------------------------------------------------------

_CALLED: Final = tiles.UNKNOWN + 1
"""The drawn tile of an act that begins with a call."""

_TSUMOGIRI: Final = f",{TSUMOGIRI})"
_KARAGIRI: Final = f",{KARAGIRI})"
"""The second half of an act, if the tile discarded is not named."""

_T = TypeVar("_T")


def _by_seat(values: tuple[_T, ...], dealer: int) -> tuple[_T, ...]:
    """Return *values*, which are by player, by seat, East first."""
    return values[dealer:] + values[:dealer]


class _Style:
    """The strings of one way to write."""

    __slots__ = ("comments", "dialect", "draws", "faces", "from_hand", "line", "named", "seats")

    def __init__(self, dialect: Dialect, *, compact: bool, red_fives: RedFives | None) -> None:
        self.dialect = dialect
        self.comments = dialect.comments and not compact  # whether comments are written
        self.line = "" if compact else "\n  "  # the line break and indentation before a hand or an act
        self.faces = tiles.faces(red_fives)  # the face of every tile ID
        self.seats = tuple([f"{self.line}({seat}," for seat in SEATS])  # by seat, the start of a hand or an act
        # A face has one string for all its tiles, so that the tables stay in the caches of the processor.
        # By dealer, player and tile ID, the first half of an act that begins with a plain draw.
        draws = tuple([_each(seat + "{}", self.faces) for seat in self.seats])
        self.draws = tuple([_by_seat(draws, -dealer % 4) for dealer in range(4)])
        self.named = named = _each(",{})", self.faces)  # by tile ID, the second half of an act that ends with a discard
        # A tile of the same face as the one drawn is another copy of it.
        rows = {text: [*named] for text in set(named)}
        for tile, text in enumerate(named):
            rows[text][tile] = _KARAGIRI
        shared = {text: tuple(row) for text, row in rows.items()}
        # By drawn and discarded tile, the same for a discard that is known not to be tsumogiri. After a call, the drawn
        # tile is _CALLED.
        self.from_hand = (*[shared[text] for text in named], named)

    def join(self, tiles: tuple[int, ...]) -> str:
        """Return the faces of *tiles*."""
        return "".join([self.faces[tile] for tile in tiles])


def _each(form: str, faces: Sequence[str]) -> tuple[str, ...]:
    """Return *form* with each of *faces*; the same ones have the same string."""
    made = {face: form.format(face) for face in set(faces)}
    return tuple([made[face] for face in faces])


@lru_cache
def _style(spec: str, *, compact: bool, red_fives: RedFives | None) -> _Style:
    """Return the style of the dialect *spec*, pretty or *compact*, with so many *red_fives*."""
    return _Style(DIALECTS[spec], compact=compact, red_fives=red_fives)


# --- the match --------------------------------------------------------------------------------------------------------


def _match(match: Match, style: _Style) -> list[str]:
    """Return the lines of *match*."""
    dialect = style.dialect
    lines = [*comments.match(match, dialect), "("] if style.comments else ["("]
    lines += before(match, dialect)
    lines += _presences(match.before, style)
    for frame in match.frames:
        _frame(frame, lines, style)
    if style.comments and (match.chips is not None or match.ratio is not None):
        lines.append(comments.line(chips=comments.pairs(match.chips), ratio=match.ratio))
    lines += after(match)
    lines.append(")")
    return lines


def _presences(events: Iterable[Presence], style: _Style) -> list[str]:
    """Return the lines of disconnections and returns between frames."""
    return [comments.presence(event, in_act=False) for event in events] if style.comments else []


def before(match: Match, dialect: Dialect) -> Iterator[str]:
    """Yield the lines before the frames."""
    if match.tournament is not None:
        yield _tournament(match.tournament, dialect)
    place = literal(match.place, dialect, PLACES)
    yield f"mtp[{match.date or ''},{match.weekday or ''},{match.time or ''},{place}]"
    for recorder in match.recorders:
        yield _recorder(recorder, dialect)
    for number, player in enumerate(match.players):
        yield _player(number, player, dialect)
    rule = match.point_rule
    if rule is not None and rule.uma == (*(half := rule.uma[:2]), *(-points for points in reversed(half))):
        yield _point_rule(rule, dialect)


def after(match: Match) -> Iterator[str]:
    """Yield the lines after the frames."""
    if match.results is not None:
        yield f"pme[{_all_points(match.results)}]"
    if match.tour_points is not None:
        yield f"ptn[{','.join(map(_tour_points, match.tour_points))}]"


def _all_points(values: Sequence[int]) -> str:
    """Return the points *values*, separated by commas."""
    return ",".join(map(points, values))


def _optional(value: int | None, written: Callable[[int], str] = str) -> str:
    return "" if value is None else written(value)


def _tournament(tournament: Tournament, dialect: Dialect) -> str:
    title, stage = literal(tournament.name, dialect, TOURNAMENTS), literal(tournament.stage, dialect, STAGES)
    year, numbers = _optional(tournament.year, "{:04}".format), (tournament.stage_match, tournament.day_match)
    return f"tnm[{title},{year},{stage},{','.join(map(_optional, numbers))}]"


def _recorder(recorder: Recorder, dialect: Dialect) -> str:
    frames = ALL_FRAMES if recorder.frames is None else "".join(frame_name(*frame) for frame in recorder.frames)
    return f"rec[{_name(recorder.full_name, dialect)},{frames}]"


def _player(number: int, player: Player, dialect: Dialect) -> str:
    team, affiliation = literal(player.team, dialect, TEAMS), literal(player.affiliation, dialect, AFFILIATIONS)
    both = "" if player.tour_points is None else _tour_points(player.tour_points)
    return f"ply[{number},{_name(player.full_name, dialect)},{team},{affiliation},{both}]"


def _name(name: Name | None, dialect: Dialect) -> str:
    if name is None:
        return ""
    brackets = dialect.name
    return f"{brackets[0]}{literal(name.family, dialect)},{literal(name.given, dialect)}{brackets[1]}"


def _tour_points(both: TourPoints) -> str:
    return f"({','.join(_optional(value, points) for value in both)})"


def _point_rule(rule: PointRule, dialect: Dialect) -> str:
    tenpai = f",{points(rule.tenpai)}" if dialect.tenpai and rule.tenpai is not None else ""
    return f"ptr[{points(rule.start)},{points(rule.target)},({_all_points(rule.uma[:2])}),{points(rule.honba)}{tenpai}]"


# --- frames, hands, melds ---------------------------------------------------------------------------------------------


def _frame(frame: Frame, lines: list[str], style: _Style) -> None:
    """Append the lines of *frame* to *lines*."""
    start, end, dealer = frame.start, frame.end, frame.start.dealer
    if start.chips is not None and style.comments:
        lines.append(comments.line(chips=comments.numbers(start.chips)))
    sticks = "" if start.sticks is None else points(start.sticks * STICK)
    points_before = "" if start.points is None else f"pfs[{_all_points(_by_seat(start.points, dealer))}]"
    dora = style.join(frame.dora or ())
    parts = [f"frm[{start.name},{sticks},{_dice(start.dice, style.dialect)},{points_before},{dora},"]
    if start.hands:
        drawn = start.fourteenth
        for seat, dealt in enumerate(_by_seat(start.hands, dealer)):
            parts.append(_hand(style.seats[seat], tuple(sorted(dealt)), None if seat else drawn, (), style))
        if frame.notes:
            check_notes(frame)
        notes = frame.notes if style.comments else ()
        after_end = _write_acts(start, frame.events, parts, style, notes)
        for seat, hand in enumerate(_by_seat(end.hands, dealer)):
            parts.append(_hand(style.seats[seat], hand.tiles, hand.drawn, hand.melds, style))
    else:
        after_end = [event for event in frame.events if isinstance(event, Presence)]
    points_after = "" if end.points is None else f"pfe[{_all_points(_by_seat(end.points, dealer))}]"
    comment = describe(frame) if frame.comment is None else frame.comment
    lines += "".join(parts), f",{points_after},{literal(comment, style.dialect)}]"
    lines += _presences(after_end, style)


def _dice(dice: tuple[int, int] | int | None, dialect: Dialect) -> str:
    if isinstance(dice, int):
        return f"{dice}" if dialect.dice_total else ""
    return "" if dice is None else f"{dice[0]}-{dice[1]}"


def _hand(opening: str, closed: tuple[int, ...], drawn: int | None, melds: tuple[Meld, ...], style: _Style) -> str:
    """Return the line of a hand, which begins with *opening*: its *closed* tiles, a fourteenth *drawn*, and its *melds*
    with the newest first."""
    fourteenth = "" if drawn is None else style.faces[drawn]
    furo = "".join([_meld(meld, style) for meld in reversed(melds)]) if melds else ""
    return f"{opening}{HAND}{style.join(closed)},{fourteenth},{furo}])"


def _meld(meld: Meld, style: _Style) -> str:
    """Return a meld of a hand."""
    faces, all_tiles = style.faces, style.dialect.all_tiles
    if isinstance(meld, Ankan):
        return f"ank[{_ankan_tiles(meld, style)}]"
    if isinstance(meld, Chi):
        return f"chi[{faces[meld.taken]},{style.join(meld.hand)}]"
    assert not isinstance(meld, Kita)  # rejected among the acts
    call = meld.pon if isinstance(meld, Kakan) else meld
    added = f"{faces[meld.tile]}," if isinstance(meld, Kakan) and all_tiles else ""
    others = f"{style.join(call.hand)}," if all_tiles else ""
    word = {Pon: "pon", Daiminkan: "dmk", Kakan: "kkn"}[type(meld)]
    return f"{word}[{added}{faces[call.taken]},{others}{FROM[(call.source - call.player) % 4]}]"


def _ankan_tiles(kan: Ankan, style: _Style) -> str:
    """Return the tiles of a closed kan that the dialect names."""
    # The red fives have the lowest IDs of their kind, so the highest ID has the plain face.
    return style.join(kan.tiles if style.dialect.all_tiles else kan.tiles[-1:])


# --- acts -------------------------------------------------------------------------------------------------------------


def _write_acts(
    start: Start, events: Sequence[Event], parts: list[str], style: _Style, notes: Sequence[Note]
) -> list[Presence]:
    """Append the acts of *events* to *parts*, each in one part or in its two halves, with the comments between them.

    An act that is still open at the end is closed without a discard.

    :returns: the disconnections and returns after the end of the frame.
    """
    acts = _Acts(start, events, parts, style)
    if start.fourteenth is not None:
        acts.open(start.dealer, OYA, start.fourteenth)
    draws, named, from_hand = style.draws[start.dealer], style.named, style.from_hand
    rest = _with_notes(events, notes) if notes else iter(events)
    for draw, discard in zip_longest(rest, rest):
        # Most events are whole turns, two at a time; what comes between them ends where a turn can begin.
        if type(draw) is Draw and type(discard) is Discard:
            parts.append(draws[draw.player][draw.tile])
            if discard.tsumogiri:
                parts.append(_TSUMOGIRI)
            elif discard.tsumogiri is None:
                parts.append(named[discard.tile])
            else:
                parts.append(from_hand[draw.tile][discard.tile])
        else:
            _HANDLERS[type(draw)](acts, draw)
            _HANDLERS[type(discard)](acts, discard)
            while acts.opening or not acts.plain:
                event = next(rest, None)
                _HANDLERS[type(event)](acts, event)
    acts.close()
    return acts.after


def _with_notes(events: Sequence[Event], notes: Sequence[Note]) -> Iterator[Event | Note]:
    """Yield *events* with the *notes* between them."""
    rest, plays = deque(notes), 0
    for event in events:
        while rest and rest[0].after <= plays:
            yield rest.popleft()
        yield event
        plays += type(event) in PLAYS
    yield from rest


class _Acts:
    """Acts being written."""

    __slots__ = ("after", "drawn", "ended", "events", "opening", "parts", "plain", "seats", "style")

    def __init__(self, start: Start, events: Sequence[Event], parts: list[str], style: _Style) -> None:
        self.events = events
        self.parts = parts
        self.style = style
        self.seats = _by_seat(style.seats, -start.dealer % 4)  # by player, the start of an act
        self.opening = ""  # the first half of the open act, empty if there is none
        self.drawn = _CALLED  # the drawn tile, if that act began with a draw
        # Whether the next draw is no replacement after a kan, and the next discard no riichi tile; false from a riichi
        # until its stick is paid.
        self.plain = True
        self.ended = False  # whether the frame has ended
        self.after: list[Presence] = []  # the disconnections and returns since then

    def open(self, player: int, first: str, drawn: int = _CALLED) -> None:
        """Begin an act with its *first* half."""
        self.opening = self.seats[player] + first
        self.drawn = drawn

    def close(self, second: str = ",)") -> None:
        """Complete the open act, if there is one, with its *second* half."""
        if self.opening:
            self.parts.append(self.opening + second)
            self.opening = ""

    def comment(self, line: str) -> None:
        """Append a comment, if the style has them."""
        if self.style.comments:
            self.parts.append(self.style.line + line)

    def note(self, note: Note) -> None:
        line = comments.note_line(note.text)
        if self.opening:
            self.opening += f" {line}{self.style.line}"
        else:
            self.comment(line)

    def draw(self, draw: Draw) -> None:
        face = self.style.faces[draw.tile]
        self.open(draw.player, face if self.plain else f"{REPLACEMENT}[{face}]", draw.tile)
        self.plain = True

    def discard(self, discard: Discard) -> None:
        style = self.style
        second = style.named[discard.tile]
        if discard.tsumogiri is not None:
            second = _TSUMOGIRI if discard.tsumogiri else style.from_hand[self.drawn][discard.tile]
        if not self.plain:
            if second == _KARAGIRI:
                self.comment(comments.RIICHI_KARAGIRI)
            second = f",{RIICHI}[{style.faces[discard.tile]}])"
        self.close(second)

    def declared(self, _riichi: RiichiDeclared) -> None:
        self.plain = False

    def accepted(self, _riichi: RiichiAccepted) -> None:
        self.plain = True

    def call(self, call: Call) -> None:
        kind = type(call)
        word = {Chi: CHI, Pon: PON, Daiminkan: DAIMINKAN}[kind]
        named = kind is Chi or self.style.dialect.all_tiles
        self.open(call.player, f"{word}[{self.style.join(call.hand)}]" if named else word)
        if kind is Daiminkan:
            self.close()
            self.plain = False

    def ankan(self, kan: Ankan) -> None:
        self.close(f",{ANKAN}[{_ankan_tiles(kan, self.style)}])")
        self.plain = False

    def kakan(self, kan: Kakan) -> None:
        self.close(f",{KAKAN}[{self.style.faces[kan.tile]}])")
        self.plain = False

    def kita(self, _kita: Kita) -> None:
        raise FormatError("jmjp cannot hold a kita")

    def dora(self, _dora: DoraRevealed) -> None:
        """Skip what jmjp does not say: when a dora is turned."""

    def win(self, win: Win) -> None:
        if win.chips is not None:
            self.comment(comments.chips(win.chips, win.chip_yaku))
        if win.source is None:
            self.close(f",{TSUMO})")
        else:
            self.ron(win.player)
        self.ended = True

    def ron(self, player: int) -> None:
        self.open(player, self.style.dialect.ron)
        self.close()

    def drawn_game(self, draw: Ryuukyoku) -> None:
        self.close()
        if draw.chips is not None and any(draw.chips):
            self.comment(comments.chips(draw.chips, ()))
        if draw.kind is DrawKind.TRIPLE_RON:
            if draw.changes is not None and any(draw.changes):
                raise FormatError("jmjp cannot hold a triple ron draw with payments; it would read back as three wins")
            source = next(event.player for event in reversed(self.events) if isinstance(event, Discard | Kakan | Ankan))
            for step in range(1, 4):
                self.ron((source + step) % 4)
        self.ended = True

    def no_more(self, _nothing: None) -> None:
        self.close()
        self.plain = True

    def presence(self, event: Presence) -> None:
        if self.ended:
            self.after.append(event)
        else:
            self.comment(comments.presence(event, in_act=bool(self.opening)))


_HANDLERS: Final[dict[type, Callable[[_Acts, Any], None]]] = {
    Draw: _Acts.draw,
    Discard: _Acts.discard,
    **dict.fromkeys((Chi, Pon, Daiminkan), _Acts.call),
    Ankan: _Acts.ankan,
    Kakan: _Acts.kakan,
    Kita: _Acts.kita,
    RiichiDeclared: _Acts.declared,
    RiichiAccepted: _Acts.accepted,
    DoraRevealed: _Acts.dora,
    Win: _Acts.win,
    Ryuukyoku: _Acts.drawn_game,
    **dict.fromkeys((Disconnected, Returned), _Acts.presence),
    Note: _Acts.note,
    type(None): _Acts.no_more,
}
