"""jansou, a program by others, reads our mjai and tenhou6 as it reads the mjlog, and scores their wins as Tenhou did.

Where it does not, the reason is named, and the same frames are expected to differ, no more and no fewer.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import fields, is_dataclass, replace
from functools import cache
from typing import Any, NamedTuple
from xml.etree.ElementTree import ParseError

import pytest
from clients import REAL, Game, each_source, elides_replacement, games_of

from jmjp_convert.formats.mjai.writer import write_mjai
from jmjp_convert.formats.tenhou6.writer import write_tenhou6
from jmjp_convert.model import (
    Ankan,
    DoraRevealed,
    Draw,
    DrawKind,
    Frame,
    Match,
    RiichiAccepted,
    RiichiDeclared,
    Ryuukyoku,
    Win,
    tenhou,
)
from jmjp_convert.model.tiles import NO_REDS
from jmjp_convert.play.position import MOST_DRAWS

pytest.importorskip("jansou", reason="jansou is not installed")

from jansou.core.hand import CallSource, MeldType
from jansou.core.rules import Rules
from jansou.core.tiles import Tile
from jansou.io import paifu
from jansou.io.mjai import parse_mjai
from jansou.io.mjlog import parse_mjlog
from jansou.io.tenhou_json import parse_tenhou_json
from jansou.scoring.score import ScoreResult, ScoringError, score

SEATS = 4
NOTHING = (0,) * SEATS
STICK = 1000

NAMES = (
    "MENZEN_TSUMO RIICHI IPPATSU CHANKAN RINSHAN HAITEI HOUTEI PINFU TANYAO IIPEIKOU "
    "YAKUHAI_SEAT YAKUHAI_SEAT YAKUHAI_SEAT YAKUHAI_SEAT YAKUHAI_ROUND YAKUHAI_ROUND YAKUHAI_ROUND YAKUHAI_ROUND "
    "YAKUHAI_HAKU YAKUHAI_HATSU YAKUHAI_CHUN DOUBLE_RIICHI CHIITOITSU CHANTA ITTSU SANSHOKU_DOUJUN SANSHOKU_DOUKOU "
    "SANKANTSU TOITOI SANANKOU SHOUSANGEN HONROUTOU RYANPEIKOU JUNCHAN HONITSU CHINITSU RENHOU TENHOU CHIIHOU "
    "DAISANGEN SUUANKOU SUUANKOU TSUUIISOU RYUUIISOU CHINROUTOU CHUUREN CHUUREN KOKUSHI KOKUSHI DAISUUSHI SHOUSUUSHI "
    "SUUKANTSU"
)
NUMBERED = tuple(NAMES.split(" "))
"""jansou's names of the yaku by Tenhou's numbers; it has one name for a yaku and its better form."""

DORA, URA, AKA = 52, 53, 54


_READ: dict[tuple[str, str, bytes], paifu.Paifu] = {}
"""What has been read, by format and game: several tests look at it, and jansou takes its time."""


class Form(NamedTuple):
    """A format: our writer of it, and jansou's reader."""

    name: str
    write: Callable[[Match], str]
    parse: Callable[[str], paifu.Paifu]

    def read(self, game: Game) -> paifu.Paifu:
        """Return what jansou reads from *game*, written by us."""
        key = self.name, game.name, game.log
        if key not in _READ:
            _READ[key] = self.parse(self.write(game.match))
        return _READ[key]


MJAI = Form("mjai", write_mjai, parse_mjai)
TENHOU6 = Form("tenhou6", write_tenhou6, parse_tenhou_json)

each_form = pytest.mark.parametrize("form", [MJAI, TENHOU6], ids=lambda form: form.name)

PARLOUR = ("d151625eabbd", "E1-0")
"""A win at a table with a parlour's rules, where 4 han 30 fu are a mangan; jansou assumes Tenhou's own."""

UNREADABLE = {"2010051013gm-00a9-0000-607b52e9", "no-dice", "no-go", "owari-doubled"}
"""Games whose mjlog jansou cannot read: one attribute is there twice, or `GO` or the dice are missing."""

NAGASHI = {
    ("1e008917fe8b", "S4-0"),
    ("2009072620gm-0061-0000-c688b398", "E3-0"),
    ("2010071417gm-0061-0000-1db459a3", "E3-1"),
    ("2014031704gm-00a9-0000-06626b10", "E2-0"),
}
FOUR_KANS = {("169d90c768c2", "S1-0")}
ELIDED = {("2009042700gm-00c1-0000-c19425df", "E3-0"), ("2016110813gm-0089-0000-d12d301b", "E4-0")}
RONNED_RIICHI = {
    ("169d90c768c2", "S1-1"),
    ("2009031010gm-00ab-0000-cbdeff09", "E3-1"),
    ("2009041002gm-0009-0000-8c6e8720", "E2-1"),
    ("2009051300gm-00c1-0000-b505730f", "E2-1"),
}
"""The frames of the real logs that jansou misreads, for the reasons given below."""


FrameKey = tuple[str, str]
"""A game and a frame."""


# --- what jansou cannot read -----------------------------------------------------------------------------------------


def robs_ankan(frame: Frame) -> bool:
    """Return whether a closed kan is robbed; jansou expects a win on a kakan, a north or a discard."""
    played = [event for event in frame.events if not isinstance(event, Win | DoraRevealed)]
    return bool(played) and isinstance(played[-1], Ankan) and isinstance(frame.events[-1], Win)


def pays_for_ronned_riichi(frame: Frame) -> bool:
    """Return whether the tile of a riichi is ronned, and a dora was turned. As tenhou6 does not show when it was,
    jansou puts it last; the riichi tile is no longer the last, and the riichi is paid for."""
    declared = sum(isinstance(event, RiichiDeclared) for event in frame.events)
    accepted = sum(isinstance(event, RiichiAccepted) for event in frame.events)
    turned = any(isinstance(event, DoraRevealed) for event in frame.events)
    return turned and declared > accepted and isinstance(frame.events[-1], Win)


def is_drawn_as(frame: Frame, kind: DrawKind) -> bool:
    """Return whether *frame* is a draw of this *kind*."""
    return any(isinstance(ending, Ryuukyoku) and ending.kind is kind for ending in frame.endings)


def misread(frame: Frame, form: Form) -> set[str]:
    """Return what jansou is known to read otherwise in *frame* than in its mjlog."""
    wrong = {"wins"} if robs_ankan(frame) else set()
    if form is MJAI:
        # Nothing in the play shows nagashi mangan, or four kans with the last tile, and convlog's mjai does not say how
        # a frame was drawn.
        late = (
            is_drawn_as(frame, DrawKind.FOUR_KANS)
            and sum(isinstance(event, Draw) for event in frame.events) == MOST_DRAWS[SEATS]
        )
        return wrong | ({"draw"} if late or is_drawn_as(frame, DrawKind.NAGASHI) else set())
    if elides_replacement(frame):
        wrong |= {"play", "wins"}  # without the 0, it loses the draw
    if is_drawn_as(frame, DrawKind.FOUR_KANS):
        wrong |= {"draw"}  # it knows only 四開槓
    return wrong


# --- what jansou reads -----------------------------------------------------------------------------------------------


def plain(value: Any) -> Any:
    """Return *value* with no tile red: where there are no red fives, jansou's reader of mjlog has some nevertheless."""
    if isinstance(value, Tile):
        return Tile(value.kind)
    if isinstance(value, tuple | list):
        return tuple(map(plain, value))
    if is_dataclass(value) and not isinstance(value, type):
        return replace(value, **{field.name: plain(getattr(value, field.name)) for field in fields(value)})
    return value


def in_order(tiles: tuple[Tile, ...]) -> tuple[Tile, ...]:
    """Return *tiles*, sorted."""
    return tuple(sorted(tiles, key=repr))


def event_of(event: paifu.Event) -> paifu.Event:
    """Return *event*; mjai does not say from whom the pon of a kakan was taken."""
    if not isinstance(event, paifu.Call):
        return event
    meld = event.meld
    source = CallSource.KAMICHA if meld.type is MeldType.SHOUMINKAN else meld.source
    return replace(event, meld=replace(meld, tiles=in_order(meld.tiles), source=source))


def seen(read: paifu.RoundLog, mjlog: paifu.RoundLog, form: Form) -> dict[str, object]:
    """Return what is compared of a round that was *read*, either from *form* or from *mjlog*.

    The dora are last, since tenhou6 does not show when they were turned. It has one list of ura dora, so it gives them
    also to winners without riichi. mjai does not say who is liable.
    """
    events = sorted(map(event_of, read.events), key=lambda event: isinstance(event, paifu.DoraReveal))
    start = replace(read, hands=tuple(map(in_order, read.hands)), events=tuple(events), outcome=paifu.Ryuukyoku())
    if isinstance(read.outcome, paifu.Ryuukyoku):
        drawn = (paifu.canonical_kind(read.outcome.kind), read.outcome.deltas or NOTHING)
        return {"play": start, "draw": drawn}
    assert isinstance(mjlog.outcome, tuple)
    wins = []
    for win, logged in zip(read.outcome, mjlog.outcome, strict=True):
        ura = win.ura_indicators if logged.ura_indicators else ()
        liable = None if form is MJAI else win.liable_seat
        wins.append((win.winner, win.from_seat, win.winning_tile, ura, liable, win.deltas))
    return {"play": start, "wins": wins}


def logged(game: Game) -> paifu.Paifu | None:
    """Return what jansou reads from the mjlog of *game*, without unfinished rounds; ``None`` if it cannot read it."""
    log = _logged(game.log, red_fives=game.match.rules.red_fives != NO_REDS)
    assert (log is None) == (game.name in UNREADABLE)
    return log


@cache
def _logged(log: bytes, *, red_fives: bool) -> paifu.Paifu | None:
    try:
        parsed = parse_mjlog(log)
    except (ParseError, ValueError):
        return None
    return parsed if red_fives else plain(parsed)


def four_player(source: str) -> Iterator[Game]:
    """Yield the four-player games of *source*."""
    return (game for game in games_of(source) if game.match.rules.players == SEATS)


def readable(source: str, form: Form) -> Iterable[Game]:
    """Yield the games of *source* that jansou reads from *form*: in tenhou6, it knows no north."""
    return games_of(source) if form is MJAI else four_player(source)


def expect_named(source: str, wrong: set[FrameKey], named: set[FrameKey]) -> None:
    """Expect that the frames *wrong* in real logs are those that are *named*, as far as their logs are read."""
    if source == REAL:
        names = {game.name for game in games_of(source)}
        assert wrong == {key for key in named if key[0] in names}


@each_form
@each_source
def test_same_game(source: str, form: Form) -> None:
    """The rounds that jansou reads from our file are those of the mjlog, except where it is known to err."""
    wrong: set[tuple[FrameKey, str]] = set()
    known: set[tuple[FrameKey, str]] = set()
    for game in four_player(source):
        from_mjlog = logged(game)
        if from_mjlog is None:
            continue
        ours = zip(game.match.frames, form.read(game).rounds, strict=True)
        finished = [(frame, read) for frame, read in ours if frame.endings]
        for (frame, read), mjlog in zip(finished, from_mjlog.rounds, strict=True):
            key = game.name, frame.start.name
            wanted, got = seen(mjlog, mjlog, form), seen(read, mjlog, form)
            assert got.keys() == wanted.keys()
            wrong |= {(key, what) for what in got if got[what] != wanted[what]}
            known |= {(key, what) for what in misread(frame, form)}
    assert wrong == known
    expect_named(source, {key for key, _ in wrong}, NAGASHI if form is MJAI else ELIDED | FOUR_KANS)


@each_form
@each_source
def test_points(source: str, form: Form) -> None:
    """Every round settles in jansou at the points and sticks that are recorded."""
    wrong: set[FrameKey] = set()
    known: set[FrameKey] = set()
    for game in readable(source, form):
        for frame, read in zip(game.match.frames, form.read(game).rounds, strict=True):
            if frame.end.points is None:
                continue
            sticks = (sum(read.scores) - sum(frame.end.points)) // STICK + read.riichi_sticks
            right = paifu.settled_scores(read) == frame.end.points and paifu.leftover_deposits(read) == sticks
            key = game.name, frame.start.name
            wrong |= set() if right else {key}
            known |= {key} if form is TENHOU6 and pays_for_ronned_riichi(frame) else set()
    assert wrong == known
    expect_named(source, wrong, set() if form is MJAI else RONNED_RIICHI)


# --- scores ----------------------------------------------------------------------------------------------------------


def recorded(win: Win) -> tuple[object, ...]:
    """Return the yaku, dora, fu and points of *win*, in jansou's words."""
    assert win.score is not None
    assert win.score.yaku is not None
    han = {yaku.number: yaku.han for yaku in win.score.yaku if yaku.number is not None}
    yaku = {NUMBERED[number]: each or 1 for number, each in han.items() if number < DORA}
    limited = any(yaku.han is None for yaku in win.score.yaku)
    dora = tuple(han.get(number, 0) for number in (DORA, URA, AKA))
    return yaku, None if limited else (dora, win.score.fu), win.score.points


def scored(result: ScoreResult) -> tuple[object, ...]:
    """Return the same of jansou's *result*."""
    yaku = {entry.yaku.name: entry.value for entry in result.yaku}
    dora = (result.dora.dora + result.dora.nuki, result.dora.ura, result.dora.aka)
    paid = result.payment
    return yaku, None if result.is_yakuman else (dora, result.fu.total), paid.total - paid.honba - paid.sticks


def agrees(record: paifu.AgariRecord, win: Win) -> bool:
    """Return whether jansou scores a win as Tenhou did."""
    try:
        return scored(score(record.hand, record.winning_tile, record.context)) == recorded(win)
    except ScoringError:
        return False


def house(rules: Rules, match: Match) -> Rules:
    """Return *rules*, which are Tenhou's usual ones, with those of *match*."""
    code = match.rules.code
    return replace(rules, kuitan=code is None or tenhou.has_open_tanyao(code))


@each_form
@each_source
def test_scores(source: str, form: Form) -> None:
    """Every win gets the recorded yaku, dora, fu and points from jansou's calculator."""
    wrong: set[FrameKey] = set()
    known: set[FrameKey] = set()
    for game in readable(source, form):
        read = form.read(game)
        for frame, round_ in zip(game.match.frames, read.rounds, strict=True):
            key = (game.name, frame.start.name)
            wins = [event for event in frame.endings if isinstance(event, Win)]
            records = paifu.replay_round(round_, house(read.rules, game.match), read.player_count)
            wrong |= {key for record, win in zip(records, wins, strict=True) if win.score and not agrees(record, win)}
            if robs_ankan(frame) or (form is TENHOU6 and elides_replacement(frame)) or key == PARLOUR:
                known.add(key)
    assert wrong == known
    expect_named(source, wrong, {PARLOUR} | (set() if form is MJAI else ELIDED))
