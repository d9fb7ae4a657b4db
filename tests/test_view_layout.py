"""Where the parts of the page are, from a phone to a large screen."""

from __future__ import annotations

from typing import Any

import effort
import pytest
from browsing import FIXTURES, PHONE, Opened, read, until
from playing import matches

from jmjp_convert.model import Name, Text
from jmjp_convert.model.record import replace

FOUR_KANS = "--seed 1 --games 1 --want four-kans-of-one --tries 1 --first 53"
THREE_KANS = "--seed 1 --games 1 --want sankantsu --tries 1 --first 22"
FOUR_KITA = "--seed 1 --games 1 --players 3 --wild --first 1218"
MOMENTS = """() => jmjp.game.frames.flatMap((frame, index) => {
  const {length} = frame.events;
  return [0, 9, length - 1, length].map((step) => {
    jmjp.view.go({index, step});
    const buttons = [...document.querySelectorAll("#buttons .main")];
    return buttons.map((one) => Object.values(one.getBoundingClientRect().toJSON()));
  });
})"""


def is_whole(page: Any, at: str) -> bool:
    """Return whether nothing of the element *at* needs scrolling, and it is in the window."""
    whole: bool = page.get(
        at, "one.scrollHeight <= one.clientHeight + 1 && one.getBoundingClientRect().bottom <= innerHeight"
    )
    return whole


# --- the phone -------------------------------------------------------------------------------------------------------


def test_buttons_stay(opened: Opened) -> None:
    """The buttons never move, whatever the outcome of a frame."""
    (match,) = matches(FOUR_KITA)
    with opened(match, size=PHONE) as page:
        for size in page.sizes(PHONE, (740, 360), (768, 1024), (1280, 800)):
            moments = page.evaluate(MOMENTS)
            assert len(moments) == 4 * len(match.frames)
            assert all(moment == moments[0] for moment in moments), size
            assert max(page.box("#buttons .main")["bottom"], page.box("#quick *:visible")["bottom"]) <= size[1], size


def test_thumb(opened: Opened) -> None:
    """On a phone the buttons for one step are at the bottom, wide and high enough for a thumb."""
    with opened("plain.xml", size=PHONE) as page:
        button = page.box("#buttons .main")
        assert button["width"] > 150
        assert button["height"] >= 48
        assert 740 - button["bottom"] < 12


@pytest.mark.parametrize(
    ("name", "link"), [("double-ron.xml", "#frame=E1-1&step=999"), ("ura-dora.xml", "#frame=E1-0&step=999")]
)
def test_sheet(opened: Opened, name: str, link: str) -> None:
    """On a phone the outcome is a sheet above the bar, with the totals and payments in sight."""
    with opened(name, link, PHONE) as page:
        for lang in ("en", "ja"):
            page.evaluate("(lang) => { jmjp.view.go({lang}); outcome.scrollTo(0, 0); }", lang)
            sheet, payments = page.box("#outcome"), page.box(".payments")
            assert sheet["bottom"] <= page.box("#controls")["y"] + 1, lang
            assert sheet["y"] > 140, lang
            assert payments["bottom"] <= sheet["bottom"], lang
            assert page.box("#outcome h2")["y"] < payments["y"] < page.box("#outcome .shown")["y"], lang
            page.evaluate("outcome.scrollTo(0, 9999)")
            assert page.box("#outcome .win:last-child")["bottom"] <= sheet["bottom"], lang


def test_sheet_goes_away(opened: Opened) -> None:
    """The sheet is dragged down or tapped away, and stays if it is dragged only a little."""
    with opened("plain.xml", "#frame=E1-0&step=999", PHONE) as page:
        for by, gone in ((30, False), (100, True), (0, True)):
            page.evaluate("jmjp.view.go({quiet: false})")
            handle = page.box(".sheet")
            x, y = handle["x"] + handle["width"] / 2, handle["y"] + 8
            page.mouse.move(x, y)
            page.mouse.down()
            page.mouse.move(x, y + by)
            page.mouse.up()
            assert page.is_hidden("#outcome") is gone


def test_slider_and_thumb(opened: Opened) -> None:
    """A finger that moves across the slider scrolls the page; one that moves along it, or taps, seeks."""
    with opened("plain.xml", size=PHONE, has_touch=True) as page:
        session = page.context.new_cdp_session(page.tab)
        slider = page.box("#slider")
        middle = [slider["x"] + slider["width"] / 2, slider["y"] + slider["height"] / 2]

        def swipe(*ways: tuple[float, float]) -> None:
            touch(session, "touchStart", middle)
            for x, y in ways:
                touch(session, "touchMove", [middle[0] + x, middle[1] + y])
            touch(session, "touchEnd")

        swipe((1, -20), (2, -60), (40, -120))
        page.wait_for_timeout(50)
        assert page.evaluate("jmjp.view.step") == 0
        swipe((20, 1), (40, 2))
        until(page, "jmjp.view.step > 15")
        swipe()
        until(page, "jmjp.view.step === 15")


def touch(session: Any, kind: str, *points: list[float]) -> None:
    """Touch the page, as a finger does."""
    session.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": [{"x": x, "y": y} for x, y in points]})


@pytest.mark.parametrize(("line", "most"), [(FOUR_KANS, 4), (FOUR_KITA, 8)])
def test_many_melds(opened: Opened, line: str, most: int) -> None:
    """However many melds a hand has, it is on one line above the bar and in the window if it is near, and on the table
    if it is not."""
    (match,) = matches(line)
    melds = [[len(hand.melds) for hand in frame.end.hands] for frame in match.frames]
    frame = max(range(len(melds)), key=lambda index: max(melds[index]))
    seat = melds[frame].index(max(melds[frame]))
    assert max(melds[frame]) == most
    wide = "one.scrollWidth - one.clientWidth"
    with opened(match, f"#frame={match.frames[frame].start.name}&step=999&seat={seat}", PHONE) as page:
        page.press("r")
        for size in page.sizes(PHONE, (768, 1024), (1280, 800), (740, 360)):
            tiles = page.boxes("#own .tile")
            assert max(tile["right"] for tile in tiles) <= page.box("#room")["right"] + 1, size
            assert min(tile["x"] for tile in tiles) >= 0, size
            assert len({round(part["bottom"]) for part in page.boxes("#own .hand > .tile, #own .meld")}) == 1, size
            limit = page.box("#controls")["y"] if size[0] < size[1] else size[1]
            assert max(tile["bottom"] for tile in tiles) <= limit, size
        page.size(1280, 800)
        page.evaluate("(seat) => jmjp.view.go({seat})", (seat + 1) % len(melds[frame]))
        assert max(page.each(".strip", wide)) <= 1


def test_table_takes_the_height(opened: Opened) -> None:
    """In a wide window the controls stand beside the table, which takes the height with the near hand."""
    least = {(740, 360): 330, (640, 400): 370, (1280, 720): 670, (1280, 800): 750}
    with opened("plain.xml", "#frame=E1-0&step=9") as page:
        for size in page.sizes(*least):
            board, own, controls = map(page.box, ("#board", "#own", "#controls"))
            assert board["width"] >= least[size], size
            assert own["bottom"] - board["y"] >= 0.95 * size[1], size
            assert controls["x"] >= board["right"], size
            assert controls["bottom"] <= size[1], size
            assert page.evaluate("document.documentElement.scrollWidth") == size[0]


# --- the large screen ------------------------------------------------------------------------------------------------


def test_ranking_in_sight(opened: Opened) -> None:
    """After the last hand the final ranking is in sight: places, points, uma and results."""
    with opened("plain.xml", "#frame=E3-1&step=999") as page:
        for size in page.sizes((390, 844), (1280, 800)):
            limit = min(page.box("#outcome")["bottom"], page.box("#controls")["y"])
            assert page.box(".final")["bottom"] <= limit, size
        assert page.inner_texts(".final tbody tr td:not(.change)")[:4] == ["1st", "34300", "+20", "+44.0"]
        page.press("ArrowLeft")
        assert page.count(".final") == 0


def test_outcome_at_the_side(opened: Opened) -> None:
    """On a large screen the outcome, even of a double ron, is whole and covers nothing of the table."""
    (match,) = read(FIXTURES / "valid" / "double-ron.xml")
    with opened(replace(match, results=None, final_points=None), "#frame=E1-1&step=999") as page:
        for size in page.sizes((1280, 800), (2560, 1440)):
            outcome = page.box("#outcome")
            assert outcome["x"] >= page.box("#board")["right"], size
            assert outcome["bottom"] <= page.box("#controls")["y"], size
            assert is_whole(page, "#outcome"), size
        assert page.count("#outcome section.win") == 2


def test_scores_beside_the_table(opened: Opened) -> None:
    """On a large screen at least fourteen hands of the score table are in sight, a line each, and the current hand."""
    (match,) = matches(FOUR_KANS)
    with opened(match, f"#frame={match.frames[-1].start.name}&step=3", (1280, 800)) as page:
        controls = page.box("#controls")
        hands = page.boxes("#scores tbody")
        whole = [hand for hand in hands if hand["bottom"] <= controls["y"]]
        assert len(hands) > 8
        assert len(whole) >= min(len(hands), 14)
        assert page.box("#scores [aria-current]")["bottom"] <= controls["y"]
        wide = "one.scrollWidth > one.clientWidth && one.textContent"
        assert set(page.each("#scores td", wide)) == {False}
        assert page.evaluate("scrollY") == 0


def test_names_in_the_corners(opened: Opened) -> None:
    """A player's name is in the corner at the right hand, whole if it is of usual length."""
    with opened("plain.xml", size=(1280, 800)) as page:
        names = page.each(".seat", "[one.querySelector('.name').textContent, one.dataset.player]")
        assert names == [["Kaede", "0"], ["Tsubaki", "1"], ["山茶花", "2"], ["Nazuna", "3"]]
        assert True not in page.each(".seat .name", "one.scrollWidth > one.clientWidth")


def test_longest_names_of_tenhou(opened: Opened) -> None:
    """A name of eight wide letters, the longest at Tenhou, is whole in the corner and meets no tile."""
    (match,) = read(FIXTURES / "valid" / "plain.xml")
    named = tuple(replace(one, full_name=Name(Text("名前が長い対局者"))) for one in match.players)
    cut = "one.scrollWidth > one.clientWidth + 1 || one.scrollHeight > one.clientHeight + 1"
    with opened(replace(match, players=named), "#frame=E1-0&step=999") as one:
        for size in one.sizes((360, 740), (390, 844), (740, 360), (768, 1024), (1920, 1080)):
            assert True not in one.each(".corner .name", cut), size
            assert one.evaluate(MET, [".corner .name", "#board .tile"]) == [], size


MET = """([first, second]) => {
  const boxes = (at) => [...document.querySelectorAll(at)].map((one) => [one.textContent, one.getBoundingClientRect()]);
  const meet = (one, other) => Math.min(one.right, other.right) - Math.max(one.left, other.left) > 1
    && Math.min(one.bottom, other.bottom) - Math.max(one.top, other.top) > 1;
  return boxes(first).flatMap(([text, box]) => boxes(second)
    .filter(([, other]) => meet(box, other)).map(([other]) => [text, other]));
}"""


def test_outcome_of_a_short_window(opened: Opened) -> None:
    """In a short window, the button that closes the outcome covers no text, and the outcome no part of a button."""
    with opened("plain.xml", "#frame=E1-0&step=999", size=(740, 360)) as page:
        for lang in ("en", "ja"):
            page.evaluate("(lang) => jmjp.view.go({lang})", lang)
            assert page.count("#outcome .payments") == 1
            assert page.evaluate(MET, ["#outcome .close", "#outcome :is(h2 > *, td, .place)"]) == [], lang
            outcome = page.box("#outcome")
            assert page.box("#quick")["bottom"] <= outcome["bottom"] + 1, lang
            assert outcome["bottom"] <= page.box("#buttons")["y"] + 4, lang


def test_lines_of_the_score_table(opened: Opened) -> None:
    """A line separates the players, since a placement is next to the change of the player before."""
    with opened("plain.xml", size=(1280, 800)) as page:
        lines = page.each("#scores tr:not(.ended) td", "getComputedStyle(one).boxShadow")
        assert len(lines) > 4
        assert "none" not in lines


def test_columns_of_plays(opened: Opened) -> None:
    """The list of plays has a column for each player, so that three have more room for their names."""
    for name, players in (("plain.xml", 4), ("../json/valid/sanma.jsonl", 3)):
        with opened(name, size=(390, 844)) as page:
            page.click("[data-tab='plays']")
            columns = page.get("#plays", "getComputedStyle(one).gridTemplateColumns.split(' ').length")
            assert columns == page.count("#plays .head") == players


# --- the table -------------------------------------------------------------------------------------------------------

OVERLAPS = """(everySeat) => {
  const wrong = [], board = document.getElementById("board").getBoundingClientRect();
  const boxes = (at) => [...document.querySelectorAll(`#board ${at}`)].map((one) => [one, one.getBoundingClientRect()]);
  const least = board.width / 300;
  const meet = (one, other) => Math.min(one.right, other.right) - Math.max(one.left, other.left) > least
    && Math.min(one.bottom, other.bottom) - Math.max(one.top, other.top) > least;
  for (const [index, frame] of jmjp.game.frames.entries()) for (let seat = 0; seat < jmjp.game.players; seat += 1) {
    for (let step = 1; step <= frame.events.length; step += 1) {
      const {type} = frame.events[step - 1];
      const ended = step === frame.events.length;
      if (!ended && !jmjp.view.words.call[type]) continue;
      if (!ended && !everySeat && step % jmjp.game.players !== seat) continue;
      jmjp.view.go({index, step, seat});
      const where = `${frame.name} ${step} seat ${seat}`;
      const parts = [":is(.pond, .strip) .tile", ".corner .name", ".call"].map(boxes);
      const [tiles, others] = [parts[0], parts.flat()].map((all) =>
        all.map(([one, box]) => ({one, box, of: one.closest(".pond, .strip")})));
      for (const [call, box] of parts[2])
        for (const [other, its] of boxes(".corner :is(.name, .behind)"))
          if (meet(box, its)) wrong.push(`${where}: ${call.textContent} on ${other.textContent}`);
      for (const {one, box, of} of tiles) {
        const [across, down] = [[board.left, board.right], [board.top, board.bottom + least]];
        if (box.left < across[0] || box.right > across[1] || box.top < down[0] || box.bottom > down[1])
          wrong.push(`${where}: ${one.dataset.face} is off the table`);
        for (const {one: other, box: its, of: own} of others)
          if (of !== own && meet(box, its)) wrong.push(`${where}: ${one.className} on ${other.className}`);
      }
    }
  }
  return wrong;
}"""


@pytest.mark.parametrize("line", [FOUR_KANS, FOUR_KITA, THREE_KANS])
def test_nothing_overlaps(opened: Opened, line: str) -> None:
    """After every call, from one seat or another, and at the end of every frame, from every seat, no tile of a player
    lies on another's, a name or the bubble of the call, and the bubble not on a name or a difference."""
    (match,) = matches(line)
    if line == THREE_KANS:  # its other frames are ordinary
        kans = [
            max(sum("kan" in type(meld).__name__.lower() for meld in hand.melds) for hand in frame.end.hands)
            for frame in match.frames
        ]
        assert max(kans) == 3
        match = replace(match, frames=(match.frames[kans.index(3)],))
    with opened(match, size=(1280, 800)) as page:
        assert page.evaluate(OVERLAPS, effort.long) == []


CENTRE = """async () => {
  jmjp.view.frame.start.points = [-12300, 112300, 8000, 24000];
  jmjp.view.frame.start.honba = 12;
  jmjp.view.go({index: 0, step: 0, seat: 1});
  await new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn)));
  const all = [...document.querySelectorAll(".plate > *, .round > *, .corner .name")]
    .filter((one) => one.checkVisibility());
  const boxes = all.map((one) => [one, one.getBoundingClientRect()]);
  const meet = (one, other) => Math.min(one.right, other.right) - Math.max(one.left, other.left) > 0.5
    && Math.min(one.bottom, other.bottom) - Math.max(one.top, other.top) > 0.5;
  const small = all.filter((one) => parseFloat(getComputedStyle(one).fontSize) < 10).map((one) => one.className);
  return [boxes.flatMap(([one, box], at) => boxes.slice(at + 1).filter(([, its]) => meet(box, its))
    .map(([other]) => `${one.textContent} on ${other.textContent}`)), small];
}"""


def test_centre_has_room(opened: Opened) -> None:
    """Points, differences, names, round and counters are legible and never meet, with six digits and long names too."""
    (match,) = matches(FOUR_KANS)
    long = tuple(replace(one, full_name=Name(Text("名前が長い Wandering Player"))) for one in match.players)
    with opened(replace(match, players=long)) as one:
        for size in one.sizes(PHONE, (740, 360), (1280, 800)):
            assert one.evaluate(CENTRE) == [[], []], size


COLUMNS = """() => {
  const inner = (node) => { const range = document.createRange(); range.selectNodeContents(node); return range; };
  const meet = (one, other) => Math.min(one.right, other.right) - Math.max(one.left, other.left) > -1
    && Math.min(one.bottom, other.bottom) - Math.max(one.top, other.top) > 0.5;
  return [...document.querySelectorAll("#scores tr:not(.ended)")].flatMap((row) => {
    const cells = [...row.querySelectorAll("td > *")];
    const texts = cells.map((one) => [one.textContent, inner(one).getBoundingClientRect()]);
    return texts.flatMap(([one, box], at) => texts.slice(at + 1).filter(([, its]) => meet(box, its))
      .map(([other]) => `${one} on ${other}`));
  });
}"""


def test_columns_of_the_score_table(opened: Opened) -> None:
    """Place, points and change never touch, of one player or of two, however many digits they have: 1 and 27900 are not
    127900."""
    (match,) = matches(FOUR_KANS)
    points = ((-55100, 85300, 31400, 38400), (10000, 20200, 31400, 38400))
    ends = [replace(frame.end, points=points[index % 2]) for index, frame in enumerate(match.frames)]
    starts = [replace(frame.start, points=points[1 - index % 2]) for index, frame in enumerate(match.frames)]
    frames = [
        replace(frame, start=start, end=end) for frame, start, end in zip(match.frames, starts, ends, strict=True)
    ]
    with opened(replace(match, frames=tuple(frames))) as page:
        assert page.count("#scores tbody td > *") > 12
        for size in page.sizes(PHONE, (740, 360), (1024, 768), (1280, 800), (1920, 1080)):
            assert page.evaluate(COLUMNS) == [], size


def test_date_in_sight(opened: Opened) -> None:
    """The date of the game is in sight, however long the names are."""
    (match,) = read(FIXTURES / "valid" / "plain.xml")
    players = [replace(player, full_name=Name(Text("長い名前の人々"))) for player in match.players]
    with opened(replace(match, players=tuple(players), date="20190418")) as page:
        assert page.inner_text("#when span") == "2019-04-18, "
        assert page.text_content("h1").endswith(" – 長い名前の人々, 2019-04-18")
        for size in page.sizes((360, 740), (740, 360), (1280, 800)):
            date, head = page.box("#when span"), page.box("header > div")
            assert date["bottom"] <= head["bottom"] + 1, size
            assert date["right"] <= head["right"] + 1, size


def test_switches_of_a_short_window(opened: Opened) -> None:
    """On a phone held sideways, no switch needs scrolling."""
    (match,) = matches(FOUR_KITA)
    with opened(match, size=(740, 360)) as page:
        for lang in ("en", "ja"):
            page.evaluate("(lang) => jmjp.view.go({lang})", lang)
            assert is_whole(page, "#switches"), lang


def test_outcome_leaves_the_buttons_above(opened: Opened) -> None:
    """Beside the table, the outcome covers nothing of the buttons in the head, and its corners hide what it lies on."""
    with opened("plain.xml", "#frame=E1-0&step=999") as page:
        for size in page.sizes((1280, 800), (1920, 1080)):
            assert page.box("header nav")["bottom"] <= page.box("#outcome")["y"], size
            assert page.get("#outcome", "getComputedStyle(one).clipPath") == "inset(0px)"
