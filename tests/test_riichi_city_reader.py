"""Reading records of Riichi City: recognition, places of problems, findings, and hostile input."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from tables import table

from jmjp_convert.checks.match import check_match
from jmjp_convert.convert import Writing, written
from jmjp_convert.errors import RiichiCityError
from jmjp_convert.formats import detect
from jmjp_convert.formats.reading import Reading, read_content
from jmjp_convert.formats.riichi_city.notation import CARDS, RANKS, YAKU, YAKUMAN
from jmjp_convert.formats.riichi_city.reader import read_riichi_city
from jmjp_convert.formats.session import Locate
from jmjp_convert.model import House, Match, houses
from jmjp_convert.model.tiles import BY_NAME, FACES, ONE_RED_EACH, PHYSICAL
from jmjp_convert.model.yaku import NAMES

FOLDER = Path(__file__).parent.parent / "fixtures" / "riichi-city" / "valid"


def content(name: str) -> bytes:
    """Return a fixture."""
    return (FOLDER / f"{name}.riichi-city.json").read_bytes()


def edited(name: str, change: Callable[[dict[str, Any]], None]) -> bytes:
    """Return a fixture whose ``data`` was changed."""
    answer = json.loads(content(name))
    change(answer["data"])
    return json.dumps(answer).encode()


def read(record: bytes, **options: Any) -> Match:
    """Return the match of *record*."""
    (match,) = read_riichi_city(record, **options)
    return match


# --- recognition ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("start", "name"), table("riichi_city_reader", "detected"))
def test_detected(start: bytes, name: str | None) -> None:
    """A record, the server's error and events without a head are recognised by content, and no other JSON is."""
    detected = detect(start)
    assert (detected and detected.name) == name


def test_any_name() -> None:
    """A record is read under any file name, and so is a list of records."""
    loaded = read_content(content("pao"), "x.txt", Reading(), pytest.fail)
    assert [len(match.frames) for match in loaded.matches] == [1]
    both = b"[" + content("pao") + b"," + content("data-alone") + b"]"
    assert [match.frames[0].start.name for match in read_riichi_city(both)] == ["W2-0", "E1-0"]


def test_written_by_frame() -> None:
    """Games of private rooms are written as tenhou6 in every way, and the output is verified."""
    for path in sorted(FOLDER.glob("*.riichi-city.json")):
        match = read(path.read_bytes())
        for option in ("per_frame", "url"):
            assert written([match], Writing("tenhou6", **{option: True}), lambda _: None).content


# --- problems and their places ----------------------------------------------------------------------------------------


def test_places_of_the_match() -> None:
    """A problem of the whole match is where its value is: that of a frame in its events, of the result in the last."""
    located: list[Locate] = []
    match = read(content("draws"), locate=located)
    errors = [located[0](error) for error in check_match(match)]
    assert [(error.frame, error.pointer) for error in errors] == [  # type: ignore[attr-defined]
        ("E1-4", "/data/handRecord/4/handEventRecord/6/data"),
        ("E1-5", "/data/handRecord/5/handEventRecord/6/data"),
        ("E1-6", "/data/handRecord/6/handEventRecord/6/data"),
    ]
    late = read(content("double-ron").replace(rb"\"score\":900", rb"\"score\":901"), locate=located)
    (error,) = check_match(late)
    assert str(located[1](error)) == (
        "line 1: /data/handRecord/0/handEventRecord/9/data: the results add up to 0.1; 0 expected"
    )


# --- what a record holds ----------------------------------------------------------------------------------------------


def test_tables() -> None:
    """Every card, tile of a wall, yaku and rank has one meaning, and every tile and yaku of the game has a number."""
    assert sorted(CARDS.values()) == sorted(BY_NAME.values()) == list(range(PHYSICAL, PHYSICAL + len(FACES)))
    assert set(YAKU.values()) <= set(range(len(NAMES)))
    assert {YAKU[number] for number in YAKUMAN} >= {37, 38, *range(39, 52)}
    assert len(set(RANKS)) == len(RANKS) == 22


def test_title_shows_the_room() -> None:
    """The name of a ranked room, in either script, shows that the game is ranked; that of a private one no options."""
    for room, length, players in ((1, 1, 4), (4, 2, 3)):
        title = houses.riichi_city_title("ranked", room, length, players)
        for text in (title.native, title.roman):
            rules = houses.rules_of(text, None, players=players, red_fives=ONE_RED_EACH, lobby=None)
            assert (rules.house, rules.lobby, rules.custom) == (House.RIICHI_CITY, 0, ())
    private = houses.riichi_city_title("friends", 0, 2, 4)
    rules = houses.rules_of(private.native, "c0ffee00000000000000", players=4, red_fives=None, lobby=None)
    assert (rules.house, rules.lobby, rules.custom) == (House.RIICHI_CITY, None, (("title", "友人戦"),))


def test_ranked_game_stays_ranked() -> None:
    """A ranked game that is converted to tenhou6 is still judged by the rules of its room."""
    match = read(content("double-ron"))
    text = written([match], Writing("tenhou6"), lambda _: None).content
    again = read_content(text, "x.json", Reading(), pytest.fail).matches[0]
    assert (again.rules.house, again.rules.lobby) == (House.RIICHI_CITY, 0)
    assert houses.own_rules(again.rules) is None


@pytest.mark.parametrize(("head", "settings"), table("riichi_city_reader", "settings"))
def test_settings(head: dict[str, Any], settings: dict[str, str]) -> None:
    """Each option of the head that is not as in ranked games becomes a setting; unknown numbers are kept."""
    match = read(edited("breaks-off", lambda data: data.update(head)))
    assert dict(match.rules.custom) == {**settings, "pao for daiminkan": "off"}


# --- hostile input ----------------------------------------------------------------------------------------------------


def _times(count: int) -> Callable[[dict[str, Any]], None]:
    def change(data: dict[str, Any]) -> None:
        events = data["handRecord"][0]["handEventRecord"]
        events.extend([events[-1]] * count)

    return change


def test_many_events() -> None:
    """A frame of more events than any game has is refused."""
    with pytest.raises(RiichiCityError, match=r"expected at most 2,000 values, found 2,006"):
        read(edited("breaks-off", _times(2000)))
