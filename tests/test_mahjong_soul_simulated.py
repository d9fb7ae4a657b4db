"""Games of the simulator, written as records of Mahjong Soul: every wrapping, and everything that no sample shows."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable
from typing import Any

import effort
import pytest
from playing import COVERING, LINES, NORMAL, SANMA, WILD, games, match
from rare_play import EVERYTHING, WON_BY_THREE, occurred
from recorded import Recorded, recorded
from recorded_plays import plays
from simulator.game import Game
from simulator.mahjong_soul_files import VERSION, answer, details, json_of, wrapper, wrappings
from simulator.mahjong_soul_records import Transcript

from jmjp_convert.checks.match import check_match
from jmjp_convert.checks.score import Subject, check_score
from jmjp_convert.convert import Writing, written
from jmjp_convert.formats import detect, writable
from jmjp_convert.formats.reading import read
from jmjp_convert.model import Match, Win
from jmjp_convert.model.record import replace


def without_first_tsumogiri(frame: Recorded) -> Recorded:
    """Return *frame* without whether the dealer first discards the last tile dealt: of one with the same face, that is
    not recorded."""
    first, then, *others = frame.entries
    if then[0] != "discard" or then[2] != first[2]:
        return frame
    return frame._replace(entries=(first, (*then[:3], None), *others))


def without_order_of_deal(frame: Recorded) -> Recorded:
    """Return *frame* without which of the dealer's fourteen tiles was dealt last, which older records lack."""
    (*_, last), then, *others = frame.entries
    hands, dealer = [*frame.hands], frame.start[0] % 4
    hands[dealer] = tuple(sorted([*hands[dealer], str(last)]))
    turned = tuple(count - 1 for count in frame.turned)
    then = (*then[:3], None) if then[0] == "discard" else then
    return frame._replace(hands=tuple(hands), entries=(then, *others), turned=turned)


def expect_same_play(record: bytes, game: Game, lacking: Callable[[Recorded], Recorded]) -> Match:
    """Check that a record of *game* has the same play, result and verdict as its mjlog, and return its match."""
    log = match(game.id, game.log)
    (found,) = read(record)
    as_log = replace(found, rules=log.rules, date=log.date)
    assert list(map(lacking, plays(as_log))) == list(map(lacking, recorded(game.log.encode())))
    assert list(check_match(found)) == []
    assert (found.final_points, found.results) == (log.final_points, log.results) or not found.id
    return found


@pytest.mark.parametrize("line", LINES)
def test_play(line: str) -> None:
    """A game reads as the same play from its record as from its mjlog; those compared have every meld and order of
    kans, and end in every way."""
    counts: Counter[object] = Counter()
    for game in games(line):
        log = match(game.id, game.log)
        found = expect_same_play(wrapper("", answer(Transcript(game.log, game.id))), game, without_first_tsumogiri)
        score = check_score(replace(found, rules=log.rules, date=log.date))
        assert (score.findings, score.agreed) == ([], check_score(log).agreed)
        assert found.rules.red_fives in (log.rules.red_fives, None)
        assert [frame.wall is not None and frame.wall.dealt for frame in found.frames] == [True] * len(found.frames)
        counts += occurred([found])
    assert [what for what in EVERYTHING if line == COVERING and not counts[what]] == []


@pytest.mark.parametrize("line", LINES)
def test_play_of_older_records(line: str) -> None:
    """Records of the older version have the same play, without what that version lacks."""
    for game in effort.shared_out(games(line), 0):  # their entries are those of the newer version, put into others
        older = Transcript(game.log, game.id, whole=False)
        expect_same_play(details(older, version=0), game, without_order_of_deal)


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
