"""Reads mjai: an event per line, in the dialects of several programs."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any

from jmjp_convert.errors import MatchError, MjaiError, PaymentError, PlayError, StartError
from jmjp_convert.files.inputs import MAX_SIZE, Source, chunks, opened
from jmjp_convert.formats import bounds
from jmjp_convert.formats.assembly import Assembly, Played, follows, points_after
from jmjp_convert.formats.assembly import red_fives as known_red_fives
from jmjp_convert.formats.json_text import shown
from jmjp_convert.formats.mjai.kyoku import Kyoku, final, finished
from jmjp_convert.formats.mjai.lines import Line, Lines
from jmjp_convert.formats.mjai.notation import plain_lines
from jmjp_convert.formats.session import Locate
from jmjp_convert.messages import Terms
from jmjp_convert.model import SEATS, WINDS, Draw, Match, Player, Rules, Start, Win, handle, log_ids
from jmjp_convert.model.tiles import UNKNOWN
from jmjp_convert.play.position import DEALT

# --- the keys of events -----------------------------------------------------------------------------------------------

_CALL = "actor target pai consumed"
_POINTS = "deltas delta scores"

KEYS: Mapping[str, frozenset[str]] = {
    kind: frozenset(("type", *keys.split()))
    for kind, keys in {
        "start_game": "names kyoku_first aka_flag uri preset rules",
        "start_kyoku": "bakaze dora_marker kyoku honba kyotaku kyoutaku riichi_sticks oya scores tehais",
        "tsumo": "actor pai",
        "dahai": "actor pai tsumogiri",
        "chi": _CALL,
        "pon": _CALL,
        "daiminkan": _CALL,
        "kan": _CALL,
        "kakan": _CALL,
        "ankan": _CALL,
        "nukidora": "actor pai",
        "kita": "actor pai",
        "dora": "dora_marker",
        "reach": "actor",
        "reach_accepted": f"actor {_POINTS}",
        "hora": f"{_CALL} ura_markers uradora_markers hora_tehais yakus yaku fu fan han hora_points pao {_POINTS}",
        "ryukyoku": f"actor reason tehais tenpais {_POINTS}",
        "end_kyoku": "",
        "end_game": "scores",
    }.items()
}
"""The keys of each event that are read, or that say what follows from the rest."""

HARMLESS_EVENTS = frozenset(("none", "hello", "join", "error"))
"""Messages between a server and its players that say nothing about the play."""

_HARMLESS_KEYS = frozenset(
    (
        # the original protocol, to and from its players
        *("id", "log", "logs", "text", "message", "protocol", "protocol_version", "name", "room", "gametype"),
        *("possible_actions", "cannot_dahai"),
        # Mortal, mjai.app, RiichiEnv: what a bot thought, and the seed of a simulation
        *("meta", "q_values", "mask_bits", "is_greedy", "batch_size", "eval_time_ns", "can_act", "seed", "tsumo"),
    )
)


def unknown_keys(value: Mapping[str, Any], kind: str) -> Iterator[str]:
    """Yield the keys of *value*, an event of type *kind*, that are unknown."""
    known = KEYS[kind]
    if not known.issuperset(value):
        yield from (key for key in value if key not in known and key not in _HARMLESS_KEYS)


# --- a game -----------------------------------------------------------------------------------------------------------

Finding = Callable[[MjaiError], None]
_THREE = 3
_HIDDEN = [UNKNOWN] * DEALT


class Game:
    """A game being read.

    :param line: its ``start_game``, if it has one.
    :param tell: called with each remark on what is ignored.
    :param finding: called with each impossible frame; without it, the first is raised.
    :ivar kyokus: its frames so far, without those with invalid values.
    """

    def __init__(self, line: Line | None, tell: Callable[[str], None], finding: Finding | None) -> None:
        self._tell = tell
        self._finding = finding
        self.kyokus: list[Kyoku] = []
        self._flaws: list[tuple[int, MjaiError]] = []  # the number of frames before each invalid value
        self._players: int | None = None
        self._names: list[str] | None = None
        self._red_fives: bool | None = None
        self._id: log_ids.LogId | None = None
        self._scores: tuple[int, ...] | None = None
        self._kept: list[Kyoku] = []  # the frames of the match
        self._first = self._last = 1 if line is None else line.number
        if line is not None:
            self._head(line)

    def _head(self, line: Line) -> None:
        if line.key("names"):
            names = line.each("names", "names")
            if len(names) not in (_THREE, SEATS):
                raise line.error(f"{len(names)} names; 3 or 4 expected", "names")
            self._names = [
                "" if name is None else line.text_at(name, "names", place) for place, name in enumerate(names)
            ]
        self._red_fives = line.flag("aka_flag")
        rules = line.value.get("rules")  # jansou's
        if self._red_fives is None and isinstance(rules, dict) and isinstance(rules.get("aka_dora"), bool):
            self._red_fives = rules["aka_dora"]
        if line.key("uri"):
            self._id = log_ids.find_id(line.text("uri"))

    # --- frames ------------------------------------------------------------------------------------------------------

    def begin(self, line: Line, lines: Lines) -> Kyoku:
        """Return the frame that starts on *line*."""
        hands = self._hands(line)
        if self._players is None:
            self._players = self._count(line, hands, lines)
        players = self._players
        if len(hands) < players:
            raise line.error(f"{len(hands)} hands; {players} expected", "tehais")
        wind = line.text("bakaze")
        if wind not in tuple(WINDS):
            raise line.expected("a wind, E, S, W or N", wind, "bakaze")
        number = line.count("kyoku", least=1, most=players)
        dealer = line.player(players, "oya") if line.key("oya") is not None else number - 1
        if dealer != number - 1:
            raise line.error(f"the dealer is {dealer}; {number - 1} expected from the kyoku", "oya")
        indicator = line.tile("dora_marker") if line.key("dora_marker") else UNKNOWN
        start = Start(
            4 * WINDS.index(wind) + number - 1,
            line.count("honba"),
            line.count(sticks) if (sticks := line.key("kyotaku", "kyoutaku", "riichi_sticks")) else None,
            dealer,
            None,
            line.points(players, "scores") or self._known_points(),
            tuple([tuple(sorted(hand)) for hand in hands[:players]]),
            None if indicator == UNKNOWN else indicator,
        )
        return Kyoku(start, line.number, self._names or ())

    def leave_out(self, error: MjaiError) -> None:
        """Leave out a frame with an invalid value; *error* is reported in its turn."""
        self._flaws.append((len(self.kyokus), error))

    @property
    def has_frames(self) -> bool:
        """Whether it has frames, valid or not."""
        return bool(self.kyokus or self._flaws)

    def _known_points(self) -> tuple[int, ...] | None:
        """Return the points after the last frame, if its endings say."""
        return self.kyokus[-1].after if self.kyokus else None

    @staticmethod
    def _hands(line: Line) -> list[list[int]]:
        hands = line.each("hands", "tehais" if line.key("tehais") else line.needed("tehais"))
        if len(hands) not in (_THREE, SEATS):
            raise line.error(f"{len(hands)} hands; 3 or 4 expected", "tehais")
        counts = [(DEALT,)] * _THREE + [(0, DEALT)]
        return [line.tiles_at(sorted(counts[place], reverse=True), "tehais", place) for place in range(len(hands))]

    def _count(self, line: Line, hands: list[list[int]], lines: Lines) -> int:
        """Return the number of players: three if there is no fourth seat, or if it is empty."""
        told = line.value.get("scores")
        scores: list[Any] = told if type(told) is list else []
        counts = [len(hands), len(self._names or hands), len(scores) or SEATS]
        if min(counts) == _THREE or not hands[-1]:
            return _THREE
        empty = (self._names or [""])[-1] == "" and any(self._names or [])
        if hands[-1] == _HIDDEN and (empty or scores[-1:] == [0]) and lines.has_kita():
            return _THREE
        return SEATS

    def end(self, line: Line) -> None:
        """Take the ``end_game``."""
        self._last = line.number
        if self._players is not None:
            self._scores = line.points(self._players, "scores")

    # --- the match ---------------------------------------------------------------------------------------------------

    def match(self) -> Match:
        """Return the match.

        :raises MjaiError: a frame is impossible.
        """
        played = [Played(kyoku.start, kyoku.events, kyoku.lying(), kyoku.shown()) for kyoku in self.kyokus]
        for place, kyoku in enumerate(self.kyokus):
            then = played[place + 1].start if place + 1 < len(played) else None
            kyoku.close(then if then is not None and follows(played[place], then) else None)
            for remark in kyoku.remarks:
                self._tell(remark)
        red_fives = self._red_fives
        if red_fives is None:
            red_fives = known_red_fives(played)
        rules = Rules(self._players or SEATS, red_fives)
        assembly = Assembly(rules, self._find)
        for place, kyoku in enumerate(self.kyokus):
            self._report_flaws(place)
            following = kyoku.after or self._following(place, played)
            is_possible = assembly.add(
                played[place],
                following,
                lambda frame, kyoku=kyoku: finished(frame, kyoku.endings),  # type: ignore[misc]
            )
            if is_possible:
                self._kept.append(kyoku)
        self._report_flaws(len(self.kyokus))
        frames = assembly.frames()
        names = (self._names or [""] * SEATS)[: rules.players]
        return Match(
            rules,
            tuple([Player(handle(name)) for name in names]),
            frames,
            id=self._id and self._id.text,
            date=self._id and self._id.date,
            final_points=final(self._scores, frames),
        )

    def locate(self, error: MatchError) -> MjaiError:
        """Return *error*, a problem of the match, with its line."""
        if error.frame is None:
            line = self._last if error.at_end else self._first
            return MjaiError(error.in_terms(Terms(self._names or ())), line=line)
        kyoku = self._kept[error.frame]
        return MjaiError(error.in_terms(kyoku.terms()), line=kyoku.line_of(error.index), frame=kyoku.start.name)

    def _report_flaws(self, place: int) -> None:
        """Report the invalid values before the frame at *place*."""
        while self._flaws and self._flaws[0][0] <= place:
            _, error = self._flaws.pop(0)
            if self._finding is not None:
                self._finding(error)

    def _following(self, place: int, played: list[Played]) -> tuple[int, ...] | None:
        """Return the points after the frame at *place*, from the next frame or the end of the game."""
        if place + 1 < len(played):
            return points_after(played[place], played[place + 1].start)
        won = any(isinstance(event, Win) for event in played[place].events[-1:])
        return self._scores if won else None

    def _find(self, error: PlayError, number: int) -> None:
        kyoku = self.kyokus[number]
        if isinstance(error, StartError):
            pointer = "/kyotaku" if error.sticks else "/scores"
        elif error.index < -1:
            pointer = f"/tehais/{-2 - error.index}"
        else:
            pointer = "/deltas" if isinstance(error, PaymentError) else ""
        line = kyoku.line_of(error.index)
        found = MjaiError(error.in_terms(kyoku.terms()), line=line, pointer=pointer, frame=kyoku.start.name)
        if self._finding is None:
            raise found
        self._finding(found)


# --- the file ---------------------------------------------------------------------------------------------------------

# Source: ``docs/design/formats.md`` 2. A file holds one game after the other, with or without ``start_game``,
# ``end_kyoku`` and ``end_game``. Events and keys that are unknown are ignored and reported.

Notice = Callable[[str], None]


def read_mjai(
    source: Source,
    *,
    max_size: int = MAX_SIZE,
    notice: Notice | None = None,
    finding: Finding | None = None,
    locate: list[Locate] | None = None,
) -> list[Match]:
    """Read one file of mjai, plain or compressed: an event per line, or a list of events.

    :param source: a path, an open binary file, or bytes.
    :param max_size: the maximum size in bytes, decompressed.
    :param notice: called once with each kind of event, key or word that is ignored, one line each.
    :param finding: called with each impossible frame, which is left out, instead of raising the first.
    :param locate: if given, gets a function for each match that returns a problem of it with its place in the file.
    :returns: the matches, at least one. Every frame has been replayed.
    :raises MjaiError: the file is not of this format, or describes impossible play.
    :raises FileError: *source* cannot be read, or is too large.
    """
    with opened(source) as file:
        content = b"".join(chunks(file, max_size))
    return _Reader(Lines(content), notice or _ignore, finding, locate).matches()


def _ignore(_: str) -> None:
    """Drop a notice."""


class _Reader:
    """A file being read."""

    def __init__(self, lines: Lines, notice: Notice, finding: Finding | None, locate: list[Locate] | None) -> None:
        self._locate = locate
        self._lines = lines
        self._notice = notice
        self._finding = finding
        self._noticed: set[str] = set()
        self._matches: list[Match] = []
        self._game: Game | None = None
        self._frames = 0

    def matches(self) -> list[Match]:
        """Return the matches of the file."""
        lines = self._lines
        try:
            line = lines.next()
            while line is not None:
                line = self._event(line) or lines.next()
        except MjaiError:
            if self._game is not None:
                self._game.match()  # an error in an earlier frame comes first
            raise
        self._end_game()
        if not self._matches:
            raise MjaiError("no match found", line=lines.number)
        return self._matches

    def _event(self, line: Line) -> Line | None:
        """Take the event on *line*, which is between frames, and the frame that it may begin; return the line after the
        frame."""
        kind = line.type
        self._check_keys(line)
        if kind == "start_game":
            self._end_game()
            self._game = Game(line, self._tell, self._finding)
        elif kind == "start_kyoku":
            return self._frame(line)
        elif kind == "end_game":
            if self._game is not None:
                self._game.end(line)
                self._end_game()
        elif kind in Kyoku.HANDLERS:
            raise line.error(f"{kind} outside a frame")
        return None

    def _end_game(self) -> None:
        """Add the match of the current game."""
        game, self._game = self._game, None
        if game is None:
            return
        if len(self._matches) == bounds.MATCHES:
            raise MjaiError(bounds.exceeded(bounds.MATCHES, "matches"), line=self._lines.number)
        if game.has_frames:
            self._matches.append(game.match())
            if self._locate is not None:
                self._locate.append(game.locate)
        else:
            self._tell("game without frames ignored")

    def _frame(self, line: Line) -> Line | None:
        """Read the frame that begins on *line*; return the line after it."""
        if self._game is None:
            self._game = Game(None, self._tell, self._finding)
        self._frames += 1
        if self._frames > bounds.FRAMES:
            raise line.error(bounds.exceeded(bounds.FRAMES, "frames"))
        if len(self._game.kyokus) == bounds.MATCH_FRAMES:
            raise line.error(bounds.exceeded(bounds.MATCH_FRAMES, "frames in a match"))
        try:
            kyoku = self._game.begin(line, self._lines)
            after = self._play(kyoku)
        except MjaiError as error:
            if self._finding is None:
                raise
            self._game.leave_out(error)
            return self._skip()
        else:
            self._game.kyokus.append(kyoku)
            return after
        finally:
            self._lines.frame = None

    def _skip(self) -> Line | None:
        """Skip the rest of a frame; return the line after it."""
        while (line := self._lines.next()) is not None:
            if line.type in ("start_game", "start_kyoku", "end_game"):
                return line
            if line.type == "end_kyoku":
                return None
        return None

    def _play(self, kyoku: Kyoku) -> Line | None:
        """Read the events of *kyoku*; return the line after it, unless that only says that it ends."""
        self._lines.frame = kyoku.start.name
        events, plain = kyoku.events, plain_lines().get
        parse = self._lines.parse
        for text in self._lines.rest:
            event = plain(text)
            if event is None:
                line = parse(text)
                if line is None:
                    kyoku.mark(self._lines.number + 1)
                    continue
                self._check_keys(line)
                if kyoku.play(line):
                    continue
                if line.type in _BETWEEN:
                    return None if line.type == "end_kyoku" else line
                kyoku.mark(self._lines.number + 1)
            elif type(event) is Draw:
                if kyoku.pending is not None:
                    kyoku.mark(self._lines.number)
                    kyoku.draw(event)
                else:
                    events.append(event)
                    kyoku.drawn, kyoku.replacement = event.tile, False
            elif not event.tsumogiri or event.tile == kyoku.drawn:  # type: ignore[union-attr]
                events.append(event)
                kyoku.drawn = None
            else:
                line = parse(text)
                assert line is not None
                kyoku.play(line)
        return None

    # --- notices -----------------------------------------------------------------------------------------------------

    def _check_keys(self, line: Line) -> None:
        """Report an unknown event, or the unknown keys of a known one."""
        kind = line.type
        if kind in HARMLESS_EVENTS:
            return
        if kind not in KEYS:
            self._tell(f"unknown event {shown(kind)} ignored")
            return
        for key in unknown_keys(line.value, kind):
            self._tell(f"unknown key {shown(key)} of {kind} ignored")

    def _tell(self, remark: str) -> None:
        """Report *remark* once."""
        if remark not in self._noticed:
            self._noticed.add(remark)
            self._notice(remark)


_BETWEEN = frozenset(("start_game", "start_kyoku", "end_kyoku", "end_game"))
