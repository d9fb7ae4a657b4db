"""Makes the page of a game: one file that loads nothing.

The page holds the game as a list of its JSON lines (see ``formats/json/schema.json``), with draws and discards
shortened, and what these do not contain.
"""

from __future__ import annotations

import re
from base64 import b64encode
from collections.abc import Sequence
from functools import cache
from hashlib import sha256
from html import escape
from importlib.resources import files
from json import loads
from typing import Any

from jmjp_convert import __version__
from jmjp_convert.errors import FormatError
from jmjp_convert.formats import COMPLETE, LINKED
from jmjp_convert.formats.dora_indicators import with_indicators
from jmjp_convert.formats.safe_json import encode
from jmjp_convert.model import Frame, Match, Wall, Win
from jmjp_convert.model.record import replace
from jmjp_convert.model.yaku import LIMITS, NAMES
from jmjp_convert.play.outcome_text import DRAWS
from jmjp_convert.view.summary import LANGUAGES, Summary, summarize

SCRIPTS = (
    *("texts.js", "replay.js", "shanten.js", "study.js", "elements.js", "centre.js", "table.js", "outcome.js"),
    *("panels.js", "readings.js", "milestones.js", "main.js", "moves.js", "highlights.js", "autoplay.js"),
    *("quiz.js", "share.js", "picture.js", "input.js"),
)
"""In the order in which they run. They are joined into one script."""

STYLES = tuple(
    f"styles/{name}.css" for name in ("base", "tiles", "table", "controls", "panels", "study", "layout", "list")
)
"""In the order in which they apply. They are joined into one style."""

STRICT = '"use strict";\n'
"""The first line of every script, needed once where they are joined."""

_COMMENT = re.compile(r"// |/\*\*? [^*]*\*/$|/\*\*$|\*( |/?$)|<!-- .*-->$")
_AFTERWARDS = re.compile(r" +// .*$")
_SPACED = {"js": re.compile(r'"[^"]*"| ?[=<>?:,;{}()&|*!]+ ?'), "css": re.compile(r'"[^"]*"| ?[{};] ?|[:,] ')}
"""Texts, and what needs no space around it."""
_UNCLEAR = re.compile(r"[`'/\\]")
"""Lines with these, which may hold other texts or expressions, keep all spaces."""
_TURN = re.compile(r'\{"type":"(draw|discard)","player":(\d),"tile":([^{}]+)\}')
_PLACE = re.compile(r"\{(\w+)\}")


def view_page(match: Match, *, walls: Sequence[Wall] | None = None, seat: int = 0) -> str:
    """Return the page that replays *match*, as self-contained HTML.

    Every text of the match is escaped: it is text in the page too.

    :param walls: the verified wall of each frame, to show the tiles not yet drawn.
    :param seat: the player from whose seat the game is shown at first; the last player if there is no such player.
    :raises FormatError: the match has no frames.
    """
    style, script = styles(), scripts()
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
    """Return the page of *match*, with its style, tiles and script from *parts*, each the HTML that includes it.

    :param policy: the Content-Security-Policy.
    :param index: a link to the list of games, in HTML.
    :raises FormatError: as for :func:`view_page`.
    """
    if not match.frames:
        raise FormatError("the match has no frames to show")
    assert COMPLETE.write is not None
    lines = map(_short, COMPLETE.write([_shown(match)]).splitlines())
    game = data("game", f"[{','.join(lines)}]") + data("about", encode(about(match, walls, seat)))
    title = markup(heading(summarize(match, "en"))[0])
    return filled("page.html", parts | {"policy": policy, "title": title, "game": game, "index": index})


def _short(line: str) -> str:
    """Return *line* as the page has it: a draw as ``[player,tile]``, a discard as ``[player,tile,1]``. They are most of
    a game, and half as long."""
    turn = _TURN.fullmatch(line)
    return f"[{turn[2]},{turn[3]}{',1' if turn[1] == 'discard' else ''}]" if turn else line


def _shown(match: Match) -> Match:
    """Return *match* with the dora indicators, which jmjp leaves out, and without the wall seeds, which are long and
    not shown."""
    frames = [with_indicators(frame, match.rules) for frame in match.frames]
    seedless = [replace(frame, start=replace(frame.start, shuffle=None)) for frame in frames]
    return replace(match, frames=tuple(seedless), shuffle=None)


def about(match: Match, walls: Sequence[Wall] | None, seat: int) -> dict[str, Any]:
    """Return what the JSON lines of *match* lack: texts in words, what the record has of the players, frames for links,
    and the walls."""
    summaries = {language: summarize(match, language) for language in LANGUAGES}
    languages = {language: _words(match, summary) for language, summary in summaries.items()}
    players = summaries[LANGUAGES[0]].players
    recorded = {"rates": [player.rate for player in players], "known": [player.name is not None for player in players]}
    some = {"linked": linked(match), "walls": list(map(_wall, walls or ()))}
    return {"seat": seat, **recorded, **languages} | {key: value for key, value in some.items() if any(value)}


def linked(match: Match) -> list[Any]:
    """Return what a link to each frame holds, as JSON; ``None`` for a frame that cannot be linked."""
    assert LINKED.write is not None
    try:
        return list(map(loads, LINKED.write([match], per_frame=True).splitlines()))
    except FormatError:
        alone = (replace(match, frames=(frame,)) for frame in match.frames)
        return [None] if len(match.frames) == 1 else [found for one in alone for found in linked(one)]


def _words(match: Match, summary: Summary) -> dict[str, Any]:
    """Return the texts of *match* in the language of *summary*; a frame's end only where its events are incomplete."""
    title, when = heading(summary)
    pairs = zip(match.frames, summary.frames, strict=True)
    return {
        "title": title,
        "when": when,
        "names": names(summary),
        "ranks": [player.rank for player in summary.players],
        "ends": [None if _is_recorded(frame) else words.end for frame, words in pairs],
    }


def _is_recorded(frame: Frame) -> bool:
    """Return whether the events of *frame* record how it ended and what each hand was worth."""
    return bool(frame.endings) and all(not isinstance(end, Win) or end.score is not None for end in frame.endings)


def heading(summary: Summary) -> tuple[str, str]:
    """Return the title of a game, and when and where it was played."""
    when = [" ".join(filter(None, (summary.date, summary.time))), summary.place or ""]
    title = summary.tournament or summary.id or " – ".join(names(summary))
    return title, ", ".join(part for part in when if part.strip() and part != title)


def names(summary: Summary) -> list[str]:
    """Return the players' names, or numbers for players without a name."""
    return [player.name or f"#{number}" for number, player in enumerate(summary.players)]


def _wall(wall: Wall) -> dict[str, tuple[int, ...]]:
    return {"draws": wall.draws, "replacements": wall.replacements, "indicators": wall.indicators, "ura": wall.ura}


# --- parts of a page -------------------------------------------------------------------------------------------------


@cache
def part(name: str) -> str:
    """Return the text of the package file *name* without indentation, blank lines and comment lines."""
    lines = files(__package__).joinpath(name).read_text(encoding="utf-8").splitlines()
    return "".join(f"{text}\n" for text in map(str.strip, lines) if text and not _COMMENT.match(text))


def tight(name: str) -> str:
    """Return the script or style *name*, in the same lines as :func:`part`, without comments after code and without
    spaces that mean nothing."""
    spaced = _SPACED[name.rpartition(".")[2]]
    lines = (_AFTERWARDS.sub("", line) for line in part(name).splitlines())
    return "".join(f"{line if _UNCLEAR.search(line) else spaced.sub(_stripped, line)}\n" for line in lines)


def _stripped(found: re.Match[str]) -> str:
    return found[0].strip()


@cache
def styles() -> str:
    """Return the style of a page, and of a site's list of games."""
    return "".join(map(tight, STYLES))


@cache
def scripts() -> str:
    """Return the script of a page, including the names of yaku, limits and draws."""
    tables = {
        "yaku": NAMES,
        "limits": {limit.name.lower(): both for limit, both in LIMITS.items()},
        "draws": {kind.name.lower(): both for kind, both in DRAWS.items()},
    }
    return "".join(
        [f"{STRICT}const NAMES = {encode(tables)};\n", *(tight(name).removeprefix(STRICT) for name in SCRIPTS)]
    )


def data(name: str, text: str) -> str:
    """Return a script element holding *text*, which is JSON, escaped so that no markup can begin in it."""
    safe = text.replace("<", "\\u003c")
    return f'<script type="application/json" id="{name}">{safe}</script>\n'


def markup(text: str) -> str:
    """Return *text* escaped for HTML, with lone surrogates, which cannot be encoded, as question marks."""
    return escape(text.encode("utf-8", "replace").decode())


def filled(name: str, parts: dict[str, str]) -> str:
    """Return the template *name* after the common head, with its placeholders filled from *parts*."""
    known = parts | {"version": __version__}
    return _PLACE.sub(lambda place: known[place[1]], part("head.html") + part(name))


def source(text: str) -> str:
    """Return the source expression that allows an inline script or style by its hash."""
    return f"'sha256-{b64encode(sha256(text.encode()).digest()).decode()}'"


def policy(*, script: str, style: str) -> str:
    """Return the Content-Security-Policy of a page, which allows only its own script and style."""
    rules = {
        "default-src": "'none'",
        "script-src": script,
        "style-src": style,
        "img-src": "data:",
        "base-uri": "'none'",
        "form-action": "'none'",
    }
    return "; ".join(f"{name} {value}" for name, value in rules.items())
