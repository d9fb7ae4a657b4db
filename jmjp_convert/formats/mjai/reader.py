"""Read mjai as many programs write it: mjai-reviewer, RiichiEnv, mjai.app, Mortal and the original server.

Source: ``docs/design/formats.md`` 2. A file holds one game after the other, with
or without ``start_game``, ``end_kyoku`` and ``end_game``. Events and keys that are unknown are ignored and reported.
"""

from __future__ import annotations

from collections.abc import Callable

from jmjp_convert.errors import MjaiError
from jmjp_convert.files.inputs import MAX_SIZE, Source, chunks, opened
from jmjp_convert.formats import bounds
from jmjp_convert.formats.located import Locate
from jmjp_convert.formats.mjai.game import Game
from jmjp_convert.formats.mjai.keys import HARMLESS_EVENTS, KEYS, unknown_keys
from jmjp_convert.formats.mjai.kyoku import Kyoku
from jmjp_convert.formats.mjai.lines import Line, Lines
from jmjp_convert.formats.mjai.notation import plain_lines
from jmjp_convert.formats.safe_json import shown
from jmjp_convert.model import Draw, Match

Notice = Callable[[str], None]
Finding = Callable[[MjaiError], None]


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
