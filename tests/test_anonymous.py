"""Matches without names: nothing that says who played, when, and in which log is in any output."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from itertools import count
from pathlib import Path
from typing import Any

import pytest
from browsing import read
from converting import (
    assert_did,
    convert,
    jmjp,
    work,  # noqa: F401 - pytest finds it by its name
)
from tables import table
from test_round_trip import FULL

from jmjp_convert import Match, anonymous, api
from jmjp_convert.formats import writable
from jmjp_convert.formats.json.writer import write_json
from jmjp_convert.model import Note, Returned, Rules, Text, Tournament, Yaku, tenhou
from jmjp_convert.model.record import Record, fields, replace
from jmjp_convert.view.page import view_page

FIXTURES = Path(__file__).parent.parent / "fixtures"
GAMES = (
    "valid/plain.xml",
    "valid/return-under-another-name.xml",
    "json/valid/other-servers.jsonl",
    "json/valid/sanma.jsonl",
)
OPTIONS: dict[str, dict[str, Any]] = {"riichi-advanced": {"frame": "E1-0"}}
"""Options that a format needs."""

KEPT_TEXTS = {
    "algorithm",  # of the hash of a wall, which is left out
    "word",  # of a yaku
    "ratio",  # of points and chips
}
"""Fields of the model whose texts say nothing of the players."""

PERSONAL_NUMBERS = {"dan", "rate", "gold", "account", "rank_points", "started", "ended", "rank_changes", "tour_points"}


DATED = {"date": "19870605", "weekday": "fri", "time": "2143", "year": 1987, "lobby": 9876}
"""Values of fields that writers take apart."""

MARKS = re.compile(r"mark[0-9]{4}q|98765[0-9]{4}|6d61726b|1987-?06-?05|21:?43|L?9876\b", re.IGNORECASE)


def marked(value: Any, numbers: Iterator[int], name: str = "") -> Any:  # noqa: PLR0911 - one for each kind of value
    """Return *value*, of the field *name*, with another mark for each of its texts, and for what says who played."""
    if name in KEPT_TEXTS or value is None or isinstance(value, Yaku):
        return value
    if name in DATED:
        return DATED[name]
    if isinstance(value, str | bytes):
        mark = f"mark{next(numbers):04}q"
        return mark if isinstance(value, str) else mark.encode()
    if isinstance(value, int | float) and name in PERSONAL_NUMBERS:
        return type(value)(987650000 + next(numbers))
    if isinstance(value, tuple) and not hasattr(value, "_fields"):
        return tuple(marked(each, numbers, name) for each in value)
    if isinstance(value, Record):
        return replace(value, **{field: marked(getattr(value, field), numbers, field) for field in fields(value)})
    return value


def full(match: Match) -> Match:
    """Return *match* with all that the full match has beside its play."""
    count_ = len(match.players)
    played = ("rules", "frames", "point_rule", "results", "final_points", "chips", "ratio", "yakitori")
    head: dict[str, Any] = {name: getattr(FULL, name) for name in fields(Match) if name not in played}
    head |= {name: head[name][-count_:] for name in ("players", "tour_points", "rank_changes")}
    head["before"] = (Returned(1, "another name"),)
    wall = next(frame.wall for frame in FULL.frames if frame.wall is not None)
    frames = [
        replace(
            frame,
            start=replace(frame.start, shuffle="a seed"),
            events=(*frame.events, Returned(0, "another name")),
            comment=Text("終", "End"),
            notes=(Note(1, "why?"),),
            wall=replace(wall, tiles=()),
            thinking=(),
        )
        for frame in match.frames
    ]
    rules = replace(match.rules, lobby=12, custom=(("title", "a"), ("rule", "b")))
    return replace(match, **head, rules=rules, frames=tuple(frames))


def outputs(match: Match) -> Iterator[tuple[str, str]]:
    """Yield each output of *match* with its format."""
    for format_ in writable():
        if len(match.players) in format_.players:
            yield format_.name, api.dumps(match, format_, **OPTIONS.get(format_.name, {}))
    yield "page", view_page(match)


@pytest.mark.parametrize("path", GAMES)
def test_no_mark(path: str) -> None:
    """An anonymous game, and its outputs in any format or as a page, have no text or number of its players, its date or
    its log."""
    game, *_ = read(FIXTURES / path)
    before = marked(full(game), count())
    assert len(set(MARKS.findall(write_json(before)))) > 50
    written = dict(outputs(anonymous(before)))
    assert len(written) > 2
    assert [to for to, text in written.items() if MARKS.search(text)] == []


def test_play_stays() -> None:
    """The play, the points and the results are those of the game; players are called A to D, the first dealer A."""
    (game,) = read(FIXTURES / "valid" / "plain.xml")
    after = anonymous(game)
    assert [player.name for player in after.players] == ["A", "B", "C", "D"]
    assert [frame.events for frame in after.frames] == [frame.events for frame in game.frames]
    assert [frame.end for frame in after.frames] == [frame.end for frame in game.frames]
    assert (after.results, after.final_points) == (game.results, game.final_points)
    assert anonymous(after) == after


@pytest.mark.parametrize(("rules", "name", "kept"), table("anonymous", "tournament", globals()))
def test_tournament(rules: Rules, name: Text, kept: str | None) -> None:
    """The name of a server's rules, which many games have, stays; that of a tournament or a private table does not."""
    (game,) = read(FIXTURES / "valid" / "plain.xml")
    after = anonymous(replace(game, rules=rules, tournament=Tournament(name, year=2019)))
    assert (after.tournament.name.native if after.tournament and after.tournament.name else None) == kept
    assert after.tournament is None or after.tournament.year is None


def test_lobby() -> None:
    """The number of a private lobby is left out; that of the ranked one stays."""
    (game,) = read(FIXTURES / "valid" / "plain.xml")
    assert [anonymous(replace(game, rules=tenhou.rules(9, lobby))).rules.lobby for lobby in (0, 7994, None)] == [
        0,
        None,
        None,
    ]


def test_comment() -> None:
    """A recorder's comments, after a hand and within it, are left out, but not the line that says how a hand ended."""
    (game,) = read(FIXTURES / "valid" / "plain.jmjp")
    first, *others = game.frames
    first = replace(first, comment=Text("Kaede sighs"), notes=(Note(1, "Kaede hums"),))
    after = anonymous(replace(game, frames=(first, *others))).frames[0]
    assert (after.comment, after.notes) == (None, ())
    assert anonymous(game).frames == game.frames


# --- the commands -----------------------------------------------------------------------------------------------------

ID = "2019041809gm-0009-0000-0123abcd"
NAMES = re.compile("Kaede|Tsubaki|山茶花|Nazuna|2019|0123abcd|1834|log\\.xml|%4B", re.IGNORECASE)
OUTPUT = r"game-[0-9a-f]{12}"


def test_convert() -> None:
    """`convert --anonymous` names the output after its content, in every format, since a name may be a log ID."""
    Path("log.xml").rename(f"{ID}.xml")
    for format_ in writable():
        arguments = [f"--{name}={value}" for name, value in OPTIONS.get(format_.name, {}).items()]
        result = convert(f"{ID}.xml", "--anonymous", "--to", format_.name, "-o", f"{format_.name}/", "-q", *arguments)
        assert result.exit_code == 0, result.stderr
        for path in Path(format_.name).iterdir():
            assert re.match(OUTPUT, path.name)
            assert not NAMES.search(path.read_text(encoding="utf-8")), format_.name


def test_next_to_input() -> None:
    """Without `--output`, the output is next to its input; with a name, it has that name."""
    result = convert("log.xml", "--anonymous")
    assert re.fullmatch(rf"log\.xml -> {OUTPUT}\.jmjp\n", result.stderr)
    assert_did(convert("log.xml", "--anonymous", "-o", "mine.jmjp"), 0, "log.xml -> mine.jmjp")
    (made,) = Path().glob("game-*.jmjp")
    assert made.read_bytes() == Path("mine.jmjp").read_bytes()
    again = convert("log.xml", "--anonymous")
    assert again.exit_code == 1
    assert "exists; use --force to overwrite it" in again.stderr


def test_wall(seeded_log: str) -> None:
    """The wall fills in the dora, and is in a page, before the seed is left out."""
    Path("seeded.xml").write_text(seeded_log, encoding="utf-8")
    assert convert("seeded.xml", "--anonymous", "--wall", "--to", "json", "-o", "with.jsonl").exit_code == 0
    text = Path("with.jsonl").read_text(encoding="utf-8")
    assert "shuffle" not in text
    starts = [line for line in map(json.loads, text.splitlines()) if "dora" in line]
    assert starts
    assert all(None not in line["dora"] for line in starts)
    result = jmjp("view", "seeded.xml", "--anonymous", "--wall", "-o", "game.html")
    assert result.exit_code == 0, result.stderr
    page = Path("game.html").read_text(encoding="utf-8")
    assert '"walls":' in page
    assert '"shuffle"' not in page


def test_view() -> None:
    """`view --anonymous` makes a page with A, B, C and D, named after its content."""
    Path("log.xml").rename(f"{ID}.xml")
    result = jmjp("view", f"{ID}.xml", "--anonymous")
    assert re.fullmatch(rf"{ID}\.xml -> {OUTPUT}\.html\n", result.stderr)
    (page,) = Path().glob("game-*.html")
    text = page.read_text(encoding="utf-8")
    assert not NAMES.search(text.split('id="game"')[1].split("<script>")[0])
    assert '"names":["A","B","C","D"]' in text


def test_site() -> None:
    """No file of a site made with `--anonymous`, nor the name of one, has a name, a date, or the ID of a log."""
    Path("games").mkdir()
    Path("log.xml").rename(f"games/{ID}.xml")
    assert_did(jmjp("view", "games", "-o", "site", "--anonymous", "-q"), 0)
    made = [path for path in Path("site").rglob("*") if path.is_file()]
    assert {path.suffix for path in made} >= {".html", ".js", ".sqlite"}
    for path in made:
        for secret in (ID.rpartition("-")[2], ID[:8], "Kaede", "Tsubaki", "Nazuna", "山茶花"):
            assert secret not in str(path)
            assert secret.encode() not in path.read_bytes()
            assert secret.encode("ascii", "backslashreplace") not in path.read_bytes()
