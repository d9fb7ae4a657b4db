"""Makes the page of a game, one file that loads nothing.

The game stands in it as lines of JSON (see ``formats/json/schema.json``), in a list, beside what they do not tell.
"""

from __future__ import annotations

import re
from base64 import b64encode
from collections.abc import Sequence
from dataclasses import replace
from functools import cache
from hashlib import sha256
from html import escape
from importlib.resources import files
from typing import Any

from jmjp_convert import __version__
from jmjp_convert.errors import FormatError
from jmjp_convert.formats import COMPLETE
from jmjp_convert.formats.dora_indicators import with_indicators
from jmjp_convert.formats.safe_json import encode
from jmjp_convert.model import Frame, Match, Wall, Win
from jmjp_convert.model.yaku import LIMITS, NAMES
from jmjp_convert.play.outcome_text import DRAWS
from jmjp_convert.view.summary import LANGUAGES, Summary, summarize

SCRIPTS = ("texts.js", "replay.js", "elements.js", "table.js", "panels.js", "main.js")
"""In the order in which they run: one script, as far as the page is concerned."""

_COMMENT = re.compile(r"// |/\*\*? [^*]*\*/$|/\*\*$|\*( |/?$)|<!-- .*-->$")
_PLACE = re.compile(r"\{(\w+)\}")


def view_page(match: Match, *, walls: Sequence[Wall] | None = None, seat: int = 0) -> str:
    """Return the page on which *match* is played back: HTML, whole in itself.

    Whatever a text of the match holds, it is text in the page too.

    :param walls: those of the frames, each proven, if the tiles that nobody has drawn are to be shown.
    :param seat: the player from whose seat one looks at first; the last one if there is no such player.
    :raises FormatError: the match has no frame to look at.
    """
    style, script = part("style.css"), scripts()
    inline = {
        "style": f"<style>{style}</style>",
        "tiles": part("tiles.svg"),
        "script": f"<script>{script}</script>",
    }
    return assembled(match, inline, policy(script=source(script), style=source(style)), walls=walls, seat=seat)


def assembled(
    match: Match,
    parts: dict[str, str],
    policy: str,
    *,
    walls: Sequence[Wall] | None = None,
    seat: int = 0,
    index: str = "",
) -> str:
    """Return the page of *match* with *parts*: how it gets its style, tiles and script, in HTML.

    :param policy: what it may load.
    :param index: a link to the other games, in HTML.
    :raises FormatError: as :func:`view_page`.
    """
    if not match.frames:
        raise FormatError("the match has no frames to show")
    assert COMPLETE.write is not None
    lines = COMPLETE.write([_shown(match)]).splitlines()
    game = data("game", f"[{','.join(lines)}]") + data("about", encode(about(match, walls, seat)))
    title = markup(heading(summarize(match, "en"))[0])
    return filled("page.html", parts | {"policy": policy, "title": title, "game": game, "index": index})


def _shown(match: Match) -> Match:
    """Return *match* with the dora indicators, which jmjp leaves out, and without the seeds of the walls, which are
    long, and not to be looked at."""
    frames = [with_indicators(frame, match.rules) for frame in match.frames]
    seedless = [replace(frame, start=replace(frame.start, shuffle=None)) for frame in frames]
    return replace(match, frames=tuple(seedless), shuffle=None)


def about(match: Match, walls: Sequence[Wall] | None, seat: int) -> dict[str, Any]:
    """Return what the lines of *match* do not tell, or not in words."""
    languages = {language: _words(match, summarize(match, language)) for language in LANGUAGES}
    return {"seat": seat, **languages} | ({"walls": list(map(_wall, walls))} if walls else {})


def _words(match: Match, summary: Summary) -> dict[str, Any]:
    """Return the words on *match* in the language of *summary*; of an end if events do not tell all."""
    title, when = heading(summary)
    pairs = zip(match.frames, summary.frames, strict=True)
    return {
        "title": title,
        "when": when,
        "names": names(summary),
        "ranks": [player.rank for player in summary.players],
        "ends": [None if _told(frame) else words.end for frame, words in pairs],
    }


def _told(frame: Frame) -> bool:
    """Return whether the events of *frame* tell how it ended, and what each hand was worth."""
    return bool(frame.endings) and all(not isinstance(end, Win) or end.score is not None for end in frame.endings)


def heading(summary: Summary) -> tuple[str, str]:
    """Return what a game is called, and when and where it was played."""
    when = [" ".join(filter(None, (summary.date, summary.time))), summary.place or ""]
    title = summary.tournament or summary.id or " – ".join(names(summary))
    return title, ", ".join(part for part in when if part.strip() and part != title)


def names(summary: Summary) -> list[str]:
    """Return what the players are called."""
    return [player.name or f"#{number}" for number, player in enumerate(summary.players)]


def _wall(wall: Wall) -> dict[str, tuple[int, ...]]:
    return {"draws": wall.draws, "replacements": wall.replacements, "indicators": wall.indicators, "ura": wall.ura}


# --- the parts of a page ---------------------------------------------------------------------------------------------


@cache
def part(name: str) -> str:
    """Return the text of the file *name* of this package, without indentation, blank lines and lines of comment."""
    lines = files(__package__).joinpath(name).read_text(encoding="utf-8").splitlines()
    return "".join(f"{text}\n" for text in map(str.strip, lines) if text and not _COMMENT.match(text))


@cache
def scripts() -> str:
    """Return the program of a page, with the names that it takes from the tables of yaku, limits and draws."""
    tables = {
        "yaku": NAMES,
        "limits": {limit.name.lower(): both for limit, both in LIMITS.items()},
        "draws": {kind.name.lower(): both for kind, both in DRAWS.items()},
    }
    return "\n".join([f"const NAMES = {encode(tables)};", *map(part, SCRIPTS)])


def data(name: str, text: str) -> str:
    """Return an element that holds *text*, which is JSON: in it, no markup can begin."""
    safe = text.replace("<", "\\u003c")
    return f'<script type="application/json" id="{name}">{safe}</script>\n'


def markup(text: str) -> str:
    """Return *text* as HTML shows it; halves of characters, which no file can hold, as question marks."""
    return escape(text.encode("utf-8", "replace").decode())


def filled(name: str, parts: dict[str, str]) -> str:
    """Return the file *name*, after the head of every page, with *parts* in the places named for them."""
    known = parts | {"version": __version__}
    return _PLACE.sub(lambda place: known[place[1]], part("head.html") + part(name))


def source(text: str) -> str:
    """Return what names an inline script or style, by its hash, in a policy."""
    return f"'sha256-{b64encode(sha256(text.encode()).digest()).decode()}'"


def policy(*, script: str, style: str) -> str:
    """Return the Content-Security-Policy of a page: nothing but its own script and style."""
    rules = {
        "default-src": "'none'",
        "script-src": script,
        "style-src": style,
        "img-src": "data:",
        "base-uri": "'none'",
        "form-action": "'none'",
    }
    return "; ".join(f"{name} {value}" for name, value in rules.items())
