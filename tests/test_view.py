"""The text of a page: self-contained, small, and safe with any names."""

from __future__ import annotations

import gc
import json
import re
from itertools import combinations
from pathlib import Path
from typing import Any

import pytest
from browsing import plain
from pages_made import Parsed, hashed, words
from tables import table

from jmjp_convert.checks.wall import verified_walls
from jmjp_convert.errors import FormatError
from jmjp_convert.formats.jmjp.reader import read_jmjp
from jmjp_convert.formats.json.writer import write_json
from jmjp_convert.formats.mjlog.reader import read_mjlog
from jmjp_convert.model import Frame, Match, Name, Text
from jmjp_convert.model.record import replace
from jmjp_convert.model.tiles import FACES, UNKNOWN_FACE
from jmjp_convert.pages import part
from jmjp_convert.play.points import points_at_end
from jmjp_convert.view import page
from jmjp_convert.view.page import scripts, styles, view_page
from jmjp_convert.view.site import BACK, Site

ROOT = Path(__file__).parent.parent
VALID = ROOT / "fixtures" / "valid"
LARGEST = 210_000
LOOSE = "".join(map(part, page.STYLES))
NAMES = ("</script><img src=x onerror=alert(1)>", "\"&quot;'`", "👨‍👩‍👧🀄", "<!--<script>" + "名" * 48)


def called(*names: str) -> Match:
    """Return a game whose players have these *names*."""
    match = plain()
    players = [replace(player, full_name=Name(Text(name))) for player, name in zip(match.players, names, strict=True)]
    return replace(match, players=tuple(players))


def test_self_contained() -> None:
    """A page refers to no other file or address."""
    text = view_page(plain())
    for tag, attributes in Parsed(text).elements:
        for name, value in attributes.items():
            if name in ("src", "href", "data", "action", "srcset"):
                assert (value or "").startswith(("#", "data:,")), (tag, name)
    assert "url(" not in text
    assert "@import" not in text
    links = {"http://www.w3.org/2000/svg", "https://tenhou.net/6/#json="}  # of a namespace, and to copy
    assert set(re.findall(r"https?://[^\s\"'<]+", text)) == links


def test_policy() -> None:
    """The policy allows the page's own script and style by hash, data images, and nothing else."""
    parsed = Parsed(view_page(plain()))
    assert parsed.policy == {
        "default-src": "'none'",
        "script-src": hashed(parsed.texts["script"]),
        "style-src": hashed(parsed.texts["style"]),
        "img-src": "data:",
        "base-uri": "'none'",
        "form-action": "'none'",
    }


def test_no_inline_handlers() -> None:
    """No element has an inline handler or style, which the policy would block."""
    for tag, attributes in Parsed(view_page(plain())).elements:
        assert not [name for name in attributes if name == "style" or name.startswith("on")], tag


@pytest.mark.parametrize("name", NAMES)
def test_names_are_text(name: str) -> None:
    """A name is never markup: the page has the same elements with any name."""
    usual, odd = (Parsed(view_page(called(first, "B", "C", "D"))) for first in ("A", name))
    assert odd.elements == usual.elements
    assert json.loads(odd.texts["about"])["en"]["names"][0] == name


def test_lone_surrogate() -> None:
    """A lone surrogate in a name, which cannot be encoded, does no harm."""
    match = replace(called("a\ud83c", "B", "C", "D"), tournament=None, id=None)
    page_ = view_page(match)
    assert page_.encode()
    assert json.loads(Parsed(page_).texts["about"])["en"]["names"][0] == "a\ud83c"
    assert Parsed(page_).texts["title"] == "a? – B – C – D"


def test_title_is_text() -> None:
    """The title, which may contain names, is text."""
    assert Parsed(view_page(called(*NAMES))).texts["title"] == " – ".join(NAMES)


def test_title_names_the_players() -> None:
    """The title is the players and the date; below it stand the time, the place and the rules."""
    dated = Parsed(view_page(replace(plain(), date="20190418", time="0941")))
    assert dated.texts["title"] == "Kaede – Tsubaki – 山茶花 – Nazuna, 2019-04-18"
    about = json.loads(dated.texts["about"])
    assert about["ja"]["date"] == "2019-04-18"
    assert about["ja"]["when"] == "09:41, 天鳳 四般南喰赤"


def whole(line: Any) -> Any:
    """Return *line* as in the format: in the page a draw is ``[player, tile]``, a discard has a third number, 1 for
    tsumogiri, 0 for another tile, 2 if that is not recorded."""
    if not isinstance(line, list):
        return line
    player, tile, *manner = line
    shared = {"type": "discard" if manner else "draw", "player": player, "tile": tile}
    return shared | {"tsumogiri": bool(manner[0])} if manner and manner[0] < 2 else shared


LEFT_OUT = {
    "match": {"players", "tournament", "place", "recorders", "shuffle"},
    "frame": {"shuffle"},
    "win": {"hand", "melds", "indicators", "before", "sticks", "honba"},
    "ryuukyoku": {"before", "sticks", "honba"},
    "end_frame": {"hands", "dora"},
}
"""By type of line, the keys that the page has in words, derives, or does not show."""


def nameless(value: Any) -> Any:
    """Return the *value* of a key without the names of yaku that have a number."""
    if not isinstance(value, dict) or "yaku" not in value:
        return value
    yaku = [{key: each[key] for key in each if key != "name" or "number" not in each} for each in value["yaku"]]
    return value | {"yaku": yaku}


def test_game(subtests: pytest.Subtests, expectations: list[Path]) -> None:
    """The page contains the game as JSON lines, with all dora and the points at its end, without what it does not
    read."""
    for path in expectations:
        with subtests.test(path.name):
            for match in read_jmjp(path):
                written = list(map(whole, json.loads(Parsed(view_page(match)).texts["game"])))
                ended = replace(match, final_points=points_at_end(match))
                given = list(map(json.loads, write_json([ended]).splitlines()))
                written, given = ([line for line in lines if line["type"] != "dora"] for lines in (written, given))
                for line, whole_line in zip(written, given, strict=True):
                    assert whole_line.keys() - line.keys() <= LEFT_OUT.get(line["type"], set())
                    assert line.keys() - whole_line.keys() <= {"indicator", "ura"}
                    assert {key: line[key] for key in line if key in whole_line} == {
                        key: nameless(whole_line[key]) for key in whole_line if key in line
                    }


def test_sticks_left_over() -> None:
    """The points of the result include the riichi sticks left on the table, even if a format does not record them."""
    (match,) = read_jmjp(VALID / "exhaustive-4-tenpai.jmjp")
    assert match.final_points is None
    game = json.loads(Parsed(view_page(match)).texts["game"])
    assert game[-1]["final_points"] == [24000, 24000, 27000, 25000]


def test_no_frame() -> None:
    """A match without frames is rejected."""
    with pytest.raises(FormatError, match="the match has no hands to show"):
        view_page(replace(plain(), frames=()))


def test_wall(seeded_log: str) -> None:
    """Walls are in the page only if they are given."""
    match = read_mjlog(seeded_log.encode())
    walls = verified_walls(match)
    (wall,) = json.loads(Parsed(view_page(match, walls=walls)).texts["about"])["walls"]
    assert {name: tuple(tiles) for name, tiles in wall.items()} == {
        "draws": walls[0].draws,
        "replacements": walls[0].replacements,
        "indicators": walls[0].indicators,
        "ura": walls[0].ura,
    }
    assert "walls" not in json.loads(Parsed(view_page(match)).texts["about"])


def test_ends() -> None:
    """A frame's end has a text only if its events do not record it completely."""
    text = (VALID / "plain.jmjp").read_text(encoding="utf-8")
    said = text.replace("Tsumo: South, 20 fu 5 han mangan, 8000 points: ", "A mangan for South: ")
    assert said != text
    about = json.loads(Parsed(view_page(read_jmjp(said.encode())[0])).texts["about"])
    assert about["en"]["ends"] == [
        "A mangan for South: Riichi 1, Menzen tsumo 1, Pinfu 1, Tanyao 1, Dora 1",
        *[None] * 3,
    ]
    assert json.loads(Parsed(view_page(plain())).texts["about"])["en"]["ends"] == [None] * 4


def test_size(valid_inputs: list[Path]) -> None:
    """No page of a fixture is larger than allowed for a usual game."""
    assert max(len(view_page(read_mjlog(path)).encode()) for path in valid_inputs) < LARGEST


def test_size_of_real_games() -> None:
    """The median page of real games is small enough, and 80 percent are not much larger."""
    logs = sorted((ROOT.parent / "shared" / "mjlog").glob("20*.xml"))[::8]
    if not logs:
        pytest.skip("no real logs next to the project")
    sizes = sorted(len(view_page(read_mjlog(path)).encode()) for path in logs if not path.stem.endswith("-7e62f873"))
    assert sizes[len(sizes) // 2] < LARGEST
    assert sizes[len(sizes) * 8 // 10] < 1.05 * LARGEST


def test_tiles() -> None:
    """Each face has exactly one drawing; so have the back and the unknown tile."""
    drawn = re.findall(r'<symbol id="t-(\w+)"', part("view/page/tiles.svg"))
    assert sorted(drawn) == sorted({*FACES, UNKNOWN_FACE, "back"})
    assert set(re.findall(r'href="#([\w-]+)"', part("view/page/tiles.svg"))) <= set(
        re.findall(r'id="([\w-]+)"', part("view/page/tiles.svg"))
    )
    assert "<text" not in part("view/page/tiles.svg")


def test_weight() -> None:
    """What every page holds, however short its game, leaves room for a long one."""
    assert (
        len("".join((styles(), scripts(), part("view/page/tiles.svg"), part("view/page/page.html"))).encode()) < 184_000
    )


def test_words() -> None:
    """Every language has the same keys, and all of them are used."""
    known, used = words("view/page", page.SCRIPTS, "view/page/page.html", BACK)
    assert used == known


# --- contrast, by WCAG 2.2: 4.5 for text, 3 for lines -----------------------------------------------------------------


@pytest.mark.parametrize("theme", ["light", "dark"])
@pytest.mark.parametrize(("text", "ground", "least"), table("view", "contrast text-ground-least"))
def test_contrast(theme: str, text: str, ground: str, least: float) -> None:
    """Texts and lines have enough contrast with their backgrounds."""
    light, dark = (
        dict(re.findall(r"--([\w-]+): (#[0-9a-f]{3,6});", block))
        for block in re.findall(r"^:root[^{]*\{(.*?)^\}", LOOSE, re.MULTILINE | re.DOTALL)
    )
    colours = light if theme == "light" else light | dark
    darker, lighter = sorted((luminance(colours[text]), luminance(colours[ground])))
    assert (lighter + 0.05) / (darker + 0.05) >= least


def test_focus_on_the_table() -> None:
    """On the table the focus ring has the colour of the texts, which has enough contrast in both themes."""
    assert "#board :focus-visible { outline-color: var(--on-felt); }" in LOOSE


def luminance(colour: str) -> float:
    """Return the relative luminance of *colour*, ``#rrggbb`` or ``#rgb``."""
    digits = colour[1:] if len(colour) == 7 else "".join(digit * 2 for digit in colour[1:])
    values = (int(digits[index : index + 2], 16) / 255 for index in (0, 2, 4))
    red, green, blue = (value / 12.92 if value <= 0.04045 else ((value + 0.055) / 1.055) ** 2.4 for value in values)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def test_marks_differ() -> None:
    """Lines of the points curve differ not only in colour."""
    dashes = re.findall(r"\.line\.p(\d) polyline \{ stroke-dasharray: ([\d ]+); \}", LOOSE)
    assert [player for player, _ in dashes] == ["1", "2", "3"]
    assert all(first[1] != second[1] for first, second in combinations(dashes, 2))


PLAIN = Path(__file__).parent.parent / "fixtures" / "valid" / "plain.xml"


def test_memory(tmp_path: Path) -> None:
    """Games do not stay in memory, nor do their rows in the list."""
    site = Site(tmp_path)
    before = alive()
    for _ in range(10):
        site.add(read_mjlog(PLAIN), "log")
    assert alive() == before
    site.finish()
    assert len(site) == len(list((tmp_path / "games" / "undated").iterdir())) == 10
    site.close()


def test_names(tmp_path: Path) -> None:
    """Long names are cut, and names that a file system may treat as equal get numbers."""
    site = Site(tmp_path)
    match = replace(read_mjlog(PLAIN), id=None, tournament=None)
    for name in ("牌" * 100, "牌" * 99, "Straße", "STRASSE", "e\u0301", "\u00e9", "か\u3099"):
        site.add(match, name)
    site.finish()
    site.close()
    names = {path.stem for path in (tmp_path / "games" / "undated").iterdir()}
    assert names == {"牌" * 66, "牌" * 66 + "-2", "Straße", "STRASSE-2", "\u00e9", "\u00e9-2", "が"}


def test_rules(tmp_path: Path) -> None:
    """The rules column is empty if the rules have no name, rather than showing the players."""
    site = Site(tmp_path)
    match = read_mjlog(PLAIN)
    nameless = replace(match, id=None, tournament=None)
    site.add(nameless, "log")
    site.finish()
    site.close()
    assert '[[\\"tenhou\\",[\\"\\\\u822c\\",\\"General\\"],null]]' in (tmp_path / "games" / "undated.js").read_text(
        encoding="utf-8"
    )


def alive() -> int:
    """Return how many matches and frames are in memory."""
    gc.collect()
    return sum(type(object_) in (Match, Frame) for object_ in gc.get_objects())
