"""Real logs through the JSON of tenhou.net/6 and back, and Tenhou's own JSON of the same games."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from expected import expecting
from test_real_logs import LOGS, MANIFEST, SOUND, match

from jmjp_convert.formats.losses.play import by_face
from jmjp_convert.formats.tenhou6.reader import read_tenhou6
from jmjp_convert.formats.tenhou6.writer import write_tenhou6
from jmjp_convert.model import (
    Discard,
    Draw,
    DrawKind,
    Frame,
    Match,
    Meld,
    RiichiAccepted,
    RiichiDeclared,
    Ryuukyoku,
    Win,
    handle,
)
from jmjp_convert.play.course import Course

held = expecting("tenhou6")

SHARED = LOGS.parent
PAIRS = sorted((SHARED / "tenhou6").glob("*.json"))
OTHERS = sorted((SHARED / "tenhou6-in").glob("*/*.json"))
BY_FRAME = {"per_frame": True}

pytestmark = pytest.mark.skipif(not MANIFEST.is_file(), reason="there are no real logs in ../shared/mjlog")


def read(content: bytes) -> Match:
    """Return the one match in *content*, in which nothing is guessed or ignored."""
    remarks: list[str] = []
    (found,) = read_tenhou6(content, notice=remarks.append)
    assert remarks == []
    return found


@pytest.mark.parametrize("options", [{}, BY_FRAME, {"url": True}], ids=["whole", "frames", "links"])
@pytest.mark.parametrize("path", SOUND, ids=lambda path: path.name)
def test_reads_back(path: Path, options: dict[str, bool]) -> None:
    """A game reads back as what the format holds of it, and is written again as the same text."""
    text = write_tenhou6(match(path), **options)
    found = read(text.encode())
    assert found == held(match(path), **options)
    assert write_tenhou6(found, **options) == text


def plays(game: Match) -> list[list[object]]:
    """Return the plays of a game by face, as far as the JSON has them."""
    return [[*played(frame, game)] for frame in game.frames]


def played(frame: Frame, game: Match) -> Iterator[object]:
    """Yield the draws, discards, melds, riichi and endings of *frame*."""
    faces = by_face(red_fives=game.rules.red_fives)
    course = Course(frame.start)
    for event in course.along(frame.events):
        if isinstance(event, Draw):
            yield "draws", event.player, faces.any[event.tile]
        elif isinstance(event, Discard):
            yield "discards", event.player, faces.any[event.tile], bool(event.tsumogiri)
        elif isinstance(event, Meld):
            yield faces.meld(event)
        elif isinstance(event, RiichiDeclared):
            yield event
        elif isinstance(event, RiichiAccepted):
            yield "pays", event.player
        elif isinstance(event, Win):
            ura = [faces.any[tile] for tile in event.ura]
            yield "wins", event.player, event.source, faces.any[event.tile], event.pao, event.changes, ura
        elif isinstance(event, Ryuukyoku):
            shown = event.kind is not DrawKind.NAGASHI and event.shown
            hands = [None if hand is None else faces.hand(hand) for hand in shown or ()]
            yield "draw", event.kind, event.changes, hands


def ended(events: list[object]) -> list[object]:
    """Return *events* without a riichi in which an unfinished frame breaks off."""
    return events[:-1] if events and isinstance(events[-1], RiichiDeclared) else events


@pytest.mark.parametrize("path", SOUND, ids=lambda path: path.name)
def test_same_play(path: Path) -> None:
    """Every play of a log is the same after a detour through the JSON: turns, calls, payments, hands shown."""
    found = read(write_tenhou6(match(path)).encode())
    assert plays(found) == [*map(ended, plays(match(path)))]


@pytest.mark.parametrize("path", PAIRS, ids=lambda path: path.stem)
def test_tenhou(path: Path) -> None:
    """Tenhou's own JSON has the plays of the log of the same game, event by event."""
    found = read(path.read_bytes())
    assert plays(found) == plays(match(LOGS / f"{path.stem}.xml"))


@pytest.mark.parametrize("path", PAIRS, ids=lambda path: path.stem)
def test_tenhou_again(path: Path) -> None:
    """Tenhou's own JSON is written again with the same values in the same order, whole or by frame."""
    text = path.read_text(encoding="utf-8")
    by_frame = '"title"' in text
    ours = write_tenhou6(read(text.encode()), per_frame=by_frame)
    if by_frame:
        assert ours == f"{text.rstrip()}\n"
    else:
        assert [*json.loads(ours).items()] == [*json.loads(text).items()]


UNPAID = "payments ignored"
REMARKS = {
    "tensoul_usual": ['unknown key "playerMapping" ignored'],
    "confusing_nakis_1": [f"frame E2-2: the payments add up to 0; 1000 expected; {UNPAID}"],
    "confusing_nakis_2": [
        "the rules have red fives, but all four fives of a kind in play are plain",
        "frame E1-0: ura dora indicators ignored: nobody in riichi wins",
        f"frame E1-0: the payments add up to 0; 1000 expected; {UNPAID}",
    ],
}


@pytest.mark.parametrize("path", OTHERS, ids=lambda path: f"{path.parent.name}-{path.stem}")
def test_other_programs(path: Path) -> None:
    """What other programs write is read, whole; only a few remarks are needed."""
    remarks: list[str] = []
    matches = read_tenhou6(path.read_bytes(), notice=remarks.append)
    assert remarks == REMARKS.get(path.stem, [])
    assert all(match.frames for match in matches)


def test_scores_of_other_programs() -> None:
    """Every win in them has a score with its yaku, whatever words it is in."""
    wins = Counter(
        (bool(event.score and event.yaku))
        for path in OTHERS
        for game in read_tenhou6(path.read_bytes())
        for frame in game.frames
        for event in frame.endings
        if isinstance(event, Win)
    )
    assert wins[True] > 100
    assert wins[False] == 1  # in a frame made by hand, which names only the winner


def test_names_are_kept() -> None:
    """A game is the same when it is read from the JSON under other names."""
    game = match(SOUND[0])
    renamed = replace(game, players=tuple(replace(player, full_name=handle("同じ")) for player in game.players))
    assert read(write_tenhou6(renamed).encode()) == held(renamed)
