"""The files of jmjp: line ends, one line, several matches; `test_written.py` has what is in them."""

from __future__ import annotations

import re

import pytest
from test_round_trip import FULL, each_way

from jmjp_convert.formats.jmjp.writer import write_jmjp
from jmjp_convert.model import Match, Player, Rules

EMPTY = Match(Rules(), (Player(),) * 4, ())


@pytest.mark.parametrize("spec", ["0", "1.0", "1.0-beta"])
def test_compact(spec: str) -> None:
    """Compact text is the same in one line, without comments and indentation."""
    pretty = write_jmjp(FULL, spec=spec).splitlines()
    joined = "".join(line.strip() for line in pretty if not line.strip().startswith("//"))
    assert write_jmjp(FULL, spec=spec, compact=True) == f"{joined}\n"


@each_way
def test_lines(spec: str, *, compact: bool) -> None:
    """A file ends with one line feed and has no other line ends, tabs or trailing spaces."""
    text = write_jmjp(FULL, spec=spec, compact=compact)
    assert text.endswith(")\n")
    assert not re.search(r"[\r\t]| \n|\n\n", text)
    assert text.count("\n") == 1 or not compact


def test_several_matches() -> None:
    """The default is dialect 1.0 with line breaks; several matches share a header."""
    text = write_jmjp(iter([FULL, EMPTY]))
    assert text == write_jmjp(FULL, spec="1.0", compact=False) + write_jmjp(EMPTY).partition("\n")[2]
    assert write_jmjp([EMPTY, EMPTY], compact=True).count("\n") == 1
