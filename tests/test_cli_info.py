"""`jmjp info`: all fixtures, and errors inside the program. Sessions have the rest."""

from __future__ import annotations

import gzip
import json
import re
import unicodedata
from dataclasses import asdict
from pathlib import Path

import effort
import pytest
from click import unstyle
from converting import (
    jmjp,
    loaded,
    raising,
    work,  # noqa: F401 - pytest finds it by its name
)
from tables import table

from jmjp_convert.cli.console import WIDTH, Paint
from jmjp_convert.cli.info import summary_lines
from jmjp_convert.formats.jmjp.writer import write_jmjp
from jmjp_convert.formats.mjlog.reader import read_mjlog
from jmjp_convert.model import Match
from jmjp_convert.view.summary import LANGUAGES, summarize

VALID = Path(__file__).parent.parent / "fixtures" / "valid"


def test_jmjp(expectations: list[Path]) -> None:
    """A jmjp file of any dialect is shown too, with a line for each frame."""
    result = jmjp("info", *map(str, expectations))
    assert (result.exit_code, result.stderr) == (0, "")
    frames = re.findall(r"^([ESWN][1-4]-[0-9]+) ", result.stdout, re.MULTILINE)
    texts = "".join(path.read_text(encoding="utf-8") for path in expectations)
    assert frames == re.findall(r"frm\[([^,]+),", texts)


def test_either_format(valid_inputs: list[Path], subtests: pytest.Subtests) -> None:
    """Every valid log can be shown, in either language, and looks the same from the jmjp converted from it."""
    for number, path in enumerate(valid_inputs):
        with subtests.test(path.name):
            for lang in LANGUAGES if effort.long else LANGUAGES[number % 2 :][:1]:
                look_the_same(path, lang)


def look_the_same(valid_input: Path, lang: str) -> None:
    """Check what is shown of a log."""
    as_jmjp = gzip.compress(write_jmjp(read_mjlog(valid_input)).encode())
    result = jmjp("info", str(valid_input), "--lang", lang)
    assert result.exit_code == 0
    assert result.stdout == jmjp("info", "-", "--lang", lang, given=as_jmjp).stdout
    assert result.stdout.replace("\n", "").replace("\u3000", "").isprintable()


def test_json(valid_inputs: list[Path]) -> None:
    """Every valid log can be shown as JSON."""
    result = jmjp("info", *map(str, valid_inputs), "--json")
    assert result.exit_code == 0
    assert result.stdout.replace("\n", "").isprintable()


@pytest.mark.parametrize(("lang", "said"), [("en", "32000 counted yakuman, 13 han:"), ("ja", "32000点 数え役満 13飜 ")])
def test_counted_yakuman(lang: str, said: str) -> None:
    """A yakuman by han alone is a counted one, without fu."""
    assert said in " ".join(jmjp("--lang", lang, "info", str(VALID / "kazoe-yakuman.xml")).stdout.split())


def test_internal_error(monkeypatch: pytest.MonkeyPatch) -> None:
    """An internal error is one line too and does not stop the rest."""
    monkeypatch.setattr("jmjp_convert.cli.info.summarize", raising(KeyError("x")))
    result = jmjp("info", "log.xml", "log.xml")
    assert [line.partition(" (")[0] for line in result.stderr.splitlines()] == [
        "error: log.xml: internal error, report it: KeyError: 'x'"
    ] * 2
    assert (result.exit_code, result.stdout) == (1, "")


def test_control_characters_of_files(monkeypatch: pytest.MonkeyPatch) -> None:
    """Control characters in file names are escaped."""
    game = loaded()
    monkeypatch.setattr("jmjp_convert.batch.survey.expect_file", lambda _: None)
    monkeypatch.setattr("jmjp_convert.batch.survey.read_source", lambda *_, **__: game)
    assert jmjp("info", "a\x1b\n.xml", "b.xml").stdout.startswith("==> a\\x1b\\n.xml <==\nTenhou\n")


@pytest.mark.parametrize(("name", "kind", "tenpai"), table("cli_info", "tenpai_at_draws"))
def test_tenpai_at_draws(name: str, kind: str, tenpai: list[int] | None) -> None:
    """At draws at which those in tenpai show their hands, it says who they are, and otherwise nothing."""
    result = jmjp("info", str(VALID / f"{name}.xml"), "--json")
    (game,) = json.loads(result.stdout)
    assert game["frames"][0]["draw"] == {"kind": kind, "tenpai": tenpai, "nagashi": []}


# --- the text, and the data ------------------------------------------------------------------------------------------


def text(match: Match, lang: str) -> list[str]:
    """Return the lines of *match*."""
    return list(summary_lines(summarize(match, lang), lang, str))


def columns(line: str) -> int:
    """Return the width of *line*, which has no combining characters."""
    return sum(2 if unicodedata.east_asian_width(character) in "WF" else 1 for character in line)


def test_yakuman_in_color() -> None:
    """On a terminal with colors, headings are bold and a yakuman is colored, all of its lines."""
    game = summarize(read_mjlog(VALID / "yakuman.xml"), "en")
    plain = list(summary_lines(game, "en", str))
    colored = list(summary_lines(game, "en", str, paint=Paint(on=True)))
    assert [unstyle(line) for line in colored] == plain
    assert [line for line, line_in_color in zip(plain, colored, strict=True) if line != line_in_color] == [
        plain[3],
        plain[9],
        *(line for line in plain if "yakuman" in line or "musou" in line),
    ]


@pytest.mark.parametrize("lang", LANGUAGES)
def test_fits(valid_inputs: list[Path], lang: str) -> None:
    """No line is wider than 80 columns."""
    lines = (line for path in valid_inputs for line in text(read_mjlog(path), lang))
    assert [line for line in lines if columns(line) > WIDTH] == []


def test_keys() -> None:
    """The keys are stable, since other programs rely on them."""
    info = asdict(summarize(read_mjlog(VALID / "plain.xml"), "en"))
    assert list(info) == [
        *("id", "date", "weekday", "time", "place", "tournament", "players", "frames", "final_points", "results"),
        *("places", "presences"),
    ]
    assert list(info["players"][0]) == ["name", "dan", "rank", "rate", "team", "affiliation"]
    assert list(info["frames"][0]) == [*("frame", "dealer", "sticks", "end", "wins", "points", "draw", "comment")]
    assert list(info["frames"][0]["wins"][0]) == [*("player", "source", "points", "fu", "han", "limit", "yaku", "pao")]
