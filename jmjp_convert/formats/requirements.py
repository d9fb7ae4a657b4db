"""Check that a match has what a format needs: four players, hands, points, sticks."""

from __future__ import annotations

from collections.abc import Container, Iterator

from jmjp_convert.errors import FormatError
from jmjp_convert.model import SEATS, Frame, Match
from jmjp_convert.model.match import misplaced
from jmjp_convert.play.dora_indicators import with_indicators

_NUMBERS = {3: "three", 4: "four"}


def check_players(match: Match, name: str, players: Container[int] = (SEATS,)) -> None:
    """Check that the format *name* can hold as many players as *match* has.

    :raises FormatError: it cannot.
    """
    if match.rules.players not in players:
        raise FormatError(f"{name} cannot hold {_NUMBERS[match.rules.players]}-player games")


def check_notes(frame: Frame) -> None:
    """Check that the notes of *frame* are at moments of its play, in order.

    :raises FormatError: they are not.
    """
    if why := misplaced(frame.notes, frame.events):
        raise FormatError(f"frame {frame.start.name}: {why}")


def needed_frames(match: Match, name: str, players: Container[int] = (SEATS,)) -> Iterator[Frame]:
    """Yield the frames of *match*, with the dora indicators that they show.

    :param name: the name of the format, for messages.
    :param players: the numbers of players that it can hold.
    :raises FormatError: the match lacks something that the format needs.
    """
    check_players(match, name, players)
    if not match.frames:
        raise FormatError(f"{name} cannot hold a match without frames")
    for frame in match.frames:
        if not frame.start.hands:
            raise lacking(frame, "a record of its play", name)
        if frame.start.points is None:
            raise lacking(frame, "starting points", name)
        if frame.start.sticks is None:
            raise lacking(frame, "the number of riichi sticks", name)
        yield with_indicators(frame, match.rules)


def lacking(frame: Frame, what: str, name: str) -> FormatError:
    """Return the error that *frame* lacks *what*, which the format *name* needs."""
    return FormatError(f"frame {frame.start.name} lacks {what}, which {name} needs")
