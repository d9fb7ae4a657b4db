"""Reads the start of a game and of each frame, and assembles the match."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from jmjp_convert.errors import MatchError, MjaiError, PaymentError, PlayError, StartError
from jmjp_convert.formats.assembly import Assembly, Played, follows, points_after
from jmjp_convert.formats.mjai.finish import final, finished
from jmjp_convert.formats.mjai.kyoku import Kyoku
from jmjp_convert.formats.mjai.lines import Line, Lines
from jmjp_convert.formats.red_fives import red_fives as known_red_fives
from jmjp_convert.messages import Terms
from jmjp_convert.model import SEATS, WINDS, Match, Player, Rules, Start, Win, handle, log_ids
from jmjp_convert.model.tiles import UNKNOWN
from jmjp_convert.play.position import DEALT

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
