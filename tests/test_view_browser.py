"""The page in a real browser: drawing, controls, safety and layout."""

from __future__ import annotations

import re
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from browsing import EVERY_STEP, FIXTURES, Opened, new_page, read, tab, until

from jmjp_convert.checks.wall import verified_walls
from jmjp_convert.formats.mjlog.reader import read_mjlog
from jmjp_convert.model import Match, Name, Text
from jmjp_convert.model.record import replace
from jmjp_convert.view.page import view_page
from jmjp_convert.view.site import Site

long = partial(pytest.param, marks=pytest.mark.long)

VALID = FIXTURES / "valid"
LANGUAGES = {"ja": "日本語", "en": "English"}


def faces(page: Any, at: str) -> list[str]:
    """Return the faces of the tiles within the selector *at*."""
    codes: list[str] = page.each(f"{at} .tile", "one.dataset.face")
    return codes


def moment(page: Any) -> str:
    """Return the moment shown, as the address will name it after a pause."""
    fragment: str = page.evaluate("jmjp.address()")
    return fragment.removeprefix("#frame=").replace("&step=", " ").replace("&seat=", " seat ")


def named_moment(page: Any) -> str:
    """Return the moment that the address names, once it is written."""
    until(page, "location.hash === jmjp.address()")
    return moment(page)


# --- drawing ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "name",
    [
        *("plain.xml", "kakan-under-newer-meld.xml", "four-kans.jmjp", "../json/valid/sanma.jsonl"),
        *map(long, ("plain.jmjp", "ankan.xml", "robbed-kakan.xml", "exhaustive-2-tenpai.xml", "double-ron.jmjp")),
        long("unfinished-after-call.xml"),
    ],
)
def test_every_step(opened: Opened, name: str) -> None:
    """At every step, the tiles, melds and points drawn match the state, with ponds in rows of six."""
    with opened(name) as page:
        steps, wrong = page.evaluate(EVERY_STEP)
        assert wrong == []
        assert steps > 3


@pytest.mark.parametrize(
    ("name", "sideways"),
    [("chi-low", 0), ("chi-high", 0), ("pon-from-kamicha", 0), ("pon-from-toimen", 1), ("pon-from-shimocha", 2)],
)
def test_called_tile(opened: Opened, name: str, sideways: int) -> None:
    """The called tile lies sideways, on the side of the player who discarded it."""
    with opened(f"{name}.xml", "#frame=E1-0&step=999") as page:
        are_stacked = page.get(".seat .meld, #own .meld", "[...one.children].map(part => part.matches('.stack'))")
        assert [index for index, stacked in enumerate(are_stacked) if stacked] == [sideways]
        assert page.count(".pond .gone") == page.count(":is(.seat, #own) .meld .taken")


def test_kans(opened: Opened) -> None:
    """The added tile of a kakan is stacked on the called one; the outer two tiles of an ankan are face down."""
    with opened("kakan.xml", "#frame=E1-0&step=999") as page:
        at = ":is(.seat, #own) .meld.kakan"
        (added,) = set(faces(page, f"{at} .stack"))
        assert faces(page, at) == [added] * 4
        assert page.count(f"{at} .stack") == 1
        above, below = (page.box(f"{at} .{kind}") for kind in ("added", "taken"))
        assert above != below
    with opened("ankan-red.xml", "#frame=E1-0&step=999") as page:
        tiles = faces(page, ":is(.seat, #own) .meld.ankan")
        assert (tiles[0], tiles[3]) == ("back", "back")
        assert any(tile.startswith("0") for tile in tiles[1:3])


@pytest.mark.parametrize(
    ("name", "marks"),
    [
        ("karagiri.xml", [".karagiri"]),
        ("riichi-karagiri.xml", [".karagiri.side"]),
        ("riichi-tsumogiri.xml", [".drawn.side"]),
        ("karagiri.jmjp", [".karagiri"]),
        ("plain.xml", [".hand:not(.drawn)", ".drawn", ".gone"]),
    ],
)
def test_marks(opened: Opened, name: str, marks: list[str]) -> None:
    """Discards are marked as drawn, from the hand, karagiri, riichi or called."""
    with opened(name, "#frame=E1-0&step=999") as page:
        for mark in marks:
            assert page.count(f".pond .tile{mark}") >= 1, mark


def test_away(opened: Opened) -> None:
    """A disconnected player is marked until reconnected."""
    with opened("disconnections.xml") as page:
        states = page.evaluate(
            """() => jmjp.game.frames.flatMap((frame, index) => frame.events.map((_, step) => {
                jmjp.view.go({index, step});
                const marks = document.querySelectorAll(".plate.away .absent:not([hidden])");
                return [marks.length, jmjp.state(index, step).away.size];
            }))"""
        )
        assert all(counted == away for counted, away in states)
        assert {counted for counted, _ in states} >= {0, 1}


def test_outcome(opened: Opened) -> None:
    """The end of a frame shows the winning hand, its yaku, fu, han and points, and the payments."""
    with opened("ura-dora.xml", "#frame=E1-0&step=999") as page:
        text = " ".join(page.inner_text("#outcome").split())
        assert "Tsubaki Tsumo" in text
        assert "7 han, haneman, 12000 points (3000/6000)" in text
        for words in ("Riichi", "Ippatsu", "Menzen tsumo", "Ura dora", "+13000", "−6000", "37000"):
            assert words in text
        assert faces(page, "#outcome .shown")[-5:] == ["2p", "back", "wd", "wd", "back"]
        page.press("r")
        assert page.is_hidden("#outcome")
        page.press("ArrowLeft")
        assert page.is_hidden("#outcome")
    with opened("double-ron.xml", "#frame=E1-1&step=999") as page:
        assert page.count("#outcome section.win") == 2
    with opened("../majiang/valid/unknown.majiang.json", "#frame=E1-0&step=999") as page:
        assert page.inner_text("#outcome .yaku").split("\n")[::2] == ["三色小同刻", "Seat wind West"]


def test_frames_and_result(opened: Opened) -> None:
    """The page has a table of scores with places and how each hand ended, the points curve, and the final result."""
    with opened("plain.xml") as page:
        rows = page.texts("#scores tbody")
        assert rows == [
            "E1 4 21000 −40001 33000 +80002 23000 −20003 23000 −2000Tsubaki Tsumo 8000",
            "E2 4 21000 ±01 33000 ±03 22000 −10002 24000 +1000Nazuna Ron off 山茶花 1000",
            "E3 4 21000 ±01 33000 ±03 22000 ±02 24000 ±0Nine terminals",
            "E3-1 4 8700 −123002 33000 ±01 34300 +123003 24000 ±0山茶花 Ron off Kaede 12000",
        ]
        assert page.count("#result a") == 0  # there are no statistics to lead to
        assert page.texts("#scores tfoot td") == ["−41.0", "+13.0", "+44.0", "−16.0"]
        marks = "[one.cellIndex, one.className]"
        assert page.each("#scores td:is(.won, .dealt)", marks) == [
            *([2, "won"], [3, "dealt"], [4, "won"], [1, "dealt"], [3, "won"]),
        ]
        assert page.each("#scores td:has(.thousand)", "one.cellIndex") == [2, 3]
        assert page.count("#curve polyline") == 4
        assert [" ".join(text.split()) for text in page.inner_texts("#result tbody tr")] == [
            "1st 山茶花 7 dan R2102 34300 +20 +44.0",
            "2nd Tsubaki 1 dan R1650 33000 +10 +13.0",
            "3rd Nazuna 2 kyu R1500 24000 −10 −16.0",
            "4th Kaede 3 dan R1834 8700 −20 −41.0",
        ]


def test_standings(opened: Opened) -> None:
    """The plates give each player's difference to the near seat, and the payments the placings after the frame."""
    with opened("plain.xml", "#frame=E3-1&step=1&seat=3") as page:
        assert page.texts(".plate .points") == ["21000", "33000", "22000", "24000"]
        assert page.texts(".corner .behind") == ["−3000", "+9000", "−2000", ""]
        assert "+9000 from the bottom player" in page.get_attribute('.plate[data-player="1"]', "aria-label")
        assert page.get_attribute('.plate[data-player="1"]', "title") == "Tsubaki · 1 dan R1650 · 1st"
        page.press("End")
        assert page.texts(".payments tbody th bdi") == ["山茶花", "Nazuna", "Kaede", "Tsubaki"]
        assert page.texts(".payments .place") == ["1st", "3rd", "4th", "2nd"]


def test_split(opened: Opened) -> None:
    """A tsumo by the dealer costs all the same; a ron has no split."""
    with opened("plain.xml") as page:
        texts = page.evaluate(
            """() => [[0, 0], [1, 0]].map(([player, dealer]) => {
                const changes = player === dealer ? [12300, -4100, -4100, -4100] : [-4100, 8300, -2100, -2100];
                const win = {player, changes, score: {points: player === dealer ? 12000 : 8000}};
                return split({...jmjp.view, words: jmjp.view.words, frame: {start: {honba: 1}}}, win);
            })"""
        )
        assert texts == ["4000 all", "2000/4000"]
    with opened("double-ron.xml", "#frame=E1-1&step=999") as page:
        assert "(" not in page.inner_text("#outcome h2")


def test_nameless(opened: Opened) -> None:
    """Of a player without a name, the result says that the name is not recorded."""
    (match,) = read(VALID / "plain.xml")
    first, *others = match.players
    with opened(replace(match, players=(replace(first, full_name=None), *others))) as page:
        assert page.inner_text("#result tbody tr:last-child th") == "#0 name not recorded, 3 dan R1834"


def test_unknown_event(opened: Opened) -> None:
    """An event that the page does not know is named, and changes nothing."""
    with opened("plain.xml", fresh=True) as page:
        before = page.evaluate("JSON.stringify(replay(jmjp.game.frames[0], 4).hands)")
        page.evaluate("jmjp.game.frames[0].events.splice(4, 0, {type: 'constructor'})")
        page.evaluate("jmjp.view.go({step: 5})")
        assert page.inner_text("#said") == "Unknown event: constructor"
        assert page.evaluate("JSON.stringify(replay(jmjp.game.frames[0], 5).hands)") == before
        page.press("ArrowRight")
        assert page.inner_text("#said") == "山茶花 draws 1 man"


def test_unknown_event_at_first(running: Any, tmp_path: Path) -> None:
    """A page with an event that it does not know opens as any other: the rest of the game is there."""
    text = view_page(read(FIXTURES / "valid" / "plain.xml")[0])
    known = re.search(r"(?<=\},)\[\d,\d+\]", text)
    assert known
    file = tmp_path / "game.html"
    file.write_text(text.replace(known[0], f'{{"type":"toString","player":1}},{known[0]}', 1), encoding="utf-8")
    with new_page(running, width=1280, height=800) as page:
        page.goto(file.as_uri())
        assert page.count("#scores tbody") == 4
        page.press("ArrowRight")
        assert page.inner_text("#said") == "Unknown event: toString"
        assert page.count("#ticks line") > 0


def test_wall(opened: Opened, seeded_log: str) -> None:
    """A verified wall is shown on demand: the remaining draws, fewer with each draw, and the dead wall."""
    match = read_mjlog(seeded_log.encode())
    (wall,) = verified_walls(match)
    with opened(match, walls=[wall]) as page:
        assert page.is_hidden("#wall")
        page.click("#wall-switch")
        first = faces(page, ".wall-row:nth-of-type(1)")
        assert len(first) == 70
        page.press("ArrowRight")
        assert faces(page, ".wall-row:nth-of-type(1)") == first[1:]
        assert [len(faces(page, f".wall-row:nth-of-type({row})")) for row in (2, 3, 4)] == [4, 5, 5]
    with opened(match) as page:
        assert page.is_hidden("#wall-switch")


# --- controls --------------------------------------------------------------------------------------------------------


KEYS = {
    "ArrowRight ArrowRight": "E1-0 2",
    "ArrowRight ArrowRight ArrowLeft": "E1-0 1",
    "ArrowLeft": "E1-0 0",
    "End": "E1-0 30",
    "End ArrowRight": "E2-0 0",
    "End ArrowRight ArrowLeft": "E1-0 30",
    "ArrowDown ArrowDown": "E3-0 0",
    "ArrowDown ArrowDown ArrowUp": "E2-0 0",
    "End Home": "E1-0 0",
    "d": "E1-0 2",
    "d d": "E1-0 10",
    "d d Shift+D": "E1-0 2",
    "Shift+Digit3": "E1-0 6",
    "2": "E1-0 0 seat 1",
    "2 d": "E1-0 4 seat 1",
}
"""The moment reached from the start, by the keys pressed."""


def test_keys(opened: Opened) -> None:
    """Keys move through the game and from seat to seat, and the address follows. Caps Lock does not change keys: only
    Shift does."""
    press = """([key, shiftKey]) => {
        document.body.dispatchEvent(new KeyboardEvent("keydown", {key, shiftKey, bubbles: true}));
        return jmjp.view.step;
    }"""
    with opened("plain.xml") as page:
        letters = (["D", False], ["D", False], ["d", True], ["d", False], ["D", True])
        assert [page.evaluate(press, letter) for letter in letters] == [2, 10, 2, 10, 2]
        for keys, wanted in KEYS.items():
            page.evaluate("jmjp.view.go({index: 0, step: 0, seat: 0})")
            for key in keys.split():
                page.press(key)
            assert moment(page) == wanted, keys
        assert named_moment(page) == wanted


def test_buttons(opened: Opened) -> None:
    """Buttons, the table of scores, the slider and the seats move through the game too."""
    with opened("plain.xml") as page:
        moves = ("next", "nextDiscard", "previousDiscard", "last", "nextHand", "next", "first", "previousHand")
        moments = []
        for move in moves:
            page.click(f"[data-move={move}]")
            moments.append(moment(page))
        assert moments == ["E1-0 1", "E1-0 2", "E1-0 0", "E1-0 30", "E2-0 0", "E2-0 1", "E2-0 0", "E1-0 0"]
        page.click("#scores tbody >> nth=2")
        assert moment(page) == "E3-0 0"
        page.fill("#slider", "2")
        assert moment(page) == "E3-0 2"
        page.click(".plate.top")
        assert named_moment(page) == "E3-0 2 seat 2"
        assert page.inner_text(".seat.bottom .name") == "山茶花"


def test_wheel_and_swipe(opened: Opened) -> None:
    """The wheel over the table steps forward and back, and so does a swipe."""
    with opened("plain.xml", has_touch=True) as page:
        page.mouse.move(400, 300)
        page.mouse.wheel(0, 120)
        until(page, "jmjp.view.step === 1")
        page.mouse.wheel(0, 20)
        page.mouse.wheel(0, -140)
        until(page, "jmjp.view.step === 0")
        swipe = """([from, to]) => {
            const at = (x) => [new Touch({identifier: 1, target: play, clientX: x, clientY: 200})];
            play.dispatchEvent(new TouchEvent("touchstart", {touches: at(from), changedTouches: at(from)}));
            play.dispatchEvent(new TouchEvent("touchend", {touches: [], changedTouches: at(to)}));
            return jmjp.view.step;
        }"""
        assert [page.evaluate(swipe, way) for way in ([300, 200], [300, 200], [200, 300], [200, 215])] == [1, 2, 1, 1]


@pytest.mark.parametrize(
    ("link", "wanted"),
    [
        ("#frame=E3-1&step=14", "E3-1 14"),
        ("#frame=E2-0&step=3&seat=2", "E2-0 3 seat 2"),
        ("#frame=E2-0&step=9999", "E2-0 17"),
        ("#frame=E2-0", "E2-0 0"),
        ("#frame=N4-9&step=x&seat=-1", "E1-0 0"),
        long("#frame=N4-9&step=5", "E1-0 0"),
        long("#step=5", "E1-0 0"),
        long("#<img src=x>", "E1-0 0"),
    ],
)
def test_links(opened: Opened, link: str, wanted: str) -> None:
    """A link opens at its moment; an invalid one, at the start."""
    with opened("plain.xml", link, fresh=True) as page:
        assert named_moment(page) == wanted
        page.evaluate("location.hash = '#frame=E3-0&step=1'")
        until(page, "jmjp.view.frame.name === 'E3-0' && jmjp.view.step === 1")
        assert named_moment(page) == "E3-0 1"


def test_no_address(opened: Opened) -> None:
    """A page that may not write its address, such as an embedded one, works all the same."""
    with opened("plain.xml", tab_of="test_no_address", fresh=True) as page:
        page.add_init_script("history.replaceState = () => { window.tried = true; throw new Error('not here'); }")
        page.reload()
        assert page.inner_text(".seat.bottom .name") == "Kaede"
        page.press("ArrowRight")
        assert page.inner_text("#count") == "1 / 30"
        until(page, "window.tried")
        page.press("ArrowRight")
        assert page.inner_text("#count") == "2 / 30"


def test_outcome_by_keyboard(opened: Opened) -> None:
    """The outcome switch is disabled while there is no outcome, and gets the focus when the outcome is closed."""
    with opened("plain.xml", "#frame=E1-0&step=5") as page:
        assert page.get_attribute("#outcome-switch", "aria-disabled") == "true"
        page.press("r", "End")
        assert page.get_attribute("#outcome-switch", "aria-disabled") == "false"
        page.focus("#outcome .close")
        page.press("Enter")
        assert page.is_hidden("#outcome")
        assert page.evaluate("document.activeElement.id") == "outcome-switch"
        page.press("Enter")
        assert page.is_visible("#outcome")
        page.press("Escape")
        assert page.is_hidden("#outcome")


def test_accessible_names(opened: Opened) -> None:
    """Tables have column heads for screen readers; spans with only a label have a role. Every control and image has a
    name, and every control can be reached by keyboard."""
    nameless = """() => [...document.querySelectorAll("button, input, [role=img], [role=group], dialog")]
        .filter((one) => one.checkVisibility() && !(one.ariaLabel || one.textContent.trim()))
        .map((one) => one.outerHTML)"""
    with opened("plain.xml", "#frame=E1-0&step=999") as page:
        assert page.texts(".payments thead th") == ["Player", "Change", "Points", "Place"]
        assert page.texts("#result thead th") == [
            "Place",
            "Player",
            "Points",
            "Uma",
            "Result",
        ]
        assert page.count("span[aria-label]:not([role])") == 0
        page.press("l")
        assert page.evaluate(nameless) == []
        buttons = page.count("button:visible, input:visible")
        seen = set()
        for _ in range(buttons + 2):
            page.press("Tab")
            seen.add(page.evaluate("document.activeElement.outerHTML"))
        assert len(seen) >= buttons
        assert page.inner_text("#said")
        assert page.get_attribute("#said", "role") == "status"


def test_rounds_of_the_curve(opened: Opened) -> None:
    """The points curve labels a round once, at its first frame, whatever its honba."""
    (match,) = read(VALID / "plain.xml")
    first, second, *rest = match.frames
    late = replace(second, start=replace(second.start, honba=1))
    with opened(replace(match, frames=(first, late, *rest))) as page:
        rounds = "#curve .axis[text-anchor=middle]"
        assert page.texts(rounds) == ["E1", "E2", "E3"]
        page.click("[data-move=language]")
        assert page.texts(rounds) == ["東1", "東2", "東3"]


def test_seat(opened: Opened) -> None:
    """The page opens at the requested seat, which is then left out of links."""
    with opened("plain.xml", seat=3) as page:
        assert page.inner_text(".seat.bottom .name") == "Nazuna"
        assert named_moment(page) == "E1-0 0"


# --- switches --------------------------------------------------------------------------------------------------------


def test_open_hands(opened: Opened) -> None:
    """A switch hides the other players' hands, until one wins."""
    with opened("plain.xml", "#frame=E1-0&step=5") as page:
        assert "back" not in faces(page, ".strip")
        page.click("#open-switch")
        assert set(faces(page, ".strip .hand")) == {"back"}
        assert "back" not in faces(page, "#own")
        assert page.get_attribute("#open-switch", "aria-pressed") == "false"
        page.press("End")
        assert "back" not in faces(page, '.seat[data-player="1"] .hand')
        page.press("o")
        assert "back" not in faces(page, ".strip .hand")


def test_hidden_hands_stay_secret(opened: Opened) -> None:
    """While hands are hidden, the tile that another player draws is not named."""
    said = """({open}) => jmjp.game.frames[0].events.flatMap((event, index) => {
        jmjp.view.go({index: 0, step: index + 1, open});
        const tile = event.type === "draw" && jmjp.view.words.tile(jmjp.view.codeOf(event.tile));
        return tile ? [[event.player, document.getElementById("said").textContent.endsWith(` draws ${tile}`)]] : [];
    })"""
    with opened("plain.xml") as page:
        assert {named for _, named in page.evaluate(said, {"open": True})} == {True}
        closed = page.evaluate(said, {"open": False})
        assert {player for player, _ in closed} == {0, 1, 2, 3}
        assert all(named == (player == 0) for player, named in closed)
        page.evaluate("jmjp.view.go({step: 3})")
        assert page.inner_text("#said").endswith(" draws a tile")


@pytest.mark.parametrize(("locale", "lang"), [("ja-JP", "ja"), ("fr-FR", "en"), long("en-GB", "en")])
def test_language(opened: Opened, locale: str, lang: str) -> None:
    """The page is in the browser's language, and in the other one on demand."""
    with opened("plain.xml", locale=locale) as page:
        other = "en" if lang == "ja" else "ja"
        assert page.get_attribute("html", "lang") == lang
        assert page.inner_text("[data-move=language]") == LANGUAGES[other]
        rules = {"ja": "天鳳 四般南喰赤", "en": "Tenhou 4-player General East-South, open tanyao, red fives"}
        assert page.inner_text("#when").endswith(rules[lang])
        page.press("l")
        assert page.get_attribute("html", "lang") == other
        assert page.inner_text("#when").endswith(rules[other])


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_theme(opened: Opened, theme: str) -> None:
    """The page follows the system's light or dark theme, and switches on demand."""
    with opened("plain.xml", color_scheme=theme, fresh=True) as page:
        before = page.evaluate("getComputedStyle(document.documentElement).backgroundColor")
        assert page.get_attribute("html", "data-theme") == theme
        page.press("t")
        assert page.evaluate("getComputedStyle(document.documentElement).backgroundColor") != before


def test_help(opened: Opened) -> None:
    """A dialog lists the keys; Escape closes it."""
    with opened("plain.xml") as page:
        page.press("?")
        assert page.is_visible("#help")
        page.press("ArrowRight")
        assert named_moment(page) == "E1-0 0"
        page.press("Escape")
        assert page.is_hidden("#help")


# --- safety and layout -----------------------------------------------------------------------------------------------

HOSTILE = ("</script><img src=x onerror=alert(1)>", "\"'`&amp;<b>\u2028]]>-->", "👨‍👩‍👧🀄😀", "名" * 30 + "W" * 30)


def hostile() -> Match:
    """Return a game whose players have hostile names."""
    (match,) = read(VALID / "plain.xml")
    players = zip(match.players, HOSTILE, strict=True)
    return replace(
        match, players=tuple(replace(player, full_name=Name(Text(name))) for player, name in players), id=None
    )


@pytest.mark.parametrize("game", ["kakan-under-newer-meld.xml", None, *map(long, ("plain.xml", "four-kans.xml"))])
def test_width(opened: Opened, game: str | None) -> None:
    """From phone to large screen, nothing scrolls sideways whatever the names, and table and buttons are in view."""
    with opened(game or hostile(), "#frame=E1-0&step=999") as page:
        for width, height in page.sizes((360, 740), (768, 1024), (1280, 720), (1280, 800), (2560, 1440)):
            assert page.evaluate("document.documentElement.scrollWidth") == width
            board, buttons = (page.box(at) for at in ("#board", "#buttons"))
            assert board["x"] >= 0
            assert board["x"] + board["width"] <= width
            assert board["width"] >= min(0.95 * width, 450)
            assert buttons["y"] + buttons["height"] <= height, (width, height)


def test_legible(opened: Opened) -> None:
    """On a phone 360 pixels wide, the tiles of the bottom hand are about 24 pixels wide, on one line."""
    with opened("plain.xml", "#frame=E1-0&step=1", width=360, height=740) as page:
        boxes = page.boxes("#own .tile")
        assert len({round(box["y"]) for box in boxes}) == 1
        assert min(box["width"] for box in boxes) > 23.5


def test_hostile_names(opened: Opened) -> None:
    """Names are text, whatever they contain."""
    with opened(hostile(), "#frame=E1-0&step=999") as page:
        names = page.each(".seat .name", "one.textContent")
        assert set(names) == set(HOSTILE)
        assert page.count("img, b:has(b)") == 0
        for text in ("#scores", "#result", "#outcome", "#curve"):
            assert HOSTILE[1] in page.text_content(text) or HOSTILE[0] in page.text_content(text)


def test_policy_holds(running: Any, tmp_path: Path) -> None:
    """The page's policy blocks other scripts and all loading."""
    file = tmp_path / "game.html"
    text = view_page(read(VALID / "plain.xml")[0]).replace("</body>", "<img src=x.png><script>window.bad = 1</script>")
    file.write_text(text, encoding="utf-8")
    page = tab(running, "all", locale="en")
    logged: list[str] = []

    def hear(message: Any) -> None:
        logged.append(message.text)

    page.on("console", hear)
    page.goto(file.as_uri())
    assert page.evaluate("window.bad") is None
    assert len([text for text in logged if "Content Security Policy" in text]) == 2
    page.remove_listener("console", hear)


def test_focus_stays(opened: Opened) -> None:
    """A focused element keeps the focus as the game moves on."""
    with opened("plain.xml") as page:
        for at, key in (
            ("#scores tbody:nth-of-type(2) button", "Enter"),
            (".plate.top", "ArrowRight"),
            ("#slider", "ArrowRight"),
        ):
            page.focus(at)
            page.press(key)
            assert page.evaluate("at => document.activeElement === document.querySelector(at)", at)
        assert named_moment(page) == "E2-0 2"


def test_unplayed(opened: Opened) -> None:
    """A frame without recorded play is shown as far as it is known."""
    (match,) = read(VALID / "plain.xml")
    frame = match.frames[0]
    bare = replace(frame, start=replace(frame.start, hands=()), events=(), end=replace(frame.end, hands=()))
    with opened(replace(match, frames=(bare, *match.frames[1:]))) as page:
        assert page.inner_text("#said") == "No play recorded for this hand"
        assert page.inner_text(".plate.bottom .points") == "25000"
        page.press("ArrowRight")
        assert named_moment(page) == "E2-0 0"


def test_motion(opened: Opened) -> None:
    """There is no motion if the system asks for reduced motion."""
    with opened("plain.xml", "#frame=E1-0&step=999") as page:
        for wish, name in (("no-preference", "call"), ("reduce", "none")):
            page.emulate_media(reduced_motion=wish)
            assert page.get(".call", "getComputedStyle(one).animationName") == name


@pytest.mark.parametrize("name", [long("plain.xml"), "double-ron.xml"])
def test_print(opened: Opened, name: str) -> None:
    """A frame with its outcome is printed on one page."""
    with opened(name, "#frame=E1-1&step=999") as page:
        paper = page.pdf(format="A4")
        assert paper.count(b"/Type /Page\n") == 1


def test_print_in_dark_theme(opened: Opened) -> None:
    """Print is light in either theme."""
    colour = "getComputedStyle(outcome).color"
    with opened("plain.xml", "#frame=E1-0&step=999") as page:
        page.emulate_media(media="print")
        light = page.evaluate(colour)
        page.press("t")
        assert page.evaluate(colour) == light
        page.emulate_media(media="screen")
        assert page.evaluate(colour) != light


# --- a site ----------------------------------------------------------------------------------------------------------


LOADED = "performance.getEntriesByName('all games').length"


def test_site(running: Any, tmp_path: Path) -> None:
    """The list of a site filters and sorts, and its links to pages work, all from disk."""
    site = Site(tmp_path)
    for name in ("plain", "bust", "2019041809gm-0089-1234-0123abcd&tw=2", "double-ron"):
        path = VALID / (f"{name}.mjlog" if "gm-" in name else f"{name}.xml")
        site.add(read(path)[0], path.stem)
    site.finish()
    with new_page(running) as page:
        page.goto((tmp_path / "index.html").as_uri())
        until(page, LOADED)
        assert page.inner_text("#shown") == "4 / 4"
        page.fill("#player", "TSUBAKI")
        page.fill("#place", "1")
        first = page.inner_text("#shown")
        assert first not in ("4 / 4", "0 / 4")
        page.fill("#player", "")
        page.fill("#place", "")
        page.fill("#from", "2019-04-18")
        assert page.inner_text("#shown") == "1 / 4"
        page.fill("#from", "")
        page.choose("#rule", 1)
        assert page.inner_text("#shown") in ("1 / 4", "3 / 4")
        page.choose("#rule", 0)
        frames = "Number(one.cells[3].textContent)"
        page.click("thead th:nth-child(4) button")
        up = page.each("tbody tr", frames)
        page.click("thead th:nth-child(4) button")
        assert up == sorted(up)
        assert page.each("tbody tr", frames) == up[::-1]
        page.follow("tbody tr a")
        until(page, "window.jmjp")
        assert page.evaluate(EVERY_STEP)[1] == []
        assert page.count("#t-5m") == 1
        page.follow("header a")
        until(page, "document.querySelector('#games td')")
