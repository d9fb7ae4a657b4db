"""The reader of tenhou6: how it reports what is wrong, guesses nothing silently, and stays within bounds."""

from __future__ import annotations

import json
import time
from pathlib import Path
from typing import Any
from urllib.parse import quote

import pytest
from expected import expecting
from tables import table

from jmjp_convert.errors import FormatError, Tenhou6Error
from jmjp_convert.formats import detect
from jmjp_convert.formats.json_values import At, WrongValue
from jmjp_convert.formats.reading import read
from jmjp_convert.formats.spellings import LIMIT_WORDS, plain
from jmjp_convert.formats.tenhou6.frames import first_playable, read_frame, result_of
from jmjp_convert.formats.tenhou6.notation import DRAW_KINDS, YAKU
from jmjp_convert.formats.tenhou6.order import MOST_STEPS, Order, PlayerTurns, Turn
from jmjp_convert.formats.tenhou6.reader import read_tenhou6
from jmjp_convert.formats.tenhou6.writer import write_matches, write_tenhou6
from jmjp_convert.model import DISCARDS, DRAWS, Discard, Draw, DrawKind, Limit, Match, Pon, Rules, Score, Start, Yaku
from jmjp_convert.model.tiles import any_copy
from jmjp_convert.model.yaku import LIMITS
from jmjp_convert.play.outcome_text import DRAWS as DRAW_NAMES

held = expecting("tenhou6")

VALID = Path(__file__).parent.parent / "fixtures" / "tenhou6" / "valid"


def whole(name: str = "plain") -> dict[str, Any]:
    """Return the object in the valid file *name*."""
    found: dict[str, Any] = json.loads((VALID / f"{name}.tenhou6.json").read_text(encoding="utf-8"))
    return found


def read_object(value: object, **options: Any) -> list[Match]:
    """Return the matches in the JSON of *value*."""
    return read_tenhou6(json.dumps(value).encode(), **options)


# --- findings --------------------------------------------------------------------------------------------------------


def test_payments_found() -> None:
    """Payments that do not add up are a finding if findings are asked for; otherwise they are ignored with a notice."""
    path = VALID / "stick-of-a-ronned-riichi.tenhou6.json"
    found: list[Tenhou6Error] = []
    (match,) = read_tenhou6(path, finding=found.append)
    assert [error.about("x") for error in found] == [
        "x:1: in frame E1-0, /log/0/16: the payments add up to 1000; 0 expected"
    ]
    assert [frame.start.name for frame in match.frames] == ["E2-0"]


def test_strict() -> None:
    """Strictly, everything that would only be noticed is rejected."""
    assert read(VALID / "unknown-keys.tenhou6.json")
    with pytest.raises(Exception, match='unknown key "playerMapping" ignored'):
        read(VALID / "unknown-keys.tenhou6.json", strict=True)


def test_once() -> None:
    """What is ignored is reported once, however often it occurs."""
    value = whole("unknown-keys")
    notices: list[str] = []
    read_object([value, value, value], notice=notices.append)
    assert len(notices) == len(set(notices)) == 3


# --- detection -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("key", sorted(whole("keys-in-another-order")))
def test_detected_by_any_key(key: str) -> None:
    """An object is recognized whichever key comes first, on one line or pretty-printed, alone or in a list."""
    value = whole("keys-in-another-order")
    turned = {key: value.pop(key), **value}
    for shown in (turned, [turned], {"unknown": [1, {"x": "y"}], **turned}):
        for indent in (None, 2):
            format_ = detect(json.dumps(shown, indent=indent).encode())
            assert format_ is not None
            assert format_.name == "tenhou6"


@pytest.mark.parametrize("text", table("tenhou6_reader", "not_detected"))
def test_not_detected(text: str) -> None:
    """JSON of other formats, and links without JSON, are not taken for tenhou6."""
    format_ = detect(text.encode())
    assert format_ is None or format_.name != "tenhou6"


# --- links -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "safe",
    ["", "-_.!~*'(),", '"', '{}[]":,()%', "{}[]:,()", "{}[]:,()飜点役牌東"],
    ids=["all", "editor", "quotes", "open", "brackets", "letters"],
)
def test_encoded_links(safe: str) -> None:
    """A link is read as the viewer decodes it, whatever part of it a program or browser has percent-encoded."""
    game = whole("riichi")
    game["name"][0] = "A B 東"
    said = json.dumps(game, ensure_ascii=False)
    if safe.endswith("%"):
        said = said.replace(" ", "%20")
    link = "https://tenhou.net/6/#json=" + quote(said, safe=safe)
    remarks: list[str] = []
    assert read_tenhou6(link.encode(), notice=remarks.append) == read_object(game)
    assert remarks == []


# --- the order of turns ----------------------------------------------------------------------------------------------

FACES = tuple(map(any_copy, ("1m", "2m")))


def with_calls(row: list[Any]) -> PlayerTurns:
    """Return the turns in *row*, with the calls among them."""
    return PlayerTurns(row, [turn.call for turn in row if isinstance(turn, Turn) and turn.call is not None])


def test_bounded() -> None:
    """A frame that looks like many orders, and has none, is given up in a short time."""
    pon = Pon(2, FACES[0], (FACES[0],) * 2, 0)
    rows: list[list[Any]] = [[(DRAWS[who][FACES[0]], DISCARDS[True][who][FACES[0]])] * 100 for who in range(4)]
    rows[2] = [Turn((pon, DISCARDS[False][2][FACES[1]]), pon, FACES[1])] * 100
    begun = time.process_time()
    with pytest.raises(WrongValue):
        list(Order(list(map(with_calls, rows)), 0).found())
    assert time.process_time() - begun < 20
    assert MOST_STEPS <= 1000


def test_two_orders() -> None:
    """If more than one order could be played, the first is taken and the frame named."""
    notices: list[str] = []
    first, second = (read_frame(At(whole()["log"][0], "/log/0"), Rules(), notices.append) for _ in range(2))
    assert isinstance(first.events[0], Draw)
    assert isinstance(first.events[1], Discard)
    assert first_playable([first, second], Rules(), notices.append) is first
    assert notices == ["frame E1-0: which of two equal discards was called is not recorded; read as the first"]


# --- words -----------------------------------------------------------------------------------------------------------


def test_own_words() -> None:
    """Every word that is written is read as what it stands for."""
    for number, word in enumerate(YAKU):
        found = score("1000点", f"{word}(1飜)")
        assert found is not None
        assert found.yaku == (Yaku(number, 1),)
    assert {kind: DRAW_KINDS[plain(names[0])] for kind, names in DRAW_NAMES.items()} == {
        kind: kind for kind in DrawKind
    }
    assert {limit: LIMIT_WORDS[plain(names[0])] for limit, names in LIMITS.items()} == {
        limit: limit for limit in LIMITS
    }


START = Start(5, 1, 0, 1, None, (25000,) * 4, ((0,) * 13,) * 4, None)
"""South 2, one honba: player 1 deals."""


def score(*said: str, who: int = 2, source: int = 3, changes: list[int] | None = None) -> Score | None:
    """Return the score of a win with these texts."""
    notices: list[str] = []
    value = ["和了", changes or [], [who, source, who, *said]]
    (win,) = result_of(At(value), START, notices.append).wins
    assert notices == []
    return win.score


@pytest.mark.parametrize(("text", "who", "source", "expected"), table("tenhou6_reader", "value"))
def test_value(text: str, who: int, source: int, expected: tuple[int | None, int, str, int | None]) -> None:
    """The value of a win is read from all the forms that programs write, the limit from points alone."""
    fu, points, limit, han = expected
    assert score(text, who=who, source=source) == Score(fu, points, Limit[limit], (), han)


def test_value_from_payments() -> None:
    """Without points in the text, they are what the winner gets besides sticks and honba."""
    assert score("", changes=[0, 0, 9300, -8300]) == Score(None, 8000, Limit.MANGAN)
    assert score("") is None


@pytest.mark.parametrize(("word", "number"), table("tenhou6_reader", "yaku"))
def test_yaku(word: str, number: int) -> None:
    """Yaku are understood in Japanese, Chinese and English; winds that are not named follow from round and seat."""
    assert score("1000点", f"{word}(1飜)") == Score(None, 1000, Limit.NONE, (Yaku(number, 1),))


def test_norths() -> None:
    """Norths set aside count as dora."""
    found = score("1000点", "ドラ(2飜)", "赤ドラ(1飜)", "抜きドラ(1飜)")
    assert found is not None
    assert found.yaku == (Yaku(54, 1), Yaku(52, 3))


@pytest.mark.parametrize("value", ["役満", "ダブル役満", "二倍役満", "役満x2", "Yakuman"])
def test_yakuman(value: str) -> None:
    """A yakuman has no han, however many it counts as."""
    assert score("役満64000点", f"大四喜({value})") == Score(None, 64000, Limit.YAKUMAN, (Yaku(49),))


# --- several matches -------------------------------------------------------------------------------------------------


def test_two_matches_alike() -> None:
    """Frames of two matches that would be read as those of one are not written to one file."""
    first, second = (read_object({**whole(), "log": [log]})[0] for log in whole("connections")["log"])
    with pytest.raises(FormatError, match="two matches with the same names would be read as one"):
        write_matches([first, second], per_frame=True)
    text = write_matches([second, first], per_frame=True)
    assert read_tenhou6(text.encode()) == [held(one, per_frame=True) for one in (second, first)]


def test_frames_out_of_order() -> None:
    """Frames that are not in order are only written as one object."""
    value = whole("connections")
    del value["connection"]
    (match,) = read_object({**value, "log": value["log"][::-1]})
    assert read_tenhou6(write_tenhou6(match).encode()) == [held(match)]
    with pytest.raises(FormatError, match=r"^frame E1-0 after E1-1 would be read as another match; leave out"):
        write_tenhou6(match, per_frame=True)


# --- hostile files ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("text", table("tenhou6_reader", "hostile", globals()), ids=range(12))
def test_hostile(text: str) -> None:
    """Deep, long and empty files are rejected in one line."""
    with pytest.raises(Tenhou6Error) as rejected:
        read_tenhou6(text.encode())
    assert "\n" not in str(rejected.value)
