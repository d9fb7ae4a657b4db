"""What an output says twice, or in one of several spellings, must agree with the rest of it."""

from __future__ import annotations

import re
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from expected import expecting
from tables import table

from jmjp_convert.api import dumps
from jmjp_convert.errors import UnprovenError
from jmjp_convert.formats import FORMATS
from jmjp_convert.formats.mjlog.reader import read_mjlog
from jmjp_convert.formats.roundtrip import prove
from jmjp_convert.model import handle
from jmjp_convert.model.record import replace

VALID = Path(__file__).parent.parent / "fixtures" / "valid"


@pytest.mark.parametrize("case", table("formats_repeats", "disagreement"))
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
