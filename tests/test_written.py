"""The model as each format writes it: the cases in ``fixtures/written``; `fixtures/README.md` describes their form."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from dataclasses import asdict
from typing import Any

import pytest
from described import at, compact, described

from jmjp_convert.cli.info import summary_lines
from jmjp_convert.errors import FormatError
from jmjp_convert.formats import FORMATS
from jmjp_convert.formats.jmjp.reader import read_jmjp
from jmjp_convert.formats.json.writer import write_json
from jmjp_convert.formats.losses import Holding
from jmjp_convert.model import Match
from jmjp_convert.view.summary import summarize

CASES = described("written")


def jmjp(text: str) -> str:
    """Return the acts of the first frame and the comments between them."""
    lines = [line.removeprefix("  ") for line in text.splitlines()]
    first = next(index for index, line in enumerate(lines) if line.startswith("frm["))
    last = next(index for index, line in enumerate(lines) if line.startswith(","))
    return "\n".join(lines[first + 5 : last - 4])


def mjai(text: str) -> str:
    """Return the lines of the first frame after its start."""
    return text.split("\n", 2)[2].partition('\n{"type":"end_kyoku"}')[0]


PLAYS: dict[str, Callable[[str], str]] = {
    "info": str,
    "jmjp": jmjp,
    "mjai": mjai,
    "majiang": lambda text: compact(json.loads(text)["log"][0][1:]),
    "tenhou6": lambda text: "\n".join(
        f"{index} {compact([row])}"
        for index, row in enumerate(json.loads(text)["log"][0])
        if index > 4 and (index % 3 != 1 or index == 16) and row not in ([], ["不明"])
    ),
    "json": lambda text: "\n".join(re.findall(r'^\{"type":(?!"(?:match|frame|end_)).*', text, re.MULTILINE)),
}
"""What a format writes for the play of the first frame; all that `info` shows."""


def in_ascii(text: str) -> str:
    """Escape what a terminal with only ASCII cannot show in a line."""
    return text.replace("\n", "\\n").encode("ascii", "backslashreplace").decode()


def info(match: Match, *, lang: str = "en", room: str = "80", ascii: bool = False) -> str:  # noqa: A002 - its option
    """Return what `jmjp info` shows of *match*, without empty lines, in a terminal with *room* columns."""
    lines = summary_lines(summarize(match, lang), lang, in_ascii if ascii else str, room=int(room))
    return "\n".join(filter(None, lines))


def options_in(words: list[str]) -> dict[str, Any]:
    """Return options such as ``spec=0`` and ``compact``."""
    return {word.partition("=")[0]: word.partition("=")[2] or True for word in words}


def written(form: str, match: Match) -> str:
    """Return *match* in a format, given by its name and options such as ``spec=0``; or what `jmjp info` shows of it, as
    text or as data."""
    name, *words = form.split()
    options = options_in(words)
    if name == "info":
        return info(match, **options)
    if name == "summary":
        return json.dumps(asdict(summarize(match, options.get("lang", "en"))))
    if name == "held":
        name, *words = words
        return write_json(holding(name, options_in(words)).expected(match))
    write = FORMATS[name].write
    assert write is not None
    return str(write([match], **defaults(name) | options))


def defaults(name: str) -> dict[str, Any]:
    """Return the options of a format as they are if not given."""
    return {option.name: option.default for option in FORMATS[name].options}


def holding(name: str, options: dict[str, Any]) -> Holding:
    """Return what a format with *options* holds."""
    function = FORMATS[name].holding
    assert function is not None
    found: Holding = function(**defaults(name) | options)
    return found


def lost(form: str, match: Match) -> tuple[str, str]:
    """Return what a format says that it leaves out of *match*, and what else it says of that."""
    name, *words = form.split()
    options, lost_ = options_in(words), FORMATS[name].lost
    found = lost_(match, **defaults(name) | options) if lost_ is not None else holding(name, options).lost(match)
    return ", ".join(found.left_out), " | ".join(found.otherwise)


def kinds(text: str) -> str:
    """Return the kinds of the events in mjai or majiang, of a turned dora its indicator."""
    words = []
    for line in text.splitlines():
        value = json.loads(line)
        kind, values = (value["type"], value) if "type" in value else next(iter(value.items()))
        words.append(values.get("dora_marker") or values.get("baopai") or kind)
    return " ".join(words)


def test_written(subtests: pytest.Subtests) -> None:
    """Each format writes a match as its case says, or refuses it with the message there."""
    for name, case in CASES.items():
        with subtests.test(name):
            match = case.match
            assert case.expected
            for form, path, value in case.expected:
                if path == "refused":
                    with pytest.raises(FormatError) as refused:
                        written(form, match)
                    assert str(refused.value) == value, form
                    continue
                if path in ("left_out", "said"):
                    assert lost(form, match)[path == "said"] == value, form
                    continue
                text = written(form, match)
                if path == "line":
                    assert not {*value.split("\n")} - {line.strip() for line in text.splitlines()}, (form, text)
                elif path == "text":
                    assert text == f"{value}\n", form
                elif path in ("", "kinds"):
                    play = PLAYS[form.split()[0]](text)
                    assert (kinds(play) if path else play) == value, form
                else:
                    assert at(text, path) == value, form


JMJP = [f"jmjp spec={spec}{compact}" for spec in ("0", "1.0", "1.0-beta") for compact in ("", " compact")]


@pytest.mark.parametrize("way", JMJP)
def test_comes_back(way: str, subtests: pytest.Subtests) -> None:
    """What jmjp does not hold in full reads back as what its dialect holds of it."""
    held = holding("jmjp", options_in(way.split()[1:]))
    titles = [title for title in CASES if title.startswith("jmjp-held: ")]
    assert titles
    for title in titles:
        with subtests.test(title):
            match = CASES[title].match
            assert read_jmjp(written(way, match).encode()) == [held.expected(match)]
