"""Games of the simulator, written as records of Mahjong Soul: every wrapping, and everything that no sample shows."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator
from typing import Any

import effort
import pytest
from playing import COVERING, LINES, NORMAL, SANMA, WILD, games, match
from rare_play import EVERYTHING, WON_BY_THREE, occurred
from simulator.game import Game
from simulator.mahjong_soul_files import VERSION, answer, details, json_of, wrapper, wrappings
from simulator.mahjong_soul_records import Transcript

from jmjp_convert.checks.match import check_match
from jmjp_convert.checks.score import Subject, check_score
from jmjp_convert.convert import Writing, written
from jmjp_convert.formats import detect, writable
from jmjp_convert.formats.reading import read
from jmjp_convert.model import (
    Ankan,
    Discard,
    Disconnected,
    DoraRevealed,
    Draw,
    Event,
    Frame,
    Match,
    Meld,
    Returned,
    RiichiAccepted,
    RiichiDeclared,
    Ryuukyoku,
    Win,
)
from jmjp_convert.model.tiles import faces
from jmjp_convert.play.melds import parts, source

Faces = tuple[str, ...]


def events(frame: Frame, names: Faces, *, whole: bool) -> Iterator[Any]:  # noqa: C901 - a branch for each kind
    """Yield the events of *frame* with tiles by face, as far as both formats record them; a fourteenth tile is drawn.

    :param whole: whether it is recorded which tile of the dealer was dealt last.
    """
    start = frame.start
    drawn: int | None = start.fourteenth
    if drawn is not None:
        yield "draw", start.dealer, names[drawn]
    acts = 0
    for event in _dora_before_riichi(frame.events):
        if isinstance(event, Draw):
            drawn = event.tile
            yield "draw", event.player, names[event.tile]
        elif isinstance(event, Discard):
            # Whether the dealer's first discard is the last tile dealt is not recorded.
            maybe = acts == 0 and drawn is not None and (not whole or names[drawn] == names[event.tile])
            tsumogiri = None if maybe else event.tsumogiri
            yield "discard", event.player, names[event.tile], tsumogiri
            acts, drawn = acts + 1, None
        elif isinstance(event, Meld):
            named, rest = parts(event)
            tiles = sorted(names[tile] for tile in rest), [names[tile] for tile in named]
            yield type(event), event.player, *tiles, None if isinstance(event, Ankan) else source(event)
            acts, drawn = acts + 1, None
        elif isinstance(event, Win):
            yield _win(event, names)
        elif isinstance(event, Ryuukyoku):
            hands = [
                hand and sorted(names[tile] for tile in hand) for hand in event.shown or (None,) * len(start.hands)
            ]
            yield event.kind, hands, event.changes
        elif isinstance(event, DoraRevealed):
            yield "dora", names[event.indicator]
        elif isinstance(event, RiichiAccepted):
            yield "stick", event.player
        elif isinstance(event, RiichiDeclared | Disconnected | Returned):
            yield type(event), event.player


def _dora_before_riichi(events: tuple[Event, ...]) -> list[Event]:
    """Return *events* with a dora that is turned between a riichi and its tile before both."""
    ordered = [*events]
    for index in range(1, len(ordered)):
        if isinstance(ordered[index], DoraRevealed) and isinstance(ordered[index - 1], RiichiDeclared):
            ordered[index - 1 : index + 1] = ordered[index], ordered[index - 1]
    return ordered


def _without_presence(acts: list[Any]) -> tuple[list[Any], list[Any]]:
    """Return *acts* without disconnections and returns, and these."""
    presence = [act for act in acts if act[0] in (Disconnected, Returned)]
    return [act for act in acts if act not in presence], presence


def _win(win: Win, names: Faces) -> Any:
    score = win.score
    assert score is not None
    yaku = sorted((yaku.number, yaku.han) for yaku in score.yaku if yaku.han != 0)
    hand = sorted(names[tile] for tile in win.hand or ())
    ura, indicators = [names[tile] for tile in win.ura], [names[tile] for tile in win.indicators or ()]
    value = score.fu or None, score.points, score.limit, yaku
    return win.player, win.source, names[win.tile], value, win.pao, ura, win.changes, hand, indicators


def expect_same_play(soul: Match, log: Match, *, whole: bool = True) -> None:
    """Check that two records of a game have the same play; the older ones that are not *whole* lack some of it."""
    names = faces(red_fives=log.rules.red_fives)
    assert len(soul.frames) == len(log.frames)
    for frame, other in zip(soul.frames, log.frames, strict=True):
        for field in ("round", "honba", "sticks", "dealer", "points"):
            assert getattr(frame.start, field) == getattr(other.start, field), frame.start.name
        dealt = [[[names[tile] for tile in hand] for hand in each.start.hands] for each in (frame, other)]
        assert dealt[0] == dealt[1] or not whole
        read_, expected = (list(events(each, names, whole=whole)) for each in (frame, other))
        # A riichi and its tile are one record, and the stick is part of the next: nobody goes or comes in between.
        (read_, away), (expected, gone) = _without_presence(read_), _without_presence(expected)
        if not whole:  # which of the dealer's tiles came last is not recorded, nor who was away
            read_, expected, gone = read_[1:], expected[1:], []
        assert away == gone
        assert read_ == expected, frame.start.name
        assert frame.end.points == other.end.points


@pytest.mark.parametrize("line", LINES)
def test_play(line: str) -> None:
    """A game reads as the same play from its record as from its mjlog; those compared have every meld and order of
    kans, and end in every way."""
    counts: Counter[object] = Counter()
    for game in games(line):
        log = match(game.id, game.log)
        recorded = read(wrapper("", answer(Transcript(game.log, game.id))))[0]
        expect_same_play(recorded, log)
        assert (recorded.final_points, recorded.results) == (log.final_points, log.results)
        assert recorded.rules.red_fives in (log.rules.red_fives, None)
        assert [frame.wall is not None and frame.wall.dealt for frame in recorded.frames] == [True] * len(
            recorded.frames
        )
        counts += occurred([recorded])
    assert [what for what in EVERYTHING if line == COVERING and not counts[what]] == []


@pytest.mark.parametrize("line", LINES)
def test_play_of_older_records(line: str) -> None:
    """Records of the older version have the same play, without what that version lacks."""
    for game in effort.shared_out(games(line), 0):  # their entries are those of the newer version, put into others
        older = Transcript(game.log, game.id, whole=False)
        expect_same_play(read(details(older, version=0))[0], match(game.id, game.log), whole=False)


def test_three_wins() -> None:
    """Three players win on one tile, which every win and payment agrees with, and every format takes."""
    (game,) = games(WON_BY_THREE)
    (match,) = read(answer(Transcript(game.log, game.id)))
    (frame,) = (frame for frame in match.frames if len(frame.endings) > 2)
    wins = [ending for ending in frame.endings if isinstance(ending, Win)]
    (source,) = {win.source for win in wins}
    assert source is not None
    assert [(win.player - source) % 4 for win in wins] == [1, 2, 3]
    assert list(check_match(match)) == []
    report = check_score(match)
    assert report.findings == []
    assert (
        report.agreed[Subject.WIN]
        == report.agreed[Subject.WIN_PAYMENTS]
        == sum(isinstance(ending, Win) for frame in match.frames for ending in frame.endings)
    )
    for to in writable():
        if to.holding is not None and match.rules.players in to.players:
            assert written([match], Writing(to.name), lambda _: None).content


def split(values: dict[str, Any], dealer: int, *, included: bool) -> bool:
    """Let the others pay the part of the missing fourth player, if the record *values* is a tsumo.

    :param included: whether its points include that part.
    """
    (hule, *others) = values["hules"]
    if others or not hule["zimo"] or hule["baopai"] or hule["yiman"]:
        return False
    half = -(-hule["point_zimo_xian"] // 200) * 100
    for player in range(3):
        values["delta_scores"][player] += 2 * half if player == hule["seat"] else -half
    values["scores"] = [*map(sum, zip(values["old_scores"], values["delta_scores"], strict=True))]
    if included:
        hule["point_zimo_xian"] += half
        hule["point_zimo_qin"] += half if hule["seat"] != dealer else 0
    return True


def test_no_tsumo_loss() -> None:
    """Without the loss three players pay the part of the fourth, whether the points of a win include it or not."""
    seen = set()
    for game in games(SANMA):
        for first in range(12):
            transcripts = [Transcript(game.log, game.id) for _ in range(2)]
            for transcript, included in zip(transcripts, (True, False), strict=True):
                transcript.keep(first, 1)
                transcript.head["config"]["mode"]["detail_rule"] |= {"fanfu": 1, "have_zimosun": False}
                records = dict(transcript.records)
                dealer = records["RecordNewRound"]["ju"]
                if "RecordHule" not in records or not split(records["RecordHule"], dealer, included=included):
                    break
            else:
                found = [read(json.dumps(json_of(transcript)).encode())[0] for transcript in transcripts]
                assert found[0] == found[1]
                assert list(check_match(found[0])) == []
                report = check_score(found[0])
                assert (report.findings, report.agreed[Subject.WIN_PAYMENTS]) == ([], 1)
                seen.add(found[0].frames[0].endings[0].player == dealer)  # type: ignore[union-attr]
    assert seen == {False, True}


@pytest.fixture(name="game", params=[NORMAL, WILD, SANMA])
def _game(request: pytest.FixtureRequest) -> Game:
    return min(games(request.param), key=lambda game: len(game.log))


@pytest.mark.parametrize("version", [0, VERSION])
def test_wrappings(game: Game, version: int) -> None:
    """A game is the same in every wrapping, except that details have no head."""
    files = wrappings(Transcript(game.log, game.id, whole=version > 0), version=version)
    formats = {name: detect(content) for name, content in files.items()}
    assert {name for name, found in formats.items() if found is None or found.name != "mahjong-soul"} == set()
    matches = {name: read(content)[0] for name, content in files.items()}
    first = matches["frame"]
    assert {name for name, found in matches.items() if found != first} == {
        name for name in files if name.startswith("details")
    }
    assert {name for name, found in matches.items() if found.frames != first.frames} == set()
