"""The lines of a file of mjai: where an event is in the layouts that programs use, which events and keys are known.

Source: ``docs/design/formats.md`` 2. An event per line is usual; a list of events, events over several lines, a list of
events per line, and the ``mjai_log`` in a report of mjai-reviewer are read too.
"""

from __future__ import annotations

import codecs
import re
from collections.abc import Iterator, Mapping

from jmjp_convert.errors import ConvertError, MjaiError
from jmjp_convert.files.inputs import UTF16
from jmjp_convert.formats.json_text import JsonLines, Walk, decode_at, decoded, quoted
from jmjp_convert.formats.json_values import At
from jmjp_convert.formats.session import Notice

# --- the events and their keys ----------------------------------------------------------------------------------------

_CALL = "actor target pai consumed"
_POINTS = "deltas delta scores"

_KEYS: Mapping[str, frozenset[str]] = {
    kind: frozenset(("type", *keys.split()))
    for kind, keys in {
        "start_game": "names kyoku_first aka_flag uri preset rules num_players game_meta",
        "start_kyoku": "bakaze dora_marker kyoku honba kyotaku kyoutaku riichi_sticks oya scores tehais "
        "num_players game_meta",
        "tsumo": "actor pai",
        "dahai": "actor pai tsumogiri",
        "chi": _CALL,
        "pon": _CALL,
        "daiminkan": _CALL,
        "kan": _CALL,
        "kakan": _CALL,
        "ankan": _CALL,
        "nukidora": "actor pai",
        "kita": "actor pai",
        "dora": "dora_marker",
        "reach": "actor pai",
        "reach_accepted": f"actor {_POINTS}",
        "hora": f"{_CALL} ura_markers uradora_markers uradora_marker ura_dora_markers hora_tehais "
        f"yakus yaku fu fan han hora_points pao {_POINTS}",
        "ryukyoku": f"actor reason tehais tenpais {_POINTS}",
        "end_kyoku": "",
        "end_game": "scores",
    }.items()
}
"""The keys of each event that are read, or that say what follows from the rest."""

_HARMLESS_EVENTS = frozenset(("none", "hello", "join", "error"))
"""Messages between a server and its players that say nothing about the play."""

_HARMLESS_KEYS = frozenset(
    (
        # the original protocol, to and from its players
        *("id", "log", "logs", "text", "message", "protocol", "protocol_version", "name", "room", "gametype"),
        *("possible_actions", "cannot_dahai"),
        # Mortal, mjai.app, RiichiEnv: what a bot thought, and the seed of a simulation
        *("meta", "q_values", "mask_bits", "is_greedy", "batch_size", "eval_time_ns", "can_act", "seed", "tsumo"),
    )
)

BETWEEN = frozenset(("start_game", "start_kyoku", "end_kyoku", "end_game"))
"""The events around frames."""


def kind_of(line: At, notice: Notice) -> str:
    """Return the type of the event on *line*; report it to *notice* if it is unknown, otherwise its unknown keys."""
    said = line.value.get("type")
    known = _KEYS.get(said) if type(said) is str else None
    kind: str = line.member("type").text() if known is None else said
    if known is None:
        if kind not in _HARMLESS_EVENTS:
            notice(f"unknown event {quoted(kind)} ignored")
    elif not known.issuperset(line.value):
        for key in line.value:
            if key not in known and key not in _HARMLESS_KEYS:
                notice(f"unknown key {quoted(key)} of {kind} ignored")
    return kind


# --- the layouts ------------------------------------------------------------------------------------------------------

_SPACE = " \t\r\n"
_LIST_OF_EVENTS = re.compile(rb"\[[ \t]*[{\]]")
_AFTER_BRACKET = frozenset((b"{", b"]", b" ", b"\t"))
"""What may follow the bracket of such a list: only where one does, the pattern is tried."""

_EVENT = re.compile(rb'\{\s*"type"')
_AROUND_EVENTS = f"{_SPACE}[,]"
_LONG_LINE = 1 << 16  # bytes: longer than any line of a list or an object that spans several lines


def lines_of(content: bytes) -> JsonLines[MjaiError]:
    """Return the lines of *content*, one event each, also if it is a list or if events span several lines."""
    if content.startswith(UTF16):
        content = decoded(content, MjaiError).encode()
    text = content.removeprefix(codecs.BOM_UTF8).lstrip()
    if is_report(text):
        return _reported(Walk(decoded(content, MjaiError), MjaiError))
    first = text[: text.find(b"\n")].rstrip() if b"\n" in text else text
    is_event = first[-1:] == b"}" or b'"' in first[-2:] or len(first) > _LONG_LINE
    if text[:1] == b"[" or (text[:1] == b"{" and not is_event) or _has_list_line(text):
        walk = Walk(decoded(content, MjaiError), MjaiError)
        return JsonLines.laid_out(walk, walk.documents(loose=True))
    return JsonLines(content, MjaiError)


def _has_list_line(text: bytes) -> bool:
    """Return whether a line of *text* after the first begins with a list of events."""
    start, bracket = 0, text.find(b"[")
    while bracket >= 0:
        if text[bracket + 1 : bracket + 2] in _AFTER_BRACKET and _LIST_OF_EVENTS.match(text, bracket):
            end = text.rfind(b"\n", start, bracket)
            if end >= 0 and not text[end + 1 : bracket].strip(b" \t"):
                return True
        start, bracket = bracket, text.find(b"[", bracket + 1)
    return False


def is_report(content: bytes) -> bool:
    """Return whether *content*, or the beginning of it, is a report of mjai-reviewer rather than events."""
    is_object = content[:1] == b"{" and _EVENT.match(content) is None
    return is_object and (b'"mjai_log"' in content or (b'"review"' in content and b'"kyokus"' in content))


def _reported(walk: Walk[MjaiError]) -> JsonLines[MjaiError]:
    """Return the events of ``mjai_log`` in a report of mjai-reviewer."""
    lines = JsonLines.laid_out(walk, _in_report(walk))
    if walk.next():
        raise walk.error("invalid JSON: extra data")
    if not lines.left():
        raise MjaiError("a report of mjai-reviewer without the game; read the game that was reviewed", line=1)
    return lines


def _in_report(walk: Walk[MjaiError]) -> Iterator[str]:
    """Yield the pointer to each event of ``mjai_log``. Its items are events, or lists of them."""
    for key in walk.members():
        if key != "mjai_log" or walk.next() != "[":
            walk.value()
            continue
        for index in walk.items():
            if walk.next() == "[":
                yield from (f"/mjai_log/{index}/{event}" for event in walk.items())
            else:
                yield f"/mjai_log/{index}"


def begins(text: str) -> bool:
    """Return whether *text*, the beginning of a file, begins with a game of mjai, perhaps after messages."""
    kind, text = None, text.lstrip(_AROUND_EVENTS)
    while kind is None or kind in _HARMLESS_EVENTS:
        try:
            value, end = decode_at(text, 0)
        except ConvertError:
            return False
        if type(value) is not dict or type(kind := value.get("type")) is not str:
            return False
        text = text[end:].lstrip(_AROUND_EVENTS)
    return kind in ("start_game", "start_kyoku")
