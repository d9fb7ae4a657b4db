"""Frames written in a short notation, for the score checks."""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path
from typing import Any, NamedTuple

from casefiles import blocks

from jmjp_convert.checks.score import Subject, check_score
from jmjp_convert.model import (
    Ankan,
    Chi,
    Daiminkan,
    Discard,
    DoraRevealed,
    Draw,
    DrawKind,
    End,
    Event,
    Frame,
    Kakan,
    Kita,
    Limit,
    Match,
    Player,
    Pon,
    RiichiAccepted,
    RiichiDeclared,
    Rules,
    Ryuukyoku,
    Score,
    Start,
    Win,
    Yaku,
)
from jmjp_convert.model.record import replace
from jmjp_convert.model.tenhou import rules as rules_of
from jmjp_convert.model.tiles import NO_REDS, PHYSICAL
from jmjp_convert.model.tiles import faces as faces_of
from jmjp_convert.model.yaku import NAMES
from jmjp_convert.play.table import replay

LOGS = Path(__file__).parents[2] / "shared" / "mjlog"
FIXTURES = Path(__file__).parent.parent / "fixtures" / "valid"


FOUR, THREE = rules_of(9, 0), rules_of(25, 0)


FACES = faces_of()
TERMINALS = {face for face in FACES[:PHYSICAL] if face[0] in "19" or face[1] in "wd"}


class Recorded(NamedTuple):
    """The recorded values of a win: ``Recorded("30 fu 2000: Pinfu 1, Tanyao 1", (-2000, 2000, 0, 0))``."""

    value: str
    changes: tuple[int, ...]
    limit: Limit = Limit.NONE
    pao: tuple[int, ...] = ()
    ura: str = ""


def score(value: str, limit: Limit = Limit.NONE) -> Score:
    """Return a score written as in :class:`Recorded`."""
    match = re.fullmatch(r"(\d+) fu (\d+): (.+)", value)
    assert match is not None
    numbers = {name.romaji: number for number, name in enumerate(NAMES)}
    named = [re.fullmatch(r"(.*?)(?: (\d+))?", name) for name in match[3].split(", ")]
    yaku = [Yaku(numbers[name[1]], int(name[2]) if name[2] else None) for name in named if name is not None]
    return Score(int(match[1]), int(match[2]), limit, tuple(yaku))


def split(text: str) -> list[str]:
    """Return the faces in ``406m1p ew``."""
    groups: list[tuple[str, str, str]] = re.findall(r"([0-9]+)([mps])|([ewsngrd][wd])", text)
    return [digit + suit for digits, suit, honor in groups for digit in (digits or [honor])]


class Story:
    """A frame in short notation.

    *acts*: ``1 3m 9p`` player 1 draws 3m and discards 9p; ``tg`` discards the drawn tile; ``rc`` comes before the
    discard of a riichi; ``2 pon[5s5s] 9m`` (or ``chi``, ``kan``) takes the last discard; ``ankan[wd]``, ``kakan[5s]``
    and ``kita`` are followed by the replacement tile; ``dora[4p]``; ``fill=69`` continues to the 69th draw, discarding
    the drawn tiles, ``fill1=69`` with terminals and honors for player 1 only, while there are other tiles;
    ``ron2``, ``tsumo``.

    Unspecified tiles of hands are any that are left, except those in *keep*, which are reserved for ura dora.
    """

    def __init__(
        self,
        acts: str,
        *hands: str,
        rules: Rules = FOUR,
        shows: str = "9s",
        keep: str = "",
        dealer: int = 0,
        honba: int = 0,
        sticks: int = 0,
        round_: int = 0,
    ) -> None:
        self.rules = rules
        self.words = acts.split()
        players = rules.players
        tiles = [tile for tile in range(PHYSICAL) if players == 4 or tile // 4 not in range(1, 8)]
        self.pool = sorted(tiles, key=lambda tile: tile * 53 % 137)
        indicator = self.take(shows)
        dealt = [list(map(self.take, split(hand))) for hand in hands]
        self.queue = list(map(self.take, self.drawn_faces()))
        kept = list(map(self.take, split(keep)))
        for hand in dealt:
            while len(hand) < 13:
                hand.append(self.pool.pop())
        dealt += [[self.pool.pop() for _ in range(13)] for _ in range(players - len(dealt))]
        self.pool += kept
        points = (25000 if players == 4 else 35000,) * players
        self.start = Start(round_, honba, sticks, dealer, None, points, tuple(map(tuple, dealt)), indicator)
        self.hands = dealt
        self.pons: dict[int, Pon] = {}
        self.events: list[Event] = []
        self.who = self.giver = (dealer - 1) % players
        self.drawn, self.draws, self.last, self.riichi = -1, 0, -1, False

    def take(self, face: str) -> int:
        """Take a tile with *face* that is not in use yet."""
        names = (
            faces_of() if face.startswith("0") and self.rules.red_fives == NO_REDS else faces_of(self.rules.red_fives)
        )
        tile = [tile for tile in self.pool if names[tile] == face][0]  # noqa: RUF015 - an IndexError ends no map
        self.pool.remove(tile)
        return tile

    def drawn_faces(self) -> list[str]:
        """Return the faces that are drawn or turned."""
        faces, drawing = [], False
        for word in self.words:
            if word.startswith("dora["):
                faces.append(word[5:-1])
            elif drawing and len(word) == 2 and word not in {"rc", "tg"}:
                faces.append(word)
                drawing = False
            else:
                drawing = word.isdigit() or word.startswith(("ankan", "kakan", "kita", "kan["))
        return faces

    def frame(self, *recorded: Recorded, draw: Ryuukyoku | None = None) -> Frame:
        """Return the frame, with its wins recorded as *recorded*."""
        wins = list(recorded)
        for word in self.words:
            self.play(word, wins)
        self.pay()
        assert not wins
        if draw is not None:
            self.events.append(draw)
        end = replay(self.start, self.events, self.rules).end()
        return Frame(self.start, tuple(self.events), end, None)

    def pay(self) -> None:
        """Pay for a riichi whose tile was not ronned."""
        if self.riichi:
            self.events.append(RiichiAccepted(self.giver))
            self.riichi = False

    def play(self, word: str, wins: list[Recorded]) -> None:
        """Play one word of the notation."""
        if word.startswith("ron"):
            self.riichi = False
            self.win(int(word[3:]), self.giver, self.last, wins.pop(0))
            return
        self.pay()
        name, _, rest = word.rstrip("]").partition("[")
        if word.isdigit():
            self.who, self.drawn = int(word), -1
        elif word == "tsumo":
            self.win(self.who, None, self.drawn, wins.pop(0))
        elif word.startswith("fill"):
            self.fill(word)
        elif word == "rc":
            self.events.append(RiichiDeclared(self.who))
        elif name == "dora":
            self.events.append(DoraRevealed(self.queue.pop(0)))
        elif rest or word == "kita":
            self.meld(name, split(rest))
        elif self.drawn < 0:
            self.draw(self.queue.pop(0))
        else:
            self.discard(self.drawn if word == "tg" else self.tiles_of_hand([word])[0])

    def draw(self, tile: int) -> None:
        """Draw."""
        self.drawn = tile
        self.draws += 1
        self.hands[self.who].append(tile)
        self.events.append(Draw(self.who, tile))

    def discard(self, tile: int) -> None:
        """Discard."""
        self.riichi = bool(self.events) and isinstance(self.events[-1], RiichiDeclared)
        self.hands[self.who].remove(tile)
        self.events.append(Discard(self.who, tile))
        self.last, self.giver = tile, self.who

    def tiles_of_hand(self, faces: Sequence[str]) -> list[int]:
        """Return tiles of the hand."""
        names = faces_of(self.rules.red_fives)
        hand, tiles = list(self.hands[self.who]), []
        for face in faces:
            tiles.append(next(tile for tile in hand if names[tile] == face))
            hand.remove(tiles[-1])
        return sorted(tiles)

    def meld(self, name: str, faces: list[str]) -> None:
        """Lay a meld."""
        if name == "ankan":
            used = sorted(tile for tile in self.hands[self.who] if FACES[tile] == faces[0])
            meld: Event = Ankan(self.who, tuple(used))
        elif name in {"kakan", "kita"}:
            used = self.tiles_of_hand(faces or ["nw"])
            tile = used[0]
            meld = Kakan(self.who, tile, self.pons[tile // 4]) if name == "kakan" else Kita(self.who, tile)
            self.last, self.giver = tile, self.who
        else:
            used = self.tiles_of_hand(faces)
            claims: dict[str, type[Chi | Pon | Daiminkan]] = {"chi": Chi, "pon": Pon, "kan": Daiminkan}
            meld = claims[name](self.who, self.last, tuple(used), self.giver)
        if isinstance(meld, Pon):
            self.pons[self.last // 4] = meld
        for tile in used:
            self.hands[self.who].remove(tile)
        self.events.append(meld)
        self.drawn = PHYSICAL if name in {"chi", "pon"} else -1  # a tile is discarded, or drawn

    def fill(self, word: str) -> None:
        """Draw and discard up to a certain draw."""
        who, _, count = word[4:].partition("=")
        while self.draws < int(count):
            self.who = (self.who + 1) % self.rules.players
            outside = str(self.who) in who
            fits = [tile for tile in self.pool if not who or (FACES[tile] in TERMINALS) == outside]
            tile = (fits or self.pool)[0]
            self.pool.remove(tile)
            self.draw(tile)
            self.discard(tile)

    def win(self, player: int, source: int | None, tile: int, recorded: Recorded) -> None:
        """Win."""
        ura = tuple(map(self.take, split(recorded.ura)))
        value = score(recorded.value, recorded.limit)
        self.events.append(Win(player, source, tile, value, recorded.pao, ura, changes=recorded.changes))


class Case(NamedTuple):
    """A win of a case file: its story, its right value, and the other lines by their words."""

    story: Story
    right: Recorded
    values: dict[str, str]
    findings: list[str]


def cases(name: str) -> dict[str, Case]:
    """Return the cases in a file of ``fixtures/score``."""
    return {block.name: _case(block.lines) for block in blocks(FIXTURES.parent / "score" / f"{name}.txt", "case")}


def _case(said: list[str]) -> Case:
    pairs = [line.partition(": ") for line in said]
    values = {key: value for key, _, value in pairs}
    rules = rules_of(int(values.get("rules", 9)), 0)
    options: dict[str, Any] = {key: values[key] for key in ("shows", "keep") if key in values}
    options |= {key: int(values[key]) for key in ("dealer", "honba", "sticks", "round_") if key in values}
    hands = (values.get(f"hand {player}", "") for player in range(rules.players))
    story = Story(values["acts"], *hands, rules=rules, **options)
    pao = numbers(values["pao"]) if "pao" in values else ()
    limit = Limit[values.get("limit", "NONE")]
    right = Recorded(values["right"], numbers(values["paid"]), limit, pao, values.get("ura", ""))
    return Case(story, right, values, [value for key, _, value in pairs if key == "finding"])


def numbers(text: str) -> tuple[int, ...]:
    """Return the numbers in *text*, separated by commas."""
    return tuple(map(int, text.split(",")))


def match(*frames: Frame, rules: Rules = FOUR) -> Match:
    """Return a match of *frames* without a result."""
    return Match(rules, (Player(),) * rules.players, frames)


def lines(frame: Frame, rules: Rules = FOUR) -> list[str]:
    """Return the findings in *frame*."""
    report = check_score(match(frame, rules=rules))
    assert not set(report.not_judged) - {(Subject.RESULT, "no final result is recorded")}
    return list(map(str, report.findings))


def changed(**values: object) -> Frame:
    """Return the plain frame with *values* in its win."""
    (win,) = PLAIN.endings
    return replace(PLAIN, events=(*PLAIN.events[:-1], replace(win, **values)))


def with_recorded(frame: Frame, *recorded: Recorded) -> Frame:
    """Return *frame* with its wins recorded as *recorded*, after it was replayed."""
    wins = iter(recorded)
    events: list[Event] = []
    for event in frame.events:
        if isinstance(event, Win):
            new = next(wins)
            changed = replace(event, score=score(new.value, new.limit), changes=new.changes, pao=new.pao)
            events.append(changed)
        else:
            events.append(event)
    return replace(frame, events=tuple(events))


PINFU = "234m678m345s22s67p"
"""Waits for 5p and 8p: pinfu and tanyao."""


PLAIN = Story("0 5p tg ron1", "", PINFU).frame(Recorded("30 fu 2000: Pinfu 1, Tanyao 1", (-2000, 2000, 0, 0)))
PINFU_OF_THREE = "234p345s678s22s67p"
EVERY_ORPHAN = "19m19p19s ew sw ww nw wd gd rd"


def drawn(
    changes: tuple[int, ...],
    *hands: str,
    shown: str = "",
    acts: str = "fill=70",
    rules: Rules = FOUR,
    kind: DrawKind = DrawKind.EXHAUSTIVE,
    honba: int = 0,
    sticks: int = 0,
) -> Frame:
    """Return a frame with an exhaustive draw, at which the players *shown* show their hands."""
    story = Story(acts, *hands, rules=rules, shows="rd", honba=honba, sticks=sticks)
    frame = story.frame(draw=Ryuukyoku(kind, changes=changes))
    tiles = tuple(hand.tiles if str(player) in shown else None for player, hand in enumerate(frame.end.hands))
    draw = Ryuukyoku(kind, tiles, changes=changes)
    return replace(frame, events=(*frame.events[:-1], draw))


EAST, SOUTH = rules_of(1, 0), rules_of(9, 0)


def finished(
    points: tuple[int, ...], results: tuple[int, ...], date: str | None = None, rules: Rules = SOUTH, sticks: int = 0
) -> Match:
    """Return a match that ends with *points*, not including *sticks*."""
    start = Start(0, 0, sticks, 0, None, points, ())
    first = points.index(max(points))
    final = tuple(have + 1000 * sticks * (player == first) for player, have in enumerate(points))
    frame = Frame(start, (), End((), points), None)
    return replace(match(frame, rules=rules), final_points=final, results=results, date=date)


LAST_POINTS = (32500, 25500, 24500, 17500)


WHOLE, TENTHS, EAST_OF_2009 = (
    (41000, 6000, -15000, -32000),
    (42500, 5500, -15500, -32500),
    (31000, 1000, -10000, -22000),
)


def findings(recorded: Match) -> list[str]:
    """Return the findings at the end of *recorded*."""
    return list(map(str, check_score(recorded).findings))
