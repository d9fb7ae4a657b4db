"""The page on points: what a win consists of, the marks of its tile, the panels of waits, safety and conditions."""

from __future__ import annotations

from typing import Any

import pytest
from browsing import FIXTURES, Opened, plain, read
from playing import NORMAL, matches, rare
from test_check_score_breakdown import changed

from jmjp_convert.checks.score.hand_value import Fu
from jmjp_convert.errors import MissingExtraError
from jmjp_convert.formats.mjlog.reader import read_mjlog
from jmjp_convert.model import Limit, Match, RiichiAccepted, Rules, Score, Win, Yaku
from jmjp_convert.model.record import replace
from jmjp_convert.view import scored

VALID = FIXTURES / "valid"
SIDEWAYS = (740, 360)
MARKED = "[one.parentElement.className.split(' ')[0], one.dataset.face]"
CUT_OFF = """(lang) => {
  const wrong = [];
  for (const [index, frame] of game.frames.entries()) {
    view.go({index, step: frame.events.length, lang});
    const panel = byId("outcome").getBoundingClientRect();
    for (const one of document.querySelectorAll("#outcome :is(.yaku li, tbody tr)"))
      if (one.getClientRects().length && one.getBoundingClientRect().bottom > panel.bottom)
        wrong.push(`${frame.name} ${one.textContent}`);
  }
  return wrong;
}"""


def line(page: Any, at: str) -> str:
    """Return the text of an element on one line."""
    return " ".join(page.inner_text(at).split())


def test_fu_names() -> None:
    """Everything that gives fu has a name in both languages."""
    assert list(scored.FU) == list(Fu)
    assert all(len(set(names)) == 2 and all(names) for names in scored.FU.values())


# --- what a win consists of -------------------------------------------------------------------------------------------


def test_parts(opened: Opened) -> None:
    """The outcome has the fu in parts, rounded up, and hand, honba and sticks as a sum; the second of two winners gets
    the hand alone."""
    with opened("double-ron.xml", "#frame=E1-1&step=999") as page:
        first, second = (f"#outcome .win:nth-of-type({number})" for number in (1, 2))
        assert line(page, f"{first} .parts >> nth=0") == "Fu: 20 base + 10 closed ron = 30"
        assert line(page, f"{first} .parts >> nth=1") == "Total: 2000 + 300 (1 honba) + 1000 (1 riichi stick) = 3300"
        assert line(page, f"{second} .parts") == "Fu: 20 base + 10 closed ron + 2 kanchan wait = 32 → 40"
        page.press("l")
        assert line(page, f"{first} .parts >> nth=1") == "収入: 2000 + 300 (1本場) + 1000 (供託1本) = 3300"
        assert page.count("#outcome .differs") == 0


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("kazoe-yakuman.xml", "13 han, counted yakuman, 32000 points"),
        ("baiman-and-sanbaiman.xml", "11 han, sanbaiman, 24000 points"),
    ],
)
def test_han_of_limits(opened: Opened, name: str, said: str) -> None:
    """From haneman on, the headline has no fu; a yakuman by han alone is a counted one."""
    with opened(name, "#frame=E1-0&step=999") as page:
        heads = page.evaluate(
            "game.frames.map((f, index) => (view.go({index, step: f.events.length}), "
            "document.querySelector('#outcome h2').innerText.replace(/\\s+/g, ' ')))"
        )
        assert any(said in head for head in heads), heads


def test_differences(opened: Opened) -> None:
    """Where the record and the computation differ, the outcome says what is computed: value, yaku and payments."""
    yaku = (Yaku(1, 1), Yaku(0, 1), Yaku(7, 1), Yaku(8, 1))
    wrong = changed(plain(), 0, score=Score(20, 5200, Limit.NONE, yaku), changes=(-2600, 6200, -1300, -1300))
    with opened(wrong, "#frame=E1-0&step=999") as page:
        assert "20 fu 4 han, 5200 points" in line(page, "#outcome h2")
        assert line(page, "#outcome .differs >> nth=0").startswith(
            "Computed from the play: 20 fu 5 han, mangan, 8000 points"
        )
        assert "Dora" in page.inner_text("#outcome .yaku >> nth=1")
        assert line(page, "#outcome .differs >> nth=1") == (
            "Computed payments: Kaede −4000 Tsubaki +9000 山茶花 −2000 Nazuna −2000"
        )


def test_incomplete_record(opened: Opened) -> None:
    """Fu and yaku that the record leaves out are shown as computed, not as a difference."""
    match = changed(plain(), 0, score=Score(None, 8000, Limit.MANGAN, (), han_alone=5))
    with opened(match, "#frame=E1-0&step=999") as page:
        assert line(page, "#outcome .parts >> nth=-1").startswith("Computed from the play: 20 fu 5 han, mangan")
        assert "Pinfu" in page.inner_text("#outcome .yaku >> nth=-1")
        assert page.count("#outcome .differs") == 0


def test_without_the_extra(opened: Opened, monkeypatch: pytest.MonkeyPatch) -> None:
    """Without the extra, the page shows what is recorded, the sum too, and says how to have the rest."""

    def missing(*_: object) -> None:
        raise MissingExtraError("scoring", "score")

    monkeypatch.setattr(scored, "accounts", missing)
    with opened(read_mjlog(VALID / "double-ron.xml"), "#frame=E1-1&step=999") as page:
        parts = page.inner_texts("#outcome .win:nth-of-type(1) .parts")
        assert len(parts) == 2
        assert parts[0].startswith("Total: 2000 + 300 (1 honba)")
        assert 'pipx install --force ".[score]"' in parts[1]
        page.press("ArrowLeft", "ArrowLeft", "m")
        assert 'pipx install --force ".[score]"' in page.inner_text("#study")
        assert page.count("#study .worths") == 0
        assert page.count("#study .waits") > 0


def test_unknown_rules(opened: Opened) -> None:
    """If the rules are not known, the page says that nothing was computed."""
    with opened(replace(plain(), rules=Rules(4)), "#frame=E1-0&step=999") as page:
        assert "the rules of this game are not known" in page.inner_text("#outcome .parts >> nth=-1")


# --- the tile of a win ------------------------------------------------------------------------------------------------


def marked(page: Any) -> list[list[str]]:
    """Return where the marked tiles are, and their faces."""
    marks: list[list[str]] = page.each(":is(#board, #own) .tile.latest", MARKED)
    return marks


def test_double_ron(opened: Opened) -> None:
    """The tile dealt in stays marked in the pond for the second of two wins, and the first call stays with it."""
    with opened("double-ron.xml", "#frame=E1-1&step=14") as page:
        for step, calls in ((14, 0), (15, 1), (16, 2)):
            page.evaluate("step => view.go({step})", step)
            assert page.texts(".call") == ["Ron"] * calls
            assert marked(page) == [["row", "5p"]], step


def test_tsumo(opened: Opened) -> None:
    """The tile of a tsumo is marked in the hand, and no discard is."""
    with opened("plain.xml", "#frame=E1-0&step=999") as page:
        assert marked(page) == [["hand", "8s"]]


def test_robbed(opened: Opened) -> None:
    """The tile of a robbed kan is marked in the winner's hand."""
    (match,) = read(VALID / "robbed-kakan.xml")
    with opened(match, f"#frame={match.frames[0].start.name}&step=999") as page:
        ((where, _),) = marked(page)
        assert where == "hand"


@pytest.mark.parametrize(
    ("name", "link", "words"),
    [
        ("several-yakuman", "#frame=E1-0&step=999", {"en": "double yakuman, 64000 points", "ja": "ダブル役満 64000点"}),
        ("pao-in-double-ron", "#frame=E3-0&step=999", {"en": "yakuman, 48000 points", "ja": "役満 48000点"}),
    ],
)
def test_several_yakuman(opened: Opened, name: str, link: str, words: dict[str, str]) -> None:
    """Two yakuman at once are named a double yakuman, by what they are paid: the dealer's 48000 are one."""
    match = next(iter(matches(rare(name))))
    with opened(match, link) as page:
        for lang, text in words.items():
            page.evaluate("lang => view.go({lang})", lang)
            assert page.texts("#outcome h2 strong")[-1] == text


def test_whole_outcome_sideways(opened: Opened) -> None:
    """On a phone held sideways, all yaku of every win, the payments and the final ranking are in sight, with long lists
    and several winners too."""
    rows = ("kazoe-yakuman", "several-yakuman", "pao-in-double-ron")
    long_lists = [longest(match) for row in rows for match in matches(rare(row))]
    games = [plain(), read_mjlog(VALID / "double-ron.xml"), read_mjlog(VALID / "ura-dora.xml"), *long_lists]
    for match in games:
        with opened(match, size=SIDEWAYS) as page:
            for lang in ("en", "ja"):
                assert page.evaluate(CUT_OFF, lang) == [], lang


def longest(match: Match) -> Match:
    """Return *match* with its last frame and those alone that have the most yaku or several wins."""
    wins = [[event for event in frame.events if isinstance(event, Win)] for frame in match.frames]
    yaku = [sum(len(win.score.yaku) for win in some if win.score) for some in wins]
    kept = [at for at, some in enumerate(wins) if len(some) > 1 or yaku[at] == max(yaku)]
    return replace(match, frames=tuple(match.frames[at] for at in sorted({*kept, len(wins) - 1})))


# --- panels -----------------------------------------------------------------------------------------------------------


def test_dead_waits(opened: Opened) -> None:
    """A wait of which no tile is left is greyed, in the table and at the hand."""
    dead = """() => {
      for (const [index, frame] of game.frames.entries()) for (let step = 0; step <= frame.events.length; step += 1)
        for (let player = 0; player < game.players; player += 1) {
          const state = replay(frame, step);
          const waits = (!state.wins.length && readingOf(frame, step, state, player)?.waits) || [];
          if (waits.some(({left}) => !left)) return {index, step, waits: true};
        }
      return null;
    }"""
    for match in matches(NORMAL):
        with opened(match) as page:
            moment = page.evaluate(dead)
            if moment is None:
                continue
            page.evaluate("place => view.go(place)", moment)
            assert page.count("#study .worths tr.dead") >= 1
            assert page.count(".reading .dead") >= 1
            return
    pytest.fail("no dead wait in these games")


def test_safety_panel(opened: Opened) -> None:
    """The panel lists the tiles of the near hand by what is known of them against the player in riichi."""
    with opened("plain.xml", "#frame=E1-0&step=26") as page:
        page.press("f")
        heads = page.each("#study .reading-of h3", "one.textContent")
        assert heads == ["Safety: S TsubakiRiichi"]
        rows = page.each(
            "#study .choices tr",
            "[one.firstChild.textContent, ...[...one.querySelectorAll('.tile')].map((tile) => tile.dataset.face)]",
        )
        assert {row[0] for row in rows} <= set(page.evaluate("Object.values(TEXTS.en.safetyOf)"))
        in_hand = set(page.each("#own .hand .tile", "one.dataset.face"))
        assert {face for _, *faces in rows for face in faces} == in_hand
        page.reload()
        assert page.get_attribute("#safety-switch", "aria-pressed") == "true"


def test_nobody_to_fear(opened: Opened) -> None:
    """Without a riichi or an open hand the panel says so."""
    with opened("plain.xml", "#frame=E1-0&step=1") as page:
        page.press("f")
        assert line(page, "#study") == "Study Nobody else is in riichi or has an open hand"


def last_hand() -> Match:
    """Return a game of one frame, its last one."""
    match = plain()
    (frame, *_) = match.frames
    start = replace(frame.start, round=7, honba=1, points=(33000, 25100, 22000, 19900))
    events = tuple(
        replace(event, points=None) if isinstance(event, RiichiAccepted) else event for event in frame.events
    )
    return replace(match, frames=(replace(frame, start=start, events=events),))


def test_conditions_panel(opened: Opened) -> None:
    """In the last hand a switch shows what each player needs for each better place; elsewhere there is none."""
    with opened("plain.xml") as page:
        assert page.is_hidden("#conditions-switch")
        assert page.is_hidden("#conditions")
    with opened(last_hand(), "#frame=S4-1&step=1") as page:
        assert page.is_hidden("#conditions")
        page.click("#conditions-switch")
        rows = page.each("#conditions tr", "one.innerText.split(/\\s+/).filter(Boolean).join(' ')")
        assert rows[:4] == [
            "Player Tsumo Direct hit Other ron",
            "S Tsubaki to 1st 1300/2600 20 fu 4 han 3900 30 fu 3 han 7700 30 fu 4 han",
            "W 山茶花 to 2nd 600/1200 70 fu 1 han 1300 40 fu 1 han 2900 90 fu 1 han",
            "to 1st 1800/3600 110 fu 2 han 5800 90 fu 2 han 12000 haneman",
        ]
        assert rows[4] == "N Nazuna to 3rd 400/700 20 fu 2 han any win 2000 30 fu 2 han"
        assert len(rows) == 7
        page.press("End")
        assert page.is_hidden("#conditions")
