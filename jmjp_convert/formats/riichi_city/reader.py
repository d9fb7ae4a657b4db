"""Reads records of Riichi City: the head, the frames, the result.

A file is the server's answer, or its ``data`` alone. Dates and times are those of Japan, where the server is at home;
the record has milliseconds since 1970, from which :attr:`Match.started` and :attr:`Match.ended` are exact.
"""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime
from itertools import zip_longest
from operator import sub
from typing import Any

from jmjp_convert.errors import MatchError, PlayError, RiichiCityError
from jmjp_convert.formats.assembly import Assembly, fives_of_frames, without_repeated
from jmjp_convert.formats.bounds import MOST
from jmjp_convert.formats.json_text import Walk, decoded, quoted
from jmjp_convert.formats.json_values import At, WrongValue, optional
from jmjp_convert.formats.riichi_city.frames import FrameReader, Seats, by_player, data_of
from jmjp_convert.formats.riichi_city.notation import GAMES, LEAST_HAN, RANKED, RANKS
from jmjp_convert.formats.session import Session, reader
from jmjp_convert.messages import Terms, thousands
from jmjp_convert.model import (
    SEATS,
    THREE_PLAYERS,
    Frame,
    Match,
    Player,
    Rules,
    Text,
    Tournament,
    dates,
    handle,
    houses,
    log_ids,
)
from jmjp_convert.model.record import replace
from jmjp_convert.play.red_fives import inferred, together

_TWO = 2
_TENTH = 100  # of a thousand
_THOUSAND = 1000


@reader(RiichiCityError)
def read_riichi_city(content: Callable[[], bytes], session: Session[RiichiCityError]) -> None:
    """Read records of Riichi City."""
    walk = Walk(decoded(content(), RiichiCityError).rstrip(), RiichiCityError)
    session.error = lambda reason: RiichiCityError(reason, line=walk.line)
    for pointer in walk.documents():
        session.begin_match()
        walk.next()
        line = walk.line
        _Record(At(walk.object(pointer), pointer), session, line).read()


class _Record:
    """A record being read, on *line* of the file."""

    def __init__(self, answer: At, session: Session[RiichiCityError], line: int) -> None:
        self._answer = answer
        self._session = session
        self._line = line
        self._data = answer
        self._terms = Terms(())
        self._frames: list[FrameReader] = []
        self._possible: list[FrameReader] = []

    def read(self) -> None:
        """Read the record, and add its match to those of the session."""
        try:
            self._data = _content(self._answer)
            match = self._match()
        except WrongValue as wrong:
            raise self._error(wrong.reason, wrong.pointer) from None
        self._session.add(match, self._locate)

    def _error(self, reason: str, pointer: str, frame: str | None = None) -> RiichiCityError:
        return RiichiCityError(reason, line=self._line, pointer=pointer, frame=frame)

    # --- the match ---------------------------------------------------------------------------------------------------

    def _match(self) -> Match:
        data = self._data
        count = data.member("playerCount")
        if count.value == _TWO:
            raise count.wrong("a game of two players; 3 or 4 expected")
        players = count.number("3 or 4 players", THREE_PLAYERS, SEATS)
        listed = data.member("handRecord")
        if not listed.list("a list of frames"):
            raise listed.wrong("a record without frames")
        people, seats = _seated(listed.item(0), players)
        self._terms = Terms(seats.names, players, results=thousands)
        self._read_frames(listed, seats)
        rules, name = self._rules(players)
        end = next((frame.match_end for frame in self._frames if frame.match_end is not None), None)
        has_chips = houses.CHIPS in dict(rules.custom)
        chips = _numbers(end.member("user_data"), seats, "luck_score") if end is not None and has_chips else None
        frames = self._assembled(rules, chips)
        record_id = optional(data.get("keyValue"), At.text)
        if record_id is not None and log_ids.identify(record_id) is None:
            raise data.member("keyValue").expected("the ID of a record, 20 characters")
        return Match(
            rules,
            tuple(people) if end is None else _with_ranks(people, end, seats),
            frames,
            id=record_id,
            tournament=Tournament(name),
            **self._times(),
            **({} if end is None else self._result(end, seats, frames)),
        )

    def _rules(self, players: int) -> tuple[Rules, Text]:
        """Return the rules, and the name of the table."""
        data = self._data
        number = optional(data.get("gamePlay"), At.count)
        game = "unknown" if number is None else GAMES.get(number, f"number {number}")
        room, length = (optional(data.get(key), At.count) or 0 for key in ("stageType", "round"))
        least = optional(data.get("fangFu"), At.count) or 0
        frames = [frame for frame in self._frames if frame.wrong is None]
        walls = [frame.fives_of_wall for frame in frames]
        fives = together([*walls, fives_of_frames([frame.builder for frame in frames])])
        rules = houses.riichi_city_rules(
            players,
            red_fives=inferred(fives, players),
            game=None if game == RANKED else game,
            options=[name for key, name in _OPTIONS.items() if optional(data.get(key), At.flag)],
            least_han=LEAST_HAN.get(least, f"number {least}") if least > 1 else None,
            north_is_yakuhai=optional(data.get("northOperateType"), At.count) == 1,
        )
        return rules, houses.riichi_city_title(game, room, length, players)

    def _times(self) -> dict[str, Any]:
        """Return the date, the time, the start and, if it is recorded, the end of the match."""
        first, last = self._frames[0].times[:1], self._frames[-1].times[-1:]
        if not first or first[0] is None:
            return {}
        moment = datetime.fromtimestamp(first[0] // _THOUSAND, dates.JAPAN)
        day = moment.strftime("%Y%m%d")
        times = {"date": day, "weekday": dates.weekday(day), "time": moment.strftime("%H%M")}
        ended = last[0] if last and self._frames[-1].match_end is not None else None
        return {**times, "started": first[0] // _THOUSAND, "ended": None if ended is None else ended // _THOUSAND}

    def _result(self, end: At, seats: Seats, frames: tuple[Frame, ...]) -> dict[str, Any]:
        """Return what the event at the end of the match says of its result."""
        users = end.member("user_data")
        points = by_player(users, seats, lambda user: user.member("point_num").points())
        result: dict[str, Any] = {
            "final_points": without_repeated(points, frames),
            "results": tuple([_TENTH * score for score in _numbers(users, seats, "score")]),
        }
        if optional(self._data.get("isShaoJi"), At.flag):
            result["yakitori"] = tuple([_THOUSAND * score for score in _numbers(users, seats, "shao_ji_score")])
        if any(_levels(users, seats)):
            result["rank_changes"] = _numbers(users, seats, "pt_value")
        return result

    # --- frames ------------------------------------------------------------------------------------------------------

    def _read_frames(self, listed: At, seats: Seats) -> None:
        chips = optional(self._data.get("isLuck"), At.flag) or False
        for value in listed.items():
            self._session.begin_frame()
            frame = FrameReader(value, seats, self._session.notice, chips=chips)
            try:
                frame.read()
            except WrongValue as wrong:
                frame.wrong = wrong
            self._frames.append(frame)

    def _assembled(self, rules: Rules, chips: tuple[int, ...] | None) -> tuple[Frame, ...]:
        """Return the frames that are possible, each replayed; their errors are reported in order.

        :param chips: by player, after the match.
        """
        assembly = Assembly[FrameReader](rules, lambda error, frame: self._session.find(self._impossible(error, frame)))
        for frame, then in zip_longest(self._frames, self._frames[1:]):
            if frame.wrong is not None:
                reason = frame.wrong.in_terms(frame.terms)
                self._session.find(self._error(reason, frame.wrong.pointer, frame.name))
                continue
            frame.record_chips_after(chips if then is None else None if then.wrong else then.builder.start.chips)
            assembly.add(frame, frame.builder, frame.after, frame.finish)
        self._possible = assembly.possible
        return tuple(assembly.frames)

    def _impossible(self, error: PlayError, frame: FrameReader) -> RiichiCityError:
        return self._error(error.in_terms(frame.terms), frame.pointer_of(error), frame.name)

    def _locate(self, error: MatchError) -> RiichiCityError:
        """Return *error*, a problem of the match, with the place of its value."""
        if error.frame is not None:
            return self._impossible(error, self._possible[error.frame])
        pointer = self._data.pointer
        if error.at_end:
            pointer = next((frame.match_end.pointer for frame in self._frames if frame.match_end), pointer)
        return self._error(error.in_terms(self._terms), pointer)


_OPTIONS = {
    "isGeMu": houses.WAREME,
    "isShaoJi": houses.YAKITORI,
    "isLuck": houses.CHIPS,
    "isKaiLiZhi": houses.OPEN_RIICHI,
    "isGangPay": houses.PAO_FOR_DAIMINKAN,
}
"""The options that a record says are on, by their keys."""


def _content(answer: At) -> At:
    """Return the record in a server's *answer*, which may be left out around it."""
    if answer.get("handRecord") is not None:
        return answer
    code, data = answer.get("code"), answer.get("data")
    if code is not None and code.value != 0:
        message = answer.get("message")
        said = "" if message is None else f": {quoted(message.value)}"
        raise answer.wrong(f"the server's answer is error {quoted(code.value)}{said}, not a record")
    if data is not None and type(data.value) is dict and data.get("handRecord") is not None:
        return data
    if answer.get("hand_cards") is not None:
        raise answer.wrong(
            "events without the head of a record, which names the players; save the server's whole answer"
        )
    raise answer.wrong("expected a record of Riichi City, found an object without its key handRecord")


def _seated(frame: At, count: int) -> tuple[list[Player], Seats]:
    """Return the players, and who sits where.

    :param frame: the first: position 0 need not be its dealer.
    :param count: the number of players.
    """
    number = frame.member("changCi").number(f"a number, 1 to {count}", 1, count)
    events = frame.member("handEventRecord")
    if not events.list("a list of events"):
        raise events.wrong("a frame without events")
    dealer = data_of(events.item(0)).member("dealer_pos").player(count, "a position")
    people: list[Player | None] = [None] * count
    accounts: dict[int, int] = {}
    positions: dict[int, int] = {}
    listed = frame.member("players")
    for person in listed.items("a list of players", counts=(count,)):
        position, account = person.member("position").player(count, "a position"), person.member("userId").count()
        player = (position - dealer + number - 1) % count
        accounts[account] = positions[position] = player
        people[player] = Player(handle(person.member("nickname").text()), account=account)
    if len(accounts) != count or len(positions) != count:
        raise listed.wrong("a player is listed twice")
    seated = [person for person in people if person is not None]
    return seated, Seats(accounts, positions, [person.name or "" for person in seated])


def _numbers(users: At, seats: Seats, key: str) -> tuple[int, ...]:
    return by_player(users, seats, lambda user: user.member(key).number("a whole number", -MOST, MOST))


def _levels(users: At, seats: Seats) -> tuple[int, ...]:
    """Return the ranks by player, 0 for none; records of 2022 have none."""
    return by_player(users, seats, lambda user: optional(user.get("StageLevel"), At.count) or 0)


def _with_ranks(people: list[Player], end: At, seats: Seats) -> tuple[Player, ...]:
    """Return *people* with their ranks, and the points within them before the match."""
    users = end.member("user_data")
    levels = _levels(users, seats)
    if not any(levels):
        return tuple(people)
    before = map(sub, _numbers(users, seats, "user_pt_value"), _numbers(users, seats, "pt_value"))
    ranked = []
    for person, level, points in zip(people, levels, before, strict=True):
        if level >= len(RANKS):
            raise users.wrong(f"unknown rank {level}")
        ranked.append(replace(person, rank=RANKS[level] or None, rank_points=points))
    return tuple(ranked)
