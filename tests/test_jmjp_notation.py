"""The notation of jmjp: dialects and points, strings and comment values, shorthands."""

from __future__ import annotations

import re
from decimal import Decimal
from itertools import chain

import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from tables import table

from jmjp_convert.errors import JmjpError
from jmjp_convert.formats.jmjp.comments import encoded
from jmjp_convert.formats.jmjp.notation import (
    AFFILIATIONS,
    DEFAULT_DIALECT,
    DIALECTS,
    PLACES,
    STAGES,
    TEAMS,
    TOURNAMENTS,
    Dialect,
    Tokens,
    points,
    storable,
    string,
)
from jmjp_convert.formats.jmjp.reader import read_jmjp
from jmjp_convert.formats.jmjp.writer import write_jmjp
from jmjp_convert.model import Match, Player, Rules, Text, Tournament
from jmjp_convert.model.yaku import LIMITS, NAMES
from jmjp_convert.play.outcome_text import ALL_NOTEN, BETWEEN_WINS, DRAWS, PAO, RON, TENPAI, TSUMO, UNFINISHED, WINDS


@given(st.integers(-(10**9), 10**9))
def test_every_number_of_points(hundreds: int) -> None:
    """Any whole hundreds of points are written exactly, in their only form."""
    value = 100 * hundreds
    assert re.fullmatch(r"-?(0|[1-9][0-9]*)\.[0-9]", points(value))
    assert Decimal(points(value)) == Decimal(value) / 1000
    assert points(value) != "-0.0"


def test_dialects() -> None:
    """There are three dialects, two of which share a header; 1.0 is the default."""
    assert {name: dialect.version for name, dialect in DIALECTS.items()} == {"0": "0", "1.0": "1.0", "1.0-beta": "1.0"}
    assert DEFAULT_DIALECT == "1.0"


# --- strings and comment values, which read back as they are written --------------------------------------------------


BETA = DIALECTS["1.0-beta"]
PLAIN = DIALECTS["1.0"]

dialects = st.sampled_from([*DIALECTS.values()])
odd_texts = st.text(st.sampled_from(["\\", '"', "/", "a", "天", "\n", "\x7f", "\x85", "]", ","]))
texts = st.text() | odd_texts

each_dialect = pytest.mark.parametrize("dialect", DIALECTS.values(), ids=DIALECTS)


def read(text: str, dialect: Dialect) -> tuple[str, str]:
    """Parse the string at the start of *text* by the grammar; return it and the rest."""
    character = r"""(?:\\"|[^"])""" if dialect.escapes else r"""[^"]"""
    match = re.match(rf'"({character}*?)"', text, re.DOTALL)
    assert match, text
    content = match[1].replace('\\"', '"') if dialect.escapes else match[1]
    return content, text[match.end() :]


@given(texts, dialects)
@example("\\", BETA)
@example('\\"', BETA)
@example('"\\', PLAIN)
@example("a\\\n", BETA)
@example("\\\\", PLAIN)
def test_round_trip(text: str, dialect: Dialect) -> None:
    """A string reads back as `held` says, and ends where it was closed."""
    assert read(string(text, dialect) + ',"next"', dialect) == (storable(text, dialect), ',"next"')


@given(texts, dialects)
@example("\\", PLAIN)
@example('\\"', PLAIN)
def test_one_reading(text: str, dialect: Dialect) -> None:
    """A written string is unambiguous: it ends at the same place with and without escapes."""
    written = string(text, dialect)
    assert not written[:-1].endswith("\\")
    assert read(written + "]", BETA)[1] == "]"
    if not dialect.escapes:
        assert read(written, PLAIN)[0] == read(written, BETA)[0]


@each_dialect
def test_words_of_outcomes(dialect: Dialect) -> None:
    """Every dialect holds the words of our own descriptions unchanged."""
    names = [(name.japanese, name.romaji) for name in NAMES]
    words = [*WINDS, *DRAWS.values(), *LIMITS.values(), *names, TSUMO, RON, PAO, TENPAI, ALL_NOTEN]
    spoken = (
        "".join(chain.from_iterable(words))
        + f"{UNFINISHED.native}{UNFINISHED.roman}{BETWEEN_WINS}←飜符点 han, fu: -0123456789 points"
    )
    assert storable(spoken, dialect) == spoken


@given(texts, dialects)
def test_replacements(text: str, dialect: Dialect) -> None:
    """Only controls, quotes and backslashes are replaced, each by one character: U+FFFD or its wide form."""
    kept = storable(text, dialect)
    assert len(kept) == len(text)
    for before, after in zip(text, kept, strict=True):
        if before == after:
            assert not re.match("[\x00-\x1f\x7f-\x9f]", before)
            assert before != '"' or dialect.escapes
        else:
            assert after == {'"': "\uff02", "\\": "\uff3c"}.get(before, "\ufffd")
            assert re.match('[\x00-\x1f\x7f-\x9f"\\\\]', before)


@given(texts, dialects)
def test_written_string(text: str, dialect: Dialect) -> None:
    """A string is one line between quotes."""
    written = string(text, dialect)
    assert written[0] == written[-1] == '"'
    assert written.splitlines() == [written] or re.search("[\u2028\u2029]", written)


@pytest.mark.parametrize(("text", "plain", "beta"), table("jmjp_notation", "string"))
def test_string(text: str, plain: str, beta: str) -> None:
    """Only 1.0-beta can hold a quote; in every dialect a backslash before a quote becomes wide."""
    assert string(text, DIALECTS["0"]) == string(text, PLAIN) == plain
    assert string(text, BETA) == beta


@given(st.binary())
def test_encoded_bytes(raw: bytes) -> None:
    """Printable ASCII but % is written as it is, any other byte as % and two upper-case digits."""
    expected = "".join(chr(byte) if 0x20 < byte < 0x7F and byte != 0x25 else f"%{byte:02X}" for byte in raw)
    assert encoded(raw) == expected


# --- the shorthand tokens ---------------------------------------------------------------------------------------------


FIELDS = {"tournament": TOURNAMENTS, "stage": STAGES, "place": PLACES, "team": TEAMS, "affiliation": AFFILIATIONS}
RULES_OF_FIELDS = {
    "tournament": "mlg",
    "stage": "1rd 2rd qtf smf fin mlg-reg mlg-sfs mlg-fns",
    "place": "mlg-std",
    "team": "mlg-drn mlg-exf mlg-skn mlg-mfc mlg-abm mlg-phx mlg-rdn mlg-prt",
    "affiliation": "none saikouisen prokyoukai prorenmei rmu rengoumu 101 kishikai zennihon",
}
EACH = [(field, token) for field, tokens in FIELDS.items() for token in tokens]

each_token = pytest.mark.parametrize(("field", "token"), EACH)
each_spec = pytest.mark.parametrize("spec", ["0", "1.0", "1.0-beta"])


def record_of(**fields: str) -> str:
    """Return a match with *fields*."""
    tournament = f"tnm[{fields.get('tournament', '')},,{fields.get('stage', '')},,]"
    player = f"ply[0,,{fields.get('team', '')},{fields.get('affiliation', '')},]"
    return f"({tournament}mtp[,,,{fields.get('place', '')}]{player}ply[1,,,,]ply[2,,,,]ply[3,,,,])"


def game(field: str, value: Text) -> Match:
    """Return a match with *value* in a *field*."""
    tournament, place, player = Tournament(), None, Player()
    if field == "tournament":
        tournament = Tournament(name=value)
    elif field == "stage":
        tournament = Tournament(stage=value)
    elif field == "place":
        place = value
    elif field == "team":
        player = Player(team=value)
    else:
        player = Player(affiliation=value)
    return Match(Rules(red_fives=None), (player, Player(), Player(), Player()), (), tournament=tournament, place=place)


def test_tokens() -> None:
    """The tokens are those of the standard's table, and no two of a field have the same text."""
    assert {field: " ".join(tokens) for field, tokens in FIELDS.items()} == RULES_OF_FIELDS
    for tokens in FIELDS.values():
        assert len(set(tokens.values())) == len(tokens)
        assert all(one.native and one.roman for one in tokens.values())


@each_spec
@each_token
def test_tokens_both_ways(field: str, token: str, spec: str) -> None:
    """Every dialect reads a token as its text and writes the text as the token."""
    match = game(field, FIELDS[field][token])
    version = spec.removesuffix("-beta")
    assert read_jmjp(f"jmjp[{version}]{record_of(**{field: token})}".encode()) == [match]
    assert record_of(**{field: token}) in write_jmjp(match, spec=spec, compact=True)


@each_token
def test_half_a_text(field: str, token: str) -> None:
    """A text that matches a token in only one script is written out."""
    whole = FIELDS[field][token]
    for one in (Text(whole.native), Text(None, whole.roman), Text(whole.native, f"{whole.roman}!")):
        match = game(field, one)
        written = write_jmjp(match)
        assert f"[{token}," not in written
        assert f",{token}," not in written
        assert read_jmjp(written.encode()) == [match]


@pytest.mark.parametrize(("field", "tokens"), FIELDS.items(), ids=FIELDS)
def test_tokens_of_another_field(field: str, tokens: Tokens) -> None:
    """A token of another field, or one cut short or extended, is rejected."""
    others = {token for _, token in EACH} - set(tokens)
    for wrong in (*others, *(token[:-1] for token in tokens), *(f"{token}x" for token in tokens), "MLG", "mlg-"):
        with pytest.raises(JmjpError, match=r"expected a text \(snt or srm\), a shorthand or '[],]', found '"):
            read_jmjp(f"jmjp[1.0]{record_of(**{field: wrong})}".encode())


def test_no_tokens_for_names() -> None:
    """Names have no shorthands."""
    with pytest.raises(JmjpError, match=r"expected a text \(snt or srm\) or ',', found 'mlg'"):
        read_jmjp(b"jmjp[1.0](mtp[,,,]ply[0,(mlg,),,,]ply[1,,,,]ply[2,,,,]ply[3,,,,])")
