"""The grammar in `docs/design/jmjp-grammar.md`, made into a parser as printed, accepts what the reader accepts."""

from __future__ import annotations

import random
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest
from casefiles import refusals, sound
from docs_grammar import GRAMMAR, OF_DIALECT, PRINTED, Rules, of_set, parts
from effort import many
from fuzzing import edits
from fuzzing.edits import Material
from fuzzing.languages import JMJP
from hypothesis import given, settings
from hypothesis import strategies as st
from jmjp_texts import spec_of
from lark import Lark, Token, Tree
from lark.exceptions import UnexpectedInput

from jmjp_convert.errors import JmjpError, JmjpSyntaxError
from jmjp_convert.formats.jmjp.notation import AFFILIATIONS, DIALECTS, PLACES, STAGES, TEAMS, TOURNAMENTS
from jmjp_convert.formats.jmjp.reader import read_jmjp

ROOT = Path(__file__).parent.parent
PAGE = (ROOT / "docs" / "jmjp.md").read_text(encoding="utf-8")
WRITTEN = sorted((ROOT / "fixtures" / "valid").glob("*.jmjp"))
READ = sorted((ROOT / "fixtures" / "jmjp" / "valid").glob("*.jmjp"))
INVALID = refusals("jmjp")
FUZZED = sorted((ROOT / "fixtures" / "fuzz" / "jmjp").iterdir())
MATERIAL = Material([content for content in sound("jmjp").values() if len(content) < 4000], JMJP)
EDITS = (edits.bytes_edited, edits.part_dropped, edits.parts_exchanged, edits.part_of_another, edits.cut)
EXAMPLES = re.findall(r"```jmjp\n(jmjp\[.*?)```", PAGE, re.DOTALL)


# --- from the page to a parser ---------------------------------------------------------------------------------------


def lark_name(name: str) -> str:
    """Return a rule's *name* as lark wants it: words in capitals, all others in small letters."""
    return name if name.isupper() else re.sub(r"[A-Z]", lambda letter: f"_{letter[0].lower()}", name)


def lark_part(part: re.Match[str]) -> str:
    """Return one part of a rule in lark's notation."""
    if part["name"]:
        return lark_name(part["name"])
    if part["text"]:
        return '"' + re.sub(r'["\\]', r"\\\g<0>", part["text"]) + '"'
    if part["set"]:
        return f"/{of_set(part['set'])}/"
    if part["least"]:
        return f"~{part['least']}" + (f"..{part['most']}" if part["most"] else "")
    return part["sign"]


def lark_rule(body: str) -> str:
    """Return the right side of a rule in lark's notation."""
    return re.sub(r" (?=[?*+~])", "", " ".join(map(lark_part, parts(body))))


def either(rules: Rules, others: Rules) -> Rules:
    """Return the rules of two dialects in one: where they differ, either may stand. Strings are those of *rules*."""
    return {
        name: body if body == others[name] or name == "CHARACTER" else f"({others[name]}) | ({body})"
        for name, body in rules.items()
    }


class Grammar:
    """A parser made from *rules*."""

    def __init__(self, rules: Rules) -> None:
        text = "\n".join(f"{lark_name(name)}: {lark_rule(body)}" for name, body in rules.items())
        self._parser = Lark(text, start="file", parser="lalr")
        blank = [name for name in ("COMMENT", "SPACE") if name in rules]
        lexer = Lark(text + f"\nlexemes: (STRING | {' | '.join(blank)})*", start="lexemes", parser=None, lexer="basic")
        patterns = [lexer.get_terminal(name).pattern.to_regexp() for name in ("STRING", *blank)]
        self._lexeme = re.compile(f"({patterns[0]})|{'|'.join(patterns[1:])}")

    def accepts(self, text: str) -> bool:
        """Return whether *text* is a file, and no player and no seat stands where another has to."""
        try:
            file = self._parser.parse(self._lexeme.sub(lambda lexeme: lexeme[1] or "", text))
        except UnexpectedInput:
            return False
        return all(len(set(four)) == len(four) for four in fours(file))


def fours(file: Tree[Token]) -> Iterator[list[str]]:
    """Yield the players of each match, and the seats of each four hands: what the page says beside its grammar."""
    for match in file.find_data("match"):
        yield [str(player.children[0]) for player in match.find_data("plyer_info")]
    for flow in file.find_data("frame_flow"):
        for hands in ("start_hand", "end_hand"):
            yield [str(hand.children[0]) for hand in flow.find_data(hands)]


@cache
def grammar(dialect: str) -> Grammar:
    """Return the grammar of one *dialect*."""
    return Grammar(OF_DIALECT[dialect])


@cache
def readable() -> tuple[Grammar, ...]:
    """Return all the grammars that a file may follow to be read: under a header that two dialects have, what either
    has, and strings as in one or the other."""
    strict, beta = OF_DIALECT["1.0"], OF_DIALECT["1.0-beta"]
    return grammar("0"), Grammar(either(strict, beta)), Grammar(either(beta, strict))


def is_grammatical(content: bytes) -> bool:
    """Return whether *content* is a file by what the page says."""
    try:
        text = content.decode("utf-8").removeprefix("\ufeff")
    except UnicodeDecodeError:
        return False
    return any(parser.accepts(text) for parser in readable())


def is_understood(content: bytes) -> bool:
    """Return whether the reader understands *content*, be the play in it possible or not."""
    errors: list[JmjpError] = []
    try:
        read_jmjp(content, finding=errors.append)
    except JmjpSyntaxError:
        return False
    return not any(isinstance(error, JmjpSyntaxError) for error in errors)


# --- fixtures --------------------------------------------------------------------------------------------------------


def dialect_of(path: Path) -> str:
    """Return the dialect in which one of our own outputs is written."""
    return next((name for name in DIALECTS if path.name.endswith(f".{name}.jmjp")), "1.0")


def test_headers() -> None:
    """The headers of the dialects are those of the reader."""
    assert {name: rules["header"].strip().strip("'") for name, rules in OF_DIALECT.items()} == {
        name: f"jmjp[{dialect.version}]" for name, dialect in DIALECTS.items()
    }


def test_written() -> None:
    """What the writer writes in a dialect follows the grammar of that dialect."""
    accepted = {path.name: grammar(dialect_of(path)).accepts(path.read_text(encoding="utf-8")) for path in WRITTEN}
    assert accepted == dict.fromkeys(accepted, True)
    assert len(accepted) > 100


def test_read(subtests: pytest.Subtests) -> None:
    """A file that is read follows the grammar of the dialect that it shows marks of, or mixes the two of its header."""
    for path in READ:
        with subtests.test(path.name):
            text = path.read_text(encoding="utf-8-sig")
            spec = spec_of(path)
            following = [dialect for dialect in DIALECTS if grammar(dialect).accepts(text)]
            assert following in ([spec], ["1.0", "1.0-beta"] if spec == "1.0" else [])
            assert is_grammatical(path.read_bytes())


def test_invalid() -> None:
    """A file whose text is rejected does not follow the grammar; one that only tells of impossible play does."""
    contents = {name: case.content for name, case in INVALID.items()}
    assert [name for name, text in contents.items() if is_grammatical(text) != is_understood(text)] == []


def test_both_kinds() -> None:
    """Among the files that are rejected there are enough of both kinds."""
    kinds = [is_understood(case.content) for case in INVALID.values()]
    assert min(kinds.count(True), kinds.count(False)) > 50


def test_fuzzed(subtests: pytest.Subtests) -> None:
    """Inputs that once were too much for the reader follow the grammar if the reader understands them."""
    for path in FUZZED:
        with subtests.test(path.name):
            assert is_grammatical(path.read_bytes()) == is_understood(path.read_bytes())


# --- at random -------------------------------------------------------------------------------------------------------


@settings(max_examples=many(1000))
@given(st.integers(0, 1 << 32))
def test_edited(seed: int) -> None:
    """A file that was changed at random follows the grammar if and only if the reader understands it."""
    dice = random.Random(seed)  # noqa: S311 - no secret
    content = dice.choice(MATERIAL.corpus)
    for _ in range(dice.choice((1, 1, 2))):
        content = dice.choice(EDITS)(content, dice, MATERIAL)
    assert is_grammatical(content) == is_understood(content)


# --- the rest of the pages -------------------------------------------------------------------------------------------


def test_shorthands() -> None:
    """The shorthands in the grammar and in the table are those of the reader, field by field."""
    fields = {
        "tourName": TOURNAMENTS,
        "tourStage": STAGES,
        "matchPlace": PLACES,
        "plyerTeam": TEAMS,
        "plyerAffil": AFFILIATIONS,
    }
    for rule, tokens in fields.items():
        assert re.split(r"\s+\|\s+", PRINTED[""][rule].strip()) == [*(f"'{token}'" for token in tokens), "strLit"]
    rows = GRAMMAR.partition("| field | shorthands |\n| --- | --- |\n")[2].partition("\n\n")[0].splitlines()
    explained = [set(re.findall(r"`([^`]+)`", row)) for row in rows]
    assert explained == [set(tokens) for tokens in fields.values()]


@pytest.mark.parametrize("text", EXAMPLES, ids=lambda text: text[:40])
def test_examples(text: str) -> None:
    """Whole files that the page shows follow the grammar, and are read."""
    assert is_grammatical(text.encode())
    assert read_jmjp(text.encode())
