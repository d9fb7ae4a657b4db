#!/usr/bin/env python3
"""Change one tile, meld code, score or turn in valid logs, and report what share of the changes is detected.

Only mutants that are read as a different game count: with different faces, turns, points or melds.
"""

from __future__ import annotations

import re
import sys
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path
from random import Random
from typing import Any, NamedTuple

import activate  # noqa: F401 - before what needs its packages
from commandline import Parser, at_least, run

from jmjp_convert.checks.match import check_match
from jmjp_convert.checks.score import check_score
from jmjp_convert.checks.wall import Agreement, check_wall
from jmjp_convert.errors import ConvertError
from jmjp_convert.formats.mjlog.reader import read_mjlog
from jmjp_convert.model import Disconnected, Match, Record, Returned, fields, tiles

EACH = 10
"""Default number of mutants per game."""


class Mutant(NamedTuple):
    """A changed log: *what* was changed, the text *before* and *after*, and the whole *text*."""

    what: str
    before: str
    after: str
    text: str


Change = Callable[[Random, str], str]


def _number(lowest: int, highest: int) -> Change:
    def changed(chance: Random, word: str) -> str:
        return str(chance.choice([number for number in range(lowest, highest + 1) if number != int(word)]))

    return changed


def _near(chance: Random, word: str) -> str:
    """Return a different number nearby in the same notation."""
    return str((float if "." in word else int)(word) + chance.choice((-10, -1, 1, 10)))


def _code(chance: Random, word: str) -> str:
    """Return a meld code with one bit flipped."""
    return str(int(word) ^ (1 << chance.randrange(16)))


def _letter(letters: str) -> Change:
    return lambda chance, word: chance.choice([letter for letter in letters if letter != word])


_TILE, _PLAYER = _number(0, 135), _number(0, 3)

SITES: tuple[tuple[str, str, Change], ...] = (
    ("drawn tile", r"<[TUVW]([0-9]+)/>", _TILE),
    ("discarded tile", r"<[DEFG]([0-9]+)/>", _TILE),
    ("tile dealt", r'hai[0-3]="(?:[0-9]+,)*?([0-9]+)(?=[,"])', _TILE),
    ("indicator", r'<INIT seed="(?:[0-9]+,){5}([0-9]+)"', _TILE),
    ("indicator", r'<DORA hai="([0-9]+)"', _TILE),
    ("indicator", r'doraHai(?:Ura)?="(?:[0-9]+,)*?([0-9]+)(?=[,"])', _TILE),
    ("winning tile", r' machi="([0-9]+)"', _TILE),
    ("tile shown", r' hai="(?:[0-9]+,)+?([0-9]+)(?=[,"])', _TILE),
    ("meld", r'<N who="[0-3]" m="([0-9]+)"', _code),
    ("meld", r' m="(?:[0-9]+,)*?([0-9]+)(?=[,"])', _code),
    ("points", r'<INIT [^>]*?ten="(?:[0-9-]+,)*?([0-9-]+)(?=[,"])', _near),
    ("points", r'<REACH [^>]*?ten="(?:[0-9-]+,)*?([0-9-]+)(?=[,"])', _near),
    ("worth", r'<AGARI [^>]*? ten="(?:[0-9]+,){0,1}?([0-9]+),', _near),
    ("payment", r' sc="(?:[0-9-]+,)*?([0-9-]+)(?=[,"])', _near),
    ("sticks and honba", r' ba="(?:[0-9]+,)?([0-9]+)(?=[,"])', _number(0, 9)),
    ("round, honba, sticks", r'<INIT seed="(?:[0-9]+,){0,2}?([0-9]+),', _number(0, 9)),
    ("result", r' owari="(?:[0-9.-]+,)*?([0-9.-]+)(?=[,"])', _near),
    ("yaku", r' yaku="(?:[0-9]+,)*?([0-9]+)(?=[,"])', _number(0, 54)),
    ("yakuman", r' yakuman="(?:[0-9]+,)*?([0-9]+)(?=[,"])', _number(36, 51)),
    ("turn", r"<([TUVW])[0-9]+/>", _letter("TUVW")),
    ("turn", r"<([DEFG])[0-9]+/>", _letter("DEFG")),
    ("turn", r' who="([0-3])"', _PLAYER),
    ("turn", r' fromWho="([0-3])"', _PLAYER),
    ("pao", r' paoWho="([0-3])"', _PLAYER),
    ("turn", r'<(?:INIT|TAIKYOKU)[^>]*? oya="([0-3])"', _PLAYER),
)
"""What can be changed: its name, a pattern of its places, and the change."""


def mutants(text: str, number: int, seed: int) -> Iterator[Mutant]:
    """Yield *number* mutants of the log *text*, one per site in turn, starting with a site chosen by *seed*."""
    chance = Random(seed)  # noqa: S311 - not secret
    places = [(what, [*re.finditer(pattern, text)], change) for what, pattern, change in SITES]
    places = [site for site in places if site[1]]
    for index in range(number):
        what, found, change = places[(seed + index) % len(places)]
        one = chance.choice(found)
        before = one[1]
        after = change(chance, before)
        start, end = one.span(1)
        yield Mutant(what, before, after, text[:start] + after + text[end:])


def is_caught(text: str, file_name: str, *, verified: bool) -> bool:
    """Return whether a log is rejected, or problems are found in it.

    :param verified: also verify its wall and its scores.
    """
    found: list[ConvertError] = []
    try:
        match = read_mjlog(text.encode(), file_name=file_name, finding=found.append)
    except ConvertError:
        return True
    if found or any(check_match(match)):
        return True
    if not verified:
        return False
    return check_wall(match).agreement is Agreement.DISAGREES or bool(check_score(match).findings)


class Measure(NamedTuple):
    """The results for mutants whose model differs.

    :ivar made: how many there were, by what was changed.
    :ivar checked: how many are rejected by the reader or detected by `jmjp check` without options.
    :ivar alive: those that `jmjp check --wall --score` misses too, each with the file name of its game.
    """

    made: Counter[str]
    checked: int
    alive: list[tuple[str, Mutant]]

    @property
    def share(self) -> float:
        """The share that is detected with all checks."""
        return 1 - len(self.alive) / self.made.total()


def measure(logs: Iterable[tuple[str, str]], number: int) -> Measure:
    """Make *number* mutants of each of *logs*, pairs of file name and text, and count those that are detected."""
    made: Counter[str] = Counter()
    checked, alive = 0, []
    for seed, (name, text) in enumerate(logs):
        sound = read_mjlog(text.encode(), file_name=name)
        for mutant in mutants(text, number, seed):
            if not differs(mutant.text, name, sound):
                continue
            made[mutant.what] += 1
            if is_caught(mutant.text, name, verified=False):
                checked += 1
            elif not is_caught(mutant.text, name, verified=True):
                alive.append((name, mutant))
    return Measure(made, checked, alive)


def differs(text: str, file_name: str, sound: Match) -> bool:
    """Return whether the log is read as a match with different faces, turns, points or melds than *sound*."""
    try:
        match = read_mjlog(text.encode(), file_name=file_name)
    except ConvertError:
        return True
    return bool(_essence(match) != _essence(sound))


def _essence(match: Match) -> Any:
    """Return the faces, turns, points and melds of *match*."""
    names = tiles.faces(match.rules.red_fives)
    frames = [
        (
            start.round,
            start.honba,
            start.sticks,
            start.dealer,
            start.points,
            [sorted(names[tile] for tile in hand) for hand in start.hands],
            names[start.indicator] if start.indicator is not None else None,
            [_faces(event, names) for event in frame.events if not isinstance(event, Disconnected | Returned)],
            frame.end.points,
        )
        for frame in match.frames
        for start in [frame.start]
    ]
    return frames, match.final_points, match.results


def _faces(value: Any, names: Sequence[str], key: str = "") -> Any:
    """Return an event, or its part named *key*, with the faces of its tiles."""
    if isinstance(value, Record):
        return type(value).__name__, [_faces(getattr(value, name), names, name) for name in fields(value)]
    if key in _TILES and isinstance(value, int):
        return names[value]
    return [_faces(one, names, key) for one in value] if isinstance(value, tuple) else value


_TILES = {"tile", "taken", "hand", "tiles", "indicator", "indicators", "ura", "shown"}
"""The names of the parts of events that are tiles."""


def main() -> None:
    """Measure with the logs in a directory."""
    parser = Parser(__file__, __doc__)
    parser.add_argument(
        "folder", type=Path, metavar="DIR", help="directory of valid logs, *.xml, such as those of scripts/play.py"
    )
    parser.add_argument(
        "--each", type=at_least(1), default=EACH, metavar="N", help=f"mutants per log (default: {EACH})"
    )
    asked = parser.parse_args()
    paths = sorted(asked.folder.glob("*.xml"))
    if not paths:
        parser.error(f"no logs in {asked.folder}")
    found = measure([(path.name, path.read_text(encoding="utf-8")) for path in paths], asked.each)
    total = found.made.total()
    print(f"{total:,} mutants of {len(paths):,} logs, by change:")
    for what, number in sorted(found.made.items()):
        print(f"  {what:24}{number:6,}")
    print(f"jmjp check detects                {found.checked:,}, {found.checked / total:.2%}")
    print(f"jmjp check --wall --score detects {total - len(found.alive):,}, {found.share:.2%}; missed:")
    for name, mutant in found.alive:
        print(f"  {name}: {mutant.what} {mutant.before} -> {mutant.after}")


if __name__ == "__main__":
    sys.exit(run(__file__, main))
