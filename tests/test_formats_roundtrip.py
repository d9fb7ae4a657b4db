"""The verification notices every change to an output that alters what the output says."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from functools import cache, partial
from itertools import count, islice
from pathlib import Path
from random import Random
from typing import Any, NamedTuple

import changing_jmjp
import changing_json
import pytest
from effort import many, some
from playing import LINES, games, match
from test_real_logs import FOUR, MANIFEST, THREE
from test_real_logs import match as real_match

from jmjp_convert.api import dumps
from jmjp_convert.convert import Writing, written
from jmjp_convert.errors import UnprovenError
from jmjp_convert.formats import FORMATS
from jmjp_convert.formats.mjlog.reader import read_mjlog
from jmjp_convert.model import Match
from jmjp_convert.model.record import replace

VALID = Path(__file__).parent.parent / "fixtures" / "valid"
PLAYED, REAL = "played", "real"
FRAMES = 2  # of each match, so that many can be tried
OPTIONS: dict[str, tuple[Mapping[str, Any], ...]] = {
    "jmjp": ({}, {"spec": "0"}, {"spec": "1.0-beta"}, {"compact": True}),
    "json": ({},),
    "tenhou6": ({}, {"raise_points": True}),
    "mjai": ({}, {"details": True}),
    "majiang": ({},),
}
LINE_BY_LINE = ("json", "mjai")

each_format = pytest.mark.parametrize("name", OPTIONS)
each_source = pytest.mark.parametrize(
    "source",
    [
        PLAYED,
        pytest.param(
            REAL, marks=pytest.mark.skipif(not MANIFEST.is_file(), reason="there are no real logs in ../shared/mjlog")
        ),
    ],
)


class Written(NamedTuple):
    """A match and its text in a format, with the options of the format."""

    match: Match
    options: Mapping[str, Any]
    text: str


@cache
def matches(source: str) -> tuple[Match, ...]:
    """Return matches, cut to a few frames."""
    if source == REAL:
        whole = [real_match(path) for path in some([*FOUR, *THREE])]
    else:
        whole = [match(game.id, game.log) for line in LINES for game in games(line)]
    return tuple(map(cut, whole))


def cut(game: Match) -> Match:
    """Return some frames of *game*, which follow each other."""
    first = Random(game.id or game.source).randrange(max(1, len(game.frames) - FRAMES + 1))  # noqa: S311 - not a secret
    return replace(game, frames=game.frames[first : first + FRAMES])


def texts(name: str, source: str) -> list[Written]:
    """Return the texts of matches of four players, in the format json of three too."""
    games_ = [game for game in matches(source) if name == "json" or game.rules.players == 4]
    written_texts = [
        Written(game, options, written([game], Writing(name, **options), print).content.decode())
        for game, options in zip(games_, (OPTIONS[name] * len(games_))[: len(games_)], strict=True)
    ]
    assert len(written_texts) > len(OPTIONS[name])
    return written_texts


class Changed(NamedTuple):
    """A changed text: what was changed, and a function that returns whether it says the same."""

    text: str
    what: str
    same: Callable[[], bool]


def changes(name: str, text: str, random: Random) -> Iterator[Changed]:
    """Yield changes to *text*, of the format *name*."""
    if name == "jmjp":
        for change in changing_jmjp.changes(text, random):
            yield Changed(*change, partial(_say_the_same, name, text, change.text))
    for other in changing_json.changes(text, random, lines=name in LINE_BY_LINE):
        if changing_json.is_said(other, name):
            yield Changed(*other, partial(_say_the_same, name, text, other.text))


def _say_the_same(name: str, known: str, changed: str) -> bool:
    return _said(name, known) == _said.__wrapped__(name, changed)


@cache
def _said(name: str, text: str) -> str:
    """Return what *text* says, which is long work for each of the many changes of the same text."""
    if name == "jmjp":
        return changing_jmjp.said(text)
    return changing_json.said(text, name, lines=name in LINE_BY_LINE)


def tried(name: str, source: str) -> Iterator[tuple[Written, Changed]]:
    """Yield texts in the format *name*, each with another change."""
    known = texts(name, source)
    for number in count():
        chosen = known[number % len(known)]
        random = Random(f"{name} {source} {number}")  # noqa: S311 - not a secret
        yield chosen, next(changes(name, chosen.text, random))


def fault(name: str, output: Written, changed: str, patch: pytest.MonkeyPatch) -> str:
    """Return what the verification reports if the text *changed* is written in place of its own; "" for nothing."""
    with patch.context() as during:
        during.setitem(FORMATS, name, replace(FORMATS[name], write=lambda *_, **__: changed))
        try:
            written([output.match], Writing(name, **output.options), print)
        except UnprovenError as error:
            return str(error)
    return ""


@each_format
@each_source
def test_changes(name: str, source: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Whatever token of an output is changed, left out, repeated or moved, the verification notices it, if the output
    then says something else; in jmjp, only then."""
    missed, imagined = [], []
    for output, changed in islice(tried(name, source), many(300 if name == "jmjp" else 200)):
        noticed = fault(name, output, changed.text, monkeypatch)
        if not noticed and not changed.same():
            missed.append(changed.what)
        if name == "jmjp" and noticed and changed.same():
            imagined.append(changed.what)
    assert (missed, imagined) == ([], [])


IGNORED = (
    ("tenhou6", '"ver":', '"vex":', 'unknown key "vex" ignored'),
    ("mjai", "end_kyoku", "end_kyoko", 'unknown event "end_kyoko" ignored'),
    ("majiang", '"qijia"', '"qijib"', 'unknown key "qijib" ignored'),
    ("jmjp", "// tenhou player=0", "// tenhou playes=0", "unknown // tenhou comment before line 7 ignored"),
)


@pytest.mark.parametrize(("name", "old", "new", "message"), IGNORED, ids=[name for name, *_ in IGNORED])
def test_ignored(name: str, old: str, new: str, message: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """An output with a part that its reader would ignore is rejected."""
    output = texts(name, PLAYED)[0]
    changed = output.text.replace(old, new, 1)
    said = fault(name, output, changed, monkeypatch)
    assert said == f"internal error, report it: the output reads back differently: {message}"


def test_dora_before_ankan(monkeypatch: pytest.MonkeyPatch) -> None:
    """In mjai, the dora of a kakan before the ankan after which the log turns it is found."""
    known = read_mjlog(VALID / "ankan-after-kakan.xml")
    lines = dumps(known, "mjai").splitlines(keepends=True)
    ankan = next(index for index, line in enumerate(lines) if '"ankan"' in line)
    assert '"dora"' in lines[ankan + 1]
    lines[ankan : ankan + 2] = reversed(lines[ankan : ankan + 2])
    said = fault("mjai", Written(known, {}, ""), "".join(lines), monkeypatch)
    assert said.startswith("internal error, report it: the output reads back differently: ")
