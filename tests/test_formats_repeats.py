"""What an output says twice, or in one of several spellings, must agree with the rest of it."""

from __future__ import annotations

import re
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from expected import expecting

from jmjp_convert.api import dumps
from jmjp_convert.errors import UnprovenError
from jmjp_convert.formats import FORMATS
from jmjp_convert.formats.mjlog.reader import read_mjlog
from jmjp_convert.formats.roundtrip import prove
from jmjp_convert.model import handle
from jmjp_convert.model.record import replace

VALID = Path(__file__).parent.parent / "fixtures" / "valid"
DETAILS = {"details": True}

CASES = [
    ("majiang", "plain", {}, r'"rank":\[(\d),(\d),', r'"rank":[\2,\1,', "rank is [2, 4, 1, 3]; the points are [8700"),
    ("majiang", "plain", {}, r'"fanshu":\d+,"defen"', '"defen"', "fanshu is None; the yaku add up to"),
    ("majiang", "plain", {}, '"name":"断幺九"', '"name":"タンヤオ"', "the name of a yaku is タンヤオ"),
    ("majiang", "plain", {}, r'"shoupai":\["m(\d)', r'"shoupai":["m\1m', "names a suit twice"),
    ("majiang", "yakuman", {}, '"damanguan":1', '"damanguan":2', "damanguan is 2; the yaku have 1 stars"),
    (
        "majiang",
        "yakuman",
        {},
        r'"damanguan":1(.*?)"\*"',
        r'"damanguan":2\1"**"',
        "defen is 48000; 2 stars are worth 96000",
    ),
    ("majiang", "plain", {}, r"(?s)^(.*)$", r"[\1]", "a list is only for several matches"),
    ("majiang", "four-winds", {}, '"四風連打"', '"四风连打"', "the name of a draw is 四风连打"),
    ("tenhou6", "plain", {}, '"ver":2.3', '"ver":2.4', "ver is 2.4"),
    ("tenhou6", "plain", {}, '"PF4"', '"PF3"', "ratingc is PF3 with 4 players"),
    ("tenhou6", "plain", {}, "1650,", "1650.0,", "rate has 1650.0"),
    ("tenhou6", "plain", {}, r"\[(11,|12,)(\d\d),", r"[\2,\1", "is not sorted"),
    ("tenhou6", "plain", {}, r"符\d飜", "符9飜", "9飜"),
    ("tenhou6", "plain", {}, '"断幺九', '"タンヤオ', "the yaku is タンヤオ"),
    ("tenhou6", "baiman-and-sanbaiman", {}, "倍満", "baiman", "baiman"),
    ("tenhou6", "four-winds", {}, '"四風連打"', '"四风连打"', "the result is 四风连打"),
    ("tenhou6", "four-winds", {}, '"四風連打"', '"四風連打",[0,0,0,0]', "the result is 四風連打 with payments of 0"),
    ("tenhou6", "exhaustive-2-tenpai", {}, '"流局"', '"全員聴牌"', "the result is 全員聴牌 with payments"),
    ("mjai", "plain", DETAILS, r'"fan":(\d)', r'"fan":1\1', "the yaku add up to"),
    (
        "mjai",
        "riichi-accepted",
        DETAILS,
        r'(reach_accepted.*"deltas":).*?\]',
        r"\1[0,0,0,0]",
        "the stick is paid as [0,",
    ),
    ("mjai", "exhaustive-2-tenpai", DETAILS, r'"tehais":.."\?",', '"tehais":[[', "tehais has [12, 10, 13, 13] tiles"),
    ("mjai", "plain", DETAILS, r'"hora_tehais":."\w+",', '"hora_tehais":[', "hora_tehais has"),
    ("mjai", "plain", {}, r'"hora","actor":\d,', '"hora",', "the winner (actor) is missing"),
    ("mjai", "plain", {}, '{"type":"start_kyoku"', '{ "type":"start_kyoku"', "a line that begins a frame is missing"),
]
"""A format, a fixture, options, a pattern in the output, what takes its place, and a part of the message."""


@pytest.mark.parametrize("case", CASES)
def test_disagreement(case: tuple[str, str, dict[str, Any], str, str, str]) -> None:
    """An output in which a repeated value or a word is changed is refused, though it reads back the same."""
    to, name, options, pattern, other, message = case
    match = read_mjlog(VALID / f"{name}.xml")
    format_ = FORMATS[to]
    assert format_.read is not None
    usual = {option.name: option.default for option in format_.options} | options
    text = dumps(match, to, **options)
    changed, count = re.subn(pattern, other, text, count=1)
    assert count
    prove(text.encode(), [expecting(to)(match, **usual)], format_.read, partial(format_.repeats, written=[match]))
    with pytest.raises(UnprovenError, match=re.escape(message)):
        prove(
            changed.encode(), [expecting(to)(match, **usual)], format_.read, partial(format_.repeats, written=[match])
        )


@pytest.mark.parametrize(
    ("to", "options"), [("tenhou6", {}), ("tenhou6", {"per_frame": True}), ("tenhou6", {"url": True}), ("mjai", {})]
)
def test_separators_in_names(to: str, options: dict[str, Any]) -> None:
    """A character in a name that ends a line elsewhere, or looks like a link, does not end a line here."""
    match = read_mjlog(VALID / "plain.xml")
    players = (replace(match.players[0], full_name=handle("a\u2028b\x85/6/#json=%20")), *match.players[1:])
    assert dumps(replace(match, players=players), to, **options)
