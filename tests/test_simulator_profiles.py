"""The programs of simulated players."""

from __future__ import annotations

import re
from collections import defaultdict

from playing import games

MELD = re.compile(r'<N who="(\d)" m="(\d+)" />')


def test_closed_kans() -> None:
    """In logs before 2018, closed kans are encoded by their third tile for some players, and by their first for others;
    in later logs always by their first."""
    seen: dict[bool, set[int]] = {True: set(), False: set()}
    for game in games("--seed 1 --games 12 --wild --form base64"):
        sources = defaultdict(set)
        for who, code in MELD.findall(game.log):
            if not int(code) & 0x3F:
                sources[who].add(int(code) >> 8 & 3)
        assert all(len(of_one) == 1 for of_one in sources.values())
        seen[game.id < "2018"].update(*sources.values())
    assert seen == {True: {0, 2}, False: {0}}
