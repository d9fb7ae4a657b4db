"""The score recomputed from the play: wins, payments, draws, the final result."""

from __future__ import annotations

import re
import sys
from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import NamedTuple

import pytest

from jmjp_convert.check.score import ScoreReport, Subject, What, check_score, payments
from jmjp_convert.check.score.aborts import is_due
from jmjp_convert.errors import ConvertError
from jmjp_convert.formats.jmjp.reader import read_jmjp
from jmjp_convert.formats.mjlog.reader import read_mjlog
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
from jmjp_convert.model.tenhou import rules as rules_of
from jmjp_convert.model.tiles import PHYSICAL, any_copy
from jmjp_convert.model.tiles import faces as faces_of
from jmjp_convert.model.yaku import NAMES
from jmjp_convert.play.replay import replay

LOGS = Path(__file__).parents[2] / "shared" / "mjlog"
FIXTURES = Path(__file__).parent.parent / "fixtures" / "valid"

FOUR, THREE = rules_of(9, 0), rules_of(25, 0)
FACES = faces_of(red_fives=True)
TERMINALS = {face for face in FACES[:PHYSICAL] if face[0] in "19" or face[1] in "wd"}

# --- telling a frame -------------------------------------------------------------------------------------------------


class Told(NamedTuple):
    """What is recorded of a win: ``Told("30 fu 2000: Pinfu 1, Tanyao 1", (-2000, 2000, 0, 0))``."""

    value: str
    changes: tuple[int, ...]
    limit: Limit = Limit.NONE
    pao: int | None = None
    ura: str = ""


def score(value: str, limit: Limit = Limit.NONE) -> Score:
    """Return the score that is told as in :class:`Told`."""
    found = re.fullmatch(r"(\d+) fu (\d+): (.+)", value)
    assert found is not None
    numbers = {name.romaji: number for number, name in enumerate(NAMES)}
    named = [re.fullmatch(r"(.*?)(?: (\d+))?", name) for name in found[3].split(", ")]
    yaku = [Yaku(numbers[name[1]], int(name[2]) if name[2] else None) for name in named if name is not None]
    return Score(int(found[1]), int(found[2]), limit, tuple(yaku))


def split(text: str) -> list[str]:
    """Return the faces of ``406m1p ew``."""
    groups: list[tuple[str, str, str]] = re.findall(r"([0-9]+)([mps])|([ewsngrd][wd])", text)
    return [digit + suit for digits, suit, honor in groups for digit in (digits or [honor])]


class Story:
    """A frame in a few words.

    *acts*: ``1 3m 9p`` player 1 draws 3m and discards 9p; ``tg`` discards the drawn tile; ``rc`` stands before the
    discard of a riichi; ``2 pon[5s5s] 9m`` (or ``chi``, ``kan``) takes the last discard; ``ankan[wd]``, ``kakan[5s]``
    and ``kita`` are followed by the replacement tile; ``dora[4p]``; ``fill=69`` goes on to the 69th draw, by discards
    of the drawn tiles, ``fill1=69`` with terminals and honors for player 1 alone, as far as there are others;
    ``ron2``, ``tsumo``.

    Tiles of hands that are not told are any that are left, but for those that *keep* names, for ura dora.
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
        told = [list(map(self.take, split(hand))) for hand in hands]
        self.queue = list(map(self.take, self.drawn_faces()))
        kept = list(map(self.take, split(keep)))
        for hand in told:
            while len(hand) < 13:
                hand.append(self.pool.pop())
        told += [[self.pool.pop() for _ in range(13)] for _ in range(players - len(told))]
        self.pool += kept
        points = (25000 if players == 4 else 35000,) * players
        self.start = Start(round_, honba, sticks, dealer, None, points, tuple(map(tuple, told)), indicator)
        self.hands = told
        self.pons: dict[int, Pon] = {}
        self.events: list[Event] = []
        self.who = self.giver = (dealer - 1) % players
        self.drawn, self.draws, self.last, self.riichi = -1, 0, -1, False

    def take(self, face: str) -> int:
        """Take a tile with *face* that lies nowhere yet."""
        red_fives = self.rules.red_fives or face.startswith("0")
        names = faces_of(red_fives=red_fives)
        tile = [tile for tile in self.pool if names[tile] == face][0]  # noqa: RUF015 - an IndexError ends no map
        self.pool.remove(tile)
        return tile

    def drawn_faces(self) -> list[str]:
        """Return the faces that the words draw or turn over."""
        found, drawing = [], False
        for word in self.words:
            if word.startswith("dora["):
                found.append(word[5:-1])
            elif drawing and len(word) == 2 and word not in {"rc", "tg"}:
                found.append(word)
                drawing = False
            else:
                drawing = word.isdigit() or word.startswith(("ankan", "kakan", "kita", "kan["))
        return found

    def frame(self, *told: Told, draw: Ryuukyoku | None = None) -> Frame:
        """Return the frame, whose wins are recorded as they are *told*."""
        wins = list(told)
        for word in self.words:
            self.play(word, wins)
        self.pay()
        assert not wins
        if draw is not None:
            self.events.append(draw)
        end = replay(self.start, self.events, self.rules).end
        return Frame(self.start, tuple(self.events), end, None)

    def pay(self) -> None:
        """Pay for a riichi whose tile was not ronned."""
        if self.riichi:
            self.events.append(RiichiAccepted(self.giver))
            self.riichi = False

    def play(self, word: str, wins: list[Told]) -> None:
        """Play a word."""
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
            self.discard(self.drawn if word == "tg" else self.held([word])[0])

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

    def held(self, faces: Sequence[str]) -> list[int]:
        """Return tiles of the hand."""
        names = faces_of(red_fives=self.rules.red_fives)
        hand, found = list(self.hands[self.who]), []
        for face in faces:
            found.append(next(tile for tile in hand if names[tile] == face))
            hand.remove(found[-1])
        return sorted(found)

    def meld(self, name: str, faces: list[str]) -> None:
        """Lay a meld."""
        if name == "ankan":
            used = sorted(tile for tile in self.hands[self.who] if FACES[tile] == faces[0])
            meld: Event = Ankan(self.who, tuple(used))
        elif name in {"kakan", "kita"}:
            used = self.held(faces or ["nw"])
            tile = used[0]
            meld = Kakan(self.who, tile, self.pons[tile // 4]) if name == "kakan" else Kita(self.who, tile)
            self.last, self.giver = tile, self.who
        else:
            used = self.held(faces)
            claims: dict[str, type[Chi | Pon | Daiminkan]] = {"chi": Chi, "pon": Pon, "kan": Daiminkan}
            meld = claims[name](self.who, self.last, tuple(used), self.giver)
        if isinstance(meld, Pon):
            self.pons[self.last // 4] = meld
        for tile in used:
            self.hands[self.who].remove(tile)
        self.events.append(meld)
        self.drawn = PHYSICAL if name in {"chi", "pon"} else -1  # a tile is discarded, or drawn

    def fill(self, word: str) -> None:
        """Draw and discard up to a draw."""
        who, _, count = word[4:].partition("=")
        while self.draws < int(count):
            self.who = (self.who + 1) % self.rules.players
            outside = str(self.who) in who
            fits = [tile for tile in self.pool if not who or (FACES[tile] in TERMINALS) == outside]
            tile = (fits or self.pool)[0]
            self.pool.remove(tile)
            self.draw(tile)
            self.discard(tile)

    def win(self, player: int, source: int | None, tile: int, told: Told) -> None:
        """Win."""
        ura = tuple(map(self.take, split(told.ura)))
        value = score(told.value, told.limit)
        self.events.append(Win(player, source, tile, value, told.pao, ura, changes=told.changes))


def match(*frames: Frame, rules: Rules = FOUR) -> Match:
    """Return a match of *frames* without a result."""
    return Match(rules, (Player(),) * rules.players, frames)


def lines(frame: Frame, rules: Rules = FOUR) -> list[str]:
    """Return what is wrong with *frame*."""
    report = check_score(match(frame, rules=rules))
    assert not set(report.not_judged) - {(Subject.RESULT, "no final result is recorded")}
    return list(map(str, report.findings))


def retold(frame: Frame, *told: Told) -> Frame:
    """Return *frame* with its wins recorded as *told*, after it was replayed."""
    wins = iter(told)
    events: list[Event] = []
    for event in frame.events:
        if isinstance(event, Win):
            new = next(wins)
            changed = replace(event, score=score(new.value, new.limit), changes=new.changes, pao=new.pao)
            events.append(changed)
        else:
            events.append(event)
    return replace(frame, events=tuple(events))


# --- wins ------------------------------------------------------------------------------------------------------------

PINFU = "234m678m345s22s67p"
"""Waits for 5p and 8p: pinfu and tanyao."""

PINFU_OF_THREE = "234p345s678s22s67p"
EVERY_ORPHAN = "19m19p19s ew sw ww nw wd gd rd"
NO_KUITAN, NO_RED_FIVES = rules_of(13, 0), rules_of(11, 0)


class Case(NamedTuple):
    """A win: as it is right, as it would be for whoever falls into the trap, and what is found then."""

    name: str
    story: Story
    right: Told
    wrong: Told
    found: list[str]


def case(name: str, story: Story, right: Told, wrong: str, *found: str) -> Case:
    """Return a case of which the *wrong* value (``value; LIMIT``) has the right payments."""
    value, _, limit = wrong.partition("; ")
    return Case(name, story, right, Told(value, right.changes, Limit[limit or "NONE"], right.pao), list(found))


CASES = [
    case(
        "renhou is not given",
        Story("0 5p tg ron1", "", PINFU),
        Told("30 fu 2000: Pinfu 1, Tanyao 1", (-2000, 2000, 0, 0)),
        "30 fu 8000: Pinfu 1, Tanyao 1, Renhou 5; HANEMAN",
        "player 1's win is 30 fu 2 han, not 30 fu 7 han",
        "the yaku of player 1's win: Pinfu 1, Tanyao 1, not Pinfu 1, Tanyao 1, Renhou 5",
        "the limit of player 1's win: none, not haneman",
        "player 1's win is worth 2000, not 8000",
    ),
    case(
        "double riichi",
        Story("0 nw tg 1 ew rc tg 2 8p tg ron1", "", PINFU, keep="ww"),
        Told(
            "30 fu 8000: Double riichi 2, Ippatsu 1, Pinfu 1, Tanyao 1, Ura dora 0",
            (0, 9000, -8000, 0),
            Limit.MANGAN,
            ura="ww",
        ),
        "30 fu 7700: Riichi 1, Ippatsu 1, Pinfu 1, Tanyao 1, Ura dora 0",
        "player 1's win is 30 fu 5 han, not 30 fu 4 han",
        "the yaku of player 1's win: Ippatsu 1, Pinfu 1, Tanyao 1, Double riichi 2,"
        " not Riichi 1, Ippatsu 1, Pinfu 1, Tanyao 1",
        "the limit of player 1's win: mangan, not none",
        "player 1's win is worth 8000, not 7700",
    ),
    case(
        "a call makes it riichi",
        Story("0 sw tg 2 pon[swsw] 9p 3 nw tg 0 9m tg 1 ew rc tg 2 ww tg 3 8p tg ron1", "", PINFU, "swsw9p"),
        Told("30 fu 7700: Riichi 1, Ippatsu 1, Pinfu 1, Tanyao 1", (0, 8700, 0, -7700), ura="ww"),
        "30 fu 8000: Double riichi 2, Ippatsu 1, Pinfu 1, Tanyao 1; MANGAN",
        "player 1's win is 30 fu 4 han, not 30 fu 5 han",
        "the yaku of player 1's win: Riichi 1, Ippatsu 1, Pinfu 1, Tanyao 1,"
        " not Ippatsu 1, Pinfu 1, Tanyao 1, Double riichi 2",
        "the limit of player 1's win: none, not mangan",
        "player 1's win is worth 7700, not 8000",
    ),
    case(
        "four han of 30 fu are no mangan",
        Story("0 sw tg 2 pon[swsw] 9p 3 nw tg 0 9m tg 1 ew rc tg 2 ww tg 3 8p tg ron1", "", PINFU, "swsw9p"),
        Told("30 fu 7700: Riichi 1, Ippatsu 1, Pinfu 1, Tanyao 1", (0, 8700, 0, -7700), ura="ww"),
        "30 fu 8000: Riichi 1, Ippatsu 1, Pinfu 1, Tanyao 1; MANGAN",
        "the limit of player 1's win: none, not mangan",
        "player 1's win is worth 7700, not 8000",
    ),
    case(
        "a call ends ippatsu",
        Story("0 9m tg 1 nw tg 2 1m tg 3 1p tg 0 9m tg 1 sw rc tg 2 pon[swsw] 9p 3 8p tg ron1", "", PINFU, "swsw9p"),
        Told("30 fu 3900: Riichi 1, Pinfu 1, Tanyao 1", (0, 4900, 0, -3900), ura="wd"),
        "30 fu 7700: Riichi 1, Ippatsu 1, Pinfu 1, Tanyao 1",
        "player 1's win is 30 fu 3 han, not 30 fu 4 han",
        "the yaku of player 1's win: Riichi 1, Pinfu 1, Tanyao 1, not Riichi 1, Ippatsu 1, Pinfu 1, Tanyao 1",
        "player 1's win is worth 3900, not 7700",
    ),
    case(
        "the next discard ends ippatsu",
        Story("0 9m rc tg 1 1p tg 2 1m tg 3 1p tg 0 9m tg 1 8p tg ron0", PINFU),
        Told("30 fu 11600: Double riichi 2, Pinfu 1, Tanyao 1", (12600, -11600, 0, 0), ura="wd"),
        "30 fu 12000: Double riichi 2, Ippatsu 1, Pinfu 1, Tanyao 1; MANGAN",
        "player 0's win is 30 fu 4 han, not 30 fu 5 han",
        "the yaku of player 0's win: Pinfu 1, Tanyao 1, Double riichi 2,"
        " not Ippatsu 1, Pinfu 1, Tanyao 1, Double riichi 2",
        "the limit of player 0's win: none, not mangan",
        "player 0's win is worth 11600, not 12000",
    ),
    case(
        "the own next draw is ippatsu",
        Story("0 9m rc tg 1 1p tg 2 1m tg 3 1p tg 0 8p tsumo", PINFU),
        Told(
            "20 fu 18000: Menzen tsumo 1, Double riichi 2, Ippatsu 1, Pinfu 1, Tanyao 1",
            (19000, -6000, -6000, -6000),
            Limit.HANEMAN,
            ura="wd",
        ),
        "20 fu 12000: Menzen tsumo 1, Double riichi 2, Pinfu 1, Tanyao 1; MANGAN",
        "player 0's win is 20 fu 6 han, not 20 fu 5 han",
        "the yaku of player 0's win: Menzen tsumo 1, Ippatsu 1, Pinfu 1, Tanyao 1, Double riichi 2,"
        " not Menzen tsumo 1, Pinfu 1, Tanyao 1, Double riichi 2",
        "the limit of player 0's win: haneman, not mangan",
        "player 0's win is worth 18000, not 12000",
    ),
    case(
        "a robbed kakan keeps ippatsu",
        Story("0 8p tg 2 pon[8p8p] 9p 3 nw tg 0 9m tg 1 ew rc tg 2 8p kakan[8p] ron1", "", PINFU, "88p9p"),
        Told(
            "30 fu 8000: Riichi 1, Ippatsu 1, Chankan 1, Pinfu 1, Tanyao 1", (0, 9000, -8000, 0), Limit.MANGAN, ura="ww"
        ),
        "30 fu 7700: Riichi 1, Ippatsu 1, Pinfu 1, Tanyao 1",
        "player 1's win is 30 fu 5 han, not 30 fu 4 han",
        "the yaku of player 1's win: Riichi 1, Ippatsu 1, Chankan 1, Pinfu 1, Tanyao 1,"
        " not Riichi 1, Ippatsu 1, Pinfu 1, Tanyao 1",
        "the limit of player 1's win: mangan, not none",
        "player 1's win is worth 8000, not 7700",
    ),
    case(
        "a kan ends ippatsu",
        Story("0 9m tg 1 ew rc tg 2 wd ankan[wd] dora[nw] 9m tg 3 8p tg ron1", "", PINFU, "wdwdwd"),
        Told("30 fu 7700: Double riichi 2, Pinfu 1, Tanyao 1", (0, 8700, 0, -7700), ura="ww ww"),
        "30 fu 8000: Double riichi 2, Ippatsu 1, Pinfu 1, Tanyao 1; MANGAN",
        "player 1's win is 30 fu 4 han, not 30 fu 5 han",
        "the yaku of player 1's win: Pinfu 1, Tanyao 1, Double riichi 2,"
        " not Ippatsu 1, Pinfu 1, Tanyao 1, Double riichi 2",
        "the limit of player 1's win: none, not mangan",
        "player 1's win is worth 7700, not 8000",
    ),
    case(
        "ura and kan ura",
        Story("0 9m tg 1 ew rc tg 2 wd ankan[wd] dora[1s] 9m tg 3 8p tg ron1", "", PINFU, "wdwdwd", shows="7p"),
        Told(
            "30 fu 16000: Double riichi 2, Pinfu 1, Tanyao 1, Dora 3, Ura dora 2",
            (0, 17000, 0, -16000),
            Limit.BAIMAN,
            ura="5p7m",
        ),
        "30 fu 12000: Double riichi 2, Pinfu 1, Tanyao 1, Dora 3; HANEMAN",
        "player 1's win is 30 fu 9 han, not 30 fu 7 han",
        "the yaku of player 1's win: Pinfu 1, Tanyao 1, Double riichi 2, Dora 3, Ura dora 2,"
        " not Pinfu 1, Tanyao 1, Double riichi 2, Dora 3",
        "the limit of player 1's win: baiman, not haneman",
        "player 1's win is worth 16000, not 12000",
    ),
    case(
        "haitei on the 70th draw",
        Story("fill=69 1 8p tsumo", "", PINFU),
        Told("20 fu 5200: Menzen tsumo 1, Haitei raoyue 1, Pinfu 1, Tanyao 1", (-2600, 5200, -1300, -1300)),
        "20 fu 2700: Menzen tsumo 1, Pinfu 1, Tanyao 1",
        "player 1's win is 20 fu 4 han, not 20 fu 3 han",
        "the yaku of player 1's win: Menzen tsumo 1, Haitei raoyue 1, Pinfu 1, Tanyao 1,"
        " not Menzen tsumo 1, Pinfu 1, Tanyao 1",
        "player 1's win is worth 5200, not 2700",
    ),
    case(
        "no haitei on the 69th draw",
        Story("fill=68 0 8p tsumo", PINFU),
        Told("20 fu 3900: Menzen tsumo 1, Pinfu 1, Tanyao 1", (3900, -1300, -1300, -1300)),
        "20 fu 7800: Menzen tsumo 1, Haitei raoyue 1, Pinfu 1, Tanyao 1",
        "player 0's win is 20 fu 3 han, not 20 fu 4 han",
        "the yaku of player 0's win: Menzen tsumo 1, Pinfu 1, Tanyao 1,"
        " not Menzen tsumo 1, Haitei raoyue 1, Pinfu 1, Tanyao 1",
        "player 0's win is worth 3900, not 7800",
    ),
    case(
        "houtei on the last discard",
        Story("fill=69 1 8p tg ron2", "", "", PINFU),
        Told("30 fu 3900: Houtei raoyui 1, Pinfu 1, Tanyao 1", (0, -3900, 3900, 0)),
        "30 fu 2000: Pinfu 1, Tanyao 1",
        "player 2's win is 30 fu 3 han, not 30 fu 2 han",
        "the yaku of player 2's win: Houtei raoyui 1, Pinfu 1, Tanyao 1, not Pinfu 1, Tanyao 1",
        "player 2's win is worth 3900, not 2000",
    ),
    case(
        "a replacement tile that is the last is rinshan alone, and three han of 60 fu are no mangan",
        Story("fill=68 0 wd ankan[wd] dora[nw] 8p tsumo", "234m678m22s67p wdwdwd"),
        Told("60 fu 11700: Menzen tsumo 1, Rinshan kaihou 1, Yakuhai haku 1", (11700, -3900, -3900, -3900)),
        "60 fu 12000: Menzen tsumo 1, Rinshan kaihou 1, Haitei raoyue 1, Yakuhai haku 1; MANGAN",
        "player 0's win is 60 fu 3 han, not 60 fu 4 han",
        "the yaku of player 0's win: Menzen tsumo 1, Rinshan kaihou 1, Yakuhai haku 1,"
        " not Menzen tsumo 1, Rinshan kaihou 1, Haitei raoyue 1, Yakuhai haku 1",
        "the limit of player 0's win: none, not mangan",
        "player 0's win is worth 11700, not 12000",
    ),
    case(
        "tenhou",
        Story("0 8p tsumo", PINFU),
        Told("20 fu 48000: Tenhou", (48000, -16000, -16000, -16000), Limit.YAKUMAN),
        "20 fu 3900: Menzen tsumo 1, Pinfu 1, Tanyao 1",
        "player 0's win is 20 fu yakuman, not 20 fu 3 han",
        "the yaku of player 0's win: Tenhou, not Menzen tsumo 1, Pinfu 1, Tanyao 1",
        "the limit of player 0's win: yakuman, not none",
        "player 0's win is worth 48000, not 3900",
    ),
    case(
        "a kan ends tenhou, and the two fu of a tsumo count on rinshan",
        Story("0 2m ankan[2m] dora[nw] 8p tsumo", "222m444p678s22s67p"),
        Told("50 fu 9600: Menzen tsumo 1, Rinshan kaihou 1, Tanyao 1", (9600, -3200, -3200, -3200)),
        "40 fu 48000: Tenhou; YAKUMAN",
        "player 0's win is 50 fu 3 han, not 40 fu yakuman",
        "the yaku of player 0's win: Menzen tsumo 1, Rinshan kaihou 1, Tanyao 1, not Tenhou",
        "the limit of player 0's win: none, not yakuman",
        "player 0's win is worth 9600, not 48000",
    ),
    case(
        "rinshan after a daiminkan, and the han of an open hand",
        Story("0 wd tg 1 kan[wdwdwd] 8m tsumo", "", "wdwdwd 2223466778m"),
        Told("40 fu 8000: Rinshan kaihou 1, Yakuhai haku 1, Honitsu 2", (-4000, 8000, -2000, -2000), Limit.MANGAN),
        "40 fu 8000: Rinshan kaihou 1, Yakuhai haku 1, Honitsu 3; MANGAN",
        "player 1's win is 40 fu 4 han, not 40 fu 5 han",
        "the yaku of player 1's win: Rinshan kaihou 1, Yakuhai haku 1, Honitsu 2,"
        " not Rinshan kaihou 1, Yakuhai haku 1, Honitsu 3",
    ),
    case(
        "chiihou",
        Story("0 9m tg 1 8p tsumo", "", PINFU),
        Told("20 fu 32000: Chiihou", (-16000, 32000, -8000, -8000), Limit.YAKUMAN),
        "20 fu 48000: Tenhou; YAKUMAN",
        "the yaku of player 1's win: Chiihou, not Tenhou",
        "player 1's win is worth 32000, not 48000",
    ),
    case(
        "a call ends chiihou, and pinfu by tsumo has 20 fu",
        Story("0 sw tg 2 pon[swsw] 9p 3 nw tg 0 9m tg 1 8p tsumo", "", PINFU, "swsw9p"),
        Told("20 fu 2700: Menzen tsumo 1, Pinfu 1, Tanyao 1", (-1300, 2700, -700, -700)),
        "30 fu 4000: Menzen tsumo 1, Pinfu 1, Tanyao 1",
        "player 1's win is 20 fu 3 han, not 30 fu 3 han",
        "player 1's win is worth 2700, not 4000",
    ),
    case(
        "an open pinfu has 30 fu",
        Story("0 5s tg 1 chi[3s4s] 9p 2 8p tg ron1", "", "234m678m34s22s67p9p"),
        Told("30 fu 1000: Tanyao 1", (0, 1000, -1000, 0)),
        "20 fu 700: Tanyao 1",
        "player 1's win is 30 fu 1 han, not 20 fu 1 han",
        "player 1's win is worth 1000, not 700",
    ),
    case(
        "a pair of the wind of both seat and round has 4 fu",
        Story("0 9m rc tg 1 8p tg ron0", "234m678m111s67p ewew", shows="gd"),
        Told("50 fu 9600: Double riichi 2, Ippatsu 1", (10600, -9600, 0, 0), ura="wd"),
        "40 fu 7700: Double riichi 2, Ippatsu 1",
        "player 0's win is 50 fu 3 han, not 40 fu 3 han",
        "player 0's win is worth 9600, not 7700",
    ),
    case(
        "the wind of seat and of round",
        Story("1 8p tg ron2", "", "", "234m678m22s67p swswsw", dealer=1, round_=5),
        Told("40 fu 2600: Bakaze nan 1, Jikaze nan 1", (0, -2600, 2600, 0)),
        "40 fu 1300: Bakaze nan 1",
        "player 2's win is 40 fu 2 han, not 40 fu 1 han",
        "the yaku of player 2's win: Jikaze nan 1, Bakaze nan 1, not Bakaze nan 1",
        "player 2's win is worth 2600, not 1300",
    ),
    case(
        "red fives",
        Story("0 0p tg ron1", "", "234m678m340s22s67p"),
        Told("30 fu 7700: Pinfu 1, Tanyao 1, Aka dora 2", (-7700, 7700, 0, 0)),
        "30 fu 3900: Pinfu 1, Tanyao 1, Aka dora 1",
        "player 1's win is 30 fu 4 han, not 30 fu 3 han",
        "the yaku of player 1's win: Pinfu 1, Tanyao 1, Aka dora 2, not Pinfu 1, Tanyao 1, Aka dora 1",
        "player 1's win is worth 7700, not 3900",
    ),
    case(
        "no red fives",
        Story("0 0p tg ron1", "", "234m678m340s22s67p", rules=NO_RED_FIVES),
        Told("30 fu 2000: Pinfu 1, Tanyao 1", (-2000, 2000, 0, 0)),
        "30 fu 7700: Pinfu 1, Tanyao 1, Aka dora 2",
        "player 1's win is 30 fu 2 han, not 30 fu 4 han",
        "the yaku of player 1's win: Pinfu 1, Tanyao 1, not Pinfu 1, Tanyao 1, Aka dora 2",
        "player 1's win is worth 2000, not 7700",
    ),
    case(
        "no open tanyao",
        Story("0 5s tg 1 chi[3s4s] 9p fill=69 2 8p tg ron1", "", "234m678m34s22s67p9p", rules=NO_KUITAN),
        Told("30 fu 1000: Houtei raoyui 1", (0, 1000, -1000, 0)),
        "30 fu 2000: Houtei raoyui 1, Tanyao 1",
        "player 1's win is 30 fu 1 han, not 30 fu 2 han",
        "the yaku of player 1's win: Houtei raoyui 1, not Houtei raoyui 1, Tanyao 1",
        "player 1's win is worth 1000, not 2000",
    ),
    case(
        "kazoe yakuman",
        Story("0 nw tg 1 ew rc tg 2 8m tg ron1", "", "2233445566778m"),
        Told(
            "30 fu 32000: Double riichi 2, Ippatsu 1, Pinfu 1, Tanyao 1, Ryanpeikou 3, Chinitsu 6",
            (0, 33000, -32000, 0),
            Limit.YAKUMAN,
            ura="wd",
        ),
        "30 fu 24000: Double riichi 2, Ippatsu 1, Pinfu 1, Tanyao 1, Ryanpeikou 3, Chinitsu 6; SANBAIMAN",
        "the limit of player 1's win: yakuman, not sanbaiman",
        "player 1's win is worth 32000, not 24000",
    ),
    case(
        "suuankou tanki counts once",
        Story("0 5p tg ron1", "", "222m444m666p888s5p"),
        Told("50 fu 32000: Suuankou tanki", (-32000, 32000, 0, 0), Limit.YAKUMAN),
        "50 fu 64000: Suuankou tanki; YAKUMAN",
        "player 1's win is worth 32000, not 64000",
    ),
    case(
        "thirteen waits count once",
        Story("0 9m tg ron1", "", EVERY_ORPHAN),
        Told("0 fu 32000: Kokushi musou juusanmen", (-32000, 32000, 0, 0), Limit.YAKUMAN),
        "0 fu 64000: Kokushi musou; YAKUMAN",
        "the yaku of player 1's win: Kokushi musou juusanmen, not Kokushi musou",
        "player 1's win is worth 32000, not 64000",
    ),
    case(
        "several yakuman add up",
        Story("0 sw tg ron1", "", "wdwdwd gdgdgd rdrdrd ewewew sw"),
        Told("70 fu 96000: Daisangen, Suuankou tanki, Tsuuiisou", (-96000, 96000, 0, 0), Limit.YAKUMAN),
        "70 fu 32000: Daisangen; YAKUMAN",
        "the yaku of player 1's win: Daisangen, Suuankou tanki, Tsuuiisou, not Daisangen",
        "player 1's win is worth 96000, not 32000",
    ),
    case(
        "three players: the dora of 1m is 9m",
        Story("0 ew tg 1 ww rc tg 2 8p tg ron1", "", "999m123p345s22s67p", rules=THREE, shows="1m"),
        Told("40 fu 12000: Double riichi 2, Ippatsu 1, Dora 3", (0, 13000, -12000), Limit.HANEMAN, ura="wd"),
        "40 fu 5200: Double riichi 2, Ippatsu 1",
        "player 1's win is 40 fu 6 han, not 40 fu 3 han",
        "the yaku of player 1's win: Ippatsu 1, Double riichi 2, Dora 3, not Ippatsu 1, Double riichi 2",
        "the limit of player 1's win: haneman, not none",
        "player 1's win is worth 12000, not 5200",
    ),
    case(
        "three players: a ron on a kita keeps ippatsu and is no chankan",
        Story("0 ew tg 1 ww rc tg 2 nw kita ron1", "", "234p567p345s678s nw", rules=THREE),
        Told("40 fu 5200: Double riichi 2, Ippatsu 1", (0, 6200, -5200), ura="wd"),
        "40 fu 8000: Double riichi 2, Ippatsu 1, Chankan 1; MANGAN",
        "player 1's win is 40 fu 3 han, not 40 fu 4 han",
        "the yaku of player 1's win: Ippatsu 1, Double riichi 2, not Ippatsu 1, Chankan 1, Double riichi 2",
        "the limit of player 1's win: none, not mangan",
        "player 1's win is worth 5200, not 8000",
    ),
    case(
        "three players: a kita ends ippatsu",
        Story("0 ew tg 1 ww rc tg 2 nw kita 9p tg 0 8p tg ron1", "", PINFU_OF_THREE, rules=THREE),
        Told("30 fu 7700: Double riichi 2, Pinfu 1, Tanyao 1", (-7700, 8700, 0), ura="wd"),
        "30 fu 8000: Double riichi 2, Ippatsu 1, Pinfu 1, Tanyao 1; MANGAN",
        "player 1's win is 30 fu 4 han, not 30 fu 5 han",
        "the yaku of player 1's win: Pinfu 1, Tanyao 1, Double riichi 2,"
        " not Ippatsu 1, Pinfu 1, Tanyao 1, Double riichi 2",
        "the limit of player 1's win: none, not mangan",
        "player 1's win is worth 7700, not 8000",
    ),
    case(
        "three players: a kita is a dora, twice if north is one, and its tile is rinshan",
        Story("0 ew tg 1 nw kita 8p tsumo", "", PINFU_OF_THREE, rules=THREE, shows="ww"),
        Told(
            "20 fu 9000: Menzen tsumo 1, Rinshan kaihou 1, Pinfu 1, Tanyao 1, Dora 2",
            (-6000, 9000, -3000),
            Limit.HANEMAN,
        ),
        "20 fu 32000: Chiihou; YAKUMAN",
        "player 1's win is 20 fu 6 han, not 20 fu yakuman",
        "the yaku of player 1's win: Menzen tsumo 1, Rinshan kaihou 1, Pinfu 1, Tanyao 1, Dora 2, not Chiihou",
        "the limit of player 1's win: haneman, not yakuman",
        "player 1's win is worth 9000, not 32000",
    ),
    case(
        "three players: haitei on the 55th draw, and nobody pays for the missing one",
        Story("fill=54 0 8p tsumo", PINFU_OF_THREE, rules=THREE),
        Told("20 fu 5200: Menzen tsumo 1, Haitei raoyue 1, Pinfu 1, Tanyao 1", (5200, -2600, -2600)),
        "20 fu 7800: Menzen tsumo 1, Haitei raoyue 1, Pinfu 1, Tanyao 1",
        "player 0's win is worth 5200, not 7800",
    ),
]

FRAMES = {told.name: told.story.frame(told.right) for told in CASES}

each_case = pytest.mark.parametrize("told", CASES, ids=lambda told: told.name)


@each_case
def test_right(told: Case) -> None:
    """A win that is recorded right agrees, and so do its payments."""
    report = check_score(match(FRAMES[told.name], rules=told.story.rules))
    assert report.findings == []
    assert report.agreed == {Subject.WIN: 1, Subject.WIN_PAYMENTS: 1}


@each_case
def test_trap(told: Case) -> None:
    """A win that is recorded as for whoever falls into the trap is found, part by part."""
    place = f"frame {told.story.start.name}: "
    assert lines(retold(FRAMES[told.name], told.wrong), told.story.rules) == [place + line for line in told.found]


def test_no_win() -> None:
    """A hand that cannot win is found, and what it would pay is not judged."""
    frame = Story("0 5s tg 1 chi[3s4s] 9p 2 8p tg ron1", "", "234m678m34s22s67p9p", rules=NO_KUITAN)
    report = check_score(match(frame.frame(Told("30 fu 1000: Tanyao 1", (0, 1000, -1000, 0))), rules=NO_KUITAN))
    assert list(map(str, report.findings)) == ["frame E1-0: player 1's win is no win (no yaku), not 30 fu 1 han"]
    assert report.wrong == {Subject.WIN: 1}
    assert report.not_judged[Subject.WIN_PAYMENTS, "the hand has no value"] == 1


# --- payments of wins ------------------------------------------------------------------------------------------------

DRAGONS = "wdwd gdgd rdrd"
PAO = "0 wd tg 1 pon[wdwd] 9p 2 gd tg 1 pon[gdgd] 9p 2 9m tg 3 rd tg 1 pon[rdrd] 9p"
"""Player 3 feeds the third set."""

PAO_HAND = f"{DRAGONS} 999p234m5s"
CALLED_WINDS = (
    "0 ew tg 1 pon[ewew] 9p 2 sw tg 1 pon[swsw] 9p 2 9m tg 3 ww tg 1 pon[wwww] 9p 2 9m tg 3 9m tg 0 nw tg"
    " 1 pon[nwnw] 1p"
)
FOUR_KANS = (
    "0 2m tg 1 kan[2m2m2m] 9s dora[1p] tg 2 4m tg 1 kan[4m4m4m] 9s dora[1p] tg"
    " 2 6m tg 1 kan[6m6m6m] 9s dora[1p] tg 2 8m tg 1 kan[8m8m8m] 9s dora[4p] tg"
)


@pytest.mark.parametrize(
    ("story", "told", "other"),
    [
        pytest.param(
            Story("0 sw tg 2 pon[swsw] 9p 3 nw tg 0 9m tg 1 8p tsumo", "", PINFU, "swsw9p", honba=2, sticks=3),
            Told("20 fu 2700: Menzen tsumo 1, Pinfu 1, Tanyao 1", (-1500, 6300, -900, -900)),
            (-1300, 5700, -700, -700),
            id="a tsumo on two honba and three sticks",
        ),
        pytest.param(
            Story("0 5p tg ron1", "", PINFU, honba=2, sticks=3),
            Told("30 fu 2000: Pinfu 1, Tanyao 1", (-2600, 5600, 0, 0)),
            (-2400, 5400, 0, 0),
            id="a ron on two honba and three sticks",
        ),
        pytest.param(
            Story("0 9m rc 5p ron1", PINFU[:-3] + "45p", "234m678m345s22s67p"),
            Told("30 fu 2000: Pinfu 1, Tanyao 1", (-2000, 2000, 0, 0)),
            (-3000, 3000, 0, 0),
            id="no stick is paid for a riichi tile that is ronned",
        ),
        pytest.param(
            Story("0 9m tg 1 9p tg 2 9p tg 3 9p rc tg 0 5p tg ron1", "", PINFU, sticks=1),
            Told("30 fu 2000: Pinfu 1, Tanyao 1", (-2000, 4000, 0, 0)),
            (-2000, 3000, 0, -1000),
            id="the stick of another",
        ),
        pytest.param(
            Story(f"{PAO} 2 5s tg ron1", "", PAO_HAND, honba=1, sticks=1),
            Told("40 fu 32000: Daisangen", (0, 33300, -16000, -16300), Limit.YAKUMAN, pao=3),
            (0, 33300, -32300, 0),
            id="pao and a ron: half each, the honba from who carries it",
        ),
        pytest.param(
            Story(f"{PAO} 2 9m tg 3 5s tg ron1", "", PAO_HAND, honba=1),
            Told("40 fu 32000: Daisangen", (0, 32300, 0, -32300), Limit.YAKUMAN),
            (0, 32300, -16000, -16300),
            id="pao and a ron off who carries it",
        ),
        pytest.param(
            Story(f"{PAO} 2 9m tg 3 9s tg 0 9m tg 1 5s tsumo", "", PAO_HAND, honba=1, sticks=1),
            Told("40 fu 32000: Daisangen", (0, 33300, 0, -32300), Limit.YAKUMAN, pao=3),
            (-16100, 33300, -8100, -8100),
            id="pao and a tsumo: who carries it pays all",
        ),
        pytest.param(
            Story(f"{PAO} 2 9m tg 3 9s tg 0 9m tg 1 ew tsumo", "", f"{DRAGONS} 99p9p swswsw ew"),
            Told("50 fu 64000: Daisangen, Tsuuiisou", (0, 64000, 0, -64000), Limit.YAKUMAN, pao=3),
            (-16000, 64000, -8000, -40000),
            id="pao of two yakuman",
        ),
        pytest.param(
            Story(f"{CALLED_WINDS} 2 5s tg ron1", "", "ewew swsw wwww nwnw 999p1p5s"),
            Told("40 fu 32000: Daisuushii", (-16000, 32000, -16000, 0), Limit.YAKUMAN, pao=0),
            (0, 32000, -32000, 0),
            id="pao of the fourth wind",
        ),
        pytest.param(
            Story(
                "0 wd tg 1 pon[wdwd] 9p 2 gd tg 1 pon[gdgd] 9p 2 9m tg 3 9m tg 0 9m tg"
                " 1 rd ankan[rd] dora[9s] 9s tg 2 5s tg ron1",
                "",
                "wdwd gdgd rdrdrd 99p 234m5s",
                shows="1p",
            ),
            Told("70 fu 32000: Daisangen", (0, 32000, -32000, 0), Limit.YAKUMAN),
            (0, 32000, -16000, -16000),
            id="no pao when the third set is the own",
        ),
        pytest.param(
            Story(f"{FOUR_KANS} 2 9m tg 3 5s tg ron1", "", "222m444m666m888m5s", shows="1p"),
            Told("60 fu 32000: Suukantsu", (0, 32000, 0, -32000), Limit.YAKUMAN),
            (0, 32000, -16000, -16000),
            id="no pao of four kans",
        ),
        pytest.param(
            Story("0 ew tg 1 8p tg ron2", "", "", PINFU_OF_THREE, rules=THREE, honba=2, sticks=1),
            Told("30 fu 2000: Pinfu 1, Tanyao 1", (0, -2400, 3400)),
            (0, -2600, 3600),
            id="three players: a honba of a ron is 200",
        ),
        pytest.param(
            Story("0 ew tg 1 ew tg 2 ew tg 0 9p tg 1 9s tg 2 8p tsumo", "", "", PINFU_OF_THREE, rules=THREE, honba=2),
            Told("20 fu 2000: Menzen tsumo 1, Pinfu 1, Tanyao 1", (-1500, -900, 2400)),
            (-1500, -1600, 3100),
            id="three players: nobody pays for the missing one",
        ),
    ],
)
def test_payments(story: Story, told: Told, other: tuple[int, ...]) -> None:
    """Who pays what, and how payments by another rule are found."""
    frame = story.frame(told)
    assert lines(frame, story.rules) == []
    (win,) = (event for event in frame.events if isinstance(event, Win))
    place = f"frame {frame.start.name}: the payments of player {win.player}'s win are"
    right, wrong = (",".join(map(str, changes)) for changes in (told.changes, other))
    assert lines(retold(frame, told._replace(changes=other)), story.rules) == [f"{place} {right}, not {wrong}"]


FIRST = Told("30 fu 2000: Pinfu 1, Tanyao 1", (0, -2600, 4600, 0))
SECOND = Told(
    "30 fu 12000: Double riichi 2, Ippatsu 1, Pinfu 1, Tanyao 1, Ura dora 1", (0, -12000, 0, 12000), Limit.HANEMAN
)
DOUBLE_RON = Story(
    "0 nw tg 1 9m tg 2 9m tg 3 9m rc tg 0 nw tg 1 8p tg ron2 ron3",
    *("", "", PINFU, PINFU),
    honba=2,
    sticks=1,
    keep="7p",
).frame(FIRST, SECOND._replace(ura="7p"))


def test_several_winners() -> None:
    """The winner nearer in turn to the discarder takes honba and sticks; the other gets the points only."""
    assert lines(DOUBLE_RON) == []
    other = FIRST._replace(changes=(0, -2000, 2000, 0)), SECOND._replace(changes=(0, -12600, 0, 14600))
    assert lines(retold(DOUBLE_RON, *other)) == [
        "frame E1-2: the payments of player 2's win are 0,-2600,4600,0, not 0,-2000,2000,0",
        "frame E1-2: the payments of player 3's win are 0,-12000,0,12000, not 0,-12600,0,14600",
    ]


@pytest.mark.parametrize(
    ("winners", "source", "players", "first"),
    [((0, 3), 2, 4, 3), ((0, 2), 3, 4, 0), ((1, 3), 2, 4, 3), ((2, 1), 0, 4, 1), ((0, 2), 1, 3, 2)],
)
def test_first_winner(winners: tuple[int, ...], source: int, players: int, first: int) -> None:
    """The first winner is the next in turn after the discarder."""
    assert payments.first_winner(winners, source, players) == first


def test_ura_of_the_other_winner() -> None:
    """The ura dora that one winner shows count for every riichi of the frame."""
    events = [replace(event, ura=()) if isinstance(event, Win) else event for event in DOUBLE_RON.events]
    hidden = replace(DOUBLE_RON, events=tuple(events))
    report = check_score(match(hidden))
    reason = "the ura dora indicators are not recorded"
    assert report.agreed == {Subject.WIN: 1, Subject.WIN_PAYMENTS: 1}
    assert report.not_judged[Subject.WIN, reason] == report.not_judged[Subject.WIN_PAYMENTS, reason] == 1
    first, second = DOUBLE_RON.endings
    assert isinstance(first, Win)
    assert isinstance(second, Win)
    moved = (replace(first, ura=second.ura), replace(second, ura=()))
    assert lines(replace(DOUBLE_RON, events=(*DOUBLE_RON.events[:-2], *moved))) == []


def test_pao_recorded() -> None:
    """Who carries pao is derived, and what is recorded of it only compared."""
    told = Told("40 fu 32000: Daisangen", (0, 32000, -16000, -16000), Limit.YAKUMAN, pao=3)
    frame = Story(f"{PAO} 2 5s tg ron1", "", PAO_HAND).frame(told)
    assert lines(frame) == []
    assert lines(retold(frame, told._replace(pao=None))) == ["frame E1-0: pao of player 1's win: player 3, not nobody"]
    assert lines(retold(frame, told._replace(pao=0))) == ["frame E1-0: pao of player 1's win: player 3, not player 0"]
    plain = Story("0 5p tg ron1", "", PINFU).frame(Told("30 fu 2000: Pinfu 1, Tanyao 1", (-2000, 2000, 0, 0), pao=2))
    assert lines(plain) == ["frame E1-0: pao of player 1's win: nobody, not player 2"]


@pytest.mark.parametrize(
    ("players", "dealer", "honba", "winner", "expected"),
    [
        (4, 0, 0, 0, (12000, -4000, -4000, -4000)),
        (4, 0, 2, 1, (-4200, 8600, -2200, -2200)),
        (3, 1, 0, 1, (-4000, 8000, -4000)),
        (3, 1, 1, 2, (-2100, -4100, 6200)),
    ],
)
def test_tsumo(players: int, dealer: int, honba: int, winner: int, expected: tuple[int, ...]) -> None:
    """A mangan by tsumo, of dealers and others."""
    assert payments.tsumo(payments.Stakes(players, dealer, honba), winner, 4000, 2000) == expected


# --- draws -----------------------------------------------------------------------------------------------------------

NOTEN = ""
"""Thirteen of the tiles that are left."""

ALL_FOUR = "1111m234p345p678s"
"""Waits for 1m alone, of which it holds all four."""


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
    """Return a frame that is drawn for want of tiles, in which the players *shown* show their hands."""
    story = Story(acts, *hands, rules=rules, shows="rd", honba=honba, sticks=sticks)
    frame = story.frame(draw=Ryuukyoku(kind, changes=changes))
    tiles = tuple(hand.tiles if str(player) in shown else None for player, hand in enumerate(frame.end.hands))
    draw = Ryuukyoku(kind, tiles, changes=changes)
    return replace(frame, events=(*frame.events[:-1], draw))


def test_tenpai() -> None:
    """Who is tenpai follows from the hands, and what is paid from that."""
    nobody = drawn((0, 0, 0, 0), NOTEN, NOTEN, NOTEN, NOTEN)
    assert lines(nobody) == []
    right = drawn((1500, -1500, 1500, -1500), PINFU, NOTEN, PINFU, NOTEN, shown="02")
    assert lines(right) == []
    wrong = drawn((-1000, 3000, -1000, -1000), PINFU, NOTEN, PINFU, NOTEN, shown="1")
    assert lines(wrong) == [
        "frame E1-0: tenpai by the hands: players 0 and 2, not player 1",
        "frame E1-0: the payments of the draw are 1500,-1500,1500,-1500, not -1000,3000,-1000,-1000",
    ]
    unpaid = drawn((0, 0, 0, 0), PINFU, NOTEN, NOTEN, NOTEN)
    assert lines(unpaid) == [
        "frame E1-0: tenpai by the hands: player 0, not nobody",
        "frame E1-0: the payments of the draw are 3000,-1000,-1000,-1000, not 0,0,0,0",
    ]


@pytest.mark.parametrize(
    ("hand", "is_tenpai"),
    [
        pytest.param(ALL_FOUR, False, id="all four of the wait in the closed hand"),
        pytest.param("1133557799m123p", False, id="five pairs"),
        pytest.param("1133557799m112p", True, id="six pairs"),
        pytest.param("1133557799m111p", False, id="six pairs of which one is three"),
        pytest.param(EVERY_ORPHAN, True, id="thirteen orphans"),
        pytest.param("19m19p119s ew sw ww nw wd gd", True, id="twelve orphans and a pair"),
        pytest.param("123456789m159p1s", False, id="three sequences without a wait"),
    ],
)
def test_wait(hand: str, *, is_tenpai: bool) -> None:
    """A hand is tenpai if a tile would complete it, of which it does not hold all four itself."""
    changes = (3000, -1000, -1000, -1000) if is_tenpai else (0, 0, 0, 0)
    assert lines(drawn(changes, hand, NOTEN, NOTEN, NOTEN, shown="0" * is_tenpai)) == []


def test_wait_in_a_meld() -> None:
    """A wait of which a meld has the fourth tile is one."""
    acts = "0 9s tg 1 1m tg 0 pon[1m1m] 9p fill=70"
    assert lines(drawn((3000, -1000, -1000, -1000), "111m234p345p678s9p", acts=acts, shown="0")) == []


def test_riichi_is_tenpai() -> None:
    """Whoever declared riichi is taken for tenpai, whatever the hand."""
    frame = drawn((3000, -1000, -1000, -1000), ALL_FOUR, NOTEN, NOTEN, NOTEN, acts="0 9s rc tg fill=70", shown="0")
    assert lines(frame) == []


def test_draw_of_three() -> None:
    """Three players pay 2,000 in all, after 55 draws."""
    hand = PINFU_OF_THREE
    assert lines(drawn((2000, -1000, -1000), hand, acts="fill=55", rules=THREE, shown="0"), THREE) == []
    assert lines(drawn((1000, -2000, 1000), hand, NOTEN, hand, acts="fill=55", rules=THREE, shown="02"), THREE) == []
    assert lines(drawn((3000, -1500, -1500), hand, acts="fill=55", rules=THREE, shown="0"), THREE) == [
        "frame E1-0: the payments of the draw are 2000,-1000,-1000, not 3000,-1500,-1500"
    ]


def aborted(*moves: Event, hand: str = "") -> Frame:
    """Return a frame of *moves*, at whose end player 0 holds *hand*."""
    held = tuple(any_copy(hand[place : place + 2]) for place in range(0, len(hand), 2))
    return Frame(Start(0, 0, 0, 0, None, None, ()), moves, End((Hand(held), *[Hand(())] * 3), None), None)


def thrown(*faces: str) -> list[Event]:
    """Return the draws and discards by which the players throw *faces* away, one after the other."""
    tiles = [(turn % 4, any_copy(face)) for turn, face in enumerate(faces)]
    return [event for tile in tiles for event in (Draw(*tile), Discard(*tile))]


ORPHANS = "1m9m1p9p1s9sewsw2m2m3m3m4m"
PON = Pon(1, 0, (1, 2), 0)
KANS: list[Event] = [
    Ankan(0, (0, 1, 2, 3)),
    Daiminkan(0, 4, (5, 6, 7), 1),
    Kakan(0, 11, PON),
    Ankan(1, (12, 13, 14, 15)),
]


@pytest.mark.parametrize(
    ("kind", "frame", "due"),
    [
        (DrawKind.NINE_TERMINALS, aborted(Draw(0, any_copy("ww")), hand=ORPHANS), True),
        (DrawKind.NINE_TERMINALS, aborted(Draw(0, any_copy("sw")), hand=ORPHANS), False),
        (DrawKind.NINE_TERMINALS, aborted(*thrown("ww"), hand=ORPHANS), False),
        (
            DrawKind.NINE_TERMINALS,
            aborted(*thrown("9p", "1p", "1p", "1p"), Draw(0, any_copy("ww")), hand=ORPHANS),
            False,
        ),
        (DrawKind.NINE_TERMINALS, aborted(PON, Draw(0, any_copy("ww")), hand=ORPHANS), False),
        (DrawKind.FOUR_WINDS, aborted(*thrown("nw", "nw", "nw", "nw")), True),
        (DrawKind.FOUR_WINDS, aborted(*thrown("nw", "nw", "nw")), False),
        (DrawKind.FOUR_WINDS, aborted(*thrown("nw", "nw", "nw", "ew")), False),
        (DrawKind.FOUR_WINDS, aborted(*thrown("wd", "wd", "wd", "wd")), False),
        (DrawKind.FOUR_WINDS, aborted(*thrown("nw", "nw", "nw", "nw"), PON), False),
        (DrawKind.FOUR_RIICHI, aborted(*map(RiichiAccepted, range(4))), True),
        (DrawKind.FOUR_RIICHI, aborted(*map(RiichiAccepted, range(3))), False),
        (DrawKind.FOUR_KANS, aborted(*KANS), True),
        (DrawKind.FOUR_KANS, aborted(*KANS[:3]), False),
        (DrawKind.FOUR_KANS, aborted(*KANS[:3], Ankan(0, (16, 17, 18, 19))), False),
        (DrawKind.EXHAUSTIVE, aborted(*thrown("1m")), True),
        (DrawKind.EXHAUSTIVE, aborted(Draw(0, 0)), False),
    ],
)
def test_draw_that_is_due(kind: DrawKind, frame: Frame, *, due: bool) -> None:
    """A frame may be broken off by its moves alone; at the last tile, that one has been discarded."""
    assert is_due(kind, frame) is due


@pytest.mark.parametrize(
    "kind", [DrawKind.FOUR_WINDS, DrawKind.FOUR_RIICHI, DrawKind.FOUR_KANS, DrawKind.NINE_TERMINALS]
)
def test_abortive_draw(kind: DrawKind) -> None:
    """A frame that is broken off without a reason is a finding; so is that anybody pays for it."""
    frame = Story("0 9m tg").frame(draw=Ryuukyoku(DrawKind.NINE_TERMINALS, changes=(0, 0, 0, 0)))
    told = replace(frame, events=(*frame.events[:-1], Ryuukyoku(kind, changes=(0, 0, 0, 0))))
    line = f"frame E1-0: the frame ends in no such draw, not in {kind.value}"
    assert lines(told) == [line]
    paid = replace(frame, events=(*frame.events[:-1], Ryuukyoku(kind, changes=(3000, -1000, -1000, -1000))))
    payments = "frame E1-0: the payments of the draw are 0,0,0,0, not 3000,-1000,-1000,-1000"
    assert lines(paid) == [line, payments]


def test_triple_ron() -> None:
    """Whether three could win is not judged, but that nobody pays is."""
    frame = Story("0 9m tg").frame(draw=Ryuukyoku(DrawKind.TRIPLE_RON, changes=(0, 0, 0, 0)))
    report = check_score(match(frame))
    assert report.not_judged[Subject.DRAW, "whether three could win is not looked at"] == 1
    paid = replace(
        frame, events=(*frame.events[:-1], Ryuukyoku(DrawKind.TRIPLE_RON, changes=(3000, -1000, -1000, -1000)))
    )
    assert lines(paid) == ["frame E1-0: the payments of the draw are 0,0,0,0, not 3000,-1000,-1000,-1000"]


def test_nagashi() -> None:
    """Nagashi pays like a mangan by tsumo, without honba and sticks; tenpai hands are shown, and get nothing."""
    hands = PINFU, NOTEN, NOTEN, NOTEN
    right = drawn(
        (-4000, 8000, -2000, -2000), *hands, acts="fill1=70", shown="0", kind=DrawKind.NAGASHI, honba=2, sticks=1
    )
    report = check_score(match(right))
    assert report.findings == []
    assert report.agreed == {Subject.NAGASHI: 1}
    dealer = drawn((12000, -4000, -4000, -4000), NOTEN, NOTEN, NOTEN, NOTEN, acts="fill0=70", kind=DrawKind.NAGASHI)
    assert lines(dealer) == []
    wrong = drawn((3000, -1000, -1000, -1000), *hands, acts="fill1=70", shown="0")
    assert lines(wrong) == [
        "frame E1-0: the frame ends in nagashi mangan, not in an exhaustive draw",
        "frame E1-0: the payments of the draw are -4000,8000,-2000,-2000, not 3000,-1000,-1000,-1000",
    ]
    none = drawn((-4000, 8000, -2000, -2000), *hands, shown="0", kind=DrawKind.NAGASHI)
    assert lines(none) == [
        "frame E1-0: the frame ends in an exhaustive draw, not in nagashi mangan",
        "frame E1-0: the payments of the draw are 3000,-1000,-1000,-1000, not -4000,8000,-2000,-2000",
    ]


def test_no_nagashi_after_a_call() -> None:
    """A discard that was called ends nagashi."""
    acts = "0 5p tg 1 9m tg 2 pon[9m9m] 8p fill1=70"
    frame = drawn((0, 0, 0, 0), NOTEN, NOTEN, "99m8p", acts=acts)
    assert lines(frame) == []


def test_nagashi_of_three() -> None:
    """Of three players nobody pays the missing one's part."""
    assert lines(drawn((-4000, 6000, -2000), acts="fill1=55", rules=THREE, kind=DrawKind.NAGASHI), THREE) == []


def test_two_nagashi() -> None:
    """What nagashi of two players pays has not been seen: that is not judged."""
    hands = ("2345678m234678p",) * 2 + ("2345678s234678p",) * 2
    report = check_score(match(drawn((-4000, 8000, -2000, -2000), *hands, acts="fill12=70", kind=DrawKind.NAGASHI)))
    assert report.findings == []
    assert report.not_judged[Subject.NAGASHI, "nobody knows what nagashi of two players pays"] == 1


# --- the final result ------------------------------------------------------------------------------------------------

EAST, SOUTH = rules_of(1, 0), rules_of(9, 0)


def finished(
    points: tuple[int, ...], results: tuple[int, ...], date: str | None = None, rules: Rules = SOUTH, sticks: int = 0
) -> Match:
    """Return a match that ends with *points*, *sticks* not among them."""
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


def findings(told: Match) -> list[str]:
    """Return what is wrong with the end of *told*."""
    return list(map(str, check_score(told).findings))


@pytest.mark.parametrize(
    ("told", "other"),
    [
        pytest.param(finished(LAST_POINTS, WHOLE, "20220113"), TENTHS, id="in whole thousands up to January 2022"),
        pytest.param(finished(LAST_POINTS, TENTHS, "20220601"), WHOLE, id="in tenths from June"),
        pytest.param(
            finished((72500, 34500, -3500, -3500), (83000, 15000, -44000, -54000), "20110101"),
            (81000, 15000, -43000, -53000),
            id="half away from zero; of equal points the lower player first",
        ),
        pytest.param(
            finished(LAST_POINTS, EAST_OF_2009, "20090731", EAST), WHOLE, id="uma of East-only games to July 2009"
        ),
        pytest.param(finished(LAST_POINTS, WHOLE, "20090802", EAST), EAST_OF_2009, id="uma of East-only games after"),
        pytest.param(finished(LAST_POINTS, WHOLE, "20090731"), EAST_OF_2009, id="uma of other games at any time"),
        pytest.param(
            finished((30500, 25500, 24500, 17500), (41000, 6000, -15000, -32000), "20110101", sticks=2),
            (39000, 6000, -15000, -30000),
            id="sticks that are left",
        ),
        pytest.param(
            finished((35500, 35000, 34500), (30000, -5000, -25000), "20110101", THREE),
            (20000, 0, -20000),
            id="three players",
        ),
    ],
)
def test_result(told: Match, other: tuple[int, ...]) -> None:
    """The result follows from the points by the rule of its day."""
    assert check_score(told).agreed == {Subject.RESULT: 1}
    right, wrong = (",".join(map(str, values)) for values in (told.results or (), other))
    assert findings(replace(told, results=other)) == [f"the results are {right}, not {wrong}"]


def test_result_on_an_unknown_day() -> None:
    """Where the day does not tell between two rules, a result may be by either."""
    for date in (None, "20220301"):
        for results in (WHOLE, TENTHS):
            assert findings(finished(LAST_POINTS, results, date)) == []
    assert findings(finished(LAST_POINTS, EAST_OF_2009, "20090801", EAST)) == []
    assert findings(finished(LAST_POINTS, (0, 0, 0, 0))) == [
        "the results are 41000,6000,-15000,-32000 or 42500,5500,-15500,-32500, not 0,0,0,0"
    ]


def test_final_points() -> None:
    """The points at the end are those of the last frame, with the sticks that are left."""
    told = replace(finished(LAST_POINTS, WHOLE, "20110101"), final_points=(33500, 25500, 24500, 16500))
    assert findings(told) == ["the points at the end are 32500,25500,24500,17500, not 33500,25500,24500,16500"]


# --- what is not judged ----------------------------------------------------------------------------------------------

PLAIN = Story("0 5p tg ron1", "", PINFU).frame(Told("30 fu 2000: Pinfu 1, Tanyao 1", (-2000, 2000, 0, 0)))
WRONG = retold(PLAIN, Told("30 fu 3900: Pinfu 1, Tanyao 1", (-3900, 3900, 0, 0)))


@pytest.mark.parametrize(
    ("rules", "reason"),
    [
        (Rules(), "the rules are not recorded"),
        (rules_of(9, None), "the lobby is not recorded, and a private one may have rules of its own"),
        (rules_of(9, 1234), "a private lobby may have rules of its own"),
        (rules_of(9 | 0x200, 0), "the table has rules of its own"),
        (rules_of(9, 0, (("csrule", "0FE0BF0B"),)), "the table has rules of its own"),
    ],
)
def test_own_rules(rules: Rules, reason: str) -> None:
    """Where other rules may hold, nothing is right and nothing is wrong."""
    last = drawn((0, 0, 0, 0), acts="fill=70")
    told = replace(match(PLAIN, WRONG, last, rules=rules), results=(0, 0, 0, 0), final_points=(0, 0, 0, 0))
    counts = {Subject.WIN: 2, Subject.WIN_PAYMENTS: 2, Subject.DRAW: 1, Subject.RESULT: 1}
    expected = Counter({(subject, reason): count for subject, count in counts.items()})
    assert check_score(told) == ScoreReport(not_judged=expected)


def changed(**values: object) -> Frame:
    """Return the plain frame with *values* in its win."""
    (win,) = PLAIN.endings
    return replace(PLAIN, events=(*PLAIN.events[:-1], replace(win, **values)))  # type: ignore[arg-type]


BY_FACES = tuple(replace(hand, tiles=tuple(any_copy(FACES[tile]) for tile in hand.tiles)) for hand in PLAIN.end.hands)


@pytest.mark.parametrize(
    ("frame", "wins", "paid"),
    [
        (changed(score=None), "no value is recorded", None),
        (changed(changes=None), None, "no payments are recorded"),
        (
            replace(PLAIN, start=replace(PLAIN.start, sticks=None)),
            None,
            "the riichi sticks on the table are not known",
        ),
        (
            replace(PLAIN, start=replace(PLAIN.start, indicator=None)),
            "the dora indicator is not recorded",
            "the dora indicator is not recorded",
        ),
        (replace(PLAIN, end=End((), None)), "the play is not recorded", "the play is not recorded"),
        (
            replace(PLAIN, end=End(tuple(replace(hand, drawn=None) for hand in PLAIN.end.hands), None)),
            "the winning tile is not recorded",
            "the winning tile is not recorded",
        ),
        (
            replace(PLAIN, end=End(BY_FACES, None)),
            "of some tiles only the faces are known",
            "of some tiles only the faces are known",
        ),
    ],
)
def test_not_recorded(frame: Frame, wins: str | None, paid: str | None) -> None:
    """What the record leaves out is not judged."""
    report = check_score(match(frame))
    reasons = {subject: reason for (subject, reason) in report.not_judged if subject is not Subject.RESULT}
    expected = {Subject.WIN: wins, Subject.WIN_PAYMENTS: paid}
    assert reasons == {subject: reason for subject, reason in expected.items() if reason}
    assert report.findings == []


@pytest.mark.parametrize(
    ("draw", "reason"),
    [
        (Ryuukyoku(None, changes=(0, 0, 0, 0)), "the kind of the draw is not recorded"),
        (Ryuukyoku(DrawKind.EXHAUSTIVE), "no payments are recorded"),
    ],
)
def test_draw_not_recorded(draw: Ryuukyoku, reason: str) -> None:
    """A draw of which the record leaves something out is not judged."""
    report = check_score(match(replace(PLAIN, events=(*PLAIN.events[:-1], draw))))
    assert report.not_judged[Subject.DRAW, reason] == 1


@pytest.mark.parametrize(
    ("told", "reason"),
    [
        (replace(finished(LAST_POINTS, WHOLE), results=None, final_points=None), "no final result is recorded"),
        (finished((10, 10, 10, 10), (0, 0, 0, 0)), "the match has other points than a ranked one"),
        (
            replace(finished(LAST_POINTS, WHOLE), frames=(replace(PLAIN, end=End((), None)),)),
            "the points at the end of the last frame are not known",
        ),
    ],
)
def test_result_not_judged(told: Match, reason: str) -> None:
    """A result that is not there, or of other points than Tenhou's, is not judged."""
    assert check_score(told).not_judged[Subject.RESULT, reason] == 1


# --- the package, files ----------------------------------------------------------------------------------------------


def test_missing_package(monkeypatch: pytest.MonkeyPatch) -> None:
    """Without the package mahjong, it is said how to install it."""
    for name in [name for name in sys.modules if name.split(".")[0] == "mahjong"]:
        monkeypatch.delitem(sys.modules, name)
    monkeypatch.setitem(sys.modules, "mahjong", None)
    with pytest.raises(ConvertError) as missing:
        check_score(match(PLAIN))
    assert str(missing.value) == "scoring needs the package mahjong: pip install '.[score]' in the checkout"


def test_reports_add_up() -> None:
    """The counts of several matches can be added."""
    first, second = check_score(match(PLAIN)), check_score(match(PLAIN, WRONG))
    assert (first.agreed + second.agreed)[Subject.WIN] == 2
    assert second.wrong == {Subject.WIN: 1, Subject.WIN_PAYMENTS: 1}
    assert [(finding.frame, finding.what, finding.found, finding.computed) for finding in second.findings] == [
        ("E1-0", What.POINTS, "3900", "2000"),
        ("E1-0", What.PAYMENTS, "-3900,3900,0,0", "-2000,2000,0,0"),
    ]


def test_fixture(valid_input: Path) -> None:
    """The games of the fixtures, which are told with their score, agree."""
    assert findings(read_mjlog(valid_input)) == []


def test_by_faces(expectation: Path) -> None:
    """A match read from jmjp holds no values: nothing of it is found wrong."""
    for told in read_jmjp(expectation):
        assert findings(told) == []


def manifest() -> list[Path]:
    """Return the real logs that can be read."""
    broken = {"2010022802gm-00a9-0000-7e62f873.xml", "56fc3af7f286.xml"}
    return sorted(path for path in LOGS.glob("*.xml") if path.name not in broken)


@pytest.mark.skipif(not LOGS.is_dir(), reason="there are no real logs in ../shared/mjlog")
@pytest.mark.parametrize("path", manifest(), ids=lambda path: path.name)
def test_real_log(path: Path) -> None:
    """Of a ranked game every win, draw and result agrees; of others nothing is said."""
    told = read_mjlog(path)
    report = check_score(told)
    assert report.findings == []
    ranked = told.rules.lobby == 0 and (told.rules.code or 0) < 0x100
    expected = {
        (Subject.RESULT, "no final result is recorded"),
        (Subject.DRAW, "whether three could win is not looked at"),
    }
    assert set(report.not_judged) <= expected or not ranked
    assert report.agreed[Subject.WIN] == ranked * sum(isinstance(e, Win) for f in told.frames for e in f.events)


@pytest.mark.skipif(not LOGS.is_dir(), reason="there are no real logs in ../shared/mjlog")
@pytest.mark.parametrize("path", manifest()[::20], ids=lambda path: path.name)
def test_mutated_log(path: Path) -> None:
    """Of a real ranked log, any one number of a win or draw that is changed is found, and nothing else."""
    told = read_mjlog(path)
    if check_score(told).agreed[Subject.RESULT] == 0:
        pytest.skip("it is not judged")
    for index, frame in enumerate(told.frames):
        for place, event in enumerate(frame.events):
            for what, mutant in mutants(event):
                events = (*frame.events[:place], mutant, *frame.events[place + 1 :])
                frames = (*told.frames[:index], replace(frame, events=events), *told.frames[index + 1 :])
                found = check_score(replace(told, frames=frames)).findings
                assert [(finding.frame, finding.what) for finding in found] == [
                    (frame.start.name, kind) for kind in what
                ]


def mutants(event: Event) -> list[tuple[list[What], Event]]:
    """Return *event*, a win or draw, with one number changed each, and what is to be found."""
    if isinstance(event, Ryuukyoku) and event.changes is not None:
        paid = (event.changes[0] + 1000, event.changes[1] - 1000, *event.changes[2:])
        return [([What.DRAW_PAYMENTS], replace(event, changes=paid))]
    if not isinstance(event, Win) or event.score is None or event.changes is None:
        return []
    value = event.score
    paid = (event.changes[0] + 100, event.changes[1] - 100, *event.changes[2:])
    limit = Limit.HANEMAN if value.limit is not Limit.HANEMAN else Limit.NONE
    found: list[tuple[list[What], Event]] = [
        ([What.VALUE], replace(event, score=replace(value, fu=value.fu + 10))),
        ([What.POINTS], replace(event, score=replace(value, points=value.points + 100))),
        ([What.LIMIT], replace(event, score=replace(value, limit=limit))),
        ([What.PAYMENTS], replace(event, changes=paid)),
        ([What.PAO], replace(event, pao=(max(event.player, event.source or 0) + 1) % len(paid))),
    ]
    number, han = value.yaku[0]
    if han is not None:
        more = (Yaku(number, han + 1), *value.yaku[1:])
        found.append(([What.VALUE, What.YAKU], replace(event, score=replace(value, yaku=more))))
    return found
