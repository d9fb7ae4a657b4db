"""A page, as a text: of one piece, small, and safe whatever the names."""

from __future__ import annotations

import json
import re
from base64 import b64encode
from dataclasses import replace
from hashlib import sha256
from html.parser import HTMLParser
from itertools import combinations
from pathlib import Path

import pytest

from jmjp_convert.check.wall import proven_walls
from jmjp_convert.errors import FormatError
from jmjp_convert.formats.jmjp.reader import read_jmjp
from jmjp_convert.formats.json.reader import read_json
from jmjp_convert.formats.mjlog.reader import read_mjlog
from jmjp_convert.model import Match, Name, Text
from jmjp_convert.model.tiles import FACES, UNKNOWN_FACE
from jmjp_convert.view import page
from jmjp_convert.view.page import part, scripts, view_page

ROOT = Path(__file__).parent.parent
VALID = ROOT / "fixtures" / "valid"
PACKAGE = ROOT / "jmjp_convert" / "view"
LARGEST = 150_000
NAMES = ("</script><img src=x onerror=alert(1)>", "\"&quot;'`", "👨‍👩‍👧🀄", "<!--<script>" + "名" * 48)


class Parsed(HTMLParser):
    """A page, taken apart: its *elements*, and the *texts* of scripts and styles by what each is."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.elements: list[tuple[str, dict[str, str | None]]] = []
        self.texts: dict[str, str] = {}
        self._in = ""
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Note an element."""
        self.elements.append((tag, dict(attrs)))
        self._in = (dict(attrs).get("id") or tag) if tag in ("script", "style", "title") else ""

    def handle_data(self, data: str) -> None:
        """Note a text."""
        if self._in:
            self.texts[self._in] = self.texts.get(self._in, "") + data

    def handle_endtag(self, tag: str) -> None:  # noqa: ARG002 - whichever it is
        """Note an end."""
        self._in = ""

    @property
    def policy(self) -> dict[str, str]:
        """What may be loaded, by kind."""
        (text,) = [
            found["content"] for _, found in self.elements if found.get("http-equiv") == "Content-Security-Policy"
        ]
        return dict(rule.split(" ", 1) for rule in (text or "").split("; "))


def plain() -> Match:
    """Return an ordinary game."""
    return read_mjlog(VALID / "plain.xml")


def called(*names: str) -> Match:
    """Return a game of players of these *names*."""
    match = plain()
    players = [replace(one, full_name=Name(Text(name))) for one, name in zip(match.players, names, strict=True)]
    return replace(match, players=tuple(players))


def test_whole_in_itself() -> None:
    """A page names no other file, and no address."""
    text = view_page(plain())
    for tag, attributes in Parsed(text).elements:
        for name, value in attributes.items():
            if name in ("src", "href", "data", "action", "srcset"):
                assert (value or "").startswith(("#", "data:,")), (tag, name)
    assert "url(" not in text
    assert "@import" not in text
    assert set(re.findall(r"https?://[^\s\"'<]+", text)) == {"http://www.w3.org/2000/svg"}


def test_policy() -> None:
    """Its policy allows its own script and style by their hashes, empty images, and nothing else."""
    parsed = Parsed(view_page(plain()))
    assert parsed.policy == {
        "default-src": "'none'",
        "script-src": hashed(parsed.texts["script"]),
        "style-src": hashed(parsed.texts["style"]),
        "img-src": "data:",
        "base-uri": "'none'",
        "form-action": "'none'",
    }


def hashed(text: str) -> str:
    """Return how a policy names *text*."""
    return f"'sha256-{b64encode(sha256(text.encode()).digest()).decode()}'"


def test_no_handlers() -> None:
    """No element has a handler or a style of its own, which the policy would not let work."""
    for tag, attributes in Parsed(view_page(plain())).elements:
        assert not [name for name in attributes if name == "style" or name.startswith("on")], tag


@pytest.mark.parametrize("name", NAMES)
def test_names_are_text(name: str) -> None:
    """A name is no markup, wherever it stands: the page has the same elements whatever it is."""
    usual, odd = (Parsed(view_page(called(one, "B", "C", "D"))) for one in ("A", name))
    assert odd.elements == usual.elements
    assert json.loads(odd.texts["about"])["en"]["names"][0] == name


def test_half_a_character() -> None:
    """Half a character, which no file can hold, stands in the way of nothing."""
    match = replace(called("a\ud83c", "B", "C", "D"), tournament=None, id=None)
    page_ = view_page(match)
    assert page_.encode()
    assert json.loads(Parsed(page_).texts["about"])["en"]["names"][0] == "a\ud83c"
    assert Parsed(page_).texts["title"].startswith("a? – ")


def test_title_is_text() -> None:
    """The title, where the names may stand too, is text."""
    match = replace(called(*NAMES), tournament=None, id=None)
    assert Parsed(view_page(match)).texts["title"] == " – ".join(NAMES)


def test_game(expectation: Path) -> None:
    """The game stands in the page as the lines of JSON say it, and is read back from there, but for the seeds."""
    for match in read_jmjp(expectation):
        game = json.loads(Parsed(view_page(match)).texts["game"])
        (read,) = read_json("\n".join(map(json.dumps, game)).encode())
        assert replace(read, frames=(), shuffle=None) == replace(match, frames=(), shuffle=None)
        assert [frame.end for frame in read.frames] == [frame.end for frame in match.frames]


def test_no_frame() -> None:
    """A match without a frame has no page."""
    with pytest.raises(FormatError, match="the match has no frames to show"):
        view_page(replace(plain(), frames=()))


def test_wall(seeded_log: str) -> None:
    """Walls stand in it only if they are given."""
    match = read_mjlog(seeded_log.encode())
    walls = proven_walls(match)
    (wall,) = json.loads(Parsed(view_page(match, walls=walls)).texts["about"])["walls"]
    assert {name: tuple(tiles) for name, tiles in wall.items()} == {
        "draws": walls[0].draws,
        "replacements": walls[0].replacements,
        "indicators": walls[0].indicators,
        "ura": walls[0].ura,
    }
    assert "walls" not in json.loads(Parsed(view_page(match)).texts["about"])


def test_ends() -> None:
    """The words on a frame's end are there where its events do not tell how it ended."""
    told = json.loads(Parsed(view_page(read_jmjp(VALID / "plain.jmjp")[0])).texts["about"])
    assert (
        told["en"]["ends"][0]
        == "Tsumo: South, 20 fu 5 han mangan, 8000 points: Riichi 1, Menzen tsumo 1, Pinfu 1, Tanyao 1, Dora 1"
    )
    assert json.loads(Parsed(view_page(plain())).texts["about"])["en"]["ends"] == [None] * 4


def test_size(valid_input: Path) -> None:
    """No page of a fixture is larger than a page of a usual game may be."""
    assert len(view_page(read_mjlog(valid_input)).encode()) < LARGEST


def test_size_of_real_games() -> None:
    """Of real games, the usual one has a page that is small enough, and most do."""
    logs = sorted((ROOT.parent / "shared" / "mjlog").glob("20*.xml"))[::8]
    if not logs:
        pytest.skip("there are no real logs beside the project")
    sizes = sorted(len(view_page(read_mjlog(path)).encode()) for path in logs if not path.stem.endswith("-7e62f873"))
    assert sizes[len(sizes) // 2] < LARGEST
    assert sizes[len(sizes) * 8 // 10] < LARGEST


def test_tiles() -> None:
    """Each face has its drawing, once, and so have the back and what nobody knows."""
    drawn = re.findall(r'<symbol id="t-(\w+)"', part("tiles.svg"))
    assert sorted(drawn) == sorted({*FACES, UNKNOWN_FACE, "back"})
    assert set(re.findall(r'href="#([\w-]+)"', part("tiles.svg"))) <= set(
        re.findall(r'id="([\w-]+)"', part("tiles.svg"))
    )
    assert "<text" not in part("tiles.svg")


def test_files() -> None:
    """Every file of the package has its place in a page or a site, and none of them makes markup of a text."""
    scripts_of_site = {"index.js"}
    assert {path.name for path in PACKAGE.glob("*.js")} == {*page.SCRIPTS, *scripts_of_site}
    for path in PACKAGE.glob("*.js"):
        text = path.read_text(encoding="utf-8")
        assert text.startswith('"use strict";\n')
        assert not re.search(
            r"innerHTML|outerHTML|insertAdjacentHTML|document\.write|\beval\b|new Function|fetch\(|XMLHttp", text
        )


def test_nothing_is_lost() -> None:
    """What a page leaves out of the files is comment and space: each line of code is there."""
    for name in (*page.SCRIPTS, "style.css"):
        lines = [text.strip() for text in (PACKAGE / name).read_text(encoding="utf-8").splitlines()]
        left_out = {text for text in lines if text} - set(part(name).splitlines())
        assert all(text.startswith(("//", "/*", "*")) and not text.startswith("*,") for text in left_out)
    assert scripts().startswith("const NAMES = ")


def test_words() -> None:
    """Every language has a word for everything: the tables have the same keys."""
    text = (PACKAGE / "texts.js").read_text(encoding="utf-8")
    japanese, english = (
        re.findall(r"^    (\w+):", block, re.MULTILINE)
        for block in re.findall(r"^  (?:ja|en): \{\n(.*?)^  \},", text, re.MULTILINE | re.DOTALL)
    )
    assert japanese == english
    named = set(re.findall(r"data-(?:text|label)=\"(\w+)\"", part("page.html")))
    assert named <= set(english)
    used = {word for name in page.SCRIPTS for word in re.findall(r"\bwords\.(\w+)", part(name))}
    assert used | named == set(english)


# --- contrast, by WCAG 2.2: 4.5 for text, 3 for lines -----------------------------------------------------------------

PAIRS = [
    *((text, ground, 4.5) for text in ("text", "soft") for ground in ("paper", "panel")),
    *((text, "panel", 4.5) for text in ("accent", "gain", "loss")),
    ("on-accent", "accent", 4.5),
    *((text, ground, 4.5) for text in ("on-felt", "soft-on-felt") for ground in ("felt", "felt-deep")),
    *((f"p{player}", "panel", 3.0) for player in range(4)),
    ("accent", "paper", 3.0),
    ("on-felt", "rail", 3.0),
]


@pytest.mark.parametrize("theme", ["light", "dark"])
@pytest.mark.parametrize(("text", "ground", "least"), PAIRS)
def test_contrast(theme: str, text: str, ground: str, least: float) -> None:
    """Texts stand out from what they stand on."""
    light, dark = (
        dict(re.findall(r"--([\w-]+): (#[0-9a-f]{3,6});", block))
        for block in re.findall(r"^:root[^{]*\{(.*?)^\}", part("style.css"), re.MULTILINE | re.DOTALL)
    )
    colours = light if theme == "light" else light | dark
    one, other = sorted((luminance(colours[text]), luminance(colours[ground])))
    assert (other + 0.05) / (one + 0.05) >= least


def test_focus_on_the_table() -> None:
    """On the table the ring of the focus has the colour of its texts, which stands out in both themes."""
    assert "#board :focus-visible { outline-color: var(--on-felt); }" in part("style.css")


def luminance(colour: str) -> float:
    """Return the relative luminance of *colour*, ``#rrggbb`` or ``#rgb``."""
    digits = colour[1:] if len(colour) == 7 else "".join(digit * 2 for digit in colour[1:])
    values = (int(digits[place : place + 2], 16) / 255 for place in (0, 2, 4))
    red, green, blue = (value / 12.92 if value <= 0.04045 else ((value + 0.055) / 1.055) ** 2.4 for value in values)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def test_marks_differ() -> None:
    """Lines of the curve differ by more than their colour."""
    dashes = re.findall(r"\.line\.p(\d) polyline \{ stroke-dasharray: ([\d ]+); \}", part("style.css"))
    assert [player for player, _ in dashes] == ["1", "2", "3"]
    assert all(one[1] != other[1] for one, other in combinations(dashes, 2))
