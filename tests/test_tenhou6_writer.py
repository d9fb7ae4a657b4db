"""The JSON of tenhou.net/6 as Tenhou writes it, frame by frame and as links; `test_written.py` has its parts."""

from __future__ import annotations

import json
import re
from pathlib import Path
from urllib.parse import unquote

import pytest
from test_real_logs import MANIFEST, match

from jmjp_convert.formats.mjlog.reader import read_mjlog
from jmjp_convert.formats.tenhou6.writer import write_tenhou6
from jmjp_convert.model import handle
from jmjp_convert.model.record import replace

FIXTURES = Path(__file__).parents[1] / "fixtures"
SHARED = Path(__file__).parents[2] / "shared"
PAIRS = sorted((SHARED / "tenhou6").glob("*.json"))

ANOTHER_NAME = {"169d90c768c2", "b449b8d656aa", "c8dcf69b0de1", "efdf9454e238"}
"""Pairs in which the players' names in log and JSON, and the log ID in the log, had been replaced before
publication."""

WHOLE = [path for path in PAIRS if '"title"' not in path.read_text(encoding="utf-8")]
BY_FRAME = [path for path in PAIRS if path not in WHOLE]


@pytest.mark.skipif(not MANIFEST.is_file(), reason="there are no real logs in ../shared/mjlog")
def test_pairs() -> None:
    """There are pairs of both kinds."""
    assert len(WHOLE) > len(ANOTHER_NAME)
    assert BY_FRAME


@pytest.mark.parametrize("path", WHOLE, ids=lambda path: path.stem)
def test_whole(path: Path) -> None:
    """A game is what Tenhou makes of it, field by field in the same order, and byte for byte where the original was
    left unchanged."""
    text = path.read_text(encoding="utf-8")
    theirs = json.loads(text)
    game = match(SHARED / "mjlog" / f"{path.stem}.xml")
    if path.stem in ANOTHER_NAME:
        players = [
            replace(player, full_name=handle(name)) for player, name in zip(game.players, theirs["name"], strict=True)
        ]
        game = replace(game, id=theirs["ref"], players=tuple(players))
    ours = write_tenhou6(game)
    assert [*json.loads(ours).items()] == [*theirs.items()]
    assert path.stem in ANOTHER_NAME or ours == text


@pytest.mark.parametrize("path", BY_FRAME, ids=lambda path: path.stem)
def test_by_frame(path: Path) -> None:
    """Frames are what Tenhou's editor makes of them, byte for byte; it hides the players' names."""
    game = match(SHARED / "mjlog" / f"{path.stem}.xml")
    hidden = tuple(
        replace(player, full_name=handle(f"{letter}さん")) for player, letter in zip(game.players, "ABCD", strict=True)
    )
    lines = write_tenhou6(replace(game, players=hidden), per_frame=True).splitlines()
    assert lines == path.read_text(encoding="utf-8").splitlines()


def test_frames(subtests: pytest.Subtests, valid_inputs: list[Path]) -> None:
    """Each line is the JSON of one frame, as in that of the whole game; each link is the same, escaped."""
    for path in valid_inputs:
        with subtests.test(path.name):
            game = read_mjlog(path)
            text = write_tenhou6(game)
            assert "\n" not in text
            whole = json.loads(text)
            lines = write_tenhou6(game, per_frame=True).split("\n")
            links = write_tenhou6(game, url=True).split("\n")
            assert lines.pop() == links.pop() == ""
            assert [json.loads(line)["log"] for line in lines] == [[items] for items in whole["log"]]
            for line, link in zip(lines, links, strict=True):
                found = json.loads(line)
                assert [*found] == ["title", "name", "rule", "log"]
                assert found["name"] == whole["name"]
                assert found["rule"] == {"disp": whole["rule"]["disp"], "aka": whole["rule"]["aka51"]}
                assert re.fullmatch(r"https://tenhou\.net/6/#json=[A-Za-z0-9%\-_.!~*'(),]*", link)
                assert unquote(link.partition("=")[2]) == line


def test_raised_points() -> None:
    """With raised points nobody begins a frame below zero: all get the same whole thousands, also at the end."""
    below = read_mjlog(FIXTURES / "valid" / "points-below-zero.xml")
    plain, raised = (json.loads(write_tenhou6(below, raise_points=given)) for given in (False, True))
    starts = [[frame[1] for frame in game["log"]] for game in (plain, raised)]
    assert starts[0][-1] == [25000, 50500, -500, 25000]
    assert starts[1] == [[each + 1000 for each in points] for points in starts[0]]
    assert raised["sc"][::2] == [each + 1000 for each in plain["sc"][::2]]
    assert raised["sc"][1::2] == plain["sc"][1::2]
    assert [frame[-1] for frame in raised["log"]] == [frame[-1] for frame in plain["log"]]


def test_points_not_raised() -> None:
    """Points that are never below zero at a start are written as they are, also where they are raised if needed."""
    game = read_mjlog(FIXTURES / "valid" / "plain.xml")
    assert write_tenhou6(game, raise_points=True) == write_tenhou6(game)
