"""Random changes to a jmjp text, one token or act at a time, and what such a text says.

Nothing here uses the package: the grammar is that of docs/jmjp.md.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator, Sequence
from decimal import Decimal
from random import Random
from typing import NamedTuple

TILE = "(?:[0-9][mps]|[eswn]w|[wgr]d|uk)"
TILES = [*(f"{number}{suit}" for suit in "mps" for number in range(10)), "ew", "sw", "ww", "nw", "wd", "gd", "rd", "uk"]
VALUES = ["0m", "9p", "0.0", "1.0", "-0.1", "1", "E2-1", "20240229"]
WORDS = [*"eswnkts", "tg", "kg", "tm", "ro", "oy", "all", "sat", *VALUES]
NAMES = ["hnd", "ch", "pn", "dk", "rs", "rc", "kk", "ak", "chi", "pon", "dmk", "kkn", "ank", "snt", "srm", "pfs", "pfe"]

_TOKEN = re.compile(
    rf"""(?P<mark>[\[\](),]) | (?P<space>\s+) | (?P<string>"(?:[^"\\]|\\+[^\\])*") | (?P<comment>//[^\r\n]*)
      | (?P<name>[a-z0-9]+(?=\[)) | (?P<tile>{TILE}(?=(?:{TILE})*[\[\],]))
      | (?P<number>-?[0-9]+\.[0-9]) | (?P<word>[^\s\[\](),"/]+)""",
    re.VERBOSE,
)
_OPENING, _CLOSING = frozenset("[("), frozenset("])")


class Token(NamedTuple):
    """A token: what it is, its text, and the names of what surrounds it, such as ``frm hnd``."""

    kind: str
    text: str
    inside: str


class Change(NamedTuple):
    """A changed text, and what was changed."""

    text: str
    what: str


def tokens(text: str) -> list[Token]:
    """Return the tokens of *text*, which is grammatical, or nearly."""
    parsed, opened, inside, offset = [], [""], "", 0
    last = ""
    for match in _TOKEN.finditer(text):
        assert match.start() == offset, text[offset : offset + 40]
        offset, word = match.end(), match[0]
        if word in _CLOSING and len(opened) > 1:
            opened.pop()
            inside = " ".join(opened[-2:])
        parsed.append(Token(match.lastgroup or "", word, inside))
        if word in _OPENING:
            opened.append(last if word == "[" else "()")
            inside = " ".join(opened[-2:])
        last = word
    assert offset == len(text), text[offset : offset + 40]
    return parsed


def changes(text: str, random: Random) -> Iterator[Change]:
    """Yield different changes to *text* without end. Tokens of a rare kind or place are as likely as others."""
    parsed = tokens(text)
    groups: dict[str, list[int]] = defaultdict(list)
    for index, token in enumerate(parsed):
        if token.kind not in ("space", "mark"):
            groups[f"{token.kind} in {token.inside}"].append(index)
    acts = list(_acts(parsed))
    ways = [*groups, *["swap acts", "swap acts", "omit act", "repeat act"] * bool(len(acts) > 1)]
    while True:
        way = random.choice(ways)
        parts = [token.text for token in parsed]
        if way in groups:
            index = random.choice(groups[way])
            what = _change_token(parts, parsed, groups[way], index, random)
        else:
            what = _change_acts(parts, acts, way, random)
        changed = "".join(parts)
        if changed != text:
            yield Change(changed, f"{way}: {what}")


def _change_token(parts: list[str], parsed: Sequence[Token], alike: Sequence[int], index: int, random: Random) -> str:
    """Change one of the *parts*, and return what was changed."""
    token = parsed[index]
    how = random.choice(("other", "other", "other", "omit", "swap"))
    if how == "swap":
        other = random.choice(alike)
        parts[index], parts[other] = parts[other], parts[index]
        return f"swap {token.text} {parsed[other].text}"
    parts[index] = "" if how == "omit" else _OTHERS[token.kind](token.text, random)
    return f"{token.text} -> {parts[index]}"


def _change_acts(parts: list[str], acts: Sequence[tuple[int, int]], way: str, random: Random) -> str:
    """Change the acts, which are slices of *parts*, and return what was changed."""
    number = random.randrange(len(acts) - 1)
    (first, last), (start, end) = acts[number : number + 2]
    act, after = parts[first:last], parts[start:end]
    if way == "swap acts":
        parts[first:end] = [*after, *parts[last:start], *act]
    elif way == "omit act":
        del parts[first:last]
    else:
        parts[last:last] = act
    return f"{''.join(act)} {''.join(after)}"


def _acts(parsed: Sequence[Token]) -> Iterator[tuple[int, int]]:
    """Yield the slices of the acts and hands in frames."""
    start = None
    for index, token in enumerate(parsed):
        if token.text == "(" and token.inside.endswith("frm"):
            start = index
        elif token.text == ")" and token.inside.endswith("frm") and start is not None:
            yield start, index + 1
            start = None


def _other_letters(text: str, random: Random) -> str:
    """Return *text* with a character more, fewer or changed."""
    offset = random.randrange(len(text) + 1)
    return text[:offset] + random.choice(("", "x", "7", "東", " ", "z")) + text[offset + random.randrange(2) :]


def _other_string(text: str, random: Random) -> str:
    return f'"{_other_letters(text[1:-1], random)}"'


def _other_comment(text: str, random: Random) -> str:
    """Return a comment with one of its words changed, left out or repeated."""
    words = text.split(" ")
    index = random.randrange(2, len(words))
    how = random.randrange(4)
    if how == 0:
        del words[index]
    elif how == 1:
        words.insert(index, words[index])
    else:
        key, mark, value = words[index].rpartition("=")
        words[index] = key + mark + _other_letters(value, random).replace(" ", "%20")
    return " ".join(words)


def _other_number(text: str, random: Random) -> str:
    step = random.choice(("0.1", "-0.1", "1.0", "-1.0", "10.0"))
    return str(-Decimal(text)) if random.randrange(5) == 0 else str(Decimal(text) + Decimal(step))


def _other_word(text: str, random: Random) -> str:
    return random.choice((random.choice(WORDS), _other_letters(text, random).strip()))


_OTHERS = {
    "string": _other_string,
    "comment": _other_comment,
    "name": lambda text, random: random.choice([name for name in NAMES if name != text]),
    "tile": lambda _, random: random.choice(TILES),
    "number": _other_number,
    "word": _other_word,
}


# --- what a text says ------------------------------------------------------------------------------------------------

_RUN = f"((?:{TILE})+)"
_HANDS = re.compile(r"(?:\([eswn],hnd\[(?:[^()\[\]]|\[[^\]]*\])*\]\)){4}")
_UNORDERED = re.compile(rf"((?:\b(?:hnd|ch|pn|dk|ak|ank)\[|(?:chi|pon|dmk)\[{TILE},|kkn\[{TILE},{TILE},)){_RUN}")
_PLAYERS = re.compile(r"(?:ply\[(?:[^\[\]]|\[[^\]]*\])*\]){4}")
_NUMBER = re.compile(r"(?<![0-9A-Za-z.-])(-?)([0-9]+)((?:\.[0-9])?)(?=[\[\](),\x00]|$)")


def said(text: str) -> str:
    """Return *text* in a form that is the same for two texts that say the same: without the space between tokens, with
    numbers as usual, and with tiles of a hand, hands, players and pairs of a comment in one order."""
    strings: list[str] = []
    head: list[str] = []
    parts = []
    for token in tokens(text):
        if token.kind == "string":
            strings.append(token.text)
            parts.append(f"\x00{len(strings) - 1}\x00")
        elif token.kind == "comment":
            strings.append(" ".join(sorted(set(token.text.split(" ")))))
            (parts if token.inside else head).append(f"\x01{len(strings) - 1}\x01")
        elif token.kind != "space":
            parts.append(token.text)
    plain = _UNORDERED.sub(lambda match: match[1] + "".join(sorted(re.findall(TILE, match[2]))), "".join(parts))
    plain = _HANDS.sub(lambda match: "".join(sorted(re.findall(r"\([eswn],hnd.*?\]\)", match[0]))), plain)
    plain = _PLAYERS.sub(lambda match: "ply".join(sorted(match[0].split("ply"))), plain)
    plain = _NUMBER.sub(_usual_number, plain)
    plain = re.sub(r"[\x00\x01]([0-9]+)[\x00\x01]", lambda match: strings[int(match[1])], plain)
    return "\n".join(sorted(strings[int(comment[1:-1])] for comment in head)) + plain


def _usual_number(match: re.Match[str]) -> str:
    sign, whole, tenth = match.groups()
    value = f"{int(whole)}{tenth}"
    return value if value in ("0", "0.0") else sign + value
