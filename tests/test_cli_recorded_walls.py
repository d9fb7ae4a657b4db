"""The commands that use a wall, with walls that servers record: `check`, `convert`, `view`."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest
from click.testing import CliRunner, Result
from recorded_walls import Server, shuffled

from jmjp_convert.api import dumps
from jmjp_convert.cli import main
from jmjp_convert.model import DrawKind, End, Hand, House, Match, Player, RecordedWall, Rules, Ryuukyoku, handle
from jmjp_convert.model.record import replace
from jmjp_convert.model.tiles import dora, faces
from jmjp_convert.play.table import replay

FACES = faces()


pytestmark = pytest.mark.usefixtures("in_tmp_path")


def run(*args: str) -> Result:
    """Run `jmjp`."""
    return CliRunner().invoke(main, [*args])


def record(name: str, *, dealt: bool = True, players: int = 4, **wall: object) -> Server:
    """Write the record of a game of one frame, with values of its wall changed, and return its server."""
    made = Server(shuffled("wall", players), players)
    made.turns(12)
    recorded: RecordedWall = made.wall("sha256" if dealt else "md5", dealt=dealt)
    frame = made.frame(replace(recorded, **wall), Ryuukyoku(DrawKind.FOUR_WINDS))
    rules = Rules(players=players, house=House.MAHJONG_SOUL)
    table = replay(frame.start, frame.events, rules)
    hands = tuple(Hand(hand.tiles, hand.drawn, hand.melds) for hand in table.end().hands)
    frame = replace(frame, end=End(hands, frame.start.points))
    match = Match(rules, tuple(Player(handle(name)) for name in "ABCD"[:players]), (frame,))
    Path(name).write_text(dumps([match], "json"), encoding="utf-8")
    return made


def test_check() -> None:
    """What was shown is said: that the walls and their hashes agree, and where the deal is not in the wall."""
    record("whole.jsonl")
    record("rest.jsonl", dealt=False)
    record("three.jsonl", players=3)
    record("bare.jsonl", hash=None)
    result = run("check", "--wall", "whole.jsonl", "rest.jsonl", "three.jsonl", "bare.jsonl")
    assert (result.exit_code, result.stdout) == (0, "")
    assert result.stderr.splitlines() == [
        "4 files, 4 matches checked: no problems found",
        "wall: 4 agree with the play",
        "hashes of the walls: 3 agree with the walls",
        "not judged (not in the recorded wall): deal 1",
    ]


def test_wrong_hash() -> None:
    """A hash that does not fit is one problem, at the frame."""
    record("wrong.jsonl", hash="0" * 64)
    result = run("check", "--wall", "wrong.jsonl")
    assert (result.exit_code, result.stdout) == (
        1,
        "wrong.jsonl:2: in frame E1-0: the SHA-256 hash of the recorded wall does not fit its tiles\n",
    )
    assert "wall: 1 disagrees with the play\n" in result.stderr
    assert "hashes" not in result.stderr


def test_other_draw() -> None:
    """A draw that is not the wall's is a problem at the line of the draw, and the wall is not used."""
    wall = Server(shuffled("wall")).wall()
    swapped = list(wall.tiles)
    swapped[54], swapped[-20] = swapped[-20], swapped[54]
    assert swapped[54] != wall.tiles[54]
    record("other.jsonl", tiles=tuple(swapped), hash=None)
    checked = run("check", "--wall", "other.jsonl")
    assert re.fullmatch(
        r"other.jsonl:6: in frame E1-0: the 3rd draw is \w\w; \w\w expected from the wall\n", checked.stdout
    )
    viewed = run("view", "--wall", "other.jsonl", "-o", "page.html")
    assert "wall not included: the wall does not belong to this match: frame E1-0: the 3rd draw is " in viewed.stderr


@pytest.mark.parametrize("dealt", [True, False], ids=["whole", "without the deal"])
def test_view(*, dealt: bool) -> None:
    """The page has the tiles to draw, from the dealer's fourteenth on, and the dead wall, by face."""
    made = record("game.jsonl", dealt=dealt)
    assert run("view", "--wall", "game.jsonl", "-o", "page.html").exit_code == 0
    page = Path("page.html").read_text(encoding="utf-8")
    (walls,) = re.findall(r'"walls": ?(\[.*?\}\])', page)
    (wall,) = json.loads(walls)
    expected = [name_of(name) for name in made.names]
    assert wall["draws"] == expected[52:-14]
    assert wall["replacements"] == expected[:-5:-1]
    assert wall["indicators"] == expected[-5:-14:-2]
    assert wall["ura"] == expected[-6:-15:-2]


def test_page_without_wall() -> None:
    """Without --wall, a page has neither the recorded wall nor its hash; it never has account numbers."""
    record("game.jsonl")
    text = Path("game.jsonl").read_text(encoding="utf-8").replace('{"name":"A"}', '{"name":"A","account":7654321}')
    assert text.count("7654321") == 1
    Path("game.jsonl").write_text(text, encoding="utf-8")
    assert run("view", "game.jsonl", "-o", "page.html").exit_code == 0
    page = Path("page.html").read_text(encoding="utf-8")
    assert "A – B – C – D" in page
    assert not re.search('"dealt"|"hash"|7654321', page)


def name_of(name: str) -> str:
    """Return the face of two characters of a recorded wall."""
    return {"1z": "ew", "2z": "sw", "3z": "ww", "4z": "nw", "5z": "wd", "6z": "gd", "7z": "rd"}.get(name, name)


@pytest.mark.parametrize("dealt", [True, False], ids=["whole", "without the deal"])
def test_riichi_advanced(*, dealt: bool) -> None:
    """A frame to play again has every tile of the recorded wall, and invents none."""
    made = record("game.jsonl", dealt=dealt)
    result = run("convert", "game.jsonl", "--to", "riichi-advanced", "--frame", "E1-0", "-o", "again.json")
    assert result.exit_code == 0
    assert re.search("wall unknown|unknown tiles", result.stderr) is None
    written = Path("again.json").read_text(encoding="utf-8")
    for part in (made.names[52:-14], made.names[:-5:-1]):
        assert ", ".join(f'"{name}"' for name in part) in written


def test_dora() -> None:
    """`convert --wall` fills in all ten dora from the recorded wall."""
    made = record("game.jsonl")
    assert run("convert", "game.jsonl", "--to", "json", "--wall", "-o", "again.jsonl").exit_code == 0
    line = json.loads(Path("again.jsonl").read_text(encoding="utf-8").splitlines()[-2])
    pairs = zip(made.indicators, made.ura, strict=True)
    assert line["dora"] == [FACES[dora(indicator)] for pair in pairs for indicator in pair]
