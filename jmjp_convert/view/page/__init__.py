"""Makes the page of a game: one file that loads nothing.

The page holds the game as a list of its JSON lines (see ``formats/json/schema.json``), with draws and discards
shortened and without what it does not read, and what these do not contain.
"""

from __future__ import annotations

import re
from base64 import b64encode
from collections.abc import Sequence
from functools import cache, lru_cache
from json import loads
from typing import Any
from zlib import compress

from jmjp_convert import pages
from jmjp_convert.checks.score.breakdown import Account, Total, accounts, totals
from jmjp_convert.checks.score.conditions import ANY, Condition, Price, conditions
from jmjp_convert.checks.score.hand_value import Fu, Value
from jmjp_convert.checks.score.report import NotJudgedError
from jmjp_convert.checks.score.waits import Change, worths
from jmjp_convert.errors import FormatError, MissingExtraError
from jmjp_convert.formats import COMPLETE, DEFAULT, LINKED
from jmjp_convert.formats.json_text import encode
from jmjp_convert.formats.output_names import output_name
from jmjp_convert.model import Frame, Match, Score, Wall, Win
from jmjp_convert.model.record import replace
from jmjp_convert.model.tiles import KINDS, PHYSICAL, RED_OF, faces, kind
from jmjp_convert.model.yaku import LIMITS, NAMES
from jmjp_convert.pages import data, filled, markup, part
from jmjp_convert.play.dora_indicators import with_indicators
from jmjp_convert.play.outcome_text import DRAWS
from jmjp_convert.play.points import points_at_end
from jmjp_convert.view.summary import LANGUAGES, Summary, summarize

_SCRIPTS = (
    "texts replay shanten study worth safety tiles centre table scores outcome panels notes play_list readings"
    " conditions milestones main navigation highlights autoplay taps quiz share picture input"
)
SCRIPTS = (*pages.SCRIPTS, *(f"view/page/{name}.js" for name in _SCRIPTS.split()))
"""In the order in which they run."""

_STYLES = ("help", "tiles", "table", "controls", "panels", "outcome", "scores", "study", "layout")
STYLES = (*pages.STYLES, *(f"view/page/styles/{name}.css" for name in _STYLES))
"""In the order in which they apply."""

_TURN = re.compile(r'\{"type":"(draw|discard)","player":(\d),"tile":([^{},]+)(?:,"tsumogiri":(true|false))?\}')
_MANNERS = {("draw", None): "", ("discard", "false"): ",0", ("discard", "true"): ",1", ("discard", None): ",2"}

_UNUSED = {
    "match": {"players", "tournament", "place", "recorders"},
    "win": {"hand", "melds", "indicators", "before", "sticks", "honba"},
    "ryuukyoku": {"before", "sticks", "honba"},
    "end_frame": {"hands", "dora"},
}
"""By type of line, what the page does not read."""

_LEVEL = 9  # of compression

Summaries = dict[str, Summary]
"""The summary of a match in each language."""


def view_page(match: Match, *, walls: Sequence[Wall] | None = None, seat: int = 0) -> str:
    """Return the page that replays *match*, as self-contained HTML.

    Every text of the match is escaped: it is text in the page too.

    :param walls: the verified wall of each frame, to show the tiles not yet drawn.
    :param seat: the player from whose seat the game is shown at first; the last player if there is no such player.
    :raises FormatError: the match has no frames.
    """
    inline = pages.inline(styles(), scripts()) | {"tiles": part("view/page/tiles.svg")}
    return assembled(match, summarized(match), inline, walls=walls, seat=seat)


def summarized(match: Match) -> Summaries:
    """Return what the page and the list of games say of *match*, by language."""
    return {language: summarize(match, language) for language in LANGUAGES}


def assembled(
    match: Match,
    summaries: Summaries,
    parts: dict[str, str],
    *,
    walls: Sequence[Wall] | None = None,
    seat: int = 0,
    index: str = "",
    links: Sequence[str] = (),
) -> str:
    """Return the page of *match*.

    :param summaries: those of the match, as :func:`summarized` returns them.
    :param parts: the HTML that includes its style, tiles and script, and the policy that allows them.
    :param index: a link to the list of games, in HTML.
    :param links: the addresses of the statistics of each player, empty for players without.
    :raises FormatError: as for :func:`view_page`.
    """
    if not match.frames:
        raise FormatError("the match has no hands to show")
    assert COMPLETE.write is not None
    lines = map(_short, COMPLETE.write([_for_page(match)]).splitlines())
    more = about(match, summaries, walls, seat) | ({"statistics": links} if any(links) else {})
    game = data("game", f"[{','.join(lines)}]") + data("about", encode(more))
    return filled(
        "view/page/page.html", parts | {"title": markup(heading(summaries["en"])[0]), "game": game, "index": index}
    )


@lru_cache(maxsize=1 << 12)  # turns recur
def _short(line: str) -> str:
    """Return *line* as the page has it: a draw as ``[player,tile]``, a discard with a third number, 1 for tsumogiri, 0
    for another tile, 2 if that is not recorded. They are most of a game, and half as long. Other lines lack what the
    page says elsewhere or finds by itself."""
    if turn := _TURN.fullmatch(line):
        return f"[{turn[2]},{turn[3]}{_MANNERS[turn[1], turn[4]]}]"
    value = loads(line)
    unused = _UNUSED.get(value["type"])
    if unused is None:
        return line
    for yaku in value.get("score", {}).get("yaku", ()):
        if "number" in yaku:
            yaku.pop("name", None)
    return encode({key: part_ for key, part_ in value.items() if key not in unused})


def _for_page(match: Match) -> Match:
    """Return *match* with the dora indicators and the points at its end, which jmjp leaves out, and without what is not
    shown: seeds and recorded walls, which are long, thinking times, and the numbers of accounts, since pages are
    shared."""
    frames = tuple(with_indicators(frame, match.rules) for frame in match.frames)
    return _without(replace(match, frames=frames, final_points=points_at_end(match)))


def _without(match: Match, **fields: Any) -> Match:
    """Return *match* without seeds, recorded walls, thinking times and accounts, and with other *fields* of frames."""
    frames = [
        replace(frame, start=replace(frame.start, shuffle=None), wall=None, thinking=(), **fields)
        for frame in match.frames
    ]
    players = [replace(player, account=None) for player in match.players]
    return replace(match, frames=tuple(frames), players=tuple(players), shuffle=None)


def about(match: Match, summaries: Summaries, walls: Sequence[Wall] | None, seat: int) -> dict[str, Any]:
    """Return what the JSON lines of *match* lack: texts in words, what the record has of the players, what points
    consist of, frames for links, and the walls."""
    languages = {language: _words(match, summary) for language, summary in summaries.items()}
    players = summaries[LANGUAGES[0]].players
    recorded: dict[str, Any] = {
        "rates": [player.rate for player in players],
        "known": [player.name is not None for player in players],
    }
    recorded["score"] = scored(match)
    frames = linked(match)
    some = {
        "links": packed(encode(frames)) if any(frames) else "",
        "walls": list(map(_wall, walls or ())),
        "source": source(match),
    }
    return {"seat": seat, **recorded, **languages} | {key: value for key, value in some.items() if any(value)}


def linked(match: Match) -> list[Any]:
    """Return what a link to each frame holds, as JSON; ``None`` for a frame that cannot be linked."""
    assert LINKED.write is not None
    try:
        return list(map(loads, LINKED.write([match], per_frame=True).splitlines()))
    except FormatError:
        alone = (replace(match, frames=(frame,)) for frame in match.frames)
        return [None] if len(match.frames) == 1 else [link for single in alone for link in linked(single)]


def packed(text: str) -> str:
    """Return *text* compressed by zlib, in base64: the page unpacks what it needs on demand only."""
    return b64encode(compress(text.encode(), _LEVEL)).decode()


def source(match: Match) -> dict[str, str]:
    """Return the file that holds *match* without its notes, to be saved with them: its *name*, its format (*kind*), and
    its text, *packed*. It is jmjp; where jmjp cannot hold the game, json."""
    bare = _without(match, notes=())
    assert DEFAULT.write is not None
    assert COMPLETE.write is not None
    kind = DEFAULT
    try:
        text = DEFAULT.write([bare])
    except FormatError:
        kind, text = COMPLETE, COMPLETE.write([bare])
    name = output_name(match.id or match.source or "game", kind.suffixes[0])
    return {"name": name, "kind": kind.name, "packed": packed(text)}


def _words(match: Match, summary: Summary) -> dict[str, Any]:
    """Return the texts of *match* in the language of *summary*; a frame's end only where its events are incomplete."""
    _, when = heading(summary)
    pairs = zip(match.frames, summary.frames, strict=True)
    comments = [words.comment for words in summary.frames]
    return {
        "date": summary.date,
        "when": when,
        "names": names(summary),
        "ranks": [player.rank for player in summary.players],
        "ends": [None if _is_recorded(frame) else words.end for frame, words in pairs],
    } | ({"comments": comments} if any(comments) else {})


def _is_recorded(frame: Frame) -> bool:
    """Return whether the events of *frame* record how it ended and what each hand was worth."""
    return bool(frame.endings) and all(not isinstance(end, Win) or end.score is not None for end in frame.endings)


def heading(summary: Summary) -> tuple[str, str]:
    """Return the title of a game, the players and the date; and at what time, where and what it was."""
    title = ", ".join(filter(None, (" – ".join(names(summary)), summary.date)))
    tournament = summary.tournament or ""
    place = None if summary.place and tournament.startswith(summary.place) else summary.place
    return title, ", ".join(filter(None, (summary.time, place, tournament)))


def names(summary: Summary) -> list[str]:
    """Return the players' names, or numbers for players without a name."""
    return [player.name or f"#{number}" for number, player in enumerate(summary.players)]


def _wall(wall: Wall) -> dict[str, list[int | str]]:
    """Return the tiles of *wall*: numbers, or faces where the copies are not known, as in json."""
    parts = {"draws": wall.draws, "replacements": wall.replacements, "indicators": wall.indicators, "ura": wall.ura}
    return {name: [tile if tile < PHYSICAL else _FACES[tile] for tile in tiles] for name, tiles in parts.items()}


_FACES = faces()


@cache
def styles() -> str:
    """Return the style of a page."""
    return pages.style(STYLES)


@cache
def scripts() -> str:
    """Return the script of a page, including the names of yaku, fu, limits and draws."""
    tables = {
        "yaku": [(name.japanese, name.english) for name in NAMES],
        "fu": [*FU.values()],
        "limits": {limit.name.lower(): both for limit, both in LIMITS.items()},
        "draws": {kind.name.lower(): both for kind, both in DRAWS.items()},
    }
    return pages.script(SCRIPTS, NAMES=tables)


# --- what the page says of points -------------------------------------------------------------------------------------
#
# Of every win its parts, what waits are worth, conditions in the last hand. Everything is computed here, so that the
# page only shows it. What needs the package `mahjong` is left out without it.

FU = {
    Fu.BASE: ("副底", "base"),
    Fu.CLOSED_RON: ("門前ロン", "closed ron"),
    Fu.SEVEN_PAIRS: ("七対子", "chiitoitsu"),
    Fu.PENCHAN: ("辺張待ち", "penchan wait"),
    Fu.KANCHAN: ("嵌張待ち", "kanchan wait"),
    Fu.PAIR_WAIT: ("単騎待ち", "tanki wait"),
    Fu.TSUMO: ("ツモ", "tsumo"),
    Fu.OPEN_PINFU: ("喰い平和形", "open pinfu"),
    Fu.VALUED_PAIR: ("役牌の雀頭", "yakuhai pair"),
    Fu.DOUBLE_VALUED_PAIR: ("連風牌の雀頭", "double wind pair"),
    Fu.OPEN_TRIPLET: ("中張牌の明刻", "open triplet"),
    Fu.CLOSED_TRIPLET: ("中張牌の暗刻", "closed triplet"),
    Fu.OPEN_TERMINAL_TRIPLET: ("幺九牌の明刻", "open triplet of terminals or honors"),
    Fu.CLOSED_TERMINAL_TRIPLET: ("幺九牌の暗刻", "closed triplet of terminals or honors"),
    Fu.OPEN_KAN: ("中張牌の明槓", "open kan"),
    Fu.CLOSED_KAN: ("中張牌の暗槓", "closed kan"),
    Fu.OPEN_TERMINAL_KAN: ("幺九牌の明槓", "open kan of terminals or honors"),
    Fu.CLOSED_TERMINAL_KAN: ("幺九牌の暗槓", "closed kan of terminals or honors"),
}
"""The names of what gives fu, Japanese and English, in the order of the numbers that the page has for them."""

_NUMBERS = {source: number for number, source in enumerate(FU)}
_REDS = {red: KINDS + suit for suit, red in enumerate(RED_OF.values())}

NO_EXTRA, OTHER_RULES = "extra", "rules"
"""Why nothing is computed: the package is not installed; the rules may not be those of a house's ranked games."""


def scored(match: Match) -> dict[str, Any]:
    """Return what the page says of the points of *match*; numbers of frames and events are those of the page.

    - ``totals``: for each frame and win ``[hand, honba, sticks]``, in points, or null.
    - ``why``: why the next two are missing, if so: :data:`NO_EXTRA` or :data:`OTHER_RULES`.
    - ``wins``: for each frame and win ``fu``, numbers of :data:`FU` with fu; ``computed``, a score as in json, if the
      record has another or an incomplete one, or null if the hand cannot win, and whether it ``differs``; ``paid``, the
      computed payments, if the record has others. Null: not computed.
    - ``worth``: ``values``, each ``[fu, limit, main, additional, yaku, han, …]``, and ``frames``, each with its
      changes, ``[step, player, tile, ron, tsumo, …]``: a kind or 34 to 36 for a red five, and the numbers of its values
      or null.
    - ``conditions``: by number of frame, stages ``[step, …]`` with the players' conditions
      ``[placement, tsumo, ron off each player …]``: ``[main, additional, limit, fu, han]``, the last two without a
      limit; 0 for any win, null if out of reach.
    """
    content: dict[str, Any] = {
        "totals": [[_total(total) for total in totals(frame, match.rules.players)] for frame in match.frames],
        "conditions": {
            number: [
                [stage.step, *([*map(_condition, of_player)] for of_player in stage.conditions)] for stage in stages
            ]
            for number, stages in conditions(match).items()
        },
    }
    try:
        wins, changes = accounts(match), worths(match)
    except MissingExtraError:
        return content | {"why": NO_EXTRA}
    except NotJudgedError:
        return content | {"why": OTHER_RULES}
    return content | {"wins": [list(map(_account, frame)) for frame in wins], "worth": _worth(changes)}


def _total(total: Total | None) -> list[int] | None:
    return None if total is None else [total.hand, total.honba, total.sticks]


def _account(account: Account | str) -> dict[str, Any] | None:
    if isinstance(account, str):
        return None
    value, content = account.value, dict[str, Any]()
    if value is not None and value.fu:
        content["fu"] = [[_NUMBERS[part.source], part.fu] for part in value.fu]
    if account.differs or account.lacks:
        content["computed"] = None if value is None else _score(value.score)
    if account.differs:
        content["differs"] = True
    if account.paid is not None:
        content["paid"] = account.paid
    return content


def _score(score: Score) -> dict[str, Any]:
    """Return *score* as in json."""
    yaku = [
        {"number": yaku.number} if yaku.han is None else {"number": yaku.number, "han": yaku.han} for yaku in score.yaku
    ]
    return {"fu": score.fu, "points": score.points, "limit": score.limit.name.lower(), "yaku": yaku}


def _worth(frames: list[list[Change]]) -> dict[str, Any]:
    numbers: dict[Value | None, int | None] = {None: None}
    values: list[list[int | None]] = []

    def number(value: Value | None) -> int | None:
        if value not in numbers:
            assert value is not None
            numbers[value] = len(values)
            values.append(_value(value))
        return numbers[value]

    def flat(change: Change) -> list[int | None]:
        worths_ = ((_tile(worth.tile), number(worth.ron), number(worth.tsumo)) for worth in change.worths)
        return [change.step, change.player, *(part for worth in worths_ for part in worth)]

    return {"frames": [list(map(flat, changes)) for changes in frames], "values": values}


def _value(value: Value) -> list[int | None]:
    score = value.score
    yaku = (part for yaku in score.yaku for part in (yaku.number, yaku.han))
    return [score.fu, score.limit.value, value.main, value.additional, *yaku]


def _tile(tile: int) -> int:
    """Return the number of a tile of any copy: its kind, or 34 to 36 for a red five."""
    number = _REDS.get(tile, kind(tile))
    assert number is not None
    return number


def _condition(condition: Condition) -> list[Any]:
    return [condition.placement, _price(condition.tsumo), *map(_price, condition.ron)]


def _price(price: Price | None) -> list[int] | int | None:
    if price is None or price is ANY:
        return None if price is None else 0
    return [price.main, price.additional, price.limit.value, *([] if price.limit.value else [price.fu, price.han])]
