"""The cases in ``fixtures/score``: frames in a short notation, and what the check of their score says."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from typing import Any, NamedTuple

from casefiles import FIXTURES, blocks

from jmjp_convert.checks.score import check_score
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
    Hand,
    House,
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
from jmjp_convert.model.houses import riichi_city_rules
from jmjp_convert.model.record import replace
from jmjp_convert.model.tenhou import rules as rules_of
from jmjp_convert.model.tiles import NO_REDS, ONE_RED_EACH, PHYSICAL, UNKNOWN, RedFives, any_copy
from jmjp_convert.model.tiles import faces as faces_of
from jmjp_convert.model.yaku import NAMES
from jmjp_convert.play.points import final_points
from jmjp_convert.play.table import replay

FOUR = rules_of(9, 0)
FACES = faces_of()
TERMINALS = {face for face in FACES[:PHYSICAL] if face[0] in "19" or face[1] in "wd"}


class Recorded(NamedTuple):
    """What is recorded of a win."""

    score: Score | None
    changes: tuple[int, ...] | None
    pao: tuple[int, ...]
    ura: str


def recorded(text: str) -> Recorded:
    """Return what a line such as ``30 fu 2000: Pinfu 1, Tanyao 1; -2000,2000,0,0; MANGAN; pao=3; ura=ww`` says."""
    value, changes, *more = text.split("; ")
    named = dict(word.split("=") for word in more if "=" in word)
    limit = Limit[next((word for word in more if "=" not in word), "NONE")]
    return Recorded(score(value, limit), numbers(changes), numbers(named.get("pao", "-")) or (), named.get("ura", ""))


def score(text: str, limit: Limit) -> Score | None:
    """Return a score such as ``30 fu 2000: Pinfu 1``, without the fu or the yaku if they are not recorded."""
    said = re.fullmatch(r"(?:(\d+) fu )?(?:(\d+) han )?(\d+)(?:: (.+))?", text)
    if said is None:
        assert text == "-"
        return None
    fu, han, points, listed = said.groups()
    named = [re.fullmatch(r"(.*?)(?: (\d+))?", name) for name in listed.split(", ")] if listed else []
    yaku = [_yaku(name[1], int(name[2]) if name[2] else None) for name in named if name is not None]
    return Score(int(fu) if fu else None, int(points), limit, tuple(yaku), int(han) if han else None)


def _yaku(name: str, han: int | None) -> Yaku:
    numbers = {known.romaji: number for number, known in enumerate(NAMES)}
    return Yaku(numbers[name], han) if name in numbers else Yaku(None, han, name)


def numbers(text: str) -> tuple[int, ...] | None:
    """Return the numbers in *text*, separated by commas, or ``None`` for ``-``."""
    return None if text == "-" else tuple(map(int, text.split(",")))


def split(text: str) -> list[str]:
    """Return the faces in ``406m1p ew``."""
    groups: list[tuple[str, str, str]] = re.findall(r"([0-9]+)([mps])|([ewsngrd][wd])", text)
    return [digit + suit for digits, suit, honor in groups for digit in (digits or [honor])]


class Story:
    """A frame in short notation.

    *acts*: ``1 3m 9p`` player 1 draws 3m and discards 9p; ``tg`` discards the drawn tile; ``rc`` comes before the
    discard of a riichi, ``orc`` before that of an open one; ``2 pon[5s5s] 9m`` (or ``chi``, ``kan``) takes the last
    discard; ``ankan[wd]``, ``kakan[5s]`` and ``kita`` are followed by the replacement tile; ``dora[4p]``; ``fill=69``
    continues to the 69th draw, discarding the drawn tiles, ``fill1=69`` with terminals and honors for player 1 only,
    while there are other tiles; ``ron2``, ``tsumo``.

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

    def frame(self, *recorded: Recorded) -> Frame:
        """Return the frame, with its wins recorded as *recorded*, which the play does not depend on."""
        wins = list(recorded)
        for word in self.words:
            self.play(word, wins)
        self.pay()
        assert not wins
        played = [replace(event, changes=None) if isinstance(event, Win) else event for event in self.events]
        end = replay(self.start, played, self.rules).end()
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
        elif word in {"rc", "orc"}:
            self.events.append(RiichiDeclared(self.who, open=word == "orc"))
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
            self.last, self.giver = used[0], self.who
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
        self.events.append(Win(player, source, tile, recorded.score, recorded.pao, ura, changes=recorded.changes))


# --- cases ------------------------------------------------------------------------------------------------------------

HOUSES = {"tenhou": House.TENHOU, "soul": House.MAHJONG_SOUL, "city": House.RIICHI_CITY, "none": None}
VERDICTS = ("right", "finding", "left")
RECORDS = ("win", "draw")


class Check(NamedTuple):
    """A match, the house by which it is judged if not its own, and what is said of it."""

    match: Match
    house: House | None
    verdict: list[str]


def cases() -> dict[str, list[Check]]:
    """Return the checks of each case in ``fixtures/score``, by file and name."""
    paths = sorted((FIXTURES / "score").glob("*.txt"))
    return {f"{path.stem}: {block.name}": [*_checks(block.lines)] for path in paths for block in blocks(path, "case")}


def _checks(lines: list[str]) -> Iterator[Check]:
    """Yield the checks of a case: after a verdict, other lines change the match for the next one."""
    values: dict[str, str] = {}
    records: list[tuple[str, str]] = []
    verdict: list[str] = []
    recording = False
    for line in [*lines, ""]:
        key, _, value = map(str.strip, line.partition(":"))
        if key in VERDICTS:
            verdict.append(line)
            recording = False
            continue
        if verdict:
            yield Check(_match(values, records), HOUSES[values.get("by", "none")], verdict)
            verdict = []
        if key in RECORDS:
            records = [*(records if recording else []), (key, value)]
            recording = True
        else:
            values[key] = value


def rules_in(text: str) -> Rules:
    """Return rules: of a house, with a number on Tenhou, the lobby and settings, or of a room of friends with options;
    ``tenhou 9 0 csrule=0FE0BF0B``, ``soul3 0``, ``room: wareme, open riichi``."""
    head, _, options = text.partition(": ")
    name, *words = head.split()
    players = 3 if name.endswith("3") else 4
    if name.startswith("room"):
        named = options.split(", ") if options else []
        north = "north is yakuhai" in named
        named = [option for option in named if option != "north is yakuhai"]
        return riichi_city_rules(
            *(players,), red_fives=ONE_RED_EACH, game="friends", options=named, least_han=None, north_is_yakuhai=north
        )
    custom = tuple([(key, value) for key, _, value in (word.partition("=") for word in words if "=" in word)])
    given = [None if word == "-" else int(word) for word in words if "=" not in word]
    if name == "tenhou" and given:
        return rules_of(given[0] or 0, given[1], custom)
    return Rules(players, custom=custom, house=HOUSES[name.rstrip("3")], lobby=given[0] if given else None)


def _match(values: dict[str, str], records: list[tuple[str, str]]) -> Match:
    rules = rules_in(values.get("rules", "tenhou 9 0"))
    if "reds" in values:
        rules = replace(rules, red_fives=RedFives(*(numbers(values["reds"]) or ())))
    points = numbers(values.get("points", "-"))
    made = match(_frame(values, records, rules) if points is None else _last(points, values), rules=rules)
    if "results" not in values:
        return made
    final = numbers(values["final"]) if "final" in values else final_points(made.frames[-1])
    return replace(made, results=numbers(values["results"]), final_points=final, date=values.get("date"))


def _last(points: tuple[int, ...], values: dict[str, str]) -> Frame:
    """Return a frame without a play that begins and ends with *points*."""
    return Frame(Start(0, 0, int(values.get("sticks", 0)), 0, None, points, ()), (), End((), points), None)


def _frame(values: dict[str, str], records: list[tuple[str, str]], rules: Rules) -> Frame:
    """Return the frame that is played and recorded."""
    draws = [text.split("; ") for kind, text in records if kind == "draw"]
    options: dict[str, Any] = {key: values[key] for key in ("shows", "keep") if key in values}
    options |= {key: int(values[key]) for key in ("dealer", "honba", "sticks", "round_") if key in values}
    hands = (values.get(f"hand {player}", "") for player in range(rules.players))
    story = Story(values["acts"], *hands, rules=rules, **({"shows": "rd"} if draws else {}) | options)
    frame = story.frame(*(recorded(text) for kind, text in records if kind == "win"))
    for kind, changes, *shown in draws:
        who = shown[0].removeprefix("shown=") if shown else ""
        tiles = tuple(hand.tiles if str(player) in who else None for player, hand in enumerate(frame.end.hands))
        draw = Ryuukyoku(None if kind == "-" else DrawKind[kind], tiles if who else None, changes=numbers(changes))
        frame = replace(frame, events=(*frame.events, draw))
    if "dice" in values:
        dice = numbers(values["dice"].replace("-", ",")) or ()
        frame = replace(frame, start=replace(frame.start, dice=dice[0] if len(dice) == 1 else dice))
    if "end" in values:
        frame = replace(frame, end=replace(frame.end, points=numbers(values["end"])))
    return WITHOUT[values["without"]](frame) if "without" in values else frame


def _with_hands(frame: Frame, change: Callable[[Hand], Hand]) -> Frame:
    return replace(frame, end=End(tuple([change(hand) for hand in frame.end.hands]), frame.end.points))


def _any_copies(hand: Hand) -> Hand:
    tiles = tuple([any_copy(FACES[tile]) for tile in hand.tiles])
    return replace(hand, tiles=tiles, drawn=None if hand.drawn is None else any_copy(FACES[hand.drawn]))


WITHOUT: dict[str, Callable[[Frame], Frame]] = {
    "sticks": lambda frame: replace(frame, start=replace(frame.start, sticks=None)),
    "indicator": lambda frame: replace(frame, start=replace(frame.start, indicator=None)),
    "play": lambda frame: replace(frame, end=End((), None)),
    "winning tile": lambda frame: _with_hands(frame, lambda hand: replace(hand, drawn=None)),
    "tiles": lambda frame: _with_hands(frame, lambda hand: replace(hand, tiles=(UNKNOWN,) * len(hand.tiles))),
    "copies": lambda frame: _with_hands(frame, _any_copies),
}
"""What may be missing in the record of a frame."""


def match(*frames: Frame, rules: Rules = FOUR) -> Match:
    """Return a match of *frames* without a result."""
    return Match(rules, (Player(),) * rules.players, frames)


def verdict(recorded_: Match, house: House | None = None) -> list[str]:
    """Return what the check says of a match: the findings or else what is right, and what is left unjudged; of a result
    only if there is one."""
    report = check_score(recorded_, house)
    prefix = f"frame {recorded_.frames[0].start.name}: "
    found = [f"finding: {str(finding).removeprefix(prefix)}" for finding in report.findings]
    left = [f"left: {subject.value}: {reason}" for subject, reason in report.not_judged.elements()]
    if recorded_.results is None:
        left = [line for line in left if not line.startswith("left: final results: ")]
    if report.agreed and not found:
        return [f"right: {', '.join(subject.value for subject in report.agreed.elements())}", *left]
    return found + left
