"""The JSON of tenhou.net/6 that Tenhou and other programs wrote; `test_across.py` compares it with logs."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path

import pytest
from expected import expecting
from test_real_logs import LOGS, MANIFEST, SOUND, match

from jmjp_convert.formats.tenhou6.reader import read_tenhou6
from jmjp_convert.formats.tenhou6.writer import write_tenhou6
from jmjp_convert.model import Match, Win, handle
from jmjp_convert.model.record import replace

held = expecting("tenhou6")

SHARED = LOGS.parent
PAIRS = sorted((SHARED / "tenhou6").glob("*.json"))
OTHERS = sorted((SHARED / "tenhou6-in").glob("*/*.json"))

pytestmark = pytest.mark.skipif(not MANIFEST.is_file(), reason="there are no real logs in ../shared/mjlog")


def read(content: bytes) -> Match:
    """Return the one match in *content*, in which nothing is guessed or ignored."""
    remarks: list[str] = []
    (found,) = read_tenhou6(content, notice=remarks.append)
    assert remarks == []
    return found


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


def test_other_programs(subtests: pytest.Subtests) -> None:
    """What other programs write is read, whole; only a few remarks are needed."""
    for path in OTHERS:
        with subtests.test(f"{path.parent.name}-{path.stem}"):
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
