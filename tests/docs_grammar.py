"""The rules in ``docs/design/jmjp-grammar.md``, and files made at random by them."""

from __future__ import annotations

import random
import re
import string
from collections.abc import Iterator
from functools import cache
from pathlib import Path

from jmjp_convert.formats.jmjp.notation import DIALECTS

GRAMMAR = (Path(__file__).parent.parent / "docs" / "design" / "jmjp-grammar.md").read_text(encoding="utf-8")

_BLOCK = re.compile(r"(?:<!-- grammar: ([\w.-]+) -->\n)?```ebnf\n(.*?)```", re.DOTALL)
_REMARK = re.compile(r"/\*.*?\*/", re.DOTALL)
_RULE = re.compile(r"^(\w+) +::= (.*?)(?=^\w+ +::=|\Z)", re.DOTALL | re.MULTILINE)
_PART = re.compile(
    r"\s*(?:(?P<name>\w+)|'(?P<text>[^']*)'|\[(?P<set>[^]]+)]|\{(?P<least>\d+)(?:,(?P<most>\d+))?}|(?P<sign>[|()?*+]))"
)

Rules = dict[str, str]
"""Rules by their names."""
Ways = list[list[tuple["re.Match[str] | Ways", str]]]
"""The alternatives of a rule: parts after each other, each with how often it is repeated."""


def printed() -> dict[str, Rules]:
    """Return the rules on the page: those of all dialects under ``""``, and those of each."""
    by_dialect: dict[str, Rules] = {}
    for dialect, block in _BLOCK.findall(GRAMMAR):
        for name, body in _RULE.findall(_REMARK.sub("", block)):
            rules = by_dialect.setdefault(dialect, {})
            assert name not in rules, name
            rules[name] = body
    return by_dialect


PRINTED = printed()
OF_DIALECT = {
    "0": PRINTED[""] | PRINTED["0"],
    "1.0": PRINTED[""] | PRINTED["1.0"],
    "1.0-beta": PRINTED[""] | PRINTED["1.0"] | PRINTED["1.0-beta"],
}
"""The rules by dialect."""


def parts(body: str) -> list[re.Match[str]]:
    """Return the parts of a rule."""
    found, offset = [], 0
    while body[offset:].strip():
        part = _PART.match(body, offset)
        assert part is not None, body[offset:]
        found.append(part)
        offset = part.end()
    return found


def of_set(characters: str) -> str:
    """Return a set of *characters* as a regular expression."""
    escaped = re.sub(r"[\\/]", r"\\\g<0>", characters)
    return "[" + re.sub(r"#x([0-9A-F]+)", lambda code: f"\\u{int(code[1], 16):04x}", escaped) + "]"


# --- at random -------------------------------------------------------------------------------------------------------

CHARACTERS = [*string.digits, *string.ascii_letters, *" ,[]()/\\'\"天鳳é\uff02\t\n\u2028\u0301😀"]
TIMES = {"": (1,), "?": (0, 1, 1), "*": (0, 0, 1, 3, 9), "+": (1, 2)}
"""How often a part is repeated."""

PLAY = {
    "TILE": "'uk' | [02345] 'm' | [1-9] [mps] | [eswn] 'w' | [wgr] 'd'",
    "startHand": f"'(' SEAT ',' 'hnd[' TILE{{13}} ',' ',' ']' ')' | {PRINTED['']['startHand']}",
}
"""Rules by which more of the play is possible."""

COMMENT = (
    "'' | [#xA] '// tenhou ' ( 'bye player=1' | 'back player=2 at=draw' | 'riichi=karagiri' | 'chips=1,2 chipyaku=3,4' "
    "| 'x' | 'name=%' ) [#xA]"
)


@cache
def ways(body: str) -> Ways:
    """Return the alternatives of a rule."""
    stack: list[Ways] = [[[]]]
    for part in parts(body):
        if part["least"] or part["sign"] in TIMES:
            last, _ = stack[-1][-1].pop()
            stack[-1][-1].append((last, part[0].strip()))
        elif part["sign"] == "(":
            stack.append([[]])
        elif part["sign"] == "|":
            stack[-1].append([])
        else:
            inner = stack.pop() if part["sign"] else part
            stack[-1][-1].append((inner, ""))
    return stack[0]


@cache
def in_set(characters: str) -> list[str]:
    """Return the characters in a set."""
    return [character for character in CHARACTERS if re.match(of_set(characters), character)]


class Maker:
    """What makes texts by *rules*, with *dice*; of several alternatives, it prefers the first."""

    def __init__(self, rules: Rules, dice: random.Random) -> None:
        self.rules = rules
        self.dice = dice

    def of(self, alternatives: Ways) -> str:
        """Return a text."""
        way = self.dice.choice([*alternatives, *alternatives[:1] * len(alternatives)])
        return "".join(self._part(part) for part, times in way for _ in range(self._number(times)))

    def _number(self, times: str) -> int:
        if times in TIMES:
            return self.dice.choice(TIMES[times])
        least, _, most = times[1:-1].partition(",")
        return self.dice.randint(int(least), int(most or least))

    def _part(self, part: re.Match[str] | Ways) -> str:
        if isinstance(part, list):
            return self.of(part)
        if part["name"]:
            return self.of(ways(self.rules[part["name"]]))
        return self.dice.choice(in_set(part["set"])) if part["set"] else part["text"]

    def four(self, values: str) -> Iterator[str]:
        """Yield *values* in any order, again and again."""
        while True:
            yield from self.dice.sample(values, 4)


def sentence(seed: int, spec: str, *, plays: bool) -> str:
    """Return a file that the rules of a dialect allow, though hardly ever a possible game; without acts and hands,
    unless it *plays*."""
    rules = OF_DIALECT[spec] | (PLAY if plays else {"frameFlow": "''"})
    if DIALECTS[spec].comments:
        rules["frameAct"] = f"( {COMMENT} ) {rules['frameAct']}"
    maker = Maker(rules, random.Random(seed))  # noqa: S311 - no secret
    players, seats = maker.four("0123"), maker.four("eswn")
    text = maker.of(ways(rules["file"]))
    return re.sub(
        r"(?<=ply\[)\d|(?<=\().(?=,hnd)", lambda either: next(players if either[0].isdigit() else seats), text
    )
